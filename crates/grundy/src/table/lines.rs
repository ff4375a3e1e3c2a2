//! Boxes whose options lie on a few rays from each cell, as in Wythoff's game: strided scans.
//!
//! The cells of a box fall into lines in the direction of a ray. From one cell of a line to the next, the ray
//! has one option more, so the values of its options are kept as a set of bits, one for each line. A cell enters
//! one value into the set of each of its rays, and its own value is the least that is in none of them: words of 64
//! values are looked at, and not options. The words that are full are known for each set.
//!
//! A ray that ends before the box does drops one option at each step too. As its first distance is one step, its
//! options are options of each other, so their values differ and one bit can be cleared.

use grundy_rules::{Limit, Meter};
use num_integer::Integer;

use super::Quantity;
use super::fill::{Filled, Program};
use super::kernel::Layout;
use super::marks::Cell;
use super::order::Order;
use super::rays::{Distances, MOST_RAYS, Ray};

/// So many cells are computed before the meter is told.
const BATCH: usize = 1 << 12;

/// The rays of a game on a box, and the values that were seen along them.
#[derive(Debug)]
pub(super) struct Lines {
    rays: Vec<Line>,
    single: Vec<Vec<i64>>,
    /// Which coordinate is compared when; the last one varies fastest.
    permutation: Vec<usize>,
    /// A set for each line of each ray: how many of its words are full, and the words.
    sets: Vec<u64>,
    /// How many words a set has; no value in the table is above 64 times as many.
    words: usize,
    /// Values of options on no ray, as bits; empty between the cells.
    others: Vec<u64>,
    /// How many cells have entered the values that they see.
    entered: u64,
}

/// A ray, and how its lines are numbered.
#[derive(Debug)]
struct Line {
    ray: Ray,
    /// How far before a cell its first option stands in the table.
    distance: usize,
    /// How far before it the option that it does not have any more, and at which distances.
    gone: Option<(usize, Vec<i64>)>,
    /// The number of the line through a cell is the sum of these, by its coordinates.
    number: Vec<Vec<usize>>,
}

/// A ray as the cells of one row see it.
struct Active<'a> {
    distance: usize,
    /// From this cell of the row on there is an option on the ray.
    from: usize,
    /// From this one on there is one that it does not have any more, so far before it.
    gone_from: usize,
    gone: usize,
    /// The number of the line through the first option of a cell is the sum of this one and that of the cell.
    base: usize,
    number: &'a [usize],
}

/// Why a row is left.
enum Left {
    /// It is done.
    Done,
    /// The value of the next cell does not fit into a cell.
    TooNarrow,
    /// The value of the last cell does not fit into a set.
    Large,
}

impl Lines {
    /// `None` if this is not the way to compute the table, or if there is no room for it.
    pub(super) fn new(
        distances: Distances,
        layout: &Layout,
        order: &Order,
        meter: &mut Meter,
    ) -> Option<Self> {
        let Order::Lexicographic(axes) = order else {
            return None;
        };
        if axes.iter().any(|axis| axis.descending) || distances.rays.is_empty() {
            return None;
        }
        let mut sets = 0usize;
        let mut rays = Vec::new();
        for ray in distances.rays {
            let (line, count) = Line::new(ray, layout, sets)?;
            sets = sets.checked_add(count)?;
            rays.push(line);
        }
        let words = 1;
        let size = sets.checked_mul(words + 1)?;
        meter.allocate(8 * size as u64).ok()?;
        Some(Self {
            rays,
            single: distances.single,
            permutation: axes.iter().map(|axis| axis.place).collect(),
            sets: vec![0; size],
            words,
            others: vec![0; words],
            entered: 0,
        })
    }

    /// How many bytes the sets take.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.sets.len() as u64
    }

    /// No value in the table is above this one.
    pub(super) fn largest(&self) -> u64 {
        64 * self.words as u64
    }

    /// Makes room for the values below `least` and some more.
    ///
    /// # Errors
    ///
    /// If there is none; then nothing has changed.
    fn grow(&mut self, least: usize, meter: &mut Meter) -> Result<(), Limit> {
        let words = (self.words + self.words / 2).max(least / 64) + 1;
        let old = self.words + 1;
        let size = self.sets.len() / old;
        let size = size.checked_mul(words + 1).ok_or(Limit::Bytes)?;
        meter.allocate(8 * size as u64)?;
        let mut sets = vec![0; size];
        for (new, set) in sets.chunks_mut(words + 1).zip(self.sets.chunks(old)) {
            new[..old].copy_from_slice(set);
        }
        meter.release(self.bytes());
        self.sets = sets;
        self.words = words;
        self.others.resize(words, 0);
        Ok(())
    }

    /// Computes cells in order, from the one that `done` counts up to, until so many are done.
    ///
    /// # Errors
    ///
    /// At a limit; that of bytes if there is no room for larger sets.
    pub(super) fn fill<C: Cell>(
        &mut self,
        program: &Program,
        cells: &mut [C],
        done: &mut u64,
        until: u64,
        meter: &mut Meter,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Filled, Limit> {
        let layout = &program.layout;
        let until = until.min(layout.cells as u64);
        if self.entered < *done {
            // These values were computed elsewhere.
            let largest = cells.iter().map(|&cell| cell.into()).max().unwrap_or(0);
            self.grow(largest as usize + 1, meter)?;
            let mut entered = self.entered;
            self.rows(layout, *done, &mut entered, meter, &mut |run| {
                run.enter(cells);
                Left::Done
            })?;
        }
        let filled = self.rows(layout, until, done, meter, &mut |run| {
            run.fill(cells, program.quantity)
        });
        progress(*done);
        filled
    }

    /// Goes through the rows of the box, and hands out their pieces from the cell that `done` counts up to.
    fn rows(
        &mut self,
        layout: &Layout,
        until: u64,
        done: &mut u64,
        meter: &mut Meter,
        fill: &mut dyn FnMut(&mut Run) -> Left,
    ) -> Result<Filled, Limit> {
        let permutation = self.permutation.clone();
        let (&fastest, outer) = permutation.split_last().expect("a tuple has a coordinate");
        let length = layout.extents[fastest] as usize + 1;
        let stride = layout.strides[fastest] as usize;
        let rays = std::mem::take(&mut self.rays);
        let mut filled = Ok(Filled::Enough);
        'rows: while *done < until {
            let mut row = *done / length as u64;
            let mut cell = vec![0i64; layout.extents.len()];
            for &place in outer.iter().rev() {
                let side = layout.extents[place] + 1;
                cell[place] = (row % side) as i64;
                row /= side;
            }
            let base: i64 = cell.iter().zip(&layout.strides).map(|(c, s)| c * s).sum();
            let is_there = |least: &[i64]| outer.iter().all(|&place| least[place] <= cell[place]);
            let mut active: Vec<Active> = rays
                .iter()
                .filter(|line| is_there(&line.ray.first))
                .map(|line| line.in_row(&cell, outer, fastest))
                .collect();
            active.sort_by_key(|ray| ray.from);
            let mut single: Vec<(usize, usize)> = self
                .single
                .iter()
                .filter(|distance| is_there(distance))
                .map(|distance| (distance[fastest] as usize, in_table(distance, layout)))
                .collect();
            single.sort_unstable();
            let mut from = (*done % length as u64) as usize;
            let stop = (from as u64 + until - *done).min(length as u64) as usize;
            while from < stop {
                // Up to the next threshold all cells have the same rays and distances.
                let rays = active.partition_point(|ray| ray.from <= from);
                let singles = single.partition_point(|(least, _)| *least <= from);
                let next_ray = active.get(rays).map_or(stop, |ray| ray.from);
                let next_single = single.get(singles).map_or(stop, |(least, _)| *least);
                let to = stop.min(next_ray).min(next_single).min(from + BATCH);
                let mut run = Run {
                    rays: &active[..rays],
                    single: &single[..singles],
                    sets: &mut self.sets,
                    others: &mut self.others,
                    words: self.words,
                    first: base as usize,
                    stride,
                    from,
                    to,
                    looked_at: 0,
                };
                let left = fill(&mut run);
                let each = 1 + (rays + singles) as u64 / 8;
                let steps = (run.from - from) as u64 * each + run.looked_at / 8;
                *done += (run.from - from) as u64;
                from = run.from;
                self.entered = self.entered.max(*done);
                let grown = match left {
                    Left::Large => self.grow(0, meter),
                    Left::Done | Left::TooNarrow => Ok(()),
                };
                if let Err(limit) = grown.and(meter.spend(steps)) {
                    filled = Err(limit);
                    break 'rows;
                }
                if let Left::TooNarrow = left {
                    filled = Ok(Filled::TooNarrow);
                    break 'rows;
                }
            }
        }
        self.rays = rays;
        filled
    }
}

/// How far before its cell an option at this distance stands in the table.
fn in_table(distance: &[i64], layout: &Layout) -> usize {
    let pairs = distance.iter().zip(&layout.strides);
    pairs.map(|(n, stride)| n * stride).sum::<i64>() as usize
}

impl Line {
    /// A ray whose lines are numbered from `before` on, and how many numbers they take; `None` if they cannot be
    /// numbered in a simple way.
    ///
    /// Let `g` be the greatest common divisor of the step `g e`, and `e_p` its least positive coordinate. Two
    /// cells lie on one line in direction `e` if and only if they agree in all `e_p c_i - e_i c_p`: then
    /// their difference is a rational multiple of `e`, and an integral one as the coordinates of `e` have no common
    /// divisor. Of these lines each consists of `g` in direction `g e`, which `c_p mod g` tells apart where `e_p` is 1.
    fn new(ray: Ray, layout: &Layout, before: usize) -> Option<(Self, usize)> {
        let sides: Vec<usize> = layout.extents.iter().map(|&e| e as usize).collect();
        let divisor = ray.step.iter().fold(0, |gcd, step| gcd.gcd(step));
        let direction: Vec<usize> = ray.step.iter().map(|s| (s / divisor) as usize).collect();
        let divisor = divisor as usize;
        let positive = (0..sides.len()).filter(|&place| direction[place] > 0);
        let pivot = positive.min_by_key(|&place| direction[place])?;
        let part = direction[pivot];
        if divisor > 1 && part > 1 {
            return None;
        }
        let mut number: Vec<Vec<usize>> = sides.iter().map(|side| vec![0; side + 1]).collect();
        for (c, entry) in number[pivot].iter_mut().enumerate() {
            *entry = before + c % divisor;
        }
        let mut count = divisor;
        for place in (0..sides.len()).filter(|&place| place != pivot) {
            // What is told apart by e_p c_i + e_i (most - c_p), which is never negative.
            let largest = part
                .checked_mul(sides[place])?
                .checked_add(direction[place].checked_mul(sides[pivot])?)?;
            let all = count.checked_mul(largest.checked_add(1)?)?;
            for (c, entry) in number[place].iter_mut().enumerate() {
                *entry += count * part * c;
            }
            for (c, entry) in number[pivot].iter_mut().enumerate() {
                *entry += count * direction[place] * (sides[pivot] - c);
            }
            count = all;
        }
        let gone = ray.count.map(|count| {
            let steps = ray.first.iter().zip(&ray.step);
            let distance: Vec<i64> = steps.map(|(first, step)| first + count * step).collect();
            (in_table(&distance, layout), distance)
        });
        let line = Self {
            distance: in_table(&ray.first, layout),
            gone,
            number,
            ray,
        };
        Some((line, count))
    }

    /// The ray in the row of a cell.
    fn in_row(&self, cell: &[i64], outer: &[usize], fastest: usize) -> Active<'_> {
        let first = &self.ray.first;
        let base = outer
            .iter()
            .map(|&place| self.number[place][(cell[place] - first[place]) as usize]);
        let (gone, gone_from) = match &self.gone {
            Some((gone, least)) if outer.iter().all(|&place| least[place] <= cell[place]) => {
                (*gone, least[fastest] as usize)
            }
            _ => (0, usize::MAX),
        };
        Active {
            distance: self.distance,
            from: first[fastest] as usize,
            gone_from,
            gone,
            base: base.sum(),
            number: &self.number[fastest],
        }
    }
}

/// A piece of a row whose cells have the same rays and distances.
struct Run<'a> {
    rays: &'a [Active<'a>],
    /// From which cell on there is an option on no ray, and how far before it.
    single: &'a [(usize, usize)],
    sets: &'a mut [u64],
    others: &'a mut [u64],
    words: usize,
    /// Where the row begins in the table, and how far apart its cells are.
    first: usize,
    stride: usize,
    /// The next cell, and the one behind the last.
    from: usize,
    to: usize,
    /// How many words were looked at.
    looked_at: u64,
}

/// The values that a cell sees, in the sets that begin at these places.
struct Sees<'a> {
    sets: &'a [u64],
    others: &'a [u64],
    places: &'a [usize],
}

impl Sees<'_> {
    #[inline]
    fn word(&self, word: usize) -> u64 {
        let places = self.places.iter();
        places.fold(self.others[word], |seen, place| {
            seen | self.sets[place + 1 + word]
        })
    }

    /// What a cell holds that sees these; the words before the first are full.
    #[inline]
    fn value(&self, quantity: Quantity, first: usize) -> usize {
        match quantity {
            Quantity::Grundy => self.mex(first),
            // A player without a move has won.
            Quantity::MisereOutcome => usize::from(self.word(0) & 0b11 != 0b10),
        }
    }

    #[inline]
    fn mex(&self, first: usize) -> usize {
        for word in first..self.others.len() {
            let seen = self.word(word);
            if seen != u64::MAX {
                return 64 * word + seen.trailing_ones() as usize;
            }
        }
        64 * self.others.len()
    }
}

impl Run<'_> {
    /// Enters what the cells see into the sets.
    fn enter<C: Cell>(&mut self, cells: &[C]) {
        for y in self.from..self.to {
            let index = self.first + y * self.stride;
            for ray in self.rays {
                let place = ray.place(y, self.words);
                ray.enter(&mut self.sets[place..=place + self.words], cells, index, y);
            }
        }
        self.from = self.to;
    }

    /// Computes cells.
    fn fill<C: Cell>(&mut self, cells: &mut [C], quantity: Quantity) -> Left {
        // The number of rays is known to the compiler where it is small: the inner loops are unrolled then.
        match self.rays {
            [] => self.each::<C, 0>(cells, quantity),
            [_] => self.each::<C, 1>(cells, quantity),
            [_, _] => self.each::<C, 2>(cells, quantity),
            [_, _, _] => self.each::<C, 3>(cells, quantity),
            [_, _, _, _] => self.each::<C, 4>(cells, quantity),
            _ => self.each::<C, MOST_RAYS>(cells, quantity),
        }
    }

    fn each<C: Cell, const MOST: usize>(&mut self, cells: &mut [C], quantity: Quantity) -> Left {
        let mut places = [0; MOST];
        let rays = &self.rays[..self.rays.len().min(MOST)];
        while self.from < self.to {
            let y = self.from;
            let index = self.first + y * self.stride;
            let mut first = 0;
            for (ray, place) in rays.iter().zip(&mut places) {
                *place = ray.place(y, self.words);
                let set = &mut self.sets[*place..=*place + self.words];
                first = first.max(ray.enter(set, cells, index, y));
            }
            for (_, distance) in self.single {
                let value: u64 = cells[index - distance].into();
                self.others[value as usize / 64] |= 1 << (value % 64);
            }
            let sees = Sees {
                sets: self.sets,
                others: self.others,
                places: &places[..rays.len()],
            };
            let value = sees.value(quantity, first);
            for (_, distance) in self.single {
                let value: u64 = cells[index - distance].into();
                self.others[value as usize / 64] = 0;
            }
            self.looked_at += ((value / 64).saturating_sub(first) * rays.len()) as u64;
            let Some(cell) = C::new(value as u64) else {
                return Left::TooNarrow;
            };
            cells[index] = cell;
            self.from += 1;
            if value >= 64 * self.words {
                return Left::Large;
            }
        }
        Left::Done
    }
}

impl Active<'_> {
    /// Where the set of the line through the first option of a cell begins.
    #[inline]
    fn place(&self, y: usize, words: usize) -> usize {
        (self.base + self.number[y - self.from]) * (words + 1)
    }

    /// Enters the value of the first option into the set, and takes out that of the one that is gone. How many
    /// words of the set are full.
    #[inline]
    fn enter<C: Cell>(&self, set: &mut [u64], cells: &[C], index: usize, y: usize) -> usize {
        let (full, set) = set.split_first_mut().expect("it begins with a number");
        if y >= self.gone_from {
            let value: u64 = cells[index - self.gone].into();
            set[value as usize / 64] &= !(1 << (value % 64));
            *full = (*full).min(value / 64);
        }
        let value: u64 = cells[index - self.distance].into();
        set[value as usize / 64] |= 1 << (value % 64);
        while set.get(*full as usize) == Some(&u64::MAX) {
            *full += 1;
        }
        *full as usize
    }
}
