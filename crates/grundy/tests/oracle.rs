//! The oracle gives what recurrences written out by hand for single games give.

use std::collections::{BTreeMap, BTreeSet};

use grundy::oracle::Oracle;
use grundy::{Outcome, catalogue};
use grundy_rules::{Budget, Component, Meter, Position, Ruleset};

fn game(name: &str) -> Ruleset {
    let game = catalogue::find(name).unwrap_or_else(|| panic!("{name} is in the catalogue"));
    grundy_rules::parse(game.text).expect("the catalogue can be read")
}

/// The least number that no option has.
fn mex(options: impl IntoIterator<Item = u64>) -> u64 {
    let options: BTreeSet<u64> = options.into_iter().collect();
    let mut least = 0;
    while options.contains(&least) {
        least += 1;
    }
    least
}

/// Compares values of components with those of a recurrence.
#[track_caller]
fn values_are<const N: usize>(name: &str, expected: impl IntoIterator<Item = ([u64; N], u64)>) {
    let ruleset = game(name);
    let mut oracle = Oracle::new(&ruleset);
    let mut meter = Meter::new(Budget::default());
    let mut count = 0;
    for (numbers, value) in expected {
        let actual = oracle.grundy_value(&Component::of_numbers(numbers), &mut meter);
        assert_eq!(actual, Ok(value), "{name} {numbers:?}");
        count += 1;
    }
    assert!(count > 20, "{name}: {count} values are too few");
}

/// Values of heaps 0, 1, …, from the options of each: sums of smaller heaps.
fn heaps(count: usize, options: impl Fn(usize) -> Vec<Vec<usize>>) -> Vec<([u64; 1], u64)> {
    let mut values: Vec<u64> = Vec::new();
    for n in 0..count {
        let value = mex(options(n)
            .iter()
            .map(|parts| parts.iter().fold(0, |sum, part| sum ^ values[*part])));
        values.push(value);
    }
    values
        .into_iter()
        .zip(0..)
        .map(|(value, n)| ([n], value))
        .collect()
}

/// Values of pairs in a square, from the options of each, which come earlier in rows.
fn pairs(side: u64, options: impl Fn(u64, u64) -> Vec<(u64, u64)>) -> Vec<([u64; 2], u64)> {
    let mut values: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    // By sums, so that options are known in either order.
    for sum in 0..2 * side {
        for x in 0..=sum.min(side - 1) {
            let y = sum - x;
            if y < side {
                let value = mex(options(x, y).iter().map(|option| values[option]));
                values.insert((x, y), value);
            }
        }
    }
    values
        .into_iter()
        .map(|((x, y), value)| ([x, y], value))
        .collect()
}

#[test]
fn heaps_have_the_values_of_their_recurrences() {
    let takes = |n: usize, most: usize| (1..=n.min(most)).map(move |k| vec![n - k]);
    values_are("nim", heaps(40, |n| takes(n, n).collect()));
    values_are("bash", heaps(60, |n| takes(n, 3).collect()));
    values_are(
        "lasker",
        heaps(40, |n| {
            takes(n, n).chain((1..n).map(|a| vec![a, n - a])).collect()
        }),
    );
    values_are(
        "kayles",
        heaps(60, |n| {
            let splits = |left: usize| (0..=left / 2).map(move |a| vec![a, left - a]);
            (1..=n.min(2)).flat_map(|k| splits(n - k)).collect()
        }),
    );
    values_are(
        "grundys-game",
        heaps(60, |n| {
            (1..n)
                .filter(|a| 2 * a < n)
                .map(|a| vec![a, n - a])
                .collect()
        }),
    );
    values_are(
        "three-way",
        heaps(24, |n| {
            let mut options: Vec<Vec<usize>> = takes(n, n).collect();
            for a in 1..n {
                for b in 1..n - a {
                    options.push(vec![a, b, n - a - b]);
                }
            }
            options
        }),
    );
    values_are(
        "powers",
        heaps(70, |n| {
            (0..7)
                .map(|i| 1 << i)
                .filter(|k| *k <= n)
                .map(|k| vec![n - k])
                .collect()
        }),
    );
    values_are(
        "mock-turtles",
        heaps(24, |i| {
            let mut options = vec![vec![]];
            for j in 0..i {
                options.push(vec![j]);
                options.extend((0..j).map(|k| vec![j, k]));
            }
            options
        }),
    );
    values_are(
        "ruler",
        heaps(40, |i| (0..=i).map(|k| (i - k..i).collect()).collect()),
    );
}

#[test]
fn pairs_have_the_values_of_their_recurrences() {
    values_are(
        "wythoff",
        pairs(16, |x, y| {
            let from_x = (0..x).map(|a| (a, y));
            let from_y = (0..y).map(|b| (x, b));
            let both = (1..=x.min(y)).map(|k| (x - k, y - k));
            from_x.chain(from_y).chain(both).collect()
        }),
    );
    values_are(
        "euclid",
        pairs(20, |x, y| {
            let mut options = Vec::new();
            if x > 0 && y > 0 {
                options.extend((1..=x / y).map(|k| (x - k * y, y)));
                options.extend((1..=y / x).map(|k| (x, y - k * x)));
            }
            options
        }),
    );
}

#[test]
fn fibonacci_nim_is_lost_at_fibonacci_numbers() {
    // Whether the player to move wins n counters of which at most q may be taken.
    fn won(n: u64, q: u64, known: &mut BTreeMap<(u64, u64), bool>) -> bool {
        if let Some(won) = known.get(&(n, q)) {
            return *won;
        }
        let answer = (1..=q.min(n)).any(|k| !won(n - k, 2 * k, known));
        known.insert((n, q), answer);
        answer
    }
    let ruleset = game("fibonacci-nim");
    let mut oracle = Oracle::new(&ruleset);
    let mut meter = Meter::new(Budget::default());
    let mut known = BTreeMap::new();
    for n in 1..60u64 {
        let position = Position(vec![Component::of_numbers([n, n - 1])]);
        let expected = if won(n, n - 1, &mut known) {
            Outcome::N
        } else {
            Outcome::P
        };
        assert_eq!(oracle.outcome(&position, &mut meter), Ok(expected), "{n}");
    }
}

#[test]
fn misere_sums_have_the_outcomes_of_their_recurrence() {
    // Kayles: heaps in ascending order, empty ones left out; no move is a win.
    fn won(heaps: &[u64], known: &mut BTreeMap<Vec<u64>, bool>) -> bool {
        if let Some(won) = known.get(heaps) {
            return *won;
        }
        let mut answer = heaps.is_empty();
        for (place, heap) in heaps.iter().enumerate() {
            for take in 1..=2.min(*heap) {
                for left in 0..=heap - take {
                    let mut next = heaps.to_vec();
                    next.remove(place);
                    next.extend([left, heap - take - left].iter().filter(|n| **n > 0));
                    next.sort_unstable();
                    answer = answer || !won(&next, known);
                }
            }
        }
        known.insert(heaps.to_vec(), answer);
        answer
    }
    let ruleset = game("misere-kayles");
    let mut oracle = Oracle::new(&ruleset);
    let mut meter = Meter::new(Budget::default());
    let mut known = BTreeMap::new();
    for a in 0..=5u64 {
        for b in a..=5 {
            for c in b..=5 {
                let heaps: Vec<u64> = [a, b, c].into_iter().filter(|n| *n > 0).collect();
                let components = heaps.iter().map(|n| Component::of_numbers([*n]));
                let position = Position(components.collect());
                let expected = if won(&heaps, &mut known) {
                    Outcome::N
                } else {
                    Outcome::P
                };
                assert_eq!(
                    oracle.outcome(&position, &mut meter),
                    Ok(expected),
                    "{heaps:?}"
                );
            }
        }
    }
}
