//! What is known of graphs, as JSON.

use grundy_graphs::loopy::Value;
use grundy_graphs::read::Named;
use grundy_graphs::retrograde::{Outcome, Play};
use grundy_graphs::sum::{Answer, Method, TokenMove, Turn};
use grundy_graphs::{Mover, Prospect, Solution, Solver, Vertex, text};
use num_traits::{One, Zero};
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::{GraphOptions, Moves};

/// All vertices of a graph.
#[derive(Serialize)]
pub struct GraphJson<'a> {
    play: &'static str,
    solver: &'static str,
    vertices: Vertices<'a>,
}

impl<'a> GraphJson<'a> {
    /// What is known of each vertex, with the best moves if they are wanted.
    pub fn new(solution: &'a Solution, named: &'a Named, play: Play, with_moves: bool) -> Self {
        Self {
            play: match play {
                Play::Normal => "normal",
                Play::Misere => "misere",
            },
            solver: solver(solution.solver()),
            vertices: Vertices {
                solution,
                named,
                with_moves,
            },
        }
    }
}

fn solver(solver: Solver) -> &'static str {
    match solver {
        Solver::Acyclic => "acyclic",
        Solver::Loopy => "loopy",
        Solver::Retrograde => "retrograde",
        Solver::Unfair => "unfair",
        Solver::Chance => "chance",
    }
}

/// The vertices, written one after the other.
struct Vertices<'a> {
    solution: &'a Solution<'a>,
    named: &'a Named,
    with_moves: bool,
}

impl Serialize for Vertices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let vertices = self.named.graph.vertices();
        serializer.collect_seq(vertices.map(|vertex| self.vertex(vertex)))
    }
}

#[derive(Serialize)]
struct VertexJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    known: Known,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<TurnJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<TurnJson<'a>>,
}

/// What is known of a vertex or a sum.
#[derive(Serialize)]
struct Known {
    outcome: Option<&'static str>,
    grundy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<Vec<String>>,
    moves_to_end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_probability: Option<String>,
}

#[derive(Serialize)]
struct TurnJson<'a> {
    outcome: Option<&'static str>,
    moves_to_end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_probability: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<&'a str>>,
}

/// The letter of what can be expected: a probability of 1 or 0 has one too.
fn letter(prospect: &Prospect) -> Option<&'static str> {
    match prospect {
        Prospect::Outcome(outcome) => Some(text::outcome_letter(*outcome)),
        Prospect::Probability(win) if win.is_one() => Some(text::outcome_letter(Outcome::N)),
        Prospect::Probability(win) if win.is_zero() => Some(text::outcome_letter(Outcome::P)),
        Prospect::Probability(_) => None,
    }
}

fn probability(prospect: &Prospect) -> Option<String> {
    match prospect {
        Prospect::Outcome(_) => None,
        Prospect::Probability(win) => Some(win.to_string()),
    }
}

impl Vertices<'_> {
    fn vertex(&self, vertex: Vertex) -> VertexJson<'_> {
        let named = self.named;
        let turn = |mover: Option<Mover>| {
            let turn = self.solution.turn(vertex, mover);
            let names = turn.best.iter().map(|to| named.names.of(*to));
            TurnJson {
                outcome: letter(&turn.prospect),
                moves_to_end: turn.moves_to_end.map(|moves| moves.to_string()),
                win_probability: probability(&turn.prospect),
                moves: self.with_moves.then(|| names.collect()),
            }
        };
        let (grundy, loopy) = value(self.solution.value(vertex).ok().as_ref());
        let mut json = VertexJson {
            name: named.names.of(vertex),
            known: Known {
                outcome: None,
                grundy,
                loopy,
                moves_to_end: None,
                win_probability: None,
            },
            moves: None,
            left: None,
            right: None,
        };
        if self.solution.movers().len() == 1 {
            let only = turn(None);
            json.known.outcome = only.outcome;
            json.known.moves_to_end = only.moves_to_end;
            json.known.win_probability = only.win_probability;
            json.moves = only.moves;
        } else {
            let (left, right) = (turn(Some(Mover::Left)), turn(Some(Mover::Right)));
            json.known.outcome = match self.solution.class(vertex) {
                Some(class) => Some(text::class_letter(class)),
                None => left
                    .outcome
                    .filter(|outcome| right.outcome == Some(*outcome)),
            };
            json.left = Some(left);
            json.right = Some(right);
        }
        json
    }
}

fn value(value: Option<&Value>) -> (Option<String>, Option<Vec<String>>) {
    match value {
        None => (None, None),
        Some(Value::Nimber(nimber)) => (Some(nimber.to_string()), None),
        Some(Value::Loopy(options)) => (
            None,
            Some(options.iter().map(ToString::to_string).collect()),
        ),
    }
}

/// An answer about tokens, as `solve` gives one about components.
#[derive(Serialize)]
pub struct AnswerJson<'a> {
    game: &'a str,
    position: Vec<[&'a str; 1]>,
    play: &'static str,
    solver: &'static str,
    #[serde(flatten)]
    known: Known,
    evidence: Evidence,
    grundy_evidence: Option<Evidence>,
    #[serde(flatten)]
    moves: Option<MovesJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<BeginsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<BeginsJson<'a>>,
}

#[derive(Serialize)]
struct Evidence {
    kind: &'static str,
}

const EXHAUSTIVE: Evidence = Evidence { kind: "exhaustive" };

#[derive(Serialize)]
struct BeginsJson<'a> {
    outcome: Option<&'static str>,
    moves_to_end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_probability: Option<String>,
    #[serde(flatten)]
    moves: MovesJson<'a>,
}

#[derive(Serialize)]
struct MovesJson<'a> {
    move_count: Option<String>,
    moves: Vec<MoveJson<'a>>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    label: &'static str,
    choices: Empty,
    ways: &'static str,
    changes: [ChangeJson<'a>; 1],
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct ChangeJson<'a> {
    component: usize,
    from: [&'a str; 1],
    to: [[&'a str; 1]; 1],
}

impl<'a> AnswerJson<'a> {
    /// An answer about these tokens.
    pub fn new(
        named: &'a Named,
        tokens: &[Vertex],
        answer: &Answer,
        options: &'a GraphOptions,
    ) -> Self {
        let (grundy, loopy) = value(answer.value.as_ref().ok());
        let begins = |turn: &Turn| BeginsJson {
            outcome: letter(&turn.prospect),
            moves_to_end: turn.moves_to_end.map(|moves| moves.to_string()),
            win_probability: probability(&turn.prospect),
            moves: moves(turn, named, options),
        };
        let mut json = Self {
            game: &options.file,
            position: tokens
                .iter()
                .map(|token| [named.names.of(*token)])
                .collect(),
            play: options.play_word(),
            solver: match answer.method {
                Method::Vertices(by) => solver(by),
                Method::Tame => "tame",
                Method::Positions(_) => "positions",
            },
            known: Known {
                outcome: answer.class.map(text::class_letter),
                grundy,
                loopy,
                moves_to_end: None,
                win_probability: None,
            },
            evidence: EXHAUSTIVE,
            grundy_evidence: answer.value.is_ok().then_some(EXHAUSTIVE),
            moves: None,
            left: None,
            right: None,
        };
        if let [turn] = answer.turns.as_slice() {
            let only = begins(turn);
            json.known.outcome = only.outcome;
            json.known.moves_to_end = only.moves_to_end;
            json.known.win_probability = only.win_probability;
            json.moves = Some(only.moves);
        } else {
            let mut both = answer.turns.iter().map(begins);
            json.left = both.next();
            json.right = both.next();
            let left = json.left.as_ref().and_then(|turn| turn.outcome);
            let right = json.right.as_ref().and_then(|turn| turn.outcome);
            json.known.outcome = json.known.outcome.or(left.filter(|_| left == right));
        }
        json
    }
}

fn moves<'a>(turn: &Turn, named: &'a Named, options: &GraphOptions) -> MovesJson<'a> {
    let most = match options.moves {
        Moves::None | Moves::Count => 0,
        Moves::First => 1,
        Moves::All | Moves::Least => options.limit,
    };
    let name = |vertex: Vertex| [named.names.of(vertex)];
    let as_json = |next: &TokenMove| MoveJson {
        label: "move",
        choices: Empty {},
        ways: "1",
        changes: [ChangeJson {
            component: next.token,
            from: name(next.from),
            to: [name(next.to)],
        }],
    };
    let wanted = options.moves != Moves::None;
    MovesJson {
        move_count: wanted.then(|| turn.best.len().to_string()),
        moves: turn.best.iter().take(most).map(as_json).collect(),
    }
}
