//! Finitely many takes, some of which depend on the heap or on the parts.

use super::code::partitions;
use super::decide;
use super::formula::Formula;

/// Rules with finitely many classes of moves, some of them under a condition.
///
/// A class (i, j) is: remove `i` in total, leave exactly `j` non-empty heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    pub(crate) classes: Vec<Class>,
}

/// One class of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// How much is removed.
    pub removed: usize,
    /// How many non-empty heaps are left.
    pub parts: usize,
    /// The condition on the parts; it does not depend on their order.
    pub(crate) condition: Formula,
}

/// What the conditions of a ruleset speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// No condition compares a heap with a number above this.
    pub heap_threshold: usize,
    /// No condition compares a part with a number above this.
    pub part_threshold: usize,
    /// All congruences are modulo divisors of this.
    pub modulus: usize,
    /// Whether some condition relates parts to each other, other than through the heap.
    pub related: bool,
}

impl Class {
    /// Whether these parts, all positive and as many as the class says, may be left.
    pub fn allows(&self, parts: &[i64]) -> bool {
        self.condition.holds(parts)
    }

    /// Whether any positive parts may be left.
    pub fn is_unconditional(&self) -> bool {
        self.condition == Formula::Constant(true)
    }

    /// How far one must look to know the condition: sizes and differences of parts beyond the first number
    /// count by their residues modulo the second alone (the lemma of `decide`). `None` where the
    /// condition compares other sums.
    pub(crate) fn reach(&self) -> Option<(usize, usize)> {
        let bounds = decide::bounds(&self.condition)?;
        let constant = usize::try_from(bounds.constant).ok()?;
        Some((constant, usize::try_from(bounds.modulus).ok()?))
    }

    /// Whether the condition depends on the sum of the parts alone, hence on the heap moved from.
    pub fn speaks_of_heap_only(&self) -> bool {
        let mut heap_only = true;
        self.condition.visit_atoms(&mut |atom| {
            if let Formula::AtLeast(linear)
            | Formula::Member(linear, ..)
            | Formula::Multiple(linear, ..) = atom
            {
                heap_only &= linear.coefficients.windows(2).all(|c| c[0] == c[1]);
            }
        });
        heap_only
    }
}

impl Classes {
    /// The classes, by what is removed and then by the number of parts.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// What the conditions speak of.
    pub fn conditions(&self) -> Conditions {
        let mut all = Conditions {
            heap_threshold: 0,
            part_threshold: 0,
            modulus: 1,
            related: false,
        };
        for class in &self.classes {
            class.condition.visit_atoms(&mut |atom| {
                // A condition compares `constant + form` with the numbers `first..=last`.
                let (linear, first, last) = match atom {
                    Formula::AtLeast(linear) => (linear, 0, 0),
                    Formula::Member(linear, list, _) => (
                        linear,
                        list.first().copied().unwrap_or(0),
                        list.last().copied().unwrap_or(0),
                    ),
                    Formula::Multiple(_, modulus, _) => {
                        let modulus = usize::try_from(*modulus).expect("moduli are positive");
                        all.modulus = num_integer::lcm(all.modulus, modulus);
                        return;
                    }
                    _ => unreachable!("only atoms are visited"),
                };
                // Beyond this the answer of the atom no longer changes.
                let threshold = [first, last]
                    .map(|number| usize::try_from((number - linear.constant).abs()).expect("small"))
                    .into_iter()
                    .max()
                    .expect("two numbers");
                let used: Vec<i64> = linear
                    .coefficients
                    .iter()
                    .copied()
                    .filter(|c| *c != 0)
                    .collect();
                if used.len() == 1 {
                    all.part_threshold = all.part_threshold.max(threshold + 1);
                }
                if used.len() == class.parts && used.iter().all(|c| *c == used[0]) {
                    all.heap_threshold = all.heap_threshold.max(threshold + class.removed + 1);
                } else if used.len() > 1 {
                    all.related = true;
                }
            });
        }
        all
    }

    /// The options of the heap `n`: ascending lists of non-empty heaps, each once, ascending.
    pub fn options(&self, n: usize) -> Vec<Vec<usize>> {
        let mut options = Vec::new();
        for class in self.classes.iter().filter(|class| class.removed <= n) {
            let all = partitions(n - class.removed, class.parts);
            options.extend(all.into_iter().filter(|parts| {
                let parts: Vec<i64> = parts
                    .iter()
                    .map(|part| i64::try_from(*part).expect("heaps of a table are small"))
                    .collect();
                class.allows(&parts)
            }));
        }
        options.sort();
        options
    }
}
