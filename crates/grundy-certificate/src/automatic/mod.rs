//! Laws that a finite automaton reads off the digits.
//!
//! The checker makes the obligations from the ruleset itself, defines addition, order and all other relations by the digits
//! itself, and verifies for each obligation the invariant that the certificate gives. It determinises nothing, minimises nothing
//! and searches for nothing: each entry of an invariant is looked at once.

mod exponents;
mod export;
mod formula;
mod invariant;
mod links;
mod machine;
mod numeration;
mod obligations;
mod play;
mod reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

pub use export::Prover;
pub use invariant::{Invariant, Zero};
pub use links::{Choice, LinksProof};
pub use machine::{Language, Machine, State};
pub use numeration::{Automaton, Numeration, Order};
pub use obligations::{Goal, Obligation, Obligations};

pub(crate) use links::check as check_links;

use crate::certificate::Proof;
use crate::law::Law;
use crate::refusal::{Falsehood, Reason, Stop};

/// What the automaton of a law is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The Grundy value of a component, behind its coordinates.
    Value,
    /// The same with `2^g` in the place of `g`.
    PowerOfValue,
    /// Which positions of so many components are lost.
    Lost {
        /// How many components.
        components: usize,
    },
}

/// A law that an automaton decides, reading the digits of all numbers in parallel.
///
/// Where the rules say that the coordinates of a component have no order, they are read in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonLaw {
    /// What it is about.
    pub says: Says,
    /// How many coordinates a component has.
    pub arity: usize,
    /// How numbers are written.
    pub numeration: Numeration,
    /// Which end comes first.
    pub order: Order,
    /// Accepts what the law says.
    pub automaton: Automaton,
}

impl AutomatonLaw {
    /// How many numbers it relates.
    pub fn tracks(&self) -> usize {
        match self.says {
            Says::Value | Says::PowerOfValue => self.arity + 1,
            Says::Lost { components } => self.arity.saturating_mul(components),
        }
    }

    /// The Grundy value of a heap of any size, if the law is one of values of heaps in a base.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        self.value_of(std::slice::from_ref(heap))
    }

    /// The Grundy value of a component with these coordinates, ascending where they have no order, if the law is one of
    /// values in a base. `None` too where the automaton accepts none: a theorem's always does.
    ///
    /// Follows all states that the automaton can be in, whatever the digits of the value are, and goes back from an
    /// accepting one. The value may have more digits than the coordinates: as many as there are states.
    pub fn value_of(&self, component: &[BigUint]) -> Option<BigUint> {
        let Numeration::Base(base) = self.numeration else {
            return None;
        };
        if component.len() != self.arity || matches!(self.says, Says::Lost { .. }) {
            return None;
        }
        let states = self.automaton.accepting.len();
        let words: Vec<Vec<u8>> = component.iter().map(|n| n.to_radix_le(base)).collect();
        let longest = words.iter().map(Vec::len).max().unwrap_or(0);
        let mut places: Vec<usize> = (0..longest + states).collect();
        if self.order == Order::MostSignificantFirst {
            places.reverse();
        }
        // By place read: how each state was first reached.
        let mut layers: Vec<BTreeMap<u32, (u32, u8)>> = vec![BTreeMap::from([(0, (0, 0))])];
        for place in &places {
            let digit = |word: &Vec<u8>| usize::from(word.get(*place).copied().unwrap_or(0));
            let mut next = BTreeMap::new();
            for state in layers.last()?.keys() {
                let row = words.iter().fold(*state as usize, |row, word| {
                    row * base as usize + digit(word)
                });
                for of_value in 0..u8::try_from(base).ok()? {
                    let at = row * base as usize + usize::from(of_value);
                    let target = *self.automaton.table.get(at)?;
                    next.entry(target).or_insert((*state, of_value));
                }
            }
            layers.push(next);
        }
        let accepts = |state: &&u32| self.automaton.accepting[**state as usize];
        let mut state = *layers.last()?.keys().find(accepts)?;
        let mut digits = vec![0; places.len()];
        for (place, layer) in places.iter().zip(&layers[1..]).rev() {
            let (before, digit) = layer[&state];
            digits[*place] = digit;
            state = before;
        }
        let value = BigUint::from_radix_le(&digits, base)?;
        Some(match self.says {
            Says::PowerOfValue => BigUint::from(value.bits().checked_sub(1)?),
            _ => value,
        })
    }
}

/// What shows that a law of an automaton holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonProof {
    /// The weights of the sums of coordinates by which play ends, compared one after the other.
    pub measures: Vec<Vec<i64>>,
    /// The automata of what is defined on the way.
    pub defined: Vec<Automaton>,
    /// One list for each obligation; what it says depends on the machines.
    pub invariants: Vec<Vec<u64>>,
}

impl AutomatonProof {
    /// A proof with these invariants.
    pub fn new(measures: Vec<Vec<i64>>, defined: Vec<Automaton>, invariants: &[Invariant]) -> Self {
        Self {
            measures,
            defined,
            invariants: invariants.iter().map(Invariant::to_numbers).collect(),
        }
    }
}

/// What must hold of a law of these rules, and the machines' language.
fn obligations(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    proof: &AutomatonProof,
) -> Result<(Obligations, Language), Stop> {
    let obligations = Obligations::new(ruleset, law, &proof.measures)?;
    let tracks = [law.tracks()].into_iter().chain(obligations.defined());
    let automata = [&law.automaton].into_iter().chain(&proof.defined);
    let language = language(
        law.numeration,
        law.order,
        automata.cloned().collect(),
        tracks,
    )?;
    Ok((obligations, language))
}

/// The machines' language, if each automaton is complete and reads as many numbers as it must.
fn language(
    numeration: Numeration,
    order: Order,
    automata: Vec<Automaton>,
    tracks: impl Iterator<Item = usize>,
) -> Result<Language, Stop> {
    let readable =
        numeration.is_valid() && (numeration.is_base() || order == Order::MostSignificantFirst);
    if !readable {
        return Err(Reason::Numeration.into());
    }
    let tracks: Vec<usize> = tracks.collect();
    let complete = |(automaton, tracks): (&Automaton, &usize)| {
        automaton.tracks == *tracks
            && automaton.is_complete(numeration.radix())
            && automaton.ignores_padding(order)
    };
    if automata.len() != tracks.len() || !automata.iter().zip(&tracks).all(complete) {
        return Err(Falsehood::Automaton.into());
    }
    Ok(Language {
        numeration,
        order,
        automata,
    })
}

/// The obligations of a law as text for another prover; that they are true is not verified.
pub(crate) fn export(
    ruleset: &Ruleset,
    law: &Law,
    proof: &Proof,
    prover: Prover,
) -> Result<String, Stop> {
    let (obligations, language) = match (law, proof) {
        (Law::Automaton(law), Proof::Automaton(proof)) => obligations(ruleset, law, proof)?,
        (law, Proof::Links(proof)) => links::obligations(ruleset, law, proof)?,
        _ => return Err(Reason::LawKind.into()),
    };
    Ok(export::export(&obligations, &language, prover)?)
}

/// Verifies that a law is the law of these rules.
pub(crate) fn check(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    proof: &AutomatonProof,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let (obligations, language) = obligations(ruleset, law, proof)?;
    verify(&obligations, &language, &proof.invariants, meter)
}

/// Verifies the invariants of all obligations.
fn verify(
    obligations: &Obligations,
    language: &Language,
    invariants: &[Vec<u64>],
    meter: &mut Meter,
) -> Result<(), Stop> {
    let obligations = obligations.machines(language)?;
    if obligations.len() != invariants.len() {
        return Err(Falsehood::Invariants {
            needed: obligations.len(),
        }
        .into());
    }
    for (number, (obligation, numbers)) in obligations.iter().zip(invariants).enumerate() {
        meter.spend(1 + numbers.len() as u64 / 8)?;
        let invariant = Invariant::from_numbers(numbers, obligation)
            .ok_or(Falsehood::Invariant { obligation: number })?;
        invariant::verify(number, obligation, &invariant, language, meter)?;
    }
    Ok(())
}
