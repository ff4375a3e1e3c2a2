//! Answers at positions of any size, from what is known about a game.

pub mod chosen;
mod completions;
pub mod family;
pub mod few;
pub mod heaps;
pub mod lawful;
pub mod learn;
pub mod periodic;
pub mod reach;
pub mod reason;
pub mod regular;
pub(crate) mod relation;
pub mod strand;
pub mod winning;

use grundy_certificate::Misere;
use grundy_rules::moves::{ComponentChange, Move};
use grundy_rules::options::RuleOption;
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::count::bounded::Order;
use crate::outcome::{Evidence, Outcome};

pub use lawful::Lawful;
pub use reason::{Reason, Statement};
pub use regular::Regular;

/// What is known about one game for positions of every size: a law with its proof, or a
/// published theorem. Each answer may be missing; then it must be found in another way.
pub trait Knowledge {
    /// How it is known.
    fn evidence(&self) -> Evidence;

    /// What is known, in general; `None` where the evidence says all.
    fn statement(&self) -> Option<Statement> {
        None
    }

    /// How the value of a component follows; `None` where the value and the statement say all. Where
    /// values do not decide the game it tells of what the [reason](Knowledge::reason_of_outcome) is made of.
    fn reason(&self, _component: &Component) -> Option<Reason> {
        None
    }

    /// How the outcome of a whole position follows, where values do not decide it.
    fn reason_of_outcome(
        &self,
        _position: &Position,
        _meter: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        Ok(None)
    }

    /// The Grundy value of a component.
    fn value(&self, _component: &Component) -> Option<BigUint> {
        None
    }

    /// The moves of a component that leave a sum of this value.
    fn moves_to(
        &self,
        _component: &Component,
        _target: &BigUint,
        _meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        Ok(None)
    }

    /// The outcome of a whole position, where values do not decide it.
    fn outcome(&self, _position: &Position, _meter: &mut Meter) -> Result<Option<Outcome>, Limit> {
        Ok(None)
    }

    /// The winning moves of a whole position, where values do not decide it.
    fn winning_moves(
        &self,
        _position: &Position,
        _meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        Ok(None)
    }

    /// The labels of heaps that decide sums in misère play.
    fn labels(&self) -> Option<&Misere> {
        None
    }

    /// The moves of a component that leave, beside components whose labels sum up to `others`, a lost sum in
    /// misère play.
    fn moves_to_lost(
        &self,
        _component: &Component,
        _others: &BigUint,
        _meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        Ok(None)
    }

    /// How many of the components that are given as one number below `end` are lost.
    fn lost_below(&self, _end: &BigUint, _meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        Ok(None)
    }

    /// How many sums of heaps of one number, each at most its bound, have a value; 0 asks for the lost
    /// ones.
    fn sums_in_box(
        &self,
        _bounds: &[BigUint],
        _value: &BigUint,
        _order: Order,
        _meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        Ok(None)
    }
}

/// Moves too many to list, in the documented order.
pub trait MoveSet<M> {
    /// How many there are; `None` where only some of the moves are known, so that neither their
    /// number nor the first or least of all can be told.
    fn count(&self) -> Option<BigUint>;

    /// The moves, lazily, in the order: rule, alternative, choices ascending.
    fn iter(&self) -> Box<dyn Iterator<Item = M> + '_>;

    /// One that leaves the least components, compared in the order of the rule's text.
    fn least(&self) -> Option<M>;
}

/// The move of a sum that takes an option of its component with this index.
pub fn as_move(ruleset: &Ruleset, component: usize, from: &Component, option: RuleOption) -> Move {
    Move {
        label: ruleset.moves[option.rule].label.clone(),
        choices: option.choices,
        ways: option.ways,
        changes: vec![ComponentChange {
            component,
            from: from.clone(),
            to: option.result,
        }],
    }
}
