//! `grundy graph`: games on graphs that are given edge by edge.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy::argument::Sum;
use grundy::text::error;
use grundy_graphs::explain;
use grundy_graphs::play::Round;
use grundy_graphs::read::{Fault, Format, Named, Names, ReadFault, read};
use grundy_graphs::retrograde::{Outcome, Play};
use grundy_graphs::sum::{Answer, Sums, Turn, Unanswered};
use grundy_graphs::{Mover, Prospect, Solution, Stop, Unsolved, Vertex, Work, draw, text};
use grundy_rules::{Limit, Meter};

use super::graph_used;
use crate::args::{ExplainOptions, GraphFormat, GraphGame, GraphOptions, Moves, PlayOptions};
use crate::graph_json::{AnswerJson, GraphJson};
use crate::limits::Clock;
use crate::output::{self, Output};
use crate::status::{Failure, Status};

/// How long an answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_mins(1);

/// Carries out the command.
pub fn run(options: &GraphOptions) -> Result<Status, Failure> {
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut work = Work::with_cancel(options.limits.memory, &cancel);
    let picture = picture(options)?;
    let format = options
        .format
        .map_or_else(|| by_ending(&options.file), format);
    let bytes = content(&options.file, options.limits.memory, &clock)?;
    let stopped = |stop| undecided(stop, &clock);
    work.allocate(bytes.len() as u64).map_err(stopped)?;
    match options.game {
        GraphGame::Tokens => {}
        _ if options.explain || options.output.is_some() => {
            return Err(Failure::Input(error(text::ONLY_TOKENS)));
        }
        GraphGame::Geography => {
            return graph_used::geography(options, &bytes, format, &mut work, &clock);
        }
        GraphGame::Hackenbush => {
            return graph_used::hackenbush(options, &bytes, format, &mut work, &clock);
        }
    }
    let named = named(&options.file, &bytes, format, &mut work, &clock)?;
    drop(bytes);
    let tokens = tokens(&options.tokens, &named.names, &named.tokens)?;
    let play = convention(&options.play);
    let solution = solved(&options.file, &named, play, &mut work, &clock)?;
    let shown = Shown {
        solution: &solution,
        named: &named,
        options,
        play,
    };
    match picture {
        Some(picture) => shown.draw(&picture),
        None if tokens.is_empty() => shown.vertices(),
        None => shown.tokens(&tokens, &mut work, &clock),
    }
}

/// The graph in these bytes, whose edges have directions.
fn named(
    file: &str,
    bytes: &[u8],
    format: Format,
    work: &mut Work,
    clock: &Clock,
) -> Result<Named, Failure> {
    let named = read(bytes, format, work).map_err(|fault| read_failure(file, &fault, clock))?;
    if let Some(place) = named.undirected {
        let place = text::at(file, Some(place));
        return Err(Failure::Input(error(&format!(
            "{place}: {}",
            text::UNDIRECTED
        ))));
    }
    Ok(named)
}

/// The graph in a file whose ending tells its format.
pub(super) fn graph_in(file: &str, work: &mut Work, clock: &Clock) -> Result<Named, Failure> {
    let bytes = content(file, clock.budget().bytes, clock)?;
    let stopped = |stop| undecided(stop, clock);
    work.allocate(bytes.len() as u64).map_err(stopped)?;
    let named = named(file, &bytes, by_ending(file), work, clock)?;
    work.release(bytes.len() as u64);
    Ok(named)
}

pub(super) fn convention(play: &PlayOptions) -> Play {
    match play.convention() {
        Some(grundy_rules::ruleset::Play::Misere) => Play::Misere,
        _ => Play::Normal,
    }
}

/// What there is to know of a graph; what is odd in it is told.
pub(super) fn solved<'g>(
    file: &str,
    named: &'g Named,
    play: Play,
    work: &mut Work,
    clock: &Clock,
) -> Result<Solution<'g>, Failure> {
    let solution = Solution::of(&named.graph, play, work);
    clock.hide();
    for note in &named.notes {
        let place = text::at(file, note.place);
        anstream::eprintln!("{place}: {}", text::note(note));
    }
    solution.map_err(|reason| unsolved(&reason, &named.names, clock))
}

/// Why a graph is not solved.
pub(super) fn unsolved(reason: &Unsolved, names: &Names, clock: &Clock) -> Failure {
    match reason {
        Unsolved::Stopped(stop) => undecided(*stop, clock),
        reason => Failure::Undecided(error(&text::unsolved(reason, names))),
    }
}

/// Why a sum is not answered.
pub(super) fn unanswered(reason: &Unanswered, names: &Names, clock: &Clock) -> Failure {
    match reason {
        Unanswered::Stopped(stop) => undecided(*stop, clock),
        Unanswered::Ends(..) => Failure::Input(error(&text::unanswered(reason, names))),
        Unanswered::NoValues(_) => Failure::Undecided(error(&text::unanswered(reason, names))),
    }
}

/// Carries out `grundy explain` for the graph in a file.
pub(super) fn explain(file: &str, options: &ExplainOptions) -> Result<Status, Failure> {
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut work = Work::with_cancel(options.limits.memory, &cancel);
    let named = graph_in(file, &mut work, &clock)?;
    let tokens = tokens(&options.position, &named.names, &named.tokens)?;
    if tokens.is_empty() {
        return Err(Failure::Input(error(text::NO_TOKENS)));
    }
    let play = convention(&options.play);
    let solution = solved(file, &named, play, &mut work, &clock)?;
    let chosen = options.chosen.as_deref();
    explained(&solution, &named.names, &tokens, chosen, &mut work, &clock)
}

/// Carries out `grundy explain` for rules whose players have different moves, or with chance.
pub(super) fn explain_rules(
    sum: &Sum,
    options: &ExplainOptions,
    clock: &Clock,
    meter: &mut Meter,
    work: &mut Work,
) -> Result<Status, Failure> {
    let (graph, names) = super::play_graph::positions(sum, clock, meter)?;
    let play = match sum.games.first().map(|game| game.play) {
        Some(grundy_rules::ruleset::Play::Misere) => Play::Misere,
        _ => Play::Normal,
    };
    let solution = Solution::of(&graph, play, work);
    clock.hide();
    let solution = solution.map_err(|reason| unsolved(&reason, &names, clock))?;
    let chosen = options.chosen.as_deref();
    explained(&solution, &names, &[0], chosen, work, clock)
}

/// Says why a sum is won or not, with what comes of each move or of the one that is asked about.
pub(super) fn explained(
    solution: &Solution,
    names: &Names,
    tokens: &[Vertex],
    chosen: Option<&str>,
    work: &mut Work,
    clock: &Clock,
) -> Result<Status, Failure> {
    let chosen = match chosen {
        None => None,
        Some(_) if solution.movers().len() > 1 => {
            return Err(Failure::Input(error(text::ONE_MOVER)));
        }
        Some(written) => {
            let read = Round::new(solution, tokens.to_vec(), Mover::Left).read(written, names);
            let fault = |fault| error(&text::move_fault(&fault, tokens.len() > 1, names));
            Some(read.map_err(|reason| Failure::Input(fault(reason)))?)
        }
    };
    let told = explain::explain(&mut Sums::new(solution), tokens, chosen.as_ref(), work);
    clock.hide();
    let told = told.map_err(|reason| unanswered(&reason, names, clock))?;
    let mut out = output::open();
    writeln!(out, "{}", text::position(tokens, names))?;
    for line in text::explanation(&told, tokens, names) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(Status::Answered)
}

/// How a picture is written.
struct Picture {
    output: Output,
    is_dot: bool,
}

fn picture(options: &GraphOptions) -> Result<Option<Picture>, Failure> {
    let Some(path) = &options.output else {
        return Ok(None);
    };
    let is_dot = match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => false,
        Some("dot" | "gv") => true,
        _ => return Err(Failure::Input(error(text::PICTURE_ENDING))),
    };
    Ok(Some(Picture {
        output: Output::new(Some(path), options.force)?,
        is_dot,
    }))
}

fn format(format: GraphFormat) -> Format {
    match format {
        GraphFormat::Edges => Format::Edges,
        GraphFormat::Csv => Format::Csv,
        GraphFormat::Dot => Format::Dot,
        GraphFormat::Json => Format::Json,
    }
}

fn by_ending(file: &str) -> Format {
    let ending = Path::new(file)
        .extension()
        .and_then(|ending| ending.to_str());
    Format::of_ending(ending.unwrap_or_default())
}

/// The bytes of a file, or of the standard input for `-`; not more than may be held.
fn content(file: &str, memory: u64, clock: &Clock) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::from(crate::input::unreadable(file, &error));
    let mut bytes = Vec::new();
    let limit = memory.saturating_add(1);
    let read = if file == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        let opened = File::open(file).map_err(unreadable)?;
        let length = opened.metadata().map_err(unreadable)?.len();
        if length > memory {
            return Err(undecided(Stop::Bytes, clock));
        }
        bytes.reserve_exact(usize::try_from(length).unwrap_or(0));
        opened.take(limit).read_to_end(&mut bytes)
    };
    read.map_err(unreadable)?;
    if bytes.len() as u64 > memory {
        return Err(undecided(Stop::Bytes, clock));
    }
    Ok(bytes)
}

pub(super) fn undecided(stop: Stop, clock: &Clock) -> Failure {
    let limit = match stop {
        Stop::Bytes => Limit::Bytes,
        Stop::Cancelled => Limit::Cancelled,
    };
    clock.hide();
    let why = grundy::outcome::Undecided::Limit(limit);
    Failure::Undecided(grundy::text::undecided(&[], &why, &|limit| {
        clock.reached(limit)
    }))
}

pub(super) fn read_failure(file: &str, fault: &ReadFault, clock: &Clock) -> Failure {
    if let Fault::Stopped(stop) = fault.fault {
        return undecided(stop, clock);
    }
    let place = text::at(file, fault.place);
    Failure::Input(error(&format!("{place}: {}", text::fault(&fault.fault))))
}

/// Where the tokens are: as the options say, or else as the file does.
pub(super) fn tokens(
    wanted: &[String],
    names: &Names,
    given: &[Vertex],
) -> Result<Vec<Vertex>, Failure> {
    if wanted.is_empty() {
        return Ok(given.to_vec());
    }
    let token = |name: &String| {
        names.find(name).ok_or_else(|| {
            let near = names
                .iter()
                .take(MOST_NEAR)
                .filter(|near| near.eq_ignore_ascii_case(name) || near.starts_with(name.as_str()));
            Failure::Input(error(&text::unknown_token(
                name,
                near.min_by_key(|near| near.len()),
            )))
        })
    };
    wanted.iter().map(token).collect()
}

/// Among how many names one is looked for that may have been meant.
const MOST_NEAR: usize = 100_000;

/// What is shown.
struct Shown<'a> {
    solution: &'a Solution<'a>,
    named: &'a Named,
    options: &'a GraphOptions,
    play: Play,
}

impl Shown<'_> {
    fn draw(&self, picture: &Picture) -> Result<Status, Failure> {
        if !draw::fits(&self.named.graph) {
            return Err(Failure::Input(error(&text::too_large_to_draw())));
        }
        let names = &self.named.names;
        let drawn = if picture.is_dot {
            draw::dot(self.solution, names)
        } else {
            draw::svg(self.solution, names)
        };
        picture
            .output
            .write(|out| out.write_all(drawn.as_bytes()))?;
        Ok(Status::Answered)
    }

    /// All vertices.
    fn vertices(&self) -> Result<Status, Failure> {
        let mut out = output::open();
        if self.options.json {
            let json = GraphJson::new(self.solution, self.named, self.play, self.with_moves());
            serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
            writeln!(out)?;
            out.flush()?;
            return Ok(Status::Answered);
        }
        let bold = Style::new().bold();
        let graph = &self.named.graph;
        let solver = text::solver(self.solution.solver());
        writeln!(out, "{}: {solver}", text::size(graph))?;
        let mut rows = vec![text::COLUMNS.map(str::to_owned)];
        rows.extend(
            graph
                .vertices()
                .take(self.options.limit)
                .map(|vertex| self.row(vertex)),
        );
        let mut widths = [0; 4];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for (index, row) in rows.iter().enumerate() {
            let style = if index == 0 { bold } else { Style::new() };
            let cells = row.iter().zip(widths);
            let mut line = cells.fold(String::new(), |line, (cell, width)| {
                line + &format!("{cell:width$}  ")
            });
            line.push_str(&row[4]);
            writeln!(out, "{style}{}{style:#}", line.trim_end())?;
        }
        if graph.len() > self.options.limit {
            writeln!(out, "{}", text::more(graph.len() - self.options.limit))?;
        }
        out.flush()?;
        Ok(Status::Answered)
    }

    fn with_moves(&self) -> bool {
        self.options.moves != Moves::None
    }

    fn row(&self, vertex: Vertex) -> [String; 5] {
        let names = &self.named.names;
        let turns: Vec<_> = self.solution.movers().iter().collect();
        let turns = turns
            .iter()
            .map(|mover| self.solution.turn(vertex, **mover));
        let turns: Vec<_> = turns.collect();
        let joined = |part: &dyn Fn(&grundy_graphs::Turn) -> String| {
            let parts: Vec<String> = turns.iter().map(part).collect();
            parts.join(" | ")
        };
        let value = self.solution.value(vertex);
        let best = |turn: &grundy_graphs::Turn| {
            let best: Vec<&str> = turn.best.iter().map(|to| names.of(*to)).collect();
            best.join(" ")
        };
        [
            names.of(vertex).to_owned(),
            match self.solution.class(vertex) {
                Some(class) => text::class_letter(class).to_owned(),
                None => joined(&|turn| text::prospect(&turn.prospect)),
            },
            value.map_or_else(|_| "-".to_owned(), |value| text::value(&value)),
            joined(&|turn| {
                turn.moves_to_end
                    .map_or("-".to_owned(), |moves| moves.to_string())
            }),
            if self.with_moves() {
                joined(&best)
            } else {
                String::new()
            },
        ]
    }

    /// A sum of tokens.
    fn tokens(&self, tokens: &[Vertex], work: &mut Work, clock: &Clock) -> Result<Status, Failure> {
        if self.options.explain {
            let chosen = self.options.chosen.as_deref();
            let names = &self.named.names;
            return explained(self.solution, names, tokens, chosen, work, clock);
        }
        let found = Sums::new(self.solution).answer(tokens, work);
        clock.hide();
        let found = found.map_err(|reason| unanswered(&reason, &self.named.names, clock))?;
        let mut out = output::open();
        if self.options.json {
            let json = AnswerJson::new(self.named, tokens, &found, self.options);
            serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            self.write(&mut out, tokens, &found)?;
        }
        out.flush()?;
        Ok(Status::Answered)
    }

    fn write(&self, out: &mut dyn Write, tokens: &[Vertex], found: &Answer) -> io::Result<()> {
        let bold = Style::new().bold();
        let faint = Style::new().dimmed();
        let question = text::position(tokens, &self.named.names);
        writeln!(out, "{bold}{question}{bold:#}")?;
        for turn in &found.turns {
            let style = style(turn);
            writeln!(out, "{style}{}{style:#}", text::verdict(turn))?;
        }
        if let Some(class) = found.class {
            writeln!(out, "{}", text::class(class))?;
        }
        writeln!(
            out,
            "{faint}{}{faint:#}",
            text::value_or_reason(&found.value)
        )?;
        let method = text::method(found.method);
        writeln!(out, "{faint}{method}{faint:#}")?;
        for turn in &found.turns {
            self.write_moves(out, turn, tokens.len() > 1)?;
        }
        Ok(())
    }

    fn write_moves(&self, out: &mut dyn Write, turn: &Turn, several: bool) -> io::Result<()> {
        if turn.best.is_empty() {
            return Ok(());
        }
        let most = match self.options.moves {
            Moves::None => return Ok(()),
            Moves::Count => 0,
            Moves::First => 1,
            Moves::All | Moves::Least => self.options.limit,
        };
        let listed = turn.best.iter().take(most);
        let end = if listed.len() == 0 { "" } else { ":" };
        writeln!(out, "\n{}{end}", text::best_heading(turn))?;
        for next in listed {
            let next = text::token_move(next, several, &self.named.names);
            writeln!(out, "  {next}")?;
        }
        if self.options.moves == Moves::All && turn.best.len() > most {
            writeln!(out, "  {}", text::more(turn.best.len() - most))?;
        }
        Ok(())
    }
}

fn style(turn: &Turn) -> Style {
    let colour = match turn.prospect {
        Prospect::Outcome(Outcome::N) => AnsiColor::Green,
        Prospect::Outcome(Outcome::P) => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}
