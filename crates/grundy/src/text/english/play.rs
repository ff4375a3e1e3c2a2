//! A game being played in the terminal.

use grundy_rules::Limit;
use grundy_rules::moves::Move;
use grundy_rules::ruleset::{EndingResult, Play, Ruleset};
use num_bigint::BigUint;

use super::{Reached, a_move, argument_fault, component, evidence, undecided};
use crate::outcome::{Evidence, Outcome};
use crate::play::{Choice, MoveFault, Over, Why};
use crate::solve::{Answer, Part};

/// What the person can write.
pub const PLAY_HELP: &str = "\
A move, in one of these forms:
  heap 2 (7): take, leaving 3     as answers write moves; `heap 2 leaving 3` says the same
  heap 2 into 1 + 6               what a heap is split into
  heap 2: split a=1               the choices that the rules name
  3 4 1 6                         the position that it leads to
  5                               the number of a move that `moves` listed
  #5, = 5                         the number, or the position, where both are possible
Or:
  moves       the moves there are, or some of them     hint    who wins, and by which move
  position    the position again                       undo    take your last move back
  rules       what the moves are                       help    this text
  quit        end (so does the end of the input)";

/// What the prompt looks like.
pub const PROMPT: &str = "> ";

/// Who begins.
pub fn play_begins(person: bool) -> &'static str {
    if person {
        "You move first; `help` says what you can write."
    } else {
        "grundy moves first; `help` says what you can write."
    }
}

/// That there is no move of the person's to take back.
pub const NOTHING_TO_UNDO: &str = "There is no move of yours to take back.";

/// That nothing can be played any more.
pub const PLAY_IS_OVER: &str = "The game is over; `undo` takes your last move back, `quit` ends.";

/// That play cannot read its position where it reads its moves.
pub const POSITION_FROM_INPUT: &str = "the moves are read from the standard input, so the position cannot be\nhint: write the position behind the game, or @FILE";

/// What was taken back.
pub fn undone(moves: usize) -> String {
    match moves {
        1 => "Your last move is taken back.".to_owned(),
        _ => "Your last move and its answer are taken back.".to_owned(),
    }
}

/// A move that was played.
pub fn played(person: bool, games: &[Ruleset], before: &[Part], next: &Move) -> String {
    let who = if person { "You" } else { "grundy" };
    format!("{who}: {}", a_move(games, before, next))
}

/// What is known about the program's own move; how, only where that was not said before.
pub fn why(
    why: &Why,
    is_news: bool,
    games: &[Ruleset],
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let known = |text: &str, known: &Evidence| {
        if is_news {
            format!("{text}: {}", evidence(known))
        } else {
            text.to_owned()
        }
    };
    match why {
        Why::Wins(how) => known("this wins", how),
        Why::Draws(how) => known("this keeps the draw; nothing wins", how),
        Why::Lost(how) => known(
            "grundy is lost here: every move loses if you answer right",
            how,
        ),
        Why::Unknown(why) => format!(
            "only some move: who wins is {}",
            undecided(games, why, reached)
        ),
        Why::Overlooked(how) => known(
            "only some move: one wins, but it was not found within the limits",
            how,
        ),
    }
}

/// How play is over, where the person or the program would be about to move.
pub fn over(over: Over, person_to_move: bool) -> String {
    let why = match over {
        Over::NoMove(Play::Normal) => "No move is left",
        Over::NoMove(Play::Misere) => "No move is left, and whoever moved last loses",
        Over::Ended(EndingResult::Won | EndingResult::Lost | EndingResult::Draw) => {
            "The rules end the game here"
        }
    };
    let result = match over.has_won() {
        None => "nobody wins",
        Some(won) if won == person_to_move => "you win",
        Some(_) => "grundy wins",
    };
    format!("{why}: {result}.")
}

/// The moves that can be chosen from, numbered; at most `limit` of them.
pub fn choice(games: &[Ruleset], sum: &[Part], choice: &Choice, limit: usize) -> Vec<String> {
    let shown = choice.moves.iter().take(limit).enumerate();
    let mut lines: Vec<String> = shown
        .map(|(index, next)| format!("{:>4}  {}", index + 1, a_move(games, sum, next)))
        .collect();
    let left = choice.moves.len().saturating_sub(limit);
    if !choice.complete {
        lines.push("      and others; any move can be written out".to_owned());
    } else if left > 0 {
        lines.push(format!("      and {left} more"));
    }
    lines
}

/// Who wins for the person about to move, and by which moves; in a lost position `hard` is one that is hard
/// to answer.
pub fn hint(
    games: &[Ruleset],
    sum: &[Part],
    answer: &Answer,
    hard: Option<&Move>,
    reached: &dyn Fn(Limit) -> Reached,
) -> Vec<String> {
    let how = evidence(&answer.evidence);
    let verdict = match answer.outcome {
        Outcome::N => "You can win",
        Outcome::P => "You are lost: every move loses if grundy answers right",
        Outcome::Draw => "Nobody can win against perfect play",
    };
    let mut lines = vec![format!("{verdict}: {how}")];
    match &answer.moves {
        Err(why) => lines.push(format!(
            "the winning moves are {}",
            undecided(games, why, reached)
        )),
        Ok(best) => {
            for next in &best.listed {
                lines.push(format!("  {}", a_move(games, sum, next)));
            }
            let shown = BigUint::from(best.listed.len());
            if let Some(count) = best.count.as_ref().filter(|count| **count > shown) {
                lines.push(format!("  and {} more", count - shown));
            }
        }
    }
    if let Some(next) = hard {
        lines.push("hard to answer:".to_owned());
        lines.push(format!("  {}", a_move(games, sum, next)));
    }
    lines
}

/// Why a text is no move, and what would be one.
pub fn move_fault(
    fault: &MoveFault,
    games: &[Ruleset],
    sum: &[Part],
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let offered = |text: String, moves: &[Move]| {
        let mut lines = vec![text];
        if !moves.is_empty() {
            lines.push("moves there are, for example:".to_owned());
        }
        lines.extend(
            moves
                .iter()
                .map(|next| format!("  {}", a_move(games, sum, next))),
        );
        lines.join("\n")
    };
    match fault {
        MoveFault::Argument(fault) => format!(
            "{}\na move is the position it leads to, or such as `heap 1 leaving 3`; `help` tells more",
            argument_fault(fault, false)
        ),
        MoveFault::NotListed { listed: 0 } => "no moves are listed; `moves` lists them".to_owned(),
        MoveFault::NotListed { listed } => format!("the moves listed are 1 to {listed}"),
        MoveFault::NoComponent { number, components } if number.is_empty() => {
            format!("behind `heap` stands its number, from 1 to {components}")
        }
        MoveFault::NoComponent { number, components } => {
            format!("there is no component {number}; they are 1 to {components}")
        }
        MoveFault::NotFrom { component: index } => {
            let part = &sum[*index];
            format!(
                "component {} is {}",
                index + 1,
                component(&games[part.game], &part.component)
            )
        }
        MoveFault::NoMove {
            component: index,
            label,
            instead,
        } => {
            let label = label
                .as_ref()
                .map_or(String::new(), |label| format!(" `{label}`"));
            offered(
                format!(
                    "component {} has no move{label} that leaves this",
                    index + 1
                ),
                instead,
            )
        }
        MoveFault::Chosen {
            component: index,
            label,
            found,
            instead,
        } => {
            let label = label
                .as_ref()
                .map_or(String::new(), |label| format!(" `{label}`"));
            let moves = match found {
                0 => "no move".to_owned(),
                found => format!("{found} moves"),
            };
            let fault = format!(
                "component {} has {moves}{label} with these choices",
                index + 1
            );
            offered(fault, instead)
        }
        MoveFault::NotReached { instead } => {
            offered("no single move leads there".to_owned(), instead)
        }
        MoveFault::TwoReadings {
            number,
            listed,
            reaching,
        } => format!(
            "{number} can be two moves:\n  #{number}   {}\n  = {number}  {}",
            a_move(games, sum, listed),
            a_move(games, sum, reaching)
        ),
        MoveFault::Unfinished => {
            "what the component becomes is missing: `heap 2 leaving 3`, `heap 2 into 1 + 6`, \
             `heap 2 leaving nothing`"
                .to_owned()
        }
        MoveFault::Limit(limit) => format!(
            "whether this is a move is {}",
            undecided(games, &(*limit).into(), reached)
        ),
    }
}
