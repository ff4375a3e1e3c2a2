//! Holding a theorem against the oracle.

use grundy_rules::{Component, Limit, Meter, Position};
use num_bigint::BigUint;

use super::{Components, Family, Sample};
use crate::oracle::{Oracle, has_values};
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::search::Search;
use crate::solve::{Part, Query, Solver, Wanted, after};

/// What comparing a theorem with the oracle shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How many positions were compared: outcome, value where there is one, and winning moves.
    pub positions: u64,
    /// Where the theorem is wrong or silent.
    pub differences: Vec<(String, Position)>,
}

/// What a theorem is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// The oracle, which knows the definitions and nothing else.
    Oracle,
    /// The compiled search, which is held against the oracle elsewhere.
    Search,
}

/// Compares a theorem with a judge on the positions of its samples, on all of them if `every` is
/// 1, and otherwise on the first of each `every`.
///
/// Outcome, value and every winning move, with its choices and in its order, must be the same, and be
/// known by the theorem.
pub fn hold(
    family: &Family,
    judge: Judge,
    every: usize,
    meter: &mut Meter,
) -> Result<Held, Undecided> {
    let mut held = Held::default();
    for sample in family.samples {
        hold_sample(family, sample, (judge, every), &mut held, meter)?;
    }
    Ok(held)
}

fn hold_sample(
    family: &Family,
    sample: &Sample,
    (judge, every): (Judge, usize),
    held: &mut Held,
    meter: &mut Meter,
) -> Result<(), Undecided> {
    let games = [grundy_rules::parse(sample.rules).expect("the rules of a sample are right")];
    let [game] = &games;
    let mut solver = Solver::new(&games).expect("one game is a sum");
    let valued = has_values(game).is_ok();
    let mut examined = Examined {
        judge,
        valued,
        oracle: Oracle::new(game),
        search: Search::new(game),
    };
    let query = Query {
        moves: Wanted::All,
        distinct: false,
        limit: usize::MAX,
    };
    let is_known = |evidence: &Evidence| match evidence {
        Evidence::Published { citation } => citation.contains(family.citation),
        // The value of the empty sum needs no theorem.
        Evidence::Exhaustive { upto: None } => true,
        _ => false,
    };
    for position in positions(game, sample, meter)?.into_iter().step_by(every) {
        let sum: Vec<Part> = position
            .0
            .iter()
            .map(|component| Part {
                game: 0,
                component: component.clone(),
            })
            .collect();
        let answer = solver.answer(&sum, query, meter)?;
        let outcome = examined.outcome(&position, meter)?;
        let mut same = answer.outcome == outcome && is_known(&answer.evidence);
        if valued && let Ok((value, _)) = &answer.value {
            let total = examined.value(&position, meter)?;
            same &= value.0 == BigUint::from(total);
        }
        let mut winning = Vec::new();
        if outcome == Outcome::N {
            for next in solver.all_moves(&sum, meter)? {
                let reached = examined.outcome(&next.result(&position), meter)?;
                winning.extend((reached == Outcome::P).then_some(next));
            }
        }
        let best = answer.moves?;
        same &= best.listed == winning;
        same &= best.count.is_none_or(|count| count == winning.len().into());
        let least = Query {
            moves: Wanted::Least,
            ..query
        };
        let listed = solver.answer(&sum, least, meter)?.moves?.listed;
        let reached = winning.iter().map(|next| after(&sum, next)).min();
        same &= listed.first().map(|next| after(&sum, next)) == reached;
        held.positions += 1;
        if !same {
            held.differences.push((sample.rules.to_owned(), position));
        }
    }
    Ok(())
}

/// What exhaustive search says.
struct Examined<'g> {
    judge: Judge,
    /// Whether values decide sums.
    valued: bool,
    oracle: Oracle<'g>,
    search: Search<'g>,
}

impl Examined<'_> {
    fn outcome(&mut self, position: &Position, meter: &mut Meter) -> Result<Outcome, Undecided> {
        if self.valued {
            let is_lost = self.value(position, meter)? == 0;
            return Ok(if is_lost { Outcome::P } else { Outcome::N });
        }
        let found = match self.judge {
            Judge::Search => self.search.outcome(position, meter)?,
            Judge::Oracle => None,
        };
        found.map_or_else(|| self.oracle.outcome(position, meter), Ok)
    }

    /// The nim-sum of the values of the components.
    fn value(&mut self, position: &Position, meter: &mut Meter) -> Result<u64, Undecided> {
        let mut total = 0;
        for component in &position.0 {
            let found = match self.judge {
                Judge::Search => self.search.grundy_value(component, meter)?,
                Judge::Oracle => None,
            };
            total ^= match found {
                Some(value) => value,
                None => self.oracle.grundy_value(component, meter)?,
            };
        }
        Ok(total)
    }
}

/// The positions of a sample, components ascending.
fn positions(
    game: &grundy_rules::Ruleset,
    sample: &Sample,
    meter: &mut Meter,
) -> Result<Vec<Position>, Limit> {
    let mut components = Vec::new();
    let mut add = |numbers: &[u32]| {
        let given = Position(vec![Component::of_numbers(numbers.iter().copied())]);
        match grundy_rules::given::prepare(game, &given, meter) {
            Ok(position) => components.extend(position.0),
            // Not every list is a component, say where rows are in order.
            Err(grundy_rules::given::GivenFault::Limit(limit)) => return Err(limit),
            Err(_) => {}
        }
        Ok(())
    };
    match sample.components {
        Components::Box(most) => each_list(most, &mut add)?,
        Components::Rows { length, most } => {
            for length in 0..=length {
                each_list(&vec![most; length], &mut add)?;
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    components.retain(|component| seen.insert(component.clone()));
    let mut all = vec![(0, Position::default())];
    let mut start = 0;
    for _ in 0..sample.up_to {
        let end = all.len();
        for index in start..end {
            for (at, component) in components.iter().enumerate().skip(all[index].0) {
                meter.spend(1)?;
                let mut longer = all[index].1.clone();
                longer.0.push(component.clone());
                all.push((at, longer));
            }
        }
        start = end;
    }
    Ok(all.into_iter().map(|(_, position)| position).collect())
}

/// Calls `with` for all lists with numbers up to these.
fn each_list(most: &[u32], with: &mut dyn FnMut(&[u32]) -> Result<(), Limit>) -> Result<(), Limit> {
    let mut list = vec![0; most.len()];
    loop {
        with(&list)?;
        let Some(place) = list.iter().zip(most).rposition(|(n, most)| n < most) else {
            return Ok(());
        };
        list[place] += 1;
        list[place + 1..].fill(0);
    }
}
