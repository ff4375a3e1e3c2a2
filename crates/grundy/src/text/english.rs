//! English.

mod answers;
mod explanations;
mod faults;
mod info;
mod laws;
mod play;
mod reasons;
mod show;
mod verdicts;
pub mod words;

pub use answers::*;
pub use explanations::*;
pub use faults::*;
pub use info::*;
pub use laws::*;
pub use play::*;
pub use show::*;
pub use verdicts::*;
