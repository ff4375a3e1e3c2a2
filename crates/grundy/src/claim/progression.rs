//! What a formula in `n` says along an arithmetic progression of heaps.
//!
//! On `n = period * x + residue` a formula of sums, constant factors, divisions and moduli by
//! constants is an affine function of `x`, if the period is a multiple of what it divides by;
//! comparisons of such functions have one truth on each of a few intervals of `x`. Every step
//! here is exact on a whole interval: where it is not, the caller learns how to cut the interval
//! or to enlarge the period.

use std::cmp::Ordering;

use grundy_rules::eval::Env;
use grundy_rules::ruleset::{
    BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Piece, Set, Variable,
};
use grundy_rules::{Limit, Meter};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// `slope * x + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    /// The growth with `x`.
    pub slope: BigInt,
    /// The value at `x = 0`.
    pub constant: BigInt,
}

impl Affine {
    fn constant(constant: impl Into<BigInt>) -> Self {
        Self {
            slope: BigInt::zero(),
            constant: constant.into(),
        }
    }

    /// The value at `x`.
    pub fn at(&self, x: &BigInt) -> BigInt {
        &self.slope * x + &self.constant
    }

    fn as_constant(&self) -> Option<&BigInt> {
        self.slope.is_zero().then_some(&self.constant)
    }

    fn plus(&self, factor: &BigInt, other: &Self) -> Self {
        Self {
            slope: &self.slope + factor * &other.slope,
            constant: &self.constant + factor * &other.constant,
        }
    }

    fn times(&self, factor: &BigInt) -> Self {
        Self {
            slope: &self.slope * factor,
            constant: &self.constant * factor,
        }
    }
}

/// The numbers `x` from `low` on, up to `high` if there is an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    /// The least.
    pub low: BigInt,
    /// The largest; `None` if there is none.
    pub high: Option<BigInt>,
}

impl Interval {
    fn contains(&self, x: &BigInt) -> bool {
        self.low <= *x && self.high.as_ref().is_none_or(|high| x <= high)
    }

    /// The sign of a function that has one sign on the whole interval.
    pub fn sign(&self, function: &Affine) -> Result<Ordering, Stop> {
        let zero = BigInt::zero();
        let first = function.at(&self.low).cmp(&zero);
        let towards = function.slope.cmp(&zero);
        let change = match (first, towards) {
            (_, Ordering::Equal) => return Ok(first),
            (Ordering::Equal, _) => &self.low + 1,
            (first, towards) if first == towards => return Ok(first),
            // The first x at which |slope| * x has made up for the constant.
            _ => function
                .constant
                .magnitude()
                .div_ceil(function.slope.magnitude())
                .into(),
        };
        if self.contains(&change) {
            Err(Stop::Cut(change))
        } else {
            Ok(first)
        }
    }
}

/// Why a formula is no affine function on an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It may be one on each side: on the interval before this number and on the one from it on.
    Cut(BigInt),
    /// The period must be so many times as large.
    Enlarge(BigInt),
    /// It has a term that is not understood.
    Outside,
    /// A limit was reached.
    Limit(Limit),
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// What the first piece says whose condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// This number.
    Number(Affine),
    /// It has no value anywhere here.
    Undefined,
    /// No piece speaks of any heap here.
    Nothing,
}

/// Formulas in one variable along one progression.
pub(super) struct Progression<'p, 'm> {
    /// The values of everything but the variable.
    pub env: Env<'p>,
    /// The variable of the claim.
    pub variable: Variable,
    /// What it is.
    pub n: Affine,
    /// The values of `x`.
    pub interval: Interval,
    /// What the work costs.
    pub meter: &'p mut Meter<'m>,
}

impl Progression<'_, '_> {
    /// What the first piece says whose condition holds.
    pub fn said(&mut self, pieces: &[Piece]) -> Result<Says, Stop> {
        for piece in pieces {
            let holds = match &piece.condition {
                Some(condition) => self.holds(condition)?,
                None => true,
            };
            if holds {
                let number = self.number(&piece.value)?;
                return Ok(number.map_or(Says::Undefined, Says::Number));
            }
        }
        Ok(Says::Nothing)
    }

    /// The number that an expression means; `None` where it has no value.
    fn number(&mut self, expr: &Expr) -> Result<Option<Affine>, Stop> {
        self.meter.spend(1)?;
        if self.is_free_of(|f| expr.for_each_variable(f)) {
            return Ok(self.env.number(expr, self.meter)?.map(Affine::constant));
        }
        Ok(match expr {
            Expr::Variable(_) => Some(self.n.clone()),
            Expr::Negate(inner) => self.number(inner)?.map(|n| n.times(&-BigInt::one())),
            Expr::Binary(op, left, right) => match (self.number(left)?, self.number(right)?) {
                (Some(left), Some(right)) => self.binary(*op, &left, &right)?,
                _ => None,
            },
            Expr::Call(function, arguments) => {
                let mut numbers = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    match self.number(argument)? {
                        Some(n) => numbers.push(n),
                        None => return Ok(None),
                    }
                }
                self.call(*function, numbers)?
            }
            Expr::Index(list, place) => match self.number(place)? {
                Some(place) => {
                    let place = place.as_constant().ok_or(Stop::Outside)?;
                    let indexed = Expr::Index(*list, Box::new(Expr::Number(place.clone())));
                    self.evaluate(&indexed)?
                }
                None => None,
            },
            Expr::Number(_) | Expr::End(_) | Expr::Aggregate(..) => return Err(Stop::Outside),
        })
    }

    /// Whether the variable of the claim does not occur.
    fn is_free_of(&self, for_each: impl FnOnce(&mut dyn FnMut(Variable))) -> bool {
        let mut free = true;
        for_each(&mut |variable| free = free && variable != self.variable);
        free
    }

    /// The value of an expression without the variable.
    fn evaluate(&mut self, expr: &Expr) -> Result<Option<Affine>, Stop> {
        Ok(self.env.number(expr, self.meter)?.map(Affine::constant))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Affine,
        right: &Affine,
    ) -> Result<Option<Affine>, Stop> {
        if let (Some(l), Some(r)) = (left.as_constant(), right.as_constant()) {
            let [l, r] = [l, r].map(|n| Box::new(Expr::Number(n.clone())));
            return self.evaluate(&Expr::Binary(op, l, r));
        }
        match op {
            BinaryOp::Add => Ok(Some(left.plus(&BigInt::one(), right))),
            BinaryOp::Subtract => Ok(Some(left.plus(&-BigInt::one(), right))),
            BinaryOp::Multiply => match (left.as_constant(), right.as_constant()) {
                (Some(factor), None) => Ok(Some(right.times(factor))),
                (None, Some(factor)) => Ok(Some(left.times(factor))),
                _ => Err(Stop::Outside),
            },
            BinaryOp::Divide => match right.as_constant() {
                Some(divisor) => quotient(left, divisor),
                None => Err(Stop::Outside),
            },
            BinaryOp::Modulo => match right.as_constant() {
                Some(modulus) if modulus.is_positive() => {
                    Ok(Some(Affine::constant(residue(left, modulus)?)))
                }
                Some(_) => Ok(None),
                None => Err(Stop::Outside),
            },
            BinaryOp::ShiftRight => match right.as_constant().and_then(ToPrimitive::to_u32) {
                Some(by) if by <= MOST_SHIFT && self.is_natural(left)? => {
                    quotient(left, &(BigInt::one() << by))
                }
                _ => Err(Stop::Outside),
            },
            BinaryOp::Xor | BinaryOp::BitAnd | BinaryOp::BitOr => {
                let (mask, other) = match (left.as_constant(), right.as_constant()) {
                    (Some(mask), None) => (mask, right),
                    (None, Some(mask)) => (mask, left),
                    _ => return Err(Stop::Outside),
                };
                if mask.is_negative() || !self.is_natural(other)? {
                    return Ok(None);
                }
                if mask.bits() > MOST_SHIFT.into() {
                    return Err(Stop::Outside);
                }
                // The bits of the mask decide nothing above its length.
                let low = residue(other, &(BigInt::one() << mask.bits()))?;
                let changed = match op {
                    BinaryOp::BitAnd => return Ok(Some(Affine::constant(low & mask))),
                    BinaryOp::BitOr => &low | mask,
                    _ => &low ^ mask,
                };
                let difference = Affine::constant(changed - low);
                Ok(Some(other.plus(&BigInt::one(), &difference)))
            }
            BinaryOp::Power | BinaryOp::ShiftLeft => Err(Stop::Outside),
        }
    }

    /// Whether a number is nowhere negative; it may also be negative everywhere.
    fn is_natural(&self, number: &Affine) -> Result<bool, Stop> {
        Ok(self.interval.sign(number)? != Ordering::Less)
    }

    fn call(
        &mut self,
        function: Function,
        mut arguments: Vec<Affine>,
    ) -> Result<Option<Affine>, Stop> {
        let constants: Option<Vec<BigInt>> =
            arguments.iter().map(|n| n.as_constant().cloned()).collect();
        if let Some(constants) = constants {
            let constants = constants.into_iter().map(Expr::Number).collect();
            return self.evaluate(&Expr::Call(function, constants));
        }
        match function {
            Function::Min | Function::Max => {
                let worse = match function {
                    Function::Min => Ordering::Less,
                    _ => Ordering::Greater,
                };
                let mut best = arguments.swap_remove(0);
                for next in arguments {
                    let difference = next.plus(&-BigInt::one(), &best);
                    if self.interval.sign(&difference)? == worse {
                        best = next;
                    }
                }
                Ok(Some(best))
            }
            Function::Abs => {
                let only = arguments.swap_remove(0);
                let negative = !self.is_natural(&only)?;
                Ok(Some(if negative {
                    only.times(&-BigInt::one())
                } else {
                    only
                }))
            }
            Function::Gcd => {
                let constants = arguments.iter().filter_map(Affine::as_constant);
                let known = constants.fold(BigInt::zero(), |gcd, n| gcd.gcd(n));
                if known.is_zero() {
                    return Err(Stop::Outside);
                }
                let mut gcd = known.clone();
                for argument in &arguments {
                    gcd = gcd.gcd(&residue(argument, &known)?);
                }
                Ok(Some(Affine::constant(gcd)))
            }
            Function::Isqrt | Function::Omega | Function::Popcount => Err(Stop::Outside),
        }
    }

    /// Whether a condition holds, on the whole interval or nowhere on it.
    pub fn holds(&mut self, guard: &Guard) -> Result<bool, Stop> {
        self.meter.spend(1)?;
        if self.is_free_of(|f| guard.for_each_variable(f)) {
            return Ok(self.env.holds(guard, self.meter)?);
        }
        Ok(match guard {
            Guard::All(guards) => {
                for guard in guards {
                    if !self.holds(guard)? {
                        return Ok(false);
                    }
                }
                true
            }
            Guard::Any(guards) => {
                for guard in guards {
                    if self.holds(guard)? {
                        return Ok(true);
                    }
                }
                false
            }
            Guard::Not(guard) => !self.holds(guard)?,
            Guard::Compare(comparison, left, right) => {
                match (self.number(left)?, self.number(right)?) {
                    (Some(left), Some(right)) => self.compare(*comparison, &left, &right)?,
                    _ => false,
                }
            }
            Guard::Divides(divisor, n) => match (self.number(divisor)?, self.number(n)?) {
                (Some(divisor), Some(n)) => {
                    let divisor = divisor.as_constant().ok_or(Stop::Outside)?;
                    divisor.is_positive() && residue(&n, divisor)?.is_zero()
                }
                _ => false,
            },
            Guard::Member { negated, item, set } => match self.number(item)? {
                Some(item) => self
                    .contains(set, &item)?
                    .is_some_and(|inside| inside != *negated),
                None => false,
            },
            Guard::Related { .. } | Guard::Quantified { .. } | Guard::Option { .. } => {
                return Err(Stop::Outside);
            }
        })
    }

    fn compare(&self, comparison: Comparison, left: &Affine, right: &Affine) -> Result<bool, Stop> {
        let sign = self.interval.sign(&left.plus(&-BigInt::one(), right))?;
        Ok(match comparison {
            Comparison::Less => sign.is_lt(),
            Comparison::LessEqual => sign.is_le(),
            Comparison::Equal => sign.is_eq(),
            Comparison::NotEqual => sign.is_ne(),
            Comparison::GreaterEqual => sign.is_ge(),
            Comparison::Greater => sign.is_gt(),
        })
    }

    /// Whether a number is in a set; `None` where the set has no value.
    fn contains(&mut self, set: &Set, item: &Affine) -> Result<Option<bool>, Stop> {
        Ok(match set {
            Set::List(members) => {
                let mut numbers = Vec::with_capacity(members.len());
                for member in members {
                    match self.number(member)? {
                        Some(number) => numbers.push(number),
                        None => return Ok(None),
                    }
                }
                Some(self.is_one_of(item, &numbers)?)
            }
            Set::Range(from, to) => match (self.number(from)?, self.number(to)?) {
                (Some(from), Some(to)) => Some(
                    self.compare(Comparison::LessEqual, &from, item)?
                        && self.compare(Comparison::LessEqual, item, &to)?,
                ),
                _ => None,
            },
            Set::Named(variable) => match self.env.parameter(*variable) {
                Some(ParameterValue::Set(members) | ParameterValue::List(members)) => {
                    let members: Vec<Affine> =
                        members.iter().cloned().map(Affine::constant).collect();
                    Some(self.is_one_of(item, &members)?)
                }
                _ => return Err(Stop::Outside),
            },
            Set::AllBut(excluded) => match self.contains(excluded, item)? {
                Some(inside) => Some(self.interval.sign(item)?.is_gt() && !inside),
                None => None,
            },
            _ => {
                let Some(n) = item.as_constant() else {
                    return Err(Stop::Outside);
                };
                if !self.is_free_of(|f| set.for_each_variable(f)) {
                    return Err(Stop::Outside);
                }
                let member = |negated| Guard::Member {
                    negated,
                    item: Expr::Number(n.clone()),
                    set: set.clone(),
                };
                let inside = self.env.holds(&member(false), self.meter)?;
                let outside = self.env.holds(&member(true), self.meter)?;
                (inside || outside).then_some(inside)
            }
        })
    }

    fn is_one_of(&mut self, item: &Affine, members: &[Affine]) -> Result<bool, Stop> {
        for member in members {
            self.meter.spend(1)?;
            if self.compare(Comparison::Equal, item, member)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The longest shift and the longest mask that are dealt with.
const MOST_SHIFT: u32 = 64;

/// A quotient, rounded down; `None` if the divisor is 0.
fn quotient(dividend: &Affine, divisor: &BigInt) -> Result<Option<Affine>, Stop> {
    if divisor.is_zero() {
        return Ok(None);
    }
    divisible(&dividend.slope, divisor)?;
    Ok(Some(Affine {
        slope: &dividend.slope / divisor,
        constant: dividend.constant.div_floor(divisor),
    }))
}

/// What a number leaves modulo a positive constant.
fn residue(number: &Affine, modulus: &BigInt) -> Result<BigInt, Stop> {
    divisible(&number.slope, modulus)?;
    Ok(number.constant.mod_floor(modulus))
}

/// Whether the slope is a multiple of a number; else the period must be larger.
fn divisible(slope: &BigInt, of: &BigInt) -> Result<(), Stop> {
    let of = of.abs();
    if slope.is_multiple_of(&of) {
        Ok(())
    } else {
        Err(Stop::Enlarge(&of / of.gcd(slope)))
    }
}
