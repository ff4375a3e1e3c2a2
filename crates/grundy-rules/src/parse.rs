//! From text to a ruleset.

use num_bigint::{BigInt, BigUint};

use crate::bounds::{conjuncts, unbounded_choices};
use crate::budget::{Budget, Meter};
use crate::code;
use crate::fault::{Diagnostic, Expected, Fault, Kind, Topic, clip, suggestion};
use crate::given::{self, GivenFault};
use crate::grammar;
use crate::lex::{self, Statement, Statements};
use crate::notation::{self, Allowance};
use crate::position::Position;
use crate::resolve::{self, Context};
use crate::ruleset::{
    Chance, Compound, Expectation, ExpectationKind, Expr, Guard, MoveRule, Parameter,
    ParameterValue, Play, Row, Ruleset, Scope, Set, ShortForm, Span, Variable,
};
use crate::tree::{CompoundTree, Line, Name, Node};

/// How many bytes a text may have.
pub const TEXT_LIMIT: usize = 16 << 20;

/// How many statements a text may have.
const STATEMENT_LIMIT: usize = 100_000;

/// How many parameters a game may have.
const PARAMETER_LIMIT: usize = 256;

/// How many faults of one text are reported.
const FAULT_LIMIT: usize = 64;

/// Reads the rules of one game: a file, or rules written in a line.
///
/// Every statement is read by itself, so that one text shows all its faults,
/// in text order.
pub fn parse(text: &str) -> Result<Ruleset, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let ruleset = if text.len() > TEXT_LIMIT {
        let fault = Fault::TextTooLong { limit: TEXT_LIMIT };
        faults.push(Diagnostic::new(Span::default(), fault));
        None
    } else {
        read(text, &mut faults)
    };
    match ruleset {
        Some(ruleset) if faults.is_empty() => Ok(ruleset),
        _ => {
            faults.sort_by_key(|diagnostic| diagnostic.span.start);
            if faults.len() > FAULT_LIMIT {
                faults.truncate(FAULT_LIMIT);
                let last = faults[FAULT_LIMIT - 1].span;
                faults.push(Diagnostic::new(last, Fault::MoreFaults));
            }
            Err(faults)
        }
    }
}

/// Reads the rules of one game from bytes, which must be UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Ruleset, Vec<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let start = error.valid_up_to();
            let end = error.error_len().map_or(bytes.len(), |len| start + len);
            Err(vec![Diagnostic::new(Span { start, end }, Fault::NotUtf8)])
        }
    }
}

/// What a text declares, with names not yet resolved.
#[derive(Default)]
struct Declarations<'s> {
    name: Option<(String, Option<String>)>,
    parameters: Vec<Parameter>,
    row: Option<Row>,
    unordered: bool,
    play: Option<Play>,
    compound: Option<CompoundTree>,
    draw_on_repetition: bool,
    chances: Vec<(Name, Node)>,
    /// `rules …`
    short_form: Option<(ShortForm, Span)>,
    /// `expect …`
    expectations: Vec<Statement<'s>>,
    /// Lines whose names are resolved when all declarations are known.
    lines: Vec<(Line, Span)>,
    /// What large numbers may still cost.
    allowance: Allowance,
    /// Whether a declaration was not understood, so that names would seem unknown.
    incomplete: bool,
}

fn read(text: &str, faults: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let mut declarations = Declarations::default();
    for (place, statement) in Statements::new(text).enumerate() {
        if place == STATEMENT_LIMIT {
            let fault = Fault::TooManyStatements {
                limit: STATEMENT_LIMIT,
            };
            faults.push(Diagnostic::new(statement.span, fault));
            return None;
        }
        declarations.read(statement, faults);
        if faults.len() > FAULT_LIMIT {
            return None;
        }
    }
    if declarations.incomplete {
        return None;
    }
    Some(declarations.resolve(faults))
}

impl<'s> Declarations<'s> {
    fn read(&mut self, statement: Statement<'s>, faults: &mut Vec<Diagnostic>) {
        if statement.is_raw() {
            match statement.tokens[0].text {
                "rules" => self.read_short_form(&statement, faults),
                _ => self.expectations.push(statement),
            }
            return;
        }
        if !lex::check(&statement, faults) {
            self.incomplete |= declares(&statement);
            return;
        }
        match grammar::line(&statement, &self.allowance) {
            Ok(line) => self.add(line, &statement, faults),
            Err(diagnostic) => {
                faults.push(diagnostic);
                self.incomplete |= declares(&statement);
            }
        }
    }

    fn read_short_form(&mut self, statement: &Statement<'_>, faults: &mut Vec<Diagnostic>) {
        let word = "rules".len();
        let form = code::short_form_at(&statement.text[word..], statement.span.start + word);
        match form {
            Ok(form) => {
                let repeated = self.short_form.replace((form, statement.span)).is_some();
                once(repeated, "rules", statement, faults);
            }
            Err(diagnostic) => {
                faults.push(diagnostic);
                self.incomplete = true;
            }
        }
    }

    fn add(&mut self, line: Line, statement: &Statement<'_>, faults: &mut Vec<Diagnostic>) {
        match line {
            Line::Game {
                name,
                parameters,
                title,
            } => {
                let repeated = self.name.replace((name, title)).is_some();
                once(repeated, "game", statement, faults);
                for (name, value) in parameters {
                    self.add_parameter(&name, &value, faults);
                }
            }
            Line::Parameter(name, value) => self.add_parameter(&name, &value, faults),
            Line::Row {
                name,
                conditions,
                alphabet,
            } => {
                once(self.row.is_some(), "row", statement, faults);
                if self.row.is_none() {
                    self.row = Some(resolve::row(&name, &conditions, alphabet.as_ref(), faults));
                }
            }
            Line::Unordered => {
                let repeated = std::mem::replace(&mut self.unordered, true);
                once(repeated, "unordered", statement, faults);
            }
            Line::Play(play) => {
                once(self.play.replace(play).is_some(), "play", statement, faults);
            }
            Line::Compound(tree) => {
                let repeated = self.compound.replace(tree).is_some();
                once(repeated, "compound", statement, faults);
            }
            Line::DrawOnRepetition => {
                let repeated = std::mem::replace(&mut self.draw_on_repetition, true);
                once(repeated, "draw", statement, faults);
            }
            Line::Chance(name, values) => self.chances.push((name, values)),
            line => self.lines.push((line, statement.span)),
        }
    }

    fn add_parameter(&mut self, name: &Name, value: &Node, faults: &mut Vec<Diagnostic>) {
        if self.parameters.iter().any(|other| other.name == name.text) {
            let fault = Fault::NameTaken {
                name: name.text.clone(),
            };
            faults.push(Diagnostic::new(name.span, fault));
            return;
        }
        if self.parameters.len() == PARAMETER_LIMIT {
            let fault = Fault::TooManyNames {
                limit: PARAMETER_LIMIT,
            };
            faults.push(Diagnostic::new(name.span, fault));
            return;
        }
        match resolve::parameter_value(value, &self.allowance) {
            Ok(value) => self.parameters.push(Parameter {
                name: name.text.clone(),
                value,
                span: name.span,
            }),
            Err(diagnostic) => {
                faults.push(diagnostic);
                self.incomplete = true;
            }
        }
    }

    /// What is known when only parameters have a meaning.
    fn parameters_only(&self) -> Context<'_> {
        Context {
            parameters: &self.parameters,
            row: None,
            chances: &[],
        }
    }

    fn chances(&self, faults: &mut Vec<Diagnostic>) -> Vec<Chance> {
        let mut chances: Vec<Chance> = Vec::new();
        for (name, values) in &self.chances {
            let taken = self.parameters.iter().any(|p| p.name == name.text)
                || chances.iter().any(|chance| chance.name == name.text);
            if taken {
                let fault = Fault::NameTaken {
                    name: name.text.clone(),
                };
                faults.push(Diagnostic::new(name.span, fault));
            }
            // A draw that was not understood still has its name.
            let (scope, values) = self
                .parameters_only()
                .chance(values, faults)
                .unwrap_or((Scope::default(), Set::List(Vec::new())));
            chances.push(Chance {
                name: name.text.clone(),
                scope,
                values,
            });
        }
        chances
    }

    fn resolve(self, faults: &mut Vec<Diagnostic>) -> Ruleset {
        let chances = self.chances(faults);
        let compound = match &self.compound {
            None => Compound::Disjunctive,
            Some(tree) => self
                .parameters_only()
                .compound(tree, faults)
                .unwrap_or_default(),
        };
        if let Some(row) = &self.row
            && let Some(parameter) = self.parameters.iter().find(|p| p.name == row.name)
        {
            let fault = Fault::NameTaken {
                name: row.name.clone(),
            };
            faults.push(Diagnostic::new(parameter.span, fault));
        }
        let (name, title) = self
            .name
            .clone()
            .unwrap_or_else(|| ("inline".to_owned(), None));
        let mut ruleset = Ruleset {
            name,
            title,
            parameters: self.parameters.clone(),
            row: self.row.clone(),
            unordered: self.unordered,
            starts: Vec::new(),
            play: self.play.unwrap_or_default(),
            compound,
            draw_on_repetition: self.draw_on_repetition,
            chances,
            endings: Vec::new(),
            short_form: None,
            moves: Vec::new(),
            expectations: Vec::new(),
            claims: Vec::new(),
        };
        let before = faults.len();
        self.resolve_lines(&mut ruleset, faults);
        match self.short_form {
            Some((form, span)) => {
                ruleset.moves.extend(expansion(&form, span));
                ruleset.short_form = Some(form);
            }
            None if ruleset.moves.is_empty() && faults.is_empty() => {
                faults.push(Diagnostic::new(Span::default(), Fault::NoMoves));
            }
            None => {}
        }
        if faults.len() == before {
            faults.extend(unbounded(&ruleset));
        }
        // Which positions there are is only known when all rules are.
        let complete = faults.is_empty();
        for statement in self.expectations.iter().filter(|_| complete) {
            match expectation(statement, &ruleset, &self.allowance) {
                Ok(expectation) => ruleset.expectations.push(expectation),
                Err(diagnostic) => faults.push(diagnostic),
            }
        }
        ruleset
    }

    /// Resolves the lines that speak of declared names.
    fn resolve_lines(&self, ruleset: &mut Ruleset, faults: &mut Vec<Diagnostic>) {
        let context = Context {
            parameters: &self.parameters,
            row: self.row.as_ref(),
            chances: &ruleset.chances,
        };
        let mut rules = 0;
        for (line, span) in &self.lines {
            match line {
                Line::Start(pattern, template) => {
                    ruleset
                        .starts
                        .extend(context.start(pattern, template, faults));
                }
                Line::Ends {
                    result,
                    pattern,
                    guard,
                } => {
                    let ending = context.ending(*result, pattern, guard.as_ref(), faults);
                    ruleset.endings.extend(ending);
                }
                Line::Move(tree) => {
                    rules += 1;
                    let label = match &tree.label {
                        Some(label) => label.text.clone(),
                        None => format!("move{rules}"),
                    };
                    ruleset
                        .moves
                        .extend(context.rule(tree, label, *span, faults));
                    if self.short_form.is_some() {
                        faults.push(Diagnostic::new(*span, Fault::ShortFormAndMoves));
                    }
                }
                Line::Claim {
                    kind,
                    pattern,
                    pieces,
                } => {
                    let claim = context.claim(*kind, pattern, pieces, *span, faults);
                    ruleset.claims.extend(claim);
                }
                _ => unreachable!("declarations are kept apart from lines"),
            }
        }
    }
}

/// Whether other lines need the names that a statement declares.
fn declares(statement: &Statement<'_>) -> bool {
    let first = statement.tokens.first().map(|token| token.text);
    let declaring = ["game", "row", "chance"].contains(&first.unwrap_or_default());
    let parameter = statement
        .tokens
        .get(1)
        .is_some_and(|token| token.kind == lex::Kind::Equal);
    declaring || parameter
}

fn once(
    repeated: bool,
    word: &'static str,
    statement: &Statement<'_>,
    faults: &mut Vec<Diagnostic>,
) {
    if repeated {
        faults.push(Diagnostic::new(statement.span, Fault::Repeated { word }));
    }
}

/// The rules that a short form stands for, all at its place.
fn expansion(form: &ShortForm, span: Span) -> Vec<MoveRule> {
    let mut ruleset = parse(&form.longhand()).expect("short forms expand to rules without faults");
    for rule in &mut ruleset.moves {
        rule.span = span;
    }
    ruleset.moves
}

/// Choices for which no finite bound is found.
fn unbounded(ruleset: &Ruleset) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for rule in &ruleset.moves {
        for variable in unbounded_choices(rule, ruleset) {
            let scoped = &rule.scope.names[variable.0];
            let fault = Fault::ChoiceUnbounded {
                name: scoped.name.clone(),
                divides: divided_by(rule, variable),
            };
            faults.push(Diagnostic::new(scoped.span, fault));
        }
    }
    faults
}

/// The name that a variable divides, if the guard says so.
fn divided_by(rule: &MoveRule, variable: Variable) -> Option<String> {
    conjuncts(&rule.guard).iter().find_map(|guard| match guard {
        Guard::Divides(Expr::Variable(divisor), Expr::Variable(number)) if *divisor == variable => {
            Some(rule.scope.names[number.0].name.clone())
        }
        _ => None,
    })
}

// Expectations.

/// A part of a raw statement and where it stands.
#[derive(Clone, Copy)]
struct Part<'s> {
    text: &'s str,
    offset: usize,
    allowance: &'s Allowance,
}

impl Part<'_> {
    fn trim(self) -> Self {
        let text = self.text.trim_start();
        Self {
            offset: self.offset + self.text.len() - text.len(),
            text: text.trim_end(),
            ..self
        }
    }

    fn split_at(self, at: usize) -> (Self, Self) {
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

    fn number(self) -> Result<BigUint, Diagnostic> {
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

fn expectation(
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

// Other values.

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
        let Some(index) = self.parameters.iter().position(|p| p.name == name) else {
            let names = self.parameters.iter().map(|p| p.name.as_str());
            let fault = Fault::UnknownParameter {
                name: name.to_owned(),
                suggestion: suggestion(name, names),
            };
            return Err(Diagnostic::new(whole, fault));
        };
        let mut ruleset = self.clone();
        let default = &self.parameters[index].value;
        ruleset.parameters[index].value = value_like(default, name, value)?;
        ruleset.expectations.clear();
        match unbounded(&ruleset).pop() {
            None => Ok(ruleset),
            Some(diagnostic) => Err(Diagnostic::new(whole, diagnostic.fault)),
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
            resolve::parameter_value(&grammar::value(&statement, &allowance)?, &allowance)?
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
