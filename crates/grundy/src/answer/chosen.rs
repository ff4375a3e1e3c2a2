//! Moves in which one choice runs through a set of numbers that is too large to list.

use grundy_rules::options::RuleOption;
use num_bigint::{BigInt, BigUint};

use super::MoveSet;
use super::strand::Strand;

/// Moves in groups that follow each other in the documented order.
pub struct Chosen<'k> {
    groups: Vec<Group<'k>>,
}

/// The moves that one choice gives.
pub struct Group<'k> {
    /// Its values.
    pub values: Strand,
    /// The move for a value; results ascend or descend with it.
    pub option: Box<dyn Fn(&BigInt) -> RuleOption + 'k>,
}

impl<'k> Chosen<'k> {
    /// All moves of these groups, no two of which are the same.
    pub fn new(groups: Vec<Group<'k>>) -> Self {
        Self { groups }
    }
}

impl MoveSet<RuleOption> for Chosen<'_> {
    fn count(&self) -> Option<BigUint> {
        let counts = self.groups.iter().map(|group| group.values.count());
        Some(counts.sum())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        Box::new(self.groups.iter().flat_map(|group| {
            let values = &group.values;
            let all = std::iter::successors(values.first(), |x| values.next(&(x + 1)));
            all.map(|x| (group.option)(&x))
        }))
    }

    fn least(&self) -> Option<RuleOption> {
        let ends = self.groups.iter().flat_map(|group| {
            let ends = [group.values.first(), group.values.last()];
            ends.into_iter().flatten().map(|x| (group.option)(&x))
        });
        ends.min_by(|a, b| a.result.cmp(&b.result))
    }
}
