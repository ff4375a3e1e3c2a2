//! Taking any number outside a finite set, or splitting in two.
//!
//! A move takes any positive number but those of a finite set `F` (`f` its largest, 0 if there is
//! none), or removes a number of a finite set `I` and splits the rest into two non-empty heaps.
//! Lasker's Nim has `F` empty and `I = {0}`. The law claimed is `g(n + p) = g(n) + s` for `n >= n0`,
//! and `s` is a power of two: so nim-sums of `s * X + r` and `s * Y + t` with `r, t < s` are
//! `s * (X xor Y) + (r xor t)`.
//!
//! **Setting.** A heap `n >= n0` is *large*, and has the value `s * X + r` by the law, where
//! `n = a + p * x`, `0 <= a < p`, `X = x + c` is its *quotient*, and `r` and `c` depend on `a` only.
//! Heaps below `n0` are *small*. It is shown for all `n` beyond a bound `B` that no option has the
//! value of `n` (N1 to N3), and that every smaller value is an option's (C1, C2), where
//! smaller heaps have the values of the law. Up to `B` the values are verified by definition. So
//! all values are right, by induction. `B` is so large that the value of `n` is above those of all
//! small heaps, that `n` has no option of two small parts, and that the heaps named below exist.
//!
//! **N1.** *A take to an equal value.* It goes to a large heap, whose value is larger than any small
//! heap's. Equal quotients and remainders in the classes `a` and `a'` mean that
//! `a - a' + p * (c' - c)` was taken; that must be 0, negative, or in `F`.
//!
//! **N2.** *A split into two large parts*, in the classes `a` and `b` with quotients `X` and `Y`. The
//! heap is `n = a + b + i + p * (x + y)`; let `w` be its quotient: `D = X + Y - w` depends on the
//! classes and `i` only. If the remainders agree, `r_a xor r_b = r_n`, the values are equal exactly if
//! `X xor Y = w`, that is, `2 * (X and Y) = D`. So `D` must be odd or negative. Otherwise some large `X`
//! and `Y` have exactly `D / 2` in common, and the law is false.
//!
//! **N3.** *A split into a small part of value `s * C + r'` and a large one.* If the remainders
//! agree, the values are equal exactly if `Y xor C = w`, where `w - Y` depends on the classes only. And
//! `(Y xor C) - Y` depends only on `Y` modulo a power of two `R > C`: all `R` cases are looked at.
//!
//! N1 to N3 fail only if the law is false.
//!
//! **C1.** Every remainder below `s` must belong to some class, and every value of that remainder
//! below the least that such a class has must be a small heap's: those heaps are takes. So are the
//! heaps of such a class whose value is so much below that of `n` that more than `f` is taken.
//!
//! **C2.** What is left are the values `s * (w - t) + r'` with few `t`, for each class of `n`. Each must
//! be that of a take, which is the same number for all `n` of the class; or of a split with one fixed
//! part of value `s * C + r''`, the other part having the quotient `Y = w + d`: then the value
//! is `s * (Y xor C) + …`, and whether that is the one wanted depends on `Y` modulo `R` again. All `R`
//! residues of `w` must be covered so, by one fixed part or another.
//!
//! C1 and C2 are sufficient, not necessary: where they fail, nothing is said of the law. The
//! law of Lasker's Nim itself is in E. R. Berlekamp, J. H. Conway and R. K. Guy, *Winning Ways*,
//! chapter 4. ∎

// Places in lists are below 2^26.
#![allow(clippy::cast_possible_wrap)]

use std::collections::BTreeSet;

use grundy_rules::Meter;

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::{Falsehood, Reason, Stop};
use crate::shift;

/// How many bits the values of small heaps may have.
const MOST_BITS: u32 = 20;

/// The residue class `residue + period * x` of large heaps, whose values are
/// `saltus * (x + shift) + rest`.
#[derive(Clone, Copy)]
struct Residue {
    shift: i64,
    rest: i64,
    /// The least `x + shift`, that of the first heap not below the preperiod.
    least: i64,
}

struct Proof<'a> {
    /// The numbers that may not be taken, ascending.
    kept: &'a [u64],
    /// The numbers that may be removed before splitting.
    splits: &'a [i64],
    start: i64,
    period: i64,
    saltus: i64,
    residues: Vec<Residue>,
    /// The values of the heaps below `start` and of some more: these are the small parts.
    small: Vec<i64>,
}

pub(crate) fn verify(moves: &Moves, law: &Periodic, meter: &mut Meter) -> Result<(), Stop> {
    let (kept, splits) = moves.take_or_split_sets().ok_or(Reason::Moves)?;
    if !law.saltus.is_power_of_two() {
        return Err(Reason::SaltusNoPowerOfTwo.into());
    }
    // Up to 2^24 each, all sums and products below stay within 64 bits.
    let small = |n: u64| {
        i64::try_from(n)
            .ok()
            .filter(|n| *n < 1 << 24)
            .ok_or(Reason::TooLarge)
    };
    let splits = splits
        .into_iter()
        .map(small)
        .collect::<Result<Vec<_>, _>>()?;
    let (start, period) = (small(law.preperiod)?, small(law.period)?);
    small(law.values.iter().max().copied().unwrap_or(0))?;
    let saltus = small(law.saltus)?;
    let furthest = small(kept.last().copied().unwrap_or(0))?;

    let value = |heap: i64| law.values[usize::try_from(heap).expect("0 or more")].cast_signed();
    let mut residues = Vec::new();
    for residue in 0..period {
        let first = start + (residue - start).rem_euclid(period);
        let quotient = value(first).div_euclid(saltus);
        residues.push(Residue {
            shift: quotient - (first - residue) / period,
            rest: value(first).rem_euclid(saltus),
            least: quotient,
        });
    }
    let parts = start + 2 * period + 2;
    let extended = law
        .extended(parts.cast_unsigned())
        .ok_or(Reason::TooLarge)?;
    let proof = Proof {
        kept: &kept,
        splits: &splits,
        start,
        period,
        saltus,
        residues,
        small: extended.into_iter().map(u64::cast_signed).collect(),
    };
    let reach = proof.reach(furthest);
    proof.no_take_is_equal(meter)?;
    proof.no_split_is_equal(meter)?;
    proof.no_split_with_a_small_part_is_equal(meter)?;
    proof.all_values_are_covered(furthest, meter)?;
    // From here on everything said above of large heaps holds.
    let large = proof.large_from(furthest, reach);
    shift::verify(moves, law, large.cast_unsigned(), 0, meter)
}

impl Proof<'_> {
    fn may_take(&self, number: i64) -> bool {
        number >= 1 && self.kept.binary_search(&number.cast_unsigned()).is_err()
    }

    /// The residue of `heap`, any integer, and how many periods it is above that.
    fn place(&self, heap: i64) -> (usize, i64) {
        let residue = heap.rem_euclid(self.period);
        let place = usize::try_from(residue).expect("0 or more");
        (place, heap.div_euclid(self.period))
    }

    /// How far below a heap's quotient takes may fail to reach a value.
    fn reach(&self, furthest: i64) -> i64 {
        let shifts = || self.residues.iter().map(|residue| residue.shift);
        let spread = shifts().max().unwrap_or(0) - shifts().min().unwrap_or(0);
        spread + furthest / self.period + 2
    }

    /// A heap from which on all heaps are large.
    fn large_from(&self, furthest: i64, reach: i64) -> i64 {
        let most_small = self.small.iter().max().copied().unwrap_or(0) / self.saltus + 1;
        let least = self
            .residues
            .iter()
            .map(|residue| residue.least)
            .max()
            .unwrap_or(0);
        let low_shift = self
            .residues
            .iter()
            .map(|residue| -residue.shift)
            .max()
            .unwrap_or(0)
            .max(0);
        let quotient = most_small + least + low_shift + 2 * reach + 4;
        let removed = self.splits.last().copied().unwrap_or(0);
        2 * (self.small.len() as i64) + removed + furthest + self.period * quotient + self.start
    }

    /// N1: two heaps of equal value are never a move apart.
    fn no_take_is_equal(&self, meter: &mut Meter) -> Result<(), Stop> {
        // Of one value, there is at most one heap in each residue class. Classes of equal rest
        // are kept together, so that this is no more than it must be.
        let mut order: Vec<usize> = (0..self.residues.len()).collect();
        order.sort_by_key(|place| self.residues[*place].rest);
        for group in order.chunk_by(|a, b| self.residues[*a].rest == self.residues[*b].rest) {
            for &from in group {
                meter.spend(group.len() as u64)?;
                for &to in group {
                    let shifts = self.residues[to].shift - self.residues[from].shift;
                    let taken = from as i64 - to as i64 + self.period * shifts;
                    if self.may_take(taken) {
                        let high = self.start + taken.abs() + self.period;
                        let heap = high + (from as i64 - high).rem_euclid(self.period);
                        return Err(Falsehood::EqualOption {
                            heap: heap.cast_unsigned(),
                        }
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// N2: two large parts.
    fn no_split_is_equal(&self, meter: &mut Meter) -> Result<(), Stop> {
        for &removed in self.splits {
            for first in 0..self.residues.len() {
                meter.spend(self.residues.len() as u64)?;
                for second in first..self.residues.len() {
                    let (whole, carry) = self.place(first as i64 + second as i64 + removed);
                    let [a, b, n] = [first, second, whole].map(|place| self.residues[place]);
                    if a.rest ^ b.rest != n.rest {
                        continue;
                    }
                    // X + Y - w, where the heap's quotient is w = x + y + carry + n.shift.
                    let excess = a.shift + b.shift - carry - n.shift;
                    if excess >= 0 && excess % 2 == 0 {
                        return Err(Falsehood::EqualOption {
                            heap: self.colliding(first, second, removed, excess / 2),
                        }
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// A heap with a split into parts of these residues whose quotients have `common` in common.
    fn colliding(&self, first: usize, second: usize, removed: i64, common: i64) -> u64 {
        let above = |place: usize| {
            let residue = self.residues[place];
            residue
                .least
                .max(residue.shift)
                .max(common)
                .max(1)
                .cast_unsigned()
        };
        let power = (above(first).max(above(second)) + 1)
            .next_power_of_two()
            .cast_signed();
        let part = |place: usize, quotient: i64| {
            place as i64 + self.period * (quotient - self.residues[place].shift)
        };
        let heap = part(first, common + power) + part(second, common + 2 * power) + removed;
        heap.cast_unsigned()
    }

    /// The least power of two above the quotients of all small parts.
    fn round(&self) -> Result<i64, Reason> {
        let most = self.small.iter().max().copied().unwrap_or(0) / self.saltus;
        let round = (most.cast_unsigned() + 1).next_power_of_two();
        if round > 1 << MOST_BITS {
            return Err(Reason::TooLarge);
        }
        Ok(round.cast_signed())
    }

    /// N3: one small part.
    fn no_split_with_a_small_part_is_equal(&self, meter: &mut Meter) -> Result<(), Stop> {
        let round = self.round()?;
        let start = usize::try_from(self.start).expect("0 or more");
        for (part, value) in self.small[..start].iter().enumerate().skip(1) {
            let (quotient, rest) = (value / self.saltus, value % self.saltus);
            for (other, b) in self.residues.iter().enumerate() {
                for &removed in self.splits {
                    meter.spend(1)?;
                    let (whole, carry) = self.place(part as i64 + other as i64 + removed);
                    let n = self.residues[whole];
                    if b.rest ^ rest != n.rest {
                        continue;
                    }
                    // Y xor C = w, where w = y + carry + n.shift and Y = y + b.shift.
                    let ahead = carry + n.shift - b.shift;
                    if ahead.abs() >= round {
                        continue;
                    }
                    meter.spend(round.cast_unsigned() / 8)?;
                    let equal = (0..round).find(|y| (y ^ quotient) - y == ahead);
                    if let Some(low) = equal {
                        let high = b.least.max(b.shift).max(0) / round + 1;
                        let y = high * round + low - b.shift;
                        let heap = part as i64 + other as i64 + self.period * y + removed;
                        return Err(Falsehood::EqualOption {
                            heap: heap.cast_unsigned(),
                        }
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// C1 and C2: every value below a large heap's is an option's.
    fn all_values_are_covered(&self, furthest: i64, meter: &mut Meter) -> Result<(), Stop> {
        let small: BTreeSet<i64> = self.small.iter().copied().collect();
        let mut classes_of: Vec<Vec<usize>> = Vec::new();
        for rest in 0..self.saltus {
            meter.spend(self.residues.len() as u64)?;
            let has_rest = |place: &usize| self.residues[*place].rest == rest;
            let classes: Vec<usize> = (0..self.residues.len()).filter(has_rest).collect();
            self.low_values_are_covered(rest, &classes, &small, meter)?;
            classes_of.push(classes);
        }
        let round = self.round()?;
        for (place, n) in self.residues.iter().enumerate() {
            for (rest, classes) in (0..).zip(&classes_of) {
                // Values saltus * (w - t) + rest, where the heap's is saltus * w + n.rest.
                let first = i64::from(rest >= n.rest);
                for t in first.. {
                    meter.spend(classes.len() as u64)?;
                    let taken = |class: &usize| {
                        let shifts = self.residues[*class].shift - n.shift + t;
                        place as i64 - *class as i64 + self.period * shifts
                    };
                    if classes.iter().any(|class| taken(class) > furthest) {
                        // So it is for all larger t.
                        break;
                    }
                    if classes.iter().any(|class| self.may_take(taken(class))) {
                        continue;
                    }
                    if !self.splits_cover(place, rest, t, round, meter)? {
                        return Err(Reason::Uncovered {
                            residue: place as u64,
                            below: (self.saltus * t + n.rest - rest).cast_unsigned(),
                        }
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether all values of one rest that are too small for the values of large heaps to reach
    /// are values of small heaps, and some large heaps have this rest.
    fn low_values_are_covered(
        &self,
        rest: i64,
        classes: &[usize],
        small: &BTreeSet<i64>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let least = classes
            .iter()
            .map(|place| self.residues[*place].least)
            .min();
        let unreached = |value: i64| Reason::Unreached {
            value: value.cast_unsigned(),
        };
        let least = least.ok_or_else(|| unreached(rest))?;
        for quotient in 0..least {
            let value = self.saltus * quotient + rest;
            meter.spend(1)?;
            if !small.contains(&value) {
                return Err(unreached(value).into());
            }
        }
        Ok(())
    }

    /// Whether for every quotient `w` of a large heap of one residue the value
    /// `saltus * (w - t) + rest` is that of a split with a small part.
    fn splits_cover(
        &self,
        place: usize,
        rest: i64,
        t: i64,
        round: i64,
        meter: &mut Meter,
    ) -> Result<bool, Stop> {
        let n = self.residues[place];
        let mut open: Vec<i64> = (0..round).collect();
        for (part, value) in self.small.iter().enumerate().skip(1) {
            let (quotient, small_rest) = (value / self.saltus, value % self.saltus);
            for &removed in self.splits {
                meter.spend(1)?;
                // The other part; it is large, of this residue and this much below the heap.
                let (other, carry) = self.place(place as i64 - part as i64 - removed);
                let b = self.residues[other];
                if b.rest ^ small_rest != rest {
                    continue;
                }
                meter.spend(open.len() as u64 / 8)?;
                // Y = w + ahead; a multiple of `round` more makes no difference.
                let ahead = carry + b.shift - n.shift;
                open.retain(|w| {
                    let y = (w + ahead).rem_euclid(round);
                    // Y xor C = w - t
                    (y ^ quotient) - y != -t - ahead
                });
                if open.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
