//! Answers from laws that automata decide are those of the oracle, move by move, and come quickly for huge positions.

use grundy::answer::{Knowledge, Regular};
use grundy::catalogue;
use grundy::discover::{Effort, Scope, search};
use grundy::oracle::Oracle;
use grundy::outcome::{Evidence, Outcome};
use grundy_rules::given::prepare;
use grundy_rules::moves::moves;
use grundy_rules::options::options;
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

fn law(ruleset: &Ruleset, coordinates: usize, components: usize) -> Regular<'_> {
    let mut automata = grundy_automata::Meter::new(grundy_automata::Budget::default());
    let scope = Scope {
        coordinates,
        components,
    };
    let report = search(
        ruleset,
        scope,
        &Effort::default(),
        &mut automata,
        &mut meter(),
    );
    let found = report.expect("decidable rules").found.expect("a law");
    let evidence = Evidence::Conjecture { upto: 0u8.into() };
    Regular::new(ruleset, &found, evidence)
}

fn tuples(length: usize, bound: u64) -> Vec<Vec<u64>> {
    (0..length).fold(vec![Vec::new()], |all: Vec<Vec<u64>>, _| {
        all.iter()
            .flat_map(|tuple| (0..bound).map(|n| [tuple.as_slice(), &[n]].concat()))
            .collect()
    })
}

/// Values, and the moves to each value: their number, their order, their choices and ways, and the least.
fn values_agree(game: &str, coordinates: usize, bound: u64) {
    let ruleset = rules(game);
    let law = law(&ruleset, coordinates, 1);
    let mut oracle = Oracle::new(&ruleset);
    for tuple in tuples(coordinates, bound) {
        let component = Component::of_numbers(tuple.iter().copied());
        let value = oracle
            .grundy_value(&component, &mut meter())
            .expect("small");
        assert_eq!(
            law.value(&component),
            Some(value.into()),
            "{game} {tuple:?}"
        );
        let all = options(&ruleset, &component, &mut meter()).expect("small");
        for target in 0..value + 2 {
            let mut expected = all.clone();
            expected.retain(|option| {
                let parts = option.result.iter();
                let values = parts.map(|part| oracle.grundy_value(part, &mut meter()));
                values.fold(0, |sum, value| sum ^ value.expect("small")) == target
            });
            let known = law.moves_to(&component, &target.into(), &mut meter());
            let known = known
                .expect("no limit")
                .unwrap_or_else(|| panic!("{game}: no moves"));
            let listed: Vec<_> = known.iter().collect();
            assert_eq!(listed, expected, "{game} {tuple:?} to {target}");
            assert_eq!(
                known.count(),
                Some(expected.len().into()),
                "{game} {tuple:?}"
            );
            let least = expected.iter().map(|option| &option.result).min();
            assert_eq!(known.least().map(|option| option.result).as_ref(), least);
        }
    }
}

#[test]
fn values_and_moves_are_those_of_the_oracle() {
    values_agree("nim", 1, 20);
    values_agree("lasker", 1, 20);
    values_agree("kayles", 1, 24);
    values_agree("powers", 1, 30);
    values_agree("three-way", 1, 10);
    values_agree("rules {2,5}", 1, 20);
    values_agree("cyclic-nimhoff", 2, 5);
    values_agree("[n] -> [n-k] where 2*k >= n, k >= 1", 1, 24);
    values_agree(
        "[n] -> [n-k] where 2*k >= n, k >= 1\n[n] -> [a] + [a] where 2*a = n, a >= 1",
        1,
        24,
    );
    values_agree(
        "take: [n] -> [n-k] | [n-2*k] where k >= 1\ntake: [n] -> [n-1] where n >= 3",
        1,
        16,
    );
}

/// Where values are known as powers of two, the exclusive or of two of them is told as far as automata can: the moves are then
/// all known, or none of them.
#[test]
fn moves_that_exponents_leave_in_doubt() {
    let ruleset =
        rules("[n] -> [n-k] where 2*k >= n, k >= 1\n[n] -> [a] + [a+1] where 2*a+1 = n, a >= 1");
    let law = law(&ruleset, 1, 1);
    let mut oracle = Oracle::new(&ruleset);
    let mut doubtful = Vec::new();
    for n in 0..40u32 {
        let heap = Component::of_numbers([n]);
        let all = options(&ruleset, &heap, &mut meter()).expect("small");
        for target in 0..9u64 {
            let known = law.moves_to(&heap, &target.into(), &mut meter());
            let Some(known) = known.expect("no limit") else {
                doubtful.push((n, target));
                continue;
            };
            let mut expected = all.clone();
            expected.retain(|option| {
                let parts = option.result.iter();
                let values = parts.map(|part| oracle.grundy_value(part, &mut meter()));
                values.fold(0, |sum, value| sum ^ value.expect("small")) == target
            });
            let listed: Vec<_> = known.iter().collect();
            assert_eq!(listed, expected, "{n} to {target}");
        }
    }
    // 7 and 8 have the values 3 and 4, and nobody tells that 7 is their sum.
    assert_eq!(doubtful, [(15, 7)]);
}

fn outcomes_agree(game: &str, coordinates: usize, components: usize, bound: u64) {
    let ruleset = rules(game);
    let law = law(&ruleset, coordinates, components);
    let mut oracle = Oracle::new(&ruleset);
    for tuple in tuples(coordinates * components, bound) {
        let parts = tuple.chunks(coordinates);
        let given = Position(
            parts
                .map(|part| Component::of_numbers(part.iter().copied()))
                .collect(),
        );
        let Ok(position) = prepare(&ruleset, &given, &mut meter()) else {
            continue;
        };
        let mut lost = |position: &Position| {
            oracle.outcome(position, &mut meter()).expect("small") == Outcome::P
        };
        let known = law.outcome(&position, &mut meter()).expect("no limit");
        assert_eq!(
            known,
            Some(if lost(&position) {
                Outcome::P
            } else {
                Outcome::N
            }),
            "{game} {tuple:?}"
        );
        let all = moves(&ruleset, &position, &mut meter()).expect("small");
        let expected: Vec<_> = all
            .into_iter()
            .filter(|next| lost(&next.result(&position)))
            .collect();
        let known = law
            .winning_moves(&position, &mut meter())
            .expect("no limit");
        let known = known.unwrap_or_else(|| panic!("{game}: no moves"));
        let listed: Vec<_> = known.iter().collect();
        assert_eq!(listed, expected, "{game} {tuple:?}");
        assert_eq!(known.count(), Some(expected.len().into()));
    }
}

#[test]
fn outcomes_and_moves_are_those_of_the_oracle() {
    outcomes_agree("wythoff", 2, 1, 12);
    outcomes_agree("misere-wythoff", 2, 1, 9);
    outcomes_agree("fibonacci-nim", 2, 1, 9);
    outcomes_agree("misere-nim", 1, 3, 5);
    outcomes_agree("silver-dollar", 2, 1, 9);
    outcomes_agree("nim-2-pass", 3, 1, 5);
}

/// A position of a thousand digits takes no longer than its digits ask for.
#[test]
fn huge_positions() {
    let huge = BigUint::from(10u32).pow(1000);
    for (game, coordinates) in [("kayles", 1), ("lasker", 1), ("wythoff", 2)] {
        let ruleset = rules(game);
        let law = law(&ruleset, coordinates, 1);
        let numbers = (0..coordinates).map(|at| &huge + u32::try_from(at).expect("few"));
        let component = Component::of_numbers(numbers);
        if game == "wythoff" {
            let position = Position(vec![component]);
            let outcome = law.outcome(&position, &mut meter());
            assert_eq!(outcome, Ok(Some(Outcome::N)));
            let moves = law
                .winning_moves(&position, &mut meter())
                .expect("no limit")
                .expect("moves");
            let first = moves.iter().next().expect("one wins");
            assert_eq!(moves.count(), Some(moves.iter().count().into()));
            let after = first.result(&position);
            assert_eq!(law.outcome(&after, &mut meter()), Ok(Some(Outcome::P)));
            continue;
        }
        let value = law.value(&component).expect("a value");
        assert_ne!(value, BigUint::ZERO, "{game}");
        let moves = law.moves_to(&component, &BigUint::ZERO, &mut meter());
        let moves = moves.expect("no limit").expect("moves");
        let first = moves.iter().next().expect("one wins");
        let mut sum = BigUint::ZERO;
        for part in &first.result {
            sum ^= law.value(part).expect("a value");
        }
        assert_eq!(sum, BigUint::ZERO, "{game}");
        assert!(moves.count() > Some(BigUint::ZERO));
    }
}
