//! Small directed graphs as SVG: nodes in layers, and arrows that go round the nodes between.
//!
//! Which node stands in which layer is the caller's to say, because it means something: the number of moves to
//! the end of a game, the number of digits that an automaton has read. The rest is layered drawing
//! as K. Sugiyama, S. Tagawa and M. Toda describe it (*Methods for visual understanding of hierarchical
//! system structures*, 1981): an arrow over several layers passes through a place of its own in each; the places
//! of a layer are ordered by the middle of their neighbours, and moved towards it.
//!
//! ```
//! use grundy_diagram::{Diagram, Direction, Edge, Node, Shape};
//!
//! let node = |name: &str, layer| Node {
//!     lines: vec![name.to_owned()],
//!     fill: "#ffffff",
//!     shape: Shape::Circle,
//!     is_ringed: false,
//!     layer,
//! };
//! let edge = |from, to| Edge { from, to, colour: "#000000", label: String::new() };
//! let diagram = Diagram {
//!     nodes: vec![node("2", 0), node("1", 1), node("0", 2)],
//!     edges: vec![edge(0, 1), edge(0, 2), edge(1, 2)],
//!     direction: Direction::Down,
//!     radius: 30.0,
//! };
//! assert!(diagram.svg().starts_with("<svg"));
//! ```

mod layout;
mod route;
mod svg;

/// Nodes and arrows, and which way layers follow each other.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The nodes; edges name them by their index.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
    /// Where the next layer is.
    pub direction: Direction,
    /// Of the nodes, in pixels.
    pub radius: f64,
}

/// Where the next layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Below.
    Down,
    /// To the right.
    Right,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What stands in it, a line each: at most two are legible.
    pub lines: Vec<String>,
    /// The colour, as SVG writes it.
    pub fill: &'static str,
    /// The outline.
    pub shape: Shape,
    /// Whether a second line runs inside the outline.
    pub is_ringed: bool,
    /// The layer, from 0.
    pub layer: usize,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle.
    Circle,
    /// A square on its corner.
    Diamond,
    /// A small black disc.
    Dot,
}

/// An arrow.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The node that it comes from.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// The colour, as SVG writes it: `#` and six digits.
    pub colour: &'static str,
    /// What stands at it.
    pub label: String,
}
