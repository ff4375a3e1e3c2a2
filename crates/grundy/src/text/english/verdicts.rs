//! What became of expectations and claims.

use grundy_rules::ruleset::Ruleset;
use grundy_rules::{Limit, Position};

use super::{Reached, no_values, undecided};
use crate::argument;
use crate::claim::{Actual, ClaimFault, Claimed, Counterexample};
use crate::expect::Failure;
use crate::law::Periodicity;
use crate::outcome::{Outcome, Undecided};

/// How many positions of a list are written out.
const MOST_WRITTEN: usize = 8;

/// How an expectation of a file is wrong.
pub fn failed_expectation(game: &Ruleset, failure: &Failure) -> String {
    let text = |position: &Position| game.position_text(position);
    match failure {
        Failure::NotAPosition { position, .. } => {
            format!("{} is no position of this game", text(position))
        }
        Failure::NoValues(reason) => no_values(*reason).to_owned(),
        Failure::Value {
            position,
            expected,
            actual,
        } => {
            format!(
                "the value of {} is {actual}, not {expected}",
                text(position)
            )
        }
        Failure::Outcome {
            position,
            expected,
            actual,
        } => {
            format!(
                "{} is {}, not {}",
                text(position),
                outcome(*actual),
                outcome(*expected)
            )
        }
        Failure::MoveCount {
            position,
            expected,
            actual,
        } => {
            format!(
                "{} has {actual} winning moves, not {expected}",
                text(position)
            )
        }
        Failure::MoveResults {
            position,
            missing,
            unexpected,
        } => {
            let mut parts = Vec::new();
            if !missing.is_empty() {
                parts.push(format!(
                    "no winning move leads to {}",
                    positions(game, missing)
                ));
            }
            if !unexpected.is_empty() {
                parts.push(format!(
                    "winning moves also lead to {}",
                    positions(game, unexpected)
                ));
            }
            format!("from {}: {}", text(position), parts.join("; "))
        }
        Failure::Law {
            expected,
            actual,
            upto,
        } => {
            let say =
                |law: &Option<Periodicity>| law.as_ref().map_or("no law".to_owned(), law_text);
            format!(
                "the values of heaps 0 to {upto} show {}, not {}",
                say(actual),
                say(expected)
            )
        }
    }
}

fn positions(game: &Ruleset, positions: &[Position]) -> String {
    let mut texts: Vec<String> = positions
        .iter()
        .take(MOST_WRITTEN)
        .map(|position| game.position_text(position))
        .collect();
    if positions.len() > MOST_WRITTEN {
        texts.push(format!("… ({} positions)", positions.len()));
    }
    texts.join("; ")
}

fn law_text(law: &Periodicity) -> String {
    let saltus = match law.saltus {
        0 => String::new(),
        saltus => format!(" saltus {saltus}"),
    };
    format!("period {}{saltus} from {}", law.period, law.preperiod)
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "won",
        Outcome::P => "lost",
        Outcome::Draw => "drawn",
    }
}

/// How many expectations of a game passed, failed and are undecided.
pub fn summary(passed: usize, failed: usize, undecided: usize) -> String {
    let mut parts = vec![format!("{passed} passed")];
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    parts.join(", ")
}

/// What is said of a game without expectations.
pub const NO_EXPECTATIONS: &str = "nothing is expected";

/// That a claim agrees with every position examined.
pub fn agrees(upto: &str, positions: u64) -> String {
    format!(
        "agrees up to {upto} ({positions} positions examined)\n\
         that is no proof: it says nothing about larger positions"
    )
}

/// The first position of which a claim is false.
pub fn refuted(game: &Ruleset, counterexample: &Counterexample) -> String {
    let actual = match &counterexample.actual {
        Actual::Value(value) => format!("has value {value}"),
        Actual::Outcome(actual) => format!("is {}", outcome(*actual)),
    };
    let claimed = match &counterexample.claimed {
        Claimed::Value(value) => format!("the claim says {value}"),
        Claimed::Lost => "the claim says it is lost".to_owned(),
        Claimed::NotLost => "the claim says it is not lost".to_owned(),
        Claimed::NimSum(sum) => format!("the claim's nim-sum is {sum}"),
        Claimed::Negative(number) => format!("the claim says {number}, which is no value"),
        Claimed::Undefined => "the claim's formula has no value there".to_owned(),
        Claimed::NoPiece => "no piece of the claim speaks of it".to_owned(),
    };
    format!(
        "refuted: {} {actual}, and {claimed}",
        game.position_text(&counterexample.position)
    )
}

/// How far a claim agreed before a limit was reached.
pub fn undecided_claim(
    game: &Ruleset,
    why: &Undecided,
    positions: u64,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let why = undecided(std::slice::from_ref(game), why, reached);
    format!("{why}\nit agrees for the first {positions} positions")
}

/// Why a claim cannot be examined.
pub fn claim_fault(game: &Ruleset, fault: &ClaimFault) -> String {
    super::error(&match fault {
        ClaimFault::NoValues(reason) => {
            format!("the claim speaks of values; {}", no_values(*reason))
        }
        ClaimFault::NoSuchComponent(_) => {
            format!(
                "the claim speaks of components that `{}` does not have",
                argument::name(game)
            )
        }
        ClaimFault::Extent { coordinates, found } => {
            format!("the claim has {coordinates} coordinates, and --box has {found}")
        }
    })
}

/// That a game's file states no claim, and none was given.
pub fn no_claims(game: &Ruleset) -> String {
    super::error(&format!(
        "the file of `{}` states no claim, and none was given\n\
         hint: grundy claim lasker 'grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n'",
        argument::name(game)
    ))
}

/// That no game of the catalogue has this in its name or title.
pub fn no_games(word: &str) -> String {
    format!("no game of the catalogue has `{word}` in its name, title or description")
}
