//! Why a problem was not carried out to its end.

use grundy::oracle::NoValues;
use grundy::outcome::Undecided;
use grundy::solve::SumFault;
use grundy_rules::given::GivenFault;
use grundy_rules::{Diagnostic, Limit};

use crate::input::InputFault;
use crate::number::{NoNumber, Number};
use crate::problem::Span;
use crate::value::Type;

/// Why there is no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub reason: Reason,
    /// The place in the problem file.
    pub span: Option<Span>,
}

/// The three kinds of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The input is not as the problem says.
    Input(Box<InputFault>),
    /// The problem file asks for something without meaning.
    Mistake(Box<Mistake>),
    /// A limit was reached. It says nothing about the problem.
    Undecided(Box<Open>),
}

/// A question that is left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// About a position.
    Position(Undecided),
    /// So many moves that they are not written down.
    ManyMoves,
    /// A number was looked for in a range that has no end.
    Endless,
    /// No small input with the conditions of the problem was found.
    NoInput,
}

/// What has no meaning in a problem file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// No value has this name.
    UnknownName(String),
    /// No game has this name.
    UnknownGame(String),
    /// No function has this name and takes so many values.
    UnknownFunction(String),
    /// A move has no such field.
    UnknownField(String),
    /// A value of another kind belongs here.
    Type {
        /// The kinds that may stand here.
        wanted: &'static [Type],
        /// The kind that does.
        found: Type,
    },
    /// Values that have no order.
    Incomparable(Type, Type),
    /// A tuple of another length was to be taken apart.
    Length {
        /// How many names there are.
        wanted: usize,
        /// How many entries.
        found: usize,
    },
    /// An entry behind the end of a list.
    Index {
        /// Which.
        index: Number,
        /// How many there are.
        length: usize,
    },
    /// An arithmetic operation without a value.
    Number(NoNumber),
    /// The least or greatest of nothing.
    Empty {
        /// The function.
        function: &'static str,
    },
    /// A list without end where one is written down.
    EndlessList,
    /// A text that is no number.
    NotANumber(String),
    /// A negative number of rounds or entries, or one too large to count.
    Count(Number),
    /// The rules of a game are wrong. The places are in the text of the rules.
    Rules(Vec<Diagnostic>),
    /// A game has no such parameter, or not with such a value.
    Parameter(Box<Diagnostic>),
    /// A position is none of the game.
    Position {
        /// The game.
        game: String,
        /// Why.
        fault: GivenFault,
    },
    /// The game has no letters, or not this one.
    Letter(char),
    /// These games cannot stand in one sum.
    Sum(SumFault),
    /// Values have no meaning in this game.
    NoValues(NoValues),
    /// `stop` outside `repeat`.
    Stop,
    /// An input is drawn before games can be asked.
    Game,
}

impl Failure {
    /// The same at a place, if it has none yet.
    #[must_use]
    pub fn at(mut self, span: &Span) -> Self {
        self.span.get_or_insert(*span);
        self
    }
}

impl From<Mistake> for Failure {
    fn from(mistake: Mistake) -> Self {
        Self {
            reason: Reason::Mistake(Box::new(mistake)),
            span: None,
        }
    }
}

impl From<NoNumber> for Failure {
    fn from(reason: NoNumber) -> Self {
        Mistake::Number(reason).into()
    }
}

impl From<InputFault> for Failure {
    fn from(fault: InputFault) -> Self {
        Self {
            reason: Reason::Input(Box::new(fault)),
            span: None,
        }
    }
}

impl From<Open> for Failure {
    fn from(open: Open) -> Self {
        Self {
            reason: Reason::Undecided(Box::new(open)),
            span: None,
        }
    }
}

impl From<Undecided> for Failure {
    fn from(undecided: Undecided) -> Self {
        Open::Position(undecided).into()
    }
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Self {
        Undecided::from(limit).into()
    }
}
