//! A directed graph, laid out so that all options of a vertex stand together.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::unfair;
use crate::work::{Stop, Work};

/// The number of a vertex, from 0.
pub type Vertex = u32;

/// A player of a game whose moves differ for the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mover {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Mover {
    /// The other player.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A number of vertices or edges, of which every graph has fewer than 2^32.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("vertices and edges are numbered in 32 bits")
}

/// How play ends at a vertex, whatever else could be done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The player about to move has lost.
    Lost,
    /// The player about to move has won.
    Won,
    /// Nobody wins.
    Draw,
    /// This player has won.
    Wins(Mover),
}

/// What a graph is made of, in any order.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// How many vertices there are.
    pub vertices: usize,
    /// From where to where.
    pub edges: Vec<[Vertex; 2]>,
    /// Who may use each edge, `None` for both; empty if both may use all.
    pub movers: Vec<Option<Mover>>,
    /// The vertices where chance moves.
    pub chance: BTreeSet<Vertex>,
    /// The probabilities of edges, by their index; where none is given, all edges of a vertex are
    /// equally likely.
    pub probabilities: BTreeMap<usize, BigRational>,
    /// Where play ends.
    pub ends: BTreeMap<Vertex, End>,
}

/// What is odd in a graph and does no harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// How many edges stand more than once; each is kept once.
    pub repeated: usize,
    /// One of them.
    pub repetition: Option<(Vertex, Vertex, Option<Mover>)>,
    /// How many edges lead back to where they begin.
    pub loops: usize,
    /// Where one of them begins.
    pub looped: Option<Vertex>,
}

/// Why a description is not one of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphFault {
    /// There are more vertices or edges than can be numbered.
    TooLarge,
    /// An edge begins or ends at no vertex; its index.
    NoVertex(usize),
    /// An edge of a vertex where chance moves stands twice.
    RepeatedChance(Vertex, Vertex),
    /// An edge where chance moves is one player's own.
    ChanceOfPlayer(Vertex, Vertex),
    /// A probability is below 0 or above 1.
    NoProbability(Vertex, Vertex, BigRational),
    /// Some edges where chance moves have a probability and this one has none.
    ProbabilityMissing(Vertex, Vertex),
    /// The probabilities at a vertex do not add to 1 but to this.
    Sum(Vertex, BigRational),
    /// Chance moves where no edge leads on.
    NoChoice(Vertex),
    /// Play ends where an edge leads on.
    EndWithMoves(Vertex),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for GraphFault {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// A game on a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Where the options of each vertex begin, and where the last ones end.
    first: Vec<u32>,
    /// Where the edges lead, those of one vertex together and in the order given.
    to: Vec<Vertex>,
    /// Who may use each edge; empty if both may use all.
    movers: Vec<Option<Mover>>,
    /// Where chance moves, and the probabilities of the edges; none if all are equally likely.
    chances: BTreeMap<Vertex, Vec<BigRational>>,
    ends: BTreeMap<Vertex, End>,
}

impl Graph {
    /// The graph of a description, and what is odd about it.
    ///
    /// Edges that are given twice are kept once: what can be reached is the same. Where chance
    /// moves it is not, and a repetition is an error.
    ///
    /// # Errors
    ///
    /// See [`GraphFault`].
    pub fn new(description: Description, work: &mut Work) -> Result<(Self, Oddities), GraphFault> {
        let Description {
            vertices,
            edges,
            movers,
            chance,
            probabilities,
            ends,
        } = description;
        let named = |vertex: Vertex| (vertex as usize) < vertices;
        if u32::try_from(vertices).is_err() || u32::try_from(edges.len()).is_err() {
            return Err(GraphFault::TooLarge);
        }
        if let Some(index) = edges
            .iter()
            .position(|edge| !edge.iter().all(|end| named(*end)))
        {
            return Err(GraphFault::NoVertex(index));
        }
        work.reserve::<u32>(2 * vertices + edges.len())?;
        work.reserve::<Option<Mover>>(movers.len())?;
        let (first, order) = sorted(vertices, edges.iter().map(|edge| edge[0]), work)?;
        let with_order = !movers.is_empty() || !probabilities.is_empty();
        let mut graph = Self {
            to: vec![0; edges.len()],
            movers: vec![None; movers.len()],
            first,
            chances: BTreeMap::new(),
            ends,
        };
        let mut origin = Vec::new();
        if with_order {
            work.reserve::<u32>(edges.len())?;
            origin.resize(edges.len(), 0u32);
        }
        let mut next = order;
        for (index, edge) in edges.iter().enumerate() {
            let slot = &mut next[edge[0] as usize];
            graph.to[*slot as usize] = edge[1];
            if with_order {
                origin[*slot as usize] = number(index);
                if let Some(mover) = movers.get(index) {
                    graph.movers[*slot as usize] = *mover;
                }
            }
            *slot += 1;
        }
        drop(edges);
        let has_chance = |vertex: Vertex, graph: &Self| {
            chance.contains(&vertex)
                || (!probabilities.is_empty()
                    && graph
                        .edges_of(vertex)
                        .any(|edge| probabilities.contains_key(&(origin[edge] as usize))))
        };
        if !chance.is_empty() || !probabilities.is_empty() {
            for vertex in 0..number(vertices) {
                if has_chance(vertex, &graph) {
                    let odds = graph.odds(vertex, &origin, &probabilities)?;
                    graph.chances.insert(vertex, odds);
                }
            }
        }
        for vertex in graph.ends.keys() {
            if !graph.options(*vertex).is_empty() {
                return Err(GraphFault::EndWithMoves(*vertex));
            }
        }
        let oddities = graph.merge(work)?;
        Ok((graph, oddities))
    }

    /// The graph in which these edges lead from each vertex.
    ///
    /// # Panics
    ///
    /// Panics if an edge leads to no vertex, or if there are 2^32 edges or more.
    pub fn of_options<'o>(rows: impl IntoIterator<Item = &'o [Vertex]>) -> Self {
        let mut first = vec![0];
        let mut to = Vec::new();
        for row in rows {
            to.extend_from_slice(row);
            first.push(number(to.len()));
        }
        Self::of_rows(first, to)
    }

    /// The graph whose edges lead to `to`, where those of vertex v stand from `first[v]` up to
    /// `first[v + 1]`.
    ///
    /// # Panics
    ///
    /// Panics if an edge leads to no vertex, or if the rows do not follow each other.
    pub fn of_rows(first: Vec<u32>, to: Vec<Vertex>) -> Self {
        assert!(
            first.first() == Some(&0)
                && first.last() == Some(&number(to.len()))
                && first.is_sorted(),
            "rows follow each other"
        );
        let vertices = number(first.len() - 1);
        assert!(
            to.iter().all(|vertex| *vertex < vertices),
            "every edge leads to a vertex"
        );
        Self {
            first,
            to,
            movers: Vec::new(),
            chances: BTreeMap::new(),
            ends: BTreeMap::new(),
        }
    }

    /// The graph in which these edges lead from the states of a graph, two for each vertex: Left's and
    /// Right's.
    pub(crate) fn of_states(graph: &Self, first: Vec<u32>, to: Vec<Vertex>) -> Self {
        let mut states = Self::of_rows(first, to);
        for (vertex, end) in &graph.ends {
            for mover in [Mover::Left, Mover::Right] {
                let end = match end {
                    End::Wins(winner) if *winner == mover => End::Won,
                    End::Wins(_) => End::Lost,
                    end => *end,
                };
                states.ends.insert(unfair::state(*vertex, mover), end);
            }
        }
        for (vertex, odds) in &graph.chances {
            for mover in [Mover::Left, Mover::Right] {
                let state = unfair::state(*vertex, mover);
                states.chances.insert(state, odds.clone());
            }
        }
        states
    }

    /// The same graph with chance moving at these vertices, all their options being equally likely.
    ///
    /// # Panics
    ///
    /// Panics if one of them has no option.
    #[must_use]
    pub fn with_chance(mut self, vertices: impl IntoIterator<Item = Vertex>) -> Self {
        for vertex in vertices {
            assert!(!self.options(vertex).is_empty(), "chance has a choice");
            self.chances.insert(vertex, Vec::new());
        }
        self
    }

    /// The same graph with play ending at these vertices.
    #[must_use]
    pub fn with_ends(mut self, ends: impl IntoIterator<Item = (Vertex, End)>) -> Self {
        self.ends.extend(ends);
        self
    }

    /// The same graph with chance moving at these vertices, with probabilities of their edges in order.
    #[must_use]
    pub(crate) fn with_odds(
        mut self,
        odds: impl IntoIterator<Item = (Vertex, Vec<BigRational>)>,
    ) -> Self {
        self.chances.extend(odds);
        self
    }

    /// The probabilities of the edges of a vertex where chance moves.
    fn odds(
        &self,
        vertex: Vertex,
        origin: &[u32],
        probabilities: &BTreeMap<usize, BigRational>,
    ) -> Result<Vec<BigRational>, GraphFault> {
        let edges = self.edges_of(vertex);
        if edges.is_empty() {
            return Err(GraphFault::NoChoice(vertex));
        }
        let mut seen = BTreeSet::new();
        for edge in edges.clone() {
            if !seen.insert(self.to[edge]) {
                return Err(GraphFault::RepeatedChance(vertex, self.to[edge]));
            }
            if self.mover(edge).is_some() {
                return Err(GraphFault::ChanceOfPlayer(vertex, self.to[edge]));
            }
        }
        let mut odds = Vec::new();
        let mut missing = None;
        for edge in edges {
            let probability = origin
                .get(edge)
                .and_then(|index| probabilities.get(&(*index as usize)));
            match probability {
                Some(odd) if odd.is_negative() || *odd > BigRational::one() => {
                    return Err(GraphFault::NoProbability(
                        vertex,
                        self.to[edge],
                        odd.clone(),
                    ));
                }
                Some(odd) => odds.push(odd.clone()),
                None => missing = missing.or(Some(self.to[edge])),
            }
        }
        match missing {
            Some(to) if !odds.is_empty() => Err(GraphFault::ProbabilityMissing(vertex, to)),
            Some(_) => Ok(Vec::new()),
            None => {
                let sum: BigRational = odds.iter().sum();
                if sum.is_one() {
                    Ok(odds)
                } else {
                    Err(GraphFault::Sum(vertex, sum))
                }
            }
        }
    }

    /// Keeps the first of equal edges.
    fn merge(&mut self, work: &mut Work) -> Result<Oddities, Stop> {
        let mut oddities = Oddities::default();
        // The last vertex, counted from 1, from which an edge to each vertex was met.
        let mut met = vec![0u32; self.len()];
        let mut kept = 0;
        for vertex in self.vertices() {
            let row = self.edges_of(vertex);
            work.spend(1 + row.len())?;
            let begin = kept;
            for edge in row {
                let (to, mover) = (self.to[edge], self.mover(edge));
                if to == vertex {
                    oddities.loops += 1;
                    oddities.looped.get_or_insert(to);
                }
                let is_met = met[to as usize] == vertex + 1;
                met[to as usize] = vertex + 1;
                let equal = |other: usize| self.to[other] == to && self.mover(other) == mover;
                if is_met && (self.movers.is_empty() || (begin..kept).any(equal)) {
                    oddities.repeated += 1;
                    let repetition = (vertex, to, mover);
                    oddities.repetition.get_or_insert(repetition);
                    continue;
                }
                self.to[kept] = to;
                if let Some(place) = self.movers.get_mut(kept) {
                    *place = mover;
                }
                kept += 1;
            }
            self.first[vertex as usize] = number(begin);
        }
        if let Some(end) = self.first.last_mut() {
            *end = number(kept);
        }
        self.to.truncate(kept);
        self.movers.truncate(kept);
        work.give_back::<u32>(self.len());
        Ok(oddities)
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.to.len()
    }

    /// All vertices.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + use<> {
        0..number(self.len())
    }

    /// Where edges lead from a vertex.
    pub fn options(&self, vertex: Vertex) -> &[Vertex] {
        &self.to[self.edges_of(vertex)]
    }

    /// The edges of a vertex.
    pub(crate) fn edges_of(&self, vertex: Vertex) -> std::ops::Range<usize> {
        let vertex = vertex as usize;
        self.first[vertex] as usize..self.first[vertex + 1] as usize
    }

    /// Where the options of each vertex begin, and where the last ones end.
    pub(crate) fn first(&self) -> &[u32] {
        &self.first
    }

    /// Where all edges lead.
    pub(crate) fn to(&self) -> &[Vertex] {
        &self.to
    }

    /// Who alone may use an edge.
    pub(crate) fn mover(&self, edge: usize) -> Option<Mover> {
        self.movers.get(edge).copied().flatten()
    }

    /// Where edges lead from a vertex, and who alone may use them.
    pub fn moves(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, Option<Mover>)> {
        self.edges_of(vertex)
            .map(|edge| (self.to[edge], self.mover(edge)))
    }

    /// How play ends at a vertex; `None` where moves tell.
    pub fn end(&self, vertex: Vertex) -> Option<End> {
        self.ends.get(&vertex).copied()
    }

    /// The vertices where play ends by declaration.
    pub fn ends(&self) -> &BTreeMap<Vertex, End> {
        &self.ends
    }

    /// Where chance moves: the options with their probabilities.
    pub fn odds_of(&self, vertex: Vertex) -> Option<Vec<(Vertex, BigRational)>> {
        let odds = self.chances.get(&vertex)?;
        let options = self.options(vertex);
        let even = || BigRational::new(BigInt::one(), BigInt::from(options.len()));
        Some(
            options
                .iter()
                .enumerate()
                .map(|(index, to)| (*to, odds.get(index).cloned().unwrap_or_else(even)))
                .filter(|(_, odd)| !odd.is_zero())
                .collect(),
        )
    }

    /// Whether chance moves at a vertex.
    pub fn is_chance(&self, vertex: Vertex) -> bool {
        self.chances.contains_key(&vertex)
    }

    /// Whether chance moves anywhere.
    pub fn has_chance(&self) -> bool {
        !self.chances.is_empty()
    }

    /// Whether the players have different moves or ends.
    pub fn is_unfair(&self) -> bool {
        self.movers.iter().any(Option::is_some)
            || self.ends.values().any(|end| matches!(end, End::Wins(_)))
    }

    /// The edges from where they lead to.
    pub fn reverse(&self, work: &mut Work) -> Result<Reverse, Stop> {
        work.reserve::<u32>(2 * self.len() + self.to.len())?;
        let (first, mut next) = sorted(self.len(), self.to.iter().copied(), work)?;
        let mut from = vec![0; self.to.len()];
        for vertex in self.vertices() {
            let options = self.options(vertex);
            work.spend(1 + options.len())?;
            for to in options {
                let slot = &mut next[*to as usize];
                from[*slot as usize] = vertex;
                *slot += 1;
            }
        }
        work.give_back::<u32>(self.len());
        Ok(Reverse { first, from })
    }
}

/// Where the entries of each vertex begin when they are sorted by vertex; twice, as the second
/// copy moves on while entries are filled in.
fn sorted(
    vertices: usize,
    entries: impl Iterator<Item = Vertex>,
    work: &mut Work,
) -> Result<(Vec<u32>, Vec<u32>), Stop> {
    let mut first = vec![0u32; vertices + 1];
    for vertex in entries {
        first[vertex as usize + 1] += 1;
    }
    work.spend(vertices)?;
    let mut sum = 0;
    for count in &mut first {
        sum += *count;
        *count = sum;
    }
    let next = first.clone();
    Ok((first, next))
}

/// From where edges lead to each vertex.
pub struct Reverse {
    first: Vec<u32>,
    from: Vec<Vertex>,
}

impl Reverse {
    /// The vertices that have this one as an option.
    pub fn origins(&self, vertex: Vertex) -> &[Vertex] {
        let vertex = vertex as usize;
        &self.from[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }
}
