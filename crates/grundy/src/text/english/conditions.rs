//! Whether the theory of impartial games applies, line by line.

use grundy_rules::Ruleset;

use crate::show::{Condition, Facts, Follows, conditions};

/// The conditions of the theory, each with whether it holds, and what follows.
pub(super) fn checks(ruleset: &Ruleset, facts: &Facts) -> Vec<String> {
    let (conditions, follows) = conditions(ruleset, &facts.ends);
    let mut lines: Vec<String> = conditions
        .iter()
        .map(|(condition, holds)| {
            let holds = match holds {
                Some(true) => "yes",
                Some(false) => "no",
                None => "not shown",
            };
            format!("{}: {holds}", name(*condition))
        })
        .collect();
    lines.push(consequence(follows).to_owned());
    lines
}

fn name(condition: Condition) -> &'static str {
    match condition {
        Condition::TwoPlayers => "two players in turn",
        Condition::SameMoves => "the same moves for both",
        Condition::Finite => "every play ends",
        Condition::NoChance => "no chance",
        Condition::NothingHidden => "nothing hidden",
        Condition::Independent => "components independent",
    }
}

fn consequence(follows: Follows) -> &'static str {
    match follows {
        Follows::Values => {
            "So every position has a Grundy value, and a sum is lost iff the nim-sum of its components' values is 0."
        }
        Follows::LoopyValues => {
            "So a component is worth a Grundy value or is loopy, and values still decide sums; a play without end is a draw."
        }
        Follows::ValuesIfFinite => {
            "So Grundy values decide sums wherever play ends; where it need not, a play without end is a draw."
        }
        Follows::Outcomes => {
            "So values of components do not decide sums: whole positions are won, lost or drawn."
        }
        Follows::Classes => {
            "So there are no Grundy values: a position is won by Left, by Right, by whoever begins, or by the other \
             player (L, R, N, P)."
        }
        Follows::Probabilities => {
            "So there are no Grundy values: the player to move wins with a probability, which is given exactly."
        }
    }
}
