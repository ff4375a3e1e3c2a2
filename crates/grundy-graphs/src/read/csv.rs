//! Comma-separated values: a row for each edge, its columns named in the first row.
//!
//! The columns are `from` and `to` (or `source` and `target`), and perhaps `player` and
//! `probability`. Without such a row the first two are meant, and there are no others. A row with an empty
//! `to` declares a vertex.

use super::{Event, Fault, Place, ReadFault, Sink, at, place_behind};

/// How many fields of a row are looked at before it is refused.
const MOST_FIELDS: usize = 16;

/// A field, and where it stands.
struct Field {
    text: String,
    place: Place,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    From,
    To,
    Player,
    Probability,
}

impl Column {
    fn of(name: &str) -> Option<Self> {
        Some(match name.trim().to_ascii_lowercase().as_str() {
            "from" | "source" => Self::From,
            "to" | "target" => Self::To,
            "player" => Self::Player,
            "probability" => Self::Probability,
            _ => return None,
        })
    }
}

pub(super) fn events(text: &str, sink: &mut Sink) -> Result<(), ReadFault> {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        line_start: 0,
    };
    let mut columns: Option<Vec<Column>> = None;
    while let Some(row) = reader.row()? {
        if let [field] = row.as_slice()
            && field.text.is_empty()
        {
            continue;
        }
        let Some(known) = &columns else {
            if row
                .iter()
                .any(|field| Column::of(&field.text).is_some_and(|c| c == Column::From))
            {
                columns = Some(header(&row)?);
                continue;
            }
            let plain = vec![Column::From, Column::To];
            tell(&row, &plain, sink)?;
            columns = Some(plain);
            continue;
        };
        tell(&row, known, sink)?;
    }
    Ok(())
}

fn header(row: &[Field]) -> Result<Vec<Column>, ReadFault> {
    let mut columns = Vec::new();
    for field in row {
        let column = Column::of(&field.text)
            .ok_or_else(|| at(field.place, Fault::Column(field.text.clone())))?;
        if columns.contains(&column) {
            return Err(at(field.place, Fault::Columns));
        }
        columns.push(column);
    }
    if columns.contains(&Column::To) {
        Ok(columns)
    } else {
        Err(at(row[0].place, Fault::Columns))
    }
}

fn tell(row: &[Field], columns: &[Column], sink: &mut Sink) -> Result<(), ReadFault> {
    if row.len() > columns.len() {
        let fault = Fault::Fields(row.len(), columns.len());
        return Err(at(row[columns.len()].place, fault));
    }
    let field = |column: Column| {
        let index = columns.iter().position(|other| *other == column)?;
        row.get(index).filter(|field| !field.text.is_empty())
    };
    let begin = row[0].place;
    let from = field(Column::From).ok_or_else(|| at(begin, Fault::NameMissing))?;
    let mut mover = None;
    if let Some(field) = field(Column::Player) {
        mover = super::mover(&field.text).map_err(|fault| at(field.place, fault))?;
    }
    let mut probability = None;
    if let Some(field) = field(Column::Probability) {
        let read = super::probability(&field.text).map_err(|fault| at(field.place, fault))?;
        probability = Some(read);
    }
    let event = match field(Column::To) {
        Some(to) => Event::Edge {
            from: &from.text,
            to: &to.text,
            mover,
            probability,
        },
        None if mover.is_some() || probability.is_some() => {
            return Err(at(begin, Fault::NameMissing));
        }
        None => Event::Vertex {
            name: &from.text,
            end: None,
            chance: false,
        },
    };
    sink(event, from.place).map_err(|fault| at(begin, fault))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Reader<'_> {
    fn place(&self, at: usize) -> Place {
        let column = self.text[self.line_start..at].chars().count() + 1;
        Place {
            line: self.line,
            column,
        }
    }

    /// The fields of the next row.
    fn row(&mut self) -> Result<Option<Vec<Field>>, ReadFault> {
        if self.at == self.text.len() {
            return Ok(None);
        }
        let mut row = Vec::new();
        loop {
            let field = self.field()?;
            if row.len() == MOST_FIELDS {
                return Err(at(field.place, Fault::Fields(row.len() + 1, 4)));
            }
            row.push(field);
            match self.text.as_bytes().get(self.at) {
                Some(b',') => self.at += 1,
                Some(_) => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                    return Ok(Some(row));
                }
                None => return Ok(Some(row)),
            }
        }
    }

    /// The next field, up to a comma or the end of a line, which stays.
    fn field(&mut self) -> Result<Field, ReadFault> {
        let start = self.at;
        let place = self.place(start);
        let rest = &self.text[start..];
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut text = String::new();
            let mut from = 0;
            loop {
                let Some(quote) = quoted[from..].find('"') else {
                    return Err(at(place, Fault::Unclosed));
                };
                text.push_str(&quoted[from..from + quote]);
                from += quote + 1;
                if !quoted[from..].starts_with('"') {
                    break;
                }
                text.push('"');
                from += 1;
            }
            if let Some(control) = text.chars().find(|c| c.is_control()) {
                return Err(at(place, Fault::Control(control)));
            }
            self.at = start + 1 + from;
            let behind = self.text[self.at..].trim_start_matches('\r');
            if !(behind.is_empty() || behind.starts_with([',', '\n'])) {
                return Err(at(place_behind(&self.text[..self.at]), Fault::BehindQuote));
            }
            self.at = self.text.len() - behind.len();
            return Ok(Field { text, place });
        }
        let end = rest.find([',', '\n']).unwrap_or(rest.len());
        self.at = start + end;
        let text = rest[..end].trim();
        let control = text.chars().find(|c| c.is_control());
        match control {
            Some(control) => Err(at(place, Fault::Control(control))),
            None => Ok(Field {
                text: text.to_owned(),
                place,
            }),
        }
    }
}
