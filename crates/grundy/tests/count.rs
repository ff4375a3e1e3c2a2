//! Counted positions are the positions of the definition, and stay exact where none can be visited.

use grundy::Evidence;
use grundy::answer::Lawful;
use grundy::answer::learn::{NoShelf, learn, learn_of};
use grundy::count::{NoCount, Order, Question, count, count_in_box, from_law_in_box, published};
use grundy::discover::Scope;
use grundy::oracle::Oracle;
use grundy::tabulate::Area;
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 34,
        bytes: 1 << 30,
    })
}

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn law(game: &Ruleset) -> Lawful<'_> {
    learn(game, Some(10_000), false, &NoShelf, &mut meter()).expect("its law is proved")
}

fn question(from: u64, to: u64, heaps: u32, value: u64, multisets: bool) -> Question {
    Question {
        from: from.into(),
        to: to.into(),
        heaps,
        value: value.into(),
        multisets,
    }
}

/// The number of tuples or multisets with a value, by visiting all.
fn visited(values: &[u64], question: &Question) -> u64 {
    let from = usize::try_from(&question.from).expect("small");
    let to = usize::try_from(&question.to).expect("small");
    let mut tuples = vec![(0, from)];
    for _ in 0..question.heaps {
        let longer = tuples.iter().flat_map(|(sum, least)| {
            (*least..=to).map(move |heap| {
                let least = if question.multisets { heap } else { from };
                (sum ^ values[heap], least)
            })
        });
        tuples = longer.collect();
    }
    let value = u64::try_from(&question.value).expect("small");
    tuples.iter().filter(|(sum, _)| *sum == value).count() as u64
}

#[test]
fn counts_from_laws_equal_their_definition() {
    for text in [
        "rules {1,3,4}",
        "rules 0.77",
        "rules 4.3",
        "[n] -> [n-k] where k >= 1",
        "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n",
        "rules all but {1}",
        "rules all but {2,3,7}",
        "rules all but {1,2,6}",
        "rules all but {3,5}",
        "[n] -> [n-k] where 1 <= k <= n/2",
        "[n] -> [n-k] where 1 <= k <= n/3",
        "[n] -> [n-k] where 1 <= k <= 2*n/3",
        "[n] -> [n-k] where 1 <= k, k*k <= n",
    ] {
        let game = rules(text);
        let law = law(&game);
        let mut oracle = Oracle::new(&game);
        let values: Vec<u64> = (0..=30u64)
            .map(|n| {
                let heap = Component::of_numbers([n]);
                oracle.grundy_value(&heap, &mut meter()).expect("small")
            })
            .collect();
        for (from, to) in [(0, 30), (0, 0), (5, 5), (3, 17), (13, 30)] {
            for heaps in 1..=3 {
                for value in [0, 1, 2, 5, 40] {
                    for multisets in [false, true] {
                        let question = question(from, to, heaps, value, multisets);
                        let expected = visited(&values, &question);
                        let known = count(&game, &question, Some(&law), &mut meter());
                        let known =
                            known.unwrap_or_else(|no| panic!("{text} {question:?}: {no:?}"));
                        assert_eq!(known.count, expected.into(), "{text} {question:?}");
                        let tried = count(&game, &question, None, &mut meter()).expect("small");
                        assert_eq!(tried.count, expected.into(), "{text} {question:?}");
                        assert!(matches!(known.evidence, Evidence::Proved { .. }));
                        assert!(matches!(tried.evidence, Evidence::Exhaustive { .. }));
                    }
                }
            }
        }
    }
}

/// Two heaps of Nim are lost iff they are equal; three up to 2^60 - 1 are, for each two, in one way.
#[test]
fn nim_up_to_a_power_of_two_has_a_closed_form() {
    let nim = rules("[n] -> [n-k] where k >= 1");
    let law = law(&nim);
    let of = |to: &BigUint, heaps, multisets| {
        let question = Question {
            from: 0u8.into(),
            to: to.clone(),
            heaps,
            value: 0u8.into(),
            multisets,
        };
        count(&nim, &question, Some(&law), &mut meter())
            .expect("the law tells")
            .count
    };
    let end = BigUint::from(1u8) << 60;
    let last = &end - 1u8;
    assert_eq!(of(&last, 1, false), 1u8.into());
    assert_eq!(of(&last, 2, false), end);
    assert_eq!(of(&last, 2, true), end);
    assert_eq!(of(&last, 3, false), &end * &end);
    assert_eq!(of(&last, 9, false), end.pow(8));
    // Without empty heaps and equal pairs: {a, b, a ^ b} six times; with them {0, a, a}, too.
    let distinct = (&end - 1u8) * (&end - 2u8) / 6u8;
    assert_eq!(of(&last, 3, true), distinct + &end);
    // A thousand digits.
    let large = BigUint::from(10u8).pow(1000);
    assert_eq!(of(&large, 2, false), &large + 1u8);
}

/// Held against a count by digits: tuples up to N with nim-sum 0, by dynamic programming over
/// which heaps still follow the digits of N.
#[test]
fn nim_up_to_any_number_agrees_with_a_count_by_digits() {
    let nim = rules("[n] -> [n-k] where k >= 1");
    let law = law(&nim);
    for last in [10u64.pow(18), 999_999, 1_234_567_890_123] {
        for heaps in 1..=5u32 {
            let mut states = vec![BigUint::default(); 1 << heaps];
            states[(1 << heaps) - 1] = 1u8.into();
            for bit in (0..64).rev() {
                let digit = last >> bit & 1;
                let mut next = vec![BigUint::default(); 1 << heaps];
                for (tight, ways) in states.iter().enumerate() {
                    for digits in 0usize..1 << heaps {
                        if digits.count_ones() % 2 == 1 || (digit == 0 && digits & tight != 0) {
                            continue;
                        }
                        let still = if digit == 1 { tight & digits } else { tight };
                        next[still] += ways;
                    }
                }
                states = next;
            }
            let expected: BigUint = states.iter().sum();
            let question = question(0, last, heaps, 0, false);
            let found = count(&nim, &question, Some(&law), &mut meter()).expect("the law tells");
            assert_eq!(found.count, expected, "{last} {heaps}");
        }
    }
}

#[test]
fn single_heaps_of_any_size() {
    let of = |text: &str, from: BigUint, to: BigUint, value: u64| {
        let game = rules(text);
        let law = law(&game);
        let question = Question {
            from,
            to,
            heaps: 1,
            value: value.into(),
            multisets: false,
        };
        count(&game, &question, Some(&law), &mut meter())
            .expect("the law tells")
            .count
    };
    let large = BigUint::from(10u8).pow(18);
    assert_eq!(
        of("rules {1,2,3}", 1u8.into(), large.clone(), 0),
        (&large / 4u8)
    );
    assert_eq!(
        of("rules {1,2,3}", 0u8.into(), large.clone(), 3),
        (&large / 4u8)
    );
    // Kayles has 0 as the value of the empty heap alone (Guy and Smith 1956).
    assert_eq!(of("rules 0.77", 1u8.into(), large.clone(), 0), 0u8.into());
    // Of at most half a heap: 2^k - 1 is lost, from 0 on up to 2^59 - 1 < 10^18 < 2^60 - 1.
    let half = "[n] -> [n-k] where 1 <= k <= n/2";
    assert_eq!(of(half, 1u8.into(), large, 0), 59u8.into());
    let large = (BigUint::from(1u8) << 3000) - 1u8;
    assert_eq!(of(half, 1u8.into(), large, 0), 3000u16.into());
}

#[test]
fn misere_sums_are_solved_one_by_one() {
    let game = rules("play misere\n[n] -> [n-k] where k >= 1");
    // Lost are the nim-sums 0 with a heap above 1, and an odd number of heaps of 1 (Bouton 1901).
    let lost = |heaps: [u64; 3]| {
        let [a, b, c] = heaps;
        if heaps.iter().all(|heap| *heap <= 1) {
            (a + b + c) % 2 == 1
        } else {
            a ^ b ^ c == 0
        }
    };
    let all = (0..7u64.pow(3)).map(|code| [code % 7, code / 7 % 7, code / 49]);
    let tuples = all.clone().filter(|heaps| lost(*heaps)).count();
    let sorted = all
        .filter(|heaps| heaps.is_sorted() && lost(*heaps))
        .count();
    let of = |multisets| {
        let question = question(0, 6, 3, 0, multisets);
        count(&game, &question, None, &mut meter())
    };
    assert_eq!(of(false).expect("small").count, tuples.into());
    assert_eq!(of(true).expect("small").count, sorted.into());
    let valued = count(&game, &question(0, 6, 3, 1, false), None, &mut meter());
    assert!(matches!(valued, Err(NoCount::NoValues(_))));
}

#[test]
fn what_is_too_large_is_undecided() {
    let game = rules("rules 0.007");
    let large = question(0, u64::MAX, 2, 0, false);
    assert!(matches!(
        count(&game, &large, None, &mut meter()),
        Err(NoCount::Undecided(_))
    ));
    let nim = rules("[n] -> [n-k] where k >= 1");
    let law = law(&nim);
    let many = question(0, u64::MAX, u32::MAX, 0, false);
    assert!(matches!(
        count(&nim, &many, Some(&law), &mut meter()),
        Err(NoCount::Undecided(_))
    ));
}

/// Counts in boxes from the law of an automaton.
fn in_box(game: &Ruleset, scope: Scope, bounds: &[BigUint], value: u64, order: Order) -> BigUint {
    let law = learn_of(game, scope, &NoShelf, &mut meter()).expect("a law");
    let value = BigUint::from(value);
    let count = from_law_in_box(game, &law, bounds, &value, order, &mut meter());
    count.expect("within limits").expect("the law tells").count
}

#[test]
fn boxes_from_automata_equal_tables() {
    let of = |coordinates, components| Scope {
        coordinates,
        components,
    };
    let wythoff = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
    let nimhoff = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                   [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < 3";
    let moore = "compound selective up to 2\n[n] -> [n-k] where k >= 1";
    let lasker = "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n";
    for (text, scope, bounds, values) in [
        (wythoff, of(2, 1), &[30, 17][..], 0..1),
        (nimhoff, of(2, 1), &[9, 14], 0..9),
        (moore, of(1, 3), &[7, 8, 5], 0..1),
        (lasker, of(1, 1), &[9, 12, 6], 0..17),
        (
            "unordered\n[x, y] -> [a, x-a] where 1 <= a < x, y >= 1",
            of(2, 1),
            &[9, 12],
            0..5,
        ),
    ] {
        let game = rules(text);
        let area = Area::new(&game, bounds.to_vec()).expect("a small box");
        let ends: Vec<BigUint> = bounds.iter().map(|bound| (*bound).into()).collect();
        for value in values {
            for order in [Order::Any, Order::Nondecreasing] {
                let wanted = value.into();
                let table = count_in_box(&game, &area, &wanted, order, &mut meter(), &|_| ());
                let expected = table.expect("small").count;
                let found = in_box(&game, scope, &ends, value, order);
                assert_eq!(found, expected, "{text}: {value} {order:?}");
            }
        }
    }
    // The pairs (a, b) with a <= b <= 10^18: as many as there are k with floor(k * phi^2) <= 10^18 (Wythoff 1907).
    let end = [BigUint::from(10u8).pow(18), BigUint::from(10u8).pow(18)];
    let pairs = in_box(&rules(wythoff), of(2, 1), &end, 0, Order::Nondecreasing);
    assert_eq!(pairs, (381_966_011_250_105_152_u64 + 1).into());
}

/// Luogu P6791: the first take is bounded, the last stone loses.
#[test]
fn bounded_first_takes_are_counted_by_automata() {
    let text = |k: u64| {
        format!("play misere\nstart [n] as [n, {k}]\ntake: [n, q] -> [n-j, 2*j] where 1 <= j <= q")
    };
    let scope = Scope {
        coordinates: 2,
        components: 1,
    };
    let ten = 10u64.pow(18);
    for k in [1, 4, ten / 3] {
        let game = rules(&text(k));
        let law = learn_of(&game, scope, &NoShelf, &mut meter()).expect("a law");
        for to in [40, ten] {
            let question = question(1, to, 1, 0, false);
            let found = count(&game, &question, Some(&law), &mut meter()).expect("a count");
            assert!(matches!(found.evidence, Evidence::Proved { .. }));
            let known = published(&game, &question, &mut meter()).expect("within limits");
            assert_eq!(found.count, known.expect("a theorem").count, "{k} {to}");
        }
    }
}
