//! Games of divisors, and of numbers without a common one.

use grundy_rules::divisor::factors;
use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::{Alternative, BinaryOp, Expr, ResultTerm, Role, TemplateItem};
use grundy_rules::{Budget, Component, Limit, Meter, Ruleset};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::formula::valued;
use super::{Components, Family, Sample};
use crate::answer::few::Few;
use crate::answer::{MoveSet, Reason};
use crate::shape::KnownRules;

/// How often 2 divides a number; `None` for 0.
fn twos(n: &BigUint) -> Option<BigUint> {
    n.trailing_zeros().map(BigUint::from)
}

fn told_twos(component: &Component) -> Option<Reason> {
    let number = component.as_heap()?.clone();
    let times = number.trailing_zeros()?;
    Some(Reason::Twos { number, times })
}

static ALIQUOT_RULES: KnownRules = KnownRules::new("[n] -> [n-d] where d | n, d < n");
static DIM_RULES: KnownRules = KnownRules::new("[n] -> [n-d] where d | n, n >= 1");
static DIVISORS_RULES: KnownRules = KnownRules::new("[n] -> [d] where d | n, d < n");
static PRIM_RULES: KnownRules = KnownRules::new("[n] -> [n-k] where k >= 1, gcd(k, n) = 1");

/// Subtract a proper divisor.
pub(super) const ALIQUOT: Family = Family {
    name: "subtract a proper divisor",
    statement: "the value of n is the number of times that 2 divides n",
    citation: "Iannucci and Larsson 2021, Game values of arithmetic functions",
    samples: &[Sample {
        rules: "take: [n] -> [n-d] where d | n, d < n",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        let value = |component: &Component| Some(twos(component.as_heap()?).unwrap_or_default());
        valued(
            game,
            &ALIQUOT_RULES,
            ALIQUOT.citation,
            (value, told_twos),
            None,
        )
    },
};

/// Subtract any divisor.
pub(super) const DIM: Family = Family {
    name: "subtract a divisor (Dim)",
    statement: "the value of n > 0 is 1 more than the number of times that 2 divides n",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4",
    samples: &[Sample {
        rules: "take: [n] -> [n-d] where d | n, n >= 1",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        let value = |component: &Component| {
            let twos = twos(component.as_heap()?);
            Some(twos.map_or_else(BigUint::zero, |twos| twos + 1u8))
        };
        valued(game, &DIM_RULES, DIM.citation, (value, told_twos), None)
    },
};

/// Move to a proper divisor: a prime divided out of n leaves one prime less, and each number of primes below
/// that of n is that of a divisor.
pub(super) const DIVISORS: Family = Family {
    name: "move to a proper divisor",
    statement: "the value of n > 0 is the number of its prime factors, repeated ones counted",
    citation: "Iannucci and Larsson 2021, Game values of arithmetic functions",
    samples: &[Sample {
        rules: "move: [n] -> [d] where d | n, d < n",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        let value = |component: &Component| {
            let factors = factors(component.as_heap()?, &mut Meter::new(EFFORT)).ok()?;
            Some(factors.iter().map(|(_, times)| BigUint::from(*times)).sum())
        };
        valued(
            game,
            &DIVISORS_RULES,
            DIVISORS.citation,
            (value, told_primes),
            None,
        )
    },
};

/// Subtract a number that has no common divisor with the heap.
///
/// What is left has none with the heap either. From an even heap it is odd, and by induction not of
/// value 0. From an odd heap whose least prime divisor is the i-th prime one reaches n-1 of value 0, 1 of value
/// 1, every smaller odd prime, and no number with the same least prime divisor.
pub(super) const PRIM: Family = Family {
    name: "subtract a number without a common divisor (Prim)",
    statement: "even heaps have value 0 and 1 has value 1; any other has i, where its least prime divisor is \
                the i-th prime",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4",
    samples: &[Sample {
        rules: "take: [n] -> [n-k] where k >= 1, gcd(k, n) = 1",
        components: Components::Box(&[150]),
        up_to: 2,
    }],
    recognise: |game| {
        valued(
            game,
            &PRIM_RULES,
            PRIM.citation,
            (prim, told_least_prime),
            Some(prim_moves),
        )
    },
};

/// What factoring a heap may cost where only its value is asked for.
const EFFORT: Budget = Budget {
    steps: 1 << 23,
    bytes: 1 << 20,
};

/// The largest prime whose place among the primes is counted.
const LARGEST_PRIME: u32 = 1 << 24;
/// The largest prime for which moves are found.
const LARGEST_SIEVE: u32 = 1 << 12;

/// The primes up to a bound, ascending.
fn primes_upto(bound: u32) -> impl Iterator<Item = u32> {
    let length = bound as usize + 1;
    let mut composite = vec![false; length];
    for p in (2..length).take_while(|p| p * p < length) {
        if !composite[p] {
            (p * p..length).step_by(p).for_each(|m| composite[m] = true);
        }
    }
    (2..=bound).filter(move |p| !composite[*p as usize])
}

fn told_primes(component: &Component) -> Option<Reason> {
    let number = component.as_heap().filter(|n| !n.is_zero())?.clone();
    let factors = factors(&number, &mut Meter::new(EFFORT)).ok()?;
    Some(Reason::Primes { number, factors })
}

fn told_least_prime(component: &Component) -> Option<Reason> {
    let number = component.as_heap().filter(|n| **n > BigUint::one())?;
    let factors = factors(number, &mut Meter::new(EFFORT)).ok()?;
    let (prime, _) = factors.into_iter().next()?;
    Some(Reason::LeastPrime {
        number: number.clone(),
        prime,
    })
}

fn prim(component: &Component) -> Option<BigUint> {
    let n = component.as_heap()?;
    if n.is_even() {
        return Some(BigUint::zero());
    }
    if n.is_one() {
        return Some(BigUint::one());
    }
    let factors = factors(n, &mut Meter::new(EFFORT)).ok()?;
    let least = factors
        .first()?
        .0
        .to_u32()
        .filter(|p| *p <= LARGEST_PRIME)?;
    Some(primes_upto(least).count().into())
}

/// The name of the choice k of a game's only rule `[n] -> [n-k]`.
fn take(ruleset: &Ruleset) -> Option<&str> {
    let [rule] = ruleset.moves.as_slice() else {
        return None;
    };
    let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
        return None;
    };
    let [ResultTerm::Component(template)] = terms.as_slice() else {
        return None;
    };
    let [TemplateItem::Expr(Expr::Binary(BinaryOp::Subtract, _, take))] = template.items.as_slice()
    else {
        return None;
    };
    let Expr::Variable(take) = **take else {
        return None;
    };
    let name = &rule.scope.names[take.0];
    (name.role == Role::Choice).then_some(name.name.as_str())
}

/// The moves of Prim to heaps of some value: to 1 for value 1, and otherwise to the multiples of the prime in that
/// place that have no smaller prime divisor, and none in common with n.
fn prim_moves<'k>(
    ruleset: &'k Ruleset,
    component: &Component,
    target: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit> {
    let (Some(name), Some(n)) = (take(ruleset), component.as_heap()) else {
        return Ok(None);
    };
    let option = move |n: &BigUint, left: &BigUint| RuleOption {
        rule: 0,
        result: vec![Component::of_numbers([left.clone()])],
        choices: vec![(name.to_owned(), (n - left).into())],
        ways: 1,
    };
    let few = |left: Option<BigUint>| {
        let moves = left.map(|left| option(n, &left)).into_iter().collect();
        Ok(Some(Box::new(Few::options(moves)) as Box<dyn MoveSet<_>>))
    };
    if n.is_one() && target.is_zero() {
        return few(Some(BigUint::zero()));
    }
    if *n <= BigUint::one() || target >= n {
        return few(None);
    }
    if target.is_one() {
        return few(Some(BigUint::one()));
    }
    let place = target.to_usize().map(|place| place.max(1) - 1);
    let small: Vec<u32> = primes_upto(LARGEST_SIEVE).collect();
    let Some((place, prime)) = place.and_then(|place| Some((place, *small.get(place)?))) else {
        return Ok(None);
    };
    if (n % prime).is_zero() {
        return few(None);
    }
    let mut without: Vec<BigUint> = small[..place].iter().map(|p| BigUint::from(*p)).collect();
    let avoided = without.iter().product::<BigUint>() * n;
    without.extend(factors(n, meter)?.into_iter().map(|(p, _)| p));
    without.sort();
    without.dedup();
    let most = (n - 1u8) / prime;
    let count = prime_to(&most, &without, meter)?;
    Ok(Some(Box::new(Coprime {
        option: Box::new(option),
        n: n.clone(),
        prime: prime.into(),
        avoided,
        most,
        count,
    })))
}

/// How many of the numbers 1 to `most` none of some primes divides (Legendre).
fn prime_to(most: &BigUint, primes: &[BigUint], meter: &mut Meter) -> Result<BigUint, Limit> {
    meter.spend(1)?;
    let mut count = most.clone();
    for (index, prime) in primes.iter().enumerate() {
        if prime > most {
            break;
        }
        // Those that this prime divides, and none before it.
        count -= prime_to(&(most / prime), &primes[..index], meter)?;
    }
    Ok(count)
}

/// The move from one heap to another.
type Leave<'k> = dyn Fn(&BigUint, &BigUint) -> RuleOption + 'k;

/// The moves of Prim to multiples of a prime.
struct Coprime<'k> {
    option: Box<Leave<'k>>,
    n: BigUint,
    prime: BigUint,
    /// No multiple with a divisor in common with this.
    avoided: BigUint,
    /// The largest multiple is that by this number.
    most: BigUint,
    count: BigUint,
}

impl MoveSet<RuleOption> for Coprime<'_> {
    fn count(&self) -> Option<BigUint> {
        Some(self.count.clone())
    }

    /// Small takes come first, so large multiples do.
    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        let down = std::iter::successors(Some(self.most.clone()), |times| {
            (!times.is_zero()).then(|| times - 1u8)
        });
        let mut left = self.count.clone();
        let moves = down.filter(|times| (times * &self.prime).gcd(&self.avoided).is_one());
        let moves = moves.map(|times| (self.option)(&self.n, &(times * &self.prime)));
        let mut moves = moves;
        Box::new(std::iter::from_fn(move || {
            if left.is_zero() {
                return None;
            }
            left -= 1u8;
            moves.next()
        }))
    }

    fn least(&self) -> Option<RuleOption> {
        let any = !self.count.is_zero();
        any.then(|| (self.option)(&self.n, &self.prime))
    }
}
