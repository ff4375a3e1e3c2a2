//! Taking from 1 up to t(n).

mod common;

use common::{check_certificate, grundy_values, ruleset};
use grundy_certificate::{
    Bound, BoundShape, Certificate, Falsehood, Law, Proof, Reason, Refusal, TakeUpTo,
};
use num_bigint::{BigInt, BigUint};

fn bound(shape: BoundShape, times: u64, plus: i64, over: u64) -> Bound {
    Bound {
        shape,
        times: BigUint::from(times),
        plus: BigInt::from(plus),
        over: BigUint::from(over),
    }
}

fn linear(times: u64, plus: i64, over: u64) -> Bound {
    bound(BoundShape::Linear, times, plus, over)
}

fn certificate(rules: &str, bounds: Vec<Bound>) -> Certificate {
    Certificate {
        ruleset: format!("{rules}\n"),
        law: Law::TakeUpTo(TakeUpTo { bounds }),
        proof: Proof::TakeUpTo,
    }
}

#[test]
fn slow_takes_are_proved_and_valued() {
    let root = |times, plus, over| bound(BoundShape::Root, times, plus, over);
    let cases = [
        ("[n] -> [n-k] where 1 <= k <= n/2", vec![linear(1, 0, 2)]),
        ("[n] -> [n-k] where k >= 1, 2*k <= n", vec![linear(1, 0, 2)]),
        (
            "[n] -> [n-k] where k > 0, n - k >= k",
            vec![linear(1, 0, 2)],
        ),
        ("[n] -> [m] where m < n, 2*m >= n", vec![linear(1, 0, 2)]),
        ("[n] -> [n-k] where 1 <= k < n/2", vec![linear(1, -2, 2)]),
        (
            "[n] -> [n-k] where 1 <= k <= (n+1)/2",
            vec![linear(1, 1, 2)],
        ),
        ("[n] -> [n-k] where 1 <= k < n", vec![linear(1, -1, 1)]),
        ("[n] -> [n-k] where k >= 1", vec![]),
        ("[n] -> [n-k] where k in 1..2*n/3", vec![linear(2, 0, 3)]),
        (
            "[n] -> [n-k] where 1 <= k <= n/2 - 3",
            vec![linear(1, -6, 2)],
        ),
        (
            "[n] -> [n-k] where 1 <= k <= n - n/3",
            vec![linear(2, 2, 3)],
        ),
        ("[n] -> [n-k] where 1 <= k <= 5", vec![linear(0, 5, 1)]),
        ("[n] -> [n-k] where 1 <= k <= 2*n", vec![]),
        (
            "[n] -> [n-k] where 1 <= k <= min(n/2, 9)",
            vec![linear(1, 0, 2), linear(0, 9, 1)],
        ),
        (
            "game g(m = 4)\n[n] -> [n-k] where 1 <= k <= m, k <= n/3",
            vec![linear(1, 0, 3), linear(0, 4, 1)],
        ),
        ("[n] -> [n-k] where k >= 1, k*k <= n", vec![root(1, 0, 1)]),
        ("[n] -> [n-k] where k >= 1, k^2 < n", vec![root(1, -1, 1)]),
        ("[n] -> [n-k] where 1 <= k <= isqrt(n)", vec![root(1, 0, 1)]),
        (
            "[n] -> [n-k] where 1 <= k <= isqrt(n/2)",
            vec![root(1, 0, 2)],
        ),
        ("[n] -> [n-k] where k >= 1, 3*(k*k) <= n", vec![]),
    ];
    for (rules, bounds) in cases {
        let result = check_certificate(&certificate(rules, bounds));
        if rules.contains("3*(k*k)") {
            assert!(result.is_err());
            continue;
        }
        let theorem = result.unwrap_or_else(|refusal| panic!("{rules}: {refusal:?}"));
        for (heap, value) in (0u32..).zip(grundy_values(&ruleset(rules), 150)) {
            let by_law = theorem.law().value(&BigUint::from(heap));
            assert_eq!(by_law, Some(BigUint::from(value)), "{rules}: {heap}");
        }
    }
}

#[test]
fn other_bounds_than_the_rules_are_refused() {
    let half = "[n] -> [n-k] where 1 <= k <= n/2";
    for bounds in [
        vec![],
        vec![linear(1, 1, 2)],
        vec![linear(1, -1, 2)],
        vec![linear(1, 0, 3)],
        vec![linear(2, 0, 2)],
        vec![linear(1, 0, 0)],
        vec![linear(3, 0, 2)],
        vec![bound(BoundShape::Root, 1, 0, 2)],
        vec![linear(1, 0, 2), linear(0, 7, 1)],
    ] {
        let refusal = check_certificate(&certificate(half, bounds));
        assert_eq!(refusal, Err(Refusal::False(Falsehood::Bounds)));
    }
    // Twice the same bound, in larger numbers, and one that the heap never exceeds, say no more.
    let redundant = vec![linear(2, 1, 4), linear(1, 0, 2), linear(1, 3, 1)];
    assert!(check_certificate(&certificate(half, redundant)).is_ok());
}

#[test]
fn faster_bounds_and_other_moves_are_refused() {
    for rules in [
        "[n] -> [n-k] where 1 <= k <= n/2, k mod 2 = 1",
        "[n] -> [n-k] where 2 <= k <= n/2",
        "[n] -> [n-k] where 1 <= k <= n/2, n >= 7",
        "[n] -> [n-k] where 1 <= k <= n/2, n <= 7",
        "[n] -> [n-k] where k <= n/2, n >= 1",
        "[n] -> [n-k] where n/3 <= k <= n/2, k >= 1",
        "[n] -> [n-k] where k >= 1, k*k <= 2*n",
        "[n] -> [n-k] where 1 <= k <= n/2 or k = 7",
        "[n] -> [n-k] where 1 <= k <= n/2\n[n] -> [n-7]",
        "[n] -> [n-2*k] where 1 <= k <= n/4",
        "[n] -> [n-k] + [0] where 1 <= k <= n/2",
    ] {
        let bounds = vec![linear(1, 0, 2)];
        let refusal = check_certificate(&certificate(rules, bounds));
        let expected = Falsehood::DoesNotApply {
            theorem: "take up to t(n)",
            reason: Reason::Moves,
        };
        assert_eq!(refusal, Err(Refusal::False(expected)), "{rules}");
    }
}

/// A heap of a thousand digits.
#[test]
fn large_heaps_have_values() {
    let ten = BigUint::from(10u32);
    let heap = ten.pow(1000);
    let value = |bounds: Vec<Bound>, heap: &BigUint| Law::TakeUpTo(TakeUpTo { bounds }).value(heap);
    // Taking up to half: g(2n) = n and g(2n + 1) = g(n).
    assert_eq!(value(vec![linear(1, 0, 2)], &heap), Some(&heap / 2u32));
    let odd = &heap * 8u32 + 7u32;
    assert_eq!(value(vec![linear(1, 0, 2)], &odd), Some(&heap / 2u32));
    // Taking 1 to m: n mod (m + 1), in one step.
    let value_of_bash = value(vec![linear(0, 999_999_999, 1)], &(&heap + 7u32));
    assert_eq!(value_of_bash, Some(BigUint::from(7u32)));
    // No bound: Nim.
    assert_eq!(value(vec![], &heap), Some(heap.clone()));
    // A thousandth: some hundred thousand steps.
    assert!(value(vec![linear(1, 0, 100)], &heap).is_some());
    // More steps than anyone waits for are given up.
    assert_eq!(
        value(vec![bound(BoundShape::Root, 1, 0, 1)], &(heap + 1u32)),
        None
    );
}
