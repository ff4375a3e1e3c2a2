//! Digit recursions seen in values: each residue class is affine, or repeats the values of smaller heaps.
//!
//! Taking at most half of a heap has `g(2x) = x` and `g(2x+1) = g(x)`. Such values are not bounded and no automaton relates
//! them to their heaps, as the two numbers have different lengths again and again; but each value takes as many steps as the
//! heap has digits. What is seen here is a guess, for [`links`](crate::proof::automatic::links) to prove.

use std::collections::BTreeSet;

use grundy_certificate::automatic::Order;
use grundy_certificate::{Law, PointerClass, Pointers};

use super::cases::lines;

/// The largest number of residue classes that is tried.
const MOST_CLASSES: usize = 12;
/// How far a pointer may lie beside a multiple.
const MOST_SHIFT: i64 = 12;
/// Up to so many times the modulus, heaps may be exceptions.
const MOST_EXCEPTIONS: [usize; 4] = [1, 2, 3, 4];
/// How often each class must be seen.
const SEEN: usize = 24;

/// In which bases, and from which end, digits are looked at.
const SYSTEMS: [(u32, Order); 4] = [
    (2, Order::LeastSignificantFirst),
    (2, Order::MostSignificantFirst),
    (3, Order::LeastSignificantFirst),
    (3, Order::MostSignificantFirst),
];

/// The recursions that values show, heap 0 first: one of residue classes, or else of cases that digits tell apart.
pub fn recursions(values: &[u64]) -> impl Iterator<Item = Law> {
    let by_residue = recursion(values);
    let lines = match by_residue {
        Some(_) => None,
        None => lines(values),
    };
    let by_digits = lines.into_iter().flat_map(|lines| {
        let told = SYSTEMS.map(|(base, order)| lines.told(base, order));
        told.into_iter().flatten()
    });
    let by_residue = by_residue.map(Law::Pointers).into_iter();
    by_residue.chain(by_digits.map(Law::Recursion))
}

/// The recursion with the fewest classes that values show, heap 0 first; `None` if they show none.
///
/// A law of which no class is affine would say nothing of the size of values, and one without a pointer is a period.
pub fn recursion(values: &[u64]) -> Option<Pointers> {
    let signed: Vec<i64> = values
        .iter()
        .map(|value| i64::try_from(*value))
        .collect::<Result<_, _>>()
        .ok()?;
    let first = first_of_value(&signed);
    (2..=MOST_CLASSES).find_map(|modulus| {
        MOST_EXCEPTIONS
            .into_iter()
            .find_map(|times| of_modulus(&signed, &first, modulus, times))
            .map(|(start, classes)| Pointers {
                modulus: modulus as u64,
                start: values[..start].to_vec(),
                classes,
            })
    })
}

/// Of each heap whether no smaller one has its value: only such heaps are new.
fn first_of_value(values: &[i64]) -> Vec<bool> {
    let mut seen = BTreeSet::new();
    values.iter().map(|value| seen.insert(*value)).collect()
}

fn of_modulus(
    values: &[i64],
    is_first: &[bool],
    modulus: usize,
    first: usize,
) -> Option<(usize, Vec<PointerClass>)> {
    let start = modulus * first;
    if values.len() < start + modulus * SEEN {
        return None;
    }
    let classes: Option<Vec<PointerClass>> = (0..modulus)
        .map(|residue| {
            let class: Vec<i64> = values
                .iter()
                .skip(residue)
                .step_by(modulus)
                .copied()
                .collect();
            let mut heaps = is_first[start..].iter().skip(residue).step_by(modulus);
            let is_new = heaps.all(|is_first| *is_first);
            let new = is_new.then(|| affine(&class, first)).flatten();
            new.or_else(|| pointer(values, &class, modulus, residue, first))
        })
        .collect();
    let classes = classes?;
    let is_new = |class: &PointerClass| matches!(class, PointerClass::New { .. });
    let grows = classes
        .iter()
        .any(|class| matches!(class, PointerClass::New { times, .. } if *times > 0));
    (grows && !classes.iter().all(is_new)).then_some((start, classes))
}

/// `times * x + plus` for all `x >= first`
fn affine(class: &[i64], first: usize) -> Option<PointerClass> {
    let step = class[first + 1] - class[first];
    let times = u64::try_from(step).ok()?;
    let holds = class[first..]
        .windows(2)
        .all(|pair| pair[1] - pair[0] == step);
    let plus = class[first] - step * i64::try_from(first).ok()?;
    holds.then_some(PointerClass::New { times, plus })
}

/// The nearest smaller heap that always has the same value.
fn pointer(
    values: &[i64],
    class: &[i64],
    modulus: usize,
    residue: usize,
    first: usize,
) -> Option<PointerClass> {
    let small = |n: usize| i64::try_from(n).expect("tables are no larger");
    for times in (1..=modulus).rev() {
        for plus in (-MOST_SHIFT..=MOST_SHIFT).rev() {
            let target = |x: usize| {
                let to = small(times * x) + plus;
                let is_smaller = to < small(modulus * x + residue);
                usize::try_from(to).ok().filter(|_| is_smaller)
            };
            let holds =
                |(x, value): (usize, &i64)| target(x).is_some_and(|to| values[to] == *value);
            if class.iter().enumerate().skip(first).all(holds) {
                return Some(PointerClass::Pointer {
                    times: times as u64,
                    plus,
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halving(n: usize) -> u64 {
        if n.is_multiple_of(2) {
            n as u64 / 2
        } else {
            halving(n / 2)
        }
    }

    #[test]
    fn halving_is_seen() {
        let values: Vec<u64> = (0..400).map(halving).collect();
        let seen = recursion(&values).expect("a recursion");
        assert_eq!(seen.modulus, 2);
        let law = Law::Pointers(seen);
        for n in 0..3000usize {
            assert_eq!(law.value(&n.into()), Some(halving(n).into()), "{n}");
        }
    }

    #[test]
    fn one_other_value_hides_it() {
        let mut values: Vec<u64> = (0..400).map(halving).collect();
        values[301] += 1;
        assert_eq!(recursion(&values), None);
        let period: Vec<u64> = (0..400).map(|n| n % 3).collect();
        assert_eq!(recursion(&period), None);
    }
}
