//! Commands that tabulate values and draw them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::value::size;
use super::{GAME, GAME_LONG, LimitOptions, PlayOptions};

/// The values, or the outcomes, of all positions up to a size.
#[derive(Args)]
#[command(after_help = TABLE)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own on the command line.
pub struct TableOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG, required_unless_present = "from")]
    pub game: Option<String>,
    /// Heaps 0 to N, or N for every coordinate of the game's components
    #[arg(long, value_name = "N", value_parser = size)]
    pub upto: Option<u64>,
    /// The largest number at each coordinate; of a game of one number, at each heap of a sum
    #[arg(long = "box", value_name = "A,B,…", value_delimiter = ',', value_parser = size, conflicts_with = "upto")]
    pub bounds: Vec<u64>,
    /// List only the positions that are lost for the player about to move
    #[arg(long)]
    pub lost: bool,
    #[command(flatten)]
    pub play: PlayOptions,
    /// As text: so many heaps in a row, so that those of one residue stand below each other
    /// [default: 10, in base 2 8, in base 3 9]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub columns: Option<u64>,
    /// As text: write heaps and values in this base
    #[arg(long, value_enum, default_value_t = Base::Ten, hide_default_value = true)]
    pub base: Base,
    /// Read the table from a file that this command wrote, in any format, and compute nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "upto", "bounds", "play", "misere"])]
    pub from: Option<PathBuf>,
    /// How to write it [default: by the ending of FILE, else text]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write to this file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep what is found beside FILE, and go on with what an earlier run has kept there
    #[arg(long, requires = "output", conflicts_with_all = ["from", "force"])]
    pub resume: bool,
    /// Write over FILE if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Use up to so many threads, one for each core, for games such as Grundy's, where heaps are left as two and few values are rare; they gain
    /// where cores are idle, and lose where they are not
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub threads: NonZeroUsize,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const TABLE: &str = "\
Examples:
  grundy table kayles --upto 40
  grundy table wythoff --box 12,12              a grid: rows are the first coordinate
  grundy table wythoff --box 20,20 --lost       only the lost positions
  grundy table kayles --upto 100 --columns 12   a row for each period
  grundy table wythoff --box 12,12 --base zeckendorf
  grundy table nim --box 8,8 --misere           sums of two heaps where the last move loses
  grundy table kayles --upto 1000 --format bfile -o b002186.txt     as the OEIS has it
  grundy table lasker --upto 100 --format csv
  grundy table 0.156 --upto 10^6 -o kenyon.parquet   for pandas, polars, DuckDB
  grundy table grundys-game --upto 10^8 -o long.parquet --resume     survives being killed
  grundy table --from kenyon.parquet --format csv    from one format to another

Exit status: 0 complete, 2 the input is wrong, 3 some places are undecided.";

/// A picture of the values: against heaps, as residues of a law, or as a map of two or three coordinates
#[derive(Args)]
#[command(after_help = PLOT)]
pub struct PlotOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// Heaps 0 to N, or N for every coordinate of the game's components
    #[arg(long, value_name = "N", value_parser = size)]
    pub upto: Option<u64>,
    /// The largest number at each of two or three coordinates, or of so many heaps
    #[arg(long = "box", value_name = "A,B,…", value_delimiter = ',', value_parser = size, conflicts_with = "upto")]
    pub bounds: Vec<u64>,
    /// Show the law that the values show: a row for each period, a column for each residue
    #[arg(long)]
    pub law: bool,
    /// Which axes are logarithmic
    #[arg(long, value_enum, value_name = "AXES", conflicts_with_all = ["law", "bounds"])]
    pub log: Option<LogAxes>,
    /// The colours
    #[arg(long, value_enum, default_value_t = ThemeName::Light)]
    pub theme: ThemeName,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Write to this file, which ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write over FILE if it is there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// Axes of a picture of heaps.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogAxes {
    /// That of the heaps
    Heaps,
    /// That of the values, each with 1 added
    Values,
    /// Both
    Both,
}

/// Colours for pictures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// Dark on white
    Light,
    /// Light on nearly black
    Dark,
}

impl ThemeName {
    /// The theme of this name.
    pub fn theme(self) -> grundy_plot::Theme {
        match self {
            Self::Light => grundy_plot::Theme::Light,
            Self::Dark => grundy_plot::Theme::Dark,
        }
    }
}

const PLOT: &str = "\
Examples:
  grundy plot grundys-game --upto 10^6 -o grundy.png       density, rare heaps marked
  grundy plot kayles --law --upto 500 -o kayles.svg        residues mod 12, and the exceptions
  grundy plot wythoff --box 40,40 -o wythoff.svg           lost positions white in dark frames
  grundy plot nim --box 5,15,15 --theme dark -o nim.png    three heaps, in slices

Exit status: 0 drawn, 2 the input is wrong, 3 some places are undecided.";

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Base {
    /// Binary
    #[value(name = "2")]
    Two,
    /// Ternary
    #[value(name = "3")]
    Three,
    /// Decimal
    #[value(name = "10")]
    Ten,
    /// Sums of Fibonacci numbers, no two of them neighbours
    Zeckendorf,
}

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// Comma-separated values, with a header
    Csv,
    /// One JSON object
    Json,
    /// One JSON object for each place
    Jsonl,
    /// Index and value on each line, as the OEIS has them
    Bfile,
    /// Columns for other tools, with the rules in the metadata
    Parquet,
}

impl Format {
    /// The format that the ending of a file's name tells.
    pub fn of_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}
