//! Takes of one residue class: a, a+m, a+2m, and so on.
//!
//! All options of a heap n lie in the class of n-a modulo m, and those of n+m are these and one more, so
//! that the value of n never falls where n grows by m.
//!
//! **Where a >= m**, the value is floor(n/a). *Proof* by induction: the options are n-a, n-a-m, … down to a
//! number below m. Their steps are at most a and the last is below a, so that they meet every
//! interval from q*a to q*a+a-1 up to the one of n-a, and the quotients floor((n-a)/a), …, 0 are just
//! the values below floor(n/a).
//!
//! **Where a < m**, let n = k*m + r with r < m, and q = floor(r/a). For p < a let s be the least number for
//! which p + s*(m-a) >= a, and i(p) = s if floor((p + s*(m-a))/a) is even, otherwise s-1. Then the value is
//!
//! - the smaller of k and i(r), if r < a;
//! - 1 more than the smaller of k and i(r-a), if q = 1;
//! - 0 if q > 0 is even, and 1 if q > 1 is odd.
//!
//! *Proof.* Call a class *first* if its values are all 0. A heap n < m has one option at most, n-a, so
//! its value is 0 or 1 as q is even or odd. If a class r holds a heap r < m of value 1, its values are
//! never 0, and the class of r+a is first: so are the classes of r >= a with q > 0 even, and those of r < a
//! with floor((r+m-a)/a) odd. From a first class follow the classes by adding a. If the class
//! r >= a comes behind a first one, its heaps have options of value 0 only, and at least one: their
//! value is 1. So it is for q > 1 odd. If r < a, then the heap r has no option, and those of km + r are the heaps
//! 0*m + p', …, (k-1)*m + p' with p' = r+m-a. Behind a first class the values are therefore 0, 1, 1,
//! …, the smaller of k and 1; behind a class with the smaller of k and i they are the smaller of k and
//! i+1, as the options have the values 0 to the smaller of k-1 and i. And if r >= a comes behind a class with
//! the smaller of k and i, the heap km + r has options of the values 0 to that, and is worth 1 more. Going
//! back from p < a, each step adds m-a; it ends at the first number p + s*(m-a) that is not below a, which is
//! below m. If its quotient by a is even, its class is first, as q > 0, and p is the s-th behind it. If it is odd,
//! the class behind it is first, and p is the (s-1)-th behind that one. ∎

use grundy_rules::Component;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::valued::{Places, Progression, Valued, Values};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::{Code, Form, KnownRules};

/// Take a number of one residue class, from some number on.
pub(super) const RESIDUE: Family = Family {
    name: "take a, a+m, a+2m, …, normal and misère",
    statement: "for a >= m the value is floor(n/a); for a < m it does not change from n to n+m beyond \
                n = m*ceil(a/(m-a)), and is given for all n by n mod m and floor(n/m) (docs/theorems.md)",
    citation: "AtCoder Regular Contest 144 F 2022, Arithmetic Sequence Nim, with a proof by induction",
    samples: &[
        Sample {
            rules: "[n] -> [n-k] where k mod 4 = 3",
            components: Components::Box(&[40]),
            up_to: 2,
        },
        Sample {
            rules: "[n] -> [n-k] where k mod 5 = 2, k >= 7",
            components: Components::Box(&[25]),
            up_to: 3,
        },
        Sample {
            rules: "a: [n] -> [n-k] where k mod 4 = 3; b: [n] -> [m] where (n-m) mod 4 = 1, n - m > 2",
            components: Components::Box(&[30]),
            up_to: 2,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where k mod 7 = 5",
            components: Components::Box(&[40]),
            up_to: 2,
        },
        Sample {
            rules: "play misere; [n] -> [n-3-2*j] where j >= 0",
            components: Components::Box(&[22]),
            up_to: 3,
        },
        Sample {
            rules: "play misere; [n] -> [n-k] where k mod 6 = 1",
            components: Components::Box(&[18]),
            up_to: 3,
        },
        Sample {
            rules: "[n] -> [n-k] where k mod 10 = 3",
            components: Components::Box(&[200]),
            up_to: 1,
        },
        Sample {
            rules: "[n] -> [a] where (n - a) mod 11 = 8, a < n",
            components: Components::Box(&[200]),
            up_to: 1,
        },
        Sample {
            rules: "[n] -> [n-k] where k >= 1, k mod 4 = 0",
            components: Components::Box(&[30]),
            up_to: 2,
        },
    ],
    recognise,
};

/// The multiples of a number, where it is too large for a normal form of its own.
static MULTIPLES: KnownRules =
    KnownRules::new("game known(m = 2); [n] -> [n-k] where k mod m = 0, k >= 1");

/// Other classes of large numbers, and whether `a` is a remainder.
static CLASSES: [(KnownRules, bool); 3] = [
    (
        KnownRules::new("game known(a = 1, m = 2); [n] -> [n-k] where k mod m = a"),
        true,
    ),
    (
        KnownRules::new("game known(a = 1, m = 2); [n] -> [n-k] where k mod m = a, k >= 1"),
        true,
    ),
    (
        KnownRules::new("game known(a = 1, m = 2); [n] -> [n-a-m*j] where j >= 0"),
        false,
    ),
];

fn recognise<'g>(game: &Game<'g, '_>) -> Option<Box<dyn Knowledge + 'g>> {
    let (first, step) = match &game.shape.form {
        Form::Code(code) => of_code(code)?,
        Form::Heaps(_) => match game.written.with_number(&MULTIPLES) {
            Some(m) if !m.is_zero() => (m.clone(), m),
            _ => CLASSES.iter().find_map(|(rules, is_remainder)| {
                let numbers = game.written.with_numbers(rules)?;
                let [a, m] = <[BigUint; 2]>::try_from(numbers).ok()?;
                let is_small = !*is_remainder || a < m;
                (is_small && !a.is_zero() && !m.is_zero()).then_some((a, m))
            })?,
        },
        _ => return None,
    };
    // To take any number is Nim.
    (!first.is_one() || !step.is_one()).then(|| {
        Box::new(Valued {
            ruleset: game.ruleset(),
            values: Residue { first, step },
            citation: RESIDUE.citation,
        }) as Box<dyn Knowledge>
    })
}

/// The first take and the step, if a code allows to take just these.
fn of_code(code: &Code) -> Option<(BigUint, BigUint)> {
    let period = code.repeating().len();
    let length = code.head().len() + period;
    let first = (1..length).find(|i| code.digit(*i) != 0)?;
    let is_right = (0..length).all(|i| {
        let is_taken = i >= first && (i - first).is_multiple_of(period);
        code.digit(i) == if is_taken { 3 } else { 0 }
    });
    (period > 0 && is_right).then(|| (first.into(), period.into()))
}

struct Residue {
    /// The least take.
    first: BigUint,
    /// The distance from each take to the next.
    step: BigUint,
}

impl Residue {
    /// For how many laps of the class of `r < first` values grow, where `first < step`.
    fn growing(&self, r: &BigUint) -> BigUint {
        let (a, back) = (&self.first, &self.step - &self.first);
        let steps = (a - r).div_ceil(&back);
        let quotient = (r + &steps * back) / a;
        if quotient.is_even() {
            steps
        } else {
            steps - 1u8
        }
    }

    /// The value of `k*step + r`: `base` and the smaller of k and `most`.
    fn of_class(&self, r: &BigUint) -> (BigUint, BigUint) {
        let (quotient, below) = r.div_rem(&self.first);
        let flat = |value: u8| (value.into(), BigUint::zero());
        if quotient.is_zero() {
            (BigUint::zero(), self.growing(r))
        } else if quotient.is_one() {
            (BigUint::one(), self.growing(&below))
        } else {
            flat(u8::from(quotient.is_odd()))
        }
    }
}

impl Values for Residue {
    fn value(&self, component: &Component) -> Option<BigUint> {
        let n = component.as_heap()?;
        if self.first >= self.step {
            return Some(n / &self.first);
        }
        let (laps, r) = n.div_rem(&self.step);
        let (base, most) = self.of_class(&r);
        Some(base + laps.min(most))
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let number = component.as_heap()?.clone();
        if self.first >= self.step {
            return Some(Reason::Quotient {
                number,
                divisor: self.first.clone(),
            });
        }
        let (laps, rest) = number.div_rem(&self.step);
        let (base, most) = self.of_class(&rest);
        Some(Reason::Laps {
            number,
            step: self.step.clone(),
            laps,
            rest,
            base,
            most,
        })
    }

    fn places(&self, component: &Component, value: &BigUint) -> Option<Places> {
        let n = component.as_heap()?;
        let none = || Some(Places::Steps(None));
        if *n < self.first {
            return none();
        }
        let last = n - &self.first;
        let r = &last % &self.step;
        // The options of the value are those from `low` to `high` in the class of r.
        let (low, high) = if self.first >= self.step {
            let low = value * &self.first;
            let high = &low + &self.first - 1u8;
            (low, high)
        } else {
            let (base, most) = self.of_class(&r);
            if *value < base || *value > &base + &most {
                return none();
            }
            let lap = value - &base;
            let low = &lap * &self.step;
            let high = if lap < most {
                &low + &self.step - 1u8
            } else {
                last.clone()
            };
            (low, high)
        };
        let (low, high) = (BigInt::from(low), BigInt::from(high.min(last)));
        let step = BigInt::from(self.step.clone());
        let r = BigInt::from(r);
        let low = &low + (&r - &low).mod_floor(&step);
        let high = &high - (&high - &r).mod_floor(&step);
        let steps = (low <= high && !high.is_negative()).then_some(Progression { low, high, step });
        Some(Places::Steps(steps))
    }
}
