//! Rows in which what leaves one place arrives at the next.
//!
//! On stairs numbered from 1 counters go from stair j to stair j-1, and from stair 1 out of the game. The
//! value is the nim-sum of the stairs of odd number: a move changes exactly one of these, so it never
//! keeps the nim-sum; and a smaller number of counters on an odd stair is reached by moving down from
//! it. The differences of a nondecreasing row and the gaps of an increasing one, counted from the right, are such
//! stairs.

use grundy_rules::{Component, Item};
use num_bigint::BigUint;
use num_traits::Zero;

use super::valued::{Places, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;
use grundy_rules::ruleset::Play;

const STAIRCASE: &str =
    "row a; a[i] -= k, a[i-1] += k where i >= 2, k >= 1; a[1] -= k where k >= 1";
const PEBBLES: &str = "row a, nondecreasing; a[i] -= k where k >= 1";
const GAPS: &str = "row a, increasing; a[i] -= k where k >= 1";

/// Staircase Nim.
pub(super) const STAIRS: Family = Family {
    name: "Staircase Nim",
    statement: "the value is the nim-sum of the stairs of odd number",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 3",
    samples: &[
        Sample {
            rules: "row a; down: a[i] -= k, a[i-1] += k where i >= 2, k >= 1; \
                    out: a[1] -= k where k >= 1",
            components: Components::Rows { length: 5, most: 3 },
            up_to: 1,
        },
        Sample {
            rules: "row a; a[1] -= k where k > 0; a[j-1] += n, a[j] -= n where n >= 1, j > 1",
            components: Components::Rows { length: 3, most: 4 },
            up_to: 2,
        },
    ],
    recognise: |game| recognise(game, STAIRCASE, Kind::Staircase, STAIRS.citation),
};

/// Heaps that stay in nondecreasing order.
pub(super) const ORDERED: Family = Family {
    name: "heaps kept in nondecreasing order",
    statement: "the value is the nim-sum of every second difference of neighbours, the last included",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 3: staircase Nim with the \
               differences",
    samples: &[
        Sample {
            rules: "row a, nondecreasing; a[i] -= k where k >= 1",
            components: Components::Rows { length: 5, most: 6 },
            up_to: 1,
        },
        Sample {
            rules: "row a, nondecreasing; a[i] -= k where k >= 1",
            components: Components::Rows { length: 3, most: 7 },
            up_to: 2,
        },
    ],
    recognise: |game| recognise(game, PEBBLES, Kind::Differences, ORDERED.citation),
};

/// Pieces on different squares that move left without passing one another.
pub(super) const PIECES: Family = Family {
    name: "pieces moving left in order (Georgia and Bob)",
    statement: "the value is the nim-sum of every second gap, the last included",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 3: staircase Nim with the gaps",
    samples: &[
        Sample {
            rules: "row a, increasing; a[i] -= k where k >= 1",
            components: Components::Rows {
                length: 5,
                most: 11,
            },
            up_to: 1,
        },
        Sample {
            rules: "row a, increasing; a[i] -= k where k >= 1",
            components: Components::Rows { length: 3, most: 8 },
            up_to: 2,
        },
    ],
    recognise: |game| recognise(game, GAPS, Kind::Gaps, PIECES.citation),
};

fn recognise<'g>(
    game: &Game<'g, '_>,
    rules: &str,
    kind: Kind,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    let same = game.written.play() == Play::Normal && game.written.is(rules);
    same.then(|| {
        Box::new(Valued {
            ruleset: game.ruleset(),
            values: Stairs(kind),
            citation,
        }) as Box<dyn Knowledge>
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Staircase,
    Differences,
    Gaps,
}

struct Stairs(Kind);

/// The longest row whose moves are written out one by one.
const LONGEST: usize = 1 << 11;

impl Stairs {
    /// The numbers on the stairs, from stair 1 on.
    fn stairs(&self, component: &Component) -> Option<Vec<BigUint>> {
        let numbers = super::pair::numbers(component)?;
        let step = match self.0 {
            Kind::Staircase => return Some(numbers.into_iter().cloned().collect()),
            Kind::Differences => 0u8,
            Kind::Gaps => 1,
        };
        let zero = BigUint::zero();
        let before = std::iter::once(None).chain(numbers.iter().copied().map(Some));
        let pairs = numbers.iter().copied().zip(before);
        let stairs: Option<Vec<BigUint>> = pairs
            .map(|(n, before)| {
                // The first gap is before the first piece, on squares from 0.
                let floor = before.map_or_else(|| zero.clone(), |before| before + step);
                (*n >= floor).then(|| n - floor)
            })
            .collect();
        stairs.map(|mut stairs| {
            stairs.reverse();
            stairs
        })
    }

    /// The row after moving `taken` down from the stair with this index.
    fn after(&self, component: &Component, stair: usize, taken: &BigUint) -> Component {
        let mut row = component.clone();
        let mut change = |place: usize, by: &dyn Fn(&BigUint) -> BigUint| {
            if let Item::Number(n) = &mut row.0[place] {
                *n = by(n);
            }
        };
        match self.0 {
            Kind::Staircase => {
                change(stair, &|n| n - taken);
                if stair > 0 {
                    change(stair - 1, &|n| n + taken);
                }
            }
            Kind::Differences | Kind::Gaps => {
                change(component.0.len() - 1 - stair, &|n| n - taken);
            }
        }
        row
    }
}

impl Values for Stairs {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let stairs = self.stairs(component)?;
        Some(
            stairs
                .iter()
                .step_by(2)
                .fold(BigUint::zero(), |sum, n| sum ^ n),
        )
    }

    fn places(&self, component: &Component, value: &BigUint) -> Option<Places> {
        let stairs = self.stairs(component)?;
        let change = self.value(component)? ^ value;
        if change.is_zero() {
            return Some(Places::These(Vec::new()));
        }
        if stairs.len() > LONGEST {
            return None;
        }
        let mut results = Vec::new();
        for index in (0..stairs.len()).step_by(2) {
            let wanted = &stairs[index] ^ &change;
            if wanted < stairs[index] {
                results.push(self.after(component, index, &(&stairs[index] - wanted)));
            } else if let Some(above) = stairs.get(index + 1) {
                let taken = wanted - &stairs[index];
                if taken <= *above {
                    results.push(self.after(component, index + 1, &taken));
                }
            }
        }
        Some(Places::These(results))
    }
}
