//! From text to tokens, and from tokens to statements.
//!
//! Each statement is parsed by itself, so that a fault in one hides none in another.

use std::collections::VecDeque;

use logos::Logos;

use crate::fault::{Diagnostic, Fault, clip};
use crate::ruleset::Span;

/// How deep brackets may stand in each other.
pub(crate) const NESTING_LIMIT: usize = 100;

/// How many operators a formula may have before it, in it and around it.
///
/// It bounds the depth of the tree, and so the stack of everything that walks it.
pub(crate) const OPERATOR_LIMIT: usize = 400;

/// How many tokens one statement may have.
pub(crate) const TOKEN_LIMIT: usize = 1_000_000;

/// How many characters a name may have.
pub(crate) const NAME_LENGTH: usize = 64;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\u{feff}]+")]
pub(crate) enum Kind {
    #[regex("[0-9]+(e[0-9]+)?")]
    Number,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex("\"[^\"\n]*\"")]
    Text,
    #[regex("\"[^\"\n]*")]
    UnclosedText,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("^")]
    Caret,
    #[token("|")]
    Bar,
    #[token("..")]
    Dots,
    #[token("->")]
    Arrow,
    #[token("-=")]
    MinusEqual,
    #[token("+=")]
    PlusEqual,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("\n")]
    Newline,
    #[regex("#[^\n]*", allow_greedy = true)]
    Comment,
    /// A sign of other languages, or no sign at all.
    #[regex(r"==|&&|\|\||%|\*\*|//|=>|<>|!|&|~|\.\.\.|\.|<<|>>|<-|:=")]
    Foreign,
}

/// A token with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub span: Span,
}

impl Token<'_> {
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

impl PartialEq<Kind> for Token<'_> {
    fn eq(&self, kind: &Kind) -> bool {
        self.kind == *kind
    }
}

/// The tokens of one statement.
#[derive(Debug, Default)]
pub(crate) struct Statement<'s> {
    /// Its tokens without comments and line ends; the first two only if it [is raw](Self::is_raw).
    pub tokens: Vec<Token<'s>>,
    /// The comment behind it on its last line, without the `#`.
    pub comment: Option<&'s str>,
    /// From its first token to its last.
    pub span: Span,
    /// Its text.
    pub text: &'s str,
    /// Whether it has more tokens than are read.
    too_long: bool,
}

impl<'s> Statement<'s> {
    /// All tokens of a text, as one statement.
    pub fn of_all(text: &'s str) -> Self {
        let mut statement = Self {
            text,
            ..Self::default()
        };
        for token in Tokens::new(text) {
            if !matches!(token.kind, Kind::Newline | Kind::Comment) {
                statement.push(token);
            }
        }
        statement.span = Span {
            start: 0,
            end: text.len(),
        };
        statement
    }

    fn push(&mut self, token: Token<'s>) {
        if self.tokens.is_empty() {
            self.span.start = token.span.start;
            self.comment = None;
        }
        self.span.end = token.span.end;
        if self.tokens.len() == TOKEN_LIMIT {
            self.too_long = true;
        } else if self.tokens.len() < 2 || !self.is_raw() {
            self.tokens.push(token);
        }
    }

    fn begins_with(&self, word: &str) -> bool {
        self.tokens.first().is_some_and(|first| first.is_word(word))
            && !is_label_end(self.tokens.get(1))
    }

    /// Whether its text is read as a whole and not token by token:
    /// positions and codes have their own notation.
    pub fn is_raw(&self) -> bool {
        self.begins_with("expect") || self.begins_with("rules")
    }

    /// Whether `;` separates parts of it and does not end it.
    fn holds_semicolons(&self) -> bool {
        self.begins_with("expect") || self.begins_with("claim")
    }

    /// Takes off what follows a header `game NAME(…) "…"` on the same line.
    fn split_header(&mut self) -> Option<Self> {
        let length = header_length(&self.tokens)?;
        let mut rest = Self::default();
        for token in self.tokens.split_off(length) {
            rest.push(token);
        }
        rest.too_long = self.too_long;
        rest.span.end = self.span.end;
        rest.comment = self.comment.take();
        self.span.end = self.tokens[length - 1].span.end;
        (!rest.tokens.is_empty()).then_some(rest)
    }
}

fn is_label_end(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|token| token.kind == Kind::Colon)
}

/// The tokens of a text.
struct Tokens<'s> {
    text: &'s str,
    lexer: logos::SpannedIter<'s, Kind>,
}

impl<'s> Tokens<'s> {
    fn new(text: &'s str) -> Self {
        Self {
            text,
            lexer: Kind::lexer(text).spanned(),
        }
    }
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token<'s>;

    fn next(&mut self) -> Option<Token<'s>> {
        let (kind, range) = self.lexer.next()?;
        Some(Token {
            kind: kind.unwrap_or(Kind::Foreign),
            text: &self.text[range.clone()],
            span: Span {
                start: range.start,
                end: range.end,
            },
        })
    }
}

/// The statements of a text, one after the other; none is empty.
pub(crate) struct Statements<'s> {
    text: &'s str,
    tokens: Tokens<'s>,
    /// Tokens that were looked at but belong to what follows.
    ahead: VecDeque<Token<'s>>,
    /// What followed a header on its line.
    behind_header: Option<Statement<'s>>,
}

impl<'s> Statements<'s> {
    /// The statements of this text.
    pub fn new(text: &'s str) -> Self {
        Self {
            text,
            tokens: Tokens::new(text),
            ahead: VecDeque::new(),
            behind_header: None,
        }
    }

    fn token(&mut self) -> Option<Token<'s>> {
        self.ahead.pop_front().or_else(|| self.tokens.next())
    }

    /// Skips line ends and comments; whether what stands there continues the statement before.
    fn continues(&mut self) -> bool {
        while let Some(token) = self.token() {
            if matches!(token.kind, Kind::Newline | Kind::Comment) {
                continue;
            }
            let following = self.token();
            let continues = match token.kind {
                Kind::Bar | Kind::Plus => true,
                Kind::Word if matches!(token.text, "where" | "and") => {
                    !is_label_end(following.as_ref())
                }
                _ => false,
            };
            if let Some(following) = following {
                self.ahead.push_front(following);
            }
            self.ahead.push_front(token);
            return continues;
        }
        false
    }

    fn statement(&mut self) -> Statement<'s> {
        let mut statement = Statement::default();
        while let Some(token) = self.token() {
            match token.kind {
                Kind::Comment => statement.comment = Some(token.text[1..].trim()),
                Kind::Newline if statement.tokens.is_empty() => {}
                Kind::Newline if !statement.is_raw() && self.continues() => {}
                Kind::Newline => break,
                Kind::Semicolon if !statement.holds_semicolons() => {
                    if !statement.tokens.is_empty() {
                        break;
                    }
                }
                _ => statement.push(token),
            }
        }
        statement
    }
}

impl<'s> Iterator for Statements<'s> {
    type Item = Statement<'s>;

    fn next(&mut self) -> Option<Statement<'s>> {
        let mut statement = match self.behind_header.take() {
            Some(statement) => statement,
            None => {
                let mut statement = self.statement();
                self.behind_header = statement.split_header();
                statement
            }
        };
        statement.text = &self.text[statement.span.start..statement.span.end];
        (!statement.tokens.is_empty()).then_some(statement)
    }
}

/// How many tokens the header `game NAME(…) "…"` at the front has; rules may follow on its line.
fn header_length(tokens: &[Token<'_>]) -> Option<usize> {
    if !tokens.first()?.is_word("game") || is_label_end(tokens.get(1)) {
        return None;
    }
    let mut length = 1 + name_length(&tokens[1..]);
    if tokens.get(length)?.kind == Kind::OpenParen {
        let mut depth = 0_usize;
        for token in &tokens[length..] {
            length += 1;
            match token.kind {
                Kind::OpenParen => depth += 1,
                Kind::CloseParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    if matches!(tokens.get(length)?.kind, Kind::Text | Kind::UnclosedText) {
        length += 1;
    }
    Some(length)
}

/// How many tokens at the front make one name with hyphens: no space stands between them.
pub(crate) fn name_length(tokens: &[Token<'_>]) -> usize {
    let mut length = 0;
    while let Some(token) = tokens.get(length) {
        let joined = length == 0 || tokens[length - 1].span.end == token.span.start;
        let fits = match token.kind {
            Kind::Word | Kind::Number => true,
            Kind::Minus => length > 0,
            _ => false,
        };
        if !joined || !fits {
            break;
        }
        length += 1;
    }
    while length > 0 && tokens[length - 1].kind == Kind::Minus {
        length -= 1;
    }
    length
}

/// What is wrong with a statement before its grammar is looked at: foreign signs, brackets, size.
///
/// After this check recursion over brackets and operators is bounded.
pub(crate) fn check(statement: &Statement<'_>, faults: &mut Vec<Diagnostic>) -> bool {
    let before = faults.len();
    if statement.too_long {
        let fault = Fault::StatementTooLong { limit: TOKEN_LIMIT };
        faults.push(Diagnostic::new(statement.tokens[0].span, fault));
        return false;
    }
    // How many operators stand before the present place at each level of brackets, and the bracket.
    let mut levels: Vec<(usize, Option<Token<'_>>)> = vec![(0, None)];
    let mut load = 0;
    for token in &statement.tokens {
        match token.kind {
            Kind::Foreign => faults.push(Diagnostic::new(
                token.span,
                Fault::ForeignSign {
                    sign: clip(token.text),
                },
            )),
            Kind::Word if token.text.len() > NAME_LENGTH => {
                let fault = Fault::NameTooLong { limit: NAME_LENGTH };
                faults.push(Diagnostic::new(token.span, fault));
            }
            Kind::UnclosedText => faults.push(Diagnostic::new(token.span, Fault::UnclosedText)),
            Kind::OpenBracket | Kind::OpenParen | Kind::OpenBrace => {
                levels.push((0, Some(*token)));
                if levels.len() > NESTING_LIMIT + 1 {
                    faults.push(Diagnostic::new(
                        token.span,
                        Fault::NestedTooDeep {
                            limit: NESTING_LIMIT,
                        },
                    ));
                    return false;
                }
            }
            Kind::CloseBracket | Kind::CloseParen | Kind::CloseBrace => {
                let opening = match token.kind {
                    Kind::CloseBracket => Kind::OpenBracket,
                    Kind::CloseParen => Kind::OpenParen,
                    _ => Kind::OpenBrace,
                };
                match levels.last() {
                    Some((_, Some(open))) if open.kind == opening => {
                        let (operators, _) = levels.pop().expect("the level was just seen");
                        load -= operators;
                    }
                    Some((_, Some(open))) => {
                        let before = Some(clip(token.text));
                        let fault = Fault::BracketUnclosed { before };
                        faults.push(Diagnostic::new(open.span, fault));
                        return false;
                    }
                    _ => {
                        faults.push(Diagnostic::new(token.span, Fault::BracketUnopened));
                        return false;
                    }
                }
            }
            // The body of `some i in S: …` reaches to the next comma, over any `and` and `or`.
            Kind::Comma | Kind::Semicolon => {
                let (operators, _) = levels.last_mut().expect("the outermost level stays");
                load -= std::mem::take(operators);
            }
            Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Caret | Kind::Word => {
                if token.kind != Kind::Word || is_operator(token.text) {
                    let (operators, _) = levels.last_mut().expect("the outermost level stays");
                    *operators += 1;
                    load += 1;
                    if load > OPERATOR_LIMIT {
                        faults.push(Diagnostic::new(
                            token.span,
                            Fault::FormulaTooLong {
                                limit: OPERATOR_LIMIT,
                            },
                        ));
                        return false;
                    }
                } else if token.text == "where" {
                    let (operators, _) = levels.last_mut().expect("the outermost level stays");
                    load -= std::mem::take(operators);
                }
            }
            _ => {}
        }
    }
    if let Some((_, Some(open))) = levels.last() {
        let fault = Fault::BracketUnclosed { before: None };
        faults.push(Diagnostic::new(open.span, fault));
    }
    faults.len() == before
}

/// Words that make the tree of a formula deeper.
fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "mod" | "xor" | "band" | "bor" | "shl" | "shr" | "not" | "some" | "every" | "all" | "of"
    )
}
