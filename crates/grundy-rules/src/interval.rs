//! Intervals of integers whose ends may be infinite, or finite but too large to compute.

use std::cmp::{max, min};

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The end of an interval. The order of the variants is the order of the numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// No lower bound.
    MinusInfinity,
    /// Some finite number below zero or not; only ever a lower end.
    MinusHuge,
    /// This number.
    Finite(BigInt),
    /// Some finite number that is not known, or too large to write down; only ever an upper end.
    Huge,
    /// No upper bound.
    Infinity,
}

/// Numbers with more binary digits than this count as `Huge`.
const MOST_BITS: u64 = 1 << 12;

impl End {
    fn finite(n: BigInt) -> Self {
        if n.bits() <= MOST_BITS {
            Self::Finite(n)
        } else if n.is_positive() {
            Self::Huge
        } else {
            Self::MinusHuge
        }
    }

    /// The number, where it is known.
    pub fn number(&self) -> Option<&BigInt> {
        match self {
            Self::Finite(n) => Some(n),
            _ => None,
        }
    }

    fn sign(&self) -> Sign {
        match self {
            Self::MinusInfinity | Self::MinusHuge => Sign::Minus,
            Self::Finite(n) => n.sign(),
            Self::Huge | Self::Infinity => Sign::Plus,
        }
    }

    fn negate(&self) -> Self {
        match self {
            Self::MinusInfinity => Self::Infinity,
            Self::MinusHuge => Self::Huge,
            Self::Finite(n) => Self::Finite(-n),
            Self::Huge => Self::MinusHuge,
            Self::Infinity => Self::MinusInfinity,
        }
    }

    /// The sum; where both ends are unbounded in opposite directions, the one that `up` allows for.
    fn add(&self, other: &Self, up: bool) -> Self {
        let (low, high) = if self <= other {
            (self, other)
        } else {
            (other, self)
        };
        match (low, high) {
            (Self::Finite(a), Self::Finite(b)) => Self::finite(a + b),
            (Self::MinusInfinity | Self::MinusHuge, Self::Huge | Self::Infinity) => {
                (if up { high } else { low }).clone()
            }
            (Self::MinusInfinity | Self::MinusHuge, _) => low.clone(),
            _ => high.clone(),
        }
    }

    /// The product, with 0 times anything 0.
    fn multiply(&self, other: &Self) -> Self {
        if let (Self::Finite(a), Self::Finite(b)) = (self, other) {
            return Self::finite(a * b);
        }
        let infinite = |end: &Self| matches!(end, Self::MinusInfinity | Self::Infinity);
        let infinite = infinite(self) || infinite(other);
        match self.sign() * other.sign() {
            Sign::NoSign => Self::Finite(BigInt::zero()),
            Sign::Plus if infinite => Self::Infinity,
            Sign::Plus => Self::Huge,
            Sign::Minus if infinite => Self::MinusInfinity,
            Sign::Minus => Self::MinusHuge,
        }
    }

    /// The quotient rounded down, for a divisor of at least 1; dividing by an unbounded
    /// number gives 0 or -1, the numbers it comes near to.
    fn divide(&self, divisor: &Self) -> Self {
        match (self, divisor) {
            (Self::Finite(a), Self::Finite(d)) => Self::finite(a.div_floor(d)),
            (Self::Finite(a), _) => Self::Finite(if a.is_negative() {
                -BigInt::one()
            } else {
                BigInt::zero()
            }),
            _ => self.clone(),
        }
    }
}

/// All integers from `low` to `high`, the ends included; empty if `low > high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub low: End,
    /// The upper end.
    pub high: End,
}

impl Interval {
    /// The interval with these ends. A lower end of unknown size says nothing from below,
    /// an upper end of unknown size below zero nothing from above.
    pub fn new(low: End, high: End) -> Self {
        Self {
            low: if low == End::Huge {
                End::MinusHuge
            } else {
                low
            },
            high: if high == End::MinusHuge {
                End::Huge
            } else {
                high
            },
        }
    }

    /// All integers.
    pub fn all() -> Self {
        Self {
            low: End::MinusInfinity,
            high: End::Infinity,
        }
    }

    /// One integer.
    pub fn point(n: BigInt) -> Self {
        Self::new(End::finite(n.clone()), End::finite(n))
    }

    /// The integers from `n` on.
    pub fn at_least(n: BigInt) -> Self {
        Self::new(End::finite(n), End::Infinity)
    }

    /// The integers from `low` to `high`.
    pub fn between(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Self {
        Self::new(End::finite(low.into()), End::finite(high.into()))
    }

    /// The naturals up to some number.
    pub fn some_natural() -> Self {
        Self::new(End::Finite(BigInt::zero()), End::Huge)
    }

    /// The naturals.
    pub fn naturals() -> Self {
        Self::at_least(BigInt::zero())
    }

    /// Whether no integer is in it.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// Whether its numbers are bounded on both sides.
    pub fn is_finite(&self) -> bool {
        self.is_empty() || (self.low != End::MinusInfinity && self.high != End::Infinity)
    }

    /// Whether all its numbers are at least `n`.
    pub fn is_at_least(&self, n: i32) -> bool {
        self.low >= End::Finite(BigInt::from(n))
    }

    /// The numbers in both.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self {
            low: max(&self.low, &other.low).clone(),
            high: min(&self.high, &other.high).clone(),
        }
    }

    /// The least interval that holds both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            low: min(&self.low, &other.low).clone(),
            high: max(&self.high, &other.high).clone(),
        }
    }

    /// Where the sums lie.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self::new(
            self.low.add(&other.low, false),
            self.high.add(&other.high, true),
        )
    }

    /// Where the negatives lie.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self::new(self.high.negate(), self.low.negate())
    }

    /// Where the differences lie.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }

    /// Where the products lie.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        let products = [
            self.low.multiply(&other.low),
            self.low.multiply(&other.high),
            self.high.multiply(&other.low),
            self.high.multiply(&other.high),
        ];
        let low = products.iter().min().expect("there are four").clone();
        let high = products.iter().max().expect("there are four").clone();
        Self::new(low, high)
    }

    /// Where the quotients, rounded down, lie; no sharper than the dividend's absolute value
    /// unless there is a divisor and it is at least 1.
    #[must_use]
    pub fn divide(&self, divisor: &Self) -> Self {
        if !divisor.is_at_least(1) || divisor.is_empty() {
            let abs = self.abs();
            return abs.hull(&abs.negate());
        }
        let quotients = |end: &End| [end.divide(&divisor.low), end.divide(&divisor.high)];
        let low = quotients(&self.low)
            .into_iter()
            .min()
            .expect("there are two");
        let high = quotients(&self.high)
            .into_iter()
            .max()
            .expect("there are two");
        Self::new(low, high)
    }

    /// Where `x` lies if `x * factor` lies here; everywhere unless there is a factor and it is
    /// at least 1.
    #[must_use]
    pub fn divide_exactly(&self, factor: &Self) -> Self {
        if !factor.is_at_least(1) || factor.is_empty() {
            return Self::all();
        }
        // x >= low / factor rounded up, x <= high / factor rounded down.
        Self::new(
            self.negate().divide(factor).negate().low,
            self.divide(factor).high,
        )
    }

    /// Where the square roots of its numbers lie, rounded down; for naturals.
    #[must_use]
    pub fn isqrt(&self) -> Self {
        let root = |end: &End| match end {
            End::Finite(n) if n.is_negative() => End::Finite(BigInt::zero()),
            End::Finite(n) => End::Finite(n.sqrt()),
            End::MinusInfinity | End::MinusHuge => End::Finite(BigInt::zero()),
            other => other.clone(),
        };
        Self::new(root(&self.low), root(&self.high))
    }

    /// The absolute values.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_at_least(0) {
            return self.clone();
        }
        let negated = self.negate();
        if negated.is_at_least(0) {
            return negated;
        }
        Self::new(
            End::Finite(BigInt::zero()),
            max(self.high.clone(), negated.high),
        )
    }

    /// `base ^ exponent` for a base of at least 1 and an exponent of at least 0; else everywhere.
    #[must_use]
    pub fn power(&self, exponent: &Self) -> Self {
        if !self.is_at_least(1) || !exponent.is_at_least(0) {
            let naturals = self.is_at_least(0);
            let finite = self.is_finite() && exponent.is_finite();
            let high = if finite { End::Huge } else { End::Infinity };
            return Self::new(
                if naturals {
                    End::Finite(BigInt::zero())
                } else {
                    high.negate()
                },
                high,
            );
        }
        let power = |base: &End, exponent: &End| match (base, exponent) {
            (End::Finite(b), _) if b.is_one() => End::Finite(BigInt::one()),
            (_, End::Finite(e)) if e.is_zero() => End::Finite(BigInt::one()),
            (End::Finite(b), End::Finite(e)) => match e.to_u32() {
                Some(e) if b.bits().saturating_mul(u64::from(e)) <= MOST_BITS => {
                    End::Finite(b.pow(e))
                }
                _ => End::Huge,
            },
            (End::Infinity, _) | (_, End::Infinity) => End::Infinity,
            _ => End::Huge,
        };
        let low = match power(&self.low, &exponent.low) {
            End::Finite(n) => End::Finite(n),
            _ => End::Finite(BigInt::one()),
        };
        Self::new(low, power(&self.high, &exponent.high))
    }

    /// The numbers that `xor`, `bor` of naturals up to this upper end and `other`'s can give.
    #[must_use]
    pub fn bits_hull(&self, other: &Self) -> Self {
        let all_ones = |end: &End| match end {
            End::Finite(n) if n.is_positive() => End::finite((BigInt::one() << n.bits()) - 1),
            End::Finite(_) => End::Finite(BigInt::zero()),
            other => other.clone(),
        };
        Self::new(
            End::Finite(BigInt::zero()),
            all_ones(max(&self.high, &other.high)),
        )
    }

    /// How often the upper end can be halved before it is 0: a bound for exponents of 2 or more.
    #[must_use]
    pub fn logarithm(&self, base: &BigInt) -> Self {
        let high = match &self.high {
            End::Finite(n) if n.is_positive() => {
                let mut power = base.clone();
                let mut exponent = 0;
                while power <= *n {
                    power *= base;
                    exponent += 1;
                }
                End::Finite(BigInt::from(exponent))
            }
            End::Finite(_) => End::Finite(-BigInt::one()),
            other => other.clone(),
        };
        Self::new(End::MinusInfinity, high)
    }

    /// The numbers x of at least 0 with `x ^ exponent` up to the upper end.
    #[must_use]
    pub fn root(&self, exponent: u32) -> Self {
        let high = match &self.high {
            End::Finite(n) if n.is_negative() => End::Finite(-BigInt::one()),
            End::Finite(n) => End::Finite(n.nth_root(exponent)),
            other => other.clone(),
        };
        Self::new(End::MinusInfinity, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choices of a rule that cannot be used lie in an empty interval, and it may be narrowed on.
    #[test]
    fn nothing_is_divided_by_an_empty_interval() {
        let empty = Interval::between(1, 0);
        let ten = Interval::between(0, 10);
        assert_eq!(ten.divide(&empty), Interval::between(-10, 10));
        assert_eq!(ten.divide_exactly(&empty), Interval::all());
    }
}
