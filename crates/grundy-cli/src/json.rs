//! Answers as JSON: stable keys, components counted from 0, and every natural number that can
//! be large as a decimal string.

use grundy::graph::{self, Prospect, Turn};
use grundy::outcome::{Clause, Evidence, Outcome, Undecided};
use grundy::solve::{Answer, Part, Solver};
use grundy::text::Reached;
use grundy_graphs::unfair::Class;
use grundy_rules::moves::{ComponentChange, Move};
use grundy_rules::ruleset::{Play, Player, Ruleset};
use grundy_rules::{Component, Item, Limit};
use num_bigint::BigInt;
use serde::Serialize;
use serde::ser::Serializer;

/// One answer of `solve`.
#[derive(Serialize)]
pub struct Solved<'a> {
    game: String,
    /// The game of each component, in a sum of different games.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Vec<String>>,
    position: Vec<List<'a>>,
    play: &'static str,
    /// The component in which the first move must be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_move_in: Option<usize>,
    outcome: Option<&'static str>,
    evidence: Option<Proof>,
    grundy: Option<String>,
    grundy_evidence: Option<Proof>,
    move_count: Option<String>,
    moves: Vec<MoveJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Why<'a>>,
    /// What is known besides where play need not end.
    #[serde(flatten)]
    cycles: Option<CyclesJson>,
}

#[derive(Serialize)]
struct CyclesJson {
    solver: &'static str,
    loopy: Option<Vec<String>>,
    moves_to_end: Option<String>,
}

impl<'a> Solved<'a> {
    /// An answer about this sum.
    pub fn new(
        games: &[Ruleset],
        sum: &'a [Part],
        answer: Result<&'a Answer, &'a Undecided>,
        reached: &dyn Fn(Limit) -> Reached,
    ) -> Self {
        let names: Vec<String> = games.iter().map(grundy::argument::name).collect();
        let several = names.len() > 1;
        let mut solved = Self {
            game: names.join(" + "),
            games: several.then(|| sum.iter().map(|part| names[part.game].clone()).collect()),
            position: sum.iter().map(|part| List(&part.component)).collect(),
            play: play_word(games.first().map_or(Play::Normal, |game| game.play)),
            first_move_in: None,
            outcome: None,
            evidence: None,
            grundy: None,
            grundy_evidence: None,
            move_count: None,
            moves: Vec::new(),
            undecided: None,
            cycles: None,
        };
        match answer {
            Ok(answer) => {
                let value = answer.value.as_ref().ok();
                solved.outcome = Some(outcome_letter(answer.outcome));
                solved.evidence = Some(Proof::from(&answer.evidence));
                solved.grundy = value.map(|(value, _)| value.to_string());
                solved.grundy_evidence = value.map(|(_, evidence)| Proof::from(evidence));
                match &answer.moves {
                    Ok(best) => {
                        solved.move_count = best.count.as_ref().map(ToString::to_string);
                        solved.moves = best.listed.iter().map(MoveJson::from).collect();
                    }
                    Err(undecided) => solved.undecided = Some(Why::new(undecided, reached)),
                }
            }
            Err(undecided) => solved.undecided = Some(Why::new(undecided, reached)),
        }
        solved
    }

    /// The same with the component in which the first move must be made.
    pub fn with_first_move_in(self, component: Option<usize>) -> Self {
        Self {
            first_move_in: component,
            ..self
        }
    }
}

impl Solved<'_> {
    /// The same with what was found because play need not end.
    #[must_use]
    pub fn with_cycles(mut self, solver: &Solver, sum: &[Part]) -> Self {
        if solver.has_cycles() && self.outcome.is_some() {
            let loopy = solver.loopy_value(sum);
            self.cycles = Some(CyclesJson {
                solver: "retrograde",
                loopy: loopy.map(|options| options.iter().map(ToString::to_string).collect()),
                moves_to_end: solver.moves_to_end(sum).map(|moves| moves.to_string()),
            });
        }
        self
    }
}

/// An answer about a game whose players have different moves, or in which chance moves.
#[derive(Serialize)]
pub struct General<'a> {
    game: String,
    position: Vec<List<'a>>,
    play: &'static str,
    solver: &'static str,
    /// The class, or with equal players the outcome where it is certain.
    outcome: Option<&'static str>,
    evidence: Proof,
    grundy: Option<String>,
    #[serde(flatten)]
    both: Option<TurnJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<TurnJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<TurnJson<'a>>,
}

/// What a player can expect.
#[derive(Serialize)]
struct TurnJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_probability: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    draws: Vec<DrawJson<'a>>,
}

/// What the player can expect after a draw of chance.
#[derive(Serialize)]
struct DrawJson<'a> {
    drawn: Choices<'a>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
}

impl<'a> TurnJson<'a> {
    fn new(turn: &'a Turn) -> Self {
        let best = &turn.best;
        let count = best.count.as_ref();
        Self {
            outcome: match &turn.prospect {
                Prospect::Outcome(outcome) => Some(outcome_letter(*outcome)),
                Prospect::Probability(_) => None,
            },
            moves_to_end: turn.moves_to_end.map(|moves| moves.to_string()),
            win_probability: match &turn.prospect {
                Prospect::Probability(win) => Some(win.to_string()),
                Prospect::Outcome(_) => None,
            },
            move_count: count.map(ToString::to_string),
            moves: count.map(|_| best.listed.iter().map(MoveJson::from).collect()),
            draws: Vec::new(),
        }
    }
}

impl<'a> General<'a> {
    /// An answer about this sum.
    pub fn new(games: &[Ruleset], sum: &'a [Part], answer: &'a graph::Answer) -> Self {
        let names: Vec<String> = games.iter().map(grundy::argument::name).collect();
        let mut turns: Vec<(Option<Player>, TurnJson)> = Vec::new();
        for turn in &answer.turns {
            match turns.last_mut() {
                Some((mover, before)) if *mover == turn.mover => before.draws.push(DrawJson {
                    drawn: Choices(&turn.drawn),
                    turn: TurnJson::new(turn),
                }),
                _ => turns.push((turn.mover, TurnJson::new(turn))),
            }
        }
        let is_chance = answer
            .turns
            .iter()
            .any(|turn| matches!(turn.prospect, Prospect::Probability(_)));
        let mut json = Self {
            game: names.join(" + "),
            position: sum.iter().map(|part| List(&part.component)).collect(),
            play: play_word(games.first().map_or(Play::Normal, |game| game.play)),
            solver: if is_chance { "chance" } else { "unfair" },
            outcome: answer.class.map(|class| match class {
                Class::L => "L",
                Class::R => "R",
                Class::N => "N",
                Class::P => "P",
            }),
            evidence: Proof::Exhaustive { upto: None },
            grundy: None,
            both: None,
            left: None,
            right: None,
        };
        for (mover, turn) in turns {
            match mover {
                None => json.both = Some(turn),
                Some(Player::Left) => json.left = Some(turn),
                Some(Player::Right) => json.right = Some(turn),
            }
        }
        json
    }
}

/// `"P"`, `"N"` or `"D"`.
pub fn outcome_letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P => "P",
        Outcome::N => "N",
        Outcome::Draw => "D",
    }
}

/// `"normal"` or `"misere"`.
pub fn play_word(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misere",
    }
}

/// How an answer is known.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Proof {
    Exhaustive {
        #[serde(skip_serializing_if = "Option::is_none")]
        upto: Option<String>,
    },
    Proved {
        theorem: String,
        certificate: String,
    },
    Published {
        citation: String,
    },
    Conjecture {
        upto: String,
    },
    /// Parts of the answer are known in different ways.
    Several {
        evidence: Vec<Proof>,
    },
}

impl From<&Evidence> for Proof {
    fn from(evidence: &Evidence) -> Self {
        match evidence {
            Evidence::Exhaustive { upto } => Self::Exhaustive {
                upto: upto.as_ref().map(ToString::to_string),
            },
            Evidence::Proved {
                theorem,
                certificate,
            } => Self::Proved {
                theorem: theorem.clone(),
                certificate: certificate.clone(),
            },
            Evidence::Published { citation } => Self::Published {
                citation: citation.clone(),
            },
            Evidence::Conjecture { upto } => Self::Conjecture {
                upto: upto.to_string(),
            },
            Evidence::Several(several) => Self::Several {
                evidence: several.iter().map(Self::from).collect(),
            },
        }
    }
}

/// Why there is no answer.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Why<'a> {
    /// A limit was reached.
    Limit { limit: &'static str },
    /// Play need not end: the positions of a cycle.
    Cycle { cycle: Vec<Vec<List<'a>>> },
    /// No solver for a clause of the rules exists.
    NotSolved { clause: &'static str },
    /// Some winning moves are known, but neither which is the first or the least, nor how many there are.
    SomeMoves,
}

impl<'a> Why<'a> {
    /// Why a question is undecided.
    pub fn new(undecided: &'a Undecided, reached: &dyn Fn(Limit) -> Reached) -> Self {
        match undecided {
            Undecided::Limit(limit) => Self::Limit {
                limit: match reached(*limit) {
                    Reached::Time(_) => "time",
                    Reached::Bytes(_) => "memory",
                    Reached::Size => "size",
                    Reached::Interrupt => "interrupt",
                },
            },
            Undecided::Cycle(positions) => Self::Cycle {
                cycle: positions
                    .iter()
                    .map(|position| position.0.iter().map(List).collect())
                    .collect(),
            },
            Undecided::NotSolved(clause) => Self::NotSolved {
                clause: match clause {
                    Clause::Players => "players",
                    Clause::Chance => "chance",
                },
            },
            Undecided::SomeMoves => Self::SomeMoves,
        }
    }
}

/// A component as nested arrays of decimal strings.
pub struct List<'a>(pub &'a Component);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.0.iter().map(Coordinate))
    }
}

struct Coordinate<'a>(&'a Item);

impl Serialize for Coordinate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Item::Number(number) => serializer.collect_str(number),
            Item::List(list) => List(list).serialize(serializer),
        }
    }
}

/// A move.
#[derive(Serialize)]
pub struct MoveJson<'a> {
    label: &'a str,
    choices: Choices<'a>,
    ways: String,
    changes: Vec<ChangeJson<'a>>,
}

impl<'a> From<&'a Move> for MoveJson<'a> {
    fn from(next: &'a Move) -> Self {
        Self {
            label: &next.label,
            choices: Choices(&next.choices),
            ways: next.ways.to_string(),
            changes: next.changes.iter().map(ChangeJson::from).collect(),
        }
    }
}

/// An object with the choices in the order of the rule's text.
struct Choices<'a>(&'a [(String, BigInt)]);

impl Serialize for Choices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value.to_string())))
    }
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    component: usize,
    from: List<'a>,
    to: Vec<List<'a>>,
}

impl<'a> From<&'a ComponentChange> for ChangeJson<'a> {
    fn from(change: &'a ComponentChange) -> Self {
        Self {
            component: change.component,
            from: List(&change.from),
            to: change.to.iter().map(List).collect(),
        }
    }
}
