//! `grundy compare`: whether two games have the same values.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::AnsiColor;
use grundy::answer::learn::prove_components;
use grundy::argument;
use grundy::claim::{Actual, Extent};
use grundy::compare::{Comparison, Equality, Length, compare, length};
use grundy::outcome::Evidence;
use grundy::text;
use grundy_rules::Meter;
use serde::Serialize;

use crate::args::CompareOptions;
use crate::cache::Cache;
use crate::input;
use crate::json::{List, Proof, Why, outcome_letter};
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long an answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// How far components are examined unless the user says so, by how many coordinates they have.
const DEFAULT_UPTO: [u64; 4] = [1000, 40, 12, 6];
/// The longest row that is examined, likewise.
const DEFAULT_LENGTH: usize = 4;

/// Carries out the command.
pub fn run(options: &CompareOptions) -> Result<Status, Failure> {
    let left = options
        .play
        .apply(argument::game(&options.left, &input::read)?);
    let right = options
        .play
        .apply(argument::game(&options.right, &input::read)?);
    let games = [&left, &right];
    let length = length(games);
    if let Length::Fixed(coordinates) = length
        && !options.bounds.is_empty()
        && options.bounds.len() != coordinates
    {
        let message = text::wrong_box(coordinates, options.bounds.len());
        return Err(Failure::Input(message));
    }
    let extent = extent(length, options);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let theorems = games.map(|game| {
        let cancel = || clock.past_half();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        let shelf = Cache::open(options.cache.no_cache);
        match length {
            Length::Fixed(coordinates) => prove_components(game, coordinates, &shelf, &mut meter),
            // No law is of rows of every length.
            Length::Any | Length::Never => None,
        }
    });
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let theorems = theorems.each_ref().map(Option::as_ref);
    let comparison = compare(games, theorems, &extent, &mut meter);
    clock.hide();
    let upto: Vec<String> = extent.upto.iter().map(ToString::to_string).collect();
    let reached = |limit| clock.reached(limit);
    let mut out = output::open();
    let (status, verdict) = match &comparison {
        Comparison::Equal(_) => (Status::Answered, "equal"),
        Comparison::Differ(_) => (Status::Answered, "different"),
        Comparison::Agree { .. } => (Status::Undecided, "agrees"),
        Comparison::Undecided { .. } => (Status::Undecided, "undecided"),
        Comparison::NothingInCommon => (Status::WrongInput, "wrong input"),
    };
    if options.json && status != Status::WrongInput {
        let names = games.map(argument::name);
        let mut json = CompareJson::new(names, verdict, &comparison);
        if let Comparison::Agree { .. } = comparison {
            json.upto = Some(upto.clone());
        }
        if let Comparison::Undecided { reason, .. } = &comparison {
            json.undecided = Some(Why::new(reason, &reached));
        }
        serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    let said = match &comparison {
        Comparison::Equal(equality) => Some((AnsiColor::Green, text::equal_games(equality))),
        Comparison::Differ(difference) => {
            Some((AnsiColor::Yellow, text::different_games(games, difference)))
        }
        _ => None,
    };
    match said {
        Some(_) if options.json => {}
        Some((colour, said)) => {
            let style = colour.on_default();
            writeln!(out, "{style}{said}{style:#}")?;
        }
        None => {
            out.flush()?;
            let why = text::not_compared(games, &comparison, &upto.join(","), &reached);
            anstream::eprintln!("{why}");
        }
    }
    out.flush()?;
    Ok(status)
}

/// How far to examine components of so many numbers.
fn extent(length: Length, options: &CompareOptions) -> Extent {
    let coordinates = match length {
        Length::Fixed(coordinates) => coordinates,
        Length::Any => DEFAULT_LENGTH,
        Length::Never => 0,
    };
    let default = DEFAULT_UPTO[coordinates.clamp(1, DEFAULT_UPTO.len()) - 1];
    let upto = if options.bounds.is_empty() {
        vec![options.upto.unwrap_or(default); coordinates]
    } else {
        options.bounds.clone()
    };
    Extent {
        upto,
        components: 1,
    }
}

#[derive(Serialize)]
struct CompareJson<'a> {
    games: [String; 2],
    verdict: &'static str,
    /// Why games are equal: `options` or `laws`.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    evidence: Option<Proof>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upto: Option<Vec<String>>,
    /// How many components agreed.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<[List<'a>; 1]>,
    /// The two values, or the two outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Why<'a>>,
}

impl<'a> CompareJson<'a> {
    fn new(games: [String; 2], verdict: &'static str, comparison: &'a Comparison) -> Self {
        let mut json = Self {
            games,
            verdict,
            because: None,
            evidence: None,
            upto: None,
            components: None,
            position: None,
            actual: None,
            undecided: None,
        };
        let proof = |evidence: &Evidence| Some(Proof::from(evidence));
        match comparison {
            Comparison::Equal(Equality::Options) => json.because = Some("options"),
            Comparison::Equal(Equality::Laws { evidence }) => {
                json.because = Some("laws");
                json.evidence = proof(evidence);
            }
            Comparison::Differ(difference) => {
                json.evidence = proof(&difference.evidence);
                json.position = Some([List(&difference.component)]);
                json.actual = Some(difference.actual.each_ref().map(|actual| match actual {
                    Actual::Value(value) => value.to_string(),
                    Actual::Outcome(outcome) => outcome_letter(*outcome).to_owned(),
                }));
            }
            Comparison::Agree { components } | Comparison::Undecided { components, .. } => {
                json.components = Some(components.to_string());
            }
            Comparison::NothingInCommon => {}
        }
        json
    }
}
