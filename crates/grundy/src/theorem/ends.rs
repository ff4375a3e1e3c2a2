//! End-Nim: take from the first or the last heap of a row.

use grundy_rules::Component;
use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::Zero;

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

static RULES: KnownRules =
    KnownRules::new("row a, empty ends vanish; first -= k where k >= 1; last -= k where k >= 1");

/// For each row there is one heap that makes it lost when put on the left, and one on the right.
pub(super) const END_NIM: Family = Family {
    name: "rows taken from either end (End-Nim)",
    statement: "a row of two or more heaps is lost iff its first heap is the one that makes the others lost; \
                these heaps follow from those of shorter rows",
    citation: "Albert and Nowakowski 2001, The game of End-Nim",
    samples: &[
        Sample {
            rules: "row a, empty ends vanish; front: first -= k where k >= 1; \
                    back: last -= k where k >= 1",
            components: Components::Rows { length: 5, most: 5 },
            up_to: 1,
        },
        Sample {
            rules: "row a, empty ends vanish; last -= k where k >= 1; first -= j where j > 0",
            components: Components::Rows { length: 6, most: 3 },
            up_to: 1,
        },
        Sample {
            rules: "row a, empty ends vanish; first -= k where k >= 1; last -= k where k >= 1",
            components: Components::Rows {
                length: 3,
                most: 12,
            },
            up_to: 1,
        },
    ],
    recognise: |game| {
        let same = game.written.play() == Play::Normal && game.written.is(&RULES);
        same.then(|| {
            Box::new(Alone {
                ruleset: game.ruleset(),
                lost: Ends,
                citation: END_NIM.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

struct Ends;

/// The heap that makes a row lost when put at the far side of `heap`, where `near` and `far` make
/// the row without `heap` lost, put next to where it stands and at the other side.
fn partner(heap: &BigUint, near: &BigUint, far: &BigUint) -> BigUint {
    if heap.is_zero() {
        far.clone()
    } else if heap == near {
        BigUint::zero()
    } else if (heap < near) == (heap < far) && heap != far {
        heap.clone()
    } else if near < heap {
        // near < heap <= far
        heap - 1u8
    } else {
        // far <= heap < near
        heap + 1u8
    }
}

/// The heaps that make the row without its first heap lost on its left, and the row without its last heap lost on its
/// right. Quadratic in the number of heaps, which are two or more.
fn partners(row: &[&BigUint], meter: &mut Meter) -> Result<(BigUint, BigUint), Limit> {
    // For all rows of one length, by where they begin.
    let mut left: Vec<BigUint> = row.iter().copied().cloned().collect();
    let mut right = left.clone();
    for length in 2..row.len() {
        meter.spend(row.len() as u64)?;
        for start in 0..=row.len() - length {
            let (first, last) = (row[start], row[start + length - 1]);
            let new_left = partner(last, &right[start], &left[start]);
            right[start] = partner(first, &left[start + 1], &right[start + 1]);
            left[start] = new_left;
        }
    }
    Ok((left[1].clone(), right[0].clone()))
}

impl Lost for Ends {
    fn is_lost(&self, component: &Component, meter: &mut Meter) -> Result<Option<bool>, Limit> {
        let Some(row) = numbers(component) else {
            return Ok(None);
        };
        Ok(Some(match row.as_slice() {
            [] => true,
            [_] => false,
            [first, ..] => **first == partners(&row, meter)?.0,
        }))
    }

    fn reason(&self, component: &Component, meter: &mut Meter) -> Result<Option<Reason>, Limit> {
        let Some(row) = numbers(component).filter(|row| row.len() > 1) else {
            return Ok(None);
        };
        Ok(Some(Reason::FirstHeap {
            first: row[0].clone(),
            wanted: partners(&row, meter)?.0,
        }))
    }

    fn lost_options(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let Some(row) = numbers(component) else {
            return Ok(None);
        };
        let (at_left, at_right) = match row.as_slice() {
            [] => return Ok(Some(Vec::new())),
            [_] => (BigUint::zero(), BigUint::zero()),
            _ => partners(&row, meter)?,
        };
        let last = row.len() - 1;
        let mut options = Vec::new();
        for (place, wanted) in [(0, at_left), (last, at_right)] {
            if wanted < *row[place] {
                let mut changed: Vec<BigUint> = row.iter().copied().cloned().collect();
                changed[place] = wanted;
                options.push(Component::of_numbers(changed));
            }
        }
        Ok(Some(options))
    }
}
