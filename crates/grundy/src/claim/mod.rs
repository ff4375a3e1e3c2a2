//! A law that a person states, held against the exhaustive engine or against a proved law.

mod beyond;
mod decide;
pub(crate) mod order;
mod progression;
pub(crate) mod values;

use grundy_rules::claim::{Said, said};
use grundy_rules::given::{GivenFault, prepare};
use grundy_rules::ruleset::{Claim, Piece, Statement};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use crate::nimber::Nimber;
use crate::oracle::{NoValues, has_values};
use crate::outcome::{Outcome, Undecided};
use crate::proof::Proved;
use crate::shape::Shape;
use crate::solve::Part;
use order::{Boxed, Sums};
use values::Values;

pub use beyond::{Beyond, beyond};
pub use decide::decide;

/// How far a claim is held against the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The largest number examined at each coordinate. A claim about rows of any length is
    /// examined for all lengths up to this one.
    pub upto: Vec<u64>,
    /// The most components of a sum, for claims about sums.
    pub components: usize,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is so for every position, by a law that is proved.
    Proved {
        /// The theorem that proves the law.
        theorem: String,
        /// The digest of the certificate.
        certificate: String,
    },
    /// It is so for every position: that is what the certificate says.
    Certified(Box<Proved>),
    /// It is so for every position of the extent. That is no proof.
    Agrees {
        /// How many positions were examined.
        positions: u64,
    },
    /// It is not so for this position: the first one that was examined or that a law gives, or one of any size that
    /// automata found.
    Refuted(Box<Counterexample>),
    /// A limit was reached, or the rules cannot be solved.
    Undecided {
        /// Why.
        reason: Undecided,
        /// How many positions agreed before.
        positions: u64,
    },
}

/// A position of which a claim is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The position, as one would give it.
    pub position: Position,
    /// What the claim says of it.
    pub claimed: Claimed,
    /// What is so.
    pub actual: Actual,
}

/// What a claim says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Its Grundy value is this.
    Value(BigUint),
    /// It is lost.
    Lost,
    /// It is not lost.
    NotLost,
    /// It is lost iff this nim-sum is 0.
    NimSum(BigUint),
    /// The formula gives a negative number, which is no value.
    Negative(BigInt),
    /// The formula has no value here.
    Undefined,
    /// No piece of the formula speaks of it.
    NoPiece,
}

/// What is so for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actual {
    /// Its Grundy value.
    Value(Nimber),
    /// Who wins it.
    Outcome(Outcome),
}

/// Why a claim cannot be examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimFault {
    /// It speaks of Grundy values, and in this game they have no meaning.
    NoValues(NoValues),
    /// It speaks of components that this game does not have.
    NoSuchComponent(GivenFault),
    /// The extent has another number of coordinates than the claim.
    Extent {
        /// How many coordinates the claim has.
        coordinates: usize,
        /// How many the extent has.
        found: usize,
    },
}

/// Holds a claim against every position of an extent, the smallest first.
///
/// Positions are examined by the sum of their numbers, then, for rows and sums, by their length,
/// then in lexicographic order; so a counterexample is a least one. A claim speaks
/// of positions as they are given: where `start` completes them, of what it makes of them.
/// Components that its pattern does not match, or that break the declared order of a row, are
/// passed over; in an unordered game coordinates are taken in ascending order.
pub fn examine(
    ruleset: &Ruleset,
    claim: &Claim,
    extent: &Extent,
    meter: &mut Meter,
) -> Result<Verdict, ClaimFault> {
    let coordinates = claim.pattern.items.len();
    let any_length = claim.pattern.has_rest();
    if !any_length && coordinates != extent.upto.len() {
        return Err(ClaimFault::Extent {
            coordinates,
            found: extent.upto.len(),
        });
    }
    let valued = has_values(ruleset);
    if let (Statement::Grundy(_), Err(reason)) = (&claim.statement, valued) {
        return Err(ClaimFault::NoValues(reason));
    }
    let shape = Shape::of(ruleset);
    let mut examination = Examination {
        ruleset,
        claim,
        values: Values::new(ruleset, &shape, &extent.upto),
        positions: 0,
    };
    let stop = match &claim.statement {
        Statement::Grundy(pieces) => examination.grundy(pieces, extent, meter),
        Statement::Lost(_) => examination.lost(extent, meter),
        Statement::LostSum(pieces) => examination.lost_sum(pieces, extent, meter),
    };
    let positions = examination.positions;
    match stop {
        Ok(()) => Ok(Verdict::Agrees { positions }),
        Err(Stop::Refuted(counterexample)) => Ok(Verdict::Refuted(counterexample)),
        Err(Stop::Undecided(reason)) => Ok(Verdict::Undecided { reason, positions }),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}

/// Why an examination ends before its last position.
enum Stop {
    Refuted(Box<Counterexample>),
    Undecided(Undecided),
    Fault(ClaimFault),
}

impl<U: Into<Undecided>> From<U> for Stop {
    fn from(reason: U) -> Self {
        Self::Undecided(reason.into())
    }
}

impl Stop {
    fn refuted(position: Position, claimed: Claimed, actual: Actual) -> Self {
        Self::Refuted(Box::new(Counterexample {
            position,
            claimed,
            actual,
        }))
    }
}

struct Examination<'r> {
    ruleset: &'r Ruleset,
    claim: &'r Claim,
    values: Values<'r>,
    positions: u64,
}

/// A component that a claim speaks of.
struct Summand {
    given: Component,
    part: Part,
    /// The number that the claim gives it.
    claimed: BigUint,
    /// Its Grundy value; 0 in games where that has no meaning.
    value: u64,
}

impl Examination<'_> {
    fn grundy(&mut self, pieces: &[Piece], extent: &Extent, meter: &mut Meter) -> Result<(), Stop> {
        let mut boxed = Boxed::new(extent, self.claim.pattern.has_rest());
        while let Some(numbers) = boxed.next() {
            meter.spend(1)?;
            let given = Component::of_numbers(numbers.iter().copied());
            let Some(part) = self.part(&given, meter)? else {
                continue;
            };
            let Some(said) = self.said(pieces, &given, meter)? else {
                continue;
            };
            let value = self.values.value(&part, meter)?;
            match claimed_number(said) {
                Ok(number) if number == BigUint::from(value) => self.positions += 1,
                claimed => {
                    let claimed = claimed.map_or_else(|claimed| claimed, Claimed::Value);
                    let actual = Actual::Value(value.into());
                    return Err(Stop::refuted(Position(vec![given]), claimed, actual));
                }
            }
        }
        Ok(())
    }

    fn lost(&mut self, extent: &Extent, meter: &mut Meter) -> Result<(), Stop> {
        let Statement::Lost(guard) = &self.claim.statement else {
            return Ok(());
        };
        let mut boxed = Boxed::new(extent, self.claim.pattern.has_rest());
        while let Some(numbers) = boxed.next() {
            meter.spend(1)?;
            let given = Component::of_numbers(numbers.iter().copied());
            let Some(part) = self.part(&given, meter)? else {
                continue;
            };
            let Some(mut env) = self.claim.bind(self.ruleset, &given, meter)? else {
                continue;
            };
            let lost = env.holds(guard, meter)?;
            let outcome = self.values.outcome(&part, meter)?;
            if lost != (outcome == Outcome::P) {
                let claimed = if lost {
                    Claimed::Lost
                } else {
                    Claimed::NotLost
                };
                let actual = Actual::Outcome(outcome);
                return Err(Stop::refuted(Position(vec![given]), claimed, actual));
            }
            self.positions += 1;
        }
        Ok(())
    }

    fn lost_sum(
        &mut self,
        pieces: &[Piece],
        extent: &Extent,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let summands = self.summands(pieces, extent, meter)?;
        let sizes: Vec<u64> = summands
            .iter()
            .map(|summand| size(&summand.given))
            .collect();
        let mut sums = Sums::new(&sizes, extent.components);
        while let Some(chosen) = sums.next(meter)? {
            let chosen: Vec<&Summand> = chosen.iter().map(|index| &summands[*index]).collect();
            let nim_sum = chosen
                .iter()
                .fold(BigUint::zero(), |sum, summand| sum ^ &summand.claimed);
            let outcome = if self.values.decide() {
                let values = chosen.iter().map(|summand| summand.value);
                match values.fold(0, |sum, value| sum ^ value) {
                    0 => Outcome::P,
                    _ => Outcome::N,
                }
            } else {
                let parts: Vec<Part> = chosen.iter().map(|summand| summand.part.clone()).collect();
                self.values.outcome_of_sum(&parts, meter)?
            };
            if nim_sum.is_zero() != (outcome == Outcome::P) {
                let given = chosen.iter().map(|summand| summand.given.clone());
                let position = Position(given.collect());
                let claimed = Claimed::NimSum(nim_sum);
                return Err(Stop::refuted(position, claimed, Actual::Outcome(outcome)));
            }
            self.positions += 1;
        }
        Ok(())
    }

    /// The components of the extent that the claim speaks of, the smallest first. One to which
    /// the claim gives no natural number is a counterexample at once.
    fn summands(
        &mut self,
        pieces: &[Piece],
        extent: &Extent,
        meter: &mut Meter,
    ) -> Result<Vec<Summand>, Stop> {
        let mut summands = Vec::new();
        let mut boxed = Boxed::new(extent, self.claim.pattern.has_rest());
        while let Some(numbers) = boxed.next() {
            meter.spend(1)?;
            let given = Component::of_numbers(numbers.iter().copied());
            let Some(part) = self.part(&given, meter)? else {
                continue;
            };
            let Some(said) = self.said(pieces, &given, meter)? else {
                continue;
            };
            let claimed = match claimed_number(said) {
                Ok(number) => number,
                Err(claimed) => {
                    let actual = Actual::Outcome(self.values.outcome(&part, meter)?);
                    return Err(Stop::refuted(Position(vec![given]), claimed, actual));
                }
            };
            let value = if self.values.decide() {
                self.values.value(&part, meter)?
            } else {
                0
            };
            meter.allocate(SUMMAND_BYTES)?;
            summands.push(Summand {
                given,
                part,
                claimed,
                value,
            });
        }
        Ok(summands)
    }

    /// What a given component means; `None` if it is none of this game, or is another one's
    /// double.
    fn part(&self, given: &Component, meter: &mut Meter) -> Result<Option<Part>, Stop> {
        let row = self.ruleset.row.as_ref();
        let unordered = self.ruleset.unordered || row.is_some_and(|row| row.unordered);
        if unordered && !given.0.is_sorted() {
            return Ok(None);
        }
        match prepare(self.ruleset, &Position(vec![given.clone()]), meter) {
            Ok(mut prepared) => {
                let component = prepared.0.pop().expect("one component was given");
                Ok(Some(Part { game: 0, component }))
            }
            Err(GivenFault::Limit(limit)) => Err(limit.into()),
            Err(GivenFault::Order { .. } | GivenFault::NoStart { .. }) => Ok(None),
            Err(fault @ GivenFault::Coordinates { .. }) => {
                if self.claim.pattern.has_rest() {
                    Ok(None)
                } else {
                    Err(Stop::Fault(ClaimFault::NoSuchComponent(fault)))
                }
            }
        }
    }

    fn said(
        &self,
        pieces: &[Piece],
        given: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Said>, Limit> {
        match self.claim.bind(self.ruleset, given, meter)? {
            Some(mut env) => said(&mut env, pieces, meter).map(Some),
            None => Ok(None),
        }
    }
}

/// The bytes that one component of a claim about sums is counted as.
const SUMMAND_BYTES: u64 = 256;

/// The number that a formula gives, or why it gives no value.
fn claimed_number(said: Said) -> Result<BigUint, Claimed> {
    match said {
        Said::Number(n) => n.to_biguint().ok_or(Claimed::Negative(n)),
        Said::Undefined => Err(Claimed::Undefined),
        Said::Nothing => Err(Claimed::NoPiece),
    }
}

/// The sum of the numbers of a component within an extent.
fn size(component: &Component) -> u64 {
    let numbers = component.0.iter().filter_map(|item| match item {
        grundy_rules::Item::Number(n) => u64::try_from(n).ok(),
        grundy_rules::Item::List(_) => None,
    });
    numbers.fold(0, u64::saturating_add)
}
