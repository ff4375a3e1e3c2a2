//! Polynomials made ready to be evaluated many times.

use super::interval::{self, Interval, MACHINE};
use super::poly::{Atoms, Poly};
use super::term::{Slot, Term};

/// A polynomial with machine integers, linear terms first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) constant: i64,
    pub(super) linear: Vec<(Slot, i64)>,
    pub(super) products: Vec<(i64, Vec<Term>)>,
}

impl Form {
    /// The form of a polynomial; `None` if a step of its evaluation could leave the machine
    /// integers while the slots lie in these ranges.
    pub(super) fn new(atoms: &Atoms, poly: &Poly, ranges: &[Interval]) -> Option<Self> {
        if atoms.magnitude(poly, ranges) >= MACHINE {
            return None;
        }
        let mut form = Self::default();
        for (product, coefficient) in poly.terms() {
            let coefficient = i64::try_from(coefficient).ok()?;
            match product {
                [] => form.constant = coefficient,
                &[atom] if atoms.opaque(atom).is_none() => form.linear.push((atom, coefficient)),
                _ => {
                    let factors: Vec<_> = product
                        .iter()
                        .map(|&atom| atoms.opaque(atom).cloned().unwrap_or(Term::Slot(atom)))
                        .collect();
                    if !factors.iter().all(|term| interval::term_fits(term, ranges)) {
                        return None;
                    }
                    form.products.push((coefficient, factors));
                }
            }
        }
        Some(form)
    }

    #[inline]
    pub(super) fn eval(&self, env: &[i64]) -> Option<i64> {
        let mut sum = self.constant;
        for &(slot, coefficient) in &self.linear {
            sum += coefficient * env[slot];
        }
        for (coefficient, factors) in &self.products {
            let mut product = *coefficient;
            for factor in factors {
                product *= factor.eval(env)?;
            }
            sum += product;
        }
        Some(sum)
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        (self.linear.is_empty() && self.products.is_empty()).then_some(self.constant)
    }

    /// Whether the form is a linear combination of slots.
    pub(super) fn is_linear(&self) -> bool {
        self.products.is_empty()
    }
}
