//! Who wins, and how soon: with the same moves, with different ones, and with chance.

use std::collections::{BTreeMap, BTreeSet};

use grundy_graphs::chance::{NoChances, chances};
use grundy_graphs::retrograde::{self, Outcome, Play};
use grundy_graphs::sum::answer;
use grundy_graphs::unfair::Class;
use grundy_graphs::{
    Description, End, Graph, Mover, NoValues, Prospect, Solution, Unsolved, Vertex,
};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::naive::{Random, graph_of_bits, outcomes, random_graph, work};

fn rows(graph: &Graph) -> Vec<Vec<usize>> {
    let row = |vertex| {
        graph
            .options(vertex)
            .iter()
            .map(|to| *to as usize)
            .collect()
    };
    graph.vertices().map(row).collect()
}

#[test]
fn outcomes_and_moves_to_the_end_are_those_of_the_definition() {
    let check = |graph: &Graph| {
        for play in [Play::Normal, Play::Misere] {
            let reverse = graph.reverse(&mut work()).unwrap();
            let found = retrograde::outcomes(graph, &reverse, play, &mut work()).unwrap();
            let expected = outcomes(&rows(graph), play == Play::Misere);
            for vertex in graph.vertices() {
                let found = (found.of(vertex), found.moves_to_end(vertex));
                assert_eq!(
                    found, expected[vertex as usize],
                    "{graph:?} {vertex} {play:?}"
                );
            }
        }
    };
    for vertices in 0..=3 {
        for bits in 0..1u64 << (vertices * vertices) {
            check(&graph_of_bits(vertices, bits));
        }
    }
    let mut random = Random(5);
    for round in 0..2000 {
        let tenths = 1 + random.below(4);
        check(&random_graph(&mut random, 4 + round % 5, tenths));
    }
}

/// A random graph whose edges belong to one player or to both.
fn random_unfair(random: &mut Random, vertices: u32) -> Graph {
    let mut description = Description {
        vertices: vertices as usize,
        ..Description::default()
    };
    for from in 0..vertices {
        for to in 0..vertices {
            let mover = match random.below(9) {
                0 => None,
                1 => Some(Mover::Left),
                2 => Some(Mover::Right),
                _ => continue,
            };
            description.edges.push([from, to]);
            description.movers.push(mover);
        }
    }
    Graph::new(description, &mut work()).unwrap().0
}

/// Who wins within so many moves, Left to move or Right, by plain minimax.
fn winner_within(graph: &Graph, vertex: Vertex, mover: Mover, moves: u32) -> Option<Mover> {
    let mut can_go_on = false;
    for (to, own) in graph.moves(vertex) {
        if own.is_some_and(|own| own != mover) {
            continue;
        }
        let after = match moves {
            0 => None,
            _ => winner_within(graph, to, mover.other(), moves - 1),
        };
        match after {
            Some(winner) if winner == mover => return Some(mover),
            Some(_) => {}
            None => can_go_on = true,
        }
    }
    (!can_go_on).then(|| mover.other())
}

#[test]
fn unfair_outcomes_are_those_of_minimax() {
    let mut random = Random(6);
    for round in 0..1500u32 {
        let graph = random_unfair(&mut random, 1 + round % 4);
        if !graph.is_unfair() {
            continue;
        }
        let solution = Solution::of(&graph, Play::Normal, &mut work()).unwrap();
        // If a player can force a win, then within as many moves as there are states.
        let states = 2 * u32::try_from(graph.len()).unwrap();
        for vertex in graph.vertices() {
            let winners = [Mover::Left, Mover::Right].map(|mover| {
                let winner = winner_within(&graph, vertex, mover, states);
                let expected = match winner {
                    None => Outcome::Draw,
                    Some(winner) if winner == mover => Outcome::N,
                    Some(_) => Outcome::P,
                };
                let prospect = solution.prospect(vertex, Some(mover));
                assert_eq!(
                    prospect,
                    Prospect::Outcome(expected),
                    "{graph:?} {vertex} {mover:?}"
                );
                if let Some(moves) = solution.moves_to_end(vertex, Some(mover)) {
                    assert!(winner_within(&graph, vertex, mover, moves).is_some());
                    assert!(
                        moves == 0 || winner_within(&graph, vertex, mover, moves - 1).is_none()
                    );
                }
                winner
            });
            let class = Class::of(winners[0], winners[1]);
            assert_eq!(solution.class(vertex), class);
        }
    }
}

#[test]
fn sums_of_unfair_components_are_refused_with_the_reason() {
    let description = Description {
        vertices: 2,
        edges: vec![[0, 1]],
        movers: vec![Some(Mover::Left)],
        ..Description::default()
    };
    let (graph, _) = Graph::new(description, &mut work()).unwrap();
    let solution = Solution::of(&graph, Play::Normal, &mut work()).unwrap();
    assert_eq!(answer(&solution, &[0, 1]).unwrap_err(), NoValues::Unfair);
    let alone = answer(&solution, &[0]).unwrap();
    assert_eq!(alone.class, Some(Class::L));
    assert_eq!(alone.turns[0].best.len(), 1);
    assert_eq!(solution.class(1), Some(Class::P));
}

#[test]
fn ends_stand_for_outcomes() {
    let mut random = Random(7);
    for _ in 0..300 {
        let graph = random_graph(&mut random, 5, 3);
        // A lost end is a vertex without moves; a won one leads to such a vertex only.
        let stuck: Vec<Vertex> = graph
            .vertices()
            .filter(|vertex| graph.options(*vertex).is_empty())
            .collect();
        let won: BTreeSet<Vertex> = stuck.into_iter().filter(|_| random.below(2) == 0).collect();
        let mut plain = rows(&graph);
        let sink = plain.len();
        for vertex in &won {
            plain[*vertex as usize].push(sink);
        }
        plain.push(Vec::new());
        let expected = outcomes(&plain, false);
        let graph = graph.with_ends(won.iter().map(|vertex| (*vertex, End::Won)));
        let solution = Solution::of(&graph, Play::Normal, &mut work()).unwrap();
        for vertex in graph.vertices() {
            let prospect = solution.prospect(vertex, None);
            assert_eq!(prospect, Prospect::Outcome(expected[vertex as usize].0));
        }
        if !won.is_empty() {
            assert_eq!(solution.value(0), Err(NoValues::Ends));
        }
    }
}

fn ratio(numerator: u32, denominator: u32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn chance_graph(rows: &[&[Vertex]], odds: &[(usize, &[BigRational])]) -> Graph {
    let mut description = Description {
        vertices: rows.len(),
        ..Description::default()
    };
    let mut probabilities = BTreeMap::new();
    for (from, row) in rows.iter().enumerate() {
        for (index, to) in row.iter().enumerate() {
            if let Some((_, given)) = odds.iter().find(|(vertex, _)| *vertex == from)
                && let Some(odd) = given.get(index)
            {
                probabilities.insert(description.edges.len(), odd.clone());
            }
            description
                .edges
                .push([Vertex::try_from(from).unwrap(), *to]);
        }
    }
    description.chance = odds
        .iter()
        .map(|(vertex, _)| Vertex::try_from(*vertex).unwrap())
        .collect();
    description.probabilities = probabilities;
    Graph::new(description, &mut work()).unwrap().0
}

#[test]
fn chance_is_exact_in_small_cases() {
    // 0 is stuck, 1 moves to it. Chance at 2 goes to one of them; at 3 with 1/3 to the lost one.
    let graph = chance_graph(
        &[&[], &[0], &[0, 1], &[0, 1], &[2], &[3], &[2, 3], &[5, 4]],
        &[(2, &[]), (3, &[ratio(1, 3), ratio(2, 3)])],
    );
    let found = chances(&graph, Play::Normal, &mut work()).unwrap();
    let expected = [
        (0, 1),
        (1, 1),
        (1, 2),
        (2, 3),
        (1, 2),
        (1, 3),
        (1, 2),
        (2, 3),
    ];
    for (vertex, (over, under)) in (0..).zip(expected) {
        assert_eq!(*found.of(vertex), ratio(over, under), "{vertex}");
    }
    let solution = Solution::of(&graph, Play::Normal, &mut work()).unwrap();
    assert_eq!(solution.turn(6, None).best, [2]);
    assert_eq!(solution.turn(7, None).best, [5]);
    assert!(solution.turn(3, None).best.is_empty());
}

/// How likely the player to move wins, by its definition.
fn win(graph: &Graph, vertex: Vertex) -> BigRational {
    let after = |to: Vertex| win(graph, to);
    if let Some(odds) = graph.odds_of(vertex) {
        return odds.into_iter().map(|(to, odd)| odd * after(to)).sum();
    }
    let options = graph.options(vertex).iter();
    let one = BigRational::from(BigInt::from(1));
    let wins = options.map(|to| &one - after(*to));
    wins.max().unwrap_or_else(|| ratio(0, 1))
}

#[test]
fn chance_is_exact_on_random_graphs() {
    let mut random = Random(8);
    for _ in 0..300 {
        let rows: Vec<Vec<Vertex>> = (0..9u32)
            .map(|from| (0..from).filter(|_| random.below(2) == 0).collect())
            .collect();
        let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
        let chance = graph
            .vertices()
            .filter(|vertex| !graph.options(*vertex).is_empty() && random.below(3) == 0);
        let chance: Vec<Vertex> = chance.collect();
        let graph = graph.with_chance(chance);
        let found = chances(&graph, Play::Normal, &mut work()).unwrap();
        for vertex in graph.vertices() {
            assert_eq!(*found.of(vertex), win(&graph, vertex), "{graph:?}");
        }
    }
}

#[test]
fn chance_refuses_what_it_cannot_tell() {
    let ring = Graph::of_options([&[1][..], &[0]]).with_chance([0]);
    let found = chances(&ring, Play::Normal, &mut work());
    assert!(matches!(found, Err(NoChances::Cycle(cycle)) if cycle.len() == 2));
    let drawn = Graph::of_options([&[1][..], &[]])
        .with_chance([0])
        .with_ends([(1, End::Draw)]);
    let solution = Solution::of(&drawn, Play::Normal, &mut work());
    assert_eq!(solution.err(), Some(Unsolved::ChanceDraw(1)));
}
