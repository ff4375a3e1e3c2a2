//! Inputs that are hard to get right: lost positions, and those beside them.

use grundy::outcome::Outcome;
use grundy_rules::moves::Move;
use grundy_rules::{Item, Meter};
use num_bigint::{BigInt, BigUint};

use super::oracle::Oracle;
use super::tape::{Written, read, write};
use crate::draw::{Size, draw};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::problem::Problem;
use crate::value::Which;

/// A lost position and its neighbours.
#[derive(Clone, Debug, Default)]
pub struct Hard {
    /// An input that asks about a position which is lost.
    pub lost: Option<String>,
    /// The same with one number one larger or smaller.
    pub beside: Vec<String>,
}

/// Draws an input, and plays a winning move in the position that it asks about: what is left is lost,
/// and is written into the input where the numbers of the position came from.
///
/// # Errors
///
/// Where a limit is reached.
pub fn hard(
    problem: &Problem,
    seed: u64,
    oracle: &mut Oracle,
    meter: &mut Meter,
) -> Result<Hard, Failure> {
    let size = match seed % 4 {
        0 => Size::Upto(20),
        _ => Size::Magnitudes,
    };
    let input = draw(problem, seed, size, meter)?;
    let mut drawn = read(problem, &input, meter)?;
    let grows = seed % 4 > 1;
    if grows {
        // Winning moves of large positions may not be known, but those of small ones are.
        drawn = write(problem, &halved(&drawn), meter)?;
    }
    let Some(mut lost) = lost(problem, drawn, oracle, meter)? else {
        return Ok(Hard::default());
    };
    if grows {
        lost = grown(problem, lost, oracle, meter)?;
    }
    let mut beside = Vec::new();
    let offsets = lost.offsets();
    for (place, choice) in lost.choices.iter().enumerate() {
        if choice.number.is_none() || beside.len() >= MOST_BESIDE {
            continue;
        }
        for change in [1, -1] {
            let mut changed = offsets.clone();
            let Some(offset) = moved(&offsets[place], &BigInt::from(change)) else {
                continue;
            };
            changed[place] = offset;
            // What a condition refuses is no neighbour.
            if let Ok(written) = write(problem, &changed, meter) {
                beside.push(written.text);
            }
        }
    }
    Ok(Hard {
        lost: Some(lost.text),
        beside,
    })
}

/// Halved positions have numbers up to here.
const HALVED: u32 = 40;

/// The choices of an input with all numbers halved until they are small.
fn halved(input: &Written) -> Vec<BigUint> {
    let mut offsets = input.offsets();
    let numbers = numbers(input);
    let largest = numbers.iter().map(|place| &offsets[*place]).max();
    let bits = largest.map_or(0, |largest| (largest / HALVED).bits());
    for place in numbers {
        offsets[place] >>= bits;
    }
    offsets
}

/// The places of the choices that are numbers of positions: those that count nothing.
fn numbers(input: &Written) -> Vec<usize> {
    let counts = |place: usize| input.groups.iter().any(|group| group.count == Some(place));
    let numbers = input.choices.iter().enumerate();
    let numbers = numbers.filter(|(place, choice)| choice.number.is_some() && !counts(*place));
    numbers.map(|(place, _)| place).collect()
}

/// A lost position with larger numbers: again and again twice as large, where that or a position near it
/// is lost. Lost positions of many games lie along lines, as the golden ratio is one in Wythoff's game.
fn grown(
    problem: &Problem,
    mut lost: Written,
    oracle: &mut Oracle,
    meter: &mut Meter,
) -> Result<Written, Failure> {
    loop {
        let places = numbers(&lost);
        let Some((last, before)) = places.split_last() else {
            return Ok(lost);
        };
        let twice = |place: &usize| {
            let number = lost.choices[*place].number.as_ref();
            number.and_then(|number| moved(&lost.choices[*place].offset, &number.to_bigint()))
        };
        let mut doubled = lost.offsets();
        for place in &places {
            let Some(offset) = twice(place) else {
                return Ok(lost);
            };
            doubled[*place] = offset;
        }
        let is_full = |offsets: &[BigUint]| {
            let mut full = places.iter();
            full.any(|place| {
                lost.choices[*place]
                    .most
                    .as_ref()
                    .is_some_and(|m| offsets[*place] > *m)
            })
        };
        if is_full(&doubled) || doubled == lost.offsets() || doubled[*last].bits() > MOST_BITS {
            return Ok(lost);
        }
        let mut next = None;
        let near = [0, 1, -1, 2, -2];
        'found: for first in near {
            for second in near {
                let mut offsets = doubled.clone();
                let changes = before.last().map(|place| (place, first));
                for (place, change) in changes.into_iter().chain([(last, second)]) {
                    let Some(offset) = moved(&offsets[*place], &BigInt::from(change)) else {
                        continue;
                    };
                    offsets[*place] = offset;
                }
                let Ok(written) = write(problem, &offsets, meter) else {
                    continue;
                };
                if is_lost(problem, &written, oracle, meter)? {
                    next = Some(written);
                    break 'found;
                }
            }
        }
        match next {
            Some(next) => lost = next,
            None => return Ok(lost),
        }
    }
}

/// Numbers without a limit grow so far.
const MOST_BITS: u64 = 64;

fn is_lost(
    problem: &Problem,
    input: &Written,
    oracle: &mut Oracle,
    meter: &mut Meter,
) -> Result<bool, Failure> {
    let sums = oracle.sums(problem, &input.text, meter)?;
    match sums.first() {
        Some(sum) => Ok(oracle.engine().outcome(sum, meter)? == Outcome::P),
        None => Ok(false),
    }
}

/// So many neighbours of one position are enough.
const MOST_BESIDE: usize = 4;

/// An input like this one whose position is lost.
fn lost(
    problem: &Problem,
    input: Written,
    oracle: &mut Oracle,
    meter: &mut Meter,
) -> Result<Option<Written>, Failure> {
    let Some(sum) = oracle.sums(problem, &input.text, meter)?.into_iter().next() else {
        return Ok(None);
    };
    if oracle.engine().outcome(&sum, meter)? == Outcome::P {
        return Ok(Some(input));
    }
    let Some(next) = oracle.engine().first(&sum, Which::Winning, meter)? else {
        return Ok(None);
    };
    let Some(offsets) = after(&input, &next) else {
        return Ok(None);
    };
    let Ok(written) = write(problem, &offsets, meter) else {
        return Ok(None);
    };
    Ok(is_lost(problem, &written, oracle, meter)?.then_some(written))
}

/// The choices of an input after a move: each number of a component that the move changes is looked
/// for among those of the input, where it may be one off, as of places counted from 0 or 1.
fn after(input: &Written, next: &Move) -> Option<Vec<BigUint>> {
    let [change] = next.changes.as_slice() else {
        return None;
    };
    let number = |item: &Item| match item {
        Item::Number(n) => Some(BigInt::from(n.clone())),
        Item::List(_) => None,
    };
    let from: Option<Vec<BigInt>> = change.from.0.iter().map(number).collect();
    let from = from?;
    let to: Vec<BigInt> = match change.to.as_slice() {
        [] => vec![BigInt::ZERO; from.len()],
        [to] => to.0.iter().map(number).collect::<Option<_>>()?,
        _ => return None,
    };
    if from.len() != to.len() {
        return None;
    }
    let mut offsets = input.offsets();
    let mut used = vec![false; offsets.len()];
    for (from, to) in from.iter().zip(&to).filter(|(from, to)| from != to) {
        let found = [0, 1, -1].into_iter().find_map(|off| {
            let wanted = from + off;
            // Numbers of lists and positions stand behind what counts them.
            (0..offsets.len()).rev().find(|place| {
                let number = input.choices[*place].number.as_ref();
                !used[*place] && number.is_some_and(|number| number.to_bigint() == wanted)
            })
        })?;
        used[found] = true;
        offsets[found] = moved(&offsets[found], &(to - from))?;
    }
    Some(offsets)
}

/// A choice that is so much farther from the simplest.
fn moved(offset: &BigUint, by: &BigInt) -> Option<BigUint> {
    (BigInt::from(offset.clone()) + by).to_biguint()
}
