//! Several tokens on one graph: who wins, and by which moves.

use crate::graph::{Mover, Vertex};
use crate::loopy::Value;
use crate::retrograde::Outcome;
use crate::solution::{NoValues, Prospect, Solution};
use crate::unfair::Class;

/// A move of one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenMove {
    /// Which token, from 0.
    pub token: usize,
    /// From where.
    pub from: Vertex,
    /// To where.
    pub to: Vertex,
}

/// What the player about to move can expect, and the best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who is to move; `None` if both players have the same moves.
    pub mover: Option<Mover>,
    /// What that player can expect.
    pub prospect: Prospect,
    /// After how many moves play ends, where one side can force the end and that is known.
    pub moves_to_end: Option<u32>,
    /// The best moves, token by token and in the order of the edges.
    pub best: Vec<TokenMove>,
}

/// An answer about tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One for each player who may begin.
    pub turns: Vec<Turn>,
    /// Who wins, whoever begins, where the players' moves differ.
    pub class: Option<Class>,
    /// The value of the sum, or why it has none.
    pub value: Result<Value, NoValues>,
}

/// Answers about tokens on these vertices, of which there may be several on one.
///
/// # Errors
///
/// Several tokens are answered only where their values decide the sum.
pub fn answer(solution: &Solution, tokens: &[Vertex]) -> Result<Answer, NoValues> {
    if let [vertex] = tokens {
        return Ok(alone(solution, *vertex));
    }
    solution.has_values()?;
    let mut nimbers = 0;
    // What more than two loopy ones are does not matter, whichever token moves.
    let mut loopy: Vec<(usize, Vec<u32>)> = Vec::new();
    for (token, vertex) in tokens.iter().enumerate() {
        match solution.value(*vertex)? {
            Value::Nimber(nimber) => nimbers ^= nimber,
            Value::Loopy(options) if loopy.len() < 3 => loopy.push((token, options)),
            Value::Loopy(_) => {}
        }
    }
    let total = loopy.iter().map(|(_, options)| options.as_slice());
    let total = Total::new(nimbers, total);
    let outcome = total.outcome();
    let wanted = match outcome {
        Outcome::N => Some(Outcome::P),
        Outcome::Draw => Some(Outcome::Draw),
        Outcome::P => None,
    };
    let mut best = Vec::new();
    for (token, from) in tokens.iter().enumerate().filter(|_| wanted.is_some()) {
        let rest = match solution.value(*from)? {
            Value::Nimber(nimber) => nimbers ^ nimber,
            Value::Loopy(_) => nimbers,
        };
        let others = loopy.iter().filter(|(other, _)| *other != token);
        let others: Vec<&[u32]> = others.map(|(_, options)| options.as_slice()).collect();
        for to in solution.graph().options(*from) {
            let left = match solution.value(*to)? {
                Value::Nimber(nimber) => Total::new(rest ^ nimber, others.iter().copied()),
                Value::Loopy(options) => {
                    Total::new(rest, others.iter().copied().chain([options.as_slice()]))
                }
            }
            .outcome();
            if Some(left) == wanted {
                best.push(TokenMove {
                    token,
                    from: *from,
                    to: *to,
                });
            }
        }
    }
    let value = total.value();
    Ok(Answer {
        turns: vec![Turn {
            mover: None,
            prospect: Prospect::Outcome(outcome),
            moves_to_end: None,
            best,
        }],
        class: None,
        value: Ok(value),
    })
}

fn alone(solution: &Solution, vertex: Vertex) -> Answer {
    let turns = solution.movers().iter().map(|mover| {
        let turn = solution.turn(vertex, *mover);
        Turn {
            mover: turn.mover,
            prospect: turn.prospect,
            moves_to_end: turn.moves_to_end,
            best: turn
                .best
                .into_iter()
                .map(|to| TokenMove {
                    token: 0,
                    from: vertex,
                    to,
                })
                .collect(),
        }
    });
    Answer {
        turns: turns.collect(),
        class: solution.class(vertex),
        value: solution.value(vertex),
    }
}

/// A sum of values.
enum Total {
    Nimber(u32),
    /// A nimber and one loopy value.
    OneLoopy(u32, Vec<u32>),
    ManyLoopy,
}

impl Total {
    fn new<'v>(nimbers: u32, loopy: impl IntoIterator<Item = &'v [u32]>) -> Self {
        let mut loopy = loopy.into_iter();
        match (loopy.next(), loopy.next()) {
            (None, _) => Self::Nimber(nimbers),
            (Some(options), None) => Self::OneLoopy(nimbers, options.to_vec()),
            (Some(_), Some(_)) => Self::ManyLoopy,
        }
    }

    fn outcome(&self) -> Outcome {
        match self {
            Self::Nimber(0) => Outcome::P,
            Self::Nimber(_) => Outcome::N,
            Self::OneLoopy(nimbers, options) if options.contains(nimbers) => Outcome::N,
            Self::OneLoopy(..) | Self::ManyLoopy => Outcome::Draw,
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Nimber(nimbers) => Value::Nimber(*nimbers),
            Self::OneLoopy(nimbers, options) => {
                let mut shifted: Vec<u32> = options.iter().map(|option| option ^ nimbers).collect();
                shifted.sort_unstable();
                Value::Loopy(shifted)
            }
            Self::ManyLoopy => Value::Loopy(Vec::new()),
        }
    }
}
