//! `grundy emit`: a program that answers a problem by itself.

use std::time::Duration;

use grundy_problems::emit::{Grounds, emit};
use grundy_problems::protocol::COMPONENTS;
use grundy_rules::Meter;

use crate::args::EmitOptions;
use crate::cache::Cache;
use crate::limits::Clock;
use crate::output::Output;
use crate::problem::File;
use crate::status::{Failure, Status};
use crate::text;

/// How long a law may be looked for unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(40);

/// How large the numbers of a game may be unless the user says so.
const FULL: u64 = 1_000_000_000_000_000_000;

/// Carries out the command.
pub fn run(options: &EmitOptions) -> Result<Status, Failure> {
    let output = Output::new(options.output.as_deref(), options.force)?;
    let shelf = Cache::open(options.cache.no_cache);
    let grounds = Grounds {
        shelf: &shelf,
        accept_conjecture: options.accept_conjecture,
    };
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let mut answer = |upto, components| {
        let plain = &options.plain;
        let file = File::of_problem_or_game(&options.problem, plain, upto, components)?;
        emit(&file.problem, options.language(), &grounds, &mut meter)
            .map_err(|why| Failure::Undecided(text::no_program(&file.problem.name, &why)))
    };
    let program = match options.plain.upto {
        // Where no law answers about sums, one may about a component; or a table answers as far as it can.
        None => answer(Some(FULL), COMPONENTS)
            .or_else(|_| answer(Some(FULL), 1))
            .or_else(|_| answer(None, COMPONENTS)),
        upto => answer(upto, COMPONENTS),
    };
    clock.hide();
    let program = program?;
    output.write(|out| out.write_all(program.as_bytes()))?;
    Ok(Status::Answered)
}
