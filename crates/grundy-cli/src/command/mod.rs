//! The commands, one module each.

pub mod claim;
pub mod games;
pub mod manual;
pub mod solve;
pub mod table;
pub mod test;
