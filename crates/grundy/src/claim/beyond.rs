//! Claims that automata decide: proofs for all positions, and counterexamples of any size.

use grundy_rules::claim::said;
use grundy_rules::ruleset::{Claim, Statement};
use grundy_rules::{Meter, Ruleset};

use super::{Actual, Claimed, Counterexample, claimed_number};
use crate::outcome::Outcome;
use crate::proof::Proved;
use crate::proof::automatic::{
    self, Answer, Certification, Game, Law, Outside, Refutation, certify,
};

/// What automata make of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// It is so for every position: the checker accepted a certificate that says it.
    Proved(Box<Proved>),
    /// It is not so for this position, as exhaustive search confirms. It need not be the smallest.
    Refuted(Counterexample),
    /// Neither was found within the limits.
    Neither,
}

/// Decides a claim about positions of any size, where rules and claim are arithmetic that automata read.
///
/// Two procedures are asked that share nothing. The first refutes quickly; the second writes the proof down. A claim about sums is
/// proved where the numbers that it speaks of are the Grundy values; it is not refuted in this way.
///
/// # Errors
///
/// The clause that is outside what automata decide.
pub fn beyond(
    ruleset: &Ruleset,
    claim: &Claim,
    automata: &mut grundy_automata::Meter,
    meter: &mut Meter,
) -> Result<Beyond, Outside> {
    let game = Game::new(ruleset, claim.pattern.items.len())?;
    let law = Law::of_claim(ruleset, claim, &game)?;
    let budget = automata.budget();
    let first = |automata: &mut grundy_automata::Meter| {
        automatic::decide(ruleset, &game, &law, automata, meter)
    };
    let refuted = match automata.capped(budget.states, budget.steps / 2, first).0? {
        Answer::Refuted(found) => Some(found),
        Answer::Derived { .. } | Answer::Undecided(_) => {
            match certify(ruleset, &game, &law, automata, meter)? {
                Certification::Proved(proved) => return Ok(Beyond::Proved(proved)),
                Certification::Refuted(found) => Some(found),
                Certification::Undecided(_) => None,
            }
        }
    };
    let counterexample = refuted.and_then(|found| counterexample(ruleset, claim, found, meter));
    Ok(counterexample.map_or(Beyond::Neither, Beyond::Refuted))
}

/// What a refutation says against the claim.
fn counterexample(
    ruleset: &Ruleset,
    claim: &Claim,
    found: Refutation,
    meter: &mut Meter,
) -> Option<Counterexample> {
    let (claimed, actual) = match (&claim.statement, found.actual) {
        (Statement::Grundy(pieces), automatic::Actual::Value(value)) => {
            let bound = claim.bind(ruleset, &found.position.0[0], meter);
            let Ok(Some(mut env)) = bound else {
                return None;
            };
            let Ok(said) = said(&mut env, pieces, meter) else {
                return None;
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
        (_, automatic::Actual::Value(_)) => return None,
    };
    Some(Counterexample {
        position: found.position,
        claimed,
        actual,
    })
}
