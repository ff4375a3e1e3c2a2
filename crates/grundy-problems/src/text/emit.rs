//! Why there is no program, in English.

use crate::emit::{Clause, NoEmit, Question};

/// On what a program stands whose problem file reduces the statement to something else.
pub(crate) const ARGUED: &str = "Argued in the problem file, whose plain reading of the statement says the same for small inputs.";

/// Why a problem has no program.
pub fn no_emit(why: &NoEmit) -> String {
    match why {
        NoEmit::Game { game, question } => {
            let question = match question {
                Question::Outcome => "who wins",
                Question::Value => "what a position is worth",
                Question::Winning => "which moves win",
                Question::Moves => "which moves there are",
                Question::Plays => "how long play lasts",
            };
            format!("no law and no table of `{game}` that fits into a program tells {question}")
        }
        NoEmit::LargeNumbers => "its numbers do not fit into 64 bits".to_owned(),
        NoEmit::Function(name) => format!("programs do not have `{name}` yet"),
        NoEmit::Clause(clause) => match clause {
            Clause::Lines => "programs do not read lists that end with their line yet",
            Clause::Sums => "programs do not have sums of several games yet",
            Clause::Kinds => "programs do not have values of different kinds in one place yet",
            Clause::Endless => "programs do not look through numbers without end",
            Clause::Powers => "programs do not have powers of other numbers than 2 yet",
        }
        .to_owned(),
    }
}
