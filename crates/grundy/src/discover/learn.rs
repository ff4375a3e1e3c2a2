//! Automata learned from what is known of small positions.
//!
//! Two words that lead to the same state of a minimal automaton are continued to acceptance by the same words (Myhill
//! 1957, Nerode 1958). Here two words are taken to be such if that is so for all continuations of a length: for too
//! small a length states are merged that differ. What is learned is a guess.

use grundy_automata::{Alphabet, Automaton, DigitOrder, Encoding, Meter, Relation};
use rustc_hash::FxHashMap;

use super::numerals::Numerals;
use super::sample::{EXCLUDED, Sample};
use crate::proof::automatic::Says;

/// Why nothing was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotLearned {
    /// Some continuation leaves what is known.
    Unknown,
    /// There are more states than are allowed.
    States,
    /// What was learned takes words apart that write the same numbers, or a limit was reached.
    NoRelation,
}

/// Learns the relation of a law from positions below `sides`, by continuations of up to `length` letters.
pub(super) fn learn(
    sample: &Sample,
    sides: &[u64],
    says: Says,
    encoding: &Encoding,
    length: usize,
    states: usize,
    meter: &mut Meter,
) -> Result<Relation, NotLearned> {
    let tracks = sides.len() + usize::from(says.has_value());
    let alphabet = encoding
        .alphabet(tracks)
        .map_err(|_| NotLearned::NoRelation)?;
    let teacher = Teacher {
        sample,
        sides,
        says,
        numerals: Numerals::new(&encoding.system),
        order: encoding.order,
        length,
    };
    let automaton = teacher.automaton(&alphabet, states, meter)?;
    Relation::new(encoding.clone(), &automaton, meter).map_err(|_| NotLearned::NoRelation)
}

struct Teacher<'s> {
    sample: &'s Sample,
    sides: &'s [u64],
    says: Says,
    numerals: Numerals,
    order: DigitOrder,
    length: usize,
}

/// What the continuations of a word decide.
struct Signature {
    answers: Vec<u64>,
    /// Whether the word itself is accepted.
    accepted: bool,
}

/// What stands for a continuation that writes no number.
const NO_NUMBER: u64 = EXCLUDED - 1;

impl Teacher<'_> {
    fn automaton(
        &self,
        alphabet: &Alphabet,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Automaton, NotLearned> {
        let digits: Vec<Vec<u32>> = (0..alphabet.letters())
            .map(|letter| alphabet.digits(u32::try_from(letter).expect("letters are few")))
            .collect();
        // State 0 is the start, state 1 the one from which nothing is accepted.
        let empty = vec![Vec::new(); alphabet.tracks()];
        let start = self.signature(&empty)?.ok_or(NotLearned::Unknown)?;
        let mut numbers = FxHashMap::from_iter([(start.answers, 0u32)]);
        let mut words = vec![Some(empty), None];
        let mut accepting = vec![start.accepted, false];
        let mut table = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at).cloned() {
            at += 1;
            let Some(word) = word else {
                table.resize(table.len() + digits.len(), 1);
                continue;
            };
            for letter in &digits {
                let longer = word.iter().zip(letter);
                let longer: Vec<Vec<u32>> = longer
                    .map(|(word, digit)| [word.as_slice(), &[*digit]].concat())
                    .collect();
                let Some(Signature { answers, accepted }) = self.signature(&longer)? else {
                    table.push(1);
                    continue;
                };
                let spent = meter.spend(answers.len() as u64);
                spent.map_err(|_| NotLearned::NoRelation)?;
                let new = u32::try_from(words.len()).expect("states are few");
                table.push(*numbers.entry(answers).or_insert_with(|| {
                    words.push(Some(longer));
                    accepting.push(accepted);
                    new
                }));
            }
            if words.len() > most {
                return Err(NotLearned::States);
            }
        }
        Ok(Automaton::new(alphabet.clone(), table, accepting).expect("every state has a row"))
    }

    /// What continuations decide; `None` if none of them is accepted.
    fn signature(&self, word: &[Vec<u32>]) -> Result<Option<Signature>, NotLearned> {
        match self.order {
            DigitOrder::Msd => self.after_beginning(word),
            DigitOrder::Lsd => self.after_ending(word),
        }
    }

    /// What is known of a position, if it is of those to learn from.
    fn answer(&self, numbers: &[u64]) -> Result<u64, NotLearned> {
        let inside = numbers.iter().zip(self.sides).all(|(n, side)| n < side);
        let answer = inside.then(|| self.sample.at(numbers, self.says)).flatten();
        answer.ok_or(NotLearned::Unknown)
    }

    /// The digits of positions, and those of the value.
    fn split<'w, T>(&self, tracks: &'w [T]) -> (&'w [T], Option<&'w T>) {
        let (positions, value) = tracks.split_at(self.sides.len());
        (positions, value.first())
    }

    /// Most significant digit first: for each number of further digits, the answers for all numbers that begin so.
    fn after_beginning(&self, word: &[Vec<u32>]) -> Result<Option<Signature>, NotLearned> {
        let blocks = word
            .iter()
            .map(|digits| self.numerals.block(digits, self.length));
        let Some(blocks) = blocks.collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let (positions, value) = self.split(&blocks);
        let mut answers = Vec::new();
        let (mut accepted, mut any) = (false, false);
        for more in 0..=self.length {
            answers.extend(blocks.iter().map(|block| block.count[more]));
            let first: Vec<u64> = positions.iter().map(|block| block.start[more]).collect();
            let last = positions.iter().map(|b| b.start[more] + b.count[more]);
            let last: Vec<u64> = last.collect();
            let mut numbers = first.clone();
            let mut open = positions.iter().all(|block| block.count[more] > 0);
            while open {
                let answer = self.answer(&numbers)?;
                let rest = match value {
                    _ if answer == EXCLUDED => None,
                    None => Some(0),
                    Some(block) => answer
                        .checked_sub(block.start[more])
                        .filter(|rest| *rest < block.count[more]),
                };
                any |= rest.is_some();
                accepted |= more == 0 && rest.is_some();
                answers.push(rest.unwrap_or(EXCLUDED));
                open = false;
                for (number, (first, last)) in numbers.iter_mut().zip(first.iter().zip(&last)).rev()
                {
                    *number += 1;
                    if *number < *last {
                        open = true;
                        break;
                    }
                    *number = *first;
                }
            }
        }
        Ok(any.then_some(Signature { answers, accepted }))
    }

    /// Least significant digit first: the answers for all numbers that end so, with so many digits before.
    fn after_ending(&self, word: &[Vec<u32>]) -> Result<Option<Signature>, NotLearned> {
        let (positions, value) = self.split(word);
        let ending = |digits: &Vec<u32>| self.numerals.ending(digits, self.length);
        let all: Option<Vec<Vec<Option<u64>>>> = positions.iter().map(ending).collect();
        let Some(all) = all.filter(|_| value.is_none_or(|low| self.numerals.admits(low))) else {
            return Ok(None);
        };
        let mut answers = Vec::new();
        let (mut accepted, mut any) = (false, false);
        let mut places = vec![0; all.len()];
        let mut open = true;
        while open {
            let numbers = places.iter().zip(&all).map(|(at, all)| all[*at]);
            answers.push(match numbers.collect::<Option<Vec<u64>>>() {
                None => NO_NUMBER,
                Some(numbers) => {
                    let answer = self.answer(&numbers)?;
                    let rest = match value {
                        _ if answer == EXCLUDED => None,
                        None => Some(0),
                        Some(low) => self.numerals.beyond(answer, low),
                    };
                    any |= rest.is_some();
                    accepted |= rest == Some(0) && places.iter().all(|at| *at == 0);
                    rest.unwrap_or(EXCLUDED)
                }
            });
            open = false;
            for (at, all) in places.iter_mut().zip(&all).rev() {
                *at += 1;
                if *at < all.len() {
                    open = true;
                    break;
                }
                *at = 0;
            }
        }
        Ok(any.then_some(Signature { answers, accepted }))
    }
}
