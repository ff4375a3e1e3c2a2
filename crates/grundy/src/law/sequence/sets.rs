//! Values of any code: sets of the values that the rest of a heap can have.
//!
//! `T_j[m]` is the set of the values of all sums of exactly `j` non-empty heaps that add up to
//! `m`; the options of the heap `n` are a union of such sets. `T_2` is kept as rows of bits, and so are
//! the larger ones that others are made from.
//!
//! The last number of parts is cheaper: where a code has finitely many digits and leaves at most three heaps, no
//! set of sums of three is made. The least values that a few of them do not have are looked for in all, value by
//! value. Where values grow with the heap, as in games that split in three, these few are taken from all over:
//! many values are no sum with a small heap. In the same way a code that splits in two after finitely many takes needs no `T_2`, however
//! large its values grow, as those of Lasker's Nim do.
//!
//! Where the digits of the code repeat with period `r`, unions over all `m` of one residue modulo `r`
//! are kept, so that a tail costs no more than a head.

use grundy_kernels::{Level, Pairs, Values, remove_sums_of_two};
use grundy_rules::{Limit, Meter};

use super::bits::Bits;
use crate::shape::Code;

/// How many sums with a small heap are noted before values are looked for one by one.
const NOTED: usize = 32;
/// Where rows have several words, into so many shares the sums of three heaps are dealt by their smallest heap: one
/// share nearly always has all values below the answer, as large heaps and small ones are in each.
const SHARES: usize = 16;
/// How many values are looked for one by one before another share is added.
const LOOKED_FOR: usize = 4;
/// How many values are looked for at a time: nearly always the first one is the answer.
const WANTED: usize = 2;

/// The state behind the values so far.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    level: Level,
    /// The digits before those that repeat; at least one.
    head: Vec<u8>,
    repeating: Vec<u8>,
    parts: usize,
    /// `T_2`, where it is needed.
    pairs: Option<Pairs>,
    /// `T_j[m]` at `[j - 3][m]`, for those that are needed.
    larger: Vec<Vec<Bits>>,
    /// The union of `T_j[m]` over the `m` of one residue at `[j][residue]`.
    tails: Vec<Vec<Bits>>,
}

impl Sets {
    pub fn new(code: &Code, level: Level) -> Self {
        let mut head = code.head().to_vec();
        let mut repeating = code.repeating().to_vec();
        if head.is_empty() {
            head.push(code.digit(0));
            if !repeating.is_empty() {
                repeating.rotate_left(1);
            }
        }
        let parts = code.most_parts();
        let splits_for_ever = repeating.iter().any(|digit| *digit >= 4);
        let sets = if parts <= 3 && !splits_for_ever {
            parts.saturating_sub(1)
        } else {
            parts
        };
        Self {
            level,
            head,
            parts,
            pairs: (sets >= 2).then(|| Pairs::new(level)),
            larger: vec![Vec::new(); sets.saturating_sub(2)],
            tails: vec![vec![Bits::default(); repeating.len()]; parts + 1],
            repeating,
        }
    }

    /// The value of the next heap after all smaller ones.
    pub fn next(&mut self, values: &Values, meter: &mut Meter) -> Result<u64, Limit> {
        let n = values.len();
        self.add_sets(values, meter)?;
        self.add_to_tails(n, values);
        let mut options = Bits::default();
        let mut open = Vec::new();
        for (taken, digit) in self.head.iter().enumerate().take(n + 1) {
            let rest = n - taken;
            for parts in (0..=self.parts).filter(|parts| digit >> parts & 1 == 1) {
                if self.keeps(parts) {
                    self.add_rest(&mut options, values, rest, parts);
                } else {
                    self.note(&mut options, values, rest, parts);
                    open.push((rest, parts));
                }
            }
        }
        if let Some(rest) = n.checked_sub(self.head.len()) {
            for (parts, tails) in self.tails.iter().enumerate() {
                let period = tails.len();
                for (residue, tail) in tails.iter().enumerate() {
                    // What is taken is rest - m + (length of the head), for m of this residue.
                    let place = (rest % period + period - residue) % period;
                    if self.repeating[place] >> parts & 1 == 1 {
                        options.add(tail.words());
                    }
                }
            }
        }
        let words = options.words().len();
        meter.spend((self.head.len() + self.tails.len() * words) as u64 + 1)?;
        self.mex(options, &open, values, meter)
    }

    /// The least value that is neither among these options nor one of the open sums: those of three heaps
    /// where there are pairs, and those of two where there are none.
    fn mex(
        &self,
        mut options: Bits,
        open: &[(usize, usize)],
        values: &Values,
        meter: &mut Meter,
    ) -> Result<u64, Limit> {
        let Some(pairs) = &self.pairs else {
            return self.mex_with_sums_of_two(&options, open, values, meter);
        };
        let words = pairs.row(0).len();
        let shares = if words > 1 { SHARES } else { 0 };
        let mut share = 0;
        let mut work = 0;
        loop {
            if share < shares {
                share += 1;
                let set = options.first(words);
                for (rest, _) in open {
                    pairs.add_sums_of_three(values, *rest, (share, SHARES), set);
                    work += (rest / 3 / SHARES + 1) as u64 * (words as u64 / 8 + 1) / 4 + 1;
                }
            }
            let looked_for = if share == shares {
                usize::MAX
            } else {
                LOOKED_FOR
            };
            for _ in 0..looked_for {
                let value = options.mex();
                let is_option = open.iter().any(|(rest, _)| {
                    let (found, looked_at) = pairs.has_sum_of_three(values, *rest, value);
                    work += looked_at as u64 / 4 + 1;
                    found
                });
                if !is_option {
                    meter.spend(work)?;
                    return Ok(value as u64);
                }
                options.insert(value);
            }
        }
    }

    fn mex_with_sums_of_two(
        &self,
        options: &Bits,
        open: &[(usize, usize)],
        values: &Values,
        meter: &mut Meter,
    ) -> Result<u64, Limit> {
        let mut missing = options.missing();
        loop {
            let mut wanted: Vec<usize> = missing.by_ref().take(WANTED).collect();
            for (rest, _) in open {
                let work = remove_sums_of_two(self.level, values, *rest, &mut wanted);
                meter.spend(work + 1)?;
            }
            if let Some(least) = wanted.first() {
                return Ok(*least as u64);
            }
        }
    }

    /// Whether the sets of sums of so many heaps are kept.
    fn keeps(&self, parts: usize) -> bool {
        match parts {
            0 | 1 => true,
            2 => self.pairs.is_some(),
            _ => parts - 3 < self.larger.len(),
        }
    }

    /// Adds `T_parts[rest]`.
    fn add_rest(&self, options: &mut Bits, values: &Values, rest: usize, parts: usize) {
        match (parts, &self.pairs) {
            (0, _) if rest == 0 => options.insert(0),
            (1, _) if rest > 0 => options.insert(index(values.at(rest))),
            (0 | 1, _) => {}
            (2, Some(pairs)) => options.add(pairs.row(rest)),
            _ => options.add(self.larger[parts - 3][rest].words()),
        }
    }

    /// Adds the values of a few sums of `T_parts[rest]`, two parts or three; none where they are added in shares.
    fn note(&self, options: &mut Bits, values: &Values, rest: usize, parts: usize) {
        let noted = match &self.pairs {
            Some(pairs) if pairs.row(0).len() > 1 => 0,
            _ => NOTED,
        };
        for part in 1..=(rest / parts).min(noted) {
            let value = index(values.at(part));
            match &self.pairs {
                Some(pairs) if parts == 3 => options.add_shifted(pairs.row(rest - part), value),
                _ => options.insert(value ^ index(values.at(rest - part))),
            }
        }
    }

    /// Computes the sets `T_j[n]` that are kept, where the values are those of all heaps below `n`.
    fn add_sets(&mut self, values: &Values, meter: &mut Meter) -> Result<(), Limit> {
        let n = values.len();
        let Some(pairs) = &mut self.pairs else {
            return Ok(());
        };
        // At a limit the sets may be one ahead of the values.
        if pairs.len() <= n {
            meter.allocate(pairs.next_bytes(values))?;
            pairs.push(values);
            meter.spend(n as u64 / 8 + 1)?;
        }
        for place in 0..self.larger.len() {
            if self.larger[place].len() > n {
                continue;
            }
            let mut set = Bits::default();
            for part in 1..=n / (place + 3) {
                let smaller = match place.checked_sub(1) {
                    None => pairs.row(n - part),
                    Some(before) => self.larger[before][n - part].words(),
                };
                set.add_shifted(smaller, index(values.at(part)));
            }
            meter.allocate(8 * (set.words().len() as u64 + 3))?;
            meter.spend((n * (1 + set.words().len())) as u64 / 4)?;
            self.larger[place].push(set);
        }
        Ok(())
    }

    /// Adds the sets that the heap `n` is the first one to reach by digits that repeat.
    fn add_to_tails(&mut self, n: usize, values: &Values) {
        let period = self.repeating.len();
        let Some(rest) = n.checked_sub(self.head.len()).filter(|_| period > 0) else {
            return;
        };
        for parts in 0..=self.parts {
            if self.keeps(parts) {
                let mut tail = std::mem::take(&mut self.tails[parts][rest % period]);
                self.add_rest(&mut tail, values, rest, parts);
                self.tails[parts][rest % period] = tail;
            }
        }
    }

    /// Whether nothing is kept besides the values that they do not give at once.
    pub fn keeps_values_only(&self) -> bool {
        self.pairs.is_none()
    }

    /// Appends what is kept besides the value of a heap: all that [`Sets::adopt`] needs.
    pub fn tell(&self, heap: usize, numbers: &mut Vec<u64>) {
        let mut tell = |words: &[u64]| {
            let zeros = words.iter().rev().take_while(|word| **word == 0).count();
            let words = &words[..words.len() - zeros];
            numbers.push(words.len() as u64);
            numbers.extend(words);
        };
        if let Some(pairs) = &self.pairs {
            tell(pairs.row(heap));
        }
        for sets in &self.larger {
            tell(sets[heap].words());
        }
    }

    /// Takes what was told of the next heap, where those before have these values; `None` if it ends early.
    pub fn adopt(
        &mut self,
        numbers: &mut std::slice::Iter<u64>,
        values: &Values,
        meter: &mut Meter,
    ) -> Option<Result<(), Limit>> {
        let mut words = || {
            let count = usize::try_from(*numbers.next()?).ok()?;
            let (words, rest) = numbers.as_slice().split_at_checked(count)?;
            *numbers = rest.iter();
            Some(words)
        };
        if let Some(pairs) = &mut self.pairs {
            let words = words()?;
            let bytes = pairs.next_bytes(values).max(8 * words.len() as u64);
            if let Err(limit) = meter.allocate(bytes) {
                return Some(Err(limit));
            }
            pairs.adopt(words);
        }
        for sets in &mut self.larger {
            let words = words()?;
            if let Err(limit) = meter.allocate(8 * (words.len() as u64 + 3)) {
                return Some(Err(limit));
            }
            sets.push(Bits::of(words));
        }
        self.add_to_tails(values.len(), values);
        Some(Ok(()))
    }
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("values do not exceed the number of options")
}
