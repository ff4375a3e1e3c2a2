//! The table of the problems and their samples, in English.

use std::time::Duration;

use grundy::outcome::Evidence;
use grundy_rules::fault::suggestion;

use crate::catalogue::PROBLEMS;

/// One problem and what became of its samples.
#[derive(Clone, Copy, Debug)]
pub struct JudgeRow<'a> {
    /// Its name.
    pub problem: &'a str,
    /// How many samples have the output of the statement.
    pub passed: usize,
    /// How many samples there are.
    pub samples: usize,
    /// How the answers about each game were known.
    pub evidence: &'a [(String, Evidence)],
    /// How long the samples took together.
    pub time: Duration,
}

/// The first line of the table.
pub fn judge_header() -> String {
    format!(
        "{:<18} {:>7}  {:>8}  evidence",
        "problem", "samples", "seconds"
    )
}

/// The line of a problem.
pub fn judge_row(row: &JudgeRow) -> String {
    let known: Vec<String> = row
        .evidence
        .iter()
        .map(|(game, evidence)| format!("{game}: {}", in_a_word(evidence)))
        .collect();
    let samples = format!("{}/{}", row.passed, row.samples);
    let seconds = row.time.as_secs_f64();
    let known = known.join(", ");
    format!("{:<18} {samples:>7}  {seconds:>8.3}  {known}", row.problem)
        .trim_end()
        .to_owned()
}

fn in_a_word(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Exhaustive { .. } => "searched".to_owned(),
        Evidence::Proved { .. } => "proved".to_owned(),
        Evidence::Published { .. } => "published".to_owned(),
        Evidence::Conjecture { .. } => "CONJECTURE".to_owned(),
        Evidence::Several(several) => {
            let mut words: Vec<String> = several.iter().map(in_a_word).collect();
            words.dedup();
            words.join(" and ")
        }
    }
}

/// No problem of the catalogue has this name.
pub fn unknown_problem(name: &str) -> String {
    let names = PROBLEMS.iter().map(|problem| problem.name);
    let help = match suggestion(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a path has `/` or ends with `.problem`".to_owned(),
    };
    grundy::text::error(&format!("there is no problem `{name}`; {help}"))
}
