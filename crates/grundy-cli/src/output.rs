//! Where results go.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use crate::status::Failure;

/// The standard output with colours where they are wanted, or a file without.
pub fn open(path: Option<&Path>) -> Result<Box<dyn Write>, Failure> {
    match path {
        None => Ok(Box::new(BufWriter::new(AutoStream::auto(io::stdout())))),
        Some(path) => {
            let file = File::create(path).map_err(|error| {
                Failure::Input(grundy::text::error(&format!("{}: {error}", path.display())))
            })?;
            let plain = AutoStream::new(
                Box::new(BufWriter::new(file)) as Box<dyn Write>,
                ColorChoice::Never,
            );
            Ok(Box::new(plain))
        }
    }
}
