//! The table of the problems that are answered, and the list of those that are not.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::{cargo, output, root};

/// Runs all problems and writes the table into the documentation.
pub fn table() -> Result<(), String> {
    let example = [
        "run",
        "--release",
        "-p",
        "grundy-problems",
        "--example",
        "problems",
    ];
    let table = output(cargo().args(example))?;
    let counted = table.lines().count().saturating_sub(2);
    let left_out = left_out()?;
    let missing: usize = left_out.values().map(Vec::len).sum();
    let mut page = String::from(
        "# Contest problems, and what became of them\n\n\
         Written by `cargo xtask problems`. Samples are those of the statement where they are public; otherwise the\n\
         file says so, and they are small inputs that exhaustive search answered. Small inputs were drawn from\n\
         the limits of the file, and answered alike by what is known and by exhaustive search of the statement's own rules. The\n\
         evidence and the seconds are those of the samples and of large inputs that were drawn: many rounds, and long lists; the\n\
         slowest of them counts.\n\n",
    );
    let write = "a string takes every text";
    write!(
        page,
        "{counted} problems count.\n\n{table}\n\n# Left out\n\n"
    )
    .expect(write);
    writeln!(
        page,
        "{missing} problems about games of the same collection, by what they lack (`problems/left-out.tsv`).\n"
    )
    .expect(write);
    writeln!(page, "| lacks | problems |\n|---|---|").expect(write);
    for (lack, problems) in left_out {
        writeln!(page, "| {lack} | {} |", problems.join(", ")).expect(write);
    }
    let path = root().join("docs").join("problems-table.md");
    fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The problems without a file, by what they lack.
fn left_out() -> Result<BTreeMap<String, Vec<String>>, String> {
    let folder = root().join("problems");
    let path = folder.join("left-out.tsv");
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut lacks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [problem, title, lack] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{}: not three columns: {line}", path.display()));
        };
        if folder.join(format!("{problem}.problem")).exists() {
            return Err(format!("{problem} is left out, and has a file"));
        }
        let named = format!("{problem} ({title})");
        lacks.entry(lack.to_owned()).or_default().push(named);
    }
    Ok(lacks)
}
