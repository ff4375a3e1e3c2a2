//! Explanations as JSON.

use grundy::explain::{Answered, Explanation, Kind, Played, Replies, Verdict, View};
use grundy::text::{self, Reached};
use grundy_rules::{Limit, Ruleset};
use serde::Serialize;

use crate::json::{List, MoveJson, Proof, Solved, outcome_letter};

/// One answer of `explain`: that of `solve`, and why.
#[derive(Serialize)]
pub struct Explained<'a> {
    #[serde(flatten)]
    solved: Solved<'a>,
    grounds: Vec<GroundJson>,
    #[serde(flatten)]
    view: ViewJson,
    worked_out: Vec<MexJson<'a>>,
    #[serde(rename = "move")]
    played: Option<PlayedJson<'a>>,
    replies: Option<RepliesJson<'a>>,
}

impl<'a> Explained<'a> {
    /// An explanation of this sum.
    pub fn new(
        games: &[Ruleset],
        explanation: &'a Explanation,
        reached: &dyn Fn(Limit) -> Reached,
    ) -> Self {
        let sum = &explanation.view.sum;
        let worked_out = explanation.mexes.iter().map(|mex| MexJson {
            component: mex.place,
            value: mex.value.to_string(),
            options: mex
                .options
                .iter()
                .map(|(value, results)| OptionsJson {
                    value: value.to_string(),
                    results: results
                        .iter()
                        .map(|result| result.iter().map(List).collect())
                        .collect(),
                })
                .collect(),
        });
        Self {
            solved: Solved::new(games, sum, Ok(&explanation.answer), reached),
            grounds: explanation
                .grounds
                .iter()
                .map(|ground| GroundJson {
                    game: ground.game,
                    statement: ground.statement.as_ref().map(text::statement),
                    evidence: Proof::from(&ground.evidence),
                })
                .collect(),
            view: ViewJson::from(&explanation.view),
            worked_out: worked_out.collect(),
            played: explanation.played.as_ref().map(PlayedJson::from),
            replies: explanation.replies.as_ref().map(RepliesJson::from),
        }
    }
}

#[derive(Serialize)]
struct GroundJson {
    game: usize,
    statement: Option<String>,
    evidence: Proof,
}

#[derive(Serialize)]
struct ViewJson {
    nim_sum: Option<String>,
    components: Vec<KindJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_components: Option<OthersJson>,
    reason: Option<String>,
}

impl From<&View> for ViewJson {
    fn from(view: &View) -> Self {
        let nim_sum = view.nim_sum.as_ref();
        let others = nim_sum.and_then(|nim_sum| nim_sum.others.as_ref());
        Self {
            nim_sum: nim_sum.map(|nim_sum| nim_sum.total.to_string()),
            components: nim_sum
                .iter()
                .flat_map(|nim_sum| &nim_sum.kinds)
                .map(KindJson::from)
                .collect(),
            other_components: others.map(|others| OthersJson {
                count: others.count,
                nim_sum: others.value.to_string(),
            }),
            reason: view
                .reason
                .as_ref()
                .map(|reason| text::reason_of_outcome(reason, view.outcome)),
        }
    }
}

#[derive(Serialize)]
struct KindJson {
    component: usize,
    count: usize,
    value: String,
    reason: Option<String>,
}

impl From<&Kind> for KindJson {
    fn from(kind: &Kind) -> Self {
        let reason = kind.reason.as_ref();
        Self {
            component: kind.place,
            count: kind.count,
            value: kind.value.to_string(),
            reason: reason.map(|reason| text::reason_of_value(reason, &kind.value)),
        }
    }
}

#[derive(Serialize)]
struct OthersJson {
    count: usize,
    nim_sum: String,
}

#[derive(Serialize)]
struct MexJson<'a> {
    component: usize,
    value: String,
    options: Vec<OptionsJson<'a>>,
}

#[derive(Serialize)]
struct OptionsJson<'a> {
    value: String,
    results: Vec<Vec<List<'a>>>,
}

#[derive(Serialize)]
struct PlayedJson<'a> {
    #[serde(flatten)]
    next: MoveJson<'a>,
    verdict: &'static str,
    after: AfterJson<'a>,
    replies: Option<RepliesJson<'a>>,
    punished_by: Option<MoveJson<'a>>,
    after_punishment: Option<AfterJson<'a>>,
}

impl<'a> From<&'a Played> for PlayedJson<'a> {
    fn from(played: &'a Played) -> Self {
        let punished = played.punished.as_ref();
        Self {
            next: MoveJson::from(&played.next),
            verdict: match played.verdict {
                Verdict::Wins => "wins",
                Verdict::Draws => "draws",
                Verdict::Loses => "loses",
            },
            after: AfterJson::from(&played.after),
            replies: played.replies.as_ref().map(RepliesJson::from),
            punished_by: punished.map(|(reply, _)| MoveJson::from(reply)),
            after_punishment: punished.map(|(_, left)| AfterJson::from(left)),
        }
    }
}

#[derive(Serialize)]
struct AfterJson<'a> {
    position: Vec<List<'a>>,
    outcome: &'static str,
    #[serde(flatten)]
    view: ViewJson,
}

impl<'a> From<&'a View> for AfterJson<'a> {
    fn from(view: &'a View) -> Self {
        Self {
            position: view.sum.iter().map(|part| List(&part.component)).collect(),
            outcome: outcome_letter(view.outcome),
            view: ViewJson::from(view),
        }
    }
}

#[derive(Serialize)]
struct RepliesJson<'a> {
    move_count: Option<String>,
    moves: Vec<AnsweredJson<'a>>,
}

impl<'a> From<&'a Replies> for RepliesJson<'a> {
    fn from(replies: &'a Replies) -> Self {
        Self {
            move_count: replies.count.as_ref().map(ToString::to_string),
            moves: replies.listed.iter().map(AnsweredJson::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct AnsweredJson<'a> {
    #[serde(flatten)]
    next: MoveJson<'a>,
    outcome: &'static str,
    grundy: Option<String>,
    answer: Option<MoveJson<'a>>,
}

impl<'a> From<&'a Answered> for AnsweredJson<'a> {
    fn from(answered: &'a Answered) -> Self {
        Self {
            next: MoveJson::from(&answered.next),
            outcome: outcome_letter(answered.outcome),
            grundy: answered.value.as_ref().map(ToString::to_string),
            answer: answered
                .reply
                .as_ref()
                .map(|reply| MoveJson::from(&reply.next)),
        }
    }
}
