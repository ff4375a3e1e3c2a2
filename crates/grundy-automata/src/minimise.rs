//! Minimisation: the smallest automaton of a language, numbered in one way.

use rustc_hash::FxHashMap;

use crate::alphabet::Letter;
use crate::automaton::{Automaton, State, index};
use crate::error::Error;
use crate::meter::Meter;

impl Automaton {
    /// The smallest automaton of the same language.
    ///
    /// Partition refinement from Hopcroft (1971), *An n log n algorithm for minimizing states in a finite
    /// automaton*: of the two halves of a block that split, only the smaller need split others again. Letters that
    /// act alike are one letter while it runs. The states of the result are
    /// numbered breadth first, so that equal languages give equal automata.
    pub fn minimise(&self, meter: &mut Meter) -> Result<Self, Error> {
        meter.spend(self.table().len() as u64)?;
        let reached = self.reachable();
        let mut number = vec![u32::MAX; self.states()];
        for (new, &state) in reached.iter().enumerate() {
            number[state as usize] = index(new);
        }
        // The successors, one column for each class of letters that act alike.
        let columns: Vec<Vec<State>> = self
            .letter_classes(&reached)
            .0
            .into_iter()
            .map(|letter| {
                let targets = reached.iter().map(|&state| self.next(state, letter));
                targets.map(|target| number[target as usize]).collect()
            })
            .collect();
        let accepting: Vec<bool> = reached
            .iter()
            .map(|&state| self.is_accepting(state))
            .collect();
        let block = Partition::stable(&accepting, &columns, meter)?;
        Ok(self.quotient(&reached, &number, &block))
    }

    /// The ways in which letters act on these states: one letter for each, and for each letter which way is its.
    ///
    /// With several tracks most letters act like another one.
    pub(crate) fn letter_classes(&self, states: &[State]) -> (Vec<Letter>, Vec<u32>) {
        let letters = self.alphabet().letters();
        let mut hashes = vec![0u64; letters];
        for &state in states {
            for (hash, &target) in hashes.iter_mut().zip(self.row(state)) {
                *hash =
                    (hash.rotate_left(5) ^ u64::from(target)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
        }
        let same = |a: Letter, b: Letter| {
            let mut states = states.iter();
            states.all(|&state| self.next(state, a) == self.next(state, b))
        };
        let mut classes: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut distinct: Vec<Letter> = Vec::new();
        let class_of = hashes
            .iter()
            .zip(0..)
            .map(|(&hash, letter)| {
                let alike = classes.entry(hash).or_default();
                let mut found = alike.iter().copied();
                found
                    .find(|&class| same(distinct[class as usize], letter))
                    .unwrap_or_else(|| {
                        distinct.push(letter);
                        let class = index(distinct.len() - 1);
                        alike.push(class);
                        class
                    })
            })
            .collect();
        (distinct, class_of)
    }

    /// The automaton of the blocks, where state `reached[i]` is in block `block[i]`.
    fn quotient(&self, reached: &[State], number: &[u32], block: &[u32]) -> Self {
        let mut named = vec![u32::MAX; block.len()];
        // One state of each block, in the order in which blocks are met.
        let mut members = vec![0];
        named[block[0] as usize] = 0;
        let mut table = Vec::new();
        let mut accepting = Vec::new();
        while let Some(&member) = members.get(accepting.len()) {
            accepting.push(self.is_accepting(reached[member]));
            for &target in self.row(reached[member]) {
                let target = number[target as usize] as usize;
                let name = &mut named[block[target] as usize];
                if *name == u32::MAX {
                    *name = index(members.len());
                    members.push(target);
                }
                table.push(*name);
            }
        }
        Self::new(self.alphabet().clone(), table, accepting)
            .expect("each block has a row of named blocks")
    }
}

/// A partition of states into blocks, each a range of `elements`.
struct Partition {
    elements: Vec<u32>,
    /// Where a state stands in `elements`.
    place: Vec<u32>,
    block: Vec<u32>,
    start: Vec<u32>,
    end: Vec<u32>,
    /// How many states at the start of a block are marked.
    marked: Vec<u32>,
}

impl Partition {
    /// The block of each state in the coarsest partition that keeps acceptance and in which the states of a block go,
    /// by each column, into the same block.
    fn stable(
        accepting: &[bool],
        columns: &[Vec<State>],
        meter: &mut Meter,
    ) -> Result<Vec<u32>, Error> {
        let states = accepting.len();
        let mut partition = Self::new(accepting);
        let inverses: Vec<Inverse> = columns.iter().map(|column| Inverse::new(column)).collect();
        meter.spend((states * columns.len()) as u64)?;
        // Every block but one must split the others once.
        let mut waiting: Vec<u32> = (1..index(partition.start.len())).collect();
        let mut is_waiting = vec![false; states + 1];
        for &block in &waiting {
            is_waiting[block as usize] = true;
        }
        let mut splitter = Vec::new();
        let mut touched = Vec::new();
        while let Some(block) = waiting.pop() {
            is_waiting[block as usize] = false;
            splitter.clear();
            splitter.extend_from_slice(partition.elements(block));
            for inverse in &inverses {
                let mut seen = splitter.len() as u64;
                for &target in &splitter {
                    let sources = inverse.of(target);
                    seen += sources.len() as u64;
                    for &source in sources {
                        partition.mark(source, &mut touched);
                    }
                }
                meter.spend(seen)?;
                for old in touched.drain(..) {
                    if let Some(new) = partition.split(old) {
                        let smaller = if is_waiting[old as usize]
                            || partition.elements(new).len() <= partition.elements(old).len()
                        {
                            new
                        } else {
                            old
                        };
                        is_waiting[smaller as usize] = true;
                        waiting.push(smaller);
                    }
                }
            }
        }
        Ok(partition.block)
    }

    /// The accepting states and the others.
    fn new(accepting: &[bool]) -> Self {
        let states = index(accepting.len());
        let of = |kind: bool| (0..states).filter(move |&state| accepting[state as usize] == kind);
        let elements: Vec<u32> = of(true).chain(of(false)).collect();
        let mut place = vec![0; elements.len()];
        for (at, &state) in elements.iter().enumerate() {
            place[state as usize] = index(at);
        }
        let first = index(of(true).count());
        let both = first > 0 && first < states;
        Self {
            block: accepting
                .iter()
                .map(|&kind| u32::from(both && !kind))
                .collect(),
            elements,
            place,
            start: if both { vec![0, first] } else { vec![0] },
            end: if both {
                vec![first, states]
            } else {
                vec![states]
            },
            marked: vec![0; if both { 2 } else { 1 }],
        }
    }

    fn elements(&self, block: u32) -> &[u32] {
        let block = block as usize;
        &self.elements[self.start[block] as usize..self.end[block] as usize]
    }

    /// Moves a state to the marked part of its block; a block is touched by its first mark.
    fn mark(&mut self, state: u32, touched: &mut Vec<u32>) {
        let block = self.block[state as usize];
        let at = self.place[state as usize];
        let boundary = self.start[block as usize] + self.marked[block as usize];
        if at < boundary {
            return;
        }
        if self.marked[block as usize] == 0 {
            touched.push(block);
        }
        let other = self.elements[boundary as usize];
        self.elements.swap(at as usize, boundary as usize);
        self.place[state as usize] = boundary;
        self.place[other as usize] = at;
        self.marked[block as usize] += 1;
    }

    /// Makes the marked part of a block a block of its own, unless all are marked.
    fn split(&mut self, old: u32) -> Option<u32> {
        let at = old as usize;
        let boundary = self.start[at] + self.marked[at];
        self.marked[at] = 0;
        if boundary == self.end[at] {
            return None;
        }
        let new = index(self.start.len());
        self.start.push(self.start[at]);
        self.end.push(boundary);
        self.marked.push(0);
        self.start[at] = boundary;
        for place in self.start[new as usize]..boundary {
            self.block[self.elements[place as usize] as usize] = new;
        }
        Some(new)
    }
}

/// Which states a letter leads to a state.
pub(crate) struct Inverse {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Inverse {
    pub(crate) fn new(column: &[State]) -> Self {
        let mut offsets = vec![0; column.len() + 1];
        for &target in column {
            offsets[target as usize + 1] += 1;
        }
        for at in 0..column.len() {
            offsets[at + 1] += offsets[at];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![0; column.len()];
        for (source, &target) in column.iter().enumerate() {
            let at = &mut fill[target as usize];
            sources[*at as usize] = index(source);
            *at += 1;
        }
        Self { offsets, sources }
    }

    pub(crate) fn of(&self, target: u32) -> &[u32] {
        let target = target as usize;
        &self.sources[self.offsets[target] as usize..self.offsets[target + 1] as usize]
    }
}
