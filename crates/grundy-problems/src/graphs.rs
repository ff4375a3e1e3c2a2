//! The functions of values that ask about games on graphs that were read.

use std::collections::BTreeMap;

use grundy::nimber::{Nimber, nim_product};
use grundy_graphs::geography::Geography;
use grundy_graphs::hackenbush::{self, Sketch};
use grundy_graphs::loopy::Value as Worth;
use grundy_graphs::retrograde::{Outcome, Play};
use grundy_graphs::{Graph, Prospect, Solution, Stop, Unsolved, Vertex};
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
    Text(std::rc::Rc<str>),
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
            let value = hackenbush::value(&sketch, &[ground], &mut graph_work(work)?);
            Ok(Value::number(i64::from(value.map_err(limit)?)))
        }
        "geography" => {
            let edges = vertices.edges(&values[0], work)?;
            let asked = vertices.all(&values[1], work)?;
            let sketch = Sketch {
                vertices: vertices.found.len(),
                edges,
            };
            let found = Geography::new(&sketch, &mut graph_work(work)?).map_err(limit)?;
            let won = asked.iter().map(|vertex| found.is_won(*vertex).into());
            Ok(Value::list(won.collect()))
        }
        _ => tokens(name, values, work),
    }
}

/// Outcomes or values of tokens: `outcomes(edges, asked, ended)`, `values(edges, asked)`.
fn tokens(name: &str, values: &[Value], work: &mut Work) -> Result<Value, Failure> {
    let mut vertices = Vertices::default();
    let edges = vertices.edges(&values[0], work)?;
    let asked = vertices.all(&values[1], work)?;
    let ended = match values.get(2) {
        Some(ended) => vertices.all(ended, work)?,
        None => Vec::new(),
    };
    let size = vertices.found.len();
    let mut is_ended = vec![false; size];
    for vertex in ended {
        is_ended[vertex as usize] = true;
    }
    let kept = |edge: &&[Vertex; 2]| !is_ended[edge[0] as usize];
    let mut rows = vec![Vec::new(); size];
    for [from, to] in edges.iter().filter(kept) {
        rows[*from as usize].push(*to);
    }
    let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
    let solution = Solution::of(&graph, Play::Normal, &mut graph_work(work)?);
    let solution = solution.map_err(|unsolved| match unsolved {
        Unsolved::Stopped(stop) => limit(stop),
        // Chance moves in no graph that is read here.
        Unsolved::ChanceCycle(_) | Unsolved::ChanceDraw(_) => Limit::Steps.into(),
    })?;
    work.hold(asked.len() as u64 * ENTRY_BYTES)?;
    let of = |vertex: &Vertex| match name {
        "values" => match solution.value(*vertex) {
            Ok(Worth::Nimber(nimber)) => Value::number(i64::from(nimber)),
            _ => Value::None,
        },
        _ => Value::text(match solution.prospect(*vertex, None) {
            Prospect::Outcome(Outcome::N) => "N",
            Prospect::Outcome(Outcome::P) => "P",
            _ => "D",
        }),
    };
    Ok(Value::list(asked.iter().map(of).collect()))
}

/// Work on a graph whose vertices and edges were paid for.
fn graph_work(work: &mut Work) -> Result<grundy_graphs::Work<'static>, Failure> {
    let bytes = work.held().max(1 << 20).saturating_mul(4);
    work.spend(bytes / PLACE_BYTES)?;
    Ok(grundy_graphs::Work::new(bytes))
}

fn limit(stop: Stop) -> Failure {
    match stop {
        Stop::Bytes => Limit::Bytes.into(),
        Stop::Cancelled => Limit::Cancelled.into(),
    }
}
