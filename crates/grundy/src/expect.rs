//! The tests that a game's file states, run against the exhaustive engine.

use std::collections::BTreeSet;

use grundy_rules::given::{GivenFault, prepare};
use grundy_rules::options::{complete, normalise};
use grundy_rules::ruleset::{Expectation, ExpectationKind};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::law::{self, Periodicity, Sequence};
use crate::nimber::Nimber;
use crate::oracle::{NoValues, has_values};
use crate::outcome::{Outcome, Undecided};
use crate::proof::{self, Method};
use crate::shape::{Form, Shape};
use crate::solve::{Part, Query, Solver, Wanted, after};

/// What became of one expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is so; a law was proved.
    Passed,
    /// It speaks of all heaps, and it is so for those up to this one. That is no proof.
    AgreesTo(u64),
    /// It is not so.
    Failed(Failure),
    /// A limit was reached, or the rules cannot be solved.
    Undecided(Undecided),
}

/// How an expectation is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The position is none of this game.
    NotAPosition {
        /// The position.
        position: Position,
        /// Why.
        fault: GivenFault,
    },
    /// It speaks of Grundy values, and in this game they have no meaning.
    NoValues(NoValues),
    /// A position has another value; the first one, where several are expected.
    Value {
        /// The position.
        position: Position,
        /// What the file says.
        expected: BigUint,
        /// What it is.
        actual: Nimber,
    },
    /// A position is not won, or not lost.
    Outcome {
        /// The position.
        position: Position,
        /// What the file says.
        expected: Outcome,
        /// What it is.
        actual: Outcome,
    },
    /// A position has another number of winning moves.
    MoveCount {
        /// The position.
        position: Position,
        /// What the file says.
        expected: BigUint,
        /// What it is.
        actual: BigUint,
    },
    /// The winning moves lead elsewhere.
    MoveResults {
        /// The position.
        position: Position,
        /// Expected positions that no winning move leads to, ascending.
        missing: Vec<Position>,
        /// Positions that winning moves lead to and the file does not name, ascending.
        unexpected: Vec<Position>,
    },
    /// The values show another law.
    Law {
        /// What the file says; `None` for `no law`.
        expected: Option<Periodicity>,
        /// What the values show.
        actual: Option<Periodicity>,
        /// The last heap of the table.
        upto: u64,
    },
}

/// Runs the tests that the file of a game states, in file order.
///
/// The meter pays for all of them; where it stops, what is left is undecided.
pub fn run<'r>(ruleset: &'r Ruleset, meter: &mut Meter) -> Vec<(&'r Expectation, Verdict)> {
    let mut examiner = Examiner::new(ruleset);
    let expectations = ruleset.expectations.iter();
    expectations
        .map(|expectation| (expectation, examiner.examine(&expectation.kind, meter)))
        .collect()
}

/// Runs expectations of one game one by one, and remembers what it computed.
pub struct Examiner<'r> {
    ruleset: &'r Ruleset,
    solver: Solver<'r>,
    /// The values of the heaps 0, 1, …, as far as they are known.
    heaps: Vec<u64>,
}

/// Why an expectation did not pass.
enum No {
    Failure(Failure),
    Undecided(Undecided),
}

impl From<Failure> for No {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl<U: Into<Undecided>> From<U> for No {
    fn from(undecided: U) -> Self {
        Self::Undecided(undecided.into())
    }
}

impl<'r> Examiner<'r> {
    /// An examiner that knows nothing yet.
    pub fn new(ruleset: &'r Ruleset) -> Self {
        let solver = Solver::new(std::slice::from_ref(ruleset));
        Self {
            ruleset,
            solver: solver.expect("one game can always stand alone in a sum"),
            heaps: Vec::new(),
        }
    }

    /// Whether it is as expected.
    pub fn examine(&mut self, expected: &ExpectationKind, meter: &mut Meter) -> Verdict {
        let examined = match expected {
            ExpectationKind::Grundy(values) => self.values(values, meter),
            ExpectationKind::Value(position, value) => self.value(position, value, meter),
            ExpectationKind::Won(position) => self.outcome(position, Outcome::N, meter),
            ExpectationKind::Lost(position) => self.outcome(position, Outcome::P, meter),
            ExpectationKind::MoveCount(position, count) => self.move_count(position, count, meter),
            ExpectationKind::MoveResults(position, results) => {
                self.move_results(position, results, meter)
            }
            ExpectationKind::Law {
                period,
                saltus,
                preperiod,
            } => self.law(period, saltus, preperiod, meter),
            ExpectationKind::NoLawBelow(heaps) => self.no_law(heaps, meter),
        };
        match examined {
            Ok(verdict) => verdict,
            Err(No::Failure(failure)) => Verdict::Failed(failure),
            Err(No::Undecided(undecided)) => Verdict::Undecided(undecided),
        }
    }

    /// Makes sure that the values of the first `count` heaps are known.
    fn tabulate(&mut self, count: usize, meter: &mut Meter) -> Result<(), No> {
        has_values(self.ruleset).map_err(Failure::NoValues)?;
        while self.heaps.len() < count {
            let heap = heap(self.heaps.len() as u64);
            let value = self.nimber(&heap, meter)?;
            self.heaps.push(value);
        }
        Ok(())
    }

    /// The nim-sum of the components' values.
    fn nimber(&mut self, position: &Position, meter: &mut Meter) -> Result<u64, No> {
        let mut sum = 0;
        for part in self.parts(position, meter)? {
            sum ^= self.solver.exhaustive_value(&part, meter)?;
        }
        Ok(sum)
    }

    fn parts(&self, position: &Position, meter: &mut Meter) -> Result<Vec<Part>, No> {
        let prepared = prepare(self.ruleset, position, meter).map_err(|fault| match fault {
            GivenFault::Limit(limit) => No::from(limit),
            fault => No::from(Failure::NotAPosition {
                position: position.clone(),
                fault,
            }),
        })?;
        let components = prepared.0.into_iter();
        Ok(components
            .map(|component| Part { game: 0, component })
            .collect())
    }

    fn values(&mut self, expected: &[BigUint], meter: &mut Meter) -> Result<Verdict, No> {
        for (index, expected) in expected.iter().enumerate() {
            self.tabulate(index + 1, meter)?;
            let actual = self.heaps[index];
            if *expected != BigUint::from(actual) {
                return Err(Failure::Value {
                    position: heap(index as u64),
                    expected: expected.clone(),
                    actual: actual.into(),
                }
                .into());
            }
        }
        Ok(Verdict::Passed)
    }

    fn value(
        &mut self,
        position: &Position,
        expected: &BigUint,
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        has_values(self.ruleset).map_err(Failure::NoValues)?;
        let actual = Nimber::from(self.nimber(position, meter)?);
        if actual.0 == *expected {
            return Ok(Verdict::Passed);
        }
        Err(Failure::Value {
            position: position.clone(),
            expected: expected.clone(),
            actual,
        }
        .into())
    }

    fn outcome(
        &mut self,
        position: &Position,
        expected: Outcome,
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        let parts = self.parts(position, meter)?;
        let query = Query {
            moves: Wanted::None,
            distinct: false,
            limit: 0,
        };
        let actual = self.solver.answer(&parts, query, meter)?.outcome;
        if actual == expected {
            return Ok(Verdict::Passed);
        }
        Err(Failure::Outcome {
            position: position.clone(),
            expected,
            actual,
        }
        .into())
    }

    fn move_count(
        &mut self,
        position: &Position,
        expected: &BigUint,
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        let parts = self.parts(position, meter)?;
        let query = Query {
            moves: Wanted::Count,
            distinct: false,
            limit: 0,
        };
        let answer = self.solver.answer(&parts, query, meter)?;
        let best = answer.moves?.count.expect("the count was asked for");
        // In a drawn position the best moves keep the draw; none wins.
        let actual = if answer.outcome == Outcome::N {
            best
        } else {
            BigUint::default()
        };
        if actual == *expected {
            return Ok(Verdict::Passed);
        }
        Err(Failure::MoveCount {
            position: position.clone(),
            expected: expected.clone(),
            actual,
        }
        .into())
    }

    fn move_results(
        &mut self,
        position: &Position,
        expected: &[Position],
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        let parts = self.parts(position, meter)?;
        let query = Query {
            moves: Wanted::All,
            distinct: true,
            limit: usize::MAX,
        };
        let answer = self.solver.answer(&parts, query, meter)?;
        let winning = if answer.outcome == Outcome::N {
            answer.moves?.listed
        } else {
            Vec::new()
        };
        let actual: BTreeSet<Position> = winning
            .iter()
            .map(|winning| {
                let parts = after(&parts, winning).into_iter();
                Position(parts.map(|part| part.component).collect()).sorted()
            })
            .collect();
        let mut wanted = BTreeSet::new();
        for result in expected {
            wanted.insert(self.result(result, meter)?);
        }
        if actual == wanted {
            return Ok(Verdict::Passed);
        }
        Err(Failure::MoveResults {
            position: position.clone(),
            missing: wanted.difference(&actual).cloned().collect(),
            unexpected: actual.difference(&wanted).cloned().collect(),
        }
        .into())
    }

    /// A position written as the result of a move, in the form in which moves give it.
    fn result(&self, written: &Position, meter: &mut Meter) -> Result<Position, Limit> {
        let mut components = Vec::with_capacity(written.0.len());
        for component in &written.0 {
            let completed = complete(self.ruleset, component.clone(), false, meter)?;
            let component = completed.unwrap_or_else(|| component.clone());
            components.push(normalise(self.ruleset, component));
        }
        Ok(Position(components).sorted())
    }

    fn law(
        &mut self,
        period: &BigUint,
        saltus: &BigUint,
        preperiod: &BigUint,
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        let number = |n: &BigUint| n.to_u64().ok_or(Limit::Steps);
        let expected = Periodicity {
            preperiod: number(preperiod)?,
            period: number(period)?,
            saltus: number(saltus)?,
        };
        let whole = expected.preperiod.saturating_add(expected.period);
        let count = whole.saturating_mul(2).saturating_add(MORE_HEAPS);
        let shape = Shape::of(self.ruleset);
        let Ok(method) = Method::of(&shape) else {
            return self.shows(Some(expected), count, meter);
        };
        has_values(self.ruleset).map_err(Failure::NoValues)?;
        let mut sequence = Sequence::new(self.ruleset, &shape);
        let needed = method.values_needed(expected).unwrap_or(0).max(count);
        sequence.extend_to(length(needed)?, meter)?;
        let verdict = shows(Some(expected), &sequence.values().first(usize::MAX))?;
        let proved = proof::periodic(self.ruleset, &method, expected, &sequence, meter);
        Ok(proved.map_or(verdict, |_| Verdict::Passed))
    }

    fn no_law(&mut self, heaps: &BigUint, meter: &mut Meter) -> Result<Verdict, No> {
        let count = heaps.to_u64().ok_or(Limit::Steps)?;
        self.shows(None, count, meter)
    }

    /// Whether the values of the first `count` heaps show just this law, or none.
    fn shows(
        &mut self,
        expected: Option<Periodicity>,
        count: u64,
        meter: &mut Meter,
    ) -> Result<Verdict, No> {
        let count = length(count)?;
        let shape = Shape::of(self.ruleset);
        if let Form::Other(_) = shape.form {
            self.tabulate(count, meter)?;
            return shows(expected, &self.heaps[..count]);
        }
        has_values(self.ruleset).map_err(Failure::NoValues)?;
        let mut sequence = Sequence::new(self.ruleset, &shape);
        sequence.extend_to(count, meter)?;
        shows(expected, &sequence.values().first(usize::MAX))
    }
}

/// A number of values as a length.
fn length(count: u64) -> Result<usize, Limit> {
    usize::try_from(count).map_err(|_| Limit::Bytes)
}

/// Whether values show just this law, or none.
fn shows(expected: Option<Periodicity>, values: &[u64]) -> Result<Verdict, No> {
    let actual = law::shown(values);
    let upto = (values.len() as u64).saturating_sub(1);
    if actual == expected {
        return Ok(Verdict::AgreesTo(upto));
    }
    Err(Failure::Law {
        expected,
        actual,
        upto,
    }
    .into())
}

/// How many heaps more than [`law::shown`] asks for are held against an expected law.
const MORE_HEAPS: u64 = 32;

fn heap(n: u64) -> Position {
    Position(vec![Component::of_numbers([n])])
}
