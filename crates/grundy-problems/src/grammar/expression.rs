//! Expressions, loosest operators first.

use num_bigint::BigInt;
use winnow::stream::Stream;

use super::pieces::{
    at, at_word, close, comma_list, hyphened, is_reserved, join, name, named, next, peek,
    second_is, word,
};
use super::{
    Failure, Input, Parsed, at_made_game, ending_here, game_name, made_game, misplaced_game,
};
use crate::fault::Expected;
use crate::lex::{Kind, Token, name_length};
use crate::problem::{
    Binary, Comparison, Expression, Extreme, Fold, Game, Generator, PlayedGame, Span, Term,
};

/// Whether an expression may begin here.
pub(super) fn begins(input: &Input<'_, '_>) -> bool {
    peek(input).is_some_and(|token| match token.kind {
        Kind::Number | Kind::Text | Kind::OpenParen | Kind::OpenBracket | Kind::Minus => true,
        Kind::Word => {
            !is_reserved(token.text)
                || matches!(token.text, "none" | "endless" | "misere")
                || (token.text == "xor" && second_is(input, Kind::OpenParen))
        }
        _ => false,
    })
}

/// Any expression.
pub(super) fn expression(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let Some(first) = peek(input) else {
        return Err(Failure::expecting(input, &[Expected::Value]));
    };
    if first.is_word("if") {
        next(input)?;
        let condition = Box::new(expression(input)?);
        word(input, "then")?;
        let then = Box::new(expression(input)?);
        word(input, "else")?;
        let otherwise = Box::new(expression(input)?);
        let term = Term::Choose(condition, then, otherwise);
        return Ok(ending_here(input, first.span, term));
    }
    if first.is_word("fold") && second_is(input, Kind::Word) && !is_reserved(input[1].text) {
        return fold(input, first.span);
    }
    let extreme = match first.text {
        "least" => Some(Extreme::Least),
        "greatest" => Some(Extreme::Greatest),
        "count" => Some(Extreme::Count),
        _ => None,
    };
    match extreme {
        Some(extreme) if second_is(input, Kind::Word) && !is_reserved(input[1].text) => {
            next(input)?;
            let name = name(input)?;
            word(input, "in")?;
            let over = Box::new(value(input)?);
            word(input, "where")?;
            let condition = Box::new(disjunction(input)?);
            let term = Term::Extreme {
                extreme,
                name,
                over,
                condition,
            };
            Ok(ending_here(input, first.span, term))
        }
        _ => disjunction(input),
    }
}

/// `fold m = 1 for x in a then m * x mod 7`.
fn fold(input: &mut Input<'_, '_>, start: Span) -> Parsed<Expression> {
    next(input)?;
    let name = name(input)?;
    close(input, Kind::Equal, &[])?;
    let first = expression(input)?;
    word(input, "for")?;
    let generator = generator(input)?;
    word(input, "then")?;
    let fold = Fold {
        name,
        start: first,
        generator,
        next: expression(input)?,
    };
    Ok(ending_here(input, start, Term::Fold(Box::new(fold))))
}

/// Operands joined by one operator, from the left.
fn joined<'t, 's: 't>(
    input: &mut Input<'t, 's>,
    sign: impl Fn(&Token<'s>) -> bool,
    operator: Binary,
    operand: fn(&mut Input<'t, 's>) -> Parsed<Expression>,
) -> Parsed<Expression> {
    let mut left = operand(input)?;
    while peek(input).as_ref().is_some_and(&sign) {
        next(input)?;
        left = binary(operator, left, operand(input)?);
    }
    Ok(left)
}

fn binary(operator: Binary, left: Expression, right: Expression) -> Expression {
    Expression {
        span: join(left.span, right.span),
        term: Term::Binary(operator, Box::new(left), Box::new(right)),
    }
}

fn disjunction(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    joined(input, |token| token.is_word("or"), Binary::Or, conjunction)
}

fn conjunction(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    joined(input, |token| token.is_word("and"), Binary::And, negation)
}

fn negation(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    match peek(input) {
        Some(token) if token.is_word("not") => {
            next(input)?;
            let inner = negation(input)?;
            let term = Term::Not(Box::new(inner));
            Ok(ending_here(input, token.span, term))
        }
        _ => chain(input),
    }
}

fn comparison(input: &mut Input<'_, '_>) -> Parsed<Option<Comparison>> {
    let comparison = match peek(input) {
        Some(token) => match token.kind {
            Kind::Equal => Comparison::Equal,
            Kind::NotEqual => Comparison::Unequal,
            Kind::Less => Comparison::Less,
            Kind::LessEqual => Comparison::AtMost,
            Kind::Greater => Comparison::Greater,
            Kind::GreaterEqual => Comparison::AtLeast,
            Kind::Word if token.text == "in" => Comparison::In,
            Kind::Word if token.text == "not" => {
                next(input)?;
                word(input, "in")?;
                return Ok(Some(Comparison::NotIn));
            }
            _ => return Ok(None),
        },
        None => return Ok(None),
    };
    next(input)?;
    Ok(Some(comparison))
}

fn chain(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let first = value(input)?;
    let mut links = Vec::new();
    while let Some(comparison) = comparison(input)? {
        links.push((comparison, value(input)?));
    }
    let Some((_, last)) = links.last() else {
        return Ok(first);
    };
    Ok(Expression {
        span: join(first.span, last.span),
        term: Term::Chain(Box::new(first), links),
    })
}

/// What may be compared.
pub(super) fn value(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    joined(
        input,
        |token| token.kind == Kind::PlusPlus,
        Binary::Join,
        range,
    )
}

fn range(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let from = number(input)?;
    if !at(input, Kind::Dots) {
        return Ok(from);
    }
    next(input)?;
    let to = if begins(input) {
        Some(Box::new(number(input)?))
    } else {
        None
    };
    let start = from.span;
    let term = Term::Range(Box::new(from), to);
    Ok(ending_here(input, start, term))
}

/// The operator at the front, and how tightly it binds on its left and on its right.
fn operator(input: &Input<'_, '_>) -> Option<(Binary, u8, u8)> {
    let token = peek(input)?;
    Some(match token.kind {
        Kind::Plus => (Binary::Plus, 3, 4),
        Kind::Minus => (Binary::Minus, 3, 4),
        Kind::Star => (Binary::Times, FACTOR, 6),
        Kind::Slash => (Binary::Over, FACTOR, 6),
        Kind::Caret => (Binary::Power, 10, 9),
        Kind::Word => match token.text {
            "bor" => (Binary::BitOr, 1, 2),
            "xor" => (Binary::BitXor, 1, 2),
            "band" => (Binary::BitAnd, 1, 2),
            "shl" => (Binary::ShiftLeft, 1, 2),
            "shr" => (Binary::ShiftRight, 1, 2),
            "mod" => (Binary::Modulo, FACTOR, 6),
            _ => return None,
        },
        _ => return None,
    })
}

/// How tightly `*` binds, and everything behind `at`.
const FACTOR: u8 = 5;

/// A minus sign binds tighter than `*` and looser than `^`.
const NEGATE: u8 = 7;

/// A number: bit words and everything that binds tighter.
pub(super) fn number(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    binding(input, 0)
}

/// Something whose operators bind at least so tightly.
fn binding(input: &mut Input<'_, '_>, least: u8) -> Parsed<Expression> {
    let mut left = if at(input, Kind::Minus) {
        let minus = next(input)?;
        let inner = binding(input, NEGATE)?;
        ending_here(input, minus.span, Term::Minus(Box::new(inner)))
    } else {
        postfixed(input)?
    };
    while let Some((operator, on_left, on_right)) = operator(input) {
        if on_left < least {
            break;
        }
        next(input)?;
        left = binary(operator, left, binding(input, on_right)?);
    }
    Ok(left)
}

/// A primary with its places and fields: `a[i].to`.
fn postfixed(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let mut left = primary(input)?;
    loop {
        let start = left.span;
        let term = if at(input, Kind::OpenBracket) {
            next(input)?;
            let index = expression(input)?;
            close(input, Kind::CloseBracket, &[])?;
            Term::Index(Box::new(left), Box::new(index))
        } else if at(input, Kind::Dot) {
            next(input)?;
            match peek(input) {
                Some(token) if token.kind == Kind::Word => {
                    next(input)?;
                    Term::Field(Box::new(left), named(&token))
                }
                _ => return Err(Failure::expecting(input, &[Expected::Name])),
            }
        } else {
            return Ok(left);
        };
        left = ending_here(input, start, term);
    }
}

fn primary(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let Some(token) = peek(input) else {
        return Err(Failure::expecting(input, &[Expected::Value]));
    };
    let named_game = name_length(input);
    if named_game > 0
        && input
            .get(named_game)
            .is_some_and(|token| token.is_word("at"))
        && (named_game > 1 || !is_reserved(token.text))
    {
        let game = PlayedGame::Named(hyphened(input)?);
        return sum(input, token.span, game);
    }
    if named_game > 0
        && let Some(failure) = misplaced_game(input)
    {
        return Err(failure);
    }
    match token.kind {
        Kind::Number => {
            next(input)?;
            let term = Term::Number(numeral(token.text));
            Ok(ending_here(input, token.span, term))
        }
        Kind::Text => {
            let text = super::text(input)?;
            Ok(ending_here(input, token.span, Term::Text(text)))
        }
        Kind::OpenParen if at_made_game(input) => {
            let game = made_game(input)?;
            sum(input, token.span, game)
        }
        Kind::OpenParen => {
            next(input)?;
            let mut members = comma_list(expression)(input)?;
            let end = close(input, Kind::CloseParen, &[Expected::Sign(",")])?;
            let span = join(token.span, end.span);
            let term = if members.len() == 1 {
                members.swap_remove(0).term
            } else {
                Term::Tuple(members)
            };
            Ok(Expression { term, span })
        }
        Kind::OpenBracket => list(input),
        Kind::Word => word_primary(input, token),
        _ => Err(Failure::expecting(input, &[Expected::Value])),
    }
}

/// `at E` behind a game.
fn sum(input: &mut Input<'_, '_>, start: Span, game: PlayedGame) -> Parsed<Expression> {
    word(input, "at")?;
    let position = binding(input, FACTOR)?;
    let term = Term::At(Box::new(game), Box::new(position));
    Ok(ending_here(input, start, term))
}

/// The number that `123` or `1e18` writes; its length was looked at.
fn numeral(text: &str) -> BigInt {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits: BigInt = digits.parse().expect("a token of digits");
    let exponent = exponent.parse().expect("the exponent is below the limit");
    digits * num_traits::pow(BigInt::from(10), exponent)
}

/// `[a, b]`, `[e for x in a]`.
fn list(input: &mut Input<'_, '_>) -> Parsed<Expression> {
    let open = next(input)?;
    if at(input, Kind::CloseBracket) {
        next(input)?;
        return Ok(ending_here(input, open.span, Term::List(Vec::new())));
    }
    let first = expression(input)?;
    if at_word(input, "for") {
        next(input)?;
        let generators = comma_list(generator)(input)?;
        let mut also = vec![Expected::Sign(",")];
        also.extend(generators.last().into_iter().flat_map(continuations));
        close(input, Kind::CloseBracket, &also)?;
        let term = Term::Comprehension(Box::new(first), generators);
        return Ok(ending_here(input, open.span, term));
    }
    let mut entries = vec![first];
    while at(input, Kind::Comma) {
        next(input)?;
        entries.push(expression(input)?);
    }
    let mut also = vec![Expected::Sign(",")];
    if entries.len() == 1 {
        also.push(Expected::Sign("for"));
    }
    close(input, Kind::CloseBracket, &also)?;
    Ok(ending_here(input, open.span, Term::List(entries)))
}

/// `x in list if c by key`, `(x, y) in list`.
pub(super) fn generator(input: &mut Input<'_, '_>) -> Parsed<Generator> {
    let names = if at(input, Kind::OpenParen) {
        next(input)?;
        let names = comma_list(name)(input)?;
        close(input, Kind::CloseParen, &[Expected::Sign(",")])?;
        names
    } else {
        vec![name(input)?]
    };
    word(input, "in")?;
    let over = Box::new(value(input)?);
    let condition = if at_word(input, "if") {
        next(input)?;
        Some(Box::new(disjunction(input)?))
    } else {
        None
    };
    let key = if at_word(input, "by") {
        next(input)?;
        Some(Box::new(expression(input)?))
    } else {
        None
    };
    Ok(Generator {
        names,
        over,
        condition,
        key,
    })
}

/// What may follow a generator.
pub(super) fn continuations(generator: &Generator) -> impl Iterator<Item = Expected> {
    let condition = generator.condition.is_none() && generator.key.is_none();
    let key = generator.key.is_none();
    let words = condition.then_some("if").into_iter();
    words.chain(key.then_some("by")).map(Expected::Sign)
}

/// What a word begins: a call, a game or a name.
fn word_primary(input: &mut Input<'_, '_>, token: Token<'_>) -> Parsed<Expression> {
    if second_is(input, Kind::OpenParen) && (!is_reserved(token.text) || token.text == "xor") {
        next(input)?;
        next(input)?;
        let arguments = if at(input, Kind::CloseParen) {
            Vec::new()
        } else {
            comma_list(expression)(input)?
        };
        close(input, Kind::CloseParen, &[Expected::Sign(",")])?;
        let term = Term::Call(named(&token), arguments);
        return Ok(ending_here(input, token.span, term));
    }
    match token.text {
        "none" => {
            next(input)?;
            Ok(ending_here(input, token.span, Term::None))
        }
        "endless" => {
            next(input)?;
            Ok(ending_here(input, token.span, Term::Endless))
        }
        "misere" => {
            next(input)?;
            let rules = game_name(input)?;
            let game = PlayedGame::Made(Game {
                rules,
                misere: true,
                parameters: Vec::new(),
                span: super::pieces::since(input, token.span),
            });
            sum(input, token.span, game)
        }
        _ if is_reserved(token.text) => Err(Failure::expecting(input, &[Expected::Value])),
        _ => {
            input.next_slice(1);
            let term = Term::Variable(token.text.to_owned());
            Ok(ending_here(input, token.span, term))
        }
    }
}
