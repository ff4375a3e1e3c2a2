//! What is said of graphs to people, in English.

use crate::graph::GraphFault;
use crate::read::{Fault, Format, Note, Oddity, Place};
use crate::work::Stop;

/// What is wrong with the text of a graph.
pub fn fault(fault: &Fault) -> String {
    match fault {
        Fault::NotText => "this is not UTF-8".to_owned(),
        Fault::Control(c) => format!("the character U+{:04X} stands in no name", u32::from(*c)),
        Fault::Words(count) => {
            format!(
                "{count} words: a line of an edge list is two names, or one that declares a vertex"
            )
        }
        Fault::OtherFormat(sign, format) => format!(
            "`{sign}` has no meaning in an edge list: for {}, say --format {}",
            format_name(*format),
            format_word(*format)
        ),
        Fault::Fields(count, most) => format!("{count} fields, and there are {most} columns"),
        Fault::NameMissing => "the name of a vertex is missing".to_owned(),
        Fault::Column(name) => {
            format!("no column is called `{name}`: from, to, player and probability are known")
        }
        Fault::Columns => "the columns must be from and to, each once".to_owned(),
        Fault::Unclosed => "this does not end".to_owned(),
        Fault::BehindQuote => {
            "a quoted field ends before a comma or the end of the line".to_owned()
        }
        Fault::Expected(what) => format!("{what} should stand here"),
        Fault::Attribute(name) => format!(
            "`{name}` has no meaning here: vertices have end, chance and token, edges player and probability"
        ),
        Fault::Player(word) => format!("`{word}` is no player: left, right or both"),
        Fault::End(word) => format!("`{word}` is no end: lost, won, draw, left or right"),
        Fault::Probability(word) => {
            format!("`{word}` is no probability: write 1/3, 0.25 or 1")
        }
        Fault::Truth(word) => format!("`{word}` is neither true nor false"),
        Fault::Json(message) => message.clone(),
        Fault::Unknown(name) => format!("`{name}` is not among the vertices"),
        Fault::Again(name) => format!("the vertex `{name}` is listed twice"),
        Fault::Graph(from, to, fault) => {
            graph_fault(from, to.as_deref().unwrap_or_default(), fault)
        }
        Fault::Stopped(stop) => stopped(*stop).to_owned(),
    }
}

fn graph_fault(from: &str, to: &str, fault: &GraphFault) -> String {
    match fault {
        GraphFault::RepeatedChance(..) => {
            format!(
                "chance moves from `{from}` to `{to}` twice: give the edge once, with its probability"
            )
        }
        GraphFault::ChanceOfPlayer(..) => {
            format!("chance moves at `{from}`, so that the edge to `{to}` is no player's")
        }
        GraphFault::NoProbability(.., odd) => {
            format!("{odd} is no probability: it is at least 0 and at most 1")
        }
        GraphFault::ProbabilityMissing(..) => format!(
            "other edges from `{from}` have a probability, so that the one to `{to}` needs one too"
        ),
        GraphFault::Sum(_, sum) => {
            format!("the probabilities at `{from}` add to {sum}, not to 1")
        }
        GraphFault::NoChoice(_) => format!("chance moves at `{from}`, but no edge leads on"),
        GraphFault::EndWithMoves(_) => format!("play ends at `{from}`, but an edge leads on"),
        GraphFault::TooLarge | GraphFault::NoVertex(_) | GraphFault::Stopped(_) => {
            stopped(Stop::Bytes).to_owned()
        }
    }
}

fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Bytes => "the graph needs more memory than may be used",
        Stop::Cancelled => "the time is over",
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Edges => "an edge list",
        Format::Csv => "comma-separated values",
        Format::Dot => "the language of Graphviz",
        Format::Json => "JSON",
    }
}

/// The word for a format on a command line.
pub fn format_word(format: Format) -> &'static str {
    match format {
        Format::Edges => "edges",
        Format::Csv => "csv",
        Format::Dot => "dot",
        Format::Json => "json",
    }
}

/// Something odd that does no harm.
pub fn note(note: &Note) -> String {
    let others = |what: &str| match note.count {
        1 => String::new(),
        count => format!(" ({count} {what} in all)"),
    };
    match &note.oddity {
        Oddity::Repeated(from, to) => format!(
            "the edge from `{from}` to `{to}` stands again; it counts once{}",
            others("such edges")
        ),
        Oddity::Loop(name) => format!(
            "an edge leads from `{name}` back to itself, so that play need not end{}",
            others("such edges")
        ),
    }
}

/// A place before what is said of it.
pub fn at(file: &str, place: Option<Place>) -> String {
    match place {
        Some(Place { line, column }) => format!("{file}:{line}:{column}"),
        None => file.to_owned(),
    }
}
