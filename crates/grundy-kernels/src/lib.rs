//! Tables of Grundy values of one-heap games, at the full speed of the processor.
//!
//! This crate knows no rules and no theorems: it is told what may be taken and which pairs of heaps
//! may be left, in machine integers, and appends values to a table. Whatever instructions the
//! processor has, the table is the same. It is a crate of its own because it is the one
//! place where code depends on the processor, and so is tested alone, at every [`Level`].

// What is not inlined into a function of a level is compiled without the instructions of the level.
#![allow(clippy::inline_always)]
// Loops over the lanes of several arrays at once say by their index what belongs together.
#![allow(clippy::needless_range_loop)]

mod all_but;
mod level;
mod period;
mod prefetch;
mod split;
mod subtraction;
mod sums;
mod values;

pub use all_but::AllBut;
pub use level::Level;
pub use prefetch::prefetch;
pub use split::{Allowed, Rules, Space, Split};
pub use subtraction::Subtraction;
pub use sums::{Pairs, add_to_members, remove_sums_of_two};
pub use values::{Cell, Values};
