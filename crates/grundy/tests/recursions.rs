//! Digit recursions: seen in values, proved by following pointers, and what is damaged or false is refused.

use std::time::Instant;

use grundy::answer::learn::{NoShelf, learn};
use grundy::answer::{Knowledge as _, Lawful};
use grundy::discover::{
    Effort, Finding, Recurrence, Seen, find, find_proof, first_values, recursion,
};
use grundy::law::LawReport;
use grundy::oracle::Oracle;
use grundy::outcome::Evidence;
use grundy::proof::Proved;
use grundy::proof::automatic::links;
use grundy_automata::Budget as Automata;
use grundy_certificate::{Certificate, Law, PointerClass, Pointers, Proof, Refusal, check};
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 32,
        bytes: 1 << 30,
    })
}

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn seen(ruleset: &Ruleset) -> Option<Pointers> {
    recursion(&first_values(ruleset, 2048, &mut meter()))
}

fn proved(ruleset: &Ruleset, law: &Pointers) -> Option<Proved> {
    let mut automata = grundy_automata::Meter::new(Automata::default());
    let law = Law::Pointers(law.clone());
    links(ruleset, &law, &mut automata, &mut meter())
}

/// Games of which no other theorem here speaks, but for the first one.
const GAMES: &[&str] = &[
    "[n] -> [n-k] where 1 <= k <= n/2",
    "[n] -> [n-k] where 2 <= k <= n/2",
    "[n] -> [n-k] where 1 <= k <= n/2\n[n] -> [0] where n >= 1",
    "[n] -> [n-k] where 1 <= k <= n/3\n[n] -> [0] where n >= 1",
    "[n] -> [n-k] where 1 <= k <= 2*n/3\n[n] -> [0] where n >= 1",
    "[n] -> [n-k] where 1 <= k <= 3*n/5\n[n] -> [0] where n >= 1",
    "[n] -> [n-k] where 1 <= k <= n/2, k mod 2 = 0",
    "[n] -> [n-k] where 1 <= k <= n/2, k mod 3 = 0",
    "[n] -> [n-k] where 1 <= k <= n/3, k mod 2 = 0",
    "[n] -> [n-k] where 1 <= k <= n/2, k mod 2 = n mod 2",
    "[n] -> [n-k] where 2 <= k <= 2*n/3",
    "[n] -> [n-k] where 1 <= k <= (n+1)/2, n >= 5",
    "[n] -> [n-k] where 1 <= k <= max(n/2, 2)",
];

#[test]
fn recursions_are_proved() {
    for text in GAMES {
        let ruleset = rules(text);
        let law = seen(&ruleset).unwrap_or_else(|| panic!("{text}: nothing is seen"));
        let start = Instant::now();
        let proved = proved(&ruleset, &law).unwrap_or_else(|| panic!("{text}: {law:?}"));
        println!(
            "{:6.1?} {:6} bytes {text}",
            start.elapsed(),
            proved.certificate.len()
        );
        assert_eq!(proved.theorem.name(), "linked heaps");
        let mut oracle = Oracle::new(&ruleset);
        for n in 0..200u32 {
            let heap = Component::of_numbers([n]);
            let value = oracle.grundy_value(&heap, &mut meter()).expect("small");
            let said = proved.theorem.law().value(&n.into());
            assert_eq!(said, Some(value.into()), "{text}: heap {n}");
        }
        let large = num_bigint::BigUint::from(10u32).pow(1000) + 7u32;
        assert!(proved.theorem.law().value(&large).is_some(), "{text}");
    }
}

/// Winning moves follow the pointers back: all of them, also where residues restrict what may be taken.
#[test]
fn winning_moves_are_those_of_the_rules() {
    for text in [GAMES[6], GAMES[7], GAMES[2]] {
        let ruleset = rules(text);
        let law = seen(&ruleset).expect("a recursion");
        let proved = proved(&ruleset, &law).expect("a proof");
        let lawful = Lawful::proved(&ruleset, &proved.theorem).expect("of these rules");
        for n in 0..150u32 {
            let heap = Component::of_numbers([n]);
            let mut expected: Vec<_> = options(&ruleset, &heap, &mut meter())
                .expect("small")
                .into_iter()
                .filter(|option| lawful.value(&option.result[0]) == Some(0u8.into()))
                .map(|option| option.result)
                .collect();
            expected.sort();
            expected.dedup();
            let moves = lawful.moves_to(&heap, &0u8.into(), &mut meter());
            let moves = moves.expect("no limit").expect("the rules are understood");
            let mut found: Vec<_> = moves.iter().map(|option| option.result).collect();
            found.sort();
            found.dedup();
            assert_eq!(found, expected, "{text}: {n}");
        }
        let large = num_bigint::BigUint::from(10u32).pow(200);
        let moves = lawful.moves_to(&Component::of_numbers([large]), &0u8.into(), &mut meter());
        let moves = moves.expect("no limit").expect("the rules are understood");
        assert!(moves.count().expect("it is counted") > 0u8.into(), "{text}");
    }
}

/// With no hint, where neither finite checks nor automata find a law.
#[test]
fn recursions_are_found_and_proved() {
    let ruleset = rules(GAMES[6]);
    let effort = Effort {
        tables: 1,
        ..Effort::USUAL
    };
    let finding = find(&ruleset, None, &effort, &mut meter());
    let Some(LawReport::Proved(proved)) = &finding.checks else {
        panic!("{finding:?}");
    };
    assert_eq!(proved.theorem.name(), "linked heaps");
    assert!(matches!(proved.theorem.law(), Law::Pointers(_)));
}

/// Values that follow pointers are no proof. Here longer and longer chains of pointers would have to be followed.
#[test]
fn what_is_not_proved_is_a_conjecture() {
    let ruleset = rules("[n] -> [n-k] where 1 <= k <= 2*n/3, k mod 2 = 0");
    let law = seen(&ruleset).expect("values that follow pointers");
    assert_eq!(proved(&ruleset, &law), None);
    let effort = Effort {
        tables: 1,
        ..Effort::USUAL
    };
    let finding = find(&ruleset, Some(2000), &effort, &mut meter());
    assert!(!matches!(finding.checks, Some(LawReport::Proved(_))));
    assert!(
        matches!(finding.seen(), Some((Seen::Law(Law::Pointers(_)), 2047))),
        "{finding:?}"
    );
}

/// Divisors that vary are outside what automata decide.
const POWER_DIVISORS: &str = "[n] -> [n-k] where k in powers of 2, k | n";

fn found(text: &str) -> Finding {
    find_proof(&rules(text), Some(2000), &Effort::USUAL, &mut meter())
}

/// The number of ones in binary: automata tell only which heaps are lost.
#[test]
fn relations_between_sections_are_a_conjecture() {
    let finding = found("[n] -> [m] where m < n, m band n = m");
    let Some((seen, 8191)) = finding.seen() else {
        panic!("{finding:?}");
    };
    assert_eq!(
        grundy::text::recursion(seen),
        "g(2n) = g(n); g(2n+1) = g(n) + 1, for all n; g(0) = 0"
    );
    let Seen::Sections(sections) = seen else {
        panic!("{seen:?}");
    };
    let large: BigUint = (BigUint::from(1u8) << 3000u32) - 1u8;
    assert_eq!(sections.value(&large), Some(3000u32.into()));
    let of_outcomes = finding.proved().expect("a proof");
    assert!(matches!(of_outcomes.theorem.law(), Law::Automaton(_)));
}

/// What nothing proves answers only who asks for it by name, and says so.
#[test]
fn conjectures_answer_by_name() {
    let ruleset = rules(POWER_DIVISORS);
    let known = |accept| learn(&ruleset, Some(2000), accept, &NoShelf, &mut meter());
    assert!(known(false).is_none());
    let known = known(true).expect("a conjecture");
    let evidence = Evidence::Conjecture {
        upto: 8191u32.into(),
    };
    assert_eq!(known.evidence(), evidence);
    assert!(known.law().is_none());
    let mut oracle = Oracle::new(&ruleset);
    for n in (0..300u32).chain(20_000..20_100) {
        let heap = Component::of_numbers([n]);
        let value = oracle.grundy_value(&heap, &mut meter()).expect("small");
        assert_eq!(known.value(&heap), Some(value.into()), "{n}");
    }
    let large = BigUint::from(2u8).pow(3321);
    assert!(known.value(&Component::of_numbers([large])).is_some());
}

/// Six is the first number that may not be taken, and the values repeat after as many: a recursion says that in more words.
#[test]
fn periods_are_no_recursions() {
    let finding = found("[n] -> [n-k] where k in prime powers\n[n] -> [n-1] where n >= 1");
    assert_eq!(finding.recurrence, None);
}

#[test]
fn values_without_a_recursion() {
    let finding = found("[n] -> [a] + [n-a] where 1 <= a < n-a");
    let nothing = Recurrence {
        upto: 8191,
        seen: None,
    };
    assert_eq!(finding.recurrence, Some(nothing));
}

/// The same law with one number changed.
fn damaged(law: &Pointers) -> Vec<Pointers> {
    let mut all = Vec::new();
    for at in 0..law.start.len() {
        let mut other = law.clone();
        other.start[at] += 1;
        all.push(other);
    }
    for at in 0..law.classes.len() {
        for (more, plus_more) in [(1, 0), (0, 1), (0, -1)] {
            let mut other = law.clone();
            let (PointerClass::New { times, plus } | PointerClass::Pointer { times, plus }) =
                &mut other.classes[at];
            *times += more;
            *plus += plus_more;
            all.push(other);
        }
    }
    all
}

/// A damaged law may say the same in other words; what says something else has no proof.
#[test]
fn damaged_laws_are_refused() {
    let (mut false_laws, mut true_laws) = (0, 0);
    for text in [GAMES[2], GAMES[6]] {
        let ruleset = rules(text);
        let law = seen(&ruleset).expect("a recursion");
        let right = proved(&ruleset, &law).expect("a proof");
        let certificate = Certificate::from_text(&right.certificate).expect("it was written");
        for other in damaged(&law) {
            // With the old proof, sealed anew, and with whatever proof is found.
            let sealed = Certificate {
                law: Law::Pointers(other.clone()),
                ..certificate.clone()
            };
            let result = check(&sealed.to_text(), &mut meter());
            let found = proved(&ruleset, &other);
            let values = |law: &Pointers| {
                let value = |n: u32| law.value(&n.into());
                (0..500).map(value).collect::<Vec<_>>()
            };
            if values(&other) == values(&law) {
                true_laws += 1;
            } else {
                assert!(
                    matches!(result, Err(Refusal::False(_))),
                    "{other:?}: {result:?}"
                );
                assert_eq!(found, None, "{other:?}");
                false_laws += 1;
            }
        }
    }
    assert!(false_laws > 20, "{false_laws} and {true_laws}");
}

#[test]
fn damaged_proofs_are_refused() {
    let ruleset = rules(GAMES[2]);
    let law = seen(&ruleset).expect("a recursion");
    let right = proved(&ruleset, &law).expect("a proof");
    let certificate = Certificate::from_text(&right.certificate).expect("it was written");
    assert_eq!(certificate.to_text(), right.certificate);
    let Proof::Links(proof) = &certificate.proof else {
        panic!("{:?}", certificate.proof);
    };
    let refused = |change: &dyn Fn(&mut grundy_certificate::automatic::LinksProof)| {
        let mut proof = proof.clone();
        change(&mut proof);
        let sealed = Certificate {
            proof: Proof::Links(proof),
            ..certificate.clone()
        };
        check(&sealed.to_text(), &mut meter()).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|proof| proof.choice.doublings = 1000));
    assert!(refused(&|proof| proof.choice.doublings += 1));
    assert!(refused(&|proof| proof.invariants.truncate(2)));
    assert!(refused(&|proof| proof.defined.truncate(2)));
    // The automata are minimal, so that each change is one of what is defined.
    let mut refusals = 0;
    for which in 0..proof.defined.len() {
        for at in 0..proof.defined[which].table.len() {
            let states = u32::try_from(proof.defined[which].accepting.len()).expect("few");
            if states > 1 {
                assert!(
                    refused(&|proof| {
                        let target = &mut proof.defined[which].table[at];
                        *target = (*target + 1) % states;
                    }),
                    "{which}: {at}"
                );
                refusals += 1;
            }
        }
    }
    assert!(refusals > 50, "only {refusals}");
}
