//! Values as sums of components, and components as values.

use std::rc::Rc;

use grundy::solve::{Part, after};
use grundy_rules::given::prepare;
use grundy_rules::ruleset::Ruleset;
use grundy_rules::{Component, Item, Meter, Position};

use crate::failure::{Failure, Mistake};
use crate::games::wrong;
use crate::number::Number;
use crate::value::{MoveOf, Sum, Type, Value};

/// The sum of components of a game that a value says: of one component for a number, a tuple or a
/// word, of as many as it has entries for a list.
pub fn sum(game: usize, rules: &Ruleset, value: &Value, meter: &mut Meter) -> Result<Sum, Failure> {
    let mut components = Vec::new();
    match value {
        Value::List(_) | Value::Range(_) => {
            let entries = value.entries().ok_or(Mistake::EndlessList)?;
            for entry in entries {
                meter.spend(1)?;
                components.push(component(rules, &entry)?);
            }
        }
        other => components.push(component(rules, other)?),
    }
    let given = Position(components);
    let prepared = if is_plain(rules) && given.0.iter().all(|c| c.as_heap().is_some()) {
        given
    } else {
        prepare(rules, &given, meter).map_err(|fault| match fault {
            grundy_rules::given::GivenFault::Limit(limit) => Failure::from(limit),
            fault => Mistake::Position {
                game: rules.name.clone(),
                fault,
            }
            .into(),
        })?
    };
    let parts = prepared.0.into_iter();
    Ok(Sum {
        games: vec![game],
        parts: parts.map(|component| Part { game, component }).collect(),
    })
}

/// Whether a heap of one number means just that in these rules.
fn is_plain(rules: &Ruleset) -> bool {
    rules.row.is_none()
        && rules.starts.is_empty()
        && rules
            .moves
            .iter()
            .flat_map(|rule| &rule.patterns)
            .any(|pattern| pattern.items.len() == 1 && !pattern.has_rest())
}

fn component(rules: &Ruleset, value: &Value) -> Result<Component, Failure> {
    match value {
        Value::Number(n) => Ok(Component(vec![item(n)?])),
        Value::Text(word) => word_component(rules, word),
        Value::Tuple(_) | Value::List(_) | Value::Range(_) => list(value),
        other => Err(wrong(
            &[Type::Natural, Type::Tuple, Type::List, Type::Text],
            other,
        )),
    }
}

/// A row or tuple; lists in it are nested.
fn list(value: &Value) -> Result<Component, Failure> {
    let entries = value.entries().ok_or(Mistake::EndlessList)?;
    let items: Result<_, Failure> = entries
        .map(|entry| match &entry {
            Value::Number(n) => item(n),
            Value::Tuple(_) | Value::List(_) | Value::Range(_) => Ok(Item::List(list(&entry)?)),
            other => Err(wrong(&[Type::Natural, Type::List], other)),
        })
        .collect();
    Ok(Component(items?))
}

fn item(n: &Number) -> Result<Item, Failure> {
    let natural = n.to_natural();
    let natural = natural.ok_or_else(|| wrong(&[Type::Natural], &Value::Number(n.clone())))?;
    Ok(Item::Number(natural))
}

/// A row whose numbers a word says by the letters of the rules.
fn word_component(rules: &Ruleset, word: &str) -> Result<Component, Failure> {
    let alphabet = rules.row.as_ref().map_or(&[][..], |row| &row.alphabet);
    let items: Result<_, Failure> = word
        .chars()
        .map(|letter| {
            let place = alphabet.iter().position(|other| *other == letter);
            let place = place.ok_or(Mistake::Letter(letter))?;
            Ok(Item::Number(place.into()))
        })
        .collect();
    Ok(Component(items?))
}

/// Adds a sum to another one.
pub fn extend(sum: &mut Sum, more: &Sum) {
    for game in &more.games {
        if !sum.games.contains(game) {
            sum.games.push(*game);
        }
    }
    sum.parts.extend(more.parts.iter().cloned());
}

/// What a component is as a value: a heap is a number, a row a list, anything else a tuple.
pub fn value(rules: &Ruleset, component: &Component) -> Value {
    let is_row = rules.row.is_some()
        || rules
            .moves
            .iter()
            .flat_map(|rule| &rule.patterns)
            .any(grundy_rules::ruleset::Pattern::has_rest);
    match component.as_heap() {
        Some(heap) if !is_row => heap.clone().into(),
        _ => entries(component, is_row),
    }
}

fn entries(component: &Component, is_row: bool) -> Value {
    let entry = |item: &Item| match item {
        Item::Number(n) => n.clone().into(),
        Item::List(list) => entries(list, true),
    };
    let entries: Vec<Value> = component.0.iter().map(entry).collect();
    if is_row {
        Value::list(entries)
    } else {
        Value::Tuple(Rc::new(entries))
    }
}

/// A field of a move.
pub fn field<'g>(
    of: &MoveOf,
    name: &str,
    rules: &dyn Fn(usize) -> &'g Ruleset,
) -> Result<Value, Failure> {
    let MoveOf { sum, next } = of;
    let rules_of = |component: usize| rules(sum.parts[component].game);
    // A move of several components at once has a list of each.
    let each =
        |field: &dyn Fn(&grundy_rules::moves::ComponentChange) -> Value| match &next.changes[..] {
            [change] => field(change),
            changes => Value::list(changes.iter().map(field).collect()),
        };
    Ok(match name {
        "place" => each(&|change| Value::number(change.component + 1)),
        "from" => each(&|change| value(rules_of(change.component), &change.from)),
        "to" => each(&|change| {
            let rules = rules_of(change.component);
            match change.to.as_slice() {
                [] => Value::None,
                [to] => value(rules, to),
                several => Value::list(several.iter().map(|to| value(rules, to)).collect()),
            }
        }),
        "label" => Value::text(next.label.as_str()),
        "ways" => Value::number(next.ways),
        "after" => {
            let left = after(&sum.parts, next);
            let values = left
                .iter()
                .map(|part| value(rules(part.game), &part.component));
            Value::list(values.collect())
        }
        choice => {
            let chosen = next.choices.iter().find(|(name, _)| name == choice);
            let (_, chosen) = chosen.ok_or_else(|| Mistake::UnknownField(choice.to_owned()))?;
            Value::number(chosen.clone())
        }
    })
}
