//! Where inputs come from, and how outputs differ, in English.

use crate::protocol::NoProtocol;
use crate::stress::{Difference, Origin};

/// Where an input comes from.
pub fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Sample => "a sample",
        Origin::Rounds => "many small positions at once",
        Origin::Small => "one of all small inputs",
        Origin::Sweep => "one number running through its range",
        Origin::Edge => "the edges of the limits",
        Origin::Lost => "a lost position",
        Origin::Beside => "beside a lost position",
        Origin::Random => "random",
        Origin::Large => "as much as is allowed",
    }
}

/// The word for an origin in the names of files.
pub fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Sample => "sample",
        Origin::Rounds => "rounds",
        Origin::Small => "small",
        Origin::Sweep => "sweep",
        Origin::Edge => "edge",
        Origin::Lost => "lost",
        Origin::Beside => "beside",
        Origin::Random => "random",
        Origin::Large => "large",
    }
}

/// How an output differs from the one that is expected.
pub fn difference(difference: Difference) -> &'static str {
    match difference {
        Difference::Spacing => "presentation: the words are right, lines or spaces are not",
        Difference::Case => "presentation: right up to capital letters",
        Difference::Answer => "wrong answer",
    }
}

/// Why a game cannot be asked about in the plain way.
pub fn no_protocol(why: NoProtocol) -> &'static str {
    match why {
        NoProtocol::Nested => {
            "its positions are lists in lists, which have no plain form: write a problem file"
        }
        NoProtocol::NoMove => "it has no move",
    }
}
