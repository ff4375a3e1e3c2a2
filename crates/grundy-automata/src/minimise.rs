//! Minimisation: the smallest automaton of a language, numbered in one way.

use rustc_hash::FxHashMap;

use crate::alphabet::Letter;
use crate::automaton::{Automaton, State, index};
use crate::error::Error;
use crate::meter::Meter;

impl Automaton {
    /// The smallest automaton of the same language.
    ///
    /// Blocks of states are split until those that are together cannot be told apart: a few rounds of Moore (1956), which
    /// mostly suffice, and then Hopcroft (1971), *An n log n algorithm for minimizing states in a finite automaton*: of
    /// the two halves of a block that splits, only the smaller need split others again. Letters that act alike are
    /// one letter meanwhile. The states of the result are numbered breadth first, so that equal languages give equal
    /// automata.
    pub fn minimise(&self, meter: &mut Meter) -> Result<Self, Error> {
        meter.spend(self.table().len() as u64)?;
        let reached = self.reachable();
        let mut number = vec![u32::MAX; self.states()];
        for (new, &state) in reached.iter().enumerate() {
            number[state as usize] = index(new);
        }
        // The successors, one column for each class of letters that act alike.
        let (distinct, _) = self.letter_classes();
        let mut columns = vec![Vec::with_capacity(reached.len()); distinct.len()];
        for &state in &reached {
            let row = self.row(state);
            for (column, &letter) in columns.iter_mut().zip(&distinct) {
                column.push(number[row[letter as usize] as usize]);
            }
        }
        let accepting: Vec<bool> = reached
            .iter()
            .map(|&state| self.is_accepting(state))
            .collect();
        let (mut blocks, stable) = refined(&kinds(&accepting), &columns, ROUNDS, meter)?;
        if !stable {
            blocks = Partition::new(blocks).stable(&columns, meter)?;
        }
        Ok(self.quotient(&reached, &number, &blocks))
    }

    /// The ways in which letters act: one letter for each, and for each letter which way is its.
    ///
    /// With several tracks most letters act like another one. Hashes find which, and are then held against the rows.
    pub(crate) fn letter_classes(&self) -> (Vec<Letter>, Vec<u32>) {
        let letters = self.alphabet().letters();
        let mut hashes = vec![0u64; letters];
        for row in self.table().chunks_exact(letters) {
            for (hash, &target) in hashes.iter_mut().zip(row) {
                *hash = mixed(*hash, target);
            }
        }
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut distinct: Vec<Letter> = Vec::new();
        let class_of: Vec<u32> = hashes
            .iter()
            .zip(0..)
            .map(|(&hash, letter)| {
                *numbers.entry(hash).or_insert_with(|| {
                    distinct.push(letter);
                    index(distinct.len() - 1)
                })
            })
            .collect();
        let alike = self.table().chunks_exact(letters).all(|row| {
            let mut all = row.iter().zip(&class_of);
            all.all(|(&target, &class)| target == row[distinct[class as usize] as usize])
        });
        if alike {
            (distinct, class_of)
        } else {
            // Two letters have one hash and act differently: each letter is taken for itself.
            let all: Vec<u32> = (0..index(letters)).collect();
            (all.clone(), all)
        }
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
    /// The blocks of the coarsest partition finer than this one in which the states of a block go, by each column, into
    /// the same block.
    fn stable(mut self, columns: &[Vec<State>], meter: &mut Meter) -> Result<Vec<u32>, Error> {
        let states = self.elements.len();
        let inverses: Vec<Inverse> = columns.iter().map(|column| Inverse::new(column)).collect();
        meter.spend((states * columns.len()) as u64)?;
        // Every block but one must split the others once.
        let mut waiting: Vec<u32> = (1..index(self.start.len())).collect();
        let mut is_waiting = vec![false; states + 1];
        for &block in &waiting {
            is_waiting[block as usize] = true;
        }
        let mut splitter = Vec::new();
        let mut touched = Vec::new();
        while let Some(block) = waiting.pop() {
            is_waiting[block as usize] = false;
            splitter.clear();
            splitter.extend_from_slice(self.elements(block));
            for inverse in &inverses {
                let mut seen = splitter.len() as u64;
                for &target in &splitter {
                    let sources = inverse.of(target);
                    seen += sources.len() as u64;
                    for &source in sources {
                        self.mark(source, &mut touched);
                    }
                }
                meter.spend(seen)?;
                for old in touched.drain(..) {
                    if let Some(new) = self.split(old) {
                        let smaller = if is_waiting[old as usize]
                            || self.elements(new).len() <= self.elements(old).len()
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
        Ok(self.block)
    }

    /// The partition into blocks that are numbered without gaps.
    fn new(block: Vec<u32>) -> Self {
        let blocks = block.iter().max().map_or(0, |last| *last as usize + 1);
        let mut start = vec![0; blocks + 1];
        for &block in &block {
            start[block as usize + 1] += 1;
        }
        for at in 0..blocks {
            start[at + 1] += start[at];
        }
        let mut fill = start.clone();
        let mut elements = vec![0; block.len()];
        let mut place = vec![0; block.len()];
        for (state, &block) in block.iter().enumerate() {
            let at = &mut fill[block as usize];
            elements[*at as usize] = index(state);
            place[state] = *at;
            *at += 1;
        }
        let end = start[1..].to_vec();
        start.pop();
        Self {
            elements,
            place,
            block,
            start,
            end,
            marked: vec![0; blocks],
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

/// How often all blocks are split at once before they are split one by one.
const ROUNDS: usize = 16;

/// The accepting states and the others, as blocks numbered without gaps.
fn kinds(accepting: &[bool]) -> Vec<u32> {
    let first = accepting[0];
    accepting
        .iter()
        .map(|&kind| u32::from(kind != first))
        .collect()
}

/// The blocks after some rounds of Moore (1956): in each, states stay together that are together and go together.
/// Also says whether one more round would change nothing.
///
/// A round reads the columns from end to end, so that a few are faster than Hopcroft's steps, which jump. Most automata
/// met in practice need few. Hashes find who may stay together. They never part states that cannot be told apart; that
/// they keep together none that can is verified in the end.
fn refined(
    accepting: &[u32],
    columns: &[Vec<State>],
    rounds: usize,
    meter: &mut Meter,
) -> Result<(Vec<u32>, bool), Error> {
    let states = accepting.len();
    let mut blocks = accepting.to_vec();
    let mut leaders: Vec<State> = Vec::new();
    let mut count = blocks.iter().max().map_or(0, |last| *last as usize + 1);
    let mut stable = false;
    let mut hashes: Vec<u64> = Vec::with_capacity(states);
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    for _ in 0..rounds {
        meter.spend(2 * (states * columns.len()) as u64)?;
        hashes.clear();
        hashes.extend(blocks.iter().map(|&block| u64::from(block)));
        for column in columns {
            for (hash, &target) in hashes.iter_mut().zip(column) {
                *hash = mixed(*hash, blocks[target as usize]);
            }
        }
        numbers.clear();
        leaders.clear();
        for ((block, &hash), state) in blocks.iter_mut().zip(&hashes).zip(0..) {
            *block = *numbers.entry(hash).or_insert_with(|| {
                leaders.push(state);
                index(leaders.len() - 1)
            });
        }
        if leaders.len() <= count {
            stable = true;
            break;
        }
        count = leaders.len();
    }
    let leader = |state: usize| leaders[blocks[state] as usize] as usize;
    let alike = |column: &Vec<State>| {
        (0..states)
            .all(|state| blocks[column[state] as usize] == blocks[column[leader(state)] as usize])
    };
    if (0..states).any(|state| accepting[state] != accepting[leader(state)]) {
        return Ok((accepting.to_vec(), false));
    }
    let stable = stable && columns.iter().all(alike);
    Ok((blocks, stable))
}

fn mixed(hash: u64, value: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Budget;

    /// Columns and accepting states that a linear congruential generator draws.
    fn drawn(seed: u32, states: u32, letters: usize) -> (Vec<bool>, Vec<Vec<State>>) {
        let mut at = seed;
        let mut draw = |below: u32| {
            at = at.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (at >> 8) % below
        };
        let accepting = (0..states).map(|_| draw(4) == 0).collect();
        let mut column = || (0..states).map(|_| draw(states)).collect();
        (accepting, (0..letters).map(|_| column()).collect())
    }

    /// Who is with whom, however blocks are numbered.
    fn named(blocks: &[u32]) -> Vec<usize> {
        let first = |block: &u32| blocks.iter().position(|other| other == block);
        blocks
            .iter()
            .map(|block| first(block).expect("it is there"))
            .collect()
    }

    #[test]
    fn rounds_and_steps_end_in_the_same_partition() {
        let mut meter = Meter::new(Budget::default());
        for seed in 0..3000 {
            let (accepting, columns) = drawn(seed, 1 + seed % 12, 1 + seed as usize % 3);
            let start = kinds(&accepting);
            let (rounds, stable) = refined(&start, &columns, 100, &mut meter).expect("small");
            assert!(stable);
            let steps = Partition::new(start.clone())
                .stable(&columns, &mut meter)
                .expect("small");
            assert_eq!(named(&rounds), named(&steps), "{seed}");
            let (some, _) = refined(&start, &columns, 1, &mut meter).expect("small");
            let both = Partition::new(some)
                .stable(&columns, &mut meter)
                .expect("small");
            assert_eq!(named(&rounds), named(&both), "{seed}");
        }
    }

    /// A counter whose states differ by how far they are from the end needs as many rounds as states, and more than
    /// are tried.
    #[test]
    fn long_chains_are_minimal() {
        let length = 1000;
        let next = (1..length).chain([length - 1]).collect::<Vec<State>>();
        let accepting: Vec<bool> = (0..length).map(|state| state == length - 1).collect();
        let alphabet = crate::alphabet::Alphabet::uniform(1, 1).expect("one letter");
        let chain = Automaton::new(alphabet, next, accepting).expect("a table");
        let minimal = chain
            .minimise(&mut Meter::new(Budget::default()))
            .expect("small");
        assert_eq!(minimal, chain);
    }
}
