//! Moves that can be taken back: heaps that may also grow, a limited number of times.
//!
//! A move to a larger value is *reversible*: the answer that takes just what was added leaves the value it
//! was before. **Poker Nim** is Nim where counters may also be added, up to d at a time and b times in
//! all at each heap; the gaps of Northcott's game with retreats are such heaps. The value of n is n whatever b
//! is. *Proof* by induction on b, then on n: the options without adding have the values 0 to n-1, those with
//! adding have values above n, and the least number that is no option's value is n. ∎ Without a limit play need
//! not end, and nothing is said.

use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Item};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::valued::{Places, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;
use crate::shape::KnownRules;

/// Heaps to which counters may be added.
pub(super) const POKER: Family = Family {
    name: "Poker Nim, and Northcott's game with retreats",
    statement: "a heap of n, or a gap of n, is worth n, however often counters may still be added",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 3",
    samples: &[
        Sample {
            rules: "take: [n, b] -> [n-k, b] where k >= 1; add: [n, b] -> [n+k, b-1] where 1 <= k <= 3, b >= 1",
            components: Components::Box(&[12, 7]),
            up_to: 2,
        },
        Sample {
            rules: "[n, b] -> [n+k, b-1] where b >= 1, k = 1; [n, b] -> [m, b] where m < n",
            components: Components::Box(&[5, 3]),
            up_to: 3,
        },
        Sample {
            rules: "[g, r] -> [g+j, r-1] where 1 <= j <= 9; [g, r] -> [g-i, r] where i > 0",
            components: Components::Box(&[9, 7]),
            up_to: 2,
        },
    ],
    recognise,
};

static RULES: KnownRules = KnownRules::new(
    "game known(d = 2); [n, b] -> [n-k, b] where k >= 1; \
     [n, b] -> [n+k, b-1] where 1 <= k <= d",
);
/// The same for one counter.
static ONE: KnownRules = KnownRules::new("[n, b] -> [n-k, b] where k >= 1; [n, b] -> [n+1, b-1]");

fn recognise<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    if game.written.play() != Play::Normal {
        return None;
    }
    let one = || game.written.is(&ONE).then(BigUint::one);
    let most = game.written.with_number(&RULES).or_else(one)?;
    Some(Box::new(Valued {
        ruleset: game.ruleset(),
        values: Poker { most },
        citation: POKER.citation,
    }))
}

struct Poker {
    /// How many counters may be added at a time.
    most: BigUint,
}

fn heap_and_left(component: &Component) -> Option<(&BigUint, &BigUint)> {
    match component.0.as_slice() {
        [Item::Number(n), Item::Number(left)] => Some((n, left)),
        _ => None,
    }
}

impl Values for Poker {
    fn value(&self, component: &Component) -> Option<BigUint> {
        Some(heap_and_left(component)?.0.clone())
    }

    fn places(&self, component: &Component, value: &BigUint) -> Option<Places> {
        let (n, left) = heap_and_left(component)?;
        let result = if value < n {
            Some([value.clone(), left.clone()])
        } else if value > n && *value <= n + &self.most && !left.is_zero() {
            Some([value.clone(), left - 1u8])
        } else {
            None
        };
        let written = result.map(Component::of_numbers);
        Some(Places::These(written.into_iter().collect()))
    }
}
