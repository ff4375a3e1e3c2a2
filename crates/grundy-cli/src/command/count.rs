//! `grundy count`: how many heaps, or positions of several heaps, are lost or have a value.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::Style;
use grundy::answer::Lawful;
use grundy::answer::learn::{learn, learn_of};
use grundy::argument;
use grundy::count::{
    Count, NoCount, Order, Question, count, count_in_box, from_law_in_box, published, sums_in_box,
};
use grundy::discover::{Scope, scopes};
use grundy::oracle::has_values;
use grundy::tabulate::{Area, Form, NoTable};
use grundy::text;
use grundy_rules::{Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::Serialize;

use crate::args::CountOptions;
use crate::cache::Cache;
use crate::input;
use crate::json::{Proof, Why, play_word};
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long an answer may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Up to here the heaps are looked at one by one, and no law is needed.
const FEW: u64 = 1000;
/// Tables up to this size are made, and no law is needed.
const FEW_PLACES: u64 = 1 << 16;

/// Carries out the command.
pub fn run(options: &CountOptions) -> Result<Status, Failure> {
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let Some(to) = &options.to else {
        return in_box(&game, options);
    };
    let question = Question {
        from: options.from.clone(),
        to: to.clone(),
        heaps: options.heaps,
        value: options.value.clone().unwrap_or_default(),
        multisets: options.multiset,
    };
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let answer = match published(&game, &question, &mut meter) {
        Ok(Some(known)) => Ok(known),
        Err(limit) => Err(limit.into()),
        Ok(None) => {
            let law = law(&game, &question, options, &clock);
            count(&game, &question, law.as_ref(), &mut meter)
        }
    };
    clock.hide();
    let json = HeapsJson {
        game: argument::name(&game),
        play: play_word(game.play),
        from: question.from.to_string(),
        to: question.to.to_string(),
        heaps: question.heaps.to_string(),
        value: question.value.to_string(),
        multiset: question.multisets,
    };
    let said = |count: &Count| text::counted(&question, count);
    tell(&game, json, &answer, said, options.json, &clock)
}

/// Whether a table of so many places is made soon.
fn is_small(bounds: &[BigUint]) -> bool {
    let places: BigUint = bounds.iter().map(|bound| bound + 1u8).product();
    places <= FEW_PLACES.into()
}

/// The law of components of so many numbers, or of sums of as many heaps.
fn law_in_box<'g>(
    game: &'g Ruleset,
    tracks: usize,
    options: &CountOptions,
    clock: &Clock,
) -> Option<Lawful<'g>> {
    let cancel = || clock.past_half();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let shelf = Cache::open(options.cache.no_cache);
    let scopes = scopes(game);
    let is_component = scopes.contains(&tracks);
    if scopes == [1] && has_values(game).is_ok() {
        return learn(game, None, false, &shelf, &mut meter);
    }
    let scope = Scope {
        coordinates: if is_component { tracks } else { 1 },
        components: if is_component { 1 } else { tracks },
    };
    learn_of(game, scope, &shelf, &mut meter)
}

/// Counts the places of a table, or sums of heaps that are each at most their bound.
fn in_box(game: &Ruleset, options: &CountOptions) -> Result<Status, Failure> {
    let mut bounds = options.bounds.clone();
    let order = if options.multiset {
        // Heaps fit under bounds in some order iff they do when both are sorted.
        bounds.sort();
        Order::Nondecreasing
    } else {
        Order::Any
    };
    let value = options.value.clone().unwrap_or_default();
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let known = {
        let cancel = || clock.expired();
        let mut meter = Meter::with_cancel(clock.budget(), &cancel);
        match sums_in_box(game, &bounds, &value, order, &mut meter) {
            Ok(None) if !is_small(&bounds) => match law_in_box(game, bounds.len(), options, &clock)
            {
                Some(law) => from_law_in_box(game, &law, &bounds, &value, order, &mut meter),
                None => Ok(None),
            },
            known => known,
        }
    };
    let answer = match known {
        Ok(Some(count)) => Ok(count),
        Err(limit) => Err(limit.into()),
        Ok(None) => {
            let small: Option<Vec<u64>> = bounds.iter().map(ToPrimitive::to_u64).collect();
            let area = match small {
                Some(small) => Area::new(game, small),
                None => Err(NoTable::TooLarge),
            };
            let area = area.map_err(|fault| Failure::Input(text::no_table(game, &fault)))?;
            if options.multiset && area.form == Form::Component {
                let why = text::no_count(game, &NoCount::NotHeaps, &|limit| clock.reached(limit));
                return Err(Failure::Input(why));
            }
            let cancel = || clock.expired();
            let mut meter = Meter::with_cancel(clock.budget(), &cancel);
            count_in_box(game, &area, &value, order, &mut meter, &|done| {
                clock.done(done, area.places());
            })
        }
    };
    clock.hide();
    let json = BoxJson {
        game: argument::name(game),
        play: play_word(game.play),
        bounds: options.bounds.iter().map(ToString::to_string).collect(),
        value: value.to_string(),
        multiset: options.multiset,
    };
    let said = |count: &Count| text::counted_in_box(&options.bounds, &value, order, count);
    tell(game, json, &answer, said, options.json, &clock)
}

/// Tells the answer to a question, and why there is none.
fn tell(
    game: &Ruleset,
    question: impl Serialize,
    answer: &Result<Count, NoCount>,
    said: impl Fn(&Count) -> [String; 2],
    json: bool,
    clock: &Clock,
) -> Result<Status, Failure> {
    let reached = |limit| clock.reached(limit);
    let status = match answer {
        Ok(_) => Status::Answered,
        Err(why @ (NoCount::NotHeaps | NoCount::NoValues(_))) => {
            return Err(Failure::Input(text::no_count(game, why, &reached)));
        }
        Err(NoCount::Undecided(_) | NoCount::NoMethod) => Status::Undecided,
    };
    let mut out = output::open();
    if json {
        let answer = CountJson {
            question,
            count: answer.as_ref().ok().map(|answer| answer.count.to_string()),
            evidence: answer
                .as_ref()
                .ok()
                .map(|answer| Proof::from(&answer.evidence)),
            undecided: match answer {
                Err(NoCount::Undecided(undecided)) => Some(Why::new(undecided, &reached)),
                _ => None,
            },
        };
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else if let Ok(answer) = answer {
        let [said, evidence] = said(answer);
        let (bold, faint) = (Style::new().bold(), Style::new().dimmed());
        writeln!(out, "{bold}{said}{bold:#}")?;
        writeln!(out, "{faint}{evidence}{faint:#}")?;
    }
    out.flush()?;
    if let Err(why) = answer {
        anstream::eprintln!("{}", text::no_count(game, why, &reached));
    }
    Ok(status)
}

/// The law of the game, where heaps are too many to look at.
fn law<'g>(
    game: &'g Ruleset,
    question: &Question,
    options: &CountOptions,
    clock: &Clock,
) -> Option<Lawful<'g>> {
    if question.to.to_u64().is_some_and(|to| to <= FEW) {
        return None;
    }
    let cancel = || clock.past_half();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let shelf = Cache::open(options.cache.no_cache);
    if scopes(game) != [1] {
        // What is given as a heap means a component of more numbers.
        return scopes(game).into_iter().find_map(|coordinates| {
            let scope = Scope {
                coordinates,
                components: 1,
            };
            learn_of(game, scope, &shelf, &mut meter)
        });
    }
    learn(
        game,
        None,
        options.trust.accept_conjecture,
        &shelf,
        &mut meter,
    )
}

#[derive(Serialize)]
struct HeapsJson {
    game: String,
    play: &'static str,
    from: String,
    to: String,
    heaps: String,
    value: String,
    multiset: bool,
}

#[derive(Serialize)]
struct BoxJson {
    game: String,
    play: &'static str,
    #[serde(rename = "box")]
    bounds: Vec<String>,
    value: String,
    multiset: bool,
}

#[derive(Serialize)]
struct CountJson<'a, Q> {
    #[serde(flatten)]
    question: Q,
    count: Option<String>,
    evidence: Option<Proof>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Why<'a>>,
}
