//! Small pieces of every statement: signs, words, names, lists.

use grundy_rules::fault::clip;
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::any;

use super::{Failure, Input, Parsed};
use crate::fault::{Expected, Fault};
use crate::lex::{Kind, NAME_LENGTH, Token, name_length, unescaped};
use crate::problem::{Name, Span};

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

pub(super) fn second_is_word(input: &Input<'_, '_>, word: &str) -> bool {
    input.get(1).is_some_and(|token| token.is_word(word))
}

pub(super) fn next<'s>(input: &mut Input<'_, 's>) -> Parsed<Token<'s>> {
    any.parse_next(input).copied()
}

fn sign_text(kind: Kind) -> &'static str {
    match kind {
        Kind::CloseBracket => "]",
        Kind::CloseParen => ")",
        Kind::CloseBrace => "}",
        Kind::Dots => "..",
        Kind::Equal => "=",
        _ => unreachable!("only signs that are required by name"),
    }
}

/// This sign.
pub(super) fn sign<'s>(input: &mut Input<'_, 's>, kind: Kind) -> Parsed<Token<'s>> {
    if at(input, kind) {
        return next(input);
    }
    Err(Failure::expecting(
        input,
        &[Expected::Sign(sign_text(kind))],
    ))
}

/// This word.
pub(super) fn word<'s>(input: &mut Input<'_, 's>, text: &'static str) -> Parsed<Token<'s>> {
    if at_word(input, text) {
        return next(input);
    }
    Err(Failure::expecting(input, &[Expected::Sign(text)]))
}

/// A closing bracket, where something else could stand as well.
pub(super) fn close<'s>(
    input: &mut Input<'_, 's>,
    kind: Kind,
    also: &[Expected],
) -> Parsed<Token<'s>> {
    if at(input, kind) {
        return next(input);
    }
    let mut expected = also.to_vec();
    expected.push(Expected::Sign(sign_text(kind)));
    Err(Failure::expecting(input, &expected))
}

pub(super) fn end(input: &Input<'_, '_>, also: &[Expected]) -> Parsed<()> {
    if input.is_empty() {
        return Ok(());
    }
    let mut expected = also.to_vec();
    if !also.contains(&Expected::Sign("{")) {
        expected.push(Expected::EndOfLine);
    }
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

const RESERVED: &[&str] = &[
    "read", "require", "let", "game", "repeat", "until", "stop", "for", "if", "then", "else",
    "print", "write", "plainly", "or", "and", "not", "in", "bor", "xor", "band", "shl", "shr",
    "mod", "none", "endless", "at", "with", "misere", "where", "by", "as", "of", "skip",
];

/// Whether a word means something wherever it stands, so that it cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The name of a value.
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
            Ok(named(&token))
        }
        _ => Err(Failure::expecting(input, &[Expected::Name])),
    }
}

pub(super) fn named(token: &Token<'_>) -> Name {
    Name {
        text: token.text.to_owned(),
        span: token.span,
    }
}

/// A name that may hold hyphens: a game's or a problem's.
pub(super) fn hyphened<'t, 's: 't>(input: &mut Input<'t, 's>) -> Parsed<Name> {
    let length = name_length(input);
    if length == 0 {
        return Err(Failure::expecting(input, &[Expected::Name]));
    }
    if length == 1 && is_reserved(input[0].text) {
        return name(input);
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

/// A text without its quotation marks.
pub(super) fn text(input: &mut Input<'_, '_>) -> Parsed<String> {
    if !at(input, Kind::Text) {
        return Err(Failure::expecting(input, &[Expected::Text]));
    }
    let token = next(input)?;
    Ok(unescaped(token.text).expect("the tokens of a statement are checked before they are read"))
}

/// From the first place to the second.
pub(super) fn join(from: Span, to: Span) -> Span {
    Span {
        start: from.start,
        end: to.end,
    }
}

/// From this place to the last token that was read.
pub(super) fn since(input: &Input<'_, '_>, start: Span) -> Span {
    let last = input.previous_tokens().next();
    join(start, last.map_or(start, |token| token.span))
}
