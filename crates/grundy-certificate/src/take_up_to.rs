//! Taking from 1 up to a number that grows slowly with the heap.

use num_bigint::{BigInt, BigUint, ToBigUint};
use num_integer::Integer;

use crate::formula::{Formula, Linear};
use crate::law::{Bound, BoundShape, TakeUpTo};
use crate::refusal::{Falsehood, Reason, Stop};
use crate::rules::Leaving;

pub(crate) fn check(leavings: &[Leaving], law: &TakeUpTo) -> Result<(), Stop> {
    let [leaving] = leavings else {
        return Err(Reason::Moves.into());
    };
    let bounds = bounds_of(leaving).ok_or(Reason::Moves)?;
    let stated = law.bounds.iter().map(|bound| primitive(bound.clone()));
    let stated: Option<Vec<Bound>> = stated.collect();
    if ordered(stated.ok_or(Falsehood::Bounds)?) != bounds {
        return Err(Falsehood::Bounds.into());
    }
    Ok(())
}

/// The bounds of what an alternative allows to take, if it allows 1 up to the least of them.
pub(crate) fn bounds_of(leaving: &Leaving) -> Option<Vec<Bound>> {
    if leaving.parts != 1 {
        return None;
    }
    let conjuncts = match &leaving.allowed {
        Formula::All(members) => members.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut bounds = Vec::new();
    let mut positive = false;
    for conjunct in conjuncts {
        match conjunct {
            Formula::AtMostZero(linear) => {
                let [taken, heap, constant] = of_heap(linear)?;
                match taken.signum() {
                    // taken * k <= -heap * n - constant
                    1 => bounds.push(bound(BoundShape::Linear, -heap, -constant, taken)?),
                    // Always true of heaps of 1 or more: from smaller ones nothing is taken.
                    0 if heap <= 0 && heap + constant <= 0 => {}
                    // -taken * k >= heap * n + constant: implied by k >= 1, or the same as that.
                    -1 if heap <= 0 && constant <= -taken => {
                        positive |= heap == 0 && constant > 0;
                    }
                    _ => return None,
                }
            }
            Formula::SquareAtMost(factor, root, linear) => {
                let [taken, heap, constant] = of_heap(linear)?;
                if of_heap(root)? != [1, 0, 0] || taken != 0 {
                    return None;
                }
                // factor * k * k <= heap * n + constant
                bounds.push(bound(BoundShape::Root, heap, constant, *factor)?);
            }
            _ => return None,
        }
    }
    let bounds = bounds
        .into_iter()
        .map(primitive)
        .collect::<Option<Vec<_>>>()?;
    positive.then(|| ordered(bounds))
}

/// The factors of what is taken and of the heap, and the constant, of a form of what is taken
/// and what is left.
fn of_heap(linear: &Linear) -> Option<[i128; 3]> {
    let [taken, left] = linear.coefficients.as_slice() else {
        return None;
    };
    Some([taken - left, *left, linear.constant])
}

fn bound(shape: BoundShape, times: i128, plus: i128, over: i128) -> Option<Bound> {
    Some(Bound {
        shape,
        times: times.to_biguint()?,
        plus: BigInt::from(plus),
        over: over.to_biguint()?,
    })
}

/// The same bound in smallest numbers; `None` if it may grow by more than 1.
fn primitive(bound: Bound) -> Option<Bound> {
    let content = bound.times.gcd(&bound.over);
    if content == BigUint::ZERO || bound.over == BigUint::ZERO {
        return None;
    }
    let primitive = Bound {
        shape: bound.shape,
        times: bound.times / &content,
        plus: bound.plus.div_floor(&BigInt::from(content.clone())),
        over: bound.over / content,
    };
    let is_never_below_heap = primitive.shape == BoundShape::Linear
        && primitive.times >= primitive.over
        && primitive.plus >= BigInt::ZERO;
    (primitive.times <= primitive.over || is_never_below_heap).then_some(primitive)
}

/// Each bound once, ascending, without those that the heap itself never exceeds.
fn ordered(mut bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.retain(|bound| {
        bound.shape == BoundShape::Root || bound.times < bound.over || bound.plus < BigInt::ZERO
    });
    bounds.sort();
    bounds.dedup();
    bounds
}
