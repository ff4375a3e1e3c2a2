//! Why a position is won or lost, as data to be told.
//!
//! An explanation is made of the same knowledge as an answer: what is used and how it applies here, how the
//! values add, why a move leaves no answer, and what answers each move of a lost position. The
//! text module tells it.

mod moves;
mod numbers;

use std::collections::HashMap;

use grundy_rules::moves::Move;
use grundy_rules::options::options;
use grundy_rules::ruleset::{Compound, EndingResult};
use grundy_rules::{Component, Limit, Meter};
use num_bigint::BigUint;

use crate::answer::{Knowledge, Reason, Statement};
use crate::nimber::{Nimber, mex};
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::pairing::Pairing;
use crate::solve::{Answer, Part, Query, Solver, Wanted, after, position};

use moves::{SEARCH, moves_of};
use numbers::Numbers;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The move to explain; without one, the first that wins or keeps a draw.
    pub chosen: Option<Move>,
    /// The most moves to give an answer to; their number is exact all the same.
    pub limit: usize,
}

/// Why a position is won or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The answer that is explained, with the first of the best moves and their number.
    pub answer: Answer,
    /// What it rests on.
    pub grounds: Vec<Ground>,
    /// How the outcome of the position follows.
    pub view: View,
    /// The values of some small components worked out.
    pub mexes: Vec<Mex>,
    /// What a move leads to.
    pub played: Option<Played>,
    /// Answers to the moves, where no move wins.
    pub replies: Option<Replies>,
}

/// Something that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The index of the game that it speaks of.
    pub game: usize,
    /// What it says; `None` for an exhaustive search.
    pub statement: Option<Statement>,
    /// How it is known.
    pub evidence: Evidence,
}

/// A position, its outcome, and how that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The position.
    pub sum: Vec<Part>,
    /// Who wins.
    pub outcome: Outcome,
    /// How play has ended, if it has ended before the last move.
    pub ended: Option<EndingResult>,
    /// The nim-sum of the components' values; where the reason is [`Reason::Misere`], of
    /// their values in normal play.
    pub nim_sum: Option<NimSum>,
    /// How the outcome of the whole position follows.
    pub reason: Option<Reason>,
}

/// The nim-sum of the values of the components, equal ones together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NimSum {
    /// Kinds of components in the order of their first places, not more than [`MOST_KINDS`].
    pub kinds: Vec<Kind>,
    /// The other components.
    pub others: Option<Others>,
    /// The nim-sum of all.
    pub total: Nimber,
}

/// Equal components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// One of them.
    pub part: Part,
    /// The place of the first, counted from 0.
    pub place: usize,
    /// How many there are.
    pub count: usize,
    /// The value of each.
    pub value: Nimber,
    /// How the value follows.
    pub reason: Option<Reason>,
}

/// Components that are not told one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Others {
    /// How many.
    pub count: usize,
    /// Their nim-sum.
    pub value: Nimber,
}

/// The value of a component as the least natural that no option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mex {
    /// The component.
    pub part: Part,
    /// Its place, counted from 0.
    pub place: usize,
    /// What its options leave, by value, ascending.
    pub options: Vec<(u64, Vec<Vec<Component>>)>,
    /// The least natural that is no value of them.
    pub value: u64,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub next: Move,
    /// Whether it was asked about.
    pub is_chosen: bool,
    /// What it does for the mover.
    pub verdict: Verdict,
    /// Which value it gives its component, and why that one.
    pub target: Option<Target>,
    /// The position after it.
    pub after: View,
    /// What the opponent can do, if the move is good and these are few.
    pub replies: Option<Replies>,
    /// What the opponent does, if the move is bad, and the position after that.
    pub punished: Option<(Move, View)>,
}

/// What a move does for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It leaves a lost position.
    Wins,
    /// It leaves a drawn position.
    Draws,
    /// It leaves a won position.
    Loses,
}

/// The values of the component that a move changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its place, counted from 0.
    pub place: usize,
    /// Its value before.
    pub before: Nimber,
    /// The nim-sum of all other components.
    pub others: Nimber,
    /// What it is worth after the move.
    pub after: Nimber,
}

/// The moves of a position, with what comes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replies {
    /// How many moves there are; `None` where they are too many to be counted.
    pub count: Option<BigUint>,
    /// Some of them, in order; all if there are not more than were wanted.
    pub listed: Vec<Answered>,
}

/// A move and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The move.
    pub next: Move,
    /// Who wins after it.
    pub outcome: Outcome,
    /// The value of the position after it, where values decide.
    pub value: Option<Nimber>,
    /// The best answer to it; none if play is over.
    pub reply: Option<Reply>,
}

/// A move in a position that is not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub next: Move,
    /// The game of each component that it changes.
    pub games: Vec<usize>,
}

/// The most kinds of components that are told one by one.
pub const MOST_KINDS: usize = 12;
/// The most components whose values are worked out.
const MOST_MEXES: usize = 3;
/// The most options of a component whose value is worked out, and the most moves after a good move that are told.
const FEW: usize = 16;
/// How many components may be looked at for all the answers that are listed.
const PATIENCE: usize = 1 << 20;

/// Explains the outcome of a sum.
pub fn explain(
    solver: &mut Solver,
    sum: &[Part],
    request: &Request,
    meter: &mut Meter,
) -> Result<Explanation, Undecided> {
    // Of the best moves only the first is wanted, but of those of which not all are known any.
    let query = Query {
        moves: Wanted::All,
        distinct: false,
        limit: 1,
    };
    let answer = solver.answer(sum, query, meter)?;
    // Where a reply that mirrors each move tells who wins, no values are known.
    let by_mirrors = Pairing::is_evidence(&answer.evidence);
    let by_value = !by_mirrors && solver.is_by_value(sum, meter)?;
    let mut explainer = Explainer {
        solver,
        by_value,
        meter,
    };
    let numbers = explainer.numbers(sum)?;
    let view = explainer.view(sum, numbers.as_ref(), answer.outcome)?;
    let grounds = explainer.grounds(sum, &answer.evidence)?;
    let mexes = explainer.mexes(&view)?;
    let best = answer.moves.as_ref().ok();
    let chosen = request.chosen.clone();
    let chosen = chosen.or_else(|| best.and_then(|best| best.listed.first().cloned()));
    let played = match chosen {
        Some(next) => Some(Played {
            is_chosen: request.chosen.is_some(),
            ..explainer.played(sum, numbers.as_ref(), next)?
        }),
        None => None,
    };
    let is_lost = answer.outcome == Outcome::P && view.ended.is_none();
    let replies = if is_lost && request.chosen.is_none() {
        Some(explainer.replies(sum, numbers.as_ref(), request.limit)?)
    } else {
        None
    };
    Ok(Explanation {
        answer,
        grounds,
        view,
        mexes,
        played,
        replies,
    })
}

struct Explainer<'e, 'g, 'm> {
    solver: &'e mut Solver<'g>,
    /// Whether the values of components decide.
    by_value: bool,
    meter: &'e mut Meter<'m>,
}

impl Explainer<'_, '_, '_> {
    /// The values of all components, if they decide.
    fn numbers(&mut self, sum: &[Part]) -> Result<Option<Numbers>, Undecided> {
        if !self.by_value {
            return Ok(None);
        }
        Numbers::of(self.solver, sum, self.meter).map(Some)
    }

    fn view(
        &mut self,
        sum: &[Part],
        numbers: Option<&Numbers>,
        outcome: Outcome,
    ) -> Result<View, Undecided> {
        let ended = self.solver.ended(sum, self.meter)?;
        let reason = if numbers.is_some() || ended.is_some() {
            None
        } else {
            self.reason(sum)?
        };
        let nim_sum = match (numbers, &reason) {
            (Some(numbers), _) => Some(self.nim_sum(sum, &numbers.values)),
            (None, Some(Reason::Misere { values })) => Some(self.nim_sum(sum, values)),
            (None, _) => None,
        };
        Ok(View {
            sum: sum.to_vec(),
            outcome,
            ended,
            nim_sum,
            reason,
        })
    }

    /// How the outcome of a sum of one game follows from what is known first about it.
    fn reason(&mut self, sum: &[Part]) -> Result<Option<Reason>, Limit> {
        if self.solver.games().len() != 1 {
            return Ok(None);
        }
        let position = position(sum);
        for knowledge in self.solver.known(0) {
            if knowledge.outcome(&position, self.meter)?.is_some() {
                return knowledge.reason_of_outcome(&position, self.meter);
            }
        }
        Ok(self.solver.mirrored(sum))
    }

    fn nim_sum(&self, sum: &[Part], values: &[BigUint]) -> NimSum {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut others = Others {
            count: 0,
            value: Nimber::default(),
        };
        let mut total = BigUint::default();
        let mut known: HashMap<&Part, usize> = HashMap::new();
        for (place, (part, value)) in sum.iter().zip(values).enumerate() {
            total ^= value;
            if let Some(kind) = known.get(part) {
                kinds[*kind].count += 1;
            } else if kinds.len() < MOST_KINDS {
                known.insert(part, kinds.len());
                kinds.push(Kind {
                    part: part.clone(),
                    place,
                    count: 1,
                    value: Nimber(value.clone()),
                    reason: self.reason_of_value(part),
                });
            } else {
                others.count += 1;
                others.value.0 ^= value;
            }
        }
        NimSum {
            kinds,
            others: (others.count > 0).then_some(others),
            total: Nimber(total),
        }
    }

    /// How the value of a component follows. A theorem of the literature tells it best, and comes last.
    fn reason_of_value(&self, part: &Part) -> Option<Reason> {
        let known = self.solver.known(part.game);
        known
            .filter_map(|knowledge| knowledge.reason(&part.component))
            .last()
    }

    /// What the answer rests on.
    fn grounds(&mut self, sum: &[Part], evidence: &Evidence) -> Result<Vec<Ground>, Undecided> {
        let mut grounds: Vec<Ground> = Vec::new();
        let mut add = |ground: Ground| {
            if !grounds.contains(&ground) {
                grounds.push(ground);
            }
        };
        let ground = |game, (statement, knowledge): (Option<Statement>, &dyn Knowledge)| Ground {
            game,
            statement,
            evidence: knowledge.evidence(),
        };
        if self.by_value {
            let mut seen = HashMap::new();
            for part in sum {
                let times = seen.entry(part.game).or_insert(0);
                if *times == MOST_KINDS {
                    continue;
                }
                *times += 1;
                let known = self.solver.stated(part.game);
                let speaking = known.filter(|(_, k)| k.value(&part.component).is_some());
                let mut speaking: Vec<Ground> =
                    speaking.map(|known| ground(part.game, known)).collect();
                if speaking.is_empty() {
                    speaking.push(Ground {
                        game: part.game,
                        statement: None,
                        evidence: self.solver.value(part, self.meter)?.1,
                    });
                }
                speaking.into_iter().for_each(&mut add);
            }
            return Ok(grounds);
        }
        let position = position(sum);
        if self.solver.games().len() == 1 {
            for (statement, knowledge) in self.solver.stated(0) {
                if knowledge.outcome(&position, self.meter)?.is_some() {
                    add(ground(0, (statement, knowledge)));
                    return Ok(grounds);
                }
            }
        }
        add(Ground {
            game: 0,
            statement: None,
            evidence: evidence.clone(),
        });
        Ok(grounds)
    }

    /// The values of the first components worked out that are small enough.
    fn mexes(&mut self, view: &View) -> Result<Vec<Mex>, Undecided> {
        let mut mexes = Vec::new();
        let kinds = view.nim_sum.iter().filter(|_| self.by_value);
        let kinds: Vec<(Part, usize)> = kinds
            .flat_map(|nim_sum| &nim_sum.kinds)
            .filter(|kind| view.sum.len() == 1 || kind.reason != Some(Reason::Size))
            .map(|kind| (kind.part.clone(), kind.place))
            .collect();
        for (part, place) in kinds {
            if mexes.len() == MOST_MEXES {
                break;
            }
            mexes.extend(self.mex(part, place)?);
        }
        Ok(mexes)
    }

    /// The value of a component worked out; `None` if it has many options, or none.
    fn mex(&mut self, part: Part, place: usize) -> Result<Option<Mex>, Undecided> {
        let game = &self.solver.games()[part.game];
        let (found, _) = self
            .meter
            .capped(SEARCH, |meter| options(game, &part.component, meter));
        let found = match found {
            Ok(found) if !found.is_empty() && found.len() <= FEW => found,
            Ok(_) | Err(Limit::Steps) => return Ok(None),
            Err(limit) => return Err(limit.into()),
        };
        let mut by_value: std::collections::BTreeMap<u64, Vec<Vec<Component>>> =
            std::collections::BTreeMap::new();
        for option in found {
            let value = Numbers::of_sum(self.solver, part.game, &option.result, self.meter)?;
            let Ok(value) = u64::try_from(value) else {
                return Ok(None);
            };
            let results = by_value.entry(value).or_default();
            if !results.contains(&option.result) {
                results.push(option.result);
            }
        }
        Ok(Some(Mex {
            part,
            place,
            value: mex(by_value.keys().copied()),
            options: by_value.into_iter().collect(),
        }))
    }

    fn played(
        &mut self,
        sum: &[Part],
        numbers: Option<&Numbers>,
        next: Move,
    ) -> Result<Played, Undecided> {
        let reached = after(sum, &next);
        let after_numbers = self.numbers(&reached)?;
        let outcome = self.outcome(&reached, after_numbers.as_ref())?;
        let verdict = match outcome {
            Outcome::P => Verdict::Wins,
            Outcome::Draw => Verdict::Draws,
            Outcome::N => Verdict::Loses,
        };
        let view = self.view(&reached, after_numbers.as_ref(), outcome)?;
        let target = match (numbers, &after_numbers, next.changes.as_slice()) {
            (Some(before), Some(later), [change]) => {
                let value = &before.values[change.component];
                let others = &before.total ^ value;
                Some(Target {
                    place: change.component,
                    before: Nimber(value.clone()),
                    after: Nimber(&later.total ^ &others),
                    others: Nimber(others),
                })
            }
            _ => None,
        };
        let mut replies = None;
        let mut punished = None;
        if view.ended.is_none() {
            if verdict == Verdict::Loses {
                punished = self.punished(&reached, after_numbers.as_ref())?;
            } else {
                let few = self.replies(&reached, after_numbers.as_ref(), FEW)?;
                let all = few
                    .count
                    .as_ref()
                    .is_some_and(|n| *n == few.listed.len().into());
                replies = Some(if all {
                    few
                } else {
                    Replies {
                        listed: Vec::new(),
                        ..few
                    }
                });
            }
        }
        Ok(Played {
            next,
            is_chosen: false,
            verdict,
            target,
            after: view,
            replies,
            punished,
        })
    }

    fn outcome(&mut self, sum: &[Part], numbers: Option<&Numbers>) -> Result<Outcome, Undecided> {
        match numbers {
            Some(numbers) => Ok(numbers.outcome()),
            None => {
                let query = Query {
                    moves: Wanted::None,
                    distinct: false,
                    limit: 0,
                };
                Ok(self.solver.answer(sum, query, self.meter)?.outcome)
            }
        }
    }

    /// The opponent's best answer, and where it leads.
    fn punished(
        &mut self,
        sum: &[Part],
        numbers: Option<&Numbers>,
    ) -> Result<Option<(Move, View)>, Undecided> {
        let Some(reply) = self.best(sum, numbers)? else {
            return Ok(None);
        };
        let reached = after(sum, &reply);
        let numbers = self.numbers(&reached)?;
        let outcome = self.outcome(&reached, numbers.as_ref())?;
        let view = self.view(&reached, numbers.as_ref(), outcome)?;
        Ok(Some((reply, view)))
    }

    /// A best move of a position that is not lost.
    fn best(&mut self, sum: &[Part], numbers: Option<&Numbers>) -> Result<Option<Move>, Undecided> {
        match numbers {
            Some(numbers) => numbers.winning_move(self.solver, sum, self.meter),
            None => {
                let query = Query {
                    moves: Wanted::All,
                    distinct: false,
                    limit: 1,
                };
                let best = self.solver.answer(sum, query, self.meter)?.moves?;
                Ok(best.listed.into_iter().next())
            }
        }
    }

    /// What comes of the moves of a position.
    fn replies(
        &mut self,
        sum: &[Part],
        numbers: Option<&Numbers>,
        limit: usize,
    ) -> Result<Replies, Undecided> {
        let limit = limit.min((PATIENCE / sum.len().max(1)).max(1));
        let (count, moves) = moves_of(self.solver.games(), sum, limit, self.meter)?;
        let mut listed = Vec::with_capacity(moves.len());
        for next in moves {
            listed.push(self.answered(sum, numbers, next)?);
        }
        Ok(Replies { count, listed })
    }

    fn answered(
        &mut self,
        sum: &[Part],
        numbers: Option<&Numbers>,
        next: Move,
    ) -> Result<Answered, Undecided> {
        if numbers.is_none()
            && let Some(reply) = self.solver.mirroring(sum, &next, self.meter)?
        {
            return Ok(Answered {
                next,
                outcome: Outcome::N,
                value: None,
                reply: Some(Reply {
                    games: vec![0; reply.changes.len()],
                    next: reply,
                }),
            });
        }
        let reached = after(sum, &next);
        let later = match numbers {
            Some(numbers) => Some(numbers.after(self.solver, sum, &next, self.meter)?),
            None => None,
        };
        let outcome = self.outcome(&reached, later.as_ref())?;
        let is_over = outcome == Outcome::P || self.solver.ended(&reached, self.meter)?.is_some();
        let reply = if is_over {
            None
        } else {
            self.best(&reached, later.as_ref())?
        };
        Ok(Answered {
            next,
            outcome,
            value: later.map(|numbers| Nimber(numbers.total)),
            reply: reply.map(|next| Reply {
                games: next
                    .changes
                    .iter()
                    .map(|change| reached[change.component].game)
                    .collect(),
                next,
            }),
        })
    }
}

/// Whether the moves of a sum are those of its components, one at a time.
fn moves_one_component(games: &[grundy_rules::Ruleset]) -> bool {
    games.iter().all(|game| {
        game.compound == Compound::Disjunctive
            && game.endings.is_empty()
            && !grundy_rules::moves::is_joint(game)
    })
}
