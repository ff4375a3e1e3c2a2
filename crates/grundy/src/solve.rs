//! Answers about a position: who wins, what it is worth, and every winning move.

use std::collections::{BTreeSet, HashMap};

use grundy_certificate::{Misere, Monoid};
use grundy_graphs::loopy::Value;
use grundy_rules::moves::{Move, ended, moves};
use grundy_rules::options::{RuleOption, options};
use grundy_rules::ruleset::{EndingResult, Play};
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::answer::few::Few;
use crate::answer::{Knowledge, MoveSet, Reason, Statement, as_move};
use crate::exhaustive::Exhaustive;
use crate::graph::{self, Played};
use crate::misere::{Labelled, labelled};
use crate::nimber::{Nimber, nim_sum};
use crate::oracle::{
    NoValues, Stop, evaluate, has_independent_components, has_values, outcome_of_moves,
    unsolved_clause,
};
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::pairing::Pairing;
use crate::theorem::{self, Family};

/// One summand of a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The index of its game.
    pub game: usize,
    /// The component, prepared as `grundy_rules::given::prepare` does.
    pub component: Component,
}

/// Which winning moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All, and their number.
    All,
    /// The first in the order: component, rule, choices ascending.
    First,
    /// One that leads to the least position, compared component by component as written.
    Least,
    /// Only their number.
    Count,
    /// None.
    None,
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Which winning moves.
    pub moves: Wanted,
    /// Whether moves with equal results count once.
    pub distinct: bool,
    /// The most moves to list; the count is exact all the same.
    pub limit: usize,
}

/// An answer and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// How that is known.
    pub evidence: Evidence,
    /// The Grundy value and how it is known; or why it has no meaning here.
    pub value: Result<(Nimber, Evidence), NoValues>,
    /// The best moves: those that win, or in a draw those that keep it. There may be so many
    /// moves that a limit is reached where the outcome is long known.
    pub moves: Result<BestMoves, Undecided>,
}

/// The moves that win; in a drawn position those that keep the draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMoves {
    /// How many there are; `None` where it was not asked, or is not known.
    pub count: Option<BigUint>,
    /// Those listed, in order.
    pub listed: Vec<Move>,
}

impl BestMoves {
    /// Whether none was found.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.count.as_ref().is_none_or(Zero::is_zero)
    }
}

/// What may be spent on what nobody needs for the outcome.
pub(crate) const LITTLE: Budget = Budget {
    steps: 1 << 19,
    bytes: 1 << 26,
};

/// Solves sums of components of some games, and remembers what it found.
pub struct Solver<'g> {
    games: &'g [Ruleset],
    engines: Vec<Engine<'g>>,
    sums: HashMap<Vec<Part>, Outcome>,
    cycles: Cycles,
}

/// What was found where play need not end.
#[derive(Default)]
struct Cycles {
    /// Whether a cycle was met.
    met: bool,
    /// Outcomes, and after how many moves play ends.
    outcomes: HashMap<Vec<Part>, Played>,
    /// The nimbers of the options of sums that are worth no nimber.
    loopy: HashMap<Vec<Part>, Vec<u32>>,
}

/// What answers questions about one game, from the strongest to the slowest.
struct Engine<'g> {
    knowledge: Vec<Box<dyn Knowledge + 'g>>,
    /// Theorems of the literature, asked after what was proved here.
    published: Vec<(&'static Family, Box<dyn Knowledge + 'g>)>,
    exhaustive: Exhaustive<'g>,
    /// Whether values decide sums: then a component that is lost alone has the value 0.
    is_valued: bool,
}

impl<'g> Engine<'g> {
    fn new(game: &'g Ruleset) -> Self {
        Self {
            knowledge: Vec::new(),
            published: theorem::recognised(game),
            exhaustive: Exhaustive::new(game),
            is_valued: has_values(game).is_ok(),
        }
    }

    /// What is known at any size, the strongest first.
    fn known(&self) -> impl Iterator<Item = &dyn Knowledge> {
        let published = self.published.iter().map(|(_, knowledge)| knowledge);
        let all = self.knowledge.iter().chain(published);
        all.map(|knowledge| &**knowledge as &dyn Knowledge)
    }

    /// What is known of its labels in misère play.
    fn by_labels(&self) -> Option<&dyn Knowledge> {
        self.known().find(|knowledge| knowledge.labels().is_some())
    }

    fn known_outcome(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<(Outcome, Evidence)>, Limit> {
        for knowledge in self.known() {
            if let Some(outcome) = knowledge.outcome(position, meter)? {
                return Ok(Some((outcome, knowledge.evidence())));
            }
        }
        Ok(None)
    }

    /// The value of a component that is known without search.
    fn known_value(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<(BigUint, Evidence)>, Limit> {
        for knowledge in self.known() {
            if let Some(value) = knowledge.value(component) {
                return Ok(Some((value, knowledge.evidence())));
            }
        }
        if !self.is_valued {
            return Ok(None);
        }
        let alone = Position(vec![component.clone()]);
        let lost = self.known_outcome(&alone, meter)?;
        let lost = lost.filter(|(outcome, _)| *outcome == Outcome::P);
        Ok(lost.map(|(_, evidence)| (BigUint::default(), evidence)))
    }

    fn value(
        &mut self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<(BigUint, Evidence), Undecided> {
        if let Some(known) = self.known_value(component, meter)? {
            return Ok(known);
        }
        let value = self.exhaustive.grundy_value(component, meter)?;
        Ok((
            value.into(),
            Evidence::Exhaustive {
                upto: component.as_heap().cloned(),
            },
        ))
    }

    /// Hands over the moves of a component that leave a sum of this value, if they are known.
    fn known_moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        with: &mut dyn FnMut(&dyn MoveSet<RuleOption>),
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        for knowledge in self.known() {
            if let Some(known) = knowledge.moves_to(component, target, meter)? {
                with(known.as_ref());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The options of a component that have a value, each visited.
    fn visited(
        &mut self,
        game: &Ruleset,
        component: &Component,
        wanted: &BigUint,
        meter: &mut Meter,
    ) -> Result<Vec<RuleOption>, Undecided> {
        let mut found = Vec::new();
        for option in options(game, component, meter)? {
            let mut value = BigUint::default();
            for component in &option.result {
                value ^= self.value(component, meter)?.0;
            }
            if value == *wanted {
                found.push(option);
            }
        }
        Ok(found)
    }

    fn outcome(
        &mut self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Undecided> {
        if let Some(known) = self.known_outcome(position, meter)? {
            return Ok(known);
        }
        let outcome = self.exhaustive.outcome(position, meter)?;
        Ok((
            outcome,
            Evidence::Exhaustive {
                upto: largest_heap(position),
            },
        ))
    }
}

/// Why games cannot stand in one sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SumFault {
    /// This game has no independent components.
    NotIndependent {
        /// The index of the game.
        game: usize,
        /// Why.
        reason: NoValues,
    },
    /// This game is played by another convention than the first one.
    MixedPlay {
        /// The index of the game.
        game: usize,
    },
}

impl<'g> Solver<'g> {
    /// A solver for sums of these games.
    ///
    /// # Errors
    ///
    /// Several games stand in one sum only if the components of each are independent, and
    /// if all are played by the same convention.
    pub fn new(games: &'g [Ruleset]) -> Result<Self, SumFault> {
        if games.len() > 1 {
            for (index, game) in games.iter().enumerate() {
                has_independent_components(game).map_err(|reason| SumFault::NotIndependent {
                    game: index,
                    reason,
                })?;
                if game.play != games[0].play {
                    return Err(SumFault::MixedPlay { game: index });
                }
            }
        }
        let engines = games.iter().map(Engine::new).collect();
        Ok(Self {
            games,
            engines,
            sums: HashMap::new(),
            cycles: Cycles::default(),
        })
    }

    /// Adds what is known about a game; what was added first is asked first.
    pub fn know(&mut self, game: usize, knowledge: Box<dyn Knowledge + 'g>) {
        self.engines[game].knowledge.push(knowledge);
    }

    /// Whether a theorem of the literature speaks of a game.
    pub fn has_published(&self, game: usize) -> bool {
        !self.engines[game].published.is_empty()
    }

    /// The games of the sums.
    pub fn games(&self) -> &'g [Ruleset] {
        self.games
    }

    /// What is known about a game at every size, in the order in which it is asked.
    pub fn known(&self, game: usize) -> impl Iterator<Item = &dyn Knowledge> {
        self.engines[game].known()
    }

    /// The same with what each of them states.
    pub fn stated(&self, game: usize) -> impl Iterator<Item = (Option<Statement>, &dyn Knowledge)> {
        let engine = &self.engines[game];
        let own = engine.knowledge.iter();
        let own = own.map(|knowledge| (knowledge.statement(), &**knowledge as &dyn Knowledge));
        let published = engine.published.iter().map(|(family, knowledge)| {
            let statement = Statement::Theorem {
                name: family.name,
                statement: family.statement,
            };
            (Some(statement), &**knowledge as &dyn Knowledge)
        });
        own.chain(published)
    }

    /// Whether the answer about a sum comes from the values of its components.
    pub fn is_by_value(&self, sum: &[Part], meter: &mut Meter) -> Result<bool, Limit> {
        let valued = self.games.iter().all(|game| has_values(game).is_ok());
        let valued = valued && !self.cycles.met;
        Ok(valued && self.outcome_without_values(sum, meter)?.is_none())
    }

    /// The first move of one component that leaves a sum of this value.
    pub fn move_to(
        &mut self,
        part: &Part,
        value: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<RuleOption>, Undecided> {
        let engine = &mut self.engines[part.game];
        let mut first = None;
        let mut look = |set: &dyn MoveSet<RuleOption>| first = set.iter().next();
        if engine.known_moves_to(&part.component, value, &mut look, meter)? {
            return Ok(first);
        }
        for option in options(&self.games[part.game], &part.component, meter)? {
            let mut left = BigUint::default();
            for component in &option.result {
                left ^= engine.value(component, meter)?.0;
            }
            if left == *value {
                return Ok(Some(option));
            }
        }
        Ok(None)
    }

    /// The Grundy value of one component, and how it is known.
    pub fn value(
        &mut self,
        part: &Part,
        meter: &mut Meter,
    ) -> Result<(Nimber, Evidence), Undecided> {
        let (value, evidence) = self.engines[part.game].value(&part.component, meter)?;
        Ok((Nimber(value), evidence))
    }

    /// The Grundy value of one component if it is known without search, and from which knowledge.
    pub fn known_value(&self, part: &Part) -> Option<(BigUint, usize)> {
        let mut known = self.engines[part.game].known().enumerate();
        known.find_map(|(index, knowledge)| Some((knowledge.value(&part.component)?, index)))
    }

    /// How the knowledge of a game with this index is known.
    pub fn evidence(&self, game: usize, knowledge: usize) -> Option<Evidence> {
        let knowledge = self.engines[game].known().nth(knowledge)?;
        Some(knowledge.evidence())
    }

    /// Says that the value of a component will be asked for, so that one search serves all
    /// questions.
    pub fn expect(&mut self, part: &Part) {
        self.engines[part.game].exhaustive.expect(&part.component);
    }

    /// Hands over the options of a component that have a value, from what is known or by visiting
    /// each.
    pub fn options_to(
        &mut self,
        part: &Part,
        value: &BigUint,
        with: &mut dyn FnMut(&dyn MoveSet<RuleOption>),
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let engine = &mut self.engines[part.game];
        if !engine.known_moves_to(&part.component, value, with, meter)? {
            let visited = engine.visited(&self.games[part.game], &part.component, value, meter)?;
            with(&Few::options(visited));
        }
        Ok(())
    }

    /// Who wins a sum, and how that is known: by what is known of whole positions, or by search.
    ///
    /// Where values decide, [`value`](Self::value) is quicker.
    pub fn who_wins(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Undecided> {
        match self.games.iter().find_map(unsolved_clause) {
            Some(clause) => Err(Undecided::NotSolved(clause)),
            None => self.outcome(sum, meter),
        }
    }

    /// Who wins, if that is known without search.
    pub fn known_outcome(
        &self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<Option<(Outcome, Evidence)>, Limit> {
        match self.engines.as_slice() {
            [engine] => engine.known_outcome(&position(sum), meter),
            _ => Ok(self.outcome_by_labels(sum)),
        }
    }

    /// The best moves of a sum with this outcome, found by the outcomes that they lead to.
    pub fn moves_by_outcomes(
        &mut self,
        sum: &[Part],
        outcome: Outcome,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        self.best_moves(outcome, query, |solver| {
            solver.moves_by_outcome(sum, outcome, query, meter)
        })
    }

    /// The Grundy value of one component by exhaustive search, whatever else is known.
    pub fn exhaustive_value(&mut self, part: &Part, meter: &mut Meter) -> Result<u64, Undecided> {
        self.engines[part.game]
            .exhaustive
            .grundy_value(&part.component, meter)
    }

    /// By which mirrors a sum of one game is lost, if it is lost by mirrors alone.
    pub fn mirrored(&self, sum: &[Part]) -> Option<Reason> {
        let [game] = self.games else {
            return None;
        };
        let pairing = Pairing::of(game)?;
        let position = position(sum);
        pairing.is_lost(&position).then(|| {
            let own = pairing.alone(&position).into_iter();
            let own: Vec<_> = own
                .filter_map(|index| pairing.mirror(&position.0[index]))
                .collect();
            Reason::Mirrored {
                pairs: (sum.len() - own.len()) / 2,
                own,
            }
        })
    }

    /// The move that mirrors a move of a sum that is lost by mirrors alone, as a move of the sum after it; `None` for
    /// other sums, and for moves that leave no component or several in the place of one.
    pub(crate) fn mirroring(
        &self,
        sum: &[Part],
        next: &Move,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Limit> {
        let [game] = self.games else {
            return Ok(None);
        };
        let in_place = next.changes.iter().all(|change| change.to.len() == 1);
        match Pairing::of(game).filter(|_| in_place) {
            Some(pairing) => pairing.reply(&position(sum), next, meter),
            None => Ok(None),
        }
    }

    /// The outcome of a sum, its value where it has one, and its best moves.
    pub fn answer(
        &mut self,
        sum: &[Part],
        query: Query,
        meter: &mut Meter,
    ) -> Result<Answer, Undecided> {
        if let Some(clause) = self.games.iter().find_map(unsolved_clause) {
            return Err(Undecided::NotSolved(clause));
        }
        match self.games.iter().try_for_each(has_values) {
            Ok(()) => {
                if let Some(known) = self.outcome_without_values(sum, meter)? {
                    return Ok(self.answer_without_values(sum, known, query, meter));
                }
                if let Some(answer) = self.answer_by_mirrors(sum, query, meter)? {
                    return Ok(answer);
                }
                let (values, evidence) = match self.values(sum, meter) {
                    Err(Undecided::Cycle(_)) => return self.answer_with_cycles(sum, query, meter),
                    found => found?,
                };
                let total = nim_sum(values.iter().cloned().map(Nimber));
                let outcome = if total.is_zero() {
                    Outcome::P
                } else {
                    Outcome::N
                };
                let moves = self.best_moves(outcome, query, |solver| {
                    solver.moves_by_value(sum, &values, &total, query, meter)
                });
                Ok(Answer {
                    outcome,
                    evidence: evidence.clone(),
                    value: Ok((total, evidence)),
                    moves,
                })
            }
            Err(reason) => {
                let (outcome, evidence) = self.outcome(sum, meter)?;
                let moves = self.best_moves(outcome, query, |solver| {
                    solver.moves_by_outcome(sum, outcome, query, meter)
                });
                Ok(Answer {
                    outcome,
                    evidence,
                    value: Err(reason),
                    moves,
                })
            }
        }
    }

    /// The answer where values alone do not tell it, as play need not end.
    fn answer_with_cycles(
        &mut self,
        sum: &[Part],
        query: Query,
        meter: &mut Meter,
    ) -> Result<Answer, Undecided> {
        self.cycles.met = true;
        let evidence = Evidence::Exhaustive { upto: None };
        let Some(found) = graph::loopy_sum(self.games, sum, meter)? else {
            let (outcome, evidence) = self.outcome(sum, meter)?;
            let moves = self.moves_by_outcomes(sum, outcome, query, meter);
            return Ok(Answer {
                outcome,
                // Only a sum worth 0 is lost.
                value: match outcome {
                    Outcome::P => Ok((Nimber::default(), evidence.clone())),
                    _ => Err(NoValues::Unknown),
                },
                evidence,
                moves,
            });
        };
        if sum.len() == 1 {
            self.outcome_with_cycles(sum, meter)?;
        }
        let value = match found.value {
            Value::Nimber(nimber) => Ok((Nimber::from(u64::from(nimber)), evidence.clone())),
            Value::Loopy(options) => {
                self.cycles.loopy.insert(sorted(sum.to_vec()), options);
                Err(NoValues::Loopy)
            }
        };
        let outcome = found.outcome;
        let moves = self.best_moves(outcome, query, |solver| {
            let mut best = Collector::new(sum, query);
            for next in solver.all_moves(sum, meter)? {
                let [change] = next.changes.as_slice() else {
                    continue;
                };
                let part = |component: &Component| Part {
                    game: sum[change.component].game,
                    component: component.clone(),
                };
                let to = (change.component, change.to.first().map(part));
                if found.best.contains(&to) {
                    best.add(next);
                }
            }
            Ok(best.finish())
        });
        Ok(Answer {
            outcome,
            evidence,
            value,
            moves,
        })
    }

    /// The nimbers of the options of a sum that was found to be worth no nimber, as play need not
    /// end.
    pub fn loopy_value(&self, sum: &[Part]) -> Option<&[u32]> {
        let found = self.cycles.loopy.get(&sorted(sum.to_vec()))?;
        Some(found)
    }

    /// After how many moves play ends under best play, if that was found where play need not end.
    pub fn moves_to_end(&self, sum: &[Part]) -> Option<u32> {
        self.cycles.outcomes.get(&sorted(sum.to_vec()))?.1
    }

    /// The winning move after which play ends soonest, where it need not end: other winning moves may lead round
    /// for ever. `None` where no cycle was met.
    pub fn soonest(&mut self, sum: &[Part], meter: &mut Meter) -> Result<Option<Move>, Undecided> {
        if !self.cycles.met {
            return Ok(None);
        }
        self.outcome_with_cycles(sum, meter)?;
        let mut best = None;
        for next in self.all_moves(sum, meter)? {
            let left = self.cycles.outcomes.get(&sorted(after(sum, &next)));
            if let Some((Outcome::P, Some(moves))) = left
                && best.as_ref().is_none_or(|(fewest, _)| moves < fewest)
            {
                best = Some((*moves, next));
            }
        }
        Ok(best.map(|(_, next)| next))
    }

    /// Whether a cycle was met in the play of these games.
    pub fn has_cycles(&self) -> bool {
        self.cycles.met
    }

    /// The answer where the first move must be made in a given component, and play goes on as always after it: won iff
    /// some move of that component alone wins.
    ///
    /// # Panics
    ///
    /// Panics if the sum has no component with this index.
    pub fn answer_in(
        &mut self,
        sum: &[Part],
        component: usize,
        query: Query,
        meter: &mut Meter,
    ) -> Result<Answer, Undecided> {
        let asked = Query {
            moves: match query.moves {
                Wanted::None => Wanted::First,
                wanted => wanted,
            },
            ..query
        };
        let (best, kept, evidence) = self.best_in(sum, component, asked, meter)?;
        Ok(Answer {
            outcome: if best.is_empty() { Outcome::P } else { kept },
            evidence,
            value: Err(NoValues::BoundMove),
            moves: Ok(match query.moves {
                Wanted::None => BestMoves::default(),
                _ => best,
            }),
        })
    }

    /// The best moves among those that change one component alone, as where the first move must be
    /// made in a given heap. Where neither values nor a theorem tell them, all moves of the sum are visited.
    ///
    /// # Panics
    ///
    /// Panics if the sum has no component with this index.
    pub fn moves_in(
        &mut self,
        sum: &[Part],
        component: usize,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        Ok(self.best_in(sum, component, query, meter)?.0)
    }

    /// The same with the outcome of the sum, and how it is known.
    fn best_in(
        &mut self,
        sum: &[Part],
        component: usize,
        query: Query,
        meter: &mut Meter,
    ) -> Result<(BestMoves, Outcome, Evidence), Undecided> {
        if let Some(clause) = self.games.iter().find_map(unsolved_clause) {
            return Err(Undecided::NotSolved(clause));
        }
        let mut best = Collector::new(sum, query);
        let valued = self.games.iter().all(|game| has_values(game).is_ok());
        if valued && self.outcome_without_values(sum, meter)?.is_none() {
            let (values, evidence) = self.values(sum, meter)?;
            let total = nim_sum(values.iter().cloned().map(Nimber));
            if total.is_zero() {
                return Ok((best.finish(), Outcome::P, evidence));
            }
            let wanted = &total.0 ^ &values[component];
            self.moves_to_value(&mut best, component, &wanted, meter)?;
            return Ok((best.finish(), Outcome::N, evidence));
        }
        let (outcome, evidence) = self.outcome(sum, meter)?;
        if outcome == Outcome::P {
            return Ok((best.finish(), outcome, evidence));
        }
        if outcome == Outcome::N
            && let Some(sums) = self.labelled(sum)
            && let Some(others) = sums.others()
        {
            let best = self.moves_by_labels(sum, &others, Some(component), query, meter)?;
            return Ok((best, outcome, evidence));
        }
        let is_in = |next: &Move| {
            let mut changes = next.changes.iter();
            changes.all(|change| change.component == component)
        };
        if let [engine] = self.engines.as_slice() {
            let position = position(sum);
            for knowledge in engine.known() {
                let known = knowledge.winning_moves(&position, meter)?;
                let Some(known) = known.filter(|known| known.count().is_some()) else {
                    continue;
                };
                for next in known.iter() {
                    meter.spend(1)?;
                    if is_in(&next) {
                        best.add(next);
                    }
                }
                return Ok((best.finish(), outcome, evidence));
            }
        }
        let mut drawing = Collector::new(sum, query);
        let mut draws = false;
        for next in self.all_moves(sum, meter)? {
            if !is_in(&next) {
                continue;
            }
            match self.outcome(&after(sum, &next), meter)?.0 {
                Outcome::P => best.add(next),
                Outcome::Draw => {
                    draws = true;
                    drawing.add(next);
                }
                Outcome::N => {}
            }
        }
        let best = best.finish();
        // Who could win by a move elsewhere may still draw by one here.
        if best.is_empty() && draws {
            return Ok((drawing.finish(), Outcome::Draw, evidence));
        }
        Ok((best, outcome, evidence))
    }

    /// The value of each summand, and how they are known.
    fn values(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<(Vec<BigUint>, Evidence), Undecided> {
        for part in sum {
            let engine = &mut self.engines[part.game];
            if engine.known_value(&part.component, meter)?.is_none() {
                engine.exhaustive.expect(&part.component);
            }
        }
        let mut values = Vec::with_capacity(sum.len());
        let mut evidence = Vec::new();
        for part in sum {
            let (value, known) = self.value(part, meter)?;
            values.push(value.0);
            if evidence.last() != Some(&known) {
                evidence.push(known);
            }
        }
        Ok((values, Evidence::all(evidence)))
    }

    /// The outcome of a sum, where it is known although some value is not.
    fn outcome_without_values(
        &self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<Option<(Outcome, Evidence)>, Limit> {
        let [engine] = self.engines.as_slice() else {
            return Ok(None);
        };
        let valued = |part: &Part| engine.known().any(|k| k.value(&part.component).is_some());
        if sum.iter().all(valued) {
            return Ok(None);
        }
        engine.known_outcome(&position(sum), meter)
    }

    /// The answer from a known outcome; the value is searched for with little effort.
    fn answer_without_values(
        &mut self,
        sum: &[Part],
        (outcome, evidence): (Outcome, Evidence),
        query: Query,
        meter: &mut Meter,
    ) -> Answer {
        let value = if outcome == Outcome::P {
            Ok((Nimber::default(), evidence.clone()))
        } else {
            match self.values(sum, &mut Meter::new(LITTLE)) {
                Ok((values, evidence)) => Ok((nim_sum(values.into_iter().map(Nimber)), evidence)),
                Err(_) => Err(NoValues::Unknown),
            }
        };
        let moves = self.best_moves(outcome, query, |solver| {
            solver.moves_by_outcome(sum, outcome, query, meter)
        });
        Answer {
            outcome,
            evidence,
            value,
            moves,
        }
    }

    /// The answer where values cannot be found with little effort, and a reply that mirrors each move tells who
    /// wins.
    fn answer_by_mirrors(
        &mut self,
        sum: &[Part],
        query: Query,
        meter: &mut Meter,
    ) -> Result<Option<Answer>, Undecided> {
        if self.games.len() != 1 || sum.is_empty() {
            return Ok(None);
        }
        match self.values(sum, &mut Meter::new(LITTLE)) {
            Err(Undecided::Limit(_)) => {}
            _ => return Ok(None),
        }
        let Some(pairing) = Pairing::of(&self.games[0]) else {
            return Ok(None);
        };
        let position = position(sum);
        let evidence = pairing.evidence();
        if let Some(outcome) = pairing.outcome(&position, meter)? {
            let value = match outcome {
                Outcome::P => Ok((Nimber::default(), evidence.clone())),
                _ => Err(NoValues::Unknown),
            };
            let moves = self.best_moves(outcome, query, |_| {
                if query.moves != Wanted::All {
                    // Some moves are known, but neither which is first or least, nor how many.
                    return Err(Limit::Steps.into());
                }
                let mut listed = pairing.winning_moves(&position, meter)?;
                listed.truncate(query.limit);
                Ok(BestMoves {
                    count: None,
                    listed,
                })
            });
            return Ok(Some(Answer {
                outcome,
                evidence,
                value,
                moves,
            }));
        }
        // What mirrors leave decides, but not where else to move.
        let left = pairing.left(&position);
        if left.len() == sum.len() {
            return Ok(None);
        }
        let rest: Vec<Part> = left.into_iter().map(|index| sum[index].clone()).collect();
        let (values, known) = self.values(&rest, meter)?;
        let total = nim_sum(values.into_iter().map(Nimber));
        let evidence = Evidence::all([evidence, known]);
        let outcome = if total.is_zero() {
            Outcome::P
        } else {
            Outcome::N
        };
        Ok(Some(Answer {
            outcome,
            evidence: evidence.clone(),
            value: Ok((total, evidence)),
            moves: self.best_moves(outcome, query, |_| Err(Limit::Steps.into())),
        }))
    }

    /// The best moves, if they are wanted and there can be any.
    fn best_moves(
        &mut self,
        outcome: Outcome,
        query: Query,
        find: impl FnOnce(&mut Self) -> Result<BestMoves, Undecided>,
    ) -> Result<BestMoves, Undecided> {
        if query.moves == Wanted::None {
            Ok(BestMoves::default())
        } else if outcome == Outcome::P {
            Ok(BestMoves {
                count: Some(BigUint::default()),
                listed: Vec::new(),
            })
        } else {
            find(self)
        }
    }

    /// A move wins iff it gives its component the value that the nim-sum of the others has.
    fn moves_by_value(
        &mut self,
        sum: &[Part],
        values: &[BigUint],
        total: &Nimber,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        let mut best = Collector::new(sum, query);
        let mut seen = BTreeSet::new();
        for (index, part) in sum.iter().enumerate() {
            if query.distinct && !seen.insert(part) {
                continue;
            }
            let wanted = &total.0 ^ &values[index];
            self.moves_to_value(&mut best, index, &wanted, meter)?;
        }
        Ok(best.finish())
    }

    /// Adds the moves that give a component of the sum this value.
    fn moves_to_value(
        &mut self,
        best: &mut Collector,
        index: usize,
        wanted: &BigUint,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let part = &best.sum[index];
        let game = &self.games[part.game];
        let as_move = |option: RuleOption| as_move(game, index, &part.component, option);
        let engine = &mut self.engines[part.game];
        // Moves with different labels may have equal results, which only a list can tell.
        let tellable = !best.query.distinct || is_one_label(game);
        let mut add = |set: &dyn MoveSet<RuleOption>| best.add_set(set, as_move);
        if tellable && engine.known_moves_to(&part.component, wanted, &mut add, meter)? {
            return Ok(());
        }
        for option in engine.visited(game, &part.component, wanted, meter)? {
            best.add(as_move(option));
        }
        Ok(())
    }

    fn moves_by_outcome(
        &mut self,
        sum: &[Part],
        outcome: Outcome,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        let wanted = if outcome == Outcome::N {
            Outcome::P
        } else {
            Outcome::Draw
        };
        if let Some(sums) = self.labelled(sum)
            && let Some(others) = sums.others()
        {
            return self.moves_by_labels(sum, &others, None, query, meter);
        }
        let mut best = Collector::new(sum, query);
        if let [engine] = self.engines.as_slice() {
            let position = position(sum);
            let tellable = !query.distinct || is_one_label(&self.games[0]);
            for knowledge in engine.known().filter(|_| tellable) {
                if let Some(known) = knowledge.winning_moves(&position, meter)? {
                    let is_complete = known.count().is_some();
                    if !is_complete && query.moves != Wanted::All {
                        // Some moves are known, but neither which is first or least, nor how many.
                        return Err(Limit::Steps.into());
                    }
                    best.add_set(known.as_ref(), |next| next);
                    return Ok(best.finish());
                }
            }
        }
        for next in self.all_moves(sum, meter)? {
            if self.outcome(&after(sum, &next), meter)?.0 == wanted {
                best.add(next);
            }
        }
        Ok(best.finish())
    }

    /// The labels of the components, in misère play, where laws of all of them are known that go together.
    fn labelled(&self, sum: &[Part]) -> Option<Labelled<'_>> {
        let [first, ..] = sum else { return None };
        let laws = self
            .engines
            .iter()
            .map(|engine| engine.by_labels()?.labels());
        let laws: Vec<Option<&Misere>> = laws.collect();
        let parts = sum.iter().map(|part| {
            let law = laws[part.game]?;
            // Elements of the quotients of two games cannot be multiplied.
            let together = part.game == first.game || law.monoid == Monoid::Tame;
            together.then_some((law, &part.component))
        });
        labelled(parts.collect::<Option<Vec<_>>>()?)
    }

    fn outcome_by_labels(&self, sum: &[Part]) -> Option<(Outcome, Evidence)> {
        let sums = self.labelled(sum)?;
        let lost = sums.monoid.is_lost(&sums.sum()?);
        let used: BTreeSet<usize> = sum.iter().map(|part| part.game).collect();
        let speaking = used
            .into_iter()
            .filter_map(|game| Some(self.engines[game].by_labels()?.evidence()));
        Some((Outcome::of_lost(lost), Evidence::all(speaking)))
    }

    /// The winning moves where the labels of components decide in misère play; `others` has for each
    /// component the label of all others. If `only`, in that component.
    fn moves_by_labels(
        &self,
        sum: &[Part],
        others: &[BigUint],
        only: Option<usize>,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        let mut best = Collector::new(sum, query);
        let mut seen = BTreeSet::new();
        for (index, (part, others)) in sum.iter().zip(others).enumerate() {
            let is_asked = only.is_none_or(|only| only == index);
            if !is_asked || query.distinct && !seen.insert(part) {
                continue;
            }
            let game = &self.games[part.game];
            let as_move = |option: RuleOption| as_move(game, index, &part.component, option);
            let Some(knowledge) = self.engines[part.game].by_labels() else {
                continue;
            };
            // Moves with different labels may have equal results, which only a list can tell.
            if (!query.distinct || is_one_label(game))
                && let Some(set) = knowledge.moves_to_lost(&part.component, others, meter)?
            {
                best.add_set(set.as_ref(), as_move);
                continue;
            }
            let Some(law) = knowledge.labels() else {
                continue;
            };
            for option in options(game, &part.component, meter)? {
                let mut left = option.result.iter();
                let label = left.try_fold(others.clone(), |sum, component| {
                    law.monoid.sum(&sum, &law.label(component.as_heap()?)?)
                });
                if label.is_some_and(|label| law.monoid.is_lost(&label)) {
                    best.add(as_move(option));
                }
            }
        }
        Ok(best.finish())
    }

    /// All moves of a sum, in order.
    pub fn all_moves(&self, sum: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
        all_moves(self.games, sum, meter)
    }

    /// The outcome of a sum where values do not decide it, and how it is known.
    ///
    /// A play that never ends is a draw.
    pub fn outcome(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Undecided> {
        if !self.cycles.met {
            match self.outcome_without_cycles(sum, meter) {
                Err(Undecided::Cycle(_)) => {}
                found => return found,
            }
        }
        self.cycles.met = true;
        Ok(self.outcome_with_cycles(sum, meter)?)
    }

    /// The outcome, found for all positions that can be reached at once.
    fn outcome_with_cycles(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Limit> {
        let evidence = Evidence::Exhaustive { upto: None };
        let root = sorted(sum.to_vec());
        if let Some((outcome, _)) = self.cycles.outcomes.get(&root) {
            return Ok((*outcome, evidence));
        }
        let mut found = Outcome::Draw;
        for (position, played) in graph::outcomes_of_all(self.games, sum, meter)? {
            if position == root {
                found = played.0;
            }
            self.cycles.outcomes.insert(position, played);
        }
        Ok((found, evidence))
    }

    fn outcome_without_cycles(
        &mut self,
        sum: &[Part],
        meter: &mut Meter,
    ) -> Result<(Outcome, Evidence), Undecided> {
        if let [engine] = self.engines.as_mut_slice() {
            return engine.outcome(&position(sum), meter);
        }
        if let Some(known) = self.outcome_by_labels(sum) {
            return Ok(known);
        }
        // Several games stand in a sum only if their components are independent, so there are
        // no endings here.
        let games = self.games;
        let expand = |sum: &Vec<Part>, meter: &mut Meter| {
            let next: Vec<_> = all_moves(games, sum, meter)?
                .iter()
                .map(|m| sorted(after(sum, m)))
                .collect();
            Ok((next.clone(), next))
        };
        let value = |next: Vec<Vec<Part>>, known: &HashMap<Vec<Part>, Outcome>| {
            if next.is_empty() && games[0].play == Play::Misere {
                Outcome::N
            } else {
                outcome_of_moves(next.iter().map(|sum| known[sum]))
            }
        };
        let root = sorted(sum.to_vec());
        let outcome = evaluate(&root, &mut self.sums, expand, value, meter);
        let outcome = outcome.map_err(|stop| match stop {
            Stop::Limit(limit) => Undecided::Limit(limit),
            Stop::Cycle(cycle) => Undecided::Cycle(cycle.iter().map(|sum| position(sum)).collect()),
        })?;
        Ok((
            outcome,
            Evidence::Exhaustive {
                upto: largest_heap(&position(sum)),
            },
        ))
    }

    /// How play has ended by an `ends` rule, if it has.
    pub fn ended(&self, sum: &[Part], meter: &mut Meter) -> Result<Option<EndingResult>, Limit> {
        match self.games {
            [game] => ended(game, &position(sum), meter),
            _ => Ok(None),
        }
    }
}

/// All moves of a sum of components of these games, in order.
pub fn all_moves(games: &[Ruleset], sum: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
    if let [game] = games {
        return moves(game, &position(sum), meter);
    }
    let mut all = Vec::new();
    for (index, part) in sum.iter().enumerate() {
        let alone = Position(vec![part.component.clone()]);
        for mut next in moves(&games[part.game], &alone, meter)? {
            next.changes
                .iter_mut()
                .for_each(|change| change.component = index);
            all.push(next);
        }
    }
    Ok(all)
}

/// The components in one order, whatever order they stand in.
pub(crate) fn sorted(mut sum: Vec<Part>) -> Vec<Part> {
    sum.sort();
    sum
}

/// The components as the position of one game.
pub fn position(sum: &[Part]) -> Position {
    Position(sum.iter().map(|part| part.component.clone()).collect())
}

/// The sum after a move, with what a component becomes in the place of the component.
pub fn after(sum: &[Part], next: &Move) -> Vec<Part> {
    let mut parts = Vec::with_capacity(sum.len());
    for (index, part) in sum.iter().enumerate() {
        match next.changes.iter().find(|change| change.component == index) {
            None => parts.push(part.clone()),
            Some(change) => parts.extend(change.to.iter().map(|to| Part {
                game: part.game,
                component: to.clone(),
            })),
        }
    }
    parts
}

/// The largest heap of a sum of heaps; `None` if a component is no heap.
fn largest_heap(position: &Position) -> Option<BigUint> {
    let heaps: Option<Vec<_>> = position.0.iter().map(Component::as_heap).collect();
    heaps?.into_iter().max().cloned()
}

/// Whether all moves of a game have the same label.
fn is_one_label(game: &Ruleset) -> bool {
    game.moves
        .windows(2)
        .all(|pair| pair[0].label == pair[1].label)
}

/// Gathers best moves as a query wants them.
struct Collector<'s> {
    sum: &'s [Part],
    query: Query,
    /// `None` once moves were added whose number is not known.
    count: Option<BigUint>,
    listed: Vec<Move>,
    least: Option<Vec<Part>>,
    seen: BTreeSet<Vec<Part>>,
}

impl<'s> Collector<'s> {
    fn new(sum: &'s [Part], query: Query) -> Self {
        Self {
            sum,
            query,
            count: Some(BigUint::default()),
            listed: Vec::new(),
            least: None,
            seen: BTreeSet::new(),
        }
    }

    fn add(&mut self, next: Move) {
        if self.query.distinct && !self.seen.insert(sorted(after(self.sum, &next))) {
            return;
        }
        self.count = self.count.take().map(|count| count + 1u8);
        self.list(next);
    }

    /// Adds moves that are all new, without visiting more than are listed.
    fn add_set<M>(&mut self, set: &dyn MoveSet<M>, as_move: impl Fn(M) -> Move) {
        self.count = self.count.take().zip(set.count()).map(|(a, b)| a + b);
        match self.query.moves {
            Wanted::All => {
                let room = self.query.limit.saturating_sub(self.listed.len());
                self.listed.extend(set.iter().take(room).map(as_move));
            }
            Wanted::First if self.listed.is_empty() => {
                self.listed.extend(set.iter().take(1).map(as_move));
            }
            Wanted::Least => set
                .least()
                .map(as_move)
                .into_iter()
                .for_each(|next| self.list(next)),
            Wanted::First | Wanted::Count | Wanted::None => {}
        }
    }

    fn list(&mut self, next: Move) {
        match self.query.moves {
            Wanted::All if self.listed.len() < self.query.limit => self.listed.push(next),
            Wanted::First if self.listed.is_empty() => self.listed.push(next),
            Wanted::Least => {
                let result = after(self.sum, &next);
                if self.least.as_ref().is_none_or(|least| result < *least) {
                    self.least = Some(result);
                    self.listed = vec![next];
                }
            }
            _ => {}
        }
    }

    fn finish(self) -> BestMoves {
        BestMoves {
            count: self.count,
            listed: self.listed,
        }
    }
}
