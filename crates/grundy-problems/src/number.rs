//! Integers of any size that are fast while they are small.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// An integer.
///
/// What fits into 64 bits is always [`Small`](Number::Small), so that equal numbers are equal as data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// One that fits into 64 bits.
    Small(i64),
    /// Any other.
    Large(Rc<BigInt>),
}

/// The most binary digits of a number that is computed.
pub const MOST_BITS: u64 = 1 << 22;

/// Why a number has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// A division by 0, or a remainder for a modulus below 1.
    Division,
    /// A negative exponent, shift or root.
    Negative,
    /// It has more than [`MOST_BITS`] digits.
    TooLarge,
}

impl Number {
    /// 0.
    pub const ZERO: Self = Self::Small(0);
    /// 1.
    pub const ONE: Self = Self::Small(1);
    /// 2.
    pub const TWO: Self = Self::Small(2);

    /// The same as a number of any size.
    pub fn to_bigint(&self) -> BigInt {
        match self {
            Self::Small(n) => BigInt::from(*n),
            Self::Large(n) => BigInt::clone(n),
        }
    }

    /// The same as a natural; `None` below 0.
    pub fn to_natural(&self) -> Option<BigUint> {
        match self {
            Self::Small(n) => u64::try_from(*n).ok().map(BigUint::from),
            Self::Large(n) => n.to_biguint(),
        }
    }

    /// The same in 64 bits, if it fits and is not negative.
    pub fn to_u64(&self) -> Option<u64> {
        match self {
            Self::Small(n) => u64::try_from(*n).ok(),
            Self::Large(n) => n.to_u64(),
        }
    }

    /// The same as a length, if it can be one.
    pub fn to_usize(&self) -> Option<usize> {
        self.to_u64().and_then(|n| usize::try_from(n).ok())
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Small(n) => *n < 0,
            Self::Large(n) => n.is_negative(),
        }
    }

    /// How many words of 64 bits it takes: what an operation on it costs.
    pub fn words(&self) -> u64 {
        match self {
            Self::Small(_) => 1,
            Self::Large(n) => n.bits().div_ceil(64),
        }
    }

    fn bits(&self) -> u64 {
        match self {
            Self::Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Self::Large(n) => n.bits(),
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Self::Small(sum);
        }
        (self.to_bigint() + other.to_bigint()).into()
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Self::Small(difference);
        }
        (self.to_bigint() - other.to_bigint()).into()
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Result<Self, NoNumber> {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(Self::Small(product));
        }
        if self.bits() + other.bits() > MOST_BITS {
            return Err(NoNumber::TooLarge);
        }
        Ok((self.to_bigint() * other.to_bigint()).into())
    }

    /// The quotient, rounded down.
    pub fn over(&self, other: &Self) -> Result<Self, NoNumber> {
        match (self, other) {
            (_, Self::Small(0)) => Err(NoNumber::Division),
            (Self::Small(a), Self::Small(b)) if *b > 0 => Ok(Self::Small(a.div_floor(b))),
            _ => Ok(self.to_bigint().div_floor(&other.to_bigint()).into()),
        }
    }

    /// The remainder in `0..modulus - 1`.
    pub fn modulo(&self, modulus: &Self) -> Result<Self, NoNumber> {
        match (self, modulus) {
            (_, m) if *m < Self::ONE => Err(NoNumber::Division),
            (Self::Small(a), Self::Small(m)) => Ok(Self::Small(a.rem_euclid(*m))),
            _ => Ok(self.to_bigint().mod_floor(&modulus.to_bigint()).into()),
        }
    }

    /// The power.
    pub fn power(&self, exponent: &Self) -> Result<Self, NoNumber> {
        if exponent.is_negative() {
            return Err(NoNumber::Negative);
        }
        let is_odd = exponent.modulo(&Self::TWO)? == Self::ONE;
        let one = Self::ONE;
        match self {
            _ if *exponent == Self::ZERO => return Ok(one),
            Self::Small(0 | 1) => return Ok(self.clone()),
            Self::Small(-1) => return Ok(if is_odd { self.clone() } else { one }),
            _ => {}
        }
        let exponent = exponent
            .to_u64()
            .filter(|e| (self.bits() - 1).saturating_mul(*e) <= MOST_BITS)
            .and_then(|e| u32::try_from(e).ok())
            .ok_or(NoNumber::TooLarge)?;
        if let Self::Small(n) = self
            && let Some(power) = n.checked_pow(exponent)
        {
            return Ok(Self::Small(power));
        }
        Ok(self.to_bigint().pow(exponent).into())
    }

    /// Its binary digits moved up by so many places.
    pub fn shifted_left(&self, by: &Self) -> Result<Self, NoNumber> {
        match by.to_u64() {
            None if by.is_negative() => Err(NoNumber::Negative),
            _ if *self == Self::ZERO => Ok(self.clone()),
            Some(by) if self.bits().saturating_add(by) <= MOST_BITS => {
                Ok((self.to_bigint() << by).into())
            }
            _ => Err(NoNumber::TooLarge),
        }
    }

    /// Its binary digits moved down by so many places.
    pub fn shifted_right(&self, by: &Self) -> Result<Self, NoNumber> {
        match (self, by.to_u64()) {
            (_, None) if by.is_negative() => Err(NoNumber::Negative),
            (Self::Small(n), Some(by)) => Ok(Self::Small(n >> by.min(63))),
            (n, Some(by)) => Ok((n.to_bigint() >> by).into()),
            (n, None) => Ok(Self::from(-i64::from(n.is_negative()))),
        }
    }

    /// Two numbers joined digit by digit in binary.
    #[must_use]
    pub fn bitwise(
        &self,
        other: &Self,
        small: fn(i64, i64) -> i64,
        large: fn(BigInt, BigInt) -> BigInt,
    ) -> Self {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => Self::Small(small(*a, *b)),
            (a, b) => large(a.to_bigint(), b.to_bigint()).into(),
        }
    }

    /// The exclusive or.
    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The same with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self::ZERO.minus(self)
    }

    /// Its distance from 0.
    #[must_use]
    pub fn absolute(&self) -> Self {
        if self.is_negative() {
            self.negated()
        } else {
            self.clone()
        }
    }

    /// The greatest common divisor.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => {
                BigInt::from(a.unsigned_abs().gcd(&b.unsigned_abs())).into()
            }
            (a, b) => a.to_bigint().gcd(&b.to_bigint()).into(),
        }
    }

    /// The square root, rounded down.
    pub fn isqrt(&self) -> Result<Self, NoNumber> {
        match self {
            n if n.is_negative() => Err(NoNumber::Negative),
            Self::Small(n) => Ok(Self::Small(n.isqrt())),
            Self::Large(n) => Ok(n.sqrt().into()),
        }
    }

    /// How many binary digits are 1.
    pub fn popcount(&self) -> Result<Self, NoNumber> {
        match self {
            n if n.is_negative() => Err(NoNumber::Negative),
            Self::Small(n) => Ok(Self::from(u64::from(n.count_ones()))),
            Self::Large(n) => Ok(n.magnitude().count_ones().into()),
        }
    }

    /// The number that gives 1 modulo `modulus` when multiplied with it; `None` if there is none.
    pub fn inverse(&self, modulus: &Self) -> Result<Option<Self>, NoNumber> {
        let residue = self.modulo(modulus)?.to_bigint();
        let modulus = modulus.to_bigint();
        let gcd = residue.extended_gcd(&modulus);
        let inverse = gcd.gcd.is_one().then(|| gcd.x.mod_floor(&modulus).into());
        Ok(inverse)
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Self {
        Self::Small(n)
    }
}

impl From<u64> for Number {
    fn from(n: u64) -> Self {
        match i64::try_from(n) {
            Ok(n) => Self::Small(n),
            Err(_) => Self::Large(Rc::new(n.into())),
        }
    }
}

impl From<usize> for Number {
    fn from(n: usize) -> Self {
        Self::from(n as u64)
    }
}

impl From<BigInt> for Number {
    fn from(n: BigInt) -> Self {
        match n.to_i64() {
            Some(n) => Self::Small(n),
            None => Self::Large(Rc::new(n)),
        }
    }
}

impl From<BigUint> for Number {
    fn from(n: BigUint) -> Self {
        match n.to_i64() {
            Some(n) => Self::Small(n),
            None => Self::Large(Rc::new(n.into())),
        }
    }
}

impl From<i128> for Number {
    fn from(n: i128) -> Self {
        match i64::try_from(n) {
            Ok(n) => Self::Small(n),
            Err(_) => Self::Large(Rc::new(n.into())),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a.cmp(b),
            (Self::Large(a), Self::Large(b)) => a.cmp(b),
            // A large one is beyond all small ones, on the side that its sign says.
            (Self::Large(a), Self::Small(_)) if a.is_negative() => Ordering::Less,
            (Self::Large(_), Self::Small(_)) => Ordering::Greater,
            (Self::Small(_), Self::Large(b)) if b.is_negative() => Ordering::Greater,
            (Self::Small(_), Self::Large(_)) => Ordering::Less,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Small(n) => n.fmt(f),
            Self::Large(n) => n.fmt(f),
        }
    }
}

/// The digits of a natural in a base of at least 2, the lowest first; of 0 one digit.
pub fn digits(n: &BigUint, base: &BigUint) -> Vec<Number> {
    if n.is_zero() {
        return vec![Number::ZERO];
    }
    if let Some(base) = base.to_u32().filter(|base| *base <= 256) {
        return n
            .to_radix_le(base)
            .into_iter()
            .map(|digit| Number::from(i64::from(digit)))
            .collect();
    }
    let mut digits = Vec::new();
    let mut rest = n.clone();
    while !rest.is_zero() {
        let (quotient, digit) = rest.div_rem(base);
        digits.push(digit.into());
        rest = quotient;
    }
    digits
}
