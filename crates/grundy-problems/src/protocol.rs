//! The plain way in which a program is asked about a game: a problem that any game makes.

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{Pattern, PatternItem, RowOrder};

use crate::lex::quoted;

/// What a program is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Who wins: `N`, `P` or `D`.
    Outcome,
    /// The Grundy value.
    Value,
}

/// So many components stand in one sum at most.
pub const COMPONENTS: u32 = 4;

/// Why there is no plain way to ask about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProtocol {
    /// Its positions are lists in lists.
    Nested,
    /// It has no move, so that nothing says what a position is.
    NoMove,
}

/// The text of a problem that reads how many components there are and then each, by its numbers, and
/// a row by its length first; and prints one word.
///
/// Numbers go up to `upto`, or else as far as most games can be searched. There are at most so many components.
///
/// # Errors
///
/// Where positions cannot be written so.
pub fn problem(
    rules: &Ruleset,
    asked: Asked,
    upto: Option<u64>,
    components: u32,
) -> Result<String, NoProtocol> {
    let given = rules.starts.iter().map(|start| &start.pattern);
    let moved = rules.moves.iter().flat_map(|rule| &rule.patterns);
    let patterns: Vec<&Pattern> = given.chain(moved).collect();
    let is_nested = |pattern: &&Pattern| {
        let mut items = pattern.items.iter();
        items.any(|item| matches!(item, PatternItem::List(_)))
    };
    if patterns.iter().any(is_nested) {
        return Err(NoProtocol::Nested);
    }
    let is_row = rules.row.is_some();
    let arity = patterns.first().map_or(0, |pattern| pattern.items.len());
    if arity == 0 && !is_row {
        return Err(NoProtocol::NoMove);
    }
    let (reading, position) = if is_row || patterns.iter().any(|p| p.has_rest()) {
        let order = match rules.row.as_ref().and_then(|row| row.order) {
            None => "",
            Some(RowOrder::Increasing) => "increasing ",
            Some(RowOrder::Nondecreasing) => "nondecreasing ",
            Some(RowOrder::Nonincreasing) => "nonincreasing ",
        };
        let letters = rules.row.as_ref().map_or(0, |row| row.alphabet.len());
        let most = match letters {
            0 => upto.unwrap_or(8),
            letters => letters as u64 - 1,
        };
        (
            format!("(length in 0..6, row: {order}length of 0..{most})"),
            "[row for (length, row) in components]",
        )
    } else {
        let most = upto.unwrap_or(match arity {
            1 => 10_000,
            2 => 200,
            3 => 40,
            _ => 12,
        });
        let each = if arity == 1 {
            format!("0..{most}")
        } else {
            let parts = (1..=arity).map(|place| format!("x{place} in 0..{most}"));
            format!("({})", parts.collect::<Vec<_>>().join(", "))
        };
        (each, "components")
    };
    let question = match asked {
        Asked::Outcome => "outcome",
        Asked::Value => "value",
    };
    // One component is asked about without a sum, so that a law that tells who wins it is enough.
    let position = match (components, position) {
        (1, "components") => "components[1]",
        (1, _) => "[components[1][2]]",
        (_, sum) => sum,
    };
    let title = rules.title.as_deref().unwrap_or(&rules.name);
    let title = match components {
        1 => quoted(&format!("{title}, one component")),
        _ => quoted(title),
    };
    let text = rules.canonical_text();
    Ok(format!(
        "problem {} {title}\n\ngame g = {{\n{text}\n}}\nread n in 1..{components}\nread components: n of {reading}\n\
         print {question}(g at {position})\n",
        if rules.name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            rules.name.as_str()
        } else {
            "game"
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn every_game_of_the_catalogue_is_asked_about_or_nested() {
        for entry in grundy::catalogue::GAMES {
            let rules = grundy_rules::parse(entry.text).expect("the catalogue is read");
            for components in [1, COMPONENTS] {
                match problem(&rules, Asked::Outcome, None, components) {
                    Ok(text) => {
                        let read = parse(&text);
                        assert!(read.is_ok(), "{}: {read:?}\n{text}", entry.name);
                    }
                    Err(NoProtocol::Nested) => {}
                    Err(NoProtocol::NoMove) => panic!("{} has moves", entry.name),
                }
            }
        }
    }
}
