//! Commands that say what is known of a game before anything is computed.

use clap::Args;

use super::value::size;
use super::{GAME, GAME_LONG, LimitOptions, PlayOptions};

/// Say back what the rules of a game mean
#[derive(Args)]
#[command(after_help = SHOW)]
pub struct ShowOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const SHOW: &str = "\
Examples:
  grundy show half
  grundy show '[n] -> [n-k] where 1 <= k <= 3'

Each rule as a sentence, then what usually goes wrong: whether 0 is a position and has moves,
whether parts may be empty, order, memory, cycles and passes, and what can be proved.";

/// What is known of a game of one number besides its values
#[derive(Args)]
#[command(after_help = INFO)]
pub struct InfoOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// Look at the heaps up to N
    #[arg(long, value_name = "N", value_parser = size, default_value = "100000")]
    pub upto: u64,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const INFO: &str = "\
Examples:
  grundy info 0.16
  grundy info grundys-game --upto 1e6
  grundy info 0.376 --json

Exit status: 0 answered, 2 the input is wrong, 3 there are no such values, or fewer within the limits.";

/// List the games of the catalogue
#[derive(Args)]
#[command(after_help = GAMES)]
pub struct GamesOptions {
    /// Only those with this in their name, title or description
    pub word: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

const GAMES: &str = "\
Examples:
  grundy games
  grundy games wythoff";
