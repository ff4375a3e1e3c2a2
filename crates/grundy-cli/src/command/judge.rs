//! `grundy judge`: contest problems, from their input to their output.

use std::io::{self, Read as _, Write as _};
use std::time::Duration;

use grundy::text;
use grundy_problems::engine::{Exhaustive, Knowing};
use grundy_problems::failure::{self, Reason};
use grundy_problems::games::Library;
use grundy_problems::{Judge, Problem, Run, parse_bytes};
use grundy_rules::Meter;

use crate::args::JudgeOptions;
use crate::cache::Cache;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long an answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Carries out the command.
pub fn run(options: &JudgeOptions) -> Result<Status, Failure> {
    let bytes = input::read(&options.problem).map_err(|_| {
        Failure::Input(text::error(&format!("{}: cannot be read", options.problem)))
    })?;
    let problem = parse_bytes(&bytes)
        .map_err(|faults| Failure::Input(text::error(&format!("{faults:?}"))))?;
    let mut given = Vec::new();
    io::stdin().lock().read_to_end(&mut given)?;
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let answer = answer(&problem, &given, options, &clock);
    clock.hide();
    let run = match answer {
        Ok(run) => run,
        Err(failure) => {
            let said = grundy_problems::text::failure(&failure, &|limit| clock.reached(limit));
            return Err(match failure.reason {
                Reason::Undecided(_) => Failure::Undecided(said),
                Reason::Input(_) | Reason::Mistake(_) => Failure::Input(text::error(&said)),
            });
        }
    };
    let mut out = output::open();
    out.write_all(run.output.as_bytes())?;
    out.flush()?;
    for (game, evidence) in &run.evidence {
        anstream::eprintln!("{game}: {}", text::evidence(evidence));
    }
    Ok(Status::Answered)
}

fn answer(
    problem: &Problem,
    given: &[u8],
    options: &JudgeOptions,
    clock: &Clock,
) -> Result<Run, failure::Failure> {
    let library = Library::default();
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    if options.exhaustive {
        let mut judge = Judge::new(&library, Exhaustive::default()).plainly();
        return judge.run(problem, given, &mut meter);
    }
    let shelf = Cache::open(options.no_cache);
    Judge::new(&library, Knowing::new(&library, &shelf)).run(problem, given, &mut meter)
}
