//! Formulas of all kinds, loosest operators first.

use num_bigint::BigInt;
use winnow::prelude::*;
use winnow::stream::Stream;

use super::pieces::{
    at, at_word, close, comma_list, is_reserved, join, name, next, peek, second_is, sign, word,
};
use super::{Failure, Input, Parsed};
use crate::fault::Expected;
use crate::lex::{Kind, Token};
use crate::ruleset::{BinaryOp, Comparison, Quantifier, Span};
use crate::tree::{Link, Name, Node, NodeKind};

/// Members separated by commas.
pub(super) fn conjunction(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let mut members = comma_list(disjunction)(input)?;
    if members.len() == 1 {
        return Ok(members.swap_remove(0));
    }
    let span = join(members[0].span, members[members.len() - 1].span);
    Ok(Node {
        span,
        kind: NodeKind::All(members),
    })
}

/// Members separated by this word.
fn separated<'t, 's: 't>(
    input: &mut Input<'t, 's>,
    separator: &str,
    mut member: impl FnMut(&mut Input<'t, 's>) -> Parsed<Node>,
    wrap: fn(Vec<Node>) -> NodeKind,
) -> Parsed<Node> {
    let first = member(input)?;
    if !at_word(input, separator) {
        return Ok(first);
    }
    let start = first.span;
    let mut members = vec![first];
    while at_word(input, separator) {
        next(input)?;
        members.push(member(input)?);
    }
    let span = join(start, members[members.len() - 1].span);
    Ok(Node {
        span,
        kind: wrap(members),
    })
}

fn disjunction(input: &mut Input<'_, '_>) -> Parsed<Node> {
    separated(
        input,
        "or",
        |input| separated(input, "and", negation, NodeKind::All),
        NodeKind::Any,
    )
}

fn negation(input: &mut Input<'_, '_>) -> Parsed<Node> {
    match peek(input) {
        Some(token) if token.is_word("not") => {
            next(input)?;
            let inner = negation(input)?;
            Ok(Node {
                span: join(token.span, inner.span),
                kind: NodeKind::Not(Box::new(inner)),
            })
        }
        Some(token) if token.is_word("some") || token.is_word("every") => {
            next(input)?;
            let quantifier = if token.text == "some" {
                Quantifier::Some
            } else {
                Quantifier::Every
            };
            let name = name(input)?;
            word("in").parse_next(input)?;
            let over = operand(input)?;
            sign(Kind::Colon).parse_next(input)?;
            let body = disjunction(input)?;
            Ok(Node {
                span: join(token.span, body.span),
                kind: NodeKind::Quantified(quantifier, name, Box::new(over), Box::new(body)),
            })
        }
        _ => chain(input),
    }
}

fn link(input: &mut Input<'_, '_>) -> Parsed<Option<Link>> {
    let link = match peek(input) {
        Some(token) => match token.kind {
            Kind::Less => Link::Compare(Comparison::Less),
            Kind::LessEqual => Link::Compare(Comparison::LessEqual),
            Kind::Equal => Link::Compare(Comparison::Equal),
            Kind::NotEqual => Link::Compare(Comparison::NotEqual),
            Kind::GreaterEqual => Link::Compare(Comparison::GreaterEqual),
            Kind::Greater => Link::Compare(Comparison::Greater),
            Kind::Bar => Link::Divides,
            Kind::Arrow => Link::Arrow,
            Kind::Word if token.text == "in" => Link::In,
            Kind::Word if token.text == "not" => {
                next(input)?;
                word("in").parse_next(input)?;
                return Ok(Some(Link::NotIn));
            }
            _ => return Ok(None),
        },
        None => return Ok(None),
    };
    next(input)?;
    Ok(Some(link))
}

fn chain(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let first = operand(input)?;
    let mut links = Vec::new();
    while let Some(link) = link(input)? {
        links.push((link, operand(input)?));
    }
    let Some((_, last)) = links.last() else {
        return Ok(first);
    };
    Ok(Node {
        span: join(first.span, last.span),
        kind: NodeKind::Chain(Box::new(first), links),
    })
}

/// A number or a set.
pub(super) fn operand(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let from = arithmetic(input)?;
    if !at(input, Kind::Dots) {
        return Ok(from);
    }
    next(input)?;
    let to = arithmetic(input)?;
    Ok(Node {
        span: join(from.span, to.span),
        kind: NodeKind::Range(Box::new(from), Box::new(to)),
    })
}

/// The operator at the front, and how tightly it binds on its left and on its right.
fn operator(input: &Input<'_, '_>) -> Option<(BinaryOp, u8, u8)> {
    let token = peek(input)?;
    Some(match token.kind {
        Kind::Plus => (BinaryOp::Add, 3, 4),
        Kind::Minus => (BinaryOp::Subtract, 3, 4),
        Kind::Star => (BinaryOp::Multiply, 5, 6),
        Kind::Slash => (BinaryOp::Divide, 5, 6),
        Kind::Caret => (BinaryOp::Power, 10, 9),
        Kind::Word => match token.text {
            "xor" => (BinaryOp::Xor, 1, 2),
            "band" => (BinaryOp::BitAnd, 1, 2),
            "bor" => (BinaryOp::BitOr, 1, 2),
            "shl" => (BinaryOp::ShiftLeft, 1, 2),
            "shr" => (BinaryOp::ShiftRight, 1, 2),
            "mod" => (BinaryOp::Modulo, 5, 6),
            _ => return None,
        },
        _ => return None,
    })
}

/// A minus sign binds tighter than `*` and looser than `^`.
const NEGATE: u8 = 7;

/// A number: bit words and everything that binds tighter.
pub(super) fn arithmetic(input: &mut Input<'_, '_>) -> Parsed<Node> {
    binding(input, 0)
}

/// A number whose operators bind at least so tightly.
fn binding(input: &mut Input<'_, '_>, least: u8) -> Parsed<Node> {
    let mut left = if at(input, Kind::Minus) {
        let minus = next(input)?;
        negated(minus.span, binding(input, NEGATE)?)
    } else {
        primary(input)?
    };
    while let Some((op, on_left, on_right)) = operator(input) {
        if on_left < least || (op == BinaryOp::Add && joins_components(input)) {
            break;
        }
        next(input)?;
        let right = binding(input, on_right)?;
        left = Node {
            span: join(left.span, right.span),
            kind: NodeKind::Binary(op, Box::new(left), Box::new(right)),
        };
    }
    Ok(left)
}

/// Whether the `+` at the front joins positions: then it is no arithmetic.
fn joins_components(input: &Input<'_, '_>) -> bool {
    let Some(following) = input.get(1) else {
        return false;
    };
    match following.kind {
        Kind::OpenBracket => true,
        Kind::Word if following.text == "nothing" => true,
        Kind::Word if matches!(following.text, "powers" | "digits") => false,
        Kind::Word | Kind::Number => input.get(2).is_some_and(|token| token.is_word("of")),
        // `+ (k+1) of [e]`
        Kind::OpenParen => {
            let mut depth = 0_usize;
            let close = input.iter().skip(1).position(|token| {
                match token.kind {
                    Kind::OpenParen => depth += 1,
                    Kind::CloseParen => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            let behind = close.and_then(|close| input.get(close + 2));
            behind.is_some_and(|token| token.is_word("of"))
        }
        _ => false,
    }
}

/// The negative of a number; that of a numeral is a numeral.
fn negated(sign: Span, node: Node) -> Node {
    let span = join(sign, node.span);
    let kind = match node.kind {
        NodeKind::Number(number) => NodeKind::Number(-number),
        kind => NodeKind::Negate(Box::new(Node {
            span: node.span,
            kind,
        })),
    };
    Node { span, kind }
}

pub(super) fn primary(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let Some(token) = peek(input) else {
        return Err(Failure::expecting(input, &[Expected::Term]));
    };
    match token.kind {
        Kind::Number => {
            let number = input
                .state
                .numeral(token.text)
                .map_err(|fault| Failure::fault(input, token.span, fault))?;
            next(input)?;
            Ok(Node {
                span: token.span,
                kind: NodeKind::Number(BigInt::from(number)),
            })
        }
        Kind::OpenParen => {
            next(input)?;
            let mut members = comma_list(disjunction)(input)?;
            let end = close(Kind::CloseParen).parse_next(input)?;
            let span = join(token.span, end.span);
            if members.len() == 1 {
                let kind = members.swap_remove(0).kind;
                return Ok(Node { span, kind });
            }
            Ok(Node {
                span,
                kind: NodeKind::Tuple(members),
            })
        }
        Kind::OpenBrace => {
            next(input)?;
            let items = if at(input, Kind::CloseBrace) {
                Vec::new()
            } else {
                comma_list(operand)(input)?
            };
            let end = close(Kind::CloseBrace).parse_next(input)?;
            Ok(Node {
                span: join(token.span, end.span),
                kind: NodeKind::Braces(items),
            })
        }
        Kind::Word => word_primary(input, token),
        _ => Err(Failure::expecting(input, &[Expected::Term])),
    }
}

/// What a word begins: a call, a place, a set or a name.
fn word_primary(input: &mut Input<'_, '_>, token: Token<'_>) -> Parsed<Node> {
    let following = input.get(1).copied();
    let followed_by = |word: &str| following.is_some_and(|token| token.is_word(word));
    if second_is(input, Kind::OpenParen) && (!is_reserved(token.text) || token.text == "xor") {
        next(input)?;
        next(input)?;
        let arguments = if at(input, Kind::CloseParen) {
            Vec::new()
        } else {
            comma_list(operand)(input)?
        };
        let end = close(Kind::CloseParen).parse_next(input)?;
        let function = Name {
            text: token.text.to_owned(),
            span: token.span,
        };
        return Ok(Node {
            span: join(token.span, end.span),
            kind: NodeKind::Call(function, arguments),
        });
    }
    let set = |input: &mut Input<'_, '_>, words: usize, kind: NodeKind| {
        input.next_slice(words);
        Ok(Node {
            span: token.span,
            kind,
        })
    };
    match token.text {
        "primes" => return set(input, 1, NodeKind::Primes),
        "squares" => return set(input, 1, NodeKind::Squares),
        "fibonacci" => return set(input, 1, NodeKind::Fibonacci),
        "prime" => {
            next(input)?;
            let end = word("powers").parse_next(input)?;
            return Ok(Node {
                span: join(token.span, end.span),
                kind: NodeKind::PrimePowers,
            });
        }
        "powers" if followed_by("of") => {
            input.next_slice(2);
            let base = arithmetic(input)?;
            return Ok(Node {
                span: join(token.span, base.span),
                kind: NodeKind::Powers(Box::new(base)),
            });
        }
        "all" => {
            next(input)?;
            word("but").parse_next(input)?;
            let set = operand(input)?;
            return Ok(Node {
                span: join(token.span, set.span),
                kind: NodeKind::AllBut(Box::new(set)),
            });
        }
        "digits" if followed_by("of") => {
            input.next_slice(2);
            let of = arithmetic(input)?;
            let base = if at_word(input, "base") {
                next(input)?;
                Some(Box::new(arithmetic(input)?))
            } else {
                None
            };
            let end = base.as_ref().map_or(of.span, |base| base.span);
            return Ok(Node {
                span: join(token.span, end),
                kind: NodeKind::Digits(Box::new(of), base),
            });
        }
        _ => {}
    }
    if second_is(input, Kind::OpenBracket) && !is_reserved(token.text) {
        let list = name(input)?;
        next(input)?;
        let index = arithmetic(input)?;
        let end = sign(Kind::CloseBracket).parse_next(input)?;
        return Ok(Node {
            span: join(list.span, end.span),
            kind: NodeKind::Index(list, Box::new(index)),
        });
    }
    if is_reserved(token.text) {
        return Err(Failure::expecting(input, &[Expected::Term]));
    }
    let name = name(input)?;
    Ok(Node {
        span: name.span,
        kind: NodeKind::Name(name.text),
    })
}
