//! What is known of one game, and an engine for what is not.

use grundy_rules::options::{RuleOption, options};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use super::largest_heap;
use crate::answer::{Knowledge, MoveSet};
use crate::exhaustive::Exhaustive;
use crate::oracle::has_values;
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::theorem::{self, Family};

/// What answers questions about one game, from the strongest to the slowest.
pub(super) struct Engine<'g> {
    pub(super) knowledge: Vec<Box<dyn Knowledge + 'g>>,
    /// Theorems of the literature, asked after what was proved here.
    pub(super) published: Vec<(&'static Family, Box<dyn Knowledge + 'g>)>,
    pub(super) exhaustive: Exhaustive<'g>,
    /// Whether values decide sums: then a component that is lost alone has the value 0.
    pub(super) is_valued: bool,
}

impl<'g> Engine<'g> {
    pub(super) fn new(game: &'g Ruleset) -> Self {
        Self {
            knowledge: Vec::new(),
            published: theorem::recognised(game),
            exhaustive: Exhaustive::new(game),
            is_valued: has_values(game).is_ok(),
        }
    }

    /// What is known at any size, the strongest first.
    pub(super) fn known(&self) -> impl Iterator<Item = &dyn Knowledge> {
        let published = self.published.iter().map(|(_, knowledge)| knowledge);
        let all = self.knowledge.iter().chain(published);
        all.map(|knowledge| &**knowledge as &dyn Knowledge)
    }

    /// What is known of its labels in misère play.
    pub(super) fn by_labels(&self) -> Option<&dyn Knowledge> {
        self.known().find(|knowledge| knowledge.labels().is_some())
    }

    pub(super) fn known_outcome(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<(Outcome, Evidence)>, Limit> {
        for knowledge in self.known() {
            if let Some(outcome) = knowledge.outcome(position, meter)? {
                return Ok(Some((outcome, knowledge.evidence())));
            }
        }
        Ok(None)
    }

    /// The value of a component that is known without search.
    pub(super) fn known_value(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<(BigUint, Evidence)>, Limit> {
        for knowledge in self.known() {
            if let Some(value) = knowledge.value(component) {
                return Ok(Some((value, knowledge.evidence())));
            }
        }
        if !self.is_valued {
            return Ok(None);
        }
        let alone = Position(vec![component.clone()]);
        let lost = self.known_outcome(&alone, meter)?;
        let lost = lost.filter(|(outcome, _)| *outcome == Outcome::P);
        Ok(lost.map(|(_, evidence)| (BigUint::default(), evidence)))
    }

    pub(super) fn value(
        &mut self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<(BigUint, Evidence), Undecided> {
        if let Some(known) = self.known_value(component, meter)? {
            return Ok(known);
        }
        let value = self.exhaustive.grundy_value(component, meter)?;
        Ok((
            value.into(),
            Evidence::Exhaustive {
                upto: component.as_heap().cloned(),
            },
        ))
    }

    /// Hands over the moves of a component that leave a sum of this value, if they are known.
    pub(super) fn known_moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        with: &mut dyn FnMut(&dyn MoveSet<RuleOption>),
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        for knowledge in self.known() {
            if let Some(known) = knowledge.moves_to(component, target, meter)? {
                with(known.as_ref());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The options of a component that have a value, each visited.
    pub(super) fn visited(
        &mut self,
        game: &Ruleset,
        component: &Component,
        wanted: &BigUint,
        meter: &mut Meter,
    ) -> Result<Vec<RuleOption>, Undecided> {
        let mut found = Vec::new();
        for option in options(game, component, meter)? {
            let mut value = BigUint::default();
            for component in &option.result {
                value ^= self.value(component, meter)?.0;
            }
            if value == *wanted {
                found.push(option);
            }
        }
        Ok(found)
    }

    pub(super) fn outcome(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Undecided> {
        if let Some(known) = self.known_outcome(position, meter)? {
            return Ok(known);
        }
        let outcome = self.exhaustive.outcome(position, meter)?;
        Ok((
            outcome,
            Evidence::Exhaustive {
                upto: largest_heap(position),
            },
        ))
    }
}
