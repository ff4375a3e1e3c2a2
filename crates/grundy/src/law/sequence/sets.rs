//! Values of any code: sets of the values that the rest of a heap can have.
//!
//! `T_j[m]` is the set of the values of all sums of exactly `j` non-empty heaps that add up to
//! `m`. Each is made from `T_(j-1)` in `m` steps on whole words, and the options of the heap `n` are
//! a union of such sets. Where the digits of the code repeat with period `r`, unions over
//! all `m` of one residue modulo `r` are kept, so that a tail costs no more than a head.

use grundy_rules::{Limit, Meter};

use super::bits::Bits;
use crate::shape::Code;

/// The state behind the values so far.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The digits before those that repeat; at least one.
    head: Vec<u8>,
    repeating: Vec<u8>,
    parts: usize,
    values: Vec<u64>,
    /// `T_j[m]` at `[j - 2][m]`.
    splits: Vec<Vec<Bits>>,
    /// The union of `T_j[m]` over the `m` of one residue at `[j][residue]`.
    tails: Vec<Vec<Bits>>,
}

impl Sets {
    pub fn new(code: &Code) -> Self {
        let mut head = code.head().to_vec();
        let mut repeating = code.repeating().to_vec();
        if head.is_empty() {
            head.push(code.digit(0));
            if !repeating.is_empty() {
                repeating.rotate_left(1);
            }
        }
        let parts = code.most_parts();
        Self {
            head,
            parts,
            values: Vec::new(),
            splits: vec![Vec::new(); parts.saturating_sub(1)],
            tails: vec![vec![Bits::default(); repeating.len()]; parts + 1],
            repeating,
        }
    }

    /// The value of the next heap.
    pub fn next(&mut self, meter: &mut Meter) -> Result<u64, Limit> {
        let values = std::mem::take(&mut self.values);
        let value = self.value_after(&values, meter);
        self.values = values;
        self.values.extend(value.as_ref().ok());
        value
    }

    /// The value of the next heap after all smaller ones.
    fn value_after(&mut self, values: &[u64], meter: &mut Meter) -> Result<u64, Limit> {
        let n = values.len();
        self.split(values, meter)?;
        let mut options = Bits::default();
        for (taken, digit) in self.head.iter().enumerate().take(n + 1) {
            for parts in (0..=self.parts).filter(|parts| digit >> parts & 1 == 1) {
                self.add_rest(&mut options, values, n - taken, parts);
            }
        }
        if !self.repeating.is_empty() {
            let period = self.repeating.len();
            if let Some(rest) = n.checked_sub(self.head.len()) {
                for parts in 0..=self.parts {
                    let mut tail = std::mem::take(&mut self.tails[parts][rest % period]);
                    self.add_rest(&mut tail, values, rest, parts);
                    self.tails[parts][rest % period] = tail;
                }
                for (parts, tails) in self.tails.iter().enumerate() {
                    for (residue, tail) in tails.iter().enumerate() {
                        // What is taken is rest - m + (length of the head), for m of this residue.
                        let place = (rest % period + period - residue) % period;
                        if self.repeating[place] >> parts & 1 == 1 {
                            options.add(tail);
                        }
                    }
                }
            }
        }
        meter.spend((self.head.len() + self.tails.len() * options.words()) as u64 + 1)?;
        Ok(options.mex() as u64)
    }

    /// Adds `T_parts[rest]`.
    fn add_rest(&self, options: &mut Bits, values: &[u64], rest: usize, parts: usize) {
        match parts {
            0 if rest == 0 => options.insert(0),
            1 if rest > 0 => options.insert(index(values[rest])),
            0 | 1 => {}
            _ => options.add(&self.splits[parts - 2][rest]),
        }
    }

    /// Computes the sets `T_j[n]` for `j >= 2`, where the values are those of all heaps below `n`.
    fn split(&mut self, values: &[u64], meter: &mut Meter) -> Result<(), Limit> {
        let n = values.len();
        for parts in 2..=self.parts {
            let mut set = Bits::default();
            if parts == 2 {
                for part in 1..=n / 2 {
                    set.insert(index(values[part] ^ values[n - part]));
                }
                meter.spend(n as u64 / 2)?;
            } else {
                for (part, value) in values.iter().enumerate().skip(1) {
                    set.add_shifted(&self.splits[parts - 3][n - part], index(*value));
                }
                meter.spend((n * (1 + set.words())) as u64)?;
            }
            meter.allocate(8 * (set.words() as u64 + 3))?;
            self.splits[parts - 2].push(set);
        }
        Ok(())
    }
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("values do not exceed the number of options")
}
