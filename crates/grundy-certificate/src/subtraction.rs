//! Finite subtraction sets.
//!
//! **Theorem.** A move takes a number of a finite set `S` of positive numbers, `m` its largest,
//! from a heap that has as many. If `g(n + p) = g(n)` for `n0 <= n < n0 + m`, then
//! for all `n >= n0`. Here `n0` may be 0.
//!
//! **Proof.** By induction on `n >= n0 + m`: all takes are possible from `n` and from `n + p`,
//! the options are `n - s` and `n + p - s` with `n - s >= n0`, and their values are equal by
//! the induction hypothesis or by the window; so their mex is the same. ∎
//!
//! The window cannot be shorter: `m` values of consecutive heaps decide all that follow, fewer
//! do not. The pigeonhole principle gives every such game a period.
//!
//! What is checked: that the moves are these, whatever their guise (`Moves`); then the values of
//! the heaps below `n0 + m + p` by definition. The theorem is folklore; see E. R. Berlekamp,
//! J. H. Conway and R. K. Guy, *Winning Ways*, chapter 4.

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::Reason;

/// How many heaps, those from 0 on, must be verified.
pub(crate) fn length(moves: &Moves, law: &Periodic) -> Result<u64, Reason> {
    if law.saltus != 0 {
        return Err(Reason::Saltus);
    }
    let takes = moves.subtraction_set().ok_or(Reason::Moves)?;
    let most = takes.last().copied().unwrap_or(0);
    law.preperiod
        .checked_add(most)
        .and_then(|window| window.checked_add(law.period))
        .ok_or(Reason::TooLarge)
}
