//! Whether the values of a law are the Grundy values of the first heaps.
//!
//! By strong induction: if every heap's value is the mex of its options' values, where smaller
//! heaps have the values of the law, then the law is right so far.
//!
//! # Sparse spaces
//!
//! A heap of `n` may have `n / 2` options in each class that leaves two heaps. Call a value
//! rare if it has an even number of bits in common with the mask, and common otherwise: the
//! nim-sum of two values is rare if both are alike, and common otherwise, whatever the mask.
//! Options with at least one rare heap therefore give *all* common values and some rare ones;
//! only rare values can come from two common heaps. So where the law says a common value `v`,
//! it suffices to look at the options with a rare heap, and then for one pair of common heaps
//! for each rare value below `v` that is still missing. If few heaps have rare values, that is
//! nearly linear. Where the law says a rare value, all options are looked at. The mask saves
//! time, never correctness (Berlekamp, Conway and Guy, *Winning Ways*, chapter 4; Gangolli and
//! Plambeck 1989).

use grundy_rules::Meter;

use crate::moves::Class;
use crate::refusal::{Falsehood, Stop};

/// Verifies the values of all heaps below `values.len()`.
///
/// `classes` must hold, ascending, all classes that remove less than that.
pub fn verify(classes: &[Class], values: &[u64], mask: u64, meter: &mut Meter) -> Result<(), Stop> {
    let mut window = Window {
        classes,
        values,
        mask,
        is_rare: Vec::new(),
        rare_heaps: Vec::new(),
        seen: vec![0; 1],
        stamp: 0,
    };
    meter.allocate(16 * values.len() as u64)?;
    for (heap, &claimed) in values.iter().enumerate() {
        let actual = window.mex(heap, claimed, meter)?;
        if actual != claimed {
            let heap = heap as u64;
            return Err(Falsehood::Value {
                heap,
                claimed,
                actual,
            }
            .into());
        }
        let rare = window.is_rare_value(claimed);
        window.is_rare.push(rare);
        if rare && heap > 0 {
            window.rare_heaps.push(heap);
        }
        while claimed >= window.seen.len() as u64 {
            meter.allocate(4 * window.seen.len() as u64)?;
            window.seen.resize(2 * window.seen.len(), 0);
        }
    }
    Ok(())
}

struct Window<'a> {
    classes: &'a [Class],
    /// Verified for all heaps that have an entry in `is_rare`.
    values: &'a [u64],
    mask: u64,
    is_rare: Vec<bool>,
    /// The positive heaps of rare values, ascending.
    rare_heaps: Vec<usize>,
    /// `seen[v] == stamp` where an option of value `v` was found. As long as a power of two
    /// above all values so far, hence above all their nim-sums.
    seen: Vec<u32>,
    stamp: u32,
}

impl Window<'_> {
    fn is_rare_value(&self, value: u64) -> bool {
        (value & self.mask).count_ones().is_multiple_of(2)
    }

    /// Notes the value of an option; tells whether it is new.
    fn see(&mut self, value: u64) -> bool {
        let value = usize::try_from(value).expect("nim-sums lie below the length of `seen`");
        std::mem::replace(&mut self.seen[value], self.stamp) != self.stamp
    }

    fn least_unseen(&self) -> u64 {
        let unseen = self.seen.iter().position(|entry| *entry != self.stamp);
        unseen.unwrap_or(self.seen.len()) as u64
    }

    /// The mex of the values of a heap's options. All of them are looked at unless it is clear
    /// before that it is `claimed`.
    fn mex(&mut self, heap: usize, claimed: u64, meter: &mut Meter) -> Result<u64, Stop> {
        if self.stamp == u32::MAX {
            self.seen.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        let end = self
            .classes
            .partition_point(|class| class.removed <= heap as u64);
        let classes = &self.classes[..end];
        let splits = |class: &&Class| self.mask != 0 && class.parts == 2 && class.is_full();
        let (splits, others): (Vec<&Class>, Vec<&Class>) = classes.iter().partition(splits);
        for class in others {
            self.see_class(class, heap, meter)?;
        }
        let left: Vec<usize> = splits.iter().map(|class| heap - removed(class)).collect();
        for &sum in &left {
            self.see_pairs_with_a_rare_heap(sum, meter)?;
        }
        let mut missing = self.missing_below(claimed);
        for &sum in &left {
            if missing == Some(0) {
                return Ok(claimed);
            }
            self.see_pairs_of_common_heaps(sum, claimed, &mut missing, meter)?;
        }
        Ok(self.least_unseen())
    }

    /// How many values below `claimed` no option was found for, if finding those is all that is
    /// left to show that `claimed` is the mex: none of the pairs of common heaps has it.
    fn missing_below(&self, claimed: u64) -> Option<usize> {
        let below = self.seen.get(..=usize::try_from(claimed).ok()?)?;
        let (last, below) = below.split_last()?;
        if self.is_rare_value(claimed) || *last == self.stamp {
            return None;
        }
        Some(below.iter().filter(|entry| **entry != self.stamp).count())
    }

    fn see_pairs_with_a_rare_heap(&mut self, sum: usize, meter: &mut Meter) -> Result<(), Stop> {
        let end = self.rare_heaps.partition_point(|rare| *rare < sum);
        meter.spend(1 + end as u64 / 8)?;
        for at in 0..end {
            let rare = self.rare_heaps[at];
            self.see(self.values[rare] ^ self.values[sum - rare]);
        }
        Ok(())
    }

    fn see_pairs_of_common_heaps(
        &mut self,
        sum: usize,
        claimed: u64,
        missing: &mut Option<usize>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        for first in 1..=sum / 2 {
            if first % 64 == 1 {
                meter.spend(8)?;
            }
            let second = sum - first;
            if self.is_rare[first] || self.is_rare[second] {
                continue;
            }
            let value = self.values[first] ^ self.values[second];
            if self.see(value)
                && value < claimed
                && let Some(count) = missing
            {
                *count -= 1;
                if *count == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Notes the values of all options in one class.
    fn see_class(&mut self, class: &Class, heap: usize, meter: &mut Meter) -> Result<(), Stop> {
        let at = |part: &u64| usize::try_from(*part).expect("at most the heap");
        class.for_each_option(heap as u64, meter, &mut |parts| {
            let values = parts.iter().map(|part| self.values[at(part)]);
            let value = values.fold(0, |sum, value| sum ^ value);
            self.see(value);
        })?;
        Ok(())
    }
}

fn removed(class: &Class) -> usize {
    usize::try_from(class.removed).expect("at most the heap")
}
