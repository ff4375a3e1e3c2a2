//! Nimbers as a field: product, square, square root, inverse and powers, of any size.
//!
//! The naturals below `2^(2^k)` are a field under nim-sum and nim-product for each k (Conway 1976, *On
//! Numbers and Games*, chapter 6). Let `F = 2^(2^k)`. The next field is made of the numbers `aF + b` with
//! a and b below F, where aF is the same as the nim-product, and `F ⊗ F = F ⊕ F/2`. So a product is
//! three products of half the size, as Karatsuba and Ofman (1962) save one, and one by the
//! constant F/2, which is cheaper.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::Nimber;

/// How many bits numbers of the smallest field have that is computed in machine integers.
const WORD: u64 = 64;

/// The nim-product: that of two numbers is worth what a product of coin turning games is.
///
/// Tartan theorem (Conway 1976; Berlekamp, Conway and Guy 1982): if coins of two games are worth a and
/// b, then a coin of their product is worth `a ⊗ b`. Takes about `n^1.6` steps for n bits.
///
/// ```
/// use grundy::nimber::{Nimber, nim_product};
///
/// let product = |a: u64, b: u64| nim_product(&Nimber::from(a), &Nimber::from(b));
/// assert_eq!(product(3, 5), Nimber::from(15));
/// // The first product that is not less than 16 has a factor that is not.
/// assert_eq!(product(15, 15), Nimber::from(9));
/// assert_eq!(product(16, 16), Nimber::from(24));
/// ```
#[must_use]
pub fn nim_product(a: &Nimber, b: &Nimber) -> Nimber {
    let bits = field(&a.0).max(field(&b.0));
    Nimber(product(&a.0, &b.0, bits))
}

/// The nim-product of a number with itself.
#[must_use]
pub fn nim_square(a: &Nimber) -> Nimber {
    Nimber(square(&a.0, field(&a.0)))
}

/// The one number whose nim-square this is.
#[must_use]
pub fn nim_square_root(a: &Nimber) -> Nimber {
    Nimber(square_root(&a.0, field(&a.0)))
}

/// The number whose nim-product with this one is 1; `None` for 0.
#[must_use]
pub fn nim_inverse(a: &Nimber) -> Option<Nimber> {
    (!a.is_zero()).then(|| Nimber(inverse(&a.0, field(&a.0))))
}

/// The nim-product of so many factors a; 1 for none.
#[must_use]
pub fn nim_power(a: &Nimber, exponent: &BigUint) -> Nimber {
    let bits = field(&a.0);
    let mut power = BigUint::one();
    for bit in (0..exponent.bits()).rev() {
        power = square(&power, bits);
        if exponent.bit(bit) {
            power = product(&power, &a.0, bits);
        }
    }
    Nimber(power)
}

/// How many bits the numbers of the smallest field have that holds a number: 1, 2, 4, …
fn field(a: &BigUint) -> u64 {
    a.bits().max(1).next_power_of_two()
}

/// A number of so many bits as `high · 2^(bits/2) + low`.
fn halves(a: &BigUint, bits: u64) -> (BigUint, BigUint) {
    let high = a >> (bits / 2);
    let low = a ^ (&high << (bits / 2));
    (high, low)
}

fn joined(high: BigUint, low: BigUint, bits: u64) -> BigUint {
    (high << (bits / 2)) ^ low
}

fn word(a: &BigUint) -> u64 {
    a.iter_u64_digits().next().unwrap_or(0)
}

fn product(a: &BigUint, b: &BigUint, bits: u64) -> BigUint {
    if a.is_zero() || b.is_zero() {
        return BigUint::zero();
    }
    if bits <= WORD {
        return word_product(word(a), word(b), bits).into();
    }
    let ((a1, a0), (b1, b0)) = (halves(a, bits), halves(b, bits));
    let half = bits / 2;
    let low = product(&a0, &b0, half);
    let high = product(&a1, &b1, half);
    let both = product(&(&a1 ^ &a0), &(&b1 ^ &b0), half);
    joined(both ^ &low, low ^ by_half(&high, half), bits)
}

/// The product with the largest power of 2 of the field.
fn by_half(a: &BigUint, bits: u64) -> BigUint {
    if bits <= WORD {
        return word_by_half(word(a), bits).into();
    }
    // That power is c·F with F = 2^(bits/2), and c the largest power of 2 below F.
    let (a1, a0) = halves(a, bits);
    let half = bits / 2;
    let high = by_half(&(&a1 ^ &a0), half);
    let low = by_half(&by_half(&a1, half), half);
    joined(high, low, bits)
}

fn square(a: &BigUint, bits: u64) -> BigUint {
    if bits <= WORD {
        return word_square(word(a), bits).into();
    }
    let (a1, a0) = halves(a, bits);
    let half = bits / 2;
    let high = square(&a1, half);
    let low = square(&a0, half) ^ by_half(&high, half);
    joined(high, low, bits)
}

fn square_root(a: &BigUint, bits: u64) -> BigUint {
    if bits == 1 {
        return a.clone();
    }
    // The square of bF + c has the high half b ⊗ b, and the low half c ⊗ c with b ⊗ b ⊗ F/2.
    let (a1, a0) = halves(a, bits);
    let half = bits / 2;
    let low = square_root(&(a0 ^ by_half(&a1, half)), half);
    joined(square_root(&a1, half), low, bits)
}

fn inverse(a: &BigUint, bits: u64) -> BigUint {
    if bits == 1 {
        return a.clone();
    }
    // The conjugate of F is F ⊕ 1, so that aF + b times aF + (a ⊕ b) is b ⊗ (a ⊕ b) ⊕ a ⊗ a ⊗ F/2, which lies
    // in the field of half the size.
    let (a1, a0) = halves(a, bits);
    let half = bits / 2;
    let other = &a1 ^ &a0;
    let norm = product(&a0, &other, half) ^ by_half(&square(&a1, half), half);
    let back = inverse(&norm, half);
    joined(
        product(&a1, &back, half),
        product(&other, &back, half),
        bits,
    )
}

fn word_halves(a: u64, bits: u64) -> (u64, u64) {
    let half = bits / 2;
    (a >> half, a & ((1 << half) - 1))
}

fn word_product(a: u64, b: u64, bits: u64) -> u64 {
    if bits == 1 || a < 2 || b < 2 {
        return a * b;
    }
    let half = bits / 2;
    let ((a1, a0), (b1, b0)) = (word_halves(a, bits), word_halves(b, bits));
    if a1 == 0 && b1 == 0 {
        return word_product(a0, b0, half);
    }
    let low = word_product(a0, b0, half);
    let high = word_product(a1, b1, half);
    let both = word_product(a1 ^ a0, b1 ^ b0, half);
    (both ^ low) << half | (low ^ word_by_half(high, half))
}

fn word_by_half(a: u64, bits: u64) -> u64 {
    if bits == 1 || a == 0 {
        return a;
    }
    let half = bits / 2;
    let (a1, a0) = word_halves(a, bits);
    word_by_half(a1 ^ a0, half) << half | word_by_half(word_by_half(a1, half), half)
}

fn word_square(a: u64, bits: u64) -> u64 {
    if bits == 1 {
        return a;
    }
    let half = bits / 2;
    let (a1, a0) = word_halves(a, bits);
    let high = word_square(a1, half);
    high << half | (word_square(a0, half) ^ word_by_half(high, half))
}

/// Why an expression of nimbers has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NimFault {
    /// Something else was expected at this byte.
    Expected {
        /// Where, in bytes.
        at: usize,
        /// What.
        what: Expected,
    },
    /// 0 has no inverse; the byte where it is divided by.
    DivisionByZero(usize),
    /// A number has too many bits, or too many brackets stand in each other, at this byte.
    TooLarge(usize),
}

/// What an expression of nimbers lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number, `sqrt` or an opening bracket.
    Operand,
    /// A natural number, as an exponent.
    Exponent,
    /// A closing bracket.
    Closing,
    /// An operator, or the end.
    Operator,
}

/// The most bits of a number in an expression, so that each is worked out in some seconds.
pub const MOST_BITS: u64 = 1 << 12;
/// How many brackets may stand in each other.
const MOST_DEPTH: usize = 200;

/// The value of an expression of nimbers such as `3 * 5 + 2`, `sqrt(7) / 2`, `6^10`.
///
/// `+` is the nim-sum, `*` the nim-product, `/` multiplies by the inverse, and `^` repeats a product.
///
/// ```
/// use grundy::nimber::{Nimber, nim_expression};
///
/// assert_eq!(nim_expression("3*5 + 1"), Ok(Nimber::from(14)));
/// assert_eq!(nim_expression("(1/7) * 7"), Ok(Nimber::from(1)));
/// assert!(nim_expression("1/(5 + 5)").is_err());
/// ```
pub fn nim_expression(text: &str) -> Result<Nimber, NimFault> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.sum(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.expected(Expected::Operator)),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, word: &str) -> bool {
        self.peek();
        let is_next = self.text[self.at..].starts_with(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn expected(&self, what: Expected) -> NimFault {
        NimFault::Expected { at: self.at, what }
    }

    fn sum(&mut self, depth: usize) -> Result<Nimber, NimFault> {
        let mut sum = self.term(depth)?;
        while self.take("+") || self.take("⊕") {
            sum = super::nim_sum([sum, self.term(depth)?]);
        }
        Ok(sum)
    }

    fn term(&mut self, depth: usize) -> Result<Nimber, NimFault> {
        let mut product = self.factor(depth)?;
        loop {
            if self.take("*") || self.take("⊗") {
                product = nim_product(&product, &self.factor(depth)?);
            } else if self.take("/") {
                self.peek();
                let at = self.at;
                let back = nim_inverse(&self.factor(depth)?).ok_or(NimFault::DivisionByZero(at))?;
                product = nim_product(&product, &back);
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self, depth: usize) -> Result<Nimber, NimFault> {
        let base = self.operand(depth)?;
        if !self.take("^") {
            return Ok(base);
        }
        let exponent = self.number(Expected::Exponent)?;
        Ok(nim_power(&base, &exponent))
    }

    fn operand(&mut self, depth: usize) -> Result<Nimber, NimFault> {
        let is_root = self.take("sqrt");
        if self.take("(") {
            if depth == MOST_DEPTH {
                return Err(NimFault::TooLarge(self.at));
            }
            let value = self.sum(depth + 1)?;
            if !self.take(")") {
                return Err(self.expected(Expected::Closing));
            }
            return Ok(if is_root {
                nim_square_root(&value)
            } else {
                value
            });
        }
        if is_root {
            return Err(self.expected(Expected::Operand));
        }
        // As in sums, `*5` is the nimber 5.
        self.take("*");
        Ok(Nimber(self.number(Expected::Operand)?))
    }

    fn number(&mut self, what: Expected) -> Result<BigUint, NimFault> {
        self.peek();
        let rest = &self.text[self.at..];
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected(what));
        }
        // A decimal digit is more than three bits.
        if length as u64 > MOST_BITS / 3 {
            return Err(NimFault::TooLarge(self.at));
        }
        let number: BigUint = rest[..length].parse().map_err(|_| self.expected(what))?;
        if number.bits() > MOST_BITS {
            return Err(NimFault::TooLarge(self.at));
        }
        self.at += length;
        Ok(number)
    }
}
