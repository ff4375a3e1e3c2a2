//! b-files, as the OEIS has them: lines of an index and a value, the indices without a gap.

use std::io::{self, Write};

use grundy::tabulate::{Entry, Holds};

use super::Sheet;
use super::lines::{LineFault, Lines};
use super::read::SheetFault;
use super::rows::Rows;
use crate::input::without_comment;

/// Outcomes are written as 1 for a won position and 0 for a lost one; lost heaps are numbered
/// from 1. The lines end at the first gap behind a known entry.
pub fn write(sheet: &Sheet, lost: bool, out: &mut dyn Write) -> io::Result<()> {
    if lost {
        return (1..)
            .zip(sheet.lost())
            .try_for_each(|(index, numbers)| writeln!(out, "{index} {}", numbers[0]));
    }
    let end = sheet.gap().unwrap_or(u64::MAX);
    for (heap, entry) in (0..end).zip(sheet.entries.iter()) {
        match entry {
            Entry::Value(value) => writeln!(out, "{heap} {value}")?,
            Entry::Outcome(_) => writeln!(out, "{heap} {}", u64::from(!entry.is_lost()))?,
            Entry::NoPosition | Entry::Undecided => {}
        }
    }
    Ok(())
}

/// The two numbers of a line, if it has no more and no less.
pub fn pair(line: &str) -> Option<(u64, u64)> {
    let mut words = without_comment(line).split_ascii_whitespace();
    let (index, value) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((index, value))
}

pub fn read(lines: &mut Lines, most: u64) -> Result<Sheet, SheetFault> {
    let mut rows = Rows::new(1, Holds::Values, most);
    let mut next = None;
    while let Some(line) = lines.next_line()? {
        let content = without_comment(&line);
        if content.trim().is_empty() {
            continue;
        }
        let mut words = content.split_ascii_whitespace();
        let index = lines.number(words.next().unwrap_or_default())?;
        let entry = lines.entry(words.next().unwrap_or_default(), Holds::Values)?;
        if words.next().is_some() {
            return Err(lines.fault(LineFault::Columns(2)));
        }
        if next.is_some_and(|next| next != index) {
            return Err(lines.fault(LineFault::Gap));
        }
        next = index.checked_add(1);
        rows.push(&[index], entry)
            .map_err(|fault| fault.at(lines.place()))?;
    }
    rows.finish()
}
