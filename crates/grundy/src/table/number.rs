//! The number theory that guards speak of, on machine integers.

use num_integer::Roots;

/// Whether `n` is prime. Miller–Rabin with the first twelve primes as witnesses, which decides
/// every number below 2^64 (Sorenson and Webster 2015).
pub(super) fn is_prime(n: i64) -> bool {
    const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let Ok(n) = u64::try_from(n) else {
        return false;
    };
    if n < 2 {
        return false;
    }
    for p in WITNESSES {
        if n % p == 0 {
            return n == p;
        }
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    WITNESSES.iter().all(|&witness| {
        let mut x = power(witness, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..twos {
            x = multiply(x, x, n);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(modulus);
    u64::try_from(product).expect("a remainder is below its modulus")
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    base %= modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// Whether `n` is a power of a prime, with an exponent of at least 1.
pub(super) fn is_prime_power(n: i64) -> bool {
    n >= 2
        && (1..=n.ilog2()).any(|exponent| {
            let root = n.nth_root(exponent);
            root.checked_pow(exponent) == Some(n) && is_prime(root)
        })
}

/// Whether `n` is 1, `base`, `base²`, …; never for a negative base.
pub(super) fn is_power_of(n: i64, base: i64) -> bool {
    if n == 1 {
        return base >= 0;
    }
    if base <= 1 || n <= 0 {
        return n == 0 && base == 0;
    }
    let mut n = n;
    while n % base == 0 {
        n /= base;
    }
    n == 1
}

/// Whether `n` is 1, 2, 3, 5, 8, …
pub(super) fn is_fibonacci(n: i64) -> bool {
    let (mut a, mut b) = (1i64, 2i64);
    while a < n {
        (a, b) = (b, a.saturating_add(b));
    }
    a == n
}

/// How many distinct primes divide `n >= 1`. Takes the square root of `n` in the worst case.
pub(super) fn omega(mut n: u64) -> i64 {
    let mut count = 0;
    let mut p = 2;
    while p * p <= n {
        if n.is_multiple_of(p) {
            count += 1;
            while n.is_multiple_of(p) {
                n /= p;
            }
        }
        p += 1;
    }
    count + i64::from(n > 1)
}

/// The digits that occur in `n`, ascending; undefined for a negative `n` or a base below 2.
pub(super) fn digits(n: i64, base: i64) -> Option<Vec<i64>> {
    if n < 0 || base < 2 {
        return None;
    }
    let mut digits = vec![n % base];
    let mut n = n / base;
    while n > 0 {
        digits.push(n % base);
        n /= base;
    }
    digits.sort_unstable();
    digits.dedup();
    Some(digits)
}
