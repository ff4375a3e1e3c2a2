//! Guards and expressions as linear arithmetic, where they are that.

use std::rc::Rc;

use grundy_rules::ruleset::{
    BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Role, Ruleset, Scope, Set,
    Variable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::formula::{Formula, LARGEST, Linear};
use super::outside::Reason;

/// An expression under a condition: there it is `linear / divisor`, which is an integer.
#[derive(Clone)]
pub(crate) struct Piece {
    pub when: Formula,
    pub linear: Linear,
    pub divisor: i64,
}

/// The most pieces an expression may have.
const MOST_PIECES: usize = 128;

/// Reads the lines of one rule.
pub(crate) struct Reader<'r> {
    pub ruleset: &'r Ruleset,
    pub scope: &'r Scope,
}

fn small(n: &BigInt) -> Result<i64, Reason> {
    n.to_i64()
        .filter(|n| n.abs() <= LARGEST)
        .ok_or(Reason::LargeNumber)
}

impl Reader<'_> {
    fn variables(&self) -> usize {
        self.scope.names.len()
    }

    fn parameter(&self, variable: Variable) -> Option<&ParameterValue> {
        match self.scope.names[variable.0].role {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    fn constant(&self, constant: i64) -> Vec<Piece> {
        vec![Piece {
            when: Formula::Constant(true),
            linear: Linear::constant(constant, self.variables()),
            divisor: 1,
        }]
    }

    /// The pieces of an expression; their conditions exclude each other and leave nothing out.
    pub fn pieces(&self, expr: &Expr) -> Result<Vec<Piece>, Reason> {
        match expr {
            Expr::Number(n) => Ok(self.constant(small(n)?)),
            Expr::Variable(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Number(n)) => Ok(self.constant(small(n)?)),
                Some(_) => Err(Reason::NotLinear),
                None => match self.scope.names[variable.0].role {
                    Role::Coordinate | Role::Choice => Ok(vec![Piece {
                        when: Formula::Constant(true),
                        linear: Linear::variable(variable.0, self.variables()),
                        divisor: 1,
                    }]),
                    Role::Existential => Err(Reason::Existential),
                    _ => Err(Reason::NotLinear),
                },
            },
            Expr::Negate(inner) => {
                let mut pieces = self.pieces(inner)?;
                for piece in &mut pieces {
                    piece.linear = piece.linear.times(-1).ok_or(Reason::LargeNumber)?;
                }
                Ok(pieces)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Call(function @ (Function::Min | Function::Max), arguments) => {
                let (first, rest) = arguments.split_first().ok_or(Reason::NotLinear)?;
                rest.iter().try_fold(self.pieces(first)?, |best, argument| {
                    better(*function, &best, &self.pieces(argument)?)
                })
            }
            Expr::Call(Function::Abs, arguments) => {
                let inner = arguments.first().ok_or(Reason::NotLinear)?;
                let negated = self.pieces(&Expr::Negate(Box::new(inner.clone())))?;
                better(Function::Max, &self.pieces(inner)?, &negated)
            }
            _ => Err(Reason::NotLinear),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Vec<Piece>, Reason> {
        let (left, right) = (self.pieces(left)?, self.pieces(right)?);
        match op {
            BinaryOp::Add => pairs(&left, &right, |l, r| combination(l, r, 1)),
            BinaryOp::Subtract => pairs(&left, &right, |l, r| combination(l, r, -1)),
            BinaryOp::Multiply => pairs(&left, &right, |l, r| {
                let (factor, other) = match (whole(l), whole(r)) {
                    (Some(factor), _) => (factor, r),
                    (_, Some(factor)) => (factor, l),
                    _ => return Err(Reason::NotLinear),
                };
                let linear = other.linear.times(factor).ok_or(Reason::LargeNumber)?;
                Ok(vec![(Formula::Constant(true), linear, other.divisor)])
            }),
            BinaryOp::Divide | BinaryOp::Modulo => pairs(&left, &right, |l, r| {
                let modulus = whole(r).filter(|m| *m >= 1).ok_or(Reason::NotLinear)?;
                let modulus_count = usize::try_from(modulus).expect("it is positive");
                if modulus_count > MOST_PIECES || l.divisor != 1 {
                    return Err(Reason::NotLinear);
                }
                (0..modulus)
                    .map(|residue| {
                        let mut rest = l.linear.clone();
                        rest.constant -= residue;
                        let when = Formula::multiple(rest.clone(), modulus, true);
                        Ok(if op == BinaryOp::Divide {
                            (when, rest, modulus)
                        } else {
                            (when, Linear::constant(residue, self.variables()), 1)
                        })
                    })
                    .collect()
            }),
            BinaryOp::Power => pairs(&left, &right, |l, r| {
                let (Some(base), Some(exponent)) = (whole(l), whole(r)) else {
                    return Err(Reason::NotLinear);
                };
                let exponent = u32::try_from(exponent).map_err(|_| Reason::NotLinear)?;
                let power = base.checked_pow(exponent).filter(|p| p.abs() <= LARGEST);
                let power = power.ok_or(Reason::LargeNumber)?;
                let linear = Linear::constant(power, self.variables());
                Ok(vec![(Formula::Constant(true), linear, 1)])
            }),
            _ => Err(Reason::NotLinear),
        }
    }

    /// A guard as linear arithmetic.
    pub fn formula(&self, guard: &Guard) -> Result<Formula, Reason> {
        match guard {
            Guard::All(guards) => {
                let parts: Result<Vec<_>, _> = guards.iter().map(|g| self.formula(g)).collect();
                Ok(Formula::all(parts?))
            }
            Guard::Any(guards) => {
                let parts: Result<Vec<_>, _> = guards.iter().map(|g| self.formula(g)).collect();
                Ok(Formula::any(parts?))
            }
            Guard::Not(inner) => Ok(self.formula(inner)?.negate()),
            Guard::Compare(comparison, left, right) => {
                Self::compare(*comparison, &self.pieces(left)?, &self.pieces(right)?)
            }
            Guard::Divides(divisor, n) => {
                condition(&self.pieces(divisor)?, &self.pieces(n)?, |d, n| {
                    let d = whole(d).ok_or(Reason::NotLinear)?;
                    if n.divisor != 1 {
                        return Err(Reason::NotLinear);
                    }
                    Ok(if d >= 1 {
                        Formula::multiple(n.linear.clone(), d, true)
                    } else {
                        Formula::Constant(false)
                    })
                })
            }
            Guard::Member { negated, item, set } => {
                let inside = self.member(&self.pieces(item)?, set)?;
                Ok(if *negated { inside.negate() } else { inside })
            }
            Guard::Related { .. } | Guard::Quantified { .. } | Guard::Option { .. } => {
                Err(Reason::NotLinear)
            }
        }
    }

    fn compare(comparison: Comparison, left: &[Piece], right: &[Piece]) -> Result<Formula, Reason> {
        condition(left, right, |l, r| {
            let (up, down) = difference(l, r)?;
            Ok(match comparison {
                Comparison::GreaterEqual => Formula::at_least(up),
                Comparison::Less => Formula::at_least(up).negate(),
                Comparison::LessEqual => Formula::at_least(down),
                Comparison::Greater => Formula::at_least(down).negate(),
                Comparison::Equal => Formula::equals_zero(up),
                Comparison::NotEqual => Formula::equals_zero(up).negate(),
            })
        })
    }

    fn member(&self, item: &[Piece], set: &Set) -> Result<Formula, Reason> {
        match set {
            Set::List(members) => {
                let mut any = Vec::new();
                let mut numbers = Vec::new();
                for member in members {
                    let pieces = self.pieces(member)?;
                    match pieces.as_slice() {
                        [piece] if whole(piece).is_some() => numbers.extend(whole(piece)),
                        _ => any.push(Self::compare(Comparison::Equal, item, &pieces)?),
                    }
                }
                any.push(list_member(item, numbers)?);
                Ok(Formula::any(any))
            }
            Set::Range(from, to) => Ok(Formula::all([
                Self::compare(Comparison::GreaterEqual, item, &self.pieces(from)?)?,
                Self::compare(Comparison::LessEqual, item, &self.pieces(to)?)?,
            ])),
            Set::Named(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                    list_member(item, numbers.iter().map(small).collect::<Result<_, _>>()?)
                }
                _ => Err(Reason::NotLinear),
            },
            Set::AllBut(excluded) => {
                let positive = Self::compare(Comparison::GreaterEqual, item, &self.constant(1))?;
                let outside = self.member(item, excluded)?.negate();
                Ok(Formula::all([positive, outside]))
            }
            _ => Err(Reason::NotLinear),
        }
    }
}

/// The pieces of the smaller or the larger of two expressions.
fn better(function: Function, left: &[Piece], right: &[Piece]) -> Result<Vec<Piece>, Reason> {
    pairs(left, right, |l, r| {
        let (difference, _) = difference(l, r)?;
        let left_large = Formula::at_least(difference);
        let right_large = left_large.negate();
        let (left_when, right_when) = match function {
            Function::Max => (left_large, right_large),
            _ => (right_large, left_large),
        };
        Ok(vec![
            (left_when, l.linear.clone(), l.divisor),
            (right_when, r.linear.clone(), r.divisor),
        ])
    })
}

fn list_member(item: &[Piece], mut numbers: Vec<i64>) -> Result<Formula, Reason> {
    numbers.sort_unstable();
    numbers.dedup();
    let parts = item.iter().map(|piece| {
        // linear / divisor = member, multiplied out.
        let list: Option<Vec<i64>> = numbers
            .iter()
            .map(|n| n.checked_mul(piece.divisor).filter(|n| n.abs() <= LARGEST))
            .collect();
        let list = list.ok_or(Reason::LargeNumber)?;
        let inside = Formula::member(piece.linear.clone(), Rc::from(list), true);
        Ok(Formula::all([piece.when.clone(), inside]))
    });
    Ok(Formula::any(parts.collect::<Result<Vec<_>, _>>()?))
}

/// The number that a piece is, if it is one.
fn whole(piece: &Piece) -> Option<i64> {
    piece.linear.as_constant().filter(|_| piece.divisor == 1)
}

/// Positive multiples of `left - right` and `right - left`.
fn difference(left: &Piece, right: &Piece) -> Result<(Linear, Linear), Reason> {
    let both = || {
        let l = left.linear.times(right.divisor)?;
        let r = right.linear.times(left.divisor)?;
        Some((l.plus(&r, -1)?, r.plus(&l, -1)?))
    };
    both().ok_or(Reason::LargeNumber)
}

/// `left + sign * right` under no further condition.
fn combination(
    left: &Piece,
    right: &Piece,
    sign: i64,
) -> Result<Vec<(Formula, Linear, i64)>, Reason> {
    let sum = || {
        let divisor = left.divisor.checked_mul(right.divisor)?;
        let l = left.linear.times(right.divisor)?;
        Some((l.plus(&right.linear, sign * left.divisor)?, divisor))
    };
    let (linear, divisor) = sum().ok_or(Reason::LargeNumber)?;
    Ok(vec![(Formula::Constant(true), linear, divisor)])
}

/// All that `make` makes of a piece of the one and a piece of the other.
fn pairs(
    left: &[Piece],
    right: &[Piece],
    make: impl Fn(&Piece, &Piece) -> Result<Vec<(Formula, Linear, i64)>, Reason>,
) -> Result<Vec<Piece>, Reason> {
    let mut pieces = Vec::new();
    for l in left {
        for r in right {
            for (when, linear, divisor) in make(l, r)? {
                let when = Formula::all([l.when.clone(), r.when.clone(), when]);
                if when != Formula::Constant(false) {
                    pieces.push(Piece {
                        when,
                        linear,
                        divisor,
                    });
                }
                if pieces.len() > MOST_PIECES {
                    return Err(Reason::NotLinear);
                }
            }
        }
    }
    Ok(pieces)
}

/// A condition on the values of two expressions.
fn condition(
    left: &[Piece],
    right: &[Piece],
    make: impl Fn(&Piece, &Piece) -> Result<Formula, Reason>,
) -> Result<Formula, Reason> {
    let mut cases = Vec::new();
    for l in left {
        for r in right {
            let when = Formula::all([l.when.clone(), r.when.clone()]);
            cases.push(Formula::all([when, make(l, r)?]));
        }
    }
    Ok(Formula::any(cases))
}
