//! What people read about problems, in their language. The rest of the crate speaks in data.

mod english;
mod failures;

use grundy::text::render_message;

use crate::fault::{Diagnostic, Fault};

pub use english::fault;
pub use failures::{failure, input_fault};

/// A diagnostic as text: what is wrong, the line it concerns, and what to write instead.
pub fn render(diagnostic: &Diagnostic, file: &str, source: &str, colour: bool) -> String {
    let whole = matches!(diagnostic.fault, Fault::TextTooLong { .. } | Fault::NotUtf8);
    let place = (!whole).then_some(diagnostic.span);
    let message = english::fault(&diagnostic.fault);
    render_message(1, &message, place, file, source, colour)
}
