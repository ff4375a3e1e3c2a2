//! Laws of misère play: labels of heaps that say of every sum who wins it.
//!
//! In misère play whoever moves last loses, and Grundy values do not decide sums. What does is a
//! commutative monoid: each heap has a *label* in it, the label of a sum is the product of the
//! labels of its heaps, and some labels are those of lost sums. Two theorems say when such
//! labels are right: that of [`tame`] games, and that of [`quotient`]s, for any finite monoid.
//!
//! Both ask for something that is a function of the set of the labels of a heap's options: a
//! label itself, or a label and that set. So the windows of `subtraction`, `shift` and
//! `periodic_tail` hold word by word with labels in the place of Grundy values, since their
//! proofs use only that the value of a sum is a function of the values of its parts.

mod quotient;
mod tame;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use grundy_rules::Meter;

use crate::certificate::Proof;
use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::{Reason, Stop};
use crate::{periodic_tail, shift, subtraction};

/// A law of misère play: the labels of heaps, and how they decide sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misere {
    /// The label of each heap, as a number.
    pub labels: Periodic,
    /// What the labels mean.
    pub monoid: Monoid,
}

/// A commutative monoid of labels. The number 0 is the label of the empty sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Monoid {
    /// The labels of tame games: `2k` is *fickle* with index `k`, which is 0 or 1 then, and
    /// `2k + 1` is *firm* with index `k`.
    ///
    /// Indices add by exclusive or, and a sum is fickle if all its parts are. Lost are the sums
    /// that are fickle with index 1 or firm with index 0.
    Tame,
    /// Any finite monoid.
    Quotient(Quotient),
}

/// A finite commutative monoid with the elements 0, 1, …, of which 0 is the identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// How many elements there are; positive.
    pub order: u64,
    /// The products of `x` and `y <= x`: first that of 0 and 0, then those of 1 with 0 and 1, …
    pub products: Vec<u64>,
    /// The elements of lost sums, ascending.
    pub lost: Vec<u64>,
}

/// Whether a label of a tame game is firm.
pub fn is_firm(label: u64) -> bool {
    label & 1 == 1
}

impl Misere {
    /// The label of a heap of any size.
    pub fn label(&self, heap: &BigUint) -> Option<BigUint> {
        self.labels.value(heap)
    }
}

impl Monoid {
    /// The label of a sum of two.
    ///
    /// `None` where one is no label: that is never so for labels of a [`Theorem`].
    ///
    /// [`Theorem`]: crate::Theorem
    pub fn sum(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        match self {
            Monoid::Tame => {
                let mut sum = a ^ b;
                sum.set_bit(0, a.bit(0) || b.bit(0));
                Some(sum)
            }
            Monoid::Quotient(quotient) => {
                let sum = quotient.product(a.to_u64()?, b.to_u64()?)?;
                Some(BigUint::from(sum))
            }
        }
    }

    /// The same for labels of 64 bits.
    pub fn sum_of_small(&self, a: u64, b: u64) -> Option<u64> {
        match self {
            Monoid::Tame => Some((a ^ b) & !1 | (a | b) & 1),
            Monoid::Quotient(quotient) => quotient.product(a, b),
        }
    }

    /// Whether sums with this label are lost for the player about to move.
    pub fn is_lost(&self, label: &BigUint) -> bool {
        label
            .to_u64()
            .is_some_and(|label| self.is_small_lost(label))
    }

    /// The same for a label of 64 bits.
    pub fn is_small_lost(&self, label: u64) -> bool {
        match self {
            Monoid::Tame => label == tame::FICKLE_ONE || label == tame::FIRM_ZERO,
            Monoid::Quotient(quotient) => quotient.lost.binary_search(&label).is_ok(),
        }
    }

    /// The label of a sum of many.
    pub fn sum_of_all<'l>(&self, labels: impl IntoIterator<Item = &'l BigUint>) -> Option<BigUint> {
        let mut labels = labels.into_iter();
        labels.try_fold(BigUint::zero(), |sum, label| self.sum(&sum, label))
    }
}

impl Quotient {
    /// The product of two elements; `None` if one is no element.
    pub fn product(&self, x: u64, y: u64) -> Option<u64> {
        let (low, high) = if x <= y { (x, y) } else { (y, x) };
        if high >= self.order {
            return None;
        }
        let place = high * (high + 1) / 2 + low;
        self.products.get(usize::try_from(place).ok()?).copied()
    }
}

/// Verifies that labels decide all sums of heaps of a game with these moves.
pub(crate) fn check(
    moves: &Moves,
    law: &Misere,
    proof: &Proof,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let labels = &law.labels;
    let length = match proof {
        Proof::Subtraction => subtraction::length(moves, labels)?,
        Proof::Shift { .. } => shift::length(moves, labels)?,
        Proof::PeriodicTail { .. } => periodic_tail::length(moves, labels)?,
        Proof::AllBut | Proof::TakeOrSplit if law.monoid == Monoid::Tame => {
            tame::check_growing(moves, labels, proof, meter)?;
            return Ok(labels.verify_least()?);
        }
        _ => return Err(Reason::LawKind.into()),
    };
    meter.allocate(length.saturating_mul(8))?;
    let values = labels.extended(length).ok_or(Reason::TooLarge)?;
    match &law.monoid {
        Monoid::Tame => tame::verify(moves, &values, meter)?,
        Monoid::Quotient(quotient) => quotient::verify(moves, quotient, &values, meter)?,
    }
    Ok(labels.verify_least()?)
}
