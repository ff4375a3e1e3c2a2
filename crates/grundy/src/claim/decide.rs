//! Deciding a claim about all heaps at once, from a proved law.

use grundy_certificate::automatic::AutomatonLaw;
use grundy_certificate::{Law, Periodic, Theorem};
use grundy_rules::claim::said;
use grundy_rules::eval::Env;
use grundy_rules::ruleset::{Claim, PatternItem, Statement, Variable};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

use super::progression::{Affine, Interval, Progression, Says, Stop};
use super::{Actual, Claimed, Counterexample, Verdict, claimed_number};
use crate::answer::relation::first_contradiction;
use crate::answer::{Knowledge as _, Lawful};
use crate::nimber::Nimber;
use crate::outcome::Outcome;

/// The largest period along which a claim and a law are compared.
const MOST_PERIOD: u64 = 1 << 22;

/// Decides a claim about the components of a game for all of them, from a law that is proved.
///
/// Where the law is a period, `g(n + p) = g(n) + s` for all `n >= n0`, heaps below `n0` are examined one by one.
/// The others are parted into the progressions `n = q * x + r` of a multiple `q` of `p`; along each
/// the values are an affine function of `x`. So is what the claim says, on each of finitely many
/// intervals of `x`, if its formula is made of sums, products with constants, `/` and `mod` by
/// constants, `min`, `max`, `abs`, `gcd` and bit words with constants, and of comparisons,
/// divisibility and membership of such numbers; `q` grows until what is divided is divisible. Two
/// affine functions that differ do so at one of any two places; hence a claim is proved, or refuted
/// by its first counterexample, however large. That takes some steps for each heap of the preperiod and of the period
/// `q`, which is at most four million.
///
/// Where the law is an automaton, the claim becomes one that reads the same digits, and the two are compared as sets
/// (Büchi 1960); a counterexample has no other below it.
///
/// That a sum is lost iff a nim-sum vanishes is proved where the numbers are the values; other
/// numbers may do as well, and nothing is said of them.
///
/// `None` where the claim or the law is of another kind: then the claim may still be examined.
pub fn decide(
    ruleset: &Ruleset,
    claim: &Claim,
    theorem: &Theorem,
    automata: &mut grundy_automata::Meter,
    meter: &mut Meter,
) -> Result<Option<Verdict>, Limit> {
    if theorem.ruleset() != ruleset.canonical_text() {
        return Ok(None);
    }
    let compared = match (claim.pattern.items.as_slice(), theorem.law()) {
        ([PatternItem::Variable(variable)], Law::Periodic(law)) => {
            let comparison = Comparison {
                ruleset,
                claim,
                variable: *variable,
                law,
            };
            match comparison.run(meter) {
                Ok(found) => found.map_or(Compared::Same, Compared::Differ),
                Err(Stop::Outside) => Compared::Untold,
                Err(Stop::Limit(limit)) => return Err(limit),
                Err(Stop::Cut(_) | Stop::Enlarge(_)) => {
                    unreachable!("intervals are cut and periods enlarged where they are asked for")
                }
            }
        }
        (_, Law::Automaton(law)) => by_automata(ruleset, claim, theorem, law, automata, meter)?,
        _ => Compared::Untold,
    };
    Ok(match (compared, &claim.statement) {
        (Compared::Same, _) => Some(Verdict::Proved {
            theorem: theorem.name().to_owned(),
            certificate: theorem.digest().to_owned(),
        }),
        (Compared::Differ(_), Statement::LostSum(_)) | (Compared::Untold, _) => None,
        (Compared::Differ(found), _) => Some(Verdict::Refuted(Box::new(found))),
    })
}

/// A claim beside a law.
enum Compared {
    /// They say the same.
    Same,
    /// They do not, of this component.
    Differ(Counterexample),
    /// It cannot be told.
    Untold,
}

/// A claim beside the law of an automaton.
fn by_automata(
    ruleset: &Ruleset,
    claim: &Claim,
    theorem: &Theorem,
    law: &AutomatonLaw,
    automata: &mut grundy_automata::Meter,
    meter: &mut Meter,
) -> Result<Compared, Limit> {
    let mut numbers = match first_contradiction(ruleset, law, claim, automata) {
        None => return Ok(Compared::Untold),
        Some(Ok(())) => return Ok(Compared::Same),
        Some(Err(numbers)) => numbers,
    };
    // A claim about an unordered game speaks of coordinates in ascending order.
    if ruleset.unordered || ruleset.row.as_ref().is_some_and(|row| row.unordered) {
        numbers.sort_unstable();
    }
    let component = Component::of_numbers(numbers);
    let Some(known) = Lawful::proved(ruleset, theorem) else {
        return Ok(Compared::Untold);
    };
    let value = known.value(&component);
    let outcome = match &value {
        Some(value) => Some(outcome_of(value)),
        None => known.outcome(&Position(vec![component.clone()]), meter)?,
    };
    let difference = match outcome {
        Some(outcome) => difference(ruleset, claim, component, value, outcome, meter)?,
        None => None,
    };
    Ok(difference.map_or(Compared::Untold, Compared::Differ))
}

fn outcome_of(value: &BigUint) -> Outcome {
    if value.is_zero() {
        Outcome::P
    } else {
        Outcome::N
    }
}

/// The counterexample that a component with this value and outcome is, if it is one.
fn difference(
    ruleset: &Ruleset,
    claim: &Claim,
    given: Component,
    value: Option<BigUint>,
    outcome: Outcome,
    meter: &mut Meter,
) -> Result<Option<Counterexample>, Limit> {
    let Some(mut env) = claim.bind(ruleset, &given, meter)? else {
        return Ok(None);
    };
    let (claimed, actual) = match (&claim.statement, value) {
        (Statement::Grundy(pieces) | Statement::LostSum(pieces), Some(value)) => {
            match claimed_number(said(&mut env, pieces, meter)?) {
                Ok(number) if number == value => return Ok(None),
                Ok(number) => (Claimed::Value(number), Actual::Value(Nimber(value))),
                Err(claimed) => (claimed, Actual::Value(Nimber(value))),
            }
        }
        (Statement::Grundy(_) | Statement::LostSum(_), None) => return Ok(None),
        (Statement::Lost(guard), _) => match env.holds(guard, meter)? {
            lost if lost == (outcome == Outcome::P) => return Ok(None),
            true => (Claimed::Lost, Actual::Outcome(outcome)),
            false => (Claimed::NotLost, Actual::Outcome(outcome)),
        },
    };
    drop(env);
    Ok(Some(Counterexample {
        position: Position(vec![given]),
        claimed,
        actual,
    }))
}

/// A claim and a law of the same heaps.
struct Comparison<'c> {
    ruleset: &'c Ruleset,
    claim: &'c Claim,
    variable: Variable,
    law: &'c Periodic,
}

impl Comparison<'_> {
    /// The first heap at which they differ, if there is one.
    fn run(&self, meter: &mut Meter) -> Result<Option<Counterexample>, Stop> {
        for n in 0..self.law.preperiod {
            meter.spend(1)?;
            let difference = self.at(&n.into(), meter)?;
            if difference.is_some() {
                return Ok(difference);
            }
        }
        let mut period = self.law.period;
        let first = loop {
            match self.first_from_preperiod(period, meter) {
                Err(Stop::Enlarge(factor)) => {
                    let larger = factor.to_u64().and_then(|f| f.checked_mul(period));
                    let allowed = larger.filter(|period| *period <= MOST_PERIOD);
                    period = allowed.ok_or(Stop::Outside)?;
                }
                first => break first?,
            }
        };
        let Some(n) = first else { return Ok(None) };
        let difference = self.at(&n, meter)?;
        assert!(
            difference.is_some(),
            "what differs along a progression differs there"
        );
        Ok(difference)
    }

    /// The first heap from the preperiod on at which claim and law differ.
    fn first_from_preperiod(
        &self,
        period: u64,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Stop> {
        let mut first = None;
        for residue in 0..period {
            if let Some(n) = self.along(period, residue, first.as_ref(), meter)? {
                first = Some(n);
            }
        }
        Ok(first)
    }

    /// The first heap `period * x + residue`, below `before` if that is given, at which claim and
    /// law differ.
    fn along(
        &self,
        period: u64,
        residue: u64,
        before: Option<&BigUint>,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Stop> {
        let heap = |x: &BigInt| {
            let n: BigInt = x * period + residue;
            n.to_biguint().expect("x and the residue are natural")
        };
        let low = self.law.preperiod.saturating_sub(residue).div_ceil(period);
        let low = BigInt::from(low);
        let slope = BigInt::from(self.law.saltus) * (period / self.law.period);
        let values = Affine {
            constant: BigInt::from(self.value(&heap(&low))) - &slope * &low,
            slope,
        };
        let mut intervals = vec![Interval { low, high: None }];
        while let Some(interval) = intervals.pop() {
            meter.spend(1)?;
            let least = heap(&interval.low);
            if before.is_some_and(|before| least >= *before) {
                break;
            }
            if interval.high.as_ref() == Some(&interval.low) {
                if self.at(&least, meter)?.is_some() {
                    return Ok(Some(least));
                }
                continue;
            }
            let mut progression = Progression {
                env: Env::new(self.ruleset, &self.claim.scope, &[]),
                variable: self.variable,
                n: Affine {
                    slope: period.into(),
                    constant: residue.into(),
                },
                interval: interval.clone(),
                meter: &mut *meter,
            };
            let difference = match &self.claim.statement {
                Statement::Grundy(pieces) | Statement::LostSum(pieces) => {
                    progression.said(pieces).map(|says| match says {
                        Says::Number(number) if number == values => None,
                        Says::Number(number) => {
                            // They differ here, or else at the next place.
                            let agree = number.at(&interval.low) == values.at(&interval.low);
                            Some(&interval.low + u8::from(agree))
                        }
                        Says::Undefined | Says::Nothing => Some(interval.low.clone()),
                    })
                }
                Statement::Lost(guard) => {
                    let claimed = progression.holds(guard);
                    claimed.and_then(|claimed| {
                        let lost = interval.sign(&values)?.is_eq();
                        Ok((claimed != lost).then(|| interval.low.clone()))
                    })
                }
            };
            match difference {
                Ok(Some(x)) => return Ok(Some(heap(&x)).filter(|n| before.is_none_or(|b| n < b))),
                Ok(None) => {}
                Err(Stop::Cut(at)) => {
                    let below = &at - 1;
                    intervals.push(Interval {
                        low: at,
                        high: interval.high,
                    });
                    intervals.push(Interval {
                        low: interval.low,
                        high: Some(below),
                    });
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(None)
    }

    fn value(&self, n: &BigUint) -> BigUint {
        self.law
            .value(n)
            .expect("a proved law has a value for every heap")
    }

    /// The counterexample that a heap is, if it is one.
    fn at(&self, n: &BigUint, meter: &mut Meter) -> Result<Option<Counterexample>, Limit> {
        let value = self.value(n);
        let outcome = outcome_of(&value);
        let given = Component::of_numbers([n.clone()]);
        difference(self.ruleset, self.claim, given, Some(value), outcome, meter)
    }
}
