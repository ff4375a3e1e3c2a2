//! Subset constructions: determinisation, projection and reversal.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::alphabet::{Alphabet, Letter};
use crate::automaton::{Automaton, State, index};
use crate::error::Error;
use crate::meter::Meter;
use crate::minimise::Inverse;

/// Which end of a word stands for zeros that may be added or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DigitOrder {
    /// Most significant digit first: zeros may lead.
    Msd,
    /// Least significant digit first: zeros may trail.
    Lsd,
}

impl DigitOrder {
    /// The other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Msd => Self::Lsd,
            Self::Lsd => Self::Msd,
        }
    }
}

/// A nondeterministic automaton, by its edges.
pub(crate) struct Nfa {
    pub alphabet: Alphabet,
    pub starts: Vec<State>,
    pub accepting: Vec<bool>,
    pub edges: Vec<(State, Letter, State)>,
}

impl Nfa {
    /// The nondeterministic automaton of the reversed words.
    pub fn reversed(self) -> Self {
        let mut accepting = vec![false; self.accepting.len()];
        for &state in &self.starts {
            accepting[state as usize] = true;
        }
        let edges = self.edges.into_iter();
        Self {
            starts: states_where(&self.accepting),
            accepting,
            edges: edges.map(|(from, letter, to)| (to, letter, from)).collect(),
            alphabet: self.alphabet,
        }
    }

    /// The deterministic automaton of the same words, not minimised.
    pub fn determinise(&self, meter: &mut Meter) -> Result<Automaton, Error> {
        let states = self.accepting.len();
        let letters = self.alphabet.letters();
        let useful = self.useful();
        // The targets of state `s` by letter `l`, between the offsets of that slot and the next.
        let slot = |state: State, letter: Letter| state as usize * letters + letter as usize;
        let cells = states.saturating_mul(letters);
        meter.admit(1, cells)?;
        meter.spend(cells as u64 + self.edges.len() as u64)?;
        let mut offsets = vec![0usize; cells + 1];
        let kept = |&&(_, _, to): &&(State, Letter, State)| useful[to as usize];
        for &(from, letter, _) in self.edges.iter().filter(kept) {
            offsets[slot(from, letter) + 1] += 1;
        }
        for at in 0..cells {
            offsets[at + 1] += offsets[at];
        }
        let mut fill = offsets.clone();
        let mut targets = vec![0; offsets[cells]];
        for &(from, letter, to) in self.edges.iter().filter(kept) {
            let at = &mut fill[slot(from, letter)];
            targets[*at] = to;
            *at += 1;
        }
        let mut starts = self.starts.clone();
        starts.retain(|&state| useful[state as usize]);
        subsets(
            &self.alphabet,
            None,
            &starts,
            |state, letter, next| {
                let at = slot(state, letter);
                for &target in &targets[offsets[at]..offsets[at + 1]] {
                    next.push(target);
                }
            },
            &self.accepting,
            meter,
        )
    }

    /// The states from which an accepting one can be reached: the others only swell subsets.
    fn useful(&self) -> Vec<bool> {
        let back = Predecessors::new(
            self.accepting.len(),
            self.edges.iter().map(|&(from, _, to)| (from, to)),
        );
        back.closure(&self.accepting)
    }
}

/// Who leads to whom, without letters.
struct Predecessors {
    offsets: Vec<usize>,
    sources: Vec<State>,
}

impl Predecessors {
    fn new(states: usize, edges: impl Iterator<Item = (State, State)> + Clone) -> Self {
        let mut offsets = vec![0; states + 1];
        for (_, to) in edges.clone() {
            offsets[to as usize + 1] += 1;
        }
        for at in 0..states {
            offsets[at + 1] += offsets[at];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![0; offsets[states]];
        for (from, to) in edges {
            sources[fill[to as usize]] = from;
            fill[to as usize] += 1;
        }
        Self { offsets, sources }
    }

    /// The states that lead to a marked one, and the marked ones.
    fn closure(&self, marked: &[bool]) -> Vec<bool> {
        let mut closed = marked.to_vec();
        let mut queue = states_where(marked);
        while let Some(state) = queue.pop() {
            let state = state as usize;
            for &source in &self.sources[self.offsets[state]..self.offsets[state + 1]] {
                if !closed[source as usize] {
                    closed[source as usize] = true;
                    queue.push(source);
                }
            }
        }
        closed
    }
}

fn states_where(marked: &[bool]) -> Vec<State> {
    (0..marked.len())
        .filter(|&state| marked[state])
        .map(index)
        .collect()
}

/// A set of states as it is gathered, without searching it.
struct Gathered {
    /// When a state was last put in.
    stamps: Vec<u64>,
    stamp: u64,
    states: Vec<State>,
    /// How often a state was put in, new or not.
    pushed: u64,
}

impl Gathered {
    fn clear(&mut self) {
        self.stamp += 1;
        self.states.clear();
        self.pushed = 0;
    }

    fn push(&mut self, state: State) {
        self.pushed += 1;
        let stamp = &mut self.stamps[state as usize];
        if *stamp != self.stamp {
            *stamp = self.stamp;
            self.states.push(state);
        }
    }
}

/// The subset construction: a state for each set of states that a word can lead to.
///
/// From the state `all`, if there is one, every word is accepted: a set that holds it is as good as it alone.
fn subsets(
    alphabet: &Alphabet,
    all: Option<State>,
    starts: &[State],
    step: impl Fn(State, Letter, &mut Gathered),
    accepting: &[bool],
    meter: &mut Meter,
) -> Result<Automaton, Error> {
    let letters = alphabet.letters();
    let mut next = Gathered {
        stamps: vec![0; accepting.len()],
        stamp: 0,
        states: Vec::new(),
        pushed: 0,
    };
    let mut sets: IndexSet<Box<[State]>, FxBuildHasher> = IndexSet::default();
    let number = |sets: &mut IndexSet<Box<[State]>, FxBuildHasher>, set: &mut Vec<State>| {
        if let Some(all) = all
            && set.contains(&all)
        {
            set.clear();
            set.push(all);
        }
        set.sort_unstable();
        match sets.get_index_of(&**set) {
            Some(number) => index(number),
            None => index(sets.insert_full(set.as_slice().into()).0),
        }
    };
    next.clear();
    starts.iter().for_each(|&state| next.push(state));
    number(&mut sets, &mut next.states);
    let mut table = Vec::new();
    let mut accepts = Vec::new();
    let mut members = 0;
    while let Some(set) = sets.get_index(accepts.len()) {
        let set = set.clone();
        members += set.len();
        meter.admit(1, members)?;
        accepts.push(set.iter().any(|&state| accepting[state as usize]));
        for letter in 0..letters {
            next.clear();
            for &state in &*set {
                step(state, index(letter), &mut next);
            }
            meter.spend(next.pushed + 1)?;
            table.push(number(&mut sets, &mut next.states));
        }
        meter.admit(sets.len(), letters)?;
    }
    Ok(Automaton::new(alphabet.clone(), table, accepts)
        .expect("each set has a row of numbered sets"))
}

impl Automaton {
    /// The words that some digits on the tracks not in `keep` complete to an accepted word, with zero closure:
    /// the digits may need more places than the word has.
    ///
    /// This is the existential quantifier, where adding zeros at the end that `order` names does not change whether a
    /// word is accepted. Track `i` of the result is track `keep[i]`. Not minimised.
    pub fn project(
        &self,
        keep: &[usize],
        order: DigitOrder,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let alphabet = self.alphabet().select(keep)?;
        // The letters of this automaton that show a given letter on the kept tracks, one of those that act alike.
        meter.spend(self.table().len() as u64)?;
        let (distinct, class_of) = self.letter_classes();
        let mut shown = vec![Vec::new(); alphabet.letters()];
        for (view, &class) in self.alphabet().views(keep).into_iter().zip(&class_of) {
            shown[view as usize].push(distinct[class as usize] as usize);
        }
        // And one of those kept letters that are shown by the same ones.
        let mut kinds: IndexSet<Vec<usize>, FxBuildHasher> = IndexSet::default();
        let kind_of: Vec<u32> = shown
            .into_iter()
            .map(|mut letters| {
                letters.sort_unstable();
                letters.dedup();
                index(kinds.insert_full(letters).0)
            })
            .collect();
        let by_kind = Alphabet::new(vec![index(kinds.len())])?;
        let zero = &kinds[0];
        // A state that accepts nothing can be left out of a set; one that accepts everything is the set.
        let sinks = self.sinks();
        let all = sinks.iter().position(|&sink| sink == Some(true));
        let accepting = match order {
            DigitOrder::Msd => self.accepting().to_vec(),
            DigitOrder::Lsd => {
                let edges = (0..self.states()).flat_map(|state| {
                    let row = self.row(index(state));
                    zero.iter().map(move |&letter| (index(state), row[letter]))
                });
                meter.spend((self.states() * zero.len()) as u64)?;
                Predecessors::new(self.states(), edges).closure(self.accepting())
            }
        };
        let mut starts = vec![0];
        if order == DigitOrder::Msd {
            let mut seen = vec![false; self.states()];
            seen[0] = true;
            let mut at = 0;
            while at < starts.len() {
                let row = self.row(starts[at]);
                for &letter in zero {
                    let target = row[letter];
                    if !seen[target as usize] {
                        seen[target as usize] = true;
                        starts.push(target);
                    }
                }
                at += 1;
            }
        }
        starts.retain(|&state| sinks[state as usize] != Some(false));
        let projected = subsets(
            &by_kind,
            all.map(index),
            &starts,
            |state, letter, next| {
                let row = self.row(state);
                for &full in &kinds[letter as usize] {
                    let target = row[full];
                    if sinks[target as usize] != Some(false) {
                        next.push(target);
                    }
                }
            },
            &accepting,
            meter,
        )?;
        projected.expanded(&alphabet, &kind_of, meter)
    }

    /// The automaton of the reversed words, not minimised.
    ///
    /// May be exponentially larger: what is small from one end need not be from the other.
    pub fn reverse(&self, meter: &mut Meter) -> Result<Self, Error> {
        meter.spend(self.table().len() as u64)?;
        // States that no word reaches would only swell the sets.
        let mut reached = vec![false; self.states()];
        for state in self.reachable() {
            reached[state as usize] = true;
        }
        let inverses: Vec<Inverse> = (0..index(self.alphabet().letters()))
            .map(|letter| {
                let column = (0..index(self.states())).map(|state| self.next(state, letter));
                Inverse::new(&column.collect::<Vec<State>>())
            })
            .collect();
        let mut starts = states_where(self.accepting());
        starts.retain(|&state| reached[state as usize]);
        let accepting: Vec<bool> = (0..self.states()).map(|state| state == 0).collect();
        subsets(
            self.alphabet(),
            None,
            &starts,
            |state, letter, next| {
                for &source in inverses[letter as usize].of(state) {
                    if reached[source as usize] {
                        next.push(source);
                    }
                }
            },
            &accepting,
            meter,
        )
    }
}
