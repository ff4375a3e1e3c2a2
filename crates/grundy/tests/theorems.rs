//! Published theorems: held against the oracle, used for the right rules only, and quick.

use grundy::outcome::{Evidence, Outcome};
use grundy::solve::{Answer, Part, Query, Solver, Wanted};
use grundy::theorem::{
    FAMILIES,
    hold::{Judge, hold},
    known,
};
use grundy_rules::{Budget, Component, Meter};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: u64::MAX,
        bytes: u64::MAX,
    })
}

#[test]
fn every_family_agrees_with_the_oracle() {
    for family in FAMILIES {
        let held = hold(family, Judge::Search, 17, &mut meter()).expect("samples are small");
        assert_eq!(
            held.differences.first(),
            None,
            "{} {:?}",
            family.name,
            held.differences.len()
        );
        assert!(held.positions >= 300, "{}: {}", family.name, held.positions);
    }
}

fn citations(rules: &str) -> Vec<Evidence> {
    let ruleset = grundy_rules::parse(rules).unwrap_or_else(|e| panic!("{rules}: {e:?}"));
    known(&ruleset)
        .iter()
        .map(|knowledge| knowledge.evidence())
        .collect()
}

#[test]
fn rules_that_mean_the_same_are_recognised() {
    for rules in [
        "[n] -> [n-k] where k >= 1",
        "[n] -> [a] where a < n",
        "[n] -> [n-k] where 2*k > 1",
        "play misere; a: [n] -> [n-1]; b: [n] -> [n-k] where k >= 2",
        "[n] -> [n-k] where 1 <= k <= 1000000000000",
        "[n] -> [n-k] where 1 <= k <= 3, k != 977",
        "[n] -> [n-k] where 10^9 <= k <= 10^18",
        "[x, l] -> [b, l] where b < x, x - b <= l",
        "[b, a] -> [b-j, a] where j > 0; [b, a] -> [b, c] | [b-a+c, c] where c < a",
        "[x, y] -> [x, y-k] where k >= 1; [x, y] -> [x-k, y] where k >= 1; \
         [x, y] -> [x-i, y-j] where i >= 1, j >= 1, -3 < i-j, i-j < 3",
        "game m(d = 3); compound selective up to d; [n] -> [m] where n > m",
        "row s; s[1] = s[1] - k where k >= 1; s[n] -= j, s[n-1] += j where j > 0, n > 1",
        "row p, increasing; p[j] -= k where k > 0",
        "start [n] as [n, 5]; [n, q] -> [n-k, k+k] where 1 <= k, q >= k",
        "[v] -> [v-d] where v > d, d | v",
    ] {
        assert_eq!(citations(rules).len(), 1, "{rules}");
    }
}

#[test]
fn rules_that_differ_at_one_place_are_not_recognised() {
    for rules in [
        "[n] -> [n-k] where k >= 1, n != 4000, n + k < 9000",
        "[n] -> [n-k] where k >= 1, k != 977",
        "[n] -> [n-k] where k in {3,4,6}",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1, k != 977",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where 1 <= k <= 5000",
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1; [x, y] -> [x-k, y-k] where k >= 2",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-2*k] where k >= 1",
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1; \
         [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < 3, k != 5000",
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1; [x, y] -> [x-k, y-l] where k >= 1, l >= 1, k-l < 3",
        "unordered; [x, y] -> [x-k, y] | [x-k, y-k] where k >= 1",
        "[n, l] -> [n-k, l] where 1 <= k <= l+1",
        "[n, l] -> [n-k, l-1] where 1 <= k <= l",
        "[n, l] -> [n-k, l] where 1 <= k <= l, n != 50",
        "play misere; rules 0.77",
        "compound selective up to 2; [n] -> [n-k] where 1 <= k <= 5000",
        "compound selective up to 2; [n] -> [n-k] where k >= 1, k != 977",
        "compound conjunctive; [n] -> [n-k] where k >= 1",
        "row a; a[i] -= k, a[i-1] += k where i >= 3, k >= 1; a[1] -= k where k >= 1",
        "row a, unordered; a[i] -= k, a[i-1] += k where i >= 2, k >= 1; a[1] -= k where k >= 1",
        "row a, nondecreasing; a[i] -= k where 1 <= k <= 5000",
        "row a, nonincreasing; a[i] -= k where k >= 1",
        "row a, empties vanish; first -= k where k >= 1; last -= k where k >= 1",
        "row a; [x, r..] -> [x-k, r..] where 1 <= k <= x; [x, r..] -> [r..] where x >= 1",
        "[n, q] -> [n-k, 2*k+1] where 1 <= k <= q",
        "start [n, q] as [n, 3]; [n, q] -> [n-k, 2*k] where 1 <= k <= q",
        "[x, y] -> [x-k*y, y] where k >= 1, y >= 1, k != 977; \
         [x, y] -> [x, y-k*x] where k >= 1, x >= 1",
        "play misere; [n] -> [n-d] where d | n, d < n",
        "ends lost [n] where n = 3; [n] -> [n-k] where k >= 1",
        "draw on repetition; [n] -> [n-k] where k >= 1",
    ] {
        let known = citations(rules);
        // `k <= 5000` is Bachet's game, which has a theorem of its own.
        assert!(known.is_empty(), "{rules}: {known:?}");
    }
    let capped = citations("[n] -> [n-k] where 1 <= k <= 5000");
    assert_ne!(capped, citations("[n] -> [n-k] where k >= 1"));
    assert_eq!(capped, citations("[n] -> [n-k] where 1 <= k <= 3"));
}

fn answer(rules: &str, components: &[&[BigUint]], moves: Wanted) -> Answer {
    let games = [grundy_rules::parse(rules).expect("right")];
    let mut solver = Solver::new(&games).expect("one game");
    let sum: Vec<Part> = components
        .iter()
        .map(|numbers| Part {
            game: 0,
            component: Component::of_numbers(numbers.iter().cloned()),
        })
        .collect();
    let query = Query {
        moves,
        distinct: false,
        limit: 1000,
    };
    // What a theorem answers costs next to nothing.
    let mut meter = Meter::new(Budget {
        steps: 100_000,
        bytes: 1 << 26,
    });
    solver
        .answer(&sum, query, &mut meter)
        .expect("a theorem answers")
}

fn results(answer: &Answer) -> Vec<Vec<Component>> {
    let best = answer.moves.as_ref().expect("a theorem answers");
    let to =
        |next: &grundy_rules::moves::Move| next.changes.iter().flat_map(|c| c.to.clone()).collect();
    best.listed.iter().map(to).collect()
}

#[test]
fn nim_sums_that_circulate_wrongly() {
    let nim = "[n] -> [n-k] where k >= 1";
    let heaps =
        |sizes: &[u32]| -> Vec<Vec<BigUint>> { sizes.iter().map(|n| vec![(*n).into()]).collect() };
    let ask = |sizes: &[u32]| {
        let heaps = heaps(sizes);
        let heaps: Vec<&[BigUint]> = heaps.iter().map(Vec::as_slice).collect();
        answer(nim, &heaps, Wanted::All)
    };
    let won = ask(&[5, 7, 12]);
    assert_eq!(won.value.as_ref().expect("normal play").0, 14.into());
    assert_eq!(results(&won), [[Component::of_numbers([2u32])]]);
    assert_eq!(ask(&[7, 8, 15]).outcome, Outcome::P);
    assert_eq!(ask(&[]).outcome, Outcome::P);
    assert_eq!(ask(&[0, 0]).outcome, Outcome::P);
}

#[test]
fn wythoff_at_any_size() {
    let wythoff = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
    for digits in [18, 1000] {
        let big = BigUint::from(10u32).pow(digits);
        let won = answer(wythoff, &[&[big.clone(), &big + 1u8]], Wanted::All);
        assert_eq!(won.outcome, Outcome::N);
        let targets = results(&won);
        assert!(!targets.is_empty() && targets.len() <= 4);
        for target in targets {
            let [target] = target.as_slice() else {
                panic!("one component")
            };
            let numbers: Vec<BigUint> = target
                .0
                .iter()
                .map(|item| match item {
                    grundy_rules::Item::Number(n) => n.clone(),
                    grundy_rules::Item::List(_) => panic!("numbers"),
                })
                .collect();
            let lost = answer(wythoff, &[&numbers], Wanted::All);
            assert_eq!(lost.outcome, Outcome::P);
            assert!(lost.value.expect("normal play").0.is_zero());
        }
    }
}

#[test]
fn moores_nim_with_many_heaps() {
    let heaps: Vec<[BigUint; 1]> = (1u64..=50)
        .map(|i| [BigUint::from(10u32).pow(18) + i * i * 0x9e37_79b9])
        .collect();
    let heaps: Vec<&[BigUint]> = heaps.iter().map(<[BigUint; 1]>::as_slice).collect();
    // With up to 3 the moves can be counted; with up to 20 one is constructed.
    for (most, is_counted) in [(3, true), (20, false)] {
        for play in ["normal", "misere"] {
            let rules =
                format!("play {play}; compound selective up to {most}; [n] -> [n-k] where k >= 1");
            let asked: &[Wanted] = if is_counted {
                &[Wanted::First, Wanted::Least]
            } else {
                // Of moves that are not all known none can be called the first or the least.
                for moves in [Wanted::First, Wanted::Least, Wanted::Count] {
                    assert!(answer(&rules, &heaps, moves).moves.is_err());
                }
                &[Wanted::All]
            };
            for moves in asked {
                let won = answer(&rules, &heaps, *moves);
                assert_eq!(won.outcome, Outcome::N);
                let best = won.moves.expect("a theorem answers");
                assert_eq!(best.count.is_some(), is_counted);
                let mut after: Vec<Vec<BigUint>> = heaps.iter().map(|heap| heap.to_vec()).collect();
                let [next] = best.listed.as_slice() else {
                    panic!("one move")
                };
                assert!(next.changes.len() <= most);
                for change in &next.changes {
                    let [to] = change.to.as_slice() else {
                        panic!("one heap")
                    };
                    after[change.component] = vec![to.as_heap().expect("a heap").clone()];
                }
                let after: Vec<&[BigUint]> = after.iter().map(Vec::as_slice).collect();
                assert_eq!(answer(&rules, &after, Wanted::None).outcome, Outcome::P);
            }
        }
    }
}

#[test]
fn bounds_of_any_size() {
    let rules = "[n] -> [n-k] where 10^9 <= k <= 10^18";
    let ten = BigUint::from(10u32);
    let n = ten.pow(18) + ten.pow(9) + ten.pow(20);
    let won = answer(rules, &[&[n]], Wanted::Count);
    assert_eq!(won.outcome, Outcome::N);
    let best = won.moves.expect("a theorem answers");
    assert!(best.count.expect("counted") > BigUint::from(0u32));
}
