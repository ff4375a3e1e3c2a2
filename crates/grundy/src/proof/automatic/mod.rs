//! Laws proved and refuted for all sizes by automata that read the digits of numbers.
//!
//! Where rules and a law speak of numbers in linear arithmetic with congruences, bit operations or powers of the base,
//! that the law is the law of the rules is a statement of Büchi arithmetic, which is decidable
//! ([`grundy_automata`]). Here the statements are made from the rules, and decided. Both directions of reading are tried
//! in turns: what is small in one may be exponentially larger in the other.
//!
//! A refutation is a position that the oracle confirms. What the first procedure derives ([`decide`]) is its word. The
//! second one ([`certify`]) shares nothing with it but the law: it searches for invariants of the checker's own
//! obligations, and makes a theorem by a certificate that the checker accepts.

mod certify;
mod classes;
mod exponents;
mod law;
mod links;
mod measure;
mod moves;
mod obligations;
mod onthefly;
mod outside;
mod translate;
mod turns;

use grundy_automata::{Budget, DigitOrder, Encoding, Error, Limit};
use grundy_rules::options::{normalise, numbers};
use grundy_rules::{Component, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::oracle::Oracle;
use crate::outcome::Outcome;

pub use certify::{Certification, certify};
pub(crate) use classes::Classifier;
pub use law::{Holds, Law, Says};
pub use links::links;
pub use moves::Game;
pub(crate) use moves::given;
pub use obligations::{Obligation, option_relations};
pub(crate) use obligations::{permutations, whole};
pub use outside::{Outside, Reason};
pub use turns::{Turn, turns};

use obligations::{Checked, Failure, Shown, check};

/// What became of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All obligations hold: it is the law of the game, if this procedure is right.
    Derived {
        /// The direction of reading in which they were decided.
        order: DigitOrder,
        /// How many states the automaton of the law has.
        states: usize,
    },
    /// It is false for this position, as the oracle confirms.
    Refuted(Refutation),
    /// Neither.
    Undecided(Undecided),
}

/// A position for which a law is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The obligation by which it was found.
    pub obligation: Obligation,
    /// The position.
    pub position: Position,
    /// What is so.
    pub actual: Actual,
}

/// What is so for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actual {
    /// Its Grundy value.
    Value(u64),
    /// Its outcome.
    Outcome(Outcome),
}

/// Why a law is neither derived nor refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// A limit of the automata was reached, or a formula is not of this numeration system.
    Automata(Error),
    /// Nothing shows that play ends.
    NoMeasure,
    /// An obligation is false for this position: the law is false there or below, at a size that the oracle does not
    /// reach, or the exclusive or of exponents was told too roughly.
    Unconfirmed(Obligation, Position),
    /// The checker does not read such rules, or such a law.
    Unreadable(grundy_certificate::Reason),
    /// The checker, or the format of certificates, reached a limit.
    Refused(Box<grundy_certificate::Refusal>),
}

/// The states that both directions may use in turns, before the whole budget.
const TURNS: [usize; 2] = [300, 4_000];
/// The steps that go with a state.
const STEPS_PER_STATE: u64 = 1 << 14;

/// Decides whether a law is the law of a game, for all sizes.
///
/// # Errors
///
/// The clause of the rules that puts this law of theirs outside what automata decide.
pub fn decide(
    ruleset: &Ruleset,
    game: &Game,
    law: &Law,
    automata: &mut grundy_automata::Meter,
    oracle: &mut Meter,
) -> Result<Answer, Outside> {
    game.admits(law.says, &law.system)?;
    let whole = automata.budget();
    let caps = TURNS.into_iter().filter(|states| *states < whole.states);
    let mut last = Error::Limit(Limit::Steps);
    let mut shown = Shown::default();
    for states in caps.chain([whole.states]) {
        let steps = if states == whole.states {
            whole.steps
        } else {
            states as u64 * STEPS_PER_STATE
        };
        for order in [DigitOrder::Msd, DigitOrder::Lsd] {
            let encoding = Encoding::new(law.system.clone(), order);
            let work = |meter: &mut _| check(game, law, encoding, &mut shown, meter);
            let (checked, _) = automata.capped(states, steps, work);
            match checked {
                Ok(Checked::Hold { states }) => return Ok(Answer::Derived { order, states }),
                Ok(Checked::NoMeasure) => return Ok(Answer::Undecided(Undecided::NoMeasure)),
                Ok(Checked::Fails(failure)) => {
                    return Ok(confirm(ruleset, game, law.says, &failure, oracle));
                }
                Err(Error::Limit(limit)) if limit != Limit::Cancelled => {
                    last = Error::Limit(limit);
                }
                Err(error) => return Ok(Answer::Undecided(Undecided::Automata(error))),
            }
        }
    }
    Ok(Answer::Undecided(Undecided::Automata(last)))
}

/// What a proof may cost unless more is asked for.
pub fn default_budget() -> Budget {
    Budget {
        steps: 1 << 30,
        ..Budget::default()
    }
}

/// Components of up to so many are also looked at in other orders.
const MOST_REORDERED: usize = 4;

/// Finds where the law is false: at the position of which an obligation is false, or after one move from it.
fn confirm(
    ruleset: &Ruleset,
    game: &Game,
    says: Says,
    failure: &Failure,
    meter: &mut Meter,
) -> Answer {
    let obligation = failure.obligation;
    let components = failure.numbers.chunks(game.arity.max(1));
    let components = components.map(|numbers| Component::of_numbers(numbers.iter().cloned()));
    let position = Position(components.collect());
    let mut oracle = Oracle::new(ruleset);
    let mut places = vec![position.clone()];
    if let Ok(moves) = grundy_rules::moves::moves(ruleset, &position, meter) {
        for made in moves {
            let after = made.result(&position);
            match says {
                Says::Lost { .. } => places.push(after),
                Says::Value | Says::PowerOfValue => {
                    places.extend(after.0.into_iter().map(|part| Position(vec![part])));
                }
            }
        }
    }
    if let Says::Lost { components } = says {
        // Moves that make the same of a sum are listed once; a law may hold in one order of its components only.
        let orders = permutations(if components <= MOST_REORDERED {
            components
        } else {
            1
        });
        let reordered = |place: &Position| -> Vec<Position> {
            let order = |order: &Vec<usize>| {
                let parts = order.iter().filter_map(|at| place.0.get(*at).cloned());
                Position(parts.collect())
            };
            orders.iter().skip(1).map(order).collect()
        };
        let others: Vec<Position> = places.iter().flat_map(reordered).collect();
        places.extend(others);
    }
    for (at, place) in places.into_iter().enumerate() {
        let parts = place.0.into_iter().map(|part| normalise(ruleset, part));
        let place = Position(parts.collect());
        let Some(mut numbers) = flat(&place) else {
            continue;
        };
        let (actual, agrees) = match says {
            Says::Lost { components } if place.0.len() != components => continue,
            Says::Lost { .. } => {
                let Ok(outcome) = oracle.outcome(&place, meter) else {
                    break;
                };
                let agrees = failure.law.contains(&numbers) == (outcome == Outcome::P);
                (Actual::Outcome(outcome), agrees)
            }
            Says::Value | Says::PowerOfValue => {
                let Ok(value) = oracle.grundy_value(&place.0[0], meter) else {
                    break;
                };
                numbers.push(match says {
                    Says::PowerOfValue => BigUint::from(1u32) << value,
                    _ => value.into(),
                });
                // Two values are wrong even if one of them is right.
                let single = at > 0 || obligation != Obligation::Function;
                (
                    Actual::Value(value),
                    single && failure.law.contains(&numbers),
                )
            }
        };
        if !agrees {
            return Answer::Refuted(Refutation {
                obligation,
                position: place,
                actual,
            });
        }
    }
    Answer::Undecided(Undecided::Unconfirmed(obligation, position))
}

/// All numbers of a position; `None` where it holds a list.
fn flat(position: &Position) -> Option<Vec<BigUint>> {
    let components = position.0.iter().map(numbers);
    let all = components.collect::<Option<Vec<_>>>()?;
    Some(all.into_iter().flatten().cloned().collect())
}
