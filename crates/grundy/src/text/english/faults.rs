//! What is said about rules and positions that are wrong.

use grundy_rules::budget::Limit;
use grundy_rules::fault::{Expected, Fault, Kind, Topic};
use grundy_rules::given::GivenFault;
use grundy_rules::ruleset::RowOrder;

use super::words::{count, instead_of, list, or_suggestion, quoted};
use crate::text::Message;

fn message(title: impl Into<String>, label: impl Into<String>) -> Message {
    Message::new(title, label)
}

/// What is said about a fault of a text.
#[allow(
    clippy::too_many_lines,
    reason = "an entry for each fault; the compiler sees that none is missing"
)]
pub fn fault(fault: &Fault) -> Message {
    match fault {
        Fault::TextTooLong { limit } => message(
            "the text is too long",
            format!("at most {} MiB are read", limit >> 20),
        ),
        Fault::NotUtf8 => message(
            "this is not text",
            "a file of rules is UTF-8; save it in that encoding",
        ),
        Fault::NoMoves => message(
            "there is no rule",
            "write a move, such as `take: [n] -> [n-k] where 1 <= k <= 3`, or `rules 0.77`",
        ),
        Fault::TooManyStatements { limit } => message(
            "the text has too many lines",
            format!("at most {limit} are read"),
        ),
        Fault::StatementTooLong { limit } => message(
            "the line is too long",
            format!("at most {limit} words and signs are read"),
        )
        .help("large sets and relations can be given from a file: `E=@edges.txt`"),
        Fault::TooManyNames { limit } => message(
            "there are too many names",
            format!("at most {limit} are allowed"),
        ),
        Fault::MoreFaults => message("more errors follow", "correct these first"),
        Fault::ForeignSign { sign } => {
            message(format!("`{sign}` has no meaning here"), instead_of(sign))
        }
        Fault::UnclosedText => message(
            "the quotation mark is not closed",
            "add `\"` before the end of the line",
        ),
        Fault::NestedTooDeep { limit } => message(
            "brackets are nested too deep",
            format!("at most {limit} may stand in one another"),
        ),
        Fault::FormulaTooLong { limit } => message(
            "the formula is too long",
            format!("at most {limit} operators may depend on one another; split the rule"),
        ),
        Fault::BracketUnopened => message(
            "nothing is closed by this bracket",
            "remove it, or open one before",
        ),
        Fault::BracketUnclosed { before: None } => message(
            "the bracket is not closed",
            "close it before the end of the line",
        ),
        Fault::BracketUnclosed {
            before: Some(other),
        } => message(
            "the bracket is not closed",
            format!("close it before the next `{other}`"),
        ),
        Fault::MissingColon { label } => message(
            format!("the label `{label}` needs a colon"),
            format!("write `{label}:`"),
        ),
        Fault::BareResult { text } => message(
            "a component stands in brackets",
            format!("write `[{text}]`"),
        ),
        Fault::Unexpected {
            found,
            expected: wanted,
            suggestion,
        } => {
            let wanted: Vec<String> = wanted.iter().map(|w| expected(*w)).collect();
            let label = match wanted.as_slice() {
                [] => "remove it".to_owned(),
                wanted => format!("expected {}", list(wanted, "or")),
            };
            match found {
                Some(found) => message(
                    format!("`{found}` was not expected"),
                    or_suggestion(suggestion.as_ref(), label),
                ),
                None => message("something is missing", label),
            }
        }
        Fault::MissingTimes { left, right } => message(
            "an operator is missing",
            format!("write `{left}*{right}` for the product"),
        ),

        Fault::UnknownLine { word, suggestion } => message(
            format!("no line begins with `{word}`"),
            or_suggestion(
                suggestion.as_ref(),
                "a rule begins with its pattern, `[n] -> …`, or with a label, `take: [n] -> …`",
            ),
        ),
        Fault::UnknownWord {
            word,
            topic: about,
            suggestion,
        } => message(
            format!("`{word}` is not {}", topic(*about)),
            or_suggestion(
                suggestion.as_ref(),
                format!("expected {}", quoted(about.words().iter().copied(), "or")),
            ),
        ),
        Fault::NameTooLong { limit } => message(
            "the name is too long",
            format!("names have at most {limit} characters"),
        ),
        Fault::ReservedWord { word } => message(
            format!("`{word}` is a word of the language"),
            "choose another name",
        ),
        Fault::NumberTooLarge { bits } => message(
            "the number is too large to be written out",
            format!("at most {bits} bits are"),
        ),
        Fault::NumberTooSmall { least } => {
            message("the number is too small", format!("write {least} or more"))
        }

        Fault::Repeated { word } => message(
            format!("there is already a line `{word}`"),
            "remove one of the two",
        ),
        Fault::NameTaken { name } => {
            message(format!("the name `{name}` is taken"), "choose another one")
        }
        Fault::ParameterValue => message(
            "this is not the value of a parameter",
            "write a number `3`, a set `{2,5}`, a list `(31,28)` or tuples `{(1,2),(1,3)}`",
        ),
        Fault::ParameterKind { name, wanted } => message(
            format!("`{name}` is {}", kind(*wanted)),
            match wanted {
                Kind::Number => "write a number, such as `3`",
                Kind::Set => "write numbers, such as `2,5`",
                Kind::List => "write numbers in order, such as `31,28,31`",
                _ => "write tuples, such as `{(1,2),(1,3)}`",
            },
        ),
        Fault::UnknownParameter { name, suggestion } => message(
            format!("the game has no parameter `{name}`"),
            or_suggestion(suggestion.as_ref(), "its first line names its parameters"),
        ),
        Fault::UnequalTuples { first, this } => message(
            "tuples of one relation are equally long",
            format!(
                "this one has {}, the first one {first}",
                count(*this, "member")
            ),
        ),
        Fault::RowOrdersClash => message(
            "a row keeps one order only",
            "remove this order or the one before",
        ),
        Fault::AlphabetLetter { letter } => message(
            format!("`{letter}` cannot be a letter of an alphabet"),
            "white space and the signs [ ] , ; = # have their own meaning; choose another letter",
        ),
        Fault::AlphabetTooLong { limit } => message(
            "the alphabet is too long",
            format!("at most {limit} letters are allowed; write numbers instead of words"),
        ),
        Fault::AlphabetRepeats { letter } => message(
            format!("the letter `{letter}` stands twice in the alphabet"),
            "each letter stands for one number",
        ),
        Fault::ShortFormAndMoves => message(
            "`rules …` already says all moves",
            "write all moves out, or none",
        ),
        Fault::PlayerAsLabel => message(
            "`left` and `right` say whose move it is",
            "choose another label",
        ),

        Fault::CodeDigit {
            digit,
            code,
            take_and_break: false,
        } if digit.is_ascii_digit() || digit.is_ascii_uppercase() => message(
            format!("`{digit}` is not an octal digit"),
            format!(
                "digits are 0 to 7; to split into more heaps, write `rules take-and-break {code}`"
            ),
        ),
        Fault::CodeDigit {
            digit,
            take_and_break: false,
            ..
        } => message(
            format!("`{digit}` is not an octal digit"),
            "digits are 0 to 7; digits that repeat for ever stand in parentheses, `0.(3)`",
        ),
        Fault::CodeDigit { digit, .. } => message(
            format!("`{digit}` is not a digit of a take-and-break code"),
            "digits are 0 to 9 and A to V",
        ),
        Fault::CodeWhole { digit } => message(
            format!("`{digit}` cannot stand before the point"),
            "taking nothing must split the heap in two or more: write 0 or 4 there",
        ),
        Fault::CodeWithoutPoint { code } => message(
            format!("`{code}` is no code without a point"),
            format!("a code is written `0.{code}`, its digits for taking 1, 2, …; a set `{{{code}}}`"),
        ),
        Fault::CodeWholeLong => message(
            "one digit at most stands before the point",
            "it says into what a heap may be split without taking from it",
        ),
        Fault::CodeWithoutMoves => message(
            "the code allows no move",
            "one digit at least is not 0",
        ),
        Fault::CodeTooLong { limit } => message(
            "the code is too long",
            format!("at most {limit} digits are read; digits that repeat for ever stand in parentheses, `0.(3)`"),
        ),
        Fault::ShortForm => message(
            "these are no rules in short form",
            "write a code `0.77`, a set `{1,3,4}`, `all but {2,5}` or `take-and-break 0.3F`",
        ),
        Fault::BareNumberAsGame { number } => message(
            format!("`{number}` is not a game"),
            format!("a code has a point, `0.{number}`; a set has braces, `{{{number}}}`"),
        )
        .help("a shell turns an unquoted `{4,5} 7` into `4 5 7`: put the game in quotation marks, or write `subtract:4,5`"),

        Fault::TermInPattern => message(
            "a pattern holds variables and numbers only",
            "name the coordinate, and say in the guard what it is: `[m] -> … where m = n+1`",
        ),
        Fault::ParameterInPattern { name } => message(
            format!("`{name}` is a parameter and cannot stand in a pattern"),
            format!("choose another name, and compare in the guard: `where n = {name}`"),
        ),
        Fault::RestsTouch { first, second } => message(
            format!("where `{first}..` ends and `{second}..` begins is not determined"),
            format!("put something between them: `{first}.., x, {second}..`"),
        ),
        Fault::RestAndCoordinate { name } => message(
            format!("`{name}` is a coordinate and a rest `{name}..`"),
            "choose different names",
        ),
        Fault::ChoiceNotEverywhere { name } => message(
            format!("the choice `{name}` stands in some alternatives only"),
            format!("let every alternative use `{name}`, or write one line for each"),
        ),
        Fault::ChoiceUnbounded {
            name,
            divides: None,
        } => message(
            format!("the choice `{name}` has no upper bound"),
            format!("bound it in the guard, such as `{name} <= n`"),
        ),
        Fault::ChoiceUnbounded {
            name,
            divides: Some(number),
        } => message(
            format!("the choice `{name}` has no upper bound"),
            format!(
                "`{name} | {number}` gives none, for every number divides 0: add `{name} <= {number}`"
            ),
        ),
        Fault::NoRow => message(
            "there is no row whose places could change",
            "add the line `row a`, and write `a[i] -= k`",
        ),
        Fault::NotTheRow { name, row } => message(
            format!("`{name}` is not the row"),
            format!("the row is `{row}`"),
        ),
        Fault::NoAlphabet => message(
            "the row has no alphabet",
            "declare the letters that stand for 0, 1, …: `row a over \".X\"`",
        ),
        Fault::NotInAlphabet { letter, alphabet } => message(
            format!("`{letter}` is not in the row's alphabet"),
            format!("its letters are `{alphabet}`"),
        ),
        Fault::PieceUnreachable => message(
            "this piece is never reached",
            "the one before has no `if` and takes all the rest",
        ),

        Fault::NameShadowed { name } => message(
            format!("`{name}` already means something on this line"),
            "choose another name here",
        ),
        Fault::NameOutOfReach { name } => message(
            format!("`{name}` means nothing here"),
            "it is bound elsewhere on this line, and only there; choose another name for one of the two",
        ),
        Fault::UnknownName { name, suggestion } => message(
            format!("nothing has the name `{name}`"),
            or_suggestion(
                suggestion.as_ref(),
                "the pattern or the parameters must name it",
            ),
        ),
        Fault::WrongKind {
            found,
            wanted,
            name,
        } => wrong_kind(*found, *wanted, name.as_deref()),
        Fault::NoPlaces { name } => message(
            format!("`{name}` has no places"),
            "places belong to the row, to a rest variable and to a list: `a[i]`",
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
            message(
                format!("`{function}` takes {takes}"),
                format!("here it has {found}"),
            )
        }
        Fault::UnknownFunction { name, suggestion } => message(
            format!("there is no function `{name}`"),
            or_suggestion(
                suggestion.as_ref(),
                "the functions are min, max, gcd, abs, isqrt, omega, popcount, length, sum and xor",
            ),
        ),
        Fault::TupleLength {
            relation,
            wanted,
            found,
        } => message(
            format!(
                "the tuples of `{relation}` have {}",
                count(*wanted, "member")
            ),
            format!("this one has {found}"),
        ),
        Fault::InfiniteSet => message(
            "this set has no end",
            "write a range, such as `1..n`, and a condition on its members",
        ),

        Fault::NegativeInPosition => {
            message("numbers of positions are not negative", "write 0, 1, 2, …")
        }
        Fault::TightPlus => message(
            "a number or a sum?",
            "put white space around `+` to join components, or write the number out",
        ),
        Fault::NotANumber { text } => message(
            format!("`{text}` is not a number"),
            "write `7`, `10^18`, `1e18` or `2^60-1`",
        ),
        Fault::Given(fault) => given(fault),
        Fault::PositionMissing => message(
            "a position is missing",
            "write components such as `3 4 7`, or `nothing` for the empty sum",
        ),
    }
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::Sign(sign) => format!("`{sign}`"),
        Expected::Name => "a name".to_owned(),
        Expected::Number => "a number".to_owned(),
        Expected::Text => "a text in quotation marks".to_owned(),
        Expected::Component => "a component such as `[n]`".to_owned(),
        Expected::Coordinate => "a coordinate".to_owned(),
        Expected::ResultTerm => "a component such as `[n-k]`, `nothing` or `2 of [n]`".to_owned(),
        Expected::Update => "an update such as `a[i] -= k`".to_owned(),
        Expected::Term => "a number, a name or a set".to_owned(),
        Expected::Condition => "a condition".to_owned(),
        Expected::Set => "a set".to_owned(),
        Expected::Position => "a position".to_owned(),
        Expected::Value => "a value: `3`, `{2,5}`, `(31,28)` or `{(1,2),(1,3)}`".to_owned(),
        Expected::EndOfLine => "the end of the line".to_owned(),
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "a number",
        Kind::Set => "a set",
        Kind::List => "a list",
        Kind::Relation => "a set of tuples",
        Kind::Tuple => "a tuple",
        Kind::Condition => "a condition",
        Kind::Row => "the whole row",
        Kind::Rest => "a run of coordinates",
        Kind::Coordinate => "a coordinate",
    }
}

fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Play => "a play convention",
        Topic::Compound => "a compound",
        Topic::RowCondition => "a condition of rows",
        Topic::Ending => "an ending",
        Topic::Expectation => "something to expect",
        Topic::Claim => "something to claim",
    }
}

fn wrong_kind(found: Kind, wanted: Kind, name: Option<&str>) -> Message {
    let what = match name {
        Some(name) => format!("`{name}` is {}", kind(found)),
        None => format!("this is {}", kind(found)),
    };
    let title = format!("{what}, where {} belongs", kind(wanted));
    let name = name.unwrap_or("k");
    let label = match (found, wanted) {
        (Kind::Set, Kind::Number) => format!("to choose a member, write `k` here and `k in {name}` in the guard"),
        (Kind::List, Kind::Number) => format!("write a place of it, such as `{name}[i]`, or `sum({name})`"),
        (Kind::Row | Kind::Rest, Kind::Number) => {
            format!("write a place of it, `{name}[i]`, or `length({name})`; in a component, `{name}..`")
        }
        (Kind::Tuple, Kind::Number) => "tuples stand before `in` only: `(v, w) in E`".to_owned(),
        (Kind::Condition, Kind::Number) => "a condition has no value; put it into the guard".to_owned(),
        (Kind::Relation, Kind::Number | Kind::Set) => format!("write `(v, w) in {name}`"),
        (_, Kind::Set) => "a set is `{1,3,4}`, `a..b`, `primes`, `squares`, `fibonacci`, `powers of 2`, `all but {…}` or a parameter".to_owned(),
        (_, Kind::Relation) => "declare the relation: `game tokens(E = {(1,2),(1,3)})`".to_owned(),
        (Kind::Set | Kind::List | Kind::Relation, Kind::Condition) => format!("write `k in {name}`"),
        (_, Kind::Condition) => format!("compare it, such as `{name} >= 1`"),
        (_, Kind::Rest) => "`..` stands behind the row and behind what the pattern names so; remove it".to_owned(),
        (_, Kind::Coordinate) => "`t -> u` speaks of lists that a pattern or a result names".to_owned(),
        _ => format!("write {}", kind(wanted)),
    };
    message(title, label)
}

/// What is said about a position that is none of the game.
pub fn given(fault: &GivenFault) -> Message {
    match fault {
        GivenFault::Coordinates {
            found, admitted, ..
        } => {
            let admitted: Vec<String> = admitted.iter().map(ToString::to_string).collect();
            message(
                format!("a component has {}", count(*found, "coordinate")),
                format!("the rules speak of {}", list(&admitted, "or")),
            )
            .help("a component of several coordinates is written `3,5`; white space separates components")
        }
        GivenFault::Order { order, .. } => message(
            "the numbers of the row are out of order",
            match order {
                RowOrder::Increasing => "each must be larger than the one before",
                RowOrder::Nondecreasing => "none may be smaller than the one before",
                RowOrder::Nonincreasing => "none may be larger than the one before",
            },
        ),
        GivenFault::NoStart { .. } => message(
            "the `start` line gives this component no value",
            "its formula is undefined or negative here; give all coordinates",
        ),
        GivenFault::Limit(limit) => message(
            "the position is too large to be completed",
            match limit {
                Limit::Steps => "the limit of steps was reached",
                Limit::Bytes => "the limit of memory was reached",
                Limit::Cancelled => "it was cancelled",
            },
        ),
    }
}
