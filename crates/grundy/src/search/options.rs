//! The options of a component in machine integers.

use grundy_rules::ruleset::{
    Alternative, Change, Empties, Expr, Guard, Pattern, PatternItem, Place, ResultTerm, RowOrder,
    Ruleset, Template, TemplateItem, Update, Variable,
};
use grundy_rules::{Limit as Stop, Meter};
use num_traits::ToPrimitive;

use super::compiled::{Bound, Compiled, Limit};
use super::machine::{Fail, Machine};

/// A component whose coordinates are machine integers.
pub(super) type Flat = Box<[i64]>;

/// Why a component's options were not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The exact definition has to do it.
    Exact,
    /// A limit of the meter.
    Limit(Stop),
}

impl From<Stop> for Halt {
    fn from(limit: Stop) -> Self {
        Self::Limit(limit)
    }
}

impl From<Fail> for Halt {
    /// Undefined terms are handled where they stand; what is left is out of reach.
    fn from(_: Fail) -> Self {
        Self::Exact
    }
}

/// `Ok(None)` where a term is undefined.
fn defined<T>(value: Result<T, Fail>) -> Result<Option<T>, Halt> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(Fail::Undefined) => Ok(None),
        Err(Fail::Overflow) => Err(Halt::Exact),
    }
}

/// Adds the results that one alternative of a rule gives a component.
pub(super) fn add_options(
    ruleset: &Ruleset,
    compiled: &Compiled,
    component: &[i64],
    meter: &mut Meter,
    results: &mut Vec<Vec<Flat>>,
) -> Result<(), Halt> {
    let rule = &ruleset.moves[compiled.rule];
    let machine = Machine::new(ruleset, &rule.scope, component)?;
    let Some(pattern) = rule.patterns.first() else {
        return enumerate(&mut machine.clone(), compiled, 0, meter, results);
    };
    let row = ruleset.row.as_ref();
    let unordered = ruleset.unordered || row.is_some_and(|row| row.unordered);
    if unordered {
        let mut matcher = Matcher {
            compiled,
            meter,
            results,
        };
        return matcher.any_order(&pattern.items, component, Bindings::new(&machine));
    }
    let turns = if row.is_some_and(|row| row.ring) {
        component.len().max(1)
    } else {
        1
    };
    for turn in 0..turns {
        let turned = [&component[turn..], &component[..turn]].concat();
        let mut matcher = Matcher {
            compiled,
            meter,
            results,
        };
        matcher.in_order(&pattern.items, &turned, Bindings::new(&machine))?;
    }
    Ok(())
}

/// A machine, and which of its variables a pattern has bound.
#[derive(Clone)]
struct Bindings<'r, 'c> {
    machine: Machine<'r, 'c>,
    bound: Vec<bool>,
}

impl<'r, 'c> Bindings<'r, 'c> {
    fn new(machine: &Machine<'r, 'c>) -> Self {
        Self {
            machine: machine.clone(),
            bound: vec![false; machine.numbers.len()],
        }
    }

    fn bind(&mut self, variable: Variable, n: i64) -> bool {
        let was = std::mem::replace(&mut self.bound[variable.0], true);
        if was {
            return self.machine.numbers[variable.0] == n;
        }
        self.machine.numbers[variable.0] = n;
        true
    }

    fn bind_list(&mut self, variable: Variable, list: &[i64]) -> bool {
        let was = std::mem::replace(&mut self.bound[variable.0], true);
        if was {
            return self.machine.lists[variable.0] == list;
        }
        self.machine.lists[variable.0] = list.to_vec();
        true
    }

    fn accepts(&mut self, item: &PatternItem, n: i64) -> bool {
        match item {
            PatternItem::Variable(variable) => self.bind(*variable, n),
            PatternItem::Number(wanted) => wanted.to_i64() == Some(n),
            PatternItem::Rest(_) | PatternItem::List(_) => false,
        }
    }
}

struct Matcher<'a, 'm> {
    compiled: &'a Compiled,
    meter: &'a mut Meter<'m>,
    results: &'a mut Vec<Vec<Flat>>,
}

impl Matcher<'_, '_> {
    fn in_order(
        &mut self,
        pattern: &[PatternItem],
        items: &[i64],
        mut bindings: Bindings,
    ) -> Result<(), Halt> {
        self.meter.spend(1)?;
        let Some((head, tail)) = pattern.split_first() else {
            return if items.is_empty() {
                self.matched(&mut bindings)
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
                // The next item must match before it is worth copying anything.
                if let Some(PatternItem::Number(wanted)) = tail.first()
                    && wanted.to_i64() != items.get(length).copied()
                {
                    continue;
                }
                let mut bindings = bindings.clone();
                if bindings.bind_list(*rest, &items[..length]) {
                    self.in_order(tail, &items[length..], bindings)?;
                }
            }
            return Ok(());
        }
        match items.split_first() {
            Some((item, rest)) if bindings.accepts(head, *item) => {
                self.in_order(tail, rest, bindings)
            }
            _ => Ok(()),
        }
    }

    fn any_order(
        &mut self,
        pattern: &[PatternItem],
        free: &[i64],
        mut bindings: Bindings,
    ) -> Result<(), Halt> {
        self.meter.spend(1)?;
        let single = pattern
            .iter()
            .position(|item| !matches!(item, PatternItem::Rest(_)));
        let Some(at) = single else {
            return match pattern {
                [] if free.is_empty() => self.matched(&mut bindings),
                [] => Ok(()),
                [PatternItem::Rest(rest)] => {
                    if bindings.bind_list(*rest, free) {
                        self.matched(&mut bindings)
                    } else {
                        Ok(())
                    }
                }
                _ => Err(Halt::Exact),
            };
        };
        let others: Vec<PatternItem> = [&pattern[..at], &pattern[at + 1..]].concat();
        for place in 0..free.len() {
            // Equal coordinates give equal results.
            if free[..place].contains(&free[place]) {
                continue;
            }
            let mut bindings = bindings.clone();
            if bindings.accepts(&pattern[at], free[place]) {
                let left = [&free[..place], &free[place + 1..]].concat();
                self.any_order(&others, &left, bindings)?;
            }
        }
        Ok(())
    }

    fn matched(&mut self, bindings: &mut Bindings) -> Result<(), Halt> {
        enumerate(
            &mut bindings.machine,
            self.compiled,
            0,
            self.meter,
            self.results,
        )
    }
}

/// Enumerates the choices from a level on. Its recursion is as deep as the rule has choices.
fn enumerate(
    machine: &mut Machine,
    compiled: &Compiled,
    level: usize,
    meter: &mut Meter,
    results: &mut Vec<Vec<Flat>>,
) -> Result<(), Halt> {
    if level == 0 && !all_hold(machine, &compiled.closed)? {
        return Ok(());
    }
    if level == compiled.movers {
        if exists(machine, compiled, level, meter)? {
            let alternative =
                &machine.ruleset.moves[compiled.rule].alternatives[compiled.alternative];
            add_results(machine, alternative, meter, results)?;
        }
        return Ok(());
    }
    let Some((low, high)) = ends(machine, compiled, level)? else {
        return Ok(());
    };
    for value in low..=high {
        meter.spend(1)?;
        machine.numbers[compiled.levels[level].variable.0] = value;
        if all_hold(machine, &compiled.levels[level].closing)? {
            enumerate(machine, compiled, level + 1, meter, results)?;
        }
    }
    Ok(())
}

/// Whether the choices that stand only in the guard can be made.
fn exists(
    machine: &mut Machine,
    compiled: &Compiled,
    level: usize,
    meter: &mut Meter,
) -> Result<bool, Halt> {
    if level == compiled.levels.len() {
        return Ok(true);
    }
    let Some((low, high)) = ends(machine, compiled, level)? else {
        return Ok(false);
    };
    for value in low..=high {
        meter.spend(1)?;
        machine.numbers[compiled.levels[level].variable.0] = value;
        if all_hold(machine, &compiled.levels[level].closing)?
            && exists(machine, compiled, level + 1, meter)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all_hold(machine: &mut Machine, guards: &[Guard]) -> Result<bool, Halt> {
    for guard in guards {
        if !machine.holds(guard)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The ends of a choice; `None` where a bound is undefined, so that its condition fails.
fn ends(machine: &Machine, compiled: &Compiled, level: usize) -> Result<Option<(i64, i64)>, Halt> {
    let level = &compiled.levels[level];
    let (mut low, mut high) = (0, i64::MAX);
    for bound in &level.lower {
        let Some(rest) = numerator(machine, bound)? else {
            return Ok(None);
        };
        low = low.max(num_integer::Integer::div_ceil(&rest, &bound.divisor));
    }
    for bound in &level.upper {
        let Some(rest) = numerator(machine, bound)? else {
            return Ok(None);
        };
        high = high.min(num_integer::Integer::div_floor(&rest, &bound.divisor));
    }
    Ok(Some((low, high)))
}

fn numerator(machine: &Machine, bound: &Bound) -> Result<Option<i64>, Halt> {
    let (rest, extra) = match &bound.rest {
        Limit::Expr(rest) => (rest, 0),
        Limit::Length(rest) => (
            rest,
            i64::try_from(machine.row.len()).map_err(|_| Halt::Exact)?,
        ),
        Limit::Largest(rest) => (rest, machine.row.iter().max().copied().unwrap_or(-1)),
    };
    match defined(machine.number(rest))? {
        Some(rest) => Ok(Some(rest.checked_add(extra).ok_or(Halt::Exact)?)),
        None => Ok(None),
    }
}

fn add_results(
    machine: &mut Machine,
    alternative: &Alternative,
    meter: &mut Meter,
    results: &mut Vec<Vec<Flat>>,
) -> Result<(), Halt> {
    meter.spend(1)?;
    match alternative {
        Alternative::Sum(terms) => {
            let mut components = Vec::new();
            for term in terms {
                let exists = match term {
                    ResultTerm::Component(template) => {
                        add_component(machine, template, 1, &mut components)?
                    }
                    ResultTerm::Copies { count, template } => {
                        match defined(machine.number(count))? {
                            Some(count) if count >= 0 => {
                                meter.spend(count.unsigned_abs())?;
                                count == 0
                                    || add_component(machine, template, count, &mut components)?
                            }
                            _ => false,
                        }
                    }
                    ResultTerm::Series { template, ranges } => {
                        add_series(machine, template, ranges, &mut components, meter)?
                    }
                };
                if !exists {
                    return Ok(());
                }
            }
            add_finished(machine, components, results)
        }
        Alternative::Updates(updates) => {
            for row in updated_rows(machine, updates, meter)? {
                add_finished(machine, vec![row], results)?;
            }
            Ok(())
        }
    }
}

fn add_component(
    machine: &Machine,
    template: &Template,
    copies: i64,
    components: &mut Vec<Vec<i64>>,
) -> Result<bool, Halt> {
    let Some(component) = build(machine, template)? else {
        return Ok(false);
    };
    for _ in 1..copies {
        components.push(component.clone());
    }
    components.push(component);
    Ok(true)
}

fn add_series(
    machine: &mut Machine,
    template: &Template,
    ranges: &[grundy_rules::ruleset::SeriesRange],
    components: &mut Vec<Vec<i64>>,
    meter: &mut Meter,
) -> Result<bool, Halt> {
    let Some((range, inner)) = ranges.split_first() else {
        return add_component(machine, template, 1, components);
    };
    let (Some(from), Some(to)) = (
        defined(machine.number(&range.from))?,
        defined(machine.number(&range.to))?,
    ) else {
        return Ok(false);
    };
    for value in from..=to {
        meter.spend(1)?;
        machine.numbers[range.variable.0] = value;
        if !add_series(machine, template, inner, components, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Builds a component; `None` if a coordinate is undefined or negative.
fn build(machine: &Machine, template: &Template) -> Result<Option<Vec<i64>>, Halt> {
    let mut items = Vec::with_capacity(template.items.len());
    for item in &template.items {
        match item {
            TemplateItem::Expr(expr) => match defined(machine.number(expr))? {
                Some(n) if n >= 0 => items.push(n),
                _ => return Ok(None),
            },
            TemplateItem::Splice(variable) => items.extend(machine.list(*variable)),
            TemplateItem::List(_) => return Err(Halt::Exact),
        }
    }
    Ok(Some(items))
}

/// Completes, normalises and checks the components of a result, and adds it if it is allowed.
fn add_finished(
    machine: &Machine,
    components: Vec<Vec<i64>>,
    results: &mut Vec<Vec<Flat>>,
) -> Result<(), Halt> {
    let ruleset = machine.ruleset;
    let mut finished = Vec::with_capacity(components.len());
    for component in components {
        let Some(component) = complete(ruleset, component)? else {
            return Ok(());
        };
        let component = normalise(ruleset, component);
        let order = ruleset.row.as_ref().and_then(|row| row.order);
        let keeps = order.is_none_or(|order| {
            component.windows(2).all(|pair| match order {
                RowOrder::Increasing => pair[0] < pair[1],
                RowOrder::Nondecreasing => pair[0] <= pair[1],
                RowOrder::Nonincreasing => pair[0] >= pair[1],
            })
        });
        if !keeps {
            return Ok(());
        }
        finished.push(component.into_boxed_slice());
    }
    finished.sort_unstable();
    results.push(finished);
    Ok(())
}

/// What `start` makes of a result with fewer coordinates.
fn complete(ruleset: &Ruleset, component: Vec<i64>) -> Result<Option<Vec<i64>>, Halt> {
    for start in ruleset.starts.iter().filter(|start| !start.has_rest()) {
        if start.pattern.items.len() != component.len() {
            continue;
        }
        if ruleset.unordered || is_nested(&start.pattern) {
            return Err(Halt::Exact);
        }
        let machine = Machine::new(ruleset, &start.scope, &[])?;
        let mut bindings = Bindings::new(&machine);
        let items = start.pattern.items.iter().zip(&component);
        if items
            .into_iter()
            .all(|(item, n)| bindings.accepts(item, *n))
        {
            return build(&bindings.machine, &start.template);
        }
    }
    Ok(Some(component))
}

fn is_nested(pattern: &Pattern) -> bool {
    pattern
        .items
        .iter()
        .any(|item| matches!(item, PatternItem::List(_)))
}

fn normalise(ruleset: &Ruleset, mut items: Vec<i64>) -> Vec<i64> {
    if let Some(row) = &ruleset.row {
        match row.empties {
            Empties::Stay => {}
            Empties::Vanish => items.retain(|n| *n != 0),
            Empties::VanishAtEnds => {
                while items.last() == Some(&0) {
                    items.pop();
                }
                let leading = items.iter().take_while(|n| **n == 0).count();
                items.drain(..leading);
            }
        }
        if row.ring {
            let rotation = |start: usize| items[start..].iter().chain(&items[..start]);
            let least = (0..items.len()).min_by(|a, b| rotation(*a).cmp(rotation(*b)));
            items.rotate_left(least.unwrap_or(0));
        }
    }
    if ruleset.unordered || ruleset.row.as_ref().is_some_and(|row| row.unordered) {
        items.sort_unstable();
    }
    items
}

/// What becomes of the places of the row: `None` where one is removed, and whether it was hit.
type Places = Vec<(Option<i64>, bool)>;

/// The rows that updates make of the old one.
fn updated_rows(
    machine: &Machine,
    updates: &[Update],
    meter: &mut Meter,
) -> Result<Vec<Vec<i64>>, Halt> {
    let mut rows: Vec<Places> = vec![machine.row.iter().map(|n| (Some(*n), false)).collect()];
    for update in updates {
        let Some(sets) = hits(machine, update, meter)? else {
            return Ok(Vec::new());
        };
        let mut next = Vec::with_capacity(rows.len() * sets.len());
        for row in &rows {
            for set in &sets {
                meter.spend(1 + set.len() as u64)?;
                if set.iter().any(|(place, _)| row[*place].1) {
                    continue;
                }
                let mut row = row.clone();
                for (place, n) in set {
                    row[*place] = (*n, true);
                }
                next.push(row);
            }
        }
        rows = next;
    }
    Ok(rows
        .into_iter()
        .map(|row| row.into_iter().filter_map(|(n, _)| n).collect())
        .collect())
}

/// A set of places, with what becomes of each: `None` where it is removed.
type Hits = Vec<(usize, Option<i64>)>;

/// The sets of places an update can hit, with what becomes of them; `None` for no move.
fn hits(machine: &Machine, update: &Update, meter: &mut Meter) -> Result<Option<Vec<Hits>>, Halt> {
    let place = |place: &Place| match place {
        Place::Index(index) => defined(machine.number(index).and_then(|i| machine.row_place(i))),
        Place::First => Ok((!machine.row.is_empty()).then_some(0)),
        Place::Last => Ok(machine.row.len().checked_sub(1)),
    };
    Ok(match update {
        Update::Place { place: at, change } => match place(at)? {
            Some(at) => changed(machine, at, change)?.map(|n| vec![vec![(at, Some(n))]]),
            None => None,
        },
        Update::Remove(at) => place(at)?.map(|at| vec![vec![(at, None)]]),
        Update::Every(change) => {
            let mut all = Vec::with_capacity(machine.row.len());
            for at in 0..machine.row.len() {
                let Some(n) = changed(machine, at, change)? else {
                    return Ok(None);
                };
                all.push((at, Some(n)));
            }
            (!all.is_empty()).then(|| vec![all])
        }
        Update::Some { at_most, change } => {
            let most = match at_most {
                None => machine.row.len(),
                Some(bound) => match defined(machine.number(bound))? {
                    Some(bound) if bound >= 1 => usize::try_from(bound).unwrap_or(usize::MAX),
                    _ => return Ok(None),
                },
            };
            Some(some_places(machine, most, change, meter)?)
        }
    })
}

/// Every non-empty set of at most `most` places in which a change is allowed.
fn some_places(
    machine: &Machine,
    most: usize,
    change: &Change,
    meter: &mut Meter,
) -> Result<Vec<Hits>, Halt> {
    let mut sets: Vec<Hits> = vec![Vec::new()];
    for at in 0..machine.row.len() {
        let Some(n) = changed(machine, at, change)? else {
            continue;
        };
        for index in 0..sets.len() {
            if sets[index].len() < most {
                meter.spend(1 + sets[index].len() as u64)?;
                let mut larger = sets[index].clone();
                larger.push((at, Some(n)));
                sets.push(larger);
            }
        }
    }
    sets.remove(0);
    Ok(sets)
}

/// What a change makes of the number at a place; `None` if it has no value or is negative.
fn changed(machine: &Machine, at: usize, change: &Change) -> Result<Option<i64>, Halt> {
    let of = |expr: &Expr| defined(machine.number(expr));
    let old = machine.row[at];
    let new = match change {
        Change::Decrease(by) => match of(by)? {
            Some(by) => Some(old.checked_sub(by).ok_or(Halt::Exact)?),
            None => None,
        },
        Change::Increase(by) => match of(by)? {
            Some(by) => Some(old.checked_add(by).ok_or(Halt::Exact)?),
            None => None,
        },
        Change::Set(to) => of(to)?,
    };
    Ok(new.filter(|n| *n >= 0))
}
