//! Every problem of the catalogue: its samples, and what is known beside exhaustive search.

use std::fmt::Write as _;

use grundy::answer::learn::NoShelf;
use grundy_problems::catalogue::{Entry, PROBLEMS};
use grundy_problems::draw::{Size, draw};
use grundy_problems::engine::{Exhaustive, Knowing};
use grundy_problems::failure::Reason;
use grundy_problems::games::Library;
use grundy_problems::{Judge, Problem, parse, text};
use grundy_rules::{Budget, Meter};

/// How many inputs of a problem are drawn.
const INPUTS: u64 = 200;
/// What searching one input may cost; a larger one is left out.
const SEARCH: Budget = Budget {
    steps: 300_000,
    bytes: 1 << 28,
};
/// What answering and drawing it may cost.
const ANSWER: Budget = Budget {
    steps: 100_000_000,
    bytes: 1 << 28,
};

fn read(entry: &Entry) -> Problem {
    parse(entry.text).unwrap_or_else(|faults| panic!("{}: {faults:#?}", entry.name))
}

fn said(failure: &grundy_problems::failure::Failure) -> String {
    text::failure(failure, &|_| grundy::text::Reached::Size)
}

#[test]
fn samples_have_the_outputs_of_their_statements() {
    let mut faults = String::new();
    let library = Library::default();
    for entry in PROBLEMS {
        let problem = read(entry);
        for sample in entry.samples {
            let mut judge = Judge::new(&library, Knowing::new(&library, &NoShelf));
            let mut meter = Meter::new(Budget::default());
            let run = judge.run(&problem, sample.input.as_bytes(), &mut meter);
            let name = format!("{} {}", entry.name, sample.number);
            match run {
                Ok(run) if sample.is_answered_by(&run.output) => {}
                Ok(run) => writeln!(faults, "{name}: {:?}, not {:?}", run.output, sample.output)
                    .expect("a text takes what is written"),
                Err(failure) => writeln!(faults, "{name}: {}", said(&failure))
                    .expect("a text takes what is written"),
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn what_is_known_agrees_with_exhaustive_search() {
    let mut faults = String::new();
    for entry in PROBLEMS {
        if let Err(fault) = agrees(&read(entry)) {
            writeln!(faults, "{}: {fault}", entry.name).expect("a text takes what is written");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// Draws inputs of growing size until both ways have answered enough of them alike.
fn agrees(problem: &Problem) -> Result<(), String> {
    let library = Library::default();
    let mut known = Judge::new(&library, Knowing::new(&library, &NoShelf));
    let mut searched = Judge::new(&library, Exhaustive::default()).plainly();
    let meter = || Meter::new(ANSWER);
    let mut answered = 0;
    let mut size = 1;
    let mut grows = true;
    for seed in 0..3 * INPUTS {
        let drawn = match seed {
            0..5 => Size::Least,
            _ => Size::Upto(size),
        };
        let input = draw(problem, seed, drawn, &mut meter())
            .map_err(|failure| format!("seed {seed}: {}", said(&failure)))?;
        let run = searched.run(problem, input.as_bytes(), &mut Meter::new(SEARCH));
        let Ok(expected) = run else {
            let failure = run.expect_err("it is none");
            if !matches!(failure.reason, Reason::Undecided(_)) {
                return Err(format!("{input:?}: {}", said(&failure)));
            }
            // Larger inputs cannot be searched.
            grows = false;
            size = (size - 1).max(1);
            continue;
        };
        let answer = known
            .run(problem, input.as_bytes(), &mut meter())
            .map_err(|failure| format!("{input:?}: {}", said(&failure)))?;
        if answer.output != expected.output {
            let (known, searched) = (answer.output, expected.output);
            return Err(format!("{input:?}: known {known:?}, searched {searched:?}"));
        }
        answered += 1;
        if answered == INPUTS {
            return Ok(());
        }
        size += u32::from(grows && answered % 15 == 0);
    }
    Err(format!("only {answered} inputs were small enough"))
}
