//! Laws that automata decide, what a search for one came to, and sweeps over families of games.

use std::path::Path;

use grundy_automata::{Error, Limit};
use grundy_certificate::Law;
use grundy_certificate::automatic::{AutomatonLaw, Says as Said};
use grundy_rules::ruleset::Ruleset;
use num_bigint::BigUint;

use super::laws::first_values;
use super::{law, no_proof, outside_automata, periodicity, proved_by};
use crate::discover::{
    Attempt, Element, Equation, FamilyFault, Fate, Finding, Found, NoSearch, Reading, Report,
    Representation, Scope, Seen,
};
use crate::law::LawReport;
use crate::proof::automatic::{Says, Undecided};

/// How many relations between sections are written out.
const MOST_EQUATIONS: usize = 16;
/// How many values of the first heaps are written out.
const MOST_VALUES: usize = 32;

/// The names of the numbers of a position.
fn names(scope: Scope) -> Vec<String> {
    match (scope.coordinates, scope.components) {
        (1, 1) => vec!["n".to_owned()],
        (coordinates, components) => {
            let all = coordinates * components;
            let letters = ["x", "y", "z", "w"];
            let name = |at: usize| match letters.get(at) {
                Some(letter) if all <= letters.len() => (*letter).to_owned(),
                _ => format!("x{}", at + 1),
            };
            (0..all).map(name).collect()
        }
    }
}

/// What the tracks of the automaton of a law are, in order.
pub fn tracks(found: &Found) -> String {
    named_tracks(found.scope, found.says)
}

fn named_tracks(scope: Scope, says: Says) -> String {
    let mut all = names(scope);
    match says {
        Says::Value => all.push("v".to_owned()),
        Says::PowerOfValue => all.push("2^v".to_owned()),
        Says::Lost { .. } => {}
    }
    format!("({})", all.join(", "))
}

/// The same of a law that was proved.
pub fn tracks_of(law: &AutomatonLaw) -> String {
    let (says, components) = match law.says {
        Said::Value => (Says::Value, 1),
        Said::PowerOfValue => (Says::PowerOfValue, 1),
        Said::Lost { components } => (Says::Lost { components }, components),
    };
    let scope = Scope {
        coordinates: law.arity,
        components,
    };
    named_tracks(scope, says)
}

/// Why a file for a drawing was not written.
pub fn nothing_drawn(file: &str) -> String {
    format!("no automaton was found for the law: {file} is not written")
}

/// A law that an automaton decides, as a sentence.
pub fn regular_law(found: &Found) -> String {
    let numbers = names(found.scope);
    let parts = numbers.chunks(found.scope.coordinates.max(1));
    let parts: Vec<String> = parts.map(|part| part.join(", ")).collect();
    let subject = match (found.says, found.scope) {
        (Says::Lost { .. }, _) => {
            let parts = parts.iter().map(|part| format!("[{part}]"));
            let parts: Vec<String> = parts.collect();
            format!("{} is lost", parts.join(" + "))
        }
        (_, Scope { coordinates: 1, .. }) => "g(n) = v".to_owned(),
        _ => format!("g({}) = v", parts.join(", ")),
    };
    let encoding = found.relation.encoding();
    format!(
        "{subject} iff {} is accepted in {encoding}, by an automaton of {} states",
        tracks(found),
        found.relation.automaton().states(),
    )
}

/// What a person reads of such a law, one line each.
pub fn reading(reading: &Reading) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(period) = reading.period {
        lines.push(format!("it repeats: {}", periodicity(period)));
    }
    if !reading.values.is_empty() {
        let values = reading.values.iter().take(MOST_VALUES);
        let values: Vec<String> = values.map(ToString::to_string).collect();
        lines.push(format!("values: {} …", values.join(" ")));
    }
    if !reading.few.is_empty() {
        let told = reading.few.iter();
        let told = told.map(|(numbers, value)| format!("{}:{value}", joined(numbers)));
        let told: Vec<String> = told.collect();
        lines.push(format!("values: {} …", told.join(" ")));
    }
    if !reading.lost.is_empty() {
        let lost = reading.lost.iter().map(|tuple| joined(tuple));
        let lost: Vec<String> = lost.collect();
        lines.push(format!("lost: {} …", lost.join(" ")));
    }
    lines
}

fn joined<N: ToString>(numbers: &[N]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

/// How a law is known that automata derive: by a certificate, or by their word alone.
pub fn derived(game: &Ruleset, found: &Found) -> String {
    let why = match &found.proof {
        Ok(proved) => return proved_by(&proved.theorem),
        Err(why) => not_decided(game, why),
    };
    let sides: Vec<String> = found.sides.iter().map(ToString::to_string).collect();
    format!(
        "conjecture: learned from a table of {} positions, and derived from the rules for all sizes by automata, {}; \
         not certified: {why}",
        sides.join(" × "),
        found.judged,
    )
}

/// A digit recursion that values show, and the first of them.
pub fn recursion_seen(seen: &Seen, upto: u64) -> [String; 2] {
    let values = first_values(|heap| match seen {
        Seen::Law(law) => law.value(heap),
        Seen::Sections(sections) => sections.value(heap),
    });
    let said = recursion(seen);
    [
        format!("conjecture, seen for heaps 0 to {upto}: {said}"),
        values,
    ]
}

/// The same without how it is known.
pub fn recursion(seen: &Seen) -> String {
    match seen {
        Seen::Law(said) => law(said),
        Seen::Sections(said) => sections(said),
    }
}

/// How values follow from those of the heap without its last digit, and the first ones of them.
pub fn sections(said: &Representation) -> String {
    let all = said.equations().count();
    let shown = said.equations().take(MOST_EQUATIONS);
    let equations = shown.map(|Equation { left, right }| {
        let mut sum = String::new();
        // The constant and the number are the first elements, and read last.
        let is_section = |element: &Element| matches!(element, Element::Section { .. });
        let (sections, others): (Vec<_>, Vec<_>) = right
            .terms
            .iter()
            .map(|(element, factor)| (&said.elements()[*element], *factor))
            .partition(|(element, _)| is_section(element));
        for (element, factor) in sections.into_iter().chain(others.into_iter().rev()) {
            let sign = match (factor < 0, sum.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let size = factor.unsigned_abs();
            let times = if size == 1 {
                String::new()
            } else {
                size.to_string()
            };
            let name = match element {
                Element::One => size.to_string(),
                Element::Number | Element::Section { .. } => format!("{times}{}", section(element)),
            };
            sum.push_str(sign);
            sum.push_str(&name);
        }
        let sum = match (right.terms.as_slice(), right.over) {
            ([], _) => "0".to_owned(),
            (_, 1) => sum,
            ([_], over) => format!("{sum}/{over}"),
            (_, over) => format!("({sum})/{over}"),
        };
        format!("{} = {sum}", section(&left))
    });
    let mut equations: Vec<String> = equations.collect();
    if all > equations.len() {
        equations.push(format!(
            "… ({all} relations; the sections span {} dimensions)",
            said.elements().len()
        ));
    }
    let first = said.first_terms().into_iter();
    let first: Vec<String> = first
        .map(|(n, value)| format!("g({n}) = {value}"))
        .collect();
    let first = if first.is_empty() {
        String::new()
    } else {
        format!("; {}", first.join(", "))
    };
    format!("{}, for all n{first}", equations.join("; "))
}

/// An element of a basis of sections.
pub fn section(element: &Element) -> String {
    match element {
        Element::One => "1".to_owned(),
        Element::Number => "n".to_owned(),
        Element::Section { scale, residue } => {
            let scaled = match scale {
                1 => "n".to_owned(),
                scale => format!("{scale}n"),
            };
            match residue {
                0 => format!("g({scaled})"),
                residue => format!("g({scaled}+{residue})"),
            }
        }
    }
}

/// That values show no digit recursion.
pub fn no_recursion(upto: u64) -> String {
    format!(
        "digit recursions: heaps 0 to {upto} show no links between heaps of equal value, and no relations between sections \
         g(b^e n + r) of up to {} dimensions in base b = {}",
        Representation::MOST_ELEMENTS,
        Representation::BASES
            .map(|base| base.to_string())
            .join(", ")
    )
}

/// What a search for a law by automata came to that found none, one line each.
pub fn no_regular_law(
    game: &Ruleset,
    scope: Scope,
    report: &Result<Report, NoSearch>,
) -> Vec<String> {
    let place = match (scope.coordinates, scope.components) {
        (1, 1) => String::new(),
        (1, heaps) => format!(" of {heaps} heaps"),
        (numbers, _) => format!(" of {numbers} numbers"),
    };
    let report = match report {
        Err(NoSearch::Outside(outside)) => {
            return vec![format!("automata: {}", outside_automata(game, *outside))];
        }
        Err(NoSearch::NoTable) => {
            return vec![format!("automata: no table{place} to learn from")];
        }
        Err(NoSearch::Limit(_)) => {
            return vec![format!("automata: the limits ended the search{place}")];
        }
        Ok(report) => report,
    };
    let sides: Vec<String> = report.sides.iter().map(ToString::to_string).collect();
    let mut lines = vec![format!(
        "automata: none found{place} within these limits, from {} positions; that is no proof that there is no law",
        sides.join(" × ")
    )];
    lines.extend(
        report
            .attempts
            .iter()
            .map(|attempt| format!("  {}", tried(game, attempt))),
    );
    lines
}

/// One way of saying a law that was tried.
fn tried(game: &Ruleset, attempt: &Attempt) -> String {
    let what = match attempt.says {
        Says::Value => "values",
        Says::PowerOfValue => "powers of two of values",
        Says::Lost { .. } => "lost positions",
    };
    let fate = match &attempt.fate {
        Fate::Open => "all guesses were wrong within the table".to_owned(),
        Fate::States => "more states than are allowed".to_owned(),
        Fate::Refuted(1, position) => {
            format!("a guess was refuted at {}", game.position_text(position))
        }
        Fate::Refuted(guesses, position) => format!(
            "{guesses} guesses were refuted, the last at {}",
            game.position_text(position)
        ),
        Fate::Undecided(why) => format!("a guess was not decided: {}", not_decided(game, why)),
        Fate::Derived => "derived".to_owned(),
    };
    format!("{what} in {}: {fate}", attempt.encoding)
}

/// Why automata decide neither that a law is right nor that it is wrong.
fn not_decided(game: &Ruleset, why: &Undecided) -> String {
    match why {
        Undecided::Automata(Error::Limit(Limit::States(states))) => {
            format!("an automaton would have more than {states} states")
        }
        Undecided::Automata(Error::Limit(_)) => "it takes more work than is allowed".to_owned(),
        Undecided::Automata(Error::Letters) => "too many numbers are read at a time".to_owned(),
        Undecided::Automata(_) => "the numeration system cannot say the rules".to_owned(),
        Undecided::NoMeasure => "nothing shows that play ends".to_owned(),
        Undecided::Unreadable(_) => "the checker does not read such rules or laws".to_owned(),
        Undecided::Refused(_) => "the limits ended the check of its certificate".to_owned(),
        Undecided::Unconfirmed(_, position) => format!(
            "it is wrong at or below {}, which is beyond search",
            game.position_text(position)
        ),
    }
}

/// A finding in one line of a table: what kind of law it is, the law, and how it is known or why there is none.
pub fn finding(game: &Ruleset, finding: &Finding) -> [String; 3] {
    let three = |a: &str, b: String, c: String| [a.to_owned(), b, c];
    if let Some(LawReport::Proved(proved)) = &finding.checks {
        let theorem = &proved.theorem;
        let evidence = format!("proved: {}", theorem.name());
        let kind = match theorem.law() {
            Law::TakeUpTo(_) | Law::Pointers(_) | Law::Recursion(_) => "digit recursion",
            _ => "finite check",
        };
        return three(kind, law(theorem.law()), evidence);
    }
    let mut found: Vec<&Found> = finding.found().collect();
    found.sort_by_key(|found| (!found.says.has_value(), found.proof.is_err()));
    if let Some(found) = found.first() {
        let kind = match (found.says.has_value(), found.proof.is_ok()) {
            (true, true) => "automaton",
            (true, false) => "automaton without a certificate",
            (false, true) => "automaton of outcomes",
            (false, false) => "automaton of outcomes without a certificate",
        };
        return three(kind, regular_law(found), derived(game, found));
    }
    let reports = finding.automata.iter();
    let tried = reports.flat_map(|(scope, report)| no_regular_law(game, *scope, report));
    let mut tried: Vec<String> = tried.map(|line| line.trim().to_owned()).collect();
    if let Some((seen, upto)) = finding.seen() {
        return three(
            "conjecture",
            recursion(seen),
            format!("conjecture, seen to heap {upto}"),
        );
    }
    tried.extend(
        finding
            .recurrence
            .as_ref()
            .map(|none| no_recursion(none.upto)),
    );
    match &finding.checks {
        Some(LawReport::Conjecture { law, upto, why }) => {
            let why = no_proof(Some(game), why);
            let evidence = format!("conjecture, seen to heap {upto}; {why}");
            three("conjecture", periodicity(*law), evidence)
        }
        _ => three("none found", String::new(), tried.join("; ")),
    }
}

/// A table for holding a law against was not had.
pub fn not_held(upto: u64) -> String {
    format!("; not held against heaps to {upto}: no such table within the limits")
}

/// A law is wrong for a position.
pub fn contradicted_at(numbers: &[BigUint]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("WRONG: the table says otherwise at {}", numbers.join(","))
}

/// What became of a sweep.
pub fn swept(done: usize, all: usize, kinds: &[(&str, usize)], seconds: f64) -> String {
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    format!(
        "{done} of {all} games in {seconds:.1} s of work: {}",
        kinds.join(", ")
    )
}

/// Why a file is no family of games.
pub fn family_fault(path: &Path, fault: &FamilyFault) -> String {
    let path = path.display();
    match fault {
        FamilyFault::NoList { line } => {
            format!("{path}:{line}: write `choose NAME` before the first rules")
        }
        FamilyFault::Line { line } => {
            format!("{path}:{line}: write `NAME: RULES`, or `choose NAME` for a new list")
        }
        FamilyFault::Empty => format!("{path}: each `choose NAME` needs entries `NAME: RULES`"),
        FamilyFault::Twice { line } => format!("{path}:{line}: the list has this name already"),
        FamilyFault::TooMany => format!("{path}: the lists make too many games"),
        FamilyFault::Rules {
            lines,
            text,
            faults,
        } => {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let faults = if *faults == 1 {
                "a fault".to_owned()
            } else {
                format!("{faults} faults")
            };
            format!(
                "{path}: lines {} make rules with {faults}: {text}",
                lines.join(", ")
            )
        }
    }
}
