//! `grundy stress`: the smallest input that a program answers wrongly.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use grundy::explain::{Request, explain};
use grundy::solve::{Part, Solver};
use grundy::text::document;
use grundy_problems::failure::{self, Mistake, Reason};
use grundy_problems::games::Library;
use grundy_problems::protocol::COMPONENTS;
use grundy_problems::stress::{Case, Difference, Expected, Oracle, Plan, compare, shrink, tape};
use grundy_problems::text::origin_word;
use grundy_problems::value::Sum;
use grundy_rules::{Meter, Ruleset};
use serde::Serialize;

use crate::args::StressOptions;
use crate::cache::Cache;
use crate::limits::{Clock, interrupted};
use crate::output;
use crate::problem::File;
use crate::program::{End, Program, Ran};
use crate::status::{Failure, Status};
use crate::text;

/// How long the answer to one input is looked for unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// How long a smaller input is looked for, at least.
const SHRINKING: Duration = Duration::from_secs(3);
/// How long an explanation may take.
const EXPLAINING: Duration = Duration::from_secs(3);
/// Only so many positions of an input are explained.
const MOST_EXPLAINED: usize = 2;

/// What is wrong with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What was printed differs.
    Output(Difference),
    /// It did not end as it should.
    End(End),
}

impl Fault {
    /// Whether two are of one kind, so that a smaller input with the one shows the other.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::End(End::Status(_) | End::Signal(_)),
                Self::End(End::Status(_) | End::Signal(_)),
            ) => true,
            _ => self == other,
        }
    }
}

/// Carries out the command.
pub fn run(options: &StressOptions) -> Result<Status, Failure> {
    let plain = &options.plain;
    let file = File::of_problem_or_game(&options.problem, plain, plain.upto, COMPONENTS)?;
    let shelf = Cache::open(options.cache.no_cache);
    let library = Library::default();
    let mut tester = Tester {
        file: &file,
        program: Program {
            words: &options.program,
            time: options.program_time,
            memory: options.program_memory,
        },
        oracle: Oracle::new(&library, &shelf),
        clock: Clock::start(&options.limits, Some(DEFAULT_TIME)),
        start: Instant::now(),
    };
    let tests = usize::try_from(options.tests).unwrap_or(usize::MAX);
    let inputs = file.samples.iter().map(|sample| sample.input);
    let mut plan = Plan::new(&file.problem, inputs, tests, options.seed);
    let total = options.tests + file.samples.len() as u64;
    let mut tally = Tally::default();
    while let Some(case) = plan.next(&mut tester.oracle) {
        if interrupted() {
            break;
        }
        let tested = tester.test(&case.input)?;
        tally.inputs += 1;
        tally.unknown += u64::from(tested.expected.is_none());
        tester.show(tally.inputs, total);
        if let Some(fault) = tested.fault {
            let found = tester.smallest(&case, fault, tested)?;
            tester.clock.hide();
            report(&found, &case, &tally, options, &mut tester)?;
            return Ok(Status::Refuted);
        }
    }
    tester.clock.hide();
    passed(&tally, options)
}

/// How many inputs there were.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    /// All.
    pub inputs: u64,
    /// Those whose answer was not found in time; the program had only to end well.
    pub unknown: u64,
}

struct Tester<'t, 'g> {
    file: &'t File,
    program: Program<'t>,
    oracle: Oracle<'g>,
    clock: Clock,
    start: Instant,
}

/// What became of one input.
struct Tested {
    input: String,
    expected: Option<Expected>,
    ran: Ran,
    fault: Option<Fault>,
}

impl Tester<'_, '_> {
    fn test(&mut self, input: &str) -> Result<Tested, Failure> {
        let ran = self.program.run(input, &interrupted);
        let ran = ran.map_err(|error| self.not_started(&error))?;
        if ran.end == End::Status(NOT_FOUND) || ran.end == End::Status(NOT_A_PROGRAM) {
            return Err(Failure::Input(text::not_started(
                self.program.words,
                &ran.complaint,
            )));
        }
        // What a program that did not end well should have printed is told of the smallest input alone.
        let expected = match ran.end {
            End::Well => self.expected(input)?,
            _ => None,
        };
        let fault = match ran.end {
            End::Well => expected
                .as_ref()
                .and_then(|expected| compare(&expected.output, &ran.output))
                .map(Fault::Output),
            End::Stopped => None,
            end => Some(Fault::End(end)),
        };
        Ok(Tested {
            input: input.to_owned(),
            expected,
            ran,
            fault,
        })
    }

    fn not_started(&self, error: &io::Error) -> Failure {
        Failure::Input(text::not_started(self.program.words, &error.to_string()))
    }

    /// What is to be printed; `None` where it is not known in time.
    fn expected(&mut self, input: &str) -> Result<Option<Expected>, Failure> {
        self.clock.restart();
        let (file, clock) = (self.file, &self.clock);
        let cancel = || clock.expired();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        match self.oracle.answer(&file.problem, input, &mut meter) {
            Ok(expected) => Ok(Some(expected)),
            Err(failure) if is_open(&failure) => Ok(None),
            Err(failure) => Err(file.failed(&failure, clock)),
        }
    }

    /// The smallest input with a fault like this one that is found in time.
    fn smallest(&mut self, case: &Case, fault: Fault, first: Tested) -> Result<Found, Failure> {
        let until = Instant::now() + SHRINKING.max(2 * self.program.time);
        let problem = &self.file.problem;
        let mut best = first;
        let mut failed = None;
        let mut meter = Meter::new(self.clock.budget());
        if let Ok(written) = tape::read(problem, &case.input, &mut meter) {
            let mut faulty = |input: &str| {
                if Instant::now() >= until || interrupted() {
                    return None;
                }
                match self.test(input) {
                    Ok(tested) => {
                        let alike = tested.fault.is_some_and(|other| other.is_like(fault));
                        if alike {
                            best = tested;
                        }
                        Some(alike)
                    }
                    Err(failure) => {
                        failed = Some(failure);
                        None
                    }
                }
            };
            shrink(problem, written, &mut faulty);
        }
        match failed {
            Some(failure) => Err(failure),
            None => {
                if best.ran.end != End::Well {
                    best.expected = self.expected(&best.input)?;
                }
                Ok(Found {
                    tested: best,
                    fault,
                })
            }
        }
    }

    /// Why the positions that an input asks about are won or lost.
    fn reasons(&mut self, input: &str) -> Vec<String> {
        let start = Instant::now();
        let cancel = || start.elapsed() >= EXPLAINING || interrupted();
        let mut meter = Meter::with_cancel(self.clock.budget(), &cancel);
        let sums = self.oracle.sums(&self.file.problem, input, &mut meter);
        let mut lines = Vec::new();
        for sum in sums.unwrap_or_default().iter().take(MOST_EXPLAINED) {
            let (games, parts) = self.alone(sum);
            let Ok(mut solver) = Solver::new(&games) else {
                continue;
            };
            let request = Request {
                chosen: None,
                limit: 10,
            };
            // What cannot be explained in time is left out: the outputs have said enough.
            if let Ok(explanation) = explain(&mut solver, &parts, &request, &mut meter) {
                let blocks = grundy::text::explanation(&games, &explanation);
                let plain = document::plain(&blocks).into_iter();
                lines.extend(plain.map(|(_, line)| line));
            }
        }
        lines
    }

    /// A sum with its games, as a solver wants them.
    fn alone(&mut self, sum: &Sum) -> (Vec<Ruleset>, Vec<Part>) {
        let games = sum
            .games
            .iter()
            .map(|game| self.oracle.rules(*game).clone());
        let games = games.collect();
        let parts = sum.parts.iter().map(|part| Part {
            game: sum
                .games
                .iter()
                .position(|game| *game == part.game)
                .unwrap_or(0),
            component: part.component.clone(),
        });
        (games, parts.collect())
    }

    fn show(&self, done: u64, total: u64) {
        if self.start.elapsed() >= Duration::from_secs(1) {
            self.clock.done_since(self.start, done, total);
        }
    }
}

/// The exit statuses of a shell that has no program to start.
const NOT_FOUND: i32 = 127;
const NOT_A_PROGRAM: i32 = 126;

/// Whether a failure says nothing about the problem or its input: a limit was reached, or the position
/// that was drawn is none of the game.
fn is_open(failure: &failure::Failure) -> bool {
    match &failure.reason {
        Reason::Undecided(_) => true,
        Reason::Mistake(mistake) => matches!(**mistake, Mistake::Position { .. }),
        Reason::Input(_) => false,
    }
}

/// An input that shows a fault.
struct Found {
    tested: Tested,
    fault: Fault,
}

fn report(
    found: &Found,
    case: &Case,
    tally: &Tally,
    options: &StressOptions,
    tester: &mut Tester,
) -> Result<(), Failure> {
    let Found { tested, fault } = found;
    let reasons = tester.reasons(&tested.input);
    let mut out = output::open();
    if options.json {
        let json = ReportJson {
            problem: &tester.file.problem.name,
            verdict: text::fault_word(*fault),
            inputs: tally.inputs,
            origin: Some(origin_word(case.origin)),
            input: Some(&tested.input),
            expected: tested.expected.as_ref().map(|e| e.output.as_str()),
            got: Some(&tested.ran.output),
            complaint: Some(&tested.ran.complaint),
            why: reasons,
            unknown: tally.unknown,
        };
        serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let bold = Style::new().bold();
    let red = AnsiColor::Red.on_default().bold();
    writeln!(out, "{red}{}{red:#}", text::fault(*fault, &tester.program))?;
    writeln!(out, "{}", text::found_at(tally.inputs, case.origin))?;
    let mut section = |title: &str, content: &str| -> io::Result<()> {
        writeln!(out, "\n{bold}{title}{bold:#}")?;
        for line in text::shortened(content) {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    };
    section(text::INPUT, &tested.input)?;
    match &tested.expected {
        Some(expected) => section(text::expected(expected.searched), &expected.output)?,
        None => section(text::EXPECTED_UNKNOWN, "")?,
    }
    section(text::GOT, &tested.ran.output)?;
    if !tested.ran.complaint.trim().is_empty() {
        section(text::COMPLAINT, &tested.ran.complaint)?;
    }
    if !reasons.is_empty() {
        section(text::WHY, &reasons.join("\n"))?;
    }
    Ok(out.flush()?)
}

fn passed(tally: &Tally, options: &StressOptions) -> Result<Status, Failure> {
    let compared = tally.inputs - tally.unknown;
    let mut out = output::open();
    if options.json {
        let json = ReportJson {
            problem: &options.problem,
            verdict: "passed",
            inputs: tally.inputs,
            origin: None,
            input: None,
            expected: None,
            got: None,
            complaint: None,
            why: Vec::new(),
            unknown: tally.unknown,
        };
        serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", text::passed(tally))?;
    }
    out.flush()?;
    Ok(if compared == 0 {
        Status::Undecided
    } else {
        Status::Answered
    })
}

#[derive(Serialize)]
struct ReportJson<'a> {
    problem: &'a str,
    verdict: &'static str,
    inputs: u64,
    /// How many of them had no answer in time.
    unknown: u64,
    origin: Option<&'static str>,
    input: Option<&'a str>,
    expected: Option<&'a str>,
    got: Option<&'a str>,
    complaint: Option<&'a str>,
    why: Vec<String>,
}
