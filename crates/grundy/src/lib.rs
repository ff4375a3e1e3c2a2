//! Tables, laws, proofs and answers for impartial combinatorial games.

pub mod answer;
pub mod argument;
pub mod catalogue;
pub mod claim;
pub mod compare;
pub mod count;
pub mod discover;
pub mod exhaustive;
pub mod expect;
pub mod explain;
pub mod graph;
pub mod info;
pub mod law;
pub mod misere;
pub mod nimber;
pub mod oracle;
pub mod outcome;
pub mod pairing;
pub mod parameter;
pub mod play;
pub mod proof;
pub mod run;
pub mod search;
pub mod shape;
pub mod show;
pub mod solve;
pub mod table;
pub mod tabulate;
pub mod text;
pub mod theorem;

pub use nimber::Nimber;
pub use outcome::{Evidence, Outcome, Undecided};
