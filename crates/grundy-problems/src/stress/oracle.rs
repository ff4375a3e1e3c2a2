//! What a right program prints.

use grundy::answer::learn::Shelf;
use grundy_rules::{Budget, Meter, Ruleset};

use crate::engine::{Engine, Exhaustive, Knowing, Listening};
use crate::failure::{Failure, Reason};
use crate::games::Library;
use crate::problem::Problem;
use crate::run::Judge;
use crate::value::Sum;

/// Answers by exhaustive search of the statement's own rules where that is little work, and otherwise
/// from what is known.
pub struct Oracle<'g> {
    searched: Judge<'g, Exhaustive<'g>>,
    known: Judge<'g, Listening<Knowing<'g>>>,
}

/// An answer and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// What is to be printed.
    pub output: String,
    /// Whether every position was examined.
    pub searched: bool,
}

/// Longer inputs are not searched.
const SHORT: usize = 400;
/// Inputs with numbers of more digits, or longer words, are not searched either.
const SMALL: usize = 4;
/// What searching one input may cost.
const SEARCH: Budget = Budget {
    steps: 60_000,
    bytes: 1 << 26,
};

impl<'g> Oracle<'g> {
    /// An oracle that has answered nothing yet.
    pub fn new(library: &'g Library, shelf: &'g dyn Shelf) -> Self {
        Self {
            searched: Judge::new(library, Exhaustive::default()).plainly(),
            known: Judge::new(library, Listening::new(Knowing::new(library, shelf))),
        }
    }

    /// What is to be printed for an input.
    ///
    /// # Errors
    ///
    /// Why it is not known.
    pub fn answer(
        &mut self,
        problem: &Problem,
        input: &str,
        meter: &mut Meter,
    ) -> Result<Expected, Failure> {
        if input.len() <= SHORT && input.split_whitespace().all(|word| word.len() <= SMALL) {
            let mut little = Meter::new(SEARCH);
            match self.searched.run(problem, input.as_bytes(), &mut little) {
                Ok(run) => {
                    return Ok(Expected {
                        output: run.output,
                        searched: true,
                    });
                }
                Err(failure) if matches!(failure.reason, Reason::Undecided(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        let run = self.known.run(problem, input.as_bytes(), meter)?;
        Ok(Expected {
            output: run.output,
            searched: false,
        })
    }

    /// The sums that an input asks about, each once, as far as they are few and small.
    pub fn sums(
        &mut self,
        problem: &Problem,
        input: &str,
        meter: &mut Meter,
    ) -> Result<Vec<Sum>, Failure> {
        self.known.engine().heard();
        self.known.run(problem, input.as_bytes(), meter)?;
        Ok(self.known.engine().heard())
    }

    /// The engine that answers about these sums, and knows their games.
    pub fn engine(&mut self) -> &mut Listening<Knowing<'g>> {
        self.known.engine()
    }

    /// The rules of a game of a sum.
    pub fn rules(&mut self, game: usize) -> &'g Ruleset {
        self.known.engine().rules(game)
    }
}
