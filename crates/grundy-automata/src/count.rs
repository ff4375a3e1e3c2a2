//! Counting words and numbers, and listing them in order.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::alphabet::Letter;
use crate::automaton::{Automaton, State, index};
use crate::error::Error;
use crate::meter::{Limit, Meter};
use crate::relation::Relation;
use crate::subset::DigitOrder;

impl Automaton {
    /// How many words of each length up to `length` are accepted: that of the empty word first.
    ///
    /// Linear in the length, the states and the letters, and the numbers grow with the length.
    pub fn count_words(&self, length: usize, meter: &mut Meter) -> Result<Vec<BigUint>, Limit> {
        let mut ways = vec![BigUint::ZERO; self.states()];
        ways[0] = BigUint::one();
        let mut counts = Vec::new();
        loop {
            let ended = (0..self.states()).filter(|&state| self.is_accepting(index(state)));
            counts.push(ended.map(|state| &ways[state]).sum());
            if counts.len() > length {
                return Ok(counts);
            }
            meter.spend(self.table().len() as u64)?;
            let mut next = vec![BigUint::ZERO; self.states()];
            for (state, ways) in ways.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                for &target in self.row(index(state)) {
                    next[target as usize] += ways;
                }
            }
            ways = next;
        }
    }
}

impl Relation {
    /// How many tuples have each number below its bound.
    ///
    /// Polynomial in the digits of the bounds: it counts the words that reach each state with each answer to which
    /// numbers are below so far. Exponential in the number of tracks only.
    pub fn count_below(&self, bounds: &[BigUint], meter: &mut Meter) -> Result<BigUint, Error> {
        if bounds.len() != self.tracks() {
            return Err(Error::Tracks);
        }
        let alphabet = self.automaton().alphabet();
        let order = self.encoding().order;
        let digits: Vec<Vec<u32>> = (0..alphabet.letters())
            .map(|letter| alphabet.digits(index(letter)))
            .collect();
        let sinks = self.automaton().sinks();
        // Bit `t` says that number `t` is below its bound by the digits read so far.
        let mut ways = BTreeMap::from([((0, 0u32), BigUint::one())]);
        for letter in self.encoding().word(bounds)? {
            let bound = alphabet.digits(letter);
            meter.spend(ways.len() as u64 * digits.len() as u64)?;
            let mut next: BTreeMap<(State, u32), BigUint> = BTreeMap::new();
            for ((state, below), ways) in &ways {
                for (letter, digits) in digits.iter().enumerate() {
                    let target = self.automaton().next(*state, index(letter));
                    if sinks[target as usize] == Some(false) {
                        continue;
                    }
                    if let Some(below) = compared(*below, digits, &bound, order) {
                        *next.entry((target, below)).or_default() += ways;
                    }
                }
            }
            ways = next;
        }
        let all_below = (1u32 << bounds.len()) - 1;
        Ok(ways
            .iter()
            .filter(|((state, below), _)| {
                *below == all_below && self.automaton().is_accepting(*state)
            })
            .map(|(_, ways)| ways)
            .sum())
    }

    /// The tuples in the order of their words, shorter ones first; numbers, where each tuple is one, in their order.
    ///
    /// A tuple's word has no leading zero letter here, most significant digits count first whatever the encoding's
    /// order, and of the digits at one place the first track's.
    pub fn tuples(&self) -> Tuples<'_> {
        Tuples {
            relation: self,
            length: 0,
            last_found: 0,
            path: None,
            layers: Vec::new(),
            ended: false,
        }
    }
}

/// Which numbers are below their bounds after one more digit of each; `None` if one can no longer be.
fn compared(mut below: u32, digits: &[u32], bound: &[u32], order: DigitOrder) -> Option<u32> {
    for (track, (digit, bound)) in digits.iter().zip(bound).enumerate() {
        let bit = 1 << track;
        match (digit.cmp(bound), order) {
            (Ordering::Less, _) => below |= bit,
            (Ordering::Greater, DigitOrder::Lsd) => below &= !bit,
            (Ordering::Greater, DigitOrder::Msd) if below & bit == 0 => return None,
            (Ordering::Greater, DigitOrder::Msd) | (Ordering::Equal, _) => {}
        }
    }
    Some(below)
}

/// The tuples of a relation one after the other, as [`Relation::tuples`] orders them.
///
/// Finding the next one takes time polynomial in its digits and in the states.
#[derive(Clone, Debug)]
pub struct Tuples<'a> {
    relation: &'a Relation,
    /// The length of the words that are being listed, and of the longest found.
    length: usize,
    last_found: usize,
    /// The choices that make the last word found; `None` before the words of this length.
    path: Option<Vec<Choice>>,
    /// Layer `r` says with which states `r` more letters can still make a word.
    layers: Vec<Vec<bool>>,
    ended: bool,
}

/// The most significant letters chosen so far, by what they leave possible.
///
/// Most significant first this is the one state they lead to. Least significant first they come last, and it is every
/// state from which they lead to acceptance.
#[derive(Clone, Debug)]
struct Choice {
    states: Vec<State>,
    /// The next letter to try from here.
    next: usize,
}

impl Tuples<'_> {
    /// The next tuple, or `None` after the last one.
    pub fn next(&mut self, meter: &mut Meter) -> Result<Option<Vec<BigUint>>, Limit> {
        while !self.ended {
            if let Some(word) = self.next_of_length(meter)? {
                self.last_found = self.length;
                let mut word = word;
                if self.relation.encoding().order == DigitOrder::Lsd {
                    word.reverse();
                }
                let numbers = self
                    .relation
                    .encoding()
                    .numbers(self.relation.tracks(), &word);
                return Ok(Some(numbers.expect("letters of the alphabet")));
            }
            // A word that is longer by more than there are states has a loop that does not touch its most significant
            // letter. Without the loop it is a word still longer than the longest found, but not by as much.
            self.ended = self.length - self.last_found > self.relation.automaton().states();
            self.length += 1;
            self.path = None;
        }
        Ok(None)
    }

    /// The next word of this length, most significant letter first.
    fn next_of_length(&mut self, meter: &mut Meter) -> Result<Option<Vec<Letter>>, Limit> {
        self.fill_layers(meter)?;
        let automaton = self.relation.automaton();
        let letters = automaton.alphabet().letters();
        let mut path = match self.path.take() {
            Some(path) => path,
            None => {
                let states = match self.relation.encoding().order {
                    DigitOrder::Msd => vec![0],
                    DigitOrder::Lsd => (0..index(automaton.states()))
                        .filter(|&state| automaton.is_accepting(state))
                        .collect(),
                };
                if !self.possible(&states, self.length) {
                    return Ok(None);
                }
                // The most significant letter is not zero.
                let start = Choice { states, next: 1 };
                if self.length == 0 {
                    self.path = Some(Vec::new());
                    return Ok(Some(Vec::new()));
                }
                vec![start]
            }
        };
        while let Some(choice) = path.last_mut() {
            if choice.next >= letters {
                path.pop();
                continue;
            }
            let letter = index(choice.next);
            choice.next += 1;
            let states = self.step(&path.last().expect("a choice").states, letter);
            meter.spend(automaton.states() as u64)?;
            let left = self.length - path.len();
            if !self.possible(&states, left) {
                continue;
            }
            if left > 0 {
                path.push(Choice { states, next: 0 });
                continue;
            }
            let word = path.iter().map(|choice| index(choice.next - 1)).collect();
            self.path = Some(path);
            return Ok(Some(word));
        }
        self.path = Some(path);
        Ok(None)
    }

    /// What one more letter, less significant than those chosen, leaves possible.
    fn step(&self, states: &[State], letter: Letter) -> Vec<State> {
        let automaton = self.relation.automaton();
        match self.relation.encoding().order {
            DigitOrder::Msd => states
                .iter()
                .map(|&state| automaton.next(state, letter))
                .collect(),
            DigitOrder::Lsd => {
                // The sets are ascending.
                (0..index(automaton.states()))
                    .filter(|&state| states.binary_search(&automaton.next(state, letter)).is_ok())
                    .collect()
            }
        }
    }

    fn possible(&self, states: &[State], left: usize) -> bool {
        let layer = &self.layers[left];
        states.iter().any(|&state| layer[state as usize])
    }

    /// Makes the layers of up to `length` letters.
    fn fill_layers(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        let automaton = self.relation.automaton();
        let order = self.relation.encoding().order;
        while self.layers.len() <= self.length {
            meter.spend(automaton.table().len() as u64)?;
            let layer = match (self.layers.last(), order) {
                (None, DigitOrder::Msd) => automaton.accepting().to_vec(),
                (None, DigitOrder::Lsd) => {
                    (0..automaton.states()).map(|state| state == 0).collect()
                }
                // The states from which one more letter leads into the last layer.
                (Some(last), DigitOrder::Msd) => (0..automaton.states())
                    .map(|state| {
                        let row = automaton.row(index(state));
                        row.iter().any(|&target| last[target as usize])
                    })
                    .collect(),
                // The states into which one more letter leads from the last layer.
                (Some(last), DigitOrder::Lsd) => {
                    let mut layer = vec![false; automaton.states()];
                    for (state, _) in last.iter().enumerate().filter(|(_, reached)| **reached) {
                        for &target in automaton.row(index(state)) {
                            layer[target as usize] = true;
                        }
                    }
                    layer
                }
            };
            self.layers.push(layer);
        }
        Ok(())
    }
}
