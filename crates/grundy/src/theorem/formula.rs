//! Games whose values are a formula, for which the moves are found by trying them.

use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter, Position};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::pair::numbers;
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, MoveSet};
use crate::outcome::{Evidence, Outcome};

/// A theorem that gives values, or outcomes of whole positions, and no moves.
struct Formula {
    citation: &'static str,
    value: fn(&Component) -> Option<BigUint>,
    outcome: fn(&Position) -> Option<Outcome>,
}

impl Knowledge for Formula {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: self.citation.to_owned(),
        }
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        (self.value)(component)
    }

    fn moves_to(
        &self,
        _: &Component,
        _: &BigUint,
        _: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        Ok(None)
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        Ok((self.outcome)(position))
    }
}

fn valued<'g>(
    game: &Game<'g, '_>,
    rules: &str,
    citation: &'static str,
    value: fn(&Component) -> Option<BigUint>,
) -> Option<Box<dyn Knowledge + 'g>> {
    let same = game.written.play() == Play::Normal && game.written.is(rules);
    same.then(|| {
        Box::new(Formula {
            citation,
            value,
            outcome: |_| None,
        }) as Box<dyn Knowledge>
    })
}

/// How often 2 divides a number; `None` for 0.
fn twos(n: &BigUint) -> Option<BigUint> {
    n.trailing_zeros().map(BigUint::from)
}

const ALIQUOT_RULES: &str = "[n] -> [n-d] where d | n, d < n";
const DIM_RULES: &str = "[n] -> [n-d] where d | n, n >= 1";

/// Subtract a proper divisor.
pub(super) const ALIQUOT: Family = Family {
    name: "subtract a proper divisor",
    statement: "the value of n is the number of times that 2 divides n",
    citation: "Iannucci and Larsson 2021, Game values of arithmetic functions",
    samples: &[Sample {
        rules: "take: [n] -> [n-d] where d | n, d < n",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        valued(game, ALIQUOT_RULES, ALIQUOT.citation, |component| {
            let n = component.as_heap()?;
            Some(twos(n).unwrap_or_default())
        })
    },
};

/// Subtract any divisor.
pub(super) const DIM: Family = Family {
    name: "subtract a divisor (Dim)",
    statement: "the value of n > 0 is 1 more than the number of times that 2 divides n",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4",
    samples: &[Sample {
        rules: "take: [n] -> [n-d] where d | n, n >= 1",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        valued(game, DIM_RULES, DIM.citation, |component| {
            let n = component.as_heap()?;
            Some(twos(n).map_or_else(BigUint::zero, |twos| twos + 1u8))
        })
    },
};

/// Throw one of two heaps away and split the other.
pub(super) const DISCARD: Family = Family {
    name: "throw one heap away, split the other (E&D)",
    statement: "the value of x, y is the number of ones at the end of (x-1) bor (y-1) in binary",
    citation: "E&D, provincial contest of Shandong 2009 (Luogu P2148), by induction on the last \
               zeros",
    samples: &[
        Sample {
            rules: "unordered; [x, y] -> [a, x-a] where 1 <= a < x",
            components: Components::Box(&[40, 40]),
            up_to: 1,
        },
        Sample {
            rules: "unordered; [x, y] -> [a, x-a] where 1 <= a < x",
            components: Components::Box(&[15, 15]),
            up_to: 2,
        },
    ],
    recognise: |game| {
        valued(
            game,
            "unordered; [x, y] -> [a, x-a] where 1 <= a < x",
            DISCARD.citation,
            |component| match numbers(component)?.as_slice() {
                [x, y] => {
                    // A heap of 0 cannot be split either, and stands for one of 1.
                    let below = |n: &BigUint| if n.is_zero() { n.clone() } else { n - 1u8 };
                    Some(BigUint::from((below(x) | below(y)).trailing_ones()))
                }
                _ => None,
            },
        )
    },
};

/// Turn one, two or three coins.
pub(super) const MOCK_TURTLES: Family = Family {
    name: "Mock Turtles",
    statement: "the value of the coin i, from 0, is 2*i or 2*i+1, whichever has an odd number of ones in \
                binary",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 14",
    samples: &[Sample {
        rules: "[i] -> nothing; [i] -> [j] where j < i; [i] -> [j] + [k] where k < j, j < i",
        components: Components::Box(&[11]),
        up_to: 6,
    }],
    recognise: |game| {
        valued(
            game,
            "[i] -> nothing; [i] -> [j] where j < i; [i] -> [j] + [k] where k < j, j < i",
            MOCK_TURTLES.citation,
            |component| {
                let i = component.as_heap()?;
                Some((i << 1u8) + u8::from(i.count_ones() % 2 == 0))
            },
        )
    },
};

/// Turn neighbouring coins.
pub(super) const RULER: Family = Family {
    name: "Ruler",
    statement: "the value of the coin i, from 0, is the largest power of 2 that divides i+1",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 14",
    samples: &[Sample {
        rules: "[i] -> [j] for j in i-k..i-1 where 0 <= k <= i",
        components: Components::Box(&[11]),
        up_to: 6,
    }],
    recognise: |game| {
        valued(
            game,
            "[i] -> [j] for j in i-k..i-1 where 0 <= k <= i",
            RULER.citation,
            |component| {
                let n = component.as_heap()? + 1u8;
                n.trailing_zeros().map(|zeros| BigUint::one() << zeros)
            },
        )
    },
};

/// Take one counter, or push two heaps together.
pub(super) const MERGE: Family = Family {
    name: "take one, or merge two heaps",
    statement: "let c heaps be of 1, and s the sum of n+1 over the larger heaps, less 1 (0 without \
                any); if s is 0 or 2 the position is lost iff 3 divides c, otherwise iff c and s are even",
    citation: "Alice and Bob, Asia regional contest, Chengdu 2011, with its proof by induction",
    samples: &[
        Sample {
            rules: "take: [n] -> [n-1]; merge: [x] + [y] -> [x+y] where x >= 1, y >= 1",
            components: Components::Box(&[5]),
            up_to: 8,
        },
        Sample {
            rules: "[x] + [y] -> [x+y] where x >= 1, y >= 1; [n] -> [n-1]",
            components: Components::Box(&[33]),
            up_to: 3,
        },
    ],
    recognise: |game| {
        let rules = "[n] -> [n-1]; [x] + [y] -> [x+y] where x >= 1, y >= 1";
        let same = game.written.play() == Play::Normal && game.written.is(rules);
        same.then(|| {
            Box::new(Formula {
                citation: MERGE.citation,
                value: |_| None,
                outcome: merged,
            }) as Box<dyn Knowledge>
        })
    },
};

fn merged(position: &Position) -> Option<Outcome> {
    let (mut ones, mut sum) = (0u64, BigUint::zero());
    for component in &position.0 {
        let n = component.as_heap()?;
        if n.is_one() {
            ones += 1;
        } else if !n.is_zero() {
            sum += n + 1u8;
        }
    }
    if !sum.is_zero() {
        sum -= 1u8;
    }
    let is_lost = match sum.to_u64() {
        Some(0 | 2) => ones.is_multiple_of(3),
        _ => ones.is_multiple_of(2) && !sum.bit(0),
    };
    Some(if is_lost { Outcome::P } else { Outcome::N })
}
