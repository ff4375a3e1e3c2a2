//! The relations from which formulas are built.
//!
//! Each is made from the digits: linear ones in [`linear`](crate::linear), the others here.

use num_bigint::BigUint;

use crate::alphabet::Alphabet;
use crate::automaton::{Automaton, State, index};
use crate::error::Error;
use crate::linear::Comparison;
use crate::meter::Meter;
use crate::relation::{Encoding, Relation};
use crate::subset::{DigitOrder, Nfa};

/// A relation that is read off the digits, whatever the numbers are called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `x` is the worth of a place: a power of the base, a Fibonacci number in Zeckendorf's system.
    PlaceValue,
    /// `x` is a power of this number, 1 included. The number and the base must be powers of the same one.
    PowerOf(u32),
    /// The exclusive or of the first two numbers is the third. The base must be a power of 2, as for the next two.
    Xor,
    /// The bitwise and of the first two numbers is the third.
    And,
    /// The bitwise or of the first two numbers is the third.
    Or,
    /// `p` is the worth of a place, and there `x` has this digit; of `(x, p)`.
    DigitAt(u32),
    /// `x > 0` ends in `remainder` zeros modulo `modulus`: in an even number of zeros for `0` modulo `2`.
    TrailingZeros {
        /// How many zeros.
        remainder: u32,
        /// Modulo what.
        modulus: u32,
    },
    /// The digits of `x` add up to `remainder` modulo `modulus`.
    DigitSum {
        /// The sum.
        remainder: u32,
        /// Modulo what.
        modulus: u32,
    },
    /// The digits of `y` are those of `x` one place higher, and a zero: `(x, y)`. In a base, `y` is `x` times it.
    Shifted,
}

impl Atom {
    /// How many numbers it relates.
    pub fn tracks(&self) -> usize {
        match self {
            Self::PlaceValue
            | Self::PowerOf(_)
            | Self::TrailingZeros { .. }
            | Self::DigitSum { .. } => 1,
            Self::DigitAt(_) | Self::Shifted => 2,
            Self::Xor | Self::And | Self::Or => 3,
        }
    }

    /// The relation under an encoding.
    pub fn relation(&self, encoding: &Encoding, meter: &mut Meter) -> Result<Relation, Error> {
        let alphabet = encoding.alphabet(self.tracks())?;
        let order = encoding.order;
        let automaton = match *self {
            Self::PlaceValue => single_digit(alphabet, order, 1, meter, |digit, _| digit == 1)?,
            Self::PowerOf(power) => {
                let base = encoding.system.as_base().ok_or(Error::Atom)?;
                let root = common_root(base, power).ok_or(Error::Atom)?;
                let (in_base, in_power) = (logarithm(base, root), logarithm(power, root));
                single_digit(alphabet, order, in_power, meter, |digit, place| {
                    is_power(digit, root)
                        && (u64::from(in_base) * u64::from(place)
                            + u64::from(logarithm(digit, root)))
                            % u64::from(in_power)
                            == 0
                })?
            }
            Self::Xor => digitwise(encoding, alphabet, |x, y| x ^ y)?,
            Self::And => digitwise(encoding, alphabet, |x, y| x & y)?,
            Self::Or => digitwise(encoding, alphabet, |x, y| x | y)?,
            Self::DigitAt(wanted) => {
                // 0: the place is still to come; 1: it came; 2: never.
                Automaton::build(alphabet, vec![false, true, false], |state, digits| {
                    match (state, digits[1]) {
                        (_, 0) => state,
                        (0, 1) if digits[0] == wanted => 1,
                        _ => 2,
                    }
                })
            }
            Self::TrailingZeros { remainder, modulus } => {
                if modulus == 0 {
                    return Err(Error::Modulus);
                }
                trailing_zeros(alphabet, order, remainder % modulus, modulus, meter)?
            }
            Self::DigitSum { remainder, modulus } => {
                if modulus == 0 {
                    return Err(Error::Modulus);
                }
                meter.admit(modulus as usize, alphabet.letters())?;
                let accepting = (0..modulus).map(|sum| sum == remainder % modulus);
                Automaton::build(alphabet, accepting.collect(), |sum, digits| {
                    let sum = u64::from(sum) + u64::from(digits[0]);
                    State::try_from(sum % u64::from(modulus)).expect("less than the modulus")
                })
            }
            Self::Shifted => shifted(alphabet, encoding.system.radix(), order, meter)?,
        };
        Relation::of_canonical(encoding, &automaton, meter)
    }
}

impl Relation {
    /// The number `n` alone.
    pub fn number(encoding: &Encoding, n: &BigUint, meter: &mut Meter) -> Result<Self, Error> {
        Self::tuple(encoding, std::slice::from_ref(n), meter)
    }

    /// One tuple alone.
    pub fn tuple(
        encoding: &Encoding,
        numbers: &[BigUint],
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let word = encoding.word(numbers)?;
        let alphabet = encoding.alphabet(numbers.len())?;
        meter.admit(word.len() + 2, alphabet.letters())?;
        meter.spend((word.len() * alphabet.letters()) as u64)?;
        let end = index(word.len());
        let dead = end + 1;
        let zeros_at = match encoding.order {
            DigitOrder::Msd => 0,
            DigitOrder::Lsd => end,
        };
        let letters = alphabet.letters();
        let mut table = vec![dead; (word.len() + 2) * letters];
        for (state, &letter) in word.iter().enumerate() {
            table[state * letters + letter as usize] = index(state + 1);
        }
        table[zeros_at as usize * letters] = zeros_at;
        let accepting = (0..=dead).map(|state| state == end).collect();
        let automaton = Automaton::new(alphabet, table, accepting).expect("a row for each state");
        Ok(Self::of_minimal(encoding, automaton.minimise(meter)?))
    }

    /// The pairs `(x, y)` with `x < y`, `x = y`, …: canonical words of one length are ordered as their numbers are.
    pub fn order(
        encoding: &Encoding,
        comparison: Comparison,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        // The state is what the digits so far say; the most significant difference decides.
        let orderings = [Equal, Less, Greater];
        let accepting = orderings.map(|ordering| comparison.holds(ordering));
        let automaton = Automaton::build(
            encoding.alphabet(2)?,
            accepting.to_vec(),
            |state, digits| {
                let here = digits[0].cmp(&digits[1]);
                let earlier = orderings[state as usize];
                let ordering = match encoding.order {
                    DigitOrder::Msd => earlier.then(here),
                    DigitOrder::Lsd => here.then(earlier),
                };
                match ordering {
                    Equal => 0,
                    Less => 1,
                    Greater => 2,
                }
            },
        );
        Self::of_canonical(encoding, &automaton, meter)
    }
}

/// The canonical words of one number.
pub(crate) fn canonical(encoding: &Encoding, meter: &mut Meter) -> Result<Automaton, Error> {
    let alphabet = encoding.alphabet(1)?;
    if encoding.system.as_base().is_some() {
        return Ok(Automaton::constant(alphabet, true));
    }
    let classes = encoding.system.classes();
    // State 2c is class c where any digit may come, 2c + 1 where a zero must.
    let state = |class: usize, zero: bool| index(2 * class + usize::from(zero));
    let mut edges = Vec::new();
    for (at, class) in classes.iter().enumerate() {
        let (largest, before_zero) = class.largest;
        for &below in &class.below {
            for digit in 0..=largest {
                let zero = before_zero && digit == largest;
                edges.push((state(at, false), digit, state(below, zero)));
            }
            edges.push((
                state(at, true),
                0,
                state(below, before_zero && largest == 0),
            ));
        }
    }
    let nfa = Nfa {
        alphabet,
        starts: (0..classes.len())
            .map(|class| state(class, false))
            .collect(),
        accepting: (0..2 * classes.len()).map(|state| state < 2).collect(),
        edges,
    };
    let nfa = match encoding.order {
        DigitOrder::Msd => nfa,
        DigitOrder::Lsd => nfa.reversed(),
    };
    nfa.determinise(meter)?.minimise(meter)
}

/// The words that are canonical on every track.
pub(crate) fn canonical_tracks(
    encoding: &Encoding,
    tracks: usize,
    meter: &mut Meter,
) -> Result<Automaton, Error> {
    let one = canonical(encoding, meter)?;
    let mut all = Automaton::constant(encoding.alphabet(tracks)?, true);
    if !one.is_universal() {
        let every: Vec<usize> = (0..tracks).collect();
        for track in 0..tracks {
            let alphabet = all.alphabet().clone();
            all = all
                .join(&every, &one, &[track], &alphabet, |a, b| a && b, meter)?
                .minimise(meter)?;
        }
    }
    Ok(all)
}

/// The words `0…0 d 0…0` where `keep` keeps the digit at its place modulo `cycle`.
fn single_digit(
    alphabet: Alphabet,
    order: DigitOrder,
    cycle: u32,
    meter: &mut Meter,
    keep: impl Fn(u32, u32) -> bool,
) -> Result<Automaton, Error> {
    let radix = alphabet.radices()[0];
    let states = cycle as usize * (1 + radix as usize) + 2;
    meter.admit(states, alphabet.letters())?;
    meter.spend((states * alphabet.letters()) as u64)?;
    // Least significant first: count the zeros before the digit. States below `cycle` have met none, `cycle` has met
    // one that was kept, `cycle + 1` has met another.
    let lsd = |state: State, digits: &[u32]| match digits[0] {
        0 if state < cycle => (state + 1) % cycle,
        0 => state,
        digit if state < cycle && keep(digit, state) => cycle,
        _ => cycle + 1,
    };
    // Most significant first: state 1 + cycle·(d - 1) + z has met digit d and then z zeros modulo the cycle.
    let dead = 1 + cycle * (radix - 1);
    let msd = |state: State, digits: &[u32]| match (state, digits[0]) {
        (0, 0) => 0,
        (0, digit) => 1 + cycle * (digit - 1),
        (state, 0) if state < dead => {
            let (digit, zeros) = ((state - 1) / cycle, (state - 1) % cycle);
            1 + cycle * digit + (zeros + 1) % cycle
        }
        _ => dead,
    };
    let automaton = match order {
        DigitOrder::Lsd => {
            let accepting = (0..cycle + 2).map(|state| state == cycle).collect();
            Automaton::build(alphabet, accepting, lsd)
        }
        DigitOrder::Msd => {
            let kept = |state: State| {
                (1..dead).contains(&state) && keep((state - 1) / cycle + 1, (state - 1) % cycle)
            };
            Automaton::build(alphabet, (0..=dead).map(kept).collect(), msd)
        }
    };
    automaton.minimise(meter)
}

/// Positive numbers that end in `remainder` zeros modulo `modulus`.
fn trailing_zeros(
    alphabet: Alphabet,
    order: DigitOrder,
    remainder: u32,
    modulus: u32,
    meter: &mut Meter,
) -> Result<Automaton, Error> {
    meter.admit((modulus as usize).saturating_add(2), alphabet.letters())?;
    Ok(match order {
        DigitOrder::Lsd => {
            // States below the modulus count the zeros before the first digit.
            let (kept, other) = (modulus, modulus + 1);
            let accepting = (0..=other).map(|state| state == kept).collect();
            Automaton::build(alphabet, accepting, |state, digits| {
                if state >= modulus {
                    state
                } else if digits[0] == 0 {
                    (state + 1) % modulus
                } else if state == remainder {
                    kept
                } else {
                    other
                }
            })
        }
        DigitOrder::Msd => {
            // State 0 has met no digit; state 1 + z has met one, and then z zeros modulo the modulus.
            let accepting = (0..=modulus).map(|state| state == 1 + remainder);
            Automaton::build(alphabet, accepting.collect(), |state, digits| {
                match (state, digits[0]) {
                    (0, 0) => 0,
                    (zeros, 0) => 1 + zeros % modulus,
                    _ => 1,
                }
            })
        }
    })
}

/// The pairs of words of which the second is the first one place higher.
fn shifted(
    alphabet: Alphabet,
    radix: u32,
    order: DigitOrder,
    meter: &mut Meter,
) -> Result<Automaton, Error> {
    meter.admit(radix as usize + 1, alphabet.letters())?;
    // The state is the digit that one track showed and the other must show next.
    let accepting = (0..=radix).map(|state| state == 0).collect();
    Ok(Automaton::build(alphabet, accepting, |state, digits| {
        let (expected, kept) = match order {
            DigitOrder::Lsd => (digits[1], digits[0]),
            DigitOrder::Msd => (digits[0], digits[1]),
        };
        if state == expected { kept } else { radix }
    }))
}

/// The triples whose digits satisfy `z = f(x, y)` at every place.
fn digitwise(
    encoding: &Encoding,
    alphabet: Alphabet,
    f: impl Fn(u32, u32) -> u32,
) -> Result<Automaton, Error> {
    match encoding.system.as_base() {
        Some(base) if base.is_power_of_two() => {}
        _ => return Err(Error::Atom),
    }
    Ok(Automaton::build(
        alphabet,
        vec![true, false],
        |state, digits| u32::from(state == 1 || f(digits[0], digits[1]) != digits[2]),
    ))
}

/// The least number of which both are powers.
fn common_root(a: u32, b: u32) -> Option<u32> {
    if a < 2 || b < 2 {
        return None;
    }
    // Euclid's algorithm on the exponents.
    let (mut a, mut b) = (a.max(b), a.min(b));
    while b > 1 {
        if a % b != 0 {
            return None;
        }
        let quotient = a / b;
        (a, b) = (quotient.max(b), quotient.min(b));
    }
    Some(a)
}

/// Whether a digit is a power of the root.
fn is_power(digit: u32, root: u32) -> bool {
    digit > 0 && root.checked_pow(logarithm(digit, root)) == Some(digit)
}

/// The exponent of the largest power of `root` that is at most `n`.
fn logarithm(n: u32, root: u32) -> u32 {
    n.checked_ilog(root).unwrap_or(0)
}
