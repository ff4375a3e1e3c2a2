//! Values of classes with conditions, and of takes up to a bound: options one by one.

use grundy_kernels::Values;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;

use crate::shape::{Class, Classes, Takes, for_each_partition};

/// Which values were seen among the options of the heap at hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The number of the last heap that has an option of this value, plus 1.
    stamps: Vec<usize>,
    stamp: usize,
}

impl Seen {
    pub(crate) fn start(&mut self, heap: usize) {
        self.stamp = heap + 1;
    }

    pub(crate) fn insert(&mut self, value: u64) {
        let value = usize::try_from(value).expect("values do not exceed the number of options");
        if value >= self.stamps.len() {
            self.stamps.resize((value + 1).next_power_of_two(), 0);
        }
        self.stamps[value] = self.stamp;
    }

    pub(crate) fn mex(&self) -> u64 {
        let unseen = self.stamps.iter().position(|stamp| *stamp != self.stamp);
        unseen.unwrap_or(self.stamps.len()) as u64
    }
}

/// The value of the next heap, if those of all smaller ones are these.
pub(super) fn by_classes(
    classes: &Classes,
    values: &Values,
    seen: &mut Seen,
    meter: &mut Meter,
) -> Result<u64, Limit> {
    let n = values.len();
    seen.start(n);
    for class in classes.classes() {
        if let Some(rest) = n.checked_sub(class.removed) {
            add_class(class, rest, values, seen, meter)?;
        }
    }
    Ok(seen.mex())
}

fn add_class(
    class: &Class,
    rest: usize,
    values: &Values,
    seen: &mut Seen,
    meter: &mut Meter,
) -> Result<(), Limit> {
    // One look decides for all parts where the condition speaks of the heap alone.
    let free = class.speaks_of_heap_only();
    if free && class.parts > 0 {
        let Some(large) = (rest + 1).checked_sub(class.parts).filter(|part| *part > 0) else {
            return Ok(());
        };
        let mut parts = vec![1; class.parts];
        parts[0] = i64::try_from(large).map_err(|_| Limit::Bytes)?;
        if !class.allows(&parts) {
            return Ok(());
        }
    }
    if class.parts == 2 && free {
        meter.spend(rest as u64 / 4 + 1)?;
        for part in 1..=rest / 2 {
            seen.insert(values.at(part) ^ values.at(rest - part));
        }
        return Ok(());
    }
    let mut point = vec![0; class.parts];
    for_each_partition(rest, class.parts, &mut |parts| {
        meter.spend(2)?;
        for (coordinate, part) in point.iter_mut().zip(parts) {
            *coordinate = i64::try_from(*part).map_err(|_| Limit::Bytes)?;
        }
        if free || class.allows(&point) {
            seen.insert(parts.iter().fold(0, |sum, part| sum ^ values.at(*part)));
        }
        Ok(())
    })
}

/// The value of the next heap: the takes leave all heaps from some place on.
///
/// Let `t(n)` be the most that may be taken, which grows by 0 or 1 from each heap to the next. The
/// `t(n) + 1` heaps from `n - t(n)` to `n` have the values 0 up to `t(n)`, each once. For the
/// next heap either `t` grows, and its value is the next one; or the last of these heaps is out of
/// reach, and its value is free.
pub(super) fn by_takes(takes: &Takes, values: &Values, meter: &mut Meter) -> Result<u64, Limit> {
    meter.spend(1)?;
    let n = values.len();
    let most = |n: usize| usize::try_from(takes.most(&BigUint::from(n))).map_err(|_| Limit::Bytes);
    let now = most(n)?;
    let grown = n == 0 || most(n - 1)? < now;
    Ok(if grown {
        now as u64
    } else {
        values.at(n - now - 1)
    })
}
