//! JSON: an object with `vertices`, `edges` and `tokens`.
//!
//! A vertex is a name, or an object with `name`, and perhaps `end` and `chance`. An edge is a list
//! of two names, or an object with `from`, `to`, and perhaps `player` and `probability`. Names are
//! texts or natural numbers. Where `vertices` is given, edges and tokens are between those only.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Event, Fault, Place, ReadFault, Sink, at, place_behind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'t> {
    #[serde(borrow)]
    vertices: Option<Vec<&'t RawValue>>,
    #[serde(borrow, default)]
    edges: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    tokens: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a name, or a natural number")]
enum Name<'t> {
    Text(#[serde(borrow)] Cow<'t, str>),
    Number(u64),
}

impl Name<'_> {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(number) => Cow::Owned(number.to_string()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VertexObject<'t> {
    #[serde(borrow)]
    name: Name<'t>,
    end: Option<String>,
    #[serde(default)]
    chance: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeObject<'t> {
    #[serde(borrow, alias = "source")]
    from: Name<'t>,
    #[serde(borrow, alias = "target")]
    to: Name<'t>,
    player: Option<String>,
    #[serde(borrow)]
    probability: Option<&'t RawValue>,
}

/// The places of parts of a text, asked for in ascending order.
struct Places<'t> {
    text: &'t str,
    /// How far was counted.
    at: usize,
    place: Place,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            place: Place { line: 1, column: 1 },
        }
    }

    fn of(&mut self, part: &str) -> Place {
        let offset = part.as_ptr() as usize - self.text.as_ptr() as usize;
        if offset < self.at {
            *self = Self::new(self.text);
        }
        let behind = place_behind(&self.text[self.at..offset]);
        if behind.line == 1 {
            self.place.column += behind.column - 1;
        } else {
            self.place.line += behind.line - 1;
            self.place.column = behind.column;
        }
        self.at = offset;
        self.place
    }
}

pub(super) fn events(text: &str, sink: &mut Sink) -> Result<(), ReadFault> {
    let origin = Place { line: 1, column: 1 };
    let file: File = serde_json::from_str(text).map_err(|error| fault(&error, origin))?;
    let mut places = Places::new(text);
    let mut declared: Option<BTreeSet<String>> = None;
    if let Some(vertices) = &file.vertices {
        let mut names = BTreeSet::new();
        for vertex in vertices {
            let place = places.of(vertex.get());
            let VertexObject { name, end, chance } = if vertex.get().starts_with('{') {
                part(vertex, place)?
            } else {
                VertexObject {
                    name: part(vertex, place)?,
                    end: None,
                    chance: false,
                }
            };
            let name = checked(&name, None, place)?;
            let end = end.map(|end| super::end(&end)).transpose();
            let event = Event::Vertex {
                name: &name,
                end: end.map_err(|fault| at(place, fault))?,
                chance,
            };
            sink(event, place).map_err(|fault| at(place, fault))?;
            if names.contains(name.as_ref()) {
                return Err(at(place, Fault::Again(name.into_owned())));
            }
            names.insert(name.into_owned());
        }
        declared = Some(names);
    }
    for edge in &file.edges {
        let place = places.of(edge.get());
        let EdgeObject {
            from,
            to,
            player,
            probability,
        } = if edge.get().starts_with('{') {
            part(edge, place)?
        } else {
            let (from, to) = part(edge, place)?;
            EdgeObject {
                from,
                to,
                player: None,
                probability: None,
            }
        };
        let from = checked(&from, declared.as_ref(), place)?;
        let to = checked(&to, declared.as_ref(), place)?;
        let player = player.as_deref().unwrap_or_default();
        let mover = super::mover(player).map_err(|fault| at(place, fault))?;
        let probability = probability.map(|word| super::probability(word.get().trim_matches('"')));
        let event = Event::Edge {
            from: &from,
            to: &to,
            mover,
            probability: probability.transpose().map_err(|fault| at(place, fault))?,
        };
        sink(event, place).map_err(|fault| at(place, fault))?;
    }
    for token in &file.tokens {
        let place = places.of(token.get());
        let name = part(token, place)?;
        let name = checked(&name, declared.as_ref(), place)?;
        sink(Event::Token(&name), place).map_err(|fault| at(place, fault))?;
    }
    Ok(())
}

fn part<'t, T: Deserialize<'t>>(raw: &'t RawValue, place: Place) -> Result<T, ReadFault> {
    serde_json::from_str(raw.get()).map_err(|error| fault(&error, place))
}

/// A name that may stand here.
fn checked<'n>(
    name: &'n Name,
    declared: Option<&BTreeSet<String>>,
    place: Place,
) -> Result<Cow<'n, str>, ReadFault> {
    let name = name.text();
    if name.is_empty() {
        return Err(at(place, Fault::NameMissing));
    }
    if let Some(control) = name.chars().find(|c| c.is_control()) {
        return Err(at(place, Fault::Control(control)));
    }
    if declared.is_some_and(|declared| !declared.contains(name.as_ref())) {
        return Err(at(place, Fault::Unknown(name.into_owned())));
    }
    Ok(name)
}

/// What the JSON reader says of a part that begins at a place.
fn fault(error: &serde_json::Error, origin: Place) -> ReadFault {
    let place = match (error.line(), error.column()) {
        (0, _) => origin,
        (1, column) => Place {
            line: origin.line,
            column: origin.column + column.saturating_sub(1),
        },
        (line, column) => Place {
            line: origin.line + line - 1,
            column,
        },
    };
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    at(place, Fault::Json(message.to_owned()))
}
