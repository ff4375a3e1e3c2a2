//! Small graphs as pictures, with who wins in colours: DOT for Graphviz, and SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

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

const RADIUS: f64 = 30.0;
const ACROSS: f64 = 110.0;
const DOWN: f64 = 110.0;
const MARGIN: f64 = 60.0;

/// The graph as SVG.
///
/// Vertices stand in layers by the number of moves to the end, the end at the bottom and draws at
/// the top.
pub fn svg(solution: &Solution, names: &Names) -> String {
    let graph = solution.graph();
    let layers = ordered(graph, layers(solution));
    let widest = layers.iter().map(Vec::len).max().unwrap_or(0);
    let mut places = vec![(0.0, 0.0); graph.len()];
    let mut y = MARGIN;
    for layer in &layers {
        let mut x = MARGIN + ACROSS * real(widest - layer.len()) / 2.0;
        for (index, vertex) in layer.iter().enumerate() {
            // Neighbours in a layer stand a little apart in height, so that an edge between them is seen.
            let shift = if index % 2 == 0 { 0.0 } else { DOWN / 5.0 };
            places[*vertex as usize] = (x, y + shift);
            x += ACROSS;
        }
        y += DOWN;
    }
    let width = 2.0 * MARGIN + ACROSS * real(widest.saturating_sub(1));
    let height = y - DOWN + MARGIN + DOWN / 5.0;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">"
    );
    let _ = writeln!(
        svg,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    for mover in [None, Some(Mover::Left), Some(Mover::Right)] {
        let colour = edge_colour(mover);
        let _ = writeln!(
            svg,
            "<marker id=\"m{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>",
            &colour[1..]
        );
    }
    for vertex in graph.vertices() {
        for (from, to, mover, odd) in edges(graph, vertex) {
            let (from, to) = (places[from as usize], places[to as usize]);
            let curve = curve(from, to);
            let colour = edge_colour(mover);
            let _ = writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" marker-end=\"url(#m{})\"/>",
                curve.path,
                &colour[1..]
            );
            if let Some(odd) = odd {
                let (x, y) = curve.middle;
                let _ = writeln!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{odd}</text>"
                );
            }
        }
    }
    for vertex in graph.vertices() {
        let (x, y) = places[vertex as usize];
        let fill = colour(kind(solution, vertex));
        let pen = "stroke=\"#212529\"";
        if graph.is_chance(vertex) {
            let _ = writeln!(
                svg,
                "<path d=\"M{} {y}L{x} {}L{} {y}L{x} {}z\" fill=\"{fill}\" {pen}/>",
                x - RADIUS,
                y - RADIUS,
                x + RADIUS,
                y + RADIUS
            );
        } else {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" {pen}/>"
            );
        }
        if graph.end(vertex).is_some() {
            let inner = RADIUS - 3.0;
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" {pen}/>"
            );
        }
        for (line, y) in caption(solution, names, vertex)
            .iter()
            .zip([y - 3.0, y + 12.0])
        {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(line));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A small count as a length.
fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
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

/// Moves the vertices of each layer towards their neighbours in the other ones, some times down and up
/// (Sugiyama, Tagawa and Toda 1981).
fn ordered(graph: &Graph, mut layers: Vec<Vec<Vertex>>) -> Vec<Vec<Vertex>> {
    let mut beside: Vec<Vec<Vertex>> = vec![Vec::new(); graph.len()];
    for vertex in graph.vertices() {
        for to in graph.options(vertex) {
            beside[vertex as usize].push(*to);
            beside[*to as usize].push(vertex);
        }
    }
    let mut place = vec![0.0; graph.len()];
    for _ in 0..8 {
        for layer in &mut layers {
            let middle = real(layer.len().saturating_sub(1)) / 2.0;
            for (index, vertex) in layer.iter().enumerate() {
                place[*vertex as usize] = real(index) - middle;
            }
        }
        for layer in &mut layers {
            let centre = |vertex: &Vertex| {
                let near = &beside[*vertex as usize];
                if near.is_empty() {
                    return place[*vertex as usize];
                }
                let sum: f64 = near.iter().map(|other| place[*other as usize]).sum();
                sum / real(near.len())
            };
            layer.sort_by(|a, b| centre(a).total_cmp(&centre(b)));
        }
    }
    layers
}

struct Curve {
    path: String,
    middle: (f64, f64),
}

/// An edge, bent so that it is seen apart from the one back.
fn curve(from: (f64, f64), to: (f64, f64)) -> Curve {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        let (x, y) = (from.0, from.1 - RADIUS);
        let path = format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            x - 10.0,
            y + 2.0,
            x - 25.0,
            y - 35.0,
            x + 25.0,
            y - 35.0,
            x + 10.0,
            y + 2.0
        );
        return Curve {
            path,
            middle: (x, y - 28.0),
        };
    }
    let (ux, uy) = (dx / length, dy / length);
    let bend = 0.12 * length;
    let middle = (
        f64::midpoint(from.0, to.0) - uy * bend,
        f64::midpoint(from.1, to.1) + ux * bend,
    );
    let towards = |(x, y): (f64, f64)| {
        let (dx, dy) = (middle.0 - x, middle.1 - y);
        let length = dx.hypot(dy);
        (x + dx / length * RADIUS, y + dy / length * RADIUS)
    };
    let (start, end) = (towards(from), towards(to));
    Curve {
        path: format!(
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, middle.0, middle.1, end.0, end.1
        ),
        middle,
    }
}
