//! `grundy plot`: pictures of tables.

use std::io;
use std::path::Path;

use grundy::argument;
use grundy::law::Periodicity;
use grundy::outcome::{Outcome, Undecided};
use grundy::tabulate::{Area, Entries, Entry, Form, Tabulation, Work};
use grundy_plot::{Axes, Canvas, Cell, DrawFault, Grid, Heaps, Mark, Slice};
use grundy_rules::given::coordinates;
use grundy_rules::{Meter, Ruleset};

use crate::args::{LogAxes, PlotOptions};
use crate::input;
use crate::limits::Clock;
use crate::output::Output;
use crate::status::{Failure, Status};
use crate::text;

/// The largest heap, and the largest coordinates, unless the user says so.
const DEFAULT_HEAP: u64 = 1000;
const DEFAULT_PAIR: u64 = 40;
const DEFAULT_TRIPLE: u64 = 8;
/// So many slices of three coordinates are shown at most, and so many cells on a side.
const MOST_SLICES: u64 = 36;
const MOST_SIDE: u64 = 2000;
/// How many rows of residues are shown at most, and how many residues.
const MOST_ROWS: usize = 60;
const MOST_RESIDUES: u64 = 2000;
/// How large a picture is, and how many pixels of a PNG one of an SVG is.
const SIZE: (u32, u32) = (1000, 640);
const SQUARE: (u32, u32) = (860, 800);
const TIMES: f32 = 2.0;

/// What is drawn.
struct Drawn {
    svg: String,
    undecided: Option<Undecided>,
}

/// Carries out the command.
pub fn run(options: &PlotOptions) -> Result<Status, Failure> {
    let refused = |message: &str| Failure::Input(grundy::text::error(message));
    let ending = options
        .output
        .extension()
        .and_then(|ending| ending.to_str());
    let png = match ending {
        Some("svg") => false,
        Some("png") => true,
        _ => return Err(refused(text::PICTURE_ENDING)),
    };
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let area = Area::new(&game, bounds(&game, options))
        .map_err(|fault| Failure::Input(grundy::text::no_table(&game, &fault)))?;
    if area.bounds.len() > 3 {
        return Err(refused(text::PICTURE_OF_THREE));
    }
    if let [.., rows, columns] = area.bounds.as_slice()
        && (*rows >= MOST_SIDE || *columns >= MOST_SIDE)
    {
        return Err(refused(&text::too_many_cells(MOST_SIDE)));
    }
    if let [slices, _, _] = area.bounds.as_slice()
        && *slices >= MOST_SLICES
    {
        return Err(refused(&text::too_many_slices(MOST_SLICES)));
    }
    let output = Output::new(Some(&options.output), options.force)?;
    let clock = Clock::start(&options.limits, None);
    let drawn = draw(&game, area, options, &clock)?;
    clock.hide();
    write(&drawn.svg, png, &output, &options.output)?;
    let Some(undecided) = drawn.undecided else {
        return Ok(Status::Answered);
    };
    let reached = |limit| clock.reached(limit);
    let message = grundy::text::undecided(std::slice::from_ref(&game), &undecided, &reached);
    anstream::eprintln!("{message}");
    Ok(Status::Undecided)
}

fn write(svg: &str, png: bool, output: &Output, path: &Path) -> Result<(), Failure> {
    if !png {
        return output.write(|out| out.write_all(svg.as_bytes()));
    }
    let pixels = grundy_plot::png(svg, TIMES).ok_or_else(|| {
        let error = io::Error::other(text::NO_PIXELS);
        Failure::Input(text::cannot_write(path, &error))
    })?;
    output.write(|out| out.write_all(&pixels))
}

fn bounds(game: &Ruleset, options: &PlotOptions) -> Vec<u64> {
    if !options.bounds.is_empty() {
        return options.bounds.clone();
    }
    let admitted = coordinates(game).unwrap_or_else(|| [1].into());
    let fewest = admitted.first().copied().unwrap_or(1);
    let default = match fewest {
        1 => DEFAULT_HEAP,
        2 => DEFAULT_PAIR,
        _ => DEFAULT_TRIPLE,
    };
    vec![options.upto.unwrap_or(default); fewest]
}

fn draw(
    game: &Ruleset,
    area: Area,
    options: &PlotOptions,
    clock: &Clock,
) -> Result<Drawn, Failure> {
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let failed = |fault: DrawFault| Failure::Input(grundy::text::error(&fault.to_string()));
    let (table, rares, law) = match Work::new(game, area.clone(), &mut meter) {
        Ok(mut work) => {
            let mut stopped = None;
            while !work.is_finished() && stopped.is_none() {
                let piece = (work.total() / 100).max(1);
                stopped = work.advance(work.done() + piece, &mut meter).err();
                clock.done(work.done(), work.total());
            }
            let rares = work.rare_heaps();
            let law = work.glance().and_then(|glance| glance.law);
            (work.finish(stopped), rares, law)
        }
        Err(limit) => (Tabulation::refused(game, area, limit), Vec::new(), None),
    };
    let undecided = table.undecided.clone();
    let name = argument::name(game);
    let title = game.title.clone().filter(|title| *title != name);
    let mut canvas = Canvas {
        theme: options.theme.theme(),
        title: title.map_or(name.clone(), |title| format!("{title} ({name})")),
        caption: text::caption(game, &table),
        size: SIZE,
    };
    let svg = match table.area.bounds.as_slice() {
        [_] if options.law => {
            let values = values(&table.entries);
            let law = law.or_else(|| shown(&values));
            let law = law.filter(|law| law.period <= MOST_RESIDUES);
            let law =
                law.ok_or_else(|| Failure::Input(grundy::text::error(text::NO_LAW_TO_DRAW)))?;
            canvas.caption = text::residues_caption(&law, table.entries.len());
            residues(&values, law).svg(&canvas)
        }
        [_] => Heaps {
            values: &values(&table.entries),
            rares: &rares,
            axes: axes(options),
        }
        .svg(&canvas),
        bounds => {
            if bounds.len() == 2 {
                canvas.size = SQUARE;
            }
            grid(&table).svg(&canvas)
        }
    };
    Ok(Drawn {
        svg: svg.map_err(failed)?,
        undecided,
    })
}

fn axes(options: &PlotOptions) -> Axes {
    let log = options.log;
    Axes {
        log_heaps: matches!(log, Some(LogAxes::Heaps | LogAxes::Both)),
        log_values: matches!(log, Some(LogAxes::Values | LogAxes::Both)),
    }
}

/// Values as they are; outcomes as 0 for lost and 1 for won.
fn values(entries: &Entries) -> Vec<Option<u64>> {
    let value = |entry| match entry {
        Entry::Value(value) => Some(value),
        Entry::Outcome(Outcome::P) => Some(0),
        Entry::Outcome(Outcome::N) => Some(1),
        Entry::Outcome(Outcome::Draw) | Entry::NoPosition | Entry::Undecided => None,
    };
    entries.iter().map(value).collect()
}

fn shown(values: &[Option<u64>]) -> Option<Periodicity> {
    let values: Option<Vec<u64>> = values.iter().copied().collect();
    grundy::law::shown(&values?)
}

/// Rows of one period each: behind the preperiod they are all alike, apart from the growth.
fn residues(values: &[Option<u64>], law: Periodicity) -> Grid {
    let period = usize::try_from(law.period).expect("it is at most the width of a picture");
    let rows = values.len() / period;
    // The first rows hold the exceptions, which are what one looks for.
    let shown = rows.clamp(1, MOST_ROWS) * period;
    let grown = |heap: usize| law.saltus.saturating_mul((heap / period) as u64);
    let reduced = |heap: usize| Some(values.get(heap).copied()??.checked_sub(grown(heap)));
    // Of each residue, what the last heap says holds from the preperiod on.
    let last = |residue: usize| {
        let heap = (values.len() - 1 - residue) / period * period + residue;
        reduced(heap).flatten()
    };
    let heaps = 0..shown.min(values.len());
    let cell = |heap: usize| match reduced(heap) {
        Some(Some(value)) => Cell::Value(value),
        Some(None) => Cell::Value(0),
        None => Cell::Nothing,
    };
    let is_exception = |heap: usize| {
        heap as u64 <= law.preperiod
            && heap < values.len()
            && last(heap % period) != reduced(heap).flatten()
    };
    Grid {
        slices: vec![Slice {
            heading: String::new(),
            columns: period,
            cells: heaps.clone().map(cell).collect(),
            marked: heaps.map(is_exception).collect(),
        }],
        names: text::residue_axes(&law),
        mark: Mark::Exceptions,
        scale: text::residue_scale(&law).to_owned(),
    }
}

/// The places of a box of two coordinates, or of three in slices.
fn grid(table: &Tabulation) -> Grid {
    let bounds = &table.area.bounds;
    let [outer @ .., rows, columns] = bounds.as_slice() else {
        unreachable!("a box of one coordinate is a sequence")
    };
    let (rows, columns) = (rows + 1, columns + 1);
    let slices = outer.first().map_or(1, |bound| bound + 1);
    let cell = |place: u64| {
        if place >= table.entries.len() {
            return (Cell::Unknown, false);
        }
        let entry = table.entries.get(place);
        let cell = match entry {
            Entry::Value(value) => Cell::Value(value),
            Entry::Outcome(Outcome::Draw) => Cell::Drawn,
            Entry::Outcome(_) => Cell::Won,
            Entry::NoPosition => Cell::Nothing,
            Entry::Undecided => Cell::Unknown,
        };
        (cell, entry.is_lost())
    };
    let slice = |slice: u64| {
        let places = slice * rows * columns..(slice + 1) * rows * columns;
        let (cells, marked) = places.map(cell).unzip();
        Slice {
            heading: if outer.is_empty() {
                String::new()
            } else {
                text::slice_heading(table.area.form == Form::Heaps, slice)
            },
            columns: usize::try_from(columns).expect("a picture has few columns"),
            cells,
            marked,
        }
    };
    Grid {
        slices: (0..slices).map(slice).collect(),
        names: text::grid_axes(table.area.form == Form::Heaps),
        mark: Mark::Lost,
        scale: text::VALUE.to_owned(),
    }
}
