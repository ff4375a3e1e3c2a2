//! The grammar of statements, over tokens.
//!
//! One token decides what comes next, so that nothing is tried twice: reading
//! takes linear time and the first failure is also the furthest. A formula is
//! read by one grammar, whether it will be a number, a set or a condition.

mod formula;
mod pieces;

use winnow::combinator::{delimited, opt, preceded};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::stream::{Stateful, TokenSlice};
use winnow::token::any;

use crate::fault::{Diagnostic, Expected, Fault, Topic, clip, suggestion};
use crate::lex::{Kind, Statement, Token, name_length};
use crate::notation::Allowance;
use crate::ruleset::{Change, EndingResult, Play, Player, Span};
use crate::tree::{
    Body, ChangeTree, ClaimKind, CompoundTree, Item, Line, MoveTree, Node, NodeKind, PieceTree,
    PlaceTree, RowCondition, Shape, Term, UpdateTree,
};

use formula::{arithmetic, conjunction, operand, primary};
use pieces::{
    at, at_word, close, comma_list, end, hyphened, is_reserved, join, name, next, peek, second_is,
    sign, text, topic_word, word,
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
