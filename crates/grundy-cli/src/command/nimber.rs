//! `grundy nimber`: sums, products, quotients, powers and square roots of nimbers.

use std::io::{self, Write};

use grundy::nimber::nim_expression;
use grundy::text;
use serde::Serialize;

use crate::args::NimberOptions;
use crate::output;
use crate::status::{Failure, Status};

/// One answer.
#[derive(Serialize)]
struct Valued<'a> {
    expression: &'a str,
    nimber: String,
}

/// Carries out the command.
pub fn run(options: &NimberOptions) -> Result<Status, Failure> {
    let expression = options.expression.join(" ");
    let value = nim_expression(&expression)
        .map_err(|fault| Failure::Input(text::nim_fault(&expression, &fault)))?;
    let mut out = output::open();
    if options.json {
        let valued = Valued {
            expression: &expression,
            nimber: value.to_string(),
        };
        serde_json::to_writer(&mut out, &valued).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{value}")?;
    }
    out.flush()?;
    Ok(Status::Answered)
}
