//! What puts rules or a law outside the arithmetic that automata decide.

use grundy_rules::ruleset::{Function, Span};

/// The clause because of which a question cannot be asked of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// What about it.
    pub reason: Reason,
    /// The line it stands in; `None` where it is a declaration.
    pub span: Option<Span>,
}

/// What automata do not decide, or what is not yet told to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Two numbers that both vary are multiplied.
    Product,
    /// The divisor of `/`, `mod` or `|` varies.
    Divisor,
    /// An exponent, a base of a power, or the amount of a shift varies.
    Exponent,
    /// A function such as `gcd`.
    Function(Function),
    /// A set that is not regular: primes, squares, digits.
    Set,
    /// A list of numbers combined in a way that is not linear.
    Aggregate,
    /// A nested move `t -> u`, or nested lists.
    Nested,
    /// A number too large for a modulus, or too many cases.
    Size,
    /// How many components a move leaves varies.
    Series,
    /// A move leaves a component with another number of coordinates.
    Arity,
    /// A `start` that completes some results and not others, in a way that depends on their numbers.
    Start,
    /// The row is a ring, or places of it vanish.
    Row,
    /// The order of an unordered row is restricted.
    Order,
    /// Several components are taken at once.
    Joint,
    /// Different rules for the two players, chance, or repetition.
    Unsolved,
    /// Values have no meaning in misère play or where components are not played one at a time.
    Values,
    /// An ending that stops a sum, draws, or gives values no meaning.
    Ending,
    /// A move leaves several components, and who wins these does not follow from who wins each.
    Parts,
    /// The law speaks of some components only.
    Pattern,
    /// Bit words, powers and Fibonacci numbers that no one numeration system has together.
    Numeration,
}

impl Reason {
    pub(super) fn at(self, span: Span) -> Outside {
        Outside {
            reason: self,
            span: Some(span),
        }
    }

    pub(super) fn declared(self) -> Outside {
        Outside {
            reason: self,
            span: None,
        }
    }
}
