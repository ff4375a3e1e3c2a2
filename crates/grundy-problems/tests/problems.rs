//! Every problem of the catalogue: its samples, and what is known beside exhaustive search.

use std::fmt::Write as _;

use grundy::answer::learn::NoShelf;
use grundy_problems::catalogue::{Entry, PROBLEMS};
use grundy_problems::engine::Knowing;
use grundy_problems::games::Library;
use grundy_problems::hold::{Fault, hold};
use grundy_problems::{Judge, Problem, parse, text};
use grundy_rules::{Budget, Meter};

/// How many inputs of a problem are drawn.
const INPUTS: u64 = 200;
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
        let fault = match hold(&read(entry), INPUTS) {
            Ok(()) => continue,
            Err(Fault::Failed { input, failure }) => format!("{input:?}: {}", said(&failure)),
            Err(other) => format!("{other:?}"),
        };
        writeln!(faults, "{}: {fault}", entry.name).expect("a text takes what is written");
    }
    assert!(faults.is_empty(), "\n{faults}");
}
