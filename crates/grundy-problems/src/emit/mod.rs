//! A program that answers a problem without us: from its law, or from a table.
//!
//! A problem file and the laws of its games become one small [`program`], which each language prints.
//! So a language is one file (`language/`), and a law is one file (`laws/`): it says of which rules it
//! speaks, what it answers, and how, in the words of problem files.

// Printers build lines from many small pieces, and one match over a whole language reads better than its parts.
#![allow(
    clippy::format_push_string,
    clippy::match_same_arms,
    clippy::match_wildcard_for_single_variants,
    clippy::too_many_lines,
    clippy::too_many_arguments,
    clippy::large_enum_variant,
    clippy::unnecessary_wraps,
    clippy::return_self_not_must_use,
    clippy::semicolon_if_nothing_returned,
    clippy::unused_self,
    clippy::collapsible_match
)]

mod find;
mod language;
mod laws;
mod lower;
pub mod program;
mod rows;
mod rules;
mod snippet;
mod tidy;

use grundy::answer::learn::Shelf;
use grundy_rules::Meter;

use crate::problem::Problem;

pub use language::Language;

/// What a program may stand on.
pub struct Grounds<'s> {
    /// Where proved laws are kept.
    pub shelf: &'s dyn Shelf,
    /// Whether a pattern without a proof is enough.
    pub accept_conjecture: bool,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEmit {
    /// No law of this game answers the question, and no table does.
    Game {
        /// The game.
        game: String,
        /// What is asked.
        question: Question,
    },
    /// Numbers that 64 bits do not hold.
    LargeNumbers,
    /// A function that no program has yet.
    Function(String),
    /// A clause of the language that no program has yet.
    Clause(Clause),
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Who wins.
    Outcome,
    /// The Grundy value.
    Value,
    /// The winning moves.
    Winning,
    /// All moves.
    Moves,
    /// How many moves are made.
    Plays,
}

/// What no program has yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Lists that end with their line.
    Lines,
    /// Sums of several games.
    Sums,
    /// Values of different kinds in one place.
    Kinds,
    /// Numbers without end.
    Endless,
    /// Powers of other numbers than 2.
    Powers,
}

/// The program that answers a problem, in a language.
///
/// # Errors
///
/// What stands in the way.
pub fn emit(
    problem: &Problem,
    language: Language,
    grounds: &Grounds,
    meter: &mut Meter,
) -> Result<String, NoEmit> {
    let mut program = tidy::tidy(lower::program(problem, grounds, meter)?);
    // Behind the title stands what the laws and functions stand on.
    if program.about.len() == 1 && problem.plainly.is_some() {
        program.about.push(crate::text::ARGUED.to_owned());
    }
    Ok(language.print(&program))
}
