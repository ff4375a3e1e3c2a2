//! Inputs that find the faults of a program: small ones in order, then harder and larger ones, and
//! the smallest that shows a fault.

pub mod adversary;
mod compare;
mod oracle;
mod shrink;
mod small;
pub mod tape;

use std::collections::{BTreeSet, VecDeque};

use grundy_rules::{Budget, Meter};
use num_traits::ToPrimitive;

pub use compare::{Difference, compare};
pub use oracle::{Expected, Oracle};
pub use shrink::shrink;
pub use small::Small;
pub use tape::Written;

use crate::draw::{Size, draw};
use crate::problem::Problem;

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The statement.
    Sample,
    /// Many rounds of small positions.
    Rounds,
    /// One of all small inputs in order.
    Small,
    /// A simple input in which one number runs through its range.
    Sweep,
    /// Numbers at the ends of what is allowed, and equal ones.
    Edge,
    /// A position that is lost.
    Lost,
    /// A position beside one that is lost.
    Beside,
    /// Drawn at random, of every size.
    Random,
    /// As many rounds or as long lists as are allowed.
    Large,
}

/// An input and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Where it comes from.
    pub origin: Origin,
    /// What a program reads.
    pub input: String,
}

/// Inputs one after the other, each once: the same ones for the same seed.
pub struct Plan<'p> {
    problem: &'p Problem,
    seed: u64,
    shares: VecDeque<(Origin, usize)>,
    small: Small<'p>,
    sweep: Option<Sweep<'p>>,
    waiting: VecDeque<Case>,
    given: BTreeSet<String>,
    drawn: u64,
    barren: u32,
}

/// What making one input may cost.
const MAKING: Budget = Budget {
    steps: 30_000_000,
    bytes: 1 << 28,
};
/// So many inputs in a row that were there before show that there are no others.
const MOST_BARREN: u32 = 200;
/// Inputs of more letters are not compared with later ones.
const SHORT: usize = 1000;

impl<'p> Plan<'p> {
    /// About so many inputs of a problem, beside its samples.
    pub fn new<'s>(
        problem: &'p Problem,
        samples: impl IntoIterator<Item = &'s str>,
        tests: usize,
        seed: u64,
    ) -> Self {
        let samples = samples.into_iter().map(|input| Case {
            origin: Origin::Sample,
            input: input.to_owned(),
        });
        let waiting: VecDeque<Case> = samples.collect();
        let large = (tests / 50).clamp(2, 10).min(tests);
        let hundredth = |part: usize| (tests - large) * part / 100;
        let shares = [
            // Many small positions at once show soon what is wrong with most programs.
            (Origin::Rounds, tests.min(6)),
            (Origin::Edge, tests.min(10)),
            (Origin::Small, hundredth(30)),
            (Origin::Sweep, hundredth(25)),
            (Origin::Edge, hundredth(10)),
            (Origin::Lost, hundredth(15)),
            (Origin::Random, hundredth(20)),
            (Origin::Large, large),
        ];
        Self {
            problem,
            seed,
            shares: shares.into(),
            small: Small::new(problem),
            sweep: None,
            waiting,
            given: BTreeSet::new(),
            drawn: 0,
            barren: 0,
        }
    }

    /// The next input; `oracle` finds the positions that are lost.
    pub fn next(&mut self, oracle: &mut Oracle) -> Option<Case> {
        loop {
            if let Some(case) = self.waiting.pop_front() {
                if case.input.len() > SHORT || self.given.insert(case.input.clone()) {
                    self.barren = 0;
                    return Some(case);
                }
                self.barren += 1;
            }
            if !self.waiting.is_empty() {
                continue;
            }
            let (origin, left) = self.shares.front_mut()?;
            let origin = *origin;
            if *left == 0 || self.barren > MOST_BARREN {
                self.barren = 0;
                self.shares.pop_front();
                continue;
            }
            *left -= 1;
            if !self.make(origin, oracle) {
                self.shares.pop_front();
            }
        }
    }

    /// Makes inputs of an origin; whether there may be more.
    fn make(&mut self, origin: Origin, oracle: &mut Oracle) -> bool {
        let meter = &mut Meter::new(MAKING);
        let drawn = self.drawn;
        self.drawn += 1;
        let seed = self.seed.wrapping_mul(SPREAD).wrapping_add(drawn);
        let size = match origin {
            Origin::Sample => return false,
            Origin::Small => {
                let next = self.small.next();
                return self.take(origin, next);
            }
            Origin::Sweep => {
                let problem = self.problem;
                let next = self.sweep.get_or_insert_with(|| Sweep::new(problem)).next();
                return self.take(origin, next);
            }
            Origin::Lost | Origin::Beside => {
                // A position whose moves are not known makes no input.
                let hard = adversary::hard(self.problem, seed, oracle, meter);
                let hard = hard.unwrap_or_default();
                self.barren += 1;
                let beside = hard.beside.into_iter().map(|input| (Origin::Beside, input));
                let all = hard.lost.map(|input| (Origin::Lost, input));
                let all: Vec<_> = all.into_iter().chain(beside).collect();
                if let Some((_, left)) = self.shares.front_mut() {
                    *left = left.saturating_sub(all.len());
                }
                let cases = all
                    .into_iter()
                    .map(|(origin, input)| Case { origin, input });
                self.waiting.extend(cases);
                return true;
            }
            Origin::Rounds => Size::Rounds(3 << drawn.min(4)),
            Origin::Edge => Size::Edges,
            Origin::Random => match drawn % 4 {
                0 | 1 => Size::Magnitudes,
                _ => Size::Upto(1 + u32::try_from(drawn / 4 % 40).unwrap_or(0)),
            },
            Origin::Large if drawn.is_multiple_of(2) => Size::Many,
            Origin::Large => Size::Long,
        };
        match draw(self.problem, seed, size, meter) {
            Ok(input) => self.waiting.push_back(Case { origin, input }),
            Err(_) => self.barren += 10,
        }
        true
    }

    fn take(&mut self, origin: Origin, written: Option<Written>) -> bool {
        let Some(written) = written else {
            return false;
        };
        self.waiting.push_back(Case {
            origin,
            input: written.text,
        });
        true
    }
}

/// Neighbouring seeds of users draw other inputs.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Simple inputs in each of which one number runs through its range.
struct Sweep<'p> {
    problem: &'p Problem,
    bases: Small<'p>,
    base: Option<Written>,
    place: usize,
    offset: u64,
}

/// How far a number runs.
const FAR: u64 = 160;

impl<'p> Sweep<'p> {
    fn new(problem: &'p Problem) -> Self {
        let mut bases = Small::new(problem);
        let base = bases.next();
        Self {
            problem,
            bases,
            base,
            place: 0,
            offset: 0,
        }
    }
}

impl Iterator for Sweep<'_> {
    type Item = Written;

    fn next(&mut self) -> Option<Written> {
        loop {
            let base = self.base.as_ref()?;
            let Some(choice) = base.choices.get(self.place) else {
                self.base = self.bases.next();
                (self.place, self.offset) = (0, 0);
                continue;
            };
            let counts = base
                .groups
                .iter()
                .any(|group| group.count == Some(self.place));
            let most = choice
                .most
                .as_ref()
                .map_or(FAR, |most| most.to_u64().unwrap_or(FAR));
            if choice.number.is_none() || counts || self.offset > most.min(FAR) {
                self.place += 1;
                self.offset = 0;
                continue;
            }
            let mut offsets = base.offsets();
            offsets[self.place] = self.offset.into();
            self.offset += 1;
            if let Ok(written) = tape::write(self.problem, &offsets, &mut Meter::new(MAKING)) {
                return Some(written);
            }
        }
    }
}
