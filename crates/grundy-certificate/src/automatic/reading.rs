//! Expressions and conditions of the rule language as formulas.
//!
//! An expression becomes a linear term. What is not linear gets a variable of its own and a condition that
//! determines it; where the expression has no value, no number satisfies the condition. So the smallest comparison around
//! it, which says that such numbers exist, is false, as the language wants it.

use grundy_rules::ruleset::{
    Aggregate, BinaryOp, Comparison, Expr, Function, Guard, ParameterValue, Quantifier, Role,
    RowEnd, Ruleset, Scope, Set, Variable as Name,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::formula::{Atom, Bits, FALSE, Formula, Fresh, TRUE, Term, Variable};
use crate::refusal::{Reason, Unreadable};

/// How many members a list may have that is written out.
const MOST_MEMBERS: usize = 256;

/// What a name of a line means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Number(Term),
    List(Vec<Term>),
}

/// Numbers that exist where some expressions have values, and what determines them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside {
    pub(crate) bound: Vec<Variable>,
    pub(crate) conditions: Vec<Formula>,
}

impl Aside {
    pub(crate) fn around(self, inner: Formula) -> Formula {
        let all = Formula::all(self.conditions.into_iter().chain([inner]));
        Formula::some(self.bound, all)
    }

    fn variable(&mut self, fresh: &mut Fresh) -> Variable {
        let variable = fresh.variable();
        self.bound.push(variable);
        variable
    }

    /// A number that the conditions to come determine.
    fn number(&mut self, natural: bool, fresh: &mut Fresh) -> Term {
        let number = Term::variable(self.variable(fresh));
        if natural {
            return number;
        }
        let below = Term::variable(self.variable(fresh));
        let nil = Term::default();
        self.conditions.push(Formula::any([
            Formula::equal(&number, &nil),
            Formula::equal(&below, &nil),
        ]));
        number.minus(&below)
    }

    /// A variable that is equal to a term. There is none where the term is negative.
    fn named(&mut self, term: &Term, fresh: &mut Fresh) -> Variable {
        if let Some(variable) = term.as_variable() {
            return variable;
        }
        let variable = self.variable(fresh);
        let equal = Formula::equal(&Term::variable(variable), term);
        self.conditions.push(equal);
        variable
    }
}

/// One line of the rules, with what its names mean.
#[derive(Clone)]
pub(crate) struct Line<'r> {
    pub(crate) ruleset: &'r Ruleset,
    pub(crate) scope: &'r Scope,
    /// By name of the scope; `None` where the name means nothing yet.
    pub(crate) meanings: Vec<Option<Meaning>>,
    pub(crate) row: &'r [Term],
}

type Value = Result<Option<Term>, Reason>;

fn unreadable(what: Unreadable) -> Reason {
    Reason::Unreadable(what)
}

impl<'r> Line<'r> {
    pub(crate) fn new(ruleset: &'r Ruleset, scope: &'r Scope, row: &'r [Term]) -> Self {
        let meaning = |role: Role| match role {
            Role::Row => Some(Meaning::List(row.to_vec())),
            Role::Parameter(at) => match &ruleset.parameters[at].value {
                ParameterValue::Number(n) => Some(Meaning::Number(Term::number(n.clone()))),
                ParameterValue::Set(all) | ParameterValue::List(all) => Some(Meaning::List(
                    all.iter().cloned().map(Term::number).collect(),
                )),
                ParameterValue::Relation(_) => None,
            },
            _ => None,
        };
        Self {
            ruleset,
            scope,
            meanings: scope.names.iter().map(|name| meaning(name.role)).collect(),
            row,
        }
    }

    /// Gives the mover's choices variables.
    pub(crate) fn choose(&mut self, fresh: &mut Fresh) -> Vec<Variable> {
        let mut chosen = Vec::new();
        for (meaning, name) in self.meanings.iter_mut().zip(&self.scope.names) {
            if meaning.is_none() && matches!(name.role, Role::Choice | Role::Existential) {
                let variable = fresh.variable();
                chosen.push(variable);
                *meaning = Some(Meaning::Number(Term::variable(variable)));
            }
        }
        chosen
    }

    fn list(&self, name: Name) -> Option<&[Term]> {
        match &self.meanings[name.0] {
            Some(Meaning::List(list)) => Some(list),
            _ => None,
        }
    }

    /// The number that an expression is in every position; `None` where it has no value.
    pub(crate) fn fixed(&self, expr: &Expr, fresh: &mut Fresh) -> Result<Option<BigInt>, Reason> {
        let mut aside = Aside::default();
        let Some(term) = self.term(expr, &mut aside, fresh)? else {
            return Ok(None);
        };
        match (term.as_number(), aside.conditions.as_slice()) {
            (Some(number), []) => Ok(Some(number.clone())),
            _ => Err(unreadable(Unreadable::Series)),
        }
    }

    /// What an expression is worth; `None` where it has no value whatever the numbers are.
    pub(crate) fn term(&self, expr: &Expr, aside: &mut Aside, fresh: &mut Fresh) -> Value {
        Ok(match expr {
            Expr::Number(n) => Some(Term::number(n.clone())),
            Expr::Variable(name) => match &self.meanings[name.0] {
                Some(Meaning::Number(term)) => Some(term.clone()),
                _ => None,
            },
            Expr::Index(name, place) => {
                let place = self.term(place, aside, fresh)?;
                match (self.list(*name), place) {
                    (Some(list), Some(place)) => indexed(list, &place, aside, fresh),
                    _ => None,
                }
            }
            Expr::End(RowEnd::First) => self.row.first().cloned(),
            Expr::End(RowEnd::Last) => self.row.last().cloned(),
            Expr::Negate(inner) => {
                let inner = self.term(inner, aside, fresh)?;
                inner.map(|term| term.times(&BigInt::from(-1)))
            }
            Expr::Binary(op, left, right) => {
                let left = self.term(left, aside, fresh)?;
                let right = self.term(right, aside, fresh)?;
                match (left, right) {
                    (Some(left), Some(right)) => binary(*op, &left, &right, aside, fresh)?,
                    _ => None,
                }
            }
            Expr::Call(function, arguments) => {
                let terms = self.terms(arguments, aside, fresh)?;
                match (function, terms) {
                    (Function::Min, Some(terms)) => extreme(&terms, false, aside, fresh),
                    (Function::Max, Some(terms)) => extreme(&terms, true, aside, fresh),
                    (Function::Abs, Some(terms)) => {
                        let [term] = terms.as_slice() else {
                            return Ok(None);
                        };
                        let size = aside.number(true, fresh);
                        let minus = term.times(&BigInt::from(-1));
                        aside.conditions.push(Formula::any([
                            Formula::equal(&size, term),
                            Formula::equal(&size, &minus),
                        ]));
                        Some(size)
                    }
                    (_, None) => None,
                    _ => return Err(unreadable(Unreadable::Function)),
                }
            }
            Expr::Aggregate(aggregate, set) => self.aggregate(*aggregate, set, aside, fresh)?,
        })
    }

    fn terms(
        &self,
        exprs: &[Expr],
        aside: &mut Aside,
        fresh: &mut Fresh,
    ) -> Result<Option<Vec<Term>>, Reason> {
        let mut terms = Some(Vec::new());
        for expr in exprs {
            match (self.term(expr, aside, fresh)?, &mut terms) {
                (Some(term), Some(terms)) => terms.push(term),
                _ => terms = None,
            }
        }
        Ok(terms)
    }

    fn aggregate(
        &self,
        aggregate: Aggregate,
        set: &Set,
        aside: &mut Aside,
        fresh: &mut Fresh,
    ) -> Value {
        let (terms, listed) = match set {
            Set::Named(name) => (self.list(*name).map(<[Term]>::to_vec), true),
            Set::List(members) => (self.terms(members, aside, fresh)?, false),
            _ => return Err(unreadable(Unreadable::Set)),
        };
        let Some(terms) = terms else {
            return Ok(None);
        };
        Ok(match aggregate {
            Aggregate::Min => extreme(&terms, false, aside, fresh),
            Aggregate::Max => extreme(&terms, true, aside, fresh),
            // Equal members of a set count once.
            _ if !listed => return Err(unreadable(Unreadable::Set)),
            Aggregate::Length => Some(Term::number(terms.len())),
            Aggregate::Sum => {
                let sum = |sum: Term, term: &Term| sum.plus(&BigInt::one(), term);
                Some(terms.iter().fold(Term::default(), sum))
            }
            Aggregate::Xor => {
                let mut all: Vec<Variable> = Vec::with_capacity(terms.len() + 1);
                for term in &terms {
                    let variable = aside.named(term, fresh);
                    all.push(variable);
                }
                let sum = aside.variable(fresh);
                all.push(sum);
                aside.conditions.push(Formula::Atom(Atom::Xor(all)));
                Some(Term::variable(sum))
            }
            Aggregate::Gcd => return Err(unreadable(Unreadable::Function)),
        })
    }

    /// That a condition holds.
    pub(crate) fn guard(&self, guard: &Guard, fresh: &mut Fresh) -> Result<Formula, Reason> {
        let each = |all: &[Guard], fresh: &mut Fresh| {
            let all = all.iter().map(|guard| self.guard(guard, fresh));
            all.collect::<Result<Vec<_>, _>>()
        };
        let mut aside = Aside::default();
        Ok(match guard {
            Guard::All(all) => Formula::all(each(all, fresh)?),
            Guard::Any(any) => Formula::any(each(any, fresh)?),
            Guard::Not(inner) => self.guard(inner, fresh)?.not(),
            Guard::Compare(comparison, left, right) => {
                if let Some(formula) = self.remainder(*comparison, left, right, fresh)? {
                    return Ok(formula);
                }
                let left = self.term(left, &mut aside, fresh)?;
                let right = self.term(right, &mut aside, fresh)?;
                match (left, right) {
                    (Some(left), Some(right)) => aside.around(compared(*comparison, &left, &right)),
                    _ => FALSE,
                }
            }
            Guard::Divides(divisor, n) => {
                let divisor = self.term(divisor, &mut aside, fresh)?;
                let n = self.term(n, &mut aside, fresh)?;
                let (Some(divisor), Some(n)) = (divisor, n) else {
                    return Ok(FALSE);
                };
                let divisor = divisor.as_number().ok_or(unreadable(Unreadable::Divisor))?;
                if !divisor.is_positive() {
                    return Ok(FALSE);
                }
                aside.around(multiple(divisor, &n)?)
            }
            Guard::Member { negated, item, set } => {
                let Some(item) = self.term(item, &mut aside, fresh)? else {
                    return Ok(FALSE);
                };
                match self.member(&item, set, &mut aside, fresh)? {
                    Some(inside) if *negated => aside.around(inside.not()),
                    Some(inside) => aside.around(inside),
                    None => FALSE,
                }
            }
            Guard::Related {
                negated,
                items,
                relation,
            } => {
                let Role::Parameter(at) = self.scope.names[relation.0].role else {
                    return Ok(FALSE);
                };
                let ParameterValue::Relation(tuples) = &self.ruleset.parameters[at].value else {
                    return Ok(FALSE);
                };
                let Some(items) = self.terms(items, &mut aside, fresh)? else {
                    return Ok(FALSE);
                };
                let fitting = tuples.iter().filter(|tuple| tuple.len() == items.len());
                let related = Formula::any(fitting.map(|tuple| {
                    let pairs = items.iter().zip(tuple);
                    Formula::all(
                        pairs.map(|(item, n)| Formula::equal(item, &Term::number(n.clone()))),
                    )
                }));
                aside.around(if *negated { related.not() } else { related })
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => self.quantified(*quantifier, *variable, over, body, fresh)?,
            Guard::Option { .. } => return Err(unreadable(Unreadable::Nested)),
        })
    }

    /// `e mod m` compared with a number, for equality: a congruence.
    fn remainder(
        &self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
        fresh: &mut Fresh,
    ) -> Result<Option<Formula>, Reason> {
        let Expr::Binary(BinaryOp::Modulo, dividend, modulus) = left else {
            return Ok(None);
        };
        if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Ok(None);
        }
        let mut aside = Aside::default();
        let dividend = self.term(dividend, &mut aside, fresh)?;
        let modulus = self.term(modulus, &mut aside, fresh)?;
        let right = self.term(right, &mut aside, fresh)?;
        let (Some(dividend), Some(modulus), Some(right)) = (dividend, modulus, right) else {
            return Ok(Some(FALSE));
        };
        let (Some(modulus), Some(rest)) = (modulus.as_number(), right.as_number()) else {
            return Ok(None);
        };
        if !modulus.is_positive() {
            return Ok(Some(FALSE));
        }
        let possible = !rest.is_negative() && rest < modulus;
        let equal = if possible {
            multiple(modulus, &dividend.minus(&Term::number(rest.clone())))?
        } else {
            FALSE
        };
        Ok(Some(aside.around(if comparison == Comparison::Equal {
            equal
        } else {
            equal.not()
        })))
    }

    /// That a number is in a set; `None` where the set has no value.
    fn member(
        &self,
        n: &Term,
        set: &Set,
        aside: &mut Aside,
        fresh: &mut Fresh,
    ) -> Result<Option<Formula>, Reason> {
        // A property of naturals only.
        let property = |atom: &dyn Fn(Variable) -> Atom, fresh: &mut Fresh| {
            let mut aside = Aside::default();
            let variable = aside.named(n, fresh);
            aside.around(Formula::Atom(atom(variable)))
        };
        Ok(match set {
            Set::List(members) => {
                let terms = self.terms(members, aside, fresh)?;
                terms.map(|terms| Formula::any(terms.iter().map(|term| Formula::equal(n, term))))
            }
            Set::Named(name) => self.list(*name).map(|list| {
                let equal = list.iter().map(|term| Formula::equal(n, term));
                Formula::any(equal)
            }),
            Set::Range(from, to) => {
                let from = self.term(from, aside, fresh)?;
                let to = self.term(to, aside, fresh)?;
                from.zip(to).map(|(from, to)| {
                    Formula::all([Formula::at_most(&from, n), Formula::at_most(n, &to)])
                })
            }
            Set::Powers(base) => {
                let Some(base) = self.term(base, aside, fresh)? else {
                    return Ok(None);
                };
                let base = base.as_number().ok_or(unreadable(Unreadable::Exponent))?;
                Some(match base.to_u32() {
                    None if base.is_negative() => FALSE,
                    None => return Err(Reason::TooLarge),
                    Some(0) => Formula::any([0, 1].map(|m| Formula::equal(n, &Term::number(m)))),
                    Some(1) => Formula::equal(n, &Term::number(1)),
                    Some(base) => property(&|variable| Atom::PowerOf(base, variable), fresh),
                })
            }
            Set::Fibonacci => Some(property(&Atom::Fibonacci, fresh)),
            Set::AllBut(excluded) => {
                let positive = Formula::less(&Term::default(), n);
                let inside = self.member(n, excluded, aside, fresh)?;
                inside.map(|inside| Formula::all([positive, inside.not()]))
            }
            Set::Primes | Set::PrimePowers | Set::Squares | Set::Digits { .. } => {
                return Err(unreadable(Unreadable::Set));
            }
        })
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        variable: Name,
        over: &Set,
        body: &Guard,
        fresh: &mut Fresh,
    ) -> Result<Formula, Reason> {
        let every = quantifier == Quantifier::Every;
        let of = |term: Term, fresh: &mut Fresh| {
            let mut line = self.clone();
            line.meanings[variable.0] = Some(Meaning::Number(term));
            let body = line.guard(body, fresh)?;
            Ok::<_, Reason>(if every { body.not() } else { body })
        };
        let mut aside = Aside::default();
        let members = match over {
            Set::Range(from, to) => {
                let from = self.term(from, &mut aside, fresh)?;
                let to = self.term(to, &mut aside, fresh)?;
                let (Some(from), Some(to)) = (from, to) else {
                    return Ok(FALSE);
                };
                let mut within = Aside::default();
                let element = within.number(from.is_natural(), fresh);
                within.conditions.push(Formula::at_most(&from, &element));
                within.conditions.push(Formula::at_most(&element, &to));
                let body = of(element, fresh)?;
                let some = within.around(body);
                return Ok(aside.around(if every { some.not() } else { some }));
            }
            Set::List(members) => self.terms(members, &mut aside, fresh)?,
            Set::Named(name) => self.list(*name).map(<[Term]>::to_vec),
            _ => return Err(unreadable(Unreadable::Set)),
        };
        let Some(members) = members else {
            return Ok(FALSE);
        };
        if members.len() > MOST_MEMBERS {
            return Err(Reason::TooLarge);
        }
        let some = members.into_iter().map(|member| of(member, fresh));
        let some = Formula::any(some.collect::<Result<Vec<_>, _>>()?);
        Ok(aside.around(if every { some.not() } else { some }))
    }
}

fn compared(comparison: Comparison, left: &Term, right: &Term) -> Formula {
    match comparison {
        Comparison::Less => Formula::less(left, right),
        Comparison::LessEqual => Formula::at_most(left, right),
        Comparison::Equal => Formula::equal(left, right),
        Comparison::NotEqual => Formula::equal(left, right).not(),
        Comparison::GreaterEqual => Formula::at_most(right, left),
        Comparison::Greater => Formula::less(right, left),
    }
}

fn multiple(divisor: &BigInt, n: &Term) -> Result<Formula, Reason> {
    if divisor.is_one() {
        return Ok(TRUE);
    }
    if let Some(n) = n.as_number() {
        return Ok(if n.is_multiple_of(divisor) {
            TRUE
        } else {
            FALSE
        });
    }
    let divisor = divisor.to_u32().ok_or(Reason::TooLarge)?;
    Ok(Formula::Atom(Atom::Multiple(divisor, n.clone())))
}

/// What stands at a place, counted from 1.
fn indexed(list: &[Term], place: &Term, aside: &mut Aside, fresh: &mut Fresh) -> Option<Term> {
    if let Some(place) = place.as_number() {
        let index = (place - 1i32).to_usize()?;
        return list.get(index).cloned();
    }
    let value = aside.number(list.iter().all(Term::is_natural), fresh);
    let each = list.iter().zip(1u32..).map(|(item, at)| {
        Formula::all([
            Formula::equal(place, &Term::number(at)),
            Formula::equal(&value, item),
        ])
    });
    aside.conditions.push(Formula::any(each));
    Some(value)
}

/// The least or the greatest of some terms.
fn extreme(terms: &[Term], greatest: bool, aside: &mut Aside, fresh: &mut Fresh) -> Option<Term> {
    if let [term] = terms {
        return Some(term.clone());
    }
    let natural = if greatest {
        terms.iter().any(Term::is_natural)
    } else {
        terms.iter().all(Term::is_natural)
    };
    if terms.is_empty() {
        return None;
    }
    let value = aside.number(natural, fresh);
    let among = Formula::any(terms.iter().map(|term| Formula::equal(&value, term)));
    let bounds = terms.iter().map(|term| {
        if greatest {
            Formula::at_most(term, &value)
        } else {
            Formula::at_most(&value, term)
        }
    });
    aside.conditions.extend(bounds);
    aside.conditions.push(among);
    Some(value)
}

fn binary(op: BinaryOp, left: &Term, right: &Term, aside: &mut Aside, fresh: &mut Fresh) -> Value {
    let numbers = left.as_number().zip(right.as_number());
    Ok(match op {
        BinaryOp::Add => Some(left.plus(&BigInt::one(), right)),
        BinaryOp::Subtract => Some(left.minus(right)),
        BinaryOp::Multiply => match (left.as_number(), right.as_number()) {
            (Some(factor), _) => Some(right.times(factor)),
            (_, Some(factor)) => Some(left.times(factor)),
            _ => return Err(unreadable(Unreadable::Product)),
        },
        BinaryOp::Divide => {
            let by = right.as_number().ok_or(unreadable(Unreadable::Divisor))?;
            if by.is_zero() {
                return Ok(None);
            }
            let left = left.times(&by.signum());
            Some(quotient(&left, &by.abs(), aside, fresh))
        }
        BinaryOp::Modulo => {
            let by = right.as_number().ok_or(unreadable(Unreadable::Divisor))?;
            if !by.is_positive() {
                return Ok(None);
            }
            if let Some(n) = left.as_number() {
                return Ok(Some(Term::number(n.mod_floor(by))));
            }
            let rest = aside.number(true, fresh);
            aside
                .conditions
                .push(Formula::less(&rest, &Term::number(by.clone())));
            let congruent = multiple(by, &left.minus(&rest))?;
            aside.conditions.push(congruent);
            Some(rest)
        }
        BinaryOp::Power => {
            let (base, exponent) = numbers.ok_or(unreadable(Unreadable::Exponent))?;
            if exponent.is_negative() {
                return Ok(None);
            }
            let exponent = exponent.to_u32().filter(|exponent| *exponent <= 1 << 12);
            let exponent = exponent.filter(|_| base.bits() <= 64);
            Some(Term::number(base.pow(exponent.ok_or(Reason::TooLarge)?)))
        }
        BinaryOp::Xor | BinaryOp::BitAnd | BinaryOp::BitOr => {
            if let Some((x, y)) = numbers {
                if x.is_negative() || y.is_negative() {
                    return Ok(None);
                }
                return Ok(Some(Term::number(match op {
                    BinaryOp::Xor => x ^ y,
                    BinaryOp::BitAnd => x & y,
                    _ => x | y,
                })));
            }
            let x = aside.named(left, fresh);
            let y = aside.named(right, fresh);
            let z = aside.variable(fresh);
            aside.conditions.push(Formula::Atom(match op {
                BinaryOp::Xor => Atom::Xor(vec![x, y, z]),
                BinaryOp::BitAnd => Atom::Bits(Bits::And, [x, y, z]),
                _ => Atom::Bits(Bits::Or, [x, y, z]),
            }));
            Some(Term::variable(z))
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let by = right.as_number().ok_or(unreadable(Unreadable::Exponent))?;
            if by.is_negative() {
                return Ok(None);
            }
            let by = by.to_u32().filter(|by| *by < 32).ok_or(Reason::TooLarge)?;
            aside.conditions.push(Formula::natural(left));
            let factor = BigInt::one() << by;
            if op == BinaryOp::ShiftLeft {
                Some(left.times(&factor))
            } else {
                Some(quotient(left, &factor, aside, fresh))
            }
        }
    })
}

/// The largest integer whose product with a positive number is at most a term.
fn quotient(n: &Term, by: &BigInt, aside: &mut Aside, fresh: &mut Fresh) -> Term {
    if let Some(n) = n.as_number() {
        return Term::number(n.div_floor(by));
    }
    let quotient = aside.number(n.is_natural(), fresh);
    let product = quotient.times(by);
    let next = product.plus(by, &Term::number(1));
    aside.conditions.push(Formula::at_most(&product, n));
    aside.conditions.push(Formula::less(n, &next));
    quotient
}
