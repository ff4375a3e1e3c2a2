//! What follows from the linear part of a rule's condition.
//!
//! Expressions become polynomials over atoms: variables, and terms such as `n/2` or `max(a, b)`
//! that come with inequalities of their own. Products of atoms count as further unknowns. What is
//! then asked are systems of linear inequalities, and they are settled by elimination (Fourier
//! 1826, Motzkin 1936). A "yes" is a proof; a "no" says nothing.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{
    Aggregate, BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Role, Scope, Set,
    Variable,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// An unknown natural number or term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// What a variable holds; of a nested list, the sum of its contents.
    Variable(Variable),
    /// A term that is not linear.
    Term(Expr),
    /// The number of items of a run of coordinates, or of the row.
    Length(Variable),
    /// The sum of the contents of a run of coordinates.
    Sum(Variable),
    /// The sum of the contents of a run, each times its place from the left, counted from 1.
    FromLeft(Variable),
    /// The same from the right.
    FromRight(Variable),
    /// The number of places of the row.
    RowLength,
    /// The number of places that `some a -= k` hits.
    Places,
    /// The number that stood at a place of the row.
    Old(Expr),
}

/// A sum of products of atoms with integer factors: ascending indices of atoms, none for 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Vec<usize>, BigInt>);

impl Polynomial {
    pub fn number(n: impl Into<BigInt>) -> Self {
        Self::monomial(Vec::new(), n.into())
    }

    fn monomial(atoms: Vec<usize>, factor: BigInt) -> Self {
        if factor.is_zero() {
            Self::default()
        } else {
            Self(BTreeMap::from([(atoms, factor)]))
        }
    }

    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.0.clone();
        for (atoms, factor) in &other.0 {
            *sum.entry(atoms.clone()).or_default() += factor;
        }
        sum.retain(|_, factor| !factor.is_zero());
        Self(sum)
    }

    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(&Self::number(-1)))
    }

    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut atoms = [left.as_slice(), right].concat();
                atoms.sort_unstable();
                product = product.plus(&Self::monomial(atoms, a * b));
            }
        }
        product
    }

    fn constant(&self) -> Option<BigInt> {
        let only_constant = self.0.keys().all(Vec::is_empty);
        only_constant.then(|| self.0.values().next().cloned().unwrap_or_default())
    }
}

/// Polynomials with more terms than this are not multiplied out.
const MOST_TERMS: usize = 24;
/// Systems with more inequalities than this are left undecided.
const MOST_INEQUALITIES: usize = 400;
/// More combinations of cases than this are not told apart.
const MOST_CASES: usize = 32;
/// Factors with more binary digits than this are left undecided.
const MOST_BITS: u64 = 256;

/// What is known on a line of rules: inequalities `p >= 0`.
#[derive(Clone)]
pub struct Known<'r> {
    ruleset: &'r Ruleset,
    scope: &'r Scope,
    atoms: Vec<Atom>,
    inequalities: Vec<Polynomial>,
    /// What holds of atoms wherever they have a value.
    facts: Vec<Polynomial>,
    /// Of each of these, one case at least holds.
    cases: Vec<Vec<Vec<Polynomial>>>,
}

impl<'r> Known<'r> {
    /// Only that variables hold naturals.
    pub fn new(ruleset: &'r Ruleset, scope: &'r Scope) -> Self {
        Self {
            ruleset,
            scope,
            atoms: Vec::new(),
            inequalities: Vec::new(),
            facts: Vec::new(),
            cases: Vec::new(),
        }
    }

    /// The polynomial of one atom. Atoms are at least 0 unless they are terms.
    pub fn atom(&mut self, atom: Atom) -> Polynomial {
        let index = self.atoms.iter().position(|known| *known == atom);
        let index = index.unwrap_or_else(|| {
            self.atoms.push(atom.clone());
            let index = self.atoms.len() - 1;
            let this = Polynomial::monomial(vec![index], BigInt::one());
            match atom {
                Atom::Term(term) => self.learn_term(&this, &term),
                // A series may count through negative numbers, and chance may draw them.
                Atom::Variable(variable)
                    if matches!(self.role(variable), Role::Bound | Role::Chance(_)) => {}
                _ => self.facts.push(this),
            }
            index
        });
        Polynomial::monomial(vec![index], BigInt::one())
    }

    /// Adds that `p >= 0`.
    pub fn learn(&mut self, p: Polynomial) {
        self.inequalities.push(p);
    }

    /// What an expression is worth.
    pub fn value(&mut self, expr: &Expr) -> Polynomial {
        match expr {
            Expr::Number(n) => Polynomial::number(n.clone()),
            Expr::Variable(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Number(n)) => Polynomial::number(n.clone()),
                _ => self.atom(Atom::Variable(*variable)),
            },
            Expr::Negate(e) => Polynomial::default().minus(&self.value(e)),
            Expr::Binary(BinaryOp::Add, left, right) => self.value(left).plus(&self.value(right)),
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                self.value(left).minus(&self.value(right))
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                if left.0.len() * right.0.len() <= MOST_TERMS {
                    left.times(&right)
                } else {
                    self.atom(Atom::Term(expr.clone()))
                }
            }
            Expr::Aggregate(Aggregate::Length, Set::Named(list)) => match self.role(*list) {
                Role::Row => self.atom(Atom::RowLength),
                Role::Rest => self.atom(Atom::Length(*list)),
                _ => self.atom(Atom::Term(expr.clone())),
            },
            Expr::Aggregate(Aggregate::Sum, Set::Named(list)) if self.role(*list) == Role::Rest => {
                self.atom(Atom::Sum(*list))
            }
            _ => self.atom(Atom::Term(expr.clone())),
        }
    }

    fn role(&self, variable: Variable) -> Role {
        self.scope.names[variable.0].role
    }

    fn parameter(&self, variable: Variable) -> Option<&'r ParameterValue> {
        match self.role(variable) {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    /// What a term that is not linear is known to be, wherever it has a value.
    fn learn_term(&mut self, this: &Polynomial, term: &Expr) {
        match term {
            Expr::Binary(BinaryOp::Divide, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                if let Some(divisor) = right.constant().filter(Signed::is_positive) {
                    let whole = this.times(&right);
                    self.facts.push(left.minus(&whole));
                    let next = whole.plus(&Polynomial::number(divisor - 1));
                    self.facts.push(next.minus(&left));
                } else if self.implies(&left) && self.implies(&right) {
                    // There is no quotient by 0, and so the divisor is at least 1.
                    self.facts.push(this.clone());
                    self.facts.push(left.minus(this));
                }
            }
            Expr::Binary(BinaryOp::Modulo, _, right) => {
                self.facts.push(this.clone());
                let right = self.value(right);
                self.facts
                    .push(right.minus(this).minus(&Polynomial::number(1)));
            }
            Expr::Binary(BinaryOp::BitAnd, left, right) => {
                self.facts.push(this.clone());
                let (left, right) = (self.value(left), self.value(right));
                self.facts.push(left.minus(this));
                self.facts.push(right.minus(this));
            }
            Expr::Binary(BinaryOp::BitOr | BinaryOp::Xor, left, right) => {
                self.facts.push(this.clone());
                let sum = self.value(left).plus(&self.value(right));
                self.facts.push(sum.minus(this));
                if matches!(term, Expr::Binary(BinaryOp::BitOr, ..)) {
                    for part in [left, right] {
                        let part = self.value(part);
                        self.facts.push(this.minus(&part));
                    }
                }
            }
            Expr::Binary(BinaryOp::ShiftRight, left, _) => {
                self.facts.push(this.clone());
                let left = self.value(left);
                self.facts.push(left.minus(this));
            }
            Expr::Binary(BinaryOp::ShiftLeft, left, _) => {
                let left = self.value(left);
                self.facts.push(this.minus(&left));
            }
            Expr::Call(Function::Min, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|e| self.value(e)).collect();
                let above = arguments.iter().map(|argument| argument.minus(this));
                self.facts.extend(above);
                self.is_one_of(this, &arguments);
            }
            Expr::Call(Function::Max, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|e| self.value(e)).collect();
                let below = arguments.iter().map(|argument| this.minus(argument));
                self.facts.extend(below);
                self.is_one_of(this, &arguments);
            }
            Expr::Call(Function::Abs, arguments) => {
                let argument = self.value(&arguments[0]);
                let negative = Polynomial::default().minus(&argument);
                self.facts.push(this.minus(&argument));
                self.facts.push(this.minus(&negative));
                self.is_one_of(this, &[argument, negative]);
            }
            Expr::Call(Function::Isqrt, arguments) => {
                self.facts.push(this.clone());
                let argument = self.value(&arguments[0]);
                self.facts.push(argument.minus(this));
            }
            Expr::Index(list, _) if self.parameter(*list).is_some() => {
                if let Some(ParameterValue::List(numbers) | ParameterValue::Set(numbers)) =
                    self.parameter(*list)
                {
                    let least = numbers.iter().min().cloned().unwrap_or_default();
                    let most = numbers.iter().max().cloned().unwrap_or_default();
                    self.facts.push(this.minus(&Polynomial::number(least)));
                    self.facts.push(Polynomial::number(most).minus(this));
                }
            }
            Expr::Call(Function::Gcd | Function::Omega | Function::Popcount, _)
            | Expr::Index(..)
            | Expr::End(_) => self.facts.push(this.clone()),
            _ => {}
        }
    }

    /// That a term equals one of these.
    fn is_one_of(&mut self, this: &Polynomial, values: &[Polynomial]) {
        let cases = values.iter();
        self.cases.push(
            cases
                .map(|value| vec![this.minus(value), value.minus(this)])
                .collect(),
        );
    }

    /// Adds what a condition says, as far as it is linear.
    pub fn learn_guard(&mut self, guard: &Guard) {
        match guard {
            Guard::All(guards) => guards.iter().for_each(|guard| self.learn_guard(guard)),
            Guard::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                let one = Polynomial::number(1);
                match comparison {
                    Comparison::Less => self.learn(right.minus(&left).minus(&one)),
                    Comparison::LessEqual => self.learn(right.minus(&left)),
                    Comparison::Equal => {
                        self.learn(right.minus(&left));
                        self.learn(left.minus(&right));
                    }
                    Comparison::NotEqual => {}
                    Comparison::GreaterEqual => self.learn(left.minus(&right)),
                    Comparison::Greater => self.learn(left.minus(&right).minus(&one)),
                }
            }
            Guard::Divides(divisor, _) => {
                let divisor = self.value(divisor);
                self.learn(divisor.minus(&Polynomial::number(1)));
            }
            Guard::Member {
                negated: false,
                item,
                set,
            } => self.learn_member(item, set),
            Guard::Related {
                negated: false,
                items,
                relation,
            } => {
                if let Some(ParameterValue::Relation(tuples)) = self.parameter(*relation) {
                    for (place, item) in items.iter().enumerate() {
                        let column = tuples.iter().filter_map(|tuple| tuple.get(place));
                        self.learn_between(item, column);
                    }
                    self.learn_differences(items, tuples);
                }
            }
            Guard::Any(guards) => {
                let before = std::mem::take(&mut self.inequalities);
                let mut cases = Vec::with_capacity(guards.len());
                for guard in guards {
                    self.learn_guard(guard);
                    cases.push(std::mem::take(&mut self.inequalities));
                }
                self.inequalities = before;
                self.cases.push(cases);
            }
            Guard::Option { from, to } => {
                // Both speak of the same measure, which is thought to decrease at every move.
                let (from, to) = (
                    self.atom(Atom::Variable(*from)),
                    self.atom(Atom::Variable(*to)),
                );
                self.learn(from.minus(&to).minus(&Polynomial::number(1)));
            }
            _ => {}
        }
    }

    fn learn_member(&mut self, item: &Expr, set: &Set) {
        let at_least = |known: &mut Self, least: i32| {
            let item = known.value(item);
            known.learn(item.minus(&Polynomial::number(least)));
        };
        match set {
            Set::Range(from, to) => {
                let (item, from, to) = (self.value(item), self.value(from), self.value(to));
                self.learn(item.minus(&from));
                self.learn(to.minus(&item));
            }
            Set::Named(variable) => {
                if let Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) =
                    self.parameter(*variable)
                {
                    self.learn_between(item, numbers.iter());
                }
            }
            Set::List(members) => {
                let numbers: Option<Vec<&BigInt>> = members
                    .iter()
                    .map(|member| match member {
                        Expr::Number(n) => Some(n),
                        _ => None,
                    })
                    .collect();
                if let Some(numbers) = numbers {
                    self.learn_between(item, numbers.into_iter());
                }
            }
            Set::Primes | Set::PrimePowers => at_least(self, 2),
            Set::Squares | Set::Fibonacci | Set::AllBut(_) => at_least(self, 1),
            Set::Powers(base) => {
                let base = self.value(base).constant();
                at_least(self, i32::from(base.is_some_and(|base| base.is_positive())));
            }
            Set::Digits { .. } => at_least(self, 0),
        }
    }

    fn learn_between<'n>(
        &mut self,
        item: &Expr,
        numbers: impl Iterator<Item = &'n BigInt> + Clone,
    ) {
        let item = self.value(item);
        if let (Some(least), Some(most)) = (numbers.clone().min(), numbers.max()) {
            self.learn(item.minus(&Polynomial::number(least.clone())));
            self.learn(Polynomial::number(most.clone()).minus(&item));
        }
    }

    /// Between which numbers the differences of neighbours in the tuples of a relation lie.
    fn learn_differences(&mut self, items: &[Expr], tuples: &[Vec<BigInt>]) {
        for place in 1..items.len() {
            let differences: BTreeSet<BigInt> = tuples
                .iter()
                .filter_map(|tuple| Some(tuple.get(place)? - tuple.get(place - 1)?))
                .collect();
            let (left, right) = (self.value(&items[place - 1]), self.value(&items[place]));
            let difference = right.minus(&left);
            if let (Some(least), Some(most)) = (differences.first(), differences.last()) {
                self.learn(difference.minus(&Polynomial::number(least.clone())));
                self.learn(Polynomial::number(most.clone()).minus(&difference));
            }
        }
    }

    /// Whether `p >= 0` follows.
    pub fn implies(&self, p: &Polynomial) -> bool {
        self.always(&|known| {
            // Over the integers, p < 0 is -p - 1 >= 0.
            let mut system = known.to_vec();
            system.push(Polynomial::number(-1).minus(p));
            learn_products(known, &mut system);
            is_infeasible(system)
        })
    }

    /// Whether something follows from what is known, or else from it in every case.
    fn always(&self, follows: &dyn Fn(&[Polynomial]) -> bool) -> bool {
        let known = [self.inequalities.as_slice(), &self.facts].concat();
        if follows(&known) {
            return true;
        }
        let mut combined = vec![known];
        for cases in &self.cases {
            if combined.len() * cases.len() > MOST_CASES {
                break;
            }
            let with = |case: &Vec<Polynomial>| {
                let known = combined.iter();
                known
                    .map(|known| [known.as_slice(), case].concat())
                    .collect::<Vec<_>>()
            };
            combined = cases.iter().flat_map(with).collect();
        }
        combined.len() > 1 && combined.iter().all(|known| follows(known))
    }

    /// Whether a condition follows; only comparisons are ever shown to.
    pub fn implies_guard(&mut self, guard: &Guard) -> bool {
        let Guard::Compare(comparison, left, right) = guard else {
            return false;
        };
        let (left, right) = (self.value(left), self.value(right));
        let one = Polynomial::number(1);
        match comparison {
            Comparison::Less => self.implies(&right.minus(&left).minus(&one)),
            Comparison::LessEqual => self.implies(&right.minus(&left)),
            Comparison::Equal => {
                self.implies(&right.minus(&left)) && self.implies(&left.minus(&right))
            }
            Comparison::NotEqual => {
                self.implies(&right.minus(&left).minus(&one))
                    || self.implies(&left.minus(&right).minus(&one))
            }
            Comparison::GreaterEqual => self.implies(&left.minus(&right)),
            Comparison::Greater => self.implies(&left.minus(&right).minus(&one)),
        }
    }

    /// Whether `p` has a lower bound that depends on no variable.
    pub fn bounds_below(&self, p: &Polynomial) -> bool {
        self.always(&|known| {
            let mut system = known.to_vec();
            learn_products(known, &mut system);
            // The bounds of an unknown that equals p are what is left without all others.
            let bounded = vec![usize::MAX];
            let unknown = Polynomial::monomial(bounded.clone(), BigInt::one());
            system.push(unknown.minus(p));
            system.push(p.minus(&unknown));
            eliminate(system, Some(&bounded)).is_some_and(|left| {
                left.iter()
                    .any(|p| p.0.get(&bounded).is_some_and(Signed::is_positive))
            })
        })
    }
}

/// Adds to a system what is known of the products of atoms in it: a product of naturals is
/// natural, and no smaller than a factor if the others are positive.
fn learn_products(known: &[Polynomial], system: &mut Vec<Polynomial>) {
    let products: BTreeSet<Vec<usize>> = system
        .iter()
        .flat_map(|p| p.0.keys())
        .filter(|atoms| atoms.len() > 1)
        .cloned()
        .collect();
    let holds = |atom: usize, least: i32| {
        let atom = Polynomial::monomial(vec![atom], BigInt::one());
        let mut system = known.to_vec();
        system.push(Polynomial::number(least - 1).minus(&atom));
        is_infeasible(system)
    };
    for atoms in products {
        let this = Polynomial::monomial(atoms.clone(), BigInt::one());
        if !atoms.iter().all(|atom| holds(*atom, 0)) {
            continue;
        }
        system.push(this.clone());
        for place in 0..atoms.len() {
            let mut others = atoms.clone();
            let atom = others.remove(place);
            if holds(atom, 1) {
                let others = Polynomial::monomial(others.clone(), BigInt::one());
                system.push(this.minus(&others));
            }
            if others.iter().all(|other| holds(*other, 1)) {
                let factor = Polynomial::monomial(vec![atom], BigInt::one());
                system.push(this.minus(&factor));
            }
        }
    }
}

/// Whether no numbers satisfy all inequalities; false also where that is not found out.
fn is_infeasible(system: Vec<Polynomial>) -> bool {
    eliminate(system, None).is_some_and(|rest| {
        rest.iter()
            .any(|p| p.constant().is_some_and(|n| n.is_negative()))
    })
}

/// Eliminates every unknown but `kept`; `None` if the system grows too large.
fn eliminate(mut system: Vec<Polynomial>, kept: Option<&Vec<usize>>) -> Option<Vec<Polynomial>> {
    loop {
        for p in &mut system {
            tighten(p);
        }
        system.sort_by(|a, b| a.0.cmp(&b.0));
        system.dedup();
        let unknowns: BTreeSet<Vec<usize>> = system
            .iter()
            .flat_map(|p| p.0.keys())
            .filter(|atoms| !atoms.is_empty() && Some(*atoms) != kept)
            .cloned()
            .collect();
        let sides = |unknown: &Vec<usize>| {
            let factors = || system.iter().filter_map(|p| p.0.get(unknown));
            let below = factors().filter(|factor| factor.is_positive()).count();
            let above = factors().count() - below;
            below * above
        };
        let Some(unknown) = unknowns.into_iter().min_by_key(sides) else {
            return Some(system);
        };
        let factor = |p: &Polynomial| p.0.get(&unknown).cloned().unwrap_or_default();
        let (with, mut rest): (Vec<_>, Vec<_>) =
            system.into_iter().partition(|p| !factor(p).is_zero());
        let (below, above): (Vec<_>, Vec<_>) =
            with.into_iter().partition(|p| factor(p).is_positive());
        if rest.len() + below.len() * above.len() > MOST_INEQUALITIES {
            return None;
        }
        for low in &below {
            for high in &above {
                let low_part = low.times(&Polynomial::number(-factor(high)));
                let high_part = high.times(&Polynomial::number(factor(low)));
                let sum = low_part.plus(&high_part);
                if sum.0.values().any(|factor| factor.bits() > MOST_BITS) {
                    return None;
                }
                rest.push(sum);
            }
        }
        system = rest;
    }
}

/// Divides an inequality by what its factors have in common, and rounds the constant down: the
/// unknowns are integers.
fn tighten(p: &mut Polynomial) {
    let factors = p.0.iter().filter(|(atoms, _)| !atoms.is_empty());
    let common = factors.fold(BigInt::zero(), |gcd, (_, factor)| gcd.gcd(factor));
    if common > BigInt::one() {
        for factor in p.0.values_mut() {
            *factor = factor.div_floor(&common);
        }
        p.0.retain(|_, factor| !factor.is_zero());
    }
}
