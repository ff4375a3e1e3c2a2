//! `grundy misere`: what heaps are worth where the last move loses, and what decides sums.

use std::io::{self, Write};
use std::time::Duration;

use grundy::argument;
use grundy::law::LawReport;
use grundy::misere::Presentation;
use grundy::misere::report::{Heap, Report, report};
use grundy::text;
use grundy_certificate::Law;
use grundy_rules::Meter;
use grundy_rules::ruleset::Play;
use serde::Serialize;

use super::law::LawJson;
use crate::args::MisereOptions;
use crate::input;
use crate::json::outcome_letter;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// How long the search may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(40);

/// What part of the time heaps may take, before a law is looked for.
const HEAPS_PART: u32 = 4;

/// The widest canonical form that is shown in the list.
const WIDEST_FORM: usize = 60;

/// Carries out the command.
pub fn run(options: &MisereOptions) -> Result<Status, Failure> {
    let game = argument::game(&options.game, &input::read)?.with_play(Play::Misere);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let time = options.limits.time.unwrap_or(DEFAULT_TIME) / HEAPS_PART;
    let cancel = || clock.expired();
    let cancel_heaps = || clock.expired() || clock.elapsed() >= time;
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let mut heaps = Meter::with_cancel(clock.budget(), &cancel_heaps);
    let known = report(&game, options.upto, &mut heaps, &mut meter);
    clock.hide();
    let reached = |limit| clock.reached(limit);
    let known = match known {
        Ok(known) => known,
        Err(why) => {
            anstream::eprintln!("{}", text::no_labels(&game, &why, &reached));
            return Ok(Status::WrongInput);
        }
    };
    let mut out = output::open();
    if options.json {
        MisereJson::new(argument::name(&game), &known).write(&mut out)?;
    } else {
        write_heaps(&known, options.upto, &mut out)?;
        match &known.law {
            LawReport::Proved(proved) => {
                if let Some(heap) = known.wild {
                    writeln!(out, "{}", text::wild_from(heap))?;
                }
                for line in text::theorem(&proved.theorem) {
                    writeln!(out, "{line}")?;
                }
            }
            LawReport::Unlabelled {
                wild,
                below,
                checked,
                stopped,
            } => writeln!(
                out,
                "{}",
                text::unlabelled(&game, *wild, *below, *checked, stopped, &reached)
            )?,
            _ => {}
        }
    }
    out.flush()?;
    Ok(match known.law {
        LawReport::Proved(_) => Status::Answered,
        _ => Status::Undecided,
    })
}

fn write_heaps(known: &Report, upto: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = vec![text::MISERE_HEADINGS.map(ToOwned::to_owned)];
    for (size, heap) in known.heaps.iter().enumerate() {
        let mut row = text::misere_heap(size, heap);
        if row[5].chars().count() > WIDEST_FORM {
            "…".clone_into(&mut row[5]);
        }
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let line: String = cells
            .map(|(column, (cell, width))| match column {
                0 | 2 => format!("{cell:>width$}  "),
                _ => format!("{cell:<width$}  "),
            })
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    if (known.heaps.len() as u64) <= upto {
        writeln!(out, "{}", text::misere_ended(known.heaps.len()))?;
    }
    writeln!(out)
}

#[derive(Serialize)]
struct MisereJson {
    heaps: Vec<HeapJson>,
    presentation: Option<PresentationJson>,
    #[serde(flatten)]
    law: LawJson<'static>,
}

#[derive(Serialize)]
struct HeapJson {
    heap: String,
    outcome: &'static str,
    misere_grundy: String,
    grundy: String,
    genus: String,
    misere_values: Vec<String>,
    tame: bool,
    nimber: bool,
    form: String,
}

#[derive(Serialize)]
struct PresentationJson {
    /// The heap of each generator.
    generators: Vec<String>,
    relations: Vec<[String; 2]>,
    order: String,
    lost: Vec<String>,
    /// The element of each heap below the preperiod and the period together.
    heaps: Vec<String>,
}

impl MisereJson {
    fn new(game: String, known: &Report) -> Self {
        let law = match &known.law {
            LawReport::Proved(proved) => match proved.theorem.law() {
                Law::Misere(law) => Some(law),
                _ => None,
            },
            _ => None,
        };
        let presentation = law.and_then(|law| {
            let presentation = Presentation::of(law)?;
            let element = |label: &u64| presentation.words.get(usize::try_from(*label).ok()?);
            Some(PresentationJson {
                generators: presentation.generators.iter().map(u64::to_string).collect(),
                relations: presentation
                    .relations
                    .iter()
                    .map(|(left, right)| [left, right].map(text::word))
                    .collect(),
                order: presentation.order.to_string(),
                lost: presentation.lost.iter().map(text::word).collect(),
                heaps: law
                    .labels
                    .values
                    .iter()
                    .filter_map(element)
                    .map(text::word)
                    .collect(),
            })
        });
        Self {
            heaps: (0..).zip(&known.heaps).map(HeapJson::new).collect(),
            presentation,
            law: LawJson::new(Some(game), Some(&known.law), &[]).with_wild(known.wild),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

impl HeapJson {
    fn new((size, heap): (usize, &Heap)) -> Self {
        Self {
            heap: size.to_string(),
            outcome: outcome_letter(heap.outcome),
            misere_grundy: heap.genus.misere[0].to_string(),
            grundy: heap.genus.normal.to_string(),
            genus: text::genus(heap),
            misere_values: heap.genus.misere.iter().map(u64::to_string).collect(),
            tame: heap.kind != grundy::misere::report::Kind::Wild,
            nimber: heap.kind == grundy::misere::report::Kind::Nimber,
            form: text::form(&heap.form),
        }
    }
}
