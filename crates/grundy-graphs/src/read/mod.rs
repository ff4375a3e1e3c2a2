//! Graphs from text: edge lists, CSV, DOT and JSON.
//!
//! All formats tell the same things one after the other, as `Event`s, and [`read`] gathers them. A
//! graph is read in one pass and no event is kept, so that large files need little more memory than
//! their graph; where a place is to be told later, the text is read again.

mod csv;
mod dot;
mod edges;
mod json;
mod names;

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use crate::graph::{Description, End, Graph, GraphFault, Mover, Oddities, Vertex};
use crate::hackenbush::Sketch;
use crate::work::{Stop, Work};

pub use names::Names;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two names a line.
    Edges,
    /// Comma-separated values.
    Csv,
    /// The language of Graphviz.
    Dot,
    /// JSON.
    Json,
}

impl Format {
    /// The format that the ending of a file's name tells; an edge list if it tells none.
    pub fn of_ending(ending: &str) -> Self {
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Self::Csv,
            "dot" | "gv" => Self::Dot,
            "json" => Self::Json,
            _ => Self::Edges,
        }
    }
}

/// A graph with names.
#[derive(Debug)]
pub struct Named {
    /// The graph.
    pub graph: Graph,
    /// The names of its vertices, in the order in which they first stand in the text.
    pub names: Names,
    /// Where the tokens are, if the text says so.
    pub tokens: Vec<Vertex>,
    /// Where the text says that edges have no direction, if it does.
    pub undirected: Option<Place>,
    /// What is odd and does no harm.
    pub notes: Vec<Note>,
}

/// Something odd that does no harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub oddity: Oddity,
    /// The first place, if it can be told.
    pub place: Option<Place>,
    /// How often.
    pub count: usize,
}

/// What is odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// An edge stands again.
    Repeated(String, String),
    /// An edge leads back to its own vertex, so that play need not end.
    Loop(String),
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFault {
    /// Where; nowhere if a limit was reached.
    pub place: Option<Place>,
    /// What.
    pub fault: Fault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not UTF-8.
    NotText,
    /// A character that no name may hold.
    Control(char),
    /// A line of an edge list has so many words.
    Words(usize),
    /// A word of an edge list looks as if another format was meant.
    OtherFormat(String, Format),
    /// A row of a CSV file has so many fields, and should have this many at most.
    Fields(usize, usize),
    /// A name is missing.
    NameMissing,
    /// The name of a column is not known.
    Column(String),
    /// A column stands twice, or one that must be there is not.
    Columns,
    /// A quoted text does not end.
    Unclosed,
    /// Something stands behind a quoted field.
    BehindQuote,
    /// Something else was expected here.
    Expected(&'static str),
    /// This is no attribute with a meaning here, as it stands at something else.
    Attribute(String),
    /// This is no player.
    Player(String),
    /// This is no end.
    End(String),
    /// This is no probability.
    Probability(String),
    /// This is neither true nor false.
    Truth(String),

    /// What the JSON reader says.
    Json(String),
    /// A vertex that is not among those listed.
    Unknown(String),
    /// A vertex that is listed twice.
    Again(String),
    /// A player, an end or chance in a graph of a game that knows none.
    NotPlain,
    /// What is wrong with the graph, with names.
    Graph(String, Option<String>, Box<GraphFault>),
    /// A limit was reached.
    Stopped(Stop),
}

/// Something that a text tells.
#[derive(Debug)]
pub(crate) enum Event<'t> {
    Vertex {
        name: &'t str,
        end: Option<End>,
        chance: bool,
    },
    Edge {
        from: &'t str,
        to: &'t str,
        mover: Option<Mover>,
        probability: Option<BigRational>,
    },
    Token(&'t str),
    /// Edges have no direction.
    Undirected,
}

/// Where events go.
pub(crate) type Sink<'s> = dyn FnMut(Event, Place) -> Result<(), Fault> + 's;

/// Reads a graph.
///
/// Names are any words; each is a vertex where it first stands. What the formats can say is told
/// in `docs/graphs.md`.
///
/// # Errors
///
/// The first thing that is wrong, with its place.
pub fn read(bytes: &[u8], format: Format, work: &mut Work) -> Result<Named, ReadFault> {
    let text = text(bytes)?;
    let gathered = gather(text, format, work)?;
    let Gathered {
        names,
        mut description,
        tokens,
        undirected,
        declared,
        held,
        work,
    } = gathered;
    description.vertices = names.len();
    let (graph, oddities) = Graph::new(description, work).map_err(|fault| {
        let fault = graph_fault(fault, &names);
        let place = match &fault {
            Fault::Graph(from, to, _) => {
                first_place(text, format, from, to.as_deref(), &declared, &names)
            }
            _ => None,
        };
        ReadFault { place, fault }
    })?;
    // The edges were moved into the graph, which has counted its own.
    work.release(held);
    let notes = notes(&oddities, &names, text, format);
    Ok(Named {
        graph,
        names,
        tokens,
        undirected,
        notes,
    })
}

/// A graph with names, whose edges have no direction.
#[derive(Debug)]
pub struct NamedSketch {
    /// The graph; edges that stand several times are several edges.
    pub sketch: Sketch,
    /// The names of its vertices.
    pub names: Names,
    /// Vertices that the text marks.
    pub tokens: Vec<Vertex>,
}

/// Reads a graph whose edges have no direction, whatever the text says of that.
///
/// # Errors
///
/// As for [`read`]; and where the text says anything of players, ends or chance.
pub fn read_sketch(
    bytes: &[u8],
    format: Format,
    work: &mut Work,
) -> Result<NamedSketch, ReadFault> {
    let text = text(bytes)?;
    let gathered = gather(text, format, work)?;
    let Description {
        edges,
        movers,
        chance,
        probabilities,
        ends,
        ..
    } = gathered.description;
    if !(movers.is_empty() && chance.is_empty() && probabilities.is_empty() && ends.is_empty()) {
        let place = find(text, format, &mut |event| match event {
            Event::Vertex { end, chance, .. } => end.is_some() || *chance,
            Event::Edge {
                mover, probability, ..
            } => mover.is_some() || probability.is_some(),
            Event::Token(_) | Event::Undirected => false,
        });
        return Err(ReadFault {
            place,
            fault: Fault::NotPlain,
        });
    }
    Ok(NamedSketch {
        sketch: Sketch {
            vertices: gathered.names.len(),
            edges,
        },
        names: gathered.names,
        tokens: gathered.tokens,
    })
}

fn gather<'w, 'c>(
    text: &str,
    format: Format,
    work: &'w mut Work<'c>,
) -> Result<Gathered<'w, 'c>, ReadFault> {
    let mut gathered = Gathered {
        names: Names::default(),
        description: Description::default(),
        tokens: Vec::new(),
        undirected: None,
        declared: BTreeMap::new(),
        work,
        held: 0,
    };
    let gathering = events(text, format, &mut |event, place| gathered.add(event, place));
    if let Err(fault) = gathering {
        if fault.fault == Fault::Stopped(Stop::Bytes) {
            // What is too large may be wrong as well, and that can be told without keeping it.
            let work = &mut *gathered.work;
            events(text, format, &mut |_, _| {
                work.spend(1).map_err(Fault::Stopped)
            })?;
        }
        return Err(fault);
    }
    Ok(gathered)
}

/// The bytes as text, without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, ReadFault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let before = std::str::from_utf8(valid).expect("so far it is text");
        ReadFault {
            place: Some(place_behind(before)),
            fault: Fault::NotText,
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The place behind a text.
fn place_behind(before: &str) -> Place {
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let last = before.rfind('\n').map_or(0, |end| end + 1);
    Place {
        line,
        column: before[last..].chars().count() + 1,
    }
}

fn events(text: &str, format: Format, sink: &mut Sink) -> Result<(), ReadFault> {
    let read = match format {
        Format::Edges => edges::events,
        Format::Csv => csv::events,
        Format::Dot => dot::events,
        Format::Json => json::events,
    };
    read(text, sink)
}

/// What was read so far.
struct Gathered<'w, 'c> {
    names: Names,
    description: Description,
    tokens: Vec<Vertex>,
    undirected: Option<Place>,
    /// Where vertices with a kind of their own were told.
    declared: BTreeMap<Vertex, Place>,
    work: &'w mut Work<'c>,
    held: u64,
}

impl Gathered<'_, '_> {
    fn add(&mut self, event: Event, place: Place) -> Result<(), Fault> {
        match event {
            Event::Vertex { name, end, chance } => {
                let vertex = self.vertex(name)?;
                if let Some(end) = end {
                    self.description.ends.insert(vertex, end);
                }
                if chance {
                    self.description.chance.insert(vertex);
                }
                if chance || end.is_some() {
                    self.declared.insert(vertex, place);
                }
            }
            Event::Edge {
                from,
                to,
                mover,
                probability,
            } => {
                let edge = [self.vertex(from)?, self.vertex(to)?];
                let index = self.description.edges.len();
                let movers = &mut self.description.movers;
                if mover.is_some() && movers.is_empty() {
                    movers.resize(index, None);
                }
                if mover.is_some() || !movers.is_empty() {
                    movers.push(mover);
                }
                if let Some(probability) = probability {
                    self.description.probabilities.insert(index, probability);
                }
                self.description.edges.push(edge);
                self.count(|gathered| gathered.description.edges.capacity() as u64 * 8)?;
            }
            Event::Token(name) => {
                let token = self.names.find(name);
                let token = token.ok_or_else(|| Fault::Unknown(name.to_owned()))?;
                self.tokens.push(token);
            }
            Event::Undirected => self.undirected = Some(place),
        }
        Ok(())
    }

    fn vertex(&mut self, name: &str) -> Result<Vertex, Fault> {
        let vertex = self.names.add(name).ok_or(Fault::Stopped(Stop::Bytes))?;
        if vertex as usize + 1 == self.names.len() {
            self.count(|gathered| gathered.description.edges.capacity() as u64 * 8)?;
        }
        Ok(vertex)
    }

    /// Counts what is held now.
    fn count(&mut self, edges: impl Fn(&Self) -> u64) -> Result<(), Fault> {
        let now = edges(self) + self.names.bytes();
        if now > self.held {
            let more = now - self.held;
            self.work.allocate(more).map_err(Fault::Stopped)?;
            self.held = now;
        }
        self.work.spend(1).map_err(Fault::Stopped)
    }
}

/// A fault of a graph with names in the place of numbers.
fn graph_fault(fault: GraphFault, names: &Names) -> Fault {
    let name = |vertex: &Vertex| names.of(*vertex).to_owned();
    let (from, to) = match &fault {
        GraphFault::Stopped(stop) => return Fault::Stopped(*stop),
        GraphFault::TooLarge | GraphFault::NoVertex(_) => return Fault::Stopped(Stop::Bytes),
        GraphFault::RepeatedChance(from, to)
        | GraphFault::ChanceOfPlayer(from, to)
        | GraphFault::NoProbability(from, to, _)
        | GraphFault::ProbabilityMissing(from, to) => (name(from), Some(name(to))),
        GraphFault::Sum(from, _) | GraphFault::NoChoice(from) | GraphFault::EndWithMoves(from) => {
            (name(from), None)
        }
    };
    Fault::Graph(from, to, Box::new(fault))
}

/// Where an edge last stands; without a second name, where a vertex was declared or an edge first leaves it.
fn first_place(
    text: &str,
    format: Format,
    from: &str,
    to: Option<&str>,
    declared: &BTreeMap<Vertex, Place>,
    names: &Names,
) -> Option<Place> {
    if to.is_none()
        && let Some(place) = names.find(from).and_then(|vertex| declared.get(&vertex))
    {
        return Some(*place);
    }
    let mut found = None;
    // It was read before, without a fault.
    let _ = events(text, format, &mut |event, place| {
        if let Event::Edge {
            from: this,
            to: that,
            ..
        } = event
            && this == from
            && to.is_none_or(|to| to == that)
        {
            found = match to {
                Some(_) => Some(place),
                None => found.or(Some(place)),
            };
        }
        Ok(())
    });
    found
}

/// Tells what is odd, with the first place of each kind.
fn notes(oddities: &Oddities, names: &Names, text: &str, format: Format) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some((from, to, mover)) = oddities.repetition {
        let (from, to) = (names.of(from), names.of(to));
        let mut met = 0;
        let place = find(text, format, &mut |event| {
            let is_it = matches!(event, Event::Edge { from: this, to: that, mover: who, .. }
                if *this == from && *that == to && *who == mover);
            met += usize::from(is_it);
            is_it && met == 2
        });
        notes.push(Note {
            oddity: Oddity::Repeated(from.to_owned(), to.to_owned()),
            place,
            count: oddities.repeated,
        });
    }
    if let Some(vertex) = oddities.looped {
        let name = names.of(vertex);
        let place = find(
            text,
            format,
            &mut |event| matches!(event, Event::Edge { from, to, .. } if *from == name && *to == name),
        );
        notes.push(Note {
            oddity: Oddity::Loop(name.to_owned()),
            place,
            count: oddities.loops,
        });
    }
    notes
}

/// The place of the first event that satisfies a condition.
fn find(text: &str, format: Format, is_it: &mut dyn FnMut(&Event) -> bool) -> Option<Place> {
    let mut found = None;
    // The reading stops at it by a fault that nobody sees.
    let _ = events(text, format, &mut |event, place| {
        if is_it(&event) {
            found = Some(place);
            return Err(Fault::Stopped(Stop::Cancelled));
        }
        Ok(())
    });
    found
}

/// A player by name.
pub(crate) fn mover(word: &str) -> Result<Option<Mover>, Fault> {
    Ok(match word {
        "left" | "Left" | "L" => Some(Mover::Left),
        "right" | "Right" | "R" => Some(Mover::Right),
        "both" | "" => None,
        _ => return Err(Fault::Player(word.to_owned())),
    })
}

/// An end by name.
pub(crate) fn end(word: &str) -> Result<End, Fault> {
    Ok(match word {
        "lost" => End::Lost,
        "won" => End::Won,
        "draw" => End::Draw,
        "left" | "Left" | "L" => End::Wins(Mover::Left),
        "right" | "Right" | "R" => End::Wins(Mover::Right),
        _ => return Err(Fault::End(word.to_owned())),
    })
}

/// A truth by name.
pub(crate) fn truth(word: &str) -> Result<bool, Fault> {
    match word {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Fault::Truth(word.to_owned())),
    }
}

/// How long a probability may be written.
const LONGEST_NUMBER: usize = 1000;

/// A probability such as `1/3`, `0.25` or `1`.
pub(crate) fn probability(word: &str) -> Result<BigRational, Fault> {
    let wrong = || Fault::Probability(word.chars().take(60).collect());
    if word.len() > LONGEST_NUMBER {
        return Err(wrong());
    }
    let natural = |digits: &str| -> Result<BigInt, Fault> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        digits.parse().map_err(|_| wrong())
    };
    let (numerator, denominator) = if let Some((over, under)) = word.split_once('/') {
        (natural(over.trim_end())?, natural(under.trim_start())?)
    } else if let Some((whole, part)) = word.split_once('.') {
        let exponent = u32::try_from(part.len()).map_err(|_| wrong())?;
        let digits = natural(&format!("{whole}{part}"))?;
        natural(part)?;
        (digits, BigInt::from(10).pow(exponent))
    } else {
        (natural(word)?, BigInt::from(1))
    };
    if denominator.is_zero() {
        return Err(wrong());
    }
    Ok(BigRational::new(numerator, denominator))
}

/// A fault at a place; limits have none.
pub(crate) fn at(place: Place, fault: Fault) -> ReadFault {
    let place = match fault {
        Fault::Stopped(_) => None,
        _ => Some(place),
    };
    ReadFault { place, fault }
}
