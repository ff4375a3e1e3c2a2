//! Expressions and conditions over machine integers: what rules say of one tuple.
//!
//! A slot is an index into the environment: the coordinates of the tuple come
//! first, then the mover's choices, then variables bound further in. Names and
//! parameters are gone. Evaluation does not check for overflow: before a term
//! is evaluated, [`super::interval`] has shown that no intermediate leaves the
//! machine integers.

use std::sync::Arc;

use grundy_rules::ruleset::{Aggregate, BinaryOp, Comparison, Function, Quantifier};
use num_integer::{Integer, Roots};

use super::number;

/// An index into the environment.
pub(super) type Slot = usize;

/// An integer expression. `None` when evaluated stands for an undefined term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Number(i64),
    Slot(Slot),
    Negate(Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    Call(Function, Vec<Term>),
    Aggregate(Aggregate, Box<Members>),
    /// A place of a list, counted from 1.
    Place(Arc<[i64]>, Box<Term>),
}

/// A set of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Members {
    List(Vec<Term>),
    Range(Box<Term>, Box<Term>),
    /// The numbers of a parameter, in its order.
    Fixed(Arc<[i64]>),
    Primes,
    PrimePowers,
    Squares,
    Powers(Box<Term>),
    Fibonacci,
    AllBut(Box<Members>),
    Digits {
        of: Box<Term>,
        base: Option<Box<Term>>,
    },
}

/// A condition. A comparison of undefined terms is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    Compare(Comparison, Term, Term),
    Divides(Term, Term),
    Member {
        negated: bool,
        item: Term,
        set: Members,
    },
    Related {
        negated: bool,
        items: Vec<Term>,
        relation: Arc<[Vec<i64>]>,
    },
    Quantified {
        quantifier: Quantifier,
        slot: Slot,
        over: Members,
        body: Box<Test>,
    },
}

/// The elements of a finite set.
pub(super) enum Elements {
    Range(i64, i64),
    List(Vec<i64>),
}

impl Term {
    pub(super) fn binary(op: BinaryOp, left: Self, right: Self) -> Self {
        if let (Self::Number(a), Self::Number(b)) = (&left, &right)
            && let Some(value) = fold(op, *a, *b)
        {
            return Self::Number(value);
        }
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// The value in this environment.
    pub(super) fn eval(&self, env: &[i64]) -> Option<i64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Slot(slot) => Some(env[*slot]),
            Self::Negate(term) => Some(-term.eval(env)?),
            Self::Binary(op, left, right) => apply(*op, left.eval(env)?, right.eval(env)?),
            Self::Call(function, arguments) => call(*function, arguments, env),
            Self::Aggregate(aggregate, set) => set.aggregate(*aggregate, env),
            Self::Place(list, place) => {
                let place = usize::try_from(place.eval(env)?).ok()?;
                list.get(place.checked_sub(1)?).copied()
            }
        }
    }

    /// Calls `visit` with every slot that is read.
    pub(super) fn slots(&self, visit: &mut dyn FnMut(Slot)) {
        match self {
            Self::Number(_) => {}
            Self::Slot(slot) => visit(*slot),
            Self::Negate(term) | Self::Place(_, term) => term.slots(visit),
            Self::Binary(_, left, right) => {
                left.slots(visit);
                right.slots(visit);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|term| term.slots(visit)),
            Self::Aggregate(_, set) => set.slots(visit),
        }
    }

    /// Whether the slot is read.
    pub(super) fn reads(&self, slot: Slot) -> bool {
        let mut found = false;
        self.slots(&mut |s| found |= s == slot);
        found
    }

    /// The same term with `value` in place of a slot.
    #[must_use]
    pub(super) fn with(&self, slot: Slot, value: &Self) -> Self {
        match self {
            Self::Slot(s) if *s == slot => value.clone(),
            Self::Number(_) | Self::Slot(_) => self.clone(),
            Self::Negate(term) => Self::Negate(Box::new(term.with(slot, value))),
            Self::Binary(op, left, right) => {
                Self::binary(*op, left.with(slot, value), right.with(slot, value))
            }
            Self::Call(function, arguments) => Self::Call(
                *function,
                arguments.iter().map(|t| t.with(slot, value)).collect(),
            ),
            Self::Aggregate(aggregate, set) => {
                Self::Aggregate(*aggregate, Box::new(set.with(slot, value)))
            }
            Self::Place(list, place) => {
                Self::Place(Arc::clone(list), Box::new(place.with(slot, value)))
            }
        }
    }
}

/// The value of a constant operation, if it is small enough to be kept as a number.
fn fold(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    const SMALL: i64 = 1 << 31;
    let small = |n: i64| n.abs() < SMALL;
    match op {
        BinaryOp::ShiftLeft if a < 0 => None,
        BinaryOp::Power | BinaryOp::ShiftLeft => {
            let base = if op == BinaryOp::Power { a } else { 2 };
            let factor = base.checked_pow(u32::try_from(b).ok()?)?;
            let value = if op == BinaryOp::Power {
                factor
            } else {
                a.checked_mul(factor)?
            };
            (value.checked_abs()? < 1 << 62).then_some(value)
        }
        _ if small(a) && small(b) => apply(op, a, b),
        _ => None,
    }
}

/// The value of an operation on two numbers whose result is known to fit.
#[inline]
pub(super) fn apply(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => {
            if b == 0 {
                return None;
            }
            Integer::div_floor(&a, &b)
        }
        BinaryOp::Modulo => {
            if b <= 0 {
                return None;
            }
            a.rem_euclid(b)
        }
        BinaryOp::Power => match (a, u32::try_from(b)) {
            _ if b < 0 => return None,
            (0 | 1, _) => i64::from(a == 1 || b == 0),
            (-1, _) => 1 - 2 * (b & 1),
            (_, Ok(exponent)) => a.pow(exponent),
            (_, Err(_)) => unreachable!("a power this large was ruled out beforehand"),
        },
        _ if a < 0 || b < 0 => return None,
        BinaryOp::Xor => a ^ b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        // Only 0 can have been shifted as far as this.
        BinaryOp::ShiftLeft => {
            if b < 63 {
                a << b
            } else {
                0
            }
        }
        BinaryOp::ShiftRight => a >> b.min(63),
    })
}

fn call(function: Function, arguments: &[Term], env: &[i64]) -> Option<i64> {
    let fold = |join: fn(i64, i64) -> i64| {
        let mut values = arguments.iter().map(|term| term.eval(env));
        let first = values.next()??;
        values.try_fold(first, |acc, value| Some(join(acc, value?)))
    };
    match function {
        Function::Min => fold(i64::min),
        Function::Max => fold(i64::max),
        Function::Gcd => fold(|a, b| a.gcd(&b)).map(i64::abs),
        Function::Abs => Some(arguments[0].eval(env)?.abs()),
        Function::Isqrt | Function::Omega | Function::Popcount => {
            let value = u64::try_from(arguments[0].eval(env)?).ok()?;
            match function {
                Function::Isqrt => i64::try_from(value.sqrt()).ok(),
                Function::Omega => (value >= 1).then(|| number::omega(value)),
                _ => Some(i64::from(value.count_ones())),
            }
        }
    }
}

impl Members {
    /// The elements of a finite set; `None` if one is undefined or the set is infinite.
    pub(super) fn elements(&self, env: &[i64]) -> Option<Elements> {
        match self {
            Self::List(terms) => {
                let mut values = terms
                    .iter()
                    .map(|term| term.eval(env))
                    .collect::<Option<Vec<_>>>()?;
                values.sort_unstable();
                values.dedup();
                Some(Elements::List(values))
            }
            Self::Range(from, to) => Some(Elements::Range(from.eval(env)?, to.eval(env)?)),
            Self::Fixed(values) => Some(Elements::List(values.to_vec())),
            Self::Digits { of, base } => {
                let base = base.as_ref().map_or(Some(10), |base| base.eval(env))?;
                number::digits(of.eval(env)?, base).map(Elements::List)
            }
            Self::Primes
            | Self::PrimePowers
            | Self::Squares
            | Self::Powers(_)
            | Self::Fibonacci
            | Self::AllBut(_) => None,
        }
    }

    /// Whether `value` is an element; `None` if the set is undefined.
    pub(super) fn contains(&self, value: i64, env: &[i64]) -> Option<bool> {
        Some(match self {
            Self::List(terms) => {
                let mut found = false;
                for term in terms {
                    found |= term.eval(env)? == value;
                }
                found
            }
            Self::Range(from, to) => (from.eval(env)?..=to.eval(env)?).contains(&value),
            Self::Fixed(values) => values.contains(&value),
            Self::Primes => number::is_prime(value),
            Self::PrimePowers => number::is_prime_power(value),
            Self::Squares => value > 0 && value.sqrt().pow(2) == value,
            Self::Powers(base) => number::is_power_of(value, base.eval(env)?),
            Self::Fibonacci => number::is_fibonacci(value),
            Self::AllBut(set) => {
                let excluded = set.contains(value, env)?;
                value > 0 && !excluded
            }
            Self::Digits { .. } => match self.elements(env)? {
                Elements::List(digits) => digits.contains(&value),
                Elements::Range(..) => unreachable!("digits are a list"),
            },
        })
    }

    fn aggregate(&self, aggregate: Aggregate, env: &[i64]) -> Option<i64> {
        let values = match self.elements(env)? {
            Elements::List(values) => values,
            Elements::Range(from, to) => (from..=to).collect(),
        };
        match aggregate {
            Aggregate::Length => i64::try_from(values.len()).ok(),
            Aggregate::Sum => Some(values.iter().sum()),
            Aggregate::Min => values.into_iter().min(),
            Aggregate::Max => values.into_iter().max(),
            Aggregate::Gcd => Some(values.iter().fold(0, |acc: i64, v| acc.gcd(v)).abs()),
            Aggregate::Xor => values
                .iter()
                .try_fold(0, |acc, &v| (v >= 0).then_some(acc ^ v)),
        }
    }

    pub(super) fn slots(&self, visit: &mut dyn FnMut(Slot)) {
        match self {
            Self::List(terms) => terms.iter().for_each(|term| term.slots(visit)),
            Self::Range(from, to) => {
                from.slots(visit);
                to.slots(visit);
            }
            Self::Powers(base) => base.slots(visit),
            Self::AllBut(set) => set.slots(visit),
            Self::Digits { of, base } => {
                of.slots(visit);
                if let Some(base) = base {
                    base.slots(visit);
                }
            }
            Self::Fixed(_) | Self::Primes | Self::PrimePowers | Self::Squares | Self::Fibonacci => {
            }
        }
    }

    fn with(&self, slot: Slot, value: &Term) -> Self {
        let with = |term: &Term| Box::new(term.with(slot, value));
        match self {
            Self::List(terms) => Self::List(terms.iter().map(|t| t.with(slot, value)).collect()),
            Self::Range(from, to) => Self::Range(with(from), with(to)),
            Self::Powers(base) => Self::Powers(with(base)),
            Self::AllBut(set) => Self::AllBut(Box::new(set.with(slot, value))),
            Self::Digits { of, base } => Self::Digits {
                of: with(of),
                base: base.as_deref().map(with),
            },
            Self::Fixed(_) | Self::Primes | Self::PrimePowers | Self::Squares | Self::Fibonacci => {
                self.clone()
            }
        }
    }
}

impl Test {
    /// Whether the condition holds; slots that it binds itself are overwritten.
    pub(super) fn holds(&self, env: &mut [i64]) -> bool {
        match self {
            Self::All(tests) => tests.iter().all(|test| test.holds(env)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(env)),
            Self::Not(test) => !test.holds(env),
            Self::Compare(comparison, left, right) => match (left.eval(env), right.eval(env)) {
                (Some(a), Some(b)) => compare(*comparison, a, b),
                _ => false,
            },
            Self::Divides(divisor, number) => match (divisor.eval(env), number.eval(env)) {
                (Some(d), Some(n)) => d >= 1 && n % d == 0,
                _ => false,
            },
            Self::Member { negated, item, set } => item
                .eval(env)
                .and_then(|value| set.contains(value, env))
                .is_some_and(|found| found != *negated),
            Self::Related {
                negated,
                items,
                relation,
            } => {
                let tuple = items
                    .iter()
                    .map(|item| item.eval(env))
                    .collect::<Option<Vec<_>>>();
                tuple.is_some_and(|tuple| relation.binary_search(&tuple).is_ok() != *negated)
            }
            Self::Quantified {
                quantifier,
                slot,
                over,
                body,
            } => {
                let Some(elements) = over.elements(env) else {
                    return false;
                };
                let mut holds = |value: i64| {
                    env[*slot] = value;
                    body.holds(env)
                };
                let some = *quantifier == Quantifier::Some;
                let stops = match elements {
                    Elements::Range(from, to) => (from..=to).any(|v| holds(v) == some),
                    Elements::List(values) => values.into_iter().any(|v| holds(v) == some),
                };
                stops == some
            }
        }
    }

    /// Calls `visit` with every slot that is read from outside.
    pub(super) fn slots(&self, visit: &mut dyn FnMut(Slot)) {
        match self {
            Self::All(tests) | Self::Any(tests) => tests.iter().for_each(|test| test.slots(visit)),
            Self::Not(test) => test.slots(visit),
            Self::Compare(_, left, right) | Self::Divides(left, right) => {
                left.slots(visit);
                right.slots(visit);
            }
            Self::Member { item, set, .. } => {
                item.slots(visit);
                set.slots(visit);
            }
            Self::Related { items, .. } => items.iter().for_each(|item| item.slots(visit)),
            Self::Quantified {
                slot, over, body, ..
            } => {
                over.slots(visit);
                body.slots(&mut |s| {
                    if s != *slot {
                        visit(s);
                    }
                });
            }
        }
    }

    /// Calls `visit` with every slot that the condition binds itself.
    pub(super) fn slots_bound(&self, visit: &mut dyn FnMut(Slot)) {
        match self {
            Self::All(tests) | Self::Any(tests) => {
                tests.iter().for_each(|test| test.slots_bound(visit));
            }
            Self::Not(test) => test.slots_bound(visit),
            Self::Quantified { slot, body, .. } => {
                visit(*slot);
                body.slots_bound(visit);
            }
            Self::Compare(..) | Self::Divides(..) | Self::Member { .. } | Self::Related { .. } => {}
        }
    }

    /// The same condition with `value` in place of a slot that is bound outside.
    #[must_use]
    pub(super) fn with(&self, slot: Slot, value: &Term) -> Self {
        let all = |tests: &[Self]| tests.iter().map(|test| test.with(slot, value)).collect();
        match self {
            Self::All(tests) => Self::All(all(tests)),
            Self::Any(tests) => Self::Any(all(tests)),
            Self::Not(test) => Self::Not(Box::new(test.with(slot, value))),
            Self::Compare(comparison, left, right) => {
                Self::Compare(*comparison, left.with(slot, value), right.with(slot, value))
            }
            Self::Divides(left, right) => {
                Self::Divides(left.with(slot, value), right.with(slot, value))
            }
            Self::Member { negated, item, set } => Self::Member {
                negated: *negated,
                item: item.with(slot, value),
                set: set.with(slot, value),
            },
            Self::Related {
                negated,
                items,
                relation,
            } => Self::Related {
                negated: *negated,
                items: items.iter().map(|item| item.with(slot, value)).collect(),
                relation: Arc::clone(relation),
            },
            Self::Quantified {
                quantifier,
                slot: bound,
                over,
                body,
            } => Self::Quantified {
                quantifier: *quantifier,
                slot: *bound,
                over: over.with(slot, value),
                body: Box::new(body.with(slot, value)),
            },
        }
    }
}

/// Whether the comparison holds of two numbers.
#[inline]
pub(super) fn compare(comparison: Comparison, a: i64, b: i64) -> bool {
    match comparison {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::GreaterEqual => a >= b,
        Comparison::Greater => a > b,
    }
}
