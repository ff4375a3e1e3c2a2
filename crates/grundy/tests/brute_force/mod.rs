//! Misère outcomes of sums of heaps by visiting all positions, and the sums to visit.

use std::collections::HashMap;

use grundy_certificate::Misere;
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

/// How many heaps of each size there are, from size 0.
type Counts = Vec<u8>;

/// Outcomes of sums of heaps by visiting all positions.
pub struct BruteForce {
    /// For each heap the heaps of its options.
    options: Vec<Vec<Vec<usize>>>,
    lost: HashMap<Counts, bool>,
}

impl BruteForce {
    /// Sums of heaps no larger than this one.
    pub fn new(rules: &Ruleset, largest: usize) -> Self {
        let of_heap = |heap: usize| {
            let heap = Component::of_numbers([heap as u64]);
            let mut meter = Meter::new(Budget::default());
            let options = options(rules, &heap, &mut meter).expect("small heaps");
            let sizes = |option: grundy_rules::options::RuleOption| {
                let heaps = option.result.iter();
                let sizes = heaps.map(|heap| heap.as_heap().and_then(ToPrimitive::to_usize));
                let sizes = sizes.map(|size| size.expect("a heap"));
                sizes.filter(|size| *size > 0).collect::<Vec<usize>>()
            };
            let mut options: Vec<Vec<usize>> = options.into_iter().map(sizes).collect();
            options.sort_unstable();
            options.dedup();
            options
        };
        Self {
            options: (0..=largest).map(of_heap).collect(),
            lost: HashMap::new(),
        }
    }

    /// Whether the player about to move loses.
    pub fn is_lost(&mut self, heaps: &[usize]) -> bool {
        let mut counts = vec![0; self.options.len()];
        for heap in heaps.iter().filter(|heap| **heap > 0) {
            counts[*heap] += 1;
        }
        visit(&self.options, &mut self.lost, &mut counts)
    }
}

fn visit(
    options: &[Vec<Vec<usize>>],
    known: &mut HashMap<Counts, bool>,
    counts: &mut Counts,
) -> bool {
    if let Some(lost) = known.get(counts) {
        return *lost;
    }
    let (mut moves, mut wins) = (false, false);
    for heap in 1..counts.len() {
        if counts[heap] == 0 || wins {
            continue;
        }
        for option in &options[heap] {
            moves = true;
            counts[heap] -= 1;
            option.iter().for_each(|part| counts[*part] += 1);
            wins = visit(options, known, counts);
            option.iter().for_each(|part| counts[*part] -= 1);
            counts[heap] += 1;
            if wins {
                break;
            }
        }
    }
    // Without a move the player about to move wins.
    let lost = moves && !wins;
    known.insert(counts.clone(), lost);
    lost
}

/// All ascending lists of positive numbers that add up to `total` or less.
pub fn sums(total: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        let heaps = all[next].clone();
        let left = total - heaps.iter().sum::<usize>();
        for heap in heaps.last().copied().unwrap_or(1)..=left {
            let mut longer = heaps.clone();
            longer.push(heap);
            all.push(longer);
        }
        next += 1;
    }
    all
}

/// Lists of positive numbers that add up to between two totals, at random but the same each time.
pub fn larger_sums(count: usize, least: usize, most: usize) -> Vec<Vec<usize>> {
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % bound as u64).expect("less than a usize")
    };
    let mut list = |_| {
        let mut left = least + below(most - least + 1);
        let mut heaps = Vec::new();
        while left > 0 {
            let heap = 1 + below(left.min(least));
            heaps.push(heap);
            left -= heap;
        }
        heaps
    };
    (0..count).map(&mut list).collect()
}

/// What a law says of sums of small heaps.
pub struct Says<'l> {
    law: &'l Misere,
    labels: Vec<BigUint>,
}

impl<'l> Says<'l> {
    /// Sums of heaps no larger than this one.
    pub fn new(law: &'l Misere, largest: usize) -> Self {
        let label = |heap| law.label(&BigUint::from(heap)).expect("all heaps have one");
        let labels = (0..=largest).map(label).collect();
        Self { law, labels }
    }

    /// Whether the player about to move loses.
    pub fn is_lost(&self, heaps: &[usize]) -> bool {
        let mut sum = BigUint::zero();
        for heap in heaps {
            let next = self.law.monoid.sum(&sum, &self.labels[*heap]);
            sum = next.expect("labels add");
        }
        self.law.monoid.is_lost(&sum)
    }
}

/// Holds a law against brute force on all sums of heaps that add up to `total` or less, and on `larger` sums
/// of up to half as much again. Tells how many sums agree, or the first that does not.
pub fn compare(
    rules: &Ruleset,
    law: &Misere,
    total: usize,
    larger: usize,
) -> Result<usize, Vec<usize>> {
    let most = total + total / 2;
    let mut brute_force = BruteForce::new(rules, most);
    let says = Says::new(law, most);
    let mut all = sums(total);
    all.extend(larger_sums(larger, total + 1, most));
    for heaps in &all {
        if says.is_lost(heaps) != brute_force.is_lost(heaps) {
            return Err(heaps.clone());
        }
    }
    Ok(all.len())
}
