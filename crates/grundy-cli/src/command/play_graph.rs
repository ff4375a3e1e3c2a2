//! `grundy play` on a graph: tokens against perfect play, and chance where the graph has some.

use std::io::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anstyle::Style;
use grundy::argument::Sum;
use grundy::play::Over as RulesOver;
use grundy::text::{self, error};
use grundy_graphs::play::{Over, Round, chosen};
use grundy_graphs::read::Names;
use grundy_graphs::retrograde::Play;
use grundy_graphs::text::{self as graph_text, Who};
use grundy_graphs::{End, Graph, Mover, Solution, Vertex, Work};
use grundy_rules::Meter;
use grundy_rules::ruleset::{self, EndingResult};

use super::conversation::{Table, converse, tell_over};
use super::graph::{convention, graph_in, solved, tokens, unanswered, unsolved};
use crate::args::PlayGameOptions;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long one answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);
/// How many best moves a hint shows.
const HINTED: usize = 3;

/// Carries out the command for the graph in a file.
pub fn run(file: &str, options: &PlayGameOptions) -> Result<Status, Failure> {
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut work = Work::with_cancel(options.limits.memory, &cancel);
    let named = graph_in(file, &mut work, &clock)?;
    let tokens = tokens(&options.position, &named.names, &named.tokens)?;
    if tokens.is_empty() {
        return Err(Failure::Input(error(graph_text::NO_TOKENS)));
    }
    let solution = solved(file, &named, convention(&options.play), &mut work, &clock)?;
    let about = About {
        graph_or_rules: vec![graph_text::size(&named.graph)],
        names: &named.names,
    };
    play(&solution, tokens, about, options, &clock, work)
}

/// Carries out the command for rules whose players have different moves, or with chance: on the graph of all positions.
pub(super) fn run_rules(
    sum: &Sum,
    options: &PlayGameOptions,
    clock: &Clock,
    meter: &mut Meter,
) -> Result<Status, Failure> {
    let cancel = || clock.expired();
    let mut work = Work::with_cancel(options.limits.memory, &cancel);
    let (graph, names) = positions(sum, clock, meter)?;
    let play_word = match sum.games.first().map(|game| game.play) {
        Some(ruleset::Play::Misere) => Play::Misere,
        _ => Play::Normal,
    };
    let solution = Solution::of(&graph, play_word, &mut work);
    clock.hide();
    let solution = solution.map_err(|reason| unsolved(&reason, &names, clock))?;
    let rules = sum.games.iter().flat_map(|game| {
        let moves = game.moves.iter();
        moves.map(|rule| game.rule_text(rule))
    });
    let about = About {
        graph_or_rules: rules.collect(),
        names: &names,
    };
    play(&solution, vec![0], about, options, clock, work)
}

/// The graph of all positions that a sum can reach, and their texts.
pub(super) fn positions(
    sum: &Sum,
    clock: &Clock,
    meter: &mut Meter,
) -> Result<(Graph, Names), Failure> {
    let found = grundy::graph::positions(&sum.games, &sum.parts, meter);
    clock.hide();
    let found = found.map_err(|limit| {
        let reached = |limit| clock.reached(limit);
        Failure::Undecided(text::undecided(&sum.games, &limit.into(), &reached))
    })?;
    let places = found.places.iter();
    let names = Names::of_list(places.map(|place| text::place(&sum.games, place)));
    Ok((found.graph, names))
}

/// What is known of the game besides its solution.
struct About<'a> {
    /// What `rules` tells.
    graph_or_rules: Vec<String>,
    names: &'a Names,
}

fn play<'a>(
    solution: &'a Solution<'a>,
    tokens: Vec<Vertex>,
    about: About<'a>,
    options: &PlayGameOptions,
    clock: &'a Clock,
    mut work: Work<'a>,
) -> Result<Status, Failure> {
    let person = if options.right {
        Mover::Right
    } else {
        Mover::Left
    };
    let first = if options.second {
        person.other()
    } else {
        person
    };
    let mut round = Round::new(solution, tokens, first);
    // Whoever sits down at a game that cannot be answered is told so at once.
    let answered = round.turn(&mut work);
    clock.hide();
    answered.map_err(|reason| unanswered(&reason, about.names, clock))?;
    let mut session = Session {
        several: round.tokens().len() > 1,
        round,
        about,
        person,
        person_first: !options.second,
        limit: options.limit,
        dice: Dice(options.seed.unwrap_or_else(some_seed)),
        clock,
        work,
        out: output::open(),
    };
    converse(&mut session)?;
    Ok(Status::Answered)
}

/// A seed that nobody knows before.
fn some_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        since.as_secs() ^ u64::from(since.subsec_nanos()) << 32
    })
}

/// Numbers for chance (splitmix64, Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// A game in the terminal.
struct Session<'a> {
    round: Round<'a, 'a>,
    about: About<'a>,
    /// Whose moves the person makes, where they differ.
    person: Mover,
    /// Whether the person made, or makes, the first move.
    person_first: bool,
    several: bool,
    limit: usize,
    dice: Dice,
    clock: &'a Clock,
    work: Work<'a>,
    out: Box<dyn Write>,
}

impl Table for Session<'_> {
    const HELP: &'static str = graph_text::PLAY_HELP;

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
        self.round.played()
    }

    fn take_back(&mut self) {
        self.round.undo();
    }

    fn begin(&mut self) -> Result<(), Failure> {
        writeln!(self.out, "{}", text::play_begins(self.person_first))?;
        if self.round.mover().is_some() {
            writeln!(self.out, "{}", graph_text::sides(self.person))?;
        }
        self.show()?;
        self.go_on()
    }

    fn show(&mut self) -> io::Result<()> {
        let bold = Style::new().bold();
        let position = graph_text::position(self.round.tokens(), self.about.names);
        writeln!(self.out, "{bold}{position}{bold:#}")
    }

    fn rules(&mut self) -> Result<(), Failure> {
        for line in &self.about.graph_or_rules {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), Failure> {
        let mut moves = self.round.moves();
        for line in graph_text::choice(&moves, self.limit, self.several, self.about.names) {
            writeln!(self.out, "{line}")?;
        }
        moves.truncate(self.limit);
        self.round.list(moves);
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.tell_over()? {
            return Ok(());
        }
        let turn = self.round.turn(&mut self.work);
        self.clock.hide();
        match turn {
            Ok(turn) => {
                for line in graph_text::hint(&turn, HINTED, self.several, self.about.names) {
                    writeln!(self.out, "{line}")?;
                }
            }
            Err(reason) => {
                let why = graph_text::unanswered(&reason, self.about.names);
                writeln!(self.out, "{why}")?;
            }
        }
        Ok(())
    }

    fn person(&mut self, written: &str) -> Result<(), Failure> {
        if self.round.over().is_some() {
            return Ok(writeln!(self.out, "{}", text::PLAY_IS_OVER)?);
        }
        match self.round.read(written, self.about.names) {
            Ok(next) => {
                let played = graph_text::played(Who::Person, &next, self.several, self.about.names);
                writeln!(self.out, "{played}")?;
                self.round.play(next);
                self.show()?;
                self.go_on()
            }
            Err(fault) => {
                let fault = graph_text::move_fault(&fault, self.several, self.about.names);
                Ok(writeln!(self.out, "{fault}")?)
            }
        }
    }
}

impl Session<'_> {
    /// Lets chance and the program move until it is the person's turn or play is over.
    fn go_on(&mut self) -> Result<(), Failure> {
        loop {
            while let Some((token, odds)) = self.round.chance() {
                let next = self.round.choose(token, chosen(&odds, self.dice.next()));
                let played = graph_text::played(Who::Chance, &next, self.several, self.about.names);
                writeln!(self.out, "{played}")?;
                self.show()?;
            }
            if self.tell_over()? || self.is_persons_turn() {
                return Ok(());
            }
            let reply = self.round.reply(&mut self.work);
            self.clock.hide();
            let reply = match reply {
                Ok(Some(reply)) => reply,
                Ok(None) => return Ok(()),
                Err(reason) => {
                    let why = graph_text::unanswered(&reason, self.about.names);
                    return Ok(writeln!(self.out, "{why}")?);
                }
            };
            let played =
                graph_text::played(Who::Program, &reply.next, self.several, self.about.names);
            writeln!(self.out, "{played}")?;
            let faint = Style::new().dimmed();
            writeln!(self.out, "  {faint}{}{faint:#}", graph_text::why(&reply))?;
            self.round.play(reply.next);
            self.show()?;
        }
    }

    /// Says how play is over, if it is.
    fn tell_over(&mut self) -> io::Result<bool> {
        let Some(over) = self.round.over() else {
            return Ok(false);
        };
        let mover = self.round.mover();
        let over = match over {
            Over::NoMove(Play::Normal) => RulesOver::NoMove(ruleset::Play::Normal),
            Over::NoMove(Play::Misere) => RulesOver::NoMove(ruleset::Play::Misere),
            Over::Ended(End::Draw) => RulesOver::Ended(EndingResult::Draw),
            Over::Ended(End::Won) => RulesOver::Ended(EndingResult::Won),
            Over::Ended(End::Wins(winner)) if mover == Some(winner) => {
                RulesOver::Ended(EndingResult::Won)
            }
            Over::Ended(End::Lost | End::Wins(_)) => RulesOver::Ended(EndingResult::Lost),
        };
        let persons = self.is_persons_turn();
        tell_over(&mut *self.out, over, persons)?;
        Ok(true)
    }
}
