//! Automata over numeration systems, and the first-order formulas that they decide.
//!
//! A set of tuples of natural numbers is a language: write the numbers in a
//! [`NumerationSystem`], one on each track, and read their digits in parallel, place by place. Where a finite automaton
//! decides the language, questions about all numbers become questions about a finite table. Addition, order and
//! congruences are such sets in every system here; digitwise operations in their own base. Such sets are
//! closed under "and", "not" and "for some number", so every statement built of these can be decided
//! ([`Solver`]): true for all numbers, or false with a witness.
//!
//! This crate knows words, digits and numbers, and no games.
//!
//! Nothing here is sure to be small: each quantifier may make an automaton exponentially larger. Every construction takes a
//! [`Meter`] and ends with a [`Limit`] where it is reached, which says nothing about the answer.
//!
//! # Examples
//!
//! Every number is even or odd, and no number is a sum of two powers of 2 in two ways but for their order:
//!
//! ```
//! use grundy_automata::{
//!     Atom, Budget, DigitOrder, Encoding, Formula, Meter, NumerationSystem, Solver, Variable,
//! };
//!
//! let [x, y, z, u, v] = [0, 1, 2, 3, 4].map(Variable);
//! let mut solver = Solver::new(Encoding::new(NumerationSystem::base(2)?, DigitOrder::Msd));
//! let mut meter = Meter::new(Budget::default());
//!
//! let even_or_odd = Formula::forall([x], Formula::exists([y],
//!     Formula::equal(x, y + y).or(Formula::equal(x, y + y + 1))));
//! assert!(solver.decide(&even_or_odd, &mut meter)?);
//!
//! let power = |x| Formula::atom(Atom::PlaceValue, [x]);
//! let sum = |x, y| power(x).and(power(y)).and(Formula::less_equal(x, y)).and(Formula::equal(z, x + y));
//! let unique = sum(x, y).and(sum(u, v)).implies(Formula::equal(x, u));
//! assert_eq!(solver.counterexample(&unique, &[x, y, z, u, v], &mut meter)?, None);
//! # Ok::<(), grundy_automata::Error>(())
//! ```

mod alphabet;
mod atom;
mod automaton;
mod count;
mod draw;
mod error;
mod formula;
mod linear;
mod meter;
mod minimise;
mod numeration;
mod relation;
mod subset;
mod text;

pub use alphabet::{Alphabet, Letter, MAX_LETTERS};
pub use atom::Atom;
pub use automaton::{Automaton, State};
pub use count::Tuples;
pub use error::Error;
pub use formula::{Formula, MAX_DEPTH, Solver, Term, Variable};
pub use linear::Comparison;
pub use meter::{Budget, Limit, Meter};
pub use numeration::NumerationSystem;
pub use relation::{Encoding, Relation};
pub use subset::DigitOrder;
