//! Answers about a position: who wins, what it is worth, and every winning move.

use std::collections::{BTreeSet, HashMap};

use grundy_rules::moves::{ComponentChange, Move, ended, moves};
use grundy_rules::options::options;
use grundy_rules::ruleset::{EndingResult, Play};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::nimber::{Nimber, nim_sum};
use crate::oracle::{
    NoValues, Oracle, Stop, evaluate, has_independent_components, has_values, outcome_of_moves,
    unsolved_clause,
};
use crate::outcome::{Evidence, Outcome, Undecided};

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
    /// The Grundy value; or why it has no meaning here.
    pub value: Result<Nimber, NoValues>,
    /// The best moves: those that win, or in a draw those that keep it. There may be so many
    /// moves that a limit is reached where the outcome is long known.
    pub moves: Result<BestMoves, Undecided>,
}

/// The moves that win; in a drawn position those that keep the draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMoves {
    /// How many there are; `None` where it was not asked.
    pub count: Option<BigUint>,
    /// Those listed, in order.
    pub listed: Vec<Move>,
}

/// Solves sums of components of some games, and remembers what it found.
pub struct Solver<'g> {
    games: &'g [Ruleset],
    oracles: Vec<Oracle<'g>>,
    sums: HashMap<Vec<Part>, Outcome>,
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
        let oracles = games.iter().map(Oracle::new).collect();
        Ok(Self {
            games,
            oracles,
            sums: HashMap::new(),
        })
    }

    /// The Grundy value of one component.
    pub fn value(&mut self, part: &Part, meter: &mut Meter) -> Result<u64, Undecided> {
        self.oracles[part.game].grundy_value(&part.component, meter)
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
        let evidence = Evidence::Exhaustive {
            upto: largest_heap(sum),
        };
        match self.games.iter().try_for_each(has_values) {
            Ok(()) => {
                let mut values = Vec::with_capacity(sum.len());
                for part in sum {
                    values.push(self.value(part, meter)?);
                }
                let total = values.iter().fold(0, |total, value| total ^ value);
                let outcome = if total == 0 { Outcome::P } else { Outcome::N };
                let moves = if total == 0 || query.moves == Wanted::None {
                    Ok(BestMoves::none(query))
                } else {
                    self.moves_by_value(sum, &values, query, meter)
                };
                let value = Ok(nim_sum(values.into_iter().map(Nimber::from)));
                Ok(Answer {
                    outcome,
                    evidence,
                    value,
                    moves,
                })
            }
            Err(reason) => {
                let outcome = self.outcome(sum, meter)?;
                let moves = if outcome == Outcome::P || query.moves == Wanted::None {
                    Ok(BestMoves::none(query))
                } else {
                    self.moves_by_outcome(sum, outcome, query, meter)
                };
                Ok(Answer {
                    outcome,
                    evidence,
                    value: Err(reason),
                    moves,
                })
            }
        }
    }

    /// A move wins iff it gives its component the value that the nim-sum of the others has.
    fn moves_by_value(
        &mut self,
        sum: &[Part],
        values: &[u64],
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        let total = values.iter().fold(0, |total, value| total ^ value);
        let mut best = Collector::new(sum, query);
        for (index, part) in sum.iter().enumerate() {
            let wanted = total ^ values[index];
            let game = &self.games[part.game];
            for option in options(game, &part.component, meter)? {
                let mut value = 0;
                for component in &option.result {
                    value ^= self.oracles[part.game].grundy_value(component, meter)?;
                }
                if value == wanted {
                    best.add(Move {
                        label: game.moves[option.rule].label.clone(),
                        choices: option.choices,
                        ways: option.ways,
                        changes: vec![ComponentChange {
                            component: index,
                            from: part.component.clone(),
                            to: option.result,
                        }],
                    });
                }
            }
        }
        Ok(best.finish())
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
        let mut best = Collector::new(sum, query);
        for next in self.all_moves(sum, meter)? {
            if self.outcome(&after(sum, &next), meter)? == wanted {
                best.add(next);
            }
        }
        Ok(best.finish())
    }

    /// All moves of a sum, in order.
    pub fn all_moves(&self, sum: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
        all_moves(self.games, sum, meter)
    }

    /// The outcome of a sum, by search.
    fn outcome(&mut self, sum: &[Part], meter: &mut Meter) -> Result<Outcome, Undecided> {
        if let [_] = self.games {
            let position = position(sum);
            return self.oracles[0].outcome(&position, meter);
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
        evaluate(&root, &mut self.sums, expand, value, meter).map_err(|stop| match stop {
            Stop::Limit(limit) => Undecided::Limit(limit),
            Stop::Cycle(cycle) => Undecided::Cycle(cycle.iter().map(|sum| position(sum)).collect()),
        })
    }

    /// How play has ended by an `ends` rule, if it has.
    pub fn ended(&self, sum: &[Part], meter: &mut Meter) -> Result<Option<EndingResult>, Limit> {
        match self.games {
            [game] => ended(game, &position(sum), meter),
            _ => Ok(None),
        }
    }
}

fn all_moves(games: &[Ruleset], sum: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
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

fn sorted(mut sum: Vec<Part>) -> Vec<Part> {
    sum.sort();
    sum
}

fn position(sum: &[Part]) -> Position {
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
fn largest_heap(sum: &[Part]) -> Option<BigUint> {
    let heaps: Option<Vec<_>> = sum.iter().map(|part| part.component.as_heap()).collect();
    heaps?.into_iter().max().cloned()
}

impl BestMoves {
    fn none(query: Query) -> Self {
        let counted = query.moves != Wanted::None;
        Self {
            count: counted.then(BigUint::default),
            listed: Vec::new(),
        }
    }
}

/// Gathers best moves as a query wants them.
struct Collector<'s> {
    sum: &'s [Part],
    query: Query,
    count: u64,
    listed: Vec<Move>,
    least: Option<Vec<Part>>,
    seen: BTreeSet<Vec<Part>>,
}

impl<'s> Collector<'s> {
    fn new(sum: &'s [Part], query: Query) -> Self {
        Self {
            sum,
            query,
            count: 0,
            listed: Vec::new(),
            least: None,
            seen: BTreeSet::new(),
        }
    }

    fn add(&mut self, next: Move) {
        if self.query.distinct && !self.seen.insert(sorted(after(self.sum, &next))) {
            return;
        }
        self.count += 1;
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
            count: Some(self.count.into()),
            listed: self.listed,
        }
    }
}
