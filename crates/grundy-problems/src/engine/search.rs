//! Search through all sums that can be reached, depth first with a stack of its own.

use std::collections::{HashMap, HashSet};

use grundy::oracle::outcome_of_moves;
use grundy::outcome::{Outcome, Undecided};
use grundy::solve::{Part, after};
use grundy_rules::moves::{Move, ended, moves};
use grundy_rules::ruleset::{EndingResult, Play};
use grundy_rules::{Meter, Position, Ruleset};

use crate::failure::Failure;
use crate::value::Sum;

/// The bytes that a searched sum is counted as, for each component.
const PART_BYTES: u64 = 160;

/// All moves of a sum, in order.
pub fn all_moves(
    games: &[&Ruleset],
    sum: &[Part],
    meter: &mut Meter,
) -> Result<Vec<Move>, Failure> {
    let position = |parts: &[Part]| Position(parts.iter().map(|p| p.component.clone()).collect());
    let Some(first) = sum.first() else {
        return Ok(Vec::new());
    };
    if sum.iter().all(|part| part.game == first.game) {
        return Ok(moves(games[first.game], &position(sum), meter)?);
    }
    let mut all = Vec::new();
    for (index, part) in sum.iter().enumerate() {
        let alone = position(std::slice::from_ref(part));
        for mut next in moves(games[part.game], &alone, meter)? {
            for change in &mut next.changes {
                change.component = index;
            }
            all.push(next);
        }
    }
    Ok(all)
}

/// A sum without the order of its components.
pub fn sorted(mut sum: Vec<Part>) -> Vec<Part> {
    sum.sort();
    sum
}

/// One sum whose moves are being looked at.
struct Frame {
    sum: Vec<Part>,
    next: Vec<Vec<Part>>,
    /// How many of `next` have been looked at.
    seen: usize,
}

/// The value of a sum from those of the sums that its moves lead to.
type Of<'f, V> = dyn FnMut(&[Part], &[V], &mut Meter) -> Result<V, Failure> + 'f;

/// The value that `of` gives a sum from those of the sums that its moves lead to, in order.
/// Each is computed once and stays in `known`.
pub fn evaluate<V: Clone>(
    games: &[&Ruleset],
    sum: &[Part],
    known: &mut HashMap<Vec<Part>, V>,
    of: &mut Of<V>,
    meter: &mut Meter,
) -> Result<V, Failure> {
    let open = |sum: Vec<Part>, meter: &mut Meter| {
        let all = all_moves(games, &sum, meter)?;
        meter.allocate((1 + all.len() as u64) * (1 + sum.len() as u64) * PART_BYTES)?;
        let next = all.iter().map(|m| sorted(after(&sum, m))).collect();
        Ok::<_, Failure>(Frame { sum, next, seen: 0 })
    };
    let root = sorted(sum.to_vec());
    if let Some(value) = known.get(&root) {
        return Ok(value.clone());
    }
    let mut on_path = HashSet::from([root.clone()]);
    let mut path = vec![open(root, meter)?];
    loop {
        let frame = path.last_mut().expect("the root leaves the path last");
        if let Some(next) = frame.next.get(frame.seen) {
            if known.contains_key(next) {
                frame.seen += 1;
                continue;
            }
            let next = next.clone();
            if on_path.insert(next.clone()) {
                path.push(open(next, meter)?);
            } else {
                let start = path.iter().position(|frame| frame.sum == next);
                let cycle = &path[start.unwrap_or(0)..];
                let cycle = cycle
                    .iter()
                    .map(|frame| Position(frame.sum.iter().map(|p| p.component.clone()).collect()));
                return Err(Undecided::Cycle(cycle.collect()).into());
            }
            continue;
        }
        let frame = path.pop().expect("it was seen");
        let values: Vec<V> = frame.next.iter().map(|next| known[next].clone()).collect();
        let value = of(&frame.sum, &values, meter)?;
        on_path.remove(&frame.sum);
        known.insert(frame.sum, value.clone());
        if path.is_empty() {
            return Ok(value);
        }
    }
}

/// Who wins where no move is left, in a sum of games that are all played by one convention.
pub fn ended_by_play(games: &[&Ruleset]) -> Outcome {
    match games.first().map(|game| game.play) {
        Some(Play::Misere) => Outcome::N,
        _ => Outcome::P,
    }
}

/// Who wins a sum, and how many moves are made.
type Length = (Outcome, Option<u64>);

/// The lengths of play that are known.
#[derive(Default)]
pub struct Lengths {
    normal: HashMap<Vec<Part>, Length>,
    misere: HashMap<Vec<Part>, Length>,
}

impl Lengths {
    /// How many moves are made from a sum if the winner hurries and the loser delays; `None` in a
    /// draw.
    pub fn plays(
        &mut self,
        games: &[&Ruleset],
        sum: &Sum,
        meter: &mut Meter,
    ) -> Result<Option<u64>, Failure> {
        let played: Vec<&Ruleset> = sum.games.iter().map(|game| games[*game]).collect();
        let by_play = ended_by_play(&played);
        let known = match by_play {
            Outcome::N => &mut self.misere,
            _ => &mut self.normal,
        };
        let mut of = |sum: &[Part], after: &[Length], meter: &mut Meter| {
            let ending = match (played.as_slice(), after.is_empty()) {
                ([game], true) => {
                    let position = Position(sum.iter().map(|p| p.component.clone()).collect());
                    ended(game, &position, meter)?
                }
                _ => None,
            };
            let ended = match ending {
                None => by_play,
                Some(EndingResult::Lost) => Outcome::P,
                Some(EndingResult::Won) => Outcome::N,
                Some(EndingResult::Draw) => Outcome::Draw,
            };
            Ok(length(after, ended))
        };
        let (_, length) = evaluate(games, &sum.parts, known, &mut of, meter)?;
        Ok(length)
    }
}

/// How many moves are made from a sum with these ones after it. `ended` is who wins where there is
/// no move.
fn length(after: &[Length], ended: Outcome) -> Length {
    if after.is_empty() {
        return (ended, Some(0));
    }
    let outcome = outcome_of_moves(after.iter().map(|(outcome, _)| *outcome));
    let lengths = |wanted: Outcome| {
        let among = after.iter().filter(move |(outcome, _)| *outcome == wanted);
        among.filter_map(|(_, length)| Some((*length)? + 1))
    };
    let length = match outcome {
        Outcome::N => lengths(Outcome::P).min(),
        Outcome::P => lengths(Outcome::N).max(),
        Outcome::Draw => None,
    };
    (outcome, length)
}
