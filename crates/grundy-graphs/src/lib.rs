//! Games on given graphs: a token moves along the edges, and whoever cannot move has lost.
//!
//! [`read`] turns the text of a graph into a [`Graph`]; the other modules answer questions about
//! it. What a question needs decides which module answers:
//!
//! | the graph | what is answered | module |
//! | --- | --- | --- |
//! | has no cycle | Grundy values, so sums of any tokens | [`acyclic`] |
//! | has cycles | who wins, or neither, and how soon | [`retrograde`] |
//! | has cycles | loopy values, so sums of any tokens | [`loopy`] |
//! | gives the players different moves | who wins, whoever begins | [`unfair`] |
//! | has vertices where chance moves | how likely the player about to move wins | [`chance`] |
//!
//! Two games in which edges or vertices are used up have theorems of their own: [`geography`] and
//! [`hackenbush`].
//!
//! [`Solution`] chooses among them, [`sum`] answers about several tokens, and [`play`] plays.

pub mod acyclic;
pub mod chance;
pub mod draw;
pub mod explain;
pub mod geography;
mod graph;
pub mod hackenbush;
pub mod loopy;
pub mod play;
mod product;
pub mod read;
pub mod retrograde;
mod solution;
pub mod sum;
mod tame;
pub mod text;
pub mod unfair;
mod work;

pub use graph::{Description, End, Graph, GraphFault, Mover, Oddities, Reverse, Vertex};
pub use solution::{NoValues, Prospect, Solution, Solver, Turn, Unsolved};
pub use work::{Stop, Work};
