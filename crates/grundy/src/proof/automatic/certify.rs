//! From a law to a theorem: invariants of the checker's own obligations, found on the fly and written down.

use grundy_automata::{Alphabet, DigitOrder, Encoding, Error, Limit, NumerationSystem, Relation};
use grundy_certificate::automatic::{
    Automaton, AutomatonLaw, AutomatonProof, Goal, Language, Machine, Numeration, Obligations,
    Order, Says as Said,
};
use grundy_certificate::{Law as Certified, Proof, Refusal};
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use super::law::{Law, Says};
use super::moves::Game;
use super::obligations::{Failure, Obligation, Shown, law_relations, measures};
use super::onthefly::{Searched, determinised, search};
use super::outside::Outside;
use super::{Answer, Refutation, STEPS_PER_STATE, TURNS, Undecided, confirm};
use crate::proof::Proved;

/// What became of a law that was to be certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certification {
    /// The checker accepts it.
    Proved(Box<Proved>),
    /// It is false for this position, as the oracle confirms.
    Refuted(Refutation),
    /// Neither.
    Undecided(Undecided),
}

/// Decides on the fly whether a law is the law of a game, and has the checker accept the proof.
///
/// Both orders of digits are tried under growing limits; of two certificates that come within the same limit the smaller
/// one is kept.
///
/// # Errors
///
/// The clause of the rules that puts this law of theirs outside what automata decide.
pub fn certify(
    ruleset: &Ruleset,
    game: &Game,
    law: &Law,
    automata: &mut grundy_automata::Meter,
    checker: &mut Meter,
) -> Result<Certification, Outside> {
    game.admits(law.says, &law.system)?;
    let whole = automata.budget();
    let caps = TURNS.into_iter().filter(|states| *states < whole.states);
    let orders: &[DigitOrder] = if law.system.as_base().is_some() {
        &[DigitOrder::Lsd, DigitOrder::Msd]
    } else {
        &[DigitOrder::Msd]
    };
    let mut last = Undecided::Automata(Error::Limit(Limit::Steps));
    let mut shown = Shown::default();
    for states in caps.chain([whole.states]) {
        let steps = if states == whole.states {
            whole.steps
        } else {
            states as u64 * STEPS_PER_STATE
        };
        let mut best: Option<Written> = None;
        for order in orders {
            let encoding = Encoding::new(law.system.clone(), *order);
            let work = |meter: &mut grundy_automata::Meter| {
                written(ruleset, game, law, &encoding, &mut shown, meter)
            };
            match automata.capped(states, steps, work).0 {
                Ok(Attempt::Written(written)) => {
                    let smaller = |best: &Written| best.size() > written.size();
                    if best.as_ref().is_none_or(smaller) {
                        best = Some(written);
                    }
                }
                Ok(Attempt::Fails(failure)) => {
                    let answer = confirm(ruleset, game, law.says, &failure, checker);
                    return Ok(match answer {
                        Answer::Refuted(refutation) => Certification::Refuted(refutation),
                        Answer::Undecided(undecided) => Certification::Undecided(undecided),
                        Answer::Derived { .. } => unreachable!("a failure is no derivation"),
                    });
                }
                Ok(Attempt::Undecided(undecided)) => {
                    return Ok(Certification::Undecided(undecided));
                }
                Err(Error::Limit(Limit::Cancelled)) => {
                    let cancelled = Undecided::Automata(Error::Limit(Limit::Cancelled));
                    return Ok(Certification::Undecided(cancelled));
                }
                Err(error) => last = Undecided::Automata(error),
            }
        }
        if let Some(Written { law, proof }) = best {
            let law = Certified::Automaton(law);
            let proof = Proof::Automaton(proof);
            return Ok(match crate::proof::certify(ruleset, law, proof, checker) {
                Ok(proved) => Certification::Proved(Box::new(proved)),
                Err(Refusal::False(falsehood)) => {
                    unreachable!("the checker refuses what its own obligations say: {falsehood:?}")
                }
                // Limits of the checker, or of the format.
                Err(refusal) => Certification::Undecided(Undecided::Refused(Box::new(refusal))),
            });
        }
    }
    Ok(Certification::Undecided(last))
}

struct Written {
    law: AutomatonLaw,
    proof: AutomatonProof,
}

impl Written {
    /// About how long the certificate will be.
    fn size(&self) -> usize {
        self.proof.invariants.iter().map(Vec::len).sum()
    }
}

enum Attempt {
    Written(Written),
    Fails(Failure),
    Undecided(Undecided),
}

/// How the checker writes numbers in a numeration system; `None` if it cannot.
fn numeration(system: &NumerationSystem) -> Option<Numeration> {
    if let Some(base) = system.as_base() {
        return Some(Numeration::Base(base));
    }
    let (first, [factor]) = system.as_ostrowski()? else {
        return None;
    };
    let before = match first {
        [] => 0,
        [first] if *first == factor + 1 => 1,
        _ => return None,
    };
    Some(Numeration::Recurrence {
        factor: *factor,
        before,
    })
}

/// The automaton of a relation, in the checker's words.
fn automaton(relation: &Relation) -> Automaton {
    Automaton {
        tracks: relation.tracks(),
        table: relation.automaton().table().to_vec(),
        accepting: relation.automaton().accepting().to_vec(),
    }
}

/// Writes a law and its proof down, for one order of digits.
fn written(
    ruleset: &Ruleset,
    game: &Game,
    law: &Law,
    encoding: &Encoding,
    shown: &mut Shown,
    meter: &mut grundy_automata::Meter,
) -> Result<Attempt, Error> {
    let Some(numeration) = numeration(&law.system) else {
        return Err(Error::System);
    };
    let Some(measures) = measures(game, encoding, meter)? else {
        return Ok(Attempt::Undecided(Undecided::NoMeasure));
    };
    let relations = law_relations(game, law, encoding, shown, meter)?;
    let law = AutomatonLaw {
        says: match law.says {
            Says::Value => Said::Value,
            Says::PowerOfValue => Said::PowerOfValue,
            Says::Lost { components } => Said::Lost { components },
        },
        arity: game.arity,
        numeration,
        order: match encoding.order {
            DigitOrder::Msd => Order::MostSignificantFirst,
            DigitOrder::Lsd => Order::LeastSignificantFirst,
        },
        automaton: automaton(&relations.given),
    };
    let unreadable = |reason| Ok(Attempt::Undecided(Undecided::Unreadable(reason)));
    let obligations = match Obligations::new(ruleset, &law, &measures) {
        Ok(obligations) => obligations,
        Err(reason) => return unreadable(reason),
    };
    let mut language = Language {
        numeration,
        order: law.order,
        automata: vec![law.automaton.clone()],
    };
    for (index, tracks) in obligations.defined().into_iter().enumerate() {
        let machines = match obligations.definition(index, &language) {
            Ok(machines) => machines,
            Err(reason) => return unreadable(reason),
        };
        let defined = smallest(&machines, tracks, &language, meter)?;
        language.automata.push(defined);
    }
    let machines = match obligations.machines(&language) {
        Ok(machines) => machines,
        Err(reason) => return unreadable(reason),
    };
    let mut invariants = Vec::with_capacity(machines.len());
    for obligation in &machines {
        match search(obligation, &language, meter)? {
            Searched::Holds(invariant) => invariants.push(invariant),
            Searched::Fails(word) => {
                let which = match obligation.goal {
                    Goal::Ends => return Ok(Attempt::Undecided(Undecided::NoMeasure)),
                    Goal::Total => Obligation::Total,
                    Goal::Function => Obligation::Function,
                    Goal::Excluded => Obligation::Excluded,
                    Goal::Covered => Obligation::Covered,
                    Goal::Stable => Obligation::Stable,
                    Goal::Absorbing => Obligation::Absorbing,
                    Goal::Endings => Obligation::Endings,
                    Goal::Defined => unreachable!("what is defined is defined so"),
                };
                return Ok(Attempt::Fails(Failure {
                    obligation: which,
                    numbers: numbers(encoding, &word, obligation.position),
                    law: relations.whole,
                }));
            }
        }
    }
    let defined = language.automata.split_off(1);
    let proof = AutomatonProof::new(measures, defined, &invariants);
    Ok(Attempt::Written(Written { law, proof }))
}

/// The smallest automaton that accepts what one of some machines does, for some further numbers.
pub(super) fn smallest(
    machines: &[(Machine, usize)],
    tracks: usize,
    language: &Language,
    meter: &mut grundy_automata::Meter,
) -> Result<Automaton, Error> {
    let whole = determinised(machines, tracks, language, meter)?;
    let alphabet = Alphabet::uniform(language.numeration.radix(), tracks)?;
    let whole = grundy_automata::Automaton::new(alphabet, whole.table, whole.accepting)?;
    let smallest = whole.minimise(meter)?;
    Ok(Automaton {
        tracks,
        table: smallest.table().to_vec(),
        accepting: smallest.accepting().to_vec(),
    })
}

/// The numbers on the first tracks of a word.
fn numbers(encoding: &Encoding, word: &[Vec<u32>], tracks: usize) -> Vec<BigUint> {
    let on = |track: usize| {
        let mut digits: Vec<u32> = word.iter().map(|letter| letter[track]).collect();
        if encoding.order == DigitOrder::Lsd {
            digits.reverse();
        }
        encoding.system.number(&digits)
    };
    (0..tracks).map(on).collect()
}
