//! Parquet: the coordinates and the value of each place as columns, and in the file's metadata
//! what it is a table of.
//!
//! Values are unsigned integers of the least width that holds them, split into streams of bytes
//! and compressed: tables of laws shrink to almost nothing. Coordinates are differences.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use grundy::tabulate::{Entries, Entry, Holds};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::csv::{GRUNDY, OUTCOME, column};
use super::json_lines::outcome;
use super::read::SheetFault;
use super::rows::{RowFault, Rows};
use super::{About, Sheet, names};
use crate::json::outcome_letter;

/// The version of what the metadata says.
const VERSION: &str = "1";
/// How many rows are written, and read, together.
const ROW_GROUP: usize = 1 << 20;
const BATCH: usize = 1 << 16;

/// The keys of the metadata besides those of [`About`].
const KEY_VERSION: &str = "grundy.format";
const KEY_BOX: &str = "grundy.box";
const KEY_PLACES: &str = "grundy.places";
const KEY_CONTENT: &str = "grundy.content";
const KEY_CHECKSUM: &str = "grundy.checksum";
const PREFIX: &str = "grundy.";
const LOST: &str = "lost";

/// Whether numbers up to this one are kept in 64 bits.
fn is_wide(largest: u64) -> bool {
    u32::try_from(largest).is_err()
}

/// A column of numbers up to this one, in the language of schemas.
fn field(name: &str, largest: u64) -> String {
    match [8, 16, 32].into_iter().find(|bits| largest >> bits == 0) {
        Some(bits) => format!("int32 {name} (INTEGER({bits},false));"),
        None => format!("int64 {name} (INTEGER(64,false));"),
    }
}

pub fn write(sheet: &Sheet, lost: bool, out: &mut (dyn Write + Send)) -> io::Result<()> {
    write_parquet(sheet, lost, out).map_err(|error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    })
}

fn write_parquet(
    sheet: &Sheet,
    lost: bool,
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let names = names(sheet.bounds.len());
    let holds = sheet.entries.holds();
    let largest = sheet
        .entries
        .iter()
        .map(|entry| match entry {
            Entry::Value(value) => value,
            _ => 0,
        })
        .max()
        .unwrap_or(0);
    // Coordinates of less than 32 bits would gain nothing.
    let mut fields: Vec<String> = names
        .iter()
        .zip(&sheet.bounds)
        .map(|(name, bound)| format!("required {}", field(name, (*bound).max(1 << 16))))
        .collect();
    match (lost, holds) {
        (true, _) => {}
        (false, Holds::Values) => fields.push(format!("optional {}", field(GRUNDY, largest))),
        (false, Holds::Outcomes) => fields.push(format!("optional binary {OUTCOME} (STRING);")),
    }
    let schema = format!("message table {{ {} }}", fields.join(" "));
    let schema = Arc::new(parse_message_type(&schema)?);
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(concat!("grundy ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata(sheet, lost)))
        .set_column_encoding(ColumnPath::from(GRUNDY), Encoding::BYTE_STREAM_SPLIT)
        .set_column_dictionary_enabled(ColumnPath::from(OUTCOME), true);
    for name in &names {
        let path = ColumnPath::from(name.as_str());
        properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
    let is_row = |place: &u64| match sheet.entries.get(*place) {
        Entry::NoPosition => false,
        entry => !lost || entry.is_lost(),
    };
    let mut places = (0..sheet.entries.len()).filter(is_row);
    loop {
        let group: Vec<u64> = places.by_ref().take(ROW_GROUP).collect();
        if group.is_empty() {
            break;
        }
        let mut rows = writer.next_row_group()?;
        let coordinates: Vec<Vec<u64>> = group.iter().map(|place| sheet.numbers(*place)).collect();
        for (place, bound) in sheet.bounds.iter().enumerate() {
            let numbers: Vec<u64> = coordinates.iter().map(|numbers| numbers[place]).collect();
            write_numbers(&mut rows, &numbers, None, is_wide(*bound))?;
        }
        if !lost {
            let entries = group.iter().map(|place| sheet.entries.get(*place));
            write_entries(
                &mut rows,
                &entries.collect::<Vec<_>>(),
                holds,
                is_wide(largest),
            )?;
        }
        rows.close()?;
    }
    writer.close()?;
    Ok(())
}

fn write_entries<W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<W>,
    entries: &[Entry],
    holds: Holds,
    wide: bool,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = entries
        .iter()
        .map(|entry| i16::from(*entry != Entry::Undecided))
        .collect();
    match holds {
        Holds::Values => {
            let values = entries.iter().filter_map(|entry| match entry {
                Entry::Value(value) => Some(*value),
                _ => None,
            });
            write_numbers(rows, &values.collect::<Vec<_>>(), Some(&levels), wide)
        }
        Holds::Outcomes => {
            let letters = entries.iter().filter_map(|entry| match entry {
                Entry::Outcome(outcome) => Some(ByteArray::from(outcome_letter(*outcome))),
                _ => None,
            });
            let letters: Vec<ByteArray> = letters.collect();
            write_column::<ByteArrayType, W>(rows, &letters, Some(&levels))
        }
    }
}

/// Unsigned numbers stand in signed columns with the same bits.
fn write_numbers<W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<W>,
    numbers: &[u64],
    levels: Option<&[i16]>,
    wide: bool,
) -> Result<(), ParquetError> {
    if wide {
        let numbers: Vec<i64> = numbers.iter().map(|n| n.cast_signed()).collect();
        return write_column::<Int64Type, W>(rows, &numbers, levels);
    }
    let narrow = |n: &u64| {
        u32::try_from(*n)
            .expect("the width was chosen for the largest number")
            .cast_signed()
    };
    let numbers: Vec<i32> = numbers.iter().map(narrow).collect();
    write_column::<Int32Type, W>(rows, &numbers, levels)
}

fn write_column<T: DataType, W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = rows.next_column()?.expect("the schema has this column");
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

fn metadata(sheet: &Sheet, lost: bool) -> Vec<KeyValue> {
    let mut pairs = vec![
        (KEY_VERSION.to_owned(), VERSION.to_owned()),
        (KEY_BOX.to_owned(), format!("{:?}", sheet.bounds)),
        (KEY_PLACES.to_owned(), sheet.entries.len().to_string()),
        (
            KEY_CONTENT.to_owned(),
            if lost {
                LOST
            } else {
                column(sheet.entries.holds())
            }
            .to_owned(),
        ),
        (KEY_CHECKSUM.to_owned(), checksum(&sheet.entries)),
    ];
    if let Some(about) = &sheet.about {
        let about = serde_json::to_value(about).expect("its keys are names");
        for (name, value) in about.as_object().expect("it is a structure") {
            let text = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            pairs.push((format!("{PREFIX}{name}"), text));
        }
    }
    pairs
        .into_iter()
        .map(|(key, value)| KeyValue::new(key, value))
        .collect()
}

/// A digest of all entries.
fn checksum(entries: &Entries) -> String {
    let mut digest = Sha256::new();
    for entry in entries.iter() {
        digest.update(entries.code(entry).to_le_bytes());
    }
    format!("sha256:{:x}", digest.finalize())
}

pub fn read(file: File, most: u64) -> Result<Sheet, SheetFault> {
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let metadata = reader.metadata().file_metadata();
    let pairs = metadata.key_value_metadata();
    let get = |key: &str| {
        let pair = pairs?.iter().find(|pair| pair.key == key)?;
        pair.value.as_deref()
    };
    match get(KEY_VERSION) {
        None => return Err(SheetFault::Elsewhere),
        Some(VERSION) => {}
        Some(version) => return Err(SheetFault::Version(version.to_owned())),
    }
    let holds = match get(KEY_CONTENT) {
        Some(GRUNDY) => Holds::Values,
        Some(OUTCOME) => Holds::Outcomes,
        Some(LOST) => return Err(SheetFault::LostOnly),
        _ => return Err(SheetFault::Elsewhere),
    };
    let bounds = get(KEY_BOX).and_then(|bounds| serde_json::from_str::<Vec<u64>>(bounds).ok());
    let bounds = bounds.ok_or(SheetFault::Box)?;
    let columns = metadata.schema_descr().columns();
    let named = columns.iter().map(|column| column.name());
    let expected = names(bounds.len());
    if !named.eq(expected.iter().map(String::as_str).chain([column(holds)])) {
        return Err(SheetFault::Elsewhere);
    }
    let mut rows = Rows::new(bounds.len(), holds, most);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(damaged)?;
        read_group(&*group, bounds.len(), holds, &mut rows)?;
    }
    let places = get(KEY_PLACES).and_then(|places| places.parse().ok());
    let mut sheet = rows.finish_in(bounds, places.ok_or(SheetFault::Box)?)?;
    if get(KEY_CHECKSUM) != Some(&checksum(&sheet.entries)) {
        return Err(SheetFault::Checksum);
    }
    sheet.about = about(pairs.map_or(&[], Vec::as_slice));
    Ok(sheet)
}

fn read_group(
    group: &dyn RowGroupReader,
    arity: usize,
    holds: Holds,
    rows: &mut Rows,
) -> Result<(), SheetFault> {
    let mut readers = (0..=arity)
        .map(|place| group.get_column_reader(place))
        .collect::<Result<Vec<_>, _>>()
        .map_err(damaged)?;
    let mut values = readers.pop().ok_or(SheetFault::Elsewhere)?;
    let mut numbers = vec![0; arity];
    loop {
        let columns = readers
            .iter_mut()
            .map(read_numbers)
            .collect::<Result<Vec<_>, _>>()?;
        let entries = read_entries(&mut values, holds)?;
        if columns.iter().any(|column| column.len() != entries.len()) {
            return Err(SheetFault::Checksum);
        }
        if entries.is_empty() {
            return Ok(());
        }
        for (row, entry) in entries.into_iter().enumerate() {
            for (number, column) in numbers.iter_mut().zip(&columns) {
                *number = column[row].ok_or(SheetFault::Checksum)?;
            }
            rows.push(&numbers, entry).map_err(|fault| match fault {
                RowFault::Order => SheetFault::Checksum,
                RowFault::TooLarge => SheetFault::TooLarge,
            })?;
        }
    }
}

fn read_entries(column: &mut ColumnReader, holds: Holds) -> Result<Vec<Entry>, SheetFault> {
    if holds == Holds::Values {
        let entry = |value: Option<u64>| match value {
            None => Ok(Entry::Undecided),
            Some(value) if value <= u64::MAX >> 1 => Ok(Entry::Value(value)),
            Some(_) => Err(SheetFault::Checksum),
        };
        return read_numbers(column)?.into_iter().map(entry).collect();
    }
    let ColumnReader::ByteArrayColumnReader(column) = column else {
        return Err(SheetFault::Elsewhere);
    };
    let (mut levels, mut letters) = (Vec::new(), Vec::new());
    column
        .read_records(BATCH, Some(&mut levels), None, &mut letters)
        .map_err(damaged)?;
    let entry = |letter: Option<ByteArray>| match letter {
        None => Ok(Entry::Undecided),
        Some(letter) => {
            let letter = letter.as_utf8().map_err(damaged)?;
            outcome(letter)
                .map(Entry::Outcome)
                .ok_or(SheetFault::Checksum)
        }
    };
    spread(letters, &levels)?.into_iter().map(entry).collect()
}

/// The next numbers of a column; `None` where it has none.
fn read_numbers(column: &mut ColumnReader) -> Result<Vec<Option<u64>>, SheetFault> {
    let mut levels = Vec::new();
    match column {
        ColumnReader::Int32ColumnReader(column) => {
            let mut values = Vec::new();
            column
                .read_records(BATCH, Some(&mut levels), None, &mut values)
                .map_err(damaged)?;
            let values = values.into_iter().map(|n| n.cast_unsigned().into());
            spread(values.collect(), &levels)
        }
        ColumnReader::Int64ColumnReader(column) => {
            let mut values = Vec::new();
            column
                .read_records(BATCH, Some(&mut levels), None, &mut values)
                .map_err(damaged)?;
            let values = values.into_iter().map(i64::cast_unsigned);
            spread(values.collect(), &levels)
        }
        _ => Err(SheetFault::Elsewhere),
    }
}

/// Values with the nulls between them; without levels there are none.
fn spread<T>(values: Vec<T>, levels: &[i16]) -> Result<Vec<Option<T>>, SheetFault> {
    if levels.is_empty() {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    let spread = levels.iter().map(|level| match level {
        0 => Ok(None),
        _ => values.next().map(Some).ok_or(SheetFault::Checksum),
    });
    spread.collect()
}

/// What the metadata says of the table, if it says all.
fn about(pairs: &[KeyValue]) -> Option<About> {
    const TEXTS: [&str; 5] = ["game", "rules", "digest", "play", "of"];
    let mut fields = Map::new();
    for pair in pairs {
        let (Some(name), Some(text)) = (pair.key.strip_prefix(PREFIX), &pair.value) else {
            continue;
        };
        let value = if TEXTS.contains(&name) {
            Value::String(text.clone())
        } else {
            serde_json::from_str(text).unwrap_or_default()
        };
        fields.insert(name.to_owned(), value);
    }
    serde_json::from_value(Value::Object(fields)).ok()
}

#[allow(clippy::needless_pass_by_value)] // It is passed to `map_err`.
fn damaged(error: ParquetError) -> SheetFault {
    SheetFault::Parquet(error.to_string())
}
