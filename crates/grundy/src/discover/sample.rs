//! What is known of a game for small positions, in the terms of a law.

use grundy_automata::NumerationSystem;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use super::RARELY;
use super::numerals::{BOUND, Numerals};
use crate::proof::automatic::Says;
use crate::tabulate::{Area, Entries, Entry, tabulate};

/// Values or outcomes of all positions of a box, and of some others.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// How many numbers there are at each place.
    sides: Vec<u64>,
    entries: Entries,
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
            entries: table.entries,
            others: Vec::new(),
        })
    }

    /// How many numbers there are at each place.
    pub(super) fn sides(&self) -> &[u64] {
        &self.sides
    }

    /// Whether all entries are values.
    pub(super) fn has_values(&self) -> bool {
        let is_value = |entry| matches!(entry, Entry::Value(_) | Entry::NoPosition);
        self.entries.iter().all(is_value)
    }

    /// The values of the first heaps, if it is of heaps of one number and has values.
    pub(super) fn first_values(&self, count: u64) -> Vec<u64> {
        let value = |n: u64| {
            self.at(&[n], Says::Value)
                .filter(|value| *value != EXCLUDED)
        };
        let is_of_heaps = self.sides.len() == 1;
        let heaps = (0..count).take_while(|_| is_of_heaps);
        heaps.map_while(value).collect()
    }

    /// The greatest number that a law relates to a position of the box.
    pub(super) fn greatest(&self, says: Says) -> u64 {
        let all = self.entries.iter().map(|entry| said(entry, says));
        all.filter(|said| *said != EXCLUDED).max().unwrap_or(0)
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
        Some(said(self.entries.get(index), says))
    }

    /// Where an automaton says something else than is known.
    ///
    /// `accepts` is asked about the digits of the numbers of a position, and of its value in a law about values, the
    /// least significant first.
    pub(super) fn contradiction(
        &self,
        says: Says,
        system: &NumerationSystem,
        accepts: impl Fn(&[&[u32]]) -> bool,
    ) -> Option<Contradiction> {
        let numerals = Numerals::new(system);
        let mut value = Vec::new();
        let mut wrong = |written: &[Vec<u32>], entry: Entry| {
            if entry == Entry::NoPosition {
                return false;
            }
            let answer = said(entry, says);
            let mut words: Vec<&[u32]> = written.iter().map(Vec::as_slice).collect();
            if says.has_value() {
                // A value that the law cannot say refutes it.
                if answer == EXCLUDED {
                    return true;
                }
                if answer < BOUND {
                    numerals.write(answer, &mut value);
                } else {
                    value = digits(system, &BigUint::from(answer));
                }
                words.push(&value);
                return !accepts(&words);
            }
            accepts(&words) != (answer != EXCLUDED)
        };
        let rare = self.entries.len() / RARELY;
        let (mut first, mut count) = (None, 0);
        let mut numbers = vec![0u64; self.sides.len()];
        let mut written: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
        for entry in self.entries.iter() {
            if wrong(&written, entry) {
                first.get_or_insert_with(|| numbers.iter().copied().map(BigUint::from).collect());
                count += 1;
                if count > rare {
                    break;
                }
            }
            let places = numbers.iter_mut().zip(&mut written);
            for ((number, written), side) in places.zip(&self.sides).rev() {
                *number += 1;
                if *number == *side {
                    *number = 0;
                }
                numerals.write(*number, written);
                if *number > 0 {
                    break;
                }
            }
        }
        let is_rare = count <= rare;
        if first.is_none() {
            let contradicts = |(numbers, entry): &&(Vec<BigUint>, Entry)| {
                let written: Vec<_> = numbers.iter().map(|n| digits(system, n)).collect();
                wrong(&written, *entry)
            };
            let other = self.others.iter().find(contradicts);
            first = other.map(|(numbers, _)| numbers.clone());
        }
        let first = first?;
        Some(Contradiction { first, is_rare })
    }
}

/// Positions of which an automaton says something else than is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// The first one.
    pub(super) first: Vec<BigUint>,
    /// Whether there are few in the box.
    pub(super) is_rare: bool,
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
