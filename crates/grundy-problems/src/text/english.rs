//! English.

use grundy::text::Message;
use grundy::text::words::{count, instead_of, list, or_suggestion};

use crate::fault::{Expected, Fault, ValueKind};

/// What is said about a fault of a problem file.
#[allow(
    clippy::too_many_lines,
    reason = "an entry for each fault; the compiler sees that none is missing"
)]
pub fn fault(fault: &Fault) -> Message {
    match fault {
        Fault::TextTooLong { limit } => Message::new(
            "the text is too long",
            format!("at most {} MiB are read", limit >> 20),
        ),
        Fault::NotUtf8 => Message::new(
            "this is not text",
            "a problem file is UTF-8; save it in that encoding",
        ),
        Fault::MoreFaults => Message::new("more errors follow", "correct these first"),

        Fault::ForeignSign { sign } => {
            Message::new(format!("`{sign}` has no meaning here"), foreign(sign))
        }
        Fault::UnclosedText => Message::new(
            "the quotation mark is not closed",
            "add `\"` before the end of the line",
        ),
        Fault::UnknownEscape { sign } => Message::new(
            format!("`{sign}` has no meaning in a text"),
            r#"write `\"`, `\\` or `\n`"#,
        ),
        Fault::NestedTooDeep { limit } => Message::new(
            "brackets or blocks are nested too deep",
            format!("at most {limit} may stand in one another"),
        ),
        Fault::ExpressionTooLong { limit } => Message::new(
            "the expression is too long",
            format!("at most {limit} operators may depend on one another; name a part by `let`"),
        ),
        Fault::NameTooLong { limit } => Message::new(
            "the name is too long",
            format!("names have at most {limit} characters"),
        ),
        Fault::NumberTooLong { limit } => Message::new(
            "the number is too long",
            format!("at most {limit} digits are read; write a power, `2^10000`"),
        ),
        Fault::ReservedWord { word } => Message::new(
            format!("`{word}` is a word of the language"),
            "choose another name",
        ),
        Fault::BracketUnopened => Message::new(
            "nothing is closed by this bracket",
            "remove it, or open one before",
        ),
        Fault::BracketUnclosed { before: None } => {
            Message::new("the bracket is not closed", "nothing behind it closes it")
        }
        Fault::BracketUnclosed {
            before: Some(other),
        } => Message::new(
            "the bracket is not closed",
            format!("close it before the next `{other}`"),
        ),

        Fault::Unexpected {
            found,
            expected: wanted,
            suggestion,
        } => {
            let wanted: Vec<String> = wanted.iter().map(|wanted| expected(*wanted)).collect();
            let label = match wanted.as_slice() {
                [] => "remove it".to_owned(),
                wanted => format!("expected {}", list(wanted, "or")),
            };
            match found {
                Some(found) => Message::new(
                    format!("`{found}` was not expected"),
                    or_suggestion(suggestion.as_ref(), label),
                ),
                None => Message::new("something is missing", label),
            }
        }
        Fault::MissingTimes { left, right } => Message::new(
            "an operator is missing",
            format!("write `{left}*{right}` for the product"),
        ),
        Fault::MissingLet { name } => Message::new(
            "a value is named by `let`",
            format!("write `let {name} = …`"),
        )
        .help("a name keeps its value: count and sum up by `length`, `sum` and `[… for … in …]`"),
        Fault::UnknownStatement { word, suggestion } => Message::new(
            format!("no statement begins with `{word}`"),
            or_suggestion(
                suggestion.as_ref(),
                "statements are read, require, let, game, repeat, stop, for, if, print and write",
            ),
        ),
        Fault::NoHead => Message::new(
            "the problem has no name",
            "write `problem NAME \"TITLE\"` before everything else",
        ),
        Fault::Misplaced { word } => Message::new(
            format!("`{word}` does not belong here"),
            match *word {
                "problem" => "it stands once, before everything else",
                "plainly" => "it stands once, behind everything else",
                _ => "it stands once, behind `problem` and before everything else",
            },
        ),
        Fault::ElseAlone => Message::new(
            "there is no `if` for this `else`",
            "`else` follows the `}` of an `if`",
        ),
        Fault::StopOutside => Message::new(
            "there is nothing to stop",
            "`stop` leaves a `repeat`, and none is open here",
        ),
        Fault::OrderOf { order } => Message::new(
            format!("`{}` is said of something else", order.word()),
            "it is said of edges: `tree n-1 of (a in 1..n, b in 1..n)`",
        ),
        Fault::RangeWithoutEnd => Message::new(
            "this range has no end",
            "write one: `1..n`; only behind `in`, or in `least x in 1.. where …`, it may be missing",
        ),

        Fault::UnknownName { name, suggestion } => Message::new(
            format!("nothing has the name `{name}` here"),
            or_suggestion(
                suggestion.as_ref(),
                "`read` and `let` give names; they last to the end of the block",
            ),
        ),
        Fault::NameTaken { name } => Message::new(
            format!("the name `{name}` is taken"),
            "this block has given it already; choose another one",
        ),
        Fault::NotAGame { name } => Message::new(
            format!("`{name}` is a value, and no game"),
            "before `at` stands a game: `nim at heaps`",
        ),
        Fault::GameUnwrapped { name } => Message::new(
            "a game that is made on the spot stands in parentheses",
            format!("write `({name} with …) at …`"),
        ),
        Fault::GameAsValue { name } => Message::new(
            format!("`{name}` is a game, and no value"),
            format!("say from where it is played: `{name} at heaps`"),
        ),
        Fault::UnknownFunction { name, suggestion } => Message::new(
            format!("there is no function `{name}`"),
            or_suggestion(
                suggestion.as_ref(),
                "`docs/problems.md` lists the functions",
            ),
        ),
        Fault::WrongArity {
            function,
            least,
            most,
            found,
        } => {
            let takes = match most {
                Some(most) if most == least => count(*least, "argument"),
                Some(most) => format!("{least} to {most} arguments"),
                None => format!("{} or more", count(*least, "argument")),
            };
            Message::new(
                format!("`{function}` takes {takes}"),
                format!("here it has {found}"),
            )
        }
        Fault::UnknownField { name, suggestion } => Message::new(
            format!("no move has a field `{name}`"),
            or_suggestion(
                suggestion.as_ref(),
                "the fields are place, label, from, to, after, ways, and the choices in the rules",
            ),
        ),
        Fault::UnknownGame { name, suggestion } => Message::new(
            format!("there is no game `{name}`"),
            or_suggestion(
                suggestion.as_ref(),
                "write its rules: `game g = { take: [n] -> [n-k] where k >= 1 }`",
            ),
        ),
        Fault::UnknownParameter {
            game,
            name,
            suggestion,
        } => Message::new(
            match game {
                Some(game) => format!("`{game}` has no parameter `{name}`"),
                None => format!("the rules have no parameter `{name}`"),
            },
            or_suggestion(
                suggestion.as_ref(),
                match game {
                    Some(_) => "the first line of its rules names its parameters",
                    None => "declare it with a default: `{ m = 3; take: … }`",
                },
            ),
        ),
        Fault::ParameterTwice { name } => Message::new(
            format!("`{name}` has a value already"),
            "remove one of the two",
        ),

        Fault::WrongKind { found, wanted } => wrong_kind(*found, wanted),
        Fault::SumAsNumber => Message::new(
            "a sum of components is no number",
            "a sum is joined to sums by `+`; put parentheses around what stands behind `at`",
        ),
        Fault::Rules(fault) => grundy::text::fault(fault),
    }
}

fn wrong_kind(found: ValueKind, wanted: &[ValueKind]) -> Message {
    let names: Vec<String> = wanted
        .iter()
        .map(|wanted| kind(*wanted).to_owned())
        .collect();
    let title = format!("{} belongs here", list(&names, "or"));
    let label = match (found, wanted) {
        (_, [ValueKind::Sum]) => "this is no sum of components: write `nim at …`".to_owned(),
        (ValueKind::Number, [ValueKind::Text]) => {
            "this is a number; `text(n)` is the text of a number".to_owned()
        }
        (ValueKind::Text, [ValueKind::Number]) => {
            "this is a text; `number(w)` is the number that it writes".to_owned()
        }
        (ValueKind::Text, [ValueKind::List]) => {
            "this is a text; `letters(w)` is the list of its letters".to_owned()
        }
        (ValueKind::Sum, _) => {
            "this is a sum of components: ask it something, such as `won(…)`".to_owned()
        }
        (ValueKind::Truth, [ValueKind::Number]) => {
            "this is a condition: write `if … then 1 else 0`".to_owned()
        }
        (_, [ValueKind::Truth]) => format!("this is {}: compare it", kind(found)),
        _ => format!("this is {}", kind(found)),
    };
    Message::new(title, label)
}

fn kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Number => "a number",
        ValueKind::Text => "a text",
        ValueKind::Truth => "a condition",
        ValueKind::None => "`none`",
        ValueKind::Tuple => "a tuple",
        ValueKind::List => "a list",
        ValueKind::Move => "a move",
        ValueKind::Sum => "a sum of components",
    }
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::Sign(sign) => format!("`{sign}`"),
        Expected::Name => "a name".to_owned(),
        Expected::Text => "a text in quotation marks".to_owned(),
        Expected::Value => "a value".to_owned(),
        Expected::Reading => "what is read, such as `n in 1..9` or `skip word`".to_owned(),
        Expected::Kind => "what it looks like, such as `1..9`, `word` or `n of 1..9`".to_owned(),
        Expected::Game => "the name of a game, or rules in braces".to_owned(),
        Expected::EndOfLine => "the end of the line".to_owned(),
    }
}

/// What the signs of other languages, and of rules, are here.
fn foreign(sign: &str) -> &'static str {
    match sign {
        "->" => "moves are written in rules in braces only: `game g = { [n] -> [n-k] where … }`",
        "-=" | "+=" | ":=" => "a name keeps its value; another one is given by `let x = …`",
        ";" => "a statement ends at the end of its line",
        "&&" | "∧" => "write `and`",
        "**" => "a power is `n^k`",
        "…" | "..." => "a range is `a..b`",
        _ => instead_of(sign),
    }
}
