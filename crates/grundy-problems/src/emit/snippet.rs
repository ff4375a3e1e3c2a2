//! Functions of programs as text, in the words of problem files.
//!
//! The statements are `let`, `if`, `for` as there, and beside them `set x = e`, `append list, e`,
//! `put map, key, e`, `drop list`, `map name: KEY to VALUE`, `while c {`, `return e` and `break`. Lists are counted from 0. A line that begins
//! with `#` is a comment of the program, and `stands` before one of a function says on what a program stands that calls it.

use std::sync::OnceLock;

use super::lower::{Lowering, target};
use super::program::{Expr, Function, Over, Parameter, Record, Statement, Term, Type};
use crate::grammar::{Head, head};
use crate::lex::tokens;
use crate::problem::{self, Action};

/// A function, and what it is called in expressions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signature {
    /// The name in problem files and laws.
    pub called: String,
    /// The function.
    pub function: Function,
}

/// What every program may call.
pub(super) fn prelude() -> &'static [Signature] {
    static PRELUDE: OnceLock<Vec<Signature>> = OnceLock::new();
    PRELUDE.get_or_init(|| functions(include_str!("prelude.law"), &[], &[]))
}

/// The functions of a text, which may call those of `library` and one another.
///
/// # Panics
///
/// Where the text is wrong: it is one of ours.
pub(super) fn functions(text: &str, library: &[Signature], records: &[Record]) -> Vec<Signature> {
    let mut lines = text.lines().peekable();
    let mut about = Vec::new();
    let mut stands = None;
    let mut parts: Vec<(Signature, Vec<String>)> = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            about.push(comment.trim().to_owned());
        } else if let Some(said) = line.strip_prefix("stands ") {
            stands = Some(said.to_owned());
        } else if let Some(header) = line.strip_prefix("function ") {
            let mut signature = signature(header);
            signature.function.about = std::mem::take(&mut about);
            signature.function.stands = stands.take();
            let mut body = Vec::new();
            for line in lines.by_ref() {
                if line == "}" {
                    break;
                }
                body.push(line.trim().to_owned());
            }
            parts.push((signature, body));
        } else {
            about.clear();
        }
    }
    let mut known = library.to_vec();
    known.extend(parts.iter().map(|(signature, _)| signature.clone()));
    parts
        .into_iter()
        .map(|(mut signature, body)| {
            let mut lowering = Lowering::new(known.clone());
            lowering.from_zero = true;
            lowering.records = records.to_vec();
            for parameter in &signature.function.parameters {
                lowering.name(&parameter.name, parameter.of.clone());
            }
            let mut reader = Reader {
                lines: &body,
                place: 0,
                lowering,
            };
            signature.function.body = reader.block();
            for parameter in &mut signature.function.parameters {
                parameter.name = target(&parameter.name);
            }
            signature
        })
        .collect()
}

/// `nim_sum(values: list of number): number {`, or with what it is called before `is`.
fn signature(header: &str) -> Signature {
    let header = header.trim_end_matches('{').trim();
    let (name, rest) = header.split_once('(').expect("a function has parameters");
    let (called, name) = name.split_once(" is ").unwrap_or((name, name));
    let end = match rest.rfind("):") {
        Some(end) => end,
        None => rest.rfind(')').expect("its parameters end"),
    };
    let (parameters, gives) = (&rest[..end], &rest[end + 1..]);
    let mut all = Vec::new();
    for parameter in split(parameters) {
        let (changed, parameter) = match parameter.strip_prefix("changing ") {
            Some(rest) => (true, rest),
            None => (false, parameter),
        };
        let (name, of) = parameter.split_once(':').expect("a parameter has a kind");
        all.push(Parameter {
            name: name.trim().to_owned(),
            of: kind(of),
            changed,
        });
    }
    Signature {
        called: called.trim().to_owned(),
        function: Function {
            name: name.trim().to_owned(),
            about: Vec::new(),
            stands: None,
            parameters: all,
            gives: gives.strip_prefix(':').map(kind),
            body: Vec::new(),
        },
    }
}

/// What stands between commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A kind of values.
pub(super) fn kind(text: &str) -> Type {
    let text = text.trim();
    if let Some(of) = text.strip_prefix("list of ") {
        return Type::list(kind(of));
    }
    if let Some(of) = text.strip_prefix("map of ") {
        let (key, value) = of.rsplit_once(" to ").expect("a map has keys and values");
        return Type::Map(Box::new(kind(key)), Box::new(kind(value)));
    }
    if let Some(parts) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    {
        return Type::Tuple(split(parts).into_iter().map(kind).collect());
    }
    match text {
        "number" => Type::Number,
        "wide" => Type::Wide,
        "truth" => Type::Truth,
        "text" => Type::Text,
        "word" => Type::Word,
        "long" => Type::Long,
        "letter" => Type::Letter,
        record => Type::Record(record.to_owned()),
    }
}

struct Reader<'l> {
    lines: &'l [String],
    place: usize,
    lowering: Lowering<'static, 'static>,
}

impl Reader<'_> {
    /// The statements up to the end of the block.
    fn block(&mut self) -> Vec<Statement> {
        let depth = self.lowering.depth();
        let mut block = Vec::new();
        while let Some(line) = self.lines.get(self.place) {
            if line.starts_with('}') {
                break;
            }
            self.place += 1;
            if line.is_empty() {
                continue;
            }
            if let Some(comment) = line.strip_prefix('#') {
                let comment = comment.trim().to_owned();
                match block.last_mut() {
                    Some(Statement::Comment(lines)) => lines.push(comment),
                    _ => block.push(Statement::Comment(vec![comment])),
                }
                continue;
            }
            let statement = self.statement(line);
            block.push(statement);
        }
        self.lowering.forget(depth);
        block
    }

    /// The lines of the block that a line has opened, and its end.
    fn inner(&mut self) -> Vec<Statement> {
        let block = self.block();
        self.place += 1;
        block
    }

    fn statement(&mut self, line: &str) -> Statement {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let opened = rest.trim_end_matches('{').trim();
        match word {
            "set" => {
                let [equation] = self.raw(rest).try_into().expect("one equation");
                let problem::Term::Chain(left, right) = &equation.term else {
                    panic!("{line}: no equation")
                };
                let [(problem::Comparison::Equal, right)] = right.as_slice() else {
                    panic!("{line}: no equation")
                };
                Statement::Set(self.lower(left), self.lower(right))
            }
            "append" | "put" => {
                let mut values: Vec<Expr> = self.several(rest);
                let value = values.pop().expect("a value");
                match (word, values.as_slice()) {
                    ("append", [list]) => Statement::Append(list.clone(), value),
                    ("put", [map, key]) => Statement::Put(map.clone(), key.clone(), value),
                    _ => panic!("{line}: not so many values"),
                }
            }
            "drop" => Statement::Drop(self.one(rest)),
            "map" => {
                let (name, of) = rest.split_once(": ").expect("a map has a kind");
                let of = kind(&format!("map of {of}"));
                let target = self.lowering.name(name, of.clone());
                Statement::Let(target, empty(&of))
            }
            "return" => Statement::Return(self.one(rest)),
            "break" => Statement::Break,
            "while" => {
                let condition = self.one(opened);
                Statement::While(condition, self.inner())
            }
            "if" => {
                let mut branches = vec![(self.one(opened), self.block())];
                loop {
                    let end = self.lines[self.place].clone();
                    self.place += 1;
                    if let Some(condition) = end.strip_prefix("} else if ") {
                        let condition = self.one(condition.trim_end_matches('{').trim());
                        branches.push((condition, self.block()));
                    } else if end.starts_with("} else") {
                        return Statement::If(branches, self.inner());
                    } else {
                        return Statement::If(branches, Vec::new());
                    }
                }
            }
            "for" => {
                let Ok(Head::For(generator)) = head(&tokens(line.trim_end_matches('{')), true)
                else {
                    panic!("{line}: no round")
                };
                let depth = self.lowering.depth();
                let lowered = self.lowering.generator(&generator);
                let lowered = lowered.unwrap_or_else(|fault| panic!("{line}: {fault:?}"));
                let body = self.inner();
                self.lowering.forget(depth);
                match lowered.over {
                    Over::Range(from, to) => {
                        Statement::Count(lowered.names.into_iter().next(), from, to, body)
                    }
                    Over::List(list) => Statement::Each(lowered.names, list, body),
                }
            }
            _ => {
                let Ok(Head::Simple(Action::Let(name, value))) = head(&tokens(line), false) else {
                    panic!("{line}: no statement")
                };
                let value = self.lower(&value);
                let target = self.lowering.name(&name.text, value.of.clone());
                Statement::Let(target, value)
            }
        }
    }

    fn raw(&self, text: &str) -> Vec<problem::Expression> {
        match head(&tokens(&format!("print {text}")), false) {
            Ok(Head::Simple(Action::Print(values))) => values,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn lower(&mut self, expression: &problem::Expression) -> Expr {
        let lowered = self.lowering.expression(expression);
        lowered.unwrap_or_else(|fault| panic!("{fault:?} in {expression:?}"))
    }

    fn several(&mut self, text: &str) -> Vec<Expr> {
        let raw = self.raw(text);
        raw.iter().map(|value| self.lower(value)).collect()
    }

    fn one(&mut self, text: &str) -> Expr {
        let mut values = self.several(text);
        assert_eq!(values.len(), 1, "{text}: one value");
        values.remove(0)
    }
}

/// The functions of graphs whose vertices have names of this kind, for the arguments of a call.
pub(super) fn by_name(called: &str, values: &[Expr]) -> Option<Vec<Signature>> {
    let Type::Tuple(ends) = values.first()?.of.entry()? else {
        return None;
    };
    let [name, other] = ends.as_slice() else {
        return None;
    };
    let text = include_str!("names.law");
    let is_known = text.contains(&format!("function {called} is "));
    if !is_known || name != other || *name == Type::Number {
        return None;
    }
    let text = text.replace("NAME", &word(name)?);
    Some(functions(&text, prelude(), &[]))
}

/// A kind of names, as [`kind`] reads it.
fn word(of: &Type) -> Option<String> {
    Some(match of {
        Type::Number => "number".to_owned(),
        Type::Letter => "letter".to_owned(),
        Type::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(word).collect();
            format!("({})", parts?.join(", "))
        }
        _ => return None,
    })
}

/// An empty value of a kind, for tables that begin empty.
pub(super) fn empty(of: &Type) -> Expr {
    Expr {
        term: match of {
            Type::Map(..) => Term::EmptyMap,
            _ => Term::List(Vec::new()),
        },
        of: of.clone(),
    }
}
