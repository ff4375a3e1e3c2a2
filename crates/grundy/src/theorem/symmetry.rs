//! Games that one player decides by answering alike: by symmetry, or by keeping a parity.
//!
//! **Coins in a ring.** One to k neighbouring coins are taken from a ring of n, later from the lines that are
//! left. For k >= 2 the ring is won iff 1 <= n <= k, and a line iff it is not empty. *Proof.* Who moves in a
//! line of n >= 1 takes its middle, one coin or two, so that equal lines are left; from then on every move in the one
//! is answered in the other. A ring of n > k becomes a line of n-j >= 1, which is won. For k = 1 the players only count. ∎
//!
//! **Two for one.** 2i counters are taken from one of two heaps, i of them are put on the other, and i >= 1 are thrown
//! away. Lost iff |x-y| <= 1. *Proof.* A move changes the difference by 3i. From one of at most 1 it leads to one of at
//! least 2. From d >= 2, where the larger heap gives i = floor((d+1)/3), it leads to one of at most 1; there are so many
//! counters, as 2i <= 2(d+1)/3 <= d. ∎
//!
//! **A piece that steps or leaps.** One step along either axis, or k steps along both. For k = 1 lost iff both
//! coordinates are even. For k >= 2 let x <= y be the coordinates, q = floor(x/(k+1)) and r = x mod (k+1): lost iff r < k and
//! s = x+y+q is even. *Proof.* A step changes the parity of s unless it changes q, which only a step of
//! x from r = 0 does, to a remainder of k. A leap leaves r = 0 and the parity of s if r = k, and otherwise r+1 and the other parity.
//! So if r < k and s is even, every move leads to a remainder of k, or to an odd s. If r = k, the leap leads to a lost
//! position where s is even, and the step of x where it is odd. If r < k and s is odd: where x < y, the step of y leads to
//! a lost position. Where x = y, q is odd, and so a leap is possible: if r > 0 the step of x leads to a lost position, and if r = 0 the leap, to
//! the remainder 1 < k. ∎

use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;
use crate::shape::KnownRules;

fn alone<'g>(
    ruleset: &'g Ruleset,
    lost: impl Lost + 'g,
    citation: &'static str,
) -> Box<dyn Knowledge + 'g> {
    Box::new(Alone {
        ruleset,
        lost,
        citation,
    })
}

fn same<'g>(game: &Game<'g, '_>, rules: &KnownRules) -> Option<&'g Ruleset> {
    let same = game.written.play() == Play::Normal && game.written.is(rules);
    same.then(|| game.ruleset())
}

/// The rules with the number that they have for the parameter of a known game.
fn with_number<'g>(game: &Game<'g, '_>, rules: &KnownRules) -> Option<(&'g Ruleset, BigUint)> {
    let normal = game.written.play() == Play::Normal;
    let number = normal.then(|| game.written.with_number(rules)).flatten()?;
    (!number.is_zero()).then(|| (game.ruleset(), number))
}

/// Rings of up to so many coins, of which up to so many are taken. Each number of coins costs as many options as it is
/// large times what may be taken, so a few large rings would cost what many smaller ones do.
macro_rules! ring {
    ($most:literal, $coins:literal) => {
        Sample {
            rules: concat!(
                "start [n] as [n, 1]; [n, 1] -> [n-j, 0] where 1 <= j <= ",
                $most,
                "; [n, 0] -> [a, 0] + [n-j-a, 0] where 1 <= j <= ",
                $most,
                ", a >= 0"
            ),
            components: Components::Box(&[$coins]),
            up_to: 1,
        }
    };
}

/// Take some neighbouring coins of a ring.
pub(super) const COIN_RING: Family = Family {
    name: "take 1 to k neighbouring coins of a ring",
    statement: "a ring of n coins is won iff 1 <= n <= k, for k = 1 iff n is odd",
    citation: "Dudeney 1907, The Canterbury Puzzles, no. 73: answer alike in equal lines",
    samples: &[
        Sample {
            rules: "start [n] as [n, 1]; [n, 0] -> [a, 0] + [b, 0] where 1 <= n-a-b <= 1; \
                    [n, 1] -> [n-1, 0]",
            components: Components::Box(&[600]),
            up_to: 1,
        },
        ring!(1, 2700),
        ring!(2, 1650),
        ring!(3, 1100),
        ring!(4, 820),
        ring!(5, 660),
        ring!(6, 550),
        ring!(7, 470),
        ring!(8, 410),
        ring!(9, 366),
        ring!(10, 330),
        ring!(11, 300),
        ring!(12, 275),
    ],
    recognise: |game| {
        static RULES: KnownRules = KnownRules::new(
            "game known(k = 2); start [n] as [n, 1]; [n, 1] -> [n-j, 0] where 1 <= j <= k; \
             [n, 0] -> [a, 0] + [n-j-a, 0] where 1 <= j <= k, a >= 0",
        );
        let (ruleset, most) = with_number(game, &RULES)?;
        Some(alone(ruleset, Ring { most }, COIN_RING.citation))
    },
};

struct Ring {
    most: BigUint,
}

impl Lost for Ring {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        let numbers = numbers(component);
        Ok(match numbers.as_deref() {
            Some([n, kind]) if kind.is_one() && self.most.is_one() => Some(n.is_even()),
            Some([n, kind]) if kind.is_one() => Some(n.is_zero() || **n > self.most),
            _ => None,
        })
    }

    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let numbers = numbers(component);
        Ok(match numbers.as_deref() {
            Some([n, kind]) if kind.is_one() && !n.is_zero() => {
                let left = if self.most.is_one() {
                    *n - 1u8
                } else {
                    BigUint::zero()
                };
                Some(vec![Component::of_numbers([left, BigUint::zero()])])
            }
            _ => None,
        })
    }
}

/// Take counters from one heap, and put half of them on the other.
pub(super) const TWO_FOR_ONE: Family = Family {
    name: "take 2i from one of two heaps, put i on the other",
    statement: "x, y is lost iff |x-y| <= 1",
    citation: "AtCoder Regular Contest 72 B 2017, Alice and Brown, with a proof by the difference",
    samples: &[Sample {
        rules: "[x, y] -> [x+i, y-2*i] | [x-2*i, y+i] where i >= 1",
        components: Components::Box(&[105, 105]),
        up_to: 1,
    }],
    recognise: |game| {
        static RULES: KnownRules =
            KnownRules::new("[x, y] -> [x-2*i, y+i] | [x+i, y-2*i] where i >= 1");
        Some(alone(same(game, &RULES)?, TwoForOne, TWO_FOR_ONE.citation))
    },
};

struct TwoForOne;

impl Lost for TwoForOne {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        let numbers = numbers(component);
        Ok(match numbers.as_deref() {
            Some([x, y]) => Some((*x).max(*y) - (*x).min(*y) <= BigUint::one()),
            _ => None,
        })
    }

    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let numbers = numbers(component);
        let Some([x, y]) = numbers.as_deref() else {
            return Ok(None);
        };
        let given = ((*x).max(*y) - (*x).min(*y) + 1u8) / 3u8;
        if given.is_zero() {
            return Ok(Some(Vec::new()));
        }
        let (less, more) = ((*x).max(*y) - 2u8 * &given, (*x).min(*y) + given);
        let left = if x > y { [less, more] } else { [more, less] };
        Ok(Some(vec![Component::of_numbers(left)]))
    }
}

/// Move a piece one step along an axis, or k steps along both.
pub(super) const CORNER_PIECE: Family = Family {
    name: "one step along either axis, or k along both",
    statement: "x <= y is lost iff x mod (k+1) < k and x + y + floor(x/(k+1)) is even; for k = 1 iff both are even",
    citation: "Codeforces 36 D 2010, New Game with a Chess Piece, with a proof by parity",
    samples: &[
        Sample {
            rules: "[x, y] -> [x-1, y] | [x, y-1] | [x-2, y-2]",
            components: Components::Box(&[60, 60]),
            up_to: 1,
        },
        Sample {
            rules: "[x, y] -> [x-1, y-1]; [x, y] -> [x-1, y]; [x, y] -> [x, y-1]",
            components: Components::Box(&[40, 40]),
            up_to: 1,
        },
        Sample {
            rules: "game g(q = 5); [x, y] -> [x-q, y-q] | [x-1, y] | [x, y-1]",
            components: Components::Box(&[75, 75]),
            up_to: 1,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules =
            KnownRules::new("game known(k = 2); [x, y] -> [x-1, y] | [x, y-1] | [x-k, y-k]");
        let (ruleset, leap) = with_number(game, &RULES)?;
        Some(alone(ruleset, Leaper { leap }, CORNER_PIECE.citation))
    },
};

struct Leaper {
    leap: BigUint,
}

impl Leaper {
    fn loses(&self, x: &BigUint, y: &BigUint) -> bool {
        if self.leap.is_one() {
            return x.is_even() && y.is_even();
        }
        let (stripe, rest) = x.min(y).div_rem(&(&self.leap + 1u8));
        rest < self.leap && (x + y + stripe).is_even()
    }
}

impl Lost for Leaper {
    fn is_lost(&self, component: &Component, _: &mut Meter) -> Result<Option<bool>, Limit> {
        let numbers = numbers(component);
        Ok(match numbers.as_deref() {
            Some([x, y]) => Some(self.loses(x, y)),
            _ => None,
        })
    }

    fn lost_options(
        &self,
        component: &Component,
        _: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let numbers = numbers(component);
        let Some([x, y]) = numbers.as_deref() else {
            return Ok(None);
        };
        let (none, one) = (BigUint::zero(), BigUint::one());
        let steps = [(&one, &none), (&none, &one), (&self.leap, &self.leap)];
        let lost = steps.into_iter().filter_map(|(across, up)| {
            let (x, y) = (*x >= across && *y >= up).then(|| (*x - across, *y - up))?;
            self.loses(&x, &y).then(|| Component::of_numbers([x, y]))
        });
        Ok(Some(lost.collect()))
    }
}
