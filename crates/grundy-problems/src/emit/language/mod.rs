//! The languages that programs are printed in, one file each.

mod cpp;
mod python;
mod rust;

use super::program::{Expr, Function, Operator, Program, Statement, Term};
use super::tidy::visit;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C++17.
    Cpp,
    /// Rust, edition 2021.
    Rust,
    /// Python 3.
    Python,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::Cpp, Self::Rust, Self::Python];

    /// A program as text.
    pub(super) fn print(self, program: &Program) -> String {
        match self {
            Self::Cpp => cpp::print(program),
            Self::Rust => rust::print(program),
            Self::Python => python::print(program),
        }
    }
}

/// How tightly an expression holds together; a part that holds less tightly needs parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choose,
    Or,
    And,
    Compare,
    Bits,
    Sum,
    Product,
    Unary,
    Whole,
}

/// How tightly an expression holds together in all languages.
fn level(expr: &Expr) -> Level {
    match &expr.term {
        Term::Choose(..) => Level::Choose,
        Term::Or(..) => Level::Or,
        Term::And(..) => Level::And,
        Term::Compare(..) => Level::Compare,
        Term::Binary(operator, ..) => match operator {
            Operator::Plus | Operator::Minus => Level::Sum,
            Operator::Times | Operator::Over | Operator::Modulo => Level::Product,
            _ => Level::Bits,
        },
        Term::Not(_) | Term::Minus(_) => Level::Unary,
        Term::Number(n) if n.sign() == num_bigint::Sign::Minus => Level::Unary,
        _ => Level::Whole,
    }
}

/// The levels that the left and the right part of an operator must have.
///
/// Bits are not mixed with other operators without parentheses: languages differ there, and readers too.
fn sides(operator: Operator, a: &Expr, b: &Expr) -> (Level, Level) {
    let same = |part: &Expr| matches!(&part.term, Term::Binary(other, ..) if *other == operator);
    match operator {
        Operator::Plus | Operator::Minus => (Level::Sum, Level::Product),
        Operator::Times => (Level::Product, Level::Unary),
        Operator::Over | Operator::Modulo => (Level::Unary, Level::Unary),
        _ => {
            let one = |part: &Expr| {
                if same(part) {
                    Level::Bits
                } else {
                    Level::Unary
                }
            };
            (one(a), if same(b) { Level::Bits } else { Level::Unary })
        }
    }
}

/// The sign of an operator where languages agree.
fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Plus => "+",
        Operator::Minus => "-",
        Operator::Times => "*",
        Operator::Over => "/",
        Operator::Modulo => "%",
        Operator::BitAnd => "&",
        Operator::BitOr => "|",
        Operator::BitXor => "^",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
    }
}

/// The sign of a comparison.
fn compared(comparison: super::program::Comparison) -> &'static str {
    use super::program::Comparison as C;
    match comparison {
        C::Equal => "==",
        C::Unequal => "!=",
        C::Less => "<",
        C::AtMost => "<=",
        C::Greater => ">",
        C::AtLeast => ">=",
    }
}

/// Text in lines that are indented.
struct Lines {
    text: String,
    depth: usize,
}

/// Comments and lists are broken before this column.
const WIDTH: usize = 100;

impl Lines {
    fn new() -> Self {
        Self {
            text: String::new(),
            depth: 0,
        }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.is_empty() {
            self.text.push('\n');
            return;
        }
        let indent = "    ".repeat(self.depth);
        // A long list of numbers stands in several lines.
        let mut rest = format!("{indent}{line}");
        let is_list = line.rfind(['[', '{']).is_some_and(|open| {
            line[open + 1..]
                .chars()
                .all(|c| c.is_ascii_digit() || ", -]};".contains(c))
        });
        while is_list && rest.len() > WIDTH {
            let Some(place) = rest[..WIDTH].rfind(", ") else {
                break;
            };
            self.text.push_str(&rest[..=place]);
            self.text.push('\n');
            rest = format!("{indent}    {}", &rest[place + 2..]);
        }
        self.text.push_str(&rest);
        self.text.push('\n');
    }

    fn comment(&mut self, begin: &str, lines: &[String]) {
        let room = WIDTH - 4 * self.depth - begin.len() - 1;
        for line in lines {
            for part in wrapped(line, room) {
                self.line(format!("{begin} {part}").trim_end());
            }
        }
    }
}

/// A text in lines of at most so many letters.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Whether a function calls itself.
fn is_recursive(function: &Function) -> bool {
    let mut found = false;
    visit(&function.body, &mut |expr| {
        found |= matches!(&expr.term, Term::Call(name, _) if *name == function.name);
    });
    found
}

/// Whether some expression of a program is like this.
fn any(program: &Program, is: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let mut see = |expr: &Expr| found |= is(expr);
    visit(&program.body, &mut see);
    for function in &program.functions {
        visit(&function.body, &mut see);
    }
    found
}

/// Whether some statement of a program, at any depth, is like this.
fn any_statement(program: &Program, is: &dyn Fn(&Statement) -> bool) -> bool {
    fn within(statements: &[Statement], is: &dyn Fn(&Statement) -> bool) -> bool {
        statements.iter().any(|statement| {
            is(statement)
                || match statement {
                    Statement::If(branches, otherwise) => {
                        branches.iter().any(|(_, block)| within(block, is)) || within(otherwise, is)
                    }
                    Statement::While(_, block)
                    | Statement::Count(_, _, _, block)
                    | Statement::Each(_, _, block)
                    | Statement::UntilEnd(block)
                    | Statement::Forever(block) => within(block, is),
                    _ => false,
                }
        })
    }
    within(&program.body, is) || program.functions.iter().any(|f| within(&f.body, is))
}

/// A name in words as one with capitals: `winning_move` as `WinningMove`.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}
