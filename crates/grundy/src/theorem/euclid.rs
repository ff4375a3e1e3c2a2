//! Euclid's game: subtract a multiple of one number from the other.

use grundy_rules::Component;
use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

use super::pair::{Alone, Lost, numbers};
use super::valued::{Places, Valued, Values};
use super::{Components, Family, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

/// Whoever reaches zero wins.
///
/// With x < y the ratio y/x is below the golden ratio iff y² - xy - x² is negative: integers decide.
pub(super) const EUCLID: Family = Family {
    name: "Euclid's game",
    statement: "x <= y is lost iff x = 0, or x < y and y/x is below the golden ratio",
    citation: "Cole and Davie 1969, A game based on the Euclidean algorithm and a winning strategy \
               for it",
    samples: &[
        Sample {
            rules: "[x, y] -> [x-k*y, y] where k >= 1, y >= 1; [x, y] -> [x, y-k*x] where k >= 1, x >= 1",
            components: Components::Box(&[79, 79]),
            up_to: 1,
        },
        Sample {
            rules: "[b, a] -> [b, a-b*j] where j > 0, b > 0; [b, a] -> [b-a*j, a] where j > 0, a > 0",
            components: Components::Box(&[69, 69]),
            up_to: 1,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules = KnownRules::new(
            "[x, y] -> [x-k*y, y] where k >= 1, y >= 1; [x, y] -> [x, y-k*x] where k >= 1, x >= 1",
        );
        let same = game.written.play() == Play::Normal && game.written.is(&RULES);
        same.then(|| {
            Box::new(Alone {
                ruleset: game.ruleset(),
                lost: ToZero,
                citation: EUCLID.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

/// Both numbers stay positive.
pub(super) const ABOVE_ZERO: Family = Family {
    name: "Euclid's game, zero forbidden",
    statement: "for positive x and y the value is floor(|x/y - y/x|)",
    citation: "Nivasch 2006, The Sprague-Grundy function of the game Euclid",
    samples: &[
        Sample {
            rules: "[x, y] -> [x-k*y, y] where k >= 1, y >= 1, x-k*y >= 1; \
                    [x, y] -> [x, y-k*x] where k >= 1, x >= 1, y-k*x >= 1",
            components: Components::Box(&[79, 79]),
            up_to: 1,
        },
        Sample {
            rules: "[x, y] -> [x-k*y, y] where k >= 1, y >= 1, x-k*y >= 1; \
                    [x, y] -> [x, y-k*x] where k >= 1, x >= 1, y-k*x >= 1",
            components: Components::Box(&[9, 9]),
            up_to: 2,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules = KnownRules::new(
            "[x, y] -> [x-k*y, y] where k >= 1, y >= 1, x-k*y >= 1; \
             [x, y] -> [x, y-k*x] where k >= 1, x >= 1, y-k*x >= 1",
        );
        let same = game.written.play() == Play::Normal && game.written.is(&RULES);
        same.then(|| {
            Box::new(Valued {
                ruleset: game.ruleset(),
                values: AboveZero,
                citation: ABOVE_ZERO.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

fn two(component: &Component) -> Option<(&BigUint, &BigUint)> {
    match numbers(component)?.as_slice() {
        [x, y] => Some((x, y)),
        _ => None,
    }
}

/// The pair with the larger number, or each if they are equal, replaced by some numbers, in its place.
fn lowered(x: &BigUint, y: &BigUint, to: &[BigUint]) -> Vec<Component> {
    let mut all = Vec::new();
    for new in to {
        if x >= y {
            all.push(Component::of_numbers([new.clone(), y.clone()]));
        }
        if y >= x {
            all.push(Component::of_numbers([x.clone(), new.clone()]));
        }
    }
    all
}

struct ToZero;

fn is_lost(x: &BigUint, y: &BigUint) -> bool {
    let (x, y) = if x <= y { (x, y) } else { (y, x) };
    x.is_zero() || x < y && y * y < x * y + x * x
}

impl Lost for ToZero {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        Ok(two(component).map(|(x, y)| is_lost(x, y)))
    }

    fn reason(&self, component: &Component, _: &mut Meter) -> Result<Option<Reason>, Limit> {
        Ok(two(component).map(|(x, y)| Reason::GoldenRatio {
            small: x.min(y).clone(),
            large: x.max(y).clone(),
        }))
    }

    /// With x <= y only y mod x and x more can be lost: larger ones are at least twice x.
    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        Ok(two(component).map(|(x, y)| {
            let (small, large) = if x <= y { (x, y) } else { (y, x) };
            if small.is_zero() {
                return Vec::new();
            }
            let rest = large % small;
            let left = [rest.clone(), rest + small];
            let fewer = left.into_iter().filter(|n| n < large && is_lost(small, n));
            lowered(x, y, &fewer.collect::<Vec<_>>())
        }))
    }
}

struct AboveZero;

fn value(x: &BigUint, y: &BigUint) -> BigUint {
    if x.is_zero() || y.is_zero() {
        return BigUint::zero();
    }
    let (x, y) = if x <= y { (x, y) } else { (y, x) };
    (y * y - x * x) / (x * y)
}

impl Values for AboveZero {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let (x, y) = two(component)?;
        Some(value(x, y))
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let (x, y) = two(component)?;
        let (small, large) = (x.min(y).clone(), x.max(y).clone());
        (!small.is_zero()).then_some(Reason::Ratio { small, large })
    }

    /// With x <= y the options are y mod x, if it is positive, and j*x more for j below y/x; their values
    /// are j-1 or j for j >= 1.
    fn places(&self, component: &Component, target: &BigUint) -> Option<Places> {
        let (x, y) = two(component)?;
        let (small, large) = if x <= y { (x, y) } else { (y, x) };
        if small.is_zero() {
            return Some(Places::These(Vec::new()));
        }
        let (most, rest) = large.div_rem(small);
        let near = [BigUint::zero(), target.clone(), target + 1u8];
        let mut left: Vec<BigUint> = near
            .into_iter()
            .filter(|j| *j < most)
            .map(|j| &rest + small * j)
            .filter(|n| !n.is_zero() && value(small, n) == *target)
            .collect();
        left.sort();
        left.dedup();
        Some(Places::These(lowered(x, y, &left)))
    }
}
