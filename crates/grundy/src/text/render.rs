//! How a fault is shown: its title, the line it concerns, and what to write instead.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use grundy_rules::Diagnostic;
use grundy_rules::fault::Fault;
use grundy_rules::ruleset::Span;

use super::english;

/// What is said about a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong.
    pub title: String,
    /// What to know about the place, in a few words under it.
    pub label: String,
    /// What to write instead, where that needs a sentence.
    pub help: Option<String>,
}

impl Message {
    /// A message of these words.
    pub fn new(title: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            label: label.into(),
            help: None,
        }
    }

    /// The same with a sentence about what to write instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }
}

/// Lines longer than this are named and not shown.
const LINE_LIMIT: usize = 4096;

/// A diagnostic as text: what is wrong, the line it concerns, and what to write instead.
pub fn render(diagnostic: &Diagnostic, file: &str, source: &str, colour: bool) -> String {
    render_from(1, diagnostic, file, source, colour)
}

/// The same for a text that begins on this line of its file.
pub fn render_from(
    first_line: usize,
    diagnostic: &Diagnostic,
    file: &str,
    source: &str,
    colour: bool,
) -> String {
    let message = english::fault(&diagnostic.fault);
    let place = concerns_a_place(&diagnostic.fault).then_some(diagnostic.span);
    render_message(first_line, &message, place, file, source, colour)
}

/// Any message about a text that begins on this line of its file, under the place that it
/// concerns; without a place it concerns the text as a whole.
pub fn render_message(
    first_line: usize,
    message: &Message,
    place: Option<Span>,
    file: &str,
    source: &str,
    colour: bool,
) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let title = Level::ERROR.primary_title(message.title.as_str());
    let group = Group::with_title(title);
    let group = match place.map(|span| self::place(span, source)) {
        None => group
            .element(Origin::path(file))
            .element(Level::NOTE.message(message.label.as_str())),
        Some(place) if place.text.len() > LINE_LIMIT => group
            .element(
                Origin::path(file)
                    .line(first_line - 1 + place.line)
                    .char_column(place.column()),
            )
            .element(Level::NOTE.message(message.label.as_str())),
        Some(place) => group.element(
            Snippet::source(place.text)
                .path(file)
                .line_start(first_line - 1 + place.line)
                .annotation(
                    AnnotationKind::Primary
                        .span(place.start..place.end)
                        .label(message.label.as_str()),
                ),
        ),
    };
    let group = match &message.help {
        None => group,
        Some(help) => group.element(Level::HELP.message(help.as_str())),
    };
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The lines that a diagnostic concerns.
struct Place<'s> {
    text: &'s str,
    /// The number of the first, from 1.
    line: usize,
    /// Where the concerned bytes begin and end in them.
    start: usize,
    end: usize,
}

impl Place<'_> {
    fn column(&self) -> usize {
        self.text[..self.start].chars().count() + 1
    }
}

/// Whether a fault is one of a place, and not of the text as a whole.
fn concerns_a_place(fault: &Fault) -> bool {
    !matches!(
        fault,
        Fault::NoMoves | Fault::TextTooLong { .. } | Fault::NotUtf8
    )
}

fn place(span: Span, source: &str) -> Place<'_> {
    let floor = |place: usize| source.floor_char_boundary(place.min(source.len()));
    let start = floor(span.start);
    let end = source.ceil_char_boundary(span.end.clamp(start, source.len()));
    let first = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    // A statement of many lines is shown by its first one.
    let last = source[start..]
        .find('\n')
        .map_or(source.len(), |newline| start + newline);
    let text = source[first..last].trim_end_matches('\r');
    Place {
        text,
        line: source[..first].matches('\n').count() + 1,
        start: (start - first).min(text.len()),
        end: (end - first).min(text.len()),
    }
}
