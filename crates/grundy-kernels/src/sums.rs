//! Values of sums of two and of three heaps.

use std::iter::StepBy;
use std::ops::RangeInclusive;

use crate::level::{Job, Level};
use crate::split::scan;
use crate::values::{Cell, Column, Values};

/// How many sums of three heaps are looked at side by side.
const LANES: usize = 64;

/// The values of all sums of two non-empty heaps, for each number that the two add up to.
///
/// Row `m` is the set `{ g(a) xor g(m - a) : 0 < a < m }`, one bit for each value. Rows serve for
/// sums of three heaps: one that adds up to `m` has the value `v` iff, for its smallest heap `a`, row
/// `m - a` has the bit `v xor g(a)`. So to look for one value costs a bit for each `a` up to `m / 3`.
#[derive(Clone, Debug)]
pub struct Pairs {
    level: Level,
    /// How many words each row takes, a power of two.
    stride: usize,
    words: Vec<u64>,
    /// Room for marks, all clear.
    marks: Vec<u8>,
}

impl Pairs {
    /// No row yet.
    pub fn new(level: Level) -> Self {
        Self {
            level,
            stride: 1,
            words: Vec::new(),
            marks: vec![0; 64],
        }
    }

    /// How many rows there are: those of the numbers below.
    pub fn len(&self) -> usize {
        self.words.len() / self.stride
    }

    /// Whether there is no row yet.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The row of a number: bit `v % 64` of word `v / 64` says whether a sum has the value `v`.
    ///
    /// # Panics
    ///
    /// If there is none yet.
    pub fn row(&self, total: usize) -> &[u64] {
        &self.words[total * self.stride..][..self.stride]
    }

    /// How many bytes the next row takes, with what older rows grow by.
    pub fn next_bytes(&self, values: &Values) -> u64 {
        let stride = self.next_stride(values);
        8 * ((self.len() + 1) * stride - self.words.len()) as u64
    }

    /// All values are below `64 * stride`, and so are their nim-sums.
    fn next_stride(&self, values: &Values) -> usize {
        let last = self.len().checked_sub(1).map_or(0, |heap| values.at(heap));
        let last = usize::try_from(last).expect("a row of so many bits fits the memory");
        (last / 64 + 1).next_power_of_two().max(self.stride)
    }

    /// Adds the row of the next number.
    ///
    /// # Panics
    ///
    /// If a smaller heap has no value.
    pub fn push(&mut self, values: &Values) {
        self.widen(self.next_stride(values));
        let total = self.len();
        let from = self.words.len();
        self.words.resize(from + self.stride, 0);
        let row = &mut self.words[from..];
        let marks = &mut self.marks;
        match &values.0 {
            Column::U8(table) => self.level.run(Row {
                table,
                total,
                bits: row,
                marks,
            }),
            Column::U16(table) => self.level.run(Row {
                table,
                total,
                bits: row,
                marks,
            }),
            Column::U32(table) => self.level.run(Row {
                table,
                total,
                bits: row,
                marks,
            }),
            Column::U64(_) => unreachable!("rows of 2^32 bits"),
        }
    }

    /// Takes a row that was computed before as the next one; zeros at its end may be missing.
    pub fn adopt(&mut self, row: &[u64]) {
        self.widen(row.len().next_power_of_two());
        self.words.extend(row);
        self.words
            .resize(self.words.len() + self.stride - row.len(), 0);
    }

    fn widen(&mut self, stride: usize) {
        if stride <= self.stride {
            return;
        }
        let mut words = vec![0; self.len() * stride];
        let rows = words.chunks_exact_mut(stride);
        for (wide, narrow) in rows.zip(self.words.chunks_exact(self.stride)) {
            wide[..narrow.len()].copy_from_slice(narrow);
        }
        (self.stride, self.words) = (stride, words);
        self.marks = vec![0; 64 * stride];
    }

    /// Whether three non-empty heaps that add up to a number have this value, and how many were looked at.
    ///
    /// # Panics
    ///
    /// If there is no row for a smaller number.
    pub fn has_sum_of_three(&self, values: &Values, total: usize, value: usize) -> (bool, usize) {
        if value >= 64 * self.stride {
            return (false, 0);
        }
        let pairs = self;
        match &values.0 {
            Column::U8(table) => self.level.run(Three {
                table,
                pairs,
                total,
                value,
            }),
            Column::U16(table) => self.level.run(Three {
                table,
                pairs,
                total,
                value,
            }),
            Column::U32(table) => self.level.run(Three {
                table,
                pairs,
                total,
                value,
            }),
            Column::U64(_) => unreachable!("rows of 2^32 bits"),
        }
    }
}

impl Pairs {
    /// Adds the values of sums of three non-empty heaps that add up to a number, those in which one of the heaps
    /// `from`, `from + step`, … up to a third of it is.
    ///
    /// # Panics
    ///
    /// If the set has another number of words than a row, or if there is no row for a smaller number.
    pub fn add_sums_of_three(
        &self,
        values: &Values,
        total: usize,
        (from, step): (usize, usize),
        set: &mut [u64],
    ) {
        assert_eq!(set.len(), self.stride, "a set is as long as a row");
        let pairs = self;
        let heaps = (from..=total / 3).step_by(step);
        match &values.0 {
            Column::U8(table) => self.level.run(Shifted {
                table,
                pairs,
                total,
                heaps,
                set,
            }),
            Column::U16(table) => self.level.run(Shifted {
                table,
                pairs,
                total,
                heaps,
                set,
            }),
            Column::U32(table) => self.level.run(Shifted {
                table,
                pairs,
                total,
                heaps,
                set,
            }),
            Column::U64(_) => unreachable!("rows of 2^32 bits"),
        }
    }
}

/// Adds to a set what rows become when the values of heaps are added to their members.
struct Shifted<'a, T> {
    table: &'a [T],
    pairs: &'a Pairs,
    total: usize,
    heaps: StepBy<RangeInclusive<usize>>,
    set: &'a mut [u64],
}

/// So many words are shuffled side by side.
const BLOCK: usize = 8;

/// `LOW[i]`: the places whose bit `i` is 0.
const LOW: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The word whose bit `v ^ shift` is bit `v` of the given one, for a shift below 64.
#[inline(always)]
fn shuffled<const N: usize>(mut words: [u64; N], shift: usize) -> [u64; N] {
    for (place, low) in LOW.iter().enumerate() {
        if shift >> place & 1 == 1 {
            let width = 1 << place;
            for word in &mut words {
                *word = (*word & low) << width | (*word >> width) & low;
            }
        }
    }
    words
}

impl<T: Cell> Job for Shifted<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let stride = self.set.len();
        for heap in self.heaps {
            let shift = self.table[heap].index();
            let row = &self.pairs.words[(self.total - heap) * stride..][..stride];
            let far = shift / 64;
            if stride < BLOCK {
                for (place, word) in row.iter().enumerate() {
                    self.set[place ^ far] |= shuffled([*word], shift % 64)[0];
                }
                continue;
            }
            for (place, block) in row.chunks_exact(BLOCK).enumerate() {
                let block = block.try_into().expect("chunks of as many words");
                let mut block: [u64; BLOCK] = shuffled(block, shift % 64);
                for bit in [1, 2, 4] {
                    if far & bit != 0 {
                        block = std::array::from_fn(|lane| block[lane ^ bit]);
                    }
                }
                let to = (place ^ (far / BLOCK)) * BLOCK;
                for (word, more) in self.set[to..to + BLOCK].iter_mut().zip(block) {
                    *word |= more;
                }
            }
        }
    }
}

/// The set of the members of a set, each with a number added as a nim-sum; all are below 64, as bits of a word.
///
/// ```
/// assert_eq!(grundy_kernels::add_to_members(0b1101, 1), 0b1110);
/// ```
///
/// # Panics
///
/// In a build with checks, if the number is not below 64.
pub fn add_to_members(set: u64, number: usize) -> u64 {
    debug_assert!(number < 64, "members of a word are below 64");
    shuffled([set], number)[0]
}

/// Marks the values of all sums of two heaps that add up to a number.
struct Row<'a, T> {
    table: &'a [T],
    total: usize,
    bits: &'a mut [u64],
    marks: &'a mut [u8],
}

impl<T: Cell> Job for Row<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            table,
            total,
            bits,
            marks,
        } = self;
        let half = total / 2;
        if half == 0 {
            return;
        }
        let (front, back) = (&table[1..=half], &table[total - half..total]);
        if let [word] = bits {
            let mut lanes = [0u64; 8];
            let mut at = 0;
            while at + lanes.len() <= half {
                for lane in 0..lanes.len() {
                    let sum = front[at..at + 8][lane] ^ back[half - at - 8..half - at][7 - lane];
                    lanes[lane] |= 1 << (sum.index() % 64);
                }
                at += lanes.len();
            }
            for (a, b) in front[at..].iter().zip(back[..half - at].iter().rev()) {
                lanes[0] |= 1 << ((*a ^ *b).index() % 64);
            }
            *word = lanes.iter().fold(0, |all, lane| all | lane);
            return;
        }
        for (a, b) in front.iter().zip(back.iter().rev()) {
            marks[(*a ^ *b).index()] = 1;
        }
        for (word, marks) in bits.iter_mut().zip(marks.chunks_exact_mut(64)) {
            for (place, mark) in (0..).zip(marks) {
                *word |= u64::from(*mark) << place;
                *mark = 0;
            }
        }
    }
}

/// Looks for a sum of three heaps of some value.
struct Three<'a, T> {
    table: &'a [T],
    pairs: &'a Pairs,
    total: usize,
    value: usize,
}

impl<T: Cell> Job for Three<'_, T> {
    type Output = (bool, usize);

    #[inline(always)]
    fn run(self) -> (bool, usize) {
        let Self {
            table,
            pairs,
            total,
            value,
        } = self;
        let (words, stride) = (pairs.words.as_slice(), pairs.stride);
        let end = total / 3 + 1;
        let mut at = 1;
        while at < end {
            let next = end.min(at + LANES);
            let mut found = 0;
            if stride == 1 {
                // Row `total - a` for the heaps `a` of the group, the last of them first.
                let rows = &words[total + 1 - next..=total - at];
                for (heap, row) in table[at..next].iter().zip(rows.iter().rev()) {
                    found |= row >> ((heap.index() ^ value) % 64);
                }
            } else {
                for (a, heap) in (at..next).zip(&table[at..next]) {
                    let bit = heap.index() ^ value;
                    found |= words[(total - a) * stride + bit / 64] >> (bit % 64);
                }
            }
            if found & 1 == 1 {
                return (true, next);
            }
            at = next;
        }
        (false, end)
    }
}

/// Removes from `wanted` the values of sums of two non-empty heaps that add up to a number; gives the work.
///
/// # Panics
///
/// If a smaller heap has no value.
pub fn remove_sums_of_two(
    level: Level,
    values: &Values,
    total: usize,
    wanted: &mut Vec<usize>,
) -> u64 {
    match &values.0 {
        Column::U8(table) => remove(level, table, total, wanted),
        Column::U16(table) => remove(level, table, total, wanted),
        Column::U32(table) => remove(level, table, total, wanted),
        Column::U64(_) => unreachable!("a heap has fewer than 2^32 options"),
    }
}

fn remove<T: Cell>(level: Level, table: &[T], total: usize, wanted: &mut Vec<usize>) -> u64 {
    let half = total / 2;
    if half == 0 {
        return 0;
    }
    // What fits no cell is no sum.
    let fits = |value: &usize| T::try_from(*value as u64).ok();
    let mut cells: Vec<T> = wanted.iter().filter_map(fits).collect();
    let (front, back) = (&table[1..=half], &table[total - half..total]);
    let work = scan(level, front, back, &mut cells);
    wanted.retain(|value| fits(value).is_none_or(|cell| cells.contains(&cell)));
    work
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(count: usize, bound: u64) -> Values {
        let mut state = 1u64;
        let next = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn sums_are_those_of_the_definition() {
        for (count, bound) in [(300, 7), (300, 64), (150, 200), (90, 900), (50, 3000)] {
            let values = random(count, bound);
            for level in Level::all() {
                let mut pairs = Pairs::new(level);
                let mut again = Pairs::new(level);
                for total in 0..count {
                    let bytes = pairs.next_bytes(&values);
                    let before = pairs.words.len();
                    pairs.push(&values);
                    assert_eq!(bytes, 8 * (pairs.words.len() - before) as u64);
                    again.adopt(pairs.row(total));
                    let two: Vec<u64> = (1..total)
                        .map(|a| values.at(a) ^ values.at(total - a))
                        .collect();
                    let row = pairs.row(total);
                    let mut wanted: Vec<usize> = (0..64 * row.len()).collect();
                    remove_sums_of_two(level, &values, total, &mut wanted);
                    for value in 0..64 * row.len() {
                        let is_sum = two.contains(&(value as u64));
                        assert_eq!(row[value / 64] >> (value % 64) & 1 == 1, is_sum);
                        assert_eq!(!wanted.contains(&value), is_sum);
                    }
                }
                assert_eq!(again.words, pairs.words);
                for total in (0..=count).step_by(37) {
                    let mut three = vec![false; 2 * 64 * pairs.stride];
                    for a in 1..total {
                        for b in 1..total - a {
                            let sum = values.at(a) ^ values.at(b) ^ values.at(total - a - b);
                            three[usize::try_from(sum).expect("small")] = true;
                        }
                    }
                    let mut set = vec![0; pairs.stride];
                    for from in 1..=5 {
                        pairs.add_sums_of_three(&values, total, (from, 5), &mut set);
                    }
                    for (value, is_sum) in three.iter().enumerate() {
                        let (found, _) = pairs.has_sum_of_three(&values, total, value);
                        assert_eq!(found, *is_sum, "{total} {value}");
                        let word = set.get(value / 64).unwrap_or(&0);
                        assert_eq!(word >> (value % 64) & 1 == 1, *is_sum, "{total} {value}");
                    }
                }
            }
        }
    }
}
