//! The functions of values that ask about games on graphs that were read.

use std::collections::BTreeMap;
use std::rc::Rc;

use grundy::nimber::{Nimber, nim_product};
use grundy_graphs::geography::Geography;
use grundy_graphs::hackenbush::{self, Sketch};
use grundy_graphs::loopy::loopy_values;
use grundy_graphs::retrograde::{self, Outcome, Play};
use grundy_graphs::{End, Graph, Reverse, Stop, Vertex};
use grundy_rules::Limit;

use crate::failure::Failure;
use crate::functions::{ENTRY_BYTES, as_number, entries};
use crate::games::wrong;
use crate::number::NoNumber;
use crate::value::{Type, Value};
use crate::work::Work;

/// The bytes that a vertex or an edge is counted as.
const PLACE_BYTES: u64 = 120;

/// A name in the order of values, so that names can be found again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Number(crate::number::Number),
    Text(Rc<str>),
    Several(Vec<Name>),
}

fn name(value: &Value, work: &mut Work) -> Result<Name, Failure> {
    work.spend(1)?;
    match value {
        Value::Number(number) => Ok(Name::Number(number.clone())),
        Value::Text(text) => Ok(Name::Text(text.clone())),
        Value::Tuple(members) | Value::List(members) => {
            let mut names = Vec::with_capacity(members.len());
            for member in members.iter() {
                names.push(name(member, work)?);
            }
            Ok(Name::Several(names))
        }
        other => Err(wrong(&[Type::Number, Type::Text, Type::Tuple], other)),
    }
}

/// Vertices by name, in the order in which they were first said.
#[derive(Default)]
struct Vertices {
    found: BTreeMap<Name, Vertex>,
}

impl Vertices {
    fn add(&mut self, value: &Value, work: &mut Work) -> Result<Vertex, Failure> {
        let name = name(value, work)?;
        let next = Vertex::try_from(self.found.len()).map_err(|_| Limit::Bytes)?;
        Ok(*self.found.entry(name).or_insert(next))
    }

    fn all(&mut self, list: &Value, work: &mut Work) -> Result<Vec<Vertex>, Failure> {
        let mut vertices = Vec::new();
        for entry in entries(list, work)? {
            work.hold(PLACE_BYTES)?;
            vertices.push(self.add(&entry, work)?);
        }
        Ok(vertices)
    }

    /// The two ends of each edge of a list of pairs.
    fn edges(&mut self, list: &Value, work: &mut Work) -> Result<Vec<[Vertex; 2]>, Failure> {
        let mut edges = Vec::new();
        for entry in entries(list, work)? {
            work.hold(PLACE_BYTES)?;
            let ends: Vec<Value> = match entry.entries() {
                Some(ends) => ends.collect(),
                None => return Err(wrong(&[Type::Tuple], &entry)),
            };
            let [from, to] = ends.as_slice() else {
                return Err(wrong(&[Type::Tuple], &entry));
            };
            edges.push([self.add(from, work)?, self.add(to, work)?]);
        }
        Ok(edges)
    }
}

/// What a function says of graphs.
pub fn call(name: &str, values: &[Value], work: &mut Work) -> Result<Value, Failure> {
    let mut vertices = Vertices::default();
    match name {
        "nimproduct" => {
            let natural = |value: &Value| {
                let number = as_number(value)?;
                Ok::<_, Failure>(Nimber(number.to_natural().ok_or(NoNumber::Negative)?))
            };
            let (a, b) = (natural(&values[0])?, natural(&values[1])?);
            let words = (a.0.bits() + b.0.bits()) / 64 + 1;
            work.spend(words.saturating_mul(words))?;
            Ok(nim_product(&a, &b).0.into())
        }
        "hackenbush" => {
            let edges = vertices.edges(&values[0], work)?;
            let ground = vertices.add(&values[1], work)?;
            let sketch = Sketch {
                vertices: vertices.found.len(),
                edges,
            };
            let value = hackenbush::value(&sketch, &[ground], &mut sketch_work(&sketch, work)?);
            Ok(Value::number(i64::from(value.map_err(limit)?)))
        }
        "geography" => {
            let edges = vertices.edges(&values[0], work)?;
            let asked = vertices.all(&values[1], work)?;
            let sketch = Sketch {
                vertices: vertices.found.len(),
                edges,
            };
            let found = Geography::new(&sketch, &mut sketch_work(&sketch, work)?).map_err(limit)?;
            let won = asked.iter().map(|vertex| found.is_won(*vertex).into());
            Ok(Value::list(won.collect()))
        }
        "distances" => {
            let edges = vertices.edges(&values[0], work)?;
            let from = vertices.add(&values[1], work)?;
            let asked = vertices.all(&values[2], work)?;
            let found = distances(&neighbours(&edges, vertices.found.len(), work)?, from);
            let value = |vertex: &Vertex| found[*vertex as usize].map(Value::number).into();
            Ok(Value::list(asked.iter().map(value).collect()))
        }
        "components" => {
            let edges = vertices.edges(&values[0], work)?;
            let asked = vertices.all(&values[1], work)?;
            let found = components(&neighbours(&edges, vertices.found.len(), work)?);
            let value = |vertex: &Vertex| Value::number(found[*vertex as usize]);
            Ok(Value::list(asked.iter().map(value).collect()))
        }
        _ => tokens(values, work),
    }
}

/// The neighbours of each vertex, by edges without direction.
fn neighbours(
    edges: &[[Vertex; 2]],
    vertices: usize,
    work: &mut Work,
) -> Result<Vec<Vec<Vertex>>, Failure> {
    work.spend((vertices + edges.len()) as u64)?;
    let mut neighbours = vec![Vec::new(); vertices];
    for [one, other] in edges {
        neighbours[*one as usize].push(*other);
        neighbours[*other as usize].push(*one);
    }
    Ok(neighbours)
}

/// How many edges the shortest way to each vertex has; `None` where there is no way.
fn distances(neighbours: &[Vec<Vertex>], from: Vertex) -> Vec<Option<u64>> {
    let mut found = vec![None; neighbours.len()];
    found[from as usize] = Some(0);
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(vertex) = queue.get(next).copied() {
        next += 1;
        let farther = found[vertex as usize].map(|distance| distance + 1);
        for neighbour in &neighbours[vertex as usize] {
            let place = &mut found[*neighbour as usize];
            if place.is_none() {
                *place = farther;
                queue.push(*neighbour);
            }
        }
    }
    found
}

/// The number of the component of each vertex, from 1 in the order of their first vertices.
fn components(neighbours: &[Vec<Vertex>]) -> Vec<u64> {
    let mut found = vec![0; neighbours.len()];
    let mut components = 0;
    let mut open: Vec<Vertex> = Vec::new();
    for first in 0..neighbours.len() {
        if found[first] != 0 {
            continue;
        }
        components += 1;
        found[first] = components;
        open.extend(Vertex::try_from(first));
        while let Some(vertex) = open.pop() {
            for neighbour in &neighbours[vertex as usize] {
                let place = &mut found[*neighbour as usize];
                if *place == 0 {
                    *place = components;
                    open.push(*neighbour);
                }
            }
        }
    }
    found
}

/// The last graph that was asked about, for further questions about it.
pub struct Kept {
    list: Rc<Vec<Value>>,
    vertices: Vertices,
    graph: Graph,
    reverse: Reverse,
    bytes: u64,
}

impl Kept {
    /// The graph of a list of edges: the one that was kept, if it is of this very list.
    fn of(list: &Value, work: &mut Work) -> Result<Self, Failure> {
        let Value::List(list) = list else {
            let written = Value::list(entries(list, work)?.collect());
            return Self::of(&written, work);
        };
        if let Some(kept) = work.graph.take() {
            if Rc::ptr_eq(&kept.list, list) {
                return Ok(kept);
            }
            work.meter.release(kept.bytes);
        }
        let mut vertices = Vertices::default();
        let edges = vertices.edges(&Value::List(Rc::clone(list)), work)?;
        let bytes = PLACE_BYTES * (vertices.found.len() + edges.len()) as u64;
        work.meter.allocate(bytes)?;
        let mut rows = vec![Vec::new(); vertices.found.len()];
        for [from, to] in edges {
            rows[from as usize].push(to);
        }
        let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
        let reverse = graph
            .reverse(&mut graph_work(graph.len() + graph.edge_count(), work)?)
            .map_err(limit)?;
        Ok(Self {
            list: Rc::clone(list),
            vertices,
            graph,
            reverse,
            bytes,
        })
    }

    fn size(&self) -> usize {
        self.graph.len() + self.graph.edge_count()
    }

    /// The vertices of these names; `None` for one at which no edge is.
    fn all(&self, list: &Value, work: &mut Work) -> Result<Vec<Option<Vertex>>, Failure> {
        let mut vertices = Vec::new();
        for entry in entries(list, work)? {
            let name = name(&entry, work)?;
            vertices.push(self.vertices.found.get(&name).copied());
        }
        work.hold(vertices.len() as u64 * ENTRY_BYTES)?;
        Ok(vertices)
    }
}

/// Outcomes or values of tokens: `outcomes(edges, asked, ended)`, `values(edges, asked)`.
fn tokens(values: &[Value], work: &mut Work) -> Result<Value, Failure> {
    let kept = Kept::of(&values[0], work)?;
    let asked = kept.all(&values[1], work)?;
    let answers = match values.get(2) {
        Some(ended) => {
            let ended = kept.all(ended, work)?;
            outcomes(&kept, &asked, &ended, work)
        }
        None => worths(&kept, &asked, work),
    };
    work.graph = Some(kept);
    answers
}

fn outcomes(
    kept: &Kept,
    asked: &[Option<Vertex>],
    ended: &[Option<Vertex>],
    work: &mut Work,
) -> Result<Value, Failure> {
    let mut of = graph_work(kept.size(), work)?;
    let found = if ended.is_empty() {
        retrograde::outcomes(&kept.graph, &kept.reverse, Play::Normal, &mut of)
    } else {
        let ends = ended.iter().flatten().map(|vertex| (*vertex, End::Lost));
        let graph = kept.graph.clone().with_ends(ends);
        retrograde::outcomes(&graph, &kept.reverse, Play::Normal, &mut of)
    };
    let found = found.map_err(limit)?;
    let letter = |vertex: &Option<Vertex>| match vertex.map(|vertex| found.of(vertex)) {
        Some(Outcome::N) => Value::text("N"),
        Some(Outcome::Draw) => Value::text("D"),
        Some(Outcome::P) | None => Value::text("P"),
    };
    Ok(Value::list(asked.iter().map(letter).collect()))
}

fn worths(kept: &Kept, asked: &[Option<Vertex>], work: &mut Work) -> Result<Value, Failure> {
    let found = loopy_values(
        &kept.graph,
        &kept.reverse,
        &mut graph_work(kept.size(), work)?,
    )
    .map_err(limit)?;
    let worth = |vertex: &Option<Vertex>| match vertex {
        Some(vertex) => match found.nimber(*vertex) {
            Some(nimber) => Value::number(i64::from(nimber)),
            None => Value::None,
        },
        None => Value::number(0i64),
    };
    Ok(Value::list(asked.iter().map(worth).collect()))
}

/// Work on a graph of this size, whose vertices and edges were paid for.
fn graph_work(size: usize, work: &mut Work) -> Result<grundy_graphs::Work<'static>, Failure> {
    let size = size as u64;
    work.spend(size)?;
    Ok(grundy_graphs::Work::new((1 << 20) + 256 * size))
}

fn sketch_work(sketch: &Sketch, work: &mut Work) -> Result<grundy_graphs::Work<'static>, Failure> {
    graph_work(sketch.vertices + sketch.edges.len(), work)
}

fn limit(stop: Stop) -> Failure {
    match stop {
        Stop::Bytes => Limit::Bytes.into(),
        Stop::Cancelled => Limit::Cancelled.into(),
    }
}
