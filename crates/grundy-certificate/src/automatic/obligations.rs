//! What must hold of a law for it to be the law of a game, made from the rules and the law alone.
//!
//! **Theorem** (Sprague 1935, Grundy 1939; the induction behind both). Let no infinite sequence of components exist
//! each of which is left by a move from the one before. Let `G` relate every component to a number, and to one only. If no
//! option has the number of the component that it is an option of, and for every smaller number there is an option
//! that has it, then `G` gives the Grundy values. Let `P` be a set of positions. If no move leads from `P` to `P`, and from every
//! other position one does, then `P` are the lost positions; in misère play a position without a move is
//! outside `P` instead.
//!
//! That play ends is shown by measures: sums of coordinates with weights, compared one after the other. Each part that a
//! move leaves is smaller than the component in the first measure that differs, and up to that one the component's measures are
//! not negative. In an infinite sequence let `i` be the least place that decides infinitely often: from some
//! point on the measures before it stay as they are, and the one at `i` never grows, falls infinitely often and is not negative where it falls.
//! That cannot be. A sum of components ends too: Dershowitz and Manna (1979), *Proving termination with multiset
//! orderings*.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::Ruleset;
use num_bigint::BigInt;

use super::exponents::{Sure, exclusive_or};
use super::formula::{
    Atom, Clause, Definition, Definitions, FALSE, Formula, Fresh, Term, Variable, clauses,
    eliminated,
};
use super::machine::{Language, Machine, letters};
use super::play::{Game, Step, Together};
use super::{AutomatonLaw, Says};
use crate::refusal::{self, Reason};

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Play ends.
    Ends,
    /// Every component has a value.
    Total,
    /// No component has two values.
    Function,
    /// No move leads to the same value.
    Excluded,
    /// To every smaller value some move leads.
    Covered,
    /// From a lost position no move leads to a lost one; in misère play it has a move.
    Stable,
    /// From every other position some move leads to a lost one.
    Absorbing,
    /// Where play has stopped, the outcome is that of the ending.
    Endings,
    /// An auxiliary automaton accepts what it is said to accept.
    Defined,
}

/// An implication between numbers: whatever the left machine accepts, some right one does, for some further numbers.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it is about.
    pub goal: Goal,
    /// How many tracks both sides read.
    pub tracks: usize,
    /// How many of them, from the first on, are the coordinates of the position that it speaks of.
    pub position: usize,
    /// What is given.
    pub left: Machine,
    /// What follows: each alternative, with how many further tracks.
    pub right: Vec<(Machine, usize)>,
}

/// An implication before it is read by machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) goal: Goal,
    pub(crate) position: Vec<Variable>,
    pub(crate) left: Clause,
    pub(crate) right: Vec<Clause>,
}

/// All that must hold, of a law and of what is defined on the way.
#[derive(Clone, Debug)]
pub struct Obligations {
    pub(crate) statements: Vec<Statement>,
    pub(crate) definitions: Vec<Definition>,
}

/// How many ways the coordinates of a position may be put in order.
const MOST_ORDERS: usize = 1 << 7;
/// How many components a position may have.
const MOST_COMPONENTS: usize = 8;

impl Obligations {
    /// What must hold of a law of these rules.
    ///
    /// # Errors
    ///
    /// What puts the rules or the law outside of what machines can check.
    pub fn new(
        ruleset: &Ruleset,
        law: &AutomatonLaw,
        measures: &[Vec<i64>],
    ) -> Result<Self, refusal::Reason> {
        let mut fresh = Fresh(law.arity * MOST_COMPONENTS);
        let game = Game::new(ruleset, law.arity, &mut fresh)?;
        admit(&game, law)?;
        let mut builder = Builder {
            game: &game,
            law,
            stated: Stated::new(1, fresh),
            movable: None,
            exponents: BTreeMap::new(),
        };
        builder.ends(measures)?;
        match law.says {
            Says::Value | Says::PowerOfValue => builder.values()?,
            Says::Lost { components } => builder.outcomes(components)?,
        }
        Ok(builder.stated.obligations())
    }

    /// How many numbers each auxiliary automaton reads.
    pub fn defined(&self) -> Vec<usize> {
        let tracks = |definition: &Definition| definition.of.len();
        self.definitions.iter().map(tracks).collect()
    }

    /// An auxiliary relation as machines: the alternatives of which one must hold, with how many further tracks.
    ///
    /// # Errors
    ///
    /// It cannot be said in this numeration, or is too large.
    pub fn definition(
        &self,
        index: usize,
        language: &Language,
    ) -> Result<Vec<(Machine, usize)>, refusal::Reason> {
        let definition = &self.definitions[index];
        let each = definition.clauses.iter();
        each.map(|clause| machine_with(&definition.of, clause, language))
            .collect()
    }

    /// The obligations as machines that read numbers as the language says.
    ///
    /// # Errors
    ///
    /// One cannot be said in this numeration, or is too large.
    pub fn machines(&self, language: &Language) -> Result<Vec<Obligation>, refusal::Reason> {
        self.statements
            .iter()
            .map(|statement| statement.machines(language))
            .collect()
    }
}

fn machine_with(
    free: &[Variable],
    clause: &Clause,
    language: &Language,
) -> Result<(Machine, usize), Reason> {
    let tracks = [free, &clause.bound].concat();
    let machine = Machine::new(clause, &tracks, language)?;
    Ok((machine, clause.bound.len()))
}

impl Statement {
    /// The variables that both sides speak of: the position, then all others that are not bound on the right.
    pub(crate) fn free(&self) -> Vec<Variable> {
        let mut others = BTreeSet::new();
        for formula in &self.left.body {
            formula.free(&mut others);
        }
        for clause in &self.right {
            let mut inside = BTreeSet::new();
            for formula in &clause.body {
                formula.free(&mut inside);
            }
            others.extend(
                inside
                    .into_iter()
                    .filter(|name| !clause.bound.contains(name)),
            );
        }
        let others = others
            .into_iter()
            .filter(|name| !self.position.contains(name));
        self.position.iter().copied().chain(others).collect()
    }

    fn machines(&self, language: &Language) -> Result<Obligation, Reason> {
        let free = self.free();
        let left = Machine::new(&self.left, &free, language)?;
        let right = self
            .right
            .iter()
            .map(|clause| machine_with(&free, clause, language));
        let right = right.collect::<Result<Vec<_>, _>>()?;
        letters(language.numeration.radix(), free.len()).ok_or(Reason::TooLarge)?;
        Ok(Obligation {
            goal: self.goal,
            tracks: free.len(),
            position: self.position.len(),
            left,
            right,
        })
    }
}

fn admit(game: &Game, law: &AutomatonLaw) -> Result<(), Reason> {
    let most_parts = game.steps.iter().map(|step| step.parts.len()).max();
    let parts = most_parts.unwrap_or(0);
    let none = game.steps.iter().any(|step| step.parts.is_empty());
    let applies = match law.says {
        Says::Value | Says::PowerOfValue => {
            game.ended.is_none() && !game.misere && game.together == Together::Some(1)
        }
        Says::Lost { components } => {
            parts <= 1
                && (1..=MOST_COMPONENTS).contains(&components)
                && (components == 1 || (!none && game.ended.is_none()))
        }
    };
    if applies { Ok(()) } else { Err(Reason::Moves) }
}

/// What must hold, as far as it is stated.
pub(crate) struct Stated {
    pub(crate) fresh: Fresh,
    pub(crate) definitions: Definitions,
    pub(crate) statements: Vec<Statement>,
}

impl Stated {
    /// Nothing yet, of a law of so many automata and of variables that are given out after these.
    pub(crate) fn new(automata: usize, fresh: Fresh) -> Self {
        Self {
            fresh,
            definitions: Definitions::after(automata),
            statements: Vec::new(),
        }
    }

    /// All of it, with what must hold of the automata of what is defined.
    pub(crate) fn obligations(mut self) -> Obligations {
        self.define();
        Obligations {
            statements: self.statements,
            definitions: self.definitions.all,
        }
    }

    /// That the left implies the right, for all numbers.
    pub(crate) fn imply(
        &mut self,
        goal: Goal,
        position: &[Variable],
        left: &Formula,
        right: &Formula,
    ) -> Result<(), Reason> {
        let left = clauses(left, &mut self.definitions)?;
        let right = clauses(right, &mut self.definitions)?;
        for left in left {
            let statement = Statement {
                goal,
                position: position.to_vec(),
                left,
                right: right.clone(),
            };
            if !self.statements.contains(&statement) {
                self.statements.push(statement);
            }
        }
        Ok(())
    }

    /// That there are no such numbers.
    pub(crate) fn never(
        &mut self,
        goal: Goal,
        position: &[Variable],
        bad: &Formula,
    ) -> Result<(), Reason> {
        self.imply(goal, position, bad, &FALSE)
    }

    /// That the automata of what is defined accept just that.
    fn define(&mut self) {
        for (definition, index) in self.definitions.all.iter().zip(self.definitions.first..) {
            let accepted = Formula::Atom(Atom::Accepted(index, definition.of.clone()));
            for clause in &definition.clauses {
                let mut outside = clause.clone();
                outside.body.push(accepted.clone().not());
                self.statements.push(Statement {
                    goal: Goal::Defined,
                    position: definition.of.clone(),
                    left: eliminated(outside),
                    right: Vec::new(),
                });
            }
            self.statements.push(Statement {
                goal: Goal::Defined,
                position: definition.of.clone(),
                left: Clause {
                    bound: Vec::new(),
                    body: vec![accepted],
                },
                right: definition.clauses.clone(),
            });
        }
    }

    /// The same formula about another component, and about these parts.
    pub(crate) fn about(
        &mut self,
        formula: &Formula,
        component: &[Variable],
        parts: &[(&[Variable], &[Variable])],
    ) -> Formula {
        let mut names: BTreeMap<Variable, Variable> =
            (0..).zip(component.iter().copied()).collect();
        for (old, new) in parts {
            names.extend(old.iter().copied().zip(new.iter().copied()));
        }
        formula.rename(&names, &mut self.fresh)
    }
}

struct Builder<'g> {
    game: &'g Game,
    law: &'g AutomatonLaw,
    stated: Stated,
    /// The automaton of the components that have a move.
    movable: Option<usize>,
    /// The automata of the exclusive or of exponents.
    exponents: BTreeMap<Sure, usize>,
}

impl Builder<'_> {
    /// The variables of a component.
    fn component(&self, at: usize) -> Vec<Variable> {
        let arity = self.game.arity;
        (at * arity..(at + 1) * arity).collect()
    }

    fn in_domain(&mut self, component: &[Variable]) -> Formula {
        let domain = self.game.domain.clone();
        self.stated.about(&domain, component, &[])
    }

    /// That play has not stopped.
    fn going_on(&mut self, component: &[Variable]) -> Formula {
        let Some((lost, won)) = self.game.ended.clone() else {
            return Formula::all([]);
        };
        let lost = self.stated.about(&lost, component, &[]);
        let won = self.stated.about(&won, component, &[]);
        Formula::all([lost.not(), won.not()])
    }

    /// That a move leads from a component to new parts, and these.
    fn step(&mut self, step: &Step, component: &[Variable]) -> (Formula, Vec<Vec<Variable>>) {
        let arity = self.game.arity;
        let parts: Vec<Vec<Variable>> = step
            .parts
            .iter()
            .map(|_| self.stated.fresh.several(arity))
            .collect();
        let pairs: Vec<(&[Variable], &[Variable])> = step
            .parts
            .iter()
            .zip(&parts)
            .map(|(old, new)| (old.as_slice(), new.as_slice()))
            .collect();
        let holds = self.stated.about(&step.holds, component, &pairs);
        let domain = self.in_domain(component);
        let going_on = self.going_on(component);
        (Formula::all([domain, going_on, holds]), parts)
    }

    /// That the automaton of the law accepts: of components without order, when its coordinates ascend.
    fn law(&mut self, position: &[Variable], value: Option<Variable>) -> Result<Formula, Reason> {
        let arity = self.game.arity;
        let mut all = Vec::new();
        let mut orders = vec![(Vec::new(), Vec::new())];
        for component in position.chunks(arity.max(1)) {
            all.push(self.in_domain(component));
            let mut next = Vec::new();
            let ways = if self.game.unordered {
                permutations(component)
            } else {
                vec![component.to_vec()]
            };
            for (arguments, ascending) in &orders {
                for way in &ways {
                    let arguments: Vec<Variable> = [arguments, way.as_slice()].concat();
                    let mut ascending: Vec<Formula> = Clone::clone(ascending);
                    if self.game.unordered {
                        ascending.extend(way.windows(2).map(|pair| {
                            Formula::at_most(&Term::variable(pair[0]), &Term::variable(pair[1]))
                        }));
                    }
                    next.push((arguments, ascending));
                }
            }
            orders = next;
            if orders.len() > MOST_ORDERS {
                return Err(Reason::TooLarge);
            }
        }
        all.push(Formula::any(orders.into_iter().map(
            |(mut arguments, mut ascending)| {
                arguments.extend(value);
                ascending.push(Formula::Atom(Atom::Accepted(0, arguments)));
                Formula::all(ascending)
            },
        )));
        if let (Says::PowerOfValue, Some(value)) = (self.law.says, value) {
            all.push(Formula::Atom(Atom::PowerOf(2, value)));
        }
        Ok(Formula::all(all))
    }

    /// That each part that a move leaves is smaller.
    fn ends(&mut self, measures: &[Vec<i64>]) -> Result<(), Reason> {
        if measures
            .iter()
            .any(|weights| weights.len() != self.game.arity)
        {
            return Err(Reason::Measures);
        }
        let component = self.component(0);
        let game = self.game;
        for step in &game.steps {
            for at in 0..step.parts.len() {
                let (holds, parts) = self.step(step, &component);
                let (mut smaller, mut before) = (Vec::new(), Vec::new());
                for weights in measures {
                    let old = weighted(weights, &component);
                    let new = weighted(weights, &parts[at]);
                    before.push(Formula::natural(&old));
                    let here = before.iter().cloned().chain([Formula::less(&new, &old)]);
                    smaller.push(Formula::all(here));
                    before.push(Formula::equal(&new, &old));
                }
                let bad = Formula::all([holds, Formula::any(smaller).not()]);
                let bad = Formula::some(parts.concat(), bad);
                self.stated.never(Goal::Ends, &component, &bad)?;
            }
        }
        Ok(())
    }

    /// That some parts together have a value: for values that are given as powers, whether this is certain or possible.
    fn together(
        &mut self,
        parts: &[Vec<Variable>],
        value: Variable,
        sure: Sure,
    ) -> Result<Formula, Reason> {
        let powers = self.law.says == Says::PowerOfValue;
        match parts {
            [] => {
                let nil = Term::number(i32::from(powers));
                Ok(Formula::equal(&Term::variable(value), &nil))
            }
            [part] => self.law(part, Some(value)),
            _ => {
                let mut bound = self.stated.fresh.several(parts.len());
                let mut all = Vec::with_capacity(2 * parts.len());
                for (part, value) in parts.iter().zip(&bound) {
                    all.push(self.law(part, Some(*value))?);
                }
                if powers {
                    let mut sum = bound[0];
                    for at in 1..parts.len() {
                        let next = if at + 1 == parts.len() {
                            value
                        } else {
                            self.stated.fresh.variable()
                        };
                        all.push(self.exponents([sum, bound[at], next], sure)?);
                        sum = next;
                        bound.extend((next != value).then_some(next));
                    }
                } else {
                    let sum = [bound.as_slice(), &[value]].concat();
                    all.push(Formula::Atom(Atom::Xor(sum)));
                }
                Ok(Formula::some(bound, Formula::all(all)))
            }
        }
    }

    /// That a power of two has the exclusive or of the exponents of two others: this is defined, once for all.
    fn exponents(&mut self, numbers: [Variable; 3], sure: Sure) -> Result<Formula, Reason> {
        let index = if let Some(index) = self.exponents.get(&sure) {
            *index
        } else {
            let of = [0, 1, 2];
            let clauses = clauses(&exclusive_or(of, sure), &mut self.stated.definitions)?;
            let index = self.stated.definitions.add(of.to_vec(), clauses);
            self.exponents.insert(sure, index);
            index
        };
        Ok(Formula::Atom(Atom::Accepted(index, numbers.to_vec())))
    }

    fn values(&mut self) -> Result<(), Reason> {
        let component = self.component(0);
        let game = self.game;
        let [g, h] = [self.stated.fresh.variable(), self.stated.fresh.variable()];
        let domain = self.in_domain(&component);
        let of_g = self.law(&component, Some(g))?;
        let of_h = self.law(&component, Some(h))?;
        let less = Formula::less(&Term::variable(h), &Term::variable(g));

        let some = Formula::some(vec![g], of_g.clone());
        self.stated.imply(Goal::Total, &component, &domain, &some)?;
        let both = Formula::all([of_g.clone(), of_h, less.clone()]);
        self.stated.never(Goal::Function, &component, &both)?;
        let mut options = Vec::new();
        for step in &game.steps {
            let (holds, parts) = self.step(step, &component);
            let same = self.together(&parts, g, Sure::Possible)?;
            let bad = Formula::all([of_g.clone(), holds, same]);
            self.stated.never(
                Goal::Excluded,
                &component,
                &Formula::some([parts.concat(), vec![g]].concat(), bad),
            )?;
            let (holds, parts) = self.step(step, &component);
            let has = self.together(&parts, h, Sure::Certain)?;
            options.push(Formula::some(parts.concat(), Formula::all([holds, has])));
        }
        let mut smaller = vec![of_g, less];
        if self.law.says == Says::PowerOfValue {
            smaller.push(Formula::Atom(Atom::PowerOf(2, h)));
        }
        self.stated.imply(
            Goal::Covered,
            &component,
            &Formula::all(smaller),
            &Formula::any(options),
        )
    }

    /// That a component has a move: this is defined, once for all.
    fn movable(&mut self, component: &[Variable]) -> Result<Formula, Reason> {
        let index = if let Some(index) = self.movable {
            index
        } else {
            let of = self.component(0);
            let game = self.game;
            let mut some = Vec::new();
            for step in &game.steps {
                let (holds, parts) = self.step(step, &of);
                some.push(Formula::some(parts.concat(), holds));
            }
            let clauses = clauses(&Formula::any(some), &mut self.stated.definitions)?;
            let index = self.stated.definitions.add(of, clauses);
            self.movable = Some(index);
            index
        };
        Ok(Formula::Atom(Atom::Accepted(index, component.to_vec())))
    }

    /// That a component becomes another one.
    fn moved(&mut self, component: &[Variable], after: &[Variable]) -> Formula {
        let game = self.game;
        let mut any = Vec::new();
        for step in game.steps.iter().filter(|step| step.parts.len() == 1) {
            let names = [(step.parts[0].as_slice(), after)];
            let holds = self.stated.about(&step.holds, component, &names);
            any.push(holds);
        }
        let domain = self.in_domain(component);
        let going_on = self.going_on(component);
        Formula::all([domain, going_on, Formula::any(any)])
    }

    /// That by moves of a set of components, given by its bits, a lost position is reached; or, where components may
    /// also stay, by moves of some of them.
    fn way(&mut self, components: usize, set: usize, may_stay: bool) -> Result<Formula, Reason> {
        let (mut after, mut bound, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..components {
            let component = self.component(at);
            if set >> at & 1 == 0 {
                if self.game.together == Together::EveryMovable {
                    let movable = self.movable(&component)?;
                    all.push(movable.not());
                }
                after.extend(component);
                continue;
            }
            let new = self.stated.fresh.several(component.len());
            let moved = self.moved(&component, &new);
            let pairs = component.iter().zip(&new);
            let same =
                Formula::all(pairs.map(|(old, new)| {
                    Formula::equal(&Term::variable(*old), &Term::variable(*new))
                }));
            all.push(if may_stay {
                Formula::any([moved, same])
            } else {
                moved
            });
            after.extend(&new);
            bound.extend(new);
        }
        all.push(self.law(&after, None)?);
        Ok(Formula::some(bound, Formula::all(all)))
    }

    fn outcomes(&mut self, components: usize) -> Result<(), Reason> {
        let game = self.game;
        let position: Vec<Variable> = (0..components * game.arity).collect();
        let lost = self.law(&position, None)?;
        let full = (1usize << components) - 1;
        let sets: Vec<usize> = match game.together {
            Together::Every => vec![full],
            Together::EveryMovable => (1..=full).collect(),
            Together::Some(most) => (1..=full)
                .filter(|set| set.count_ones() as usize <= most)
                .collect(),
        };
        for set in &sets {
            let way = self.way(components, *set, false)?;
            self.stated
                .never(Goal::Stable, &position, &Formula::all([lost.clone(), way]))?;
        }
        let first = self.component(0);
        let mut nothing = Vec::new();
        if !game.misere {
            for step in game.steps.iter().filter(|step| step.parts.is_empty()) {
                let (holds, _) = self.step(step, &first);
                let stuck = Formula::all([lost.clone(), holds.clone()]);
                self.stated.never(Goal::Stable, &position, &stuck)?;
                nothing.push(holds);
            }
        }
        let mut other = vec![lost.clone().not()];
        for at in 0..components {
            let component = self.component(at);
            other.push(self.in_domain(&component));
        }
        if let Some((over_lost, over_won)) = game.ended.clone() {
            let over_lost = self.stated.about(&over_lost, &first, &[]);
            let over_won = self.stated.about(&over_won, &first, &[]);
            let domain = self.in_domain(&first);
            let wrong = Formula::all([domain, over_lost, lost.clone().not()]);
            self.stated.never(Goal::Endings, &position, &wrong)?;
            let wrong = Formula::all([lost.clone(), over_won.clone()]);
            self.stated.never(Goal::Endings, &position, &wrong)?;
            other.push(over_won.not());
        }
        if game.misere {
            let mut each = Vec::with_capacity(components);
            for at in 0..components {
                let component = self.component(at);
                each.push(self.movable(&component)?);
            }
            let movable = match game.together {
                Together::Every => Formula::all(each),
                Together::Some(0) => FALSE,
                Together::Some(_) | Together::EveryMovable => Formula::any(each),
            };
            let going_on = self.going_on(&first);
            let stuck = Formula::all([lost, going_on, movable.clone().not()]);
            self.stated.never(Goal::Stable, &position, &stuck)?;
            other.push(movable);
        }
        let mut ways = nothing;
        if let Together::Some(most) = game.together {
            // From a position that is not lost to one that is, something has moved. So in some largest set of
            // components each one moves or stays: these are fewer ways.
            let largest = most.min(components);
            for set in sets
                .iter()
                .filter(|set| set.count_ones() as usize == largest)
            {
                ways.push(self.way(components, *set, largest > 1)?);
            }
        } else {
            for set in sets {
                ways.push(self.way(components, set, false)?);
            }
        }
        self.stated.imply(
            Goal::Absorbing,
            &position,
            &Formula::all(other),
            &Formula::any(ways),
        )
    }
}

fn weighted(weights: &[i64], numbers: &[Variable]) -> Term {
    let each = weights.iter().zip(numbers);
    each.fold(Term::default(), |sum, (weight, number)| {
        sum.plus(&BigInt::from(*weight), &Term::variable(*number))
    })
}

fn permutations(of: &[Variable]) -> Vec<Vec<Variable>> {
    let mut all = vec![Vec::new()];
    for _ in of {
        all = all
            .iter()
            .flat_map(|begun: &Vec<Variable>| {
                let left = of.iter().filter(|name| !begun.contains(name));
                left.map(|name| [begun.as_slice(), &[*name]].concat())
            })
            .collect();
    }
    all
}
