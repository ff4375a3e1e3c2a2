//! Linear arithmetic with congruences: the conditions that normal forms are read from.

use std::collections::BTreeSet;
use std::rc::Rc;

use num_integer::Integer;

/// `constant + sum of coefficients[i] * variable i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub constant: i64,
    pub coefficients: Vec<i64>,
}

/// Numbers beyond this are refused, so that sums of products of them stay far from overflow.
pub(crate) const LARGEST: i64 = 1 << 40;

impl Linear {
    pub fn constant(constant: i64, variables: usize) -> Self {
        Self {
            constant,
            coefficients: vec![0; variables],
        }
    }

    pub fn variable(index: usize, variables: usize) -> Self {
        let mut linear = Self::constant(0, variables);
        linear.coefficients[index] = 1;
        linear
    }

    /// The number, if no variable is left.
    pub fn as_constant(&self) -> Option<i64> {
        self.coefficients
            .iter()
            .all(|c| *c == 0)
            .then_some(self.constant)
    }

    /// `self + factor * other`; `None` where a number grows too large.
    pub fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let add = |left: i64, right: i64| {
            let sum = left.checked_add(right.checked_mul(factor)?)?;
            (sum.abs() <= LARGEST).then_some(sum)
        };
        Some(Self {
            constant: add(self.constant, other.constant)?,
            coefficients: self
                .coefficients
                .iter()
                .zip(&other.coefficients)
                .map(|(left, right)| add(*left, *right))
                .collect::<Option<_>>()?,
        })
    }

    pub fn times(&self, factor: i64) -> Option<Self> {
        Self::constant(0, self.coefficients.len()).plus(self, factor)
    }

    fn negated(&self) -> Self {
        Self {
            constant: -self.constant,
            coefficients: self.coefficients.iter().map(|c| -c).collect(),
        }
    }

    /// The value where variable `i` is `at[i]`; all of them small.
    fn at(&self, at: &[i64]) -> i64 {
        let products = self.coefficients.iter().zip(at).map(|(c, x)| c * x);
        self.constant + products.sum::<i64>()
    }

    /// Puts `values[i]` for variable `i`, over the variables that the values speak of.
    fn substitute(&self, values: &[Linear], variables: usize) -> Option<Self> {
        let start = Self::constant(self.constant, variables);
        let terms = self.coefficients.iter().zip(values);
        terms
            .filter(|(coefficient, _)| **coefficient != 0)
            .try_fold(start, |sum, (coefficient, value)| {
                sum.plus(value, *coefficient)
            })
    }
}

/// A condition on integers, with negations only at `Multiple` and `Member`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Constant(bool),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// The form is at least 0.
    AtLeast(Linear),
    /// Whether the form is divisible by the modulus, which is at least 2, is the given answer.
    Multiple(Linear, i64, bool),
    /// Whether the form is in the ascending list is the given answer.
    Member(Linear, Rc<[i64]>, bool),
}

impl Formula {
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Constant(true) => {}
                Self::Constant(false) => return Self::Constant(false),
                Self::All(inner) => kept.extend(inner),
                part if kept.contains(&part) => {}
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::Constant(true),
            1 => kept.pop().expect("it has one member"),
            _ => Self::All(kept),
        }
    }

    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Constant(false) => {}
                Self::Constant(true) => return Self::Constant(true),
                Self::Any(inner) => kept.extend(inner),
                part if kept.contains(&part) => {}
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::Constant(false),
            1 => kept.pop().expect("it has one member"),
            _ => Self::Any(kept),
        }
    }

    pub fn at_least(linear: Linear) -> Self {
        match linear.as_constant() {
            Some(value) => Self::Constant(value >= 0),
            None => Self::AtLeast(linear),
        }
    }

    pub fn multiple(linear: Linear, modulus: i64, answer: bool) -> Self {
        if modulus == 1 {
            return Self::Constant(answer);
        }
        match linear.as_constant() {
            Some(value) => Self::Constant((value.mod_floor(&modulus) == 0) == answer),
            None => Self::Multiple(linear, modulus, answer),
        }
    }

    pub fn member(linear: Linear, list: Rc<[i64]>, answer: bool) -> Self {
        match linear.as_constant() {
            Some(value) => Self::Constant(list.binary_search(&value).is_ok() == answer),
            None => Self::Member(linear, list, answer),
        }
    }

    pub fn equals_zero(linear: Linear) -> Self {
        Self::member(linear, Rc::from([0]), true)
    }

    pub fn negate(&self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::All(parts) => Self::any(parts.iter().map(Self::negate)),
            Self::Any(parts) => Self::all(parts.iter().map(Self::negate)),
            Self::AtLeast(linear) => {
                let mut below = linear.negated();
                below.constant -= 1;
                Self::AtLeast(below)
            }
            Self::Multiple(linear, modulus, answer) => {
                Self::Multiple(linear.clone(), *modulus, !answer)
            }
            Self::Member(linear, list, answer) => {
                Self::Member(linear.clone(), Rc::clone(list), !answer)
            }
        }
    }

    /// Whether it holds where variable `i` is `at[i]`.
    pub fn holds(&self, at: &[i64]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::All(parts) => parts.iter().all(|part| part.holds(at)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(at)),
            Self::AtLeast(linear) => linear.at(at) >= 0,
            Self::Multiple(linear, modulus, answer) => {
                (linear.at(at).mod_floor(modulus) == 0) == *answer
            }
            Self::Member(linear, list, answer) => {
                list.binary_search(&linear.at(at)).is_ok() == *answer
            }
        }
    }

    /// Puts `values[i]` for variable `i`; `None` where a number grows too large.
    pub fn substitute(&self, values: &[Linear], variables: usize) -> Option<Self> {
        Some(match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::All(parts) => {
                let parts: Option<Vec<_>> = parts
                    .iter()
                    .map(|part| part.substitute(values, variables))
                    .collect();
                Self::all(parts?)
            }
            Self::Any(parts) => {
                let parts: Option<Vec<_>> = parts
                    .iter()
                    .map(|part| part.substitute(values, variables))
                    .collect();
                Self::any(parts?)
            }
            Self::AtLeast(linear) => Self::at_least(linear.substitute(values, variables)?),
            Self::Multiple(linear, modulus, answer) => {
                Self::multiple(linear.substitute(values, variables)?, *modulus, *answer)
            }
            Self::Member(linear, list, answer) => Self::member(
                linear.substitute(values, variables)?,
                Rc::clone(list),
                *answer,
            ),
        })
    }

    /// The same without parts that no values satisfy, as far as signs show, where all variables
    /// but the first are naturals. What is removed may be negative: rules can let a heap grow.
    pub fn in_naturals(&self) -> Self {
        let never = |linear: &Linear| {
            let mut coefficients = linear.coefficients.iter();
            linear.constant < 0
                && coefficients.next().is_none_or(|removed| *removed == 0)
                && coefficients.all(|c| *c <= 0)
        };
        match self {
            Self::All(parts) => Self::all(parts.iter().map(Self::in_naturals)),
            Self::Any(parts) => Self::any(parts.iter().map(Self::in_naturals)),
            Self::AtLeast(linear) if never(linear) => Self::Constant(false),
            Self::Member(linear, list, true) => {
                // The form is larger than the last member, or smaller than the first.
                let mut above = linear.negated();
                above.constant += list.last().copied().unwrap_or(0);
                let mut below = linear.clone();
                below.constant -= list.first().copied().unwrap_or(0);
                if list.is_empty() || never(&above) || never(&below) {
                    Self::Constant(false)
                } else {
                    self.clone()
                }
            }
            _ => self.clone(),
        }
    }

    /// The same without comparisons that hold for all positive variables, or for none, as signs show.
    pub fn in_positives(&self) -> Self {
        match self {
            Self::All(parts) => Self::all(parts.iter().map(Self::in_positives)),
            Self::Any(parts) => Self::any(parts.iter().map(Self::in_positives)),
            Self::AtLeast(linear) => {
                let at_ones = linear.constant + linear.coefficients.iter().sum::<i64>();
                if at_ones >= 0 && linear.coefficients.iter().all(|c| *c >= 0) {
                    Self::Constant(true)
                } else if at_ones < 0 && linear.coefficients.iter().all(|c| *c <= 0) {
                    Self::Constant(false)
                } else {
                    self.clone()
                }
            }
            _ => self.clone(),
        }
    }

    /// Calls `visit` with every condition that is not built from others.
    pub fn visit_atoms(&self, visit: &mut dyn FnMut(&Formula)) {
        match self {
            Self::Constant(_) => {}
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.visit_atoms(visit));
            }
            atom => visit(atom),
        }
    }

    /// Numbers among which variable `index` is, if the condition lists them.
    ///
    /// `None` says that no list was found.
    pub fn listed(&self, index: usize) -> Option<BTreeSet<i64>> {
        match self {
            Self::Constant(false) => Some(BTreeSet::new()),
            Self::All(parts) => parts
                .iter()
                .filter_map(|part| part.listed(index))
                .min_by_key(BTreeSet::len),
            Self::Any(parts) => {
                let lists: Option<Vec<_>> = parts.iter().map(|part| part.listed(index)).collect();
                Some(lists?.into_iter().flatten().collect())
            }
            Self::Member(linear, list, true) => {
                let slope = linear.coefficients[index];
                let mut others = linear.coefficients.iter().enumerate();
                let alone = slope.abs() == 1 && others.all(|(i, c)| i == index || *c == 0);
                let at = |member: &i64| (member - linear.constant) * slope;
                alone.then(|| list.iter().map(at).collect())
            }
            Self::Constant(true) | Self::AtLeast(_) | Self::Multiple(..) | Self::Member(..) => None,
        }
    }

    /// A number that `direction` times variable `index` cannot exceed, if all variables are naturals.
    ///
    /// `None` says that none was found.
    pub fn bound(&self, index: usize, direction: i64) -> Option<i64> {
        match self {
            // Nothing satisfies it: any number will do.
            Self::Constant(false) => Some(-LARGEST),
            Self::All(parts) => parts
                .iter()
                .filter_map(|part| part.bound(index, direction))
                .min(),
            Self::Any(parts) => parts
                .iter()
                .map(|part| part.bound(index, direction))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            Self::AtLeast(linear) => bound_of(linear, index, direction, 0),
            Self::Member(linear, list, true) => {
                // The form lies between the ends of the list.
                let (first, last) = (list.first()?, list.last()?);
                let above = bound_of(linear, index, direction, *first);
                let below = bound_of(&linear.negated(), index, direction, -*last);
                [above, below].into_iter().flatten().min()
            }
            Self::Constant(true) | Self::Multiple(..) | Self::Member(..) => None,
        }
    }
}

/// The bound on `direction * x`, for the variable `x` with this index, that `linear >= least`
/// implies if all variables are naturals.
fn bound_of(linear: &Linear, index: usize, direction: i64, least: i64) -> Option<i64> {
    // slope * direction * x <= constant - least + (terms that are at most 0).
    let slope = -linear.coefficients[index] * direction;
    let mut others = linear.coefficients.iter().enumerate();
    let bounded = slope > 0 && others.all(|(i, c)| i == index || *c <= 0);
    bounded.then(|| (linear.constant - least).div_euclid(slope))
}
