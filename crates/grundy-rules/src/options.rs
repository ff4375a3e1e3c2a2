//! The options of a component: the readable definition of what rules allow.
//!
//! This enumerates choices one by one, in exact integers. It is the meaning of
//! the rule language; every faster engine is held against it.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::bounds::{self, Reasoning};
use crate::budget::{Limit, Meter};
use crate::divisor;
use crate::eval::{Env, Value, item_number};
use crate::interval::End;
use crate::matching;
use crate::position::{Component, Item};
use crate::ruleset::{
    Alternative, Change, Empties, Ending, EndingResult, Expr, Guard, MoveRule, Place, ResultTerm,
    Role, RowOrder, Ruleset, Template, TemplateItem, Update, Variable,
};

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

type Chosen<'c> = dyn FnMut(&mut Env, &mut Meter) -> Result<(), Limit> + 'c;

/// For which alternative of which rule choices are made, and from which end.
#[derive(Clone, Copy)]
struct Order<'r> {
    moves: &'r MoveRule,
    alternative: &'r Alternative,
    direction: Direction,
}

/// Calls `chosen` for every value of the choices with an index from `first` on for which the guard
/// holds. Its recursion is as deep as the rule has choices.
fn choose(
    env: &mut Env,
    order: Order,
    first: usize,
    meter: &mut Meter,
    chosen: &mut Chosen,
) -> Result<(), Limit> {
    let (guard, alternative) = (&order.moves.guard, Some(order.alternative));
    if !undecided_or_true(env, guard, meter)? {
        return Ok(());
    }
    let next = (first..env.values.len()).find(|index| env.scope.names[*index].role == Role::Choice);
    let Some(index) = next else {
        return if exists(env, guard, alternative, meter)? {
            chosen(env, meter)
        } else {
            Ok(())
        };
    };
    let variable = (Variable(index), order.direction);
    each_value(
        env,
        guard,
        alternative,
        variable,
        meter,
        &mut |env, meter| {
            choose(env, order, index + 1, meter, chosen)?;
            Ok(false)
        },
    )?;
    Ok(())
}

/// Whether some value of the existential choices satisfies the guard.
fn exists(
    env: &mut Env,
    guard: &Guard,
    alternative: Option<&Alternative>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let is_open = |index: &usize| {
        env.scope.names[*index].role == Role::Existential && env.values[*index].is_none()
    };
    let Some(index) = (0..env.values.len()).find(is_open) else {
        return env.holds(guard, meter);
    };
    if !undecided_or_true(env, guard, meter)? {
        return Ok(false);
    }
    each_value(
        env,
        guard,
        alternative,
        (Variable(index), Direction::Ascending),
        meter,
        &mut |env, meter| exists(env, guard, alternative, meter),
    )
}

/// Calls `with` for each value that a choice can have, from that end on, until one call says to
/// stop; tells whether one did.
fn each_value(
    env: &mut Env,
    guard: &Guard,
    alternative: Option<&Alternative>,
    (variable, direction): (Variable, Direction),
    meter: &mut Meter,
    with: &mut dyn FnMut(&mut Env, &mut Meter) -> Result<bool, Limit>,
) -> Result<bool, Limit> {
    let mut stopped = false;
    if let Some(source) = bounds::option_source(guard, variable) {
        for list in env.nested_options(source, meter)? {
            env.values[variable.0] = Some(Value::List(list.0));
            stopped = with(env, meter)?;
            if stopped {
                break;
            }
        }
    } else {
        let mut reasoning = Reasoning::in_position(env);
        reasoning.narrow_all(guard, alternative);
        let interval = reasoning.intervals[variable.0].clone();
        if reasoning.is_contradictory() {
            return Ok(false);
        }
        let (End::Finite(low), End::Finite(high)) = (interval.low, interval.high) else {
            return Err(Limit::Steps);
        };
        let mut candidates = Candidates::new(env, guard, variable, (low, high), direction, meter)?;
        while let Some(next) = candidates.next() {
            meter.spend(1)?;
            env.values[variable.0] = Some(Value::Number(next));
            stopped = with(env, meter)?;
            if stopped {
                break;
            }
        }
    }
    env.values[variable.0] = None;
    Ok(stopped)
}

/// The fewest values of a choice for which its divisibility is used.
const MANY_VALUES: u32 = 1 << 12;

/// The values that a choice can have, from one end on.
enum Candidates {
    /// All numbers from the next one to the last one.
    Range {
        next: BigInt,
        low: BigInt,
        high: BigInt,
        step: i8,
    },
    /// These, the next one last.
    Listed(Vec<BigInt>),
}

impl Candidates {
    /// All values between two, or, where they are many and a condition says that the choice divides a number known
    /// by now, its divisors. The condition is still to be checked with all others.
    fn new(
        env: &Env,
        guard: &Guard,
        variable: Variable,
        (low, high): (BigInt, BigInt),
        direction: Direction,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        if &high - &low >= MANY_VALUES.into() {
            for conjunct in bounds::conjuncts(guard) {
                let Guard::Divides(Expr::Variable(divisor), multiple) = conjunct else {
                    continue;
                };
                if *divisor != variable {
                    continue;
                }
                let multiple = env.number(multiple, meter)?;
                let Some(multiple) = multiple.filter(|n| !n.is_zero()) else {
                    continue;
                };
                let factors = divisor::factors(multiple.magnitude(), meter)?;
                let all = divisor::divisors(&factors, meter)?.into_iter();
                let mut all: Vec<_> = all.map(BigInt::from).collect();
                all.retain(|d| low <= *d && *d <= high);
                if matches!(direction, Direction::Ascending) {
                    all.reverse();
                }
                return Ok(Self::Listed(all));
            }
        }
        let (next, step) = match direction {
            Direction::Ascending => (low.clone(), 1),
            Direction::Descending => (high.clone(), -1),
        };
        Ok(Self::Range {
            next,
            low,
            high,
            step,
        })
    }

    fn next(&mut self) -> Option<BigInt> {
        match self {
            Self::Listed(all) => all.pop(),
            Self::Range {
                next,
                low,
                high,
                step,
            } => {
                let inside = *low <= *next && *next <= *high;
                inside.then(|| {
                    let value = next.clone();
                    *next += *step;
                    value
                })
            }
        }
    }
}

/// False only if a top-level conjunct whose variables are all bound is false.
fn undecided_or_true(env: &mut Env, guard: &Guard, meter: &mut Meter) -> Result<bool, Limit> {
    for conjunct in bounds::conjuncts(guard) {
        if is_closed(env, conjunct) && !env.holds(conjunct, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no choice that is still open stands in a condition.
fn is_closed(env: &Env, guard: &Guard) -> bool {
    let mut closed = true;
    guard.for_each_variable(&mut |variable| {
        let open = matches!(
            env.scope.names[variable.0].role,
            Role::Choice | Role::Existential
        );
        closed = closed && !(open && env.values[variable.0].is_none());
    });
    closed
}

/// The results of an alternative for the choices made; several where `some` takes subsets.
fn results(
    env: &mut Env,
    alternative: &Alternative,
    meter: &mut Meter,
) -> Result<Vec<Vec<Component>>, Limit> {
    match alternative {
        Alternative::Sum(terms) => {
            let mut components = Vec::new();
            for term in terms {
                if !add_term(env, term, &mut components, meter)? {
                    return Ok(Vec::new());
                }
            }
            Ok(finish(env, components, meter)?.into_iter().collect())
        }
        Alternative::Updates(updates) => {
            let mut rows = Vec::new();
            update_row(env, updates, &mut rows, meter)?;
            let mut all = Vec::new();
            for row in rows {
                all.extend(finish(env, vec![Component(row)], meter)?);
            }
            Ok(all)
        }
    }
}

/// Adds the components of one term; false if it does not exist.
fn add_term(
    env: &mut Env,
    term: &ResultTerm,
    components: &mut Vec<Component>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    match term {
        ResultTerm::Component(template) => {
            let Some(component) = build(env, template, meter)? else {
                return Ok(false);
            };
            components.push(component);
        }
        ResultTerm::Copies { count, template } => {
            let Some(count) = env
                .number(count, meter)?
                .filter(|count| !count.is_negative())
            else {
                return Ok(false);
            };
            if count.is_zero() {
                return Ok(true);
            }
            let Some(component) = build(env, template, meter)? else {
                return Ok(false);
            };
            let count = count.to_u64().ok_or(Limit::Bytes)?;
            for _ in 0..count {
                meter.spend(1)?;
                components.push(component.clone());
            }
        }
        ResultTerm::Series { template, ranges } => {
            return add_series(env, template, ranges, components, meter);
        }
    }
    Ok(true)
}

fn add_series(
    env: &mut Env,
    template: &Template,
    ranges: &[crate::ruleset::SeriesRange],
    components: &mut Vec<Component>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let Some((range, inner)) = ranges.split_first() else {
        let Some(component) = build(env, template, meter)? else {
            return Ok(false);
        };
        components.push(component);
        return Ok(true);
    };
    let (Some(mut next), Some(to)) = (
        env.number(&range.from, meter)?,
        env.number(&range.to, meter)?,
    ) else {
        return Ok(false);
    };
    let mut all = true;
    while all && next <= to {
        meter.spend(1)?;
        env.values[range.variable.0] = Some(Value::Number(next.clone()));
        all = add_series(env, template, inner, components, meter)?;
        next += 1;
    }
    env.values[range.variable.0] = None;
    Ok(all)
}

/// Builds a component; `None` if a coordinate is undefined or negative.
fn build(env: &Env, template: &Template, meter: &mut Meter) -> Result<Option<Component>, Limit> {
    let mut items = Vec::with_capacity(template.items.len());
    for item in &template.items {
        match item {
            TemplateItem::Expr(Expr::Variable(variable))
                if matches!(env.values[variable.0], Some(Value::List(_))) =>
            {
                if let Some(Value::List(list)) = &env.values[variable.0] {
                    items.push(Item::List(Component(list.clone())));
                }
            }
            TemplateItem::Expr(expr) => {
                match env.number(expr, meter)?.and_then(|n| n.to_biguint()) {
                    Some(n) => items.push(Item::Number(n)),
                    None => return Ok(None),
                }
            }
            TemplateItem::Splice(variable) => match &env.values[variable.0] {
                Some(Value::List(list)) => items.extend(list.iter().cloned()),
                _ => return Ok(None),
            },
            TemplateItem::List(inner) => match build(env, inner, meter)? {
                Some(list) => items.push(Item::List(list)),
                None => return Ok(None),
            },
        }
    }
    Ok(Some(Component(items)))
}

/// Completes, normalises and checks the components of a result; `None` if one is not allowed.
fn finish(
    env: &Env,
    components: Vec<Component>,
    meter: &mut Meter,
) -> Result<Option<Vec<Component>>, Limit> {
    let ruleset = env.ruleset;
    let mut finished = Vec::with_capacity(components.len());
    for component in components {
        let Some(component) = complete(ruleset, component, false, meter)? else {
            return Ok(None);
        };
        let component = normalise(ruleset, component);
        if !keeps_order(ruleset, &component) {
            return Ok(None);
        }
        finished.push(component);
    }
    Ok(Some(finished))
}

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

/// Adds the rows that the updates make of the old one. Everything reads the old row; two
/// updates of one place, a place outside the row and a negative number are no move.
fn update_row(
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
