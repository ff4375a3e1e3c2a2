//! JSON lines: one object for each place, `{"n":8,"grundy":1}`.
//!
//! Indices and values are numbers here, since neither exceeds what fits into a memory, and since
//! this is what other tools make columns of numbers from.

use std::io::{self, Write};

use grundy::outcome::Outcome;
use grundy::tabulate::{Entry, Holds};
use serde_json::{Map, Value};

use super::csv::{GRUNDY, OUTCOME, column};
use super::lines::{LineFault, Lines, shortened};
use super::read::SheetFault;
use super::rows::Rows;
use super::{Sheet, names};
use crate::json::outcome_letter;

pub fn write(sheet: &Sheet, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    let names = names(sheet.bounds.len());
    let place = |numbers: &[u64]| {
        let fields = names.iter().zip(numbers);
        let fields: Vec<String> = fields
            .map(|(name, number)| format!("\"{name}\":{number}"))
            .collect();
        fields.join(",")
    };
    if lost {
        return sheet
            .lost()
            .try_for_each(|numbers| writeln!(out, "{{{}}}", place(&numbers)));
    }
    let column = column(sheet.entries.holds());
    for (index, entry) in (0..).zip(sheet.entries.iter()) {
        let place = place(&sheet.numbers(index));
        match entry {
            Entry::NoPosition => {}
            Entry::Value(value) => writeln!(out, "{{{place},\"{column}\":{value}}}")?,
            Entry::Outcome(outcome) => {
                let letter = outcome_letter(outcome);
                writeln!(out, "{{{place},\"{column}\":\"{letter}\"}}")?;
            }
            Entry::Undecided => writeln!(out, "{{{place},\"{column}\":null}}")?,
        }
    }
    Ok(())
}

pub fn read(lines: &mut Lines, most: u64) -> Result<Sheet, SheetFault> {
    let mut rows: Option<(Vec<String>, Holds, Rows)> = None;
    while let Some(line) = lines.next_line()? {
        let object: Map<String, Value> =
            serde_json::from_str(&line).map_err(|_| lines.fault(LineFault::Object))?;
        if rows.is_none() {
            let holds = match (object.get(GRUNDY), object.get(OUTCOME)) {
                (Some(_), None) => Holds::Values,
                (None, Some(_)) => Holds::Outcomes,
                _ => return Err(SheetFault::LostOnly),
            };
            let names = names(object.len() - 1);
            let start = Rows::new(names.len(), holds, most);
            rows = Some((names, holds, start));
        }
        let (names, holds, rows) = rows.as_mut().expect("it has just been made");
        let number = |name: &String| object.get(name)?.as_u64();
        let numbers: Option<Vec<u64>> = names.iter().map(number).collect();
        let numbers = numbers
            .filter(|numbers| numbers.len() + 1 == object.len())
            .ok_or_else(|| lines.fault(LineFault::Header))?;
        let entry = match (object.get(column(*holds)), *holds) {
            (Some(Value::Null), _) => Some(Entry::Undecided),
            (Some(Value::Number(value)), Holds::Values) => value
                .as_u64()
                .filter(|value| *value <= u64::MAX >> 1)
                .map(Entry::Value),
            (Some(Value::String(letter)), Holds::Outcomes) => outcome(letter).map(Entry::Outcome),
            _ => None,
        };
        let entry = entry.ok_or_else(|| lines.fault(LineFault::Entry(shortened(&line))))?;
        rows.push(&numbers, entry)
            .map_err(|fault| fault.at(lines.place()))?;
    }
    rows.ok_or(SheetFault::Empty)?.2.finish()
}

/// The outcome that a letter stands for.
pub fn outcome(letter: &str) -> Option<Outcome> {
    match letter {
        "P" => Some(Outcome::P),
        "N" => Some(Outcome::N),
        "D" => Some(Outcome::Draw),
        _ => None,
    }
}
