//! Says of every octal code of up to three digits whether it is tame for ever, wild, or undecided in misère
//! play, and which quotient decides it; holds what is proved against published quotients and brute force.
//!
//! With codes behind it, only of these; `--seconds N` is how long each may take.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/brute_force/mod.rs"]
mod brute_force;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use grundy::law::{LawReport, discover};
use grundy::misere::{self, wild_from};
use grundy_certificate::{Law, Monoid};
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Meter, Ruleset, parse};

/// How long a code may take.
const SECONDS: u64 = 2;
/// How long a code may take whose quotient is published.
const SECONDS_IF_PUBLISHED: u64 = 60;
/// All sums of heaps up to this total are visited.
const TOTAL: usize = 24;
/// So many larger ones are, too.
const LARGER: usize = 20;

fn main() {
    let published = published();
    let (seconds, mut codes) = arguments();
    if codes.is_empty() {
        codes = (1..512).map(code).collect();
        let further = published.keys().map(|code| (*code).to_owned());
        codes.extend(further.filter(|code| code.starts_with('4')));
    }
    let mut counts = Counts::default();
    let mut rows = Vec::new();
    for code in &codes {
        let published = published.get(code.as_str()).copied();
        let default = match published {
            Some(_) => SECONDS_IF_PUBLISHED,
            None => SECONDS,
        };
        let time = Duration::from_secs(seconds.unwrap_or(default));
        let row = row(code, published, time, &mut counts);
        eprintln!("{row}");
        rows.push(row);
    }
    counts.print(codes.len(), seconds);
    println!("| code | what | elements | lost | preperiod | period | published | seconds |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{row}");
    }
}

/// The seconds for each code, if they are given, and the codes.
fn arguments() -> (Option<u64>, Vec<String>) {
    let mut seconds = None;
    let mut codes = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--seconds" {
            let number = arguments.next().and_then(|text| text.parse().ok());
            seconds = Some(number.expect("a number behind --seconds"));
        } else {
            codes.push(argument);
        }
    }
    (seconds, codes)
}

/// Published quotients: for each code its elements, and how many of them are lost.
fn published() -> BTreeMap<&'static str, (usize, usize)> {
    let lines = include_str!("published.txt").lines();
    let row = |line: &'static str| {
        let mut words = line.split(' ');
        let code = words.next().expect("a code");
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let quotient = (number().expect("elements"), number().expect("lost ones"));
        (code, quotient)
    };
    lines
        .filter(|line| !line.starts_with('#'))
        .map(row)
        .collect()
}

#[derive(Default)]
struct Counts {
    tame: usize,
    /// Those that do not begin with 4.
    tame_short: usize,
    quotients: usize,
    wild: usize,
    open: usize,
    published: usize,
    agree: usize,
    sums: usize,
}

impl Counts {
    fn print(&self, all: usize, seconds: Option<u64>) {
        let Self {
            tame,
            tame_short,
            quotients,
            wild,
            open,
            published,
            agree,
            sums,
        } = self;
        let bound = match seconds {
            Some(seconds) => format!("{seconds} s"),
            None => {
                format!("{SECONDS} s, and {SECONDS_IF_PUBLISHED} s where a quotient is published")
            }
        };
        let proved = tame + quotients;
        println!(
            "# Octal codes in misère play

Written by `cargo xtask misere`: all codes of up to three digits, and those that begin with 4 and have a
published quotient. Each may take {bound}.
`cargo run --release -p grundy --example misere -- --seconds N CODE…` looks longer at some of them.

Of {all} codes {tame} are proved tame for ever, {tame_short} of them without a 4 in front; {quotients} are wild and have a
proved quotient; of {wild} wild ones no quotient was proved; {open} are undecided. Every law has a certificate that the
checker has accepted.
Elements and lost elements are those of the quotient; that of a tame game has 2, or 2 + 2^k if the Grundy
values are below 2^k. *Checked to heap h* is a quotient that decides the sums of heaps up to h; nothing is
proved of larger ones.

Held against brute force on all sums of heaps up to a total of {TOTAL}, and {LARGER} larger ones a game: {sums} sums
of {proved} games, and all agree. The published orders are those that the `MisereSolver` of CGSuite 2.2 prints; of
{published} codes that it solves, {agree} are proved here, with the same numbers of elements and lost elements.
"
        );
    }
}

fn row(
    code: &str,
    published: Option<(usize, usize)>,
    time: Duration,
    counts: &mut Counts,
) -> String {
    let rules = parse(&format!("rules {code}")).expect("a code");
    let rules = rules.with_play(Play::Misere);
    let start = Instant::now();
    let report = report(&rules, time);
    let seconds = start.elapsed().as_secs_f64();
    let said = published.map_or(String::new(), |(order, lost)| format!("{order}, {lost}"));
    counts.published += usize::from(published.is_some());
    let known = match &report {
        LawReport::Proved(proved) => {
            let Law::Misere(law) = proved.theorem.law() else {
                unreachable!("laws of misère play are laws of labels")
            };
            let what = if law.monoid == Monoid::Tame {
                counts.tame += 1;
                counts.tame_short += usize::from(code.starts_with('0'));
                "tame for ever".to_owned()
            } else {
                counts.quotients += 1;
                let heap = wild_from(&rules, &report, &mut Meter::new(Budget::default()));
                format!("wild from heap {}", heap.expect("a wild heap"))
            };
            let (order, lost) = misere::order(law).expect("these codes are bounded");
            if let Some(published) = published {
                assert_eq!(
                    (order, lost),
                    published,
                    "{code} differs from what is published"
                );
                counts.agree += 1;
            }
            let sums = brute_force::compare(&rules, law, TOTAL, LARGER);
            counts.sums +=
                sums.unwrap_or_else(|heaps| panic!("{code}: {heaps:?} is decided wrongly"));
            let (preperiod, period) = (law.labels.preperiod, law.labels.period);
            format!("{what} | {order} | {lost} | {preperiod} | {period}")
        }
        LawReport::Unlabelled {
            wild: Some(heap),
            checked,
            ..
        } => {
            counts.wild += 1;
            match checked {
                Some(checked) => format!(
                    "wild from heap {heap}, checked to heap {} | {} | {} | |",
                    checked.below - 1,
                    checked.order,
                    checked.lost
                ),
                None => format!("wild from heap {heap} | | | |"),
            }
        }
        LawReport::Unlabelled { below, .. } => {
            counts.open += 1;
            format!("undecided, tame below heap {below} | | | |")
        }
        report => unreachable!("all codes are games of heaps: {report:?}"),
    };
    format!("| {code} | {known} | {said} | {seconds:.2} |")
}

/// The code whose three digits are those of a number in base 8.
fn code(number: u32) -> String {
    let digits = format!("{number:03o}");
    format!("0.{}", digits.trim_end_matches('0'))
}

fn report(rules: &Ruleset, time: Duration) -> LawReport {
    let start = Instant::now();
    let cancel = || start.elapsed() >= time;
    let budget = Budget {
        steps: u64::MAX,
        bytes: 1 << 31,
    };
    discover(rules, None, &mut Meter::with_cancel(budget, &cancel))
}
