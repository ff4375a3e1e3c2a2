//! Tables for people: rows of heaps, and grids.

use std::io::{self, Write};

use grundy::tabulate::{Entries, Entry, Holds};

use super::lines::{LineFault, Lines};
use super::read::SheetFault;
use super::rows::places;
use super::{Sheet, comma_list, word};

/// How many values stand in a row of a table of heaps.
const ROW: u64 = 10;

pub fn write(sheet: &Sheet, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    if lost {
        return write_lost(sheet, out);
    }
    let widths = sheet.entries.iter().map(|entry| word(entry).len());
    let width = widths.max().unwrap_or(1);
    match sheet.bounds.as_slice() {
        [] => Ok(()),
        [_] => write_line(sheet, width, out),
        [.., rows, columns] => write_grids(sheet, width, rows + 1, columns + 1, out),
    }
}

/// Rows of ten values with the heap of the first one.
fn write_line(sheet: &Sheet, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let last = sheet.entries.len().saturating_sub(1) / ROW * ROW;
    let index = last.to_string().len();
    for (heap, entry) in (0..).zip(sheet.entries.iter()) {
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
    sheet: &Sheet,
    width: usize,
    rows: u64,
    columns: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let index = (rows - 1).to_string().len();
    let width = width.max((columns - 1).to_string().len());
    for (place, entry) in (0..).zip(sheet.entries.iter()) {
        let (row, column) = (place / columns % rows, place % columns);
        if (row, column) == (0, 0) {
            let outer = sheet.numbers(place);
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
        if column + 1 == columns || place + 1 == sheet.entries.len() {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_lost(sheet: &Sheet, out: &mut dyn Write) -> io::Result<()> {
    if sheet.bounds.len() > 1 {
        return sheet
            .lost()
            .try_for_each(|numbers| writeln!(out, "{}", comma_list(&numbers)));
    }
    let lost: Vec<String> = sheet.lost().map(|numbers| numbers[0].to_string()).collect();
    let width = lost.last().map_or(1, String::len);
    for row in lost.chunks(10) {
        let row: Vec<String> = row.iter().map(|heap| format!("{heap:>width$}")).collect();
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(())
}

/// Reads such a table back. An entry takes as many places in all lines: as many as the longest.
pub fn read(lines: &mut Lines, most: u64) -> Result<Sheet, SheetFault> {
    let mut rows: Vec<Row> = Vec::new();
    let mut outer: Vec<u64> = Vec::new();
    let mut columns = None;
    let mut width = 0;
    let mut holds = Holds::Values;
    while let Some(line) = lines.next_line()? {
        if let Some(heading) = line.strip_prefix('[') {
            let numbers = heading.strip_suffix(", row, column]");
            let numbers = numbers.ok_or_else(|| lines.fault(LineFault::Header))?;
            let numbers = numbers.split(',').map(|number| lines.number(number));
            outer = numbers.collect::<Result<_, _>>()?;
            continue;
        }
        if line.bytes().all(|byte| byte == b'-') {
            continue;
        }
        let bar = line.split_once('|').filter(|_| line.is_ascii());
        let (index, cells) = bar.ok_or_else(|| lines.fault(LineFault::Header))?;
        for cell in cells.split_ascii_whitespace() {
            width = width.max(cell.len());
            if matches!(cell, "P" | "N" | "D") {
                holds = Holds::Outcomes;
            }
        }
        if index.trim().is_empty() {
            columns = Some(cells.split_ascii_whitespace().count() as u64);
            continue;
        }
        let mut place = outer.clone();
        place.push(lines.number(index)?);
        rows.push(Row {
            line: lines.place(),
            place,
            cells: cells.to_owned(),
        });
        if rows.len() as u64 > most {
            return Err(SheetFault::TooLarge);
        }
    }
    sheet(lines, &rows, columns, width, holds, most)
}

/// A line of entries, and the numbers before it.
struct Row {
    line: u64,
    place: Vec<u64>,
    cells: String,
}

fn sheet(
    lines: &Lines,
    rows: &[Row],
    columns: Option<u64>,
    width: usize,
    holds: Holds,
    most: u64,
) -> Result<Sheet, SheetFault> {
    let mut entries = Entries::new(holds);
    for row in rows {
        let wrong = || SheetFault::Line(row.line, LineFault::Length);
        // Of heaps a row begins with that of the next one; the last rows may be cut off.
        let expected = match (columns, row.place.as_slice()) {
            (None, [heap]) => *heap,
            (None, _) => return Err(wrong()),
            (Some(columns), _) => entries.len().next_multiple_of(columns.max(1)),
        };
        if entries.len() != expected || row.cells.len() % (width + 1) != 0 {
            return Err(wrong());
        }
        for cell in row.cells.as_bytes().chunks(width + 1) {
            let word = String::from_utf8_lossy(cell);
            entries.push(match word.trim() {
                "" => Entry::NoPosition,
                word => lines.entry(word, holds)?,
            });
            if entries.len() > most {
                return Err(SheetFault::TooLarge);
            }
        }
    }
    let last = rows.last().ok_or(SheetFault::Empty)?;
    let bounds = match columns {
        None => vec![entries.len().checked_sub(1).ok_or(SheetFault::Empty)?],
        Some(columns) => {
            let mut bounds = last.place.clone();
            // The last slice may be cut off, and the rows of the one before tell more.
            let inner = rows
                .iter()
                .filter_map(|row| row.place.last().copied())
                .max();
            *bounds.last_mut().expect("a row has an index") = inner.unwrap_or(0);
            bounds.push(columns.checked_sub(1).ok_or(SheetFault::Empty)?);
            bounds
        }
    };
    if places(&bounds).is_none_or(|places| entries.len() > places) {
        return Err(SheetFault::Box);
    }
    Ok(Sheet {
        about: None,
        bounds,
        entries,
    })
}
