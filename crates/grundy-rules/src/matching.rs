//! How patterns meet components.

use crate::budget::{Limit, Meter};
use crate::eval::Value;
use crate::position::{Component, Item};
use crate::ruleset::{Pattern, PatternItem, Ruleset, Variable};

/// Calls `found` for each way in which `pattern` matches `component`, with `values` extended
/// by what the pattern binds; earlier places first.
///
/// In a ring every rotation is tried, in an unordered game every order: there, distinct places
/// are chosen for the coordinates, and one rest variable takes all that is left.
pub(crate) fn matches(
    ruleset: &Ruleset,
    pattern: &Pattern,
    component: &Component,
    values: &[Option<Value>],
    meter: &mut Meter,
    found: &mut Found,
) -> Result<(), Limit> {
    let row = ruleset.row.as_ref();
    let items = &component.0;
    if ruleset.unordered || row.is_some_and(|row| row.unordered) {
        let free: Vec<&Item> = items.iter().collect();
        return Matcher { meter, found }.any_order(&pattern.items, &free, values.to_vec());
    }
    Matcher { meter, found }.in_order(&pattern.items, items, values.to_vec())?;
    if row.is_some_and(|row| row.ring) {
        for start in 1..items.len() {
            let rotated: Vec<Item> = items[start..]
                .iter()
                .chain(&items[..start])
                .cloned()
                .collect();
            Matcher { meter, found }.in_order(&pattern.items, &rotated, values.to_vec())?;
        }
    }
    Ok(())
}

/// The same with the places of the pattern and of the component in their order, in every game.
pub(crate) fn matches_in_order(
    pattern: &Pattern,
    component: &Component,
    values: &[Option<Value>],
    meter: &mut Meter,
    found: &mut Found,
) -> Result<(), Limit> {
    Matcher { meter, found }.in_order(&pattern.items, &component.0, values.to_vec())
}

/// What is called with each way in which a pattern matches.
pub(crate) type Found<'f> = dyn FnMut(Vec<Option<Value>>, &mut Meter) -> Result<(), Limit> + 'f;

struct Matcher<'m, 'b, 'f, 'g> {
    meter: &'m mut Meter<'b>,
    found: &'f mut Found<'g>,
}

impl Matcher<'_, '_, '_, '_> {
    /// The pattern's items one after the other; its recursion is as deep as the pattern is long.
    fn in_order(
        &mut self,
        pattern: &[PatternItem],
        items: &[Item],
        mut values: Vec<Option<Value>>,
    ) -> Result<(), Limit> {
        self.meter.spend(1)?;
        let Some((head, tail)) = pattern.split_first() else {
            return if items.is_empty() {
                (self.found)(values, self.meter)
            } else {
                Ok(())
            };
        };
        if let PatternItem::Rest(rest) = head {
            let least = tail
                .iter()
                .filter(|item| !matches!(item, PatternItem::Rest(_)))
                .count();
            let Some(most) = items.len().checked_sub(least) else {
                return Ok(());
            };
            let shortest = if tail.is_empty() { most } else { 0 };
            for length in shortest..=most {
                let mut values = values.clone();
                if bind(&mut values, *rest, Value::List(items[..length].to_vec())) {
                    self.in_order(tail, &items[length..], values)?;
                }
            }
            return Ok(());
        }
        let Some((item, rest)) = items.split_first() else {
            return Ok(());
        };
        if let PatternItem::List(inner) = head {
            let Item::List(list) = item else {
                return Ok(());
            };
            for values in self.nested(inner, list, values)? {
                self.in_order(tail, rest, values)?;
            }
            return Ok(());
        }
        if accepts(head, item, &mut values) {
            self.in_order(tail, rest, values)
        } else {
            Ok(())
        }
    }

    /// All ways in which a nested list matches.
    fn nested(
        &mut self,
        pattern: &Pattern,
        list: &Component,
        values: Vec<Option<Value>>,
    ) -> Result<Vec<Vec<Option<Value>>>, Limit> {
        let mut all = Vec::new();
        let mut keep = |values, _: &mut Meter| {
            all.push(values);
            Ok(())
        };
        Matcher {
            meter: self.meter,
            found: &mut keep,
        }
        .in_order(&pattern.items, &list.0, values)?;
        Ok(all)
    }

    /// Chooses a place among `free` for each item; what is left goes to the rest variables.
    fn any_order(
        &mut self,
        pattern: &[PatternItem],
        free: &[&Item],
        values: Vec<Option<Value>>,
    ) -> Result<(), Limit> {
        self.meter.spend(1)?;
        let single = pattern
            .iter()
            .position(|item| !matches!(item, PatternItem::Rest(_)));
        let Some(at) = single else {
            let rests: Vec<_> = pattern
                .iter()
                .filter_map(|item| match item {
                    PatternItem::Rest(rest) => Some(*rest),
                    _ => None,
                })
                .collect();
            return self.share_out(&rests, free, values);
        };
        let others: Vec<PatternItem> = [&pattern[..at], &pattern[at + 1..]].concat();
        for place in 0..free.len() {
            let left = [&free[..place], &free[place + 1..]].concat();
            if let PatternItem::List(inner) = &pattern[at] {
                let Item::List(list) = free[place] else {
                    continue;
                };
                for values in self.nested(inner, list, values.clone())? {
                    self.any_order(&others, &left, values)?;
                }
            } else {
                let mut values = values.clone();
                if accepts(&pattern[at], free[place], &mut values) {
                    self.any_order(&others, &left, values)?;
                }
            }
        }
        Ok(())
    }

    /// Shares items out among rest variables: all to one, or every way among several.
    fn share_out(
        &mut self,
        rests: &[Variable],
        free: &[&Item],
        mut values: Vec<Option<Value>>,
    ) -> Result<(), Limit> {
        match rests {
            [] if free.is_empty() => (self.found)(values, self.meter),
            [] => Ok(()),
            [rest] => {
                let items = free.iter().map(|item| (*item).clone()).collect();
                if bind(&mut values, *rest, Value::List(items)) {
                    (self.found)(values, self.meter)
                } else {
                    Ok(())
                }
            }
            [first, others @ ..] => {
                let Some(subsets) = u32::try_from(free.len())
                    .ok()
                    .and_then(|n| 1u64.checked_shl(n))
                else {
                    return Err(Limit::Steps);
                };
                for subset in 0..subsets {
                    self.meter.spend(1)?;
                    let inside = |index: usize| subset >> index & 1 == 1;
                    let pick = |wanted: bool| {
                        let items = free.iter().enumerate();
                        items
                            .filter(move |(index, _)| inside(*index) == wanted)
                            .map(|(_, item)| *item)
                    };
                    let mut values = values.clone();
                    if bind(
                        &mut values,
                        *first,
                        Value::List(pick(true).cloned().collect()),
                    ) {
                        let left: Vec<&Item> = pick(false).collect();
                        self.share_out(others, &left, values)?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// Whether a variable or number of a pattern accepts a coordinate; binds the variable.
fn accepts(pattern: &PatternItem, item: &Item, values: &mut [Option<Value>]) -> bool {
    match (pattern, item) {
        (PatternItem::Number(wanted), Item::Number(n)) => wanted == n,
        (PatternItem::Variable(variable), Item::Number(n)) => {
            bind(values, *variable, Value::Number(n.clone().into()))
        }
        (PatternItem::Variable(variable), Item::List(list)) => {
            bind(values, *variable, Value::List(list.0.clone()))
        }
        _ => false,
    }
}

/// Binds a variable; one that is bound already must hold the same.
fn bind(values: &mut [Option<Value>], variable: Variable, value: Value) -> bool {
    let old = values[variable.0].take();
    let agrees = old.as_ref().is_none_or(|old| *old == value);
    values[variable.0] = old.or(Some(value));
    agrees
}
