//! Holds every published theorem against the oracle and prints a table of what that showed; with
//! words behind it, only the families with one of them in their names.

use std::time::Instant;

use grundy::theorem::FAMILIES;
use grundy::theorem::hold::{Judge, hold};
use grundy_rules::{Budget, Meter};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    println!("# Published theorems, held against the oracle");
    println!();
    println!("Written by `cargo xtask theorems`. On every position outcome, value and all winning");
    println!("moves, in their order, were compared with exhaustive search: values by their");
    println!(
        "definition and then outcomes by nim-sums; where there are no values, outcomes by theirs."
    );
    println!();
    println!("| family | theorem | source | positions | differences | seconds |");
    println!("|---|---|---|--:|--:|--:|");
    for family in FAMILIES.iter().filter(|family| wanted(family.name)) {
        let mut meter = Meter::new(Budget {
            steps: u64::MAX,
            bytes: u64::MAX,
        });
        let start = Instant::now();
        let held = hold(family, Judge::Oracle, 1, &mut meter).expect("samples are small");
        println!(
            "| {} | {} | {} | {} | {} | {:.1} |",
            family.name,
            family.statement.replace('|', "\\|"),
            family.citation,
            held.positions,
            held.differences.len(),
            start.elapsed().as_secs_f64(),
        );
        for (rules, position) in held.differences.iter().take(5) {
            eprintln!("{}: {rules}: {position:?}", family.name);
        }
    }
}
