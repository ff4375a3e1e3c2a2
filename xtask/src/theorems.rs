//! The table of published theorems and of what holding them against the oracle showed.

use std::fs;

use crate::{cargo, output, root};

/// Holds every theorem against the oracle and writes the table into the documentation.
pub fn table() -> Result<(), String> {
    let example = ["run", "--release", "-p", "grundy", "--example", "theorems"];
    let table = output(cargo().args(example))?;
    let path = root().join("docs").join("theorems-table.md");
    fs::create_dir_all(root().join("docs"))
        .and_then(|()| fs::write(&path, format!("{table}\n")))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
