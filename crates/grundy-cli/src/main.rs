//! The program `grundy`: arguments in, text out.

mod args;
mod cache;
mod checkpoint;
mod command;
mod explained;
mod graph_json;
mod input;
mod json;
mod keeper;
mod learning;
mod limits;
mod output;
mod problem;
mod program;
mod sheet;
mod status;
mod text;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    limits::end_cleanly_when_interrupted();
    let result = match arguments.command {
        Command::Solve(options) => command::solve::run(&options),
        Command::Play(options) => command::play::run(&options),
        Command::Explain(options) => command::explain::run(&options),
        Command::Plot(options) => command::plot::run(&options),
        Command::Table(options) => command::table::run(&options),
        Command::Law(options) => command::law::run(&options),
        Command::Misere(options) => command::misere::run(&options),
        Command::Sweep(options) => command::sweep::run(&options),
        Command::Check(options) => command::check::run(&options),
        Command::Export(options) => command::export::run(&options),
        Command::Test(options) => command::test::run(&options),
        Command::Claim(options) => command::claim::run(&options),
        Command::Compare(options) => command::compare::run(&options),
        Command::Count(options) => command::count::run(&options),
        Command::Graph(options) => command::graph::run(&options),
        Command::Nimber(options) => command::nimber::run(&options),
        Command::Judge(options) => command::judge::run(&options),
        Command::Stress(options) => command::stress::run(&options),
        Command::Emit(options) => command::emit::run(&options),
        Command::Cases(options) => command::cases::run(&options),
        Command::Info(options) => command::info::run(&options),
        Command::Show(options) => command::show::run(&options),
        Command::Games(options) => command::games::run(&options),
        Command::Completions { shell } => command::manual::completions(shell),
        Command::Man => command::manual::man(),
    };
    result.unwrap_or_else(|failure| failure.report()).into()
}
