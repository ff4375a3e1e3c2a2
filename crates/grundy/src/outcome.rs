//! Who wins, and how an answer is known.

use num_bigint::BigUint;

/// Who wins under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The previous player: the one about to move has lost.
    P,
    /// The next player: the one about to move wins.
    N,
    /// Neither.
    Draw,
}

/// How an answer is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every position that can be reached was examined.
    Exhaustive {
        /// For games of one number: the largest heap examined.
        upto: Option<BigUint>,
    },
}

/// Why a question has no answer. It says nothing about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// A limit was reached.
    Limit(grundy_rules::Limit),
    /// Play can come back to a position, so that it need not end: the positions on the way,
    /// the last of which leads to the first.
    Cycle(Vec<grundy_rules::Position>),
    /// No solver for this clause of the rules exists yet.
    NotSolved(Clause),
}

impl From<grundy_rules::Limit> for Undecided {
    fn from(limit: grundy_rules::Limit) -> Self {
        Self::Limit(limit)
    }
}

/// A clause of the rule language that changes how a game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `left:` or `right:` before a move.
    Players,
    /// `chance d in S`
    Chance,
    /// `draw on repetition`
    DrawOnRepetition,
}
