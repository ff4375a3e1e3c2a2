//! Takes that leave out all multiples of a number.
//!
//! Let the numbers that may be taken include 1 to m-1, and no multiple of m. Then g(n) = n mod m. *Proof* by induction: an
//! option n-k has another remainder than n, and so another value. Each smaller remainder is left by a take of
//! 1 to n mod m, which are below m and not above n. ∎ In misère play Ferguson's theorem (`valued`) decides sums.
//!
//! Prime powers, 1 among them, are such a set with m = 6: 6 has two primes, and 1 to 5 are prime powers. Powers of 2 are
//! one with m = 3.

use grundy_rules::Component;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::valued::{Places, Progression, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::KnownRules;

/// Take a prime power, or a power of 2.
pub(super) const MULTIPLES: Family = Family {
    name: "take 1 to m-1 or some other numbers that m does not divide, normal and misère",
    statement: "g(n) = n mod m; m = 6 for prime powers, 3 for powers of 2",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4: takes that change no value                of take 1 to m-1",
    samples: &[
        Sample {
            rules: "[n] -> [n-k] where k = 1 or k in prime powers",
            components: Components::Box(&[75]),
            up_to: 2,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where k in prime powers or k = 1",
            components: Components::Box(&[25]),
            up_to: 3,
        },
        Sample {
            rules: "[n] -> [n-k] where k in powers of 2",
            components: Components::Box(&[75]),
            up_to: 2,
        },
        Sample {
            rules: "play misere; [n] -> [n-j] where j in powers of 2",
            components: Components::Box(&[25]),
            up_to: 3,
        },
    ],
    recognise,
};

fn recognise<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    static PRIME_POWERS: KnownRules =
        KnownRules::new("[n] -> [n-k] where k = 1 or k in prime powers");
    static POWERS_OF_2: KnownRules = KnownRules::new("[n] -> [n-k] where k in powers of 2");
    let rules = game.written;
    let modulus = match () {
        () if rules.is(&PRIME_POWERS) => 6,
        () if rules.is(&POWERS_OF_2) => 3,
        () => return None,
    };
    Some(Box::new(Valued {
        ruleset: game.ruleset(),
        values: Remainders(modulus),
        citation: MULTIPLES.citation,
    }))
}

/// The value of a heap is its remainder.
struct Remainders(u8);

impl Values for Remainders {
    fn value(&self, component: &Component) -> Option<BigUint> {
        component.as_heap().map(|n| n % self.0)
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let number = component.as_heap()?.clone();
        Some(Reason::Remainder {
            remainder: &number % self.0,
            number,
            modulus: self.0.into(),
            divisor: 1u8.into(),
        })
    }

    fn places(&self, _: &Component, value: &BigUint) -> Option<Places> {
        let modulus = BigInt::from(self.0);
        let value = BigInt::from(value.clone());
        Some(Places::Heaps(Box::new(move |low, high| {
            let low = low + (&value - low).mod_floor(&modulus);
            let heaps = (value < modulus && low <= *high).then(|| Progression {
                high: high.clone(),
                step: modulus.clone(),
                low,
            });
            Some(heaps.into_iter().collect())
        })))
    }
}
