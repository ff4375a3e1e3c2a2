//! Nothing stands in a program that nobody uses.

use super::program::{
    Argument, Expr, Function, Generator, Over, Print, Program, Reading, Statement, Term,
};

/// The same program without values that are never used, and with functions behind those they call.
pub(super) fn tidy(mut program: Program) -> Program {
    clean(&mut program.body);
    for function in &mut program.functions {
        clean(&mut function.body);
    }
    let mut kept: Vec<Function> = Vec::new();
    let mut called = Vec::new();
    calls(&program.body, &mut called);
    let mut records = program.records;
    while let Some(name) = called.pop() {
        if let Some(place) = program.functions.iter().position(|f| f.name == name) {
            let function = program.functions.remove(place);
            calls(&function.body, &mut called);
            kept.push(function);
        } else if let Some(place) = kept.iter().position(|f| f.name == name) {
            // What calls it comes behind it.
            let function = kept.remove(place);
            calls_other(&function, &mut called);
            kept.push(function);
        }
    }
    kept.reverse();
    let mut about = program.about;
    for said in kept.iter().filter_map(|function| function.stands.as_ref()) {
        if !about.contains(said) {
            about.push(said.clone());
        }
    }
    let text = format!("{:?}{:?}", kept, program.body);
    records.retain(|record| text.contains(&format!("Record({:?})", record.name)));
    Program {
        about,
        functions: kept,
        records,
        ..program
    }
}

fn calls_other(function: &Function, called: &mut Vec<String>) {
    let mut others = Vec::new();
    calls(&function.body, &mut others);
    called.extend(others.into_iter().filter(|name| *name != function.name));
}

/// The functions that are called.
fn calls(statements: &[Statement], called: &mut Vec<String>) {
    visit(statements, &mut |expr| {
        if let Term::Call(name, _) = &expr.term
            && !called.contains(name)
        {
            called.push(name.clone());
        }
    });
}

/// Removes what names a value that is never used.
fn clean(statements: &mut Vec<Statement>) {
    for statement in statements.iter_mut() {
        for block in blocks_mut(statement) {
            clean(block);
        }
    }
    let mut place = statements.len();
    while place > 0 {
        place -= 1;
        let unused = match &statements[place] {
            Statement::Let(name, _) => !uses(&statements[place + 1..], name),
            Statement::If(branches, otherwise) => {
                otherwise.is_empty() && branches.iter().all(|(_, block)| block.is_empty())
            }
            Statement::Count(_, _, _, block) | Statement::Each(_, _, block) => block.is_empty(),
            _ => false,
        };
        if unused {
            statements.remove(place);
        }
    }
    for place in 0..statements.len() {
        let rest = statements.split_off(place + 1);
        match &mut statements[place] {
            Statement::Each(names, _, block) => {
                for name in names {
                    if !uses(block, name) {
                        "_".clone_into(name);
                    }
                }
            }
            Statement::Count(name, _, _, block) => {
                if name.as_ref().is_some_and(|name| !uses(block, name)) {
                    *name = None;
                }
            }
            Statement::Read(name, _) if !uses(&rest, name) => *name = format!("_{name}"),
            _ => {}
        }
        statements.extend(rest);
    }
}

fn blocks_mut(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::If(branches, otherwise) => {
            let mut all: Vec<_> = branches.iter_mut().map(|(_, block)| block).collect();
            all.push(otherwise);
            all
        }
        Statement::While(_, block)
        | Statement::Count(_, _, _, block)
        | Statement::Each(_, _, block)
        | Statement::UntilEnd(block)
        | Statement::Forever(block) => vec![block],
        _ => Vec::new(),
    }
}

/// Whether a name is used.
pub(super) fn uses(statements: &[Statement], name: &str) -> bool {
    let mut found = false;
    visit(statements, &mut |expr| {
        found |= matches!(&expr.term, Term::Name(other) if other == name);
    });
    found
}

/// Whether a name is given another value, or the list that it names changed.
pub(super) fn changes(statements: &[Statement], name: &str) -> bool {
    let root = |expr: &Expr| root(expr).is_some_and(|other| other == name);
    let mut changed = false;
    visit(statements, &mut |expr| {
        if let Term::Call(_, arguments) = &expr.term {
            changed |= arguments
                .iter()
                .any(|argument| argument.changed && root(&argument.value));
        }
    });
    changed
        || statements.iter().any(|statement| match statement {
            Statement::Set(target, _)
            | Statement::Append(target, _)
            | Statement::Drop(target)
            | Statement::Put(target, _, _) => root(target),
            Statement::If(branches, otherwise) => {
                branches.iter().any(|(_, block)| changes(block, name)) || changes(otherwise, name)
            }
            Statement::While(_, block)
            | Statement::Count(_, _, _, block)
            | Statement::Each(_, _, block)
            | Statement::UntilEnd(block)
            | Statement::Forever(block) => changes(block, name),
            _ => false,
        })
}

fn root(expr: &Expr) -> Option<&str> {
    match &expr.term {
        Term::Name(name) => Some(name),
        Term::Index(of, _) | Term::Part(of, _) | Term::Field(of, _) => root(of),
        _ => None,
    }
}

/// Shows every expression of statements, inner ones too.
pub(super) fn visit(statements: &[Statement], see: &mut dyn FnMut(&Expr)) {
    for statement in statements {
        match statement {
            Statement::Comment(_) | Statement::Skip | Statement::Break => {}
            Statement::Let(_, value) | Statement::Return(value) | Statement::Drop(value) => {
                expression(value, see);
            }
            Statement::Read(_, reading) => counts(reading, see),
            Statement::Set(a, b) | Statement::Append(a, b) => {
                expression(a, see);
                expression(b, see);
            }
            Statement::Put(map, key, value) => {
                [map, key, value]
                    .into_iter()
                    .for_each(|e| expression(e, see));
            }
            Statement::If(branches, otherwise) => {
                for (condition, block) in branches {
                    expression(condition, see);
                    visit(block, see);
                }
                visit(otherwise, see);
            }
            Statement::While(value, block) | Statement::Each(_, value, block) => {
                expression(value, see);
                visit(block, see);
            }
            Statement::Count(_, from, to, block) => {
                expression(from, see);
                expression(to, see);
                visit(block, see);
            }
            Statement::UntilEnd(block) | Statement::Forever(block) => visit(block, see),
            Statement::Print(Print { values, .. }) => {
                values.iter().for_each(|value| expression(value, see));
            }
        }
    }
}

fn counts(reading: &Reading, see: &mut dyn FnMut(&Expr)) {
    match reading {
        Reading::Number | Reading::Word | Reading::Long => {}
        Reading::List(count, of) => {
            expression(count, see);
            counts(of, see);
        }
        Reading::Rest(of) => counts(of, see),
        Reading::Tuple(parts) => parts.iter().for_each(|part| counts(part, see)),
        Reading::Named(_, part) => counts(part, see),
    }
}

/// Shows an expression and all in it.
pub(super) fn expression(expr: &Expr, see: &mut dyn FnMut(&Expr)) {
    see(expr);
    let mut all = |exprs: &[Expr]| exprs.iter().for_each(|e| expression(e, see));
    match &expr.term {
        Term::Number(_) | Term::Text(_) | Term::Truth(_) | Term::Name(_) | Term::EmptyMap => {}
        Term::Not(a) | Term::Minus(a) | Term::Part(a, _) | Term::Field(a, _) => expression(a, see),
        Term::Binary(_, a, b)
        | Term::Compare(_, a, b)
        | Term::And(a, b)
        | Term::Or(a, b)
        | Term::Filled(a, b)
        | Term::SortedBy(a, _, b)
        | Term::Index(a, b) => {
            expression(a, see);
            expression(b, see);
        }
        Term::Choose(a, b, c) | Term::Search(_, _, a, b, c) => {
            [a, b, c].into_iter().for_each(|e| expression(e, see));
        }
        Term::Tuple(exprs) | Term::List(exprs) | Term::Known(_, exprs) => all(exprs),
        Term::Record(parts) => parts.iter().for_each(|(_, part)| expression(part, see)),
        Term::Call(_, arguments) => {
            for Argument { value, .. } in arguments {
                expression(value, see);
            }
        }
        Term::Comprehension(entry, generators) => {
            generators.iter().for_each(|one| round(one, see));
            expression(entry, see);
        }
        Term::Fold(start, _, generator, next) => {
            expression(start, see);
            round(generator, see);
            expression(next, see);
        }
    }
}

fn round(generator: &Generator, see: &mut dyn FnMut(&Expr)) {
    match &generator.over {
        Over::Range(from, to) => {
            expression(from, see);
            expression(to, see);
        }
        Over::List(list) => expression(list, see),
    }
    generator.condition.iter().for_each(|c| expression(c, see));
}
