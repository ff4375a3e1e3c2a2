//! Take-away games: at most r times what was taken last.

use grundy_rules::Component;
use grundy_rules::ruleset::Play;
use grundy_rules::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;

/// Schwenk's theorem, and with r = 2 Whinihan's.
///
/// Let H(1) = 1 and H(i+1) = H(i) + H(j) with the least j for which r*H(j) >= H(i); for r = 2 these are the
/// Fibonacci numbers. Each n is in one way a sum of these in which r times a term is below
/// the next larger one. The winning takes are sums of some of the smallest terms: if k is taken, n-k
/// is lost iff r*k is below its smallest term, and then the terms of n-k and of k together are those of n.
pub(super) const NORMAL: Family = Family {
    name: "Fibonacci Nim and taking at most r times the last take",
    statement: "n with at most q to take is lost iff n = 0 or q is below the smallest term of n",
    citation: "Whinihan 1963, Fibonacci Nim; Schwenk 1970, Take-away games",
    samples: &[
        Sample {
            rules: "start [n] as [n, max(n-1, 0)]; [n, q] -> [n-k, 2*k] where 1 <= k <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, 3*k] where 1 <= k <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [m, n-m] where m < n, n-m <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
    ],
    recognise: |game| recognise(game, Play::Normal, NORMAL.citation),
};

/// The last counter loses, so the game is the one without it, but for takes that are not allowed at all.
pub(super) const MISERE: Family = Family {
    name: "taking at most r times the last take, misère",
    statement: "n >= 1 with at most q >= 1 to take is lost iff n-1 is in normal play",
    citation: NORMAL.citation,
    samples: &[
        Sample {
            rules: "start [n] as [n, max(n-1, 0)]; play misere; \
                    [n, q] -> [n-k, 2*k] where 1 <= k <= q",
            components: Components::Box(&[99, 55]),
            up_to: 1,
        },
        Sample {
            rules: "play misere; [n, q] -> [n-k, 4*k] where 1 <= k <= q",
            components: Components::Box(&[99, 50]),
            up_to: 1,
        },
    ],
    recognise: |game| recognise(game, Play::Misere, MISERE.citation),
};

fn recognise<'g>(
    game: &Game<'g, '_>,
    play: Play,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    if game.written.play() != play {
        return None;
    }
    let rules = "game known(r = 2); [n, q] -> [n-k, r*k] where 1 <= k <= q";
    let r = game.written.with_number(rules).filter(|r| !r.is_zero())?;
    Some(Box::new(Alone {
        ruleset: game.ruleset(),
        lost: TakeAway {
            r,
            misere: play == Play::Misere,
        },
        citation,
    }))
}

struct TakeAway {
    r: BigUint,
    misere: bool,
}

/// The most numbers H(i) that are computed.
const MOST_TERMS: usize = 1 << 16;

impl TakeAway {
    /// The terms of `n`, the smallest first; `None` if there are too many numbers H(i) up to `n`.
    fn terms(&self, n: &BigUint, meter: &mut Meter) -> Result<Option<Vec<BigUint>>, Limit> {
        let mut all = vec![BigUint::one()];
        let mut low = 0;
        while let Some(last) = all.last().filter(|last| *last <= n) {
            if all.len() > MOST_TERMS {
                return Ok(None);
            }
            meter.spend(1)?;
            while &self.r * &all[low] < *last {
                low += 1;
            }
            let next = last + &all[low];
            all.push(next);
        }
        let mut rest = n.clone();
        let mut terms: Vec<BigUint> = Vec::new();
        for h in all.into_iter().rev() {
            if h <= rest {
                rest -= &h;
                terms.push(h);
            }
        }
        terms.reverse();
        Ok(Some(terms))
    }

    /// The takes that leave a lost position in normal play, `q` or less.
    fn takes(
        &self,
        n: &BigUint,
        q: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Vec<BigUint>>, Limit> {
        let Some(terms) = self.terms(n, meter)? else {
            return Ok(None);
        };
        let mut taken = BigUint::zero();
        let mut takes = Vec::new();
        for (index, term) in terms.iter().enumerate() {
            taken += term;
            let is_last = |next: &BigUint| &taken * &self.r < *next;
            if taken <= *q && terms.get(index + 1).is_none_or(is_last) {
                takes.push(taken.clone());
            }
        }
        Ok(Some(takes))
    }

    /// The position of normal play with the same outcome, where some move is allowed.
    fn normal(&self, n: &BigUint, q: &BigUint) -> Option<(BigUint, BigUint)> {
        let allowed = !n.is_zero() && !q.is_zero();
        allowed.then(|| (n - u8::from(self.misere), q.clone()))
    }
}

fn two(component: &Component) -> Option<(&BigUint, &BigUint)> {
    match numbers(component)?.as_slice() {
        [n, q] => Some((n, q)),
        _ => None,
    }
}

impl Lost for TakeAway {
    fn is_lost(&self, component: &Component, meter: &mut Meter) -> Result<Option<bool>, Limit> {
        let Some((n, q)) = two(component) else {
            return Ok(None);
        };
        let Some((n, q)) = self.normal(n, q) else {
            return Ok(Some(!self.misere));
        };
        let terms = self.terms(&n, meter)?;
        Ok(terms.map(|terms| terms.first().is_none_or(|least| q < *least)))
    }

    fn lost_options(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let Some((n, q)) = two(component) else {
            return Ok(None);
        };
        let Some((n, q)) = self.normal(n, q) else {
            return Ok(Some(Vec::new()));
        };
        let Some(takes) = self.takes(&n, &q, meter)? else {
            return Ok(None);
        };
        let over = u8::from(self.misere);
        let options = takes.iter().map(|k| [&n + over - k, &self.r * k]);
        Ok(Some(options.map(Component::of_numbers).collect()))
    }
}
