//! The bottom-up computation of a table: the loop nests of all rules, cell by cell.

use grundy_rules::options;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_traits::ToPrimitive;

use super::Quantity;
use super::blocks::{Blocks, Choice, LANES, Lanes, Values};
use super::kernel::{Kernel, Layout, Level, Part, Source};
use super::marks::{Cell, Counts, Run, Stamps, Window};
use super::term::Elements;
use super::walk::Walk;

/// What is computed on which box.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) quantity: Quantity,
    pub(super) layout: Layout,
    pub(super) kernels: Vec<Kernel>,
    /// Rules whose numbers may leave the machine integers, each on its own.
    pub(super) exact: Vec<Ruleset>,
}

/// How far a computation is, apart from the values found.
#[derive(Debug)]
pub(super) struct State {
    pub(super) walk: Walk,
    pub(super) done: u64,
    /// Whether every cell is done.
    pub(super) is_finished: bool,
    /// The slots; the coordinates of the cell that is next come first.
    env: Vec<i64>,
    pub(super) largest: u64,
    counts: Counts,
    windows: Vec<Window>,
    blocks: Blocks,
}

/// Why filling stopped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// Every cell has its value.
    All,
    /// As many cells as were asked for have theirs.
    Enough,
    /// The next value does not fit into a cell.
    TooNarrow,
}

/// So many steps are counted before the meter is told.
const BATCH: u64 = 1 << 12;
/// Lanes that pass are marked in stretches if these are at least as long as this on average.
const MANY_LANES: usize = 8;
/// So many options marked in bulk cost as much as one built on its own.
const BULK: u64 = 8;

impl State {
    pub(super) fn new(program: &Program, walk: Walk, slots: usize) -> Self {
        let mut env = walk.first();
        env.resize(slots.max(env.len()), 0);
        Self {
            walk,
            done: 0,
            is_finished: false,
            env,
            largest: 1,
            counts: Counts::default(),
            windows: program.kernels.iter().map(|_| Window::new()).collect(),
            blocks: Blocks::default(),
        }
    }

    /// Goes on to the next cell, the one at hand being done.
    fn advance(&mut self, arity: usize) {
        self.done += 1;
        self.is_finished = !self.walk.advance(&mut self.env[..arity]);
    }

    /// Goes to the next cell where others have computed those before it, in a lexicographic order; none of their
    /// values is above the largest.
    pub(super) fn recount(&mut self, program: &Program, largest: u64) {
        let arity = program.layout.strides.len();
        let done = std::mem::take(&mut self.done);
        let first = self.walk.first();
        self.env[..arity].copy_from_slice(&first);
        while self.done < done {
            self.advance(arity);
        }
        self.largest = self.largest.max(largest);
    }

    /// Takes the cell at hand as done with this value; its index in the table.
    pub(super) fn skip(&mut self, program: &Program, value: u64) -> usize {
        let arity = program.layout.strides.len();
        let index = index(&self.env[..arity], &program.layout);
        self.largest = self.largest.max(value);
        self.advance(arity);
        index
    }
}

/// Computes cells from where the state stands until so many are done, or one does not fit.
pub(super) fn fill<C: Cell>(
    program: &Program,
    state: &mut State,
    cells: &mut [C],
    until: u64,
    meter: &mut Meter,
    progress: &mut dyn FnMut(u64),
) -> Result<Filled, Limit> {
    if state.is_finished {
        return Ok(Filled::All);
    }
    let arity = program.layout.strides.len();
    let mut stamps = Stamps::<C>::new();
    let mut spent = 0;
    let mut runs = Vec::new();
    while state.done < until {
        stamps.clear(state.largest as usize);
        let mut marking = Marking {
            cells,
            base: C::default(),
            stamps: &mut stamps,
            counts: &mut state.counts,
            blocks: &mut state.blocks,
            env: &mut state.env,
            runs: &mut runs,
            work: 0,
        };
        for (kernel, window) in program.kernels.iter().zip(&mut state.windows) {
            marking.base = empty_sum(program.quantity, kernel.components);
            marking.rule(kernel, window);
        }
        for ruleset in &program.exact {
            marking.exactly(ruleset, program, meter)?;
        }
        spent += 1 + marking.work / BULK;
        let value = match program.quantity {
            Quantity::Grundy => stamps.mex(&state.counts) as u64,
            Quantity::MisereOutcome => {
                let is_option = |value| stamps.is_marked(value) || state.counts.contains(value);
                // A player without a move has won.
                u64::from(is_option(0) || !is_option(1))
            }
        };
        let Some(cell) = C::new(value) else {
            return Ok(Filled::TooNarrow);
        };
        state.largest = state.largest.max(value);
        cells[index(&state.env[..arity], &program.layout)] = cell;
        state.advance(arity);
        if state.is_finished {
            meter.spend(spent)?;
            progress(state.done);
            return Ok(Filled::All);
        }
        if spent >= BATCH {
            let batch = std::mem::take(&mut spent);
            meter.spend(batch)?;
            progress(state.done);
        }
    }
    meter.spend(spent)?;
    Ok(Filled::Enough)
}

#[inline]
pub(super) fn index(cell: &[i64], layout: &Layout) -> usize {
    let index: i64 = cell.iter().zip(&layout.strides).map(|(c, s)| c * s).sum();
    index as usize
}

/// The value of a result before its parts are added: in misère play the empty sum is won.
fn empty_sum<C: Cell>(quantity: Quantity, components: usize) -> C {
    let won = quantity == Quantity::MisereOutcome && components == 0;
    C::new(won.into()).expect("0 and 1 fit into any cell")
}

/// The marking of the options of one cell.
struct Marking<'a, C: Cell> {
    cells: &'a [C],
    /// The value of the empty sum under the rule at hand.
    base: C,
    stamps: &'a mut Stamps<C>,
    counts: &'a mut Counts,
    blocks: &'a mut Blocks,
    env: &'a mut [i64],
    runs: &'a mut Vec<(i64, i64)>,
    work: u64,
}

impl<C: Cell> Marking<'_, C> {
    fn rule(&mut self, kernel: &Kernel, window: &mut Window) {
        let applies = kernel.applies(self.env);
        if kernel.is_run() {
            self.carried_run(kernel, window, applies);
        } else if applies {
            if kernel.levels.is_empty() {
                self.work += 1;
                if let Some(value) = self.constant_parts(kernel) {
                    self.stamps.mark(value);
                }
            } else {
                self.choose(kernel, 0);
            }
        }
    }

    /// A rule whose options are a single run of cells.
    fn carried_run(&mut self, kernel: &Kernel, window: &mut Window, applies: bool) {
        let run = applies
            .then(|| kernel.levels[0].ends(self.env))
            .flatten()
            .and_then(|(lo, hi)| {
                let [Part::Run { base, step }] = kernel.parts.as_slice() else {
                    unreachable!("a run has one part");
                };
                let (base, step) = (base.eval(self.env)?, step.eval(self.env)?);
                Some(Run {
                    start: base + step * lo,
                    step,
                    count: if step == 0 { 1 } else { hi - lo + 1 },
                })
            })
            .unwrap_or(Run::EMPTY);
        if window.slide(run, self.cells, self.counts) {
            self.work += 1;
        } else {
            self.work += run.count as u64;
            self.stamps.mark_run(self.cells, self.base, run);
        }
    }

    /// The value of a result without choices.
    fn constant_parts(&self, kernel: &Kernel) -> Option<C> {
        kernel.parts.iter().try_fold(self.base, |value, part| {
            let index = match part {
                Part::Run { base, .. } => base.eval(self.env)?,
                Part::Gather(term) => term.eval(self.env)?,
            };
            Some(value ^ self.cells[index as usize])
        })
    }

    /// Runs through the values of a choice. As deep as the rule has choices.
    fn choose(&mut self, kernel: &Kernel, depth: usize) {
        let level = &kernel.levels[depth];
        let Some((lo, hi)) = level.ends(self.env) else {
            return;
        };
        match &level.source {
            Source::All if depth + 1 == kernel.levels.len() => self.innermost_range(kernel, lo, hi),
            Source::All => {
                for value in lo..=hi {
                    self.chosen(kernel, depth, value);
                }
            }
            Source::Listed(list) => self.listed(kernel, depth, between(list, lo, hi)),
            Source::Set(set) => {
                if let Some(Elements::List(list)) = set.elements(self.env) {
                    self.listed(kernel, depth, between(&list, lo, hi));
                }
            }
        }
    }

    fn listed(&mut self, kernel: &Kernel, depth: usize, list: &[i64]) {
        if depth + 1 == kernel.levels.len() {
            self.innermost_list(kernel, list);
        } else {
            for &value in list {
                self.chosen(kernel, depth, value);
            }
        }
    }

    fn chosen(&mut self, kernel: &Kernel, depth: usize, value: i64) {
        let level = &kernel.levels[depth];
        self.env[level.slot] = value;
        self.work += 1;
        if level.tests.iter().all(|test| test.holds(self.env)) {
            self.choose(kernel, depth + 1);
        }
    }

    /// Sorts the parts of a result by how they depend on the innermost choice: the answer is the
    /// value of those that do not, those that are runs stand in `runs` with base and step.
    fn sort_parts(&mut self, kernel: &Kernel) -> Option<C> {
        self.runs.clear();
        let mut fixed = self.base;
        for part in &kernel.parts {
            if let Part::Run { base, step } = part {
                let (base, step) = (base.eval(self.env)?, step.eval(self.env)?);
                if step == 0 {
                    fixed = fixed ^ self.cells[base as usize];
                } else {
                    self.runs.push((base, step));
                }
            }
        }
        Some(fixed)
    }

    fn innermost_range(&mut self, kernel: &Kernel, lo: i64, hi: i64) {
        let level = &kernel.levels[kernel.levels.len() - 1];
        let Some(fixed) = self.sort_parts(kernel) else {
            return;
        };
        if !level.tests.is_empty() || kernel.gathers() {
            let mut from = lo;
            while from <= hi {
                let len = (hi - from + 1).min(LANES as i64);
                if self.block(kernel, level, fixed, Choice::From(from), len as usize) {
                    return;
                }
                from += len;
            }
            return;
        }
        let count = hi - lo + 1;
        let run = |&(base, step): &(i64, i64)| Run {
            start: base + step * lo,
            step,
            count,
        };
        self.work += count as u64;
        match self.runs.as_slice() {
            [] => self.stamps.mark(fixed),
            [one] => self.stamps.mark_run(self.cells, fixed, run(one)),
            [one, other] => self
                .stamps
                .mark_pairs(self.cells, fixed, run(one), run(other)),
            many => {
                for choice in lo..=hi {
                    let value = sum_of_runs(self.cells, fixed, many, choice);
                    self.stamps.mark(value);
                }
            }
        }
    }

    fn innermost_list(&mut self, kernel: &Kernel, list: &[i64]) {
        let level = &kernel.levels[kernel.levels.len() - 1];
        if list.is_empty() {
            return;
        }
        let Some(fixed) = self.sort_parts(kernel) else {
            return;
        };
        if !level.tests.is_empty() || kernel.gathers() {
            for chunk in list.chunks(LANES) {
                if self.block(kernel, level, fixed, Choice::Listed(chunk), chunk.len()) {
                    return;
                }
            }
            return;
        }
        self.work += list.len() as u64;
        match self.runs.as_slice() {
            [] => self.stamps.mark(fixed),
            &[(base, step)] => {
                for &choice in list {
                    let cell = self.cells[(base + step * choice) as usize];
                    self.stamps.mark(fixed ^ cell);
                }
            }
            &[(base, step), (other_base, other_step)] => {
                for &choice in list {
                    let one = self.cells[(base + step * choice) as usize];
                    let other = self.cells[(other_base + other_step * choice) as usize];
                    self.stamps.mark(fixed ^ one ^ other);
                }
            }
            many => {
                for &choice in list {
                    let value = sum_of_runs(self.cells, fixed, many, choice);
                    self.stamps.mark(value);
                }
            }
        }
    }

    /// Marks the options of up to [`LANES`] values of the innermost choice. True if no other
    /// value can add an option.
    fn block(
        &mut self,
        kernel: &Kernel,
        level: &Level,
        fixed: C,
        choice: Choice,
        len: usize,
    ) -> bool {
        let mut lanes = Lanes {
            env: self.env,
            slot: level.slot,
            choice,
            len,
        };
        self.work += (len * (1 + level.tests.len())) as u64;
        let blocks = &mut *self.blocks;
        let mut mask = blocks.take_mask();
        mask[..len].fill(true);
        for test in &level.tests {
            let next = blocks.holds(test, &mut lanes);
            mask[..len]
                .iter_mut()
                .zip(&next[..len])
                .for_each(|(a, b)| *a &= b);
            blocks.give_mask(next);
        }
        let gathered: Vec<Values> = kernel
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Run { .. } => None,
                Part::Gather(term) => Some(blocks.eval(term, &mut lanes, &mut mask)),
            })
            .collect();
        let changes = mask[..len]
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count();
        if let Choice::From(first) = choice
            && gathered.is_empty()
            && matches!(self.runs.len(), 1 | 2)
            && changes * MANY_LANES <= len
        {
            self.mark_stretches(fixed, first, &mask[..len]);
            self.blocks.give_mask(mask);
            return false;
        }
        // Branch-free: which lanes pass is rarely predictable.
        let mut passing = [0u8; LANES];
        let mut count = 0;
        for (lane, &holds) in mask[..len].iter().enumerate() {
            passing[count] = lane as u8;
            count += usize::from(holds);
        }
        let passing = &passing[..count];
        let (cells, stamps) = (self.cells, &mut *self.stamps);
        let lone = gathered.is_empty() && self.runs.is_empty();
        match (self.runs.as_slice(), gathered.as_slice()) {
            ([], []) => {
                if count > 0 {
                    stamps.mark(fixed);
                }
            }
            (&[(base, step)], []) => {
                for &lane in passing {
                    let cell = cells[(base + step * choice.at(lane.into())) as usize];
                    stamps.mark(fixed ^ cell);
                }
            }
            (&[(base, step), (other_base, other_step)], []) => {
                for &lane in passing {
                    let choice = choice.at(lane.into());
                    let one = cells[(base + step * choice) as usize];
                    let other = cells[(other_base + other_step * choice) as usize];
                    stamps.mark(fixed ^ one ^ other);
                }
            }
            (runs, gathered) => {
                for &lane in passing {
                    let lane = usize::from(lane);
                    let value = sum_of_runs(cells, fixed, runs, choice.at(lane));
                    let value = gathered.iter().fold(value, |value, indices| {
                        value ^ cells[indices.at(lane) as usize]
                    });
                    stamps.mark(value);
                }
            }
        }
        for values in gathered {
            self.blocks.give(values);
        }
        self.blocks.give_mask(mask);
        lone && count > 0
    }

    /// Marks the options of one or two runs in stretches of lanes that all pass.
    fn mark_stretches(&mut self, fixed: C, first: i64, mask: &[bool]) {
        let mut from = 0;
        for stretch in mask.chunk_by(|a, b| a == b) {
            let lane = first + from;
            let count = stretch.len() as i64;
            from += count;
            if !stretch[0] {
                continue;
            }
            let run = |(base, step): (i64, i64)| Run {
                start: base + step * lane,
                step,
                count,
            };
            let one = run(self.runs[0]);
            match self.runs.get(1) {
                None => self.stamps.mark_run(self.cells, fixed, one),
                Some(&other) => self.stamps.mark_pairs(self.cells, fixed, one, run(other)),
            }
        }
    }

    /// Marks the options of a rule by the exact reference engine.
    fn exactly(
        &mut self,
        ruleset: &Ruleset,
        program: &Program,
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        let arity = program.layout.strides.len();
        let cell = self.env[..arity].iter().map(|&n| n as u64);
        for option in options::options(ruleset, &Component::of_numbers(cell), meter)? {
            let components = &option.result;
            let mut value = empty_sum(program.quantity, components.len());
            for component in components {
                let coordinates = options::numbers(component)
                    .expect("rules with nested results were refused")
                    .into_iter()
                    .map(|n| n.to_i64().expect("the box was found to be closed"))
                    .collect::<Vec<_>>();
                value = value ^ self.cells[index(&coordinates, &program.layout)];
            }
            self.stamps.mark(value);
        }
        Ok(())
    }
}

#[inline]
fn sum_of_runs<C: Cell>(cells: &[C], fixed: C, runs: &[(i64, i64)], choice: i64) -> C {
    runs.iter().fold(fixed, |value, (base, step)| {
        value ^ cells[(base + step * choice) as usize]
    })
}

/// The members of an ascending list from `lo` to `hi`.
fn between(list: &[i64], lo: i64, hi: i64) -> &[i64] {
    let from = list.partition_point(|&n| n < lo);
    let to = from + list[from..].partition_point(|&n| n <= hi);
    &list[from..to]
}
