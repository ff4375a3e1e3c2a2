//! Linear conditions on whole numbers, as formulas that are evaluated point by point.

use std::rc::Rc;

use num_integer::Integer;

/// Every coefficient and constant lies below this in absolute value. Points lie below 2^40 and
/// have few coordinates, so evaluation cannot overflow 128 bits.
const MOST: i128 = 1 << 62;

/// A number is too large for the arithmetic here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// `coefficients[0] * v0 + coefficients[1] * v1 + … + constant`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// One for each variable of the space.
    pub coefficients: Vec<i128>,
    /// What is added.
    pub constant: i128,
}

fn bounded(n: Option<i128>) -> Result<i128, TooLarge> {
    n.filter(|n| n.abs() < MOST).ok_or(TooLarge)
}

impl Linear {
    /// A constant in a space of so many variables.
    pub fn constant(constant: i128, variables: usize) -> Result<Self, TooLarge> {
        Ok(Self {
            coefficients: vec![0; variables],
            constant: bounded(Some(constant))?,
        })
    }

    /// One variable.
    pub fn variable(variable: usize, variables: usize) -> Self {
        let mut coefficients = vec![0; variables];
        coefficients[variable] = 1;
        Self {
            coefficients,
            constant: 0,
        }
    }

    /// Its value if no variable has a part in it.
    pub fn as_constant(&self) -> Option<i128> {
        self.coefficients
            .iter()
            .all(|c| *c == 0)
            .then_some(self.constant)
    }

    /// `factor * self + other_factor * other`
    pub fn combine(
        &self,
        factor: i128,
        other: &Self,
        other_factor: i128,
    ) -> Result<Self, TooLarge> {
        let sum = |a: i128, b: i128| {
            bounded(
                a.checked_mul(factor)
                    .zip(b.checked_mul(other_factor))
                    .and_then(|(a, b)| a.checked_add(b)),
            )
        };
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        Ok(Self {
            coefficients: pairs.map(|(a, b)| sum(*a, *b)).collect::<Result<_, _>>()?,
            constant: sum(self.constant, other.constant)?,
        })
    }

    /// `factor * self + constant`
    pub fn scaled(&self, factor: i128, constant: i128) -> Result<Self, TooLarge> {
        let mut scaled = self.combine(factor, self, 0)?;
        scaled.constant = bounded(scaled.constant.checked_add(constant))?;
        Ok(scaled)
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn content(&self) -> i128 {
        self.coefficients.iter().fold(0, |gcd, c| gcd.gcd(c))
    }

    /// The value at a point.
    pub fn at(&self, point: &[i128]) -> i128 {
        let terms = self.coefficients.iter().zip(point).map(|(c, v)| c * v);
        terms.sum::<i128>() + self.constant
    }
}

/// A condition on the variables of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Always, or never.
    Constant(bool),
    /// All of these.
    All(Vec<Formula>),
    /// One of these at least.
    Any(Vec<Formula>),
    /// Not this.
    Not(Box<Formula>),
    /// The value is 0 or less.
    AtMostZero(Linear),
    /// The value is a multiple of this positive number.
    Multiple(i128, Linear),
    /// The value is one of these, which ascend.
    Member(Linear, Rc<[i128]>),
    /// This positive number times the square of the first is at most the second.
    SquareAtMost(i128, Linear, Linear),
}

impl Formula {
    /// All of these, without what goes without saying.
    pub fn all(formulas: impl IntoIterator<Item = Formula>) -> Self {
        let mut members = Vec::new();
        for formula in formulas {
            match formula {
                Formula::Constant(true) => {}
                Formula::Constant(false) => return formula,
                Formula::All(inner) => members.extend(inner),
                formula => members.push(formula),
            }
        }
        match members.len() {
            0 => Formula::Constant(true),
            1 => members.remove(0),
            _ => Formula::All(members),
        }
    }

    /// One of these at least.
    pub fn any(formulas: impl IntoIterator<Item = Formula>) -> Self {
        let mut members = Vec::new();
        for formula in formulas {
            match formula {
                Formula::Constant(false) => {}
                Formula::Constant(true) => return formula,
                Formula::Any(inner) => members.extend(inner),
                formula => members.push(formula),
            }
        }
        match members.len() {
            0 => Formula::Constant(false),
            1 => members.remove(0),
            _ => Formula::Any(members),
        }
    }

    /// Not this.
    pub fn negate(formula: Formula) -> Self {
        match formula {
            Formula::Constant(truth) => Formula::Constant(!truth),
            Formula::Not(inner) => *inner,
            formula => Formula::Not(Box::new(formula)),
        }
    }

    /// `linear <= 0`
    pub fn at_most_zero(linear: Linear) -> Self {
        match linear.as_constant() {
            Some(constant) => Formula::Constant(constant <= 0),
            None => Formula::AtMostZero(linear),
        }
    }

    /// `linear = 0`
    pub fn zero(linear: Linear) -> Self {
        Self::member(linear, &[0])
    }

    /// `linear` is a multiple of `modulus`, which is positive.
    pub fn multiple(modulus: i128, linear: Linear) -> Self {
        if let Some(constant) = linear.as_constant() {
            return Formula::Constant(constant.mod_floor(&modulus) == 0);
        }
        if linear.coefficients.iter().all(|c| c % modulus == 0) {
            return Formula::Constant(linear.constant.mod_floor(&modulus) == 0);
        }
        Formula::Multiple(modulus, linear)
    }

    /// `linear` is one of these, which ascend.
    pub fn member(linear: Linear, set: &[i128]) -> Self {
        match linear.as_constant() {
            Some(constant) => Formula::Constant(set.binary_search(&constant).is_ok()),
            None if set.is_empty() => Formula::Constant(false),
            None => Formula::Member(linear, set.into()),
        }
    }

    /// `factor * root * root <= linear`, where `factor` is positive.
    pub fn square_at_most(factor: i128, root: Linear, linear: Linear) -> Self {
        match (root.as_constant(), linear.as_constant()) {
            (Some(root), Some(linear)) => {
                Formula::Constant(square_is_at_most(factor, root, linear))
            }
            _ => Formula::SquareAtMost(factor, root, linear),
        }
    }

    /// Whether it holds at a point. A `steps` counter grows by the atoms looked at.
    pub fn holds(&self, point: &[i128], steps: &mut u64) -> bool {
        *steps += 1;
        match self {
            Formula::Constant(truth) => *truth,
            Formula::All(members) => members.iter().all(|member| member.holds(point, steps)),
            Formula::Any(members) => members.iter().any(|member| member.holds(point, steps)),
            Formula::Not(inner) => !inner.holds(point, steps),
            Formula::AtMostZero(linear) => linear.at(point) <= 0,
            Formula::Multiple(modulus, linear) => linear.at(point).mod_floor(modulus) == 0,
            Formula::Member(linear, set) => set.binary_search(&linear.at(point)).is_ok(),
            Formula::SquareAtMost(_, root, linear) => {
                let root = root.at(point);
                root.checked_mul(root)
                    .is_some_and(|s| s <= linear.at(point))
            }
        }
    }

    /// Its truth if variable 0 alone decides it, by the rules for unknown truth (Kleene 1938).
    pub fn decided(&self, first: i128, steps: &mut u64) -> Option<bool> {
        *steps += 1;
        let value = |linear: &Linear| {
            let (factor, others) = linear.coefficients.split_first()?;
            let known = others.iter().all(|c| *c == 0);
            known.then(|| factor * first + linear.constant)
        };
        match self {
            Formula::Constant(truth) => Some(*truth),
            Formula::All(members) => {
                let mut all = Some(true);
                for member in members {
                    match member.decided(first, steps) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = None,
                    }
                }
                all
            }
            Formula::Any(members) => {
                let mut any = Some(false);
                for member in members {
                    match member.decided(first, steps) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => any = None,
                    }
                }
                any
            }
            Formula::Not(inner) => inner.decided(first, steps).map(|truth| !truth),
            Formula::AtMostZero(linear) => value(linear).map(|n| n <= 0),
            Formula::Multiple(modulus, linear) => value(linear).map(|n| n.mod_floor(modulus) == 0),
            Formula::Member(linear, set) => value(linear).map(|n| set.binary_search(&n).is_ok()),
            Formula::SquareAtMost(..) => None,
        }
    }

    /// How many atoms and compounds it is made of.
    pub fn size(&self) -> usize {
        match self {
            Formula::All(members) | Formula::Any(members) => {
                1 + members.iter().map(Formula::size).sum::<usize>()
            }
            Formula::Not(inner) => 1 + inner.size(),
            _ => 1,
        }
    }

    /// The same condition with each of its atoms replaced.
    ///
    /// `replace` is given atoms only: neither constants nor compounds.
    pub fn map<E>(
        &self,
        replace: &mut dyn FnMut(&Formula) -> Result<Formula, E>,
    ) -> Result<Formula, E> {
        Ok(match self {
            Formula::Constant(truth) => Formula::Constant(*truth),
            Formula::All(members) => {
                let mut mapped = Vec::with_capacity(members.len());
                for member in members {
                    let member = member.map(replace)?;
                    if member == Formula::Constant(false) {
                        return Ok(member);
                    }
                    mapped.push(member);
                }
                Formula::all(mapped)
            }
            Formula::Any(members) => {
                let mut mapped = Vec::with_capacity(members.len());
                for member in members {
                    let member = member.map(replace)?;
                    if member == Formula::Constant(true) {
                        return Ok(member);
                    }
                    mapped.push(member);
                }
                Formula::any(mapped)
            }
            Formula::Not(inner) => Formula::negate(inner.map(replace)?),
            atom => replace(atom)?,
        })
    }

    /// Calls `visit` for every atom, with its linear form.
    pub fn for_each_atom(&self, visit: &mut dyn FnMut(&Formula, &Linear)) {
        match self {
            Formula::Constant(_) => {}
            Formula::All(members) | Formula::Any(members) => {
                members
                    .iter()
                    .for_each(|member| member.for_each_atom(visit));
            }
            Formula::Not(inner) => inner.for_each_atom(visit),
            Formula::AtMostZero(linear)
            | Formula::Multiple(_, linear)
            | Formula::Member(linear, _) => visit(self, linear),
            Formula::SquareAtMost(_, root, linear) => {
                visit(self, root);
                visit(self, linear);
            }
        }
    }

    /// The same condition with `over * variable` replaced by `by`, a form without it; `over` is
    /// positive, and the condition counts only where it divides `by`.
    pub fn substitute(&self, variable: usize, by: &Linear, over: i128) -> Result<Self, TooLarge> {
        let put = |linear: &Linear| -> Result<Linear, TooLarge> {
            let factor = linear.coefficients[variable];
            let mut rest = linear.clone();
            rest.coefficients[variable] = 0;
            rest.combine(over, by, factor)
        };
        let absent = |linear: &Linear| linear.coefficients[variable] == 0;
        self.map(&mut |atom| {
            Ok(match atom {
                Formula::AtMostZero(linear) if !absent(linear) => {
                    Formula::at_most_zero(put(linear)?)
                }
                Formula::Multiple(modulus, linear) if !absent(linear) => {
                    Formula::multiple(bounded(modulus.checked_mul(over))?, put(linear)?)
                }
                Formula::Member(linear, set) if !absent(linear) => {
                    if over == 1 {
                        match put(linear)? {
                            put if put.as_constant().is_some() => Formula::member(put, set),
                            put => Formula::Member(put, Rc::clone(set)),
                        }
                    } else {
                        let set: Vec<i128> = set
                            .iter()
                            .map(|n| bounded(n.checked_mul(over)))
                            .collect::<Result<_, _>>()?;
                        Formula::member(put(linear)?, &set)
                    }
                }
                Formula::SquareAtMost(factor, root, linear) if !absent(root) || !absent(linear) => {
                    if over != 1 {
                        return Err(TooLarge);
                    }
                    Formula::square_at_most(*factor, put(root)?, put(linear)?)
                }
                other => other.clone(),
            })
        })
    }
}

/// Whether `factor * root * root <= limit`; a product beyond 128 bits is above any limit.
fn square_is_at_most(factor: i128, root: i128, limit: i128) -> bool {
    let square = root.checked_mul(root).and_then(|s| s.checked_mul(factor));
    square.is_some_and(|square| square <= limit)
}
