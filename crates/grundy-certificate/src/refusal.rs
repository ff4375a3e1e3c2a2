//! Why a certificate is refused.

use std::fmt;

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
    /// The ruleset states tests or claims; a certificate's says only what the moves are.
    RulesetSaysMore,
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
    /// The law is of another kind than the theorem's.
    LawKind,
}

/// Something in a ruleset of which no theorem here speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `play misere`
    Misere,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Refusal {}
