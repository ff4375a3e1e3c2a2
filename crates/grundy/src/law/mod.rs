//! Laws behind tables of values: found in the values, then proved from the rules.

mod period;
mod sequence;

pub use period::{Periodicity, shown};
pub use sequence::Sequence;
