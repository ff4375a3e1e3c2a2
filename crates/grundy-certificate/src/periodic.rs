//! Periodic laws: their windows, and that neither preperiod nor period could be smaller.

use crate::law::Periodic;
use crate::refusal::Falsehood;

impl Periodic {
    /// The values of the heaps `0..length` by the law; `None` if one exceeds 64 bits.
    pub(crate) fn extended(&self, length: u64) -> Option<Vec<u64>> {
        let length = usize::try_from(length).ok()?;
        let period = usize::try_from(self.period).ok()?;
        let mut values = self.values.clone();
        values.truncate(length);
        while values.len() < length {
            values.push(values[values.len() - period].checked_add(self.saltus)?);
        }
        Some(values)
    }

    /// Verifies that the law does not hold from a smaller heap on, nor with a smaller period.
    ///
    /// # Why this is enough
    ///
    /// If the law held from some heap below the preperiod on, it would hold from the last heap
    /// below it on. Two periods have a ratio equal to that of their saltus, because both say how
    /// fast the values grow, and their greatest common divisor, with the saltus in proportion,
    /// is a period for large heaps, hence from the preperiod on: going up by a multiple of the
    /// known period and down again changes nothing. So a smaller period would make a proper
    /// divisor of the known one a period, and with it the known one divided by some prime.
    pub(crate) fn verify_least(&self) -> Result<(), Falsehood> {
        let at = |heap: u64| u128::from(self.values[usize::try_from(heap).expect("in memory")]);
        if self.preperiod > 0
            && at(self.preperiod - 1 + self.period)
                == at(self.preperiod - 1) + u128::from(self.saltus)
        {
            return Err(Falsehood::PreperiodNotLeast);
        }
        for prime in prime_divisors(self.period) {
            if !self.saltus.is_multiple_of(prime) {
                continue;
            }
            let (smaller, saltus) = (self.period / prime, u128::from(self.saltus / prime));
            let mut start = self.preperiod..self.preperiod + self.period - smaller;
            if start.all(|heap| at(heap + smaller) == at(heap) + saltus) {
                return Err(Falsehood::PeriodNotLeast { smaller });
            }
        }
        Ok(())
    }
}

/// The primes that divide a positive number.
fn prime_divisors(number: u64) -> Vec<u64> {
    let (mut rest, mut divisor, mut primes) = (number, 2, Vec::new());
    while divisor * divisor <= rest {
        if rest.is_multiple_of(divisor) {
            primes.push(divisor);
            while rest.is_multiple_of(divisor) {
                rest /= divisor;
            }
        }
        divisor += 1;
    }
    if rest > 1 {
        primes.push(rest);
    }
    primes
}
