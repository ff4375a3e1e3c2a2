//! Nim: take any number of counters from one heap.

use grundy_rules::Component;
use num_bigint::{BigInt, BigUint};

use super::valued::{Places, Progression, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::Code;

/// Bouton's theorem: the value of a heap is its size.
pub(super) const NIM: Family = Family {
    name: "Nim, normal and misère",
    statement: "a sum is lost iff the nim-sum of the heaps is 0; in misère play iff it is 0 and \
                some heap is above 1, or all are at most 1 and an odd number of them are 1",
    citation: "Bouton 1901, Nim, a game with a complete mathematical theory",
    samples: &[
        Sample {
            rules: "[n] -> [n-k] where k >= 1",
            components: Components::Box(&[11]),
            up_to: 5,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[11]),
            up_to: 5,
        },
        Sample {
            rules: "play misere; a: [n] -> [m] where m < n; b: [n] -> [n-1]",
            components: Components::Box(&[9]),
            up_to: 3,
        },
    ],
    recognise,
};

fn recognise<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    let any = game.shape.code().and_then(Code::as_all_but)?;
    any.is_empty().then(|| {
        Box::new(Valued {
            ruleset: game.ruleset(),
            values: Sizes,
            citation: NIM.citation,
        }) as Box<dyn Knowledge>
    })
}

struct Sizes;

impl Values for Sizes {
    fn value(&self, component: &Component) -> Option<BigUint> {
        component.as_heap().cloned()
    }

    fn are_sizes(&self) -> bool {
        true
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        component.as_heap().map(|_| Reason::Size)
    }

    fn places(&self, _: &Component, value: &BigUint) -> Option<Places> {
        let value = BigInt::from(value.clone());
        Some(Places::Heaps(Box::new(move |low, high| {
            let inside = *low <= value && value <= *high;
            let heap = inside.then(|| Progression::one(value.clone()));
            Some(heap.into_iter().collect())
        })))
    }
}
