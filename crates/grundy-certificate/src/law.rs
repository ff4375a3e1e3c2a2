//! Laws: what holds for heaps of every size, as data from which values are computed.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{CheckedSub, One, Signed, ToPrimitive, Zero};

use crate::automatic::AutomatonLaw;
use crate::misere::Misere;
use crate::recursion::Recursion;

/// How much work the evaluation of a recursive law may take, in bits of heaps divided or
/// multiplied, 64 at least each time: about a second.
const MOST_WORK: u64 = 1_000_000_000;

/// How many times as much as a division a root may cost.
const ROOT: u64 = 32;

/// How many steps a recursion from this heap may take.
pub(crate) fn most_steps(heap: &BigUint) -> u64 {
    MOST_WORK / (64 + heap.bits())
}

/// The Grundy values `g(n)` of the heaps of a game, for every `n`; or what an automaton says of components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Law {
    /// `g(n + p) = g(n) + s` for all `n >= n0`.
    Periodic(Periodic),
    /// `g(n) = t(n)` where `t(n) > t(n-1)`, otherwise `g(n) = g(n - t(n) - 1)`.
    TakeUpTo(TakeUpTo),
    /// Each residue class of `n` is new or points to a smaller heap.
    Pointers(Pointers),
    /// An automaton tells which of a few cases a heap belongs to: new or pointing to a smaller heap.
    Recursion(Recursion),
    /// An automaton reads it off the digits.
    Automaton(AutomatonLaw),
    /// Labels that decide the sums of a game in misère play; not Grundy values.
    Misere(Misere),
}

/// `g(n + period) = g(n) + saltus` for all `n >= preperiod`.
///
/// Pure if the preperiod is 0, arithmetic if the saltus is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// From this heap on the law holds.
    pub preperiod: u64,
    /// After so many heaps the values repeat; positive.
    pub period: u64,
    /// They have grown by so much then.
    pub saltus: u64,
    /// The values of the heaps `0..preperiod + period`.
    pub values: Vec<u64>,
}

/// The law of taking 1 up to `t(n)` from a heap of `n`: `g(0) = 0` and, for `n >= 1`,
/// `g(n) = t(n)` where `t(n) > t(n-1)`, otherwise `g(n) = g(n - t(n) - 1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeUpTo {
    /// `t(n)` is the least of `n` and these bounds, and 0 where that is negative.
    pub bounds: Vec<Bound>,
}

/// A bound that grows by 0 or 1 from each heap to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// What is done to `floor((times * n + plus) / over)`.
    pub shape: BoundShape,
    /// 0 up to `over`.
    pub times: BigUint,
    /// Any integer.
    pub plus: BigInt,
    /// Positive.
    pub over: BigUint,
}

/// How a [`Bound`] is made of `x = floor((times * n + plus) / over)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundShape {
    /// `x` itself.
    Linear,
    /// The integer square root of `x`; 0 where `x` is negative.
    Root,
}

/// A law of residue classes: heaps below `start.len()` have the values listed; a heap
/// `n = modulus * x + r` beyond them has the value that `classes[r]` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointers {
    /// How many classes there are; positive.
    pub modulus: u64,
    /// The values of the smallest heaps.
    pub start: Vec<u64>,
    /// One for each residue.
    pub classes: Vec<PointerClass>,
}

/// What is said of the heaps `modulus * x + r` of one residue `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointerClass {
    /// Their value is `times * x + plus`.
    New {
        /// The factor of `x`.
        times: u64,
        /// The constant.
        plus: i64,
    },
    /// Their value is that of the smaller heap `times * x + plus`.
    Pointer {
        /// The factor of `x`.
        times: u64,
        /// The constant.
        plus: i64,
    },
}

impl Law {
    /// The Grundy value of a heap of any size.
    ///
    /// `None` in misère play, if a law that is a recursion would take more than about a second, or if
    /// the data contradict what the fields of the law say of themselves: a [`Theorem`]'s never do.
    ///
    /// [`Theorem`]: crate::Theorem
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        match self {
            Law::Periodic(law) => law.value(heap),
            Law::TakeUpTo(law) => law.value(heap),
            Law::Pointers(law) => law.value(heap),
            Law::Recursion(law) => law.value(heap),
            Law::Automaton(law) => law.value(heap),
            Law::Misere(_) => None,
        }
    }
}

impl Periodic {
    /// The Grundy value of a heap of any size.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        let at = |place: u64| self.values.get(usize::try_from(place).ok()?).copied();
        if let Some(value) = heap.to_u64().and_then(at) {
            return Some(BigUint::from(value));
        }
        if self.period == 0 || *heap < BigUint::from(self.preperiod) {
            return None;
        }
        let (rounds, rest) = (heap - self.preperiod).div_rem(&BigUint::from(self.period));
        let value = at(self.preperiod.checked_add(rest.to_u64()?)?)?;
        Some(rounds * self.saltus + value)
    }
}

impl TakeUpTo {
    /// The most that may be taken from a heap.
    pub fn most(&self, heap: &BigUint) -> BigUint {
        let n = BigInt::from(heap.clone());
        let least = self
            .bounds
            .iter()
            .map(|bound| bound.at(&n))
            .fold(n.clone(), BigInt::min);
        least.to_biguint().unwrap_or_default()
    }

    /// The Grundy value of a heap of any size.
    ///
    /// The recursion of the law is followed down; where `t` is constant, all its steps are
    /// taken at once, and where `t` is a square root, those down many squares.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        if self.bounds.iter().any(|bound| bound.over.is_zero()) {
            return None;
        }
        let roots = self.bounds.iter().any(|b| b.shape == BoundShape::Root);
        let mut steps = most_steps(heap) / if roots { ROOT } else { 1 };
        let mut heap = heap.clone();
        loop {
            let most = self.most(&heap);
            if most.is_zero() {
                return Some(most);
            }
            let first = self.first_with(&most, &heap, &mut steps)?;
            if heap == first {
                return Some(most);
            }
            if let Some(lower) = self.below_many_squares(&most, &heap) {
                heap = lower;
                continue;
            }
            // Down by `most + 1` as long as the heap is above `first`, which is `most` at least.
            let step = most + 1u32;
            let rounds = (&heap - first).div_ceil(&step);
            heap -= rounds * step;
        }
    }

    /// A smaller heap of the same value, many steps below, where `t(n) = isqrt(n + c)`.
    ///
    /// Let the heap be `s*s - c + d` with `t = s` and `1 <= d <= s`. One step leads to
    /// `(s-1)*(s-1) - c + (s + d - 2)`; there `t = s - 1`, and if `d >= 2`, the next leads to
    /// `(s-1)*(s-1) - c + (d - 2)`. So two steps take 1 from `s` and 2 from `d`, as long as the
    /// heap itself does not limit `t`, for which `s * (s-1) >= c` is enough.
    fn below_many_squares(&self, s: &BigUint, heap: &BigUint) -> Option<BigUint> {
        let [bound] = self.bounds.as_slice() else {
            return None;
        };
        let root = bound.shape == BoundShape::Root && bound.times.is_one() && bound.over.is_one();
        let c = &bound.plus;
        let [s, heap] = [s, heap].map(|n| BigInt::from(n.clone()));
        let d = heap + c - &s * &s;
        if !root || !d.is_positive() || d > s {
            return None;
        }
        let least = c.max(&BigInt::zero()).sqrt() + 2;
        let half: BigInt = &d / 2;
        let pairs = half.min(&s - least);
        if !pairs.is_positive() {
            return None;
        }
        let s = s - &pairs;
        let lower: BigInt = &s * &s - c + d - pairs * 2;
        lower.to_biguint()
    }

    /// The least heap from which as many may be taken as from this one, `most`: as `t` never
    /// falls, it is found by steps of double length, then by bisection.
    fn first_with(&self, most: &BigUint, heap: &BigUint, steps: &mut u64) -> Option<BigUint> {
        let (mut below, mut first) = (BigUint::zero(), heap.clone());
        let mut step = BigUint::one();
        while let Some(lower) = first.checked_sub(&step) {
            *steps = steps.checked_sub(1)?;
            if self.most(&lower) < *most {
                below = lower;
                break;
            }
            first = lower;
            step <<= 1u32;
        }
        while &first - &below > BigUint::one() {
            *steps = steps.checked_sub(1)?;
            let middle = (&below + &first) >> 1u32;
            if self.most(&middle) < *most {
                below = middle;
            } else {
                first = middle;
            }
        }
        Some(first)
    }
}

impl Bound {
    /// The bound for a heap of `n`.
    fn at(&self, n: &BigInt) -> BigInt {
        let x = (BigInt::from(self.times.clone()) * n + &self.plus)
            .div_floor(&BigInt::from(self.over.clone()));
        match self.shape {
            BoundShape::Linear => x,
            BoundShape::Root if x.is_negative() => BigInt::zero(),
            BoundShape::Root => x.sqrt(),
        }
    }
}

impl Pointers {
    /// The Grundy value of a heap of any size, by following the pointers.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        if self.modulus == 0 {
            return None;
        }
        let steps = most_steps(heap);
        let mut heap = heap.clone();
        for _ in 0..steps {
            let small = heap
                .to_usize()
                .and_then(|place| self.start.get(place).copied());
            if let Some(value) = small {
                return Some(BigUint::from(value));
            }
            let (x, r) = heap.div_rem(&BigUint::from(self.modulus));
            let x = BigInt::from(x);
            let affine = |times: u64, plus: i64| (&x * times + plus).to_biguint();
            match *self.classes.get(r.to_usize()?)? {
                PointerClass::New { times, plus } => return affine(times, plus),
                PointerClass::Pointer { times, plus } => {
                    let target = affine(times, plus)?;
                    if target >= heap {
                        return None;
                    }
                    heap = target;
                }
            }
        }
        None
    }
}
