//! Nim: take any number of counters from one heap.
//!
//! **What is left may fall apart.** Let every take of 1 or more be allowed that leaves one heap or none, and some that leave
//! more heaps. Then the value of a heap is still its size, and in misère play sums are decided as in Nim. *Proof.* A
//! move replaces n by heaps with fewer counters than n together, and so with a nim-sum below n. So a sum with nim-sum 0 becomes one
//! whose nim-sum is not 0; if it has heaps above 1, it has two, and one of them stays. If all heaps are at most 1, every move takes
//! one of them. From all other sums the moves of Nim are enough. ∎

use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter, Position};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::valued::{Places, Progression, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::outcome::{Evidence, Outcome};
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

/// Takes of any number, after which the heap may fall apart.
pub(super) const FALLING_APART: Family = Family {
    name: "take any number, what is left may fall apart, normal and misère",
    statement: "as Nim: the value of a heap is its size, and misère sums are decided as those of Nim",
    citation: "Bouton 1901, Nim, a game with a complete mathematical theory: no nim-sum exceeds the sum",
    samples: &[
        Sample {
            rules: "[n] -> [a] + [n-k-a] where k >= 1, a >= 0",
            components: Components::Box(&[24]),
            up_to: 3,
        },
        Sample {
            // Fewer moves each, so that more positions can be tried.
            rules: "[n] -> [n-k] where k >= 1; [n] -> [a] + [n-3-a] where a >= 1",
            components: Components::Box(&[31]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; eat: [n] -> [a] + [b] where a + b < n",
            components: Components::Box(&[7]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; rules take-and-break 0.3(37)",
            components: Components::Box(&[7]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where k >= 1; [n] -> [a] + [n-3-a] where a >= 1",
            components: Components::Box(&[7]),
            up_to: 3,
        },
    ],
    recognise: |game| {
        let code = game.shape.code()?;
        let takes = code.head().iter().skip(1).chain(code.repeating());
        let all = code.digit(0) == 0 && !code.repeating().is_empty();
        let is_nim = |digit: &u8| digit & 3 == 3;
        (all && code.most_parts() > 1 && takes.clone().all(is_nim)).then(|| {
            Box::new(Apart {
                play: game.written.play(),
            }) as Box<dyn Knowledge>
        })
    },
};

/// Sums of heaps that may fall apart. Its moves are found by trying them.
struct Apart {
    play: Play,
}

impl Knowledge for Apart {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: FALLING_APART.citation.to_owned(),
        }
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        let normal = self.play == Play::Normal;
        normal.then(|| component.as_heap().cloned()).flatten()
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        component.as_heap().map(|_| Reason::Size)
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        if self.play == Play::Normal {
            return Ok(None);
        }
        let (mut total, mut large) = (BigUint::zero(), false);
        for component in &position.0 {
            let Some(n) = component.as_heap() else {
                return Ok(None);
            };
            total ^= n;
            large |= n.bits() > 1;
        }
        let lost = total.is_zero() == large;
        Ok(Some(if lost { Outcome::P } else { Outcome::N }))
    }
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
