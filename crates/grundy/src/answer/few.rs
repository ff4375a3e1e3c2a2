//! Moves of which there are few, and those that lead to a position named beforehand.

use grundy_rules::moves::Move;
use grundy_rules::options::{RuleOption, options};
use grundy_rules::ruleset::{
    Aggregate, Alternative, BinaryOp, Change, Comparison, Empties, Expr, Guard, MoveRule,
    Parameter, ParameterValue, Place, ResultTerm, Role, RowEnd, ScopedName, Set, Span, Template,
    TemplateItem, Update, Variable,
};
use grundy_rules::{Component, Item, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};

use super::MoveSet;

/// Moves in the documented order, each with the position that it leads to.
#[derive(Clone, Debug)]
pub struct Few<M> {
    moves: Vec<(M, Vec<Component>)>,
}

impl Few<RuleOption> {
    /// These options of one component.
    pub fn options(options: Vec<RuleOption>) -> Self {
        let with_result = |option: RuleOption| {
            let result = option.result.clone();
            (option, result)
        };
        Self {
            moves: options.into_iter().map(with_result).collect(),
        }
    }
}

impl Few<Move> {
    /// These moves of a position.
    pub fn moves(position: &Position, moves: Vec<Move>) -> Self {
        let with_result = |next: Move| {
            let result = after(position, &next);
            (next, result)
        };
        Self {
            moves: moves.into_iter().map(with_result).collect(),
        }
    }
}

/// The components after a move, in the order of the position.
fn after(position: &Position, next: &Move) -> Vec<Component> {
    let mut components = Vec::with_capacity(position.0.len());
    for (index, component) in position.0.iter().enumerate() {
        match next.changes.iter().find(|change| change.component == index) {
            None => components.push(component.clone()),
            Some(change) => components.extend(change.to.iter().cloned()),
        }
    }
    components
}

impl<M: Clone> MoveSet<M> for Few<M> {
    fn count(&self) -> Option<BigUint> {
        Some(self.moves.len().into())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = M> + '_> {
        Box::new(self.moves.iter().map(|(next, _)| next.clone()))
    }

    fn least(&self) -> Option<M> {
        let least = self.moves.iter().min_by(|a, b| a.1.cmp(&b.1));
        least.map(|(next, _)| next.clone())
    }
}

/// The options of a component that are one of the components `targets`, in the documented order,
/// however many others there are.
///
/// A target is what the rule writes, before empty places vanish. The rules are asked for their
/// options with one condition more for each number of the result, so that the choices are bounded from
/// both sides. Costs little where each choice stands in a number of the result.
pub fn options_to(
    ruleset: &Ruleset,
    component: &Component,
    targets: &[Component],
    meter: &mut Meter,
) -> Result<Vec<RuleOption>, Limit> {
    let mut found = Vec::new();
    for target in targets {
        found.extend(options_to_one(ruleset, component, target, meter)?);
    }
    // A rule matches a component in one way, so that its choices are in order.
    found.sort_by(|(a, left), (b, right)| (a, &left.choices).cmp(&(b, &right.choices)));
    found.dedup_by(|(_, later), (_, earlier)| later == earlier);
    Ok(found.into_iter().map(|(_, option)| option).collect())
}

/// The options that are one component, with the places of their alternatives among all.
fn options_to_one(
    ruleset: &Ruleset,
    component: &Component,
    target: &Component,
    meter: &mut Meter,
) -> Result<Vec<(usize, RuleOption)>, Limit> {
    let mut narrowed = ruleset.clone();
    narrowed.expectations.clear();
    narrowed.claims.clear();
    narrowed.moves.clear();
    let (mut origin, mut place) = (Vec::new(), 0);
    let list = narrowed.parameters.len();
    let numbers = target.0.iter().map(|item| match item {
        Item::Number(n) => Some(BigInt::from(n.clone())),
        Item::List(_) => None,
    });
    let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else {
        return Ok(Vec::new());
    };
    narrowed.parameters.push(Parameter {
        name: String::new(),
        value: ParameterValue::List(numbers.clone()),
        span: Span::default(),
    });
    for (index, rule) in ruleset.moves.iter().enumerate() {
        for alternative in &rule.alternatives {
            let mut rule = MoveRule {
                alternatives: vec![alternative.clone()],
                ..rule.clone()
            };
            let conditions = match alternative {
                Alternative::Sum(terms) => numbers_written(terms, &numbers),
                Alternative::Updates(updates) => {
                    let changed = changed_places(component, target);
                    places_written(&mut rule, list, updates, &changed)
                }
            };
            place += 1;
            if let Some(conditions) = conditions {
                let mut all = match std::mem::replace(&mut rule.guard, Guard::All(Vec::new())) {
                    Guard::All(guards) => guards,
                    guard => vec![guard],
                };
                all.extend(conditions);
                rule.guard = match all.len() {
                    1 => all.swap_remove(0),
                    _ => Guard::All(all),
                };
                narrowed.moves.push(rule);
                origin.push((index, place));
            }
        }
    }
    let wanted = normalised(ruleset, target.clone());
    let mut found = options(&narrowed, component, meter)?;
    found.retain(|option| option.result.as_slice() == std::slice::from_ref(&wanted));
    let placed = |mut option: RuleOption| {
        let (rule, place) = origin[option.rule];
        option.rule = rule;
        (place, option)
    };
    Ok(found.into_iter().map(placed).collect())
}

/// What becomes of a written row.
fn normalised(ruleset: &Ruleset, mut component: Component) -> Component {
    let empty = |item: &Item| matches!(item, Item::Number(n) if n.bits() == 0);
    match ruleset.row.as_ref().map(|row| row.empties) {
        None | Some(Empties::Stay) => {}
        Some(Empties::Vanish) => component.0.retain(|item| !empty(item)),
        Some(Empties::VanishAtEnds) => {
            while component.0.last().is_some_and(empty) {
                component.0.pop();
            }
            let leading = component.0.iter().take_while(|item| empty(item)).count();
            component.0.drain(..leading);
        }
    }
    component
}

fn equal(expr: Expr, n: &BigInt) -> Guard {
    Guard::Compare(Comparison::Equal, expr, Expr::Number(n.clone()))
}

/// The conditions that a result of one component has these numbers; `None` if it cannot.
pub(super) fn numbers_written(terms: &[ResultTerm], numbers: &[BigInt]) -> Option<Vec<Guard>> {
    let [ResultTerm::Component(Template { items })] = terms else {
        return None;
    };
    let is_splice = |item: &TemplateItem| matches!(item, TemplateItem::Splice(_));
    let splices = items.iter().filter(|item| is_splice(item)).count();
    if items.len() - splices > numbers.len() || splices == 0 && items.len() != numbers.len() {
        return None;
    }
    let first = items.iter().position(is_splice).unwrap_or(items.len());
    let last = items
        .iter()
        .rposition(is_splice)
        .map_or(items.len(), |i| i + 1);
    let behind = items.len() - last;
    let pairs = items[..first].iter().zip(numbers);
    let pairs = pairs.chain(items[last..].iter().zip(&numbers[numbers.len() - behind..]));
    let conditions = pairs.map(|(item, n)| match item {
        TemplateItem::Expr(expr) => Some(equal(expr.clone(), n)),
        _ => None,
    });
    conditions.collect()
}

/// The conditions that the updated places have the numbers of the list parameter with this index.
///
/// `changed` are the places, counted from 1, at which the numbers are others than before; each of them must
/// be updated, so where there are as many as updates, no other place is.
pub(super) fn places_written(
    rule: &mut MoveRule,
    parameter: usize,
    updates: &[Update],
    changed: &[usize],
) -> Option<Vec<Guard>> {
    if updates.len() < changed.len() {
        return None;
    }
    let mut variable = |role: Role| {
        let names = &mut rule.scope.names;
        let index = names.iter().position(|name| name.role == role);
        Variable(index.unwrap_or_else(|| {
            names.push(ScopedName {
                name: String::new(),
                role,
                span: Span::default(),
            });
            names.len() - 1
        }))
    };
    let (wanted, row) = (variable(Role::Parameter(parameter)), variable(Role::Row));
    let length = Expr::Aggregate(Aggregate::Length, Set::Named(row));
    let mut within = Vec::new();
    let conditions = updates.iter().map(|update| {
        let Update::Place { place, change } = update else {
            return None;
        };
        let (old, place) = match place {
            Place::Index(e) => (Expr::Index(row, Box::new(e.clone())), e.clone()),
            Place::First => (Expr::End(RowEnd::First), Expr::Number(1.into())),
            Place::Last => (Expr::End(RowEnd::Last), length.clone()),
        };
        if let ([first, ..], [.., last]) = (changed, changed)
            && changed.len() == updates.len()
        {
            let number = |n: &usize| Expr::Number((*n).into());
            if last - first >= changed.len() {
                within.push(Guard::Member {
                    negated: false,
                    item: place.clone(),
                    set: Set::List(changed.iter().map(number).collect()),
                });
            }
            let (first, last) = (number(first), number(last));
            within.push(Guard::Compare(
                Comparison::GreaterEqual,
                place.clone(),
                first,
            ));
            within.push(Guard::Compare(Comparison::LessEqual, place.clone(), last));
        }
        let new = Expr::Index(wanted, Box::new(place));
        let with = |op, e: &Expr| Expr::Binary(op, Box::new(old.clone()), Box::new(e.clone()));
        let written = match change {
            Change::Decrease(e) => with(BinaryOp::Subtract, e),
            Change::Increase(e) => with(BinaryOp::Add, e),
            Change::Set(e) => e.clone(),
        };
        Some(Guard::Compare(Comparison::Equal, written, new))
    });
    let mut conditions = conditions.collect::<Option<Vec<_>>>()?;
    conditions.append(&mut within);
    Some(conditions)
}

/// The places, counted from 1, at which two rows of one length differ; none for other rows.
pub(super) fn changed_places(before: &Component, after: &Component) -> Vec<usize> {
    if before.0.len() != after.0.len() {
        return Vec::new();
    }
    let pairs = before.0.iter().zip(&after.0).enumerate();
    let changed = pairs.filter(|(_, (before, after))| before != after);
    changed.map(|(index, _)| index + 1).collect()
}
