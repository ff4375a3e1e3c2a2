//! The moves of a game as relations between numbers.

use std::collections::BTreeMap;

use grundy_automata::{Formula, NumerationSystem, Term, Variable};
use grundy_rules::moves::{is_joint, most_at_once};
use grundy_rules::ruleset::{
    Alternative, Change, Compound, Empties, Ending, EndingResult, MoveRule, Pattern, PatternItem,
    Place, Play, ResultTerm, RowOrder, Ruleset, Template, TemplateItem, Update,
};
use grundy_rules::{Budget, Meter};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::law::Says;
use super::outside::{Outside, Reason};
use super::translate::{Case, Context, Held, Needs, Translator, conjunction, disjunction, exists};
use crate::oracle::unsolved_clause;

/// The most components that a move leaves.
const MOST_PARTS: usize = 12;
/// The most ways in which a pattern meets a tuple.
const MOST_MATCHES: usize = 1 << 10;
/// The most coordinates of a component: places are permuted where they have no order.
pub(super) const MOST_COORDINATES: usize = 6;

/// The rules of a game for components with one fixed number of coordinates, as formulas.
///
/// The coordinates of a component are the variables `0, 1, …`; those of the parts that a move leaves follow them, part
/// by part. Nothing is approximated: a formula holds of exactly the numbers of which the rules say so.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) arity: usize,
    /// By how many parts are left: which parts some move leaves of which component.
    pub(super) moves: BTreeMap<usize, Formula>,
    /// The components of the game.
    pub(super) domain: Formula,
    /// Where play has ended with the loss, or the win, of the player about to move.
    pub(super) ended: Option<Ended>,
    pub(super) unordered: bool,
    pub(super) play: Play,
    pub(super) compound: Joined,
    pub(super) needs: Needs,
}

/// Where play has ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) lost: Formula,
    pub(super) won: Formula,
}

/// How components are played together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// In at least one component and in at most so many.
    Some(usize),
    /// In every component; over as soon as one has no move.
    Every,
    /// In every component that has a move.
    EveryMovable,
}

impl Game {
    /// The rules for components with so many coordinates.
    ///
    /// # Errors
    ///
    /// The clause that is outside what automata decide.
    pub fn new(ruleset: &Ruleset, arity: usize) -> Result<Self, Outside> {
        if unsolved_clause(ruleset).is_some() {
            return Err(Reason::Unsolved.declared());
        }
        if is_joint(ruleset) {
            return Err(Reason::Joint.declared());
        }
        if arity > MOST_COORDINATES {
            return Err(Reason::Size.declared());
        }
        let row = ruleset.row.as_ref();
        if row.is_some_and(|row| row.ring || row.empties != Empties::Stay) {
            return Err(Reason::Row.declared());
        }
        let unordered = ruleset.unordered || row.is_some_and(|row| row.unordered);
        if unordered && row.is_some_and(|row| row.order.is_some()) {
            return Err(Reason::Order.declared());
        }
        let mut context = Context::new(arity * (MOST_PARTS + 1));
        let component: Vec<Term> = coordinates(0, arity).into_iter().map(Term::from).collect();
        let reader = Reader {
            ruleset,
            component: &component,
            unordered,
        };
        let mut moves: BTreeMap<usize, Vec<Formula>> = BTreeMap::new();
        for rule in &ruleset.moves {
            let found = reader.rule(rule, &mut context);
            for (parts, formula) in found.map_err(|reason| reason.at(rule.span))? {
                moves.entry(parts).or_default().push(formula);
            }
        }
        let ended = reader.ended(&mut context).map_err(Reason::declared)?;
        Ok(Self {
            arity,
            moves: moves
                .into_iter()
                .map(|(parts, any)| (parts, disjunction(any)))
                .collect(),
            domain: ordered(ruleset, &component),
            ended,
            unordered,
            play: ruleset.play,
            compound: joined(ruleset)?,
            needs: context.needs,
        })
    }

    /// The smallest numeration system that can say the rules, if there is one.
    pub fn system(&self) -> Option<NumerationSystem> {
        let mut needs = self.needs.clone();
        needs.bits |= self.moves.keys().any(|parts| *parts > 1);
        needs.system()
    }

    /// Whether a law that says such things in a numeration system can be one of this game.
    ///
    /// # Errors
    ///
    /// What puts it outside what automata decide.
    pub fn admits(&self, says: Says, system: &NumerationSystem) -> Result<(), Outside> {
        let most_parts = self.moves.keys().max().copied().unwrap_or(0);
        let no_part = self.moves.contains_key(&0);
        let mut needs = self.needs.clone();
        needs.bits |= says == Says::Value && most_parts > 1;
        needs
            .powers
            .extend((says == Says::PowerOfValue).then_some(2));
        let reason = match says {
            _ if !needs.admit(system) => Some(Reason::Numeration),
            Says::Value | Says::PowerOfValue if self.ended.is_some() => Some(Reason::Ending),
            Says::Value | Says::PowerOfValue
                if self.play == Play::Misere || self.compound != Joined::Some(1) =>
            {
                Some(Reason::Values)
            }
            Says::Lost { .. } if most_parts > 1 => Some(Reason::Parts),
            Says::Lost { components } if components != 1 && no_part => Some(Reason::Parts),
            Says::Lost { components } if components != 1 && self.ended.is_some() => {
                Some(Reason::Ending)
            }
            Says::Lost { components } if components == 0 || components > MOST_PARTS => {
                Some(Reason::Size)
            }
            _ => None,
        };
        reason.map_or(Ok(()), |reason| Err(reason.declared()))
    }

    /// How many parts moves leave.
    pub(crate) fn part_counts(&self) -> Vec<usize> {
        self.moves.keys().copied().collect()
    }
}

/// The variables of a part; part 0 is the component itself.
pub(super) fn coordinates(part: usize, arity: usize) -> Vec<Variable> {
    let first = part * arity;
    (first..first + arity)
        .map(|at| Variable(u32::try_from(at).expect("few coordinates")))
        .collect()
}

fn joined(ruleset: &Ruleset) -> Result<Joined, Outside> {
    Ok(match &ruleset.compound {
        Compound::Disjunctive => Joined::Some(1),
        Compound::Conjunctive => Joined::Every,
        Compound::ConjunctiveContinued => Joined::EveryMovable,
        Compound::Selective { scope, at_most } => {
            let mut meter = Meter::new(Budget::default());
            let most = most_at_once(ruleset, scope, at_most.as_ref(), &mut meter);
            Joined::Some(most.map_err(|_| Reason::Size.declared())?)
        }
    })
}

/// That the numbers of a row are in the order that the rules declare.
fn ordered(ruleset: &Ruleset, row: &[Term]) -> Formula {
    let order = ruleset.row.as_ref().and_then(|row| row.order);
    let pairs = row.windows(2).filter_map(|pair| {
        let (left, right) = (pair[0].clone(), pair[1].clone());
        Some(match order? {
            RowOrder::Increasing => Formula::less(left, right),
            RowOrder::Nondecreasing => Formula::less_equal(left, right),
            RowOrder::Nonincreasing => Formula::less_equal(right, left),
        })
    });
    conjunction(pairs.collect())
}

/// What choices make of a component: the coordinates of the parts are the variables after those of the component.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Which alternative of the rule.
    pub(super) alternative: usize,
    /// The variables of the mover's choices, in text order.
    pub(super) choices: Vec<Variable>,
    /// How many parts are left.
    pub(super) parts: usize,
    pub(super) formula: Formula,
}

/// What choices under each rule make of a component with so many coordinates.
pub(super) fn chosen(ruleset: &Ruleset, arity: usize) -> Result<Vec<Vec<Chosen>>, Outside> {
    let mut context = Context::new(arity * (MOST_PARTS + 1));
    let component: Vec<Term> = coordinates(0, arity).into_iter().map(Term::from).collect();
    let reader = Reader {
        ruleset,
        component: &component,
        unordered: ruleset.unordered || ruleset.row.as_ref().is_some_and(|row| row.unordered),
    };
    let rules = ruleset.moves.iter().map(|rule| {
        let chosen = reader.chosen(rule, &mut context);
        chosen.map_err(|reason| reason.at(rule.span))
    });
    rules.collect()
}

type Parts = Vec<Vec<Term>>;

/// What `start` makes of a component that is given as one number: that number, then so many coordinates.
pub(crate) fn given(ruleset: &Ruleset, arity: usize) -> Result<Formula, Reason> {
    let heap = Term::from(Variable(0));
    let component: Vec<Term> = (1..).take(arity).map(|at| Variable(at).into()).collect();
    let reader = Reader {
        ruleset,
        component: &component,
        unordered: ruleset.unordered,
    };
    let mut context = Context::new(arity + 1);
    let cases = reader.completed(&[heap], &mut context)?;
    let means = cases.into_iter().map(|case| {
        if case.value.len() != arity {
            return Err(Reason::Arity);
        }
        let pairs = component.iter().zip(case.value.clone());
        let equal = pairs.map(|(variable, term)| Formula::equal(variable.clone(), term));
        Ok(case.formula(conjunction(equal.collect())))
    });
    Ok(disjunction(means.collect::<Result<_, _>>()?))
}

struct Reader<'r> {
    ruleset: &'r Ruleset,
    component: &'r [Term],
    unordered: bool,
}

impl<'r> Reader<'r> {
    /// What a rule makes of the component, by how many parts it leaves.
    fn rule(
        &self,
        rule: &'r MoveRule,
        context: &mut Context,
    ) -> Result<Vec<(usize, Formula)>, Reason> {
        let chosen = self.chosen(rule, context)?.into_iter();
        Ok(chosen
            .map(|made| (made.parts, exists(made.choices, made.formula)))
            .collect())
    }

    /// What choices under a rule make of the component, for each alternative and each way to read it.
    fn chosen(&self, rule: &'r MoveRule, context: &mut Context) -> Result<Vec<Chosen>, Reason> {
        let mut all = Vec::new();
        let translator = Translator::new(self.ruleset, &rule.scope, self.component);
        let matched = match rule.patterns.as_slice() {
            [] => vec![Case::always(translator)],
            [pattern] => {
                let ways = matches(pattern, self.component, self.unordered, &translator.held)?;
                ways.into_iter()
                    .map(|way| way.map(|held| translator.holding(held)))
                    .collect()
            }
            _ => return Err(Reason::Joint),
        };
        for case in matched {
            let mut translator = case.value;
            let opened = translator.opened(context);
            let (choices, asked): (Vec<_>, Vec<_>) = opened.into_iter().partition(|(own, _)| *own);
            let [choices, asked] =
                [choices, asked].map(|all| all.into_iter().map(|(_, variable)| variable));
            let (choices, asked): (Vec<_>, Vec<_>) = (choices.collect(), asked.collect());
            let guard = translator.guard(&rule.guard, context)?;
            for (alternative, text) in rule.alternatives.iter().enumerate() {
                for made in self.alternative(&translator, text, context)? {
                    let mut conditions = [case.conditions.as_slice(), &made.conditions].concat();
                    conditions.push(guard.clone());
                    let parts = made.value.len();
                    let equal = made.value.iter().enumerate().flat_map(|(at, part)| {
                        let variables = coordinates(at + 1, self.component.len());
                        let pairs: Vec<_> =
                            variables.into_iter().zip(part.iter().cloned()).collect();
                        pairs
                            .into_iter()
                            .map(|(variable, term)| Formula::equal(variable, term))
                    });
                    let equal = conjunction(equal.collect());
                    let case = Case {
                        bound: [asked.as_slice(), &made.bound].concat(),
                        conditions,
                        value: (),
                    };
                    all.push(Chosen {
                        alternative,
                        choices: choices.clone(),
                        parts,
                        formula: case.formula(equal),
                    });
                }
            }
        }
        Ok(all)
    }

    /// The parts that an alternative leaves, case by case, with the conditions of the row.
    fn alternative(
        &self,
        translator: &Translator,
        alternative: &Alternative,
        context: &mut Context,
    ) -> Result<Vec<Case<Parts>>, Reason> {
        let made = match alternative {
            Alternative::Sum(terms) => {
                let mut all = vec![Case::always(Vec::new())];
                for term in terms {
                    let parts = result_term(translator, term, context)?;
                    all = product(&all, &parts)?;
                }
                all
            }
            Alternative::Updates(updates) => self
                .updates(translator, updates, context)?
                .into_iter()
                .map(|case| case.map(|row| vec![row]))
                .collect(),
        };
        let mut finished = Vec::new();
        for case in made {
            if case.value.len() > MOST_PARTS {
                return Err(Reason::Series);
            }
            let mut all = vec![Case {
                value: Vec::new(),
                ..case.clone()
            }];
            for part in &case.value {
                let completed = self.completed(part, context)?;
                if completed
                    .iter()
                    .any(|case| case.value.len() != self.component.len())
                {
                    return Err(Reason::Arity);
                }
                let completed: Vec<Case<Parts>> = completed
                    .into_iter()
                    .map(|case| {
                        let ordered = ordered(self.ruleset, &case.value);
                        case.when(ordered).map(|part| vec![part])
                    })
                    .collect();
                all = product(&all, &completed)?;
            }
            finished.extend(all);
        }
        Ok(finished)
    }

    /// What `start` makes of a part. No coordinate of what is given to it may be negative.
    fn completed(
        &self,
        part: &[Term],
        context: &mut Context,
    ) -> Result<Vec<Case<Vec<Term>>>, Reason> {
        let natural = |terms: &[Term]| {
            let each = terms
                .iter()
                .map(|term| Formula::less_equal(0, term.clone()));
            conjunction(each.collect())
        };
        for start in self.ruleset.starts.iter().filter(|start| !start.has_rest()) {
            let translator = Translator::new(self.ruleset, &start.scope, &[]);
            let ways = matches(&start.pattern, part, self.unordered, &translator.held)?;
            let Some(way) = ways.into_iter().next() else {
                continue;
            };
            if !way.conditions.is_empty() {
                return Err(Reason::Start);
            }
            let translator = translator.holding(way.value);
            let cases = template(&translator, &start.template, context)?;
            return Ok(cases
                .into_iter()
                .map(|case| case.when(natural(part)))
                .collect());
        }
        // What a part is equal to is natural.
        Ok(vec![Case::always(part.to_vec())])
    }

    /// The rows that updates make of the old one.
    fn updates(
        &self,
        translator: &Translator,
        updates: &[Update],
        context: &mut Context,
    ) -> Result<Vec<Case<Vec<Term>>>, Reason> {
        let places = self.component.len();
        // What is hit so far, and by what it is replaced; a place that is removed holds nothing.
        let mut rows: Vec<Case<Vec<Option<Option<Term>>>>> = vec![Case::always(vec![None; places])];
        for update in updates {
            let hits = match update {
                Update::Place { place, change } => {
                    let mut hits = Vec::new();
                    for place in self.places(translator, place, context)? {
                        for changed in self.changed(translator, place.value, change, context)? {
                            hits.push(Case {
                                bound: [place.bound.as_slice(), &changed.bound].concat(),
                                conditions: [place.conditions.as_slice(), &changed.conditions]
                                    .concat(),
                                value: vec![(place.value, Some(changed.value))],
                            });
                        }
                    }
                    hits
                }
                Update::Remove(place) => {
                    let places = self.places(translator, place, context)?;
                    let hit = |place| vec![(place, None)];
                    places.into_iter().map(|case| case.map(hit)).collect()
                }
                Update::Every(_) if places == 0 => Vec::new(),
                Update::Every(change) => {
                    self.set_of_places(translator, (1 << places) - 1, change, context)?
                }
                Update::Some { at_most, change } => {
                    let most = match at_most {
                        None => places,
                        Some(bound) => match fixed(translator, bound, context)? {
                            Some(bound) if bound >= BigInt::from(1) => {
                                bound.to_usize().unwrap_or(usize::MAX)
                            }
                            _ => 0,
                        },
                    };
                    let mut hits = Vec::new();
                    for set in 1usize..1 << places {
                        if set.count_ones() as usize <= most {
                            hits.extend(self.set_of_places(translator, set, change, context)?);
                        }
                    }
                    hits
                }
            };
            let mut next = Vec::new();
            for row in &rows {
                for hit in &hits {
                    if hit
                        .value
                        .iter()
                        .any(|(place, _)| row.value[*place].is_some())
                    {
                        continue;
                    }
                    let mut value = row.value.clone();
                    for (place, item) in &hit.value {
                        value[*place] = Some(item.clone());
                    }
                    next.push(Case {
                        bound: [row.bound.as_slice(), &hit.bound].concat(),
                        conditions: [row.conditions.as_slice(), &hit.conditions].concat(),
                        value,
                    });
                    if next.len() > MOST_MATCHES {
                        return Err(Reason::Size);
                    }
                }
            }
            rows = next;
        }
        let finish = |row: Vec<Option<Option<Term>>>| {
            let items = row.into_iter().zip(self.component);
            let items = items.filter_map(|(hit, old)| hit.unwrap_or_else(|| Some(old.clone())));
            items.collect()
        };
        Ok(rows.into_iter().map(|row| row.map(finish)).collect())
    }

    /// The place, counted from 0, that is meant, case by case.
    fn places(
        &self,
        translator: &Translator,
        place: &Place,
        context: &mut Context,
    ) -> Result<Vec<Case<usize>>, Reason> {
        let length = self.component.len();
        Ok(match place {
            Place::First => (length > 0).then(|| Case::always(0)).into_iter().collect(),
            Place::Last => length
                .checked_sub(1)
                .map(Case::always)
                .into_iter()
                .collect(),
            Place::Index(index) => {
                let mut all = Vec::new();
                for case in translator.cases(index, context)? {
                    for (at, counted) in (0..length).zip(1i64..) {
                        let here = Formula::equal(case.value.clone(), counted);
                        all.push(case.clone().when(here).map(|_| at));
                    }
                }
                all
            }
        })
    }

    /// What a change makes of the number at a place.
    fn changed(
        &self,
        translator: &Translator,
        place: usize,
        change: &Change,
        context: &mut Context,
    ) -> Result<Vec<Case<Term>>, Reason> {
        let old = &self.component[place];
        let (Change::Decrease(expr) | Change::Increase(expr) | Change::Set(expr)) = change;
        let cases = translator.cases(expr, context)?;
        Ok(cases
            .into_iter()
            .map(|case| {
                case.map(|by| match change {
                    Change::Decrease(_) => old.clone() - by,
                    Change::Increase(_) => old.clone() + by,
                    Change::Set(_) => by,
                })
            })
            .collect())
    }

    /// The same change at each place of a set, given by its bits.
    fn set_of_places(
        &self,
        translator: &Translator,
        set: usize,
        change: &Change,
        context: &mut Context,
    ) -> Result<Vec<Case<Hits>>, Reason> {
        let mut all: Vec<Case<Hits>> = vec![Case::always(Vec::new())];
        for place in (0..self.component.len()).filter(|place| set >> place & 1 == 1) {
            let changed = self.changed(translator, place, change, context)?;
            let changed: Vec<Case<Hits>> = changed
                .into_iter()
                .map(|case| case.map(|term| vec![(place, Some(term))]))
                .collect();
            all = product(&all, &changed)?;
        }
        Ok(all)
    }

    /// Where play has ended, by the first ending that matches.
    fn ended(&self, context: &mut Context) -> Result<Option<Ended>, Reason> {
        if self.ruleset.endings.is_empty() {
            return Ok(None);
        }
        let (mut lost, mut won, mut earlier) = (Vec::new(), Vec::new(), Vec::new());
        for ending in &self.ruleset.endings {
            let here = self.ends(ending, context)?;
            let first = conjunction([earlier.clone(), vec![here.clone()]].concat());
            match ending.result {
                EndingResult::Lost => lost.push(first),
                EndingResult::Won => won.push(first),
                EndingResult::Draw => return Err(Reason::Ending),
            }
            earlier.push(here.negated());
        }
        Ok(Some(Ended {
            lost: disjunction(lost),
            won: disjunction(won),
        }))
    }

    fn ends(&self, ending: &Ending, context: &mut Context) -> Result<Formula, Reason> {
        let translator = Translator::new(self.ruleset, &ending.scope, self.component);
        let ways = matches(
            &ending.pattern,
            self.component,
            self.unordered,
            &translator.held,
        )?;
        let mut any = Vec::new();
        for way in ways {
            let mut translator = translator.holding(way.value.clone());
            let bound = translator.open_choices(context);
            let guard = translator.guard(&ending.guard, context)?;
            any.push(Case { bound, ..way }.formula(guard));
        }
        Ok(disjunction(any))
    }
}

/// What is put at some places; nothing where a place is removed.
type Hits = Vec<(usize, Option<Term>)>;

/// Every case of the one list with every case of the other, their values one after the other.
fn product<V: Clone>(
    all: &[Case<Vec<V>>],
    with: &[Case<Vec<V>>],
) -> Result<Vec<Case<Vec<V>>>, Reason> {
    if all.len().saturating_mul(with.len()) > MOST_MATCHES {
        return Err(Reason::Size);
    }
    let pairs = all
        .iter()
        .flat_map(|left| with.iter().map(move |right| (left, right)));
    Ok(pairs
        .map(|(left, right)| Case {
            bound: [left.bound.as_slice(), &right.bound].concat(),
            conditions: [left.conditions.as_slice(), &right.conditions].concat(),
            value: [left.value.as_slice(), &right.value].concat(),
        })
        .collect())
}

/// The parts of one term of a result, case by case.
fn result_term(
    translator: &Translator,
    term: &ResultTerm,
    context: &mut Context,
) -> Result<Vec<Case<Parts>>, Reason> {
    match term {
        ResultTerm::Component(component) => {
            let cases = template(translator, component, context)?;
            Ok(cases
                .into_iter()
                .map(|case| case.map(|part| vec![part]))
                .collect())
        }
        ResultTerm::Copies {
            count,
            template: component,
        } => {
            let count = fixed(translator, count, context)?;
            let Some(count) = count.filter(|count| *count >= BigInt::zero()) else {
                return Ok(Vec::new());
            };
            if count.is_zero() {
                return Ok(vec![Case::always(Vec::new())]);
            }
            let count = count.to_usize().filter(|count| *count <= MOST_PARTS);
            let count = count.ok_or(Reason::Series)?;
            let cases = template(translator, component, context)?;
            Ok(cases
                .into_iter()
                .map(|case| case.map(|part| vec![part; count]))
                .collect())
        }
        ResultTerm::Series {
            template: component,
            ranges,
        } => {
            let mut translators = vec![translator.clone()];
            for range in ranges {
                let mut next = Vec::new();
                for translator in &translators {
                    let from = fixed(translator, &range.from, context)?;
                    let to = fixed(translator, &range.to, context)?;
                    let (Some(from), Some(to)) = (from, to) else {
                        return Ok(Vec::new());
                    };
                    if &to - &from >= BigInt::from(MOST_PARTS) {
                        return Err(Reason::Series);
                    }
                    let mut element = from;
                    while element <= to {
                        let mut inner = translator.clone();
                        inner.held[range.variable.0] = Some(Held::Number(element.clone().into()));
                        next.push(inner);
                        element += 1;
                    }
                }
                if next.len() > MOST_PARTS {
                    return Err(Reason::Series);
                }
                translators = next;
            }
            let mut all = vec![Case::always(Vec::new())];
            for translator in &translators {
                let cases = template(translator, component, context)?;
                let cases: Vec<_> = cases
                    .into_iter()
                    .map(|case| case.map(|part| vec![part]))
                    .collect();
                all = product(&all, &cases)?;
            }
            Ok(all)
        }
    }
}

/// The number that an expression is, if it is the same in every position; `None` where it has no value.
fn fixed(
    translator: &Translator,
    expr: &grundy_rules::ruleset::Expr,
    context: &mut Context,
) -> Result<Option<BigInt>, Reason> {
    match translator.cases(expr, context)?.as_slice() {
        [] => Ok(None),
        [case] if case.conditions.is_empty() && case.value.coefficients().is_empty() => {
            Ok(Some(case.value.constant().clone()))
        }
        _ => Err(Reason::Series),
    }
}

/// The coordinates of a component to be built, case by case.
fn template(
    translator: &Translator,
    template: &Template,
    context: &mut Context,
) -> Result<Vec<Case<Vec<Term>>>, Reason> {
    let mut all = vec![Case::always(Vec::new())];
    for item in &template.items {
        let cases = match item {
            TemplateItem::Expr(expr) => translator.combinations(&[expr], context)?,
            TemplateItem::Splice(name) => match &translator.held[name.0] {
                Some(Held::List(list)) => vec![Case::always(list.clone())],
                _ => Vec::new(),
            },
            TemplateItem::List(_) => return Err(Reason::Nested),
        };
        all = product(&all, &cases)?;
    }
    Ok(all)
}

type Ways = Vec<Case<Vec<Option<Held>>>>;

/// The ways in which a pattern matches some terms, with what its names hold then.
///
/// Without an order every item of the pattern takes any place that is left, and a rest variable what remains.
fn matches(
    pattern: &Pattern,
    terms: &[Term],
    unordered: bool,
    held: &[Option<Held>],
) -> Result<Ways, Reason> {
    let start = Case::always(held.to_vec());
    if !unordered {
        return in_order(&pattern.items, terms, start);
    }
    let is_rest = |item: &&PatternItem| matches!(item, PatternItem::Rest(_));
    let (rests, singles): (Vec<&PatternItem>, Vec<&PatternItem>) =
        pattern.items.iter().partition(is_rest);
    if rests.len() > 1 {
        return Err(Reason::Row);
    }
    let mut partial = vec![(start, terms.to_vec())];
    for item in singles {
        let mut next = Vec::new();
        for (case, free) in &partial {
            for place in 0..free.len() {
                let Some(case) = bind(item, &free[place], case.clone())? else {
                    continue;
                };
                let mut left = free.clone();
                left.remove(place);
                next.push((case, left));
            }
        }
        if next.len() > MOST_MATCHES {
            return Err(Reason::Size);
        }
        partial = next;
    }
    let mut all = Vec::new();
    for (mut case, free) in partial {
        match rests.first() {
            Some(PatternItem::Rest(name)) => {
                case.value[name.0] = Some(Held::List(free));
                all.push(case);
            }
            _ if free.is_empty() => all.push(case),
            _ => {}
        }
    }
    Ok(all)
}

fn in_order(
    items: &[PatternItem],
    terms: &[Term],
    case: Case<Vec<Option<Held>>>,
) -> Result<Ways, Reason> {
    let Some((head, tail)) = items.split_first() else {
        return Ok(if terms.is_empty() {
            vec![case]
        } else {
            Vec::new()
        });
    };
    if let PatternItem::Rest(name) = head {
        let mut all = Vec::new();
        for length in 0..=terms.len() {
            let (run, others) = terms.split_at(length);
            let mut case = case.clone();
            if let Some(Held::List(old)) = &case.value[name.0] {
                if old.len() != length {
                    continue;
                }
                let pairs = old.iter().cloned().zip(run.iter().cloned());
                let equal = pairs.map(|(old, new)| Formula::equal(old, new));
                let equal = conjunction(equal.collect());
                case = case.when(equal);
            } else {
                case.value[name.0] = Some(Held::List(run.to_vec()));
            }
            all.extend(in_order(tail, others, case)?);
        }
        return Ok(all);
    }
    let Some((term, others)) = terms.split_first() else {
        return Ok(Vec::new());
    };
    match bind(head, term, case)? {
        Some(case) => in_order(tail, others, case),
        None => Ok(Vec::new()),
    }
}

/// One item of a pattern and one number.
fn bind(
    item: &PatternItem,
    term: &Term,
    mut case: Case<Vec<Option<Held>>>,
) -> Result<Option<Case<Vec<Option<Held>>>>, Reason> {
    Ok(match item {
        PatternItem::Number(n) => Some(case.when(Formula::equal(term.clone(), n.clone()))),
        PatternItem::Variable(name) => match case.value[name.0].clone() {
            Some(Held::Number(old)) => Some(case.when(Formula::equal(old, term.clone()))),
            Some(Held::List(_)) => None,
            None => {
                case.value[name.0] = Some(Held::Number(term.clone()));
                Some(case)
            }
        },
        // A number is no list.
        PatternItem::List(_) => None,
        PatternItem::Rest(_) => return Err(Reason::Row),
    })
}
