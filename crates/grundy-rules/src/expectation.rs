//! What a file expects: `expect` lines, whose positions have a notation of their own.

use num_bigint::BigUint;

use crate::budget::{Budget, Meter};
use crate::fault::{Diagnostic, Expected, Fault, Topic, clip, suggestion};
use crate::given::{self, GivenFault};
use crate::lex::Statement;
use crate::notation::{self, Allowance};
use crate::position::Position;
use crate::ruleset::{Expectation, ExpectationKind, Ruleset, Span};

/// A part of a text and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Part<'s> {
    pub text: &'s str,
    pub offset: usize,
    pub allowance: &'s Allowance,
}

impl Part<'_> {
    pub fn trim(self) -> Self {
        let text = self.text.trim_start();
        Self {
            offset: self.offset + self.text.len() - text.len(),
            text: text.trim_end(),
            ..self
        }
    }

    pub fn split_at(self, at: usize) -> (Self, Self) {
        let (head, tail) = self.text.split_at(at);
        let tail = Self {
            text: tail,
            offset: self.offset + at,
            ..self
        };
        (Self { text: head, ..self }, tail)
    }

    /// The first word and what follows it.
    fn word(self) -> (Self, Self) {
        let part = self.trim();
        let end = part
            .text
            .find(|c: char| c.is_whitespace())
            .unwrap_or(part.text.len());
        let (word, rest) = part.split_at(end);
        (word, rest.trim())
    }

    /// What stands before and behind the last `=`.
    fn around_equal(self) -> Option<(Self, Self)> {
        let (head, tail) = self.split_at(self.text.rfind('=')?);
        Some((head.trim(), tail.split_at(1).1.trim()))
    }

    fn span(self) -> Span {
        Span {
            start: self.offset,
            end: self.offset + self.text.len(),
        }
    }

    fn unexpected(self, expected: &[Expected]) -> Diagnostic {
        let fault = Fault::Unexpected {
            found: (!self.text.is_empty()).then(|| clip(self.text)),
            expected: expected.to_vec(),
            suggestion: suggestion(self.text, expected.iter().filter_map(Expected::word)),
        };
        Diagnostic::new(self.span(), fault)
    }

    pub fn number(self) -> Result<BigUint, Diagnostic> {
        notation::number_at(self.text, self.offset, self.allowance)
    }

    /// A position of this game.
    fn position(self, ruleset: &Ruleset) -> Result<Position, Diagnostic> {
        let position = notation::position_at(self.text, self.offset, ruleset, self.allowance)?;
        let mut meter = Meter::new(Budget::default());
        match given::prepare(ruleset, &position, &mut meter) {
            // A limit says nothing about the position.
            Ok(_) | Err(GivenFault::Limit(_)) => Ok(position),
            Err(fault) => Err(Diagnostic::new(self.span(), Fault::Given(fault))),
        }
    }

    /// This word, and what follows it.
    fn expect(self, word: &'static str) -> Result<Self, Diagnostic> {
        let (found, rest) = self.word();
        if found.text == word {
            return Ok(rest);
        }
        Err(found.unexpected(&[Expected::Sign(word)]))
    }
}

pub(crate) fn expectation(
    statement: &Statement<'_>,
    ruleset: &Ruleset,
    allowance: &Allowance,
) -> Result<Expectation, Diagnostic> {
    let whole = Part {
        text: statement.text,
        offset: statement.span.start,
        allowance,
    };
    let (_, part) = whole.word();
    let (word, rest) = part.word();
    let kind = match word.text {
        "grundy" => {
            let mut values = Vec::new();
            let mut rest = rest;
            // Published lists have commas.
            let between = |c: char| c == ',' || c.is_whitespace();
            while !rest.text.is_empty() {
                let end = rest.text.find(between).unwrap_or(rest.text.len());
                let (value, behind) = rest.split_at(end);
                values.push(value.number()?);
                let space = behind.text.len() - behind.text.trim_start_matches(between).len();
                rest = behind.split_at(space).1;
            }
            if values.is_empty() {
                return Err(rest.unexpected(&[Expected::Number]));
            }
            ExpectationKind::Grundy(values)
        }
        "value" => {
            let (position, value) = equation(rest)?;
            ExpectationKind::Value(position.position(ruleset)?, value.number()?)
        }
        "won" => ExpectationKind::Won(rest.position(ruleset)?),
        "lost" => ExpectationKind::Lost(rest.position(ruleset)?),
        "moves" => {
            let (position, answer) = equation(rest)?;
            winning_moves(position.position(ruleset)?, answer, ruleset)?
        }
        "law" => law(rest)?,
        "no" => {
            let number = rest.expect("law")?.expect("below")?;
            ExpectationKind::NoLawBelow(number.number()?)
        }
        _ => {
            let words = Topic::Expectation.words();
            if word.text.is_empty() {
                let expected: Vec<_> = words.iter().map(|word| Expected::Sign(word)).collect();
                return Err(word.unexpected(&expected));
            }
            let fault = Fault::UnknownWord {
                word: clip(word.text),
                topic: Topic::Expectation,
                suggestion: suggestion(word.text, words.iter().copied()),
            };
            return Err(Diagnostic::new(word.span(), fault));
        }
    };
    Ok(Expectation {
        kind,
        source: statement
            .comment
            .filter(|comment| !comment.is_empty())
            .map(str::to_owned),
        span: statement.span,
    })
}

fn equation(part: Part<'_>) -> Result<(Part<'_>, Part<'_>), Diagnostic> {
    part.around_equal().ok_or_else(|| {
        let end = part.split_at(part.text.len()).1;
        end.unexpected(&[Expected::Sign("=")])
    })
}

/// `= N`, or positions separated by `;`; one number alone counts moves.
fn winning_moves(
    position: Position,
    answer: Part<'_>,
    ruleset: &Ruleset,
) -> Result<ExpectationKind, Diagnostic> {
    let alone = answer.text.chars().all(|c| !c.is_whitespace())
        && answer.text.starts_with(|c: char| c.is_ascii_digit())
        && !answer.text.contains([',', ';']);
    if alone {
        return Ok(ExpectationKind::MoveCount(position, answer.number()?));
    }
    let mut results = Vec::new();
    let mut rest = answer;
    while !rest.text.is_empty() {
        let end = rest.text.find(';').unwrap_or(rest.text.len());
        let (result, behind) = rest.split_at(end);
        results.push(result.trim().position(ruleset)?);
        rest = behind.split_at(behind.text.len().min(1)).1.trim();
    }
    if results.is_empty() {
        return Err(answer.unexpected(&[Expected::Number, Expected::Position]));
    }
    Ok(ExpectationKind::MoveResults(position, results))
}

/// `period p [saltus s] from n0`
fn law(part: Part<'_>) -> Result<ExpectationKind, Diagnostic> {
    let (period, rest) = part.expect("period")?.word();
    let (word, behind) = rest.word();
    let (saltus, rest) = if word.text == "saltus" {
        let (saltus, rest) = behind.word();
        (saltus.number()?, rest)
    } else {
        (BigUint::default(), rest)
    };
    let period_value = period.number()?;
    if period_value == BigUint::default() {
        let fault = Fault::NumberTooSmall { least: 1 };
        return Err(Diagnostic::new(period.span(), fault));
    }
    Ok(ExpectationKind::Law {
        period: period_value,
        saltus,
        preperiod: rest.expect("from")?.number()?,
    })
}
