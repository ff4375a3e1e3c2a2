//! A game being played: what has been played, what can be, and what perfect play answers.
//!
//! Positions may be of any size: whether a move is allowed is asked of the rules with its result, and
//! moves to choose from are some of all where all would be too many.

mod read;
mod reply;

use grundy_rules::moves::{Move, combined, most_at_once, moves};
use grundy_rules::options::{Direction, RuleOption, some_options};
use grundy_rules::ruleset::{Compound, EndingResult, Play};
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};

use crate::oracle::has_independent_components;
use crate::solve::{Part, after};

pub use read::MoveFault;
pub use reply::{Reply, Why, reply};

/// A sum and the moves that were played from its start.
#[derive(Clone, Debug)]
pub struct Round<'g> {
    games: &'g [Ruleset],
    sum: Vec<Part>,
    past: Vec<Played>,
    /// The moves last listed, which a number names.
    listed: Vec<Move>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The sum before it.
    pub before: Vec<Part>,
    /// The move.
    pub played: Move,
}

/// How play is over, for the player about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// No move is left: a win in misère play and a loss in normal play.
    NoMove(Play),
    /// The rules say so.
    Ended(EndingResult),
}

impl Over {
    /// Whether the player about to move has won; `None` if nobody has.
    pub fn has_won(self) -> Option<bool> {
        match self {
            Self::NoMove(play) => Some(play == Play::Misere),
            Self::Ended(EndingResult::Won) => Some(true),
            Self::Ended(EndingResult::Lost) => Some(false),
            Self::Ended(EndingResult::Draw) => None,
        }
    }
}

/// Some moves of a sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The moves, in order.
    pub moves: Vec<Move>,
    /// Whether there are no others.
    pub complete: bool,
}

/// How many steps are spent on listing all moves before some have to do.
const ALL_STEPS: u64 = 1 << 17;
/// How many components are looked at for some moves.
const MOST_COMPONENTS: usize = 16;

impl<'g> Round<'g> {
    /// A round that begins with this sum.
    pub fn new(games: &'g [Ruleset], sum: Vec<Part>) -> Self {
        Self {
            games,
            sum,
            past: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// The games of the sum.
    pub fn games(&self) -> &'g [Ruleset] {
        self.games
    }

    /// The sum now.
    pub fn sum(&self) -> &[Part] {
        &self.sum
    }

    /// What was played, in order.
    pub fn past(&self) -> &[Played] {
        &self.past
    }

    /// Plays a move.
    pub fn play(&mut self, next: Move) {
        let result = after(&self.sum, &next);
        let before = std::mem::replace(&mut self.sum, result);
        self.past.push(Played {
            before,
            played: next,
        });
        self.listed.clear();
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.past.pop()?;
        self.sum = last.before;
        self.listed.clear();
        Some(last.played)
    }

    /// Remembers the moves that were shown, so that a number can name one of them.
    pub fn list(&mut self, moves: Vec<Move>) {
        self.listed = moves;
    }

    /// How play is over, if it is.
    pub fn over(&self, meter: &mut Meter) -> Result<Option<Over>, Limit> {
        if let [game] = self.games
            && let Some(result) = grundy_rules::moves::ended(game, &self.position(), meter)?
        {
            return Ok(Some(Over::Ended(result)));
        }
        let play = self.games.first().map_or(Play::Normal, |game| game.play);
        Ok((!self.has_move(meter)?).then_some(Over::NoMove(play)))
    }

    fn position(&self) -> Position {
        position(&self.sum)
    }

    fn has_move(&self, meter: &mut Meter) -> Result<bool, Limit> {
        if let [game] = self.games {
            if grundy_rules::moves::is_joint(game) {
                return Ok(!moves(game, &self.position(), meter)?.is_empty());
            }
            match &game.compound {
                Compound::Conjunctive => {
                    for part in &self.sum {
                        if !self.can_move(part, meter)? {
                            return Ok(false);
                        }
                    }
                    return Ok(!self.sum.is_empty());
                }
                Compound::Selective { scope, at_most }
                    if most_at_once(game, scope, at_most.as_ref(), meter)? == 0 =>
                {
                    return Ok(false);
                }
                _ => {}
            }
        }
        for part in &self.sum {
            if self.can_move(part, meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn can_move(&self, part: &Part, meter: &mut Meter) -> Result<bool, Limit> {
        can_move(&self.games[part.game], &part.component, meter)
    }

    /// All moves if they are few, and otherwise some: the first and the last `each` of each
    /// alternative of a rule, in some components.
    pub fn choice(&self, each: usize, meter: &mut Meter) -> Result<Choice, Limit> {
        let all = |meter: &mut Meter| all_moves(self.games, &self.sum, meter);
        let (all, _) = meter.capped(ALL_STEPS, all);
        match all {
            Ok(moves) => Ok(Choice {
                moves,
                complete: true,
            }),
            Err(Limit::Cancelled) => Err(Limit::Cancelled),
            Err(_) => self.some_moves(each, meter),
        }
    }

    fn some_moves(&self, each: usize, meter: &mut Meter) -> Result<Choice, Limit> {
        let conjunctive = matches!(
            self.games,
            [game] if matches!(game.compound, Compound::Conjunctive | Compound::ConjunctiveContinued)
        );
        let components = if conjunctive {
            self.sum.len()
        } else {
            MOST_COMPONENTS
        };
        let mut of_each: Vec<(usize, Vec<RuleOption>)> = Vec::new();
        for (index, part) in self.sum.iter().enumerate() {
            if of_each.len() == components {
                break;
            }
            let game = &self.games[part.game];
            let mut options: Vec<RuleOption> = Vec::new();
            for direction in [Direction::Ascending, Direction::Descending] {
                let (some, _) = some_options(game, &part.component, each, direction, meter)?;
                for option in some {
                    let is_new = options
                        .iter()
                        .all(|o| o.rule != option.rule || o.result != option.result);
                    if is_new {
                        options.push(option);
                    }
                }
            }
            options.sort_by(|a, b| (a.rule, &a.choices).cmp(&(b.rule, &b.choices)));
            if !options.is_empty() {
                of_each.push((index, options));
            }
        }
        let mut moves = Vec::new();
        if conjunctive {
            // One move in each: the first of all, then the second, and so on.
            let most = of_each.iter().map(|(_, options)| options.len()).max();
            for nth in 0..most.unwrap_or(0) {
                let nth = |options: &'_ [RuleOption]| options[nth.min(options.len() - 1)].clone();
                let taken: Vec<(usize, RuleOption)> = of_each
                    .iter()
                    .map(|(index, options)| (*index, nth(options)))
                    .collect();
                moves.push(self.together(&taken));
            }
        } else {
            for (index, options) in of_each {
                for option in options {
                    moves.push(self.together(&[(index, option)]));
                }
            }
        }
        Ok(Choice {
            moves,
            complete: false,
        })
    }

    /// The move that takes these options at once, of components in ascending order.
    fn together(&self, taken: &[(usize, RuleOption)]) -> Move {
        if let ([_, _, ..], [(index, option)]) = (self.games, taken) {
            let part = &self.sum[*index];
            let game = &self.games[part.game];
            return crate::answer::as_move(game, *index, &part.component, option.clone());
        }
        let taken: Vec<(usize, &RuleOption)> = taken.iter().map(|(i, o)| (*i, o)).collect();
        combined(&self.games[0], &self.position(), &taken)
    }

    /// Whether a move changes several components at once.
    fn is_together(&self) -> bool {
        matches!(self.games, [game] if has_independent_components(game).is_err()
            && game.compound != Compound::Disjunctive)
    }
}

fn position(sum: &[Part]) -> Position {
    Position(sum.iter().map(|part| part.component.clone()).collect())
}

fn all_moves(games: &[Ruleset], sum: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
    crate::solve::all_moves(games, sum, meter)
}

/// Whether a component has an option. Lists none but the first.
///
/// # Errors
///
/// At a limit.
pub fn can_move(game: &Ruleset, component: &Component, meter: &mut Meter) -> Result<bool, Limit> {
    let some = some_options(game, component, 1, Direction::Ascending, meter)?;
    Ok(!some.0.is_empty())
}
