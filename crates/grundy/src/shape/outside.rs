//! Why a ruleset has no narrower normal form.

/// What puts a ruleset outside the normal forms, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The index of the rule in `Ruleset::moves`; `None` where no single rule is to blame.
    pub rule: Option<usize>,
    /// What about it.
    pub reason: Reason,
}

/// A feature of rules that no normal form covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The components of a sum are not independent: a compound, an ending, a joint move.
    Dependent,
    /// The two players have different rules, or chance or repetition decides.
    Unsolved,
    /// Components are rows of any length.
    Rows,
    /// Components have several coordinates, and the moves are no lines.
    Coordinates,
    /// A pattern other than `[n]` or a number.
    Pattern,
    /// A guard or a size that is not linear arithmetic with congruences by constants.
    NotLinear,
    /// A number too large to reason about.
    LargeNumber,
    /// A choice that stands only in the guard.
    Existential,
    /// The number of parts is not fixed.
    Series,
    /// A choice that the sizes of the parts do not determine.
    Undetermined,
    /// The parts together may be larger than the heap.
    Grows,
    /// A move that leaves the heap as it is, or a move of the empty heap.
    NoProgress,
    /// What may be taken depends on the heap, or on the parts, in infinitely many ways.
    Unbounded,
    /// More parts, larger constants or larger moduli than the decision procedure is given room for.
    Room,
}
