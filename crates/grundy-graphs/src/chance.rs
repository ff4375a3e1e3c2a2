//! How likely the player about to move wins, exactly, where chance moves too.
//!
//! A move to a vertex where chance moves hands the turn on; chance then goes to one of its options, and
//! the same player is to move there. A player takes an option from which the opponent is least
//! likely to win. Play must end: a graph with a cycle is refused.

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::acyclic::options_first;
use crate::graph::{End, Graph, Vertex};
use crate::retrograde::Play;
use crate::work::{Stop, Work};

/// The probabilities of all vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chances {
    wins: Vec<BigRational>,
}

impl Chances {
    /// How likely the player about to move at a vertex wins.
    pub fn of(&self, vertex: Vertex) -> &BigRational {
        &self.wins[vertex as usize]
    }
}

/// Why there are no probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChances {
    /// Play can go round these vertices.
    Cycle(Vec<Vertex>),
    /// Nobody wins here, so that winning and not losing are different aims.
    Draw(Vertex),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for NoChances {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Finds how likely the player about to move wins, for each vertex.
///
/// # Errors
///
/// See [`NoChances`].
pub fn chances(graph: &Graph, play: Play, work: &mut Work) -> Result<Chances, NoChances> {
    let drawn = graph.ends().iter().find(|(_, end)| **end == End::Draw);
    if let Some((vertex, _)) = drawn {
        return Err(NoChances::Draw(*vertex));
    }
    let order = options_first(graph, work)?.map_err(NoChances::Cycle)?;
    work.reserve::<BigRational>(graph.len())?;
    let mut wins = vec![BigRational::zero(); graph.len()];
    for vertex in order {
        let win = win(graph, play, vertex, &wins);
        work.spend(1 + graph.options(vertex).len())?;
        work.allocate((win.numer().bits() + win.denom().bits()) / 8)?;
        wins[vertex as usize] = win;
    }
    Ok(Chances { wins })
}

fn win(graph: &Graph, play: Play, vertex: Vertex, wins: &[BigRational]) -> BigRational {
    if let Some(odds) = graph.odds_of(vertex) {
        return odds
            .into_iter()
            .map(|(to, odd)| odd * &wins[to as usize])
            .sum();
    }
    match graph.end(vertex) {
        Some(End::Won) => return BigRational::one(),
        Some(_) => return BigRational::zero(),
        None => {}
    }
    let worst = graph
        .options(vertex)
        .iter()
        .map(|to| &wins[*to as usize])
        .min();
    match (worst, play) {
        (Some(worst), _) => BigRational::one() - worst,
        (None, Play::Normal) => BigRational::zero(),
        (None, Play::Misere) => BigRational::one(),
    }
}
