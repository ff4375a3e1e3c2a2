//! Says of every octal code of up to three digits whether it is tame for ever, wild, or undecided in misère
//! play, and which quotient decides it; with codes behind it, only of these.

use std::time::{Duration, Instant};

use grundy::law::{LawReport, discover};
use grundy::misere::Presentation;
use grundy_certificate::{Law, Misere, Monoid};
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Meter, parse};

/// How long each game may take, unless `GRUNDY_SECONDS` says otherwise.
const SECONDS: u64 = 5;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let seconds = std::env::var("GRUNDY_SECONDS").ok();
    let seconds = seconds
        .and_then(|text| text.parse().ok())
        .unwrap_or(SECONDS);
    let codes = if asked.is_empty() {
        (1..512).map(code).collect()
    } else {
        asked
    };
    let mut rows = Vec::new();
    let (mut tame, mut quotients, mut wild) = (0, 0, 0);
    for code in codes {
        let start = Instant::now();
        let report = report(&code, Duration::from_secs(seconds));
        let known = match &report {
            LawReport::Proved(proved) => match proved.theorem.law() {
                Law::Misere(law) if law.monoid == Monoid::Tame => {
                    tame += 1;
                    of_law("tame", law)
                }
                Law::Misere(law) => {
                    quotients += 1;
                    of_law("wild", law)
                }
                law => unreachable!("in misère play there is no law {law:?}"),
            },
            LawReport::Unlabelled {
                wild: Some(heap), ..
            } => {
                wild += 1;
                format!("wild from heap {heap} | | | |")
            }
            LawReport::Unlabelled { below, .. } => format!("tame below heap {below} | | | |"),
            report => unreachable!("all codes are games of heaps: {report:?}"),
        };
        let seconds = start.elapsed().as_secs_f64();
        rows.push(format!("| {code} | {known} {seconds:.2} |"));
    }
    let all = rows.len();
    let open = all - tame - quotients - wild;
    println!("# Octal codes in misère play");
    println!();
    println!(
        "Written by `cargo xtask misere`: all codes of up to three digits, at most {seconds} s each. Of {all} codes"
    );
    println!(
        "{tame} are proved tame for ever, {quotients} are wild with a proved quotient, {wild} are wild and no quotient was"
    );
    println!(
        "proved, {open} are undecided. Elements and lost elements are those of the quotient; that of a tame game has 2, or"
    );
    println!(
        "2 + 2^k if the Grundy values are below 2^k. Every law has a certificate that the checker has accepted."
    );
    println!();
    println!("| code | what | elements | lost | preperiod | period | seconds |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{row}");
    }
}

/// The code whose three digits are those of a number in base 8.
fn code(number: u32) -> String {
    let digits = format!("{number:03o}");
    format!("0.{}", digits.trim_end_matches('0'))
}

fn report(code: &str, time: Duration) -> LawReport {
    let rules = parse(&format!("rules {code}")).expect("a code");
    let start = Instant::now();
    let cancel = || start.elapsed() >= time;
    let budget = Budget {
        steps: u64::MAX,
        bytes: 1 << 31,
    };
    let mut meter = Meter::with_cancel(budget, &cancel);
    discover(&rules.with_play(Play::Misere), None, &mut meter)
}

fn of_law(what: &str, law: &Misere) -> String {
    let labels = &law.labels;
    let (order, lost) = match Presentation::of(law) {
        Some(quotient) => (quotient.order, quotient.lost.len()),
        None => tame_order(&labels.values),
    };
    let (preperiod, period) = (labels.preperiod, labels.period);
    format!("{what} | {order} | {lost} | {preperiod} | {period} |")
}

/// The elements and the lost elements of the quotient of tame heaps with these labels.
fn tame_order(labels: &[u64]) -> (usize, usize) {
    if labels.iter().all(|label| label & 1 == 0) {
        return if labels.contains(&2) { (2, 1) } else { (1, 0) };
    }
    let most = labels.iter().map(|label| label >> 1).max().unwrap_or(0);
    let firm = (most + 1).next_power_of_two().max(4);
    (2 + usize::try_from(firm).expect("few values"), 2)
}
