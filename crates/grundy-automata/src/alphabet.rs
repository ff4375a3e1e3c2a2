//! Letters: one digit for each track.

use crate::error::Error;

/// How many letters an alphabet may have. Tables are dense, so that twelve binary tracks are a lot already.
pub const MAX_LETTERS: usize = 1 << 16;

/// A letter: the digits of all tracks as one number, those of the last track least significant.
pub type Letter = u32;

/// The product of the digit sets of several tracks, read in parallel.
///
/// Track `t` has the digits `0..radix(t)`. An alphabet of no tracks has one letter: its words differ only
/// in length, and its automata are those of sentences.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alphabet {
    radices: Vec<u32>,
    letters: u32,
}

impl Alphabet {
    /// The alphabet with these digit sets.
    pub fn new(radices: Vec<u32>) -> Result<Self, Error> {
        let mut letters = 1usize;
        for &radix in &radices {
            if radix == 0 {
                return Err(Error::Radix);
            }
            letters = letters.saturating_mul(radix as usize);
            if letters > MAX_LETTERS {
                return Err(Error::Letters);
            }
        }
        let letters = u32::try_from(letters).expect("at most 2^16 letters");
        Ok(Self { radices, letters })
    }

    /// `tracks` tracks with the digits `0..radix`.
    pub fn uniform(radix: u32, tracks: usize) -> Result<Self, Error> {
        Self::new(vec![radix; tracks])
    }

    /// How many tracks there are.
    pub fn tracks(&self) -> usize {
        self.radices.len()
    }

    /// How many digits each track has.
    pub fn radices(&self) -> &[u32] {
        &self.radices
    }

    /// How many letters there are.
    pub fn letters(&self) -> usize {
        self.letters as usize
    }

    /// The letter with these digits, one for each track; `None` if there is none.
    pub fn letter(&self, digits: &[u32]) -> Option<Letter> {
        if digits.len() != self.radices.len() {
            return None;
        }
        let mut letter = 0;
        for (&digit, &radix) in digits.iter().zip(&self.radices) {
            if digit >= radix {
                return None;
            }
            letter = letter * radix + digit;
        }
        Some(letter)
    }

    /// The digits of a letter, one for each track.
    pub fn digits(&self, mut letter: Letter) -> Vec<u32> {
        let mut digits = vec![0; self.radices.len()];
        for (digit, &radix) in digits.iter_mut().zip(&self.radices).rev() {
            *digit = letter % radix;
            letter /= radix;
        }
        digits
    }

    /// The alphabet of some of the tracks, which may repeat.
    pub fn select(&self, tracks: &[usize]) -> Result<Self, Error> {
        let radices = tracks
            .iter()
            .map(|&track| self.radices.get(track).copied().ok_or(Error::Tracks))
            .collect::<Result<_, _>>()?;
        Self::new(radices)
    }

    /// For each letter, the letter of [`select`](Self::select)`(tracks)` that it shows on these tracks.
    pub(crate) fn views(&self, tracks: &[usize]) -> Vec<Letter> {
        (0..self.letters)
            .map(|letter| {
                let digits = self.digits(letter);
                tracks
                    .iter()
                    .fold(0, |view, &track| view * self.radices[track] + digits[track])
            })
            .collect()
    }
}
