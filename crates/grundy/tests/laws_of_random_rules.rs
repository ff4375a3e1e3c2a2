//! Whatever is proved about generated rules is true: the law's values are the oracle's, and the
//! moves found from the law are the moves found by listing options.

use grundy::answer::{Knowledge, Lawful};
use grundy::law::{LawReport, discover};
use grundy::oracle::Oracle;
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter};
use num_bigint::BigUint;
use proptest::prelude::*;

/// One rule of heaps: takes, splits, growth, moves of single heaps, conditions of many kinds.
fn rule() -> impl Strategy<Value = String> {
    let result = prop::sample::select(vec![
        ("[n-k]", "k >= 1"),
        ("[n-k]", "1 <= k <= 4"),
        ("[n-k]", "k in {1,3,4}"),
        ("[n-k]", "k in all but {2,5}"),
        ("[n-k]", "1 <= k <= n/2"),
        ("[n-k]", "n/2 <= k, k >= 1"),
        ("[k]", "k < n"),
        ("nothing", "n in {1,2,6}"),
        ("[a] + [n-a]", "1 <= a < n"),
        ("[a] + [n-a]", "1 <= a < n-a"),
        ("[a] + [n-1-a]", "a >= 0"),
        ("[a] + [n-2-a]", "a >= 1, n-2-a >= 1"),
        ("[a] + [n-k-a]", "1 <= k <= 2, a >= 0"),
        ("[a] + [b]", "a < n, b < n, a >= 1"),
        ("[a] + [b] + [n-a-b-1]", "a >= 1, b >= 1"),
        ("[n-1] | [n-2]", "n >= 2"),
        ("2 of [n-2]", "n <= 9"),
        ("[n+1]", "n < 3"),
    ]);
    let condition = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        ", n >= 5",
        ", n <= 7",
        ", n != 6",
        ", n mod 2 = 0",
        ", n mod 3 != 1",
        ", j < n, j + j = n",
        ", n = 4 or n mod 2 = 1",
    ]);
    (result, condition)
        .prop_map(|((result, must), and)| format!("[n] -> {result} where {must}{and}"))
}

/// A meter for what stays small.
fn meter(steps: u64) -> Meter<'static> {
    Meter::new(Budget {
        steps,
        bytes: 1 << 26,
    })
}

const HEAPS: u64 = 60;

/// How often the law told moves, if one is proved; whatever it says is held against the oracle.
fn holds(text: &str) -> Option<usize> {
    let ruleset = grundy_rules::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let LawReport::Proved(proved) = discover(&ruleset, Some(400), &mut meter(1_000_000)) else {
        return None;
    };
    let lawful = Lawful::proved(&ruleset, &proved.theorem).expect("it is about these rules");
    let mut oracle = Oracle::new(&ruleset);
    let mut told = 0;
    let heap = |n: u64| Component::of_numbers([n]);
    for n in 0..=HEAPS {
        let value = oracle
            .grundy_value(&heap(n), &mut meter(u64::MAX))
            .expect("it was proved to end");
        assert_eq!(
            lawful.value(&heap(n)),
            Some(BigUint::from(value)),
            "{text}: heap {n}"
        );
    }
    for n in [0, 1, 2, 5, 17, 40, HEAPS] {
        let all = options(&ruleset, &heap(n), &mut meter(u64::MAX)).expect("small");
        for target in 0..5u64 {
            let Ok(Some(found)) = lawful.moves_to(&heap(n), &target.into(), &mut meter(u64::MAX))
            else {
                continue;
            };
            told += 1;
            let mut value = |result: &[Component]| {
                result.iter().fold(0, |sum, part| {
                    sum ^ oracle
                        .grundy_value(part, &mut meter(u64::MAX))
                        .expect("an option")
                })
            };
            let expected: Vec<_> = all
                .iter()
                .filter(|option| value(&option.result) == target)
                .cloned()
                .collect();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                expected,
                "{text}: heap {n} to {target}"
            );
            assert_eq!(
                found.count(),
                Some(expected.len().into()),
                "{text}: heap {n} to {target}"
            );
        }
    }
    Some(told)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_proved_is_true(rules in prop::collection::vec(rule(), 1..3)) {
        holds(&rules.join("\n"));
    }
}

#[test]
fn many_kinds_of_rules_are_proved() {
    for text in [
        "[n] -> [n-k] where k >= 1",
        "[n] -> [n-k] where k in {1,3,4}",
        "[n] -> [n-k] where k in all but {2,5}",
        "[n] -> [n-k] where 1 <= k <= n/2",
        "[n] -> [k] where n/3 <= k < n",
        "[n] -> [n-k] where 1 <= k <= isqrt(n)",
        "[n] -> [a] + [n-1-a] where a >= 0",
        "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n",
        "[n] -> nothing where n in {1,2,6}",
    ] {
        assert!(holds(text).is_some_and(|told| told > 20), "{text}");
    }
}
