//! Games in which the players have different moves: who wins, whoever begins.
//!
//! A vertex and a player make a state, and each state's moves are those of that player. So
//! outcomes of states are found as for players with the same moves.

use crate::graph::{Graph, Mover, Vertex, number};
use crate::work::{Stop, Work};

/// Who wins a position, whoever begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Left.
    L,
    /// Right.
    R,
    /// The player who begins.
    N,
    /// The other player.
    P,
}

impl Class {
    /// The class of a position with these winners, first the one when Left begins; `None` if
    /// there is a draw.
    pub fn of(left_begins: Option<Mover>, right_begins: Option<Mover>) -> Option<Self> {
        Some(match (left_begins?, right_begins?) {
            (Mover::Left, Mover::Left) => Self::L,
            (Mover::Right, Mover::Right) => Self::R,
            (Mover::Left, Mover::Right) => Self::N,
            (Mover::Right, Mover::Left) => Self::P,
        })
    }
}

/// The state in which a player is to move at a vertex.
pub(crate) fn state(vertex: Vertex, mover: Mover) -> Vertex {
    2 * vertex + Vertex::from(mover == Mover::Right)
}

/// The vertex of a state.
pub(crate) fn vertex_of(state: Vertex) -> Vertex {
    state / 2
}

/// The graph of states: Left's move leads to where Right is to move, and the other way round.
/// Chance leaves the player to move the same.
pub(crate) fn states(graph: &Graph, work: &mut Work) -> Result<Graph, Stop> {
    if Vertex::try_from(2 * graph.len()).is_err() || u32::try_from(2 * graph.edge_count()).is_err()
    {
        return Err(Stop::Bytes);
    }
    work.reserve::<u32>(2 * (graph.len() + graph.edge_count()))?;
    let mut first = vec![0];
    let mut rows = Vec::new();
    for vertex in graph.vertices() {
        work.spend(2)?;
        for mover in [Mover::Left, Mover::Right] {
            let next = if graph.is_chance(vertex) {
                mover
            } else {
                mover.other()
            };
            for (to, own) in graph.moves(vertex) {
                if own.is_none_or(|own| own == mover) {
                    rows.push(state(to, next));
                }
            }
            first.push(number(rows.len()));
        }
    }
    Ok(Graph::of_states(graph, first, rows))
}
