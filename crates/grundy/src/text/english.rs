//! English.

mod answers;
mod faults;
mod laws;
mod play;
mod show;
mod verdicts;
pub mod words;

pub use answers::*;
pub use faults::*;
pub use laws::*;
pub use play::*;
pub use show::*;
pub use verdicts::*;
