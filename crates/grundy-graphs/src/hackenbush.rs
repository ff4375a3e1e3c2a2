//! Green Hackenbush: edges of a graph on the ground are cut, and what is no longer joined to the ground is
//! gone. Whoever cannot cut has lost.
//!
//! A tree is worth the nim-sum of its branches, each worth one more than what stands on it (colon
//! principle). The vertices of a cycle can be fused into one without a change (fusion principle), so
//! that only the bridges and the parity of the edges between them count. (Berlekamp, Conway and
//! Guy 1982, *Winning Ways*, chapter 7.)

use crate::graph::Vertex;
use crate::work::{Stop, Work};

/// A graph whose edges have no direction; there may be several between two vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// How many vertices there are.
    pub vertices: usize,
    /// The ends of each edge.
    pub edges: Vec<[Vertex; 2]>,
}

/// Finds the value of all that is joined to the ground vertices, in linear time.
///
/// ```
/// use grundy_graphs::Work;
/// use grundy_graphs::hackenbush::{Sketch, value};
///
/// // A stalk of two edges beside a triangle: 2, and 1 for three edges fused.
/// let sketch = Sketch { vertices: 5, edges: vec![[0, 1], [1, 2], [0, 3], [3, 4], [4, 0]] };
/// assert_eq!(value(&sketch, &[0], &mut Work::new(1 << 20)), Ok(3));
/// ```
///
/// # Panics
///
/// Panics if an edge ends at no vertex.
pub fn value(sketch: &Sketch, ground: &[Vertex], work: &mut Work) -> Result<u32, Stop> {
    Beside::new(sketch, ground, work)?.value(None, work)
}

/// The edges whose cut leaves a position worth 0: the winning moves.
///
/// Each cut is valued, so that time grows with the square of the number of edges.
pub fn winning_cuts(
    sketch: &Sketch,
    ground: &[Vertex],
    work: &mut Work,
) -> Result<Vec<usize>, Stop> {
    let beside = Beside::new(sketch, ground, work)?;
    let mut cuts = Vec::new();
    if beside.value(None, work)? == 0 {
        return Ok(cuts);
    }
    let joined = beside.joined(work)?;
    for (cut, edge) in sketch.edges.iter().enumerate() {
        if joined[edge[0] as usize] && beside.value(Some(cut), work)? == 0 {
            cuts.push(cut);
        }
    }
    Ok(cuts)
}

/// The edges at each vertex; all ground vertices are the vertex 0, and the others follow.
struct Beside {
    first: Vec<u32>,
    /// The other end, and the index of the edge.
    at: Vec<(Vertex, u32)>,
    /// The number of each vertex of the sketch.
    number: Vec<Vertex>,
}

impl Beside {
    fn new(sketch: &Sketch, ground: &[Vertex], work: &mut Work) -> Result<Self, Stop> {
        work.reserve::<[u32; 4]>(sketch.vertices + 1)?;
        work.reserve::<[u32; 4]>(sketch.edges.len())?;
        let mut number = vec![1; sketch.vertices];
        for vertex in ground {
            number[*vertex as usize] = 0;
        }
        let mut next = 0;
        for vertex in &mut number {
            next += *vertex;
            *vertex *= next;
        }
        // From where to where each edge can be followed: a loop one way only.
        let ways = |edge: &[Vertex; 2]| {
            let [one, other] = edge.map(|end| number[end as usize]);
            let back = (one != other).then_some((other, one));
            [Some((one, other)), back].into_iter().flatten()
        };
        let mut first = vec![0; next as usize + 2];
        for edge in &sketch.edges {
            for (from, _) in ways(edge) {
                first[from as usize + 1] += 1;
            }
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut free = first.clone();
        let mut at = vec![(0, 0); 2 * sketch.edges.len()];
        for (index, edge) in (0u32..).zip(&sketch.edges) {
            for (from, to) in ways(edge) {
                at[free[from as usize] as usize] = (to, index);
                free[from as usize] += 1;
            }
        }
        Ok(Self { first, at, number })
    }

    fn edges(&self, vertex: Vertex) -> std::ops::Range<u32> {
        self.first[vertex as usize]..self.first[vertex as usize + 1]
    }

    /// Which vertices of the sketch are joined to the ground.
    fn joined(&self, work: &mut Work) -> Result<Vec<bool>, Stop> {
        let mut met = vec![false; self.first.len() - 1];
        met[0] = true;
        let mut open = vec![0];
        while let Some(vertex) = open.pop() {
            work.spend(1 + self.edges(vertex).len())?;
            for place in self.edges(vertex) {
                let (to, _) = self.at[place as usize];
                if !met[to as usize] {
                    met[to as usize] = true;
                    open.push(to);
                }
            }
        }
        Ok(self
            .number
            .iter()
            .map(|number| met[*number as usize])
            .collect())
    }

    /// The value without one of the edges.
    ///
    /// A depth-first search finds the bridges (Tarjan 1974). An edge of the search tree that is a bridge
    /// has one more than what stands on it; every other edge counts 1 at the vertex that its cycle is fused into.
    fn value(&self, cut: Option<usize>, work: &mut Work) -> Result<u32, Stop> {
        let vertices = self.first.len() - 1;
        // The order in which vertices were met, from 1; and the first one that can be reached from above.
        let (mut order, mut low) = (vec![0u32; vertices], vec![0u32; vertices]);
        let mut worth = vec![0u32; vertices];
        let mut path: Vec<(Vertex, u32, Option<u32>)> = vec![(0, self.first[0], None)];
        let mut met = 1;
        (order[0], low[0]) = (1, 1);
        while let Some((vertex, next, by)) = path.last_mut() {
            let (vertex, by) = (*vertex, *by);
            let index = vertex as usize;
            if *next == self.first[index + 1] {
                path.pop();
                work.spend(1)?;
                let Some((below, ..)) = path.last() else {
                    break;
                };
                let below = *below as usize;
                low[below] = low[below].min(low[index]);
                // What is fused with the vertex below hands its value on, and the edge counts by itself.
                worth[below] ^= if low[index] > order[below] {
                    worth[index] + 1
                } else {
                    worth[index] ^ 1
                };
                continue;
            }
            let (to, edge) = self.at[*next as usize];
            *next += 1;
            work.spend(1)?;
            if Some(edge) == by || cut == Some(edge as usize) {
                continue;
            }
            let to_index = to as usize;
            if order[to_index] == 0 {
                met += 1;
                (order[to_index], low[to_index]) = (met, met);
                path.push((to, self.first[to_index], Some(edge)));
            } else {
                low[index] = low[index].min(order[to_index]);
                // Both ends of an edge back meet it; it counts at the one that was met later, and a loop
                // at its vertex.
                if order[to_index] <= order[index] {
                    worth[index] ^= 1;
                }
            }
        }
        Ok(worth[0])
    }
}
