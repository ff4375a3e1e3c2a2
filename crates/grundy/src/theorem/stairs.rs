//! Rows in which what leaves one place arrives at the next.
//!
//! On stairs numbered from 1 counters go from stair j to stair j-1, and from stair 1 out of the game. The
//! value is the nim-sum of the stairs of odd number: a move changes exactly one of these, so it never
//! keeps the nim-sum; and a smaller number of counters on an odd stair is reached by moving down from
//! it. So it is where at most m counters move at a time, with remainders modulo m+1 in place of numbers: what a
//! move brings is not divisible by m+1, and m is enough for any smaller remainder. The differences of a
//! nondecreasing row and the gaps of an increasing one, counted from the right, are such
//! stairs.
//!
//! On a graph without rings counters move along the arrows. Let all ways from a place to any place where no arrow
//! leaves have the same parity. Then each arrow goes between an even and an odd place, and from each odd
//! place one leaves: the proof is the same with the odd places for the odd stairs. That is so for trees
//! with counters moving to the root, and for grids with counters moving up and left to a corner. Where
//! parities differ it is false: with arrows from 1 to 2 and to 3 and from 2 to 3 a counter at 1 is worth 2.

use grundy_rules::ruleset::{ParameterValue, Play};
use grundy_rules::{Component, Item};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

use super::valued::{Places, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

static STAIRCASE: KnownRules =
    KnownRules::new("row a; a[i] -= k, a[i-1] += k where i >= 2, k >= 1; a[1] -= k where k >= 1");
static PEBBLES: KnownRules = KnownRules::new("row a, nondecreasing; a[i] -= k where k >= 1");
static GAPS: KnownRules = KnownRules::new("row a, increasing; a[i] -= k where k >= 1");

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
    recognise: |game| recognise(game, &STAIRCASE, Kind::Staircase, STAIRS.citation),
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
    recognise: |game| recognise(game, &PEBBLES, Kind::Differences, ORDERED.citation),
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
    recognise: |game| recognise(game, &GAPS, Kind::Gaps, PIECES.citation),
};

/// The same games where a move has a bound.
pub(super) const BOUNDED: Family = Family {
    name: "stairs, ordered heaps and pieces, up to m at a time",
    statement: "the value is the nim-sum of the remainders modulo m+1 of the stairs of odd number; stairs \
                are differences or gaps as above",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 3, with remainders in place of \
               numbers",
    samples: &[
        Sample {
            rules: "row a; a[i] -= k, a[i-1] += k where i >= 2, 1 <= k <= 2; \
                    a[1] -= k where 1 <= k <= 2",
            components: Components::Rows { length: 5, most: 3 },
            up_to: 1,
        },
        Sample {
            rules: "row a; down: a[i-1] += k, a[i] -= k where i > 1, 0 < k <= 3; \
                    a[1] -= k where k > 0, k < 4",
            components: Components::Rows { length: 3, most: 6 },
            up_to: 1,
        },
        Sample {
            rules: "row a; a[i] -= k, a[i-1] += k where i >= 2, 1 <= k <= 1; \
                    a[1] -= k where 1 <= k <= 1",
            components: Components::Rows { length: 3, most: 3 },
            up_to: 2,
        },
        Sample {
            rules: "row a, nondecreasing; a[i] -= k where 1 <= k <= 2",
            components: Components::Rows { length: 5, most: 7 },
            up_to: 1,
        },
        Sample {
            rules: "row a, increasing; a[i] -= k where 1 <= k <= 3",
            components: Components::Rows {
                length: 5,
                most: 12,
            },
            up_to: 1,
        },
        Sample {
            rules: "row a, increasing; a[i] -= k where 1 <= k <= 2",
            components: Components::Rows { length: 3, most: 8 },
            up_to: 2,
        },
    ],
    recognise: bounded,
};

/// Counters that move along the arrows of a graph.
pub(super) const GRAPH: Family = Family {
    name: "staircases on trees, grids and other graphs",
    statement: "where no arrows go round and all ways from a place to where no arrow leaves have the same \
                parity, the value is the nim-sum of the counters at odd distance, with a bound m of their \
                remainders modulo m+1",
    citation: "AtCoder Regular Contest 219 D, Grid Game, by the proof of staircase Nim",
    samples: &[
        Sample {
            rules: "game tree(P = (0,1,1,2,4)); row a; a[i] -= k, a[P[i]] += k where k >= 1",
            components: Components::Rows { length: 5, most: 3 },
            up_to: 1,
        },
        Sample {
            rules: "game tree(P = (0,1,1,2), m = 2); row a; a[i] -= k, a[P[i]] += k where 1 <= k <= m",
            components: Components::Rows { length: 4, most: 4 },
            up_to: 1,
        },
        Sample {
            rules: "game grid(E = {(2,1),(3,2),(4,1),(5,2),(5,4),(6,3),(6,5)}, m = 2); row a; \
                    a[i] -= k, a[j] += k where (i, j) in E, 1 <= k <= m",
            components: Components::Rows { length: 6, most: 3 },
            up_to: 1,
        },
        Sample {
            rules: "game grid(E = {(2,1),(3,1),(4,2),(4,3)}); row a; \
                    a[j] += k, a[i] -= k where (i, j) in E, k >= 1",
            components: Components::Rows { length: 4, most: 4 },
            up_to: 1,
        },
        Sample {
            rules: "game two(E = {(1,2),(3,2)}); row a; a[i] -= k, a[j] += k where (i, j) in E, k > 0",
            components: Components::Rows { length: 3, most: 2 },
            up_to: 3,
        },
    ],
    recognise: graph,
};

fn recognise<'g>(
    game: &Game<'g, '_>,
    rules: &KnownRules,
    kind: Kind,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    let same = game.written.play() == Play::Normal && game.written.is(rules);
    same.then(|| stairs(game, kind, None, citation))
}

fn stairs<'g>(
    game: &Game<'g, '_>,
    kind: Kind,
    most: Option<BigUint>,
    citation: &'static str,
) -> Box<dyn Knowledge + 'g> {
    Box::new(Valued {
        ruleset: game.ruleset(),
        values: Stairs { kind, most },
        citation,
    })
}

fn bounded<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    static DOWN: KnownRules = KnownRules::new(
        "game known(m = 2); row a; a[i] -= k, a[i-1] += k where i >= 2, 1 <= k <= m; \
         a[1] -= k where 1 <= k <= m",
    );
    static NONDECREASING: KnownRules =
        KnownRules::new("game known(m = 2); row a, nondecreasing; a[i] -= k where 1 <= k <= m");
    static INCREASING: KnownRules =
        KnownRules::new("game known(m = 2); row a, increasing; a[i] -= k where 1 <= k <= m");
    if game.written.play() != Play::Normal || game.ruleset().row.is_none() {
        return None;
    }
    let known = [
        (&DOWN, Kind::Staircase),
        (&NONDECREASING, Kind::Differences),
        (&INCREASING, Kind::Gaps),
    ];
    known.into_iter().find_map(|(rules, kind)| {
        let most = game.written.with_number(rules)?;
        Some(stairs(game, kind, Some(most), BOUNDED.citation))
    })
}

fn graph<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    // Variables are told apart by the order in which they first stand in a rule.
    static KNOWN: [KnownRules; 6] = [
        KnownRules::new(
            "game known(E = {(1,2)}); row a; a[i] -= k, a[j] += k where (i, j) in E, k >= 1",
        ),
        KnownRules::new(
            "game known(E = {(1,2)}, m = 2); row a; a[i] -= k, a[j] += k where (i, j) in E, 1 <= k <= m",
        ),
        KnownRules::new(
            "game known(E = {(1,2)}); row a; a[j] += k, a[i] -= k where (i, j) in E, k >= 1",
        ),
        KnownRules::new(
            "game known(E = {(1,2)}, m = 2); row a; a[j] += k, a[i] -= k where (i, j) in E, 1 <= k <= m",
        ),
        KnownRules::new("game known(P = (0,1)); row a; a[i] -= k, a[P[i]] += k where k >= 1"),
        KnownRules::new(
            "game known(P = (0,1), m = 2); row a; a[i] -= k, a[P[i]] += k where 1 <= k <= m",
        ),
    ];
    if game.written.play() != Play::Normal || game.ruleset().row.is_none() {
        return None;
    }
    let values = KNOWN
        .iter()
        .find_map(|rules| game.written.with_values(rules))?;
    let arrows = values.iter().find_map(arrows)?;
    let most = values.iter().find_map(|value| match value {
        ParameterValue::Number(m) => m.to_biguint(),
        _ => None,
    });
    Some(stairs(game, Kind::Graph(arrows), most, GRAPH.citation))
}

/// The arrows of a relation, or from each place to the one that a list names; places outside all rows
/// are left out.
fn arrows(value: &ParameterValue) -> Option<Vec<(usize, usize)>> {
    let place = |n: &BigInt| n.to_usize()?.checked_sub(1);
    match value {
        ParameterValue::Relation(tuples) => {
            let pair = |tuple: &Vec<BigInt>| match tuple.as_slice() {
                [from, to] => Some(place(from).zip(place(to))),
                _ => None,
            };
            let pairs: Option<Vec<_>> = tuples.iter().map(pair).collect();
            Some(pairs?.into_iter().flatten().collect())
        }
        ParameterValue::List(next) => {
            let pairs = next.iter().enumerate();
            Some(
                pairs
                    .filter_map(|(from, to)| Some((from, place(to)?)))
                    .collect(),
            )
        }
        ParameterValue::Number(_) | ParameterValue::Set(_) => None,
    }
}

/// What the numbers of a row are.
enum Kind {
    /// Counters on stairs 1, 2, …
    Staircase,
    /// Their differences are.
    Differences,
    /// Their gaps are.
    Gaps,
    /// Counters on the places of a graph, which move along these arrows from one place to another, counted from 0.
    Graph(Vec<(usize, usize)>),
}

struct Stairs {
    kind: Kind,
    /// How many counters may move at a time.
    most: Option<BigUint>,
}

/// The longest row whose moves are written out one by one.
const LONGEST: usize = 1 << 11;

/// A stair of odd number, and the ways to and from it, by their indices.
struct Odd {
    counters: BigUint,
    leaving: Vec<usize>,
    /// With the counters that could arrive.
    arriving: Vec<(usize, BigUint)>,
}

impl Stairs {
    /// The stairs of odd number.
    fn odd(&self, component: &Component) -> Option<Vec<Odd>> {
        let numbers = super::pair::numbers(component)?;
        if let Kind::Graph(arrows) = &self.kind {
            return odd_places(arrows, &numbers);
        }
        let stairs = self.stairs(&numbers)?;
        let odd = stairs.iter().enumerate().step_by(2);
        let odd = odd.map(|(index, counters)| Odd {
            counters: counters.clone(),
            leaving: vec![index],
            arriving: stairs
                .get(index + 1)
                .map(|above| (index + 1, above.clone()))
                .into_iter()
                .collect(),
        });
        Some(odd.collect())
    }

    /// The numbers on the stairs, from stair 1 on.
    fn stairs(&self, numbers: &[&BigUint]) -> Option<Vec<BigUint>> {
        let step = match self.kind {
            Kind::Staircase | Kind::Graph(_) => {
                return Some(numbers.iter().map(|n| (*n).clone()).collect());
            }
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

    /// The row after moving `taken` counters on the way of this index.
    fn after(&self, component: &Component, way: usize, taken: &BigUint) -> Component {
        let mut row = component.clone();
        let mut change = |place: usize, by: &dyn Fn(&BigUint) -> BigUint| {
            if let Item::Number(n) = &mut row.0[place] {
                *n = by(n);
            }
        };
        match &self.kind {
            Kind::Staircase => {
                change(way, &|n| n - taken);
                if way > 0 {
                    change(way - 1, &|n| n + taken);
                }
            }
            Kind::Differences | Kind::Gaps => {
                change(component.0.len() - 1 - way, &|n| n - taken);
            }
            Kind::Graph(arrows) => {
                let (from, to) = arrows[way];
                change(from, &|n| n - taken);
                change(to, &|n| n + taken);
            }
        }
        row
    }

    /// What a number of counters is worth.
    fn worth(&self, counters: &BigUint) -> BigUint {
        match &self.most {
            None => counters.clone(),
            Some(most) => counters % (most + 1u8),
        }
    }

    /// How many counters must leave, and how many arrive, for a stair of this worth to get another one.
    fn needed(&self, worth: &BigUint, wanted: &BigUint) -> (Option<BigUint>, Option<BigUint>) {
        match &self.most {
            None if wanted < worth => (Some(worth - wanted), None),
            None => (None, Some(wanted - worth)),
            Some(most) if wanted > most => (None, None),
            Some(most) => {
                let lap = most + 1u8;
                let leave = (worth + &lap - wanted) % &lap;
                let arrive = &lap - &leave;
                (Some(leave), Some(arrive))
            }
        }
    }
}

/// The places of odd distance from where no arrow leaves; `None` if distances to there differ in parity, or
/// if arrows go round.
fn odd_places(arrows: &[(usize, usize)], numbers: &[&BigUint]) -> Option<Vec<Odd>> {
    let length = numbers.len();
    let within: Vec<(usize, (usize, usize))> = arrows
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, (from, to))| from != to && *from < length && *to < length)
        .collect();
    // Places are done when all places behind their arrows are.
    let mut left = vec![0usize; length];
    let mut arriving = vec![Vec::new(); length];
    for (_, (from, to)) in &within {
        left[*from] += 1;
        arriving[*to].push(*from);
    }
    let mut done: Vec<usize> = (0..length).filter(|place| left[*place] == 0).collect();
    let mut is_odd = vec![false; length];
    let mut seen = vec![false; length];
    let mut next = 0;
    while let Some(&place) = done.get(next) {
        next += 1;
        for &from in &arriving[place] {
            if seen[from] && is_odd[from] == is_odd[place] {
                return None;
            }
            seen[from] = true;
            is_odd[from] = !is_odd[place];
            left[from] -= 1;
            if left[from] == 0 {
                done.push(from);
            }
        }
    }
    if done.len() < length {
        return None;
    }
    let mut all: Vec<Odd> = numbers
        .iter()
        .map(|n| Odd {
            counters: (*n).clone(),
            leaving: Vec::new(),
            arriving: Vec::new(),
        })
        .collect();
    for (way, (from, to)) in within {
        all[from].leaving.push(way);
        all[to].arriving.push((way, numbers[from].clone()));
    }
    let odd = all.into_iter().zip(is_odd).filter(|(_, is_odd)| *is_odd);
    Some(odd.map(|(place, _)| place).collect())
}

impl Values for Stairs {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let odd = self.odd(component)?;
        let worth = odd.iter().map(|stair| self.worth(&stair.counters));
        Some(worth.fold(BigUint::zero(), |sum, n| sum ^ n))
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let odd = self.odd(component)?;
        let odd = odd.iter().map(|stair| self.worth(&stair.counters));
        Some(Reason::Stairs { odd: odd.collect() })
    }

    fn places(&self, component: &Component, value: &BigUint) -> Option<Places> {
        let odd = self.odd(component)?;
        let change = self.value(component)? ^ value;
        if change.is_zero() {
            return Some(Places::These(Vec::new()));
        }
        if component.0.len() > LONGEST {
            return None;
        }
        let mut results = Vec::new();
        for stair in &odd {
            let worth = self.worth(&stair.counters);
            let (leave, arrive) = self.needed(&worth, &(&worth ^ &change));
            if let Some(taken) = leave.filter(|taken| *taken <= stair.counters) {
                let ways = stair.leaving.iter();
                results.extend(ways.map(|way| self.after(component, *way, &taken)));
            }
            if let Some(taken) = arrive {
                let ways = stair.arriving.iter().filter(|(_, above)| taken <= *above);
                results.extend(ways.map(|(way, _)| self.after(component, *way, &taken)));
            }
        }
        Some(Places::These(results))
    }
}
