//! What there is to know of a graph, found by the solver that its kind of game asks for.

use num_rational::BigRational;
use num_traits::One;

use crate::acyclic::{Acyclic, Values, grundy_values};
use crate::chance::{Chances, NoChances, chances};
use crate::graph::{End, Graph, Mover, Vertex};
use crate::loopy::{LoopyValues, Value, loopy_values};
use crate::retrograde::{Outcome, Outcomes, Play, outcomes};
use crate::unfair::{self, Class};
use crate::work::{Stop, Work};

/// Why vertices have no values, and sums are not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValues {
    /// The players have different moves.
    Unfair,
    /// Chance moves.
    Chance,
    /// A token that reaches an end stops the whole sum.
    Ends,
    /// In misère play the values of a sum's parts do not decide it.
    Misere,
}

/// Why a graph is not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Chance moves, and play can go round these vertices.
    ChanceCycle(Vec<Vertex>),
    /// Chance moves, and nobody wins here.
    ChanceDraw(Vertex),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for Unsolved {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Which solver answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Least excluded values, options first.
    Acyclic,
    /// Retrograde analysis and loopy values.
    Loopy,
    /// Retrograde analysis alone.
    Retrograde,
    /// Retrograde analysis of vertices with a player to move.
    Unfair,
    /// Expectations, options first.
    Chance,
}

/// What the player about to move can expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// To win, to lose, or neither.
    Outcome(Outcome),
    /// To win with this probability.
    Probability(BigRational),
}

impl Prospect {
    /// Whether a move is one of the best that leaves the opponent this.
    pub(crate) fn is_kept_by(&self, left: &Self) -> bool {
        match (self, left) {
            (Self::Outcome(Outcome::N), Self::Outcome(left)) => *left == Outcome::P,
            (Self::Outcome(Outcome::Draw), Self::Outcome(left)) => *left == Outcome::Draw,
            (Self::Probability(win), Self::Probability(left)) => left + win == BigRational::one(),
            _ => false,
        }
    }
}

/// What can be expected at a vertex with a player to move, and the best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who is to move; `None` if both players have the same moves.
    pub mover: Option<Mover>,
    /// What that player can expect.
    pub prospect: Prospect,
    /// After how many moves play ends, where one side can force the end.
    pub moves_to_end: Option<u32>,
    /// Where the best moves lead, in the order of the edges: moves that win, that keep a draw, or from
    /// which the opponent is least likely to win.
    pub best: Vec<Vertex>,
}

/// All that is known of the vertices of a graph.
pub struct Solution<'g> {
    graph: &'g Graph,
    play: Play,
    /// Vertices with a player to move, if the players' moves differ.
    states: Option<Graph>,
    found: Found,
}

enum Found {
    Outcomes(Outcomes, Result<Worth, NoValues>),
    Chances(Chances),
}

enum Worth {
    Acyclic(Values),
    Loopy(LoopyValues),
}

impl<'g> Solution<'g> {
    /// Solves a graph for all its vertices.
    ///
    /// # Errors
    ///
    /// See [`Unsolved`].
    pub fn of(graph: &'g Graph, play: Play, work: &mut Work) -> Result<Self, Unsolved> {
        let states = if graph.is_unfair() {
            Some(unfair::states(graph, work)?)
        } else {
            None
        };
        let arena = states.as_ref().unwrap_or(graph);
        let found = if graph.has_chance() {
            Found::Chances(chances(arena, play, work).map_err(|fault| {
                let vertex = |state: Vertex| match states {
                    Some(_) => unfair::vertex_of(state),
                    None => state,
                };
                match fault {
                    NoChances::Cycle(cycle) => {
                        Unsolved::ChanceCycle(cycle.into_iter().map(vertex).collect())
                    }
                    NoChances::Draw(state) => Unsolved::ChanceDraw(vertex(state)),
                    NoChances::Stopped(stop) => Unsolved::Stopped(stop),
                }
            })?)
        } else {
            let reverse = arena.reverse(work)?;
            let outcomes = outcomes(arena, &reverse, play, work)?;
            let worth = if graph.is_unfair() {
                Err(NoValues::Unfair)
            } else if has_ends(graph) {
                Err(NoValues::Ends)
            } else if play == Play::Misere {
                Err(NoValues::Misere)
            } else {
                Ok(match grundy_values(graph, work)? {
                    Acyclic::Values(values) => Worth::Acyclic(values),
                    Acyclic::Cycle(_) => Worth::Loopy(loopy_values(graph, &reverse, work)?),
                })
            };
            Found::Outcomes(outcomes, worth)
        };
        Ok(Self {
            graph,
            play,
            states,
            found,
        })
    }

    /// Which solver answered.
    pub fn solver(&self) -> Solver {
        match &self.found {
            Found::Chances(_) => Solver::Chance,
            Found::Outcomes(_, Ok(Worth::Acyclic(_))) => Solver::Acyclic,
            Found::Outcomes(_, Ok(Worth::Loopy(_))) => Solver::Loopy,
            Found::Outcomes(_, Err(NoValues::Unfair)) => Solver::Unfair,
            Found::Outcomes(_, Err(_)) => Solver::Retrograde,
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Who wins when no move is left.
    pub fn play(&self) -> Play {
        self.play
    }

    /// The value of a vertex, or why it has none.
    pub fn value(&self, vertex: Vertex) -> Result<Value, NoValues> {
        match &self.found {
            Found::Chances(_) => Err(NoValues::Chance),
            Found::Outcomes(_, Err(reason)) => Err(*reason),
            Found::Outcomes(_, Ok(Worth::Acyclic(values))) => Ok(Value::Nimber(values.of(vertex))),
            Found::Outcomes(_, Ok(Worth::Loopy(values))) => Ok(values.of(self.graph, vertex)),
        }
    }

    /// Whether vertices have values, and if not, why.
    pub fn has_values(&self) -> Result<(), NoValues> {
        match &self.found {
            Found::Chances(_) => Err(NoValues::Chance),
            Found::Outcomes(_, worth) => worth.as_ref().map(|_| ()).map_err(|reason| *reason),
        }
    }

    /// The players who may be to move: both, or one that stands for either.
    pub fn movers(&self) -> &'static [Option<Mover>] {
        match self.states {
            Some(_) => &[Some(Mover::Left), Some(Mover::Right)],
            None => &[None],
        }
    }

    fn arena(&self) -> &Graph {
        self.states.as_ref().unwrap_or(self.graph)
    }

    fn vertex(&self, state: Vertex) -> Vertex {
        match self.states {
            Some(_) => unfair::vertex_of(state),
            None => state,
        }
    }

    /// What can be expected at a vertex by a player who is among [`movers`](Self::movers).
    pub fn prospect(&self, vertex: Vertex, mover: Option<Mover>) -> Prospect {
        self.of_state(state(vertex, mover))
    }

    fn of_state(&self, state: Vertex) -> Prospect {
        match &self.found {
            Found::Outcomes(outcomes, _) => Prospect::Outcome(outcomes.of(state)),
            Found::Chances(chances) => Prospect::Probability(chances.of(state).clone()),
        }
    }

    /// After how many moves play ends, where one side can force the end.
    pub fn moves_to_end(&self, vertex: Vertex, mover: Option<Mover>) -> Option<u32> {
        match &self.found {
            Found::Outcomes(outcomes, _) => outcomes.moves_to_end(state(vertex, mover)),
            Found::Chances(_) => None,
        }
    }

    /// What can be expected, and the best moves.
    pub fn turn(&self, vertex: Vertex, mover: Option<Mover>) -> Turn {
        let state = state(vertex, mover);
        let prospect = self.of_state(state);
        let options = self.arena().options(state).iter();
        let is_best = |option: &&Vertex| prospect.is_kept_by(&self.of_state(**option));
        // Where chance moves, nobody has a choice.
        let best = if self.graph.is_chance(vertex) {
            Vec::new()
        } else {
            let best = options.filter(is_best);
            best.map(|option| self.vertex(*option)).collect()
        };
        Turn {
            mover,
            prospect,
            moves_to_end: self.moves_to_end(vertex, mover),
            best,
        }
    }

    /// Where a player can move from a vertex.
    pub fn options(&self, vertex: Vertex, mover: Option<Mover>) -> Vec<Vertex> {
        let state = state(vertex, mover);
        let options = self.arena().options(state).iter();
        options.map(|option| self.vertex(*option)).collect()
    }

    /// Who wins, whoever begins, if the players' moves differ, nobody can force a draw, and chance
    /// does not move.
    pub fn class(&self, vertex: Vertex) -> Option<Class> {
        self.states.as_ref()?;
        let winner = |mover: Mover| match self.prospect(vertex, Some(mover)) {
            Prospect::Outcome(Outcome::N) => Some(mover),
            Prospect::Outcome(Outcome::P) => Some(mover.other()),
            _ => None,
        };
        Class::of(winner(Mover::Left), winner(Mover::Right))
    }
}

/// Whether some end is more than the lack of moves.
fn has_ends(graph: &Graph) -> bool {
    graph.ends().values().any(|end| *end != End::Lost)
}

/// The vertex, or its state if a player is named.
fn state(vertex: Vertex, mover: Option<Mover>) -> Vertex {
    mover.map_or(vertex, |mover| unfair::state(vertex, mover))
}
