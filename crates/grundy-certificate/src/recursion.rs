//! Digit recursions: an automaton reads the digits of a heap and tells what its value is, or which smaller heap has it too.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::automatic::{Automaton, Order};
use crate::law::most_steps;

/// A law of finitely many cases, of which an automaton tells which one a heap belongs to.
///
/// State 0 is the start; the successor of state `s` by the digit `d` stands at `s * base + d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recursion {
    /// In which base heaps are written.
    pub base: u32,
    /// Which end comes first.
    pub order: Order,
    /// The successors.
    pub table: Vec<u32>,
    /// For each state, the case of the heaps that lead there.
    pub case_of: Vec<u32>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// What is said of the heaps `n` of one case: that `(times * n + plus) / over` is their value, or a smaller heap of the same
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// Whether it is the value.
    pub is_new: bool,
    /// The factor of the heap.
    pub times: u64,
    /// The constant.
    pub plus: i64,
    /// By what the sum is divided, without remainder; positive.
    pub over: u64,
}

impl Case {
    /// What the case says of a heap; `None` if that is no natural number.
    pub fn of(&self, heap: &BigUint) -> Option<BigUint> {
        let sum = BigInt::from(heap * self.times) + self.plus;
        divided(&sum, self.over)
    }

    /// The heap of which the case would say this, if it speaks of one only.
    pub fn heap(&self, said: &BigUint) -> Option<BigUint> {
        let scaled = BigInt::from(said * self.over) - self.plus;
        divided(&scaled, self.times)
    }
}

fn divided(n: &BigInt, by: u64) -> Option<BigUint> {
    if by.is_zero() || n.is_negative() {
        return None;
    }
    let (quotient, rest) = n.div_rem(&BigInt::from(by));
    quotient.to_biguint().filter(|_| rest.is_zero())
}

impl Recursion {
    /// The place of the case that a heap belongs to; `None` if the fields contradict each other.
    pub fn place(&self, heap: &BigUint) -> Option<usize> {
        if !(2..=256).contains(&self.base) {
            return None;
        }
        let mut digits = heap.to_radix_le(self.base);
        if self.order == Order::MostSignificantFirst {
            digits.reverse();
        }
        let mut state = 0;
        for digit in digits {
            let row = state * self.base as usize;
            let row = self.table.get(row..row + self.base as usize)?;
            // Least significant digit first, mostly few of them tell the case.
            if row.iter().all(|target| *target as usize == state) {
                break;
            }
            state = row[usize::from(digit)] as usize;
        }
        self.case_of.get(state)?.to_usize()
    }

    /// The case that a heap belongs to.
    pub fn case(&self, heap: &BigUint) -> Option<&Case> {
        self.cases.get(self.place(heap)?)
    }

    /// The Grundy value of a heap of any size, by following the links to smaller heaps.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        let mut heap = heap.clone();
        for _ in 0..most_steps(&heap) {
            let case = self.case(&heap)?;
            let said = case.of(&heap)?;
            if case.is_new {
                return Some(said);
            }
            if said >= heap {
                return None;
            }
            heap = said;
        }
        None
    }

    /// The automaton of the heaps of one case.
    pub(crate) fn automaton(&self, case: u32) -> Automaton {
        Automaton {
            tracks: 1,
            table: self.table.clone(),
            accepting: self.case_of.iter().map(|other| *other == case).collect(),
        }
    }
}
