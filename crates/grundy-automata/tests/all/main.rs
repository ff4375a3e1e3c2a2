//! Automata held against plain arithmetic on small numbers, and known results proved anew.

#![allow(
    clippy::many_single_char_names,
    reason = "variables of formulas have the names that they have on paper"
)]

use grundy_automata::{Budget, DigitOrder, Encoding, Meter, NumerationSystem, Relation};
use num_bigint::BigUint;

mod arithmetic;
mod automata;
mod counting;
mod formulas;
mod known;
mod numerals;
mod obligations;

fn base(k: u32) -> NumerationSystem {
    NumerationSystem::base(k).expect("a base")
}

fn ostrowski(first: &[u32], cycle: &[u32]) -> NumerationSystem {
    NumerationSystem::ostrowski(first, cycle).expect("quotients")
}

/// Systems of every kind, also with quotients that vary.
fn systems() -> Vec<NumerationSystem> {
    vec![
        base(2),
        base(3),
        base(4),
        base(6),
        base(8),
        base(10),
        NumerationSystem::zeckendorf(),
        NumerationSystem::pell(),
        NumerationSystem::wythoff(2).expect("a step"),
        NumerationSystem::wythoff(3).expect("a step"),
        ostrowski(&[], &[3]),
        ostrowski(&[], &[2, 1]),
        ostrowski(&[3, 1], &[2, 1, 4]),
        ostrowski(&[2, 5, 1], &[1, 3]),
    ]
}

/// Every system read from both ends.
fn encodings() -> Vec<Encoding> {
    let both = |system: NumerationSystem| {
        [DigitOrder::Msd, DigitOrder::Lsd].map(|order| Encoding::new(system.clone(), order))
    };
    systems().into_iter().flat_map(both).collect()
}

/// Whether places far up are made in different ways: congruences are then large, most significant digit first.
fn is_large(encoding: &Encoding) -> bool {
    let cycle = encoding
        .system
        .as_ostrowski()
        .map_or(0, |(_, cycle)| cycle.len());
    cycle > 1 && encoding.order == DigitOrder::Msd
}

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn numbers(tuple: &[u64]) -> Vec<BigUint> {
    tuple.iter().map(|&n| BigUint::from(n)).collect()
}

/// All tuples of numbers below a bound.
fn tuples(tracks: usize, bound: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..tracks {
        all = all
            .iter()
            .flat_map(|tuple| {
                (0..bound).map(|n| {
                    let mut longer = tuple.clone();
                    longer.push(n);
                    longer
                })
            })
            .collect();
    }
    all
}

/// Checks a relation on all tuples of small numbers, and that it is one: canonical, and blind to padding.
#[track_caller]
fn agrees(relation: &Relation, bound: u64, holds: impl Fn(&[u64]) -> bool) {
    let encoding = relation.encoding();
    for tuple in tuples(relation.tracks(), bound) {
        assert_eq!(
            relation.contains(&numbers(&tuple)),
            holds(&tuple),
            "{tuple:?} in {encoding}"
        );
    }
    let again = Relation::new(encoding.clone(), relation.automaton(), &mut meter());
    assert_eq!(again.as_ref(), Ok(relation), "{encoding}");
}
