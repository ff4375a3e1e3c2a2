//! What may go wrong, as data.

use crate::meter::Limit;

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// A limit was reached. It says nothing about the language.
    Limit(Limit),
    /// More letters than [`MAX_LETTERS`](crate::MAX_LETTERS): too many tracks, or too large digits.
    Letters,
    /// A track with no digit, or one that two automata read with different digits.
    Radix,
    /// A table whose length, states or number of tracks do not fit together.
    Table,
    /// An automaton that accepts a word which writes no number in this numeration system.
    NotCanonical,
    /// An automaton that accepts a word, but not with zeros before its most significant end, or the
    /// other way round. The same numbers must be accepted at every length.
    Padding,
    /// A base below 2, or partial quotients that are zero or begin with 1.
    System,
    /// A property that is not regular in this numeration system, or that asks for numbers that are not there.
    Atom,
    /// A name that has not been defined, or another number of variables than its relation has.
    Name(String),
    /// A formula nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    Depth,
}

impl From<Limit> for Error {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl std::error::Error for Error {}
