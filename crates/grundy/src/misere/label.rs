//! Labels of sums, and what they are called.

use grundy_certificate::{Misere, Monoid};
use grundy_rules::Component;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::presentation::{Presentation, Word};
use crate::answer::Reason;

/// What decides about a heap, or a sum, in misère play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// Tame.
    Tame {
        /// Whether it is firm; a sum is fickle if all its parts are.
        firm: bool,
        /// The Grundy value of normal play; 0 or 1 if it is fickle.
        index: BigUint,
    },
    /// An element of a quotient.
    Element(Word),
}

impl Label {
    /// The meaning of a number in a law.
    pub(crate) fn new(law: &Misere, presentation: Option<&Presentation>, label: &BigUint) -> Self {
        match presentation {
            Some(presentation) if law.monoid != Monoid::Tame => {
                let element = label.to_usize().unwrap_or(usize::MAX);
                let word = presentation.words.get(element).cloned();
                Self::Element(word.unwrap_or_default())
            }
            _ => Self::Tame {
                firm: label.bit(0),
                index: label >> 1u8,
            },
        }
    }
}

/// A sum all of whose components have labels of one monoid.
pub(crate) struct Labelled<'k> {
    /// The monoid.
    pub monoid: &'k Monoid,
    /// The label of each component.
    pub labels: Vec<BigUint>,
}

/// The labels of components, each with the law of its game; `None` if one has none, or if they are
/// of different monoids.
pub(crate) fn labelled<'k, 'c>(
    parts: impl IntoIterator<Item = (&'k Misere, &'c Component)>,
) -> Option<Labelled<'k>> {
    let mut last: Option<&Misere> = None;
    let mut labels = Vec::new();
    for (law, component) in parts {
        let first = *last.get_or_insert(law);
        if !std::ptr::eq(first, law) && first.monoid != law.monoid {
            return None;
        }
        labels.push(law.label(component.as_heap()?)?);
    }
    Some(Labelled {
        monoid: &last?.monoid,
        labels,
    })
}

impl Labelled<'_> {
    /// The label of the sum.
    pub fn sum(&self) -> Option<BigUint> {
        self.monoid.sum_of_all(&self.labels)
    }

    /// For each component the label of the sum of all others.
    pub fn others(&self) -> Option<Vec<BigUint>> {
        let mut others = Vec::with_capacity(self.labels.len());
        let mut before = BigUint::zero();
        for label in &self.labels {
            let next = self.monoid.sum(&before, label)?;
            others.push(std::mem::replace(&mut before, next));
        }
        let mut behind = BigUint::zero();
        for (other, label) in others.iter_mut().zip(&self.labels).rev() {
            *other = self.monoid.sum(other, &behind)?;
            behind = self.monoid.sum(&behind, label)?;
        }
        Some(others)
    }
}

/// The most components whose labels are told.
pub const MOST_LABELS: usize = 12;

/// How the outcome of a sum follows from labels.
pub(crate) fn label_reason(law: &Misere, components: &[Component]) -> Option<Reason> {
    let sum = labelled(components.iter().map(|component| (law, component)))?;
    let total = sum.sum()?;
    let presentation = Presentation::of(law);
    let label = |number: &BigUint| Label::new(law, presentation.as_ref(), number);
    let told = components.iter().zip(&sum.labels).take(MOST_LABELS);
    Some(Reason::Labels {
        heaps: told
            .filter_map(|(component, number)| Some((component.as_heap()?.clone(), label(number))))
            .collect(),
        components: components.len(),
        sum: label(&total),
        lost: law.monoid.is_lost(&total),
    })
}
