//! Commands that answer about a position.

use clap::Args;

use super::{
    CacheOptions, GAME, GAME_LONG, LimitOptions, Moves, PlayOptions, TextFormat, TrustOptions,
};

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
    #[command(flatten)]
    pub trust: TrustOptions,
    #[command(flatten)]
    pub cache: CacheOptions,
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
    /// Play Right, on a graph on which the players have different moves
    #[arg(long)]
    pub right: bool,
    /// What chance does on a graph; another number, another game [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub play: PlayOptions,
    /// List at most so many moves
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub limit: usize,
    #[command(flatten)]
    pub cache: CacheOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

const PLAY: &str = "\
Examples:
  grundy play nim 3 4 5                         you move first
  grundy play kayles 12 --second --misere       the program does; whoever moves last loses
  grundy play 'bash(3):21 + nim:5,7'            a sum of games
  grundy play map.dot a c                       tokens on a graph: .dot, .csv, .json, .edges
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
    #[command(flatten)]
    pub trust: TrustOptions,
    #[command(flatten)]
    pub cache: CacheOptions,
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
  grundy explain map.dot a c --move 'a -> b'    tokens on a graph: .dot, .csv, .json, .edges

Exit status: 0 explained, 2 the input is wrong or the move is not legal, 3 undecided within the limits.";
