//! Prime factors and divisors of exact integers.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::budget::{Limit, Meter};
use crate::number::is_prime;

/// Up to here primes are found by division.
const DIVIDED: u32 = 1 << 10;

/// The primes that divide `n`, ascending, each with how often it does; none for 0 and 1.
///
/// Small primes are divided out, then Pollard's method in Brent's form (1980) splits what is left, and each
/// factor is a prime by an exact test.
///
/// # Errors
///
/// A limit of the meter, or a factor above 3.3·10^24 that can be neither split nor proved a prime.
pub fn factors(n: &BigUint, meter: &mut Meter) -> Result<Vec<(BigUint, u32)>, Limit> {
    let mut found: Vec<BigUint> = Vec::new();
    let mut rest = n.clone();
    if rest.is_zero() {
        return Ok(Vec::new());
    }
    let twos = rest.trailing_zeros().unwrap_or(0);
    rest >>= twos;
    meter.spend(twos)?;
    found.extend((0..twos).map(|_| BigUint::from(2u8)));
    for p in (3..DIVIDED).step_by(2) {
        meter.spend(1)?;
        while (&rest % p).is_zero() {
            rest /= p;
            found.push(p.into());
        }
    }
    let mut open = vec![rest];
    while let Some(factor) = open.pop() {
        if factor.is_one() {
        } else if factor < BigUint::from(DIVIDED * DIVIDED) || is_prime(&factor.clone().into())? {
            found.push(factor);
        } else {
            let part = split(&factor, meter)?;
            open.push(&factor / &part);
            open.push(part);
        }
    }
    found.sort();
    let equal = found.chunk_by(|a, b| a == b);
    Ok(equal
        .map(|run| {
            let times = u32::try_from(run.len()).expect("a number has fewer bits than 2^32");
            (run[0].clone(), times)
        })
        .collect())
}

/// A proper factor of a composite number without small ones.
fn split(n: &BigUint, meter: &mut Meter) -> Result<BigUint, Limit> {
    let root = n.sqrt();
    if &root * &root == *n {
        return Ok(root);
    }
    let cost = 1 + n.bits() / 64;
    let mut addend = 0u64;
    loop {
        addend += 1;
        let step = |x: &BigUint| (x * x + addend) % n;
        let distance = |x: &BigUint, y: &BigUint| if x > y { x - y } else { y - x };
        let (mut tortoise, mut hare) = (BigUint::from(2u8), BigUint::from(2u8));
        let mut power = 1u64;
        let found = 'search: loop {
            tortoise.clone_from(&hare);
            let mut left = power;
            while left > 0 {
                // Many differences share one greatest common divisor.
                let start = hare.clone();
                let lap = left.min(128);
                let mut product = BigUint::one();
                for _ in 0..lap {
                    meter.spend(cost)?;
                    hare = step(&hare);
                    product = product * distance(&tortoise, &hare) % n;
                }
                left -= lap;
                let common = if product.is_zero() {
                    n.clone()
                } else {
                    product.gcd(n)
                };
                if common.is_one() {
                    continue;
                }
                if common != *n {
                    break 'search common;
                }
                hare = start;
                loop {
                    meter.spend(cost)?;
                    hare = step(&hare);
                    let common = distance(&tortoise, &hare).gcd(n);
                    if !common.is_one() {
                        break 'search common;
                    }
                }
            }
            power *= 2;
        };
        if found != *n {
            return Ok(found);
        }
    }
}

/// The divisors of a number with these prime factors, ascending.
///
/// # Errors
///
/// A limit of the meter: there may be many.
pub fn divisors(factors: &[(BigUint, u32)], meter: &mut Meter) -> Result<Vec<BigUint>, Limit> {
    let mut all = vec![BigUint::one()];
    for (prime, times) in factors {
        let mut block = 0..all.len();
        for _ in 0..*times {
            meter.spend(block.len() as u64)?;
            meter.allocate(64 * block.len() as u64)?;
            let start = all.len();
            for index in block {
                let next = &all[index] * prime;
                all.push(next);
            }
            block = start..all.len();
        }
    }
    meter.release(64 * (all.len() as u64 - 1));
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn meter() -> Meter<'static> {
        Meter::new(Budget::default())
    }

    #[test]
    fn factors_and_divisors_equal_their_definition() {
        for n in 1..3000u32 {
            let of_n = factors(&n.into(), &mut meter()).unwrap();
            let product: BigUint = of_n.iter().map(|(p, times)| p.pow(*times)).product();
            assert_eq!(product, n.into());
            assert!(
                of_n.iter()
                    .all(|(p, _)| is_prime(&p.clone().into()).unwrap())
            );
            assert!(of_n.is_sorted_by(|a, b| a.0 < b.0));
            let all: Vec<BigUint> = (1..=n).filter(|d| n % d == 0).map(BigUint::from).collect();
            assert_eq!(divisors(&of_n, &mut meter()).unwrap(), all, "{n}");
        }
        assert_eq!(factors(&BigUint::zero(), &mut meter()), Ok(Vec::new()));
    }

    #[test]
    fn large_numbers_are_split() {
        let text = |n: &str| -> BigUint { n.parse().unwrap() };
        for (n, expected) in [
            ("1000000000000000000", vec![("2", 18), ("5", 18)]),
            // 2^64 + 1, by Landry 1880.
            (
                "18446744073709551617",
                vec![("274177", 1), ("67280421310721", 1)],
            ),
            (
                "1000000016000000063",
                vec![("1000000007", 1), ("1000000009", 1)],
            ),
            ("1000000014000000049", vec![("1000000007", 2)]),
            ("999999999999999989", vec![("999999999999999989", 1)]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(p, k)| (text(p), k)).collect();
            assert_eq!(factors(&text(n), &mut meter()), Ok(expected), "{n}");
        }
        // 2^127 - 1 is a prime, which the exact test does not reach.
        let large = (BigUint::one() << 127u8) - 1u8;
        assert_eq!(factors(&large, &mut meter()), Err(Limit::Steps));
    }
}
