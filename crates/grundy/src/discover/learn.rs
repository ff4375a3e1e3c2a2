//! Automata learned from what is known of small positions.
//!
//! Two words that lead to the same state of a minimal automaton are continued to acceptance by the same words (Myhill
//! 1957, Nerode 1958). Here two words are taken to be such if that is so for all continuations of a length, and for all longer ones
//! of which it is known what both decide. Where too little is known, states are merged that differ. What is learned is a guess.

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
        greatest: sample.greatest(says),
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
    /// No position that is known has a greater value.
    greatest: u64,
}

/// What the continuations of a word by so many letters decide.
struct Level {
    answers: Vec<u64>,
    /// Whether one of them is accepted.
    any: bool,
    /// Whether the word itself is.
    accepted: bool,
}

/// What the continuations of a word decide.
struct Signature {
    answers: Vec<u64>,
    accepted: bool,
}

/// How many continuations of a length are compared, at most, where more is known than is asked for.
const MOST_COMPARED: u64 = 1 << 12;

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
        // The states whose words decide the same, as far as is asked for.
        let mut alike = FxHashMap::from_iter([(start.answers, vec![0u32])]);
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
                let alike = alike.entry(answers).or_default();
                let agrees = |state: &&u32| {
                    let word = words[**state as usize].as_ref();
                    word.is_some_and(|word| self.agree(word, &longer))
                };
                let state = alike.iter().find(agrees).copied().unwrap_or_else(|| {
                    let new = u32::try_from(words.len()).expect("states are few");
                    alike.push(new);
                    words.push(Some(longer));
                    accepting.push(accepted);
                    new
                });
                table.push(state);
            }
            if words.len() > most {
                return Err(NotLearned::States);
            }
        }
        Ok(Automaton::new(alphabet.clone(), table, accepting).expect("every state has a row"))
    }

    /// What continuations decide; `None` if none of them is accepted.
    fn signature(&self, word: &[Vec<u32>]) -> Result<Option<Signature>, NotLearned> {
        // Least significant digit first, zeros at the end make no difference: the longest continuations say all.
        let lengths = match self.order {
            DigitOrder::Msd => 0..=self.length,
            DigitOrder::Lsd => self.length..=self.length,
        };
        let mut signature = Signature {
            answers: Vec::new(),
            accepted: false,
        };
        let mut any = false;
        for more in lengths {
            let Some(level) = self.level(word, more)? else {
                return Ok(None);
            };
            any |= level.any;
            signature.accepted |= level.accepted;
            signature.answers.extend(level.answers);
        }
        for more in self.longer() {
            if any {
                break;
            }
            let Ok(level) = self.level(word, more) else {
                break;
            };
            any = level.is_some_and(|level| level.any);
        }
        Ok(any.then_some(signature))
    }

    /// How many letters longer continuations have that are compared too.
    fn longer(&self) -> impl Iterator<Item = usize> {
        let tracks = u32::try_from(self.sides.len()).expect("few numbers");
        let letters = u64::from(self.numerals.radix()).pow(tracks);
        (self.length + 1..).take_while(move |more| {
            let more = u32::try_from(*more).expect("continuations are short");
            let all = letters.checked_pow(more);
            all.is_some_and(|all| all <= MOST_COMPARED)
        })
    }

    /// Whether longer continuations of two words decide the same, as far as it is known.
    fn agree(&self, one: &[Vec<u32>], other: &[Vec<u32>]) -> bool {
        for more in self.longer() {
            let levels = (self.level(other, more), self.level(one, more));
            let (Ok(one), Ok(other)) = levels else {
                return true;
            };
            if one.map(|level| level.answers) != other.map(|level| level.answers) {
                return false;
            }
        }
        true
    }

    /// What continuations by so many letters decide; `None` if the word writes no numbers.
    fn level(&self, word: &[Vec<u32>], more: usize) -> Result<Option<Level>, NotLearned> {
        match self.order {
            DigitOrder::Msd => self.after_beginning(word, more),
            DigitOrder::Lsd => self.after_ending(word, more),
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

    /// Most significant digit first: the answers for all numbers that begin so, with so many further digits.
    fn after_beginning(&self, word: &[Vec<u32>], more: usize) -> Result<Option<Level>, NotLearned> {
        let blocks = word.iter().map(|digits| self.numerals.block(digits, more));
        let Some(blocks) = blocks.collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let (positions, value) = self.split(&blocks);
        let mut level = Level {
            answers: blocks.iter().map(|block| block.count).collect(),
            any: false,
            accepted: false,
        };
        // Of numbers beyond what is known it is guessed too that they have no greater value.
        if value.is_some_and(|block| block.start > self.greatest) {
            return Ok(Some(level));
        }
        let shape = level.answers.len();
        let mut numbers: Vec<u64> = positions.iter().map(|block| block.start).collect();
        let mut open = positions.iter().all(|block| block.count > 0);
        while open {
            let answer = self.answer(&numbers)?;
            let rest = match value {
                _ if answer == EXCLUDED => None,
                None => Some(0),
                Some(block) => answer
                    .checked_sub(block.start)
                    .filter(|rest| *rest < block.count),
            };
            level.any |= rest.is_some();
            level.answers.push(rest.unwrap_or(EXCLUDED));
            open = false;
            for (number, block) in numbers.iter_mut().zip(positions).rev() {
                *number += 1;
                if *number < block.start + block.count {
                    open = true;
                    break;
                }
                *number = block.start;
            }
        }
        if !level.any {
            level.answers.truncate(shape);
        }
        level.accepted = more == 0 && level.any;
        Ok(Some(level))
    }

    /// Least significant digit first: the answers for all numbers that end so, with so many digits before.
    fn after_ending(&self, word: &[Vec<u32>], more: usize) -> Result<Option<Level>, NotLearned> {
        let (positions, value) = self.split(word);
        let ending = |digits: &Vec<u32>| self.numerals.ending(digits, more);
        let all: Option<Vec<Vec<Option<u64>>>> = positions.iter().map(ending).collect();
        let Some(all) = all.filter(|_| value.is_none_or(|low| self.numerals.admits(low))) else {
            return Ok(None);
        };
        let mut level = Level {
            answers: Vec::new(),
            any: false,
            accepted: false,
        };
        let mut places = vec![0; all.len()];
        let mut open = true;
        while open {
            let numbers = places.iter().zip(&all).map(|(at, all)| all[*at]);
            level
                .answers
                .push(match numbers.collect::<Option<Vec<u64>>>() {
                    None => NO_NUMBER,
                    Some(numbers) => {
                        let answer = self.answer(&numbers)?;
                        let rest = match value {
                            _ if answer == EXCLUDED => None,
                            None => Some(0),
                            Some(low) => self.numerals.beyond(answer, low),
                        };
                        level.any |= rest.is_some();
                        level.accepted |= rest == Some(0) && places.iter().all(|at| *at == 0);
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
        Ok(Some(level))
    }
}
