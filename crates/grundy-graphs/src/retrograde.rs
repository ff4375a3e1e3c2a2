//! Who wins from each vertex, or neither, and how soon: backwards from where play ends.
//!
//! A vertex is won if some option is lost, and lost if all options are won; what is neither is
//! drawn, as both players can go on for ever (Zermelo 1913, König 1927). Whoever wins plays for a
//! short game and whoever loses for a long one.

use crate::graph::{End, Graph, Reverse, Vertex};
use crate::work::{Stop, Work};

/// Who wins under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The previous player: the one about to move has lost.
    P,
    /// The next player: the one about to move wins.
    N,
    /// Neither.
    Draw,
}

/// Outcomes of all vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    outcomes: Vec<Outcome>,
    moves: Vec<u32>,
}

impl Outcomes {
    /// Who wins from a vertex.
    pub fn of(&self, vertex: Vertex) -> Outcome {
        self.outcomes[vertex as usize]
    }

    /// After how many moves the game ends if the winner hurries and the loser delays; `None` in a
    /// draw.
    pub fn moves_to_end(&self, vertex: Vertex) -> Option<u32> {
        (self.of(vertex) != Outcome::Draw).then(|| self.moves[vertex as usize])
    }
}

/// Who wins when no move is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Play {
    /// Whoever moved last.
    #[default]
    Normal,
    /// The other player.
    Misere,
}

/// Finds the outcome of each vertex, for one token and players with the same moves.
///
/// Each edge is looked at once, in the order of the number of moves to the end, so that the
/// first lost option of a vertex is the soonest, and the last won one the latest.
pub fn outcomes(
    graph: &Graph,
    reverse: &Reverse,
    play: Play,
    work: &mut Work,
) -> Result<Outcomes, Stop> {
    let vertices = graph.len();
    work.reserve::<(Outcome, u32, u32, Vertex)>(vertices)?;
    let mut found = Outcomes {
        outcomes: vec![Outcome::Draw; vertices],
        moves: vec![0; vertices],
    };
    // How many options are not yet known to be won.
    let mut left: Vec<u32> = graph
        .first()
        .windows(2)
        .map(|row| row[1] - row[0])
        .collect();
    let mut queue: Vec<Vertex> = Vec::with_capacity(vertices);
    for vertex in graph.vertices() {
        let outcome = match graph.end(vertex) {
            Some(End::Won) => Outcome::N,
            Some(End::Draw | End::Wins(_)) => continue,
            None if !graph.options(vertex).is_empty() => continue,
            None if play == Play::Misere => Outcome::N,
            Some(End::Lost) | None => Outcome::P,
        };
        found.outcomes[vertex as usize] = outcome;
        queue.push(vertex);
    }
    let mut next = 0;
    while let Some(vertex) = queue.get(next).copied() {
        next += 1;
        let outcome = found.of(vertex);
        let origins = reverse.origins(vertex);
        work.spend(1 + origins.len())?;
        for origin in origins {
            let index = *origin as usize;
            if found.outcomes[index] != Outcome::Draw {
                continue;
            }
            if outcome == Outcome::P {
                found.outcomes[index] = Outcome::N;
            } else {
                left[index] -= 1;
                if left[index] > 0 {
                    continue;
                }
                found.outcomes[index] = Outcome::P;
            }
            found.moves[index] = found.moves[vertex as usize] + 1;
            queue.push(*origin);
        }
    }
    work.give_back::<(u32, Vertex)>(vertices);
    Ok(found)
}
