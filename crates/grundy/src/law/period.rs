//! Laws behind tables of values: what the values themselves show.

use grundy_kernels::Values;

/// A law of values that repeat, up to a constant growth: `g(n + period) = g(n) + saltus` for all
/// `n >= preperiod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Periodicity {
    /// From where on it holds.
    pub preperiod: u64,
    /// The distance of the heaps it compares; at least 1.
    pub period: u64,
    /// By how much values grow over one period; 0 for values that come back.
    pub saltus: u64,
}

impl Periodicity {
    /// Whether these values, those of the heaps from 0 on, obey the law.
    ///
    /// ```
    /// use grundy::law::Periodicity;
    ///
    /// let law = Periodicity { preperiod: 1, period: 2, saltus: 3 };
    /// assert!(law.holds_in(&[7, 0, 1, 3, 4, 6]));
    /// assert!(!law.holds_in(&[7, 0, 1, 3, 5]));
    /// ```
    pub fn holds_in(&self, values: &[u64]) -> bool {
        let (Ok(preperiod), Ok(period)) = (
            usize::try_from(self.preperiod),
            usize::try_from(self.period),
        ) else {
            return true;
        };
        let late = values.get(preperiod..).unwrap_or_default();
        let pairs = late.iter().zip(late.get(period..).unwrap_or_default());
        pairs
            .into_iter()
            .all(|(g, later)| g.checked_add(self.saltus) == Some(*later))
    }
}

impl Periodicity {
    /// Whether these values obey the law.
    pub(crate) fn holds_in_values(&self, values: &Values) -> bool {
        let (Ok(preperiod), Ok(period)) = (
            usize::try_from(self.preperiod),
            usize::try_from(self.period),
        ) else {
            return true;
        };
        let late = preperiod..values.len().saturating_sub(period).max(preperiod);
        late.into_iter()
            .all(|n| values.at(n).checked_add(self.saltus) == Some(values.at(n + period)))
    }
}

/// Finds the law with the least period that these values show, with its least preperiod.
///
/// A law counts as shown if the values reach at least as far again as where it is first seen
/// whole: `len >= 2 * (preperiod + period)`. That is the window of the theorem of Guy and
/// Smith (1956) without the part that the rules add, so it is no proof, and a longer table may
/// show that the pattern does not go on.
///
/// Returns `None` where the values show no law. Takes linear time.
///
/// # Examples
///
/// ```
/// use grundy::law::{Periodicity, shown};
///
/// let law = Periodicity { preperiod: 1, period: 2, saltus: 0 };
/// assert_eq!(shown(&[5, 0, 1, 0, 1, 0]), Some(law));
/// assert_eq!(shown(&[5, 0, 1, 0, 1]), None);
///
/// let growing = Periodicity { preperiod: 0, period: 2, saltus: 3 };
/// assert_eq!(shown(&[0, 1, 3, 4]), Some(growing));
/// assert_eq!(shown(&[]), None);
/// ```
pub fn shown(values: &[u64]) -> Option<Periodicity> {
    // The values obey the law from n0 on iff their differences repeat from n0 on, without growth.
    let mut backwards: Vec<i128> = values
        .windows(2)
        .map(|pair| i128::from(pair[1]) - i128::from(pair[0]))
        .collect();
    backwards.reverse();
    let common = common_with_start(&backwards);
    let length = values.len();
    (1..=length / 2).find_map(|period| {
        let last = length - 1;
        let saltus = values[last].checked_sub(values[last - period])?;
        let agreeing = common.get(period).copied().unwrap_or(0);
        let preperiod = last - period - agreeing;
        (2 * (preperiod + period) <= length).then_some(Periodicity {
            preperiod: preperiod as u64,
            period: period as u64,
            saltus,
        })
    })
}

/// For each place, how many items from there on equal those from the start on (the "Z-function").
fn common_with_start(items: &[i128]) -> Vec<usize> {
    let mut common = vec![0; items.len()];
    // items[start..end] equals items[..end - start], for the largest end so far.
    let (mut start, mut end) = (0, 0);
    for place in 1..items.len() {
        let known = if place < end {
            common[place - start].min(end - place)
        } else {
            0
        };
        let more = items[known..]
            .iter()
            .zip(&items[place + known..])
            .take_while(|(a, b)| a == b);
        common[place] = known + more.count();
        if place + common[place] > end {
            (start, end) = (place, place + common[place]);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word by word.
    fn by_definition(values: &[u64]) -> Option<Periodicity> {
        let length = values.len();
        for period in 1..=length {
            for preperiod in 0..=length {
                if 2 * (preperiod + period) > length {
                    break;
                }
                let growth = |n: usize| values[n + period].checked_sub(values[n]);
                let Some(saltus) = growth(preperiod) else {
                    continue;
                };
                if (preperiod..length - period).all(|n| growth(n) == Some(saltus)) {
                    return Some(Periodicity {
                        preperiod: preperiod as u64,
                        period: period as u64,
                        saltus,
                    });
                }
            }
        }
        None
    }

    #[test]
    fn it_is_what_the_definition_says_for_all_short_sequences() {
        for length in 0..=9 {
            for code in 0..3u64.pow(length) {
                let values: Vec<u64> = (0..length).map(|n| code / 3u64.pow(n) % 3).collect();
                assert_eq!(shown(&values), by_definition(&values), "{values:?}");
            }
        }
    }
}
