//! Expressions and conditions of the rule language as formulas about natural numbers.
//!
//! An expression is a list of *cases*: conditions under which it is a linear term, of which at most one holds. Where
//! none does, the expression has no value; so a comparison is false exactly where the language says so.

use std::cmp::Ordering;

use grundy_automata::{Atom, Comparison as Relates, Formula, NumerationSystem, Term, Variable};
use grundy_rules::ruleset::{
    Aggregate, BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Quantifier, Role,
    RowEnd, Ruleset, Scope, Set, Variable as Name,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::outside::Reason;

/// How many cases an expression may have.
const MOST_CASES: usize = 512;

/// Gives out variables, and notes what the numeration system must be able to say.
#[derive(Clone, Debug)]
pub(super) struct Context {
    next: u32,
    pub(super) needs: Needs,
}

impl Context {
    /// Variables from this number on are free.
    pub(super) fn new(next: usize) -> Self {
        Self {
            next: u32::try_from(next).expect("few coordinates"),
            needs: Needs::default(),
        }
    }

    pub(super) fn fresh(&mut self) -> Variable {
        let variable = Variable(self.next);
        self.next += 1;
        variable
    }
}

/// What formulas say that not every numeration system can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Exclusive or, bitwise and, bitwise or.
    pub(super) bits: bool,
    /// Powers of these numbers.
    pub(super) powers: Vec<u32>,
    /// Fibonacci numbers.
    pub(super) fibonacci: bool,
}

impl Needs {
    /// Both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            bits: self.bits || other.bits,
            powers: [self.powers.as_slice(), &other.powers].concat(),
            fibonacci: self.fibonacci || other.fibonacci,
        }
    }

    /// Whether the system can say all this: Fibonacci numbers are the places of one system only, bits are digits of bases
    /// that are powers of 2, and powers of a number are places of bases with the same root.
    pub(super) fn admit(&self, system: &NumerationSystem) -> bool {
        let base = system.as_base().map(root);
        let fibonacci = !self.fibonacci || *system == NumerationSystem::zeckendorf();
        let bits = !self.bits || base == Some(2);
        fibonacci && bits && self.powers.iter().all(|power| Some(root(*power)) == base)
    }

    /// The smallest system that can say all this, if there is one.
    pub(super) fn system(&self) -> Option<NumerationSystem> {
        if self.fibonacci {
            let only = !self.bits && self.powers.is_empty();
            return only.then(NumerationSystem::zeckendorf);
        }
        let least = self.powers.iter().copied().min();
        let base = if self.bits { 2 } else { least.map_or(2, root) };
        let powers_of_base = self.powers.iter().all(|power| root(*power) == base);
        if powers_of_base {
            NumerationSystem::base(base).ok()
        } else {
            None
        }
    }
}

/// The least number of which this one, at least 2, is a power.
fn root(power: u32) -> u32 {
    let is_root = |base: &u32| {
        let mut rest = power;
        while rest.is_multiple_of(*base) {
            rest /= base;
        }
        rest == 1
    };
    let roots = (2..=power).take_while(|base| base.saturating_mul(*base) <= power);
    roots.into_iter().find(is_root).unwrap_or(power)
}

/// What a name of a line holds.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// A number.
    Number(Term),
    /// A run of coordinates.
    List(Vec<Term>),
}

/// One way for some expressions to have values: for some values of `bound`, under all `conditions`.
#[derive(Clone, Debug)]
pub(super) struct Case<V> {
    pub(super) bound: Vec<Variable>,
    pub(super) conditions: Vec<Formula>,
    pub(super) value: V,
}

impl<V> Case<V> {
    pub(super) fn always(value: V) -> Self {
        Self {
            bound: Vec::new(),
            conditions: Vec::new(),
            value,
        }
    }

    pub(super) fn when(mut self, condition: Formula) -> Self {
        self.conditions.push(condition);
        self
    }

    pub(super) fn map<W>(self, f: impl FnOnce(V) -> W) -> Case<W> {
        Case {
            bound: self.bound,
            conditions: self.conditions,
            value: f(self.value),
        }
    }

    /// That the case holds, and this too.
    pub(super) fn formula(self, also: Formula) -> Formula {
        let mut all = self.conditions;
        all.push(also);
        exists(self.bound, conjunction(all))
    }
}

pub(super) fn conjunction(mut all: Vec<Formula>) -> Formula {
    if all.len() == 1 {
        all.remove(0)
    } else {
        Formula::And(all)
    }
}

pub(super) fn disjunction(mut any: Vec<Formula>) -> Formula {
    match any.len() {
        0 => Formula::Constant(false),
        1 => any.remove(0),
        _ => Formula::Or(any),
    }
}

pub(super) fn exists(bound: Vec<Variable>, body: Formula) -> Formula {
    if bound.is_empty() {
        body
    } else {
        Formula::exists(bound, body)
    }
}

/// The number that a term is, if it has no variable.
fn constant(term: &Term) -> Option<&BigInt> {
    term.coefficients().is_empty().then(|| term.constant())
}

/// Whether a term is natural whatever its variables are.
fn is_natural(term: &Term) -> bool {
    let coefficients = term.coefficients().values();
    !term.constant().is_negative() && coefficients.into_iter().all(|c| !c.is_negative())
}

/// A translator for the names of one line.
#[derive(Clone)]
pub(super) struct Translator<'r> {
    ruleset: &'r Ruleset,
    scope: &'r Scope,
    /// By name of the scope.
    pub(super) held: Vec<Option<Held>>,
    row: &'r [Term],
}

type Cases = Result<Vec<Case<Term>>, Reason>;

impl<'r> Translator<'r> {
    /// With parameters and the row bound, and nothing else.
    pub(super) fn new(ruleset: &'r Ruleset, scope: &'r Scope, row: &'r [Term]) -> Self {
        let held = scope.names.iter().map(|name| match name.role {
            Role::Row => Some(Held::List(row.to_vec())),
            Role::Parameter(index) => match &ruleset.parameters[index].value {
                ParameterValue::Number(n) => Some(Held::Number(n.clone().into())),
                _ => None,
            },
            _ => None,
        });
        Self {
            ruleset,
            scope,
            held: held.collect(),
            row,
        }
    }

    /// The same line where its names hold this.
    pub(super) fn holding(&self, held: Vec<Option<Held>>) -> Self {
        Self {
            held,
            ..self.clone()
        }
    }

    /// Gives every choice that holds nothing a variable of its own; these variables.
    pub(super) fn open_choices(&mut self, context: &mut Context) -> Vec<Variable> {
        let opened = self.opened(context).into_iter();
        opened.map(|(_, variable)| variable).collect()
    }

    /// Likewise, each with whether it is a choice of the mover, and not one for which only the condition asks.
    pub(super) fn opened(&mut self, context: &mut Context) -> Vec<(bool, Variable)> {
        let mut opened = Vec::new();
        for (held, name) in self.held.iter_mut().zip(&self.scope.names) {
            if held.is_none() && matches!(name.role, Role::Choice | Role::Existential) {
                let variable = context.fresh();
                *held = Some(Held::Number(variable.into()));
                opened.push((name.role == Role::Choice, variable));
            }
        }
        opened
    }

    fn parameter(&self, name: Name) -> Option<&'r ParameterValue> {
        match self.scope.names[name.0].role {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    /// The numbers of a list parameter, of the row, or of a run of coordinates.
    fn list(&self, name: Name) -> Option<Vec<Term>> {
        match (self.parameter(name), &self.held[name.0]) {
            (Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)), _) => {
                Some(numbers.iter().cloned().map(Term::from).collect())
            }
            (_, Some(Held::List(terms))) => Some(terms.clone()),
            _ => None,
        }
    }

    /// What an expression is, case by case.
    pub(super) fn cases(&self, expr: &Expr, context: &mut Context) -> Cases {
        match expr {
            Expr::Number(n) => Ok(vec![Case::always(n.clone().into())]),
            Expr::Variable(name) => Ok(match &self.held[name.0] {
                Some(Held::Number(term)) => vec![Case::always(term.clone())],
                _ => Vec::new(),
            }),
            Expr::Index(name, place) => {
                let Some(list) = self.list(*name) else {
                    return Ok(Vec::new());
                };
                self.each(&[place], context, |place, _| {
                    Ok(at_places(&list, &place[0]))
                })
            }
            Expr::End(end) => {
                let item = match end {
                    RowEnd::First => self.row.first(),
                    RowEnd::Last => self.row.last(),
                };
                Ok(item.cloned().map(Case::always).into_iter().collect())
            }
            Expr::Negate(e) => self.each(&[e], context, |e, _| {
                Ok(vec![Case::always(e[0].clone().times(-1))])
            }),
            Expr::Binary(op, left, right) => {
                self.each(&[left, right], context, |terms, context| {
                    binary(*op, &terms[0], &terms[1], context)
                })
            }
            Expr::Call(function, arguments) => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                self.each(&arguments, context, |terms, _| match function {
                    Function::Min => Ok(extremes(terms, Relates::Less)),
                    Function::Max => Ok(extremes(terms, Relates::Greater)),
                    Function::Abs => {
                        let (term, minus) = (terms[0].clone(), terms[0].clone().times(-1));
                        let negative = Formula::less(term.clone(), 0);
                        Ok(vec![
                            Case::always(minus).when(negative.clone()),
                            Case::always(term).when(negative.negated()),
                        ])
                    }
                    other => Err(Reason::Function(*other)),
                })
            }
            Expr::Aggregate(aggregate, set) => self.aggregate(*aggregate, set, context),
        }
    }

    fn aggregate(&self, aggregate: Aggregate, set: &Set, context: &mut Context) -> Cases {
        let extreme = |terms: &[Term]| match aggregate {
            Aggregate::Min => Some(extremes(terms, Relates::Less)),
            Aggregate::Max => Some(extremes(terms, Relates::Greater)),
            _ => None,
        };
        match set {
            Set::Named(name) => {
                let Some(list) = self.list(*name) else {
                    return Ok(Vec::new());
                };
                let total = |list: Vec<Term>| list.into_iter().fold(Term::default(), |a, b| a + b);
                match aggregate {
                    Aggregate::Length => {
                        let length = BigInt::from(list.len());
                        Ok(vec![Case::always(length.into())])
                    }
                    Aggregate::Sum => Ok(vec![Case::always(total(list))]),
                    Aggregate::Xor => {
                        let mut all = vec![Case::always(Term::default())];
                        for term in &list {
                            all = chain(all, |sum| Ok(bitwise(Atom::Xor, &sum, term, context)))?;
                        }
                        Ok(all)
                    }
                    Aggregate::Gcd => Err(Reason::Function(Function::Gcd)),
                    Aggregate::Min | Aggregate::Max => Ok(extreme(&list).unwrap_or_default()),
                }
            }
            // Equal members count once, which only the extremes do not see.
            Set::List(members) => {
                let members: Vec<&Expr> = members.iter().collect();
                self.each(&members, context, |terms, _| {
                    extreme(terms).ok_or(Reason::Aggregate)
                })
            }
            _ => Err(Reason::Aggregate),
        }
    }

    /// All combinations of cases of some expressions.
    pub(super) fn combinations(
        &self,
        exprs: &[&Expr],
        context: &mut Context,
    ) -> Result<Vec<Case<Vec<Term>>>, Reason> {
        let mut all = vec![Case::always(Vec::new())];
        for expr in exprs {
            let cases = self.cases(expr, context)?;
            all = chain(all, |terms| {
                let extended = cases.iter().map(|case| {
                    case.clone()
                        .map(|term| [terms.as_slice(), &[term]].concat())
                });
                Ok(extended.collect())
            })?;
        }
        Ok(all)
    }

    /// The cases that `then` makes of each combination of cases of some expressions.
    fn each(
        &self,
        exprs: &[&Expr],
        context: &mut Context,
        mut then: impl FnMut(&[Term], &mut Context) -> Cases,
    ) -> Cases {
        let combinations = self.combinations(exprs, context)?;
        chain(combinations, |terms| then(&terms, context))
    }

    /// That some expressions have values, and that these satisfy what `then` says.
    fn with(
        &self,
        exprs: &[&Expr],
        context: &mut Context,
        mut then: impl FnMut(&[Term], &mut Context) -> Result<Formula, Reason>,
    ) -> Result<Formula, Reason> {
        let mut any = Vec::new();
        for case in self.combinations(exprs, context)? {
            let also = then(&case.value, context)?;
            any.push(case.formula(also));
        }
        Ok(disjunction(any))
    }

    /// That a condition holds.
    pub(super) fn guard(&self, guard: &Guard, context: &mut Context) -> Result<Formula, Reason> {
        let mut all = |guards: &[Guard]| {
            let each = guards.iter().map(|guard| self.guard(guard, context));
            each.collect::<Result<Vec<_>, _>>()
        };
        match guard {
            Guard::All(guards) => all(guards).map(conjunction),
            Guard::Any(guards) => all(guards).map(disjunction),
            Guard::Not(guard) => Ok(self.guard(guard, context)?.negated()),
            Guard::Compare(comparison, left, right) => {
                self.with(&[left, right], context, |terms, _| {
                    let relates = relates(*comparison);
                    Ok(Formula::compare(
                        terms[0].clone(),
                        relates,
                        terms[1].clone(),
                    ))
                })
            }
            Guard::Divides(divisor, n) => self.with(&[divisor, n], context, |terms, _| {
                let divisor = constant(&terms[0]).ok_or(Reason::Divisor)?;
                if !divisor.is_positive() {
                    return Ok(Formula::Constant(false));
                }
                Ok(Formula::Divisible(terms[1].clone(), modulus(divisor)?))
            }),
            Guard::Member { negated, item, set } => {
                self.with(&[item], context, |terms, context| {
                    self.member(&terms[0], set, *negated, context)
                })
            }
            Guard::Related {
                negated,
                items,
                relation,
            } => {
                let Some(ParameterValue::Relation(tuples)) = self.parameter(*relation) else {
                    return Ok(Formula::Constant(false));
                };
                let items: Vec<&Expr> = items.iter().collect();
                self.with(&items, context, |terms, _| {
                    let tuples = tuples.iter().filter(|tuple| tuple.len() == terms.len());
                    let each = tuples.map(|tuple| {
                        let equal = terms.iter().zip(tuple);
                        let equal = equal.map(|(term, n)| Formula::equal(term.clone(), n.clone()));
                        conjunction(equal.collect())
                    });
                    Ok(negated_if(*negated, disjunction(each.collect())))
                })
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => self.quantified(*quantifier, *variable, over, body, context),
            Guard::Option { .. } => Err(Reason::Nested),
        }
    }

    /// That a set has a value and holds `n`, or does not where `negated`.
    fn member(
        &self,
        n: &Term,
        set: &Set,
        negated: bool,
        context: &mut Context,
    ) -> Result<Formula, Reason> {
        let among = |terms: &[Term]| {
            let equal = terms
                .iter()
                .map(|term| Formula::equal(n.clone(), term.clone()));
            negated_if(negated, disjunction(equal.collect()))
        };
        match set {
            Set::List(members) => {
                let members: Vec<&Expr> = members.iter().collect();
                self.with(&members, context, |terms, _| Ok(among(terms)))
            }
            Set::Range(from, to) => self.with(&[from, to], context, |terms, _| {
                let inside = Formula::less_equal(terms[0].clone(), n.clone())
                    .and(Formula::less_equal(n.clone(), terms[1].clone()));
                Ok(negated_if(negated, inside))
            }),
            Set::Named(name) => {
                let list = self.list(*name);
                Ok(list.map_or(Formula::Constant(false), |list| among(&list)))
            }
            Set::Powers(p) => self.with(&[p], context, |terms, context| {
                let p = constant(&terms[0]).ok_or(Reason::Exponent)?;
                let inside = match p.to_u32() {
                    None if p.is_negative() => Formula::Constant(false),
                    None => return Err(Reason::Size),
                    Some(p @ (0 | 1)) => {
                        let one = Formula::equal(n.clone(), 1);
                        one.or(Formula::equal(n.clone(), i64::from(p)))
                    }
                    Some(p) => {
                        context.needs.powers.push(p);
                        property(Atom::PowerOf(p), n, context)
                    }
                };
                Ok(negated_if(negated, inside))
            }),
            Set::Fibonacci => {
                context.needs.fibonacci = true;
                Ok(negated_if(negated, property(Atom::PlaceValue, n, context)))
            }
            Set::AllBut(excluded) => {
                let outside = self.member(n, excluded, true, context)?;
                let positive = Formula::less(0, n.clone());
                if negated {
                    let inside = self.member(n, excluded, false, context)?;
                    Ok(inside.or(positive.negated().and(outside)))
                } else {
                    Ok(positive.and(outside))
                }
            }
            Set::Primes | Set::PrimePowers | Set::Squares | Set::Digits { .. } => Err(Reason::Set),
        }
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        variable: Name,
        over: &Set,
        body: &Guard,
        context: &mut Context,
    ) -> Result<Formula, Reason> {
        let holds = |term: Term, context: &mut Context| {
            let mut inner = self.clone();
            inner.held[variable.0] = Some(Held::Number(term));
            inner.guard(body, context)
        };
        let unrolled = |terms: &[Term], context: &mut Context| {
            let each = terms.iter().map(|term| holds(term.clone(), context));
            let each = each.collect::<Result<Vec<_>, _>>()?;
            Ok(match quantifier {
                Quantifier::Some => disjunction(each),
                Quantifier::Every => conjunction(each),
            })
        };
        match over {
            Set::List(members) => {
                let members: Vec<&Expr> = members.iter().collect();
                self.with(&members, context, unrolled)
            }
            Set::Named(name) => match self.list(*name) {
                Some(list) => unrolled(&list, context),
                None => Ok(Formula::Constant(false)),
            },
            Set::Range(from, to) => self.with(&[from, to], context, |ends, context| {
                let mut each = Vec::new();
                for sign in [1, -1] {
                    if sign == -1 && is_natural(&ends[0]) {
                        continue;
                    }
                    let magnitude = context.fresh();
                    let element = Term::from(magnitude).times(sign);
                    let mut within = vec![
                        Formula::less_equal(ends[0].clone(), element.clone()),
                        Formula::less_equal(element.clone(), ends[1].clone()),
                    ];
                    if sign == -1 {
                        within.push(Formula::less(0, magnitude));
                    }
                    let body = holds(element, context)?;
                    within.push(negated_if(quantifier == Quantifier::Every, body));
                    let some = Formula::exists([magnitude], Formula::And(within));
                    each.push(negated_if(quantifier == Quantifier::Every, some));
                }
                Ok(match quantifier {
                    Quantifier::Some => disjunction(each),
                    Quantifier::Every => conjunction(each),
                })
            }),
            _ => Err(Reason::Set),
        }
    }
}

/// Replaces each case by those that `then` makes of its value.
fn chain<V, W>(
    cases: Vec<Case<V>>,
    mut then: impl FnMut(V) -> Result<Vec<Case<W>>, Reason>,
) -> Result<Vec<Case<W>>, Reason> {
    let mut all = Vec::new();
    for case in cases {
        for mut next in then(case.value)? {
            next.bound.splice(0..0, case.bound.iter().copied());
            next.conditions
                .splice(0..0, case.conditions.iter().cloned());
            all.push(next);
            if all.len() > MOST_CASES {
                return Err(Reason::Size);
            }
        }
    }
    Ok(all)
}

fn negated_if(negated: bool, formula: Formula) -> Formula {
    if negated { formula.negated() } else { formula }
}

fn relates(comparison: Comparison) -> Relates {
    match comparison {
        Comparison::Less => Relates::Less,
        Comparison::LessEqual => Relates::LessEqual,
        Comparison::Equal => Relates::Equal,
        Comparison::NotEqual => Relates::NotEqual,
        Comparison::GreaterEqual => Relates::GreaterEqual,
        Comparison::Greater => Relates::Greater,
    }
}

fn modulus(m: &BigInt) -> Result<u32, Reason> {
    m.to_u32().ok_or(Reason::Size)
}

/// `list[place]`, counted from 1.
fn at_places(list: &[Term], place: &Term) -> Vec<Case<Term>> {
    if let Some(place) = constant(place) {
        let index = (place - 1i32).to_usize();
        let item = index.and_then(|index| list.get(index)).cloned();
        return item.map(Case::always).into_iter().collect();
    }
    let each = list
        .iter()
        .zip(1i64..)
        .map(|(item, at)| Case::always(item.clone()).when(Formula::equal(place.clone(), at)));
    each.collect()
}

/// The least of some terms, or the greatest: the first that is so.
fn extremes(terms: &[Term], better: Relates) -> Vec<Case<Term>> {
    let each = terms.iter().enumerate().map(|(at, term)| {
        let mut case = Case::always(term.clone());
        for (other_at, other) in terms.iter().enumerate() {
            // Better than those before, and none after is better.
            let condition = match other_at.cmp(&at) {
                Ordering::Less => Formula::compare(term.clone(), better, other.clone()),
                Ordering::Greater => {
                    Formula::compare(other.clone(), better, term.clone()).negated()
                }
                Ordering::Equal => continue,
            };
            case = case.when(condition);
        }
        case
    });
    each.collect()
}

fn binary(op: BinaryOp, left: &Term, right: &Term, context: &mut Context) -> Cases {
    let one = |term: Term| Ok(vec![Case::always(term)]);
    match op {
        BinaryOp::Add => one(left.clone() + right.clone()),
        BinaryOp::Subtract => one(left.clone() - right.clone()),
        BinaryOp::Multiply => match (constant(left), constant(right)) {
            (Some(factor), _) => one(right.clone().times(factor.clone())),
            (_, Some(factor)) => one(left.clone().times(factor.clone())),
            _ => Err(Reason::Product),
        },
        BinaryOp::Divide => {
            let divisor = constant(right).ok_or(Reason::Divisor)?;
            if divisor.is_zero() {
                return Ok(Vec::new());
            }
            if let Some(n) = constant(left) {
                return one(n.div_floor(divisor).into());
            }
            let sign = if divisor.is_negative() { -1 } else { 1 };
            Ok(quotient(
                &left.clone().times(sign),
                &(divisor * sign),
                context,
            ))
        }
        BinaryOp::Modulo => {
            let m = constant(right).ok_or(Reason::Divisor)?;
            if !m.is_positive() {
                return Ok(Vec::new());
            }
            if let Some(n) = constant(left) {
                return one(n.mod_floor(m).into());
            }
            let rest = context.fresh();
            let congruent = Formula::congruent(left.clone(), rest, modulus(m)?);
            let case = Case::always(rest.into())
                .when(Formula::less(rest, m.clone()))
                .when(congruent);
            Ok(vec![Case {
                bound: vec![rest],
                ..case
            }])
        }
        BinaryOp::Power => {
            let (Some(base), Some(exponent)) = (constant(left), constant(right)) else {
                return Err(Reason::Exponent);
            };
            if exponent.is_negative() {
                return Ok(Vec::new());
            }
            let small = base.abs() <= BigInt::one() || exponent.bits() <= 12;
            match exponent.to_u32().filter(|_| small && base.bits() <= 64) {
                Some(exponent) => one(base.pow(exponent).into()),
                None => Err(Reason::Size),
            }
        }
        BinaryOp::Xor => Ok(bitwise(Atom::Xor, left, right, context)),
        BinaryOp::BitAnd => Ok(bitwise(Atom::And, left, right, context)),
        BinaryOp::BitOr => Ok(bitwise(Atom::Or, left, right, context)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let by = constant(right).ok_or(Reason::Exponent)?;
            if by.is_negative() {
                return Ok(Vec::new());
            }
            let by = by.to_u32().filter(|by| *by <= 31).ok_or(Reason::Size)?;
            let factor = BigInt::one() << by;
            let natural = Formula::less_equal(0, left.clone());
            let cases = if op == BinaryOp::ShiftLeft {
                vec![Case::always(left.clone().times(factor))]
            } else {
                quotient(left, &factor, context)
            };
            let cases = cases.into_iter().map(|case| case.when(natural.clone()));
            Ok(cases.collect())
        }
    }
}

/// The largest integer whose product with a positive divisor is at most `n`.
fn quotient(n: &Term, divisor: &BigInt, context: &mut Context) -> Vec<Case<Term>> {
    let signs: &[i64] = if is_natural(n) { &[1] } else { &[1, -1] };
    let each = signs.iter().map(|sign| {
        let magnitude = context.fresh();
        let quotient = Term::from(magnitude).times(*sign);
        let product = quotient.clone().times(divisor.clone());
        let mut case = Case::always(quotient)
            .when(Formula::less_equal(product.clone(), n.clone()))
            .when(Formula::less(n.clone(), product + divisor.clone()));
        if *sign < 0 {
            case = case.when(Formula::less(0, magnitude));
        }
        Case {
            bound: vec![magnitude],
            ..case
        }
    });
    each.collect()
}

/// A bit operation, which has a value for naturals.
fn bitwise(atom: Atom, left: &Term, right: &Term, context: &mut Context) -> Vec<Case<Term>> {
    if let (Some(x), Some(y)) = (constant(left), constant(right)) {
        if x.is_negative() || y.is_negative() {
            return Vec::new();
        }
        let value = match atom {
            Atom::Xor => x ^ y,
            Atom::And => x & y,
            _ => x | y,
        };
        return vec![Case::always(value.into())];
    }
    context.needs.bits = true;
    let mut bound = Vec::new();
    let mut conditions = Vec::new();
    let mut arguments = Vec::new();
    for term in [left, right] {
        let variable = natural(term, context, &mut bound, &mut conditions);
        arguments.push(variable);
    }
    let value = context.fresh();
    bound.push(value);
    arguments.push(value);
    conditions.push(Formula::atom(atom, arguments));
    vec![Case {
        bound,
        conditions,
        value: value.into(),
    }]
}

/// A variable that is equal to a term: the term itself, or a new one.
pub(super) fn natural(
    term: &Term,
    context: &mut Context,
    bound: &mut Vec<Variable>,
    conditions: &mut Vec<Formula>,
) -> Variable {
    let mut coefficients = term.coefficients().iter();
    if let (Some((variable, coefficient)), None) = (coefficients.next(), coefficients.next())
        && coefficient.is_one()
        && term.constant().is_zero()
    {
        return *variable;
    }
    let variable = context.fresh();
    bound.push(variable);
    conditions.push(Formula::equal(variable, term.clone()));
    variable
}

/// That a term is natural and has a property.
fn property(atom: Atom, term: &Term, context: &mut Context) -> Formula {
    let (mut bound, mut conditions) = (Vec::new(), Vec::new());
    let variable = natural(term, context, &mut bound, &mut conditions);
    conditions.push(Formula::atom(atom, [variable]));
    exists(bound, conjunction(conditions))
}
