//! Who answers questions about sums: from what is known, or by search alone.

mod exhaustive;
mod knowing;
mod listening;
mod refusing;
mod search;

use grundy::oracle::{has_independent_components, has_values};
use grundy::outcome::{Evidence, Outcome};
use grundy::solve::{Part, SumFault, after};
use grundy_rules::moves::Move;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use crate::failure::{Failure, Mistake};
use crate::value::{Sum, Which};

pub use exhaustive::Exhaustive;
pub use knowing::Knowing;
pub use listening::Listening;
pub(crate) use refusing::Refusing;

/// Answers questions about sums of components of games.
pub trait Engine<'g> {
    /// Takes a game up; its components name it by the index that is given back.
    fn add(&mut self, rules: &'g Ruleset) -> usize;

    /// The rules of a game.
    fn rules(&self, game: usize) -> &'g Ruleset;

    /// Who wins a sum.
    fn outcome(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Outcome, Failure>;

    /// The Grundy value of a sum.
    fn value(&mut self, sum: &Sum, meter: &mut Meter) -> Result<BigUint, Failure>;

    /// How many moves there are.
    fn count(&mut self, sum: &Sum, which: Which, meter: &mut Meter) -> Result<BigUint, Failure>;

    /// The first move in the order: component, rule, choices ascending.
    fn first(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure>;

    /// A move that leaves the least position, compared component by component as written.
    fn least(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure>;

    /// All moves in order, if they are no more than `most`.
    fn list(
        &mut self,
        sum: &Sum,
        which: Which,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Failure>;

    /// How many moves are made if the winner hurries and the loser delays; `None` in a draw.
    fn plays(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Option<u64>, Failure>;

    /// How many of the positions that are one number in a range are lost; `None` where they must
    /// be looked at one by one.
    fn count_lost(
        &mut self,
        _game: usize,
        _from: &BigUint,
        _to: &BigUint,
        _meter: &mut Meter,
    ) -> Result<Option<BigUint>, Failure> {
        Ok(None)
    }

    /// How the answers about each game were known, where there were any.
    fn evidence(&self) -> Vec<(usize, Evidence)>;
}

/// Whether values decide a sum of these games.
fn have_values(games: &[&Ruleset]) -> bool {
    games.iter().all(|game| has_values(game).is_ok())
}

/// An error if these games cannot stand in one sum.
fn check_sum(games: &[&Ruleset]) -> Result<(), Failure> {
    if games.len() < 2 {
        return Ok(());
    }
    for (index, game) in games.iter().enumerate() {
        if let Err(reason) = has_independent_components(game) {
            return Err(Mistake::Sum(SumFault::NotIndependent {
                game: index,
                reason,
            })
            .into());
        }
        if game.play != games[0].play {
            return Err(Mistake::Sum(SumFault::MixedPlay { game: index }).into());
        }
    }
    Ok(())
}

/// An error if values have no meaning in one of these games.
fn check_values(games: &[&Ruleset]) -> Result<(), Failure> {
    for game in games {
        has_values(game).map_err(Mistake::NoValues)?;
    }
    Ok(())
}

/// Whether a move of a sum leaves a lesser position than another one of the same sum, compared
/// component by component as written. Takes time for what is moved, not for the rest.
fn leaves_less(sum: &[Part], a: &Move, b: &Move) -> bool {
    let first = |next: &Move| next.changes.first().map_or(0, |change| change.component);
    let begin = first(a).min(first(b));
    let last = |next: &Move| next.changes.last().map_or(0, |change| change.component);
    // Behind the last change both go on with the same components, if they left as many.
    let end = (last(a).max(last(b)) + 1).min(sum.len());
    let grown = |next: &Move| {
        let to: usize = next.changes.iter().map(|change| change.to.len()).sum();
        to.cast_signed() - next.changes.len().cast_signed()
    };
    let end = if grown(a) == grown(b) { end } else { sum.len() };
    let left = |next: &Move| {
        let mut next = next.clone();
        for change in &mut next.changes {
            change.component -= begin;
        }
        after(&sum[begin..end], &next)
    };
    let (a, b) = (left(a), left(b));
    let components = |parts: Vec<Part>| parts.into_iter().map(|part| part.component);
    components(a).lt(components(b))
}
