//! What may be done to components with one fixed number of coordinates.

use std::collections::BTreeMap;

use grundy_rules::ruleset::{
    Alternative, Change, Compound, Empties, Ending, EndingResult, MoveRule, Pattern, PatternItem,
    Place, Play, ResultTerm, RowOrder, Ruleset, Template, TemplateItem, Update,
};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

use super::formula::{FALSE, Formula, Fresh, Term, Variable, simplified};
use super::reading::{Aside, Line, Meaning};
use crate::refusal::{Clause, Reason, Unreadable};

/// How many components a move may leave, coordinates a component and ways a rule may have.
const MOST_PARTS: usize = 8;
const MOST_COORDINATES: usize = 6;
const MOST_WAYS: usize = 1 << 10;

/// A move of one component, as a relation between its coordinates and those of what it leaves.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The coordinates of what it leaves, part by part. Those of the component are `0, 1, …`.
    pub(crate) parts: Vec<Vec<Variable>>,
    /// True of exactly the numbers of which the rules say so.
    pub(crate) holds: Formula,
}

/// How components are played together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// In one component at least and in so many at most.
    Some(usize),
    /// In every component, or not at all.
    Every,
    /// In every component that has a move.
    EveryMovable,
}

/// The rules, for components with one number of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) arity: usize,
    pub(crate) steps: Vec<Step>,
    /// Which numbers are a component.
    pub(crate) domain: Formula,
    /// Where play has stopped: with the loss, and with the win, of the player about to move.
    pub(crate) ended: Option<(Formula, Formula)>,
    pub(crate) unordered: bool,
    pub(crate) misere: bool,
    pub(crate) together: Together,
}

impl Game {
    pub(crate) fn new(ruleset: &Ruleset, arity: usize, fresh: &mut Fresh) -> Result<Self, Reason> {
        if arity > MOST_COORDINATES {
            return Err(Reason::TooLarge);
        }
        let row = ruleset.row.as_ref();
        let unordered = ruleset.unordered || row.is_some_and(|row| row.unordered);
        let odd_row = row.is_some_and(|row| {
            row.ring || row.empties != Empties::Stay || (unordered && row.order.is_some())
        });
        let clauses = [
            (odd_row, Clause::Row),
            (ruleset.draw_on_repetition, Clause::DrawOnRepetition),
            (!ruleset.chances.is_empty(), Clause::Chance),
            (
                ruleset.moves.iter().any(|rule| rule.player.is_some()),
                Clause::Player,
            ),
            (
                ruleset.moves.iter().any(|rule| rule.patterns.len() > 1),
                Clause::Joint,
            ),
        ];
        if let Some((_, clause)) = clauses.into_iter().find(|(present, _)| *present) {
            return Err(Reason::Clause(clause));
        }
        let component: Vec<Term> = (0..arity).map(Term::variable).collect();
        let table = Table {
            ruleset,
            component: &component,
            unordered,
        };
        let mut steps = Vec::new();
        for rule in &ruleset.moves {
            table.rule(rule, &mut steps, fresh)?;
        }
        Ok(Self {
            arity,
            steps,
            domain: ordered(ruleset, &component),
            ended: table.ended(fresh)?,
            unordered,
            misere: ruleset.play == Play::Misere,
            together: together(ruleset, fresh)?,
        })
    }
}

fn together(ruleset: &Ruleset, fresh: &mut Fresh) -> Result<Together, Reason> {
    Ok(match &ruleset.compound {
        Compound::Disjunctive => Together::Some(1),
        Compound::Conjunctive => Together::Every,
        Compound::ConjunctiveContinued => Together::EveryMovable,
        Compound::Selective { scope, at_most } => {
            let most = match at_most {
                None => Some(usize::MAX),
                Some(bound) => Line::new(ruleset, scope, &[])
                    .fixed(bound, fresh)?
                    .filter(BigInt::is_positive)
                    .map_or(Some(0), |bound| bound.to_usize()),
            };
            Together::Some(most.unwrap_or(usize::MAX))
        }
    })
}

/// That a row is in the order that the rules declare.
fn ordered(ruleset: &Ruleset, row: &[Term]) -> Formula {
    let Some(order) = ruleset.row.as_ref().and_then(|row| row.order) else {
        return Formula::all([]);
    };
    Formula::all(row.windows(2).map(|pair| match order {
        RowOrder::Increasing => Formula::less(&pair[0], &pair[1]),
        RowOrder::Nondecreasing => Formula::at_most(&pair[0], &pair[1]),
        RowOrder::Nonincreasing => Formula::at_most(&pair[1], &pair[0]),
    }))
}

struct Table<'r> {
    ruleset: &'r Ruleset,
    component: &'r [Term],
    unordered: bool,
}

/// A line whose names mean something, under conditions.
type Matched<'r> = (Line<'r>, Vec<Formula>);

/// The parts that a move leaves, with what determines their coordinates.
type Left = (Aside, Vec<Vec<Term>>);

/// A row after some updates: what they put at each place, and `None` where they remove it.
type Changes = BTreeMap<usize, Option<Term>>;

impl<'r> Table<'r> {
    fn rule(
        &self,
        rule: &'r MoveRule,
        steps: &mut Vec<Step>,
        fresh: &mut Fresh,
    ) -> Result<(), Reason> {
        let line = Line::new(self.ruleset, &rule.scope, self.component);
        let matched = match rule.patterns.first() {
            None => vec![(line, Vec::new())],
            Some(pattern) => matches(pattern, self.component, self.unordered, &line)?,
        };
        for (mut line, conditions) in matched {
            let chosen = line.choose(fresh);
            let guard = line.guard(&rule.guard, fresh)?;
            for alternative in &rule.alternatives {
                for (aside, parts) in self.alternative(&line, alternative, fresh)? {
                    let variables: Vec<Vec<Variable>> = parts
                        .iter()
                        .map(|_| fresh.several(self.component.len()))
                        .collect();
                    let mut all = conditions.clone();
                    for (part, names) in parts.iter().zip(&variables) {
                        let part = self.completed(part, &mut all, fresh)?;
                        if part.len() != names.len() {
                            return Err(Reason::Unreadable(Unreadable::Arity));
                        }
                        let pairs = names.iter().zip(&part);
                        all.extend(
                            pairs.map(|(name, term)| Formula::equal(&Term::variable(*name), term)),
                        );
                        all.push(ordered(self.ruleset, &part));
                    }
                    all.push(guard.clone());
                    steps.push(Step {
                        parts: variables,
                        holds: simplified(Formula::some(
                            chosen.clone(),
                            aside.around(Formula::all(all)),
                        )),
                    });
                    if steps.len() > MOST_WAYS {
                        return Err(Reason::TooLarge);
                    }
                }
            }
        }
        Ok(())
    }

    /// What an alternative may leave.
    fn alternative(
        &self,
        line: &Line<'r>,
        alternative: &Alternative,
        fresh: &mut Fresh,
    ) -> Result<Vec<Left>, Reason> {
        let mut aside = Aside::default();
        match alternative {
            Alternative::Sum(terms) => {
                let mut parts = Vec::new();
                for term in terms {
                    if !summand(line, term, &mut aside, &mut parts, fresh)? {
                        return Ok(Vec::new());
                    }
                    if parts.len() > MOST_PARTS {
                        return Err(Reason::Unreadable(Unreadable::Series));
                    }
                }
                Ok(vec![(aside, parts)])
            }
            Alternative::Updates(updates) => {
                let rows = self.updates(line, updates, fresh)?;
                let row = |(aside, changes): (Aside, Changes)| {
                    let places = self.component.iter().enumerate();
                    let row = places.filter_map(|(at, old)| match changes.get(&at) {
                        None => Some(old.clone()),
                        Some(new) => new.clone(),
                    });
                    (aside, vec![row.collect()])
                };
                Ok(rows.into_iter().map(row).collect())
            }
        }
    }

    fn updates(
        &self,
        line: &Line<'r>,
        updates: &[Update],
        fresh: &mut Fresh,
    ) -> Result<Vec<(Aside, Changes)>, Reason> {
        let length = self.component.len();
        let mut rows = vec![(Aside::default(), Changes::new())];
        for update in updates {
            // The sets of places that it may hit, each under a condition.
            let hits: Vec<(Vec<usize>, Formula, &Change)> = match update {
                Update::Place { place, change } => self
                    .places(line, place, fresh)?
                    .into_iter()
                    .map(|(at, condition)| (vec![at], condition, change))
                    .collect(),
                Update::Remove(place) => {
                    let mut next = Vec::new();
                    for (at, condition) in self.places(line, place, fresh)? {
                        for (aside, changes) in &rows {
                            let (mut aside, mut changes) = (aside.clone(), changes.clone());
                            if changes.insert(at, None).is_none() {
                                aside.conditions.push(condition.clone());
                                next.push((aside, changes));
                            }
                        }
                    }
                    rows = next;
                    continue;
                }
                Update::Every(change) => {
                    if length == 0 {
                        return Ok(Vec::new());
                    }
                    vec![((0..length).collect(), Formula::all([]), change)]
                }
                Update::Some { at_most, change } => {
                    let most = match at_most {
                        None => length,
                        Some(bound) => {
                            let bound = line.fixed(bound, fresh)?;
                            let bound = bound.filter(BigInt::is_positive);
                            bound.map_or(0, |bound| bound.to_usize().unwrap_or(length))
                        }
                    };
                    let sets = (1usize..1 << length)
                        .filter(|set| set.count_ones() as usize <= most)
                        .map(|set| (0..length).filter(|at| set >> at & 1 == 1).collect());
                    sets.map(|set| (set, Formula::all([]), change)).collect()
                }
            };
            let mut next = Vec::new();
            for (aside, changes) in &rows {
                for (places, condition, change) in &hits {
                    let (mut aside, mut changes) = (aside.clone(), changes.clone());
                    aside.conditions.push(condition.clone());
                    let (Change::Decrease(by) | Change::Increase(by) | Change::Set(by)) = change;
                    let Some(by) = line.term(by, &mut aside, fresh)? else {
                        continue;
                    };
                    let twice = places.iter().any(|at| {
                        let old = &self.component[*at];
                        let new = match change {
                            Change::Decrease(_) => old.minus(&by),
                            Change::Increase(_) => old.plus(&BigInt::one(), &by),
                            Change::Set(_) => by.clone(),
                        };
                        changes.insert(*at, Some(new)).is_some()
                    });
                    if !twice {
                        next.push((aside, changes));
                    }
                }
            }
            rows = next;
            if rows.len() > MOST_WAYS {
                return Err(Reason::TooLarge);
            }
        }
        Ok(rows)
    }

    /// The places, counted from 0, that may be meant, each under a condition.
    fn places(
        &self,
        line: &Line<'r>,
        place: &Place,
        fresh: &mut Fresh,
    ) -> Result<Vec<(usize, Formula)>, Reason> {
        let length = self.component.len();
        let at = match place {
            Place::First => Some(Term::number(1)),
            Place::Last => Some(Term::number(length)),
            Place::Index(index) => {
                let mut aside = Aside::default();
                let at = line.term(index, &mut aside, fresh)?;
                if !aside.conditions.is_empty() {
                    return Err(Reason::Unreadable(Unreadable::Place));
                }
                at
            }
        };
        let Some(at) = at else {
            return Ok(Vec::new());
        };
        let each = (0..length).map(|here| (here, Formula::equal(&at, &Term::number(here + 1))));
        Ok(each.filter(|(_, condition)| *condition != FALSE).collect())
    }

    /// A part as `start` completes it: what is given to it must be natural.
    fn completed(
        &self,
        part: &[Term],
        conditions: &mut Vec<Formula>,
        fresh: &mut Fresh,
    ) -> Result<Vec<Term>, Reason> {
        conditions.extend(part.iter().map(Formula::natural));
        for start in self.ruleset.starts.iter().filter(|start| !start.has_rest()) {
            let line = Line::new(self.ruleset, &start.scope, &[]);
            let matched = matches(&start.pattern, part, self.unordered, &line)?;
            // Where it depends on the numbers, or on their order, whether and how it is completed, nothing is said.
            let (line, under) = match matched.as_slice() {
                [] => continue,
                [way] => way.clone(),
                _ => return Err(Reason::Clause(Clause::Start)),
            };
            if !under.is_empty() {
                return Err(Reason::Clause(Clause::Start));
            }
            let mut aside = Aside::default();
            let made = template(&line, &start.template, &mut aside, fresh)?;
            if !aside.conditions.is_empty() {
                return Err(Reason::Clause(Clause::Start));
            }
            return made.ok_or(Reason::Clause(Clause::Start));
        }
        Ok(part.to_vec())
    }

    /// Where play has stopped, by the first ending that matches.
    fn ended(&self, fresh: &mut Fresh) -> Result<Option<(Formula, Formula)>, Reason> {
        if self.ruleset.endings.is_empty() {
            return Ok(None);
        }
        let (mut lost, mut won, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for ending in &self.ruleset.endings {
            let here = self.ends(ending, fresh)?;
            let first = Formula::all(before.iter().cloned().chain([here.clone()]));
            match ending.result {
                EndingResult::Lost => lost.push(first),
                EndingResult::Won => won.push(first),
                EndingResult::Draw => return Err(Reason::Clause(Clause::Ending)),
            }
            before.push(here.not());
        }
        Ok(Some((Formula::any(lost), Formula::any(won))))
    }

    fn ends(&self, ending: &'r Ending, fresh: &mut Fresh) -> Result<Formula, Reason> {
        let line = Line::new(self.ruleset, &ending.scope, self.component);
        let mut any = Vec::new();
        for (mut line, conditions) in
            matches(&ending.pattern, self.component, self.unordered, &line)?
        {
            let chosen = line.choose(fresh);
            let guard = line.guard(&ending.guard, fresh)?;
            let all = Formula::all(conditions.into_iter().chain([guard]));
            any.push(Formula::some(chosen, all));
        }
        Ok(Formula::any(any))
    }
}

/// Adds the parts of one term of a result; tells whether it has a value.
fn summand(
    line: &Line,
    term: &ResultTerm,
    aside: &mut Aside,
    parts: &mut Vec<Vec<Term>>,
    fresh: &mut Fresh,
) -> Result<bool, Reason> {
    match term {
        ResultTerm::Component(component) => {
            let part = template(line, component, aside, fresh)?;
            let made = part.is_some();
            parts.extend(part);
            Ok(made)
        }
        ResultTerm::Copies {
            count,
            template: component,
        } => {
            let Some(count) = line.fixed(count, fresh)?.filter(|n| !n.is_negative()) else {
                return Ok(false);
            };
            let count = count.to_usize().filter(|count| *count <= MOST_PARTS);
            let count = count.ok_or(Reason::Unreadable(Unreadable::Series))?;
            if count == 0 {
                return Ok(true);
            }
            let Some(part) = template(line, component, aside, fresh)? else {
                return Ok(false);
            };
            parts.extend(std::iter::repeat_n(part, count));
            Ok(true)
        }
        ResultTerm::Series {
            template: component,
            ranges,
        } => {
            let mut lines = vec![line.clone()];
            for range in ranges {
                let mut next = Vec::new();
                for line in &lines {
                    let from = line.fixed(&range.from, fresh)?;
                    let to = line.fixed(&range.to, fresh)?;
                    let (Some(mut element), Some(to)) = (from, to) else {
                        return Ok(false);
                    };
                    while element <= to {
                        let mut inner = line.clone();
                        let number = Meaning::Number(Term::number(element.clone()));
                        inner.meanings[range.variable.0] = Some(number);
                        next.push(inner);
                        if next.len() > MOST_PARTS {
                            return Err(Reason::Unreadable(Unreadable::Series));
                        }
                        element += 1;
                    }
                }
                lines = next;
            }
            for line in &lines {
                let Some(part) = template(line, component, aside, fresh)? else {
                    return Ok(false);
                };
                parts.push(part);
            }
            Ok(true)
        }
    }
}

/// The coordinates of a component to be built; `None` where one has no value.
fn template(
    line: &Line,
    template: &Template,
    aside: &mut Aside,
    fresh: &mut Fresh,
) -> Result<Option<Vec<Term>>, Reason> {
    let mut made = Vec::new();
    for item in &template.items {
        match item {
            TemplateItem::Expr(expr) => match line.term(expr, aside, fresh)? {
                Some(term) => made.push(term),
                None => return Ok(None),
            },
            TemplateItem::Splice(name) => match &line.meanings[name.0] {
                Some(Meaning::List(list)) => made.extend(list.iter().cloned()),
                _ => return Ok(None),
            },
            TemplateItem::List(_) => return Err(Reason::Unreadable(Unreadable::Nested)),
        }
    }
    Ok(Some(made))
}

/// The ways in which a pattern meets some numbers. Without an order each item takes any number that is left, and a rest
/// variable all that remain.
fn matches<'r>(
    pattern: &Pattern,
    numbers: &[Term],
    unordered: bool,
    line: &Line<'r>,
) -> Result<Vec<Matched<'r>>, Reason> {
    let mut found = Vec::new();
    let mut open = vec![(line.clone(), Vec::new(), 0, numbers.to_vec())];
    if unordered && pattern.items.iter().filter(|item| is_rest(item)).count() > 1 {
        return Err(Reason::Clause(Clause::Unordered));
    }
    // Where there is no order, rest variables come last.
    let mut items: Vec<&PatternItem> = pattern.items.iter().collect();
    if unordered {
        items.sort_by_key(|item| is_rest(item));
    }
    while let Some((line, conditions, at, left)) = open.pop() {
        let Some(item) = items.get(at) else {
            if left.is_empty() {
                found.push((line, conditions));
            }
            continue;
        };
        if found.len() + open.len() > MOST_WAYS {
            return Err(Reason::TooLarge);
        }
        if let PatternItem::Rest(name) = item {
            let lengths = if unordered {
                left.len()..=left.len()
            } else {
                0..=left.len()
            };
            for length in lengths.rev() {
                let (run, others) = left.split_at(length);
                let (mut line, mut conditions) = (line.clone(), conditions.clone());
                match &line.meanings[name.0] {
                    Some(Meaning::List(old)) if old.len() == length => {
                        let pairs = old.iter().zip(run);
                        conditions.extend(pairs.map(|(old, new)| Formula::equal(old, new)));
                    }
                    Some(_) => continue,
                    None => line.meanings[name.0] = Some(Meaning::List(run.to_vec())),
                }
                open.push((line, conditions, at + 1, others.to_vec()));
            }
            continue;
        }
        let places = if unordered {
            left.len()
        } else {
            1.min(left.len())
        };
        for place in (0..places).rev() {
            let mut others = left.clone();
            let number = others.remove(place);
            let (mut line, mut conditions) = (line.clone(), conditions.clone());
            match item {
                PatternItem::Number(n) => conditions.push(Formula::equal(
                    &number,
                    &Term::number(BigInt::from(n.clone())),
                )),
                PatternItem::Variable(name) => match line.meanings[name.0].clone() {
                    Some(Meaning::Number(old)) => conditions.push(Formula::equal(&old, &number)),
                    Some(Meaning::List(_)) => continue,
                    None => line.meanings[name.0] = Some(Meaning::Number(number)),
                },
                // A number is no list.
                PatternItem::List(_) | PatternItem::Rest(_) => continue,
            }
            open.push((line, conditions, at + 1, others));
        }
    }
    Ok(found)
}

fn is_rest(item: &PatternItem) -> bool {
    matches!(item, PatternItem::Rest(_))
}
