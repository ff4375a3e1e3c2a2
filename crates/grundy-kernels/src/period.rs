//! Periods that tables show.

use memchr::memmem::FinderRev;

use crate::values::{Column, Values};

impl Values {
    /// The least period, and the least preperiod of that, that the second half of these values shows:
    /// `g(n + period) = g(n)` for all `n >= preperiod`, where twice their sum is at most the
    /// number of values.
    ///
    /// The values from a preperiod on repeat with a period, both so small, just where the second
    /// half of the values stands once more, the period before. So the least period is the distance of
    /// the nearest earlier copy, which is searched for in linear time and constant space.
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

fn shown<T: PartialEq>(values: &[T], bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let (length, width) = (values.len(), size_of::<T>());
    if length < 2 || from >= length {
        return None;
    }
    let finder = FinderRev::new(&bytes[from * width..]);
    let mut end = bytes.len() - width;
    loop {
        let place = finder.rfind(&bytes[..end])?;
        if place.is_multiple_of(width) {
            let period = from - place / width;
            let pairs = values[..length - period]
                .iter()
                .zip(&values[period..])
                .rev();
            let agreeing = pairs.take_while(|(early, late)| early == late).count();
            return Some((length - period - agreeing, period));
        }
        // A copy that is out of step: look for one that ends before.
        end = place + bytes.len() - from * width - 1;
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
}
