//! Commands that put a statement to the test, and count.

use std::path::PathBuf;

use clap::Args;
use num_bigint::BigUint;

use super::value::{natural, size};
use super::{CacheOptions, GAME, GAME_LONG, LimitOptions, PlayOptions, TrustOptions};

/// Run the tests that games' files state in their `expect` lines
#[derive(Args)]
#[command(after_help = TEST)]
pub struct TestOptions {
    /// Files, or names of the catalogue
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Answer in JSON, one object for each file
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const TEST: &str = "\
Examples:
  grundy test my.game
  grundy test games/*.game

Exit status: 0 all pass, 1 one fails, 2 a file is wrong, 3 one is undecided within the limits.";

/// Test a formula of your own, and prove it where the game's law is proved
#[derive(Args)]
#[command(after_help = CLAIM)]
pub struct ClaimOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// What you claim; without it, the claims in the game's file
    pub claim: Option<String>,
    /// Examine every coordinate up to N
    #[arg(long, value_name = "N", value_parser = size)]
    pub upto: Option<u64>,
    /// The largest number at each coordinate
    #[arg(long = "box", value_name = "A,B,…", value_delimiter = ',', value_parser = size, conflicts_with = "upto")]
    pub bounds: Vec<u64>,
    /// Of claims about sums: examine sums of so many components
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub components: usize,
    /// Write the certificate to this file, where the claim is proved by one of its own
    #[arg(long, value_name = "FILE")]
    pub cert: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON, one object for each claim
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const CLAIM: &str = "\
Examples:
  grundy claim lasker 'grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n'
  grundy claim subtract:1,2,3 '[n] = n mod 4'           values; `grundy` may be left out
  grundy claim euclid 'lost [x, y] iff x = y'           a first counterexample, with both sides
  grundy claim nim 'lost sum with [n] = n' --upto 10    a sum is lost iff the nim-sum is 0
  grundy claim lasker                                   what the game's own file claims

The first piece whose condition holds counts; the one without a condition takes the rest.
A claim about heaps is proved for all of them where the game's law is, and refuted by its first
counterexample, however large. Where rules and claim are arithmetic that automata read, a claim about
positions of any kind is proved by a certificate of its own. Mere agreement is no proof.

Exit status: 0 proved, or agrees, 1 refuted, 2 the input is wrong, 3 undecided.";

/// Whether two games have the same values: for ever, or up to where they first differ
#[derive(Args)]
#[command(after_help = COMPARE)]
pub struct CompareOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub left: String,
    #[arg(
        value_name = "OTHER",
        help = "The game to compare it with, in the same forms"
    )]
    pub right: String,
    /// Where nothing is proved, examine every coordinate up to N
    #[arg(long, value_name = "N", value_parser = size)]
    pub upto: Option<u64>,
    /// The largest number at each coordinate
    #[arg(long = "box", value_name = "A,B,…", value_delimiter = ',', value_parser = size, conflicts_with = "upto")]
    pub bounds: Vec<u64>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const COMPARE: &str = "\
Examples:
  grundy compare subtract:1,2,3 'bash(3)'       equal: their options are
  grundy compare subtract:1,5 subtract:1,3      equal: their laws are, which are proved
  grundy compare nim 'bash(5000)'               the first heap where they differ, and both values
  grundy compare wythoff euclid --box 50,50     tuples, up to a size

Values are compared or, where values do not decide a game, who wins single components.
Exit status: 0 equal for ever, or different, 2 the input is wrong, 3 they agree as far as was looked.";

/// Count the heaps, or the positions of several heaps, that are lost or have a value
#[derive(Args)]
#[command(after_help = COUNT)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own on the command line.
pub struct CountOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// The largest heap: 1000, 10^18
    #[arg(long, value_name = "N", value_parser = natural, required_unless_present = "bounds")]
    pub to: Option<BigUint>,
    /// The smallest heap
    #[arg(long, value_name = "N", value_parser = natural, default_value = "0", conflicts_with = "bounds")]
    pub from: BigUint,
    /// Instead of heaps count components with numbers up to these, as `grundy table` lists them, or sums of heaps up to these
    #[arg(long = "box", value_name = "A,B,…", value_delimiter = ',', value_parser = natural, conflicts_with = "to")]
    pub bounds: Vec<BigUint>,
    /// Count positions of K heaps, each one in that range
    #[arg(long, value_name = "K", conflicts_with = "bounds", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub heaps: u32,
    /// Count positions that differ by the order of their heaps alone once
    #[arg(long)]
    pub multiset: bool,
    /// Count the positions with this value
    #[arg(long, value_name = "G", value_parser = natural, conflicts_with = "lost")]
    pub value: Option<BigUint>,
    /// Count the lost positions; so it is where no value is given
    #[arg(long)]
    pub lost: bool,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub trust: TrustOptions,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const COUNT: &str = "\
Examples:
  grundy count 'bash(3)' --from 1 --to 10^18                lost heaps
  grundy count kayles --to 1000 --value 4                   heaps worth 4
  grundy count lasker --to 10^18 --heaps 3                  lost positions of three heaps in order
  grundy count nim --to 10^18 --heaps 3 --multiset          the same without order
  grundy count wythoff --box 1000,1000                      lost components of two numbers

Empty heaps count unless --from 1 is given.
Exit status: 0 counted, 2 the input is wrong, 3 undecided within the limits.";
