//! How many heaps, and how many sums of heaps, have a given value.

pub mod bounded;
mod from_law;
mod spectrum;

use std::collections::BTreeMap;

use grundy_certificate::Law;
use grundy_certificate::automatic::AutomatonLaw;
use grundy_rules::given::{GivenFault, prepare};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use crate::answer::{Knowledge as _, Lawful, relation};
use crate::claim::values::Values as Known;
use crate::discover::Effort;
use crate::oracle::has_values;
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::shape::Shape;
use crate::solve::Part;
use crate::tabulate::{Area, Entry, tabulate};
use crate::theorem;
pub use bounded::Order;
use spectrum::{MOST_LOW_BITS, Values};

/// Which positions are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The smallest heap that may occur.
    pub from: BigUint,
    /// The largest.
    pub to: BigUint,
    /// How many heaps a position has; at least 1.
    pub heaps: u32,
    /// The value that is counted; 0 counts the lost positions.
    pub value: BigUint,
    /// Whether positions that differ by the order of their heaps alone are one.
    pub multisets: bool,
}

/// How many positions there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number.
    pub count: BigUint,
    /// How it is known.
    pub evidence: Evidence,
}

/// Why positions cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCount {
    /// The components of the game are not heaps of one number.
    NotHeaps,
    /// A value was asked for, and values have no meaning in this game.
    NoValues(crate::oracle::NoValues),
    /// A limit was reached, or play need not end.
    Undecided(Undecided),
    /// The law is known, but it is of a kind from which such positions are not counted.
    NoMethod,
}

impl<U: Into<Undecided>> From<U> for NoCount {
    fn from(reason: U) -> Self {
        Self::Undecided(reason.into())
    }
}

/// The most heaps whose values are looked up one by one.
const MOST_HEAPS: u64 = 1 << 24;

/// Counts the positions of a game of heaps of one number.
///
/// With a law, whose evidence is passed on, heaps may be of any size; from a periodic law they are
/// counted by their value, and sums of several heaps by the spectrum of these numbers. Without a
/// law, or where it is of another kind, the values of all heaps in question are looked up. In games
/// that values do not decide, every sum is solved.
///
/// # Errors
///
/// Why there is no number; see [`NoCount`].
pub fn count(
    ruleset: &Ruleset,
    question: &Question,
    law: Option<&Lawful>,
    meter: &mut Meter,
) -> Result<Count, NoCount> {
    if question.from > question.to {
        return Ok(Count {
            count: BigUint::zero(),
            evidence: Evidence::Exhaustive { upto: None },
        });
    }
    if let Some(known) = law {
        let count = match known.law() {
            Some(Law::Automaton(law)) if !ruleset.starts.is_empty() => {
                completed(ruleset, law, question, meter)
            }
            Some(law) => from_law::count(law, question, meter)?,
            None => {
                let value = |heap: &BigUint| known.value(&Component::of_numbers([heap.clone()]));
                from_law::one_by_one(&value, question, meter)?
            }
        };
        return Ok(Count {
            count: count.ok_or(NoCount::NoMethod)?,
            evidence: known.evidence(),
        });
    }
    if let Some(count) = published(ruleset, question, meter)? {
        return Ok(count);
    }
    let shape = Shape::of(ruleset);
    let (from, to) = match (question.from.to_u64(), question.to.to_u64()) {
        (Some(from), Some(to)) if to <= MOST_HEAPS => (from, to),
        _ => return Err(Limit::Steps.into()),
    };
    let evidence = Evidence::Exhaustive {
        upto: Some(question.to.clone()),
    };
    let upto = [to];
    let mut known = Known::new(ruleset, &shape, &upto);
    let count = match has_values(ruleset) {
        Ok(()) => {
            let mut census = Census::default();
            for n in from..=to {
                meter.spend(1)?;
                census.add(known.value(&part(ruleset, n, meter)?, meter)?);
            }
            census.count(question, meter)?
        }
        Err(reason) if !question.value.is_zero() => return Err(NoCount::NoValues(reason)),
        Err(_) => {
            let mut parts = Vec::new();
            for n in from..=to {
                meter.allocate(PART_BYTES)?;
                parts.push(part(ruleset, n, meter)?);
            }
            lost_sums(&mut known, question, &parts, meter)?
        }
    };
    Ok(Count { count, evidence })
}

/// The number of heaps that mean lost components, by the law of these.
fn completed(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    question: &Question,
    meter: &Meter,
) -> Option<BigUint> {
    if question.heaps != 1 || !question.value.is_zero() {
        return None;
    }
    let mut automata = Effort::default().meter(meter);
    let mut below = |end| relation::completed_below(ruleset, law, end, &mut automata);
    Some(below(&(&question.to + 1u8))? - below(&question.from)?)
}

/// The number of lost positions of one component, where a theorem of the literature tells it.
///
/// # Errors
///
/// A limit of the meter.
pub fn published(
    ruleset: &Ruleset,
    question: &Question,
    meter: &mut Meter,
) -> Result<Option<Count>, Limit> {
    if question.heaps != 1 || !question.value.is_zero() {
        return Ok(None);
    }
    for known in theorem::known(ruleset) {
        let below = known.lost_below(&question.from, meter)?;
        let upto = known.lost_below(&(&question.to + 1u8), meter)?;
        if let (Some(below), Some(upto)) = (below, upto) {
            return Ok(Some(Count {
                count: upto - below,
                evidence: known.evidence(),
            }));
        }
    }
    Ok(None)
}

/// Counts the sums of heaps, each at most its bound, that are lost or have a value above 0, where a theorem tells how
/// many; `None` where none does.
///
/// # Errors
///
/// A limit of the meter.
pub fn sums_in_box(
    ruleset: &Ruleset,
    bounds: &[BigUint],
    value: &BigUint,
    order: Order,
    meter: &mut Meter,
) -> Result<Option<Count>, Limit> {
    for known in theorem::known(ruleset) {
        if let Some(count) = known.sums_in_box(bounds, value, order, meter)? {
            return Ok(Some(Count {
                count,
                evidence: known.evidence(),
            }));
        }
    }
    Ok(None)
}

/// Counts the components with numbers up to these, or sums of heaps, that are lost or have a value above 0, from a law that
/// an automaton decides: in time polynomial in the number of digits. `None` where the law does not tell.
///
/// # Errors
///
/// A limit of the meter.
pub fn from_law_in_box(
    ruleset: &Ruleset,
    law: &Lawful,
    bounds: &[BigUint],
    value: &BigUint,
    order: Order,
    meter: &mut Meter,
) -> Result<Option<Count>, Limit> {
    let Some(Law::Automaton(automaton)) = law.law() else {
        return Ok(None);
    };
    // What is given is what the law speaks of.
    if !ruleset.starts.is_empty() {
        return Ok(None);
    }
    let mut automata = Effort::default().meter(meter);
    let in_order = order == Order::Nondecreasing;
    let count = relation::count_in_box(ruleset, automaton, bounds, value, in_order, &mut automata);
    meter.spend(bounds.iter().map(BigUint::bits).sum())?;
    Ok(count.map(|count| Count {
        count,
        evidence: law.evidence(),
    }))
}

/// Counts the places of a table that are lost, or that have a value above 0; all of them, or those whose
/// numbers do not descend.
///
/// # Errors
///
/// Why there is no number; see [`NoCount`].
pub fn count_in_box(
    ruleset: &Ruleset,
    area: &Area,
    value: &BigUint,
    order: Order,
    meter: &mut Meter,
    done: &dyn Fn(u64),
) -> Result<Count, NoCount> {
    let table = tabulate(ruleset, area.clone(), meter, done);
    match (&table.undecided, table.values) {
        (Some(undecided), _) => return Err(NoCount::Undecided(undecided.clone())),
        (None, Err(reason)) if !value.is_zero() => return Err(NoCount::NoValues(reason)),
        _ => {}
    }
    let is_wanted = |entry: &Entry| match entry {
        Entry::Value(found) => *value == BigUint::from(*found),
        other => other.is_lost(),
    };
    let in_order = |index: u64| order == Order::Any || area.numbers(index).is_sorted();
    let entries = (0..).zip(table.entries.iter());
    let found = entries.filter(|(index, entry)| is_wanted(entry) && in_order(*index));
    Ok(Count {
        count: found.count().into(),
        evidence: Evidence::Exhaustive { upto: None },
    })
}

/// The bytes that one heap is counted as.
const PART_BYTES: u64 = 128;

/// What a heap means in these rules.
fn part(ruleset: &Ruleset, heap: u64, meter: &mut Meter) -> Result<Part, NoCount> {
    let given = Position(vec![Component::of_numbers([heap])]);
    match prepare(ruleset, &given, meter) {
        Ok(mut prepared) => Ok(Part {
            game: 0,
            component: prepared.0.pop().expect("one component was given"),
        }),
        Err(GivenFault::Limit(limit)) => Err(limit.into()),
        Err(_) => Err(NoCount::NotHeaps),
    }
}

/// How many heaps have each value.
#[derive(Default)]
struct Census {
    heaps: BTreeMap<u64, BigUint>,
}

impl Census {
    fn add(&mut self, value: u64) {
        *self.heaps.entry(value).or_default() += 1u8;
    }

    /// How many positions of such heaps are asked for.
    fn count(&self, question: &Question, meter: &mut Meter) -> Result<BigUint, Limit> {
        if question.heaps == 1 {
            let value = question.value.to_u64();
            let heaps = value.and_then(|value| self.heaps.get(&value));
            return Ok(heaps.cloned().unwrap_or_default());
        }
        let largest = self.heaps.keys().max().copied().unwrap_or(0);
        let low_bits = largest.checked_ilog2().map_or(0, |log| log + 1);
        if low_bits > MOST_LOW_BITS {
            return Err(Limit::Steps);
        }
        let mut values = Values::new(low_bits);
        for (value, heaps) in &self.heaps {
            values.add_number(&(*value).into(), &BigInt::from(heaps.clone()));
        }
        sums(&values, question, meter)
    }
}

/// How many sums of members of a family are asked for.
fn sums(values: &Values, question: &Question, meter: &mut Meter) -> Result<BigUint, Limit> {
    let spectrum = values.spectrum(&question.value, meter)?;
    if question.multisets {
        spectrum.multisets(question.heaps, meter)
    } else {
        spectrum.tuples(question.heaps, meter)
    }
}

/// The number of lost positions, each one solved by search.
fn lost_sums(
    known: &mut Known,
    question: &Question,
    parts: &[Part],
    meter: &mut Meter,
) -> Result<BigUint, Undecided> {
    let length = usize::try_from(question.heaps).map_err(|_| Limit::Bytes)?;
    meter.allocate(u64::from(question.heaps) * 8)?;
    let last = parts.len() - 1;
    let mut heaps = vec![0; length];
    let mut count = BigUint::zero();
    loop {
        meter.spend(1 + u64::from(question.heaps))?;
        let sum: Vec<Part> = heaps.iter().map(|heap| parts[*heap].clone()).collect();
        if known.outcome_of_sum(&sum, meter)? == Outcome::P {
            count += if question.multisets {
                BigUint::one()
            } else {
                orders(&heaps)
            };
        }
        // The next ascending list.
        let Some(place) = heaps.iter().rposition(|heap| *heap < last) else {
            return Ok(count);
        };
        let next = heaps[place] + 1;
        heaps[place..].fill(next);
    }
}

/// In how many orders an ascending list can be written.
fn orders(ascending: &[usize]) -> BigUint {
    let factorial = |n: usize| (1..=n).map(BigUint::from).product::<BigUint>();
    let equal = ascending.chunk_by(|a, b| a == b);
    let same: BigUint = equal.map(|run| factorial(run.len())).product();
    factorial(ascending.len()) / same
}
