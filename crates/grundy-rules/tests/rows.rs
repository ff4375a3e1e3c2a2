//! Updates of rows and rings give what a second, plain reading of them gives.
//!
//! Every rule here changes one place by a choice and does something at a second one; all
//! combinations of changes, declarations and small rows are tried, and ways are counted too.

use std::collections::BTreeMap;

use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Item, Meter, parse};

/// What happens at the second place.
#[derive(Clone, Copy, Debug)]
enum Second {
    Nothing,
    /// `a[i+by] += k`
    Add(i64),
    /// `a[i+by] = k`
    Set(i64),
    /// `remove a[i+by]`
    Remove(i64),
    /// `first -= 1`
    First,
    /// `last += 2`
    Last,
    /// `a[j] -= 1`, for any j
    Any,
}

const SECONDS: [Second; 10] = [
    Second::Nothing,
    Second::Add(-1),
    Second::Add(1),
    Second::Add(2),
    Second::Set(1),
    Second::Remove(1),
    Second::Remove(-1),
    Second::First,
    Second::Last,
    Second::Any,
];

/// What the row is declared to be.
const KINDS: [&str; 7] = [
    "",
    ", ring",
    ", increasing",
    ", nonincreasing",
    ", unordered",
    ", empties vanish",
    ", empty ends vanish",
];

/// The place that `place`, counted from 1, means in a row of this length.
fn place(length: usize, ring: bool, place: i64) -> Option<usize> {
    let length = i64::try_from(length).expect("rows are short");
    let index = if ring && length > 0 {
        (place - 1).rem_euclid(length)
    } else {
        place - 1
    };
    let index = usize::try_from(index).ok()?;
    (index < usize::try_from(length).ok()?).then_some(index)
}

/// What the second change makes of the old row: its place, and the new number or `None`.
fn second(
    old: &[i64],
    ring: bool,
    change: Second,
    (i, j, k): (i64, i64, i64),
) -> Option<Vec<(usize, Option<i64>)>> {
    let at = |n: i64| place(old.len(), ring, n);
    Some(match change {
        Second::Nothing => Vec::new(),
        Second::Add(by) => {
            let place = at(i + by)?;
            vec![(place, Some(old[place] + k))]
        }
        Second::Set(by) => vec![(at(i + by)?, Some(k))],
        Second::Remove(by) => vec![(at(i + by)?, None)],
        Second::First => vec![(0, Some(old[0] - 1))],
        Second::Last => vec![(old.len() - 1, Some(old[old.len() - 1] + 2))],
        Second::Any => {
            let place = at(j)?;
            vec![(place, Some(old[place] - 1))]
        }
    })
}

/// The row in the form that stands for all equal ones; `None` if it breaks its order.
fn normal(kind: &str, mut row: Vec<i64>) -> Option<Vec<i64>> {
    match kind {
        ", ring" => {
            let turned = (0..row.len().max(1)).map(|start| {
                let mut turned = row.clone();
                turned.rotate_left(start);
                turned
            });
            row = turned.min().expect("there is one rotation");
        }
        ", increasing" if !row.is_sorted_by(|a, b| a < b) => return None,
        ", nonincreasing" if !row.is_sorted_by(|a, b| a >= b) => return None,
        ", unordered" => row.sort_unstable(),
        ", empties vanish" => row.retain(|n| *n != 0),
        ", empty ends vanish" => {
            while row.last() == Some(&0) {
                row.pop();
            }
            while row.first() == Some(&0) {
                row.remove(0);
            }
        }
        _ => {}
    }
    Some(row)
}

/// Every result with the number of its ways.
fn by_hand(kind: &str, change: Second, old: &[i64]) -> BTreeMap<Vec<i64>, u64> {
    let ring = kind == ", ring";
    let length = i64::try_from(old.len()).expect("rows are short");
    let last_j = if matches!(change, Second::Any) {
        length
    } else {
        1
    };
    let mut results = BTreeMap::new();
    for i in 1..=length {
        for j in 1..=last_j {
            for k in 1..=9 {
                let first = usize::try_from(i - 1).expect("i is at least 1");
                let Some(more) = second(old, ring, change, (i, j, k)) else {
                    continue;
                };
                let mut new: Vec<Option<i64>> = old.iter().copied().map(Some).collect();
                new[first] = Some(old[first] - k);
                let twice = more.iter().any(|(place, _)| *place == first);
                for (place, number) in more {
                    new[place] = number;
                }
                let new: Vec<i64> = new.into_iter().flatten().collect();
                if twice || new.iter().any(|n| *n < 0) {
                    continue;
                }
                if let Some(row) = normal(kind, new) {
                    *results.entry(row).or_default() += 1;
                }
            }
        }
    }
    results
}

#[test]
fn updates_are_what_they_say() {
    let mut found = 0;
    for kind in KINDS {
        for change in SECONDS {
            let more = match change {
                Second::Nothing => String::new(),
                Second::Add(by) => format!(", a[i+{by}] += k"),
                Second::Set(by) => format!(", a[i+{by}] = k"),
                Second::Remove(by) => format!(", remove a[i+{by}]"),
                Second::First => ", first -= 1".to_owned(),
                Second::Last => ", last += 2".to_owned(),
                Second::Any => ", a[j] -= 1".to_owned(),
            };
            let more = more.replace("+-", "-");
            let rules = format!("row a{kind}; a[i] -= k{more} where k >= 1");
            let ruleset = parse(&rules).unwrap_or_else(|faults| panic!("{rules}: {faults:?}"));
            for code in 0..256u32 {
                // Rows of up to four places with numbers up to 3; a leading 0 shortens them.
                let digits = [code / 64, code / 16 % 4, code / 4 % 4, code % 4];
                let skipped = digits.iter().take_while(|digit| **digit == 0).count();
                let row: Vec<i64> = digits[skipped..].iter().copied().map(i64::from).collect();
                // Positions are given in their normal form.
                if normal(kind, row.clone()) != Some(row.clone()) {
                    continue;
                }
                let numbers = row
                    .iter()
                    .map(|n| u64::try_from(*n).expect("digits are natural"));
                let mut meter = Meter::new(Budget::default());
                let options = options(&ruleset, &Component::of_numbers(numbers), &mut meter);
                let mut actual = BTreeMap::new();
                for option in options.expect("the budget is large") {
                    let numbers = option.result[0].0.iter().map(|item| match item {
                        Item::Number(n) => i64::try_from(n).expect("numbers are small"),
                        Item::List(_) => panic!("no rule here makes lists"),
                    });
                    actual.insert(numbers.collect::<Vec<i64>>(), option.ways);
                }
                found += actual.len();
                assert_eq!(actual, by_hand(kind, change, &row), "{rules} at {row:?}");
            }
        }
    }
    assert!(found > 5000, "{found} options are too few");
}
