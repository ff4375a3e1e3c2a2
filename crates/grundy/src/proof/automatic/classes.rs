//! Automata learned from a sequence that tells to which of finitely many classes each number belongs.
//!
//! Two words that lead to the same state are continued alike (Myhill 1957, Nerode 1958); here they are taken to lead to the same
//! state if that is so for all continuations of a length. What is learned agrees with the sequence, and is a guess beyond it.

use grundy_certificate::automatic::{Automaton, Order};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// An automaton whose states say to which class the numbers belong that lead there.
///
/// State 0 is the start; the successor of state `s` by the digit `d` stands at `s * base + d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Classifier {
    pub(crate) base: u32,
    pub(crate) order: Order,
    pub(crate) table: Vec<u32>,
    pub(crate) classes: Vec<u32>,
}

/// The longest continuations.
const MOST_LENGTH: u32 = 8;

impl Classifier {
    /// Learns to tell classes apart from those of the numbers from 0 on, with few states and continuations as short as will do.
    pub(crate) fn learn(classes: &[u32], base: u32, order: Order, states: usize) -> Option<Self> {
        let each = (1..=MOST_LENGTH).map_while(|length| {
            let teacher = Teacher {
                classes,
                base: u64::from(base),
                order,
                length,
            };
            teacher.classifier(states)
        });
        let agrees = |learned: &Self| {
            let told = (0u64..).zip(classes);
            told.into_iter()
                .all(|(n, class)| learned.class(n) == *class)
        };
        each.into_iter().find(agrees)
    }

    fn class(&self, n: u64) -> u32 {
        let mut digits = BigUint::from(n).to_radix_le(self.base);
        if self.order == Order::MostSignificantFirst {
            digits.reverse();
        }
        let base = self.base as usize;
        let next = |state: u32, digit: u8| self.table[state as usize * base + usize::from(digit)];
        self.classes[digits.into_iter().fold(0, next) as usize]
    }

    /// The automaton of one class.
    pub(crate) fn accepting(&self, class: u32) -> Automaton {
        Automaton {
            tracks: 1,
            table: self.table.clone(),
            accepting: self.classes.iter().map(|other| *other == class).collect(),
        }
    }
}

struct Teacher<'c> {
    classes: &'c [u32],
    base: u64,
    order: Order,
    length: u32,
}

impl Teacher<'_> {
    /// `None` where a continuation leaves the sequence, or there are too many states.
    fn classifier(&self, most: usize) -> Option<Classifier> {
        // Least significant digit first, a word is the number that it writes and what the next place is worth.
        let mut words = vec![(0u64, 1u64)];
        let mut numbers = FxHashMap::from_iter([(self.signature(words[0])?, 0u32)]);
        let mut table = Vec::new();
        let mut at = 0;
        while let Some(&(number, place)) = words.get(at) {
            at += 1;
            for digit in 0..self.base {
                let longer = match self.order {
                    Order::MostSignificantFirst => (number * self.base + digit, 1),
                    Order::LeastSignificantFirst => (number + digit * place, place * self.base),
                };
                let new = u32::try_from(words.len()).ok()?;
                let state = *numbers.entry(self.signature(longer)?).or_insert(new);
                if state == new {
                    words.push(longer);
                }
                table.push(state);
            }
            if words.len() > most {
                return None;
            }
        }
        let class = |(number, _): &(u64, u64)| self.classes.get(usize::try_from(*number).ok()?);
        Some(Classifier {
            base: u32::try_from(self.base).ok()?,
            order: self.order,
            table,
            classes: words
                .iter()
                .map(|word| class(word).copied())
                .collect::<Option<_>>()?,
        })
    }

    /// The classes of all numbers that continue a word by up to so many digits.
    fn signature(&self, (number, place): (u64, u64)) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        let most = self.base.checked_pow(self.length)?;
        match self.order {
            Order::LeastSignificantFirst => {
                for more in 0..most {
                    all.push(self.class(more.checked_mul(place)?.checked_add(number)?)?);
                }
            }
            Order::MostSignificantFirst => {
                let mut worth = 1;
                while worth <= most {
                    for more in 0..worth {
                        all.push(self.class(number.checked_mul(worth)?.checked_add(more)?)?);
                    }
                    worth *= self.base;
                }
            }
        }
        Some(all)
    }

    fn class(&self, number: u64) -> Option<u32> {
        self.classes.get(usize::try_from(number).ok()?).copied()
    }
}
