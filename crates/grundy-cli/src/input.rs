//! What arguments name, read from files and the standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use grundy::argument::{self, ArgumentFault, Sum, Unreadable};
use grundy::solve::Part;
use grundy_rules::Meter;

use crate::args::PlayOptions;

/// Reads a file for the library.
pub fn read(path: &str) -> Result<Vec<u8>, Unreadable> {
    fs::read(path).map_err(|error| reason(&error))
}

/// Why a file cannot be read.
pub fn unreadable(path: &str, error: &io::Error) -> ArgumentFault {
    ArgumentFault::Unreadable {
        path: path.to_owned(),
        reason: reason(error),
    }
}

fn reason(error: &io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Missing,
        io::ErrorKind::IsADirectory => Unreadable::Folder,
        _ => Unreadable::Other(error.to_string()),
    }
}

/// The path of a graph, where a GAME argument is one: by its ending, or behind `graph:`.
pub fn graph_file(game: &str) -> Option<&str> {
    const ENDINGS: [&str; 5] = ["dot", "gv", "csv", "json", "edges"];
    let by_ending = || {
        let ending = Path::new(game).extension()?.to_str()?;
        let is_graph = ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known));
        is_graph.then_some(game)
    };
    game.strip_prefix("graph:").or_else(by_ending)
}

/// The sum that the arguments GAME and POSITION mean, under the convention asked for.
pub fn sum(
    game: &str,
    position: &[String],
    play: &PlayOptions,
    meter: &mut Meter,
) -> Result<Sum, ArgumentFault> {
    let behind = position.first().map(String::as_str);
    if matches!(behind, None | Some("+")) && argument::is_sum(game) {
        let words: Vec<&str> = std::iter::once(game)
            .chain(position.iter().map(String::as_str))
            .collect();
        return argument::sum(&words.join(" "), play.convention(), &read, meter);
    }
    let ruleset = play.apply(argument::game(game, &read)?);
    if position.is_empty() {
        return Err(ArgumentFault::PositionMissing {
            game: game.to_owned(),
        });
    }
    let position = argument::position(&positions(position)?, &ruleset, meter)?;
    let parts = position
        .0
        .into_iter()
        .map(|component| Part { game: 0, component });
    Ok(Sum {
        parts: parts.collect(),
        games: vec![ruleset],
    })
}

/// The text of POSITION arguments, joined by spaces; `-` stands for the standard input and
/// `@FILE` for a file. White space separates components there, and `#` begins a comment.
pub fn positions(arguments: &[String]) -> Result<String, ArgumentFault> {
    let mut joined = String::new();
    for argument in arguments {
        if !joined.is_empty() {
            joined.push(' ');
        }
        match source(argument) {
            None => joined.push_str(argument),
            Some(path) => {
                for line in text_of(path)?.lines() {
                    joined.push_str(without_comment(line));
                    joined.push(' ');
                }
            }
        }
    }
    Ok(joined)
}

/// The part of a line before its comment.
pub fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// The path that an argument names: `-` for the standard input, `@FILE` for a file.
pub fn source(argument: &str) -> Option<&str> {
    if argument == "-" {
        Some("-")
    } else {
        argument.strip_prefix('@')
    }
}

/// The text of a file, or of the standard input for `-`.
fn text_of(path: &str) -> Result<String, ArgumentFault> {
    let mut bytes = Vec::new();
    let result = if path == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(path).map(|content| bytes = content)
    };
    result.map_err(|error| unreadable(path, &error))?;
    argument::text_of(bytes, path)
}
