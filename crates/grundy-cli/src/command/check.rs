//! `grundy check`: the independent checker of certificates.

use std::fs;
use std::io::{self, Write};

use anstyle::AnsiColor;
use grundy::argument::text_of;
use grundy::text;
use grundy_certificate::{Refusal, check};
use grundy_rules::Meter;
use serde::Serialize;

use super::law::LawData;
use crate::args::CheckOptions;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// What was checked, and what became of it.
#[derive(Serialize)]
struct CheckJson {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<LawData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theorem: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    citation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Carries out the command.
pub fn run(options: &CheckOptions) -> Result<Status, Failure> {
    let path = options.file.to_string_lossy();
    let bytes = fs::read(&options.file).map_err(|error| input::unreadable(&path, &error))?;
    let content = text_of(bytes, &path)?;
    let clock = Clock::start(&options.limits, None);
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let result = check(&content, &mut meter);
    clock.hide();
    let (status, verdict) = match &result {
        Ok(_) => (Status::Answered, "proved"),
        Err(Refusal::False(_)) => (Status::Refuted, "false"),
        Err(Refusal::Malformed(_)) => (Status::WrongInput, "malformed"),
        Err(Refusal::Undecided(_)) => (Status::Undecided, "undecided"),
    };
    let mut out = output::open();
    if options.json {
        let theorem = result.as_ref().ok();
        let json = CheckJson {
            verdict,
            ruleset: theorem.map(|theorem| theorem.ruleset().to_owned()),
            law: theorem.map(|theorem| LawData::new(theorem.law())),
            statement: theorem.map(|theorem| text::law(theorem.law())),
            theorem: theorem.map(grundy_certificate::Theorem::name),
            citation: theorem.map(grundy_certificate::Theorem::citation),
            digest: theorem.map(|theorem| theorem.digest().to_owned()),
            reason: result.as_ref().err().map(text::refusal),
        };
        serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        return Ok(status);
    }
    match &result {
        Ok(theorem) => {
            let style = AnsiColor::Green.on_default();
            for (place, line) in text::checked(theorem).iter().enumerate() {
                if place == 0 {
                    writeln!(out, "{style}{line}{style:#}")?;
                } else {
                    writeln!(out, "{line}")?;
                }
            }
        }
        Err(refusal @ Refusal::False(_)) => {
            let style = AnsiColor::Red.on_default();
            let message = text::refuted_certificate(refusal);
            writeln!(out, "{style}{message}{style:#}")?;
        }
        Err(refusal) => {
            let message = text::refusal(refusal);
            anstream::eprintln!("{}", text::error(&format!("{path}: {message}")));
        }
    }
    out.flush()?;
    Ok(status)
}
