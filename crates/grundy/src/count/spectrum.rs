//! How many sums of heaps have a given value: the Walsh spectrum of a family of values.

use std::collections::BTreeMap;

use grundy_rules::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// A family of natural numbers in which each may occur several times, as a signed sum of pieces
/// `{ 2^e * y + low : y < end }`.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// The exponent `e`.
    low_bits: u32,
    /// How often the piece with this `low` and `end` occurs.
    pieces: BTreeMap<(usize, BigUint), BigInt>,
}

/// The most low bits, for each value of which a number is held.
pub(super) const MOST_LOW_BITS: u32 = 20;

/// The most independent signs; all combinations of them are visited.
const MOST_SIGNS: usize = 24;

/// The most bits of a count.
const MOST_BITS: u64 = 1 << 22;

impl Values {
    /// The empty family, of pieces with so many low bits.
    pub fn new(low_bits: u32) -> Self {
        Self {
            low_bits,
            pieces: BTreeMap::new(),
        }
    }

    /// Adds one number so many times.
    pub fn add_number(&mut self, number: &BigUint, times: &BigInt) {
        let high = number >> self.low_bits;
        let low = self.low(number);
        self.add(low, &high + 1u8, times);
        self.add(low, high, &-times);
    }

    /// Adds `number`, `number + 2^e`, `number + 2 * 2^e`, … so many times. In the end, for each
    /// remainder, as many of these must have been taken away as were added.
    pub fn add_from(&mut self, number: &BigUint, times: &BigInt) {
        self.add(self.low(number), number >> self.low_bits, &-times);
    }

    fn low(&self, number: &BigUint) -> usize {
        let mask = (1u64 << self.low_bits) - 1;
        let low = number.iter_u64_digits().next().unwrap_or(0) & mask;
        usize::try_from(low).expect("there are few low bits")
    }

    fn add(&mut self, low: usize, end: BigUint, times: &BigInt) {
        if !end.is_zero() {
            *self.pieces.entry((low, end)).or_default() += times;
        }
    }

    /// The spectrum of the family at a value.
    ///
    /// For each `u` below a power of two `W` above all numbers and the value let `D(u) = sum of
    /// (-1)^popcount(u & v)` over all `v` in the family; then the number of `k`-tuples with nim-sum
    /// `g` is the mean over `u` of `(-1)^popcount(u & g) * D(u)^k`.
    ///
    /// There are too many `u` to visit, but few different `D(u)`. Write `u = 2^e * a + b`. If `a`
    /// is not 0 and `t` is the place of its lowest 1, then blocks of `2^(t+1)` numbers `y` cancel,
    /// so that the sum over `y < end` is that over the numbers of the last block: the distance `f`
    /// of `end` to the nearest multiple of `2^(t+1)`, with the sign of `h = floor(end / 2^(t+1))`.
    /// These signs depend on `a` through the parities of `popcount(a' & h)`, `a' = floor(a /
    /// 2^(t+1))`, which for linearly independent `h` take all combinations equally often.
    pub fn spectrum(&self, value: &BigUint, meter: &mut Meter) -> Result<Spectrum, Limit> {
        let pieces: Vec<(usize, &BigUint, &BigInt)> = self
            .pieces
            .iter()
            .filter(|(_, times)| !times.is_zero())
            .map(|((low, end), times)| (*low, end, times))
            .collect();
        let most = pieces.iter().map(|(_, end, _)| (*end - 1u8).bits()).max();
        let high_bits = most.unwrap_or(0);
        let mut spectrum = Spectrum {
            total: BigInt::zero(),
            shift: high_bits + u64::from(self.low_bits),
            terms: BTreeMap::new(),
        };
        for (_, end, times) in &pieces {
            spectrum.total += *times * BigInt::from((*end).clone());
        }
        if value.bits() > spectrum.shift {
            return Ok(spectrum);
        }
        meter.allocate(64 << self.low_bits)?;
        let low = self.low(value);
        let high = value >> self.low_bits;
        let all = pieces
            .iter()
            .map(|(low, end, times)| (*low, *times * BigInt::from((*end).clone())));
        let sums = self.transform(all, meter)?;
        spectrum.add(sums, low, &BigInt::one());
        for place in 0..high_bits {
            self.add_place(&mut spectrum, &pieces, place, (low, &high), meter)?;
        }
        meter.release(64 << self.low_bits);
        Ok(spectrum)
    }

    /// Adds the `D(u)` of all `u` whose lowest 1 above the low bits stands at `place`.
    fn add_place(
        &self,
        spectrum: &mut Spectrum,
        pieces: &[(usize, &BigUint, &BigInt)],
        place: u64,
        value: (usize, &BigUint),
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        let block = BigUint::one() << (place + 1);
        let above = value.1 >> (place + 1);
        let mut basis = Basis::default();
        let of_value = basis.combination(&above);
        let mut waves: BTreeMap<(usize, u64), BigInt> = BTreeMap::new();
        for (low, end, times) in pieces {
            meter.spend(1 + end.bits() / 64)?;
            let head = *end >> (place + 1);
            let rest = *end - (&head << (place + 1));
            let distance = (&block - &rest).min(rest);
            if distance.is_zero() {
                continue;
            }
            let signs = basis.combination(&head);
            if basis.rows.len() > MOST_SIGNS {
                return Err(Limit::Steps);
            }
            *waves.entry((*low, signs)).or_default() += *times * BigInt::from(distance);
        }
        let free = spectrum.shift - u64::from(self.low_bits) - place - 1;
        let each = BigInt::one() << (free - basis.rows.len() as u64);
        let each = if value.1.bit(place) { -each } else { each };
        for combination in 0u64..1 << basis.rows.len() {
            meter.spend(waves.len() as u64)?;
            let is_odd = |signs: u64| (signs & combination).count_ones() % 2 == 1;
            let signed = waves.iter().map(|((low, signs), wave)| {
                let wave = if is_odd(*signs) { -wave } else { wave.clone() };
                (*low, wave)
            });
            let sums = self.transform(signed, meter)?;
            let times = if is_odd(of_value) {
                -&each
            } else {
                each.clone()
            };
            spectrum.add(sums, value.0, &times);
        }
        Ok(())
    }

    /// For each `b` the sum of `(-1)^popcount(b & low)` times the number at `low`.
    fn transform(
        &self,
        numbers: impl Iterator<Item = (usize, BigInt)>,
        meter: &mut Meter,
    ) -> Result<Vec<BigInt>, Limit> {
        let mut sums = vec![BigInt::zero(); 1 << self.low_bits];
        for (low, number) in numbers {
            sums[low] += number;
        }
        for bit in 0..self.low_bits {
            meter.spend(sums.len() as u64)?;
            for block in sums.chunks_mut(2 << bit) {
                let (left, right) = block.split_at_mut(1 << bit);
                for (l, r) in left.iter_mut().zip(right) {
                    let difference = &*l - &*r;
                    *l += &*r;
                    *r = difference;
                }
            }
        }
        Ok(sums)
    }
}

/// Linearly independent numbers over the field of two elements.
#[derive(Default)]
struct Basis {
    /// Reduced numbers, each with the members of the basis whose nim-sum it is.
    rows: Vec<(BigUint, u64)>,
}

impl Basis {
    /// The members whose nim-sum a number is; it becomes one itself if there are none such.
    fn combination(&mut self, number: &BigUint) -> u64 {
        let mut rest = number.clone();
        let mut members = 0;
        for (row, of_row) in &self.rows {
            if rest.bit(row.bits() - 1) {
                rest ^= row;
                members ^= of_row;
            }
        }
        if rest.is_zero() {
            return members;
        }
        let new = 1 << self.rows.len();
        self.rows.push((rest, members ^ new));
        new
    }
}

/// The different sums `D(u)`, each with how often it occurs, counted with the sign at a value.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    /// How many numbers the family has.
    total: BigInt,
    /// There are `2^shift` different `u`.
    shift: u64,
    terms: BTreeMap<BigInt, BigInt>,
}

impl Spectrum {
    fn add(&mut self, sums: Vec<BigInt>, value: usize, times: &BigInt) {
        for (b, sum) in sums.into_iter().enumerate() {
            let term = self.terms.entry(sum).or_default();
            if (b & value).count_ones() % 2 == 1 {
                *term -= times;
            } else {
                *term += times;
            }
        }
    }

    /// How many `k`-tuples of members have the value as their nim-sum.
    pub fn tuples(&self, k: u32, meter: &mut Meter) -> Result<BigUint, Limit> {
        let words = self.words(k)?;
        let mut count = BigInt::zero();
        for (sum, times) in &self.terms {
            meter.spend(1 + words * words / 64)?;
            count += sum.pow(k) * times;
        }
        Ok(self.mean(&count))
    }

    /// How many multisets of `k` members have the value as their nim-sum.
    ///
    /// Members are told apart even where they are equal numbers. A character `u` takes the value 1
    /// for `p` of them and -1 for `m`, with `p + m = T` and `p - m = D`; so the multisets of `k`
    /// contribute the coefficient of `x^k` in `F = (1-x)^-p * (1+x)^-m`, and from `(1 - x^2) F' =
    /// (D + T x) F` follows `k F_k = D F_(k-1) + (T + k - 2) F_(k-2)`.
    pub fn multisets(&self, k: u32, meter: &mut Meter) -> Result<BigUint, Limit> {
        let words = self.words(k)?;
        let mut count = BigInt::zero();
        for (sum, times) in &self.terms {
            // The numbers j! * F_j for j - 1 and j.
            let (mut before, mut now) = (BigInt::zero(), BigInt::one());
            for j in 1..=k {
                meter.spend(1 + words)?;
                let factor = (&self.total + j - 2) * (j - 1);
                let next = sum * &now + factor * before;
                (before, now) = (now, next);
            }
            count += now * times;
        }
        let factorial: BigInt = (1..=k).map(BigInt::from).product();
        let count = self.mean(&count);
        let (count, rest) = (
            &count / factorial.magnitude(),
            &count % factorial.magnitude(),
        );
        assert!(rest.is_zero(), "multisets are counted by whole numbers");
        Ok(count)
    }

    /// About how many words the numbers have that are dealt with.
    fn words(&self, k: u32) -> Result<u64, Limit> {
        let bits = (self.total.bits() + u64::from(k.max(2).ilog2())).checked_mul(u64::from(k));
        match bits {
            Some(bits) if bits <= MOST_BITS => Ok(bits / 64 + 1),
            _ => Err(Limit::Steps),
        }
    }

    fn mean(&self, count: &BigInt) -> BigUint {
        let mean = count >> self.shift;
        assert!(
            !mean.is_negative() && &mean << self.shift == *count,
            "a number of sums is a natural number"
        );
        mean.magnitude().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Budget;

    /// Held against all tuples and multisets of small families.
    #[test]
    fn counts_equal_their_definition() {
        let meter = &mut Meter::new(Budget::default());
        let families: [&[u64]; 7] = [
            &[],
            &[0],
            &[3, 3, 5],
            &[0, 1, 2, 3, 4, 5, 6],
            &[5, 6, 7, 8, 9, 10, 11, 12],
            &[1, 1, 1, 2, 9, 14],
            &[0, 4, 8, 12, 16, 20, 3, 7],
        ];
        for family in families {
            for low_bits in 0..4 {
                let mut values = Values::new(low_bits);
                for value in family {
                    values.add_number(&BigUint::from(*value), &BigInt::one());
                }
                for target in 0..20u64 {
                    let spectrum = values.spectrum(&target.into(), meter).expect("small");
                    for k in 1..4u32 {
                        let mut tuples = 0u64;
                        let mut multisets = 0u64;
                        let size = family.len() as u64;
                        for code in 0..size.pow(k) {
                            let places: Vec<u64> =
                                (0..k).map(|i| code / size.pow(i) % size).collect();
                            let sum = places
                                .iter()
                                .fold(0, |sum, p| sum ^ family[usize::try_from(*p).unwrap()]);
                            if sum == target {
                                tuples += 1;
                                multisets += u64::from(places.is_sorted());
                            }
                        }
                        let found = spectrum.tuples(k, meter).expect("small");
                        assert_eq!(found, tuples.into(), "{family:?} {low_bits} {target} {k}");
                        let found = spectrum.multisets(k, meter).expect("small");
                        assert_eq!(
                            found,
                            multisets.into(),
                            "{family:?} {low_bits} {target} {k}"
                        );
                    }
                }
            }
        }
    }
}
