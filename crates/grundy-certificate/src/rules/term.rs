//! Terms: linear in the heap and the choices, in cases, or rounded quotients of such.

use crate::formula::{Formula, Linear, TooLarge};
use crate::refusal::Reason;
use grundy_rules::ruleset::{BinaryOp, Expr, Function, Role, Variable};
use num_integer::Integer;

use super::{MOST_CASES, Reading};

/// A term in one of several cases.
#[derive(Clone)]
pub(super) struct Case {
    /// Where the case holds. Exactly one case of a term holds at each point.
    pub when: Formula,
    /// The value there is this divided by `over`, which divides it.
    pub value: Linear,
    pub over: i128,
}

/// `dividend / over`, rounded down; `over` is positive.
pub(super) struct Quotient {
    pub dividend: Linear,
    pub over: i128,
}

impl Reading<'_> {
    /// The value of a term without variables.
    pub(super) fn constant(&mut self, expr: &Expr) -> Result<i128, Reason> {
        match self.cases(expr)?.as_slice() {
            [
                Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                },
            ] => value.as_constant().ok_or_else(|| self.unreadable()),
            _ => Err(self.unreadable()),
        }
    }

    /// A term as cases of linear terms.
    pub(super) fn cases(&mut self, expr: &Expr) -> Result<Vec<Case>, Reason> {
        self.spend(1)?;
        let single = |value: Linear| {
            vec![Case {
                when: Formula::Constant(true),
                value,
                over: 1,
            }]
        };
        match expr {
            Expr::Number(n) => Ok(single(self.number(n)?)),
            Expr::Variable(variable) => self.meaning[variable.0]
                .clone()
                .map(single)
                .ok_or_else(|| self.unreadable()),
            Expr::Negate(inner) => {
                let mut cases = self.cases(inner)?;
                for case in &mut cases {
                    case.value = case.value.scaled(-1, 0)?;
                }
                Ok(cases)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::Index(..) | Expr::End(_) | Expr::Aggregate(..) => Err(self.unreadable()),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Vec<Case>, Reason> {
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                let sign = if op == BinaryOp::Add { 1 } else { -1 };
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut cases = Vec::new();
                for pair in self.product(&[left, right])? {
                    cases.push(pair[0].plus(&pair[1], sign)?);
                }
                Ok(cases)
            }
            BinaryOp::Multiply => {
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut cases = Vec::new();
                for pair in self.product(&[left, right])? {
                    let (factor, other) = match (pair[0].as_constant(), pair[1].as_constant()) {
                        (Some(factor), _) => (factor, &pair[1]),
                        (_, Some(factor)) => (factor, &pair[0]),
                        _ => return Err(self.unreadable()),
                    };
                    cases.push(Case {
                        when: Formula::all([pair[0].when.clone(), pair[1].when.clone()]),
                        value: other.value.scaled(factor, 0)?,
                        over: other.over,
                    });
                }
                Ok(cases)
            }
            BinaryOp::Divide | BinaryOp::Modulo => {
                let divisor = self.constant(right)?;
                // Dividing by 0 or less has no value, or rounds otherwise.
                if divisor <= 0 {
                    return Err(self.unreadable());
                }
                let dividend = self.cases(left)?;
                if divisor.saturating_mul(dividend.len() as i128) > MOST_CASES as i128 {
                    return Err(Reason::TooLarge);
                }
                let mut cases = Vec::new();
                for case in dividend {
                    for rest in 0..divisor {
                        // value / over = divisor * quotient + rest
                        let taken = case.value.scaled(1, -rest * case.over)?;
                        let when = Formula::multiple(divisor * case.over, taken.clone());
                        let (value, over) = match op {
                            BinaryOp::Divide => (taken, divisor * case.over),
                            _ => (Linear::constant(rest, self.variables)?, 1),
                        };
                        cases.push(Case {
                            when: Formula::all([case.when.clone(), when]),
                            value,
                            over,
                        });
                    }
                }
                Ok(cases)
            }
            BinaryOp::Power => {
                let (base, exponent) = (self.constant(left)?, self.constant(right)?);
                let exponent = u32::try_from(exponent).map_err(|_| self.unreadable())?;
                let power = base.checked_pow(exponent).ok_or(TooLarge)?;
                let value = Linear::constant(power, self.variables)?;
                Ok(vec![Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                }])
            }
            BinaryOp::Xor
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => Err(self.unreadable()),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Expr]) -> Result<Vec<Case>, Reason> {
        let sign = match function {
            Function::Min => 1,
            Function::Max | Function::Abs => -1,
            _ => return Err(self.unreadable()),
        };
        let mut terms = arguments
            .iter()
            .map(|argument| self.cases(argument))
            .collect::<Result<Vec<_>, _>>()?;
        if function == Function::Abs {
            let mut negative = terms[0].clone();
            for case in &mut negative {
                case.value = case.value.scaled(-1, 0)?;
            }
            terms.push(negative);
        }
        let mut cases = Vec::new();
        for chosen in self.product(&terms)? {
            let all_when = Formula::all(chosen.iter().map(|case| case.when.clone()));
            // The first that is best: below all before it, and at most all behind it.
            for (at, best) in chosen.iter().enumerate() {
                let mut when = vec![all_when.clone()];
                for (other_at, other) in chosen.iter().enumerate() {
                    if other_at != at {
                        let strict = i128::from(other_at < at);
                        when.push(best.at_most(other, sign, strict)?);
                    }
                }
                cases.push(Case {
                    when: Formula::all(when),
                    value: best.value.clone(),
                    over: best.over,
                });
            }
        }
        cases.retain(|case| case.when != Formula::Constant(false));
        if cases.len() > MOST_CASES {
            return Err(Reason::TooLarge);
        }
        Ok(cases)
    }
}

impl Reading<'_> {
    /// A term as a quotient of a linear term, rounded down; `None` where it is none.
    pub(super) fn quotient(&mut self, expr: &Expr) -> Result<Option<Quotient>, Reason> {
        self.spend(1)?;
        Ok(match expr {
            Expr::Binary(BinaryOp::Divide, dividend, divisor) => {
                let divisor = self.constant(divisor)?;
                // Dividing by 0 has no value, and dividing by less rounds otherwise.
                if divisor <= 0 {
                    return Err(self.unreadable());
                }
                // Rounding twice is rounding once, by the product.
                match self.quotient(dividend)? {
                    Some(Quotient { dividend, over }) => {
                        let over = over.checked_mul(divisor).filter(|over| *over < 1 << 62);
                        Some(Quotient {
                            dividend,
                            over: over.ok_or(TooLarge)?,
                        })
                    }
                    None => None,
                }
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let (Some(left), Some(right)) = (self.quotient(left)?, self.quotient(right)?)
                else {
                    return Ok(None);
                };
                let right = match op {
                    BinaryOp::Add => right,
                    // -floor(d / c) = floor((c - 1 - d) / c)
                    _ => Quotient {
                        dividend: right.dividend.scaled(-1, right.over - 1)?,
                        over: right.over,
                    },
                };
                if left.over != 1 && right.over != 1 {
                    return Ok(None);
                }
                Some(Quotient {
                    dividend: left
                        .dividend
                        .combine(right.over, &right.dividend, left.over)?,
                    over: left.over * right.over,
                })
            }
            _ => self
                .linear(expr)?
                .map(|dividend| Quotient { dividend, over: 1 }),
        })
    }

    pub(super) fn is_choice(&self, variable: Variable) -> bool {
        self.rule.scope.names[variable.0].role == Role::Choice
    }

    /// A term as one linear term without cases; `None` where it is none.
    pub(super) fn linear(&mut self, expr: &Expr) -> Result<Option<Linear>, Reason> {
        Ok(match self.cases(expr)?.as_slice() {
            [
                Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                },
            ] => Some(value.clone()),
            _ => None,
        })
    }
}

impl Case {
    fn as_constant(&self) -> Option<i128> {
        self.value.as_constant().filter(|_| self.over == 1)
    }

    /// `self + sign * other`, where both cases hold.
    pub(super) fn plus(&self, other: &Self, sign: i128) -> Result<Self, TooLarge> {
        let over = self.over.lcm(&other.over);
        Ok(Self {
            when: Formula::all([self.when.clone(), other.when.clone()]),
            value: self.value.combine(
                over / self.over,
                &other.value,
                sign * (over / other.over),
            )?,
            over,
        })
    }

    /// `sign * self + strict <= sign * other`
    pub(super) fn at_most(
        &self,
        other: &Self,
        sign: i128,
        strict: i128,
    ) -> Result<Formula, TooLarge> {
        let difference = self.plus(other, -1)?;
        let excess = difference.value.scaled(sign, strict * difference.over)?;
        Ok(Formula::at_most_zero(excess))
    }
}
