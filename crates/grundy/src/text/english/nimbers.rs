//! What is said of expressions of nimbers.

use crate::nimber::{Expected, MOST_BITS, NimFault};

use super::error;

/// What is wrong with an expression of nimbers, with a mark below the place.
pub fn nim_fault(expression: &str, fault: &NimFault) -> String {
    let (at, what) = match fault {
        NimFault::Expected { at, what } => {
            let what = match what {
                Expected::Operand => "a number, `sqrt(…)` or a bracket",
                Expected::Exponent => "a natural number",
                Expected::Closing => "`)`",
                Expected::Operator => "an operator",
            };
            (*at, format!("{what} should stand here"))
        }
        NimFault::DivisionByZero(at) => (*at, "this is 0, which has no inverse".to_owned()),
        NimFault::TooLarge(at) => (
            *at,
            format!(
                "numbers have at most {MOST_BITS} bits here, and brackets are not nested deeper than this"
            ),
        ),
    };
    let column = expression[..at].chars().count();
    // Long numbers are not shown twice.
    if expression.chars().count() > 200 {
        return error(&format!("column {}: {what}", column + 1));
    }
    let indent = " ".repeat(column);
    error(&format!("{what}\n  {expression}\n  {indent}^"))
}
