//! Rules prepared for searching: which conditions close with which choice, and which bounds
//! they give it.

use grundy_rules::ruleset::{
    Alternative, BinaryOp, Change, Comparison, Expr, Guard, MoveRule, Place, ResultTerm, Role,
    Ruleset, Set, Template, TemplateItem, Update, Variable,
};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// One alternative of a rule, ready to be enumerated.
pub(super) struct Compiled {
    /// The index of the rule in the ruleset.
    pub rule: usize,
    /// The index of the alternative in the rule.
    pub alternative: usize,
    /// The choices in text order, those that stand only in the guard last.
    pub levels: Vec<Level>,
    /// How many of them are choices of the mover.
    pub movers: usize,
    /// The conditions without a choice.
    pub closed: Vec<Guard>,
}

/// One choice.
pub(super) struct Level {
    pub variable: Variable,
    /// It is at least each of these.
    pub lower: Vec<Bound>,
    /// It is at most each of these; never empty.
    pub upper: Vec<Bound>,
    /// The conditions that close with it.
    pub closing: Vec<Guard>,
}

/// `rest / divisor`, rounded up for a lower bound and down for an upper one.
pub(super) struct Bound {
    pub rest: Limit,
    pub divisor: i64,
}

/// The numerator of a bound.
pub(super) enum Limit {
    /// The value of an expression; without one there is no move.
    Expr(Expr),
    /// The number of places of the row, plus something.
    Length(Expr),
    /// The largest number of the row, plus something.
    Largest(Expr),
}

/// Prepares a rule's alternatives; `None` where a choice has no bound that is found by
/// solving one linear condition for it.
pub(super) fn compile(ruleset: &Ruleset, index: usize) -> Option<Vec<Compiled>> {
    let rule = &ruleset.moves[index];
    (0..rule.alternatives.len())
        .map(|place| compile_alternative(ruleset, index, rule, place))
        .collect()
}

fn compile_alternative(
    ruleset: &Ruleset,
    index: usize,
    rule: &MoveRule,
    place: usize,
) -> Option<Compiled> {
    let with_role = |role: Role| {
        let names = rule.scope.names.iter().enumerate();
        names
            .filter(move |(_, name)| name.role == role)
            .map(|(i, _)| Variable(i))
    };
    let choices: Vec<Variable> = with_role(Role::Choice)
        .chain(with_role(Role::Existential))
        .collect();
    let mut facts = Facts {
        ruleset,
        rule,
        choices: &choices,
        lower: Vec::new(),
        upper: Vec::new(),
    };
    facts.lower.resize_with(choices.len(), || {
        vec![expr_bound(Expr::Number(BigInt::zero()), 1)]
    });
    facts.upper.resize_with(choices.len(), Vec::new);
    let conjuncts = match &rule.guard {
        Guard::All(guards) => guards.as_slice(),
        single => std::slice::from_ref(single),
    };
    conjuncts
        .iter()
        .for_each(|conjunct| facts.of_guard(conjunct));
    facts.of_alternative(&rule.alternatives[place]);
    let (lower, upper) = (facts.lower, facts.upper);
    if upper.iter().any(Vec::is_empty) {
        return None;
    }
    let level_of = |guard: &Guard| {
        let mut last = None;
        guard.for_each_variable(&mut |v| {
            last = last.max(choices.iter().position(|choice| *choice == v));
        });
        last
    };
    let closing = |level: Option<usize>| -> Vec<Guard> {
        conjuncts
            .iter()
            .filter(|guard| level_of(guard) == level)
            .cloned()
            .collect()
    };
    let bounds = lower.into_iter().zip(upper);
    let levels =
        choices
            .iter()
            .zip(bounds)
            .enumerate()
            .map(|(level, (variable, (lower, upper)))| Level {
                variable: *variable,
                lower,
                upper,
                closing: closing(Some(level)),
            });
    Some(Compiled {
        rule: index,
        alternative: place,
        levels: levels.collect(),
        movers: with_role(Role::Choice).count(),
        closed: closing(None),
    })
}

fn expr_bound(rest: Expr, divisor: i64) -> Bound {
    Bound {
        rest: Limit::Expr(rest),
        divisor,
    }
}

struct Facts<'f> {
    ruleset: &'f Ruleset,
    rule: &'f MoveRule,
    choices: &'f [Variable],
    lower: Vec<Vec<Bound>>,
    upper: Vec<Vec<Bound>>,
}

impl Facts<'_> {
    fn of_guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Compare(comparison, left, right) => {
                self.of_places(left);
                self.of_places(right);
                let one = || Expr::Number(BigInt::one());
                match comparison {
                    Comparison::Less => {
                        self.nonnegative(&minus(minus(right.clone(), left.clone()), one()));
                    }
                    Comparison::LessEqual => self.nonnegative(&minus(right.clone(), left.clone())),
                    Comparison::Greater => {
                        self.nonnegative(&minus(minus(left.clone(), right.clone()), one()));
                    }
                    Comparison::GreaterEqual => {
                        self.nonnegative(&minus(left.clone(), right.clone()));
                    }
                    Comparison::Equal => {
                        self.nonnegative(&minus(left.clone(), right.clone()));
                        self.nonnegative(&minus(right.clone(), left.clone()));
                    }
                    Comparison::NotEqual => {}
                }
            }
            Guard::Member {
                negated: false,
                item,
                set: Set::Range(from, to),
            } => {
                self.nonnegative(&minus(item.clone(), (**from).clone()));
                self.nonnegative(&minus((**to).clone(), item.clone()));
            }
            _ => {}
        }
    }

    /// A place of the row that a condition reads must be one of the row.
    fn of_places(&mut self, expr: &Expr) {
        match expr {
            Expr::Index(list, place) if self.rule.scope.names[list.0].role == Role::Row => {
                self.of_place(place);
            }
            Expr::Negate(inner) => self.of_places(inner),
            Expr::Binary(_, left, right) => {
                self.of_places(left);
                self.of_places(right);
            }
            _ => {}
        }
    }

    fn of_place(&mut self, place: &Expr) {
        let ring = self.ruleset.row.as_ref().is_some_and(|row| row.ring);
        if ring && !matches!(place, Expr::Variable(_)) {
            return;
        }
        self.nonnegative(&minus(place.clone(), Expr::Number(BigInt::one())));
        // length - place >= 0
        self.solve(&Expr::Negate(Box::new(place.clone())), Limit::Length);
    }

    fn of_alternative(&mut self, alternative: &Alternative) {
        match alternative {
            Alternative::Sum(terms) => {
                for term in terms {
                    match term {
                        ResultTerm::Component(template) => self.of_template(template),
                        ResultTerm::Copies { count, .. } => self.nonnegative(count),
                        ResultTerm::Series { .. } => {}
                    }
                }
            }
            Alternative::Updates(updates) => {
                for update in updates {
                    match update {
                        Update::Place { place, change } => {
                            let old = match place {
                                Place::Index(index) => {
                                    self.of_place(index);
                                    self.row()
                                        .map(|row| Expr::Index(row, Box::new(index.clone())))
                                }
                                Place::First => {
                                    Some(Expr::End(grundy_rules::ruleset::RowEnd::First))
                                }
                                Place::Last => Some(Expr::End(grundy_rules::ruleset::RowEnd::Last)),
                            };
                            if let (Some(old), Change::Decrease(by)) = (old, change) {
                                self.nonnegative(&minus(old, by.clone()));
                            }
                            if let Change::Set(to) = change {
                                self.nonnegative(to);
                            }
                        }
                        Update::Remove(Place::Index(index)) => self.of_place(index),
                        Update::Every(Change::Decrease(by))
                        | Update::Some {
                            change: Change::Decrease(by),
                            ..
                        } => {
                            self.solve(&Expr::Negate(Box::new(by.clone())), Limit::Largest);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// The variable of the row, where it stands in this rule.
    fn row(&self) -> Option<Variable> {
        self.rule
            .scope
            .names
            .iter()
            .position(|name| name.role == Role::Row)
            .map(Variable)
    }

    fn of_template(&mut self, template: &Template) {
        for item in &template.items {
            match item {
                TemplateItem::Expr(expr) => self.nonnegative(expr),
                TemplateItem::Splice(_) => {}
                TemplateItem::List(inner) => self.of_template(inner),
            }
        }
    }

    fn nonnegative(&mut self, expr: &Expr) {
        self.solve(expr, Limit::Expr);
    }

    /// Solves `expr + extra >= 0` for each choice whose partners are chosen before it, where
    /// `limit` wraps the rest together with what `extra` stands for.
    fn solve(&mut self, expr: &Expr, limit: fn(Expr) -> Limit) {
        for level in 0..self.choices.len() {
            let Some((slope, rest)) = isolate(expr, self.choices[level]) else {
                continue;
            };
            let mut known = true;
            rest.for_each_variable(&mut |v| {
                known = known
                    && !self.choices[level..].contains(&v)
                    && self.rule.scope.names[v.0].role != Role::Bound;
            });
            if !known || slope == 0 {
                continue;
            }
            // slope * x + rest >= 0
            if slope > 0 {
                // An extra amount is only ever used for upper bounds.
                if matches!(limit(Expr::Number(BigInt::zero())), Limit::Expr(_)) {
                    self.lower[level].push(expr_bound(Expr::Negate(Box::new(rest)), slope));
                }
            } else if let Some(divisor) = slope.checked_neg() {
                self.upper[level].push(Bound {
                    rest: limit(rest),
                    divisor,
                });
            }
        }
    }
}

fn minus(left: Expr, right: Expr) -> Expr {
    Expr::Binary(BinaryOp::Subtract, Box::new(left), Box::new(right))
}

/// An expression as `slope * x + rest`, where x does not stand in the rest.
fn isolate(expr: &Expr, x: Variable) -> Option<(i64, Expr)> {
    let mut free = true;
    expr.for_each_variable(&mut |v| free = free && v != x);
    if free {
        return Some((0, expr.clone()));
    }
    match expr {
        Expr::Variable(_) => Some((1, Expr::Number(BigInt::zero()))),
        Expr::Negate(inner) => {
            let (slope, rest) = isolate(inner, x)?;
            Some((slope.checked_neg()?, Expr::Negate(Box::new(rest))))
        }
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let (left, right) = (isolate(left, x)?, isolate(right, x)?);
            let slope = if *op == BinaryOp::Add {
                left.0.checked_add(right.0)?
            } else {
                left.0.checked_sub(right.0)?
            };
            Some((
                slope,
                Expr::Binary(*op, Box::new(left.1), Box::new(right.1)),
            ))
        }
        Expr::Binary(BinaryOp::Multiply, left, right) => {
            let ((Expr::Number(factor), other) | (other, Expr::Number(factor))) =
                (&**left, &**right)
            else {
                return None;
            };
            let (slope, rest) = isolate(other, x)?;
            let rest = Expr::Binary(
                BinaryOp::Multiply,
                Box::new(Expr::Number(factor.clone())),
                Box::new(rest),
            );
            Some((slope.checked_mul(factor.to_i64()?)?, rest))
        }
        _ => None,
    }
}
