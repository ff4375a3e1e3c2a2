//! Runs the samples of every problem of the catalogue, holds it against exhaustive search, answers
//! the largest inputs that are drawn from its limits, and prints a table of it; with words behind it, only the problems
//! with one of them in their names.

use std::time::{Duration, Instant};

use grundy::answer::learn::NoShelf;
use grundy::outcome::Evidence;
use grundy_problems::catalogue::{Entry, PROBLEMS};
use grundy_problems::draw::{Size, draw};
use grundy_problems::engine::Knowing;
use grundy_problems::games::Library;
use grundy_problems::hold::hold;
use grundy_problems::{Judge, Problem, Run, parse};
use grundy_rules::{Budget, Meter};

/// On how many small inputs a problem is held against exhaustive search.
const INPUTS: u64 = 200;
/// How long the answer to one input may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// What drawing or answering one input may take.
const BUDGET: Budget = Budget {
    steps: u64::MAX,
    bytes: 1 << 31,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    println!("| problem | source | samples | small inputs | evidence | seconds |");
    println!("|---|---|--:|--:|---|--:|");
    for entry in PROBLEMS.iter().filter(|entry| wanted(entry.name)) {
        let problem = parse(entry.text).expect("the catalogue has no faults");
        let passed = samples(&problem, entry);
        let held = match hold(&problem, INPUTS) {
            Ok(()) => INPUTS.to_string(),
            Err(fault) => {
                eprintln!("{}: {fault:?}", entry.name);
                "different".to_owned()
            }
        };
        let (evidence, seconds) = slowest(&problem, entry);
        let source = problem.source.as_deref().unwrap_or_default();
        println!(
            "| {} | {source} | {passed} | {held} | {evidence} | {seconds} |",
            entry.name
        );
    }
}

/// What the output of a problem is, unless it takes too long.
fn answer(problem: &Problem, input: &str) -> Option<Run> {
    let start = Instant::now();
    let cancel = || start.elapsed() > PATIENCE;
    let mut meter = Meter::with_cancel(BUDGET, &cancel);
    let library = Library::default();
    let mut judge = Judge::new(&library, Knowing::new(&library, &NoShelf));
    judge.run(problem, input.as_bytes(), &mut meter).ok()
}

/// How many samples have the output of the statement.
fn samples(problem: &Problem, entry: &Entry) -> String {
    let passes = entry.samples.iter().filter(|sample| {
        answer(problem, sample.input).is_some_and(|run| sample.is_answered_by(&run.output))
    });
    match entry.samples.len() {
        0 => "none".to_owned(),
        all => format!("{} of {all}", passes.count()),
    }
}

/// How the samples and the largest inputs are known, and the seconds that the slowest takes.
fn slowest(problem: &Problem, entry: &Entry) -> (String, String) {
    let mut inputs: Vec<String> = entry.samples.iter().map(|s| s.input.to_owned()).collect();
    for size in [Size::Many, Size::Long] {
        let start = Instant::now();
        let cancel = || start.elapsed() > PATIENCE;
        let mut meter = Meter::with_cancel(BUDGET, &cancel);
        match draw(problem, 1, size, &mut meter) {
            Ok(input) => inputs.push(input),
            Err(failure) => eprintln!("{}: {size:?}: {failure:?}", entry.name),
        }
    }
    let mut words: Vec<&str> = Vec::new();
    let mut slowest = Duration::ZERO;
    for input in inputs {
        let start = Instant::now();
        let Some(run) = answer(problem, &input) else {
            return ("undecided".to_owned(), String::new());
        };
        slowest = slowest.max(start.elapsed());
        for (_, evidence) in &run.evidence {
            words_of(evidence, &mut words);
        }
    }
    words.sort_unstable();
    words.dedup();
    (words.join(", "), format!("{:.2}", slowest.as_secs_f64()))
}

fn words_of(evidence: &Evidence, words: &mut Vec<&str>) {
    match evidence {
        Evidence::Exhaustive { .. } => words.push("exhaustive"),
        Evidence::Proved { .. } => words.push("proved"),
        Evidence::Published { .. } => words.push("published"),
        Evidence::Conjecture { .. } => words.push("conjecture"),
        Evidence::Several(several) => several.iter().for_each(|each| words_of(each, words)),
    }
}
