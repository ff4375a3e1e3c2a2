//! Periodic laws, proved by windows.

mod common;

use common::{certificate, check_certificate, grundy_values, ruleset, seen_law};
use grundy_certificate::{Falsehood, Periodic, Proof, Reason, Refusal};

fn proved(rules: &str, heaps: u64, proof: Proof) -> (u64, u64, u64) {
    let values = grundy_values(&ruleset(rules), heaps);
    let law = seen_law(&values, None).unwrap_or_else(|| panic!("{rules}: {values:?}"));
    if let Err(refusal) = check_certificate(&certificate(rules, &law, proof)) {
        panic!("{rules}: {law:?}: {refusal:?}");
    }
    (law.preperiod, law.period, law.saltus)
}

#[test]
fn smoke() {
    assert_eq!(
        proved("rules 0.77", 200, Proof::Shift { mask: 0 }),
        (71, 12, 0)
    );
    assert_eq!(
        proved("rules 0.77", 200, Proof::Shift { mask: 5 }),
        (71, 12, 0)
    );
    assert_eq!(proved("rules {2,5}", 100, Proof::Subtraction), (0, 7, 0));
    assert_eq!(
        proved("rules {2,5}", 100, Proof::Shift { mask: 0 }),
        (0, 7, 0)
    );
    println!("{:?}", proved("rules all but {2,5}", 100, Proof::AllBut));
    println!("{:?}", proved("rules all but {}", 100, Proof::AllBut));
    println!("{:?}", proved("rules 0.33", 100, Proof::Subtraction));
    println!(
        "{:?}",
        proved(
            "take: [n] -> [n-k] where k in 1..3\nsplit: [n] -> [a] + [n-a] where 1 <= a <= n/2, n < 9",
            200,
            Proof::Shift { mask: 0 }
        )
    );
}

/// Remove 1 and split into two unequal non-empty heaps, or take a heap of 2: the window for
/// n0 = 4, p = 3 passes, and the law fails at 13.
#[test]
fn parts_that_are_related_are_refused() {
    let rules = "split: [n] -> [a] + [n-1-a] where a >= 1, n-1-a > a\ntake: [2] -> nothing";
    let values = grundy_values(&ruleset(rules), 30);
    let law = Periodic {
        preperiod: 4,
        period: 3,
        saltus: 0,
        values: values[..7].to_vec(),
    };
    let holds = |n: usize| values[n + 3] == values[n];
    assert!((4..13).all(holds) && !holds(13));
    let refusal = check_certificate(&certificate(rules, &law, Proof::Shift { mask: 0 }));
    let expected = Falsehood::DoesNotApply {
        theorem: "shift lemma",
        reason: Reason::Relation {
            removed: 1,
            parts: 2,
        },
    };
    assert_eq!(refusal, Err(Refusal::False(expected)));
}
