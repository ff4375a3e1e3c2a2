//! Orders of lists: which entry breaks one, lists that keep it, and edges of graphs that are drawn.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::draw::Random;
use crate::problem::Order;
use crate::value::Value;

/// The first entry that breaks an order.
pub(crate) fn first_out_of_order(values: &[Value], order: Order) -> Option<usize> {
    let allowed: &[std::cmp::Ordering] = match order {
        Order::Any => return None,
        Order::Increasing => &[Less],
        Order::Nondecreasing => &[Less, Equal],
        Order::Nonincreasing => &[Greater, Equal],
        Order::Distinct => {
            let mut places: Vec<usize> = (0..values.len()).collect();
            places.sort_by(|a, b| values[*a].compare(&values[*b]).unwrap_or(Equal));
            let repeated = places.windows(2).filter_map(|pair| {
                let [first, second] = *pair else { return None };
                values[first].equals(&values[second]).then_some(second)
            });
            return repeated.min();
        }
        Order::Simple | Order::Tree | Order::Rings => {
            let mut kept = Kept::new(values.len(), order);
            return values
                .iter()
                .position(|value| ends(value).is_none_or(|ends| !kept.keeps(ends)));
        }
    };
    let broken = values.windows(2).position(|pair| {
        let order = pair[0].compare(&pair[1]);
        order.is_none_or(|order| !allowed.contains(&order))
    });
    broken.map(|at| at + 1)
}

/// The values of a list in the order that it is to have, those of a list that has it unchanged; `None` if too many
/// are equal, or there are too few.
pub(crate) fn put_in_order(mut values: Vec<Value>, order: Order) -> Option<Vec<Value>> {
    let compare = |a: &Value, b: &Value| a.compare(b).unwrap_or(Equal);
    let length = values.len();
    match order {
        Order::Any => {}
        Order::Nondecreasing => values.sort_by(compare),
        Order::Nonincreasing => values.sort_by(|a, b| compare(b, a)),
        Order::Increasing => {
            values.sort_by(compare);
            values.dedup_by(|a, b| a.equals(b));
        }
        Order::Distinct => {
            first_out_of_order(&values, order).is_none().then_some(())?;
        }
        Order::Simple | Order::Tree | Order::Rings => {
            let edges: Vec<[usize; 2]> = values.iter().map(ends).collect::<Option<_>>()?;
            let edges = mended(edges, order)?;
            values = write(edges, &values);
        }
    }
    (values.len() == length).then_some(values)
}

/// A list of as many values in an order, drawn: graphs, and trees and rings of many shapes.
pub(crate) fn drawn(values: Vec<Value>, order: Order, random: &mut Random) -> Option<Vec<Value>> {
    match order {
        Order::Tree => {
            let fathers = fathers(values.len() + 1, random);
            let edges = (2..).zip(fathers).map(|(son, father)| [son, father]);
            Some(write(disguised(edges.collect(), random), &values))
        }
        Order::Rings => {
            let edges = rings(values.len(), random)?;
            Some(write(disguised(edges, random), &values))
        }
        Order::Simple => {
            let said = values.iter().filter_map(ends).flatten();
            let most = said.max().unwrap_or(1) as u64;
            let mut kept = Kept::new(values.len(), order);
            let mut edges = Vec::with_capacity(values.len());
            for _ in &values {
                let mut any = (0..DRAWS).map(|_| {
                    [(); 2].map(|()| usize::try_from(random.below(most)).unwrap_or(0) + 1)
                });
                edges.push(any.find(|edge| kept.keeps(*edge))?);
            }
            Some(write(edges, &values))
        }
        _ => put_in_order(values, order),
    }
}

/// The number of a vertex, from 1.
fn vertex(value: &Value) -> Option<usize> {
    match value {
        Value::Number(number) => number.to_usize().filter(|vertex| *vertex > 0),
        _ => None,
    }
}

/// The two vertices of an edge.
fn ends(value: &Value) -> Option<[usize; 2]> {
    match value {
        Value::Tuple(ends) | Value::List(ends) => match ends.as_slice() {
            [a, b] => Some([vertex(a)?, vertex(b)?]),
            _ => None,
        },
        _ => None,
    }
}

fn number(vertex: usize) -> Value {
    Value::number(vertex as u64)
}

/// Edges as values that look like others.
fn write(edges: Vec<[usize; 2]>, like: &[Value]) -> Vec<Value> {
    let written = edges.into_iter().zip(like).map(|(ends, like)| {
        let ends = Rc::new(ends.map(number).to_vec());
        match like {
            Value::Tuple(_) => Value::Tuple(ends),
            _ => Value::List(ends),
        }
    });
    written.collect()
}

/// The edges so far of a graph that keeps an order.
struct Kept {
    order: Order,
    /// How many vertices there are, where the order says that.
    vertices: usize,
    /// For each vertex one that it is joined to, in the end the one that stands for all of these.
    joined: Vec<usize>,
    /// How many edges each vertex has.
    degrees: Vec<u8>,
    edges: BTreeSet<[usize; 2]>,
}

impl Kept {
    /// A graph that is to have so many edges.
    fn new(edges: usize, order: Order) -> Self {
        let vertices = match order {
            Order::Tree => edges + 1,
            Order::Rings => edges,
            _ => 0,
        };
        Self {
            order,
            vertices,
            joined: (0..=vertices).collect(),
            degrees: vec![0; vertices + 1],
            edges: BTreeSet::new(),
        }
    }

    /// The vertex that stands for all that are joined to this one.
    fn part(&mut self, mut vertex: usize) -> usize {
        while self.joined[vertex] != vertex {
            self.joined[vertex] = self.joined[self.joined[vertex]];
            vertex = self.joined[vertex];
        }
        vertex
    }

    /// Adds an edge, if the order is kept then.
    fn keeps(&mut self, [a, b]: [usize; 2]) -> bool {
        if self.order == Order::Simple {
            return a != b && self.edges.insert([a.min(b), a.max(b)]);
        }
        if a == b || a.max(b) > self.vertices {
            return false;
        }
        match self.order {
            Order::Tree => {
                let (one, other) = (self.part(a), self.part(b));
                self.joined[one] = other;
                one != other
            }
            _ => {
                let is_kept = self.degrees[a] < 2
                    && self.degrees[b] < 2
                    && self.edges.insert([a.min(b), a.max(b)]);
                if is_kept {
                    self.degrees[a] += 1;
                    self.degrees[b] += 1;
                    let (one, other) = (self.part(a), self.part(b));
                    self.joined[one] = other;
                }
                is_kept
            }
        }
    }
}

/// So often an edge is drawn where one stands already.
const DRAWS: usize = 100;
/// So often another edge is looked for where one stands already.
const TRIES: usize = 1000;

/// Edges of which those that keep an order stay, and the others lead elsewhere.
fn mended(mut edges: Vec<[usize; 2]>, order: Order) -> Option<Vec<[usize; 2]>> {
    let mut kept = Kept::new(edges.len(), order);
    let broken: Vec<usize> = (0..edges.len())
        .filter(|edge| !kept.keeps(edges[*edge]))
        .collect();
    match order {
        Order::Simple => {
            let most = edges.iter().flatten().copied().max()?;
            for edge in broken {
                let [a, b] = edges[edge];
                let mut others = (0..TRIES).map(|step| {
                    let (a, b) = (a + (b + step) / most, (b + step) % most + 1);
                    [(a - 1) % most + 1, b]
                });
                edges[edge] = others.find(|other| kept.keeps(*other))?;
            }
        }
        Order::Tree => {
            // One part more than there are broken edges.
            let mut parts: Vec<usize> = (1..=kept.vertices)
                .filter(|vertex| kept.joined[*vertex] == *vertex)
                .collect();
            for edge in broken {
                let a = edges[edge][0].min(kept.vertices);
                let mut other = parts.pop()?;
                if kept.part(other) == kept.part(a) {
                    other = std::mem::replace(parts.last_mut()?, other);
                }
                edges[edge] = [a, other];
                kept.keeps(edges[edge]);
            }
        }
        _ => {
            // What is no ring is paths, as many as there are broken edges: they are joined to one ring.
            let mut open: Vec<(usize, usize)> = Vec::new();
            for vertex in 1..=kept.vertices {
                for _ in kept.degrees[vertex]..2 {
                    open.push((kept.part(vertex), vertex));
                }
            }
            open.sort_unstable();
            let ends: Vec<usize> = open.into_iter().map(|(_, vertex)| vertex).collect();
            for (place, edge) in broken.into_iter().enumerate() {
                let next = (2 * place + 2) % ends.len();
                edges[edge] = [ends[2 * place + 1], ends[next]];
                kept.keeps(edges[edge]).then_some(())?;
            }
        }
    }
    Some(edges)
}

/// The father of each vertex but the first, for trees of many shapes.
fn fathers(vertices: usize, random: &mut Random) -> Vec<usize> {
    let shape = random.below(5);
    let father = |son: usize, random: &mut Random| {
        let reach = match shape {
            // A path, which may have a leaf at each vertex.
            1 if son % 2 == 1 => return son - 2,
            0 | 1 => 1,
            // A star.
            2 => return 1,
            // Deep, and shallow.
            3 => 3,
            _ => vertices,
        };
        let reach = reach.min(son - 1) as u64;
        son - 1 - usize::try_from(random.below(reach)).unwrap_or(0)
    };
    (2..=vertices).map(|son| father(son, random)).collect()
}

/// Rings that have all vertices, short ones or long ones.
fn rings(vertices: usize, random: &mut Random) -> Option<Vec<[usize; 2]>> {
    let most = [1, 8, vertices as u64][usize::try_from(random.below(3)).unwrap_or(0)];
    let mut edges = Vec::new();
    let mut first = 1;
    while first <= vertices {
        let left = vertices + 1 - first;
        let length = 3 + usize::try_from(random.below(most)).unwrap_or(0);
        let length = if length + 3 > left { left } else { length };
        if length < 3 {
            return None;
        }
        let last = first + length - 1;
        edges.extend((first..last).map(|vertex| [vertex, vertex + 1]));
        edges.push([last, first]);
        first = last + 1;
    }
    Some(edges)
}

/// The same graph with other names of its vertices, and its edges in another order.
fn disguised(mut edges: Vec<[usize; 2]>, random: &mut Random) -> Vec<[usize; 2]> {
    let most = edges.iter().flatten().copied().max().unwrap_or(0);
    let mut names: Vec<usize> = (1..=most).collect();
    shuffle(&mut names, random);
    shuffle(&mut edges, random);
    for edge in &mut edges {
        *edge = edge.map(|vertex| names[vertex - 1]);
        if random.below(2) == 0 {
            edge.reverse();
        }
    }
    edges
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for end in (1..all.len()).rev() {
        let place = random.below(end as u64 + 1);
        all.swap(end, usize::try_from(place).unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [Order; 3] = [Order::Simple, Order::Tree, Order::Rings];

    fn list(edges: &[[usize; 2]]) -> Vec<Value> {
        let like = Value::Tuple(Rc::default());
        write(edges.to_vec(), &vec![like; edges.len()])
    }

    fn broken(edges: &[[usize; 2]], order: Order) -> Option<usize> {
        first_out_of_order(&list(edges), order)
    }

    #[test]
    fn the_first_edge_that_breaks_an_order_is_said() {
        assert_eq!(broken(&[[1, 2], [3, 2], [4, 3]], Order::Tree), None);
        assert_eq!(broken(&[[1, 2], [3, 2], [1, 3]], Order::Tree), Some(2));
        assert_eq!(broken(&[[1, 2], [3, 5], [1, 3]], Order::Tree), Some(1));
        assert_eq!(broken(&[[1, 2], [3, 2], [1, 3]], Order::Rings), None);
        assert_eq!(broken(&[[1, 2], [3, 2], [2, 3]], Order::Rings), Some(2));
        assert_eq!(broken(&[[1, 2], [9, 2], [1, 9]], Order::Simple), None);
        assert_eq!(broken(&[[1, 2], [3, 3], [2, 1]], Order::Simple), Some(1));
        assert_eq!(broken(&[[1, 2], [3, 2], [2, 1]], Order::Simple), Some(2));
    }

    #[test]
    fn mended_edges_keep_the_order_and_those_that_kept_it_stay() {
        let mut random = Random(1);
        for order in EDGES {
            let mut found = 0;
            for count in 1..30_usize {
                for _ in 0..40 {
                    let names = match order {
                        Order::Tree => count + 1,
                        Order::Rings => count,
                        _ => 3 + count / 2,
                    };
                    let mut end = || usize::try_from(random.below(names as u64)).unwrap() + 1;
                    let edges: Vec<[usize; 2]> = (0..count).map(|_| [end(), end()]).collect();
                    let Some(mended) = put_in_order(list(&edges), order) else {
                        continue;
                    };
                    found += 1;
                    assert_eq!(first_out_of_order(&mended, order), None, "{edges:?}");
                    let again = put_in_order(mended.clone(), order).expect("it has the order");
                    assert!(mended.iter().zip(&again).all(|(a, b)| a.equals(b)));
                }
            }
            assert!(found > 500, "{order:?}: {found}");
        }
    }

    #[test]
    fn drawn_lists_keep_the_order() {
        let mut random = Random(2);
        for order in EDGES {
            for count in 3..60_usize {
                let like = list(&vec![[1, 20]; count]);
                let drawn = drawn(like, order, &mut random).expect("there are enough");
                assert_eq!(drawn.len(), count);
                assert_eq!(first_out_of_order(&drawn, order), None, "{order:?} {count}");
            }
        }
    }
}
