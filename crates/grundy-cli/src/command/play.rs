//! `grundy play`: a game against perfect play.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy::oracle::unsolved_clause;
use grundy::outcome::{Evidence, Outcome, Undecided};
use grundy::play::{Over, Reply, Round, Why, reply};
use grundy::solve::{Query, Solver, Wanted};
use grundy::text;
use grundy_rules::{Limit, Meter};

use super::play_graph;
use crate::args::PlayGameOptions;
use crate::input;
use crate::learning::Learning;
use crate::limits::{self, Clock};
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

/// What is played in a terminal, line by line.
pub(super) trait Table {
    /// Where all is written.
    fn out(&mut self) -> &mut dyn Write;

    /// Says where the game begins, and moves if the program is to.
    fn begin(&mut self) -> Result<(), Failure>;

    /// Does what the person writes.
    fn line(&mut self, line: &str) -> Result<Next, Failure>;
}

/// Plays until the person or the input ends it.
pub(super) fn converse(table: &mut impl Table) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    table.begin()?;
    let is_terminal = io::stdin().is_terminal();
    loop {
        if is_terminal {
            write!(table.out(), "{}", text::PROMPT)?;
        }
        table.out().flush()?;
        let mut line = Vec::new();
        let read = limits::while_waiting(|| input.read_until(b'\n', &mut line))?;
        if read == 0 || table.line(String::from_utf8_lossy(&line).trim())? == Next::End {
            break;
        }
    }
    table.out().flush()?;
    Ok(())
}

/// Says how play is over.
pub(super) fn tell_over(out: &mut dyn Write, over: Over, is_persons_turn: bool) -> io::Result<()> {
    let colour = match over.has_won() {
        Some(won) if won == is_persons_turn => AnsiColor::Green,
        Some(_) => AnsiColor::Red,
        None => AnsiColor::Yellow,
    };
    let verdict = colour.on_default().bold();
    let over = text::over(over, is_persons_turn);
    writeln!(out, "{verdict}{over}{verdict:#}")
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

/// Whether to go on.
#[derive(PartialEq, Eq)]
pub(super) enum Next {
    /// Wait for the next line.
    Line,
    /// The person has enough.
    End,
}

impl Table for Session<'_> {
    fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    fn begin(&mut self) -> Result<(), Failure> {
        writeln!(self.out, "{}", text::play_begins(self.person_first))?;
        self.show()?;
        self.turn()
    }

    fn line(&mut self, line: &str) -> Result<Next, Failure> {
        self.clock.restart();
        match line {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::End),
            "help" | "?" => writeln!(self.out, "{}", text::PLAY_HELP)?,
            "position" => self.show()?,
            "rules" => self.rules()?,
            "moves" => self.moves()?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            written => self.person(written)?,
        }
        Ok(Next::Line)
    }
}

impl Session<'_> {
    fn is_persons_turn(&self) -> bool {
        self.round.past().len().is_multiple_of(2) == self.person_first
    }

    fn show(&mut self) -> io::Result<()> {
        let bold = Style::new().bold();
        let question = text::question(self.round.games(), self.round.sum());
        writeln!(self.out, "{bold}{question}{bold:#}")
    }

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

    /// Plays what the person wrote, if it is a move.
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

    /// Takes back the person's last move, and the answer to it.
    fn undo(&mut self) -> Result<(), Failure> {
        let made = self.round.past().len();
        let answered = self.is_persons_turn();
        let back = 1 + usize::from(answered);
        let of_person = made >= back && (made - back).is_multiple_of(2) == self.person_first;
        if !of_person {
            return Ok(writeln!(self.out, "{}", text::NOTHING_TO_UNDO)?);
        }
        for _ in 0..back {
            self.round.undo();
        }
        writeln!(self.out, "{}", text::undone(back))?;
        Ok(self.show()?)
    }

    /// Lists the moves, or some of them.
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

    /// Tells who wins, and by which moves.
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

    /// Says what the moves are.
    fn rules(&mut self) -> Result<(), Failure> {
        for game in self.round.games() {
            for rule in &game.moves {
                writeln!(self.out, "{}", game.rule_text(rule))?;
            }
        }
        Ok(())
    }
}
