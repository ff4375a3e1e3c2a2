//! Multiply by 2 to m in turn; whoever reaches n wins.
//!
//! What is still wanted of p is the factor r = ceil(n/p), at least 1. A move divides n/p by 2 to m, so that with X = (2m)^k, k >= 0,
//! p is won iff X < n/p <= m*X for some k, and lost iff m*X < n/p <= 2m*X for some k, or n/p <= 1. *Proof* by induction. From
//! m*X < n/p <= 2m*X every move leads above X, and up to m*X. From X < n/p <= m*X let j be the least factor that leads
//! to X at most. Then it leads above X/2, either as j = 2, or as n/p > (j-1)*X and j-1 >= j/2; this is lost. ∎

use grundy_rules::ruleset::Play;
use grundy_rules::{Component, Limit, Meter};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Sample};
use crate::answer::Knowledge;
use crate::shape::KnownRules;

/// Multiply by 2 to m.
pub(super) const MULTIPLYING: Family = Family {
    name: "multiply by 2 to m until n is reached",
    statement: "p is won iff (2m)^k < n/p <= m*(2m)^k for some k >= 0",
    citation: "A Multiplication Game, Waterloo local contest 2001 (POJ 2505), by induction on the intervals",
    samples: &[
        Sample {
            rules: "start [n] as [1, n]; [p, n] -> [p*k, n] where 2 <= k <= 9, p < n",
            components: Components::Box(&[5000]),
            up_to: 1,
        },
        Sample {
            rules: "game g(m = 3); start [n] as [1, n]; [p, n] -> [k*p, n] where 2 <= k <= m, p < n",
            components: Components::Box(&[5000]),
            up_to: 1,
        },
        Sample {
            rules: "start [n] as [7, n]; [p, n] -> [p*k, n] where 2 <= k <= 4, p < n",
            components: Components::Box(&[3000]),
            up_to: 1,
        },
    ],
    recognise: |game| {
        static RULES: [KnownRules; 2] = [
            KnownRules::new(
                "game known(m = 9); start [n] as [1, n]; [p, n] -> [p*k, n] where 2 <= k <= m, p < n",
            ),
            KnownRules::new("game known(m = 9); [p, n] -> [p*k, n] where 2 <= k <= m, p < n"),
        ];
        let normal = game.written.play() == Play::Normal;
        let most = RULES
            .iter()
            .filter(|_| normal)
            .find_map(|rules| game.written.with_number(rules))?;
        (most > BigUint::one()).then(|| {
            Box::new(Alone {
                ruleset: game.ruleset(),
                lost: Multiplying { most },
                citation: MULTIPLYING.citation,
            }) as Box<dyn Knowledge>
        })
    },
};

struct Multiplying {
    most: BigUint,
}

impl Lost for Multiplying {
    fn is_lost(&self, component: &Component, meter: &mut Meter) -> Result<Option<bool>, Limit> {
        let numbers = numbers(component);
        let Some([p, n]) = numbers.as_deref() else {
            return Ok(None);
        };
        if p.is_zero() {
            // From 0 no number is reached, and play does not end.
            return Ok(n.is_zero().then_some(true));
        }
        let mut reached = (*p).clone();
        while reached < **n {
            meter.spend(1 + n.bits() / 64)?;
            reached *= &self.most;
            if reached >= **n {
                return Ok(Some(false));
            }
            reached *= 2u8;
        }
        Ok(Some(true))
    }

    fn lost_options(&self, _: &Component, _: &mut Meter) -> Result<Option<Vec<Component>>, Limit> {
        Ok(None)
    }
}
