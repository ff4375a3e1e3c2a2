//! `grundy table`: the values or outcomes of all positions of a box.

use std::io::{self, IsTerminal as _};
use std::ops::Range;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use grundy::argument;
use grundy::outcome::Undecided;
use grundy::tabulate::{Area, Entry, Tabulation, Work, tabulate};
use grundy_rules::given::coordinates;
use grundy_rules::{Budget, Meter, Ruleset};

use crate::args::{Base, Format, TableOptions};
use crate::checkpoint::Question;
use crate::input;
use crate::keeper::{Begun, Keeper};
use crate::limits::Clock;
use crate::output::Output;
use crate::sheet::{self, About, Sheet, Style};
use crate::status::{Failure, Status};
use crate::text;

/// The largest heap unless the user says so.
const DEFAULT_HEAP: u64 = 40;
/// The largest coordinate of a tuple unless the user says so.
const DEFAULT_COORDINATE: u64 = 10;

/// Carries out the command.
pub fn run(options: &TableOptions) -> Result<Status, Failure> {
    match (&options.from, &options.game) {
        (Some(path), _) => of_file(path, options),
        (None, Some(game)) => of_game(game, options),
        (None, None) => unreachable!("the arguments require one of the two"),
    }
}

fn of_file(path: &Path, options: &TableOptions) -> Result<Status, Failure> {
    let output = Output::new(options.output.as_deref(), options.force)?;
    let sheet = sheet::read(path, options.limits.memory / 2)
        .map_err(|fault| Failure::Input(text::sheet_fault(path, &fault)))?;
    write(
        &sheet,
        format(options, sheet.bounds.len())?,
        options,
        &output,
    )?;
    Ok(Status::Answered)
}

fn of_game(game: &str, options: &TableOptions) -> Result<Status, Failure> {
    let game = options.play.apply(argument::game(game, &input::read)?);
    let area = Area::new(&game, bounds(&game, options))
        .map_err(|fault| Failure::Input(grundy::text::no_table(&game, &fault)))?;
    let format = format(options, area.bounds.len())?;
    let output = Output::new(options.output.as_deref(), options.force || options.resume)?;
    let mut keeper = if options.resume {
        let question = question(&game, &area, format, options);
        let keeper = match Keeper::open(&output, question, |sheet| is_of(sheet, &game, &area))? {
            Begun::Finished(status) => return Ok(status),
            Begun::Open(keeper) => keeper,
        };
        Some(keeper)
    } else {
        if let Some(path) = output.has_checkpoint().filter(|_| !options.force) {
            return Err(Failure::Input(text::has_checkpoint(&path)));
        }
        None
    };
    let clock = Clock::start(&options.limits, None);
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let table = match Work::new(&game, area.clone(), &mut meter) {
        Ok(work) => {
            // Threads that share a core wait for each other.
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let mut work = work.with_threads(options.threads.get().min(cores));
            let stopped = carry_on(&mut work, keeper.as_deref_mut(), &clock, &mut meter)?;
            work.finish(stopped)
        }
        Err(limit) => Tabulation::refused(&game, area, limit),
    };
    clock.hide();
    let undecided = table.undecided.clone();
    let reached = |limit| clock.reached(limit);
    let is_cut = table.entries.len() < table.area.places();
    match &keeper {
        // What is there is kept, and FILE will be there when all is.
        Some(keeper) if is_cut => anstream::eprintln!("{}", text::kept(keeper.path())),
        _ => {
            let about = About::new(&game, &table.area, undecided.as_ref(), &reached);
            write(&Sheet::new(about, table), format, options, &output)?;
            keeper.map_or(Ok(()), Keeper::remove)?;
        }
    }
    let Some(undecided) = undecided else {
        return Ok(Status::Answered);
    };
    let message = grundy::text::undecided(std::slice::from_ref(&game), &undecided, &reached);
    anstream::eprintln!("{message}");
    Ok(Status::Undecided)
}

/// So long a piece of work takes at least and at most, where it can be divided.
const PIECE: Range<Duration> = Duration::from_millis(20)..Duration::from_millis(100);
/// A piece is at most such a part of the work.
const PIECES: u64 = 100;

/// Works piece by piece, keeps what is found, and shows how far it is; what ended the work early.
fn carry_on(
    work: &mut Work,
    mut keeper: Option<&mut Keeper>,
    clock: &Clock,
    meter: &mut Meter,
) -> Result<Option<Undecided>, Failure> {
    if let Some(kept) = keeper.as_mut().and_then(|keeper| keeper.kept())
        && let Err(reason) = kept.restore(work, meter)?
    {
        return Ok(Some(reason));
    }
    let total = work.total();
    let mut piece = 1;
    let mut next_glance = 0;
    while !work.is_finished() {
        let start = Instant::now();
        let stopped = work.advance(work.done().saturating_add(piece), meter).err();
        let took = start.elapsed();
        if took < PIECE.start {
            piece = (2 * piece).min(total / PIECES + 1);
        } else if took > PIECE.end {
            piece = piece / 2 + 1;
        }
        clock.done(work.done(), total);
        if work.done() >= next_glance {
            // To look at all values at each doubling costs less than to find them.
            next_glance = 2 * work.done();
            clock.say(|| work.glance().map(|glance| text::glance(&glance)));
        }
        if let Some(keeper) = &mut keeper {
            keeper.keep(work, stopped.is_some())?;
        }
        if stopped.is_some() {
            return Ok(stopped);
        }
    }
    Ok(None)
}

/// Which table a checkpoint is for.
fn question(game: &Ruleset, area: &Area, format: Format, options: &TableOptions) -> Question {
    let format = format.to_possible_value();
    let format = format.map_or_else(String::new, |format| format.get_name().to_owned());
    Question {
        digest: sheet::digest(game),
        game: argument::name(game),
        bounds: area.bounds.clone(),
        format: match (options.lost, style(options)) {
            (true, _) => format!("{format}, lost positions"),
            (false, style) if style != Style::default() => format!("{format}, {style:?}"),
            (false, _) => format,
        },
    }
}

/// How many places are computed again to see whether a file holds the table of a game.
const SAMPLE: u64 = 1000;

/// Whether a file that was read holds the table of this game over this box, as far as it tells.
fn is_of(sheet: &Sheet, game: &Ruleset, area: &Area) -> bool {
    if let Some(about) = &sheet.about {
        let is_whole = sheet.entries.len() == area.places();
        return about.digest == sheet::digest(game) && sheet.bounds == area.bounds && is_whole;
    }
    // Places at the end that are no positions are left out.
    let fits = sheet.bounds.len() == area.bounds.len()
        && sheet
            .bounds
            .iter()
            .zip(&area.bounds)
            .all(|(found, bound)| found <= bound)
        && sheet.entries.len() <= area.places();
    let [bound] = area.bounds.as_slice() else {
        return fits;
    };
    let Ok(small) = Area::new(game, vec![SAMPLE.min(*bound)]) else {
        return false;
    };
    let sample = tabulate(game, small, &mut Meter::new(Budget::default()), &|_| ());
    let entries = sample.entries.iter().zip((0..).map(|place| {
        if place < sheet.entries.len() {
            sheet.entries.get(place)
        } else {
            Entry::NoPosition
        }
    }));
    fits && entries
        .into_iter()
        .all(|(expected, found)| expected == found)
}

/// How a table for people is laid out.
fn style(options: &TableOptions) -> Style {
    // A row holds the heaps that differ in their last digits only.
    let columns = options.columns.unwrap_or(match options.base {
        Base::Two => 8,
        Base::Three => 9,
        Base::Ten | Base::Zeckendorf => Style::default().columns,
    });
    Style {
        columns,
        base: options.base,
    }
}

/// The format asked for: by name, or else by the ending of the file.
fn format(options: &TableOptions, coordinates: usize) -> Result<Format, Failure> {
    let by_name = options.json.then_some(Format::Json).or(options.format);
    let by_ending = || Format::of_ending(options.output.as_deref()?);
    let format = by_name.or_else(by_ending).unwrap_or(Format::Text);
    let refused = |message| Err(Failure::Input(grundy::text::error(message)));
    if format == Format::Bfile && coordinates != 1 {
        return refused(grundy::text::BFILE_OF_ONE);
    }
    if format != Format::Text && style(options) != Style::default() {
        return refused(text::STYLE_OF_TEXT);
    }
    if format == Format::Parquet && options.output.is_none() && io::stdout().is_terminal() {
        return refused(text::NOT_TO_A_TERMINAL);
    }
    Ok(format)
}

fn write(
    sheet: &Sheet,
    format: Format,
    options: &TableOptions,
    output: &Output,
) -> Result<(), Failure> {
    output.write(|out| sheet.write(format, options.lost, style(options), out))?;
    if format == Format::Bfile
        && !options.lost
        && let Some(gap) = sheet.gap()
    {
        anstream::eprintln!("{}", text::bfile_ends(gap));
    }
    Ok(())
}

/// The box asked for; without one, a small one of as many coordinates as components have.
fn bounds(game: &Ruleset, options: &TableOptions) -> Vec<u64> {
    if !options.bounds.is_empty() {
        return options.bounds.clone();
    }
    let admitted = coordinates(game).unwrap_or_else(|| [1].into());
    let fewest = admitted.first().copied().unwrap_or(1);
    let default = if fewest == 1 {
        DEFAULT_HEAP
    } else {
        DEFAULT_COORDINATE
    };
    vec![options.upto.unwrap_or(default); fewest]
}
