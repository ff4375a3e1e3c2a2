//! Contest problems about impartial games: from a statement's input to its output.
//!
//! A problem file says how the input of a contest problem is read, which games and positions it
//! speaks of, what is asked about them, and how the answer is printed. `docs/problems.md` is the
//! reference of the language.

pub mod catalogue;
mod check;
pub mod draw;
pub mod emit;
pub mod engine;
mod evaluate;
pub mod failure;
pub mod fault;
mod functions;
pub mod games;
mod grammar;
mod graphs;
pub mod hold;
pub mod input;
mod kinds;
mod lex;
pub mod number;
mod order;
mod parse;
mod position;
mod print;
pub mod problem;
pub mod protocol;
mod recognise;
pub mod run;
mod sheet;
pub mod stress;
pub mod text;
pub mod value;
mod work;

pub use fault::{Diagnostic, Fault};
pub use parse::{TEXT_LIMIT, parse, parse_bytes};
pub use problem::Problem;
pub use run::{Judge, Run};
