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

impl Outcome {
    /// The outcome of a position without draws.
    pub(crate) fn of_lost(lost: bool) -> Self {
        if lost { Self::P } else { Self::N }
    }
}

/// How an answer is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every position that can be reached was examined.
    Exhaustive {
        /// For games of one number: the largest heap examined.
        upto: Option<BigUint>,
    },
    /// A certificate that the independent checker accepted.
    Proved {
        /// The theorem that the certificate instantiates.
        theorem: String,
        /// The digest of the certificate.
        certificate: String,
    },
    /// A theorem of the literature.
    Published {
        /// Author, year and place.
        citation: String,
    },
    /// A pattern that was seen and is not proved; only where it was asked for by name.
    Conjecture {
        /// The largest heap whose value was seen.
        upto: BigUint,
    },
    /// Parts of the answer are known in different ways.
    Several(Vec<Evidence>),
}

impl Evidence {
    /// How a conclusion from several things is known that are known in these ways.
    pub fn all(evidence: impl IntoIterator<Item = Evidence>) -> Self {
        let mut largest: Option<Option<BigUint>> = None;
        let mut others: Vec<Evidence> = Vec::new();
        for evidence in evidence {
            match evidence {
                Self::Exhaustive { upto } => {
                    largest = Some(match largest {
                        None => upto,
                        Some(old) => old.zip(upto).map(|(a, b)| a.max(b)),
                    });
                }
                other if others.contains(&other) => {}
                other => others.push(other),
            }
        }
        if let Some(upto) = largest {
            others.push(Self::Exhaustive { upto });
        }
        match others.len() {
            0 => Self::Exhaustive { upto: None },
            1 => others.swap_remove(0),
            _ => Self::Several(others),
        }
    }
}

/// Why a question has no answer. It says nothing about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// A limit was reached.
    Limit(grundy_rules::Limit),
    /// Play can come back to a position, so that it need not end: the positions on the way,
    /// the last of which leads to the first.
    Cycle(Vec<grundy_rules::Position>),
    /// This clause of the rules asks for another solver, [`crate::graph::answer`], or for one that does
    /// not exist.
    NotSolved(Clause),
    /// Some winning moves are known, but neither which is the first or the least of all, nor how many there are.
    SomeMoves,
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
}
