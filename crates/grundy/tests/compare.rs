//! Games are equal for ever by their rules or by their laws, or differ at a first component.

use grundy::Nimber;
use grundy::answer::learn::{NoShelf, prove, prove_components};
use grundy::claim::{Actual, Extent};
use grundy::compare::{Comparison, Equality, Length, compare, length};
use grundy::proof::automatic::{Certification, Game, Law, certify, default_budget};
use grundy_certificate::Theorem;
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 32,
        bytes: 1 << 30,
    })
}

fn compared(left: &str, right: &str, upto: &[u64]) -> Comparison {
    let rules = |text: &str| parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let (left, right) = (rules(left), rules(right));
    let theorem = |game: &Ruleset| prove(game, Some(20_000), &NoShelf, &mut meter());
    let theorems = [theorem(&left), theorem(&right)];
    let extent = Extent {
        upto: upto.to_vec(),
        components: 1,
    };
    let theorems = theorems.each_ref().map(Option::as_ref);
    compare([&left, &right], theorems, &extent, &mut meter())
}

#[track_caller]
fn differ(left: &str, right: &str, upto: &[u64], component: &[u64], values: [u64; 2]) {
    match compared(left, right, upto) {
        Comparison::Differ(difference) => {
            let component = Component::of_numbers(component.iter().copied());
            assert_eq!(difference.component, component);
            assert_eq!(
                difference.actual,
                values.map(|v| Actual::Value(Nimber::from(v)))
            );
        }
        comparison => panic!("{left} and {right}: {comparison:?}"),
    }
}

const NIM: &str = "[n] -> [n-k] where k >= 1";
const NIM_TO_5000: &str = "[n] -> [n-k] where 1 <= k <= 5000";
const WYTHOFF: &str = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";

#[test]
fn the_same_options_are_equal_in_every_sum() {
    let pairs = [
        ("rules {1,2,3}", "take: [n] -> [n-k] where 1 <= k <= 3"),
        (
            "rules 0.77",
            "[n] -> [a] + [b] where a + b < n, n - a - b <= 2",
        ),
        (
            "play misere\nrules {1,2}",
            "play misere\nother: [m] -> [m-j] where 1 <= j <= 2",
        ),
        (
            WYTHOFF,
            "go: [x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
        ),
    ];
    for (left, right) in pairs {
        let comparison = compared(left, right, &[10]);
        assert_eq!(
            comparison,
            Comparison::Equal(Equality::Options),
            "{left}, {right}"
        );
    }
}

#[test]
fn laws_decide_for_ever() {
    // Taking from {1, 5} or {1, 3} or 1 alone leaves a heap's parity.
    for (left, right) in [
        ("rules {1}", "rules {1,3}"),
        ("rules {1,5}", "rules {1,3}"),
        ("rules {1,2,3}", "rules {1,2,3,5}"),
        (
            NIM,
            "[n] -> [n-k] where 1 <= k, k <= n\n[n] -> [0] + [n-k] where k >= 1",
        ),
    ] {
        let comparison = compared(left, right, &[10]);
        assert!(
            matches!(comparison, Comparison::Equal(_)),
            "{left}, {right}: {comparison:?}"
        );
    }
    let by_laws = compared("rules {1,5}", "rules {1,3}", &[10]);
    assert!(matches!(by_laws, Comparison::Equal(Equality::Laws { .. })));
}

#[test]
fn the_first_difference_may_be_far_beyond_the_extent() {
    differ(NIM, NIM_TO_5000, &[10], &[5001], [5001, 0]);
    differ("rules {1,2,3}", "rules {1,2,4}", &[10], &[3], [3, 0]);
    differ("rules 0.77", "rules 0.7", &[10], &[2], [2, 0]);
}

#[test]
fn tuples_are_compared_in_a_box() {
    let nim_2 = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
    differ(WYTHOFF, nim_2, &[9, 9], &[1, 1], [2, 0]);
    let late = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where 1 <= k, k != 9";
    assert_eq!(
        compared(WYTHOFF, late, &[8, 8]),
        Comparison::Agree { components: 81 }
    );
    differ(WYTHOFF, late, &[9, 9], &[0, 9], [9, 0]);
    assert_eq!(compared(WYTHOFF, NIM, &[9]), Comparison::NothingInCommon);
}

#[test]
fn agreement_is_no_proof() {
    let late = "[n] -> [n-k] where k >= 1, k != 20";
    // Nobody knows a law of the takes of squares.
    let squares = "[n] -> [n-k] where k in squares";
    let others = "[n] -> [n-k] where k in {1,4,9,16,25,36,49,64,81,100}";
    assert!(matches!(compared(NIM, late, &[10]), Comparison::Differ(_)));
    assert_eq!(
        compared(squares, others, &[100]),
        Comparison::Agree { components: 101 }
    );
}

/// Rows of one heap have a law, and the same one in both games; that says nothing of longer rows.
#[test]
fn a_law_of_short_rows_decides_nothing_about_longer_ones() {
    let rules = |text: &str| parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let nim = rules("row a\nout: a[i] -= k where k >= 1");
    let stairs = rules(
        "row a\ndown: a[i] -= k, a[i-1] += k where i >= 2, k >= 1\nout: a[1] -= k where k >= 1",
    );
    let short = rules("row a\nout: a[i] -= k where k >= 1, i < 5");
    let theorem = |game: &Ruleset| {
        let theorem = prove_components(game, 1, &NoShelf, &mut meter());
        theorem.expect("rows of one heap are heaps of nim")
    };
    let extent = Extent {
        upto: vec![3; 3],
        components: 1,
    };
    let compared = |other: &Ruleset| {
        let theorems = [theorem(&nim), theorem(other)];
        let theorems = theorems.each_ref().map(Some);
        compare([&nim, other], theorems, &extent, &mut meter())
    };
    match compared(&stairs) {
        Comparison::Differ(difference) => {
            assert_eq!(difference.component, Component::of_numbers([0u8, 1]));
        }
        other => panic!("{other:?}"),
    }
    // Nor where they agree as far as is looked.
    assert!(matches!(compared(&short), Comparison::Agree { .. }));
}

#[test]
fn misere_games_are_compared_by_outcomes() {
    let misere = format!("play misere\n{NIM}");
    let comparison = compared(&misere, "play misere\nrules {1,2}", &[10]);
    let Comparison::Differ(difference) = comparison else {
        panic!("{comparison:?}")
    };
    assert_eq!(difference.component, Component::of_numbers([4u8]));
}

#[test]
fn the_length_of_common_components() {
    let rules = |text: &str| parse(text).expect("well written");
    let (nim, wythoff) = (rules(NIM), rules(WYTHOFF));
    let row = rules("row a\ntake: a[i] -= k where k >= 1");
    assert_eq!(length([&nim, &nim]), Length::Fixed(1));
    assert_eq!(length([&wythoff, &row]), Length::Fixed(2));
    assert_eq!(length([&row, &row]), Length::Any);
    assert_eq!(length([&nim, &wythoff]), Length::Never);
}

/// The theorem that a claim about all components is.
fn claimed(text: &str, claim: &str) -> (Ruleset, Theorem) {
    let ruleset = parse(&format!("{text}\nclaim {claim}\n")).expect("rules");
    let claim = &ruleset.claims[0];
    let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
    let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
    let mut automata = grundy_automata::Meter::new(default_budget());
    match certify(&ruleset, &game, &law, &mut automata, &mut meter()) {
        Ok(Certification::Proved(proved)) => (ruleset.clone(), proved.theorem),
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn by_automata(left: [&str; 2], right: [&str; 2]) -> Comparison {
    let [left, right] = [left, right].map(|[text, claim]| claimed(text, claim));
    let extent = Extent {
        upto: vec![10; 2],
        components: 1,
    };
    let theorems = [Some(&left.1), Some(&right.1)];
    compare([&left.0, &right.0], theorems, &extent, &mut meter())
}

const POWERS: &str = "[n] -> [n-k] where k in powers of 2";

#[test]
fn laws_of_automata_decide_for_ever() {
    // One of the two repeats by a finite check, and the other one is an automaton's.
    let comparison = compared(POWERS, "rules {1,2}", &[10]);
    assert!(
        matches!(comparison, Comparison::Equal(Equality::Laws { .. })),
        "{comparison:?}"
    );
    differ(POWERS, "rules {1,2,3}", &[10], &[3], [0, 3]);
    // Beyond any table.
    let few = "[n] -> [n-k] where 1 <= k <= 2, n < 2^30";
    let comparison = by_automata(
        [POWERS, "grundy [n] = n mod 3"],
        [few, "grundy [n] = n mod 3 if n < 2^30; 0"],
    );
    let Comparison::Differ(difference) = comparison else {
        panic!("{comparison:?}");
    };
    let heap = BigUint::from(2u8).pow(30);
    assert_eq!(difference.component.as_heap(), Some(&heap));
    let expected = [1u64, 0].map(|value| Actual::Value(Nimber::from(value)));
    assert_eq!(difference.actual, expected);
}

#[test]
fn laws_of_pairs_decide_for_ever() {
    let king = "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]";
    let knight = "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nplay misere\nends lost [0, 0]";
    let even = "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0";
    let nim = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
    let both = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1, k <= x + y";
    let equal = "grundy [x, y] = x xor y";
    for (left, right) in [
        ([nim, equal], [both, equal]),
        ([king, even], [knight, even]),
    ] {
        let comparison = by_automata(left, right);
        assert!(
            matches!(comparison, Comparison::Equal(Equality::Laws { .. })),
            "{comparison:?}"
        );
    }
    // Nim in which nothing is taken from heaps above 9.
    let low = "[x, y] -> [x-k, y] where k >= 1, x <= 9\n[x, y] -> [x, y-k] where k >= 1, y <= 9";
    let values = "grundy [x, y] = x xor y if x <= 9 and y <= 9; x if x <= 9; y if y <= 9; 0";
    let comparison = by_automata([nim, equal], [low, values]);
    let Comparison::Differ(difference) = comparison else {
        panic!("{comparison:?}");
    };
    let expected = [10u64, 0].map(|value| Actual::Value(Nimber::from(value)));
    assert_eq!(difference.component, Component::of_numbers([0u64, 10]));
    assert_eq!(difference.actual, expected);
}
