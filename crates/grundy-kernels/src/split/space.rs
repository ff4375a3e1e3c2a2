//! Sparse spaces: which values are rare.

use crate::values::Cell;

/// A division of heaps into rare and common ones.
///
/// A heap `n` of value `g` is rare if the number of bits that `g` shares with the mask is even; if heaps
/// alternate, if that number plus `n` plus the shift is even. Let two heaps `a`, `b` be left of a
/// heap `n` that `k` is taken from, and call the option common or rare as if `n` had its value.
/// Its class is then the sum of those of `a` and `b`, and of `k` plus the shift if heaps
/// alternate: so where they do, all `k` must have the parity of the shift. Then a common option has
/// exactly one rare part, whatever the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Space {
    /// Whether one bit or another of a value counts.
    pub mask: usize,
    /// Whether it counts as well whether the heap is even or odd.
    pub alternates: bool,
    /// The parity of all takes, if heaps alternate.
    pub(crate) shift: usize,
}

impl Space {
    /// Whether a heap of this value is rare.
    #[inline(always)]
    pub fn is_rare(self, heap: usize, value: usize) -> bool {
        let bits = (value & self.mask).count_ones() as usize;
        let heap = if self.alternates {
            heap + self.shift
        } else {
            0
        };
        (bits + heap).is_multiple_of(2)
    }

    /// The space in which the fewest of these heaps are rare.
    ///
    /// `N` heaps of which `W(m)` is the number of values with an even number of bits in common with a mask `m`
    /// less that of the others have `(N + W(m)) / 2` rare ones, and `W` for all masks is
    /// the Walsh–Hadamard transform of the counts of the values.
    pub(crate) fn best<T: Cell>(values: &[T], parity: Option<usize>) -> Self {
        let most = values.iter().max().map_or(0, |most| most.index());
        let size = (most + 1).next_power_of_two();
        let mut counts = [vec![0i64; size], vec![0i64; size]];
        for (heap, value) in values.iter().enumerate().skip(1) {
            counts[heap % 2][value.index()] += 1;
        }
        let [mut even, mut odd] = counts;
        transform(&mut even);
        transform(&mut odd);
        let plain = (0..size).map(|mask| (even[mask] + odd[mask], mask, false, 0));
        let alternating = parity.into_iter().flat_map(|shift| {
            let sign = if shift == 0 { 1 } else { -1 };
            let (even, odd) = (&even, &odd);
            (0..size).map(move |mask| (sign * (even[mask] - odd[mask]), mask, true, shift))
        });
        let (_, mask, alternates, shift) = plain.chain(alternating).min().expect("there is a mask");
        Self {
            mask,
            alternates,
            shift,
        }
    }
}

/// The Walsh–Hadamard transform, in place.
pub(super) fn transform(counts: &mut [i64]) {
    let mut width = 1;
    while width < counts.len() {
        for block in counts.chunks_mut(2 * width) {
            let (left, right) = block.split_at_mut(width);
            for (l, r) in left.iter_mut().zip(right) {
                (*l, *r) = (*l + *r, *l - *r);
            }
        }
        width *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mask_makes_fewer_heaps_rare() {
        let values: Vec<u8> = (0..500u32).map(|n| (n * n % 29).to_le_bytes()[0]).collect();
        for parity in [None, Some(0), Some(1)] {
            let space = Space::best(&values, parity);
            let count = |space: Space| {
                let heaps = (1..values.len()).filter(|n| space.is_rare(*n, values[*n].index()));
                heaps.count()
            };
            for mask in 0..32 {
                assert!(count(Space { mask, ..space }) >= count(space));
            }
        }
    }
}
