//! Sums of heaps that labels decide, as in misère play.

use grundy_certificate::{Misere, Monoid};
use grundy_rules::Meter;
use grundy_rules::options::{RuleOption, options};
use num_bigint::BigUint;
use std::collections::BTreeSet;

use super::collector::Collector;
use super::{BestMoves, Part, Query, Solver, is_one_label};
use crate::answer::as_move;
use crate::misere::{Labelled, labelled};
use crate::outcome::{Evidence, Outcome, Undecided};

impl Solver<'_> {
    /// The labels of the components, in misère play, where laws of all of them are known that go together.
    pub(super) fn labelled(&self, sum: &[Part]) -> Option<Labelled<'_>> {
        let [first, ..] = sum else { return None };
        let laws = self
            .engines
            .iter()
            .map(|engine| engine.by_labels()?.labels());
        let laws: Vec<Option<&Misere>> = laws.collect();
        let parts = sum.iter().map(|part| {
            let law = laws[part.game]?;
            // Elements of the quotients of two games cannot be multiplied.
            let together = part.game == first.game || law.monoid == Monoid::Tame;
            together.then_some((law, &part.component))
        });
        labelled(parts.collect::<Option<Vec<_>>>()?)
    }

    pub(super) fn outcome_by_labels(&self, sum: &[Part]) -> Option<(Outcome, Evidence)> {
        let sums = self.labelled(sum)?;
        let lost = sums.monoid.is_lost(&sums.sum()?);
        let used: BTreeSet<usize> = sum.iter().map(|part| part.game).collect();
        let speaking = used
            .into_iter()
            .filter_map(|game| Some(self.engines[game].by_labels()?.evidence()));
        Some((Outcome::of_lost(lost), Evidence::all(speaking)))
    }

    /// The winning moves where the labels of components decide in misère play; `others` has for each
    /// component the label of all others. If `only`, in that component.
    pub(super) fn moves_by_labels(
        &self,
        sum: &[Part],
        others: &[BigUint],
        only: Option<usize>,
        query: Query,
        meter: &mut Meter,
    ) -> Result<BestMoves, Undecided> {
        let mut best = Collector::new(sum, query);
        let mut seen = BTreeSet::new();
        for (index, (part, others)) in sum.iter().zip(others).enumerate() {
            let is_asked = only.is_none_or(|only| only == index);
            if !is_asked || query.distinct && !seen.insert(part) {
                continue;
            }
            let game = &self.games[part.game];
            let as_move = |option: RuleOption| as_move(game, index, &part.component, option);
            let Some(knowledge) = self.engines[part.game].by_labels() else {
                continue;
            };
            // Moves with different labels may have equal results, which only a list can tell.
            if (!query.distinct || is_one_label(game))
                && let Some(set) = knowledge.moves_to_lost(&part.component, others, meter)?
            {
                best.add_set(set.as_ref(), as_move);
                continue;
            }
            let Some(law) = knowledge.labels() else {
                continue;
            };
            for option in options(game, &part.component, meter)? {
                let mut left = option.result.iter();
                let label = left.try_fold(others.clone(), |sum, component| {
                    law.monoid.sum(&sum, &law.label(component.as_heap()?)?)
                });
                if label.is_some_and(|label| law.monoid.is_lost(&label)) {
                    best.add(as_move(option));
                }
            }
        }
        Ok(best.finish())
    }
}
