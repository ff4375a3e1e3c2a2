//! Which values the options of a cell have, and the least that none has.

use std::fmt::Debug;
use std::ops::{BitXor, Range};

/// The number type of a table's cells.
pub(super) trait Cell:
    Copy + Default + Debug + Eq + BitXor<Output = Self> + Into<u64>
{
    /// One stamp for every value of the type, or for as many as were needed so far.
    type Stamps: Debug;
    /// The cell that holds a value.
    fn new(value: u64) -> Option<Self>;
    fn no_stamps() -> Self::Stamps;
    fn stamp(stamps: &mut Self::Stamps, value: Self, epoch: u8);
    fn as_slice(stamps: &Self::Stamps) -> &[u8];
    fn as_mut_slice(stamps: &mut Self::Stamps) -> &mut [u8];
}

macro_rules! short_cell {
    ($cell:ty) => {
        impl Cell for $cell {
            type Stamps = Box<[u8; <$cell>::MAX as usize + 1]>;

            fn new(value: u64) -> Option<Self> {
                value.try_into().ok()
            }

            fn no_stamps() -> Self::Stamps {
                let stamps = vec![0; <$cell>::MAX as usize + 1].into_boxed_slice();
                stamps.try_into().expect("the length is that of the type")
            }

            #[inline]
            fn stamp(stamps: &mut Self::Stamps, value: Self, epoch: u8) {
                // The array is as long as the type is large: this needs no bounds check.
                stamps[usize::from(value)] = epoch;
            }

            fn as_slice(stamps: &Self::Stamps) -> &[u8] {
                &stamps[..]
            }

            fn as_mut_slice(stamps: &mut Self::Stamps) -> &mut [u8] {
                &mut stamps[..]
            }
        }
    };
}

short_cell!(u8);
short_cell!(u16);

impl Cell for u32 {
    type Stamps = Vec<u8>;

    fn new(value: u64) -> Option<Self> {
        value.try_into().ok()
    }

    fn no_stamps() -> Self::Stamps {
        vec![0; 1 << 17]
    }

    #[inline]
    fn stamp(stamps: &mut Self::Stamps, value: Self, epoch: u8) {
        let value = value as usize;
        if value >= stamps.len() {
            grow(stamps, value);
        }
        stamps[value] = epoch;
    }

    fn as_slice(stamps: &Self::Stamps) -> &[u8] {
        stamps
    }

    fn as_mut_slice(stamps: &mut Self::Stamps) -> &mut [u8] {
        stamps
    }
}

#[cold]
fn grow(stamps: &mut Vec<u8>, value: usize) {
    stamps.resize((value + 1).next_power_of_two(), 0);
}

/// The values that are marked as those of options of one cell.
///
/// A value is stamped with the cell's epoch. One byte for a stamp keeps the
/// stamps of a few ten thousand values in the first cache; after 255 cells
/// they are wiped.
#[derive(Debug)]
pub(super) struct Stamps<C: Cell> {
    bytes: C::Stamps,
    epoch: u8,
    /// No stamp from here on was ever set.
    used: usize,
}

impl<C: Cell> Stamps<C> {
    pub(super) fn new() -> Self {
        Self {
            bytes: C::no_stamps(),
            epoch: 0,
            used: 1,
        }
    }

    /// Forgets all marks. No value marked from now on, nor a nim-sum of such, is above the least
    /// number 2^j - 1 that is at least `largest`.
    #[inline]
    pub(super) fn clear(&mut self, largest: usize) {
        self.used = self.used.max((largest + 1).next_power_of_two());
        if self.epoch == u8::MAX {
            let stamps = C::as_mut_slice(&mut self.bytes);
            let used = self.used.min(stamps.len());
            stamps[..used].fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    #[inline]
    pub(super) fn mark(&mut self, value: C) {
        C::stamp(&mut self.bytes, value, self.epoch);
    }

    pub(super) fn is_marked(&self, value: usize) -> bool {
        C::as_slice(&self.bytes).get(value) == Some(&self.epoch)
    }

    /// The least value that is neither marked nor counted.
    pub(super) fn mex(&self, counts: &Counts) -> usize {
        let mut word = 0;
        for (place, &present) in counts.present.iter().enumerate() {
            let mut absent = !present;
            while absent != 0 {
                let value = place * 64 + absent.trailing_zeros() as usize;
                if !self.is_marked(value) {
                    return value;
                }
                absent &= absent - 1;
            }
            word = place + 1;
        }
        self.least_unmarked(word * 64)
    }

    fn least_unmarked(&self, from: usize) -> usize {
        let stamps = C::as_slice(&self.bytes);
        let rest = stamps.get(from..).unwrap_or(&[]);
        let all = u64::from_le_bytes([self.epoch; 8]);
        let mut value = from;
        let mut chunks = rest.chunks_exact(8);
        for chunk in &mut chunks {
            let chunk = u64::from_le_bytes(chunk.try_into().expect("chunks of 8"));
            let different = chunk ^ all;
            if different != 0 {
                return value + different.trailing_zeros() as usize / 8;
            }
            value += 8;
        }
        let tail = chunks.remainder();
        value
            + tail
                .iter()
                .take_while(|&&stamp| stamp == self.epoch)
                .count()
    }

    /// Marks `base ^ cells[i]` for the indices `start`, `start + step`, …
    pub(super) fn mark_run(&mut self, cells: &[C], base: C, run: Run) {
        match run.neighbours() {
            Some(neighbours) => {
                for &cell in &cells[neighbours] {
                    self.mark(base ^ cell);
                }
            }
            None => {
                let mut index = run.start;
                for _ in 0..run.count {
                    self.mark(base ^ cells[index as usize]);
                    index += run.step;
                }
            }
        }
    }

    /// Marks `base ^ cells[i] ^ cells[j]` for two runs of the same length in step.
    pub(super) fn mark_pairs(&mut self, cells: &[C], base: C, one: Run, other: Run) {
        let (mut one, mut other) = (one, other);
        if one.mirrors(other) {
            // Each pair comes twice.
            one.count = (one.count + 1) / 2;
            other.count = one.count;
        }
        let (Some(left), Some(right)) = (one.neighbours(), other.neighbours()) else {
            let (mut i, mut j) = (one.start, other.start);
            for _ in 0..one.count {
                self.mark(base ^ cells[i as usize] ^ cells[j as usize]);
                i += one.step;
                j += other.step;
            }
            return;
        };
        let (left, right) = (&cells[left], &cells[right]);
        if one.step == other.step {
            for (&x, &y) in left.iter().zip(right) {
                self.mark(base ^ x ^ y);
            }
        } else {
            for (&x, &y) in left.iter().zip(right.iter().rev()) {
                self.mark(base ^ x ^ y);
            }
        }
    }
}

/// `count` table indices from `start` on, `step` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: i64,
    pub(super) step: i64,
    pub(super) count: i64,
}

impl Run {
    pub(super) const EMPTY: Self = Self {
        start: 0,
        step: 1,
        count: 0,
    };

    /// The half-open range of the indices if they are neighbours.
    fn neighbours(self) -> Option<Range<usize>> {
        if self.count <= 0 {
            return Some(0..0);
        }
        match self.step {
            1 => Some(self.start as usize..(self.start + self.count) as usize),
            -1 => Some((self.start - self.count + 1) as usize..self.start as usize + 1),
            _ => None,
        }
    }

    fn last(self) -> i64 {
        self.start + self.step * (self.count - 1)
    }

    /// Whether the other run is this one backwards.
    fn mirrors(self, other: Self) -> bool {
        self.step == -other.step && self.start == other.last() && self.count == other.count
    }

    /// The same indices with a positive step.
    fn ascending(self) -> Self {
        if self.step >= 0 {
            return self;
        }
        Self {
            start: self.last(),
            step: -self.step,
            count: self.count,
        }
    }
}

/// How many of the options that are carried from cell to cell have each value.
///
/// The options of neighbouring cells under one rule are often nearly the same run of
/// table cells: then only the ends of the run are added and removed.
#[derive(Debug, Default)]
pub(super) struct Counts {
    counts: Vec<u32>,
    /// Bit v says whether the count of v is positive.
    present: Vec<u64>,
}

impl Counts {
    fn add(&mut self, value: usize) {
        if value >= self.counts.len() {
            let len = (value + 1).next_multiple_of(64);
            self.counts.resize(len, 0);
            self.present.resize(len / 64, 0);
        }
        if self.counts[value] == 0 {
            self.present[value / 64] |= 1 << (value % 64);
        }
        self.counts[value] += 1;
    }

    fn remove(&mut self, value: usize) {
        self.counts[value] -= 1;
        if self.counts[value] == 0 {
            self.present[value / 64] &= !(1 << (value % 64));
        }
    }

    /// Whether a value is counted.
    pub(super) fn contains(&self, value: usize) -> bool {
        self.counts.get(value).is_some_and(|&count| count > 0)
    }
}

/// The run of one rule that is carried from cell to cell.
#[derive(Debug)]
pub(super) struct Window {
    run: Run,
    /// How much more work carrying was than marking afresh would have been, in all; negative
    /// where it was less. A rare leap is paid for by what the steps between the leaps saved.
    waste: i64,
    given_up: bool,
}

/// Carrying is given up when it has wasted this many steps.
const TOO_MUCH_WASTE: i64 = 512;

impl Window {
    pub(super) fn new() -> Self {
        Self {
            run: Run::EMPTY,
            waste: 0,
            given_up: false,
        }
    }

    /// Makes `run` the run that is carried. False if that is not worth while: then the run has
    /// to be marked, and nothing is carried.
    pub(super) fn slide<C: Cell>(&mut self, run: Run, cells: &[C], counts: &mut Counts) -> bool {
        if self.given_up {
            return false;
        }
        let new = if run.count <= 0 {
            Run {
                count: 0,
                ..self.run
            }
        } else {
            run.ascending()
        };
        let old = self.run;
        let aligned = old.count > 0
            && new.count > 0
            && old.step == new.step
            && new.step > 0
            && (new.start - old.start) % new.step == 0;
        // Where the new run begins and ends, counted in steps from the beginning of the old one.
        let (from, to) = if aligned {
            let from = (new.start - old.start) / new.step;
            (from, from + new.count)
        } else {
            (i64::MAX, i64::MAX)
        };
        let kept = (from.min(old.count).max(0), to.min(old.count).max(0));
        let mut work = 0;
        let mut each = |run: Run, from: i64, to: i64, change: fn(&mut Counts, usize)| {
            for place in from..to {
                let cell: u64 = cells[(run.start + run.step * place) as usize].into();
                change(counts, cell as usize);
            }
            work += (to - from).max(0);
        };
        each(old, 0, kept.0, Counts::remove);
        each(old, kept.1.max(kept.0), old.count, Counts::remove);
        if aligned {
            // The part before the old run, and the part behind it.
            each(new, 0, (-from).clamp(0, new.count), Counts::add);
            each(
                new,
                (old.count - from).clamp(0, new.count),
                new.count,
                Counts::add,
            );
        } else {
            each(new, 0, new.count, Counts::add);
        }
        self.run = new;
        self.waste += work - new.count;
        if self.waste > TOO_MUCH_WASTE {
            self.given_up = true;
            let mut each = |place: i64| {
                let cell: u64 = cells[(new.start + new.step * place) as usize].into();
                counts.remove(cell as usize);
            };
            (0..new.count).for_each(&mut each);
            self.run = Run::EMPTY;
            return false;
        }
        true
    }
}
