//! Expressions and conditions over machine integers, for components of any number of
//! coordinates. Whatever leaves the machine integers is said to be [`Fail::Overflow`], and
//! the exact definition takes over.

use grundy_rules::ruleset::{
    Aggregate, BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Quantifier, Role,
    RowEnd, Ruleset, Scope, Set, Variable,
};
use num_bigint::BigInt;
use num_integer::{Integer, Roots};
use num_traits::ToPrimitive;

/// Why a term has no machine integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fail {
    /// It has no value at all.
    Undefined,
    /// It does not fit, or is of a kind that is left to the exact definition.
    Overflow,
}

/// The variables of one line with what they hold, for one component.
#[derive(Clone)]
pub(super) struct Machine<'r, 'c> {
    pub ruleset: &'r Ruleset,
    pub scope: &'r Scope,
    /// The component as a row.
    pub row: &'c [i64],
    /// Indexed by [`Variable`].
    pub numbers: Vec<i64>,
    /// What rest variables hold, indexed by [`Variable`].
    pub lists: Vec<Vec<i64>>,
}

impl<'r, 'c> Machine<'r, 'c> {
    pub fn new(ruleset: &'r Ruleset, scope: &'r Scope, row: &'c [i64]) -> Result<Self, Fail> {
        let mut numbers = vec![0; scope.names.len()];
        for (number, name) in numbers.iter_mut().zip(&scope.names) {
            if let Role::Parameter(index) = name.role
                && let ParameterValue::Number(n) = &ruleset.parameters[index].value
            {
                *number = machine(n)?;
            }
        }
        let lists = vec![Vec::new(); scope.names.len()];
        Ok(Self {
            ruleset,
            scope,
            row,
            numbers,
            lists,
        })
    }

    fn parameter(&self, variable: Variable) -> Option<&'r ParameterValue> {
        match self.scope.names[variable.0].role {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    /// What a row or a rest variable holds.
    pub fn list(&self, variable: Variable) -> &[i64] {
        match self.scope.names[variable.0].role {
            Role::Row => self.row,
            _ => &self.lists[variable.0],
        }
    }

    /// The place of the row, counted from 0, that `place`, counted from 1, means.
    pub fn row_place(&self, place: i64) -> Result<usize, Fail> {
        let length = i64::try_from(self.row.len()).map_err(|_| Fail::Overflow)?;
        if length == 0 {
            return Err(Fail::Undefined);
        }
        let index = place.checked_sub(1).ok_or(Fail::Overflow)?;
        let ring = self.ruleset.row.as_ref().is_some_and(|row| row.ring);
        let index = if ring {
            index.mod_floor(&length)
        } else {
            index
        };
        usize::try_from(index)
            .ok()
            .filter(|i| *i < self.row.len())
            .ok_or(Fail::Undefined)
    }

    /// The integer that an expression means.
    pub fn number(&self, expr: &Expr) -> Result<i64, Fail> {
        match expr {
            Expr::Number(n) => machine(n),
            Expr::Variable(variable) => Ok(self.numbers[variable.0]),
            Expr::Index(list, place) => {
                let place = self.number(place)?;
                if self.scope.names[list.0].role == Role::Row {
                    return Ok(self.row[self.row_place(place)?]);
                }
                let index = place.checked_sub(1).and_then(|i| usize::try_from(i).ok());
                let index = index.ok_or(Fail::Undefined)?;
                match self.parameter(*list) {
                    Some(ParameterValue::List(numbers) | ParameterValue::Set(numbers)) => {
                        machine(numbers.get(index).ok_or(Fail::Undefined)?)
                    }
                    Some(_) => Err(Fail::Undefined),
                    None => self.lists[list.0]
                        .get(index)
                        .copied()
                        .ok_or(Fail::Undefined),
                }
            }
            Expr::End(RowEnd::First) => self.row.first().copied().ok_or(Fail::Undefined),
            Expr::End(RowEnd::Last) => self.row.last().copied().ok_or(Fail::Undefined),
            Expr::Negate(e) => self.number(e)?.checked_neg().ok_or(Fail::Overflow),
            Expr::Binary(op, left, right) => binary(*op, self.number(left)?, self.number(right)?),
            Expr::Call(function, arguments) => {
                let numbers: Result<Vec<i64>, Fail> = arguments
                    .iter()
                    .map(|argument| self.number(argument))
                    .collect();
                call(*function, &numbers?)
            }
            Expr::Aggregate(aggregate, set) => combine(*aggregate, &self.elements(set)?),
        }
    }

    /// All elements of a finite set or places of a row.
    fn elements(&self, set: &Set) -> Result<Vec<i64>, Fail> {
        match set {
            Set::List(members) => {
                let numbers: Result<Vec<i64>, Fail> =
                    members.iter().map(|member| self.number(member)).collect();
                let mut numbers = numbers?;
                numbers.sort_unstable();
                numbers.dedup();
                Ok(numbers)
            }
            Set::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                if to.saturating_sub(from) > MOST_ELEMENTS {
                    return Err(Fail::Overflow);
                }
                Ok((from..=to).collect())
            }
            Set::Named(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                    numbers.iter().map(machine).collect()
                }
                Some(_) => Err(Fail::Undefined),
                None => Ok(self.list(*variable).to_vec()),
            },
            _ => Err(Fail::Overflow),
        }
    }

    fn contains(&self, set: &Set, n: i64) -> Result<bool, Fail> {
        match set {
            Set::Range(from, to) => Ok((self.number(from)?..=self.number(to)?).contains(&n)),
            Set::Squares => Ok(n > 0 && n.sqrt() * n.sqrt() == n),
            Set::AllBut(excluded) => Ok(n > 0 && !self.contains(excluded, n)?),
            Set::List(_) | Set::Named(_) => Ok(self.elements(set)?.contains(&n)),
            // The number theory of the other sets is rare in rows: the exact definition does it.
            _ => Err(Fail::Overflow),
        }
    }

    /// Whether a condition holds.
    pub fn holds(&mut self, guard: &Guard) -> Result<bool, Fail> {
        let result = match guard {
            Guard::All(guards) => {
                for guard in guards {
                    if !self.holds(guard)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Guard::Any(guards) => {
                for guard in guards {
                    if self.holds(guard)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            Guard::Not(guard) => return Ok(!self.holds(guard)?),
            Guard::Compare(comparison, left, right) => self
                .pair(left, right)
                .map(|(left, right)| compare(*comparison, left, right)),
            Guard::Divides(divisor, n) => self
                .pair(divisor, n)
                .map(|(divisor, n)| divisor > 0 && n % divisor == 0),
            Guard::Member { negated, item, set } => {
                let inside = self.number(item).and_then(|n| self.contains(set, n));
                inside.map(|inside| inside != *negated)
            }
            Guard::Related {
                negated,
                items,
                relation,
            } => self.related(items, *relation, *negated),
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                return self.quantified(*quantifier, *variable, over, body);
            }
            Guard::Option { .. } => Err(Fail::Overflow),
        };
        match result {
            Err(Fail::Undefined) => Ok(false),
            other => other,
        }
    }

    fn pair(&self, left: &Expr, right: &Expr) -> Result<(i64, i64), Fail> {
        // An undefined side makes a comparison false whatever the other side is.
        match (self.number(left), self.number(right)) {
            (Err(Fail::Undefined), _) | (_, Err(Fail::Undefined)) => Err(Fail::Undefined),
            (left, right) => Ok((left?, right?)),
        }
    }

    fn related(&self, items: &[Expr], relation: Variable, negated: bool) -> Result<bool, Fail> {
        let tuple: Result<Vec<i64>, Fail> = items.iter().map(|item| self.number(item)).collect();
        let tuple: Vec<BigInt> = tuple?.into_iter().map(BigInt::from).collect();
        match self.parameter(relation) {
            Some(ParameterValue::Relation(tuples)) => {
                Ok(tuples.binary_search(&tuple).is_ok() != negated)
            }
            _ => Err(Fail::Undefined),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: Variable,
        over: &Set,
        body: &Guard,
    ) -> Result<bool, Fail> {
        let elements = match self.elements(over) {
            Err(Fail::Undefined) => return Ok(false),
            other => other?,
        };
        let decisive = quantifier == Quantifier::Some;
        let outer = self.numbers[variable.0];
        let mut result = Ok(!decisive);
        for element in elements {
            self.numbers[variable.0] = element;
            match self.holds(body) {
                Ok(holds) if holds != decisive => {}
                stop => {
                    result = stop;
                    break;
                }
            }
        }
        self.numbers[variable.0] = outer;
        result
    }
}

/// The longest range that is written out.
const MOST_ELEMENTS: i64 = 1 << 16;

fn machine(n: &BigInt) -> Result<i64, Fail> {
    n.to_i64().ok_or(Fail::Overflow)
}

fn binary(op: BinaryOp, left: i64, right: i64) -> Result<i64, Fail> {
    let naturals = left >= 0 && right >= 0;
    let of_naturals = |value: i64| {
        if naturals {
            Ok(value)
        } else {
            Err(Fail::Undefined)
        }
    };
    match op {
        BinaryOp::Add => left.checked_add(right).ok_or(Fail::Overflow),
        BinaryOp::Subtract => left.checked_sub(right).ok_or(Fail::Overflow),
        BinaryOp::Multiply => left.checked_mul(right).ok_or(Fail::Overflow),
        BinaryOp::Divide if right == 0 => Err(Fail::Undefined),
        BinaryOp::Divide if right == -1 => left.checked_neg().ok_or(Fail::Overflow),
        BinaryOp::Divide => Ok(Integer::div_floor(&left, &right)),
        BinaryOp::Modulo if right <= 0 => Err(Fail::Undefined),
        BinaryOp::Modulo => Ok(left.mod_floor(&right)),
        BinaryOp::Power if right < 0 => Err(Fail::Undefined),
        BinaryOp::Power => {
            let exponent = u32::try_from(right).map_err(|_| Fail::Overflow)?;
            left.checked_pow(exponent).ok_or(Fail::Overflow)
        }
        BinaryOp::Xor => of_naturals(left ^ right),
        BinaryOp::BitAnd => of_naturals(left & right),
        BinaryOp::BitOr => of_naturals(left | right),
        BinaryOp::ShiftLeft => {
            of_naturals(0)?;
            let factor = u32::try_from(right)
                .ok()
                .and_then(|by| 1i64.checked_shl(by));
            let factor = factor.filter(|factor| *factor > 0).ok_or(Fail::Overflow)?;
            left.checked_mul(factor).ok_or(Fail::Overflow)
        }
        BinaryOp::ShiftRight => of_naturals(if right < 63 { left >> right.max(0) } else { 0 }),
    }
}

fn call(function: Function, arguments: &[i64]) -> Result<i64, Fail> {
    let first = arguments.first().copied().ok_or(Fail::Undefined)?;
    match function {
        Function::Min => arguments.iter().min().copied().ok_or(Fail::Undefined),
        Function::Max => arguments.iter().max().copied().ok_or(Fail::Undefined),
        Function::Gcd => greatest_common_divisor(arguments),
        Function::Abs => first.checked_abs().ok_or(Fail::Overflow),
        Function::Isqrt | Function::Popcount if first < 0 => Err(Fail::Undefined),
        Function::Isqrt => Ok(first.sqrt()),
        Function::Popcount => Ok(first.count_ones().into()),
        Function::Omega => Err(Fail::Overflow),
    }
}

fn greatest_common_divisor(numbers: &[i64]) -> Result<i64, Fail> {
    if numbers.contains(&i64::MIN) {
        return Err(Fail::Overflow);
    }
    Ok(numbers.iter().fold(0, |gcd: i64, n| gcd.gcd(n)))
}

fn combine(aggregate: Aggregate, numbers: &[i64]) -> Result<i64, Fail> {
    match aggregate {
        Aggregate::Length => i64::try_from(numbers.len()).map_err(|_| Fail::Overflow),
        Aggregate::Sum => numbers
            .iter()
            .try_fold(0i64, |sum, n| sum.checked_add(*n))
            .ok_or(Fail::Overflow),
        Aggregate::Min => numbers.iter().min().copied().ok_or(Fail::Undefined),
        Aggregate::Max => numbers.iter().max().copied().ok_or(Fail::Undefined),
        Aggregate::Gcd => greatest_common_divisor(numbers),
        Aggregate::Xor if numbers.iter().any(|n| *n < 0) => Err(Fail::Undefined),
        Aggregate::Xor => Ok(numbers.iter().fold(0, |xor, n| xor ^ n)),
    }
}

fn compare(comparison: Comparison, left: i64, right: i64) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::GreaterEqual => left >= right,
        Comparison::Greater => left > right,
    }
}
