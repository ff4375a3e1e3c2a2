//! The options of a component: the readable definition of what rules allow.
//!
//! This enumerates choices one by one, in exact integers. It is the meaning of
//! the rule language; every faster engine is held against it.

mod choice;
mod form;
mod result;
mod row;

use num_bigint::{BigInt, BigUint};

use crate::budget::{Limit, Meter};
use crate::eval::{Env, Value};
use crate::matching;
use crate::position::{Component, Item};
use crate::ruleset::{Ending, EndingResult, MoveRule, Role, Ruleset};

use choice::{Order, choose, exists};
pub use form::{complete, keeps_order, normalise};
use result::results;

/// How deep nested moves `t -> u` may go: each level is a level of the position's nesting.
pub const MOST_NESTING: usize = 64;

/// What a rule makes of the components it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleOption {
    /// The index of the rule in [`Ruleset::moves`].
    pub rule: usize,
    /// The components of the result, in the order of the rule's text.
    pub result: Vec<Component>,
    /// The mover's choices, by name, in text order; those of the first way.
    pub choices: Vec<(String, BigInt)>,
    /// In how many ways the mover can choose this result under this rule's label.
    pub ways: u64,
}

/// All options of a component, in the order: rule in file order, then choices ascending.
///
/// Options with the same label and the same result, as a sum without order, are
/// one option whose `ways` counts them. Time is the number of choices that interval
/// reasoning leaves, which may be far more than the number of options.
///
/// # Errors
///
/// A [`Limit`] of the meter, or one that stands for a number too large to compute.
pub fn options(
    ruleset: &Ruleset,
    component: &Component,
    meter: &mut Meter,
) -> Result<Vec<RuleOption>, Limit> {
    let rules = (0..ruleset.moves.len()).filter(|rule| ruleset.moves[*rule].patterns.len() <= 1);
    let mut options = Collected::new(ruleset);
    for rule in rules {
        apply(ruleset, rule, &[component], 0, meter, &mut options)?;
    }
    Ok(options.list)
}

/// From which end choices are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From their least values on.
    Ascending,
    /// From their largest values on.
    Descending,
}

/// Some options of a component, from that end of the choices: at most `most` of each alternative of
/// a rule, and whether these are all.
///
/// Costs what it takes to find so many, however many there are besides. Ways among the choices that
/// were not tried are not counted. Where a limit is reached, those found before are the answer.
pub fn some_options(
    ruleset: &Ruleset,
    component: &Component,
    most: usize,
    direction: Direction,
    meter: &mut Meter,
) -> Result<(Vec<RuleOption>, bool), Limit> {
    let mut options = Collected::new(ruleset);
    let mut limit = None;
    for (index, rule) in ruleset.moves.iter().enumerate() {
        if rule.patterns.len() > 1 {
            continue;
        }
        for alternative in 0..rule.alternatives.len() {
            options.end = Some(options.list.len().saturating_add(most));
            let part = Part {
                rule: index,
                alternative: Some(alternative),
                direction,
            };
            let applied = apply_part(ruleset, part, &[component], 0, meter, &mut options);
            limit = limit.or(applied.err());
        }
    }
    match limit {
        Some(limit) if options.list.is_empty() => Err(limit),
        limit => Ok((options.list, limit.is_none())),
    }
}

/// What a rule makes of these components, as many as it has patterns on its left.
pub fn joint_options(
    ruleset: &Ruleset,
    rule: usize,
    components: &[&Component],
    meter: &mut Meter,
) -> Result<Vec<RuleOption>, Limit> {
    let mut options = Collected::new(ruleset);
    apply(ruleset, rule, components, 0, meter, &mut options)?;
    Ok(options.list)
}

/// The options of a nested list that are lists again.
pub(crate) fn nested(
    ruleset: &Ruleset,
    component: &Component,
    depth: usize,
    meter: &mut Meter,
) -> Result<Vec<Component>, Limit> {
    if depth > MOST_NESTING {
        return Err(Limit::Bytes);
    }
    let mut options = Collected::new(ruleset);
    for rule in 0..ruleset.moves.len() {
        if ruleset.moves[rule].patterns.len() <= 1 {
            apply(ruleset, rule, &[component], depth, meter, &mut options)?;
        }
    }
    let mut lists: Vec<_> = options
        .list
        .into_iter()
        .filter_map(|mut option| {
            if option.result.len() == 1 {
                option.result.pop()
            } else {
                None
            }
        })
        .collect();
    lists.sort();
    lists.dedup();
    Ok(lists)
}

/// How play ends in this component at once, if it does: the first ending that matches.
pub fn ending(
    ruleset: &Ruleset,
    component: &Component,
    meter: &mut Meter,
) -> Result<Option<EndingResult>, Limit> {
    for ending in &ruleset.endings {
        if matches_where(ruleset, ending, component, meter)? {
            return Ok(Some(ending.result));
        }
    }
    Ok(None)
}

fn matches_where(
    ruleset: &Ruleset,
    ending: &Ending,
    component: &Component,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let env = Env::new(ruleset, &ending.scope, &component.0);
    let mut matched = false;
    let mut found = |values, meter: &mut Meter| {
        let mut env = Env {
            values,
            ..env.clone()
        };
        matched = matched || exists(&mut env, &ending.guard, None, meter)?;
        Ok(())
    };
    matching::matches(
        ruleset,
        &ending.pattern,
        component,
        &env.values,
        meter,
        &mut found,
    )?;
    Ok(matched)
}

/// Options found so far, with equal ones merged.
struct Collected<'r> {
    ruleset: &'r Ruleset,
    list: Vec<RuleOption>,
    /// Where the option with this label and this sorted result is in the list.
    seen: std::collections::BTreeMap<(&'r str, Vec<Component>), usize>,
    /// At which length of the list to stop.
    end: Option<usize>,
}

impl<'r> Collected<'r> {
    fn new(ruleset: &'r Ruleset) -> Self {
        Self {
            ruleset,
            list: Vec::new(),
            seen: std::collections::BTreeMap::new(),
            end: None,
        }
    }

    /// Adds an option; a limit stops where there is no room for another one.
    fn add(&mut self, option: RuleOption) -> Result<(), Limit> {
        let mut result = option.result.clone();
        result.sort();
        let label = self.ruleset.moves[option.rule].label.as_str();
        let next = self.list.len();
        let at = *self.seen.entry((label, result)).or_insert(next);
        if at < next {
            self.list[at].ways += option.ways;
        } else if self.end.is_some_and(|end| next >= end) {
            return Err(Limit::Steps);
        } else {
            self.list.push(option);
        }
        Ok(())
    }
}

/// Adds what one rule makes of the components.
fn apply(
    ruleset: &Ruleset,
    rule: usize,
    components: &[&Component],
    depth: usize,
    meter: &mut Meter,
    collected: &mut Collected,
) -> Result<(), Limit> {
    let part = Part {
        rule,
        alternative: None,
        direction: Direction::Ascending,
    };
    apply_part(ruleset, part, components, depth, meter, collected)
}

/// What of a rule is wanted, and in which order.
#[derive(Clone, Copy)]
struct Part {
    rule: usize,
    /// This alternative, or all.
    alternative: Option<usize>,
    direction: Direction,
}

fn apply_part(
    ruleset: &Ruleset,
    Part {
        rule,
        alternative,
        direction,
    }: Part,
    components: &[&Component],
    depth: usize,
    meter: &mut Meter,
    collected: &mut Collected,
) -> Result<(), Limit> {
    let moves = &ruleset.moves[rule];
    let row = components.first().map_or(&[][..], |component| &component.0);
    let env = Env::nested(ruleset, &moves.scope, row, depth);
    let mut matched = Vec::new();
    match_each(
        ruleset,
        moves,
        components,
        env.values.clone(),
        meter,
        &mut matched,
    )?;
    let wanted = |index: usize| alternative.is_none_or(|wanted| index == wanted);
    for (index, alternative) in moves.alternatives.iter().enumerate() {
        for values in matched.iter().filter(|_| wanted(index)) {
            let mut env = Env {
                values: values.clone(),
                ..env.clone()
            };
            let order = Order {
                moves,
                alternative,
                direction,
            };
            choose(&mut env, order, 0, meter, &mut |env, meter| {
                for result in results(env, alternative, meter)? {
                    meter.spend(1)?;
                    let choices = named_choices(env);
                    collected.add(RuleOption {
                        rule,
                        result,
                        choices,
                        ways: 1,
                    })?;
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// All ways in which the patterns of a rule match these components, one after the other.
fn match_each(
    ruleset: &Ruleset,
    rule: &MoveRule,
    components: &[&Component],
    values: Vec<Option<Value>>,
    meter: &mut Meter,
    matched: &mut Vec<Vec<Option<Value>>>,
) -> Result<(), Limit> {
    let mut partial = vec![values];
    for (pattern, component) in rule.patterns.iter().zip(components) {
        let mut next = Vec::new();
        for values in partial {
            let mut found = |values, _: &mut Meter| {
                next.push(values);
                Ok(())
            };
            matching::matches(ruleset, pattern, component, &values, meter, &mut found)?;
        }
        partial = next;
    }
    matched.extend(partial);
    Ok(())
}

/// The mover's choices by name.
fn named_choices(env: &Env) -> Vec<(String, BigInt)> {
    let names = env.scope.names.iter().zip(&env.values);
    names
        .filter(|(name, _)| name.role == Role::Choice)
        .filter_map(|(name, value)| match value {
            Some(Value::Number(n)) => Some((name.name.clone(), n.clone())),
            _ => None,
        })
        .collect()
}

/// The naturals of a component that is a tuple of numbers; `None` if it holds a list.
pub fn numbers(component: &Component) -> Option<Vec<&BigUint>> {
    component
        .0
        .iter()
        .map(|item| match item {
            Item::Number(n) => Some(n),
            Item::List(_) => None,
        })
        .collect()
}
