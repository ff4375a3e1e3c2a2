//! Games by their definitions: who can force a win within so many moves.

use grundy_graphs::retrograde::Outcome;
use grundy_graphs::{Graph, Vertex, Work};

pub fn work() -> Work<'static> {
    Work::new(1 << 28)
}

/// Numbers that look random and are always the same (splitmix64, Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// The graph with the edges whose bits are set: bit `n * from + to`.
pub fn graph_of_bits(vertices: usize, bits: u64) -> Graph {
    let rows: Vec<Vec<Vertex>> = (0..vertices)
        .map(|from| {
            let is_edge = |to: &usize| bits >> (vertices * from + to) & 1 == 1;
            (0..vertices)
                .filter(is_edge)
                .map(|to| Vertex::try_from(to).unwrap())
                .collect()
        })
        .collect();
    Graph::of_options(rows.iter().map(Vec::as_slice))
}

/// A random graph in which each edge is there with a probability of `tenths`.
pub fn random_graph(random: &mut Random, vertices: usize, tenths: u64) -> Graph {
    let mut bits = 0;
    for bit in 0..vertices * vertices {
        if random.below(10) < tenths {
            bits |= 1 << bit;
        }
    }
    graph_of_bits(vertices, bits)
}

/// The outcome of each state, and after how many moves play ends: a state is won within k moves
/// if some option is lost within k - 1, and lost within k moves if all are won within k - 1.
pub fn outcomes(
    options: &[Vec<usize>],
    is_won_without_options: bool,
) -> Vec<(Outcome, Option<u32>)> {
    let mut known = vec![(Outcome::Draw, None); options.len()];
    for within in 0.. {
        let before = known.clone();
        for (state, options) in options.iter().enumerate() {
            if before[state].1.is_some() {
                continue;
            }
            let is = |option: &usize, outcome| {
                before[*option].1.is_some() && before[*option].0 == outcome
            };
            if options.is_empty() && is_won_without_options {
                known[state] = (Outcome::N, Some(0));
            } else if options.iter().any(|option| is(option, Outcome::P)) {
                known[state] = (Outcome::N, Some(within));
            } else if options.iter().all(|option| is(option, Outcome::N)) {
                known[state] = (Outcome::P, Some(within));
            }
        }
        if known == before {
            break;
        }
    }
    known
}
