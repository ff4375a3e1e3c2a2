//! Answers about a position: who wins, what it is worth, and every winning move.

mod bound;
mod collector;
mod cycles;
mod engine;
mod labels;
mod mirrors;

use std::collections::{BTreeSet, HashMap};

use grundy_rules::moves::{Move, ended, moves};
use grundy_rules::options::{RuleOption, options};
use grundy_rules::ruleset::{EndingResult, Play};
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::answer::few::Few;
use crate::answer::{Knowledge, MoveSet, Statement, as_move};
use crate::nimber::{Nimber, nim_sum};
use crate::oracle::{
    NoValues, Stop, evaluate, has_independent_components, has_values, outcome_of_moves,
    unsolved_clause,
};
use crate::outcome::{Evidence, Outcome, Undecided};

use collector::Collector;
use cycles::Cycles;
use engine::Engine;

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
                        return Err(Undecided::SomeMoves);
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
