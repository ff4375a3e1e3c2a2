//! Taking from 1 up to a number that grows slowly with the heap.
//!
//! **Theorem.** Let `t(0) = 0`, and let each `t(n + 1)` be `t(n)` or `t(n) + 1`. A move takes 1 up to
//! `t(n)` from a heap of `n`. Then `g(0) = 0`, and for `n >= 1`, `g(n) = t(n)` where
//! `t(n) > t(n - 1)`, and `g(n) = g(n - t(n) - 1)` otherwise.
//!
//! **Proof.** By induction on `n`: *the values of the heaps `n - t(n)` to `n` are the numbers 0 to
//! `t(n)`, each once.* That is plain for 0. The options of `n >= 1` are the heaps `n - t(n)` to `n - 1`.
//! If `t(n) = t(n - 1) + 1`, these are the heaps `n - 1 - t(n - 1)` to `n - 1`, whose values are 0 to
//! `t(n) - 1`, so `g(n) = t(n)`. If `t(n) = t(n - 1)`, they are the same but the first,
//! `n - 1 - t(n)`, whose value is so the only one missing, and `g(n)` is that value. ∎
//!
//! **Which `t`.** Here `t(n)` is the least of `n` and of bounds `floor((a * n + b) / c)` with
//! `a <= c`, or the integer square roots of such, and 0 where that is negative. Each bound grows by 0 or
//! 1 at each step, and so do the least of several, and the larger of that and 0; `t(0) = 0` because
//! `n` is among them.
//!
//! **What is checked.** That there is one rule, leaving one heap; that its guard says `k >= 1` and
//! bounds of this kind, and nothing else; and that these are the bounds of the law, in smallest
//! numbers, without those that the heap never exceeds.

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
