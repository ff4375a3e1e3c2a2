//! `grundy explain`: why a position is won or lost.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy::argument::Sum;
use grundy::explain::{Explanation, Request, explain};
use grundy::oracle::unsolved_clause;
use grundy::outcome::{Outcome, Undecided};
use grundy::play::{MoveFault, Round};
use grundy::solve::{Part, Solver};
use grundy::text;
use grundy::text::document::{self, Role};
use grundy_graphs::Work;
use grundy_graphs::text::EXPLAINED_AS_TEXT;
use grundy_rules::moves::Move;
use grundy_rules::{Meter, Ruleset};

use super::graph;
use crate::args::{ExplainOptions, TextFormat};
use crate::explained::Explained;
use crate::input;
use crate::learning::Learning;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long an explanation may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Carries out the command.
pub fn run(options: &ExplainOptions) -> Result<Status, Failure> {
    if let Some(file) = input::graph_file(&options.game) {
        if options.json || options.format != TextFormat::Text {
            return Err(Failure::Input(text::error(EXPLAINED_AS_TEXT)));
        }
        return graph::explain(file, options);
    }
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let sum = input::sum(&options.game, &options.position, &options.play, &mut meter)?;
    if sum.games.iter().any(|game| unsolved_clause(game).is_some()) {
        if options.json || options.format != TextFormat::Text {
            return Err(Failure::Input(text::error(EXPLAINED_AS_TEXT)));
        }
        let mut work = Work::with_cancel(options.limits.memory, &cancel);
        return graph::explain_rules(&sum, options, &clock, &mut meter, &mut work);
    }
    let Sum { games, parts } = sum;
    let mut solver =
        Solver::new(&games).map_err(|fault| Failure::Input(text::sum_fault(&games, &fault)))?;
    let chosen = match &options.chosen {
        Some(text) => Some(chosen(&games, &parts, text, &clock, &mut meter)?),
        None => None,
    };
    let mut learning = Learning::new(
        &games,
        options.trust.accept_conjecture,
        options.cache.no_cache,
    );
    learning.learn(&mut solver, &parts, &clock);
    let request = Request {
        chosen,
        limit: options.limit,
    };
    let explained = explain(&mut solver, &parts, &request, &mut meter);
    clock.hide();
    match explained {
        Ok(explanation) => {
            write(&games, &explanation, options, &clock)?;
            Ok(Status::Answered)
        }
        Err(undecided) => Err(told(&games, &undecided, &clock)),
    }
}

fn told(games: &[Ruleset], undecided: &Undecided, clock: &Clock) -> Failure {
    let reached = |limit| clock.reached(limit);
    Failure::Undecided(text::undecided(games, undecided, &reached))
}

/// The move that the user means.
fn chosen(
    games: &[Ruleset],
    sum: &[Part],
    text: &str,
    clock: &Clock,
    meter: &mut Meter,
) -> Result<Move, Failure> {
    let round = Round::new(games, sum.to_vec());
    round.read(text, meter).map_err(|fault| {
        let message = text::move_fault(&fault, games, sum, &|limit| clock.reached(limit));
        match fault {
            MoveFault::Limit(_) => Failure::Undecided(message),
            MoveFault::Argument(_) => Failure::Input(message),
            _ => Failure::Input(text::error(&message)),
        }
    })
}

fn write(
    games: &[Ruleset],
    explanation: &Explanation,
    options: &ExplainOptions,
    clock: &Clock,
) -> io::Result<()> {
    let mut out = output::open();
    if options.json {
        let reached = |limit| clock.reached(limit);
        let explained = Explained::new(games, explanation, &reached);
        serde_json::to_writer(&mut out, &explained).map_err(io::Error::from)?;
        writeln!(out)?;
        return out.flush();
    }
    let blocks = text::explanation(games, explanation);
    match options.format {
        TextFormat::Markdown => write!(out, "{}", document::markdown(&blocks))?,
        TextFormat::Latex => write!(out, "{}", document::latex(&blocks))?,
        TextFormat::Text => {
            for (role, line) in document::plain(&blocks) {
                let style = style(role);
                writeln!(out, "{style}{line}{style:#}")?;
            }
        }
    }
    out.flush()
}

fn style(role: Role) -> Style {
    let colour = |colour: AnsiColor| colour.on_default().bold();
    match role {
        Role::Title | Role::Heading => Style::new().bold(),
        Role::Verdict(Outcome::N) => colour(AnsiColor::Green),
        Role::Verdict(Outcome::P) => colour(AnsiColor::Red),
        Role::Verdict(Outcome::Draw) => colour(AnsiColor::Yellow),
        Role::Plain => Style::new(),
    }
}
