//! C++17.

use super::{Level, Lines, any, any_statement, compared, level, quoted, sides, sign};
use crate::emit::program::{
    Expr, Function, Generator, Known, Operator, Over, Parameter, Print, Program, Reading, Search,
    Statement, Term, Type,
};

/// A program as text.
pub(super) fn print(program: &Program) -> String {
    let mut out = Lines::new();
    out.comment("//", &program.about);
    out.line("");
    for header in [
        "algorithm",
        "cstdlib",
        "iostream",
        "map",
        "string",
        "tuple",
        "vector",
    ] {
        out.line(format!("#include <{header}>"));
    }
    out.line("");
    out.line("using namespace std;");
    out.line("using ll = long long;");
    for record in &program.records {
        out.line("");
        out.line(format!("struct {} {{", record.name));
        out.depth += 1;
        for (name, of) in &record.parts {
            out.line(format!("{} {name};", kind(of)));
        }
        out.depth -= 1;
        out.line("};");
    }
    let prints_list = |s: &Statement| matches!(s, Statement::Print(p) if p.values.iter().any(|v| matches!(v.of, Type::List(_))));
    if any_statement(program, &prints_list) {
        out.line("");
        out.line("// Prints values with something between them.");
        out.line("template <class Value>");
        out.line("void print_all(const vector<Value>& values, const char* between) {");
        out.line("    for (size_t i = 0; i < values.size(); ++i) cout << (i ? between : \"\") << values[i];");
        out.line("}");
    }
    if any(program, &|e| {
        matches!(e.term, Term::Known(Known::JoinLists, _))
    }) {
        out.line("");
        out.line("// A list behind another one.");
        out.line("template <class Value>");
        out.line("vector<Value> joined(vector<Value> first, const vector<Value>& second) {");
        out.line("    first.insert(first.end(), second.begin(), second.end());");
        out.line("    return first;");
        out.line("}");
    }
    if any(program, &|e| {
        matches!(e.term, Term::Known(Known::Sorted, _))
    }) {
        out.line("");
        out.line("// A list in order.");
        out.line("template <class Value>");
        out.line("vector<Value> in_order(vector<Value> values) {");
        out.line("    sort(values.begin(), values.end());");
        out.line("    return values;");
        out.line("}");
    }
    for function in &program.functions {
        self::function(function, &mut out);
    }
    out.line("");
    out.line("int main() {");
    out.depth += 1;
    out.line("ios::sync_with_stdio(false);");
    out.line("cin.tie(nullptr);");
    if !program.separators.is_empty() {
        out.line("// What separates the values counts as white space.");
        out.line("string text((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());");
        let letters = quoted(&program.separators);
        out.line("for (char& letter : text)");
        out.line(format!(
            "    if (string({letters}).find(letter) != string::npos) letter = ' ';"
        ));
        out.line("istringstream cin(text);");
        out.text = out.text.replace(
            "#include <iostream>\n",
            "#include <iostream>\n#include <iterator>\n",
        );
        out.text = out
            .text
            .replace("#include <map>\n", "#include <map>\n#include <sstream>\n");
    }
    block(&program.body, &mut out);
    out.depth -= 1;
    out.line("}");
    out.text
}

fn kind(of: &Type) -> String {
    match of {
        Type::Number => "ll".to_owned(),
        Type::Wide => "__int128".to_owned(),
        Type::Truth => "bool".to_owned(),
        Type::Text | Type::Word | Type::Long => "string".to_owned(),
        Type::Letter => "char".to_owned(),
        Type::List(of) => format!("vector<{}>", kind(of)),
        Type::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(kind).collect();
            format!("tuple<{}>", parts.join(", "))
        }
        Type::Map(key, value) => format!("map<{}, {}>", kind(key), kind(value)),
        Type::Record(name) => name.clone(),
    }
}

fn is_small(of: &Type) -> bool {
    matches!(of, Type::Number | Type::Wide | Type::Truth | Type::Letter)
}

fn parameter(parameter: &Parameter) -> String {
    let (name, of) = (&parameter.name, kind(&parameter.of));
    if parameter.changed {
        format!("{of}& {name}")
    } else if is_small(&parameter.of) {
        format!("{of} {name}")
    } else {
        format!("const {of}& {name}")
    }
}

fn function(function: &Function, out: &mut Lines) {
    out.line("");
    out.comment("//", &function.about);
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let gives = function.gives.as_ref().map_or("void".to_owned(), kind);
    out.line(format!(
        "{gives} {}({}) {{",
        function.name,
        parameters.join(", ")
    ));
    inner(&function.body, out);
    out.line("}");
}

fn block(statements: &[Statement], out: &mut Lines) {
    statements.iter().for_each(|one| statement(one, out));
}

fn inner(statements: &[Statement], out: &mut Lines) {
    out.depth += 1;
    block(statements, out);
    out.depth -= 1;
}

fn statement(statement: &Statement, out: &mut Lines) {
    match statement {
        Statement::Comment(lines) => out.comment("//", lines),
        Statement::Let(name, value) => named(name, value, out),
        Statement::Read(name, kind) => reading(name, kind, out),
        Statement::Skip => out.line("{ string skipped; cin >> skipped; }"),
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
                out.line(format!("{} = {};", bare(target), bare(value)));
            }
        }
        Statement::Append(list, value) => {
            out.line(format!("{}.push_back({});", bare(list), bare(value)));
        }
        Statement::Drop(list) => out.line(format!("{}.pop_back();", bare(list))),
        Statement::Put(map, key, value) => {
            out.line(format!("{}[{}] = {};", bare(map), bare(key), bare(value)));
        }
        Statement::If(branches, otherwise) => {
            for (place, (condition, body)) in branches.iter().enumerate() {
                let word = if place == 0 { "if" } else { "} else if" };
                out.line(format!("{word} ({}) {{", bare(condition)));
                inner(body, out);
            }
            if !otherwise.is_empty() {
                out.line("} else {");
                inner(otherwise, out);
            }
            out.line("}");
        }
        Statement::While(condition, body) => {
            out.line(format!("while ({}) {{", bare(condition)));
            inner(body, out);
            out.line("}");
        }
        Statement::Count(name, from, to, body) => {
            let name = name.as_deref().unwrap_or("round");
            out.line(format!("{} {{", counted(name, from, to)));
            inner(body, out);
            out.line("}");
        }
        Statement::Each(names, list, body) => {
            out.line(format!("{} {{", each(names, list)));
            inner(body, out);
            out.line("}");
        }
        Statement::UntilEnd(body) => {
            out.line("while (cin >> ws && cin.peek() != EOF) {");
            inner(body, out);
            out.line("}");
        }
        Statement::Forever(body) => {
            out.line("while (true) {");
            inner(body, out);
            out.line("}");
        }
        Statement::Break => out.line("break;"),
        Statement::Return(value) => out.line(format!("return {};", bare(value))),
        Statement::Print(print) => printed(print, out),
    }
}

/// A value with a name; a list is built in place.
fn named(name: &str, value: &Expr, out: &mut Lines) {
    let of = kind(&value.of);
    match &value.term {
        Term::Comprehension(entry, generators) => {
            out.line(format!("{of} {name};"));
            build(name, entry, generators, out);
        }
        Term::List(entries) => out.line(format!("{of} {name} = {{{}}};", list(entries))),
        Term::Filled(count, first) => match count.as_number() {
            Some(zero) if *zero == 0.into() => out.line(format!("{of} {name};")),
            _ => out.line(format!("{of} {name}({}, {});", bare(count), bare(first))),
        },
        Term::EmptyMap => out.line(format!("{of} {name};")),
        _ => out.line(format!("{of} {name} = {};", bare(value))),
    }
}

/// The rounds that fill a list.
fn build(name: &str, entry: &Expr, generators: &[Generator], out: &mut Lines) {
    let depth = out.depth;
    for generator in generators {
        out.line(round(generator));
        out.depth += 1;
        if let Some(condition) = &generator.condition {
            out.line(format!("if ({})", bare(condition)));
            out.depth += 1;
        }
    }
    out.line(format!("{name}.push_back({});", bare(entry)));
    out.depth = depth;
}

fn round(Generator { names, over, .. }: &Generator) -> String {
    match over {
        Over::Range(from, to) => counted(&names[0], from, to),
        Over::List(list) => each(names, list),
    }
}

fn counted(name: &str, from: &Expr, to: &Expr) -> String {
    // `i <= n - 1` is written `i < n`.
    let one = num_bigint::BigInt::from(1);
    let end = match &to.term {
        Term::Binary(Operator::Minus, a, b) if b.as_number() == Some(&one) => {
            format!("< {}", within(a, Level::Sum))
        }
        _ => format!("<= {}", within(to, Level::Sum)),
    };
    format!("for (ll {name} = {}; {name} {end}; ++{name})", bare(from))
}

fn each(names: &[String], list: &Expr) -> String {
    let over = bare(list);
    match names {
        [one] => {
            let entry = match &list.of {
                Type::List(of) => (**of).clone(),
                _ => Type::Letter,
            };
            if is_small(&entry) {
                format!("for ({} {one} : {over})", kind(&entry))
            } else {
                format!("for (const {}& {one} : {over})", kind(&entry))
            }
        }
        several => format!("for (const auto& [{}] : {over})", several.join(", ")),
    }
}

fn printed(print: &Print, out: &mut Lines) {
    let between = if print.spaced { "' '" } else { "" };
    let mut line = String::from("cout");
    for (place, value) in print.values.iter().enumerate() {
        if place > 0 && print.spaced {
            line += &format!(" << {between}");
        }
        if let Type::List(_) = value.of {
            if line != "cout" {
                out.line(format!("{line};"));
            }
            let between = if print.spaced { "\" \"" } else { "\"\"" };
            out.line(format!("print_all({}, {between});", bare(value)));
            "cout".clone_into(&mut line);
        } else {
            line += &format!(" << {}", within(value, Level::Sum));
        }
    }
    if print.ends_line {
        line += " << '\\n'";
    }
    if line != "cout" {
        out.line(format!("{line};"));
    }
}

fn reading(name: &str, kind: &Reading, out: &mut Lines) {
    let of = self::kind(&kind.of());
    match kind {
        Reading::Number | Reading::Word | Reading::Long => {
            out.line(format!("{of} {name};"));
            out.line(format!("cin >> {name};"));
        }
        Reading::Tuple(_) | Reading::Named(..) => {
            out.line(format!("{of} {name};"));
            fill(name, kind, out);
        }
        Reading::List(count, entry) => {
            out.line(format!("{of} {name}({});", bare(count)));
            entries(name, entry, out);
        }
        Reading::Rest(entry) => {
            out.line(format!("{of} {name};"));
            let one = self::kind(&entry.of());
            out.line(format!(
                "for ({one} one; cin >> one;) {name}.push_back(one);"
            ));
        }
    }
}

/// Reads all entries of a list that is as long as it will be.
fn entries(name: &str, entry: &Reading, out: &mut Lines) {
    let one = format!(
        "{}_entry",
        name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
            .trim_matches('_')
    );
    match entry {
        Reading::Number | Reading::Word | Reading::Long => {
            out.line(format!("for (auto& entry : {name}) cin >> entry;"));
        }
        _ => {
            out.line(format!("for (auto& {one} : {name}) {{"));
            out.depth += 1;
            fill(&one, entry, out);
            out.depth -= 1;
            out.line("}");
        }
    }
}

/// Reads what has a place already.
fn fill(name: &str, kind: &Reading, out: &mut Lines) {
    match kind {
        Reading::Number | Reading::Word | Reading::Long => {
            out.line(format!("cin >> {name};"));
        }
        Reading::Tuple(parts) => {
            if parts
                .iter()
                .all(|part| matches!(part, Reading::Number | Reading::Word | Reading::Long))
            {
                let places = (0..parts.len()).map(|place| format!(" >> get<{place}>({name})"));
                out.line(format!("cin{};", places.collect::<String>()));
            } else {
                for (place, part) in parts.iter().enumerate() {
                    fill(&format!("get<{place}>({name})"), part, out);
                }
            }
        }
        Reading::List(count, entry) => {
            out.line(format!("{name}.resize({});", bare(count)));
            entries(name, entry, out);
        }
        Reading::Rest(_) => {}
        Reading::Named(called, kind) => {
            fill(name, kind, out);
            out.line(format!("auto {called} = {name};"));
        }
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
    let all: Vec<String> = exprs.iter().map(bare).collect();
    all.join(", ")
}

/// A value that takes several statements, where one expression is needed.
fn made(lines: &Lines, name: &str) -> String {
    let body: Vec<&str> = lines.text.lines().map(str::trim).collect();
    format!("[&] {{ {} return {name}; }}()", body.join(" "))
}

fn bare(expr: &Expr) -> String {
    match &expr.term {
        Term::Number(n) => n.to_string(),
        Term::Text(text) if expr.of == Type::Letter => {
            format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
        }
        Term::Text(text) => quoted(text),
        Term::Truth(truth) => truth.to_string(),
        Term::Name(name) => name.clone(),
        Term::Not(a) => format!("!{}", within(a, Level::Unary)),
        Term::Minus(a) => format!("-{}", within(a, Level::Unary)),
        Term::Binary(operator, a, b) => {
            let (left, right) = sides(*operator, a, b);
            let first = match (&a.term, operator) {
                // One shifted far needs 64 bits.
                (Term::Number(n), Operator::ShiftLeft) => format!("{n}LL"),
                _ => within(a, left),
            };
            format!("{first} {} {}", sign(*operator), within(b, right))
        }
        Term::Compare(comparison, a, b) => {
            let sign = compared(*comparison);
            format!("{} {sign} {}", within(a, Level::Sum), within(b, Level::Sum))
        }
        Term::And(a, b) => {
            let side = |e: &Expr, least| within(e, least);
            format!("{} && {}", side(a, Level::And), side(b, Level::Compare))
        }
        Term::Or(a, b) => {
            // An `and` in an `or` reads better with parentheses, and compilers ask for them.
            let side = |e: &Expr| match e.term {
                Term::Or(..) => bare(e),
                _ => within(e, Level::Compare),
            };
            format!("{} || {}", side(a), side(b))
        }
        Term::Choose(condition, a, b) => {
            // Two literals of different lengths have one type only as texts.
            format!(
                "{} ? {} : {}",
                within(condition, Level::Or),
                within(a, Level::Or),
                bare(b)
            )
        }
        Term::Tuple(parts) => format!("{}{{{}}}", kind(&expr.of), list(parts)),
        Term::List(entries) => format!("{}{{{}}}", kind(&expr.of), list(entries)),
        Term::Record(parts) => {
            let parts: Vec<String> = parts.iter().map(|(_, part)| bare(part)).collect();
            format!("{}{{{}}}", kind(&expr.of), parts.join(", "))
        }
        Term::Filled(count, value) => match count.as_number() {
            Some(zero) if *zero == 0.into() => format!("{}()", kind(&expr.of)),
            _ => format!("{}({}, {})", kind(&expr.of), bare(count), bare(value)),
        },
        Term::EmptyMap => format!("{}()", kind(&expr.of)),
        Term::Comprehension(entry, generators) => {
            let mut lines = Lines::new();
            lines.line(format!("{} all;", kind(&expr.of)));
            build("all", entry, generators, &mut lines);
            made(&lines, "all")
        }
        Term::Fold(start, name, generator, next) => {
            let mut lines = Lines::new();
            lines.line(format!("{} {name} = {};", kind(&expr.of), bare(start)));
            lines.line(round(generator));
            if let Some(condition) = &generator.condition {
                lines.line(format!("if ({})", bare(condition)));
            }
            lines.line(format!("{name} = {};", bare(next)));
            made(&lines, name)
        }
        Term::Search(search, name, from, to, condition) => {
            let (from, to, condition) = (bare(from), within(to, Level::Sum), bare(condition));
            match search {
                Search::Least => format!(
                    "[&] {{ for (ll {name} = {from}; {name} <= {to}; ++{name}) if ({condition}) return {name}; \
                     return -1LL; }}()"
                ),
                Search::Greatest => format!(
                    "[&] {{ for (ll {name} = {to}; {name} >= {from}; --{name}) if ({condition}) return {name}; \
                     return -1LL; }}()"
                ),
                Search::Count => format!(
                    "[&] {{ ll found = 0; for (ll {name} = {from}; {name} <= {to}; ++{name}) found += {condition}; \
                     return found; }}()"
                ),
            }
        }
        Term::Index(of, place) => format!("{}[{}]", within(of, Level::Whole), bare(place)),
        Term::Part(of, place) => format!("get<{place}>({})", bare(of)),
        Term::Field(of, name) => format!("{}.{name}", within(of, Level::Whole)),
        Term::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|a| bare(&a.value)).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Term::Known(known, values) => self::known(*known, values, &expr.of),
        Term::SortedBy(list, name, key) => {
            let entry = list.of.entry().map_or("auto".to_owned(), kind);
            format!(
                "[&] {{ auto sorted = {}; stable_sort(sorted.begin(), sorted.end(), \
                 [](const {entry}& a, const {entry}& b) {{ auto key = [](const {entry}& {name}) {{ return {}; }}; \
                 return key(a) < key(b); }}); return sorted; }}()",
                bare(list),
                bare(key)
            )
        }
    }
}

fn known(known: Known, values: &[Expr], of: &Type) -> String {
    let all = list(values);
    match known {
        Known::Length => format!("(ll){}.size()", within(&values[0], Level::Whole)),
        Known::Min => format!("min<{}>({all})", kind(of)),
        Known::Max => format!("max<{}>({all})", kind(of)),
        Known::Abs => format!("abs({all})"),
        Known::Popcount => format!("(ll)__builtin_popcountll({all})"),
        Known::Wide => format!("(__int128){}", within(&values[0], Level::Whole)),
        Known::Narrow => format!("(ll){}", within(&values[0], Level::Whole)),
        Known::Text => format!("to_string({all})"),
        Known::JoinTexts => {
            let text = |value: &Expr| match (&value.term, &value.of) {
                (Term::Text(_), _) => format!("string({})", bare(value)),
                _ => within(value, Level::Sum),
            };
            format!("({} + {})", text(&values[0]), text(&values[1]))
        }
        Known::JoinLists => format!("joined({all})"),
        Known::Letters => {
            let word = bare(&values[0]);
            format!("vector<char>({word}.begin(), {word}.end())")
        }
        Known::Digit => format!("({all} - '0')"),
        Known::Contains => {
            format!(
                "({}.find({}) != string::npos)",
                within(&values[1], Level::Whole),
                bare(&values[0])
            )
        }
        Known::Sorted => format!("in_order({all})"),
        Known::Has => format!("({}.count({}) > 0)", bare(&values[0]), bare(&values[1])),
        Known::Get => format!("{}.at({})", bare(&values[0]), bare(&values[1])),
    }
}
