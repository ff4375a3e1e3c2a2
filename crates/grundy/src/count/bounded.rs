//! How many rows of heaps within bounds of their own are lost in Nim and in Moore's Nim.

use std::collections::BTreeMap;

use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::One;

/// Which rows are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All.
    Any,
    /// Those in which no heap is smaller than the one before.
    Nondecreasing,
}

/// The most heaps of a row: two bits of a state stand for each.
pub const MOST_HEAPS: usize = 32;

/// The bytes that one state is counted as.
const STATE_BYTES: u64 = 96;

/// How many rows with `heaps[i] <= bounds[i]` have this nim-sum.
///
/// Costs a step for each binary place, heap and reachable state: which heaps still touch their bounds, and
/// in a nondecreasing row which still equal their neighbour.
///
/// # Errors
///
/// A limit of the meter, or more than [`MOST_HEAPS`] heaps.
pub fn with_nim_sum(
    bounds: &[BigUint],
    value: &BigUint,
    order: Order,
    meter: &mut Meter,
) -> Result<BigUint, Limit> {
    let wanted = |place| usize::from(value.bit(place));
    by_places(bounds, value.bits(), 2, &wanted, order, meter)
}

/// How many rows with `heaps[i] <= bounds[i]` are lost where up to `most` heaps may be taken from at a
/// time; with 1 that is Nim.
///
/// By Moore's theorem (1910) these are in normal play the rows in which the ones of each binary place
/// are a multiple of `most + 1`. In misère play only rows without a heap above 1 differ: there the ones must
/// leave 1 on division.
///
/// # Errors
///
/// A limit of the meter, or more than [`MOST_HEAPS`] heaps.
pub fn lost(
    bounds: &[BigUint],
    most: usize,
    play: Play,
    order: Order,
    meter: &mut Meter,
) -> Result<BigUint, Limit> {
    // More than all heaps at a time is all heaps.
    let modulus = most.clamp(1, bounds.len().max(1)) + 1;
    let mut count = |bounds: &[BigUint], in_last: usize| {
        let wanted = |place| if place == 0 { in_last } else { 0 };
        by_places(bounds, 1, modulus, &wanted, order, meter)
    };
    let normal = count(bounds, 0)?;
    match play {
        Play::Normal => Ok(normal),
        Play::Misere => {
            let ones: Vec<BigUint> = bounds
                .iter()
                .map(|b| b.min(&BigUint::one()).clone())
                .collect();
            Ok(normal - count(&ones, 0)? + count(&ones, 1)?)
        }
    }
}

/// How many rows have in each binary place a number of ones that leaves `wanted` on division by
/// `modulus`; from `places` on that is 0.
fn by_places(
    bounds: &[BigUint],
    places: u64,
    modulus: usize,
    wanted: &dyn Fn(u64) -> usize,
    order: Order,
    meter: &mut Meter,
) -> Result<BigUint, Limit> {
    if bounds.len() > MOST_HEAPS {
        return Err(Limit::Bytes);
    }
    let ordered = order == Order::Nondecreasing;
    let places = places.max(bounds.iter().map(BigUint::bits).max().unwrap_or(0));
    // Bit i: heap i has the places of its bound so far. Bit 32 + i: those of the heap before.
    let tied = |i: usize| 1u64 << i;
    let equal = |i: usize| 1u64 << (MOST_HEAPS + i);
    let mut start = 0;
    for i in 0..bounds.len() {
        start |= tied(i);
        if ordered && i > 0 {
            start |= equal(i);
        }
    }
    let mut states = BTreeMap::from([(start, BigUint::one())]);
    for place in (0..places).rev() {
        // With the ones of the heaps so far, and the digit of the last of them.
        let begin = |(state, ways)| ((state, 0usize, false), ways);
        let mut open: BTreeMap<(u64, usize, bool), BigUint> =
            states.into_iter().map(begin).collect();
        for (i, bound) in bounds.iter().enumerate() {
            let mut next: BTreeMap<_, BigUint> = BTreeMap::new();
            for ((state, ones, before), ways) in open {
                for digit in [false, true] {
                    meter.spend(1)?;
                    let mut state: u64 = state;
                    if state & tied(i) != 0 {
                        if digit && !bound.bit(place) {
                            continue;
                        }
                        if digit != bound.bit(place) {
                            state &= !tied(i);
                        }
                    }
                    if state & equal(i) != 0 {
                        if before && !digit {
                            continue;
                        }
                        if before != digit {
                            state &= !equal(i);
                        }
                    }
                    let ones = (ones + usize::from(digit)) % modulus;
                    *next.entry((state, ones, digit)).or_default() += &ways;
                }
            }
            let bytes = next.len() as u64 * STATE_BYTES;
            meter.allocate(bytes)?;
            meter.release(bytes);
            open = next;
        }
        states = BTreeMap::new();
        let wanted = wanted(place) % modulus;
        for ((state, ones, _), ways) in open {
            if ones == wanted {
                *states.entry(state).or_default() += ways;
            }
        }
    }
    Ok(states.into_values().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Budget;

    fn rows(bounds: &[u32]) -> Vec<Vec<u32>> {
        let longer = |rows: Vec<Vec<u32>>, bound: &u32| {
            let with = |row: Vec<u32>| (0..=*bound).map(move |n| [row.clone(), vec![n]].concat());
            rows.into_iter().flat_map(with).collect()
        };
        bounds.iter().fold(vec![Vec::new()], longer)
    }

    fn is_lost(row: &[u32], most: usize, play: Play) -> bool {
        let ones = |place: u32| row.iter().filter(|n| *n >> place & 1 == 1).count();
        if play == Play::Misere && row.iter().all(|n| *n <= 1) {
            return ones(0) % (most + 1) == 1;
        }
        (0..8).all(|place| ones(place) % (most + 1) == 0)
    }

    #[test]
    fn counts_equal_their_definition() {
        let meter = &mut Meter::new(Budget::default());
        for bounds in [
            &[][..],
            &[0],
            &[5],
            &[3, 9],
            &[9, 3],
            &[1, 1, 1],
            &[7, 2, 12],
            &[4, 0, 6, 5],
            &[3, 3, 4, 2, 5],
        ] {
            let large: Vec<BigUint> = bounds.iter().map(|b| BigUint::from(*b)).collect();
            for order in [Order::Any, Order::Nondecreasing] {
                let rows: Vec<Vec<u32>> = rows(bounds)
                    .into_iter()
                    .filter(|row| order == Order::Any || row.is_sorted())
                    .collect();
                for value in 0..18u32 {
                    let expected = rows
                        .iter()
                        .filter(|r| r.iter().fold(0, |s, n| s ^ n) == value);
                    let found = with_nim_sum(&large, &value.into(), order, meter);
                    assert_eq!(
                        found,
                        Ok(expected.count().into()),
                        "{bounds:?} {value} {order:?}"
                    );
                }
                for most in 1..5 {
                    for play in [Play::Normal, Play::Misere] {
                        let expected = rows.iter().filter(|row| is_lost(row, most, play)).count();
                        let found = lost(&large, most, play, order, meter);
                        assert_eq!(found, Ok(expected.into()), "{bounds:?} {most} {play:?}");
                    }
                }
            }
        }
    }
}
