//! From a ruleset to rules over slots: names, parameters, completions and orders are gone.

use std::sync::Arc;

use grundy_rules::ruleset::{
    Alternative, Comparison, Compound, Expr, Guard, ParameterValue, Pattern, PatternItem,
    ResultTerm, Role, Ruleset, Scope, Set, Start, Template, TemplateItem, Variable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::Unfit;
use super::interval::{Interval, MACHINE, is_total};
use super::term::{Members, Slot, Term, Test};

/// One alternative of one rule, in one order of the coordinates.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Which rule of the ruleset this is.
    pub(super) number: usize,
    /// The name of each slot.
    pub(super) names: Vec<String>,
    /// What the mover chooses, in the order of the loops; the outermost first.
    pub(super) choices: Vec<Slot>,
    /// All of these must hold. That the coordinates of the parts are not negative is among them.
    pub(super) tests: Vec<Test>,
    /// The components of the result, coordinate by coordinate.
    pub(super) parts: Vec<Vec<Term>>,
}

/// The rules of a ruleset whose components are tuples of `arity` numbers.
pub(super) fn lower(ruleset: &Ruleset) -> Result<(usize, Vec<Rule>), Unfit> {
    if ruleset.row.is_some() {
        return Err(Unfit::Row);
    }
    if ruleset.compound != Compound::Disjunctive {
        return Err(Unfit::Compound);
    }
    if !ruleset.endings.is_empty() {
        return Err(Unfit::Ending);
    }
    if !ruleset.chances.is_empty() {
        return Err(Unfit::Chance);
    }
    let arity = arity(ruleset)?;
    let orders = if ruleset.unordered {
        permutations(arity)
    } else {
        vec![(0..arity).collect()]
    };
    if arity > MOST_COORDINATES {
        return Err(Unfit::ManyCoordinates);
    }
    let mut rules = Vec::new();
    for (number, rule) in ruleset.moves.iter().enumerate() {
        if rule.player.is_some() {
            return Err(Unfit::OnePlayer { rule: number });
        }
        for alternative in &rule.alternatives {
            let Alternative::Sum(result) = alternative else {
                return Err(Unfit::Update { rule: number });
            };
            for order in &orders {
                let mut lowering = Lowering::new(ruleset, number, &rule.scope, arity);
                lowering.pattern(&rule.patterns[0], order)?;
                lowering.choices();
                lowering.guard(&rule.guard)?;
                lowering.result(result, order)?;
                rules.push(lowering.rule);
            }
        }
    }
    Ok((arity, rules))
}

/// Tables of more dimensions than this are never small.
const MOST_COORDINATES: usize = 6;

/// How many numbers every component has.
fn arity(ruleset: &Ruleset) -> Result<usize, Unfit> {
    let mut arity = None;
    for (number, rule) in ruleset.moves.iter().enumerate() {
        let [pattern] = rule.patterns.as_slice() else {
            return Err(if rule.patterns.is_empty() {
                Unfit::Update { rule: number }
            } else {
                Unfit::Joint { rule: number }
            });
        };
        for item in &pattern.items {
            match item {
                PatternItem::Variable(_) | PatternItem::Number(_) => {}
                PatternItem::Rest(_) => return Err(Unfit::Row),
                PatternItem::List(_) => return Err(Unfit::Nested { rule: number }),
            }
        }
        let length = pattern.items.len();
        if length == 0 || *arity.get_or_insert(length) != length {
            return Err(Unfit::Lengths { rule: number });
        }
    }
    let arity = arity.unwrap_or(1);
    let completes_all = |start: &Start| !start.has_rest() && start.pattern.items.len() >= arity;
    if ruleset.starts.iter().any(completes_all) {
        return Err(Unfit::Completion);
    }
    Ok(arity)
}

/// All orders of the numbers below `n`, the natural one first.
pub(super) fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..n.min(MOST_COORDINATES) {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..n)
                    .filter(|place| !order.contains(place))
                    .map(|place| [order.as_slice(), &[place]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    orders
}

/// What a variable stands for.
#[derive(Clone)]
enum Meaning {
    Term(Term),
    Numbers(Arc<[i64]>),
    Relation(Arc<[Vec<i64>]>),
    /// Not met yet.
    Unknown,
    /// A parameter with a number that is not a machine integer.
    TooLarge,
}

struct Lowering<'a> {
    ruleset: &'a Ruleset,
    scope: &'a Scope,
    arity: usize,
    meanings: Vec<Meaning>,
    rule: Rule,
}

impl<'a> Lowering<'a> {
    fn new(ruleset: &'a Ruleset, number: usize, scope: &'a Scope, arity: usize) -> Self {
        Self {
            ruleset,
            scope,
            arity,
            meanings: parameters(ruleset, scope),
            rule: Rule {
                number,
                names: vec![String::new(); arity],
                choices: Vec::new(),
                tests: Vec::new(),
                parts: Vec::new(),
            },
        }
    }

    fn too_large(&self) -> Unfit {
        Unfit::LargeNumber {
            rule: self.rule.number,
        }
    }

    /// Binds the pattern's variables to coordinates: item `i` stands for coordinate `order[i]`.
    fn pattern(&mut self, pattern: &Pattern, order: &[usize]) -> Result<(), Unfit> {
        for (item, &slot) in pattern.items.iter().zip(order) {
            let required = match item {
                PatternItem::Number(n) => Term::Number(
                    n.to_i64()
                        .filter(|n| i128::from(*n) < MACHINE)
                        .ok_or(self.too_large())?,
                ),
                PatternItem::Variable(variable) => {
                    let meaning = &mut self.meanings[variable.0];
                    if let Meaning::Term(term) = meaning {
                        term.clone()
                    } else {
                        *meaning = Meaning::Term(Term::Slot(slot));
                        self.rule.names[slot].clone_from(&self.scope.names[variable.0].name);
                        continue;
                    }
                }
                PatternItem::Rest(_) | PatternItem::List(_) => {
                    unreachable!("patterns of rows and lists were refused")
                }
            };
            self.rule
                .tests
                .push(Test::Compare(Comparison::Equal, Term::Slot(slot), required));
        }
        Ok(())
    }

    fn new_slot(&mut self, variable: usize) -> Slot {
        let slot = self.rule.names.len();
        self.rule
            .names
            .push(self.scope.names[variable].name.clone());
        self.meanings[variable] = Meaning::Term(Term::Slot(slot));
        slot
    }

    /// Gives every choice a slot. Those that stand only in the guard come last, so that the
    /// search for one of them can stop at the first.
    fn choices(&mut self) {
        for role in [Role::Choice, Role::Existential, Role::Bound] {
            for (variable, name) in self.scope.names.iter().enumerate() {
                if name.role == role {
                    let slot = self.new_slot(variable);
                    if role != Role::Bound {
                        self.rule.choices.push(slot);
                    }
                }
            }
        }
    }

    fn guard(&mut self, guard: &Guard) -> Result<(), Unfit> {
        let mut tests = Vec::new();
        let test = self.test(guard)?;
        let ranges = vec![Interval::NATURALS; self.rule.names.len()];
        flatten(test, &ranges, &mut tests);
        self.rule.tests.extend(tests);
        Ok(())
    }

    fn result(&mut self, result: &[ResultTerm], order: &[usize]) -> Result<(), Unfit> {
        let unfit = Unfit::ManyParts {
            rule: self.rule.number,
        };
        for term in result {
            let (template, copies) = match term {
                ResultTerm::Component(template) => (template, 1),
                ResultTerm::Copies { count, template } => match self.term(count)? {
                    Term::Number(0) => continue,
                    Term::Number(count @ 1..=MANY_COPIES) => (template, count),
                    _ => return Err(unfit),
                },
                ResultTerm::Series { .. } => return Err(unfit),
            };
            let part = self.template(template)?;
            // Without an order of the coordinates any order may be kept, so the given one is.
            let mut kept = part.clone();
            for (coordinate, &slot) in part.into_iter().zip(order) {
                kept[slot] = coordinate;
            }
            for _ in 0..copies {
                self.rule.parts.push(kept.clone());
            }
            self.not_negative(&kept);
        }
        Ok(())
    }

    fn not_negative(&mut self, coordinates: &[Term]) {
        self.rule.tests.extend(coordinates.iter().map(|coordinate| {
            Test::Compare(
                Comparison::GreaterEqual,
                coordinate.clone(),
                Term::Number(0),
            )
        }));
    }

    /// The coordinates of a component, completed if there are fewer than all.
    fn template(&mut self, template: &Template) -> Result<Vec<Term>, Unfit> {
        let part = self.coordinates(template)?;
        if part.len() == self.arity {
            return Ok(part);
        }
        self.not_negative(&part);
        let unfit = Unfit::Lengths {
            rule: self.rule.number,
        };
        let start = self
            .ruleset
            .starts
            .iter()
            .find(|start| !start.has_rest() && start.pattern.items.len() == part.len())
            .ok_or(unfit.clone())?;
        if start.template.items.len() != self.arity || part.len() > self.arity {
            return Err(unfit);
        }
        self.complete(start, part)
    }

    fn complete(&self, start: &Start, part: Vec<Term>) -> Result<Vec<Term>, Unfit> {
        let mut lowering = Lowering::new(self.ruleset, self.rule.number, &start.scope, self.arity);
        for (item, term) in start.pattern.items.iter().zip(part) {
            let PatternItem::Variable(variable) = item else {
                return Err(Unfit::Completion);
            };
            let meaning = &mut lowering.meanings[variable.0];
            if !matches!(meaning, Meaning::Unknown) {
                return Err(Unfit::Completion);
            }
            *meaning = Meaning::Term(term);
        }
        lowering.coordinates(&start.template)
    }

    fn coordinates(&mut self, template: &Template) -> Result<Vec<Term>, Unfit> {
        template
            .items
            .iter()
            .map(|item| match item {
                TemplateItem::Expr(expr) => self.term(expr),
                TemplateItem::Splice(_) => Err(Unfit::Row),
                TemplateItem::List(_) => Err(Unfit::Nested {
                    rule: self.rule.number,
                }),
            })
            .collect()
    }

    fn terms(&mut self, exprs: &[Expr]) -> Result<Vec<Term>, Unfit> {
        exprs.iter().map(|expr| self.term(expr)).collect()
    }

    fn boxed(&mut self, expr: &Expr) -> Result<Box<Term>, Unfit> {
        self.term(expr).map(Box::new)
    }

    fn term(&mut self, expr: &Expr) -> Result<Term, Unfit> {
        Ok(match expr {
            Expr::Number(n) => Term::Number(machine(n).ok_or(self.too_large())?),
            Expr::Variable(variable) => match &self.meanings[variable.0] {
                Meaning::Term(term) => term.clone(),
                Meaning::TooLarge => return Err(self.too_large()),
                // A list where a number belongs: nested positions, rows.
                _ => return Err(Unfit::Row),
            },
            Expr::Index(variable, place) => {
                let list = self.numbers(*variable)?;
                Term::Place(list, self.boxed(place)?)
            }
            Expr::End(_) => return Err(Unfit::Row),
            Expr::Negate(expr) => Term::Negate(self.boxed(expr)?),
            Expr::Binary(op, left, right) => Term::binary(*op, self.term(left)?, self.term(right)?),
            Expr::Call(function, arguments) => Term::Call(*function, self.terms(arguments)?),
            Expr::Aggregate(aggregate, set) => {
                Term::Aggregate(*aggregate, Box::new(self.members(set)?))
            }
        })
    }

    fn numbers(&self, variable: Variable) -> Result<Arc<[i64]>, Unfit> {
        match &self.meanings[variable.0] {
            Meaning::Numbers(numbers) => Ok(Arc::clone(numbers)),
            Meaning::TooLarge => Err(self.too_large()),
            _ => Err(Unfit::Row),
        }
    }

    fn members(&mut self, set: &Set) -> Result<Members, Unfit> {
        Ok(match set {
            Set::List(exprs) => Members::List(self.terms(exprs)?),
            Set::Range(from, to) => Members::Range(self.boxed(from)?, self.boxed(to)?),
            Set::Named(variable) => Members::Fixed(self.numbers(*variable)?),
            Set::Primes => Members::Primes,
            Set::PrimePowers => Members::PrimePowers,
            Set::Squares => Members::Squares,
            Set::Powers(base) => Members::Powers(self.boxed(base)?),
            Set::Fibonacci => Members::Fibonacci,
            Set::AllBut(set) => Members::AllBut(Box::new(self.members(set)?)),
            Set::Digits { of, base } => Members::Digits {
                of: self.boxed(of)?,
                base: base.as_ref().map(|base| self.boxed(base)).transpose()?,
            },
        })
    }

    fn test(&mut self, guard: &Guard) -> Result<Test, Unfit> {
        Ok(match guard {
            Guard::All(guards) => Test::All(self.tests(guards)?),
            Guard::Any(guards) => Test::Any(self.tests(guards)?),
            Guard::Not(guard) => Test::Not(Box::new(self.test(guard)?)),
            Guard::Compare(comparison, left, right) => {
                Test::Compare(*comparison, self.term(left)?, self.term(right)?)
            }
            Guard::Divides(left, right) => Test::Divides(self.term(left)?, self.term(right)?),
            Guard::Member { negated, item, set } => Test::Member {
                negated: *negated,
                item: self.term(item)?,
                set: self.members(set)?,
            },
            Guard::Related {
                negated,
                items,
                relation,
            } => Test::Related {
                negated: *negated,
                items: self.terms(items)?,
                relation: match &self.meanings[relation.0] {
                    Meaning::Relation(relation) => Arc::clone(relation),
                    _ => return Err(self.too_large()),
                },
            },
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                let over = self.members(over)?;
                let slot = match &self.meanings[variable.0] {
                    Meaning::Term(Term::Slot(slot)) => *slot,
                    _ => self.new_slot(variable.0),
                };
                Test::Quantified {
                    quantifier: *quantifier,
                    slot,
                    over,
                    body: Box::new(self.test(body)?),
                }
            }
            Guard::Option { .. } => {
                return Err(Unfit::Nested {
                    rule: self.rule.number,
                });
            }
        })
    }

    fn tests(&mut self, guards: &[Guard]) -> Result<Vec<Test>, Unfit> {
        guards.iter().map(|guard| self.test(guard)).collect()
    }
}

/// More copies of one component are left to the search.
const MANY_COPIES: i64 = 8;

/// The conditions that a test is the conjunction of, negations and ranges resolved.
fn flatten(test: Test, ranges: &[Interval], into: &mut Vec<Test>) {
    match test {
        Test::All(tests) => tests
            .into_iter()
            .for_each(|test| flatten(test, ranges, into)),
        Test::Not(inner) => match *inner {
            Test::Not(test) => flatten(*test, ranges, into),
            Test::Compare(comparison, left, right)
                if is_total(&left, ranges) && is_total(&right, ranges) =>
            {
                into.push(Test::Compare(opposite(comparison), left, right));
            }
            inner => into.push(Test::Not(Box::new(inner))),
        },
        Test::Member {
            negated: false,
            item,
            set: Members::Range(from, to),
        } => {
            into.push(Test::Compare(Comparison::GreaterEqual, item.clone(), *from));
            into.push(Test::Compare(Comparison::LessEqual, item, *to));
        }
        test => into.push(test),
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::GreaterEqual => Comparison::Less,
        Comparison::Greater => Comparison::LessEqual,
    }
}

fn machine(n: &BigInt) -> Option<i64> {
    n.to_i64().filter(|n| i128::from(*n).abs() < MACHINE)
}

/// What the scope's parameters stand for.
fn parameters(ruleset: &Ruleset, scope: &Scope) -> Vec<Meaning> {
    let meaning = |value: &ParameterValue| match value {
        ParameterValue::Number(n) => machine(n).map(|n| Meaning::Term(Term::Number(n))),
        ParameterValue::Set(numbers) | ParameterValue::List(numbers) => numbers
            .iter()
            .map(machine)
            .collect::<Option<_>>()
            .map(Meaning::Numbers),
        ParameterValue::Relation(tuples) => tuples
            .iter()
            .map(|tuple| tuple.iter().map(machine).collect())
            .collect::<Option<_>>()
            .map(Meaning::Relation),
    };
    scope
        .names
        .iter()
        .map(|name| match name.role {
            Role::Parameter(index) => {
                meaning(&ruleset.parameters[index].value).unwrap_or(Meaning::TooLarge)
            }
            _ => Meaning::Unknown,
        })
        .collect()
}
