//! Going on with a table where an earlier run ended.

use std::path::Path;

use grundy::outcome::Undecided;
use grundy::tabulate::{Entry, Work};
use grundy_rules::Meter;

use crate::checkpoint::{self, Checkpoint, CheckpointFault, Kept, Question};
use crate::output::Output;
use crate::sheet::{self, Sheet};
use crate::status::{Failure, Status};
use crate::text;

/// Keeps the work on one file.
pub struct Keeper {
    checkpoint: Checkpoint,
    kept: Option<Kept>,
}

/// What there is when a run begins.
pub enum Begun {
    /// The file is there, and whole.
    Finished(Status),
    /// There is work to do.
    Open(Box<Keeper>),
}

impl Keeper {
    /// Opens the checkpoint of a file; `is_right` tells whether a file that is there is the one
    /// asked for.
    pub fn open(
        output: &Output,
        question: Question,
        is_right: impl Fn(&Sheet) -> bool,
    ) -> Result<Begun, Failure> {
        let Output::File(file) = output else {
            return Err(Failure::Input(grundy::text::error(
                text::RESUME_NEEDS_A_FILE,
            )));
        };
        if !file.exists() {
            let (checkpoint, kept) = Checkpoint::open(file, question).map_err(failure)?;
            return Ok(Begun::Open(Box::new(Self { checkpoint, kept })));
        }
        let status = match sheet::read(file, u64::MAX) {
            Ok(sheet) if is_right(&sheet) => {
                if sheet.entries.iter().any(|entry| entry == Entry::Undecided) {
                    Status::Undecided
                } else {
                    Status::Answered
                }
            }
            // Lists of lost positions and other layouts cannot be read back.
            _ if question.format.contains(", ") => Status::Answered,
            _ => return Err(Failure::Input(text::other_file(file))),
        };
        // A run that ended between its last two steps has left it.
        checkpoint::remove_rest(file).map_err(failure)?;
        anstream::eprintln!("{}", text::finished(file));
        Ok(Begun::Finished(status))
    }

    /// What an earlier run has found, to be asked for once.
    pub fn kept(&mut self) -> Option<Restored> {
        let path = self.checkpoint.path().to_owned();
        self.kept.take().map(|kept| Restored { kept, path })
    }

    /// Keeps what is new, if it is time to or if the work stops.
    pub fn keep(&mut self, work: &mut Work, stops: bool) -> Result<(), Failure> {
        if stops || work.is_finished() || self.checkpoint.is_due(work.done(), work.total()) {
            let (way, done) = (work.way(), work.done());
            let kept = self.checkpoint.append(way, done, &work.news());
            kept.map_err(failure)?;
        }
        Ok(())
    }

    /// Where it is kept.
    pub fn path(&self) -> &Path {
        self.checkpoint.path()
    }

    /// Nothing need be kept any more.
    pub fn remove(self: Box<Self>) -> Result<(), Failure> {
        self.checkpoint.remove().map_err(failure)
    }
}

/// What an earlier run has found.
pub struct Restored {
    kept: Kept,
    path: std::path::PathBuf,
}

impl Restored {
    /// Gives it to the work; a limit that was reached on the way.
    pub fn restore(
        self,
        work: &mut Work,
        meter: &mut Meter,
    ) -> Result<Result<(), Undecided>, Failure> {
        let (kept, path) = (self.kept, self.path);
        if kept.way != checkpoint::name(work.way()) {
            return Err(failure(CheckpointFault::Way(path)));
        }
        if kept.done > work.total() {
            return Err(failure(CheckpointFault::Damaged(path)));
        }
        let result = work.restore(&kept.numbers, meter);
        anstream::eprintln!("{}", text::resumed(work.done(), work.total()));
        Ok(result)
    }
}

#[allow(clippy::needless_pass_by_value)] // It is passed to `map_err`.
fn failure(fault: CheckpointFault) -> Failure {
    Failure::Input(text::checkpoint_fault(&fault))
}
