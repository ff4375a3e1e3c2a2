//! Proofs of digit recursions: that each heap has the value that the law says, or that of a smaller heap.
//!
//! The theorem stands with its proof in `grundy_certificate::automatic`. Its obligations are sufficient, and not necessary: where
//! one fails, the law is neither proved nor refuted.

use grundy_automata::{Error, Limit};
use grundy_certificate::automatic::{
    Automaton, Choice, Language, LinksProof, Numeration, Obligations, Order,
};
use grundy_certificate::{Law, Proof};
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::Zero;

use super::certify::smallest;
use super::classes::Classifier;
use super::onthefly::{Searched, search};
use crate::proof::{Proved, certify};

/// How many heaps show which ones have the value 0.
const LOOKED_AT: u32 = 1 << 11;
/// How many states may tell them.
const MOST_STATES: usize = 64;
/// How far steps between heaps of equal value are joined.
const MOST_DOUBLINGS: u32 = 3;

/// Proves that a digit recursion is the law of a game.
///
/// `None` where the obligations do not hold or limits end the search: that says nothing about the law.
pub fn links(
    ruleset: &Ruleset,
    law: &Law,
    automata: &mut grundy_automata::Meter,
    checker: &mut Meter,
) -> Option<Proved> {
    let values = (0..LOOKED_AT).map(|heap| Some(law.value(&BigUint::from(heap))?.is_zero()));
    let is_zero: Vec<u32> = values
        .map(|is_zero| is_zero.map(u32::from))
        .collect::<Option<_>>()?;
    let systems: Vec<(u32, Order, Option<Automaton>)> = systems(law)
        .into_iter()
        .map(|(base, order)| {
            let zeros = Classifier::learn(&is_zero, base, order, MOST_STATES);
            (base, order, zeros.map(|zeros| zeros.accepting(1)))
        })
        .collect();
    let attempts = (0..=MOST_DOUBLINGS).flat_map(|doublings| {
        let both = [false, true].map(|splits| (doublings, splits));
        let systems = systems.iter();
        systems.flat_map(move |system| both.map(|(doublings, splits)| (system, doublings, splits)))
    });
    let attempts: Vec<_> = attempts.collect();
    // What is false in one base is false in the others.
    let mut refuted: Vec<Choice> = Vec::new();
    for (states, steps) in LIMITS {
        for ((base, order, zeros), doublings, splits) in &attempts {
            let choice = Choice {
                doublings: *doublings,
                splits: *splits,
                zeros: zeros.is_some(),
            };
            if refuted.contains(&choice) {
                continue;
            }
            let language = Language {
                numeration: Numeration::Base(*base),
                order: *order,
                automata: Vec::new(),
            };
            let work = |automata: &mut _| {
                written(ruleset, law, zeros.as_ref(), choice, language, automata)
            };
            match automata.capped(states, steps, work).0 {
                Ok(Attempt::Written(proof)) => {
                    return certify(ruleset, law.clone(), Proof::Links(proof), checker).ok();
                }
                Ok(Attempt::Outside) | Err(Error::Limit(Limit::Cancelled)) => return None,
                Ok(Attempt::Fails) => refuted.push(choice),
                Ok(Attempt::Unreadable) | Err(_) => {}
            }
        }
    }
    None
}

/// In which bases a law may be proved, and from which end: first where digits tell its cases.
fn systems(law: &Law) -> Vec<(u32, Order)> {
    let both = [Order::LeastSignificantFirst, Order::MostSignificantFirst];
    match law {
        Law::Recursion(law) => vec![(law.base, law.order)],
        Law::Pointers(law) => {
            let bases = if law.modulus.is_multiple_of(3) {
                [3, 2]
            } else {
                [2, 3]
            };
            bases
                .into_iter()
                .flat_map(|base| both.map(|order| (base, order)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The states and steps that an attempt may use, in turn: what is proved at all mostly takes few.
const LIMITS: [(usize, u64); 2] = [(4_000, 1 << 22), (16_000, 1 << 23)];

enum Attempt {
    Written(LinksProof),
    /// An obligation is false.
    Fails,
    /// Another base may say what this one cannot.
    Unreadable,
    /// The theorem does not speak of such rules.
    Outside,
}

fn written(
    ruleset: &Ruleset,
    law: &Law,
    zeros: Option<&Automaton>,
    choice: Choice,
    mut language: Language,
    meter: &mut grundy_automata::Meter,
) -> Result<Attempt, Error> {
    let Ok((obligations, automata)) = Obligations::of_links(ruleset, law, choice) else {
        return Ok(Attempt::Outside);
    };
    language.automata = automata;
    language.automata.extend(zeros.cloned());
    let given = language.automata.len();
    for (index, tracks) in obligations.defined().into_iter().enumerate() {
        let Ok(machines) = obligations.definition(index, &language) else {
            return Ok(Attempt::Unreadable);
        };
        let defined = smallest(&machines, tracks, &language, meter)?;
        language.automata.push(defined);
    }
    let Ok(machines) = obligations.machines(&language) else {
        return Ok(Attempt::Unreadable);
    };
    let mut invariants = Vec::with_capacity(machines.len());
    for obligation in &machines {
        match search(obligation, &language, meter)? {
            Searched::Holds(invariant) => invariants.push(invariant),
            Searched::Fails(_) => return Ok(Attempt::Fails),
        }
    }
    let defined = language.automata.split_off(given);
    Ok(Attempt::Written(LinksProof::new(
        language.numeration,
        language.order,
        choice,
        zeros.cloned(),
        defined,
        &invariants,
    )))
}
