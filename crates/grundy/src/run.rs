//! Nim-sums over runs: heaps that are the terms of an arithmetic progression, however many.
//!
//! Bit b of a nim-sum is the parity of the sum of floor(x / 2^b) over its terms x. Over `first +
//! i * step` that is a sum of floors of a linear function, which Euclid's algorithm finds in as many steps as
//! for the greatest common divisor of `step` and 2^b.
//!
//! A run is no POSITION: moves are of one heap, and 10^18 heaps cannot be told one by one. Who asks for the
//! outcome of a run needs its nim-sum only, and who asks for moves asks for a heap that a move of
//! value `heap xor sum` exists for.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::answer::periodic::PeriodicLaw;
use crate::nimber::Nimber;

/// The numbers `first`, `first + step`, …, `count` of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first one.
    pub first: BigUint,
    /// The distance from each to the next; 0 repeats the first.
    pub step: BigUint,
    /// How many.
    pub count: BigUint,
}

impl Run {
    /// The nim-sum of Nim heaps of these sizes.
    ///
    /// Costs about the square of the number of bits, in operations on numbers of that size.
    ///
    /// ```
    /// use grundy::nimber::Nimber;
    /// use grundy::run::Run;
    ///
    /// let run = Run { first: 1u32.into(), step: 3u32.into(), count: 4u32.into() };
    /// assert_eq!(run.nim_sum(), Nimber::from(1 ^ 4 ^ 7 ^ 10));
    /// ```
    pub fn nim_sum(&self) -> Nimber {
        let Some(last) = self.last() else {
            return Nimber::default();
        };
        let mut sum = BigUint::zero();
        for bit in 0..last.bits() {
            let floors = sum_of_floors(
                &self.count,
                &(BigUint::one() << bit),
                &self.step,
                &self.first,
            );
            sum.set_bit(bit, floors.is_odd());
        }
        Nimber(sum)
    }

    /// The nim-sum of heaps of these sizes under a periodic law.
    ///
    /// Heaps of the preperiod are visited; beyond, those at equal places of the period are runs
    /// of values. Costs as much as there are places in the preperiod and the period.
    pub fn nim_sum_of_heaps(&self, law: &PeriodicLaw) -> Nimber {
        let (preperiod, period) = (BigUint::from(law.preperiod), BigUint::from(law.period));
        let mut sum = BigUint::zero();
        let mut rest = self.clone();
        if self.step.is_zero() {
            let is_odd = self.count.is_odd();
            rest.count = BigUint::from(u8::from(is_odd));
        }
        while rest.first < preperiod && !rest.count.is_zero() {
            sum ^= law.value(&rest.first);
            rest.first += &rest.step;
            rest.count -= 1u8;
        }
        // After so many heaps the place in the period is the same.
        let laps = &period / rest.step.gcd(&period);
        let mut place = BigUint::zero();
        while place < laps && place < rest.count {
            let heap = &rest.first + &rest.step * &place;
            let values = Run {
                step: &rest.step * &laps / &period * law.saltus,
                first: law.value(&heap),
                count: (&rest.count - &place).div_ceil(&laps),
            };
            sum ^= values.nim_sum().0;
            place += 1u8;
        }
        Nimber(sum)
    }

    /// The last number; `None` without any.
    fn last(&self) -> Option<BigUint> {
        (!self.count.is_zero()).then(|| &self.first + &self.step * (&self.count - 1u8))
    }
}

/// The sum of `floor((a*i + b) / m)` over i from 0 to n-1, for m >= 1.
///
/// Whole multiples of m in a and b are summed at once. What is left counts the points of a grid under a line, which
/// are counted by columns instead of rows: m and a change places, as in Euclid's algorithm.
fn sum_of_floors(n: &BigUint, m: &BigUint, a: &BigUint, b: &BigUint) -> BigUint {
    let (mut n, mut m, mut a, mut b) = (n.clone(), m.clone(), a.clone(), b.clone());
    let mut sum = BigUint::zero();
    while !n.is_zero() {
        let (times, rest) = a.div_rem(&m);
        sum += &n * (&n - 1u8) / 2u8 * times;
        a = rest;
        let (times, rest) = b.div_rem(&m);
        sum += &n * times;
        b = rest;
        let end = &a * &n + &b;
        (n, b) = end.div_rem(&m);
        std::mem::swap(&mut m, &mut a);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: u64, step: u64, count: u64) -> Run {
        Run {
            first: first.into(),
            step: step.into(),
            count: count.into(),
        }
    }

    #[test]
    fn small_runs_are_what_adding_gives() {
        for first in 0..20 {
            for step in 0..20 {
                let mut sum = 0;
                for count in 0..40 {
                    let found = run(first, step, count).nim_sum();
                    assert_eq!(found, sum.into(), "{first} {step} {count}");
                    sum ^= first + step * count;
                }
            }
        }
    }

    #[test]
    fn long_runs_are_what_their_halves_give() {
        let big = BigUint::from(10u32).pow(18);
        // 1 xor … xor n is n, as n is divisible by 4.
        let all = Run {
            first: 1u32.into(),
            step: 1u32.into(),
            count: big.clone(),
        };
        assert_eq!(all.nim_sum().0, big);
        for step in [7u64, 1 << 40, 999_999_999_999] {
            let whole = Run {
                first: 12_345u32.into(),
                step: step.into(),
                count: BigUint::from(10u32).pow(40),
            };
            let half = BigUint::from(10u32).pow(39) * 3u8;
            let left = Run {
                count: half.clone(),
                ..whole.clone()
            };
            let right = Run {
                first: &whole.first + &whole.step * &half,
                count: &whole.count - &half,
                step: step.into(),
            };
            assert_eq!(whole.nim_sum().0, left.nim_sum().0 ^ right.nim_sum().0);
        }
    }

    #[test]
    fn runs_under_periodic_laws() {
        // Values 9 9 2 0 1 5, where the last three repeat and grow by the saltus.
        let values = [9, 9, 2, 0, 1, 5];
        for saltus in [0, 1, 4] {
            let law = PeriodicLaw {
                values: &values,
                preperiod: 3,
                period: 3,
                saltus,
            };
            for first in 0..8 {
                for step in 0..8 {
                    let mut sum = BigUint::zero();
                    for count in 0..30u64 {
                        let found = run(first, step, count).nim_sum_of_heaps(&law);
                        assert_eq!(found.0, sum, "{saltus} {first} {step} {count}");
                        sum ^= law.value(&(first + step * count).into());
                    }
                }
            }
        }
    }
}
