//! Sets of integers too large to list, that can be counted and walked in ascending order.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A set of integers in one of the forms in which winning choices come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strand {
    /// These, ascending.
    Points(Vec<BigInt>),
    /// The numbers from `low` to `high` whose distance from `low`, modulo `modulus`, is one of
    /// `residues` (ascending).
    Progressions {
        /// The least number that may be in the set.
        low: BigInt,
        /// The largest number that may be in the set.
        high: BigInt,
        /// The distance after which the set repeats.
        modulus: u64,
        /// Distances from `low`, below `modulus`, ascending.
        residues: Vec<u64>,
    },
    /// The numbers `offset + step * x` for the x from `low` to `high` that have all bits of `fixed`,
    /// none or some of the bits of `free`, and no other.
    Submasks {
        /// What x = 0 stands for.
        offset: BigInt,
        /// By how much the number grows with x: 1 or more, or -1 or less.
        step: BigInt,
        /// The least x.
        low: BigUint,
        /// The largest x.
        high: BigUint,
        /// The bits of all x.
        fixed: BigUint,
        /// The bits of some x, none of them in `fixed`.
        free: BigUint,
    },
}

impl Strand {
    /// The numbers `offset + step * x`, low <= x <= high, with `x xor (total - x) = xor`; none if
    /// there can be none.
    ///
    /// As x + y = (x xor y) + 2 (x and y), the bits that both have are half of `total - xor`.
    pub fn xor_pairs(
        offset: BigInt,
        step: BigInt,
        (low, high): (BigUint, BigUint),
        total: &BigUint,
        xor: &BigUint,
    ) -> Self {
        let twice = BigInt::from(total.clone()) - BigInt::from(xor.clone());
        let possible = !twice.is_negative() && twice.is_even();
        let both = (twice >> 1u8).to_biguint().unwrap_or_default();
        if possible && (&both & xor).is_zero() {
            Self::Submasks {
                offset,
                step,
                low,
                high,
                fixed: both,
                free: xor.clone(),
            }
        } else {
            Self::Points(Vec::new())
        }
    }

    /// How many numbers are in the set.
    pub fn count(&self) -> BigUint {
        match self {
            Self::Points(points) => points.len().into(),
            Self::Progressions {
                low,
                high,
                modulus,
                residues,
            } => {
                let Some(span) = (high - low).to_biguint() else {
                    return BigUint::zero();
                };
                let (laps, left) = span.div_rem(&BigUint::from(*modulus));
                let left = left.to_u64().expect("a remainder is below its divisor");
                let more = residues.iter().filter(|residue| **residue <= left).count();
                laps * residues.len() + more
            }
            Self::Submasks {
                low,
                high,
                fixed,
                free,
                ..
            } => {
                let upto = |x: &BigUint| match x.clone().checked_sub_signed(fixed) {
                    Some(rest) => submasks_upto(free, &rest),
                    None => BigUint::zero(),
                };
                let below = if low.is_zero() {
                    BigUint::zero()
                } else {
                    upto(&(low - 1u8))
                };
                let all = upto(high);
                if all > below {
                    all - below
                } else {
                    BigUint::zero()
                }
            }
        }
    }

    /// The least number of the set.
    pub fn first(&self) -> Option<BigInt> {
        match self {
            Self::Points(points) => points.first().cloned(),
            Self::Progressions { low, .. } => self.next(low),
            Self::Submasks {
                offset,
                step,
                low,
                high,
                ..
            } => {
                let end = if step.is_positive() { low } else { high };
                self.next(&(offset + step * BigInt::from(end.clone())))
            }
        }
    }

    /// The largest number of the set.
    pub fn last(&self) -> Option<BigInt> {
        match self {
            Self::Points(points) => points.last().cloned(),
            Self::Progressions {
                low,
                high,
                modulus,
                residues,
            } => {
                let (laps, left) = (high - low).div_mod_floor(&BigInt::from(*modulus));
                let left = left.to_u64().expect("a remainder is below its divisor");
                let (laps, residue) = match residues.iter().rfind(|residue| **residue <= left) {
                    Some(residue) => (laps, *residue),
                    None => (laps - 1, *residues.last()?),
                };
                Some(low + laps * *modulus + residue).filter(|last| last >= low)
            }
            Self::Submasks {
                offset,
                step,
                low,
                high,
                fixed,
                free,
            } => {
                // Walking the other way, the last is the first.
                let reversed = Self::Submasks {
                    offset: -offset,
                    step: -step,
                    low: low.clone(),
                    high: high.clone(),
                    fixed: fixed.clone(),
                    free: free.clone(),
                };
                reversed.first().map(|first| -first)
            }
        }
    }

    /// The least number of the set that is at least `from`.
    pub fn next(&self, from: &BigInt) -> Option<BigInt> {
        match self {
            Self::Points(points) => points
                .get(points.partition_point(|point| point < from))
                .cloned(),
            Self::Progressions {
                low,
                high,
                modulus,
                residues,
            } => {
                let from = from.max(low);
                let distance = from - low;
                let (laps, left) = distance.div_rem(&BigInt::from(*modulus));
                let left = left.to_u64().expect("a remainder is below its divisor");
                let (laps, residue) = match residues.iter().find(|residue| **residue >= left) {
                    Some(residue) => (laps, *residue),
                    None => (laps + 1, *residues.first()?),
                };
                Some(low + laps * *modulus + residue).filter(|next| next <= high)
            }
            Self::Submasks {
                offset,
                step,
                low,
                high,
                fixed,
                free,
            } => {
                let distance = from - offset;
                let found = if step.is_positive() {
                    let least = distance.div_ceil(step).max(BigInt::from(low.clone()));
                    let rest = (least - BigInt::from(fixed.clone())).max(BigInt::zero());
                    let rest = rest.to_biguint().expect("it is at least 0");
                    fixed + submask_from(free, &rest)?
                } else {
                    let most = distance.div_floor(step).min(BigInt::from(high.clone()));
                    let rest = (most - BigInt::from(fixed.clone())).to_biguint()?;
                    fixed + submask_upto(free, &rest)
                };
                let inside = *low <= found && found <= *high;
                inside.then(|| offset + step * BigInt::from(found))
            }
        }
    }
}

/// Subtraction that says when there is nothing left.
trait CheckedSub: Sized {
    fn checked_sub_signed(self, other: &Self) -> Option<Self>;
}

impl CheckedSub for BigUint {
    fn checked_sub_signed(self, other: &Self) -> Option<Self> {
        (self >= *other).then(|| self - other)
    }
}

/// How many numbers up to `bound` have all their bits among those of `mask`.
fn submasks_upto(mask: &BigUint, bound: &BigUint) -> BigUint {
    let mut count = BigUint::zero();
    let mut free = mask.count_ones();
    for bit in (0..mask.bits().max(bound.bits())).rev() {
        let in_mask = mask.bit(bit);
        free -= u64::from(in_mask);
        if bound.bit(bit) {
            // With this bit clear everything below is free.
            count += BigUint::one() << free;
            if !in_mask {
                return count;
            }
        }
    }
    count + 1u8
}

/// The largest number up to `bound` whose bits are all among those of `mask`.
fn submask_upto(mask: &BigUint, bound: &BigUint) -> BigUint {
    let mut result = BigUint::zero();
    for bit in (0..mask.bits().max(bound.bits())).rev() {
        match (bound.bit(bit), mask.bit(bit)) {
            (true, true) => result.set_bit(bit, true),
            (true, false) => {
                // All lower bits of the mask fit below this one.
                let low = (BigUint::one() << bit) - 1u8;
                return result | (mask & low);
            }
            (false, _) => {}
        }
    }
    result
}

/// The least number from `bound` on whose bits are all among those of `mask`.
fn submask_from(mask: &BigUint, bound: &BigUint) -> Option<BigUint> {
    if bound.is_zero() {
        return Some(BigUint::zero());
    }
    let below = submask_upto(mask, &(bound - 1u8));
    // The successor of a submask s is (s - mask) & mask, that is ((s | !mask) + 1) & mask.
    if below == *mask {
        return None;
    }
    let all = (BigUint::one() << mask.bits()) - 1u8;
    let outside = &all ^ mask;
    Some(((below | outside) + 1u8) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(strand: &Strand) -> Vec<i64> {
        let numbers = std::iter::successors(strand.first(), |n| strand.next(&(n + 1)));
        numbers.map(|n| n.to_i64().expect("small")).collect()
    }

    #[test]
    fn xor_pairs_equal_their_definition() {
        for total in 0..40u32 {
            for xor in 0..40u32 {
                for (low, high) in [(0, 40), (3, 17), (7, 7), (9, 4)] {
                    for (offset, step) in [(0, 1), (5, 3), (100, -1), (100, -4)] {
                        let strand = Strand::xor_pairs(
                            offset.into(),
                            step.into(),
                            (low.into(), high.into()),
                            &total.into(),
                            &xor.into(),
                        );
                        let pairs = (low..=high.min(total)).filter(|x| x ^ (total - x) == xor);
                        let mut expected: Vec<i64> =
                            pairs.map(|x| offset + step * i64::from(x)).collect();
                        expected.sort_unstable();
                        assert_eq!(
                            listed(&strand),
                            expected,
                            "{total} {xor} {low} {high} {step}"
                        );
                        assert_eq!(strand.count(), expected.len().into());
                        assert_eq!(strand.last(), expected.last().map(|n| (*n).into()));
                    }
                }
            }
        }
    }

    #[test]
    fn progressions_equal_their_definition() {
        for (low, high) in [(0, 30), (-7, 11), (5, 5), (6, 5)] {
            for residues in [vec![], vec![0], vec![1, 4], vec![0, 1, 2, 3, 4]] {
                let strand = Strand::Progressions {
                    low: low.into(),
                    high: high.into(),
                    modulus: 5,
                    residues: residues.clone(),
                };
                let expected: Vec<i64> = (low..=high)
                    .filter(|n| residues.contains(&u64::try_from((n - low) % 5).unwrap()))
                    .collect();
                assert_eq!(listed(&strand), expected);
                assert_eq!(strand.count(), expected.len().into());
                assert_eq!(strand.last(), expected.last().map(|n| (*n).into()));
            }
        }
    }
}
