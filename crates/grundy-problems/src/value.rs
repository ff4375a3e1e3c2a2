//! What an expression of a problem file stands for.

use std::cmp::Ordering;
use std::rc::Rc;

use grundy::solve::Part;
use grundy_rules::moves::Move;
use num_bigint::BigUint;

use crate::number::Number;

/// A value. Copies share what is large.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Number(Number),
    /// A text.
    Text(Rc<str>),
    /// Whether something holds.
    Truth(bool),
    /// No answer.
    None,
    /// The greatest of numbers without end.
    Endless,
    /// `(x, y)`.
    Tuple(Rc<Vec<Value>>),
    /// A list that is written down.
    List(Rc<Vec<Value>>),
    /// The integers from the first to the last, or without end.
    Range(Rc<Range>),
    /// A sum of components.
    Sum(Rc<Sum>),
    /// A move of a sum.
    Move(Rc<MoveOf>),
    /// Moves of a sum, not written down.
    Moves(Rc<Moves>),
}

/// The integers from `from` to `to`, or from there on.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first.
    pub from: Number,
    /// The last; `None` if there is none.
    pub to: Option<Number>,
}

/// A sum of components of some games.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The games that were said, each once, also those of which there is no component.
    pub games: Vec<usize>,
    /// The components.
    pub parts: Vec<Part>,
}

/// A move and the sum that it is one of.
#[derive(Clone, Debug)]
pub struct MoveOf {
    /// The sum before it.
    pub sum: Rc<Sum>,
    /// The move.
    pub next: Move,
}

/// Moves of a sum.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The sum.
    pub sum: Rc<Sum>,
    /// Which moves of it.
    pub which: Which,
}

/// Which moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All.
    All,
    /// Those that win.
    Winning,
}

/// The kinds of values, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Number,
    /// A natural number.
    Natural,
    /// A text.
    Text,
    /// Whether something holds.
    Truth,
    /// No answer.
    None,
    /// The greatest of numbers without end.
    Endless,
    /// `(x, y)`.
    Tuple,
    /// A list.
    List,
    /// A sum of components.
    Sum,
    /// A move.
    Move,
    /// A game.
    Game,
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A list that is written down.
    pub fn list(values: Vec<Value>) -> Self {
        Self::List(Rc::new(values))
    }

    /// A number.
    pub fn number(number: impl Into<Number>) -> Self {
        Self::Number(number.into())
    }

    /// What kind it is of.
    pub fn kind(&self) -> Type {
        match self {
            Self::Number(_) => Type::Number,
            Self::Text(_) => Type::Text,
            Self::Truth(_) => Type::Truth,
            Self::None => Type::None,
            Self::Endless => Type::Endless,
            Self::Tuple(_) => Type::Tuple,
            Self::List(_) | Self::Range(_) | Self::Moves(_) => Type::List,
            Self::Sum(_) => Type::Sum,
            Self::Move(_) => Type::Move,
        }
    }

    /// Which of two comes first; `None` where they have no order: they are of different kinds, or
    /// of one that has none.
    ///
    /// Tuples and lists are ordered by their first entries that differ.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Truth(a), Self::Truth(b)) => Some(a.cmp(b)),
            (Self::None, Self::None) | (Self::Endless, Self::Endless) => Some(Ordering::Equal),
            _ => {
                let (a, b) = (self.entries()?, other.entries()?);
                let mut rest = b.clone();
                for entry in a {
                    match rest.next() {
                        None => return Some(Ordering::Greater),
                        Some(other) => match entry.compare(&other)? {
                            Ordering::Equal => {}
                            unequal => return Some(unequal),
                        },
                    }
                }
                Some(match rest.next() {
                    None => Ordering::Equal,
                    Some(_) => Ordering::Less,
                })
            }
        }
    }

    /// Whether two are the same; values of different kinds never are.
    pub fn equals(&self, other: &Self) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// The entries of a tuple, a list, or a range that ends.
    pub fn entries(&self) -> Option<Entries<'_>> {
        match self {
            Self::Tuple(values) | Self::List(values) => Some(Entries::Listed(values.iter())),
            Self::Range(range) => Some(Entries::Range {
                next: range.from.clone(),
                to: range.to.clone()?,
            }),
            _ => None,
        }
    }
}

/// The entries of a list, one after the other.
#[derive(Clone, Debug)]
pub enum Entries<'v> {
    /// Those written down.
    Listed(std::slice::Iter<'v, Value>),
    /// Integers in a row.
    Range {
        /// The next.
        next: Number,
        /// The last.
        to: Number,
    },
}

impl Iterator for Entries<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Self::Listed(values) => values.next().cloned(),
            Self::Range { next, to } => (*next <= *to).then(|| {
                let after = next.plus(&Number::ONE);
                Value::Number(std::mem::replace(next, after))
            }),
        }
    }
}

impl Range {
    /// How many integers there are; `None` without end.
    pub fn length(&self) -> Option<Number> {
        let length = self.to.as_ref()?.minus(&self.from).plus(&Number::ONE);
        Some(length.max(Number::ZERO))
    }

    /// Whether a number is one of them.
    pub fn contains(&self, n: &Number) -> bool {
        self.from <= *n && self.to.as_ref().is_none_or(|to| n <= to)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<BigUint> for Value {
    fn from(number: BigUint) -> Self {
        Self::Number(number.into())
    }
}

impl From<Option<Value>> for Value {
    fn from(value: Option<Value>) -> Self {
        value.unwrap_or(Self::None)
    }
}
