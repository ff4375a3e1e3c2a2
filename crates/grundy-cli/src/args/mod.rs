//! The arguments, and the help that teaches them.

mod catalogue;
mod claim;
mod graph;
mod law;
mod play;
mod problem;
mod table;
mod value;

use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use grundy_rules::Ruleset;
use grundy_rules::ruleset::Play;

pub use catalogue::*;
pub use claim::*;
pub use graph::*;
pub use law::*;
pub use play::*;
pub use problem::*;
pub use table::*;
use value::{bytes, duration};

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

/// Proved laws on disk.
#[derive(Args)]
pub struct CacheOptions {
    /// Neither read nor keep proved laws on disk
    #[arg(long)]
    pub no_cache: bool,
}

/// What an answer may stand on.
#[derive(Args)]
pub struct TrustOptions {
    /// Use a pattern seen in the values where nothing proves that it goes on; the answer says so
    #[arg(long)]
    pub accept_conjecture: bool,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
