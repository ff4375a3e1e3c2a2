//! Rust, edition 2021.

use super::{Level, Lines, any_statement, compared, quoted, sides, sign};
use crate::emit::program::{
    Expr, Function, Generator, Known, Operator, Over, Parameter, Print, Program, Reading, Search,
    Statement, Term, Type,
};
use crate::emit::tidy::{changes, expression, uses};

/// A program as text.
pub(super) fn print(program: &Program) -> String {
    let mut out = Lines::new();
    out.comment("//!", &program.about);
    out.line("");
    let mut uses = vec!["use std::fmt::Write as _;", "use std::io::Read as _;"];
    let has_map = any_statement(
        program,
        &|s| matches!(s, Statement::Let(_, value) if matches!(value.of, Type::Map(..))),
    );
    if has_map {
        uses.insert(0, "use std::collections::HashMap;");
    }
    let reads = any_statement(program, &|s| {
        matches!(s, Statement::Read(..) | Statement::Skip)
    });
    let reads_numbers = any_statement(
        program,
        &|s| matches!(s, Statement::Read(_, kind) if reads_numbers(kind)),
    );
    if reads_numbers {
        uses.push("use std::iter::Peekable;");
        uses.push("use std::str::SplitAsciiWhitespace;");
    }
    uses.iter().for_each(|line| out.line(line));
    for record in &program.records {
        out.line("");
        out.line("#[derive(Clone)]");
        out.line("#[allow(dead_code)] // Not every part is printed.");
        out.line(format!("struct {} {{", record.name));
        out.depth += 1;
        for (name, of) in &record.parts {
            out.line(format!("{name}: {},", kind(of)));
        }
        out.depth -= 1;
        out.line("}");
    }
    if reads_numbers {
        out.line("");
        out.line("type Words<'i> = Peekable<SplitAsciiWhitespace<'i>>;");
        out.line("");
        out.line("fn number(words: &mut Words) -> i64 {");
        out.line("    words.next().expect(\"a number\").parse().expect(\"digits\")");
        out.line("}");
    }
    for function in &program.functions {
        self::function(function, &mut out);
    }
    let prints_list = |s: &Statement| matches!(s, Statement::Print(p) if p.values.iter().any(|v| matches!(v.of, Type::List(_))));
    if any_statement(program, &prints_list) {
        out.line("");
        out.line("/// The values with something between them.");
        out.line("fn all_of<V: ToString>(values: &[V], between: &str) -> String {");
        out.line("    values.iter().map(V::to_string).collect::<Vec<_>>().join(between)");
        out.line("}");
    }
    out.line("");
    out.line("/// What is printed for an input.");
    out.line(format!(
        "fn solve({}input: &str) -> String {{",
        if reads { "" } else { "_" }
    ));
    out.depth += 1;
    if reads {
        let mut text = "input".to_owned();
        if !program.separators.is_empty() {
            let letters: Vec<String> = program
                .separators
                .chars()
                .map(|c| format!("{c:?}"))
                .collect();
            out.line(format!(
                "let input = input.replace([{}], \" \");",
                letters.join(", ")
            ));
            "input".clone_into(&mut text);
        }
        out.line(format!(
            "let mut words = {text}.split_ascii_whitespace().peekable();"
        ));
    }
    out.line("let mut out = String::new();");
    block(&program.body, &mut out);
    out.line("out");
    out.depth -= 1;
    out.line("}");
    out.line("");
    out.line("fn main() {");
    out.line("    let mut input = String::new();");
    out.line("    std::io::stdin().read_to_string(&mut input).expect(\"the input is text\");");
    out.line("    print!(\"{}\", solve(&input));");
    out.line("}");
    out.text
}

fn reads_numbers(kind: &Reading) -> bool {
    match kind {
        Reading::Number => true,
        Reading::Word | Reading::Long => false,
        Reading::List(_, of) => reads_numbers(of),
        Reading::Rest(_) => false,
        Reading::Tuple(parts) => parts.iter().any(reads_numbers),
        Reading::Named(_, part) => reads_numbers(part),
    }
}

fn kind(of: &Type) -> String {
    match of {
        Type::Number => "i64".to_owned(),
        Type::Wide => "i128".to_owned(),
        Type::Truth => "bool".to_owned(),
        Type::Text => "&'static str".to_owned(),
        Type::Word | Type::Long => "String".to_owned(),
        Type::Letter => "char".to_owned(),
        Type::List(of) => format!("Vec<{}>", kind(of)),
        Type::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(kind).collect();
            format!("({})", parts.join(", "))
        }
        Type::Map(key, value) => format!("HashMap<{}, {}>", kind(key), kind(value)),
        Type::Record(name) => name.clone(),
    }
}

/// Whether a value is copied where it is used.
fn is_copied(of: &Type) -> bool {
    match of {
        Type::Number | Type::Wide | Type::Truth | Type::Letter | Type::Text => true,
        Type::Tuple(parts) => parts.iter().all(is_copied),
        _ => false,
    }
}

fn parameter(parameter: &Parameter) -> String {
    let (name, of) = (&parameter.name, &parameter.of);
    match of {
        _ if parameter.changed => format!("{name}: &mut {}", kind(of)),
        of if is_copied(of) => format!("{name}: {}", kind(of)),
        Type::List(entry) => format!("{name}: &[{}]", kind(entry)),
        Type::Word | Type::Long => format!("{name}: &str"),
        of => format!("{name}: &{}", kind(of)),
    }
}

fn function(function: &Function, out: &mut Lines) {
    out.line("");
    out.comment("///", &function.about);
    let parameters = function.parameters.iter().map(|one| {
        let text = parameter(one);
        let used = uses(&function.body, &one.name);
        if used { text } else { format!("_{text}") }
    });
    let parameters: Vec<String> = parameters.collect();
    let gives = function
        .gives
        .as_ref()
        .map_or(String::new(), |of| format!(" -> {}", kind(of)));
    out.line(format!(
        "fn {}({}){gives} {{",
        function.name,
        parameters.join(", ")
    ));
    out.depth += 1;
    let begin = out.text.len();
    block(&function.body, out);
    // What the function is given to change is a reference already.
    for parameter in function
        .parameters
        .iter()
        .filter(|parameter| parameter.changed)
    {
        let body = out.text.split_off(begin);
        out.text += &body.replace(&format!("&mut {}", parameter.name), &parameter.name);
    }
    // The last value needs no `return`.
    if let Some(Statement::Return(value)) = function.body.last() {
        let line = format!("return {};\n", given(value));
        if out.text.ends_with(&line) {
            let end = out.text.len() - line.len();
            out.text.truncate(end);
            out.text.push_str(&format!("{}\n", given(value)));
        }
    }
    out.depth -= 1;
    out.line("}");
}

fn block(statements: &[Statement], out: &mut Lines) {
    for (place, one) in statements.iter().enumerate() {
        statement(one, &statements[place + 1..], out);
    }
}

fn inner(statements: &[Statement], out: &mut Lines) {
    out.depth += 1;
    block(statements, out);
    out.depth -= 1;
}

fn statement(statement: &Statement, rest: &[Statement], out: &mut Lines) {
    match statement {
        Statement::Comment(lines) => out.comment("//", lines),
        Statement::Let(name, value) => {
            let mutable = if changes(rest, name) { "mut " } else { "" };
            let of = match &value.term {
                Term::List(entries) if entries.is_empty() => format!(": {}", kind(&value.of)),
                Term::Filled(..) | Term::EmptyMap => format!(": {}", kind(&value.of)),
                Term::Number(_) => format!(": {}", kind(&value.of)),
                _ => String::new(),
            };
            out.line(format!("let {mutable}{name}{of} = {};", owned(value)));
        }
        Statement::Read(name, kind) => out.line(format!("let {name} = {};", reading(kind))),
        Statement::Skip => out.line("words.next();"),
        Statement::Set(target, value) => {
            if let Term::Binary(operator, a, b) = &value.term
                && **a == *target
            {
                out.line(format!(
                    "{} {}= {};",
                    bare(target),
                    sign(*operator),
                    bare(b)
                ));
            } else {
                out.line(format!("{} = {};", bare(target), owned(value)));
            }
        }
        Statement::Append(list, value) => {
            out.line(format!("{}.push({});", bare(list), owned(value)));
        }
        Statement::Drop(list) => out.line(format!("{}.pop();", bare(list))),
        Statement::Put(map, key, value) => {
            out.line(format!(
                "{}.insert({}, {});",
                bare(map),
                owned(key),
                owned(value)
            ));
        }
        Statement::If(branches, otherwise) => {
            for (place, (condition, body)) in branches.iter().enumerate() {
                let word = if place == 0 { "if" } else { "} else if" };
                out.line(format!("{word} {} {{", bare(condition)));
                inner(body, out);
            }
            if !otherwise.is_empty() {
                out.line("} else {");
                inner(otherwise, out);
            }
            out.line("}");
        }
        Statement::While(condition, body) => {
            out.line(format!("while {} {{", bare(condition)));
            inner(body, out);
            out.line("}");
        }
        Statement::Count(name, from, to, body) => {
            let name = name.as_deref().unwrap_or("_");
            out.line(format!("for {name} in {} {{", range(from, to)));
            inner(body, out);
            out.line("}");
        }
        Statement::Each(names, list, body) => {
            out.line(format!(
                "for {} in {} {{",
                pattern(names, list),
                entries(list)
            ));
            inner(body, out);
            out.line("}");
        }
        Statement::UntilEnd(body) => {
            out.line("while words.peek().is_some() {");
            inner(body, out);
            out.line("}");
        }
        Statement::Forever(body) => {
            out.line("loop {");
            inner(body, out);
            out.line("}");
        }
        Statement::Break => out.line("break;"),
        Statement::Return(value) => out.line(format!("return {};", given(value))),
        Statement::Print(print) => out.line(printed(print)),
    }
}

fn printed(print: &Print) -> String {
    let between = if print.spaced { " " } else { "" };
    let mut form = String::new();
    let mut values = String::new();
    for (place, value) in print.values.iter().enumerate() {
        if place > 0 {
            form += between;
        }
        if let (Term::Text(text), Type::Text) = (&value.term, &value.of) {
            let text = quoted(text);
            form += &text[1..text.len() - 1]
                .replace('{', "{{")
                .replace('}', "}}");
            continue;
        }
        form += "{}";
        values += ", ";
        values += &match value.of {
            Type::List(_) => format!("all_of({}, {})", lent(value), quoted(between)),
            _ => bare(value),
        };
    }
    let name = if print.ends_line { "writeln" } else { "write" };
    if form.is_empty() {
        return format!("{name}!(out).expect(\"a text takes it\");");
    }
    format!("{name}!(out, \"{form}\"{values}).expect(\"a text takes it\");")
}

fn reading(kind: &Reading) -> String {
    match kind {
        Reading::Number => "number(&mut words)".to_owned(),
        Reading::Word | Reading::Long => "words.next().expect(\"a word\").to_owned()".to_owned(),
        Reading::List(count, of) => {
            let one = self::kind(&of.of());
            format!(
                "(0..{}).map(|_| {}).collect::<Vec<{one}>>()",
                within(count, Level::Sum),
                reading(of)
            )
        }
        Reading::Rest(of) => match **of {
            Reading::Number => {
                "words.map(|word| word.parse().expect(\"digits\")).collect::<Vec<i64>>()".to_owned()
            }
            _ => "words.map(str::to_owned).collect::<Vec<String>>()".to_owned(),
        },
        Reading::Tuple(parts) if parts.iter().any(|part| matches!(part, Reading::Named(..))) => {
            nested(parts)
        }
        Reading::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(reading).collect();
            format!("({})", parts.join(", "))
        }
        Reading::Named(_, part) => reading(part),
    }
}

/// Parts of which later ones speak of earlier ones by name.
fn nested(parts: &[Reading]) -> String {
    let mut names = Vec::new();
    let mut lines = String::new();
    for (place, part) in parts.iter().enumerate() {
        let name = match part {
            Reading::Named(name, _) => name.clone(),
            _ => format!("part{place}"),
        };
        lines += &format!("let {name} = {}; ", reading(part));
        names.push(name);
    }
    format!("{{ {lines}({}) }}", names.join(", "))
}

/// The numbers from the first to the last.
fn range(from: &Expr, to: &Expr) -> String {
    let one = num_bigint::BigInt::from(1);
    match (&to.term, from.as_number()) {
        (Term::Binary(Operator::Minus, a, b), _) if b.as_number() == Some(&one) => {
            format!("{}..{}", within(from, Level::Sum), within(a, Level::Sum))
        }
        _ => format!("{}..={}", within(from, Level::Sum), within(to, Level::Sum)),
    }
}

/// What an entry of a list is called.
fn pattern(names: &[String], list: &Expr) -> String {
    let entry = match &list.of {
        Type::List(of) => (**of).clone(),
        _ => Type::Letter,
    };
    let name = match names {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    let is_lent = !matches!(list.of, Type::Word | Type::Long | Type::Text);
    match names {
        [one] if one == "_" => name,
        _ if is_lent && is_copied(&entry) => format!("&{name}"),
        _ => name,
    }
}

/// The entries of a list, which stays.
fn entries(list: &Expr) -> String {
    match list.of {
        Type::Word | Type::Long | Type::Text => {
            format!("{}.chars()", within(list, Level::Whole))
        }
        _ => format!("{}.iter()", within(list, Level::Whole)),
    }
}

/// A value that is looked at only.
fn lent(expr: &Expr) -> String {
    match (&expr.term, &expr.of) {
        // What functions are given is lent already, and a reference to it is one too.
        (Term::Text(_), Type::Word) => bare(expr),
        _ => format!("&{}", within(expr, Level::Unary)),
    }
}

/// A key that is looked up.
fn key(expr: &Expr) -> String {
    match expr.of {
        Type::List(_) => format!("&{}[..]", within(expr, Level::Whole)),
        _ => lent(expr),
    }
}

/// Whether an expression speaks of a name.
fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    expression(expr, &mut |part| {
        found |= matches!(&part.term, Term::Name(other) if other == name)
    });
    found
}

/// A value that a function gives: a name of its own goes with it.
fn given(expr: &Expr) -> String {
    match expr.term {
        Term::Name(_) => bare(expr),
        _ => owned(expr),
    }
}

/// A value that is kept.
fn owned(expr: &Expr) -> String {
    let is_place = matches!(
        expr.term,
        Term::Name(_) | Term::Index(..) | Term::Field(..) | Term::Part(..)
    );
    match expr.of {
        Type::List(_) if is_place => format!("{}.to_vec()", bare(expr)),
        Type::Word if is_place => format!("{}.to_owned()", bare(expr)),
        Type::Record(_) | Type::Map(..) | Type::Tuple(_) if is_place && !is_copied(&expr.of) => {
            format!("{}.clone()", bare(expr))
        }
        _ => bare(expr),
    }
}

/// As in all languages; a number turned into another kind holds less tightly than a call.
fn level(expr: &Expr) -> Level {
    match &expr.term {
        Term::Known(Known::Length | Known::Popcount | Known::Narrow, _) => Level::Unary,
        Term::Known(Known::Wide, values) if values[0].as_number().is_none() => Level::Unary,
        Term::Search(Search::Count, ..) => Level::Unary,
        _ => super::level(expr),
    }
}

fn within(expr: &Expr, least: Level) -> String {
    if level(expr) < least {
        format!("({})", bare(expr))
    } else {
        bare(expr)
    }
}

fn list(exprs: &[Expr]) -> String {
    let all: Vec<String> = exprs.iter().map(owned).collect();
    all.join(", ")
}

fn place(index: &Expr) -> String {
    match &index.term {
        Term::Number(n) => n.to_string(),
        Term::Name(_) => format!("{} as usize", bare(index)),
        _ => format!("{} as usize", within(index, Level::Whole)),
    }
}

fn built(entry: &Expr, generators: &[Generator]) -> String {
    let one = kind(&entry.of);
    // One range or list is a chain; several are rounds within rounds.
    if let [
        Generator {
            names,
            over,
            condition,
        },
    ] = generators
    {
        let named = |used: Option<&Expr>| -> Vec<String> {
            let is_used = |name: &String| used.is_some_and(|used| mentions(used, name));
            names
                .iter()
                .map(|name| {
                    if is_used(name) {
                        name.clone()
                    } else {
                        "_".to_owned()
                    }
                })
                .collect()
        };
        let (taken_names, seen_names) = (named(Some(entry)), named(condition.as_ref()));
        let joined = |names: &[String]| match names {
            [one] => one.clone(),
            several if several.iter().all(|name| name == "_") => "_".to_owned(),
            several => format!("({})", several.join(", ")),
        };
        let name = joined(names);
        let (over, taken, seen) = match over {
            Over::Range(from, to) => {
                let seen = format!("&{}", joined(&seen_names));
                (format!("({})", range(from, to)), joined(&taken_names), seen)
            }
            Over::List(list) => {
                let taken = if joined(&taken_names) == "_" {
                    "_".to_owned()
                } else {
                    pattern(&taken_names, list)
                };
                let seen = if joined(&seen_names) == "_" {
                    "_".to_owned()
                } else {
                    pattern(&seen_names, list)
                };
                let seen = if seen.starts_with('&') {
                    format!("&{seen}")
                } else {
                    seen
                };
                let entries = match list.of {
                    Type::Word | Type::Text => entries(list),
                    _ => format!("{}.iter()", within(list, Level::Whole)),
                };
                (entries, taken, seen)
            }
        };
        let filter = match condition {
            Some(condition) => format!(".filter(|{seen}| {})", bare(condition)),
            None => String::new(),
        };
        let same = matches!(&entry.term, Term::Name(other) if *other == name) && taken == name;
        let map = if same {
            String::new()
        } else {
            format!(".map(|{taken}| {})", owned(entry))
        };
        return format!("{over}{filter}{map}.collect::<Vec<{one}>>()");
    }
    let mut text = format!("{{ let mut all: Vec<{one}> = Vec::new(); ");
    let mut ends = String::new();
    for generator in generators {
        let (head, end) = round(generator);
        text += &head;
        ends += end;
    }
    format!("{text}all.push({});{ends} all }}", owned(entry))
}

/// How a round begins and ends.
fn round(generator: &Generator) -> (String, &'static str) {
    let names = &generator.names;
    let mut head = match &generator.over {
        Over::Range(from, to) => format!("for {} in {} {{ ", names[0], range(from, to)),
        Over::List(list) => format!("for {} in {} {{ ", pattern(names, list), entries(list)),
    };
    match &generator.condition {
        None => (head, " }"),
        Some(condition) => {
            head += &format!("if {} {{ ", bare(condition));
            (head, " } }")
        }
    }
}

fn bare(expr: &Expr) -> String {
    match &expr.term {
        Term::Number(n) => n.to_string(),
        Term::Text(text) if expr.of == Type::Letter => {
            format!("{:?}", text.chars().next().unwrap_or(' '))
        }
        Term::Text(text) => quoted(text),
        Term::Truth(truth) => truth.to_string(),
        Term::Name(name) => name.clone(),
        Term::Not(a) => format!("!{}", within(a, Level::Unary)),
        Term::Minus(a) => format!("-{}", within(a, Level::Unary)),
        Term::Binary(operator, a, b) => {
            let (left, right) = sides(*operator, a, b);
            let first = match (&a.term, operator) {
                (Term::Number(n), Operator::ShiftLeft) => format!("{n}_i64"),
                _ => within(a, left),
            };
            format!("{first} {} {}", sign(*operator), within(b, right))
        }
        Term::Compare(comparison, a, b) => {
            // A cast before `<` reads as the beginning of a list of types.
            let left = within(a, Level::Sum);
            let left = if left.ends_with(" as i64") || left.ends_with(" as i128") {
                format!("({left})")
            } else {
                left
            };
            format!("{left} {} {}", compared(*comparison), within(b, Level::Sum))
        }
        Term::And(a, b) => format!("{} && {}", within(a, Level::And), within(b, Level::Compare)),
        Term::Or(a, b) => format!("{} || {}", within(a, Level::Or), within(b, Level::And)),
        Term::Choose(condition, a, b) => {
            let otherwise = match b.term {
                Term::Choose(..) => bare(b),
                _ => format!("{{ {} }}", owned(b)),
            };
            format!("if {} {{ {} }} else {otherwise}", bare(condition), owned(a))
        }
        Term::Tuple(parts) => match parts.as_slice() {
            [one] => format!("({},)", owned(one)),
            several => format!("({})", list(several)),
        },
        Term::List(entries) => format!("vec![{}]", list(entries)),
        Term::Record(parts) => {
            let part = |(name, value): &(String, Expr)| match &value.term {
                Term::Name(other) if other == name && is_copied(&value.of) => name.clone(),
                _ => format!("{name}: {}", owned(value)),
            };
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("{} {{ {} }}", kind(&expr.of), parts.join(", "))
        }
        Term::Filled(count, value) => match count.as_number() {
            Some(zero) if *zero == 0.into() => "Vec::new()".to_owned(),
            _ => format!("vec![{}; {}]", bare(value), place(count)),
        },
        Term::EmptyMap => "HashMap::new()".to_owned(),
        Term::Comprehension(entry, generators) => built(entry, generators),
        Term::Fold(start, name, generator, next) => {
            let (head, ends) = round(generator);
            format!(
                "{{ let mut {name}: {} = {}; {head}{name} = {};{ends} {name} }}",
                kind(&expr.of),
                owned(start),
                owned(next)
            )
        }
        Term::Search(search, name, from, to, condition) => {
            let (range, condition) = (range(from, to), bare(condition));
            match search {
                Search::Least => format!("({range}).find(|&{name}| {condition}).unwrap_or(-1)"),
                Search::Greatest => {
                    format!("({range}).rev().find(|&{name}| {condition}).unwrap_or(-1)")
                }
                Search::Count => format!("({range}).filter(|&{name}| {condition}).count() as i64"),
            }
        }
        Term::Index(of, index) if of.of == Type::Word => {
            format!(
                "({}.as_bytes()[{}] as char)",
                within(of, Level::Whole),
                place(index)
            )
        }
        Term::Index(of, index) => format!("{}[{}]", within(of, Level::Whole), place(index)),
        Term::Part(of, place) => format!("{}.{place}", within(of, Level::Whole)),
        Term::Field(of, name) => format!("{}.{name}", within(of, Level::Whole)),
        Term::Call(name, arguments) => {
            let arguments = arguments.iter().map(|argument| {
                let value = &argument.value;
                if argument.changed {
                    format!("&mut {}", bare(value))
                } else if is_copied(&value.of) {
                    bare(value)
                } else {
                    lent(value)
                }
            });
            format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
        }
        Term::Known(known, values) => self::known(*known, values),
        Term::SortedBy(list, name, key) => format!(
            "{{ let mut sorted = {}; sorted.sort_by_key(|{name}| {}); sorted }}",
            owned(list),
            owned(key)
        ),
    }
}

fn known(known: Known, values: &[Expr]) -> String {
    let first = within(&values[0], Level::Whole);
    let second = || bare(&values[1]);
    match known {
        Known::Length => match values[0].of {
            Type::Word | Type::Text => format!("{first}.chars().count() as i64"),
            _ => format!("{first}.len() as i64"),
        },
        Known::Min | Known::Max => {
            let name = if known == Known::Min { "min" } else { "max" };
            match values[0].as_number() {
                // A number that stands there has no type of its own.
                Some(_) => format!("{}.{name}({first})", within(&values[1], Level::Whole)),
                None => format!("{first}.{name}({})", second()),
            }
        }
        Known::Abs => format!("{first}.abs()"),
        Known::Popcount => format!("{first}.count_ones() as i64"),
        Known::Wide => match values[0].as_number() {
            Some(n) => format!("{n}_i128"),
            None => format!("{first} as i128"),
        },
        Known::Narrow => format!("{first} as i64"),
        Known::Text => format!("{first}.to_string()"),
        Known::JoinTexts => format!("format!(\"{{}}{{}}\", {}, {})", bare(&values[0]), second()),
        Known::JoinLists => format!("[{}, {}].concat()", owned(&values[0]), owned(&values[1])),
        Known::Digit => format!("(({first} as u8 - b'0') as i64)"),
        Known::Letters => format!("{first}.chars().collect::<Vec<char>>()"),
        Known::Contains => match values[0].term {
            Term::Text(_) => format!(
                "{}.contains({})",
                within(&values[1], Level::Whole),
                bare(&values[0])
            ),
            _ => format!(
                "{}.contains({})",
                within(&values[1], Level::Whole),
                lent(&values[0])
            ),
        },
        Known::Sorted => format!(
            "{{ let mut sorted = {}; sorted.sort(); sorted }}",
            owned(&values[0])
        ),
        Known::Has => format!("{first}.contains_key({})", key(&values[1])),
        Known::Get => format!("{first}[{}]", key(&values[1])),
    }
}
