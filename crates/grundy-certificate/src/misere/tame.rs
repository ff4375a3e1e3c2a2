//! Tame games: two values for each heap decide misère sums.
//!
//! A *label* is a pair (normal value, misère value) of one of these forms: `f0 = (0, 1)`,
//! `f1 = (1, 0)`, which are *fickle*, and `Fk = (k, k)` for any `k`, which are *firm*. The
//! *index* is the normal value. In a sum, indices add by exclusive or, and the sum is fickle if
//! all its parts are. The label of a heap without options is `f0`. A heap with options has, in
//! each coordinate, the mex of its options' labels: if these all have labels, and the pair is
//! of one of the forms above.
//!
//! **Theorem.** If all heaps of some games have labels, then in misère play a sum of such heaps is
//! lost for the player about to move exactly if its label is `f1` or `F0`.
//! (J. H. Conway, *On Numbers and Games*, chapter 12; E. R. Berlekamp, J. H. Conway and R. K.
//! Guy, *Winning Ways*, chapter 13.)
//!
//! **Proof.** An option of `f0` has not normal value 0 and not misère value 1: its label is `f1`
//! or firm with an index of 2 at least, and if there are options, `f1` is one of them. In the same way
//! the options of `f1` are `f0`, at least one, and firm ones with an index of 2 at least. An
//! option of `Fj` is neither `Fj` nor, if `j` is 0 or 1, fickle: not `fj` by its normal value,
//! not the other by its misère value `j`. By induction on the sum:
//!
//! - *`f1` is lost.* All parts are fickle. Moves lead to `f0`, or to a firm sum with an index of 2
//!   at least.
//! - *`f0` is won.* If a part is `f1`, make it `f0`; if all are `f0` and one has options, make
//!   it `f1`: the sum is `f1`. If none has options, there is no move, which wins.
//! - *`F0` is lost.* A move changes the index of the part moved in, for no option of `f0`, `f1` or
//!   `Fj` has the same index `j`, but for `fj` as an option of `Fj`, which is excluded too. So no
//!   move leads to `F0`. To lead to `f1` it must change the only firm part `Fj` to `fi`, where
//!   the index of the others is `j`, so `j` is 0 or 1 and `i` the other one: excluded.
//! - *`Fk` with `k > 0` is won.* Some part has an index `j` in which the highest bit of `k` is
//!   set; let `i = j xor k < j`. If the part is fickle, it is `f1`, and `k` is 1: make it `f0`,
//!   and the sum is `F0`, for another part is firm. If the part is `Fj`, it has options with
//!   normal value `i` and with misère value `i`. If `Fi` is one of them, it leads to `F0`. If
//!   not, `i` is 0 or 1 and both fickle labels are options. Where another part is firm, `fi` leads to
//!   `F0`. Otherwise the other parts have the index `i`, and the fickle option with the
//!   other index leads to `f1`. ∎
//!
//! **Values that grow.** Where any number but finitely many may be taken, large heaps have
//! options that are single heaps with the labels `f0` and `f1`. Such a heap has a normal
//! value of 2 at least; its misère value is the same, because 0 and 1 are among both values of
//! its options and all other values come from firm options. So it is firm, and the law of its
//! Grundy values, proved as in normal play, is that of its index.

use grundy_rules::Meter;

use super::is_firm;
use crate::certificate::Proof;
use crate::law::Periodic;
use crate::moves::{Class, Moves};
use crate::refusal::{Falsehood, Reason, Stop};
use crate::{all_but, take_or_split};

/// The label `f1`.
pub(super) const FICKLE_ONE: u64 = 2;
/// The label `F0`.
pub(super) const FIRM_ZERO: u64 = 1;

/// Verifies the labels of the first heaps.
pub(super) fn verify(moves: &Moves, labels: &[u64], meter: &mut Meter) -> Result<(), Stop> {
    let classes = moves.up_to(labels.len() as u64, meter)?;
    let mut seen = [Seen::default(), Seen::default()];
    for (heap, claimed) in (0u64..).zip(labels) {
        if label(&classes, heap, labels, &mut seen, meter)? != Some(*claimed) {
            return Err(Falsehood::Label { heap }.into());
        }
    }
    Ok(())
}

/// The label of a heap whose options have these labels; `None` if its pair is no label.
fn label(
    classes: &[Class],
    heap: u64,
    labels: &[u64],
    seen: &mut [Seen; 2],
    meter: &mut Meter,
) -> Result<Option<u64>, Stop> {
    let mut ends = true;
    seen.iter_mut().for_each(|seen| seen.stamp = heap + 1);
    let end = classes.partition_point(|class| class.removed <= heap);
    for class in &classes[..end] {
        class.for_each_option(heap, meter, &mut |parts| {
            let parts = parts.iter().map(|part| {
                labels[usize::try_from(*part).expect("smaller than a heap that is looked at")]
            });
            let (xor, or) = parts.fold((0, 0), |(xor, or), label| (xor ^ label, or | label));
            let index = xor >> 1;
            ends = false;
            seen[0].insert(index);
            seen[1].insert(if is_firm(or) { index } else { index ^ 1 });
        })?;
    }
    if ends {
        return Ok(Some(0));
    }
    let [normal, misere] = [seen[0].mex(), seen[1].mex()];
    Ok(match (normal, misere) {
        (0, 1) => Some(0),
        (1, 0) => Some(FICKLE_ONE),
        _ => (normal == misere).then_some(2 * normal + 1),
    })
}

/// Which values options have.
#[derive(Default)]
struct Seen {
    stamps: Vec<u64>,
    stamp: u64,
}

impl Seen {
    fn insert(&mut self, value: u64) {
        let value = usize::try_from(value).expect("below twice the number of options");
        if value >= self.stamps.len() {
            self.stamps.resize((value + 1).next_power_of_two(), 0);
        }
        self.stamps[value] = self.stamp;
    }

    fn mex(&self) -> u64 {
        let unseen = self.stamps.iter().position(|stamp| *stamp != self.stamp);
        unseen.unwrap_or(self.stamps.len()) as u64
    }
}

/// Verifies labels whose indices grow, of a game in which any number but finitely many may be
/// taken.
pub(super) fn check_growing(
    moves: &Moves,
    labels: &Periodic,
    proof: &Proof,
    meter: &mut Meter,
) -> Result<(), Stop> {
    if labels.saltus % 2 == 1 {
        return Err(Reason::Saltus.into());
    }
    let indices = Periodic {
        saltus: labels.saltus / 2,
        values: labels.values.iter().map(|label| label >> 1).collect(),
        ..*labels
    };
    match proof {
        Proof::TakeOrSplit => take_or_split::verify(moves, &indices, meter)?,
        _ => all_but::verify(moves, &indices, meter)?,
    }
    let (kept, _) = moves.take_or_split_sets().ok_or(Reason::Moves)?;
    let mut heaps = (0u64..).zip(&labels.values);
    let one = heaps.find(|(_, label)| **label == FICKLE_ONE);
    let (one, _) = one.ok_or(Reason::Moves)?;
    // From here on, taking all but `one` and taking all are moves.
    let large = one + kept.last().copied().unwrap_or(0) + 1;
    meter.allocate(large.saturating_mul(8))?;
    let first = labels.extended(large).ok_or(Reason::TooLarge)?;
    verify(moves, &first, meter)?;
    let from = large.min(labels.preperiod);
    let mut heaps = (0u64..).zip(&labels.values);
    let wrong = heaps.find(|(heap, label)| *heap >= from && !is_firm(**label));
    match wrong {
        Some((heap, _)) if heap >= large || heap >= labels.preperiod => {
            Err(Falsehood::Label { heap }.into())
        }
        _ => Ok(()),
    }
}
