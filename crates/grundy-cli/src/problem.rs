//! Problem files, and games that are asked about as problems.

use grundy::argument::{self, ArgumentFault};
use grundy_problems::catalogue::{self, Sample};
use grundy_problems::failure::{self, Reason};
use grundy_problems::text::{render, render_failure, unknown_problem};
use grundy_problems::{Problem, parse_bytes, protocol};

use crate::args::PlainOptions;
use crate::input;
use crate::limits::Clock;
use crate::status::Failure;
use crate::text;

/// A problem file with its name and text, for messages.
pub struct File {
    /// What it is called in messages.
    pub name: String,
    /// What it says.
    pub text: String,
    /// The same as data.
    pub problem: Problem,
    /// The samples that come with it.
    pub samples: &'static [Sample],
}

impl File {
    /// The problem of a name of the catalogue, or of a path.
    pub fn open(argument: &str) -> Result<Self, Failure> {
        let mut samples: &[Sample] = &[];
        let (name, bytes) = match catalogue::find(argument) {
            Some(entry) => {
                samples = entry.samples;
                (format!("{argument}.problem"), entry.text.into())
            }
            None => {
                let bytes = input::read(argument).map_err(|reason| {
                    let path = argument.to_owned();
                    if argument.contains(['/', '\\', '.']) {
                        ArgumentFault::Unreadable { path, reason }.into()
                    } else {
                        Failure::Input(unknown_problem(argument))
                    }
                })?;
                (argument.to_owned(), bytes)
            }
        };
        Self::of_text(name, &bytes, samples)
    }

    /// The problem that a text states.
    fn of_text(name: String, bytes: &[u8], samples: &'static [Sample]) -> Result<Self, Failure> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let problem = parse_bytes(bytes).map_err(|faults| {
            let shown = faults.iter().map(|fault| render(fault, &name, &text, true));
            Failure::Input(shown.collect())
        })?;
        Ok(Self {
            name,
            text,
            problem,
            samples,
        })
    }

    /// The problem of a name or of a path, or the plain question about a game with numbers up to `upto` and so many
    /// components.
    pub fn of_problem_or_game(
        argument: &str,
        plain: &PlainOptions,
        upto: Option<u64>,
        components: u32,
    ) -> Result<Self, Failure> {
        if catalogue::find(argument).is_some() || argument.ends_with(".problem") {
            return Self::open(argument);
        }
        let rules = match argument::game(argument, &input::read) {
            Err(ArgumentFault::UnknownGame { .. }) => {
                return Err(Failure::Input(text::neither_problem_nor_game(argument)));
            }
            other => other?,
        };
        let rules = plain.play.apply(rules);
        let problem = protocol::problem(&rules, plain.asked(), upto, components)
            .map_err(|why| Failure::Input(text::no_protocol(&rules, why)))?;
        Self::of_text(argument::name(&rules), problem.as_bytes(), &[])
    }

    /// What is said about a failure, as the program ends with it.
    pub fn failed(&self, failure: &failure::Failure, clock: &Clock) -> Failure {
        let reached = |limit| clock.reached(limit);
        let said = render_failure(failure, &reached, &self.name, &self.text, true);
        match failure.reason {
            Reason::Undecided(_) => Failure::Undecided(said),
            Reason::Input(_) | Reason::Mistake(_) => Failure::Input(said),
        }
    }
}
