//! The one form in which a component is known.

use crate::budget::{Limit, Meter};
use crate::eval::Env;
use crate::matching;
use crate::position::{Component, Item};
use crate::ruleset::{Empties, RowOrder, Ruleset};
use num_traits::Zero;

use super::result::build;

/// The component that `start` makes of one with fewer coordinates; `None` if it has no value.
///
/// A `start` with a rest variable applies to given positions only, and to them always.
pub fn complete(
    ruleset: &Ruleset,
    component: Component,
    given: bool,
    meter: &mut Meter,
) -> Result<Option<Component>, Limit> {
    for start in ruleset
        .starts
        .iter()
        .filter(|start| given || !start.has_rest())
    {
        let env = Env::new(ruleset, &start.scope, &[]);
        let mut completed = None;
        let mut found = |values, meter: &mut Meter| {
            if completed.is_none() {
                let env = Env {
                    values,
                    ..env.clone()
                };
                completed = Some(build(&env, &start.template, meter)?);
            }
            Ok(())
        };
        matching::matches(
            ruleset,
            &start.pattern,
            &component,
            &env.values,
            meter,
            &mut found,
        )?;
        if let Some(completed) = completed {
            return Ok(completed);
        }
    }
    Ok(Some(component))
}

/// The one form of a component that stands for all equal ones: empties that vanish are gone,
/// an unordered one is ascending, a ring is turned to its least rotation.
pub fn normalise(ruleset: &Ruleset, mut component: Component) -> Component {
    let is_empty = |item: &Item| matches!(item, Item::Number(n) if n.is_zero());
    if let Some(row) = &ruleset.row {
        let items = &mut component.0;
        match row.empties {
            Empties::Stay => {}
            Empties::Vanish => items.retain(|item| !is_empty(item)),
            Empties::VanishAtEnds => {
                while items.last().is_some_and(is_empty) {
                    items.pop();
                }
                let leading = items.iter().take_while(|item| is_empty(item)).count();
                items.drain(..leading);
            }
        }
        if row.ring {
            let length = items.len();
            let rotation = |start: usize| items[start..].iter().chain(&items[..start]);
            let least = (0..length)
                .min_by(|a, b| rotation(*a).cmp(rotation(*b)))
                .unwrap_or(0);
            items.rotate_left(least);
        }
    }
    if ruleset.unordered || ruleset.row.as_ref().is_some_and(|row| row.unordered) {
        component.0.sort();
    }
    component
}

/// Whether the numbers of a row keep the order that the rules declare.
pub fn keeps_order(ruleset: &Ruleset, component: &Component) -> bool {
    let Some(order) = ruleset.row.as_ref().and_then(|row| row.order) else {
        return true;
    };
    component.0.windows(2).all(|pair| match order {
        RowOrder::Increasing => pair[0] < pair[1],
        RowOrder::Nondecreasing => pair[0] <= pair[1],
        RowOrder::Nonincreasing => pair[0] >= pair[1],
    })
}
