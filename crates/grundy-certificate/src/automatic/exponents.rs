//! The exclusive or of exponents, enclosed by what automata can say of powers of two.
//!
//! A law may give `2^g` in the place of `g`. No automaton reads from `2^x` and `2^y` what `2^(x xor y)` is. Exponents are
//! written `x = BLOCK * q + r` here, with `r < BLOCK` and `BLOCK` a power of two, so that `x xor y = z` iff it is so of the
//! `r` and of the `q`. Automata tell `r`, whether `q = 0`, and whether two exponents have the same `q`.
//!
//! **Theorem.** Let `a xor b = c`. Then one of `a`, `b`, `c` is 0 and the other two are equal, or none is 0 and all three differ. Of
//! numbers that satisfy the first, `a xor b = c`.
//!
//! Proof. If one of them is 0, the exclusive or of the other two is 0, and they are equal. If none is, no two are equal, as the
//! third would be 0. The last sentence is plain.
//!
//! So the first case is *certain*, and either one is *possible*. That no option has a value is shown if it is not possible; that
//! one has it, if it is certain. Between the two a law is neither proved nor refuted.

use num_bigint::BigInt;

use super::formula::{Atom, Formula, Term, Variable};

/// How many exponents are told apart exactly, from 0 on and in each block: a power of two.
const BLOCK: u32 = 2;
/// A number modulo which two has this order.
const MODULUS: u32 = 3;

/// How sure it is that one exponent is the exclusive or of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// It is.
    Certain,
    /// Nothing that automata tell says that it is not.
    Possible,
}

/// That three numbers are `2^x`, `2^y` and `2^z` with `x xor y = z`, as far as automata tell.
pub(super) fn exclusive_or(numbers: [Variable; 3], sure: Sure) -> Formula {
    let mut cases = Vec::new();
    for (first, second) in (0..BLOCK).flat_map(|r| (0..BLOCK).map(move |s| (r, s))) {
        let low = [first, second, first ^ second];
        let power = |at: usize| Term::number(1u32 << low[at]);
        let is_first = |at: usize| Formula::equal(&Term::variable(numbers[at]), &power(at));
        let alike = |one: usize, other: usize| {
            let times = |at: usize, by: usize| {
                Term::variable(numbers[at]).times(&BigInt::from(1u32 << low[by]))
            };
            Formula::equal(&times(one, other), &times(other, one))
        };
        let sides = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];
        let certain =
            sides.map(|(one, two, three)| Formula::all([is_first(one), alike(two, three)]));
        let apart =
            sides.map(|(one, two, _)| Formula::all([is_first(one).not(), alike(one, two).not()]));
        let mut ways = Vec::from(certain);
        if sure == Sure::Possible {
            ways.push(Formula::all(apart));
        }
        let residues = (0..3).map(|at| {
            let term = Term::variable(numbers[at]).minus(&power(at));
            Formula::Atom(Atom::Multiple(MODULUS, term))
        });
        cases.push(Formula::all(residues.chain([Formula::any(ways)])));
    }
    let powers = numbers.map(|number| Formula::Atom(Atom::PowerOf(2, number)));
    Formula::all(powers.into_iter().chain([Formula::any(cases)]))
}
