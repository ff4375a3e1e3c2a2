//! One JSON object with the whole table.

use std::io::{self, BufRead, Write};

use grundy::tabulate::{Entries, Entry, Holds};
use serde::{Deserialize, Serialize};

use super::json_lines::outcome;
use super::lines::{LineFault, shortened};
use super::read::SheetFault;
use super::rows::places;
use super::{About, Sheet};
use crate::json::outcome_letter;

#[derive(Serialize, Deserialize)]
struct TableJson {
    #[serde(flatten)]
    about: Option<About>,
    #[serde(rename = "box")]
    bounds: Vec<String>,
    /// The values row by row, the last coordinate fastest; null where there is no position or
    /// no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<Vec<Option<String>>>,
    /// The outcomes likewise, where values have no meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Vec<Vec<String>>>,
}

pub fn write(sheet: &Sheet, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    let decimal = |numbers: &[u64]| numbers.iter().map(ToString::to_string).collect();
    let entries = || {
        let word = |entry| match entry {
            Entry::Value(value) => Some(value.to_string()),
            Entry::Outcome(outcome) => Some(outcome_letter(outcome).to_owned()),
            Entry::NoPosition | Entry::Undecided => None,
        };
        sheet.entries.iter().map(word).collect()
    };
    let holds = sheet.entries.holds();
    let json = TableJson {
        about: sheet.about.clone(),
        bounds: decimal(&sheet.bounds),
        grundy: (holds == Holds::Values && !lost).then(entries),
        outcomes: (holds == Holds::Outcomes && !lost).then(entries),
        lost: lost.then(|| sheet.lost().map(|numbers| decimal(&numbers)).collect()),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}

pub fn read(file: &mut dyn BufRead, most: u64) -> Result<Sheet, SheetFault> {
    let json: TableJson = serde_json::from_reader(file).map_err(|error| {
        if error.is_io() {
            SheetFault::Io(error.into())
        } else {
            SheetFault::Json(error.to_string())
        }
    })?;
    let bounds: Option<Vec<u64>> = json.bounds.iter().map(|bound| bound.parse().ok()).collect();
    let bounds = bounds.ok_or(SheetFault::Box)?;
    let (holds, words) = match (json.grundy, json.outcomes) {
        (Some(words), None) => (Holds::Values, words),
        (None, Some(words)) => (Holds::Outcomes, words),
        _ => return Err(SheetFault::LostOnly),
    };
    let places = places(&bounds).filter(|places| *places <= most);
    let places = places.ok_or(SheetFault::TooLarge)?;
    if bounds.is_empty() || words.is_empty() || words.len() as u64 > places {
        return Err(SheetFault::Box);
    }
    // A place without an answer and one without a position look alike.
    let without = match json
        .about
        .as_ref()
        .and_then(|about| about.undecided.as_ref())
    {
        Some(_) => Entry::Undecided,
        None => Entry::NoPosition,
    };
    let mut entries = Entries::new(holds);
    for word in words {
        let entry = match (&word, holds) {
            (None, _) => Some(without),
            (Some(word), Holds::Values) => word
                .parse()
                .ok()
                .filter(|value| *value <= u64::MAX >> 1)
                .map(Entry::Value),
            (Some(letter), Holds::Outcomes) => outcome(letter).map(Entry::Outcome),
        };
        let fault = || SheetFault::Line(1, LineFault::Entry(shortened(&word.unwrap_or_default())));
        entries.push(entry.ok_or_else(fault)?);
    }
    Ok(Sheet {
        about: json.about,
        bounds,
        entries,
    })
}
