//! Geography on a graph whose edges have no direction: the token moves to a neighbour on which it
//! has not been. Whoever cannot move has lost.
//!
//! The player about to move wins iff the vertex of the token is matched in every maximum matching
//! (Fraenkel, Scheinerman and Ullman 1993): that player follows a maximum matching, which the other one
//! can never leave to an advantage.

use crate::graph::Vertex;
use crate::hackenbush::Sketch;
use crate::work::{Stop, Work};

const NONE: Vertex = Vertex::MAX;

/// A graph with a maximum matching.
pub struct Geography {
    neighbours: Vec<Vec<Vertex>>,
    mates: Vec<Vertex>,
    /// Whether some maximum matching misses a vertex.
    missed: Vec<bool>,
}

impl Geography {
    /// Finds a maximum matching (Edmonds 1965), and which vertices some maximum matching misses (Gallai 1964).
    ///
    /// ```
    /// use grundy_graphs::Work;
    /// use grundy_graphs::geography::Geography;
    /// use grundy_graphs::hackenbush::Sketch;
    ///
    /// // A path of three vertices: from the middle one can move to an end, where play is over.
    /// let sketch = Sketch { vertices: 3, edges: vec![[0, 1], [1, 2]] };
    /// let work = &mut Work::new(1 << 20);
    /// let geography = Geography::new(&sketch, work).unwrap();
    /// assert_eq!([0, 1, 2].map(|start| geography.is_won(start)), [false, true, false]);
    /// assert_eq!(geography.winning_moves(1, work), Ok(vec![0, 2]));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an edge ends at no vertex.
    pub fn new(sketch: &Sketch, work: &mut Work) -> Result<Self, Stop> {
        work.reserve::<[u64; 8]>(sketch.vertices + sketch.edges.len())?;
        let mut neighbours = vec![Vec::new(); sketch.vertices];
        for [one, other] in &sketch.edges {
            if one != other {
                neighbours[*one as usize].push(*other);
                neighbours[*other as usize].push(*one);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let mut mates = vec![NONE; sketch.vertices];
        for vertex in 0..sketch.vertices {
            if mates[vertex] == NONE
                && let Some(free) = neighbours[vertex]
                    .iter()
                    .find(|other| mates[**other as usize] == NONE)
            {
                mates[vertex] = *free;
                mates[*free as usize] = crate::graph::number(vertex);
            }
        }
        let mut search = Search::new(&neighbours, mates, None);
        for root in 0..crate::graph::number(sketch.vertices) {
            if search.mates[root as usize] == NONE {
                if let Some(end) = search.from(root, work)? {
                    search.augment(end);
                }
                search.forget(work)?;
            }
        }
        let missed = search.missed(work)?;
        let mates = search.mates;
        Ok(Self {
            neighbours,
            mates,
            missed,
        })
    }

    /// Whether the player about to move wins with the token on a vertex, no other having been visited.
    pub fn is_won(&self, vertex: Vertex) -> bool {
        !self.missed[vertex as usize]
    }

    /// Where to move to win, ascending.
    ///
    /// A move wins iff some maximum matching of what is left without the vertex misses where it leads to.
    pub fn winning_moves(&self, vertex: Vertex, work: &mut Work) -> Result<Vec<Vertex>, Stop> {
        if !self.is_won(vertex) {
            return Ok(Vec::new());
        }
        let mut mates = self.mates.clone();
        let mate = mates[vertex as usize];
        mates[mate as usize] = NONE;
        let mut search = Search::new(&self.neighbours, mates, Some(vertex));
        let missed = search.missed(work)?;
        let neighbours = self.neighbours[vertex as usize].iter().copied();
        Ok(neighbours.filter(|to| missed[*to as usize]).collect())
    }
}

/// Alternating paths from vertices without a mate.
struct Search<'g> {
    neighbours: &'g [Vec<Vertex>],
    mates: Vec<Vertex>,
    /// A vertex that is gone.
    without: Option<Vertex>,
    /// Whether a vertex is reached over an even number of edges.
    is_even: Vec<bool>,
    /// The vertex before one that is reached over an odd number of edges.
    before: Vec<Vertex>,
    /// The first vertex of the odd cycle that a vertex is part of.
    base: Vec<Vertex>,
    /// The vertices that were reached.
    reached: Vec<Vertex>,
}

impl<'g> Search<'g> {
    fn new(neighbours: &'g [Vec<Vertex>], mates: Vec<Vertex>, without: Option<Vertex>) -> Self {
        let vertices = mates.len();
        Self {
            neighbours,
            mates,
            without,
            is_even: vec![false; vertices],
            before: vec![NONE; vertices],
            base: (0..crate::graph::number(vertices)).collect(),
            reached: Vec::new(),
        }
    }

    /// Which vertices some maximum matching misses, the mates being one: those that are reached over an
    /// even number of edges from a vertex without a mate.
    fn missed(&mut self, work: &mut Work) -> Result<Vec<bool>, Stop> {
        for root in 0..crate::graph::number(self.mates.len()) {
            if self.mates[root as usize] == NONE && Some(root) != self.without {
                let end = self.from(root, work)?;
                assert!(end.is_none(), "a maximum matching cannot be made larger");
            }
        }
        Ok(self.is_even.clone())
    }

    /// Forgets what was reached.
    fn forget(&mut self, work: &mut Work) -> Result<(), Stop> {
        work.spend(self.reached.len())?;
        for vertex in std::mem::take(&mut self.reached) {
            self.is_even[vertex as usize] = false;
            self.before[vertex as usize] = NONE;
            self.base[vertex as usize] = vertex;
        }
        Ok(())
    }

    /// Searches from a vertex without a mate, for another one.
    fn from(&mut self, root: Vertex, work: &mut Work) -> Result<Option<Vertex>, Stop> {
        self.is_even[root as usize] = true;
        self.reached.push(root);
        let mut queue = vec![root];
        let mut next = 0;
        while let Some(vertex) = queue.get(next).copied() {
            next += 1;
            let neighbours = &self.neighbours[vertex as usize];
            work.spend(1 + neighbours.len())?;
            for to in neighbours {
                let index = *to as usize;
                if Some(*to) == self.without
                    || self.base[vertex as usize] == self.base[index]
                    || self.mates[vertex as usize] == *to
                {
                    continue;
                }
                if self.is_even[index] {
                    self.contract(vertex, *to, &mut queue, work)?;
                } else if self.before[index] == NONE {
                    self.before[index] = vertex;
                    self.reached.push(*to);
                    let mate = self.mates[index];
                    if mate == NONE {
                        return Ok(Some(*to));
                    }
                    self.is_even[mate as usize] = true;
                    self.reached.push(mate);
                    queue.push(mate);
                }
            }
        }
        Ok(None)
    }

    /// Makes one vertex of the odd cycle that an edge closes.
    fn contract(
        &mut self,
        one: Vertex,
        other: Vertex,
        queue: &mut Vec<Vertex>,
        work: &mut Work,
    ) -> Result<(), Stop> {
        let first = self.meeting(one, other, work)?;
        let mut on_cycle = std::collections::BTreeSet::new();
        self.mark(one, first, other, &mut on_cycle);
        self.mark(other, first, one, &mut on_cycle);
        work.spend(self.reached.len())?;
        for vertex in self.reached.clone() {
            let index = vertex as usize;
            if on_cycle.contains(&self.base[index]) {
                self.base[index] = first;
                if !self.is_even[index] {
                    self.is_even[index] = true;
                    queue.push(vertex);
                }
            }
        }
        Ok(())
    }

    /// Where the paths from two vertices to the root meet.
    fn meeting(&self, one: Vertex, other: Vertex, work: &mut Work) -> Result<Vertex, Stop> {
        let above = |vertex: Vertex| {
            let mate = self.mates[vertex as usize];
            (mate != NONE).then(|| self.base[self.before[mate as usize] as usize])
        };
        let mut path = std::collections::BTreeSet::new();
        let mut next = Some(self.base[one as usize]);
        while let Some(vertex) = next {
            path.insert(vertex);
            next = above(vertex);
        }
        let mut vertex = self.base[other as usize];
        while !path.contains(&vertex) {
            vertex = above(vertex).expect("both paths end at the root");
        }
        work.spend(path.len())?;
        Ok(vertex)
    }

    /// Marks the cycle from a vertex to its first one, and says how to go round it.
    fn mark(
        &mut self,
        mut vertex: Vertex,
        first: Vertex,
        mut beyond: Vertex,
        on_cycle: &mut std::collections::BTreeSet<Vertex>,
    ) {
        while self.base[vertex as usize] != first {
            let mate = self.mates[vertex as usize];
            on_cycle.insert(self.base[vertex as usize]);
            on_cycle.insert(self.base[mate as usize]);
            self.before[vertex as usize] = beyond;
            beyond = mate;
            vertex = self.before[mate as usize];
        }
    }

    /// Turns the path to a vertex without a mate round, so that it has one more edge in the matching.
    fn augment(&mut self, end: Vertex) {
        let mut vertex = end;
        while vertex != NONE {
            let before = self.before[vertex as usize];
            let next = self.mates[before as usize];
            self.mates[vertex as usize] = before;
            self.mates[before as usize] = vertex;
            vertex = next;
        }
    }
}
