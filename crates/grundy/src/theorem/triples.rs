//! Splits of a heap in three with a given nim-sum of values, where values are linear in the lap of a part.
//!
//! Parts are sorted into classes: a part of a class is M*u + r and its value D*u + d, with 0 <= d < D, for the naturals u from
//! some number on. So in each choice of three classes the numbers u, v, w have a given sum and a given exclusive or.
//! These are found digit by digit: where k of the three have a 1 in a binary place and c is carried into it, k is as odd as the
//! exclusive or says, and k + c leaves the digit of the sum and a carry of at most 2.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::answer::strand::Strand;

/// Parts whose values are linear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// The part is so much more than M*u.
    pub rest: i8,
    /// The value is so much more than D*u.
    pub digit: u8,
    /// The least u.
    pub least: u8,
}

/// The classes of all parts from 1 on; each part is of one class.
#[derive(Debug)]
pub(super) struct Classes {
    /// M
    pub lap: u8,
    /// D, a power of two.
    pub growth: u8,
    pub all: &'static [Class],
}

/// The splits of a heap in three parts from 1 on, the values of which have a given nim-sum; each once, the parts ascending.
#[derive(Debug)]
pub(super) struct Triples {
    classes: &'static Classes,
    heap: BigInt,
    nim_sum: BigUint,
    /// Three classes, and the sum of the numbers u in them.
    choices: Vec<([Class; 3], BigUint)>,
    /// The exclusive or of these.
    xor: BigUint,
}

impl Triples {
    pub(super) fn new(classes: &'static Classes, heap: &BigUint, nim_sum: &BigUint) -> Self {
        let heap = BigInt::from(heap.clone());
        let (xor, digit) = nim_sum.div_rem(&classes.growth.into());
        let digit = digit.to_u8().expect("a remainder is below its divisor");
        let mut choices = Vec::new();
        for a in classes.all {
            for b in classes.all {
                for c in classes.all {
                    let rests: i32 = [a, b, c].iter().map(|class| i32::from(class.rest)).sum();
                    let (sum, over) = (&heap - rests).div_mod_floor(&classes.lap.into());
                    if let Some(sum) = sum.to_biguint()
                        && over.is_zero()
                        && a.digit ^ b.digit ^ c.digit == digit
                    {
                        choices.push(([*a, *b, *c], sum));
                    }
                }
            }
        }
        Self {
            classes,
            heap,
            nim_sum: nim_sum.clone(),
            choices,
            xor,
        }
    }

    /// The class and the number u of a part; `None` below 1.
    fn place(&self, part: &BigInt) -> Option<(Class, BigUint)> {
        let mut places = self.classes.all.iter().filter_map(|class| {
            let (u, over) = (part - class.rest).div_mod_floor(&self.classes.lap.into());
            let u = u.to_biguint().filter(|u| *u >= class.least.into())?;
            over.is_zero().then_some((*class, u))
        });
        places.next()
    }

    fn value(&self, part: &BigInt) -> Option<BigUint> {
        let (class, u) = self.place(part)?;
        Some(u * self.classes.growth + class.digit)
    }

    /// How many there are: all orders of the parts are counted, and splits with equal parts have fewer of them.
    pub(super) fn count(&self) -> BigUint {
        let ordered: BigInt = self
            .choices
            .iter()
            .map(|(classes, sum)| with_least(classes, sum, &self.xor))
            .sum();
        // Two equal parts leave one of the value of the nim-sum.
        let thirds = self.classes.all.iter().filter_map(|class| {
            let (u, over) = self.nim_sum.div_rem(&self.classes.growth.into());
            let fits = over == class.digit.into() && u >= class.least.into();
            fits.then(|| BigInt::from(u) * self.classes.lap + class.rest)
        });
        let twins: Vec<BigInt> = thirds
            .filter(|third| third < &self.heap && (&self.heap - third).is_even())
            .collect();
        let alike = twins.iter().filter(|third| *third * 3 == self.heap);
        let (twins, alike) = (twins.len(), alike.count());
        let all: BigInt = (ordered + 3 * twins + 2 * alike) / 6;
        all.to_biguint().expect("a count is a natural")
    }

    /// The least first part from `from` on that stands in a split in any place.
    fn first_part(&self, from: &BigInt) -> Option<BigInt> {
        let lap = BigInt::from(self.classes.lap);
        let parts = self.choices.iter().filter_map(|([class, ..], sum)| {
            let low = (from - class.rest).div_ceil(&lap);
            let low = low.max(class.least.into()).to_biguint()?;
            let u = least_of_three(&low, sum, &self.xor)?;
            Some(BigInt::from(u) * &lap + class.rest)
        });
        parts.min()
    }

    /// The second parts that stand behind a first part, none of the three smaller than one before it.
    fn second_parts(&self, first: &BigInt) -> Vec<Strand> {
        let Some((class, u)) = self.place(first) else {
            return Vec::new();
        };
        let lap = BigInt::from(self.classes.lap);
        let half = (&self.heap - first).div_floor(&2.into());
        let xor = &self.xor ^ &u;
        let same = |choice: &Class| choice.rest == class.rest;
        let choices = self.choices.iter().filter(|([a, ..], _)| same(a));
        let strands = choices.filter_map(|([_, b, c], sum)| {
            let sum = (sum >= &u).then(|| sum - &u)?;
            let low = (first - b.rest).div_ceil(&lap).max(b.least.into());
            let high = (&half - b.rest).div_floor(&lap);
            let high = high.min(BigInt::from(sum.clone()) - c.least);
            let ends = (low.to_biguint()?, high.to_biguint()?);
            (ends.0 <= ends.1)
                .then(|| Strand::xor_pairs(b.rest.into(), lap.clone(), ends, &sum, &xor))
        });
        strands.collect()
    }

    /// The splits, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = [BigInt; 3]> + '_ {
        let firsts = std::iter::successors(self.first_part(&BigInt::one()), |a| {
            self.first_part(&(a + 1u8))
        });
        // The smallest part is at most a third.
        let firsts = firsts.take_while(|a| a * 3u8 <= self.heap);
        firsts.flat_map(move |a| {
            let strands = self.second_parts(&a);
            let next = move |from: &BigInt| strands.iter().filter_map(|s| s.next(from)).min();
            let seconds = std::iter::successors(next(&a), move |b| next(&(b + 1u8)));
            seconds.map(move |b| {
                let c = &self.heap - &a - &b;
                debug_assert_eq!(
                    [&a, &b, &c]
                        .into_iter()
                        .filter_map(|part| self.value(part))
                        .fold(BigUint::zero(), |sum, value| sum ^ value),
                    self.nim_sum
                );
                [a.clone(), b, c]
            })
        })
    }
}

/// How many triples of naturals have a sum and an exclusive or, each of them at least what its class says.
fn with_least(classes: &[Class; 3], sum: &BigUint, xor: &BigUint) -> BigInt {
    // Those with a 0 where a 1 is the least are taken out.
    let bounded = classes.iter().filter(|class| class.least > 0).count();
    let signs: [&[i32]; 4] = [&[1], &[1, -1], &[1, -2, 1], &[1, -3, 3, -1]];
    let terms = signs[bounded].iter().enumerate();
    terms
        .map(|(zeros, sign)| BigInt::from(tuples(3 - zeros, sum, xor)) * *sign)
        .sum()
}

/// How many tuples of up to three naturals have a sum and an exclusive or.
fn tuples(size: usize, sum: &BigUint, xor: &BigUint) -> BigUint {
    if xor > sum {
        return BigUint::zero();
    }
    // By what is carried into the place.
    let mut counts = [BigUint::one(), BigUint::zero(), BigUint::zero()];
    for place in 0..sum.bits() {
        let mut next = [BigUint::zero(), BigUint::zero(), BigUint::zero()];
        let ways = [1u8, 3, 3, 1];
        let ways = match size {
            3 => &ways[..],
            2 => &[1, 2, 1],
            1 => &[1, 1],
            _ => &[1],
        };
        for (carry, count) in counts.iter().enumerate() {
            for (ones, ways) in ways.iter().enumerate() {
                if let Some(carried) = carried(ones, carry, place, sum, xor) {
                    next[carried] += count * *ways;
                }
            }
        }
        counts = next;
    }
    let [none, ..] = counts;
    none
}

/// What is carried out of a place in which `ones` numbers have a 1; `None` where that is not the digit of the sum or of
/// the exclusive or.
fn carried(ones: usize, carry: usize, place: u64, sum: &BigUint, xor: &BigUint) -> Option<usize> {
    let total = ones + carry;
    let fits = (ones % 2 == 1) == xor.bit(place) && (total % 2 == 1) == sum.bit(place);
    fits.then_some(total / 2)
}

/// The carries into a place, as a set of bits, that make the carries out of it, if one number has this digit there and two
/// others have any.
fn carries_into(out: u8, digit: bool, place: u64, sum: &BigUint, xor: &BigUint) -> u8 {
    let mut into = 0;
    for carry in 0..3 {
        for others in 0..3 {
            let made = carried(usize::from(digit) + others, carry, place, sum, xor);
            if made.is_some_and(|made| out >> made & 1 == 1) {
                into |= 1 << carry;
            }
        }
    }
    into
}

/// The least u from `low` on for which some v and w have with it this sum and this exclusive or.
///
/// Digits are chosen from the highest down; a set of carries tells what the places below must make, and another what
/// they can.
fn least_of_three(low: &BigUint, sum: &BigUint, xor: &BigUint) -> Option<BigUint> {
    if low > sum || xor > sum {
        return None;
    }
    let width = usize::try_from(sum.bits()).ok()?;
    // What the places below each one can carry into it.
    let mut possible = vec![1u8];
    for place in 0..sum.bits() {
        let below = possible[possible.len() - 1];
        let mut out = 0;
        for carry in (0..3).filter(|carry| below >> carry & 1 == 1) {
            for ones in 0..4 {
                if let Some(made) = carried(ones, carry, place, sum, xor) {
                    out |= 1 << made;
                }
            }
        }
        possible.push(out);
    }
    // What the places below each one must carry into it while the digits are those of `low`.
    let mut wanted = vec![0u8; width + 1];
    wanted[width] = 1;
    for place in (0..width).rev() {
        let at = place as u64;
        wanted[place] = carries_into(wanted[place + 1], low.bit(at), at, sum, xor);
    }
    if wanted[0] & 1 == 1 {
        return Some(low.clone());
    }
    let raised = (0..width).find_map(|place| {
        let at = place as u64;
        let into = carries_into(wanted[place + 1], true, at, sum, xor) & possible[place];
        (!low.bit(at) && into != 0).then_some((place, into))
    });
    let (place, mut into) = raised?;
    let mut u = ((low >> place) | BigUint::one()) << place;
    for below in (0..place).rev() {
        let at = below as u64;
        let zero = carries_into(into, false, at, sum, xor) & possible[below];
        into = if zero != 0 {
            zero
        } else {
            u.set_bit(at, true);
            carries_into(into, true, at, sum, xor) & possible[below]
        };
    }
    Some(u)
}
