//! `grundy play`: a game against perfect play.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::Style;
use grundy::oracle::unsolved_clause;
use grundy::outcome::{Evidence, Outcome, Undecided};
use grundy::play::{Reply, Round, Why, reply};
use grundy::solve::{Query, Solver, Wanted};
use grundy::text;
use grundy_rules::{Limit, Meter};

use super::conversation::{Table, converse, tell_over};
use super::play_graph;
use crate::args::PlayGameOptions;
use crate::input;
use crate::learning::Learning;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long one answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);
/// How many winning moves a hint shows.
const HINTED: usize = 3;
/// How many moves are listed from each end of a rule where they are too many.
const LISTED_EACH: usize = 10;

/// Carries out the command.
pub fn run(options: &PlayGameOptions) -> Result<Status, Failure> {
    if let Some(file) = input::graph_file(&options.game) {
        return play_graph::run(file, options);
    }
    if options.position.iter().any(|text| text == "-") {
        return Err(Failure::Input(text::error(text::POSITION_FROM_INPUT)));
    }
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let sum = input::sum(&options.game, &options.position, &options.play, &mut meter)?;
    if sum.games.iter().any(|game| unsolved_clause(game).is_some()) {
        return play_graph::run_rules(&sum, options, &clock, &mut meter);
    }
    let solver = Solver::new(&sum.games)
        .map_err(|fault| Failure::Input(text::sum_fault(&sum.games, &fault)))?;
    let mut session = Session {
        round: Round::new(&sum.games, sum.parts.clone()),
        solver,
        learning: Learning::new(&sum.games, false, options.cache.no_cache),
        person_first: !options.second,
        told: None,
        limit: options.limit,
        clock: &clock,
        meter,
        out: output::open(),
    };
    converse(&mut session)?;
    Ok(Status::Answered)
}

/// A game in the terminal.
struct Session<'a> {
    round: Round<'a>,
    solver: Solver<'a>,
    learning: Learning<'a>,
    /// Whether the person made, or makes, the first move.
    person_first: bool,
    /// How the program's last move was known, so that it is said once.
    told: Option<Evidence>,
    limit: usize,
    clock: &'a Clock,
    meter: Meter<'a>,
    out: Box<dyn Write>,
}

impl Table for Session<'_> {
    const HELP: &'static str = text::PLAY_HELP;

    fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    fn clock(&self) -> &Clock {
        self.clock
    }

    fn person_first(&self) -> bool {
        self.person_first
    }

    fn played(&self) -> usize {
        self.round.past().len()
    }

    fn take_back(&mut self) {
        self.round.undo();
    }

    fn begin(&mut self) -> Result<(), Failure> {
        writeln!(self.out, "{}", text::play_begins(self.person_first))?;
        self.show()?;
        self.turn()
    }

    fn show(&mut self) -> io::Result<()> {
        let bold = Style::new().bold();
        let question = text::question(self.round.games(), self.round.sum());
        writeln!(self.out, "{bold}{question}{bold:#}")
    }

    fn rules(&mut self) -> Result<(), Failure> {
        for game in self.round.games() {
            for rule in &game.moves {
                writeln!(self.out, "{}", game.rule_text(rule))?;
            }
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), Failure> {
        let choice = self.round.choice(LISTED_EACH, &mut self.meter);
        self.clock.hide();
        let choice = match choice {
            Ok(choice) => choice,
            Err(limit) => return self.tell_undecided(&limit.into()),
        };
        let (games, sum) = (self.round.games(), self.round.sum());
        for line in text::choice(games, sum, &choice, self.limit) {
            writeln!(self.out, "{line}")?;
        }
        let mut moves = choice.moves;
        moves.truncate(self.limit);
        self.round.list(moves);
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.tell_over()? {
            return Ok(());
        }
        self.learn();
        let query = Query {
            moves: Wanted::All,
            distinct: false,
            limit: HINTED,
        };
        let answer = self.solver.answer(self.round.sum(), query, &mut self.meter);
        let answer = match answer {
            Ok(answer) => answer,
            Err(undecided) => return self.tell_undecided(&undecided),
        };
        let hard = match answer.outcome {
            Outcome::P => reply(&self.round, &mut self.solver, &mut self.meter)
                .ok()
                .flatten(),
            _ => None,
        };
        self.clock.hide();
        let hard = hard.map(|reply| reply.next);
        let reached = |limit: Limit| self.clock.reached(limit);
        let (games, sum) = (self.round.games(), self.round.sum());
        for line in text::hint(games, sum, &answer, hard.as_ref(), &reached) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn person(&mut self, written: &str) -> Result<(), Failure> {
        if let Ok(Some(_)) = self.round.over(&mut self.meter) {
            return Ok(writeln!(self.out, "{}", text::PLAY_IS_OVER)?);
        }
        let read = self.round.read(written, &mut self.meter);
        self.clock.hide();
        let (games, sum) = (self.round.games(), self.round.sum());
        match read {
            Ok(next) => {
                writeln!(self.out, "{}", text::played(true, games, sum, &next))?;
                self.round.play(next);
                self.show()?;
                self.turn()
            }
            Err(fault) => {
                let reached = |limit| self.clock.reached(limit);
                let fault = text::move_fault(&fault, games, sum, &reached);
                Ok(writeln!(self.out, "{fault}")?)
            }
        }
    }
}

impl Session<'_> {
    /// Says if play is over; if it is the program's turn, plays its move.
    fn turn(&mut self) -> Result<(), Failure> {
        if self.tell_over()? || self.is_persons_turn() {
            return Ok(());
        }
        self.learn();
        let answer = reply(&self.round, &mut self.solver, &mut self.meter);
        self.clock.hide();
        let Reply { next, why } = match answer {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(undecided) => return self.tell_undecided(&undecided),
        };
        let (games, sum) = (self.round.games(), self.round.sum());
        writeln!(self.out, "{}", text::played(false, games, sum, &next))?;
        let known = match &why {
            Why::Wins(known) | Why::Draws(known) | Why::Lost(known) | Why::Overlooked(known) => {
                Some(known.clone())
            }
            Why::Unknown(_) => None,
        };
        let is_news = known.is_some() && known != self.told;
        let faint = Style::new().dimmed();
        let reached = |limit| self.clock.reached(limit);
        let why = text::why(&why, is_news, games, &reached);
        writeln!(self.out, "  {faint}{why}{faint:#}")?;
        self.told = known.or(self.told.take());
        self.round.play(next);
        self.show()?;
        self.tell_over()?;
        Ok(())
    }

    /// Says how play is over, if it is.
    fn tell_over(&mut self) -> Result<bool, Failure> {
        match self.round.over(&mut self.meter) {
            Ok(None) => Ok(false),
            Ok(Some(over)) => {
                let persons = self.is_persons_turn();
                tell_over(&mut *self.out, over, persons)?;
                Ok(true)
            }
            Err(limit) => {
                self.tell_undecided(&limit.into())?;
                Ok(false)
            }
        }
    }

    fn tell_undecided(&mut self, undecided: &Undecided) -> Result<(), Failure> {
        let reached = |limit| self.clock.reached(limit);
        let why = text::undecided(self.round.games(), undecided, &reached);
        Ok(writeln!(self.out, "{why}")?)
    }

    fn learn(&mut self) {
        let sum = self.round.sum().to_vec();
        self.learning.learn(&mut self.solver, &sum, self.clock);
    }
}
