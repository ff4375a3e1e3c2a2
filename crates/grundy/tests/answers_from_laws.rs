//! Moves found from a law are the moves found by listing options.

use grundy::answer::periodic::PeriodicLaw;
use grundy::answer::winning::moves_to;
use grundy::oracle::Oracle;
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter};
use num_bigint::BigUint;

/// Holds the moves to every value against the options, for each heap up to `most`.
///
/// The law is the one that the oracle's own values show up to `most`, read beyond `upto`.
fn agree(rules: &str, preperiod: u64, period: u64, saltus: u64, most: u64) {
    let ruleset = grundy_rules::parse(rules).unwrap_or_else(|e| panic!("{rules}: {e:?}"));
    let mut oracle = Oracle::new(&ruleset);
    let meter = &mut Meter::new(Budget {
        steps: u64::MAX,
        bytes: u64::MAX,
    });
    let heap = |n: u64| Component::of_numbers([n]);
    let values: Vec<u64> = (0..=most)
        .map(|n| oracle.grundy_value(&heap(n), meter).expect("small"))
        .collect();
    let shown = usize::try_from(preperiod + period).expect("small");
    let law = PeriodicLaw {
        values: &values[..shown],
        preperiod,
        period,
        saltus,
    };
    for (n, expected) in (0..=most).zip(&values) {
        assert_eq!(
            law.value(&n.into()),
            BigUint::from(*expected),
            "{rules}: heap {n}"
        );
        let all = options(&ruleset, &heap(n), meter).expect("small");
        let value = |result: &[Component]| {
            let parts = result.iter().map(|part| part.as_heap().expect("heaps"));
            parts.fold(0, |sum, part| {
                sum ^ values[usize::try_from(part).expect("small")]
            })
        };
        for target in 0..=values.iter().max().copied().unwrap_or(0) + 1 {
            let expected: Vec<_> = all
                .iter()
                .filter(|option| value(&option.result) == target)
                .cloned()
                .collect();
            let found = moves_to(&ruleset, &law, &n.into(), &target.into(), meter)
                .expect("small")
                .unwrap_or_else(|| panic!("{rules}: no families for heap {n}"));
            let listed: Vec<_> = found.iter().collect();
            assert_eq!(listed, expected, "{rules}: heap {n}, target {target}");
            let least = expected.iter().map(|option| &option.result).min();
            assert_eq!(found.least().as_ref().map(|option| &option.result), least);
            assert_eq!(found.count(), expected.len().into(), "{rules}: heap {n}");
        }
    }
}

#[test]
fn takes() {
    agree("rules {1,3,4}", 0, 7, 0, 40);
    agree("[n] -> [n-k] where 1 <= k <= 3", 0, 4, 0, 40);
    agree("[n] -> [n-k] where 2 <= k <= 5", 0, 7, 0, 40);
    agree("[n] -> [n-k] where k >= 1, k mod 3 = 1", 2, 3, 0, 40);
}

#[test]
fn takes_with_a_saltus() {
    agree("[n] -> [n-k] where k >= 1", 0, 1, 1, 40);
    agree("[n] -> [k] where k < n", 0, 1, 1, 40);
    agree("rules all but {2,3,7}", 0, 4, 2, 60);
}

#[test]
fn splits() {
    agree("rules 0.07", 53, 34, 0, 110);
    agree("rules 0.77", 71, 12, 0, 100);
    agree("rules 4.3", 2, 2, 0, 40);
    agree("[n] -> [a] + [n-2-a] where a >= 0", 53, 34, 0, 110);
    agree(
        "take: [n] -> [n-j] where 1 <= j <= 3; split: [n] -> [a] + [n-a] where 1 <= a < n",
        4,
        4,
        0,
        40,
    );
}

#[test]
fn splits_with_a_saltus() {
    agree(
        "take: [n] -> [n-k] where k >= 1; split: [n] -> [a] + [n-a] where 1 <= a < n",
        1,
        4,
        4,
        48,
    );
}
