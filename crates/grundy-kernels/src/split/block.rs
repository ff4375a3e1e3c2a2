//! Many heaps of a sparse space at a time.
//!
//! For each value `w` there is a row of bits: the heaps that have it, as far back as a window reaches. A rare
//! heap `r` of value `u`, and a take of `k`, make `u ^ w` an option of all heaps `n` for which heap
//! `n - (k + r)` has the value `w`: the row of `w`, moved by the *shift* `k + r`. So a set of heaps
//! that have an option of value `v` is a union of moved rows, 64 heaps or more in each operation.
//!
//! Of each heap in a block, a *lane*, this gives the two least common values that no option with a rare part
//! in the window has, the *candidates*, and the rare values below for which no option was found, to be
//! looked for one by one. Three kinds of option are left out by the rows, and looked at later: takes; rare parts
//! with a shift beyond the window, for which candidates are compared with the table itself; and those of which
//! a part is a heap of the block itself.

use super::Split;
use super::rules::Allowed;
use super::scan::chunk;
use super::space::Space;
use crate::level::Job;
use crate::values::Cell;

/// The most heaps of a block.
const MOST_LANES: usize = 512;
/// The most candidates of each lane.
const CANDIDATES: usize = 8;
/// How many missing rare values are kept of each lane.
const MISSING: usize = 31;
/// About how many bits all windows together have.
const WINDOW_BITS: usize = 1 << 21;
/// How many small heaps of each value serve to show that rare values are options.
const HELPERS: usize = 32;
/// How many moved rows are tried for a rare value. What they do not show is shown otherwise.
const TRIES: usize = 256;
/// How many lanes are compared with the table at a time.
const GROUP: usize = 64;

/// The state of an engine that finds the values of many heaps at a time.
#[derive(Clone, Debug)]
pub(super) struct Block {
    space: Space,
    lanes: usize,
    /// How many candidates are looked for: the more, the more a heap without one costs.
    wanted: usize,
    /// All values of the rows and their nim-sums are below this power of two.
    values: usize,
    /// How many bits of a row count.
    window: usize,
    /// How many words a row takes.
    stride: usize,
    /// The heap of the first bit of each row, a multiple of 64.
    base: usize,
    rows: Vec<u64>,
    /// The values that occur, the most frequent one first.
    frequent: Vec<usize>,
    /// Whether a value is among them.
    occurs: Vec<bool>,
    /// For each value, the shifts of the rare heaps that have it, in the window.
    rares: Lists,
    /// For each value, the shifts of some small heaps that have it.
    helpers: Lists,
    /// All rare parts, ascending by their shifts.
    parts: Vec<Part>,
    stale: bool,
    found: Found,
}

/// A rare heap that may be left, for one of the takes.
#[derive(Clone, Copy, Debug)]
struct Part {
    shift: usize,
    value: u16,
    split: u16,
}

/// Lists of shifts, one for each value.
#[derive(Clone, Debug)]
struct Lists {
    starts: Vec<u32>,
    shifts: Vec<u32>,
}

/// What is known of the heaps of a block.
#[derive(Clone, Debug)]
struct Found {
    /// The first heap.
    start: usize,
    /// Whether some pair with a rare part is no option.
    conditional: Vec<bool>,
    candidates: Vec<[u16; CANDIDATES]>,
    candidate_count: Vec<u8>,
    /// How many candidates are options with a far heap, as far as was looked.
    fallen: Vec<u8>,
    /// Whether the next one is no such option.
    stands: Vec<bool>,
    missing: Vec<[u16; MISSING]>,
    /// If there are more than there is room for, only the least are listed.
    missing_count: Vec<u8>,
}

impl Lists {
    fn new(mut items: Vec<(usize, usize)>, values: usize, most: usize) -> Self {
        items.sort_unstable();
        let mut starts = vec![0];
        let mut shifts = Vec::new();
        let mut next = 0;
        for value in 0..values {
            let end = items[next..].partition_point(|(owner, _)| *owner == value) + next;
            let list = items[next..end].iter().take(most);
            shifts.extend(list.map(|(_, shift)| u32::try_from(*shift).expect("in the window")));
            starts.push(u32::try_from(shifts.len()).expect("few shifts"));
            next = end;
        }
        Self { starts, shifts }
    }

    #[inline(always)]
    fn of(&self, value: usize) -> &[u32] {
        &self.shifts[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

impl Block {
    /// An engine that goes on after this table, if the rules and the values allow one.
    pub fn new<T: Cell>(engine: &Split, space: Space, table: &[T]) -> Option<Self> {
        let most = table.iter().max()?.index();
        let values = (most + 1).next_power_of_two().max(64);
        let window = (WINDOW_BITS / values).min(table.len() / 4) / MOST_LANES * MOST_LANES;
        if window < MOST_LANES || values > 1 << 14 {
            return None;
        }
        let (mut rares, mut helpers, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (split, (taken, allowed)) in engine.splits.iter().enumerate() {
            if allowed.of_most() != Some(true) || *taken >= window || allowed.bound() >= window / 2
            {
                return None;
            }
            for heap in &engine.rares {
                let (shift, value) = (taken + heap, table[*heap].index());
                if shift < window {
                    if !allowed.with_large(*heap)? {
                        continue;
                    }
                    rares.push((value, shift));
                }
                parts.push(Part::new(shift, value, split));
            }
            for heap in 1..window - taken {
                if allowed.with_large(heap)? {
                    helpers.push((table[heap].index(), taken + heap));
                }
            }
        }
        parts.sort_unstable_by_key(|part| part.shift);
        let mut counts: Vec<(usize, usize)> = (0..values).map(|value| (0, value)).collect();
        for value in &table[table.len() / 2..] {
            counts[value.index()].0 += 1;
        }
        let occurs = counts.iter().map(|(count, _)| *count > 0).collect();
        counts.retain(|(count, _)| *count > 0);
        counts.sort_unstable_by_key(|(count, value)| (usize::MAX - count, *value));
        let lanes = cheapest_lanes(
            &parts[..parts.partition_point(|part| part.shift < window)],
            counts.len(),
        );
        let base = (table.len() - window) / 64 * 64;
        let stride = (2 * window + MOST_LANES) / 64 + 2;
        let mut block = Self {
            space,
            lanes,
            wanted: (parts.len() / 160).clamp(2, CANDIDATES),
            values,
            window,
            stride,
            base,
            rows: vec![0; values * stride],
            frequent: counts.into_iter().map(|(_, value)| value).collect(),
            occurs,
            rares: Lists::new(rares, values, usize::MAX),
            helpers: Lists::new(helpers, values, HELPERS),
            parts,
            stale: false,
            found: Found {
                start: 0,
                conditional: vec![false; lanes],
                candidates: vec![[0; CANDIDATES]; lanes],
                candidate_count: vec![0; lanes],
                fallen: vec![0; lanes],
                stands: vec![false; lanes],
                missing: vec![[0; MISSING]; lanes],
                missing_count: vec![0; lanes],
            },
        };
        for (heap, value) in table.iter().enumerate().skip(base) {
            block.set(heap, value.index());
        }
        Some(block)
    }

    /// Whether a block may start at this heap.
    pub fn starts_at(&self, heap: usize) -> bool {
        heap.is_multiple_of(self.lanes)
    }

    /// How many heaps it has.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Whether a value appeared that the rows have no room for.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    fn set(&mut self, heap: usize, value: usize) {
        let place = heap - self.base;
        self.rows[value * self.stride + place / 64] |= 1 << (place % 64);
    }

    /// Takes note of the value of the next heap.
    pub fn note(&mut self, heap: usize, value: usize, is_rare: bool, splits: &[(usize, Allowed)]) {
        if value >= self.values {
            self.stale = true;
            return;
        }
        if heap - self.base >= self.stride * 64 - 128 {
            self.slide(heap);
        }
        self.set(heap, value);
        if !self.occurs[value] {
            self.occurs[value] = true;
            self.frequent.push(value);
        }
        if is_rare {
            let takes = splits.iter().enumerate();
            self.parts
                .extend(takes.map(|(split, (taken, _))| Part::new(taken + heap, value, split)));
            // All others are smaller, but for the ones of the largest takes.
            self.parts.sort_by_key(|part| part.shift);
        }
    }

    /// Forgets what no window reaches any more.
    fn slide(&mut self, heap: usize) {
        let base = (heap - self.window - MOST_LANES) / 64 * 64;
        let words = (base - self.base) / 64;
        for row in self.rows.chunks_exact_mut(self.stride) {
            row.copy_within(words.., 0);
            row[self.stride - words..].fill(0);
        }
        self.base = base;
    }

    /// Finds candidates and missing values of the heaps of the next block; returns the work.
    pub fn find<T: Cell>(&mut self, engine: &Split, table: &[T]) -> u64 {
        let start = table.len();
        if start + self.lanes - self.base >= self.stride * 64 - 128 {
            self.slide(start);
        }
        self.found.start = start;
        self.found.candidate_count.fill(0);
        self.found.missing_count.fill(0);
        let mut found = std::mem::replace(&mut self.found, Found::empty());
        let level = engine.level;
        let tries = match self.lanes {
            64 => level.run(Windows::<1> {
                block: self,
                found: &mut found,
            }),
            128 => level.run(Windows::<2> {
                block: self,
                found: &mut found,
            }),
            256 => level.run(Windows::<4> {
                block: self,
                found: &mut found,
            }),
            _ => level.run(Windows::<8> {
                block: self,
                found: &mut found,
            }),
        };
        let known = &self.parts[self.known(self.window)..self.known(start)];
        found.conditional.fill(false);
        self.for_each_exception(known, &engine.splits, start, |lane| {
            found.conditional[lane] = true;
        });
        let compared = level.run(Compare {
            table,
            parts: known,
            found: &mut found,
        });
        self.found = found;
        2 * tries + compared
    }

    /// How many parts have only partners before a heap.
    fn known(&self, heap: usize) -> usize {
        self.parts.partition_point(|part| part.shift < heap)
    }

    /// Calls `see` with each lane that cannot be split into one of the parts and the rest, because of
    /// the size of the rest or of the difference.
    fn for_each_exception(
        &self,
        parts: &[Part],
        splits: &[(usize, Allowed)],
        start: usize,
        mut see: impl FnMut(usize),
    ) {
        for part in parts {
            let (taken, allowed) = &splits[usize::from(part.split)];
            let (heap, bound) = (part.shift - taken, allowed.bound());
            let twice = part.shift + heap;
            let nearly_equal = twice.saturating_sub(bound)..=twice + bound;
            let small = part.shift + 1..=part.shift + bound;
            let reaches = |range: &std::ops::RangeInclusive<usize>| {
                *range.end() >= start && *range.start() < start + self.lanes
            };
            if allowed.is_everything() || !(reaches(&nearly_equal) || reaches(&small)) {
                continue;
            }
            for lane in 0..self.lanes {
                let whole = start + lane;
                let looks = nearly_equal.contains(&whole) || small.contains(&whole);
                if looks && !allowed.pair(heap, whole - part.shift) {
                    see(lane);
                }
            }
        }
    }

    /// Calls `see` with the shift and the value of each rare part that candidates were not compared
    /// with; returns the work.
    pub fn for_each_late(
        &self,
        lane: usize,
        splits: &[(usize, Allowed)],
        mut see: impl FnMut(usize, usize),
    ) -> u64 {
        let near = self.known(lane + 1);
        for part in &self.parts[..near] {
            see(part.shift, part.value.into());
        }
        let heap = self.found.start + lane;
        let late = self.parts[self.known(self.found.start)..].iter();
        for part in late.take_while(|part| part.shift < heap) {
            let (taken, allowed) = &splits[usize::from(part.split)];
            if allowed.pair(part.shift - taken, heap - part.shift) {
                see(part.shift, part.value.into());
            }
        }
        near as u64 / 2
    }

    /// Calls `see` with the shift and the value of all other rare parts of a heap; returns the work.
    pub fn for_each_compared(
        &self,
        lane: usize,
        splits: &[(usize, Allowed)],
        mut see: impl FnMut(usize, usize),
    ) -> u64 {
        let heap = self.found.start + lane;
        let parts = &self.parts[self.known(self.window)..self.known(self.found.start)];
        for part in parts {
            let (taken, allowed) = &splits[usize::from(part.split)];
            if !self.found.conditional[lane] || allowed.pair(part.shift - taken, heap - part.shift)
            {
                see(part.shift, part.value.into());
            }
        }
        parts.len() as u64 / 2
    }

    /// The least candidate of a lane that no option has, as far as was compared; `None` where that is
    /// not known.
    pub fn standing(&self, lane: usize) -> Option<usize> {
        let found = &self.found;
        let fallen = usize::from(found.fallen[lane]);
        // Where pairs with a far heap may be no options, the comparison may have gone too far.
        let is_sure = found.stands[lane] && (fallen == 0 || !found.conditional[lane]);
        self.candidates(lane).nth(fallen).filter(|_| is_sure)
    }

    /// The candidates of a lane, ascending: all common values that may be no options, up to the last
    /// one.
    pub fn candidates(&self, lane: usize) -> impl Iterator<Item = usize> {
        let count = usize::from(self.found.candidate_count[lane]);
        let candidates = self.found.candidates[lane][..count].iter();
        candidates.map(|value| usize::from(*value))
    }

    /// Whether all rare values below this one are known for which no option was found.
    pub fn knows_missing(&self, lane: usize, below: usize) -> bool {
        let found = &self.found;
        usize::from(found.missing_count[lane]) <= MISSING
            || below < usize::from(found.missing[lane][MISSING - 1])
    }

    /// The rare values of a lane for which no option was found, below its last candidate.
    pub fn missing(&self, lane: usize) -> impl Iterator<Item = usize> {
        let count = usize::from(self.found.missing_count[lane]).min(MISSING);
        self.found.missing[lane][..count]
            .iter()
            .map(|value| usize::from(*value))
    }
}

impl Found {
    fn empty() -> Self {
        Self {
            start: 0,
            conditional: Vec::new(),
            candidates: Vec::new(),
            candidate_count: Vec::new(),
            fallen: Vec::new(),
            stands: Vec::new(),
            missing: Vec::new(),
            missing_count: Vec::new(),
        }
    }
}

/// How many lanes cost least: many share the moved rows, few leave few parts to be looked at late.
fn cheapest_lanes(parts: &[Part], values: usize) -> usize {
    let rows = values * (parts.len() + 64) / 4;
    let cost = |lanes: usize| {
        let near = &parts[..parts.partition_point(|part| part.shift < lanes)];
        let late: usize = near.iter().map(|part| lanes - part.shift).sum();
        (5 * rows + 6 * late) / lanes
    };
    [64, 128, 256, 512]
        .into_iter()
        .min_by_key(|lanes| cost(*lanes))
        .expect("there are some")
}

impl Part {
    fn new(shift: usize, value: usize, split: usize) -> Self {
        Self {
            shift,
            value: u16::try_from(value).expect("few values"),
            split: u16::try_from(split).expect("few takes that split"),
        }
    }
}

/// Finds what options with both parts in the window say.
struct Windows<'a, const WORDS: usize> {
    block: &'a Block,
    found: &'a mut Found,
}

impl<const WORDS: usize> Job for Windows<'_, WORDS> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { block, found } = self;
        let offset = found.start - block.base;
        let mut tries = 0;
        // Lanes that still need candidates, and those that have at least 1, 2, ….
        let mut open = [u64::MAX; WORDS];
        let mut counts = [[0u64; WORDS]; CANDIDATES];
        for value in 0..block.values {
            // Lanes begin at an even heap.
            let [even, odd] = [0, 1].map(|heap| block.space.is_rare(heap, value));
            let rare = if even { EVEN } else { 0 } | if odd { !EVEN } else { 0 };
            let mut left = open;
            let mut budget = TRIES;
            for other in &block.frequent {
                let row = &block.rows[other * block.stride..][..block.stride];
                let mut changed = false;
                if rare != u64::MAX {
                    let shifts = block.rares.of(value ^ other);
                    changed |= !shifts.is_empty();
                    tries += shifts.len() as u64;
                    remove_moved(&mut left, row, offset, shifts);
                }
                if rare != 0 && budget > 0 {
                    let shifts = block.helpers.of(value ^ other);
                    let shifts = &shifts[..shifts.len().min(budget)];
                    changed |= !shifts.is_empty();
                    tries += shifts.len() as u64;
                    budget -= shifts.len();
                    remove_moved(&mut left, row, offset, shifts);
                }
                if changed && left.iter().fold(0, |all, word| all | word) == 0 {
                    break;
                }
                if rare == u64::MAX && budget == 0 {
                    break;
                }
            }
            for word in 0..WORDS {
                for_each_bit(left[word] & rare, |bit| {
                    found.add_missing(64 * word + bit, value);
                });
                let candidates = left[word] & !rare;
                for_each_bit(candidates, |bit| {
                    found.add_candidate(64 * word + bit, value);
                });
                let mut more = candidates;
                for count in &mut counts {
                    (count[word], more) = (count[word] | more, count[word] & more);
                }
                open[word] &= !counts[block.wanted - 1][word];
            }
            if open.iter().fold(0, |all, word| all | word) == 0 {
                break;
            }
        }
        tries
    }
}

/// The even places.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Removes from the lanes the bits of a row, moved by each of the shifts.
#[inline(always)]
fn remove_moved<const WORDS: usize>(
    left: &mut [u64; WORDS],
    row: &[u64],
    offset: usize,
    shifts: &[u32],
) {
    let mut hit = [0u64; WORDS];
    for shift in shifts {
        let first = offset - *shift as usize;
        let (word, bit) = (first / 64, first % 64);
        let low: &[u64; WORDS] = chunk(row, word);
        let high: &[u64; WORDS] = chunk(row, word + 1);
        for lane in 0..WORDS {
            hit[lane] |= low[lane] >> bit | high[lane] << 1 << (63 - bit);
        }
    }
    for lane in 0..WORDS {
        left[lane] &= !hit[lane];
    }
}

#[inline(always)]
fn for_each_bit(mut word: u64, mut see: impl FnMut(usize)) {
    while word != 0 {
        see(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

impl Found {
    #[inline(always)]
    fn add_candidate(&mut self, lane: usize, value: usize) {
        let count = &mut self.candidate_count[lane];
        self.candidates[lane][usize::from(*count)] = u16::try_from(value).expect("few values");
        *count += 1;
    }

    #[inline(always)]
    fn add_missing(&mut self, lane: usize, value: usize) {
        let count = &mut self.missing_count[lane];
        if let Some(place) = self.missing[lane].get_mut(usize::from(*count)) {
            *place = u16::try_from(value).expect("few values");
        }
        *count = count.saturating_add(1);
    }
}

/// Looks for the first candidate of each lane that is no option with a far heap.
struct Compare<'a, T> {
    table: &'a [T],
    parts: &'a [Part],
    found: &'a mut Found,
}

impl<T: Cell> Job for Compare<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self {
            table,
            parts,
            found,
        } = self;
        let mut work = 0;
        found.fallen.fill(0);
        for group in (0..found.candidates.len()).step_by(GROUP) {
            let start = found.start + group;
            for round in 0..CANDIDATES {
                let mut candidates = [T::default(); GROUP];
                for lane in 0..GROUP {
                    let place = usize::from(found.fallen[group + lane]).min(CANDIDATES - 1);
                    let candidate = found.candidates[group + lane][place];
                    // A candidate that fits no cell is no option.
                    candidates[lane] = T::try_from(u64::from(candidate)).ok().unwrap_or_default();
                }
                let mut least = [T::MAX; GROUP];
                work += parts.len() as u64;
                for part in parts {
                    let value = T::of(part.value.into());
                    let others: &[T; GROUP] = chunk(table, start - part.shift);
                    for lane in 0..GROUP {
                        least[lane] = least[lane].min(others[lane] ^ candidates[lane] ^ value);
                    }
                }
                let mut failed = 0;
                for lane in 0..GROUP {
                    let fails = least[lane] == T::default()
                        && found.fallen[group + lane] < found.candidate_count[group + lane];
                    found.fallen[group + lane] += u8::from(fails);
                    found.stands[group + lane] = least[lane] != T::default();
                    failed += usize::from(fails);
                }
                // The few that are left are cheaper alone.
                if failed <= GROUP / 16 || round + 1 == CANDIDATES {
                    break;
                }
            }
        }
        work
    }
}
