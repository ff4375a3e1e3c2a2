//! Answers at positions of any size, from what is proved about a game.

pub mod family;
pub mod periodic;
pub mod strand;
pub mod winning;
