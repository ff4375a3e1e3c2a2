//! The moves that leave a wanted value, or a lost position, as relations between positions and choices.

use std::collections::BTreeMap;

use grundy_automata::{Atom, Error, Formula, Meter, Relation, Solver, Variable};
use grundy_rules::Ruleset;
use grundy_rules::ruleset::Play;

use super::exponents::{certain, possible};
use super::law::Says;
use super::moves::{Chosen, Game, Joined, chosen, coordinates};
use super::obligations::{components_of, permutations};
use super::translate::{conjunction, disjunction, exists};

/// The most parts of which all orders are compared.
const MOST_PARTS: usize = 3;

/// The moves under one alternative of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The index of the rule.
    pub rule: usize,
    /// How many choices the mover has.
    pub choices: usize,
    /// How many parts are left.
    pub parts: usize,
    /// Which choices leave which parts of which component: `(x…, choices…, parts…)`.
    pub made: Relation,
    /// The choices that win: `(x…, v, choices…)` in a law about values, where `v` is what the parts are worth, and
    /// otherwise `(x…, y…, …, choices…)` of a whole position, one relation for each component that is moved in.
    ///
    /// Of choices that make the same move only the first are in it.
    pub wins: Vec<Relation>,
    /// The same with the parts in the place of the choices.
    pub leaves: Vec<Relation>,
    /// The choices of which automata do not tell whether they win, if there can be any.
    pub doubtful: Option<Relation>,
}

/// The winning moves under a law, by the alternatives of the rules in order; `None` for kinds of games of which they
/// are not told.
///
/// # Errors
///
/// What the automata cannot say, or a limit.
pub fn turns(
    ruleset: &Ruleset,
    game: &Game,
    says: Says,
    law: &Relation,
    meter: &mut Meter,
) -> Result<Option<Vec<Turn>>, Error> {
    let arity = game.arity;
    let components = match says {
        Says::Lost { components } => components,
        _ => 1,
    };
    let Ok(rules) = chosen(ruleset, arity) else {
        return Ok(None);
    };
    let many = rules.iter().flatten().any(|made| made.parts > MOST_PARTS);
    if many || game.unordered && arity > 1 || game.compound != Joined::Some(1) {
        return Ok(None);
    }
    let mut solver = Solver::new(law.encoding().clone());
    solver.define(LAW, law.clone())?;
    let mut alternatives: BTreeMap<(usize, usize, usize), Vec<Chosen>> = BTreeMap::new();
    for (rule, all) in rules.into_iter().enumerate() {
        for made in all {
            let key = (rule, made.alternative, made.parts);
            alternatives.entry(key).or_default().push(made);
        }
    }
    let mut builder = Builder {
        game,
        solver,
        meter,
        says,
        components,
        earlier: Vec::new(),
    };
    let mut turns = Vec::new();
    for ((rule, _, parts), ways) in alternatives {
        let label = ruleset.moves[rule].label.as_str();
        turns.push(builder.turn(rule, label, parts, &ways)?);
    }
    Ok(Some(turns))
}

const LAW: &str = "law";

/// What two values are worth together.
type Sum = fn([Variable; 3]) -> Formula;

struct Builder<'b, 'm, 'c> {
    game: &'b Game,
    solver: Solver,
    meter: &'m mut Meter<'c>,
    says: Says,
    components: usize,
    /// The labels of the alternatives so far, with how many choices and parts they have.
    earlier: Vec<(String, usize, usize)>,
}

/// Variables for choices and for others, far from those of components.
fn variables(from: u32, how_many: usize) -> Vec<Variable> {
    (from..).take(how_many).map(Variable).collect()
}

const CHOICES: u32 = 1 << 24;
const OTHERS: u32 = 1 << 25;
const VALUES: u32 = 1 << 26;

impl Builder<'_, '_, '_> {
    fn turn(
        &mut self,
        rule: usize,
        label: &str,
        parts: usize,
        ways: &[Chosen],
    ) -> Result<Turn, Error> {
        let arity = self.game.arity;
        let component = coordinates(0, arity);
        let left = components_of(parts + 1, arity)[arity..].to_vec();
        let made = self.made(parts, ways)?;
        let choices = made.tracks() - component.len() - left.len();
        let here = self.earlier.len();
        self.solver.define(format!("made {here}"), made.clone())?;
        let first = self.first(label, choices, parts);
        self.earlier.push((label.to_owned(), choices, parts));
        let own = variables(CHOICES, choices);
        let all = [component.as_slice(), &own, &left].concat();
        let first = self.solver.relation(&first, &all, self.meter)?;
        self.solver.define("first", first)?;
        let first = Formula::named("first", all);
        let (mut wins, mut leaves) = (Vec::new(), Vec::new());
        let is_rough = self.says == Says::PowerOfValue && parts > 1;
        let sum: Sum = match self.says {
            Says::PowerOfValue => certain,
            _ => |three| Formula::atom(Atom::Xor, three),
        };
        let doubtful = if is_rough {
            let (before, leads) = self.leads(0, &left, possible);
            let (_, sure) = self.leads(0, &left, sum);
            let doubt = conjunction(vec![first.clone(), leads, sure.negated()]);
            let tracks: Vec<Variable> = before.iter().chain(&own).copied().collect();
            let doubt = exists(left.clone(), doubt);
            Some(self.solver.relation(&doubt, &tracks, self.meter)?)
        } else {
            None
        };
        for moved in 0..self.components {
            let (before, leads) = self.leads(moved, &left, sum);
            let winning = first.clone().and(leads);
            // The component that is moved in stands at its place of the position.
            let tracks: Vec<Variable> = before.iter().chain(&own).copied().collect();
            let formula = exists(left.clone(), winning.clone());
            wins.push(self.solver.relation(&formula, &tracks, self.meter)?);
            let tracks: Vec<Variable> = before.iter().chain(&left).copied().collect();
            let formula = exists(own.clone(), winning);
            leaves.push(self.solver.relation(&formula, &tracks, self.meter)?);
        }
        Ok(Turn {
            rule,
            choices,
            parts,
            made,
            wins,
            leaves,
            doubtful,
        })
    }

    /// `(x…, choices…, parts…)`, where the rules let the player move.
    fn made(&mut self, parts: usize, ways: &[Chosen]) -> Result<Relation, Error> {
        let arity = self.game.arity;
        let component = coordinates(0, arity);
        let left = components_of(parts + 1, arity)[arity..].to_vec();
        let mut any: Option<Relation> = None;
        for way in ways {
            let mut all = vec![way.formula.clone(), self.game.domain.clone()];
            if let Some(ended) = &self.game.ended {
                all.push(ended.lost.clone().negated());
                all.push(ended.won.clone().negated());
            }
            let tracks = [component.as_slice(), &way.choices, &left].concat();
            let made = self
                .solver
                .relation(&conjunction(all), &tracks, self.meter)?;
            any = Some(match any {
                None => made,
                Some(others) => others.union(&made, self.meter)?,
            });
        }
        Ok(any.expect("an alternative is read in some way"))
    }

    /// That these choices are the first to make their move: no lesser ones, and none of an earlier alternative
    /// with the same label, leave the same parts in any order.
    fn first(&self, label: &str, choices: usize, parts: usize) -> Formula {
        let arity = self.game.arity;
        let component = coordinates(0, arity);
        let own = variables(CHOICES, choices);
        let orders: Vec<Vec<Variable>> = permutations(parts)
            .into_iter()
            .map(|order| {
                let parts = order.into_iter().map(|part| coordinates(part + 1, arity));
                parts.flatten().collect()
            })
            .collect();
        let makes = |at: usize, choices: &[Variable], left: &[Variable]| {
            let all = [component.as_slice(), choices, left].concat();
            Formula::named(format!("made {at}"), all)
        };
        let here = self.earlier.len();
        let mut all = vec![makes(here, &own, &orders[0])];
        for (at, (other, others, left)) in self.earlier.iter().enumerate() {
            if other == label && *left == parts {
                let theirs = variables(OTHERS, *others);
                let any = orders.iter().map(|left| makes(at, &theirs, left));
                all.push(exists(theirs.clone(), disjunction(any.collect())).negated());
            }
        }
        if choices > 0 {
            let lesser = variables(OTHERS, choices);
            let less = (0..choices).map(|at| {
                let equal = (0..at).map(|before| Formula::equal(lesser[before], own[before]));
                let mut all: Vec<Formula> = equal.collect();
                all.push(Formula::less(lesser[at], own[at]));
                conjunction(all)
            });
            let any = orders.iter().map(|left| makes(here, &lesser, left));
            let before = disjunction(less.collect()).and(disjunction(any.collect()));
            all.push(exists(lesser.clone(), before).negated());
        }
        conjunction(all)
    }

    /// The variables of what is known before a move, and that the parts are then as wanted.
    fn leads(&self, moved: usize, left: &[Variable], sum: Sum) -> (Vec<Variable>, Formula) {
        let arity = self.game.arity;
        let parts = left.chunks(arity.max(1)).len();
        let component = coordinates(0, arity);
        if let Says::Lost { components } = self.says {
            let others = variables(OTHERS, (components - 1) * arity);
            let at = moved * arity;
            let around = |here: &[Variable]| [&others[..at], here, &others[at..]].concat();
            let lost = match parts {
                // Nothing is left.
                0 => Formula::Constant(self.game.play == Play::Normal),
                _ => Formula::named(LAW, around(left)),
            };
            return (around(&component), lost);
        }
        let value = Variable(VALUES);
        let before = [component.as_slice(), &[value]].concat();
        let nothing = i64::from(self.says == Says::PowerOfValue);
        let values = variables(VALUES + 1, parts);
        let mut all = Vec::new();
        for (part, worth) in left.chunks(arity.max(1)).zip(&values) {
            all.push(Formula::named(LAW, [part, &[*worth]].concat()));
        }
        let mut bound = values.clone();
        match values.split_first() {
            None => all.push(Formula::equal(value, nothing)),
            Some((first, others)) => {
                let mut total = *first;
                for (at, worth) in (0u32..).zip(others) {
                    let next = Variable(VALUES + 100 + at);
                    all.push(sum([total, *worth, next]));
                    bound.push(next);
                    total = next;
                }
                all.push(Formula::equal(value, total));
            }
        }
        (before, exists(bound, conjunction(all)))
    }
}
