//! What expressions and guards mean: the readable, exact definition.
//!
//! Every faster evaluation in the project is held against this one.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use crate::budget::{Limit, Meter};
use crate::number;
use crate::options;
use crate::position::{Component, Item};
use crate::ruleset::{
    Aggregate, BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Quantifier, Role,
    RowEnd, Ruleset, Scope, Set, Variable,
};

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer.
    Number(BigInt),
    /// A run of coordinates, or a nested list.
    List(Vec<Item>),
}

/// The variables of one line with what they hold so far.
#[derive(Clone)]
pub struct Env<'a> {
    /// The ruleset, for parameters and nested moves.
    pub ruleset: &'a Ruleset,
    /// The names of the variables.
    pub scope: &'a Scope,
    /// Indexed by [`Variable`]; `None` where nothing is bound yet.
    pub values: Vec<Option<Value>>,
    /// The component as a row, for `first`, `last` and places.
    pub row: &'a [Item],
    /// How deep nested moves `t -> u` are by now.
    pub(crate) depth: usize,
}

impl<'a> Env<'a> {
    /// The variables of `scope` with only parameters and the row bound.
    pub fn new(ruleset: &'a Ruleset, scope: &'a Scope, row: &'a [Item]) -> Self {
        Self::nested(ruleset, scope, row, 0)
    }

    /// The same, `depth` nested moves deep.
    pub(crate) fn nested(
        ruleset: &'a Ruleset,
        scope: &'a Scope,
        row: &'a [Item],
        depth: usize,
    ) -> Self {
        let values = scope
            .names
            .iter()
            .map(|name| match name.role {
                Role::Row => Some(Value::List(row.to_vec())),
                Role::Parameter(index) => match &ruleset.parameters[index].value {
                    ParameterValue::Number(n) => Some(Value::Number(n.clone())),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        Self {
            ruleset,
            scope,
            values,
            row,
            depth,
        }
    }

    /// The value of a parameter; `None` for any other variable.
    pub fn parameter(&self, variable: Variable) -> Option<&'a ParameterValue> {
        match self.scope.names[variable.0].role {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    /// The integer that an expression means; `None` where it has no value.
    pub fn number(&self, expr: &Expr, meter: &mut Meter) -> Result<Option<BigInt>, Limit> {
        Ok(match expr {
            Expr::Number(n) => Some(n.clone()),
            Expr::Variable(variable) => match &self.values[variable.0] {
                Some(Value::Number(n)) => Some(n.clone()),
                _ => None,
            },
            Expr::Index(list, place) => match self.number(place, meter)? {
                Some(place) => self.place(*list, &place),
                None => None,
            },
            Expr::End(RowEnd::First) => self.row.first().and_then(item_number),
            Expr::End(RowEnd::Last) => self.row.last().and_then(item_number),
            Expr::Negate(e) => self.number(e, meter)?.map(|n| -n),
            Expr::Binary(op, left, right) => {
                match (self.number(left, meter)?, self.number(right, meter)?) {
                    (Some(left), Some(right)) => binary(*op, &left, &right)?,
                    _ => None,
                }
            }
            Expr::Call(function, arguments) => {
                let mut numbers = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    match self.number(argument, meter)? {
                        Some(n) => numbers.push(n),
                        None => return Ok(None),
                    }
                }
                call(*function, &numbers, meter)?
            }
            Expr::Aggregate(aggregate, set) => match self.elements(set, meter)? {
                Some(elements) => combine(*aggregate, elements),
                None => None,
            },
        })
    }

    /// `list[place]`, counted from 1; in a ring the places of the row wrap.
    fn place(&self, list: Variable, place: &BigInt) -> Option<BigInt> {
        if let Some(ParameterValue::List(numbers) | ParameterValue::Set(numbers)) =
            self.parameter(list)
        {
            return usize::try_from(place - 1)
                .ok()
                .and_then(|i| numbers.get(i))
                .cloned();
        }
        let Some(Value::List(items)) = &self.values[list.0] else {
            return None;
        };
        let index = if self.scope.names[list.0].role == Role::Row {
            self.row_place(place)?
        } else {
            usize::try_from(place - 1).ok()?
        };
        items.get(index).and_then(item_number)
    }

    /// The place of the row, counted from 0, that `place`, counted from 1, means.
    pub fn row_place(&self, place: &BigInt) -> Option<usize> {
        let length = self.row.len();
        if length == 0 {
            return None;
        }
        let index: BigInt = place - 1;
        let index = if self.ruleset.row.as_ref().is_some_and(|row| row.ring) {
            index.mod_floor(&BigInt::from(length))
        } else {
            index
        };
        usize::try_from(index).ok().filter(|index| *index < length)
    }

    /// All elements of a finite set or places of a row; `None` where that has no value.
    pub fn elements(&self, set: &Set, meter: &mut Meter) -> Result<Option<Vec<BigInt>>, Limit> {
        Ok(match set {
            Set::List(members) => {
                let mut numbers = Vec::with_capacity(members.len());
                for member in members {
                    match self.number(member, meter)? {
                        Some(n) => numbers.push(n),
                        None => return Ok(None),
                    }
                }
                numbers.sort();
                numbers.dedup();
                Some(numbers)
            }
            Set::Range(from, to) => {
                let (Some(from), Some(to)) = (self.number(from, meter)?, self.number(to, meter)?)
                else {
                    return Ok(None);
                };
                let mut numbers = Vec::new();
                let mut next = from;
                while next <= to {
                    meter.spend(1)?;
                    numbers.push(next.clone());
                    next += 1;
                }
                Some(numbers)
            }
            Set::Named(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                    Some(numbers.clone())
                }
                _ => match &self.values[variable.0] {
                    Some(Value::List(items)) => items.iter().map(item_number).collect(),
                    _ => None,
                },
            },
            Set::Digits { of, base } => self.digits(of, base.as_deref(), meter)?,
            Set::Primes
            | Set::PrimePowers
            | Set::Squares
            | Set::Powers(_)
            | Set::Fibonacci
            | Set::AllBut(_) => None,
        })
    }

    /// The set of digits of a natural, ascending.
    fn digits(
        &self,
        of: &Expr,
        base: Option<&Expr>,
        meter: &mut Meter,
    ) -> Result<Option<Vec<BigInt>>, Limit> {
        let Some(mut rest) = self.number(of, meter)? else {
            return Ok(None);
        };
        let base = match base {
            Some(base) => self.number(base, meter)?,
            None => Some(BigInt::from(10)),
        };
        let Some(base) = base.filter(|base| *base >= BigInt::from(2)) else {
            return Ok(None);
        };
        if rest.is_negative() {
            return Ok(None);
        }
        let mut digits = Vec::new();
        loop {
            meter.spend(1)?;
            let (quotient, digit) = rest.div_rem(&base);
            digits.push(digit);
            rest = quotient;
            if rest.is_zero() {
                break;
            }
        }
        digits.sort();
        digits.dedup();
        Ok(Some(digits))
    }

    /// Whether `n` is in the set; `None` where the set has no value.
    fn contains(&self, set: &Set, n: &BigInt, meter: &mut Meter) -> Result<Option<bool>, Limit> {
        Ok(match set {
            Set::Range(from, to) => match (self.number(from, meter)?, self.number(to, meter)?) {
                (Some(from), Some(to)) => Some(from <= *n && *n <= to),
                _ => None,
            },
            Set::List(_) | Set::Named(_) | Set::Digits { .. } => self
                .elements(set, meter)?
                .map(|elements| elements.contains(n)),
            Set::Primes => Some(number::is_prime(n)?),
            Set::PrimePowers => Some(number::is_prime_power(n)?),
            Set::Squares => Some(number::is_square(n)),
            Set::Powers(p) => self.number(p, meter)?.map(|p| number::is_power_of(n, &p)),
            Set::Fibonacci => Some(number::is_fibonacci(n)),
            Set::AllBut(excluded) => self
                .contains(excluded, n, meter)?
                .map(|inside| n.is_positive() && !inside),
        })
    }

    /// Whether a condition holds. All its variables but the ones it binds itself must be bound.
    pub fn holds(&mut self, guard: &Guard, meter: &mut Meter) -> Result<bool, Limit> {
        meter.spend(1)?;
        Ok(match guard {
            Guard::All(guards) => {
                for guard in guards {
                    if !self.holds(guard, meter)? {
                        return Ok(false);
                    }
                }
                true
            }
            Guard::Any(guards) => {
                for guard in guards {
                    if self.holds(guard, meter)? {
                        return Ok(true);
                    }
                }
                false
            }
            Guard::Not(guard) => !self.holds(guard, meter)?,
            Guard::Compare(comparison, left, right) => {
                match (self.number(left, meter)?, self.number(right, meter)?) {
                    (Some(left), Some(right)) => compare(*comparison, &left, &right),
                    _ => false,
                }
            }
            Guard::Divides(divisor, n) => {
                match (self.number(divisor, meter)?, self.number(n, meter)?) {
                    (Some(divisor), Some(n)) => divisor.is_positive() && n.is_multiple_of(&divisor),
                    _ => false,
                }
            }
            Guard::Member { negated, item, set } => match self.number(item, meter)? {
                Some(n) => self
                    .contains(set, &n, meter)?
                    .is_some_and(|inside| inside != *negated),
                None => false,
            },
            Guard::Related {
                negated,
                items,
                relation,
            } => {
                let mut tuple = Vec::with_capacity(items.len());
                for item in items {
                    match self.number(item, meter)? {
                        Some(n) => tuple.push(n),
                        None => return Ok(false),
                    }
                }
                match self.parameter(*relation) {
                    Some(ParameterValue::Relation(tuples)) => tuples.contains(&tuple) != *negated,
                    _ => false,
                }
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => self.quantified(*quantifier, *variable, over, body, meter)?,
            Guard::Option { from, to } => {
                let Some(Value::List(target)) = &self.values[to.0] else {
                    return Ok(false);
                };
                let target = Component(target.clone());
                self.nested_options(*from, meter)?.contains(&target)
            }
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: Variable,
        over: &Set,
        body: &Guard,
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        let Some(elements) = self.elements(over, meter)? else {
            return Ok(false);
        };
        let decisive = quantifier == Quantifier::Some;
        let outer = self.values[variable.0].take();
        let mut result = !decisive;
        for element in elements {
            self.values[variable.0] = Some(Value::Number(element));
            if self.holds(body, meter)? == decisive {
                result = decisive;
                break;
            }
        }
        self.values[variable.0] = outer;
        Ok(result)
    }

    /// The options of the list that a variable holds, as lists; none for a number.
    pub fn nested_options(
        &self,
        from: Variable,
        meter: &mut Meter,
    ) -> Result<Vec<Component>, Limit> {
        match &self.values[from.0] {
            Some(Value::List(items)) => options::nested(
                self.ruleset,
                &Component(items.clone()),
                self.depth + 1,
                meter,
            ),
            _ => Ok(Vec::new()),
        }
    }
}

/// The number of a coordinate; `None` for a nested list.
pub(crate) fn item_number(item: &Item) -> Option<BigInt> {
    match item {
        Item::Number(n) => Some(BigInt::from(n.clone())),
        Item::List(_) => None,
    }
}

/// `left op right`; `None` where it has no value.
fn binary(op: BinaryOp, left: &BigInt, right: &BigInt) -> Result<Option<BigInt>, Limit> {
    let naturals = !left.is_negative() && !right.is_negative();
    Ok(match op {
        BinaryOp::Add => Some(left + right),
        BinaryOp::Subtract => Some(left - right),
        BinaryOp::Multiply => {
            if left.bits() + right.bits() > number::MOST_BITS {
                return Err(Limit::Bytes);
            }
            Some(left * right)
        }
        BinaryOp::Divide => (!right.is_zero()).then(|| left.div_floor(right)),
        BinaryOp::Modulo => right.is_positive().then(|| left.mod_floor(right)),
        BinaryOp::Power => number::power(left, right)?,
        BinaryOp::Xor => naturals.then(|| left ^ right),
        BinaryOp::BitAnd => naturals.then(|| left & right),
        BinaryOp::BitOr => naturals.then(|| left | right),
        BinaryOp::ShiftLeft => number::shift_left(left, right)?,
        BinaryOp::ShiftRight => number::shift_right(left, right),
    })
}

/// `function(arguments)`; `None` where it has no value.
fn call(
    function: Function,
    arguments: &[BigInt],
    meter: &mut Meter,
) -> Result<Option<BigInt>, Limit> {
    let only = || arguments.first().expect("the parser counts arguments");
    Ok(match function {
        Function::Min => arguments.iter().min().cloned(),
        Function::Max => arguments.iter().max().cloned(),
        Function::Gcd => Some(arguments.iter().fold(BigInt::zero(), |gcd, n| gcd.gcd(n))),
        Function::Abs => Some(only().abs()),
        Function::Isqrt => (!only().is_negative()).then(|| only().sqrt()),
        Function::Omega => number::omega(only(), meter)?,
        Function::Popcount => only().to_biguint().map(|n| BigInt::from(n.count_ones())),
    })
}

/// An aggregate of numbers; `None` where it has no value.
fn combine(aggregate: Aggregate, numbers: Vec<BigInt>) -> Option<BigInt> {
    match aggregate {
        Aggregate::Length => Some(BigInt::from(numbers.len())),
        Aggregate::Sum => Some(numbers.iter().sum()),
        Aggregate::Min => numbers.into_iter().min(),
        Aggregate::Max => numbers.into_iter().max(),
        Aggregate::Gcd => Some(numbers.iter().fold(BigInt::zero(), |gcd, n| gcd.gcd(n))),
        Aggregate::Xor => numbers
            .iter()
            .try_fold(BigInt::zero(), |xor, n| (!n.is_negative()).then(|| xor ^ n)),
    }
}

/// Whether `left comparison right`.
pub(crate) fn compare(comparison: Comparison, left: &BigInt, right: &BigInt) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::GreaterEqual => left >= right,
        Comparison::Greater => left > right,
    }
}
