//! Tables of a game: the value or the outcome of every position in a box.

mod entries;
mod work;

use grundy_rules::given::coordinates;
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};

use crate::oracle::{NoValues, has_values};
use crate::outcome::{Outcome, Undecided};

pub use entries::{Entries, Holds};
pub use work::{Glance, Way, Work};

/// A box of positions: those whose numbers are each at most its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The largest number at each place.
    pub bounds: Vec<u64>,
    /// What the numbers are.
    pub form: Form,
}

/// What the numbers of a place in a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The coordinates of one component.
    Component,
    /// One heap each, as a sum.
    Heaps,
}

/// Why a game has no table over a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTable {
    /// Its components have other numbers of coordinates.
    Coordinates {
        /// How many bounds were given.
        found: usize,
        /// How many coordinates a component may have.
        admitted: Vec<usize>,
    },
    /// The box has more places than can be counted.
    TooLarge,
}

/// What is known of one place of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The Grundy value.
    Value(u64),
    /// The outcome, where values have no meaning.
    Outcome(Outcome),
    /// No position of the game has these numbers.
    NoPosition,
    /// Not decided; see [`Tabulation::undecided`].
    Undecided,
}

/// The values or outcomes of a game over a box.
#[derive(Clone, Debug)]
pub struct Tabulation {
    /// Where.
    pub area: Area,
    /// Whether the entries are values; if not, they are outcomes, and why.
    pub values: Result<(), NoValues>,
    /// Why the first place that is not decided is not.
    pub undecided: Option<Undecided>,
    /// Those of the places of the box, the last coordinate running fastest; fewer if a limit was
    /// reached.
    pub entries: Entries,
}

impl Area {
    /// The box with these bounds for a game. A box of several bounds over a game of one number
    /// is one of sums of heaps.
    pub fn new(ruleset: &Ruleset, bounds: Vec<u64>) -> Result<Self, NoTable> {
        let places = bounds.iter().try_fold(1u64, |places, bound| {
            bound
                .checked_add(1)
                .and_then(|side| places.checked_mul(side))
        });
        if places.is_none() {
            return Err(NoTable::TooLarge);
        }
        let form = match coordinates(ruleset) {
            None => Form::Component,
            Some(admitted) if admitted.contains(&bounds.len()) => Form::Component,
            Some(admitted) if admitted.contains(&1) && !bounds.is_empty() => Form::Heaps,
            Some(admitted) => {
                return Err(NoTable::Coordinates {
                    found: bounds.len(),
                    admitted: admitted.into_iter().collect(),
                });
            }
        };
        Ok(Self { bounds, form })
    }

    /// How many places it has.
    pub fn places(&self) -> u64 {
        self.bounds.iter().map(|bound| bound + 1).product()
    }

    /// The numbers of the place with this index.
    pub fn numbers(&self, mut index: u64) -> Vec<u64> {
        let mut numbers = vec![0; self.bounds.len()];
        for (number, bound) in numbers.iter_mut().zip(&self.bounds).rev() {
            *number = index % (bound + 1);
            index /= bound + 1;
        }
        numbers
    }

    /// The position with these numbers.
    fn position(&self, numbers: &[u64]) -> Position {
        match self.form {
            Form::Component => Position(vec![Component::of_numbers(numbers.iter().copied())]),
            Form::Heaps => Position(
                numbers
                    .iter()
                    .map(|n| Component::of_numbers([*n]))
                    .collect(),
            ),
        }
    }
}

impl Tabulation {
    /// A table that the memory cannot hold.
    pub fn refused(ruleset: &Ruleset, area: Area, limit: Limit) -> Self {
        let values = has_values(ruleset);
        Self {
            area,
            values,
            undecided: Some(limit.into()),
            entries: Entries::new(work::holds(values)),
        }
    }

    /// The places whose positions are lost for the player about to move.
    pub fn lost(&self) -> impl Iterator<Item = Vec<u64>> {
        let places = 0..self.entries.len();
        let lost = places.filter(|index| self.entries.get(*index).is_lost());
        lost.map(|index| self.area.numbers(index))
    }
}

impl Entry {
    /// Whether the player about to move has lost.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Value(0) | Self::Outcome(Outcome::P))
    }
}

/// The values or outcomes of a game over a box, as far as the meter allows; `done` hears how many
/// places are finished.
///
/// A place from which play need not end is left undecided and the table goes on; at a limit
/// it ends, and keeps what it has. A table that the memory cannot hold is refused before its first
/// place.
pub fn tabulate(
    ruleset: &Ruleset,
    area: Area,
    meter: &mut Meter,
    done: &dyn Fn(u64),
) -> Tabulation {
    let mut work = match Work::new(ruleset, area.clone(), meter) {
        Ok(work) => work,
        Err(limit) => return Tabulation::refused(ruleset, area, limit),
    };
    let mut stopped = None;
    while !work.is_finished() && stopped.is_none() {
        let piece = (work.done() / 8).max(PIECE);
        stopped = work.advance(work.done() + piece, meter).err();
        done(work.done());
    }
    work.finish(stopped)
}

/// How many places are computed between two reports of progress, at least.
const PIECE: u64 = 1 << 8;
