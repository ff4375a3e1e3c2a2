//! Laws of games, found and proved, against what others published.

use grundy::law::{LawReport, NoProof, Periodicity, Sequence, discover, guess};
use grundy::proof::{Method, NoMethod};
use grundy::shape::Shape;
use grundy_certificate::{Law, Periodic, check};
use grundy_rules::{Budget, Meter, Ruleset, parse};

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    })
}

/// The law of a game, after its certificate was checked once more from its text.
fn proved(text: &str) -> Law {
    match discover(&rules(text), None, &mut meter()) {
        LawReport::Proved(proved) => {
            let theorem = check(&proved.certificate, &mut meter()).expect("it was checked before");
            assert_eq!(theorem, proved.theorem, "{text}");
            theorem.law().clone()
        }
        report => panic!("{text}: {report:?}"),
    }
}

fn periodic(text: &str) -> Periodic {
    match proved(text) {
        Law::Periodic(law) => law,
        law => panic!("{text}: {law:?}"),
    }
}

#[test]
fn published_periods_of_octal_games_are_found_and_proved() {
    let table = include_str!("data/octal-periods.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut count = 0;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [code, preperiod, period, before, repeating] = fields[..] else {
            panic!("five columns: {row}")
        };
        let law = periodic(&format!("rules {code}"));
        assert_eq!(law.preperiod.to_string(), preperiod, "{code}");
        assert_eq!(law.period.to_string(), period, "{code}");
        assert_eq!(law.saltus, 0, "{code}");
        let digits = before.chars().chain(repeating.chars());
        let values: Vec<u64> = digits
            .map(|digit| digit.to_digit(36).expect("a digit").into())
            .collect();
        assert_eq!(law.values, values, "{code}");
        count += 1;
    }
    assert_eq!(count, 82);
}

/// The values of heaps, by the definition of a mex over the options of the shape.
fn values(text: &str, count: usize) -> Vec<u64> {
    let ruleset = rules(text);
    let shape = Shape::of(&ruleset);
    let mut sequence = Sequence::new(&ruleset, &shape);
    sequence
        .extend_to(count, &mut meter())
        .expect("small heaps");
    sequence.values().first(usize::MAX)
}

#[test]
fn hard_periods_are_found_and_proved() {
    for (code, preperiod, period) in [
        ("0.45", 498, 20),
        ("0.156", 3479, 349),
        ("0.356", 7315, 142),
        ("0.644", 3256, 442),
        ("0.165", 5181, 1550),
        ("0.16", 105_351, 149_459),
        ("0.56", 326_640, 144),
    ] {
        let law = periodic(&format!("rules {code}"));
        assert_eq!((law.preperiod, law.period), (preperiod, period), "{code}");
    }
}

#[test]
fn laws_hold_in_the_values() {
    for text in [
        "rules {1}",
        "rules {101,254,977}",
        "rules all but {}",
        "rules all but {2,3,7}",
        "rules all but {1,4,9}",
        "rules 4.(3)",
        "rules 0.(1)",
        "rules 0.1(1)",
        "rules 0.(3)",
        "[n] -> [n-k] where 1 <= k <= 500",
        "[n] -> [a] + [n-k-a] where 1 <= k <= 2, a >= 0",
        "[n] -> [a] + [n-k-a] where 1 <= k <= 2, not (n = 300 and k = 2)",
        "[n] -> [n-k] where 1 <= k <= 3, n mod 3 = 0 or k >= 2",
        "[n] -> [n-k] where k in {1,4}, n-k >= 2\n[n] -> [n-2] where n != 40",
    ] {
        let law = periodic(text);
        let count = usize::try_from(2 * (law.preperiod + law.period)).expect("small") + 200;
        let expected = values(text, count);
        for (heap, value) in (0u32..).zip(expected) {
            assert_eq!(
                law.value(&heap.into()),
                Some(value.into()),
                "{text}, heap {heap}"
            );
        }
    }
}

#[test]
fn rules_written_out_get_the_law_of_their_short_form() {
    let kayles = periodic("rules 0.77");
    assert_eq!((kayles.preperiod, kayles.period), (71, 12));
    let longhand = "[n] -> [a] + [n-k-a] where 1 <= k <= 2, a <= n-k-a";
    assert_eq!(periodic(longhand), kayles);
    // One take at one heap is enough to change the law for ever.
    let spoilt = periodic("[n] -> [a] + [n-k-a] where 1 <= k <= 2, not (n = 300 and k = 2)");
    assert_ne!(spoilt.values[..300], kayles.values[..]);
    assert!(spoilt.preperiod > 71);
}

#[test]
fn takes_up_to_a_slowly_growing_number_have_a_recursion() {
    for text in [
        "[n] -> [n-k] where 1 <= k <= n/2",
        "[n] -> [n-k] where 1 <= k <= (n+1)/2",
        "[n] -> [n-k] where 1 <= k <= n/3",
        "[n] -> [n-k] where 1 <= k <= 2*n/3",
        "[n] -> [n-k] where 1 <= k <= 3*n/5",
        "[n] -> [n-k] where 1 <= k <= n-7",
        "[n] -> [n-k] where 1 <= k <= isqrt(n)",
        "[n] -> [n-k] where 1 <= k <= isqrt(n/3)",
        "[n] -> [n-k] where 1 <= k <= min(9, n/3)",
        "[n] -> [n-k] where 1 <= k <= 10^18",
    ] {
        let law = proved(text);
        assert!(!matches!(law, Law::Periodic(_)), "{text}");
        for (heap, value) in (0u32..).zip(values(text, 300)) {
            assert_eq!(
                law.value(&heap.into()),
                Some(value.into()),
                "{text}, heap {heap}"
            );
        }
    }
    // The classic: g(2x) = x, g(2x+1) = g(x).
    let half = proved("[n] -> [n-k] where 1 <= k <= n/2");
    assert!(matches!(&half, Law::Pointers(law) if law.modulus == 2));
}

#[test]
fn taking_any_or_splitting_is_proved_where_it_has_a_law() {
    let mut count = 0;
    for kept in 0u32..8 {
        for splits in 1u32..8 {
            let members = |set: u32, least: u32| -> Vec<String> {
                let inside = (0..3).filter(|i| set >> i & 1 == 1);
                inside.map(|i| (i + least).to_string()).collect()
            };
            let (kept, splits) = (members(kept, 1).join(","), members(splits, 0).join(","));
            let text = format!(
                "[n] -> [n-k] where k in all but {{{kept}}}\n\
                 [n] -> [a] + [n-i-a] where i in {{{splits}}}, a >= 1, n-i-a >= 1"
            );
            match discover(&rules(&text), Some(2000), &mut meter()) {
                LawReport::Proved(proved) => {
                    count += 1;
                    for (heap, value) in (0u32..).zip(values(&text, 300)) {
                        let by_law = proved.theorem.law().value(&heap.into());
                        assert_eq!(by_law, Some(value.into()), "{text}, heap {heap}");
                    }
                }
                LawReport::Conjecture { .. } | LawReport::Nothing { .. } => {}
                report @ (LawReport::NoSequence(_) | LawReport::Unlabelled { .. }) => {
                    panic!("{text}: {report:?}")
                }
            }
        }
    }
    // Of these 56 games.
    assert!(count >= 45, "{count}");
}

#[test]
fn what_no_theorem_covers_is_a_conjecture() {
    for text in [
        "rules take-and-break 0.3F",
        "rules take-and-break 8.8",
        "rules 0.1(7)",
    ] {
        match discover(&rules(text), None, &mut meter()) {
            LawReport::Conjecture { law, why, .. } => {
                assert!(law.saltus > 0, "{text}");
                assert_eq!(why, NoProof::Saltus, "{text}");
            }
            report => panic!("{text}: {report:?}"),
        }
    }
    assert!(matches!(
        guess(&[0, 1, 0, 1, 0, 1]),
        LawReport::Conjecture {
            why: NoProof::OnlyValues,
            ..
        }
    ));
    assert!(matches!(
        guess(&[0, 1, 2, 3, 1]),
        LawReport::Nothing { below: 5, .. }
    ));
    assert!(matches!(
        discover(&rules("compound selective\nrules 0.77"), None, &mut meter()),
        LawReport::NoSequence(_)
    ));
    // Unequal splits in misère play: no theorem, and heap 13 is wild.
    let misere = rules("play misere\n[n] -> [a] + [n-a] where 1 <= a < n-a");
    assert!(matches!(
        discover(&misere, None, &mut meter()),
        LawReport::Unlabelled { wild: Some(13), .. }
    ));
}

#[test]
fn unequal_parts_have_a_false_period_that_is_not_proved() {
    // Remove one and split into two unequal heaps, or take a heap of two. Period 3 from heap 4 on
    // agrees on the window of the shift lemma, n < 13, and fails at 13.
    let text = "[n] -> [a] + [n-1-a] where 1 <= a < n-1-a\n[n] -> nothing where n = 2";
    let false_law = Periodicity {
        preperiod: 4,
        period: 3,
        saltus: 0,
    };
    let values = values(text, 40);
    assert!(false_law.holds_in(&values[..16]));
    assert!(!false_law.holds_in(&values[..17]));
    for upto in 10..40 {
        match discover(&rules(text), Some(upto), &mut meter()) {
            LawReport::Conjecture { why, .. } => {
                assert_eq!(why, NoProof::NoMethod(NoMethod::RelatedParts));
            }
            LawReport::Nothing { .. } => {}
            report => panic!("{report:?}"),
        }
    }
}

/// For all laws with small numbers: those whose window agrees hold as far as anybody looks. How many
/// false ones a window that is one value shorter would let through.
fn windows_prove(games: &[String], arithmetic: bool) -> usize {
    let (mut true_laws, mut false_by_one) = (0, 0);
    for text in games {
        let method = Method::of(&Shape::of(&rules(text))).expect("a theorem covers it");
        let values = values(text, 400);
        for preperiod in 0..14 {
            for period in 1..9 {
                for saltus in 0..if arithmetic { 5 } else { 1 } {
                    let law = Periodicity {
                        preperiod,
                        period,
                        saltus,
                    };
                    let Some(needed) = method.values_needed(law).filter(|needed| *needed < 200)
                    else {
                        continue;
                    };
                    let needed = usize::try_from(needed).expect("small");
                    let holds = law.holds_in(&values);
                    if law.holds_in(&values[..needed]) {
                        assert!(holds, "{text}: {law:?}");
                        true_laws += 1;
                    }
                    if !holds && law.holds_in(&values[..needed - 1]) {
                        false_by_one += 1;
                    }
                }
            }
        }
    }
    assert!(true_laws > 20, "{true_laws}");
    false_by_one
}

#[test]
fn a_window_is_a_proof_and_one_value_less_is_none() {
    let sets = |prefix: &str, least: u32| -> Vec<String> {
        (least..128)
            .map(|set| {
                let members: Vec<String> = (0..7)
                    .filter(|i| set >> i & 1 == 1)
                    .map(|i| (i + 1).to_string())
                    .collect();
                format!("{prefix}{{{}}}", members.join(","))
            })
            .collect()
    };
    assert!(windows_prove(&sets("rules ", 1), false) > 0);
    assert!(windows_prove(&sets("rules all but ", 0), true) > 0);
    let octal: Vec<String> = (1..512)
        .map(|code| format!("0.{code:03o}"))
        .filter(|code| code.contains(['4', '5', '6', '7']))
        .map(|code| format!("rules {code}"))
        .collect();
    assert!(windows_prove(&octal, false) > 0);
    let guarded: Vec<String> = (1..9)
        .flat_map(|heap| {
            ["0 <= a", "a >= 2, n-k-a >= 2", "a mod 2 = 0", "a != 1"].map(|condition| {
                format!("[n] -> [a] + [n-k-a] where 1 <= k <= 2, n != {heap}, {condition}")
            })
        })
        .collect();
    // Thresholds of guards are bounds from above, so that these windows may be longer than need be.
    windows_prove(&guarded, false);
    let tails: Vec<String> = (0..8)
        .flat_map(|a| (1..8).flat_map(move |b| (0..8).map(move |c| format!("rules 0.{a}({b}{c})"))))
        .filter(|text| {
            Shape::of(&rules(text)).code().is_some_and(|code| {
                !code.repeating().is_empty() && code.as_take_or_split().is_none()
            })
        })
        .collect();
    assert!(windows_prove(&tails, false) > 0);
}
