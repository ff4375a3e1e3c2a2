//! Sets of Grundy values as bits.

use grundy_kernels::add_to_members;

/// A set of naturals: bit `v % 64` of word `v / 64`.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub fn insert(&mut self, value: usize) {
        self.reach(value / 64 + 1);
        self.0[value / 64] |= 1 << (value % 64);
    }

    fn reach(&mut self, words: usize) {
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }

    /// The set whose bits these are.
    pub fn of(words: &[u64]) -> Self {
        Self(words.to_vec())
    }

    /// The words of the least numbers, so many.
    pub fn first(&mut self, words: usize) -> &mut [u64] {
        self.reach(words);
        &mut self.0[..words]
    }

    /// Its bits.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds all members of the other set.
    pub fn add(&mut self, other: &[u64]) {
        self.reach(other.len());
        for (word, more) in self.0.iter_mut().zip(other) {
            *word |= more;
        }
    }

    /// Adds `value xor v` for all `v` in the other set.
    pub fn add_shifted(&mut self, other: &[u64], value: usize) {
        let (far, near) = (value / 64, value % 64);
        for (place, word) in other.iter().enumerate() {
            if *word != 0 {
                self.reach((place ^ far) + 1);
                self.0[place ^ far] |= add_to_members(*word, near);
            }
        }
    }

    /// All naturals that are no members, ascending.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        let within = self.0.iter().enumerate().flat_map(|(place, word)| {
            let mut free = !word;
            std::iter::from_fn(move || {
                let bit = (free != 0).then(|| free.trailing_zeros() as usize)?;
                free &= free - 1;
                Some(64 * place + bit)
            })
        });
        within.chain(64 * self.0.len()..)
    }

    /// The least natural that is no member.
    pub fn mex(&self) -> usize {
        let full = self.0.iter().take_while(|word| **word == u64::MAX).count();
        let rest = self.0.get(full).map_or(0, |word| word.trailing_ones());
        64 * full + rest as usize
    }
}
