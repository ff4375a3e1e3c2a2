//! Misère play of vertices that behave there as heaps of Nim do.
//!
//! Sums of heaps of Nim are lost in misère play iff some heap is larger than 1 and the nim-sum is 0,
//! or none is and it is 1 (Bouton 1901). Conway (1976, On Numbers and Games, chapter 12) calls the games *tame* that
//! share this: each is *firm*, as a sum with a large heap, or *fickle*, as one without.

use crate::acyclic::options_first;
use crate::graph::{Graph, Vertex};
use crate::retrograde::Outcome;
use crate::work::{Stop, Work};

/// What a tame vertex is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tame {
    /// As a heap of 0 or 1: its values are this in normal play and the other one in misère play.
    Fickle(bool),
    /// As a sum of Nim with a large heap: both values are this.
    Firm(u32),
}

impl Tame {
    /// The Grundy values in normal and in misère play, where a vertex without options is worth 1.
    fn values(self) -> [u32; 2] {
        match self {
            Self::Fickle(one) => [one.into(), (!one).into()],
            Self::Firm(value) => [value, value],
        }
    }
}

/// A sum of tame vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TameSum {
    nimbers: u32,
    firm: usize,
}

impl TameSum {
    pub(crate) fn add(&mut self, part: Tame) {
        self.nimbers ^= part.values()[0];
        self.firm += usize::from(matches!(part, Tame::Firm(_)));
    }

    pub(crate) fn remove(&mut self, part: Tame) {
        self.nimbers ^= part.values()[0];
        self.firm -= usize::from(matches!(part, Tame::Firm(_)));
    }

    pub(crate) fn outcome(self) -> Outcome {
        let lost = u32::from(self.firm == 0);
        if self.nimbers == lost {
            Outcome::P
        } else {
            Outcome::N
        }
    }
}

/// What each vertex is worth in misère play; `None` for those that are not known to be tame, and for all if there is
/// a cycle.
///
/// A vertex with tame options is tame if the least numbers that its options' two values leave out are those
/// of a tame vertex. For then no option makes a lost sum of one that should be lost: it would have one of
/// these two numbers. And a sum that should be won is: where the other part's value is the larger one, by a move there; where it is
/// the smaller, some option has it in normal play, and in misère play another one if the other part is fickle. A vertex
/// worth 0 and 1 needs no option but that to 1, and one worth 1 and 0 none but that to 0.
pub(crate) fn tame(graph: &Graph, work: &mut Work) -> Result<Vec<Option<Tame>>, Stop> {
    work.reserve::<Option<Tame>>(graph.len())?;
    let mut found = vec![None; graph.len()];
    let Ok(order) = options_first(graph, work)? else {
        return Ok(found);
    };
    for vertex in order {
        let options = graph.options(vertex);
        work.spend(1 + options.len())?;
        found[vertex as usize] = worth(options, &found);
    }
    work.give_back::<Vertex>(graph.len());
    Ok(found)
}

fn worth(options: &[Vertex], found: &[Option<Tame>]) -> Option<Tame> {
    if options.is_empty() {
        return Some(Tame::Fickle(false));
    }
    let mut seen = [
        vec![false; options.len() + 1],
        vec![false; options.len() + 1],
    ];
    for option in options {
        let values = found[*option as usize]?.values();
        for (seen, value) in seen.iter_mut().zip(values) {
            if let Some(seen) = seen.get_mut(value as usize) {
                *seen = true;
            }
        }
    }
    let [normal, misere] = seen.map(|seen| {
        let least = seen.iter().position(|seen| !seen);
        let least = least.expect("there are fewer options than places");
        u32::try_from(least).expect("edges are numbered in 32 bits")
    });
    match (normal, misere) {
        (0, 1) => Some(Tame::Fickle(false)),
        (1, 0) => Some(Tame::Fickle(true)),
        _ if normal == misere => Some(Tame::Firm(normal)),
        _ => None,
    }
}
