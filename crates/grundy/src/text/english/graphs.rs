//! Answers about games in which play need not end, players differ, or chance moves.

use grundy_graphs::unfair::Class;
use grundy_rules::ruleset::{Player, Ruleset};
use num_bigint::BigInt;

use crate::graph::{Answer, Place, Prospect, Turn};
use crate::outcome::Outcome;
use crate::solve::{Part, Solver};

use super::answers::{a_move, components};

/// How a sum was solved in which play need not end, and what is known of it besides who wins.
pub fn cycle_notes(solver: &Solver, sum: &[Part]) -> Vec<String> {
    if !solver.has_cycles() {
        return Vec::new();
    }
    let mut notes = vec![
        "play need not end: solved backwards from where it ends; a play that never ends is a draw"
            .to_owned(),
    ];
    if let Some(moves) = solver.moves_to_end(sum) {
        notes.push(match moves {
            0 => "play is over".to_owned(),
            1 => "play ends after one move".to_owned(),
            moves => {
                format!("play ends after {moves} moves if the winner hurries and the loser delays")
            }
        });
    }
    if let Some(options) = solver.loopy_value(sum) {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        notes.push(format!(
            "loopy value ∞{{{}}}: beside other games it is won if their nim-sum is one of these, and drawn otherwise \
             (Smith 1966, Fraenkel and Perl 1975)",
            options.join(",")
        ));
    }
    notes
}

/// How a game was solved whose players have different moves, or in which chance moves.
pub fn general_solver(answer: &Answer) -> &'static str {
    if answer
        .turns
        .iter()
        .any(|turn| matches!(turn.prospect, Prospect::Probability(_)))
    {
        "chance moves: exact probabilities, each from those of all positions that can be reached"
    } else {
        "the players have different moves: solved backwards from where play ends, for each player to move"
    }
}

/// Who wins, as lines: one for each turn, each with its best moves.
pub fn general(games: &[Ruleset], sum: &[Part], answer: &Answer) -> Vec<(String, Vec<String>)> {
    let mut lines = Vec::new();
    if let Some(class) = answer.class {
        let line = match class {
            Class::L => "class L: Left wins, whoever begins",
            Class::R => "class R: Right wins, whoever begins",
            Class::N => "class N: whoever begins wins",
            Class::P => "class P: whoever begins loses",
        };
        lines.push((line.to_owned(), Vec::new()));
    }
    for turn in &answer.turns {
        let best = turn.best.listed.iter();
        let mut moves: Vec<String> = best.map(|next| a_move(games, sum, next)).collect();
        if let Some(count) = &turn.best.count {
            let listed = moves.len().into();
            if *count > listed && !moves.is_empty() {
                moves.push(format!("and {} more", count - listed));
            }
        }
        lines.push((turn_line(turn), moves));
    }
    lines
}

fn turn_line(turn: &Turn) -> String {
    let name = |player| match player {
        Player::Left => "Left",
        Player::Right => "Right",
    };
    let (who, other, begins) = match turn.mover {
        None => ("the player to move", "the other player", String::new()),
        Some(player @ Player::Left) => ("Left", "Right", format!("if {} begins, ", name(player))),
        Some(player @ Player::Right) => ("Right", "Left", format!("if {} begins, ", name(player))),
    };
    let drawn = match drawn(&turn.drawn) {
        None => String::new(),
        Some(drawn) => format!("{drawn}: "),
    };
    let moves = match turn.moves_to_end {
        None => String::new(),
        Some(0) => ": play is over".to_owned(),
        Some(1) => ", with one move".to_owned(),
        Some(moves) => format!(", after {moves} moves under best play"),
    };
    let what = match &turn.prospect {
        Prospect::Outcome(Outcome::N) => format!("{who} wins{moves}"),
        Prospect::Outcome(Outcome::P) => format!("{other} wins{moves}"),
        Prospect::Outcome(Outcome::Draw) => "nobody can force a win: a draw".to_owned(),
        Prospect::Probability(win) => format!("{who} wins with probability {win}"),
    };
    format!("{drawn}{begins}{what}")
}

/// What chance has drawn, if anything.
fn drawn(drawn: &[(String, BigInt)]) -> Option<String> {
    let drawn: Vec<String> = drawn
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    (!drawn.is_empty()).then(|| format!("with {}", drawn.join(", ")))
}

/// A position on a graph of all positions, with what chance has drawn.
pub fn place(games: &[Ruleset], place: &Place) -> String {
    let position = components(games, &place.sum);
    match drawn(&place.drawn) {
        None => position,
        Some(drawn) => format!("{position} {drawn}"),
    }
}
