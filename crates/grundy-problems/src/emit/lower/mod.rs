//! From a problem file to a program.

mod expression;
mod limit;
mod question;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::find::{Finder, Played};
use super::program::{Expr, Over, Print, Program, Reading, Record, Statement, Term, Type};
use super::snippet::{self, Signature};
use super::{Clause, Grounds, NoEmit};
use crate::problem::{self, Action, Extent, Kind, Problem, Times};
use grundy_rules::Meter;

pub(super) use limit::Sizes;
use limit::constant;
use limit::unused;

/// The program that answers a problem.
pub(super) fn program(
    problem: &Problem,
    grounds: &Grounds,
    meter: &mut Meter,
) -> Result<Program, NoEmit> {
    let mut lowering = Lowering::new(snippet::prelude().to_vec());
    lowering.finder = Some(Finder::new(grounds, Sizes::of(&problem.body), meter));
    lowering.unused = unused(&problem.body);
    let body = lowering.block(&problem.body)?;
    let mut finder = lowering.finder.take().expect("it was put there");
    let mut statements = std::mem::take(&mut finder.tables);
    statements.extend(body);
    let mut about = Vec::new();
    let title = problem.title.as_deref().unwrap_or(&problem.name);
    about.push(match &problem.source {
        Some(source) => format!("{source}: {title}"),
        None => title.to_owned(),
    });
    about.append(&mut finder.about);
    let mut functions = lowering.library;
    functions.append(&mut finder.functions);
    Ok(Program {
        about,
        separators: problem.separators.clone().unwrap_or_default(),
        records: finder.records,
        functions: functions
            .into_iter()
            .map(|function| function.function)
            .collect(),
        body: statements,
    })
}

/// What a name means.
#[derive(Clone)]
enum Binding {
    /// A value under a name of the program.
    Value(String, Type),
    /// A game.
    Game(Played),
}

/// Turns statements and expressions of problem files into those of programs.
pub(super) struct Lowering<'f, 'm> {
    names: Vec<(String, Binding)>,
    /// Functions that may be called.
    pub library: Vec<Signature>,
    /// Whether lists are counted from 0, as in laws; from 1 in problems.
    pub from_zero: bool,
    /// What the values with named parts are that a law makes.
    pub records: Vec<Record>,
    /// How many names there were before the statement.
    statement_depth: usize,
    /// The names of values that nothing but requirements speaks of.
    unused: BTreeSet<String>,
    /// What must stand before the statement.
    before: Vec<Statement>,
    /// The position whose winning moves were asked for last.
    played_in: Option<Expr>,
    /// Who finds the laws of games; nobody where a law itself is read.
    pub finder: Option<Finder<'f, 'm>>,
}

/// Words that mean something else in one of the languages, or in what our programs use of them.
const TAKEN: &[&str] = &[
    "abs", "all", "and", "any", "as", "assert", "auto", "begin", "bool", "box", "break", "case",
    "catch", "char", "class", "const", "continue", "crate", "def", "del", "double", "elif", "else",
    "end", "enum", "except", "extern", "false", "fn", "for", "from", "global", "if", "impl",
    "import", "in", "input", "int", "is", "iter", "lambda", "len", "let", "list", "long", "loop",
    "main", "map", "match", "max", "min", "mod", "move", "mut", "new", "next", "not", "or", "out",
    "pass", "pub", "print", "raise", "range", "ref", "return", "self", "set", "solve", "sort",
    "sorted", "static", "std", "str", "string", "struct", "sum", "super", "switch", "template",
    "text", "this", "trait", "true", "try", "tuple", "type", "union", "unsafe", "use", "using",
    "vector", "virtual", "void", "where", "while", "with", "words", "yield", "NULL", "True",
    "False", "None",
];

/// A name as programs have it.
pub(super) fn target(name: &str) -> String {
    match name {
        "move" => "winning_move".to_owned(),
        name if TAKEN.contains(&name) => format!("{name}_"),
        name => name.to_owned(),
    }
}

impl<'f, 'm> Lowering<'f, 'm> {
    pub fn new(library: Vec<Signature>) -> Self {
        Self {
            names: Vec::new(),
            library,
            from_zero: false,
            records: Vec::new(),
            statement_depth: 0,
            unused: BTreeSet::new(),
            before: Vec::new(),
            played_in: None,
            finder: None,
        }
    }

    /// Gives a value of the program a name.
    pub fn name(&mut self, name: &str, of: Type) -> String {
        let target = target(name);
        let binding = Binding::Value(target.clone(), of);
        self.names.push((name.to_owned(), binding));
        target
    }

    pub fn depth(&self) -> usize {
        self.names.len()
    }

    pub fn forget(&mut self, depth: usize) {
        self.names.truncate(depth);
    }

    fn finder(&mut self) -> Result<&mut Finder<'f, 'm>, NoEmit> {
        self.finder.as_mut().ok_or(NoEmit::Clause(Clause::Sums))
    }

    fn block(&mut self, statements: &[problem::Statement]) -> Result<Vec<Statement>, NoEmit> {
        let depth = self.depth();
        let mut lowered = Vec::new();
        for statement in statements {
            self.statement_depth = self.depth();
            let mut now = Vec::new();
            self.statement(&statement.action, &mut now)?;
            // Tables of games that the statement makes stand before it.
            lowered.append(&mut self.before);
            lowered.append(&mut now);
        }
        self.forget(depth);
        Ok(lowered)
    }

    fn statement(&mut self, action: &Action, out: &mut Vec<Statement>) -> Result<(), NoEmit> {
        match action {
            Action::Read(readings) => {
                for reading in readings {
                    match (&reading.name, self.reading(&reading.kind)?) {
                        (Some(name), kind) => {
                            let target = self.name(&name.text, kind.of());
                            out.push(Statement::Read(target, kind));
                        }
                        (None, _) => out.push(Statement::Skip),
                    }
                }
            }
            // An input is taken to be right.
            Action::Require(_) => {}
            // What only an input must satisfy is not asked for.
            Action::Let(name, _) if self.unused.contains(&name.text) => {}
            Action::Let(name, value) => {
                let value = self.expression(value)?;
                let target = self.name(&name.text, value.of.clone());
                out.push(Statement::Let(target, value));
            }
            Action::Game(name, game) => {
                let (played, tables) = self.game(game, &name.text)?;
                out.extend(tables);
                self.names.push((name.text.clone(), Binding::Game(played)));
            }
            Action::Repeat(repeat) => {
                let depth = self.depth();
                let round = match &repeat.times {
                    Times::Count(count) => {
                        let count = self.expression(count)?;
                        let counter = repeat.counter.as_ref();
                        let counter = counter.map(|name| self.name(&name.text, Type::Number));
                        let body = self.block(&repeat.body)?;
                        Statement::Count(counter, Expr::number(1), count, body)
                    }
                    Times::UntilEnd => Statement::UntilEnd(self.block(&repeat.body)?),
                    Times::UntilStopped => Statement::Forever(self.block(&repeat.body)?),
                };
                self.forget(depth);
                out.push(round);
            }
            Action::For(generator, body) => {
                let depth = self.depth();
                let lowered = self.generator(generator)?;
                let mut body = self.block(body)?;
                self.forget(depth);
                if let Some(condition) = lowered.condition {
                    body = vec![Statement::If(vec![(condition, body)], Vec::new())];
                }
                out.push(match lowered.over {
                    Over::Range(from, to) => {
                        Statement::Count(lowered.names.into_iter().next(), from, to, body)
                    }
                    Over::List(list) => Statement::Each(lowered.names, list, body),
                });
            }
            Action::If(condition, then, otherwise) => {
                let mut branches = vec![(self.expression(condition)?, self.block(then)?)];
                let mut otherwise = self.block(otherwise)?;
                if let [Statement::If(more, last)] = otherwise.as_mut_slice() {
                    branches.append(more);
                    otherwise = std::mem::take(last);
                }
                out.push(Statement::If(branches, otherwise));
            }
            Action::Stop(None) => out.push(Statement::Break),
            Action::Stop(Some(condition)) => {
                let condition = self.expression(condition)?;
                let stop = vec![Statement::Break];
                out.push(Statement::If(vec![(condition, stop)], Vec::new()));
            }
            Action::Print(values) => self.print(values, true, out)?,
            Action::Write(values) => self.print(values, false, out)?,
        }
        Ok(())
    }

    fn print(
        &mut self,
        values: &[problem::Expression],
        is_line: bool,
        out: &mut Vec<Statement>,
    ) -> Result<(), NoEmit> {
        // Where one of two is printed that are of different kinds, the statement is chosen.
        if let [
            problem::Expression {
                term: problem::Term::Choose(condition, a, b),
                ..
            },
        ] = values
        {
            let (x, y) = (self.expression(a)?, self.expression(b)?);
            if x.of != y.of {
                let condition = self.expression(condition)?;
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.print(std::slice::from_ref(&**a), is_line, &mut then)?;
                self.print(std::slice::from_ref(&**b), is_line, &mut otherwise)?;
                out.push(Statement::If(vec![(condition, then)], otherwise));
                return Ok(());
            }
        }
        let mut all = Vec::new();
        for value in values {
            let value = self.expression(value)?;
            let Type::Tuple(parts) = &value.of else {
                all.push(value);
                continue;
            };
            for (place, of) in parts.iter().enumerate() {
                all.push(Expr {
                    term: Term::Part(Box::new(value.clone()), place),
                    of: of.clone(),
                });
            }
        }
        out.push(Statement::Print(Print {
            values: all,
            spaced: is_line,
            ends_line: is_line,
        }));
        Ok(())
    }

    fn reading(&mut self, kind: &Kind) -> Result<Reading, NoEmit> {
        Ok(match kind {
            Kind::Integer { least, greatest } => {
                for limit in [least, greatest].into_iter().flatten() {
                    if constant(limit).is_some_and(|limit| limit.to_i64().is_none()) {
                        // Its digits are read.
                        let is_natural = least.as_ref().and_then(constant) >= Some(BigInt::from(0));
                        if is_natural {
                            return Ok(Reading::Long);
                        }
                        return Err(NoEmit::LargeNumbers);
                    }
                }
                Reading::Number
            }
            Kind::OneOf(_) => Reading::Number,
            Kind::Word { .. } | Kind::Words(_) => Reading::Word,
            Kind::Tuple(readings) => {
                let depth = self.depth();
                let mut parts: Vec<Reading> = Vec::new();
                let mut names = Vec::new();
                for reading in readings {
                    let part = self.reading(&reading.kind)?;
                    if let Reading::List(count, _) = &part
                        && let Term::Name(counted) = &count.term
                        && let Some(place) = names.iter().rposition(|name| name == counted)
                        && !matches!(parts[place], Reading::Named(..))
                    {
                        let known = parts[place].clone();
                        parts[place] = Reading::Named(counted.clone(), Box::new(known));
                    }
                    let name = reading.name.as_ref();
                    names.push(name.map_or(String::new(), |name| self.name(&name.text, part.of())));
                    parts.push(part);
                }
                self.forget(depth);
                Reading::Tuple(parts)
            }
            Kind::List { extent, of, .. } => {
                let of = Box::new(self.reading(of)?);
                match extent {
                    Extent::Count(count) => Reading::List(self.expression(count)?, of),
                    Extent::Rest => Reading::Rest(of),
                    Extent::Line => return Err(NoEmit::Clause(Clause::Lines)),
                }
            }
        })
    }

    fn found(&self, name: &str) -> Option<&Binding> {
        let mut known = self.names.iter().rev();
        known
            .find(|(other, _)| other == name)
            .map(|(_, binding)| binding)
    }
}
