//! Numeration systems: numbers to digits and back.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use crate::alphabet::MAX_LETTERS;
use crate::error::Error;

/// A way to write every natural number, in one way only, as a word of digits.
///
/// Place `i` is worth `U(i)`, and a number is written greedily: as much as fits of the highest place first. Words of
/// `n` digits that are so written stand for the numbers below `U(n)`, in their order. Zeros may be added
/// at the most significant end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumerationSystem(Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// `U(i) = k^i`.
    Base(u32),
    /// `U(0) = 1`, `U(i) = a(i) U(i-1) + U(i-2)`, with `U(-1) = 0`; the quotients `a(1), a(2), …` are the first ones
    /// and then the others over and over.
    Ostrowski { first: Vec<u32>, cycle: Vec<u32> },
}

impl NumerationSystem {
    /// Base `k`, for `k >= 2`.
    pub fn base(k: u32) -> Result<Self, Error> {
        if k >= 2 && k as usize <= MAX_LETTERS {
            Ok(Self(Kind::Base(k)))
        } else {
            Err(Error::System)
        }
    }

    /// Zeckendorf's system: sums of Fibonacci numbers 1, 2, 3, 5, … no two of which are neighbours.
    pub fn zeckendorf() -> Self {
        Self::wythoff(1).expect("1 is a step")
    }

    /// The Pell numbers 1, 2, 5, 12, …: the denominators of the convergents of √2.
    pub fn pell() -> Self {
        Self::ostrowski(&[], &[2]).expect("2 is a quotient")
    }

    /// The system of the r-Wythoff game: the numerators 1, r+1, r(r+1)+1, … of the convergents of
    /// `[1; r, r, …] = (2 - r + √(r² + 4)) / 2`.
    ///
    /// In it the lost positions can be read off the digits: Fraenkel (1982), *How to beat your Wythoff games' opponent
    /// on three fronts*.
    pub fn wythoff(r: u32) -> Result<Self, Error> {
        Self::ostrowski(&[r.checked_add(1).ok_or(Error::System)?], &[r])
    }

    /// The system of Ostrowski (1922) of the number `[0; a(1), a(2), …]`, whose places are the denominators of its
    /// convergents; the quotients are `first`, then `cycle` over and over, so the number is a quadratic irrational.
    ///
    /// Digits: `d(0) < a(1)`, `d(i) <= a(i+1)`, and `d(i) = a(i+1)` only before `d(i-1) = 0`. The first quotient is
    /// at least 2: `[0; 1, a, …]` has the places of `[0; a+1, …]` and one more that is never used.
    pub fn ostrowski(first: &[u32], cycle: &[u32]) -> Result<Self, Error> {
        let mut quotients = first.iter().chain(cycle);
        let small = |&quotient: &u32| quotient >= 1 && (quotient as usize) < MAX_LETTERS;
        let leading = first.first().or(cycle.first());
        if cycle.is_empty() || !quotients.all(small) || leading == Some(&1) {
            return Err(Error::System);
        }
        // Equal systems are written equally: the shortest cycle, entered as early as possible.
        let mut cycle = cycle.to_vec();
        let repeats = |length: &usize| {
            cycle.len().is_multiple_of(*length)
                && (*length..cycle.len()).all(|i| cycle[i] == cycle[i - length])
        };
        let length = (1..=cycle.len())
            .find(repeats)
            .expect("a cycle repeats itself");
        cycle.truncate(length);
        let mut first = first.to_vec();
        while first.last().is_some_and(|last| Some(last) == cycle.last()) {
            first.pop();
            cycle.rotate_right(1);
        }
        Ok(Self(Kind::Ostrowski { first, cycle }))
    }

    /// The base, if it is one.
    pub fn as_base(&self) -> Option<u32> {
        match self.0 {
            Kind::Base(k) => Some(k),
            Kind::Ostrowski { .. } => None,
        }
    }

    /// The quotients of an Ostrowski system: the first ones, and those that repeat.
    pub fn as_ostrowski(&self) -> Option<(&[u32], &[u32])> {
        match &self.0 {
            Kind::Base(_) => None,
            Kind::Ostrowski { first, cycle } => Some((first, cycle)),
        }
    }

    /// How many digits there are: they are less than this.
    pub fn radix(&self) -> u32 {
        match &self.0 {
            Kind::Base(k) => *k,
            Kind::Ostrowski { first, cycle } => {
                // The lowest digit is less than its quotient.
                let lowest = first.iter().take(1).map(|quotient| quotient - 1);
                let others = first.iter().skip(1).chain(cycle).copied();
                lowest.chain(others).max().expect("a quotient") + 1
            }
        }
    }

    /// Whether places far up are made in different ways.
    pub(crate) fn varies(&self) -> bool {
        matches!(&self.0, Kind::Ostrowski { cycle, .. } if cycle.len() > 1)
    }

    /// The factor `a(i)` in `U(i) = a(i) U(i-1) + …`, for `i >= 1`.
    fn factor(&self, i: usize) -> u32 {
        match &self.0 {
            Kind::Base(k) => *k,
            Kind::Ostrowski { first, cycle } => match first.get(i - 1) {
                Some(&quotient) => quotient,
                None => cycle[(i - 1 - first.len()) % cycle.len()],
            },
        }
    }

    /// The largest digit at place `i`, and whether it must stand before a zero.
    fn largest(&self, i: usize) -> (u32, bool) {
        let factor = self.factor(i + 1);
        match self.0 {
            Kind::Ostrowski { .. } if i > 0 => (factor, true),
            _ => (factor - 1, false),
        }
    }

    /// The worth `U(0), U(1), …` of the places, up to the first that exceeds `bound`.
    fn places(&self, bound: &BigUint) -> Vec<BigUint> {
        let mut places = vec![BigUint::from(1u32)];
        while places.last().is_some_and(|last| last <= bound) {
            let i = places.len();
            let mut next = &places[i - 1] * self.factor(i);
            if matches!(self.0, Kind::Ostrowski { .. }) && i >= 2 {
                next += &places[i - 2];
            }
            places.push(next);
        }
        places
    }

    /// The digits of a number, most significant first and without a leading zero. Zero has none.
    pub fn digits(&self, number: &BigUint) -> Vec<u32> {
        if number.is_zero() {
            return Vec::new();
        }
        if let Kind::Base(k @ ..=256) = self.0 {
            let digits = number.to_radix_be(k);
            return digits.into_iter().map(u32::from).collect();
        }
        let places = self.places(number);
        let mut rest = number.clone();
        // The last place exceeds the number.
        let below = places.iter().rev().skip(1);
        below
            .map(|place| {
                let (digit, left) = rest.div_rem(place);
                rest = left;
                digit.to_u32().expect("a digit is less than the radix")
            })
            .collect()
    }

    /// The number that digits stand for, most significant first, canonical or not.
    pub fn number(&self, digits: &[u32]) -> BigUint {
        // The value of what is read is a·U(i) + b·U(i-1), where the places below i are still to come.
        let (mut a, mut b) = (BigUint::ZERO, BigUint::ZERO);
        let ostrowski = matches!(self.0, Kind::Ostrowski { .. });
        for (read, &digit) in digits.iter().enumerate() {
            let next = &a * self.factor(digits.len() - read) + b + digit;
            b = if ostrowski { a } else { BigUint::ZERO };
            a = next;
        }
        a
    }

    /// Whether digits, most significant first, are as [`digits`](Self::digits) writes them but for leading zeros.
    pub fn is_canonical(&self, digits: &[u32]) -> bool {
        let mut zero_next = false;
        digits.iter().enumerate().all(|(read, &digit)| {
            let (largest, before_zero) = self.largest(digits.len() - 1 - read);
            let fits = digit <= largest && !(zero_next && digit > 0);
            zero_next = before_zero && digit == largest;
            fits
        })
    }

    /// The places by what an automaton must know of them.
    pub(crate) fn classes(&self) -> Vec<Class> {
        let (unique, cycle, carry) = match &self.0 {
            Kind::Base(_) => (0, 1, 0),
            Kind::Ostrowski { first, cycle } => (first.len().max(1), cycle.len(), 1),
        };
        (0..=unique + cycle)
            .map(|i| Class {
                factor: if i == 0 { 0 } else { self.factor(i) },
                carry,
                largest: if i == 0 {
                    (0, false)
                } else {
                    self.largest(i - 1)
                },
                below: match i {
                    0 => vec![],
                    _ if i == unique + 1 => vec![i - 1, unique + cycle],
                    _ => vec![i - 1],
                },
            })
            .collect()
    }
}

/// A class of heights: how many digits are still to be read, as far as it matters for what they are worth.
///
/// Class 0 is the end of the word. Every other one says what reading the next digit does: what was
/// `a·U(i) + b·U(i-1)` becomes `(factor·a + b + digit)·U(i-1) + carry·a·U(i-2)`.
pub(crate) struct Class {
    pub factor: u32,
    pub carry: u32,
    /// The largest next digit, and whether it must stand before a zero.
    pub largest: (u32, bool),
    /// The classes that may come next. Which one does, the rest of the word tells.
    pub below: Vec<usize>,
}
