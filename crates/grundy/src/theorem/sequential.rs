//! Sequential Nim: take from the first heap that is left.
//!
//! Let R be the value of the row without its first heap. The options of x, … are that row and the rows
//! with 1 to x-1 in front; so with 1, 2, … in front the values are the naturals other than R, in order: x-1 while
//! x-1 < R, and x from there on. A row that begins with an empty heap has no move.

use grundy_rules::Component;
use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::pair::{Alone, Lost, numbers};
use super::valued::{Places, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

static RULES: KnownRules = KnownRules::new(
    "row a; [x, r..] -> [x-k, r..] where 1 <= k < x; [x, r..] -> [r..] where x >= 1",
);

/// Values in normal play.
pub(super) const NORMAL: Family = Family {
    name: "Sequential Nim",
    statement: "with R the value of the other heaps, a first heap of x makes the value x-1 if \
                x-1 < R, and x otherwise",
    citation: "Stromquist and Ullman 1993, Sequential compounds of combinatorial games",
    samples: &[
        Sample {
            rules: "row a; [x, r..] -> [x-k, r..] where 1 <= k < x; [x, r..] -> [r..] where x >= 1",
            components: Components::Rows { length: 6, most: 4 },
            up_to: 1,
        },
        Sample {
            rules: "row a; all: [x, r..] -> [r..] where x > 0; [x, r..] -> [y, r..] where 1 <= y, y < x",
            components: Components::Rows { length: 3, most: 4 },
            up_to: 2,
        },
    ],
    recognise: |game| {
        let same = game.written.play() == Play::Normal && game.written.is(&RULES);
        same.then(|| {
            Box::new(Valued {
                ruleset: game.ruleset(),
                values: Sequential,
                citation: NORMAL.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

/// Outcomes in misère play.
pub(super) const MISERE: Family = Family {
    name: "Sequential Nim, misère",
    statement: "one row is lost iff it begins with an odd number of heaps of 1, and no more of \
                them",
    citation: NORMAL.citation,
    samples: &[Sample {
        rules: "row a; play misere; [x, r..] -> [x-k, r..] where 1 <= k < x; \
                [x, r..] -> [r..] where x >= 1",
        components: Components::Rows { length: 6, most: 4 },
        up_to: 1,
    }],
    recognise: |game: &Game| {
        let same = game.written.play() == Play::Misere && game.written.is(&RULES);
        same.then(|| {
            Box::new(Alone {
                ruleset: game.ruleset(),
                lost: Sequential,
                citation: MISERE.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

struct Sequential;

fn value(row: &[&BigUint]) -> BigUint {
    row.iter().rev().fold(BigUint::zero(), |rest, x| {
        if x.is_zero() {
            return BigUint::zero();
        }
        let below = *x - 1u8;
        if below < rest { below } else { (*x).clone() }
    })
}

fn with_first(first: BigUint, rest: &[&BigUint]) -> Component {
    Component::of_numbers(std::iter::once(first).chain(rest.iter().copied().cloned()))
}

/// The most heaps of a row whose values are told one by one.
const MOST_TOLD: usize = 12;

impl Values for Sequential {
    fn value(&self, component: &Component) -> Option<BigUint> {
        Some(value(&numbers(component)?))
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let row = numbers(component)?;
        let from = |place: usize| (row[place].clone(), value(&row[place..]));
        let values = (0..row.len()).rev().take(MOST_TOLD).map(from);
        Some(Reason::FromTheEnd {
            values: values.collect(),
            row: row.len(),
        })
    }

    fn places(&self, component: &Component, target: &BigUint) -> Option<Places> {
        let numbers = numbers(component)?;
        let Some((first, rest)) = numbers.split_first().filter(|(x, _)| !x.is_zero()) else {
            return Some(Places::These(Vec::new()));
        };
        let others = value(rest);
        let result = if *target == others {
            Some(Component::of_numbers(rest.iter().copied().cloned()))
        } else {
            let front = if *target < others {
                target + 1u8
            } else {
                target.clone()
            };
            (front < **first).then(|| with_first(front, rest))
        };
        Some(Places::These(result.into_iter().collect()))
    }
}

impl Sequential {
    /// A row without moves is won. A heap of 1 passes the turn; from a larger one the mover
    /// leaves the others, or the others behind a 1, whichever is lost.
    fn is_lost(row: &[&BigUint]) -> bool {
        row.iter().rev().fold(false, |rest, x| x.is_one() && !rest)
    }
}

impl Lost for Sequential {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        Ok(numbers(component).map(|row| Self::is_lost(&row)))
    }

    fn reason(&self, component: &Component, _: &mut Meter) -> Result<Option<Reason>, Limit> {
        Ok(numbers(component).map(|row| Reason::OnesAtStart {
            ones: row.iter().take_while(|x| x.is_one()).count(),
        }))
    }

    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        Ok(numbers(component).map(|row| match row.split_first() {
            Some((first, rest)) if !first.is_zero() => {
                let others = Component::of_numbers(rest.iter().copied().cloned());
                if Self::is_lost(rest) {
                    vec![others]
                } else if first.bits() > 1 {
                    vec![with_first(BigUint::one(), rest)]
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        }))
    }
}
