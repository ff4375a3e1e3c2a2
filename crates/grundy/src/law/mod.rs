//! Laws behind tables of values: found in the values, then proved from the rules.

mod period;
mod report;
mod sequence;

pub use grundy_kernels::{Level, Values};
pub use period::{Periodicity, shown};
pub(crate) use report::independent_heaps;
pub use report::{Checked, LawReport, NoProof, NoSequence, Stopped, discover, guess, same_values};
pub(crate) use sequence::Seen;
pub use sequence::Sequence;
