//! The rule language of impartial games: text to [`Ruleset`], options of a position.

pub mod budget;
pub mod position;
pub mod ruleset;

pub use budget::{Budget, Limit, Meter};
pub use position::{Component, Item, Position};
pub use ruleset::Ruleset;
