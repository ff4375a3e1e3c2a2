//! The engine that answers nothing: while an input is drawn, no game is asked.

use grundy::outcome::{Evidence, Outcome};
use grundy_rules::moves::Move;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;

use super::Engine;
use crate::failure::{Failure, Mistake};
use crate::value::{Sum, Which};

/// Keeps games, and refuses all questions.
#[derive(Default)]
pub(crate) struct Refusing<'g> {
    games: Vec<&'g Ruleset>,
}

fn refuse<T>() -> Result<T, Failure> {
    Err(Mistake::Game.into())
}

impl<'g> Engine<'g> for Refusing<'g> {
    fn add(&mut self, rules: &'g Ruleset) -> usize {
        self.games.push(rules);
        self.games.len() - 1
    }

    fn rules(&self, game: usize) -> &'g Ruleset {
        self.games[game]
    }

    fn outcome(&mut self, _: &Sum, _: &mut Meter) -> Result<Outcome, Failure> {
        refuse()
    }

    fn value(&mut self, _: &Sum, _: &mut Meter) -> Result<BigUint, Failure> {
        refuse()
    }

    fn count(&mut self, _: &Sum, _: Which, _: &mut Meter) -> Result<BigUint, Failure> {
        refuse()
    }

    fn first(&mut self, _: &Sum, _: Which, _: &mut Meter) -> Result<Option<Move>, Failure> {
        refuse()
    }

    fn least(&mut self, _: &Sum, _: Which, _: &mut Meter) -> Result<Option<Move>, Failure> {
        refuse()
    }

    fn list(&mut self, _: &Sum, _: Which, _: usize, _: &mut Meter) -> Result<Vec<Move>, Failure> {
        refuse()
    }

    fn plays(&mut self, _: &Sum, _: &mut Meter) -> Result<Option<u64>, Failure> {
        refuse()
    }

    fn evidence(&self) -> Vec<(usize, Evidence)> {
        Vec::new()
    }
}
