//! Which variables stand in an expression or a condition.

use crate::ruleset::{Expr, Guard, Set, Variable};

impl Expr {
    /// Calls `f` for every occurrence of a variable.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Variable)) {
        match self {
            Self::Number(_) | Self::End(_) => {}
            Self::Variable(variable) => f(*variable),
            Self::Index(list, place) => {
                f(*list);
                place.for_each_variable(f);
            }
            Self::Negate(e) => e.for_each_variable(f),
            Self::Binary(_, left, right) => {
                left.for_each_variable(f);
                right.for_each_variable(f);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|e| e.for_each_variable(f)),
            Self::Aggregate(_, set) => set.for_each_variable(f),
        }
    }
}

impl Set {
    /// Calls `f` for every occurrence of a variable.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Variable)) {
        match self {
            Self::List(members) => members.iter().for_each(|e| e.for_each_variable(f)),
            Self::Range(from, to) => {
                from.for_each_variable(f);
                to.for_each_variable(f);
            }
            Self::Named(variable) => f(*variable),
            Self::Powers(e) => e.for_each_variable(f),
            Self::AllBut(set) => set.for_each_variable(f),
            Self::Digits { of, base } => {
                of.for_each_variable(f);
                if let Some(base) = base {
                    base.for_each_variable(f);
                }
            }
            Self::Primes | Self::PrimePowers | Self::Squares | Self::Fibonacci => {}
        }
    }
}

impl Guard {
    /// Calls `f` for every occurrence of a variable, those that the guard binds itself included.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Variable)) {
        match self {
            Self::All(guards) | Self::Any(guards) => {
                guards.iter().for_each(|guard| guard.for_each_variable(f));
            }
            Self::Not(guard) => guard.for_each_variable(f),
            Self::Compare(_, left, right) | Self::Divides(left, right) => {
                left.for_each_variable(f);
                right.for_each_variable(f);
            }
            Self::Member { item, set, .. } => {
                item.for_each_variable(f);
                set.for_each_variable(f);
            }
            Self::Related {
                items, relation, ..
            } => {
                items.iter().for_each(|e| e.for_each_variable(f));
                f(*relation);
            }
            Self::Quantified {
                variable,
                over,
                body,
                ..
            } => {
                f(*variable);
                over.for_each_variable(f);
                body.for_each_variable(f);
            }
            Self::Option { from, to } => {
                f(*from);
                f(*to);
            }
        }
    }
}
