//! What updates make of a row.

use crate::budget::{Limit, Meter};
use crate::eval::{Env, item_number};
use crate::position::Item;
use crate::ruleset::{Change, Expr, Place, Update};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// Adds the rows that the updates make of the old one. Everything reads the old row; two
/// updates of one place, a place outside the row and a negative number are no move.
pub(super) fn update_row(
    env: &mut Env,
    updates: &[Update],
    rows: &mut Vec<Vec<Item>>,
    meter: &mut Meter,
) -> Result<(), Limit> {
    // What is left of each place: `None` where it is removed; and whether an update hit it.
    let mut partial: Vec<Vec<(Option<Item>, bool)>> = vec![
        env.row
            .iter()
            .map(|item| (Some(item.clone()), false))
            .collect(),
    ];
    for update in updates {
        let hit = match update {
            Update::Place { place, change } => {
                let Some(place) = place_of(env, place, meter)? else {
                    return Ok(());
                };
                let Some(item) = changed(env, place, change, meter)? else {
                    return Ok(());
                };
                vec![vec![(place, Some(item))]]
            }
            Update::Remove(place) => {
                let Some(place) = place_of(env, place, meter)? else {
                    return Ok(());
                };
                vec![vec![(place, None)]]
            }
            Update::Every(change) => {
                let mut all = Vec::new();
                for place in 0..env.row.len() {
                    let Some(item) = changed(env, place, change, meter)? else {
                        return Ok(());
                    };
                    all.push((place, Some(item)));
                }
                if all.is_empty() {
                    return Ok(());
                }
                vec![all]
            }
            Update::Some { at_most, change } => some_places(env, at_most.as_ref(), change, meter)?,
        };
        let mut next = Vec::new();
        for row in partial {
            for places in &hit {
                meter.spend(1 + places.len() as u64)?;
                if places.iter().any(|(place, _)| row[*place].1) {
                    continue;
                }
                let mut row = row.clone();
                for (place, item) in places {
                    row[*place] = (item.clone(), true);
                }
                next.push(row);
            }
        }
        partial = next;
    }
    rows.extend(
        partial
            .into_iter()
            .map(|row| row.into_iter().filter_map(|(item, _)| item).collect()),
    );
    Ok(())
}

/// The place of the row, counted from 0; `None` if there is no such place.
fn place_of(env: &Env, place: &Place, meter: &mut Meter) -> Result<Option<usize>, Limit> {
    Ok(match place {
        Place::Index(index) => env
            .number(index, meter)?
            .and_then(|place| env.row_place(&place)),
        Place::First => (!env.row.is_empty()).then_some(0),
        Place::Last => env.row.len().checked_sub(1),
    })
}

/// What a change makes of the number at a place; `None` if it has no value or is negative.
fn changed(
    env: &Env,
    place: usize,
    change: &Change,
    meter: &mut Meter,
) -> Result<Option<Item>, Limit> {
    let Some(old) = item_number(&env.row[place]) else {
        return Ok(None);
    };
    let new = match change {
        Change::Decrease(by) => env.number(by, meter)?.map(|by| old - by),
        Change::Increase(by) => env.number(by, meter)?.map(|by| old + by),
        Change::Set(to) => env.number(to, meter)?,
    };
    Ok(new.and_then(|n| n.to_biguint()).map(Item::Number))
}

/// What an update does to places of the row, counted from 0: `None` removes one.
type Hits = Vec<(usize, Option<Item>)>;

/// Every non-empty set of at most so many places in which a change is allowed.
fn some_places(
    env: &Env,
    at_most: Option<&Expr>,
    change: &Change,
    meter: &mut Meter,
) -> Result<Vec<Hits>, Limit> {
    let most = match at_most {
        None => env.row.len(),
        Some(bound) => match env.number(bound, meter)? {
            Some(bound) if bound >= BigInt::one() => bound.to_usize().unwrap_or(usize::MAX),
            _ => return Ok(Vec::new()),
        },
    };
    let mut sets: Vec<Hits> = vec![Vec::new()];
    for place in 0..env.row.len() {
        let Some(item) = changed(env, place, change, meter)? else {
            continue;
        };
        for index in 0..sets.len() {
            if sets[index].len() < most {
                meter.spend(1 + sets[index].len() as u64)?;
                let mut larger = sets[index].clone();
                larger.push((place, Some(item.clone())));
                sets.push(larger);
            }
        }
    }
    sets.remove(0);
    sets.sort_by(|a, b| a.iter().map(|hit| hit.0).cmp(b.iter().map(|hit| hit.0)));
    Ok(sets)
}
