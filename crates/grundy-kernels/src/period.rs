//! Periods that tables show.

use memchr::memmem::FinderRev;

use crate::level::{Job, Level};
use crate::split::chunk;
use crate::values::{Column, Values};

/// How many ends of copies are looked at side by side.
const LANES: usize = 64;
/// So many values at an end are compared at once.
const LAST: usize = 4;
/// Copies are compared whole until that may have cost so many times what is searched.
const PATIENCE: usize = 16;

impl Values {
    /// The least period, and the least preperiod of that, that the second half of these values shows:
    /// `g(n + period) = g(n)` for all `n >= preperiod`, where twice their sum is at most the
    /// number of values.
    ///
    /// The values from a preperiod on repeat with a period, both so small, just where the second
    /// half of the values stands once more, the period before. So the least period is the distance of
    /// the nearest earlier copy, which is searched for in linear time and constant space. Where the last eighth
    /// has no earlier copy, the second half has none.
    ///
    /// ```
    /// use grundy_kernels::Values;
    ///
    /// let values: Values = [5, 0, 1, 0, 1, 0].into_iter().collect();
    /// assert_eq!(values.shown_period(), Some((1, 2)));
    /// assert_eq!([5, 0, 1, 0, 1].into_iter().collect::<Values>().shown_period(), None);
    /// ```
    pub fn shown_period(&self) -> Option<(usize, usize)> {
        self.period_since(self.len() / 2)
    }

    /// The same for the values from this heap on in place of the second half.
    ///
    /// Fewer values show a period earlier, and more often one that does not go on. Where a period does go
    /// on from its preperiod, no smaller one was passed over: its copy would have been nearer.
    ///
    /// ```
    /// use grundy_kernels::Values;
    ///
    /// let values: Values = [5, 4, 3, 0, 1, 0].into_iter().collect();
    /// assert_eq!(values.shown_period(), None);
    /// assert_eq!(values.period_since(5), Some((3, 2)));
    /// ```
    pub fn period_since(&self, heap: usize) -> Option<(usize, usize)> {
        match &self.0 {
            Column::U8(values) => shown(values, values, heap),
            Column::U16(values) => shown(values, bytes(values), heap),
            Column::U32(values) => shown(values, bytes(values), heap),
            Column::U64(values) => shown(values, bytes(values), heap),
        }
    }
}

fn shown<T: Copy + PartialEq>(values: &[T], bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let length = values.len();
    if length < 2 || from >= length {
        return None;
    }
    let period = nearest_copy(values, bytes, from)?;
    let pairs = values[..length - period]
        .iter()
        .zip(&values[period..])
        .rev();
    let agreeing = pairs.take_while(|(early, late)| early == late).count();
    Some((length - period - agreeing, period))
}

/// How far before the values from a place on the nearest copy of them begins.
fn nearest_copy<T: Copy + PartialEq>(values: &[T], bytes: &[u8], from: usize) -> Option<usize> {
    let wanted = &values[from..];
    let mut end = values.len() - 1;
    if let Some(last) = values.last_chunk().filter(|_| wanted.len() >= LAST) {
        // Few places end as the values do, unless they nearly repeat.
        for _ in 0..PATIENCE * values.len() / wanted.len() {
            end = Level::best().run(LastEnd { values, end, last })?;
            if values[end.checked_sub(wanted.len())?..end] == *wanted {
                return Some(values.len() - end);
            }
            end -= 1;
        }
    }
    let width = size_of::<T>();
    let finder = FinderRev::new(&bytes[from * width..]);
    let mut end = end * width;
    loop {
        let place = finder.rfind(&bytes[..end])?;
        if place.is_multiple_of(width) {
            return Some(from - place / width);
        }
        // A copy that is out of step: look for one that ends before.
        end = place + size_of_val(wanted) - 1;
    }
}

/// Looks backwards, from an end on, for the end of a copy of the last few values.
struct LastEnd<'a, T> {
    values: &'a [T],
    end: usize,
    last: &'a [T; LAST],
}

impl<T: Copy + PartialEq> Job for LastEnd<'_, T> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let Self { values, end, last } = self;
        let ends_here = |end: usize| end >= LAST && values[end - LAST..end] == *last;
        let mut end = end;
        while end >= LANES + LAST {
            let group: &[T; LANES + LAST] = chunk(values, end - LANES - LAST);
            let mut found = false;
            for lane in 1..=LANES {
                let mut agrees = true;
                for place in 0..LAST {
                    agrees &= group[lane + place] == last[place];
                }
                found |= agrees;
            }
            if found {
                break;
            }
            end -= LANES;
        }
        (LAST..=end).rev().find(|end| ends_here(*end))
    }
}

/// The memory of a list of unsigned integers.
#[allow(unsafe_code)] // The search is over bytes.
fn bytes<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: the slice is valid for reads over its whole length for as long as it is borrowed, every byte
    // of an unsigned integer is initialised, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Unsigned integers, which have no padding.
trait Plain {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word by word.
    fn by_definition(values: &[u64]) -> Option<(usize, usize)> {
        let length = values.len();
        (1..=length).find_map(|period| {
            (0..=length)
                .take_while(|preperiod| 2 * (preperiod + period) <= length)
                .find(|preperiod| {
                    (*preperiod..length - period).all(|n| values[n] == values[n + period])
                })
                .map(|preperiod| (preperiod, period))
        })
    }

    #[test]
    fn it_is_what_the_definition_says_for_all_short_sequences() {
        for width in [1, 1 << 8, 1 << 16, 1 << 32] {
            for length in 0..=9 {
                for code in 0..3u64.pow(length) {
                    let values: Vec<u64> = (0..length)
                        .map(|n| code / 3u64.pow(n) % 3 * width)
                        .collect();
                    let table: Values = values.iter().copied().collect();
                    assert_eq!(table.shown_period(), by_definition(&values), "{values:?}");
                }
            }
        }
    }

    #[test]
    fn it_is_what_the_definition_says_for_long_sequences() {
        let mut random = 1u64;
        let mut next = |bound: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % bound
        };
        for round in 0..300 {
            // Words of two values have many copies of their ends, and those that nearly repeat exhaust patience.
            let (preperiod, period) = (next(40), 1 + next(150));
            let length = usize::try_from(2 * (preperiod + period) + next(300)).expect("small");
            let word: Vec<u64> = (0..period).map(|_| next(2 + round % 3)).collect();
            let mut values: Vec<u64> = (0..preperiod).map(|_| next(3)).collect();
            values.extend(word.iter().cycle().take(length));
            if round % 2 == 0 {
                let place = usize::try_from(next(length as u64)).expect("small");
                values[place] += 1;
            }
            let width = [1, 1 << 8, 1 << 16, 1 << 32][usize::try_from(next(4)).expect("small")];
            values.iter_mut().for_each(|value| *value *= width);
            let table: Values = values.iter().copied().collect();
            assert_eq!(table.shown_period(), by_definition(&values), "{values:?}");
        }
        // All but one value are the same.
        for (length, place) in [(500, 499), (500, 400), (500, 250), (500, 10), (2000, 1999)] {
            let mut values = vec![0; length];
            values[place] = 1;
            let table: Values = values.iter().copied().collect();
            assert_eq!(table.shown_period(), by_definition(&values), "{place}");
        }
    }
}
