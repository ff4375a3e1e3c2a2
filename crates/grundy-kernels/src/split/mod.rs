//! Finitely many takes that leave at most two heaps.
//!
//! Three ways lead to the value of the next heap, and the cheapest is chosen as the table grows:
//!
//! - *plain*: note the values of all options. Nothing is quicker in short tables.
//! - *dense*: note the values of the options with a small part, then look among all others for the few
//!   least values that are missing, many pairs at a time.
//! - *sparse*: where a [`Space`] makes few heaps rare, all common options have a rare part. The least common
//!   value that is no option is all but always the value of the heap: it is found by
//!   going through the rare heaps alone, and only the rare values below it must still be shown to
//!   be options (Guy and Smith 1956 saw such spaces; Gangolli and Plambeck 1989 computed by them).
//!   Where the rules leave nearly all pairs, it is done for many heaps at a time (`block`).
//!
//! Any choice gives right values: it decides about speed alone. Each way tells its work. It is left, up to the next
//! doubling of the table, when it turns out to cost more than a simpler one, so none can be much slower than noting
//! all options.

mod block;
mod crew;
mod rules;
mod scan;
mod seen;
mod space;

use std::ops::Range;

pub use rules::{Allowed, Rules};
pub use space::Space;

use crate::level::Level;
use crate::values::{Cell, Column, Values};
use block::Block;
use rules::Residues;
use scan::{AT_ONCE, most_sought, scan_some};
pub(crate) use scan::{chunk, scan};
use seen::Seen;

/// From so many heaps on a space is looked for, and again at each doubling.
const FIRST_CHOICE: usize = 256;
/// A space is used if at most one in so many of the last heaps is rare: those found cost most.
const RARITY: usize = 8;
/// In shorter tables half as many heaps must be rare.
const SHORT: usize = 1024;
/// From so many heaps on options are looked through: in shorter tables nothing is quicker than to note all.
const FIRST_LOOK: usize = 4096;
/// How many missing values are looked for at a time.
const WANTED: usize = 8;
/// How many options are noted before others are looked through, at first and at least.
const FIRST_NOTED: usize = 512;
const LEAST_NOTED: usize = 256;
/// All options are noted.
const PLAIN: usize = usize::MAX / 4;
/// How many options of each split are noted at a time to show that rare values are options.
const SHOWN: usize = 256;

// Work is told in units of what it takes to note `NOTED` options, about a nanosecond. These were measured.
const NOTED: usize = 4;
/// To look through options, whatever their number.
const WORK_OF_LOOKING: u64 = 96;
/// And those of one split.
const WORK_OF_A_SCAN: u64 = 32;
/// To note the option with a rare part; where residues decide whether there is one, that is hard to foresee.
const WORK_OF_A_RARE: u64 = 1;
const WORK_OF_A_DOUBTFUL_RARE: u64 = 3;
/// So many heaps are done the dense way before a space is used.
const TRIALS: usize = 16;
/// A way is left when it has cost more than the simpler one by so many heaps.
const BORROWED: i64 = 32;

/// The fewest heaps that are worth a group.
const FEWEST: usize = 16;
/// More threads would each have too little to do.
const MOST_THREADS: usize = 64;

/// A game of finitely many takes that leave at most two heaps.
#[derive(Debug)]
pub struct Split {
    level: Level,
    rules: Rules,
    /// The rules that leave two heaps of which neither is small nor both nearly equal.
    splits: Vec<(usize, Allowed)>,
    /// For each of them, which pairs residues allow, where they decide it.
    residues: Vec<Option<Residues>>,
    /// The parity of what these take, if it is the same.
    parity: Option<usize>,
    /// Whether some options of heaps that are not small are neither splits in this sense nor takes that are always
    /// allowed.
    has_extras: bool,
    /// The values of the options that were noted.
    seen: Seen,
    /// How many options of each split are noted in the dense way.
    noted: usize,
    next_choice: usize,
    /// How many heaps are still done the dense way to learn what it costs.
    trials: usize,
    /// What their work was, and what noting all options would have been.
    dense: (u64, u64),
    /// How much less the work was lately than it would have been the dense way, or that of noting all.
    saved: i64,
    /// The space that makes few heaps rare, and whether values are found by it.
    space: Option<Space>,
    is_used: bool,
    /// The rare heaps but heap 0.
    rares: Vec<usize>,
    block: Option<Block>,
    /// How many threads may be used.
    threads: usize,
    /// Whether ways are used though they cost more.
    eager: bool,
}

/// The values of the heaps that the heaps of a range leave of a sum, in ascending order of the heaps.
fn partners<'a, T>(table: &'a [T], sum: usize, range: &Range<usize>) -> &'a [T] {
    if range.is_empty() {
        return &[];
    }
    &table[sum + 1 - range.end..=sum - range.start]
}

/// Why values end.
enum End {
    /// There are as many as were asked for.
    Count,
    /// The next one needs a wider cell.
    Wide,
}

impl Split {
    /// The game with these rules.
    pub fn new(rules: Rules, level: Level) -> Self {
        let splits = rules
            .two
            .iter()
            .filter(|(_, allowed)| allowed.of_most() != Some(false));
        let splits: Vec<_> = splits.cloned().collect();
        let has_extras = rules.nothing.iter().any(|taken| *taken >= FIRST_CHOICE)
            || splits.len() < rules.two.len()
            || rules
                .one
                .iter()
                .any(|(_, allowed)| !allowed.is_everything());
        let mut parities = splits.iter().map(|(taken, _)| taken % 2);
        let parity = parities.next();
        let parity = parity.filter(|first| parities.all(|parity| parity == *first));
        Self {
            level,
            rules,
            residues: splits.iter().map(|(_, split)| split.residues()).collect(),
            splits,
            parity,
            has_extras,
            seen: Seen::new(),
            noted: PLAIN,
            next_choice: FIRST_CHOICE,
            trials: 0,
            dense: (1, 1),
            saved: 0,
            space: None,
            is_used: false,
            rares: Vec::new(),
            block: None,
            threads: 1,
            eager: false,
        }
    }

    /// The same with every way used as early as it can be, and until the next doubling, whatever it costs: so tests of
    /// short tables reach all.
    #[doc(hidden)]
    #[must_use]
    pub fn eager(mut self) -> Self {
        self.eager = true;
        self
    }

    /// The same with so many threads, from 1 to 64, where values are found many at a time. That decides about speed alone; others than the
    /// first are started only for that, and end with the engine.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MOST_THREADS);
        self
    }

    /// The space that makes few heaps rare, if there is one, whether values are found by it or not.
    pub fn space(&self) -> Option<Space> {
        self.space
    }

    /// How many heaps are rare in this space, besides heap 0.
    pub fn rares(&self) -> usize {
        self.rares.len()
    }

    /// Takes a table of this game that another engine has made as its own.
    pub fn adopt(&mut self, values: &Values) {
        let largest = usize::try_from(values.largest()).expect("it is less than the options");
        self.seen.make_room(largest);
    }

    /// Appends values until there are `count`; `spend` hears of the work and may stop it. The table must
    /// be the one of the calls before.
    pub fn extend<E>(
        &mut self,
        values: &mut Values,
        count: usize,
        spend: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        while values.len() < count {
            let end = match &mut values.0 {
                Column::U8(table) => self.fill(table, count, spend)?,
                Column::U16(table) => self.fill(table, count, spend)?,
                Column::U32(table) => self.fill(table, count, spend)?,
                Column::U64(_) => unreachable!("a heap has fewer than 2^32 options"),
            };
            match end {
                End::Count => break,
                End::Wide => values.widen(),
            }
        }
        Ok(())
    }

    fn fill<T: Cell, E>(
        &mut self,
        table: &mut Vec<T>,
        count: usize,
        spend: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<End, E> {
        while table.len() < count {
            let heap = table.len();
            if heap >= self.next_choice {
                self.choose(table);
            }
            if let Some(mut block) = self.block.take_if(|_| self.trials == 0) {
                let (mut work, mut ended) = (0, false);
                if block.has_found(heap) || count - heap >= FEWEST {
                    if !block.has_found(heap) {
                        work += block.find(self, table);
                    }
                    ended = block.finish(self, table, count, &mut |more| work += more);
                }
                self.block = Some(block);
                spend(work)?;
                self.settle(heap..table.len(), work);
                if ended {
                    continue;
                }
            }
            let (value, work) = match self.space {
                Some(space) if self.is_used && self.trials == 0 => self.sparse(space, table),
                _ => self.dense(table),
            };
            spend(work)?;
            self.settle(table.len()..table.len() + 1, work);
            if !self.push(table, value) {
                return Ok(End::Wide);
            }
        }
        Ok(End::Count)
    }

    /// Appends a value; tells whether it fits.
    fn push<T: Cell>(&mut self, table: &mut Vec<T>, value: usize) -> bool {
        let Ok(cell) = T::try_from(value as u64) else {
            return false;
        };
        let heap = table.len();
        table.push(cell);
        self.seen.make_room(value);
        let is_rare = self.space.is_some_and(|space| space.is_rare(heap, value));
        if is_rare {
            self.rares.push(heap);
        }
        if let Some(block) = &mut self.block {
            block.note(table, is_rare, &self.splits);
            if block.is_stale() {
                let space = self.space.expect("a block belongs to a space");
                self.block = Block::new(self, space, table);
            }
        }
        true
    }

    /// Chooses the way of the next heaps.
    fn choose<T: Cell>(&mut self, table: &[T]) {
        self.next_choice = 2 * table.len();
        self.saved = 0;
        self.trials = 0;
        (self.space, self.is_used) = (None, false);
        self.rares.clear();
        self.block = None;
        if self.splits.is_empty() {
            return;
        }
        if self.noted == PLAIN && (self.eager || table.len() >= FIRST_LOOK) {
            self.noted = FIRST_NOTED.min(table.len() / 2);
        }
        let space = Space::best(table, self.parity);
        let heaps = (1..table.len()).filter(|heap| space.is_rare(*heap, table[*heap].index()));
        let rares: Vec<usize> = heaps.collect();
        let late = table.len() / 2;
        let new = rares.len() - rares.partition_point(|rare| *rare < late);
        let is_short = table.len() < SHORT && !self.eager;
        if new * RARITY > table.len() - late || is_short && rares.len() * 2 * RARITY > table.len() {
            return;
        }
        (self.space, self.is_used) = (Some(space), true);
        self.trials = if self.eager { 0 } else { TRIALS };
        self.dense = (0, 0);
        self.rares = rares;
        self.block = Block::new(self, space, table);
    }

    /// Compares the work of these heaps with that of the simpler way, and goes on that way if it was less.
    fn settle(&mut self, heaps: Range<usize>, work: u64) {
        if self.eager || !self.is_used && self.noted == PLAIN {
            return;
        }
        let plain = self.plain_work(heaps.end - 1);
        if self.trials > 0 {
            self.trials -= 1;
            self.dense = (self.dense.0 + work, self.dense.1 + plain);
            return;
        }
        let simpler = match self.dense {
            (dense, noted) if self.is_used && dense < noted => {
                u128::from(plain) * u128::from(dense) / u128::from(noted)
            }
            _ => u128::from(plain),
        };
        let simpler = i64::try_from(simpler).expect("it is less than the heaps");
        self.saved += simpler * heaps.len().cast_signed() as i64 - work.cast_signed();
        self.saved = self.saved.min(simpler * BORROWED);
        if self.saved < -simpler * BORROWED {
            if self.is_used {
                (self.is_used, self.block) = (false, None);
            } else {
                self.noted = PLAIN;
            }
            self.saved = 0;
        }
    }

    /// The work of noting all options of a heap that leave two.
    fn plain_work(&self, heap: usize) -> u64 {
        let works = self
            .splits
            .iter()
            .zip(&self.residues)
            .map(|((taken, _), residues)| {
                let pairs = heap.saturating_sub(*taken) as u64 / 2;
                residues
                    .as_ref()
                    .map_or(pairs, |residues| residues.share(pairs))
            });
        works.sum::<u64>() / NOTED as u64
    }

    /// Notes the options that leave at most one heap.
    fn note_takes<T: Cell>(&mut self, table: &[T]) {
        let heap = table.len();
        if self.rules.nothing.contains(&heap) {
            self.seen.note(0);
        }
        for (taken, allowed) in &self.rules.one {
            if *taken < heap && allowed.heap(heap - taken) {
                self.seen.note(table[heap - taken].index());
            }
        }
    }

    /// Collects the values of all options that are neither splits in the sense of the blocks nor takes that
    /// are always allowed.
    fn extras<T: Cell>(&self, table: &[T], extras: &mut Vec<usize>) {
        let heap = table.len();
        extras.clear();
        if self.rules.nothing.contains(&heap) {
            extras.push(0);
        }
        for (taken, allowed) in self.rules.one.iter().filter(|(taken, _)| *taken < heap) {
            if !allowed.is_everything() && allowed.heap(heap - taken) {
                extras.push(table[heap - taken].index());
            }
        }
        for (taken, allowed) in self.rules.two.iter().filter(|(taken, _)| *taken < heap) {
            if allowed.of_most() == Some(false) {
                let sum = heap - taken;
                allowed.for_each_exception(sum, |a| {
                    extras.push((table[a] ^ table[sum - a]).index());
                });
            }
        }
    }

    /// Notes the options of two heaps where one is small or both are nearly equal.
    fn note_exceptions<T: Cell>(&mut self, table: &[T], of_splits: bool) -> u64 {
        let heap = table.len();
        let mut work = 0;
        for (taken, allowed) in self.rules.two.iter().filter(|(taken, _)| *taken < heap) {
            if of_splits || allowed.of_most() == Some(false) {
                let sum = heap - taken;
                allowed.for_each_exception(sum, |a| {
                    self.seen.note((table[a] ^ table[sum - a]).index());
                });
                work += allowed.bound() as u64;
            }
        }
        work
    }

    /// Notes the options of a split whose smaller part is in a range that holds no exception.
    fn note_pairs<T: Cell>(&mut self, split: usize, table: &[T], range: Range<usize>) {
        let (taken, allowed) = &self.splits[split];
        let sum = table.len() - taken;
        let (small, large) = (&table[range.clone()], partners(table, sum, &range));
        if self.allows_all(split, sum) {
            self.seen.note_sums(small, large, 1);
            return;
        }
        // Whether a pair is allowed depends on the residue of the smaller part.
        let step = allowed.modulus();
        for first in 0..step.min(small.len()) {
            if allowed.pair(range.start + first, sum - range.start - first) {
                let large = &large[..large.len() - first];
                self.seen.note_sums(&small[first..], large, step);
            }
        }
    }

    /// Whether all pairs with this sum are allowed of which neither heap is small nor both are nearly equal.
    fn allows_all(&self, split: usize, sum: usize) -> bool {
        match &self.residues[split] {
            Some(residues) => residues.allow_all(sum),
            None => self.splits[split].1.of_most() == Some(true),
        }
    }

    /// The value of the next heap by way of all options.
    fn dense<T: Cell>(&mut self, table: &[T]) -> (usize, u64) {
        let heap = table.len();
        self.seen.forget();
        self.note_takes(table);
        let mut work = 1 + self.note_exceptions(table, true);
        let mut rest = Vec::new();
        for split in 0..self.splits.len() {
            let (taken, allowed) = &self.splits[split];
            if *taken >= heap {
                continue;
            }
            let range = allowed.others(heap - taken);
            let mut end = range.end;
            // Where residues forbid many pairs, noting them all is cheap: scans are quicker where values are few.
            let few = self.residues[split].is_some() && size_of::<T>() == 1;
            let is_scanned = few || self.allows_all(split, heap - taken);
            if is_scanned && range.len() > 2 * self.noted {
                // What would not fill a group is noted too.
                end = range.start + self.noted;
                end += (range.end - end) % AT_ONCE;
                rest.push((split, end..range.end));
            }
            self.note_pairs(split, table, range.start..end);
            work += ((end - range.start) / NOTED) as u64;
        }
        let mut unseen = self.seen.first_unseen(0);
        if rest.is_empty() {
            return (unseen, work);
        }
        work += WORK_OF_LOOKING;
        let mut wanted: Vec<T> = Vec::with_capacity(WANTED);
        let mut vain = 0;
        loop {
            while wanted.len() < WANTED && unseen <= self.seen.room() {
                match T::try_from(unseen as u64) {
                    Ok(cell) => wanted.push(cell),
                    Err(_) if wanted.is_empty() => return (unseen, work),
                    Err(_) => break,
                }
                unseen = self.seen.first_unseen(unseen + 1);
            }
            let looked_for = wanted.len();
            for (split, range) in &rest {
                work += WORK_OF_A_SCAN;
                work += self.scan(*split, table, range.clone(), &mut wanted);
            }
            vain += looked_for - wanted.len();
            if let Some(least) = wanted.first() {
                // More options are noted where too many values are looked for in vain.
                if vain > 30 {
                    self.noted += self.noted / 32;
                } else if vain < 15 && self.noted > LEAST_NOTED {
                    self.noted -= self.noted / 32;
                }
                return (least.index(), work);
            }
        }
    }

    /// Removes from `wanted` the values of the options of a split whose smaller part is in a range that holds no
    /// exception; returns the work.
    fn scan<T: Cell>(
        &self,
        split: usize,
        table: &[T],
        range: Range<usize>,
        wanted: &mut Vec<T>,
    ) -> u64 {
        let (taken, allowed) = &self.splits[split];
        let sum = table.len() - taken;
        let large = partners(table, sum, &range);
        if self.allows_all(split, sum) {
            return scan(self.level, &table[range], large, wanted);
        }
        if let Some(residues) = &self.residues[split] {
            let some = (residues.modulus(), residues.from(sum, range.start));
            return scan_some(self.level, &table[range], large, some, wanted);
        }
        let mut work = 0;
        for first in range.clone().take(allowed.modulus()) {
            if allowed.pair(first, sum - first) {
                for a in (first..range.end).step_by(allowed.modulus()) {
                    if wanted.is_empty() {
                        return work;
                    }
                    work += 1 + wanted.len() as u64;
                    let value = table[a] ^ table[sum - a];
                    wanted.retain(|wanted| *wanted != value);
                }
            }
        }
        work
    }

    /// The value of the next heap by way of rare heaps.
    fn sparse<T: Cell>(&mut self, space: Space, table: &[T]) -> (usize, u64) {
        let heap = table.len();
        self.seen.forget();
        self.note_takes(table);
        let mut work = 1 + self.note_exceptions(table, false);
        for (split, (taken, allowed)) in self.splits.iter().enumerate() {
            if *taken >= heap {
                continue;
            }
            let sum = heap - taken;
            let rares = &self.rares[..self.rares.partition_point(|rare| *rare < sum)];
            work += rares.len() as u64
                * match self.residues[split] {
                    Some(_) => WORK_OF_A_DOUBTFUL_RARE,
                    None => WORK_OF_A_RARE,
                };
            let mut note = |rare: &usize| {
                self.seen.note((table[*rare] ^ table[sum - rare]).index());
            };
            // Conditions look at small heaps, at nearly equal ones, and at residues.
            let bound = allowed.bound();
            let ends = [
                bound + 1,
                (sum - bound.min(sum)) / 2,
                usize::midpoint(sum, bound) + 1,
                sum - bound.min(sum),
            ];
            let everything = allowed.of_most() == Some(true);
            let mut from = 0;
            for (place, end) in ends.into_iter().chain([sum]).enumerate() {
                let to = from + rares[from..].partition_point(|rare| *rare < end);
                let rares = &rares[from..to];
                match &self.residues[split] {
                    _ if place % 2 == 1 && everything => rares.iter().for_each(&mut note),
                    // The smaller part is the rare one, or the other.
                    Some(residues) if place == 1 => {
                        let allows = residues.of_sum(sum);
                        rares
                            .iter()
                            .filter(|rare| allows(**rare))
                            .for_each(&mut note);
                    }
                    Some(residues) if place == 3 => {
                        let allows = residues.of_sum(sum);
                        rares
                            .iter()
                            .filter(|rare| allows(sum - **rare))
                            .for_each(&mut note);
                    }
                    _ => {
                        let looks_at = |rare: &&usize| allowed.pair(**rare, sum - **rare);
                        rares.iter().filter(looks_at).for_each(&mut note);
                    }
                }
                from = to;
            }
        }
        work += self.note_more(table, 0);
        let mut missing = Vec::new();
        let mut common = 0;
        while self.seen.is_seen(common) || space.is_rare(heap, common) {
            if !self.seen.is_seen(common) {
                missing.push(common);
            }
            common += 1;
        }
        // To look for many values costs more than to note the options.
        let mut noted = SHOWN;
        while missing.len() > most_sought::<T>(self.level) {
            let more = self.note_more(table, noted);
            if more == 0 {
                break;
            }
            work += more;
            noted += SHOWN;
            missing.retain(|value| !self.seen.is_seen(*value));
        }
        let (missing, more) = self.search(table, noted, &missing);
        (missing.unwrap_or(common), work + more)
    }

    /// The smaller heaps of the options of a split that are no exceptions but for so many of the first.
    fn others(&self, split: usize, heap: usize, noted: usize) -> Range<usize> {
        let (taken, allowed) = &self.splits[split];
        let range = allowed.others(heap.saturating_sub(*taken));
        range.end.min(range.start + noted)..range.end
    }

    /// Notes some more options of each split after so many of the first; gives the work.
    fn note_more<T: Cell>(&mut self, table: &[T], noted: usize) -> u64 {
        let mut work = 0;
        for split in 0..self.splits.len() {
            let range = self.others(split, table.len(), noted);
            let range = range.start..range.end.min(range.start + SHOWN);
            if !range.is_empty() {
                work += range.len().div_ceil(NOTED) as u64;
                self.note_pairs(split, table, range);
            }
        }
        work
    }

    /// The least of these values that no option has, if there is one; so many options of each split were noted.
    fn search<T: Cell>(&self, table: &[T], noted: usize, values: &[usize]) -> (Option<usize>, u64) {
        let cells = values
            .iter()
            .map_while(|value| T::try_from(*value as u64).ok());
        let mut wanted: Vec<T> = cells.collect();
        // What fits no cell is no option.
        let unfit = values.get(wanted.len()).copied();
        let heap = table.len();
        let mut work = 0;
        for (split, (taken, allowed)) in self.splits.iter().enumerate() {
            if wanted.is_empty() {
                break;
            }
            if *taken >= heap {
                continue;
            }
            work += self.scan(split, table, self.others(split, heap, noted), &mut wanted);
            if !wanted.is_empty() {
                work += allowed.bound() as u64;
                allowed.for_each_exception(heap - taken, |a| {
                    wanted.retain(|wanted| *wanted != table[a] ^ table[heap - taken - a]);
                });
            }
        }
        (wanted.first().map(|least| least.index()).or(unfit), work)
    }
}
