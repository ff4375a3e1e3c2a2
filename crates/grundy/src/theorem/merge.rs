//! Take one counter, or push two heaps together.

use grundy_rules::moves::{Move, moves};
use grundy_rules::ruleset::{Play, Role};
use grundy_rules::{Budget, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::{Components, Family, Sample};
use crate::answer::{Knowledge, MoveSet, Reason};
use crate::outcome::{Evidence, Outcome};
use crate::shape::KnownRules;

struct Merging<'g> {
    ruleset: &'g Ruleset,
}

impl Knowledge for Merging<'_> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: MERGE.citation.to_owned(),
        }
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        let told = ones_and_sum(position);
        Ok(told.map(|(ones, sum)| Reason::Merged { ones, sum }))
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        let told = ones_and_sum(position);
        Ok(told.map(|(ones, sum)| {
            if is_lost(ones, &sum) {
                Outcome::P
            } else {
                Outcome::N
            }
        }))
    }

    fn winning_moves(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        let found = Winning::of(self.ruleset, position);
        Ok(found.map(|found| Box::new(found) as Box<dyn MoveSet<Move>>))
    }
}

/// Take one counter, or push two heaps together.
pub(super) const MERGE: Family = Family {
    name: "take one, or merge two heaps",
    statement: "let c heaps be of 1, and s the sum of n+1 over the larger heaps, less 1 (0 without \
                any); if s is 0 or 2 the position is lost iff 3 divides c, otherwise iff c and s are even",
    citation: "Alice and Bob, Asia regional contest, Chengdu 2011, with its proof by induction",
    samples: &[
        Sample {
            rules: "take: [n] -> [n-1]; merge: [x] + [y] -> [x+y] where x >= 1, y >= 1",
            components: Components::Box(&[5]),
            up_to: 8,
        },
        Sample {
            rules: "[x] + [y] -> [x+y] where x >= 1, y >= 1; [n] -> [n-1]",
            components: Components::Box(&[33]),
            up_to: 3,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules =
            KnownRules::new("[n] -> [n-1]; [x] + [y] -> [x+y] where x >= 1, y >= 1");
        let same = game.written.play() == Play::Normal && game.written.is(&RULES);
        same.then(|| {
            Box::new(Merging {
                ruleset: game.ruleset(),
            }) as Box<dyn Knowledge>
        })
    },
};

/// How many heaps of 1 there are, and what the others sum up to.
fn ones_and_sum(position: &Position) -> Option<(u64, BigUint)> {
    let (mut ones, mut sum) = (0u64, BigUint::zero());
    for component in &position.0 {
        let n = component.as_heap()?;
        if n.is_one() {
            ones += 1;
        } else if !n.is_zero() {
            sum += n + 1u8;
        }
    }
    if !sum.is_zero() {
        sum -= 1u8;
    }
    Some((ones, sum))
}

/// Whether a position with so many heaps of 1 is lost, from the sum that the others make.
fn is_lost(ones: u64, sum: &BigUint) -> bool {
    match sum.to_u64() {
        Some(0 | 2) => ones.is_multiple_of(3),
        _ => ones.is_multiple_of(2) && !sum.bit(0),
    }
}

/// The moves that win.
///
/// Whether a move wins follows from whether its heaps are 1, 2 or larger: that tells how it changes the numbers that
/// decide. So moves are counted without visiting them, and only those that win are visited.
struct Winning<'g> {
    ruleset: &'g Ruleset,
    position: Position,
    /// The heaps of 1, the larger ones, and both, by their places.
    ones: Vec<usize>,
    larger: Vec<usize>,
    both: Vec<usize>,
    /// Whether it wins to take from a heap of 1, of 2, and from a larger one.
    take: [bool; 3],
    /// Whether it wins to merge two heaps of 1, one with a larger one, and two larger ones.
    merge: [bool; 3],
    /// Whether merging stands before taking in the rules.
    is_merging_first: bool,
}

impl<'g> Winning<'g> {
    /// `None` where the rules are written in another way than with one rule for each kind of move, without choices.
    fn of(ruleset: &'g Ruleset, position: &Position) -> Option<Self> {
        let [first, second] = ruleset.moves.as_slice() else {
            return None;
        };
        let mut names = [first, second]
            .into_iter()
            .flat_map(|rule| &rule.scope.names);
        let has_choices = names.any(|name| matches!(name.role, Role::Choice | Role::Existential));
        let is_single = first.alternatives.len() == 1 && second.alternatives.len() == 1;
        if has_choices || !is_single {
            return None;
        }
        let (mut ones, mut larger, mut both) = (Vec::new(), Vec::new(), Vec::new());
        let mut total = BigUint::zero();
        for (index, component) in position.0.iter().enumerate() {
            let n = component.as_heap()?;
            if n.is_zero() {
                continue;
            }
            both.push(index);
            if n.is_one() {
                ones.push(index);
            } else {
                larger.push(index);
                total += n + 1u8;
            }
        }
        let count = ones.len() as u64;
        // The heaps of 1 after a move, and n+1 over the larger ones.
        let wins = |ones: Option<u64>, total: Option<BigUint>| {
            let lost = ones.zip(total).map(|(ones, mut total)| {
                if !total.is_zero() {
                    total -= 1u8;
                }
                is_lost(ones, &total)
            });
            lost.unwrap_or(false)
        };
        let less = |k: u8| (total >= k.into()).then(|| &total - k);
        Some(Self {
            ruleset,
            position: position.clone(),
            take: [
                wins(count.checked_sub(1), less(0)),
                wins(Some(count + 1), less(3)),
                wins(Some(count), less(1)),
            ],
            merge: [
                wins(count.checked_sub(2), Some(&total + 3u8)),
                wins(count.checked_sub(1), Some(&total + 1u8)),
                wins(Some(count), less(1)),
            ],
            ones,
            larger,
            both,
            is_merging_first: first.patterns.len() == 2,
        })
    }

    fn heap(&self, index: usize) -> &BigUint {
        let heap = self.position.0[index].as_heap();
        heap.expect("only positions of heaps are taken")
    }

    fn wins_taking(&self, index: usize) -> bool {
        self.take[match self.heap(index).to_u64() {
            Some(1) => 0,
            Some(2) => 1,
            _ => 2,
        }]
    }

    /// The heaps behind one that it wins to merge with it.
    fn partners(&self, index: usize) -> &[usize] {
        let is_one = self.heap(index).is_one();
        let (with_one, with_larger) = if is_one {
            (self.merge[0], self.merge[1])
        } else {
            (self.merge[1], self.merge[2])
        };
        let all = match (with_one, with_larger) {
            (true, true) => &self.both,
            (true, false) => &self.ones,
            (false, true) => &self.larger,
            (false, false) => return &[],
        };
        &all[all.partition_point(|partner| *partner <= index)..]
    }

    /// The move that takes from one heap, or merges two, as the rules give it.
    fn move_of(&self, heaps: &[usize]) -> Move {
        let alone = Position(
            heaps
                .iter()
                .map(|index| self.position.0[*index].clone())
                .collect(),
        );
        // Without choices the rules give a handful of moves.
        let mut meter = Meter::new(Budget::default());
        let all =
            moves(self.ruleset, &alone, &mut meter).expect("there are few moves of two heaps");
        let mut found = all
            .into_iter()
            .find(|next| next.changes.len() == heaps.len())
            .expect("heaps above 0 can be taken from and merged");
        for change in &mut found.changes {
            change.component = heaps[change.component];
        }
        found
    }

    /// Of the heaps behind `index` that it wins to merge with it, the one with the least result.
    fn least_partner(&self, index: usize) -> Option<usize> {
        let partners = self.partners(index);
        let least = partners.iter().map(|partner| self.heap(*partner)).min()?;
        let mut equal = partners
            .iter()
            .filter(|partner| self.heap(**partner) == least);
        let mut best = *equal.next()?;
        // Results without one of two equal heaps differ first where, from the first of the two on, a heap is unlike the next.
        let change = |from: usize| {
            let pairs = self.position.0.windows(2).enumerate().skip(from);
            let mut unlike = pairs.filter(|(_, pair)| pair[0] != pair[1]);
            unlike.next().map(|(at, pair)| (at, pair[0] < pair[1]))
        };
        let mut unlike = change(best);
        for partner in equal {
            if let Some((at, true)) = unlike
                && at < *partner
            {
                best = *partner;
                unlike = change(best);
            }
        }
        Some(best)
    }
}

impl MoveSet<Move> for Winning<'_> {
    fn count(&self) -> Option<BigUint> {
        let taking = self.both.iter().filter(|index| self.wins_taking(**index));
        let (ones, larger) = (
            BigUint::from(self.ones.len()),
            BigUint::from(self.larger.len()),
        );
        let pairs = |n: &BigUint| {
            if n.is_zero() {
                BigUint::zero()
            } else {
                n * (n - 1u8) / 2u8
            }
        };
        let kinds = [pairs(&ones), &ones * &larger, pairs(&larger)];
        let merging = kinds.into_iter().zip(self.merge);
        let merging: BigUint = merging.filter(|(_, wins)| *wins).map(|(n, _)| n).sum();
        Some(merging + taking.count())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        Box::new(self.both.iter().flat_map(move |&index| {
            let taking = || {
                let wins = self.wins_taking(index);
                wins.then(|| self.move_of(&[index])).into_iter()
            };
            let (before, behind) = if self.is_merging_first {
                (None, Some(taking()))
            } else {
                (Some(taking()), None)
            };
            let partners = self.partners(index).iter();
            let merging = partners.map(move |partner| self.move_of(&[index, *partner]));
            let before = before.into_iter().flatten();
            before.chain(merging).chain(behind.into_iter().flatten())
        }))
    }

    /// A take makes a heap smaller and a merge makes it larger, so that the first take is the least, or else the last
    /// merge with the least heap.
    fn least(&self) -> Option<Move> {
        if let Some(index) = self.both.iter().find(|index| self.wins_taking(**index)) {
            return Some(self.move_of(&[*index]));
        }
        let mut from_last = self.both.iter().rev();
        from_last.find_map(|index| {
            let partner = self.least_partner(*index)?;
            Some(self.move_of(&[*index, partner]))
        })
    }
}
