//! Every code of up to three digits beside a plain loop over half of its splits, as a contest program has it, in Rust.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use grundy::law::Sequence;
use grundy::shape::Shape;
use grundy_rules::parse;

use crate::report::{first_line, processor};
use crate::tables::extend;

/// How many heaps, and how often each side runs in turn. The best runs count.
const SIZES: [(usize, usize); 3] = [(1000, 15), (3000, 7), (10_000, 2)];
/// A game is told apart if the loop takes less than so much of our time.
const LEVEL_WITH: f64 = 0.95;

/// Measures all codes with each condition on the two parts.
pub fn measure() -> Result<String, String> {
    let mut report = Report {
        text: format!(
            "# Every code of up to three digits beside a plain loop\n\n{day}, {cpu}; {rust}. The table alone, without reading \
             the rules; the loop is compiled for its condition.\nA game counts as slower if the loop takes less than \
             {LEVEL_WITH} of our time. The values agreed.\n\n\
             | parts | heaps | games | loop, ms | grundy, ms | least ratio | median | slower |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            day = first_line("date", "+%F")?,
            cpu = processor()?,
            rust = first_line("rustc", "--version")?,
        ),
        slower: String::new(),
    };
    report.condition("any", "", |_, _| true)?;
    report.condition("unequal", ", a != b", |a, b| a != b)?;
    let far = |a: usize, b: usize| a.abs_diff(b) > 2;
    report.condition("3 apart", ", a > b + 2 or b > a + 2", far)?;
    let some_even = |a: usize, b: usize| a.is_multiple_of(2) || b.is_multiple_of(2);
    report.condition("a or b even", ", a mod 2 = 0 or b mod 2 = 0", some_even)?;
    let congruent = |a: usize, b: usize| a.abs_diff(b).is_multiple_of(3);
    report.condition("a = b mod 3", ", a mod 3 = b mod 3", congruent)?;
    if !report.slower.is_empty() {
        report.text += "\n| code | parts | heaps | loop, ms | grundy, ms |\n";
        report.text += "| --- | --- | ---: | ---: | ---: |\n";
        report.text += &report.slower;
    }
    Ok(report.text)
}

struct Report {
    text: String,
    slower: String,
}

impl Report {
    fn condition<F>(&mut self, name: &str, condition: &str, allowed: F) -> Result<(), String>
    where
        F: Fn(usize, usize) -> bool + Copy,
    {
        for (count, repeats) in SIZES {
            let (mut sums, mut ratios, mut slower) = ([0.0, 0.0], Vec::new(), 0);
            // Codes without a split have kernels of another kind.
            let digits = (1..512u16).map(|number| [number >> 6, number >> 3 & 7, number & 7]);
            for digits in digits.filter(|digits| digits.iter().any(|digit| digit & 4 != 0)) {
                let [theirs, ours] = both(digits, condition, allowed, count, repeats)?;
                let (theirs, ours) = (1000.0 * theirs, 1000.0 * ours);
                sums = [sums[0] + theirs, sums[1] + ours];
                ratios.push(theirs / ours);
                if theirs < LEVEL_WITH * ours {
                    slower += 1;
                    let [first, second, third] = digits;
                    writeln!(
                        self.slower,
                        "| 0.{first}{second}{third} | {name} | {count} | {theirs:.3} | {ours:.3} |"
                    )
                    .expect("a string");
                }
            }
            ratios.sort_by(f64::total_cmp);
            let line = format!(
                "| {name} | {count} | {games} | {:.1} | {:.1} | {:.2} | {:.2} | {slower} |\n",
                sums[0],
                sums[1],
                ratios[0],
                ratios[ratios.len() / 2],
                games = ratios.len(),
            );
            eprint!("{line}");
            self.text += &line;
        }
        Ok(())
    }
}

/// The best times of the loop and of the kernel, in seconds.
fn both(
    digits: [u16; 3],
    condition: &str,
    allowed: impl Fn(usize, usize) -> bool + Copy,
    count: usize,
    repeats: usize,
) -> Result<[f64; 2], String> {
    let rules = rules(digits, condition);
    let ruleset = parse(&rules).map_err(|faults| format!("{rules}: {faults:?}"))?;
    let shape = Shape::of(&ruleset);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..repeats {
        let start = Instant::now();
        let expected = by_loop(black_box(digits), count, allowed);
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut sequence = Sequence::new(&ruleset, &shape);
        extend(&mut sequence, count)?;
        best[1] = best[1].min(start.elapsed().as_secs_f64());
        let values = sequence.values().first(count);
        if !values.into_iter().eq(expected.into_iter().map(u64::from)) {
            return Err(format!("{rules}: the loop finds other values"));
        }
    }
    Ok(best)
}

/// The rules of an octal code, with a condition on the two parts of a split.
fn rules(digits: [u16; 3], condition: &str) -> String {
    let mut rules = Vec::new();
    for (taken, digit) in (1..).zip(digits) {
        if digit & 1 != 0 {
            rules.push(format!("[n] -> nothing where n = {taken}"));
        }
        if digit & 2 != 0 {
            rules.push(format!("[n] -> [n-{taken}] where n > {taken}"));
        }
        if digit & 4 != 0 {
            rules.push(format!(
                "[n] -> [a] + [b] where a >= 1, b >= 1, a + b = n - {taken}{condition}"
            ));
        }
    }
    rules.join("; ")
}

/// All options of each heap noted one by one, of two equal splits one.
#[inline(never)]
#[allow(clippy::explicit_counter_loop)] // A range in place of the counter takes twice the time.
fn by_loop(digits: [u16; 3], count: usize, allowed: impl Fn(usize, usize) -> bool) -> Vec<u16> {
    let mut values = vec![0u16; count];
    let mut seen = [0; 1 << 12];
    for (heap, stamp) in (0..count).zip(1u32..) {
        for (taken, digit) in (1..).zip(digits) {
            if digit & 1 != 0 && taken == heap {
                seen[0] = stamp;
            }
            if taken >= heap {
                continue;
            }
            let sum = heap - taken;
            if digit & 2 != 0 {
                seen[usize::from(values[sum])] = stamp;
            }
            if digit & 4 != 0 {
                let (small, large) = (&values[1..=sum / 2], &values[sum - sum / 2..sum]);
                let mut a = 1;
                for (x, y) in small.iter().zip(large.iter().rev()) {
                    if allowed(a, sum - a) {
                        // Values of so few heaps are smaller.
                        seen[usize::from(x ^ y) % (1 << 12)] = stamp;
                    }
                    a += 1;
                }
            }
        }
        let missing = seen.iter().position(|last| *last != stamp);
        let value = missing.and_then(|value| u16::try_from(value).ok());
        values[heap] = value.expect("so few heaps have smaller values");
    }
    values
}
