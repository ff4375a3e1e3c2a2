//! A smallest input with a fault.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use grundy_rules::{Budget, Meter};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::tape::{Group, Written, write};
use crate::problem::Problem;

/// What reading one input may cost.
const READING: Budget = Budget {
    steps: 20_000_000,
    bytes: 1 << 27,
};
/// Every choice is tried with all smaller ones up to here.
const SWEEP: u32 = 200;

/// Makes an input smaller as long as it keeps its fault.
///
/// Rounds and entries are left out, many at a time and then one by one; choices become the simplest,
/// half as large, and so on to one less, equal ones also together; at last every small choice is tried. So
/// no part of what comes back can be left out, and no number of it can be one less. `faulty` says
/// whether an input still has the fault, and `None` to stop.
pub fn shrink(
    problem: &Problem,
    input: Written,
    faulty: &mut dyn FnMut(&str) -> Option<bool>,
) -> Written {
    let mut search = Search {
        problem,
        best: input,
        tried: BTreeSet::new(),
        faulty,
        stopped: false,
    };
    loop {
        let progress = search.leave_out() | search.simplify();
        let progress = progress || search.sweep();
        if !progress || search.stopped {
            return search.best;
        }
    }
}

struct Search<'s> {
    problem: &'s Problem,
    best: Written,
    tried: BTreeSet<String>,
    faulty: &'s mut dyn FnMut(&str) -> Option<bool>,
    stopped: bool,
}

impl Search<'_> {
    /// Takes these choices if they make a smaller input with the fault.
    fn offer(&mut self, offsets: &[BigUint]) -> bool {
        if self.stopped {
            return false;
        }
        let Ok(written) = write(self.problem, offsets, &mut Meter::new(READING)) else {
            return false;
        };
        if smaller(&written, &self.best) != Ordering::Less
            || !self.tried.insert(written.text.clone())
        {
            return false;
        }
        match (self.faulty)(&written.text) {
            Some(true) => {
                self.best = written;
                true
            }
            Some(false) => false,
            None => {
                self.stopped = true;
                false
            }
        }
    }

    /// Leaves rounds, entries and letters out.
    fn leave_out(&mut self) -> bool {
        let mut progress = false;
        // What becomes smaller has other groups: begin anew with the outermost each time.
        let mut from_end = 0;
        while from_end < self.best.groups.len() {
            let group = self.best.groups[self.best.groups.len() - 1 - from_end].clone();
            let shorter = self.shorten(&group);
            progress |= shorter;
            if !shorter {
                from_end += 1;
            }
            if self.stopped {
                break;
            }
        }
        progress
    }

    /// Leaves parts of a group out: all, halves and so on down to each, and all but one or two.
    fn shorten(&mut self, group: &Group) -> bool {
        let count = group.starts.len();
        let mut size = count;
        while size > 0 {
            for first in (0..count).step_by(size) {
                let rest = |part: usize| !(first..first + size).contains(&part);
                if self.offer_only(group, &rest) {
                    return true;
                }
            }
            size /= 2;
        }
        if count > MOST_ALONE {
            return false;
        }
        for first in 0..count {
            if self.offer_only(group, &|part| part == first) {
                return true;
            }
            let pairs = if count > MOST_PAIRED { 0 } else { first };
            for second in 0..pairs {
                if self.offer_only(group, &|part| part == first || part == second) {
                    return true;
                }
            }
        }
        false
    }

    fn offer_only(&mut self, group: &Group, kept: &dyn Fn(usize) -> bool) -> bool {
        only(&self.best, group, kept).is_some_and(|offsets| self.offer(&offsets))
    }

    /// Makes choices simpler, each alone and equal ones together.
    fn simplify(&mut self) -> bool {
        let mut progress = false;
        let mut place = 0;
        while place < self.best.choices.len() && !self.stopped {
            let offset = self.best.choices[place].offset.clone();
            if !offset.is_zero() {
                let less = |part: u32| &offset - (&offset / part).max(1u8.into());
                let simpler = [1, 2, 4, 16, 256, 1 << 16, u32::MAX].map(less);
                for simpler in simpler {
                    if self.offer_with(place, &offset, &simpler) {
                        progress = true;
                        break;
                    }
                }
                if self
                    .best
                    .choices
                    .get(place)
                    .is_some_and(|c| c.offset != offset)
                {
                    continue;
                }
            }
            place += 1;
        }
        progress
    }

    /// Tries every small choice.
    fn sweep(&mut self) -> bool {
        for place in 0..self.best.choices.len() {
            let offset = self.best.choices[place].offset.clone();
            let upto = offset.to_u32().unwrap_or(SWEEP).min(SWEEP);
            for simpler in 0..upto {
                if self.offer_with(place, &offset, &simpler.into()) {
                    return true;
                }
                if self.stopped {
                    return false;
                }
            }
        }
        false
    }

    /// Offers another choice at a place, or at all places behind it too that have the same one.
    fn offer_with(&mut self, place: usize, offset: &BigUint, simpler: &BigUint) -> bool {
        let mut alone = self.best.offsets();
        let mut together = alone.clone();
        alone[place].clone_from(simpler);
        for other in &mut together[place..] {
            if other == offset {
                other.clone_from(simpler);
            }
        }
        self.offer(&alone) || together != alone && self.offer(&together)
    }
}

/// The choices with some parts of a group only, where it can be shorter.
fn only(input: &Written, group: &Group, kept: &dyn Fn(usize) -> bool) -> Option<Vec<BigUint>> {
    let all = input.offsets();
    let first = *group.starts.first()?;
    let mut offsets = all[..first].to_vec();
    let mut left_out = 0u32;
    for (part, start) in group.starts.iter().enumerate() {
        let end = match group.starts.get(part + 1) {
            Some(end) => *end,
            // The choice that nothing goes on stays.
            None if group.count.is_none() && group.end > *start => group.end - 1,
            None => group.end,
        };
        if kept(part) {
            offsets.extend_from_slice(&all[*start..end]);
        } else {
            left_out += 1;
        }
        if part + 1 == group.starts.len() {
            offsets.extend_from_slice(&all[end..]);
        }
    }
    if let Some(count) = group.count {
        let left = BigUint::from(left_out);
        let fewer = (offsets[count] >= left).then(|| &offsets[count] - left)?;
        offsets[count] = fewer;
    }
    (left_out > 0).then_some(offsets)
}

/// Of so many parts each is tried alone.
const MOST_ALONE: usize = 64;
/// Of so many every two are.
const MOST_PAIRED: usize = 10;

/// Which of two inputs is smaller: the one with fewer choices, then the one with the smaller ones.
fn smaller(a: &Written, b: &Written) -> Ordering {
    let sum = |input: &Written| -> BigUint { input.choices.iter().map(|c| &c.offset).sum() };
    let offsets = |input: &Written| input.offsets();
    (a.choices.len().cmp(&b.choices.len()))
        .then_with(|| sum(a).cmp(&sum(b)))
        .then_with(|| offsets(a).cmp(&offsets(b)))
}
