//! Which values options have.

use crate::values::Cell;

/// Values below this power of two are noted without a check.
const FEW: usize = 4096;

/// A set of values that is emptied at once.
#[derive(Debug)]
pub(super) struct Seen {
    /// For each value, the stamp of the last set that it was in. Stamps are bytes: few lines of memory are written while a
    /// table is read, whose addresses rarely end like theirs.
    stamps: Vec<u8>,
    stamp: u8,
}

impl Seen {
    /// None, with room for few values.
    pub fn new() -> Self {
        Self {
            stamps: vec![0; FEW],
            stamp: 0,
        }
    }

    /// All values below this number have room.
    pub fn room(&self) -> usize {
        self.stamps.len()
    }

    /// Makes room for nim-sums of values up to this one: they are below the next power of two.
    pub fn make_room(&mut self, value: usize) {
        if value >= self.stamps.len() {
            self.stamps.resize((value + 1).next_power_of_two(), 0);
        }
    }

    /// Empties the set.
    pub fn forget(&mut self) {
        if self.stamp == u8::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    #[inline(always)]
    pub fn note(&mut self, value: usize) {
        self.stamps[value] = self.stamp;
    }

    #[inline]
    pub fn is_seen(&self, value: usize) -> bool {
        self.stamps
            .get(value)
            .is_some_and(|stamp| *stamp == self.stamp)
    }

    /// The least value from one on that is not in the set.
    #[inline]
    pub fn first_unseen(&self, from: usize) -> usize {
        const AT_A_TIME: usize = 32;
        let Some(stamps) = self.stamps.get(from..) else {
            return from;
        };
        let (groups, _) = stamps.as_chunks::<AT_A_TIME>();
        let are_seen = |group: &&[u8; AT_A_TIME]| {
            group
                .iter()
                .fold(0, |all, stamp| all | (stamp ^ self.stamp))
                == 0
        };
        let seen = AT_A_TIME * groups.iter().take_while(are_seen).count();
        let place = stamps[seen..].iter().position(|stamp| *stamp != self.stamp);
        from + place.map_or(stamps.len(), |place| seen + place)
    }

    /// Notes `small[i] ^ large[large.len() - 1 - i]` for every `i` that the step divides.
    ///
    /// The two have the same length.
    pub fn note_sums<T: Cell>(&mut self, small: &[T], large: &[T], step: usize) {
        let stamp = self.stamp;
        let Ok(few) = <&mut [u8; FEW]>::try_from(&mut *self.stamps) else {
            let pairs = small.iter().zip(large.iter().rev()).step_by(step);
            pairs.for_each(|(a, b)| self.stamps[(*a ^ *b).index()] = stamp);
            return;
        };
        match step {
            1 => note_few::<T, 1>(few, stamp, small, large),
            2 => note_few::<T, 2>(few, stamp, small, large),
            _ => note_rest(few, stamp, small, large, step),
        }
    }
}

/// The same for a step that is known and divides 8.
#[inline(never)] // Its few variables stay in registers.
fn note_few<T: Cell, const STEP: usize>(
    stamps: &mut [u8; FEW],
    stamp: u8,
    small: &[T],
    large: &[T],
) {
    let (groups, rest) = small.as_chunks();
    let (others, partners) = large.as_rchunks();
    for (a, b) in groups.iter().zip(partners.iter().rev()) {
        let sums = T::sums(a, b);
        for place in 0..8 / STEP {
            // The remainder changes nothing, and shows that no index needs to be checked.
            stamps[sums[STEP * place] % FEW] = stamp;
        }
    }
    note_rest(stamps, stamp, rest, others, STEP);
}

fn note_rest<T: Cell>(stamps: &mut [u8; FEW], stamp: u8, small: &[T], large: &[T], step: usize) {
    let (count, large) = (small.len(), &large[..small.len()]);
    let mut place = 0;
    while place < count {
        let sum = (small[place] ^ large[count - 1 - place]).index();
        stamps[sum % FEW] = stamp;
        place += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More sets than there are stamps, values beyond the few, and steps of every kind.
    #[test]
    fn a_set_holds_what_was_noted_since_it_was_emptied() {
        let mut seen = Seen::new();
        let mut random = 1u32;
        for round in 0..600 {
            if round == 300 {
                seen.make_room(5000);
                assert_eq!(seen.room(), 8192);
            }
            let mut next = || {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                u16::try_from(random >> 26).expect("six bits")
            };
            let length = round % 41;
            let small: Vec<u16> = (0..length).map(|_| next()).collect();
            let large: Vec<u16> = (0..length).map(|_| next()).collect();
            let step = 1 + round % 4;
            seen.forget();
            seen.note_sums(&small, &large, step);
            let pairs = small.iter().zip(large.iter().rev()).step_by(step);
            let mut sums: Vec<usize> = pairs.map(|(a, b)| usize::from(a ^ b)).collect();
            if round % 3 == 0 {
                (0..40).for_each(|value| seen.note(value));
                sums.extend(0..40);
            }
            for value in 0..70 {
                assert_eq!(seen.is_seen(value), sums.contains(&value), "{round}");
                let unseen = (value..128).find(|value| !sums.contains(value));
                assert_eq!(Some(seen.first_unseen(value)), unseen, "{round}");
            }
            assert_eq!(seen.first_unseen(seen.room() + 3), seen.room() + 3);
        }
    }
}
