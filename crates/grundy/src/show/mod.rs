//! What the rules of a game say, as facts that can be told back to whoever wrote them.
//!
//! Most wrong answers come from rules that say something else than was meant: parts that join,
//! an empty heap that counts, a pair that is ordered, a game that has no move in it. So the rules
//! are read once more, and tried on small positions.

mod conditions;
mod linear;
mod reach;
mod termination;

use std::collections::BTreeSet;

use grundy_rules::given::{GivenFault, coordinates, prepare};
use grundy_rules::moves::{Move, is_joint, moves};
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Change, Comparison, Expr, Guard, MoveRule, PatternItem, ResultTerm,
    Role, RowOrder, Template, TemplateItem, Update, Variable,
};
use grundy_rules::{Component, Item, Limit, Meter, Position, Ruleset};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::oracle::{Oracle, has_independent_components, unsolved_clause};
use crate::outcome::Undecided;

pub use conditions::{Condition, Follows, conditions};
use linear::Known;
pub use reach::{Beyond, Reach};
pub use termination::Measure;
pub(crate) use termination::measures;

/// What is so for the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The ways to move: each alternative of each rule, in file order.
    pub ways: Vec<Way>,
    /// How much can be proved of each rule, in file order.
    pub reach: Vec<Reach>,
    /// The coordinates, counted from 0, that restrict later moves and are no heap.
    pub memory: BTreeSet<usize>,
    /// Whether every play ends.
    pub ends: Ends,
    /// What small positions show; or the limit that was reached on them.
    pub tried: Result<Tried, Limit>,
}

/// One alternative of a rule, with the conditions sorted by what they speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The index of the rule in [`Ruleset::moves`].
    pub rule: usize,
    /// The index of the alternative.
    pub alternative: usize,
    /// Conditions in which no choice stands.
    pub conditions: Vec<Guard>,
    /// The mover's choices, in text order.
    pub choices: Vec<Variable>,
    /// Which values the choices may have. What is implied is written out: that choices are at
    /// least 0, and that nothing gets negative.
    pub bounds: Vec<Guard>,
    /// Numbers that must exist.
    pub witnesses: Vec<Variable>,
    /// What must be so for them.
    pub witnessed: Vec<Guard>,
}

/// Whether every play ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It does: each move makes one of these measures of what it changes smaller, and none that
    /// stands before it larger.
    Always(Vec<Measure>),
    /// It need not: each of these positions can become the next, and the last one the first.
    Cycle(Vec<Position>),
    /// Neither was shown.
    NotShown,
}

/// What the moves from small components show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// How many components were tried, each as a position of its own.
    pub components: usize,
    /// The largest number in them.
    pub upto: u64,
    /// Those without a move, as given, smallest first; the first [`MOST_STUCK`].
    pub stuck: Vec<Component>,
    /// How many have no move.
    pub stuck_count: usize,
    /// The smallest with a move.
    pub movable: Option<Component>,
    /// The smallest with only zeros, and how many moves it has.
    pub zero: Option<(Component, usize)>,
    /// A move that leaves several components.
    pub split: Option<Example>,
    /// A move that leaves a component without numbers, or with zeros only.
    pub empty_part: Option<Example>,
    /// A move that leaves no component.
    pub nothing: Option<Example>,
}

/// How many components without a move are named.
pub const MOST_STUCK: usize = 8;

/// A move from a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// From where.
    pub from: Component,
    /// To where.
    pub to: Position,
}

/// Reads the rules of a game once more. The meter pays for what is tried on small positions.
pub fn facts(ruleset: &Ruleset, meter: &mut Meter) -> Facts {
    let mut ways = Vec::new();
    for (rule, moves) in ruleset.moves.iter().enumerate() {
        for alternative in 0..moves.alternatives.len() {
            ways.push(way(ruleset, rule, alternative));
        }
    }
    let rules = ruleset.moves.iter();
    Facts {
        ways,
        reach: rules.map(|rule| reach::reach(ruleset, rule)).collect(),
        memory: memory(ruleset),
        ends: ends(ruleset, meter),
        tried: tried(ruleset, meter),
    }
}

fn way(ruleset: &Ruleset, rule: usize, alternative: usize) -> Way {
    let moves = &ruleset.moves[rule];
    let with_role = |wanted: Role| -> Vec<Variable> {
        let names = moves.scope.names.iter().enumerate();
        names
            .filter(|(_, name)| name.role == wanted)
            .map(|(index, _)| Variable(index))
            .collect()
    };
    let mut way = Way {
        rule,
        alternative,
        conditions: Vec::new(),
        choices: with_role(Role::Choice),
        bounds: Vec::new(),
        witnesses: with_role(Role::Existential),
        witnessed: Vec::new(),
    };
    let conjuncts = match &moves.guard {
        Guard::All(guards) => guards.clone(),
        guard => vec![guard.clone()],
    };
    for guard in conjuncts {
        if speaks_of(&guard, &way.witnesses) {
            way.witnessed.push(guard);
        } else if speaks_of(&guard, &way.choices) {
            way.bounds.push(turned(guard, &way.choices));
        } else {
            way.conditions.push(guard);
        }
    }
    let mut known = Known::new(ruleset, &moves.scope);
    known.learn_guard(&moves.guard);
    let mut lower = Vec::new();
    for choice in &way.choices {
        let zero = Expr::Number(BigInt::zero());
        let least = Guard::Compare(Comparison::LessEqual, zero, Expr::Variable(*choice));
        if !way.bounds.iter().any(|guard| bounds_below(guard, *choice)) {
            lower.push(least);
        }
    }
    for guard in implied(&moves.alternatives[alternative]) {
        if known.implies_guard(&guard) {
            continue;
        }
        known.learn_guard(&guard);
        if speaks_of(&guard, &way.choices) {
            way.bounds.push(guard);
        } else {
            way.conditions.push(guard);
        }
    }
    lower.append(&mut way.bounds);
    way.bounds = in_reading_order(lower);
    way
}

fn speaks_of(guard: &Guard, variables: &[Variable]) -> bool {
    let mut speaks = false;
    guard.for_each_variable(&mut |variable| speaks = speaks || variables.contains(&variable));
    speaks
}

/// `k >= 1` as `1 <= k`, so that bounds can be chained.
fn turned(guard: Guard, choices: &[Variable]) -> Guard {
    let is_choice = |expr: &Expr| matches!(expr, Expr::Variable(v) if choices.contains(v));
    match guard {
        Guard::Compare(
            comparison @ (Comparison::Greater | Comparison::GreaterEqual),
            left,
            right,
        ) if is_choice(&left) => {
            let turned = match comparison {
                Comparison::Greater => Comparison::Less,
                _ => Comparison::LessEqual,
            };
            Guard::Compare(turned, right, left)
        }
        guard => guard,
    }
}

/// Whether a condition plainly says from where on a choice counts.
fn bounds_below(guard: &Guard, choice: Variable) -> bool {
    let is_choice = |expr: &Expr| *expr == Expr::Variable(choice);
    match guard {
        Guard::Compare(Comparison::Less | Comparison::LessEqual, _, right) => is_choice(right),
        Guard::Compare(Comparison::Equal, left, right) => is_choice(left) || is_choice(right),
        Guard::Divides(item, _)
        | Guard::Member {
            negated: false,
            item,
            ..
        } => is_choice(item),
        Guard::Related {
            negated: false,
            items,
            ..
        } => items.iter().any(is_choice),
        Guard::Option { to, .. } => *to == choice,
        _ => false,
    }
}

/// Comparisons first, each behind the one that ends where it begins: `1 <= k`, then `k <= n`.
fn in_reading_order(mut open: Vec<Guard>) -> Vec<Guard> {
    let ends = |guard: &Guard| match guard {
        Guard::Compare(Comparison::Less | Comparison::LessEqual, left, right) => {
            Some((left.clone(), right.clone()))
        }
        _ => None,
    };
    let mut ordered: Vec<Guard> = Vec::with_capacity(open.len());
    loop {
        let goes_on = |guard: &Guard| {
            let last = ordered.last().and_then(ends);
            matches!((last, ends(guard)), (Some((_, end)), Some((start, _))) if end == start)
        };
        let begins = |guard: &Guard| {
            ends(guard).is_some_and(|(start, _)| {
                let others = open.iter().filter_map(ends);
                others.into_iter().all(|(_, end)| end != start)
            })
        };
        let next = open
            .iter()
            .position(goes_on)
            .or_else(|| open.iter().position(begins))
            .or_else(|| open.iter().position(|guard| ends(guard).is_some()));
        match next {
            Some(next) => ordered.push(open.remove(next)),
            None => break,
        }
    }
    ordered.extend(open);
    ordered
}

/// That no coordinate of a result may be negative, where it could be.
fn implied(alternative: &Alternative) -> Vec<Guard> {
    let mut implied = Vec::new();
    let mut template = |template: &Template| {
        for item in &template.items {
            if let TemplateItem::Expr(expr) = item {
                implied.extend(not_negative(expr));
            }
        }
    };
    match alternative {
        Alternative::Sum(terms) => {
            for term in terms {
                // The components of the others need not be made.
                if let ResultTerm::Component(component) = term {
                    template(component);
                }
            }
        }
        Alternative::Updates(updates) => {
            for update in updates {
                if let Update::Place {
                    change: Change::Set(expr),
                    ..
                } = update
                {
                    implied.extend(not_negative(expr));
                }
            }
        }
    }
    implied
}

/// The condition for an expression to be at least 0, where its signs allow less.
fn not_negative(expr: &Expr) -> Option<Guard> {
    match expr {
        Expr::Binary(BinaryOp::Subtract, left, right) => Some(Guard::Compare(
            Comparison::LessEqual,
            (**right).clone(),
            (**left).clone(),
        )),
        _ if has_minus(expr) => Some(Guard::Compare(
            Comparison::LessEqual,
            Expr::Number(BigInt::zero()),
            expr.clone(),
        )),
        _ => None,
    }
}

/// Whether a sum or product has a part that may be negative.
fn has_minus(expr: &Expr) -> bool {
    match expr {
        Expr::Negate(_) | Expr::Binary(BinaryOp::Subtract, ..) => true,
        Expr::Binary(BinaryOp::Add | BinaryOp::Multiply | BinaryOp::Divide, left, right) => {
            has_minus(left) || has_minus(right)
        }
        _ => false,
    }
}

/// The coordinates that a rule writes from the choice alone, while another one goes on, and that
/// a condition reads; and those that `start` adds and a condition reads.
fn memory(ruleset: &Ruleset) -> BTreeSet<usize> {
    let mut read = BTreeSet::new();
    let mut written = BTreeSet::new();
    for rule in &ruleset.moves {
        for pattern in &rule.patterns {
            for (place, item) in pattern.items.iter().enumerate() {
                match item {
                    PatternItem::Variable(variable) if speaks_of(&rule.guard, &[*variable]) => {
                        read.insert(place);
                    }
                    PatternItem::Number(_) => {
                        read.insert(place);
                    }
                    _ => {}
                }
            }
            for alternative in &rule.alternatives {
                written.extend(written_anew(ruleset, rule, &pattern.items, alternative));
            }
        }
    }
    for start in &ruleset.starts {
        let given = start.pattern.items.len();
        if !start.has_rest() && start.template.items.len() > given {
            written.extend(given..start.template.items.len());
        }
    }
    written.intersection(&read).copied().collect()
}

/// The coordinates that an alternative writes without regard to the old component, if another
/// one of the same component goes on. One that can only shrink is a heap, and no memory.
fn written_anew(
    ruleset: &Ruleset,
    rule: &MoveRule,
    pattern: &[PatternItem],
    alternative: &Alternative,
) -> BTreeSet<usize> {
    let mut anew = BTreeSet::new();
    let Alternative::Sum(terms) = alternative else {
        return anew;
    };
    for term in terms {
        let ResultTerm::Component(template) = term else {
            continue;
        };
        if template.items.len() != pattern.len() || pattern.len() < 2 {
            continue;
        }
        let variables = |item: &TemplateItem| {
            let mut variables = Vec::new();
            if let TemplateItem::Expr(expr) = item {
                expr.for_each_variable(&mut |variable| variables.push(variable));
            }
            variables
        };
        let goes_on = template.items.iter().zip(pattern).any(
            |(new, old)| matches!(old, PatternItem::Variable(old) if variables(new).contains(old)),
        );
        for (place, new) in template.items.iter().enumerate() {
            let of_choice = variables(new).iter().all(|variable| {
                let role = rule.scope.names[variable.0].role;
                matches!(role, Role::Choice | Role::Parameter(_))
            });
            let is_kept = matches!(
                (new, &pattern[place]),
                (TemplateItem::Expr(Expr::Number(new)), PatternItem::Number(old))
                    if *new == BigInt::from(old.clone())
            );
            let TemplateItem::Expr(new) = new else {
                continue;
            };
            let mut known = Known::new(ruleset, &rule.scope);
            known.learn_guard(&rule.guard);
            let shrinks = matches!(
                &pattern[place],
                PatternItem::Variable(old) if known.implies_guard(&Guard::Compare(
                    Comparison::LessEqual,
                    new.clone(),
                    Expr::Variable(*old),
                ))
            );
            if goes_on && of_choice && !is_kept && !shrinks {
                anew.insert(place);
            }
        }
    }
    anew
}

/// Whether every play ends, by a proof or by a cycle among small positions.
fn ends(ruleset: &Ruleset, meter: &mut Meter) -> Ends {
    if let Some(measures) = termination::measures(ruleset) {
        return Ends::Always(measures);
    }
    if unsolved_clause(ruleset).is_some() {
        return Ends::NotShown;
    }
    let independent = has_independent_components(ruleset).is_ok();
    let mut oracle = Oracle::new(ruleset);
    for given in small_components(ruleset) {
        let Ok(position) = prepare(ruleset, &Position(vec![given]), meter) else {
            continue;
        };
        let found = match position.0.as_slice() {
            [component] if independent => oracle.grundy_value(component, meter).map(|_| ()),
            _ => oracle.outcome(&position, meter).map(|_| ()),
        };
        match found {
            Err(Undecided::Cycle(cycle)) => return Ends::Cycle(cycle),
            Err(Undecided::Limit(_)) => return Ends::NotShown,
            _ => {}
        }
    }
    Ends::NotShown
}

/// The moves from small components.
fn tried(ruleset: &Ruleset, meter: &mut Meter) -> Result<Tried, Limit> {
    let mut tried = Tried::default();
    if is_joint(ruleset) {
        return Ok(tried);
    }
    for given in small_components(ruleset) {
        let position = match prepare(ruleset, &Position(vec![given.clone()]), meter) {
            Ok(position) => position,
            Err(GivenFault::Limit(limit)) => return Err(limit),
            Err(_) => continue,
        };
        let next = moves(ruleset, &position, meter)?;
        tried.components += 1;
        tried.upto = tried.upto.max(largest(&given));
        if tried.zero.is_none() && is_empty(&given) {
            tried.zero = Some((given.clone(), next.len()));
        }
        if next.is_empty() {
            tried.stuck_count += 1;
            if tried.stuck.len() < MOST_STUCK {
                tried.stuck.push(given);
            }
            continue;
        }
        tried.movable.get_or_insert_with(|| given.clone());
        let note = |example: &mut Option<Example>, wanted: &dyn Fn(&[Component]) -> bool| {
            let shows = |next: &&Move| next.changes.iter().any(|change| wanted(&change.to));
            if example.is_none() {
                *example = next.iter().find(shows).map(|next| Example {
                    from: given.clone(),
                    to: next.result(&position),
                });
            }
        };
        note(&mut tried.split, &|parts| parts.len() > 1);
        note(&mut tried.empty_part, &|parts| parts.iter().any(is_empty));
        note(&mut tried.nothing, &|parts| parts.is_empty());
    }
    Ok(tried)
}

/// Whether a component has only zeros, or no numbers at all.
fn is_empty(component: &Component) -> bool {
    let is_zero = |item: &Item| matches!(item, Item::Number(n) if n.is_zero());
    component.0.iter().all(is_zero)
}

fn largest(component: &Component) -> u64 {
    let numbers = component.0.iter().filter_map(|item| match item {
        Item::Number(n) => n.to_u64(),
        Item::List(_) => None,
    });
    numbers.max().unwrap_or(0)
}

/// Small components as one could give them: the smallest numbers first, then shorter before longer
/// ones.
fn small_components(ruleset: &Ruleset) -> Vec<Component> {
    let alphabet = ruleset.row.as_ref().map_or(0, |row| row.alphabet.len());
    let lengths: Vec<usize> = match coordinates(ruleset) {
        Some(admitted) => admitted.into_iter().collect(),
        None if alphabet > 0 => (0..=6).collect(),
        None => (0..=4).collect(),
    };
    let increasing = ruleset
        .row
        .as_ref()
        .is_some_and(|row| row.order == Some(RowOrder::Increasing));
    let mut components = Vec::new();
    for length in lengths {
        let upto = match length {
            _ if alphabet > 0 => alphabet as u64 - 1,
            0 | 1 => 20,
            2 => 7,
            _ if increasing => 4,
            _ => 3,
        };
        let mut numbers = vec![0; length];
        for _ in 0..MOST_TRIED {
            components.push(Component::of_numbers(numbers.iter().copied()));
            // Counts on, the last place first.
            let Some(place) = numbers.iter().rposition(|n| *n < upto) else {
                break;
            };
            numbers[place] += 1;
            numbers[place + 1..].fill(0);
        }
    }
    components.sort_by_key(|component| {
        let sum: u64 = component
            .0
            .iter()
            .map(|item| match item {
                Item::Number(n) => n.to_u64().unwrap_or(0),
                Item::List(_) => 0,
            })
            .sum();
        (sum, component.0.len(), component.clone())
    });
    components
}

/// The most components of one length that are tried.
const MOST_TRIED: usize = 1000;
