//! The exhaustive engine that is written to be read: the oracle of the whole project.
//!
//! It knows the definitions and nothing else. The Grundy value of a component is the least
//! natural that no option has. A position is lost if it has no move (in misère play: won), and
//! otherwise won iff some move leads to a lost position.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use grundy_rules::moves::{ended, is_joint, moves};
use grundy_rules::options::options;
use grundy_rules::ruleset::{Compound, EndingResult, Play};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};

use crate::nimber::mex;
use crate::outcome::{Clause, Outcome, Undecided};

/// Values and outcomes of one game by exhaustive search, each computed once.
///
/// Time and space are those of all positions reachable from the ones asked about.
pub struct Oracle<'r> {
    ruleset: &'r Ruleset,
    values: HashMap<Component, u64>,
    outcomes: HashMap<Position, Outcome>,
}

/// Why Grundy values have no meaning for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValues {
    /// In misère play the value of a sum is no function of its parts' values.
    Misere,
    /// Components are not played one at a time.
    Compound,
    /// A component that ends stops the whole sum.
    Endings,
    /// Some rule takes several components at once.
    Joint,
    /// Play need not end, and the value is no nimber.
    Loopy,
    /// There is a value, but nobody knows it at this size.
    Unknown,
    /// The first move is bound to one component, which no value tells of.
    BoundMove,
}

/// Whether Grundy values decide this game, and if not, why.
pub fn has_values(ruleset: &Ruleset) -> Result<(), NoValues> {
    if ruleset.play == Play::Misere {
        Err(NoValues::Misere)
    } else {
        has_independent_components(ruleset)
    }
}

/// Whether the components of a sum are independent of each other, and if not, why: then in
/// normal play Grundy values decide the game.
pub fn has_independent_components(ruleset: &Ruleset) -> Result<(), NoValues> {
    if ruleset.compound != Compound::Disjunctive {
        Err(NoValues::Compound)
    } else if !ruleset.endings.is_empty() {
        Err(NoValues::Endings)
    } else if is_joint(ruleset) {
        Err(NoValues::Joint)
    } else {
        Ok(())
    }
}

/// The clause, if any, for which no solver exists.
pub fn unsolved_clause(ruleset: &Ruleset) -> Option<Clause> {
    if ruleset.moves.iter().any(|rule| rule.player.is_some()) {
        Some(Clause::Players)
    } else if !ruleset.chances.is_empty() {
        Some(Clause::Chance)
    } else {
        None
    }
}

impl<'r> Oracle<'r> {
    /// An oracle that knows nothing yet.
    pub fn new(ruleset: &'r Ruleset) -> Self {
        Self {
            ruleset,
            values: HashMap::new(),
            outcomes: HashMap::new(),
        }
    }

    /// Takes a value that was computed elsewhere.
    pub(crate) fn adopt(&mut self, component: Component, value: u64) {
        self.values.insert(component, value);
    }

    /// The Grundy value of a component, in normal play and as part of a disjunctive sum.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a component.
    pub fn grundy_value(
        &mut self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<u64, Undecided> {
        if let Some(clause) = unsolved_clause(self.ruleset) {
            return Err(Undecided::NotSolved(clause));
        }
        let ruleset = self.ruleset;
        let expand = |component: &Component, meter: &mut Meter| {
            let sums: Vec<_> = options(ruleset, component, meter)?
                .into_iter()
                .map(|option| option.result)
                .collect();
            let parts = sums.iter().flatten().cloned().collect();
            Ok((sums, parts))
        };
        let value = |sums: Vec<Vec<Component>>, known: &HashMap<Component, u64>| {
            mex(sums
                .iter()
                .map(|sum| sum.iter().fold(0, |value, part| value ^ known[part])))
        };
        evaluate(component, &mut self.values, expand, value, meter).map_err(|stop| match stop {
            Stop::Limit(limit) => Undecided::Limit(limit),
            Stop::Cycle(cycle) => {
                Undecided::Cycle(cycle.into_iter().map(|part| Position(vec![part])).collect())
            }
        })
    }

    /// The outcome of a whole position, by the positions that its moves lead to.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a position.
    pub fn outcome(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Outcome, Undecided> {
        if let Some(clause) = unsolved_clause(self.ruleset) {
            return Err(Undecided::NotSolved(clause));
        }
        let ruleset = self.ruleset;
        let expand = |position: &Position, meter: &mut Meter| {
            if let Some(result) = ended(ruleset, position, meter)? {
                return Ok((Ended(Some(result), Vec::new()), Vec::new()));
            }
            let all = moves(ruleset, position, meter)?;
            let next: Vec<_> = all.iter().map(|m| m.result(position)).collect();
            Ok((Ended(None, next.clone()), next))
        };
        let value = |node: Ended, known: &HashMap<Position, Outcome>| match node {
            Ended(Some(EndingResult::Lost), _) => Outcome::P,
            Ended(Some(EndingResult::Won), _) => Outcome::N,
            Ended(Some(EndingResult::Draw), _) => Outcome::Draw,
            Ended(None, next) if next.is_empty() => match ruleset.play {
                Play::Normal => Outcome::P,
                Play::Misere => Outcome::N,
            },
            Ended(None, next) => outcome_of_moves(next.iter().map(|position| known[position])),
        };
        let position = position.clone().sorted();
        evaluate(&position, &mut self.outcomes, expand, value, meter).map_err(|stop| match stop {
            Stop::Limit(limit) => Undecided::Limit(limit),
            Stop::Cycle(cycle) => Undecided::Cycle(cycle),
        })
    }
}

/// How a position ended, or what its moves lead to.
struct Ended(Option<EndingResult>, Vec<Position>);

/// The outcome of a position whose moves lead to positions with these outcomes.
pub fn outcome_of_moves(results: impl IntoIterator<Item = Outcome>) -> Outcome {
    // Best for the mover is to leave a lost position, worst to leave a won one.
    let best = results.into_iter().min_by_key(|result| match result {
        Outcome::P => 0,
        Outcome::Draw => 1,
        Outcome::N => 2,
    });
    match best {
        Some(Outcome::P) => Outcome::N,
        Some(Outcome::Draw) => Outcome::Draw,
        Some(Outcome::N) | None => Outcome::P,
    }
}

/// Why an evaluation stopped.
pub(crate) enum Stop<K> {
    Limit(Limit),
    Cycle(Vec<K>),
}

impl<K> From<Limit> for Stop<K> {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// One node whose parts are being evaluated.
struct Frame<K, N> {
    key: K,
    node: N,
    open: Vec<K>,
    bytes: u64,
}

/// The bytes that one evaluated node is counted as.
const NODE_BYTES: u64 = 128;
/// The bytes that one node still to be visited is counted as.
const OPEN_BYTES: u64 = 64;

/// Evaluates a node after all nodes it depends on, depth first with a stack of its own.
///
/// `expand` gives what a node is and which nodes it depends on; `value` its value when
/// theirs are known. What has been evaluated stays in `known`, also after a limit.
pub(crate) fn evaluate<K: Clone + Eq + Hash, N, V: Copy>(
    root: &K,
    known: &mut HashMap<K, V>,
    mut expand: impl FnMut(&K, &mut Meter) -> Result<(N, Vec<K>), Limit>,
    value: impl Fn(N, &HashMap<K, V>) -> V,
    meter: &mut Meter,
) -> Result<V, Stop<K>> {
    if let Some(value) = known.get(root) {
        return Ok(*value);
    }
    let mut visit = |key: K, meter: &mut Meter| {
        let (node, open) = expand(&key, meter)?;
        meter.allocate(NODE_BYTES + OPEN_BYTES * open.len() as u64)?;
        let bytes = OPEN_BYTES * open.len() as u64;
        Ok::<_, Limit>(Frame {
            key,
            node,
            open,
            bytes,
        })
    };
    let mut on_path: HashSet<K> = HashSet::from([root.clone()]);
    let mut path = vec![visit(root.clone(), meter)?];
    while let Some(frame) = path.last_mut() {
        if let Some(next) = frame.open.pop() {
            if known.contains_key(&next) {
                continue;
            }
            if !on_path.insert(next.clone()) {
                let start = path.iter().position(|frame| frame.key == next);
                let start = start.expect("every node on the path has a frame");
                return Err(Stop::Cycle(
                    path.drain(start..).map(|frame| frame.key).collect(),
                ));
            }
            path.push(visit(next, meter)?);
        } else {
            let frame = path.pop().expect("the loop saw it");
            on_path.remove(&frame.key);
            meter.release(frame.bytes);
            let value = value(frame.node, known);
            known.insert(frame.key, value);
        }
    }
    Ok(known[root])
}
