//! `grundy claim`: a formula of the user's own, held against the table and against a proved law.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use anstyle::AnsiColor;
use grundy::answer::learn::prove_components;
use grundy::argument;
use grundy::claim::{
    Actual, Beyond, Claimed, Counterexample, Extent, Verdict, beyond, decide, examine,
};
use grundy::discover::Effort;
use grundy::proof::automatic::default_budget;
use grundy::text;
use grundy_certificate::Theorem;
use grundy_rules::ruleset::{Claim, Statement};
use grundy_rules::{Meter, Ruleset};
use serde::Serialize;

use super::law::write_certificate;
use crate::args::ClaimOptions;
use crate::cache::Cache;
use crate::input;
use crate::json::{List, Proof, outcome_letter};
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How far a claim is examined unless the user says so, by how many coordinates it has.
const DEFAULT_UPTO: [u64; 3] = [1000, 40, 12];
/// The same for claims about sums, by how many coordinates a component has.
const DEFAULT_UPTO_OF_SUMS: [u64; 2] = [24, 5];

/// How long a law is looked for unless the user says so.
const LAW_TIME: Duration = Duration::from_secs(10);

/// Carries out the command.
pub fn run(options: &ClaimOptions) -> Result<Status, Failure> {
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let claims = match &options.claim {
        Some(text) => argument::claims(text, &game)?,
        None => game.claims.clone(),
    };
    if claims.is_empty() {
        return Err(Failure::Input(text::no_claims(&game)));
    }
    if options.cert.is_some() && claims.len() > 1 {
        return Err(Failure::Input(text::certificate_of_one_claim()));
    }
    let mut out = output::open();
    let mut status = Status::Answered;
    let law = Law::new(&game, options);
    for claim in &claims {
        status = status.and(examine_one(&game, claim, options, &law, &mut out)?);
    }
    out.flush()?;
    Ok(status)
}

/// The proved laws of a game, by how many coordinates its components have, looked for when they are asked for.
struct Law<'a> {
    game: &'a Ruleset,
    options: &'a ClaimOptions,
    theorems: RefCell<BTreeMap<usize, Option<Theorem>>>,
}

impl<'a> Law<'a> {
    fn new(game: &'a Ruleset, options: &'a ClaimOptions) -> Self {
        Self {
            game,
            options,
            theorems: RefCell::default(),
        }
    }

    /// What the law says of a claim for all heaps; `None` where it decides nothing.
    fn decide(&self, claim: &Claim) -> Option<Verdict> {
        let clock = Clock::start(&self.options.limits, Some(LAW_TIME));
        let cancel = || clock.expired();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        let (game, no_cache) = (self.game, self.options.cache.no_cache);
        let pattern = &claim.pattern;
        if pattern.has_rest() {
            return None;
        }
        let coordinates = pattern.items.len();
        let mut theorems = self.theorems.borrow_mut();
        let theorem = theorems.entry(coordinates).or_insert_with(|| {
            prove_components(game, coordinates, &Cache::open(no_cache), &mut meter)
        });
        let mut automata = Effort::default().meter(&meter);
        let verdict = decide(game, claim, theorem.as_ref()?, &mut automata, &mut meter);
        clock.hide();
        verdict.ok()?
    }
}

fn examine_one(
    game: &Ruleset,
    claim: &Claim,
    options: &ClaimOptions,
    law: &Law,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let extent = extent(claim, options);
    let upto: Vec<String> = extent.upto.iter().map(ToString::to_string).collect();
    let clock = Clock::start(&options.limits, None);
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let verdict = examine(game, claim, &extent, &mut meter);
    clock.hide();
    let mut verdict = verdict.map_err(|fault| Failure::Input(text::claim_fault(game, &fault)))?;
    if matches!(verdict, Verdict::Agrees { .. } | Verdict::Undecided { .. }) {
        let by_law = || law.decide(claim);
        let by_itself = || beyond_examined(game, claim, options);
        // The values of heaps of one number are found at once, mostly; other laws are looked for longer.
        let is_of_heaps = claim.pattern.items.len() == 1;
        let decided = if is_of_heaps && options.cert.is_none() {
            by_law().or_else(by_itself)
        } else {
            by_itself().or_else(by_law)
        };
        verdict = decided.unwrap_or(verdict);
    }
    if let Some(path) = &options.cert {
        match &verdict {
            Verdict::Certified(proved) => write_certificate(path, proved)?,
            Verdict::Proved { .. } => {
                anstream::eprintln!("{}", text::no_certificate_of_claim(game));
            }
            _ => {}
        }
    }
    let (status, word) = match &verdict {
        Verdict::Proved { .. } | Verdict::Certified(_) => (Status::Answered, "proved"),
        Verdict::Agrees { .. } => (Status::Answered, "agrees"),
        Verdict::Refuted(_) => (Status::Refuted, "refuted"),
        Verdict::Undecided { .. } => (Status::Undecided, "undecided"),
    };
    if options.json {
        let json = ClaimJson {
            game: argument::name(game),
            verdict: word,
            upto: (!matches!(verdict, Verdict::Proved { .. } | Verdict::Certified(_)))
                .then_some(upto),
            positions: match &verdict {
                Verdict::Agrees { positions } | Verdict::Undecided { positions, .. } => {
                    Some(positions.to_string())
                }
                Verdict::Proved { .. } | Verdict::Certified(_) | Verdict::Refuted(_) => None,
            },
            evidence: match &verdict {
                Verdict::Proved {
                    theorem,
                    certificate,
                } => Some(Proof::Proved {
                    theorem: theorem.clone(),
                    certificate: certificate.clone(),
                }),
                Verdict::Certified(proved) => Some(Proof::Proved {
                    theorem: proved.theorem.name().to_owned(),
                    certificate: proved.theorem.digest().to_owned(),
                }),
                _ => None,
            },
            counterexample: match &verdict {
                Verdict::Refuted(counterexample) => {
                    Some(CounterexampleJson::from(&**counterexample))
                }
                _ => None,
            },
        };
        serde_json::to_writer(&mut *out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(status);
    }
    let (colour, message) = match &verdict {
        Verdict::Proved {
            theorem,
            certificate,
        } => (AnsiColor::Green, text::proved_claim(theorem, certificate)),
        Verdict::Certified(proved) => (
            AnsiColor::Green,
            text::certified_claim(proved.theorem.digest()),
        ),
        Verdict::Agrees { positions } => {
            (AnsiColor::Green, text::agrees(&upto.join(","), *positions))
        }
        Verdict::Refuted(counterexample) => (AnsiColor::Red, text::refuted(game, counterexample)),
        Verdict::Undecided { reason, positions } => {
            let reached = |limit| clock.reached(limit);
            anstream::eprintln!(
                "{}",
                text::undecided_claim(game, reason, *positions, &reached)
            );
            return Ok(status);
        }
    };
    let style = colour.on_default();
    writeln!(out, "{style}{message}{style:#}")?;
    Ok(status)
}

/// What automata make of a claim about positions of any size; `None` where they decide nothing.
fn beyond_examined(game: &Ruleset, claim: &Claim, options: &ClaimOptions) -> Option<Verdict> {
    let clock = Clock::start(&options.limits, Some(LAW_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let mut automata = grundy_automata::Meter::with_cancel(default_budget(), &cancel);
    let found = beyond(game, claim, &mut automata, &mut meter);
    clock.hide();
    match found {
        Ok(Beyond::Proved(proved)) => Some(Verdict::Certified(proved)),
        Ok(Beyond::Refuted(counterexample)) => Some(Verdict::Refuted(Box::new(counterexample))),
        Ok(Beyond::Neither) => None,
        Err(outside) => {
            if !options.json {
                anstream::eprintln!("{}", text::outside_automata(game, outside));
            }
            None
        }
    }
}

/// How far to examine a claim.
fn extent(claim: &Claim, options: &ClaimOptions) -> Extent {
    let coordinates = claim.pattern.items.len().max(1);
    let defaults: &[u64] = match claim.statement {
        Statement::LostSum(_) => &DEFAULT_UPTO_OF_SUMS,
        _ => &DEFAULT_UPTO,
    };
    let default = defaults[(coordinates - 1).min(defaults.len() - 1)];
    let upto = if options.bounds.is_empty() {
        vec![options.upto.unwrap_or(default); coordinates]
    } else {
        options.bounds.clone()
    };
    Extent {
        upto,
        components: options.components,
    }
}

#[derive(Serialize)]
struct ClaimJson<'a> {
    game: String,
    verdict: &'static str,
    upto: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    evidence: Option<Proof>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<CounterexampleJson<'a>>,
}

#[derive(Serialize)]
struct CounterexampleJson<'a> {
    position: Vec<List<'a>>,
    claimed: String,
    actual: String,
}

impl<'a> From<&'a Counterexample> for CounterexampleJson<'a> {
    fn from(counterexample: &'a Counterexample) -> Self {
        Self {
            position: counterexample.position.0.iter().map(List).collect(),
            claimed: match &counterexample.claimed {
                Claimed::Value(value) => value.to_string(),
                Claimed::NimSum(sum) => sum.to_string(),
                Claimed::Negative(number) => number.to_string(),
                Claimed::Lost => "lost".to_owned(),
                Claimed::NotLost => "not lost".to_owned(),
                Claimed::Undefined => "undefined".to_owned(),
                Claimed::NoPiece => "nothing".to_owned(),
            },
            actual: match &counterexample.actual {
                Actual::Value(value) => value.to_string(),
                Actual::Outcome(outcome) => outcome_letter(*outcome).to_owned(),
            },
        }
    }
}
