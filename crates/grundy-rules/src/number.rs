//! Arithmetic on exact integers that the rule language offers beyond `+ - *`.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::budget::{Limit, Meter};

/// The most binary digits that a computed number may have, 16 million.
///
/// A rule such as `2^(2^n)` would otherwise fill the memory at a small heap.
pub const MOST_BITS: u64 = 1 << 24;

/// `base ^ exponent`; `None` where it has no value (a negative exponent).
pub(crate) fn power(base: &BigInt, exponent: &BigInt) -> Result<Option<BigInt>, Limit> {
    if exponent.is_negative() {
        return Ok(None);
    }
    if base.magnitude().is_zero() || base.magnitude().is_one() {
        let sign = if exponent.is_even() {
            base * base
        } else {
            base.clone()
        };
        return Ok(Some(if exponent.is_zero() {
            BigInt::one()
        } else {
            sign
        }));
    }
    match exponent.to_u32() {
        Some(e) if base.bits().saturating_mul(u64::from(e)) <= MOST_BITS => Ok(Some(base.pow(e))),
        _ => Err(Limit::Bytes),
    }
}

/// `n << by` for naturals; `None` where it has no value.
pub(crate) fn shift_left(n: &BigInt, by: &BigInt) -> Result<Option<BigInt>, Limit> {
    if n.is_negative() || by.is_negative() {
        return Ok(None);
    }
    if n.is_zero() {
        return Ok(Some(BigInt::zero()));
    }
    match by.to_u64() {
        Some(by) if n.bits().saturating_add(by) <= MOST_BITS => Ok(Some(n << by)),
        _ => Err(Limit::Bytes),
    }
}

/// `n >> by` for naturals; `None` where it has no value.
pub(crate) fn shift_right(n: &BigInt, by: &BigInt) -> Option<BigInt> {
    if n.is_negative() || by.is_negative() {
        return None;
    }
    Some(by.to_u64().map_or_else(BigInt::zero, |by| n >> by))
}

/// How many primes divide `n`; `None` below 1. Trial division: about sqrt(n) steps.
pub(crate) fn omega(n: &BigInt, meter: &mut Meter) -> Result<Option<BigInt>, Limit> {
    if !n.is_positive() {
        return Ok(None);
    }
    let Some(mut rest) = n.to_u64() else {
        return Err(Limit::Steps);
    };
    let mut count = 0;
    let mut divisor = 2u64;
    while divisor
        .checked_mul(divisor)
        .is_some_and(|square| square <= rest)
    {
        meter.spend(1)?;
        if rest.is_multiple_of(divisor) {
            count += 1;
            while rest.is_multiple_of(divisor) {
                rest /= divisor;
            }
        }
        divisor += 1;
    }
    Ok(Some(BigInt::from(count + u64::from(rest > 1))))
}

/// The first 13 primes: as bases they make the Miller–Rabin test exact below [`exact_prime_bound`].
const BASES: [u8; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// 3 317 044 064 679 887 385 961 981, the least composite number that passes the test of
/// Miller and Rabin for the first 13 primes (Sorenson and Webster 2015).
fn exact_prime_bound() -> BigUint {
    BigUint::from(3_317_044_064_679_887_385_961_981_u128)
}

/// Whether `n` is a prime; a limit where that cannot be told exactly.
pub(crate) fn is_prime(n: &BigInt) -> Result<bool, Limit> {
    let Some(n) = n.to_biguint() else {
        return Ok(false);
    };
    if n <= BigUint::one() {
        return Ok(false);
    }
    for p in BASES {
        if (&n % p).is_zero() {
            return Ok(n == BigUint::from(p));
        }
    }
    let minus_one = &n - 1u8;
    let twos = minus_one
        .trailing_zeros()
        .expect("n is odd and at least 43, so n - 1 is positive");
    let odd = &minus_one >> twos;
    let passes = |base: u8| {
        let mut x = BigUint::from(base).modpow(&odd, &n);
        if x.is_one() || x == minus_one {
            return true;
        }
        for _ in 1..twos {
            x = &x * &x % &n;
            if x == minus_one {
                return true;
            }
        }
        false
    };
    let probable = BASES.into_iter().all(passes);
    if probable && n >= exact_prime_bound() {
        return Err(Limit::Steps);
    }
    Ok(probable)
}

/// Whether `n` is p, p², p³, … for a prime p.
pub(crate) fn is_prime_power(n: &BigInt) -> Result<bool, Limit> {
    let Some(n) = n.to_biguint().filter(|n| *n > BigUint::one()) else {
        return Ok(false);
    };
    for exponent in 1..=u32::try_from(n.bits()).unwrap_or(u32::MAX) {
        let root = n.nth_root(exponent);
        if root <= BigUint::one() {
            break;
        }
        if root.pow(exponent) == n && is_prime(&BigInt::from(root))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether `n` is 1, 4, 9, ….
pub(crate) fn is_square(n: &BigInt) -> bool {
    n.is_positive() && {
        let root = n.sqrt();
        &root * &root == *n
    }
}

/// Whether `n` is 1, p, p², …; nothing is if p is negative.
pub(crate) fn is_power_of(n: &BigInt, p: &BigInt) -> bool {
    if p.is_negative() || n.is_negative() {
        return false;
    }
    if n.is_one() || n == p {
        return true;
    }
    if *p <= BigInt::one() || n.is_zero() {
        return false;
    }
    let mut rest = n.clone();
    while rest > BigInt::one() {
        let (quotient, remainder) = rest.div_rem(p);
        if !remainder.is_zero() {
            return false;
        }
        rest = quotient;
    }
    true
}

/// Whether `n` is 1, 2, 3, 5, 8, ….
///
/// n is a Fibonacci number iff 5n² + 4 or 5n² - 4 is a square (Gessel 1972).
pub(crate) fn is_fibonacci(n: &BigInt) -> bool {
    let five = n * n * 5;
    n.is_positive() && (is_square(&(&five + 4)) || is_square(&(&five - 4)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn members(test: impl Fn(&BigInt) -> bool) -> Vec<i32> {
        (-3..60).filter(|n| test(&BigInt::from(*n))).collect()
    }

    #[test]
    fn sets_begin_as_the_language_says() {
        assert_eq!(members(is_square), [1, 4, 9, 16, 25, 36, 49]);
        assert_eq!(members(is_fibonacci), [1, 2, 3, 5, 8, 13, 21, 34, 55]);
        assert_eq!(
            members(|n| is_prime(n).unwrap()),
            [
                2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59
            ]
        );
        assert_eq!(
            members(|n| is_prime_power(n).unwrap() && !is_prime(n).unwrap()),
            [4, 8, 9, 16, 25, 27, 32, 49]
        );
        let powers = |p: i32| members(|n| is_power_of(n, &BigInt::from(p)));
        assert_eq!(powers(3), [1, 3, 9, 27]);
        assert_eq!(
            (powers(1), powers(0), powers(-2)),
            (vec![1], vec![0, 1], vec![])
        );
    }

    #[test]
    fn primes_agree_with_trial_division() {
        for n in 2..20_000u32 {
            let trial = (2..=n.isqrt()).all(|d| n % d != 0);
            assert_eq!(is_prime(&n.into()), Ok(trial), "{n}");
        }
        // A strong pseudoprime to the first twelve prime bases.
        assert_eq!(
            is_prime(&"318665857834031151167461".parse().unwrap()),
            Ok(false)
        );
    }

    #[test]
    fn omega_counts_distinct_primes() {
        let mut meter = Meter::new(Budget::default());
        let mut of = |n: i32| {
            omega(&n.into(), &mut meter)
                .unwrap()
                .map(|k| k.to_u8().unwrap())
        };
        assert_eq!(
            [of(0), of(1), of(2), of(12), of(30), of(97), of(49)].map(|k| k.unwrap_or(99)),
            [99, 0, 1, 2, 3, 1, 1]
        );
    }

    #[test]
    fn huge_powers_reach_a_limit() {
        let n = |n: i32| BigInt::from(n);
        assert_eq!(power(&n(2), &n(10)), Ok(Some(n(1024))));
        assert_eq!(power(&n(-1), &(n(1) << 200)), Ok(Some(n(1))));
        assert_eq!(power(&n(0), &n(0)), Ok(Some(n(1))));
        assert_eq!(power(&n(2), &n(-1)), Ok(None));
        assert_eq!(power(&n(2), &(n(1) << 200)), Err(Limit::Bytes));
        assert_eq!(shift_left(&n(1), &(n(1) << 200)), Err(Limit::Bytes));
        assert_eq!(shift_right(&n(9), &(n(1) << 200)), Some(n(0)));
    }
}
