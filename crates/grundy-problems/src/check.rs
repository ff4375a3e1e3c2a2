//! Whether the names of a problem mean something, and its values can be what they must be.
//!
//! Only what fails for every input is refused: where a type is not certain, it is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use grundy::catalogue;
use grundy_rules::fault::suggestion;
use grundy_rules::ruleset::{ParameterValue, Role, Ruleset};

use crate::fault::{Diagnostic, Fault, ValueKind};
use crate::kinds::{FUNCTIONS, Type};
use crate::parse::FAULT_LIMIT;
use crate::problem::{
    Action, Binary, Comparison, Expression, Extent, Extreme, Game, Generator, Kind, Name, Order,
    PlayedGame, Problem, Reading, Rules, Span, Statement, Term, Times,
};

/// Adds what is wrong with the names and values of a problem to `faults`.
///
/// `incomplete` says that some statement is missing because it could not be read, so that names
/// that seem unknown may be declared there.
pub(crate) fn check(problem: &Problem, incomplete: bool, faults: &mut Vec<Diagnostic>) {
    let mut checker = Checker {
        faults,
        scopes: vec![BTreeMap::new()],
        catalogue: BTreeMap::new(),
        repeats: 0,
        incomplete,
        fields: Vec::new(),
        choices: BTreeSet::new(),
        games_known: true,
    };
    checker.block(&problem.body);
    if let Some(plainly) = &problem.plainly {
        // It is the whole problem once more, and has names of its own.
        checker.scopes = vec![BTreeMap::new()];
        checker.block(plainly);
    }
    checker.check_fields();
}

/// What a name stands for.
#[derive(Clone)]
enum Meaning {
    Value(Type),
    /// The rules; `None` if they could not be read.
    Game(Option<Rc<Ruleset>>),
}

struct Checker<'f> {
    faults: &'f mut Vec<Diagnostic>,
    /// The names of each open block, the innermost last.
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Games of the catalogue that were asked for.
    catalogue: BTreeMap<&'static str, Option<Rc<Ruleset>>>,
    /// How many `repeat` are open.
    repeats: usize,
    incomplete: bool,
    /// The fields that are asked for.
    fields: Vec<Name>,
    /// The choices of all games: fields of their moves.
    choices: BTreeSet<String>,
    /// Whether all games are known.
    games_known: bool,
}

/// The fields of every move.
const FIELDS: &[&str] = &["place", "label", "from", "to", "after", "ways"];

impl Checker<'_> {
    fn fault(&mut self, span: Span, fault: Fault) {
        self.faults.push(Diagnostic::new(span, fault));
    }

    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(BTreeMap::new());
        let done = work(self);
        self.scopes.pop();
        done
    }

    fn declare(&mut self, name: &Name, meaning: Meaning) {
        let scope = self.scopes.last_mut().expect("a scope is open");
        if scope.insert(name.text.clone(), meaning).is_some() {
            let fault = Fault::NameTaken {
                name: name.text.clone(),
            };
            self.fault(name.span, fault);
        }
    }

    fn find(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// The names in reach that stand for a game, or those that stand for a value.
    fn names(&self, games: bool) -> impl Iterator<Item = &str> {
        let all = self.scopes.iter().flatten();
        all.filter(move |(_, meaning)| matches!(meaning, Meaning::Game(_)) == games)
            .map(|(name, _)| name.as_str())
    }

    // Statements.

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.action {
            Action::Read(readings) => {
                for reading in readings {
                    self.reading(reading);
                }
            }
            Action::Require(condition) | Action::Stop(Some(condition)) => {
                self.condition(condition);
            }
            Action::Stop(None) => {}
            Action::Let(name, value) => {
                let value = self.expression(value);
                self.declare(name, Meaning::Value(value));
            }
            Action::Game(name, game) => {
                let ruleset = self.game(game);
                self.declare(name, Meaning::Game(ruleset));
            }
            Action::Repeat(repeat) => {
                if let Times::Count(count) = &repeat.times {
                    self.number(count);
                }
                self.repeats += 1;
                self.scoped(|this| {
                    if let Some(counter) = &repeat.counter {
                        this.declare(counter, Meaning::Value(Type::Number));
                    }
                    this.block(&repeat.body);
                });
                self.repeats -= 1;
            }
            Action::For(generator, body) => self.scoped(|this| {
                this.generator(generator);
                this.block(body);
            }),
            Action::If(condition, then, otherwise) => {
                self.condition(condition);
                self.scoped(|this| this.block(then));
                self.scoped(|this| this.block(otherwise));
            }
            Action::Print(values) | Action::Write(values) => {
                for value in values {
                    let found = self.expression(value);
                    self.refuse(value.span, &found, &[ValueKind::Sum], PRINTED);
                }
            }
        }
        if matches!(statement.action, Action::Stop(_)) && self.repeats == 0 {
            self.fault(statement.span, Fault::StopOutside);
        }
    }

    fn reading(&mut self, reading: &Reading) -> Type {
        let read = self.kind(&reading.kind, reading.span);
        if let Some(name) = &reading.name {
            self.declare(name, Meaning::Value(read.clone()));
        }
        read
    }

    fn kind(&mut self, kind: &Kind, span: Span) -> Type {
        match kind {
            Kind::Integer { least, greatest } => {
                for limit in [least, greatest].into_iter().flatten() {
                    self.number(limit);
                }
                Type::Number
            }
            Kind::OneOf(numbers) => {
                for number in numbers {
                    self.number(number);
                }
                Type::Number
            }
            Kind::Word { least, most, .. } => {
                for limit in [least, most].into_iter().flatten() {
                    self.number(limit);
                }
                Type::Text
            }
            Kind::Words(_) => Type::Text,
            Kind::Tuple(parts) => self
                .scoped(|this| Type::Tuple(parts.iter().map(|part| this.reading(part)).collect())),
            Kind::List {
                extent,
                order,
                counter,
                of,
            } => {
                if let Extent::Count(count) = extent {
                    self.number(count);
                }
                let of = self.scoped(|this| {
                    if let Some(counter) = counter {
                        this.declare(counter, Meaning::Value(Type::Number));
                    }
                    this.kind(of, span)
                });
                self.order(*order, &of, span);
                Type::list(of)
            }
        }
    }

    /// Refuses orders of edges and fathers that are said of something else.
    fn order(&mut self, order: Order, of: &Type, span: Span) {
        let suits = match order {
            Order::Simple | Order::Tree | Order::Rings => match of {
                Type::Tuple(ends) => ends.as_slice() == [Type::Number, Type::Number],
                other => *other == Type::list(Type::Number),
            },
            _ => true,
        };
        if !suits {
            self.fault(span, Fault::OrderOf { order });
        }
    }

    /// Declares the names of a generator in the open scope.
    fn generator(&mut self, generator: &Generator) {
        let over = self.list(&generator.over);
        let entry = over.entry();
        match generator.names.as_slice() {
            [name] => self.declare(name, Meaning::Value(entry)),
            names => {
                let members = match entry {
                    Type::Tuple(members) if members.len() == names.len() => members,
                    Type::List(of) => vec![*of; names.len()],
                    _ => vec![Type::Any; names.len()],
                };
                for (name, member) in names.iter().zip(members) {
                    self.declare(name, Meaning::Value(member));
                }
            }
        }
        if let Some(condition) = &generator.condition {
            self.condition(condition);
        }
        if let Some(key) = &generator.key {
            self.expression(key);
        }
    }

    // Games.

    fn game(&mut self, game: &Game) -> Option<Rc<Ruleset>> {
        let ruleset = match &game.rules {
            Rules::Named(name) => self.named_game(name),
            Rules::Written { text, span } => self.written_rules(text, *span),
        };
        let called = match &game.rules {
            Rules::Named(name) => Some(name.text.clone()),
            Rules::Written { .. } => None,
        };
        let mut given: BTreeSet<&str> = BTreeSet::new();
        for (name, value) in &game.parameters {
            let found = self.expression(value);
            if !given.insert(&name.text) {
                let name_text = name.text.clone();
                self.fault(name.span, Fault::ParameterTwice { name: name_text });
            }
            let Some(ruleset) = &ruleset else {
                continue;
            };
            let parameters = &ruleset.parameters;
            match parameters.iter().find(|p| p.name == name.text) {
                Some(parameter) => {
                    let wanted = match parameter.value {
                        ParameterValue::Number(_) => ValueKind::Number,
                        _ => ValueKind::List,
                    };
                    self.expect(value.span, &found, &[wanted]);
                }
                None => {
                    let names = parameters.iter().map(|p| p.name.as_str());
                    let fault = Fault::UnknownParameter {
                        game: called.clone(),
                        name: name.text.clone(),
                        suggestion: suggestion(&name.text, names),
                    };
                    self.fault(name.span, fault);
                }
            }
        }
        ruleset
    }

    fn written_rules(&mut self, text: &str, place: Span) -> Option<Rc<Ruleset>> {
        match grundy_rules::parse(text) {
            Ok(ruleset) => {
                let ruleset = Rc::new(ruleset);
                self.add_choices(&ruleset);
                Some(ruleset)
            }
            Err(faults) => {
                self.games_known = false;
                for diagnostic in faults {
                    let span = Span {
                        start: place.start + diagnostic.span.start,
                        end: place.start + diagnostic.span.end,
                    };
                    self.fault(span, Fault::Rules(diagnostic.fault));
                }
                None
            }
        }
    }

    fn named_game(&mut self, name: &Name) -> Option<Rc<Ruleset>> {
        let ruleset = match self.find(&name.text) {
            Some(Meaning::Game(ruleset)) => ruleset.clone(),
            found => {
                let is_value = found.is_some();
                match catalogue::find(&name.text) {
                    Some(entry) => {
                        let read = || grundy_rules::parse(entry.text).ok().map(Rc::new);
                        self.catalogue
                            .entry(entry.name)
                            .or_insert_with(read)
                            .clone()
                    }
                    None if is_value => {
                        let name_text = name.text.clone();
                        self.fault(name.span, Fault::NotAGame { name: name_text });
                        None
                    }
                    None if self.incomplete => None,
                    None => {
                        let of_catalogue = catalogue::GAMES.iter().map(|game| game.name);
                        let known = self.names(true).chain(of_catalogue);
                        let fault = Fault::UnknownGame {
                            name: name.text.clone(),
                            suggestion: suggestion(&name.text, known),
                        };
                        self.fault(name.span, fault);
                        None
                    }
                }
            }
        };
        match &ruleset {
            Some(ruleset) => self.add_choices(ruleset),
            None => self.games_known = false,
        }
        ruleset
    }

    fn is_game(&self, name: &str) -> bool {
        match self.find(name) {
            Some(meaning) => matches!(meaning, Meaning::Game(_)),
            None => catalogue::find(name).is_some(),
        }
    }

    fn add_choices(&mut self, ruleset: &Ruleset) {
        let names = ruleset.moves.iter().flat_map(|rule| &rule.scope.names);
        let choices = names.filter(|name| name.role == Role::Choice);
        self.choices.extend(choices.map(|name| name.name.clone()));
    }

    /// Refuses fields that no move of any game of the file has.
    fn check_fields(&mut self) {
        if self.incomplete || !self.games_known {
            return;
        }
        for name in std::mem::take(&mut self.fields) {
            if FIELDS.contains(&name.text.as_str()) || self.choices.contains(&name.text) {
                continue;
            }
            let choices = self.choices.iter().map(String::as_str);
            let fault = Fault::UnknownField {
                suggestion: suggestion(&name.text, FIELDS.iter().copied().chain(choices)),
                name: name.text,
            };
            self.fault(name.span, fault);
        }
    }

    // Expressions.

    fn expect(&mut self, span: Span, found: &Type, wanted: &[ValueKind]) {
        if let Some(found) = found.kind()
            && !wanted.is_empty()
            && !wanted.contains(&found)
            // A tuple is as good as a list of its members.
            && !(found == ValueKind::Tuple && wanted.contains(&ValueKind::List))
        {
            let wanted = wanted.to_vec();
            self.fault(span, Fault::WrongKind { found, wanted });
        }
    }

    fn refuse(&mut self, span: Span, found: &Type, refused: &[ValueKind], wanted: &[ValueKind]) {
        if found.kind().is_some_and(|kind| refused.contains(&kind)) {
            self.expect(span, found, wanted);
        }
    }

    fn condition(&mut self, expression: &Expression) {
        let found = self.expression(expression);
        self.expect(expression.span, &found, &[ValueKind::Truth]);
    }

    fn number(&mut self, expression: &Expression) {
        let found = self.expression(expression);
        self.expect(expression.span, &found, &[ValueKind::Number]);
    }

    fn list(&mut self, expression: &Expression) -> Type {
        let found = self.expression(expression);
        self.expect(expression.span, &found, &[ValueKind::List]);
        found
    }

    fn expression(&mut self, expression: &Expression) -> Type {
        if let Term::Range(_, None) = expression.term {
            self.fault(expression.span, Fault::RangeWithoutEnd);
        }
        self.endless_too(expression)
    }

    /// The type of an expression that may be a range without an end.
    fn endless_too(&mut self, expression: &Expression) -> Type {
        // More faults than are reported: what follows tells nothing new.
        if self.faults.len() > FAULT_LIMIT {
            return Type::Any;
        }
        match &expression.term {
            Term::Number(_) => Type::Number,
            Term::Text(_) => Type::Text,
            Term::None => Type::None,
            Term::Endless => Type::Any,
            Term::Variable(name) => self.variable(name, expression.span),
            Term::Not(inner) => {
                self.condition(inner);
                Type::Truth
            }
            Term::Minus(inner) => {
                self.number(inner);
                Type::Number
            }
            Term::Binary(operator, left, right) => self.binary(*operator, left, right),
            Term::Chain(first, links) => {
                self.expression(first);
                for (comparison, operand) in links {
                    if matches!(comparison, Comparison::In | Comparison::NotIn) {
                        let found = self.endless_too(operand);
                        self.expect(operand.span, &found, CONTAINING);
                    } else {
                        self.expression(operand);
                    }
                }
                Type::Truth
            }
            Term::Choose(condition, then, otherwise) => {
                self.condition(condition);
                let then = self.expression(then);
                then.or(self.expression(otherwise))
            }
            Term::Tuple(members) => {
                Type::Tuple(members.iter().map(|m| self.expression(m)).collect())
            }
            Term::List(entries) => {
                let types: Vec<Type> = entries.iter().map(|e| self.expression(e)).collect();
                Type::list(types.into_iter().reduce(Type::or).unwrap_or(Type::Any))
            }
            Term::Range(from, to) => {
                self.number(from);
                if let Some(to) = to {
                    self.number(to);
                }
                Type::list(Type::Number)
            }
            Term::Comprehension(entry, generators) => self.scoped(|this| {
                for generator in generators {
                    this.generator(generator);
                }
                Type::list(this.expression(entry))
            }),
            Term::Index(of, index) => {
                let of_type = self.expression(of);
                self.expect(of.span, &of_type, INDEXED);
                self.number(index);
                of_type.entry()
            }
            Term::Field(of, name) => {
                let found = self.expression(of);
                self.expect(of.span, &found, &[ValueKind::Move]);
                self.fields.push(name.clone());
                Type::Any
            }
            Term::Call(name, arguments) => self.call(name, arguments),
            Term::At(game, position) => {
                match &**game {
                    PlayedGame::Named(name) => drop(self.named_game(name)),
                    PlayedGame::Made(game) => drop(self.game(game)),
                }
                let found = self.expression(position);
                self.expect(position.span, &found, POSITION);
                Type::Sum
            }
            Term::Fold(fold) => {
                let start = self.expression(&fold.start);
                let found = self.scoped(|this| {
                    this.declare(&fold.name, Meaning::Value(start.clone()));
                    this.generator(&fold.generator);
                    this.expression(&fold.next)
                });
                start.or(found)
            }
            Term::Extreme {
                extreme,
                name,
                over,
                condition,
            } => self.extreme(*extreme, name, over, condition),
        }
    }

    fn extreme(
        &mut self,
        extreme: Extreme,
        name: &Name,
        over: &Expression,
        condition: &Expression,
    ) -> Type {
        let may_have_no_end = match extreme {
            Extreme::Least => true,
            Extreme::Greatest => matches!(over.term, Term::Range(_, None)),
            Extreme::Count => false,
        };
        let of = if may_have_no_end {
            self.endless_too(over)
        } else {
            self.expression(over)
        };
        self.expect(over.span, &of, &[ValueKind::List]);
        self.scoped(|this| {
            this.declare(name, Meaning::Value(of.entry()));
            this.condition(condition);
        });
        match extreme {
            Extreme::Count => Type::Number,
            Extreme::Least | Extreme::Greatest => Type::Any,
        }
    }

    fn variable(&mut self, name: &str, span: Span) -> Type {
        if let Some(Meaning::Value(known)) = self.find(name) {
            return known.clone();
        }
        let is_game = self.is_game(name);
        if !is_game && self.incomplete {
            return Type::Any;
        }
        let suggestion = suggestion(name, self.names(false));
        let name = name.to_owned();
        let fault = if is_game {
            Fault::GameAsValue { name }
        } else {
            Fault::UnknownName { name, suggestion }
        };
        self.fault(span, fault);
        Type::Any
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression) -> Type {
        match operator {
            Binary::Or | Binary::And => {
                self.condition(left);
                self.condition(right);
                Type::Truth
            }
            Binary::Join => {
                let one = self.expression(left);
                let other = self.expression(right);
                self.expect(left.span, &one, JOINED);
                self.expect(right.span, &other, JOINED);
                match (one.kind(), other.kind()) {
                    (Some(ValueKind::Text), Some(ValueKind::List)) => {
                        self.expect(right.span, &other, &[ValueKind::Text]);
                    }
                    (Some(ValueKind::List), Some(ValueKind::Text)) => {
                        self.expect(right.span, &other, &[ValueKind::List]);
                    }
                    _ => {}
                }
                one.or(other)
            }
            Binary::Plus => {
                let one = self.expression(left);
                let other = self.expression(right);
                match (&one, &other) {
                    (Type::Sum, Type::Any | Type::Sum) | (Type::Any, Type::Sum) => Type::Sum,
                    (Type::Any, Type::Any) => Type::Any,
                    (Type::Sum, _) => {
                        self.fault(right.span, Fault::SumAsNumber);
                        Type::Sum
                    }
                    (_, Type::Sum) => {
                        self.fault(left.span, Fault::SumAsNumber);
                        Type::Sum
                    }
                    _ => {
                        self.expect(left.span, &one, &[ValueKind::Number]);
                        self.expect(right.span, &other, &[ValueKind::Number]);
                        Type::Number
                    }
                }
            }
            _ => {
                let mut given = Type::Number;
                for operand in [left, right] {
                    let found = self.expression(operand);
                    if found == Type::Sum {
                        self.fault(operand.span, Fault::SumAsNumber);
                        given = Type::Any;
                    } else {
                        self.expect(operand.span, &found, &[ValueKind::Number]);
                    }
                }
                given
            }
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expression]) -> Type {
        let types: Vec<Type> = arguments.iter().map(|a| self.expression(a)).collect();
        let Some(function) = FUNCTIONS.iter().find(|f| f.name == name.text) else {
            if self.is_game(&name.text) {
                let name_text = name.text.clone();
                self.fault(name.span, Fault::GameAsValue { name: name_text });
                return Type::Any;
            }
            let names = FUNCTIONS.iter().map(|function| function.name);
            let fault = Fault::UnknownFunction {
                name: name.text.clone(),
                suggestion: suggestion(&name.text, names),
            };
            self.fault(name.span, fault);
            return Type::Any;
        };
        let found = types.len();
        if found < function.least || function.most.is_some_and(|most| found > most) {
            let fault = Fault::WrongArity {
                function: function.name,
                least: function.least,
                most: function.most,
                found,
            };
            self.fault(name.span, fault);
            return Type::Any;
        }
        for (place, (argument, found)) in arguments.iter().zip(&types).enumerate() {
            let wanted = function.takes.get(place).or(function.takes.last());
            let wanted = wanted.expect("a function says what it takes");
            self.expect(argument.span, found, wanted);
        }
        (function.gives)(&types)
    }
}

const JOINED: &[ValueKind] = &[ValueKind::List, ValueKind::Text];
const CONTAINING: &[ValueKind] = &[ValueKind::List, ValueKind::Text, ValueKind::Tuple];
const INDEXED: &[ValueKind] = &[ValueKind::List, ValueKind::Text, ValueKind::Tuple];
const POSITION: &[ValueKind] = &[
    ValueKind::Number,
    ValueKind::Text,
    ValueKind::Tuple,
    ValueKind::List,
];
const PRINTED: &[ValueKind] = &[ValueKind::Number, ValueKind::Text, ValueKind::List];
