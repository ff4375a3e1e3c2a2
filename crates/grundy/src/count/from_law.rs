//! Counting heaps of any size from the law of their values.

use grundy_certificate::automatic::{AutomatonLaw, Says};
use grundy_certificate::{Law, Periodic};
use grundy_rules::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::spectrum::Values;
use super::{Census, MOST_HEAPS, Question, sums};
use crate::answer::heaps::heaps_with_value;
use crate::answer::relation::{heaps_below, values_of};
use crate::answer::strand::Strand;

/// How many positions there are; `None` where the law is of a kind that does not tell.
pub(super) fn count(
    law: &Law,
    question: &Question,
    meter: &mut Meter,
) -> Result<Option<BigUint>, Limit> {
    match law {
        Law::Periodic(law) if law.saltus == 0 => {
            return repeating(law, question, meter).map(Some);
        }
        Law::Periodic(law) if question.heaps == 1 => {
            return growing_heaps(law, question, meter).map(Some);
        }
        Law::Periodic(law) => {
            if let Some(values) = growing_values(law, question, meter)? {
                return sums(&values, question, meter).map(Some);
            }
        }
        Law::TakeUpTo(_) | Law::Pointers(_) | Law::Recursion(_) if question.heaps == 1 => {
            let (from, to) = (&question.from, &question.to);
            if let Some(heaps) = heaps_with_value(law, &question.value, from, to, meter)? {
                return Ok(Some(heaps.iter().map(Strand::count).sum()));
            }
        }
        Law::Automaton(law) => {
            if let Some(count) = regular(law, question, meter)? {
                return Ok(Some(count));
            }
            if law.says != Says::Value {
                return Ok(None);
            }
        }
        _ => {}
    }
    one_by_one(&|heap| law.value(heap), question, meter)
}

/// The most values of which the heaps are counted one value after the other.
const MOST_VALUES: usize = 1 << 10;

/// A law of an automaton: the heaps of each value are counted by their digits.
fn regular(
    law: &AutomatonLaw,
    question: &Question,
    meter: &mut Meter,
) -> Result<Option<BigUint>, Limit> {
    let end = &question.to + 1u8;
    let between = |value: &BigUint, meter: &mut Meter| -> Result<Option<BigUint>, Limit> {
        meter.spend(end.bits() + 1)?;
        let below = |end| heaps_below(law, value, end);
        Ok(below(&end)
            .zip(below(&question.from))
            .map(|(upto, before)| upto - before))
    };
    if question.heaps == 1 {
        return between(&question.value, meter);
    }
    let Some(values) = values_of(law, MOST_VALUES) else {
        return Ok(None);
    };
    let mut census = Census::default();
    for value in values {
        let Some(heaps) = between(&value.into(), meter)? else {
            return Ok(None);
        };
        census.heaps.insert(value, heaps);
    }
    census.count(question, meter).map(Some)
}

/// How many numbers from 0 to `last` have this residue, which is below `period`, above a start:
/// numbers `start + residue + period * x`.
fn laps(last: Option<&BigUint>, start: u64, residue: u64, period: u64) -> BigUint {
    let first = BigUint::from(start) + residue;
    match last {
        Some(last) if *last >= first => (last - first) / period + 1u8,
        _ => BigUint::zero(),
    }
}

/// The heaps before the first one; `None` if there are none.
fn before(question: &Question) -> Option<BigUint> {
    (!question.from.is_zero()).then(|| &question.from - 1u8)
}

/// The places in the list of a law's values, with how many heaps of the question each stands for.
fn places<'l>(
    law: &'l Periodic,
    question: &'l Question,
) -> impl Iterator<Item = (u64, BigUint)> + 'l {
    let before = before(question);
    law.values.iter().zip(0u64..).map(move |(value, n)| {
        let heaps = if n < law.preperiod {
            let n = BigUint::from(n);
            BigUint::from(u8::from(question.from <= n && n <= question.to))
        } else {
            let upto = |last| laps(last, law.preperiod, n - law.preperiod, law.period);
            upto(Some(&question.to)) - upto(before.as_ref())
        };
        (*value, heaps)
    })
}

/// A law that repeats: each value has so many heaps.
fn repeating(law: &Periodic, question: &Question, meter: &mut Meter) -> Result<BigUint, Limit> {
    let mut census = Census::default();
    for (value, heaps) in places(law, question) {
        meter.spend(1)?;
        *census.heaps.entry(value).or_default() += heaps;
    }
    census.count(question, meter)
}

/// A law that grows, and single heaps: each residue has one heap of the value at most.
fn growing_heaps(law: &Periodic, question: &Question, meter: &mut Meter) -> Result<BigUint, Limit> {
    let mut count = BigUint::zero();
    for (value, n) in law.values.iter().zip(0u64..) {
        meter.spend(1)?;
        let value = BigUint::from(*value);
        if question.value < value {
            continue;
        }
        let (laps, rest) = (&question.value - value).div_rem(&law.saltus.into());
        if !rest.is_zero() || n < law.preperiod && !laps.is_zero() {
            continue;
        }
        let heap = laps * law.period + n;
        if question.from <= heap && heap <= question.to {
            count += 1u8;
        }
    }
    Ok(count)
}

/// A law that grows: the values of all heaps of the question as pieces of a power of two, which
/// divides the saltus; `None` if the values do not repeat with it.
///
/// The values of a residue are `v, v + s, v + 2 s, …`. Those with `v + s x` below a common bound
/// are added one by one; above it, each remainder modulo the power of two `d` must occur equally
/// often with every remainder modulo `s` that it leaves open, and then its numbers go on in steps
/// of `d`.
fn growing_values(
    law: &Periodic,
    question: &Question,
    meter: &mut Meter,
) -> Result<Option<Values>, Limit> {
    let low_bits = law.saltus.trailing_zeros();
    if low_bits > super::MOST_LOW_BITS {
        return Ok(None);
    }
    let first = usize::try_from(law.preperiod).expect("the values are in memory");
    let (start, round) = law.values.split_at(first);
    let Some(open) = repeats_by(round, law.saltus, low_bits, meter)? else {
        return Ok(None);
    };
    let mut values = Values::new(low_bits);
    for (value, n) in start.iter().zip(0u64..) {
        meter.spend(1)?;
        if (&question.from..=&question.to).contains(&&BigUint::from(n)) {
            values.add_number(&(*value).into(), &BigInt::one());
        }
    }
    // The residues as they go on behind the last heap before the question, and behind its last.
    for (last, sign) in [(before(question), 1), (Some(question.to.clone()), -1)] {
        let sign = BigInt::from(sign);
        let mut starts = Vec::with_capacity(round.len());
        for (value, residue) in round.iter().zip(0u64..) {
            meter.spend(1)?;
            let laps = laps(last.as_ref(), law.preperiod, residue, law.period);
            starts.push(laps * law.saltus + *value);
        }
        if law.saltus.is_power_of_two() {
            for start in starts {
                values.add_from(&start, &sign);
            }
            continue;
        }
        let largest = starts.iter().max().expect("the period is positive");
        let bound = largest.div_ceil(&law.saltus.into()) * law.saltus;
        for start in &starts {
            let mut value = start.clone();
            while value < bound {
                meter.spend(1 + value.bits() / 64)?;
                values.add_number(&value, &sign);
                value += law.saltus;
            }
        }
        for (times, low) in open.iter().zip(0u64..) {
            values.add_from(&(&bound + low), &(&sign * *times));
        }
    }
    Ok(Some(values))
}

/// For each remainder modulo `2^low_bits` how often it occurs with each remainder modulo the saltus
/// that it leaves open; `None` if not equally often.
fn repeats_by(
    values: &[u64],
    saltus: u64,
    low_bits: u32,
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Limit> {
    if saltus.is_power_of_two() {
        return Ok(Some(Vec::new()));
    }
    let mut remainders: Vec<u64> = values.iter().map(|value| value % saltus).collect();
    remainders.sort_unstable();
    meter.spend(remainders.len() as u64)?;
    let step = 1u64 << low_bits;
    let classes = saltus / step;
    // For each low remainder, how many runs of equal remainders there are, and how long they are.
    let mut runs = vec![(0u64, 0u64); 1 << low_bits];
    for run in remainders.chunk_by(|a, b| a == b) {
        let place = usize::try_from(run[0] % step).expect("there are few low bits");
        let length = run.len() as u64;
        let (number, common) = &mut runs[place];
        if *number > 0 && *common != length {
            return Ok(None);
        }
        *number += 1;
        *common = length;
    }
    let even = runs
        .iter()
        .all(|(number, _)| *number == 0 || *number == classes);
    Ok(even.then(|| runs.into_iter().map(|(_, length)| length).collect()))
}

/// Looks up each heap of a short range.
pub(super) fn one_by_one(
    value: &dyn Fn(&BigUint) -> Option<BigUint>,
    question: &Question,
    meter: &mut Meter,
) -> Result<Option<BigUint>, Limit> {
    let range = &question.to - &question.from;
    if range.to_u64().is_none_or(|range| range > MOST_HEAPS) {
        return Ok(None);
    }
    let mut census = Census::default();
    let mut heap = question.from.clone();
    let mut single = BigUint::zero();
    while heap <= question.to {
        meter.spend(1 + heap.bits())?;
        let Some(value) = value(&heap) else {
            return Ok(None);
        };
        if question.heaps == 1 {
            single += u8::from(value == question.value);
        } else if let Some(value) = value.to_u64() {
            census.add(value);
        } else {
            return Ok(None);
        }
        heap += 1u8;
    }
    if question.heaps == 1 {
        return Ok(Some(single));
    }
    census.count(question, meter).map(Some)
}
