//! Numerals of machine integers: which numbers begin, or end, with given digits.

use grundy_automata::NumerationSystem;
use num_traits::ToPrimitive;

/// The places of a numeration system as far as machine integers need them.
pub(super) struct Numerals {
    /// What places are worth, each less than the next.
    places: Vec<u64>,
    radix: u32,
}

/// Numbers are smaller.
pub(super) const BOUND: u64 = 1 << 41;

/// A prefix of numerals that begin with it, most significant digit first.
///
/// The numerals with so many more digits stand for the numbers from `start` on, `count` in a row: numerals of
/// equal length have the order of their numbers.
pub(super) struct Block {
    pub(super) start: u64,
    pub(super) count: u64,
}

impl Numerals {
    /// The places up to [`BOUND`].
    pub(super) fn new(system: &NumerationSystem) -> Self {
        let mut places = Vec::new();
        let mut digits = vec![1];
        while let Some(place) = system
            .number(&digits)
            .to_u64()
            .filter(|place| *place < BOUND)
        {
            places.push(place);
            digits.push(0);
        }
        Self {
            places,
            radix: system.radix(),
        }
    }

    /// The digits of a number below [`BOUND`], least significant first and without a leading zero.
    pub(super) fn digits(&self, number: u64) -> Vec<u32> {
        let mut digits = Vec::new();
        self.write(number, &mut digits);
        digits
    }

    /// Puts the digits of a number in the place of others.
    pub(super) fn write(&self, mut number: u64, digits: &mut Vec<u32>) {
        digits.clear();
        digits.resize(self.places.partition_point(|place| *place <= number), 0);
        for (digit, place) in digits.iter_mut().zip(&self.places).rev() {
            while number >= *place {
                number -= place;
                *digit += 1;
            }
        }
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

    /// How many digits there are.
    pub(super) fn radix(&self) -> u32 {
        self.radix
    }

    /// The numbers whose numerals begin so, with so many digits more; `None` if there are no numerals that begin so.
    pub(super) fn block(&self, prefix: &[u32], more: usize) -> Option<Block> {
        let then = |tail: &[u32], zeros: usize| {
            let low = std::iter::repeat_n(0, zeros).chain(tail.iter().rev().copied());
            self.number(low.chain(prefix.iter().rev().copied()))
        };
        // The lowest place may admit fewer digits than others.
        then(&[], 1)?;
        let (start, count) = match then(&[], more) {
            None => (0, 0),
            Some(start) if more == 0 => (start, 1),
            // A digit that must stand before a zero leaves the numerals that begin with one.
            Some(start) if then(&[1], more - 1).is_none() => (start, self.places[more - 1]),
            Some(start) => (start, self.places[more]),
        };
        Some(Block { start, count })
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
