//! The values of the components of a sum.

use grundy_rules::moves::Move;
use grundy_rules::{Component, Meter};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::answer::as_move;
use crate::outcome::{Outcome, Undecided};
use crate::solve::{Part, Solver};

/// The values of the components of a sum, and their nim-sum.
pub(super) struct Numbers {
    pub values: Vec<BigUint>,
    pub total: BigUint,
}

impl Numbers {
    /// The values of a sum.
    pub fn of(solver: &mut Solver, sum: &[Part], meter: &mut Meter) -> Result<Self, Undecided> {
        let mut values = Vec::with_capacity(sum.len());
        let mut total = BigUint::zero();
        for part in sum {
            let value = solver.value(part, meter)?.0.0;
            total ^= &value;
            values.push(value);
        }
        Ok(Self { values, total })
    }

    /// The value of a sum of components of one game.
    pub fn of_sum(
        solver: &mut Solver,
        game: usize,
        sum: &[Component],
        meter: &mut Meter,
    ) -> Result<BigUint, Undecided> {
        let parts = sum.iter().map(|component| Part {
            game,
            component: component.clone(),
        });
        let parts: Vec<Part> = parts.collect();
        Ok(Self::of(solver, &parts, meter)?.total)
    }

    /// The values after a move.
    pub fn after(
        &self,
        solver: &mut Solver,
        sum: &[Part],
        next: &Move,
        meter: &mut Meter,
    ) -> Result<Self, Undecided> {
        let mut values = self.values.clone();
        let mut total = self.total.clone();
        // From the last change on, so that the places before it stay.
        for change in next.changes.iter().rev() {
            let place = change.component;
            let mut new = Vec::with_capacity(change.to.len());
            for component in &change.to {
                let part = Part {
                    game: sum[place].game,
                    component: component.clone(),
                };
                new.push(solver.value(&part, meter)?.0.0);
            }
            total ^= &values[place];
            new.iter().for_each(|value| total ^= value);
            values.splice(place..=place, new);
        }
        Ok(Self { values, total })
    }

    pub fn outcome(&self) -> Outcome {
        if self.total.is_zero() {
            Outcome::P
        } else {
            Outcome::N
        }
    }

    /// A winning move, in the first component that has one to a smaller value: some component has
    /// a one in the highest place of the nim-sum.
    pub fn winning_move(
        &self,
        solver: &mut Solver,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<Option<Move>, Undecided> {
        let lowered = |value: &BigUint| value ^ &self.total;
        let Some(place) = self.values.iter().position(|v| lowered(v) < *v) else {
            return Ok(None);
        };
        let part = &sum[place];
        let found = solver.move_to(part, &lowered(&self.values[place]), meter)?;
        let option = found.expect("a component has options of all values below its own");
        let game = &solver.games()[part.game];
        Ok(Some(as_move(game, place, &part.component, option)))
    }
}
