//! `grundy completions` and `grundy man`.

use std::io::Write;

use clap::CommandFactory;

use crate::args::Arguments;
use crate::output;
use crate::status::{Failure, Status};

/// Writes the completions of a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<Status, Failure> {
    // The generator panics where writing fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "grundy", &mut script);
    write(&script)
}

/// Writes the manual page of the program and all its commands.
pub fn man() -> Result<Status, Failure> {
    let mut page = Vec::new();
    let mut program = Arguments::command();
    program.build();
    clap_mangen::Man::new(program.clone()).render(&mut page)?;
    for command in program.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("grundy {}", command.get_name());
        clap_mangen::Man::new(command.clone().display_name(name)).render(&mut page)?;
    }
    write(&page)
}

fn write(bytes: &[u8]) -> Result<Status, Failure> {
    let mut out = output::open();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Status::Answered)
}
