//! The rule language of impartial games: text to [`Ruleset`], options of a position.

mod bounds;
pub mod budget;
pub mod claim;
mod code;
mod declare;
pub mod divisor;
pub mod eval;
mod expectation;
pub mod fault;
pub mod given;
mod grammar;
mod interval;
mod lex;
mod matching;
pub mod moves;
mod notation;
mod number;
pub mod options;
mod parameter;
mod parse;
pub mod position;
mod print;
mod resolve;
pub mod ruleset;
mod tree;
mod walk;

pub use bounds::unbounded_choices;
pub use budget::{Budget, Limit, Meter};
pub use code::{looks_like_short_form, parse_short_form};
pub use fault::{Diagnostic, Fault};
pub use notation::{NUMBER_BITS, parse_number, parse_position, parse_positions};
pub use parse::{TEXT_LIMIT, parse, parse_bytes};
pub use position::{Component, Item, Position};
pub use ruleset::Ruleset;
