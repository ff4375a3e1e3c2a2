//! The lines of a file, with their numbers.

use std::io::BufRead;

use grundy::outcome::Outcome;
use grundy::tabulate::{Entry, Holds};

use super::read::SheetFault;

/// A file's lines, one after the other.
pub struct Lines<'f> {
    file: &'f mut dyn BufRead,
    number: u64,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// A word is no natural number below 2^64.
    Number(String),
    /// A word is neither a value nor an outcome.
    Entry(String),
    /// The header does not name the columns as it should.
    Header,
    /// The numbers are not in base ten.
    Base,
    /// It has not so many columns.
    Columns(usize),
    /// A place comes after a later one, or a second time.
    Order,
    /// It is no object with numbers.
    Object,
    /// A heap is missing before this one.
    Gap,
    /// A row of a table for people is not as long as the others.
    Length,
}

/// No line of a table is as long.
const LONGEST: u64 = 1 << 26;

impl<'f> Lines<'f> {
    pub fn new(file: &'f mut dyn BufRead) -> Self {
        Self { file, number: 0 }
    }

    /// The number of the line that was given last, counted from 1.
    pub fn place(&self) -> u64 {
        self.number
    }

    pub fn fault(&self, fault: LineFault) -> SheetFault {
        SheetFault::Line(self.number, fault)
    }

    /// The next line that is not empty, without its end.
    pub fn next_line(&mut self) -> Result<Option<String>, SheetFault> {
        loop {
            let mut bytes = Vec::new();
            let mut limited = std::io::Read::take(&mut *self.file, LONGEST);
            if limited.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = String::from_utf8(bytes).map_err(|_| SheetFault::NotText(self.number))?;
            let line = line.trim_end_matches(['\n', '\r']);
            if !line.trim().is_empty() {
                return Ok(Some(line.to_owned()));
            }
        }
    }

    pub fn number(&self, word: &str) -> Result<u64, SheetFault> {
        let word = word.trim();
        word.parse()
            .map_err(|_| self.fault(LineFault::Number(shortened(word))))
    }

    pub fn entry(&self, word: &str, holds: Holds) -> Result<Entry, SheetFault> {
        let word = word.trim();
        let outcome = |outcome| Ok(Entry::Outcome(outcome));
        match (word, holds) {
            ("?", _) => Ok(Entry::Undecided),
            ("P", Holds::Outcomes) => outcome(Outcome::P),
            ("N", Holds::Outcomes) => outcome(Outcome::N),
            ("D", Holds::Outcomes) => outcome(Outcome::Draw),
            (_, Holds::Outcomes) => Err(self.fault(LineFault::Entry(shortened(word)))),
            (_, Holds::Values) => {
                value(word).ok_or_else(|| self.fault(LineFault::Entry(shortened(word))))
            }
        }
    }
}

/// A Grundy value: less than the number of options, so that far smaller numbers than all of them
/// will do.
fn value(word: &str) -> Option<Entry> {
    let value = word.parse().ok()?;
    (value <= u64::MAX >> 1).then_some(Entry::Value(value))
}

/// As much of a word as a message should repeat.
pub fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
