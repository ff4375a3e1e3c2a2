//! Edge lists: two names a line, or one that declares a vertex; `#` begins a comment.

use super::{Event, Fault, Format, Place, ReadFault, Sink};

pub(super) fn events(text: &str, sink: &mut Sink) -> Result<(), ReadFault> {
    for (index, line) in text.split('\n').enumerate() {
        let at = |word: &str, fault: Fault| ReadFault {
            place: Some(place(index, line, word)),
            fault,
        };
        let mut words = line
            .split([' ', '\t', '\r'])
            .filter(|word| !word.is_empty())
            .take_while(|word| !word.starts_with('#'));
        let Some(first) = words.next() else {
            continue;
        };
        let second = words.next();
        if let Some(third) = words.next() {
            let fault = match [first, second.unwrap_or_default()] {
                [_, "->" | "--"] => {
                    Fault::OtherFormat(second.unwrap_or_default().to_owned(), Format::Dot)
                }
                _ => Fault::Words(3 + words.count()),
            };
            return Err(at(third, fault));
        }
        for word in [Some(first), second].into_iter().flatten() {
            if let Some(control) = word.chars().find(|c| c.is_control()) {
                return Err(at(word, Fault::Control(control)));
            }
        }
        if second.is_none() && first.contains(',') {
            return Err(at(first, Fault::OtherFormat(",".to_owned(), Format::Csv)));
        }
        let event = match second {
            None => Event::Vertex {
                name: first,
                end: None,
                chance: false,
            },
            Some(to) => Event::Edge {
                from: first,
                to,
                mover: None,
                probability: None,
            },
        };
        // Its column is asked for only where something is told about it.
        let column = 1 + line.len() - line.trim_start_matches([' ', '\t']).len();
        let place = Place {
            line: index + 1,
            column,
        };
        sink(event, place).map_err(|fault| super::at(place, fault))?;
    }
    Ok(())
}

/// The place of a word in its line.
fn place(index: usize, line: &str, word: &str) -> Place {
    let offset = word.as_ptr() as usize - line.as_ptr() as usize;
    Place {
        line: index + 1,
        column: line[..offset].chars().count() + 1,
    }
}
