//! Games of one component whose lost positions are known.

use grundy_rules::moves::Move;
use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Item, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::answer::few::{Few, options_to};
use crate::answer::{Knowledge, MoveSet, Reason, as_move};
use crate::outcome::{Evidence, Outcome};

/// The lost positions of a game that is played with one component.
pub(super) trait Lost {
    /// Whether a component is lost; `None` for a component of another form.
    fn is_lost(&self, component: &Component, meter: &mut Meter) -> Result<Option<bool>, Limit>;
    /// How a component is found lost or not; `None` where the statement says it.
    fn reason(&self, _component: &Component, _: &mut Meter) -> Result<Option<Reason>, Limit> {
        Ok(None)
    }
    /// Components among which are all lost options, as they are written.
    fn lost_options(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit>;
    /// How many of the components that are given as one number below `end` are lost.
    fn lost_below(
        &self,
        _ruleset: &Ruleset,
        _end: &BigUint,
        _meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        Ok(None)
    }
}

/// A game whose lost positions a theorem gives.
pub(super) struct Alone<'g, L> {
    pub ruleset: &'g Ruleset,
    pub lost: L,
    pub citation: &'static str,
}

/// The numbers of a component; `None` if it has lists in it.
pub(super) fn numbers(component: &Component) -> Option<Vec<&BigUint>> {
    let numbers = component.0.iter().map(|item| match item {
        Item::Number(n) => Some(n),
        Item::List(_) => None,
    });
    numbers.collect()
}

impl<L: Lost> Knowledge for Alone<'_, L> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: self.citation.to_owned(),
        }
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        match position.0.as_slice() {
            [component] => self.lost.reason(component, meter),
            _ => Ok(None),
        }
    }

    fn outcome(&self, position: &Position, meter: &mut Meter) -> Result<Option<Outcome>, Limit> {
        let outcome = |lost| if lost { Outcome::P } else { Outcome::N };
        match position.0.as_slice() {
            [] => Ok(Some(outcome(self.ruleset.play == Play::Normal))),
            [component] => Ok(self.lost.is_lost(component, meter)?.map(outcome)),
            _ => Ok(None),
        }
    }

    fn lost_below(&self, end: &BigUint, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        self.lost.lost_below(self.ruleset, end, meter)
    }

    fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        let [component] = position.0.as_slice() else {
            return Ok(None);
        };
        let Some(targets) = self.lost.lost_options(component, meter)? else {
            return Ok(None);
        };
        let all = options_to(self.ruleset, component, &targets, meter)?;
        let moves = all
            .into_iter()
            .map(|option| as_move(self.ruleset, 0, component, option));
        Ok(Some(Box::new(Few::moves(position, moves.collect()))))
    }
}
