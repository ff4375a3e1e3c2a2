//! The shift lemma.

use num_integer::Integer;

use grundy_rules::Meter;

use crate::law::Periodic;
use crate::moves::Moves;
use crate::refusal::{Reason, Stop};
use crate::window;

pub(crate) fn check(
    moves: &Moves,
    law: &Periodic,
    mask: u64,
    meter: &mut Meter,
) -> Result<(), Stop> {
    if law.saltus != 0 {
        return Err(Reason::Saltus.into());
    }
    if !moves.tail().is_empty() {
        return Err(Reason::Unbounded.into());
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
    let length = window.checked_add(period).ok_or(Reason::TooLarge)?;
    verify(moves, law, length, mask, meter)
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

fn lcm(a: u64, b: u64) -> Result<u64, Reason> {
    (a / a.gcd(&b)).checked_mul(b).ok_or(Reason::TooLarge)
}

/// A5
pub(crate) fn check_tail(
    moves: &Moves,
    law: &Periodic,
    mask: u64,
    meter: &mut Meter,
) -> Result<(), Stop> {
    if law.saltus != 0 {
        return Err(Reason::Saltus.into());
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
    let length = window.checked_add(period).ok_or(Reason::TooLarge)?;
    verify(moves, law, length, mask, meter)
}

pub(crate) fn verify(
    moves: &Moves,
    law: &Periodic,
    length: u64,
    mask: u64,
    meter: &mut Meter,
) -> Result<(), Stop> {
    meter.allocate(length.saturating_mul(8))?;
    let values = law.extended(length).ok_or(Reason::TooLarge)?;
    window::verify(&moves.up_to(length), &values, mask, meter)?;
    Ok(law.verify_least()?)
}

/// A1
pub(crate) fn check_subtraction(
    moves: &Moves,
    law: &Periodic,
    meter: &mut Meter,
) -> Result<(), Stop> {
    if law.saltus != 0 {
        return Err(Reason::Saltus.into());
    }
    if !moves.tail().is_empty() {
        return Err(Reason::Unbounded.into());
    }
    let most = moves
        .takes()
        .ok_or(Reason::Moves)?
        .last()
        .copied()
        .unwrap_or(0);
    let length = law
        .preperiod
        .checked_add(most)
        .and_then(|w| w.checked_add(law.period))
        .ok_or(Reason::TooLarge)?;
    verify(moves, law, length, 0, meter)
}

/// A3
pub(crate) fn check_all_but(moves: &Moves, law: &Periodic, meter: &mut Meter) -> Result<(), Stop> {
    if moves.splits() != Some(Vec::new()) {
        return Err(Reason::Moves.into());
    }
    let kept = moves.kept().ok_or(Reason::Moves)?;
    let most = kept.last().copied().unwrap_or(0);
    let window = most.checked_mul(2).ok_or(Reason::TooLarge)?.max(1);
    let length = law
        .preperiod
        .checked_add(window)
        .and_then(|w| w.checked_add(law.period))
        .ok_or(Reason::TooLarge)?;
    verify(moves, law, length, 0, meter)
}
