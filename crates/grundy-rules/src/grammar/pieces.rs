//! Small pieces of every statement: signs, words, names, lists.

use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{any, literal};

use super::{Failure, Input, Parsed};
use crate::fault::{Expected, Fault, Topic, clip, suggestion};
use crate::lex::{Kind, NAME_LENGTH, Token, name_length};
use crate::ruleset::Span;
use crate::tree::Name;

pub(super) fn peek<'s>(input: &Input<'_, 's>) -> Option<Token<'s>> {
    input.first().copied()
}

pub(super) fn at(input: &Input<'_, '_>, kind: Kind) -> bool {
    input.first().is_some_and(|token| token.kind == kind)
}

pub(super) fn at_word(input: &Input<'_, '_>, word: &str) -> bool {
    input.first().is_some_and(|token| token.is_word(word))
}

pub(super) fn second_is(input: &Input<'_, '_>, kind: Kind) -> bool {
    input.get(1).is_some_and(|token| token.kind == kind)
}

fn sign_text(kind: Kind) -> &'static str {
    match kind {
        Kind::OpenBracket => "[",
        Kind::CloseBracket => "]",
        Kind::OpenParen => "(",
        Kind::CloseParen => ")",
        Kind::OpenBrace => "{",
        Kind::CloseBrace => "}",
        Kind::Comma => ",",
        Kind::Colon => ":",
        Kind::Semicolon => ";",
        Kind::Dots => "..",
        Kind::Arrow => "->",
        Kind::Equal => "=",
        Kind::Bar => "|",
        Kind::Plus => "+",
        _ => unreachable!("only signs that are required by name"),
    }
}

/// This sign.
pub(super) fn sign<'t, 's: 't>(kind: Kind) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
    move |input: &mut Input<'t, 's>| {
        let failure = Failure::expecting(input, &[Expected::Sign(sign_text(kind))]);
        literal(kind)
            .parse_next(input)
            .map(|tokens: &'t [Token<'s>]| tokens[0])
            .map_err(|_: Failure| failure)
    }
}

/// This word.
pub(super) fn word<'t, 's: 't>(
    text: &'static str,
) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
    move |input: &mut Input<'t, 's>| {
        if at_word(input, text) {
            return next(input);
        }
        Err(Failure::expecting(input, &[Expected::Sign(text)]))
    }
}

pub(super) fn next<'s>(input: &mut Input<'_, 's>) -> Parsed<Token<'s>> {
    any.parse_next(input).copied()
}

pub(super) fn end(input: &mut Input<'_, '_>, also: &[Expected]) -> Parsed<()> {
    if input.is_empty() {
        return Ok(());
    }
    let mut expected = also.to_vec();
    expected.push(Expected::EndOfLine);
    Err(Failure::expecting(input, &expected))
}

/// One or more, separated by commas.
pub(super) fn comma_list<'t, 's: 't, T>(
    mut item: impl FnMut(&mut Input<'t, 's>) -> Parsed<T>,
) -> impl FnMut(&mut Input<'t, 's>) -> Parsed<Vec<T>> {
    move |input| {
        let mut items = vec![item(input)?];
        while at(input, Kind::Comma) {
            next(input)?;
            items.push(item(input)?);
        }
        Ok(items)
    }
}

/// Closes a comma list.
pub(super) fn close<'t, 's: 't>(kind: Kind) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
    move |input: &mut Input<'t, 's>| {
        if at(input, kind) {
            return next(input);
        }
        let expected = [Expected::Sign(","), Expected::Sign(sign_text(kind))];
        Err(Failure::expecting(input, &expected))
    }
}

const RESERVED: &[&str] = &[
    "where",
    "and",
    "or",
    "not",
    "in",
    "mod",
    "xor",
    "band",
    "bor",
    "shl",
    "shr",
    "for",
    "nothing",
    "some",
    "every",
    "if",
    "iff",
    "of",
    "primes",
    "squares",
    "fibonacci",
    "all",
    "prime",
];

/// Whether a word means something in formulas, so that it cannot be a name there.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// A name.
pub(super) fn name(input: &mut Input<'_, '_>) -> Parsed<Name> {
    match peek(input) {
        Some(token) if token.kind == Kind::Word => {
            if is_reserved(token.text) {
                let fault = Fault::ReservedWord {
                    word: clip(token.text),
                };
                return Err(Failure::fault(input, token.span, fault));
            }
            next(input)?;
            Ok(Name {
                text: token.text.to_owned(),
                span: token.span,
            })
        }
        _ => Err(Failure::expecting(input, &[Expected::Name])),
    }
}

/// A name that may hold hyphens: a game's or a label.
pub(super) fn hyphened<'t, 's: 't>(input: &mut Input<'t, 's>) -> Parsed<Name> {
    let length = name_length(input);
    if length == 0 {
        return Err(Failure::expecting(input, &[Expected::Name]));
    }
    let tokens = input.next_slice(length);
    let span = join(tokens[0].span, tokens[length - 1].span);
    if span.end - span.start > NAME_LENGTH {
        let fault = Fault::NameTooLong { limit: NAME_LENGTH };
        return Err(Failure::fault(input, span, fault));
    }
    Ok(Name {
        text: tokens.iter().map(|token| token.text).collect(),
        span,
    })
}

pub(super) fn text(input: &mut Input<'_, '_>) -> Parsed<(String, Span)> {
    match peek(input) {
        Some(token) if token.kind == Kind::Text => {
            next(input)?;
            let inner = &token.text[1..token.text.len() - 1];
            Ok((inner.to_owned(), token.span))
        }
        _ => Err(Failure::expecting(input, &[Expected::Text])),
    }
}

/// A word of a fixed list; another word is a fault with a suggestion.
pub(super) fn topic_word<'s>(input: &mut Input<'_, 's>, topic: Topic) -> Parsed<Token<'s>> {
    let token = peek(input).filter(|token| token.kind == Kind::Word);
    let Some(token) = token else {
        let expected: Vec<Expected> = topic.words().iter().map(|w| Expected::Sign(w)).collect();
        return Err(Failure::expecting(input, &expected));
    };
    if !topic.words().contains(&token.text) {
        return Err(Failure::fault(
            input,
            token.span,
            Fault::UnknownWord {
                word: clip(token.text),
                topic,
                suggestion: suggestion(token.text, topic.words().iter().copied()),
            },
        ));
    }
    next(input)
}

/// From the first place to the second.
pub(super) fn join(from: Span, to: Span) -> Span {
    Span {
        start: from.start,
        end: to.end,
    }
}
