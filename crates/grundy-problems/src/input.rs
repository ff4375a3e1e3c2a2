//! The input of a problem: tokens with their places.

use std::rc::Rc;

use grundy_rules::{Limit, Meter};
use num_bigint::BigInt;

use crate::failure::Failure;
use crate::number::{MOST_BITS, Number};
use crate::order::first_out_of_order;
use crate::problem::{Expression, Kind, Order};
use crate::value::Value;

/// What is wrong with an input, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFault {
    /// What.
    pub kind: InputKind,
    /// The token, cut where it is long; empty at the end of the input.
    pub token: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1, in letters.
    pub column: usize,
    /// The name of what was to be read.
    pub reading: Option<String>,
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// It ends too early.
    Ends,
    /// A token is no integer.
    NotAnInteger,
    /// An integer is too small.
    Below(Number),
    /// An integer is too large.
    Above(Number),
    /// An integer is none of these.
    NoneOf(Vec<Number>),
    /// A token is no text.
    NotText,
    /// A word has another letter than these.
    Letter {
        /// The letter.
        letter: char,
        /// Those that may occur.
        alphabet: String,
    },
    /// A word has more than so many letters.
    Long(u64),
    /// A word has fewer than so many letters.
    Short(u64),
    /// A word is none of these.
    NoWordOf(Vec<String>),
    /// An entry breaks the order of its list.
    Order(Order),
    /// A condition on several values does not hold.
    Condition,
    /// There is something behind the end.
    Trailing,
}

/// How an integer is limited.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The least.
    pub least: Option<Number>,
    /// The greatest.
    pub greatest: Option<Number>,
}

/// How many letters a word has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// The fewest that there may be; 1 at least.
    pub least: u64,
    /// The most.
    pub most: Option<u64>,
}

/// How a list ends whose length is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// With the line.
    LineEnds,
    /// With the input.
    InputEnds,
}

/// Where the values come from that a problem reads.
pub trait Source {
    /// An integer within limits.
    fn integer(&mut self, limits: &Limits, meter: &mut Meter) -> Result<Number, Failure>;
    /// One of these integers.
    fn one_of(&mut self, numbers: &[Number], meter: &mut Meter) -> Result<Number, Failure>;
    /// A word of these letters, of so many.
    fn word(&mut self, alphabet: Option<&str>, letters: Letters) -> Result<Rc<str>, Failure>;
    /// One of these words.
    fn one_word_of(&mut self, words: &[String]) -> Result<Rc<str>, Failure>;
    /// Begins something that goes on until the line or the input ends.
    fn begin(&mut self, until: Until) -> Result<(), Failure>;
    /// Whether it goes on.
    fn goes_on(&mut self, until: Until) -> bool;
    /// Ends it.
    fn end(&mut self, until: Until);
    /// Where the token before ended: a mark for [`ordered`](Self::ordered).
    fn mark(&self) -> usize;
    /// The entries of a list in their order; `marks` are those behind each of them.
    fn ordered(
        &mut self,
        values: Vec<Value>,
        order: Order,
        marks: &[usize],
    ) -> Result<Vec<Value>, Failure>;
    /// Says that a condition does not hold.
    fn refused(&mut self) -> Failure;

    /// Whether values are drawn, and not read.
    fn draws(&self) -> bool {
        false
    }
    /// Whether statements that only ask and print are left out.
    fn only_reads(&self) -> bool {
        self.draws()
    }
    /// Says that a list or a `repeat` begins, and what counts its entries or rounds, if anything.
    fn opens(&mut self, _counted: Option<&Expression>) {}
    /// Says that its next entry or round begins.
    fn next_part(&mut self) {}
    /// Says that it ends.
    fn closes(&mut self) {}
    /// Says the name of what comes next, to one who draws.
    fn is_for(&mut self, _name: Option<&str>) {}
    /// Says that so many values in a row are to differ, to one who draws; 0 that they need not.
    fn differ(&mut self, _count: usize) {}
    /// Says what was taken for a reading, to one who draws.
    fn taken(&mut self, _kind: &Kind, _value: &Value) {}
    /// Says that all readings of a statement were taken, to one who draws.
    fn taken_all(&mut self) {}
    /// Says whether the innermost `repeat` is to stop, to one who draws.
    fn stop_now(&mut self, _stops: bool) {}
    /// Forgets what was drawn behind a mark; whether to draw anew.
    fn go_back(&mut self, _mark: usize) -> bool {
        false
    }
}

/// The tokens of an input.
pub struct Tokens<'i> {
    input: &'i [u8],
    /// Where the next token is looked for.
    at: usize,
    /// Where the last token began.
    token: usize,
    /// Whether a byte is white space.
    space: [bool; 256],
}

/// The most letters of a token that a message shows.
const MOST_SHOWN: usize = 40;

impl<'i> Tokens<'i> {
    /// The tokens of an input in which also these letters are white space.
    pub fn new(input: &'i [u8], separators: &str) -> Self {
        let mut space = [false; 256];
        for byte in b" \t\n\r\x0b\x0c".iter().chain(separators.as_bytes()) {
            space[usize::from(*byte)] = true;
        }
        Self {
            input,
            at: 0,
            token: 0,
            space,
        }
    }

    /// An error if anything but white space is left.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.skip_space();
        if self.at == self.input.len() {
            return Ok(());
        }
        self.token = self.at;
        Err(self.fault(InputKind::Trailing))
    }

    fn is_space(&self, at: usize) -> bool {
        self.space[usize::from(self.input[at])]
    }

    fn skip_space(&mut self) {
        while self.at < self.input.len() && self.is_space(self.at) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Result<&'i [u8], Failure> {
        self.skip_space();
        self.token = self.at;
        while self.at < self.input.len() && !self.is_space(self.at) {
            self.at += 1;
        }
        if self.token == self.at {
            return Err(self.fault(InputKind::Ends));
        }
        Ok(&self.input[self.token..self.at])
    }

    /// A fault of the last token.
    fn fault(&self, kind: InputKind) -> Failure {
        let before = &self.input[..self.token];
        let line_start = before.iter().rposition(|byte| *byte == b'\n');
        let line_start = line_start.map_or(0, |at| at + 1);
        let rest = &self.input[self.token..];
        let length = (self.token..self.input.len())
            .position(|at| self.is_space(at))
            .unwrap_or(rest.len());
        let token = String::from_utf8_lossy(&rest[..length.min(4 * MOST_SHOWN)]);
        let mut shown: String = token.chars().take(MOST_SHOWN).collect();
        if shown.len() < length {
            shown.push('…');
        }
        InputFault {
            kind,
            token: shown,
            line: before.split(|byte| *byte == b'\n').count(),
            column: 1 + String::from_utf8_lossy(&before[line_start..])
                .chars()
                .count(),
            reading: None,
        }
        .into()
    }

    /// A token as an integer within limits.
    fn number(&mut self, limits: &Limits, meter: &mut Meter) -> Result<Number, Failure> {
        let token = self.next()?;
        let (negative, digits) = match token {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(self.fault(InputKind::NotAnInteger));
        }
        let number = if digits.len() <= 18 {
            let digit = |n: i64, digit: &u8| n * 10 + i64::from(digit - b'0');
            let magnitude = digits.iter().fold(0, digit);
            Number::from(if negative { -magnitude } else { magnitude })
        } else {
            self.large(negative, digits, limits, meter)?
        };
        match limits {
            Limits {
                least: Some(least), ..
            } if number < *least => Err(self.fault(InputKind::Below(least.clone()))),
            Limits {
                greatest: Some(greatest),
                ..
            } if number > *greatest => Err(self.fault(InputKind::Above(greatest.clone()))),
            _ => Ok(number),
        }
    }

    /// Many digits as a number. Far beyond a limit they are not read at all.
    fn large(
        &self,
        negative: bool,
        digits: &[u8],
        limits: &Limits,
        meter: &mut Meter,
    ) -> Result<Number, Failure> {
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let digits = &digits[zeros..];
        let bound = if negative {
            &limits.least
        } else {
            &limits.greatest
        };
        // Each digit is more than three binary ones.
        let least_bits = 3 * (digits.len() as u64).saturating_sub(1);
        if let Some(bound) = bound
            && least_bits > 64 * bound.words()
        {
            let bound = bound.clone();
            return Err(self.fault(if negative {
                InputKind::Below(bound)
            } else {
                InputKind::Above(bound)
            }));
        }
        if least_bits > MOST_BITS {
            return Err(Limit::Bytes.into());
        }
        // Reading so many digits takes quadratic time.
        let words = digits.len() as u64 / 16;
        meter.spend(words.saturating_mul(words))?;
        let magnitude = BigInt::parse_bytes(digits, 10).unwrap_or_default();
        Ok(Number::from(if negative { -magnitude } else { magnitude }))
    }

    fn text(&mut self) -> Result<&'i str, Failure> {
        let token = self.next()?;
        std::str::from_utf8(token).map_err(|_| self.fault(InputKind::NotText))
    }
}

impl Source for Tokens<'_> {
    fn integer(&mut self, limits: &Limits, meter: &mut Meter) -> Result<Number, Failure> {
        self.number(limits, meter)
    }

    fn one_of(&mut self, numbers: &[Number], meter: &mut Meter) -> Result<Number, Failure> {
        let number = self.number(&Limits::default(), meter)?;
        if numbers.contains(&number) {
            Ok(number)
        } else {
            Err(self.fault(InputKind::NoneOf(numbers.to_vec())))
        }
    }

    fn word(&mut self, alphabet: Option<&str>, letters: Letters) -> Result<Rc<str>, Failure> {
        let word = self.text()?;
        if let Some(alphabet) = alphabet
            && let Some(letter) = word.chars().find(|letter| !alphabet.contains(*letter))
        {
            return Err(self.fault(InputKind::Letter {
                letter,
                alphabet: alphabet.to_owned(),
            }));
        }
        let count = word.chars().count() as u64;
        match letters.most {
            Some(most) if count > most => Err(self.fault(InputKind::Long(most))),
            _ if count < letters.least => Err(self.fault(InputKind::Short(letters.least))),
            _ => Ok(word.into()),
        }
    }

    fn one_word_of(&mut self, words: &[String]) -> Result<Rc<str>, Failure> {
        let word = self.text()?;
        if words.iter().any(|other| other == word) {
            Ok(word.into())
        } else {
            Err(self.fault(InputKind::NoWordOf(words.to_vec())))
        }
    }

    /// The rest of this line, or the next one if something was read of this and nothing is left.
    fn begin(&mut self, until: Until) -> Result<(), Failure> {
        if until == Until::InputEnds {
            return Ok(());
        }
        let starts_line = self.at == 0 || self.input[self.at - 1] == b'\n';
        if !starts_line && !self.goes_on(Until::LineEnds) {
            self.end(until);
        }
        if self.at == self.input.len() {
            self.token = self.at;
            return Err(self.fault(InputKind::Ends));
        }
        Ok(())
    }

    fn goes_on(&mut self, until: Until) -> bool {
        match until {
            Until::InputEnds => self.skip_space(),
            Until::LineEnds => {
                while self.at < self.input.len()
                    && self.is_space(self.at)
                    && self.input[self.at] != b'\n'
                {
                    self.at += 1;
                }
            }
        }
        self.at < self.input.len() && (until == Until::InputEnds || self.input[self.at] != b'\n')
    }

    fn end(&mut self, until: Until) {
        if until == Until::LineEnds && self.at < self.input.len() && self.input[self.at] == b'\n' {
            self.at += 1;
        }
    }

    fn mark(&self) -> usize {
        self.token
    }

    fn ordered(
        &mut self,
        values: Vec<Value>,
        order: Order,
        marks: &[usize],
    ) -> Result<Vec<Value>, Failure> {
        match first_out_of_order(&values, order) {
            None => Ok(values),
            Some(entry) => {
                self.token = marks[entry];
                Err(self.fault(InputKind::Order(order)))
            }
        }
    }

    fn refused(&mut self) -> Failure {
        self.fault(InputKind::Condition)
    }
}
