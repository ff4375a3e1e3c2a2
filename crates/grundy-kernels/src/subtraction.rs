//! Finite subtraction sets.
//!
//! The value of a heap as one bit: `1 << g`. The bits of all options together are their set, and its
//! mex is the lowest bit that is missing: `!m & (m + 1)`. So a heap costs one load and one *or* for
//! each take, and heaps that are no options of each other are computed side by side: those of 64
//! heaps for takes from 64 on, those of 8 heaps for takes from 8 on.
//!
//! For large sets there is a row of bits for each value instead: heaps that have an option of
//! that value. A new heap adds the whole set to one row, whatever the size of the set.

use crate::level::{Job, Level};
use crate::values::{Column, Values};

/// How many heaps are computed side by side.
const LANES: usize = 64;
/// How many heaps are computed side by side for smaller takes.
const FEW: usize = 8;
/// How many heaps are computed between two reports of work.
const PIECE: usize = 1 << 14;

/// The game of taking a member of a finite set of positive numbers.
#[derive(Clone, Debug)]
pub struct Subtraction {
    level: Level,
    /// Ascending, each once.
    takes: Vec<usize>,
}

impl Subtraction {
    /// The game with these takes.
    ///
    /// # Panics
    ///
    /// If 0 is one of them.
    pub fn new(mut takes: Vec<usize>, level: Level) -> Self {
        takes.sort_unstable();
        takes.dedup();
        assert!(takes.first() != Some(&0), "to take nothing is no move");
        Self { level, takes }
    }

    /// Appends values until there are `count`; `spend` hears of the work and may stop it.
    pub fn extend<E>(
        &self,
        values: &mut Values,
        count: usize,
        spend: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        if count <= values.len() + FEW * LANES {
            self.one_by_one(values, count, spend)?;
        }
        while values.len() < count {
            let start = values.len();
            let mut most = 0;
            values.for_each(start.saturating_sub(self.largest())..start, |value| {
                most = value.max(most);
            });
            let end = count.min(start + PIECE.max(2 * self.largest()));
            if most < 64 && self.lanes_are_faster(most) {
                match most {
                    0..8 => self.lanes::<u8>(values, end),
                    8..16 => self.lanes::<u16>(values, end),
                    16..32 => self.lanes::<u32>(values, end),
                    _ => self.lanes::<u64>(values, end),
                }
                if values.len() == start {
                    // The next value is too large for a bit of this width.
                    self.one_by_one(values, start + 1, spend)?;
                }
            } else {
                self.rows(values, end);
            }
            spend((values.len() - start) as u64 * (1 + self.takes.len() as u64 / 16))?;
        }
        Ok(())
    }

    fn largest(&self) -> usize {
        self.takes.last().copied().unwrap_or(0)
    }

    /// Whether the cost of a heap in lanes, in vectors of 64 bytes, is below that in rows.
    fn lanes_are_faster(&self, most: u64) -> bool {
        let bytes = match most {
            0..8 => 1,
            8..16 => 2,
            16..32 => 4,
            _ => 8,
        };
        let near = self.takes.partition_point(|take| *take < FEW);
        let lanes = self.takes.len() * bytes / 64 + near;
        lanes <= 16 + self.largest() / 128 + usize::try_from(most).expect("below 64")
    }

    /// For a few values: by the definition.
    fn one_by_one<E>(
        &self,
        values: &mut Values,
        count: usize,
        spend: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut seen = vec![0; self.takes.len() + 1];
        for heap in values.len()..count {
            let reach = self.takes.partition_point(|take| *take <= heap);
            for take in &self.takes[..reach] {
                let value = usize::try_from(values.at(heap - take));
                // Values never exceed the number of takes.
                seen[value.expect("it is at most the number of takes")] = heap + 1;
            }
            let mex = seen.iter().position(|last| *last != heap + 1);
            values.push(mex.expect("there are more values than takes") as u64);
            spend(1 + reach as u64)?;
        }
        Ok(())
    }

    /// Appends values up to `end`, or up to one that has no bit in `B`.
    fn lanes<B: Bits>(&self, values: &mut Values, end: usize) {
        let Column::U8(table) = &mut values.0 else {
            unreachable!("values below 64 are kept in bytes");
        };
        self.level.run(Lanes::<B> {
            takes: &self.takes,
            table,
            end,
            _bits: std::marker::PhantomData,
        });
    }

    /// Appends values up to `end` by rows of bits.
    fn rows(&self, values: &mut Values, end: usize) {
        let start = values.len();
        let mut rows = Rows::new(&self.takes, start, end);
        for heap in start.saturating_sub(self.largest())..start {
            let value =
                usize::try_from(values.at(heap)).expect("it is at most the number of takes");
            rows.add(heap, value, self.level);
        }
        for heap in start..end {
            let value = rows.mex(heap);
            values.push(value as u64);
            rows.add(heap, value, self.level);
        }
    }
}

/// A set of small values as the bits of an integer.
trait Bits: Copy + Default + PartialEq + Send + Sync {
    /// The value that this bit stands for; anything for no bit.
    fn value(self) -> u8;
    fn of(value: u8) -> Self;
    fn union(self, other: Self) -> Self;
    /// The lowest bit that is missing; no bit if none is.
    fn lowest_missing(self) -> Self;
    const NONE: Self;
}

macro_rules! bits {
    ($($type:ty),*) => {$(
        impl Bits for $type {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation)] // At most 64.
            fn value(self) -> u8 {
                // The bits below a bit are as many as its place: this is a vector operation.
                self.wrapping_sub(1).count_ones() as u8
            }
            #[inline(always)]
            fn of(value: u8) -> Self {
                1 << value
            }
            #[inline(always)]
            fn union(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn lowest_missing(self) -> Self {
                !self & self.wrapping_add(1)
            }
            const NONE: Self = 0;
        }
    )*};
}
bits!(u8, u16, u32, u64);

struct Lanes<'a, B> {
    takes: &'a [usize],
    table: &'a mut Vec<u8>,
    end: usize,
    _bits: std::marker::PhantomData<B>,
}

impl<B: Bits> Job for Lanes<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            takes, table, end, ..
        } = self;
        let largest = takes.last().copied().unwrap_or(0);
        let near = takes.partition_point(|take| *take < FEW);
        let middle = takes.partition_point(|take| *take < LANES);
        let (near, far) = (&takes[..near], (&takes[near..middle], &takes[middle..]));
        let start = table.len();
        // The heaps from `start - largest` on, in bits; there are no options below heap 0.
        let mut bits = vec![B::NONE; largest];
        for (bit, value) in bits.iter_mut().rev().zip(table.iter().rev()) {
            *bit = B::of(*value);
        }
        bits.resize(largest + (end - start).next_multiple_of(LANES), B::NONE);
        let mut at = largest;
        while at < bits.len() {
            let mut union = [B::NONE; LANES];
            for take in far.1 {
                let options = chunk::<B, LANES>(&bits, at - take);
                for lane in 0..LANES {
                    union[lane] = union[lane].union(options[lane]);
                }
            }
            if middle == 0 {
                for lane in 0..LANES {
                    bits[at + lane] = union[lane].lowest_missing();
                }
            } else {
                for group in (0..LANES).step_by(FEW) {
                    let mut few: [B; FEW] = union[group..group + FEW]
                        .try_into()
                        .expect("it has this length");
                    for take in far.0 {
                        let options = chunk::<B, FEW>(&bits, at + group - take);
                        for lane in 0..FEW {
                            few[lane] = few[lane].union(options[lane]);
                        }
                    }
                    for lane in 0..FEW {
                        let place = at + group + lane;
                        let all = near
                            .iter()
                            .fold(few[lane], |all, take| all.union(bits[place - take]));
                        bits[place] = all.lowest_missing();
                    }
                }
            }
            let found = chunk::<B, LANES>(&bits, at);
            if found.contains(&B::NONE) {
                break;
            }
            let mut block = [0; LANES];
            for lane in 0..LANES {
                block[lane] = found[lane].value();
            }
            let wanted = LANES.min(end - table.len());
            table.extend_from_slice(&block[..wanted]);
            at += LANES;
        }
        // The block with a value that has no bit is right up to it.
        for place in at..bits.len() {
            if bits[place] == B::NONE || table.len() == end {
                break;
            }
            table.push(bits[place].value());
        }
    }
}

#[inline(always)]
fn chunk<T, const N: usize>(all: &[T], from: usize) -> &[T; N] {
    all[from..from + N].try_into().expect("it has this length")
}

/// For each value the heaps that have an option of it.
struct Rows {
    /// Bit `s` for each take `s`.
    takes: Vec<u64>,
    /// The heap of the first bit of each row, a multiple of 64.
    base: usize,
    stride: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(takes: &[usize], start: usize, end: usize) -> Self {
        let largest = takes.last().copied().unwrap_or(0);
        let mut set = vec![0; largest / 64 + 1];
        for take in takes {
            set[take / 64] |= 1 << (take % 64);
        }
        let base = start.saturating_sub(largest) / 64 * 64;
        Self {
            takes: set,
            base,
            stride: (end + largest - base) / 64 + 2,
            bits: Vec::new(),
        }
    }

    /// Notes that all heaps with this one among their options have an option of this value.
    fn add(&mut self, heap: usize, value: usize, level: Level) {
        let from = value * self.stride;
        if from >= self.bits.len() {
            self.bits.resize(from + self.stride, 0);
        }
        let place = from + (heap - self.base) / 64;
        level.run(Shifted {
            row: &mut self.bits[place..=place + self.takes.len()],
            set: &self.takes,
            shift: heap % 64,
        });
    }

    fn mex(&self, heap: usize) -> usize {
        let (word, bit) = ((heap - self.base) / 64, heap % 64);
        let mut value = 0;
        while self
            .bits
            .get(value * self.stride + word)
            .is_some_and(|row| row >> bit & 1 == 1)
        {
            value += 1;
        }
        value
    }
}

/// Adds a shifted set of bits to a row that is one word longer.
struct Shifted<'a> {
    row: &'a mut [u64],
    set: &'a [u64],
    shift: usize,
}

impl Job for Shifted<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { row, set, shift } = self;
        let words = set.len();
        row[0] |= set[0] << shift;
        // Two shifts, for one by 64 is no shift.
        for place in 1..words {
            row[place] |= set[place] << shift | set[place - 1] >> 1 >> (63 - shift);
        }
        row[words] |= set[words - 1] >> 1 >> (63 - shift);
    }
}
