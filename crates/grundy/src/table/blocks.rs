//! Terms and conditions for many values of one choice at a time.
//!
//! Walking a syntax tree costs more than the arithmetic it asks for. Here it is
//! walked once for up to [`LANES`] values of the innermost choice, with a tight
//! loop per operator. What does not depend on that choice stays a single number,
//! and what is linear in it stays a ramp, of which quotients and remainders are
//! counted up instead of divided.

use grundy_rules::ruleset::{BinaryOp, Comparison, Function};
use num_integer::Integer;

use super::term::{Slot, Term, Test, apply, compare};

/// How many values are looked at together.
pub(super) const LANES: usize = 256;

type Numbers = Box<[i64; LANES]>;
/// Which lanes a condition holds in.
pub(super) type Mask = Box<[bool; LANES]>;

/// The values of a term, lane by lane.
#[derive(Debug)]
pub(super) enum Values {
    /// The same in each lane.
    Same(i64),
    /// `first`, `first + step`, …
    Ramp {
        first: i64,
        step: i64,
    },
    Each(Numbers),
}

/// Evaluates terms and conditions in blocks; keeps its buffers for the next block.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    numbers: Vec<Numbers>,
    masks: Vec<Mask>,
}

/// The lanes of one block.
pub(super) struct Lanes<'a> {
    /// The slots outside the innermost choice.
    pub(super) env: &'a mut [i64],
    pub(super) slot: Slot,
    /// The values of the innermost choice.
    pub(super) choice: Choice<'a>,
    pub(super) len: usize,
}

/// The values of the innermost choice in a block.
#[derive(Clone, Copy)]
pub(super) enum Choice<'a> {
    /// `first`, `first + 1`, …
    From(i64),
    Listed(&'a [i64]),
}

impl Choice<'_> {
    #[inline]
    pub(super) fn at(&self, lane: usize) -> i64 {
        match self {
            Self::From(first) => first + lane as i64,
            Self::Listed(list) => list[lane],
        }
    }
}

impl Values {
    #[inline]
    pub(super) fn at(&self, lane: usize) -> i64 {
        match self {
            Self::Same(n) => *n,
            Self::Ramp { first, step } => first + step * lane as i64,
            Self::Each(numbers) => numbers[lane],
        }
    }
}

impl Blocks {
    fn take(&mut self) -> Numbers {
        self.numbers.pop().unwrap_or_else(|| Box::new([0; LANES]))
    }

    pub(super) fn take_mask(&mut self) -> Mask {
        self.masks.pop().unwrap_or_else(|| Box::new([false; LANES]))
    }

    pub(super) fn give(&mut self, values: Values) {
        if let Values::Each(numbers) = values {
            self.numbers.push(numbers);
        }
    }

    pub(super) fn give_mask(&mut self, mask: Mask) {
        self.masks.push(mask);
    }

    /// The term's values. Lanes in which it is undefined are cleared in `defined`.
    pub(super) fn eval(&mut self, term: &Term, lanes: &mut Lanes, defined: &mut Mask) -> Values {
        match term {
            Term::Number(n) => Values::Same(*n),
            Term::Slot(slot) if *slot != lanes.slot => Values::Same(lanes.env[*slot]),
            Term::Slot(_) => match lanes.choice {
                Choice::From(first) => Values::Ramp { first, step: 1 },
                Choice::Listed(list) => {
                    let mut numbers = self.take();
                    numbers[..lanes.len].copy_from_slice(&list[..lanes.len]);
                    Values::Each(numbers)
                }
            },
            Term::Negate(term) => {
                let values = self.eval(term, lanes, defined);
                self.binary(
                    BinaryOp::Subtract,
                    Values::Same(0),
                    values,
                    lanes.len,
                    defined,
                )
            }
            Term::Binary(op, left, right) => {
                let left = self.eval(left, lanes, defined);
                let right = self.eval(right, lanes, defined);
                self.binary(*op, left, right, lanes.len, defined)
            }
            Term::Call(function @ (Function::Min | Function::Max), arguments) => {
                let join = if *function == Function::Min {
                    i64::min
                } else {
                    i64::max
                };
                let mut values = self.eval(&arguments[0], lanes, defined);
                for argument in &arguments[1..] {
                    let next = self.eval(argument, lanes, defined);
                    values = self.zip(values, next, lanes.len, join);
                }
                values
            }
            Term::Call(..) | Term::Aggregate(..) | Term::Place(..) => {
                self.one_by_one(term, lanes, defined)
            }
        }
    }

    /// Evaluates a term that has no loop of its own.
    fn one_by_one(&mut self, term: &Term, lanes: &mut Lanes, defined: &mut Mask) -> Values {
        if !term.reads(lanes.slot) {
            return if let Some(value) = term.eval(lanes.env) {
                Values::Same(value)
            } else {
                defined.fill(false);
                Values::Same(0)
            };
        }
        let mut numbers = self.take();
        for lane in 0..lanes.len {
            lanes.env[lanes.slot] = lanes.choice.at(lane);
            let value = term.eval(lanes.env);
            numbers[lane] = value.unwrap_or(0);
            defined[lane] &= value.is_some();
        }
        Values::Each(numbers)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: Values,
        right: Values,
        len: usize,
        defined: &mut Mask,
    ) -> Values {
        match (op, &left, &right) {
            (_, Values::Same(a), Values::Same(b)) => {
                return if let Some(value) = apply(op, *a, *b) {
                    Values::Same(value)
                } else {
                    defined.fill(false);
                    Values::Same(0)
                };
            }
            (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, _, _) => {
                if let Some(ramp) = linear(op, &left, &right) {
                    return ramp;
                }
            }
            (BinaryOp::Divide | BinaryOp::Modulo, _, &Values::Same(divisor @ 1..)) => {
                return self.divide(op, left, divisor, len);
            }
            _ => {}
        }
        match op {
            BinaryOp::Add => self.zip(left, right, len, |a, b| a + b),
            BinaryOp::Subtract => self.zip(left, right, len, |a, b| a - b),
            BinaryOp::Multiply => self.zip(left, right, len, |a, b| a * b),
            BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::Power
            | BinaryOp::Xor
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => self.partial(op, left, right, len, defined),
        }
    }

    /// `left / divisor` or `left mod divisor` for a positive divisor.
    fn divide(&mut self, op: BinaryOp, left: Values, divisor: i64, len: usize) -> Values {
        let quotient = op == BinaryOp::Divide;
        let mut out = self.take();
        match left {
            Values::Ramp { first, step } => {
                let (mut q, mut r) = first.div_mod_floor(&divisor);
                let (dq, dr) = step.div_mod_floor(&divisor);
                for out in &mut out[..len] {
                    *out = if quotient { q } else { r };
                    let carry = r + dr >= divisor;
                    q += dq + i64::from(carry);
                    r = r + dr - if carry { divisor } else { 0 };
                }
            }
            left => {
                let left = self.spread(left, len);
                let by = Divisor::new(divisor);
                for (out, &n) in out[..len].iter_mut().zip(&left[..len]) {
                    let q = by.divide(n);
                    *out = if quotient { q } else { n - q * divisor };
                }
                self.numbers.push(left);
            }
        }
        Values::Each(out)
    }

    /// An operation that is not defined everywhere.
    fn partial(
        &mut self,
        op: BinaryOp,
        left: Values,
        right: Values,
        len: usize,
        defined: &mut Mask,
    ) -> Values {
        let (left, right) = (self.spread(left, len), self.spread(right, len));
        let mut out = self.take();
        let lanes = left[..len].iter().zip(&right[..len]);
        let lanes = lanes.zip(out[..len].iter_mut().zip(&mut defined[..len]));
        macro_rules! each {
            ($fine:expr, $value:expr) => {
                for ((&a, &b), (out, defined)) in lanes {
                    let fine = $fine(a, b);
                    *defined &= fine;
                    *out = if fine { $value(a, b) } else { 0 };
                }
            };
        }
        let natural = |a: i64, b: i64| a >= 0 && b >= 0;
        match op {
            BinaryOp::Modulo => each!(|_, b| b > 0, modulo),
            BinaryOp::Xor => each!(natural, |a, b| a ^ b),
            BinaryOp::BitAnd => each!(natural, |a, b| a & b),
            BinaryOp::BitOr => each!(natural, |a, b| a | b),
            _ => {
                for ((&a, &b), (out, defined)) in lanes {
                    let value = apply(op, a, b);
                    *defined &= value.is_some();
                    *out = value.unwrap_or(0);
                }
            }
        }
        self.numbers.extend([left, right]);
        Values::Each(out)
    }

    fn zip(
        &mut self,
        left: Values,
        right: Values,
        len: usize,
        f: impl Fn(i64, i64) -> i64,
    ) -> Values {
        if let (Values::Same(a), Values::Same(b)) = (&left, &right) {
            return Values::Same(f(*a, *b));
        }
        let (mut left, right) = (self.spread(left, len), self.spread(right, len));
        for (a, &b) in left[..len].iter_mut().zip(&right[..len]) {
            *a = f(*a, b);
        }
        self.numbers.push(right);
        Values::Each(left)
    }

    fn spread(&mut self, values: Values, len: usize) -> Numbers {
        match values {
            Values::Each(numbers) => numbers,
            Values::Same(n) => {
                let mut numbers = self.take();
                numbers[..len].fill(n);
                numbers
            }
            Values::Ramp { first, step } => {
                let mut numbers = self.take();
                let mut next = first;
                for number in &mut numbers[..len] {
                    *number = next;
                    next += step;
                }
                numbers
            }
        }
    }

    /// In which lanes the condition holds.
    pub(super) fn holds(&mut self, test: &Test, lanes: &mut Lanes) -> Mask {
        let len = lanes.len;
        match test {
            Test::All(tests) => {
                let mut mask = self.take_mask();
                mask[..len].fill(true);
                for test in tests {
                    let next = self.holds(test, lanes);
                    mask[..len]
                        .iter_mut()
                        .zip(&next[..len])
                        .for_each(|(a, b)| *a &= b);
                    self.give_mask(next);
                }
                mask
            }
            Test::Any(tests) => {
                let mut mask = self.take_mask();
                mask[..len].fill(false);
                for test in tests {
                    let next = self.holds(test, lanes);
                    mask[..len]
                        .iter_mut()
                        .zip(&next[..len])
                        .for_each(|(a, b)| *a |= b);
                    self.give_mask(next);
                }
                mask
            }
            Test::Not(test) => {
                let mut mask = self.holds(test, lanes);
                mask[..len].iter_mut().for_each(|holds| *holds = !*holds);
                mask
            }
            Test::Compare(comparison, left, right) => {
                let mut mask = self.take_mask();
                mask[..len].fill(true);
                let left = self.eval(left, lanes, &mut mask);
                let right = self.eval(right, lanes, &mut mask);
                self.compare(*comparison, left, right, &mut mask, len);
                mask
            }
            Test::Divides(divisor, number) => {
                let mut mask = self.take_mask();
                mask[..len].fill(true);
                let number = self.eval(number, lanes, &mut mask);
                let divisor = self.eval(divisor, lanes, &mut mask);
                let rest = self.binary(BinaryOp::Modulo, number, divisor, len, &mut mask);
                self.compare(Comparison::Equal, rest, Values::Same(0), &mut mask, len);
                mask
            }
            Test::Member { .. } | Test::Related { .. } | Test::Quantified { .. } => {
                let mut mask = self.take_mask();
                for lane in 0..len {
                    lanes.env[lanes.slot] = lanes.choice.at(lane);
                    mask[lane] = test.holds(lanes.env);
                }
                mask
            }
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: Values,
        right: Values,
        mask: &mut Mask,
        len: usize,
    ) {
        if let (Values::Same(a), Values::Same(b)) = (&left, &right) {
            if !compare(comparison, *a, *b) {
                mask[..len].fill(false);
            }
            return;
        }
        let (left, right) = (self.spread(left, len), self.spread(right, len));
        let lanes = mask[..len]
            .iter_mut()
            .zip(left[..len].iter().zip(&right[..len]));
        match comparison {
            Comparison::Less => lanes.for_each(|(holds, (a, b))| *holds &= a < b),
            Comparison::LessEqual => lanes.for_each(|(holds, (a, b))| *holds &= a <= b),
            Comparison::Equal => lanes.for_each(|(holds, (a, b))| *holds &= a == b),
            Comparison::NotEqual => lanes.for_each(|(holds, (a, b))| *holds &= a != b),
            Comparison::GreaterEqual => lanes.for_each(|(holds, (a, b))| *holds &= a >= b),
            Comparison::Greater => lanes.for_each(|(holds, (a, b))| *holds &= a > b),
        }
        self.numbers.extend([left, right]);
    }
}

/// The result of a linear operation as a ramp or a number, if it is one.
fn linear(op: BinaryOp, left: &Values, right: &Values) -> Option<Values> {
    let ramp = |values: &Values| match *values {
        Values::Same(n) => Some((n, 0)),
        Values::Ramp { first, step } => Some((first, step)),
        Values::Each(_) => None,
    };
    let ((a, s), (b, t)) = (ramp(left)?, ramp(right)?);
    let (first, step) = match op {
        BinaryOp::Add => (a + b, s + t),
        BinaryOp::Subtract => (a - b, s - t),
        BinaryOp::Multiply if s == 0 => (a * b, a * t),
        BinaryOp::Multiply if t == 0 => (a * b, s * b),
        _ => return None,
    };
    Some(if step == 0 {
        Values::Same(first)
    } else {
        Values::Ramp { first, step }
    })
}

/// A divisor with its reciprocal.
///
/// For `n` and `d` below 2^32 the quotient is the upper half of `n * ceil(2^64 / d)` (Lemire,
/// Kaser and Kurz 2019): a multiplication in place of a division.
struct Divisor {
    divisor: i64,
    /// 0 where a division is made.
    reciprocal: u64,
}

impl Divisor {
    fn new(divisor: i64) -> Self {
        let short = divisor > 1 && u32::try_from(divisor).is_ok();
        Self {
            divisor,
            reciprocal: if short {
                u64::MAX / divisor as u64 + 1
            } else {
                0
            },
        }
    }

    #[inline]
    fn divide(&self, n: i64) -> i64 {
        if self.reciprocal != 0 && n as u64 >> 32 == 0 {
            ((u128::from(self.reciprocal) * n as u128) >> 64) as i64
        } else {
            Integer::div_floor(&n, &self.divisor)
        }
    }
}

/// `n mod divisor`. Division of short numbers is several times faster.
#[inline]
fn modulo(n: i64, divisor: i64) -> i64 {
    match (u32::try_from(n), u32::try_from(divisor)) {
        (Ok(n), Ok(divisor)) => (n % divisor).into(),
        _ => n.rem_euclid(divisor),
    }
}
