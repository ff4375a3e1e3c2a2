//! Interval arithmetic: between which numbers a term lies on a whole box.

use grundy_rules::ruleset::{Aggregate, BinaryOp, Function};
use num_integer::{Integer, Roots};

use super::term::{Members, Term, Test};

/// The integers from `lo` to `hi`; an end at [`FAR`] or beyond stands for no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

/// Where counting stops: ends are clamped to `-FAR..=FAR`.
pub(super) const FAR: i128 = 1 << 100;

/// Machine integers are used for numbers of absolute value below this.
pub(super) const MACHINE: i128 = 1 << 62;

fn clamp(n: i128) -> i128 {
    n.clamp(-FAR, FAR)
}

fn multiply(a: i128, b: i128) -> i128 {
    a.checked_mul(b)
        .map_or_else(|| if (a < 0) == (b < 0) { FAR } else { -FAR }, clamp)
}

impl Interval {
    pub(super) const ALL: Self = Self { lo: -FAR, hi: FAR };
    pub(super) const NATURALS: Self = Self { lo: 0, hi: FAR };

    pub(super) fn new(lo: i128, hi: i128) -> Self {
        Self {
            lo: clamp(lo),
            hi: clamp(hi),
        }
    }

    pub(super) fn point(n: i64) -> Self {
        Self::new(n.into(), n.into())
    }

    pub(super) fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Whether every member is a machine integer.
    pub(super) fn fits(self) -> bool {
        self.lo > -MACHINE && self.hi < MACHINE
    }

    /// The largest absolute value.
    pub(super) fn magnitude(self) -> i128 {
        self.lo.abs().max(self.hi.abs())
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self::new(self.lo + other.lo, self.hi + other.hi)
    }

    pub(super) fn negate(self) -> Self {
        Self::new(-self.hi, -self.lo)
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        corners(self, other, multiply)
    }

    pub(super) fn hull(self, other: Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    fn map_ends(self, other: Self, f: fn(i128, i128) -> i128) -> Self {
        Self::new(f(self.lo, other.lo), f(self.hi, other.hi))
    }

    fn symmetric(magnitude: i128) -> Self {
        Self::new(-magnitude, magnitude)
    }
}

/// The hull of an operation that is monotone in each argument.
fn corners(a: Interval, b: Interval, f: impl Fn(i128, i128) -> i128) -> Interval {
    let values = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    let least = values.into_iter().min().expect("four corners");
    let largest = values.into_iter().max().expect("four corners");
    Interval::new(least, largest)
}

/// The least number 2^j - 1 that is at least `n`.
fn all_ones(n: i128) -> i128 {
    if n >= FAR {
        return FAR;
    }
    (n.max(0) + 1).unsigned_abs().next_power_of_two() as i128 - 1
}

fn saturating_power(base: i128, exponent: i128) -> i128 {
    match u32::try_from(exponent) {
        _ if base == 1 || exponent == 0 => 1,
        _ if base == 0 => 0,
        Ok(exponent) => base.checked_pow(exponent).map_or(FAR, clamp),
        Err(_) => FAR,
    }
}

/// Between which numbers the term lies where it is defined.
pub(super) fn of_term(term: &Term, ranges: &[Interval]) -> Interval {
    match term {
        Term::Number(n) => Interval::point(*n),
        Term::Slot(slot) => ranges[*slot],
        Term::Negate(term) => of_term(term, ranges).negate(),
        Term::Binary(op, left, right) => {
            of_binary(*op, of_term(left, ranges), of_term(right, ranges))
        }
        Term::Call(function, arguments) => {
            let mut values = arguments.iter().map(|term| of_term(term, ranges));
            let first = values.next().expect("a function has an argument");
            match function {
                Function::Min => values.fold(first, |a, b| a.map_ends(b, i128::min)),
                Function::Max => values.fold(first, |a, b| a.map_ends(b, i128::max)),
                Function::Gcd => {
                    let not_zero = |range: Interval| range.lo >= 1 || range.hi <= -1;
                    let (largest, positive) = values.fold(
                        (first.magnitude(), not_zero(first)),
                        |(largest, positive), range| {
                            (largest.max(range.magnitude()), positive || not_zero(range))
                        },
                    );
                    Interval::new(positive.into(), largest)
                }
                Function::Abs => Interval::new(first.lo.max(-first.hi).max(0), first.magnitude()),
                Function::Isqrt => Interval::new(first.lo.max(0).sqrt(), first.hi.max(0).sqrt()),
                Function::Omega | Function::Popcount => {
                    let bits = 128 - first.hi.max(0).leading_zeros();
                    let positive = *function == Function::Popcount && first.lo >= 1;
                    Interval::new(positive.into(), bits.into())
                }
            }
        }
        Term::Aggregate(aggregate, set) => of_aggregate(*aggregate, set, ranges),
        Term::Place(list, _) => list
            .iter()
            .map(|&n| Interval::point(n))
            .reduce(Interval::hull)
            .unwrap_or(Interval::point(0)),
    }
}

fn of_binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Subtract => a.add(b.negate()),
        BinaryOp::Multiply => a.multiply(b),
        BinaryOp::Divide => {
            let by = |lo: i128, hi: i128| {
                (lo <= hi)
                    .then(|| corners(a, Interval::new(lo, hi), |a, b| Integer::div_floor(&a, &b)))
            };
            match (by(b.lo.max(1), b.hi), by(b.lo, b.hi.min(-1))) {
                (Some(p), Some(n)) => p.hull(n),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => Interval::point(0),
            }
        }
        BinaryOp::Modulo => {
            let largest = (b.hi - 1).max(0);
            if a.lo >= 0 && a.hi < b.lo {
                return a;
            }
            let largest = if a.lo >= 0 {
                largest.min(a.hi)
            } else {
                largest
            };
            Interval::new(0, largest)
        }
        BinaryOp::Power => {
            let (least, largest) = (b.lo.max(0), b.hi.max(0));
            if a.lo >= 1 {
                Interval::new(
                    saturating_power(a.lo, least),
                    saturating_power(a.hi, largest),
                )
            } else {
                let magnitude = saturating_power(a.magnitude(), largest).max(1);
                if a.lo >= 0 {
                    Interval::new(0, magnitude)
                } else {
                    Interval::symmetric(magnitude)
                }
            }
        }
        BinaryOp::BitAnd => Interval::new(0, a.hi.min(b.hi).max(0)),
        BinaryOp::BitOr | BinaryOp::Xor => {
            let low = if op == BinaryOp::BitOr {
                a.lo.max(b.lo).max(0)
            } else {
                0
            };
            let (a, b) = (a.hi.max(0), b.hi.max(0));
            Interval::new(low, all_ones(a.max(b)).min(clamp(a + b)))
        }
        BinaryOp::ShiftLeft => {
            let factor = |by: i128| saturating_power(2, by.max(0));
            Interval::new(a.lo.max(0), a.hi.max(0))
                .multiply(Interval::new(factor(b.lo), factor(b.hi)))
        }
        BinaryOp::ShiftRight => Interval::new(0, a.hi.max(0)),
    }
}

/// Whether the term has a value wherever its slots lie in these ranges.
pub(super) fn is_total(term: &Term, ranges: &[Interval]) -> bool {
    let at_least = |term: &Term, least: i128| of_term(term, ranges).lo >= least;
    match term {
        Term::Number(_) | Term::Slot(_) => true,
        Term::Negate(term) => is_total(term, ranges),
        Term::Binary(op, left, right) => {
            let defined = match op {
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => true,
                BinaryOp::Divide => {
                    let divisor = of_term(right, ranges);
                    divisor.lo >= 1 || divisor.hi <= -1
                }
                BinaryOp::Modulo => at_least(right, 1),
                BinaryOp::Power => at_least(right, 0),
                BinaryOp::Xor
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight => at_least(left, 0) && at_least(right, 0),
            };
            defined && is_total(left, ranges) && is_total(right, ranges)
        }
        Term::Call(function, arguments) => {
            let least = match function {
                Function::Min | Function::Max | Function::Gcd | Function::Abs => -FAR,
                Function::Isqrt | Function::Popcount => 0,
                Function::Omega => 1,
            };
            arguments
                .iter()
                .all(|term| at_least(term, least) && is_total(term, ranges))
        }
        Term::Aggregate(..) | Term::Place(..) => false,
    }
}

fn of_aggregate(aggregate: Aggregate, set: &Members, ranges: &[Interval]) -> Interval {
    let member = of_members(set, ranges);
    match aggregate {
        Aggregate::Length => Interval::new(0, 1 << 40),
        Aggregate::Sum => match set {
            Members::List(terms) => {
                let size = terms.len() as i128;
                Interval::symmetric(multiply(size, member.magnitude()))
            }
            Members::Fixed(values) => {
                Interval::symmetric(multiply(values.len() as i128, member.magnitude()))
            }
            Members::Range(..) => {
                let count = clamp(member.hi - member.lo + 1);
                Interval::symmetric(multiply(count, member.magnitude()))
            }
            Members::Digits { .. } => Interval::new(0, multiply(64, member.hi)),
            _ => Interval::ALL,
        },
        Aggregate::Min | Aggregate::Max => member,
        Aggregate::Gcd => Interval::new(0, member.magnitude()),
        Aggregate::Xor => Interval::new(0, all_ones(member.magnitude())),
    }
}

/// An interval that holds every element of the set.
pub(super) fn of_members(set: &Members, ranges: &[Interval]) -> Interval {
    match set {
        Members::List(terms) => terms
            .iter()
            .map(|term| of_term(term, ranges))
            .reduce(Interval::hull)
            .unwrap_or(Interval::new(0, -1)),
        Members::Range(from, to) => Interval::new(of_term(from, ranges).lo, of_term(to, ranges).hi),
        Members::Fixed(values) => values
            .iter()
            .map(|&n| Interval::point(n))
            .reduce(Interval::hull)
            .unwrap_or(Interval::new(0, -1)),
        Members::Primes | Members::PrimePowers => Interval::new(2, FAR),
        Members::Powers(base) => {
            let positive = of_term(base, ranges).lo >= 1;
            Interval::new(positive.into(), FAR)
        }
        Members::Squares | Members::Fibonacci | Members::AllBut(_) => Interval::new(1, FAR),
        Members::Digits { base, .. } => {
            let base = base
                .as_ref()
                .map_or(Interval::point(10), |base| of_term(base, ranges));
            Interval::new(0, (base.hi - 1).max(0))
        }
    }
}

/// Whether no step of the term's evaluation leaves the machine integers.
pub(super) fn term_fits(term: &Term, ranges: &[Interval]) -> bool {
    let within = match term {
        Term::Number(_) | Term::Slot(_) => true,
        Term::Negate(term) | Term::Place(_, term) => term_fits(term, ranges),
        Term::Binary(_, left, right) => term_fits(left, ranges) && term_fits(right, ranges),
        Term::Call(_, arguments) => arguments.iter().all(|term| term_fits(term, ranges)),
        // Lists of elements are built: their number must be sane too.
        Term::Aggregate(_, set) => {
            let member = of_members(set, ranges);
            let short = !matches!(**set, Members::Range(..)) || member.hi - member.lo < 1 << 20;
            short && members_fit(set, ranges)
        }
    };
    within && of_term(term, ranges).fits()
}

fn members_fit(set: &Members, ranges: &[Interval]) -> bool {
    match set {
        Members::List(terms) => terms.iter().all(|term| term_fits(term, ranges)),
        Members::Range(from, to) => term_fits(from, ranges) && term_fits(to, ranges),
        Members::Powers(base) => term_fits(base, ranges),
        Members::AllBut(set) => members_fit(set, ranges),
        Members::Digits { of, base } => {
            term_fits(of, ranges) && base.as_ref().is_none_or(|base| term_fits(base, ranges))
        }
        Members::Fixed(_)
        | Members::Primes
        | Members::PrimePowers
        | Members::Squares
        | Members::Fibonacci => true,
    }
}

/// Whether no step of the condition's evaluation leaves the machine integers. Sets the ranges of
/// the slots that it binds.
pub(super) fn test_fits(test: &Test, ranges: &mut [Interval]) -> bool {
    match test {
        Test::All(tests) | Test::Any(tests) => tests.iter().all(|test| test_fits(test, ranges)),
        Test::Not(test) => test_fits(test, ranges),
        Test::Compare(_, left, right) | Test::Divides(left, right) => {
            term_fits(left, ranges) && term_fits(right, ranges)
        }
        Test::Member { item, set, .. } => term_fits(item, ranges) && members_fit(set, ranges),
        Test::Related { items, .. } => items.iter().all(|item| term_fits(item, ranges)),
        Test::Quantified {
            slot, over, body, ..
        } => {
            if !members_fit(over, ranges) {
                return false;
            }
            let member = of_members(over, ranges);
            ranges[*slot] = member;
            member.is_empty() || test_fits(body, ranges)
        }
    }
}
