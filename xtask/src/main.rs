//! Tasks that take more than one cargo command. `cargo xtask` lists them.

mod lint;
mod misere;
mod problems;
mod programs;
mod provers;
mod readers;
mod theorems;
mod wasm;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask TASK

tasks:
  lint      spelling, licences of the dependencies, dependencies nobody uses
  misere    octal codes in misère play, proved: docs/misere-table.md
  problems  run all problems, and list those left out: docs/problems-table.md
  programs  emit programs for all problems, and catch wrong ones: docs/programs-table.md
  provers   have MONA judge what the checker exports
  readers   read our files with pandas, polars and DuckDB
  theorems  hold the published theorems against the oracle: docs/theorems-table.md
  wasm      compile the library crates for WebAssembly";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let task = match arguments.as_slice() {
        [name] if name == "lint" => lint::check,
        [name] if name == "misere" => misere::table,
        [name] if name == "problems" => problems::table,
        [name] if name == "programs" => programs::tables,
        [name] if name == "provers" => provers::check,
        [name] if name == "readers" => readers::check,
        [name] if name == "theorems" => theorems::table,
        [name] if name == "wasm" => wasm::compile,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match task() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this crate lies in a folder of the workspace")
}

/// The cargo that runs this task.
fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Our folder of this name in the user's cache: what is in it can be fetched again.
fn cache(name: &str) -> Result<PathBuf, String> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    set("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| Path::new(&home).join(".cache")))
        .map(|cache| cache.join(name))
        .ok_or_else(|| "neither XDG_CACHE_HOME nor HOME is set".to_owned())
}

/// Runs a command to its end; its output goes where ours goes.
fn run(command: &mut Command) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|error| format!("cannot start {}: {error}", name(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} ended with {status}", name(command)))
    }
}

/// What a command prints on standard output.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", name(command)))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("{} ended with {}", name(command), output.status))
    }
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
