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

use grundy_certificate::{Law, Misere, Monoid};
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
    let mut checked = None;
    let stopped = match quotient::search(ruleset, shape, most, &mut checked, meter) {
        Ok(Some(proved)) => return LawReport::Proved(Box::new(proved)),
        Ok(None) => Stopped::Upto,
        Err(undecided) => Stopped::Undecided(undecided),
    };
    LawReport::Unlabelled {
        wild: Some(heap),
        below,
        checked,
        stopped,
    }
}

/// The first wild heap of a game with this law of labels; `None` if none is known.
pub fn wild_from(ruleset: &Ruleset, report: &LawReport, meter: &mut Meter) -> Option<u64> {
    match report {
        LawReport::Unlabelled { wild, .. } => *wild,
        LawReport::Proved(proved) => match proved.theorem.law() {
            // A quotient is looked for only where a heap is wild.
            Law::Misere(law) if law.monoid != Monoid::Tame => {
                let shape = Shape::of(ruleset);
                let mut labels = tame::Labels::new(ruleset, &shape);
                labels.extend_to(usize::MAX, meter).ok()?;
                Some(labels.labels().len() as u64)
            }
            _ => None,
        },
        _ => None,
    }
}

/// How many elements the quotient of a law has, and how many of them are those of lost sums; `None` if there are
/// infinitely many.
pub fn order(law: &Misere) -> Option<(usize, usize)> {
    if let Some(quotient) = Presentation::of(law) {
        return Some((quotient.order, quotient.lost.len()));
    }
    let labels = &law.labels;
    if labels.saltus > 0 {
        return None;
    }
    if labels.values.iter().all(|label| label & 1 == 0) {
        // All heaps are fickle.
        return Some(if labels.values.contains(&2) {
            (2, 1)
        } else {
            (1, 0)
        });
    }
    let most = labels.values.iter().map(|label| label >> 1).max()?;
    let firm = usize::try_from((most + 1).checked_next_power_of_two()?.max(4)).ok()?;
    Some((2 + firm, 2))
}
