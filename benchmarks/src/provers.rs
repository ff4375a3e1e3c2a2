//! Laws proved for all sizes by both procedures, beside MONA on the obligations that the checker exports.

#[path = "../../crates/grundy/tests/by_hand/mod.rs"]
mod by_hand;

use std::path::Path;
use std::process::Command;

use grundy::proof::Proved;
use grundy::proof::automatic::{Answer, Certification, Game, Holds, Law, Says, certify, decide};
use grundy_automata::{Atom, Formula, NumerationSystem, Variable};
use grundy_certificate::automatic::Prover;
use grundy_certificate::{check, export};
use grundy_rules::{Budget, Meter, Ruleset};

use crate::report::{first_line, median, processor};
use crate::{folder, seconds};

/// How often each side runs.
const REPEATS: u32 = 5;
/// How often MONA runs where it takes no more than a few milliseconds.
const MANY: u32 = 50;

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
         {day}, {cpu}; {rust}, {build}; {mona}. Processor seconds in milliseconds, median of {REPEATS} runs; MONA's are the mean of as many, of {MANY} where it takes less than 50,\n\
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
        match decide(ruleset, game, law, &mut by_hand::automata(), &mut meter()) {
            Ok(Answer::Derived { states: found, .. }) => states = found,
            other => return Err(format!("{name}: {other:?}")),
        }
        derive.push(seconds() - start);
        let start = seconds();
        match certify(ruleset, game, law, &mut by_hand::automata(), &mut meter()) {
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
    let seconds = mona_runs(file, 1)?;
    match seconds {
        Some(seconds) if seconds < 0.05 => mona_runs(file, MANY),
        Some(_) => mona_runs(file, REPEATS),
        None => Ok(None),
    }
}

fn mona_runs(file: &Path, runs: u32) -> Result<Option<f64>, String> {
    // The shell knows what its children took, in thousandths of a second, so that many runs are counted together.
    let script = format!(
        "i=0; while [ $i -lt {runs} ]; do timeout 60 mona -q \"$0\" || exit 1; i=$((i+1)); done; times"
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
    if valid.count() != runs as usize {
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
    Ok(Some(total / f64::from(runs)))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 32,
        bytes: 1 << 30,
    })
}

fn subjects() -> Vec<Subject> {
    let heaps = "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    let [_, _, _, _, lasker, three, split] = by_hand::OF_ONE_HEAP else {
        unreachable!("seven games are listed")
    };
    let [_, takes, kayles, dawson] = by_hand::PERIODIC else {
        unreachable!("four games are listed")
    };
    let nimhoff = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                   [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < 3";
    vec![
        subject(
            "nim, 3 heaps",
            by_hand::NIM,
            1,
            Says::Lost { components: 3 },
            by_hand::base(2),
            Holds::Formula(Formula::atom(Atom::Xor, [0, 1, 2].map(Variable))),
        ),
        claimed(
            "nim, triples",
            heaps,
            "lost [x, y, z] iff x xor y xor z = 0",
        ),
        claimed("Lasker's Nim", lasker.0, lasker.1),
        claimed("split only", split.0, split.1),
        claimed("take, or split in three", three.0, three.1),
        subject(
            "E&D",
            by_hand::E_AND_D,
            2,
            Says::PowerOfValue,
            by_hand::base(2),
            Holds::Formula(by_hand::e_and_d()),
        ),
        periodic("{3,7,10}", *takes),
        periodic("Kayles", *kayles),
        periodic("Dawson's Kayles", *dawson),
        claimed(
            "cyclic Nimhoff, h = 3",
            nimhoff,
            "grundy [x, y] = 3 * ((x / 3) xor (y / 3)) + (x + y) mod 3",
        ),
        moore("Moore's Nim, 2 of 5", 5, 2),
        moore("Moore's Nim, 3 of 6", 6, 3),
        subject(
            "Wythoff",
            &by_hand::wythoff(1),
            2,
            Says::Lost { components: 1 },
            NumerationSystem::zeckendorf(),
            Holds::Formula(by_hand::wythoff_lost()),
        ),
    ]
}

fn claimed(name: &'static str, text: &str, claim: &str) -> Subject {
    let ruleset = by_hand::rules(&format!("{text}\nclaim {claim}\n"));
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

fn periodic(name: &'static str, (text, start, period): (&str, usize, usize)) -> Subject {
    let values = by_hand::oracle_values(text, start + period);
    claimed(name, text, &by_hand::periodic(&values, start))
}

fn subject(
    name: &'static str,
    text: &str,
    arity: usize,
    says: Says,
    system: NumerationSystem,
    holds: Holds,
) -> Subject {
    let ruleset = by_hand::rules(text);
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

fn moore(name: &'static str, heaps: u32, most: u32) -> Subject {
    let says = Says::Lost {
        components: heaps as usize,
    };
    let lost = Holds::Relation(by_hand::moore_lost(heaps, most));
    subject(name, &by_hand::moore(most), 1, says, by_hand::base(2), lost)
}
