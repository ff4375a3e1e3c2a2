//! Everything that people read, in their language. The rest of the library speaks in data.

pub mod document;
mod english;
mod render;

pub use english::*;
pub use render::{Message, render, render_from, render_message};
