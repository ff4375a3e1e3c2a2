//! `grundy export`: what a certificate proves, for other provers.

use std::fs;
use std::io::Write;

use grundy::argument::text_of;
use grundy::text;
use grundy_certificate::automatic::Prover;
use grundy_certificate::{Refusal, export};

use crate::args::{ExportOptions, Judge};
use crate::input;
use crate::output;
use crate::status::{Failure, Status};

/// Carries out the command.
pub fn run(options: &ExportOptions) -> Result<Status, Failure> {
    let path = options.file.to_string_lossy();
    let bytes = fs::read(&options.file).map_err(|error| input::unreadable(&path, &error))?;
    let content = text_of(bytes, &path)?;
    let prover = match options.to {
        Judge::Mona => Prover::Mona,
        Judge::Walnut => Prover::Walnut,
    };
    match export(&content, prover) {
        Ok(written) => {
            let mut out = output::open();
            out.write_all(written.as_bytes())?;
            out.flush()?;
            Ok(Status::Answered)
        }
        Err(refusal) => {
            let message = text::error(&format!("{path}: {}", text::refusal(&refusal)));
            match refusal {
                Refusal::False(_) => {
                    anstream::eprintln!("{message}");
                    Ok(Status::Refuted)
                }
                Refusal::Malformed(_) | Refusal::Undecided(_) => Err(Failure::Input(message)),
            }
        }
    }
}
