//! Tables of a game: the value or the outcome of every position in a box.

mod entries;

use grundy_rules::given::{GivenFault, coordinates, prepare};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};

use crate::exhaustive::{Exhaustive, has_kernel};
use crate::law::Sequence;
use crate::oracle::{NoValues, has_independent_components, has_values};
use crate::outcome::{Outcome, Undecided};
use crate::shape::Shape;
use crate::table::{Plan, Quantity, Table, TableError};

pub use entries::{Entries, Holds};

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
    let values = has_values(ruleset);
    if let Some((entries, undecided)) = compiled(ruleset, &area, meter, done) {
        return Tabulation {
            area,
            values,
            undecided,
            entries,
        };
    }
    let holds = match values {
        Ok(()) => Holds::Values,
        Err(_) => Holds::Outcomes,
    };
    let mut entries = Entries::new(holds);
    // Most tables have values below 65534; those with larger ones take far more in the search.
    let bytes = area.places().saturating_mul(2);
    if let Err(limit) = meter.allocate(bytes) {
        return Tabulation {
            area,
            values,
            undecided: Some(Undecided::Limit(limit)),
            entries,
        };
    }
    let mut engine = Exhaustive::new(ruleset);
    let corner = area.position(&area.bounds);
    for component in prepare(ruleset, &corner, meter)
        .iter()
        .flat_map(|position| &position.0)
    {
        engine.expect(component);
    }
    let mut undecided = None;
    for index in 0..area.places() {
        let given = area.position(&area.numbers(index));
        match entry(&mut engine, ruleset, &given, values.is_ok(), meter) {
            Ok(entry) => entries.push(entry),
            Err(reason) => {
                let is_cycle = matches!(reason, Undecided::Cycle(_));
                undecided.get_or_insert(reason);
                if !is_cycle {
                    break;
                }
                entries.push(Entry::Undecided);
            }
        }
        done(index + 1);
    }
    Tabulation {
        area,
        values,
        undecided,
        entries,
    }
}

/// The number of heaps from which on a table is made in stages, so that a limit leaves something.
const STAGES: u64 = 1 << 16;

/// The entries by the compiled engine, if it takes these rules on this box and has the memory.
fn compiled(
    ruleset: &Ruleset,
    area: &Area,
    meter: &mut Meter,
    done: &dyn Fn(u64),
) -> Option<(Entries, Option<Undecided>)> {
    let given_as_they_are = ruleset.starts.is_empty() && !ruleset.unordered;
    if area.form != Form::Component || !given_as_they_are {
        return None;
    }
    let quantity = match has_values(ruleset) {
        Ok(()) => Quantity::Grundy,
        Err(NoValues::Misere) if has_independent_components(ruleset).is_ok() => {
            Quantity::MisereOutcome
        }
        Err(_) => return None,
    };
    let shape = Shape::of(ruleset);
    if has_kernel(ruleset, &shape)
        && let [bound] = area.bounds.as_slice()
    {
        return Some(in_order(ruleset, &shape, *bound, meter, done));
    }
    let plan = Plan::new(ruleset).ok()?;
    let mut stages = vec![area.bounds.clone()];
    if let [bound] = area.bounds.as_slice() {
        stages.extend([bound / 4, bound / 16].map(|stage| vec![stage]));
        stages.retain(|stage| stage[0] == *bound || stage[0] >= STAGES);
        stages.reverse();
    }
    let mut last: Option<Table> = None;
    for bounds in stages {
        match plan.tabulate(&bounds, quantity, meter, &mut |cells| {
            done(cells.min(area.places()));
        }) {
            Ok(table) => {
                if let Some(before) = last.replace(table) {
                    meter.release(before.bytes());
                }
            }
            Err(TableError::Limit(limit @ (Limit::Cancelled | Limit::Steps))) => {
                return Some((
                    listed(last.as_ref(), quantity),
                    Some(Undecided::Limit(limit)),
                ));
            }
            // A search may need less memory.
            Err(_) => return None,
        }
    }
    last.map(|table| (listed(Some(&table), quantity), None))
}

/// The entries of a compiled table; of none, none.
fn listed(table: Option<&Table>, quantity: Quantity) -> Entries {
    let mut entries = Entries::new(match quantity {
        Quantity::Grundy => Holds::Values,
        Quantity::MisereOutcome => Holds::Outcomes,
    });
    for (_, value) in table.into_iter().flat_map(Table::iter) {
        entries.push(match (quantity, value) {
            (Quantity::Grundy, value) => Entry::Value(value),
            (Quantity::MisereOutcome, 0) => Entry::Outcome(Outcome::P),
            (Quantity::MisereOutcome, _) => Entry::Outcome(Outcome::N),
        });
    }
    entries
}

/// How many heaps are computed between two reports of progress.
const PIECE: usize = 1 << 12;

/// The values of heaps one after the other; what was found before a limit stays.
fn in_order(
    ruleset: &Ruleset,
    shape: &Shape,
    bound: u64,
    meter: &mut Meter,
    done: &dyn Fn(u64),
) -> (Entries, Option<Undecided>) {
    let mut sequence = Sequence::new(ruleset, shape);
    let mut undecided = None;
    let count = usize::try_from(bound).map_or(usize::MAX, |bound| bound.saturating_add(1));
    // What all values take is asked for before the first, each in a byte.
    let refused = meter.allocate(count as u64);
    if refused.is_ok() {
        meter.release(count as u64);
    }
    while refused.is_ok() && sequence.values().len() < count {
        let piece = (sequence.values().len() / 8).max(PIECE);
        let end = count.min(sequence.values().len().saturating_add(piece));
        if let Err(reason) = sequence.extend_to(end, meter) {
            undecided = Some(reason);
            break;
        }
        done(end as u64);
    }
    if let Err(limit) = refused {
        undecided = Some(limit.into());
    }
    let mut entries = Entries::new(Holds::Values);
    for value in sequence.values().iter() {
        entries.push(Entry::Value(value));
    }
    (entries, undecided)
}

fn entry(
    engine: &mut Exhaustive,
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
        return engine.outcome(&position, meter).map(Entry::Outcome);
    }
    let mut total = 0;
    for component in &position.0 {
        total ^= engine.grundy_value(component, meter)?;
    }
    Ok(Entry::Value(total))
}
