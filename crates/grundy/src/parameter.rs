//! For which parameters a position is won: caps of what is taken, heaps that are chosen.
//!
//! All counts are exact. They are sums of a few numbers times powers of two ([`PowerSum`]), from which a
//! remainder follows without the number itself.

use std::collections::BTreeMap;

use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The largest number k of counters that may be taken at a time so that a sum of heaps is won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LargestCap {
    /// It is lost with every k >= 1: all heaps come in equal pairs.
    Never,
    /// It is won with this k, and lost with all larger ones.
    Finite(BigUint),
    /// It is won without a bound, and with every k from the largest heap on.
    Unbounded,
}

/// Whether the first player wins a sum of heaps from which 1 to `cap` counters are taken: the nim-sum of the
/// remainders on division by `cap + 1` is not 0 (Bachet 1612, Bouton 1901).
pub fn is_won_with_cap(heaps: &[BigUint], cap: &BigUint) -> bool {
    let modulus = cap + 1u8;
    let sum = heaps
        .iter()
        .fold(BigUint::zero(), |sum, n| sum ^ (n % &modulus));
    !sum.is_zero()
}

/// The heaps that remain when equal ones are struck out in pairs; empty ones, too.
fn unpaired(heaps: &[BigUint]) -> Vec<BigUint> {
    let mut sorted: Vec<&BigUint> = heaps.iter().filter(|n| !n.is_zero()).collect();
    sorted.sort();
    let equal = sorted.chunk_by(|a, b| a == b);
    let odd = equal.filter(|run| run.len() % 2 == 1);
    odd.map(|run| run[0].clone()).collect()
}

/// The largest cap with which the first player wins.
///
/// If the nim-sum of the heaps is not 0, no cap from the largest heap on changes anything. If it is 0, neither
/// do these win. Equal heaps cancel for every cap; if all do, none wins. Otherwise let m be the largest heap that is left:
/// with cap m-1 it counts as 0 and all others as they are, so that the nim-sum is m.
///
/// # Examples
///
/// ```
/// use grundy::parameter::{LargestCap, largest_cap};
///
/// let heaps = |sizes: &[u32]| sizes.iter().map(|n| (*n).into()).collect::<Vec<_>>();
/// assert_eq!(largest_cap(&heaps(&[1, 2, 3])), LargestCap::Finite(2u8.into()));
/// assert_eq!(largest_cap(&heaps(&[100, 100])), LargestCap::Never);
/// ```
pub fn largest_cap(heaps: &[BigUint]) -> LargestCap {
    let left = unpaired(heaps);
    if !left
        .iter()
        .fold(BigUint::zero(), |sum, n| sum ^ n)
        .is_zero()
    {
        return LargestCap::Unbounded;
    }
    match left.last() {
        None => LargestCap::Never,
        Some(largest) => LargestCap::Finite(largest - 1u8),
    }
}

/// The least cap with which the first player wins; `None` if none does.
///
/// Caps are tried in order; the first one is found before the largest heap.
///
/// # Errors
///
/// A limit of the meter.
pub fn least_cap(heaps: &[BigUint], meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
    let left = unpaired(heaps);
    if left.is_empty() {
        return Ok(None);
    }
    let mut cap = BigUint::one();
    loop {
        meter.spend(1 + left.len() as u64)?;
        if is_won_with_cap(&left, &cap) {
            return Ok(Some(cap));
        }
        cap += 1u8;
    }
}

/// Nim-sums of subsets: linearly independent numbers over the field of two elements.
#[derive(Clone, Debug, Default)]
pub struct XorBasis {
    /// By their highest bits, descending; no highest bit stands in two of them.
    rows: Vec<BigUint>,
}

impl XorBasis {
    /// What is left of a number when the basis is taken out of it.
    fn reduced(&self, number: &BigUint) -> BigUint {
        let mut rest = number.clone();
        for row in &self.rows {
            if rest.bit(row.bits() - 1) {
                rest ^= row;
            }
        }
        rest
    }

    /// Adds a number; tells whether it was no nim-sum of the others.
    pub fn add(&mut self, number: &BigUint) -> bool {
        let new = self.reduced(number);
        if new.is_zero() {
            return false;
        }
        let top = new.bits() - 1;
        for row in self.rows.iter_mut().filter(|row| row.bit(top)) {
            *row ^= &new;
        }
        let place = self.rows.partition_point(|row| row.bits() > new.bits());
        self.rows.insert(place, new);
        true
    }

    /// Of how many independent numbers all nim-sums are made.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Whether a number is a nim-sum of some of the numbers added.
    pub fn contains(&self, number: &BigUint) -> bool {
        self.reduced(number).is_zero()
    }

    /// How many different nim-sums are `bound` or more.
    ///
    /// The nim-sums are in the order of the sets of rows, read as binary numbers: the highest bit of a row stands in no other.
    pub fn count_from(&self, bound: &BigUint) -> BigUint {
        let rank = self.rows.len();
        // The largest nim-sum below the bound in the places looked at is followed; what branches off above it counts.
        let mut sum = BigUint::zero();
        let mut count = BigUint::zero();
        let mut rows = self.rows.iter().enumerate().peekable();
        let places = bound.bits().max(self.rows.first().map_or(0, BigUint::bits));
        for place in (0..places).rev() {
            let free = match rows.peek() {
                Some((index, row)) if row.bits() == place + 1 => {
                    let (index, row) = (*index, *row);
                    rows.next();
                    Some((row, rank - index - 1))
                }
                _ => None,
            };
            match (free, bound.bit(place)) {
                (Some((row, below)), false) => {
                    count += BigUint::one() << below;
                    if sum.bit(place) {
                        sum ^= row;
                    }
                }
                (Some((row, _)), true) => {
                    if !sum.bit(place) {
                        sum ^= row;
                    }
                }
                (None, wanted) if sum.bit(place) == wanted => {}
                (None, wanted) => {
                    let left = rows.peek().map_or(0, |(index, _)| rank - index);
                    return if wanted {
                        count
                    } else {
                        count + (BigUint::one() << left)
                    };
                }
            }
        }
        count + 1u8
    }
}

/// A natural number as a sum of numbers times powers of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PowerSum {
    terms: BTreeMap<u64, BigUint>,
}

impl PowerSum {
    fn add(&mut self, exponent: u64, times: BigUint) {
        *self.terms.entry(exponent).or_default() += times;
    }

    /// The number.
    pub fn exact(&self) -> BigUint {
        let terms = self.terms.iter();
        terms.map(|(exponent, times)| times << exponent).sum()
    }

    /// What it leaves on division by a positive number.
    pub fn modulo(&self, modulus: &BigUint) -> BigUint {
        let two = BigUint::from(2u8);
        let terms = self.terms.iter();
        let sum: BigUint = terms
            .map(|(exponent, times)| times * two.modpow(&(*exponent).into(), modulus))
            .sum();
        sum % modulus
    }
}

/// In how many ways heaps can be chosen with this nim-sum; heaps are told apart, and none may be chosen.
///
/// Each nim-sum that occurs does so equally often.
pub fn subsets_with_nim_sum(heaps: &[BigUint], value: &BigUint) -> PowerSum {
    let mut basis = XorBasis::default();
    heaps.iter().for_each(|n| {
        basis.add(n);
    });
    let mut count = PowerSum::default();
    if basis.contains(value) {
        count.add((heaps.len() - basis.rank()) as u64, BigUint::one());
    }
    count
}

/// In how many ways some heaps of Nim, and one of them from which the first move must be made, can be chosen
/// so that the first player loses.
///
/// Taking from a heap of x leaves all nim-sums of the others with 0 to x-1, so the first player loses iff the
/// others' nim-sum is x or more.
///
/// # Examples
///
/// ```
/// use grundy::parameter::forced_first_heap_lost;
///
/// let heaps: Vec<_> = [2u8, 4, 5].map(Into::into).into();
/// assert_eq!(forced_first_heap_lost(&heaps).exact(), 5u8.into());
/// ```
pub fn forced_first_heap_lost(heaps: &[BigUint]) -> PowerSum {
    let mut before = XorBasis::default();
    let mut after = vec![XorBasis::default()];
    for heap in heaps.iter().skip(1).rev() {
        let mut longer = after[after.len() - 1].clone();
        longer.add(heap);
        after.push(longer);
    }
    let mut count = PowerSum::default();
    for heap in heaps {
        let mut others = after.pop().expect("there is one basis for each heap");
        before.rows.iter().for_each(|row| {
            others.add(row);
        });
        let exponent = heaps.len() - 1 - others.rank();
        count.add(exponent as u64, others.count_from(heap));
        before.add(heap);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Budget;

    fn large(heaps: &[u32]) -> Vec<BigUint> {
        heaps.iter().map(|n| BigUint::from(*n)).collect()
    }

    fn lists() -> Vec<Vec<u32>> {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..4 {
            let end = lists.len();
            for index in start..end {
                for n in [0, 1, 2, 3, 5, 6, 7, 12] {
                    let longer = [lists[index].clone(), vec![n]].concat();
                    lists.push(longer);
                }
            }
            start = end;
        }
        lists
    }

    #[test]
    fn caps_equal_their_definition() {
        let meter = &mut Meter::new(Budget::default());
        for list in lists() {
            let heaps = large(&list);
            let is_won = |cap: u32| list.iter().fold(0, |sum, n| sum ^ (n % (cap + 1))) != 0;
            let won: Vec<u32> = (1..=30).filter(|cap| is_won(*cap)).collect();
            let largest = match won.last() {
                None => LargestCap::Never,
                Some(30) => LargestCap::Unbounded,
                Some(cap) => LargestCap::Finite((*cap).into()),
            };
            assert_eq!(largest_cap(&heaps), largest, "{list:?}");
            let least = won.first().map(|cap| BigUint::from(*cap));
            assert_eq!(least_cap(&heaps, meter), Ok(least), "{list:?}");
        }
    }

    #[test]
    fn chosen_heaps_equal_their_definition() {
        let prime = BigUint::from(7u8);
        for list in lists() {
            let heaps = large(&list);
            let subsets = 0u32..1 << list.len();
            let chosen = |set: u32| (0..list.len()).filter(move |i| set >> i & 1 == 1);
            let sum = |set: u32| chosen(set).fold(0, |sum, i| sum ^ list[i]);
            for value in 0..17 {
                let expected = subsets.clone().filter(|set| sum(*set) == value).count();
                let found = subsets_with_nim_sum(&heaps, &value.into());
                assert_eq!(found.exact(), expected.into(), "{list:?} {value}");
            }
            let forced = |set: u32| {
                chosen(set)
                    .filter(|i| sum(set) ^ list[*i] >= list[*i])
                    .count()
            };
            let expected: usize = subsets.map(forced).sum();
            let found = forced_first_heap_lost(&heaps);
            assert_eq!(found.exact(), expected.into(), "{list:?}");
            assert_eq!(found.modulo(&prime), (expected % 7).into());
        }
    }

    /// Luogu P5675, samples, and `AtCoder` `ARC168` B, samples.
    #[test]
    fn samples() {
        assert_eq!(
            forced_first_heap_lost(&large(&[2, 4, 5])).exact(),
            5u8.into()
        );
        assert_eq!(
            forced_first_heap_lost(&large(&[1, 2, 2])).exact(),
            6u8.into()
        );
        let finite = |cap: u32| LargestCap::Finite(cap.into());
        assert_eq!(largest_cap(&large(&[1, 2, 3])), finite(2));
        assert_eq!(largest_cap(&large(&[1, 2, 3, 4])), LargestCap::Unbounded);
        assert_eq!(largest_cap(&large(&[100, 100])), LargestCap::Never);
    }
}
