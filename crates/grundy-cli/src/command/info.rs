//! `grundy info`: what is known of a game of one number besides its values.

use std::io::Write;
use std::time::Duration;

use grundy::argument;
use grundy::info::info;
use grundy::law::discover;
use grundy::misere::wild_from;
use grundy::text;
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Meter};
use serde::Serialize;

use crate::args::InfoOptions;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long values are computed unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// How many steps a look at misère play may take.
const MISERE_STEPS: u64 = 100_000_000;

#[derive(Serialize)]
struct InfoJson {
    game: String,
    code: Option<String>,
    upto: Option<String>,
    largest: Option<LargestJson>,
    sparse_space: Option<SpaceJson>,
    /// The period that the values prove.
    law: Option<LawJson>,
    same: Vec<&'static str>,
    /// Codes with the same values for ever.
    equal: Vec<EqualJson>,
    published: Vec<PublishedJson>,
    /// What a quick look at misère play says.
    misere: Option<super::law::LawJson<'static>>,
}

#[derive(Serialize)]
struct LargestJson {
    value: String,
    heap: String,
}

#[derive(Serialize)]
struct SpaceJson {
    mask: String,
    alternates: bool,
    /// Besides heap 0.
    rares: String,
    last: Option<String>,
}

#[derive(Serialize)]
struct LawJson {
    preperiod: String,
    period: String,
    saltus: String,
}

#[derive(Serialize)]
struct EqualJson {
    code: String,
    /// Heap `n` of the game is heap `n + moved` of the code.
    moved: String,
}

#[derive(Serialize)]
struct PublishedJson {
    statement: String,
    source: &'static str,
}

/// Carries out the command.
pub fn run(options: &InfoOptions) -> Result<Status, Failure> {
    let game = options
        .play
        .apply(argument::game(&options.game, &input::read)?);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let reached = |limit| clock.reached(limit);
    let known = info(&game, options.upto, &mut meter);
    let misere = game.with_play(Play::Misere);
    let budget = Budget {
        steps: MISERE_STEPS,
        ..clock.budget()
    };
    let mut quick = Meter::with_cancel(budget, &cancel);
    let labels = known.is_ok().then(|| discover(&misere, None, &mut quick));
    let wild = labels
        .as_ref()
        .and_then(|labels| wild_from(&misere, labels, &mut quick));
    clock.hide();
    let known = match known {
        Ok(known) => known,
        Err(why) => {
            anstream::eprintln!("{}", text::no_sequence(&game, &why, &reached));
            return Ok(Status::Undecided);
        }
    };
    let mut out = output::open();
    if options.json {
        let json = InfoJson {
            game: argument::name(&game),
            upto: known.below.checked_sub(1).map(|upto| upto.to_string()),
            largest: known.largest.map(|(value, heap)| LargestJson {
                value: value.to_string(),
                heap: heap.to_string(),
            }),
            sparse_space: known.space.map(|space| SpaceJson {
                mask: space.mask.to_string(),
                alternates: space.alternates,
                rares: space.rares.to_string(),
                last: space.last.map(|last| last.to_string()),
            }),
            law: known.law.map(|law| LawJson {
                preperiod: law.preperiod.to_string(),
                period: law.period.to_string(),
                saltus: law.saltus.to_string(),
            }),
            same: known.same,
            equal: known
                .equal
                .into_iter()
                .map(|equal| EqualJson {
                    code: equal.code,
                    moved: equal.moved.to_string(),
                })
                .collect(),
            published: known
                .published
                .iter()
                .map(|fact| PublishedJson {
                    statement: text::published(fact),
                    source: fact.source,
                })
                .collect(),
            code: known.code,
            misere: labels
                .as_ref()
                .map(|labels| super::law::LawJson::new(None, Some(labels), &[]).with_wild(wild)),
        };
        serde_json::to_writer(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        for line in text::info(&game, &known, &reached) {
            writeln!(out, "{line}")?;
        }
        let labels = labels.as_ref();
        if let Some(line) = labels.and_then(|labels| text::misere_summary(labels, wild)) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(match known.undecided {
        None => Status::Answered,
        Some(_) => Status::Undecided,
    })
}
