//! Learning the laws of the games that a question is about, before it is answered.

use std::time::Duration;

use grundy::answer::learn::learn;
use grundy::solve::{Part, Solver};
use grundy_rules::{Meter, Ruleset};
use num_traits::ToPrimitive;

use crate::cache::Cache;
use crate::limits::Clock;

/// The least heap up to which a law is looked for.
const LEAST_LOOK: u64 = 5_000;
/// How long a law is looked for where the heaps are small.
const SHORT_LOOK: Duration = Duration::from_secs(2);
/// From here on the limits on time and memory alone say how far to look.
const MOST_LOOK: u64 = 1_000_000;

/// Which laws were learned, and how far others were looked for.
pub struct Learning<'a> {
    games: &'a [Ruleset],
    /// For each game, up to which heap a law was looked for in vain; `None` where no law need be
    /// looked for any more.
    unlearned: Vec<Option<u64>>,
    accept_conjecture: bool,
    no_cache: bool,
}

impl<'a> Learning<'a> {
    /// Nothing learned yet.
    pub fn new(games: &'a [Ruleset], accept_conjecture: bool, no_cache: bool) -> Self {
        Self {
            games,
            unlearned: vec![Some(0); games.len()],
            accept_conjecture,
            no_cache,
        }
    }

    /// Learns the laws of the games that heaps of this sum ask for.
    ///
    /// A law is looked for in heaps some times as large as the largest of the sum: where that
    /// finds none, searching the sum itself costs little.
    pub fn learn(&mut self, solver: &mut Solver<'a>, sum: &[Part], clock: &Clock) {
        let shelf = Cache::open(self.no_cache);
        for (index, game) in self.games.iter().enumerate() {
            let Some(tried) = self.unlearned[index] else {
                continue;
            };
            let parts = sum.iter().filter(|part| part.game == index);
            let heaps = parts.filter_map(|part| part.component.as_heap());
            let Some(largest) = heaps.max() else { continue };
            let upto = largest
                .to_u64()
                .and_then(|n| n.checked_mul(4))
                .unwrap_or(u64::MAX);
            let upto = upto.max(LEAST_LOOK);
            if upto <= tried {
                continue;
            }
            // Where a theorem of the literature answers, a long search for a proof is no use.
            let bound = if solver.has_published(index) {
                Some(LEAST_LOOK)
            } else {
                Some(upto).filter(|upto| *upto < MOST_LOOK)
            };
            // Small heaps are searched soon, so that a long search for their law would be in vain.
            let most = bound.map_or(Duration::MAX, |_| SHORT_LOOK);
            let cancel = || clock.past_half() || clock.elapsed() >= most;
            let mut meter = Meter::with_cancel(clock.budget(), &cancel);
            let learned = learn(game, bound, self.accept_conjecture, &shelf, &mut meter);
            self.unlearned[index] = if learned.is_some() { None } else { Some(upto) };
            if let Some(lawful) = learned {
                solver.know(index, Box::new(lawful));
            }
        }
    }
}
