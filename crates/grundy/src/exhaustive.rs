//! Exhaustive search by the quickest of the engines that takes a question.

use grundy_rules::{Component, Item, Limit, Meter, Position, Ruleset};
use num_traits::ToPrimitive;

use crate::law::Sequence;
use crate::oracle::{Oracle, has_values};
use crate::outcome::{Outcome, Undecided};
use crate::search::Search;
use crate::shape::Shape;
use crate::table::{Plan, Quantity, Table, TableError};

/// Values and outcomes of one game by exhaustive search, each computed once.
///
/// Small questions are searched, position by position. Where that takes long, values come from
/// a table of all components up to the largest one asked for, if the rules and the memory
/// allow it; what both do not understand is left to the oracle.
pub struct Exhaustive<'r> {
    search: Search<'r>,
    oracle: Oracle<'r>,
    /// The values of heaps in order, where there is a kernel for them.
    sequence: Option<Sequence<'r>>,
    /// `None` if the rules are not for tables.
    plan: Option<Plan>,
    table: Option<Table>,
    /// The largest coordinates asked for.
    wanted: Vec<u64>,
    /// How many steps are still searched before a table is tried.
    patience: u64,
}

/// How many steps of search are cheap beside a table.
const PATIENCE: u64 = 1 << 20;

impl<'r> Exhaustive<'r> {
    /// A search that knows nothing yet.
    pub fn new(ruleset: &'r Ruleset) -> Self {
        let shape = Shape::of(ruleset);
        Self {
            search: Search::new(ruleset),
            oracle: Oracle::new(ruleset),
            sequence: has_kernel(ruleset, &shape).then(|| Sequence::new(ruleset, &shape)),
            plan: Plan::new(ruleset).ok(),
            table: None,
            wanted: Vec::new(),
            patience: PATIENCE,
        }
    }

    /// Says that the value of a component will be asked for, so that one table serves all
    /// questions.
    pub fn expect(&mut self, component: &Component) {
        let arity = self.plan.as_ref().map(Plan::arity);
        let Some(numbers) = numbers(component).filter(|numbers| arity == Some(numbers.len()))
        else {
            return;
        };
        self.wanted.resize(numbers.len(), 0);
        for (wanted, number) in self.wanted.iter_mut().zip(numbers) {
            *wanted = number.max(*wanted);
        }
    }

    /// The Grundy value of a component, in normal play and as part of a disjunctive sum.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a component.
    pub fn grundy_value(
        &mut self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<u64, Undecided> {
        if let (Some(sequence), Some([heap])) = (&mut self.sequence, numbers(component).as_deref())
        {
            let heap = heap
                .to_usize()
                .filter(|heap| *heap < usize::MAX)
                .ok_or(Limit::Bytes)?;
            sequence.extend_to(heap + 1, meter)?;
            return Ok(sequence.values().at(heap));
        }
        if let Some(value) = self.tabulated(component) {
            return Ok(value);
        }
        if self.plan.is_some() {
            let patience = self.patience;
            let (searched, spent) = meter.capped(patience, |meter| self.searched(component, meter));
            self.patience -= spent;
            let gave_up = [Limit::Steps, Limit::Bytes].map(|limit| Err(Undecided::Limit(limit)));
            if !gave_up.contains(&searched) {
                return searched;
            }
            self.expect(component);
            self.grow(meter)?;
            if let Some(value) = self.tabulated(component) {
                return Ok(value);
            }
        }
        self.searched(component, meter)
    }

    /// The outcome of a whole position, by the positions that its moves lead to.
    ///
    /// # Errors
    ///
    /// Undecided at a limit of the meter and where play can return to a position.
    pub fn outcome(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Outcome, Undecided> {
        if let Some(outcome) = self.search.outcome(position, meter)? {
            return Ok(outcome);
        }
        self.oracle.outcome(position, meter)
    }

    fn tabulated(&self, component: &Component) -> Option<u64> {
        self.table.as_ref()?.value(&numbers(component)?)
    }

    fn searched(&mut self, component: &Component, meter: &mut Meter) -> Result<u64, Undecided> {
        if let Some(value) = self.search.grundy_value(component, meter)? {
            return Ok(value);
        }
        self.oracle.grundy_value(component, meter)
    }

    /// Makes a table up to what is wanted, in place of the one before.
    fn grow(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let mut bounds = self.wanted.clone();
        if let Some(table) = self.table.take() {
            // Questions that grow step by step must not make a table at each step.
            for (bound, before) in bounds.iter_mut().zip(table.bounds()) {
                if *bound > *before {
                    *bound = (*bound).max(before + before / 2);
                }
                *bound = (*bound).max(*before);
            }
            meter.release(table.bytes());
        }
        match plan.tabulate(&bounds, Quantity::Grundy, meter, &mut |_| ()) {
            Ok(table) => self.table = Some(table),
            // The search may reach less than the whole box.
            Err(TableError::Limit(Limit::Bytes)) => {}
            Err(TableError::Limit(limit)) => return Err(limit),
            Err(TableError::Unfit(_) | TableError::Dimensions { .. }) => self.plan = None,
        }
        Ok(())
    }
}

/// Whether the values of heaps are best computed by [`Sequence`].
pub(crate) fn has_kernel(ruleset: &Ruleset, shape: &Shape) -> bool {
    has_values(ruleset).is_ok() && Sequence::has_kernel(shape)
}

/// The coordinates of a tuple of machine integers.
fn numbers(component: &Component) -> Option<Vec<u64>> {
    let number = |item: &Item| match item {
        Item::Number(number) => number.to_u64(),
        Item::List(_) => None,
    };
    component.0.iter().map(number).collect()
}
