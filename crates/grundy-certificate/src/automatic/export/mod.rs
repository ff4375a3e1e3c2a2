//! The obligations as text for other provers, so that nobody need trust this checker.
//!
//! MONA (Klarlund, Møller and Schwartzbach) knows finite sets of positions: a number is the set of its binary digits 1, so
//! its files are for base 2. Walnut (Mousavi) knows linear arithmetic in bases and in Zeckendorf's system; its automata are
//! files of their own, which the text shows one after the other.

mod mona;
mod walnut;

use num_traits::Signed;

use super::formula::{Atom, Clause, Formula, Term, Variable};
use super::machine::Language;
use super::numeration::Numeration;
use super::obligations::{Obligations, Statement};
use crate::refusal::Reason;

/// A program that decides such obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// MONA, for base 2.
    Mona,
    /// Walnut, for bases and for Zeckendorf's system.
    Walnut,
}

/// The obligations as text.
pub(crate) fn export(
    obligations: &Obligations,
    language: &Language,
    prover: Prover,
) -> Result<String, Reason> {
    match prover {
        Prover::Mona if language.numeration == Numeration::Base(2) => {
            mona::text(obligations, language)
        }
        Prover::Walnut if language.numeration.is_base() => walnut::text(obligations, language),
        Prover::Walnut if language.numeration == Numeration::ZECKENDORF => {
            walnut::text(obligations, language)
        }
        Prover::Mona | Prover::Walnut => Err(Reason::Numeration),
    }
}

fn joined<T>(all: impl IntoIterator<Item = T>, with: &str, show: impl Fn(T) -> String) -> String {
    let all: Vec<String> = all.into_iter().map(show).collect();
    all.join(with)
}

/// How a language writes what is put together from atoms.
trait Writer {
    /// What is always true, and what never is.
    const TRUTHS: [&'static str; 2];

    fn exists(bound: &[Variable], holds: &str) -> String;

    fn for_all(free: &[Variable], holds: &str) -> String;

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason>;

    fn formula(&mut self, formula: &Formula) -> Result<String, Reason> {
        let [always, never] = Self::TRUTHS;
        match formula {
            Formula::All(all) => self.together(all, " & ", always),
            Formula::Any(any) => self.together(any, " | ", never),
            Formula::Not(inner) => Ok(format!("~{}", self.formula(inner)?)),
            Formula::Atom(atom) => self.atom(atom),
            Formula::Some(..) => unreachable!("clauses have no quantifier inside"),
        }
    }

    fn together(&mut self, all: &[Formula], with: &str, none: &str) -> Result<String, Reason> {
        let all = all.iter().map(|formula| self.formula(formula));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        Ok(if all.is_empty() {
            none.to_owned()
        } else {
            format!("({})", all.join(with))
        })
    }

    fn clause(&mut self, bound: &[Variable], body: &[Formula]) -> Result<String, Reason> {
        let all = self.together(body, " & ", Self::TRUTHS[0])?;
        Ok(if bound.is_empty() {
            all
        } else {
            Self::exists(bound, &all)
        })
    }

    /// A statement. What is bound on the left is quantified before the implication.
    fn statement(&mut self, statement: &Statement) -> Result<String, Reason> {
        let left = self.clause(&[], &statement.left.body)?;
        let right = |clause: &Clause| self.clause(&clause.bound, &clause.body);
        let right = statement.right.iter().map(right);
        let right = right.collect::<Result<Vec<_>, _>>()?;
        let implied = if right.is_empty() {
            format!("~{left}")
        } else {
            format!("{left} => ({})", right.join(" | "))
        };
        let free = statement.free();
        Ok(if free.is_empty() {
            format!("({implied})")
        } else {
            Self::for_all(&free, &implied)
        })
    }
}

/// The sides of `term <= 0` or `term = 0` without negative numbers.
fn sides(term: &Term) -> [Term; 2] {
    let mut sides = [Term::default(), Term::default()];
    for (variable, coefficient) in &term.coefficients {
        let side = usize::from(coefficient.is_negative());
        let size = coefficient.abs();
        sides[side] = sides[side].plus(&size, &Term::variable(*variable));
    }
    let side = usize::from(term.constant.is_negative());
    sides[side].constant = term.constant.abs();
    sides
}
