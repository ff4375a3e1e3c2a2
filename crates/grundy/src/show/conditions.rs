//! The conditions under which the theory of impartial games applies as it stands.

use grundy_rules::Ruleset;
use grundy_rules::ruleset::Play;

use super::Ends;
use crate::oracle::has_independent_components;

/// Something that the theory asks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Two players move in turn.
    TwoPlayers,
    /// Both have the same moves.
    SameMoves,
    /// Every play ends.
    Finite,
    /// Nothing is drawn by chance.
    NoChance,
    /// Both see everything.
    NothingHidden,
    /// The components of a sum do not touch each other.
    Independent,
}

/// What follows from the conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Grundy values decide every sum.
    Values,
    /// Values are nimbers or loopy, and decide every sum.
    LoopyValues,
    /// If every play ends, Grundy values decide every sum; what is asked is tried.
    ValuesIfFinite,
    /// Whole positions have outcomes.
    Outcomes,
    /// Who wins depends on who begins and who is who.
    Classes,
    /// Probabilities.
    Probabilities,
}

/// Whether each condition holds, as far as that is known, and what follows.
pub fn conditions(ruleset: &Ruleset, ends: &Ends) -> ([(Condition, Option<bool>); 6], Follows) {
    let is_fair = ruleset.moves.iter().all(|rule| rule.player.is_none());
    let is_finite = match ends {
        Ends::Always(_) => Some(true),
        Ends::Cycle(_) => Some(false),
        Ends::NotShown => None,
    };
    let is_certain = ruleset.chances.is_empty();
    let is_independent = has_independent_components(ruleset).is_ok();
    let follows = match (is_certain, is_fair, is_finite) {
        (false, ..) => Follows::Probabilities,
        (true, false, _) => Follows::Classes,
        _ if !is_independent || ruleset.play == Play::Misere => Follows::Outcomes,
        (true, true, Some(true)) => Follows::Values,
        (true, true, Some(false)) => Follows::LoopyValues,
        (true, true, None) => Follows::ValuesIfFinite,
    };
    let conditions = [
        (Condition::TwoPlayers, Some(true)),
        (Condition::SameMoves, Some(is_fair)),
        (Condition::Finite, is_finite),
        (Condition::NoChance, Some(is_certain)),
        (Condition::NothingHidden, Some(true)),
        (Condition::Independent, Some(is_independent)),
    ];
    (conditions, follows)
}
