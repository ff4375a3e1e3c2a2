//! Sums in which the first move must be made in a given component.

use grundy_rules::Meter;
use grundy_rules::moves::Move;

use super::collector::Collector;
use super::{Answer, BestMoves, Part, Query, Solver, Wanted, after, position};
use crate::nimber::{Nimber, nim_sum};
use crate::oracle::{NoValues, has_values, unsolved_clause};
use crate::outcome::{Evidence, Outcome, Undecided};

impl Solver<'_> {
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
    pub(super) fn best_in(
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
}
