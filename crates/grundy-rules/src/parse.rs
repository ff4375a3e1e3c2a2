//! From text to a ruleset.

use crate::bounds::{conjuncts, unbounded_choices};
use crate::code;
use crate::declare;
use crate::expectation::expectation;
use crate::fault::{Diagnostic, Fault};
use crate::given::{self, GivenFault};
use crate::grammar;
use crate::lex::{self, Statement, Statements};
use crate::notation::Allowance;
use crate::resolve::Context;
use crate::ruleset::{
    Chance, Compound, Expr, Guard, MoveRule, Parameter, Play, Row, Ruleset, Scope, Set, ShortForm,
    Span, Variable,
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
                    self.row = Some(declare::row(&name, &conditions, alphabet.as_ref(), faults));
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
        match declare::parameter_value(value, &self.allowance) {
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
        faults.extend(unbounded(&ruleset));
        // Which positions there are is only known when all rules are.
        let complete = faults.is_empty();
        if complete {
            faults.extend(misfitting_claims(&ruleset));
        }
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
    let labelled = statement
        .tokens
        .get(1)
        .is_some_and(|token| token.kind == lex::Kind::Colon);
    let parameter = statement
        .tokens
        .get(1)
        .is_some_and(|token| token.kind == lex::Kind::Equal);
    (declaring && !labelled) || parameter
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
pub(crate) fn unbounded(ruleset: &Ruleset) -> Vec<Diagnostic> {
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

/// Claims about components of a length that no component has.
fn misfitting_claims(ruleset: &Ruleset) -> Vec<Diagnostic> {
    let Some(admitted) = given::coordinates(ruleset).filter(|lengths| !lengths.is_empty()) else {
        return Vec::new();
    };
    let misfits = ruleset.claims.iter().filter(|claim| {
        !claim.pattern.has_rest() && !admitted.contains(&claim.pattern.items.len())
    });
    misfits
        .map(|claim| {
            let fault = GivenFault::Coordinates {
                component: 0,
                found: claim.pattern.items.len(),
                admitted: admitted.iter().copied().collect(),
            };
            Diagnostic::new(claim.span, Fault::Given(fault))
        })
        .collect()
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
