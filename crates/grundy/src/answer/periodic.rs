//! Winning moves from a periodic law: which values of a running choice leave a given
//! nim-sum.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::family::{Affine, Family, Piece};
use super::strand::Strand;

/// The law g(n + period) = g(n) + saltus for all n from `preperiod` on.
#[derive(Clone, Copy, Debug)]
pub struct PeriodicLaw<'v> {
    /// The values of the heaps below `preperiod + period`.
    pub values: &'v [u64],
    /// From where on the law holds.
    pub preperiod: u64,
    /// At least 1.
    pub period: u64,
    /// By how much the values grow in each period.
    pub saltus: u64,
}

/// The most heaps looked at one by one where a law has no closed form.
const MOST: u64 = 1 << 24;

impl PeriodicLaw<'_> {
    /// The Grundy value of a heap of any size.
    pub fn value(&self, n: &BigUint) -> BigUint {
        if let Some(value) = n.to_usize().and_then(|n| self.values.get(n)) {
            return (*value).into();
        }
        let (laps, residue) = (n - self.preperiod).div_rem(&BigUint::from(self.period));
        let residue = residue.to_u64().expect("a residue is below the period") + self.preperiod;
        let first = self.values[usize::try_from(residue).expect("the table holds it")];
        laps * self.saltus + first
    }

    /// The heaps with this value if they are few: those of the preperiod, and with a saltus one
    /// for each residue at most. Ascending.
    fn heaps_with_value(&self, value: &BigUint) -> Vec<BigInt> {
        let mut heaps = Vec::new();
        for (n, first) in self.values.iter().enumerate() {
            let first = BigUint::from(*first);
            if (n as u64) < self.preperiod {
                if first == *value {
                    heaps.push(BigInt::from(n));
                }
            } else if *value >= first {
                let (laps, left) = (value - first).div_rem(&BigUint::from(self.saltus));
                if left.is_zero() {
                    heaps.push(BigInt::from(laps * self.period + n));
                }
            }
        }
        heaps.sort();
        heaps
    }

    /// The values of the running choice for which the nim-sum of the parts' values is `target`,
    /// as disjoint strands; `None` where the law has no closed form for them.
    pub fn choices(&self, family: &Family, target: &BigUint) -> Option<Vec<Strand>> {
        let mut strands = Vec::new();
        for piece in &family.pieces {
            match piece {
                Piece::Points(points) => {
                    let wins = |x: &&BigInt| self.nim_sum(&family.parts, x) == *target;
                    strands.push(Strand::Points(
                        points.iter().filter(wins).cloned().collect(),
                    ));
                }
                Piece::Range {
                    low,
                    high,
                    modulus,
                    residues,
                } => {
                    let range = Range {
                        low,
                        high,
                        modulus: *modulus,
                        residues,
                    };
                    strands.extend(self.in_range(&family.parts, range, target)?);
                }
            }
        }
        Some(strands)
    }

    fn nim_sum(&self, parts: &[Affine], x: &BigInt) -> BigUint {
        parts.iter().fold(BigUint::zero(), |sum, part| {
            let heap = part
                .at(x)
                .to_biguint()
                .expect("pieces keep parts from being negative");
            sum ^ self.value(&heap)
        })
    }

    fn in_range(&self, parts: &[Affine], range: Range, target: &BigUint) -> Option<Vec<Strand>> {
        let small = BigInt::from(2 * (self.preperiod + self.period));
        if range.high - range.low <= small {
            return Some(vec![
                self.one_by_one(parts, range.low, range.high, range, target)?,
            ]);
        }
        let varying: Vec<&Affine> = parts.iter().filter(|part| !part.slope.is_zero()).collect();
        if varying.iter().any(|part| !part.slope.abs().is_one()) {
            return None;
        }
        if varying.is_empty() {
            let wins = self.nim_sum(parts, range.low) == *target;
            return Some(if wins {
                range
                    .strand(range.low, range.high, |_| true)
                    .into_iter()
                    .collect()
            } else {
                Vec::new()
            });
        }
        if self.saltus == 0 {
            return self.without_saltus(parts, &varying, range, target);
        }
        let fixed = parts
            .iter()
            .filter(|part| part.slope.is_zero())
            .fold(BigUint::zero(), |sum, part| {
                sum ^ self.value(&part.constant.to_biguint().expect("no part is negative"))
            });
        let target = fixed ^ target;
        match varying.as_slice() {
            [part] => {
                let heaps = self.heaps_with_value(&target);
                let choices = heaps
                    .into_iter()
                    .map(|heap| (heap - &part.constant) * &part.slope);
                let mut choices: Vec<_> = choices.filter(|x| range.contains(x)).collect();
                choices.sort();
                Some(vec![Strand::Points(choices)])
            }
            [first, second] if first.slope == -&second.slope => {
                self.split_with_saltus(first, second, range, &target)
            }
            _ => None,
        }
    }

    /// A strand of points found by trying each.
    fn one_by_one(
        &self,
        parts: &[Affine],
        low: &BigInt,
        high: &BigInt,
        range: Range,
        target: &BigUint,
    ) -> Option<Strand> {
        let count = (high - low + 1u8).to_u64().unwrap_or(0);
        if count > MOST {
            return None;
        }
        let distances = self.scan(parts, low, count, range, target);
        Some(Strand::Points(
            distances.into_iter().map(|d| low + d).collect(),
        ))
    }

    /// The distances below `count` from `low` of the choices in `range` that leave `target`.
    fn scan(
        &self,
        parts: &[Affine],
        low: &BigInt,
        count: u64,
        range: Range,
        target: &BigUint,
    ) -> Vec<u64> {
        if let Some(walk) = Walk::new(self, parts, low, count) {
            let target = target.to_u64();
            return walk
                .filter(|(_, sum)| Some(*sum) == target)
                .map(|(d, _)| d)
                .filter(|d| range.modulus == 1 || range.contains(&(low + *d)))
                .collect();
        }
        (0..count)
            .filter(|d| {
                let x = low + *d;
                range.contains(&x) && self.nim_sum(parts, &x) == *target
            })
            .collect()
    }

    /// Where no part is in the preperiod, the nim-sum repeats with the period.
    fn without_saltus(
        &self,
        parts: &[Affine],
        varying: &[&Affine],
        range: Range,
        target: &BigUint,
    ) -> Option<Vec<Strand>> {
        let preperiod = BigInt::from(self.preperiod);
        let (mut low, mut high) = (range.low.clone(), range.high.clone());
        for part in varying {
            if part.slope.is_positive() {
                low = low.max(&preperiod - &part.constant);
            } else {
                high = high.min(&part.constant - &preperiod);
            }
        }
        let modulus = self.period.lcm(&range.modulus);
        if low > high || (&high - &low) <= BigInt::from(modulus) {
            return Some(vec![
                self.one_by_one(parts, range.low, range.high, range, target)?,
            ]);
        }
        if modulus > MOST {
            return None;
        }
        let residues = self.scan(parts, &low, modulus, range, target);
        let before = self.one_by_one(parts, range.low, &(&low - 1), range, target)?;
        let after = self.one_by_one(parts, &(&high + 1), range.high, range, target)?;
        Some(vec![
            before,
            Strand::Progressions {
                low,
                high,
                modulus,
                residues,
            },
            after,
        ])
    }

    /// Splits into x and total - x under a law whose saltus is a power of two: beyond the
    /// preperiod a value is `saltus * lap + rest` with a rest below the saltus, so the
    /// nim-sum of two is that of the laps and that of the rests.
    fn split_with_saltus(
        &self,
        first: &Affine,
        second: &Affine,
        range: Range,
        target: &BigUint,
    ) -> Option<Vec<Strand>> {
        if !self.saltus.is_power_of_two() || range.modulus != 1 {
            return None;
        }
        let (plus, minus) = if first.slope.is_positive() {
            (first, second)
        } else {
            (second, first)
        };
        let preperiod = BigInt::from(self.preperiod);
        let low = range.low.max(&(&preperiod - &plus.constant)).clone();
        let high = range.high.min(&(&minus.constant - &preperiod)).clone();
        let parts = [plus.clone(), minus.clone()];
        if low > high {
            return Some(vec![
                self.one_by_one(&parts, range.low, range.high, range, target)?,
            ]);
        }
        let mut strands = vec![
            self.one_by_one(&parts, range.low, &(&low - 1), range, target)?,
            self.one_by_one(&parts, &(&high + 1), range.high, range, target)?,
        ];
        let total = &plus.constant + &minus.constant;
        let period = BigInt::from(self.period);
        let (high_target, low_target) = target.div_rem(&BigUint::from(self.saltus));
        let lap_and_rest = |heap: u64| {
            let value = self.values[usize::try_from(heap).expect("the table holds it")];
            (value / self.saltus, value % self.saltus)
        };
        for residue in self.preperiod..self.preperiod + self.period {
            // The part that grows is residue + period * x, its partner residue' + period * y.
            let partner = (&total - residue - &preperiod).mod_floor(&period) + &preperiod;
            let laps = (&total - residue - &partner).div_floor(&period);
            let partner = partner.to_u64().expect("it is below preperiod + period");
            let ((c, rest), (d, other)) = (lap_and_rest(residue), lap_and_rest(partner));
            if BigUint::from(rest ^ other) != low_target || laps.is_negative() {
                continue;
            }
            // x + c and y + d are the laps of the two values.
            let all = (laps + c + d).to_biguint().expect("a sum of naturals");
            let offset = BigInt::from(residue) - &plus.constant - BigInt::from(c) * &period;
            let x_of = |bound: &BigInt, up: bool| {
                let distance = bound - &offset;
                if up {
                    distance.div_ceil(&period)
                } else {
                    distance.div_floor(&period)
                }
            };
            let least = x_of(&low, true).max(BigInt::from(c));
            let most = x_of(&high, false).min(BigInt::from(all.clone()) - d);
            if let (Some(least), Some(most)) = (least.to_biguint(), most.to_biguint()) {
                strands.push(Strand::xor_pairs(
                    offset,
                    period.clone(),
                    (least, most),
                    &all,
                    &high_target,
                ));
            }
        }
        Some(strands)
    }
}

/// The nim-sums of the parts' values while a choice grows by 1, in machine integers: what most
/// questions need, and much faster than exact ones.
struct Walk<'v> {
    law: PeriodicLaw<'v>,
    /// The heaps at the next choice, and by how much they grow.
    heaps: Vec<(i64, i64)>,
    distance: u64,
    count: u64,
}

impl<'v> Walk<'v> {
    /// The walk of `count` choices from `low` on; `None` where values or heaps do not fit.
    fn new(law: &PeriodicLaw<'v>, parts: &[Affine], low: &BigInt, count: u64) -> Option<Self> {
        if law.saltus != 0 {
            return None;
        }
        let steps = i64::try_from(count).ok()?;
        let heaps = parts.iter().map(|part| {
            let (heap, slope) = (part.at(low).to_i64()?, part.slope.to_i64()?);
            slope
                .checked_mul(steps)
                .and_then(|way| heap.checked_add(way))?;
            Some((heap, slope))
        });
        Some(Self {
            law: *law,
            heaps: heaps.collect::<Option<_>>()?,
            distance: 0,
            count,
        })
    }

    fn value(&self, heap: i64) -> u64 {
        let heap = u64::try_from(heap).expect("pieces keep parts from being negative");
        let place = if heap < self.law.preperiod {
            heap
        } else {
            self.law.preperiod + (heap - self.law.preperiod) % self.law.period
        };
        self.law.values[usize::try_from(place).expect("the table holds it")]
    }
}

impl Iterator for Walk<'_> {
    /// A distance and the nim-sum there.
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        if self.distance == self.count {
            return None;
        }
        let sum = self
            .heaps
            .iter()
            .fold(0, |sum, (heap, _)| sum ^ self.value(*heap));
        for (heap, slope) in &mut self.heaps {
            *heap += *slope;
        }
        self.distance += 1;
        Some((self.distance - 1, sum))
    }
}

/// A range of choices with residues.
#[derive(Clone, Copy)]
pub(crate) struct Range<'r> {
    pub(crate) low: &'r BigInt,
    pub(crate) high: &'r BigInt,
    pub(crate) modulus: u64,
    pub(crate) residues: &'r [u64],
}

impl Range<'_> {
    pub(crate) fn contains(&self, x: &BigInt) -> bool {
        let residue = x.mod_floor(&BigInt::from(self.modulus));
        let residue = residue.to_u64().expect("a residue is below its modulus");
        self.low <= x && x <= self.high && self.residues.binary_search(&residue).is_ok()
    }

    /// The members from `low` to `high` whose distance from `low` satisfies `test`.
    fn strand(&self, low: &BigInt, high: &BigInt, test: impl Fn(u64) -> bool) -> Option<Strand> {
        let residues: Vec<u64> = (0..self.modulus)
            .filter(|d| self.contains(&(low + *d)) && test(*d))
            .collect();
        (low <= high).then(|| Strand::Progressions {
            low: low.clone(),
            high: high.clone(),
            modulus: self.modulus,
            residues,
        })
    }
}
