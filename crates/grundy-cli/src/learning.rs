//! Learning the laws of the games that a question is about, before it is answered.

use std::time::Duration;

use grundy::answer::learn::{learn, learn_of};
use grundy::discover::Scope;
use grundy::oracle::has_values;
use grundy::solve::{Part, Solver};
use grundy_rules::options::numbers;
use grundy_rules::{Component, Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::cache::Cache;
use crate::limits::Clock;

/// The least heap up to which a law is looked for.
const LEAST_LOOK: u64 = 5_000;
/// How long a law is looked for where the heaps are small.
const SHORT_LOOK: Duration = Duration::from_secs(2);
/// Positions of so many bits are searched soon.
const SEARCHED_BITS: u64 = 14;
/// From here on the limits on time and memory alone say how far to look.
const MOST_LOOK: u64 = 1_000_000;

/// Which laws were learned, and how far others were looked for.
pub struct Learning<'a> {
    games: &'a [Ruleset],
    /// For each game, up to which heap a law was looked for in vain; `None` where no law need be
    /// looked for any more.
    unlearned: Vec<Option<u64>>,
    /// The kinds of positions of which automata were asked.
    tried: Vec<(usize, Scope)>,
    accept_conjecture: bool,
    no_cache: bool,
}

impl<'a> Learning<'a> {
    /// Nothing learned yet.
    pub fn new(games: &'a [Ruleset], accept_conjecture: bool, no_cache: bool) -> Self {
        Self {
            games,
            unlearned: vec![Some(0); games.len()],
            tried: Vec::new(),
            accept_conjecture,
            no_cache,
        }
    }

    /// Learns what automata can tell of positions that are too large to be searched.
    fn learn_positions(
        &mut self,
        solver: &mut Solver<'a>,
        index: usize,
        components: &[&Component],
        shelf: &Cache,
        clock: &Clock,
    ) {
        let game = &self.games[index];
        let numbers: Option<Vec<Vec<&BigUint>>> =
            components.iter().map(|part| numbers(part)).collect();
        let Some(numbers) = numbers.filter(|_| !solver.has_published(index)) else {
            return;
        };
        let places = numbers.iter().flatten().map(|n| n.bits()).sum::<u64>();
        let Some(coordinates) = numbers.first().map(Vec::len) else {
            return;
        };
        if places <= SEARCHED_BITS || numbers.iter().any(|part| part.len() != coordinates) {
            return;
        }
        // Where values decide sums, one component is enough.
        let components = if has_values(game).is_ok() {
            1
        } else {
            numbers.len()
        };
        let scope = Scope {
            coordinates,
            components,
        };
        if self.tried.contains(&(index, scope)) {
            return;
        }
        self.tried.push((index, scope));
        let cancel = || clock.past_half();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        if let Some(lawful) = learn_of(game, scope, shelf, &mut meter) {
            solver.know(index, Box::new(lawful));
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
            let heaps = parts.clone().filter_map(|part| part.component.as_heap());
            let Some(largest) = heaps.max() else {
                let components: Vec<&Component> = parts.map(|part| &part.component).collect();
                self.learn_positions(solver, index, &components, &shelf, clock);
                continue;
            };
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
