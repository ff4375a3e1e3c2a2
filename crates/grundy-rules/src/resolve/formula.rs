//! Numbers, sets and conditions.

use crate::fault::{Fault, Kind, suggestion};
use crate::ruleset::{
    Aggregate, Expr, Function, Guard, ParameterValue, Role, RowEnd, Set, Span, Variable,
};
use crate::tree::{Link, Name, Node, NodeKind};

use super::{LineResolver, Resolved};

const FUNCTIONS: &[(&str, Function, usize, Option<usize>)] = &[
    ("min", Function::Min, 1, None),
    ("max", Function::Max, 1, None),
    ("gcd", Function::Gcd, 2, None),
    ("abs", Function::Abs, 1, Some(1)),
    ("isqrt", Function::Isqrt, 1, Some(1)),
    ("omega", Function::Omega, 1, Some(1)),
    ("popcount", Function::Popcount, 1, Some(1)),
];

const AGGREGATES: &[(&str, Aggregate)] = &[
    ("length", Aggregate::Length),
    ("sum", Aggregate::Sum),
    ("min", Aggregate::Min),
    ("max", Aggregate::Max),
    ("gcd", Aggregate::Gcd),
    ("xor", Aggregate::Xor),
];

impl Node {
    /// What this formula is to look at; names are not looked up.
    fn apparent_kind(&self) -> Kind {
        match &self.kind {
            NodeKind::Number(_)
            | NodeKind::Name(_)
            | NodeKind::Index(..)
            | NodeKind::Negate(_)
            | NodeKind::Binary(..)
            | NodeKind::Call(..) => Kind::Number,
            NodeKind::Range(..)
            | NodeKind::Braces(_)
            | NodeKind::Primes
            | NodeKind::PrimePowers
            | NodeKind::Squares
            | NodeKind::Powers(_)
            | NodeKind::Fibonacci
            | NodeKind::AllBut(_)
            | NodeKind::Digits(..) => Kind::Set,
            NodeKind::Tuple(_) => Kind::Tuple,
            NodeKind::All(_)
            | NodeKind::Any(_)
            | NodeKind::Not(_)
            | NodeKind::Chain(..)
            | NodeKind::Quantified(..) => Kind::Condition,
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Name(name) => Some(name),
            _ => None,
        }
    }
}

impl LineResolver<'_, '_> {
    pub(super) fn kind_of(&self, variable: Variable) -> Kind {
        match self.role(variable) {
            Role::Rest => Kind::Rest,
            Role::Row => Kind::Row,
            Role::Parameter(index) => Kind::of(&self.context.parameters[index].value),
            Role::Coordinate => Kind::Coordinate,
            Role::Choice | Role::Existential | Role::Bound | Role::Chance(_) => Kind::Number,
        }
    }

    pub(super) fn wrong_kind<T>(
        &mut self,
        span: Span,
        found: Kind,
        wanted: Kind,
        name: Option<&str>,
    ) -> Resolved<T> {
        let name = name.map(str::to_owned);
        self.fault(
            span,
            Fault::WrongKind {
                found,
                wanted,
                name,
            },
        )
    }

    /// Whether `first` or `last` stands for an end place of the row here.
    fn row_end(&self, name: &str) -> Option<RowEnd> {
        let end = match name {
            "first" => RowEnd::First,
            "last" => RowEnd::Last,
            _ => return None,
        };
        let shadowed = self.find(name).is_some() || self.bound.iter().any(|(b, _)| b == name);
        (self.context.row.is_some() && !shadowed).then_some(end)
    }

    pub(super) fn number(&mut self, node: &Node) -> Resolved<Expr> {
        match &node.kind {
            NodeKind::Number(number) => Ok(Expr::Number(number.clone())),
            NodeKind::Name(name) => {
                if let Some(end) = self.row_end(name) {
                    return Ok(Expr::End(end));
                }
                let variable = self.variable(name, node.span)?;
                match self.kind_of(variable) {
                    Kind::Number | Kind::Coordinate => Ok(Expr::Variable(variable)),
                    found => self.wrong_kind(node.span, found, Kind::Number, Some(name)),
                }
            }
            NodeKind::Index(list, index) => {
                let variable = self.variable(&list.text, list.span);
                let index = self.number(index);
                let variable = variable?;
                match self.kind_of(variable) {
                    Kind::Row | Kind::Rest | Kind::List => {
                        Ok(Expr::Index(variable, Box::new(index?)))
                    }
                    _ => {
                        let name = list.text.clone();
                        self.fault(list.span, Fault::NoPlaces { name })
                    }
                }
            }
            NodeKind::Negate(inner) => Ok(Expr::Negate(Box::new(self.number(inner)?))),
            NodeKind::Binary(op, left, right) => {
                let left = self.number(left);
                let right = self.number(right);
                Ok(Expr::Binary(*op, Box::new(left?), Box::new(right?)))
            }
            NodeKind::Call(function, arguments) => self.call(function, arguments, node.span),
            _ => self.wrong_kind(node.span, node.apparent_kind(), Kind::Number, None),
        }
    }

    fn call(&mut self, function: &Name, arguments: &[Node], span: Span) -> Resolved<Expr> {
        let text = function.text.as_str();
        let aggregate = AGGREGATES.iter().find(|(name, _)| *name == text);
        let of_numbers = FUNCTIONS.iter().find(|(name, ..)| *name == text);
        if let (Some((name, aggregate)), true) = (
            aggregate,
            of_numbers.is_none() || (arguments.len() == 1 && self.is_set(&arguments[0])),
        ) {
            if arguments.len() != 1 {
                let fault = Fault::WrongArity {
                    function: name,
                    least: 1,
                    most: Some(1),
                    found: arguments.len(),
                };
                return self.fault(span, fault);
            }
            let set = self.finite_set(&arguments[0])?;
            return Ok(Expr::Aggregate(*aggregate, set));
        }
        let Some((name, function_of, least, most)) = of_numbers else {
            let names = FUNCTIONS.iter().map(|(name, ..)| *name);
            let fault = Fault::UnknownFunction {
                name: text.to_owned(),
                suggestion: suggestion(text, names.chain(AGGREGATES.iter().map(|(n, _)| *n))),
            };
            return self.fault(function.span, fault);
        };
        if arguments.len() < *least || most.is_some_and(|most| arguments.len() > most) {
            let fault = Fault::WrongArity {
                function: name,
                least: *least,
                most: *most,
                found: arguments.len(),
            };
            return self.fault(span, fault);
        }
        let numbers: Vec<Resolved<Expr>> = arguments.iter().map(|a| self.number(a)).collect();
        Ok(Expr::Call(
            *function_of,
            numbers.into_iter().collect::<Resolved<Vec<Expr>>>()?,
        ))
    }

    /// Whether a formula is a set, also by the name it consists of.
    fn is_set(&self, node: &Node) -> bool {
        let Some(name) = node.name() else {
            return node.apparent_kind() == Kind::Set;
        };
        if self.bound.iter().any(|(bound, _)| bound == name) {
            return false;
        }
        if let Some(variable) = self.find(name) {
            return matches!(
                self.kind_of(variable),
                Kind::Set | Kind::List | Kind::Row | Kind::Rest
            );
        }
        if let Some(parameter) = self.find_parameter(name) {
            let value = &self.context.parameters[parameter].value;
            return matches!(Kind::of(value), Kind::Set | Kind::List);
        }
        self.context.row.is_some_and(|row| row.name == name)
    }

    pub(super) fn set(&mut self, node: &Node) -> Resolved<Set> {
        match &node.kind {
            NodeKind::Range(from, to) => {
                let from = self.number(from);
                let to = self.number(to);
                Ok(Set::Range(Box::new(from?), Box::new(to?)))
            }
            NodeKind::Braces(items) => {
                let items: Vec<Resolved<Expr>> = items.iter().map(|i| self.number(i)).collect();
                Ok(Set::List(items.into_iter().collect::<Resolved<_>>()?))
            }
            NodeKind::Primes => Ok(Set::Primes),
            NodeKind::PrimePowers => Ok(Set::PrimePowers),
            NodeKind::Squares => Ok(Set::Squares),
            NodeKind::Fibonacci => Ok(Set::Fibonacci),
            NodeKind::Powers(base) => Ok(Set::Powers(Box::new(self.number(base)?))),
            NodeKind::AllBut(set) => Ok(Set::AllBut(Box::new(self.set(set)?))),
            NodeKind::Digits(of, base) => {
                let of = self.number(of);
                let base = base.as_ref().map(|base| self.number(base)).transpose()?;
                Ok(Set::Digits {
                    of: Box::new(of?),
                    base: base.map(Box::new),
                })
            }
            NodeKind::Name(name) => {
                if !self.is_set(node) && self.find(name).is_none() && self.is_unknown(name) {
                    let words = ["primes", "squares", "fibonacci"];
                    let parameters = self.context.parameters.iter().map(|p| p.name.as_str());
                    let fault = Fault::UnknownName {
                        name: name.clone(),
                        suggestion: suggestion(name, parameters.chain(words)),
                    };
                    return self.fault(node.span, fault);
                }
                let variable = self.variable(name, node.span)?;
                match self.kind_of(variable) {
                    Kind::Set | Kind::List | Kind::Row | Kind::Rest => Ok(Set::Named(variable)),
                    found => self.wrong_kind(node.span, found, Kind::Set, Some(name)),
                }
            }
            _ => self.wrong_kind(node.span, node.apparent_kind(), Kind::Set, None),
        }
    }

    fn is_unknown(&self, name: &str) -> bool {
        self.find_parameter(name).is_none()
            && self.context.row.is_none_or(|row| row.name != name)
            && self
                .context
                .chances
                .iter()
                .all(|chance| chance.name != name)
            && self.bound.iter().all(|(bound, _)| bound != name)
    }

    pub(super) fn finite_set(&mut self, node: &Node) -> Resolved<Set> {
        let set = self.set(node)?;
        match set {
            Set::List(_) | Set::Range(..) | Set::Named(_) | Set::Digits { .. } => Ok(set),
            _ => self.fault(node.span, Fault::InfiniteSet),
        }
    }

    pub(super) fn guard_of(&mut self, node: Option<&Node>) -> Resolved<Guard> {
        match node {
            None => Ok(Guard::All(Vec::new())),
            Some(node) => self.guard(node),
        }
    }

    fn guards(&mut self, nodes: &[Node]) -> Resolved<Vec<Guard>> {
        let guards: Vec<Resolved<Guard>> = nodes.iter().map(|node| self.guard(node)).collect();
        guards.into_iter().collect()
    }

    pub(super) fn guard(&mut self, node: &Node) -> Resolved<Guard> {
        match &node.kind {
            NodeKind::All(members) | NodeKind::Tuple(members) => Ok(all_of(self.guards(members)?)),
            NodeKind::Any(members) => Ok(any_of(self.guards(members)?)),
            NodeKind::Not(inner) => Ok(Guard::Not(Box::new(self.guard(inner)?))),
            NodeKind::Chain(first, links) => {
                let mut left: &Node = first;
                let mut pairs = Vec::new();
                for (link, right) in links {
                    pairs.push(self.link(left, *link, right));
                    left = right;
                }
                Ok(all_of(pairs.into_iter().collect::<Resolved<_>>()?))
            }
            NodeKind::Quantified(quantifier, name, over, body) => {
                let over = self.finite_set(over);
                let variable = self.bind(name)?;
                let body = self.guard(body);
                self.bound.pop();
                Ok(Guard::Quantified {
                    quantifier: *quantifier,
                    variable,
                    over: over?,
                    body: Box::new(body?),
                })
            }
            _ => self.wrong_kind(
                node.span,
                node.apparent_kind(),
                Kind::Condition,
                node.name(),
            ),
        }
    }

    fn link(&mut self, left: &Node, link: Link, right: &Node) -> Resolved<Guard> {
        match link {
            Link::Compare(comparison) => {
                let from = self.number(left);
                let to = self.number(right);
                Ok(Guard::Compare(comparison, from?, to?))
            }
            Link::Divides => {
                let divisor = self.number(left);
                let number = self.number(right);
                Ok(Guard::Divides(divisor?, number?))
            }
            Link::Arrow => {
                let from = self.list_variable(left);
                let to = self.list_variable(right);
                Ok(Guard::Option {
                    from: from?,
                    to: to?,
                })
            }
            Link::In | Link::NotIn => {
                let negated = link == Link::NotIn;
                if let NodeKind::Tuple(items) = &left.kind {
                    return self.related(negated, items, left.span, right);
                }
                let item = self.number(left);
                let set = self.set(right);
                Ok(Guard::Member {
                    negated,
                    item: item?,
                    set: set?,
                })
            }
        }
    }

    /// A name that may stand for a list.
    fn list_variable(&mut self, node: &Node) -> Resolved<Variable> {
        let Some(name) = node.name() else {
            return self.wrong_kind(node.span, node.apparent_kind(), Kind::Coordinate, None);
        };
        let variable = self.variable(name, node.span)?;
        match self.role(variable) {
            Role::Coordinate | Role::Choice | Role::Existential => Ok(variable),
            _ => {
                let found = self.kind_of(variable);
                self.wrong_kind(node.span, found, Kind::Coordinate, Some(name))
            }
        }
    }

    fn related(
        &mut self,
        negated: bool,
        items: &[Node],
        span: Span,
        relation: &Node,
    ) -> Resolved<Guard> {
        let items: Vec<Resolved<Expr>> = items.iter().map(|item| self.number(item)).collect();
        let items: Vec<Expr> = items.into_iter().collect::<Resolved<_>>()?;
        let Some(name) = relation.name() else {
            let found = relation.apparent_kind();
            return self.wrong_kind(relation.span, found, Kind::Relation, None);
        };
        let Some(parameter) = self.find_parameter(name) else {
            let relations = self.context.parameters.iter().map(|p| p.name.as_str());
            let fault = Fault::UnknownName {
                name: name.to_owned(),
                suggestion: suggestion(name, relations),
            };
            return self.fault(relation.span, fault);
        };
        let context = self.context;
        let ParameterValue::Relation(tuples) = &context.parameters[parameter].value else {
            let found = Kind::of(&context.parameters[parameter].value);
            return self.wrong_kind(relation.span, found, Kind::Relation, Some(name));
        };
        if let Some(tuple) = tuples.first()
            && tuple.len() != items.len()
        {
            let fault = Fault::TupleLength {
                relation: name.to_owned(),
                wanted: tuple.len(),
                found: items.len(),
            };
            return self.fault(span, fault);
        }
        Ok(Guard::Related {
            negated,
            items,
            relation: self.variable(name, relation.span)?,
        })
    }
}

/// All of these, without an `All` directly inside.
pub(crate) fn all_of(guards: Vec<Guard>) -> Guard {
    let mut members = Vec::with_capacity(guards.len());
    for guard in guards {
        match guard {
            Guard::All(inner) => members.extend(inner),
            guard => members.push(guard),
        }
    }
    if members.len() == 1 {
        members.swap_remove(0)
    } else {
        Guard::All(members)
    }
}

/// One of these, without an `Any` directly inside.
pub(crate) fn any_of(guards: Vec<Guard>) -> Guard {
    let mut members = Vec::with_capacity(guards.len());
    for guard in guards {
        match guard {
            Guard::Any(inner) => members.extend(inner),
            guard => members.push(guard),
        }
    }
    if members.len() == 1 {
        members.swap_remove(0)
    } else {
        Guard::Any(members)
    }
}
