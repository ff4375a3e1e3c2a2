//! What must hold of a law for it to be the law of a game, as statements about all numbers.
//!
//! For values: every component has one, and only one; no move leads to the same value; to every smaller
//! value some move leads. For outcomes: no move leads from a lost position to a lost one, and from every other
//! position some move does; a position without a move is lost, or won in misère play. Where play ends, both determine
//! values and outcomes, by induction along play (Sprague 1935, Grundy 1939).

use grundy_automata::{Atom, Encoding, Error, Formula, Meter, Relation, Solver, Variable};
use grundy_rules::ruleset::Play;
use num_bigint::BigUint;

use super::exponents::{certain, possible};
use super::law::{Holds, Law, Says};
use super::measure::play_ends;
use super::moves::{Game, Joined, coordinates};
use super::translate::{conjunction, disjunction, exists};

/// A statement that a law must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// Every component has a value.
    Total,
    /// No component has two values.
    Function,
    /// No move leads to the same value.
    Excluded,
    /// To every smaller value some move leads.
    Covered,
    /// From a lost position no move leads to a lost one.
    Stable,
    /// From every other position some move leads to a lost one.
    Absorbing,
    /// Where play has ended, the outcome is the one of the ending.
    Endings,
}

/// What became of the obligations under one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// All hold, and play ends.
    Hold {
        /// How many states the law's automaton has.
        states: usize,
    },
    /// One is false.
    Fails(Failure),
    /// Nothing shows that play ends.
    NoMeasure,
}

/// An obligation that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) obligation: Obligation,
    /// The position for which it is false.
    pub(super) numbers: Vec<BigUint>,
    /// The law, for every order of coordinates where they have none.
    pub(super) law: Relation,
}

const LAW: &str = "law";
const TWO: &str = "two";
const OPTIONS: &str = "options";
const SUM: &str = "sum";
const DOMAIN: &str = "domain";
const MOVABLE: &str = "movable";
const MOVE: &str = "move";
const STEP: &str = "step";
const LOST: &str = "ended lost";
const WON: &str = "ended won";

/// The name of the moves that leave so many parts.
pub(super) fn named_moves(parts: usize) -> String {
    format!("moves {parts}")
}

/// The variables of so many components.
pub(super) fn components_of(components: usize, arity: usize) -> Vec<Variable> {
    (0..components)
        .flat_map(|at| coordinates(at, arity))
        .collect()
}

/// What attempts have shown of a law, each in its order of digits.
///
/// Which numbers a law relates, and whether an obligation holds, does not depend on the end that is read first: what was
/// shown once need not be shown again.
#[derive(Default)]
pub(super) struct Shown {
    /// The law's automaton, by order of digits.
    law: Vec<Relation>,
    /// Whether play ends.
    ends: bool,
    /// How many of the obligations hold, as they follow each other.
    obligations: usize,
}

/// Decides all obligations of a law of a game that are not yet shown.
pub(super) fn check(
    game: &Game,
    law: &Law,
    encoding: Encoding,
    shown: &mut Shown,
    meter: &mut Meter,
) -> Result<Checked, Error> {
    let mut prover = Prover::new(game, encoding, shown, meter);
    prover.define_rules()?;
    if !prover.shown.ends {
        if play_ends(game, &mut prover.solver, prover.meter)?.is_none() {
            return Ok(Checked::NoMeasure);
        }
        prover.shown.ends = true;
    }
    let states = prover.define_law(law)?;
    let failed = match law.says {
        Says::Value => prover.values(false)?,
        Says::PowerOfValue => prover.values(true)?,
        Says::Lost { components } => prover.outcomes(components)?,
    };
    Ok(match failed {
        None => Checked::Hold { states },
        Some((obligation, numbers)) => Checked::Fails(Failure {
            obligation,
            numbers,
            law: prover.solver.named(LAW).expect("it was defined").clone(),
        }),
    })
}

/// The measures by which play ends, if there are any.
pub(super) fn measures(
    game: &Game,
    encoding: &Encoding,
    meter: &mut Meter,
) -> Result<Option<Vec<Vec<i64>>>, Error> {
    let mut shown = Shown::default();
    let mut prover = Prover::new(game, encoding.clone(), &mut shown, meter);
    prover.define_rules()?;
    play_ends(game, &mut prover.solver, prover.meter)
}

/// A law as relations.
pub(super) struct LawRelations {
    /// As it is given.
    pub(super) given: Relation,
    /// For every order of coordinates where they have none, and of components only.
    pub(super) whole: Relation,
}

/// The relations of a law under an encoding.
pub(super) fn law_relations(
    game: &Game,
    law: &Law,
    encoding: &Encoding,
    shown: &mut Shown,
    meter: &mut Meter,
) -> Result<LawRelations, Error> {
    let mut prover = Prover::new(game, encoding.clone(), shown, meter);
    prover.define_rules()?;
    let given = prover.given(law)?;
    prover.define_law(law)?;
    let whole = prover.solver.named(LAW).expect("it was defined").clone();
    Ok(LawRelations { given, whole })
}

/// What a law says of components as they are, for every order of coordinates where they have none.
pub(crate) fn whole(
    game: &Game,
    law: &Law,
    encoding: &Encoding,
    meter: &mut Meter,
) -> Result<Relation, Error> {
    Ok(law_relations(game, law, encoding, &mut Shown::default(), meter)?.whole)
}

/// The options of a component as relations: by how many parts they have, which parts.
pub fn option_relations(
    game: &Game,
    encoding: Encoding,
    meter: &mut Meter,
) -> Result<Vec<(usize, Relation)>, Error> {
    if !game.needs.admit(&encoding.system) {
        return Err(Error::Atom);
    }
    let mut shown = Shown::default();
    let mut prover = Prover::new(game, encoding, &mut shown, meter);
    prover.define_rules()?;
    let counts = game.part_counts();
    let relation = |parts| {
        let named = prover.solver.named(&named_moves(parts));
        (parts, named.expect("it was defined").clone())
    };
    Ok(counts.into_iter().map(relation).collect())
}

/// That a component has a value.
fn has_value(component: &[Variable], value: Variable) -> Formula {
    Formula::named(LAW, [component, &[value]].concat())
}

type Failed = Option<(Obligation, Vec<BigUint>)>;

struct Prover<'p, 'm, 'c> {
    game: &'p Game,
    solver: Solver,
    meter: &'m mut Meter<'c>,
    next: u32,
    shown: &'p mut Shown,
    /// How many obligations were met.
    met: usize,
}

impl<'p, 'm, 'c> Prover<'p, 'm, 'c> {
    fn new(
        game: &'p Game,
        encoding: Encoding,
        shown: &'p mut Shown,
        meter: &'m mut Meter<'c>,
    ) -> Self {
        Self {
            game,
            solver: Solver::new(encoding),
            meter,
            next: 1 << 20,
            shown,
            met: 0,
        }
    }

    /// The relation that a law gives, under this encoding.
    fn given(&mut self, law: &Law) -> Result<Relation, Error> {
        let variables = components_of(law.tracks(self.game.arity), 1);
        let encoding = self.solver.encoding();
        let built = self.shown.law.iter();
        let given = match &law.holds {
            Holds::Formula(_) => None,
            Holds::Relation(relation) => Some(relation),
        };
        let mut all = built.chain(given);
        if let Some(relation) = all.clone().find(|known| known.encoding() == encoding) {
            return Ok(relation.clone());
        }
        let relation = match (&law.holds, all.next()) {
            (_, Some(other)) => other.reversed(self.meter)?,
            (Holds::Formula(formula), None) => {
                self.solver.relation(formula, &variables, self.meter)?
            }
            (Holds::Relation(_), None) => unreachable!("it is one of all"),
        };
        self.shown.law.push(relation.clone());
        Ok(relation)
    }

    fn fresh(&mut self) -> Variable {
        let variable = Variable(self.next);
        self.next += 1;
        variable
    }

    fn several(&mut self, how_many: usize) -> Vec<Variable> {
        (0..how_many).map(|_| self.fresh()).collect()
    }

    fn define(
        &mut self,
        name: impl Into<String>,
        formula: &Formula,
        variables: &[Variable],
    ) -> Result<(), Error> {
        let relation = self.solver.relation(formula, variables, self.meter)?;
        self.solver.define(name, relation)
    }

    /// The first position for which something holds that must not; none if that is shown already.
    fn violated(
        &mut self,
        obligation: Obligation,
        violation: &Formula,
        position: &[Variable],
    ) -> Result<Failed, Error> {
        self.met += 1;
        if self.met <= self.shown.obligations {
            return Ok(None);
        }
        let bad = self.solver.relation(violation, position, self.meter)?;
        let failed = bad.witness().map(|numbers| (obligation, numbers));
        if failed.is_none() {
            self.shown.obligations = self.met;
        }
        Ok(failed)
    }

    /// Gives names to the moves, where there are any, and to the components of the game.
    fn define_rules(&mut self) -> Result<(), Error> {
        let arity = self.game.arity;
        let component = coordinates(0, arity);
        self.define(DOMAIN, &self.game.domain, &component)?;
        let mut going_on = vec![Formula::named(DOMAIN, component.clone())];
        if let Some(ended) = &self.game.ended {
            self.define(LOST, &ended.lost, &component)?;
            self.define(WON, &ended.won, &component)?;
            going_on.push(Formula::named(LOST, component.clone()).negated());
            going_on.push(Formula::named(WON, component.clone()).negated());
        }
        let mut movable = Vec::new();
        for (parts, moves) in &self.game.moves {
            let variables = components_of(parts + 1, arity);
            let moves = conjunction([vec![moves.clone()], going_on.clone()].concat());
            self.define(named_moves(*parts), &moves, &variables)?;
            let some = Formula::named(named_moves(*parts), variables.clone());
            movable.push(exists(variables[arity..].to_vec(), some));
        }
        self.define(MOVABLE, &disjunction(movable), &component)
    }

    /// Gives the law a name: for every order of coordinates where they have none.
    fn define_law(&mut self, law: &Law) -> Result<usize, Error> {
        let arity = self.game.arity;
        let variables = components_of(law.tracks(arity), 1);
        let given = self.given(law)?;
        let states = given.automaton().states();
        self.solver.define(LAW, given)?;
        let components = match law.says {
            Says::Value | Says::PowerOfValue => 1,
            Says::Lost { components } => components,
        };
        let mut all = vec![Formula::named(LAW, variables.clone())];
        for at in 0..components {
            all.push(Formula::named(DOMAIN, coordinates(at, arity)));
        }
        if law.says == Says::PowerOfValue {
            all.push(Formula::atom(Atom::PowerOf(2), [variables[arity]]));
        }
        self.define(LAW, &conjunction(all), &variables)?;
        if self.game.unordered && arity > 1 {
            for at in 0..components {
                let any = permutations(arity).into_iter().map(|order| {
                    let mut arguments = variables.clone();
                    for (place, from) in order.iter().enumerate() {
                        arguments[at * arity + place] = variables[at * arity + from];
                    }
                    let here = &arguments[at * arity..][..arity];
                    let ascending = here
                        .windows(2)
                        .map(|pair| Formula::less_equal(pair[0], pair[1]));
                    let mut all: Vec<Formula> = ascending.collect();
                    all.push(Formula::named(LAW, arguments.clone()));
                    conjunction(all)
                });
                let any = disjunction(any.collect());
                self.define(LAW, &any, &variables)?;
            }
        }
        Ok(states)
    }

    /// Whether a move leaves several parts.
    fn splits(&self) -> bool {
        self.game.part_counts().iter().any(|parts| *parts >= 2)
    }

    /// Gives a name to the values of options: `(x…, h)`. What two values are worth together is given.
    fn define_option_values(
        &mut self,
        nothing: i64,
        sum: fn([Variable; 3]) -> Formula,
    ) -> Result<(), Error> {
        let arity = self.game.arity;
        let component = coordinates(0, arity);
        let value = self.fresh();
        let counts = self.game.part_counts();
        if self.splits() {
            let [u, v] = [self.fresh(), self.fresh()];
            let three = [u, v, value];
            self.define(SUM, &sum(three), &three)?;
            let (left, right) = (coordinates(0, arity), coordinates(1, arity));
            let both = conjunction(vec![
                has_value(&left, u),
                has_value(&right, v),
                Formula::named(SUM, three),
            ]);
            let variables = [left, right, vec![value]].concat();
            self.define(TWO, &Formula::exists([u, v], both), &variables)?;
        }
        let mut any = Vec::new();
        for parts in counts {
            let variables = components_of(parts + 1, arity);
            let part = |at: usize| &variables[at * arity..][..arity];
            let mut all = vec![Formula::named(named_moves(parts), variables.clone())];
            let mut bound = variables[arity..].to_vec();
            match parts {
                0 => all.push(Formula::equal(value, nothing)),
                1 => all.push(has_value(part(1), value)),
                _ => {
                    let mut sum = if parts == 2 { value } else { self.fresh() };
                    let two = [part(1), part(2), &[sum]].concat();
                    all.push(Formula::named(TWO, two));
                    for at in 3..=parts {
                        let next = if at == parts { value } else { self.fresh() };
                        let this = self.fresh();
                        all.push(has_value(part(at), this));
                        all.push(Formula::named(SUM, [sum, this, next]));
                        bound.extend([sum, this]);
                        sum = next;
                    }
                }
            }
            any.push(exists(bound, conjunction(all)));
        }
        let variables = [component, vec![value]].concat();
        self.define(OPTIONS, &disjunction(any), &variables)
    }

    fn values(&mut self, powers: bool) -> Result<Failed, Error> {
        let component = coordinates(0, self.game.arity);
        let [g, h] = [self.fresh(), self.fresh()];
        let law = |value| has_value(&component, value);
        let option = |value| Formula::named(OPTIONS, [component.as_slice(), &[value]].concat());
        let domain = Formula::named(DOMAIN, component.clone());
        let smaller = |value| {
            let less = Formula::less(h, value);
            if powers {
                less.and(Formula::atom(Atom::PowerOf(2), [h]))
            } else {
                less
            }
        };
        let none = domain.and(Formula::exists([g], law(g)).negated());
        let two = Formula::exists([g, h], law(g).and(law(h)).and(Formula::less(g, h)));
        for (obligation, violation) in [(Obligation::Total, none), (Obligation::Function, two)] {
            let failed = self.violated(obligation, &violation, &component)?;
            if failed.is_some() {
                return Ok(failed);
            }
        }
        let exact = |three| Formula::atom(Atom::Xor, three);
        let nothing = i64::from(powers);
        self.define_option_values(nothing, if powers { possible } else { exact })?;
        let same = Formula::exists([g], law(g).and(option(g)));
        let failed = self.violated(Obligation::Excluded, &same, &component)?;
        if failed.is_some() {
            return Ok(failed);
        }
        if powers && self.splits() {
            // What is possible need not be so.
            self.define_option_values(nothing, certain)?;
        }
        let missed = law(g).and(smaller(g)).and(option(h).negated());
        let missed = Formula::exists([g, h], missed);
        self.violated(Obligation::Covered, &missed, &component)
    }

    /// That by moves of the components of a set, given by its bits, a lost position is reached.
    fn way(&mut self, position: &[Variable], set: usize, step: &str) -> Formula {
        let arity = self.game.arity;
        let mut after = position.to_vec();
        let (mut bound, mut moved) = (Vec::new(), Vec::new());
        for (at, component) in position.chunks(arity.max(1)).enumerate() {
            if set >> at & 1 == 1 {
                let new = self.several(arity);
                moved.push(Formula::named(step, [component, &new].concat()));
                after[at * arity..][..arity].copy_from_slice(&new);
                bound.extend(new);
            } else if self.game.compound == Joined::EveryMovable {
                moved.push(Formula::named(MOVABLE, component).negated());
            }
        }
        moved.push(Formula::named(LAW, after));
        exists(bound, conjunction(moved))
    }

    fn outcomes(&mut self, components: usize) -> Result<Failed, Error> {
        let arity = self.game.arity;
        let position = components_of(components, arity);
        let component = |at: usize| position[at * arity..][..arity].to_vec();
        let all = |name: &str| {
            let each = (0..components).map(|at| Formula::named(name, component(at)));
            each.collect::<Vec<_>>()
        };
        let lost = Formula::named(LAW, position.clone());
        let misere = self.game.play == Play::Misere;

        // A component moved in becomes another one.
        let pair = components_of(2, arity);
        let single = if self.game.moves.contains_key(&1) {
            Formula::named(named_moves(1), pair.clone())
        } else {
            Formula::Constant(false)
        };
        self.define(MOVE, &single, &pair)?;
        let compound = self.game.compound;
        let mut ways: Vec<Formula> = sets(compound, components)
            .into_iter()
            .map(|set| self.way(&position, set, MOVE))
            .collect();
        // Nothing is left: that is lost in normal play.
        let nothing = if self.game.moves.contains_key(&0) && !misere {
            Formula::named(named_moves(0), component(0))
        } else {
            Formula::Constant(false)
        };
        ways.push(nothing.clone());
        for way in &ways {
            let stuck = conjunction(vec![lost.clone(), way.clone()]);
            let failed = self.violated(Obligation::Stable, &stuck, &position)?;
            if failed.is_some() {
                return Ok(failed);
            }
        }
        let movable = match self.game.compound {
            Joined::Every => conjunction(all(MOVABLE)),
            Joined::Some(0) => Formula::Constant(false),
            Joined::Some(_) | Joined::EveryMovable => disjunction(all(MOVABLE)),
        };
        let mut won_at_once = Vec::new();
        let mut ended = Vec::new();
        if self.game.ended.is_some() {
            let (over_lost, over_won) = (
                Formula::named(LOST, component(0)),
                Formula::named(WON, component(0)),
            );
            let wrong = over_lost
                .clone()
                .and(lost.clone().negated())
                .or(over_won.clone().and(lost.clone()));
            let wrong = wrong.and(Formula::named(DOMAIN, component(0)));
            let failed = self.violated(Obligation::Endings, &wrong, &position)?;
            if failed.is_some() {
                return Ok(failed);
            }
            ended.push(over_lost.negated());
            ended.push(over_won.clone().negated());
            won_at_once.push(over_won);
        }
        if misere {
            // Without a move one has won: a lost position has one, and others need none.
            let stuck = vec![lost.clone(), movable.clone().negated()];
            let stuck = conjunction([stuck, ended].concat());
            let failed = self.violated(Obligation::Stable, &stuck, &position)?;
            if failed.is_some() {
                return Ok(failed);
            }
            won_at_once.push(movable.negated());
        }
        if let Joined::Some(most) = compound {
            // From a position that is not lost to one that is, something has moved. So in some largest set of components
            // each one moves or stays: these are fewer ways, with smaller automata.
            let stay = pair[..arity].iter().zip(&pair[arity..]);
            let stay = stay.map(|(before, after)| Formula::equal(*before, *after));
            let step = Formula::named(MOVE, pair.clone()).or(conjunction(stay.collect()));
            self.define(STEP, &step, &pair)?;
            let largest = |set: &usize| set.count_ones() as usize == most.min(components);
            ways = sets(compound, components)
                .into_iter()
                .filter(largest)
                .map(|set| self.way(&position, set, STEP))
                .collect();
            ways.push(nothing);
        }
        let good = disjunction([vec![lost], won_at_once, ways].concat());
        let bad = [all(DOMAIN), vec![good.negated()]].concat();
        self.violated(Obligation::Absorbing, &conjunction(bad), &position)
    }
}

/// The sets of components, by their bits, in which one may move at once.
fn sets(compound: Joined, components: usize) -> Vec<usize> {
    let all = (1usize << components) - 1;
    match compound {
        Joined::Every => vec![all],
        Joined::EveryMovable => (1..=all).collect(),
        Joined::Some(most) => (1..=all)
            .filter(|set| set.count_ones() as usize <= most)
            .collect(),
    }
}

/// All orders of so many places.
pub(crate) fn permutations(places: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..places {
        all = all
            .iter()
            .flat_map(|order: &Vec<usize>| {
                let free = (0..places).filter(|place| !order.contains(place));
                free.map(|place| [order.as_slice(), &[place]].concat())
            })
            .collect();
    }
    all
}
