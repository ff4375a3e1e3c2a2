//! From syntax trees to a ruleset: names get their meaning, formulas their kind.

mod formula;
mod pattern;
mod result;

use std::collections::BTreeSet;

use crate::fault::{Diagnostic, Fault, Kind, suggestion};
use crate::ruleset::{
    Chance, Claim, Compound, Ending, EndingResult, MoveRule, Parameter, ParameterValue, Pattern,
    Role, Row, Scope, ScopedName, Set, Span, Start, Statement, Variable,
};
use crate::tree::{Body, ClaimKind, CompoundTree, MoveTree, Name, Node, PieceTree, Shape};

/// How many names a line may speak of.
///
/// Names are looked for one by one, here and wherever rules are used.
const NAME_LIMIT: usize = 256;

/// What was not resolved has left a fault behind.
pub(crate) struct Failed;

type Resolved<T> = Result<T, Failed>;

/// What names may mean on every line.
pub(crate) struct Context<'r> {
    pub parameters: &'r [Parameter],
    pub row: Option<&'r Row>,
    pub chances: &'r [Chance],
}

/// What a name means that nothing binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Free {
    /// The mover chooses it.
    Choice,
    /// It is a mistake.
    Unknown,
}

/// One line on its way into the ruleset.
struct LineResolver<'r, 'f> {
    context: &'r Context<'r>,
    faults: &'f mut Vec<Diagnostic>,
    scope: Scope,
    /// What is bound by `some`, `every` and `for` around the present place.
    bound: Vec<(String, Variable)>,
    free: Free,
    /// Whether the present place is in a result.
    in_result: bool,
    /// The free names of the result so far.
    used: BTreeSet<Variable>,
}

impl Kind {
    pub(crate) fn of(value: &ParameterValue) -> Self {
        match value {
            ParameterValue::Number(_) => Self::Number,
            ParameterValue::Set(_) => Self::Set,
            ParameterValue::List(_) => Self::List,
            ParameterValue::Relation(_) => Self::Relation,
        }
    }
}

impl<'r, 'f> LineResolver<'r, 'f> {
    fn new(context: &'r Context<'r>, faults: &'f mut Vec<Diagnostic>, free: Free) -> Self {
        Self {
            context,
            faults,
            scope: Scope::default(),
            bound: Vec::new(),
            free,
            in_result: false,
            used: BTreeSet::new(),
        }
    }

    fn fault<T>(&mut self, span: Span, fault: Fault) -> Resolved<T> {
        self.faults.push(Diagnostic::new(span, fault));
        Err(Failed)
    }

    fn declare(&mut self, name: &str, role: Role, span: Span) -> Resolved<Variable> {
        if self.scope.names.len() == NAME_LIMIT {
            return self.fault(span, Fault::TooManyNames { limit: NAME_LIMIT });
        }
        self.scope.names.push(ScopedName {
            name: name.to_owned(),
            role,
            span,
        });
        Ok(Variable(self.scope.names.len() - 1))
    }

    fn role(&self, variable: Variable) -> Role {
        self.scope.names[variable.0].role
    }

    /// The variable of this name that was not bound further in.
    fn find(&self, name: &str) -> Option<Variable> {
        let known = |scoped: &ScopedName| scoped.name == name && scoped.role != Role::Bound;
        self.scope.names.iter().position(known).map(Variable)
    }

    fn find_parameter(&self, name: &str) -> Option<usize> {
        self.context
            .parameters
            .iter()
            .position(|parameter| parameter.name == name)
    }

    /// What a name means here.
    fn variable(&mut self, name: &str, span: Span) -> Resolved<Variable> {
        if let Some((_, variable)) = self.bound.iter().rev().find(|(bound, _)| bound == name) {
            return Ok(*variable);
        }
        let known = match self.find(name) {
            Some(variable) => variable,
            None => self.meet(name, span)?,
        };
        if self.in_result && matches!(self.role(known), Role::Choice | Role::Existential) {
            self.scope.names[known.0].role = Role::Choice;
            self.used.insert(known);
        }
        Ok(known)
    }

    /// A name that stands on this line for the first time.
    fn meet(&mut self, name: &str, span: Span) -> Resolved<Variable> {
        if let Some(parameter) = self.find_parameter(name) {
            return self.declare(name, Role::Parameter(parameter), span);
        }
        if self.context.row.is_some_and(|row| row.name == name) {
            return self.declare(name, Role::Row, span);
        }
        if let Some(chance) = self.context.chances.iter().position(|c| c.name == name) {
            return self.declare(name, Role::Chance(chance), span);
        }
        if self.scope.names.iter().any(|scoped| scoped.name == name) {
            let name = name.to_owned();
            return self.fault(span, Fault::NameOutOfReach { name });
        }
        match self.free {
            Free::Choice => self.declare(name, Role::Existential, span),
            Free::Unknown => {
                let fault = Fault::UnknownName {
                    name: name.to_owned(),
                    suggestion: self.suggest(name),
                };
                self.fault(span, fault)
            }
        }
    }

    fn suggest(&self, name: &str) -> Option<String> {
        let scoped = self.scope.names.iter().map(|scoped| scoped.name.as_str());
        let parameters = self.context.parameters.iter().map(|p| p.name.as_str());
        let row = self.context.row.iter().map(|row| row.name.as_str());
        suggestion(name, scoped.chain(parameters).chain(row))
    }

    /// Binds a name for what stands further in.
    fn bind(&mut self, name: &Name) -> Resolved<Variable> {
        let taken = self.find(&name.text).is_some()
            || self.bound.iter().any(|(bound, _)| *bound == name.text)
            || self.find_parameter(&name.text).is_some()
            || self.context.row.is_some_and(|row| row.name == name.text);
        if taken {
            let fault = Fault::NameShadowed {
                name: name.text.clone(),
            };
            return self.fault(name.span, fault);
        }
        let variable = self.declare(&name.text, Role::Bound, name.span)?;
        self.bound.push((name.text.clone(), variable));
        Ok(variable)
    }
}

impl Context<'_> {
    /// A rule; its label is the caller's to number if it has none.
    pub(crate) fn rule(
        &self,
        tree: &MoveTree,
        label: String,
        span: Span,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<MoveRule> {
        let mut line = LineResolver::new(self, faults, Free::Choice);
        let (patterns, alternatives) = match &tree.body {
            Body::Arrow { left, right } => {
                let patterns: Vec<Resolved<Pattern>> =
                    left.iter().map(|shape| line.pattern(shape)).collect();
                // Without its patterns a result would only show faults that follow from theirs.
                let patterns: Vec<Pattern> = patterns.into_iter().collect::<Resolved<_>>()?;
                (
                    patterns,
                    line.alternatives(right, |line, sum| line.sum(sum)),
                )
            }
            Body::Updates(alternatives) => (
                Vec::new(),
                line.alternatives(alternatives, |line, updates| line.updates(updates)),
            ),
        };
        let guard = line.guard_of(tree.guard.as_ref());
        Ok(MoveRule {
            label,
            player: tree.player,
            alternatives: alternatives?,
            guard: guard?,
            scope: line.scope,
            patterns,
            span,
        })
    }

    pub(crate) fn start(
        &self,
        pattern: &Shape,
        template: &Shape,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<Start> {
        let mut line = LineResolver::new(self, faults, Free::Unknown);
        let pattern = line.pattern(pattern)?;
        let template = line.template(template)?;
        Ok(Start {
            scope: line.scope,
            pattern,
            template,
        })
    }

    pub(crate) fn ending(
        &self,
        result: EndingResult,
        pattern: &Shape,
        guard: Option<&Node>,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<Ending> {
        let mut line = LineResolver::new(self, faults, Free::Choice);
        let pattern = line.pattern(pattern)?;
        let guard = line.guard_of(guard)?;
        Ok(Ending {
            result,
            scope: line.scope,
            pattern,
            guard,
        })
    }

    pub(crate) fn claim(
        &self,
        kind: ClaimKind,
        pattern: &Shape,
        pieces: &[PieceTree],
        span: Span,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<Claim> {
        let mut line = LineResolver::new(self, faults, Free::Unknown);
        let pattern = line.pattern(pattern)?;
        let statement = match (kind, pieces) {
            (ClaimKind::Lost, [piece]) => Statement::Lost(line.guard(&piece.value)?),
            (ClaimKind::LostSum, _) => Statement::LostSum(line.pieces(pieces)?),
            _ => Statement::Grundy(line.pieces(pieces)?),
        };
        Ok(Claim {
            scope: line.scope,
            pattern,
            statement,
            span,
        })
    }

    /// A chance draw: a finite set that speaks of parameters only.
    pub(crate) fn chance(
        &self,
        values: &Node,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<(Scope, Set)> {
        let mut line = LineResolver::new(self, faults, Free::Unknown);
        let set = line.finite_set(values)?;
        Ok((line.scope, set))
    }

    /// The bound of a compound speaks of parameters only.
    pub(crate) fn compound(
        &self,
        tree: &CompoundTree,
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved<Compound> {
        Ok(match tree {
            CompoundTree::Disjunctive => Compound::Disjunctive,
            CompoundTree::Conjunctive => Compound::Conjunctive,
            CompoundTree::ConjunctiveContinued => Compound::ConjunctiveContinued,
            CompoundTree::Selective(bound) => {
                let mut line = LineResolver::new(self, faults, Free::Unknown);
                let at_most = bound.as_ref().map(|bound| line.number(bound)).transpose()?;
                Compound::Selective {
                    scope: line.scope,
                    at_most,
                }
            }
        })
    }
}
