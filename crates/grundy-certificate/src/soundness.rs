//! Whatever rules and whatever law: what is accepted is true.

use std::collections::BTreeSet;

use grundy_rules::{Budget, Meter, Ruleset, parse};
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::moves::tests::{defined, rule};
use crate::{Certificate, Law, Periodic, Proof, check};

/// How far laws are held against values by definition.
const HEAPS: u64 = 48;

fn grundy_values(ruleset: &Ruleset) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..HEAPS {
        let at = |heap: &u64| values[usize::try_from(*heap).expect("small")];
        let options = defined(ruleset, heap);
        let of_option = |heaps: &Vec<u64>| heaps.iter().map(at).fold(0, |sum, v| sum ^ v);
        let seen: BTreeSet<u64> = options.iter().map(of_option).collect();
        let mex = (0..=HEAPS * HEAPS).find(|value| !seen.contains(value));
        values.push(mex.expect("few options"));
    }
    values
}

/// The values of heaps are those of the rules, but one may be damaged.
fn accepted_is_true(text: &str, damage: (usize, u64), mask: u64) -> usize {
    let Ok(ruleset) = parse(text) else { return 0 };
    let growing = (0..HEAPS).any(|heap| {
        let sum = |heaps: &Vec<u64>| heaps.iter().sum::<u64>();
        let options = defined(&ruleset, heap);
        options
            .iter()
            .any(|heaps| sum(heaps) > heap || heaps.contains(&heap))
    });
    if growing || !defined(&ruleset, 0).is_empty() {
        return 0;
    }
    let values = grundy_values(&ruleset);
    let mut accepted = 0;
    for (preperiod, period) in (0..10).flat_map(|n0| (1..7).map(move |p| (n0, p))) {
        let mut claimed = values[..preperiod + period].to_vec();
        if let Some(value) = claimed.get_mut(damage.0) {
            *value ^= damage.1;
        }
        let step = values[preperiod + period].wrapping_sub(values[preperiod]);
        let steps = BTreeSet::from([0, step]);
        for saltus in steps.into_iter().filter(|saltus| *saltus < 9) {
            for proof in [
                Proof::Subtraction,
                Proof::Shift { mask },
                Proof::AllBut,
                Proof::TakeOrSplit,
                Proof::PeriodicTail { mask },
            ] {
                let certificate = Certificate {
                    ruleset: ruleset.canonical_text(),
                    law: Law::Periodic(Periodic {
                        preperiod: preperiod as u64,
                        period: period as u64,
                        saltus,
                        values: claimed.clone(),
                    }),
                    proof,
                };
                let mut meter = Meter::new(Budget::default());
                let Ok(theorem) = check(&certificate.to_text(), &mut meter) else {
                    continue;
                };
                accepted += 1;
                for (heap, value) in (0u64..).zip(&values) {
                    let by_law = theorem.law().value(&BigUint::from(heap));
                    let value = Some(BigUint::from(*value));
                    assert_eq!(by_law, value, "{text}: {theorem:?}: {heap}");
                }
            }
        }
    }
    accepted
}

#[test]
fn undamaged_laws_are_accepted() {
    assert_eq!(accepted_is_true("rules {1,3}", (0, 0), 1), 3);
    assert_eq!(accepted_is_true("rules 0.52", (0, 0), 1), 2);
    assert_eq!(accepted_is_true("rules all but {1,2}", (0, 0), 1), 2);
    assert_eq!(accepted_is_true("rules {1,3}", (1, 1), 1), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn accepted_laws_are_true(
        rules in prop::collection::vec(rule(), 1..3),
        damaged in 0..30usize,
        by in 1..4u64,
        mask in 0..8u64,
    ) {
        accepted_is_true(&rules.join("\n"), (damaged, by), mask);
    }
}
