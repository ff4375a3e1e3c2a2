//! The commands, one module each.

pub mod cases;
pub mod check;
pub mod claim;
pub mod compare;
mod conversation;
pub mod count;
pub mod emit;
pub mod explain;
pub mod export;
pub mod games;
pub mod graph;
mod graph_used;
pub mod info;
pub mod judge;
pub mod law;
pub mod manual;
pub mod misere;
pub mod nimber;
pub mod play;
mod play_graph;
pub mod plot;
pub mod show;
pub mod solve;
pub mod stress;
pub mod sweep;
pub mod table;
pub mod test;
