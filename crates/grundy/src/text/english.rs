//! English.

mod answers;
mod faults;

pub use answers::*;
pub use faults::*;
