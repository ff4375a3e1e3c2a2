//! From a problem file to a program.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::find::{Finder, Played};
use super::laws::{Answer, Law};
use super::program::{
    Argument, Comparison, Expr, Generator, Known, Operator, Over, Print, Program, Reading, Record,
    Search, Statement, Term, Type,
};
use super::snippet::{self, Signature};
use super::{Clause, Grounds, NoEmit, Question};
use crate::problem::{
    self, Action, Binary, Extent, Extreme, Kind, Name, PlayedGame, Problem, Times,
};
use grundy_rules::Meter;

/// The program that answers a problem.
pub(super) fn program(
    problem: &Problem,
    grounds: &Grounds,
    meter: &mut Meter,
) -> Result<Program, NoEmit> {
    let mut lowering = Lowering::new(snippet::prelude().to_vec());
    lowering.finder = Some(Finder::new(grounds, largest(&problem.body), meter));
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
                        return Err(NoEmit::LargeNumbers);
                    }
                }
                Reading::Number
            }
            Kind::OneOf(_) => Reading::Number,
            Kind::Word { .. } | Kind::Words(_) => Reading::Word,
            Kind::Tuple(readings) => {
                let depth = self.depth();
                let mut parts = Vec::new();
                for reading in readings {
                    let part = self.reading(&reading.kind)?;
                    if let Some(name) = &reading.name {
                        self.name(&name.text, part.of());
                    }
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

    /// An expression.
    pub fn expression(&mut self, expression: &problem::Expression) -> Result<Expr, NoEmit> {
        use problem::Term as From;
        let kinds = NoEmit::Clause(Clause::Kinds);
        Ok(match &expression.term {
            From::Number(n) => Expr::number(n.clone()),
            From::Text(text) => Expr {
                term: Term::Text(text.clone()),
                of: Type::Text,
            },
            From::None | From::Endless => return Err(kinds),
            From::Variable(name) => match self.found(name) {
                Some(Binding::Value(target, of)) => Expr::name(target, of.clone()),
                Some(Binding::Game(_)) => return Err(kinds),
                None if name == "true" || name == "false" => {
                    Expr::truth(Term::Truth(name == "true"))
                }
                None => return Err(NoEmit::Function(name.clone())),
            },
            From::Not(of) => self.expression(of)?.negated(),
            From::Minus(of) => {
                let value = self.expression(of)?;
                match value.as_number() {
                    Some(n) => Expr::number(-n),
                    None => Expr {
                        of: value.of.clone(),
                        term: Term::Minus(Box::new(value)),
                    },
                }
            }
            From::Binary(binary, a, b) => self.binary(*binary, a, b)?,
            From::Chain(first, rest) => self.chain(first, rest)?,
            From::Choose(condition, a, b) => {
                let condition = Box::new(self.expression(condition)?);
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                if a.of != b.of {
                    return Err(kinds);
                }
                let of = a.of.clone();
                Expr {
                    term: Term::Choose(condition, Box::new(a), Box::new(b)),
                    of,
                }
            }
            From::Tuple(parts) => {
                let parts = self.all(parts)?;
                Expr {
                    of: Type::Tuple(parts.iter().map(|part| part.of.clone()).collect()),
                    term: Term::Tuple(parts),
                }
            }
            From::List(entries) => {
                let entries = self.all(entries)?;
                let of = entries
                    .first()
                    .map_or(Type::Number, |entry| entry.of.clone());
                if entries.iter().any(|entry| entry.of != of) {
                    return Err(kinds);
                }
                Expr {
                    of: Type::list(of),
                    term: Term::List(entries),
                }
            }
            From::Range(from, Some(to)) => {
                let (from, to) = (self.expression(from)?, self.expression(to)?);
                let entry = Expr::name("i", Type::Number);
                let round = Generator {
                    names: vec!["i".to_owned()],
                    over: Over::Range(from, to),
                    condition: None,
                };
                Expr {
                    term: Term::Comprehension(Box::new(entry), vec![round]),
                    of: Type::list(Type::Number),
                }
            }
            From::Range(_, None) => return Err(NoEmit::Clause(Clause::Endless)),
            From::Comprehension(entry, generators) => self.comprehension(entry, generators)?,
            From::Index(list, index) => {
                let list = self.expression(list)?;
                let index = self.expression(index)?;
                let index = if self.from_zero {
                    index
                } else {
                    Expr::binary(Operator::Minus, index, Expr::number(1))
                };
                let of = match &list.of {
                    Type::List(of) => (**of).clone(),
                    Type::Word => Type::Letter,
                    Type::Tuple(parts) => {
                        let place = index.as_number().and_then(ToPrimitive::to_usize);
                        let place = place.filter(|place| *place < parts.len()).ok_or(kinds)?;
                        return Ok(Expr {
                            of: parts[place].clone(),
                            term: Term::Part(Box::new(list), place),
                        });
                    }
                    _ => return Err(kinds),
                };
                Expr {
                    term: Term::Index(Box::new(list), Box::new(index)),
                    of,
                }
            }
            From::Field(of, field) => {
                let mut of = self.expression(of)?;
                if let Type::List(entry) = &of.of {
                    // The first of some, which was asked for.
                    let entry = (**entry).clone();
                    of = Expr {
                        term: Term::Index(Box::new(of), Box::new(Expr::number(0))),
                        of: entry,
                    };
                }
                self.field(of, &field.text)?
            }
            From::Call(name, arguments) => self.call(name, arguments)?,
            From::At(..) => return Err(NoEmit::Clause(Clause::Sums)),
            From::Extreme {
                extreme,
                name,
                over,
                condition,
            } => self.search(*extreme, name, over, condition)?,
        })
    }

    fn all(&mut self, expressions: &[problem::Expression]) -> Result<Vec<Expr>, NoEmit> {
        expressions.iter().map(|e| self.expression(e)).collect()
    }

    fn binary(
        &mut self,
        binary: Binary,
        a: &problem::Expression,
        b: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let (a, b) = (self.expression(a)?, self.expression(b)?);
        let operator = match binary {
            Binary::Or => return Ok(Expr::truth(Term::Or(Box::new(a), Box::new(b)))),
            Binary::And => return Ok(Expr::truth(Term::And(Box::new(a), Box::new(b)))),
            Binary::Join => {
                let is_text = |of: &Type| matches!(of, Type::Text | Type::Word | Type::Letter);
                return if is_text(&a.of) && is_text(&b.of) {
                    Ok(Expr::known(Known::JoinTexts, vec![a, b], Type::Word))
                } else {
                    let of = a.of.clone();
                    Ok(Expr::known(Known::JoinLists, vec![a, b], of))
                };
            }
            Binary::Power => {
                return match (a.as_number(), b.as_number()) {
                    (Some(x), Some(y)) => {
                        let exponent = y.to_u32().filter(|y| *y < 200);
                        let exponent = exponent.ok_or(NoEmit::LargeNumbers)?;
                        Ok(Expr::number(x.pow(exponent)))
                    }
                    (Some(x), None) if *x == BigInt::from(2) => {
                        Ok(Expr::binary(Operator::ShiftLeft, Expr::number(1), b))
                    }
                    _ => Err(NoEmit::Clause(Clause::Powers)),
                };
            }
            Binary::BitOr => Operator::BitOr,
            Binary::BitXor => Operator::BitXor,
            Binary::BitAnd => Operator::BitAnd,
            Binary::ShiftLeft => Operator::ShiftLeft,
            Binary::ShiftRight => Operator::ShiftRight,
            Binary::Plus => Operator::Plus,
            Binary::Minus => Operator::Minus,
            Binary::Times => Operator::Times,
            Binary::Over => Operator::Over,
            Binary::Modulo => Operator::Modulo,
        };
        Ok(Expr::binary(operator, a, b))
    }

    fn chain(
        &mut self,
        first: &problem::Expression,
        rest: &[(problem::Comparison, problem::Expression)],
    ) -> Result<Expr, NoEmit> {
        let mut all: Option<Expr> = None;
        let mut left = first;
        for (comparison, right) in rest {
            let holds = self.comparison(*comparison, left, right)?;
            all = Some(match all {
                None => holds,
                Some(before) => Expr::truth(Term::And(Box::new(before), Box::new(holds))),
            });
            left = right;
        }
        all.ok_or(NoEmit::Clause(Clause::Kinds))
    }

    fn comparison(
        &mut self,
        comparison: problem::Comparison,
        a: &problem::Expression,
        b: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        use problem::Comparison as From;
        let to = match comparison {
            From::Equal => Comparison::Equal,
            From::Unequal => Comparison::Unequal,
            From::Less => Comparison::Less,
            From::AtMost => Comparison::AtMost,
            From::Greater => Comparison::Greater,
            From::AtLeast => Comparison::AtLeast,
            From::In => return self.is_in(a, b),
            From::NotIn => return Ok(self.is_in(a, b)?.negated()),
        };
        if matches!(b.term, problem::Term::None) {
            // No answer: an empty list of answers, or -1 where a number was looked for.
            let value = self.expression(a)?;
            let is_none = match &value.of {
                Type::List(_) => {
                    let length = Expr::known(Known::Length, vec![value], Type::Number);
                    Expr::compare(Comparison::Equal, length, Expr::number(0))
                }
                _ => Expr::compare(Comparison::Less, value, Expr::number(0)),
            };
            return Ok(match to {
                Comparison::Equal => is_none,
                _ => is_none.negated(),
            });
        }
        let (mut a, mut b) = (self.expression(a)?, self.expression(b)?);
        as_letter(&mut a, &b.of);
        as_letter(&mut b, &a.of);
        Ok(Expr::compare(to, a, b))
    }

    fn is_in(
        &mut self,
        value: &problem::Expression,
        list: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let value = self.expression(value)?;
        if let problem::Term::Range(from, Some(to)) = &list.term {
            let (from, to) = (self.expression(from)?, self.expression(to)?);
            let least = Expr::compare(Comparison::AtMost, from, value.clone());
            let greatest = Expr::compare(Comparison::AtMost, value, to);
            return Ok(Expr::truth(Term::And(Box::new(least), Box::new(greatest))));
        }
        let list = self.expression(list)?;
        Ok(match &list.of {
            Type::Text | Type::Word => Expr::known(Known::Contains, vec![value, list], Type::Truth),
            Type::List(_) => self.library_call("is_in", vec![value, list])?,
            _ => return Err(NoEmit::Clause(Clause::Kinds)),
        })
    }

    pub fn generator(&mut self, generator: &problem::Generator) -> Result<Generator, NoEmit> {
        let kinds = NoEmit::Clause(Clause::Kinds);
        let over = match &generator.over.term {
            problem::Term::Range(from, Some(to)) if generator.key.is_none() => {
                Over::Range(self.expression(from)?, self.expression(to)?)
            }
            _ => Over::List(self.expression(&generator.over)?),
        };
        let entry = match &over {
            Over::Range(..) => Type::Number,
            Over::List(list) => match &list.of {
                Type::List(of) => (**of).clone(),
                Type::Word => Type::Letter,
                _ => return Err(kinds),
            },
        };
        let mut names = Vec::new();
        match (generator.names.as_slice(), &entry) {
            ([one], of) => names.push(self.name(&one.text, of.clone())),
            (several, Type::Tuple(parts)) if several.len() == parts.len() => {
                for (name, of) in several.iter().zip(parts) {
                    names.push(self.name(&name.text, of.clone()));
                }
            }
            _ => return Err(kinds),
        }
        let over = match (&generator.key, over) {
            (Some(key), Over::List(list)) => {
                let [name] = names.as_slice() else {
                    return Err(kinds);
                };
                let key = self.expression(key)?;
                let of = list.of.clone();
                Over::List(Expr {
                    term: Term::SortedBy(Box::new(list), name.clone(), Box::new(key)),
                    of,
                })
            }
            (_, over) => over,
        };
        let condition = generator.condition.as_ref();
        let condition = condition.map(|condition| self.expression(condition));
        Ok(Generator {
            names,
            over,
            condition: condition.transpose()?,
        })
    }

    fn comprehension(
        &mut self,
        entry: &problem::Expression,
        generators: &[problem::Generator],
    ) -> Result<Expr, NoEmit> {
        let depth = self.depth();
        let mut rounds = Vec::new();
        for generator in generators {
            rounds.push(self.generator(generator)?);
        }
        let entry = self.expression(entry)?;
        self.forget(depth);
        // A list as it is needs no new one.
        if let [
            Generator {
                names,
                over: Over::List(list),
                condition: None,
            },
        ] = rounds.as_slice()
            && let ([name], Term::Name(other)) = (names.as_slice(), &entry.term)
            && name == other
        {
            return Ok(list.clone());
        }
        let of = Type::list(entry.of.clone());
        Ok(Expr {
            term: Term::Comprehension(Box::new(entry), rounds),
            of,
        })
    }

    fn search(
        &mut self,
        extreme: Extreme,
        name: &Name,
        over: &problem::Expression,
        condition: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let (from, to) = match &over.term {
            problem::Term::Range(from, Some(to)) => (self.expression(from)?, self.expression(to)?),
            problem::Term::Range(_, None) => return Err(NoEmit::Clause(Clause::Endless)),
            _ => return Err(NoEmit::Clause(Clause::Kinds)),
        };
        let depth = self.depth();
        let target = self.name(&name.text, Type::Number);
        let condition = self.expression(condition)?;
        self.forget(depth);
        let search = match extreme {
            Extreme::Least => Search::Least,
            Extreme::Greatest => Search::Greatest,
            Extreme::Count => Search::Count,
        };
        Ok(Expr {
            term: Term::Search(
                search,
                target,
                Box::new(from),
                Box::new(to),
                Box::new(condition),
            ),
            of: Type::Number,
        })
    }

    /// A call of a function of the library.
    fn library_call(&mut self, name: &str, values: Vec<Expr>) -> Result<Expr, NoEmit> {
        let fits = |signature: &&Signature| {
            let parameters = &signature.function.parameters;
            signature.called == name
                && parameters.len() == values.len()
                && parameters.iter().zip(&values).all(|(p, v)| suits(&p.of, v))
        };
        let unknown = || NoEmit::Function(name.to_owned());
        let signature = self.library.iter().find(fits).ok_or_else(unknown)?;
        Ok(called(signature, values))
    }

    fn call(&mut self, name: &Name, arguments: &[problem::Expression]) -> Result<Expr, NoEmit> {
        let question = match name.text.as_str() {
            "won" | "lost" | "outcome" => Some(Question::Outcome),
            "value" => Some(Question::Value),
            "winning" => Some(Question::Winning),
            "moves" => Some(Question::Moves),
            "plays" => Some(Question::Plays),
            _ => None,
        };
        if let (
            "first",
            [
                problem::Expression {
                    term: problem::Term::Call(inner, of),
                    ..
                },
            ],
        ) = (name.text.as_str(), arguments)
            && inner.text == "winning"
            && let [
                problem::Expression {
                    term: problem::Term::At(game, position),
                    ..
                },
            ] = of.as_slice()
            && let Some(first) = self.first_winning(game, position)?
        {
            return Ok(first);
        }
        if let (Some(question), [sum]) = (question, arguments)
            && let problem::Term::At(game, position) = &sum.term
        {
            let asked = self.question(question, game, position)?;
            return Ok(match name.text.as_str() {
                "won" => asked.negated(),
                "outcome" if asked.of == Type::Truth => {
                    let text = |letter: &str| Expr {
                        term: Term::Text(letter.to_owned()),
                        of: Type::Text,
                    };
                    Expr {
                        term: Term::Choose(
                            Box::new(asked),
                            Box::new(text("P")),
                            Box::new(text("N")),
                        ),
                        of: Type::Text,
                    }
                }
                _ => asked,
            });
        }
        let mut values = self.all(arguments)?;
        let number = |known, values| Ok(Expr::known(known, values, Type::Number));
        match (name.text.as_str(), values.len()) {
            ("length", 1) => number(Known::Length, values),
            ("abs", 1) => number(Known::Abs, values),
            ("popcount", 1) => number(Known::Popcount, values),
            ("min" | "max", 2) => {
                let known = if name.text == "min" {
                    Known::Min
                } else {
                    Known::Max
                };
                let wide = values.iter().any(|value| value.of == Type::Wide);
                let of = if wide { Type::Wide } else { Type::Number };
                Ok(Expr::known(known, values, of))
            }
            ("wide", 1) => Ok(Expr::known(Known::Wide, values, Type::Wide)),
            ("narrow", 1) => number(Known::Narrow, values),
            ("text", 1) => Ok(Expr::known(Known::Text, values, Type::Word)),
            ("letters", 1) => Ok(Expr::known(
                Known::Letters,
                values,
                Type::list(Type::Letter),
            )),
            ("sort", 1) => {
                let of = values[0].of.clone();
                Ok(Expr::known(Known::Sorted, values, of))
            }
            ("filled", 2) => {
                let (value, count) = (values.remove(1), values.remove(0));
                let of = Type::list(value.of.clone());
                Ok(Expr {
                    term: Term::Filled(Box::new(count), Box::new(value)),
                    of,
                })
            }
            ("has", 2) => Ok(Expr::known(Known::Has, values, Type::Truth)),
            ("get", 2) => match values[0].of.clone() {
                Type::Map(_, of) => Ok(Expr::known(Known::Get, values, *of)),
                _ => Err(NoEmit::Clause(Clause::Kinds)),
            },
            // The first of some that may be none stays a list, and its parts are those of its first.
            ("first", 1) if matches!(values[0].of.entry(), Some(Type::Record(_))) => {
                Ok(values.remove(0))
            }
            ("first", 1) => {
                let list = values.remove(0);
                let of = list
                    .of
                    .entry()
                    .cloned()
                    .ok_or(NoEmit::Clause(Clause::Kinds))?;
                Ok(Expr {
                    term: Term::Index(Box::new(list), Box::new(Expr::number(0))),
                    of,
                })
            }
            (name, _) => {
                let record = self.records.iter().find(|record| record.name == name);
                if let Some(record) = record {
                    let names = record.parts.iter().map(|(name, _)| name.clone());
                    return Ok(Expr {
                        term: Term::Record(names.zip(values).collect()),
                        of: Type::Record(record.name.clone()),
                    });
                }
                self.library_call(name, values)
            }
        }
    }

    /// A part of a move.
    fn field(&mut self, of: Expr, field: &str) -> Result<Expr, NoEmit> {
        if field == "after" {
            // The heaps with the one that is moved in replaced.
            let position = self.played_in.clone().ok_or(NoEmit::Clause(Clause::Sums))?;
            let place = self.field(of.clone(), "place")?;
            let place = Expr::binary(Operator::Minus, place, Expr::number(1));
            let left = self.field(of, "to")?;
            return self.library_call("replaced", vec![position, place, left]);
        }
        let Type::Record(record) = &of.of else {
            return Err(NoEmit::Clause(Clause::Kinds));
        };
        let unknown = || NoEmit::Function(field.to_owned());
        let records = match &self.finder {
            Some(finder) => &finder.records,
            None => &self.records,
        };
        let known = records.iter().find(|known| known.name == *record);
        let name = match field {
            "from" => "before",
            "to" => "after",
            other => other,
        };
        let (name, part) = known
            .and_then(|known| known.parts.iter().find(|(other, _)| other == name))
            .cloned()
            .ok_or_else(unknown)?;
        Ok(Expr {
            term: Term::Field(Box::new(of), name),
            of: part,
        })
    }

    fn game(
        &mut self,
        game: &problem::Game,
        called: &str,
    ) -> Result<(Played, Vec<Statement>), NoEmit> {
        let mut parameters = Vec::new();
        for (name, value) in &game.parameters {
            parameters.push((name.text.clone(), self.expression(value)?));
        }
        let base = match &game.rules {
            problem::Rules::Named(name) => match self.found_game(&name.text) {
                Some(played) => played,
                None => Finder::catalogue(&name.text)?,
            },
            problem::Rules::Written { text, .. } => Finder::written(text, called)?,
        };
        self.finder()?.made(base, game.misere, parameters)
    }

    fn found_game(&self, name: &str) -> Option<Played> {
        self.names
            .iter()
            .rev()
            .find_map(|(known, binding)| match binding {
                Binding::Game(game) if known == name => Some(game.clone()),
                _ => None,
            })
    }

    fn played(&mut self, game: &PlayedGame) -> Result<Played, NoEmit> {
        match game {
            PlayedGame::Named(name) => match self.found_game(&name.text) {
                Some(played) => Ok(played),
                None => Finder::catalogue(&name.text),
            },
            PlayedGame::Made(game) => {
                let (played, tables) = self.game(game, "game")?;
                // A table that would hold for one round only has no place.
                if !tables.is_empty() && self.depth() > self.statement_depth {
                    return Err(NoEmit::Clause(Clause::Sums));
                }
                self.before.extend(tables);
                Ok(played)
            }
        }
    }

    /// Whether a position is lost, what it is worth, or its winning moves.
    fn question(
        &mut self,
        question: Question,
        game: &PlayedGame,
        position: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let mut played = self.played(game)?;
        let position = self.expression(position)?;
        // A sum of one row is that row.
        let alone = match &position.term {
            Term::List(entries) => entries.len() == 1,
            _ => !matches!(position.of, Type::List(_)),
        };
        let law = self.finder()?.law(&mut played, question, alone)?;
        let asked = Asked {
            law: &law,
            played: &played,
        };
        let is_sum = matches!(position.of, Type::List(_));
        let none = || NoEmit::Game {
            game: played.rules.name.clone(),
            question,
        };
        match question {
            Question::Outcome => {
                if let (Some(answer), false) = (&law.outcome, is_sum) {
                    return asked.component(answer, position);
                }
                if let (Some(answer), true) = (&law.lost_sum, is_sum) {
                    return asked.of(answer, vec![position]);
                }
                if let (Some(answer), false) = (&law.lost, is_sum) {
                    return asked.component(answer, position);
                }
                if let (Some(answer), false) = (&law.lost_sum, is_sum) {
                    let of = Type::list(position.of.clone());
                    let alone = Expr {
                        term: Term::List(vec![position]),
                        of,
                    };
                    return asked.of(answer, vec![alone]);
                }
                // A sum of one row is that row.
                if let (Some(answer), Term::List(entries)) = (&law.lost, &position.term)
                    && let [row] = entries.as_slice()
                {
                    return asked.component(answer, row.clone());
                }
                let value = self.value(&asked, position).ok_or_else(none)??;
                Ok(Expr::compare(Comparison::Equal, value, Expr::number(0)))
            }
            Question::Value => self.value(&asked, position).ok_or_else(none)?,
            Question::Winning => {
                if let (Some(answer), false) = (&law.winning_one, is_sum) {
                    return asked.component(answer, position);
                }
                let answer = law.winning.as_ref().ok_or_else(none)?;
                self.played_in = Some(position.clone());
                let position = if is_sum {
                    position
                } else {
                    let of = Type::list(position.of.clone());
                    Expr {
                        term: Term::List(vec![position]),
                        of,
                    }
                };
                asked.of(answer, vec![position])
            }
            Question::Moves | Question::Plays => Err(none()),
        }
    }

    /// The first winning move of one component, where a law gives that alone.
    fn first_winning(
        &mut self,
        game: &PlayedGame,
        position: &problem::Expression,
    ) -> Result<Option<Expr>, NoEmit> {
        let mut played = self.played(game)?;
        let position = self.expression(position)?;
        let alone = !matches!(position.of, Type::List(_));
        let law = self.finder()?.law(&mut played, Question::Winning, alone)?;
        match &law.first_one {
            Some(answer) if !matches!(position.of, Type::List(_)) => {
                let asked = Asked {
                    law: &law,
                    played: &played,
                };
                Ok(Some(asked.component(answer, position)?))
            }
            _ => Ok(None),
        }
    }

    /// What a position is worth, where components have values.
    fn value(&mut self, asked: &Asked, position: Expr) -> Option<Result<Expr, NoEmit>> {
        let answer = asked.law.value.as_ref()?;
        Some(self.value_by(asked, answer, position))
    }

    fn value_by(&mut self, asked: &Asked, answer: &Answer, position: Expr) -> Result<Expr, NoEmit> {
        let Type::List(entry) = &position.of else {
            return asked.component(answer, position);
        };
        // A few components are joined where they stand.
        if let Term::List(entries) = &position.term
            && entries.len() <= 3
            && !entries.is_empty()
        {
            let mut values = Vec::new();
            for entry in entries {
                values.push(asked.component(answer, entry.clone())?);
            }
            let joined = values
                .into_iter()
                .reduce(|a, b| Expr::binary(Operator::BitXor, a, b));
            return Ok(joined.expect("there is one"));
        }
        let values = if *answer == Answer::Itself {
            position
        } else if let Term::Comprehension(entry, rounds) = position.term {
            // The list of components need not be made.
            let value = asked.component(answer, *entry)?;
            Expr {
                term: Term::Comprehension(Box::new(value), rounds),
                of: Type::list(Type::Number),
            }
        } else {
            let (names, component) = match &**entry {
                Type::Tuple(parts) => {
                    let names: Vec<String> = asked.law.names(parts.len());
                    let entries = names.iter().zip(parts);
                    let entries = entries
                        .map(|(name, of)| Expr::name(name, of.clone()))
                        .collect();
                    let of = (**entry).clone();
                    (
                        names,
                        Expr {
                            term: Term::Tuple(entries),
                            of,
                        },
                    )
                }
                of => (
                    asked.law.names(1),
                    Expr::name(&asked.law.names(1)[0], of.clone()),
                ),
            };
            let value = asked.component(answer, component)?;
            Expr {
                term: Term::Comprehension(
                    Box::new(value),
                    vec![Generator {
                        names,
                        over: Over::List(position),
                        condition: None,
                    }],
                ),
                of: Type::list(Type::Number),
            }
        };
        self.library_call("xor", vec![values])
    }
}

/// A law and the game that it answers about.
struct Asked<'l> {
    law: &'l Law,
    played: &'l Played,
}

impl Asked<'_> {
    /// The answer about one component.
    fn component(&self, answer: &Answer, component: Expr) -> Result<Expr, NoEmit> {
        let coordinates = match component.term {
            Term::Tuple(parts) => parts,
            _ => match &component.of {
                Type::Tuple(kinds) => {
                    let part = |(place, of): (usize, &Type)| Expr {
                        term: Term::Part(Box::new(component.clone()), place),
                        of: of.clone(),
                    };
                    kinds.iter().enumerate().map(part).collect()
                }
                _ => vec![component],
            },
        };
        self.of(answer, coordinates)
    }

    /// The answer for these values, with the parameters and tables that it needs.
    fn of(&self, answer: &Answer, mut values: Vec<Expr>) -> Result<Expr, NoEmit> {
        let Answer::Function(name) = answer else {
            return match values.len() {
                1 => Ok(values.remove(0)),
                _ => Err(NoEmit::Clause(Clause::Kinds)),
            };
        };
        let signature = self
            .law
            .functions
            .iter()
            .find(|known| known.called == *name);
        let signature = signature.ok_or_else(|| NoEmit::Function(name.clone()))?;
        for parameter in signature.function.parameters.iter().skip(values.len()) {
            values.push(self.played.value_of(parameter)?);
        }
        if signature.function.parameters.len() != values.len() {
            return Err(NoEmit::Function(name.clone()));
        }
        Ok(called(signature, values))
    }
}

/// A call of a function.
fn called(signature: &Signature, values: Vec<Expr>) -> Expr {
    let parameters = signature.function.parameters.iter();
    let arguments = parameters.zip(values).map(|(parameter, mut value)| {
        if parameter.of == Type::Wide && value.of == Type::Number {
            value = Expr::known(Known::Wide, vec![value], Type::Wide);
        }
        Argument {
            value,
            changed: parameter.changed,
        }
    });
    Expr {
        term: Term::Call(signature.function.name.clone(), arguments.collect()),
        of: signature.function.gives.clone().unwrap_or(Type::Truth),
    }
}

/// Whether a value can stand for a parameter.
fn suits(of: &Type, value: &Expr) -> bool {
    *of == value.of
        || *of == Type::Wide && value.of == Type::Number
        // A list without entries is one of any kind.
        || matches!((of, &value.term), (Type::List(_), Term::List(entries)) if entries.is_empty())
}

/// A text of one letter as that letter, where it meets one.
fn as_letter(value: &mut Expr, other: &Type) {
    if let (Term::Text(text), Type::Letter) = (&value.term, other)
        && text.chars().count() == 1
    {
        value.of = Type::Letter;
    }
}

/// The largest number that is read, where all limits are numbers.
fn largest(statements: &[problem::Statement]) -> Option<BigInt> {
    fn kind(of: &Kind) -> Option<BigInt> {
        match of {
            Kind::Integer { greatest, .. } => constant(greatest.as_ref()?),
            Kind::OneOf(all) => all
                .iter()
                .map(constant)
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            Kind::Word { .. } | Kind::Words(_) => Some(BigInt::from(0)),
            Kind::Tuple(readings) => readings
                .iter()
                .map(|reading| kind(&reading.kind))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            Kind::List { of, .. } => kind(of),
        }
    }
    let mut all = BigInt::from(0);
    for statement in statements {
        let found = match &statement.action {
            Action::Read(readings) => {
                let limits: Option<Vec<BigInt>> = readings.iter().map(|r| kind(&r.kind)).collect();
                limits?.into_iter().max().unwrap_or_default()
            }
            Action::Repeat(repeat) => largest(&repeat.body)?,
            Action::For(_, body) => largest(body)?,
            Action::If(_, then, otherwise) => largest(then)?.max(largest(otherwise)?),
            _ => continue,
        };
        all = all.max(found);
    }
    Some(all)
}

/// The number that an expression without names is.
fn constant(expression: &problem::Expression) -> Option<BigInt> {
    match &expression.term {
        problem::Term::Number(n) => Some(n.clone()),
        problem::Term::Binary(binary, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match binary {
                Binary::Plus => Some(a + b),
                Binary::Minus => Some(a - b),
                Binary::Times => Some(a * b),
                Binary::Power => Some(a.pow(b.to_u32().filter(|b| *b < 10_000)?)),
                _ => None,
            }
        }
        _ => None,
    }
}
