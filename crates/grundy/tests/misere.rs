//! Misère play: what laws and quotients say, against brute force over positions.

mod brute_force;

use std::collections::HashMap;

use grundy::answer::Lawful;
use grundy::law::{LawReport, NoSequence, discover};
use grundy::misere::report::report;
use grundy::misere::{self, Presentation, tame};
use grundy::outcome::{Evidence, Outcome};
use grundy::proof::Proved;
use grundy::shape::Shape;
use grundy::solve::{Part, Query, Solver, Wanted};
use grundy::text;
use grundy_certificate::{Certificate, Law, Misere, Monoid, Quotient, Refusal, check};
use grundy_rules::moves::moves;
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Component, Meter, Position, Ruleset, parse};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use proptest::prelude::*;

use crate::brute_force::{BruteForce, Says, compare, sums};

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 20_000_000_000,
        bytes: 1 << 32,
    })
}

fn misere_rules(text: &str) -> Ruleset {
    let rules = parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    rules.with_play(Play::Misere)
}

fn proved(text: &str) -> Proved {
    match discover(&misere_rules(text), None, &mut meter()) {
        LawReport::Proved(proved) => *proved,
        report => panic!("{text}: {report:?}"),
    }
}

fn law(proved: &Proved) -> &Misere {
    match proved.theorem.law() {
        Law::Misere(law) => law,
        law => panic!("{law:?}"),
    }
}

fn agrees_up_to(text: &str, total: usize) {
    let proved = proved(text);
    let agree = compare(&misere_rules(text), law(&proved), total, 8);
    assert!(agree.is_ok(), "{text}: {agree:?}");
}

#[test]
fn tame_labels_decide_all_small_sums() {
    for text in [
        "rules {1,2,3}",
        "rules {2,5}",
        "rules {2,3,7}",
        "rules 0.31",
        "rules 0.52",
        "rules 0.373",
        "rules 0.147",
        "rules 0.772",
        "rules 4.12",
        "rules 4.37",
        "rules all but {1,4}",
        "rules all but {2}",
        "[n] -> [n-k] where k >= 1",
        "[n] -> [n-k] where k in {1, 2}, n mod 2 = 0; [n] -> [n-2] where n >= 2",
    ] {
        let proved = proved(text);
        assert_eq!(law(&proved).monoid, Monoid::Tame, "{text}");
        agrees_up_to(text, 24);
    }
}

/// Every code whose quotient `CGSuite` 2.2 finds has that quotient, and is decided by it.
#[test]
fn published_quotients_are_found_and_decide_all_small_sums() {
    let lines = include_str!("../examples/misere/published.txt").lines();
    let mut count = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |place: usize| words[place].parse().expect("a number");
        let text = format!("rules {}", words[0]);
        let proved = proved(&text);
        let found = misere::order(law(&proved));
        assert_eq!(found, Some((number(1), number(2))), "{text}");
        let agree = compare(&misere_rules(&text), law(&proved), 16, 2);
        assert!(agree.is_ok(), "{text}: {agree:?}");
        count += 1;
    }
    assert_eq!(count, 190);
}

#[test]
fn quotients_decide_all_small_sums() {
    for text in [
        "rules 0.75",
        "rules 0.34",
        "rules 0.53",
        "rules 0.123",
        "rules 0.71",
        "rules 0.72",
        "rules 0.144",
        "rules 0.312",
        "rules 0.712",
        "rules 0.77",
    ] {
        agrees_up_to(text, 24);
    }
}

/// Every change of one number of a certificate, sealed anew, is refused, or says the same of all small sums.
#[test]
fn damaged_certificates_are_refused() {
    for (text, all) in [
        ("rules {2,5}", true),
        ("rules 0.31", true),
        ("rules 0.75", false),
        ("rules 0.34", false),
    ] {
        let proved = proved(text);
        let right = Certificate::from_text(&proved.certificate).expect("it was written");
        let (mut refused, mut accepted) = (0, 0);
        for damaged in damaged(law(&proved)) {
            let sealed = Certificate {
                law: Law::Misere(damaged.clone()),
                ..right.clone()
            };
            match check(&sealed.to_text(), &mut meter()) {
                Err(Refusal::False(_)) => refused += 1,
                Err(other) => panic!("{text}: {other:?}"),
                Ok(_) => {
                    accepted += 1;
                    let mut brute_force = BruteForce::new(&misere_rules(text), 14);
                    let says = Says::new(&damaged, 14);
                    for heaps in sums(14) {
                        let lost = brute_force.is_lost(&heaps);
                        assert_eq!(says.is_lost(&heaps), lost, "{text}: {damaged:?}");
                    }
                }
            }
        }
        assert!(refused > 10, "{text}: {refused} refused");
        // Tame labels are what they are; a monoid may say the same of sums that never arise.
        assert!(accepted == 0 || !all, "{text}: {accepted} accepted");
    }
}

/// The law with one number changed.
fn damaged(right: &Misere) -> Vec<Misere> {
    let mut all = Vec::new();
    let mut change = |change: &dyn Fn(&mut Misere)| {
        let mut law = right.clone();
        change(&mut law);
        all.push(law);
    };
    let others = |value: u64, most: u64| (0..most).filter(move |other| *other != value);
    let most = match &right.monoid {
        Monoid::Tame => 8,
        Monoid::Quotient(quotient) => quotient.order,
    };
    for (at, value) in right.labels.values.iter().enumerate() {
        for other in others(*value, most) {
            change(&|law| law.labels.values[at] = other);
        }
    }
    if let Monoid::Quotient(right) = &right.monoid {
        let quotient = |law: &mut Misere, change: &dyn Fn(&mut Quotient)| {
            let Monoid::Quotient(quotient) = &mut law.monoid else {
                unreachable!("it was a quotient")
            };
            change(quotient);
        };
        for (at, product) in right.products.iter().enumerate() {
            for other in others(*product, right.order) {
                change(&|law| quotient(law, &|q| q.products[at] = other));
            }
        }
        for element in 0..right.order {
            change(&|law| {
                quotient(law, &|q| match q.lost.binary_search(&element) {
                    Ok(at) => {
                        q.lost.remove(at);
                    }
                    Err(at) => q.lost.insert(at, element),
                });
            });
        }
    }
    all
}

/// Orders as `CGSuite` 2.2 prints them: code, elements, lost elements, preperiod, period.
#[test]
fn quotients_are_those_that_others_found() {
    for (text, order, lost, preperiod, period) in [
        ("rules 0.75", 8, 2, 8, 2),
        ("rules 0.34", 12, 3, 7, 8),
        ("rules 0.53", 16, 3, 21, 9),
        ("rules 0.123", 20, 5, 5, 5),
        ("rules 0.71", 36, 9, 3, 6),
        ("rules 0.72", 24, 5, 16, 4),
        ("rules 0.144", 30, 5, 12, 10),
        ("rules 0.312", 12, 3, 5, 2),
        ("rules 0.712", 14, 4, 3, 6),
        ("rules 0.77", 40, 9, 71, 12),
    ] {
        let proved = proved(text);
        let law = law(&proved);
        let presentation = Presentation::of(law).expect("a quotient");
        assert_eq!(
            (presentation.order, presentation.lost.len()),
            (order, lost),
            "{text}"
        );
        let found = (law.labels.preperiod, law.labels.period);
        assert_eq!(found, (preperiod, period), "{text}");
    }
    let presented = |text: &str| {
        let proved = proved(text);
        text::presentation(&Presentation::of(law(&proved)).expect("a quotient"))
    };
    assert_eq!(
        presented("rules 0.123")[..2],
        [
            "Q = ⟨a,b,c,d | a2=1, b4=b2, b2c=b3, c2=1, b2d=d, cd=bd, d3=ad2⟩, 20 elements",
            "P = {a, b2, ac, bd, d2}, 5 lost elements"
        ]
    );
}

fn solver_for<'g>(games: &'g [Ruleset], proved: &[Proved]) -> Solver<'g> {
    let mut solver = Solver::new(games).expect("games that add");
    for (index, (game, proved)) in games.iter().zip(proved).enumerate() {
        let lawful = Lawful::proved(game, &proved.theorem).expect("a theorem about this game");
        solver.know(index, Box::new(lawful));
    }
    solver
}

fn query(wanted: Wanted) -> Query {
    Query {
        moves: wanted,
        distinct: false,
        limit: 1000,
    }
}

/// The moves found from labels are the moves that visiting all of them finds, in the same order.
#[test]
fn winning_moves_are_those_of_brute_force() {
    for text in [
        "rules 0.52",
        "rules 0.75",
        "rules 0.77",
        "rules all but {1,4}",
        "rules {2,5}",
    ] {
        let games = [misere_rules(text)];
        let proofs = [proved(text)];
        let mut solver = solver_for(&games, &proofs);
        let mut brute_force = BruteForce::new(&games[0], 16);
        for heaps in sums(11)
            .into_iter()
            .chain([vec![16], vec![7, 15], vec![3, 3, 13]])
        {
            if heaps.is_empty() {
                continue;
            }
            let sum: Vec<Part> = heaps.iter().map(|heap| part(0, *heap as u64)).collect();
            let answer = solver
                .answer(&sum, query(Wanted::All), &mut meter())
                .expect("an answer");
            let lost = brute_force.is_lost(&heaps);
            let outcome = if lost { Outcome::P } else { Outcome::N };
            assert_eq!(answer.outcome, outcome, "{text}: {heaps:?}");
            assert!(matches!(answer.evidence, Evidence::Proved { .. }));
            let position = Position(sum.iter().map(|part| part.component.clone()).collect());
            let mut winning = moves(&games[0], &position, &mut meter()).expect("small");
            winning.retain(|next| {
                let after = grundy::solve::after(&sum, next);
                let sizes = after.iter().map(|part| {
                    let heap = part.component.as_heap().and_then(ToPrimitive::to_usize);
                    heap.expect("a heap")
                });
                brute_force.is_lost(&sizes.collect::<Vec<usize>>())
            });
            if lost {
                winning.clear();
            }
            let best = answer.moves.expect("moves");
            assert_eq!(best.count, Some(winning.len().into()), "{text}: {heaps:?}");
            assert_eq!(best.listed, winning, "{text}: {heaps:?}");
        }
    }
}

fn part(game: usize, heap: u64) -> Part {
    Part {
        game,
        component: Component::of_numbers([heap]),
    }
}

/// Sums of tame games of different rules add their labels.
#[test]
fn different_tame_games_add() {
    let texts = ["rules 0.52", "rules all but {1}", "rules 0.31"];
    let games: Vec<Ruleset> = texts.iter().map(|text| misere_rules(text)).collect();
    let proofs: Vec<Proved> = texts.iter().map(|text| proved(text)).collect();
    let mut known = solver_for(&games, &proofs);
    let mut unknown = Solver::new(&games).expect("games that add");
    for code in 0..6u64.pow(3) {
        let sum = [
            part(0, code % 6 + 2),
            part(1, code / 6 % 6),
            part(2, code / 36),
        ];
        let answer = known
            .answer(&sum, query(Wanted::All), &mut meter())
            .expect("an answer");
        assert!(matches!(&answer.evidence, Evidence::Several(all) if all.len() == 3));
        let searched = unknown
            .answer(&sum, query(Wanted::All), &mut meter())
            .expect("small");
        assert_eq!(answer.outcome, searched.outcome, "{code}");
        assert_eq!(answer.moves, searched.moves, "{code}");
    }
    // Nim heaps of any size: taking all but one of the large heap leaves F0.
    let large = "1000000000000000000000"
        .parse::<BigUint>()
        .expect("a number");
    let heap = |game, heap: &BigUint| Part {
        game,
        component: Component::of_numbers([heap.clone()]),
    };
    let sum = [heap(1, &large), heap(1, &(&large + 2u8))];
    let answer = known
        .answer(&sum, query(Wanted::Count), &mut meter())
        .expect("an answer");
    assert!(answer.moves.expect("moves").count.is_some());
}

/// Values and genus sequences as `CGSuite` 2.2 has them in its tests.
#[test]
fn genus_sequences_are_published() {
    let genus = |text: &str, last: u64| -> (String, Vec<u64>) {
        let rules = misere_rules(text);
        let report = report(
            &rules,
            last,
            &mut meter(),
            &mut Meter::new(Budget { steps: 1, bytes: 1 }),
        );
        let report = report.expect("heaps");
        assert_eq!(report.heaps.len() as u64, last + 1, "{text}");
        let words: Vec<String> = report.heaps.iter().map(text::genus).collect();
        let values = report
            .heaps
            .iter()
            .map(|heap| heap.genus.misere[0])
            .collect();
        (words.join(","), values)
    };
    let (kayles, values) = genus("rules 0.77", 20);
    assert_eq!(
        kayles,
        "0,1,2,3,1,4^146,3,2^2,1^1,4^046,2^2,6^46,4^046,1^1,2^2,7^57,1^13,4^64,3^31,2^20,1^031"
    );
    assert_eq!(
        values,
        [
            1, 0, 2, 3, 0, 1, 3, 2, 1, 0, 2, 4, 0, 1, 2, 5, 1, 6, 3, 2, 0
        ]
    );
    let (dawson, values) = genus("rules 0.07", 20);
    assert_eq!(
        dawson,
        "0,0,1,1,2,0,3,1,1,0,3^1431,3,2^0520,2,4^146,0,5^057,2^0520,2,3^1431,3"
    );
    assert_eq!(
        values,
        [
            1, 1, 0, 0, 2, 1, 3, 0, 0, 1, 1, 3, 0, 2, 1, 1, 0, 0, 2, 1, 3
        ]
    );
    let (grundy, values) = genus("[n] -> [a] + [n-a] where 1 <= a < n-a", 20);
    assert_eq!(
        grundy,
        "0,0,0,1,0,2,1,0,2,1,0,2,1,3^1431,2,1,3^1431,2,4^0564,3^1431,0^20"
    );
    assert_eq!(
        values,
        [
            1, 1, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2
        ]
    );
    let (_, values) = genus("rules take-and-break 0.3F", 20);
    assert_eq!(
        values,
        [
            1, 0, 2, 1, 0, 2, 1, 0, 4, 1, 0, 4, 1, 0, 6, 1, 0, 6, 1, 0, 6
        ]
    );
    let (_, values) = genus("rules {2,3,7}", 9);
    assert_eq!(values, [1, 1, 0, 0, 2, 1, 1, 0, 0, 2]);
    let (_, values) = genus("[n] -> [n-k] where k >= 1", 20);
    let nim: Vec<u64> = [1, 0].into_iter().chain(2..=20).collect();
    assert_eq!(values, nim);
}

/// Sums that only a quotient of small heaps decides say so, and say up to which heap.
#[test]
fn quotients_of_small_heaps_are_called_checked() {
    let rules = misere_rules("rules 0.77");
    let LawReport::Unlabelled {
        wild: Some(5),
        checked: Some(checked),
        ..
    } = discover(&rules, Some(63), &mut meter())
    else {
        panic!("64 heaps of Kayles prove no quotient")
    };
    assert_eq!((checked.below, checked.order, checked.lost), (64, 40, 9));
}

/// Kayles in Winning Ways, chapter 13; the heap of 22 of Grundy's game in the tests of `CGSuite` 2.2.
#[test]
fn canonical_forms_are_written_as_usual() {
    let form = |text: &str, heap: u64| {
        let rules = misere_rules(text);
        let report = report(
            &rules,
            heap,
            &mut meter(),
            &mut Meter::new(Budget { steps: 1, bytes: 1 }),
        );
        text::form(&report.expect("heaps").heaps.last().expect("heaps").form)
    };
    assert_eq!(form("rules 0.77", 5), "(2[2]321)");
    assert_eq!(
        form("[n] -> [a] + [n-a] where 1 <= a < n-a", 22),
        "((((2[2]21)[2](2[2]21)20)(2[2]21)3)((2[2]21)[2](2[2]21)20)(2[2]21)[1]2[2]1)"
    );
}

/// Play that may go round in a cycle has no labels.
#[test]
fn cycles_are_called_so() {
    let endless = "[n] -> [n+1] where n <= 4; [n] -> [n-1]";
    for rules in [endless.to_owned(), format!("{endless}; draw on repetition")] {
        let rules = misere_rules(&rules);
        let known = report(&rules, 9, &mut meter(), &mut meter());
        assert!(matches!(known, Err(NoSequence::Endless)));
        let known = discover(&rules, None, &mut meter());
        assert!(matches!(known, LawReport::NoSequence(NoSequence::Endless)));
    }
}

#[test]
fn wild_heaps_are_told() {
    let rules = misere_rules("rules 0.77");
    let shape = Shape::of(&rules);
    let mut labels = tame::Labels::new(&rules, &shape);
    labels.extend_to(100, &mut meter()).expect("few");
    assert_eq!(labels.ended(), Some(tame::Ended::Wild));
    assert_eq!(labels.labels().len(), 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn larger_sums_agree_too(
        which in 0..4usize,
        heaps in prop::collection::vec(1..16usize, 1..5),
    ) {
        thread_local! {
            static KNOWN: std::cell::RefCell<HashMap<usize, (Proved, BruteForce)>> =
                std::cell::RefCell::new(HashMap::new());
        }
        let text = ["rules 0.75", "rules 0.53", "rules 0.52", "rules 0.373"][which];
        KNOWN.with_borrow_mut(|known| {
            let (proved, brute_force) = known
                .entry(which)
                .or_insert_with(|| (proved(text), BruteForce::new(&misere_rules(text), 16)));
            let lost = brute_force.is_lost(&heaps);
            let says = Says::new(law(proved), 16);
            assert_eq!(says.is_lost(&heaps), lost, "{text}: {heaps:?}");
        });
    }
}
