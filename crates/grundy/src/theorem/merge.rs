//! Take one counter, or push two heaps together.

use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter, Position};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::{Components, Family, Sample};
use crate::answer::{Knowledge, Reason};
use crate::outcome::{Evidence, Outcome};
use crate::shape::KnownRules;

struct Merging;

impl Knowledge for Merging {
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
        Ok(merged(position))
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
        same.then(|| Box::new(Merging) as Box<dyn Knowledge>)
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

fn merged(position: &Position) -> Option<Outcome> {
    let (ones, sum) = ones_and_sum(position)?;
    let is_lost = match sum.to_u64() {
        Some(0 | 2) => ones.is_multiple_of(3),
        _ => ones.is_multiple_of(2) && !sum.bit(0),
    };
    Some(if is_lost { Outcome::P } else { Outcome::N })
}
