//! The shift lemma.
//!
//! A *class* (i, j) of moves removes `i` in total from a heap and leaves exactly `j` non-empty
//! heaps, its *parts*. Octal codes have the classes (k, 0), (k, 1), (k, 2) that the bits of the
//! digit for `k` say.
//!
//! **Theorem** (for octal codes: R. K. Guy and C. A. B. Smith, *The G-values of various games*,
//! Proc. Cambridge Philos. Soc. 52, 1956). Let a game have finitely many classes, and `n0 >= 1`. Let
//! `W` be the largest of `n0`, of `j * (n0 + p - 1) + 1 + i - p` over the classes (i, j) with
//! `j >= 1`, and of `i + 1` over the classes (i, 0). If `g(n + p) = g(n)` for `n0 <= n < W`, then
//! for all `n >= n0`.
//!
//! **Proof.** By induction on `n >= W`. Neither `n` nor `n + p` is exactly removed. Let parts
//! `x1, …, xj`, `j >= 1`, be an option of `n + p` in the class (i, j). They sum to
//! `n + p - i >= j * (n0 + p - 1) + 1`, so one of them is `n0 + p` at least. Take `p` from it: it
//! stays `n0` at least, hence non-empty, and the parts are an option of `n` in the same class. The part
//! changed was smaller than `n + p`, for no move leaves the heap it came from; so its value is the same
//! by the window or by induction, and so is the nim-sum. Conversely, let the parts be an option of `n`:
//! they sum to more than `j * (n0 - 1)`, so one of them is `n0` at least; add `p` to it. So the
//! options of `n` and of `n + p` have the same values. ∎
//!
//! **`n0 = 0` is no exception.** With code 0.4, `n0 = 0` and `p = 1` pass the window, but
//! `g(3) = 1`: taking `p` from a part may leave nothing, and then the class is another. A law that
//! holds from 0 on is proved with `n0 = 1`, and the value at 0 compared.
//!
//! **Conditions.** The proof moves one part that is `n0` at least by `p`, and the heap by `p` beyond
//! `W`. So a class may carry any condition that such steps do not change:
//!
//! - on single parts, as soon as each part above a number `l` counts only by its residue modulo `r`:
//!   then `n0 > l` is needed, and `r` must divide `p`;
//! - on the heap, as soon as it is fixed beyond some heap `K`: then `W > K`;
//! - congruences of parts and heap.
//!
//! It may not relate the parts to each other. Remove 1 and split into two unequal heaps, or take a
//! heap of 2: `n0 = 4` and `p = 3` pass the window, `n < 13`, and fail at 13, for adding `p` to a part
//! may make the parts equal. [`Moves`] brings rules into classes with such conditions, or refuses.
//!
//! **What is checked.** If the least common multiple `P` of the period claimed and the moduli is
//! another than the period, the theorem is used with `P`, and the values of a whole `P` show the
//! smaller period. With `n0` as large as needed, the values of all heaps below `W + P` are verified by
//! definition, and the claim is compared below `n0`. The theorem's window is tight.

use num_integer::Integer;

use grundy_rules::Meter;

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::{Reason, Stop};
use crate::window;

/// How many heaps, those from 0 on, must be verified.
pub(crate) fn length(moves: &Moves, law: &Periodic) -> Result<u64, Reason> {
    if law.saltus != 0 {
        return Err(Reason::Saltus);
    }
    if !moves.tail().is_empty() {
        return Err(Reason::Unbounded);
    }
    let (mut start, mut period, mut exceptional) = (law.preperiod.max(1), law.period, 0);
    for class in &moves.classes {
        start = start.max(class.floor + 1);
        period = lcm(period, class.modulus)?;
        exceptional = exceptional.max(class.exceptional.map_or(0, |heap| heap + 1));
    }
    let mut window = start.max(exceptional);
    for class in &moves.classes {
        window = window.max(window_of(class.removed, class.parts as u64, start, period)?);
    }
    window.checked_add(period).ok_or(Reason::TooLarge)
}

/// The window that a class (i, j) needs: `j * (n0 + p - 1) + 1 + i - p`, and `i + 1` for j = 0.
fn window_of(removed: u64, parts: u64, start: u64, period: u64) -> Result<u64, Reason> {
    if parts == 0 {
        return Ok(removed + 1);
    }
    let heaps = start
        .checked_add(period - 1)
        .and_then(|most| most.checked_mul(parts))
        .and_then(|sum| sum.checked_add(1 + removed))
        .ok_or(Reason::TooLarge)?;
    Ok(heaps - period)
}

pub(crate) fn lcm(a: u64, b: u64) -> Result<u64, Reason> {
    (a / a.gcd(&b)).checked_mul(b).ok_or(Reason::TooLarge)
}

/// Verifies that a law gives the values of the heaps below `length`.
pub(crate) fn verify(
    moves: &Moves,
    law: &Periodic,
    length: u64,
    mask: u64,
    meter: &mut Meter,
) -> Result<(), Stop> {
    meter.allocate(length.saturating_mul(8))?;
    let values = law.extended(length).ok_or(Reason::TooLarge)?;
    window::verify(&moves.up_to(length, meter)?, &values, mask, meter)
}
