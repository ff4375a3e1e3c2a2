//! Take-and-break games whose digits repeat for ever.
//!
//! **Theorem.** Let the classes (i, j), see the shift lemma, repeat: for `i > k`, (i, j) is a class
//! exactly if (i + r, j) is one. Let `m` be the largest number of parts, `r` divide `p`, and
//! `n0 >= 1`. If `g(n + p) = g(n)` for `n0 <= n < m * (n0 + p - 1) + k + 1`, then for all `n >= n0`.
//!
//! **Proof.** Let `n` be beyond the window. Take an option of `n + p` that removes `i`. If one of
//! its parts is `n0 + p` at least, take `p` from it: that is an option of `n` in the same class, with
//! the same value by induction. If not, the parts sum to `m * (n0 + p - 1)` at most, so
//! `i >= n + p - m * (n0 + p - 1) > k + p`; then removing `i - p > k` from `n` and leaving the same
//! parts is an option of `n`. Conversely, take an option of `n`. If one of its parts is
//! `n0` at least, add `p` to it. If not, the parts sum to `m * (n0 - 1)` at most, so `i > k`, and
//! removing `i + p` from `n + p` leaves the same parts. So the values of the options of `n` and
//! `n + p` are the same. ∎
//!
//! The classes may carry the conditions that the shift lemma allows, with the same effect on `n0`,
//! `p` and the window.

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::Reason;
use crate::shift::lcm;

/// How many heaps, those from 0 on, must be verified.
pub(crate) fn length(moves: &Moves, law: &Periodic) -> Result<u64, Reason> {
    if law.saltus != 0 {
        return Err(Reason::Saltus);
    }
    let (mut start, mut period) = (law.preperiod.max(1), lcm(law.period, moves.tail_period)?);
    let (mut parts, mut exceptional) = (0, 0);
    for class in &moves.classes {
        start = start.max(class.floor + 1);
        period = lcm(period, class.modulus)?;
        exceptional = exceptional.max(class.exceptional.map_or(0, |heap| heap + 1));
        parts = parts.max(class.parts as u64);
    }
    let window = start
        .checked_add(period - 1)
        .and_then(|most| most.checked_mul(parts))
        .and_then(|sum| sum.checked_add(moves.tail_after + 1))
        .ok_or(Reason::TooLarge)?
        .max(start)
        .max(exceptional);
    window.checked_add(period).ok_or(Reason::TooLarge)
}
