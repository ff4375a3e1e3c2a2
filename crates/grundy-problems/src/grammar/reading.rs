//! What is read: `n in 1..9`, `a: n of 1..9`.

use grundy_rules::fault::{clip, suggestion};

use super::expression::number;
use super::pieces::{
    at, at_word, close, comma_list, name, next, peek, second_is, second_is_word, since, text, word,
};
use super::{Failure, Input, Parsed};
use crate::fault::{Expected, Fault};
use crate::lex::Kind as Sign;
use crate::problem::{Expression, Extent, Kind, Order, Reading, Term};

/// A value with its name, or a skipped one.
pub(super) fn reading(input: &mut Input<'_, '_>) -> Parsed<Reading> {
    let Some(first) = peek(input).filter(|token| token.kind == Sign::Word) else {
        return Err(Failure::expecting(input, &[Expected::Reading]));
    };
    let (name, kind) = if first.is_word("skip") {
        next(input)?;
        (None, kind(input)?)
    } else {
        let name = name(input)?;
        if at_word(input, "in") {
            next(input)?;
            (Some(name), limits(input)?)
        } else if at(input, Sign::Colon) {
            next(input)?;
            (Some(name), kind(input)?)
        } else {
            let expected = [Expected::Sign("in"), Expected::Sign(":")];
            return Err(Failure::expecting(input, &expected));
        }
    };
    Ok(Reading {
        name,
        kind,
        span: since(input, first.span),
    })
}

/// `1..9`, `1..`, `{1, 2}`.
fn limits(input: &mut Input<'_, '_>) -> Parsed<Kind> {
    if at(input, Sign::OpenBrace) {
        return one_of(input);
    }
    let least = number(input)?;
    if !at(input, Sign::Dots) {
        return Err(Failure::expecting(input, &[Expected::Sign("..")]));
    }
    range(input, least)
}

fn one_of(input: &mut Input<'_, '_>) -> Parsed<Kind> {
    next(input)?;
    let numbers = comma_list(number)(input)?;
    close(input, Sign::CloseBrace, &[Expected::Sign(",")])?;
    Ok(Kind::OneOf(numbers))
}

/// The rest of a range, from its dots.
fn range(input: &mut Input<'_, '_>, least: Expression) -> Parsed<Kind> {
    next(input)?;
    let greatest = if super::expression::begins(input) {
        Some(number(input)?)
    } else {
        None
    };
    Ok(Kind::Integer {
        least: Some(least),
        greatest,
    })
}

/// What stands behind the colon.
fn kind(input: &mut Input<'_, '_>) -> Parsed<Kind> {
    let Some(first) = peek(input) else {
        return Err(Failure::expecting(input, &[Expected::Kind]));
    };
    match first.kind {
        Sign::OpenBrace => return one_of(input),
        Sign::Text => return words(input),
        Sign::OpenParen if at_tuple(input) => {
            next(input)?;
            let parts = comma_list(reading)(input)?;
            close(input, Sign::CloseParen, &[Expected::Sign(",")])?;
            return Ok(Kind::Tuple(parts));
        }
        Sign::Word => match first.text {
            "integer" => {
                next(input)?;
                return Ok(Kind::Integer {
                    least: None,
                    greatest: None,
                });
            }
            "word" => return any_word(input),
            _ => {
                if let Some(order) = order(first.text) {
                    next(input)?;
                    let extent = extent(input)?;
                    return list(input, extent, order);
                }
            }
        },
        _ => {}
    }
    if !super::expression::begins(input) {
        return Err(Failure::expecting(input, &[Expected::Kind]));
    }
    let extent = extent(input)?;
    match extent {
        Extent::Count(least) if at(input, Sign::Dots) => range(input, *least),
        Extent::Count(count) if !at_word(input, "of") && !at_word(input, "as") => {
            let suggestion = match &count.term {
                Term::Variable(name) => suggestion(name, KINDS.iter().copied()),
                _ => None,
            };
            if suggestion.is_some() {
                let fault = Fault::Unexpected {
                    found: Some(clip(first.text)),
                    expected: vec![Expected::Kind],
                    suggestion,
                };
                return Err(Failure::fault(input, first.span, fault));
            }
            let expected = [Expected::Sign(".."), Expected::Sign("of")];
            Err(Failure::expecting(input, &expected))
        }
        extent => list(input, extent, Order::Any),
    }
}

/// The words that say what a value looks like.
pub(crate) const KINDS: &[&str] = &[
    "integer",
    "word",
    "line",
    "rest",
    "distinct",
    "increasing",
    "nondecreasing",
    "nonincreasing",
    "simple",
    "tree",
    "rings",
];

fn order(word: &str) -> Option<Order> {
    Order::SAID.into_iter().find(|order| order.word() == word)
}

/// How many entries follow; a count may turn out to be the lower end of limits.
fn extent(input: &mut Input<'_, '_>) -> Parsed<Extent> {
    let unnumbered = match peek(input) {
        Some(token) if token.is_word("line") => Some(Extent::Line),
        Some(token) if token.is_word("rest") => Some(Extent::Rest),
        _ => None,
    };
    match unnumbered {
        Some(extent) if second_is_word(input, "of") || second_is_word(input, "as") => {
            next(input)?;
            Ok(extent)
        }
        _ => number(input).map(|count| Extent::Count(Box::new(count))),
    }
}

fn list(input: &mut Input<'_, '_>, extent: Extent, order: Order) -> Parsed<Kind> {
    let counter = if at_word(input, "as") {
        next(input)?;
        Some(name(input)?)
    } else {
        None
    };
    word(input, "of")?;
    let of = Box::new(kind(input)?);
    Ok(Kind::List {
        extent,
        order,
        counter,
        of,
    })
}

/// Whether a parenthesis opens a tuple of readings and no expression.
fn at_tuple(input: &Input<'_, '_>) -> bool {
    second_is_word(input, "skip")
        || (second_is(input, Sign::Word)
            && input
                .get(2)
                .is_some_and(|token| token.kind == Sign::Colon || token.is_word("in")))
}

/// `"YES" | "NO"`.
fn words(input: &mut Input<'_, '_>) -> Parsed<Kind> {
    let mut words = vec![text(input)?];
    while at(input, Sign::Bar) {
        next(input)?;
        words.push(text(input)?);
    }
    Ok(Kind::Words(words))
}

/// `word over "XO." up to 200`, `word exactly n`, `word from 3 to 8`.
fn any_word(input: &mut Input<'_, '_>) -> Parsed<Kind> {
    next(input)?;
    let alphabet = if at_word(input, "over") {
        next(input)?;
        Some(text(input)?)
    } else {
        None
    };
    let (least, most) = if at_word(input, "up") {
        next(input)?;
        word(input, "to")?;
        (None, Some(Box::new(number(input)?)))
    } else if at_word(input, "exactly") {
        next(input)?;
        let count = Box::new(number(input)?);
        (Some(count.clone()), Some(count))
    } else if at_word(input, "from") {
        next(input)?;
        let least = Box::new(number(input)?);
        word(input, "to")?;
        (Some(least), Some(Box::new(number(input)?)))
    } else {
        (None, None)
    };
    Ok(Kind::Word {
        alphabet,
        least,
        most,
    })
}
