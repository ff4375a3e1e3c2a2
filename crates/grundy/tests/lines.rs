//! Boxes whose options lie on rays agree with plain loops, and with the oracle.

use std::collections::BTreeSet;

use grundy::oracle::Oracle;
use grundy::outcome::Undecided;
use grundy::table::{Plan, Quantity, Table, TableError};
use grundy::tabulate::{Area, Work};
use grundy_rules::{Budget, Component, Limit, Meter, Ruleset, parse};
use proptest::prelude::*;

fn read(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn tabulate(
    ruleset: &Ruleset,
    bounds: &[u64],
    quantity: Quantity,
    bytes: u64,
) -> Result<Table, TableError> {
    let budget = Budget {
        bytes,
        ..Budget::default()
    };
    let plan = Plan::new(ruleset)?;
    plan.tabulate(bounds, quantity, &mut Meter::new(budget), &mut |_| {})
}

fn table(text: &str, bounds: &[u64], quantity: Quantity) -> Table {
    let table = tabulate(&read(text), bounds, quantity, 1 << 30);
    table.unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The cells of a box, the last coordinate running fastest.
fn cells(bounds: &[u64]) -> Vec<Vec<u64>> {
    bounds.iter().fold(vec![Vec::new()], |cells, bound| {
        let longer = |cell: Vec<u64>| (0..=*bound).map(move |n| [cell.as_slice(), &[n]].concat());
        cells.into_iter().flat_map(longer).collect()
    })
}

/// Holds a table against a loop over all distances at which an option may be.
fn compare(table: &Table, distances: &BTreeSet<Vec<u64>>) -> Result<(), String> {
    let bounds = table.bounds();
    let mut values: Vec<u64> = Vec::new();
    for cell in cells(bounds) {
        let option = |distance: &Vec<u64>| {
            let mut pairs = cell.iter().zip(distance).zip(bounds);
            pairs.try_fold(0, |index, ((n, less), bound)| {
                Some(index * (bound + 1) + n.checked_sub(*less)?)
            })
        };
        let seen: BTreeSet<u64> = distances
            .iter()
            .filter_map(option)
            .map(|index| values[usize::try_from(index).expect("it is small")])
            .collect();
        let value = match table.quantity() {
            Quantity::Grundy => (0..=seen.len() as u64).find(|value| !seen.contains(value)),
            Quantity::MisereOutcome => Some(u64::from(seen.contains(&0) || seen.is_empty())),
        };
        let value = value.expect("a set misses one more number than it has members");
        if table.value(&cell) != Some(value) {
            let found = table.value(&cell);
            return Err(format!("{cell:?}: {found:?} instead of {value}"));
        }
        values.push(value);
    }
    Ok(())
}

/// Holds both quantities on a box against the distances that a test of tuples admits.
fn agrees(text: &str, bounds: &[u64], is_distance: impl Fn(&[u64]) -> bool) {
    let all = cells(bounds).into_iter();
    let distances: BTreeSet<Vec<u64>> = all.filter(|distance| is_distance(distance)).collect();
    for quantity in [Quantity::Grundy, Quantity::MisereOutcome] {
        compare(&table(text, bounds, quantity), &distances)
            .unwrap_or_else(|fault| panic!("{text}, {quantity:?}: {fault}"));
    }
}

#[test]
fn games_on_lines_agree() {
    agrees(
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
        &[90, 110],
        |d| d[0] + d[1] > 0 && (d[0] == 0 || d[1] == 0 || d[0] == d[1]),
    );
    for r in [1, 2, 5] {
        agrees(
            &format!(
                "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                 [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < {r}"
            ),
            &[70, 60],
            |d| d[0] + d[1] > 0 && (d[0] == 0 || d[1] == 0 || d[0].abs_diff(d[1]) < r),
        );
    }
    for (r, s) in [(1, 2), (2, 3), (2, 4), (3, 3), (5, 1)] {
        // A step with common divisors is numbered only where its direction has a 1.
        agrees(
            &format!(
                "[x, y] -> [x-k, y] | [x, y-k] | [x-{r}*k, y-{s}*k] | [x-{s}*k, y-{r}*k] where k >= 1"
            ),
            &[50, 64],
            |d| {
                let on = |r, s| d[0] % r == 0 && d[1] % s == 0 && d[0] / r == d[1] / s;
                d[0] + d[1] > 0 && (d[0] == 0 || d[1] == 0 || on(r, s) || on(s, r))
            },
        );
    }
    agrees(
        "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1",
        &[13, 11, 17],
        |d| d.iter().filter(|n| **n > 0).count() == 1,
    );
    agrees(
        "unordered; [x, y, z] -> [x-k, y, z] | [x-k, y-k, z] | [x-k, y-k, z-k] where k >= 1",
        &[12, 14, 11],
        |d| {
            let some: BTreeSet<u64> = d.iter().copied().filter(|n| *n > 0).collect();
            some.len() == 1
        },
    );
    agrees(
        "[w, x, y, z] -> [w-k, x, y, z] | [w, x-k, y-k, z] | [w-k, x, y, z-2*k] where k >= 1",
        &[6, 5, 7, 8],
        |d| match *d {
            [w, 0, 0, 0] => w > 0,
            [0, x, y, 0] => x > 0 && x == y,
            [w, 0, 0, z] => w > 0 && z == 2 * w,
            _ => false,
        },
    );
}

#[test]
fn values_outgrow_a_byte_and_the_first_words() {
    let text = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
    agrees(text, &[9, 700], |d| {
        d[0] + d[1] > 0 && (d[0] == 0 || d[1] == 0 || d[0] == d[1])
    });
    assert_eq!(
        table(text, &[9, 700], Quantity::Grundy).bytes_per_value(),
        2
    );
}

#[test]
fn a_table_without_room_for_sets_is_the_same() {
    let ruleset = read("[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1");
    let bounds = [60, 500];
    let whole = tabulate(&ruleset, &bounds, Quantity::Grundy, 1 << 30).expect("there is room");
    let cells = 61 * 501;
    // Both widths of the cells, and less and less for the sets.
    for sets in [0, 20_000, 60_000, 100_000, 200_000] {
        let bytes = 3 * cells + sets;
        let table = tabulate(&ruleset, &bounds, Quantity::Grundy, bytes).expect("the cells fit");
        assert_eq!(table, whole, "{sets}");
    }
    let refused = tabulate(&ruleset, &bounds, Quantity::Grundy, cells - 1);
    assert_eq!(refused, Err(TableError::Limit(Limit::Bytes)));
}

#[test]
fn a_table_that_is_stopped_goes_on() {
    let ruleset = read("[x, y] -> [x-k, y] | [x, y-k] | [x-2*k, y-k] where k >= 1");
    let bounds = vec![40, 350];
    let straight = table_of(&ruleset, &bounds);
    let meter = &mut Meter::new(Budget::default());
    let area = || Area::new(&ruleset, bounds.clone()).expect("it is a box of the game");
    for stop in [1, 350, 351, 7000, 12_000] {
        let mut first = Work::new(&ruleset, area(), meter).expect("there is room");
        first.advance(stop, meter).expect("it is small");
        let told = first.news();
        let mut second = Work::new(&ruleset, area(), meter).expect("there is room");
        second
            .restore(&told, meter)
            .expect("the numbers are its own");
        // Steps run out many times on the way.
        loop {
            let (result, _) = meter.capped(5000, |meter| second.advance(u64::MAX, meter));
            match result {
                Ok(()) => break,
                Err(Undecided::Limit(Limit::Steps)) => {}
                Err(reason) => panic!("{reason:?}"),
            }
        }
        assert_eq!(second.finish(None).entries, straight, "{stop}");
    }
}

fn table_of(ruleset: &Ruleset, bounds: &[u64]) -> grundy::tabulate::Entries {
    let meter = &mut Meter::new(Budget::default());
    let area = Area::new(ruleset, bounds.to_vec()).expect("it is a box of the game");
    let mut work = Work::new(ruleset, area, meter).expect("there is room");
    work.advance(u64::MAX, meter).expect("it is small");
    work.finish(None).entries
}

/// A rule that subtracts from pairs or triples, as text and as distances.
fn rule(coordinates: usize) -> impl Strategy<Value = (String, BTreeSet<Vec<u64>>)> {
    let step = prop::collection::vec(0..4u64, coordinates);
    let first = prop::collection::vec(0..3u64, coordinates);
    let most = prop_oneof![3 => Just(60u64), 1 => 1..20u64];
    (step, first, 0..3u64, most).prop_filter_map("some options are their own cell", |all| {
        let (step, first, least, most) = all;
        let own = |place: usize| step[place] * least + first[place] == 0;
        if (0..step.len()).all(own) || step.iter().all(|n| *n == 0) {
            return None;
        }
        let names = ["x", "y", "z"];
        let results = (0..step.len()).map(|i| format!("{}-{}*k-{}", names[i], step[i], first[i]));
        let text = format!(
            "[{}] -> [{}] where {least} <= k <= {most}\n",
            names[..step.len()].join(", "),
            results.collect::<Vec<_>>().join(", "),
        );
        let distance = |k: u64| step.iter().zip(&first).map(|(s, f)| s * k + f).collect();
        Some((text, (least..=most).map(distance).collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pairs_agree(rules in prop::collection::vec(rule(2), 1..6), side in 20..40u64) {
        let text: String = rules.iter().map(|(text, _)| text.as_str()).collect();
        let distances = rules.into_iter().flat_map(|(_, distances)| distances).collect();
        for quantity in [Quantity::Grundy, Quantity::MisereOutcome] {
            let table = table(&text, &[side, 33], quantity);
            compare(&table, &distances).map_err(|f| TestCaseError::fail(format!("{text}: {f}")))?;
        }
    }

    #[test]
    fn random_triples_agree(rules in prop::collection::vec(rule(3), 1..5)) {
        let text: String = rules.iter().map(|(text, _)| text.as_str()).collect();
        let distances = rules.into_iter().flat_map(|(_, distances)| distances).collect();
        let table = table(&text, &[9, 12, 10], Quantity::Grundy);
        compare(&table, &distances).map_err(|f| TestCaseError::fail(format!("{text}: {f}")))?;
    }

    #[test]
    fn random_pairs_agree_with_the_oracle(rules in prop::collection::vec(rule(2), 1..4)) {
        let text: String = rules.iter().map(|(text, _)| text.as_str()).collect();
        let ruleset = read(&text);
        let (mut oracle, mut meter) = (Oracle::new(&ruleset), Meter::new(Budget::default()));
        for (cell, value) in table(&text, &[14, 12], Quantity::Grundy).iter() {
            let component = Component::of_numbers(cell);
            prop_assert_eq!(oracle.grundy_value(&component, &mut meter), Ok(value));
        }
    }
}
