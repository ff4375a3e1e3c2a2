//! Tokens being played with: what was played, what can be, and what perfect play answers.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::graph::{End, Mover, Vertex};
use crate::product::stop_at;
use crate::read::Names;
use crate::retrograde::{Outcome, Play};
use crate::solution::{Prospect, Solution};
use crate::sum::{Answer, Sums, TokenMove, Turn, Unanswered};
use crate::work::Work;

/// Tokens, who is to move, and what was played.
pub struct Round<'s, 'g> {
    sums: Sums<'s, 'g>,
    tokens: Vec<Vertex>,
    mover: Option<Mover>,
    past: Vec<Step>,
    /// The moves last listed, which a number names.
    listed: Vec<TokenMove>,
}

/// What happened.
struct Step {
    next: TokenMove,
    is_chance: bool,
}

/// How play is over, for the player about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// No move is left.
    NoMove(Play),
    /// A token stands where play ends.
    Ended(End),
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// It is none of the moves; here are some of them.
    NoMove(Vec<TokenMove>),
    /// It may be any of these.
    Ambiguous(Vec<TokenMove>),
    /// A number, and so many moves are listed.
    NotListed(usize),
}

/// A move to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub next: TokenMove,
    /// What the player who makes it could expect.
    pub prospect: Prospect,
    /// After how many moves play ends, where that is known.
    pub moves_to_end: Option<u32>,
}

/// How many moves a fault shows.
const SHOWN: usize = 5;
/// How many moves of a lost sum are compared.
const MOST_COMPARED: usize = 64;

impl<'s, 'g> Round<'s, 'g> {
    /// A round that begins with these tokens; where the players' moves differ, with this player.
    pub fn new(solution: &'s Solution<'g>, tokens: Vec<Vertex>, first: Mover) -> Self {
        Self {
            sums: Sums::new(solution).counting_moves(),
            tokens,
            mover: solution.graph().is_unfair().then_some(first),
            past: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Where the tokens are.
    pub fn tokens(&self) -> &[Vertex] {
        &self.tokens
    }

    /// Who is to move, where the players' moves differ.
    pub fn mover(&self) -> Option<Mover> {
        self.mover
    }

    /// How many moves of the players were played.
    pub fn played(&self) -> usize {
        self.past.iter().filter(|step| !step.is_chance).count()
    }

    /// The moves of the player about to move.
    pub fn moves(&self) -> Vec<TokenMove> {
        self.sums.moves(&self.tokens, self.mover)
    }

    /// Where chance may move a token before anybody does.
    pub fn chance(&self) -> Option<(usize, Vec<(Vertex, BigRational)>)> {
        self.sums.chance(&self.tokens)
    }

    /// How play is over, if it is.
    pub fn over(&self) -> Option<Over> {
        let solution = self.sums.solution();
        let (graph, play) = (solution.graph(), solution.play());
        let ended = |token: &Vertex| match self.tokens.as_slice() {
            // Alone, a lost end is an end in any play.
            [_] => graph.end(*token),
            _ => stop_at(graph, *token, play),
        };
        if let Some(end) = self.tokens.iter().find_map(ended) {
            return Some(Over::Ended(end));
        }
        (self.chance().is_none() && self.moves().is_empty()).then_some(Over::NoMove(play))
    }

    /// Plays a move of the player about to move.
    pub fn play(&mut self, next: TokenMove) {
        self.step(next, false);
        self.mover = self.mover.map(Mover::other);
    }

    /// Moves a token as chance does; the same player is to move.
    pub fn choose(&mut self, token: usize, to: Vertex) -> TokenMove {
        let from = self.tokens[token];
        let next = TokenMove { token, from, to };
        self.step(next, true);
        next
    }

    fn step(&mut self, next: TokenMove, is_chance: bool) {
        self.tokens[next.token] = next.to;
        self.past.push(Step { next, is_chance });
        self.listed.clear();
    }

    /// Takes the last move of a player back, and what chance did since.
    pub fn undo(&mut self) -> Option<TokenMove> {
        let last = self.past.iter().rposition(|step| !step.is_chance)?;
        for step in self.past.drain(last..).rev() {
            self.tokens[step.next.token] = step.next.from;
            if !step.is_chance {
                self.mover = self.mover.map(Mover::other);
                self.listed.clear();
                return Some(step.next);
            }
        }
        None
    }

    /// Remembers the moves that were shown, so that `#1` names the first of them.
    pub fn list(&mut self, moves: Vec<TokenMove>) {
        self.listed = moves;
    }

    /// The move that a text means: `a → b` or `a -> b` with the token before it or not, the vertex that is gone to,
    /// or `#` and the number of a listed move.
    ///
    /// # Errors
    ///
    /// See [`MoveFault`].
    pub fn read(&self, text: &str, names: &Names) -> Result<TokenMove, MoveFault> {
        if let Some(number) = text.strip_prefix('#')
            && let Ok(number) = number.trim().parse::<usize>()
        {
            let listed = number.checked_sub(1).and_then(|at| self.listed.get(at));
            return listed
                .copied()
                .ok_or(MoveFault::NotListed(self.listed.len()));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let mut meant: Vec<TokenMove> = Vec::new();
        for next in self.moves() {
            if is_written(&text, &next, names)
                && !meant
                    .iter()
                    .any(|other| (other.from, other.to) == (next.from, next.to))
            {
                meant.push(next);
            }
        }
        match meant.as_slice() {
            [next] => Ok(*next),
            [] => {
                let mut some = self.moves();
                some.truncate(SHOWN);
                Err(MoveFault::NoMove(some))
            }
            _ => {
                meant.truncate(SHOWN);
                Err(MoveFault::Ambiguous(meant))
            }
        }
    }

    /// What the player about to move can expect, and the best moves.
    ///
    /// # Errors
    ///
    /// See [`Unanswered`].
    pub fn turn(&mut self, work: &mut Work) -> Result<Turn, Unanswered> {
        let tokens = self.tokens.clone();
        self.turn_at(&tokens, self.mover, work)
    }

    fn turn_at(
        &mut self,
        tokens: &[Vertex],
        mover: Option<Mover>,
        work: &mut Work,
    ) -> Result<Turn, Unanswered> {
        let Answer { turns, .. } = self.sums.answer(tokens, work)?;
        let turn = turns.into_iter().find(|turn| turn.mover == mover);
        Ok(turn.expect("both players have a turn"))
    }

    /// A move of perfect play: in a won position one after which play ends soonest, in a lost one a move after which it
    /// ends latest or which leaves the fewest winning answers. `None` where there is no move.
    ///
    /// # Errors
    ///
    /// See [`Unanswered`].
    pub fn reply(&mut self, work: &mut Work) -> Result<Option<Reply>, Unanswered> {
        let turn = self.turn(work)?;
        let is_lost = turn.prospect == Prospect::Outcome(Outcome::P);
        let mut candidates = if is_lost { self.moves() } else { turn.best };
        candidates.truncate(MOST_COMPARED);
        let mut found: Option<((u32, usize), TokenMove)> = None;
        for next in candidates {
            let mut tokens = self.tokens.clone();
            tokens[next.token] = next.to;
            let after = self.turn_at(&tokens, self.mover.map(Mover::other), work)?;
            let moves = after.moves_to_end.unwrap_or(0);
            let rank = if is_lost {
                (u32::MAX - moves, after.best.len())
            } else {
                (moves, 0)
            };
            if found.as_ref().is_none_or(|(least, _)| rank < *least) {
                found = Some((rank, next));
            }
        }
        Ok(found.map(|(_, next)| Reply {
            next,
            prospect: turn.prospect,
            moves_to_end: turn.moves_to_end,
        }))
    }
}

/// The vertex that chance goes to if a random number of 64 bits decides: each is taken with its probability,
/// to within 2^-64.
///
/// # Panics
///
/// Panics if there is none to choose.
pub fn chosen(odds: &[(Vertex, BigRational)], random: u64) -> Vertex {
    let mut left = BigRational::new(random.into(), BigInt::from(1) << 64);
    for (to, odd) in odds {
        if left < *odd {
            return *to;
        }
        left -= odd;
    }
    odds.last().expect("chance has a choice").0
}

/// Whether a text, in which words are one blank apart, is a way to write a move.
fn is_written(text: &str, next: &TokenMove, names: &Names) -> bool {
    let (from, to) = (names.of(next.from), names.of(next.to));
    let without = |text: &str| {
        ["→", "->", ""].iter().any(|arrow| {
            let mut rest = text;
            for part in [from, arrow, to] {
                match rest.strip_prefix(part) {
                    Some(behind) => rest = behind.trim_start(),
                    None => return false,
                }
            }
            rest.is_empty() && (!arrow.is_empty() || text.len() > from.len() + to.len())
        })
    };
    let of_token = |text: &str| {
        let (number, move_text) = text.strip_prefix("token ")?.split_once(':')?;
        let is_it = number.trim().parse() == Ok(next.token + 1);
        Some(is_it && (without(move_text.trim()) || move_text.trim() == to))
    };
    text == to || without(text) || of_token(text) == Some(true)
}
