//! From text to a problem: lines, the blocks they open, and what is wrong with them.

use crate::check::check;
use crate::fault::{Diagnostic, Fault};
use crate::grammar::{self, Head, STATEMENTS};
use crate::lex::{self, Kind, NESTING_LIMIT, Token, closing, tokens};
use crate::problem::{Action, Problem, Repeat, Span, Statement};

/// How many bytes a text may have.
pub const TEXT_LIMIT: usize = 1 << 20;

/// How many faults of one text are reported.
pub(crate) const FAULT_LIMIT: usize = 64;

/// Reads a problem file.
///
/// Every statement is read by itself, so that one text shows all its faults, in text order.
/// Names are looked up, rules in braces are read, and the games of the catalogue must exist with
/// the parameters that they are given.
pub fn parse(text: &str) -> Result<Problem, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let problem = if text.len() > TEXT_LIMIT {
        let fault = Fault::TextTooLong { limit: TEXT_LIMIT };
        faults.push(Diagnostic::new(Span::default(), fault));
        None
    } else {
        let mut reader = Reader {
            text,
            tokens: tokens(text),
            place: 0,
            depth: 0,
            faults,
            incomplete: false,
            given_up: false,
            head: Heading::default(),
        };
        let problem = reader.problem();
        let (incomplete, read) = (reader.incomplete, reader.faults);
        faults = read;
        if faults.len() <= FAULT_LIMIT {
            check(&problem, incomplete, &mut faults);
        }
        Some(problem)
    };
    match problem {
        Some(problem) if faults.is_empty() => Ok(problem),
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

/// Reads a problem file from bytes, which must be UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Problem, Vec<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let start = error.valid_up_to();
            let end = error.error_len().map_or(bytes.len(), |len| start + len);
            Err(vec![Diagnostic::new(Span { start, end }, Fault::NotUtf8)])
        }
    }
}

/// The head of a file.
#[derive(Default)]
struct Heading {
    name: Option<(String, Option<String>)>,
    /// Whether a line `problem …` could not be read.
    attempted: bool,
    source: Option<String>,
    separators: Option<String>,
    /// Whether any other statement was seen.
    over: bool,
    /// `plainly { … }`, and its place.
    plainly: Option<(Vec<Statement>, Span)>,
}

/// The words that can only begin a statement.
const ONLY_FIRST: &[&str] = &[
    "read", "require", "let", "game", "repeat", "stop", "print", "write", "plainly",
];

struct Reader<'s> {
    text: &'s str,
    tokens: Vec<Token<'s>>,
    place: usize,
    /// How many blocks are open.
    depth: usize,
    faults: Vec<Diagnostic>,
    /// Whether a statement that may declare a name was not understood.
    incomplete: bool,
    /// Whether the rest of the text was not read.
    given_up: bool,
    head: Heading,
}

/// A statement's tokens up to its block or its end.
struct Line<'s> {
    tokens: Vec<Token<'s>>,
    /// Whether a `{` opened a block behind them.
    block: bool,
    /// Whether it cannot be read for a reason that was reported.
    broken: bool,
}

/// What to do with a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// It opens a block.
    Block,
    /// It opens rules.
    Rules,
    /// It is a bracket as others are.
    Bracket,
    /// It opens a block if it stands at the end of the line.
    Unknown,
}

impl<'s> Reader<'s> {
    fn problem(&mut self) -> Problem {
        let mut body = Vec::new();
        while self.place < self.tokens.len() {
            body.append(&mut self.block());
            // A block ends before a brace; here none is open.
            if let Some(token) = self.take() {
                self.fault(token.span, Fault::BracketUnopened);
            }
        }
        let head = std::mem::take(&mut self.head);
        if head.name.is_none() && !head.attempted {
            let first = self.tokens.iter().find(|token| token.kind != Kind::Newline);
            let span = first.map_or(Span::default(), |token| token.span);
            self.faults.insert(0, Diagnostic::new(span, Fault::NoHead));
        }
        let (name, title) = head.name.unwrap_or_default();
        Problem {
            name,
            title,
            source: head.source,
            separators: head.separators,
            body,
            plainly: head.plainly.map(|(statements, _)| statements),
        }
    }

    fn fault(&mut self, span: Span, fault: Fault) {
        self.faults.push(Diagnostic::new(span, fault));
    }

    /// Reads nothing of the rest.
    fn give_up(&mut self) {
        self.given_up = true;
        self.incomplete = true;
        self.place = self.tokens.len();
    }

    fn peek(&self) -> Option<Token<'s>> {
        self.tokens.get(self.place).copied()
    }

    fn take(&mut self) -> Option<Token<'s>> {
        let token = self.peek()?;
        self.place += 1;
        Some(token)
    }

    /// The place of the next token that is no end of a line.
    fn beyond_lines(&self) -> usize {
        let lines = self.tokens[self.place..]
            .iter()
            .take_while(|token| token.kind == Kind::Newline);
        self.place + lines.count()
    }

    /// The statements up to a closing brace, which stays, or to the end.
    fn block(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            self.place = self.beyond_lines();
            match self.peek() {
                None => return statements,
                Some(token) if token.kind == Kind::CloseBrace => return statements,
                // More faults than are reported: the rest of the text tells nothing new.
                Some(_) if self.faults.len() > FAULT_LIMIT => {
                    self.give_up();
                    return statements;
                }
                Some(_) => statements.extend(self.statement()),
            }
        }
    }

    /// A statement with its block.
    fn statement(&mut self) -> Option<Statement> {
        let line = self.line();
        let span = self.span(&line);
        let head = self.head(&line);
        let (head, body) = match head {
            Some(Head::Else | Head::ElseIf(_)) => {
                self.fault(line.tokens[0].span, Fault::ElseAlone);
                self.braced(&line);
                return None;
            }
            head => (head, self.braced(&line)),
        };
        if let Some((_, span)) = self.head.plainly
            && self.depth == 0
        {
            self.fault(span, Fault::Misplaced { word: "plainly" });
        }
        self.head.over |= !matches!(
            head,
            Some(Head::Problem(..) | Head::Source(_) | Head::Separators(_))
        );
        let action = match head? {
            Head::Problem(name, title) => {
                self.heading("problem", span);
                self.head.name.get_or_insert((name, title));
                return None;
            }
            Head::Source(source) => {
                self.heading("source", span);
                self.head.source.get_or_insert(source);
                return None;
            }
            Head::Separators(separators) => {
                self.heading("separators", span);
                self.head.separators.get_or_insert(separators);
                return None;
            }
            Head::Plainly if self.depth > 0 => {
                self.fault(span, Fault::Misplaced { word: "plainly" });
                return None;
            }
            Head::Plainly => {
                self.head.plainly = Some((body, span));
                return None;
            }
            Head::Simple(action) => action,
            Head::Repeat(times, counter) => Action::Repeat(Repeat {
                times,
                counter,
                body,
            }),
            Head::For(generator) => Action::For(generator, body),
            Head::If(condition) => Action::If(condition, body, self.otherwise(0)),
            Head::Else | Head::ElseIf(_) => unreachable!("they were reported"),
        };
        Some(Statement { action, span })
    }

    fn heading(&mut self, word: &'static str, span: Span) {
        let named = self.head.name.is_some();
        let misplaced = match word {
            "problem" => named || self.head.source.is_some() || self.head.separators.is_some(),
            "source" => !named || self.head.source.is_some(),
            _ => !named || self.head.separators.is_some(),
        };
        if misplaced || self.head.over || self.depth > 0 {
            self.fault(span, Fault::Misplaced { word });
        }
    }

    fn span(&self, line: &Line<'_>) -> Span {
        let start = line.tokens.first().map_or_else(
            || self.tokens[self.place - 1].span.start,
            |token| token.span.start,
        );
        let end = line.tokens.last().map_or(start, |token| token.span.end);
        Span { start, end }
    }

    fn head(&mut self, line: &Line<'_>) -> Option<Head> {
        let head = if line.broken || !lex::check(&line.tokens, &mut self.faults) {
            None
        } else if line.tokens.is_empty() {
            let token = self.tokens[self.place - 1];
            let fault = Fault::Unexpected {
                found: Some(token.text.to_owned()),
                expected: Vec::new(),
                suggestion: None,
            };
            self.fault(token.span, fault);
            None
        } else {
            match grammar::head(&line.tokens, line.block) {
                Ok(head) => Some(head),
                Err(diagnostic) => {
                    self.faults.push(diagnostic);
                    None
                }
            }
        };
        let first = line.tokens.first().map_or("", |token| token.text);
        self.head.attempted |= head.is_none() && first == "problem";
        self.incomplete |=
            head.is_none() && !["print", "write", "stop", "require", "if"].contains(&first);
        head
    }

    /// The block behind a line, if there is one, with its closing brace.
    fn braced(&mut self, line: &Line<'_>) -> Vec<Statement> {
        if !line.block {
            return Vec::new();
        }
        let open = self.tokens[self.place - 1];
        if self.depth == NESTING_LIMIT {
            let limit = NESTING_LIMIT;
            self.fault(open.span, Fault::NestedTooDeep { limit });
            self.give_up();
            return Vec::new();
        }
        self.depth += 1;
        let statements = self.block();
        self.depth -= 1;
        if self.take().is_none() && !self.given_up {
            self.fault(open.span, Fault::BracketUnclosed { before: None });
        }
        statements
    }

    /// What follows the block of an `if`; so many `else if` stand before.
    fn otherwise(&mut self, before: usize) -> Vec<Statement> {
        let next = self.beyond_lines();
        let is_else = self
            .tokens
            .get(next)
            .is_some_and(|token| token.is_word("else"));
        if !is_else {
            return Vec::new();
        }
        self.place = next;
        let line = self.line();
        let span = self.span(&line);
        let head = self.head(&line);
        if self.depth + before >= NESTING_LIMIT {
            let limit = NESTING_LIMIT;
            self.fault(span, Fault::NestedTooDeep { limit });
            self.give_up();
            return Vec::new();
        }
        // The blocks of a chain stand in one another.
        self.depth += before;
        let body = self.braced(&line);
        self.depth -= before;
        match head {
            Some(Head::ElseIf(condition)) => {
                let action = Action::If(condition, body, self.otherwise(before + 1));
                vec![Statement { action, span }]
            }
            _ => body,
        }
    }

    /// The tokens of a statement; the first is there.
    fn line(&mut self) -> Line<'s> {
        let braces = match self.peek().expect("a statement has a token").text {
            "repeat" | "for" | "if" | "else" | "plainly" => Braces::Block,
            "game" => Braces::Rules,
            word if STATEMENTS.contains(&word) => Braces::Bracket,
            _ => Braces::Unknown,
        };
        let mut line = Line {
            tokens: Vec::new(),
            block: false,
            broken: false,
        };
        let mut open: Vec<Kind> = Vec::new();
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Newline if self.ends_statement(braces, open.is_empty()) => break,
                Kind::Newline => {
                    self.place = self.beyond_lines();
                    continue;
                }
                Kind::OpenBrace if self.opens_block(braces) => {
                    self.place += 1;
                    line.block = true;
                    return line;
                }
                Kind::OpenBrace if braces == Braces::Rules && open.is_empty() => {
                    match self.rules() {
                        Some(rules) => line.tokens.push(rules),
                        None => {
                            self.fault(token.span, Fault::BracketUnclosed { before: None });
                            line.broken = true;
                            self.give_up();
                        }
                    }
                    continue;
                }
                Kind::OpenBrace | Kind::OpenParen | Kind::OpenBracket => open.push(token.kind),
                // The end of the block that this statement stands in.
                Kind::CloseBrace if !open.contains(&Kind::OpenBrace) => break,
                Kind::CloseBrace | Kind::CloseParen | Kind::CloseBracket => {
                    open.pop_if(|last| closing(*last) == token.kind);
                }
                _ => {}
            }
            line.tokens.push(token);
            self.place += 1;
        }
        line
    }

    /// Whether a statement ends at the end of this line; outside brackets it does.
    fn ends_statement(&self, braces: Braces, outside: bool) -> bool {
        let Some(next) = self.tokens.get(self.beyond_lines()) else {
            return true;
        };
        if next.kind == Kind::OpenBrace && braces == Braces::Block {
            return false;
        }
        // Words that stand nowhere else show that a bracket was left open.
        outside || next.kind == Kind::Word && ONLY_FIRST.contains(&next.text)
    }

    fn opens_block(&self, braces: Braces) -> bool {
        let behind = self.tokens.get(self.place + 1);
        match braces {
            Braces::Block => true,
            Braces::Unknown => behind.is_none_or(|token| token.kind == Kind::Newline),
            Braces::Rules | Braces::Bracket => false,
        }
    }

    /// Rules in braces as one token.
    fn rules(&mut self) -> Option<Token<'s>> {
        let start = self.tokens[self.place].span.start;
        let mut depth = 0_usize;
        while let Some(token) = self.take() {
            match token.kind {
                Kind::OpenBrace => depth += 1,
                Kind::CloseBrace => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let end = token.span.end;
                return Some(Token {
                    kind: Kind::Rules,
                    text: &self.text[start..end],
                    span: Span { start, end },
                });
            }
        }
        None
    }
}
