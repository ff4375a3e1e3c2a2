//! What is known of a game of one number besides its values.

use grundy_kernels::Space;
use grundy_rules::{Meter, Ruleset, parse};

use crate::catalogue::GAMES;
use crate::law::{NoSequence, Periodicity, Sequence, independent_heaps};
use crate::oracle::{has_values, unsolved_clause};
use crate::outcome::Undecided;
use crate::shape::Shape;

/// What the values up to some heap say, and what others published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The code of the game, if it has one.
    pub code: Option<String>,
    /// How many values were looked at: those of the heaps below.
    pub below: u64,
    /// What ended them early.
    pub undecided: Option<Undecided>,
    /// The largest value, and the first heap that has it.
    pub largest: Option<(u64, u64)>,
    /// The sparse space of these values.
    pub space: Option<Sparse>,
    /// The period that these values prove.
    pub law: Option<Periodicity>,
    /// Other games of the catalogue with the same normal form, hence the same options.
    pub same: Vec<&'static str>,
    /// Short octal codes with the same values, by the proved periods of both.
    pub equal: Vec<Equal>,
    /// What is published about the code.
    pub published: Vec<Published>,
}

/// Which heaps are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse {
    /// A heap is rare if its value shares an even number of bits with this mask.
    pub mask: u64,
    /// Whether odd heaps count the other way round from even ones.
    pub alternates: bool,
    /// How many heaps besides heap 0 are rare.
    pub rares: u64,
    /// The last of them.
    pub last: Option<u64>,
}

/// A code that has the values of the game, for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equal {
    /// The code.
    pub code: String,
    /// Heap `n` of the game has the value of heap `n + moved` of the code.
    pub moved: isize,
}

/// One published fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The fact.
    pub fact: Fact,
    /// Who published it.
    pub source: &'static str,
}

/// A fact about a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The values are periodic.
    Period(Periodicity),
    /// Something else, in words.
    Note(&'static str),
}

/// Looks at the values of the heaps up to one.
///
/// # Errors
///
/// Where the game has no values of heaps of one number.
pub fn info(ruleset: &Ruleset, upto: u64, meter: &mut Meter) -> Result<Info, NoSequence> {
    has_values(ruleset).map_err(NoSequence::NoValues)?;
    let shape = independent_heaps(ruleset)?;
    let mut sequence = Sequence::new(ruleset, &shape);
    let count = usize::try_from(upto).map_or(usize::MAX, |upto| upto.saturating_add(1));
    let undecided = sequence.extend_to(count, meter).err();
    let values = sequence.values();
    let largest = (0..).zip(values.iter()).reduce(
        |most: (u64, u64), heap| {
            if heap.1 > most.1 { heap } else { most }
        },
    );
    let code = shape.code().map(ToString::to_string);
    let published = code.as_deref().map(published).unwrap_or_default();
    Ok(Info {
        below: values.len() as u64,
        undecided,
        largest: largest.map(|(heap, value)| (value, heap)),
        space: sequence.space().map(|space| sparse(space, &sequence)),
        law: sequence.law(),
        same: same(ruleset, &shape),
        equal: equal(&mut sequence, code.as_deref(), meter),
        code,
        published,
    })
}

/// Periods of other codes are looked for where the last value that a period is known by is at most here.
const MOST_COMPARED: usize = 1 << 13;
/// So many values are compared before more of another code are computed.
const FIRST_COMPARED: usize = 64;
/// By how much heaps may be moved: cousins differ by what has to be taken at least.
const MOVED: [isize; 7] = [0, 1, -1, 2, -2, 3, -3];

/// The codes of up to three octal digits, other than this one, that have the values of the sequence, if its period is
/// proved.
///
/// Two sequences of periods `p` and `q` are the same from some place on if they agree on `p + q` terms from there on
/// (Fine and Wilf 1965).
fn equal(sequence: &mut Sequence, own: Option<&str>, meter: &mut Meter) -> Vec<Equal> {
    let Some(window) = window(sequence) else {
        return Vec::new();
    };
    let octal = (1..0o1000).map(|number| format!("0.{number:03o}"));
    let splitting = (0..0o100).map(|number| format!("4.{number:02o}"));
    let mut found = Vec::new();
    for text in octal.chain(splitting) {
        let ruleset = parse(&format!("rules {text}")).expect("a code");
        let shape = Shape::of(&ruleset);
        let Some(code) = shape.code().map(ToString::to_string) else {
            continue;
        };
        if Some(code.as_str()) == own {
            continue;
        }
        let mut other = Sequence::new(&ruleset, &shape);
        match equals(sequence, window, &mut other, meter) {
            Ok(Some(moved)) => found.push(Equal { code, moved }),
            Ok(None) => {}
            Err(_) => break,
        }
    }
    found
}

/// Preperiod and period together, if the period is proved and no value beyond it grows.
fn window(sequence: &Sequence) -> Option<usize> {
    let law = sequence.law().filter(|law| law.saltus == 0)?;
    let window = usize::try_from(law.preperiod.checked_add(law.period)?).ok()?;
    (window <= MOST_COMPARED).then_some(window)
}

/// By how much heaps are moved from one sequence of this preperiod and period to another, if both are the same but
/// for that.
fn equals(
    sequence: &mut Sequence,
    first: usize,
    other: &mut Sequence,
    meter: &mut Meter,
) -> Result<Option<isize>, Undecided> {
    sequence.extend_to(FIRST_COMPARED, meter)?;
    other.extend_to(FIRST_COMPARED, meter)?;
    let agrees = |moved: &isize| agree(sequence, other, *moved);
    if !MOVED.iter().any(agrees) {
        return Ok(None);
    }
    let mut length = FIRST_COMPARED;
    while other.law().is_none() && length < 8 * MOST_COMPARED {
        length *= 2;
        other.extend_to(length, meter)?;
    }
    let Some(second) = window(other) else {
        return Ok(None);
    };
    // Both preperiods and both periods, and what is moved.
    let count = first + second + MOVED.len();
    sequence.extend_to(count, meter)?;
    other.extend_to(count, meter)?;
    let agrees = |moved: &isize| agree(sequence, other, *moved);
    Ok(MOVED.into_iter().find(agrees))
}

/// Whether two sequences agree as far as both are known, one of them moved.
fn agree(sequence: &Sequence, other: &Sequence, moved: isize) -> bool {
    let (values, others) = (sequence.values(), other.values());
    let pairs = (0..values.len()).filter_map(|heap| {
        let other = others.get(heap.checked_add_signed(moved)?)?;
        Some((values.at(heap), other))
    });
    pairs.into_iter().all(|(value, other)| value == other)
}

fn sparse(space: Space, sequence: &Sequence) -> Sparse {
    let mut sparse = Sparse {
        mask: space.mask as u64,
        alternates: space.alternates,
        rares: 0,
        last: None,
    };
    for (heap, value) in sequence.values().iter().enumerate().skip(1) {
        let value = usize::try_from(value).expect("a value is less than the number of options");
        if space.is_rare(heap, value) {
            sparse.rares += 1;
            sparse.last = Some(heap as u64);
        }
    }
    sparse
}

/// The games of the catalogue, other than this one, with the same normal form.
fn same(ruleset: &Ruleset, shape: &Shape) -> Vec<&'static str> {
    let is_same = |text: &str| {
        let other = parse(text).expect("the games of the catalogue are well formed");
        other.name != ruleset.name
            && unsolved_clause(&other).is_none()
            && has_values(&other).is_ok()
            && Shape::of(&other) == *shape
    };
    // Equal reasons for being outside all forms say nothing.
    if !Sequence::has_kernel(shape) && shape.code().is_none() {
        return Vec::new();
    }
    let games = GAMES.iter().filter(|game| is_same(game.text));
    games.map(|game| game.name).collect()
}

/// The lines of the list of what is published.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("../data/codes.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (said, source) = line.split_once(" # ").expect("each line names its source");
            let (code, said) = said.split_once(' ').expect("each line begins with a code");
            (code, said.trim(), source.trim())
        })
}

/// What is published about a code in its normal form.
fn published(code: &str) -> Vec<Published> {
    let of_code = lines().filter(|(of, ..)| *of == code);
    of_code
        .map(|(_, said, source)| Published {
            fact: fact(said).expect("the list is well formed: a test reads all of it"),
            source,
        })
        .collect()
}

fn fact(said: &'static str) -> Option<Fact> {
    if let Some(note) = said.strip_prefix("note ") {
        return Some(Fact::Note(note));
    }
    let (period, preperiod) = said.strip_prefix("period ")?.split_once(" from ")?;
    Some(Fact::Period(Periodicity {
        preperiod: preperiod.parse().ok()?,
        period: period.parse().ok()?,
        saltus: 0,
    }))
}

#[cfg(test)]
mod tests {
    use grundy_rules::Budget;

    use super::*;

    #[test]
    fn what_is_published_is_what_the_values_prove() {
        for (code, said, source) in lines() {
            let fact = fact(said).unwrap_or_else(|| panic!("{code} {said} # {source}"));
            let ruleset = parse(&format!("rules {code}")).expect("a code");
            let shape = Shape::of(&ruleset);
            assert_eq!(shape.code().map(ToString::to_string).as_deref(), Some(code));
            if let Fact::Period(law) = fact
                && law.preperiod + law.period < 20_000
            {
                let mut meter = Meter::new(Budget::default());
                let known = info(&ruleset, 1 << 16, &mut meter).expect("heaps");
                assert_eq!(known.law, Some(law), "{code}");
            }
        }
    }

    #[test]
    fn cousins_have_the_same_values() {
        let mut meter = Meter::new(Budget::default());
        // Dawson's Chess, Dawson's Kayles and a row of coins to take one from between two: Guy and Smith 1956.
        let ruleset = parse("rules 0.137").expect("a code");
        let known = info(&ruleset, 500, &mut meter).expect("heaps");
        for (code, moved) in [("0.07", 1), ("0.4", 2)] {
            let cousin = known.equal.iter().find(|equal| equal.code == code);
            assert_eq!(
                cousin.map(|equal| equal.moved),
                Some(moved),
                "{:?}",
                known.equal
            );
        }
        assert!(known.equal.iter().all(|equal| equal.code != "0.77"));
        // What is said is so, far beyond what was compared.
        for equal in known.equal {
            let other = parse(&format!("rules {}", equal.code)).expect("a code");
            let [mut one, mut two] =
                [&ruleset, &other].map(|game| Sequence::new(game, &Shape::of(game)));
            one.extend_to(3000, &mut meter).expect("room");
            two.extend_to(3000, &mut meter).expect("room");
            assert!(agree(&one, &two, equal.moved), "{equal:?}");
        }
        // No period is proved of so few values, and none is known of any number.
        for (code, upto) in [("0.137", 100), ("0.6", 1000)] {
            let ruleset = parse(&format!("rules {code}")).expect("a code");
            assert!(
                info(&ruleset, upto, &mut meter)
                    .expect("heaps")
                    .equal
                    .is_empty()
            );
        }
    }

    #[test]
    fn a_game_and_its_code_are_the_same() {
        let mut meter = Meter::new(Budget::default());
        let ruleset = parse("rules 0.77").expect("a code");
        let known = info(&ruleset, 500, &mut meter).expect("heaps");
        assert!(known.same.contains(&"kayles"), "{:?}", known.same);
        // OEIS A002186: no value of Kayles exceeds 8.
        assert!(known.largest.is_some_and(|(value, _)| value == 8));
    }
}
