//! Codes: what may be taken, and into how many heaps the rest may be split, and nothing else.

use std::fmt;

/// The most heaps that one move of a code may leave.
pub const MOST_PARTS: usize = 4;

/// A take-and-break game in its normal form.
///
/// Bit `j` of digit `i` allows to take `i` from a heap and leave exactly `j` non-empty heaps, of
/// any sizes. Digit 0 splits without taking. The digits repeat from some place on; the form is
/// the shortest one, so that two codes are equal iff they allow the same.
///
/// A finite subtraction set has digits 0 and 3; all but a finite set has digits 3 for ever; an
/// octal code has digits below 8; `4.(3)` is Lasker's Nim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    head: Vec<u8>,
    repeating: Vec<u8>,
}

impl Code {
    /// The code with these digits, for takes of 0, 1, …, and with the digits that repeat behind.
    pub(crate) fn new(mut head: Vec<u8>, mut repeating: Vec<u8>) -> Self {
        if repeating.iter().all(|digit| *digit == 0) {
            repeating.clear();
        }
        if let Some(period) = (1..repeating.len()).find(|p| {
            repeating.len().is_multiple_of(*p)
                && repeating.iter().zip(&repeating[*p..]).all(|(a, b)| a == b)
        }) {
            repeating.truncate(period);
        }
        if repeating.is_empty() {
            while head.last() == Some(&0) {
                head.pop();
            }
        } else {
            while head
                .last()
                .is_some_and(|digit| Some(digit) == repeating.last())
            {
                head.pop();
                repeating.rotate_right(1);
            }
        }
        Self { head, repeating }
    }

    /// What taking `taken` allows: bit `j` for leaving exactly `j` non-empty heaps.
    pub fn digit(&self, taken: usize) -> u8 {
        match self.head.get(taken) {
            Some(digit) => *digit,
            None if self.repeating.is_empty() => 0,
            None => self.repeating[(taken - self.head.len()) % self.repeating.len()],
        }
    }

    /// The digits before those that repeat, for takes of 0, 1, ….
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The digits that repeat for ever behind the head; empty if only finitely many takes are allowed.
    pub fn repeating(&self) -> &[u8] {
        &self.repeating
    }

    /// The largest take that is allowed; `None` if there is none, or no largest.
    pub fn largest_take(&self) -> Option<usize> {
        if self.repeating.is_empty() {
            self.head.len().checked_sub(1)
        } else {
            None
        }
    }

    /// The most heaps that a move may leave.
    pub fn most_parts(&self) -> usize {
        let all = self.head.iter().chain(&self.repeating);
        let digit = all.fold(0u8, |all, digit| all | digit);
        (u8::BITS - digit.leading_zeros()).saturating_sub(1) as usize
    }

    /// The set `S`, ascending, if a move is to take a member of the finite set `S` and no more.
    pub fn as_subtraction(&self) -> Option<Vec<usize>> {
        let plain = self.repeating.is_empty() && self.head.iter().all(|d| matches!(d, 0 | 3));
        plain.then(|| self.takes_in_head())
    }

    /// The set `F`, ascending, if a move is to take any positive number outside the finite set
    /// `F` and no more.
    pub fn as_all_but(&self) -> Option<Vec<usize>> {
        let plain = self.repeating == [3] && self.head.iter().all(|d| matches!(d, 0 | 3));
        plain.then(|| {
            (1..self.head.len())
                .filter(|i| self.head[*i] == 0)
                .collect()
        })
    }

    /// The sets `F` and `I`, ascending, if a move is to take any positive number outside the finite set `F`,
    /// or to take a member of the finite set `I` and split the rest in two.
    pub fn as_take_or_split(&self) -> Option<(Vec<usize>, Vec<usize>)> {
        let plain = self.repeating == [3]
            && self.head.iter().all(|d| matches!(d, 0 | 3 | 4 | 7))
            && matches!(self.digit(0), 0 | 4);
        let allow = |bit: u8, answer: bool, from: usize| {
            (from..self.head.len())
                .filter(|i| (self.head[*i] & bit != 0) == answer)
                .collect()
        };
        plain.then(|| (allow(1, false, 1), allow(4, true, 0)))
    }

    fn takes_in_head(&self) -> Vec<usize> {
        (0..self.head.len())
            .filter(|i| self.head[*i] != 0)
            .collect()
    }

    /// The options of the heap `n`: ascending lists of non-empty heaps, each once, ascending.
    pub fn options(&self, n: usize) -> Vec<Vec<usize>> {
        let mut options = Vec::new();
        for taken in 0..=n {
            for parts in 0..=MOST_PARTS {
                if self.digit(taken) >> parts & 1 == 1 {
                    options.extend(partitions(n - taken, parts));
                }
            }
        }
        options.sort();
        options
    }
}

/// Visits all ascending lists of `parts` positive numbers that add up to `total`.
pub(crate) fn for_each_partition<E>(
    total: usize,
    parts: usize,
    visit: &mut dyn FnMut(&[usize]) -> Result<(), E>,
) -> Result<(), E> {
    fn extend<E>(
        prefix: &mut Vec<usize>,
        rest: usize,
        parts: usize,
        visit: &mut dyn FnMut(&[usize]) -> Result<(), E>,
    ) -> Result<(), E> {
        let least = prefix.last().copied().unwrap_or(1);
        if parts == 0 {
            return if rest == 0 { visit(prefix) } else { Ok(()) };
        }
        let (first, most) = if parts == 1 {
            (least.max(rest), rest)
        } else {
            (least, rest / parts)
        };
        for part in first..=most {
            prefix.push(part);
            extend(prefix, rest - part, parts - 1, visit)?;
            prefix.pop();
        }
        Ok(())
    }
    extend(&mut Vec::with_capacity(parts), total, parts, visit)
}

/// All ascending lists of `parts` positive numbers that add up to `total`.
pub(crate) fn partitions(total: usize, parts: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let collected = for_each_partition(total, parts, &mut |list| {
        all.push(list.to_vec());
        Ok::<(), std::convert::Infallible>(())
    });
    match collected {
        Ok(()) => all,
        Err(never) => match never {},
    }
}

impl fmt::Display for Code {
    /// The notation of the rule language, `0.77`, `0.(3)`, with digits 0–9 and A–V.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let write = |digits: &[u8]| -> String {
            digits
                .iter()
                .map(|digit| {
                    char::from_digit(u32::from(*digit), 36)
                        .expect("a digit is below 32")
                        .to_ascii_uppercase()
                })
                .collect()
        };
        let (mut head, mut repeating) = (self.head.clone(), self.repeating.clone());
        if head.is_empty() {
            // The digit before the point never repeats in the notation.
            head.push(self.digit(0));
            if !repeating.is_empty() {
                repeating.rotate_left(1);
            }
        }
        write!(f, "{}.{}", write(&head[..1]), write(&head[1..]))?;
        if repeating.is_empty() {
            Ok(())
        } else {
            write!(f, "({})", write(&repeating))
        }
    }
}
