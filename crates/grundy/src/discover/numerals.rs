//! Numerals of machine integers: which numbers begin, or end, with given digits.

use grundy_automata::NumerationSystem;
use num_traits::ToPrimitive;

/// The places of a numeration system as far as machine integers need them.
pub(super) struct Numerals {
    /// What places are worth, each less than the next.
    places: Vec<u64>,
    radix: u32,
}

/// A prefix of numerals that begin with it, most significant digit first.
///
/// The numerals with `l` more digits stand for the numbers from `start[l]` on, `count[l]` in a row: numerals of
/// equal length have the order of their numbers.
pub(super) struct Block {
    pub(super) start: Vec<u64>,
    pub(super) count: Vec<u64>,
}

impl Numerals {
    /// The places up to 2^40.
    pub(super) fn new(system: &NumerationSystem) -> Self {
        let mut places = Vec::new();
        let mut digits = vec![1];
        while let Some(place) = system.number(&digits).to_u64().filter(|p| *p < 1 << 40) {
            places.push(place);
            digits.push(0);
        }
        Self {
            places,
            radix: system.radix(),
        }
    }

    /// The digits of a number, least significant first and without a leading zero.
    pub(super) fn digits(&self, mut number: u64) -> Vec<u32> {
        let length = self.places.partition_point(|place| *place <= number);
        let mut digits = vec![0; length];
        for (digit, place) in digits.iter_mut().zip(&self.places).rev() {
            *digit = u32::try_from(number / place).expect("a digit is less than the radix");
            number %= place;
        }
        digits
    }

    /// What digits stand for, least significant first, if they are as the system writes numbers: so many of the lowest
    /// always stand for less than the next place is worth.
    fn number(&self, digits: impl Iterator<Item = u32>) -> Option<u64> {
        let mut number = 0;
        for (at, digit) in digits.enumerate() {
            number += u64::from(digit) * self.places.get(at)?;
            if number >= *self.places.get(at + 1)? {
                return None;
            }
        }
        Some(number)
    }

    /// Whether numbers end so, least significant digit first.
    pub(super) fn admits(&self, low: &[u32]) -> bool {
        self.number(low.iter().copied()).is_some()
    }

    /// The numbers whose numerals begin so, with up to `length` digits more; `None` if there are none.
    pub(super) fn block(&self, prefix: &[u32], length: usize) -> Option<Block> {
        let then = |tail: &[u32], zeros: usize| {
            let low = std::iter::repeat_n(0, zeros).chain(tail.iter().rev().copied());
            self.number(low.chain(prefix.iter().rev().copied()))
        };
        // The lowest place may admit fewer digits than others.
        then(&[], 1)?;
        let mut block = Block {
            start: Vec::with_capacity(length + 1),
            count: Vec::with_capacity(length + 1),
        };
        for more in 0..=length {
            let (start, count) = match then(&[], more) {
                None => (0, 0),
                Some(start) if more == 0 => (start, 1),
                // A digit that must stand before a zero leaves the numerals that begin with one.
                Some(start) if then(&[1], more - 1).is_none() => (start, self.places[more - 1]),
                Some(start) => (start, self.places[more]),
            };
            block.start.push(start);
            block.count.push(count);
        }
        Some(block)
    }

    /// The numbers whose lowest digits are these, least significant first, with so many more digits, in the
    /// order of the words of these digits; `None` where such a word writes no number.
    pub(super) fn ending(&self, low: &[u32], length: usize) -> Option<Vec<Option<u64>>> {
        let mut numbers = vec![Some(self.number(low.iter().copied())?)];
        for at in low.len()..low.len() + length {
            let mut longer = Vec::with_capacity(numbers.len() * self.radix as usize);
            for digit in 0..self.radix {
                for number in &numbers {
                    let number = number.and_then(|number| {
                        let number = number + u64::from(digit) * self.places.get(at)?;
                        (number < *self.places.get(at + 1)?).then_some(number)
                    });
                    longer.push(number);
                }
            }
            numbers = longer;
        }
        Some(numbers)
    }

    /// The digits of a number before these lowest ones as one number; `None` if its lowest digits are others.
    pub(super) fn beyond(&self, number: u64, low: &[u32]) -> Option<u64> {
        let digits = self.digits(number);
        let agrees = |(at, digit): (usize, &u32)| digits.get(at).copied().unwrap_or(0) == *digit;
        low.iter().enumerate().all(agrees).then(|| {
            let high = digits.iter().skip(low.len()).rev();
            high.fold(0u64, |code, digit| {
                code.wrapping_mul(self.radix.into())
                    .wrapping_add((*digit).into())
            })
        })
    }
}
