//! Taking any positive number outside a finite set.
//!
//! **Theorem.** A move takes any positive number but those of a finite set `F`, `f` its largest
//! number, 0 if there is none. If `g(n + p) = g(n) + s` for `n0 <= n < n0 + max(2f, 1)`, then for
//! all `n >= n0`, whatever `s >= 0`. Here `n0` may be 0.
//!
//! **Proof.** If `F` is empty, `g(n) = n` (Nim), and one value shows `s = p`. Let `f >= 1`, and
//! call `m` a *record* if `g(m)` is larger than all values before it.
//!
//! 1. *The values of the heaps below `n` are an initial segment `0..u`.* For `g(n)` is the mex of
//!    a part of them, so it is one of them or `u`, and then `n` is a record.
//! 2. *After a record `m`, the next is at `m + f + 1` at the latest.* Suppose there is none before
//!    `n = m + f + 1`. Every value below `u` is that of a heap up to `m`: those below `g(m)` by step 1,
//!    and `g(m) = u - 1` itself. All these heaps are options of `n`, as more than `f` are taken.
//!    So `g(n) = u`.
//! 3. *For `m >= f`, `m` is a record exactly if `g(m)` exceeds the `f` values before it.* If
//!    the maximum so far stands among these, that is plain. If not, the last record is `m - f - 1`
//!    by step 2 (or there is no heap before the `f`), and `m` is a record, hence exceeds them.
//! 4. *For `n >= 2f`, `g(n)` is determined by the `2f` values before it, and grows by `s` if they
//!    all do.* A value below `u` is missing among the options exactly if all its holders are
//!    in `n - F`, hence among the last `f` heaps; then its first holder, a record, is among them
//!    too. By step 3 the `2f` values show which of the last `f` heaps are records, and they show
//!    all holders of those values. `g(n)` is the least value so missing, and `u` if there is none;
//!    `u - 1` stands among the last `f + 1 <= 2f` values by step 2, or, if all heaps are fewer, anywhere
//!    among them. Nothing here but differences of the `2f` values matters.
//!
//! Induction on `n >= n0 + 2f` ends the proof. ∎
//!
//! What is checked: that the moves are these; then the values of the heaps below
//! `n0 + max(2f, 1) + p` by definition.

use grundy_rules::Meter;

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::{Reason, Stop};
use crate::shift;

pub(crate) fn verify(moves: &Moves, law: &Periodic, meter: &mut Meter) -> Result<(), Stop> {
    let kept = moves.all_but_set().ok_or(Reason::Moves)?;
    let most = kept.last().copied().unwrap_or(0);
    let window = most.checked_mul(2).ok_or(Reason::TooLarge)?.max(1);
    let length = law
        .preperiod
        .checked_add(window)
        .and_then(|w| w.checked_add(law.period))
        .ok_or(Reason::TooLarge)?;
    shift::verify(moves, law, length, 0, meter)
}
