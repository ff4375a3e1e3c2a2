//! The engine that knows the definitions and nothing else.

use std::collections::HashMap;

use grundy::nimber::{Nimber, nim_sum};
use grundy::oracle::{Oracle, outcome_of_moves};
use grundy::outcome::{Evidence, Outcome};
use grundy::solve::{Part, after};
use grundy_rules::moves::Move;
use grundy_rules::{Meter, Position, Ruleset};
use num_bigint::BigUint;

use super::search::{self, Lengths, all_moves};
use super::{Engine, check_sum, check_values, have_values, leaves_less};
use crate::failure::{Failure, Open};
use crate::value::{Sum, Which};

/// Answers by the oracle alone: every position that can be reached is examined.
#[derive(Default)]
pub struct Exhaustive<'g> {
    games: Vec<&'g Ruleset>,
    oracles: Vec<Oracle<'g>>,
    asked: Vec<bool>,
    /// Sums of several games that values do not decide.
    outcomes: HashMap<Vec<Part>, Outcome>,
    lengths: Lengths,
}

impl<'g> Exhaustive<'g> {
    fn games_of(&mut self, sum: &Sum) -> Vec<&'g Ruleset> {
        for game in &sum.games {
            self.asked[*game] = true;
        }
        sum.games.iter().map(|game| self.games[*game]).collect()
    }

    fn moves(&mut self, sum: &Sum, which: Which, meter: &mut Meter) -> Result<Vec<Move>, Failure> {
        check_sum(&self.games_of(sum))?;
        let all = all_moves(&self.games, &sum.parts, meter)?;
        if which == Which::All {
            return Ok(all);
        }
        let wanted = match self.outcome(sum, meter)? {
            Outcome::P => return Ok(Vec::new()),
            Outcome::N => Outcome::P,
            Outcome::Draw => Outcome::Draw,
        };
        let mut winning = Vec::new();
        for next in all {
            let mut left = sum.clone();
            left.parts = after(&sum.parts, &next);
            if self.outcome(&left, meter)? == wanted {
                winning.push(next);
            }
        }
        Ok(winning)
    }
}

impl<'g> Engine<'g> for Exhaustive<'g> {
    fn add(&mut self, rules: &'g Ruleset) -> usize {
        self.games.push(rules);
        self.oracles.push(Oracle::new(rules));
        self.asked.push(false);
        self.games.len() - 1
    }

    fn rules(&self, game: usize) -> &'g Ruleset {
        self.games[game]
    }

    fn outcome(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Outcome, Failure> {
        let games = self.games_of(sum);
        check_sum(&games)?;
        if have_values(&games) {
            let value = self.value(sum, meter)?;
            return Ok(if value == BigUint::ZERO {
                Outcome::P
            } else {
                Outcome::N
            });
        }
        let (Some(first), all) = (sum.games.first(), sum.parts.iter()) else {
            return Ok(Outcome::P);
        };
        if sum.games.len() == 1 {
            let position = Position(all.map(|part| part.component.clone()).collect());
            return Ok(self.oracles[*first].outcome(&position, meter)?);
        }
        let ended = search::ended_by_play(&games);
        let mut of = |_: &[Part], after: &[Outcome], _: &mut Meter| {
            Ok(if after.is_empty() {
                ended
            } else {
                outcome_of_moves(after.iter().copied())
            })
        };
        let known = &mut self.outcomes;
        search::evaluate(&self.games, &sum.parts, known, &mut of, meter)
    }

    fn value(&mut self, sum: &Sum, meter: &mut Meter) -> Result<BigUint, Failure> {
        check_values(&self.games_of(sum))?;
        let mut values = Vec::with_capacity(sum.parts.len());
        for part in &sum.parts {
            let value = self.oracles[part.game].grundy_value(&part.component, meter)?;
            values.push(Nimber::from(value));
        }
        Ok(nim_sum(values).0)
    }

    fn count(&mut self, sum: &Sum, which: Which, meter: &mut Meter) -> Result<BigUint, Failure> {
        Ok(self.moves(sum, which, meter)?.len().into())
    }

    fn first(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        Ok(self.moves(sum, which, meter)?.into_iter().next())
    }

    fn least(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        let all = self.moves(sum, which, meter)?;
        let less = |a: Move, b: Move| {
            if leaves_less(&sum.parts, &b, &a) {
                b
            } else {
                a
            }
        };
        Ok(all.into_iter().reduce(less))
    }

    fn list(
        &mut self,
        sum: &Sum,
        which: Which,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Failure> {
        let all = self.moves(sum, which, meter)?;
        if all.len() > most {
            return Err(Open::ManyMoves.into());
        }
        Ok(all)
    }

    fn plays(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Option<u64>, Failure> {
        let games = self.games_of(sum);
        check_sum(&games)?;
        self.lengths.plays(&self.games, sum, meter)
    }

    fn evidence(&self) -> Vec<(usize, Evidence)> {
        let asked = self.asked.iter().enumerate().filter(|(_, asked)| **asked);
        asked
            .map(|(game, _)| (game, Evidence::Exhaustive { upto: None }))
            .collect()
    }
}
