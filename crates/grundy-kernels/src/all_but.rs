//! Subtraction sets of all but finitely many numbers.

use crate::values::Values;

/// The game of taking any positive number outside a finite set.
///
/// The options of a heap are all smaller heaps but those that lie an excluded number below. So
/// the values of all smaller heaps are counted; those of the excluded ones are taken out for a
/// moment, and the mex is either the least value taken out altogether, or the mex of all.
#[derive(Clone, Debug)]
pub struct AllBut {
    /// Ascending, each once.
    excluded: Vec<usize>,
    /// How many of the heaps looked at have each value.
    counts: Vec<u32>,
    /// How many heaps were looked at.
    counted: usize,
    /// The least value that none of them has.
    mex: usize,
}

impl AllBut {
    /// The game with these numbers excluded.
    pub fn new(mut excluded: Vec<usize>) -> Self {
        excluded.retain(|number| *number > 0);
        excluded.sort_unstable();
        excluded.dedup();
        Self {
            excluded,
            counts: Vec::new(),
            counted: 0,
            mex: 0,
        }
    }

    /// Appends values until there are `count`; `spend` hears of the work and may stop it. The table must
    /// be the one of the calls before.
    pub fn extend<E>(
        &mut self,
        values: &mut Values,
        count: usize,
        spend: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        while values.len() < count {
            spend(1 + self.excluded.len() as u64 / 2)?;
            self.count(values);
            let heap = values.len();
            let mut mex = self.mex;
            let reach = self.excluded.partition_point(|number| *number <= heap);
            let at = |number: &usize| index(values.at(heap - number));
            for number in &self.excluded[..reach] {
                let value = at(number);
                self.counts[value] -= 1;
                if self.counts[value] == 0 {
                    mex = mex.min(value);
                }
            }
            for number in &self.excluded[..reach] {
                self.counts[at(number)] += 1;
            }
            values.push(mex as u64);
        }
        Ok(())
    }

    /// Counts the values that were not counted yet.
    fn count(&mut self, values: &Values) {
        for heap in self.counted..values.len() {
            let value = index(values.at(heap));
            if value >= self.counts.len() {
                self.counts.resize((value + 1).next_power_of_two(), 0);
            }
            self.counts[value] += 1;
            while self.counts.get(self.mex).is_some_and(|count| *count > 0) {
                self.mex += 1;
            }
        }
        self.counted = values.len();
    }
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("values do not exceed the number of options")
}
