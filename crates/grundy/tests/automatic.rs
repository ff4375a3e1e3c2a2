//! Laws for all sizes from the rules' text: the rules as automata are the rules, what is derived is true, and what is false
//! is refuted.

mod by_hand;

use grundy::Outcome;
use grundy::catalogue::GAMES;
use grundy::claim::{Actual, Beyond, Claimed, beyond};
use grundy::oracle::Oracle;
use grundy::proof::automatic::{
    Answer, Certification, Game, Holds, Law, Reason, Says, Undecided, certify, decide,
    option_relations,
};
use grundy_automata::{
    Automaton, Budget, DigitOrder, Encoding, Formula, NumerationSystem, Relation, Solver,
};
use grundy_rules::options::{ending, keeps_order, normalise, options};
use grundy_rules::ruleset::Function;
use grundy_rules::{Component, Ruleset};
use num_bigint::BigUint;
use proptest::prelude::*;

use by_hand::{
    E_AND_D, FIBONACCI_NIM, LASKER, NIM, OF_ONE_HEAP, PERIODIC, X, Y, automata, base, e_and_d,
    fibonacci_nim_lost, meter, moore, moore_lost, oracle_values, periodic, rules, wythoff_lost,
};

/// All tuples of so many numbers below a bound.
fn tuples(length: usize, bound: u64) -> Vec<Vec<u64>> {
    (0..length).fold(vec![Vec::new()], |all: Vec<Vec<u64>>, _| {
        all.iter()
            .flat_map(|tuple| (0..bound).map(|n| [tuple.as_slice(), &[n]].concat()))
            .collect()
    })
}

const MOST_TRACKS: usize = 8;

fn unlimited() -> grundy_automata::Meter<'static> {
    grundy_automata::Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    })
}

/// The systems in which rules are held against themselves.
fn encodings() -> Vec<Encoding> {
    let base = |k| NumerationSystem::base(k).expect("a base");
    [base(2), base(3), NumerationSystem::zeckendorf()]
        .into_iter()
        .zip([DigitOrder::Lsd, DigitOrder::Msd, DigitOrder::Msd])
        .map(|(system, order)| Encoding::new(system, order))
        .collect()
}

/// Holds the options that automata tell of all components of a box against those that the rules give. Tells how
/// many options were compared.
fn options_agree(name: &str, ruleset: &Ruleset, arity: usize, bound: u64) -> usize {
    let Ok(game) = Game::new(ruleset, arity) else {
        return 0;
    };
    let mut compared = 0;
    for encoding in encodings() {
        let budget = Budget {
            states: 3_000,
            steps: 1 << 27,
            ..Budget::default()
        };
        let mut automata = grundy_automata::Meter::new(budget);
        let Ok(relations) = option_relations(&game, encoding.clone(), &mut automata) else {
            continue;
        };
        // Enumeration takes time exponential in the number of tracks.
        let tracks = |(parts, _): &(usize, Relation)| (parts + 1) * arity;
        if relations.iter().map(tracks).max().unwrap_or(0) > MOST_TRACKS {
            continue;
        }
        let mut automata = unlimited();
        for tuple in tuples(arity, bound) {
            let component = Component::of_numbers(tuple.iter().copied());
            if normalise(ruleset, component.clone()) != component
                || !keeps_order(ruleset, &component)
            {
                continue;
            }
            let mut expected: Vec<Vec<Component>> = options(ruleset, &component, &mut meter())
                .expect("small")
                .into_iter()
                .map(|option| option.result)
                .collect();
            let over = ending(ruleset, &component, &mut meter()).expect("small");
            if over.is_some() {
                expected.clear();
            }
            let mut found = Vec::new();
            for (parts, relation) in &relations {
                let mut here = relation.clone();
                for n in &tuple {
                    here = here
                        .restrict(0, &BigUint::from(*n), &mut automata)
                        .expect("small");
                }
                let mut all = here.tuples();
                while let Some(numbers) = all.next(&mut automata).expect("small") {
                    let result: Vec<Component> = if arity == 0 {
                        vec![Component::default(); *parts]
                    } else {
                        numbers
                            .chunks(arity)
                            .map(|part| {
                                let part = Component::of_numbers(part.iter().cloned());
                                normalise(ruleset, part)
                            })
                            .collect()
                    };
                    found.push(result);
                    assert!(
                        found.len() < 1 << 16,
                        "{name}: {tuple:?} has too many options"
                    );
                }
            }
            for all in [&mut expected, &mut found] {
                for result in all.iter_mut() {
                    result.sort();
                }
                all.sort();
                all.dedup();
            }
            assert_eq!(found, expected, "{name}: {tuple:?} under {encoding}");
            compared += found.len();
        }
    }
    compared
}

#[test]
fn options_are_those_of_the_rules_for_every_game_of_the_catalogue() {
    let mut inside = Vec::new();
    for entry in GAMES {
        let ruleset = rules(entry.text);
        for (arity, bound) in [(1, 18), (2, 6), (3, 4), (4, 3)] {
            if options_agree(entry.name, &ruleset, arity, bound) > 0 {
                inside.push((entry.name, arity));
            }
        }
    }
    for expected in [
        ("kayles", 1),
        ("lasker", 1),
        ("three-way", 1),
        ("half", 1),
        ("powers", 1),
        ("take-a-fibonacci", 1),
        ("king", 2),
        ("wythoff", 2),
        ("e-and-d", 2),
        ("cyclic-nimhoff", 2),
        ("fibonacci-nim", 2),
        ("nim-2-pass", 3),
        ("staircase", 4),
        ("pebbles", 3),
        ("same-from-some", 3),
    ] {
        assert!(
            inside.contains(&expected),
            "{expected:?} is not in {inside:?}"
        );
    }
}

/// One rule of heaps or pairs, with conditions of many kinds.
fn rule() -> impl Strategy<Value = (usize, String)> {
    let one = prop::sample::select(vec![
        ("[n]", "[n-k]", "k >= 1"),
        ("[n]", "[n-k]", "1 <= k <= max(n/3, 2)"),
        ("[n]", "[n-k]", "k in {1,3,4}"),
        ("[n]", "[n-k]", "k in all but {2,5}"),
        ("[n]", "[n-k]", "k >= 1, n not in all but {2,5}"),
        ("[n]", "[n-k]", "k mod 3 = n mod 2, k >= 1"),
        ("[n]", "[n-k]", "k in powers of 2, k >= 2"),
        ("[n]", "[n-k]", "k in powers of 3"),
        ("[n]", "[n-k]", "k not in fibonacci, k >= 1"),
        ("[n]", "[n xor k]", "n xor k < n, k <= n"),
        ("[n]", "[k]", "k < n, k band 2 = 0"),
        ("[n]", "[(n-k)/2]", "1 <= k <= 4"),
        ("[n]", "[abs(n-7) shr 1]", "n >= 1"),
        ("[n]", "nothing", "n in {1,2,6}"),
        ("[n]", "[a] + [n-a]", "1 <= a < n-a"),
        ("[n]", "[a] + [n-1-a]", "a >= 0"),
        ("[n]", "[a] + [b] + [n-a-b-1]", "a >= 1, b >= 1"),
        ("[n]", "[n-1] | [n-2]", "n >= 2"),
        ("[n]", "2 of [n-2]", "n <= 9"),
        ("[n]", "[n-v] for v in 1..2", "n != 4"),
        ("[0]", "[3]", "1 <= 1"),
        ("[x, y]", "[x-k, y] | [x, y-k]", "k >= 1"),
        ("[x, y]", "[x-k, y-j]", "k >= 1, j >= 1, abs(k-j) < 2"),
        ("[x, x]", "[x-k, k]", "k >= 1"),
        ("[x, 2]", "[min(x, 1), x/2]", "x >= 1"),
        ("[x, y]", "[y, x-1]", "x > y"),
        ("[x, r..]", "[x-1, r..]", "length(r) = 1, sum(r) < 3"),
    ]);
    let condition = prop::sample::select(vec![
        "",
        "",
        ", j < 9, some i in 1..4: i + j = 5",
        ", every i in 2..4: i != 3 or 1 <= i",
        ", j <= 2, some i in -2..0: i + j = 0",
        ", not 7 / 0 = 1",
        ", j <= 6, j + j = 6 or j = 0",
    ]);
    (one, condition, any::<bool>()).prop_map(|((pattern, result, must), and, unordered)| {
        let arity = pattern.matches(',').count() + 1;
        let unordered = if unordered && arity > 1 && !pattern.contains('r') {
            "unordered\n"
        } else {
            ""
        };
        let text = format!("{unordered}{pattern} -> {result} where {must}{and}");
        (arity, text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn options_are_those_of_random_rules((arity, text) in rule()) {
        let ruleset = rules(&text);
        prop_assert!(Game::new(&ruleset, arity).is_ok());
        options_agree(&text, &ruleset, arity, if arity == 1 { 14 } else { 5 });
    }
}

/// What becomes of a claim about all components of a game.
#[track_caller]
fn claimed(text: &str, claim: &str) -> Answer {
    let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
    let claim = &ruleset.claims[0];
    let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
    let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
    decide(&ruleset, &game, &law, &mut automata(), &mut meter()).expect("a law of the game")
}

#[track_caller]
fn is_derived(text: &str, claim: &str) {
    let answer = claimed(text, claim);
    assert!(
        matches!(answer, Answer::Derived { .. }),
        "{text}: {answer:?}"
    );
}

#[track_caller]
fn is_refuted(text: &str, claim: &str, at: &[u64]) {
    match claimed(text, claim) {
        Answer::Refuted(found) => {
            let component = Component::of_numbers(at.iter().copied());
            assert_eq!(found.position.0, [component], "{text}");
        }
        answer => panic!("{text}: {answer:?}"),
    }
}

#[test]
fn laws_of_one_heap() {
    for (text, law) in OF_ONE_HEAP {
        is_derived(text, law);
    }
    for (text, start, period) in PERIODIC {
        let values = oracle_values(text, start + period);
        is_derived(text, &periodic(&values, *start));
    }
}

#[test]
fn false_laws_of_one_heap() {
    is_refuted(LASKER, "grundy [n] = n", &[3]);
    let mut values = oracle_values("rules 0.77", 83);
    values[70] = values[58];
    is_refuted("rules 0.77", &periodic(&values, 71), &[70]);
    // Unequal parts: n0 = 4, p = 3 agrees below 13 and fails there.
    let text = "[n] -> [a] + [n-1-a] where 1 <= a < n-1-a\n[2] -> nothing";
    let values = oracle_values(text, 7);
    assert!(matches!(
        claimed(text, &periodic(&values, 4)),
        Answer::Refuted(_)
    ));
}

#[test]
fn laws_of_tuples() {
    let heaps = "take: [x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    is_derived(heaps, "lost [x, y, z] iff (x xor y) xor z = 0");
    is_derived(heaps, "grundy [x, y, z] = x xor y xor z");
    let ignoring = "lost [x, y, z] iff x/2 xor y/2 xor z/2 = 0";
    assert!(matches!(claimed(heaps, ignoring), Answer::Refuted(_)));
    is_derived(
        &format!("play misere\n{heaps}"),
        "lost [x, y, z] iff x xor y xor z = 0 and max(x, y, z) > 1 or x + y + z in {1,3} and max(x, y, z) = 1",
    );
    is_derived(
        "[x, y] -> [x+k, y] | [x, y-k] where 1 <= k < y-x",
        "grundy [x, y] = y - x - 1 if y > x; 0",
    );
    is_derived(
        "[n, l] -> [n-k, l] where 1 <= k <= 3, l <= 4",
        "grundy [n, l] = n mod 4 if l <= 4; 0",
    );
    is_derived(
        "row a\ndown: a[i] -= k, a[i-1] += k where i >= 2, k >= 1\nout: a[1] -= k where k >= 1",
        "grundy [x, y, z] = x xor z",
    );
    is_derived(
        "row p, increasing\nslide: p[i] -= k where k >= 1",
        "lost [x, y] iff y = x + 1",
    );
    is_derived(
        "start [x, y] as [x, y, 1]\n[x, y, p] -> [x-k, y, p] | [x, y-k, p] where k >= 1\n\
         [x, y, 1] -> [x, y, 0] where x + y >= 1",
        "lost [x, y, p] iff x + y = 0 or p != 1 and x = y \
         or p = 1 and abs(x - y) = 1 and max(x, y) mod 2 = 0",
    );
    is_derived(
        "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]",
        "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0",
    );
    for h in [3, 4, 5] {
        is_derived(
            &format!(
                "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                 [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < {h}"
            ),
            &format!("grundy [x, y] = {h} * ((x / {h}) xor (y / {h})) + (x + y) mod {h}"),
        );
    }
}

#[test]
fn endless_play_is_not_taken_for_a_law() {
    let answer = claimed("[n] -> [n] where n >= 3", "grundy [n] = 0");
    assert_eq!(answer, Answer::Undecided(Undecided::NoMeasure));
}

fn of_formula(
    text: &str,
    arity: usize,
    says: Says,
    system: NumerationSystem,
    holds: Formula,
) -> Answer {
    let ruleset = rules(text);
    let game = Game::new(&ruleset, arity).expect("decidable rules");
    let law = Law {
        says,
        holds: Holds::Formula(holds),
        system,
    };
    decide(&ruleset, &game, &law, &mut automata(), &mut meter()).expect("a law of the game")
}

/// Wythoff (1907), and Fraenkel (1982) for amounts that differ by less than r.
#[test]
fn wythoff() {
    for r in 1..=3u32 {
        let system = NumerationSystem::wythoff(r).expect("a step");
        let says = Says::Lost { components: 1 };
        let answer = of_formula(&by_hand::wythoff(r), 2, says, system, wythoff_lost());
        assert!(matches!(answer, Answer::Derived { .. }), "{r}: {answer:?}");
    }
}

/// Whinihan (1963).
#[test]
fn fibonacci_nim() {
    let says = Says::Lost { components: 1 };
    let system = NumerationSystem::zeckendorf();
    let answer = of_formula(FIBONACCI_NIM, 2, says, system, fibonacci_nim_lost());
    assert!(matches!(answer, Answer::Derived { .. }), "{answer:?}");
}

/// E&D: the value is the least place at which x-1 and y-1 both have the binary digit 0.
#[test]
fn the_value_as_a_power_of_two() {
    let answer = of_formula(E_AND_D, 2, Says::PowerOfValue, base(2), e_and_d());
    assert!(matches!(answer, Answer::Derived { .. }), "{answer:?}");
}

#[test]
fn several_heaps_under_compounds() {
    for (heaps, d) in [(2, 1), (3, 1), (3, 2), (4, 2), (4, 3), (5, 2), (6, 3)] {
        let ruleset = rules(&moore(d));
        let game = Game::new(&ruleset, 1).expect("decidable rules");
        let law = Law {
            says: Says::Lost {
                components: heaps as usize,
            },
            holds: Holds::Relation(moore_lost(heaps, d)),
            system: base(2),
        };
        let answer = decide(&ruleset, &game, &law, &mut automata(), &mut meter());
        assert!(
            matches!(answer, Ok(Answer::Derived { .. })),
            "{heaps} {d}: {answer:?}"
        );
        // For one heap more or less at a time it is another game.
        let other = rules(&moore(d + 1));
        let game = Game::new(&other, 1).expect("decidable rules");
        let answer = decide(&other, &game, &law, &mut automata(), &mut meter());
        assert!(
            matches!(answer, Ok(Answer::Refuted(_))),
            "{heaps} {d}: {answer:?}"
        );
    }
    // All at once, and over as soon as one is empty: the parity of the shortest is all.
    for (compound, bound) in [("conjunctive", "min"), ("conjunctive continued", "max")] {
        let ruleset = rules(&format!("compound {compound}\n[n] -> [n-1]"));
        let game = Game::new(&ruleset, 1).expect("decidable rules");
        let relation = {
            let encoding = Encoding::new(base(2), DigitOrder::Msd);
            let first = Formula::less_equal(X, Y);
            let least = |z, w| Formula::congruent(if bound == "min" { z } else { w }, 0, 2);
            let formula = first
                .clone()
                .and(least(X, Y))
                .or(first.negated().and(least(Y, X)));
            Solver::new(encoding)
                .relation(&formula, &[X, Y], &mut automata())
                .expect("small")
        };
        let law = Law {
            says: Says::Lost { components: 2 },
            holds: Holds::Relation(relation),
            system: base(2),
        };
        let answer = decide(&ruleset, &game, &law, &mut automata(), &mut meter());
        assert!(
            matches!(answer, Ok(Answer::Derived { .. })),
            "{compound}: {answer:?}"
        );
    }
}

/// Every change of one transition that leaves a relation is refuted, or is no change of the law.
#[test]
fn damaged_laws_are_refuted() {
    let mut refuted = 0;
    for (text, claim) in [
        (NIM, "grundy [n] = n"),
        (
            LASKER,
            "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n",
        ),
        (
            "rules {2,5}",
            "grundy [n] = 0 if n mod 7 in {0,1,4}; 1 if n mod 7 in {2,3,6}; 2",
        ),
        (
            "[n] -> [n-k] where k in powers of 2",
            "grundy [n] = n mod 3",
        ),
    ] {
        let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
        let game = Game::new(&ruleset, 1).expect("decidable rules");
        let law = Law::of_claim(&ruleset, &ruleset.claims[0], &game).expect("decidable");
        let Holds::Formula(formula) = &law.holds else {
            unreachable!("claims are formulas")
        };
        let encoding = Encoding::new(law.system.clone(), DigitOrder::Msd);
        let mut solver = Solver::new(encoding.clone());
        let relation = solver
            .relation(formula, &[X, Y], &mut automata())
            .expect("small");
        let right = relation.automaton();
        let states = u32::try_from(right.states()).expect("few");
        for at in 0..right.table().len() {
            for target in 0..states {
                let mut table = right.table().to_vec();
                table[at] = target;
                let damaged =
                    Automaton::new(right.alphabet().clone(), table, right.accepting().to_vec());
                let damaged = damaged.expect("a table");
                let Ok(damaged) = Relation::new(encoding.clone(), &damaged, &mut automata()) else {
                    continue;
                };
                let law = Law {
                    holds: Holds::Relation(damaged.clone()),
                    ..law.clone()
                };
                let answer = decide(&ruleset, &game, &law, &mut automata(), &mut meter());
                let answer = answer.expect("a law of the game");
                if damaged == relation {
                    assert!(
                        matches!(answer, Answer::Derived { .. }),
                        "{text}: {answer:?}"
                    );
                } else {
                    assert!(matches!(answer, Answer::Refuted(_)), "{text}: {answer:?}");
                    refuted += 1;
                }
            }
        }
    }
    assert!(refuted > 100, "only {refuted} damaged laws");
}

/// A clause outside is told, with the line it stands in.
#[test]
fn what_is_outside_is_told() {
    for (text, arity, reason) in [
        (
            "[x, y] -> [x-k*y, y] where k >= 1, y >= 1",
            2,
            Reason::Product,
        ),
        ("[n] -> [d] where d | n, d < n", 1, Reason::Divisor),
        ("[n] -> [n-k] where k in squares", 1, Reason::Set),
        ("[n] -> k of [n/2] where 1 <= k <= n", 1, Reason::Series),
        ("[n] -> [n-2^k] where k <= n", 1, Reason::Exponent),
        ("[x] + [y] -> [x+y] where x >= 1", 1, Reason::Joint),
        ("row a, ring\n[x, r..] -> [r.., x]", 2, Reason::Row),
        ("row a\n[x, r..] -> [r..]", 2, Reason::Arity),
        (
            "[n] -> [n-k] where k >= 1, gcd(k, n) = 1",
            1,
            Reason::Function(Function::Gcd),
        ),
    ] {
        let found = Game::new(&rules(text), arity).expect_err(text);
        assert_eq!(found.reason, reason, "{text}");
        if let Some(span) = found.span {
            assert!(text[span.start..span.end].contains("->"), "{text}");
        }
    }
}

/// A claim of `[x, y]` where such a component is completed speaks of another component.
#[test]
fn claims_about_completed_components_are_outside() {
    let text = "start [x, y] as [x, y, 1]\n[x, y, p] -> [x-1, y, p]\nclaim lost [x, y] iff x = 0";
    let ruleset = rules(text);
    let game = Game::new(&ruleset, 2).expect("decidable rules");
    let law = Law::of_claim(&ruleset, &ruleset.claims[0], &game);
    assert_eq!(law.expect_err("completed").reason, Reason::Start);
}

/// Refutations of claims are counterexamples with what is claimed and what is so.
#[test]
fn counterexamples_beyond_a_table() {
    let text = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\nclaim lost [x, y] iff x = y and x != 60\n\
                claim grundy [x, y] = (x xor y) mod 64\nclaim lost [x, y] iff x = y";
    let ruleset = rules(text);
    let found = |at: usize| {
        let claim = &ruleset.claims[at];
        beyond(&ruleset, claim, &mut automata(), &mut meter()).expect("a claim of the fragment")
    };
    let refuted = |at: usize| match found(at) {
        Beyond::Refuted(counterexample) => counterexample,
        other => panic!("{other:?}"),
    };
    let first = refuted(0);
    assert_eq!(first.position.0, [Component::of_numbers([60u32, 60])]);
    assert_eq!(first.claimed, Claimed::NotLost);
    let second = refuted(1);
    assert!(matches!(second.claimed, Claimed::Value(_)));
    assert!(matches!(found(2), Beyond::Proved(_)));
}

/// Numbers that decide sums are proved where they are the values, and refuted by a sum where they decide wrongly.
#[test]
fn claims_about_sums() {
    let pairs = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
    let found = |text: &str, claim: &str| {
        let ruleset = rules(&format!("{text}\nclaim lost sum with {claim}\n"));
        beyond(&ruleset, &ruleset.claims[0], &mut automata(), &mut meter()).expect("inside")
    };
    for (text, claim) in [
        (NIM, "[n] = n"),
        (
            LASKER,
            "[n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n",
        ),
        (pairs, "[x, y] = x xor y"),
    ] {
        assert!(matches!(found(text, claim), Beyond::Proved(_)), "{claim}");
    }
    for (text, claim) in [
        // Alone it is claimed to be lost.
        (NIM, "[n] = n if n != 1000; 0"),
        // With a small heap.
        (NIM, "[n] = n if n != 1000; 7"),
        (LASKER, "[n] = n"),
        // With two.
        (NIM, "[n] = n if n < 100; n + 1"),
        (pairs, "[x, y] = x xor y if x != 50; 9"),
    ] {
        let Beyond::Refuted(refuted) = found(text, claim) else {
            panic!("{claim}");
        };
        let ruleset = rules(text);
        let mut oracle = Oracle::new(&ruleset);
        // Sprague (1935) and Grundy (1939): to search the sum itself takes long.
        let values = refuted.position.0.iter().map(|component| {
            let value = oracle.grundy_value(component, &mut meter());
            value.expect("a small component")
        });
        let nim_sum = values.fold(0, |sum, value| sum ^ value);
        let outcome = if nim_sum == 0 { Outcome::P } else { Outcome::N };
        assert_eq!(refuted.actual, Actual::Outcome(outcome), "{claim}");
        let Claimed::NimSum(sum) = &refuted.claimed else {
            panic!("{refuted:?}");
        };
        assert_ne!(*sum == BigUint::ZERO, outcome == Outcome::P, "{claim}");
    }
    // Other numbers than the values may be right.
    assert_eq!(found(NIM, "[n] = 2 * n"), Beyond::Neither);
}

/// Periods and starts of laws that values of some heaps show, or that are made up.
fn guesses(values: &[u64]) -> Vec<(usize, usize)> {
    let shown = (1..=12).filter_map(|period| {
        let repeats = |start: &usize| {
            let later = *start..values.len() - period;
            later.clone().count() >= 2 * period
                && later.into_iter().all(|n| values[n] == values[n + period])
        };
        let start = (0..values.len() / 2).find(repeats)?;
        Some((start, period))
    });
    shown.take(1).chain([(0, 2), (3, 4)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    /// What is derived of random rules is so for larger heaps than it was guessed from, and a refutation is one.
    #[test]
    fn answers_about_random_rules_are_true((arity, text) in rule()) {
        prop_assume!(arity == 1);
        let ruleset = rules(&text);
        let mut oracle = Oracle::new(&ruleset);
        let mut value = |n: usize| {
            let heap = Component::of_numbers([n as u64]);
            oracle.grundy_value(&heap, &mut meter()).ok()
        };
        let known: Option<Vec<u64>> = (0..120).map(&mut value).collect();
        prop_assume!(known.is_some());
        let known = known.expect("assumed");
        for (start, period) in guesses(&known[..48]) {
            let law = &known[..start + period];
            let said = |n: usize| law[if n < law.len() { n } else { start + (n - start) % period }];
            let ruleset = rules(&format!("{text}\nclaim {}\n", periodic(law, start)));
            let game = Game::new(&ruleset, 1).expect("decidable rules");
            let Ok(law) = Law::of_claim(&ruleset, &ruleset.claims[0], &game) else {
                continue;
            };
            let budget = Budget { states: 2_000, steps: 1 << 26, ..Budget::default() };
            let mut automata = grundy_automata::Meter::new(budget);
            let answer = decide(&ruleset, &game, &law, &mut automata, &mut meter());
            let mut automata = grundy_automata::Meter::new(budget);
            let second = certify(&ruleset, &game, &law, &mut automata, &mut meter());
            let agree = match (&answer, &second) {
                (Ok(Answer::Derived { .. }), Ok(other)) => {
                    !matches!(other, Certification::Refuted(_))
                }
                (Ok(Answer::Refuted(_)), Ok(other)) => !matches!(other, Certification::Proved(_)),
                _ => true,
            };
            prop_assert!(agree, "{}: {:?} and {:?}", text, answer, second);
            match answer {
                Ok(Answer::Derived { .. }) => {
                    for (n, value) in known.iter().enumerate() {
                        prop_assert_eq!(said(n), *value, "{}: heap {}", text, n);
                    }
                }
                Ok(Answer::Refuted(found)) => {
                    let heap = found.position.0[0].as_heap().expect("a heap");
                    let n = usize::try_from(heap).expect("small");
                    prop_assert_ne!(Some(said(n)), value(n), "{}: heap {}", text, n);
                }
                Ok(Answer::Undecided(_)) | Err(_) => {}
            }
        }
    }
}
