//! `grundy judge`: contest problems, from their input to their output.

use std::io::{self, Read as _, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy::outcome::Evidence;
use grundy::text;
use grundy_problems::catalogue::{self, Entry, Sample};
use grundy_problems::engine::{Exhaustive, Knowing};
use grundy_problems::failure;
use grundy_problems::games::Library;
use grundy_problems::text::{JudgeRow, judge_header, judge_row};
use grundy_problems::{Judge, Run};
use grundy_rules::Meter;
use serde::Serialize;

use crate::args::JudgeOptions;
use crate::cache::Cache;
use crate::json::Proof;
use crate::limits::Clock;
use crate::output;
use crate::problem::File;
use crate::status::{Failure, Status};

/// How long an answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Carries out the command.
pub fn run(options: &JudgeOptions) -> Result<Status, Failure> {
    match &options.problem {
        Some(problem) => judge(problem, options),
        None => all(options),
    }
}

impl File {
    fn answer(
        &self,
        given: &[u8],
        options: &JudgeOptions,
        clock: &Clock,
    ) -> Result<Run, failure::Failure> {
        let library = Library::default();
        let cancel = || clock.expired();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        if options.exhaustive {
            let mut judge = Judge::new(&library, Exhaustive::default()).plainly();
            return judge.run(&self.problem, given, &mut meter);
        }
        let shelf = Cache::open(options.cache.no_cache);
        let mut judge = Judge::new(&library, Knowing::new(&library, &shelf));
        judge.run(&self.problem, given, &mut meter)
    }
}

/// Answers a problem for the standard input.
fn judge(problem: &str, options: &JudgeOptions) -> Result<Status, Failure> {
    let file = File::open(problem)?;
    let mut given = Vec::new();
    io::stdin().lock().read_to_end(&mut given)?;
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let answer = file.answer(&given, options, &clock);
    clock.hide();
    let run = answer.map_err(|failure| file.failed(&failure, &clock))?;
    let mut out = output::open();
    if options.json {
        let answer = AnswerJson {
            problem: &file.problem.name,
            output: &run.output,
            evidence: evidence(&run.evidence),
        };
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(run.output.as_bytes())?;
    }
    out.flush()?;
    for (game, evidence) in &run.evidence {
        anstream::eprintln!("{game}: {}", text::evidence(evidence));
    }
    Ok(Status::Answered)
}

/// Runs the samples of all problems of the catalogue.
fn all(options: &JudgeOptions) -> Result<Status, Failure> {
    let mut out = output::open();
    let mut status = Status::Answered;
    if !options.json {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", judge_header())?;
    }
    for entry in catalogue::PROBLEMS {
        let report = Report::of(entry, options)?;
        status = status.and(report.status);
        if options.json {
            let row = RowJson {
                problem: entry.name,
                samples: entry.samples.len(),
                passed: report.passed,
                evidence: evidence(&report.evidence),
                seconds: report.time.as_secs_f64(),
            };
            serde_json::to_writer(&mut out, &row).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            let style = match report.status {
                Status::Answered => AnsiColor::Green,
                Status::Undecided => AnsiColor::Yellow,
                _ => AnsiColor::Red,
            };
            let style = style.on_default();
            let row = judge_row(&JudgeRow {
                problem: entry.name,
                passed: report.passed,
                samples: entry.samples.len(),
                evidence: &report.evidence,
                time: report.time,
            });
            writeln!(out, "{style}{row}{style:#}")?;
        }
        out.flush()?;
        report.faults.iter().for_each(|fault| {
            anstream::eprintln!("{}", fault.trim_end());
        });
    }
    Ok(status)
}

/// What became of the samples of a problem.
struct Report {
    status: Status,
    passed: usize,
    evidence: Vec<(String, Evidence)>,
    time: Duration,
    faults: Vec<String>,
}

impl Report {
    fn of(entry: &Entry, options: &JudgeOptions) -> Result<Self, Failure> {
        let file = File::open(entry.name)?;
        let mut report = Self {
            status: Status::Answered,
            passed: 0,
            evidence: Vec::new(),
            time: Duration::ZERO,
            faults: Vec::new(),
        };
        for sample in entry.samples {
            report.add(sample, &file, options);
        }
        Ok(report)
    }

    fn add(&mut self, sample: &Sample, file: &File, options: &JudgeOptions) {
        let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
        let answer = file.answer(sample.input.as_bytes(), options, &clock);
        clock.hide();
        self.time += clock.elapsed();
        match answer {
            Ok(run) => {
                for known in run.evidence {
                    if !self.evidence.contains(&known) {
                        self.evidence.push(known);
                    }
                }
                if sample.is_answered_by(&run.output) {
                    self.passed += 1;
                } else {
                    self.status = self.status.and(Status::Refuted);
                }
            }
            Err(failure) => {
                let failure = file.failed(&failure, &clock);
                let status = match &failure {
                    Failure::Undecided(_) => Status::Undecided,
                    _ => Status::WrongInput,
                };
                self.status = self.status.and(status);
                if let Failure::Undecided(said) | Failure::Input(said) = failure {
                    self.faults.push(said);
                }
            }
        }
    }
}

fn evidence(known: &[(String, Evidence)]) -> Vec<Known<'_>> {
    let known = known.iter().map(|(game, evidence)| Known {
        game,
        evidence: Proof::from(evidence),
    });
    known.collect()
}

#[derive(Serialize)]
struct Known<'a> {
    game: &'a str,
    evidence: Proof,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    problem: &'a str,
    output: &'a str,
    evidence: Vec<Known<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    problem: &'a str,
    samples: usize,
    passed: usize,
    evidence: Vec<Known<'a>>,
    seconds: f64,
}
