//! Compiles and runs the C++ programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Run;
use crate::report::first_line;

const COMPILER: &str = "g++";
const FLAGS: &[&str] = &["-O2", "-std=c++17"];

/// A compiled program with its arguments.
pub struct Program {
    path: PathBuf,
    arguments: Vec<String>,
}

/// Compiles `source` into `folder`.
pub fn compile(source: &Path, folder: &Path) -> Result<Program, String> {
    let path = folder.join(source.file_stem().expect("a source file has a name"));
    let status = Command::new(COMPILER)
        .args(FLAGS)
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp"))
        .arg("-o")
        .args([&path, source])
        .status()
        .map_err(|error| format!("cannot start {COMPILER}: {error}"))?;
    if !status.success() {
        return Err(format!("{COMPILER} refused {}", source.display()));
    }
    Ok(Program {
        path,
        arguments: Vec::new(),
    })
}

/// The compiler and its flags, for the report.
pub fn version() -> Result<String, String> {
    let first = first_line(COMPILER, "--version")?;
    Ok(format!("{first}, {}", FLAGS.join(" ")))
}

impl Program {
    /// The same program with these arguments.
    pub fn with(&self, arguments: &[u32]) -> Self {
        Self {
            path: self.path.clone(),
            arguments: arguments.iter().map(u32::to_string).collect(),
        }
    }

    /// Runs it once.
    pub fn run(&self) -> Result<Run, String> {
        let output = Command::new(&self.path)
            .args(&self.arguments)
            .output()
            .map_err(|error| format!("cannot start {}: {error}", self.path.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut words = text.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        match (u64::from_str_radix(word(), 16), word().parse()) {
            (Ok(checksum), Ok(seconds)) if output.status.success() => Ok(Run { checksum, seconds }),
            _ => Err(format!(
                "{} {} ended with {}",
                self.path.display(),
                self.arguments.join(" "),
                output.status
            )),
        }
    }
}
