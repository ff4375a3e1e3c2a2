//! Erase one number of a row; whoever leaves the exclusive or 0 loses.
//!
//! Whoever finds the exclusive or 0 has won; otherwise the position is lost iff an odd number of numbers is left.
//! *Proof.* Let the exclusive or be X, not 0. To erase a leaves the exclusive or X xor a. If an even number of numbers is left, not
//! all of them are X, or X would be 0; to erase another leaves an exclusive or that is not 0, and an odd number of
//! numbers. From there every move leaves an even number of numbers, or none, of which the exclusive or is 0. ∎

use grundy_rules::moves::Move;
use grundy_rules::options::options;
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::Zero;

use super::pair::numbers;
use super::{Components, Family, Sample};
use crate::answer::few::Few;
use crate::answer::{Knowledge, MoveSet, Reason, as_move};
use crate::outcome::{Evidence, Outcome};
use crate::shape::KnownRules;

static RULES: [KnownRules; 5] = [
    KnownRules::new("row a, unordered; [x, r..] -> [r..]; ends won [r..] where xor(r) = 0"),
    KnownRules::new("row a, unordered; [x, r..] -> [r..]; ends won [r..] where xor(a) = 0"),
    KnownRules::new("row a; [l.., x, r..] -> [l.., r..]; ends won [r..] where xor(r) = 0"),
    KnownRules::new("row a; remove a[i]; ends won [r..] where xor(r) = 0"),
    KnownRules::new(
        "row a; remove a[i] where 1 <= i <= length(a); ends won [r..] where xor(r) = 0",
    ),
];

/// Erase a number.
pub(super) const ERASE: Family = Family {
    name: "erase a number, exclusive or 0 loses (Chalkboard)",
    statement: "won if the exclusive or is 0 or an even number of numbers is left, and lost otherwise",
    citation: "LeetCode 810 2018, Chalkboard XOR Game, with a proof by parity",
    samples: &[
        Sample {
            rules: "row a; [l.., x, r..] -> [l.., r..]; ends won [r..] where xor(a) = 0",
            components: Components::Rows { length: 5, most: 5 },
            up_to: 1,
        },
        Sample {
            rules: "row a; play misere; remove a[i]; ends won [r..] where 0 = xor(r)",
            components: Components::Rows { length: 4, most: 5 },
            up_to: 1,
        },
        Sample {
            rules: "row a, unordered; [x, r..] -> [r..]; ends won [r..] where xor(r) = 0",
            components: Components::Rows { length: 4, most: 7 },
            up_to: 1,
        },
    ],
    recognise: |game| {
        let same = RULES.iter().any(|rules| game.written.is(rules));
        same.then(|| {
            Box::new(Erasing {
                ruleset: game.ruleset(),
            }) as Box<dyn Knowledge>
        })
    },
};

struct Erasing<'g> {
    ruleset: &'g Ruleset,
}

/// How many numbers a row has, and their exclusive or.
fn count_and_xor(component: &Component) -> Option<(usize, BigUint)> {
    let row = numbers(component)?;
    let xor = row.iter().fold(BigUint::zero(), |xor, n| xor ^ *n);
    Some((row.len(), xor))
}

fn is_lost(component: &Component) -> Option<bool> {
    let (count, xor) = count_and_xor(component)?;
    Some(!xor.is_zero() && count % 2 == 1)
}

impl Knowledge for Erasing<'_> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: ERASE.citation.to_owned(),
        }
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        let [row] = position.0.as_slice() else {
            return Ok(None);
        };
        Ok(count_and_xor(row).map(|(count, xor)| Reason::Erased { count, xor }))
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        let [row] = position.0.as_slice() else {
            return Ok(None);
        };
        let outcome = |lost| if lost { Outcome::P } else { Outcome::N };
        Ok(is_lost(row).map(outcome))
    }

    fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        let [row] = position.0.as_slice() else {
            return Ok(None);
        };
        let Some((_, xor)) = count_and_xor(row) else {
            return Ok(None);
        };
        // There are no more moves than numbers.
        let mut all = Vec::new();
        if !xor.is_zero() {
            all = options(self.ruleset, row, meter)?;
        }
        all.retain(|option| option.result.first().and_then(is_lost) == Some(true));
        let moves = all
            .into_iter()
            .map(|option| as_move(self.ruleset, 0, row, option));
        Ok(Some(Box::new(Few::moves(position, moves.collect()))))
    }
}
