//! The moves of a whole position, under every way of playing components together.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::budget::{Limit, Meter};
use crate::eval::Env;
use crate::options::{RuleOption, ending, joint_options, options};
use crate::position::{Component, Position};
use crate::ruleset::{Compound, EndingResult, Expr, Ruleset, Scope};

/// A move: which components it changes, under which label, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The label of the rule; of several rules, joined by ` + `, where several components move.
    pub label: String,
    /// The mover's choices by name, those of the first way; `k@0`, `k@2` for the components 0
    /// and 2 where several components move.
    pub choices: Vec<(String, BigInt)>,
    /// In how many ways the mover can choose it.
    pub ways: u64,
    /// What it changes, ascending by component.
    pub changes: Vec<ComponentChange>,
}

/// What a move does to one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentChange {
    /// Its place in the position, counted from 0.
    pub component: usize,
    /// What it was.
    pub from: Component,
    /// What it becomes: a sum.
    pub to: Vec<Component>,
}

impl Move {
    /// The position that the move leads to from `position`, in ascending order.
    pub fn result(&self, position: &Position) -> Position {
        let changed = |index: &usize| self.changes.iter().any(|c| c.component == *index);
        let kept = (0..position.0.len()).filter(|index| !changed(index));
        let mut components: Vec<_> = kept.map(|index| position.0[index].clone()).collect();
        components.extend(
            self.changes
                .iter()
                .flat_map(|change| change.to.iter().cloned()),
        );
        Position(components).sorted()
    }
}

/// How play has ended in a position by an `ends` rule, if it has: the first component that ends.
pub fn ended(
    ruleset: &Ruleset,
    position: &Position,
    meter: &mut Meter,
) -> Result<Option<EndingResult>, Limit> {
    for component in &position.0 {
        if let Some(result) = ending(ruleset, component, meter)? {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

/// Whether some rule takes several components at once.
pub fn is_joint(ruleset: &Ruleset) -> bool {
    ruleset.moves.iter().any(|rule| rule.patterns.len() > 1)
}

/// All moves of a position, in the order: component, then rule in file order, then choices
/// ascending. A position in which play has ended has none.
///
/// Time and space grow with the product of the components' numbers of options where
/// several components move at once.
pub fn moves(
    ruleset: &Ruleset,
    position: &Position,
    meter: &mut Meter,
) -> Result<Vec<Move>, Limit> {
    if ended(ruleset, position, meter)?.is_some() {
        return Ok(Vec::new());
    }
    if is_joint(ruleset) {
        return joint_moves(ruleset, position, meter);
    }
    let mut each = Vec::with_capacity(position.0.len());
    for component in &position.0 {
        each.push(options(ruleset, component, meter)?);
    }
    let all: Vec<usize> = (0..each.len()).collect();
    match &ruleset.compound {
        Compound::Disjunctive => Ok(all
            .iter()
            .flat_map(|index| each[*index].iter().map(|option| (*index, option)))
            .map(|(index, option)| combined(ruleset, position, &[(index, option)]))
            .collect()),
        Compound::Conjunctive if each.iter().any(Vec::is_empty) => Ok(Vec::new()),
        Compound::Conjunctive => product(ruleset, position, &each, &all, meter),
        Compound::ConjunctiveContinued => {
            let movable: Vec<_> = all
                .into_iter()
                .filter(|index| !each[*index].is_empty())
                .collect();
            product(ruleset, position, &each, &movable, meter)
        }
        Compound::Selective { scope, at_most } => {
            let most = most_at_once(ruleset, scope, at_most.as_ref(), meter)?;
            let movable: Vec<_> = all
                .into_iter()
                .filter(|index| !each[*index].is_empty())
                .collect();
            let mut moves = Vec::new();
            for subset in subsets(&movable, most, meter)? {
                moves.extend(product(ruleset, position, &each, &subset, meter)?);
            }
            Ok(moves)
        }
    }
}

/// In how many components at most one move is made, under `selective`.
pub fn most_at_once(
    ruleset: &Ruleset,
    scope: &Scope,
    at_most: Option<&Expr>,
    meter: &mut Meter,
) -> Result<usize, Limit> {
    let Some(bound) = at_most else {
        return Ok(usize::MAX);
    };
    // Without a value, or below 1, it allows no component.
    let bound = Env::new(ruleset, scope, &[]).number(bound, meter)?;
    let bound = bound.filter(Signed::is_positive);
    Ok(bound.map_or(0, |bound| bound.to_usize().unwrap_or(usize::MAX)))
}

/// The non-empty subsets with at most `most` members, in lexicographic order.
fn subsets(of: &[usize], most: usize, meter: &mut Meter) -> Result<Vec<Vec<usize>>, Limit> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for member in of {
        for index in 0..all.len() {
            if all[index].len() < most {
                meter.spend(1 + all[index].len() as u64)?;
                let mut larger = all[index].clone();
                larger.push(*member);
                all.push(larger);
            }
        }
    }
    all.remove(0);
    all.sort();
    Ok(all)
}

/// One move in each of these components at once: every combination, the first component slowest.
fn product(
    ruleset: &Ruleset,
    position: &Position,
    each: &[Vec<RuleOption>],
    moving: &[usize],
    meter: &mut Meter,
) -> Result<Vec<Move>, Limit> {
    if moving.is_empty() {
        return Ok(Vec::new());
    }
    let mut combinations: Vec<Vec<(usize, &RuleOption)>> = vec![Vec::new()];
    for index in moving {
        let mut longer = Vec::new();
        for combination in &combinations {
            for option in &each[*index] {
                meter.spend(1 + combination.len() as u64)?;
                let mut combination = combination.clone();
                combination.push((*index, option));
                longer.push(combination);
            }
        }
        combinations = longer;
    }
    Ok(combinations
        .iter()
        .map(|combination| combined(ruleset, position, combination))
        .collect())
}

/// The move that takes these options at once, of components in ascending order.
pub fn combined(ruleset: &Ruleset, position: &Position, parts: &[(usize, &RuleOption)]) -> Move {
    let label = |option: &RuleOption| ruleset.moves[option.rule].label.clone();
    let named = |index: usize, option: &RuleOption| -> Vec<_> {
        let choices = option.choices.iter().cloned();
        if parts.len() == 1 {
            choices.collect()
        } else {
            choices
                .map(|(name, n)| (format!("{name}@{index}"), n))
                .collect()
        }
    };
    Move {
        label: parts
            .iter()
            .map(|(_, option)| label(option))
            .collect::<Vec<_>>()
            .join(" + "),
        choices: parts
            .iter()
            .flat_map(|(index, option)| named(*index, option))
            .collect(),
        ways: parts
            .iter()
            .map(|(_, option)| option.ways)
            .fold(1, u64::saturating_mul),
        changes: parts
            .iter()
            .map(|(index, option)| ComponentChange {
                component: *index,
                from: position.0[*index].clone(),
                to: option.result.clone(),
            })
            .collect(),
    }
}

/// The moves of a game some of whose rules take several components.
///
/// A rule with `p` patterns on its left takes `p` different components in every order; what it
/// makes of them stands in the place of the first.
fn joint_moves(
    ruleset: &Ruleset,
    position: &Position,
    meter: &mut Meter,
) -> Result<Vec<Move>, Limit> {
    let mut moves: Vec<Move> = Vec::new();
    let mut seen = std::collections::BTreeMap::new();
    for (rule, declared) in ruleset.moves.iter().enumerate() {
        for places in arrangements(position.0.len(), declared.patterns.len().max(1), meter)? {
            let components: Vec<_> = places.iter().map(|place| &position.0[*place]).collect();
            for option in joint_options(ruleset, rule, &components, meter)? {
                let mut changed = places.clone();
                changed.sort_unstable();
                let changes = changed
                    .iter()
                    .enumerate()
                    .map(|(at, component)| ComponentChange {
                        component: *component,
                        from: position.0[*component].clone(),
                        to: if at == 0 {
                            option.result.clone()
                        } else {
                            Vec::new()
                        },
                    });
                let next = Move {
                    label: declared.label.clone(),
                    choices: option.choices.clone(),
                    ways: option.ways,
                    changes: changes.collect(),
                };
                let key = (changed, next.label.clone(), next.result(position));
                let index = *seen.entry(key).or_insert(moves.len());
                if index == moves.len() {
                    moves.push(next);
                } else {
                    moves[index].ways = moves[index].ways.saturating_add(next.ways);
                }
            }
        }
    }
    moves.sort_by_key(|m| m.changes.first().map(|change| change.component));
    Ok(moves)
}

/// All ways to choose `k` of `n` places in order.
fn arrangements(n: usize, k: usize, meter: &mut Meter) -> Result<Vec<Vec<usize>>, Limit> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..k {
        let mut longer = Vec::new();
        for arrangement in &all {
            for place in (0..n).filter(|place| !arrangement.contains(place)) {
                meter.spend(1 + k as u64)?;
                let mut arrangement = arrangement.clone();
                arrangement.push(place);
                longer.push(arrangement);
            }
        }
        all = longer;
    }
    Ok(all)
}
