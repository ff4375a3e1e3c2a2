//! A ruleset: what a rules text means, as data.
//!
//! The parser writes it, the printer turns it back into text, and everything
//! else reads it. Names are resolved: a variable is an index into the
//! [`Scope`] of the line it stands in. Short forms such as `rules 0.77` are
//! kept for printing and also expanded into [`Ruleset::moves`], so that readers
//! need to know one form only.

use num_bigint::{BigInt, BigUint};

use crate::position::Position;

/// A half-open range of bytes in the source text.
///
/// Two spans are always equal: where a thing stood in its text is no part of
/// what it means, and printing a ruleset and parsing it again must give an equal one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

/// The rules of a game together with the tests its file states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name after `game`; `inline` where none was given.
    pub name: String,
    /// The quoted title after the name.
    pub title: Option<String>,
    /// Parameters with their values.
    pub parameters: Vec<Parameter>,
    /// The declaration `row a, …`.
    pub row: Option<Row>,
    /// Whether the coordinates of a tuple have no order (`unordered` on its own line).
    pub unordered: bool,
    /// The completions `start P as T`.
    pub starts: Vec<Start>,
    /// Who wins when no move is left.
    pub play: Play,
    /// How the components of a position are played together.
    pub compound: Compound,
    /// `draw on repetition`: an infinite play is a draw.
    pub draw_on_repetition: bool,
    /// What chance draws before each move.
    pub chances: Vec<Chance>,
    /// Where play stops at once.
    pub endings: Vec<Ending>,
    /// The short form these rules were written in, of which `moves` is the expansion.
    pub short_form: Option<ShortForm>,
    /// The rules, in file order.
    pub moves: Vec<MoveRule>,
    /// The file's tests.
    pub expectations: Vec<Expectation>,
    /// Laws the author states.
    pub claims: Vec<Claim>,
}

/// A parameter of a game and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value: the default, or what the caller gave.
    pub value: ParameterValue,
    /// Where it is declared.
    pub span: Span,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// `m = 3`
    Number(BigInt),
    /// `S = {2,5}`: ascending, without repetition.
    Set(Vec<BigInt>),
    /// `L = (31,28,31)`: in the order given; places are counted from 1.
    List(Vec<BigInt>),
    /// `E = {(1,2),(1,3)}`: ascending, without repetition; all tuples of one length.
    Relation(Vec<Vec<BigInt>>),
}

/// Who wins when no move is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Play {
    /// The player who made the last move wins.
    #[default]
    Normal,
    /// The player who made the last move loses.
    Misere,
}

/// How the components of a position are played together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compound {
    /// Move in exactly one component.
    #[default]
    Disjunctive,
    /// Move in every component; over as soon as one has no move.
    Conjunctive,
    /// Move in every component that has a move; over when none has.
    ConjunctiveContinued,
    /// Move in at least one component, and in at most so many if a bound is given.
    Selective {
        /// The parameters that the bound speaks of.
        scope: Scope,
        /// The bound of `selective up to d`.
        at_most: Option<Expr>,
    },
}

/// The declaration of a row game: components are lists of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name by which updates and guards speak of the row.
    pub name: String,
    /// The order its numbers must keep.
    pub order: Option<RowOrder>,
    /// `ring`: patterns match every rotation and places wrap.
    pub ring: bool,
    /// `unordered`: patterns match in every order.
    pub unordered: bool,
    /// What becomes of places that hold 0.
    pub empties: Empties,
    /// The letters that stand for 0, 1, …; empty without `over`.
    pub alphabet: Vec<char>,
}

/// The order that the numbers of a row must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// Each number is larger than the one before.
    Increasing,
    /// No number is smaller than the one before.
    Nondecreasing,
    /// No number is larger than the one before.
    Nonincreasing,
}

/// What becomes of the places of a row that hold 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Empties {
    /// They stay.
    #[default]
    Stay,
    /// They are removed.
    Vanish,
    /// They are removed while they stand at an end of the row.
    VanishAtEnds,
}

/// A variable: an index into the scope of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub usize);

/// The variables of one line, in the order in which they first stand in its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Indexed by [`Variable`].
    pub names: Vec<ScopedName>,
}

/// One variable of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedName {
    /// The name in the text.
    pub name: String,
    /// What binds it.
    pub role: Role,
    /// Where it first stands.
    pub span: Span,
}

/// What binds a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A coordinate of a pattern: a number, or a list in nested positions.
    Coordinate,
    /// A run `r..` of coordinates of a pattern.
    Rest,
    /// The whole row declared by `row`.
    Row,
    /// The mover's choice; it stands in the result.
    Choice,
    /// A choice that stands only in the guard: some value of it must satisfy the guard.
    Existential,
    /// Bound by `some`, `every` or `for` further in.
    Bound,
    /// The parameter with this index in [`Ruleset::parameters`].
    Parameter(usize),
    /// The chance draw with this index in [`Ruleset::chances`].
    Chance(usize),
}

/// `start P as T`: components that match `P` are given with fewer coordinates and mean `T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The variables of this line.
    pub scope: Scope,
    /// What is given.
    pub pattern: Pattern,
    /// What it means.
    pub template: Template,
}

impl Start {
    /// Whether the pattern has a rest variable: then it applies to given positions only.
    pub fn has_rest(&self) -> bool {
        self.pattern.has_rest()
    }
}

/// `chance d in S`: drawn before the mover chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The name under which moves speak of it.
    pub name: String,
    /// The parameters that the values speak of.
    pub scope: Scope,
    /// The equally likely values.
    pub values: Set,
}

/// `ends lost P where G`: play stops where a component matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What it means for the player about to move.
    pub result: EndingResult,
    /// The variables of this line.
    pub scope: Scope,
    /// The component that stops play.
    pub pattern: Pattern,
    /// Under this condition.
    pub guard: Guard,
}

/// How an ending ends, for the player about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingResult {
    /// The player about to move has lost.
    Lost,
    /// The player about to move has won.
    Won,
    /// Nobody wins.
    Draw,
}

/// A short form of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShortForm {
    /// `rules 0.77`, `rules take-and-break 0.3F`: the code of a take-and-break game.
    Code(TakeAndBreak),
    /// `rules {1,3,4}`: take one of these numbers. Ascending, positive, without repetition.
    Subtraction(Vec<BigUint>),
    /// `rules all but {2,5}`: take any positive number but these. Ascending, positive.
    AllBut(Vec<BigUint>),
}

/// The code of a take-and-break game.
///
/// Bit `j` of the digit for `k` allows to take `k` from a heap and leave
/// exactly `j` non-empty heaps. An octal code uses the bits 0, 1 and 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeAndBreak {
    /// The digit before the point: splitting without taking. Its bits 0 and 1 are clear.
    pub whole: u8,
    /// The digits after the point, for takes of 1, 2, …; each below 32.
    pub digits: Vec<u8>,
    /// Digits that repeat for ever behind `digits`: `0.(3)` is Nim, `4.(3)` Lasker's Nim.
    pub repeating: Vec<u8>,
}

/// One rule: a pattern, what may become of it, and under which condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRule {
    /// The label; `move1`, `move2`, … (the place among all rules) where none was written.
    pub label: String,
    /// The one player who may use it; `None` for both.
    pub player: Option<Player>,
    /// The variables of this line.
    pub scope: Scope,
    /// The components it takes: one; several for a joint move; none for updates of the row,
    /// which take one whole row.
    pub patterns: Vec<Pattern>,
    /// What may become of them, separated by `|`; all share the guard.
    pub alternatives: Vec<Alternative>,
    /// The condition after `where`.
    pub guard: Guard,
    /// Where it stands.
    pub span: Span,
}

/// A player of a game whose rules differ for the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// `left:`
    Left,
    /// `right:`
    Right,
}

/// The form of a component, with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its coordinates; a variable that stands twice means equality.
    pub items: Vec<PatternItem>,
}

impl Pattern {
    /// Whether a rest variable stands at the outer level, so that the length is not fixed.
    pub fn has_rest(&self) -> bool {
        self.items
            .iter()
            .any(|item| matches!(item, PatternItem::Rest(_)))
    }
}

/// One coordinate of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternItem {
    /// Any number, or any list in nested positions.
    Variable(Variable),
    /// This number.
    Number(BigUint),
    /// A run of any length, also empty.
    Rest(Variable),
    /// A list of this form.
    List(Pattern),
}

/// One of the things that may become of what a rule takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// A sum of components; empty for `nothing`.
    Sum(Vec<ResultTerm>),
    /// Changes of places of the row.
    Updates(Vec<Update>),
}

/// One term of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultTerm {
    /// `[e, …]`
    Component(Template),
    /// `k of [e, …]`
    Copies {
        /// How many.
        count: Expr,
        /// Of what.
        template: Template,
    },
    /// `[e] for v in a..b, w in c..d`
    Series {
        /// What is repeated.
        template: Template,
        /// The variables and their ranges, the first one outermost.
        ranges: Vec<SeriesRange>,
    },
}

/// `v in a..b` after `for`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesRange {
    /// The variable.
    pub variable: Variable,
    /// Its first value.
    pub from: Expr,
    /// Its last value.
    pub to: Expr,
}

/// A component to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its coordinates.
    pub items: Vec<TemplateItem>,
}

/// One coordinate of a component to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateItem {
    /// A number; a bare variable may also stand for a list.
    Expr(Expr),
    /// All that a rest variable or the row holds.
    Splice(Variable),
    /// A nested list.
    List(Template),
}

/// A change of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// `a[i] -= k`, `first = e`: one place.
    Place {
        /// Which place.
        place: Place,
        /// What becomes of it.
        change: Change,
    },
    /// `remove a[i]`
    Remove(Place),
    /// `every a -= 1`: all places.
    Every(Change),
    /// `some a -= k`: the same change in a non-empty set of places.
    Some {
        /// The bound of `some up to d a`.
        at_most: Option<Expr>,
        /// What becomes of them.
        change: Change,
    },
}

/// A place of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// `a[i]`, counted from 1.
    Index(Expr),
    /// `first`
    First,
    /// `last`
    Last,
}

/// What becomes of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// `-= e`
    Decrease(Expr),
    /// `+= e`
    Increase(Expr),
    /// `= e`
    Set(Expr),
}

/// An integer expression. Terms without a value (`x/0`, a place outside the row, …) are undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(BigInt),
    /// A variable that holds a number.
    Variable(Variable),
    /// `a[e]`: a place of the row, a rest variable or a list parameter, counted from 1.
    Index(Variable, Box<Expr>),
    /// `first`, `last` as numbers: the end places of the row.
    End(RowEnd),
    /// `-e`
    Negate(Box<Expr>),
    /// `e + f` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `min(e, f, …)` and the like.
    Call(Function, Vec<Expr>),
    /// `sum(r)` and the like, over the elements of a finite set or the places of a row.
    Aggregate(Aggregate, Set),
}

/// An end of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEnd {
    /// `first`
    First,
    /// `last`
    Last,
}

/// An operator between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounding down.
    Divide,
    /// `mod`, in 0..m-1.
    Modulo,
    /// `^`
    Power,
    /// `xor`
    Xor,
    /// `band`
    BitAnd,
    /// `bor`
    BitOr,
    /// `shl`
    ShiftLeft,
    /// `shr`
    ShiftRight,
}

/// A function of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The least of one or more.
    Min,
    /// The largest of one or more.
    Max,
    /// The greatest common divisor of two or more; `gcd(0, n) = |n|`.
    Gcd,
    /// The absolute value.
    Abs,
    /// The integer square root, rounding down; undefined below 0.
    Isqrt,
    /// How many distinct primes divide the argument; undefined below 1.
    Omega,
    /// How many binary digits of the argument are 1; undefined below 0.
    Popcount,
}

/// A function of all elements of a finite set, or of all places of a row or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// How many.
    Length,
    /// Their sum; 0 if there are none.
    Sum,
    /// Their least; undefined if there are none.
    Min,
    /// Their largest; undefined if there are none.
    Max,
    /// Their greatest common divisor; 0 if there are none.
    Gcd,
    /// Their exclusive or; 0 if there are none; undefined if one is negative.
    Xor,
}

/// A set of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// `{1, 3, 4}`
    List(Vec<Expr>),
    /// `a..b`, empty if `a > b`.
    Range(Box<Expr>, Box<Expr>),
    /// A set or list parameter, the row, or a rest variable.
    Named(Variable),
    /// `primes`
    Primes,
    /// `prime powers`: p, p², … without 1.
    PrimePowers,
    /// `squares`: 1, 4, 9, …
    Squares,
    /// `powers of p`: 1, p, p², …; empty for p < 0.
    Powers(Box<Expr>),
    /// `fibonacci`: 1, 2, 3, 5, …
    Fibonacci,
    /// `all but S`: the positive integers outside `S`.
    AllBut(Box<Set>),
    /// `digits of n base b`: base 10 if none is given; of 0 it is {0}.
    Digits {
        /// Whose digits.
        of: Box<Expr>,
        /// In which base, at least 2.
        base: Option<Box<Expr>>,
    },
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// All of these; true if there are none. Chains `a <= b < c` are written out in pairs.
    /// Never directly inside another `All`, never with exactly one member.
    All(Vec<Guard>),
    /// One of these at least; two or more, never directly inside another `Any`.
    Any(Vec<Guard>),
    /// Not this.
    Not(Box<Guard>),
    /// A comparison of two integers.
    Compare(Comparison, Expr, Expr),
    /// `d | n`; needs d >= 1.
    Divides(Expr, Expr),
    /// `e in S`, or `e not in S` where `negated`.
    Member {
        /// Whether it says `not in`.
        negated: bool,
        /// The integer.
        item: Expr,
        /// The set.
        set: Set,
    },
    /// `(v, w) in E`, or `not in` where `negated`.
    Related {
        /// Whether it says `not in`.
        negated: bool,
        /// The tuple.
        items: Vec<Expr>,
        /// A relation parameter.
        relation: Variable,
    },
    /// `some i in a..b: G`, `every i in a..b: G`.
    Quantified {
        /// `some` or `every`.
        quantifier: Quantifier,
        /// The bound variable.
        variable: Variable,
        /// A finite set.
        over: Set,
        /// What must hold.
        body: Box<Guard>,
    },
    /// `t -> u`: the list `u` is an option of the list `t` in this same game.
    Option {
        /// The list moved from.
        from: Variable,
        /// The list moved to.
        to: Variable,
    },
}

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

/// How many members must satisfy a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one.
    Some,
    /// Each.
    Every,
}

/// A test that a file states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is expected.
    pub kind: ExpectationKind,
    /// The source named after `#` on the same line.
    pub source: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What a test expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectationKind {
    /// `grundy v0 v1 …`: the values of the heaps 0, 1, ….
    Grundy(Vec<BigUint>),
    /// `value POSITION = g`
    Value(Position, BigUint),
    /// `won POSITION`
    Won(Position),
    /// `lost POSITION`
    Lost(Position),
    /// `moves POSITION = N`: how many winning moves there are.
    MoveCount(Position, BigUint),
    /// `moves POSITION = R1; R2; …`: the positions that the winning moves lead to.
    MoveResults(Position, Vec<Position>),
    /// `law period p saltus s from n0`
    Law {
        /// The period.
        period: BigUint,
        /// The saltus; 0 where not written.
        saltus: BigUint,
        /// The preperiod.
        preperiod: BigUint,
    },
    /// `no law below N`
    NoLawBelow(BigUint),
}

/// A law that the author states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The variables of this line.
    pub scope: Scope,
    /// The components it speaks of.
    pub pattern: Pattern,
    /// What it says of them.
    pub statement: Statement,
    /// Where it stands.
    pub span: Span,
}

/// What a claim says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `grundy [n] = PIECES`
    Grundy(Vec<Piece>),
    /// `lost [x, y] iff G`
    Lost(Guard),
    /// `lost sum with [n] = PIECES`: a sum is lost iff the nim-sum of these numbers is 0.
    LostSum(Vec<Piece>),
}

/// `e if G`; the first piece whose condition holds counts, the one without a condition takes the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The number.
    pub value: Expr,
    /// The condition; `None` takes the rest.
    pub condition: Option<Guard>,
}
