//! Contest problems about impartial games: from a statement's input to its output.
//!
//! A problem file says how the input of a contest problem is read, which games and positions it
//! speaks of, what is asked about them, and how the answer is printed. `docs/problems.md` is the
//! reference of the language.

pub mod catalogue;
mod check;
pub mod fault;
mod grammar;
mod kinds;
mod lex;
mod parse;
mod print;
pub mod problem;
pub mod text;

pub use fault::{Diagnostic, Fault};
pub use parse::{TEXT_LIMIT, parse, parse_bytes};
pub use problem::Problem;
