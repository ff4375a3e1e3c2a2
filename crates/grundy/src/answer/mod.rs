//! Answers at positions of any size, from what is known about a game.

pub mod family;
pub mod lawful;
pub mod learn;
pub mod periodic;
pub mod strand;
pub mod winning;

use grundy_rules::moves::Move;
use grundy_rules::options::RuleOption;
use grundy_rules::{Component, Limit, Meter, Position};
use num_bigint::BigUint;

use crate::outcome::{Evidence, Outcome};

pub use lawful::Lawful;

/// What is known about one game for positions of every size: a law with its proof, or a
/// published theorem. Each answer may be missing; then it must be found in another way.
pub trait Knowledge {
    /// How it is known.
    fn evidence(&self) -> Evidence;

    /// The Grundy value of a component.
    fn value(&self, component: &Component) -> Option<BigUint>;

    /// The moves of a component that leave a sum of this value.
    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption>>>, Limit>;

    /// The outcome of a whole position, where values do not decide it.
    fn outcome(&self, _position: &Position) -> Option<Outcome> {
        None
    }

    /// The winning moves of a whole position, where values do not decide it.
    fn winning_moves(&self, _position: &Position) -> Option<Box<dyn MoveSet<Move>>> {
        None
    }
}

/// Moves too many to list, in the documented order.
pub trait MoveSet<M> {
    /// How many there are.
    fn count(&self) -> BigUint;

    /// The moves, lazily, in the order: rule, alternative, choices ascending.
    fn iter(&self) -> Box<dyn Iterator<Item = M> + '_>;

    /// One that leaves the least components, compared in the order of the rule's text.
    fn least(&self) -> Option<M>;
}
