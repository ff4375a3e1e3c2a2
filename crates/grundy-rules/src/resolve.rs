//! From syntax trees to a ruleset: names get their meaning, formulas their kind.

use std::collections::BTreeSet;

use num_bigint::{BigInt, BigUint};

use crate::fault::{Diagnostic, Fault, Kind, suggestion};
use crate::notation;
use crate::ruleset::{
    Aggregate, Alternative, Chance, Change, Claim, Compound, Ending, EndingResult, Expr, Function,
    Guard, MoveRule, Parameter, ParameterValue, Pattern, PatternItem, Piece, Place, ResultTerm,
    Role, Row, RowEnd, Scope, ScopedName, SeriesRange, Set, Span, Start, Statement, Template,
    TemplateItem, Update, Variable,
};
use crate::tree::{
    Body, ChangeTree, ClaimKind, CompoundTree, Item, Link, MoveTree, Name, Node, NodeKind,
    PieceTree, PlaceTree, Shape, Term, UpdateTree,
};

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

    fn name(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Name(name) => Some(name),
            _ => None,
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

    // Patterns and templates.

    fn pattern(&mut self, shape: &Shape) -> Resolved<Pattern> {
        let mut items = Vec::new();
        let mut failed = false;
        for item in &shape.items {
            match self.pattern_item(item, &mut items) {
                Ok(()) => {}
                Err(Failed) => failed = true,
            }
        }
        for pair in items.windows(2) {
            if let [PatternItem::Rest(first), PatternItem::Rest(second)] = pair {
                let fault = Fault::RestsTouch {
                    first: self.scope.names[first.0].name.clone(),
                    second: self.scope.names[second.0].name.clone(),
                };
                self.faults.push(Diagnostic::new(shape.span, fault));
                failed = true;
            }
        }
        if failed {
            Err(Failed)
        } else {
            Ok(Pattern { items })
        }
    }

    fn pattern_item(&mut self, item: &Item, items: &mut Vec<PatternItem>) -> Resolved<()> {
        match item {
            Item::Rest(name) => {
                let variable = self.pattern_name(&name.text, name.span, Role::Rest)?;
                items.push(PatternItem::Rest(variable));
            }
            Item::List(shape) => items.push(PatternItem::List(self.pattern(shape)?)),
            Item::Word(word, span) => {
                for number in self.letters(word, *span)? {
                    items.push(PatternItem::Number(number));
                }
            }
            Item::Term(node) => match &node.kind {
                NodeKind::Name(name) => {
                    let variable = self.pattern_name(name, node.span, Role::Coordinate)?;
                    items.push(PatternItem::Variable(variable));
                }
                NodeKind::Number(number) => match number.to_biguint() {
                    Some(number) => items.push(PatternItem::Number(number)),
                    None => return self.fault(node.span, Fault::NegativeInPosition),
                },
                _ => return self.fault(node.span, Fault::TermInPattern),
            },
        }
        Ok(())
    }

    fn pattern_name(&mut self, name: &str, span: Span, role: Role) -> Resolved<Variable> {
        if self.find_parameter(name).is_some() {
            let name = name.to_owned();
            return self.fault(span, Fault::ParameterInPattern { name });
        }
        if self
            .context
            .chances
            .iter()
            .any(|chance| chance.name == name)
        {
            let name = name.to_owned();
            return self.fault(span, Fault::NameTaken { name });
        }
        match self.find(name) {
            None => self.declare(name, role, span),
            Some(variable) if self.role(variable) == role => Ok(variable),
            Some(_) => {
                let name = name.to_owned();
                self.fault(span, Fault::RestAndCoordinate { name })
            }
        }
    }

    /// The numbers for which a quoted word stands.
    fn letters(&mut self, word: &str, span: Span) -> Resolved<Vec<BigUint>> {
        let alphabet = self.context.row.map_or(&[][..], |row| &row.alphabet);
        if let Err(fault) = notation::check_letters(word, alphabet) {
            return self.fault(span, fault);
        }
        let place = |letter| alphabet.iter().position(|other| *other == letter);
        Ok(word.chars().filter_map(place).map(BigUint::from).collect())
    }

    fn template(&mut self, shape: &Shape) -> Resolved<Template> {
        let mut items = Vec::new();
        let mut failed = false;
        for item in &shape.items {
            if let Err(Failed) = self.template_item(item, &mut items) {
                failed = true;
            }
        }
        if failed {
            Err(Failed)
        } else {
            Ok(Template { items })
        }
    }

    fn template_item(&mut self, item: &Item, items: &mut Vec<TemplateItem>) -> Resolved<()> {
        match item {
            Item::Rest(name) => {
                let variable = self.variable(&name.text, name.span)?;
                if !matches!(self.role(variable), Role::Rest | Role::Row) {
                    let found = self.kind_of(variable);
                    return self.wrong_kind(name.span, found, Kind::Rest, Some(&name.text));
                }
                items.push(TemplateItem::Splice(variable));
            }
            Item::List(shape) => items.push(TemplateItem::List(self.template(shape)?)),
            Item::Word(word, span) => {
                for number in self.letters(word, *span)? {
                    items.push(TemplateItem::Expr(Expr::Number(BigInt::from(number))));
                }
            }
            Item::Term(node) => items.push(TemplateItem::Expr(self.number(node)?)),
        }
        Ok(())
    }

    // Formulas.

    fn kind_of(&self, variable: Variable) -> Kind {
        match self.role(variable) {
            Role::Rest => Kind::Rest,
            Role::Row => Kind::Row,
            Role::Parameter(index) => Kind::of(&self.context.parameters[index].value),
            Role::Coordinate => Kind::Coordinate,
            Role::Choice | Role::Existential | Role::Bound | Role::Chance(_) => Kind::Number,
        }
    }

    fn wrong_kind<T>(
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

    fn number(&mut self, node: &Node) -> Resolved<Expr> {
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

    fn set(&mut self, node: &Node) -> Resolved<Set> {
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

    fn finite_set(&mut self, node: &Node) -> Resolved<Set> {
        let set = self.set(node)?;
        match set {
            Set::List(_) | Set::Range(..) | Set::Named(_) | Set::Digits { .. } => Ok(set),
            _ => self.fault(node.span, Fault::InfiniteSet),
        }
    }

    fn guard_of(&mut self, node: Option<&Node>) -> Resolved<Guard> {
        match node {
            None => Ok(Guard::All(Vec::new())),
            Some(node) => self.guard(node),
        }
    }

    fn guards(&mut self, nodes: &[Node]) -> Resolved<Vec<Guard>> {
        let guards: Vec<Resolved<Guard>> = nodes.iter().map(|node| self.guard(node)).collect();
        guards.into_iter().collect()
    }

    fn guard(&mut self, node: &Node) -> Resolved<Guard> {
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

    // Results.

    /// Resolves alternatives and checks that all use the same choices.
    fn alternatives<T>(
        &mut self,
        alternatives: &[T],
        mut resolve: impl FnMut(&mut Self, &T) -> Resolved<Alternative>,
    ) -> Resolved<Vec<Alternative>> {
        self.in_result = true;
        let mut resolved = Vec::new();
        let mut choices = Vec::new();
        for alternative in alternatives {
            self.used.clear();
            resolved.push(resolve(self, alternative));
            choices.push(std::mem::take(&mut self.used));
        }
        self.in_result = false;
        let resolved = resolved.into_iter().collect::<Resolved<Vec<_>>>()?;
        let everywhere = choices.iter().fold(None, |common, used| match common {
            None => Some(used.clone()),
            Some(common) => Some(&common & used),
        });
        let anywhere: BTreeSet<Variable> = choices.into_iter().flatten().collect();
        let everywhere = everywhere.unwrap_or_default();
        let missing: Vec<Variable> = anywhere.difference(&everywhere).copied().collect();
        for variable in &missing {
            let scoped = &self.scope.names[variable.0];
            let fault = Fault::ChoiceNotEverywhere {
                name: scoped.name.clone(),
            };
            self.faults.push(Diagnostic::new(scoped.span, fault));
        }
        if missing.is_empty() {
            Ok(resolved)
        } else {
            Err(Failed)
        }
    }

    fn sum(&mut self, terms: &[Term]) -> Resolved<Alternative> {
        let terms: Vec<Resolved<ResultTerm>> = terms.iter().map(|term| self.term(term)).collect();
        Ok(Alternative::Sum(
            terms.into_iter().collect::<Resolved<_>>()?,
        ))
    }

    fn term(&mut self, term: &Term) -> Resolved<ResultTerm> {
        match term {
            Term::Component(shape) => Ok(ResultTerm::Component(self.template(shape)?)),
            Term::Copies(count, shape) => {
                let count = self.number(count);
                let template = self.template(shape);
                Ok(ResultTerm::Copies {
                    count: count?,
                    template: template?,
                })
            }
            Term::Series(shape, ranges) => {
                let outside = self.bound.len();
                let ranges = self.ranges(ranges);
                let template = ranges.is_ok().then(|| self.template(shape));
                self.bound.truncate(outside);
                Ok(ResultTerm::Series {
                    ranges: ranges?,
                    template: template.unwrap_or(Err(Failed))?,
                })
            }
        }
    }

    /// Each range may speak of the variables of the ranges before it.
    fn ranges(&mut self, ranges: &[(Name, Node, Node)]) -> Resolved<Vec<SeriesRange>> {
        let mut resolved = Vec::new();
        for (name, from, to) in ranges {
            let from = self.number(from);
            let to = self.number(to);
            let variable = self.bind(name)?;
            resolved.push(SeriesRange {
                variable,
                from: from?,
                to: to?,
            });
        }
        Ok(resolved)
    }

    fn updates(&mut self, updates: &[UpdateTree]) -> Resolved<Alternative> {
        let updates: Vec<Resolved<Update>> = updates.iter().map(|u| self.update(u)).collect();
        Ok(Alternative::Updates(
            updates.into_iter().collect::<Resolved<_>>()?,
        ))
    }

    fn update(&mut self, update: &UpdateTree) -> Resolved<Update> {
        match update {
            UpdateTree::Place(place, change) => {
                let place = self.place(place);
                let change = self.change(change);
                Ok(Update::Place {
                    place: place?,
                    change: change?,
                })
            }
            UpdateTree::Remove(place) => Ok(Update::Remove(self.place(place)?)),
            UpdateTree::Every(row, change) => {
                self.the_row(&row.text, row.span)?;
                Ok(Update::Every(self.change(change)?))
            }
            UpdateTree::Some(at_most, row, change) => {
                self.the_row(&row.text, row.span)?;
                let at_most = at_most.as_ref().map(|most| self.number(most)).transpose();
                let change = self.change(change);
                Ok(Update::Some {
                    at_most: at_most?,
                    change: change?,
                })
            }
        }
    }

    fn change(&mut self, change: &ChangeTree) -> Resolved<Change> {
        Ok((change.wrap)(self.number(&change.amount)?))
    }

    /// Checks that what is updated is the row.
    fn the_row(&mut self, name: &str, span: Span) -> Resolved<()> {
        match self.context.row {
            None => self.fault(span, Fault::NoRow),
            Some(row) if row.name != name => {
                let fault = Fault::NotTheRow {
                    name: name.to_owned(),
                    row: row.name.clone(),
                };
                self.fault(span, fault)
            }
            Some(_) => Ok(()),
        }
    }

    fn place(&mut self, place: &PlaceTree) -> Resolved<Place> {
        match place {
            PlaceTree::Index(row, index) => {
                self.the_row(&row.text, row.span)?;
                Ok(Place::Index(self.number(index)?))
            }
            PlaceTree::First(span) | PlaceTree::Last(span) if self.context.row.is_none() => {
                self.fault(*span, Fault::NoRow)
            }
            PlaceTree::First(_) => Ok(Place::First),
            PlaceTree::Last(_) => Ok(Place::Last),
        }
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

impl LineResolver<'_, '_> {
    fn pieces(&mut self, pieces: &[PieceTree]) -> Resolved<Vec<Piece>> {
        let mut resolved = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            if place > 0 && pieces[place - 1].condition.is_none() {
                return self.fault(piece.span, Fault::PieceUnreachable);
            }
            let value = self.number(&piece.value)?;
            let condition = match &piece.condition {
                None => None,
                Some(condition) => Some(self.guard(condition)?),
            };
            resolved.push(Piece { value, condition });
        }
        Ok(resolved)
    }
}
