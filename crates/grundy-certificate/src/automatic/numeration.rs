//! How numbers are written, from first principles: what places are worth, and which digits may stand in them.

/// A way to write every natural number as a word of digits, in one way but for zeros at the most significant end.
///
/// Place `i` is worth `U(i)`, with `U(0) = 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numeration {
    /// `U(i) = k * U(i-1)`, digits `0..k`.
    Base(u32),
    /// `U(i) = factor * U(i-1) + U(i-2)`, where `U(-1) = before` is 0 or 1.
    ///
    /// A digit is at most `factor`; it is `factor` only where the next lower digit is 0; the lowest digit is less
    /// than `U(1) = factor + before`. Zeckendorf's system has `factor = before = 1`, the Pell numbers `factor = 2` and
    /// `before = 0`; the r-Wythoff game is at home in `factor = r` and `before = 1`.
    Recurrence {
        /// By how much the worth of the place below counts.
        factor: u32,
        /// What the place before the lowest one would be worth.
        before: u32,
    },
}

/// How many digits a numeration may have.
const MOST_DIGITS: u32 = 64;

impl Numeration {
    /// Sums of Fibonacci numbers of which no two are neighbours.
    pub const ZECKENDORF: Self = Self::Recurrence {
        factor: 1,
        before: 1,
    };

    /// Whether it is one.
    pub(crate) fn is_valid(self) -> bool {
        match self {
            Self::Base(k) => (2..=MOST_DIGITS).contains(&k),
            Self::Recurrence { factor, before } => {
                (1..MOST_DIGITS).contains(&factor) && before <= 1 && factor + before >= 2
            }
        }
    }

    /// How many digits there are.
    pub fn radix(self) -> u32 {
        match self {
            Self::Base(k) => k,
            Self::Recurrence { factor, .. } => factor + 1,
        }
    }

    /// Whether every word of digits is canonical.
    pub(crate) fn is_base(self) -> bool {
        matches!(self, Self::Base(_))
    }

    /// Whether the digits show the binary ones.
    pub(crate) fn has_bits(self) -> bool {
        matches!(self, Self::Base(k) if k.is_power_of_two())
    }

    /// `f`, `c` and `e` such that `U(i) = f * U(i-1) + c * U(i-2)` and `U(-1) = e`.
    ///
    /// So what is read from the most significant end is worth `a * U(i) + b * U(i-1)` while `i` digits are to come,
    /// where the next digit `d` turns `(a, b)` into `(f * a + b + d, c * a)`, and at the end it is `a + e * b`.
    pub(crate) fn recurrence(self) -> (i128, i128, i128) {
        match self {
            Self::Base(k) => (i128::from(k), 0, 0),
            Self::Recurrence { factor, before } => (i128::from(factor), 1, i128::from(before)),
        }
    }
}

/// Which end of the words is read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The most significant digit.
    MostSignificantFirst,
    /// The least significant digit; in a base only.
    LeastSignificantFirst,
}

/// A complete deterministic automaton that reads the digits of several numbers in parallel.
///
/// State 0 is the start. The successor of state `s` by the letter with the digits `d(1), …, d(t)` stands at
/// `s * radix^t + d(1) * radix^(t-1) + … + d(t)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// How many numbers it reads.
    pub tracks: usize,
    /// The successors.
    pub table: Vec<u32>,
    /// Which states accept.
    pub accepting: Vec<bool>,
}

impl Automaton {
    /// How many letters there are on so many tracks; `None` if they are too many.
    pub(crate) fn letters(radix: u32, tracks: usize) -> Option<usize> {
        let tracks = u32::try_from(tracks).ok()?;
        (radix as usize)
            .checked_pow(tracks)
            .filter(|letters| *letters <= MOST_LETTERS)
    }

    /// Whether the table has a state for each entry, and each entry is a state.
    pub(crate) fn is_complete(&self, radix: u32) -> bool {
        let states = self.accepting.len();
        let letters = Self::letters(radix, self.tracks);
        states > 0
            && letters.is_some_and(|letters| states.checked_mul(letters) == Some(self.table.len()))
            && self.table.iter().all(|target| (*target as usize) < states)
    }

    /// Whether zeros at the most significant end plainly make no difference: the start stays where it is, or
    /// acceptance stays what it is.
    pub(crate) fn ignores_padding(&self, order: Order) -> bool {
        match order {
            Order::MostSignificantFirst => self.table[0] == 0,
            Order::LeastSignificantFirst => {
                let letters = self.table.len() / self.accepting.len();
                let rows = self.table.chunks(letters).zip(&self.accepting);
                rows.into_iter()
                    .all(|(row, accepts)| self.accepting[row[0] as usize] == *accepts)
            }
        }
    }
}

/// How many letters an alphabet may have.
pub(crate) const MOST_LETTERS: usize = 1 << 16;
