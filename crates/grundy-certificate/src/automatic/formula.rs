//! Formulas about natural numbers, and the forms in which they are checked.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::refusal::Reason;

/// A natural number that a formula speaks of.
pub(crate) type Variable = usize;

/// A sum of multiples of variables and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Term {
    /// None is zero.
    pub(crate) coefficients: BTreeMap<Variable, BigInt>,
    pub(crate) constant: BigInt,
}

impl Term {
    pub(crate) fn variable(variable: Variable) -> Self {
        Self {
            coefficients: BTreeMap::from([(variable, BigInt::one())]),
            constant: BigInt::zero(),
        }
    }

    pub(crate) fn number(number: impl Into<BigInt>) -> Self {
        Self {
            coefficients: BTreeMap::new(),
            constant: number.into(),
        }
    }

    /// `self + factor * other`
    pub(crate) fn plus(&self, factor: &BigInt, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.constant += factor * &other.constant;
        for (variable, coefficient) in &other.coefficients {
            let entry = sum.coefficients.entry(*variable).or_default();
            *entry += factor * coefficient;
        }
        sum.coefficients
            .retain(|_, coefficient| !coefficient.is_zero());
        sum
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&BigInt::from(-1), other)
    }

    pub(crate) fn times(&self, factor: &BigInt) -> Self {
        Self::default().plus(factor, self)
    }

    /// The number that it is, whatever the variables are.
    pub(crate) fn as_number(&self) -> Option<&BigInt> {
        self.coefficients.is_empty().then_some(&self.constant)
    }

    /// The variable that it is.
    pub(crate) fn as_variable(&self) -> Option<Variable> {
        let mut all = self.coefficients.iter();
        match (all.next(), all.next()) {
            (Some((variable, one)), None) if one.is_one() && self.constant.is_zero() => {
                Some(*variable)
            }
            _ => None,
        }
    }

    /// Whether it is plainly 0 or more.
    pub(crate) fn is_natural(&self) -> bool {
        let negative = |n: &BigInt| n.is_negative();
        !negative(&self.constant) && !self.coefficients.values().any(negative)
    }

    fn replace(&self, variable: Variable, by: &Self) -> Self {
        let mut rest = self.clone();
        match rest.coefficients.remove(&variable) {
            Some(factor) => rest.plus(&factor, by),
            None => rest,
        }
    }
}

/// A digitwise operation of binary digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    And,
    Or,
}

/// A statement without parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// The term is 0.
    Zero(Term),
    /// The term is 0 or less.
    AtMostZero(Term),
    /// The term is a multiple of a positive number.
    Multiple(u32, Term),
    /// The exclusive or of all is 0.
    Xor(Vec<Variable>),
    /// The first two, combined, are the third.
    Bits(Bits, [Variable; 3]),
    /// A power of this number, 1 included.
    PowerOf(u32, Variable),
    /// A Fibonacci number: 1, 2, 3, 5, ….
    Fibonacci(Variable),
    /// The automaton with this index accepts: first come those of the law, then what is defined.
    Accepted(usize, Vec<Variable>),
}

/// A statement about natural numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Atom(Atom),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// For some natural values of these.
    Some(Vec<Variable>, Box<Formula>),
}

pub(crate) const TRUE: Formula = Formula::All(Vec::new());
pub(crate) const FALSE: Formula = Formula::Any(Vec::new());

impl Formula {
    pub(crate) fn equal(left: &Term, right: &Term) -> Self {
        let term = left.minus(right);
        match term.as_number() {
            Some(number) if number.is_zero() => TRUE,
            Some(_) => FALSE,
            None => Self::Atom(Atom::Zero(term)),
        }
    }

    pub(crate) fn at_most(left: &Term, right: &Term) -> Self {
        let term = left.minus(right);
        match term.as_number() {
            Some(number) if number.is_positive() => FALSE,
            Some(_) => TRUE,
            None if term.times(&BigInt::from(-1)).is_natural() => TRUE,
            None => Self::Atom(Atom::AtMostZero(term)),
        }
    }

    pub(crate) fn less(left: &Term, right: &Term) -> Self {
        Self::at_most(&left.plus(&BigInt::one(), &Term::number(1)), right)
    }

    pub(crate) fn natural(term: &Term) -> Self {
        Self::at_most(&Term::default(), term)
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            Self::All(all) if all.is_empty() => FALSE,
            Self::Any(any) if any.is_empty() => TRUE,
            other => Self::Not(Box::new(other)),
        }
    }

    pub(crate) fn all(all: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for formula in all {
            match formula {
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.contains(&FALSE) {
            return FALSE;
        }
        if flat.len() == 1 {
            return flat.remove(0);
        }
        Self::All(flat)
    }

    pub(crate) fn any(any: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for formula in any {
            match formula {
                Self::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.contains(&TRUE) {
            return TRUE;
        }
        if flat.len() == 1 {
            return flat.remove(0);
        }
        Self::Any(flat)
    }

    pub(crate) fn some(variables: Vec<Variable>, body: Self) -> Self {
        if variables.is_empty() || body == FALSE {
            body
        } else {
            Self::Some(variables, Box::new(body))
        }
    }

    /// The same about other variables; those that are bound get new ones.
    pub(crate) fn rename(&self, names: &BTreeMap<Variable, Variable>, fresh: &mut Fresh) -> Self {
        let each = |all: &[Self], fresh: &mut Fresh| {
            let renamed = all.iter().map(|formula| formula.rename(names, fresh));
            renamed.collect::<Vec<_>>()
        };
        match self {
            Self::Atom(atom) => Self::Atom(atom.rename(names)),
            Self::Not(inner) => Self::Not(Box::new(inner.rename(names, fresh))),
            Self::All(all) => Self::All(each(all, fresh)),
            Self::Any(any) => Self::Any(each(any, fresh)),
            Self::Some(bound, body) => {
                let mut inner = names.clone();
                let new: Vec<Variable> = bound.iter().map(|_| fresh.variable()).collect();
                inner.extend(bound.iter().copied().zip(new.iter().copied()));
                Self::Some(new, Box::new(body.rename(&inner, fresh)))
            }
        }
    }

    /// The variables that are not bound.
    pub(crate) fn free(&self, found: &mut BTreeSet<Variable>) {
        match self {
            Self::Atom(atom) => found.extend(atom.variables()),
            Self::Not(inner) => inner.free(found),
            Self::All(all) | Self::Any(all) => all.iter().for_each(|formula| formula.free(found)),
            Self::Some(bound, body) => {
                let mut inner = BTreeSet::new();
                body.free(&mut inner);
                found.extend(inner.into_iter().filter(|name| !bound.contains(name)));
            }
        }
    }

    fn has_quantifier(&self) -> bool {
        match self {
            Self::Atom(_) => false,
            Self::Not(inner) => inner.has_quantifier(),
            Self::All(all) | Self::Any(all) => all.iter().any(Self::has_quantifier),
            Self::Some(..) => true,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Atom(_) => 1,
            Self::Not(inner) | Self::Some(_, inner) => inner.size(),
            Self::All(all) | Self::Any(all) => 1 + all.iter().map(Self::size).sum::<usize>(),
        }
    }

    fn map_atoms(&self, f: &mut impl FnMut(&Atom) -> Self) -> Self {
        match self {
            Self::Atom(atom) => f(atom),
            Self::Not(inner) => inner.map_atoms(f).not(),
            Self::All(all) => Self::all(all.iter().map(|formula| formula.map_atoms(f))),
            Self::Any(any) => Self::any(any.iter().map(|formula| formula.map_atoms(f))),
            Self::Some(bound, body) => Self::some(bound.clone(), body.map_atoms(f)),
        }
    }

    fn any_atom(&self, f: &mut impl FnMut(&Atom) -> bool) -> bool {
        match self {
            Self::Atom(atom) => f(atom),
            Self::Not(inner) | Self::Some(_, inner) => inner.any_atom(f),
            Self::All(all) | Self::Any(all) => all.iter().any(|formula| formula.any_atom(f)),
        }
    }
}

impl Atom {
    fn rename(&self, names: &BTreeMap<Variable, Variable>) -> Self {
        let name = |variable: &Variable| names.get(variable).copied().unwrap_or(*variable);
        let term = |term: &Term| {
            let mut renamed = Term::number(term.constant.clone());
            for (variable, coefficient) in &term.coefficients {
                renamed = renamed.plus(coefficient, &Term::variable(name(variable)));
            }
            renamed
        };
        match self {
            Self::Zero(inner) => Self::Zero(term(inner)),
            Self::AtMostZero(inner) => Self::AtMostZero(term(inner)),
            Self::Multiple(modulus, inner) => Self::Multiple(*modulus, term(inner)),
            Self::Xor(all) => Self::Xor(all.iter().map(name).collect()),
            Self::Bits(bits, all) => Self::Bits(*bits, all.each_ref().map(name)),
            Self::PowerOf(power, variable) => Self::PowerOf(*power, name(variable)),
            Self::Fibonacci(variable) => Self::Fibonacci(name(variable)),
            Self::Accepted(index, all) => Self::Accepted(*index, all.iter().map(name).collect()),
        }
    }

    /// The linear term of which it speaks.
    fn term(&self) -> Option<&Term> {
        match self {
            Self::Zero(term) | Self::AtMostZero(term) | Self::Multiple(_, term) => Some(term),
            _ => None,
        }
    }

    pub(crate) fn variables(&self) -> Vec<Variable> {
        match self {
            Self::Zero(term) | Self::AtMostZero(term) | Self::Multiple(_, term) => {
                term.coefficients.keys().copied().collect()
            }
            Self::Xor(all) | Self::Accepted(_, all) => all.clone(),
            Self::Bits(_, all) => all.to_vec(),
            Self::PowerOf(_, variable) | Self::Fibonacci(variable) => vec![*variable],
        }
    }
}

/// Gives out variables that nothing else uses.
#[derive(Clone, Debug)]
pub(crate) struct Fresh(pub(crate) Variable);

impl Fresh {
    pub(crate) fn variable(&mut self) -> Variable {
        self.0 += 1;
        self.0 - 1
    }

    pub(crate) fn several(&mut self, how_many: usize) -> Vec<Variable> {
        (0..how_many).map(|_| self.variable()).collect()
    }
}

/// For some values of `bound`, all of `body` holds; no part of it has a quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) bound: Vec<Variable>,
    pub(crate) body: Vec<Formula>,
}

/// How many clauses a formula may have.
const MOST_CLAUSES: usize = 1 << 10;
/// How many atoms they may have together.
const MOST_ATOMS: usize = 1 << 14;

/// What is left of a formula that no clause can hold: a statement with a quantifier that is denied.
///
/// `holds` is true of the numbers `of` iff one of the clauses is. An automaton must say which these are.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) of: Vec<Variable>,
    pub(crate) clauses: Vec<Clause>,
}

/// What is defined, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Definitions {
    /// The index of the automaton of the first: before it stand those of the law.
    pub(crate) first: usize,
    pub(crate) all: Vec<Definition>,
}

impl Definitions {
    pub(crate) fn after(first: usize) -> Self {
        Self {
            first,
            all: Vec::new(),
        }
    }

    /// Adds one; the index of its automaton.
    pub(crate) fn add(&mut self, of: Vec<Variable>, clauses: Vec<Clause>) -> usize {
        self.all.push(Definition { of, clauses });
        self.first + self.all.len() - 1
    }
}

/// The clauses of which a formula says that one holds. What they deny is defined one by one.
pub(crate) fn clauses(
    formula: &Formula,
    definitions: &mut Definitions,
) -> Result<Vec<Clause>, Reason> {
    let mut found = in_clauses(formula, true, definitions)?;
    for clause in &mut found {
        *clause = eliminated(clause.clone());
    }
    let holds = |clause: &Clause| !clause.body.contains(&FALSE);
    found.retain(holds);
    let size = |clause: &Clause| clause.body.iter().map(Formula::size).sum::<usize>();
    if found.len() > MOST_CLAUSES || found.iter().map(size).sum::<usize>() > MOST_ATOMS {
        return Err(Reason::TooLarge);
    }
    Ok(found)
}

fn in_clauses(
    formula: &Formula,
    holds: bool,
    definitions: &mut Definitions,
) -> Result<Vec<Clause>, Reason> {
    if !formula.has_quantifier() {
        let body = if holds {
            formula.clone()
        } else {
            formula.clone().not()
        };
        let body = match body {
            Formula::All(all) => all,
            other => vec![other],
        };
        return Ok(vec![Clause {
            bound: Vec::new(),
            body,
        }]);
    }
    match (formula, holds) {
        (Formula::Not(inner), _) => in_clauses(inner, !holds, definitions),
        (Formula::All(all), true) | (Formula::Any(all), false) => {
            let mut ways = vec![Clause {
                bound: Vec::new(),
                body: Vec::new(),
            }];
            for member in all {
                let next = in_clauses(member, holds, definitions)?;
                if ways.len().saturating_mul(next.len()) > MOST_CLAUSES {
                    return Err(Reason::TooLarge);
                }
                let pairs = ways
                    .iter()
                    .flat_map(|way| next.iter().map(move |next| (way, next)));
                ways = pairs
                    .map(|(way, next)| Clause {
                        bound: [way.bound.as_slice(), &next.bound].concat(),
                        body: [way.body.as_slice(), &next.body].concat(),
                    })
                    .collect();
            }
            Ok(ways)
        }
        (Formula::Any(any), true) | (Formula::All(any), false) => {
            let mut ways = Vec::new();
            for member in any {
                ways.extend(in_clauses(member, holds, definitions)?);
                if ways.len() > MOST_CLAUSES {
                    return Err(Reason::TooLarge);
                }
            }
            Ok(ways)
        }
        (Formula::Some(bound, body), true) => {
            let mut ways = in_clauses(body, true, definitions)?;
            for way in &mut ways {
                way.bound.extend(bound);
            }
            Ok(ways)
        }
        (Formula::Some(..), false) => {
            let mut of = BTreeSet::new();
            formula.free(&mut of);
            let of: Vec<Variable> = of.into_iter().collect();
            let clauses = clauses(formula, definitions)?;
            let same = |known: &Definition| known.of == of && known.clauses == clauses;
            let index = match definitions.all.iter().position(same) {
                Some(known) => definitions.first + known,
                None => definitions.add(of.clone(), clauses),
            };
            let defined = Formula::Atom(Atom::Accepted(index, of));
            Ok(vec![Clause {
                bound: Vec::new(),
                body: vec![defined.not()],
            }])
        }
        (Formula::Atom(_), _) => unreachable!("an atom has no quantifier"),
    }
}

/// The same clause without the bound variables that an equation gives.
///
/// If `v = t` must hold, `v` may be replaced by `t` wherever linear terms speak of it, as long as `t` is natural; by another
/// variable it may be replaced anywhere.
pub(crate) fn eliminated(mut clause: Clause) -> Clause {
    loop {
        clause.body = flattened(clause.body);
        let Some((at, variable, by)) = solved(&clause) else {
            return clause;
        };
        clause.body.remove(at);
        clause.bound.retain(|bound| *bound != variable);
        for formula in &mut clause.body {
            *formula = replaced(formula, variable, &by);
        }
        clause.body.push(Formula::natural(&by));
    }
}

/// The same formula without the bound variables that equations give, as far as it says that some numbers exist.
pub(crate) fn simplified(formula: Formula) -> Formula {
    let mut clause = Clause {
        bound: Vec::new(),
        body: Vec::new(),
    };
    let mut open = vec![formula];
    while let Some(next) = open.pop() {
        match next {
            Formula::Some(bound, body) => {
                clause.bound.extend(bound);
                open.push(*body);
            }
            Formula::All(all) => open.extend(all.into_iter().rev()),
            other => clause.body.push(other),
        }
    }
    let clause = eliminated(clause);
    Formula::some(clause.bound, Formula::all(clause.body))
}

fn flattened(body: Vec<Formula>) -> Vec<Formula> {
    let mut flat: Vec<Formula> = Vec::new();
    for formula in body {
        let members = match Formula::all([formula]) {
            Formula::All(all) => all,
            other => vec![other],
        };
        for member in members {
            if !flat.contains(&member) {
                flat.push(member);
            }
        }
    }
    flat
}

/// An equation of the clause that gives a bound variable.
fn solved(clause: &Clause) -> Option<(usize, Variable, Term)> {
    for (at, formula) in clause.body.iter().enumerate() {
        let Formula::Atom(Atom::Zero(term)) = formula else {
            continue;
        };
        for (variable, coefficient) in &term.coefficients {
            if !clause.bound.contains(variable) || !coefficient.magnitude().is_one() {
                continue;
            }
            let mut rest = term.clone();
            rest.coefficients.remove(variable);
            let by = rest.times(&-coefficient);
            let only_linear = || {
                !clause.body.iter().any(|formula| {
                    formula.any_atom(&mut |atom| {
                        atom.term().is_none() && atom.variables().contains(variable)
                    })
                })
            };
            if by.as_variable().is_some() || only_linear() {
                return Some((at, *variable, by));
            }
        }
    }
    None
}

fn replaced(formula: &Formula, variable: Variable, by: &Term) -> Formula {
    formula.map_atoms(&mut |atom| match atom {
        Atom::Zero(term) => Formula::equal(&term.replace(variable, by), &Term::default()),
        Atom::AtMostZero(term) => Formula::at_most(&term.replace(variable, by), &Term::default()),
        Atom::Multiple(modulus, term) => {
            Formula::Atom(Atom::Multiple(*modulus, term.replace(variable, by)))
        }
        other => match by.as_variable() {
            Some(name) => Formula::Atom(other.rename(&BTreeMap::from([(variable, name)]))),
            None => Formula::Atom(other.clone()),
        },
    })
}
