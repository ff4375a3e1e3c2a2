//! Linear arithmetic: sums of multiples compared with zero, and modulo a number.
//!
//! One construction serves every numeration system. Reading most significant digits first, the weighted digits
//! read so far are worth `a·U(i) + b·U(i-1)`, where `i` digits are still to come, and the next digit turns `(a, b)`
//! into another pair ([`Class`]). In an Ostrowski system which factors are to come depends on how far the end is, so
//! the automaton guesses it, and only a right guess meets the end of the word at the end of the places; determinising
//! removes the guess. Least significant first is the same automaton read backwards.
//!
//! **It is finite and decides rightly.** Canonical words of `i` digits stand for `0..U(i)`, so what is
//! still to come is worth between `-N·(U(i)-1)` and `P·(U(i)-1)`, with `P` and `-N` the sums of the positive and of
//! the negative coefficients. A pair is *decided* where `a + b·ρ` lies outside `[-P, N]`, by a margin for the constant,
//! for every ratio `ρ = U(i-1)/U(i)` that is possible: no rest can then change the sign. For `i >= 1` and digits of at
//! most `m` these ratios lie between `1/(m+1)` and `(m+1)/(m+2)`, because `ρ(i) = 1/(a(i) + ρ(i-1))`, where `a(i)` is at
//! most `m`, but for `a(1)`, which is at least 2 and at most `m+1`, with `ρ(0) = 0`. Where a pair is not decided, some ratio puts
//! `a + b·ρ` into an interval of a fixed size, and `b` is the `a` of the pair before; as ratios stay below
//! `(m+1)/(m+2)`, `|a|` is bounded by `m+2` times the interval's end. So the pairs are finitely many.
//!
//! The method is that of normalisation in linear numeration systems: Frougny (1992), *Representations of numbers and
//! finite automata*; for Ostrowski systems of quadratic irrationals Hieronymi and Terry (2018), *Ostrowski numeration
//! systems, addition, and finite automata*. That the result is addition is tested by its defining
//! induction: `x + 0 = x` and `x + (y+1) = (x+y) + 1`, as identities of automata, where `+1` is defined by order alone.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::alphabet::Alphabet;
use crate::automaton::{State, index};
use crate::error::Error;
use crate::meter::Meter;
use crate::numeration::Class;
use crate::relation::{Encoding, Relation};
use crate::subset::{DigitOrder, Nfa};

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `≠`
    NotEqual,
    /// `<`
    Less,
    /// `≤`
    LessEqual,
    /// `>`
    Greater,
    /// `≥`
    GreaterEqual,
}

impl Comparison {
    /// Whether two numbers so ordered compare so.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::Less => ordering.is_lt(),
            Self::LessEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterEqual => ordering.is_ge(),
        }
    }

    /// The comparison that holds where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
        }
    }

    /// The comparison of the two numbers the other way round.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
        }
    }
}

impl Relation {
    /// The tuples `x` with `c(1)·x(1) + … + c(n)·x(n) + constant` compared with 0.
    ///
    /// The number of states grows with the coefficients and with the constant; a large constant is better a
    /// variable that equals it.
    pub fn linear(
        encoding: &Encoding,
        coefficients: &[i64],
        constant: i64,
        comparison: Comparison,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let sums = WeightedDigits::new(encoding, coefficients, None)?;
        let constant = i128::from(constant);
        let positive: i128 = coefficients.iter().map(|&c| i128::from(c.max(0))).sum();
        let negative: i128 = coefficients.iter().map(|&c| i128::from(c.min(0))).sum();
        let (low, high) = (-positive - constant.abs(), constant.abs() - negative);
        let m = i128::from(encoding.system.radix() - 1);
        let decide = |(a, b): (i128, i128)| {
            // a + b/(m+1) and a + b(m+1)/(m+2), times their denominators.
            let ends = [(a * (m + 1) + b, m + 1), (a * (m + 2) + b * (m + 1), m + 2)];
            if ends.iter().all(|&(value, unit)| value < low * unit) {
                Some(Ordering::Less)
            } else if ends.iter().all(|&(value, unit)| value > high * unit) {
                Some(Ordering::Greater)
            } else {
                None
            }
        };
        let step = |class: &Class, at_end: bool, node: Sum, sum: i128| {
            let next = match node {
                Sum::Open(a, b) => {
                    let a_next = a * i128::from(class.factor) + b + sum;
                    let b_next = a * i128::from(class.carry);
                    if at_end {
                        Sum::Decided((a_next + constant).cmp(&0))
                    } else {
                        decide((a_next, b_next)).map_or(Sum::Open(a_next, b_next), Sum::Decided)
                    }
                }
                Sum::Decided(_) => node,
            };
            match next {
                Sum::Decided(ordering) if !comparison.holds(ordering) => None,
                _ => Some(next),
            }
        };
        let accept = |node: Sum| match node {
            Sum::Open(a, _) => comparison.holds((a + constant).cmp(&0)),
            Sum::Decided(ordering) => comparison.holds(ordering),
        };
        sums.relation(encoding, Sum::Open(0, 0), step, accept, meter)
    }

    /// The tuples `x` with `c(1)·x(1) + … + c(n)·x(n) ≡ remainder (mod modulus)`.
    pub fn congruence(
        encoding: &Encoding,
        coefficients: &[i64],
        remainder: i64,
        modulus: u32,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        if modulus == 0 {
            return Err(Error::Modulus);
        }
        let modulus = i128::from(modulus);
        let sums = WeightedDigits::new(encoding, coefficients, Some(modulus))?;
        let remainder = i128::from(remainder).rem_euclid(modulus);
        let step = |class: &Class, at_end: bool, (a, b): (i128, i128), sum: i128| {
            let next = (a * i128::from(class.factor) + b + sum).rem_euclid(modulus);
            if at_end {
                (next == remainder).then_some((next, 0))
            } else {
                Some((next, a * i128::from(class.carry)))
            }
        };
        let accept = |(a, _): (i128, i128)| a == remainder;
        sums.relation(encoding, (0, 0), step, accept, meter)
    }

    /// The triples with `x + y = z`.
    pub fn addition(encoding: &Encoding, meter: &mut Meter) -> Result<Self, Error> {
        Self::linear(encoding, &[1, 1, -1], 0, Comparison::Equal, meter)
    }

    /// The pairs with `factor·x = y`.
    pub fn multiple(encoding: &Encoding, factor: u32, meter: &mut Meter) -> Result<Self, Error> {
        let coefficients = [i64::from(factor), -1];
        Self::linear(encoding, &coefficients, 0, Comparison::Equal, meter)
    }
}

/// What the digits read so far say of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sum {
    /// It is worth `a·U(i) + b·U(i-1)`.
    Open(i128, i128),
    /// It has this sign, whatever comes.
    Decided(Ordering),
}

/// The letters of an alphabet by the weighted sum of their digits: letters of the same sum act alike, and sums are
/// far fewer than letters.
struct WeightedDigits {
    alphabet: Alphabet,
    /// The sums that occur.
    sums: Vec<i128>,
    /// For each letter, which sum it has.
    of: Vec<u32>,
}

impl WeightedDigits {
    fn new(
        encoding: &Encoding,
        coefficients: &[i64],
        modulus: Option<i128>,
    ) -> Result<Self, Error> {
        let alphabet = encoding.alphabet(coefficients.len())?;
        let mut sums = Vec::new();
        let mut numbers = FxHashMap::default();
        let of = (0..alphabet.letters())
            .map(|letter| {
                let digits = alphabet.digits(index(letter));
                let terms = digits.iter().zip(coefficients);
                let sum = terms
                    .map(|(&digit, &c)| i128::from(digit) * i128::from(c))
                    .sum();
                let sum = modulus.map_or(sum, |modulus| i128::rem_euclid(sum, modulus));
                *numbers.entry(sum).or_insert_with(|| {
                    sums.push(sum);
                    index(sums.len() - 1)
                })
            })
            .collect();
        Ok(Self { alphabet, sums, of })
    }

    /// The relation whose automaton starts at `start` in every class, steps by `step` and accepts at the end of the
    /// places. A step to `None` can never be accepted.
    fn relation<N: Copy + Eq + std::hash::Hash>(
        &self,
        encoding: &Encoding,
        start: N,
        step: impl Fn(&Class, bool, N, i128) -> Option<N>,
        accept: impl Fn(N) -> bool,
        meter: &mut Meter,
    ) -> Result<Relation, Error> {
        let classes = encoding.system.classes();
        let mut nodes: Vec<(usize, N)> = (0..classes.len()).map(|class| (class, start)).collect();
        let mut numbers: FxHashMap<(usize, N), State> = FxHashMap::default();
        for (number, &node) in nodes.iter().enumerate() {
            numbers.insert(node, index(number));
        }
        let mut edges = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let (class, node) = nodes[at];
            let class = &classes[class];
            for (letter, &sum) in self.sums.iter().enumerate() {
                for &below in &class.below {
                    if let Some(next) = step(class, below == 0, node, sum) {
                        let number = *numbers.entry((below, next)).or_insert_with(|| {
                            nodes.push((below, next));
                            index(nodes.len() - 1)
                        });
                        edges.push((index(at), index(letter), number));
                    }
                }
            }
            meter.spend((self.sums.len() * class.below.len()) as u64)?;
            meter.admit(nodes.len(), self.sums.len())?;
            at += 1;
        }
        let nfa = Nfa {
            alphabet: Alphabet::new(vec![index(self.sums.len())])?,
            starts: (0..index(classes.len())).collect(),
            accepting: nodes
                .iter()
                .map(|&(class, node)| class == 0 && accept(node))
                .collect(),
            edges,
        };
        // Where quotients vary, what was read means something else for each guess of what is to come, until only
        // canonical words are left: then the way from the other end is shorter, where nothing is guessed.
        let detour = encoding.order == DigitOrder::Msd && encoding.system.varies();
        let nfa = match encoding.order {
            DigitOrder::Msd if !detour => nfa,
            _ => nfa.reversed(),
        };
        let by_sum = nfa.determinise(meter)?.minimise(meter)?;
        let automaton = by_sum.expanded(&self.alphabet, &self.of, meter)?;
        if detour {
            let lsd = Encoding::new(encoding.system.clone(), DigitOrder::Lsd);
            Relation::of_canonical(&lsd, &automaton, meter)?.reversed(meter)
        } else {
            Relation::of_canonical(encoding, &automaton, meter)
        }
    }
}
