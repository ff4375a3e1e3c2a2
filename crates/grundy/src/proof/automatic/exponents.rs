//! The exclusive or of exponents, enclosed by what automata can say of powers of two.
//!
//! From `2^x` and `2^y` no automaton reads `2^(x xor y)`; but if `x` and `y` differ in their lowest bit only, or one of them is below
//! [`BLOCK`], it does, and otherwise it excludes many results. The theorem with its proof stands beside the checker's own
//! formula, `grundy_certificate::automatic`.

use grundy_automata::{Atom, Formula, Term, Variable};

use super::translate::{conjunction, disjunction};

/// Exponents in a block differ in bits that are told exactly.
const BLOCK: u32 = 2;
/// Powers of two repeat their residues modulo this with this period.
const MODULUS: u32 = 3;

/// That `[x, y, z]` are powers of two, and the exponent of `z` is certainly the exclusive or of the others.
pub(super) fn certain(powers: [Variable; 3]) -> Formula {
    combined(powers, |lows| one_is_low(powers, lows))
}

/// The same, where nothing that automata tell excludes it.
pub(super) fn possible(powers: [Variable; 3]) -> Formula {
    combined(powers, |lows| {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let apart = pairs.map(|(one, other)| same_block(powers, lows, one, other).negated());
        let high = [0, 1, 2].map(|at| is_low(powers, lows, at).negated());
        let other = conjunction([apart, high].concat());
        one_is_low(powers, lows).or(other)
    })
}

/// For all lowest bits that fit together, what is said of the rest.
fn combined(powers: [Variable; 3], rest: impl Fn([u32; 3]) -> Formula) -> Formula {
    let lows = (0..BLOCK * BLOCK).map(|both| {
        let (first, second) = (both / BLOCK, both % BLOCK);
        [first, second, first ^ second]
    });
    let cases = lows.map(|lows| {
        let mut all = vec![rest(lows)];
        for (power, low) in powers.iter().zip(lows) {
            all.push(Formula::congruent(*power, i64::from(1u32 << low), MODULUS));
            all.push(Formula::atom(Atom::PowerOf(2), [*power]));
        }
        conjunction(all)
    });
    disjunction(cases.collect())
}

/// That an exponent is below [`BLOCK`], given its lowest bits.
fn is_low(powers: [Variable; 3], lows: [u32; 3], at: usize) -> Formula {
    Formula::equal(powers[at], i64::from(1u32 << lows[at]))
}

/// That two exponents differ in their lowest bits only, given these.
fn same_block(powers: [Variable; 3], lows: [u32; 3], one: usize, other: usize) -> Formula {
    let scaled = |at: usize, by: usize| Term::from(powers[at]).times(1u32 << lows[by]);
    Formula::equal(scaled(one, other), scaled(other, one))
}

fn one_is_low(powers: [Variable; 3], lows: [u32; 3]) -> Formula {
    let sides = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];
    let low = sides.map(|(one, two, three)| {
        is_low(powers, lows, one).and(same_block(powers, lows, two, three))
    });
    disjunction(low.to_vec())
}
