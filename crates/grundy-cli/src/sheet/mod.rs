//! Tables in files: what stands in one, and the formats it can have.

mod bfile;
mod csv;
mod json;
mod json_lines;
mod lines;
mod parquet;
mod read;
mod rows;
mod text;

use std::io::{self, Write};

use grundy::argument;
use grundy::outcome::Undecided;
use grundy::tabulate::{Area, Entries, Entry, Form, Tabulation};
use grundy_rules::{Limit, Ruleset};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::args::Format;
use crate::json::{Proof, Why, outcome_letter, play_word};
use grundy::text::Reached;

pub use lines::LineFault;
pub use read::{SheetFault, read, values};
pub use text::Style;

/// A table as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// What it is a table of, where that is known: most formats do not say it.
    pub about: Option<About>,
    /// The largest number at each place.
    pub bounds: Vec<u64>,
    /// The entries, the last coordinate running fastest.
    pub entries: Entries,
}

/// What a table is of, and how its entries are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The game's name with the values of its parameters.
    pub game: String,
    /// The rules, in the rule language.
    pub rules: String,
    /// The digest of the rules.
    pub digest: String,
    /// The parameters with their values.
    pub parameters: serde_json::Map<String, serde_json::Value>,
    /// `normal` or `misere`.
    pub play: String,
    /// What the numbers of a place are: `component` or `heaps`.
    pub of: String,
    /// How the entries are known.
    pub evidence: serde_json::Value,
    /// Why some are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<serde_json::Value>,
}

/// The digest by which files know a game: that of its canonical text.
pub fn digest(game: &Ruleset) -> String {
    let digest = Sha256::digest(game.canonical_text().as_bytes());
    format!("sha256:{digest:x}")
}

impl About {
    /// What a table of this game over this box says of itself.
    pub fn new(
        game: &Ruleset,
        area: &Area,
        undecided: Option<&Undecided>,
        reached: &dyn Fn(Limit) -> Reached,
    ) -> Self {
        let data = |value: serde_json::Result<serde_json::Value>| {
            value.expect("what is said of a table has names for keys")
        };
        let parameters = game.parameters.iter().map(|parameter| {
            let value = parameter.value.to_string();
            (parameter.name.clone(), value.into())
        });
        let upto = match area.bounds.as_slice() {
            [bound] if undecided.is_none() => Some(bound.to_string()),
            _ => None,
        };
        Self {
            game: argument::name(game),
            rules: game.canonical_text(),
            digest: digest(game),
            parameters: parameters.collect(),
            play: play_word(game.play).to_owned(),
            of: match area.form {
                Form::Component => "component",
                Form::Heaps => "heaps",
            }
            .to_owned(),
            evidence: data(serde_json::to_value(Proof::Exhaustive { upto })),
            undecided: undecided.map(|why| data(serde_json::to_value(Why::new(why, reached)))),
        }
    }
}

impl Sheet {
    /// The sheet of a table.
    pub fn new(about: About, table: Tabulation) -> Self {
        Self {
            about: Some(about),
            bounds: table.area.bounds,
            entries: table.entries,
        }
    }

    /// The numbers of the place with this index.
    pub fn numbers(&self, mut index: u64) -> Vec<u64> {
        let mut numbers = vec![0; self.bounds.len()];
        for (number, bound) in numbers.iter_mut().zip(&self.bounds).rev() {
            // The first coordinate has what is left, and its bound may be the largest number.
            let side = bound.saturating_add(1);
            *number = index % side;
            index /= side;
        }
        numbers
    }

    /// The places whose positions are lost for the player about to move.
    pub fn lost(&self) -> impl Iterator<Item = Vec<u64>> {
        let lost = (0..self.entries.len()).filter(|place| self.entries.get(*place).is_lost());
        lost.map(|place| self.numbers(place))
    }

    /// Writes all entries, or the lost positions alone.
    pub fn write(
        &self,
        format: Format,
        lost: bool,
        style: Style,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        match format {
            Format::Text => text::write(self, lost, style, out),
            Format::Csv => csv::write(self, lost, out),
            Format::Json => json::write(self, lost, out),
            Format::Jsonl => json_lines::write(self, lost, out),
            Format::Bfile => bfile::write(self, lost, out),
            Format::Parquet => parquet::write(self, lost, out),
        }
    }

    /// The first place behind a known one that is not: a b-file ends before it.
    pub fn gap(&self) -> Option<u64> {
        let is_known = |entry| !matches!(entry, Entry::NoPosition | Entry::Undecided);
        let mut entries = (0..).zip(self.entries.iter());
        entries.find(|(_, entry)| is_known(*entry))?;
        entries
            .find(|(_, entry)| !is_known(*entry))
            .map(|(place, _)| place)
    }
}

/// The names of the coordinates: `n`, or `n1`, `n2`, …
fn names(coordinates: usize) -> Vec<String> {
    match coordinates {
        1 => vec!["n".to_owned()],
        count => (1..=count).map(|place| format!("n{place}")).collect(),
    }
}

fn comma_list(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

/// An entry as it stands in a table for people.
fn word(entry: Entry) -> String {
    match entry {
        Entry::Value(value) => value.to_string(),
        Entry::Outcome(outcome) => outcome_letter(outcome).to_owned(),
        Entry::NoPosition => String::new(),
        Entry::Undecided => "?".to_owned(),
    }
}
