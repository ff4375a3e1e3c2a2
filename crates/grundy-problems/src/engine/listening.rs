//! An engine that remembers what it was asked.

use grundy::outcome::{Evidence, Outcome};
use grundy_rules::moves::Move;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use super::Engine;
use crate::failure::Failure;
use crate::value::{Sum, Which};

/// Lets another engine answer, and keeps the first sums that were asked about.
pub struct Listening<E> {
    engine: E,
    heard: Vec<Sum>,
}

/// How many sums are kept.
const MOST: usize = 64;
/// Larger sums are not kept.
const MOST_PARTS: usize = 64;

impl<E> Listening<E> {
    /// Nothing was asked yet.
    pub fn new(engine: E) -> Self {
        Self {
            engine,
            heard: Vec::new(),
        }
    }

    /// The sums that were asked about since the last call, each once.
    pub fn heard(&mut self) -> Vec<Sum> {
        std::mem::take(&mut self.heard)
    }

    fn hear(&mut self, sum: &Sum) {
        let is_new = |heard: &[Sum]| {
            let same = |other: &Sum| other.games == sum.games && other.parts == sum.parts;
            !heard.iter().any(same)
        };
        if self.heard.len() < MOST && sum.parts.len() <= MOST_PARTS && is_new(&self.heard) {
            self.heard.push(sum.clone());
        }
    }
}

impl<'g, E: Engine<'g>> Engine<'g> for Listening<E> {
    fn add(&mut self, rules: &'g Ruleset) -> usize {
        self.engine.add(rules)
    }

    fn rules(&self, game: usize) -> &'g Ruleset {
        self.engine.rules(game)
    }

    fn outcome(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Outcome, Failure> {
        self.hear(sum);
        self.engine.outcome(sum, meter)
    }

    fn value(&mut self, sum: &Sum, meter: &mut Meter) -> Result<BigUint, Failure> {
        self.hear(sum);
        self.engine.value(sum, meter)
    }

    fn count(&mut self, sum: &Sum, which: Which, meter: &mut Meter) -> Result<BigUint, Failure> {
        self.hear(sum);
        self.engine.count(sum, which, meter)
    }

    fn first(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        self.hear(sum);
        self.engine.first(sum, which, meter)
    }

    fn least(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        self.hear(sum);
        self.engine.least(sum, which, meter)
    }

    fn list(
        &mut self,
        sum: &Sum,
        which: Which,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Failure> {
        self.hear(sum);
        self.engine.list(sum, which, most, meter)
    }

    fn plays(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Option<u64>, Failure> {
        self.hear(sum);
        self.engine.plays(sum, meter)
    }

    fn count_lost(
        &mut self,
        game: usize,
        from: &BigUint,
        to: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Failure> {
        self.engine.count_lost(game, from, to, meter)
    }

    fn evidence(&self) -> Vec<(usize, Evidence)> {
        self.engine.evidence()
    }
}
