//! The rule language of impartial games: text to [`Ruleset`], options of a position.

mod bounds;
pub mod budget;
pub mod eval;
pub mod given;
mod interval;
mod matching;
pub mod moves;
mod number;
pub mod options;
pub mod position;
pub mod ruleset;
mod walk;

pub use bounds::unbounded_choices;
pub use budget::{Budget, Limit, Meter};
pub use position::{Component, Item, Position};
pub use ruleset::Ruleset;
