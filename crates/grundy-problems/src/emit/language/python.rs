//! Python 3.

use super::{
    Level, Lines, any_statement, compared, is_recursive, level, quoted, sides, sign, wrapped,
};
use crate::emit::program::{
    Expr, Function, Generator, Known, Operator, Over, Print, Program, Reading, Search, Statement,
    Term, Type,
};
use crate::emit::tidy::visit;

/// A program as text.
pub(super) fn print(program: &Program) -> String {
    let mut out = Lines::new();
    out.line("\"\"\"");
    for line in &program.about {
        for part in wrapped(line, super::WIDTH) {
            out.line(part);
        }
    }
    out.line("\"\"\"");
    out.line("");
    let reads = any_statement(program, &|s| {
        matches!(s, Statement::Read(..) | Statement::Skip)
    });
    let mut folds = false;
    let bodies = program.functions.iter().map(|function| &function.body);
    for body in bodies.chain([&program.body]) {
        visit(body, &mut |expr| {
            folds |= matches!(expr.term, Term::Fold(..))
        });
    }
    out.line("import sys");
    if reads {
        out.line("from collections import deque");
    }
    if folds {
        out.line("from functools import reduce");
    }
    if !program.records.is_empty() {
        out.line("from typing import NamedTuple");
    }
    for record in &program.records {
        out.line("");
        out.line("");
        out.line(format!("class {}(NamedTuple):", record.name));
        out.depth += 1;
        for (name, of) in &record.parts {
            out.line(format!("{name}: {}", kind(of)));
        }
        out.depth -= 1;
    }
    for function in &program.functions {
        self::function(function, &mut out);
    }
    out.line("");
    out.line("");
    out.line("def main():");
    out.depth += 1;
    if program.functions.iter().any(is_recursive) {
        out.line("sys.setrecursionlimit(10**6)");
    }
    if reads {
        let mut text = "sys.stdin.read()".to_owned();
        for letter in program.separators.chars() {
            text = format!("{text}.replace({}, \" \")", quoted(&letter.to_string()));
        }
        out.line(format!("words = deque({text}.split())"));
    }
    block(&program.body, &mut out);
    out.depth -= 1;
    out.line("");
    out.line("");
    out.line("if __name__ == \"__main__\":");
    out.depth += 1;
    out.line("main()");
    out.text
}

fn kind(of: &Type) -> &'static str {
    match of {
        Type::Number | Type::Wide => "int",
        Type::Truth => "bool",
        Type::Text | Type::Word | Type::Long | Type::Letter => "str",
        Type::List(_) => "list",
        Type::Tuple(_) | Type::Record(_) => "tuple",
        Type::Map(..) => "dict",
    }
}

fn function(function: &Function, out: &mut Lines) {
    out.line("");
    out.line("");
    let parameters: Vec<&str> = function
        .parameters
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    out.line(format!("def {}({}):", function.name, parameters.join(", ")));
    out.depth += 1;
    match function.about.as_slice() {
        [] => {}
        lines => {
            let all = lines.join(" ");
            let parts = wrapped(&all, super::WIDTH - 10);
            if let [one] = parts.as_slice() {
                out.line(format!("\"\"\"{one}\"\"\""));
            } else {
                out.line(format!("\"\"\"{}", parts[0]));
                parts[1..].iter().for_each(|part| out.line(part));
                out.line("\"\"\"");
            }
        }
    }
    block(&function.body, out);
    out.depth -= 1;
}

fn block(statements: &[Statement], out: &mut Lines) {
    let is_comment = |statement: &Statement| matches!(statement, Statement::Comment(_));
    if statements.iter().all(is_comment) {
        out.line("pass");
    }
    statements.iter().for_each(|one| statement(one, out));
}

fn inner(statements: &[Statement], out: &mut Lines) {
    out.depth += 1;
    block(statements, out);
    out.depth -= 1;
}

fn statement(statement: &Statement, out: &mut Lines) {
    match statement {
        Statement::Comment(lines) => out.comment("#", lines),
        Statement::Let(name, value) => {
            // A list gets a copy of its own: it may be changed.
            let is_place = matches!(
                value.term,
                Term::Name(_) | Term::Index(..) | Term::Field(..)
            );
            let copy = if is_place && matches!(value.of, Type::List(_)) {
                "[:]"
            } else {
                ""
            };
            out.line(format!("{name} = {}{copy}", bare(value)));
        }
        Statement::Read(name, kind) => out.line(format!("{name} = {}", reading(kind))),
        Statement::Skip => out.line("words.popleft()"),
        Statement::Set(target, value) => {
            // `x = x + e` is written `x += e`.
            if let Term::Binary(operator, a, b) = &value.term
                && **a == *target
            {
                let sign = if *operator == Operator::Over {
                    "//"
                } else {
                    sign(*operator)
                };
                out.line(format!("{} {sign}= {}", bare(target), bare(b)));
            } else {
                out.line(format!("{} = {}", bare(target), bare(value)));
            }
        }
        Statement::Append(list, value) => {
            out.line(format!("{}.append({})", bare(list), bare(value)));
        }
        Statement::Drop(list) => out.line(format!("{}.pop()", bare(list))),
        Statement::Put(map, key, value) => {
            out.line(format!("{}[{}] = {}", bare(map), inside(key), bare(value)));
        }
        Statement::If(branches, otherwise) => {
            for (place, (condition, body)) in branches.iter().enumerate() {
                let word = if place == 0 { "if" } else { "elif" };
                out.line(format!("{word} {}:", bare(condition)));
                inner(body, out);
            }
            if !otherwise.is_empty() {
                out.line("else:");
                inner(otherwise, out);
            }
        }
        Statement::While(condition, body) => {
            out.line(format!("while {}:", bare(condition)));
            inner(body, out);
        }
        Statement::Count(name, from, to, body) => {
            let name = name.as_deref().unwrap_or("_");
            let range = match (name, from.as_number()) {
                ("_", Some(one)) if *one == 1.into() => format!("range({})", bare(to)),
                _ => range(from, to),
            };
            out.line(format!("for {name} in {range}:"));
            inner(body, out);
        }
        Statement::Each(names, list, body) => {
            out.line(format!("for {} in {}:", names.join(", "), bare(list)));
            inner(body, out);
        }
        Statement::UntilEnd(body) => {
            out.line("while words:");
            inner(body, out);
        }
        Statement::Forever(body) => {
            out.line("while True:");
            inner(body, out);
        }
        Statement::Break => out.line("break"),
        Statement::Return(value) => out.line(format!("return {}", bare(value))),
        Statement::Print(print) => out.line(printed(print)),
    }
}

fn printed(print: &Print) -> String {
    let values = print.values.iter().map(|value| match value.of {
        Type::List(_) => format!("*{}", within(value, Level::Unary)),
        _ => bare(value),
    });
    let mut values: Vec<String> = values.collect();
    if !print.spaced && values.len() > 1 {
        values.push("sep=\"\"".to_owned());
    }
    if !print.ends_line {
        values.push("end=\"\"".to_owned());
    }
    format!("print({})", values.join(", "))
}

fn reading(kind: &Reading) -> String {
    match kind {
        Reading::Number => "int(words.popleft())".to_owned(),
        Reading::Word | Reading::Long => "words.popleft()".to_owned(),
        Reading::List(count, of) => format!("[{} for _ in range({})]", reading(of), bare(count)),
        Reading::Rest(of) => match **of {
            Reading::Number => "[int(word) for word in words]".to_owned(),
            _ => "list(words)".to_owned(),
        },
        Reading::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(reading).collect();
            format!("({})", parts.join(", "))
        }
        Reading::Named(name, part) => format!("({name} := {})", reading(part)),
    }
}

/// The numbers from the first to the last.
fn range(from: &Expr, to: &Expr) -> String {
    let end = Expr::binary(Operator::Plus, to.clone(), Expr::number(1));
    match from.as_number() {
        Some(zero) if *zero == 0.into() => format!("range({})", bare(&end)),
        _ => format!("range({}, {})", bare(from), bare(&end)),
    }
}

fn within(expr: &Expr, least: Level) -> String {
    if let Term::Known(Known::Wide | Known::Narrow, values) = &expr.term {
        return within(&values[0], least);
    }
    if level(expr) < least {
        format!("({})", bare(expr))
    } else {
        bare(expr)
    }
}

/// A key or index, in which a tuple needs no parentheses.
fn inside(expr: &Expr) -> String {
    match &expr.term {
        Term::Tuple(parts) if parts.len() > 1 => list(parts),
        _ => key(expr),
    }
}

/// A key of a map: lists cannot be keys.
fn key(expr: &Expr) -> String {
    match expr.of {
        Type::List(_) => format!("tuple({})", bare(expr)),
        _ => bare(expr),
    }
}

fn list(exprs: &[Expr]) -> String {
    let all: Vec<String> = exprs.iter().map(bare).collect();
    all.join(", ")
}

fn rounds(generators: &[Generator]) -> String {
    let mut text = String::new();
    for Generator {
        names,
        over,
        condition,
    } in generators
    {
        let over = match over {
            Over::Range(from, to) => range(from, to),
            Over::List(list) => within(list, Level::Or),
        };
        text += &format!(" for {} in {over}", names.join(", "));
        if let Some(condition) = condition {
            text += &format!(" if {}", within(condition, Level::Or));
        }
    }
    text
}

fn bare(expr: &Expr) -> String {
    match &expr.term {
        Term::Number(n) => n.to_string(),
        Term::Text(text) => quoted(text),
        Term::Truth(truth) => if *truth { "True" } else { "False" }.to_owned(),
        Term::Name(name) => name.clone(),
        Term::Not(a) => format!("not {}", within(a, Level::Compare)),
        Term::Minus(a) => format!("-{}", within(a, Level::Unary)),
        Term::Binary(operator, a, b) => {
            let (left, right) = sides(*operator, a, b);
            let sign = if *operator == Operator::Over {
                "//"
            } else {
                sign(*operator)
            };
            format!("{} {sign} {}", within(a, left), within(b, right))
        }
        Term::Compare(comparison, a, b) => {
            let sign = compared(*comparison);
            format!(
                "{} {sign} {}",
                within(a, Level::Bits),
                within(b, Level::Bits)
            )
        }
        Term::And(a, b) => format!(
            "{} and {}",
            within(a, Level::And),
            within(b, Level::Compare)
        ),
        Term::Or(a, b) => format!("{} or {}", within(a, Level::Or), within(b, Level::And)),
        Term::Choose(condition, a, b) => format!(
            "{} if {} else {}",
            within(a, Level::Or),
            within(condition, Level::Or),
            bare(b)
        ),
        Term::Tuple(parts) => match parts.as_slice() {
            [one] => format!("({},)", bare(one)),
            several => format!("({})", list(several)),
        },
        Term::List(entries) => format!("[{}]", list(entries)),
        Term::Record(parts) => {
            let name = match &expr.of {
                Type::Record(name) => name.as_str(),
                _ => "",
            };
            let parts: Vec<String> = parts.iter().map(|(_, part)| bare(part)).collect();
            format!("{name}({})", parts.join(", "))
        }
        Term::Filled(count, value) => match count.as_number() {
            Some(zero) if *zero == 0.into() => "[]".to_owned(),
            // Each needs a list of its own.
            _ if matches!(value.of, Type::List(_) | Type::Map(..)) => {
                format!("[{} for _ in range({})]", bare(value), bare(count))
            }
            _ => format!("[{}] * {}", bare(value), within(count, Level::Unary)),
        },
        Term::EmptyMap => "{}".to_owned(),
        Term::Comprehension(entry, generators) => match (&entry.term, generators.as_slice()) {
            (
                Term::Name(name),
                [
                    Generator {
                        names,
                        over: Over::Range(from, to),
                        condition: None,
                    },
                ],
            ) if names.len() == 1 && names[0] == *name => {
                format!("list({})", range(from, to))
            }
            _ => format!("[{}{}]", bare(entry), rounds(generators)),
        },
        Term::Fold(start, name, generator, next) => {
            let names = generator.names.join(", ");
            let over = match (&generator.over, &generator.condition) {
                (Over::Range(from, to), None) => range(from, to),
                (Over::List(list), None) => bare(list),
                _ => format!("[({names}){}]", rounds(std::slice::from_ref(generator))),
            };
            let next = bare(next);
            let step = match generator.names.as_slice() {
                [one] => format!("lambda {name}, {one}: {next}"),
                _ => format!("lambda {name}, each: (lambda {names}: {next})(*each)"),
            };
            format!("reduce({step}, {over}, {})", bare(start))
        }
        Term::Search(search, name, from, to, condition) => {
            let condition = within(condition, Level::Or);
            match search {
                Search::Least => {
                    format!(
                        "next(({name} for {name} in {} if {condition}), -1)",
                        range(from, to)
                    )
                }
                Search::Greatest => {
                    let end = Expr::binary(Operator::Minus, (**from).clone(), Expr::number(1));
                    let range = format!("range({}, {}, -1)", bare(to), bare(&end));
                    format!("next(({name} for {name} in {range} if {condition}), -1)")
                }
                Search::Count => {
                    format!("sum(1 for {name} in {} if {condition})", range(from, to))
                }
            }
        }
        Term::Index(of, place) => format!("{}[{}]", within(of, Level::Whole), bare(place)),
        Term::Part(of, place) => format!("{}[{place}]", within(of, Level::Whole)),
        Term::Field(of, name) => format!("{}.{name}", within(of, Level::Whole)),
        Term::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|a| bare(&a.value)).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Term::Known(known, values) => self::known(*known, values),
        Term::SortedBy(list, name, key) => {
            format!("sorted({}, key=lambda {name}: {})", bare(list), bare(key))
        }
    }
}

fn known(known: Known, values: &[Expr]) -> String {
    let all = list(values);
    match known {
        Known::Length => format!("len({all})"),
        Known::Min => format!("min({all})"),
        Known::Max => format!("max({all})"),
        Known::Abs => format!("abs({all})"),
        Known::Popcount => format!("bin({all}).count(\"1\")"),
        Known::Wide | Known::Narrow => bare(&values[0]),
        Known::Text => format!("str({all})"),
        Known::JoinTexts | Known::JoinLists => {
            let sides: Vec<String> = values
                .iter()
                .map(|value| within(value, Level::Sum))
                .collect();
            format!("({})", sides.join(" + "))
        }
        Known::Letters => format!("list({all})"),
        Known::Digit => format!("int({all})"),
        Known::Contains => format!("({} in {})", bare(&values[0]), bare(&values[1])),
        Known::Sorted => format!("sorted({all})"),
        Known::Has => format!("({} in {})", key(&values[1]), bare(&values[0])),
        Known::Get => format!("{}[{}]", bare(&values[0]), inside(&values[1])),
    }
}
