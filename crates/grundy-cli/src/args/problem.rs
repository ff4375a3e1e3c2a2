//! Commands for contest problems.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_problems::emit::Language;
use grundy_problems::protocol::Asked;

use super::value::{bytes, duration, size};
use super::{CacheOptions, LimitOptions, PlayOptions};

/// Answer a contest problem: its input in, its output out
#[derive(Args)]
#[command(after_help = JUDGE)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own on the command line.
pub struct JudgeOptions {
    /// A name of the catalogue of problems, or the path of a file that says how a problem is read,
    /// asked and printed
    #[arg(value_name = "PROBLEM", required_unless_present = "all")]
    pub problem: Option<String>,
    /// Run the samples of all problems of the catalogue, and print a table
    #[arg(long, conflicts_with = "problem")]
    pub all: bool,
    /// Examine every position, and use no theorem, law or fast table
    #[arg(long)]
    pub exhaustive: bool,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const JUDGE: &str = "\
Examples:
  grundy judge hdu3032 < input.txt              the problem of the catalogue
  grundy judge my.problem < input.txt           one of your own; docs/problems.md tells how
  grundy judge p1247 --exhaustive < small.txt   the same, by trying everything
  grundy judge --all                            every sample of every problem, in a table

The input is read from the standard input, and the answer printed to the standard output; how it is
known is said on the standard error.
Exit status: 0 answered, 1 a sample has another output, 2 the problem or its input is wrong,
3 undecided within the limits.";

/// Find the smallest input that a program answers wrongly
#[derive(Args)]
#[command(after_help = STRESS)]
pub struct StressOptions {
    /// A problem of the catalogue, the path of a `.problem` file, or a game
    #[arg(value_name = "PROBLEM|GAME")]
    pub problem: String,
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", last = true, required = true)]
    pub program: Vec<String>,
    /// How many inputs are tried, beside the samples
    #[arg(long, value_name = "N", default_value = "1000", value_parser = size)]
    pub tests: u64,
    /// Another seed draws other inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How long the program may take for one input
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    pub program_time: Duration,
    /// How much memory the program may have
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes)]
    pub program_memory: u64,
    #[command(flatten)]
    pub plain: PlainOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// How a program is asked about a game
#[derive(Args)]
pub struct PlainOptions {
    /// For a game: ask for its Grundy value, and not who wins
    #[arg(long)]
    pub value: bool,
    /// For a game: the largest number of a position
    #[arg(long, value_name = "N", value_parser = size)]
    pub upto: Option<u64>,
    #[command(flatten)]
    pub play: PlayOptions,
}

impl PlainOptions {
    /// What the program is asked.
    pub fn asked(&self) -> Asked {
        if self.value {
            Asked::Value
        } else {
            Asked::Outcome
        }
    }
}

const STRESS: &str = "\
Examples:
  grundy stress hdu3032 -- ./mine                a program for a problem of the catalogue
  grundy stress my.problem -- python3 mine.py    for one of your own; docs/problems.md tells how
  grundy stress kayles -- ./mine                 a program that says who wins in Kayles
  grundy stress kayles --value -- ./mine         or what a position is worth

The inputs are the samples, all small inputs, simple inputs in which one number runs, the edges of the
limits, lost positions and those beside them, random ones, and as much as is allowed. What is expected
is found by exhaustive search where that is little work, and from a law, a theorem or a table otherwise.

A program for a game reads the number n of components, and then each of them: its numbers, and of a row
first how many there are. It prints N if the player to move wins, P if the other one does, and D for a
draw; with --value the Grundy value.
Exit status: 0 all passed, 1 the program fails, 2 the problem or a program that cannot be started is
wrong, 3 nothing could be compared.";

/// Write test data for a problem: inputs, and what is to be printed
#[derive(Args)]
#[command(after_help = CASES)]
pub struct CasesOptions {
    /// A problem of the catalogue, the path of a `.problem` file, or a game
    #[arg(value_name = "PROBLEM|GAME")]
    pub problem: String,
    /// The folder for the files, which is made if it is not there
    #[arg(long, value_name = "FOLDER")]
    pub dir: PathBuf,
    /// How many inputs are written, beside the samples
    #[arg(long, value_name = "N", default_value = "100", value_parser = size)]
    pub tests: u64,
    /// Another seed draws other inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub plain: PlainOptions,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const CASES: &str = "\
Examples:
  grundy cases hdu3032 --dir data                 001-sample.in, 001-sample.out, 002-small.in, …
  grundy cases my.problem --dir data --tests 40 --seed 7

The inputs are those of `grundy stress`: the samples, all small inputs, the edges of the limits, lost
positions and those beside them, random ones, and as much as is allowed. The same seed writes the same files.
Exit status: 0 written, 2 the problem is wrong or a file is there, 3 no answer was found in time.";

/// Write a program that answers a problem by itself, from its law or a table
#[derive(Args)]
#[command(after_help = EMIT)]
pub struct EmitOptions {
    /// A problem of the catalogue, the path of a `.problem` file, or a game
    #[arg(value_name = "PROBLEM|GAME")]
    pub problem: String,
    /// The language of the program
    #[arg(long, value_enum)]
    lang: LanguageName,
    /// Stand on a pattern that was only seen, if nothing is proved; the program says so
    #[arg(long)]
    pub accept_conjecture: bool,
    /// The file to write, in place of the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub plain: PlainOptions,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl EmitOptions {
    /// The language of the program.
    pub fn language(&self) -> Language {
        match self.lang {
            LanguageName::Cpp => Language::Cpp,
            LanguageName::Rust => Language::Rust,
            LanguageName::Python => Language::Python,
        }
    }
}

/// The languages of programs.
#[derive(Clone, Copy, ValueEnum)]
enum LanguageName {
    /// C++17
    Cpp,
    /// Rust, edition 2021, without crates
    Rust,
    /// Python 3
    Python,
}

const EMIT: &str = "\
Examples:
  grundy emit hdu3032 --lang cpp                 a program for a problem of the catalogue
  grundy emit my.problem --lang python -o mine.py
  grundy emit kayles --lang rust                 a program that says who wins in Kayles

The program reads the input of the problem and answers at its full limits, from a theorem, a proved law, or a
table by the rules; a comment says on what it stands. For a game it answers as `grundy stress --help` tells.
Exit status: 0 written, 2 the problem is wrong, 3 there is no program for it.";
