//! Digit recursions found and proved from plain rules, and where the theorem about links stops.

use std::time::Instant;

use grundy::answer::{Knowledge as _, Lawful};
use grundy::discover::{Effort, find_proof, recursion, recursions};
use grundy::nimber::Nimber;
use grundy::oracle::Oracle;
use grundy::proof::Proved;
use grundy::proof::automatic::{default_budget, links};
use grundy::text::reason_of_value;
use grundy_automata::Meter as AutomataMeter;
use grundy_certificate::automatic::{LinksProof, Order};
use grundy_certificate::{
    Certificate, Falsehood, Law, PointerClass, Pointers, Proof, Reason, Recursion, Refusal, check,
};
use grundy_rules::options::{RuleOption, options};
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};
use num_bigint::BigUint;

const HALF: &str = "[n] -> [n-k] where k >= 1, 2*k <= n";
const EQUAL: &str = "[n] -> [a] + [n-a] where a >= 1, 2*a = n";
const TWO_ODD: &str = "[n] -> [a] + [n-a] where a mod 2 = 1, (n-a) mod 2 = 1";
const ONE_AND_THE_REST: &str = "[n] -> [1] + [n-1] where n >= 2";
const DIFFERING_BY_ONE: &str = "[n] -> [a] + [n-a] where a >= 1, n-a = a+1";
const ANY: &str = "[n] -> [a] + [n-a] where 1 <= a < n";

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn halving_and(split: &str) -> Ruleset {
    parse(&format!("{HALF}\n{split}")).expect("rules")
}

fn values(ruleset: &Ruleset, count: u32) -> Vec<u64> {
    let mut oracle = Oracle::new(ruleset);
    let value = |n: u32| oracle.grundy_value(&Component::of_numbers([n]), &mut meter());
    (0..count)
        .map(value)
        .collect::<Result<_, _>>()
        .expect("within the limits")
}

/// `g(2x) = x`, `g(2x+1) = g(x)`
fn halving() -> Pointers {
    Pointers {
        modulus: 2,
        start: vec![0],
        classes: vec![
            PointerClass::New { times: 1, plus: 0 },
            PointerClass::Pointer { times: 1, plus: 0 },
        ],
    }
}

fn halving_law() -> Law {
    Law::Pointers(halving())
}

/// `g(2x-1) = x`, `g(2x) = g(x-1)`: the law of taking at most half, rounded up.
fn shifted_halving_law() -> Law {
    Law::Pointers(Pointers {
        modulus: 2,
        start: vec![0],
        classes: vec![
            PointerClass::Pointer { times: 1, plus: -1 },
            PointerClass::New { times: 1, plus: 1 },
        ],
    })
}

fn linked(ruleset: &Ruleset, law: Pointers) -> Option<Proved> {
    let mut automata = AutomataMeter::new(default_budget());
    let law = Law::Pointers(law);
    links(ruleset, &law, &mut automata, &mut meter())
}

#[track_caller]
fn agrees(law: &Law, ruleset: &Ruleset) {
    for (n, value) in (0u32..).zip(values(ruleset, 300)) {
        let by_law = law.value(&BigUint::from(n));
        assert_eq!(by_law, Some(BigUint::from(value)), "{n}: {law:?}");
    }
}

/// No hint but the rules, and a value at `10^1000`.
#[test]
fn halving_with_splits_is_found() {
    for split in [EQUAL, TWO_ODD, ONE_AND_THE_REST] {
        let ruleset = halving_and(split);
        let finding = find_proof(&ruleset, Some(1000), &Effort::default(), &mut meter());
        let proved = finding.proved().expect(split);
        assert_eq!(proved.theorem.name(), "linked heaps");
        let law = proved.theorem.law();
        agrees(law, &ruleset);
        let large = BigUint::from(10u8).pow(1000) + 3u8;
        assert_eq!(law.value(&large), halving_law().value(&large));
    }
}

/// The law is another one beside powers of two.
#[test]
fn cases_told_by_digits_are_found() {
    let ruleset = halving_and(DIFFERING_BY_ONE);
    let finding = find_proof(&ruleset, Some(1000), &Effort::default(), &mut meter());
    let proved = finding.proved().expect("a proof");
    let law = proved.theorem.law();
    agrees(law, &ruleset);
    let Law::Recursion(cases) = law else {
        panic!("another law: {law:?}");
    };
    assert_eq!(cases.cases.len(), 4, "{cases:?}");
    // By the law: g(2x) = x, g(2x+1) = g(x), but g(2x) = 1 where x+1 is a power of two, and g(2x+1) = x+1 where x+2 is.
    let power = BigUint::from(2u8).pow(3000);
    for (n, value) in [
        (&power - 2u8, 1u8.into()),
        (&power - 3u8, &power / 2u8 - 1u8),
        (&power - 4u8, &power / 2u8 - 2u8),
        (&power + 1u8, &power / 4u8),
    ] {
        assert_eq!(law.value(&n), Some(value));
    }
    // Whatever else is said of a case is false, and so is any other way to tell them.
    let damaged = |damage: &dyn Fn(&mut Recursion)| {
        refused(proved, |certificate, _| {
            let mut cases = cases.clone();
            damage(&mut cases);
            assert_ne!(Law::Recursion(cases.clone()), certificate.law);
            certificate.law = Law::Recursion(cases);
        });
    };
    for at in 0..cases.cases.len() {
        damaged(&|law| law.cases[at].is_new ^= true);
        damaged(&|law| law.cases[at].times += 1);
        damaged(&|law| law.cases[at].plus += 2);
        damaged(&|law| law.cases[at].over += 1);
        damaged(&|law| law.cases[at].over = 0);
    }
    for state in 0..cases.case_of.len() {
        damaged(&|law| law.case_of[state] = (law.case_of[state] + 1) % 4);
        damaged(&|law| law.case_of[state] = 4);
    }
    damaged(&|law| law.base = 3);
    damaged(&|law| {
        law.order = match law.order {
            Order::MostSignificantFirst => Order::LeastSignificantFirst,
            Order::LeastSignificantFirst => Order::MostSignificantFirst,
        };
    });
    damaged(&|law| law.table.truncate(2));
}

/// Takes up to linear bounds have a theorem of their own; that of links proves their laws too.
#[test]
fn takes_up_to_bounds_are_linked() {
    for guard in ["2*k <= n", "2*k <= n+1", "3*k <= n", "3*k <= 2*n"] {
        let text = format!("[n] -> [n-k] where 1 <= k, {guard}");
        let ruleset = parse(&text).expect("rules");
        let seen = recursion(&values(&ruleset, 600)).expect(guard);
        let proved = linked(&ruleset, seen).expect(guard);
        agrees(proved.theorem.law(), &ruleset);
    }
}

/// Splits that change the values, beside the law that is right without them.
#[test]
fn other_splits_are_refused() {
    for split in [DIFFERING_BY_ONE, ANY, "[n] -> [2] + [n-2] where n >= 3"] {
        let ruleset = halving_and(split);
        let right = values(&ruleset, 100);
        let law = halving_law();
        let wrong = (0u32..)
            .zip(right)
            .find(|(n, value)| law.value(&BigUint::from(*n)) != Some(BigUint::from(*value)));
        assert!(wrong.is_some(), "{split}: the law is wrong");
        assert_eq!(linked(&ruleset, halving()), None, "{split}");
        // Nor does the checker take the proof of other rules for one of these.
        let proved = linked(&halving_and(ONE_AND_THE_REST), halving()).expect("a proof");
        let mut certificate = Certificate::from_text(&proved.certificate).expect("written");
        certificate.ruleset = ruleset.canonical_text();
        let refusal = check(&certificate.to_text(), &mut meter());
        assert!(matches!(refusal, Err(Refusal::False(_))), "{split}");
    }
    // Three heaps, and misère play, are outside of the theorem.
    for rules in [
        format!("{HALF}\n[n] -> [a] + [a] + [a] where 3*a = n, a >= 1"),
        format!("play misere\n{HALF}"),
    ] {
        let ruleset = parse(&rules).expect("rules");
        assert_eq!(linked(&ruleset, halving()), None, "{rules}");
    }
}

/// All winning moves, and those to any other value, where digits tell the cases: those of the rules, and in no time at `10^1000`.
#[test]
fn moves_follow_the_links_back() {
    for split in [DIFFERING_BY_ONE, EQUAL] {
        let ruleset = halving_and(split);
        let finding = find_proof(&ruleset, Some(1000), &Effort::default(), &mut meter());
        let theorem = &finding.proved().expect("a proof").theorem;
        let known = Lawful::proved(&ruleset, theorem).expect("a theorem about these rules");
        let mut oracle = Oracle::new(&ruleset);
        let mut value = |component: &Component| {
            let value = oracle.grundy_value(component, &mut meter());
            value.expect("within the limits")
        };
        for n in (0..200u32).chain([255, 256, 510, 511, 512, 1022, 1023, 1998, 1999, 2000]) {
            let heap = Component::of_numbers([n]);
            let all = options(&ruleset, &heap, &mut meter()).expect("few");
            for target in [0, 1, 2, 5, 100, 500u64] {
                let mut worth = |option: &RuleOption| {
                    let values = option.result.iter().map(&mut value);
                    values.fold(0, |sum, value| sum ^ value)
                };
                let mut expected: Vec<_> = all
                    .iter()
                    .filter(|option| worth(option) == target)
                    .map(|option| option.result.clone())
                    .collect();
                let moves = known.moves_to(&heap, &target.into(), &mut meter());
                let moves = moves.expect("no limit");
                let moves = moves.unwrap_or_else(|| panic!("{split}: {n} to {target}"));
                assert_eq!(moves.count(), Some(expected.len().into()), "{split}: {n}");
                let mut found: Vec<_> = moves.iter().map(|option| option.result).collect();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{split}: {n} to {target}");
                let least = moves.least().map(|option| option.result);
                assert_eq!(least.as_ref(), expected.first(), "{split}: {n} to {target}");
            }
        }
        let large = Component::of_numbers([BigUint::from(10u8).pow(1000)]);
        let start = Instant::now();
        let moves = known.moves_to(&large, &0u8.into(), &mut meter());
        let moves = moves.expect("no limit").expect("they are known");
        let count = moves.count().expect("all are known");
        println!(
            "{split}: {count} winning moves at 10^1000 in {:?}",
            start.elapsed()
        );
        for option in moves.iter() {
            let values = option.result.iter().map(|part| known.value(part));
            let sum = values.map(|value| value.expect("a law"));
            assert_eq!(
                sum.fold(BigUint::ZERO, |sum, value| sum ^ value),
                BigUint::ZERO
            );
        }
        assert!(known.reason(&large).is_some(), "{split}");
    }
}

/// A reason is the chain of links to the heap whose value is said.
#[test]
fn links_are_told() {
    let ruleset = halving_and(DIFFERING_BY_ONE);
    let finding = find_proof(&ruleset, Some(1000), &Effort::default(), &mut meter());
    let theorem = &finding.proved().expect("a proof").theorem;
    let known = Lawful::proved(&ruleset, theorem).expect("a theorem about these rules");
    let heap = Component::of_numbers([75u32]);
    assert_eq!(known.value(&heap), Some(9u8.into()));
    let reason = known.reason(&heap).expect("a recursion");
    let told = reason_of_value(&reason, &Nimber::from(9));
    assert_eq!(
        told,
        "g(75) = g(37); g(37) = g(18); g(18) = 9, as its digits tell"
    );
}

/// Whatever takes are put beside whatever splits: what is accepted is so.
#[test]
fn accepted_laws_are_true() {
    let takes = [HALF, "[n] -> [n-k] where k >= 1, 2*k <= n+1"];
    let splits = [
        EQUAL,
        TWO_ODD,
        ONE_AND_THE_REST,
        DIFFERING_BY_ONE,
        "[n] -> [a] + [n-a] where 1 <= a < n-a",
        "[n] -> [2] + [n-2] where n >= 3",
        "[n] -> [a] + [n-a] where a in powers of 2, 2*a = n",
        "[n] -> [a] + [n-a-1] where 2*a + 1 = n",
        "[n] -> nothing where n in powers of 2",
    ];
    let mut proved = 0;
    for (take, split) in takes
        .iter()
        .flat_map(|take| splits.iter().map(move |split| (take, split)))
    {
        let ruleset = parse(&format!("{take}\n{split}")).expect("rules");
        let values = values(&ruleset, 600);
        let laws = [halving_law(), shifted_halving_law()];
        for law in laws.into_iter().chain(recursions(&values)) {
            // Proofs take far less; most of these laws are false.
            let mut automata = AutomataMeter::new(grundy_automata::Budget {
                steps: 1 << 22,
                ..default_budget()
            });
            if let Some(proof) = links(&ruleset, &law, &mut automata, &mut meter()) {
                println!("{take}; {split}: {law:?}");
                agrees(proof.theorem.law(), &ruleset);
                proved += 1;
            }
        }
    }
    println!("{proved} proved");
    assert!(proved >= 6);
}

fn damaged(proved: &Proved, damage: impl Fn(&mut Certificate, &mut LinksProof)) -> Option<Refusal> {
    let mut certificate = Certificate::from_text(&proved.certificate).expect("written");
    let Proof::Links(mut proof) = certificate.proof.clone() else {
        panic!("another proof");
    };
    damage(&mut certificate, &mut proof);
    certificate.proof = Proof::Links(proof);
    check(&certificate.to_text(), &mut meter()).err()
}

#[track_caller]
fn refused(proved: &Proved, damage: impl Fn(&mut Certificate, &mut LinksProof)) {
    let refusal = damaged(proved, damage);
    assert!(
        matches!(refusal, Some(Refusal::False(_) | Refusal::Malformed(_))),
        "{refusal:?}"
    );
}

#[test]
fn damaged_certificates_are_refused() {
    let ruleset = halving_and(EQUAL);
    let proved = linked(&ruleset, halving()).expect("a proof");
    assert_eq!(damaged(&proved, |_, _| {}), None);
    for class in 0..2 {
        for (times, plus) in [(0, 0), (1, 1), (1, -1), (2, 0)] {
            for is_new in [true, false] {
                refused(&proved, |certificate, _| {
                    let Law::Pointers(law) = &mut certificate.law else {
                        unreachable!("the law is one of pointers")
                    };
                    let new = if is_new {
                        PointerClass::New { times, plus }
                    } else {
                        PointerClass::Pointer { times, plus }
                    };
                    assert_ne!(law.classes[class], new);
                    law.classes[class] = new;
                });
            }
        }
    }
    refused(&proved, |certificate, _| {
        let mut law = halving();
        law.start = vec![1];
        certificate.law = Law::Pointers(law);
    });
    // Another way to write numbers, or other conditions.
    refused(&proved, |_, proof| {
        proof.numeration = grundy_certificate::automatic::Numeration::Base(3);
    });
    refused(&proved, |_, proof| proof.choice.doublings += 1);
    refused(&proved, |_, proof| proof.choice.doublings = 1 << 20);
    refused(&proved, |_, proof| {
        proof.choice.splits = !proof.choice.splits;
    });
    refused(&proved, |_, proof| {
        let zeros = proof.zeros.as_mut().expect("there are splits");
        zeros
            .accepting
            .iter_mut()
            .for_each(|accepts| *accepts = !*accepts);
    });
    // What is defined, and the invariants: whatever entry is another one.
    let Proof::Links(proof) = Certificate::from_text(&proved.certificate)
        .expect("written")
        .proof
    else {
        panic!("another proof");
    };
    for (at, automaton) in proof.defined.iter().enumerate() {
        for state in 0..automaton.accepting.len() {
            refused(&proved, |_, proof| {
                let accepting = &mut proof.defined[at].accepting;
                accepting[state] = !accepting[state];
            });
        }
        refused(&proved, |_, proof| drop(proof.defined.remove(at)));
    }
    for at in 0..proof.invariants.len() {
        refused(&proved, |_, proof| drop(proof.invariants.remove(at)));
        refused(&proved, |_, proof| proof.invariants[at].truncate(3));
        refused(&proved, |_, proof| proof.invariants[at].push(0));
    }
    // A law of another kind, and a proof of another kind.
    refused(&proved, |certificate, _| {
        certificate.law = Law::TakeUpTo(grundy_certificate::TakeUpTo { bounds: Vec::new() });
    });
    let mut certificate = Certificate::from_text(&proved.certificate).expect("written");
    certificate.proof = Proof::Pointers;
    let refusal = check(&certificate.to_text(), &mut meter());
    let expected = Falsehood::DoesNotApply {
        theorem: "pointers",
        reason: Reason::Moves,
    };
    assert_eq!(refusal, Err(Refusal::False(expected)));
}
