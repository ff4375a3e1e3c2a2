//! First-order formulas over numbers, and their translation to automata.
//!
//! Linear arithmetic with what an automaton can tell of digits is decidable: Büchi (1960), *Weak second-order
//! arithmetic and finite automata*; Bruyère, Hansel, Michaux and Villemaire (1994), *Logic and p-recognizable sets of
//! integers*.

use std::collections::BTreeMap;
use std::ops::{Add, Sub};
use std::rc::Rc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use crate::atom::{Atom, canonical_tracks};
use crate::automaton::Automaton;
use crate::error::Error;
use crate::linear::Comparison;
use crate::meter::{Limit, Meter};
use crate::relation::{Encoding, Relation};

/// How deep formulas may be nested: translation goes down as deep.
pub const MAX_DEPTH: usize = 256;

/// Constants up to here are part of a linear automaton; larger ones are numbers of their own, read digit by digit.
const SMALL_CONSTANT: i64 = 16;

/// A variable for a natural number. Who makes formulas gives out the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// A sum of multiples of variables and of a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Term {
    /// No coefficient is zero.
    coefficients: BTreeMap<Variable, BigInt>,
    constant: BigInt,
}

impl Term {
    /// The term so many times.
    #[must_use]
    pub fn times(mut self, factor: impl Into<BigInt>) -> Self {
        let factor = factor.into();
        if factor.is_zero() {
            return Self::default();
        }
        for coefficient in self.coefficients.values_mut() {
            *coefficient *= &factor;
        }
        self.constant *= factor;
        self
    }

    /// The variables with their coefficients, none zero.
    pub fn coefficients(&self) -> &BTreeMap<Variable, BigInt> {
        &self.coefficients
    }

    /// The constant.
    pub fn constant(&self) -> &BigInt {
        &self.constant
    }
}

impl From<Variable> for Term {
    fn from(variable: Variable) -> Self {
        Self {
            coefficients: BTreeMap::from([(variable, BigInt::from(1))]),
            constant: BigInt::ZERO,
        }
    }
}

impl From<BigInt> for Term {
    fn from(constant: BigInt) -> Self {
        Self {
            coefficients: BTreeMap::new(),
            constant,
        }
    }
}

impl From<BigUint> for Term {
    fn from(constant: BigUint) -> Self {
        BigInt::from(constant).into()
    }
}

impl From<i64> for Term {
    fn from(constant: i64) -> Self {
        BigInt::from(constant).into()
    }
}

impl<T: Into<Term>> Add<T> for Term {
    type Output = Term;

    fn add(mut self, other: T) -> Term {
        let other = other.into();
        for (variable, coefficient) in other.coefficients {
            *self.coefficients.entry(variable).or_default() += coefficient;
        }
        self.coefficients
            .retain(|_, coefficient| !coefficient.is_zero());
        self.constant += other.constant;
        self
    }
}

impl<T: Into<Term>> Sub<T> for Term {
    type Output = Term;

    fn sub(self, other: T) -> Term {
        self + other.into().times(-1)
    }
}

impl<T: Into<Term>> Add<T> for Variable {
    type Output = Term;

    fn add(self, other: T) -> Term {
        Term::from(self) + other
    }
}

impl<T: Into<Term>> Sub<T> for Variable {
    type Output = Term;

    fn sub(self, other: T) -> Term {
        Term::from(self) - other
    }
}

/// A statement about natural numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// True or false.
    Constant(bool),
    /// The term compared with zero.
    Compare(Term, Comparison),
    /// The term is divisible by a number.
    Divisible(Term, u32),
    /// An atom of these variables, which may repeat.
    Atom(Atom, Vec<Variable>),
    /// A relation that [`Solver::define`] gave a name, of these variables, which may repeat.
    Named(String, Vec<Variable>),
    /// Not.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// At least one of them.
    Or(Vec<Formula>),
    /// For some numbers.
    Exists(Vec<Variable>, Box<Formula>),
    /// For all numbers.
    Forall(Vec<Variable>, Box<Formula>),
}

impl Formula {
    /// `left` compared with `right`.
    pub fn compare(left: impl Into<Term>, comparison: Comparison, right: impl Into<Term>) -> Self {
        Self::Compare(left.into() - right, comparison)
    }

    /// `left = right`
    pub fn equal(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Comparison::Equal, right)
    }

    /// `left < right`
    pub fn less(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Comparison::Less, right)
    }

    /// `left ≤ right`
    pub fn less_equal(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Comparison::LessEqual, right)
    }

    /// `left ≡ right (mod modulus)`
    pub fn congruent(left: impl Into<Term>, right: impl Into<Term>, modulus: u32) -> Self {
        Self::Divisible(left.into() - right, modulus)
    }

    /// A named relation of these variables.
    pub fn named(name: impl Into<String>, variables: impl Into<Vec<Variable>>) -> Self {
        Self::Named(name.into(), variables.into())
    }

    /// An atom of these variables.
    pub fn atom(atom: Atom, variables: impl Into<Vec<Variable>>) -> Self {
        Self::Atom(atom, variables.into())
    }

    /// Not this.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// This and the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::And(mut parts) => {
                parts.push(other);
                Self::And(parts)
            }
            first => Self::And(vec![first, other]),
        }
    }

    /// This or the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Or(mut parts) => {
                parts.push(other);
                Self::Or(parts)
            }
            first => Self::Or(vec![first, other]),
        }
    }

    /// If this, then the other.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        self.negated().or(other)
    }

    /// Both or neither.
    #[must_use]
    pub fn iff(self, other: Self) -> Self {
        let forth = self.clone().implies(other.clone());
        forth.and(other.implies(self))
    }

    /// For some values of the variables.
    #[must_use]
    pub fn exists(variables: impl Into<Vec<Variable>>, body: Self) -> Self {
        Self::Exists(variables.into(), Box::new(body))
    }

    /// For all values of the variables.
    #[must_use]
    pub fn forall(variables: impl Into<Vec<Variable>>, body: Self) -> Self {
        Self::Forall(variables.into(), Box::new(body))
    }
}

/// Translates formulas to relations under one encoding.
///
/// Conjuncts are joined smallest first. An existential quantifier is moved into disjunctions, and within a conjunction
/// each variable is eliminated from only those conjuncts that speak of it, the one that leaves fewest tracks first.
/// What is universal is the negation of what is existential. Every intermediate automaton is minimal. Relations of atoms
/// are kept for the next formula.
#[derive(Clone, Debug)]
pub struct Solver {
    encoding: Encoding,
    named: FxHashMap<String, Rc<Relation>>,
    atoms: FxHashMap<Key, Rc<Relation>>,
    canonical: Vec<Rc<Automaton>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Linear(Vec<i64>, BigInt, Comparison),
    Congruence(Vec<i64>, i64, u32),
    Atom(Atom),
}

impl Solver {
    /// A solver for numbers so written.
    pub fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            named: FxHashMap::default(),
            atoms: FxHashMap::default(),
            canonical: Vec::new(),
        }
    }

    /// How numbers are written.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Lets formulas speak of a relation by name. A name can be given anew.
    pub fn define(&mut self, name: impl Into<String>, relation: Relation) -> Result<(), Error> {
        if *relation.encoding() != self.encoding {
            return Err(Error::Encoding);
        }
        self.named.insert(name.into(), Rc::new(relation));
        Ok(())
    }

    /// The relation of that name.
    pub fn named(&self, name: &str) -> Option<&Relation> {
        self.named.get(name).map(Rc::as_ref)
    }

    /// The tuples of values of these variables for which a formula holds.
    ///
    /// Each free variable of the formula is among them, and none twice.
    pub fn relation(
        &mut self,
        formula: &Formula,
        variables: &[Variable],
        meter: &mut Meter,
    ) -> Result<Relation, Error> {
        let twice = |(at, variable)| variables[..at].contains(variable);
        if variables.iter().enumerate().any(twice) {
            return Err(Error::Variables);
        }
        let found = self.translate(formula, true, 0, meter)?;
        let tracks = found
            .variables
            .iter()
            .map(|variable| variables.iter().position(|other| other == variable))
            .collect::<Option<Vec<_>>>()
            .ok_or(Error::Variables)?;
        let alphabet = self.encoding.alphabet(variables.len())?;
        let automaton = found.automaton.retrack(&tracks, &alphabet, meter)?;
        Relation::of_canonical(&self.encoding, &automaton, meter)
    }

    /// Whether a formula without free variables is true.
    pub fn decide(&mut self, sentence: &Formula, meter: &mut Meter) -> Result<bool, Error> {
        Ok(self.relation(sentence, &[], meter)?.contains(&[]))
    }

    /// Whether a formula holds for all values of its free variables; otherwise values for which it does not.
    pub fn counterexample(
        &mut self,
        formula: &Formula,
        variables: &[Variable],
        meter: &mut Meter,
    ) -> Result<Option<Vec<BigUint>>, Error> {
        let negation = formula.clone().negated();
        Ok(self.relation(&negation, variables, meter)?.witness())
    }

    fn translate(
        &mut self,
        formula: &Formula,
        positive: bool,
        depth: usize,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Depth);
        }
        match formula {
            Formula::Constant(holds) => self.truth(*holds == positive),
            Formula::Compare(term, comparison) => {
                let comparison = if positive {
                    *comparison
                } else {
                    comparison.negated()
                };
                self.comparison(term, comparison, meter)
            }
            Formula::Divisible(term, modulus) => {
                let found = self.divisibility(term, *modulus, meter)?;
                self.polarised(found, positive, meter)
            }
            Formula::Atom(atom, variables) => {
                let relation = self.cached(Key::Atom(atom.clone()), meter, |encoding, meter| {
                    atom.relation(encoding, meter)
                })?;
                let found = self
                    .applied(&relation, variables, meter)?
                    .ok_or(Error::Tracks)?;
                self.polarised(found, positive, meter)
            }
            Formula::Named(name, variables) => {
                let unknown = || Error::Name(name.clone());
                let relation = self.named.get(name).cloned().ok_or_else(unknown)?;
                let found = self
                    .applied(&relation, variables, meter)?
                    .ok_or_else(unknown)?;
                self.polarised(found, positive, meter)
            }
            Formula::Not(inner) => self.translate(inner, !positive, depth + 1, meter),
            Formula::And(parts) | Formula::Or(parts) => {
                if matches!(formula, Formula::And(_)) == positive {
                    let parts = self.conjuncts(parts, positive, depth, meter)?;
                    self.conjunction(parts, meter)
                } else {
                    let mut parts = self.parts(parts, positive, depth, meter)?;
                    parts.sort_by_key(|part| part.automaton.states());
                    let mut any = self.truth(false)?;
                    for part in &parts {
                        any = self.joined(&any, part, false, meter)?;
                    }
                    Ok(any)
                }
            }
            Formula::Exists(variables, body) | Formula::Forall(variables, body) => {
                let exists = matches!(formula, Formula::Exists(..));
                let found = self.exists(variables, body, exists, depth + 1, meter)?;
                self.polarised(found, exists == positive, meter)
            }
        }
    }

    /// The translations of all parts.
    fn parts(
        &mut self,
        parts: &[Formula],
        positive: bool,
        depth: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Labelled>, Error> {
        parts
            .iter()
            .map(|part| self.translate(part, positive, depth + 1, meter))
            .collect()
    }

    /// The translations of what all must hold; one that is false if any is.
    fn conjuncts(
        &mut self,
        parts: &[Formula],
        positive: bool,
        depth: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Labelled>, Error> {
        let mut conjuncts = Vec::with_capacity(parts.len());
        for part in parts {
            // A conjunction in a conjunction is part of it: its conjuncts may not share variables with each other.
            let (mut part, mut positive, mut depth) = (part, positive, depth + 1);
            while let Formula::Not(inner) = part {
                (part, positive, depth) = (inner, !positive, depth + 1);
            }
            let found = match part {
                _ if depth > MAX_DEPTH => return Err(Error::Depth),
                Formula::And(inner) if positive => self.conjuncts(inner, positive, depth, meter)?,
                Formula::Or(inner) if !positive => self.conjuncts(inner, positive, depth, meter)?,
                _ => vec![self.translate(part, positive, depth, meter)?],
            };
            for part in found {
                if part.automaton.is_empty() {
                    return Ok(vec![self.truth(false)?]);
                }
                conjuncts.push(part);
            }
        }
        Ok(conjuncts)
    }

    /// The values of the other variables for which some values of these satisfy the body, or its negation.
    fn exists(
        &mut self,
        variables: &[Variable],
        body: &Formula,
        positive: bool,
        depth: usize,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Depth);
        }
        match (body, positive) {
            (Formula::Not(inner), _) => self.exists(variables, inner, !positive, depth + 1, meter),
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                let mut any = self.truth(false)?;
                for part in parts {
                    let found = self.exists(variables, part, positive, depth + 1, meter)?;
                    any = self.joined(&any, &found, false, meter)?;
                }
                Ok(any)
            }
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let conjuncts = self.conjuncts(parts, positive, depth, meter)?;
                self.eliminate(variables, conjuncts, meter)
            }
            _ => {
                let found = self.translate(body, positive, depth, meter)?;
                self.eliminate(variables, vec![found], meter)
            }
        }
    }

    /// Some values of the variables satisfy all conjuncts.
    fn eliminate(
        &mut self,
        variables: &[Variable],
        mut conjuncts: Vec<Labelled>,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        let speaks = |conjunct: &Labelled, variable| conjunct.variables.contains(&variable);
        let mut left: Vec<Variable> = variables.to_vec();
        loop {
            left.retain(|&variable| conjuncts.iter().any(|conjunct| speaks(conjunct, variable)));
            // How many tracks, and roughly how many states, there are when the variable is to go.
            let cost = |&variable: &Variable| {
                let of: Vec<&Labelled> = conjuncts
                    .iter()
                    .filter(|conjunct| speaks(conjunct, variable))
                    .collect();
                let mut tracks: Vec<Variable> = of
                    .iter()
                    .flat_map(|c| c.variables.iter().copied())
                    .collect();
                tracks.sort_unstable();
                tracks.dedup();
                let states = of.iter().fold(1usize, |product, c| {
                    product.saturating_mul(c.automaton.states())
                });
                (tracks.len(), states, variable)
            };
            let Some(variable) = left.iter().copied().min_by_key(cost) else {
                return self.conjunction(conjuncts, meter);
            };
            let (of, others): (Vec<_>, Vec<_>) = conjuncts
                .into_iter()
                .partition(|conjunct| speaks(conjunct, variable));
            let joined = self.conjunction(of, meter)?;
            let keep: Vec<usize> = (0..joined.variables.len())
                .filter(|&track| {
                    let here = joined.variables[track];
                    !left.contains(&here) || others.iter().any(|other| speaks(other, here))
                })
                .collect();
            let automaton = joined
                .automaton
                .project(&keep, self.encoding.order, meter)?
                .minimise(meter)?;
            conjuncts = others;
            conjuncts.push(Labelled {
                variables: keep.iter().map(|&track| joined.variables[track]).collect(),
                automaton,
            });
        }
    }

    fn conjunction(
        &mut self,
        mut parts: Vec<Labelled>,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        parts.sort_by_key(|part| part.automaton.states());
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else {
            return self.truth(true);
        };
        let mut parts: Vec<Labelled> = parts.collect();
        while !parts.is_empty() {
            // The smallest that adds no track, if there is one: it can only narrow.
            let new_tracks = |part: &Labelled| {
                let new = |variable: &&Variable| !all.variables.contains(variable);
                part.variables.iter().filter(new).count()
            };
            let next = (0..parts.len())
                .min_by_key(|&at| (new_tracks(&parts[at]), at))
                .expect("parts are left");
            let part = parts.remove(next);
            all = self.joined(&all, &part, true, meter)?;
        }
        Ok(all)
    }

    /// Both, or at least one.
    fn joined(
        &mut self,
        left: &Labelled,
        right: &Labelled,
        both: bool,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        let mut variables = [left.variables.as_slice(), &right.variables].concat();
        variables.sort_unstable();
        variables.dedup();
        let tracks = |part: &Labelled| -> Vec<usize> {
            let place = |variable| variables.binary_search(variable).expect("it was put in");
            part.variables.iter().map(place).collect()
        };
        let alphabet = self.encoding.alphabet(variables.len())?;
        let automaton = left
            .automaton
            .join(
                &tracks(left),
                &right.automaton,
                &tracks(right),
                &alphabet,
                |a, b| if both { a && b } else { a || b },
                meter,
            )?
            .minimise(meter)?;
        let narrowed = both || (left.variables == right.variables);
        let found = Labelled {
            variables,
            automaton,
        };
        if narrowed {
            Ok(found)
        } else {
            self.canonical(found, meter)
        }
    }

    /// The relation or its complement.
    fn polarised(
        &mut self,
        found: Labelled,
        positive: bool,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        if positive {
            return Ok(found);
        }
        let complement = Labelled {
            variables: found.variables,
            automaton: found.automaton.complement(),
        };
        self.canonical(complement, meter)
    }

    /// What writes numbers on every track.
    fn canonical(&mut self, found: Labelled, meter: &mut Meter) -> Result<Labelled, Error> {
        let tracks = found.variables.len();
        while self.canonical.len() <= tracks {
            let next = canonical_tracks(&self.encoding, self.canonical.len(), meter)?;
            self.canonical.push(Rc::new(next));
        }
        let canonical = Rc::clone(&self.canonical[tracks]);
        let automaton = if canonical.is_universal() {
            found.automaton
        } else {
            found
                .automaton
                .intersection(&canonical, meter)?
                .minimise(meter)?
        };
        Ok(Labelled { automaton, ..found })
    }

    fn truth(&self, holds: bool) -> Result<Labelled, Error> {
        Ok(Labelled {
            variables: Vec::new(),
            automaton: Automaton::constant(self.encoding.alphabet(0)?, holds),
        })
    }

    fn cached(
        &mut self,
        key: Key,
        meter: &mut Meter,
        make: impl FnOnce(&Encoding, &mut Meter) -> Result<Relation, Error>,
    ) -> Result<Rc<Relation>, Error> {
        if let Some(found) = self.atoms.get(&key) {
            return Ok(Rc::clone(found));
        }
        let made = Rc::new(make(&self.encoding, meter)?);
        self.atoms.insert(key, Rc::clone(&made));
        Ok(made)
    }

    /// A relation of these variables, which may repeat; `None` if it has another number of them.
    fn applied(
        &self,
        relation: &Relation,
        arguments: &[Variable],
        meter: &mut Meter,
    ) -> Result<Option<Labelled>, Error> {
        if arguments.len() != relation.tracks() {
            return Ok(None);
        }
        let mut variables = arguments.to_vec();
        variables.sort_unstable();
        variables.dedup();
        let place = |variable| variables.binary_search(variable).expect("it was put in");
        let tracks: Vec<usize> = arguments.iter().map(place).collect();
        let alphabet = self.encoding.alphabet(variables.len())?;
        let automaton = relation
            .automaton()
            .retrack(&tracks, &alphabet, meter)?
            .minimise(meter)?;
        Ok(Some(Labelled {
            variables,
            automaton,
        }))
    }

    fn comparison(
        &mut self,
        term: &Term,
        comparison: Comparison,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        let (variables, coefficients) = small_coefficients(term, meter)?;
        let constant = term.constant.clone();
        if variables.is_empty() {
            let ordering = constant.cmp(&BigInt::ZERO);
            return self.truth(comparison.holds(ordering));
        }
        let key = Key::Linear(coefficients.clone(), constant.clone(), comparison);
        let relation = self.cached(key, meter, |encoding, meter| {
            linear(encoding, coefficients, &constant, comparison, meter)
        })?;
        self.applied(&relation, &variables, meter)
            .map(|found| found.expect("a coefficient for each variable"))
    }

    fn divisibility(
        &mut self,
        term: &Term,
        modulus: u32,
        meter: &mut Meter,
    ) -> Result<Labelled, Error> {
        if modulus == 0 {
            return Err(Error::Modulus);
        }
        let m = BigInt::from(modulus);
        let residue = |n: &BigInt| {
            let rest = ((n % &m) + &m) % &m;
            rest.to_i64().expect("less than a 32-bit modulus")
        };
        let coefficients: Vec<i64> = term.coefficients.values().map(residue).collect();
        let remainder = residue(&-&term.constant);
        let variables: Vec<Variable> = term.coefficients.keys().copied().collect();
        let key = Key::Congruence(coefficients.clone(), remainder, modulus);
        let relation = self.cached(key, meter, |encoding, meter| {
            Relation::congruence(encoding, &coefficients, remainder, modulus, meter)
        })?;
        self.applied(&relation, &variables, meter)
            .map(|found| found.expect("a coefficient for each variable"))
    }
}

/// The variables of a term and their coefficients, which no automaton within the budget allows to be large.
fn small_coefficients(term: &Term, meter: &Meter) -> Result<(Vec<Variable>, Vec<i64>), Error> {
    let too_large = || Error::Limit(Limit::States(meter.budget().states));
    let small = |c: &BigInt| c.to_i64().filter(|c| c.unsigned_abs() < 1 << 32);
    let coefficients = term
        .coefficients
        .values()
        .map(small)
        .collect::<Option<_>>()
        .ok_or_else(too_large)?;
    Ok((term.coefficients.keys().copied().collect(), coefficients))
}

/// The sum of multiples and of a constant of any size, compared with zero.
fn linear(
    encoding: &Encoding,
    mut coefficients: Vec<i64>,
    constant: &BigInt,
    comparison: Comparison,
    meter: &mut Meter,
) -> Result<Relation, Error> {
    match (coefficients.as_slice(), constant.to_i64()) {
        ([1, -1], Some(0)) => return Relation::order(encoding, comparison, meter),
        ([-1, 1], Some(0)) => return Relation::order(encoding, comparison.flipped(), meter),
        (_, Some(small)) if small.abs() <= SMALL_CONSTANT => {
            return Relation::linear(encoding, &coefficients, small, comparison, meter);
        }
        _ => {}
    }
    // The constant is one more variable, and that variable is known.
    let (sign, magnitude) = constant.clone().into_parts();
    coefficients.push(if sign == Sign::Minus { -1 } else { 1 });
    let variables: Vec<usize> = (0..coefficients.len()).collect();
    let (last, others) = variables.split_last().expect("the constant");
    let sum = Relation::linear(encoding, &coefficients, 0, comparison, meter)?;
    let known = Relation::number(encoding, &magnitude, meter)?;
    let automaton = sum
        .automaton()
        .join(
            &variables,
            known.automaton(),
            &[*last],
            sum.automaton().alphabet(),
            |a, b| a && b,
            meter,
        )?
        .project(others, encoding.order, meter)?
        .minimise(meter)?;
    Ok(Relation::of_minimal(encoding, automaton))
}

/// A minimal automaton of canonical words whose tracks are these variables, ascending.
struct Labelled {
    variables: Vec<Variable>,
    automaton: Automaton,
}
