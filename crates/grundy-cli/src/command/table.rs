//! `grundy table`: the values or outcomes of all positions of a box.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use grundy::argument;
use grundy::tabulate::{Area, tabulate};
use grundy_rules::given::coordinates;
use grundy_rules::{Meter, Ruleset};

use crate::args::{Format, TableOptions};
use crate::input;
use crate::limits::Clock;
use crate::output::Output;
use crate::sheet::{self, About, Sheet};
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
    let output = Output::new(options.output.as_deref(), options.force)?;
    let clock = Clock::start(&options.limits, None).with_length(area.places());
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let table = tabulate(&game, area, &mut meter, &|done| clock.done(done));
    clock.hide();
    let undecided = table.undecided.clone();
    let reached = |limit| clock.reached(limit);
    let about = About::new(&game, &table.area, undecided.as_ref(), &reached);
    write(&Sheet::new(about, table), format, options, &output)?;
    let Some(undecided) = undecided else {
        return Ok(Status::Answered);
    };
    let message = grundy::text::undecided(std::slice::from_ref(&game), &undecided, &reached);
    anstream::eprintln!("{message}");
    Ok(Status::Undecided)
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
    output.write(|out| sheet.write(format, options.lost, out))?;
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
