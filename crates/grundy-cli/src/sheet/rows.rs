//! A sheet put together from rows: the numbers of a place and its entry.

use grundy::tabulate::{Entries, Entry, Holds};

use super::Sheet;
use super::lines::LineFault;
use super::read::SheetFault;

/// The rows so far.
pub struct Rows {
    arity: usize,
    /// The most places that the sheet may have.
    most: u64,
    /// Of one coordinate: all entries up to the last row's. Of several: those of the rows.
    entries: Entries,
    /// The numbers of the rows, where there are several coordinates.
    numbers: Vec<u64>,
}

/// Why a row has no place.
pub enum RowFault {
    /// It does not come after the one before.
    Order,
    /// The table would be too large.
    TooLarge,
}

impl RowFault {
    pub fn at(self, line: u64) -> SheetFault {
        match self {
            Self::Order => SheetFault::Line(line, LineFault::Order),
            Self::TooLarge => SheetFault::TooLarge,
        }
    }
}

impl Rows {
    pub fn new(arity: usize, holds: Holds, most: u64) -> Self {
        Self {
            arity,
            most,
            entries: Entries::new(holds),
            numbers: Vec::new(),
        }
    }

    pub fn push(&mut self, numbers: &[u64], entry: Entry) -> Result<(), RowFault> {
        if let [heap] = numbers {
            let next = self.entries.len();
            if *heap < next {
                return Err(RowFault::Order);
            }
            if *heap >= self.most {
                return Err(RowFault::TooLarge);
            }
            for _ in next..*heap {
                self.entries.push(Entry::NoPosition);
            }
        } else {
            if self.entries.len() >= self.most {
                return Err(RowFault::TooLarge);
            }
            if self.numbers.len() >= self.arity
                && self.numbers[self.numbers.len() - self.arity..] >= *numbers
            {
                return Err(RowFault::Order);
            }
            self.numbers.extend(numbers);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The table of the least box that holds the rows.
    pub fn finish(self) -> Result<Sheet, SheetFault> {
        let mut bounds = vec![0; self.arity];
        if self.arity == 1 {
            bounds[0] = self.entries.len().saturating_sub(1);
        }
        for row in self.numbers.chunks(self.arity) {
            for (bound, number) in bounds.iter_mut().zip(row) {
                *bound = (*bound).max(*number);
            }
        }
        let places = places(&bounds).ok_or(SheetFault::TooLarge)?;
        self.finish_in(bounds, places)
    }

    /// The first so many places of a table over this box.
    pub fn finish_in(self, bounds: Vec<u64>, places: u64) -> Result<Sheet, SheetFault> {
        if self.entries.is_empty() || self.arity == 0 {
            return Err(SheetFault::Empty);
        }
        if places > self.most {
            return Err(SheetFault::TooLarge);
        }
        let outside = |row: &[u64]| {
            row.iter()
                .zip(&bounds)
                .any(|(number, bound)| number > bound)
        };
        if self.numbers.chunks(self.arity).any(outside) {
            return Err(SheetFault::Box);
        }
        let mut entries = Entries::new(self.entries.holds());
        if self.arity == 1 {
            entries = self.entries;
        } else {
            for (row, entry) in self.numbers.chunks(self.arity).zip(self.entries.iter()) {
                let index = row
                    .iter()
                    .zip(&bounds)
                    .fold(0, |index, (number, bound)| index * (bound + 1) + number);
                while entries.len() < index {
                    entries.push(Entry::NoPosition);
                }
                entries.push(entry);
            }
        }
        if entries.len() > places || self::places(&bounds).is_none_or(|all| places > all) {
            return Err(SheetFault::Box);
        }
        while entries.len() < places {
            entries.push(Entry::NoPosition);
        }
        Ok(Sheet {
            about: None,
            bounds,
            entries,
        })
    }
}

/// How many places a box has, if they can be counted.
pub fn places(bounds: &[u64]) -> Option<u64> {
    bounds.iter().try_fold(1u64, |places, bound| {
        places.checked_mul(bound.checked_add(1)?)
    })
}
