//! What can be wrong with a problem file: faults as data, each with the place it concerns.

use crate::problem::{Order, Span};

/// A fault and the place in the text that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place.
    pub span: Span,
    /// What is wrong there.
    pub fault: Fault,
}

impl Diagnostic {
    /// The fault at this place.
    pub fn new(span: Span, fault: Fault) -> Self {
        Self { span, fault }
    }
}

/// What is wrong with a problem file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    // The text as a whole.
    /// The text is longer than the limit.
    TextTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A byte belongs to no UTF-8 character.
    NotUtf8,
    /// The text has more faults than are worth reporting.
    MoreFaults,

    // Characters and words.
    /// A character or a sign that the language does not know.
    ForeignSign {
        /// As it stands in the text.
        sign: String,
    },
    /// A quotation mark without its partner on the same line.
    UnclosedText,
    /// A `\` in a text before a letter that it gives no meaning.
    UnknownEscape {
        /// Both.
        sign: String,
    },
    /// Brackets or blocks stand in each other more than this deep.
    NestedTooDeep {
        /// The limit.
        limit: usize,
    },
    /// An expression has more than this many operators in one another.
    ExpressionTooLong {
        /// The limit.
        limit: usize,
    },
    /// A name has more characters than this.
    NameTooLong {
        /// The limit.
        limit: usize,
    },
    /// A number has more digits than this.
    NumberTooLong {
        /// The limit.
        limit: usize,
    },
    /// A word of the language where a name was to be.
    ReservedWord {
        /// The word.
        word: String,
    },
    /// A closing bracket that no opening one belongs to.
    BracketUnopened,
    /// An opening bracket that is not closed, or not before another one is.
    BracketUnclosed {
        /// The other bracket.
        before: Option<String>,
    },

    // Statements.
    /// Something else was expected here.
    Unexpected {
        /// What stands there; `None` at the end of the line.
        found: Option<String>,
        /// What could stand there.
        expected: Vec<Expected>,
        /// The word that it may be meant to be.
        suggestion: Option<String>,
    },
    /// `2k`: two factors without a sign between them.
    MissingTimes {
        /// The first factor.
        left: String,
        /// The second factor.
        right: String,
    },
    /// `x = 3`: a name that nothing declares.
    MissingLet {
        /// The name.
        name: String,
    },
    /// A statement that begins with no known word.
    UnknownStatement {
        /// Its first word.
        word: String,
        /// A word it may be meant to be.
        suggestion: Option<String>,
    },
    /// The file does not begin with `problem NAME`.
    NoHead,
    /// `problem`, `source` or `separators` not at the beginning, `plainly` not at the end, or one of
    /// them twice.
    Misplaced {
        /// The word.
        word: &'static str,
    },
    /// `else` without an `if` before it.
    ElseAlone,
    /// `stop` outside a `repeat`.
    StopOutside,
    /// `tree n of 1..9`: an order of edges of something else.
    OrderOf {
        /// The order.
        order: Order,
    },
    /// A range without an end where all its elements are needed.
    RangeWithoutEnd,

    // Names.
    /// A name that nothing gives a meaning here.
    UnknownName {
        /// The name.
        name: String,
        /// A name it may be meant to be.
        suggestion: Option<String>,
    },
    /// A name that has a meaning already in this block.
    NameTaken {
        /// The name.
        name: String,
    },
    /// A value where a game belongs.
    NotAGame {
        /// The name.
        name: String,
    },
    /// `bash with m = 3 at a`: a game made on the spot without parentheses.
    GameUnwrapped {
        /// The name.
        name: String,
    },
    /// A game where a value belongs.
    GameAsValue {
        /// The name.
        name: String,
    },
    /// A function that the language does not have.
    UnknownFunction {
        /// Its name.
        name: String,
        /// A function it may be meant to be.
        suggestion: Option<String>,
    },
    /// A function with the wrong number of arguments.
    WrongArity {
        /// The function.
        function: &'static str,
        /// How many it takes at least.
        least: usize,
        /// How many it takes at most; `None` for any number.
        most: Option<usize>,
        /// How many it got.
        found: usize,
    },
    /// A field that no move of the games in this file has.
    UnknownField {
        /// Its name.
        name: String,
        /// A field it may be meant to be.
        suggestion: Option<String>,
    },
    /// Neither the file nor the catalogue has a game of this name.
    UnknownGame {
        /// The name.
        name: String,
        /// A game it may be meant to be.
        suggestion: Option<String>,
    },
    /// The game has no such parameter.
    UnknownParameter {
        /// The game, if it is not written here.
        game: Option<String>,
        /// The parameter.
        name: String,
        /// A parameter it may be meant to be.
        suggestion: Option<String>,
    },
    /// A parameter that gets two values.
    ParameterTwice {
        /// The parameter.
        name: String,
    },

    // Kinds of values.
    /// A value of one kind where another belongs.
    WrongKind {
        /// What stands there.
        found: ValueKind,
        /// What belongs there.
        wanted: Vec<ValueKind>,
    },
    /// `nim at a - 1`: arithmetic of a sum of components.
    SumAsNumber,

    /// Rules in braces have a fault of their own.
    Rules(grundy_rules::Fault),
}

/// What could stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// This very sign or word.
    Sign(&'static str),
    /// A name.
    Name,
    /// A text in quotation marks.
    Text,
    /// A number, name or expression.
    Value,
    /// A value to be read.
    Reading,
    /// What a value in the input looks like.
    Kind,
    /// The name of a game, or rules in braces.
    Game,
    /// The end of the line.
    EndOfLine,
}

impl Expected {
    /// The very sign or word, if it is one.
    pub(crate) fn word(&self) -> Option<&'static str> {
        match self {
            Self::Sign(word) => Some(word),
            _ => None,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueKind {
    /// An integer.
    Number,
    /// A text.
    Text,
    /// Whether something holds.
    Truth,
    /// No answer.
    None,
    /// A tuple.
    Tuple,
    /// A list.
    List,
    /// A move.
    Move,
    /// A sum of components.
    Sum,
}
