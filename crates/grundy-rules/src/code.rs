//! Short forms of rules: codes, subtraction sets, and what they mean in full.

use std::fmt::Write as _;

use num_bigint::BigUint;
use num_traits::Zero;

use crate::fault::{Diagnostic, Expected, Fault, clip};
use crate::notation::Allowance;
use crate::ruleset::{ShortForm, Span, TakeAndBreak};

/// How many digits a code may have.
const CODE_LIMIT: usize = 1 << 12;

/// Reads a short form: `0.77`, `.77`, `4.`, `0.(3)`, `take-and-break 0.3F`,
/// `{1,3,4}`, `subtract:1,3,4`, `all but {2,5}`, `all-but:2,5`.
pub fn parse_short_form(text: &str) -> Result<ShortForm, Diagnostic> {
    let bare = text.trim();
    if !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit()) {
        let fault = Fault::BareNumberAsGame { number: clip(bare) };
        return Err(Diagnostic::new(span(0, text), fault));
    }
    short_form_at(text, 0)
}

/// Whether a text looks like a short form, so that its faults should be told as such.
pub fn looks_like_short_form(text: &str) -> bool {
    let text = text.trim();
    let code = !text.is_empty()
        && text.contains('.')
        && !text.contains("..")
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '(' | ')'))
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    code || bare
        || text.starts_with('{')
        || ["subtract", "all-but", "all but", "take-and-break"]
            .iter()
            .any(|word| text.starts_with(word))
}

pub(crate) fn short_form_at(text: &str, offset: usize) -> Result<ShortForm, Diagnostic> {
    let offset = offset + (text.len() - text.trim_start().len());
    let text = text.trim();
    let rest_of = |word: &str| {
        let rest = text.strip_prefix(word)?;
        rest.starts_with([' ', '\t', ':', '{', '.'])
            .then(|| (rest, offset + word.len()))
    };
    if let Some((rest, offset)) = rest_of("take-and-break") {
        return code(rest, offset, true).map(ShortForm::Code);
    }
    if let Some((rest, offset)) = rest_of("all but").or_else(|| rest_of("all-but")) {
        return numbers(rest, offset, true).map(ShortForm::AllBut);
    }
    if let Some((rest, offset)) = rest_of("subtract") {
        return numbers(rest, offset, false).map(ShortForm::Subtraction);
    }
    if text.starts_with('{') {
        return numbers(text, offset, false).map(ShortForm::Subtraction);
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return code(text, offset, false).map(ShortForm::Code);
    }
    Err(Diagnostic::new(span(offset, text), Fault::ShortForm))
}

fn span(offset: usize, text: &str) -> Span {
    Span {
        start: offset,
        end: offset + text.len(),
    }
}

/// A code: at most one digit, a point, digits, and digits in parentheses that repeat.
fn code(text: &str, offset: usize, take_and_break: bool) -> Result<TakeAndBreak, Diagnostic> {
    let offset = offset + (text.len() - text.trim_start_matches([' ', '\t', ':']).len());
    let text = text.trim_start_matches([' ', '\t', ':']);
    let Some((head, tail)) = text.split_once('.') else {
        let fault = Fault::CodeWithoutPoint { code: clip(text) };
        return Err(Diagnostic::new(span(offset, text), fault));
    };
    if tail.len() > CODE_LIMIT {
        let fault = Fault::CodeTooLong { limit: CODE_LIMIT };
        return Err(Diagnostic::new(span(offset, text), fault));
    }
    let digit = |at: usize, character: char| {
        let most = if take_and_break { 32 } else { 8 };
        // Digits of a code are capitals, so that one code has one form.
        let known = character.is_ascii_digit() || character.is_ascii_uppercase();
        match character.to_digit(36).filter(|d| known && *d < most) {
            Some(digit) => Ok(u8::try_from(digit).expect("a digit is below 32")),
            None => Err(Diagnostic::new(
                Span {
                    start: offset + at,
                    end: offset + at + character.len_utf8(),
                },
                Fault::CodeDigit {
                    digit: character,
                    code: clip(text),
                    take_and_break,
                },
            )),
        }
    };
    let mut heads = head.chars();
    let whole = match (heads.next(), heads.next()) {
        (None, _) => 0,
        (Some(character), None) => {
            let whole = digit(0, character)?;
            if whole & 3 != 0 {
                let fault = Fault::CodeWhole { digit: character };
                return Err(Diagnostic::new(span(offset, head), fault));
            }
            whole
        }
        _ => return Err(Diagnostic::new(span(offset, head), Fault::CodeWholeLong)),
    };
    let tail_start = head.len() + 1;
    let (fixed, repeating) = match tail.split_once('(') {
        None => (tail, ""),
        Some((fixed, repeating)) => match repeating.strip_suffix(')') {
            Some(repeating) if !repeating.is_empty() => (fixed, repeating),
            _ => {
                let open = offset + tail_start + fixed.len();
                let place = Span {
                    start: open,
                    end: open + 1,
                };
                return Err(Diagnostic::new(
                    place,
                    Fault::BracketUnclosed { before: None },
                ));
            }
        },
    };
    let all = |text: &str, start: usize| {
        text.char_indices()
            .map(|(at, character)| digit(start + at, character))
            .collect::<Result<Vec<u8>, Diagnostic>>()
    };
    let mut digits = all(fixed, tail_start)?;
    let mut repeating = all(repeating, tail_start + fixed.len() + 1)?;
    if repeating.iter().all(|digit| *digit == 0) {
        repeating.clear();
        while digits.last() == Some(&0) {
            digits.pop();
        }
    }
    if whole == 0 && digits.is_empty() && repeating.is_empty() {
        return Err(Diagnostic::new(span(offset, text), Fault::CodeWithoutMoves));
    }
    Ok(TakeAndBreak {
        whole,
        digits,
        repeating,
    })
}

/// Positive numbers, in braces or behind a colon; ascending in the answer.
fn numbers(text: &str, offset: usize, may_be_empty: bool) -> Result<Vec<BigUint>, Diagnostic> {
    let trimmed = text.trim_start_matches([' ', '\t', ':']);
    let mut at = offset + (text.len() - trimmed.len());
    let inner = match trimmed.strip_prefix('{') {
        None => trimmed,
        Some(rest) => {
            at += 1;
            rest.strip_suffix('}').ok_or_else(|| {
                let open = Span {
                    start: at - 1,
                    end: at,
                };
                Diagnostic::new(open, Fault::BracketUnclosed { before: None })
            })?
        }
    };
    let allowance = Allowance::default();
    let mut numbers = Vec::new();
    if inner.trim().is_empty() && may_be_empty {
        return Ok(numbers);
    }
    for part in inner.split(',') {
        let word = part.trim();
        let place = span(at + (part.len() - part.trim_start().len()), word);
        at += part.len() + 1;
        let fault = if word.is_empty() {
            Fault::Unexpected {
                found: None,
                expected: vec![Expected::Number],
                suggestion: None,
            }
        } else if !word.chars().all(|c| c.is_ascii_digit()) {
            Fault::NotANumber { text: clip(word) }
        } else {
            match allowance.numeral(word) {
                Ok(number) if number.is_zero() => Fault::NumberTooSmall { least: 1 },
                Ok(number) => {
                    numbers.push(number);
                    continue;
                }
                Err(fault) => fault,
            }
        };
        return Err(Diagnostic::new(place, fault));
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

impl ShortForm {
    /// The same rules written out, one to a line.
    pub fn longhand(&self) -> String {
        match self {
            Self::Subtraction(takes) => {
                format!("take: [n] -> [n-k] where k in {{{}}}\n", list(takes))
            }
            Self::AllBut(kept) if kept.is_empty() => "take: [n] -> [n-k] where k >= 1\n".to_owned(),
            Self::AllBut(kept) => {
                format!("take: [n] -> [n-k] where k in all but {{{}}}\n", list(kept))
            }
            Self::Code(code) => code.longhand(),
        }
    }
}

fn list(numbers: &[BigUint]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

impl TakeAndBreak {
    fn longhand(&self) -> String {
        let mut lines = String::new();
        let mut say = |label: &str, left: &str, parts: u32, guard: &[String]| {
            let mut guard = guard.to_vec();
            let result = match parts {
                0 => "nothing".to_owned(),
                1 => format!("[{left}]"),
                2 => {
                    guard.push(format!("1 <= a < {left}"));
                    format!("[a] + [{left}-a]")
                }
                _ => {
                    let names: Vec<String> = (1..parts).map(|i| format!("a{i}")).collect();
                    guard.extend(names.iter().map(|name| format!("{name} >= 1")));
                    guard.push(format!("{} < {left}", names.join("+")));
                    let heaps: Vec<String> = names.iter().map(|name| format!("[{name}]")).collect();
                    format!("{} + [{left}-{}]", heaps.join(" + "), names.join("-"))
                }
            };
            // `nothing` and one heap need their own condition: exactly so many non-empty heaps.
            let guard = if guard.is_empty() {
                String::new()
            } else {
                format!(" where {}", guard.join(", "))
            };
            writeln!(lines, "{label}: [n] -> {result}{guard}").expect("a string takes all text");
        };
        for parts in parts_of(self.whole) {
            say("split", "n", parts, &[]);
        }
        for (take, digit) in (1..).zip(&self.digits) {
            let label = format!("take-{take}");
            let left = format!("n-{take}");
            for parts in parts_of(*digit) {
                let guard = match parts {
                    0 => vec![format!("n = {take}")],
                    1 => vec![format!("n > {take}")],
                    _ => Vec::new(),
                };
                say(&label, &left, parts, &guard);
            }
        }
        let fixed = self.digits.len();
        let length = self.repeating.len();
        for (place, digit) in self.repeating.iter().enumerate() {
            let residue = |take: &str| {
                let residue = (fixed + 1 + place) % length;
                (length > 1).then(|| format!("{take} mod {length} = {residue}"))
            };
            for parts in parts_of(*digit) {
                let mut guard = match parts {
                    0 => vec![format!("n > {fixed}")],
                    1 => vec![format!("{fixed} < k < n")],
                    _ => vec![format!("k > {fixed}")],
                };
                guard.extend(residue(if parts == 0 { "n" } else { "k" }));
                say("take", "n-k", parts, &guard);
            }
        }
        lines
    }
}

/// Into how many non-empty heaps a digit lets the rest be split.
fn parts_of(digit: u8) -> impl Iterator<Item = u32> {
    (0..5).filter(move |bit| digit >> bit & 1 == 1)
}
