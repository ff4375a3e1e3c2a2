//! English.

mod answers;
mod faults;
mod laws;
mod play;
mod show;
mod verdicts;

pub use answers::*;
pub use faults::*;
pub use laws::*;
pub use play::*;
pub use show::*;
pub use verdicts::*;
