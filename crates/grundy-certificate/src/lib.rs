//! Certificates of proved laws of impartial games, and the checker that trusts nobody.
//!
//! A [`Certificate`] names a ruleset by its canonical text, states a [`Law`] of its Grundy values,
//! and says by which theorem a finite check proves it. [`check`] reads the text of a certificate,
//! derives from the ruleset what must be checked, checks it, and only then makes a
//! [`Theorem`]. It shares no code with what finds laws, and of `grundy-rules` it uses only what
//! reads and prints a ruleset.
//!
//! The format is described in `docs/certificate.md`, so that anyone can write another checker. Each
//! theorem stands with its proof in the module that applies it, and without it in
//! `docs/theorems.md`.
//!
//! # Examples
//!
//! Taking 1 or 2: the values 0, 1, 2 repeat for ever, and a multiple of the period is refused.
//!
//! ```
//! use grundy_certificate::{Certificate, Falsehood, Law, Periodic, Proof, Refusal, check};
//! use grundy_rules::{Budget, Meter, parse};
//!
//! let certificate = |values: &[u64]| Certificate {
//!     ruleset: parse("rules {1,2}").expect("rules").canonical_text(),
//!     law: Law::Periodic(Periodic {
//!         preperiod: 0,
//!         period: values.len() as u64,
//!         saltus: 0,
//!         values: values.to_vec(),
//!     }),
//!     proof: Proof::Subtraction,
//! };
//! let mut meter = Meter::new(Budget::default());
//! let theorem = check(&certificate(&[0, 1, 2]).to_text(), &mut meter).expect("a theorem");
//! assert_eq!(theorem.law().value(&"1000000000000000000000".parse().unwrap()), Some(1u32.into()));
//!
//! let twice = check(&certificate(&[0, 1, 2, 0, 1, 2]).to_text(), &mut meter);
//! assert_eq!(twice, Err(Refusal::False(Falsehood::PeriodNotLeast { smaller: 3 })));
//! ```

mod all_but;
pub mod automatic;
mod certificate;
mod check;
mod formula;
mod json;
mod law;
mod misere;
mod moves;
mod packed;
mod periodic;
mod periodic_tail;
mod pointers;
mod recursion;
mod refusal;
mod rules;
mod shift;
#[cfg(test)]
mod soundness;
mod subtraction;
mod take_or_split;
mod take_up_to;
mod window;

pub use certificate::{Certificate, FORMAT, Proof};
pub use check::{Theorem, check, export};
pub use law::{Bound, BoundShape, Law, Periodic, PointerClass, Pointers, TakeUpTo};
pub use misere::{Misere, Monoid, Quotient, is_firm};
pub use recursion::{Case, Recursion};
pub use refusal::{Clause, Falsehood, Malformed, Reason, Refusal, Unreadable};
