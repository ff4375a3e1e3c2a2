//! A problem as text again.

use std::fmt::Write as _;

use crate::grammar::KINDS;
use crate::lex::quoted;
use crate::problem::{
    Action, Binary, Comparison, Expression, Extent, Extreme, Fold, Game, Generator, Kind, Name,
    Order, PlayedGame, Problem, Reading, Repeat, Rules, Statement, Term, Times,
};

impl Problem {
    /// The problem as text. Reading the text gives an equal problem.
    pub fn to_text(&self) -> String {
        let mut printer = Printer::default();
        printer.line(&match &self.title {
            Some(title) => format!("problem {} {}", self.name, quoted(title)),
            None => format!("problem {}", self.name),
        });
        if let Some(source) = &self.source {
            printer.line(&format!("source {}", quoted(source)));
        }
        if let Some(separators) = &self.separators {
            printer.line(&format!("separators {}", quoted(separators)));
        }
        printer.text.push('\n');
        for statement in &self.body {
            printer.statement(statement);
        }
        if let Some(plainly) = &self.plainly {
            printer.text.push('\n');
            printer.block("plainly", plainly);
            printer.text.push('\n');
        }
        printer.text
    }
}

/// How tightly the forms of expressions bind. Each stands for the grammar's rule of its name.
mod level {
    pub const EXPRESSION: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const CHAIN: u8 = 4;
    pub const JOIN: u8 = 5;
    pub const RANGE: u8 = 6;
    pub const NUMBER: u8 = 7;
    pub const PLUS: u8 = 9;
    pub const AT: u8 = 10;
    pub const TIMES: u8 = 11;
    pub const MINUS: u8 = 13;
    pub const POWER: u8 = 15;
    pub const POSTFIX: u8 = 17;
}

/// A binary operator: its sign, its level, and the least levels of its operands.
fn operator(operator: Binary) -> (&'static str, u8, u8, u8) {
    use level::{AND, JOIN, NOT, NUMBER, OR, PLUS, POSTFIX, POWER, RANGE, TIMES};
    match operator {
        Binary::Or => ("or", OR, OR, AND),
        Binary::And => ("and", AND, AND, NOT),
        Binary::Join => ("++", JOIN, JOIN, RANGE),
        Binary::BitOr => ("bor", NUMBER, NUMBER, NUMBER + 1),
        Binary::BitXor => ("xor", NUMBER, NUMBER, NUMBER + 1),
        Binary::BitAnd => ("band", NUMBER, NUMBER, NUMBER + 1),
        Binary::ShiftLeft => ("shl", NUMBER, NUMBER, NUMBER + 1),
        Binary::ShiftRight => ("shr", NUMBER, NUMBER, NUMBER + 1),
        Binary::Plus => ("+", PLUS, PLUS, PLUS + 1),
        Binary::Minus => ("-", PLUS, PLUS, PLUS + 1),
        Binary::Times => ("*", TIMES, TIMES, TIMES + 1),
        Binary::Over => ("/", TIMES, TIMES, TIMES + 1),
        Binary::Modulo => ("mod", TIMES, TIMES, TIMES + 1),
        Binary::Power => ("^", POWER, POSTFIX, POWER),
    }
}

fn level(term: &Term) -> u8 {
    match term {
        Term::Choose(..) | Term::Extreme { .. } | Term::Fold(_) => level::EXPRESSION,
        Term::Binary(binary, ..) => operator(*binary).1,
        Term::Not(_) => level::NOT,
        Term::Chain(..) => level::CHAIN,
        Term::Range(..) => level::RANGE,
        Term::At(..) => level::AT,
        Term::Minus(_) => level::MINUS,
        _ => level::POSTFIX,
    }
}

#[derive(Default)]
struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }

    fn line(&mut self, line: &str) {
        self.indent();
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A statement with its block, and no end of the line behind it.
    fn block(&mut self, head: &str, body: &[Statement]) {
        self.indent();
        self.braced(head, body);
    }

    fn braced(&mut self, head: &str, body: &[Statement]) {
        self.text.push_str(head);
        self.text.push_str(" {\n");
        self.depth += 1;
        for statement in body {
            self.statement(statement);
        }
        self.depth -= 1;
        self.indent();
        self.text.push('}');
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.action {
            Action::Read(readings) => {
                let readings = joined(readings, reading);
                self.line(&format!("read {readings}"));
            }
            Action::Require(condition) => self.line(&format!("require {}", whole(condition))),
            Action::Let(name, value) => {
                self.line(&format!("let {} = {}", name.text, whole(value)));
            }
            Action::Game(name, game) => {
                let mut line = format!("game {} = ", name.text);
                self::game(&mut line, game);
                self.line(&line);
            }
            Action::Repeat(repeat) => {
                self.block(&repeat_head(repeat), &repeat.body);
                self.text.push('\n');
            }
            Action::For(generator, body) => {
                let mut head = "for ".to_owned();
                self::generator(&mut head, generator);
                self.block(&head, body);
                self.text.push('\n');
            }
            Action::If(condition, then, otherwise) => {
                self.block(&format!("if {}", whole(condition)), then);
                self.otherwise(otherwise);
                self.text.push('\n');
            }
            Action::Stop(None) => self.line("stop"),
            Action::Stop(Some(condition)) => self.line(&format!("stop if {}", whole(condition))),
            Action::Print(values) if values.is_empty() => self.line("print"),
            Action::Print(values) => self.line(&format!("print {}", joined(values, expression))),
            Action::Write(values) => self.line(&format!("write {}", joined(values, expression))),
        }
    }

    fn otherwise(&mut self, statements: &[Statement]) {
        match statements {
            [] => {}
            [
                Statement {
                    action: Action::If(condition, then, otherwise),
                    ..
                },
            ] => {
                self.braced(&format!(" else if {}", whole(condition)), then);
                self.otherwise(otherwise);
            }
            statements => self.braced(" else", statements),
        }
    }
}

/// Each after the other, with commas between them.
fn joined<T>(items: &[T], mut each: impl FnMut(&mut String, &T)) -> String {
    let mut text = String::new();
    join_into(&mut text, items, &mut each);
    text
}

fn join_into<T>(text: &mut String, items: &[T], mut each: impl FnMut(&mut String, &T)) {
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            text.push_str(", ");
        }
        each(text, item);
    }
}

fn names(names: &[Name]) -> String {
    joined(names, |text, name| text.push_str(&name.text))
}

fn repeat_head(repeat: &Repeat) -> String {
    let mut head = match &repeat.times {
        Times::Count(count) => format!("repeat {}", whole(count)),
        Times::UntilEnd => "repeat until end".to_owned(),
        Times::UntilStopped => "repeat".to_owned(),
    };
    if let Some(counter) = &repeat.counter {
        write!(head, " as {}", counter.text).expect("a string takes every text");
    }
    head
}

fn reading(text: &mut String, reading: &Reading) {
    match &reading.name {
        None => text.push_str("skip "),
        Some(name) => {
            text.push_str(&name.text);
            let limits = matches!(
                reading.kind,
                Kind::OneOf(_) | Kind::Integer { least: Some(_), .. }
            );
            text.push_str(if limits { " in " } else { ": " });
        }
    }
    kind(text, &reading.kind);
}

fn kind(text: &mut String, kind: &Kind) {
    match kind {
        Kind::Integer {
            least: Some(least),
            greatest,
        } => {
            count(text, least);
            text.push_str("..");
            if let Some(greatest) = greatest {
                at_least(text, greatest, level::NUMBER);
            }
        }
        Kind::Integer { least: None, .. } => text.push_str("integer"),
        Kind::OneOf(numbers) => {
            text.push('{');
            join_into(text, numbers, |text, number| {
                at_least(text, number, level::NUMBER);
            });
            text.push('}');
        }
        Kind::Word {
            alphabet,
            least,
            most,
        } => {
            text.push_str("word");
            if let Some(alphabet) = alphabet {
                write!(text, " over {}", quoted(alphabet)).expect("a string takes every text");
            }
            if let Some(most) = most {
                match least {
                    None => text.push_str(" up to "),
                    Some(least) if least == most => text.push_str(" exactly "),
                    Some(least) => {
                        text.push_str(" from ");
                        at_least(text, least, level::NUMBER);
                        text.push_str(" to ");
                    }
                }
                at_least(text, most, level::NUMBER);
            }
        }
        Kind::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            text.push_str(&words.join(" | "));
        }
        Kind::Tuple(parts) => {
            text.push('(');
            join_into(text, parts, reading);
            text.push(')');
        }
        Kind::List {
            extent,
            order,
            counter,
            of,
        } => {
            if *order != Order::Any {
                text.push_str(order.word());
                text.push(' ');
            }
            match extent {
                Extent::Count(number) => count(text, number),
                Extent::Line => text.push_str("line"),
                Extent::Rest => text.push_str("rest"),
            }
            if let Some(counter) = counter {
                text.push_str(" as ");
                text.push_str(&counter.text);
            }
            text.push_str(" of ");
            self::kind(text, of);
        }
    }
}

/// A number where a word would say what is read.
fn count(text: &mut String, number: &Expression) {
    let mut own = String::new();
    at_least(&mut own, number, level::NUMBER);
    let word = own.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let first = &own[..word.unwrap_or(own.len())];
    if KINDS.contains(&first) {
        write!(text, "({own})").expect("a string takes every text");
    } else {
        text.push_str(&own);
    }
}

fn game(text: &mut String, game: &Game) {
    if game.misere {
        text.push_str("misere ");
    }
    match &game.rules {
        Rules::Named(name) => text.push_str(&name.text),
        Rules::Written { text: rules, .. } => {
            text.push('{');
            text.push_str(rules);
            text.push('}');
        }
    }
    if !game.parameters.is_empty() {
        text.push_str(" with ");
        join_into(text, &game.parameters, |text, (name, value)| {
            text.push_str(&name.text);
            text.push_str(" = ");
            at_least(text, value, level::JOIN);
        });
    }
}

fn generator(text: &mut String, generator: &Generator) {
    match generator.names.as_slice() {
        [name] => text.push_str(&name.text),
        several => write!(text, "({})", names(several)).expect("a string takes every text"),
    }
    text.push_str(" in ");
    at_least(text, &generator.over, level::JOIN);
    if let Some(condition) = &generator.condition {
        text.push_str(" if ");
        at_least(text, condition, level::OR);
    }
    if let Some(key) = &generator.key {
        text.push_str(" by ");
        expression(text, key);
    }
}

fn whole(expression: &Expression) -> String {
    let mut text = String::new();
    self::expression(&mut text, expression);
    text
}

fn expression(text: &mut String, expression: &Expression) {
    at_least(text, expression, level::EXPRESSION);
}

/// An expression, in parentheses if it binds less tightly than this.
fn at_least(text: &mut String, expression: &Expression, least: u8) {
    if level(&expression.term) < least {
        text.push('(');
        term(text, &expression.term);
        text.push(')');
    } else {
        term(text, &expression.term);
    }
}

fn term(text: &mut String, term: &Term) {
    match term {
        Term::Number(number) => {
            write!(text, "{number}").expect("a string takes every text");
        }
        Term::Text(inner) => text.push_str(&quoted(inner)),
        Term::None => text.push_str("none"),
        Term::Endless => text.push_str("endless"),
        Term::Variable(name) => text.push_str(name),
        Term::Not(inner) => {
            text.push_str("not ");
            at_least(text, inner, level::NOT);
        }
        Term::Minus(inner) => {
            text.push('-');
            at_least(text, inner, level::MINUS);
        }
        Term::Binary(binary, left, right) => {
            let (sign, _, on_left, on_right) = operator(*binary);
            at_least(text, left, on_left);
            write!(text, " {sign} ").expect("a string takes every text");
            at_least(text, right, on_right);
        }
        Term::Chain(first, links) => {
            at_least(text, first, level::JOIN);
            for (comparison, operand) in links {
                write!(text, " {} ", self::comparison(*comparison))
                    .expect("a string takes every text");
                at_least(text, operand, level::JOIN);
            }
        }
        Term::Choose(condition, then, otherwise) => {
            text.push_str("if ");
            expression(text, condition);
            text.push_str(" then ");
            expression(text, then);
            text.push_str(" else ");
            expression(text, otherwise);
        }
        Term::Tuple(members) => {
            write!(text, "({})", joined(members, expression)).expect("a string takes every text");
        }
        Term::List(entries) => {
            write!(text, "[{}]", joined(entries, expression)).expect("a string takes every text");
        }
        Term::Range(from, to) => {
            at_least(text, from, level::NUMBER);
            text.push_str("..");
            if let Some(to) = to {
                at_least(text, to, level::NUMBER);
            }
        }
        Term::Comprehension(entry, generators) => {
            text.push('[');
            expression(text, entry);
            text.push_str(" for ");
            join_into(text, generators, generator);
            text.push(']');
        }
        Term::Index(of, index) => {
            at_least(text, of, level::POSTFIX);
            text.push('[');
            expression(text, index);
            text.push(']');
        }
        Term::Field(of, name) => {
            at_least(text, of, level::POSTFIX);
            text.push('.');
            text.push_str(&name.text);
        }
        Term::Call(name, arguments) => {
            text.push_str(&name.text);
            text.push('(');
            join_into(text, arguments, expression);
            text.push(')');
        }
        Term::At(played, position) => {
            played_game(text, played);
            text.push_str(" at ");
            at_least(text, position, level::TIMES);
        }
        Term::Fold(fold) => self::fold(text, fold),
        Term::Extreme {
            extreme,
            name,
            over,
            condition,
        } => {
            text.push_str(match extreme {
                Extreme::Least => "least ",
                Extreme::Greatest => "greatest ",
                Extreme::Count => "count ",
            });
            text.push_str(&name.text);
            text.push_str(" in ");
            at_least(text, over, level::JOIN);
            text.push_str(" where ");
            at_least(text, condition, level::OR);
        }
    }
}

fn fold(text: &mut String, fold: &Fold) {
    write!(text, "fold {} = ", fold.name.text).expect("a string takes every text");
    at_least(text, &fold.start, level::EXPRESSION);
    text.push_str(" for ");
    generator(text, &fold.generator);
    text.push_str(" then ");
    at_least(text, &fold.next, level::EXPRESSION);
}

fn played_game(text: &mut String, played: &PlayedGame) {
    match played {
        PlayedGame::Named(name) => text.push_str(&name.text),
        PlayedGame::Made(made) => {
            text.push('(');
            game(text, made);
            text.push(')');
        }
    }
}

fn comparison(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Unequal => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
        Comparison::In => "in",
        Comparison::NotIn => "not in",
    }
}
