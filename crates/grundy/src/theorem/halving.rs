//! Take one counter, or replace an even heap by k heaps of half its size.
//!
//! **k even.** The k heaps are worth 0 together, so the values are those of a game with that option: 0, 1, 2, and then 0 for odd
//! and 1 for even heaps.
//!
//! **k odd.** The k heaps are worth one of them. The heaps 0 to 4 are worth 0, 1, 0, 1, 2. Of n >= 5 the odd ones are worth
//! 0, as their only option, n-1, is not: an even heap n-1 >= 6 has the option n-2 >= 5 of value 0. So an even
//! n >= 6 is worth 2 if n/2 is worth 1, and otherwise 1. ∎

use grundy_rules::Component;
use grundy_rules::ruleset::Play;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::formula::Formula;
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;
use crate::shape::KnownRules;

/// Take one, or halve into k.
pub(super) const HALVING: Family = Family {
    name: "take one, or replace an even heap by k halves",
    statement: "for even k the values are 0, 1, 2, 0, 1, 0, 1, …; for odd k they are 0, 1, 0, 1, 2, and from 5 on 0 for odd n, \
                2 for even n with g(n/2) = 1, and 1 for the others",
    citation: "Codeforces 603 C 2015, Lieges of Legendre, with a proof by induction",
    samples: &[
        Sample {
            rules: "[n] -> [n-1]; [n] -> 2 of [n/2] where n mod 2 = 0, n >= 2",
            components: Components::Box(&[70]),
            up_to: 2,
        },
        Sample {
            rules: "[n] -> 3 of [n/2] where n >= 2, n mod 2 = 0; [n] -> [n-1]",
            components: Components::Box(&[90]),
            up_to: 2,
        },
        Sample {
            rules: "[n] -> 5 of [n/2] where n mod 2 = 0, n >= 2; [n] -> [n-1]",
            components: Components::Box(&[34]),
            up_to: 3,
        },
    ],
    recognise,
};

fn recognise<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    static RULES: KnownRules = KnownRules::new(
        "game known(k = 2); [n] -> [n-1]; [n] -> k of [n/2] where n mod 2 = 0, n >= 2",
    );
    let normal = game.written.play() == Play::Normal;
    let heaps = normal.then(|| game.written.with_number(&RULES)).flatten()?;
    (!heaps.is_zero()).then(|| {
        Box::new(Formula {
            ruleset: game.ruleset(),
            citation: HALVING.citation,
            value: if heaps.is_even() { even } else { odd },
            reason: |_| None,
            moves: None,
        }) as Box<dyn Knowledge>
    })
}

fn even(component: &Component) -> Option<BigUint> {
    let n = component.as_heap()?;
    let value = match n.to_u8() {
        Some(n @ 0..=2) => n,
        _ => u8::from(n.is_even()),
    };
    Some(value.into())
}

fn odd(component: &Component) -> Option<BigUint> {
    // Down to a heap that is odd or small, and back.
    let mut n = component.as_heap()?.clone();
    let mut halvings = 0_u64;
    while n.bits() > 2 && n.is_even() && n.to_u8() != Some(4) {
        n >>= 1u8;
        halvings += 1;
    }
    let mut value = match n.to_u8() {
        Some(n @ 0..=4) => [0_u8, 1, 0, 1, 2][usize::from(n)],
        _ => 0,
    };
    for _ in 0..halvings {
        value = if value == 1 { 2 } else { 1 };
    }
    Some(value.into())
}
