//! What is known of a game of one number.

use grundy_rules::{Limit, Ruleset};

use super::laws::periodicity;
use super::undecided;
use crate::info::{Equal, Fact, Info, Published};
use crate::text::Reached;

/// What is known, line by line.
pub fn info(game: &Ruleset, info: &Info, reached: &dyn Fn(Limit) -> Reached) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(code) = &info.code {
        lines.push(format!("code {code}"));
    }
    if let Some(why) = &info.undecided {
        lines.push(undecided(std::slice::from_ref(game), why, reached));
    }
    let Some(last) = info.below.checked_sub(1) else {
        return lines;
    };
    lines.push(match info.law {
        Some(law) => format!(
            "{}: the values up to heap {last} prove it",
            periodicity(law)
        ),
        None => format!("no period is proved by the values up to heap {last}"),
    });
    if let Some((value, heap)) = info.largest {
        lines.push(format!(
            "the largest of these values is {value}, first at heap {heap}"
        ));
    }
    if let Some(space) = info.space {
        let alternates = if space.alternates {
            ", odd heaps the other way round"
        } else {
            ""
        };
        let last = space
            .last
            .map_or(String::new(), |last| format!(", the last one {last}"));
        lines.push(format!(
            "sparse space of the mask {:#x}{alternates}: {} rare heaps besides heap 0{last}",
            space.mask, space.rares
        ));
    }
    if !info.same.is_empty() {
        lines.push(format!(
            "the same moves, by their normal form: {}",
            info.same.join(", ")
        ));
    }
    if !info.equal.is_empty() {
        let codes: Vec<String> = info.equal.iter().map(equal).collect();
        lines.push(format!(
            "the same values for ever, as the proved periods of both show: {}",
            codes.join(", ")
        ));
    }
    let facts = info.published.iter().map(published);
    lines.extend(facts.map(|fact| format!("published: {fact}")));
    lines
}

fn equal(equal: &Equal) -> String {
    let (code, by) = (&equal.code, equal.moved.unsigned_abs());
    match equal.moved {
        0 => code.clone(),
        1.. => format!("{code} (heap n as its heap n + {by})"),
        _ => format!("{code} (heap n as its heap n - {by})"),
    }
}

/// A published fact with its source.
pub fn published(published: &Published) -> String {
    let fact = match &published.fact {
        Fact::Period(law) => periodicity(*law),
        Fact::Note(note) => (*note).to_owned(),
    };
    format!("{fact} ({})", published.source)
}
