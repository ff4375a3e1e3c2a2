//! The syntax tree of one statement: what stands where, with names not yet resolved.

use num_bigint::BigInt;

use crate::ruleset::{BinaryOp, Change, Comparison, EndingResult, Play, Player, Quantifier, Span};

/// A name or word with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub(crate) enum Line {
    Game {
        name: String,
        parameters: Vec<(Name, Node)>,
        title: Option<String>,
    },
    Parameter(Name, Node),
    Row {
        name: Name,
        conditions: Vec<(RowCondition, Span)>,
        alphabet: Option<(String, Span)>,
    },
    Unordered,
    Start(Shape, Shape),
    Play(Play),
    Compound(CompoundTree),
    DrawOnRepetition,
    Chance(Name, Node),
    Ends {
        result: EndingResult,
        pattern: Shape,
        guard: Option<Node>,
    },
    Move(MoveTree),
    Claim {
        kind: ClaimKind,
        pattern: Shape,
        pieces: Vec<PieceTree>,
    },
}

/// A condition of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowCondition {
    Increasing,
    Nondecreasing,
    Nonincreasing,
    Ring,
    Unordered,
    EmptiesVanish,
    EmptyEndsVanish,
}

#[derive(Debug)]
pub(crate) enum CompoundTree {
    Disjunctive,
    Conjunctive,
    ConjunctiveContinued,
    Selective(Option<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimKind {
    Grundy,
    Lost,
    LostSum,
}

#[derive(Debug)]
pub(crate) struct PieceTree {
    pub value: Node,
    pub condition: Option<Node>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) struct MoveTree {
    pub player: Option<Player>,
    pub label: Option<Name>,
    pub body: Body,
    pub guard: Option<Node>,
}

#[derive(Debug)]
pub(crate) enum Body {
    Arrow {
        left: Vec<Shape>,
        right: Vec<Vec<Term>>,
    },
    Updates(Vec<Vec<UpdateTree>>),
}

/// A term of a result.
#[derive(Debug)]
pub(crate) enum Term {
    Component(Shape),
    Copies(Node, Shape),
    Series(Shape, Vec<(Name, Node, Node)>),
}

#[derive(Debug)]
pub(crate) enum UpdateTree {
    Place(PlaceTree, ChangeTree),
    Remove(PlaceTree),
    Every(Name, ChangeTree),
    Some(Option<Node>, Name, ChangeTree),
}

#[derive(Debug)]
pub(crate) enum PlaceTree {
    Index(Name, Node),
    First(Span),
    Last(Span),
}

/// The kind of a change and its amount.
pub(crate) struct ChangeTree {
    pub wrap: fn(crate::ruleset::Expr) -> Change,
    pub amount: Node,
}

impl std::fmt::Debug for ChangeTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.amount.fmt(f)
    }
}

/// A component in brackets: a pattern or a template.
#[derive(Debug)]
pub(crate) struct Shape {
    pub items: Vec<Item>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum Item {
    Term(Node),
    Rest(Name),
    List(Shape),
    Word(String, Span),
}

/// A formula of any kind; whether it is a number, a set or a condition is decided later.
#[derive(Debug)]
pub(crate) struct Node {
    pub span: Span,
    pub kind: NodeKind,
}

#[derive(Debug)]
pub(crate) enum NodeKind {
    Number(BigInt),
    Name(String),
    Index(Name, Box<Node>),
    Negate(Box<Node>),
    Binary(BinaryOp, Box<Node>, Box<Node>),
    Call(Name, Vec<Node>),
    Range(Box<Node>, Box<Node>),
    Braces(Vec<Node>),
    Tuple(Vec<Node>),
    Primes,
    PrimePowers,
    Squares,
    Powers(Box<Node>),
    Fibonacci,
    AllBut(Box<Node>),
    Digits(Box<Node>, Option<Box<Node>>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// A first member and what follows, each with its link to the member before.
    Chain(Box<Node>, Vec<(Link, Node)>),
    Quantified(Quantifier, Name, Box<Node>, Box<Node>),
}

/// How neighbours of a chain are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Compare(Comparison),
    Divides,
    In,
    NotIn,
    Arrow,
}
