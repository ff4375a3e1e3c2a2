//! Pointer laws, as another way to write the law of taking up to a linear bound.
//!
//! **Theorem.** A move takes 1 up to the least of `n` and `u(n) = floor((a * n + b) / c)`, where
//! `a <= c`. Let `0 <= u(n) <= n` for `n = m - 1`, `m >= 1`, and let `c` divide `k`. Then, for every heap
//! `n = k * x + r >= m`, `0 <= r < k`: if `u(r) > u(r - 1)`, then `g(n) = (a * k / c) * x + u(r)`;
//! otherwise `g(n) = g((k - a * k / c) * x + r - u(r) - 1)`.
//!
//! **Proof.** `u` and `n - u(n)` never fall, so `0 <= u(n) <= n` for all `n >= m - 1`, and `u` is the
//! function `t` of the theorem on taking up to `t(n)` there. As `c` divides `k`,
//! `u(k * x + r) = (a * k / c) * x + u(r)` for all integers `x` and `r`. So `t(n) > t(n - 1)`
//! exactly if `u(r) > u(r - 1)`, and the two cases are those of that theorem. ∎
//!
//! What is checked: the rules, as for that theorem, with one bound; the values of the heaps below
//! `m`; and each class.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::law::{Bound, BoundShape, PointerClass, Pointers, TakeUpTo};
use crate::refusal::{Falsehood, Reason, Stop};
use crate::rules::Leaving;
use crate::take_up_to::bounds_of;
use grundy_rules::Meter;

/// Every constant lies below this, so that no product of two overflows.
const MOST: i128 = 1 << 62;

pub(crate) fn check(leavings: &[Leaving], law: &Pointers, meter: &mut Meter) -> Result<(), Stop> {
    let [leaving] = leavings else {
        return Err(Reason::Moves.into());
    };
    let bounds = bounds_of(leaving).ok_or(Reason::Moves)?;
    let [bound] = bounds.as_slice() else {
        return Err(Reason::Moves.into());
    };
    let most = Fraction::of(bound).ok_or(Reason::Moves)?;
    let (start, modulus) = (law.start.len() as i128, i128::from(law.modulus));
    if modulus >= MOST || modulus % most.over != 0 {
        return Err(Reason::Modulus.into());
    }
    // From the heap before `start` on, neither 0 nor the heap itself limits what is taken.
    if start == 0 || most.at(start - 1) < 0 || most.at(start - 1) > start - 1 {
        return Err(Reason::StartTooEarly.into());
    }
    let by_takes = TakeUpTo { bounds };
    for (heap, &claimed) in law.start.iter().enumerate() {
        meter.spend(100)?;
        let value = by_takes.value(&BigUint::from(heap));
        let actual = value
            .and_then(|value| value.to_u64())
            .ok_or(Reason::TooLarge)?;
        if actual != claimed {
            let heap = heap as u64;
            return Err(Falsehood::Value {
                heap,
                claimed,
                actual,
            }
            .into());
        }
    }
    let step = modulus / most.over * most.times;
    for (place, class) in (0u64..).zip(&law.classes) {
        meter.spend(1)?;
        let residue = i128::from(place);
        let taken = most.at(residue);
        let (is_new, times, plus) = match *class {
            PointerClass::New { times, plus } => (true, times, plus),
            PointerClass::Pointer { times, plus } => (false, times, plus),
        };
        let expected = if most.at(residue - 1) < taken {
            (true, step, taken)
        } else {
            (false, modulus - step, residue - taken - 1)
        };
        if (is_new, i128::from(times), i128::from(plus)) != expected {
            return Err(Falsehood::Class { residue: place }.into());
        }
    }
    Ok(())
}

/// `floor((times * n + plus) / over)`
struct Fraction {
    times: i128,
    plus: i128,
    over: i128,
}

impl Fraction {
    /// A linear bound in numbers of fitting size.
    fn of(bound: &Bound) -> Option<Self> {
        let fraction = Self {
            times: bound.times.to_i128()?,
            plus: bound.plus.to_i128()?,
            over: bound.over.to_i128()?,
        };
        let fits = fraction.plus.abs() < MOST && fraction.times < MOST && fraction.over < MOST;
        (fits && bound.shape == BoundShape::Linear).then_some(fraction)
    }

    fn at(&self, n: i128) -> i128 {
        (self.times * n + self.plus).div_euclid(self.over)
    }
}
