//! Laws proved for all sizes by both procedures, beside MONA on the obligations that the checker exports.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use grundy::oracle::Oracle;
use grundy::proof::Proved;
use grundy::proof::automatic::{
    Answer, Certification, Game, Holds, Law, Says, certify, decide, default_budget,
};
use grundy_automata::{
    Atom, Automaton, DigitOrder, Encoding, Formula, NumerationSystem, Relation, Variable,
};
use grundy_certificate::automatic::Prover;
use grundy_certificate::{check, export};
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};

use crate::report::{first_line, median, processor};
use crate::{folder, seconds};

/// How often each side runs.
const REPEATS: u32 = 5;

/// A formula that MONA decides at once: what it takes is what starting MONA takes.
const TRIVIAL: &str = "ws1s;\nall2 X: X = X;\n";

struct Subject {
    name: &'static str,
    ruleset: Ruleset,
    game: Game,
    law: Law,
}

/// Measures all, and says how.
pub fn measure() -> Result<String, String> {
    let folder = folder()?;
    let mut text = format!(
        "# Proofs by automata\n\n\
         {day}, {cpu}; {rust}, {build}; {mona}. Processor seconds in milliseconds, median of {REPEATS} runs; MONA's are the mean of as many,\n\
         less what it takes for a formula without content ({{trivial}}). *Derive*: rules and law to a decision, by building automata.\n\
         *Certify*: the same on the fly, with the certificate written and checked. *Check*: the checker alone.\n\
         MONA reads the obligations that the checker exports, in base 2.\n\n\
         | game | states | derive | certify | check | bytes | MONA | MONA / derive |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        day = first_line("date", "+%F")?,
        cpu = processor()?,
        rust = first_line("rustc", "--version")?,
        build = if cfg!(debug_assertions) {
            "a development build"
        } else {
            "a release build"
        },
        mona = first_line("mona", "--version")?,
    );
    let file = folder.join("trivial.mona");
    write(&file, TRIVIAL)?;
    let trivial = mona(&file)?.ok_or("MONA does not decide a formula without content")?;
    text = text.replace("{trivial}", &milliseconds(trivial));
    for subject in subjects() {
        let row = row(&subject, &folder, trivial)?;
        eprint!("{row}");
        text.push_str(&row);
    }
    text.push_str("\n*None*: MONA aborts, or gives no answer within a minute.\n");
    Ok(text)
}

fn row(subject: &Subject, folder: &Path, trivial: f64) -> Result<String, String> {
    let Subject {
        name,
        ruleset,
        game,
        law,
    } = subject;
    let (mut derive, mut certified, mut checked) = (Vec::new(), Vec::new(), Vec::new());
    let mut states = 0;
    let mut proved: Option<Box<Proved>> = None;
    for _ in 0..REPEATS {
        let start = seconds();
        match decide(ruleset, game, law, &mut automata(), &mut meter()) {
            Ok(Answer::Derived { states: found, .. }) => states = found,
            other => return Err(format!("{name}: {other:?}")),
        }
        derive.push(seconds() - start);
        let start = seconds();
        match certify(ruleset, game, law, &mut automata(), &mut meter()) {
            Ok(Certification::Proved(found)) => proved = Some(found),
            other => return Err(format!("{name}: {other:?}")),
        }
        certified.push(seconds() - start);
        let certificate = &proved.as_ref().expect("it was just proved").certificate;
        let start = seconds();
        check(certificate, &mut meter()).map_err(|refusal| format!("{name}: {refusal:?}"))?;
        checked.push(seconds() - start);
    }
    let certificate = proved.expect("it was proved").certificate;
    let (derive, certified, checked) = (median(derive), median(certified), median(checked));
    let (theirs, ratio) = match export(&certificate, Prover::Mona) {
        Err(_) => ("—".to_owned(), "—".to_owned()),
        Ok(exported) => {
            let file = folder.join("obligations.mona");
            write(&file, &exported)?;
            match mona(&file)? {
                None => ("none".to_owned(), "—".to_owned()),
                Some(theirs) => {
                    let theirs = (theirs - trivial).max(0.0);
                    (milliseconds(theirs), format!("{:.1}", theirs / derive))
                }
            }
        }
    };
    Ok(format!(
        "| {name} | {states} | {} | {} | {} | {} | {theirs} | {ratio} |\n",
        milliseconds(derive),
        milliseconds(certified),
        milliseconds(checked),
        certificate.len(),
    ))
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.2}", seconds * 1000.0)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The processor seconds of one run of MONA; `None` where it gives no answer. It must find the formula valid.
fn mona(file: &Path) -> Result<Option<f64>, String> {
    // The shell knows what its children took, in hundredths of a second, so that many runs are counted together.
    let script = format!(
        "i=0; while [ $i -lt {REPEATS} ]; do timeout 60 mona -q \"$0\" || exit 1; i=$((i+1)); done; times"
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .arg(file)
        .output()
        .map_err(|error| format!("cannot start bash: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Ok(None);
    }
    let valid = text.lines().filter(|line| *line == "Formula is valid");
    if valid.count() != REPEATS as usize {
        return Err(format!(
            "MONA does not find {} valid: {text}",
            file.display()
        ));
    }
    let last = text.lines().last().unwrap_or_default();
    let times = last.split_whitespace().map(|time| {
        let (minutes, rest) = time.split_once('m')?;
        let seconds: f64 = rest.strip_suffix('s')?.parse().ok()?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds)
    });
    let total: Option<f64> = times.sum();
    let total = total.ok_or_else(|| format!("bash says no times: {last}"))?;
    Ok(Some(total / f64::from(REPEATS)))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 32,
        bytes: 1 << 30,
    })
}

fn automata() -> grundy_automata::Meter<'static> {
    grundy_automata::Meter::new(default_budget())
}

fn subjects() -> Vec<Subject> {
    let heaps = "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    let split = "[n] -> [a] + [n-a] where 1 <= a < n";
    let lasker = format!("[n] -> [n-k] where k >= 1\n{split}");
    let nimhoff = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                   [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < 3";
    vec![
        claimed(
            "nim, 3 heaps",
            heaps,
            "lost [x, y, z] iff x xor y xor z = 0",
        ),
        claimed(
            "Lasker's Nim",
            &lasker,
            "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n",
        ),
        claimed(
            "split only",
            split,
            "grundy [n] = 1 if n > 0 and n mod 2 = 0; 0",
        ),
        claimed(
            "take, or split in three",
            "[n] -> [n-k] where k >= 1\n[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
            "grundy [n] = n + 1 if n mod 8 = 7; n - 1 if n mod 8 = 0 and n > 0; n",
        ),
        e_and_d(),
        periodic("{3,7,10}", "rules {3,7,10}", 0, 45),
        periodic("Kayles", "rules 0.77", 71, 12),
        periodic("Dawson's Kayles", "rules 0.07", 53, 34),
        claimed(
            "cyclic Nimhoff, h = 3",
            nimhoff,
            "grundy [x, y] = 3 * ((x / 3) xor (y / 3)) + (x + y) mod 3",
        ),
        moore("Moore's Nim, 2 of 5", 5, 2),
        moore("Moore's Nim, 3 of 6", 6, 3),
        wythoff(),
    ]
}

fn claimed(name: &'static str, text: &str, claim: &str) -> Subject {
    let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
    let claim = &ruleset.claims[0];
    let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
    let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
    Subject {
        name,
        ruleset: ruleset.clone(),
        game,
        law,
    }
}

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn periodic(name: &'static str, text: &str, start: usize, period: usize) -> Subject {
    let ruleset = rules(text);
    let mut oracle = Oracle::new(&ruleset);
    let value = |n: usize| {
        let heap = Component::of_numbers([n as u64]);
        oracle.grundy_value(&heap, &mut meter()).expect("small")
    };
    let values: Vec<u64> = (0..start + period).map(value).collect();
    let mut claim = "grundy [n] = ".to_owned();
    for (n, value) in values.iter().enumerate() {
        let piece = if n < start {
            write!(claim, "{value} if n = {n}; ")
        } else {
            write!(claim, "{value} if n mod {period} = {}; ", n % period)
        };
        piece.expect("a string takes all that is written to it");
    }
    claim.push('0');
    claimed(name, text, &claim)
}

fn subject(
    name: &'static str,
    text: &str,
    arity: usize,
    says: Says,
    system: NumerationSystem,
    holds: Holds,
) -> Subject {
    let ruleset = rules(text);
    let game = Game::new(&ruleset, arity).expect("decidable rules");
    Subject {
        name,
        ruleset,
        game,
        law: Law {
            says,
            holds,
            system,
        },
    }
}

fn binary() -> NumerationSystem {
    NumerationSystem::base(2).expect("a base")
}

const X: Variable = Variable(0);
const Y: Variable = Variable(1);
const Z: Variable = Variable(2);

/// The value is the least place at which x-1 and y-1 both have the binary digit 0.
fn e_and_d() -> Subject {
    let (q, a, b) = (Variable(11), Variable(12), Variable(13));
    let zero_at = |place| {
        Formula::atom(Atom::DigitAt(0), [a, place]).and(Formula::atom(Atom::DigitAt(0), [b, place]))
    };
    let earlier = Formula::exists([q], Formula::less(q, Z).and(zero_at(q)));
    let least = Formula::atom(Atom::PlaceValue, [Z])
        .and(zero_at(Z))
        .and(earlier.negated());
    let both = Formula::equal(X, a + 1)
        .and(Formula::equal(Y, b + 1))
        .and(least);
    let none = Formula::equal(X, 0).or(Formula::equal(Y, 0));
    let empty = none.and(Formula::equal(Z, 1));
    let law = Formula::exists([a, b], both).or(empty);
    let text = "unordered\n[x, y] -> [a, x-a] where 1 <= a < x, y >= 1";
    let holds = Holds::Formula(law);
    subject("E&D", text, 2, Says::PowerOfValue, binary(), holds)
}

/// Lost iff at each place the binary digits add up to a multiple of `most + 1`: Moore (1910).
fn moore(name: &'static str, heaps: u32, most: u32) -> Subject {
    let encoding = Encoding::new(binary(), DigitOrder::Lsd);
    let alphabet = encoding.alphabet(heaps as usize).expect("few tracks");
    let letters = u32::try_from(alphabet.letters()).expect("few");
    let table = (0..2 * letters)
        .map(|at| u32::from(at >= letters || at.count_ones() % (most + 1) > 0))
        .collect();
    let automaton = Automaton::new(alphabet, table, vec![true, false]).expect("a table");
    let relation = Relation::new(encoding, &automaton, &mut automata()).expect("canonical");
    let text = format!("compound selective up to {most}\n[n] -> [n-k] where k >= 1");
    let says = Says::Lost {
        components: heaps as usize,
    };
    subject(name, &text, 1, says, binary(), Holds::Relation(relation))
}

/// Wythoff (1907), in Zeckendorf's system.
fn wythoff() -> Subject {
    let even = Atom::TrailingZeros {
        remainder: 0,
        modulus: 2,
    };
    let pair = |x, y| Formula::atom(even.clone(), [x]).and(Formula::atom(Atom::Shifted, [x, y]));
    let empty = Formula::equal(X, 0).and(Formula::equal(Y, 0));
    let lost = empty.or(pair(X, Y)).or(pair(Y, X));
    let text = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
    let system = NumerationSystem::zeckendorf();
    let says = Says::Lost { components: 1 };
    subject("Wythoff", text, 2, says, system, Holds::Formula(lost))
}
