//! Takes between two bounds.

use grundy_rules::{Component, Item};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::valued::{Places, Progression, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::{Form, KnownRules};

/// Take 1 to m counters.
pub(super) const BACHET: Family = Family {
    name: "take 1 to m, normal and misère",
    statement: "g(n) = n mod (m+1)",
    citation: "Bachet 1612, Problèmes plaisants et délectables",
    samples: &[
        Sample {
            rules: "[n] -> [n-k] where 1 <= k <= 3",
            components: Components::Box(&[20]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where 1 <= k <= 3",
            components: Components::Box(&[20]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; rules {1}",
            components: Components::Box(&[12]),
            up_to: 4,
        },
        Sample {
            rules: "play misere; [n] -> [m] where m < n, n - m <= 2",
            components: Components::Box(&[15]),
            up_to: 4,
        },
        Sample {
            rules: "[n] -> [m] where m < n, n - m <= 2",
            components: Components::Box(&[15]),
            up_to: 4,
        },
    ],
    recognise: bachet,
};

/// Take at least p and at most q counters.
pub(super) const BETWEEN: Family = Family {
    name: "take p to q, normal and misère",
    statement: "g(n) = floor((n mod (p+q)) / p)",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4",
    samples: &[
        Sample {
            rules: "[n] -> [n-k] where 2 <= k <= 5",
            components: Components::Box(&[30]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where 2 <= k <= 5",
            components: Components::Box(&[22]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where 3 <= k <= 3",
            components: Components::Box(&[14]),
            up_to: 4,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where 3 <= k <= 11",
            components: Components::Box(&[30]),
            up_to: 2,
        },
    ],
    recognise: between,
};

/// Each component is a heap and how much may be taken from it at a time.
pub(super) const OWN_LIMITS: Family = Family {
    name: "heaps with limits of their own, normal and misère",
    statement: "g(n, l) = n mod (l+1)",
    citation: BACHET.citation,
    samples: &[
        Sample {
            rules: "[n, l] -> [n-k, l] where 1 <= k <= l",
            components: Components::Box(&[12, 5]),
            up_to: 2,
        },
        Sample {
            rules: "play misere; [n, l] -> [n-k, l] where 1 <= k <= l",
            components: Components::Box(&[8, 4]),
            up_to: 3,
        },
    ],
    recognise: own_limits,
};

fn bachet<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    let (least, most) = takes(game)?;
    least
        .is_one()
        .then(|| of_takes(game, least, most, BACHET.citation))
}

fn between<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    let (least, most) = takes(game)?;
    (!least.is_one()).then(|| of_takes(game, least, most, BETWEEN.citation))
}

fn of_takes<'g>(
    game: &Game<'g, '_>,
    least: BigUint,
    most: BigUint,
    citation: &'static str,
) -> Box<dyn Knowledge + 'g> {
    Box::new(Valued {
        ruleset: game.ruleset(),
        values: Takes { least, most },
        citation,
    })
}

/// Takes from one number to another, where they are too large for a normal form of their own.
static FROM_TO: KnownRules =
    KnownRules::new("game known(p = 1, q = 2); [n] -> [n-k] where p <= k <= q");

/// The least and the largest take, if just those from the one to the other are allowed.
fn takes(game: &Game) -> Option<(BigUint, BigUint)> {
    let bounds = match &game.shape.form {
        Form::Code(code) => {
            let set = code.as_subtraction()?;
            let (first, last) = (*set.first()?, *set.last()?);
            (last - first + 1 == set.len()).then(|| (first.into(), last.into()))
        }
        Form::Takes(takes) => {
            let constant = takes
                .bounds
                .iter()
                .all(|bound| bound.times.is_zero() && !bound.root);
            let bounds = takes.bounds.iter().map(|bound| bound.at(&BigUint::zero()));
            let most = bounds.min().filter(|_| constant)?.to_biguint()?;
            Some((BigUint::one(), most))
        }
        Form::Heaps(_) => {
            let numbers = game.written.with_numbers(&FROM_TO)?;
            let [p, q] = <[BigUint; 2]>::try_from(numbers).ok()?;
            Some((p, q))
        }
        _ => None,
    };
    bounds.filter(|(least, most)| !least.is_zero() && least <= most)
}

struct Takes {
    least: BigUint,
    most: BigUint,
}

/// How many laps of the law options can span.
const MOST_LAPS: u32 = 4;

impl Values for Takes {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let n = component.as_heap()?;
        Some((n % (&self.least + &self.most)) / &self.least)
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let number = component.as_heap()?.clone();
        let modulus = &self.least + &self.most;
        Some(Reason::Remainder {
            remainder: &number % &modulus,
            number,
            modulus,
            divisor: self.least.clone(),
        })
    }

    fn places(&self, _: &Component, value: &BigUint) -> Option<Places> {
        let lap = BigInt::from(&self.least + &self.most);
        let least = BigInt::from(self.least.clone());
        let first = BigInt::from(value.clone()) * &least;
        Some(Places::Heaps(Box::new(move |low, high| {
            if first >= lap {
                return Some(Vec::new());
            }
            if least.is_one() {
                let low = low + (&first - low).mod_floor(&lap);
                let all = Progression {
                    low: low.clone(),
                    high: high.clone(),
                    step: lap.clone(),
                };
                return Some((low <= *high).then_some(all).into_iter().collect());
            }
            let last = (&first + &least).min(lap.clone()) - 1;
            let start = low.div_floor(&lap);
            let laps = (high.div_floor(&lap) - &start).to_u32()?;
            if laps > MOST_LAPS {
                return None;
            }
            let mut all = Vec::new();
            for nth in 0..=laps {
                let shift: BigInt = (&start + nth) * &lap;
                let (from, to): (BigInt, BigInt) = (&first + &shift, &last + shift);
                let (low, high) = (from.max(low.clone()), to.min(high.clone()));
                if low <= high && !high.is_negative() {
                    all.push(Progression {
                        low,
                        high,
                        step: BigInt::one(),
                    });
                }
            }
            Some(all)
        })))
    }
}

fn own_limits<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    static RULES: KnownRules = KnownRules::new("[n, l] -> [n-k, l] where 1 <= k <= l");
    let same = game.written.is(&RULES);
    same.then(|| {
        Box::new(Valued {
            ruleset: game.ruleset(),
            values: OwnLimits,
            citation: OWN_LIMITS.citation,
        }) as Box<dyn Knowledge>
    })
}

struct OwnLimits;

fn heap_and_limit(component: &Component) -> Option<(&BigUint, &BigUint)> {
    match component.0.as_slice() {
        [Item::Number(n), Item::Number(l)] => Some((n, l)),
        _ => None,
    }
}

impl Values for OwnLimits {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let (n, l) = heap_and_limit(component)?;
        Some(n % (l + 1u8))
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let (n, l) = heap_and_limit(component)?;
        let modulus = l + 1u8;
        Some(Reason::Remainder {
            number: n.clone(),
            remainder: n % &modulus,
            modulus,
            divisor: BigUint::one(),
        })
    }

    fn places(&self, component: &Component, value: &BigUint) -> Option<Places> {
        let (n, l) = heap_and_limit(component)?;
        // Among l numbers in a row below n at most one leaves a given remainder modulo l+1.
        let (n, lap) = (BigInt::from(n.clone()), BigInt::from(l + 1u8));
        let value = BigInt::from(value.clone());
        let taken = (&n - &value).mod_floor(&lap);
        let left = &n - &taken;
        let is_option = value < lap && !taken.is_zero() && !left.is_negative();
        let result = is_option.then(|| left.to_biguint()).flatten();
        let written = result.map(|left| Component::of_numbers([left, l.clone()]));
        Some(Places::These(written.into_iter().collect()))
    }
}
