//! The moves that were asked for, of many.

use grundy_rules::moves::Move;
use num_bigint::BigUint;
use std::collections::BTreeSet;

use super::{BestMoves, Part, Query, Wanted, after, sorted};
use crate::answer::MoveSet;

/// Gathers best moves as a query wants them.
pub(super) struct Collector<'s> {
    pub(super) sum: &'s [Part],
    pub(super) query: Query,
    /// `None` once moves were added whose number is not known.
    pub(super) count: Option<BigUint>,
    pub(super) listed: Vec<Move>,
    pub(super) least: Option<Vec<Part>>,
    pub(super) seen: BTreeSet<Vec<Part>>,
}

impl<'s> Collector<'s> {
    pub(super) fn new(sum: &'s [Part], query: Query) -> Self {
        Self {
            sum,
            query,
            count: Some(BigUint::default()),
            listed: Vec::new(),
            least: None,
            seen: BTreeSet::new(),
        }
    }

    pub(super) fn add(&mut self, next: Move) {
        if self.query.distinct && !self.seen.insert(sorted(after(self.sum, &next))) {
            return;
        }
        self.count = self.count.take().map(|count| count + 1u8);
        self.list(next);
    }

    /// Adds moves that are all new, without visiting more than are listed.
    pub(super) fn add_set<M>(&mut self, set: &dyn MoveSet<M>, as_move: impl Fn(M) -> Move) {
        self.count = self.count.take().zip(set.count()).map(|(a, b)| a + b);
        match self.query.moves {
            Wanted::All => {
                let room = self.query.limit.saturating_sub(self.listed.len());
                self.listed.extend(set.iter().take(room).map(as_move));
            }
            Wanted::First if self.listed.is_empty() => {
                self.listed.extend(set.iter().take(1).map(as_move));
            }
            Wanted::Least => set
                .least()
                .map(as_move)
                .into_iter()
                .for_each(|next| self.list(next)),
            Wanted::First | Wanted::Count | Wanted::None => {}
        }
    }

    pub(super) fn list(&mut self, next: Move) {
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

    pub(super) fn finish(self) -> BestMoves {
        BestMoves {
            count: self.count,
            listed: self.listed,
        }
    }
}
