//! Values of games with finitely many takes that leave at most two heaps: the sparse space.
//!
//! Call a value *rare* if it has an even number of bits in common with a mask, and *common*
//! otherwise. The nim-sum of two rare or of two common values is rare, so that an option with
//! a common value has a rare part. Where few heaps are rare, all common values among the options are
//! found by going through the rare heaps alone, and the least common value that is no option is all
//! but always the value of the heap: only the rare values below it must still be shown to be options,
//! and other splits are looked at until they are. Any mask gives right values; a good one makes rares
//! few (Guy and Smith 1956 saw the sparse space; Gangolli and Plambeck 1989 used it so).

use grundy_rules::{Limit, Meter};

use crate::shape::Code;

/// From so many heaps on a mask is looked for, and again at each doubling.
const FIRST_MASK: usize = 2048;
/// A mask is used if at most one heap in so many is rare.
const RARITY: usize = 8;
/// How many values there may be.
const VALUES: usize = 1 << 16;

/// The state behind the values so far.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// What may be taken to leave nothing, one heap, two heaps.
    takes: [Vec<usize>; 3],
    values: Vec<u16>,
    /// Which heap last had an option of this value, plus 1.
    seen: Box<[u32; VALUES]>,
    mask: Option<u16>,
    /// The rare heaps with their values.
    rares: Vec<(usize, u16)>,
    next_mask: usize,
}

impl Split {
    /// An engine for a code with finitely many takes and at most two parts.
    pub fn new(code: &Code) -> Self {
        let takes = [0, 1, 2].map(|parts| {
            let digits = code.head().iter().enumerate();
            digits
                .filter(|(_, digit)| *digit >> parts & 1 == 1)
                .map(|(taken, _)| taken)
                .collect()
        });
        Self {
            takes,
            values: Vec::new(),
            seen: vec![0; VALUES]
                .into_boxed_slice()
                .try_into()
                .expect("it has this length"),
            mask: None,
            rares: Vec::new(),
            next_mask: FIRST_MASK,
        }
    }

    /// The mask in use; 0 calls all values rare.
    pub fn mask(&self) -> u64 {
        self.mask.unwrap_or(0).into()
    }

    /// The value of the next heap.
    pub fn next(&mut self, meter: &mut Meter) -> Result<u64, Limit> {
        let n = self.values.len();
        let stamp = u32::try_from(n + 1).map_err(|_| Limit::Bytes)?;
        if n == self.next_mask {
            self.next_mask *= 2;
            if !self.takes[2].is_empty() {
                self.choose_mask();
            }
        }
        if self.takes[0].binary_search(&n).is_ok() {
            self.seen[0] = stamp;
        }
        let reach = self.takes[1].partition_point(|taken| *taken < n);
        for taken in &self.takes[1][..reach] {
            self.seen[usize::from(self.values[n - taken])] = stamp;
        }
        meter.spend(reach as u64 + 1)?;
        let value = match self.mask {
            None => self.plain(n, stamp, meter)?,
            Some(mask) => self.sparse(n, stamp, mask, meter)?,
        };
        let value = u16::try_from(value).map_err(|_| Limit::Bytes)?;
        self.values.push(value);
        Ok(value.into())
    }

    /// Goes through all splits.
    fn plain(&mut self, n: usize, stamp: u32, meter: &mut Meter) -> Result<usize, Limit> {
        for taken in self.takes[2].iter().take_while(|taken| **taken < n) {
            let rest = n - taken;
            let half = rest / 2;
            let small = &self.values[1..=half];
            let large = &self.values[rest - half..rest];
            for (a, b) in small.iter().zip(large.iter().rev()) {
                self.seen[usize::from(a ^ b)] = stamp;
            }
            meter.spend(half as u64 / 2 + 1)?;
        }
        let value = self.seen.iter().position(|seen| *seen != stamp);
        value.ok_or(Limit::Bytes)
    }

    /// Goes through the splits with a rare part, then through others as far as needed.
    fn sparse(
        &mut self,
        n: usize,
        stamp: u32,
        mask: u16,
        meter: &mut Meter,
    ) -> Result<usize, Limit> {
        let mut steps = 0;
        for taken in self.takes[2].iter().take_while(|taken| **taken < n) {
            let rest = n - taken;
            let reach = self.rares.partition_point(|(heap, _)| *heap < rest);
            for (heap, value) in &self.rares[..reach] {
                self.seen[usize::from(value ^ self.values[rest - heap])] = stamp;
            }
            steps += reach as u64 + 1;
        }
        meter.spend(steps)?;
        let mut missing = 0;
        let mut candidate = None;
        for (value, seen) in (0u16..=u16::MAX).zip(self.seen.iter()) {
            if *seen != stamp {
                if is_rare(value, mask) {
                    missing += 1;
                } else {
                    candidate = Some(value);
                    break;
                }
            }
        }
        let candidate = candidate.ok_or(Limit::Bytes)?;
        if missing > 0 {
            missing = self.search(n, stamp, candidate, mask, missing, meter)?;
        }
        if missing == 0 {
            return Ok(candidate.into());
        }
        let value = self.seen.iter().position(|seen| *seen != stamp);
        let value = value.expect("a value below the candidate is missing");
        let rare = u16::try_from(value).expect("it is below the candidate");
        self.rares.push((n, rare));
        Ok(value)
    }

    /// Looks for the rare values below the candidate among all splits; how many are no options.
    fn search(
        &mut self,
        n: usize,
        stamp: u32,
        candidate: u16,
        mask: u16,
        mut missing: usize,
        meter: &mut Meter,
    ) -> Result<usize, Limit> {
        let mut steps = 0;
        'all: for taken in self.takes[2].iter().take_while(|taken| **taken < n) {
            let rest = n - taken;
            let half = rest / 2;
            let small = &self.values[1..=half];
            let large = &self.values[rest - half..rest];
            for (a, b) in small.iter().zip(large.iter().rev()) {
                steps += 1;
                let value = a ^ b;
                let seen = &mut self.seen[usize::from(value)];
                if *seen != stamp {
                    *seen = stamp;
                    if value < candidate && is_rare(value, mask) {
                        missing -= 1;
                        if missing == 0 {
                            break 'all;
                        }
                    }
                }
            }
        }
        meter.spend(steps)?;
        Ok(missing)
    }

    /// Takes the mask with the fewest rare heaps, if they are few.
    ///
    /// A mask `m` makes `(N + W(m)) / 2` of `N` heaps rare, where `W(m)` is the sum of the
    /// counts of all values with the sign of the parity: the Walsh–Hadamard transform.
    fn choose_mask(&mut self) {
        let most = self.values.iter().max().copied().unwrap_or(0);
        let size = (usize::from(most) + 1).next_power_of_two();
        let mut signed = vec![0i64; size];
        for value in &self.values {
            signed[usize::from(*value)] += 1;
        }
        let mut width = 1;
        while width < size {
            for block in signed.chunks_mut(2 * width) {
                let (left, right) = block.split_at_mut(width);
                for (l, r) in left.iter_mut().zip(right) {
                    (*l, *r) = (*l + *r, *l - *r);
                }
            }
            width *= 2;
        }
        let best = (0..size).min_by_key(|mask| signed[*mask]);
        let mask = best
            .and_then(|mask| u16::try_from(mask).ok())
            .expect("values are 16 bits wide");
        // Heap 0 is rare and no part; it is left out.
        let rares: Vec<(usize, u16)> = self
            .values
            .iter()
            .copied()
            .enumerate()
            .skip(1)
            .filter(|(_, value)| is_rare(*value, mask))
            .collect();
        if rares.len() * RARITY <= self.values.len() {
            self.mask = Some(mask);
            self.rares = rares;
        } else {
            self.mask = None;
            self.rares.clear();
        }
    }
}

fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}
