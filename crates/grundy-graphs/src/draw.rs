//! Small graphs as pictures, with who wins in colours: DOT for Graphviz, and SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use grundy_diagram::{Diagram, Direction, Edge, Node, Shape};

use crate::graph::{Graph, Mover, Vertex};
use crate::read::Names;
use crate::retrograde::Outcome;
use crate::solution::{Prospect, Solution};
use crate::text;
use crate::unfair::Class;

/// The most vertices of a picture.
pub const MOST_VERTICES: usize = 300;
/// The most edges of a picture.
pub const MOST_EDGES: usize = 3000;

/// Whether a graph is small enough to be seen.
pub fn fits(graph: &Graph) -> bool {
    graph.len() <= MOST_VERTICES && graph.edge_count() <= MOST_EDGES
}

/// What the colour of a vertex says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Outcome(Outcome),
    Class(Class),
    Other,
}

fn kind(solution: &Solution, vertex: Vertex) -> Kind {
    if let Some(class) = solution.class(vertex) {
        return Kind::Class(class);
    }
    let mut kinds = solution
        .movers()
        .iter()
        .map(|mover| match solution.prospect(vertex, *mover) {
            Prospect::Outcome(outcome) => Kind::Outcome(outcome),
            Prospect::Probability(_) => Kind::Other,
        });
    let first = kinds.next().unwrap_or(Kind::Other);
    match kinds.next() {
        Some(second) if second != first => Kind::Other,
        _ => first,
    }
}

/// Colours that differ in lightness too, so that they are told apart without colour.
fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Outcome(Outcome::N) | Kind::Class(Class::N) => "#b7e4c7",
        Kind::Outcome(Outcome::P) | Kind::Class(Class::P) => "#f28482",
        Kind::Outcome(Outcome::Draw) => "#ffe8a3",
        Kind::Class(Class::L) => "#a9d6f5",
        Kind::Class(Class::R) => "#d9b8f2",
        Kind::Other => "#e9ecef",
    }
}

fn edge_colour(mover: Option<Mover>) -> &'static str {
    match mover {
        None => "#495057",
        Some(Mover::Left) => "#1971c2",
        Some(Mover::Right) => "#9c36b5",
    }
}

/// The graph in the language of Graphviz.
///
/// It can be read again: what the rules say stands in it as well as the colours.
pub fn dot(solution: &Solution, names: &Names) -> String {
    let graph = solution.graph();
    let mut dot = String::from("digraph {\n  node [shape=ellipse, style=filled];\n");
    for vertex in graph.vertices() {
        let name = quoted(names.of(vertex));
        let label = quoted(&caption(solution, names, vertex).join("\n")).replace('\n', "\\n");
        let fill = colour(kind(solution, vertex));
        let mut attributes = format!("label={label}, fillcolor=\"{fill}\"");
        if let Some(end) = graph.end(vertex) {
            let _ = write!(attributes, ", end={}, peripheries=2", text::end_word(end));
        }
        if graph.is_chance(vertex) {
            attributes.push_str(", chance=true, shape=diamond");
        }
        let _ = writeln!(dot, "  {name} [{attributes}];");
    }
    for vertex in graph.vertices() {
        for (from, to, mover, odd) in edges(graph, vertex) {
            let mut attributes = format!("color=\"{}\"", edge_colour(mover));
            if let Some(mover) = mover {
                let _ = write!(attributes, ", player={}", text::player_word(mover));
            }
            if let Some(odd) = odd {
                let _ = write!(attributes, ", probability=\"{odd}\", label=\"{odd}\"");
            }
            let (from, to) = (quoted(names.of(from)), quoted(names.of(to)));
            let _ = writeln!(dot, "  {from} -> {to} [{attributes}];");
        }
    }
    dot.push_str("}\n");
    dot
}

/// A name between quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\\\""))
}

/// The edges of a vertex, each with its probability if chance moves.
fn edges(
    graph: &Graph,
    vertex: Vertex,
) -> impl Iterator<Item = (Vertex, Vertex, Option<Mover>, Option<String>)> {
    let odds: Option<BTreeMap<Vertex, String>> = graph.odds_of(vertex).map(|odds| {
        odds.into_iter()
            .map(|(to, odd)| (to, odd.to_string()))
            .collect()
    });
    graph.moves(vertex).map(move |(to, mover)| {
        let odd = odds
            .as_ref()
            .map(|odds| odds.get(&to).map_or("0", String::as_str).to_owned());
        (vertex, to, mover, odd)
    })
}

/// The lines in a vertex: its name, and what is known of it.
fn caption(solution: &Solution, names: &Names, vertex: Vertex) -> Vec<String> {
    let mut name: String = names.of(vertex).chars().take(LONGEST_NAME).collect();
    if name.len() < names.of(vertex).len() {
        name.push('…');
    }
    vec![name, text::known(solution, vertex)]
}

/// How many characters of a name are shown.
const LONGEST_NAME: usize = 14;

/// The graph as SVG.
///
/// Vertices stand in layers by the number of moves to the end, the end at the bottom and draws at
/// the top.
pub fn svg(solution: &Solution, names: &Names) -> String {
    let graph = solution.graph();
    let mut layer_of = vec![0; graph.len()];
    for (index, layer) in layers(solution).iter().enumerate() {
        for vertex in layer {
            layer_of[*vertex as usize] = index;
        }
    }
    let node = |vertex: Vertex| Node {
        lines: caption(solution, names, vertex),
        fill: colour(kind(solution, vertex)),
        shape: if graph.is_chance(vertex) {
            Shape::Diamond
        } else {
            Shape::Circle
        },
        is_ringed: graph.end(vertex).is_some(),
        layer: layer_of[vertex as usize],
    };
    let all = graph.vertices().flat_map(|vertex| edges(graph, vertex));
    let edge = |(from, to, mover, odd): (Vertex, Vertex, Option<Mover>, Option<String>)| Edge {
        from: from as usize,
        to: to as usize,
        colour: edge_colour(mover),
        label: odd.unwrap_or_default(),
    };
    let diagram = Diagram {
        nodes: graph.vertices().map(node).collect(),
        edges: all.map(edge).collect(),
        direction: Direction::Down,
        radius: 30.0,
    };
    diagram.svg()
}

/// The vertices from the top of the picture down.
fn layers(solution: &Solution) -> Vec<Vec<Vertex>> {
    let mut layers: BTreeMap<Option<u32>, Vec<Vertex>> = BTreeMap::new();
    for vertex in solution.graph().vertices() {
        let moves = solution
            .movers()
            .iter()
            .map(|mover| solution.moves_to_end(vertex, *mover));
        let moves: Option<Vec<u32>> = moves.collect();
        layers
            .entry(moves.and_then(|moves| moves.into_iter().max()))
            .or_default()
            .push(vertex);
    }
    let mut sorted = Vec::new();
    let drawn = layers.remove(&None).unwrap_or_default();
    // Many vertices without a number of their own stand in rows of some.
    sorted.extend(drawn.chunks(ROW).map(<[Vertex]>::to_vec));
    for layer in layers.into_values().rev() {
        sorted.extend(layer.chunks(ROW).map(<[Vertex]>::to_vec));
    }
    sorted
}

/// How many vertices stand in a row.
const ROW: usize = 12;
