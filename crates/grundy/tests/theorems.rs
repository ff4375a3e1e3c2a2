//! Published theorems: held against the oracle, used for the right rules only, and quick.

use grundy::count::{Question, count};
use grundy::oracle::Oracle;
use grundy::outcome::{Evidence, Outcome};
use grundy::solve::{Answer, Part, Query, Solver, Wanted};
use grundy::theorem::{
    FAMILIES,
    hold::{Judge, hold},
    known,
};
use grundy_rules::given::prepare;
use grundy_rules::{Budget, Component, Meter, Position};
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
        "[n, q] -> [n-j, 2*j+1] where j <= q, j > 0",
        "game f(a = 3, b = 2); [n, q] -> [n-k, max(a*k - b, isqrt(k))] where 1 <= k <= q",
        "play misere; [n, q] -> [n-k, (k+1)/2] where 1 <= k <= q",
        "[v] -> [v-d] where v > d, d | v",
        "game g(P = (0,1,1)); row a; a[i] -= k, a[P[i]] += k where k >= 1",
        "game g(D = {(2,1)}, q = 7); row a; a[i] -= k, a[j] += k where q >= k, k > 0, (i, j) in D",
        "row r, increasing; r[i] -= k where 0 < k < 7",
        "[n] -> [n-k] where k mod 4 = 3, k >= 9",
        "[g, r] -> [g+i, r-1] where 0 < i < 8; [g, r] -> [a, r] where a < g",
        "[n] -> [a] where a < n, (n - a) mod 6 = 0",
        "[x] -> [x-5-10^9*i] where i >= 0",
        "play misere; [n] -> [n-k] where k mod 10^9 = 5",
        "play misere; [n] -> [a] + [b] where a + b < n",
        "rules take-and-break 0.(37)",
        "[n] -> [n-k] where k in prime powers or k = 1",
        "game p(b = 2); play misere; [n] -> [n-j] where j in powers of b",
        "game c(m = 10^9); start [n] as [n, 1]; [n, 0] -> [a, 0] + [n-j-a, 0] where j >= 1, j <= m; \
         [n, 1] -> [b, 0] where b < n, n - b <= m",
        "[a, b] -> [a+j, b-j-j] where j > 0; [a, b] -> [a-2*j, b+j] where j > 0",
        "[x, y] -> [x-10^9, y-10^9]; [x, y] -> [x, y-1] | [x-1, y]",
        "game g(q = 10^9); [n] -> q of [n/2] where n mod 2 = 0, n > 1; [m] -> [m-1]",
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
        "[n, b] -> [n-k, b] where k >= 1; [n, b] -> [n+k, b-1] where 1 <= k <= 7, k != 5",
        "[n, b] -> [n-k, b] where 1 <= k <= 9; [n, b] -> [n+k, b-1] where 1 <= k <= 7",
        "[n, b] -> [n-k, b] where k >= 1; [n, b] -> [n+k, b-1] where 0 <= k <= 7",
        "[n] -> [n-k] where k mod 4 = 3, k != 4003",
        "[n] -> [n-k] where k mod 4 = 3, n != 4003",
        "[n] -> [n-k] where k mod 4 > 2, k <= 4003",
        "[n] -> [n-k] where k mod 6 in {1, 5}",
        "[n] -> [n-k] where k mod 10^9 = 5, k != 10^9 + 5",
        "[n] -> [n-k] + [k] where k mod 4 = 3",
        "compound selective up to 2; [n] -> [n-k] where 1 <= k <= 5000",
        "compound selective up to 2; [n] -> [n-k] where k >= 1, k != 977",
        "compound conjunctive; [n] -> [n-k] where k >= 1",
        "row a; a[i] -= k, a[i-1] += k where i >= 3, k >= 1; a[1] -= k where k >= 1",
        "row a, unordered; a[i] -= k, a[i-1] += k where i >= 2, k >= 1; a[1] -= k where k >= 1",
        "row a, nondecreasing; a[i] -= k where 1 <= k <= 5000, k != 977",
        "row a; a[i] -= k, a[i-1] += k where i >= 2, 1 <= k <= 3; a[1] -= k where 1 <= k <= 4",
        "row a; a[i] -= k, a[i-1] += 2*k where i >= 2, k >= 1; a[1] -= k where k >= 1",
        "game g(E = {(2,1)}, m = 7); row a; a[i] -= k, a[j] += k where (i, j) in E, 1 <= k <= m, k != 5",
        "game g(E = {(2,1)}); row a; a[i] -= k, a[j] += k where (i, j) not in E, k >= 1",
        "game g(E = {(2,1)}); row a; a[i] -= k, a[j] += k where (j, i) in E, i > j, k >= 1",
        "row a, nonincreasing; a[i] -= k where k >= 1",
        "row a; [l.., x, r..] -> [l.., r..]; ends lost [r..] where xor(r) = 0",
        "row a; [l.., x, r..] -> [l.., r..]; ends won [r..] where xor(r) = 1",
        "row a; [l.., x, r..] -> [l.., r..]; ends won [x, r..] where xor(r) = 0",
        "row a; [l.., x, r..] -> [l.., r..]",
        "row a, ring; [x, r..] -> [r..]; ends won [r..] where xor(r) = 0",
        "row a; [x, r..] -> [r..]; ends won [r..] where xor(r) = 0",
        "play misere; rules take-and-break 0.37(31)",
        "rules take-and-break 4.(7)",
        "rules take-and-break 0.777",
        "[n] -> [n-k] where k in prime powers",
        "[n] -> [n-k] where k = 1 or k in prime powers, n != 6",
        "[n] -> [n-k] where k in powers of 4",
        "start [n] as [n, 1]; [n, 1] -> [n-j, 0] where 1 <= j <= 3; \
         [n, 0] -> [a, 0] + [n-j-a, 0] where 1 <= j <= 2, a >= 0",
        "[x, y] -> [x-2*i, y+i] | [x+i, y-2*i] where i >= 2",
        "[x, y] -> [x-2*i, y+i] where i >= 1",
        "play misere; [x, y] -> [x-1, y] | [x, y-1] | [x-2, y-2]",
        "[x, y] -> [x-1, y] | [x, y-1] | [x-2, y-3]",
        "[n] -> [n-1]; [n] -> 3 of [n/2] where n mod 2 = 0, n >= 4",
        "[n] -> [n-1]; [n] -> 3 of [n/2] where n >= 2",
        "row a, empties vanish; first -= k where k >= 1; last -= k where k >= 1",
        "row a; [x, r..] -> [x-k, r..] where 1 <= k <= x; [x, r..] -> [r..] where x >= 1",
        "[n, q] -> [n-k, 2*k] where 1 <= k <= q, k != 977",
        "[n, q] -> [n-k, max(9-k, 0)] where 1 <= k <= q",
        "[n, q] -> [n-k, k mod 3 + k] where 1 <= k <= q",
        "[n, q] -> [n-k, k + n] where 1 <= k <= q",
        "[n, q] -> [n-k, 2*k - 3] where 1 <= k <= q",
        "[n, q] -> [n-k, 2*q] where 1 <= k <= q",
        "play misere; [n, q] -> [n-k, k/2] where 1 <= k <= q",
        "start [n, q] as [n, 3]; [n, q] -> [n-k, 2*k] where 1 <= k <= q",
        "[x, y] -> [x-k*y, y] where k >= 1, y >= 1, k != 977; \
         [x, y] -> [x, y-k*x] where k >= 1, x >= 1",
        "play misere; [n] -> [n-d] where d | n, d < n",
        "[n] -> [d] where d | n, d < n, d != 977",
        "[n] -> [n-k] where k >= 2, gcd(k, n) = 1",
        "[i] -> [j] + [k] where j < i, k <= j, j < 5000",
        "[i] -> nothing; [i] -> [j] where j < i; [i] -> [j] + [k] where k < j, j < i, k != 977",
        "[i] -> [j] for j in i-k..i-1 where 1 <= k <= i",
        "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 2, a+b+1 < n",
        "[n] -> [n-k] where k >= 2; [n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
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

#[test]
fn many_heaps_that_may_be_merged() {
    let rules = "take: [n] -> [n-1]; merge: [x] + [y] -> [x+y] where x >= 1, y >= 1";
    let after = |numbers: &[u32], won: &Answer| {
        let moves = won.moves.as_ref().expect("a theorem answers");
        let mut numbers = numbers.to_vec();
        let changes = moves.listed[0].changes.iter().rev();
        for change in changes {
            let to = change.to.iter().map(|to| {
                let n = to.as_heap().expect("heaps become heaps");
                u32::try_from(n).expect("they are small")
            });
            numbers.splice(change.component..=change.component, to);
        }
        numbers
    };
    let ask = |numbers: &[u32], moves| {
        let heaps: Vec<[BigUint; 1]> = numbers.iter().map(|n| [(*n).into()]).collect();
        let heaps: Vec<&[BigUint]> = heaps.iter().map(<[BigUint; 1]>::as_slice).collect();
        answer(rules, &heaps, moves)
    };
    // An even number of heaps of 1 beside an odd sum: any move of larger heaps wins, one of a heap of 1 does not.
    let mut numbers = vec![3u32; 20_000];
    numbers[7] = 5;
    numbers.extend([1, 0, 1]);
    let won = ask(&numbers, Wanted::Count);
    let pairs = 20_000u32 * 19_999 / 2;
    let count = won.moves.as_ref().expect("a theorem answers").count.clone();
    // Two heaps of 1 merged leave none, and change the sum by 3.
    assert_eq!(count, Some(BigUint::from(20_000 + pairs + 1)));
    for (moves, to) in [(Wanted::First, 2), (Wanted::Least, 2)] {
        let left = after(&numbers, &ask(&numbers, moves));
        assert_eq!((left[0], left.len()), (to, numbers.len()));
        assert_eq!(ask(&left, Wanted::None).outcome, Outcome::P);
    }
    // One heap of 1 beside an odd sum must be merged with a larger one.
    numbers.truncate(20_000);
    numbers.push(1);
    let won = ask(&numbers, Wanted::Count);
    let count = won.moves.as_ref().expect("a theorem answers").count.clone();
    assert_eq!(count, Some(BigUint::from(20_000u32)));
    // The first move makes the first heap larger; the least one makes the last one larger.
    for (moves, place) in [(Wanted::First, 0), (Wanted::Least, 19_999)] {
        let left = after(&numbers, &ask(&numbers, moves));
        assert_eq!((left[place], left.len()), (4, 20_000));
        assert_eq!(ask(&left, Wanted::None).outcome, Outcome::P);
    }
}

#[test]
fn the_least_winning_first_take() {
    // Luogu P6487: any first take. The smallest Fibonacci number in the sum of n.
    let rules = "start [n] as [n, n]; take: [n, q] -> [n-k, 2*k] where 1 <= k <= q";
    for (n, least) in [(4u64, 1u64), (8, 8), (11, 3), (1_000_000_000_000_000, 3)] {
        let n = BigUint::from(n);
        let won = answer(rules, &[&[n.clone(), n.clone()]], Wanted::First);
        let to = [Component::of_numbers([
            &n - least,
            BigUint::from(2 * least),
        ])];
        assert_eq!(results(&won), [to], "{n}");
    }
}

#[test]
fn counts_of_take_away_positions_equal_their_definition() {
    for bound in ["2*k", "k", "3*k", "k+3", "k/2", "5", "min(2*k, 7)", "k^2"] {
        for play in ["normal", "misere"] {
            for first in ["max(n-1, 0)", "1", "4", "9"] {
                let rules = format!(
                    "start [n] as [n, {first}]; play {play}; [n, q] -> [n-k, {bound}] where 1 <= k <= q"
                );
                let game = grundy_rules::parse(&rules).expect("right");
                let known = known(&game);
                let Some(known) = known.first() else {
                    assert_eq!((play, bound), ("misere", "k/2"));
                    continue;
                };
                let mut lost = 0u32;
                let mut oracle = Oracle::new(&game);
                for n in 0..40u32 {
                    let below = known.lost_below(&n.into(), &mut meter()).expect("small");
                    let is_told = play == "normal" || first != "max(n-1, 0)";
                    match below {
                        Some(below) => assert_eq!(below, lost.into(), "{rules} {n}"),
                        None => assert!(!is_told, "{rules} {n}"),
                    }
                    let given = Position(vec![Component::of_numbers([n])]);
                    let prepared = prepare(&game, &given, &mut meter()).expect("right");
                    let outcome = oracle.outcome(&prepared, &mut meter());
                    lost += u32::from(outcome == Ok(Outcome::P));
                }
            }
        }
    }
}

#[test]
fn won_heaps_of_the_samples_are_counted() {
    // Luogu P6791, sample: the bound of the first take, the largest heap, how many heaps are won.
    for (most, upto, won) in [(1u32, 5u32, 2u32), (2, 5, 3), (1, 10, 4)] {
        let rules = format!(
            "start [n] as [n, {most}]; play misere; [n, q] -> [n-k, 2*k] where 1 <= k <= q"
        );
        let game = grundy_rules::parse(&rules).expect("right");
        let lost = known(&game)[0].lost_below(&(upto + 1).into(), &mut meter());
        assert_eq!(lost, Ok(Some((upto - won).into())));
    }
}

#[test]
fn lost_positions_are_counted_at_any_size() {
    // Luogu P6791: the last stone loses, at most k first, then at most twice the last take.
    let rules = "start [n] as [n, 10^9]; play misere; [n, q] -> [n-k, 2*k] where 1 <= k <= q";
    let game = grundy_rules::parse(rules).expect("right");
    let question = Question {
        from: 1u8.into(),
        to: BigUint::from(10u8).pow(18),
        heaps: 1,
        value: 0u8.into(),
        multisets: false,
    };
    let count = count(&game, &question, None, &mut meter()).expect("a theorem answers");
    assert!(matches!(count.evidence, Evidence::Published { .. }));
    // Below a Fibonacci number F(t) there are F(t-j+1) numbers whose terms are all F(j) or more.
    let fibonacci = [1u64, 2];
    let numbers: Vec<u64> = std::iter::successors(Some(fibonacci), |[a, b]| Some([*b, a + b]))
        .map(|[a, _]| a)
        .take(85)
        .collect();
    let first = numbers
        .iter()
        .position(|f| *f > 1_000_000_000)
        .expect("some are larger");
    let below = |end: u64| -> u64 {
        let mut rest = end;
        let mut count = 0;
        for t in (0..numbers.len()).rev() {
            if numbers[t] < rest {
                rest -= numbers[t];
                count += if t < first { 1 } else { numbers[t - first] };
                if t < first {
                    return count;
                }
            }
        }
        count + u64::from(rest > 0)
    };
    assert_eq!(count.count, below(1_000_000_000_000_000_000).into());
}

#[test]
fn rows_of_a_thousand_heaps() {
    let rules =
        "row a, empty ends vanish; front: first -= k where k >= 1; back: last -= k where k >= 1";
    let heaps: Vec<BigUint> = (1u64..=1000)
        .map(|i| (i * i * 0x9e37_79b9 % 1_000_000_000 + 1).into())
        .collect();
    let mut meter = Meter::new(Budget::default());
    let games = [grundy_rules::parse(rules).expect("right")];
    let mut solver = Solver::new(&games).expect("one game");
    let mut outcome = |component: &Component| {
        let part = Part {
            game: 0,
            component: component.clone(),
        };
        let query = Query {
            moves: Wanted::All,
            distinct: false,
            limit: 10,
        };
        let answer = solver.answer(&[part], query, &mut meter);
        answer.expect("a theorem answers")
    };
    let won = outcome(&Component::of_numbers(heaps));
    assert_eq!(won.outcome, Outcome::N);
    let after = results(&won);
    assert!(!after.is_empty());
    for lost in after {
        assert_eq!(outcome(&lost[0]).outcome, Outcome::P);
    }
}

#[test]
fn long_rows_of_large_numbers() {
    let ten = BigUint::from(10u32);
    let stairs: Vec<BigUint> = (1u32..=300)
        .map(|i| (BigUint::from(i) * 0x9e37_79b9_7f4a_7c15u64) % ten.pow(18))
        .collect();
    let rules = "row a; down: a[i] -= k, a[i-1] += k where i >= 2, k >= 1; \
                 out: a[1] -= k where k >= 1";
    let won = answer(rules, &[&stairs], Wanted::All);
    let best = won.moves.as_ref().expect("a theorem answers");
    assert_eq!(best.count, Some(best.listed.len().into()));
    let targets = results(&won);
    assert!(targets.len() >= 75, "{}", targets.len());
    for target in targets {
        let [row] = target.as_slice() else {
            panic!("one row")
        };
        let odd = row.0.iter().step_by(2).map(|item| match item {
            grundy_rules::Item::Number(n) => n,
            grundy_rules::Item::List(_) => panic!("numbers"),
        });
        assert_eq!(odd.fold(BigUint::default(), |sum, n| sum ^ n), 0u32.into());
    }
}

#[test]
fn takes_of_a_residue_class_at_their_edges() {
    let value = |rules: &str, n: u64| {
        let known = answer(rules, &[&[n.into()]], Wanted::None).value;
        known.expect("normal play").0
    };
    // By hand from the definition: the values of the classes of 0 and 3 grow for three laps, the last
    // time from 7 to 11.
    let rules = "[n] -> [n-k] where k mod 4 = 3";
    for (n, expected) in [
        (3, 1),
        (7, 2),
        (11, 3),
        (15, 3),
        (4, 1),
        (8, 2),
        (12, 2),
        (10, 0),
    ] {
        assert_eq!(value(rules, n), expected.into(), "{n}");
    }
    // One less than the step is the last class that grows; at the step values grow for ever.
    let big = 10u64.pow(18);
    assert_eq!(
        value("[n] -> [n-k] where k mod 1000 = 999", big + 999),
        999.into()
    );
    assert_eq!(
        value("[n] -> [n-k] where k mod 1000 = 0, k >= 1", big + 999),
        (big / 1000).into()
    );
    let won = answer(
        "[n] -> [n-k] where k mod 10^9 = 999999998",
        &[&[big.into()]],
        Wanted::Count,
    );
    let best = won.moves.expect("a theorem answers");
    assert_eq!(best.count, Some(1u32.into()));
}

/// Whether the theorems say nothing about the value of a row.
fn silent(rules: &str, row: &[u32]) -> bool {
    let ruleset = grundy_rules::parse(rules).expect("right");
    let component = Component::of_numbers(row.iter().copied());
    known(&ruleset)
        .iter()
        .all(|knowledge| knowledge.value(&component).is_none())
}

#[test]
fn graphs_on_which_parity_decides_nothing() {
    let play = "row a; a[i] -= k, a[j] += k where (i, j) in E, k >= 1";
    let is_silent =
        |arrows: &str, row: &[u32]| silent(&format!("game g(E = {arrows}); {play}"), row);
    // Two ways of different parity to the same place; to two places; round a ring.
    assert!(is_silent("{(1,2),(1,3),(2,3)}", &[1, 1, 1]));
    assert!(is_silent("{(1,2),(2,3),(1,4)}", &[1, 1, 1, 1]));
    assert!(is_silent("{(1,2),(2,1)}", &[1, 1]));
    // In a row too short for the longer way there is one parity only.
    assert!(!is_silent("{(1,2),(1,3),(2,3)}", &[1, 1]));
    assert!(!is_silent("{(2,1),(3,1),(4,2),(4,3)}", &[1, 1, 1, 1]));
}

#[test]
fn a_grid_of_large_numbers_with_a_bound() {
    // A grid of 20 by 20; counters move up or left to the corner, up to 10^9 at a time.
    let mut arrows = Vec::new();
    for place in 1..=400u32 {
        if place > 20 {
            arrows.push(format!("({place},{})", place - 20));
        }
        if place % 20 != 1 {
            arrows.push(format!("({place},{})", place - 1));
        }
    }
    let rules = format!(
        "game grid(E = {{{}}}, m = 10^9); row a; \
         a[i] -= k, a[j] += k where (i, j) in E, 1 <= k <= m",
        arrows.join(",")
    );
    let counters = |place: u64| BigUint::from(place) * 0x9e37_79b9_7f4a_7c15u64 % 10u64.pow(18);
    let grid: Vec<BigUint> = (1..=400).map(counters).collect();
    let won = answer(&rules, &[&grid], Wanted::All);
    assert_eq!(won.outcome, Outcome::N);
    let best = won.moves.as_ref().expect("a theorem answers");
    assert_eq!(best.count, Some(best.listed.len().into()));
    assert!(!best.listed.is_empty());
    for target in results(&won).iter().step_by(50) {
        let row: Vec<BigUint> = match target.as_slice() {
            [row] => row.0.iter().map(number).collect(),
            _ => panic!("one row"),
        };
        assert_eq!(answer(&rules, &[&row], Wanted::None).outcome, Outcome::P);
    }
}

fn number(item: &grundy_rules::Item) -> BigUint {
    match item {
        grundy_rules::Item::Number(n) => n.clone(),
        grundy_rules::Item::List(_) => panic!("a number"),
    }
}

#[test]
fn a_first_move_in_a_given_heap() {
    for (rules, sizes, winning) in [
        // 3 xor 4 xor 5 = 2, and 3 alone can lose it.
        ("[n] -> [n-k] where k >= 1", [3, 4, 5], [1usize, 0, 0]),
        ("[n] -> [n-k] where k >= 1", [1, 2, 3], [0, 0, 0]),
        // Whoever leaves one heap of 1 wins; whoever leaves two does not.
        (
            "play misere; [n] -> [n-k] where k >= 1",
            [1, 0, 4],
            [0, 0, 1],
        ),
        (
            "play misere; [n] -> [n-k] where k >= 1",
            [1, 1, 4],
            [0, 0, 1],
        ),
        (
            "play misere; [n] -> [n-k] where k >= 1",
            [1, 1, 0],
            [1, 1, 0],
        ),
    ] {
        let games = [grundy_rules::parse(rules).expect("right")];
        let mut solver = Solver::new(&games).expect("one game");
        let sum: Vec<Part> = sizes
            .iter()
            .map(|n| Part {
                game: 0,
                component: Component::of_numbers([u32::try_from(*n).expect("small")]),
            })
            .collect();
        let query = Query {
            moves: Wanted::All,
            distinct: false,
            limit: 10,
        };
        for (index, expected) in winning.into_iter().enumerate() {
            let best = solver.moves_in(&sum, index, query, &mut meter());
            let best = best.expect("few positions");
            assert_eq!(
                best.count,
                Some(expected.into()),
                "{rules} {sizes:?} {index}"
            );
            assert!(
                best.listed
                    .iter()
                    .all(|next| next.changes[0].component == index)
            );
        }
    }
}

#[test]
fn a_first_move_in_a_large_heap() {
    // Of 10^18 and 10^18 + 1 and 1 the nim-sum is 0; with 3 more in the last heap each has one winning move.
    for play in ["normal", "misere"] {
        let rules = format!("play {play}; [n] -> [n-k] where k >= 1");
        let games = [grundy_rules::parse(&rules).expect("right")];
        let mut solver = Solver::new(&games).expect("one game");
        let large = BigUint::from(10u8).pow(18);
        let sum = |last: u8| -> Vec<Part> {
            let heaps = [large.clone(), &large + 1u8, last.into()];
            let part = |n: BigUint| Part {
                game: 0,
                component: Component::of_numbers([n]),
            };
            heaps.into_iter().map(part).collect()
        };
        for moves in [
            Wanted::All,
            Wanted::First,
            Wanted::Least,
            Wanted::Count,
            Wanted::None,
        ] {
            let query = Query {
                moves,
                distinct: false,
                limit: 10,
            };
            for (last, outcomes) in [
                (1, [Outcome::P, Outcome::P, Outcome::P]),
                (4, [Outcome::P, Outcome::P, Outcome::N]),
            ] {
                for (index, outcome) in outcomes.into_iter().enumerate() {
                    // 10^18 has no 4, so no heap but the last one can be lowered to what is missing.
                    let answer = solver.answer_in(&sum(last), index, query, &mut meter());
                    let answer = answer.expect("a theorem answers");
                    assert_eq!(answer.outcome, outcome, "{rules} {last} {index} {moves:?}");
                    assert!(answer.value.is_err());
                }
            }
        }
    }
}

/// The catalogue says how E&D is played: both heaps are there. Nothing else changes where they are.
#[test]
fn a_heap_thrown_away_is_there() {
    let played = include_str!("../../../games/e-and-d.game");
    let heaps = [BigUint::from(3u8), BigUint::from(10u8).pow(18)];
    let known = answer(played, &[&heaps], Wanted::Count);
    assert!(matches!(known.evidence, Evidence::Published { .. }));
    let any = "unordered; [x, y] -> [a, x-a] where 1 <= a < x";
    let with_any = answer(any, &[&heaps], Wanted::Count);
    let count = |answer: &Answer| answer.moves.as_ref().unwrap().count.clone();
    assert!(count(&known) > Some(BigUint::from(10u8).pow(17)));
    assert_eq!(count(&known), count(&with_any));
    let alone = [BigUint::from(0u8), BigUint::from(6u8)];
    assert_eq!(answer(played, &[&alone], Wanted::Count).outcome, Outcome::P);
    assert_eq!(answer(any, &[&alone], Wanted::Count).outcome, Outcome::N);
}

#[test]
fn splits_of_large_heaps() {
    for rules in [
        "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
        "take: [n] -> [n-k] where k >= 1; \
         split: [n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
    ] {
        let n = BigUint::from(10u8).pow(30);
        let won = answer(
            rules,
            &[std::slice::from_ref(&n), &[3u8.into()]],
            Wanted::Count,
        );
        assert_eq!(won.outcome, Outcome::N);
        let count = won
            .moves
            .expect("a theorem answers")
            .count
            .expect("counted");
        assert!(count > BigUint::from(10u8).pow(10), "{count}");
        for moves in [Wanted::First, Wanted::Least] {
            let won = answer(rules, &[std::slice::from_ref(&n), &[3u8.into()]], moves);
            let target = results(&won).pop().expect("one move");
            let left: Vec<Vec<BigUint>> = target
                .iter()
                .map(|part| part.0.iter().map(number).collect())
                .collect();
            let other = vec![BigUint::from(3u8)];
            let left: Vec<&[BigUint]> = left.iter().chain([&other]).map(Vec::as_slice).collect();
            assert_eq!(answer(rules, &left, Wanted::None).outcome, Outcome::P);
        }
    }
}
