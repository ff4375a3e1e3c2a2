//! Work that survives its process: what is found is kept beside the file that it is for.
//!
//! There are two files. `FILE.checkpoint-values` is only ever appended to, and synced. Then
//! `FILE.checkpoint` is replaced as a whole: it says of which table the values are, how many of the
//! bytes count, and their digest. What stands behind these bytes was being written when
//! the process ended, and does not count. So at every moment there is one whole checkpoint.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy::tabulate::Way;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::output::{self, Output};

/// The version of these files.
const VERSION: u32 = 1;
/// What is added to the name of the file.
const HEADER: &str = ".checkpoint";
const VALUES: &str = ".checkpoint-values";
/// Between two checkpoints there is at most so much time, with what a piece of work takes.
const MOST_TIME: Duration = Duration::from_secs(4);
/// Between two checkpoints there is at most the 25th part of the work, with what a piece is.
const PARTS: u64 = 25;

/// Which table the work is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The digest of the rules.
    pub digest: String,
    /// The game's name, for people.
    pub game: String,
    /// The largest number at each place.
    #[serde(rename = "box")]
    pub bounds: Vec<u64>,
    /// How the table will be written.
    pub format: String,
}

/// What `FILE.checkpoint` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    grundy_checkpoint: u32,
    /// The program that wrote it.
    program: String,
    #[serde(flatten)]
    question: Question,
    /// What the numbers are: `heaps`, `sums`, `cells` or `places`.
    way: String,
    /// How much of the work they tell of.
    done: u64,
    /// How many bytes of the values count.
    bytes: u64,
    /// Their digest.
    values: String,
}

/// A header and its digest.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(flatten)]
    header: Header,
    seal: String,
}

/// Why a checkpoint cannot be gone on from.
#[derive(Debug)]
pub enum CheckpointFault {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is not what was written.
    Damaged(PathBuf),
    /// Another version of the program wrote it.
    Version(PathBuf, u32),
    /// It is one of another table.
    Other(PathBuf, Box<Question>),
    /// It holds numbers of another way of computing, which takes another amount of memory.
    Way(PathBuf),
    /// Another process is at work on it.
    Busy(PathBuf),
}

/// The checkpoint of a table.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    values_path: PathBuf,
    values: File,
    digest: Sha256,
    header: Header,
    /// When the last one was written.
    last: Instant,
}

/// What a checkpoint held when the work began.
#[derive(Debug)]
pub struct Kept {
    /// What the numbers are.
    pub way: String,
    /// How much of the work they tell of.
    pub done: u64,
    /// The numbers.
    pub numbers: Vec<u64>,
}

/// The name of a way of computing.
pub fn name(way: Way) -> &'static str {
    match way {
        Way::Heaps => "heaps",
        Way::Sums => "sums",
        Way::Cells => "cells",
        Way::Places => "places",
    }
}

/// The path of the checkpoint for a file.
pub fn path(file: &Path) -> PathBuf {
    beside(file, HEADER)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl Checkpoint {
    /// Opens the checkpoint for a file, or begins one; what it held.
    pub fn open(file: &Path, question: Question) -> Result<(Self, Option<Kept>), CheckpointFault> {
        let (path, values_path) = (path(file), beside(file, VALUES));
        let found = read_header(&path)?;
        if let Some(header) = &found
            && header.question != question
        {
            return Err(CheckpointFault::Other(
                path,
                Box::new(header.question.clone()),
            ));
        }
        if found.is_some() && !values_path.exists() {
            return Err(CheckpointFault::Damaged(values_path));
        }
        let io = |error| CheckpointFault::Io(values_path.clone(), error);
        let mut values = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&values_path)
            .map_err(io)?;
        // Not every file system has locks; without them nobody is told that a file is in use.
        if let Err(fs::TryLockError::WouldBlock) = values.try_lock() {
            return Err(CheckpointFault::Busy(values_path));
        }
        let mut digest = Sha256::new();
        let mut kept = None;
        let header = match found {
            Some(header) => {
                let mut bytes = Vec::new();
                let mut counted = (&mut values).take(header.bytes);
                counted.read_to_end(&mut bytes).map_err(io)?;
                digest.update(&bytes);
                let is_whole =
                    bytes.len() as u64 == header.bytes && sha256(&digest) == header.values;
                let numbers = unpack(&bytes).filter(|_| is_whole);
                let numbers = numbers.ok_or(CheckpointFault::Damaged(values_path.clone()))?;
                kept = Some(Kept {
                    way: header.way.clone(),
                    done: header.done,
                    numbers,
                });
                header
            }
            None => Header {
                grundy_checkpoint: VERSION,
                program: env!("CARGO_PKG_VERSION").to_owned(),
                question,
                way: String::new(),
                done: 0,
                bytes: 0,
                values: sha256(&digest),
            },
        };
        values.set_len(header.bytes).map_err(io)?;
        values.seek(SeekFrom::Start(header.bytes)).map_err(io)?;
        let checkpoint = Self {
            path,
            values_path,
            values,
            digest,
            header,
            last: Instant::now(),
        };
        Ok((checkpoint, kept))
    }

    /// Whether it is time for the next one.
    pub fn is_due(&self, done: u64, total: u64) -> bool {
        done - self.header.done >= total.div_ceil(PARTS) || self.last.elapsed() >= MOST_TIME
    }

    /// Keeps what was found since the last one, when so much is done.
    pub fn append(&mut self, way: Way, done: u64, news: &[u64]) -> Result<(), CheckpointFault> {
        let bytes = pack(news);
        let io = |error| CheckpointFault::Io(self.values_path.clone(), error);
        self.values.write_all(&bytes).map_err(io)?;
        self.values.sync_data().map_err(io)?;
        self.digest.update(&bytes);
        name(way).clone_into(&mut self.header.way);
        self.header.done = done;
        self.header.bytes += bytes.len() as u64;
        self.header.values = sha256(&self.digest);
        let sealed = Sealed {
            seal: seal(&self.header),
            header: self.header.clone(),
        };
        output::replace(&self.path, |out| {
            serde_json::to_writer_pretty(&mut *out, &sealed)?;
            writeln!(out)
        })
        .map_err(|error| CheckpointFault::Io(self.path.clone(), error))?;
        self.last = Instant::now();
        Ok(())
    }

    /// Removes it: the work is done.
    pub fn remove(self) -> Result<(), CheckpointFault> {
        remove(&self.path, &self.values_path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes what a run that ended between its last steps has left of the checkpoint of a file.
pub fn remove_rest(file: &Path) -> Result<(), CheckpointFault> {
    remove(&path(file), &beside(file, VALUES))
}

/// The values go last: without a header they are no checkpoint, and a header without values would be
/// a damaged one.
fn remove(path: &Path, values_path: &Path) -> Result<(), CheckpointFault> {
    for path in [path, values_path] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(CheckpointFault::Io(path.to_owned(), error));
            }
            _ => {}
        }
    }
    // If the machine stops now, the next run finds that all is done.
    let _ = output::sync_folder(output::folder(path));
    Ok(())
}

impl Output {
    /// The checkpoint files of what is written, if there are any.
    pub fn has_checkpoint(&self) -> Option<PathBuf> {
        match self {
            Self::File(file) => Some(path(file)).filter(|path| path.exists()),
            Self::Standard | Self::Stream(_) => None,
        }
    }
}

fn read_header(path: &Path) -> Result<Option<Header>, CheckpointFault> {
    #[derive(Deserialize)]
    struct Version {
        grundy_checkpoint: u32,
    }
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CheckpointFault::Io(path.to_owned(), error)),
    };
    let damaged = || CheckpointFault::Damaged(path.to_owned());
    let version: Version = serde_json::from_slice(&text).map_err(|_| damaged())?;
    if version.grundy_checkpoint != VERSION {
        return Err(CheckpointFault::Version(
            path.to_owned(),
            version.grundy_checkpoint,
        ));
    }
    let sealed: Sealed = serde_json::from_slice(&text).map_err(|_| damaged())?;
    if seal(&sealed.header) != sealed.seal {
        return Err(damaged());
    }
    if sealed.header.program != env!("CARGO_PKG_VERSION") {
        return Err(CheckpointFault::Version(path.to_owned(), VERSION));
    }
    Ok(Some(sealed.header))
}

fn seal(header: &Header) -> String {
    let text = serde_json::to_string(header).expect("its keys are names");
    sha256(&Sha256::new().chain_update(text))
}

fn sha256(digest: &Sha256) -> String {
    format!("sha256:{:x}", digest.clone().finalize())
}

/// Numbers in as few bytes each as the largest needs, behind that width and their count.
fn pack(numbers: &[u64]) -> Vec<u8> {
    let largest = numbers.iter().copied().max().unwrap_or(0);
    let width = [1, 2, 4]
        .into_iter()
        .find(|width| largest >> (8 * width) == 0)
        .unwrap_or(8);
    let mut bytes = vec![u8::try_from(width).expect("it is at most 8")];
    bytes.extend((numbers.len() as u64).to_le_bytes());
    for number in numbers {
        bytes.extend(&number.to_le_bytes()[..width]);
    }
    bytes
}

/// The numbers that were packed, piece after piece; `None` if they were not.
fn unpack(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    while let Some((width, rest)) = bytes.split_first() {
        let width = usize::from(*width);
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        if ![1, 2, 4, 8].contains(&width) || rest.len() / width < count {
            return None;
        }
        let (piece, rest) = rest.split_at(count * width);
        for number in piece.chunks(width) {
            let mut all = [0; 8];
            all[..width].copy_from_slice(number);
            numbers.push(u64::from_le_bytes(all));
        }
        bytes = rest;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let pieces: &[&[u64]] = &[&[], &[0, 255], &[256], &[65535, 1 << 20], &[u64::MAX, 3]];
        let bytes: Vec<u8> = pieces.iter().flat_map(|piece| pack(piece)).collect();
        assert_eq!(unpack(&bytes), Some(pieces.concat()));
        let ends: Vec<usize> = pieces
            .iter()
            .scan(0, |end, piece| {
                *end += pack(piece).len();
                Some(*end)
            })
            .collect();
        for end in 1..bytes.len() {
            assert_eq!(
                unpack(&bytes[..end]).is_some(),
                ends.contains(&end),
                "{end}"
            );
        }
    }
}
