//! Certificates of proved laws of impartial games, and the checker that trusts nobody.
//!
//! A [`Certificate`] names a ruleset by its text, states a [`Law`] of its Grundy values and
//! says by which theorem a finite check proves it. [`check`] reads the text of a certificate,
//! derives from the ruleset what must be checked, checks it, and only then makes a
//! [`Theorem`]. Nothing here is shared with the code that finds laws.

mod certificate;
mod check;
mod formula;
mod json;
mod law;
mod moves;
mod packed;
mod periodic;
mod pointers;
mod refusal;
mod rules;
mod shift;
mod take_or_split;
mod take_up_to;
mod window;

pub use certificate::{Certificate, FORMAT, Proof};
pub use check::{Theorem, check};
pub use law::{Bound, BoundShape, Law, Periodic, PointerClass, Pointers, TakeUpTo};
pub use refusal::{Clause, Falsehood, Malformed, Reason, Refusal};
