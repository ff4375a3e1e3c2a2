//! Whether some pair of heaps has a given nim-sum.

use super::NOTED;
use crate::level::{Job, Level};
use crate::values::Cell;

/// How many pairs are looked at side by side.
const LANES: usize = 64;
/// How many such groups pass between two looks at what was found.
const GROUPS: usize = 4;
/// So many pairs are looked at before it is asked again which are allowed.
pub(super) const AT_ONCE: usize = LANES * GROUPS;

/// Removes from `wanted` what is `front[i] ^ back[back.len() - 1 - i]` for some `i`.
///
/// Returns the work.
///
/// # Panics
///
/// If the two differ in length.
pub(crate) fn scan<T: Cell>(level: Level, front: &[T], back: &[T], wanted: &mut Vec<T>) -> u64 {
    assert_eq!(front.len(), back.len(), "every heap has its partner");
    let before = wanted.len();
    let looks = level.run(Scan {
        front,
        back,
        wanted,
    });
    looks.work::<T>(level, before - wanted.len())
}

/// Removes from `wanted` what is `front[i] ^ back[back.len() - 1 - i]` for some `i` that is allowed: this repeats
/// with a period, and is told for one period and [`AT_ONCE`] more.
///
/// Returns the work.
///
/// # Panics
///
/// If the two differ in length.
pub(super) fn scan_some<T: Cell>(
    level: Level,
    front: &[T],
    back: &[T],
    (period, allowed): (usize, &[bool]),
    wanted: &mut Vec<T>,
) -> u64 {
    assert_eq!(front.len(), back.len(), "every heap has its partner");
    let before = wanted.len();
    let looks = level.run(ScanSome {
        front,
        back,
        period,
        allowed,
        wanted,
    });
    looks.work::<T>(level, before - wanted.len())
}

/// To find a value, which no processor foresees.
const WORK_OF_FINDING: usize = 10;

/// More values are quicker found by noting all options.
pub(super) fn most_sought<T: Cell>(level: Level) -> usize {
    AT_ONCE / NOTED / level.work_of_bytes(size_of::<T>()) - 2
}

/// How many looks for one value were taken.
#[derive(Default)]
struct Looks {
    /// At as many pairs as are looked at before the values that are left are counted again.
    many: usize,
    /// At one pair.
    single: usize,
}

impl Looks {
    fn work<T: Cell>(&self, level: Level, found: usize) -> u64 {
        let each = level.work_of_bytes(size_of::<T>()) as u64;
        self.many as u64 * each + (self.single + WORK_OF_FINDING * found) as u64
    }
}

struct ScanSome<'a, T> {
    front: &'a [T],
    back: &'a [T],
    period: usize,
    allowed: &'a [bool],
    wanted: &'a mut Vec<T>,
}

impl<T: Cell> Job for ScanSome<'_, T> {
    type Output = Looks;

    #[inline(always)]
    fn run(self) -> Looks {
        let Self {
            front,
            back,
            period,
            allowed,
            wanted,
        } = self;
        let mut sums = [T::default(); AT_ONCE];
        let mut looks = Looks::default();
        let mut at = 0;
        while at + AT_ONCE <= front.len() {
            if wanted.is_empty() {
                return looks;
            }
            looks.many += 2 + wanted.len();
            let allowed: &[bool; AT_ONCE] = chunk(allowed, at % period);
            for group in (0..AT_ONCE).step_by(LANES) {
                let front: &[T; LANES] = chunk(front, at + group);
                let back: &[T; LANES] = chunk(back, back.len() - at - group - LANES);
                for lane in 0..LANES {
                    sums[group + lane] = front[lane] ^ back[LANES - 1 - lane];
                }
            }
            wanted.retain(|wanted| {
                let mut found = false;
                for lane in 0..AT_ONCE {
                    found |= (sums[lane] == *wanted) & allowed[lane];
                }
                !found
            });
            at += AT_ONCE;
        }
        let rest = front[at..].iter().zip(back[..back.len() - at].iter().rev());
        for ((a, b), allowed) in rest.zip(&allowed[at % period..]) {
            if wanted.is_empty() {
                break;
            }
            looks.single += 1 + wanted.len();
            if *allowed {
                wanted.retain(|wanted| *a ^ *b != *wanted);
            }
        }
        looks
    }
}

struct Scan<'a, T> {
    front: &'a [T],
    back: &'a [T],
    wanted: &'a mut Vec<T>,
}

impl<T: Cell> Job for Scan<'_, T> {
    type Output = Looks;

    #[inline(always)]
    fn run(self) -> Looks {
        let Self {
            front,
            back,
            wanted,
        } = self;
        let mut sums = [T::default(); LANES * GROUPS];
        let mut looks = Looks::default();
        let mut at = 0;
        while at + sums.len() <= front.len() {
            if wanted.is_empty() {
                return looks;
            }
            looks.many += 2 + wanted.len();
            for group in (0..sums.len()).step_by(LANES) {
                let front: &[T; LANES] = chunk(front, at + group);
                let back: &[T; LANES] = chunk(back, back.len() - at - group - LANES);
                for lane in 0..LANES {
                    sums[group + lane] = front[lane] ^ back[LANES - 1 - lane];
                }
            }
            wanted.retain(|wanted| {
                let mut found = false;
                for sum in &sums {
                    found |= sum == wanted;
                }
                !found
            });
            at += sums.len();
        }
        let rest = front[at..].iter().zip(back[..back.len() - at].iter().rev());
        for (a, b) in rest {
            if wanted.is_empty() {
                break;
            }
            looks.single += 1 + wanted.len();
            wanted.retain(|wanted| *a ^ *b != *wanted);
        }
        looks
    }
}

/// Whether this is `front[i] ^ back[i]` for some `i`, as far as whole groups are looked at.
#[inline(always)]
pub(super) fn is_sum<T: Cell>(front: &[T], back: &[T], value: T) -> bool {
    const BLOCK: usize = 8 * LANES;
    for at in (0..front.len() / BLOCK).map(|block| BLOCK * block) {
        let front: &[T; BLOCK] = chunk(front, at);
        let back: &[T; BLOCK] = chunk(back, at);
        let mut found = false;
        for lane in 0..BLOCK {
            found |= front[lane] ^ back[lane] == value;
        }
        if found {
            return true;
        }
    }
    false
}

/// Looks from the end for a place where this is `front[i] ^ back[back.len() - 1 - i]`; returns how many places
/// were passed in vain.
#[inline(always)]
pub(super) fn is_nim_sum<T: Cell>(front: &[T], back: &[T], value: T) -> usize {
    let mut passed = 0;
    while passed + LANES * GROUPS <= front.len() {
        let mut found = false;
        for group in (0..LANES * GROUPS).step_by(LANES) {
            let front: &[T; LANES] = chunk(front, front.len() - passed - group - LANES);
            let back: &[T; LANES] = chunk(back, passed + group);
            for lane in 0..LANES {
                found |= front[LANES - 1 - lane] ^ back[lane] == value;
            }
        }
        if found {
            return passed;
        }
        passed += LANES * GROUPS;
    }
    let rest = front.len() - passed;
    let place = (0..rest).find(|place| front[*place] ^ back[back.len() - 1 - place] == value);
    place.map_or(front.len(), |_| passed)
}

#[inline(always)]
pub(crate) fn chunk<T, const N: usize>(all: &[T], from: usize) -> &[T; N] {
    all[from..from + N].try_into().expect("it has this length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_is_found_and_no_other() {
        let mut random = 1u32;
        for length in [0, 1, 63, 64, 255, 256, 257, 1000] {
            let mut next = || {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24).to_le_bytes()[0]
            };
            let front: Vec<u8> = (0..length).map(|_| next() & 0x3f).collect();
            let back: Vec<u8> = (0..length).map(|_| next() & 0x3f).collect();
            let is_sum = |value: u8| {
                front
                    .iter()
                    .zip(back.iter().rev())
                    .any(|(a, b)| a ^ b == value)
            };
            for level in Level::all() {
                let mut wanted: Vec<u8> = (0..=255).collect();
                scan(level, &front, &back, &mut wanted);
                let expected: Vec<u8> = (0..=255).filter(|value| !is_sum(*value)).collect();
                assert_eq!(wanted, expected);
                for period in [2, 3, 5, 64] {
                    let allowed: Vec<bool> =
                        (0..period + AT_ONCE).map(|i| i % period % 3 == 1).collect();
                    let mut wanted: Vec<u8> = (0..=255).collect();
                    scan_some(level, &front, &back, (period, &allowed), &mut wanted);
                    let pairs = front
                        .iter()
                        .zip(back.iter().rev())
                        .zip(allowed.iter().take(period).cycle());
                    let sums: Vec<u8> = pairs
                        .filter(|(_, allowed)| **allowed)
                        .map(|((a, b), _)| a ^ b)
                        .collect();
                    let expected: Vec<u8> =
                        (0..=255).filter(|value| !sums.contains(value)).collect();
                    assert_eq!(wanted, expected);
                }
            }
        }
    }
}
