//! Misère play: what decides sums of heaps where whoever moves last loses.
//!
//! Grundy values do not decide them. Two things do, and are proved for heaps of every size by
//! certificates that the checker accepts: the labels of [`tame`] games, and finite
//! quotients. [`games`] are the exact values, which are not finitely many for any game of
//! interest, but can be written down for small heaps.

mod choices;
pub mod games;
mod label;
mod options;
mod presentation;
mod quotient;
pub mod report;
pub mod tame;

use grundy_rules::{Meter, Ruleset};

use crate::law::{LawReport, Stopped};
use crate::shape::Shape;

pub(crate) use choices::choices;
pub use label::{Label, MOST_LABELS};
pub(crate) use label::{Labelled, label_reason, labelled};
pub use presentation::{Presentation, Word};
pub use report::{Report, report};

/// Looks for a law of labels that decides the sums of a game of heaps of one number in misère play, and
/// proves it, looking at no heap above `upto`.
pub fn discover(
    ruleset: &Ruleset,
    shape: &Shape,
    upto: Option<u64>,
    meter: &mut Meter,
) -> LawReport {
    let most = upto.map_or(u64::MAX, |upto| upto.saturating_add(1));
    let report = tame::discover(ruleset, shape, upto, meter);
    let LawReport::Unlabelled {
        wild: Some(heap),
        below,
        ..
    } = report
    else {
        return report;
    };
    let stopped = match quotient::search(ruleset, shape, most, meter) {
        Ok(Some(proved)) => return LawReport::Proved(Box::new(proved)),
        Ok(None) => Stopped::Upto,
        Err(undecided) => Stopped::Undecided(undecided),
    };
    LawReport::Unlabelled {
        wild: Some(heap),
        below,
        stopped,
    }
}
