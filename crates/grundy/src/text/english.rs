//! English.

mod answers;
mod automata;
mod conditions;
mod explanations;
mod faults;
mod graphs;
mod info;
mod laws;
mod misere;
mod nimbers;
mod play;
mod reasons;
mod show;
mod verdicts;
pub mod words;

pub use answers::*;
pub use automata::*;
pub use explanations::*;
pub use faults::*;
pub use graphs::*;
pub use info::*;
pub use laws::*;
pub use misere::*;
pub use nimbers::*;
pub use play::*;
pub use show::*;
pub use verdicts::*;
