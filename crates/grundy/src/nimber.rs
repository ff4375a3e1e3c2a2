//! Grundy values: how they add, and how they multiply.

mod field;

use std::fmt;

use num_bigint::BigUint;
use num_traits::Zero;

pub use field::{
    Expected, MOST_BITS, NimFault, nim_expression, nim_inverse, nim_power, nim_product, nim_square,
    nim_square_root,
};

/// The Grundy value of a position: the size of the Nim heap that it equals.
///
/// A sum of games in normal play is worth the nim-sum of its parts' values, and is lost for
/// the player about to move iff that is 0 (Sprague 1935, Grundy 1939).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nimber(pub BigUint);

impl Nimber {
    /// Whether it is the value of lost positions.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }
}

impl From<u64> for Nimber {
    fn from(value: u64) -> Self {
        Self(value.into())
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The value of a sum of games with these values: binary addition without carrying.
///
/// ```
/// use grundy::nimber::{Nimber, nim_sum};
///
/// let sum = nim_sum([5u64, 7, 12].map(Nimber::from));
/// assert_eq!(sum, Nimber::from(14));
/// assert!(nim_sum([]).is_zero());
/// ```
pub fn nim_sum(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    Nimber(
        values
            .into_iter()
            .fold(BigUint::zero(), |sum, value| sum ^ value.0),
    )
}

/// The least natural that is not among these values.
///
/// ```
/// use grundy::nimber::mex;
///
/// assert_eq!(mex([0, 1, 3, 1]), 2);
/// assert_eq!(mex([]), 0);
/// ```
pub fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut values: Vec<u64> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    let first_gap = values
        .iter()
        .zip(0..)
        .position(|(value, index)| *value != index);
    first_gap.unwrap_or(values.len()) as u64
}
