//! When a relation depends on what is removed alone: decided on a box.
//!
//! **Lemma.** Let a condition on naturals v1, …, vd be built from comparisons with constants of
//! single variables, of differences of two, and of sums with coefficients of one sign, the constants
//! at most K in absolute value, and from congruences modulo divisors of M. If it holds everywhere
//! on the box [0, d(K+M)]^d, it holds everywhere.
//!
//! *Proof.* Sort the values and look at the gaps between neighbours, the first one from 0. Replace
//! each gap larger than K by the number of the same residue mod M in (K, K+M]. Residues stay, and so
//! do all gaps up to K. A difference of two values either consists of kept gaps, or is larger than K
//! before and after; so is a sum in which one of the values has changed, for that value is larger than K
//! before and after. So no comparison changes, and the largest value is at most d(K+M) now. ∎

use num_integer::Integer;

use super::formula::Formula;
use super::outside::Reason;

/// The most points of a box, so that a shape is computed in a fraction of a second.
const MOST_POINTS: u64 = 1 << 21;
/// The largest modulus.
const LARGEST_MODULUS: i64 = 1 << 12;

/// K and M of the lemma.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub constant: i64,
    pub modulus: i64,
}

/// The bounds of a condition; `None` if it has a comparison that the lemma does not cover.
pub(crate) fn bounds(formula: &Formula) -> Option<Bounds> {
    let mut bounds = Some(Bounds {
        constant: 0,
        modulus: 1,
    });
    formula.visit_atoms(&mut |atom| {
        let Some(so_far) = bounds else { return };
        let (linear, first, last) = match atom {
            Formula::AtLeast(linear) => (linear, 0, 0),
            Formula::Member(linear, list, _) => (
                linear,
                list.first().copied().unwrap_or(0),
                list.last().copied().unwrap_or(0),
            ),
            Formula::Multiple(_, modulus, _) => {
                let modulus = so_far.modulus.lcm(modulus);
                bounds = (modulus <= LARGEST_MODULUS).then_some(Bounds { modulus, ..so_far });
                return;
            }
            _ => unreachable!("only atoms are visited"),
        };
        let used: Vec<i64> = linear
            .coefficients
            .iter()
            .copied()
            .filter(|c| *c != 0)
            .collect();
        let one_sign = used.iter().all(|c| *c > 0) || used.iter().all(|c| *c < 0);
        let difference = used.len() == 2 && used[0] == -used[1];
        // At `linear >= 0` the change is between constant and constant - 1.
        let constant = (first - linear.constant)
            .abs()
            .max((last - linear.constant).abs())
            + 1;
        bounds = (one_sign || difference).then_some(Bounds {
            constant: so_far.constant.max(constant),
            ..so_far
        });
    });
    bounds
}

/// How the truth of a condition on positive numbers depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Always,
    Never,
    Sometimes,
}

/// Whether a condition on `variables` numbers holds for all positive ones, for none, or depends.
///
/// `Sometimes` is also the answer where that is too much to decide.
pub(crate) fn truth(formula: &Formula, variables: usize) -> Truth {
    let formula = &formula.in_positives();
    match formula {
        Formula::Constant(true) => return Truth::Always,
        Formula::Constant(false) => return Truth::Never,
        _ if variables == 0 => {
            return if formula.holds(&[]) {
                Truth::Always
            } else {
                Truth::Never
            };
        }
        _ => {}
    }
    let Some(side) = side(formula, variables) else {
        return Truth::Sometimes;
    };
    let (mut some, mut all) = (false, true);
    on_box(variables, 1, side, &mut |at| {
        let holds = formula.holds(at);
        some |= holds;
        all &= holds;
        !some || all
    });
    match (some, all) {
        (true, true) => Truth::Always,
        (false, _) => Truth::Never,
        (true, false) => Truth::Sometimes,
    }
}

/// The side of the box of the lemma, shared with the condition that all numbers are positive.
fn side(formula: &Formula, variables: usize) -> Option<i64> {
    let bounds = bounds(formula)?;
    let side = i64::try_from(variables).ok()? * (bounds.constant.max(1) + bounds.modulus);
    let points = u64::try_from(side)
        .ok()?
        .checked_pow(u32::try_from(variables).ok()?)?;
    (points <= MOST_POINTS).then_some(side)
}

/// Visits all points with coordinates from `least` to `most`, until `visit` says no.
pub(crate) fn on_box(
    variables: usize,
    least: i64,
    most: i64,
    visit: &mut dyn FnMut(&[i64]) -> bool,
) {
    let mut at = vec![least; variables];
    if most < least {
        return;
    }
    loop {
        if !visit(&at) {
            return;
        }
        let Some(place) = at.iter().rposition(|x| *x < most) else {
            return;
        };
        at[place] += 1;
        at[place + 1..].fill(least);
    }
}

/// For which values of variable 0 a condition holds, if that does not depend on the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Eventually {
    /// The answers for 0, 1, ….
    pub head: Vec<bool>,
    /// The answers that repeat for ever behind the head.
    pub repeating: Vec<bool>,
}

/// Decides whether a condition on a natural and `parts` positive numbers depends on the first alone.
///
/// The answers for the first are read off where all parts are 1; that they are the answers
/// everywhere is a statement that the lemma decides on a box.
pub(crate) fn eventually(formula: &Formula, parts: usize) -> Result<Eventually, Reason> {
    let bounds = bounds(formula).ok_or(Reason::Unbounded)?;
    // The answers repeat once the first is larger than K and than the parts of 1 by K.
    let threshold = bounds.constant + i64::try_from(parts).expect("few parts") + 1;
    let mut at = vec![1; 1 + parts];
    let mut answer = |removed: i64| {
        at[0] = removed;
        formula.holds(&at)
    };
    if threshold > i64::from(1u32 << 20) {
        return Err(Reason::Room);
    }
    let head: Vec<bool> = (0..threshold).map(&mut answer).collect();
    let repeating: Vec<bool> = (threshold..threshold + bounds.modulus)
        .map(&mut answer)
        .collect();
    let expected = |removed: i64| {
        let removed = usize::try_from(removed).expect("naturals");
        head.get(removed)
            .copied()
            .unwrap_or_else(|| repeating[(removed - head.len()) % repeating.len()])
    };
    let variables = 1 + parts;
    let count = i64::try_from(variables).expect("few variables");
    let side = count * (threshold + 1 + bounds.modulus);
    let points = u64::try_from(side)
        .ok()
        .and_then(|side| side.checked_pow(u32::try_from(variables).ok()?));
    if points.is_none_or(|points| points > MOST_POINTS) {
        return Err(Reason::Room);
    }
    let mut same = true;
    on_box(variables, 0, side, &mut |at| {
        same = at[1..].contains(&0) || formula.holds(at) == expected(at[0]);
        same
    });
    if same {
        Ok(Eventually { head, repeating })
    } else {
        Err(Reason::Unbounded)
    }
}
