//! What this program says of its own: of files, of work that is kept, and of pictures.
//!
//! Everything about games is said by `grundy::text`.

use std::io;
use std::path::Path;

use grundy::text::error;

use crate::sheet::{LineFault, SheetFault};

/// An existing file would be lost.
pub fn exists(path: &Path) -> String {
    error(&format!(
        "{} is there already: --force writes over it",
        path.display()
    ))
}

/// A folder stands where a file should be written.
pub fn is_folder(path: &Path) -> String {
    error(&format!("{} is a folder", path.display()))
}

/// A file cannot be written.
pub fn cannot_write(path: &Path, why: &io::Error) -> String {
    error(&format!("{} cannot be written: {why}", path.display()))
}

/// A picture of bytes would spoil a terminal.
pub const NOT_TO_A_TERMINAL: &str = "Parquet is not for a terminal: name a file with -o FILE";

/// A b-file ends before its table does.
pub fn bfile_ends(place: u64) -> String {
    format!("The b-file ends before heap {place}, which has no value: its lines must have no gap.")
}

/// Why a file is no table.
pub fn sheet_fault(path: &Path, fault: &SheetFault) -> String {
    let path = path.display();
    error(&match fault {
        SheetFault::Io(why) => format!("{path} cannot be read: {why}"),
        SheetFault::NotText(line) => format!("{path}:{line}: not UTF-8"),
        SheetFault::Line(line, fault) => format!("{path}:{line}: {}", line_fault(fault)),
        SheetFault::Empty => format!("{path} holds no table: it is empty"),
        SheetFault::LostOnly => {
            format!("{path} lists lost positions and no values: write it without --lost")
        }
        SheetFault::TooLarge => {
            format!("the table in {path} needs more than --memory allows")
        }
        SheetFault::Json(why) => format!("{path} is not the JSON of a table: {why}"),
        SheetFault::Box => format!("{path} is damaged: its entries do not fill its box"),
        SheetFault::Parquet(why) => format!("{path} is a damaged Parquet file: {why}"),
        SheetFault::Elsewhere => {
            format!("{path} is a Parquet file, but not of a table that grundy wrote")
        }
        SheetFault::Version(version) => {
            format!(
                "{path} is of version {version} of the format, which this program does not know"
            )
        }
        SheetFault::Checksum => {
            format!("{path} is damaged: its entries are not those that were written")
        }
        SheetFault::Unknown => format!(
            "{path} is no table: known are text, CSV, JSON, JSON lines, b-files and Parquet"
        ),
        SheetFault::NotASequence => {
            format!("{path} is a table of several coordinates, and a law is one of a sequence")
        }
        SheetFault::NoValue(heap) => format!("{path} has no value for heap {heap}"),
    })
}

fn line_fault(fault: &LineFault) -> String {
    match fault {
        LineFault::Number(word) => format!("`{word}` is no natural number below 2^64"),
        LineFault::Entry(word) => format!("`{word}` is neither a value nor an outcome"),
        LineFault::Header => {
            "the line does not name its columns as the first one should".to_owned()
        }
        LineFault::Columns(count) => format!("there should be {count} columns"),
        LineFault::Order => "this place does not come after the one before".to_owned(),
        LineFault::Object => "this is no JSON object".to_owned(),
        LineFault::Gap => "the index does not follow the one before".to_owned(),
        LineFault::Length => "the row is not as long as it should be".to_owned(),
    }
}
