//! `grundy show`: what the rules of a game mean, said back.

use std::io::Write;
use std::time::Duration;

use anstyle::Style;
use grundy::argument;
use grundy::show::facts;
use grundy::text;
use grundy_rules::Meter;
use serde::Serialize;

use crate::args::ShowOptions;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long small positions are tried unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

#[derive(Serialize)]
struct ShownJson {
    game: String,
    /// The rules as a file states them.
    rules: String,
    sentences: Vec<String>,
    facts: Vec<String>,
    reach: Vec<String>,
    checks: Vec<String>,
}

/// Carries out the command.
pub fn run(options: &ShowOptions) -> Result<Status, Failure> {
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let shown = text::shown(&game, &facts(&game, &mut meter));
    clock.hide();
    let mut out = output::open();
    if options.json {
        let json = ShownJson {
            game: argument::name(&game),
            rules: game.canonical_text(),
            sentences: shown.rules,
            facts: shown.facts,
            reach: shown.reach,
            checks: shown.checks,
        };
        serde_json::to_writer(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", shown.heading)?;
        for parameter in shown.parameters {
            writeln!(out, "  {parameter}")?;
        }
        let blocks = [
            (text::RULES, shown.rules),
            (text::FACTS, shown.facts),
            (text::REACH, shown.reach),
            (text::CHECKS, shown.checks),
        ];
        for (heading, lines) in blocks.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            writeln!(out, "\n{bold}{heading}{bold:#}")?;
            for line in lines {
                writeln!(out, "  {line}")?;
            }
        }
    }
    out.flush()?;
    Ok(Status::Answered)
}
