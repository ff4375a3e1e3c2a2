//! What may go wrong, as data.

use crate::meter::Limit;

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// A limit was reached. It says nothing about the language.
    Limit(Limit),
    /// More letters than [`MAX_LETTERS`](crate::MAX_LETTERS): too many tracks, or too large digits.
    Letters,
    /// A track with no digit, digits that a track does not have, or a track that two automata read with different digits.
    Radix,
    /// A track that is not there, or another number of numbers than there are tracks.
    Tracks,
    /// A table that does not have a row of states for each state.
    Table,
    /// Relations between numbers that are written in different ways.
    Encoding,
    /// An automaton that accepts a word which writes no number in this numeration system.
    NotCanonical,
    /// An automaton that accepts a word, but not with zeros before its most significant end, or the
    /// other way round. The same numbers must be accepted at every length.
    Padding,
    /// A base below 2, or partial quotients that are zero or begin with 1.
    System,
    /// A property that is not regular in this numeration system.
    Atom,
    /// A remainder modulo zero.
    Modulus,
    /// A free variable that was not asked for, or one that was asked for twice.
    Variables,
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
