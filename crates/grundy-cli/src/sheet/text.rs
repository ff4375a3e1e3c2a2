//! Tables for people: rows of heaps, and grids.

use std::io::{self, Write};

use grundy::tabulate::{Entries, Entry, Holds};

use super::lines::{LineFault, Lines};
use super::read::SheetFault;
use super::rows::places;
use super::{Sheet, comma_list, word};
use crate::args::Base;

/// How a table for people is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many heaps stand in a row.
    pub columns: u64,
    /// How numbers are written.
    pub base: Base,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            columns: 10,
            base: Base::Ten,
        }
    }
}

impl Style {
    /// An entry as it stands in the table.
    fn word(self, entry: Entry) -> String {
        match entry {
            Entry::Value(value) => numeral(value, self.base),
            entry => word(entry),
        }
    }
}

/// A number in a base, the most significant digit first.
///
/// Zeckendorf's digits stand for the Fibonacci numbers …, 5, 3, 2, 1: every number is a sum of such
/// of which no two are neighbours in just one way (Lekkerkerker 1952, Zeckendorf 1972).
fn numeral(number: u64, base: Base) -> String {
    match base {
        Base::Two => format!("{number:b}"),
        Base::Three => {
            let mut digits = Vec::new();
            let mut rest = number;
            while rest > 0 || digits.is_empty() {
                digits.push(char::from(b'0' + (rest % 3) as u8));
                rest /= 3;
            }
            digits.iter().rev().collect()
        }
        Base::Ten => number.to_string(),
        Base::Zeckendorf => {
            let mut terms = vec![1u64];
            let mut next = Some(2u64);
            while let Some(term) = next.filter(|term| *term <= number) {
                next = term.checked_add(terms[terms.len() - 1]);
                terms.push(term);
            }
            let mut rest = number;
            let digit = |term: &u64| {
                let digit = if *term <= rest { '1' } else { '0' };
                rest = rest.checked_sub(*term).unwrap_or(rest);
                digit
            };
            terms.iter().rev().map(digit).collect()
        }
    }
}

/// How the first line begins of a table in another base than ten.
const IN_BASE: &str = "[in base ";

pub fn write(sheet: &Sheet, lost: bool, style: Style, out: &mut dyn Write) -> io::Result<()> {
    match style.base {
        Base::Two => writeln!(out, "{IN_BASE}2]")?,
        Base::Three => writeln!(out, "{IN_BASE}3]")?,
        Base::Ten => {}
        Base::Zeckendorf => writeln!(out, "{IN_BASE}Zeckendorf]")?,
    }
    if lost {
        return write_lost(sheet, style, out);
    }
    let widths = sheet.entries.iter().map(|entry| style.word(entry).len());
    let width = widths.max().unwrap_or(1);
    match sheet.bounds.as_slice() {
        [] => Ok(()),
        [_] => write_line(sheet, style, width, out),
        [.., rows, columns] => write_grids(sheet, style, width, rows + 1, columns + 1, out),
    }
}

/// Rows of some values each with the heap of the first one: residues stand below each other.
fn write_line(sheet: &Sheet, style: Style, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let columns = style.columns;
    let last = sheet.entries.len().saturating_sub(1) / columns * columns;
    let index = numeral(last, style.base).len();
    for (heap, entry) in (0u64..).zip(sheet.entries.iter()) {
        if heap.is_multiple_of(columns) {
            let end = if heap > 0 { "\n" } else { "" };
            write!(out, "{end}{:>index$} |", numeral(heap, style.base))?;
        }
        write!(out, " {:>width$}", style.word(entry))?;
    }
    writeln!(out)
}

/// Grids with the second to last coordinate down and the last one across, one for each value of
/// the coordinates before these.
fn write_grids(
    sheet: &Sheet,
    style: Style,
    width: usize,
    rows: u64,
    columns: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let index = numeral(rows - 1, style.base).len();
    let width = width.max(numeral(columns - 1, style.base).len());
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
                write!(out, " {:>width$}", numeral(column, style.base))?;
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
            write!(out, "{:>index$} |", numeral(row, style.base))?;
        }
        write!(out, " {:>width$}", style.word(entry))?;
        if column + 1 == columns || place + 1 == sheet.entries.len() {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_lost(sheet: &Sheet, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if sheet.bounds.len() > 1 {
        return sheet.lost().try_for_each(|numbers| {
            let numerals = numbers.iter().map(|number| numeral(*number, style.base));
            writeln!(out, "{}", numerals.collect::<Vec<_>>().join(","))
        });
    }
    let lost = sheet.lost().map(|numbers| numeral(numbers[0], style.base));
    let lost: Vec<String> = lost.collect();
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
        if line.starts_with(IN_BASE) {
            return Err(lines.fault(LineFault::Base));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_those_of_the_base() {
        let words = |base| {
            [0, 1, 2, 3, 4, 11, 12]
                .map(|number| numeral(number, base))
                .join(" ")
        };
        assert_eq!(words(Base::Two), "0 1 10 11 100 1011 1100");
        assert_eq!(words(Base::Three), "0 1 2 10 11 102 110");
        assert_eq!(words(Base::Ten), "0 1 2 3 4 11 12");
        // 4 = 3 + 1, 11 = 8 + 3, 12 = 8 + 3 + 1.
        assert_eq!(words(Base::Zeckendorf), "0 1 10 100 101 10100 10101");
        assert_eq!(numeral(u64::MAX, Base::Zeckendorf).len(), 92);
    }
}
