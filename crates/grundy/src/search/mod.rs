//! The compiled engine for single positions: exhaustive search over machine integers.
//!
//! It answers what [`crate::oracle`] answers, and is held against it. Components are
//! numbered as they are met, their options are found once and in machine integers, and sums are
//! sorted lists of such numbers. Numbers that do not fit, and clauses that are rare, are left
//! rule by rule to the exact definition.

mod compiled;
mod machine;
mod options;

use grundy_rules::moves::{is_joint, moves};
use grundy_rules::options::{ending, joint_options};
use grundy_rules::ruleset::{Compound, EndingResult, Play};
use grundy_rules::{Component, Item, Limit, Meter, Position, Ruleset};
use indexmap::IndexSet;
use num_traits::ToPrimitive;
use rustc_hash::FxBuildHasher;

use self::compiled::{Compiled, compile};
use self::machine::Machine;
use self::options::{Flat, Halt, add_options};
use crate::oracle::unsolved_clause;
use crate::outcome::{Outcome, Undecided};

/// The index of a component among those met.
type Id = u32;
/// A sum: indices of components, ascending.
type Sum = Box<[Id]>;

/// Values and outcomes of one game by exhaustive search, each computed once.
pub struct Search<'r> {
    ruleset: &'r Ruleset,
    /// The alternatives of each rule; `None` for rules left to the exact definition.
    compiled: Vec<Option<Vec<Compiled>>>,
    joint: bool,
    components: IndexSet<Flat, FxBuildHasher>,
    /// Indexed by component.
    values: Vec<State<u32>>,
    /// The options of components, and how play ends in them; indexed by component.
    known: Vec<Option<Known>>,
    sums: IndexSet<Sum, FxBuildHasher>,
    /// Indexed by sum.
    outcomes: Vec<State<Outcome>>,
}

/// How far the evaluation of a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State<V> {
    New,
    Open,
    Done(V),
}

/// What sums need to know about a component.
struct Known {
    ending: Option<EndingResult>,
    options: Box<[Sum]>,
}

/// Why a search stopped.
enum Stop {
    /// A position does not fit machine integers.
    TooLarge,
    Limit(Limit),
    /// The positions of a cycle.
    Cycle(Vec<Position>),
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl<'r> Search<'r> {
    /// A search that knows nothing yet.
    pub fn new(ruleset: &'r Ruleset) -> Self {
        Self {
            ruleset,
            compiled: (0..ruleset.moves.len())
                .map(|rule| compile(ruleset, rule))
                .collect(),
            joint: is_joint(ruleset),
            components: IndexSet::default(),
            values: Vec::new(),
            known: Vec::new(),
            sums: IndexSet::default(),
            outcomes: Vec::new(),
        }
    }

    /// The Grundy value of a component, in normal play and as part of a disjunctive sum; `None`
    /// where it does not fit machine integers and the oracle has to be asked.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a component.
    pub fn grundy_value(
        &mut self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<u64>, Undecided> {
        self.guarded(|search| {
            let id = search.component(flat(component).ok_or(Stop::TooLarge)?, meter)?;
            search.evaluate_value(id, meter)
        })
        .map(|value| value.map(u64::from))
    }

    /// The outcome of a whole position; `None` where it does not fit machine integers and the
    /// oracle has to be asked.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a position.
    pub fn outcome(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, Undecided> {
        self.guarded(|search| {
            let sum = search.sum_of(position, meter)?;
            search.evaluate_outcome(sum, meter)
        })
    }

    fn guarded<T>(
        &mut self,
        search: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<Option<T>, Undecided> {
        if let Some(clause) = unsolved_clause(self.ruleset) {
            return Err(Undecided::NotSolved(clause));
        }
        let result = search(self);
        if result.is_err() {
            // What was being evaluated when the search stopped is open no longer.
            reopen(&mut self.values);
            reopen(&mut self.outcomes);
        }
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::TooLarge) => Ok(None),
            Err(Stop::Limit(limit)) => Err(Undecided::Limit(limit)),
            Err(Stop::Cycle(cycle)) => Err(Undecided::Cycle(cycle)),
        }
    }

    /// The number of a component.
    fn component(&mut self, flat: Flat, meter: &mut Meter) -> Result<Id, Stop> {
        let bytes = 48 + 8 * flat.len() as u64;
        let (index, is_new) = self.components.insert_full(flat);
        if is_new {
            self.values.push(State::New);
            self.known.push(None);
            meter.allocate(bytes)?;
        }
        Id::try_from(index).map_err(|_| Stop::Limit(Limit::Bytes))
    }

    fn sum(&mut self, mut parts: Vec<Id>, meter: &mut Meter) -> Result<usize, Stop> {
        parts.sort_unstable();
        let bytes = 48 + 4 * parts.len() as u64;
        let (index, is_new) = self.sums.insert_full(parts.into_boxed_slice());
        if is_new {
            self.outcomes.push(State::New);
            meter.allocate(bytes)?;
        }
        Ok(index)
    }

    fn sum_of(&mut self, position: &Position, meter: &mut Meter) -> Result<usize, Stop> {
        let mut parts = Vec::with_capacity(position.0.len());
        for component in &position.0 {
            let id = self.component(flat(component).ok_or(Stop::TooLarge)?, meter)?;
            if self.matters(id, meter)? {
                parts.push(id);
            }
        }
        self.sum(parts, meter)
    }

    /// Whether a component makes a difference to a sum: one without moves does not, where the
    /// others are played as if it were not there.
    fn matters(&mut self, id: Id, meter: &mut Meter) -> Result<bool, Stop> {
        if self.joint || self.ruleset.compound == Compound::Conjunctive {
            return Ok(true);
        }
        let known = self.known(id, meter)?;
        Ok(known.ending.is_some() || !known.options.is_empty())
    }

    /// The options of a component, as sums without repetition.
    fn options(&mut self, id: Id, meter: &mut Meter) -> Result<Vec<Sum>, Stop> {
        let component = self.components[id as usize].clone();
        let mut results = Vec::new();
        for rule in 0..self.compiled.len() {
            if self.ruleset.moves[rule].patterns.len() > 1 {
                continue;
            }
            let from = results.len();
            match self.compiled_options(rule, &component, meter, &mut results) {
                Ok(()) => {}
                Err(Halt::Limit(limit)) => return Err(limit.into()),
                Err(Halt::Exact) => {
                    results.truncate(from);
                    let exact = exact(&component);
                    for option in joint_options(self.ruleset, rule, &[&exact], meter)? {
                        let flats: Option<Vec<Flat>> = option.result.iter().map(flat).collect();
                        results.push(flats.ok_or(Stop::TooLarge)?);
                    }
                }
            }
        }
        let mut sums = Vec::with_capacity(results.len());
        for result in results {
            let mut parts = Vec::with_capacity(result.len());
            for part in result {
                parts.push(self.component(part, meter)?);
            }
            parts.sort_unstable();
            sums.push(parts.into_boxed_slice());
        }
        sums.sort_unstable();
        sums.dedup();
        Ok(sums)
    }

    fn compiled_options(
        &self,
        rule: usize,
        component: &Flat,
        meter: &mut Meter,
        results: &mut Vec<Vec<Flat>>,
    ) -> Result<(), Halt> {
        let alternatives = self.compiled[rule].as_ref().ok_or(Halt::Exact)?;
        for alternative in alternatives {
            add_options(self.ruleset, alternative, component, meter, results)?;
        }
        Ok(())
    }

    fn known(&mut self, id: Id, meter: &mut Meter) -> Result<&Known, Stop> {
        let index = id as usize;
        if self.known[index].is_none() {
            let ending = if self.ruleset.endings.is_empty() {
                None
            } else {
                ending(self.ruleset, &exact(&self.components[index]), meter)?
            };
            let options = if self.joint {
                Vec::new()
            } else {
                self.options(id, meter)?
            };
            let bytes: usize = options.iter().map(|sum| 16 + 4 * sum.len()).sum();
            meter.allocate(bytes as u64)?;
            self.known[index] = Some(Known {
                ending,
                options: options.into_boxed_slice(),
            });
        }
        Ok(self.known[index].as_ref().expect("it was just found"))
    }

    fn evaluate_value(&mut self, root: Id, meter: &mut Meter) -> Result<u32, Stop> {
        struct Frame {
            id: Id,
            options: Vec<Sum>,
            /// All options before this one have known values.
            next: usize,
        }
        if let State::Done(value) = self.values[root as usize] {
            return Ok(value);
        }
        let options = self.options(root, meter)?;
        self.values[root as usize] = State::Open;
        let mut path = vec![Frame {
            id: root,
            options,
            next: 0,
        }];
        let mut seen = Vec::new();
        'path: while let Some(frame) = path.last_mut() {
            while let Some(option) = frame.options.get(frame.next) {
                let is_done = |part: &&Id| matches!(self.values[**part as usize], State::Done(_));
                let Some(part) = option.iter().find(|part| !is_done(part)).copied() else {
                    frame.next += 1;
                    continue;
                };
                if self.values[part as usize] == State::Open {
                    let start = path.iter().position(|frame| frame.id == part);
                    let cycle = path[start.expect("it is open")..].iter();
                    let single = |frame: &Frame| Position(vec![self.exact_component(frame.id)]);
                    return Err(Stop::Cycle(cycle.map(single).collect()));
                }
                let options = self.options(part, meter)?;
                meter.allocate(held(&options))?;
                self.values[part as usize] = State::Open;
                path.push(Frame {
                    id: part,
                    options,
                    next: 0,
                });
                continue 'path;
            }
            let frame = path.pop().expect("the loop saw it");
            meter.release(held(&frame.options));
            let value = self.mex(&frame.options, &mut seen);
            self.values[frame.id as usize] = State::Done(value);
        }
        match self.values[root as usize] {
            State::Done(value) => Ok(value),
            State::New | State::Open => unreachable!("the path ends when its root is done"),
        }
    }

    /// The least natural that no option has; all options' values are known.
    fn mex(&self, options: &[Sum], seen: &mut Vec<bool>) -> u32 {
        seen.clear();
        seen.resize(options.len() + 1, false);
        for option in options {
            let value = option
                .iter()
                .fold(0, |sum, part| match self.values[*part as usize] {
                    State::Done(value) => sum ^ value,
                    State::New | State::Open => unreachable!("parts are evaluated first"),
                });
            if let Some(seen) = seen.get_mut(value as usize) {
                *seen = true;
            }
        }
        let mex = seen
            .iter()
            .position(|seen| !seen)
            .expect("there are more places than options");
        u32::try_from(mex).expect("options are counted by 32 bits")
    }

    fn evaluate_outcome(&mut self, root: usize, meter: &mut Meter) -> Result<Outcome, Stop> {
        struct Frame {
            sum: usize,
            next: Vec<usize>,
            /// The best that the moves looked at so far lead to.
            best: Outcome,
            bytes: u64,
        }
        let mut path: Vec<Frame> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(sum) = enter.take()
                && self.outcomes[sum] == State::New
            {
                if let Some(outcome) = self.ended(sum, meter)? {
                    self.outcomes[sum] = State::Done(outcome);
                } else {
                    let next = self.next(sum, meter)?;
                    let best = if next.is_empty() && self.ruleset.play == Play::Misere {
                        Outcome::N
                    } else {
                        Outcome::P
                    };
                    let bytes = 8 * next.len() as u64;
                    meter.allocate(bytes)?;
                    self.outcomes[sum] = State::Open;
                    path.push(Frame {
                        sum,
                        next,
                        best,
                        bytes,
                    });
                }
            }
            let Some(frame) = path.last_mut() else { break };
            let Some(next) = frame
                .next
                .last()
                .copied()
                .filter(|_| frame.best != Outcome::N)
            else {
                self.outcomes[frame.sum] = State::Done(frame.best);
                meter.release(frame.bytes);
                path.pop();
                continue;
            };
            match self.outcomes[next] {
                State::Done(outcome) => {
                    frame.next.pop();
                    match outcome {
                        Outcome::P => frame.best = Outcome::N,
                        Outcome::Draw => frame.best = Outcome::Draw,
                        Outcome::N => {}
                    }
                }
                State::Open => {
                    let start = path.iter().position(|frame| frame.sum == next);
                    let cycle = path[start.expect("it is open")..].iter();
                    return Err(Stop::Cycle(cycle.map(|f| self.position(f.sum)).collect()));
                }
                State::New => enter = Some(next),
            }
        }
        match self.outcomes[root] {
            State::Done(outcome) => Ok(outcome),
            State::New | State::Open => unreachable!("the path ends when its root is done"),
        }
    }

    /// The outcome of a sum in which an ending has stopped play: the first in the order of
    /// components counts.
    fn ended(&mut self, sum: usize, meter: &mut Meter) -> Result<Option<Outcome>, Stop> {
        if self.ruleset.endings.is_empty() {
            return Ok(None);
        }
        let mut ended: Vec<(Component, EndingResult)> = Vec::new();
        for part in self.sums[sum].clone() {
            if let Some(result) = self.known(part, meter)?.ending {
                ended.push((self.exact_component(part), result));
            }
        }
        let first = ended.into_iter().min_by(|a, b| a.0.cmp(&b.0));
        Ok(first.map(|(_, result)| match result {
            EndingResult::Lost => Outcome::P,
            EndingResult::Won => Outcome::N,
            EndingResult::Draw => Outcome::Draw,
        }))
    }

    /// The sums that the moves of a sum in which play goes on lead to.
    fn next(&mut self, sum: usize, meter: &mut Meter) -> Result<Vec<usize>, Stop> {
        let parts = self.sums[sum].clone();
        let mut sums = Vec::new();
        if self.joint {
            let position = self.position(sum);
            for next in moves(self.ruleset, &position, meter)? {
                sums.push(self.sum_of(&next.result(&position), meter)?);
            }
        } else {
            for moving in self.moving_sets(&parts, meter)? {
                self.add_products(&parts, &moving, &mut sums, meter)?;
            }
        }
        sums.sort_unstable();
        sums.dedup();
        Ok(sums)
    }

    /// The sets of places that one move can change.
    fn moving_sets(&mut self, parts: &[Id], meter: &mut Meter) -> Result<Vec<Vec<usize>>, Stop> {
        let mut movable = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            if !self.known(*part, meter)?.options.is_empty() {
                movable.push(place);
            }
        }
        Ok(match &self.ruleset.compound {
            // Equal components have the same options.
            Compound::Disjunctive => movable
                .into_iter()
                .filter(|place| *place == 0 || parts[*place - 1] != parts[*place])
                .map(|place| vec![place])
                .collect(),
            Compound::Conjunctive if movable.len() < parts.len() => Vec::new(),
            Compound::Conjunctive | Compound::ConjunctiveContinued if movable.is_empty() => {
                Vec::new()
            }
            Compound::Conjunctive | Compound::ConjunctiveContinued => vec![movable],
            Compound::Selective { at_most, scope } => {
                let most = match at_most {
                    None => movable.len(),
                    Some(bound) => {
                        let machine = Machine::new(self.ruleset, scope, &[]);
                        let bound = machine.and_then(|machine| machine.number(bound));
                        bound.map_or(0, |bound| usize::try_from(bound).unwrap_or(0))
                    }
                };
                let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
                for place in movable {
                    for index in 0..sets.len() {
                        if sets[index].len() < most {
                            meter.spend(1)?;
                            let mut larger = sets[index].clone();
                            larger.push(place);
                            sets.push(larger);
                        }
                    }
                }
                sets.remove(0);
                sets
            }
        })
    }

    /// Adds the sums after one move in each of these places at once.
    fn add_products(
        &mut self,
        parts: &[Id],
        moving: &[usize],
        sums: &mut Vec<usize>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let kept = (0..parts.len()).filter(|place| !moving.contains(place));
        let mut results: Vec<Vec<Id>> = vec![kept.map(|place| parts[place]).collect()];
        for place in moving {
            let options = self.known(parts[*place], meter)?.options.to_vec();
            meter.spend(options.len() as u64)?;
            let mut next = Vec::with_capacity(results.len() * options.len());
            for option in &options {
                let mut added = Vec::with_capacity(option.len());
                for part in option {
                    if self.matters(*part, meter)? {
                        added.push(*part);
                    }
                }
                for result in &results {
                    meter.spend(1)?;
                    next.push([result.as_slice(), &added].concat());
                }
            }
            results = next;
        }
        for result in results {
            sums.push(self.sum(result, meter)?);
        }
        Ok(())
    }

    fn exact_component(&self, id: Id) -> Component {
        exact(&self.components[id as usize])
    }

    fn position(&self, sum: usize) -> Position {
        Position(
            self.sums[sum]
                .iter()
                .map(|part| self.exact_component(*part))
                .collect(),
        )
        .sorted()
    }
}

fn reopen<V>(states: &mut [State<V>]) {
    for state in states
        .iter_mut()
        .filter(|state| matches!(state, State::Open))
    {
        *state = State::New;
    }
}

/// The bytes that a list of options holds.
fn held(options: &[Sum]) -> u64 {
    options.iter().map(|sum| 16 + 4 * sum.len() as u64).sum()
}

/// A component in machine integers; `None` if it does not fit.
fn flat(component: &Component) -> Option<Flat> {
    let numbers = component.0.iter().map(|item| match item {
        // Half of the machine's range, so that sums of a few do not overflow at once.
        Item::Number(n) => n.to_i64().filter(|n| *n < i64::MAX / 2),
        Item::List(_) => None,
    });
    numbers.collect()
}

/// A component of machine integers as the exact definition writes it.
fn exact(flat: &[i64]) -> Component {
    Component::of_numbers(flat.iter().map(|n| n.unsigned_abs()))
}
