//! Quotients: a finite monoid that decides the misère sums of a game.
//!
//! Let `Q` be a finite commutative monoid with identity 1, `P` a set of its elements, and let each
//! heap `n` have an element `q(n)`, with `q(0) = 1`. The element of a sum is the product of
//! those of its heaps. Let `M(n)` be the set of the elements of the options of `n`. A sum with
//! heaps `n1, n2, …` has options with the elements
//! `M = q(n2) q(n3) … M(n1) ∪ q(n1) q(n3) … M(n2) ∪ …`.
//!
//! **Theorem** (T. E. Plambeck and A. N. Siegel, *Misère quotients for impartial games*,
//! J. Combin. Theory Ser. A 115, 2008, with the transition algebra in the place of what is checked
//! here). In misère play the sums with an element in `P` are exactly the lost ones, if for all
//! sums of heaps: no option of a sum in `P` is in `P`; a sum without options is not in `P`; and
//! any other sum outside `P` has an option in `P`.
//!
//! **Proof.** By induction on the sum, since moves make sums smaller. ∎
//!
//! There are infinitely many sums; it is enough to look at finitely many things:
//!
//! 1. *For all heaps `n` and all `y` in `Q`: if `q(n) y` is in `P`, then `M(n) y` misses `P`.* Then no
//!    option of a sum in `P` is in `P`, because a move is made in one heap, and `y` is the element of
//!    all others.
//! 2. The *gap* of a sum with the element `x` and the options `M` is the set `D` of all `z` in `Q`
//!    with `x z` outside `P`, for which `M z` misses `P`: together with a sum of the element `z`, no
//!    move in this part wins, though some move must. What remains to be shown is that *1 is in the
//!    gap of a sum exactly if the sum has no options*.
//!
//! The gap of a sum of two sums, with elements `x` and `y` and gaps `D` and `E`, is the set of all
//! `z` with `z y` in `D` and `z x` in `E`. For `x y z` is outside `P` and neither part has a
//! winning move; that is what `D` says of `z y`, and `E` of `z x`. So the pairs of element and gap
//! are those of finitely many sums: begin with the empty one, `(1, Q \ P)`, and add heaps until
//! nothing new comes. A sum that has options and an empty gap is done with, for the gap stays empty.
//!
//! So nothing is asked of `Q` but that this holds: it need not be the smallest monoid that
//! decides the game. If `q` is periodic by the window of `shift`, so are the pairs `(q(n), M(n))`: the
//! proof there shows that `n` and `n + p` have options of the same elements beyond the window. So the
//! heaps below `W + p` are all that must be looked at.

use std::collections::BTreeMap;

use grundy_rules::Meter;

use super::Quotient;
use crate::moves::Moves;
use crate::refusal::{Falsehood, Stop};

/// Verifies that the elements of the first heaps decide all sums of such heaps.
pub(super) fn verify(
    moves: &Moves,
    quotient: &Quotient,
    elements: &[u64],
    meter: &mut Meter,
) -> Result<(), Stop> {
    let monoid = Table::new(quotient, meter)?;
    let elements = elements
        .iter()
        .map(|x| usize::try_from(*x).ok().filter(|x| *x < monoid.order))
        .collect::<Option<Vec<usize>>>()
        .ok_or(Falsehood::NoMonoid)?;
    let mut heaps = BTreeMap::new();
    let classes = moves.up_to(elements.len() as u64, meter)?;
    for (heap, element) in (0u64..).zip(&elements) {
        let mut options = Set::empty(monoid.order);
        let end = classes.partition_point(|class| class.removed <= heap);
        for class in &classes[..end] {
            class.for_each_option(heap, meter, &mut |parts| {
                let parts = parts.iter().map(|part| {
                    elements[usize::try_from(*part).expect("smaller than a heap in memory")]
                });
                options.insert(parts.fold(0, |x, y| monoid.product(x, y)));
            })?;
        }
        if heap == 0 && *element != 0 {
            return Err(Falsehood::Label { heap }.into());
        }
        heaps.entry((*element, options)).or_insert(heap);
    }
    let mut parts = Vec::new();
    for ((element, options), heap) in heaps {
        meter.spend(4 * (monoid.order * options.len()) as u64)?;
        let part = monoid.part(element, &options, heap);
        parts.push(part.ok_or(Falsehood::LostOption { heap })?);
    }
    monoid.no_gap(&parts, meter)
}

/// A finite commutative monoid, with its lost elements.
struct Table {
    order: usize,
    products: Vec<usize>,
    lost: Set,
}

/// A sum as far as it matters in larger sums.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    element: usize,
    gap: Set,
    ends: bool,
}

/// A heap as a part of sums.
struct Part {
    heap: u64,
    sum: Sum,
}

impl Table {
    /// Verifies the laws of a commutative monoid.
    fn new(quotient: &Quotient, meter: &mut Meter) -> Result<Self, Stop> {
        let order = usize::try_from(quotient.order).map_err(|_| Falsehood::NoMonoid)?;
        let cells = quotient.order.saturating_mul(quotient.order);
        meter.allocate(cells.saturating_mul(8))?;
        let mut products = Vec::with_capacity(order * order);
        for x in 0..quotient.order {
            for y in 0..quotient.order {
                let product = quotient.product(x, y).filter(|z| *z < quotient.order);
                let product = product.and_then(|z| usize::try_from(z).ok());
                products.push(product.ok_or(Falsehood::NoMonoid)?);
            }
        }
        let mut lost = Set::empty(order);
        for x in &quotient.lost {
            let x = usize::try_from(*x).ok().filter(|x| *x < order);
            lost.insert(x.ok_or(Falsehood::NoMonoid)?);
        }
        let table = Self {
            order,
            products,
            lost,
        };
        meter.spend(cells.saturating_mul(quotient.order))?;
        for x in 0..order {
            if table.product(0, x) != x {
                return Err(Falsehood::NoMonoid.into());
            }
            for y in 0..=x {
                let xy = table.product(x, y);
                if (0..order).any(|z| table.product(xy, z) != table.product(x, table.product(y, z)))
                {
                    return Err(Falsehood::NoMonoid.into());
                }
            }
        }
        Ok(table)
    }

    fn product(&self, x: usize, y: usize) -> usize {
        self.products[x * self.order + y]
    }

    fn is_lost(&self, x: usize) -> bool {
        self.lost.contains(x)
    }

    /// A heap with its gap; `None` if a move from it leads from a lost sum to a lost one.
    fn part(&self, element: usize, options: &Set, heap: u64) -> Option<Part> {
        let mut gap = Set::empty(self.order);
        for z in 0..self.order {
            let wins = options.iter().any(|x| self.is_lost(self.product(x, z)));
            match (self.is_lost(self.product(element, z)), wins) {
                (true, true) => return None,
                (false, false) => gap.insert(z),
                _ => {}
            }
        }
        let ends = options.len() == 0;
        Some(Part {
            heap,
            sum: Sum { element, gap, ends },
        })
    }

    fn add(&self, a: &Sum, b: &Sum) -> Sum {
        let mut gap = Set::empty(self.order);
        for z in 0..self.order {
            if a.gap.contains(self.product(z, b.element))
                && b.gap.contains(self.product(z, a.element))
            {
                gap.insert(z);
            }
        }
        Sum {
            element: self.product(a.element, b.element),
            gap,
            ends: a.ends && b.ends,
        }
    }

    /// Verifies that 1 is in the gap of no sum but those without options, and in the gaps of these.
    fn no_gap(&self, parts: &[Part], meter: &mut Meter) -> Result<(), Stop> {
        let mut gap = Set::empty(self.order);
        (0..self.order)
            .filter(|z| !self.is_lost(*z))
            .for_each(|z| gap.insert(z));
        let empty = Sum {
            element: 0,
            gap,
            ends: true,
        };
        // For each sum a smaller one and the heap that was added to it.
        let mut known = BTreeMap::from([(empty.clone(), None)]);
        let mut open = vec![empty];
        while let Some(sum) = open.pop() {
            if sum.gap.contains(0) != sum.ends {
                let mut heaps = Vec::new();
                let mut at = &sum;
                while let Some((smaller, heap)) = &known[at] {
                    heaps.push(*heap);
                    at = smaller;
                }
                heaps.sort_unstable();
                return Err(Falsehood::Outcome { heaps }.into());
            }
            meter.spend((parts.len() * self.order) as u64)?;
            for part in parts {
                let larger = self.add(&sum, &part.sum);
                let is_done = larger.gap.len() == 0 && !larger.ends;
                if !is_done && !known.contains_key(&larger) {
                    meter.allocate(16 * (8 + self.order as u64 / 32))?;
                    known.insert(larger.clone(), Some((sum.clone(), part.heap)));
                    open.push(larger);
                }
            }
        }
        Ok(())
    }
}

/// A set of elements.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Set(Vec<u64>);

impl Set {
    fn empty(order: usize) -> Self {
        Self(vec![0; order.div_ceil(64)])
    }

    fn insert(&mut self, x: usize) {
        self.0[x / 64] |= 1 << (x % 64);
    }

    fn contains(&self, x: usize) -> bool {
        self.0[x / 64] >> (x % 64) & 1 == 1
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..64 * self.0.len()).filter(|x| self.contains(*x))
    }
}
