//! Commands about graphs that are given, and nimbers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{LimitOptions, Moves, PlayOptions};

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
    /// Explain this move: `a -> b`, or the vertex that it leads to
    #[arg(long = "move", requires = "explain", value_name = "MOVE")]
    pub chosen: Option<String>,
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
