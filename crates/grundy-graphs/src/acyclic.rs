//! Grundy values of all vertices of a graph without cycles, near the speed of memory.
//!
//! The value of a vertex is the least natural that no option has (Sprague 1935, Grundy 1939). It is never more than
//! the number of options, so that small graphs of any shape, and large ones of small degree, keep
//! their values in a byte each.

use grundy_kernels::prefetch;

use crate::graph::{Graph, Vertex};
use crate::work::{Stop, Work};

/// Values of all vertices, as narrow as they fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All are below 2^8.
    Narrow(Vec<u8>),
    /// Some may be larger.
    Wide(Vec<u32>),
}

impl Values {
    /// The value of a vertex.
    pub fn of(&self, vertex: Vertex) -> u32 {
        match self {
            Self::Narrow(values) => values[vertex as usize].into(),
            Self::Wide(values) => values[vertex as usize],
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acyclic {
    /// The values of all vertices.
    Values(Values),
    /// The graph has a cycle: its vertices, each of which leads to the next.
    Cycle(Vec<Vertex>),
}

/// Finds the Grundy value of each vertex, or a cycle.
///
/// Where all edges lead to lower numbers, or all to higher ones, one pass in this order reads
/// each edge once. Otherwise the vertices are visited depth first, on a stack of its own, and each
/// edge is read twice. Ends, chance and players are not looked at.
///
/// ```
/// use grundy_graphs::acyclic::{Acyclic, grundy_values};
/// use grundy_graphs::{Graph, Work};
///
/// // The vertices are heaps, of which one or two may be taken.
/// let options: [&[u32]; 5] = [&[], &[0], &[1, 0], &[2, 1], &[3, 2]];
/// let graph = Graph::of_options(options);
/// let Ok(Acyclic::Values(values)) = grundy_values(&graph, &mut Work::new(1 << 20)) else {
///     panic!("heaps get smaller");
/// };
/// let values: Vec<u32> = graph.vertices().map(|heap| values.of(heap)).collect();
/// assert_eq!(values, [0, 1, 2, 0, 1]);
/// ```
pub fn grundy_values(graph: &Graph, work: &mut Work) -> Result<Acyclic, Stop> {
    let degrees = graph.first().windows(2).map(|row| row[1] - row[0]);
    let most = degrees.max().unwrap_or(0);
    if most < u32::from(Halves::NONE) && is_scattered(graph) {
        work.reserve::<u8>(graph.len())?;
        for is_up in [false, true] {
            if let Some(values) = scattered_in_order(graph, is_up, work)? {
                return Ok(Acyclic::Values(Values::Narrow(values)));
            }
        }
        work.give_back::<u8>(graph.len());
    }
    if most < u32::from(u8::OPEN) {
        Ok(values::<u8>(graph, work)?
            .map_or_else(Acyclic::Cycle, |v| Acyclic::Values(Values::Narrow(v))))
    } else {
        Ok(values::<u32>(graph, work)?
            .map_or_else(Acyclic::Cycle, |v| Acyclic::Values(Values::Wide(v))))
    }
}

fn values<C: Cell>(graph: &Graph, work: &mut Work) -> Result<Result<Vec<C>, Vec<Vertex>>, Stop> {
    work.reserve::<C>(graph.len())?;
    for is_up in [false, true] {
        if let Some(values) = in_order(graph, is_up, work)? {
            return Ok(Ok(values));
        }
    }
    depth_first(
        graph,
        |vertex, values: &[C]| mex(graph.options(vertex), values),
        work,
    )
}

/// A place for a value, with two numbers to spare for vertices that have none yet.
trait Cell: Copy + PartialEq {
    /// The vertex was not met.
    const NEW: Self;
    /// The vertex was met, and its options are being valued.
    const OPEN: Self;

    fn of(value: u32) -> Self;
    fn value(self) -> u32;
}

impl Cell for u8 {
    const NEW: Self = Self::MAX;
    const OPEN: Self = Self::MAX - 1;

    fn of(value: u32) -> Self {
        Self::try_from(value).expect("values are at most the number of options")
    }

    fn value(self) -> u32 {
        self.into()
    }
}

impl Cell for u32 {
    const NEW: Self = Self::MAX;
    const OPEN: Self = Self::MAX - 1;

    fn of(value: u32) -> Self {
        value
    }

    fn value(self) -> u32 {
        self
    }
}

/// Marks of the values of some vertices.
#[derive(Default)]
struct Seen {
    /// Bit v for a value v below 64.
    low: u64,
    /// The bits that are set in some value.
    all: u32,
}

impl Seen {
    fn of<C: Cell>(vertices: &[Vertex], values: &[C]) -> Self {
        let mut seen = Self::default();
        for vertex in vertices {
            let value = values[*vertex as usize].value();
            seen.low |= 1 << (value & 63);
            seen.all |= value;
        }
        seen
    }

    /// The least natural that was not marked; `None` where the marks are too few for that.
    fn mex(&self) -> Option<u32> {
        // Of a value above 63 only the low bits were kept.
        (self.all < 64).then(|| self.low.trailing_ones())
    }
}

/// The least natural that is not the value of one of these vertices, all of which have one.
fn mex<C: Cell>(options: &[Vertex], values: &[C]) -> u32 {
    Seen::of(options, values)
        .mex()
        .unwrap_or_else(|| wide_mex(options, values))
}

#[cold]
fn wide_mex<C: Cell>(options: &[Vertex], values: &[C]) -> u32 {
    let mut seen = vec![0u64; options.len() / 64 + 1];
    for option in options {
        let value = values[*option as usize].value();
        if let Some(word) = seen.get_mut(value as usize / 64) {
            *word |= 1 << (value & 63);
        }
    }
    let mut mex = 0;
    for word in seen {
        mex += word.trailing_ones();
        if word != u64::MAX {
            break;
        }
    }
    mex
}

/// How many vertices are valued between two questions whether to stop.
const BLOCK: usize = 1 << 12;

/// Whether `value` finds values of all vertices in this order; the first that it finds none of ends it.
fn all_in_order(
    graph: &Graph,
    is_up: bool,
    work: &mut Work,
    mut value: impl FnMut(usize) -> bool,
) -> Result<bool, Stop> {
    let first = graph.first();
    let mut done = 0;
    while done < graph.len() {
        let next = graph.len().min(done + BLOCK);
        let mut block = if is_up {
            graph.len() - next..graph.len() - done
        } else {
            done..next
        };
        work.spend(1 + (first[block.end] - first[block.start]) as usize)?;
        let is_right = if is_up {
            block.rev().all(&mut value)
        } else {
            block.all(&mut value)
        };
        if !is_right {
            return Ok(false);
        }
        done = next;
    }
    Ok(true)
}

/// The values, if each edge leads down, or each one up.
fn in_order<C: Cell>(graph: &Graph, is_up: bool, work: &mut Work) -> Result<Option<Vec<C>>, Stop> {
    let (first, to) = (graph.first(), graph.to());
    let mut values = vec![C::NEW; graph.len()];
    let is_right = all_in_order(graph, is_up, work, |vertex| {
        let options = &to[first[vertex] as usize..first[vertex + 1] as usize];
        let seen = Seen::of(options, &values);
        let value = match seen.mex() {
            Some(value) => C::of(value),
            None => mex_of_some(options, &values).map_or(C::NEW, C::of),
        };
        values[vertex] = value;
        value != C::NEW
    })?;
    Ok(is_right.then_some(values))
}

/// Edges that lead no farther find the value in the second cache, even with a byte each.
const NEAR: u32 = 1 << 19;
/// How many vertices tell whether edges lead far.
const LOOKED_AT: usize = 1 << 10;
/// How many edges before a value is needed it is asked for: as many as a processor can wait for and more, and few enough
/// to be still at hand then. Between 80 and 160 made no difference.
const AHEAD: usize = 96;

/// Whether most edges lead farther than the values that a processor has at hand.
fn is_scattered(graph: &Graph) -> bool {
    if graph.len() <= 2 * NEAR as usize {
        return false;
    }
    let (mut far, mut all) = (0, 0);
    for vertex in graph.vertices().step_by(graph.len() / LOOKED_AT) {
        let options = graph.options(vertex);
        all += options.len();
        far += options
            .iter()
            .filter(|to| to.abs_diff(vertex) > NEAR)
            .count();
    }
    2 * far > all
}

/// Values below 15, in half a byte each: of scattered ones twice as many are at hand.
struct Halves(Vec<u8>);

impl Halves {
    /// What stands for no value.
    const NONE: u8 = 15;

    fn new(length: usize) -> Self {
        Self(vec![u8::MAX; length.div_ceil(2)])
    }

    fn get(&self, index: usize) -> u8 {
        self.0[index / 2] >> (4 * (index & 1)) & Self::NONE
    }

    /// Gives a value to a place that has none.
    fn set(&mut self, index: usize, value: u8) {
        self.0[index / 2] ^= (Self::NONE ^ value) << (4 * (index & 1));
    }
}

/// The values, if each edge leads down, or each one up, and no vertex has more than 14: for edges that lead far, whose
/// values are asked for ahead.
fn scattered_in_order(
    graph: &Graph,
    is_up: bool,
    work: &mut Work,
) -> Result<Option<Vec<u8>>, Stop> {
    let (first, to) = (graph.first(), graph.to());
    work.reserve::<u8>(graph.len() / 2)?;
    let mut halves = Halves::new(graph.len());
    let is_right = all_in_order(graph, is_up, work, |vertex| {
        let (start, end) = (first[vertex] as usize, first[vertex + 1] as usize);
        let coming = if is_up {
            start.saturating_sub(AHEAD)..end.saturating_sub(AHEAD)
        } else {
            start + AHEAD..end + AHEAD
        };
        for to in to.get(coming).unwrap_or_default() {
            prefetch(&halves.0, *to as usize / 2);
        }
        let mut seen = 0u32;
        for to in &to[start..end] {
            seen |= 1 << halves.get(*to as usize);
        }
        let is_valued = seen >> Halves::NONE == 0;
        if is_valued {
            let mex = u8::try_from(seen.trailing_ones()).expect("it has 32 bits");
            halves.set(vertex, mex);
        }
        is_valued
    })?;
    work.give_back::<u8>(graph.len() / 2);
    Ok(is_right.then(|| (0..graph.len()).map(|vertex| halves.get(vertex)).collect()))
}

/// The least natural that is not the value of one of these vertices; `None` if one of them has no value.
///
/// What stands for no value is above 63, so that [`Seen`] knows no mex where there is one.
#[cold]
fn mex_of_some<C: Cell>(options: &[Vertex], values: &[C]) -> Option<u32> {
    let is_valued = |option: &Vertex| values[*option as usize] != C::NEW;
    options
        .iter()
        .all(is_valued)
        .then(|| wide_mex(options, values))
}

/// All vertices, each after its options; or a cycle.
pub fn options_first(
    graph: &Graph,
    work: &mut Work,
) -> Result<Result<Vec<Vertex>, Vec<Vertex>>, Stop> {
    work.reserve::<Vertex>(graph.len())?;
    let mut order = Vec::with_capacity(graph.len());
    let done = depth_first(
        graph,
        |vertex, _: &[u8]| {
            order.push(vertex);
            0
        },
        work,
    )?;
    Ok(done.map(|_| order))
}

/// The values that `value` gives, each vertex after its options; or a cycle.
fn depth_first<C: Cell>(
    graph: &Graph,
    mut value: impl FnMut(Vertex, &[C]) -> u32,
    work: &mut Work,
) -> Result<Result<Vec<C>, Vec<Vertex>>, Stop> {
    let mut values = vec![C::NEW; graph.len()];
    let mut path: Vec<(Vertex, usize)> = Vec::new();
    let mut held = 0;
    for root in graph.vertices() {
        if values[root as usize] != C::NEW {
            continue;
        }
        values[root as usize] = C::OPEN;
        path.push((root, graph.edges_of(root).start));
        while let Some((vertex, next)) = path.last_mut() {
            let (vertex, end) = (*vertex, graph.edges_of(*vertex).end);
            let open = graph.to()[*next..end]
                .iter()
                .position(|to| values[*to as usize] == C::NEW || values[*to as usize] == C::OPEN);
            let looked = open.map_or(end, |open| *next + open + 1);
            work.spend(1 + looked - *next)?;
            *next = looked;
            if open.is_none() {
                values[vertex as usize] = C::of(value(vertex, &values));
                path.pop();
                continue;
            }
            let to = graph.to()[looked - 1];
            if values[to as usize] == C::OPEN {
                let path: Vec<Vertex> = path.iter().map(|(vertex, _)| *vertex).collect();
                let start = path.iter().position(|vertex| *vertex == to);
                let start = start.expect("open vertices are on the path");
                return Ok(Err(path[start..].to_vec()));
            }
            values[to as usize] = C::OPEN;
            path.push((to, graph.edges_of(to).start));
            if path.capacity() > held {
                work.reserve::<(Vertex, usize)>(path.capacity() - held)?;
                held = path.capacity();
            }
        }
    }
    work.give_back::<(Vertex, usize)>(held);
    Ok(Ok(values))
}
