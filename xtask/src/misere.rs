//! The table of octal codes in misère play.

use std::fs;

use crate::{cargo, output, root};

/// Proves what can be proved of all octal codes of three digits and writes the table into the documentation.
pub fn table() -> Result<(), String> {
    let example = ["run", "--release", "-p", "grundy", "--example", "misere"];
    let table = output(cargo().args(example))?;
    let path = root().join("docs").join("misere-table.md");
    fs::write(&path, format!("{table}\n"))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
