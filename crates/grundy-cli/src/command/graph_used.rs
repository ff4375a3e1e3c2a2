//! `grundy graph --game geography|hackenbush`: games in which vertices or edges of a graph are used up.

use std::io::{self, Write};

use anstyle::Style;
use grundy::text::error;
use grundy_graphs::geography::Geography;
use grundy_graphs::hackenbush::{self, Sketch};
use grundy_graphs::read::{Format, NamedSketch, read_sketch};
use grundy_graphs::{Vertex, Work, text};
use serde::Serialize;

use super::graph::{read_failure, tokens, undecided};
use crate::args::GraphOptions;
use crate::limits::Clock;
use crate::output;
use crate::status::{Failure, Status};

/// A vertex of geography.
#[derive(Serialize)]
struct VertexJson<'a> {
    name: &'a str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<&'a str>>,
}

/// All vertices that were asked about.
#[derive(Serialize)]
struct GeographyJson<'a> {
    game: &'static str,
    solver: &'static str,
    vertices: Vec<VertexJson<'a>>,
}

/// A picture on the ground.
#[derive(Serialize)]
struct HackenbushJson<'a> {
    game: &'static str,
    solver: &'static str,
    ground: Vec<&'a str>,
    outcome: &'static str,
    grundy: String,
    move_count: String,
    moves: Vec<[&'a str; 2]>,
}

fn sketch(
    options: &GraphOptions,
    bytes: &[u8],
    format: Format,
    work: &mut Work,
    clock: &Clock,
) -> Result<NamedSketch, Failure> {
    if options.play.convention() == Some(grundy_rules::ruleset::Play::Misere) {
        return Err(Failure::Input(error(text::ONLY_NORMAL)));
    }
    read_sketch(bytes, format, work).map_err(|fault| read_failure(&options.file, &fault, clock))
}

fn outcome(is_won: bool) -> &'static str {
    if is_won { "N" } else { "P" }
}

/// Geography: one start, with all winning moves, or all vertices as starts.
pub fn geography(
    options: &GraphOptions,
    bytes: &[u8],
    format: Format,
    work: &mut Work,
    clock: &Clock,
) -> Result<Status, Failure> {
    let named = sketch(options, bytes, format, work, clock)?;
    let stopped = |stop| undecided(stop, clock);
    let starts = tokens(&options.tokens, &named.names, &named.tokens)?;
    if starts.len() > 1 {
        return Err(Failure::Input(error(text::ONE_START)));
    }
    let found = Geography::new(&named.sketch, work).map_err(stopped)?;
    let name = |vertex: Vertex| named.names.of(vertex);
    let mut vertices = Vec::new();
    let all = if starts.is_empty() {
        (0u32..).take(named.names.len()).collect()
    } else {
        starts.clone()
    };
    for vertex in all {
        let moves = if starts.is_empty() {
            None
        } else {
            let moves = found.winning_moves(vertex, work).map_err(stopped)?;
            Some(moves.into_iter().map(name).collect())
        };
        vertices.push(VertexJson {
            name: name(vertex),
            outcome: outcome(found.is_won(vertex)),
            moves,
        });
    }
    clock.hide();
    let mut out = output::open();
    if options.json {
        let json = GeographyJson {
            game: "geography",
            solver: "matching",
            vertices,
        };
        return written(&mut *out, &json);
    }
    writeln!(out, "{}", text::GEOGRAPHY)?;
    for vertex in vertices.iter().take(options.limit) {
        let moves = vertex.moves.as_ref().map(|moves| moves.join(" "));
        let line = format!(
            "{}  {}  {}",
            vertex.name,
            vertex.outcome,
            moves.unwrap_or_default()
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if vertices.len() > options.limit {
        writeln!(out, "{}", text::more(vertices.len() - options.limit))?;
    }
    out.flush()?;
    Ok(Status::Answered)
}

/// Hackenbush: the value of what stands on the ground, and the winning cuts.
pub fn hackenbush(
    options: &GraphOptions,
    bytes: &[u8],
    format: Format,
    work: &mut Work,
    clock: &Clock,
) -> Result<Status, Failure> {
    let named = sketch(options, bytes, format, work, clock)?;
    let stopped = |stop| undecided(stop, clock);
    let ground = tokens(&options.tokens, &named.names, &named.tokens)?;
    if ground.is_empty() {
        return Err(Failure::Input(error(text::GROUND)));
    }
    let value = hackenbush::value(&named.sketch, &ground, work).map_err(stopped)?;
    let cuts = hackenbush::winning_cuts(&named.sketch, &ground, work).map_err(stopped)?;
    clock.hide();
    let name = |vertex: Vertex| named.names.of(vertex);
    let Sketch { edges, .. } = &named.sketch;
    let cut = |index: &usize| edges[*index].map(name);
    let mut out = output::open();
    if options.json {
        let json = HackenbushJson {
            game: "hackenbush",
            solver: "fusion",
            ground: ground.iter().map(|vertex| name(*vertex)).collect(),
            outcome: outcome(value != 0),
            grundy: value.to_string(),
            move_count: cuts.len().to_string(),
            moves: cuts.iter().take(options.limit).map(cut).collect(),
        };
        return written(&mut *out, &json);
    }
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", text::hackenbush(value))?;
    writeln!(out, "{}", text::HACKENBUSH)?;
    if value != 0 {
        writeln!(out, "\n{}:", text::winning_cuts(cuts.len()))?;
    }
    for [one, other] in cuts.iter().take(options.limit).map(cut) {
        writeln!(out, "  {one} – {other}")?;
    }
    if cuts.len() > options.limit {
        writeln!(out, "  {}", text::more(cuts.len() - options.limit))?;
    }
    out.flush()?;
    Ok(Status::Answered)
}

fn written(out: &mut dyn Write, json: &impl Serialize) -> Result<Status, Failure> {
    serde_json::to_writer(&mut *out, json).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(Status::Answered)
}
