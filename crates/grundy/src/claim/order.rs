//! The order in which positions are examined: the smallest first.

use grundy_rules::{Limit, Meter};

use super::Extent;

/// All tuples below some ends: by their sum, then by their length, then in lexicographic order.
pub(crate) struct Boxed<'e> {
    ends: &'e [u64],
    /// The least length.
    shortest: usize,
    sum: u64,
    /// The tuple given last.
    tuple: Option<Vec<u64>>,
}

impl<'e> Boxed<'e> {
    pub(crate) fn new(extent: &'e Extent, any_length: bool) -> Self {
        Self {
            ends: &extent.upto,
            shortest: if any_length { 0 } else { extent.upto.len() },
            sum: 0,
            tuple: None,
        }
    }

    pub(crate) fn next(&mut self) -> Option<&[u64]> {
        let next = match self.tuple.take() {
            Some(mut tuple) => {
                if step(&mut tuple, self.ends) {
                    Some(tuple)
                } else {
                    self.first_from(tuple.len() + 1)
                }
            }
            None => self.first_from(self.shortest),
        };
        self.tuple = next;
        self.tuple.as_deref()
    }

    /// The first tuple of this length or a larger one, or of the next sums.
    fn first_from(&mut self, mut length: usize) -> Option<Vec<u64>> {
        let ends = self.ends.iter();
        let most = ends.fold(0u64, |sum, end| sum.saturating_add(*end));
        loop {
            while length <= self.ends.len() {
                let mut tuple = vec![0; length];
                if fill(&mut tuple, self.ends, self.sum) {
                    return Some(tuple);
                }
                length += 1;
            }
            if self.sum >= most {
                return None;
            }
            self.sum += 1;
            length = self.shortest;
        }
    }
}

/// Writes the lexicographically first tuple with this sum; false if there is none.
fn fill(tuple: &mut [u64], ends: &[u64], sum: u64) -> bool {
    let mut left = sum;
    for (number, end) in tuple.iter_mut().zip(ends).rev() {
        *number = left.min(*end);
        left -= *number;
    }
    left == 0
}

/// Steps to the lexicographically next tuple with the same sum; false if there is none.
fn step(tuple: &mut [u64], ends: &[u64]) -> bool {
    let mut behind = 0u64;
    for place in (0..tuple.len()).rev() {
        if behind > 0 && tuple[place] < ends[place] {
            tuple[place] += 1;
            return fill(&mut tuple[place + 1..], &ends[place + 1..], behind - 1);
        }
        behind = behind.saturating_add(tuple[place]);
    }
    false
}

/// All sums of some components, as ascending indices: by the sum of their sizes, then by their
/// number, then in lexicographic order.
pub(crate) struct Sums<'s> {
    /// The components' sizes, ascending.
    sizes: &'s [u64],
    most: usize,
    total: u64,
    /// How many components.
    count: usize,
    chosen: Vec<usize>,
    started: bool,
}

impl<'s> Sums<'s> {
    pub(crate) fn new(sizes: &'s [u64], most: usize) -> Self {
        Self {
            sizes,
            most,
            total: 0,
            count: 0,
            chosen: Vec::new(),
            started: false,
        }
    }

    pub(crate) fn next(&mut self, meter: &mut Meter) -> Result<Option<&[usize]>, Limit> {
        let largest = self.sizes.last().copied().unwrap_or(0);
        let end = largest.saturating_mul(self.most as u64);
        let mut found = self.started && self.step(meter)?;
        while !found {
            if self.started {
                self.count += 1;
                if self.count > self.most {
                    self.count = 0;
                    if self.total >= end {
                        return Ok(None);
                    }
                    self.total += 1;
                }
            }
            self.started = true;
            self.chosen.clear();
            found = self.descend(0, meter)?;
        }
        Ok(Some(&self.chosen))
    }

    /// Goes on from the sum given last.
    fn step(&mut self, meter: &mut Meter) -> Result<bool, Limit> {
        match self.chosen.pop() {
            Some(last) => self.descend(last + 1, meter),
            None => Ok(false),
        }
    }

    /// Completes `chosen` to the first sum whose next index is at least `from`.
    fn descend(&mut self, from: usize, meter: &mut Meter) -> Result<bool, Limit> {
        let mut from = from;
        loop {
            meter.spend(1)?;
            let used: u64 = self.chosen.iter().map(|index| self.sizes[*index]).sum();
            let left = self.total - used;
            let open = self.count - self.chosen.len();
            if open == 0 {
                if left == 0 {
                    return Ok(true);
                }
            } else {
                // The last component must have just the size that is left.
                let next = if open == 1 {
                    from.max(self.sizes.partition_point(|size| *size < left))
                } else {
                    from
                };
                let fits = |size: u64| size.checked_mul(open as u64).is_some_and(|all| all <= left);
                if self.sizes.get(next).is_some_and(|size| fits(*size)) {
                    self.chosen.push(next);
                    from = next;
                    continue;
                }
            }
            match self.chosen.pop() {
                Some(last) => from = last + 1,
                None => return Ok(false),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Budget;

    #[test]
    fn tuples_come_by_sum_then_length_then_in_lexicographic_order() {
        let tuples = |upto: &[u64], any_length| {
            let extent = Extent {
                upto: upto.to_vec(),
                components: 1,
            };
            let mut boxed = Boxed::new(&extent, any_length);
            let mut all: Vec<Vec<u64>> = Vec::new();
            while let Some(tuple) = boxed.next() {
                all.push(tuple.to_vec());
            }
            all
        };
        assert_eq!(
            tuples(&[1, 2], false),
            [[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [1, 2]]
        );
        assert_eq!(
            tuples(&[1, 2], true),
            [
                vec![],
                vec![0],
                vec![0, 0],
                vec![1],
                vec![0, 1],
                vec![1, 0],
                vec![0, 2],
                vec![1, 1],
                vec![1, 2]
            ]
        );
        assert_eq!(tuples(&[3], false), [[0], [1], [2], [3]]);
        let (upto, key) = ([3, 1, 2], |tuple: &Vec<u64>| {
            (tuple.iter().sum::<u64>(), tuple.clone())
        });
        let all = tuples(&upto, false);
        assert_eq!(all.len(), 4 * 2 * 3);
        assert!(all.is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn sums_come_by_size_then_number_then_in_lexicographic_order() {
        let sizes = [0, 1, 1, 3];
        let mut sums = Sums::new(&sizes, 3);
        let mut meter = Meter::new(Budget::default());
        let mut all: Vec<Vec<usize>> = Vec::new();
        while let Some(sum) = sums.next(&mut meter).unwrap() {
            all.push(sum.to_vec());
        }
        let key = |sum: &Vec<usize>| {
            let size: u64 = sum.iter().map(|index| sizes[*index]).sum();
            (size, sum.len(), sum.clone())
        };
        assert!(all.is_sorted_by(|a, b| key(a) < key(b)), "{all:?}");
        assert!(all.iter().all(|sum| sum.is_sorted()));
        // Multisets of up to 3 of 4 things: C(7, 3).
        assert_eq!(all.len(), 35);
    }
}
