//! `grundy table`: the values or outcomes of all positions of a box.

use std::io::{self, Write};

use grundy::argument;
use grundy::tabulate::{Area, Entry, Form, Tabulation, tabulate};
use grundy::text;
use grundy_rules::given::coordinates;
use grundy_rules::{Meter, Ruleset};
use serde::Serialize;

use crate::args::{Format, TableOptions};
use crate::input;
use crate::json::{self, Why};
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// The largest heap unless the user says so.
const DEFAULT_HEAP: u64 = 40;
/// The largest coordinate of a tuple unless the user says so.
const DEFAULT_COORDINATE: u64 = 10;
/// How many values stand in a row of a table of heaps.
const ROW: u64 = 10;

/// Carries out the command.
pub fn run(options: &TableOptions) -> Result<Status, Failure> {
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let area = Area::new(&game, bounds(&game, options))
        .map_err(|fault| Failure::Input(text::no_table(&game, &fault)))?;
    let format = if options.json {
        Format::Json
    } else {
        options.format
    };
    if format == Format::Bfile && area.bounds.len() != 1 {
        return Err(Failure::Input(text::error(text::BFILE_OF_ONE)));
    }
    let mut out = output::open(options.output.as_deref())?;
    let clock = Clock::start(&options.limits, None).with_length(area.places());
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let table = tabulate(&game, area, &mut meter, &|done| clock.done(done));
    clock.hide();
    match format {
        Format::Json => write_json(&game, &table, options.lost, &clock, &mut out)?,
        Format::Csv => write_csv(&table, options.lost, &mut out)?,
        Format::Bfile => write_bfile(&table, options.lost, &mut out)?,
        Format::Text => write_text(&table, options.lost, &mut out)?,
    }
    out.flush()?;
    let Some(undecided) = &table.undecided else {
        return Ok(Status::Answered);
    };
    let reached = |limit| clock.reached(limit);
    anstream::eprintln!(
        "{}",
        text::undecided(std::slice::from_ref(&game), undecided, &reached)
    );
    Ok(Status::Undecided)
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

/// An entry as it stands in a table.
fn word(entry: Entry) -> String {
    match entry {
        Entry::Value(value) => value.to_string(),
        Entry::Outcome(outcome) => json::outcome_letter(outcome).to_owned(),
        Entry::NoPosition => String::new(),
        Entry::Undecided => "?".to_owned(),
    }
}

fn comma_list(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

fn write_csv(table: &Tabulation, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = match table.area.bounds.len() {
        1 => vec!["n".to_owned()],
        count => (1..=count).map(|place| format!("n{place}")).collect(),
    };
    let names = names.join(",");
    if lost {
        writeln!(out, "{names}")?;
        return table
            .lost()
            .try_for_each(|numbers| writeln!(out, "{}", comma_list(&numbers)));
    }
    writeln!(
        out,
        "{names},{}",
        if table.values.is_ok() {
            "grundy"
        } else {
            "outcome"
        }
    )?;
    for (index, entry) in (0..).zip(table.entries()) {
        if entry != Entry::NoPosition {
            writeln!(
                out,
                "{},{}",
                comma_list(&table.area.numbers(index)),
                word(entry)
            )?;
        }
    }
    Ok(())
}

/// Lines of index and value as the OEIS has them; lost heaps are numbered from 1.
fn write_bfile(table: &Tabulation, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    if lost {
        return (1..)
            .zip(table.lost())
            .try_for_each(|(index, numbers)| writeln!(out, "{index} {}", numbers[0]));
    }
    for (heap, entry) in (0..).zip(table.entries()) {
        let value = match entry {
            Entry::Value(value) => value,
            // Outcomes as the sequence of the won positions' indicator.
            Entry::Outcome(_) => u64::from(!entry.is_lost()),
            // The lines of a b-file follow one another without a gap.
            Entry::NoPosition | Entry::Undecided => break,
        };
        writeln!(out, "{heap} {value}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct TableJson<'a> {
    game: String,
    play: &'static str,
    #[serde(rename = "box")]
    bounds: Vec<String>,
    /// What the numbers of a place are: `component` or `heaps`.
    of: &'static str,
    /// The values row by row, the last coordinate fastest; null where there is no position or
    /// no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<Vec<Option<String>>>,
    /// The outcomes likewise, where values have no meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<Option<&'static str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Why<'a>>,
}

fn write_json(
    game: &Ruleset,
    table: &Tabulation,
    lost: bool,
    clock: &Clock,
    out: &mut dyn Write,
) -> io::Result<()> {
    let decimal = |numbers: &[u64]| numbers.iter().map(ToString::to_string).collect();
    let values = table.values.is_ok() && !lost;
    let outcomes = table.values.is_err() && !lost;
    let json = TableJson {
        game: argument::name(game),
        play: json::play_word(game.play),
        bounds: decimal(&table.area.bounds),
        of: match table.area.form {
            Form::Component => "component",
            Form::Heaps => "heaps",
        },
        grundy: values.then(|| {
            let value = |entry: Entry| match entry {
                Entry::Value(value) => Some(value.to_string()),
                _ => None,
            };
            table.entries().map(value).collect()
        }),
        outcomes: outcomes.then(|| {
            let outcome = |entry: Entry| match entry {
                Entry::Outcome(outcome) => Some(json::outcome_letter(outcome)),
                _ => None,
            };
            table.entries().map(outcome).collect()
        }),
        lost: lost.then(|| table.lost().map(|numbers| decimal(&numbers)).collect()),
        undecided: table
            .undecided
            .as_ref()
            .map(|undecided| Why::new(undecided, &|limit| clock.reached(limit))),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}

fn write_text(table: &Tabulation, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    if lost {
        return write_lost(table, out);
    }
    let width = table
        .entries()
        .map(|entry| word(entry).len())
        .max()
        .unwrap_or(1);
    match table.area.bounds.as_slice() {
        [] => Ok(()),
        [_] => write_line(table, width, out),
        [.., rows, columns] => write_grids(table, width, rows + 1, columns + 1, out),
    }
}

/// Rows of ten values with the heap of the first one.
fn write_line(table: &Tabulation, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let last = table.len().saturating_sub(1) / ROW * ROW;
    let index = last.to_string().len();
    for (heap, entry) in (0..).zip(table.entries()) {
        if heap % ROW == 0 {
            let end = if heap > 0 { "\n" } else { "" };
            write!(out, "{end}{heap:>index$} |")?;
        }
        write!(out, " {:>width$}", word(entry))?;
    }
    writeln!(out)
}

/// Grids with the second to last coordinate down and the last one across, one for each value of
/// the coordinates before these.
fn write_grids(
    table: &Tabulation,
    width: usize,
    rows: u64,
    columns: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let index = (rows - 1).to_string().len();
    let width = width.max((columns - 1).to_string().len());
    for (place, entry) in (0..).zip(table.entries()) {
        let (row, column) = (place / columns % rows, place % columns);
        if (row, column) == (0, 0) {
            let outer = table.area.numbers(place);
            if let [outer @ .., _, _] = outer.as_slice()
                && !outer.is_empty()
            {
                let gap = if place > 0 { "\n" } else { "" };
                writeln!(out, "{gap}[{}, row, column]", comma_list(outer))?;
            }
            write!(out, "{:>index$} |", "")?;
            for column in 0..columns {
                write!(out, " {column:>width$}")?;
            }
            writeln!(out)?;
            for _ in 0..index + 2 {
                write!(out, "-")?;
            }
            for _ in 0..columns {
                write!(out, "{:->1$}", "", width + 1)?;
            }
            writeln!(out)?;
        }
        if column == 0 {
            write!(out, "{row:>index$} |")?;
        }
        write!(out, " {:>width$}", word(entry))?;
        if column + 1 == columns || place + 1 == table.len() {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_lost(table: &Tabulation, out: &mut dyn Write) -> io::Result<()> {
    if table.area.bounds.len() > 1 {
        return table
            .lost()
            .try_for_each(|numbers| writeln!(out, "{}", comma_list(&numbers)));
    }
    let lost: Vec<String> = table.lost().map(|numbers| numbers[0].to_string()).collect();
    let width = lost.last().map_or(1, String::len);
    for row in lost.chunks(10) {
        let row: Vec<String> = row.iter().map(|heap| format!("{heap:>width$}")).collect();
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(())
}
