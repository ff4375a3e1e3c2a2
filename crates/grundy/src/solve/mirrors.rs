//! Positions that mirrors decide: each move has a reply that mirrors it.

use grundy_rules::moves::Move;
use grundy_rules::{Limit, Meter};

use super::{Answer, BestMoves, LITTLE, Part, Query, Solver, Wanted, position};
use crate::answer::Reason;
use crate::nimber::{Nimber, nim_sum};
use crate::oracle::NoValues;
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::pairing::Pairing;

impl Solver<'_> {
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

    /// The answer where values cannot be found with little effort, and a reply that mirrors each move tells who
    /// wins.
    pub(super) fn answer_by_mirrors(
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
                    return Err(Undecided::SomeMoves);
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
        // What mirrors leave decides, and has winning moves; the others may have some too.
        let left = pairing.left(&position);
        if left.len() == sum.len() {
            return Ok(None);
        }
        let rest: Vec<Part> = left.iter().map(|index| sum[*index].clone()).collect();
        let (values, known) = self.values(&rest, meter)?;
        let total = nim_sum(values.iter().cloned().map(Nimber));
        let evidence = Evidence::all([evidence, known]);
        let outcome = if total.is_zero() {
            Outcome::P
        } else {
            Outcome::N
        };
        let moves = self.best_moves(outcome, query, |solver| {
            if query.moves != Wanted::All {
                return Err(Undecided::SomeMoves);
            }
            let mut best = solver.moves_by_value(&rest, &values, &total, query, meter)?;
            let changes = best.listed.iter_mut().flat_map(|next| &mut next.changes);
            changes.for_each(|change| change.component = left[change.component]);
            best.count = None;
            Ok(best)
        });
        Ok(Some(Answer {
            outcome,
            evidence: evidence.clone(),
            value: Ok((total, evidence)),
            moves,
        }))
    }
}
