//! A small program as data: what all languages can say.
//!
//! Integers have 64 bits, or 128 where that is said. Lists are counted from 0. A function changes
//! nothing but the lists and maps that it is given to change.

use num_bigint::BigInt;

/// A program that reads an input and prints an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// What it does, and on what it stands: lines of a comment.
    pub about: Vec<String>,
    /// Letters of the input that count as white space.
    pub separators: String,
    /// Kinds of values with named parts.
    pub records: Vec<Record>,
    /// Functions, each behind those that it calls.
    pub functions: Vec<Function>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A kind of values with named parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is called.
    pub name: String,
    /// The names and kinds of its parts.
    pub parts: Vec<(String, Type)>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// What it is called, in words joined by `_`.
    pub name: String,
    /// What it answers.
    pub about: Vec<String>,
    /// On what the program stands that calls it, if the function itself says that.
    pub stands: Option<String>,
    /// What it is given.
    pub parameters: Vec<Parameter>,
    /// What it gives, if anything.
    pub gives: Option<Type>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// What a function is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub of: Type,
    /// Whether the function changes it.
    pub changed: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer of 64 bits.
    Number,
    /// An integer of 128 bits.
    Wide,
    /// Whether something holds.
    Truth,
    /// A text that stands in the program.
    Text,
    /// A text that was read or put together.
    Word,
    /// A natural number of any size, as its digits in the decimal system.
    Long,
    /// One letter.
    Letter,
    /// Several of one kind.
    List(Box<Type>),
    /// So many values together.
    Tuple(Vec<Type>),
    /// Values by their keys.
    Map(Box<Type>, Box<Type>),
    /// Values with names, by the name of the record.
    Record(String),
}

impl Type {
    /// Several of this kind.
    pub fn list(of: Type) -> Self {
        Self::List(Box::new(of))
    }

    /// What the entries of a list are.
    pub fn entry(&self) -> Option<&Type> {
        match self {
            Self::List(of) => Some(of),
            _ => None,
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Lines of a comment.
    Comment(Vec<String>),
    /// Names a value.
    Let(String, Expr),
    /// Reads a value and names it.
    Read(String, Reading),
    /// Reads and forgets a token.
    Skip,
    /// Changes a value, or an entry of a list.
    Set(Expr, Expr),
    /// Adds an entry behind a list.
    Append(Expr, Expr),
    /// Takes the last entry from a list.
    Drop(Expr),
    /// Puts a value into a map.
    Put(Expr, Expr, Expr),
    /// Does the first block whose condition holds, or else the last one.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// Goes on while a condition holds.
    While(Expr, Vec<Statement>),
    /// One round for each number from the first to the last; without a name the number does not matter.
    Count(Option<String>, Expr, Expr, Vec<Statement>),
    /// One round for each entry of a list, whose parts have these names.
    Each(Vec<String>, Expr, Vec<Statement>),
    /// Rounds while anything is left of the input.
    UntilEnd(Vec<Statement>),
    /// Rounds until a `Break`.
    Forever(Vec<Statement>),
    /// Leaves the innermost rounds.
    Break,
    /// The value of the function.
    Return(Expr),
    /// Prints values, which may be lists of values.
    Print(Print),
}

/// Values that are printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Print {
    /// The values.
    pub values: Vec<Expr>,
    /// Whether spaces stand between them.
    pub spaced: bool,
    /// Whether the line ends behind them.
    pub ends_line: bool,
}

/// What is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// An integer.
    Number,
    /// A word.
    Word,
    /// A natural number of any size.
    Long,
    /// So many.
    List(Expr, Box<Reading>),
    /// All that is left.
    Rest(Box<Reading>),
    /// Several in a row.
    Tuple(Vec<Reading>),
    /// A part of a tuple that says how long a later one is, with its name.
    Named(String, Box<Reading>),
}

impl Reading {
    /// What is read.
    pub fn of(&self) -> Type {
        match self {
            Self::Number => Type::Number,
            Self::Word => Type::Word,
            Self::Long => Type::Long,
            Self::List(_, of) | Self::Rest(of) => Type::list(of.of()),
            Self::Tuple(parts) => Type::Tuple(parts.iter().map(Self::of).collect()),
            Self::Named(_, part) => part.of(),
        }
    }
}

/// A value and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// How it is had.
    pub term: Term,
    /// What it is.
    pub of: Type,
}

/// How a value is had.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// An integer.
    Number(BigInt),
    /// A text, or one letter.
    Text(String),
    /// `true` or `false`.
    Truth(bool),
    /// What has this name.
    Name(String),
    /// The negation of a condition.
    Not(Box<Expr>),
    /// The negative of a number.
    Minus(Box<Expr>),
    /// Two numbers joined.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Two values compared.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Both conditions hold.
    And(Box<Expr>, Box<Expr>),
    /// One of the conditions holds.
    Or(Box<Expr>, Box<Expr>),
    /// The first value if the condition holds, or else the second.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// So many values together.
    Tuple(Vec<Expr>),
    /// Entries one after the other.
    List(Vec<Expr>),
    /// A record by its parts.
    Record(Vec<(String, Expr)>),
    /// A list of so many equal entries.
    Filled(Box<Expr>, Box<Expr>),
    /// An empty map.
    EmptyMap,
    /// A list of what an expression is in each round.
    Comprehension(Box<Expr>, Vec<Generator>),
    /// What a value with a name becomes, which is another one behind each round.
    Fold(Box<Expr>, String, Box<Generator>, Box<Expr>),
    /// The first or last number of a range for which a condition holds, -1 without one, or how many do.
    Search(Search, String, Box<Expr>, Box<Expr>, Box<Expr>),
    /// An entry of a list.
    Index(Box<Expr>, Box<Expr>),
    /// A part of a tuple.
    Part(Box<Expr>, usize),
    /// A part of a record.
    Field(Box<Expr>, String),
    /// What a function of the program gives.
    Call(String, Vec<Argument>),
    /// What every language knows.
    Known(Known, Vec<Expr>),
    /// A list by a key, smaller ones first, equal ones in their order.
    SortedBy(Box<Expr>, String, Box<Expr>),
}

/// What is given to a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The value.
    pub value: Expr,
    /// Whether the function changes it.
    pub changed: bool,
}

/// What is looked for in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// How many.
    Count,
}

/// A round of a list that is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// What the entry, or its parts, are called.
    pub names: Vec<String>,
    /// Where it is from.
    pub over: Over,
    /// Which entries count.
    pub condition: Option<Expr>,
}

/// What a round goes over.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// The numbers from the first to the last.
    Range(Expr, Expr),
    /// The entries of a list.
    List(Expr),
}

/// What joins two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `a + b`.
    Plus,
    /// `a - b`.
    Minus,
    /// `a * b`.
    Times,
    /// `a / b`, neither negative.
    Over,
    /// The remainder, neither negative.
    Modulo,
    /// Both in binary.
    BitAnd,
    /// Either in binary.
    BitOr,
    /// One of both in binary.
    BitXor,
    /// So many binary places up.
    ShiftLeft,
    /// So many binary places down.
    ShiftRight,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
}

/// What every language knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// How long a list or text is.
    Length,
    /// The smaller of two numbers.
    Min,
    /// The larger of two numbers.
    Max,
    /// Without its sign.
    Abs,
    /// How many ones a number has in binary.
    Popcount,
    /// A number of 128 bits.
    Wide,
    /// A number of 64 bits.
    Narrow,
    /// A number as a text.
    Text,
    /// A text behind another one.
    JoinTexts,
    /// A list behind another one.
    JoinLists,
    /// The letters of a text.
    Letters,
    /// The number that a letter stands for in the decimal system.
    Digit,
    /// Whether a text stands in another one.
    Contains,
    /// A list in order.
    Sorted,
    /// Whether a map has a key.
    Has,
    /// What a map has for a key.
    Get,
}

impl Expr {
    /// A number.
    pub fn number(n: impl Into<BigInt>) -> Self {
        Self {
            term: Term::Number(n.into()),
            of: Type::Number,
        }
    }

    /// What has a name.
    pub fn name(name: impl Into<String>, of: Type) -> Self {
        Self {
            term: Term::Name(name.into()),
            of,
        }
    }

    /// A condition.
    pub fn truth(term: Term) -> Self {
        Self {
            term,
            of: Type::Truth,
        }
    }

    /// The number that it is, if that stands there.
    pub fn as_number(&self) -> Option<&BigInt> {
        match &self.term {
            Term::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Two numbers joined, and made simpler where both or one of them stand there.
    pub fn binary(operator: Operator, a: Self, b: Self) -> Self {
        let wide = a.of == Type::Wide || b.of == Type::Wide;
        let of = if wide { Type::Wide } else { Type::Number };
        if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
            let folded = match operator {
                Operator::Plus => Some(x + y),
                Operator::Minus => Some(x - y),
                Operator::Times => Some(x * y),
                _ => None,
            };
            if let Some(n) = folded {
                return Self {
                    term: Term::Number(n),
                    of,
                };
            }
        }
        let zero = BigInt::from(0);
        match (operator, b.as_number()) {
            (Operator::Plus | Operator::Minus, Some(n)) if *n == zero => return a,
            (Operator::Plus, Some(n)) if *n < zero => {
                return Self::binary(
                    Operator::Minus,
                    a,
                    Self {
                        term: Term::Number(-n),
                        of: b.of,
                    },
                );
            }
            (Operator::Plus | Operator::Minus, Some(n)) => {
                // (a + 1) - 1 is a.
                if let Term::Binary(inner @ (Operator::Plus | Operator::Minus), left, right) =
                    &a.term
                    && let Some(m) = right.as_number()
                {
                    let signed = |operator, n: &BigInt| match operator {
                        Operator::Minus => -n,
                        _ => n.clone(),
                    };
                    let sum = signed(*inner, m) + signed(operator, n);
                    let number = Self {
                        term: Term::Number(sum),
                        of: of.clone(),
                    };
                    return Self::binary(Operator::Plus, (**left).clone(), number);
                }
            }
            _ => {}
        }
        if operator == Operator::Plus && a.as_number() == Some(&zero) {
            return b;
        }
        Self {
            term: Term::Binary(operator, Box::new(a), Box::new(b)),
            of,
        }
    }

    /// Two values compared.
    pub fn compare(comparison: Comparison, a: Self, b: Self) -> Self {
        Self::truth(Term::Compare(comparison, Box::new(a), Box::new(b)))
    }

    /// The negation of a condition; that of a comparison is one.
    pub fn negated(self) -> Self {
        let term = match self.term {
            Term::Not(inner) => return *inner,
            Term::Truth(truth) => Term::Truth(!truth),
            Term::Compare(comparison, a, b) => {
                let other = match comparison {
                    Comparison::Equal => Comparison::Unequal,
                    Comparison::Unequal => Comparison::Equal,
                    Comparison::Less => Comparison::AtLeast,
                    Comparison::AtMost => Comparison::Greater,
                    Comparison::Greater => Comparison::AtMost,
                    Comparison::AtLeast => Comparison::Less,
                };
                Term::Compare(other, a, b)
            }
            term => Term::Not(Box::new(Self::truth(term))),
        };
        Self::truth(term)
    }

    /// What every language knows of these values.
    pub fn known(known: Known, values: Vec<Self>, of: Type) -> Self {
        Self {
            term: Term::Known(known, values),
            of,
        }
    }
}
