//! Tables of values that take no more bytes a heap than the largest value needs.

// One line serves all widths: for the widest it converts nothing.
#![allow(clippy::useless_conversion)]

use std::fmt::Debug;
use std::ops::{BitOr, BitXor};

/// The values of the heaps 0, 1, 2, ….
///
/// All are kept in one byte as long as they fit; the first one that does not widens all to two,
/// then four, then eight.
#[derive(Clone, Debug)]
pub struct Values(pub(crate) Column);

#[derive(Clone, Debug)]
pub(crate) enum Column {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// An unsigned integer that values are kept in.
pub trait Cell:
    Copy
    + Ord
    + Debug
    + Default
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Into<u64>
    + TryFrom<u64>
    + Send
    + Sync
{
    /// The largest one.
    const MAX: Self;

    /// The number as an index.
    fn index(self) -> usize;

    /// The cell of a number that is known to fit.
    fn of(index: usize) -> Self;

    /// The nim-sums of the first with the last, the second with the last but one, and so on, as indices.
    #[inline(always)]
    fn sums(front: &[Self; 8], back: &[Self; 8]) -> [usize; 8] {
        std::array::from_fn(|place| (front[place] ^ back[7 - place]).index())
    }
}

macro_rules! cell {
    ($($type:ty $(: $more:item)?),*) => {$(
        impl Cell for $type {
            $($more)?

            const MAX: Self = <$type>::MAX;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation)] // An index was a length before.
            fn index(self) -> usize {
                self as usize
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation)] // The caller knows that it fits.
            fn of(index: usize) -> Self {
                debug_assert!(index as u64 <= u64::from(Self::MAX));
                index as Self
            }
        }
    )*};
}
cell!(
    u8: #[inline(always)]
        fn sums(front: &[u8; 8], back: &[u8; 8]) -> [usize; 8] {
            let sums = u64::from_le_bytes(*front) ^ u64::from_be_bytes(*back);
            sums.to_le_bytes().map(usize::from)
        },
    u16,
    u32
);

/// Does the same with the vector of any width.
macro_rules! each_width {
    ($column:expr, $vector:ident => $body:expr) => {
        match $column {
            Column::U8($vector) => $body,
            Column::U16($vector) => $body,
            Column::U32($vector) => $body,
            Column::U64($vector) => $body,
        }
    };
}

impl Default for Values {
    fn default() -> Self {
        Self(Column::U8(Vec::new()))
    }
}

impl Values {
    /// How many heaps have a value.
    pub fn len(&self) -> usize {
        each_width!(&self.0, vector => vector.len())
    }

    /// Whether no heap has a value yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes a table takes for each value once it has this one.
    pub fn width_of(value: u64) -> usize {
        match value {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        }
    }

    /// How many bytes one value takes.
    pub fn width(&self) -> usize {
        match &self.0 {
            Column::U8(_) => 1,
            Column::U16(_) => 2,
            Column::U32(_) => 4,
            Column::U64(_) => 8,
        }
    }

    /// The value of a heap.
    ///
    /// # Panics
    ///
    /// If the heap has none yet.
    #[inline]
    pub fn at(&self, heap: usize) -> u64 {
        each_width!(&self.0, vector => vector[heap].into())
    }

    /// The value of a heap, if it has one.
    pub fn get(&self, heap: usize) -> Option<u64> {
        (heap < self.len()).then(|| self.at(heap))
    }

    /// The values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + DoubleEndedIterator {
        (0..self.len()).map(|heap| self.at(heap))
    }

    /// The values of the first `count` heaps, or of all if they are fewer.
    pub fn first(&self, count: usize) -> Vec<u64> {
        self.iter().take(count).collect()
    }

    /// The largest value; 0 if there is none.
    pub fn largest(&self) -> u64 {
        each_width!(&self.0, vector => vector.iter().max().map_or(0, |value| (*value).into()))
    }

    /// Calls `see` with the values of the heaps of a range, in order.
    pub fn for_each(&self, range: std::ops::Range<usize>, mut see: impl FnMut(u64)) {
        each_width!(&self.0, vector => vector[range].iter().for_each(|value| see((*value).into())));
    }

    /// Appends the value of the next heap.
    pub fn push(&mut self, value: u64) {
        loop {
            let fits = match &mut self.0 {
                Column::U8(vector) => u8::try_from(value).map(|value| vector.push(value)).is_ok(),
                Column::U16(vector) => u16::try_from(value).map(|value| vector.push(value)).is_ok(),
                Column::U32(vector) => u32::try_from(value).map(|value| vector.push(value)).is_ok(),
                Column::U64(vector) => {
                    vector.push(value);
                    true
                }
            };
            if fits {
                return;
            }
            self.widen();
        }
    }

    /// Makes room for so many more values, as exactly as the allocator does.
    pub fn reserve(&mut self, more: usize) {
        each_width!(&mut self.0, vector => vector.reserve_exact(more));
    }

    /// Appends `count` values, each that of the heap `period` before plus `saltus`.
    ///
    /// # Panics
    ///
    /// If there are fewer values than the period is long, or the period is 0.
    pub fn repeat(&mut self, period: usize, saltus: u64, count: usize) {
        assert!(
            (1..=self.len()).contains(&period),
            "a period lies within the values"
        );
        if saltus > 0 {
            for _ in 0..count {
                self.push(self.at(self.len() - period) + saltus);
            }
            return;
        }
        each_width!(&mut self.0, vector => {
            let (first, end) = (vector.len() - period, vector.len() + count);
            vector.reserve_exact(count);
            while vector.len() < end {
                // From `first` on all values repeat, in pieces that double.
                let piece = (vector.len() - first).min(end - vector.len());
                vector.extend_from_within(first..first + piece);
            }
        });
    }

    /// Widens all values to the next width.
    pub(crate) fn widen(&mut self) {
        self.0 = match &mut self.0 {
            Column::U8(vector) => Column::U16(widened(vector)),
            Column::U16(vector) => Column::U32(widened(vector)),
            Column::U32(vector) => Column::U64(widened(vector)),
            Column::U64(_) => return,
        };
    }
}

/// The same numbers in wider cells, with room for as many.
fn widened<N: Copy, W: From<N>>(narrow: &mut Vec<N>) -> Vec<W> {
    let mut wide = Vec::with_capacity(narrow.capacity());
    wide.extend(narrow.iter().map(|value| W::from(*value)));
    wide
}

impl PartialEq<[u64]> for Values {
    fn eq(&self, other: &[u64]) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a == *b)
    }
}

impl FromIterator<u64> for Values {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut table = Self::default();
        values.into_iter().for_each(|value| table.push(value));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_widen_when_a_value_asks_for_it() {
        let numbers = [0, 255, 256, 65_535, 65_536, u64::from(u32::MAX), u64::MAX];
        let widths = [1, 1, 2, 2, 4, 4, 8];
        let mut values = Values::default();
        for (count, (number, width)) in numbers.iter().zip(widths).enumerate() {
            values.push(*number);
            assert_eq!(Values::width_of(*number), width);
            assert_eq!(values.width(), width);
            assert!(values == numbers[..=count]);
        }
    }

    #[test]
    fn repeating_appends_the_period() {
        let mut values: Values = [9, 1, 2, 3].into_iter().collect();
        values.repeat(3, 0, 7);
        assert!(values == [9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1][..]);
        let mut growing: Values = [0, 100].into_iter().collect();
        growing.repeat(2, 150, 4);
        assert!(growing == [0, 100, 150, 250, 300, 400][..]);
    }
}
