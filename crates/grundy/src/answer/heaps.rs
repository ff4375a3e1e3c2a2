//! The heaps of one value under a law that is a recursion, found by following it backwards, and the
//! moves to them.

use grundy_certificate::automatic::Order;
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
                let Some(winning) = visited(law, parts, points.clone(), target, meter)? else {
                    return Ok(None);
                };
                strands.push(winning);
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
            (
                Piece::Range {
                    low,
                    high,
                    modulus,
                    residues,
                },
                parts,
            ) => {
                let Some(count) = (high - low).to_u64().filter(|count| *count < MOST_VISITED)
                else {
                    return Ok(None);
                };
                let all = (0..=count).map(|more| low + more);
                let allowed = |x: &BigInt| {
                    residues.contains(&x.mod_floor(&(*modulus).into()).to_u64().unwrap_or(0))
                };
                let points = all.filter(allowed).collect();
                let Some(winning) = visited(law, parts, points, target, meter)? else {
                    return Ok(None);
                };
                strands.push(winning);
            }
        }
    }
    Ok(Some(strands))
}

/// So many choices that leave several heaps that vary are visited one by one.
const MOST_VISITED: u64 = 1 << 12;

/// Those of some choices that leave heaps whose sum is worth `target`; `None` where the law does not tell.
fn visited(
    law: &Law,
    parts: &[Affine],
    mut points: Vec<BigInt>,
    target: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Strand>, Limit> {
    let mut is_known = true;
    let bits: u64 = points.iter().map(|x| 1 + x.bits()).sum();
    meter.spend(bits * parts.len() as u64)?;
    points.retain(|x| match nim_sum(law, parts, x) {
        Some(sum) => sum == *target,
        None => {
            is_known = false;
            false
        }
    });
    Ok(is_known.then_some(Strand::Points(points)))
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

/// The heaps of one value where digits tell the cases, likewise; those of a case in which all have the value are listed by their
/// digits. `None` if they are many.
fn recurring(
    law: &Recursion,
    range: Range,
    meter: &mut Meter,
) -> Result<Option<Vec<Strand>>, Limit> {
    let mut open: Vec<BigUint> = Vec::new();
    for (place, case) in law.cases.iter().enumerate() {
        if case.times > 0 {
            continue;
        }
        let said = case.of(&BigUint::zero());
        let value = said.and_then(|said| {
            if case.is_new {
                Some(said)
            } else {
                law.value(&said)
            }
        });
        if value.is_none_or(|value| value == *range.value) {
            let Some(heaps) = heaps_of_case(law, place, range.to, meter)? else {
                return Ok(None);
            };
            open.extend(heaps);
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
    open.extend(places(true).filter_map(|place| heap_of(place, range.value)));
    let mut points: Vec<BigInt> = Vec::new();
    while let Some(heap) = open.pop() {
        meter.spend((1 + heap.bits() / 64) * (1 + law.cases.len() as u64))?;
        if points.len() + open.len() > MOST_LISTED {
            return Ok(None);
        }
        open.extend(places(false).filter_map(|place| heap_of(place, &heap)));
        if heap >= *range.from {
            points.push(heap.into());
        }
    }
    points.sort();
    Ok(Some(vec![Strand::Points(points)]))
}

/// More heaps of one value are not listed.
const MOST_LISTED: usize = 1 << 20;
/// More heaps of one case are not listed.
const MOST_OF_CASE: usize = 1 << 14;

/// The heaps of one case up to a number, by walking through the automaton to where there are some; `None` if they are many.
fn heaps_of_case(
    law: &Recursion,
    place: usize,
    to: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Vec<BigUint>>, Limit> {
    let base = law.base as usize;
    let is_lsd = law.order == Order::LeastSignificantFirst;
    let next = |state: usize, digit: usize| law.table[state * base + digit] as usize;
    let longest = to.to_radix_le(law.base).len();
    // The first digit, or the last one, is the most significant one, and no 0.
    let may_stand = |digit: usize, left: usize, length: usize| {
        let is_top = if is_lsd { left == 1 } else { left == length };
        digit > 0 || !is_top
    };
    // For each number of digits that are left, the states from which so many lead into the case.
    let is_in_case = |case: &u32| *case as usize == place;
    let mut leads: Vec<Vec<bool>> = vec![law.case_of.iter().map(is_in_case).collect()];
    for left in 1..=longest {
        meter.spend(law.table.len() as u64)?;
        let before = &leads[left - 1];
        let digits = if is_lsd && left == 1 {
            1..base
        } else {
            0..base
        };
        let leads_on = |state| digits.clone().any(|digit| before[next(state, digit)]);
        leads.push((0..law.case_of.len()).map(leads_on).collect());
    }
    let mut heaps = Vec::new();
    if law.place(&BigUint::zero()) == Some(place) {
        heaps.push(BigUint::zero());
    }
    for length in 1..=longest {
        let mut digits: Vec<u8> = Vec::with_capacity(length);
        let mut states = vec![0usize];
        let mut from = 0;
        while let Some(state) = states.last() {
            let left = length - digits.len();
            let mut open = (from..base).filter(|_| left > 0);
            let digit = open.find(|digit| {
                may_stand(*digit, left, length) && leads[left - 1][next(*state, *digit)]
            });
            if let Some(digit) = digit {
                meter.spend(1)?;
                states.push(next(*state, digit));
                digits.push(u8::try_from(digit).expect("bases are small"));
                from = 0;
                continue;
            }
            if left == 0 {
                let heap = if is_lsd {
                    BigUint::from_radix_le(&digits, law.base)
                } else {
                    BigUint::from_radix_be(&digits, law.base)
                };
                heaps.extend(heap.filter(|heap| heap <= to));
                if heaps.len() > MOST_OF_CASE {
                    return Ok(None);
                }
            }
            states.pop();
            from = digits.pop().map_or(base, |digit| usize::from(digit) + 1);
        }
    }
    Ok(Some(heaps))
}
