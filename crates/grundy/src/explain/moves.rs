//! The moves of a position: how many there are, and some of each component.

use std::collections::HashMap;

use grundy_rules::moves::Move;
use grundy_rules::options::options;
use grundy_rules::{Limit, Meter, Ruleset};
use num_bigint::BigUint;

use super::moves_one_component;
use crate::answer::as_move;
use crate::answer::winning::{HeapMoves, all_moves};
use crate::solve::{self, Part};

/// How many steps may be spent to list the moves of a component, or of a position.
pub(super) const SEARCH: u64 = 1 << 16;

/// How many moves a position has, `None` if they are too many to be counted, and up to `limit` of
/// them. If there are more than that, the moves of equal components are told once, and some
/// of each kind.
pub(super) fn moves_of(
    games: &[Ruleset],
    sum: &[Part],
    limit: usize,
    meter: &mut Meter,
) -> Result<(Option<BigUint>, Vec<Move>), Limit> {
    if !moves_one_component(games) {
        let (moves, _) = meter.capped(SEARCH, |meter| solve::all_moves(games, sum, meter));
        return match moves {
            Ok(mut moves) => {
                let count = BigUint::from(moves.len());
                moves.truncate(limit);
                Ok((Some(count), moves))
            }
            Err(Limit::Steps) => Ok((None, Vec::new())),
            Err(limit) => Err(limit),
        };
    }
    let mut known: HashMap<&Part, usize> = HashMap::new();
    let mut kinds: Vec<(usize, usize, Found)> = Vec::new();
    for (place, part) in sum.iter().enumerate() {
        if let Some(kind) = known.get(part) {
            kinds[*kind].1 += 1;
            continue;
        }
        meter.spend(1)?;
        known.insert(part, kinds.len());
        let game = &games[part.game];
        kinds.push((place, 1, Found::of(game, place, part, meter)?));
    }
    let mut count = Some(BigUint::default());
    for (_, times, found) in &kinds {
        count = count
            .zip(found.count())
            .map(|(all, one)| all + one * *times);
    }
    let is_few = count.as_ref().is_some_and(|n| *n <= limit.into());
    let with_moves = kinds.iter().filter(|kind| kind.2.has_some()).count();
    let share = if is_few {
        limit
    } else {
        (limit / with_moves.max(1)).max(1)
    };
    let mut listed = Vec::new();
    if is_few {
        // Each component has its own moves then, equal ones too.
        for (place, part) in sum.iter().enumerate() {
            let found = &kinds[known[part]].2;
            listed.extend(found.first(&games[part.game], place, part, share));
        }
        return Ok((count, listed));
    }
    for (place, _, found) in &kinds {
        let part = &sum[*place];
        let room = share.min(limit - listed.len());
        listed.extend(found.first(&games[part.game], *place, part, room));
    }
    Ok((count, listed))
}

/// The moves of one component.
enum Found {
    Lazy(HeapMoves),
    Listed(Vec<Move>),
    TooMany,
}

impl Found {
    fn of(game: &Ruleset, place: usize, part: &Part, meter: &mut Meter) -> Result<Self, Limit> {
        let component = &part.component;
        if let Some(n) = component.as_heap() {
            let (found, _) = meter.capped(SEARCH, |meter| all_moves(game, n, meter));
            match found {
                Ok(Some(moves)) => return Ok(Self::Lazy(moves)),
                Ok(None) | Err(Limit::Steps) => {}
                Err(limit) => return Err(limit),
            }
        }
        let (found, _) = meter.capped(SEARCH, |meter| options(game, component, meter));
        match found {
            Ok(found) => Ok(Self::Listed(
                found
                    .into_iter()
                    .map(|option| as_move(game, place, component, option))
                    .collect(),
            )),
            Err(Limit::Steps) => Ok(Self::TooMany),
            Err(limit) => Err(limit),
        }
    }

    fn count(&self) -> Option<BigUint> {
        match self {
            Self::Lazy(moves) => Some(moves.count()),
            Self::Listed(moves) => Some(moves.len().into()),
            Self::TooMany => None,
        }
    }

    fn has_some(&self) -> bool {
        match self {
            Self::Lazy(moves) => moves.iter().next().is_some(),
            Self::Listed(moves) => !moves.is_empty(),
            Self::TooMany => false,
        }
    }

    fn first(&self, game: &Ruleset, place: usize, part: &Part, limit: usize) -> Vec<Move> {
        match self {
            Self::Lazy(moves) => {
                let first = moves.iter().take(limit);
                first
                    .map(|option| as_move(game, place, &part.component, option))
                    .collect()
            }
            Self::Listed(moves) => {
                let mut moves: Vec<Move> = moves.iter().take(limit).cloned().collect();
                let changes = moves.iter_mut().flat_map(|next| &mut next.changes);
                changes.for_each(|change| change.component = place);
                moves
            }
            Self::TooMany => Vec::new(),
        }
    }
}
