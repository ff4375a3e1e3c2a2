//! What is known of a game for small positions, in the terms of a law.

use grundy_automata::NumerationSystem;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use crate::proof::automatic::Says;
use crate::tabulate::{Area, Entry, tabulate};

/// Values or outcomes of all positions of a box, and of some others.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// How many numbers there are at each place.
    sides: Vec<u64>,
    entries: Vec<Entry>,
    /// What refuted guesses have shown.
    others: Vec<(Vec<BigUint>, Entry)>,
}

/// What a law says of a position that it excludes.
pub(super) const EXCLUDED: u64 = u64::MAX;

/// The largest value that is taken for the exponent of a power.
const MOST_EXPONENT: u64 = 40;

impl Sample {
    /// Everything below these bounds; `None` where some of it is not decided within the meter.
    pub(super) fn new(ruleset: &Ruleset, sides: &[u64], meter: &mut Meter) -> Option<Self> {
        let bounds = sides.iter().map(|side| side - 1).collect();
        let area = Area::new(ruleset, bounds).ok()?;
        let table = tabulate(ruleset, area, meter, &|_| ());
        table.undecided.is_none().then(|| Self {
            sides: sides.to_vec(),
            entries: table.entries.iter().collect(),
            others: Vec::new(),
        })
    }

    /// How many numbers there are at each place.
    pub(super) fn sides(&self) -> &[u64] {
        &self.sides
    }

    /// Whether all entries are values.
    pub(super) fn has_values(&self) -> bool {
        let is_value = |entry: &Entry| matches!(entry, Entry::Value(_) | Entry::NoPosition);
        self.entries.iter().all(is_value)
    }

    /// Adds what is so for a position.
    pub(super) fn learn(&mut self, numbers: Vec<BigUint>, entry: Entry) {
        self.others.push((numbers, entry));
    }

    /// Adds what another one has learned.
    pub(super) fn remember(&mut self, other: &Self) {
        self.others.extend(other.others.iter().cloned());
    }

    /// What a law says of a position of the box; `None` outside of it.
    pub(super) fn at(&self, numbers: &[u64], says: Says) -> Option<u64> {
        let mut index = 0;
        for (number, side) in numbers.iter().zip(&self.sides) {
            if number >= side {
                return None;
            }
            index = index * side + number;
        }
        let entry = self.entries.get(usize::try_from(index).ok()?)?;
        Some(said(*entry, says))
    }

    /// The first position known of which an automaton says something else.
    ///
    /// `accepts` is asked about the digits of the numbers of a position, and of its value in a law about values, the
    /// least significant first.
    pub(super) fn contradiction(
        &self,
        says: Says,
        system: &NumerationSystem,
        accepts: impl Fn(&[&[u32]]) -> bool,
    ) -> Option<Vec<BigUint>> {
        let side = self.sides.iter().copied().max().unwrap_or(0);
        let written: Vec<Vec<u32>> = (0..side)
            .map(|n| digits(system, &BigUint::from(n)))
            .collect();
        let wrong = |words: &mut Vec<&[u32]>, entry: Entry| {
            if entry == Entry::NoPosition {
                return false;
            }
            let answer = said(entry, says);
            let value: Vec<u32>;
            if says.has_value() {
                // A value that the law cannot say refutes it.
                if answer == EXCLUDED {
                    return true;
                }
                value = digits(system, &BigUint::from(answer));
                let words = [words.as_slice(), &[value.as_slice()]].concat();
                return !accepts(&words);
            }
            accepts(words) != (answer != EXCLUDED)
        };
        let mut numbers = vec![0u64; self.sides.len()];
        let mut words: Vec<&[u32]> = Vec::with_capacity(numbers.len());
        for entry in &self.entries {
            words.clear();
            let word = |n: &u64| written[usize::try_from(*n).expect("below the side")].as_slice();
            words.extend(numbers.iter().map(word));
            if wrong(&mut words, *entry) {
                return Some(numbers.into_iter().map(BigUint::from).collect());
            }
            for (number, side) in numbers.iter_mut().zip(&self.sides).rev() {
                *number += 1;
                if *number < *side {
                    break;
                }
                *number = 0;
            }
        }
        let contradicts = |(numbers, entry): &&(Vec<BigUint>, Entry)| {
            let written: Vec<_> = numbers.iter().map(|n| digits(system, n)).collect();
            wrong(&mut written.iter().map(Vec::as_slice).collect(), *entry)
        };
        let other = self.others.iter().find(contradicts);
        other.map(|(numbers, _)| numbers.clone())
    }
}

/// The number that a law relates to a position; 0 where it only admits the position.
fn said(entry: Entry, says: Says) -> u64 {
    match (says, entry) {
        (Says::Value, Entry::Value(value)) => value,
        (Says::PowerOfValue, Entry::Value(value)) if value < MOST_EXPONENT => 1 << value,
        (Says::Lost { .. }, entry) if entry.is_lost() => 0,
        _ => EXCLUDED,
    }
}

fn digits(system: &NumerationSystem, n: &BigUint) -> Vec<u32> {
    let mut digits = system.digits(n);
    digits.reverse();
    digits
}
