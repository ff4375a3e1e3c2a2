//! What the arguments GAME and POSITION of every front end mean.
//!
//! A GAME is a name of the catalogue with values for its parameters (`bash(5)`, `bash:m=5`),
//! the path of a `.game` file, a short form (`0.77`, `{1,3,4}`, `subtract:1,3,4`), or rules
//! written in a line. A sum of different games is `bash(3):21 + nim:5,7 + *3`.

use crate::catalogue;
use crate::solve::Part;
use grundy_rules::fault::{Diagnostic, Fault};
use grundy_rules::given::{GivenFault, coordinates, prepare};
use grundy_rules::ruleset::{Claim, Play, Span};
use grundy_rules::{
    Limit, Meter, Position, Ruleset, looks_like_short_form, parse, parse_bytes, parse_position,
    parse_short_form,
};

/// Reads the files that arguments name: a front end's only part in this.
pub type Read<'a> = dyn Fn(&str) -> Result<Vec<u8>, Unreadable> + 'a;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is none.
    Missing,
    /// It is a folder.
    Folder,
    /// This front end reads no files.
    Refused,
    /// What the system says.
    Other(String),
}

/// Where a text with faults comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The argument itself.
    Argument,
    /// The file of this path.
    File(String),
    /// The catalogue's file for this name.
    Catalogue(String),
    /// A line of a file, counted from 1.
    Line(String, usize),
}

/// Why an argument has no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentFault {
    /// A text has faults.
    Text {
        /// Where the text comes from.
        origin: Origin,
        /// The text. The spans of the faults are places in it.
        text: String,
        /// The faults, in text order.
        faults: Vec<Diagnostic>,
    },
    /// A file cannot be read.
    Unreadable {
        /// Its path.
        path: String,
        /// Why.
        reason: Unreadable,
    },
    /// The catalogue has no game of this name.
    UnknownGame {
        /// The name.
        name: String,
        /// Names it may be meant to be, the nearest first.
        suggestions: Vec<String>,
    },
    /// The values behind a game's name have no closing parenthesis, or something behind it.
    Values {
        /// The argument.
        text: String,
    },
    /// A game has fewer parameters than values were given.
    TooManyValues {
        /// The game.
        game: String,
        /// Its parameters.
        parameters: Vec<String>,
    },
    /// A game stands where a position should follow.
    PositionMissing {
        /// The game.
        game: String,
    },
    /// Components without brackets in a sum of games, where one is not a number.
    BracketsMissing {
        /// The game.
        game: String,
        /// The components as given.
        text: String,
    },
    /// Completing a position took more than the budget.
    Limit(Limit),
}

/// A sum of components of some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The games, each once.
    pub games: Vec<Ruleset>,
    /// The components, in the order given.
    pub parts: Vec<Part>,
}

/// The game that a GAME argument means.
pub fn game(text: &str, read: &Read) -> Result<Ruleset, ArgumentFault> {
    let text = text.trim();
    if is_rules(text) {
        let rules = unwrapped(text).unwrap_or(text);
        return parse(rules).map_err(|faults| in_argument(rules, faults));
    }
    let (base, values) = base_and_values(text);
    if is_path(base) {
        let (ruleset, _) = file(base, read)?;
        return with_values(ruleset, text, values, read);
    }
    if let Some(entry) = catalogue::find(base) {
        let ruleset = parse(entry.text).map_err(|faults| ArgumentFault::Text {
            origin: Origin::Catalogue(base.to_owned()),
            text: entry.text.to_owned(),
            faults,
        })?;
        return with_values(ruleset, text, values, read);
    }
    if text.is_empty() || looks_like_short_form(text) {
        return short_form(text);
    }
    Err(ArgumentFault::UnknownGame {
        name: base.to_owned(),
        suggestions: suggestions(base),
    })
}

/// Whether an argument is rules and no name, code or set: it has a sign that only rules have, or
/// begins as a short form does in a file.
fn is_rules(text: &str) -> bool {
    ["->", "-=", "+="].iter().any(|sign| text.contains(sign)) || text.starts_with("rules ")
}

/// The name of the game whose heap `n` is the nimber `*n`.
pub const NIMBER: &str = "nimber";

/// The rules in the file of this path, and the file's text.
pub fn file(path: &str, read: &Read) -> Result<(Ruleset, String), ArgumentFault> {
    let bytes = read_file(path, read)?;
    let parsed = parse_bytes(&bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match parsed {
        Ok(ruleset) => Ok((ruleset, text)),
        Err(faults) => Err(ArgumentFault::Text {
            origin: Origin::File(path.to_owned()),
            text,
            faults,
        }),
    }
}

/// The claims about a game that a text states: `grundy [n] = n mod 4`, `lost [x, y] iff x = y`.
/// The word `grundy` may be left out.
pub fn claims(text: &str, ruleset: &Ruleset) -> Result<Vec<Claim>, ArgumentFault> {
    let text = text.trim();
    let text = if text.starts_with('[') {
        format!("grundy {text}")
    } else {
        text.to_owned()
    };
    // A claim is read where it would stand in the game's own file.
    let before = format!("{}\nclaim ", ruleset.canonical_text());
    let shifted = |fault: Diagnostic| {
        let place = |at: usize| at.saturating_sub(before.len()).min(text.len());
        let span = Span {
            start: place(fault.span.start),
            end: place(fault.span.end),
        };
        Diagnostic { span, ..fault }
    };
    match parse(&format!("{before}{text}\n")) {
        Ok(read) => Ok(read.claims),
        Err(faults) => Err(ArgumentFault::Text {
            origin: Origin::Argument,
            faults: faults.into_iter().map(shifted).collect(),
            text,
        }),
    }
}

/// The position of a game that POSITION arguments mean, joined by spaces.
pub fn position(
    text: &str,
    ruleset: &Ruleset,
    meter: &mut Meter,
) -> Result<Position, ArgumentFault> {
    let given = parse_position(text, ruleset).map_err(|fault| in_argument(text, vec![fault]))?;
    prepare(ruleset, &given, meter).map_err(|fault| match fault {
        GivenFault::Limit(limit) => ArgumentFault::Limit(limit),
        fault => {
            let span = component_span(text, given.0.len(), &fault);
            in_argument(text, vec![Diagnostic::new(span, Fault::Given(fault))])
        }
    })
}

/// Whether an argument is a sum of games with positions, and not a game alone.
pub fn is_sum(text: &str) -> bool {
    terms(text)
        .iter()
        .any(|term| nimber(term.trim()).is_some() || game_and_position(term.trim()).is_some())
}

/// The sum that an argument such as `bash(3):21 + nim:5,7 + *3` means; a comma separates
/// heaps, and components of several numbers stand in brackets.
///
/// `play` replaces the convention that the games' own rules state.
pub fn sum(
    text: &str,
    play: Option<Play>,
    read: &Read,
    meter: &mut Meter,
) -> Result<Sum, ArgumentFault> {
    let mut sum = Sum {
        games: Vec::new(),
        parts: Vec::new(),
    };
    for term in terms(text) {
        let term = term.trim();
        let (ruleset, components) = match nimber(term) {
            Some(size) => (nim(), size),
            None => {
                let (game_text, components) =
                    game_and_position(term).ok_or_else(|| ArgumentFault::PositionMissing {
                        game: term.to_owned(),
                    })?;
                (game(game_text, read)?, components)
            }
        };
        let ruleset = play.map_or(ruleset.clone(), |play| ruleset.with_play(play));
        let spaced = at_depth_0(components)
            .map(|(_, depth, sign)| if depth == 0 && sign == ',' { ' ' } else { sign })
            .collect::<String>();
        if !components.starts_with(['[', '"']) && !writes_numbers_or_words(&ruleset) {
            return Err(ArgumentFault::BracketsMissing {
                game: name(&ruleset),
                text: components.to_owned(),
            });
        }
        let position = position(&spaced, &ruleset, meter)?;
        let index = sum.games.iter().position(|known| *known == ruleset);
        let index = index.unwrap_or_else(|| {
            sum.games.push(ruleset);
            sum.games.len() - 1
        });
        sum.parts
            .extend(position.0.into_iter().map(|component| Part {
                game: index,
                component,
            }));
    }
    Ok(sum)
}

/// Whether a component may be written without brackets in a sum: as a number or a word.
fn writes_numbers_or_words(ruleset: &Ruleset) -> bool {
    match &ruleset.row {
        Some(row) => !row.alphabet.is_empty(),
        None => coordinates(ruleset).is_none_or(|admitted| admitted.contains(&1)),
    }
}

/// The name of a game with the values of its parameters, as a GAME argument writes it; of a
/// short form without a name, the short form.
pub fn name(ruleset: &Ruleset) -> String {
    if let Some(short_form) = ruleset
        .short_form
        .as_ref()
        .filter(|_| ruleset.name == "inline")
    {
        return short_form.to_string();
    }
    if ruleset.parameters.is_empty() {
        return ruleset.name.clone();
    }
    let values = ruleset.parameters.iter().map(|p| p.value.to_string());
    format!(
        "{}({})",
        ruleset.name,
        values.collect::<Vec<_>>().join(", ")
    )
}

/// Nim, the game whose heap `n` is the nimber `*n`.
fn nim() -> Ruleset {
    parse(&format!("game {NIMBER}\ntake: [n] -> [n-k] where k >= 1"))
        .expect("the rules of Nim have no fault")
}

fn short_form(text: &str) -> Result<Ruleset, ArgumentFault> {
    parse_short_form(text).map_err(|fault| in_argument(text, vec![fault]))?;
    parse(&format!("rules {text}")).map_err(|faults| in_argument(text, faults))
}

fn in_argument(text: &str, faults: Vec<Diagnostic>) -> ArgumentFault {
    ArgumentFault::Text {
        origin: Origin::Argument,
        text: text.to_owned(),
        faults,
    }
}

/// Where the component that a fault speaks of stands, if white space separates components.
fn component_span(text: &str, components: usize, fault: &GivenFault) -> Span {
    let index = match fault {
        GivenFault::Coordinates { component, .. }
        | GivenFault::Order { component, .. }
        | GivenFault::NoStart { component } => *component,
        GivenFault::Limit(_) => 0,
    };
    let whole = Span {
        start: 0,
        end: text.len(),
    };
    if text.split_whitespace().count() != components {
        return whole;
    }
    let mut end = 0;
    let mut spans = text.split_whitespace().map(|word| {
        let start = end + text[end..].find(word).expect("words follow one another");
        end = start + word.len();
        Span { start, end }
    });
    spans.nth(index).unwrap_or(whole)
}

/// The text that the bytes of a file are.
///
/// # Errors
///
/// The place of the first byte that is none.
pub fn text_of(bytes: Vec<u8>, path: &str) -> Result<String, ArgumentFault> {
    String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let span = Span {
            start,
            end: start + 1,
        };
        ArgumentFault::Text {
            origin: Origin::File(path.to_owned()),
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            faults: vec![Diagnostic::new(span, Fault::NotUtf8)],
        }
    })
}

fn read_file(path: &str, read: &Read) -> Result<Vec<u8>, ArgumentFault> {
    read(path).map_err(|reason| ArgumentFault::Unreadable {
        path: path.to_owned(),
        reason,
    })
}

/// Whether a text is the path of a file and no name.
fn is_path(text: &str) -> bool {
    text.contains(['/', '\\']) || text.rsplit_once('.').is_some_and(|(_, end)| end == "game")
}

/// A game's name or path, and the text behind it, from its `(` or `:` on.
fn base_and_values(text: &str) -> (&str, &str) {
    let from = text.find(".game").map_or(0, |at| at + ".game".len());
    match text[from..].find(['(', ':']) {
        Some(at) => text.split_at(from + at),
        None => (text, ""),
    }
}

/// The game with the values written behind its name: `(5)`, `({2,5}, k=3)`, `:m=5`, `:S=2,5:k=3`.
fn with_values(
    mut ruleset: Ruleset,
    argument: &str,
    values: &str,
    read: &Read,
) -> Result<Ruleset, ArgumentFault> {
    let wrong = || ArgumentFault::Values {
        text: argument.to_owned(),
    };
    let pieces: Vec<String> = if values.is_empty() {
        Vec::new()
    } else if let Some(inner) = values.strip_prefix(':') {
        named_pieces(inner).ok_or_else(wrong)?
    } else {
        let inner = unwrapped(values).ok_or_else(wrong)?;
        split_at_depth_0(inner, ',')
            .into_iter()
            .map(ToOwned::to_owned)
            .collect()
    };
    let names: Vec<String> = ruleset.parameters.iter().map(|p| p.name.clone()).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let (name, value) = match piece.split_once('=') {
            Some((name, value)) => (name.trim().to_owned(), value.trim()),
            None => {
                let name = names
                    .get(index)
                    .ok_or_else(|| ArgumentFault::TooManyValues {
                        game: ruleset.name.clone(),
                        parameters: names.clone(),
                    })?;
                (name.clone(), piece.trim())
            }
        };
        let value = match value.strip_prefix('@') {
            None => value.to_owned(),
            Some(path) => {
                let bytes = read_file(path, read)?;
                text_of(bytes, path)?
            }
        };
        ruleset = ruleset
            .with_parameter(&name, &value)
            .map_err(|fault| in_argument(&value, vec![fault]))?;
    }
    Ok(ruleset)
}

/// The pieces `P=V` of `m=5:S=2,5` or `m=5,S=2,5`; a piece without `=` goes on the one before.
fn named_pieces(text: &str) -> Option<Vec<String>> {
    let mut pieces: Vec<String> = Vec::new();
    for piece in text.split(':').flat_map(|part| split_at_depth_0(part, ',')) {
        if piece.contains('=') {
            pieces.push(piece.to_owned());
        } else {
            let last = pieces.last_mut()?;
            last.push(',');
            last.push_str(piece);
        }
    }
    Some(pieces)
}

/// What stands inside the parentheses that enclose a whole text.
fn unwrapped(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let closes_early = at_depth_0(inner).any(|(_, depth, _)| depth < 0);
    (!closes_early).then_some(inner)
}

/// The characters of a text with their places and how many brackets are open around them;
/// quoted text and the brackets themselves count as deeper.
fn at_depth_0(text: &str) -> impl Iterator<Item = (usize, i64, char)> {
    let mut depth = 0;
    let mut quoted = false;
    text.char_indices().map(move |(at, sign)| {
        let here = match sign {
            '"' => {
                quoted = !quoted;
                depth + 1
            }
            _ if quoted => depth + 1,
            '(' | '[' | '{' => {
                depth += 1;
                depth
            }
            ')' | ']' | '}' => {
                depth -= 1;
                // A bracket that nothing opened is seen as depth -1.
                if depth < 0 { depth } else { depth + 1 }
            }
            _ => depth,
        };
        (at, here, sign)
    })
}

fn split_at_depth_0(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, depth, sign) in at_depth_0(text) {
        if depth == 0 && sign == separator {
            parts.push(&text[start..at]);
            start = at + sign.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The terms of a sum: separated by a `+` with white space around it, outside brackets.
fn terms(text: &str) -> Vec<&str> {
    let mut terms = Vec::new();
    let mut start = 0;
    for (at, depth, sign) in at_depth_0(text) {
        let spaced = text[..at].ends_with(char::is_whitespace)
            && text[at..].chars().nth(1).is_none_or(char::is_whitespace);
        if depth == 0 && sign == '+' && spaced {
            terms.push(&text[start..at]);
            start = at + 1;
        }
    }
    terms.push(&text[start..]);
    terms
}

/// The size of a nimber `*n`.
fn nimber(term: &str) -> Option<&str> {
    term.strip_prefix('*')
}

/// A game and the position behind the last colon of a term: `bash:m=3:21` is `bash:m=3` at `21`.
fn game_and_position(term: &str) -> Option<(&str, &str)> {
    if unwrapped(term).is_some() {
        return None;
    }
    let (colon, _, _) = at_depth_0(term)
        .filter(|(_, depth, sign)| *depth == 0 && *sign == ':')
        .last()?;
    let (game, position) = (term[..colon].trim(), term[colon + 1..].trim());
    let is_game = ["subtract", "all-but", "take-and-break"].contains(&game)
        || position.contains('=')
        || position.starts_with(['\\', '/'])
        || ["->", "-=", "+="]
            .iter()
            .any(|sign| position.contains(sign));
    (!is_game).then_some((game, position))
}

/// The names of the catalogue nearest to one that it does not have.
fn suggestions(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let mut near: Vec<(usize, &str)> = catalogue::GAMES
        .iter()
        .filter_map(|entry| {
            let distance = strsim::damerau_levenshtein(&name, entry.name);
            let close = distance <= (name.chars().count() / 3).max(1);
            let part = name.len() >= 3 && entry.name.contains(&name);
            (close || part).then_some((distance, entry.name))
        })
        .collect();
    near.sort_unstable();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}
