//! Where nodes stand, and the places between through which long edges pass.

use std::collections::BTreeSet;

use crate::{Diagram, Shape};

/// How far apart the edges of two neighbouring places are.
const GAP: f64 = 18.0;
/// Half the breadth of a place that only an edge passes.
const LANE: f64 = 5.0;
/// How far an edge from a node to itself reaches, as a multiple of the radius.
const LOOP: f64 = 1.7;
/// How often the places of all layers are ordered, and moved.
const ROUNDS: usize = 24;
/// The most places that long edges have in all; where there would be more, they go straight.
const MOST_PLACES: usize = 20_000;

/// Where everything is: `across` a layer, and `along` the layers.
pub(crate) struct Layout {
    /// The layer and the place across of each node.
    pub nodes: Vec<(usize, f64)>,
    /// The places across that each edge passes in the layers between its ends, from its start on.
    pub lanes: Vec<Vec<f64>>,
    /// How broad all is, from 0.
    pub breadth: f64,
    /// How many layers there are.
    pub layers: usize,
}

/// Something that stands in a layer: nodes come first, then lanes.
struct Places {
    half: Vec<f64>,
    layer: Vec<usize>,
    /// The neighbours in the layers before and after.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    across: Vec<f64>,
}

impl Places {
    fn add(&mut self, layer: usize, half: f64) -> usize {
        self.half.push(half);
        self.layer.push(layer);
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        self.across.push(0.0);
        self.half.len() - 1
    }

    fn join(&mut self, a: usize, b: usize) {
        let (upper, lower) = if self.layer[a] < self.layer[b] {
            (a, b)
        } else {
            (b, a)
        };
        self.after[upper].push(lower);
        self.before[lower].push(upper);
    }

    /// The middle of the neighbours on these sides, or the own place.
    fn middle(&self, place: usize, sides: &[&Vec<Vec<usize>>]) -> f64 {
        let near = sides.iter().flat_map(|side| &side[place]);
        let (mut sum, mut count) = (0.0, 0.0);
        for other in near {
            sum += self.across[*other];
            count += 1.0;
        }
        if count == 0.0 {
            self.across[place]
        } else {
            sum / count
        }
    }

    /// How far apart the middles of two neighbours must be.
    fn apart(&self, left: usize, right: usize) -> f64 {
        self.half[left] + GAP + self.half[right]
    }
}

/// Lays out a diagram.
pub(crate) fn layout(diagram: &Diagram) -> Layout {
    let mut places = Places {
        half: Vec::new(),
        layer: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        across: Vec::new(),
    };
    let loops: BTreeSet<usize> = diagram
        .edges
        .iter()
        .filter(|edge| edge.from == edge.to)
        .map(|edge| edge.from)
        .collect();
    for (index, node) in diagram.nodes.iter().enumerate() {
        let half = match node.shape {
            // An edge from a node to itself stands out at its side.
            Shape::Circle | Shape::Diamond if loops.contains(&index) => LOOP * diagram.radius,
            Shape::Circle | Shape::Diamond => diagram.radius,
            Shape::Dot => LANE,
        };
        places.add(node.layer, half);
    }
    let between = |from: usize, to: usize| {
        let (a, b) = (diagram.nodes[from].layer, diagram.nodes[to].layer);
        a.abs_diff(b).saturating_sub(1)
    };
    let wanted: usize = diagram
        .edges
        .iter()
        .map(|edge| between(edge.from, edge.to))
        .sum();
    let mut lanes: Vec<Vec<usize>> = Vec::with_capacity(diagram.edges.len());
    for edge in &diagram.edges {
        let (from, to) = (edge.from, edge.to);
        let (first, last) = (places.layer[from], places.layer[to]);
        let mut chain = Vec::new();
        if first != last && wanted <= MOST_PLACES {
            let layers: Vec<usize> = if first < last {
                (first + 1..last).collect()
            } else {
                (last + 1..first).rev().collect()
            };
            let mut at = from;
            for layer in layers {
                let lane = places.add(layer, LANE);
                places.join(at, lane);
                chain.push(lane);
                at = lane;
            }
            places.join(at, to);
        }
        lanes.push(chain);
    }
    let count = places
        .layer
        .iter()
        .map(|layer| layer + 1)
        .max()
        .unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (place, layer) in places.layer.iter().enumerate() {
        layers[*layer].push(place);
    }
    order(&mut places, &mut layers);
    stand(&mut places, &layers);
    let left = |place: usize| places.across[place] - places.half[place];
    let all = 0..places.half.len();
    let least = all.clone().map(left).fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 0.0 };
    let breadth = all
        .map(|place| places.across[place] + places.half[place] - least)
        .fold(0.0, f64::max);
    let across = |place: &usize| places.across[*place] - least;
    Layout {
        nodes: (0..diagram.nodes.len())
            .map(|node| (places.layer[node], across(&node)))
            .collect(),
        lanes: lanes
            .iter()
            .map(|chain| chain.iter().map(across).collect())
            .collect(),
        breadth,
        layers: count,
    }
}

/// Places the members of a layer side by side around 0.
fn pack(places: &mut Places, layer: &[usize]) {
    let mut at = 0.0;
    for (index, place) in layer.iter().enumerate() {
        if index > 0 {
            at += places.apart(layer[index - 1], *place);
        }
        places.across[*place] = at;
    }
    for place in layer {
        places.across[*place] -= at / 2.0;
    }
}

/// Orders each layer so that few edges cross: sweeps down and up, and keeps the best that was seen.
fn order(places: &mut Places, layers: &mut [Vec<usize>]) {
    for layer in layers.iter() {
        pack(places, layer);
    }
    let mut best = (crossings(places, layers), layers.to_vec());
    for round in 0..ROUNDS {
        if best.0 == 0 {
            break;
        }
        let is_down = round % 2 == 0;
        for index in 0..layers.len() {
            let index = if is_down {
                index
            } else {
                layers.len() - 1 - index
            };
            let side = if is_down {
                &places.before
            } else {
                &places.after
            };
            let middle = |place: &usize| places.middle(*place, &[side]);
            layers[index].sort_by(|a, b| middle(a).total_cmp(&middle(b)));
            pack(places, &layers[index]);
        }
        let now = crossings(places, layers);
        if now < best.0 {
            best = (now, layers.to_vec());
        }
    }
    layers.clone_from_slice(&best.1);
    for layer in layers.iter() {
        pack(places, layer);
    }
}

/// How many pairs of edges between neighbouring layers cross.
fn crossings(places: &Places, layers: &[Vec<usize>]) -> usize {
    let mut index = vec![0; places.half.len()];
    for layer in layers {
        for (at, place) in layer.iter().enumerate() {
            index[*place] = at;
        }
    }
    let mut all = 0;
    for (layer, next) in layers.iter().zip(layers.iter().skip(1)) {
        // Ends in the order of starts: inversions among them are crossings, counted by sums over a tree of
        // counts (Fenwick 1994).
        let mut counts = vec![0usize; next.len() + 1];
        let mut seen = 0;
        for place in layer {
            let ends = || places.after[*place].iter().map(|end| index[*end]);
            for end in ends() {
                let (mut at, mut not_after) = (end + 1, 0);
                while at > 0 {
                    not_after += counts[at];
                    at &= at - 1;
                }
                all += seen - not_after;
            }
            for end in ends() {
                let mut at = end + 1;
                while at < counts.len() {
                    counts[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    all
}

/// Moves places towards the middle of their neighbours, in the order that they have.
fn stand(places: &mut Places, layers: &[Vec<usize>]) {
    for round in 0..ROUNDS {
        for index in 0..layers.len() {
            let index = if round % 2 == 0 {
                index
            } else {
                layers.len() - 1 - index
            };
            let layer = &layers[index];
            let wanted: Vec<f64> = layer
                .iter()
                .map(|place| places.middle(*place, &[&places.before, &places.after]))
                .collect();
            for (place, across) in layer.iter().zip(nearest(places, layer, &wanted)) {
                places.across[*place] = across;
            }
        }
    }
}

/// The places nearest to these, by the sum of squares, that keep order and distance: neighbours that are
/// too near are moved together (pool adjacent violators; Ayer and others 1955).
fn nearest(places: &Places, layer: &[usize], wanted: &[f64]) -> Vec<f64> {
    let mut shift = Vec::with_capacity(layer.len());
    let mut sum = 0.0;
    for (index, place) in layer.iter().enumerate() {
        if index > 0 {
            sum += places.apart(layer[index - 1], *place);
        }
        shift.push(sum);
    }
    // Blocks of members that stand as near as they may: sum and number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (wanted, shift) in wanted.iter().zip(&shift) {
        blocks.push((wanted - shift, 1));
        while let [.., a, b] = blocks.as_slice() {
            if mean(*a) <= mean(*b) {
                break;
            }
            let joined = (a.0 + b.0, a.1 + b.1);
            blocks.truncate(blocks.len() - 2);
            blocks.push(joined);
        }
    }
    let members = blocks
        .into_iter()
        .flat_map(|block| std::iter::repeat_n(mean(block), block.1));
    members.zip(shift).map(|(at, shift)| at + shift).collect()
}

fn mean((sum, count): (f64, usize)) -> f64 {
    sum / real(count)
}

/// A small count as a length.
pub(crate) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
