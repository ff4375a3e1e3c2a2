//! `grundy games`: what the catalogue has.

use std::io::{self, Write};

use anstyle::Style;
use grundy::catalogue::{GAMES, Game};
use grundy::text;
use serde::Serialize;

use crate::args::GamesOptions;
use crate::output;
use crate::status::{Failure, Status};

#[derive(Serialize)]
struct GameJson {
    name: &'static str,
    title: Option<&'static str>,
}

/// Carries out the command.
pub fn run(options: &GamesOptions) -> Result<Status, Failure> {
    let word = options.word.as_deref().unwrap_or_default().to_lowercase();
    let found: Vec<&Game> = GAMES.iter().filter(|game| speaks_of(game, &word)).collect();
    let mut out = output::open();
    if options.json {
        let games = found.iter().map(|game| GameJson {
            name: game.name,
            title: game.title(),
        });
        serde_json::to_writer(&mut out, &games.collect::<Vec<_>>()).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        let width = found.iter().map(|game| game.name.len()).max().unwrap_or(0);
        let bold = Style::new().bold();
        for game in &found {
            let title = game.title().unwrap_or_default();
            let gap = if title.is_empty() {
                0
            } else {
                width - game.name.len() + 2
            };
            writeln!(out, "{bold}{}{bold:#}{:gap$}{title}", game.name, "")?;
        }
        if found.is_empty() {
            anstream::eprintln!("{}", text::no_games(&word));
        }
    }
    out.flush()?;
    Ok(Status::Answered)
}

/// Whether a word, in lower case, stands in a game's name, title or description.
fn speaks_of(game: &Game, word: &str) -> bool {
    let contains = |text: &str| text.to_lowercase().contains(word);
    let description = game.text.lines().filter(|line| line.starts_with('#'));
    contains(game.name)
        || game.title().is_some_and(contains)
        || description.into_iter().any(contains)
}
