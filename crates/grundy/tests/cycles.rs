//! Rules in which play need not end, the players have different moves, or chance moves, held against
//! the same games written by hand.

use std::collections::BTreeMap;

use grundy::graph::{self, Prospect};
use grundy::oracle::NoValues;
use grundy::solve::{Answer, Part, Query, Solver, Wanted};
use grundy::{Outcome, Undecided};
use grundy_graphs::retrograde::{self, Play};
use grundy_graphs::unfair::Class;
use grundy_graphs::{Mover, Solution, Work};
use grundy_rules::ruleset::Player;
use grundy_rules::{Budget, Component, Limit, Meter, Ruleset, parse};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

const QUERY: Query = Query {
    moves: Wanted::All,
    distinct: false,
    limit: 1000,
};

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{faults:?}: {text}"))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn sum(heaps: &[u64]) -> Vec<Part> {
    let part = |heap: &u64| Part {
        game: 0,
        component: Component::of_numbers([*heap]),
    };
    heaps.iter().map(part).collect()
}

fn answer(solver: &mut Solver, heaps: &[u64]) -> Answer {
    solver
        .answer(&sum(heaps), QUERY, &mut meter())
        .expect("it is small")
}

/// The outcome of each state, by its definition: won within k moves if some option is lost within fewer, lost if all
/// are won within fewer.
fn outcomes<S: Clone + Ord>(options: &BTreeMap<S, Vec<S>>) -> BTreeMap<S, (Outcome, Option<u32>)> {
    let mut known: BTreeMap<S, (Outcome, Option<u32>)> = BTreeMap::new();
    for within in 0.. {
        let before = known.clone();
        for (state, options) in options {
            if before.contains_key(state) {
                continue;
            }
            let outcome = |option: &S| before.get(option).map(|(outcome, _)| *outcome);
            if options
                .iter()
                .any(|option| outcome(option) == Some(Outcome::P))
            {
                known.insert(state.clone(), (Outcome::N, Some(within)));
            } else if options
                .iter()
                .all(|option| outcome(option) == Some(Outcome::N))
            {
                known.insert(state.clone(), (Outcome::P, Some(within)));
            }
        }
        if known.len() == before.len() {
            break;
        }
    }
    for state in options.keys() {
        known.entry(state.clone()).or_insert((Outcome::Draw, None));
    }
    known
}

/// All sums of two tokens on a graph, and where they can go.
fn pairs(edges: &[(u64, u64)], vertices: u64) -> BTreeMap<[u64; 2], Vec<[u64; 2]>> {
    let mut options = BTreeMap::new();
    for first in 0..vertices {
        for second in 0..vertices {
            let mut all = Vec::new();
            for (from, to) in edges {
                all.extend((*from == first).then_some([*to, second]));
                all.extend((*from == second).then_some([first, *to]));
            }
            options.insert([first, second], all);
        }
    }
    options
}

#[test]
fn tokens_on_graphs_with_cycles() {
    let mut state = 12_345u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut loopy = 0;
    for _ in 0..60 {
        let mut edges: Vec<(u64, u64)> = (0..8).map(|_| (random() % 5, random() % 5)).collect();
        edges.sort_unstable();
        edges.dedup();
        let pairs_text: Vec<String> = edges.iter().map(|(a, b)| format!("({a},{b})")).collect();
        let game = rules(&format!(
            "game tokens(E = {{{}}})\ngo: [v] -> [w] where (v, w) in E",
            pairs_text.join(",")
        ));
        let games = [game];
        let options = pairs(&edges, 5);
        let expected = outcomes(&options);
        // One solver for all questions, and a new one for each, must say the same.
        let mut warm = Solver::new(&games).unwrap();
        for (tokens, (outcome, _)) in &expected {
            let mut cold = Solver::new(&games).unwrap();
            for solver in [&mut warm, &mut cold] {
                let found = answer(solver, tokens);
                assert_eq!(found.outcome, *outcome, "{edges:?} {tokens:?}");
                if found.value == Err(NoValues::Loopy) {
                    loopy += 1;
                    assert!(solver.loopy_value(&sum(tokens)).is_some());
                }
                let wanted = match outcome {
                    Outcome::N => Some(Outcome::P),
                    Outcome::Draw => Some(Outcome::Draw),
                    Outcome::P => None,
                };
                let good = options[tokens]
                    .iter()
                    .filter(|next| Some(expected[*next].0) == wanted);
                let count = found.moves.unwrap().count;
                assert_eq!(
                    count,
                    Some(BigUint::from(good.count())),
                    "{edges:?} {tokens:?}"
                );
            }
        }
        let single: BTreeMap<u64, Vec<u64>> = (0..5)
            .map(|v| {
                (
                    v,
                    edges
                        .iter()
                        .filter(|(from, _)| *from == v)
                        .map(|(_, to)| *to)
                        .collect(),
                )
            })
            .collect();
        for (token, (outcome, moves)) in outcomes(&single) {
            let mut solver = Solver::new(&games).unwrap();
            assert_eq!(answer(&mut solver, &[token]).outcome, outcome);
            if solver.has_cycles() {
                assert_eq!(solver.moves_to_end(&sum(&[token])), moves);
            }
        }
    }
    assert!(loopy > 100);
}

#[test]
fn a_pass_and_a_split_together_are_solved_by_positions() {
    let games = [rules(
        "pass: [n] -> [n] where n = 3; split: [n] -> [a] + [n-1-a] where a >= 0, n >= 1, a <= n-1-a",
    )];
    let mut solver = Solver::new(&games).unwrap();
    // Heaps without the pass: Grundy values 0, 1, 0, then 3 can pass.
    assert_eq!(answer(&mut solver, &[2]).outcome, Outcome::P);
    let three = answer(&mut solver, &[3]);
    // From 3 one can leave 2, which is lost.
    assert_eq!(three.outcome, Outcome::N);
    // 3 beside a heap of 1: everything but the pass gives the win away, or it does not: asked of the definition.
    let mut options: BTreeMap<Vec<u64>, Vec<Vec<u64>>> = BTreeMap::new();
    let mut open = vec![vec![1, 3]];
    while let Some(position) = open.pop() {
        if options.contains_key(&position) {
            continue;
        }
        let mut all = Vec::new();
        for (index, heap) in position.iter().enumerate() {
            let mut rest = position.clone();
            rest.remove(index);
            if *heap == 3 {
                all.push(position.clone());
            }
            for a in 0..*heap {
                let mut after = rest.clone();
                after.extend([a, heap - 1 - a]);
                after.sort_unstable();
                all.push(after);
            }
        }
        open.extend(all.iter().cloned());
        options.insert(position, all);
    }
    let expected = outcomes(&options);
    assert_eq!(
        answer(&mut solver, &[1, 3]).outcome,
        expected[&vec![1, 3]].0
    );
}

#[test]
fn draw_on_repetition_is_the_same_as_play_without_end() {
    let cycle = "go: [x] -> [y] where x + y = 1, y <= 1, x <= 1; stop: [1] -> [7]; wait: [7] -> [8] where 1 = 1";
    for text in [cycle.to_owned(), format!("draw on repetition; {cycle}")] {
        let games = [rules(&text)];
        let mut solver = Solver::new(&games).unwrap();
        // 8 is stuck, 7 moves there, 1 leaves 0 or 7, and 0 leaves 1.
        assert_eq!(answer(&mut solver, &[8]).outcome, Outcome::P);
        assert_eq!(answer(&mut solver, &[7]).outcome, Outcome::N);
        assert_eq!(answer(&mut solver, &[1]).outcome, Outcome::Draw);
        assert_eq!(answer(&mut solver, &[0]).outcome, Outcome::Draw);
    }
}

/// Who wins heaps of which Left takes 1 or 3 and Right 2 or 3.
fn unfair_winner(heaps: &[u64], left_moves: bool) -> bool {
    let takes: &[u64] = if left_moves { &[1, 3] } else { &[2, 3] };
    for (index, heap) in heaps.iter().enumerate() {
        for take in takes.iter().filter(|take| *take <= heap) {
            let mut after = heaps.to_vec();
            after[index] -= take;
            if unfair_winner(&after, !left_moves) == left_moves {
                return left_moves;
            }
        }
    }
    !left_moves
}

#[test]
fn unfair_rules_are_solved_as_by_hand() {
    let games = [rules(
        "left: one: [n] -> [n-1]; right: two: [n] -> [n-2]; three: [n] -> [n-3]",
    )];
    for first in 0..9 {
        for second in 0..5 {
            let heaps = [first, second];
            let found = graph::answer(&games, &sum(&heaps), QUERY, &mut meter()).unwrap();
            let winners = [true, false].map(|left_moves| unfair_winner(&heaps, left_moves));
            let class = match winners {
                [true, true] => Class::L,
                [false, false] => Class::R,
                [true, false] => Class::N,
                [false, true] => Class::P,
            };
            assert_eq!(found.class, Some(class), "{heaps:?}");
            for (turn, left_moves) in found.turns.iter().zip([true, false]) {
                let mover = if left_moves {
                    Player::Left
                } else {
                    Player::Right
                };
                assert_eq!(turn.mover, Some(mover));
                let is_won = unfair_winner(&heaps, left_moves) == left_moves;
                let outcome = if is_won { Outcome::N } else { Outcome::P };
                assert_eq!(turn.prospect, Prospect::Outcome(outcome), "{heaps:?}");
                assert_eq!(turn.best.listed.is_empty(), !is_won);
                let label = if left_moves { "two" } else { "one" };
                assert!(turn.best.listed.iter().all(|next| next.label != label));
            }
        }
    }
    // The ordinary solver says that it is not the one to ask.
    let mut solver = Solver::new(&games).unwrap();
    let refused = solver.answer(&sum(&[3]), QUERY, &mut meter());
    assert!(matches!(refused, Err(Undecided::NotSolved(_))));
}

#[test]
fn chance_is_exact() {
    let games = [rules(
        "chance d in {1, 2, 4}; take: [n] -> [n-k] where 1 <= k <= d",
    )];
    let third = BigRational::new(1.into(), 3.into());
    let one = BigRational::from(BigInt::from(1));
    let mut wins: Vec<BigRational> = Vec::new();
    for heap in 0..12u64 {
        let mut win = BigRational::from(BigInt::from(0));
        for draw in [1, 2, 4u64] {
            let best = (1..=draw.min(heap))
                .map(|take| &one - &wins[usize::try_from(heap - take).unwrap()]);
            win += best.max().unwrap_or_default() * &third;
        }
        let found = graph::answer(&games, &sum(&[heap]), QUERY, &mut meter()).unwrap();
        assert_eq!(
            found.turns[0].prospect,
            Prospect::Probability(win.clone()),
            "{heap}"
        );
        wins.push(win);
        assert_eq!(found.turns.len(), 4);
        let draws: Vec<BigInt> = found.turns[1..]
            .iter()
            .map(|turn| turn.drawn[0].1.clone())
            .collect();
        assert_eq!(draws, [1, 2, 4].map(BigInt::from));
        for (turn, draw) in found.turns[1..].iter().zip([1, 2, 4u64]) {
            let left = |take: u64| &one - &wins[usize::try_from(heap - take).unwrap()];
            let best = (1..=draw.min(heap)).map(left).max();
            let good: Vec<u64> = (1..=draw.min(heap))
                .filter(|take| Some(left(*take)) == best)
                .collect();
            let listed: Vec<BigInt> = turn
                .best
                .listed
                .iter()
                .map(|next| next.choices[0].1.clone())
                .collect();
            assert_eq!(
                listed,
                good.into_iter().map(BigInt::from).collect::<Vec<_>>()
            );
        }
    }
    let coin = [rules("chance d in 0..1; [n] -> [n-d] where d >= 0")];
    let endless = graph::answer(&coin, &sum(&[2]), QUERY, &mut meter());
    assert!(matches!(endless, Err(Undecided::NotSolved(_))));
}

#[test]
fn chance_and_players_go_together() {
    // Left takes what the coin shows, 1 or 2; Right takes 1.
    let games = [rules(
        "chance d in 1..2; left: [n] -> [n-d]; right: [n] -> [n-1]",
    )];
    let found = graph::answer(&games, &sum(&[2]), QUERY, &mut meter()).unwrap();
    let wins: Vec<String> = found
        .turns
        .iter()
        .filter(|turn| turn.drawn.is_empty())
        .map(|turn| match &turn.prospect {
            Prospect::Probability(win) => win.to_string(),
            Prospect::Outcome(_) => panic!("chance moves"),
        })
        .collect();
    // Left takes 2 and wins, or takes 1 and Right takes the last. Right takes 1; Left takes the last if the coin shows 1.
    assert_eq!(wins, ["1/2", "1/2"]);
}

#[test]
fn the_graph_of_positions_says_the_same() {
    let texts = [
        "left: [n] -> [n-1]\nright: [n] -> [n-k] where 1 <= k <= 2\nboth: [n] -> [a] + [n-2-a] where a >= 0",
        "chance d in 1..3\n[n] -> [n-k] where 1 <= k <= d\n[n] -> nothing where n = d",
        "chance d in 1..2\nleft: [n] -> [n-d]\nright: [n] -> [n-1]",
        "left: [n] -> [n-1] where n >= 1\nright: [n] -> [n+1] where n <= 3\n[n] -> [n-2]\nends won [n] where n = 5",
        "left: [n] -> [n-1]\nright: [n] -> [n-1]\nplay misere",
    ];
    for text in texts {
        let games = [rules(text)];
        for heaps in [&[0][..], &[3], &[4], &[2, 2]] {
            let sum = sum(heaps);
            let expected = graph::answer(&games, &sum, QUERY, &mut meter());
            let found = graph::positions(&games, &sum, &mut meter()).unwrap();
            let play = match games[0].play {
                grundy_rules::ruleset::Play::Normal => Play::Normal,
                grundy_rules::ruleset::Play::Misere => Play::Misere,
            };
            let solution = Solution::of(&found.graph, play, &mut Work::new(1 << 28));
            let (Ok(expected), Ok(solution)) = (&expected, &solution) else {
                assert!(expected.is_err() && solution.is_err(), "{text} {heaps:?}");
                continue;
            };
            let first = expected.turns.iter().filter(|turn| turn.drawn.is_empty());
            let mut compared = 0;
            for turn in first {
                let mover = turn.mover.map(|player| match player {
                    Player::Left => Mover::Left,
                    Player::Right => Mover::Right,
                });
                let mover = mover.filter(|_| found.graph.is_unfair());
                let prospect = match solution.prospect(0, mover) {
                    grundy_graphs::Prospect::Probability(odd) => Prospect::Probability(odd),
                    grundy_graphs::Prospect::Outcome(retrograde::Outcome::P) => {
                        Prospect::Outcome(Outcome::P)
                    }
                    grundy_graphs::Prospect::Outcome(retrograde::Outcome::N) => {
                        Prospect::Outcome(Outcome::N)
                    }
                    grundy_graphs::Prospect::Outcome(retrograde::Outcome::Draw) => {
                        Prospect::Outcome(Outcome::Draw)
                    }
                };
                assert_eq!(prospect, turn.prospect, "{text} {heaps:?} {mover:?}");
                compared += 1;
            }
            assert!(compared > 0);
        }
    }
    let endless = [rules("left: [n] -> [n+1]\nright: [n] -> [n-1]")];
    let mut little = Meter::new(Budget {
        steps: 1 << 30,
        bytes: 1 << 16,
    });
    let found = graph::positions(&endless, &sum(&[1]), &mut little);
    assert_eq!(found.err(), Some(Limit::Bytes));
}
