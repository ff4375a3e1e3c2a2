//! A table in the making: work that can be stopped, kept and gone on with.

use grundy_rules::given::{GivenFault, prepare};
use grundy_rules::{Limit, Meter, Position, Ruleset};

use super::{Area, Entries, Entry, Form, Holds, Tabulation};
use crate::exhaustive::{Exhaustive, has_kernel};
use crate::law::{Periodicity, Sequence};
use crate::oracle::{NoValues, has_independent_components, has_values};
use crate::outcome::{Outcome, Undecided};
use crate::shape::Shape;
use crate::table::{Filling, Plan, Quantity};

/// A table that is computed piece by piece.
///
/// What it has found can be asked for at any time as numbers ([`Work::news`]); another run that is
/// given these ([`Work::restore`]) goes on behind them and ends with the same table.
pub struct Work<'g> {
    ruleset: &'g Ruleset,
    area: Area,
    values: Result<(), NoValues>,
    engine: Engine<'g>,
    /// Up to where [`Work::news`] has told.
    told: u64,
}

/// In which way a table is computed, which decides what its numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The values of heaps in order.
    Heaps,
    /// The values of heaps in order, each with sets of values of sums of heaps.
    Sums,
    /// The cells of a box that holds all that the places of the table can reach.
    Cells,
    /// The places of the table in order, each searched for.
    Places,
}

enum Engine<'g> {
    Heaps(Box<Sequence<'g>>),
    Cells(Box<Filling>),
    Places(Box<Places<'g>>),
}

struct Places<'g> {
    search: Exhaustive<'g>,
    entries: Entries,
    /// Why the first place that is not decided is not.
    undecided: Option<Undecided>,
}

/// What values show while they are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The largest value so far.
    pub largest: u64,
    /// How many heaps are rare, where a sparse space is in use.
    pub rares: Option<u64>,
    /// The law that the values so far show.
    pub law: Option<Periodicity>,
}

impl<'g> Work<'g> {
    /// Work of which nothing is done.
    ///
    /// # Errors
    ///
    /// If the memory cannot hold the table.
    pub fn new(ruleset: &'g Ruleset, area: Area, meter: &mut Meter) -> Result<Self, Limit> {
        let values = has_values(ruleset);
        let engine = match quick(ruleset, &area, meter) {
            Some(engine) => engine,
            None => {
                // Most tables have values below 65534; those with larger ones take far more in
                // the search.
                meter.allocate(area.places().saturating_mul(2))?;
                let mut search = Exhaustive::new(ruleset);
                let corner = area.position(&area.bounds);
                let corner = prepare(ruleset, &corner, meter);
                for component in corner.iter().flat_map(|position| &position.0) {
                    search.expect(component);
                }
                Engine::Places(Box::new(Places {
                    search,
                    entries: Entries::new(holds(values)),
                    undecided: None,
                }))
            }
        };
        Ok(Self {
            ruleset,
            area,
            values,
            engine,
            told: 0,
        })
    }

    /// The same with so many threads where there is work for several: see [`Sequence::with_threads`].
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        if let Engine::Heaps(sequence) = self.engine {
            self.engine = Engine::Heaps(Box::new(sequence.with_threads(threads)));
        }
        self
    }

    /// In which way it is computed.
    pub fn way(&self) -> Way {
        match &self.engine {
            Engine::Heaps(sequence) if sequence.tells_values_only() => Way::Heaps,
            Engine::Heaps(_) => Way::Sums,
            Engine::Cells(_) => Way::Cells,
            Engine::Places(_) => Way::Places,
        }
    }

    /// How much work there is in all, at most.
    pub fn total(&self) -> u64 {
        match &self.engine {
            Engine::Heaps(_) | Engine::Places(_) => self.area.places(),
            Engine::Cells(filling) => filling.cells(),
        }
    }

    /// How much of it is done.
    pub fn done(&self) -> u64 {
        match &self.engine {
            Engine::Heaps(sequence) => sequence.values().len() as u64,
            Engine::Cells(filling) => filling.done(),
            Engine::Places(places) => places.entries.len(),
        }
    }

    /// Whether all of it is.
    pub fn is_finished(&self) -> bool {
        match &self.engine {
            Engine::Cells(filling) => filling.is_finished(),
            _ => self.done() == self.total(),
        }
    }

    /// Works until so much is done.
    ///
    /// A place from which play need not end is left undecided, and the work goes on.
    ///
    /// # Errors
    ///
    /// At a limit; what is done stays.
    pub fn advance(&mut self, until: u64, meter: &mut Meter) -> Result<(), Undecided> {
        let until = until.min(self.total());
        match &mut self.engine {
            Engine::Heaps(sequence) => {
                let count = usize::try_from(until).map_err(|_| Limit::Bytes)?;
                sequence.extend_to(count, meter)
            }
            Engine::Cells(filling) => Ok(filling.fill(until, meter, &mut |_| ())?),
            Engine::Places(places) => {
                while places.entries.len() < until {
                    let numbers = self.area.numbers(places.entries.len());
                    let given = self.area.position(&numbers);
                    places.next(self.ruleset, &given, self.values.is_ok(), meter)?;
                }
                Ok(())
            }
        }
    }

    /// What was found since the last call, as numbers.
    pub fn news(&mut self) -> Vec<u64> {
        let told = self.told;
        self.told = self.done();
        match &mut self.engine {
            Engine::Heaps(sequence) => {
                let told = usize::try_from(told).expect("it is in the memory");
                sequence.told_since(told)
            }
            Engine::Cells(filling) => filling.news(),
            Engine::Places(places) => {
                let entries = &places.entries;
                let places = told..entries.len();
                places
                    .map(|place| entries.code(entries.get(place)))
                    .collect()
            }
        }
    }

    /// Takes the numbers that other work on the same table has told, where nothing is done yet.
    ///
    /// # Errors
    ///
    /// At a limit, and if there are more numbers than the table has places, or such as it cannot have.
    pub fn restore(&mut self, numbers: &[u64], meter: &mut Meter) -> Result<(), Undecided> {
        let total = self.total();
        let most = usize::try_from(total).unwrap_or(usize::MAX);
        match &mut self.engine {
            Engine::Heaps(sequence) => sequence.restore(numbers, most, meter)?,
            _ if numbers.len() > most => return Err(Limit::Bytes.into()),
            Engine::Cells(filling) => filling.restore(numbers, meter)?,
            Engine::Places(places) => {
                for number in numbers {
                    let entry = places.entries.entry(*number).ok_or(Limit::Bytes)?;
                    if entry == Entry::Undecided && places.undecided.is_none() {
                        // Why it is undecided was not kept, and is found again.
                        let numbers = self.area.numbers(places.entries.len());
                        let given = self.area.position(&numbers);
                        places.next(self.ruleset, &given, self.values.is_ok(), meter)?;
                    } else {
                        places.entries.push(entry);
                    }
                }
            }
        }
        self.told = self.done();
        Ok(())
    }

    /// What the values of heaps show so far; looks at all of them.
    pub fn glance(&self) -> Option<Glance> {
        let Engine::Heaps(sequence) = &self.engine else {
            return None;
        };
        Some(Glance {
            largest: sequence.values().largest(),
            rares: sequence.rares(),
            law: sequence.shown(),
        })
    }

    /// The rare heaps, where the values have a sparse space; looks at all values.
    pub fn rare_heaps(&self) -> Vec<usize> {
        match &self.engine {
            Engine::Heaps(sequence) => sequence.rare_heaps(),
            _ => Vec::new(),
        }
    }

    /// The table as far as it is done, and why it is no further.
    pub fn finish(self, stopped: Option<Undecided>) -> Tabulation {
        let (entries, undecided) = match self.engine {
            Engine::Heaps(sequence) => {
                let mut entries = Entries::new(Holds::Values);
                let values = sequence.values();
                for heap in 0..values.len() {
                    entries.push(Entry::Value(values.at(heap)));
                }
                (entries, stopped)
            }
            Engine::Cells(filling) => {
                let mut entries = Entries::new(holds(self.values));
                let mut numbers = vec![0; self.area.bounds.len()];
                while let Some(value) = filling.value(&numbers) {
                    entries.push(match (self.values, value) {
                        (Ok(()), value) => Entry::Value(value),
                        (Err(_), 0) => Entry::Outcome(Outcome::P),
                        (Err(_), _) => Entry::Outcome(Outcome::N),
                    });
                    if !next(&mut numbers, &self.area.bounds) {
                        break;
                    }
                }
                (entries, stopped)
            }
            Engine::Places(places) => (places.entries, places.undecided.or(stopped)),
        };
        Tabulation {
            area: self.area,
            values: self.values,
            undecided,
            entries,
        }
    }
}

/// Goes on to the next place of a box; false behind the last.
fn next(numbers: &mut [u64], bounds: &[u64]) -> bool {
    for (number, bound) in numbers.iter_mut().zip(bounds).rev() {
        if *number < *bound {
            *number += 1;
            return true;
        }
        *number = 0;
    }
    false
}

pub(super) fn holds(values: Result<(), NoValues>) -> Holds {
    match values {
        Ok(()) => Holds::Values,
        Err(_) => Holds::Outcomes,
    }
}

/// The engine that computes many places at a time, if one takes these rules on this box and has
/// the memory.
fn quick<'g>(ruleset: &'g Ruleset, area: &Area, meter: &mut Meter) -> Option<Engine<'g>> {
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
    if let [bound] = area.bounds.as_slice()
        && has_kernel(ruleset, &shape)
    {
        // What all values take is asked for before the first, each in a byte.
        meter.allocate(*bound).ok()?;
        meter.release(*bound);
        return Some(Engine::Heaps(Box::new(Sequence::new(ruleset, &shape))));
    }
    let plan = Plan::new(ruleset).ok()?;
    // A search may need less memory, and takes rules that a table does not.
    let filling = plan.begin(&area.bounds, quantity, meter).ok()?;
    Some(Engine::Cells(Box::new(filling)))
}

impl Places<'_> {
    /// Finds the next entry.
    fn next(
        &mut self,
        ruleset: &Ruleset,
        given: &Position,
        values: bool,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let entry = match entry(&mut self.search, ruleset, given, values, meter) {
            Ok(entry) => entry,
            Err(cycle @ Undecided::Cycle(_)) => {
                self.undecided.get_or_insert(cycle);
                Entry::Undecided
            }
            Err(reason) => return Err(reason),
        };
        self.entries.push(entry);
        Ok(())
    }
}

fn entry(
    search: &mut Exhaustive,
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
        return search.outcome(&position, meter).map(Entry::Outcome);
    }
    let mut total = 0;
    for component in &position.0 {
        total ^= search.grundy_value(component, meter)?;
    }
    Ok(Entry::Value(total))
}
