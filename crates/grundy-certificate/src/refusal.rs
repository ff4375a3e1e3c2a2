//! Why a certificate is refused.

use grundy_rules::Limit;

/// Why [`check`](crate::check) makes no theorem of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no certificate, or a damaged one.
    Malformed(Malformed),
    /// It is a certificate, and what it says is false or does not follow.
    False(Falsehood),
    /// The limits did not allow to check it. That says nothing about the certificate.
    Undecided(Limit),
}

/// How a text fails to be a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It is longer than any certificate may be.
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// It is not the JSON that certificates are written in.
    Json(String),
    /// A field is missing.
    Missing {
        /// Its path, such as `law.period`.
        field: String,
    },
    /// There is a field that nobody asked for.
    Unknown {
        /// Its path.
        field: String,
    },
    /// A field holds something else than it must.
    Field {
        /// Its path.
        field: String,
        /// What it must hold.
        expected: &'static str,
    },
    /// The digest is not the one of the other fields.
    Digest {
        /// The digest of the other fields.
        actual: String,
    },
    /// The ruleset is not one that can be read.
    Ruleset {
        /// How many faults its text has.
        faults: usize,
    },
    /// The ruleset is not written as its canonical text: a certificate says what the moves are,
    /// in one way, and neither tests nor claims.
    RulesetNotCanonical,
}

/// How a certificate is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Falsehood {
    /// A heap in the window that must be checked has another value than the law says.
    Value {
        /// The heap.
        heap: u64,
        /// Its value by the law.
        claimed: u64,
        /// Its value by the rules, where the smaller heaps have the values of the law.
        actual: u64,
    },
    /// The law holds from a smaller heap on.
    PreperiodNotLeast,
    /// The law holds with a smaller period.
    PeriodNotLeast {
        /// A smaller period.
        smaller: u64,
    },
    /// A heap has an option of the value that the law gives it.
    EqualOption {
        /// The heap.
        heap: u64,
    },
    /// A residue class of a pointer law is not what the rules make it.
    Class {
        /// The residue.
        residue: u64,
    },
    /// The bounds of the law are not those of the rules.
    Bounds,
    /// An automaton is not complete, reads another number of tracks than it must, or sees zeros at the most significant
    /// end.
    Automaton,
    /// There are more or fewer invariants than obligations.
    Invariants {
        /// How many there must be.
        needed: usize,
    },
    /// An invariant does not show its obligation.
    Invariant {
        /// The place of the obligation, counted from 0.
        obligation: usize,
    },
    /// A heap has not the label in misère play that the law says.
    Label {
        /// The heap.
        heap: u64,
    },
    /// The products of a quotient are not those of a commutative monoid with the identity 0.
    NoMonoid,
    /// A move from a heap, in a sum of which the law says that it is lost, leads to another lost sum.
    LostOption {
        /// The heap.
        heap: u64,
    },
    /// A sum whose outcome by the rules is another than the law says, if those of its options are right.
    Outcome {
        /// Its heaps.
        heaps: Vec<u64>,
    },
    /// The theorem that the certificate names says nothing about this.
    DoesNotApply {
        /// The theorem.
        theorem: &'static str,
        /// Why it does not apply.
        reason: Reason,
    },
}

/// Why a theorem does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The rules are not those of single heaps, moved one at a time by either player alike,
    /// where the last move wins.
    Clause(Clause),
    /// A rule has terms or conditions that are not linear with constant moduli.
    NotLinear {
        /// Its label.
        rule: String,
    },
    /// A rule leaves more heaps than are treated here.
    TooManyParts {
        /// Its label.
        rule: String,
    },
    /// A rule has a choice that neither its result determines nor its guard bounds by constants.
    ChoiceHidden {
        /// Its label.
        rule: String,
    },
    /// A number, a set or the number of cases is too large for the checker.
    TooLarge,
    /// A rule relates what is removed to what is left.
    RemovedToLeft {
        /// Its label.
        rule: String,
    },
    /// The heaps that are left are related to each other.
    Relation {
        /// How much is removed in total.
        removed: u64,
        /// How many non-empty heaps are left.
        parts: usize,
    },
    /// A move leads to a heap that is no smaller.
    NotSmaller,
    /// The empty heap has a move.
    ZeroMoves,
    /// Any number, however large, may be removed.
    Unbounded,
    /// The law is of another kind than the theorem's.
    LawKind,
    /// The theorem is about periodic laws without saltus.
    Saltus,
    /// The theorem is about laws whose saltus is a power of two.
    SaltusNoPowerOfTwo,
    /// No option that the check looks for has a certain value below a heap's value.
    Uncovered {
        /// The residue of the heap modulo the period.
        residue: u64,
        /// By how much the value lies below the heap's.
        below: u64,
    },
    /// No heap that the check looks at has a certain small value.
    Unreached {
        /// The value.
        value: u64,
    },
    /// The modulus of a pointer law is no multiple of what the bound divides by.
    Modulus,
    /// A pointer law is said to hold from too small a heap on.
    StartTooEarly,
    /// The theorem is about games of other moves.
    Moves,
    /// Something in the rules is outside of the arithmetic that machines read.
    Unreadable(Unreadable),
    /// Something in the rules cannot be said in the numeration of the law.
    Numeration,
    /// The measures do not weigh all coordinates.
    Measures,
    /// The law is about misère play, and in this game the last move wins.
    NormalPlay,
}

/// What machines that read digits cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A product of two numbers that vary.
    Product,
    /// A divisor that varies.
    Divisor,
    /// An exponent, a base or a shift that varies.
    Exponent,
    /// A function such as `gcd`.
    Function,
    /// A set such as the primes.
    Set,
    /// Lists inside of lists, and moves inside of moves.
    Nested,
    /// How many components a move leaves varies, or is large.
    Series,
    /// A move leaves a component with another number of coordinates.
    Arity,
    /// A place of the row that is no linear term.
    Place,
}

/// Why a check stops before its end.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The certificate is false.
    False(Falsehood),
    /// The theorem does not apply.
    Reason(Reason),
    /// A limit was reached.
    Limit(Limit),
}

impl From<Falsehood> for Stop {
    fn from(falsehood: Falsehood) -> Self {
        Stop::False(falsehood)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Stop::Reason(reason)
    }
}

impl From<crate::formula::TooLarge> for Stop {
    fn from(too_large: crate::formula::TooLarge) -> Self {
        Stop::Reason(too_large.into())
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Stop::Limit(limit)
    }
}

impl From<crate::formula::TooLarge> for Reason {
    fn from(_: crate::formula::TooLarge) -> Self {
        Reason::TooLarge
    }
}

/// Something in a ruleset of which no theorem here speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `play misere`
    Misere,
    /// `row`
    Row,
    /// `unordered`
    Unordered,
    /// `start`
    Start,
    /// `compound`
    Compound,
    /// `draw on repetition`
    DrawOnRepetition,
    /// `chance`
    Chance,
    /// `ends`
    Ending,
    /// `left:` or `right:`
    Player,
    /// A move of several components.
    Joint,
    /// A component of more than one number.
    Tuple,
}
