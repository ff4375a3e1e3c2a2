//! Everything that people read, in their language. The rest of the library speaks in data.

mod english;

pub use english::*;
