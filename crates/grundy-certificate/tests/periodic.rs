//! Periodic laws, proved by windows.

mod common;

use common::{certificate, check_certificate, grundy_values, ruleset, seen_law};
use grundy_certificate::{Falsehood, Periodic, Proof, Reason, Refusal};
use num_bigint::BigUint;

fn proved(rules: &str, heaps: u64, proof: Proof) -> (u64, u64, u64) {
    let values = grundy_values(&ruleset(rules), heaps);
    let law = seen_law(&values, None).unwrap_or_else(|| panic!("{rules}: {values:?}"));
    if let Err(refusal) = check_certificate(&certificate(rules, &law, proof)) {
        panic!("{rules}: {law:?}: {refusal:?}");
    }
    (law.preperiod, law.period, law.saltus)
}

#[test]
fn laws_are_proved_whatever_the_dress_of_the_rules() {
    let shift = || Proof::Shift { mask: 0 };
    let kayles = "[n] -> [n-k] where 1 <= k <= 2\n\
                  [n] -> [a] + [n-k-a] where k in {1,2}, 1 <= a <= n-k-a";
    for (rules, proof, law) in [
        ("rules 0.77", shift(), (71, 12, 0)),
        ("rules 0.77", Proof::Shift { mask: 5 }, (71, 12, 0)),
        (kayles, shift(), (71, 12, 0)),
        ("rules {2,5}", Proof::Subtraction, (0, 7, 0)),
        ("rules {2,5}", shift(), (0, 7, 0)),
        ("rules {2,5}", Proof::PeriodicTail { mask: 0 }, (0, 7, 0)),
        ("rules 0.33", Proof::Subtraction, (0, 3, 0)),
        (
            "game g(m = 3)\n[n] -> [n-k] where 1 <= k <= m",
            Proof::Subtraction,
            (0, 4, 0),
        ),
        ("rules all but {2,5}", Proof::AllBut, (0, 4, 2)),
        ("rules all but {}", Proof::AllBut, (0, 1, 1)),
        ("[n] -> [m] where m < n", Proof::AllBut, (0, 1, 1)),
        // From heap 9 on, no heap may be split any more.
        (
            "[n] -> [n-k] where k in 1..3\n[n] -> [a] + [n-a] where 1 <= a <= n/2, n < 9",
            shift(),
            (4, 4, 0),
        ),
        // An even and an odd part, or a take of 1: the modulus 2 divides the period.
        (
            "[n] -> [n-1]\n[n] -> [a] + [n-1-a] where a >= 1, n-1-a >= 1, a mod 2 = 0, n mod 2 = 0",
            shift(),
            (0, 2, 0),
        ),
    ] {
        assert_eq!(proved(rules, 200, proof), law, "{rules}");
    }
}

/// Every law that true values suggest and that fails first at the last heap of its window: one
/// value less, and it would have been proved.
fn refused_at_the_last_heap(
    rules: &str,
    proof: &Proof,
    saltus: &[u64],
    window: impl Fn(u64) -> u64,
) -> usize {
    let values = grundy_values(&ruleset(rules), 70);
    let at = |heap: u64| values[usize::try_from(heap).expect("small")];
    let mut found = 0;
    for (preperiod, period) in (0..8).flat_map(|n0| (1..12).map(move |p| (n0, p))) {
        for &saltus in saltus {
            let holds = |n: &u64| at(n + period) == at(*n) + saltus;
            let last = window(preperiod) - 1;
            if (preperiod..40).find(|n| !holds(n)) != Some(last) {
                continue;
            }
            found += 1;
            let claimed = |n: u64| {
                let rounds = n.saturating_sub(preperiod) / period;
                at(n - rounds * period) + rounds * saltus
            };
            let law = Periodic {
                preperiod,
                period,
                saltus,
                values: (0..preperiod + period).map(at).collect(),
            };
            let falsehood = Falsehood::Value {
                heap: last + period,
                claimed: claimed(last + period),
                actual: at(last + period),
            };
            let refusal = check_certificate(&certificate(rules, &law, proof.clone()));
            assert_eq!(refusal, Err(Refusal::False(falsehood)), "{rules}: {law:?}");
        }
    }
    found
}

#[test]
fn windows_are_tight() {
    let (mut subtraction, mut all_but) = (0, 0);
    for most in 1..=7 {
        subtraction += refused_at_the_last_heap(
            &format!("rules {{{most}}}"),
            &Proof::Subtraction,
            &[0],
            |n0| n0 + most,
        );
        all_but += refused_at_the_last_heap(
            &format!("rules all but {{{most}}}"),
            &Proof::AllBut,
            &[0, 1, 2, 3],
            |n0| n0 + 2 * most,
        );
    }
    assert!(subtraction > 50 && all_but > 20, "{subtraction} {all_but}");
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

/// Every law of a short preperiod and period that these values suggest is checked; what is
/// accepted must agree with all of them. Tells how many were accepted.
fn accepted_laws_are_true(rules: &str, values: &[u64], saltus: &[u64], proof: &Proof) -> usize {
    let mut accepted = 0;
    for (preperiod, period) in (0..7).flat_map(|n0| (1..9).map(move |p| (n0, p))) {
        for &saltus in saltus {
            let law = Periodic {
                preperiod,
                period,
                saltus,
                values: values[..usize::try_from(preperiod + period).expect("small")].to_vec(),
            };
            let certificate = certificate(rules, &law, proof.clone());
            if check_certificate(&certificate).is_err() {
                continue;
            }
            accepted += 1;
            for (heap, value) in (0u64..).zip(values) {
                let by_law = certificate.law.value(&BigUint::from(heap));
                assert_eq!(
                    by_law,
                    Some(BigUint::from(*value)),
                    "{rules}: {law:?}: {heap}"
                );
            }
        }
    }
    accepted
}

/// Lasker's Nim and its like: take any number outside a finite set, or remove one of some
/// numbers and split in two.
#[test]
fn taking_or_splitting_is_proved_where_the_saltus_is_a_power_of_two() {
    let (mut proved, mut games) = (0, 0);
    for kept in ["", "1", "2", "1,2", "1,3", "4"] {
        for split in ["{0}", "{1}", "{2}", "{0,1}", "{1,2}", "{0,1,2}"] {
            let rules = format!(
                "take: [n] -> [n-k] where k in all but {{{kept}}}\n\
                 split: [n] -> [a] + [n-i-a] where i in {split}, a >= 1, n-i-a >= 1"
            );
            let values = grundy_values(&ruleset(&rules), 90);
            let accepted =
                accepted_laws_are_true(&rules, &values, &[0, 1, 2, 4, 8], &Proof::TakeOrSplit);
            assert!(accepted <= 1, "{rules}: only the least is a law");
            games += 1;
            let Some(law) = seen_law(&values, None).filter(|law| law.preperiod < 50) else {
                continue;
            };
            match check_certificate(&certificate(&rules, &law, Proof::TakeOrSplit)) {
                Ok(_) => proved += 1,
                Err(Refusal::False(Falsehood::DoesNotApply { reason, .. })) => {
                    assert_eq!(reason, Reason::SaltusNoPowerOfTwo, "{rules}: {law:?}");
                }
                Err(refusal) => panic!("{rules}: {law:?}: {refusal:?}"),
            }
        }
    }
    assert!(proved > 25, "{proved} of {games}");
}

/// Codes whose digits repeat for ever.
#[test]
fn repeating_digits_are_proved() {
    let mut proved = 0;
    for code in [
        "0.(1)",
        "0.(3)",
        "0.(7)",
        "0.(01)",
        "0.(10)",
        "0.(30)",
        "0.(03)",
        "0.(07)",
        "0.(70)",
        "0.(13)",
        "0.(31)",
        "4.(01)",
        "4.(10)",
        "0.7(10)",
        "0.3(01)",
        "0.17(001)",
        "0.07(100)",
        "0.4(30)",
        "0.44(1)",
    ] {
        let rules = format!("rules {code}");
        let values = grundy_values(&ruleset(&rules), 90);
        let proof = Proof::PeriodicTail { mask: 0 };
        assert!(accepted_laws_are_true(&rules, &values, &[0, 1, 2], &proof) <= 1);
        let Some(law) =
            seen_law(&values, Some(0)).filter(|law| law.preperiod + 2 * law.period < 60)
        else {
            continue;
        };
        if check_certificate(&certificate(&rules, &law, proof)).is_ok() {
            proved += 1;
        }
    }
    assert!(proved > 8, "{proved}");
}
