//! What may be taken from a heap, and what may be left.

use super::scan::AT_ONCE;

/// Moves that take one of finitely many numbers and leave at most two heaps, none of them empty.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// What may be taken to leave nothing.
    pub nothing: Vec<usize>,
    /// What may be taken to leave one heap, and which heaps.
    pub one: Vec<(usize, Allowed)>,
    /// What may be taken to leave two heaps, and which pairs.
    pub two: Vec<(usize, Allowed)>,
}

/// Which heaps, or which pairs of heaps, may be left.
///
/// A heap counts by its size up to a bound, and by its residue beyond it; a pair by the smaller heap and
/// by the difference of the two, in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    bound: usize,
    modulus: usize,
    /// The answers, in rows by the smaller heap, for representatives.
    answers: Vec<bool>,
    /// The answer that they all have.
    all: Option<bool>,
    /// The answer that all pairs of large heaps with a large difference have.
    most: Option<bool>,
}

/// Which pairs of large heaps with a large difference may be left, by residues.
#[derive(Clone, Debug)]
pub(crate) struct Residues {
    modulus: usize,
    /// For each residue of the sum, whether the smaller heap may be 0, 1, …: from each residue on a whole period and
    /// [`AT_ONCE`] more.
    rows: Vec<Vec<bool>>,
    /// For each residue of the sum, whether every smaller heap may be.
    whole: Vec<bool>,
    /// How many pairs of residues are allowed.
    allowed: u64,
}

/// More residues are gone through one by one: few pairs of each sum are allowed or few are not.
const MOST_RESIDUES: usize = 64;

/// The answer that they all are, if there is one.
fn common<'a>(answers: impl IntoIterator<Item = &'a bool>) -> Option<bool> {
    let mut answers = answers.into_iter();
    let first = answers.next().copied();
    first.filter(|first| answers.all(|answer| answer == first))
}

impl Residues {
    /// Whether the heaps from one on may be the smaller ones of pairs with this sum; it repeats with the modulus.
    #[inline(always)]
    pub(crate) fn from(&self, sum: usize, small: usize) -> &[bool] {
        &self.rows[sum % self.modulus][small % self.modulus..]
    }

    /// Whether every heap may be the smaller one of a pair with this sum.
    pub(crate) fn allow_all(&self, sum: usize) -> bool {
        self.whole[sum % self.modulus]
    }

    /// Whether a heap may be the smaller one of a pair with this sum.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // Heaps and moduli are below 2^32, and a short division is quicker.
    pub(crate) fn of_sum(&self, sum: usize) -> impl Fn(usize) -> bool {
        let (row, modulus) = (self.from(sum, 0), self.modulus as u32);
        move |small| row[(small as u32 % modulus) as usize]
    }

    pub(crate) fn modulus(&self) -> usize {
        self.modulus
    }

    /// How many of so many pairs of a sum are allowed, on average.
    pub(crate) fn share(&self, pairs: u64) -> u64 {
        pairs * self.allowed / (self.modulus * self.modulus) as u64
    }
}

impl Default for Allowed {
    /// All.
    fn default() -> Self {
        Self {
            bound: 0,
            modulus: 1,
            answers: vec![true; 4],
            all: Some(true),
            most: Some(true),
        }
    }
}

impl Allowed {
    /// Asks `answer` for all representatives: a smaller heap and a difference, each at most
    /// `bound + modulus`. For a single heap the difference is 0.
    ///
    /// # Panics
    ///
    /// If the modulus is 0.
    pub fn new(bound: usize, modulus: usize, mut answer: impl FnMut(usize, usize) -> bool) -> Self {
        assert!(modulus > 0, "a modulus is positive");
        let side = bound + modulus + 1;
        let answers = (0..side * side).map(|place| answer(place / side, place % side));
        let answers: Vec<bool> = answers.collect();
        let large = answers.chunks_exact(side).skip(bound + 1);
        Self {
            bound,
            modulus,
            all: common(&answers),
            most: common(large.flat_map(|row| &row[bound + 1..])),
            answers,
        }
    }

    fn representative(&self, size: usize) -> usize {
        if size <= self.bound {
            size
        } else {
            self.bound + 1 + (size - self.bound - 1) % self.modulus
        }
    }

    fn answer(&self, small: usize, difference: usize) -> bool {
        let side = self.bound + self.modulus + 1;
        self.answers[small * side + difference]
    }

    /// Whether this heap may be left alone.
    pub fn heap(&self, heap: usize) -> bool {
        self.answer(self.representative(heap), 0)
    }

    /// Whether these two heaps may be left.
    pub fn pair(&self, a: usize, b: usize) -> bool {
        let small = self.representative(a.min(b));
        self.answer(small, self.representative(a.abs_diff(b)))
    }

    /// What is said of pairs of large heaps with a large difference: the same of all, or not.
    pub(crate) fn of_most(&self) -> Option<bool> {
        self.most
    }

    /// Whether a heap that may be small may be left with a much larger one; `None` if that depends on
    /// the larger one.
    pub(crate) fn with_large(&self, heap: usize) -> Option<bool> {
        let small = self.representative(heap);
        let side = self.bound + self.modulus + 1;
        common(&self.answers[small * side + self.bound + 1..][..self.modulus])
    }

    /// What is said of pairs of large heaps with a large difference where residues decide it; `None` where they
    /// do not, or where there are too many.
    pub(crate) fn residues(&self) -> Option<Residues> {
        if self.of_most().is_some() || self.modulus > MOST_RESIDUES {
            return None;
        }
        let large = |residue: usize| {
            let least = self.bound + 1;
            least + (residue + self.modulus - least % self.modulus) % self.modulus
        };
        let row = |sum: usize| {
            let small = (0..self.modulus).map(|small| {
                let difference = sum + 2 * (self.modulus - small);
                self.answer(large(small), large(difference % self.modulus))
            });
            let small: Vec<bool> = small.collect();
            let length = 2 * self.modulus + AT_ONCE;
            small.into_iter().cycle().take(length).collect()
        };
        let rows: Vec<Vec<bool>> = (0..self.modulus).map(row).collect();
        Some(Residues {
            modulus: self.modulus,
            whole: rows.iter().map(|row| common(row) == Some(true)).collect(),
            allowed: rows
                .iter()
                .flat_map(|row| &row[..self.modulus])
                .map(|allowed| u64::from(*allowed))
                .sum(),
            rows,
        })
    }

    /// Whether all pairs may be left.
    pub(crate) fn is_everything(&self) -> bool {
        self.all == Some(true)
    }

    /// Residues count by this modulus.
    pub(crate) fn modulus(&self) -> usize {
        self.modulus
    }

    /// Sizes and differences beyond this count by their residues alone.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// The smaller heaps of the allowed pairs with this sum of which one heap or the difference is
    /// at most the bound.
    pub(crate) fn for_each_exception(&self, sum: usize, mut see: impl FnMut(usize)) {
        let half = sum / 2;
        let small = 1..=self.bound.min(half);
        let first_near = (sum.saturating_sub(self.bound))
            .div_ceil(2)
            .max(small.end() + 1);
        for a in small.chain(first_near..=half) {
            if self.pair(a, sum - a) {
                see(a);
            }
        }
    }

    /// The smaller heaps of all other pairs with this sum.
    pub(crate) fn others(&self, sum: usize) -> std::ops::Range<usize> {
        let first_near = (sum.saturating_sub(self.bound)).div_ceil(2);
        let end = first_near.min(sum / 2 + 1);
        if end > self.bound {
            self.bound + 1..end
        } else {
            0..0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_say_what_pairs_do() {
        for (bound, modulus) in [(0, 2), (0, 3), (2, 3), (3, 2), (1, 5)] {
            let allowed = Allowed::new(bound, modulus, |small, difference| {
                (3 * small + 5 * difference + small * difference) % 7 < 4
            });
            let residues = allowed.residues().expect("residues decide");
            for sum in 0..40 {
                for first in allowed.others(sum) {
                    let row = residues.from(sum, first);
                    assert!(row.len() >= modulus + AT_ONCE);
                    for small in allowed.others(sum).filter(|small| *small >= first) {
                        assert_eq!(row[small - first], allowed.pair(small, sum - small));
                    }
                }
            }
        }
    }

    #[test]
    fn exceptions_and_others_are_all_pairs() {
        for bound in 0..5 {
            let allowed = Allowed::new(bound, 1, |_, _| true);
            for sum in 0..40 {
                let mut smaller: Vec<usize> = allowed.others(sum).collect();
                allowed.for_each_exception(sum, |a| smaller.push(a));
                smaller.sort_unstable();
                assert_eq!(smaller, (1..=sum / 2).collect::<Vec<_>>(), "{bound} {sum}");
            }
        }
    }
}
