//! What people read, in English.

use std::fmt::{self, Display, Formatter};

use crate::alphabet::MAX_LETTERS;
use crate::error::Error;
use crate::formula::MAX_DEPTH;
use crate::meter::Limit;
use crate::numeration::NumerationSystem;
use crate::relation::Encoding;
use crate::subset::DigitOrder;

impl Display for Limit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(limit) => write!(f, "an automaton would have more than {limit} states"),
            Self::Transitions(limit) => {
                write!(f, "an automaton would have more than {limit} transitions")
            }
            Self::Steps => f.write_str("the steps allowed are used up"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(f),
            Self::Letters => write!(
                f,
                "the digits of all tracks together make more than {MAX_LETTERS} letters"
            ),
            Self::Radix => f.write_str("these digits are not those of the track"),
            Self::Tracks => f.write_str("a relation between another number of numbers"),
            Self::Table => f.write_str("the table of an automaton has a row of states for each state"),
            Self::Encoding => f.write_str("these relations write numbers in different ways"),
            Self::NotCanonical => {
                f.write_str("the automaton accepts digits that write no number in its system")
            }
            Self::Padding => {
                f.write_str("the automaton does not accept the same numbers at every length")
            }
            Self::System => f.write_str(
                "a base is at least 2; partial quotients are at least 1, and the first is at least 2",
            ),
            Self::Atom => f.write_str("this property cannot be read off the digits of this system"),
            Self::Modulus => f.write_str("there are no remainders modulo 0"),
            Self::Variables => {
                f.write_str("the variables asked for are not those that are free, each once")
            }
            Self::Name(name) => {
                write!(f, "no relation `{name}` of so many variables is defined")
            }
            Self::Depth => write!(f, "a formula is nested more than {MAX_DEPTH} deep"),
        }
    }
}

impl Display for NumerationSystem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(base) = self.as_base() {
            return write!(f, "base {base}");
        }
        let (first, cycle) = self.as_ostrowski().expect("it is no base");
        match (first, cycle) {
            ([2], [1]) => f.write_str("Zeckendorf"),
            ([], [2]) => f.write_str("Pell"),
            _ => {
                f.write_str("Ostrowski [0;")?;
                first
                    .iter()
                    .try_for_each(|quotient| write!(f, " {quotient}"))?;
                f.write_str(" (")?;
                for (at, quotient) in cycle.iter().enumerate() {
                    write!(f, "{}{quotient}", if at > 0 { " " } else { "" })?;
                }
                f.write_str(")]")
            }
        }
    }
}

impl Display for DigitOrder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Msd => "most significant digit first",
            Self::Lsd => "least significant digit first",
        })
    }
}

impl Display for Encoding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.system, self.order)
    }
}
