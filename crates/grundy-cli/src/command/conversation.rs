//! A game in the terminal, line by line: the same words whatever is played.

use std::io::{self, BufRead, IsTerminal, Write};

use anstyle::AnsiColor;
use grundy::play::Over;
use grundy::text;

use crate::limits::{self, Clock};
use crate::status::Failure;

/// What is played, and how it is told.
pub(super) trait Table {
    /// What a person can write.
    const HELP: &'static str;

    /// Where all is written.
    fn out(&mut self) -> &mut dyn Write;

    /// What limits an answer.
    fn clock(&self) -> &Clock;

    /// Whether the person made, or makes, the first move.
    fn person_first(&self) -> bool;

    /// How many moves were made.
    fn played(&self) -> usize;

    /// Takes back the last move.
    fn take_back(&mut self);

    /// Says where the game begins, and moves if the program is to.
    fn begin(&mut self) -> Result<(), Failure>;

    /// Says how the game stands.
    fn show(&mut self) -> io::Result<()>;

    /// Says what the moves are.
    fn rules(&mut self) -> Result<(), Failure>;

    /// Lists the moves, or some of them.
    fn moves(&mut self) -> Result<(), Failure>;

    /// Tells who wins, and by which moves.
    fn hint(&mut self) -> Result<(), Failure>;

    /// Plays what the person wrote, if it is a move.
    fn person(&mut self, written: &str) -> Result<(), Failure>;

    /// Whether the person is to move.
    fn is_persons_turn(&self) -> bool {
        self.played().is_multiple_of(2) == self.person_first()
    }
}

/// Plays until the person or the input ends it.
pub(super) fn converse(table: &mut impl Table) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    table.begin()?;
    let is_terminal = io::stdin().is_terminal();
    loop {
        if is_terminal {
            write!(table.out(), "{}", text::PROMPT)?;
        }
        table.out().flush()?;
        let mut line = Vec::new();
        let read = limits::while_waiting(|| input.read_until(b'\n', &mut line))?;
        if read == 0 || line_of(table, String::from_utf8_lossy(&line).trim())? == Next::End {
            break;
        }
    }
    table.out().flush()?;
    Ok(())
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    /// Wait for the next line.
    Line,
    /// The person has enough.
    End,
}

/// Does what the person writes.
fn line_of<T: Table>(table: &mut T, line: &str) -> Result<Next, Failure> {
    table.clock().restart();
    match line {
        "" => {}
        "quit" | "exit" | "q" => return Ok(Next::End),
        "help" | "?" => writeln!(table.out(), "{}", T::HELP)?,
        "position" => table.show()?,
        "rules" => table.rules()?,
        "moves" => table.moves()?,
        "hint" => table.hint()?,
        "undo" => undo(table)?,
        written => table.person(written)?,
    }
    Ok(Next::Line)
}

/// Takes back the person's last move, and the answer to it.
fn undo(table: &mut impl Table) -> io::Result<()> {
    let made = table.played();
    let back = 1 + usize::from(table.is_persons_turn());
    let of_person = made >= back && (made - back).is_multiple_of(2) == table.person_first();
    if !of_person {
        return writeln!(table.out(), "{}", text::NOTHING_TO_UNDO);
    }
    for _ in 0..back {
        table.take_back();
    }
    writeln!(table.out(), "{}", text::undone(back))?;
    table.show()
}

/// Says how play is over.
pub(super) fn tell_over(out: &mut dyn Write, over: Over, is_persons_turn: bool) -> io::Result<()> {
    let colour = match over.has_won() {
        Some(won) if won == is_persons_turn => AnsiColor::Green,
        Some(_) => AnsiColor::Red,
        None => AnsiColor::Yellow,
    };
    let verdict = colour.on_default().bold();
    let over = text::over(over, is_persons_turn);
    writeln!(out, "{verdict}{over}{verdict:#}")
}
