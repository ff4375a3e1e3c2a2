//! Several tokens on one graph: who wins, and by which moves.

use num_rational::BigRational;

use crate::graph::{Mover, Vertex};
use crate::loopy::Value;
use crate::product::{Product, chance_token, stop_at};
use crate::retrograde::Outcome;
use crate::solution::{NoValues, Prospect, Solution, Solver};
use crate::tame::{Tame, TameSum, tame};
use crate::unfair::Class;
use crate::work::{Stop, Work};

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
    /// How it was found.
    pub method: Method,
}

/// How an answer about tokens was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From what is known of the vertices.
    Vertices(Solver),
    /// All parts are tame in misère play.
    Tame,
    /// All positions of the tokens were visited; so many.
    Positions(usize),
}

/// Why several tokens are not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Their outcomes do not decide the sum, and neither do values.
    NoValues(NoValues),
    /// Two tokens stand where play ends, and not in the same way.
    Ends(Vertex, Vertex),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for Unanswered {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Answers about sums of tokens on one graph, by the least that decides them.
///
/// Values decide where there are any. In misère play tame parts do; and other sums, also with chance and with
/// ends that stop the sum, are answered by visiting all positions that the tokens can reach.
pub struct Sums<'s, 'g> {
    solution: &'s Solution<'g>,
    tame: Option<Vec<Option<Tame>>>,
    product: Option<Product>,
    counts_moves: bool,
}

/// How many bytes positions may take where values decide and only the end of play is sought.
const TO_COUNT_MOVES: u64 = 1 << 26;

impl<'s, 'g> Sums<'s, 'g> {
    /// Answers about the graph of a solution.
    pub fn new(solution: &'s Solution<'g>) -> Self {
        Self {
            solution,
            tame: None,
            product: None,
            counts_moves: false,
        }
    }

    /// The same, but where the positions are not too many it is also found how soon play ends.
    ///
    /// Where play can go round, winning moves alone do not bring the end nearer.
    #[must_use]
    pub fn counting_moves(self) -> Self {
        Self {
            counts_moves: true,
            ..self
        }
    }

    /// The solution.
    pub fn solution(&self) -> &'s Solution<'g> {
        self.solution
    }

    /// Answers about tokens on these vertices, of which there may be several on one.
    ///
    /// # Errors
    ///
    /// See [`Unanswered`].
    pub fn answer(&mut self, tokens: &[Vertex], work: &mut Work) -> Result<Answer, Unanswered> {
        if let [vertex] = tokens {
            return Ok(alone(self.solution, *vertex));
        }
        let graph = self.solution.graph();
        let reason = match self.solution.has_values() {
            Ok(()) => {
                let positions = |sums: &mut Self| {
                    let found = sums.positions(tokens, &mut Work::new(TO_COUNT_MOVES));
                    Some(Answer {
                        value: answer(sums.solution, tokens).ok()?.value,
                        ..found.ok()?
                    })
                };
                let counted = if self.counts_moves {
                    positions(self)
                } else {
                    None
                };
                return match counted {
                    Some(counted) => Ok(counted),
                    None => answer(self.solution, tokens).map_err(Unanswered::NoValues),
                };
            }
            Err(NoValues::Unfair) => return Err(Unanswered::NoValues(NoValues::Unfair)),
            Err(reason) => reason,
        };
        // The graph of a game with different players and chance is told of as one with chance.
        if graph.is_unfair() {
            return Err(Unanswered::NoValues(NoValues::Unfair));
        }
        self.agree(tokens)?;
        if reason == NoValues::Misere && graph.ends().is_empty() && !self.counts_moves {
            if self.tame.is_none() {
                self.tame = Some(tame(graph, work)?);
            }
            let found = self.tame.as_deref();
            if let Some(found) = found.and_then(|found| by_tameness(self.solution, found, tokens)) {
                return Ok(found);
            }
        }
        self.positions(tokens, work)
    }

    /// Whether no two tokens stand where play ends differently.
    fn agree(&self, tokens: &[Vertex]) -> Result<(), Unanswered> {
        let (graph, play) = (self.solution.graph(), self.solution.play());
        let mut ends = tokens
            .iter()
            .filter_map(|token| Some((*token, stop_at(graph, *token, play)?)));
        let Some((first, end)) = ends.next() else {
            return Ok(());
        };
        match ends.find(|(_, other)| *other != end) {
            Some((other, _)) => Err(Unanswered::Ends(first, other)),
            None => Ok(()),
        }
    }

    /// The token for which chance moves before anybody does, and the vertices it may go to.
    pub fn chance(&self, tokens: &[Vertex]) -> Option<(usize, Vec<(Vertex, BigRational)>)> {
        let graph = self.solution.graph();
        if self.stopped(tokens) {
            return None;
        }
        let token = chance_token(graph, tokens)?;
        Some((token, graph.odds_of(tokens[token])?))
    }

    /// The moves of a player, token by token and in the order of the edges.
    pub fn moves(&self, tokens: &[Vertex], mover: Option<Mover>) -> Vec<TokenMove> {
        moves(self.solution, tokens, mover)
    }

    fn stopped(&self, tokens: &[Vertex]) -> bool {
        is_stopped(self.solution, tokens)
    }

    /// The answer by visiting all positions.
    fn positions(&mut self, tokens: &[Vertex], work: &mut Work) -> Result<Answer, Unanswered> {
        let (graph, play) = (self.solution.graph(), self.solution.play());
        let known = |product: &Product| product.place(graph, play, tokens);
        let (product, place) = match self.product.take() {
            Some(product) if let Some(place) = known(&product) => (product, place),
            other => {
                work.release(other.map_or(0, |product| product.bytes()));
                (Product::of(graph, play, tokens, work)?, 0)
            }
        };
        let product = self.product.insert(product);
        let prospect = product.prospect(place);
        let after = |next: &TokenMove| {
            let mut tokens = tokens.to_vec();
            tokens[next.token] = next.to;
            let place = product.place(graph, play, &tokens);
            product.prospect(place.expect("moves lead to positions that were visited"))
        };
        let best = moves(self.solution, tokens, None)
            .into_iter()
            .filter(|next| prospect.is_kept_by(&after(next)));
        Ok(Answer {
            turns: vec![Turn {
                mover: None,
                moves_to_end: product.moves_to_end(place),
                best: best.collect(),
                prospect: prospect.clone(),
            }],
            class: None,
            value: Err(self.solution.has_values().err().unwrap_or(NoValues::Ends)),
            method: Method::Positions(product.len()),
        })
    }
}

/// Whether a token stands where the whole sum ends.
fn is_stopped(solution: &Solution, tokens: &[Vertex]) -> bool {
    let (graph, play) = (solution.graph(), solution.play());
    tokens
        .iter()
        .any(|token| stop_at(graph, *token, play).is_some())
}

fn moves(solution: &Solution, tokens: &[Vertex], mover: Option<Mover>) -> Vec<TokenMove> {
    let graph = solution.graph();
    if is_stopped(solution, tokens) || chance_token(graph, tokens).is_some() {
        return Vec::new();
    }
    let tokens = tokens.iter().enumerate();
    let moves = tokens.flat_map(|(token, from)| {
        let options = solution.options(*from, mover).into_iter();
        options.map(move |to| TokenMove {
            token,
            from: *from,
            to,
        })
    });
    moves.collect()
}

/// The answer in misère play if all tokens are tame.
fn by_tameness(solution: &Solution, found: &[Option<Tame>], tokens: &[Vertex]) -> Option<Answer> {
    let worth = |vertex: Vertex| found[vertex as usize];
    let mut sum = TameSum::default();
    for token in tokens {
        sum.add(worth(*token)?);
    }
    let outcome = sum.outcome();
    let mut best = moves(solution, tokens, None);
    best.retain(|next| {
        let mut after = sum;
        if let (Some(from), Some(to)) = (worth(next.from), worth(next.to)) {
            after.remove(from);
            after.add(to);
        }
        outcome == Outcome::N && after.outcome() == Outcome::P
    });
    Some(Answer {
        turns: vec![Turn {
            mover: None,
            prospect: Prospect::Outcome(outcome),
            moves_to_end: None,
            best,
        }],
        class: None,
        value: Err(NoValues::Misere),
        method: Method::Tame,
    })
}

/// Answers about tokens on these vertices, of which there may be several on one, from their values.
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
        method: Method::Vertices(solution.solver()),
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
        method: Method::Vertices(solution.solver()),
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
