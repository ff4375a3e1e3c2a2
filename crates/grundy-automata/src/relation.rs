//! Relations between numbers that an automaton decides, reading their digits in parallel.

use num_bigint::BigUint;

use crate::alphabet::{Alphabet, Letter};
use crate::atom;
use crate::automaton::{Automaton, index};
use crate::error::Error;
use crate::meter::Meter;
use crate::numeration::NumerationSystem;
use crate::subset::DigitOrder;

/// How tuples of numbers are written as words: a numeration system, and which end comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// The numeration system of every track.
    pub system: NumerationSystem,
    /// Which end comes first.
    pub order: DigitOrder,
}

impl Encoding {
    /// The encoding that reads this system in this order.
    pub fn new(system: NumerationSystem, order: DigitOrder) -> Self {
        Self { system, order }
    }

    /// The alphabet of tuples of so many numbers.
    pub fn alphabet(&self, tracks: usize) -> Result<Alphabet, Error> {
        Alphabet::uniform(self.system.radix(), tracks)
    }

    /// The shortest word of a tuple: the longest number has no leading zero.
    pub fn word(&self, numbers: &[BigUint]) -> Result<Vec<Letter>, Error> {
        self.padded_word(numbers, 0)
    }

    /// The word of a tuple with at least `length` letters.
    pub fn padded_word(&self, numbers: &[BigUint], length: usize) -> Result<Vec<Letter>, Error> {
        let alphabet = self.alphabet(numbers.len())?;
        let words: Vec<Vec<u32>> = numbers.iter().map(|n| self.system.digits(n)).collect();
        let length = words.iter().map(Vec::len).fold(length, usize::max);
        let mut word: Vec<Letter> = (0..length)
            .map(|at| {
                let digit = |digits: &Vec<u32>| {
                    let zeros = length - digits.len();
                    at.checked_sub(zeros).map_or(0, |at| digits[at])
                };
                let digits: Vec<u32> = words.iter().map(digit).collect();
                alphabet.letter(&digits).expect("digits of the system")
            })
            .collect();
        if self.order == DigitOrder::Lsd {
            word.reverse();
        }
        Ok(word)
    }

    /// The numbers that a word over the alphabet of so many tracks writes.
    pub fn numbers(&self, tracks: usize, word: &[Letter]) -> Result<Vec<BigUint>, Error> {
        let alphabet = self.alphabet(tracks)?;
        if word
            .iter()
            .any(|&letter| letter as usize >= alphabet.letters())
        {
            return Err(Error::Radix);
        }
        let mut letters: Vec<Vec<u32>> =
            word.iter().map(|&letter| alphabet.digits(letter)).collect();
        if self.order == DigitOrder::Lsd {
            letters.reverse();
        }
        Ok((0..tracks)
            .map(|track| {
                let digits: Vec<u32> = letters.iter().map(|letter| letter[track]).collect();
                self.system.number(&digits)
            })
            .collect())
    }
}

/// A set of tuples of numbers, as the minimal automaton of the words that write them.
///
/// Always true: only canonical words are accepted, and a word is accepted with any number of zeros at its most
/// significant end or with none. So equal sets under one encoding are equal relations (`==`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    encoding: Encoding,
    automaton: Automaton,
}

impl Relation {
    /// The relation that an automaton decides, if it decides one: it must accept canonical words only, and not see
    /// zeros at the most significant end.
    pub fn new(
        encoding: Encoding,
        automaton: &Automaton,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let tracks = automaton.alphabet().tracks();
        if *automaton.alphabet() != encoding.alphabet(tracks)? {
            return Err(Error::Radix);
        }
        let automaton = automaton.minimise(meter)?;
        let canonical = atom::canonical_tracks(&encoding, tracks, meter)?;
        if automaton.included_in(&canonical, meter)?.is_err() {
            return Err(Error::NotCanonical);
        }
        // Letter 0 is the zero of all tracks. States of a minimal automaton are equal or differ by some word.
        let padded = match encoding.order {
            DigitOrder::Msd => automaton.next(0, 0) == 0,
            DigitOrder::Lsd => (0..automaton.states()).map(index).all(|state| {
                automaton.is_accepting(state) == automaton.is_accepting(automaton.next(state, 0))
            }),
        };
        if padded {
            Ok(Self {
                encoding,
                automaton,
            })
        } else {
            Err(Error::Padding)
        }
    }

    /// The canonical words of an automaton that keeps padding, as a relation.
    pub(crate) fn of_canonical(
        encoding: &Encoding,
        automaton: &Automaton,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let tracks = automaton.alphabet().tracks();
        let canonical = atom::canonical_tracks(encoding, tracks, meter)?;
        let automaton = if canonical.is_universal() {
            automaton.minimise(meter)?
        } else {
            automaton.intersection(&canonical, meter)?.minimise(meter)?
        };
        Ok(Self {
            encoding: encoding.clone(),
            automaton,
        })
    }

    /// The relation of a minimal automaton that keeps padding and accepts canonical words only.
    pub(crate) fn of_minimal(encoding: &Encoding, automaton: Automaton) -> Self {
        Self {
            encoding: encoding.clone(),
            automaton,
        }
    }

    /// All tuples, or none, of so many numbers.
    pub fn constant(
        encoding: &Encoding,
        tracks: usize,
        holds: bool,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let all = Automaton::constant(encoding.alphabet(tracks)?, holds);
        Self::of_canonical(encoding, &all, meter)
    }

    /// How its numbers are written.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The minimal automaton that decides it.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// How many numbers a tuple has.
    pub fn tracks(&self) -> usize {
        self.automaton.alphabet().tracks()
    }

    /// Whether a tuple is in the relation. One of another length never is.
    pub fn contains(&self, numbers: &[BigUint]) -> bool {
        numbers.len() == self.tracks()
            && self
                .encoding
                .word(numbers)
                .is_ok_and(|word| self.automaton.accepts(&word))
    }

    /// Whether no tuple is in it.
    pub fn is_empty(&self) -> bool {
        self.automaton.is_empty()
    }

    /// A tuple of the relation whose word is shortest; `None` if there is no tuple.
    pub fn witness(&self) -> Option<Vec<BigUint>> {
        self.automaton.shortest().map(|word| self.read(&word))
    }

    fn read(&self, word: &[Letter]) -> Vec<BigUint> {
        let numbers = self.encoding.numbers(self.tracks(), word);
        numbers.expect("a word over the automaton's alphabet")
    }

    /// The tuples that are not in it.
    pub fn complement(&self, meter: &mut Meter) -> Result<Self, Error> {
        Self::of_canonical(&self.encoding, &self.automaton.clone().complement(), meter)
    }

    /// The tuples that are in both.
    pub fn intersection(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a && b, meter)
    }

    /// The tuples that are in at least one.
    pub fn union(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a || b, meter)
    }

    /// The tuples that are in this one and not in the other.
    pub fn difference(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a && !b, meter)
    }

    /// `keep(false, false)` must be false: what is in neither may not write a number.
    fn product(
        &self,
        other: &Self,
        keep: impl Fn(bool, bool) -> bool,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        if self.encoding != other.encoding {
            return Err(Error::Encoding);
        }
        let automaton = self.automaton.product(&other.automaton, keep, meter)?;
        Ok(Self {
            encoding: self.encoding.clone(),
            automaton: automaton.minimise(meter)?,
        })
    }

    /// The tuples, restricted to some of their numbers, that some choice of the others completes.
    pub fn project(&self, keep: &[usize], meter: &mut Meter) -> Result<Self, Error> {
        let automaton = self.automaton.project(keep, self.encoding.order, meter)?;
        Ok(Self {
            encoding: self.encoding.clone(),
            automaton: automaton.minimise(meter)?,
        })
    }

    /// The tuples of the other numbers where the number of this track is `n`: the value of a function at `n`, say.
    ///
    /// Takes as many states as there are digits, times those of the relation.
    pub fn restrict(&self, track: usize, n: &BigUint, meter: &mut Meter) -> Result<Self, Error> {
        let all: Vec<usize> = (0..self.tracks()).collect();
        let others: Vec<usize> = all
            .iter()
            .copied()
            .filter(|&other| other != track)
            .collect();
        let number = Self::number(&self.encoding, n, meter)?;
        let restricted = self.automaton.join(
            &all,
            &number.automaton,
            &[track],
            self.automaton.alphabet(),
            |a, b| a && b,
            meter,
        )?;
        let automaton = restricted.project(&others, self.encoding.order, meter)?;
        Ok(Self {
            encoding: self.encoding.clone(),
            automaton: automaton.minimise(meter)?,
        })
    }

    /// Whether all tuples of this one are in the other; otherwise one that is not.
    pub fn included_in(
        &self,
        other: &Self,
        meter: &mut Meter,
    ) -> Result<Result<(), Vec<BigUint>>, Error> {
        let difference = self.difference(other, meter)?;
        Ok(difference.witness().map_or(Ok(()), Err))
    }

    /// Whether both have the same tuples; otherwise one that only one of them has.
    pub fn equivalent(
        &self,
        other: &Self,
        meter: &mut Meter,
    ) -> Result<Result<(), Vec<BigUint>>, Error> {
        let difference = self.product(other, |a, b| a != b, meter)?;
        Ok(difference.witness().map_or(Ok(()), Err))
    }

    /// The same relation read from the other end. May be exponentially larger, or smaller.
    pub fn reversed(&self, meter: &mut Meter) -> Result<Self, Error> {
        let encoding = Encoding {
            system: self.encoding.system.clone(),
            order: self.encoding.order.reversed(),
        };
        Ok(Self {
            encoding,
            automaton: self.automaton.reverse(meter)?.minimise(meter)?,
        })
    }
}
