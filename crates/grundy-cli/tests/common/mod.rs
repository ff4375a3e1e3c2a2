//! The program, run with a cache folder of its own, so that no test touches the user's.

#![allow(dead_code)] // Each test file uses what it needs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A user without any files.
pub struct User {
    home: TempDir,
}

impl User {
    pub fn new() -> Self {
        Self {
            home: TempDir::new().expect("a temporary folder can be made"),
        }
    }

    /// The program with these arguments, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command
            .args(arguments)
            .env("HOME", self.home.path())
            .env("XDG_CACHE_HOME", self.home.path().join("cache"))
            .env("NO_COLOR", "1")
            .current_dir(self.home.path());
        command
    }

    /// What the program says to these arguments, and its exit status.
    pub fn run(&self, arguments: &[&str]) -> (String, i32) {
        finished(&self.command(arguments).output().expect("the program runs"))
    }

    /// The JSON that the program answers with, and its exit status.
    pub fn json(&self, arguments: &[&str]) -> (Value, i32) {
        let (text, status) = self.run(arguments);
        let json = serde_json::from_str(&text);
        (
            json.unwrap_or_else(|error| panic!("{error}: {text}")),
            status,
        )
    }

    pub fn cache(&self) -> PathBuf {
        self.home.path().join("cache").join("grundy")
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }
}

/// What a process said, and its exit status.
pub fn finished(output: &Output) -> (String, i32) {
    let text = String::from_utf8(output.stdout.clone()).expect("the program writes text");
    (
        text,
        output.status.code().expect("the program ends by itself"),
    )
}
