//! The values and outcomes of components, by the fastest engine that fits the rules.

use grundy_rules::ruleset::Play;
use grundy_rules::{Meter, Ruleset};

use crate::law::Sequence;
use crate::oracle::has_values;
use crate::outcome::{Outcome, Undecided};
use crate::shape::{Form, Shape};
use crate::solve::{Part, Query, Solver, Wanted};
use crate::table::{Plan, Quantity, Table, TableError};

/// What is known of the components of one game.
pub(crate) struct Values<'r> {
    valued: bool,
    solver: Solver<'r>,
    /// The values of heaps, where the shape of the rules is a known one.
    sequence: Option<Sequence<'r>>,
    /// Where it is not: how to tabulate, and the largest table so far.
    plan: Option<(Plan, Quantity)>,
    table: Option<Table>,
    /// The largest numbers that will be asked for.
    upto: &'r [u64],
}

/// The side of the first table; each later one is larger by this factor.
const FIRST_SIDE: u64 = 16;
/// See [`FIRST_SIDE`].
const FACTOR: u64 = 4;

impl<'r> Values<'r> {
    /// Nothing yet, of components with numbers up to these.
    pub(crate) fn new(ruleset: &'r Ruleset, shape: &'r Shape, upto: &'r [u64]) -> Self {
        let solver = Solver::new(std::slice::from_ref(ruleset));
        let valued = has_values(ruleset).is_ok();
        let quantity = match ruleset.play {
            Play::Normal => Quantity::Grundy,
            Play::Misere => Quantity::MisereOutcome,
        };
        let sequence = match shape.form {
            Form::Code(_) | Form::Classes(_) | Form::Takes(_) if valued => {
                Some(Sequence::new(ruleset, shape))
            }
            _ => None,
        };
        let plan = Plan::new(ruleset).ok();
        Self {
            valued,
            solver: solver.expect("one game can always stand alone in a sum"),
            plan: plan
                .filter(|plan| sequence.is_none() && plan.arity() == upto.len())
                .map(|plan| (plan, quantity)),
            sequence,
            table: None,
            upto,
        }
    }

    /// Whether Grundy values decide the game.
    pub(crate) fn decide(&self) -> bool {
        self.valued
    }

    /// The Grundy value of a component, in a game that values decide.
    pub(crate) fn value(&mut self, part: &Part, meter: &mut Meter) -> Result<u64, Undecided> {
        match self.looked_up(part, meter)? {
            Some(value) => Ok(value),
            None => self.solver.exhaustive_value(part, meter),
        }
    }

    /// The outcome of a component alone.
    pub(crate) fn outcome(&mut self, part: &Part, meter: &mut Meter) -> Result<Outcome, Undecided> {
        match self.looked_up(part, meter)? {
            Some(0) => Ok(Outcome::P),
            Some(_) => Ok(Outcome::N),
            None => self.outcome_of_sum(std::slice::from_ref(part), meter),
        }
    }

    /// The outcome of a sum, by search.
    pub(crate) fn outcome_of_sum(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<Outcome, Undecided> {
        let query = Query {
            moves: Wanted::None,
            distinct: false,
            limit: 0,
        };
        Ok(self.solver.answer(sum, query, meter)?.outcome)
    }

    /// The Grundy value of a component, in misère play 0 iff it is lost; `None` where no table has it.
    fn looked_up(&mut self, part: &Part, meter: &mut Meter) -> Result<Option<u64>, Undecided> {
        let numbers = grundy_rules::options::numbers(&part.component);
        let numbers: Option<Vec<u64>> =
            numbers.and_then(|numbers| numbers.into_iter().map(|n| n.try_into().ok()).collect());
        let Some(numbers) = numbers else {
            return Ok(None);
        };
        if let (Some(sequence), [n]) = (&mut self.sequence, numbers.as_slice()) {
            let Ok(n) = usize::try_from(*n) else {
                return Ok(None);
            };
            sequence.extend_to(n.saturating_add(1), meter)?;
            return Ok(Some(sequence.values().at(n)));
        }
        let within = numbers.len() == self.upto.len()
            && numbers.iter().zip(self.upto).all(|(n, upto)| n <= upto);
        if !within {
            return Ok(None);
        }
        loop {
            let known = self.table.as_ref().and_then(|table| table.value(&numbers));
            if known.is_some() || self.plan.is_none() {
                return Ok(known);
            }
            self.enlarge(meter)?;
        }
    }

    /// Computes a larger table; gives tables up where the rules do not fit.
    fn enlarge(&mut self, meter: &mut Meter) -> Result<(), Undecided> {
        let Some((plan, quantity)) = &self.plan else {
            return Ok(());
        };
        let side = match &self.table {
            None => FIRST_SIDE,
            Some(table) => {
                let side = table.bounds().iter().max().copied().unwrap_or(0);
                side.saturating_mul(FACTOR).max(FIRST_SIDE)
            }
        };
        let bounds: Vec<u64> = self.upto.iter().map(|upto| side.min(*upto)).collect();
        let is_largest = self
            .table
            .as_ref()
            .is_some_and(|table| table.bounds() == bounds);
        if is_largest {
            // It lacks a component that it should have.
            self.plan = None;
            return Ok(());
        }
        match plan.tabulate(&bounds, *quantity, meter, &mut |_| {}) {
            Ok(table) => self.table = Some(table),
            Err(TableError::Limit(limit)) => return Err(limit.into()),
            Err(TableError::Unfit(_) | TableError::Dimensions { .. }) => self.plan = None,
        }
        Ok(())
    }
}
