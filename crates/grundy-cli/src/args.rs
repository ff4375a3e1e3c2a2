//! The arguments, and the help that teaches them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use grundy_problems::emit::Language;
use grundy_problems::protocol::Asked;
use grundy_rules::Ruleset;
use grundy_rules::ruleset::Play;
use num_bigint::BigUint;

/// Who wins, by which moves, and why: a workbench for impartial combinatorial games.
#[derive(Parser)]
#[command(name = "grundy", version, max_term_width = 100, after_help = ABOUT)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const ABOUT: &str = "\
Examples:
  grundy solve lasker 3 4 7                     a game of the catalogue, heaps of 3, 4 and 7
  grundy solve '[n] -> [n-k] where 1 <= k <= 3' 21     rules of your own
  grundy solve 'bash(3):21 + nim:5,7 + *3'      a sum of different games
  grundy table kayles --upto 40                 the values of heaps 0 to 40
  grundy games wythoff                          what the catalogue has

Exit status: 0 answered, 1 a claim or an expectation is false, 2 the input is wrong,
3 undecided within the limits.";

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    Solve(SolveOptions),
    Play(PlayGameOptions),
    Explain(ExplainOptions),
    Table(TableOptions),
    Plot(PlotOptions),
    Law(LawOptions),
    Misere(MisereOptions),
    Sweep(SweepOptions),
    Check(CheckOptions),
    Export(ExportOptions),
    Test(TestOptions),
    Claim(ClaimOptions),
    Compare(CompareOptions),
    Count(CountOptions),
    Graph(GraphOptions),
    Nimber(NimberOptions),
    Judge(JudgeOptions),
    Stress(StressOptions),
    Cases(CasesOptions),
    Emit(EmitOptions),
    Show(ShowOptions),
    Info(InfoOptions),
    Games(GamesOptions),
    /// Print a script that completes commands and options in your shell.
    #[command(
        after_help = "Example:\n  grundy completions bash > ~/.local/share/bash-completion/completions/grundy"
    )]
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example:\n  grundy man | man -l -")]
    Man,
}

const GAME: &str = "A name, a file, a code, a set, or rules";
const GAME_LONG: &str = "\
The game, in one of these forms:
  lasker            a name of the catalogue (`grundy games` lists it)
  bash(5)           with values for its parameters: s-nim({2,5}), bash:m=5, s-nim:S=2,5
  my.game           a file (with `/` or the ending .game)
  0.77              an octal code, with its point: .77, 4.
  {1,3,4}           a subtraction set; without quotes: subtract:1,3,4, all-but:2,5
  '[n] -> [n-k] where 1 <= k <= 3'    rules, with `;` between lines
In most shells {…}, (…) and rules need quotes: unquoted, {4,5} 7 becomes 4 5 7";

/// Who wins, what the position is worth, and every winning move.
#[derive(Args)]
#[command(after_help = SOLVE)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own on the command line.
pub struct SolveOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// The components of the position: 3 4 7, 3,5 8,13, ..X.., 10^18, - or @FILE
    ///
    /// Several arguments are a sum. A component of several numbers is written 3,5, or
    /// [1,[2,3]] where lists are nested, or as a word where the rules give letters.
    /// `-` reads the components from the standard input, `@FILE` from a file. Words that begin
    /// with `-` stand behind `--`.
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Which winning moves to show
    #[arg(long, value_enum, default_value_t = Moves::All, value_name = "WHICH")]
    pub moves: Moves,
    /// The first move must be made in this component, counted from 1
    #[arg(long = "in", value_name = "COMPONENT")]
    pub first_in: Option<usize>,
    /// Count moves that lead to the same position once
    #[arg(long)]
    pub distinct: bool,
    /// Show at most so many moves; their number is exact all the same
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
    /// Read one position a line (POSITION, or else the standard input), answer one a line
    #[arg(long)]
    pub batch: bool,
    /// Answer in JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Use a pattern seen in the values where nothing proves that it goes on; the answer says so
    #[arg(long)]
    pub accept_conjecture: bool,
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const SOLVE: &str = "\
Examples:
  grundy solve lasker 3 4 7                     Lasker's Nim with heaps of 3, 4 and 7
  grundy solve wythoff 3,5                      one component of two numbers
  grundy solve wythoff 3,5 8,13                 a sum of two such components
  grundy solve kayles 8 --misere                whoever moves last loses
  grundy solve nim 3 4 5 --in 1                 the first move must be made in the heap of 3
  grundy solve subtract:1,3,4 21                a subtraction game, safe in every shell
  grundy solve '[n] -> [n-k] where 1 <= k <= 3' 21
  grundy solve '0.77' 21 --moves first --json
  grundy solve 'bash(3):21 + nim:5,7 + *3'      different games: GAME:HEAP,HEAP; *3 is a nimber
  grundy solve 'wythoff:[3,5],[8,13] + nim:4'   components of several numbers in brackets
  seq 100 | grundy solve kayles --batch --moves count

Exit status: 0 answered, 2 the input is wrong, 3 undecided within the limits.";

/// Play against perfect play
#[derive(Args)]
#[command(after_help = PLAY)]
pub struct PlayGameOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// The components of the position, as `grundy solve` reads them; @FILE reads a file
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub position: Vec<String>,
    /// Let the program move first
    #[arg(long)]
    pub second: bool,
    #[command(flatten)]
    pub play: PlayOptions,
    /// List at most so many moves
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub limit: usize,
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const PLAY: &str = "\
Examples:
  grundy play nim 3 4 5                         you move first
  grundy play kayles 12 --second --misere       the program does; whoever moves last loses
  grundy play 'bash(3):21 + nim:5,7'            a sum of games
  printf 'hint\\nheap 3 leaving 1\\n' | grundy play nim 3 4 7

At the prompt: a move as `grundy solve` prints it, the position it leads to, or the number of
a listed move; and moves, hint, undo, position, rules, help, quit.";

/// Why a position is won or lost, and why a move wins or what punishes it
#[derive(Args)]
#[command(after_help = EXPLAIN)]
pub struct ExplainOptions {
    #[arg(value_name = "GAME", help = GAME, long_help = GAME_LONG)]
    pub game: String,
    /// The components of the position, as for `grundy solve`
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub position: Vec<String>,
    /// Explain this move: the position after it, or the move as `grundy solve` prints it
    #[arg(long = "move", value_name = "MOVE")]
    pub chosen: Option<String>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// How to write it
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
    /// Show an answer to at most so many moves; their number is exact all the same
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub limit: usize,
    /// Answer in JSON
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Use a pattern seen in the values where nothing proves that it goes on; the answer says so
    #[arg(long)]
    pub accept_conjecture: bool,
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const EXPLAIN: &str = "\
Examples:
  grundy explain nim 5 7 12                     the values in binary, and why the one winning move wins
  grundy explain nim 5 7 12 --move '5 7 3'      what punishes this move
  grundy explain kayles 9 --move 'take-1 into 4 + 4'
  grundy explain wythoff 3,5                    lost: an answer to every move
  grundy explain moore 3 4 5 --format latex > moore.tex
  grundy explain 'bash(3):21 + nim:5,7' --format markdown

Exit status: 0 explained, 2 the input is wrong or the move is not legal, 3 undecided within the limits.";

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
  grundy law wythoff --dot wythoff.dot          then: dot -Tsvg wythoff.dot
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

--time limits each game; without it a game has 5s.
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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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
    /// Use a pattern seen in the values where nothing proves that it goes on; the answer says so
    #[arg(long)]
    pub accept_conjecture: bool,
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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

/// Games on a graph given edge by edge: who wins from each vertex, and sums of tokens
#[derive(Args)]
#[command(after_help = GRAPH)]
pub struct GraphOptions {
    /// The graph: an edge list, or .csv, .dot, .json; `-` reads the standard input
    ///
    /// An edge list has two names a line, from where to where a token moves; one name declares a
    /// vertex, and `#` begins a comment. docs/graphs.md tells of players' own edges, ends, chance, and the other formats.
    #[arg(value_name = "FILE")]
    pub file: String,
    /// What is played on the graph
    #[arg(long, value_enum, default_value_t = GraphGame::Tokens)]
    pub game: GraphGame,
    /// How the graph is written [default: by the ending of FILE, else an edge list]
    #[arg(long, value_enum)]
    pub format: Option<GraphFormat>,
    /// Answer about a token on this vertex; given several times, about the sum
    #[arg(long = "token", value_name = "VERTEX")]
    pub tokens: Vec<String>,
    /// Say why, with what comes of each move
    #[arg(long, conflicts_with_all = ["json", "output"])]
    pub explain: bool,
    #[command(flatten)]
    pub play: PlayOptions,
    /// Which of the best moves to show
    #[arg(long, value_enum, default_value_t = Moves::All, value_name = "WHICH")]
    pub moves: Moves,
    /// Show at most so many vertices or moves
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub limit: usize,
    /// Draw the graph, P, N and draws in colours: to FILE.svg or FILE.dot
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["json", "tokens"])]
    pub output: Option<PathBuf>,
    /// Write over the picture if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl GraphOptions {
    /// The convention asked for, as JSON says it.
    pub fn play_word(&self) -> &'static str {
        crate::json::play_word(self.play.convention().unwrap_or_default())
    }
}

/// What is played on a graph.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GraphGame {
    /// Tokens move along edges
    Tokens,
    /// A token moves to a neighbour on which it has not been; edges have no direction
    Geography,
    /// Edges are cut, and what is not joined to the --token vertices any more is gone; so is
    /// the deletion of edges of trees
    Hackenbush,
}

/// Sums, products, quotients, powers and square roots of nimbers
#[derive(Args)]
#[command(after_help = NIMBER)]
pub struct NimberOptions {
    /// `+` is the nim-sum, `*` the nim-product, `/` multiplies by the inverse; sqrt(…), ^ and brackets
    #[arg(value_name = "EXPRESSION", required = true)]
    pub expression: Vec<String>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

const NIMBER: &str = "\
Examples:
  grundy nimber '3*5'                           15
  grundy nimber '3*7 + 6*6'                     coins at (3, 7) and (6, 6) of a product of coin turning games
  grundy nimber '1/7'                           the inverse of 7
  grundy nimber 'sqrt(2^3 + 5)'

Exit status: 0 answered, 2 the expression is wrong.";

/// How a graph is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// Two names a line
    Edges,
    /// Columns from, to, player and probability
    Csv,
    /// The language of Graphviz
    Dot,
    /// Vertices, edges and tokens
    Json,
}

const GRAPH: &str = "\
Examples:
  grundy graph game.txt                         every vertex: outcome, value, moves to the end
  grundy graph game.txt --token a --token b     a sum of two tokens, and every winning move
  grundy graph game.txt --token a --explain     why, move by move
  grundy graph tree.txt --game hackenbush --token root     the value, and every winning cut
  grundy graph map.txt --game geography --token a          no vertex twice; edges have no direction
  grundy graph game.dot -o game.svg             a picture, with P, N and draws in colours
  printf 'a b\\nb a\\nb c\\n' | grundy graph - --json

Where play can go on for ever, vertices have loopy values, by which sums are answered too.
Exit status: 0 answered, 2 the input is wrong, 3 undecided within the limits, or not solved.";

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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
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

/// Who wins when no move is left.
#[derive(Args)]
pub struct PlayOptions {
    /// Who wins when no move is left: `normal` the last to move, `misere` the other
    #[arg(long, value_enum, value_name = "CONVENTION")]
    play: Option<Convention>,
    /// The same as --play misere
    #[arg(long, conflicts_with = "play")]
    misere: bool,
}

impl PlayOptions {
    /// The convention asked for; without one, that of the rules holds.
    pub fn convention(&self) -> Option<Play> {
        let convention = self.play.or(self.misere.then_some(Convention::Misere))?;
        Some(match convention {
            Convention::Normal => Play::Normal,
            Convention::Misere => Play::Misere,
        })
    }

    /// The game under the convention asked for.
    pub fn apply(&self, game: Ruleset) -> Ruleset {
        match self.convention() {
            Some(play) => game.with_play(play),
            None => game,
        }
    }
}

/// Who wins when no move is left.
#[derive(Clone, Copy, ValueEnum)]
enum Convention {
    /// Whoever moved last
    Normal,
    /// The other player
    Misere,
}

/// Limits on work.
#[derive(Args)]
pub struct LimitOptions {
    /// Stop after so long: 500ms, 20s, 5m, 2h [default: 20s for each answer of solve]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Hold at most about so much: 500M, 8G
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "2G")]
    pub memory: u64,
}

/// Which winning moves.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Moves {
    /// All of them, up to --limit
    All,
    /// The first one, by component, rule and choices
    First,
    /// One that leads to the least position
    Least,
    /// Only how many there are
    Count,
    /// None
    None,
}

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// For a terminal
    Text,
    /// Markdown
    Markdown,
    /// A LaTeX document
    Latex,
}

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

/// A number of any size such as `1000`, `10^18`, `1e18`.
fn natural(text: &str) -> Result<BigUint, String> {
    grundy_rules::parse_number(text).map_err(|_| grundy::text::not_a_number(text))
}

/// A number such as `1000`, `10^6`, `1e6`.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || grundy::text::not_a_size(text);
    let (base, exponent) = match (text.split_once('^'), text.split_once('e')) {
        (Some((base, exponent)), _) => (base.parse().map_err(|_| wrong())?, exponent),
        (None, Some((factor, exponent))) => {
            let factor: u64 = factor.parse().map_err(|_| wrong())?;
            let power = 10u64.checked_pow(exponent.parse().map_err(|_| wrong())?);
            return power
                .and_then(|power| power.checked_mul(factor))
                .ok_or_else(wrong);
        }
        (None, None) => return text.parse().map_err(|_| wrong()),
    };
    u64::checked_pow(base, exponent.parse().map_err(|_| wrong())?).ok_or_else(wrong)
}

/// A time such as `20`, `20s`, `500ms`, `5m`.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [
        ("ms", 1),
        ("s", 1000),
        ("m", 60_000),
        ("h", 3_600_000),
        ("", 1000),
    ];
    scaled(text, &units)
        .map(Duration::from_millis)
        .ok_or_else(|| grundy::text::not_a_time(text))
}

/// An amount of memory such as `500M`, `8G`.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("K", 1 << 10),
        ("M", 1 << 20),
        ("G", 1 << 30),
        ("T", 1 << 40),
        ("", 1),
    ];
    scaled(text.trim_end_matches(['B', 'i']), &units)
        .ok_or_else(|| grundy::text::not_a_memory(text))
}

/// A natural number with the first of these units that it ends with.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    number.parse::<u64>().ok()?.checked_mul(*unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn amounts_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5m"), Ok(Duration::from_mins(5)));
        assert_eq!(duration("20"), Ok(Duration::from_secs(20)));
        assert!(duration("1.5h").is_err());
        assert!(duration("").is_err());
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("17"), Ok(17));
        assert!(bytes("99999999999T").is_err());
        assert_eq!(size("1e6"), Ok(1_000_000));
        assert_eq!(size("10^6"), Ok(1_000_000));
        assert_eq!(size("7"), Ok(7));
        assert!(size("10^30").is_err());
        assert!(size("-1").is_err());
    }
}
