//! A problem file as data: what to read, what to ask, what to print.

use num_bigint::BigInt;

/// A place in the text of a problem file. Two are always equal: where a thing stands is no part of
/// what it means.
pub use grundy_rules::ruleset::Span;

/// A problem: statements that are carried out in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The name of the file.
    pub name: String,
    /// The title in the contest.
    pub title: Option<String>,
    /// Where the problem is from.
    pub source: Option<String>,
    /// `separators ",=[]"`: letters of the input that count as white space.
    pub separators: Option<String>,
    /// What is done.
    pub body: Vec<Statement>,
    /// `plainly { … }`: what is done instead where all is searched exhaustively. It speaks of the
    /// rules of the statement where the body reduces them to another game.
    pub plainly: Option<Vec<Statement>>,
}

/// A statement and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What is done.
    pub action: Action,
    /// Where it is written.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `read n in 1..9, a: n of 1..9`: reads values and gives them names.
    Read(Vec<Reading>),
    /// `require l <= r`: a limit on several values at once. An input that breaks it is wrong.
    Require(Expression),
    /// `let s = sum(a)`.
    Let(Name, Expression),
    /// `game g = bash with m = k`.
    Game(Name, Game),
    /// `repeat t { … }`.
    Repeat(Repeat),
    /// `for x in a by -x { … }`: one round for each element.
    For(Generator, Vec<Statement>),
    /// `if c { … } else { … }`; `else if` is an `If` alone in the second block.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// `stop if n = 0`: leaves the innermost `repeat`; `stop` alone always.
    Stop(Option<Expression>),
    /// `print a, b`: the values with spaces between them, and the end of a line. The entries of a
    /// list are values of their own.
    Print(Vec<Expression>),
    /// `write a, b`: the values with nothing between them, and no end of a line.
    Write(Vec<Expression>),
}

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A value that is read; without a name it is skipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What it is called afterwards.
    pub name: Option<Name>,
    /// What it looks like.
    pub kind: Kind,
    /// Where it is written.
    pub span: Span,
}

/// What a value in the input looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `a..b`, `a..` or `integer`: one token, an integer within these limits.
    Integer {
        /// The least that is allowed.
        least: Option<Expression>,
        /// The greatest that is allowed.
        greatest: Option<Expression>,
    },
    /// `{1, 2}`: one token, one of these integers.
    OneOf(Vec<Expression>),
    /// `word`, `word over "XO."`, or words of up to so many letters,
    /// of so many, or of so many at least: `word over "ab" up to 20`, `word exactly n`, `word from 3 to 8`.
    Word {
        /// The letters that may occur; any that are not white space without it.
        alphabet: Option<String>,
        /// The fewest letters.
        least: Option<Box<Expression>>,
        /// The most letters.
        most: Option<Box<Expression>>,
    },
    /// `"YES" | "NO"`: one of these words.
    Words(Vec<String>),
    /// `(x: 1..9, y: word)`: several in a row, a tuple.
    Tuple(Vec<Reading>),
    /// `n of KIND`, `increasing n of KIND`.
    List {
        /// How many.
        extent: Extent,
        /// What order they stand in.
        order: Order,
        /// `n as i of 1..i`: the number of the entry, from 1, in what each looks like.
        counter: Option<Name>,
        /// What each looks like. It is read anew for each, with the names of its parts.
        of: Box<Kind>,
    },
}

/// How many entries a list in the input has.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// `n of KIND`.
    Count(Box<Expression>),
    /// `line of KIND`: as many as stand on the rest of the line.
    Line,
    /// `rest of KIND`: as many as there are.
    Rest,
}

/// What order the entries of a list stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Any.
    Any,
    /// No two are equal.
    Distinct,
    /// Each is larger than the one before.
    Increasing,
    /// None is smaller than the one before.
    Nondecreasing,
    /// None is larger than the one before.
    Nonincreasing,
    /// Edges of vertices from 1: none leads from a vertex to itself, and none joins two that are joined.
    Simple,
    /// The edges of a tree of the vertices from 1, one fewer than there are vertices.
    Tree,
    /// The edges of rings of the vertices from 1, as many as there are vertices.
    Rings,
}

impl Order {
    /// All that are said by a word.
    pub(crate) const SAID: [Order; 7] = [
        Self::Distinct,
        Self::Increasing,
        Self::Nondecreasing,
        Self::Nonincreasing,
        Self::Simple,
        Self::Tree,
        Self::Rings,
    ];

    /// The word that says it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Distinct => "distinct",
            Self::Increasing => "increasing",
            Self::Nondecreasing => "nondecreasing",
            Self::Nonincreasing => "nonincreasing",
            Self::Simple => "simple",
            Self::Tree => "tree",
            Self::Rings => "rings",
        }
    }
}

/// A block that is carried out again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// How often.
    pub times: Times,
    /// `as i`: the number of the round, from 1.
    pub counter: Option<Name>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// How often a block is carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// `repeat t`.
    Count(Expression),
    /// `repeat until end`: while there are tokens left.
    UntilEnd,
    /// `repeat`: until a `stop`.
    UntilStopped,
}

/// The rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// What they are.
    pub rules: Rules,
    /// Whether `misere` was said.
    pub misere: bool,
    /// `with m = k, S = s`.
    pub parameters: Vec<(Name, Expression)>,
    /// Where it is written.
    pub span: Span,
}

/// Where the rules of a game are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// A name that a `game` statement gave, or else one of the catalogue.
    Named(Name),
    /// `{ … }`: rules as in a game file.
    Written {
        /// The text between the braces.
        text: String,
        /// Its place.
        span: Span,
    },
}

/// `x in e if c by k`: the elements of a list that satisfy a condition, in an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// What an element is called; several names take a tuple or list apart.
    pub names: Vec<Name>,
    /// The list.
    pub over: Box<Expression>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// The key: elements with smaller keys come first, equal ones in the order of the list.
    pub key: Option<Box<Expression>>,
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub term: Term,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Number(BigInt),
    /// `"text"`.
    Text(String),
    /// `none`: no answer, as of `first` of nothing.
    None,
    /// `endless`: what `greatest` says of numbers without end.
    Endless,
    /// A value that was read or named.
    Variable(String),
    /// `not c`.
    Not(Box<Expression>),
    /// `-n`.
    Minus(Box<Expression>),
    /// `a + b`, `c and d`.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `a <= b < c`: each neighbour pair compared.
    Chain(Box<Expression>, Vec<(Comparison, Expression)>),
    /// `if c then a else b`.
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `(a, b)`.
    Tuple(Vec<Expression>),
    /// `[a, b]`.
    List(Vec<Expression>),
    /// `a..b`: the integers from a to b; `a..` has no end, and stands only behind `in` and in
    /// `least x in a.. where c`.
    Range(Box<Expression>, Option<Box<Expression>>),
    /// `[e for x in a, y in b]`: the last generator runs fastest.
    Comprehension(Box<Expression>, Vec<Generator>),
    /// `a[i]`, from 1; also the letters of a word.
    Index(Box<Expression>, Box<Expression>),
    /// `m.to`.
    Field(Box<Expression>, Name),
    /// `sum(a)`, `won(nim at a)`.
    Call(Name, Vec<Expression>),
    /// `g at e`: a sum of components of one game. Sums of several are joined by `+`.
    At(Box<PlayedGame>, Box<Expression>),
    /// `fold m = 1 for x in a then m * x mod 7`.
    Fold(Box<Fold>),
    /// `least k in 1..10^9 where lost((bash with m = k) at a)`.
    Extreme {
        /// Which.
        extreme: Extreme,
        /// What is looked for.
        name: Name,
        /// Where.
        over: Box<Expression>,
        /// What must hold.
        condition: Box<Expression>,
    },
}

/// A value that each element of a list turns into the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// What the value is called.
    pub name: Name,
    /// What it is at first.
    pub start: Expression,
    /// The elements.
    pub generator: Generator,
    /// What it is behind each of them.
    pub next: Expression,
}

/// A game in an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayedGame {
    /// A name that a `game` statement gave, or else one of the catalogue.
    Named(Name),
    /// `(GAME with m = k)`, `misere GAME`: a game made on the spot.
    Made(Game),
}

/// Which of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// How many there are: `count x in a..b where c`.
    Count,
}

/// What joins two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `a or b`.
    Or,
    /// `a and b`.
    And,
    /// `a bor b`.
    BitOr,
    /// `a xor b`.
    BitXor,
    /// `a band b`.
    BitAnd,
    /// `a shl b`.
    ShiftLeft,
    /// `a shr b`.
    ShiftRight,
    /// `a + b` of numbers, and of sums of components.
    Plus,
    /// `a - b`.
    Minus,
    /// `a ++ b`: lists or texts one after the other.
    Join,
    /// `a * b`.
    Times,
    /// `a / b`, rounded down.
    Over,
    /// `a mod b`, in 0..b-1.
    Modulo,
    /// `a ^ b`.
    Power,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
}
