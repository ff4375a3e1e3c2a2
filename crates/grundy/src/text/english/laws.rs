//! Laws, how they are known, and why certificates are refused.

use grundy_certificate::automatic::{AutomatonLaw, Numeration, Order, Says};
use grundy_certificate::{
    Bound, BoundShape, Clause as CertificateClause, Falsehood, Law, Malformed, Periodic,
    PointerClass, Reason as Unproved, Recursion, Refusal, TakeUpTo, Theorem, Unreadable,
};
use grundy_rules::Limit;
use grundy_rules::ruleset::Ruleset;
use num_bigint::BigUint;
use num_traits::{One, Signed, Zero};

use super::{Reached, misere, no_values, undecided};
use crate::argument;
use crate::law::{NoProof, NoSequence, Periodicity, Stopped};
use crate::outcome::Undecided;
use crate::proof::NoMethod;
use crate::shape::{Outside, Reason};
use crate::theorem::Family;

/// How many values of a period are written out.
const MOST_WRITTEN: usize = 60;

/// A law as a sentence about `g(n)`, the Grundy value of a heap of `n`.
pub fn law(law: &Law) -> String {
    match law {
        Law::Periodic(Periodic {
            preperiod,
            period,
            saltus,
            ..
        }) => periodicity(Periodicity {
            preperiod: *preperiod,
            period: *period,
            saltus: *saltus,
        }),
        Law::Misere(law) => misere::law_of_labels(law),
        Law::TakeUpTo(law) => format!(
            "g(0) = 0, and for n ≥ 1: g(n) = t(n) where t(n) > t(n-1), otherwise \
             g(n) = g(n-t(n)-1), with t(n) = {}",
            most(law)
        ),
        Law::Automaton(law) => automaton(law),
        Law::Recursion(law) => recursion(law),
        Law::Pointers(law) => {
            let classes = law.classes.iter().zip(0u64..).map(|(class, residue)| {
                let left = format!("g({})", affine(law.modulus, &residue.to_string()));
                match class {
                    PointerClass::New { times, plus } => {
                        format!("{left} = {}", affine(*times, &plus.to_string()))
                    }
                    PointerClass::Pointer { times, plus } => {
                        format!("{left} = g({})", affine(*times, &plus.to_string()))
                    }
                }
            });
            let classes: Vec<String> = classes.collect();
            format!(
                "{}, for all heaps from {} on",
                classes.join("; "),
                law.start.len()
            )
        }
    }
}

/// How far heaps are looked at for some of each case, and how many are shown.
const MOST_LOOKED_AT: u32 = 1 << 12;
const MOST_OF_CASE: usize = 6;

/// The cases of a digit recursion, each with the first heaps that belong to it.
fn recursion(law: &Recursion) -> String {
    let mut first: Vec<Vec<u32>> = vec![Vec::new(); law.cases.len()];
    for heap in 0..MOST_LOOKED_AT {
        let place = law.place(&BigUint::from(heap));
        if let Some(heaps) = place.and_then(|place| first.get_mut(place)) {
            heaps.push(heap);
        }
    }
    let cases = law.cases.iter().zip(first).filter_map(|(case, heaps)| {
        let said = match (case.times, case.over) {
            (0, _) => case.plus.to_string(),
            (times, 1) => of_heap(times, case.plus),
            (1, over) if case.plus == 0 => format!("n/{over}"),
            (times, over) => format!("({})/{over}", of_heap(times, case.plus)),
        };
        let said = if case.is_new {
            said
        } else {
            format!("g({said})")
        };
        let shown: Vec<String> = heaps
            .iter()
            .take(MOST_OF_CASE)
            .map(u32::to_string)
            .collect();
        let more = if heaps.len() > MOST_OF_CASE {
            ", …"
        } else {
            ""
        };
        (!heaps.is_empty()).then(|| format!("g(n) = {said} for n = {}{more}", shown.join(", ")))
    });
    let cases: Vec<String> = cases.collect();
    let end = match law.order {
        Order::LeastSignificantFirst => "least",
        Order::MostSignificantFirst => "most",
    };
    format!(
        "{}; which of these holds of n is told by an automaton of {} states that reads n in base {}, {end} significant digit first",
        cases.join("; "),
        law.case_of.len(),
        law.base,
    )
}

/// `times*n+plus`
fn of_heap(times: u64, plus: i64) -> String {
    affine(times, &plus.to_string()).replace('x', "n")
}

/// A periodic law as a sentence.
pub fn periodicity(law: Periodicity) -> String {
    let Periodicity {
        preperiod,
        period,
        saltus,
    } = law;
    let growth = if saltus == 0 {
        String::new()
    } else {
        format!(" + {saltus}")
    };
    format!("g(n+{period}) = g(n){growth} for all n ≥ {preperiod}")
}

/// `times*x+plus`
fn affine(times: u64, plus: &str) -> String {
    let scaled = match times {
        0 => return plus.to_owned(),
        1 => "x".to_owned(),
        times => format!("{times}x"),
    };
    match plus {
        "0" => scaled,
        minus if minus.starts_with('-') => format!("{scaled}{minus}"),
        plus => format!("{scaled}+{plus}"),
    }
}

fn most(law: &TakeUpTo) -> String {
    let bounds: Vec<String> = law.bounds.iter().map(bound).collect();
    match bounds.as_slice() {
        [] => "n".to_owned(),
        [bound] => format!("min(n, {bound})"),
        _ => format!("min(n, {})", bounds.join(", ")),
    }
}

fn bound(bound: &Bound) -> String {
    let scaled = if bound.times.is_zero() {
        None
    } else if bound.times.is_one() {
        Some("n".to_owned())
    } else {
        Some(format!("{}n", bound.times))
    };
    let (sum, is_sum) = match scaled {
        None => (bound.plus.to_string(), false),
        Some(scaled) if bound.plus.is_zero() => (scaled, false),
        Some(scaled) if bound.plus.is_negative() => (format!("{scaled}{}", bound.plus), true),
        Some(scaled) => (format!("{scaled}+{}", bound.plus), true),
    };
    let fraction = if bound.over == BigUint::one() {
        sum
    } else if is_sum {
        format!("⌊({sum})/{}⌋", bound.over)
    } else {
        format!("⌊{sum}/{}⌋", bound.over)
    };
    match bound.shape {
        BoundShape::Linear => fraction,
        BoundShape::Root => format!("⌊√{fraction}⌋"),
    }
}

/// A proved law: what it says, its values, and how it is known; one line each.
pub fn theorem(theorem: &Theorem) -> Vec<String> {
    let mut lines = vec![law(theorem.law())];
    if let Law::Misere(law) = theorem.law() {
        lines.extend(misere::labels_of_law(law));
    }
    if let Law::Periodic(law) = theorem.law() {
        let (before, repeating) = law
            .values
            .split_at(usize::try_from(law.preperiod).unwrap_or(law.values.len()));
        if !before.is_empty() {
            lines.push(format!("values before:   {}", listed(before)));
        }
        lines.push(format!(
            "values {}  {}",
            if law.saltus == 0 {
                "repeating:"
            } else {
                "growing:  "
            },
            listed(repeating)
        ));
    }
    if let Law::TakeUpTo(_) | Law::Pointers(_) | Law::Recursion(_) = theorem.law() {
        lines.push(first_values(|heap| theorem.law().value(heap)));
    }
    lines.push(proved_by(theorem));
    lines
}

/// How many values of a recursion are written out.
const MOST_FIRST: u32 = 32;

/// The first values by a recursion, in a line.
pub(super) fn first_values(value: impl Fn(&BigUint) -> Option<BigUint>) -> String {
    let values = (0..MOST_FIRST).map_while(|heap| value(&BigUint::from(heap)));
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    format!("values: {} …", values.join(" "))
}

/// How a theorem is known.
pub(super) fn proved_by(theorem: &Theorem) -> String {
    format!(
        "proved: {} ({}), certificate {}",
        theorem.name(),
        theorem.citation(),
        theorem.digest()
    )
}

fn listed(values: &[u64]) -> String {
    let shown = &values[..values.len().min(MOST_WRITTEN)];
    let mut words: Vec<String> = shown.iter().map(ToString::to_string).collect();
    if values.len() > shown.len() {
        words.push(format!("… ({} values)", values.len()));
    }
    words.join(" ")
}

/// A theorem of the literature about the same game.
pub fn published_beside(family: &Family) -> String {
    format!("published: {} ({})", family.statement, family.citation)
}

/// A law that was seen and is not proved.
pub fn conjecture(game: Option<&Ruleset>, law: Periodicity, upto: u64, why: &NoProof) -> String {
    format!(
        "conjecture, seen for heaps 0 to {upto}: {}\nnot proved: {}",
        periodicity(law),
        no_proof(game, why)
    )
}

/// Why a law that is shown is not proved.
pub fn no_proof(game: Option<&Ruleset>, why: &NoProof) -> String {
    match why {
        NoProof::NoMethod(NoMethod::Misere) => {
            "in misère play values do not decide sums".to_owned()
        }
        NoProof::NoMethod(NoMethod::RelatedParts) => {
            "the rules relate the parts of a heap to each other, and there no finite window is a proof"
                .to_owned()
        }
        NoProof::NoMethod(NoMethod::Outside) => {
            "no theorem with a finite check covers such rules".to_owned()
        }
        NoProof::Outside(reason) => {
            format!("no theorem with a finite check covers {}", outside(game, *reason))
        }
        NoProof::Saltus => {
            "the theorem for such rules is about values that come back, not about values that grow"
                .to_owned()
        }
        NoProof::Window { needed: Some(count) } => {
            format!("a proof needs {count} values that agree; --upto allows more")
        }
        NoProof::Window { needed: None } => {
            "a proof needs more values than can be counted".to_owned()
        }
        NoProof::Refused(Refusal::Undecided(_)) => {
            "the limits ended the check of its certificate".to_owned()
        }
        NoProof::Refused(reason) => format!("the checker does not accept it: {}", refusal(reason)),
        NoProof::OnlyValues => "there are no rules, only values".to_owned(),
    }
}

/// What puts rules outside the normal forms.
pub fn outside(game: Option<&Ruleset>, outside: Outside) -> String {
    let what = match outside.reason {
        Reason::Dependent => "games whose components are not independent",
        Reason::Unsolved => "games that differ for the two players or need chance",
        Reason::Rows => "rows of any length",
        Reason::Coordinates => "components of several numbers",
        Reason::Pattern => "patterns other than [n]",
        Reason::NotLinear => {
            "conditions or sizes that are not linear with congruences by constants"
        }
        Reason::LargeNumber => "constants so large",
        Reason::Existential => "choices that stand only in the condition",
        Reason::Series => "a number of parts that is not fixed",
        Reason::Undetermined => "choices that the parts do not determine",
        Reason::Grows => "parts that may be larger together than the heap",
        Reason::NoProgress => "moves that leave a heap as it is, or moves of the empty heap",
        Reason::Unbounded => "takes of any size that depend on the heap or on the parts",
        Reason::Room => "so many parts, or constants so large",
    };
    let rule = outside
        .rule
        .and_then(|index| game.and_then(|game| game.moves.get(index)));
    match rule {
        Some(rule) => format!("{what} (rule `{}`)", rule.label),
        None => what.to_owned(),
    }
}

/// No law was found.
pub fn no_law(
    game: &Ruleset,
    below: u64,
    stopped: &Stopped,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let seen = match below {
        0 => "no heap was looked at".to_owned(),
        below => format!("heaps 0 to {} show no law", below - 1),
    };
    match stopped {
        Stopped::Upto => seen,
        Stopped::Undecided(why) => {
            let games = std::slice::from_ref(game);
            format!("{seen}; {}", undecided(games, why, reached))
        }
    }
}

/// A list of values shows no law.
pub fn no_law_in_list(count: usize) -> String {
    format!("{count} values show no law")
}

/// Why a game has no sequence of values.
pub fn no_sequence(game: &Ruleset, why: &NoSequence, reached: &dyn Fn(Limit) -> Reached) -> String {
    let name = argument::name(game);
    match why {
        NoSequence::NoValues(reason) => format!("{name}: {}", no_values(*reason)),
        NoSequence::Clause(clause) => {
            let why = Undecided::NotSolved(*clause);
            undecided(std::slice::from_ref(game), &why, reached)
        }
        NoSequence::NotHeaps => {
            format!("{name}: laws are looked for in games of one number, heaps 0, 1, 2, …")
        }
        NoSequence::Endless => format!("{name}: {ENDLESS}"),
    }
}

/// A move makes no heap smaller.
pub(super) const ENDLESS: &str =
    "a move makes its heap no smaller, so that play may go round in a cycle";

/// Games of the catalogue whose values agree with a list.
pub fn same_values(names: &[&str]) -> String {
    format!("the same values so far: {}", names.join(", "))
}

/// A line of a list of values is no natural that can be handled.
pub fn not_a_value(line: usize, word: &str) -> String {
    let word: String = word.chars().take(40).collect();
    format!("line {line}: `{word}` is no natural below 2^64")
}

/// A list of values is empty.
pub const NO_VALUES_IN_LIST: &str = "the file holds no values";

/// Why a certificate proves nothing.
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Malformed(malformed) => self::malformed(malformed),
        Refusal::False(falsehood) => self::falsehood(falsehood),
        Refusal::Undecided(limit) => match limit {
            Limit::Steps => "the check takes too many steps".to_owned(),
            Limit::Bytes => "the check takes too much memory".to_owned(),
            Limit::Cancelled => "the check was stopped".to_owned(),
        },
    }
}

fn malformed(malformed: &Malformed) -> String {
    match malformed {
        Malformed::TooLong { limit } => format!("a certificate has at most {limit} bytes"),
        Malformed::Json(what) => format!("this is not the JSON of a certificate: {what}"),
        Malformed::Missing { field } => format!("the field `{field}` is missing"),
        Malformed::Unknown { field } => format!("a certificate has no field `{field}`"),
        Malformed::Field { field, expected } => {
            format!("the field `{field}` must hold {expected}")
        }
        Malformed::Digest { actual } => {
            format!("the digest is not that of the other fields, which is {actual}")
        }
        Malformed::Ruleset { faults: 1 } => "the ruleset has a fault".to_owned(),
        Malformed::Ruleset { faults } => format!("the ruleset has {faults} faults"),
        Malformed::RulesetNotCanonical => {
            "the certificate's ruleset is not in canonical form".to_owned()
        }
    }
}

fn falsehood(falsehood: &Falsehood) -> String {
    match falsehood {
        Falsehood::Value {
            heap,
            claimed,
            actual,
        } => format!("by the law the heap {heap} has the value {claimed}, by the rules {actual}"),
        Falsehood::PreperiodNotLeast => "the law holds from a smaller heap on".to_owned(),
        Falsehood::PeriodNotLeast { smaller } => {
            format!("the law holds with the smaller period {smaller}")
        }
        Falsehood::EqualOption { heap } => {
            format!("the heap {heap} has an option of the value that the law gives it")
        }
        Falsehood::Class { residue } => {
            format!(
                "the rules make the heaps of residue {residue} something else than the law says"
            )
        }
        Falsehood::Bounds => "the bounds of the law are not those of the rules".to_owned(),
        Falsehood::Automaton => {
            "an automaton is not complete, or sees zeros at the most significant end".to_owned()
        }
        Falsehood::Invariants { needed } => {
            format!("the rules and the law need {needed} invariants, and there are others")
        }
        Falsehood::Invariant { obligation } => {
            format!("the invariant of obligation {obligation} does not show it")
        }
        Falsehood::Label { heap } => {
            format!("by the rules the heap {heap} has another label than by the law")
        }
        Falsehood::NoMonoid => {
            "its products are not those of a commutative monoid with the identity 0".to_owned()
        }
        Falsehood::LostOption { heap } => format!(
            "a move from the heap {heap} leads from a sum that the law calls lost to another one"
        ),
        Falsehood::Outcome { heaps } => {
            let heaps: Vec<String> = heaps.iter().map(ToString::to_string).collect();
            format!(
                "by the rules the sum of the heaps {} has another outcome than by the law",
                heaps.join(" + ")
            )
        }
        Falsehood::DoesNotApply { theorem, reason } => {
            format!(
                "the theorem `{theorem}` does not apply: {}",
                unproved(reason)
            )
        }
    }
}

fn unproved(reason: &Unproved) -> String {
    match reason {
        Unproved::Clause(clause) => {
            let clause = match clause {
                CertificateClause::Misere => "play is misère",
                CertificateClause::Row => "components are rows",
                CertificateClause::Unordered => "coordinates have no order",
                CertificateClause::Start => "positions are completed by `start`",
                CertificateClause::Compound => "components are not played one at a time",
                CertificateClause::DrawOnRepetition => "play may be drawn by repetition",
                CertificateClause::Chance => "chance draws",
                CertificateClause::Ending => "a component can end the game",
                CertificateClause::Player => "the players have different moves",
                CertificateClause::Joint => "a move takes several components",
                CertificateClause::Tuple => "components have several numbers",
            };
            clause.to_owned()
        }
        Unproved::NotLinear { rule } => format!("rule `{rule}` is not linear"),
        Unproved::TooManyParts { rule } => format!("rule `{rule}` leaves too many heaps"),
        Unproved::ChoiceHidden { rule } => {
            format!("rule `{rule}` has a choice that its result does not determine")
        }
        Unproved::TooLarge => "numbers are too large".to_owned(),
        Unproved::RemovedToLeft { rule } => {
            format!("rule `{rule}` relates what is removed to what is left")
        }
        Unproved::Relation { removed, parts } => format!(
            "where {removed} is removed and {parts} heaps are left, these are related to each other"
        ),
        Unproved::NotSmaller => "a move leads to a heap that is no smaller".to_owned(),
        Unproved::ZeroMoves => "the empty heap has a move".to_owned(),
        Unproved::Unbounded => "any number may be removed".to_owned(),
        Unproved::LawKind => "the law is of another kind".to_owned(),
        Unproved::Saltus => "it is about laws without saltus".to_owned(),
        Unproved::SaltusNoPowerOfTwo => {
            "it is about laws whose saltus is a power of two".to_owned()
        }
        Unproved::Uncovered { residue, below } => format!(
            "heaps of residue {residue} are not shown to have an option {below} below their value"
        ),
        Unproved::Unreached { value } => {
            format!("no heap that the check looks at has the value {value}")
        }
        Unproved::Modulus => "the modulus is no multiple of what the bound divides by".to_owned(),
        Unproved::StartTooEarly => "it cannot hold from so small a heap on".to_owned(),
        Unproved::Moves => "the moves are others".to_owned(),
        Unproved::Numeration => {
            "the numeration cannot say all that the rules and the law speak of".to_owned()
        }
        Unproved::Measures => "the measures do not weigh all coordinates".to_owned(),
        Unproved::Unreadable(what) => unreadable(*what).to_owned(),
        Unproved::NormalPlay => "it is about misère play, and here the last move wins".to_owned(),
    }
}

fn unreadable(what: Unreadable) -> &'static str {
    match what {
        Unreadable::Product => "two numbers that vary are multiplied",
        Unreadable::Divisor => "a divisor varies",
        Unreadable::Exponent => "an exponent, a base or a shift varies",
        Unreadable::Function => "a function such as `gcd` is no arithmetic of digits",
        Unreadable::Set => "a set such as the primes is not regular",
        Unreadable::Nested => "lists or moves are nested",
        Unreadable::Series => "how many components a move leaves varies",
        Unreadable::Arity => "a move leaves a component with another number of coordinates",
        Unreadable::Place => "a place of the row is no linear term",
    }
}

/// The law of an automaton, in one line.
fn automaton(law: &AutomatonLaw) -> String {
    let states = match law.automaton.accepting.len() {
        1 => "an automaton of 1 state".to_owned(),
        states => format!("an automaton of {states} states"),
    };
    let digits = numeration(law);
    let order = match law.order {
        Order::MostSignificantFirst => "most significant digit first",
        Order::LeastSignificantFirst => "least significant digit first",
    };
    let what = match law.says {
        Says::Value => "the value of every component".to_owned(),
        Says::PowerOfValue => "two to the value of every component".to_owned(),
        Says::Lost { components: 1 } => "which positions are lost".to_owned(),
        Says::Lost { components } => format!("which positions of {components} components are lost"),
    };
    format!("{states} tells {what}, read in {digits}, {order}")
}

/// How the automaton of a law reads numbers.
pub fn numeration(law: &AutomatonLaw) -> String {
    match law.numeration {
        Numeration::Base(base) => format!("base {base}"),
        Numeration::ZECKENDORF => "Zeckendorf's system".to_owned(),
        Numeration::Recurrence {
            factor: 2,
            before: 0,
        } => "the Pell numbers".to_owned(),
        Numeration::Recurrence { factor, before } => format!(
            "the system with the places U(n) = {factor} U(n-1) + U(n-2), U(0) = 1, U(-1) = {before}"
        ),
    }
}

/// A certificate was accepted: what is proved, one line each.
pub fn checked(theorem: &Theorem) -> Vec<String> {
    let mut lines = vec!["the certificate is right; it proves, for this game:".to_owned()];
    lines.extend(theorem.ruleset().lines().map(|line| format!("    {line}")));
    lines.extend(self::theorem(theorem));
    lines
}

/// A certificate is false.
pub fn refuted_certificate(refusal: &Refusal) -> String {
    format!("the certificate proves nothing: {}", self::refusal(refusal))
}
