//! Positions as a person gives them: completed by `start`, normalised, and checked.

use std::collections::BTreeSet;

use crate::budget::{Limit, Meter};
use crate::options::{complete, keeps_order, normalise};
use crate::position::{Component, Position};
use crate::ruleset::{Pattern, RowOrder, Ruleset};

/// Why a given position is none of this game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenFault {
    /// No pattern has so many coordinates.
    Coordinates {
        /// The place of the component, counted from 0.
        component: usize,
        /// How many coordinates it has.
        found: usize,
        /// How many it may have.
        admitted: Vec<usize>,
    },
    /// The numbers of a row do not keep the declared order.
    Order {
        /// The place of the component, counted from 0.
        component: usize,
        /// The order that the rules declare.
        order: RowOrder,
    },
    /// `start` gives this component no value.
    NoStart {
        /// The place of the component, counted from 0.
        component: usize,
    },
    /// Completing it took more than the budget.
    Limit(Limit),
}

/// The position that a given one means: each component completed by `start` and normalised.
/// The order of the components stays.
pub fn prepare(
    ruleset: &Ruleset,
    given: &Position,
    meter: &mut Meter,
) -> Result<Position, GivenFault> {
    let admitted = coordinates(ruleset);
    let mut components = Vec::with_capacity(given.0.len());
    for (index, component) in given.0.iter().enumerate() {
        let component = prepare_component(ruleset, index, component, admitted.as_ref(), meter)?;
        components.push(component);
    }
    Ok(Position(components))
}

fn prepare_component(
    ruleset: &Ruleset,
    index: usize,
    given: &Component,
    admitted: Option<&BTreeSet<usize>>,
    meter: &mut Meter,
) -> Result<Component, GivenFault> {
    let completed = complete(ruleset, given.clone(), true, meter).map_err(GivenFault::Limit)?;
    let component = completed.ok_or(GivenFault::NoStart { component: index })?;
    if let Some(admitted) = admitted.filter(|admitted| !admitted.contains(&component.0.len())) {
        return Err(GivenFault::Coordinates {
            component: index,
            found: given.0.len(),
            admitted: admitted.iter().copied().collect(),
        });
    }
    let component = normalise(ruleset, component);
    if !keeps_order(ruleset, &component) {
        let order = ruleset.row.as_ref().and_then(|row| row.order);
        let order = order.expect("only a row with an order can break it");
        return Err(GivenFault::Order {
            component: index,
            order,
        });
    }
    Ok(component)
}

/// How many coordinates a component may have; `None` if any number will do.
pub fn coordinates(ruleset: &Ruleset) -> Option<BTreeSet<usize>> {
    if ruleset.row.is_some() {
        return None;
    }
    let of_moves = ruleset.moves.iter().flat_map(|rule| &rule.patterns);
    let of_starts = ruleset.starts.iter().map(|start| &start.pattern);
    let of_endings = ruleset.endings.iter().map(|ending| &ending.pattern);
    let patterns: Vec<&Pattern> = of_moves.chain(of_starts).chain(of_endings).collect();
    if patterns.iter().any(|pattern| pattern.has_rest()) {
        return None;
    }
    let templates = ruleset
        .starts
        .iter()
        .map(|start| start.template.items.len());
    Some(
        patterns
            .iter()
            .map(|pattern| pattern.items.len())
            .chain(templates)
            .collect(),
    )
}
