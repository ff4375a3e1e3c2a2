//! The cells of a box, one after the other in a given order.

use super::order::{Axis, Order};

/// Where in a box a walk stands.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    order: Order,
    extents: Vec<i64>,
    /// No cell with a larger sum of coordinates is visited.
    most: i64,
    /// The sum or largest coordinate that is visited now.
    rank: i64,
}

impl Walk {
    /// A walk over the box, or over its cells with a sum of at most `limit`.
    pub(super) fn new(order: Order, extents: &[u64], limit: Option<u64>) -> Self {
        let extents: Vec<i64> = extents.iter().map(|&extent| extent as i64).collect();
        let total: i64 = extents.iter().sum();
        let most = match order {
            Order::Sum | Order::Lexicographic(_) => {
                limit.map_or(total, |limit| total.min(limit as i64))
            }
            Order::Maximum => extents.iter().copied().max().unwrap_or(0),
        };
        Self {
            order,
            extents,
            most,
            rank: 0,
        }
    }

    /// The cell at which the walk begins.
    pub(super) fn first(&self) -> Vec<i64> {
        let mut cell = vec![0; self.extents.len()];
        if let Order::Lexicographic(axes) = &self.order {
            for axis in axes.iter().filter(|axis| axis.descending) {
                cell[axis.place] = self.extents[axis.place];
            }
        }
        cell
    }

    /// Moves on to the next cell; false at the end.
    #[inline]
    pub(super) fn advance(&mut self, cell: &mut [i64]) -> bool {
        if let Order::Lexicographic(axes) = &self.order {
            for &Axis { place, descending } in axes.iter().rev() {
                let (first, last, step) = if descending {
                    (self.extents[place], 0, -1)
                } else {
                    (0, self.extents[place], 1)
                };
                if cell[place] != last {
                    cell[place] += step;
                    // The coordinates that vary faster are 0: no cell further on this axis fits.
                    if descending || cell.iter().sum::<i64>() <= self.most {
                        return true;
                    }
                }
                cell[place] = first;
            }
            return false;
        }
        loop {
            if !self.advance_prefix(cell) {
                if self.rank == self.most {
                    return false;
                }
                self.rank += 1;
                cell.fill(0);
                if self.complete(cell) {
                    return true;
                }
            } else if self.complete(cell) {
                return true;
            }
        }
    }

    /// Moves to the next cell of this rank, leaving out the last coordinate where the others
    /// determine it.
    fn advance_prefix(&self, cell: &mut [i64]) -> bool {
        let last = cell.len() - 1;
        let free = |prefix: &[i64]| match self.order {
            Order::Sum => self.rank - prefix.iter().sum::<i64>(),
            _ => self.rank,
        };
        let in_maximum = self.order == Order::Maximum && cell[..last].contains(&self.rank);
        if in_maximum && cell[last] < self.extents[last].min(self.rank) {
            cell[last] += 1;
            return true;
        }
        for place in (0..last).rev() {
            cell[place + 1..].fill(0);
            if cell[place] < self.extents[place]
                && free(&cell[..=place]) > 0
                && cell[place] < self.rank
            {
                cell[place] += 1;
                return true;
            }
        }
        false
    }

    /// Sets the last coordinate of a new prefix to its first value; false if it has none.
    fn complete(&self, cell: &mut [i64]) -> bool {
        let last = cell.len() - 1;
        match self.order {
            Order::Sum => cell[last] = self.rank - cell[..last].iter().sum::<i64>(),
            _ if cell[..last].contains(&self.rank) => {}
            _ => cell[last] = self.rank,
        }
        cell[last] <= self.extents[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(order: Order, extents: &[u64], limit: Option<u64>) -> Vec<Vec<i64>> {
        let mut walk = Walk::new(order, extents, limit);
        let mut cell = walk.first();
        let mut all = vec![cell.clone()];
        while walk.advance(&mut cell) {
            all.push(cell.clone());
        }
        all
    }

    #[test]
    fn every_order_visits_each_cell_once_and_never_goes_back() {
        for extents in [&[3, 2][..], &[0, 4], &[4, 0], &[2, 3, 1], &[3, 0, 2]] {
            let size: u64 = extents.iter().map(|extent| extent + 1).product();
            for order in [Order::Sum, Order::Maximum] {
                let cells = visited(order.clone(), extents, None);
                assert!(
                    cells.is_sorted_by_key(|cell| match order {
                        Order::Sum => cell.iter().sum(),
                        _ => *cell.iter().max().unwrap(),
                    }),
                    "{cells:?}"
                );
                let mut distinct = cells.clone();
                distinct.sort();
                distinct.dedup();
                assert_eq!((cells.len(), distinct.len() as u64), (distinct.len(), size));
            }
            let cells = visited(Order::natural(extents.len()), extents, None);
            assert!(cells.is_sorted());
            assert_eq!(cells.len() as u64, size);
        }
        for order in [Order::Sum, Order::natural(2)] {
            assert_eq!(visited(order, &[3, 3], Some(3)).len(), 10);
        }
    }
}
