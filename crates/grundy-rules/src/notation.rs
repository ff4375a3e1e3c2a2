//! The notation of numbers and positions, in arguments and in `expect` lines.
//!
//! Components are separated by white space or by a lone `+`. Each is a number,
//! a comma list, a word over the row's alphabet, or a list in brackets.

use std::cell::Cell;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::fault::{Diagnostic, Expected, Fault, clip};
use crate::lex::NESTING_LIMIT;
use crate::position::{Component, Item, Position};
use crate::ruleset::{Ruleset, Span};

/// How many bits a written number may have.
pub const NUMBER_BITS: u64 = 4_000_000;

const TOO_LARGE: Fault = Fault::NumberTooLarge { bits: NUMBER_BITS };

/// Powers of at most so many bits are not counted: they are hardly larger than their text.
const SMALL_BITS: u64 = 1 << 12;

/// How many bits all large powers of one text may have together.
///
/// A few bytes such as `1e1000000` write a large number, and a text could hold a million of them.
#[derive(Debug)]
pub(crate) struct Allowance(Cell<u64>);

impl Default for Allowance {
    fn default() -> Self {
        Self(Cell::new(4 * NUMBER_BITS))
    }
}

impl Allowance {
    fn spend(&self, bits: u64) -> Result<(), Fault> {
        if bits <= SMALL_BITS {
            return Ok(());
        }
        let left = self.0.get().checked_sub(bits).ok_or(TOO_LARGE)?;
        self.0.set(left);
        Ok(())
    }

    /// The number that `123` or `1e18` writes, if it is not too large.
    pub fn numeral(&self, text: &str) -> Result<BigUint, Fault> {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits = digits.trim_start_matches('0');
        // 10 digits take more than 33 bits.
        let bits = digits.len() as u64 / 10 * 33;
        if bits > NUMBER_BITS {
            return Err(TOO_LARGE);
        }
        let exponent = exponent.trim_start_matches('0');
        if digits.is_empty() || exponent.is_empty() {
            return Ok(decimal(digits));
        }
        // An exponent of more digits is too large for any number.
        let exponent = exponent
            .get(..20)
            .map_or_else(|| decimal(exponent), decimal);
        let factor = self.power(&BigUint::from(10_u32), &exponent)?;
        if factor.bits() + bits > NUMBER_BITS {
            return Err(TOO_LARGE);
        }
        Ok(decimal(digits) * factor)
    }

    /// `base` to the power `exponent`, if it is not too large.
    pub fn power(&self, base: &BigUint, exponent: &BigUint) -> Result<BigUint, Fault> {
        if exponent.is_zero() || base.is_one() {
            return Ok(BigUint::one());
        }
        if base.is_zero() {
            return Ok(BigUint::zero());
        }
        let exponent = u32::try_from(exponent).map_err(|_| TOO_LARGE)?;
        // base >= 2^(bits - 1)
        if (base.bits() - 1).max(1) * u64::from(exponent) > NUMBER_BITS {
            return Err(TOO_LARGE);
        }
        self.spend(base.bits() * u64::from(exponent))?;
        Ok(base.pow(exponent))
    }
}

/// The number with these decimal digits.
///
/// Halves are read first and joined by one multiplication, so that a million
/// digits take no quadratic time.
fn decimal(digits: &str) -> BigUint {
    const CHUNK: usize = 1 << 10;
    if digits.len() <= CHUNK {
        return digits.parse().unwrap_or_default();
    }
    let low = digits.len() / 2;
    let (head, tail) = digits.split_at(digits.len() - low);
    let exponent = u32::try_from(low).expect("the length of a numeral is limited");
    decimal(head) * BigUint::from(10_u32).pow(exponent) + decimal(tail)
}

/// Reads a text as a sum of components.
struct Reader<'t> {
    text: &'t str,
    /// The next byte.
    at: usize,
    /// Where the text begins in the text that spans speak of.
    offset: usize,
    alphabet: &'t [char],
    allowance: &'t Allowance,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        if found {
            self.at += character.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn span(&self, start: usize) -> Span {
        Span {
            start: self.offset + start,
            end: self.offset + self.at,
        }
    }

    /// What stands here was not expected.
    fn unexpected(&self, expected: &[Expected]) -> Diagnostic {
        let length = self
            .rest()
            .find(|c: char| c.is_whitespace() || "[],\"".contains(c))
            .unwrap_or(self.rest().len())
            .max(self.peek().map_or(0, char::len_utf8));
        let start = self.offset + self.at;
        let found = &self.rest()[..length];
        let span = Span {
            start,
            end: start + length,
        };
        let number = expected.contains(&Expected::Number);
        let fault = if number && found.starts_with('-') && found.len() > 1 {
            Fault::NegativeInPosition
        } else if number && !found.is_empty() && !"[],\"+".contains(found) {
            Fault::NotANumber { text: clip(found) }
        } else {
            Fault::Unexpected {
                found: (!found.is_empty()).then(|| clip(found)),
                expected: expected.to_vec(),
                suggestion: None,
            }
        };
        Diagnostic::new(span, fault)
    }

    fn position(&mut self) -> Result<Position, Diagnostic> {
        let mut components = Vec::new();
        let mut seen = false;
        loop {
            self.skip_space();
            let joined = seen && self.skip_lone_plus();
            if joined {
                self.skip_space();
            }
            if self.rest().is_empty() {
                if joined || !seen {
                    return Err(self.missing());
                }
                return Ok(Position(components));
            }
            if self.rest().starts_with("nothing") && self.word_length() == "nothing".len() {
                self.at += "nothing".len();
            } else {
                components.push(self.component()?);
            }
            seen = true;
            if !matches!(self.peek(), None | Some('+')) && !self.at_space() {
                return Err(self.unexpected(&[Expected::EndOfLine]));
            }
        }
    }

    fn missing(&self) -> Diagnostic {
        let end = self.offset + self.text.len();
        Diagnostic::new(Span { start: end, end }, Fault::PositionMissing)
    }

    fn at_space(&self) -> bool {
        self.peek().is_some_and(char::is_whitespace)
    }

    /// A `+` that joins components; it is none where it is a letter of the alphabet.
    fn skip_lone_plus(&mut self) -> bool {
        !self.alphabet.contains(&'+') && self.skip('+')
    }

    /// How many bytes stand here up to the next white space.
    fn word_length(&self) -> usize {
        self.rest()
            .find(char::is_whitespace)
            .unwrap_or(self.rest().len())
    }

    fn component(&mut self) -> Result<Component, Diagnostic> {
        if self.skip('[') {
            return self.list();
        }
        if self.peek() == Some('"') {
            return self.quoted_word();
        }
        let word = &self.rest()[..self.word_length()];
        if word.chars().all(|letter| self.alphabet.contains(&letter)) {
            self.at += word.len();
            return Ok(Component(letters(word, self.alphabet)));
        }
        if !self.alphabet.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) {
            let span = self.span(self.at);
            let end = span.end + word.len();
            let fault = check_letters(word, self.alphabet).expect_err("a letter is not in it");
            return Err(Diagnostic::new(Span { end, ..span }, fault));
        }
        let mut items = vec![Item::Number(self.number()?)];
        while self.skip(',') {
            items.push(Item::Number(self.number()?));
        }
        Ok(Component(items))
    }

    fn quoted_word(&mut self) -> Result<Component, Diagnostic> {
        let start = self.at;
        self.skip('"');
        let Some(length) = self.rest().find('"') else {
            self.at = self.text.len();
            return Err(Diagnostic::new(self.span(start), Fault::UnclosedText));
        };
        let word = &self.rest()[..length];
        self.at += length + 1;
        check_letters(word, self.alphabet).map_err(|f| Diagnostic::new(self.span(start), f))?;
        Ok(Component(letters(word, self.alphabet)))
    }

    /// The list behind an opening bracket; inner lists wait on a stack of their own.
    fn list(&mut self) -> Result<Component, Diagnostic> {
        let mut outer: Vec<Vec<Item>> = Vec::new();
        let mut items = Vec::new();
        // Whether a coordinate may follow, and whether the list may end here.
        let (mut may_begin, mut may_end) = (true, true);
        loop {
            self.skip_space();
            if may_end && self.skip(']') {
                let list = Component(items);
                match outer.pop() {
                    None => return Ok(list),
                    Some(around) => items = around,
                }
                items.push(Item::List(list));
                (may_begin, may_end) = (false, true);
            } else if may_begin && self.peek() == Some('[') {
                self.skip('[');
                if outer.len() + 1 >= NESTING_LIMIT {
                    let fault = Fault::NestedTooDeep {
                        limit: NESTING_LIMIT,
                    };
                    return Err(Diagnostic::new(self.span(self.at - 1), fault));
                }
                outer.push(std::mem::take(&mut items));
                (may_begin, may_end) = (true, true);
            } else if may_begin {
                items.push(Item::Number(self.number()?));
                (may_begin, may_end) = (false, true);
            } else if self.skip(',') {
                (may_begin, may_end) = (true, false);
            } else {
                return Err(self.unexpected(&[Expected::Sign(","), Expected::Sign("]")]));
            }
        }
    }

    /// A number: `7`, `10^18`, `1e18`, `2^60-1`.
    ///
    /// `3+4` could be a number or a sum, so it is neither.
    fn number(&mut self) -> Result<BigUint, Diagnostic> {
        let start = self.at;
        let mut value = self.power()?;
        while self.peek() == Some('-') {
            self.skip('-');
            let other = self.power()?;
            if other > value {
                return Err(Diagnostic::new(self.span(start), Fault::NegativeInPosition));
            }
            value -= other;
        }
        if self.rest().starts_with('+') {
            let plus = self.at;
            self.skip('+');
            return Err(Diagnostic::new(self.span(plus), Fault::TightPlus));
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<BigUint, Diagnostic> {
        let start = self.at;
        let base = self.numeral()?;
        if !self.skip('^') {
            return Ok(base);
        }
        let exponent = self.numeral()?;
        self.allowance
            .power(&base, &exponent)
            .map_err(|fault| Diagnostic::new(self.span(start), fault))
    }

    fn numeral(&mut self) -> Result<BigUint, Diagnostic> {
        let rest = self.rest();
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let mut length = digits(rest);
        if length == 0 {
            return Err(self.unexpected(&[Expected::Number]));
        }
        if rest[length..].starts_with('e') {
            let exponent = digits(&rest[length + 1..]);
            if exponent > 0 {
                length += 1 + exponent;
            }
        }
        let start = self.at;
        // A letter behind a number belongs to the same word: `12x` is no number.
        if rest[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.') {
            return Err(self.unexpected(&[Expected::Number]));
        }
        self.at += length;
        let number = self.allowance.numeral(&rest[..length]);
        number.map_err(|fault| Diagnostic::new(self.span(start), fault))
    }
}

/// The first letter that is not in the alphabet.
pub(crate) fn check_letters(word: &str, alphabet: &[char]) -> Result<(), Fault> {
    if alphabet.is_empty() {
        return Err(Fault::NoAlphabet);
    }
    match word.chars().find(|letter| !alphabet.contains(letter)) {
        None => Ok(()),
        Some(letter) => Err(Fault::NotInAlphabet {
            letter,
            alphabet: alphabet.iter().collect(),
        }),
    }
}

/// The numbers for which the letters of a word stand.
fn letters(word: &str, alphabet: &[char]) -> Vec<Item> {
    word.chars()
        .filter_map(|letter| alphabet.iter().position(|other| *other == letter))
        .map(|place| Item::Number(BigUint::from(place)))
        .collect()
}

/// Reads a position of this game, at this offset in a larger text.
pub(crate) fn position_at(
    text: &str,
    offset: usize,
    ruleset: &Ruleset,
    allowance: &Allowance,
) -> Result<Position, Diagnostic> {
    let alphabet = ruleset.row.as_ref().map_or(&[][..], |row| &row.alphabet);
    let mut reader = Reader {
        text,
        at: 0,
        offset,
        alphabet,
        allowance,
    };
    reader.position()
}

/// Reads one number, at this offset in a larger text.
pub(crate) fn number_at(
    text: &str,
    offset: usize,
    allowance: &Allowance,
) -> Result<BigUint, Diagnostic> {
    let mut reader = Reader {
        text,
        at: 0,
        offset,
        alphabet: &[],
        allowance,
    };
    let number = reader.number()?;
    if reader.rest().is_empty() {
        return Ok(number);
    }
    Err(reader.unexpected(&[Expected::EndOfLine]))
}

/// Reads one number: `1000`, `10^18`, `1e18`.
pub fn parse_number(text: &str) -> Result<BigUint, Diagnostic> {
    number_at(text, 0, &Allowance::default())
}

/// Reads a position of this game: `3 4 7`, `3,5 8,13`, `..X.. .X`, `[1,[2,3]]`, `10^18`, `nothing`.
///
/// Components that are given with fewer coordinates stay as they are given;
/// a `start` line completes them later.
pub fn parse_position(text: &str, ruleset: &Ruleset) -> Result<Position, Diagnostic> {
    position_at(text, 0, ruleset, &Allowance::default())
}

/// Reads one position a line; empty lines and what stands behind `#` are skipped.
pub fn parse_positions(text: &str, ruleset: &Ruleset) -> Result<Vec<Position>, Diagnostic> {
    let allowance = Allowance::default();
    let mut positions = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        if !content.trim().is_empty() {
            positions.push(position_at(content, offset, ruleset, &allowance)?);
        }
        offset += line.len();
    }
    Ok(positions)
}
