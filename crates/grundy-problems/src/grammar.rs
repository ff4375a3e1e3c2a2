//! The grammar of statements, over tokens.
//!
//! One or two tokens decide what comes next, so that nothing is tried twice: reading takes linear
//! time and the first failure is also the furthest.

mod expression;
mod pieces;
mod reading;

use winnow::error::ParserError;
use winnow::stream::TokenSlice;

use grundy_rules::fault::{clip, suggestion};

use crate::fault::{Diagnostic, Expected, Fault};
use crate::lex::{Kind, Token};
use crate::problem::{
    Action, Expression, Game, Generator, Name, PlayedGame, Rules, Span, Term, Times,
};

use expression::{expression, generator, value};
use pieces::{
    at, at_word, comma_list, end, hyphened, join, name, next, peek, second_is, sign, text, word,
};
pub(crate) use reading::KINDS;
use reading::reading;

type Input<'t, 's> = TokenSlice<'t, Token<'s>>;
type Parsed<T> = Result<T, Failure>;

/// A statement without its block.
#[derive(Debug)]
pub(crate) enum Head {
    Problem(String, Option<String>),
    Source(String),
    Separators(String),
    Simple(Action),
    Repeat(Times, Option<Name>),
    For(Generator),
    Plainly,
    If(Expression),
    Else,
    ElseIf(Expression),
}

/// Where reading stopped and what could have stood there, or the very fault.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How many tokens were left: fewer is further.
    left: usize,
    expected: Vec<Expected>,
    fault: Option<Box<Diagnostic>>,
}

impl Failure {
    fn expecting(input: &Input<'_, '_>, expected: &[Expected]) -> Self {
        Self {
            left: input.len(),
            expected: expected.to_vec(),
            fault: None,
        }
    }

    fn fault(input: &Input<'_, '_>, span: Span, fault: Fault) -> Self {
        Self {
            left: input.len(),
            expected: Vec::new(),
            fault: Some(Box::new(Diagnostic::new(span, fault))),
        }
    }

    /// The diagnostic for a statement with these tokens.
    fn diagnose(mut self, tokens: &[Token<'_>]) -> Diagnostic {
        if let Some(fault) = self.fault {
            return *fault;
        }
        let place = tokens.len() - self.left;
        let found = tokens.get(place);
        let before = place.checked_sub(1).map(|place| &tokens[place]);
        if let (Some(left), Some(right)) = (before, found)
            && left.kind == Kind::Number
            && right.kind == Kind::Word
            && left.span.end == right.span.start
        {
            let fault = Fault::MissingTimes {
                left: clip(left.text),
                right: clip(right.text),
            };
            return Diagnostic::new(join(left.span, right.span), fault);
        }
        self.expected.sort_unstable();
        self.expected.dedup();
        let end = before.map_or(0, |token| token.span.end);
        let span = found.map_or(Span { start: end, end }, |token| token.span);
        let words = self.expected.iter().filter_map(Expected::word);
        let fault = Fault::Unexpected {
            found: found.map(|token| clip(token.text)),
            suggestion: found
                .filter(|token| token.kind == Kind::Word)
                .and_then(|token| suggestion(token.text, words)),
            expected: self.expected,
        };
        Diagnostic::new(span, fault)
    }
}

impl<'t, 's> ParserError<Input<'t, 's>> for Failure {
    type Inner = Self;

    fn from_input(input: &Input<'t, 's>) -> Self {
        Self::expecting(input, &[])
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

/// Reads a statement up to its block. `tokens` is not empty.
pub(crate) fn head(tokens: &[Token<'_>], block: bool) -> Result<Head, Diagnostic> {
    let mut input = TokenSlice::new(tokens);
    statement(&mut input)
        .and_then(|head| {
            let opens = !matches!(
                head,
                Head::Problem(..) | Head::Source(_) | Head::Separators(_) | Head::Simple(_)
            );
            if input.is_empty() && opens && !block {
                return Err(Failure::expecting(&input, &[Expected::Sign("{")]));
            }
            let mut also = Vec::new();
            if let Head::For(generator) = &head {
                also.extend(expression::continuations(generator));
            }
            if opens {
                also.push(Expected::Sign("{"));
            }
            end(&input, &also)?;
            Ok(head)
        })
        .map_err(|failure| failure.diagnose(tokens))
}

/// The words that statements begin with.
pub(crate) const STATEMENTS: &[&str] = &[
    "problem",
    "source",
    "separators",
    "read",
    "require",
    "let",
    "game",
    "repeat",
    "stop",
    "for",
    "if",
    "print",
    "write",
    "plainly",
];

fn statement(input: &mut Input<'_, '_>) -> Parsed<Head> {
    let Some(first) = peek(input) else {
        return Err(Failure::expecting(input, &[]));
    };
    if first.kind != Kind::Word {
        let expected = STATEMENTS.iter().map(|word| Expected::Sign(word));
        return Err(Failure::expecting(input, &expected.collect::<Vec<_>>()));
    }
    if second_is(input, Kind::Equal) && !pieces::is_reserved(first.text) {
        let name = first.text.to_owned();
        return Err(Failure::fault(
            input,
            first.span,
            Fault::MissingLet { name },
        ));
    }
    let read: fn(&mut Input<'_, '_>) -> Parsed<Head> = match first.text {
        "problem" => problem,
        "source" => |input| text(input).map(Head::Source),
        "separators" => |input| text(input).map(Head::Separators),
        "read" => |input| {
            comma_list(reading)(input)
                .map(Action::Read)
                .map(Head::Simple)
        },
        "require" => |input| expression(input).map(Action::Require).map(Head::Simple),
        "let" => declaration,
        "game" => game_declaration,
        "repeat" => repeat,
        "stop" => stop,
        "for" => |input| generator(input).map(Head::For),
        "if" => |input| expression(input).map(Head::If),
        "plainly" => |_| Ok(Head::Plainly),
        "else" => otherwise,
        "print" => print,
        "write" => |input| {
            comma_list(expression)(input)
                .map(Action::Write)
                .map(Head::Simple)
        },
        _ => {
            let fault = Fault::UnknownStatement {
                word: clip(first.text),
                suggestion: suggestion(first.text, STATEMENTS.iter().copied()),
            };
            return Err(Failure::fault(input, first.span, fault));
        }
    };
    next(input)?;
    read(input)
}

fn problem(input: &mut Input<'_, '_>) -> Parsed<Head> {
    let name = hyphened(input)?;
    let title = if at(input, Kind::Text) {
        Some(text(input)?)
    } else {
        None
    };
    end(input, &[Expected::Text])?;
    Ok(Head::Problem(name.text, title))
}

fn declaration(input: &mut Input<'_, '_>) -> Parsed<Head> {
    let name = name(input)?;
    sign(input, Kind::Equal)?;
    let value = expression(input)?;
    Ok(Head::Simple(Action::Let(name, value)))
}

fn repeat(input: &mut Input<'_, '_>) -> Parsed<Head> {
    if input.is_empty() {
        return Ok(Head::Repeat(Times::UntilStopped, None));
    }
    if at_word(input, "until") {
        next(input)?;
        word(input, "end")?;
        return Ok(Head::Repeat(Times::UntilEnd, counter(input)?));
    }
    if at_word(input, "as") {
        return Ok(Head::Repeat(Times::UntilStopped, counter(input)?));
    }
    let times = Times::Count(expression(input)?);
    let counter = counter(input)?;
    if counter.is_none() {
        end(input, &[Expected::Sign("as"), Expected::Sign("{")])?;
    }
    Ok(Head::Repeat(times, counter))
}

fn counter(input: &mut Input<'_, '_>) -> Parsed<Option<Name>> {
    if !at_word(input, "as") {
        return Ok(None);
    }
    next(input)?;
    name(input).map(Some)
}

fn stop(input: &mut Input<'_, '_>) -> Parsed<Head> {
    if input.is_empty() {
        return Ok(Head::Simple(Action::Stop(None)));
    }
    if !at_word(input, "if") {
        let expected = [Expected::Sign("if"), Expected::EndOfLine];
        return Err(Failure::expecting(input, &expected));
    }
    next(input)?;
    let condition = expression(input)?;
    Ok(Head::Simple(Action::Stop(Some(condition))))
}

fn otherwise(input: &mut Input<'_, '_>) -> Parsed<Head> {
    if !at_word(input, "if") {
        end(input, &[Expected::Sign("if"), Expected::Sign("{")])?;
        return Ok(Head::Else);
    }
    next(input)?;
    expression(input).map(Head::ElseIf)
}

fn print(input: &mut Input<'_, '_>) -> Parsed<Head> {
    let values = if input.is_empty() {
        Vec::new()
    } else {
        comma_list(expression)(input)?
    };
    Ok(Head::Simple(Action::Print(values)))
}

fn game_declaration(input: &mut Input<'_, '_>) -> Parsed<Head> {
    let name = hyphened(input)?;
    sign(input, Kind::Equal)?;
    let start = peek(input).map_or(name.span, |token| token.span);
    let misere = is_misere(input)?;
    let rules = match peek(input) {
        Some(token) if token.kind == Kind::Rules => {
            next(input)?;
            let inside = Span {
                start: token.span.start + 1,
                end: token.span.end - 1,
            };
            Rules::Written {
                text: token.text[1..token.text.len() - 1].to_owned(),
                span: inside,
            }
        }
        _ => game_name(input)?,
    };
    let parameters = parameters(input)?;
    if parameters.is_empty() {
        end(input, &[Expected::Sign("with")])?;
    }
    let game = Game {
        span: pieces::since(input, start),
        rules,
        misere,
        parameters,
    };
    Ok(Head::Simple(Action::Game(name, game)))
}

fn is_misere(input: &mut Input<'_, '_>) -> Parsed<bool> {
    let misere = at_word(input, "misere");
    if misere {
        next(input)?;
    }
    Ok(misere)
}

fn game_name(input: &mut Input<'_, '_>) -> Parsed<Rules> {
    match peek(input) {
        Some(token) if matches!(token.kind, Kind::Word | Kind::Number) => {
            hyphened(input).map(Rules::Named)
        }
        _ => Err(Failure::expecting(input, &[Expected::Game])),
    }
}

/// `with m = k, S = s`.
fn parameters(input: &mut Input<'_, '_>) -> Parsed<Vec<(Name, Expression)>> {
    if !at_word(input, "with") {
        return Ok(Vec::new());
    }
    next(input)?;
    comma_list(|input: &mut Input<'_, '_>| {
        let name = name(input)?;
        sign(input, Kind::Equal)?;
        Ok((name, value(input)?))
    })(input)
}

/// Whether a parenthesis at the front opens a game: `(bash with m = 5)`, `(misere nim)`.
fn at_made_game(input: &Input<'_, '_>) -> bool {
    let inside = &input[1..];
    let length = crate::lex::name_length(inside);
    inside.first().is_some_and(|token| token.is_word("misere"))
        || (length > 0
            && inside
                .get(length)
                .is_some_and(|token| token.is_word("with")))
}

/// `(GAME with m = k)`; [`at_made_game`] was asked.
fn made_game(input: &mut Input<'_, '_>) -> Parsed<PlayedGame> {
    let open = next(input)?;
    let misere = is_misere(input)?;
    let rules = game_name(input)?;
    let parameters = parameters(input)?;
    let also: &[Expected] = if parameters.is_empty() {
        &[Expected::Sign("with")]
    } else {
        &[Expected::Sign(",")]
    };
    let close = pieces::close(input, Kind::CloseParen, also)?;
    Ok(PlayedGame::Made(Game {
        rules,
        misere,
        parameters,
        span: join(open.span, close.span),
    }))
}

/// What is wrong if the name of a game stands at the front without `at` behind it, where only a
/// game makes sense.
fn misplaced_game(input: &Input<'_, '_>) -> Option<Failure> {
    let length = crate::lex::name_length(input);
    let behind = input.get(length)?;
    let last = input.get(length.checked_sub(1)?)?;
    let span = join(input[0].span, last.span);
    if behind.is_word("with") {
        let name = input[..length].iter().map(|token| token.text).collect();
        return Some(Failure::fault(input, span, Fault::GameUnwrapped { name }));
    }
    let name: String = input[..length].iter().map(|token| token.text).collect();
    let begins = match behind.kind {
        Kind::Number | Kind::Text => true,
        Kind::Word => !pieces::is_reserved(behind.text),
        _ => false,
    };
    if !begins || grundy::catalogue::find(&name).is_none() {
        return None;
    }
    let fault = Fault::GameAsValue { name };
    Some(Failure::fault(input, span, fault))
}

/// Wraps a term that began at this place.
fn ending_here(input: &Input<'_, '_>, start: Span, term: Term) -> Expression {
    let span = pieces::since(input, start);
    Expression { term, span }
}
