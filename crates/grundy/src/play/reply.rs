//! What perfect play answers, and how it knows.

use std::cmp::Reverse;

use grundy_rules::moves::Move;
use grundy_rules::{Component, Item, Meter};
use num_bigint::BigUint;

use super::{Over, Round};
use crate::outcome::{Evidence, Outcome, Undecided};
use crate::solve::{Part, Query, Solver, Wanted, after};

/// A move to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub next: Move,
    /// What is known about it.
    pub why: Why,
}

/// What is known about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It wins.
    Wins(Evidence),
    /// It keeps a draw; nothing wins.
    Draws(Evidence),
    /// Every move loses; this one was chosen to be hard to answer.
    Lost(Evidence),
    /// Who wins is not known.
    Unknown(Undecided),
    /// The position is won, but no winning move was found within the limits.
    Overlooked(Evidence),
}

/// How many first and last moves of each rule a lost position is tried with.
const EACH: usize = 8;
/// How many moves of a lost position are compared.
const MOST_COMPARED: usize = 64;
/// The steps that comparing them may take.
const COMPARING: u64 = 1 << 20;

/// A move of perfect play; `None` where play is over.
///
/// In a won position the first winning move, or where play need not end the one after which it ends soonest; in a lost one, of some or all moves, one with the fewest
/// winning answers, and among these one that leaves the most. Deterministic.
///
/// # Errors
///
/// A limit before any move was found.
pub fn reply(
    round: &Round,
    solver: &mut Solver,
    meter: &mut Meter,
) -> Result<Option<Reply>, Undecided> {
    if round.over(meter)?.is_some() {
        return Ok(None);
    }
    let query = Query {
        moves: Wanted::All,
        distinct: false,
        limit: 1,
    };
    let answer = match solver.answer(round.sum(), query, meter) {
        Ok(answer) => answer,
        Err(undecided) => {
            let next = some_move(round, &mut Meter::new(crate::solve::LITTLE))?;
            return Ok(next.map(|next| Reply {
                next,
                why: Why::Unknown(undecided),
            }));
        }
    };
    let evidence = answer.evidence;
    if answer.outcome == Outcome::P {
        let next = hardest(round, solver, meter)?;
        let why = Why::Lost(evidence);
        return Ok(next.map(|next| Reply { next, why }));
    }
    let soonest = match answer.outcome {
        Outcome::N => solver.soonest(round.sum(), meter)?,
        _ => None,
    };
    let best = soonest.or_else(|| {
        let best = answer.moves.ok()?;
        best.listed.into_iter().next()
    });
    if let Some(next) = best {
        let why = if answer.outcome == Outcome::N {
            Why::Wins(evidence)
        } else {
            Why::Draws(evidence)
        };
        return Ok(Some(Reply { next, why }));
    }
    let next = some_move(round, meter)?;
    let why = Why::Overlooked(evidence);
    Ok(next.map(|next| Reply { next, why }))
}

/// A move, if one is found.
fn some_move(round: &Round, meter: &mut Meter) -> Result<Option<Move>, Undecided> {
    let choice = round.choice(1, meter)?;
    Ok(choice.moves.into_iter().next())
}

/// A move of a lost position after which it is hardest to win.
fn hardest(
    round: &Round,
    solver: &mut Solver,
    meter: &mut Meter,
) -> Result<Option<Move>, Undecided> {
    let mut moves = round.choice(EACH, meter)?.moves;
    // An even selection of very many.
    let step = moves.len().div_ceil(MOST_COMPARED).max(1);
    let sampled: Vec<Move> = moves.drain(..).step_by(step).collect();
    let query = Query {
        moves: Wanted::Count,
        distinct: true,
        limit: 0,
    };
    let (judged, _) = meter.capped(COMPARING, |meter| {
        let judge = |next: &Move| {
            let result = after(round.sum(), next);
            let answer = solver.answer(&result, query, meter).ok();
            let count = answer.and_then(|answer| answer.moves.ok()?.count);
            // No count is many.
            (count.is_none(), count, Reverse(size(&result)))
        };
        sampled.iter().map(judge).collect::<Vec<_>>()
    });
    let best = judged.into_iter().zip(sampled).min_by(|a, b| a.0.cmp(&b.0));
    Ok(best.map(|(_, next)| next))
}

/// The sum of all numbers of a position.
fn size(sum: &[Part]) -> BigUint {
    let mut open: Vec<&Component> = sum.iter().map(|part| &part.component).collect();
    let mut total = BigUint::default();
    while let Some(component) = open.pop() {
        for item in &component.0 {
            match item {
                Item::Number(n) => total += n,
                Item::List(list) => open.push(list),
            }
        }
    }
    total
}

impl Round<'_> {
    /// How play is over after a move, if it is.
    pub fn over_after(&self, next: &Move, meter: &mut Meter) -> Result<Option<Over>, Undecided> {
        let round = Round::new(self.games, after(&self.sum, next));
        Ok(round.over(meter)?)
    }
}
