//! From text to tokens, and what is wrong with them before any grammar is looked at.

use grundy_rules::fault::clip;
use logos::Logos;

use crate::fault::{Diagnostic, Fault};
use crate::problem::Span;

/// How deep brackets may stand in each other.
pub(crate) const NESTING_LIMIT: usize = 64;

/// How many operators an expression may have before it, in it and around it.
///
/// It bounds the depth of the tree, and so the stack of everything that walks it.
pub(crate) const OPERATOR_LIMIT: usize = 300;

/// How many characters a name may have.
pub(crate) const NAME_LENGTH: usize = 64;

/// How many digits a number may have; larger ones are written as powers.
pub(crate) const NUMBER_LENGTH: usize = 1000;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\u{feff}]+")]
pub(crate) enum Kind {
    #[regex("[0-9]+(e[0-9]+)?")]
    Number,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Text,
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
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
    #[token("+")]
    Plus,
    #[token("++")]
    PlusPlus,
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
    #[token(".")]
    Dot,
    #[token("..")]
    Dots,
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
    /// A sign of the rules or of other languages, or no sign at all.
    #[regex(r"==|&&|\|\||%|\*\*|//|->|-=|\+=|=>|<>|!|&|~|\.\.\.|<<|>>|<-|:=|;")]
    Foreign,
    /// Rules from `{` to `}`, made of many tokens.
    Rules,
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

/// The tokens of a text, comments left out.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    Kind::lexer(text)
        .spanned()
        .map(|(kind, range)| Token {
            kind: kind.unwrap_or(Kind::Foreign),
            text: &text[range.clone()],
            span: Span {
                start: range.start,
                end: range.end,
            },
        })
        .filter(|token| token.kind != Kind::Comment)
        .collect()
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

/// Whether the tokens of a statement can be read: foreign signs, brackets, size.
///
/// After this check recursion over brackets and operators is bounded.
pub(crate) fn check(tokens: &[Token<'_>], faults: &mut Vec<Diagnostic>) -> bool {
    let before = faults.len();
    // How many operators stand before the present place at each level of brackets, and the bracket.
    let mut levels: Vec<(usize, Option<Token<'_>>)> = vec![(0, None)];
    let mut load = 0;
    for token in tokens {
        let fault = match token.kind {
            Kind::Foreign => Some(Fault::ForeignSign {
                sign: clip(token.text),
            }),
            Kind::UnclosedText => Some(Fault::UnclosedText),
            Kind::Text => unescaped(token.text).err().map(|letter| {
                let sign = format!("\\{letter}");
                Fault::UnknownEscape { sign }
            }),
            Kind::Word if token.text.len() > NAME_LENGTH => {
                Some(Fault::NameTooLong { limit: NAME_LENGTH })
            }
            Kind::Number if !is_short(token.text) => Some(Fault::NumberTooLong {
                limit: NUMBER_LENGTH,
            }),
            _ => None,
        };
        faults.extend(fault.map(|fault| Diagnostic::new(token.span, fault)));
        if deepens(token) {
            let (operators, _) = levels.last_mut().expect("the outermost level stays");
            *operators += 1;
            load += 1;
            if load > OPERATOR_LIMIT {
                let limit = OPERATOR_LIMIT;
                let fault = Fault::ExpressionTooLong { limit };
                faults.push(Diagnostic::new(token.span, fault));
                return false;
            }
        }
        match token.kind {
            Kind::OpenBracket | Kind::OpenParen | Kind::OpenBrace => {
                levels.push((0, Some(*token)));
                if levels.len() > NESTING_LIMIT + 1 {
                    let limit = NESTING_LIMIT;
                    let fault = Fault::NestedTooDeep { limit };
                    faults.push(Diagnostic::new(token.span, fault));
                    return false;
                }
            }
            Kind::CloseBracket | Kind::CloseParen | Kind::CloseBrace => match levels.last() {
                Some((_, Some(open))) if closing(open.kind) == token.kind => {
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
            },
            Kind::Comma => {
                let (operators, _) = levels.last_mut().expect("the outermost level stays");
                load -= std::mem::take(operators);
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

/// What a text between quotation marks says, or the letter behind a `\` that has no meaning.
pub(crate) fn unescaped(quoted: &str) -> Result<String, char> {
    let mut text = String::with_capacity(quoted.len());
    let mut letters = quoted[1..quoted.len() - 1].chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some(letter @ ('"' | '\\')) => text.push(letter),
            Some('n') => text.push('\n'),
            Some(letter) => return Err(letter),
            None => {}
        }
    }
    Ok(text)
}

/// A text between quotation marks; [`unescaped`] reads it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a number has few digits, written out.
fn is_short(number: &str) -> bool {
    let (digits, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let exponent = exponent.parse().unwrap_or(usize::MAX);
    digits.len().saturating_add(exponent) <= NUMBER_LENGTH
}

pub(crate) fn closing(open: Kind) -> Kind {
    match open {
        Kind::OpenBracket => Kind::CloseBracket,
        Kind::OpenParen => Kind::CloseParen,
        _ => Kind::CloseBrace,
    }
}

/// Whether a token makes the tree of an expression deeper.
fn deepens(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Plus
        | Kind::PlusPlus
        | Kind::Minus
        | Kind::Star
        | Kind::Slash
        | Kind::Caret
        | Kind::Dot
        | Kind::OpenBracket => true,
        Kind::Word => matches!(
            token.text,
            "if" | "where"
                | "or"
                | "and"
                | "not"
                | "bor"
                | "xor"
                | "band"
                | "shl"
                | "shr"
                | "mod"
                | "at"
                | "of"
        ),
        _ => false,
    }
}
