//! The values of many heaps of a sparse space at a time.
//!
//! A common option has exactly one rare part. So the common options of a *group* of heaps are known when
//! each rare heap was joined with the heaps that it leaves of the group: for each of them one exclusive
//! or, and one bit in the set of its options. Sets of neighbours lie side by side in vectors.
//!
//! Bits do not stand for values but for their *codes*. A value is told by its class and all its bits but one
//! that the mask has, so sets are half as long, and rare and common values have sets of their own.
//! Codes of nim-sums are nim-sums of codes.
//!
//! Rare heaps that are near or were found within the group are joined when the values before are known.
//! Then the least common value that is no option is the value of the heap, if all rare values below it are
//! options. Nearly all of them are shown to be by joining a few common heaps in the same way, the *helpers*; the
//! others are looked for one by one. A heap for which that fails is left to the slower ways.

use super::crew::{Crew, Task};
use super::rules::Allowed;
use super::scan::{chunk, is_nim_sum, is_sum};
use super::space::{Space, transform};
use super::{Split, partners};
use crate::level::{Job, Level};
use crate::values::Cell;

/// How many heaps are found at a time.
pub(super) const GROUP: usize = 64;
/// All values are below this power of two where there are groups.
const MOST_VALUES: usize = 1 << 14;
/// In place of the code of a rare heap: a bit beyond all codes.
const RARE: u16 = 1 << 15;
/// At most one in so many of the last values has a code that sets have no room for.
const SELDOM: usize = 512;
/// If so many values had none, sets are made anew.
const MOST_BEYOND: usize = 256;
/// The codes of at least so many heaps are kept.
const WINDOW: usize = 1 << 16;
/// The largest shift of a helper.
const FARTHEST: usize = 1 << 14;
/// So many values tell which ones are frequent.
const RECENT: usize = 1 << 13;
/// The most helpers.
const MOST_HELPERS: usize = 1024;
/// What a helper is expected to show in a heap for each word of its set, in millionths, to be worth choosing.
const LEAST_GAIN: i64 = 50;
/// How many helpers are joined between two looks at what they leave.
const BATCH: usize = 32;
/// If at most so many rare values of a group are missing, they are cheaper to look for one by one.
const FEW_MISSING: u32 = 12;
/// So many missing values cost as much as a batch of helpers, for each word of a set.
const WORTH_A_BATCH: usize = 6;
/// So many pairs with small heaps, and as many with others, are looked at for a rare value before all.
const HEAD: usize = 1024;
/// At least so many parts are shared with other threads.
const WORTH_A_MEETING: usize = 128;
/// How long it takes to find the value of a heap when its options were joined, in units of work.
const WORK_OF_A_HEAP: u64 = 32;
/// How much longer a table is than all that the rules measure.
const MUCH: usize = 8;

/// The state of an engine that finds the values of many heaps at a time.
#[derive(Debug)]
pub(super) struct Block {
    coding: Coding,
    /// How many words a set of codes takes. Seldom codes have no place in it: such values are left to the slower ways.
    words: usize,
    /// How many values were beyond.
    beyond: usize,
    /// All rare heaps that may be left with a large one, and takes that leave one heap of the same class,
    /// ascending by their shifts.
    parts: Vec<Part>,
    /// All takes that leave one heap whatever it is.
    takes: Vec<usize>,
    /// Those of them that change the class.
    crossing: Vec<usize>,
    /// Common heaps that may be left with a large one.
    helpers: Vec<Part>,
    /// How many of them the last group needed.
    helped: usize,
    /// The codes of the heaps from `base` on.
    codes: Vec<u16>,
    base: usize,
    found: Found,
    stale: bool,
    /// Other threads that join parts, if there may be some.
    crew: Option<Crew>,
}

/// How values are told by codes.
#[derive(Clone, Copy, Debug)]
struct Coding {
    space: Space,
    /// The bits below the lowest one of the mask. That one is left out: two values of one class differ in an even number
    /// of bits of the mask, so it is never the highest in which they differ, and codes have the order of values.
    low: usize,
}

/// A heap that is joined with others, or a take that leaves one heap, with code 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// By how much the whole heap is larger than the other part.
    shift: u32,
    code: u16,
    split: u16,
}

/// In place of the number of a split: a take that leaves one heap.
const TAKE: u16 = u16::MAX;

/// What is known of the heaps of a group.
#[derive(Clone, Debug)]
struct Found {
    /// The first heap.
    start: usize,
    /// So many of the first parts are near: they are joined heap by heap.
    near: usize,
    /// For each word, that of the set of common options of each heap, as far as parts were joined.
    commons: Vec<[u64; GROUP]>,
    /// The same of rare options that helpers show.
    rares: Vec<[u64; GROUP]>,
    /// Parts that were not joined because not all heaps of the group may be split so.
    late: Vec<Part>,
}

impl Coding {
    fn new(space: Space) -> Option<Self> {
        let low = (space.mask & space.mask.wrapping_neg()).checked_sub(1)?;
        Some(Self { space, low })
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // Values are below 2^14.
    fn code(self, value: usize) -> u16 {
        (value & self.low | value >> 1 & !self.low) as u16
    }

    /// What is kept of a heap.
    #[inline(always)]
    fn kept(self, heap: usize, value: usize) -> u16 {
        if self.space.is_rare(heap, value) {
            RARE
        } else {
            self.code(value)
        }
    }

    /// The value of a rare or common heap that this code tells.
    #[inline(always)]
    fn value(self, code: usize, heap: usize, is_rare: bool) -> usize {
        let value = code & self.low | (code & !self.low) << 1;
        if self.space.is_rare(heap, value) == is_rare {
            value
        } else {
            value | (self.low + 1)
        }
    }
}

impl Part {
    fn new(shift: usize, code: u16, split: usize) -> Self {
        Self {
            shift: u32::try_from(shift).expect("a table has fewer heaps"),
            code,
            split: u16::try_from(split).expect("few takes that split"),
        }
    }

    #[inline(always)]
    fn shift(self) -> usize {
        self.shift as usize
    }
}

impl Block {
    /// An engine that goes on after this table, if the rules and the values allow one.
    pub fn new<T: Cell>(engine: &Split, space: Space, table: &[T]) -> Option<Self> {
        let largest = table.iter().max()?.index();
        let coding = Coding::new(space)?;
        let fits = |(taken, allowed): &(usize, Allowed)| {
            (*taken).max(allowed.bound()) <= table.len() / MUCH && allowed.of_most() == Some(true)
        };
        if largest >= MOST_VALUES || !engine.splits.iter().all(fits) {
            return None;
        }
        let mut parts = Vec::new();
        for (split, (taken, allowed)) in engine.splits.iter().enumerate() {
            for heap in &engine.rares {
                if allowed.with_large(*heap)? {
                    let code = coding.code(table[*heap].index());
                    parts.push(Part::new(taken + heap, code, split));
                }
            }
        }
        let takes = engine.rules.one.iter();
        // Heaps are fewer than 2^32.
        let takes = takes
            .filter(|(taken, allowed)| allowed.is_everything() && u32::try_from(*taken).is_ok());
        let takes: Vec<usize> = takes.map(|(taken, _)| *taken).collect();
        let (crossing, keeping): (Vec<usize>, Vec<usize>) = takes
            .iter()
            .partition(|taken| space.alternates && *taken % 2 == 1);
        parts.extend(
            keeping
                .iter()
                .map(|taken| Part::new(*taken, 0, TAKE.into())),
        );
        parts.sort_unstable_by_key(|part| part.shift);
        let recent = &table[table.len() - (table.len() / 2).min(RECENT)..];
        let mut words = ((coding.low + 1) / 64).max(1);
        let is_beyond = |value: &&T, words| value.index() >= 128 * words;
        while recent
            .iter()
            .filter(|value| is_beyond(value, words))
            .count()
            > recent.len() / SELDOM
        {
            words *= 2;
        }
        let base = table.len().saturating_sub(WINDOW);
        let mut block = Self {
            coding,
            words,
            beyond: 0,
            parts,
            takes,
            crossing,
            helpers: Vec::new(),
            helped: 0,
            codes: Vec::new(),
            base,
            found: Found {
                start: usize::MAX,
                near: 0,
                commons: vec![[0; GROUP]; words],
                rares: vec![[0; GROUP]; words],
                late: Vec::new(),
            },
            stale: false,
            crew: Crew::start(engine.threads - 1),
        };
        for (heap, value) in table.iter().enumerate().skip(base) {
            let code = coding.kept(heap, value.index());
            block.codes.push(code);
        }
        block.choose_helpers(engine, table);
        Some(block)
    }

    /// Chooses common heaps that leave few rare values to look for.
    ///
    /// A helper of code `u` shows the rare value of code `v` for all heaps whose other part has the code
    /// `u ^ v`. If parts had the frequencies of the last values and nothing else in common, the value would
    /// stay missing as often as the product of what each helper leaves says. So the next helpers have the code for which
    /// the sum of that over all `v`, each as often as a value is above it, loses most: the
    /// Walsh–Hadamard transform tells for all codes at once.
    fn choose_helpers<T: Cell>(&mut self, engine: &Split, table: &[T]) {
        const WHOLE: i64 = 1 << 20;
        let codes = 64 * self.words;
        let mut frequencies = vec![0i64; codes];
        let recent = table.len() - (table.len() / 2).min(RECENT);
        for (heap, value) in table.iter().enumerate().skip(recent) {
            if let Some(count) =
                frequencies.get_mut(usize::from(self.coding.kept(heap, value.index())))
            {
                *count += 1;
            }
        }
        let all = frequencies.iter().sum::<i64>().max(1);
        let mut missing = vec![0i64; codes];
        let mut above = 0;
        for code in (0..codes).rev() {
            missing[code] = above * WHOLE / all;
            above += frequencies[code];
        }
        // The last of each list is the least.
        let farthest = FARTHEST.min(table.len() / 4);
        let mut heaps: Vec<Vec<Part>> = vec![Vec::new(); codes];
        for heap in (GROUP..farthest).rev() {
            let value = table[heap].index();
            let code = self.coding.kept(heap, value);
            let Some(heaps) = heaps.get_mut(usize::from(code)) else {
                continue;
            };
            for (split, (taken, allowed)) in engine.splits.iter().enumerate() {
                if taken + heap < farthest && allowed.with_large(heap) == Some(true) {
                    heaps.push(Part::new(taken + heap, code, split));
                }
            }
        }
        let mut spectrum = frequencies.clone();
        transform(&mut spectrum);
        let at_once = (codes / 32).max(4);
        while self.helpers.len() < MOST_HELPERS {
            // Transforming twice multiplies by the number of codes.
            let mut gains = missing.clone();
            transform(&mut gains);
            for (gain, factor) in gains.iter_mut().zip(&spectrum) {
                *gain *= factor;
            }
            transform(&mut gains);
            let codes_left = (0..codes).filter(|code| !heaps[*code].is_empty());
            let Some(best) = codes_left.max_by_key(|code| gains[*code]) else {
                break;
            };
            if gains[best] / (all * signed(codes)) < LEAST_GAIN * signed(self.words) {
                break;
            }
            for turn in 0..at_once.min(heaps[best].len()) {
                // Neighbours have much in common: every other one comes from anywhere.
                let last = heaps[best].len() - 1;
                let place = if turn % 2 == 0 {
                    last
                } else {
                    self.helpers.len() * 40_503 % (last + 1)
                };
                self.helpers.push(heaps[best].swap_remove(place));
                for (code, missing) in missing.iter_mut().enumerate() {
                    *missing -= *missing * frequencies[code ^ best] / all;
                }
            }
        }
    }

    /// Whether values appeared that the sets have no room for.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Takes note of the value of the next heap.
    pub fn note<T: Cell>(&mut self, table: &[T], is_rare: bool, splits: &[(usize, Allowed)]) {
        let heap = table.len() - 1;
        let value = table[heap].index();
        self.beyond += usize::from(value >= 128 * self.words);
        if value >= MOST_VALUES || self.beyond > MOST_BEYOND {
            self.stale = true;
            return;
        }
        let code = self.coding.kept(heap, value);
        self.codes.push(code);
        if is_rare {
            for (split, (taken, _)) in splits.iter().enumerate() {
                let part = Part::new(taken + heap, self.coding.code(value), split);
                // Nearly all others are smaller.
                let place = self
                    .parts
                    .partition_point(|other| other.shift <= part.shift);
                self.parts.insert(place, part);
            }
        }
    }

    /// Whether this heap belongs to a group of which options are known.
    pub fn has_found(&self, heap: usize) -> bool {
        (self.found.start..self.found.start.saturating_add(GROUP)).contains(&heap)
    }

    /// How many parts have a shift below this.
    fn below(&self, shift: usize) -> usize {
        self.parts.partition_point(|part| part.shift() < shift)
    }

    /// Finds options of the heaps of the next group; returns the work.
    pub fn find<T: Cell>(&mut self, engine: &Split, table: &[T]) -> u64 {
        let start = table.len();
        if self.codes.len() >= 2 * WINDOW {
            let forgotten = self.codes.len() - WINDOW;
            self.codes.drain(..forgotten);
            self.base += forgotten;
        }
        let is_everything = |(_, allowed): &(usize, Allowed)| allowed.is_everything();
        let (near, mut equal, mut small) = (self.below(GROUP), 0..0, self.below(start));
        if !engine.splits.iter().all(is_everything) {
            // Conditions speak of nearly equal heaps and of small ones: such are joined one by one.
            let bounds = engine.splits.iter().map(|(_, allowed)| allowed.bound());
            let takes = engine.splits.iter().map(|(taken, _)| *taken);
            let (bound, taken) = (bounds.max().unwrap_or(0), takes.max().unwrap_or(0));
            let first = self.below((start - bound) / 2).max(near);
            equal = first
                ..self
                    .below((start + GROUP + bound + taken) / 2 + 1)
                    .max(first);
            small = self.below(start - bound).max(equal.end);
        }
        let mut found = std::mem::replace(&mut self.found, Found::empty());
        (found.start, found.near) = (start, near);
        found.commons.fill([0; GROUP]);
        found.rares.fill([0; GROUP]);
        found.late.clear();
        found.late.extend(&self.parts[equal.clone()]);
        found.late.extend(&self.parts[small..self.below(start)]);
        let (first, second) = if equal.is_empty() {
            (near..small, 0..0)
        } else {
            (near..equal.start, equal.end..small)
        };
        let next = (self.helped - self.helped / 8).max(BATCH);
        let joined = first.len() + second.len();
        let mut helped = next.min(self.helpers.len());
        let kept = self.below(start - self.base + 1);
        let near_parts = [first, second].map(|parts| {
            let kept = kept.clamp(parts.start, parts.end);
            (parts.start..kept, kept..parts.end)
        });
        let [(first, first_distant), (second, second_distant)] = near_parts;
        for distant in [first_distant, second_distant] {
            if !distant.is_empty() {
                let (codes, parts) = engine.level.run(Distant {
                    coding: self.coding,
                    start,
                    table,
                    parts: &self.parts[distant],
                });
                join(engine.level, &codes, &parts, &mut found.commons);
            }
        }
        let helpers = &self.helpers[..helped];
        match &self.crew {
            Some(crew) if first.len() >= WORTH_A_MEETING => {
                let each = (joined + helped) / (1 + crew.others());
                let own = each.saturating_sub(second.len() + helped).min(first.len());
                let own = first.start..first.start + own;
                let others = own.end..first.end;
                let task = Task {
                    level: engine.level,
                    codes: std::mem::take(&mut self.codes),
                    parts: std::mem::take(&mut self.parts),
                    words: self.words,
                };
                let rares = &mut found.rares;
                let task = crew.share(task, others, &mut found.commons, |task, commons| {
                    for parts in [own, second] {
                        join(task.level, &task.codes, &task.parts[parts], commons);
                    }
                    join(task.level, &task.codes, helpers, rares);
                });
                (self.codes, self.parts) = (task.codes, task.parts);
            }
            _ => {
                for parts in [first, second] {
                    let parts = &self.parts[parts];
                    join(engine.level, &self.codes, parts, &mut found.commons);
                }
                join(engine.level, &self.codes, helpers, &mut found.rares);
            }
        }
        let mut work = join_work(engine.level, joined, self.words);
        work += join_work(engine.level, helped, self.words);
        let mut missing = engine.level.run(Missing(&found));
        while missing > FEW_MISSING && helped < self.helpers.len() {
            let end = self.helpers.len().min(helped + BATCH);
            let helpers = &self.helpers[helped..end];
            join(engine.level, &self.codes, helpers, &mut found.rares);
            work += join_work(engine.level, helpers.len(), self.words);
            helped = end;
            let left = engine.level.run(Missing(&found));
            let shown = missing - left.min(missing);
            if left <= FEW_MISSING || (shown as usize) < WORTH_A_BATCH * self.words {
                break;
            }
            missing = left;
        }
        self.helped = helped;
        self.found = found;
        work
    }

    /// Appends values of the heaps of the group up to `end`; tells whether it came so far.
    pub fn finish<T: Cell>(
        &mut self,
        engine: &Split,
        table: &mut Vec<T>,
        end: usize,
        spend: &mut dyn FnMut(u64),
    ) -> bool {
        let start = self.found.start;
        let near = Near::new(&self.parts[..self.found.near]);
        let bounds = engine.splits.iter().map(|(_, allowed)| allowed.bound());
        let bound = bounds.max().unwrap_or(0);
        let heads = [bound + 1, start / MUCH].map(|first| {
            let heaps = &table[first..first + HEAD.min(start / MUCH)];
            (
                first + heaps.len() - 1,
                heaps.iter().rev().copied().collect(),
            )
        });
        let (ended, work) = engine.level.run(Finish {
            engine,
            late: self.below(start),
            block: self,
            table,
            near: &near,
            heads: &heads,
            end: end.min(start + GROUP),
        });
        spend(work);
        ended
    }
}

impl Found {
    fn empty() -> Self {
        Self {
            start: 0,
            near: 0,
            commons: Vec::new(),
            rares: Vec::new(),
            late: Vec::new(),
        }
    }
}

/// Counts the rare values of a group that are not shown, up to the least common value of each heap that may be free.
struct Missing<'a>(&'a Found);

impl Job for Missing<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(found) = self;
        let mut missing = [0; GROUP];
        let mut open = [u64::MAX; GROUP];
        for (commons, rares) in found.commons.iter().zip(&found.rares) {
            for lane in 0..GROUP {
                let free = !commons[lane];
                let below = (free & free.wrapping_neg()).wrapping_sub(1);
                missing[lane] += (below & !rares[lane] & open[lane]).count_ones();
                open[lane] &= if free == 0 { u64::MAX } else { 0 };
            }
        }
        missing.iter().sum()
    }
}

/// A number of codes, to count with.
fn signed(number: usize) -> i64 {
    i64::try_from(number).expect("few codes")
}

/// Finds the codes of heaps that are not kept: one group for each part, and the parts moved to them.
struct Distant<'a, T> {
    coding: Coding,
    start: usize,
    table: &'a [T],
    parts: &'a [Part],
}

impl<T: Cell> Job for Distant<'_, T> {
    type Output = (Vec<u16>, Vec<Part>);

    #[inline(always)]
    fn run(self) -> (Vec<u16>, Vec<Part>) {
        let Self {
            coding,
            start,
            table,
            parts,
        } = self;
        let length = GROUP * parts.len();
        let mut codes = Vec::with_capacity(length);
        let mut moved = Vec::with_capacity(parts.len());
        for part in parts {
            let shift = length - codes.len();
            moved.push(Part::new(shift, part.code, part.split.into()));
            let first = start - part.shift();
            let values: &[T; GROUP] = chunk(table, first);
            let mut group = [0; GROUP];
            for lane in 0..GROUP {
                group[lane] = coding.kept(first + lane, values[lane].index());
            }
            codes.extend_from_slice(&group);
        }
        (codes, moved)
    }
}

/// Adds to the sets of the heaps of a group, of which the first follows the last of the codes, what these parts make
/// of them.
pub(super) fn join(level: Level, codes: &[u16], parts: &[Part], sets: &mut [[u64; GROUP]]) {
    if sets.len() > level.words_in_vectors() {
        level.run(ByMarks { codes, parts, sets });
        return;
    }
    match sets {
        [_] => level.run(Join::<1, 64> { codes, parts, sets }),
        [_, _] => level.run(Join::<2, 32> { codes, parts, sets }),
        _ => level.run(Join::<4, 16> { codes, parts, sets }),
    }
}

/// How long it takes to join so many parts, in units of work.
fn join_work(level: Level, parts: usize, words: usize) -> u64 {
    let work = if words > level.words_in_vectors() {
        40 * parts + 640 * words
    } else {
        6 * parts * words
    };
    work as u64
}

/// Sets of `WORDS` words, of `LANES` heaps at a time.
struct Join<'a, const WORDS: usize, const LANES: usize> {
    codes: &'a [u16],
    parts: &'a [Part],
    sets: &'a mut [[u64; GROUP]],
}

impl<const WORDS: usize, const LANES: usize> Job for Join<'_, WORDS, LANES> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { codes, parts, sets } = self;
        for first in (0..GROUP).step_by(LANES) {
            let joined = Self::joined(codes, first, parts);
            for (set, joined) in sets.iter_mut().zip(&joined) {
                for (word, joined) in set[first..first + LANES].iter_mut().zip(joined) {
                    *word |= joined;
                }
            }
        }
    }
}

impl<const WORDS: usize, const LANES: usize> Join<'_, WORDS, LANES> {
    #[inline(always)]
    fn joined(codes: &[u16], first: usize, parts: &[Part]) -> [[u64; LANES]; WORDS] {
        let mut joined = [[0u64; LANES]; WORDS];
        for part in parts {
            let others: &[u16; LANES] = chunk(codes, codes.len() + first - part.shift());
            for lane in 0..LANES {
                let code = u64::from(others[lane] ^ part.code);
                for word in 0..WORDS {
                    joined[word][lane] |= bit(code.wrapping_sub(64 * word as u64));
                }
            }
        }
        joined
    }
}

/// The bit of a place in a word; none if it lies beyond.
#[inline(always)]
fn bit(place: u64) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}

/// The same with a byte for each code: the cost does not depend on the number of codes.
struct ByMarks<'a> {
    codes: &'a [u16],
    parts: &'a [Part],
    sets: &'a mut [[u64; GROUP]],
}

impl Job for ByMarks<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        const LANES: usize = 16;
        let Self { codes, parts, sets } = self;
        // The last byte takes what has no place.
        let beyond = 64 * sets.len();
        let size = beyond + 1;
        let mut marks = vec![0u8; LANES * size];
        for first in (0..GROUP).step_by(LANES) {
            marks.fill(0);
            for part in parts {
                let others: &[u16; LANES] = chunk(codes, codes.len() + first - part.shift());
                for lane in 0..LANES {
                    let code = usize::from(others[lane] ^ part.code);
                    marks[lane * size + code.min(beyond)] = 1;
                }
            }
            for (lane, marks) in (first..).zip(marks.chunks_exact(size)) {
                for (set, marks) in sets.iter_mut().zip(marks.chunks_exact(64)) {
                    for place in (0..64).step_by(8) {
                        let marks = u64::from_le_bytes(*chunk(marks, place));
                        // The product moves bit 8 i to bit 56 + i, and no two to the same place.
                        set[lane] |= marks.wrapping_mul(0x0102_0408_1020_4080) >> 56 << place;
                    }
                }
            }
        }
    }
}

/// Parts with a shift below 64, laid out beside the 64 heaps before a heap.
struct Near {
    layers: Vec<Layer>,
}

struct Layer {
    codes: [u16; GROUP],
    /// All bits where there is no part.
    absent: [u16; GROUP],
}

impl Near {
    fn new(parts: &[Part]) -> Self {
        let mut layers: Vec<Layer> = Vec::new();
        for part in parts {
            let place = GROUP - part.shift();
            let free = layers
                .iter()
                .position(|layer| layer.absent[place] == u16::MAX);
            let free = free.unwrap_or_else(|| {
                layers.push(Layer {
                    codes: [0; GROUP],
                    absent: [u16::MAX; GROUP],
                });
                layers.len() - 1
            });
            layers[free].codes[place] = part.code;
            layers[free].absent[place] = 0;
        }
        Self { layers }
    }

    /// Whether one of the parts makes an option of this code, after these heaps.
    #[inline(always)]
    fn shows(&self, before: &[u16; GROUP], code: u16) -> bool {
        for layer in &self.layers {
            let mut found = false;
            for place in 0..GROUP {
                let differs = before[place] ^ layer.codes[place] ^ code;
                found |= differs | layer.absent[place] == 0;
            }
            if found {
                return true;
            }
        }
        false
    }
}

/// Finds the values of heaps in order, as far as what is known suffices.
struct Finish<'a, T> {
    engine: &'a Split,
    block: &'a mut Block,
    table: &'a mut Vec<T>,
    near: &'a Near,
    /// The values of some heaps, the largest of them first, and which one that is.
    heads: &'a [(usize, Vec<T>); 2],
    /// From here on parts were not known, or left nothing, when the group began.
    late: usize,
    end: usize,
}

impl<T: Cell> Job for Finish<'_, T> {
    type Output = (bool, u64);

    #[inline(always)]
    fn run(self) -> (bool, u64) {
        let mut work = 0;
        let mut extras = Vec::new();
        while self.table.len() < self.end {
            if self.engine.has_extras {
                self.engine.extras(self.table, &mut extras);
            }
            let Some(value) = self.value(&extras, &mut work) else {
                return (false, work);
            };
            let Ok(cell) = T::try_from(value as u64) else {
                return (false, work);
            };
            let heap = self.table.len();
            self.table.push(cell);
            let code = self.block.coding.kept(heap, value);
            self.block.codes.push(code);
            work += WORK_OF_A_HEAP;
        }
        (true, work)
    }
}

impl<T: Cell> Finish<'_, T> {
    /// The value of the next heap, if it is common and all rare values below it are found among the options.
    #[inline(always)]
    fn value(&self, extras: &[usize], work: &mut u64) -> Option<usize> {
        let (coding, found) = (self.block.coding, &self.block.found);
        let heap = self.table.len();
        let lane = heap - found.start;
        let before: &[u16; GROUP] = chunk(&self.block.codes, heap - self.block.base - GROUP);
        for word in 0..found.commons.len() {
            let mut free = !found.commons[word][lane];
            while free != 0 {
                let code = 64 * word + free.trailing_zeros() as usize;
                let value = coding.value(code, heap, false);
                if !self.near.shows(before, coding.code(value)) && !self.is_late(value, extras) {
                    return self.shows_rares(code, value, work).then_some(value);
                }
                free &= free - 1;
            }
        }
        None
    }

    /// Whether all rare values below this common one are options.
    #[inline(always)]
    fn shows_rares(&self, code: usize, value: usize, work: &mut u64) -> bool {
        let (coding, found) = (self.block.coding, &self.block.found);
        let heap = self.table.len();
        let lane = heap - found.start;
        let last = code | coding.low;
        for word in 0..=last / 64 {
            let mut missing = !found.rares[word][lane];
            if word == last / 64 {
                missing &= u64::MAX >> (63 - last % 64);
            }
            while missing != 0 {
                let code = 64 * word + missing.trailing_zeros() as usize;
                let rare = coding.value(code, heap, true);
                if rare < value && !self.shows(rare, work) {
                    return false;
                }
                missing &= missing - 1;
            }
        }
        true
    }

    /// Whether an option that was not joined has this value.
    #[inline(always)]
    fn is_late(&self, value: usize, extras: &[usize]) -> bool {
        let heap = self.table.len();
        let code = self.block.coding.code(value);
        let parts = self.block.found.late.iter();
        for part in parts.chain(&self.block.parts[self.late..]) {
            if part.shift() >= heap {
                break;
            }
            let rest = heap - part.shift();
            let other = self.table[rest].index();
            if self.block.coding.code(other) ^ part.code == code
                && !self.block.coding.space.is_rare(rest, other)
            {
                if part.split == TAKE {
                    return true;
                }
                let (taken, allowed) = &self.engine.splits[usize::from(part.split)];
                if allowed.pair(part.shift() - taken, rest) {
                    return true;
                }
            }
        }
        self.is_left(&self.block.crossing, value) || extras.contains(&value)
    }

    /// Whether one of these takes leaves a heap of this value.
    #[inline(always)]
    fn is_left(&self, takes: &[usize], value: usize) -> bool {
        let heap = self.table.len();
        let mut takes = takes.iter().filter(|taken| **taken < heap);
        takes.any(|taken| self.table[heap - taken].index() == value)
    }

    /// Whether a value is found among the options.
    #[inline(always)]
    fn shows(&self, value: usize, work: &mut u64) -> bool {
        let heap = self.table.len();
        if self.is_left(&self.block.takes, value) {
            return true;
        }
        let Ok(value) = T::try_from(value as u64) else {
            return false;
        };
        *work += 4;
        for (largest, head) in self.heads {
            for (taken, _) in &self.engine.splits {
                if is_sum(head, &self.table[heap - taken - largest..], value) {
                    return true;
                }
            }
        }
        for (taken, allowed) in &self.engine.splits {
            let range = allowed.others(heap - taken);
            let large = partners(self.table, heap - taken, &range);
            let passed = is_nim_sum(&self.table[range], large, value);
            *work += passed as u64 / 16;
            if passed < large.len() {
                return true;
            }
        }
        false
    }
}
