//! Holding what is known against exhaustive search, on small inputs of a problem.

use grundy::answer::learn::NoShelf;
use grundy_rules::{Budget, Meter};

use crate::draw::{Size, draw};
use crate::engine::{Exhaustive, Knowing};
use crate::failure::{Failure, Reason};
use crate::games::Library;
use crate::problem::Problem;
use crate::run::Judge;

/// What searching one input may cost; a larger one is left out.
const SEARCH: Budget = Budget {
    steps: 300_000,
    bytes: 1 << 28,
};
/// What answering and drawing it may cost.
const ANSWER: Budget = Budget {
    steps: 100_000_000,
    bytes: 1 << 28,
};

/// Why a problem does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No input was drawn, or one was not answered.
    Failed {
        /// The input, as far as there is one.
        input: String,
        /// Why.
        failure: Failure,
    },
    /// The two ways differ.
    Different {
        /// The input.
        input: String,
        /// What is printed by what is known.
        known: String,
        /// What is printed by search.
        searched: String,
    },
    /// Too few inputs could be searched: so many.
    Few(u64),
}

/// Draws inputs of growing size until `wanted` of them were answered alike by what is known and by
/// exhaustive search of the statement's own rules.
///
/// # Errors
///
/// The first input on which they differ, or why so many could not be compared.
pub fn hold(problem: &Problem, wanted: u64) -> Result<(), Fault> {
    let library = Library::default();
    let mut known = Judge::new(&library, Knowing::new(&library, &NoShelf));
    let mut searched = Judge::new(&library, Exhaustive::default()).plainly();
    let mut answered = 0;
    let mut size = 1;
    let mut grows = true;
    for seed in 0..3 * wanted {
        let drawn = match seed {
            0..5 => Size::Least,
            _ => Size::Upto(size),
        };
        let failed = |input: &str, failure| Fault::Failed {
            input: input.to_owned(),
            failure,
        };
        let input = draw(problem, seed, drawn, &mut Meter::new(ANSWER))
            .map_err(|failure| failed("", failure))?;
        let run = searched.run(problem, input.as_bytes(), &mut Meter::new(SEARCH));
        let expected = match run {
            Ok(run) => run.output,
            Err(failure) if matches!(failure.reason, Reason::Undecided(_)) => {
                // Larger inputs cannot be searched.
                grows = false;
                size = (size - 1).max(1);
                continue;
            }
            Err(failure) => return Err(failed(&input, failure)),
        };
        let answer = known
            .run(problem, input.as_bytes(), &mut Meter::new(ANSWER))
            .map_err(|failure| failed(&input, failure))?;
        if answer.output != expected {
            return Err(Fault::Different {
                input,
                known: answer.output,
                searched: expected,
            });
        }
        answered += 1;
        if answered == wanted {
            return Ok(());
        }
        size += u32::from(grows && answered % 15 == 0);
    }
    Err(Fault::Few(answered))
}
