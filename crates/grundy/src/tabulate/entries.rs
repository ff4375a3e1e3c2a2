//! The entries of a table, in as few bytes as the largest of them needs.

use super::Entry;
use crate::outcome::Outcome;

/// What the entries of a table say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Its Grundy value.
    Values,
    /// Its outcome, where values have no meaning.
    Outcomes,
}

/// A list of entries.
///
/// An entry is kept as a number ([`Entries::code`]), and all of them in one, two, four or eight
/// bytes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    holds: Holds,
    codes: Codes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Codes {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// What stands for a place without a position, and for one that is undecided; the code of a value
/// is larger than the value by their number.
const NO_POSITION: u64 = 0;
const UNDECIDED: u64 = 1;
const FIRST: u64 = 2;

impl Entries {
    /// No entry yet.
    pub fn new(holds: Holds) -> Self {
        Self {
            holds,
            codes: Codes::One(Vec::new()),
        }
    }

    /// Whether they are values or outcomes.
    pub fn holds(&self) -> Holds {
        self.holds
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        let length = match &self.codes {
            Codes::One(codes) => codes.len(),
            Codes::Two(codes) => codes.len(),
            Codes::Four(codes) => codes.len(),
            Codes::Eight(codes) => codes.len(),
        };
        length as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry of a place, which must be below [`Entries::len`].
    pub fn get(&self, place: u64) -> Entry {
        let place = usize::try_from(place).expect("a list is no longer than a pointer counts");
        let code = match &self.codes {
            Codes::One(codes) => codes[place].into(),
            Codes::Two(codes) => codes[place].into(),
            Codes::Four(codes) => codes[place].into(),
            Codes::Eight(codes) => codes[place],
        };
        self.entry(code).expect("only entries have been pushed")
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        (0..self.len()).map(|place| self.get(place))
    }

    /// Adds an entry at the end.
    ///
    /// # Panics
    ///
    /// At an outcome among values or a value among outcomes.
    pub fn push(&mut self, entry: Entry) {
        let code = self.code(entry);
        loop {
            match &mut self.codes {
                Codes::One(codes) => match u8::try_from(code) {
                    Ok(code) => return codes.push(code),
                    Err(_) => self.codes = Codes::Two(widened(codes)),
                },
                Codes::Two(codes) => match u16::try_from(code) {
                    Ok(code) => return codes.push(code),
                    Err(_) => self.codes = Codes::Four(widened(codes)),
                },
                Codes::Four(codes) => match u32::try_from(code) {
                    Ok(code) => return codes.push(code),
                    Err(_) => self.codes = Codes::Eight(widened(codes)),
                },
                Codes::Eight(codes) => return codes.push(code),
            }
        }
    }

    /// An entry as a number.
    pub fn code(&self, entry: Entry) -> u64 {
        match (self.holds, entry) {
            (_, Entry::NoPosition) => NO_POSITION,
            (_, Entry::Undecided) => UNDECIDED,
            (Holds::Values, Entry::Value(value)) => value
                .checked_add(FIRST)
                .expect("a value is less than the number of options"),
            (Holds::Outcomes, Entry::Outcome(outcome)) => {
                FIRST
                    + match outcome {
                        Outcome::P => 0,
                        Outcome::N => 1,
                        Outcome::Draw => 2,
                    }
            }
            (_, entry) => unreachable!("a table holds values or outcomes, and not {entry:?} too"),
        }
    }

    /// The entry that a number stands for, if it stands for one.
    pub fn entry(&self, code: u64) -> Option<Entry> {
        Some(match (code, self.holds) {
            (NO_POSITION, _) => Entry::NoPosition,
            (UNDECIDED, _) => Entry::Undecided,
            (code, Holds::Values) => Entry::Value(code - FIRST),
            (2, Holds::Outcomes) => Entry::Outcome(Outcome::P),
            (3, Holds::Outcomes) => Entry::Outcome(Outcome::N),
            (4, Holds::Outcomes) => Entry::Outcome(Outcome::Draw),
            (_, Holds::Outcomes) => return None,
        })
    }
}

fn widened<N: Copy, W: From<N>>(codes: &[N]) -> Vec<W> {
    codes.iter().map(|code| W::from(*code)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_comes_back() {
        let mut entries = Entries::new(Holds::Values);
        let mut pushed = vec![Entry::NoPosition, Entry::Undecided];
        for power in [0, 7, 8, 15, 16, 31, 32, 62] {
            for value in (1u64 << power).saturating_sub(4)..(1 << power) + 2 {
                pushed.push(Entry::Value(value));
            }
        }
        for entry in &pushed {
            entries.push(*entry);
        }
        assert_eq!(entries.iter().collect::<Vec<_>>(), pushed);
        let mut outcomes = Entries::new(Holds::Outcomes);
        let all = [Outcome::P, Outcome::N, Outcome::Draw].map(Entry::Outcome);
        all.iter().for_each(|entry| outcomes.push(*entry));
        assert_eq!(outcomes.iter().collect::<Vec<_>>(), all);
        assert_eq!(outcomes.entry(5), None);
    }
}
