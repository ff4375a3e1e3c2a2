//! Sums as graphs: each vertex is a position of all tokens.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHasher;

use crate::chance::{Chances, NoChances, chances};
use crate::graph::{End, Graph, Vertex, number};
use crate::retrograde::{Outcomes, Play, outcomes};
use crate::solution::Prospect;
use crate::work::{Stop, Work};

/// How a vertex stops a whole sum of tokens.
///
/// In normal play a lost end is no more than a vertex without moves: the other tokens go on.
pub(crate) fn stop_at(graph: &Graph, vertex: Vertex, play: Play) -> Option<End> {
    graph
        .end(vertex)
        .filter(|end| play == Play::Misere || *end != End::Lost)
}

/// The positions that tokens can reach, and what can be expected there.
pub(crate) struct Product {
    places: HashMap<Box<[Vertex]>, Vertex, BuildHasherDefault<FxHasher>>,
    found: Found,
    bytes: u64,
}

enum Found {
    Outcomes(Outcomes),
    Chances(Chances),
}

/// About how many bytes a position takes, beside the places of its tokens and its edges.
const BYTES_EACH: u64 = 64;

impl Product {
    /// Visits all positions that these tokens can reach, and solves them.
    pub(crate) fn of(
        graph: &Graph,
        play: Play,
        tokens: &[Vertex],
        work: &mut Work,
    ) -> Result<Self, Stop> {
        let mut places = HashMap::default();
        let mut queue = vec![key(graph, play, tokens.to_vec())];
        places.insert(queue[0].clone(), 0);
        let mut rows = (vec![0], Vec::new());
        let (mut ends, mut odds) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        let mut next = 0;
        while let Some(position) = queue.get(next).cloned() {
            let place = number(next);
            next += 1;
            let mut after = Vec::new();
            if let Some(end) = position.iter().find_map(|at| stop_at(graph, *at, play)) {
                ends.push((place, end));
            } else if let Some(token) = chance_token(graph, &position) {
                after = chosen(graph, play, &position, token);
                odds.push((place, after.iter().map(|(_, odd)| odd.clone()).collect()));
            } else {
                for (token, at) in position.iter().enumerate() {
                    if token > 0 && position[token - 1] == *at {
                        continue;
                    }
                    for to in graph.options(*at) {
                        let moved = moved(graph, play, &position, token, *to);
                        after.push((moved, BigRational::zero()));
                    }
                }
                after.sort_unstable_by(|a, b| a.0.cmp(&b.0));
                after.dedup_by(|a, b| a.0 == b.0);
            }
            for (moved, _) in after {
                let new = Vertex::try_from(queue.len())
                    .ok()
                    .filter(|_| rows.1.len() < u32::MAX as usize)
                    .ok_or(Stop::Bytes)?;
                let mut held = size_of::<Vertex>() as u64;
                let to = *places.entry(moved).or_insert_with_key(|moved| {
                    held += BYTES_EACH + 2 * size_of_val::<[Vertex]>(moved) as u64;
                    queue.push(moved.clone());
                    new
                });
                work.allocate(held)?;
                bytes += held;
                work.spend(1 + tokens.len())?;
                rows.1.push(to);
            }
            rows.0.push(number(rows.1.len()));
        }
        drop(queue);
        let product = Graph::of_rows(rows.0, rows.1)
            .with_ends(ends)
            .with_odds(odds);
        let found = if graph.has_chance() {
            match chances(&product, play, work) {
                Ok(chances) => Found::Chances(chances),
                Err(NoChances::Stopped(stop)) => return Err(stop),
                Err(_) => unreachable!("each token's graph has neither cycles nor draws"),
            }
        } else {
            let reverse = product.reverse(work)?;
            Found::Outcomes(outcomes(&product, &reverse, play, work)?)
        };
        Ok(Self {
            places,
            found,
            bytes,
        })
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes were counted for it.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The vertex of a position; `None` if it is not among those visited.
    pub(crate) fn place(&self, graph: &Graph, play: Play, tokens: &[Vertex]) -> Option<Vertex> {
        let key = key(graph, play, tokens.to_vec());
        self.places.get(&key).copied()
    }

    /// What the player about to move can expect.
    pub(crate) fn prospect(&self, place: Vertex) -> Prospect {
        match &self.found {
            Found::Outcomes(outcomes) => Prospect::Outcome(outcomes.of(place)),
            Found::Chances(chances) => Prospect::Probability(chances.of(place).clone()),
        }
    }

    /// After how many moves play ends, where one side can force the end.
    pub(crate) fn moves_to_end(&self, place: Vertex) -> Option<u32> {
        match &self.found {
            Found::Outcomes(outcomes) => outcomes.moves_to_end(place),
            Found::Chances(_) => None,
        }
    }
}

/// The token for which chance moves before anybody does.
pub(crate) fn chance_token(graph: &Graph, tokens: &[Vertex]) -> Option<usize> {
    tokens.iter().position(|token| graph.is_chance(*token))
}

/// A position in which tokens have no names, and those that can do nothing any more are left out.
fn key(graph: &Graph, play: Play, mut tokens: Vec<Vertex>) -> Box<[Vertex]> {
    tokens.retain(|token| {
        !graph.options(*token).is_empty() || stop_at(graph, *token, play).is_some()
    });
    tokens.sort_unstable();
    tokens.into()
}

fn moved(
    graph: &Graph,
    play: Play,
    position: &[Vertex],
    token: usize,
    to: Vertex,
) -> Box<[Vertex]> {
    let mut moved = position.to_vec();
    moved[token] = to;
    key(graph, play, moved)
}

/// The positions that chance may choose, each once, with their probabilities.
fn chosen(
    graph: &Graph,
    play: Play,
    position: &[Vertex],
    token: usize,
) -> Vec<(Box<[Vertex]>, BigRational)> {
    let odds = graph.odds_of(position[token]).unwrap_or_default();
    let mut chosen: Vec<(Box<[Vertex]>, BigRational)> = odds
        .into_iter()
        .map(|(to, odd)| (moved(graph, play, position, token, to), odd))
        .collect();
    chosen.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    chosen.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += &next.1;
        }
        is_same
    });
    chosen
}
