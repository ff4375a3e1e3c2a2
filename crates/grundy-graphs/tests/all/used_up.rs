//! Games in which edges or vertices are used up, held against their definitions.

use grundy_graphs::Vertex;
use grundy_graphs::geography::Geography;
use grundy_graphs::hackenbush::{Sketch, value, winning_cuts};

use crate::naive::{Random, work};

fn random_sketch(random: &mut Random, vertices: u64, edges: u64) -> Sketch {
    let mut end = || Vertex::try_from(random.below(vertices)).unwrap();
    Sketch {
        vertices: usize::try_from(vertices).unwrap(),
        edges: (0..edges).map(|_| [end(), end()]).collect(),
    }
}

/// The edges that are joined to the ground.
fn standing(edges: &[[Vertex; 2]], ground: &[Vertex]) -> Vec<[Vertex; 2]> {
    let mut joined = ground.to_vec();
    let mut before = 0;
    while joined.len() > before {
        before = joined.len();
        for [one, other] in edges {
            for (from, to) in [(one, other), (other, one)] {
                if joined.contains(from) && !joined.contains(to) {
                    joined.push(*to);
                }
            }
        }
    }
    edges
        .iter()
        .filter(|edge| joined.contains(&edge[0]))
        .copied()
        .collect()
}

fn without(edges: &[[Vertex; 2]], cut: usize) -> Vec<[Vertex; 2]> {
    let mut left = edges.to_vec();
    left.remove(cut);
    left
}

/// The value by its definition: the least that no cut leaves.
fn plain_value(edges: &[[Vertex; 2]], ground: &[Vertex]) -> u32 {
    let edges = standing(edges, ground);
    let options: Vec<u32> = (0..edges.len())
        .map(|cut| plain_value(&without(&edges, cut), ground))
        .collect();
    (0..=u32::MAX)
        .find(|value| !options.contains(value))
        .unwrap()
}

#[test]
fn hackenbush_values_are_those_of_the_definition() {
    let mut random = Random(9);
    let mut large = 0;
    for round in 0..500 {
        let vertices = 1 + random.below(6);
        let sketch = random_sketch(&mut random, vertices, round % 8);
        let last = Vertex::try_from(vertices - 1).unwrap();
        let ground = if round % 3 == 0 {
            vec![0, last]
        } else {
            vec![0]
        };
        let found = value(&sketch, &ground, &mut work()).unwrap();
        assert_eq!(found, plain_value(&sketch.edges, &ground), "{sketch:?}");
        large += u32::from(found > 2);
        let cuts = winning_cuts(&sketch, &ground, &mut work()).unwrap();
        let stands = standing(&sketch.edges, &ground);
        let expected = (0..sketch.edges.len()).filter(|cut| {
            stands.contains(&sketch.edges[*cut])
                && plain_value(&without(&sketch.edges, *cut), &ground) == 0
        });
        assert_eq!(cuts, expected.collect::<Vec<_>>(), "{sketch:?}");
    }
    assert!(large > 10);
}

#[test]
fn tall_stalks_need_no_deep_stack() {
    let edges = (0..500_000).map(|vertex| [vertex, vertex + 1]).collect();
    let sketch = Sketch {
        vertices: 500_001,
        edges,
    };
    assert_eq!(value(&sketch, &[0], &mut work()), Ok(500_000));
    let sides: [u32; 2] = [200_000, 300_000];
    let nim_sum = sides[0] ^ sides[1];
    assert_eq!(value(&sketch, &[200_000], &mut work()), Ok(nim_sum));
}

/// Whether the player about to move wins, by trying all ways.
fn is_won(sketch: &Sketch, vertex: Vertex, visited: &mut Vec<Vertex>) -> bool {
    visited.push(vertex);
    let won = neighbours(sketch, vertex)
        .into_iter()
        .any(|to| !visited.contains(&to) && !is_won(sketch, to, visited));
    visited.pop();
    won
}

fn neighbours(sketch: &Sketch, vertex: Vertex) -> Vec<Vertex> {
    let mut all: Vec<Vertex> = sketch
        .edges
        .iter()
        .filter_map(|[one, other]| match vertex {
            _ if vertex == *one => Some(*other),
            _ if vertex == *other => Some(*one),
            _ => None,
        })
        .filter(|other| *other != vertex)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn geography_is_that_of_the_definition() {
    let mut random = Random(10);
    for round in 0..600u64 {
        let vertices = 1 + round % 9;
        let edges = random.below(15);
        let sketch = random_sketch(&mut random, vertices, edges);
        let geography = Geography::new(&sketch, &mut work()).unwrap();
        for vertex in 0..Vertex::try_from(vertices).unwrap() {
            let won = is_won(&sketch, vertex, &mut Vec::new());
            assert_eq!(geography.is_won(vertex), won, "{sketch:?} {vertex}");
            let expected: Vec<Vertex> = neighbours(&sketch, vertex)
                .into_iter()
                .filter(|to| !is_won(&sketch, *to, &mut vec![vertex]))
                .collect();
            let moves = geography.winning_moves(vertex, &mut work()).unwrap();
            assert_eq!(moves, expected, "{sketch:?} {vertex}");
        }
    }
}
