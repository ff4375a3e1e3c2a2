//! The options of heaps of one number, visited without listing them.

use grundy_rules::options::options;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_traits::ToPrimitive;

use crate::shape::{Form, Shape, for_each_partition};

/// What the moves from heaps of one number lead to.
pub struct HeapOptions<'g> {
    ruleset: &'g Ruleset,
    shape: &'g Shape,
}

impl<'g> HeapOptions<'g> {
    /// The options of a game whose components are heaps of one number.
    pub fn new(ruleset: &'g Ruleset, shape: &'g Shape) -> Self {
        Self { ruleset, shape }
    }

    /// Calls `visit` with the non-empty heaps of each option of the heap `n`, some options more than
    /// once. `None` if a move leads to a heap that is no smaller, or if the empty heap has a move.
    pub fn visit(
        &self,
        n: usize,
        meter: &mut Meter,
        visit: &mut dyn FnMut(&[usize]),
    ) -> Result<Option<()>, Limit> {
        match &self.shape.form {
            Form::Code(code) => {
                for taken in 0..=n {
                    let digit = code.digit(taken);
                    if digit != 0 {
                        for parts in 0..8 {
                            if digit >> parts & 1 == 1 {
                                partitions(n - taken, parts, meter, visit)?;
                            }
                        }
                    } else if code.repeating().is_empty() && taken >= code.head().len() {
                        break;
                    }
                }
            }
            Form::Classes(classes) => {
                for class in classes.classes() {
                    let Some(left) = n.checked_sub(class.removed) else {
                        continue;
                    };
                    let mut point = vec![0; class.parts];
                    partitions(left, class.parts, meter, &mut |parts| {
                        for (coordinate, part) in point.iter_mut().zip(parts) {
                            *coordinate = i64::try_from(*part).expect("heaps in memory are small");
                        }
                        if class.allows(&point) {
                            visit(parts);
                        }
                    })?;
                }
            }
            _ => return self.by_rules(n, meter, visit),
        }
        Ok(Some(()))
    }

    fn by_rules(
        &self,
        n: usize,
        meter: &mut Meter,
        visit: &mut dyn FnMut(&[usize]),
    ) -> Result<Option<()>, Limit> {
        let heap = Component::of_numbers([n as u64]);
        for option in options(self.ruleset, &heap, meter)? {
            let heaps = option.result.iter();
            let sizes = heaps.map(|heap| heap.as_heap().and_then(ToPrimitive::to_usize));
            let Some(mut sizes) = sizes.collect::<Option<Vec<usize>>>() else {
                return Ok(None);
            };
            sizes.retain(|size| *size > 0);
            if n == 0 || sizes.iter().any(|size| *size >= n) {
                return Ok(None);
            }
            visit(&sizes);
        }
        Ok(Some(()))
    }
}

fn partitions(
    total: usize,
    parts: usize,
    meter: &mut Meter,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Limit> {
    if parts == 2 {
        meter.spend(1 + total as u64 / 8)?;
        for first in 1..=total / 2 {
            visit(&[first, total - first]);
        }
        return Ok(());
    }
    meter.spend(1)?;
    for_each_partition(total, parts, &mut |list| {
        meter.spend(1)?;
        visit(list);
        Ok::<(), Limit>(())
    })
}
