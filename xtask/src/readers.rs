//! Reads our files with pandas, polars and `DuckDB`: what they find must be what the program says.

use std::process::Command;

use crate::{cache, cargo, root, run};

/// The readers, in the versions that the files were last held against.
const PACKAGES: &[&str] = &[
    "duckdb==2.0.1",
    "pandas==3.1.1",
    "polars==2.1.0",
    "pyarrow==26.0.1",
];

/// Writes tables in all formats for other tools, and has each tool read them back.
pub fn check() -> Result<(), String> {
    let folder = cache("grundy-readers")?;
    let bin = folder.join("bin");
    // Written last: that it says what is wanted says that all of it is there.
    let list = folder.join("installed.txt");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&list).is_ok_and(|installed| installed != wanted) || !list.exists() {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder))?;
        run(Command::new(bin.join("pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(PACKAGES))?;
        std::fs::write(&list, wanted)
            .map_err(|error| format!("cannot write {}: {error}", list.display()))?;
    }
    run(cargo().args(["build", "--quiet", "--locked", "--package", "grundy-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let program = root().join(target).join("debug").join("grundy");
    run(Command::new(bin.join("python"))
        .arg(root().join("xtask").join("readers.py"))
        .arg(program))
}
