//! Published theorems: exact answers at every size for the games that the literature has solved.
//!
//! A theorem is a law with a citation and an exact window of validity. It is used for rules that are
//! proved to be those it speaks of, by their [`Shape`] or by their written normal form
//! ([`Recognition`]); names and agreeing values count for nothing. All
//! arithmetic is in integers. Each family is held against the oracle on the positions that it names
//! itself ([`hold`]).

mod bash;
mod coins;
mod discard;
mod divisor;
mod ends;
mod erase;
mod euclid;
mod formula;
mod halving;
pub mod hold;
mod merge;
mod moore;
mod multiples;
mod multiplying;
mod nim;
mod pair;
mod residue;
mod reversible;
mod sequential;
mod split;
mod stairs;
mod symmetry;
mod take_away;
mod triples;
mod valued;
mod wythoff;

use grundy_rules::Ruleset;

use crate::answer::Knowledge;
use crate::shape::{Recognition, Shape};

/// A theorem, and the games that it is used for.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The games, for a table.
    pub name: &'static str,
    /// What is true of them.
    pub statement: &'static str,
    /// Author, year and place.
    pub citation: &'static str,
    /// Positions on which it is held against the oracle.
    pub samples: &'static [Sample],
    recognise: for<'g, 's> fn(&Game<'g, 's>) -> Option<Box<dyn Knowledge + 'g>>,
}

/// Positions of one game.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The rules.
    pub rules: &'static str,
    /// The components.
    pub components: Components,
    /// The positions have up to so many components, the empty position included.
    pub up_to: usize,
}

/// The components of sample positions.
#[derive(Clone, Copy, Debug)]
pub enum Components {
    /// All lists with numbers up to these.
    Box(&'static [u32]),
    /// All lists of up to `length` numbers up to `most`, the empty list included.
    Rows {
        /// The most numbers.
        length: usize,
        /// The largest number.
        most: u32,
    },
}

/// A ruleset in all its forms, to be recognised.
struct Game<'g, 's> {
    shape: &'s Shape,
    written: &'s Recognition<'g>,
}

impl<'g> Game<'g, '_> {
    fn ruleset(&self) -> &'g Ruleset {
        self.written.ruleset()
    }
}

/// All families, in the order in which they are asked.
pub const FAMILIES: &[Family] = &[
    nim::NIM,
    nim::FALLING_APART,
    bash::BACHET,
    bash::OWN_LIMITS,
    bash::BETWEEN,
    multiples::MULTIPLES,
    residue::RESIDUE,
    reversible::POKER,
    wythoff::NORMAL,
    wythoff::MISERE,
    moore::MOORE,
    moore::MISERE,
    sequential::NORMAL,
    sequential::MISERE,
    stairs::STAIRS,
    stairs::ORDERED,
    stairs::PIECES,
    stairs::BOUNDED,
    stairs::GRAPH,
    ends::END_NIM,
    erase::ERASE,
    take_away::NORMAL,
    take_away::MISERE,
    euclid::EUCLID,
    euclid::ABOVE_ZERO,
    divisor::ALIQUOT,
    divisor::DIM,
    divisor::DIVISORS,
    divisor::PRIM,
    discard::DISCARD,
    coins::MOCK_TURTLES,
    coins::BEANS,
    coins::RULER,
    split::SPLIT,
    split::TAKE_OR_SPLIT,
    merge::MERGE,
    halving::HALVING,
    multiplying::MULTIPLYING,
    symmetry::COIN_RING,
    symmetry::TWO_FOR_ONE,
    symmetry::CORNER_PIECE,
];

/// What theorems of the literature say about a game.
pub fn known(ruleset: &Ruleset) -> Vec<Box<dyn Knowledge + '_>> {
    let recognised = recognised(ruleset).into_iter();
    recognised.map(|(_, knowledge)| knowledge).collect()
}

/// The families that a game is of, each with what it says about the game.
pub fn recognised(ruleset: &Ruleset) -> Vec<(&'static Family, Box<dyn Knowledge + '_>)> {
    let shape = Shape::of(ruleset);
    let written = Recognition::of(ruleset);
    let game = Game {
        shape: &shape,
        written: &written,
    };
    let all = FAMILIES.iter();
    all.filter_map(|family| Some((family, (family.recognise)(&game)?)))
        .collect()
}
