//! The grammar of statements, over tokens.
//!
//! One token decides what comes next, so that nothing is tried twice: reading
//! takes linear time and the first failure is also the furthest. A formula is
//! read by one grammar, whether it will be a number, a set or a condition.

use num_bigint::BigInt;
use winnow::combinator::{delimited, opt, preceded};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::stream::{Stateful, Stream, TokenSlice};
use winnow::token::{any, literal};

use crate::fault::{Diagnostic, Expected, Fault, Topic, clip, suggestion};
use crate::lex::{Kind, NAME_LENGTH, Statement, Token, name_length};
use crate::notation::Allowance;
use crate::ruleset::{BinaryOp, Change, Comparison, EndingResult, Play, Player, Quantifier, Span};
use crate::tree::{
    Body, ChangeTree, ClaimKind, CompoundTree, Item, Line, Link, MoveTree, Name, Node, NodeKind,
    PieceTree, PlaceTree, RowCondition, Shape, Term, UpdateTree,
};

/// Tokens, and what large numbers may still cost.
type Input<'t, 's> = Stateful<TokenSlice<'t, Token<'s>>, &'t Allowance>;
type Parsed<T> = Result<T, Failure>;

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

    /// The diagnostic for a statement.
    fn diagnose(mut self, statement: &Statement<'_>) -> Diagnostic {
        if let Some(fault) = self.fault {
            return *fault;
        }
        let place = statement.tokens.len() - self.left;
        let found = statement.tokens.get(place);
        let before = place.checked_sub(1).map(|place| &statement.tokens[place]);
        if let (Some(left), Some(right)) = (before, found)
            && left.kind == Kind::Number
            && right.kind == Kind::Word
            && left.span.end == right.span.start
        {
            let span = Span {
                start: left.span.start,
                end: right.span.end,
            };
            let fault = Fault::MissingTimes {
                left: clip(left.text),
                right: clip(right.text),
            };
            return Diagnostic::new(span, fault);
        }
        self.expected.sort_unstable();
        self.expected.dedup();
        let span = found.map_or(
            Span {
                start: statement.span.end,
                end: statement.span.end,
            },
            |token| token.span,
        );
        Diagnostic::new(
            span,
            Fault::Unexpected {
                found: found.map(|token| clip(token.text)),
                suggestion: found
                    .filter(|token| token.kind == Kind::Word)
                    .and_then(|token| {
                        suggestion(token.text, self.expected.iter().filter_map(Expected::word))
                    }),
                expected: self.expected,
            },
        )
    }
}

impl<'t, 's> ParserError<Input<'t, 's>> for Failure {
    type Inner = Self;

    fn from_input(input: &Input<'t, 's>) -> Self {
        Self::expecting(input, &[])
    }

    /// The failure that got further; both, where they got equally far.
    fn or(mut self, mut other: Self) -> Self {
        match self.left.cmp(&other.left) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                self.expected.append(&mut other.expected);
                self.fault = self.fault.or(other.fault);
                self
            }
        }
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

/// Reads a statement; one that is [`Statement::is_raw`] is not for here.
pub(crate) fn line(statement: &Statement<'_>, allowance: &Allowance) -> Result<Line, Diagnostic> {
    let mut input = tokens(statement, allowance);
    statement_line(&mut input)
        .and_then(|line| end(&mut input, &[]).map(|()| line))
        .map_err(|failure| failure.diagnose(statement))
}

/// Reads the value of a parameter.
pub(crate) fn value(statement: &Statement<'_>, allowance: &Allowance) -> Result<Node, Diagnostic> {
    let mut input = tokens(statement, allowance);
    parameter_value(&mut input)
        .and_then(|line| end(&mut input, &[]).map(|()| line))
        .map_err(|failure| failure.diagnose(statement))
}

fn tokens<'t, 's>(statement: &'t Statement<'s>, allowance: &'t Allowance) -> Input<'t, 's> {
    Stateful {
        input: TokenSlice::new(&statement.tokens),
        state: allowance,
    }
}

// Small pieces.

fn peek<'s>(input: &Input<'_, 's>) -> Option<Token<'s>> {
    input.first().copied()
}

fn at(input: &Input<'_, '_>, kind: Kind) -> bool {
    input.first().is_some_and(|token| token.kind == kind)
}

fn at_word(input: &Input<'_, '_>, word: &str) -> bool {
    input.first().is_some_and(|token| token.is_word(word))
}

fn second_is(input: &Input<'_, '_>, kind: Kind) -> bool {
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
fn sign<'t, 's: 't>(kind: Kind) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
    move |input: &mut Input<'t, 's>| {
        let failure = Failure::expecting(input, &[Expected::Sign(sign_text(kind))]);
        literal(kind)
            .parse_next(input)
            .map(|tokens: &'t [Token<'s>]| tokens[0])
            .map_err(|_: Failure| failure)
    }
}

/// This word.
fn word<'t, 's: 't>(text: &'static str) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
    move |input: &mut Input<'t, 's>| {
        if at_word(input, text) {
            return next(input);
        }
        Err(Failure::expecting(input, &[Expected::Sign(text)]))
    }
}

fn next<'s>(input: &mut Input<'_, 's>) -> Parsed<Token<'s>> {
    any.parse_next(input).copied()
}

fn end(input: &mut Input<'_, '_>, also: &[Expected]) -> Parsed<()> {
    if input.is_empty() {
        return Ok(());
    }
    let mut expected = also.to_vec();
    expected.push(Expected::EndOfLine);
    Err(Failure::expecting(input, &expected))
}

/// One or more, separated by commas.
fn comma_list<'t, 's: 't, T>(
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
fn close<'t, 's: 't>(kind: Kind) -> impl Parser<Input<'t, 's>, Token<'s>, Failure> {
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
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// A name.
fn name(input: &mut Input<'_, '_>) -> Parsed<Name> {
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
fn hyphened<'t, 's: 't>(input: &mut Input<'t, 's>) -> Parsed<Name> {
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

fn text(input: &mut Input<'_, '_>) -> Parsed<(String, Span)> {
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
fn topic_word<'s>(input: &mut Input<'_, 's>, topic: Topic) -> Parsed<Token<'s>> {
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

// Statements.

const LINE_WORDS: &[&str] = &[
    "game",
    "row",
    "unordered",
    "start",
    "play",
    "ends",
    "compound",
    "chance",
    "draw",
    "rules",
    "expect",
    "claim",
];

fn statement_line(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let labelled = {
        let length = name_length(input);
        length > 0 && input.get(length).is_some_and(|t| t.kind == Kind::Colon)
    };
    let first = peek(input).filter(|token| token.kind == Kind::Word && !labelled);
    match first.map(|token| token.text) {
        Some("game") => preceded(any, game).parse_next(input),
        Some("row") => preceded(any, row).parse_next(input),
        Some("unordered") => any.value(()).map(|()| Line::Unordered).parse_next(input),
        Some("start") => preceded(any, start).parse_next(input),
        Some("play") => preceded(any, play).parse_next(input),
        Some("ends") => preceded(any, ends).parse_next(input),
        Some("compound") => preceded(any, compound).parse_next(input),
        Some("chance") => preceded(any, chance).parse_next(input),
        Some("draw") => (any, word("on"), word("repetition"))
            .map(|_| Line::DrawOnRepetition)
            .parse_next(input),
        Some("claim") => preceded(any, claim).parse_next(input),
        Some(text) if second_is(input, Kind::Equal) && !matches!(text, "first" | "last") => {
            let name = name(input)?;
            next(input)?;
            Ok(Line::Parameter(name, parameter_value(input)?))
        }
        _ => move_line(input).map(Line::Move),
    }
}

fn game(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let game = hyphened(input)?;
    let parameters = if at(input, Kind::OpenParen) {
        let parameter = |input: &mut Input<'_, '_>| {
            let name = name(input)?;
            sign(Kind::Equal).parse_next(input)?;
            Ok((name, parameter_value(input)?))
        };
        delimited(
            sign(Kind::OpenParen),
            comma_list(parameter),
            close(Kind::CloseParen),
        )
        .parse_next(input)?
    } else {
        Vec::new()
    };
    let title = if at(input, Kind::Text) {
        Some(text(input)?.0)
    } else {
        None
    };
    Ok(Line::Game {
        name: game.text,
        parameters,
        title,
    })
}

/// The value of a parameter: a number, a set, a list or a set of tuples.
fn parameter_value(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let start = peek(input);
    match start.map(|token| token.kind) {
        // A parenthesis opens a list even of one number, so that it is told from a number.
        Some(Kind::OpenParen) => tuple(input),
        Some(Kind::OpenBrace) => {
            let open = next(input)?;
            if at(input, Kind::CloseBrace) {
                let close = next(input)?;
                return Ok(Node {
                    span: join(open.span, close.span),
                    kind: NodeKind::Braces(Vec::new()),
                });
            }
            let items = comma_list(|input: &mut Input<'_, '_>| {
                if at(input, Kind::OpenParen) {
                    tuple(input)
                } else {
                    arithmetic(input)
                }
            })(input)?;
            let close = close(Kind::CloseBrace).parse_next(input)?;
            Ok(Node {
                span: join(open.span, close.span),
                kind: NodeKind::Braces(items),
            })
        }
        Some(Kind::Number | Kind::Word | Kind::Minus) => operand(input),
        _ => Err(Failure::expecting(input, &[Expected::Value])),
    }
}

fn tuple(input: &mut Input<'_, '_>) -> Parsed<Node> {
    let open = sign(Kind::OpenParen).parse_next(input)?;
    let items = if at(input, Kind::CloseParen) {
        Vec::new()
    } else {
        comma_list(arithmetic)(input)?
    };
    let close = close(Kind::CloseParen).parse_next(input)?;
    Ok(Node {
        span: join(open.span, close.span),
        kind: NodeKind::Tuple(items),
    })
}

fn row(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let name = name(input)?;
    let mut conditions = Vec::new();
    let mut alphabet = None;
    loop {
        if at_word(input, "over") && alphabet.is_none() {
            next(input)?;
            alphabet = Some(text(input)?);
        } else if at(input, Kind::Comma) {
            next(input)?;
            conditions.push(row_condition(input)?);
        } else {
            break;
        }
    }
    if !input.is_empty() {
        let expected = [
            Expected::Sign(","),
            Expected::Sign("over"),
            Expected::EndOfLine,
        ];
        return Err(Failure::expecting(input, &expected));
    }
    Ok(Line::Row {
        name,
        conditions,
        alphabet,
    })
}

fn row_condition(input: &mut Input<'_, '_>) -> Parsed<(RowCondition, Span)> {
    let token = topic_word(input, Topic::RowCondition)?;
    let condition = match token.text {
        "increasing" => RowCondition::Increasing,
        "nondecreasing" => RowCondition::Nondecreasing,
        "nonincreasing" => RowCondition::Nonincreasing,
        "ring" => RowCondition::Ring,
        "unordered" => RowCondition::Unordered,
        "empties" => {
            word("vanish").parse_next(input)?;
            RowCondition::EmptiesVanish
        }
        _ => {
            word("ends").parse_next(input)?;
            word("vanish").parse_next(input)?;
            RowCondition::EmptyEndsVanish
        }
    };
    Ok((condition, token.span))
}

fn start(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let pattern = shape(input)?;
    word("as").parse_next(input)?;
    Ok(Line::Start(pattern, shape(input)?))
}

fn play(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let play = match topic_word(input, Topic::Play)?.text {
        "normal" => Play::Normal,
        _ => Play::Misere,
    };
    Ok(Line::Play(play))
}

fn ends(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let result = match topic_word(input, Topic::Ending)?.text {
        "lost" => EndingResult::Lost,
        "won" => EndingResult::Won,
        _ => EndingResult::Draw,
    };
    let pattern = shape(input)?;
    let guard = guard_part(input, &[])?;
    Ok(Line::Ends {
        result,
        pattern,
        guard,
    })
}

fn compound(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let tree = match topic_word(input, Topic::Compound)?.text {
        "disjunctive" => CompoundTree::Disjunctive,
        "conjunctive" => match opt(word("continued")).parse_next(input)? {
            Some(_) => CompoundTree::ConjunctiveContinued,
            None => CompoundTree::Conjunctive,
        },
        _ => {
            if at_word(input, "up") {
                next(input)?;
                word("to").parse_next(input)?;
                CompoundTree::Selective(Some(arithmetic(input)?))
            } else {
                CompoundTree::Selective(None)
            }
        }
    };
    Ok(Line::Compound(tree))
}

fn chance(input: &mut Input<'_, '_>) -> Parsed<Line> {
    let name = name(input)?;
    word("in").parse_next(input)?;
    Ok(Line::Chance(name, operand(input)?))
}

fn claim(input: &mut Input<'_, '_>) -> Parsed<Line> {
    if topic_word(input, Topic::Claim)?.text == "grundy" {
        let pattern = shape(input)?;
        sign(Kind::Equal).parse_next(input)?;
        return Ok(Line::Claim {
            kind: ClaimKind::Grundy,
            pattern,
            pieces: pieces(input)?,
        });
    }
    if at_word(input, "sum") {
        next(input)?;
        word("with").parse_next(input)?;
        let pattern = shape(input)?;
        sign(Kind::Equal).parse_next(input)?;
        return Ok(Line::Claim {
            kind: ClaimKind::LostSum,
            pattern,
            pieces: pieces(input)?,
        });
    }
    if !at(input, Kind::OpenBracket) {
        let expected = [Expected::Component, Expected::Sign("sum")];
        return Err(Failure::expecting(input, &expected));
    }
    let pattern = shape(input)?;
    word("iff").parse_next(input)?;
    let condition = conjunction(input)?;
    Ok(Line::Claim {
        kind: ClaimKind::Lost,
        pattern,
        pieces: vec![PieceTree {
            span: condition.span,
            value: condition,
            condition: None,
        }],
    })
}

fn pieces(input: &mut Input<'_, '_>) -> Parsed<Vec<PieceTree>> {
    let mut pieces = Vec::new();
    loop {
        let value = arithmetic(input)?;
        let condition = if at_word(input, "if") {
            next(input)?;
            Some(conjunction(input)?)
        } else {
            None
        };
        pieces.push(PieceTree {
            span: value.span,
            value,
            condition,
        });
        if at(input, Kind::Semicolon) {
            next(input)?;
        } else {
            let expected = [Expected::Sign("if"), Expected::Sign(";")];
            return end(input, &expected).map(|()| pieces);
        }
    }
}

/// The words by which an update begins.
fn at_update(input: &Input<'_, '_>) -> bool {
    match peek(input) {
        Some(token) if token.kind == Kind::Word => {
            matches!(token.text, "first" | "last" | "remove" | "every" | "some")
                || second_is(input, Kind::OpenBracket)
                || second_is(input, Kind::MinusEqual)
                || second_is(input, Kind::PlusEqual)
        }
        _ => false,
    }
}

fn move_line(input: &mut Input<'_, '_>) -> Parsed<MoveTree> {
    let mut player = None;
    if second_is(input, Kind::Colon) {
        if at_word(input, "left") {
            player = Some(Player::Left);
        } else if at_word(input, "right") {
            player = Some(Player::Right);
        }
        if player.is_some() {
            next(input)?;
            next(input)?;
        }
    }
    let length = name_length(input);
    let labelled = length > 0 && input.get(length).is_some_and(|t| t.kind == Kind::Colon);
    let label = if labelled {
        let label = hyphened(input)?;
        next(input)?;
        if matches!(label.text.as_str(), "left" | "right") {
            return Err(Failure::fault(input, label.span, Fault::PlayerAsLabel));
        }
        Some(label)
    } else {
        None
    };
    let named = if labelled { 0 } else { length };
    if named > 0
        && input
            .get(named)
            .is_some_and(|token| token.kind == Kind::OpenBracket)
        && input.iter().any(|token| token.kind == Kind::Arrow)
        && !input
            .iter()
            .any(|token| matches!(token.kind, Kind::MinusEqual | Kind::PlusEqual))
    {
        let label = hyphened(input)?;
        let fault = Fault::MissingColon { label: label.text };
        return Err(Failure::fault(input, label.span, fault));
    }
    let (body, also): (Body, &[Expected]) = if at(input, Kind::OpenBracket) {
        let left = joined_shapes(input)?;
        if !at(input, Kind::Arrow) {
            let expected = [Expected::Sign("->"), Expected::Sign("+")];
            return Err(Failure::expecting(input, &expected));
        }
        next(input)?;
        let mut right = vec![result(input)?];
        while at(input, Kind::Bar) {
            next(input)?;
            right.push(result(input)?);
        }
        let also = &[
            Expected::Sign("where"),
            Expected::Sign("+"),
            Expected::Sign("|"),
        ];
        (Body::Arrow { left, right }, also)
    } else if at_update(input) {
        let mut alternatives = vec![comma_list(update)(input)?];
        while at(input, Kind::Bar) {
            next(input)?;
            alternatives.push(comma_list(update)(input)?);
        }
        let also = &[
            Expected::Sign("where"),
            Expected::Sign(","),
            Expected::Sign("|"),
        ];
        (Body::Updates(alternatives), also)
    } else {
        return Err(not_a_move(input, labelled || player.is_some()));
    };
    let guard = guard_part(input, also)?;
    Ok(MoveTree {
        player,
        label,
        body,
        guard,
    })
}

/// Why this is no rule.
fn not_a_move(input: &Input<'_, '_>, labelled: bool) -> Failure {
    match peek(input) {
        Some(token) if token.kind == Kind::Word && !labelled => Failure::fault(
            input,
            token.span,
            Fault::UnknownLine {
                word: clip(token.text),
                suggestion: suggestion(token.text, LINE_WORDS.iter().copied()),
            },
        ),
        _ => Failure::expecting(input, &[Expected::Component, Expected::Update]),
    }
}

fn guard_part(input: &mut Input<'_, '_>, also: &[Expected]) -> Parsed<Option<Node>> {
    if at_word(input, "where") {
        next(input)?;
        let guard = conjunction(input)?;
        end(input, &[Expected::Sign(","), Expected::Sign("and")])?;
        return Ok(Some(guard));
    }
    if input.is_empty() {
        return Ok(None);
    }
    let mut expected = vec![Expected::Sign("where"), Expected::EndOfLine];
    expected.extend_from_slice(also);
    Err(Failure::expecting(input, &expected))
}

fn joined_shapes(input: &mut Input<'_, '_>) -> Parsed<Vec<Shape>> {
    let mut shapes = vec![shape(input)?];
    while at(input, Kind::Plus) {
        next(input)?;
        shapes.push(shape(input)?);
    }
    Ok(shapes)
}

fn result(input: &mut Input<'_, '_>) -> Parsed<Vec<Term>> {
    let mut terms = Vec::new();
    loop {
        if at_word(input, "nothing") {
            next(input)?;
        } else {
            terms.push(term(input)?);
        }
        if !at(input, Kind::Plus) {
            return Ok(terms);
        }
        next(input)?;
    }
}

fn term(input: &mut Input<'_, '_>) -> Parsed<Term> {
    if at(input, Kind::OpenBracket) {
        let shape = shape(input)?;
        if !at_word(input, "for") {
            return Ok(Term::Component(shape));
        }
        next(input)?;
        let range = |input: &mut Input<'_, '_>| {
            let name = name(input)?;
            word("in").parse_next(input)?;
            let from = arithmetic(input)?;
            sign(Kind::Dots).parse_next(input)?;
            let to = arithmetic(input)?;
            Ok((name, from, to))
        };
        return Ok(Term::Series(shape, comma_list(range)(input)?));
    }
    match peek(input) {
        Some(token)
            if matches!(
                token.kind,
                Kind::Word | Kind::Number | Kind::OpenParen | Kind::Minus
            ) =>
        {
            let count = arithmetic(input)?;
            if !at_word(input, "of") {
                let text = source(input, &count);
                return Err(Failure::fault(
                    input,
                    count.span,
                    Fault::BareResult { text },
                ));
            }
            next(input)?;
            Ok(Term::Copies(count, shape(input)?))
        }
        _ => Err(Failure::expecting(input, &[Expected::ResultTerm])),
    }
}

/// The text of a formula that was just read.
fn source(input: &Input<'_, '_>, node: &Node) -> String {
    let inside = |token: &&Token<'_>| token.span.start >= node.span.start;
    let mut texts: Vec<&str> = input
        .previous_tokens()
        .take_while(inside)
        .take(40)
        .map(|token| token.text)
        .collect();
    texts.reverse();
    texts.concat()
}

/// A component in brackets.
fn shape(input: &mut Input<'_, '_>) -> Parsed<Shape> {
    if !at(input, Kind::OpenBracket) {
        return Err(Failure::expecting(input, &[Expected::Component]));
    }
    let open = next(input)?;
    if at(input, Kind::CloseBracket) {
        let close = next(input)?;
        return Ok(Shape {
            items: Vec::new(),
            span: join(open.span, close.span),
        });
    }
    let items = comma_list(item)(input)?;
    let close = close(Kind::CloseBracket).parse_next(input)?;
    Ok(Shape {
        items,
        span: join(open.span, close.span),
    })
}

fn item(input: &mut Input<'_, '_>) -> Parsed<Item> {
    match peek(input).map(|token| token.kind) {
        Some(Kind::OpenBracket) => shape(input).map(Item::List),
        Some(Kind::Text) => text(input).map(|(text, span)| Item::Word(text, span)),
        Some(Kind::Word)
            if second_is(input, Kind::Dots)
                && matches!(
                    input.get(2).map(|token| token.kind),
                    Some(Kind::Comma | Kind::CloseBracket) | None
                ) =>
        {
            let name = name(input)?;
            next(input)?;
            Ok(Item::Rest(name))
        }
        Some(Kind::Word) if is_reserved(input[0].text) && !second_is(input, Kind::OpenParen) => {
            name(input).map(Item::Rest)
        }
        Some(Kind::CloseBracket) | None => Err(Failure::expecting(input, &[Expected::Coordinate])),
        Some(_) => arithmetic(input).map(Item::Term),
    }
}

fn update(input: &mut Input<'_, '_>) -> Parsed<UpdateTree> {
    if at_word(input, "remove") {
        next(input)?;
        return Ok(UpdateTree::Remove(place(input)?));
    }
    if at_word(input, "every") {
        next(input)?;
        let row = name(input)?;
        return Ok(UpdateTree::Every(row, change(input)?));
    }
    if at_word(input, "some") {
        next(input)?;
        let at_most = if at_word(input, "up") {
            next(input)?;
            word("to").parse_next(input)?;
            // Not a whole formula: the name of the row follows without a sign.
            Some(primary(input)?)
        } else {
            None
        };
        let row = name(input)?;
        return Ok(UpdateTree::Some(at_most, row, change(input)?));
    }
    let place = place(input)?;
    Ok(UpdateTree::Place(place, change(input)?))
}

fn place(input: &mut Input<'_, '_>) -> Parsed<PlaceTree> {
    match peek(input) {
        Some(token) if token.is_word("first") => {
            next(input)?;
            Ok(PlaceTree::First(token.span))
        }
        Some(token) if token.is_word("last") => {
            next(input)?;
            Ok(PlaceTree::Last(token.span))
        }
        Some(token) if token.kind == Kind::Word => {
            let row = name(input)?;
            let index = delimited(
                sign(Kind::OpenBracket),
                arithmetic,
                sign(Kind::CloseBracket),
            )
            .parse_next(input)?;
            Ok(PlaceTree::Index(row, index))
        }
        _ => Err(Failure::expecting(input, &[Expected::Update])),
    }
}

fn change(input: &mut Input<'_, '_>) -> Parsed<ChangeTree> {
    let wrap = match peek(input).map(|token| token.kind) {
        Some(Kind::MinusEqual) => Change::Decrease,
        Some(Kind::PlusEqual) => Change::Increase,
        Some(Kind::Equal) => Change::Set,
        _ => {
            let expected = [
                Expected::Sign("-="),
                Expected::Sign("+="),
                Expected::Sign("="),
            ];
            return Err(Failure::expecting(input, &expected));
        }
    };
    next(input)?;
    Ok(ChangeTree {
        wrap,
        amount: arithmetic(input)?,
    })
}

// Formulas, loosest first.

fn join(from: Span, to: Span) -> Span {
    Span {
        start: from.start,
        end: to.end,
    }
}

/// Members separated by commas.
fn conjunction(input: &mut Input<'_, '_>) -> Parsed<Node> {
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
fn operand(input: &mut Input<'_, '_>) -> Parsed<Node> {
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
fn arithmetic(input: &mut Input<'_, '_>) -> Parsed<Node> {
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

fn primary(input: &mut Input<'_, '_>) -> Parsed<Node> {
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
