//! What people read about problems, in their language. The rest of the crate speaks in data.

mod emit;
mod english;
mod failures;
mod stress;
mod table;

use grundy::text::{Message, Reached, render_message};
use grundy_rules::Limit;

use crate::failure::{Failure, Reason};
use crate::fault::{Diagnostic, Fault};

pub(crate) use emit::ARGUED;
pub use emit::no_emit;
pub use english::fault;
pub use failures::{failure, input_fault};
pub use stress::{difference, no_protocol, origin, origin_word};
pub use table::{JudgeRow, judge_header, judge_row, unknown_problem};

/// Why there is no output, as text: the place in the input, or the line of the problem that it
/// concerns. `reached` says what a limit is to the user.
pub fn render_failure(
    failure: &Failure,
    reached: &dyn Fn(Limit) -> Reached,
    file: &str,
    source: &str,
    colour: bool,
) -> String {
    let said = failures::failure(failure, reached);
    match &failure.reason {
        Reason::Input(_) => grundy::text::error(&format!("the input is wrong: {said}")),
        Reason::Undecided(_) => said,
        Reason::Mistake(_) => {
            let message = Message::new(said, "here");
            render_message(1, &message, failure.span, file, source, colour)
        }
    }
}

/// A diagnostic as text: what is wrong, the line it concerns, and what to write instead.
pub fn render(diagnostic: &Diagnostic, file: &str, source: &str, colour: bool) -> String {
    let whole = matches!(diagnostic.fault, Fault::TextTooLong { .. } | Fault::NotUtf8);
    let place = (!whole).then_some(diagnostic.span);
    let message = english::fault(&diagnostic.fault);
    render_message(1, &message, place, file, source, colour)
}
