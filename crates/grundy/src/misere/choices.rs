//! Which options of a heap leave a lost sum, from a law of misère play, without visiting them.

use grundy_certificate::{Misere, Monoid, is_firm};
use grundy_rules::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use crate::answer::family::{Family, Piece};
use crate::answer::periodic::{PeriodicLaw, Range};
use crate::answer::strand::Strand;

/// The values of a family's running choice that leave, beside heaps whose labels sum up to
/// `others`, a lost sum, as disjoint strands; `None` where the law has no closed form for them.
///
/// Where labels repeat, a piece is looked at as far as they do; the rest follows. Where they grow, all
/// large heaps are firm, and their indices add as Grundy values do.
pub fn choices(
    law: &Misere,
    family: &Family,
    others: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Vec<Strand>>, Limit> {
    let question = Question {
        law,
        family,
        others,
    };
    let mut strands = Vec::new();
    for piece in &family.pieces {
        let found = match piece {
            Piece::Points(points) => question.points(points.iter().cloned(), meter)?,
            Piece::Range { low, high, .. } if low > high => Some(Vec::new()),
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
                question.range(range, meter)?
            }
        };
        match found {
            Some(found) => strands.extend(found),
            None => return Ok(None),
        }
    }
    Ok(Some(strands))
}

/// The most choices that are looked at one by one.
const MOST: u64 = 1 << 24;

struct Question<'q> {
    law: &'q Misere,
    family: &'q Family,
    others: &'q BigUint,
}

impl Range<'_> {
    /// The choices of the range from `low` to `high`.
    fn members(&self, low: &BigInt, high: &BigInt) -> impl Iterator<Item = BigInt> {
        let end = high.clone();
        std::iter::successors(Some(low.clone()), |x| Some(x + 1u8))
            .take_while(move |x| *x <= end)
            .filter(|x| self.contains(x))
    }
}

impl Question<'_> {
    /// Whether a choice leaves a lost sum; `None` where it has no label.
    fn wins(&self, x: &BigInt) -> Option<bool> {
        let mut sum = self.others.clone();
        for part in &self.family.parts {
            let label = self.law.label(&part.at(x).to_biguint()?)?;
            sum = self.law.monoid.sum(&sum, &label)?;
        }
        Some(self.law.monoid.is_lost(&sum))
    }

    fn points(
        &self,
        points: impl Iterator<Item = BigInt>,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Strand>>, Limit> {
        let mut winning = Vec::new();
        for x in points {
            meter.spend(2)?;
            match self.wins(&x) {
                Some(true) => winning.push(x),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(vec![Strand::Points(winning)]))
    }

    fn range(&self, range: Range, meter: &mut Meter) -> Result<Option<Vec<Strand>>, Limit> {
        // From `low` to `high` all parts that vary are beyond the preperiod.
        let preperiod = BigInt::from(self.law.labels.preperiod);
        let (mut low, mut high) = (range.low.clone(), range.high.clone());
        for part in &self.family.parts {
            if part.slope.is_positive() {
                low = low.max((&preperiod - &part.constant).div_ceil(&part.slope));
            } else if part.slope.is_negative() {
                high = high.min((&part.constant - &preperiod).div_floor(&-&part.slope));
            }
        }
        let middle = if low > high {
            // Nothing is: what would be before and behind is all.
            (low, high) = (range.high + 1, range.high.clone());
            Some(Vec::new())
        } else if self.law.labels.saltus == 0 {
            self.repeating(range, &low, &high, meter)?
        } else {
            self.growing(range, &low, &high)
        };
        let Some(middle) = middle else {
            return Ok(None);
        };
        let few = BigInt::from(MOST);
        if &low - range.low > few || range.high - &high > few {
            return Ok(None);
        }
        let before = self.points(range.members(range.low, &(&low - 1)), meter)?;
        let after = self.points(range.members(&(&high + 1), range.high), meter)?;
        Ok(before.zip(after).map(|(mut strands, after)| {
            strands.extend(middle);
            strands.extend(after);
            strands
        }))
    }

    /// Where labels repeat: a step of a period changes the label of no part.
    fn repeating(
        &self,
        range: Range,
        low: &BigInt,
        high: &BigInt,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Strand>>, Limit> {
        let modulus = self.law.labels.period.lcm(&range.modulus);
        if modulus > MOST {
            return Ok(None);
        }
        let mut residues = Vec::new();
        for distance in 0..modulus {
            meter.spend(2)?;
            let x = low + distance;
            if x > *high {
                break;
            }
            if range.contains(&x) {
                match self.wins(&x) {
                    Some(true) => residues.push(distance),
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(vec![Strand::Progressions {
            low: low.clone(),
            high: high.clone(),
            modulus,
            residues,
        }]))
    }

    /// Where labels grow, they are those of tame games, and firm beyond the preperiod: the sum is to
    /// be firm with index 0, and indices obey a periodic law.
    fn growing(&self, range: Range, low: &BigInt, high: &BigInt) -> Option<Vec<Strand>> {
        let labels = &self.law.labels;
        let firm = labels
            .values
            .get(usize::try_from(labels.preperiod).ok()?..)?;
        if self.law.monoid != Monoid::Tame || !firm.iter().all(|label| is_firm(*label)) {
            return None;
        }
        let varies = self.family.parts.iter().any(|part| !part.slope.is_zero());
        if !varies {
            let wins = self.wins(low)?;
            let residues = (0..range.modulus).filter(|d| wins && range.contains(&(low + *d)));
            return Some(vec![Strand::Progressions {
                low: low.clone(),
                high: high.clone(),
                modulus: range.modulus,
                residues: residues.collect(),
            }]);
        }
        let indices: Vec<u64> = labels.values.iter().map(|label| label >> 1).collect();
        let law = PeriodicLaw {
            values: &indices,
            preperiod: labels.preperiod,
            period: labels.period,
            saltus: labels.saltus / 2,
        };
        let family = Family {
            pieces: vec![Piece::Range {
                low: low.clone(),
                high: high.clone(),
                modulus: range.modulus,
                residues: range.residues.to_vec(),
            }],
            ..self.family.clone()
        };
        law.choices(&family, &(self.others >> 1u8))
    }
}
