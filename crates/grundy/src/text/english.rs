//! English.

mod answers;
mod faults;
mod show;
mod verdicts;

pub use answers::*;
pub use faults::*;
pub use show::*;
pub use verdicts::*;
