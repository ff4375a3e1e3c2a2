//! English.

mod answers;
mod faults;
mod verdicts;

pub use answers::*;
pub use faults::*;
pub use verdicts::*;
