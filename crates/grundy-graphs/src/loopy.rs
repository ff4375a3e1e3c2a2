//! Values of vertices where play need not end, by which sums are answered.
//!
//! A vertex is worth a nimber, or it is *loopy*: then only the set of its options' nimbers
//! matters. A sum with one loopy component is won iff the nim-sum of the others is in this set, and
//! drawn otherwise; a sum with several is drawn. Without any it is as ever. (Smith 1966, Fraenkel
//! and Perl 1975.)

use crate::graph::{Graph, Reverse, Vertex};
use crate::work::{Stop, Work};

/// The value of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// This nimber.
    Nimber(u32),
    /// Infinite; the nimbers of the options, ascending.
    Loopy(Vec<u32>),
}

/// The values of all vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyValues {
    /// `LOOPY` for infinite ones.
    nimbers: Vec<u32>,
}

const LOOPY: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

impl LoopyValues {
    /// The nimber of a vertex; `None` if it is loopy.
    pub fn nimber(&self, vertex: Vertex) -> Option<u32> {
        Some(self.nimbers[vertex as usize]).filter(|nimber| *nimber != LOOPY)
    }

    /// The value of a vertex.
    pub fn of(&self, graph: &Graph, vertex: Vertex) -> Value {
        if let Some(nimber) = self.nimber(vertex) {
            return Value::Nimber(nimber);
        }
        let options = graph.options(vertex).iter();
        let mut nimbers: Vec<u32> = options.filter_map(|option| self.nimber(*option)).collect();
        nimbers.sort_unstable();
        nimbers.dedup();
        Value::Loopy(nimbers)
    }
}

/// Finds the value of each vertex.
///
/// From where no cycle can be reached, values are as ever. The others get their nimbers in
/// ascending order: a vertex is worth m iff the least natural that no valued option has is m, and
/// each other option has an option worth m, by which a move to it is taken back. One round for each
/// m reads each edge between such vertices once.
pub fn loopy_values(
    graph: &Graph,
    reverse: &Reverse,
    work: &mut Work,
) -> Result<LoopyValues, Stop> {
    work.reserve::<[u32; 3]>(graph.len())?;
    let mut nimbers = finite_part(graph, reverse, work)?;
    let region: Vec<Vertex> = graph
        .vertices()
        .filter(|vertex| nimbers[*vertex as usize] == UNKNOWN)
        .collect();
    let mut round = Round {
        graph,
        reverse,
        nimbers: &mut nimbers,
        worth: 0,
        reverts: vec![false; graph.len()],
        steadfast: vec![0; graph.len()],
    };
    let mut candidates = region.clone();
    while !candidates.is_empty() {
        round.run(&region, &candidates, work)?;
        // What has no option worth m can be worth no more than m.
        candidates.retain(|vertex| {
            let index = *vertex as usize;
            if round.nimbers[index] == UNKNOWN && !round.reverts[index] {
                round.nimbers[index] = LOOPY;
            }
            round.nimbers[index] == UNKNOWN
        });
        round.worth += 1;
    }
    work.give_back::<[u32; 2]>(graph.len());
    Ok(LoopyValues { nimbers })
}

/// The search for the vertices worth one number.
struct Round<'g> {
    graph: &'g Graph,
    reverse: &'g Reverse,
    nimbers: &'g mut Vec<u32>,
    worth: u32,
    /// Whether a vertex has an option that is worth this.
    reverts: Vec<bool>,
    /// How many options without a nimber have none.
    steadfast: Vec<u32>,
}

impl Round<'_> {
    fn has_nimber(&self, vertex: Vertex) -> bool {
        self.nimbers[vertex as usize] < UNKNOWN
    }

    fn run(
        &mut self,
        region: &[Vertex],
        candidates: &[Vertex],
        work: &mut Work,
    ) -> Result<(), Stop> {
        for vertex in region {
            let options = self.graph.options(*vertex);
            work.spend(1 + options.len())?;
            let worth = |option: &Vertex| self.nimbers[*option as usize] == self.worth;
            self.reverts[*vertex as usize] = options.iter().any(worth);
        }
        let mut settled = Vec::new();
        for vertex in candidates {
            let options = self.graph.options(*vertex);
            work.spend(1 + options.len())?;
            let steadfast = options.iter().filter(|option| self.is_steadfast(**option));
            self.steadfast[*vertex as usize] =
                u32::try_from(steadfast.count()).expect("edges are numbered in 32 bits");
            if self.is_settled(*vertex) {
                settled.push(*vertex);
            }
        }
        while let Some(vertex) = settled.pop() {
            // An option may have come to be worth this since.
            if !self.is_settled(vertex) {
                continue;
            }
            self.nimbers[vertex as usize] = self.worth;
            for origin in self.reverse.origins(vertex) {
                work.spend(1)?;
                if self.has_nimber(*origin) || self.reverts[*origin as usize] {
                    continue;
                }
                self.reverts[*origin as usize] = true;
                for above in self.reverse.origins(*origin) {
                    work.spend(1)?;
                    if self.nimbers[*above as usize] == UNKNOWN {
                        self.steadfast[*above as usize] -= 1;
                        if self.is_settled(*above) {
                            settled.push(*above);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a move to this vertex can neither be valued nor taken back.
    fn is_steadfast(&self, vertex: Vertex) -> bool {
        !self.has_nimber(vertex) && !self.reverts[vertex as usize]
    }

    fn is_settled(&self, vertex: Vertex) -> bool {
        let index = vertex as usize;
        self.nimbers[index] == UNKNOWN && !self.reverts[index] && self.steadfast[index] == 0
    }
}

/// The values of the vertices from which no cycle can be reached; `UNKNOWN` for the others.
fn finite_part(graph: &Graph, reverse: &Reverse, work: &mut Work) -> Result<Vec<u32>, Stop> {
    let mut nimbers = vec![UNKNOWN; graph.len()];
    let mut left: Vec<u32> = graph
        .first()
        .windows(2)
        .map(|row| row[1] - row[0])
        .collect();
    let mut ready: Vec<Vertex> = graph
        .vertices()
        .filter(|vertex| left[*vertex as usize] == 0)
        .collect();
    let mut seen = Vec::new();
    while let Some(vertex) = ready.pop() {
        let options = graph.options(vertex);
        work.spend(1 + options.len())?;
        seen.clear();
        seen.resize(options.len() + 1, false);
        for option in options {
            if let Some(seen) = seen.get_mut(nimbers[*option as usize] as usize) {
                *seen = true;
            }
        }
        let mex = seen.iter().position(|seen| !seen);
        let mex = mex.expect("there are fewer options than places");
        nimbers[vertex as usize] = u32::try_from(mex).expect("edges are numbered in 32 bits");
        for origin in reverse.origins(vertex) {
            left[*origin as usize] -= 1;
            if left[*origin as usize] == 0 {
                ready.push(*origin);
            }
        }
    }
    Ok(nimbers)
}
