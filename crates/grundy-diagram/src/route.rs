//! The way of each edge: pieces of cubic curves.

use std::collections::BTreeMap;

use crate::layout::{Layout, real};
use crate::{Diagram, Direction, Shape};

/// A point: `x` across the layers, `y` along them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A curve from a start by two control points to an end, as often as there are steps.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub start: Point,
    pub steps: Vec<[Point; 3]>,
    /// Where a label stands.
    pub label: Point,
}

/// How far two layers are apart, as a multiple of the radius.
const DEPTH: f64 = 3.8;
/// How far apart edges start at one side of a node, at most.
const PORT: f64 = 16.0;
/// The radius of a dot.
pub(crate) const DOT: f64 = 5.0;

/// How far apart layers are.
pub(crate) fn depth(diagram: &Diagram) -> f64 {
    let labels = diagram.edges.iter().map(|edge| breadth(&edge.label));
    let room = match diagram.direction {
        Direction::Down => 0.0,
        Direction::Right => 1.5 * labels.fold(0.0, f64::max),
    };
    DEPTH * diagram.radius + room
}

/// About how long a label is.
pub(crate) fn breadth(label: &str) -> f64 {
    6.8 * real(label.chars().count())
}

/// The routes of all edges.
pub(crate) fn routes(diagram: &Diagram, layout: &Layout) -> Vec<Route> {
    let depth = depth(diagram);
    let at = |layer: usize, across: f64| Point {
        x: across,
        y: real(layer) * depth,
    };
    let centre = |node: usize| at(layout.nodes[node].0, layout.nodes[node].1);
    let radius = |node: usize| match diagram.nodes[node].shape {
        Shape::Circle | Shape::Diamond => diagram.radius,
        Shape::Dot => DOT,
    };
    let ports = ports(diagram, layout, radius);
    let mut routes = Vec::with_capacity(diagram.edges.len());
    for (index, (edge, lanes)) in diagram.edges.iter().zip(&layout.lanes).enumerate() {
        let (from, to) = (edge.from, edge.to);
        let (a, b) = (centre(from), centre(to));
        let (first, last) = (layout.nodes[from].0, layout.nodes[to].0);
        routes.push(if from == to {
            around(a, radius(from))
        } else if first == last {
            let is_near = is_clear(diagram, layout, first, a.x.min(b.x), a.x.max(b.x));
            beside(a, b, radius(from), radius(to), is_near)
        } else {
            let sign = if first < last { 1.0 } else { -1.0 };
            let layer = |index: usize| {
                if first < last {
                    first + 1 + index
                } else {
                    first - 1 - index
                }
            };
            let through = lanes.iter().enumerate();
            let through: Vec<Point> = through
                .map(|(index, across)| at(layer(index), *across))
                .collect();
            let port = |centre: Point, radius: f64, x: f64, sign: f64| Point {
                x: centre.x + x,
                y: centre.y + sign * (radius * radius - x * x).max(0.0).sqrt(),
            };
            let start = port(a, radius(from), ports[index][0], sign);
            let end = port(b, radius(to), ports[index][1], -sign);
            along(start, &through, end, sign, diagram.radius)
        });
    }
    routes
}

/// Whether nothing stands in a layer between these places.
fn is_clear(diagram: &Diagram, layout: &Layout, layer: usize, low: f64, high: f64) -> bool {
    let nodes = layout.nodes.iter().filter(|node| node.0 == layer);
    let lanes = layout.lanes.iter().zip(&diagram.edges);
    let lanes = lanes.filter_map(|(lanes, edge)| {
        let (from, to) = (layout.nodes[edge.from].0, layout.nodes[edge.to].0);
        passes(lanes, from, to, layer)
    });
    nodes
        .map(|node| node.1)
        .chain(lanes)
        .all(|across| across <= low || high <= across)
}

/// How far beside the middle of its two nodes each edge along the layers starts and ends.
///
/// The edges at one side of a node are spread, in the order of where they go.
fn ports(diagram: &Diagram, layout: &Layout, radius: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
    /// An end of an edge: where the edge goes next, its index, and which end this is.
    type End = (f64, usize, usize);
    let mut sides: BTreeMap<(usize, bool), Vec<End>> = BTreeMap::new();
    for (index, (edge, lanes)) in diagram.edges.iter().zip(&layout.lanes).enumerate() {
        let [from, to] = [edge.from, edge.to].map(|node| layout.nodes[node]);
        if from.0 != to.0 {
            let is_down = from.0 < to.0;
            let next = lanes.first().copied().unwrap_or(to.1);
            let side = sides.entry((edge.from, is_down)).or_default();
            side.push((next, index, 0));
            let next = lanes.last().copied().unwrap_or(from.1);
            let side = sides.entry((edge.to, !is_down)).or_default();
            side.push((next, index, 1));
        }
    }
    let mut ports = vec![[0.0; 2]; diagram.edges.len()];
    for ((node, _), mut side) in sides {
        side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let last = real(side.len() - 1);
        let apart = (1.5 * radius(node) / last.max(1.0)).min(PORT);
        for (rank, (_, edge, end)) in side.into_iter().enumerate() {
            ports[edge][end] = apart * (real(rank) - last / 2.0);
        }
    }
    ports
}

/// Where an edge passes a layer between its ends.
fn passes(lanes: &[f64], first: usize, last: usize, layer: usize) -> Option<f64> {
    let index = if first < last {
        layer.checked_sub(first + 1)?
    } else {
        first.checked_sub(layer + 1)?
    };
    lanes.get(index).copied()
}

/// A route along the layers, downwards where `sign` is 1.
///
/// Beside the nodes of a layer, which are no larger than `clear`, it runs straight, so that it meets none.
fn along(start: Point, through: &[Point], end: Point, sign: f64, clear: f64) -> Route {
    let mut points = vec![start];
    for place in through {
        for side in [-sign, sign] {
            points.push(Point {
                x: place.x,
                y: place.y + side * clear,
            });
        }
    }
    points.push(end);
    let mut steps = Vec::with_capacity(points.len());
    for pair in points.windows(2) {
        let middle = f64::midpoint(pair[0].y, pair[1].y);
        steps.push([
            Point {
                x: pair[0].x,
                y: middle,
            },
            Point {
                x: pair[1].x,
                y: middle,
            },
            pair[1],
        ]);
    }
    let [c, d, next] = steps[0];
    // Nearer to the start than to the end, so that the label of the edge back stands elsewhere.
    let label = bezier([start, c, d, next], 0.4);
    Route {
        start,
        steps,
        label,
    }
}

/// The point of a cubic curve at `t` from 0 to 1 (de Casteljau 1959).
fn bezier(points: [Point; 4], t: f64) -> Point {
    let mut points = points.to_vec();
    while points.len() > 1 {
        let between = |pair: &[Point]| Point {
            x: pair[0].x + t * (pair[1].x - pair[0].x),
            y: pair[0].y + t * (pair[1].y - pair[0].y),
        };
        points = points.windows(2).map(between).collect();
    }
    points[0]
}

/// A route to a node of the same layer: straight to a neighbour, else over the others.
fn beside(a: Point, b: Point, from: f64, to: f64, is_near: bool) -> Route {
    let sign = if a.x < b.x { 1.0 } else { -1.0 };
    let (rise, out) = if is_near { (0.15, 0.15) } else { (0.9, 1.2) };
    // One way over, the other under.
    let port = |centre: Point, radius: f64, towards: f64| Point {
        x: centre.x + towards * radius * (1.0_f64 - rise * rise).sqrt(),
        y: centre.y - sign * radius * rise,
    };
    let (start, end) = (port(a, from, sign), port(b, to, -sign));
    let height = sign * out * from.max(to);
    let bend = |point: Point, along: f64| Point {
        x: point.x + along,
        y: point.y - height,
    };
    let quarter = (end.x - start.x) * if is_near { 0.3 } else { 0.05 };
    let label = Point {
        x: f64::midpoint(start.x, end.x),
        y: start.y - 0.75 * height,
    };
    Route {
        start,
        steps: vec![[bend(start, quarter), bend(end, -quarter), end]],
        label,
    }
}

/// A route from a node back to itself.
fn around(centre: Point, radius: f64) -> Route {
    let at = |x: f64, y: f64| Point {
        x: centre.x + x * radius,
        y: centre.y + y * radius,
    };
    Route {
        start: at(0.87, -0.5),
        steps: vec![[at(1.9, -1.0), at(1.9, 1.0), at(0.87, 0.5)]],
        label: at(1.9, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::layout;
    use crate::{Edge, Node};

    /// Points on a route, close together.
    fn points(route: &Route) -> Vec<Point> {
        let mut at = route.start;
        let mut points = vec![at];
        for [c, d, end] in &route.steps {
            for step in 1..=20 {
                points.push(bezier([at, *c, *d, *end], f64::from(step) / 20.0));
            }
            at = *end;
        }
        points
    }

    fn drawn(seed: u64) -> Diagram {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % below as u64).unwrap()
        };
        let count = 2 + draw(14);
        let layers = 1 + draw(6);
        let nodes = (0..count)
            .map(|_| Node {
                lines: Vec::new(),
                fill: "#ffffff",
                shape: Shape::Circle,
                is_ringed: false,
                layer: draw(layers),
            })
            .collect();
        let edges = (0..draw(25))
            .map(|_| Edge {
                from: draw(count),
                to: draw(count),
                colour: "#000000",
                label: String::new(),
            })
            .collect();
        Diagram {
            nodes,
            edges,
            direction: Direction::Down,
            radius: 30.0,
        }
    }

    #[test]
    fn edges_pass_no_other_node_and_nodes_stand_apart() {
        for seed in 0..400 {
            let diagram = drawn(seed);
            let layout = layout(&diagram);
            let depth = depth(&diagram);
            let centre = |node: usize| Point {
                x: layout.nodes[node].1,
                y: real(layout.nodes[node].0) * depth,
            };
            for a in 0..diagram.nodes.len() {
                assert!((30.0..=layout.breadth - 30.0 + 1e-6).contains(&(centre(a).x + 1e-9)));
                for b in 0..a {
                    let (a, b) = (centre(a), centre(b));
                    assert!((a.x - b.x).hypot(a.y - b.y) > 60.0, "{seed}");
                }
            }
            for (edge, route) in diagram.edges.iter().zip(routes(&diagram, &layout)) {
                for point in points(&route) {
                    for node in 0..diagram.nodes.len() {
                        let away = (point.x - centre(node).x).hypot(point.y - centre(node).y);
                        let is_end = node == edge.from || node == edge.to;
                        let least = if is_end { 29.0 } else { 30.0 };
                        assert!(away > least, "{seed}: {edge:?} at {point:?} meets {node}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_chain_stands_in_a_line() {
        let node = |layer| Node {
            lines: Vec::new(),
            fill: "#ffffff",
            shape: Shape::Circle,
            is_ringed: false,
            layer,
        };
        let diagram = Diagram {
            nodes: (0..5).map(node).collect(),
            edges: (0..4)
                .map(|from| Edge {
                    from,
                    to: from + 1,
                    colour: "#000000",
                    label: String::new(),
                })
                .collect(),
            direction: Direction::Down,
            radius: 30.0,
        };
        let layout = layout(&diagram);
        assert!(layout.nodes.iter().all(|(_, x)| (x - 30.0).abs() < 1e-9));
        assert!((layout.breadth - 60.0).abs() < 1e-9);
    }
}
