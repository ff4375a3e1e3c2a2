//! What is derived from rules is held against the options of the rules' definition.

use grundy_rules::options::options;
use grundy_rules::{Budget, Component, parse};
use num_traits::ToPrimitive;
use proptest::prelude::*;

use super::*;
use crate::rules::leavings;

/// The non-empty heaps of each option of a heap, ascending, each once, by definition.
pub(crate) fn defined(ruleset: &grundy_rules::Ruleset, heap: u64) -> Vec<Vec<u64>> {
    let mut meter = Meter::new(Budget::default());
    let options = options(ruleset, &Component::of_numbers([heap]), &mut meter).expect("small");
    let mut lists: Vec<Vec<u64>> = Vec::new();
    for option in options {
        let sizes = option.result.iter().map(|heap| {
            let size = heap.as_heap().and_then(ToPrimitive::to_u64);
            size.expect("a small heap")
        });
        let mut sizes: Vec<u64> = sizes.filter(|size| *size > 0).collect();
        sizes.sort_unstable();
        lists.push(sizes);
    }
    lists.sort();
    lists.dedup();
    lists
}

/// The same by the classes that were derived.
fn derived(moves: &Moves, heap: u64) -> Vec<Vec<u64>> {
    let mut lists = Vec::new();
    let mut meter = Meter::new(Budget::default());
    for class in moves.up_to(heap, &mut meter).expect("few classes") {
        let sum = i128::from(heap - class.removed);
        if class.parts == 0 {
            if sum == 0 {
                lists.push(Vec::new());
            }
            continue;
        }
        for_each_sorted_sum(class.parts, sum, &mut |point| {
            let parts: Vec<u64> = point.iter().map(|x| x.to_u64().expect("small")).collect();
            if class.allows(&parts) {
                lists.push(parts);
            }
            Ok::<(), ()>(())
        })
        .expect("nothing fails");
    }
    lists.sort();
    lists.dedup();
    lists
}

/// Whether the moves could be derived; if so they are right for heaps up to `most`.
fn held(text: &str, most: u64) -> Result<(), Stop> {
    let ruleset = parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let labels: Vec<String> = ruleset.moves.iter().map(|m| m.label.clone()).collect();
    let mut meter = Meter::new(Budget::default());
    let moves = Moves::new(
        &leavings(&ruleset, grundy_rules::ruleset::Play::Normal)?,
        &labels,
        &mut meter,
    )?;
    for heap in 0..=most {
        assert_eq!(
            derived(&moves, heap),
            defined(&ruleset, heap),
            "{text}: {heap}"
        );
    }
    Ok(())
}

#[test]
fn rules_in_many_dresses_are_read() {
    for text in [
        "rules 0.77",
        "rules 0.156",
        "rules 4.3",
        "rules 0.(3)",
        "rules 4.(3)",
        "rules 0.12(07)",
        "rules take-and-break 0.3F",
        "rules {1,3,4}",
        "rules all but {2,5}",
        "game g(m = 3)\n[n] -> [n-k] where 1 <= k <= m",
        "game g(S = {2,5})\n[n] -> [n-k] where k in S",
        "[n] -> [n-k] where k in 1..5, k not in {2,3}",
        "[n] -> [n-k] where 1 <= k < 8, k mod 3 = 1",
        "[n] -> [n-k] where 1 <= k < 8, 3 | k + n",
        "[n] -> [n-k] where k >= 1, not (k in {2,4})",
        "[n] -> [m] where n - 3 <= m < n",
        "[n] -> [max(n-3, 0)] where n >= 1",
        "[n] -> [n-1] | [n-4] where n != 5",
        "[n] -> nothing where 1 <= n <= 7",
        "[3] -> [1] + [1]\n[n] -> [n-2]",
        "[n] -> [a] + [n-a] where 1 <= a < n",
        "[n] -> [a] + [n-a] where 1 <= a <= n/2",
        "[n] -> [a] + [n-1-a] where a <= n-1-a",
        "[n] -> [a] + [n-k-a] where k in {1,4}, a >= 0",
        "[n] -> [a] + [n-1-a] where a >= 2, n-1-a >= 3",
        "[n] -> [a] + [n-1-a] where a mod 2 = 1, n mod 2 = 1",
        "[n] -> [a] + [n-1-a] where a mod 2 = 1, n mod 2 = 0",
        "[n] -> [a] + [n-2-a] where a >= 1, n >= 11",
        "[n] -> [a] + [n-2-a] where a >= 1, n <= 11",
        "[n] -> [a] + [n-2-a] where a >= 1, n != 11",
        "[n] -> [a] + [b] + [n-1-a-b] where a >= 1, b >= a, n-1-a-b >= b",
        "[n] -> [n-k] where k >= 1, n <= 11",
        "[n] -> [a] + [n-k-a] where k >= 5, a >= 1, n-k-a >= 1, (n >= 12 or k >= 6)",
        "[n] -> [n-k-l] where 1 <= k <= 2, l in {0,3}",
        "[n] -> [n-k] where 1 <= k <= 6, some i in 2..3: i | k",
        "[n] -> [n-k] where 1 <= k <= 6, every i in {2,3}: k != i",
        "[n] -> [n-2*k] where 1 <= k <= 3",
        "[n] -> [n-k] where 1 <= k <= 9, k = 2*j",
        "[n] -> [n-abs(3-k)] where k <= 2",
    ] {
        if let Err(stop) = held(text, 24) {
            panic!("{text}: {stop:?}");
        }
    }
}

#[test]
fn the_catalogue_is_read_right_or_refused() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let mut read = 0;
    for entry in std::fs::read_dir(games).expect("the catalogue") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a game");
        read += usize::from(held(&text, 14).is_ok());
    }
    assert!(read > 20, "{read}");
}

#[test]
fn what_no_class_can_say_is_refused() {
    let reason = |text: &str| match held(text, 0) {
        Err(Stop::Reason(reason)) => reason,
        other => panic!("{text}: {other:?}"),
    };
    let relation = |removed, parts| Reason::Relation { removed, parts };
    assert_eq!(
        reason("[n] -> [a] + [n-a] where 1 <= a < n-a"),
        relation(0, 2)
    );
    assert_eq!(
        reason("[n] -> [a] + [n-2-a] where a >= 1, -3 <= n-2-2*a <= 3"),
        relation(2, 2)
    );
    assert_eq!(
        reason("[n] -> [a] + [b] + [n-1-a-b] where 1 <= a < b, b <= n-1-a-b"),
        relation(1, 3)
    );
    let to_left = Reason::RemovedToLeft {
        rule: "take".to_owned(),
    };
    assert_eq!(reason("take: [n] -> [n-k] where 1 <= k <= n/2"), to_left);
    assert_eq!(reason("take: [n] -> [n-k] where 1 <= k, 2*k < n"), to_left);
    assert_eq!(reason("take: [n] -> [n/2] where n >= 1"), to_left);
    assert_eq!(reason("[n] -> [n-k] where 0 <= k <= 3"), Reason::ZeroMoves);
    assert_eq!(
        reason("[n] -> [n-k] where n >= 1, 0 <= k <= 3"),
        Reason::NotSmaller
    );
    assert_eq!(reason("[0] -> nothing"), Reason::ZeroMoves);
    assert_eq!(reason("[n] -> nothing"), Reason::ZeroMoves);
    assert_eq!(reason("[0] -> [0]"), Reason::ZeroMoves);
    assert_eq!(reason("[n] -> [n] + [0] where n >= 1"), Reason::NotSmaller);
    let label = || "move1".to_owned();
    assert_eq!(
        reason("[n] -> [n+1]"),
        Reason::RemovedToLeft { rule: label() }
    );
    for text in [
        "[n] -> [n-k] where k in squares",
        "[n] -> [n-k] where k >= 1, gcd(k, n) = 1",
        "[n] -> [d] where d | n, d < n",
        "[n] -> [n-k] where k*k <= n, k >= 1",
        "[n] -> [n-k] where k >= 1, k in {n, 2}",
        "[n] -> [n/(n-n)]",
    ] {
        assert_eq!(reason(text), Reason::NotLinear { rule: label() }, "{text}");
    }
    assert_eq!(
        reason("[n] -> [n-1] where k <= n, n mod 3 = k mod 3"),
        Reason::ChoiceHidden { rule: label() }
    );
}

/// A rule made of a result and some conditions on the variables in it.
pub(crate) fn rule() -> impl Strategy<Value = String> {
    let result = prop::sample::select(vec![
        ("nothing", "n >= 1"),
        ("[n-1]", "n >= 2"),
        ("[n-k]", "k >= 1"),
        ("[n-2*k]", "k >= 1"),
        ("[k]", "k < n"),
        ("[a] + [n-a]", "1 <= a < n"),
        ("[a] + [n-k-a]", "1 <= k <= 3"),
        ("[a] + [n-k-a]", "k >= 1"),
        ("[a] + [n-2-a]", "a <= n"),
        ("[a] + [a]", "2*a <= n, n <= 2*a + 2"),
        ("[a] + [a] + [n-2*a-1]", "n >= 1"),
        ("[a] + [b] + [n-a-b-1]", "n >= 1"),
        ("[a] + [b] + [n-a-b-k]", "k in {1,3}"),
        ("[n-1] | [n-3]", "n >= 1"),
        ("[a] | [n-a]", "1 <= a < n"),
        ("[min(n-1, 4)]", "n >= 1"),
        ("[max(n-3, 0)] + [a]", "a <= 2, n > a"),
        ("2 of [a]", "a < n, n <= 2*a + 2"),
    ]);
    let atom = prop::sample::select(vec![
        "a >= C",
        "a <= C",
        "a <= n/2",
        "a mod D = R",
        "a < n-1-a",
        "a <= n-1-a",
        "a != C",
        "a in {1,C}",
        "k >= C",
        "k <= C",
        "k in {1,C}",
        "k in 1..D",
        "k mod D = R",
        "D | k",
        "b >= C",
        "b <= a",
        "b mod D = R",
        "n >= C",
        "n <= C",
        "n mod D = R",
        "n != C",
        "D | n",
        "k <= n/2",
        "a + k <= C",
        "j <= C, j + n mod 2 = 1",
        "(a <= C or n mod D = R)",
        "not (a = C)",
        "k not in {2,C}",
        "k in all but {C}",
        "some i in 1..D: a = i",
        "every i in {1,C}: k != i",
        "abs(a - C) <= 2",
        "max(a, 2) <= C",
        "n - a >= C",
        "n - a - b >= 2",
        "a mod D = n mod D",
    ]);
    let conditions = prop::collection::vec((atom, 0..7u32, 2..4u32, 0..3u32), 0..4);
    (result, conditions).prop_map(|((result, guard), conditions)| {
        let mut guard = vec![guard.to_owned()];
        for (atom, c, d, r) in conditions {
            let foreign = |v: char| atom.contains(v) && !result.contains(v);
            // `mod`, `abs`, `max`, `in` and `not` hold letters too.
            let words = [
                "mod", "abs", "max", "not", "in", "some", "every", "or", "all but",
            ];
            let bare = words
                .iter()
                .fold(atom.to_owned(), |text, word| text.replace(word, " "));
            if ['a', 'b', 'k']
                .into_iter()
                .any(|v| bare.contains(v) && foreign(v))
            {
                continue;
            }
            let atom = atom
                .replace('C', &c.to_string())
                .replace('D', &d.to_string());
            guard.push(atom.replace('R', &r.to_string()));
        }
        format!("[n] -> {result} where {}", guard.join(", "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn derived_moves_are_the_defined_ones(rules in prop::collection::vec(rule(), 1..3)) {
        // Choices without bounds and results that do not hold all choices are no rules.
        let text = rules.join("\n");
        if parse(&text).is_ok() {
            let _ = held(&text, 17);
        }
    }
}
