//! Wythoff's game and Fraenkel's generalization: take from one of two heaps, or from both numbers that
//! differ by less than r.
//!
//! Let s be the square root of r² + 4 and α = (2 - r + s) / 2, so that 1/α + 1/(α+r) = 1. All roots
//! are of integers, so every quantity below is a floor of (c + √D) / d with integers c, d and D no
//! square, which is the floor of (c + isqrt(D)) / d.

use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Game, Sample};
use crate::answer::reason::PairFormula;
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

/// Wythoff's theorem, with r = 1, and Fraenkel's.
pub(super) const NORMAL: Family = Family {
    name: "Wythoff's game and its generalization",
    statement: "x <= y is lost iff x = floor(n*alpha) and y = x + r*n for some n >= 0, where \
                alpha = (2 - r + sqrt(r^2 + 4)) / 2",
    citation: "Wythoff 1907, A modification of the game of Nim; Fraenkel 1982, How to beat your \
               Wythoff games' opponent on three fronts",
    samples: &[
        Sample {
            rules: "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
            components: Components::Box(&[50, 50]),
            up_to: 1,
        },
        Sample {
            rules: "a: [x, y] -> [a, y] where a < x; [x, y] -> [x, b] where b < y; \
                    both: [x, y] -> [x-k, y-k] where k > 0",
            components: Components::Box(&[49, 49]),
            up_to: 1,
        },
        Sample {
            rules: "[x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
                    [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < 2",
            components: Components::Box(&[49, 49]),
            up_to: 1,
        },
        Sample {
            rules: "[x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
                    [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(l-k) <= 4",
            components: Components::Box(&[49, 49]),
            up_to: 1,
        },
    ],
    recognise: normal,
};

/// The same with the player who moves last losing.
///
/// For r > 1 the lost pairs are floor(n*alpha + 1/alpha) and r*n + 1 more: by Beatty's theorem for
/// inhomogeneous sequences these, from n = 1 on, hold each number from 2 on once, as 1/(alpha*alpha) +
/// (1 + 1/alpha)/(alpha+r) = 1. For r = 1 only the first two pairs differ from normal play.
pub(super) const MISERE: Family = Family {
    name: "Wythoff's game and its generalization, misère",
    statement: "r = 1: 0,1 and 2,2 are lost in place of 0,0 and 1,2, and nothing else changes; r > 1: \
                x <= y is lost iff x = floor(n*alpha + 1/alpha) and y = x + r*n + 1",
    citation: "Fraenkel 1984, Wythoff games, continued fractions, cedar trees and Fibonacci \
               searches",
    samples: &[
        Sample {
            rules: "play misere; [x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
            components: Components::Box(&[58, 58]),
            up_to: 1,
        },
        Sample {
            rules: "play misere; [x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
                    [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < 2",
            components: Components::Box(&[58, 58]),
            up_to: 1,
        },
        Sample {
            rules: "play misere; [x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
                    [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < 3",
            components: Components::Box(&[58, 58]),
            up_to: 1,
        },
    ],
    recognise: misere,
};

fn normal<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    recognise(game, Play::Normal, NORMAL.citation)
}

fn misere<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    recognise(game, Play::Misere, MISERE.citation)
}

fn recognise<'g>(
    game: &Game<'g, '_>,
    play: Play,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    let written = game.written;
    if written.play() != play {
        return None;
    }
    let r = if written.is(&EQUAL_TAKES) {
        BigUint::one()
    } else {
        let found = NEAR_TAKES
            .iter()
            .find_map(|rules| written.with_number(rules));
        found.filter(|r| !r.is_zero())?
    };
    Some(Box::new(Alone {
        ruleset: game.ruleset(),
        lost: Pairs {
            r: r.into(),
            misere: play == Play::Misere,
        },
        citation,
    }))
}

/// Wythoff's game.
static EQUAL_TAKES: KnownRules =
    KnownRules::new("[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1");

/// Its generalization, in two ways of writing.
static NEAR_TAKES: [KnownRules; 2] = [
    KnownRules::new(
        "game known(r = 2); [x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
         [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < r",
    ),
    KnownRules::new(
        "game known(r = 2); [x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
         [x, y] -> [x-k, y-l] where k >= 1, l >= 1, k - l < r, l - k < r",
    ),
];

/// The lost pairs (A(n), B(n)), n = 0, 1, ….
struct Pairs {
    r: BigInt,
    misere: bool,
}

/// How far the estimates of n can be off: the constants of the formulas move them by less.
const SLACK: u8 = 3;

impl Pairs {
    fn pair(&self, n: &BigInt) -> (BigInt, BigInt) {
        let r = &self.r;
        let square = r * r + 4;
        if !self.misere {
            let root: BigInt = n * n * &square;
            let root = root.sqrt();
            let twice: BigInt = n * (2 - r) + root;
            let a = twice.div_floor(&2.into());
            let b = &a + r * n;
            return (a, b);
        }
        if r.is_one() && *n <= BigInt::one() {
            return if n.is_zero() {
                (0.into(), 1.into())
            } else {
                (2.into(), 2.into())
            };
        }
        if r.is_one() {
            return Self {
                r: r.clone(),
                misere: false,
            }
            .pair(n);
        }
        // n*alpha + 1/alpha = ((2 - r)(r*n - 1) + s(r*n + 1)) / 2r.
        let plus = r * n + 1;
        let root: BigInt = &plus * &plus * &square;
        let root = root.sqrt();
        let a: BigInt = (2 - r) * (r * n - 1) + root;
        let a = a.div_floor(&(2 * r));
        let b = &a + plus;
        (a, b)
    }

    /// Numbers n among which are all for which A(n) or B(n) is `x`.
    fn near(&self, x: &BigInt) -> Vec<BigInt> {
        // 1/alpha = (s + r - 2) / 2r, and 1/(alpha + r) is 1 less that.
        let r = &self.r;
        let root: BigInt = x * x * (r * r + 4);
        let root = root.sqrt();
        let of_a: BigInt = x * (r - 2) + root;
        let of_a = of_a.div_floor(&(2 * r));
        let of_b = x - &of_a;
        let mut all = around(&of_a);
        all.extend(around(&of_b));
        all
    }

    /// The lost pairs in both orders that one of the numbers `n` gives.
    fn pairs(&self, numbers: Vec<BigInt>) -> impl Iterator<Item = (BigInt, BigInt)> {
        numbers.into_iter().flat_map(|n| {
            let (a, b) = self.pair(&n);
            [(a.clone(), b.clone()), (b, a)]
        })
    }

    /// Whether a pair is an option of another.
    fn is_option(&self, of: (&BigInt, &BigInt), pair: (&BigInt, &BigInt)) -> bool {
        let (k, l) = (of.0 - pair.0, of.1 - pair.1);
        match (k.is_zero(), l.is_zero()) {
            (true, true) => false,
            (true, false) => l.is_positive(),
            (false, true) => k.is_positive(),
            (false, false) => k.is_positive() && l.is_positive() && (k - l).abs() < self.r,
        }
    }
}

fn around(n: &BigInt) -> Vec<BigInt> {
    let naturals = (0..=2 * SLACK).map(|d| n + d - SLACK);
    naturals.filter(|n| !n.is_negative()).collect()
}

fn two(component: &Component) -> Option<(BigInt, BigInt)> {
    match numbers(component)?.as_slice() {
        [x, y] => Some(((*x).clone().into(), (*y).clone().into())),
        _ => None,
    }
}

impl Lost for Pairs {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        Ok(two(component).map(|position| {
            let mut pairs = self.pairs(self.near(&position.0));
            pairs.any(|pair| pair == position)
        }))
    }

    /// Each number is in one lost pair, and so is the smaller one of the two.
    fn reason(&self, component: &Component, _: &mut Meter) -> Result<Option<Reason>, Limit> {
        let Some((x, y)) = two(component) else {
            return Ok(None);
        };
        let (small, large) = if x <= y { (x, y) } else { (y, x) };
        let found = self.near(&small).into_iter().find_map(|n| {
            let (a, b) = self.pair(&n);
            (a == small || b == small).then_some((n, a, b))
        });
        let told = found.and_then(|(n, a, b)| {
            let formula = match (self.misere, self.r.is_one()) {
                (true, true) if n <= BigInt::one() => PairFormula::Exception,
                (true, false) => PairFormula::Misere,
                _ => PairFormula::Normal,
            };
            Some(Reason::Pair {
                numbers: [small.to_biguint()?, large.to_biguint()?],
                index: n.to_biguint()?,
                pair: [a.to_biguint()?, b.to_biguint()?],
                r: self.r.to_biguint()?,
                formula,
            })
        });
        Ok(told)
    }

    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let Some((x, y)) = two(component) else {
            return Ok(None);
        };
        let mut numbers = self.near(&x);
        numbers.extend(self.near(&y));
        // A move in both heaps changes the difference by less than r, and that of the n-th pair
        // is about r*n.
        numbers.extend(around(&(&x - &y).abs().div_floor(&self.r)));
        let options = self
            .pairs(numbers)
            .filter(|(p, q)| self.is_option((&x, &y), (p, q)))
            .filter_map(|(p, q)| Some([p.to_biguint()?, q.to_biguint()?]))
            .map(Component::of_numbers);
        Ok(Some(options.collect()))
    }
}
