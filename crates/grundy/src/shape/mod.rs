//! Shapes: the normal form of a ruleset, computed from its rules.
//!
//! Kernels, theorems and provers match on shapes and on nothing else, so that rules written out
//! get what their short form gets. Two rulesets get the same shape because their options are
//! *proved* equal, never because their names or some values agree: the sizes of the parts are
//! solved for the mover's choices, the guards become linear arithmetic, and whether these
//! conditions leave all parts free is decided on a box that is large enough for all heaps
//! (`decide`).
//!
//! Where that fails, a shape says which rule stands in the way, and why.

mod classes;
mod code;
mod decide;
mod formula;
mod lines;
mod outside;
mod read;
mod relation;
mod same;
mod takes;

use std::collections::BTreeMap;

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{PatternItem, Play};

use crate::oracle::{has_independent_components, unsolved_clause};
use decide::{Truth, truth};
use formula::{Formula, Linear};
use relation::{Relation, relations};

pub use classes::{Class, Classes, Conditions};
pub(crate) use code::for_each_partition;
pub use code::{Code, MOST_PARTS};
pub use lines::Lines;
pub use outside::{Outside, Reason};
pub use same::{KnownRules, Recognition};
pub use takes::{Bound, Takes};

/// The normal form of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Who wins when no move is left.
    pub play: Play,
    /// What the moves are.
    pub form: Form,
}

/// What the moves of a ruleset are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Heaps of one number; what is taken alone decides into how many heaps the rest is split.
    Code(Code),
    /// Heaps of one number; finitely many classes of moves, at least one under a condition.
    Classes(Classes),
    /// Heaps of one number; take from 1 to as many as a slowly growing function of the heap says.
    Takes(Takes),
    /// Heaps of one number whose rules have no narrower form.
    Heaps(Outside),
    /// Tuples from which multiples of some directions are subtracted.
    Lines(Lines),
    /// Anything else.
    Other(Outside),
}

/// The largest take of a rule with finitely many.
const LARGEST_TAKE: i64 = 1 << 16;

impl Shape {
    /// The normal form of these rules.
    ///
    /// Costs a fraction of a second at most: constants or moduli that would need a larger box are
    /// refused with [`Reason::Room`].
    pub fn of(ruleset: &Ruleset) -> Self {
        Self {
            play: ruleset.play,
            form: form(ruleset),
        }
    }

    /// The code, if that is the form.
    pub fn code(&self) -> Option<&Code> {
        match &self.form {
            Form::Code(code) => Some(code),
            _ => None,
        }
    }

    /// Whether components are heaps of one number.
    pub fn is_heaps(&self) -> bool {
        !matches!(self.form, Form::Lines(_) | Form::Other(_))
    }

    /// The options of the heap `n`, ascending lists of non-empty heaps, each once, ascending;
    /// `None` where the form does not say.
    pub fn options(&self, n: usize) -> Option<Vec<Vec<usize>>> {
        match &self.form {
            Form::Code(code) => Some(code.options(n)),
            Form::Classes(classes) => Some(classes.options(n)),
            Form::Takes(takes) => Some(takes.options(n)),
            Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => None,
        }
    }
}

fn form(ruleset: &Ruleset) -> Form {
    let whole = |reason| Outside { rule: None, reason };
    if unsolved_clause(ruleset).is_some() || ruleset.draw_on_repetition {
        return Form::Other(whole(Reason::Unsolved));
    }
    if has_independent_components(ruleset).is_err() {
        return Form::Other(whole(Reason::Dependent));
    }
    if ruleset.row.is_some() {
        return Form::Other(whole(Reason::Rows));
    }
    if !ruleset.starts.is_empty() {
        return Form::Other(whole(Reason::Coordinates));
    }
    if let Some(lines) = Lines::of(ruleset) {
        return Form::Lines(lines);
    }
    for (index, rule) in ruleset.moves.iter().enumerate() {
        let one_number = rule.patterns.iter().all(|pattern| {
            matches!(
                pattern.items.as_slice(),
                [PatternItem::Variable(_) | PatternItem::Number(_)]
            )
        });
        if !one_number || rule.patterns.len() != 1 {
            return Form::Other(Outside {
                rule: Some(index),
                reason: Reason::Coordinates,
            });
        }
    }
    match (classify(ruleset), Takes::of(ruleset)) {
        (Ok(Form::Code(code)), _) => Form::Code(code),
        (_, Some(takes)) => Form::Takes(takes),
        (Ok(form), None) => form,
        (Err(outside), None) => Form::Heaps(outside),
    }
}

/// Conditions by what is removed and how many non-empty parts are left, from all rules.
#[derive(Default)]
struct Collected {
    /// For each (removed, parts) alternatives of a condition on the parts.
    finite: BTreeMap<(usize, usize), Vec<Formula>>,
    /// For each number of parts alternatives of a condition on what is removed and the parts.
    infinite: BTreeMap<usize, Vec<Formula>>,
}

fn classify(ruleset: &Ruleset) -> Result<Form, Outside> {
    let mut collected = Collected::default();
    for (index, rule) in ruleset.moves.iter().enumerate() {
        let blame = |reason| Outside {
            rule: Some(index),
            reason,
        };
        for relation in relations(ruleset, rule).map_err(blame)? {
            collected.add(&relation).map_err(blame)?;
        }
    }
    let blame = |reason| Outside { rule: None, reason };
    let mut classes = Vec::new();
    for ((removed, parts), alternatives) in collected.finite {
        let formula = symmetric(&Formula::any(alternatives), parts, 0).map_err(blame)?;
        let condition = match truth(&formula, parts) {
            Truth::Never => continue,
            Truth::Always => Formula::Constant(true),
            Truth::Sometimes => formula,
        };
        if removed == 0 && parts <= 1 {
            return Err(blame(Reason::NoProgress));
        }
        classes.push(Class {
            removed,
            parts,
            condition,
        });
    }
    let mut head: Vec<u8> = Vec::new();
    let mut repeating: Vec<u8> = vec![0];
    for (parts, alternatives) in collected.infinite {
        let formula = symmetric(&Formula::any(alternatives), parts, 1).map_err(blame)?;
        let answers = decide::eventually(&formula, parts).map_err(blame)?;
        if parts <= 1 && answers.head[0] {
            return Err(blame(Reason::NoProgress));
        }
        add_digits(&mut head, &mut repeating, &answers, 1 << parts);
    }
    if classes.iter().all(Class::is_unconditional) {
        for class in &classes {
            grow(&mut head, &repeating, class.removed + 1);
            head[class.removed] |= 1 << class.parts;
        }
        return Ok(Form::Code(Code::new(head, repeating)));
    }
    if repeating.iter().all(|digit| *digit == 0) && head.iter().all(|digit| *digit == 0) {
        Ok(Form::Classes(Classes { classes }))
    } else {
        Err(blame(Reason::Unbounded))
    }
}

/// Lengthens the head of a repeating list to at least `length`, without changing what it says.
fn grow(head: &mut Vec<u8>, repeating: &[u8], length: usize) {
    let start = head.len();
    // A whole number of repetitions, so that what repeats stays in phase.
    while head.len() < length || !(head.len() - start).is_multiple_of(repeating.len()) {
        let digit = repeating[(head.len() - start) % repeating.len()];
        head.push(digit);
    }
}

/// Sets a bit of the digits where the answers say yes.
fn add_digits(head: &mut Vec<u8>, repeating: &mut Vec<u8>, answers: &decide::Eventually, bit: u8) {
    let period = num_integer::lcm(repeating.len(), answers.repeating.len());
    let old = std::mem::take(repeating);
    grow(head, &old, answers.head.len());
    let answer = |place: usize| match answers.head.get(place) {
        Some(answer) => *answer,
        None => answers.repeating[(place - answers.head.len()) % answers.repeating.len()],
    };
    for (place, digit) in head.iter_mut().enumerate() {
        if answer(place) {
            *digit |= bit;
        }
    }
    *repeating = (0..period)
        .map(|place| {
            let digit = old[place % old.len()];
            if answer(head.len() + place) {
                digit | bit
            } else {
                digit
            }
        })
        .collect();
}

impl Collected {
    /// Sorts one relation by how many of its parts are empty, and by what is removed.
    fn add(&mut self, relation: &Relation) -> Result<(), Reason> {
        for empty in 0u32..1 << relation.parts {
            let parts = relation.parts - empty.count_ones() as usize;
            let width = 1 + parts;
            // Parts are 0, or `least` and more.
            let placed = |least: i64| {
                let mut next = 0;
                let mut values = vec![Linear::variable(0, width)];
                values.extend((0..relation.parts).map(|part| {
                    if empty >> part & 1 == 1 {
                        Linear::constant(0, width)
                    } else {
                        next += 1;
                        let mut value = Linear::variable(next, width);
                        value.constant = least;
                        value
                    }
                }));
                let formula = relation.formula.substitute(&values, width);
                formula.ok_or(Reason::LargeNumber)
            };
            let in_naturals = placed(1)?.in_naturals();
            if in_naturals == Formula::Constant(false) {
                continue;
            }
            // -removed is at most the bound in direction -1.
            let least = in_naturals.bound(0, -1).map_or(-1, |bound| -bound);
            if least < 0 {
                return Err(Reason::Grows);
            }
            match in_naturals.bound(0, 1) {
                Some(most) => self.add_finite(&placed(0)?, parts, least, most)?,
                None => self.infinite.entry(parts).or_default().push(placed(0)?),
            }
        }
        Ok(())
    }

    fn add_finite(
        &mut self,
        formula: &Formula,
        parts: usize,
        least: i64,
        most: i64,
    ) -> Result<(), Reason> {
        if most > LARGEST_TAKE {
            return Err(Reason::Room);
        }
        // A list of takes may be short where the largest of them is large.
        let removed: Vec<i64> = match formula.listed(0) {
            Some(listed) => {
                let inside = |removed: &i64| (least..=most).contains(removed);
                listed.into_iter().filter(inside).collect()
            }
            None => (least..=most).collect(),
        };
        for removed in removed {
            let mut values = vec![Linear::constant(removed, parts)];
            values.extend((0..parts).map(|part| Linear::variable(part, parts)));
            let formula = formula
                .substitute(&values, parts)
                .ok_or(Reason::LargeNumber)?;
            if formula != Formula::Constant(false) {
                let removed = usize::try_from(removed).expect("it is a natural");
                self.finite
                    .entry((removed, parts))
                    .or_default()
                    .push(formula);
            }
        }
        Ok(())
    }
}

/// The condition that some order of the parts satisfies; the parts are the variables from `first` on.
fn symmetric(formula: &Formula, parts: usize, first: usize) -> Result<Formula, Reason> {
    let width = first + parts;
    let mut all = Vec::new();
    for order in orders(parts) {
        let values: Vec<_> = (0..first)
            .chain(order.iter().map(|place| first + place))
            .map(|index| Linear::variable(index, width))
            .collect();
        all.push(
            formula
                .substitute(&values, width)
                .ok_or(Reason::LargeNumber)?,
        );
    }
    Ok(Formula::any(all))
}

/// All orders of the numbers below `count`, of which there are few.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, next| {
        orders
            .iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |place| {
                    let mut longer = order.clone();
                    longer.insert(place, next);
                    longer
                })
            })
            .collect()
    })
}
