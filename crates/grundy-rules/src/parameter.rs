//! A game with other values of its parameters, or under another play convention.

use num_bigint::BigInt;

use crate::declare;
use crate::expectation::Part;
use crate::fault::{Diagnostic, Fault, Kind, suggestion};
use crate::grammar;
use crate::lex::{self, Statement};
use crate::notation::Allowance;
use crate::parse::{TEXT_LIMIT, unbounded};
use crate::ruleset::{ParameterValue, Play, Ruleset, Span};

impl Ruleset {
    /// The same game with this parameter set to a value: `3`, `{2,5}`, `2,5`, `(31,28)`,
    /// `{(1,2),(1,3)}`, or tuples one to a line, `1 2`.
    ///
    /// The value is of the kind of the default. What the file expects is dropped: it
    /// speaks of the default.
    pub fn with_parameter(&self, name: &str, value: &str) -> Result<Self, Diagnostic> {
        let whole = Span {
            start: 0,
            end: value.len(),
        };
        let default = &self.parameters[self.parameter(name, whole)?].value;
        self.with(name, value_like(default, name, value)?, whole)
    }

    /// The same game with this parameter set to a value of the kind of its default: a set
    /// or relation ascending and without repetition.
    ///
    /// What the file expects is dropped: it speaks of the default.
    pub fn with_value(&self, name: &str, value: ParameterValue) -> Result<Self, Diagnostic> {
        let nowhere = Span::default();
        let wanted = Kind::of(&self.parameters[self.parameter(name, nowhere)?].value);
        if Kind::of(&value) != wanted {
            let fault = Fault::ParameterKind {
                name: name.to_owned(),
                wanted,
            };
            return Err(Diagnostic::new(nowhere, fault));
        }
        self.with(name, value, nowhere)
    }

    /// The index of a parameter, or the fault at `place` that there is none.
    fn parameter(&self, name: &str, place: Span) -> Result<usize, Diagnostic> {
        let index = self.parameters.iter().position(|p| p.name == name);
        index.ok_or_else(|| {
            let names = self.parameters.iter().map(|p| p.name.as_str());
            let fault = Fault::UnknownParameter {
                name: name.to_owned(),
                suggestion: suggestion(name, names),
            };
            Diagnostic::new(place, fault)
        })
    }

    fn with(&self, name: &str, value: ParameterValue, place: Span) -> Result<Self, Diagnostic> {
        let mut ruleset = self.clone();
        for parameter in &mut ruleset.parameters {
            if parameter.name == name {
                parameter.value = value;
                break;
            }
        }
        ruleset.expectations.clear();
        match unbounded(&ruleset).pop() {
            None => Ok(ruleset),
            Some(diagnostic) => Err(Diagnostic::new(place, diagnostic.fault)),
        }
    }

    /// The same game under this play convention.
    ///
    /// What the file expects is dropped if that changes it.
    #[must_use]
    pub fn with_play(&self, play: Play) -> Self {
        let mut ruleset = self.clone();
        if ruleset.play != play {
            ruleset.play = play;
            ruleset.expectations.clear();
        }
        ruleset
    }
}

/// A value of the kind of `default`.
fn value_like(
    default: &ParameterValue,
    name: &str,
    text: &str,
) -> Result<ParameterValue, Diagnostic> {
    let whole = Span {
        start: 0,
        end: text.len(),
    };
    if text.len() > TEXT_LIMIT {
        let fault = Fault::TextTooLong { limit: TEXT_LIMIT };
        return Err(Diagnostic::new(whole, fault));
    }
    let wanted = Kind::of(default);
    let wrong_kind = || {
        let fault = Fault::ParameterKind {
            name: name.to_owned(),
            wanted,
        };
        Diagnostic::new(whole, fault)
    };
    let allowance = Allowance::default();
    let bracketed = text.trim_start().starts_with(['{', '(']);
    let value = match wanted {
        Kind::Set if !bracketed => {
            let mut numbers = bare_numbers(text, 0, &allowance)?;
            numbers.sort_unstable();
            numbers.dedup();
            ParameterValue::Set(numbers)
        }
        Kind::List if !bracketed => ParameterValue::List(bare_numbers(text, 0, &allowance)?),
        Kind::Relation if !bracketed => bare_relation(text, &allowance)?,
        _ => {
            let mut faults = Vec::new();
            let statement = Statement::of_all(text);
            if !lex::check(&statement, &mut faults) {
                return Err(faults.swap_remove(0));
            }
            declare::parameter_value(&grammar::value(&statement, &allowance)?, &allowance)?
        }
    };
    match (default, value) {
        // `{}` is the empty relation where a relation belongs.
        (ParameterValue::Relation(_), ParameterValue::Set(numbers)) if numbers.is_empty() => {
            Ok(ParameterValue::Relation(Vec::new()))
        }
        (ParameterValue::Relation(old), ParameterValue::Relation(new)) => {
            match (old.first(), new.first()) {
                (Some(first), Some(this)) if first.len() != this.len() => {
                    let fault = Fault::UnequalTuples {
                        first: first.len(),
                        this: this.len(),
                    };
                    Err(Diagnostic::new(whole, fault))
                }
                _ => Ok(ParameterValue::Relation(new)),
            }
        }
        (_, value) if Kind::of(&value) == wanted => Ok(value),
        _ => Err(wrong_kind()),
    }
}

/// Numbers separated by commas or white space.
fn bare_numbers(
    text: &str,
    offset: usize,
    allowance: &Allowance,
) -> Result<Vec<BigInt>, Diagnostic> {
    let mut numbers = Vec::new();
    let mut rest = Part {
        text,
        offset,
        allowance,
    }
    .trim();
    while !rest.text.is_empty() {
        let end = rest
            .text
            .find(|c: char| c == ',' || c.is_whitespace())
            .unwrap_or(rest.text.len());
        let (number, behind) = rest.split_at(end);
        let negative = usize::from(number.text.starts_with('-'));
        let magnitude = number.split_at(negative).1.number()?;
        let magnitude = BigInt::from(magnitude);
        numbers.push(if negative == 1 { -magnitude } else { magnitude });
        let behind = behind.trim();
        rest = if behind.text.starts_with(',') {
            behind.split_at(1).1.trim()
        } else {
            behind
        };
    }
    Ok(numbers)
}

/// Tuples one to a line; empty lines and comments are skipped.
fn bare_relation(text: &str, allowance: &Allowance) -> Result<ParameterValue, Diagnostic> {
    let mut relation: Vec<Vec<BigInt>> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let tuple = bare_numbers(content, offset, allowance)?;
        if let Some(first) = relation.first()
            && !tuple.is_empty()
            && first.len() != tuple.len()
        {
            let fault = Fault::UnequalTuples {
                first: first.len(),
                this: tuple.len(),
            };
            let span = Span {
                start: offset,
                end: offset + content.len(),
            };
            return Err(Diagnostic::new(span, fault));
        }
        if !tuple.is_empty() {
            relation.push(tuple);
        }
        offset += line.len();
    }
    relation.sort_unstable();
    relation.dedup();
    Ok(ParameterValue::Relation(relation))
}
