//! Everything that is said of graphs, held against definitions that are written to be read.

mod naive;
mod reading;
mod sums;
mod used_up;
mod values;
mod winners;
