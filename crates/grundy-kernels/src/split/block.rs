//! Many heaps of a sparse space at a time.
//!
//! For each value `w` there is a row of bits: the heaps that have it, as far back as a window reaches. A small
//! heap `a` of value `u`, and a take of `k`, make `u ^ w` an option of all heaps `n` for which heap
//! `n - (k + a)` has the value `w`: the row of `w`, moved by the *shift* `k + a`. So a few moved rows
//! show of nearly all heaps of a block, its *lanes*, that they have an option of value `v`. Which rows are
//! moved for `v`, and by how much, is a plan: the most frequent values come first.
//!
//! What the rows leave open is decided afterwards. The least common values that they did not show are the
//! *candidates* of a lane. They are compared with all options that have a rare part: with the far ones
//! for a group of lanes at a time, with the near ones, and with takes, when the heaps before are known. The first
//! that stands is the value, if all rare values below are options; those that the rows did not show are
//! looked for one by one. Where no candidate stands, the options of the lane are noted one by one; a lane for which
//! that fails too is left to the slower ways.
//!
//! Where few heaps are rare and values are small, common options are noted as bits of an integer instead.

use super::rules::Allowed;
use super::scan::{chunk, is_nim_sum, is_sum};
use super::space::Space;
use super::{Split, partners};
use crate::level::Job;
use crate::values::Cell;

/// The most heaps of a block.
const MOST_LANES: usize = 1024;
/// How many lanes are compared with the table at a time.
const GROUP: usize = 64;
/// The most candidates of each lane.
const CANDIDATES: usize = 4;
/// How many missing rare values are kept of each lane.
const MISSING: usize = 16;
/// About how many bits all windows together have.
const WINDOW_BITS: usize = 1 << 22;
/// How many heaps pass before rows are moved to the front of their memory.
const SLACK: usize = 4096;
/// How many common heaps of each value serve to show that rare values are options.
const HELPERS: usize = 24;
/// How many moved rows pass between two looks at what they leave.
const BATCH: usize = 24;
/// About how many rows are moved at most for a value.
const MOVES: usize = 2560;
/// If at most so many lanes are left, they are cheaper as candidates; or one in so many words.
const LEFT_COMMON: (u32, u32) = (1, 8);
/// If at most so many lanes are left, a rare value is cheaper to look for in each; or one in so many words.
const LEFT_RARE: (u32, u32) = (8, 1);
/// The most parts that are noted one by one.
const FEW_PARTS: usize = 96;
/// So many pairs with a small heap are looked at for a rare value before the slower ways.
const HEAD: usize = 1024;

/// The state of an engine that finds the values of many heaps at a time.
#[derive(Clone, Debug)]
pub(super) struct Block {
    space: Space,
    lanes: usize,
    /// All values of the rows and their nim-sums are below this power of two.
    values: usize,
    /// All values so far are at most this.
    largest: usize,
    /// How many bits of a row count.
    window: usize,
    /// How many words a row takes.
    stride: usize,
    /// The heap of the first bit of each row, a multiple of 64.
    base: usize,
    rows: Vec<u8>,
    /// Where the moves for each value begin.
    plans: Vec<usize>,
    moves: Vec<Moved>,
    /// All rare parts, and the takes that leave one heap whatever it is, ascending by their shifts.
    parts: Vec<Part>,
    /// Whether common options are noted as bits.
    notes_bits: bool,
    stale: bool,
    found: Found,
    compared: Compared,
}

/// A row, moved by a shift.
#[derive(Clone, Copy, Debug)]
struct Moved {
    /// Where the row begins, in bits, less the shift, and a window more.
    place: u32,
}

/// A rare heap that may be left, for one of the takes; or a take, with value 0.
#[derive(Clone, Copy, Debug)]
struct Part {
    shift: u32,
    value: u16,
    split: u16,
}

/// In place of the number of a split: a take that leaves one heap.
const TAKE: u16 = u16::MAX;

/// What is known of the heaps of a block.
#[derive(Clone, Debug)]
struct Found {
    /// The first heap.
    start: usize,
    /// All rare values below this one were looked for.
    known: usize,
    /// Lanes and the value of a pair with a rare part that is no option of them.
    doubts: Vec<(u32, u32)>,
    /// Whether a lane is among them.
    doubtful: Vec<bool>,
    /// The candidates of all lanes, ascending from one list to the next.
    candidates: [Vec<u16>; CANDIDATES],
    counts: Vec<u8>,
    missing: Vec<[u16; MISSING]>,
    /// If there are more than there is room for, only the least are listed.
    missing_counts: Vec<u8>,
}

impl Block {
    /// An engine that goes on after this table, if the rules and the values allow one.
    pub fn new<T: Cell>(engine: &Split, space: Space, table: &[T]) -> Option<Self> {
        let largest = table.iter().max()?.index();
        let values = (largest + 1).next_power_of_two().max(64);
        let window = (WINDOW_BITS / values).min(table.len() / 3) / 64 * 64;
        if window < 256 || values > 1 << 14 {
            return None;
        }
        let mut parts = Vec::new();
        for (split, (taken, allowed)) in engine.splits.iter().enumerate() {
            if allowed.of_most() != Some(true) || *taken >= window || allowed.bound() >= window / 2
            {
                return None;
            }
            for heap in &engine.rares {
                let part = Part::new(taken + heap, table[*heap].index(), split);
                if part.shift() >= window || allowed.with_large(*heap)? {
                    parts.push(part);
                }
            }
        }
        let takes = engine.rules.one.iter();
        let takes = takes.filter(|(_, allowed)| allowed.is_everything());
        parts.extend(takes.map(|(taken, _)| Part::new(*taken, 0, TAKE.into())));
        parts.sort_unstable_by_key(|part| part.shift);
        let near = &parts[..parts.partition_point(|part| part.shift() < window)];
        let recent = &table[table.len() / 2..];
        let sum: usize = recent.iter().map(|value| value.index()).sum();
        let notes_bits = values <= 64 && parts.len() <= FEW_PARTS;
        let lanes = if notes_bits {
            MOST_LANES
        } else {
            cheapest_lanes(near, sum / recent.len() / 2 + 1)
        };
        let stride = (window + SLACK + 2 * MOST_LANES) / 64 + 4;
        let mut block = Self {
            space,
            lanes,
            values,
            largest,
            window,
            stride,
            base: (table.len() - window) / 64 * 64 - 64,
            rows: vec![0; values * stride * 8],
            plans: Vec::new(),
            moves: Vec::new(),
            notes_bits,
            parts,
            stale: false,
            found: Found {
                start: usize::MAX,
                known: 0,
                doubts: Vec::new(),
                doubtful: vec![false; lanes],
                candidates: [(); CANDIDATES].map(|()| vec![0; lanes + GROUP]),
                counts: vec![0; lanes],
                missing: vec![[0; MISSING]; lanes],
                missing_counts: vec![0; lanes],
            },
            compared: Compared {
                options: [[false; GROUP]; CANDIDATES],
                start: usize::MAX,
            },
        };
        for (heap, value) in table.iter().enumerate().skip(block.base) {
            block.set(heap, value.index());
        }
        block.plan(engine, table);
        Some(block)
    }

    /// Whether a value appeared that the rows have no room for.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    #[inline(always)]
    fn set(&mut self, heap: usize, value: usize) {
        let place = heap - self.base;
        self.rows[8 * value * self.stride + place / 8] |= 1 << (place % 8);
    }

    /// Takes note of the value of the next heap.
    pub fn note<T: Cell>(&mut self, table: &[T], is_rare: bool, splits: &[(usize, Allowed)]) {
        let heap = table.len() - 1;
        let value = table[heap].index();
        if value >= self.values {
            self.stale = true;
            return;
        }
        if heap - self.base >= self.window + SLACK + MOST_LANES {
            self.slide(heap);
        }
        self.set(heap, value);
        self.largest = self.largest.max(value);
        if is_rare {
            for (split, (taken, _)) in splits.iter().enumerate() {
                let part = Part::new(taken + heap, value, split);
                // Nearly all others are smaller.
                let place = self
                    .parts
                    .partition_point(|other| other.shift <= part.shift);
                self.parts.insert(place, part);
                self.doubt(&[part], splits, table);
            }
            self.notes_bits &= self.parts.len() <= FEW_PARTS;
        }
    }

    /// The largest value with a plan.
    #[inline(always)]
    fn planned(&self) -> usize {
        self.plans.len() - 2
    }

    /// Forgets what no window reaches any more.
    fn slide(&mut self, heap: usize) {
        let base = (heap - self.window) / 64 * 64 - 64;
        let words = (base - self.base) / 64;
        for row in self.rows.chunks_exact_mut(8 * self.stride) {
            row.copy_within(8 * words.., 0);
            let end = row.len() - 8 * words;
            row[end..].fill(0);
        }
        self.base = base;
    }

    /// Whether it is known what the rows say of this heap.
    pub fn has_found(&self, heap: usize) -> bool {
        (self.found.start..self.found.start.saturating_add(self.lanes)).contains(&heap)
    }

    /// Finds candidates and missing values of the heaps of the next block; returns the work.
    pub fn find<T: Cell>(&mut self, engine: &Split, table: &[T]) -> u64 {
        let start = table.len();
        if start - self.base >= self.window + SLACK {
            self.slide(start);
        }
        let mut found = std::mem::replace(&mut self.found, Found::empty());
        found.start = start;
        found.doubts.clear();
        found.doubtful.fill(false);
        found.counts.fill(0);
        found.missing_counts.fill(0);
        let (level, block, into) = (engine.level, &*self, &mut found);
        let moved = match self.lanes {
            64 => level.run(Windows::<1> { block, found: into }),
            128 => level.run(Windows::<2> { block, found: into }),
            256 => level.run(Windows::<4> { block, found: into }),
            _ => level.run(Windows::<16> { block, found: into }),
        };
        self.found = found;
        self.compared.start = usize::MAX;
        if engine
            .splits
            .iter()
            .any(|(_, allowed)| !allowed.is_everything())
        {
            let bound = engine
                .splits
                .iter()
                .map(|(_, allowed)| allowed.bound())
                .max();
            let bound = bound.unwrap_or(0);
            let takes = engine
                .splits
                .iter()
                .map(|(taken, _)| *taken)
                .max()
                .unwrap_or(0);
            let nearly_equal = self.known((start - bound) / 2)
                ..self.known((start + self.lanes + bound + takes) / 2 + 1);
            let small = self.known(start - bound).max(nearly_equal.end)..self.parts.len();
            let parts = [&self.parts[nearly_equal], &self.parts[small]].concat();
            self.doubt(&parts, &engine.splits, table);
        }
        2 * moved
    }

    /// How many parts have only partners before a heap.
    fn known(&self, heap: usize) -> usize {
        self.parts.partition_point(|part| part.shift() < heap)
    }

    /// Notes lanes that cannot be split into one of the parts and the rest, because of the size of the rest or
    /// of the difference.
    fn doubt<T: Cell>(&mut self, parts: &[Part], splits: &[(usize, Allowed)], table: &[T]) {
        let start = self.found.start;
        for part in parts.iter().filter(|part| part.split != TAKE) {
            let (taken, allowed) = &splits[usize::from(part.split)];
            if allowed.is_everything() {
                continue;
            }
            let (heap, bound) = (part.shift() - taken, allowed.bound());
            let twice = part.shift() + heap;
            let nearly_equal = twice.saturating_sub(bound)..=twice + bound;
            let small = part.shift() + 1..=part.shift() + bound;
            for range in [nearly_equal, small] {
                let first = start.max(*range.start());
                for whole in first..(start.saturating_add(self.lanes)).min(range.end() + 1) {
                    if whole > part.shift() && !allowed.pair(heap, whole - part.shift()) {
                        let value = usize::from(part.value) ^ table[whole - part.shift()].index();
                        let lane = whole - start;
                        self.found.doubtful[lane] = true;
                        let pair = [lane, value].map(|n| u32::try_from(n).expect("few"));
                        self.found.doubts.push(pair.into());
                    }
                }
            }
        }
    }

    /// Plans which rows are moved for each value, and by how much: the rows of frequent values first.
    fn plan<T: Cell>(&mut self, engine: &Split, table: &[T]) {
        let mut frequent: Vec<(usize, usize)> = (0..self.values).map(|value| (0, value)).collect();
        for value in &table[table.len() - (table.len() / 2).min(1 << 14)..] {
            frequent[value.index()].0 += 1;
        }
        frequent.retain(|(count, _)| *count > 0);
        frequent.sort_unstable_by_key(|(count, value)| (usize::MAX - count, *value));
        // Shifts for each value of the small heap: rare heaps first, and those first that reach before the block.
        let mut lists = vec![Vec::new(); self.values];
        for (taken, allowed) in &engine.splits {
            for heap in 1..self.window - taken {
                if allowed.with_large(heap) == Some(true) {
                    let value = table[heap].index();
                    let is_common = !self.space.is_rare(heap, value);
                    let shift = taken + heap;
                    lists[value].push((is_common, shift < self.lanes, shift));
                }
            }
        }
        for list in &mut lists {
            list.sort_unstable();
            let rares = list.partition_point(|(is_common, _, _)| !is_common);
            list.truncate(rares + HELPERS);
        }
        for value in 0..=self.largest {
            let from = self.moves.len();
            self.plans.push(from);
            for (_, other) in &frequent {
                for (_, _, shift) in &lists[value ^ other] {
                    let place = 64 * other * self.stride + self.window - shift;
                    let place = u32::try_from(place).expect("short rows");
                    self.moves.push(Moved { place });
                }
                if self.moves.len() - from > MOVES {
                    break;
                }
            }
        }
        self.plans.push(self.moves.len());
    }

    /// Appends values of the heaps of the block up to `end`; tells whether it came so far.
    pub fn finish<T: Cell>(
        &mut self,
        engine: &Split,
        table: &mut Vec<T>,
        end: usize,
        spend: &mut dyn FnMut(u64),
    ) -> bool {
        let start = table.len();
        if !(self.compared.start..self.compared.start.saturating_add(GROUP)).contains(&start) {
            self.compared.start = start;
            if !self.notes_bits {
                spend(engine.level.run(Compare {
                    table,
                    parts: &self.parts[self.known(GROUP)..self.known(start)],
                    found: &self.found,
                    compared: &mut self.compared,
                }));
            }
        }
        let start = self.compared.start;
        let end = end.min(start + GROUP).min(self.found.start + self.lanes);
        let near = Near::new(&self.parts[..self.known(GROUP)]);
        let head: Vec<T> = table[start / 3 - HEAD.min(start / 8) + 1..=start / 3]
            .iter()
            .rev()
            .copied()
            .collect();
        let (ended, work) = engine.level.run(Finish {
            engine,
            late: self.known(start),
            block: self,
            table,
            near: &near,
            head: &head,
            end,
        });
        spend(work);
        ended
    }
}

impl Found {
    fn empty() -> Self {
        Self {
            start: 0,
            known: 0,
            doubts: Vec::new(),
            doubtful: Vec::new(),
            candidates: [const { Vec::new() }; CANDIDATES],
            counts: Vec::new(),
            missing: Vec::new(),
            missing_counts: Vec::new(),
        }
    }

    #[inline(always)]
    fn add_candidate(&mut self, lane: usize, value: u16) -> bool {
        let count = usize::from(self.counts[lane]);
        self.candidates[count][lane] = value;
        self.counts[lane] += 1;
        count + 1 == CANDIDATES
    }

    #[inline(always)]
    fn add_missing(&mut self, lane: usize, value: u16) {
        let count = &mut self.missing_counts[lane];
        if let Some(place) = self.missing[lane].get_mut(usize::from(*count)) {
            *place = value;
        }
        *count = count.saturating_add(1);
    }

    /// Whether it is doubtful that a lane has an option of this value.
    fn is_doubtful(&self, lane: usize, value: usize) -> bool {
        let pair = |(doubted, of): &(u32, u32)| *doubted as usize == lane && *of as usize == value;
        self.doubtful[lane] && self.doubts.iter().any(pair)
    }
}

impl Part {
    fn new(shift: usize, value: usize, split: usize) -> Self {
        Self {
            shift: u32::try_from(shift).expect("a table has fewer heaps"),
            value: u16::try_from(value).expect("few values"),
            split: u16::try_from(split).expect("few takes that split"),
        }
    }

    #[inline(always)]
    fn shift(self) -> usize {
        self.shift as usize
    }
}

/// How many lanes cost least: many share the moved rows, few leave few parts that rows cannot show.
fn cheapest_lanes(parts: &[Part], commons: usize) -> usize {
    let moves = commons * parts.len().min(800) * 3;
    let fallback = 2 * parts.len() + 60 * commons;
    let cost = |lanes: usize| {
        let late = &parts[..parts.partition_point(|part| part.shift() < lanes)];
        let late: usize = late.iter().map(|part| lanes - part.shift()).sum();
        (moves + fallback * late / (parts.len() + 1) / 2) / lanes
    };
    let choices = [64, 128, 256, MOST_LANES];
    choices
        .into_iter()
        .min_by_key(|lanes| cost(*lanes))
        .expect("there are some")
}

/// Finds what moved rows say.
struct Windows<'a, const WORDS: usize> {
    block: &'a Block,
    found: &'a mut Found,
}

/// The even places.
const EVEN: u64 = 0x5555_5555_5555_5555;

impl<const WORDS: usize> Job for Windows<'_, WORDS> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { block, found } = self;
        let offset = found.start - block.base - block.window;
        let mut tries = 0;
        // Lanes that still need candidates.
        let mut open = [u64::MAX; WORDS];
        let end = if block.notes_bits {
            block.largest + 1
        } else {
            block.values
        };
        found.known = end;
        #[allow(clippy::cast_possible_truncation)] // There are at most 16 words.
        let words = WORDS as u32;
        for value in 0..end {
            let [even, odd] = [0, 1].map(|lane| block.space.is_rare(found.start + lane, value));
            let rare = if even { EVEN } else { 0 } | if odd { !EVEN } else { 0 };
            let (few, of_words) = if rare == 0 { LEFT_COMMON } else { LEFT_RARE };
            let few = few.max(words / of_words);
            let mut left = open;
            if block.notes_bits {
                if rare == 0 {
                    continue;
                }
                left = [rare; WORDS];
            }
            if value <= block.planned() {
                let moves = &block.moves[block.plans[value]..block.plans[value + 1]];
                for batch in moves.chunks(BATCH) {
                    let mut hit = [0u64; WORDS];
                    for by in batch {
                        let first = offset + by.place as usize;
                        let (byte, bit) = (first / 8, first % 8);
                        let bits = &block.rows[byte..=byte + 8 * WORDS];
                        for word in 0..WORDS {
                            let low = u64::from_le_bytes(*chunk(bits, 8 * word));
                            let high = u64::from_le_bytes(*chunk(bits, 8 * word + 1));
                            hit[word] |= low >> bit | high << (8 - bit);
                        }
                    }
                    tries += batch.len() as u64;
                    let mut rest = 0;
                    for word in 0..WORDS {
                        left[word] &= !hit[word];
                        rest += left[word].count_ones();
                    }
                    if rest <= few {
                        break;
                    }
                }
            }
            #[allow(clippy::cast_possible_truncation)] // There are at most 2^14 values.
            let value = value as u16;

            for word in 0..WORDS {
                for_each_bit(left[word] & rare, |bit| {
                    found.add_missing(64 * word + bit, value);
                });
                for_each_bit(left[word] & !rare, |bit| {
                    if found.add_candidate(64 * word + bit, value) {
                        open[word] &= !(1 << bit);
                    }
                });
            }
            if open.iter().fold(0, |all, word| all | word) == 0 {
                found.known = usize::from(value) + 1;
                break;
            }
        }
        tries
    }
}

#[inline(always)]
fn for_each_bit(mut word: u64, mut see: impl FnMut(usize)) {
    while word != 0 {
        see(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// Which candidates of a group are options with a far rare part.
#[derive(Clone, Debug)]
struct Compared {
    /// The first heap of the group.
    start: usize,
    options: [[bool; GROUP]; CANDIDATES],
}

/// Compares the candidates of a group with all options that have a far rare part.
struct Compare<'a, T> {
    table: &'a [T],
    parts: &'a [Part],
    found: &'a Found,
    compared: &'a mut Compared,
}

impl<T: Cell> Job for Compare<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self {
            table,
            parts,
            found,
            compared,
        } = self;
        let start = compared.start;
        let mut candidates = [[T::default(); GROUP]; CANDIDATES];
        for (slot, all) in found.candidates.iter().enumerate() {
            let of_group: &[u16; GROUP] = chunk(all, start - found.start);
            for lane in 0..GROUP {
                candidates[slot][lane] = T::of(of_group[lane].into());
            }
        }
        let mut least = [[T::MAX; GROUP]; CANDIDATES];
        for part in parts {
            let value = T::of(part.value.into());
            let others: &[T; GROUP] = chunk(table, start - part.shift());
            for slot in 0..CANDIDATES {
                for lane in 0..GROUP {
                    let differs = others[lane] ^ candidates[slot][lane] ^ value;
                    least[slot][lane] = least[slot][lane].min(differs);
                }
            }
        }
        for slot in 0..CANDIDATES {
            for lane in 0..GROUP {
                compared.options[slot][lane] = least[slot][lane] == T::default();
            }
        }
        (CANDIDATES * parts.len()) as u64
    }
}

/// Parts with a shift below 64, laid out beside the 64 heaps before a heap.
struct Near<T> {
    layers: Vec<Layer<T>>,
}

struct Layer<T> {
    values: [T; GROUP],
    /// All bits where there is no part.
    absent: [T; GROUP],
}

impl<T: Cell> Near<T> {
    fn new(parts: &[Part]) -> Self {
        let mut layers: Vec<Layer<T>> = Vec::new();
        for part in parts {
            let place = GROUP - part.shift();
            let free = layers
                .iter()
                .position(|layer| layer.absent[place] == T::MAX);
            let free = free.unwrap_or_else(|| {
                layers.push(Layer {
                    values: [T::default(); GROUP],
                    absent: [T::MAX; GROUP],
                });
                layers.len() - 1
            });
            layers[free].values[place] = T::of(part.value.into());
            layers[free].absent[place] = T::default();
        }
        Self { layers }
    }

    /// Whether one of the parts makes this value an option, after these heaps.
    #[inline(always)]
    fn shows(&self, before: &[T; GROUP], value: T) -> bool {
        for layer in &self.layers {
            let mut found = false;
            for place in 0..GROUP {
                let differs = before[place] ^ layer.values[place] ^ value;
                found |= (differs | layer.absent[place]) == T::default();
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
    near: &'a Near<T>,
    /// The values of small heaps, the largest of them first.
    head: &'a [T],
    /// From here on parts are not compared.
    late: usize,
    end: usize,
}

impl<T: Cell> Job for Finish<'_, T> {
    type Output = (bool, u64);

    #[inline(always)]
    fn run(self) -> (bool, u64) {
        let mut work = 0;
        let mut extras = Vec::new();
        let mut marks = vec![false; self.block.values];
        while self.table.len() < self.end {
            if self.engine.has_extras {
                self.engine.extras(self.table, &mut extras);
            }
            let lane = self.table.len() - self.block.found.start;
            let is_doubtful = self.block.found.doubtful[lane];
            let mut common = if !self.block.notes_bits {
                self.least_candidate(&extras)
            } else if is_doubtful {
                None
            } else {
                work += self.late as u64 / 2;
                self.by_bits(&extras)
            };
            let mut listed = self.block.found.known;
            if common.is_none() && !is_doubtful {
                // A lane with all its candidates was closed: rare values were looked for up to the last.
                if usize::from(self.block.found.counts[lane]) == CANDIDATES {
                    listed = self.block.found.candidates[CANDIDATES - 1][lane].into();
                }
                work += self.late as u64 / 2;
                common = self.by_marks(&mut marks, &extras);
            }
            let Some(common) = common else {
                return (false, work);
            };
            if !self.shows_rares(common, listed, &mut work) {
                return (false, work);
            }
            let heap = self.table.len();
            self.table.push(T::of(common));
            self.block.set(heap, common);
            self.block.largest = self.block.largest.max(common);
            work += 1;
        }
        (true, work)
    }
}

impl<T: Cell> Finish<'_, T> {
    /// Whether an option with a part of this group, or one of a kind of its own, has this value.
    #[inline(always)]
    fn is_late(&self, value: usize, extras: &[usize]) -> bool {
        let heap = self.table.len();
        for part in &self.block.parts[self.late..] {
            if part.shift() >= heap {
                break;
            }
            let rest = heap - part.shift();
            if self.table[rest].index() ^ usize::from(part.value) == value {
                if part.split == TAKE {
                    return true;
                }
                let (taken, allowed) = &self.engine.splits[usize::from(part.split)];
                if allowed.pair(part.shift() - taken, rest) {
                    return true;
                }
            }
        }
        extras.contains(&value)
    }

    /// The least candidate that stands.
    #[inline(always)]
    fn least_candidate(&self, extras: &[usize]) -> Option<usize> {
        let (found, compared) = (&self.block.found, &self.block.compared);
        let heap = self.table.len();
        let lane = heap - found.start;
        let before: &[T; GROUP] = chunk(self.table, heap - GROUP);
        for slot in 0..usize::from(found.counts[lane]) {
            let value = usize::from(found.candidates[slot][lane]);
            if compared.options[slot][heap - compared.start] {
                if found.is_doubtful(lane, value) {
                    return None;
                }
            } else if !self.near.shows(before, T::of(value)) && !self.is_late(value, extras) {
                return Some(value);
            }
        }
        None
    }

    /// The least common value that is no option, where all values are below 64.
    #[inline(always)]
    fn by_bits(&self, extras: &[usize]) -> Option<usize> {
        let heap = self.table.len();
        let mut bits = 0u64;
        for part in &self.block.parts[..self.late] {
            let value = self.table[heap - part.shift()].index() ^ usize::from(part.value);
            bits |= 1 << (value % 64);
        }
        let mut free = !bits;
        while free != 0 {
            let value = free.trailing_zeros() as usize;
            if !self.block.space.is_rare(heap, value) && !self.is_late(value, extras) {
                return Some(value);
            }
            free &= free - 1;
        }
        None
    }

    /// The least common value that is no option, by marks for those that are.
    #[inline(always)]
    fn by_marks(&self, marks: &mut [bool], extras: &[usize]) -> Option<usize> {
        let heap = self.table.len();
        marks.fill(false);
        for part in &self.block.parts[..self.late] {
            let value = self.table[heap - part.shift()].index() ^ usize::from(part.value);
            marks[value] = true;
        }
        (0..marks.len()).find(|value| {
            !marks[*value]
                && !self.block.space.is_rare(heap, *value)
                && !self.is_late(*value, extras)
        })
    }

    /// Whether all rare values below a common one are options, where those from `listed` on were not looked for.
    #[inline(always)]
    fn shows_rares(&self, common: usize, listed: usize, work: &mut u64) -> bool {
        let found = &self.block.found;
        let heap = self.table.len();
        let lane = heap - found.start;
        let count = usize::from(found.missing_counts[lane]);
        if count > MISSING && common > usize::from(found.missing[lane][MISSING - 1]) {
            return false;
        }
        for rare in &found.missing[lane][..count.min(MISSING)] {
            let rare = usize::from(*rare);
            if rare > common {
                break;
            }
            if !self.shows(rare, work) {
                return false;
            }
        }
        for value in listed..common {
            if self.block.space.is_rare(heap, value) && !self.shows(value, work) {
                return false;
            }
        }
        true
    }

    /// Whether a value is found among the options.
    #[inline(always)]
    fn shows(&self, value: usize, work: &mut u64) -> bool {
        let heap = self.table.len();
        let value = T::of(value);
        *work += 4;
        if self.near.shows(chunk(self.table, heap - GROUP), value) {
            return true;
        }
        for (taken, allowed) in &self.engine.splits {
            let large = &self.table[heap - taken - self.block.compared.start / 3..];
            let small = &self.head[..self.head.len().saturating_sub(allowed.bound())];
            if is_sum(small, large, value) {
                return true;
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
