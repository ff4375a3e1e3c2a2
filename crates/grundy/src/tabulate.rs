//! Tables of a game: the value or the outcome of every position in a box.

use grundy_rules::given::{GivenFault, coordinates, prepare};
use grundy_rules::{Component, Meter, Position, Ruleset};

use crate::oracle::{NoValues, Oracle, has_values};
use crate::outcome::{Outcome, Undecided};

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
    /// Not decided; see [`Table::undecided`].
    Undecided,
}

/// The table of a game over a box.
#[derive(Clone, Debug)]
pub struct Table {
    /// Where.
    pub area: Area,
    /// Whether the entries are values; if not, they are outcomes, and why.
    pub values: Result<(), NoValues>,
    /// Row by row, the last coordinate running fastest. Shorter than the box if a limit was
    /// reached.
    pub entries: Vec<Entry>,
    /// Why the first place that is not decided is not.
    pub undecided: Option<Undecided>,
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

impl Table {
    /// The places whose positions are lost for the player about to move.
    pub fn lost(&self) -> impl Iterator<Item = Vec<u64>> {
        let lost = self
            .entries
            .iter()
            .zip(0..)
            .filter(|(entry, _)| entry.is_lost());
        lost.map(|(_, index)| self.area.numbers(index))
    }
}

impl Entry {
    /// Whether the player about to move has lost.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Value(0) | Self::Outcome(Outcome::P))
    }
}

/// The table of a game over a box, as far as the meter allows; `done` hears how many places
/// are finished.
///
/// A place from which play need not end is left undecided and the table goes on; at a limit
/// it ends, and keeps what it has.
pub fn tabulate(ruleset: &Ruleset, area: Area, meter: &mut Meter, done: &dyn Fn(u64)) -> Table {
    let values = has_values(ruleset);
    let mut oracle = Oracle::new(ruleset);
    let mut table = Table {
        area,
        values,
        entries: Vec::new(),
        undecided: None,
    };
    for index in 0..table.area.places() {
        let given = table.area.position(&table.area.numbers(index));
        let entry = meter
            .allocate(size_of::<Entry>() as u64)
            .map_err(Undecided::Limit)
            .and_then(|()| entry(&mut oracle, ruleset, &given, values.is_ok(), meter));
        match entry {
            Ok(entry) => table.entries.push(entry),
            Err(undecided) => {
                let at_limit = matches!(undecided, Undecided::Limit(_) | Undecided::NotSolved(_));
                table.undecided.get_or_insert(undecided);
                if at_limit {
                    break;
                }
                table.entries.push(Entry::Undecided);
            }
        }
        done(index + 1);
    }
    table
}

fn entry(
    oracle: &mut Oracle,
    ruleset: &Ruleset,
    given: &Position,
    values: bool,
    meter: &mut Meter,
) -> Result<Entry, Undecided> {
    let position = match prepare(ruleset, given, meter) {
        Ok(position) => position,
        Err(GivenFault::Limit(limit)) => return Err(limit.into()),
        Err(_) => return Ok(Entry::NoPosition),
    };
    if !values {
        return oracle.outcome(&position, meter).map(Entry::Outcome);
    }
    let mut total = 0;
    for component in &position.0 {
        total ^= oracle.grundy_value(component, meter)?;
    }
    Ok(Entry::Value(total))
}
