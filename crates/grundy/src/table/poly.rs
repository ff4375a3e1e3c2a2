//! Polynomials over slots and opaque terms: the normal form in which rules are reasoned about.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::ruleset::{BinaryOp, Function};

use super::interval::{self, Interval, MACHINE};
use super::term::{Slot, Term};

/// What polynomials are made of: a slot, or an opaque term such as `n / 2`.
///
/// Numbers below the number of slots are slots; the others index [`Atoms`].
pub(super) type Atom = usize;

/// The opaque terms of one rule.
#[derive(Clone, Debug)]
pub(super) struct Atoms {
    slots: usize,
    opaque: Vec<Term>,
}

/// A sum of products of atoms. Each product is an ascending list; no coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Poly {
    terms: BTreeMap<Vec<Atom>, i128>,
}

/// Larger sums stay opaque.
const MANY: usize = 64;

impl Poly {
    pub(super) fn constant(n: i128) -> Self {
        let mut poly = Self::default();
        poly.accumulate(Vec::new(), n);
        poly
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self {
            terms: BTreeMap::from([(vec![atom], 1)]),
        }
    }

    fn accumulate(&mut self, product: Vec<Atom>, coefficient: i128) {
        let sum = self.terms.entry(product).or_insert(0);
        // Coefficients are far below the limits of i128; see `checked`.
        *sum += coefficient;
        let zero = *sum == 0;
        if zero {
            self.terms.retain(|_, coefficient| *coefficient != 0);
        }
    }

    /// This polynomial, unless it has grown out of what is worth reasoning about.
    fn checked(self) -> Option<Self> {
        let fine = self.terms.len() <= MANY
            && self
                .terms
                .values()
                .all(|coefficient| coefficient.abs() < MACHINE);
        fine.then_some(self)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&[Atom], i128)> {
        self.terms
            .iter()
            .map(|(product, coefficient)| (product.as_slice(), *coefficient))
    }

    pub(super) fn add(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, 1)
    }

    pub(super) fn subtract(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, -1)
    }

    pub(super) fn add_scaled(&self, other: &Self, factor: i128) -> Option<Self> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.terms {
            sum.accumulate(product.clone(), coefficient.checked_mul(factor)?);
        }
        sum.checked()
    }

    pub(super) fn scale(&self, factor: i128) -> Option<Self> {
        Self::default().add_scaled(self, factor)
    }

    pub(super) fn multiply(&self, other: &Self) -> Option<Self> {
        if self.terms.len() * other.terms.len() > MANY {
            return None;
        }
        let mut result = Self::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut product = [left.as_slice(), right.as_slice()].concat();
                product.sort_unstable();
                result.accumulate(product, a.checked_mul(*b)?);
            }
        }
        result.checked()
    }

    /// The polynomial as `coefficient * atom + rest`, if it is linear in the atom.
    pub(super) fn split(&self, atom: Atom) -> Option<(Self, Self)> {
        let (mut coefficient, mut rest) = (Self::default(), Self::default());
        for (product, factor) in &self.terms {
            match product.iter().filter(|&&a| a == atom).count() {
                0 => rest.accumulate(product.clone(), *factor),
                1 => {
                    let others = product.iter().copied().filter(|&a| a != atom).collect();
                    coefficient.accumulate(others, *factor);
                }
                _ => return None,
            }
        }
        Some((coefficient, rest))
    }
}

impl Atoms {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots,
            opaque: Vec::new(),
        }
    }

    /// The opaque term that an atom stands for; `None` for a slot.
    pub(super) fn opaque(&self, atom: Atom) -> Option<&Term> {
        Some(&self.opaque[atom.checked_sub(self.slots)?])
    }

    fn atom_of(&mut self, term: &Term) -> Poly {
        let place = self
            .opaque
            .iter()
            .position(|t| t == term)
            .unwrap_or_else(|| {
                self.opaque.push(term.clone());
                self.opaque.len() - 1
            });
        Poly::atom(self.slots + place)
    }

    /// The term as a polynomial. Equal to it wherever it is defined.
    pub(super) fn poly(&mut self, term: &Term) -> Poly {
        let poly = match term {
            Term::Number(n) => Some(Poly::constant((*n).into())),
            Term::Slot(slot) => Some(Poly::atom(*slot)),
            Term::Negate(term) => self.poly(term).scale(-1),
            Term::Binary(op, left, right) => {
                let op = *op;
                match op {
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
                        let (left, right) = (self.poly(left), self.poly(right));
                        match op {
                            BinaryOp::Add => left.add(&right),
                            BinaryOp::Subtract => left.subtract(&right),
                            _ => left.multiply(&right),
                        }
                    }
                    BinaryOp::Power => match **right {
                        Term::Number(exponent @ 0..=4) => {
                            let base = self.poly(left);
                            (0..exponent).try_fold(Poly::constant(1), |p, _| p.multiply(&base))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            Term::Call(..) | Term::Aggregate(..) | Term::Place(..) => None,
        };
        poly.unwrap_or_else(|| self.atom_of(term))
    }

    /// A term whose value is that of the polynomial.
    pub(super) fn term(&self, poly: &Poly) -> Option<Term> {
        let mut sum: Option<Term> = None;
        for (product, coefficient) in poly.terms() {
            let mut value: Option<Term> = None;
            for &atom in product {
                let factor = self.opaque(atom).cloned().unwrap_or(Term::Slot(atom));
                value = Some(match value {
                    None => factor,
                    Some(value) => Term::binary(BinaryOp::Multiply, value, factor),
                });
            }
            let magnitude = i64::try_from(coefficient.abs()).ok()?;
            let number = Term::Number(magnitude);
            let value = match value {
                None => number,
                Some(value) if magnitude == 1 => value,
                Some(value) => Term::binary(BinaryOp::Multiply, number, value),
            };
            sum = Some(match sum {
                None if coefficient > 0 => value,
                None => Term::Negate(Box::new(value)),
                Some(sum) if coefficient > 0 => Term::binary(BinaryOp::Add, sum, value),
                Some(sum) => Term::binary(BinaryOp::Subtract, sum, value),
            });
        }
        Some(sum.unwrap_or(Term::Number(0)))
    }

    /// Whether the atom's value depends on the slot.
    pub(super) fn atom_reads(&self, atom: Atom, slot: Slot) -> bool {
        self.opaque(atom)
            .map_or(atom == slot, |term| term.reads(slot))
    }

    /// Whether the polynomial's value depends on the slot.
    pub(super) fn reads(&self, poly: &Poly, slot: Slot) -> bool {
        poly.terms()
            .any(|(product, _)| product.iter().any(|&atom| self.atom_reads(atom, slot)))
    }

    /// As [`Poly::split`], but only if no opaque term hides the slot.
    pub(super) fn split(&self, poly: &Poly, slot: Slot) -> Option<(Poly, Poly)> {
        let (coefficient, rest) = poly.split(slot)?;
        let plain = !self.reads(&coefficient, slot) && !self.reads(&rest, slot);
        plain.then_some((coefficient, rest))
    }

    /// Between which numbers an atom lies.
    pub(super) fn atom_range(&self, atom: Atom, ranges: &[Interval]) -> Interval {
        match self.opaque(atom) {
            Some(term) => interval::of_term(term, ranges),
            None => ranges[atom],
        }
    }

    /// Between which numbers the polynomial lies.
    pub(super) fn range(&self, poly: &Poly, ranges: &[Interval]) -> Interval {
        poly.terms()
            .fold(Interval::point(0), |sum, (product, coefficient)| {
                sum.add(self.product_range(product, coefficient, ranges))
            })
    }

    fn product_range(&self, product: &[Atom], coefficient: i128, ranges: &[Interval]) -> Interval {
        let coefficient = Interval::new(coefficient, coefficient);
        // Squares are not negative.
        let mut value = coefficient;
        for run in product.chunk_by(|a, b| a == b) {
            let range = self.atom_range(run[0], ranges);
            let mut power = (0..run.len()).fold(Interval::new(1, 1), |p, _| p.multiply(range));
            if run.len() % 2 == 0 {
                power.lo = power.lo.max(0);
            }
            value = value.multiply(power);
        }
        value
    }

    /// A bound of the absolute value of every partial sum of the polynomial's evaluation.
    pub(super) fn magnitude(&self, poly: &Poly, ranges: &[Interval]) -> i128 {
        poly.terms().fold(0, |sum, (product, coefficient)| {
            // Partial products are counted with factors below 1 left out.
            let size = product.iter().fold(coefficient.abs(), |size, &atom| {
                let factor = self.atom_range(atom, ranges).magnitude().max(1);
                size.saturating_mul(factor)
            });
            sum.saturating_add(size)
        })
    }

    /// Rewrites `poly >= 0` so that no `min`, `max` or division by a number hides a slot for
    /// which `hidden` asks. Each of the answers follows from `poly >= 0`; the flag says whether
    /// together they also imply it.
    pub(super) fn unfold(
        &mut self,
        poly: &Poly,
        hidden: &dyn Fn(&Term) -> bool,
    ) -> (Vec<Poly>, bool) {
        let (mut done, mut exact) = (Vec::new(), true);
        let mut todo = vec![(poly.clone(), 0)];
        while let Some((poly, depth)) = todo.pop() {
            let place = poly
                .terms()
                .find_map(|(product, coefficient)| match product {
                    &[atom] if self.opaque(atom).is_some_and(hidden) => Some((atom, coefficient)),
                    _ => None,
                });
            let Some((atom, coefficient)) = place.filter(|_| depth < 4) else {
                done.push(poly);
                continue;
            };
            let term = self.opaque(atom).expect("the atom is opaque").clone();
            match self.unfold_atom(&poly, atom, coefficient, &term) {
                Some((polys, same)) => {
                    exact &= same;
                    todo.extend(polys.into_iter().map(|poly| (poly, depth + 1)));
                }
                None => done.push(poly),
            }
        }
        (done, exact)
    }

    fn unfold_atom(
        &mut self,
        poly: &Poly,
        atom: Atom,
        coefficient: i128,
        term: &Term,
    ) -> Option<(Vec<Poly>, bool)> {
        let (factor, rest) = poly.split(atom)?;
        if factor.as_constant() != Some(coefficient) {
            return None;
        }
        match term {
            Term::Call(Function::Min, arguments) if coefficient > 0 => {
                self.with_each(&rest, coefficient, arguments)
            }
            Term::Call(Function::Max, arguments) if coefficient < 0 => {
                self.with_each(&rest, coefficient, arguments)
            }
            // |x| is the larger of x and -x.
            Term::Call(Function::Abs, arguments) if coefficient < 0 => {
                let [x] = arguments.as_slice() else {
                    return None;
                };
                self.with_each(
                    &rest,
                    coefficient,
                    &[x.clone(), Term::Negate(x.clone().into())],
                )
            }
            Term::Binary(BinaryOp::Divide, dividend, divisor) => {
                let Term::Number(divisor @ 1..) = **divisor else {
                    return None;
                };
                let divisor = i128::from(divisor);
                let dividend = self.poly(dividend);
                // a * floor(q / c) + r >= 0 implies a*q + c*r >= 0 for a > 0, and
                // a*q + c*r + |a|*(c-1) >= 0 for a < 0; both are equivalent for |a| = 1.
                let slack = if coefficient < 0 {
                    coefficient.checked_neg()?.checked_mul(divisor - 1)?
                } else {
                    0
                };
                let poly = rest
                    .scale(divisor)?
                    .add_scaled(&dividend, coefficient)?
                    .add(&Poly::constant(slack))?;
                Some((vec![poly], coefficient.abs() == 1))
            }
            _ => None,
        }
    }

    /// `rest + coefficient * argument` for each argument of a `min` or `max`.
    fn with_each(
        &mut self,
        rest: &Poly,
        coefficient: i128,
        arguments: &[Term],
    ) -> Option<(Vec<Poly>, bool)> {
        let polys = arguments.iter().map(|argument| {
            let argument = self.poly(argument);
            rest.add_scaled(&argument, coefficient)
        });
        Some((polys.collect::<Option<_>>()?, true))
    }

    /// Inequalities `poly >= 0` that hold of opaque atoms by what their operators mean.
    ///
    /// They are those of the atoms in `defined` and of terms inside these: a term that stands
    /// elsewhere in a rule may be undefined where the rule can be used.
    pub(super) fn facts<'p>(
        &mut self,
        defined: impl Iterator<Item = &'p Poly>,
        ranges: &[Interval],
    ) -> Vec<Poly> {
        let mut facts = Vec::new();
        let mut seen = BTreeSet::new();
        let mut todo: Vec<Poly> = defined.cloned().collect();
        while let Some(poly) = todo.pop() {
            for &atom in poly.terms.keys().flatten() {
                if self.opaque(atom).is_some() && seen.insert(atom) {
                    let known = facts.len();
                    self.facts_of(atom, ranges, &mut facts);
                    todo.extend_from_slice(&facts[known..]);
                }
            }
        }
        facts
    }

    fn facts_of(&mut self, atom: Atom, ranges: &[Interval], facts: &mut Vec<Poly>) {
        let this = Poly::atom(atom);
        let term = self
            .opaque(atom)
            .expect("only opaque atoms are asked")
            .clone();
        match &term {
            Term::Binary(BinaryOp::Divide, dividend, divisor) => {
                let divisor = match **divisor {
                    Term::Number(c @ 1..) => Some((i128::from(c), true)),
                    ref term => {
                        let least = interval::of_term(term, ranges).lo;
                        (least >= 1).then_some((least, false))
                    }
                };
                let Some((divisor, exact)) = divisor else {
                    return;
                };
                let dividend = self.poly(dividend);
                if exact || self.range(&dividend, ranges).lo >= 0 {
                    // c * floor(q / c) <= q
                    facts.extend(dividend.add_scaled(&this, -divisor));
                }
                if exact {
                    // q <= c * floor(q / c) + c - 1
                    facts.extend(
                        Poly::constant(divisor - 1)
                            .add_scaled(&this, divisor)
                            .and_then(|p| p.subtract(&dividend)),
                    );
                }
            }
            Term::Binary(BinaryOp::Modulo, dividend, modulus) => {
                let dividend = self.poly(dividend);
                if self.range(&dividend, ranges).lo >= 0 {
                    facts.extend(dividend.subtract(&this));
                }
                let modulus = self.poly(modulus);
                facts.extend(
                    modulus
                        .subtract(&this)
                        .and_then(|p| p.subtract(&Poly::constant(1))),
                );
            }
            Term::Binary(BinaryOp::ShiftRight, number, by) => {
                let least = interval::of_term(by, ranges).lo.clamp(0, 62);
                self.not_above(this.scale(1 << least).as_ref(), number, 0, facts);
            }
            Term::Call(Function::Isqrt | Function::Popcount, arguments) => {
                // Both are below their argument from 2 on.
                let below = interval::of_term(&arguments[0], ranges).lo >= 2;
                self.not_above(Some(&this), &arguments[0], below.into(), facts);
            }
            Term::Binary(BinaryOp::BitAnd, left, right) => {
                let (left, right) = (self.poly(left), self.poly(right));
                for (one, other) in [(&left, &right), (&right, &left)] {
                    if self.range(one, ranges).lo >= 0 && self.range(other, ranges).lo >= 0 {
                        facts.extend(one.subtract(&this));
                    }
                }
            }
            Term::Binary(BinaryOp::Xor | BinaryOp::BitOr, left, right) => {
                let (left, right) = (self.poly(left), self.poly(right));
                let natural = |p: &Poly| self.range(p, ranges).lo >= 0;
                if natural(&left) && natural(&right) {
                    facts.extend(left.add(&right).and_then(|sum| sum.subtract(&this)));
                }
            }
            Term::Call(Function::Min, arguments) => {
                for argument in arguments {
                    facts.extend(self.poly(argument).subtract(&this));
                }
            }
            Term::Call(Function::Max, arguments) => {
                for argument in arguments {
                    facts.extend(this.subtract(&self.poly(argument)));
                }
            }
            _ => {}
        }
    }

    /// The fact `this + by <= number`.
    fn not_above(&mut self, this: Option<&Poly>, number: &Term, by: i128, facts: &mut Vec<Poly>) {
        let number = self.poly(number);
        let fact = this.and_then(|this| number.subtract(this));
        facts.extend(fact.and_then(|fact| fact.subtract(&Poly::constant(by))));
    }
}
