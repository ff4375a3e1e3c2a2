//! What became of expectations and claims.

use grundy_rules::ruleset::Ruleset;
use grundy_rules::{Limit, Position};
use num_bigint::BigUint;

use super::{Reached, evidence, no_values, undecided};
use crate::argument;
use crate::claim::{Actual, ClaimFault, Claimed, Counterexample};
use crate::compare::{Comparison, Difference, Equality};
use crate::count::{Count, NoCount, Order, Question};
use crate::expect::Failure;
use crate::law::Periodicity;
use crate::outcome::{Outcome, Undecided};
use crate::proof::automatic::{Outside, Reason};

/// How many positions of a list are written out.
const MOST_WRITTEN: usize = 8;

/// How an expectation of a file is wrong.
pub fn failed_expectation(game: &Ruleset, failure: &Failure) -> String {
    let text = |position: &Position| game.position_text(position);
    match failure {
        Failure::NotAPosition { position, .. } => {
            format!("{} is no position of this game", text(position))
        }
        Failure::NoValues(reason) => no_values(*reason).to_owned(),
        Failure::Value {
            position,
            expected,
            actual,
        } => {
            format!(
                "the value of {} is {actual}, not {expected}",
                text(position)
            )
        }
        Failure::Outcome {
            position,
            expected,
            actual,
        } => {
            format!(
                "{} is {}, not {}",
                text(position),
                outcome(*actual),
                outcome(*expected)
            )
        }
        Failure::MoveCount {
            position,
            expected,
            actual,
        } => {
            format!(
                "{} has {actual} winning moves, not {expected}",
                text(position)
            )
        }
        Failure::MoveResults {
            position,
            missing,
            unexpected,
        } => {
            let mut parts = Vec::new();
            if !missing.is_empty() {
                parts.push(format!(
                    "no winning move leads to {}",
                    positions(game, missing)
                ));
            }
            if !unexpected.is_empty() {
                parts.push(format!(
                    "winning moves also lead to {}",
                    positions(game, unexpected)
                ));
            }
            format!("from {}: {}", text(position), parts.join("; "))
        }
        Failure::Law {
            expected,
            actual,
            upto,
        } => {
            let say =
                |law: &Option<Periodicity>| law.as_ref().map_or("no law".to_owned(), law_text);
            format!(
                "the values of heaps 0 to {upto} show {}, not {}",
                say(actual),
                say(expected)
            )
        }
    }
}

fn positions(game: &Ruleset, positions: &[Position]) -> String {
    let mut texts: Vec<String> = positions
        .iter()
        .take(MOST_WRITTEN)
        .map(|position| game.position_text(position))
        .collect();
    if positions.len() > MOST_WRITTEN {
        texts.push(format!("… ({} positions)", positions.len()));
    }
    texts.join("; ")
}

fn law_text(law: &Periodicity) -> String {
    let saltus = match law.saltus {
        0 => String::new(),
        saltus => format!(" saltus {saltus}"),
    };
    format!("period {}{saltus} from {}", law.period, law.preperiod)
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "won",
        Outcome::P => "lost",
        Outcome::Draw => "drawn",
    }
}

/// How many expectations of a game passed, failed and are undecided.
pub fn summary(passed: usize, failed: usize, undecided: usize) -> String {
    let mut parts = vec![format!("{passed} passed")];
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    parts.join(", ")
}

/// What is said of a game without expectations.
pub const NO_EXPECTATIONS: &str = "nothing is expected";

/// That a claim agrees with every position examined.
pub fn agrees(upto: &str, positions: u64) -> String {
    format!(
        "agrees up to {upto} ({positions} positions examined)\n\
         that is no proof: it says nothing about larger positions"
    )
}

/// That a claim is so for every heap.
pub fn proved_claim(theorem: &str, certificate: &str) -> String {
    format!(
        "proved: true of every heap, by the law of the game ({theorem}), certificate {certificate}"
    )
}

/// That a claim is so for every position, as a certificate of its own says.
pub fn certified_claim(certificate: &str) -> String {
    format!(
        "proved: true of every position, by automata that read digits, certificate {certificate}"
    )
}

/// A claim that is proved by the law of the game, which has its own certificate.
pub fn no_certificate_of_claim(game: &Ruleset) -> String {
    let game = argument::name(game);
    format!(
        "no certificate of the claim itself was found; that of the law it follows from is written by \
         `grundy law {game} --cert FILE`"
    )
}

/// Of several claims, which one the certificate is to be of.
pub fn certificate_of_one_claim() -> String {
    super::error("a certificate is of one claim: give the one that is meant")
}

/// The first position of which a claim is false.
pub fn refuted(game: &Ruleset, counterexample: &Counterexample) -> String {
    let actual = what_is(&counterexample.actual);
    let claimed = match &counterexample.claimed {
        Claimed::Value(value) => format!("the claim says {value}"),
        Claimed::Lost => "the claim says it is lost".to_owned(),
        Claimed::NotLost => "the claim says it is not lost".to_owned(),
        Claimed::NimSum(sum) => format!("the claim's nim-sum is {sum}"),
        Claimed::Negative(number) => format!("the claim says {number}, which is no value"),
        Claimed::Undefined => "the claim's formula has no value there".to_owned(),
        Claimed::NoPiece => "no piece of the claim speaks of it".to_owned(),
    };
    format!(
        "refuted: {} {actual}, and {claimed}",
        game.position_text(&counterexample.position)
    )
}

/// `has value 3` or `is lost`.
fn what_is(actual: &Actual) -> String {
    match actual {
        Actual::Value(value) => format!("has value {value}"),
        Actual::Outcome(actual) => format!("is {}", outcome(*actual)),
    }
}

/// How far a claim agreed before a limit was reached.
pub fn undecided_claim(
    game: &Ruleset,
    why: &Undecided,
    positions: u64,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let why = undecided(std::slice::from_ref(game), why, reached);
    format!("{why}\nit agrees for the first {positions} positions")
}

/// Why a claim cannot be examined.
pub fn claim_fault(game: &Ruleset, fault: &ClaimFault) -> String {
    super::error(&match fault {
        ClaimFault::NoValues(reason) => {
            format!("the claim speaks of values; {}", no_values(*reason))
        }
        ClaimFault::NoSuchComponent(_) => {
            format!(
                "the claim speaks of components that `{}` does not have",
                argument::name(game)
            )
        }
        ClaimFault::Extent { coordinates, found } => {
            format!("the claim has {coordinates} coordinates, and --box has {found}")
        }
    })
}

/// That a game's file states no claim, and none was given.
pub fn no_claims(game: &Ruleset) -> String {
    super::error(&format!(
        "the file of `{}` states no claim, and none was given\n\
         hint: grundy claim lasker 'grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n'",
        argument::name(game)
    ))
}

/// What was counted, and how that is known.
pub fn counted(question: &Question, count: &Count) -> [String; 2] {
    let one = count.count == BigUint::from(1u8);
    let things = match (question.heaps, question.multisets, one) {
        (1, _, true) => "heap is".to_owned(),
        (1, _, false) => "heaps are".to_owned(),
        (heaps, true, true) => format!("multiset of {heaps} heaps is"),
        (heaps, true, false) => format!("multisets of {heaps} heaps are"),
        (heaps, false, true) => format!("list of {heaps} heaps is"),
        (heaps, false, false) => format!("lists of {heaps} heaps are"),
    };
    let what = worth(&question.value);
    let said = format!(
        "{} {things} {what}, of those from {} to {}",
        count.count, question.from, question.to
    );
    [said, evidence(&count.evidence)]
}

/// What was counted in a box, and how that is known.
pub fn counted_in_box(
    bounds: &[BigUint],
    value: &BigUint,
    order: Order,
    count: &Count,
) -> [String; 2] {
    let bounds: Vec<String> = bounds.iter().map(ToString::to_string).collect();
    let verb = if count.count == BigUint::from(1u8) {
        "position is"
    } else {
        "positions are"
    };
    let what = worth(value);
    let order = match order {
        Order::Any => "",
        Order::Nondecreasing => ", the order of heaps not counted",
    };
    let said = format!(
        "{} {verb} {what}, of those up to {}{order}",
        count.count,
        bounds.join(",")
    );
    [said, evidence(&count.evidence)]
}

/// `lost`, or `worth 3`.
fn worth(value: &BigUint) -> String {
    if *value == BigUint::ZERO {
        "lost".to_owned()
    } else {
        format!("worth {value}")
    }
}

/// Why positions are not counted.
pub fn no_count(game: &Ruleset, why: &NoCount, reached: &dyn Fn(Limit) -> Reached) -> String {
    match why {
        NoCount::NotHeaps => super::error(&format!(
            "the components of `{}` are not heaps of one number",
            argument::name(game)
        )),
        NoCount::NoValues(reason) => super::error(no_values(*reason)),
        NoCount::Undecided(reason) => undecided(std::slice::from_ref(game), reason, reached),
        NoCount::NoMethod => {
            "undecided: the law of the game is known, but no method to count sums of such heaps \
             where they are more than can be visited"
                .to_owned()
        }
    }
}

/// That two games are equal for ever, and why.
pub fn equal_games(equality: &Equality) -> String {
    match equality {
        Equality::Options => {
            "equal for ever: every component has the same options in both".to_owned()
        }
        Equality::Laws { evidence } => format!(
            "equal for ever: both have a law, and these give every heap the same value\n{}",
            self::evidence(evidence)
        ),
    }
}

/// Where two games differ.
pub fn different_games(games: [&Ruleset; 2], difference: &Difference) -> String {
    let component = Position(vec![difference.component.clone()]);
    let [left, right] = &difference.actual;
    format!(
        "different: {} {} in {}, and {} in {}\nit is the first one; {}",
        games[0].position_text(&component),
        what_is(left),
        argument::name(games[0]),
        what_is(right),
        argument::name(games[1]),
        evidence(&difference.evidence)
    )
}

/// That a box has another number of coordinates than the components of the games.
pub fn wrong_box(coordinates: usize, found: usize) -> String {
    super::error(&format!(
        "components have {coordinates} coordinates, and --box has {found}"
    ))
}

/// That a comparison came to no end.
pub fn not_compared(
    games: [&Ruleset; 2],
    comparison: &Comparison,
    upto: &str,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    match comparison {
        Comparison::Agree { components } => format!(
            "undecided: they agree up to {upto} ({components} components examined)\n\
             that is no proof: it says nothing about larger ones"
        ),
        Comparison::Undecided { reason, components } => format!(
            "{}\nthey agree for the first {components} components",
            undecided(std::slice::from_ref(games[0]), reason, reached)
        ),
        Comparison::NothingInCommon => super::error(&format!(
            "no component is one of both `{}` and `{}`",
            argument::name(games[0]),
            argument::name(games[1])
        )),
        Comparison::Equal(_) | Comparison::Differ(_) => String::new(),
    }
}

/// That no game of the catalogue has this in its name or title.
pub fn no_games(word: &str) -> String {
    format!("no game of the catalogue has `{word}` in its name, title or description")
}

/// Why automata do not look for a counterexample of any size.
pub fn outside_automata(game: &Ruleset, outside: Outside) -> String {
    let what = match outside.reason {
        Reason::Product => "products of two numbers that both vary",
        Reason::Divisor => "divisors that vary",
        Reason::Exponent => "exponents, and bases of powers, that vary",
        Reason::Function(_) => "functions such as gcd",
        Reason::Set => "primes, squares and digits",
        Reason::Aggregate => "sums over sets",
        Reason::Nested => "nested lists",
        Reason::Size => "so many cases, or numbers so large",
        Reason::Series => "a number of parts that is not fixed",
        Reason::Arity => "moves that change how many numbers a component has",
        Reason::Start => "components that `start` completes",
        Reason::Row => "rings, and rows whose places vanish",
        Reason::Order => "unordered rows with a restricted order",
        Reason::Joint => "moves that take several components",
        Reason::Unsolved => "games that differ for the two players or need chance",
        Reason::Values => "values of misère games and of such compounds",
        Reason::Ending => "endings that draw or stop a sum",
        Reason::Parts => "who wins the several components that a move leaves",
        Reason::Pattern => "claims about some components only",
        Reason::Numeration => {
            "bit operations, powers and Fibonacci numbers that no one numeration system has together"
        }
    };
    let rule = outside
        .span
        .and_then(|span| game.moves.iter().find(|rule| rule.span.start == span.start));
    let place = rule.map_or(String::new(), |rule| format!(" (in `{}`)", rule.label));
    format!("automata do not decide {what}{place}")
}
