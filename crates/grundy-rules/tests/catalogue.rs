//! Every game of the catalogue can be read.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_rules::ruleset::{Ruleset, Span};
use grundy_rules::{Diagnostic, parse};

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = fs::read_dir(directory).expect("the catalogue stands beside the crates");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    files.sort();
    files
}

/// Every file with what it says, or a list of all that is wrong.
fn catalogue() -> Vec<(PathBuf, String, Ruleset)> {
    let mut games = Vec::new();
    let mut faults = Vec::new();
    for file in files() {
        let text = fs::read_to_string(&file).expect("a game is text");
        match parse(&text) {
            Ok(ruleset) => games.push((file, text, ruleset)),
            Err(diagnostics) => {
                faults.extend(diagnostics.iter().map(|d| describe(&file, &text, d)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    games
}

fn describe(file: &Path, text: &str, diagnostic: &Diagnostic) -> String {
    let Span { start, end } = diagnostic.span;
    let line = text[..start].matches('\n').count() + 1;
    format!(
        "{}:{line}: {:?} at `{}`",
        file.display(),
        diagnostic.fault,
        &text[start..end]
    )
}

#[test]
fn every_game_can_be_read_and_has_the_name_of_its_file() {
    for (file, _, ruleset) in catalogue() {
        assert_eq!(file.extension().and_then(|e| e.to_str()), Some("game"));
        assert_eq!(
            file.file_stem().and_then(|s| s.to_str()),
            Some(ruleset.name.as_str())
        );
        assert!(ruleset.title.is_some(), "{} has no title", ruleset.name);
    }
}

#[test]
fn the_classics_are_there() {
    assert!(catalogue().len() >= 85);
}

/// No line is lost on the way: a line that begins with `expect` or `claim` is a test or a law.
#[test]
fn every_expectation_is_read_with_its_source() {
    for (file, text, ruleset) in catalogue() {
        let begins = |word| move |line: &&str| line.starts_with(word);
        let lines: Vec<_> = text.lines().filter(begins("expect ")).collect();
        assert_eq!(
            lines.len(),
            ruleset.expectations.len(),
            "{}",
            file.display()
        );
        for (line, expectation) in lines.iter().zip(&ruleset.expectations) {
            let source = line.split_once('#').map(|(_, source)| source.trim());
            assert_eq!(source, expectation.source.as_deref(), "{}", file.display());
        }
        let claims = text.lines().filter(begins("claim ")).count();
        assert_eq!(claims, ruleset.claims.len(), "{}", file.display());
    }
}
