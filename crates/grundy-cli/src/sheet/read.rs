//! Reading a table back, whatever its format.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _};
use std::path::Path;

use grundy::tabulate::Entry;

use super::lines::{LineFault, Lines};
use super::{Sheet, bfile, csv, json, json_lines, parquet, text};
use crate::args::Format;

/// Why a file is no table.
#[derive(Debug)]
pub enum SheetFault {
    /// It cannot be read.
    Io(io::Error),
    /// A line is not text.
    NotText(u64),
    /// A line is wrong.
    Line(u64, LineFault),
    /// It holds no entry.
    Empty,
    /// It lists lost positions and not values.
    LostOnly,
    /// It would need more memory than is allowed.
    TooLarge,
    /// It is not the JSON of a table.
    Json(String),
    /// Its box is none, or has another number of places than there are entries.
    Box,
    /// It is a damaged Parquet file.
    Parquet(String),
    /// It is a Parquet file that this program did not write.
    Elsewhere,
    /// It is a Parquet file of another version.
    Version(String),
    /// Its entries are not those that were written.
    Checksum,
    /// It is in no format of tables.
    Unknown,
    /// It is a table of several coordinates where a sequence is needed.
    NotASequence,
    /// It has no value for this heap.
    NoValue(u64),
}

impl From<io::Error> for SheetFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The table that a file holds. Its format is told by its content, its places are at most `most`.
pub fn read(path: &Path, most: u64) -> Result<Sheet, SheetFault> {
    let mut file = File::open(path)?;
    match sniff(&mut file, path)? {
        Format::Parquet => parquet::read(file, most),
        Format::Json => json::read(&mut BufReader::new(file), most),
        format => {
            let mut file = BufReader::new(file);
            let mut lines = Lines::new(&mut file);
            match format {
                Format::Csv => csv::read(&mut lines, most),
                Format::Jsonl => json_lines::read(&mut lines, most),
                Format::Bfile => bfile::read(&mut lines, most),
                _ => text::read(&mut lines, most),
            }
        }
    }
}

/// The format that a file's content has.
fn sniff(file: &mut File, path: &Path) -> Result<Format, SheetFault> {
    let mut magic = [0; 4];
    let length = file.read(&mut magic)?;
    file.rewind()?;
    let is_named = |endings: &[&str]| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    if &magic[..length] == b"PAR1" || is_named(&["parquet"]) {
        return Ok(Format::Parquet);
    }
    let mut start = BufReader::new(&*file).take(1 << 16);
    let mut first = Vec::new();
    start.read_until(b'\n', &mut first)?;
    let mut second = Vec::new();
    start.read_until(b'\n', &mut second)?;
    file.rewind()?;
    let (first, second) = (
        String::from_utf8_lossy(&first),
        String::from_utf8_lossy(&second),
    );
    let first = first.trim();
    let format = if first.starts_with('{') {
        let is_line = serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(first)
            .is_ok_and(|object| !object.contains_key("box"));
        if is_line || is_named(&["jsonl", "ndjson"]) {
            Format::Jsonl
        } else {
            Format::Json
        }
    } else if csv::is_header(first) {
        Format::Csv
    } else if first.contains('|') || first.starts_with('[') {
        Format::Text
    } else if is_bfile(first, &second, path) {
        Format::Bfile
    } else {
        return Err(SheetFault::Unknown);
    };
    Ok(format)
}

/// Whether a file begins as a b-file does: with a comment or a pair of numbers, then with the
/// pair of the next index; of a single pair the name must tell.
fn is_bfile(first: &str, second: &str, path: &Path) -> bool {
    let is_named = || {
        let name = path.file_stem().and_then(|name| name.to_str());
        let digits = name.and_then(|name| name.strip_prefix('b'));
        digits.is_some_and(|digits| digits.parse::<u32>().is_ok())
    };
    match (bfile::pair(first), bfile::pair(second)) {
        (Some((index, _)), Some((next, _))) => index.checked_add(1) == Some(next),
        (Some(_), None) => second.trim().is_empty() && is_named(),
        (None, _) => first.starts_with('#') && is_named(),
    }
}

/// The values of the heaps 0, 1, … that a file holds; `None` if it holds no table, but perhaps
/// a bare list.
pub fn values(path: &Path, most: u64) -> Result<Option<Vec<u64>>, SheetFault> {
    let sheet = match read(path, most) {
        Ok(sheet) => sheet,
        Err(SheetFault::Unknown) => return Ok(None),
        Err(fault) => return Err(fault),
    };
    if sheet.bounds.len() != 1 {
        return Err(SheetFault::NotASequence);
    }
    let value = |(heap, entry): (u64, Entry)| match entry {
        Entry::Value(value) => Ok(value),
        _ => Err(SheetFault::NoValue(heap)),
    };
    (0..)
        .zip(sheet.entries.iter())
        .map(value)
        .collect::<Result<_, _>>()
        .map(Some)
}
