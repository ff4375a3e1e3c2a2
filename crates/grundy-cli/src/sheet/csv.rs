//! Comma-separated values with a header: the coordinates, then `grundy` or `outcome`.

use std::io::{self, Write};

use grundy::tabulate::{Entry, Holds};

use super::lines::{LineFault, Lines};
use super::read::SheetFault;
use super::rows::Rows;
use super::{Sheet, comma_list, names, word};

pub const GRUNDY: &str = "grundy";
pub const OUTCOME: &str = "outcome";

pub fn column(holds: Holds) -> &'static str {
    match holds {
        Holds::Values => GRUNDY,
        Holds::Outcomes => OUTCOME,
    }
}

pub fn write(sheet: &Sheet, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    let names = names(sheet.bounds.len()).join(",");
    if lost {
        writeln!(out, "{names}")?;
        return sheet
            .lost()
            .try_for_each(|numbers| writeln!(out, "{}", comma_list(&numbers)));
    }
    writeln!(out, "{names},{}", column(sheet.entries.holds()))?;
    for (index, entry) in (0..).zip(sheet.entries.iter()) {
        if entry != Entry::NoPosition {
            let numbers = comma_list(&sheet.numbers(index));
            writeln!(out, "{numbers},{}", word(entry))?;
        }
    }
    Ok(())
}

/// Whether this is the first line of such a table.
pub fn is_header(line: &str) -> bool {
    let mut cells = line.trim_end().split(',');
    cells.next().is_some_and(|name| name == "n" || name == "n1")
        && cells.all(|name| {
            [GRUNDY, OUTCOME].contains(&name)
                || name
                    .strip_prefix('n')
                    .is_some_and(|place| place.parse::<u32>().is_ok())
        })
}

pub fn read(lines: &mut Lines, most: u64) -> Result<Sheet, SheetFault> {
    let header = lines.next_line()?.ok_or(SheetFault::Empty)?;
    let mut columns: Vec<&str> = header.split(',').collect();
    let holds = match columns.pop() {
        Some(GRUNDY) => Holds::Values,
        Some(OUTCOME) => Holds::Outcomes,
        _ => return Err(SheetFault::LostOnly),
    };
    let arity = columns.len();
    if columns != names(arity) {
        return Err(lines.fault(LineFault::Header));
    }
    let mut rows = Rows::new(arity, holds, most);
    let mut numbers = vec![0; arity];
    while let Some(line) = lines.next_line()? {
        let mut cells = line.split(',');
        for number in &mut numbers {
            *number = lines.number(cells.next().unwrap_or_default())?;
        }
        let entry = lines.entry(cells.next().unwrap_or_default(), holds)?;
        if cells.next().is_some() {
            return Err(lines.fault(LineFault::Columns(arity + 1)));
        }
        rows.push(&numbers, entry)
            .map_err(|fault| fault.at(lines.place()))?;
    }
    rows.finish()
}
