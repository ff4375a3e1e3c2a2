//! The text of an input that is made up, not read.

use std::fmt::Write as _;

use crate::problem::{Extent, Kind};
use crate::value::Value;

/// Tokens in lines.
#[derive(Default)]
pub(crate) struct Sheet {
    /// What is written so far.
    pub text: String,
}

impl Sheet {
    fn token(&mut self, value: &Value) {
        if !(self.text.is_empty() || self.text.ends_with('\n')) {
            self.text.push(' ');
        }
        match value {
            Value::Number(n) => write!(self.text, "{n}").expect("a text takes what is written"),
            Value::Text(text) => self.text.push_str(text),
            _ => {}
        }
    }

    /// Ends the line, if anything stands on it.
    pub fn end_of_line(&mut self) {
        if !(self.text.is_empty() || self.text.ends_with('\n')) {
            self.text.push('\n');
        }
    }

    /// Writes a value of a kind: lists of words and of tuples stand in lines of their own.
    pub fn write(&mut self, kind: &Kind, value: &Value) {
        match (kind, value) {
            (Kind::Tuple(parts), Value::Tuple(values)) => {
                for (part, value) in parts.iter().zip(values.iter()) {
                    self.write(&part.kind, value);
                }
            }
            (Kind::List { extent, of, .. }, Value::List(values)) => {
                let in_lines = *extent != Extent::Line
                    && !matches!(**of, Kind::Integer { .. } | Kind::OneOf(_));
                for value in values.iter() {
                    if in_lines {
                        self.end_of_line();
                    }
                    self.write(of, value);
                }
                if *extent == Extent::Line {
                    self.text.push('\n');
                } else if in_lines {
                    self.end_of_line();
                }
            }
            (_, value) => self.token(value),
        }
    }
}
