//! What can be wrong with a text: faults as data, each with the place it concerns.
//!
//! No sentence is written here. A front end turns a [`Fault`] into words of its
//! reader's language; `grundy::text` does it for English.

use crate::given::GivenFault;
use crate::ruleset::Span;

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

/// What is wrong with a text.
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
    /// There is no rule in the text.
    NoMoves,
    /// There are more statements than this.
    TooManyStatements {
        /// The limit.
        limit: usize,
    },
    /// A statement has more words and signs than this.
    StatementTooLong {
        /// The limit.
        limit: usize,
    },
    /// A line speaks of more names than this, or a game has more parameters.
    TooManyNames {
        /// The limit.
        limit: usize,
    },
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
    /// Brackets stand in each other more than this deep.
    NestedTooDeep {
        /// The limit.
        limit: usize,
    },
    /// A formula has more than this many operators in one another.
    FormulaTooLong {
        /// The limit.
        limit: usize,
    },
    /// A closing bracket that no opening one belongs to.
    BracketUnopened,
    /// An opening bracket that is not closed before its line ends, or before another one is.
    BracketUnclosed {
        /// The other bracket.
        before: Option<String>,
    },
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
    /// `take [n] -> …`: a label without its colon.
    MissingColon {
        /// The label.
        label: String,
    },
    /// `[n] -> n-1`: a result that is no component.
    BareResult {
        /// As it stands in the text.
        text: String,
    },
    /// A line that begins with no known word and is no rule.
    UnknownLine {
        /// Its first word.
        word: String,
        /// A word it may be meant to be.
        suggestion: Option<String>,
    },
    /// A word that belongs to a fixed list.
    UnknownWord {
        /// The word.
        word: String,
        /// What the words of the list say.
        topic: Topic,
        /// A word it may be meant to be.
        suggestion: Option<String>,
    },
    /// A name has more characters than this.
    NameTooLong {
        /// The limit.
        limit: usize,
    },
    /// A word of the language where a name was to be.
    ReservedWord {
        /// The word.
        word: String,
    },
    /// A number is too large to be written out.
    NumberTooLarge {
        /// How many bits it may have.
        bits: u64,
    },
    /// A number that must be at least so large.
    NumberTooSmall {
        /// The least that is allowed.
        least: u64,
    },

    // Declarations.
    /// A line that may stand only once.
    Repeated {
        /// The first word of the line.
        word: &'static str,
    },
    /// Two parameters, draws or a row and a parameter with one name.
    NameTaken {
        /// The name.
        name: String,
    },
    /// A parameter's value is none of the four kinds.
    ParameterValue,
    /// A value of another kind than the parameter's default.
    ParameterKind {
        /// The parameter.
        name: String,
        /// The kind of its default.
        wanted: Kind,
    },
    /// No parameter has this name.
    UnknownParameter {
        /// The name.
        name: String,
        /// A name it may be meant to be.
        suggestion: Option<String>,
    },
    /// The tuples of a relation have different lengths.
    UnequalTuples {
        /// The length of the first.
        first: usize,
        /// The length of this one.
        this: usize,
    },
    /// Two orders of a row exclude each other.
    RowOrdersClash,
    /// A letter that cannot be told from the language's own signs.
    AlphabetLetter {
        /// The letter.
        letter: char,
    },
    /// An alphabet has more letters than this.
    AlphabetTooLong {
        /// The limit.
        limit: usize,
    },
    /// A letter stands twice in an alphabet.
    AlphabetRepeats {
        /// The letter.
        letter: char,
    },
    /// `rules …` beside rules written out.
    ShortFormAndMoves,
    /// A label that would say whose move it is.
    PlayerAsLabel,

    // Short forms.
    /// A digit that the code does not have.
    CodeDigit {
        /// The digit.
        digit: char,
        /// The code it stands in.
        code: String,
        /// Whether the code is a take-and-break one, with 32 digits.
        take_and_break: bool,
    },
    /// The digit before the point would leave a heap as it is.
    CodeWhole {
        /// The digit.
        digit: char,
    },
    /// A code has no point.
    CodeWithoutPoint {
        /// The code.
        code: String,
    },
    /// More than one digit before the point.
    CodeWholeLong,
    /// A code allows no move at all.
    CodeWithoutMoves,
    /// A code has more digits than this.
    CodeTooLong {
        /// The limit.
        limit: usize,
    },
    /// Not a code, a set or `all but` a set.
    ShortForm,
    /// A bare number where a game was to be.
    BareNumberAsGame {
        /// The number.
        number: String,
    },

    // Rules.
    /// An arithmetic term as a coordinate of a pattern.
    TermInPattern,
    /// A parameter's name as a coordinate of a pattern.
    ParameterInPattern {
        /// The parameter.
        name: String,
    },
    /// Two rest variables with nothing between them.
    RestsTouch {
        /// The first.
        first: String,
        /// The second.
        second: String,
    },
    /// One name is a coordinate and a rest variable.
    RestAndCoordinate {
        /// The name.
        name: String,
    },
    /// A choice that stands in some alternatives only.
    ChoiceNotEverywhere {
        /// The choice.
        name: String,
    },
    /// A choice without a finite upper bound.
    ChoiceUnbounded {
        /// The choice.
        name: String,
        /// The number it divides, if the guard says so.
        divides: Option<String>,
    },
    /// An update, `first` or `last` without a `row` line.
    NoRow,
    /// An update of something that is not the row.
    NotTheRow {
        /// What is updated.
        name: String,
        /// The row.
        row: String,
    },
    /// A word in quotation marks without an alphabet.
    NoAlphabet,
    /// A letter that is not in the row's alphabet.
    NotInAlphabet {
        /// The letter.
        letter: char,
        /// The alphabet.
        alphabet: String,
    },
    /// A name bound by `some`, `every` or `for` that already means something on this line.
    NameShadowed {
        /// The name.
        name: String,
    },
    /// A name bound by `some`, `every` or `for` outside its reach.
    NameOutOfReach {
        /// The name.
        name: String,
    },
    /// A name that nothing binds.
    UnknownName {
        /// The name.
        name: String,
        /// A name it may be meant to be.
        suggestion: Option<String>,
    },
    /// A thing of one kind where another kind belongs.
    WrongKind {
        /// What stands there.
        found: Kind,
        /// What belongs there.
        wanted: Kind,
        /// Its name, if it has one.
        name: Option<String>,
    },
    /// `a[i]` of something without places.
    NoPlaces {
        /// Its name.
        name: String,
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
    /// A function that the language does not have.
    UnknownFunction {
        /// Its name.
        name: String,
        /// A function it may be meant to be.
        suggestion: Option<String>,
    },
    /// A tuple and the relation's tuples have different lengths.
    TupleLength {
        /// The relation.
        relation: String,
        /// The length of its tuples.
        wanted: usize,
        /// The length of this one.
        found: usize,
    },
    /// An infinite set where a finite one belongs.
    InfiniteSet,
    /// A piece of a claim after the one without a condition.
    PieceUnreachable,

    // Positions.
    /// A negative number in a position.
    NegativeInPosition,
    /// `3+4` without white space: a number or a sum of two components.
    TightPlus,
    /// Something that is no number in a position.
    NotANumber {
        /// As it stands there.
        text: String,
    },
    /// A position that is none of this game.
    Given(GivenFault),
    /// A position is missing.
    PositionMissing,
}

/// What could stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// This very sign or word.
    Sign(&'static str),
    /// A name.
    Name,
    /// A number.
    Number,
    /// A text in quotation marks.
    Text,
    /// A component in brackets.
    Component,
    /// A coordinate of a component.
    Coordinate,
    /// A result of a move.
    ResultTerm,
    /// A change of the row.
    Update,
    /// A number, name or formula.
    Term,
    /// A condition.
    Condition,
    /// A set.
    Set,
    /// A position.
    Position,
    /// The value of a parameter.
    Value,
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

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A set of numbers.
    Set,
    /// A list of numbers.
    List,
    /// A set of tuples.
    Relation,
    /// A tuple.
    Tuple,
    /// A condition.
    Condition,
    /// The whole row.
    Row,
    /// A run `r..` of coordinates.
    Rest,
    /// A coordinate of a pattern.
    Coordinate,
}

/// What the words of a fixed list say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// `play …`
    Play,
    /// `compound …`
    Compound,
    /// `row a, …`
    RowCondition,
    /// `ends …`
    Ending,
    /// `expect …`
    Expectation,
    /// `claim …`
    Claim,
}

impl Topic {
    /// The words of the list.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Play => &["normal", "misere"],
            Self::Compound => &["disjunctive", "conjunctive", "selective"],
            Self::RowCondition => &[
                "increasing",
                "nondecreasing",
                "nonincreasing",
                "ring",
                "unordered",
                "empties",
                "empty",
            ],
            Self::Ending => &["lost", "won", "draw"],
            Self::Expectation => &["grundy", "value", "won", "lost", "moves", "law", "no"],
            Self::Claim => &["grundy", "lost"],
        }
    }
}

/// The beginning of a text, long enough to recognise it.
pub fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The word of `words` that `word` may be meant to be.
pub fn suggestion<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<String> {
    if word.len() > 40 {
        return None;
    }
    let words: Vec<&str> = words.into_iter().collect();
    if let Some(same) = words.iter().find(|other| other.eq_ignore_ascii_case(word)) {
        return Some((*same).to_owned());
    }
    let allowed = (word.chars().count() / 3).max(1);
    words
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && candidate.len() > *distance)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
