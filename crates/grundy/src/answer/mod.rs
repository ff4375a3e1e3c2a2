//! Answers at positions of any size, from what is proved about a game.

pub mod strand;
