//! English.

mod answers;

pub use answers::*;
