//! Counterexamples of any size.

use grundy_rules::claim::said;
use grundy_rules::ruleset::{Claim, Statement};
use grundy_rules::{Meter, Ruleset};

use super::{Actual, Claimed, Counterexample, claimed_number};
use crate::outcome::Outcome;
use crate::proof::automatic::{self, Answer, Game, Law, Outside};

/// Looks for a counterexample of any size, where rules and claim are arithmetic that automata decide.
///
/// `None` where none was found within the limits; that is no proof. What is found was confirmed by exhaustive search.
/// It need not be the smallest. That a claim about sums fails is not found in this way.
///
/// # Errors
///
/// The clause that is outside what automata decide.
pub fn beyond(
    ruleset: &Ruleset,
    claim: &Claim,
    automata: &mut grundy_automata::Meter,
    meter: &mut Meter,
) -> Result<Option<Counterexample>, Outside> {
    if matches!(claim.statement, Statement::LostSum(_)) {
        return Ok(None);
    }
    let game = Game::new(ruleset, claim.pattern.items.len())?;
    let law = Law::of_claim(ruleset, claim, &game)?;
    let answer = automatic::decide(ruleset, &game, &law, automata, meter)?;
    let Answer::Refuted(found) = answer else {
        return Ok(None);
    };
    let (claimed, actual) = match (&claim.statement, found.actual) {
        (Statement::Grundy(pieces), automatic::Actual::Value(value)) => {
            let bound = claim.bind(ruleset, &found.position.0[0], meter);
            let Ok(Some(mut env)) = bound else {
                return Ok(None);
            };
            let Ok(said) = said(&mut env, pieces, meter) else {
                return Ok(None);
            };
            let claimed = claimed_number(said).map_or_else(|claimed| claimed, Claimed::Value);
            (claimed, Actual::Value(value.into()))
        }
        (_, automatic::Actual::Outcome(outcome)) => {
            let claimed = if outcome == Outcome::P {
                Claimed::NotLost
            } else {
                Claimed::Lost
            };
            (claimed, Actual::Outcome(outcome))
        }
        (_, automatic::Actual::Value(_)) => return Ok(None),
    };
    Ok(Some(Counterexample {
        position: found.position,
        claimed,
        actual,
    }))
}
