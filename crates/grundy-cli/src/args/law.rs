//! Commands that find laws, prove them and check proofs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::size;
use super::{GAME, GAME_LONG, LimitOptions, PlayOptions};

/// Find the law of a game, and prove it for heaps of every size
#[derive(Args)]
#[command(after_help = LAW)]
pub struct LawOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG, required_unless_present = "values")]
    pub game: Option<String>,
    /// Look at no heap above N
    #[arg(long, value_name = "N", value_parser = size, conflicts_with = "values")]
    pub upto: Option<u64>,
    /// Write the certificate of the proof to this file
    #[arg(long, value_name = "FILE", conflicts_with = "values")]
    pub cert: Option<PathBuf>,
    /// Draw the automaton of the law in the DOT language, for Graphviz, to this file
    #[arg(long, value_name = "FILE", conflicts_with = "values")]
    pub dot: Option<PathBuf>,
    /// Draw the automaton of the law as SVG to this file
    #[arg(long, value_name = "FILE", conflicts_with = "values")]
    pub svg: Option<PathBuf>,
    /// Guess from a bare list of values, that of heap 0 first; a guess is never more than a conjecture
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    pub values: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const LAW: &str = "\
Examples:
  grundy law kayles
  grundy law 0.156 --cert kenyon.json           then: grundy check kenyon.json
  grundy law '[n] -> [n-k] where 1 <= k <= n/2'
  grundy law all-but:2,5 --json
  grundy law wythoff --svg wythoff.svg          a picture of the automaton
  grundy law --values table.txt                 games with the same values are named too

Exit status: 0 proved, 2 the input is wrong, 3 only a conjecture, or nothing, within the limits.";

/// Find the laws of all games of a family, several at a time
#[derive(Args)]
#[command(after_help = SWEEP)]
pub struct SweepOptions {
    /// The family: lists of rules, of which one of each list makes a game
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Keep a table and the certificates in this folder, and go on behind what is there
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Hold each law against all positions with numbers up to N
    #[arg(long, value_name = "N", value_parser = size)]
    pub hold: Option<u64>,
    /// How many games at a time [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const SWEEP: &str = "\
A family is a text such as
  choose take
    none:
    all: [n] -> [n-k] where k >= 1
  choose split
    none:
    equal: [n] -> [a] + [a] where 2*a = n, a >= 1

Examples:
  grundy sweep take-or-split.sweep -o atlas        table and certificates; run it again to go on
  grundy sweep take-or-split.sweep --hold 8192     each law beside a table

--time limits each game; without it a game has 2s.
Exit status: 0 all games were looked at, 1 a law is wrong, 2 the input is wrong, 3 it was stopped.";

/// Check a certificate, trusting nobody
#[derive(Args)]
#[command(after_help = CHECK)]
pub struct CheckOptions {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const CHECK: &str = "\
Example:
  grundy check kenyon.json

Exit status: 0 the certificate is right, 1 what it says is false or does not follow, 2 it is damaged,
3 undecided within the limits.";

/// Write what a certificate of an automaton proves as formulas for another prover
#[derive(Args)]
#[command(after_help = EXPORT)]
pub struct ExportOptions {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The prover
    #[arg(long, value_enum)]
    pub to: Judge,
}

/// A prover that is not ours.
#[derive(Clone, Copy, ValueEnum)]
pub enum Judge {
    /// MONA: a file in base 2 that it must find valid
    Mona,
    /// Walnut: automata and commands that it must answer with TRUE
    Walnut,
}

const EXPORT: &str = "\
Examples:
  grundy claim lasker --cert lasker.json
  grundy export lasker.json --to mona > lasker.mona       then: mona lasker.mona
  grundy export lasker.json --to walnut                   files for Walnut, each behind its name

Exit status: 0 written, 1 the certificate is of another kind, 2 it is damaged.";

/// What heaps are worth where the last move loses, and what decides sums of them.
#[derive(Args)]
#[command(after_help = MISERE)]
pub struct MisereOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// List the heaps up to N
    #[arg(long, value_name = "N", value_parser = size, default_value = "20")]
    pub upto: u64,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const MISERE: &str = "\
Examples:
  grundy misere kayles
  grundy misere 0.75 --upto 40
  grundy misere grundys-game --json
  grundy law kayles --misere --cert kayles.json     the proof, for others to check

The genus 4^146 is the Grundy value of normal play, and those of misère play with no, one, two, … heaps of
Nim of 2 beside it, up to where they alternate. It is written shorter for a heap of Nim (2), and for a game
that is like a sum of such heaps without being one (2^2).

Exit status: 0 a law was proved that decides all sums, 2 the input is wrong, 3 no such law was proved.";
