//! All small inputs of a problem, the simplest first.

use grundy_rules::{Budget, Meter};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::tape::{Written, attempt};
use crate::problem::Problem;

/// Inputs by their weight, the sum of all choices: first the simplest one, then all in which one
/// choice is one away from the simplest, and so on.
pub struct Small<'p> {
    problem: &'p Problem,
    weight: u64,
    /// The choices of the next input to try; `None` when this weight is done.
    next: Option<Vec<u64>>,
    /// Whether something of a larger weight was left out.
    is_cut: bool,
    /// How many rows of choices may still be tried.
    patience: u32,
}

/// How many rows of choices are tried in all.
const PATIENCE: u32 = 200_000;
/// What reading one input may cost.
const READING: Budget = Budget {
    steps: 200_000,
    bytes: 1 << 24,
};

impl<'p> Small<'p> {
    /// Those of a problem.
    pub fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            weight: 0,
            next: Some(Vec::new()),
            is_cut: false,
            patience: PATIENCE,
        }
    }

    /// The row behind one that was tried: the last choice that can be larger is, and all behind it are the
    /// simplest.
    fn step(&mut self, used: &[u64], most: &[Option<u64>]) {
        let mut before: u64 = used.iter().sum();
        self.next = None;
        for place in (0..used.len()).rev() {
            before -= used[place];
            if most[place].is_some_and(|most| used[place] >= most) {
                continue;
            }
            if before + used[place] < self.weight {
                let mut next = used[..=place].to_vec();
                next[place] += 1;
                self.next = Some(next);
                return;
            }
            self.is_cut = true;
        }
    }
}

impl Iterator for Small<'_> {
    type Item = Written;

    fn next(&mut self) -> Option<Written> {
        loop {
            let Some(row) = self.next.take() else {
                if !self.is_cut {
                    return None;
                }
                self.weight += 1;
                self.is_cut = false;
                self.next = Some(Vec::new());
                continue;
            };
            self.patience = self.patience.checked_sub(1)?;
            let offsets: Vec<BigUint> = row.iter().map(|offset| (*offset).into()).collect();
            let meter = &mut Meter::new(READING);
            let (written, done) = attempt(self.problem, &offsets, meter);
            let used: Vec<u64> = written
                .choices
                .iter()
                .map(|choice| choice.offset.to_u64().unwrap_or(u64::MAX))
                .collect();
            let most: Vec<Option<u64>> = written
                .choices
                .iter()
                .map(|choice| choice.most.as_ref().and_then(BigUint::to_u64))
                .collect();
            let weight: u64 = used.iter().sum();
            self.step(&used, &most);
            if done.is_ok() && weight == self.weight {
                return Some(written);
            }
        }
    }
}
