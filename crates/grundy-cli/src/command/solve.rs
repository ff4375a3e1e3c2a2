//! `grundy solve`: who wins, the value, and the winning moves.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy::argument::{self, ArgumentFault, Origin, Sum, text_of};
use grundy::graph;
use grundy::outcome::{Outcome, Undecided};
use grundy::play::can_move;
use grundy::solve::{Answer, Part, Query, Solver, Wanted};
use grundy::text;
use grundy_rules::{Meter, Ruleset};

use crate::args::{Moves, SolveOptions};
use crate::input;
use crate::json::{General, Solved};
use crate::learning::Learning;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long one answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Carries out the command.
pub fn run(options: &SolveOptions) -> Result<Status, Failure> {
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    if options.batch {
        let games = [game(options)?];
        let mut session = Session::new(&games, options, &clock, meter)?;
        return session.batch();
    }
    let Sum { games, parts } =
        input::sum(&options.game, &options.position, &options.play, &mut meter)?;
    let mut session = Session::new(&games, options, &clock, meter)?;
    let status = session.answer(&parts)?;
    session.out.flush()?;
    Ok(status)
}

/// The game of the argument GAME, under the convention asked for.
fn game(options: &SolveOptions) -> Result<Ruleset, ArgumentFault> {
    let game = argument::game(&options.game, &input::read)?;
    Ok(options.play.apply(game))
}

/// A solver that stays warm, and where its answers go.
struct Session<'a> {
    games: &'a [Ruleset],
    solver: Solver<'a>,
    learning: Learning<'a>,
    options: &'a SolveOptions,
    clock: &'a Clock,
    meter: Meter<'a>,
    out: Box<dyn Write>,
}

impl<'a> Session<'a> {
    fn new(
        games: &'a [Ruleset],
        options: &'a SolveOptions,
        clock: &'a Clock,
        meter: Meter<'a>,
    ) -> Result<Self, Failure> {
        let solver =
            Solver::new(games).map_err(|fault| Failure::Input(text::sum_fault(games, &fault)))?;
        Ok(Self {
            games,
            solver,
            learning: Learning::new(
                games,
                options.trust.accept_conjecture,
                options.cache.no_cache,
            ),
            options,
            clock,
            meter,
            out: output::open(),
        })
    }

    /// Answers each line of the input in a line.
    fn batch(&mut self) -> Result<Status, Failure> {
        let mut status = Status::Answered;
        if self.options.position.is_empty() {
            return self.lines(io::stdin().lock(), "-");
        }
        for position in &self.options.position {
            let ended = match input::source(position) {
                Some("-") => self.lines(io::stdin().lock(), "-")?,
                Some(path) => {
                    let file = File::open(path).map_err(|error| input::unreadable(path, &error))?;
                    self.lines(BufReader::new(file), path)?
                }
                None => {
                    let parts = self.parts(position)?;
                    self.answer_anew(&parts)?
                }
            };
            status = status.and(ended);
        }
        self.out.flush()?;
        Ok(status)
    }

    fn lines(&mut self, mut input: impl BufRead, path: &str) -> Result<Status, Failure> {
        let mut status = Status::Answered;
        let mut number = 0;
        loop {
            let mut bytes = Vec::new();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            number += 1;
            let in_line = |fault| match fault {
                ArgumentFault::Text {
                    origin: _,
                    text,
                    faults,
                } => ArgumentFault::Text {
                    origin: Origin::Line(path.to_owned(), number),
                    text,
                    faults,
                },
                fault => fault,
            };
            let line = text_of(bytes, path).map_err(in_line)?;
            let line = input::without_comment(&line).trim_end();
            if line.trim().is_empty() {
                continue;
            }
            let parts = self.parts(line).map_err(in_line)?;
            status = status.and(self.answer_anew(&parts)?);
            // Whoever writes the questions may wait for the answers.
            self.out.flush()?;
        }
        Ok(status)
    }

    /// The components of the position that a text means.
    fn parts(&mut self, text: &str) -> Result<Vec<Part>, ArgumentFault> {
        let position = argument::position(text, &self.games[0], &mut self.meter)?;
        Ok(position
            .0
            .into_iter()
            .map(|component| Part { game: 0, component })
            .collect())
    }

    /// Answers one question of many, each with the whole time limit.
    fn answer_anew(&mut self, sum: &[Part]) -> Result<Status, Failure> {
        self.clock.restart();
        self.answer(sum)
    }

    fn answer(&mut self, sum: &[Part]) -> Result<Status, Failure> {
        let within = self.within(sum)?;
        self.learning.learn(&mut self.solver, sum, self.clock);
        let query = Query {
            moves: match self.options.moves {
                Moves::All => Wanted::All,
                Moves::First => Wanted::First,
                Moves::Least => Wanted::Least,
                Moves::Count => Wanted::Count,
                Moves::None => Wanted::None,
            },
            distinct: self.options.distinct,
            limit: self.options.limit,
        };
        let answer = match within {
            Some(index) => self.solver.answer_in(sum, index, query, &mut self.meter),
            None => self.solver.answer(sum, query, &mut self.meter),
        };
        if let Err(Undecided::NotSolved(_)) = answer {
            if within.is_some() {
                let message = text::error(text::FIRST_IN_OF_EQUAL_PLAYERS);
                return Err(Failure::Input(message));
            }
            return self.answer_in_general(sum, query);
        }
        self.clock.hide();
        if self.options.json {
            let reached = |limit| self.clock.reached(limit);
            let solved = Solved::new(self.games, sum, answer.as_ref(), &reached);
            let solved = solved.with_cycles(&self.solver, sum);
            let solved = solved.with_first_move_in(within);
            serde_json::to_writer(&mut self.out, &solved).map_err(io::Error::from)?;
            writeln!(self.out)?;
        } else {
            match &answer {
                Ok(answer) if self.options.batch => {
                    writeln!(
                        self.out,
                        "{}",
                        text::solved_in_a_line(self.games, sum, answer)
                    )?;
                }
                Ok(answer) => self.write(sum, within, answer)?,
                Err(_) if self.options.batch => writeln!(self.out, "{}", text::UNDECIDED_LINE)?,
                Err(_) => {}
            }
        }
        match answer {
            Ok(_) => Ok(Status::Answered),
            Err(undecided) => {
                self.out.flush()?;
                self.tell(&undecided);
                Ok(Status::Undecided)
            }
        }
    }

    /// Answers where the players have different moves, or chance moves.
    fn answer_in_general(&mut self, sum: &[Part], query: Query) -> Result<Status, Failure> {
        let answer = graph::answer(self.games, sum, query, &mut self.meter);
        self.clock.hide();
        let answer = match answer {
            Ok(answer) => answer,
            Err(undecided) => {
                if self.options.batch {
                    writeln!(self.out, "{}", text::UNDECIDED_LINE)?;
                }
                self.out.flush()?;
                self.tell(&undecided);
                return Ok(Status::Undecided);
            }
        };
        if self.options.json {
            let json = General::new(self.games, sum, &answer);
            serde_json::to_writer(&mut self.out, &json).map_err(io::Error::from)?;
            writeln!(self.out)?;
            return Ok(Status::Answered);
        }
        let lines = text::general(self.games, sum, &answer);
        if self.options.batch {
            let line: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
            writeln!(self.out, "{}", line.join("\t"))?;
            return Ok(Status::Answered);
        }
        let bold = Style::new().bold();
        let question = text::question(self.games, sum);
        writeln!(self.out, "{bold}{question}{bold:#}")?;
        for (line, moves) in lines {
            writeln!(self.out, "{line}")?;
            for next in moves {
                writeln!(self.out, "  {next}")?;
            }
        }
        let faint = Style::new().dimmed();
        let solver = text::general_solver(&answer);
        writeln!(self.out, "{faint}{solver}{faint:#}")?;
        Ok(Status::Answered)
    }

    /// The index of the component in which the first move must be made, if one is named.
    fn within(&mut self, sum: &[Part]) -> Result<Option<usize>, Failure> {
        let Some(number) = self.options.first_in else {
            return Ok(None);
        };
        let refused = |message: &str| Err(Failure::Input(text::error(message)));
        let Some(index) = number.checked_sub(1).filter(|index| *index < sum.len()) else {
            return refused(&text::no_component(number, sum.len()));
        };
        let part = &sum[index];
        // Where that is too much to find out, the answer is too.
        match can_move(&self.games[part.game], &part.component, &mut self.meter) {
            Ok(false) => refused(&text::no_move_in(number)),
            _ => Ok(Some(index)),
        }
    }

    fn tell(&self, undecided: &Undecided) {
        let reached = |limit| self.clock.reached(limit);
        anstream::eprintln!("{}", text::undecided(self.games, undecided, &reached));
    }

    /// Writes an answer for people.
    fn write(&mut self, sum: &[Part], within: Option<usize>, answer: &Answer) -> io::Result<()> {
        let mut solved = text::solved(self.games, sum, answer, &|limit| self.clock.reached(limit));
        solved.notes.extend(text::cycle_notes(&self.solver, sum));
        let bold = Style::new().bold();
        let colour = match answer.outcome {
            Outcome::N => AnsiColor::Green,
            Outcome::P => AnsiColor::Red,
            Outcome::Draw => AnsiColor::Yellow,
        };
        let verdict = colour.on_default().bold();
        let faint = Style::new().dimmed();
        let bound = within.map(|index| format!("; {}", text::bound_to(self.games, sum, index)));
        let question = solved.question + &bound.unwrap_or_default();
        writeln!(self.out, "{bold}{question}{bold:#}")?;
        writeln!(self.out, "{verdict}{}{verdict:#}", solved.verdict)?;
        for note in solved.notes {
            writeln!(self.out, "{faint}{note}{faint:#}")?;
        }
        if let Some(heading) = solved.moves_heading {
            let end = if solved.moves.is_empty() { "" } else { ":" };
            writeln!(self.out, "\n{heading}{end}")?;
        }
        for line in solved.moves.iter().chain(&solved.rest) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }
}
