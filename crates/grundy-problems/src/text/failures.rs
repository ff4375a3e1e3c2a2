//! Why a problem was not carried out, in English.

use grundy::oracle::NoValues;
use grundy::outcome::Undecided;
use grundy::solve::SumFault;
use grundy::text::Reached;
use grundy_rules::Limit;

use crate::evaluate::MOST_MOVES;
use crate::failure::{Failure, Mistake, Open, Reason};
use crate::input::{InputFault, InputKind};
use crate::number::NoNumber;
use crate::problem::Order;
use crate::value::Type;

/// Why there is no output; `reached` says what a limit is to the user.
pub fn failure(failure: &Failure, reached: &dyn Fn(Limit) -> Reached) -> String {
    match &failure.reason {
        Reason::Input(fault) => input_fault(fault),
        Reason::Mistake(mistake) => self::mistake(mistake),
        Reason::Undecided(open) => match &**open {
            Open::Position(undecided) => self::undecided(undecided, reached),
            Open::ManyMoves => format!(
                "undecided: a list of more than {MOST_MOVES} moves; `length`, `first` and `least` do not write it down"
            ),
            Open::Endless => {
                "undecided: the greatest of numbers without end, by trying one after the other"
                    .to_owned()
            }
            Open::NoInput => {
                "undecided: no input within the limits of the problem was found".to_owned()
            }
        },
    }
}

fn undecided(undecided: &Undecided, reached: &dyn Fn(Limit) -> Reached) -> String {
    grundy::text::undecided(&[], undecided, reached)
}

/// What is wrong with an input, and where.
pub fn input_fault(fault: &InputFault) -> String {
    let InputFault {
        token,
        line,
        column,
        ..
    } = fault;
    let reading = match &fault.reading {
        None => String::new(),
        Some(name) => format!(", read as `{name}`"),
    };
    let numbers = |numbers: &[crate::number::Number]| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let what = match &fault.kind {
        InputKind::Ends => {
            let wanted = fault.reading.as_ref();
            let wanted = wanted.map_or(String::new(), |name| format!(" before `{name}`"));
            return format!("line {line}, column {column}: the input ends{wanted}");
        }
        InputKind::NotAnInteger => "is no integer".to_owned(),
        InputKind::Below(least) => format!("is less than {least}"),
        InputKind::Above(greatest) => format!("is greater than {greatest}"),
        InputKind::NoneOf(allowed) => format!("is none of {}", numbers(allowed)),
        InputKind::NotText => "is no text".to_owned(),
        InputKind::Letter { letter, alphabet } => {
            format!("has the letter `{letter}`, which is none of `{alphabet}`")
        }
        InputKind::Long(most) => format!("has more than {most} letters"),
        InputKind::Short(least) => format!("has fewer than {least} letters"),
        InputKind::NoWordOf(words) => format!("is none of the words {}", words.join(", ")),
        InputKind::Order(order) => match order {
            Order::Any => "has no place".to_owned(),
            Order::Distinct => "occurs twice".to_owned(),
            Order::Increasing => "is not greater than the entry before it".to_owned(),
            Order::Nondecreasing => "is less than the entry before it".to_owned(),
            Order::Nonincreasing => "is greater than the entry before it".to_owned(),
            Order::Simple => "joins a vertex to itself, or two that are joined".to_owned(),
            Order::Tree => "is no edge of a tree with those before it".to_owned(),
            Order::Rings => "is no edge of rings with those before it".to_owned(),
        },
        InputKind::Condition => "breaks a condition of the problem".to_owned(),
        InputKind::Trailing => "stands behind the end of the input".to_owned(),
    };
    format!("line {line}, column {column}: `{token}` {what}{reading}")
}

fn mistake(mistake: &Mistake) -> String {
    match mistake {
        Mistake::UnknownName(name) => format!("no value has the name `{name}`"),
        Mistake::UnknownGame(name) => format!("no game has the name `{name}`"),
        Mistake::UnknownFunction(name) => {
            format!("no function of so many values has the name `{name}`")
        }
        Mistake::UnknownField(name) => format!("this move has no `{name}`"),
        Mistake::Type { wanted, found } => {
            let wanted: Vec<&str> = wanted.iter().map(|wanted| kind(*wanted)).collect();
            format!("{} where {} belongs", kind(*found), wanted.join(" or "))
        }
        Mistake::Incomparable(a, b) => {
            format!("{} and {} have no order", kind(*a), kind(*b))
        }
        Mistake::Length { wanted, found } => {
            format!("{found} values for {wanted} names")
        }
        Mistake::Index { index, length } => {
            format!("there is no entry {index} of {length}; they are counted from 1")
        }
        Mistake::Number(reason) => match reason {
            NoNumber::Division => "a division by 0, or a remainder for a modulus below 1",
            NoNumber::Negative => "a negative number where none may be",
            NoNumber::TooLarge => "a number with too many digits",
        }
        .to_owned(),
        Mistake::Empty { function } => format!("`{function}` of an empty list"),
        Mistake::EndlessList => "a list without end".to_owned(),
        Mistake::NotANumber(text) => format!("`{text}` is no number"),
        Mistake::Count(count) => format!("a list of {count} entries"),
        Mistake::Rules(faults) => {
            let titles = faults
                .iter()
                .map(|diagnostic| grundy::text::fault(&diagnostic.fault).title);
            titles.collect::<Vec<_>>().join("; ")
        }
        Mistake::Parameter(diagnostic) => grundy::text::fault(&diagnostic.fault).title,
        Mistake::Position { game, fault } => {
            format!(
                "no position of {game}: {}",
                grundy::text::given(fault).title
            )
        }
        Mistake::Letter(letter) => format!("the rules give the letter `{letter}` no number"),
        Mistake::Sum(fault) => match fault {
            SumFault::NotIndependent { reason, .. } => {
                format!(
                    "a sum of these games has no meaning: {}",
                    no_values(*reason)
                )
            }
            SumFault::MixedPlay { .. } => {
                "a sum of games, some in normal and some in misère play, has no meaning".to_owned()
            }
        },
        Mistake::NoValues(reason) => no_values(*reason).to_owned(),
        Mistake::Stop => "`stop` outside `repeat`".to_owned(),
        Mistake::Game => "an input is drawn before games can be asked".to_owned(),
    }
}

fn no_values(reason: NoValues) -> &'static str {
    grundy::text::no_values(reason)
}

fn kind(kind: Type) -> &'static str {
    match kind {
        Type::Number => "a number",
        Type::Natural => "a natural number",
        Type::Text => "a text",
        Type::Truth => "a truth",
        Type::None => "`none`",
        Type::Endless => "`endless`",
        Type::Tuple => "a tuple",
        Type::List => "a list",
        Type::Sum => "a sum of components",
        Type::Move => "a move",
        Type::Game => "a game",
    }
}
