//! Digit recursions whose cases an automaton tells apart, seen in values.
//!
//! Taking at most half of a heap, or splitting it into parts that differ by 1, has `g(2x) = x` and `g(2x+1) = g(x)` but at
//! heaps beside powers of two. Which heaps are the first of their value is plain from the values; for these the values, and for
//! all others smaller heaps of the same value, are put on few lines. Which line is whose is learned digit by digit. What
//! is seen so is a guess.

use std::collections::BTreeMap;

use grundy_certificate::automatic::Order;
use grundy_certificate::{Case, Recursion};
use num_integer::Integer as _;

use crate::proof::automatic::Classifier;

/// The largest denominator of the slope of a line.
const MOST_OVER: u64 = 6;
/// How far a line may lie beside one through 0, before it is divided.
const MOST_PLUS: i64 = 16;
/// How many smaller heaps of the same value are looked at, the nearest ones.
const MOST_TARGETS: usize = 32;
/// How many lines there may be, and how many heaps must lie on each.
const MOST_LINES: usize = 8;
const LEAST_HEAPS: usize = 5;
/// How many heaps may be exceptions.
const MOST_EXCEPTIONS: usize = 8;
/// How many states tell the cases apart, at most.
const MOST_STATES: usize = 64;

/// For each heap the line that it lies on.
pub(super) struct Lines {
    of: Vec<u32>,
    cases: Vec<Case>,
}

impl Lines {
    /// The recursion by an automaton that reads heaps so and tells their lines, if there is one.
    pub(super) fn told(&self, base: u32, order: Order) -> Option<Recursion> {
        let told = Classifier::learn(&self.of, base, order, MOST_STATES)?;
        Some(Recursion {
            base,
            order,
            table: told.table,
            case_of: told.classes,
            cases: self.cases.clone(),
        })
    }
}

/// The lines that values show, heap 0 first; `None` where they would be many.
pub(super) fn lines(values: &[u64]) -> Option<Lines> {
    let mut candidates: BTreeMap<Case, Vec<usize>> = BTreeMap::new();
    let mut heaps: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    // What is said of a heap that lies on no line.
    let mut alone = Vec::with_capacity(values.len());
    for (n, value) in values.iter().enumerate() {
        let same = heaps.entry(*value).or_default();
        let is_new = same.is_empty();
        let targets: Vec<u64> = if is_new {
            vec![*value]
        } else {
            let nearest = same.iter().rev().take(MOST_TARGETS);
            nearest.map(|m| *m as u64).collect()
        };
        let constant = |said: u64| {
            Some(Case {
                is_new,
                times: 0,
                plus: i64::try_from(said).ok()?,
                over: 1,
            })
        };
        alone.push(constant(*targets.first()?)?);
        for said in targets {
            for case in through(n as u64, said, is_new) {
                candidates.entry(case).or_default().push(n);
            }
        }
        if let Some(first) = same.first() {
            candidates
                .entry(constant(*first as u64)?)
                .or_default()
                .push(n);
        }
        same.push(n);
    }
    let mut of: Vec<Option<u32>> = vec![None; values.len()];
    let mut cases: Vec<Case> = Vec::new();
    while cases.len() < MOST_LINES {
        let open = |heaps: &[usize]| heaps.iter().filter(|n| of[**n].is_none()).count();
        let best = candidates
            .iter()
            .map(|(case, heaps)| (open(heaps), case))
            .filter(|(count, _)| *count >= LEAST_HEAPS)
            .max_by(|(a, x), (b, y)| a.cmp(b).then_with(|| nearer(x, y)));
        let Some((_, case)) = best else { break };
        let case = *case;
        let number = u32::try_from(cases.len()).ok()?;
        for n in &candidates[&case] {
            of[*n].get_or_insert(number);
        }
        cases.push(case);
    }
    let grows = |case: &Case| case.is_new && case.times > 0;
    let is_recursion = cases.iter().any(grows) && !cases.iter().all(|case| case.is_new);
    let exceptions = of.iter().filter(|line| line.is_none()).count();
    if !is_recursion || exceptions > MOST_EXCEPTIONS {
        return None;
    }
    let mut numbers = Vec::with_capacity(of.len());
    for (line, alone) in of.into_iter().zip(alone) {
        numbers.push(match line {
            Some(line) => line,
            None => {
                let known = cases.iter().position(|case| *case == alone);
                let place = known.unwrap_or_else(|| {
                    cases.push(alone);
                    cases.len() - 1
                });
                u32::try_from(place).ok()?
            }
        });
    }
    Some(Lines { of: numbers, cases })
}

/// The lines that say this of a heap.
fn through(n: u64, said: u64, is_new: bool) -> impl Iterator<Item = Case> {
    let slopes = (1..=MOST_OVER).flat_map(|over| (1..=over).map(move |times| (times, over)));
    slopes.filter_map(move |(times, over)| {
        let plus = i64::try_from(over * said).ok()? - i64::try_from(times * n).ok()?;
        (times.gcd(&over) == 1 && plus.abs() <= MOST_PLUS).then_some(Case {
            is_new,
            times,
            plus,
            over,
        })
    })
}

/// Of two lines through as many heaps the larger one leads to the nearer heaps.
fn nearer(x: &Case, y: &Case) -> std::cmp::Ordering {
    let slopes = (x.times * y.over).cmp(&(y.times * x.over));
    slopes.then(x.plus.cmp(&y.plus)).then(y.over.cmp(&x.over))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of taking at most half or splitting into parts that differ by 1, by definition.
    fn values(count: usize) -> Vec<u64> {
        let mut all: Vec<u64> = Vec::new();
        for n in 0..count {
            let mut options: Vec<u64> = (1..=n / 2).map(|k| all[n - k]).collect();
            if n % 2 == 1 && n > 1 {
                options.push(all[n / 2] ^ all[n / 2 + 1]);
            }
            all.push(
                (0..=n as u64)
                    .find(|g| !options.contains(g))
                    .expect("a least one"),
            );
        }
        all
    }

    #[test]
    fn powers_of_two_are_told_apart() {
        let values = values(1500);
        let told = |values| lines(values)?.told(2, Order::LeastSignificantFirst);
        let seen = told(&values[..1000]).expect("a recursion");
        assert_eq!(seen.cases.len(), 4, "{seen:?}");
        for (n, value) in values.iter().enumerate() {
            assert_eq!(seen.value(&n.into()), Some((*value).into()), "{n}");
        }
        // Other values, of which the digits tell nothing.
        let squares: Vec<u64> = (0..1000u64).map(|n| n - n.isqrt().pow(2)).collect();
        assert_eq!(told(&squares), None);
    }
}
