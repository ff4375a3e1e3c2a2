//! Why a position of tokens is won, lost or drawn, as data to be told.

use num_rational::BigRational;

use crate::graph::{Mover, Vertex};
use crate::loopy::Value;
use crate::retrograde::Outcome;
use crate::solution::{Prospect, Solution};
use crate::sum::{Answer, Sums, TokenMove, Unanswered};
use crate::work::Work;

/// Why an answer is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The answer.
    pub answer: Answer,
    /// How each token's value follows, where there are values.
    pub values: Vec<Valued>,
    /// What comes of each move, for each player who may begin.
    pub turns: Vec<Vec<Replied>>,
    /// What comes of each choice of chance, where it moves before anybody does.
    pub draws: Vec<Drawn>,
}

/// A choice of chance, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The token and where it goes.
    pub next: TokenMove,
    /// How likely that is.
    pub odd: BigRational,
    /// What each player who may be to move can expect then.
    pub after: Vec<Prospect>,
}

/// How the value of a vertex follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The vertex.
    pub vertex: Vertex,
    /// Its value.
    pub value: Value,
    /// Its options with theirs; of one that is no nimber or too large, the option by which a move to it is
    /// taken back.
    pub options: Vec<(Vertex, Value, Option<Vertex>)>,
}

/// A move, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replied {
    /// The move.
    pub next: TokenMove,
    /// What the opponent can expect after it.
    pub left: Prospect,
    /// After how many moves play ends then.
    pub moves_to_end: Option<u32>,
    /// The opponent's best answer, if there is one.
    pub reply: Option<TokenMove>,
}

/// The most options of a vertex, and the most moves, that are told.
pub const MOST: usize = 30;

/// Explains the answer about tokens: what comes of each move, or of the one that is `chosen`.
///
/// # Errors
///
/// See [`Unanswered`].
pub fn explain(
    sums: &mut Sums,
    tokens: &[Vertex],
    chosen: Option<&TokenMove>,
    work: &mut Work,
) -> Result<Explanation, Unanswered> {
    let found = sums.answer(tokens, work)?;
    let mut values = Vec::new();
    let mut told = Vec::new();
    for token in tokens {
        if !told.contains(token) && told.len() < MOST {
            told.push(*token);
            values.extend(valued(sums.solution(), *token));
        }
    }
    let mut turns = Vec::new();
    for turn in &found.turns {
        turns.push(replies(sums, tokens, turn.mover, chosen, work)?);
    }
    Ok(Explanation {
        draws: draws(sums, tokens, work)?,
        answer: found,
        values,
        turns,
    })
}

fn draws(sums: &mut Sums, tokens: &[Vertex], work: &mut Work) -> Result<Vec<Drawn>, Unanswered> {
    let mut draws = Vec::new();
    let (token, odds) = sums.chance(tokens).unwrap_or_default();
    for (to, odd) in odds.into_iter().take(MOST) {
        let mut after = tokens.to_vec();
        let from = std::mem::replace(&mut after[token], to);
        let turns = sums.answer(&after, work)?.turns;
        draws.push(Drawn {
            next: TokenMove { token, from, to },
            odd,
            after: turns.into_iter().map(|turn| turn.prospect).collect(),
        });
    }
    Ok(draws)
}

fn valued(solution: &Solution, vertex: Vertex) -> Option<Valued> {
    let value = solution.value(vertex).ok()?;
    let options = solution.graph().options(vertex).iter().take(MOST);
    let options = options.filter_map(|option| {
        let worth = solution.value(*option).ok()?;
        let back = match (&value, &worth) {
            (Value::Nimber(whole), Value::Nimber(part)) if part < whole => None,
            (Value::Nimber(whole), _) => {
                let mut answers = solution.graph().options(*option).iter();
                answers
                    .find(|to| solution.value(**to) == Ok(Value::Nimber(*whole)))
                    .copied()
            }
            (Value::Loopy(_), _) => None,
        };
        Some((*option, worth, back))
    });
    Some(Valued {
        vertex,
        options: options.collect(),
        value,
    })
}

fn replies(
    sums: &mut Sums,
    tokens: &[Vertex],
    mover: Option<Mover>,
    chosen: Option<&TokenMove>,
    work: &mut Work,
) -> Result<Vec<Replied>, Unanswered> {
    let mut moves = sums.moves(tokens, mover);
    moves.retain(|next| chosen.is_none_or(|chosen| chosen == next));
    moves.truncate(MOST);
    let mut replies = Vec::new();
    for next in moves {
        let mut after = tokens.to_vec();
        after[next.token] = next.to;
        let found = sums.answer(&after, work)?;
        let mover = mover.map(Mover::other);
        let turn = found.turns.into_iter().find(|turn| turn.mover == mover);
        let turn = turn.expect("both players have a turn");
        let reply = match turn.prospect {
            Prospect::Outcome(Outcome::P) => None,
            _ => turn.best.first().copied(),
        };
        replies.push(Replied {
            next,
            left: turn.prospect,
            moves_to_end: turn.moves_to_end,
            reply,
        });
    }
    Ok(replies)
}
