//! Sums in which play need not end.

use grundy_graphs::loopy::Value;
use grundy_rules::moves::Move;
use grundy_rules::{Component, Limit, Meter};
use std::collections::HashMap;

use super::collector::Collector;
use super::{Answer, Part, Query, Solver, after, sorted};
use crate::graph::{self, Played};
use crate::nimber::Nimber;
use crate::oracle::NoValues;
use crate::outcome::{Evidence, Outcome, Undecided};

/// What was found where play need not end.
#[derive(Default)]
pub(super) struct Cycles {
    /// Whether a cycle was met.
    pub(super) met: bool,
    /// Outcomes, and after how many moves play ends.
    pub(super) outcomes: HashMap<Vec<Part>, Played>,
    /// The nimbers of the options of sums that are worth no nimber.
    pub(super) loopy: HashMap<Vec<Part>, Vec<u32>>,
}

impl Solver<'_> {
    /// The answer where values alone do not tell it, as play need not end.
    pub(super) fn answer_with_cycles(
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

    /// The outcome, found for all positions that can be reached at once.
    pub(super) fn outcome_with_cycles(
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
}
