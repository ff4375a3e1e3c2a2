//! Values, with and without cycles, and what they say of sums.

use grundy_graphs::acyclic::{Acyclic, grundy_values};
use grundy_graphs::loopy::{Value, loopy_values};
use grundy_graphs::retrograde::{Outcome, Play};
use grundy_graphs::sum::answer;
use grundy_graphs::{Graph, Prospect, Solution, Solver, Vertex};

use crate::naive::{Random, graph_of_bits, outcomes, random_graph, work};

/// The outcomes of each vertex together with heaps of Nim of up to so many: `outcome[vertex][heap]`.
fn beside_heaps(graph: &Graph, most: usize) -> Vec<Vec<Outcome>> {
    let state = |vertex: usize, heap: usize| vertex * (most + 1) + heap;
    let mut options = Vec::new();
    for vertex in graph.vertices() {
        for heap in 0..=most {
            let mut all: Vec<usize> = (0..heap)
                .map(|smaller| state(vertex as usize, smaller))
                .collect();
            all.extend(
                graph
                    .options(vertex)
                    .iter()
                    .map(|to| state(*to as usize, heap)),
            );
            options.push(all);
        }
    }
    let found = outcomes(&options, false);
    let rows = found.chunks(most + 1);
    rows.map(|row| row.iter().map(|(outcome, _)| *outcome).collect())
        .collect()
}

/// The definition: a vertex is worth m iff it is lost beside a heap of m and won beside every other one; it
/// is loopy with a set K iff it is won beside the heaps in K and drawn beside every other one.
fn check_values(graph: &Graph) {
    let reverse = graph.reverse(&mut work()).unwrap();
    let values = loopy_values(graph, &reverse, &mut work()).unwrap();
    // A value is at most the number of options, and one heap more tells what comes after.
    let most = graph.len() + 1;
    let beside = beside_heaps(graph, most);
    for vertex in graph.vertices() {
        let value = values.of(graph, vertex);
        for (heap, found) in (0..).zip(&beside[vertex as usize]) {
            let expected = match &value {
                Value::Nimber(nimber) if *nimber == heap => Outcome::P,
                Value::Nimber(_) => Outcome::N,
                Value::Loopy(options) if options.contains(&heap) => Outcome::N,
                Value::Loopy(_) => Outcome::Draw,
            };
            assert_eq!(
                *found, expected,
                "{graph:?}: {vertex} is {value:?}, beside {heap}"
            );
        }
    }
}

#[test]
fn loopy_values_are_right_on_all_graphs_of_up_to_four_vertices() {
    for vertices in 0..=4 {
        for bits in 0..1u64 << (vertices * vertices) {
            check_values(&graph_of_bits(vertices, bits));
        }
    }
}

#[test]
fn loopy_values_are_right_on_random_graphs_of_five_to_eight_vertices() {
    let mut random = Random(1);
    for round in 0..4000 {
        let vertices = 5 + round % 4;
        let tenths = 1 + random.below(5);
        check_values(&random_graph(&mut random, vertices, tenths));
    }
}

#[test]
fn sums_of_two_and_three_tokens_are_those_of_the_product() {
    let mut random = Random(2);
    for round in 0..400 {
        let vertices = 3 + round % 4;
        let tenths = 2 + random.below(3);
        let graph = random_graph(&mut random, vertices, tenths);
        let solution = Solution::of(&graph, Play::Normal, &mut work()).unwrap();
        for tokens in 2..=3 {
            check_sums(&solution, tokens);
        }
    }
}

fn check_sums(solution: &Solution, tokens: u32) {
    let graph = solution.graph();
    let size = graph.len();
    let places = |mut state: usize| -> Vec<Vertex> {
        (0..tokens)
            .map(|_| {
                let place = state % size;
                state /= size;
                Vertex::try_from(place).unwrap()
            })
            .collect()
    };
    let number = |places: &[Vertex]| {
        let digits = places.iter().rev();
        digits.fold(0, |number, place| number * size + *place as usize)
    };
    let moved = |places: &[Vertex], token: usize, to: Vertex| {
        let mut moved = places.to_vec();
        moved[token] = to;
        number(&moved)
    };
    let mut options = Vec::new();
    for state in 0..size.pow(tokens) {
        let places = places(state);
        let mut all = Vec::new();
        for (token, place) in places.iter().enumerate() {
            all.extend(
                graph
                    .options(*place)
                    .iter()
                    .map(|to| moved(&places, token, *to)),
            );
        }
        options.push(all);
    }
    let found = outcomes(&options, false);
    for (state, (outcome, _)) in found.iter().enumerate() {
        let places = places(state);
        let answer = answer(solution, &places).unwrap();
        assert_eq!(
            answer.turns[0].prospect,
            Prospect::Outcome(*outcome),
            "{graph:?} {places:?}"
        );
        let wanted = match outcome {
            Outcome::N => Some(Outcome::P),
            Outcome::Draw => Some(Outcome::Draw),
            Outcome::P => None,
        };
        let best: Vec<usize> = answer.turns[0]
            .best
            .iter()
            .map(|next| moved(&places, next.token, next.to))
            .collect();
        let good = options[state]
            .iter()
            .filter(|next| Some(found[**next].0) == wanted);
        assert_eq!(
            best,
            good.copied().collect::<Vec<_>>(),
            "{graph:?} {places:?}"
        );
    }
}

/// The value of a vertex by its definition.
fn value(graph: &Graph, vertex: Vertex) -> u32 {
    let options: Vec<u32> = graph
        .options(vertex)
        .iter()
        .map(|to| value(graph, *to))
        .collect();
    (0..=u32::MAX)
        .find(|number| !options.contains(number))
        .unwrap()
}

#[test]
fn values_without_cycles_are_least_excluded_in_every_order() {
    let mut random = Random(3);
    for round in 0..600 {
        let size = 1 + random.below(9);
        // Edges lead down in a hidden order of the vertices: as they are, backwards, or shuffled.
        let mut order: Vec<u64> = (0..size).collect();
        match round % 3 {
            0 => {}
            1 => order.reverse(),
            _ => order.sort_by_key(|_| random.next()),
        }
        let mut rows = vec![Vec::new(); order.len()];
        for high in 1..order.len() {
            for low in 0..high {
                if random.below(2) == 0 {
                    let to = Vertex::try_from(order[low]).unwrap();
                    rows[usize::try_from(order[high]).unwrap()].push(to);
                }
            }
        }
        let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
        let Acyclic::Values(values) = grundy_values(&graph, &mut work()).unwrap() else {
            panic!("edges lead down");
        };
        for vertex in graph.vertices() {
            assert_eq!(values.of(vertex), value(&graph, vertex), "{graph:?}");
        }
    }
}

#[test]
fn large_values_do_not_wrap() {
    // One heap of Nim, below and above what a word of marks and a byte can hold.
    for size in [63u32, 64, 65, 253, 254, 255, 256, 300] {
        let rows: Vec<Vec<Vertex>> = (0..=size).map(|heap| (0..heap).collect()).collect();
        let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
        let Acyclic::Values(values) = grundy_values(&graph, &mut work()).unwrap() else {
            panic!("heaps get smaller");
        };
        assert!(graph.vertices().all(|heap| values.of(heap) == heap));
    }
}

#[test]
fn a_cycle_is_one() {
    let mut random = Random(4);
    let mut cycles = 0;
    for _ in 0..500 {
        let vertices = 1 + usize::try_from(random.below(7)).unwrap();
        let graph = random_graph(&mut random, vertices, 2);
        if let Acyclic::Cycle(cycle) = grundy_values(&graph, &mut work()).unwrap() {
            cycles += 1;
            for (index, vertex) in cycle.iter().enumerate() {
                let next = cycle[(index + 1) % cycle.len()];
                assert!(
                    graph.options(*vertex).contains(&next),
                    "{graph:?} {cycle:?}"
                );
            }
        }
    }
    assert!(cycles > 100);
}

#[test]
fn the_solver_is_the_one_that_the_graph_asks_for() {
    let chain = Graph::of_options([&[][..], &[0], &[1]]);
    let solution = Solution::of(&chain, Play::Normal, &mut work()).unwrap();
    assert_eq!(solution.solver(), Solver::Acyclic);
    let solution = Solution::of(&chain, Play::Misere, &mut work()).unwrap();
    assert_eq!(solution.solver(), Solver::Retrograde);
    let ring = Graph::of_options([&[1][..], &[0]]);
    let solution = Solution::of(&ring, Play::Normal, &mut work()).unwrap();
    assert_eq!(solution.solver(), Solver::Loopy);
}

#[test]
fn a_deep_graph_needs_no_deep_stack() {
    // A path in an order that is neither up nor down, so that it is followed to its end.
    let size: Vertex = 1_000_001;
    let next = |vertex: Vertex| (vertex + 2) % size;
    let rows: Vec<Vec<Vertex>> = (0..size)
        .map(|vertex| {
            if vertex == 5 {
                Vec::new()
            } else {
                vec![next(vertex)]
            }
        })
        .collect();
    let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
    let Acyclic::Values(values) = grundy_values(&graph, &mut work()).unwrap() else {
        panic!("the ring is cut");
    };
    assert_eq!([values.of(5), values.of(3), values.of(1)], [0, 1, 0]);
}

/// Vertices with three edges each that lead anywhere below them.
fn scattered(vertices: u32) -> Vec<Vec<Vertex>> {
    let mut random = Random(7);
    let mut below = |vertex: u32| u32::try_from(random.below(vertex.into())).unwrap();
    let options = (0..vertices).map(|vertex| match vertex {
        0 => Vec::new(),
        _ => (0..3).map(|_| below(vertex)).collect(),
    });
    options.collect()
}

/// Large graphs whose edges lead far keep their values in another way.
#[test]
fn scattered_edges() {
    let vertices = (1u32 << 20) + 4099;
    let mut options = scattered(vertices);
    // The most edges that this way takes, to vertices of as many values.
    let stairs = 1000..1015u32;
    for vertex in stairs.clone() {
        options[vertex as usize] = (stairs.start..vertex).collect();
    }
    let mut expected: Vec<u32> = Vec::new();
    for of in &options {
        let seen: Vec<u32> = of.iter().map(|to| expected[*to as usize]).collect();
        expected.push(
            (0..=15)
                .find(|value| !seen.contains(value))
                .expect("some are"),
        );
    }
    assert!(
        stairs
            .clone()
            .zip(0..)
            .all(|(v, n)| expected[v as usize] == n)
    );
    let solved = |graph: &Graph| grundy_values(graph, &mut work());
    let values = |graph: &Graph| match solved(graph) {
        Ok(Acyclic::Values(values)) => graph.vertices().map(|vertex| values.of(vertex)).collect(),
        other => panic!("edges lead one way, but {other:?}"),
    };
    let down: Vec<u32> = values(&Graph::of_options(options.iter().map(Vec::as_slice)));
    assert_eq!(down, expected);
    // The same with the numbers the other way round.
    let last = vertices - 1;
    let turned = options.iter().rev();
    let turned: Vec<Vec<Vertex>> = turned
        .map(|of| of.iter().map(|to| last - to).collect())
        .collect();
    let up: Vec<u32> = values(&Graph::of_options(turned.iter().map(Vec::as_slice)));
    assert!(up.iter().rev().eq(&expected));
    // An edge that leads the other way leaves the values to be found in another order, or makes a cycle.
    let lonely = vertices as usize / 2;
    let mut other = options.clone();
    other[lonely] = vec![last];
    other[last as usize] = vec![0];
    other[0].clear();
    let graph = Graph::of_options(other.iter().map(Vec::as_slice));
    let back: Vec<u32> = values(&graph);
    assert_eq!((back[lonely], back[last as usize]), (0, 1));
    other[last as usize] = vec![u32::try_from(lonely).expect("it is below a u32")];
    let graph = Graph::of_options(other.iter().map(Vec::as_slice));
    assert!(matches!(solved(&graph), Ok(Acyclic::Cycle(cycle)) if cycle.len() == 2));
}
