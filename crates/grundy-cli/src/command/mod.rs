//! The commands, one module each.

pub mod manual;
pub mod solve;
pub mod table;
