//! Games whose values are a formula.

use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::BigUint;

use super::Game;
use crate::answer::{Knowledge, MoveSet, Reason};
use crate::outcome::Evidence;
use crate::shape::KnownRules;

/// A theorem that gives values in normal play.
pub(super) struct Formula<'g> {
    pub ruleset: &'g Ruleset,
    pub citation: &'static str,
    pub value: fn(&Component) -> Option<BigUint>,
    pub reason: Told,
    /// The moves to a value, where they are known without trying all.
    pub moves: Option<MovesTo>,
}

/// How the value of a component follows, where the statement does not say all.
pub(super) type Told = fn(&Component) -> Option<Reason>;

/// The moves of a component to options of some value.
pub(super) type MovesTo = for<'k> fn(
    &'k Ruleset,
    &Component,
    &BigUint,
    &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit>;

impl Knowledge for Formula<'_> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: self.citation.to_owned(),
        }
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        (self.reason)(component)
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        (self.value)(component)
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        match self.moves {
            Some(moves) => moves(self.ruleset, component, target, meter),
            None => Ok(None),
        }
    }
}

/// What is known about rules that are those of a text.
pub(super) fn valued<'g>(
    game: &Game<'g, '_>,
    rules: &KnownRules,
    citation: &'static str,
    (value, reason): (fn(&Component) -> Option<BigUint>, Told),
    moves: Option<MovesTo>,
) -> Option<Box<dyn Knowledge + 'g>> {
    let same = game.written.play() == Play::Normal && game.written.is(rules);
    same.then(|| {
        Box::new(Formula {
            ruleset: game.ruleset(),
            citation,
            value,
            reason,
            moves,
        }) as Box<dyn Knowledge>
    })
}
