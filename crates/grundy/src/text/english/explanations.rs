//! Why a position is won or lost, in sentences and tables.

use grundy_rules::moves::ComponentChange;
use grundy_rules::ruleset::{EndingResult, Ruleset};
use num_bigint::BigUint;

use super::answers::{
    a_move, component, evidence, move_alone, move_of, no_values, placed, question, verdict,
};
use super::{law, reasons, sections};
use crate::answer::{Reason, Statement};
use crate::argument;
use crate::explain::{
    Answered, Explanation, Ground, Kind, Mex, NimSum, Played, Replies, Target, Verdict, View,
};
use crate::nimber::Nimber;
use crate::outcome::Outcome;
use crate::solve::Part;
use crate::text::document::{Block, Grid, GridRow, Table};

/// The most binary digits that are written out.
const MOST_DIGITS: u64 = 128;

/// A number in binary.
pub(super) fn digits(n: &BigUint) -> String {
    if n.bits() > MOST_DIGITS {
        format!("a number of {} digits", n.bits())
    } else {
        n.to_str_radix(2)
    }
}

/// An explanation as a text in blocks.
pub fn explanation(games: &[Ruleset], explanation: &Explanation) -> Vec<Block> {
    let sum = &explanation.view.sum;
    let answer = &explanation.answer;
    let mut blocks = vec![
        Block::Title(question(games, sum)),
        Block::Verdict(answer.outcome, verdict(answer)),
    ];
    blocks.push(Block::Heading("What is used".to_owned()));
    blocks.push(Block::Items(grounds(games, explanation)));
    let teller = Teller { games };
    let by_value = explanation.view.reason.is_none() && explanation.view.nim_sum.is_some();
    let why = if by_value { "Values" } else { "Why" };
    let view = teller.view(&explanation.view);
    if !view.is_empty() {
        blocks.push(Block::Heading(why.to_owned()));
        blocks.extend(view);
    }
    for mex in &explanation.mexes {
        blocks.extend(teller.mex(mex));
    }
    if let Some(played) = &explanation.played {
        blocks.extend(teller.played(explanation, played));
    }
    if let Some(replies) = &explanation.replies {
        blocks.extend(teller.replies(&explanation.view, replies));
    }
    let moves = answer.moves.as_ref().ok();
    let none = moves.is_some_and(|best| best.count == Some(BigUint::default()));
    if none && answer.outcome == Outcome::N && explanation.view.ended.is_none() {
        blocks.push(Block::Text(MISERE_END.to_owned()));
    }
    if answer.moves.is_err() && explanation.played.is_none() {
        blocks.push(Block::Text(
            "The winning moves were not found within the limits.".to_owned(),
        ));
    }
    blocks
}

fn grounds(games: &[Ruleset], explanation: &Explanation) -> Vec<String> {
    let several = games.len() > 1;
    let mut items: Vec<String> = explanation
        .grounds
        .iter()
        .map(|ground| {
            let text = a_ground(ground);
            if several {
                format!("{}: {text}", argument::name(&games[ground.game]))
            } else {
                text
            }
        })
        .collect();
    let searched = explanation
        .grounds
        .iter()
        .any(|ground| ground.statement.is_none());
    match &explanation.answer.value {
        _ if explanation.view.ended.is_some() => {}
        Err(reason) if searched => {
            items.push(format!("{}, so who wins is asked of whole positions: one is lost for the \
                player to move iff every move leaves a won one", no_values(*reason)));
        }
        Err(_) => {}
        Ok(_) if explanation.view.nim_sum.is_none() => {}
        Ok(_) => items.push(
            "the value of a component is the least number that none of its options has (mex); a sum is worth \
             the nim-sum of its components, and is lost for the player to move iff that is 0 (Sprague 1935, Grundy 1939)"
                .to_owned(),
        ),
    }
    items
}

fn a_ground(ground: &Ground) -> String {
    let known = evidence(&ground.evidence);
    match &ground.statement {
        Some(stated) => format!("{}; {known}", statement(stated)),
        None => known,
    }
}

/// What is known about a game at every size.
pub fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Law(stated) => law(stated),
        Statement::Sections(stated) => sections(stated),
        Statement::Theorem { name, statement } => format!("{name}: {statement}"),
    }
}

/// How the value of a component follows.
pub fn reason_of_value(reason: &Reason, value: &Nimber) -> String {
    reasons::of_value(reason, value)
}

/// How the outcome of a whole position follows, in sentences.
pub fn reason_of_outcome(reason: &Reason, outcome: Outcome) -> String {
    let blocks = reasons::of_outcome(reason, outcome);
    let sentences = blocks.into_iter().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// Tells of positions of some games.
struct Teller<'g> {
    games: &'g [Ruleset],
}

impl Teller<'_> {
    fn placed(&self, part: &Part, place: usize) -> String {
        let text = placed(&self.games[part.game], place, &part.component);
        if self.games.len() > 1 {
            format!("{text} of {}", argument::name(&self.games[part.game]))
        } else {
            text
        }
    }

    fn kind(&self, kind: &Kind) -> String {
        let name = self.placed(&kind.part, kind.place);
        match kind.count {
            1 => name,
            count => format!("{name}, {count} times"),
        }
    }

    /// How the outcome of a position follows.
    fn view(&self, view: &View) -> Vec<Block> {
        if let Some(result) = view.ended {
            return vec![Block::Text(ended(result).to_owned())];
        }
        let mut blocks = Vec::new();
        if let Some(nim_sum) = &view.nim_sum {
            let items = nim_sum.kinds.iter().map(|kind| {
                let why = match &kind.reason {
                    Some(reason) => reasons::of_value(reason, &kind.value),
                    None => format!("its value is {}", kind.value),
                };
                format!("{}: {why}", self.kind(kind))
            });
            let mut items: Vec<String> = items.collect();
            if let Some(others) = &nim_sum.others {
                items.push(format!(
                    "{} more components, whose nim-sum is {}",
                    others.count, others.value
                ));
            }
            if !items.is_empty() {
                blocks.push(Block::Items(items));
            }
            // In misère play values of 0 and 1 are counted, not added.
            let counted = |kind: &Kind| view.reason.is_some() && kind.value.0.bits() <= 1;
            if !nim_sum.kinds.iter().all(counted) {
                blocks.extend(self.grid(nim_sum));
            }
        }
        match (&view.reason, &view.nim_sum) {
            (Some(reason), _) => blocks.extend(reasons::of_outcome(reason, view.outcome)),
            (None, Some(nim_sum)) => blocks.push(Block::Text(concluded(nim_sum))),
            (None, None) => {}
        }
        blocks
    }

    /// The values in binary, with their nim-sum.
    fn grid(&self, nim_sum: &NimSum) -> Option<Block> {
        let others = nim_sum.others.as_ref();
        let odd = nim_sum.kinds.iter().filter(|kind| kind.count % 2 == 1);
        let mut numbers: Vec<(String, &Nimber)> = odd
            .map(|kind| (self.placed(&kind.part, kind.place), &kind.value))
            .collect();
        if let Some(others) = others {
            numbers.push((format!("{} more", others.count), &others.value));
        }
        let rows = nim_sum.kinds.iter().map(|kind| kind.count).sum::<usize>();
        let places = numbers.iter().map(|(_, value)| value.0.bits()).max()?;
        if rows + others.map_or(0, |others| others.count) < 2 || places > MOST_DIGITS {
            return None;
        }
        let row = |label: &str, value: &Nimber| GridRow {
            label: label.to_owned(),
            number: value.to_string(),
            cells: (0..places.max(1))
                .rev()
                .map(|place| u8::from(value.0.bit(place)).to_string())
                .collect(),
        };
        Some(Block::Grid(Grid {
            rows: numbers
                .iter()
                .map(|(label, value)| row(label, value))
                .collect(),
            results: vec![row("nim-sum", &nim_sum.total)],
        }))
    }

    fn mex(&self, mex: &Mex) -> Vec<Block> {
        let game = &self.games[mex.part.game];
        let left = |result: &Vec<grundy_rules::Component>| match result.as_slice() {
            [] => "nothing".to_owned(),
            parts => {
                let parts = parts.iter().map(|part| component(game, part));
                parts.collect::<Vec<_>>().join(" + ")
            }
        };
        let rows = mex.options.iter().map(|(value, results)| {
            let results: Vec<String> = results.iter().map(left).collect();
            vec![value.to_string(), results.join(", ")]
        });
        let values: Vec<String> = mex
            .options
            .iter()
            .map(|(value, _)| value.to_string())
            .collect();
        vec![
            Block::Heading(format!(
                "The value of {} worked out",
                self.placed(&mex.part, mex.place)
            )),
            Block::Table(Table {
                head: vec!["value".to_owned(), "options".to_owned()],
                rows: rows.collect(),
            }),
            Block::Text(format!(
                "The least number that is not in {{{}}} is {}.",
                values.join(", "),
                mex.value
            )),
        ]
    }

    fn played(&self, explanation: &Explanation, played: &Played) -> Vec<Block> {
        let sum = &explanation.view.sum;
        let text = a_move(self.games, sum, &played.next);
        let best = explanation.answer.moves.as_ref().ok();
        let count = best.and_then(|best| best.count.as_ref());
        let is_only = count.is_some_and(|count| *count == BigUint::from(1u8));
        let heading = match (played.is_chosen, played.verdict) {
            (false, Verdict::Wins) if is_only => format!("The winning move: {text}"),
            (false, Verdict::Wins) => format!("A winning move: {text}"),
            (false, _) => format!("A move that keeps the draw: {text}"),
            (true, _) => format!("The move: {text}"),
        };
        let mut blocks = vec![Block::Heading(heading)];
        blocks.push(Block::Text(Self::standing(explanation, played)));
        if let Some(target) = &played.target {
            blocks.push(Block::Text(aimed(target, sum.len())));
        }
        let after = &played.after;
        blocks.push(Block::Text(format!(
            "The position after it: {}.",
            question(self.games, &after.sum)
        )));
        match &after.nim_sum {
            Some(nim_sum) if after.reason.is_none() => {
                blocks.extend(self.grid(nim_sum));
            }
            _ => blocks.extend(self.view(after)),
        }
        if let Some(replies) = &played.replies {
            blocks.extend(self.no_answer(after, replies, played.verdict));
        }
        if let Some((reply, left)) = &played.punished {
            blocks.push(Block::Heading(format!(
                "The opponent answers {}",
                a_move(self.games, &after.sum, reply)
            )));
            blocks.push(Block::Text(format!(
                "That leaves {}.",
                question(self.games, &left.sum)
            )));
            match &left.nim_sum {
                Some(nim_sum) if left.reason.is_none() => {
                    blocks.extend(self.grid(nim_sum));
                    blocks.push(Block::Text(concluded(nim_sum)));
                }
                _ => blocks.extend(self.view(left)),
            }
        }
        blocks
    }

    /// What a move is among the moves of the position.
    fn standing(explanation: &Explanation, played: &Played) -> String {
        let best = explanation.answer.moves.as_ref().ok();
        let count = best.and_then(|best| best.count.as_ref());
        let outcome = explanation.answer.outcome;
        let one = count.is_some_and(|count| *count == BigUint::from(1u8));
        match (played.verdict, outcome) {
            (Verdict::Wins, _) => match count {
                Some(_) if one => "This wins, and no other move does.".to_owned(),
                Some(count) => format!("This wins, and so do {} other moves.", count - 1u8)
                    .replace("do 1 other moves", "does 1 other move"),
                None => "This wins.".to_owned(),
            },
            (Verdict::Draws, Outcome::Draw) => match count {
                Some(_) if one => "This keeps the draw, and no other move does.".to_owned(),
                Some(count) => {
                    format!("This is one of {count} moves that keep the draw; none wins.")
                }
                None => "This keeps the draw.".to_owned(),
            },
            (Verdict::Draws, _) => "This gives the win away for a draw.".to_owned(),
            (Verdict::Loses, Outcome::P) => "This loses, as every move does here.".to_owned(),
            (Verdict::Loses, Outcome::Draw) => "This loses where a draw was to be had.".to_owned(),
            (Verdict::Loses, Outcome::N) => "This loses.".to_owned(),
        }
    }

    /// Why the opponent has no good move.
    fn no_answer(&self, after: &View, replies: &Replies, verdict: Verdict) -> Vec<Block> {
        if replies.count == Some(BigUint::default()) {
            return vec![Block::Text(
                "No move is left there: the opponent has lost.".to_owned(),
            )];
        }
        let by_value = after.reason.is_none() && after.nim_sum.is_some();
        let mut blocks = Vec::new();
        if by_value {
            blocks.push(Block::Text(if after.sum.len() == 1 {
                "The value is 0, so no move from there leaves 0 again: the opponent has no good answer."
                    .to_owned()
            } else {
                "The nim-sum is 0. Each move changes the value of one component, so none leaves 0 again: \
                 the opponent has no good answer."
                    .to_owned()
            }));
        } else if verdict == Verdict::Wins && replies.listed.is_empty() {
            blocks.push(Block::Text(
                "Every move from there leaves a position that is won for the player to move."
                    .to_owned(),
            ));
        }
        if !replies.listed.is_empty() {
            let count = replies.listed.len();
            let what = match (count, verdict) {
                (1, _) => "The only move from there, and what is played then:".to_owned(),
                (_, Verdict::Wins) => {
                    format!("All {count} moves from there, and what wins then:")
                }
                _ => format!("All {count} moves from there, and what is played then:"),
            };
            blocks.push(Block::Text(what));
            blocks.push(self.table(after, replies));
        }
        blocks
    }

    fn replies(&self, view: &View, replies: &Replies) -> Vec<Block> {
        let heading = || Block::Heading("Every move has an answer".to_owned());
        let Some(count) = &replies.count else {
            return vec![
                heading(),
                Block::Text(
                    "There are too many moves to list; `--move` tells the answer to any of them."
                        .to_owned(),
                ),
            ];
        };
        if *count == BigUint::default() {
            let is_empty = view.sum.is_empty();
            return if is_empty {
                Vec::new()
            } else {
                vec![Block::Text("There is no move.".to_owned())]
            };
        }
        let mut blocks = vec![heading()];
        if view.reason.is_none() && view.nim_sum.is_some() {
            blocks.push(Block::Text(
                "A move changes the value of one component, so it leaves a nim-sum x that is not 0. Some \
                 component has a one in the highest place of x, and an option that is worth its own value xor x: that \
                 answer makes the nim-sum 0 again."
                    .to_owned(),
            ));
        }
        let listed = BigUint::from(replies.listed.len());
        blocks.push(Block::Text(if listed == *count {
            match replies.listed.len() {
                1 => "The only move:".to_owned(),
                count => format!("All {count} moves:"),
            }
        } else {
            format!("{listed} of the {count} moves:")
        }));
        blocks.push(self.table(view, replies));
        blocks
    }

    fn table(&self, view: &View, replies: &Replies) -> Block {
        let valued = replies
            .listed
            .iter()
            .all(|answered| answered.value.is_some());
        let mut head = vec!["move".to_owned()];
        if valued {
            let value = if view.sum.len() == 1 {
                "value left"
            } else {
                "nim-sum"
            };
            head.push(value.to_owned());
        }
        head.push("answer".to_owned());
        let row = |answered: &Answered| {
            let alone = view.sum.len() == 1;
            let text = match view.sum.as_slice() {
                [part] => move_alone(&self.games[part.game], &answered.next),
                sum => a_move(self.games, sum, &answered.next),
            };
            let changes = &answered.next.changes;
            let left = changes.iter().map(|change| change.to.len()).sum::<usize>();
            let mut row = vec![text];
            row.extend(
                answered
                    .value
                    .iter()
                    .filter(|_| valued)
                    .map(ToString::to_string),
            );
            row.push(self.answer(answered, alone && left == 1));
            row
        };
        Block::Table(Table {
            head,
            rows: replies.listed.iter().map(row).collect(),
        })
    }

    fn answer(&self, answered: &Answered, alone: bool) -> String {
        match (&answered.reply, answered.outcome) {
            (Some(reply), _) if alone => move_alone(&self.games[reply.games[0]], &reply.next),
            (Some(reply), _) => {
                let game = |change: &ComponentChange| {
                    let index = reply
                        .next
                        .changes
                        .iter()
                        .position(|c| c.component == change.component);
                    &self.games[reply.games[index.unwrap_or(0)]]
                };
                move_of(&game, &reply.next)
            }
            (None, Outcome::N) => "the player to move has won".to_owned(),
            (None, Outcome::P) => "the player to move has lost".to_owned(),
            (None, Outcome::Draw) => "a draw".to_owned(),
        }
    }
}

const MISERE_END: &str =
    "There is no move: the opponent made the last one, and in misère play has lost by it.";

fn ended(result: EndingResult) -> &'static str {
    match result {
        EndingResult::Lost => "Play has ended: by the rules the player to move has lost.",
        EndingResult::Won => "Play has ended: by the rules the player to move has won.",
        EndingResult::Draw => "Play has ended in a draw.",
    }
}

fn concluded(nim_sum: &NimSum) -> String {
    let several = nim_sum.kinds.iter().map(|kind| kind.count).sum::<usize>() > 1;
    let what = if several { "nim-sum" } else { "value" };
    let cancelling = nim_sum.kinds.iter().any(|kind| kind.count > 1);
    let pairs = if cancelling {
        "Equal components cancel in pairs. "
    } else {
        ""
    };
    if nim_sum.kinds.is_empty() {
        "There is no component, so no move is left.".to_owned()
    } else if nim_sum.total.is_zero() {
        format!("{pairs}The {what} is 0, so the player to move loses.")
    } else {
        format!(
            "{pairs}The {what} is {}, not 0, so the player to move wins.",
            nim_sum.total
        )
    }
}

/// Why a component gets the value that it gets.
fn aimed(target: &Target, components: usize) -> String {
    let Target {
        before,
        others,
        after,
        ..
    } = target;
    if components == 1 {
        return format!("It changes the value from {before} to {after}.");
    }
    if after == others {
        format!(
            "The other components have the nim-sum {others}, so this one must get the value {others} in place of \
             {before}, and it does."
        )
    } else {
        format!(
            "The other components have the nim-sum {others}; this one gets the value {after} in place of {before}, \
             where {others} was needed."
        )
    }
}
