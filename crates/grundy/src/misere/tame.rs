//! Tame games: the labels of heaps, and the law behind them.

use grundy_certificate::{Law, Misere, Monoid, Periodic, Proof, is_firm};
use grundy_rules::{Meter, Ruleset};

use super::options::HeapOptions;
use crate::law::{LawReport, NoSequence, Seen, Stopped, shown};
use crate::outcome::Undecided;
use crate::proof::{self, Method};
use crate::shape::Shape;

/// The labels of the heaps 0, 1, …, as `grundy_certificate::Monoid::Tame` writes them, as far as
/// they were asked for and all heaps have one.
pub struct Labels<'g> {
    options: HeapOptions<'g>,
    found: Vec<u64>,
    ended: Option<Ended>,
    normal: Seen,
    misere: Seen,
}

/// Why there are no more labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The next heap is wild: its values are those of no label.
    Wild,
    /// A move does not make the next heap smaller.
    NotSmaller,
}

impl<'g> Labels<'g> {
    /// No label yet.
    pub fn new(ruleset: &'g Ruleset, shape: &'g Shape) -> Self {
        Self {
            options: HeapOptions::new(ruleset, shape),
            found: Vec::new(),
            ended: None,
            normal: Seen::default(),
            misere: Seen::default(),
        }
    }

    /// The labels so far.
    pub fn labels(&self) -> &[u64] {
        &self.found
    }

    /// Why there are no more, if that is known.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Computes labels until there are `count`, or no more.
    ///
    /// A heap has in each coordinate the mex of its options: the normal and the misère value. Together
    /// they are a label if they are equal, or 0 and 1.
    pub fn extend_to(&mut self, count: usize, meter: &mut Meter) -> Result<(), Undecided> {
        while self.found.len() < count && self.ended.is_none() {
            let heap = self.found.len();
            meter.allocate(8)?;
            self.normal.start(heap);
            self.misere.start(heap);
            let mut moves = false;
            let visited = self.options.visit(heap, meter, &mut |parts| {
                let parts = parts.iter().map(|part| self.found[*part]);
                let (xor, or) = parts.fold((0, 0), |(xor, or), label| (xor ^ label, or | label));
                let index = xor >> 1;
                moves = true;
                self.normal.insert(index);
                self.misere
                    .insert(if is_firm(or) { index } else { index ^ 1 });
            })?;
            if visited.is_none() {
                self.ended = Some(Ended::NotSmaller);
                break;
            }
            let normal = self.normal.mex();
            let misere = if moves { self.misere.mex() } else { 1 };
            match (normal, misere) {
                (0, 1) => self.found.push(0),
                (1, 0) => self.found.push(2),
                _ if normal == misere => self.found.push(2 * normal + 1),
                _ => self.ended = Some(Ended::Wild),
            }
        }
        Ok(())
    }
}

/// How many labels are looked at first.
const FIRST: u64 = 64;
/// How many are looked at where no theorem could prove their law.
const MOST_WITHOUT_METHOD: u64 = 512;

/// Looks for the law of the labels, and proves it, looking at no heap above `upto`.
///
/// A law that is never proved is not told: unlike values, labels are asked for to decide sums.
pub fn discover(
    ruleset: &Ruleset,
    shape: &Shape,
    upto: Option<u64>,
    meter: &mut Meter,
) -> LawReport {
    let most = upto.map_or(u64::MAX, |upto| upto.saturating_add(1));
    let mut labels = Labels::new(ruleset, shape);
    let stopped = match search(ruleset, shape, &mut labels, most, meter) {
        Ok(Some(proved)) => return LawReport::Proved(Box::new(proved)),
        Ok(None) => Stopped::Upto,
        Err(undecided) => Stopped::Undecided(undecided),
    };
    if labels.ended() == Some(Ended::NotSmaller) {
        return LawReport::NoSequence(NoSequence::Endless);
    }
    let below = labels.labels().len() as u64;
    LawReport::Unlabelled {
        wild: (labels.ended() == Some(Ended::Wild)).then_some(below),
        below,
        checked: None,
        stopped,
    }
}

fn search(
    ruleset: &Ruleset,
    shape: &Shape,
    labels: &mut Labels,
    most: u64,
    meter: &mut Meter,
) -> Result<Option<proof::Proved>, Undecided> {
    let method = Method::of_form(&shape.form).ok();
    let mut length = FIRST.min(most);
    loop {
        extend(labels, length, meter)?;
        if labels.ended().is_some() {
            return Ok(None);
        }
        if let Some(method) = &method
            && let Some(law) = shown(labels.labels())
            && let Some(needed) = method.values_needed(law).filter(|needed| *needed <= most)
        {
            extend(labels, needed.max(length), meter)?;
            if labels.ended().is_none() && law.holds_in(labels.labels()) {
                let end = usize::try_from(law.preperiod + law.period);
                let end = end.expect("the labels are in memory");
                let law = Law::Misere(Misere {
                    labels: Periodic {
                        preperiod: law.preperiod,
                        period: law.period,
                        saltus: law.saltus,
                        values: labels.labels()[..end].to_vec(),
                    },
                    monoid: Monoid::Tame,
                });
                match proof::certify(ruleset, law, window(method), meter) {
                    Ok(proved) => return Ok(Some(proved)),
                    Err(grundy_certificate::Refusal::Undecided(limit)) => return Err(limit.into()),
                    // What theorems cannot prove they may prove of a law that more labels show.
                    Err(_) => {}
                }
            }
        }
        if length >= most || method.is_none() && length >= MOST_WITHOUT_METHOD {
            return Ok(None);
        }
        length = (length + length / 2).min(most);
    }
}

fn extend(labels: &mut Labels, count: u64, meter: &mut Meter) -> Result<(), Undecided> {
    let count = usize::try_from(count).map_err(|_| grundy_rules::Limit::Bytes)?;
    labels.extend_to(count, meter)
}

/// The theorem of this method as a certificate names it.
pub(super) fn window(method: &Method) -> Proof {
    match method {
        Method::Subtraction { .. } => Proof::Subtraction,
        Method::Shift { .. } => Proof::Shift { mask: 0 },
        Method::AllBut { .. } => Proof::AllBut,
        Method::TakeOrSplit => Proof::TakeOrSplit,
        Method::PeriodicTail { .. } => Proof::PeriodicTail { mask: 0 },
    }
}
