//! What a guard says, as a formula.

use crate::formula::{Formula, Linear, TooLarge};
use crate::refusal::Reason;
use grundy_rules::ruleset::{
    BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Quantifier, Role, Set, Variable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::term::{Case, Quotient};
use super::{MOST_CASES, MOST_ELEMENTS, Reading};

impl Reading<'_> {
    pub(super) fn guard(&mut self, guard: &Guard) -> Result<Formula, Reason> {
        self.spend(1)?;
        match guard {
            Guard::All(guards) => {
                let all = guards.iter().map(|guard| self.guard(guard));
                Ok(Formula::all(all.collect::<Result<Vec<_>, _>>()?))
            }
            Guard::Any(guards) => {
                let any = guards.iter().map(|guard| self.guard(guard));
                Ok(Formula::any(any.collect::<Result<Vec<_>, _>>()?))
            }
            Guard::Not(inner) => Ok(Formula::negate(self.guard(inner)?)),
            Guard::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Guard::Divides(divisor, n) => {
                let divisor = self.constant(divisor)?;
                let n = self.cases(n)?;
                if divisor < 1 {
                    return Ok(Formula::Constant(false));
                }
                any_case(&n, |case| {
                    let modulus = divisor.checked_mul(case.over).ok_or(TooLarge)?;
                    Ok(Formula::multiple(modulus, case.value.clone()))
                })
            }
            Guard::Member {
                negated,
                item,
                set: Set::Range(from, to),
            } => {
                let inside = Formula::all([
                    self.compare(Comparison::LessEqual, from, item)?,
                    self.compare(Comparison::LessEqual, item, to)?,
                ]);
                Ok(if *negated {
                    Formula::negate(inside)
                } else {
                    inside
                })
            }
            Guard::Member { negated, item, set } => {
                let item = self.cases(item)?;
                let inside = self.member(&item, set)?;
                Ok(if *negated {
                    Formula::negate(inside)
                } else {
                    inside
                })
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                let elements = match over {
                    Set::Range(from, to) => {
                        let (from, to) = (self.constant(from)?, self.constant(to)?);
                        if to - from >= MOST_CASES as i128 {
                            return Err(Reason::TooLarge);
                        }
                        (from..=to).collect()
                    }
                    set => self.elements(set)?,
                };
                if elements.len() > MOST_CASES {
                    return Err(Reason::TooLarge);
                }
                let mut bodies = Vec::new();
                for element in elements {
                    let element = Linear::constant(element, self.variables)?;
                    let outer = self.meaning[variable.0].replace(element);
                    let body = self.guard(body);
                    self.meaning[variable.0] = outer;
                    bodies.push(body?);
                }
                Ok(match quantifier {
                    Quantifier::Some => Formula::any(bodies),
                    Quantifier::Every => Formula::all(bodies),
                })
            }
            Guard::Related { .. } | Guard::Option { .. } => Err(self.unreadable()),
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Formula, Reason> {
        let (left, right, strict) = match comparison {
            Comparison::LessEqual => (left, right, 0),
            Comparison::Less => (left, right, 1),
            Comparison::GreaterEqual => (right, left, 0),
            Comparison::Greater => (right, left, 1),
            Comparison::Equal | Comparison::NotEqual => {
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut equal = Vec::new();
                for pair in self.product(&[left, right])? {
                    let difference = pair[0].plus(&pair[1], -1)?;
                    equal.push(Formula::all([
                        difference.when,
                        Formula::zero(difference.value),
                    ]));
                }
                let equal = Formula::any(equal);
                return Ok(if comparison == Comparison::Equal {
                    equal
                } else {
                    Formula::negate(equal)
                });
            }
        };
        if let Some(formula) = self.of_extremum(left, right, strict)? {
            return Ok(formula);
        }
        if let Some(formula) = self.of_square(left, right, strict)? {
            return Ok(formula);
        }
        if let (Some(left), Some(right)) = (self.quotient(left)?, self.quotient(right)?) {
            // floor(d / c) + strict <= e and d + strict <= floor(e / c), without cases.
            if left.over == 1 {
                let least = left.dividend.scaled(right.over, strict * right.over)?;
                return Ok(Formula::at_most_zero(least.combine(
                    1,
                    &right.dividend,
                    -1,
                )?));
            }
            if right.over == 1 {
                let least = left.dividend.scaled(1, 1 + (strict - 1) * left.over)?;
                let excess = least.combine(1, &right.dividend, -left.over)?;
                return Ok(Formula::at_most_zero(excess));
            }
        }
        let (left, right) = (self.cases(left)?, self.cases(right)?);
        let mut any = Vec::new();
        for pair in self.product(&[left, right])? {
            any.push(Formula::all([
                pair[0].when.clone(),
                pair[1].when.clone(),
                pair[0].at_most(&pair[1], 1, strict)?,
            ]));
        }
        Ok(Formula::any(any))
    }

    /// `left + strict <= right` where the right side is a `min` or the left side a `max`.
    fn of_extremum(
        &mut self,
        left: &Expr,
        right: &Expr,
        strict: i128,
    ) -> Result<Option<Formula>, Reason> {
        let comparison = if strict == 1 {
            Comparison::Less
        } else {
            Comparison::LessEqual
        };
        let mut all = Vec::new();
        if let Expr::Call(Function::Min, arguments) = right {
            for argument in arguments {
                all.push(self.compare(comparison, left, argument)?);
            }
        } else if let Expr::Call(Function::Max, arguments) = left {
            for argument in arguments {
                all.push(self.compare(comparison, argument, right)?);
            }
        } else {
            return Ok(None);
        }
        self.spend(all.iter().map(Formula::size).sum())?;
        Ok(Some(Formula::all(all)))
    }

    /// `left + strict <= right` where the left side is the square of a choice, or the right
    /// side an integer square root and the left side a choice.
    fn of_square(
        &mut self,
        left: &Expr,
        right: &Expr,
        strict: i128,
    ) -> Result<Option<Formula>, Reason> {
        let (root, square, strict) = match (squared(left), left, right) {
            (Some(root), _, square) => (root, square, strict),
            (None, Expr::Variable(root), Expr::Call(Function::Isqrt, arguments)) if strict == 0 => {
                (*root, &arguments[0], 0)
            }
            _ => return Ok(None),
        };
        // A choice is never negative: so it is at most the root where its square is at most that.
        let Some(root) = self.meaning[root.0]
            .clone()
            .filter(|_| self.is_choice(root))
        else {
            return Ok(None);
        };
        let Some(Quotient { dividend, over }) = self.quotient(square)? else {
            return Ok(None);
        };
        let square = dividend.scaled(1, -strict * over)?;
        Ok(Some(Formula::square_at_most(over, root, square)))
    }
}

impl Reading<'_> {
    /// Whether a term is in a set.
    pub(super) fn member(&mut self, item: &[Case], set: &Set) -> Result<Formula, Reason> {
        match set {
            Set::Range(from, to) => {
                let (from, to) = (self.cases(from)?, self.cases(to)?);
                let mut any = Vec::new();
                for three in self.product(&[from, item.to_vec(), to])? {
                    let when = three.iter().map(|case| case.when.clone());
                    let within = [
                        three[0].at_most(&three[1], 1, 0)?,
                        three[1].at_most(&three[2], 1, 0)?,
                    ];
                    any.push(Formula::all(when.chain(within)));
                }
                Ok(Formula::any(any))
            }
            Set::AllBut(excluded) => {
                let excluded = self.member(item, excluded)?;
                let positive = any_case(item, |case| {
                    Ok(Formula::at_most_zero(
                        case.value.scaled(-1, 0)?.scaled(1, 1)?,
                    ))
                })?;
                Ok(Formula::all([positive, Formula::negate(excluded)]))
            }
            Set::List(_) | Set::Named(_) => {
                let elements = self.elements(set)?;
                any_case(item, |case| {
                    let scaled: Vec<i128> = elements
                        .iter()
                        .map(|n| n.checked_mul(case.over).ok_or(TooLarge))
                        .collect::<Result<_, _>>()?;
                    Ok(Formula::member(case.value.clone(), &scaled))
                })
            }
            Set::Primes
            | Set::PrimePowers
            | Set::Squares
            | Set::Powers(_)
            | Set::Fibonacci
            | Set::Digits { .. } => Err(self.unreadable()),
        }
    }

    /// The elements of a set of constants, ascending.
    pub(super) fn elements(&mut self, set: &Set) -> Result<Vec<i128>, Reason> {
        let mut elements = match set {
            Set::List(items) => {
                if items.len() > MOST_ELEMENTS {
                    return Err(Reason::TooLarge);
                }
                items
                    .iter()
                    .map(|item| self.constant(item))
                    .collect::<Result<Vec<_>, _>>()?
            }
            Set::Named(variable) => {
                let Role::Parameter(parameter) = self.rule.scope.names[variable.0].role else {
                    return Err(self.unreadable());
                };
                match &self.ruleset.parameters[parameter].value {
                    ParameterValue::Set(numbers) | ParameterValue::List(numbers)
                        if numbers.len() <= MOST_ELEMENTS =>
                    {
                        numbers
                            .iter()
                            .map(|n| n.to_i128().ok_or(Reason::TooLarge))
                            .collect::<Result<Vec<_>, _>>()?
                    }
                    _ => return Err(self.unreadable()),
                }
            }
            _ => return Err(self.unreadable()),
        };
        if elements.iter().any(|n| n.abs() >= 1 << 62) {
            return Err(Reason::TooLarge);
        }
        elements.sort_unstable();
        elements.dedup();
        Ok(elements)
    }
}

/// One of the cases holds, and the formula for it.
fn any_case(
    cases: &[Case],
    mut formula: impl FnMut(&Case) -> Result<Formula, Reason>,
) -> Result<Formula, Reason> {
    let mut any = Vec::with_capacity(cases.len());
    for case in cases {
        any.push(Formula::all([case.when.clone(), formula(case)?]));
    }
    Ok(Formula::any(any))
}

/// The variable `v` of `v * v` or `v ^ 2`.
fn squared(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Variable(left), Expr::Variable(right)) if left == right => Some(*left),
            _ => None,
        },
        Expr::Binary(BinaryOp::Power, base, exponent) => match (&**base, &**exponent) {
            (Expr::Variable(base), Expr::Number(two)) if *two == BigInt::from(2) => Some(*base),
            _ => None,
        },
        _ => None,
    }
}
