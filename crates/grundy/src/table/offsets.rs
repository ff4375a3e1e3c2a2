//! Rules that lead to the same few neighbours from every cell: one machine word of marks.
//!
//! If each option of a cell stands at a fixed distance from it and there are
//! fewer than 64 of them, all values are below 64, and the values of a cell's
//! options are a set in one word.

use grundy_rules::{Limit, Meter};
use num_integer::Integer;

use super::Quantity;
use super::fill::Program;
use super::kernel::{Kernel, Part, Source};
use super::order::Order;

/// Options are at most so many.
const MOST: usize = 63;
/// So many cells are computed before the meter is told.
const BATCH: usize = 1 << 12;

/// An option at fixed distances from its cell.
#[derive(Clone, Debug)]
struct Neighbour {
    /// The least coordinates of the cells that have it.
    least: Vec<i64>,
    /// How far before the cell its parts stand in the table.
    distances: Vec<usize>,
    /// The values of the empty sum.
    empty: u64,
}

/// All options of a program whose rules lead to fixed neighbours.
#[derive(Debug)]
pub(super) struct Offsets {
    neighbours: Vec<Neighbour>,
    /// Which coordinate is compared when; the last one varies fastest.
    permutation: Vec<usize>,
}

impl Offsets {
    /// `None` if some rule is not of this kind.
    pub(super) fn new(program: &Program, order: &Order) -> Option<Self> {
        let Order::Lexicographic(axes) = order else {
            return None;
        };
        if !program.exact.is_empty() || axes.iter().any(|axis| axis.descending) {
            return None;
        }
        let mut neighbours = Vec::new();
        for kernel in &program.kernels {
            of_kernel(kernel, program, &mut neighbours)?;
            if neighbours.len() > MOST {
                return None;
            }
        }
        Some(Self {
            neighbours,
            permutation: axes.iter().map(|axis| axis.place).collect(),
        })
    }

    /// Computes cells in order, from the one that `done` counts up to, until so many are done.
    pub(super) fn fill(
        &self,
        program: &Program,
        cells: &mut [u8],
        done: &mut u64,
        until: u64,
        meter: &mut Meter,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Limit> {
        let layout = &program.layout;
        let (&fastest, outer) = self
            .permutation
            .split_last()
            .expect("a tuple has a coordinate");
        let length = layout.extents[fastest] as usize + 1;
        let stride = layout.strides[fastest] as usize;
        let until = until.min(layout.cells as u64);
        let mut cell = vec![0i64; layout.extents.len()];
        let mut lines = *done / length as u64;
        for &place in outer.iter().rev() {
            let side = layout.extents[place] + 1;
            cell[place] = (lines % side) as i64;
            lines /= side;
        }
        let mut untold = 0;
        while *done < until {
            let base: i64 = cell.iter().zip(&layout.strides).map(|(c, s)| c * s).sum();
            let mut line: Vec<&Neighbour> = self
                .neighbours
                .iter()
                .filter(|n| outer.iter().all(|&place| n.least[place] <= cell[place]))
                .collect();
            line.sort_by_key(|neighbour| neighbour.least[fastest]);
            let mut from = (*done % length as u64) as usize;
            let stop = (from as u64 + until - *done).min(length as u64) as usize;
            for active in 0..=line.len() {
                // Between two thresholds the same options are there.
                let to = line
                    .get(active)
                    .map_or(length, |next| next.least[fastest] as usize)
                    .min(stop);
                let stretch = Stretch::new(&line[..active], program.quantity);
                while from < to {
                    let end = to.min(from + BATCH - untold);
                    stretch.fill(cells, base as usize + from * stride, stride, end - from);
                    *done += (end - from) as u64;
                    untold += end - from;
                    from = end;
                    if untold == BATCH {
                        untold = 0;
                        meter.spend((BATCH * (1 + active / 8)) as u64)?;
                        progress(*done);
                    }
                }
            }
            let next = outer.iter().rev().find(|&&place| {
                let more = cell[place] < layout.extents[place] as i64;
                cell[place] = if more { cell[place] + 1 } else { 0 };
                more
            });
            if next.is_none() {
                break;
            }
        }
        meter.spend(untold as u64)?;
        progress(*done);
        Ok(())
    }
}

/// The options of neighbouring cells that all have the same.
struct Stretch {
    /// Distances of options of one part.
    single: Vec<usize>,
    /// Distances of the parts of all other options.
    several: Vec<Vec<usize>>,
    /// The marks of options without parts.
    marks: u64,
    quantity: Quantity,
}

impl Stretch {
    fn new(options: &[&Neighbour], quantity: Quantity) -> Self {
        let mut stretch = Self {
            single: Vec::new(),
            several: Vec::new(),
            marks: 0,
            quantity,
        };
        for option in options {
            match option.distances.as_slice() {
                [] => stretch.marks |= 1 << option.empty,
                &[distance] => stretch.single.push(distance),
                many => stretch.several.push(many.to_vec()),
            }
        }
        stretch
    }

    fn fill(&self, cells: &mut [u8], first: usize, stride: usize, count: usize) {
        // The number of options is known to the compiler where it is small: the inner loop is
        // unrolled then.
        match (self.several.is_empty(), self.single.as_slice()) {
            (true, &[a]) => self.each(cells, first, stride, count, |cells, i| mark(cells, i, &[a])),
            (true, &[a, b]) => self.each(cells, first, stride, count, |cells, i| {
                mark(cells, i, &[a, b])
            }),
            (true, &[a, b, c]) => self.each(cells, first, stride, count, |cells, i| {
                mark(cells, i, &[a, b, c])
            }),
            (true, &[a, b, c, d]) => self.each(cells, first, stride, count, |cells, i| {
                mark(cells, i, &[a, b, c, d])
            }),
            (true, single) => self.each(cells, first, stride, count, |cells, i| {
                mark(cells, i, single)
            }),
            (false, single) => self.each(cells, first, stride, count, |cells, i| {
                let sums = self.several.iter().map(|parts| {
                    parts
                        .iter()
                        .fold(0, |sum, distance| sum ^ cells[i - distance])
                });
                sums.fold(mark(cells, i, single), |marks, value| {
                    marks | 1 << (value & 63)
                })
            }),
        }
    }

    #[inline]
    fn each(
        &self,
        cells: &mut [u8],
        first: usize,
        stride: usize,
        count: usize,
        marks: impl Fn(&[u8], usize) -> u64,
    ) {
        let mut index = first;
        for _ in 0..count {
            let marks = self.marks | marks(cells, index);
            cells[index] = match self.quantity {
                Quantity::Grundy => marks.trailing_ones() as u8,
                Quantity::MisereOutcome => u8::from(marks != 0b10),
            };
            index += stride;
        }
    }
}

/// The marks of the options at these distances.
#[inline]
fn mark(cells: &[u8], index: usize, distances: &[usize]) -> u64 {
    distances.iter().fold(0, |marks, distance| {
        marks | 1 << (cells[index - distance] & 63)
    })
}

/// Adds the options of one rule, if each stands at fixed distances wherever it is there.
fn of_kernel(kernel: &Kernel, program: &Program, neighbours: &mut Vec<Neighbour>) -> Option<()> {
    let layout = &program.layout;
    let whole = kernel
        .cells
        .iter()
        .zip(&layout.extents)
        .all(|(&(_, hi), &extent)| hi == extent as i64);
    if !whole || !kernel.tests.is_empty() {
        return None;
    }
    let choices: Vec<i64> = match kernel.levels.as_slice() {
        [] => vec![0],
        [level] if level.tests.is_empty() => match &level.source {
            Source::Listed(list) if list.len() <= MOST => list.to_vec(),
            Source::All if level.range.1 - level.range.0 < MOST as i64 => {
                (level.range.0..=level.range.1).collect()
            }
            _ => return None,
        },
        _ => return None,
    };
    for choice in choices {
        let mut least: Vec<i64> = kernel.cells.iter().map(|&(lo, _)| lo).collect();
        let mut possible = true;
        if let [level] = kernel.levels.as_slice() {
            possible = (level.range.0..=level.range.1).contains(&choice);
            for bound in &level.bounds {
                // factor * choice + constant + coefficient * coordinate >= 0
                let constant = bound.factor.as_constant()? * choice + bound.rest.constant;
                match (bound.rest.is_linear(), bound.rest.linear.as_slice()) {
                    (true, []) => possible &= constant >= 0,
                    (true, &[(slot, coefficient @ 1..)]) if slot < least.len() => {
                        least[slot] = least[slot].max(Integer::div_ceil(&-constant, &coefficient));
                    }
                    _ => return None,
                }
            }
        }
        if !possible {
            continue;
        }
        let distances = kernel
            .parts
            .iter()
            .map(|part| distance(part, choice, program))
            .collect::<Option<Vec<_>>>()?;
        let won = program.quantity == Quantity::MisereOutcome && kernel.components == 0;
        neighbours.push(Neighbour {
            least,
            distances,
            empty: won.into(),
        });
    }
    Some(())
}

/// How far before its cell a part stands in the table, if that is the same everywhere.
fn distance(part: &Part, choice: i64, program: &Program) -> Option<usize> {
    let Part::Run { base, step } = part else {
        return None;
    };
    let strides = &program.layout.strides;
    let own = |&(slot, coefficient): &(usize, i64)| strides.get(slot) == Some(&coefficient);
    if !base.is_linear() || base.linear.len() != strides.len() || !base.linear.iter().all(own) {
        return None;
    }
    let distance = -(base.constant + step.as_constant()? * choice);
    usize::try_from(distance).ok()
}
