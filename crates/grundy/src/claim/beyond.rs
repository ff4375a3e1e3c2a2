//! Claims that automata decide: proofs for all positions, and counterexamples of any size.

use grundy_rules::claim::said;
use grundy_rules::options::{keeps_order, normalise};
use grundy_rules::ruleset::{Claim, Piece, Statement};
use grundy_rules::{Component, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::Zero;

use super::{Actual, Claimed, Counterexample, claimed_number};
use crate::oracle::Oracle;
use crate::outcome::Outcome;
use crate::proof::Proved;
use crate::proof::automatic::{
    self, Answer, Certification, Game, Law, Outside, Refutation, Undecided, certify,
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

/// The steps in which a position must be solved that refutes a claim.
const CONFIRMING: u64 = 1 << 24;

/// Decides a claim about positions of any size, where rules and claim are arithmetic that automata read.
///
/// Two procedures are asked that share nothing. The first refutes quickly; the second writes the proof down. A claim about sums is
/// proved where the numbers that it speaks of are the Grundy values. Where they are not, other numbers may do as well;
/// it is refuted by a sum of the component where they differ and of at most two small ones, if there is one.
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
        let confirmed =
            |meter: &mut Meter| automatic::decide(ruleset, &game, &law, automata, meter);
        meter.capped(CONFIRMING, confirmed).0
    };
    let refuted = match automata.capped(budget.states, budget.steps / 2, first).0? {
        Answer::Refuted(found) => Some(found),
        // It is false, though no position is small enough to show it.
        Answer::Undecided(Undecided::Unconfirmed(..)) => None,
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
        (Statement::LostSum(pieces), automatic::Actual::Value(value)) => {
            let [component] = <[Component; 1]>::try_from(found.position.0).ok()?;
            return of_sums(ruleset, claim, pieces, (component, value), meter);
        }
        (Statement::Lost(_), automatic::Actual::Value(_)) => return None,
    };
    Some(Counterexample {
        position: found.position,
        claimed,
        actual,
    })
}

/// How many small components are tried beside the one whose number is wrong.
const MOST_BESIDE: usize = 128;

/// A component, its value, and the number that a claim gives to it.
struct Summand {
    component: Component,
    value: u64,
    claimed: BigUint,
}

/// A sum of a component and of at most two others that a claim about sums is wrong about.
fn of_sums(
    ruleset: &Ruleset,
    claim: &Claim,
    pieces: &[Piece],
    (component, value): (Component, u64),
    meter: &mut Meter,
) -> Option<Counterexample> {
    let number = |component: &Component, meter: &mut Meter| {
        let mut env = claim.bind(ruleset, component, meter).ok()??;
        Some(claimed_number(said(&mut env, pieces, meter).ok()?))
    };
    let outcome = |value: u64| Actual::Outcome(if value == 0 { Outcome::P } else { Outcome::N });
    let claimed = match number(&component, meter)? {
        Ok(claimed) => claimed,
        Err(claimed) => {
            return Some(Counterexample {
                position: Position(vec![component]),
                claimed,
                actual: outcome(value),
            });
        }
    };
    let mut oracle = Oracle::new(ruleset);
    let arity = claim.pattern.items.len();
    let side = (1u64..).take_while(|side| {
        let all = side.checked_pow(u32::try_from(arity).unwrap_or(u32::MAX));
        all.is_some_and(|all| all <= MOST_BESIDE as u64)
    });
    let side = side.last()?;
    let mut beside = Vec::new();
    for at in 0..side.pow(u32::try_from(arity).ok()?) {
        let numbers = (0..arity).scan(at, |rest, _| {
            let number = *rest % side;
            *rest /= side;
            Some(number)
        });
        let component = normalise(ruleset, Component::of_numbers(numbers));
        if !keeps_order(ruleset, &component) {
            continue;
        }
        if let Some(Ok(claimed)) = number(&component, meter)
            && let Ok(value) = oracle.grundy_value(&component, meter)
        {
            beside.push(Summand {
                component,
                value,
                claimed,
            });
        }
    }
    let wrong = Summand {
        component,
        value,
        claimed,
    };
    // Nothing, one, or two beside it.
    let alone = std::iter::once(Vec::new());
    let one = beside.iter().map(|other| vec![other]);
    let two = beside.iter().enumerate().flat_map(|(at, other)| {
        let further = beside[..=at].iter();
        further.map(move |further| vec![further, other])
    });
    for others in alone.chain(one).chain(two) {
        meter.spend(1).ok()?;
        let all = || std::iter::once(&wrong).chain(others.iter().copied());
        let value = all().fold(0, |sum, summand| sum ^ summand.value);
        let claimed = all().fold(BigUint::ZERO, |sum, summand| sum ^ &summand.claimed);
        if (value == 0) != claimed.is_zero() {
            return Some(Counterexample {
                position: Position(all().map(|summand| summand.component.clone()).collect()),
                claimed: Claimed::NimSum(claimed),
                actual: outcome(value),
            });
        }
    }
    None
}
