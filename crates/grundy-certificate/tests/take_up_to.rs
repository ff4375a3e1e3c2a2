//! Taking from 1 up to t(n).

mod common;

use common::{canonical, check_certificate, grundy_values, ruleset};
use grundy_certificate::{
    Bound, BoundShape, Certificate, Falsehood, Law, PointerClass, Pointers, Proof, Reason, Refusal,
    TakeUpTo,
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
        ruleset: canonical(rules),
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
    // Down the squares in logarithmically many steps.
    let root = |plus| vec![bound(BoundShape::Root, 1, plus, 1)];
    assert_eq!(value(root(0), &(&heap * &heap)), Some(heap.clone()));
    assert!(value(root(7), &(heap + 1u32)).is_some());
    // More steps than anyone waits for are given up.
    let halves = vec![bound(BoundShape::Root, 1, 0, 2)];
    assert_eq!(value(halves, &ten.pow(40)), None);
}

/// Evaluation takes shortcuts; the recursion of the law does not.
#[test]
fn shortcuts_agree_with_the_recursion() {
    for plus in [-40, -5, -1, 0, 1, 2, 3, 7, 30, 200] {
        let law = TakeUpTo {
            bounds: vec![bound(BoundShape::Root, 1, plus, 1)],
        };
        let most = |heap: usize| {
            let most = law.most(&BigUint::from(heap));
            usize::try_from(most).expect("no more than the heap")
        };
        let mut values = vec![0];
        for heap in 1..2500 {
            let taken = most(heap);
            let value = if taken > most(heap - 1) {
                taken
            } else {
                values[heap - taken - 1]
            };
            values.push(value);
            let by_law = law.value(&BigUint::from(heap));
            assert_eq!(by_law, Some(BigUint::from(value)), "{plus}: {heap}");
        }
    }
}

fn new(times: u64, plus: i64) -> PointerClass {
    PointerClass::New { times, plus }
}

fn pointer(times: u64, plus: i64) -> PointerClass {
    PointerClass::Pointer { times, plus }
}

fn pointers(rules: &str, start: &[u64], classes: &[PointerClass]) -> Certificate {
    Certificate {
        ruleset: canonical(rules),
        law: Law::Pointers(Pointers {
            modulus: classes.len() as u64,
            start: start.to_vec(),
            classes: classes.to_vec(),
        }),
        proof: Proof::Pointers,
    }
}

#[test]
fn pointer_laws_are_proved_class_by_class() {
    let cases = [
        (
            "[n] -> [n-k] where 1 <= k <= n/2",
            vec![0],
            vec![new(1, 0), pointer(1, 0)],
        ),
        (
            "[n] -> [n-k] where 1 <= k <= (n+1)/2",
            vec![0],
            vec![pointer(1, -1), new(1, 1)],
        ),
        (
            "[n] -> [n-k] where 1 <= k <= n/3",
            vec![0],
            vec![new(1, 0), pointer(2, 0), pointer(2, 1)],
        ),
        (
            "[n] -> [n-k] where 1 <= k <= 2*n/3",
            vec![0],
            vec![new(2, 0), pointer(1, 0), new(2, 1)],
        ),
        (
            "[n] -> [n-k] where 1 <= k <= n/2 - 1",
            vec![0, 0, 0],
            vec![new(1, -1), pointer(1, 1)],
        ),
        (
            "[n] -> [n-k] where 1 <= k < n",
            vec![0, 0],
            vec![new(1, -1)],
        ),
    ];
    for (rules, start, classes) in cases {
        let theorem = check_certificate(&pointers(rules, &start, &classes));
        let theorem = theorem.unwrap_or_else(|refusal| panic!("{rules}: {refusal:?}"));
        for (heap, value) in (0u32..).zip(grundy_values(&ruleset(rules), 120)) {
            let by_law = theorem.law().value(&BigUint::from(heap));
            assert_eq!(by_law, Some(BigUint::from(value)), "{rules}: {heap}");
        }
        // Every damaged class is refused, and so is every damaged value of the start.
        for place in 0..classes.len() {
            let (PointerClass::New { times, plus } | PointerClass::Pointer { times, plus }) =
                classes[place];
            for wrong in [
                new(times + 1, plus),
                new(times, plus + 1),
                pointer(times + 1, plus),
                pointer(times, plus - 1),
                if matches!(classes[place], PointerClass::New { .. }) {
                    pointer(times, plus)
                } else {
                    new(times, plus)
                },
            ] {
                let mut classes = classes.clone();
                classes[place] = wrong;
                let refusal = check_certificate(&pointers(rules, &start, &classes));
                let residue = place as u64;
                assert_eq!(
                    refusal,
                    Err(Refusal::False(Falsehood::Class { residue })),
                    "{rules}"
                );
            }
        }
        let mut wrong = start.clone();
        wrong[0] += 1;
        let refusal = check_certificate(&pointers(rules, &wrong, &classes));
        let value = Falsehood::Value {
            heap: 0,
            claimed: 1,
            actual: 0,
        };
        assert_eq!(refusal, Err(Refusal::False(value)), "{rules}");
    }
    let not_yet = |refusal| match refusal {
        Err(Refusal::False(Falsehood::DoesNotApply { reason, .. })) => reason,
        other => panic!("{other:?}"),
    };
    let half = "[n] -> [n-k] where 1 <= k <= n/2";
    let early = check_certificate(&pointers(half, &[], &[new(1, 0), pointer(1, 0)]));
    assert_eq!(not_yet(early), Reason::StartTooEarly);
    let modulus = check_certificate(&pointers(half, &[0], &[new(1, 0); 3]));
    assert_eq!(not_yet(modulus), Reason::Modulus);
    let less = "[n] -> [n-k] where 1 <= k <= n/2 - 1";
    let early = check_certificate(&pointers(less, &[0, 0], &[new(1, -1), pointer(1, 1)]));
    assert_eq!(not_yet(early), Reason::StartTooEarly);
}
