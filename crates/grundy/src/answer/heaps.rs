//! The heaps of one value under a law that is a recursion, found by following it backwards, and the
//! moves to them.

use grundy_certificate::{Law, PointerClass, Pointers, Recursion, TakeUpTo};
use grundy_rules::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, ToPrimitive as _, Zero as _};

use super::family::{Affine, Family, Piece};
use super::strand::Strand;

/// The heaps from `from` to `to` whose value is `value`, as disjoint strands.
///
/// `None` where the law does not tell without looking at each heap: it is periodic, or whole
/// classes have the value. Costs some operations for each heap of the value up to `to`.
pub fn heaps_with_value(
    law: &Law,
    value: &BigUint,
    from: &BigUint,
    to: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Vec<Strand>>, Limit> {
    let range = Range { value, from, to };
    match law {
        Law::Periodic(_) | Law::Automaton(_) | Law::Misere(_) => Ok(None),
        Law::TakeUpTo(law) => orbit(law, range, meter).map(Some),
        Law::Pointers(law) => pointing(law, range, meter),
        Law::Recursion(law) => recurring(law, range, meter),
    }
}

/// The values of a family's running choice that leave a single heap of value `target`, as disjoint
/// strands; `None` where the family leaves more than one heap that varies, or is restricted to
/// residues and the heaps are not points.
pub fn choices(
    law: &Law,
    family: &Family,
    target: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Vec<Strand>>, Limit> {
    let mut strands = Vec::new();
    for piece in &family.pieces {
        match (piece, family.parts.as_slice()) {
            (Piece::Points(points), parts) => {
                let mut winning = Vec::new();
                for x in points {
                    match nim_sum(law, parts, x) {
                        Some(sum) if sum == *target => winning.push(x.clone()),
                        Some(_) => {}
                        None => return Ok(None),
                    }
                }
                strands.push(Strand::Points(winning));
            }
            (Piece::Range { low, high, .. }, _) if low > high => {}
            (
                Piece::Range {
                    low,
                    high,
                    modulus,
                    residues,
                },
                [part],
            ) if part.slope.magnitude().is_one() => {
                let ends = [part.at(low), part.at(high)].map(|heap| heap.to_biguint());
                let [Some(from), Some(to)] = ends else {
                    return Ok(None);
                };
                let (from, to) = if from <= to { (from, to) } else { (to, from) };
                let Some(heaps) = heaps_with_value(law, target, &from, &to, meter)? else {
                    return Ok(None);
                };
                let modulus = BigInt::from(*modulus);
                let allowed = |x: &BigInt| {
                    let residue = x.mod_floor(&modulus);
                    residues.iter().any(|allowed| residue == (*allowed).into())
                };
                for heaps in heaps {
                    strands.push(match choices_of(heaps, part) {
                        all if modulus.is_one() => all,
                        Strand::Points(mut points) => {
                            points.retain(allowed);
                            Strand::Points(points)
                        }
                        Strand::Progressions { .. } | Strand::Submasks { .. } => return Ok(None),
                    });
                }
            }
            (Piece::Range { .. }, _) => return Ok(None),
        }
    }
    Ok(Some(strands))
}

fn nim_sum(law: &Law, parts: &[Affine], x: &BigInt) -> Option<BigUint> {
    let mut values = parts
        .iter()
        .map(|part| law.value(&part.at(x).to_biguint()?));
    values.try_fold(BigUint::zero(), |sum, value| Some(sum ^ value?))
}

/// The choices that leave these heaps, where a choice leaves a heap with slope 1 or -1.
fn choices_of(heaps: Strand, part: &Affine) -> Strand {
    let choice = |heap: &BigInt| (heap - &part.constant) * &part.slope;
    match heaps {
        Strand::Points(points) => {
            let mut choices: Vec<_> = points.iter().map(choice).collect();
            choices.sort();
            Strand::Points(choices)
        }
        progressions => {
            let (first, last) = (progressions.first(), progressions.last());
            match (progressions, first, last) {
                (Strand::Progressions { modulus, .. }, Some(first), Some(last)) => {
                    let (a, b) = (choice(&first), choice(&last));
                    let (low, high) = if a <= b { (a, b) } else { (b, a) };
                    Strand::Progressions {
                        low,
                        high,
                        modulus,
                        residues: vec![0],
                    }
                }
                _ => Strand::Points(Vec::new()),
            }
        }
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
struct Range<'r> {
    value: &'r BigUint,
    from: &'r BigUint,
    to: &'r BigUint,
}

/// The heaps of one value under the law of taking 1 up to `t(n)`, visited one after the other until
/// `t` grows no more.
///
/// The first heap with value `g` is the least with `t(n) = g`. A heap `n` with `t(n) = t(n-1)` has
/// the value of `n - t(n) - 1`; that grows by one with each such heap and stands still at the
/// others, so that every heap is met exactly once: from `m` it is the least `n` with `n - t(n) >
/// m`.
fn orbit(law: &TakeUpTo, range: Range, meter: &mut Meter) -> Result<Vec<Strand>, Limit> {
    let last = range.to;
    let cost = 1 + last.bits() / 64;
    // The least heap from `from` on that has a property which then all larger ones have.
    let least = |from: &BigUint, test: &dyn Fn(&BigUint) -> bool, meter: &mut Meter| {
        if from > last || !test(last) {
            return Ok(None);
        }
        let (mut low, mut high) = (from.clone(), last.clone());
        while low < high {
            meter.spend(cost)?;
            let middle: BigUint = (&low + &high) >> 1;
            if test(&middle) {
                high = middle;
            } else {
                low = middle + 1u8;
            }
        }
        Ok(Some(low))
    };
    let mut points = Vec::new();
    let mut next = least(&BigUint::zero(), &|n| law.most(n) >= *range.value, meter)?;
    let most_at_last = law.most(last);
    while let Some(heap) = next {
        // From where t grows no more the heaps of this value are equally far from each other.
        let step = (&most_at_last + 1u8).to_u64();
        if let Some(modulus) = step.filter(|_| law.most(&heap) == most_at_last) {
            let first = if *range.from > heap {
                &heap + (range.from - &heap).div_ceil(&modulus.into()) * modulus
            } else {
                heap
            };
            let tail = Strand::Progressions {
                low: first.into(),
                high: last.clone().into(),
                modulus,
                residues: vec![0],
            };
            return Ok(vec![Strand::Points(points), tail]);
        }
        next = least(&(&heap + 1u8), &|n| n - law.most(n) > heap, meter)?;
        if heap >= *range.from {
            points.push(heap.into());
        }
    }
    Ok(vec![Strand::Points(points)])
}

/// The heaps of one value under a law of pointers: those that are new with it, and from each the
/// heaps that point to it; `None` if whole classes have the value.
fn pointing(law: &Pointers, range: Range, meter: &mut Meter) -> Result<Option<Vec<Strand>>, Limit> {
    let listed = law.start.len() as u64;
    // The heap of a residue class at which `times * x + plus` is a number, if there is one.
    let heap_at = |residue: u64, times: u64, plus: i64, number: &BigUint| {
        let (x, rest) = (BigInt::from(number.clone()) - plus).div_rem(&times.into());
        let heap = (x.to_biguint()? * law.modulus) + residue;
        (rest.is_zero() && heap >= listed.into() && heap <= *range.to).then_some(heap)
    };
    let mut open: Vec<BigUint> = Vec::new();
    for (value, n) in law.start.iter().zip(0u64..) {
        if *range.value == (*value).into() && *range.to >= n.into() {
            open.push(n.into());
        }
    }
    let mut pointers = Vec::new();
    for (class, residue) in law.classes.iter().zip(0u64..) {
        match *class {
            PointerClass::New { times: 0, plus } => {
                if BigInt::from(range.value.clone()) == plus.into() {
                    return Ok(None);
                }
            }
            PointerClass::New { times, plus } => {
                open.extend(heap_at(residue, times, plus, range.value));
            }
            PointerClass::Pointer { times: 0, plus } => {
                let target = BigUint::from(plus.unsigned_abs());
                let value = Law::Pointers(law.clone()).value(&target);
                if value.is_none_or(|value| value == *range.value) {
                    return Ok(None);
                }
            }
            PointerClass::Pointer { times, plus } => pointers.push((residue, times, plus)),
        }
    }
    let mut points: Vec<BigInt> = Vec::new();
    while let Some(heap) = open.pop() {
        meter.spend((1 + heap.bits() / 64) * (1 + pointers.len() as u64))?;
        for (residue, times, plus) in &pointers {
            open.extend(heap_at(*residue, *times, *plus, &heap));
        }
        if heap >= *range.from {
            points.push(heap.into());
        }
    }
    points.sort();
    Ok(Some(vec![Strand::Points(points)]))
}

/// The heaps of one value where digits tell the cases, likewise; `None` if whole cases have the value.
fn recurring(
    law: &Recursion,
    range: Range,
    meter: &mut Meter,
) -> Result<Option<Vec<Strand>>, Limit> {
    for case in law.cases.iter().filter(|case| case.times == 0) {
        let Some(said) = case.of(&BigUint::zero()) else {
            return Ok(None);
        };
        let value = if case.is_new {
            Some(said)
        } else {
            law.value(&said)
        };
        if value.is_none_or(|value| value == *range.value) {
            return Ok(None);
        }
    }
    let heap_of = |place: usize, said: &BigUint| {
        let heap = law.cases[place].heap(said)?;
        (heap <= *range.to && law.place(&heap) == Some(place)).then_some(heap)
    };
    let places = |is_new: bool| {
        let cases = law.cases.iter().enumerate();
        let some = cases.filter(move |(_, case)| case.is_new == is_new && case.times > 0);
        some.map(|(place, _)| place)
    };
    let mut open: Vec<BigUint> = places(true)
        .filter_map(|place| heap_of(place, range.value))
        .collect();
    let mut points: Vec<BigInt> = Vec::new();
    while let Some(heap) = open.pop() {
        meter.spend((1 + heap.bits() / 64) * (1 + law.cases.len() as u64))?;
        open.extend(places(false).filter_map(|place| heap_of(place, &heap)));
        if heap >= *range.from {
            points.push(heap.into());
        }
    }
    points.sort();
    Ok(Some(vec![Strand::Points(points)]))
}
