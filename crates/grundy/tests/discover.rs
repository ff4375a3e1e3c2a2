//! Laws found from the plain rules with no hint, and laws that are honestly not found.

use grundy::catalogue;
use grundy::discover::{Effort, Found, NoSearch, Reading, Report, Scope, find_proof, search};
use grundy::law::Periodicity;
use grundy::oracle::Oracle;
use grundy::outcome::Outcome;
use grundy::proof::automatic::Says;
use grundy_automata::NumerationSystem;
use grundy_rules::given::prepare;
use grundy_rules::{Component, Meter, Position, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(grundy_rules::Budget {
        steps: 1 << 32,
        bytes: 1 << 30,
    })
}

fn rules(game: &str) -> Ruleset {
    let text = catalogue::find(game).map_or(game, |entry| entry.text);
    parse(text).unwrap_or_else(|faults| panic!("{game}: {faults:?}"))
}

fn searched(ruleset: &Ruleset, scope: Scope) -> Result<Report, NoSearch> {
    let mut automata = grundy_automata::Meter::new(grundy_automata::Budget::default());
    search(
        ruleset,
        scope,
        &Effort::default(),
        &mut automata,
        &mut meter(),
    )
}

#[track_caller]
fn found(game: &str, coordinates: usize, components: usize) -> Found {
    let scope = Scope {
        coordinates,
        components,
    };
    let report = searched(&rules(game), scope).unwrap_or_else(|why| panic!("{game}: {why:?}"));
    report.found.unwrap_or_else(|| panic!("{game}: nothing"))
}

#[track_caller]
fn states(game: &str, coordinates: usize, expected: usize) {
    let found = found(game, coordinates, 1);
    let states = found.relation.automaton().states();
    assert_eq!(states, expected, "{game}: {found:?}");
}

/// The automata of laws about values are those that other programs find: minimal, so of as many states.
#[test]
fn laws_about_values() {
    for (game, coordinates, expected) in [
        ("nim", 1, 2),
        ("lasker", 1, 12),
        ("powers", 1, 7),
        ("rules {2,5}", 1, 11),
        ("kayles", 1, 49),
        ("dawsons-kayles", 1, 74),
        ("three-way", 1, 16),
        ("cyclic-nimhoff", 2, 23),
        ("e-and-d", 2, 10),
        ("chomp-2", 3, 5),
    ] {
        states(game, coordinates, expected);
    }
}

#[test]
fn laws_about_lost_positions() {
    for (game, coordinates, expected) in [
        ("wythoff", 2, 8),
        ("misere-wythoff", 2, 14),
        ("fibonacci-nim", 2, 5),
        ("generalized-wythoff", 2, 10),
        ("silver-dollar", 2, 8),
        ("nim-2-pass", 3, 8),
    ] {
        states(game, coordinates, expected);
    }
    for (game, components, expected) in [("misere-nim", 3, 5), ("moore", 3, 2)] {
        let found = found(game, 1, components);
        assert_eq!(found.says, Says::Lost { components });
        let states = found.relation.automaton().states();
        assert_eq!(states, expected, "{game}");
    }
}

/// Rules of tuples, rows and several heaps whose laws people know: each is found from its rules alone and proved.
#[test]
fn laws_of_several_numbers() {
    let nim = |heaps: usize| {
        let names: Vec<String> = ('a'..).take(heaps).map(String::from).collect();
        let taken = (0..heaps).map(|at| {
            let mut names = names.clone();
            names[at] += "-k";
            format!("[{}]", names.join(", "))
        });
        let taken: Vec<String> = taken.collect();
        format!(
            "[{}] -> {} where k >= 1",
            names.join(", "),
            taken.join(" | ")
        )
    };
    let cyclic = |h: u32| {
        format!(
            "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
             [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < {h}"
        )
    };
    let stairs =
        "row a\ndown: a[i] -= k, a[i-1] += k where i >= 2, k >= 1\nout: a[1] -= k where k >= 1";
    let coins = "row p, increasing\nslide: p[i] -= k where k >= 1";
    let split = "[n] -> [a] + [n-a] where 1 <= a < n";
    let moore = |d: u32| format!("compound selective up to {d}\n[n] -> [n-k] where k >= 1");
    let all = [
        (split.to_owned(), 1, 1),
        ("rules {3,7,10}".to_owned(), 1, 1),
        (stairs.to_owned(), 3, 1),
        (stairs.to_owned(), 4, 1),
        (coins.to_owned(), 3, 1),
        (cyclic(4), 2, 1),
        (cyclic(5), 2, 1),
        (moore(2), 1, 4),
        (moore(2), 1, 5),
        (moore(3), 1, 5),
        (moore(3), 1, 6),
    ];
    let heaps = (2..=6).map(|heaps| (nim(heaps), heaps, 1));
    for (text, coordinates, components) in all.into_iter().chain(heaps) {
        let found = found(&text, coordinates, components);
        assert!(found.proof.is_ok(), "{text}: {found:?}");
    }
}

/// The smallest components of several numbers are told with their values, and only components.
#[test]
fn first_values() {
    let told = |game: &str, coordinates: usize| {
        let ruleset = rules(game);
        let found = found(game, coordinates, 1);
        let mut automata = grundy_automata::Meter::new(grundy_automata::Budget::default());
        Reading::of(&ruleset, &found, &mut automata).few
    };
    let entry = |numbers: &[u64], value: u64| (numbers.to_vec(), BigUint::from(value));
    let nim = told("[x, y] -> [x-k, y] | [x, y-k] where k >= 1", 2);
    let expected = [
        entry(&[0, 0], 0),
        entry(&[0, 1], 1),
        entry(&[1, 0], 1),
        entry(&[0, 2], 2),
        entry(&[1, 1], 0),
        entry(&[2, 0], 2),
    ];
    assert_eq!(nim[..6], expected);
    assert_eq!(nim.len(), 16);
    let nonincreasing = told("chomp-2", 3);
    assert!(
        nonincreasing
            .iter()
            .all(|(numbers, _)| numbers.is_sorted_by(|x, y| x >= y))
    );
    // Here automata read powers of two for the values.
    let by_digits = told("e-and-d", 2);
    assert!(by_digits.contains(&entry(&[1, 2], 1)), "{by_digits:?}");
}

/// The numeration system is found too.
#[test]
fn systems() {
    let zeckendorf = NumerationSystem::zeckendorf();
    let system = |game| found(game, 2, 1).relation.encoding().system.clone();
    assert_eq!(system("wythoff"), zeckendorf);
    assert_eq!(system("fibonacci-nim"), zeckendorf);
    let silver = NumerationSystem::wythoff(2).expect("a step");
    assert_eq!(system("generalized-wythoff"), silver);
    let threes = found("[n] -> [n-k] where k in powers of 3", 1, 1);
    assert_eq!(threes.relation.encoding().system.as_base(), Some(3));
}

/// A pattern in few values that no finite check proves is judged by automata: here tables grow with the cube of a heap.
#[test]
fn patterns_are_judged() {
    let ruleset = rules("[n] -> [n-1]\n[n] -> [a] + [n-k-a] where k >= 1, a >= 1, n-k-a >= 1");
    let effort = Effort {
        table_steps: 1 << 16,
        ..Effort::default()
    };
    let finding = find_proof(&ruleset, Some(100), &effort, &mut meter());
    let found = finding.found().next().expect("a law");
    assert!(found.proof.is_ok(), "{found:?}");
    let mut automata = grundy_automata::Meter::new(grundy_automata::Budget::default());
    let period = Reading::of(&ruleset, found, &mut automata).period;
    let expected = Periodicity {
        preperiod: 7,
        period: 5,
        saltus: 4,
    };
    assert_eq!(period, Some(expected));
    // Taking from a heap that is capped far beyond all tables shows a period that is none.
    let capped = rules("[n] -> [n-k] where k in powers of 2, n < 3000000");
    let finding = find_proof(&capped, Some(2000), &effort, &mut meter());
    assert_eq!(finding.proved(), None);
}

/// `no automaton found within these limits` is not `no law`, and is said.
#[test]
fn what_is_not_found() {
    let one = Scope {
        coordinates: 1,
        components: 1,
    };
    for game in ["grundys-game", "take-a-fibonacci"] {
        let report = searched(&rules(game), one).expect("decidable rules");
        assert_eq!(report.found, None, "{game}");
        assert!(!report.attempts.is_empty());
    }
    for game in ["take-a-square", "divisors"] {
        let report = searched(&rules(game), one);
        assert!(matches!(report, Err(NoSearch::Outside(_))), "{game}");
    }
}

/// What is found is so far beyond the table that it was learned from.
#[test]
fn what_is_found_is_so() {
    for game in [
        "[n] -> [n-k] where k mod 2 = 1\n[n] -> [a] + [n-a] where 1 <= a <= n-a-1",
        "[n] -> [n-k] where k in powers of 2\n[n] -> [a] + [a] where 2*a = n, a >= 1",
        "[n] -> [n-k] where 2*k >= n, k >= 1",
        "[n] -> [n-k] where 2*k >= n, k >= 1\n[n] -> [a] + [a] where 2*a = n, a >= 1",
        "[n] -> [n-k] where 2*k >= n, k >= 1\n[n] -> [a] + [a+1] where 2*a+1 = n, a >= 1",
        "[n] -> [m] where m in powers of 2, m < n\n[n] -> [a] + [a+1] where 2*a+1 = n, a >= 1",
        "[n] -> [m] where m in powers of 2, m < n\n[n] -> [a] + [n-a] where a mod 2 = 1, (n-a) mod 2 = 1",
    ] {
        let ruleset = rules(game);
        let found = found(game, 1, 1);
        assert!(found.proof.is_ok(), "{game}: {:?}", found.proof);
        let mut oracle = Oracle::new(&ruleset);
        for n in (0..700u32).chain([1023, 1024, 1025]) {
            let heap = Component::of_numbers([n]);
            let value = oracle.grundy_value(&heap, &mut meter()).expect("small");
            let value = match found.says {
                Says::PowerOfValue => BigUint::from(1u32) << value,
                _ => BigUint::from(value),
            };
            let tuple = [BigUint::from(n), value];
            assert!(found.relation.contains(&tuple), "{game}: {n}");
        }
    }
    let wythoff = found("wythoff", 2, 1);
    let ruleset = rules("wythoff");
    let mut oracle = Oracle::new(&ruleset);
    for (x, y) in (0..40u32).flat_map(|x| (0..40u32).map(move |y| (x, y))) {
        let position = Position(vec![Component::of_numbers([x, y])]);
        let position = prepare(&ruleset, &position, &mut meter()).expect("a pair");
        let outcome = oracle.outcome(&position, &mut meter()).expect("small");
        let lost = wythoff.relation.contains(&[x.into(), y.into()]);
        assert_eq!(lost, outcome == Outcome::P, "{x} {y}");
    }
}

/// Some beginnings of heaps first differ when eleven digits are added, so that smaller tables show laws that are rarely wrong only: those
/// are worth a table of two million heaps.
#[test]
fn laws_that_only_large_tables_show() {
    let game = "[n] -> [n-k] where k in powers of 2\n[n] -> [a] + [a+1] where a >= 1, 2*a + 1 = n";
    let found = found(game, 1, 1);
    assert_eq!(found.says, Says::Value);
    assert_eq!(found.sides, [1 << 21]);
    assert_eq!(found.relation.automaton().states(), 55);
    assert!(found.proof.is_ok(), "{:?}", found.proof);
}

/// Values that are numbers of digits are found as powers of two: taking at least half of a heap.
#[test]
fn values_as_powers() {
    let found = found("[n] -> [n-k] where 2*k >= n, k >= 1", 1, 1);
    assert_eq!(found.says, Says::PowerOfValue);
}

/// A law of outcomes where values have none that an automaton decides: half of a heap at most is lost iff n + 1 is a
/// power of two.
#[test]
fn outcomes_without_values() {
    let found = found("half", 1, 1);
    assert_eq!(found.says, Says::Lost { components: 1 });
    let lost: Vec<u32> = (0..300u32)
        .filter(|n| found.relation.contains(&[(*n).into()]))
        .collect();
    assert_eq!(lost, [0, 1, 3, 7, 15, 31, 63, 127, 255]);
}
