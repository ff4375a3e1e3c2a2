//! In which order the cells of a table can be computed: a proof that every option comes earlier.

use super::Unfit;
use super::inequality::Reasoned;
use super::lower::permutations;
use super::poly::{Atoms, Poly};

/// An order of the cells of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Lexicographic, by these axes.
    Lexicographic(Vec<Axis>),
    /// By the sum of the coordinates.
    Sum,
    /// By the largest coordinate.
    Maximum,
}

/// A coordinate, and the end from which it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) place: usize,
    /// Whether larger numbers come first.
    pub(super) descending: bool,
}

impl Order {
    /// Whether a walk can keep to cells with a small sum of coordinates.
    pub(super) fn can_be_limited(&self) -> bool {
        match self {
            Self::Lexicographic(axes) => axes.iter().all(|axis| !axis.descending),
            Self::Sum => true,
            Self::Maximum => false,
        }
    }

    /// Lexicographic with ascending coordinates, the last one varying fastest.
    pub(super) fn natural(arity: usize) -> Self {
        let axis = |place| Axis {
            place,
            descending: false,
        };
        Self::Lexicographic((0..arity).map(axis).collect())
    }
}

/// How a coordinate of an option compares with the same one of its cell, wherever the rule can
/// be used; as much as was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Less,
    NotMore,
    Equal,
    NotLess,
    More,
    Unknown,
}

/// What could be proved about all options of all cells.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    /// In each of these orders every option comes before its cell.
    pub(super) proved: Vec<Order>,
    /// No option has a larger sum of coordinates than its cell.
    pub(super) sum_never_grows: bool,
    /// No option has a coordinate larger than all of its cell.
    pub(super) maximum_never_grows: bool,
}

/// The orders in which every option of every tuple comes before it, as far as that can be proved.
/// Also notes which coordinates may grow.
pub(super) fn orders(arity: usize, rules: &mut [Reasoned]) -> Result<Orders, Unfit> {
    let mut candidates: Vec<Order> = lexicographic(arity);
    if arity > 1 {
        candidates.extend([Order::Sum, Order::Maximum]);
    }
    let (mut sum_never_grows, mut maximum_never_grows) = (true, true);
    for rule in rules {
        if rule.is_dead(&rule.ranges) {
            continue;
        }
        let mut prover = Prover::new(rule);
        let mut may_grow = Vec::new();
        for part in &rule.parts {
            let changes: Vec<Change> = part
                .iter()
                .enumerate()
                .map(|(place, coordinate)| prover.change(place, coordinate))
                .collect();
            candidates.retain(|order| match order {
                Order::Lexicographic(axes) => decreases(&changes, axes),
                Order::Sum => prover.sum_falls(part, 1),
                Order::Maximum => prover.maximum_falls(part, 1),
            });
            sum_never_grows = sum_never_grows && prover.sum_falls(part, 0);
            maximum_never_grows = maximum_never_grows && prover.maximum_falls(part, 0);
            let grows =
                |change: &Change| !matches!(change, Change::Less | Change::NotMore | Change::Equal);
            may_grow.push(changes.iter().map(grows).collect());
        }
        rule.may_grow = may_grow;
        if candidates.is_empty() {
            return Err(Unfit::OrderUnknown {
                rule: rule.rule.number,
            });
        }
    }
    Ok(Orders {
        proved: candidates,
        sum_never_grows,
        maximum_never_grows,
    })
}

/// All lexicographic orders, the ones without descending axes first.
fn lexicographic(arity: usize) -> Vec<Order> {
    // More signs would be more orders than it takes time to look at.
    let signs = if arity <= 3 { 1usize << arity } else { 1 };
    let permutations = permutations(arity);
    let order = |signs: usize, permutation: &Vec<usize>| {
        let axis = |&place: &usize| Axis {
            place,
            descending: signs >> place & 1 == 1,
        };
        Order::Lexicographic(permutation.iter().map(axis).collect())
    };
    (0..signs)
        .flat_map(|signs| {
            permutations
                .iter()
                .map(move |permutation| order(signs, permutation))
        })
        .collect()
}

fn decreases(changes: &[Change], axes: &[Axis]) -> bool {
    for axis in axes {
        match (changes[axis.place], axis.descending) {
            (Change::Less, false) | (Change::More, true) => return true,
            (Change::Equal, _) | (Change::NotMore, false) | (Change::NotLess, true) => {}
            _ => return false,
        }
    }
    false
}

struct Prover<'a> {
    rule: &'a Reasoned,
    atoms: Atoms,
    /// These are at least 0 wherever the rule can be used.
    known: Vec<Poly>,
}

/// How many steps one proof may take; proofs of real rules take fewer than a hundred.
const PATIENCE: usize = 1000;
/// How many inequalities a proof may combine.
const DEPTH: usize = 16;

impl<'a> Prover<'a> {
    fn new(rule: &'a Reasoned) -> Self {
        let mut atoms = rule.atoms.clone();
        let stated = rule.conditions.iter().flat_map(|c| &c.stated);
        let mut known: Vec<Poly> = Vec::new();
        for poly in stated.chain(rule.inequalities()) {
            if !known.contains(poly) {
                known.push(poly.clone());
            }
        }
        let defined = known.iter().chain(rule.parts.iter().flatten());
        let facts = atoms.facts(defined, &rule.ranges);
        known.extend(facts);
        Self { rule, atoms, known }
    }

    fn change(&mut self, place: usize, coordinate: &Poly) -> Change {
        let Some(fall) = Poly::atom(place).subtract(coordinate) else {
            return Change::Unknown;
        };
        let Some(rise) = fall.scale(-1) else {
            return Change::Unknown;
        };
        if fall.is_zero() {
            Change::Equal
        } else if self.at_least(&fall, 1) {
            Change::Less
        } else if self.at_least(&rise, 1) {
            Change::More
        } else if self.at_least(&fall, 0) {
            Change::NotMore
        } else if self.at_least(&rise, 0) {
            Change::NotLess
        } else {
            Change::Unknown
        }
    }

    /// Whether the sum of the coordinates falls by `least`, which is 0 or 1, or more.
    fn sum_falls(&mut self, part: &[Poly], least: i128) -> bool {
        let fall = part
            .iter()
            .enumerate()
            .try_fold(Poly::default(), |sum, (place, coordinate)| {
                sum.add(&Poly::atom(place))?.subtract(coordinate)
            });
        fall.is_some_and(|fall| self.at_least(&fall, least))
    }

    /// Whether the largest coordinate falls by `least`, which is 0 or 1, or more.
    fn maximum_falls(&mut self, part: &[Poly], least: i128) -> bool {
        part.iter().all(|coordinate| {
            (0..part.len()).any(|place| {
                let fall = Poly::atom(place).subtract(coordinate);
                fall.is_some_and(|fall| self.at_least(&fall, least))
            })
        })
    }

    /// Whether the polynomial is at least `least`, which is 0 or 1, wherever the rule can be used.
    fn at_least(&mut self, poly: &Poly, least: i128) -> bool {
        if self.search(poly, least, DEPTH, &mut PATIENCE.clone()) {
            return true;
        }
        // Each argument of a maximum that is subtracted, and the like, is looked at on its own.
        let Some(excess) = poly.subtract(&Poly::constant(least)) else {
            return false;
        };
        let (cases, exact) = self.atoms.unfold(&excess, &|_| true);
        exact
            && cases != [excess]
            && cases
                .iter()
                .all(|case| self.search(case, 0, DEPTH, &mut PATIENCE.clone()))
    }

    /// Looks for a combination of known inequalities with positive factors (Farkas 1902) that
    /// leaves a polynomial whose range is good enough. Scaling by a positive number changes
    /// neither `> 0` nor `>= 0`.
    fn search(&self, poly: &Poly, least: i128, depth: usize, patience: &mut usize) -> bool {
        if self.atoms.range(poly, &self.rule.ranges).lo >= least {
            return true;
        }
        if depth == 0 || *patience == 0 {
            return false;
        }
        *patience -= 1;
        // What is unbounded below has to be cancelled first.
        let (below, above): (Vec<_>, Vec<_>) = poly
            .terms()
            .filter(|(product, _)| !product.is_empty())
            .partition(|(_, coefficient)| *coefficient < 0);
        for (product, coefficient) in below.into_iter().chain(above) {
            for known in &self.known {
                let factor = known
                    .terms()
                    .find(|(other, factor)| {
                        *other == product && factor.signum() == coefficient.signum()
                    })
                    .map(|(_, factor)| factor.abs());
                let Some(factor) = factor else { continue };
                let next = poly
                    .scale(factor)
                    .and_then(|scaled| scaled.add_scaled(known, -coefficient.abs()));
                if next.is_some_and(|next| self.search(&next, least, depth - 1, patience)) {
                    return true;
                }
            }
        }
        false
    }
}
