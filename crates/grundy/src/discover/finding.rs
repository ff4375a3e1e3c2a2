//! The law of a game by every way in turn: finite checks, then automata, then longer tables.

use grundy_automata::{Formula, Meter as AutomataMeter, Solver, Variable};
use grundy_certificate::{Law, Periodic};
use grundy_rules::{Component, Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::sample::Sample;
use super::{
    Effort, Found, MOST_VALUES, NoSearch, Report, Representation, Scope, contradiction, recursions,
    representation, scopes, search,
};
use crate::answer::relation::{relation_of, repeating};
use crate::answer::{Knowledge as _, Regular};
use crate::claim::Extent;
use crate::claim::order::Boxed;
use crate::law::{LawReport, Periodicity, Sequence, discover, shown};
use crate::oracle::has_values;
use crate::outcome::Evidence;
use crate::proof::automatic::{self, Certification, Game, Holds, Says, certify, links};
use crate::proof::{Method, Proved};
use crate::shape::{Form, Shape};

/// What was found about the law of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// What finite checks of values came to; `None` where automata found a law of values and no theorem with a finite
    /// check speaks of such rules.
    pub checks: Option<LawReport>,
    /// What automata came to, for each kind of position that was looked at.
    pub automata: Vec<(Scope, Result<Report, NoSearch>)>,
    /// What a look for digit recursions came to, where nothing else says what the values are.
    pub recurrence: Option<Recurrence>,
}

/// What a look for digit recursions came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The largest heap looked at.
    pub upto: u64,
    /// What the values show, and nothing proves.
    pub seen: Option<Seen>,
}

/// A digit recursion that values show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Heaps have affine values, or those of smaller heaps.
    Law(Law),
    /// Sections of the values are combinations of others.
    Sections(Representation),
}

impl Finding {
    /// The theorem with its certificate, if there is one: about values sooner than about outcomes.
    pub fn proved(&self) -> Option<&Proved> {
        if let Some(LawReport::Proved(proved)) = &self.checks {
            return Some(proved);
        }
        let mut found: Vec<&Found> = self.found().filter(|found| found.proof.is_ok()).collect();
        found.sort_by_key(|found| !found.says.has_value());
        found.first()?.proof.as_ref().ok().map(Box::as_ref)
    }

    /// The digit recursion that values show, if they do, and the largest heap looked at.
    pub fn seen(&self) -> Option<(&Seen, u64)> {
        let recurrence = self.recurrence.as_ref()?;
        Some((recurrence.seen.as_ref()?, recurrence.upto))
    }

    /// Whether automata found a law of values.
    fn has_values(&self) -> bool {
        self.found().any(|found| found.says.has_value())
    }

    /// The laws that automata derive.
    pub fn found(&self) -> impl Iterator<Item = &Found> {
        let reports = self.automata.iter();
        reports.filter_map(|(_, report)| report.as_ref().ok()?.found.as_ref())
    }
}

/// How far finite checks look before automata are tried.
const FIRST_LOOK: u64 = 1 << 12;
/// What they may spend then.
const FIRST_STEPS: u64 = 1 << 27;
/// How many heaps are looked at for a digit recursion.
const RECURSION_LOOK: u64 = MOST_VALUES;
/// How often a period is seen that is one.
const LEAST_LAPS: u64 = 4;
/// The most components of which sums are looked at where values do not decide them.
const MOST_COMPONENTS: usize = 6;
/// The most of which sums are looked at though nothing was found for fewer.
const MOST_UNFOUND: usize = 3;

/// Looks for the law of a game, and where none is proved for a pattern in the values of heaps up to `upto`.
pub fn find(ruleset: &Ruleset, upto: Option<u64>, effort: &Effort, meter: &mut Meter) -> Finding {
    let mut finding = find_proof(ruleset, upto, effort, meter);
    let is_open = finding.checks.is_none() && finding.seen().is_none();
    if is_open && !finding.has_values() {
        finding.checks = Some(discover(ruleset, upto, meter));
    }
    finding
}

/// Looks for a law of a game that can be proved.
///
/// Finite checks come first, where theorems with such checks speak of the rules. If small heaps prove nothing,
/// automata are tried; where these find no law of values either, digit recursions, and finite checks of all heaps up to `upto`.
pub fn find_proof(
    ruleset: &Ruleset,
    upto: Option<u64>,
    effort: &Effort,
    meter: &mut Meter,
) -> Finding {
    let first = FIRST_LOOK.min(upto.unwrap_or(u64::MAX));
    let mut checks = None;
    let labelled = has_values(ruleset).is_err() && scopes(ruleset) == [1];
    if labelled || is_checked(&Shape::of(ruleset)) {
        let (report, _) = meter.capped(FIRST_STEPS, |meter| discover(ruleset, Some(first), meter));
        let is_proved = matches!(report, LawReport::Proved(_));
        checks = Some(report);
        if is_proved {
            return Finding {
                checks,
                automata: Vec::new(),
                recurrence: None,
            };
        }
    }
    let mut automata = effort.meter(meter);
    let judged = match &checks {
        Some(LawReport::Conjecture { law, upto, .. }) => {
            judged(ruleset, *law, *upto, effort, &mut automata, meter)
        }
        _ => None,
    };
    let mut finding = Finding {
        checks,
        automata: match judged {
            Some(found) => vec![found],
            None => by_automata(ruleset, effort, &mut automata, meter),
        },
        recurrence: None,
    };
    if !finding.has_values() && !labelled && scopes(ruleset) == [1] {
        let reports = finding.automata.iter().flat_map(|(_, report)| report);
        let known = reports.map(|report| report.values.clone()).next();
        let known = known.unwrap_or_default();
        match recurring(ruleset, known, effort, meter) {
            Recurring::Proved(proved) => {
                finding.checks = Some(LawReport::Proved(proved));
                return finding;
            }
            Recurring::Seen(recurrence) => finding.recurrence = recurrence,
        }
    }
    let is_longer = upto.is_none_or(|upto| upto > first);
    if finding.checks.is_some() && is_longer && !finding.has_values() {
        finding.checks = Some(discover(ruleset, upto, meter));
    }
    finding
}

/// A pattern that repeats, which values of heaps up to a number show and no finite check proves, where automata prove it.
fn judged(
    ruleset: &Ruleset,
    law: Periodicity,
    upto: u64,
    effort: &Effort,
    automata: &mut AutomataMeter,
    meter: &mut Meter,
) -> Option<(Scope, Result<Report, NoSearch>)> {
    let scope = Scope {
        coordinates: 1,
        components: 1,
    };
    let game = Game::new(ruleset, scope.coordinates).ok()?;
    let length = law.preperiod.checked_add(law.period)?;
    let mut sequence = Sequence::new(ruleset, &Shape::of(ruleset));
    sequence
        .extend_to(usize::try_from(length).ok()?, meter)
        .ok()?;
    let repeats = Periodic {
        preperiod: law.preperiod,
        period: law.period,
        saltus: law.saltus,
        values: sequence.values().first(usize::try_from(length).ok()?),
    };
    let law = automatic::Law {
        says: Says::Value,
        holds: Holds::Formula(repeating(&repeats, Says::Value)?),
        system: game.system()?,
    };
    let judge = |automata: &mut _| certify(ruleset, &game, &law, automata, meter);
    let (states, steps) = (effort.judging.states, effort.judging.steps);
    let Ok(Certification::Proved(proved)) = automata.capped(states, steps, judge).0 else {
        return None;
    };
    let Law::Automaton(automaton) = proved.theorem.law() else {
        return None;
    };
    let relation = relation_of(automaton)?;
    let found = Found {
        scope,
        says: law.says,
        judged: relation.encoding().order,
        relation,
        sides: vec![upto.saturating_add(1)],
        proof: Ok(proved),
    };
    let report = Report {
        sides: found.sides.clone(),
        values: Vec::new(),
        found: Some(found),
        attempts: Vec::new(),
    };
    Some((scope, Ok(report)))
}

/// What became of a look for digit recursions.
enum Recurring {
    Proved(Box<Proved>),
    /// `None` where there is no table, or the values seem to repeat.
    Seen(Option<Recurrence>),
}

/// A digit recursion that the values of heaps show, if they do; of some they may be known.
fn recurring(ruleset: &Ruleset, known: Vec<u64>, effort: &Effort, meter: &mut Meter) -> Recurring {
    let look = |count: u64, meter: &mut Meter| {
        let look = |meter: &mut Meter| first_values(ruleset, count, meter);
        meter.capped(effort.table_steps, look).0
    };
    let values = if known.len() as u64 == RECURSION_LOOK {
        known
    } else {
        look(RECURSION_LOOK, meter)
    };
    let Some(upto) = (values.len() as u64).checked_sub(1) else {
        return Recurring::Seen(None);
    };
    let mut automata = effort.meter(meter);
    let mut first = None;
    for law in recursions(&values) {
        if let Some(proved) = links(ruleset, &law, &mut automata, meter) {
            return Recurring::Proved(Box::new(proved));
        }
        first.get_or_insert(law);
    }
    // What the digits before the last ones tell may seem to repeat once or twice; what repeats often is a period.
    let is_seen_often = |law: Periodicity| LEAST_LAPS * (law.preperiod + law.period) <= upto;
    if shown(&values).is_some_and(is_seen_often) {
        return Recurring::Seen(None);
    }
    if let Some(law) = first {
        let seen = Some(Seen::Law(law));
        return Recurring::Seen(Some(Recurrence { upto, seen }));
    }
    if effort.sections == 0 {
        return Recurring::Seen(Some(Recurrence { upto, seen: None }));
    }
    let more = look(effort.sections, meter);
    let values = if more.is_empty() { values } else { more };
    let upto = values.len() as u64 - 1;
    let seen = representation(&values, meter).map(Seen::Sections);
    Recurring::Seen(Some(Recurrence { upto, seen }))
}

/// Whether a theorem with a finite check speaks of such rules.
fn is_checked(shape: &Shape) -> bool {
    matches!(shape.form, Form::Takes(_)) || Method::of(shape).is_ok()
}

/// What automata find, for each number of coordinates, and of components where values do not decide sums.
pub fn by_automata(
    ruleset: &Ruleset,
    effort: &Effort,
    automata: &mut AutomataMeter,
    meter: &mut Meter,
) -> Vec<(Scope, Result<Report, NoSearch>)> {
    let valued = has_values(ruleset).is_ok();
    let mut all = Vec::new();
    for coordinates in scopes(ruleset) {
        let most = if valued || coordinates > 1 || !ruleset.endings.is_empty() {
            1
        } else {
            MOST_COMPONENTS
        };
        for components in 1..=most {
            let scope = Scope {
                coordinates,
                components,
            };
            let report = search(ruleset, scope, effort, automata, meter);
            let is_found = matches!(&report, Ok(report) if report.found.is_some());
            let is_over = matches!(report, Err(NoSearch::Limit(_)));
            all.push((scope, report));
            if is_over {
                return all;
            }
            if !is_found && components >= MOST_UNFOUND {
                break;
            }
        }
    }
    all
}

/// What a person reads of a law besides the automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The values of the first heaps, where it is about heaps of one number.
    pub values: Vec<u64>,
    /// The values of the smallest components, where these have several numbers.
    pub few: Vec<(Vec<u64>, BigUint)>,
    /// That the values repeat, if they do; it follows from the law.
    pub period: Option<Periodicity>,
    /// The first lost positions, where it is about those.
    pub lost: Vec<Vec<BigUint>>,
}

/// How many heaps are looked at for a period.
const LOOKED_AT: u32 = 1 << 9;
/// How many lost positions are told, and how many components of several numbers with their values.
const MOST_TOLD: usize = 16;

impl Reading {
    /// The reading of a law.
    pub fn of(ruleset: &Ruleset, found: &Found, automata: &mut AutomataMeter) -> Self {
        let mut reading = Self::default();
        if !found.says.has_value() {
            let mut tuples = found.relation.tuples();
            while reading.lost.len() < MOST_TOLD
                && let Ok(Some(tuple)) = tuples.next(automata)
            {
                reading.lost.push(tuple);
            }
            return reading;
        }
        let evidence = Evidence::Conjecture { upto: 0u8.into() };
        let law = Regular::new(ruleset, found, evidence);
        if found.scope.coordinates > 1 {
            let corner = Extent {
                upto: vec![MOST_TOLD as u64; found.scope.coordinates],
                components: 1,
            };
            let mut smallest = Boxed::new(&corner, false);
            while reading.few.len() < MOST_TOLD
                && let Some(numbers) = smallest.next()
            {
                let component = Component::of_numbers(numbers.iter().copied());
                let value = law.value(&component);
                let told = value.map(|value| (numbers.to_vec(), value));
                reading.few.extend(told);
            }
        } else {
            let value = |n: u32| law.value(&Component::of_numbers([n]))?.to_u64();
            reading.values = (0..LOOKED_AT).map_while(value).collect();
            let seen = shown(&reading.values).filter(|_| found.says == Says::Value);
            reading.period = seen.filter(|law| repeats(found, *law, automata));
        }
        reading
    }
}

/// Whether `g(n+p) = g(n)+s` for all `n >= n0` follows from a law of heaps.
fn repeats(found: &Found, law: Periodicity, automata: &mut AutomataMeter) -> bool {
    let [n, later, value, then] = [0, 1, 2, 3].map(Variable);
    let number = |n: u64| num_bigint::BigInt::from(n);
    let mut solver = Solver::new(found.relation.encoding().clone());
    if solver.define("law", found.relation.clone()).is_err() {
        return false;
    }
    let all = vec![
        Formula::less_equal(number(law.preperiod), n),
        Formula::named("law", [n, value]),
        Formula::equal(later, n + number(law.period)),
        Formula::equal(then, value + number(law.saltus)),
        Formula::named("law", [later, then]).negated(),
    ];
    let differs = Formula::exists([n, later, value, then], Formula::And(all));
    solver.decide(&differs, automata) == Ok(false)
}

/// What became of a law that was held against a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// It is so for all of it, or there is no law.
    Agrees,
    /// It is not so for this position.
    Contradicted(Vec<BigUint>),
    /// There is no table so large within the meter.
    NotTabulated,
}

/// Holds the laws of heaps in a finding against all heaps up to a number.
pub fn hold(ruleset: &Ruleset, finding: &Finding, upto: u64, meter: &mut Meter) -> Held {
    let one = Scope {
        coordinates: 1,
        components: 1,
    };
    let mut found = finding
        .found()
        .filter(|found| found.scope == one)
        .peekable();
    let proved = match &finding.checks {
        Some(LawReport::Proved(proved)) => Some(proved.theorem.law()),
        _ => None,
    };
    if found.peek().is_none() && proved.is_none() {
        return Held::Agrees;
    }
    let Some(sample) = Sample::new(ruleset, &[upto.saturating_add(1)], meter) else {
        return Held::NotTabulated;
    };
    for found in found {
        if let Some(wrong) = contradiction(&sample, found.says, &found.relation) {
            return Held::Contradicted(wrong.first);
        }
    }
    if let Some(law) = proved {
        for n in 0..=upto {
            let value = law.value(&n.into()).and_then(|value| value.to_u64());
            if value != sample.at(&[n], Says::Value) {
                return Held::Contradicted(vec![n.into()]);
            }
        }
    }
    Held::Agrees
}

/// The values of the first heaps, as far as they are had.
pub fn first_values(ruleset: &Ruleset, count: u64, meter: &mut Meter) -> Vec<u64> {
    let sample = Sample::new(ruleset, &[count], meter);
    let sample = sample.filter(Sample::has_values);
    let value = |n: u64| sample.as_ref()?.at(&[n], Says::Value);
    (0..count).map_while(value).collect()
}
