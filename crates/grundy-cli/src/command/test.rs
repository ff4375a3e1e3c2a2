//! `grundy test`: the tests that games' files state.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use grundy::argument::{self, ArgumentFault};
use grundy::catalogue;
use grundy::expect::{Examiner, Verdict};
use grundy::text;
use grundy_rules::{Meter, Ruleset};
use serde::Serialize;

use crate::args::TestOptions;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// What became of one game's tests.
#[derive(Serialize)]
struct Report {
    file: String,
    passed: usize,
    failed: usize,
    undecided: usize,
    /// Those that did not pass.
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct Fault {
    line: usize,
    verdict: &'static str,
    message: String,
}

/// Carries out the command.
pub fn run(options: &TestOptions) -> Result<Status, Failure> {
    let mut out = output::open();
    let mut status = Status::Answered;
    for file in &options.files {
        let (game, source) = match game(file) {
            Ok(game) => game,
            Err(fault) => {
                out.flush()?;
                status = status.and(Failure::from(fault).report());
                continue;
            }
        };
        let report = examine(file, &game, &source, options);
        if options.json {
            serde_json::to_writer(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            write(&report, &mut out)?;
        }
        out.flush()?;
        if report.failed > 0 {
            status = status.and(Status::Refuted);
        }
        if report.undecided > 0 {
            status = status.and(Status::Undecided);
        }
    }
    Ok(status)
}

/// The game of a file, or of a name of the catalogue, with its text.
fn game(file: &str) -> Result<(Ruleset, String), ArgumentFault> {
    match catalogue::find(file) {
        Some(entry) => argument::game(file, &input::read).map(|game| (game, entry.text.to_owned())),
        None => argument::file(file, &input::read),
    }
}

fn examine(file: &str, game: &Ruleset, source: &str, options: &TestOptions) -> Report {
    let clock = Clock::start(&options.limits, None);
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let mut examiner = Examiner::new(game);
    let mut report = Report {
        file: file.to_owned(),
        passed: 0,
        failed: 0,
        undecided: 0,
        faults: Vec::new(),
    };
    for expectation in &game.expectations {
        let (verdict, message) = match examiner.examine(&expectation.kind, &mut meter) {
            Verdict::Passed | Verdict::AgreesTo(_) => {
                report.passed += 1;
                continue;
            }
            Verdict::Failed(failure) => {
                report.failed += 1;
                ("failed", text::failed_expectation(game, &failure))
            }
            Verdict::Undecided(undecided) => {
                report.undecided += 1;
                let reached = |limit| clock.reached(limit);
                let message = text::undecided(std::slice::from_ref(game), &undecided, &reached);
                ("undecided", message)
            }
        };
        let before = source.get(..expectation.span.start).unwrap_or_default();
        report.faults.push(Fault {
            line: before.matches('\n').count() + 1,
            verdict,
            message,
        });
    }
    clock.hide();
    report
}

fn write(report: &Report, out: &mut dyn Write) -> std::io::Result<()> {
    let total = report.passed + report.failed + report.undecided;
    let style = match (report.failed, report.undecided, total) {
        (0, 0, 0) => Style::new().dimmed(),
        (0, 0, _) => AnsiColor::Green.on_default(),
        (0, _, _) => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Red.on_default(),
    };
    let summary = if total == 0 {
        text::NO_EXPECTATIONS.to_owned()
    } else {
        text::summary(report.passed, report.failed, report.undecided)
    };
    writeln!(out, "{}: {style}{summary}{style:#}", report.file)?;
    for fault in &report.faults {
        writeln!(out, "  {}:{}: {}", report.file, fault.line, fault.message)?;
    }
    Ok(())
}
