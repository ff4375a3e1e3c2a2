//! `grundy cases`: test data for a problem.

use std::fs;
use std::io::Write;
use std::time::Duration;

use grundy_problems::failure::{Mistake, Reason};
use grundy_problems::games::Library;
use grundy_problems::protocol::COMPONENTS;
use grundy_problems::stress::{Oracle, Plan};
use grundy_problems::text::origin_word;
use grundy_rules::Meter;

use crate::args::CasesOptions;
use crate::cache::Cache;
use crate::limits::{Clock, interrupted};
use crate::output::{self, Output, at};
use crate::problem::File;
use crate::status::{Failure, Status};
use crate::text;

/// How long the answer to one input is looked for unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Carries out the command.
pub fn run(options: &CasesOptions) -> Result<Status, Failure> {
    let plain = &options.plain;
    let file = File::of_problem_or_game(&options.problem, plain, plain.upto, COMPONENTS)?;
    fs::create_dir_all(&options.dir).map_err(at(&options.dir))?;
    let shelf = Cache::open(options.cache.no_cache);
    let library = Library::default();
    let mut oracle = Oracle::new(&library, &shelf);
    let tests = usize::try_from(options.tests).unwrap_or(usize::MAX);
    let inputs = file.samples.iter().map(|sample| sample.input);
    let mut plan = Plan::new(&file.problem, inputs, tests, options.seed);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let (mut written, mut left_out) = (0_usize, 0_usize);
    while let Some(case) = plan.next(&mut oracle) {
        if interrupted() {
            break;
        }
        clock.restart();
        let cancel = || clock.expired();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        let answer = match oracle.answer(&file.problem, &case.input, &mut meter) {
            Ok(expected) => expected.output,
            Err(failure) => match &failure.reason {
                Reason::Mistake(mistake) if !matches!(**mistake, Mistake::Position { .. }) => {
                    return Err(file.failed(&failure, &clock));
                }
                _ => {
                    left_out += 1;
                    continue;
                }
            },
        };
        written += 1;
        let name = format!("{written:03}-{}", origin_word(case.origin));
        for (extension, content) in [("in", &case.input), ("out", &answer)] {
            let path = options.dir.join(format!("{name}.{extension}"));
            let file = Output::new(Some(&path), options.force)?;
            file.write(|out| out.write_all(content.as_bytes()))?;
        }
    }
    clock.hide();
    let mut out = output::open();
    writeln!(out, "{}", text::cases(written, left_out, &options.dir))?;
    out.flush()?;
    Ok(if written == 0 {
        Status::Undecided
    } else {
        Status::Answered
    })
}
