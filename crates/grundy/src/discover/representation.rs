//! Values whose digits multiply matrices: k-regular sequences, seen in their first terms.
//!
//! The k-kernel of a sequence `g` is the set of its sections `g(k^e n + r)` with `r < k^e`. The sequence is k-regular if its
//! kernel spans a space of finite dimension over the rationals (Allouche and Shallit, *The ring of k-regular sequences*, 1992).
//! Then each section of a basis is a combination of the basis: the digits of `n` multiply a vector by matrices, and the values of
//! heaps of any size are had in as many steps as they have digits. So the number of ones in binary has `g(2n) = g(n)` and `g(2n+1) = g(n)+1`,
//! and Stern's diatomic sequence `g(4n+1) = g(n)+g(2n+1)` among others.
//!
//! What finitely many terms show of this is a guess. The first half of them makes it: a section is a combination of others only
//! if that holds at more places where values change than there are unknowns. The second half judges it.
//! A bounded sequence of integers that is k-regular is told by an automaton (same paper), so that outcomes need nothing of this kind.

use grundy_rules::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul};

/// At how many places a combination must hold beyond as many as it has unknowns.
const MARGIN: usize = 16;
/// The largest numerator and denominator in a combination.
const MOST_FACTOR: i64 = 1 << 16;

/// A linear representation of a sequence, of the least dimension that there is in its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representation {
    base: u32,
    elements: Vec<Element>,
    /// The elements at 0.
    start: Vec<u64>,
    /// For each element and each digit `d`, what the element is at `base * n + d` by all elements at `n`.
    relations: Vec<Vec<Combination>>,
    /// The sequence itself.
    value: Combination,
}

/// An element of a basis of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// The constant 1.
    One,
    /// The number `n` itself.
    Number,
    /// `g(scale * n + residue)`, where the scale is a power of the base.
    Section {
        /// The factor of `n`.
        scale: u64,
        /// Less than the scale.
        residue: u64,
    },
}

/// A sum of multiples of elements, divided by a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Places of elements with their factors, none of them 0.
    pub terms: Vec<(usize, i64)>,
    /// Positive.
    pub over: i64,
}

/// That a section is a combination of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation<'r> {
    /// The section.
    pub left: Element,
    /// What it is.
    pub right: &'r Combination,
}

/// Why terms show no representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unrepresented {
    /// More terms are needed to tell.
    TooFew,
    /// The dimension is larger than is looked for, or a factor is.
    TooLarge,
    /// What the first half of the terms shows is wrong at this one.
    Refuted(usize),
    /// A limit was reached.
    Limit(Limit),
}

/// The representation of the least dimension that terms show, the one of heap 0 first; `None` if they show none in any of
/// [`Representation::BASES`].
pub fn representation(values: &[u64], meter: &mut Meter) -> Option<Representation> {
    let each = Representation::BASES.map(|base| Representation::of(values, base, meter).ok());
    let found = each.into_iter().flatten();
    found.min_by_key(|found| found.elements.len())
}

impl Representation {
    /// The largest dimension that is looked for.
    pub const MOST_ELEMENTS: usize = 32;
    /// The bases that are tried. A sequence is 4-regular iff it is 2-regular.
    pub const BASES: [u32; 5] = [2, 3, 5, 6, 10];

    /// The representation in a base that the terms of a sequence show.
    ///
    /// The constant 1 and `n` are elements where the kernel spans them, so that relations read `g(2n+1) = g(n) + 1`. All other
    /// elements are the first sections that are no combinations of earlier ones; that makes the dimension the least.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(crate) fn of(values: &[u64], base: u32, meter: &mut Meter) -> Result<Self, Unrepresented> {
        let found = Kernel::closed(&values[..values.len() / 2], base, meter)?.represented();
        match found.differs_from(values) {
            Some(term) => Err(Unrepresented::Refuted(term)),
            None => Ok(found),
        }
    }

    /// The base.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// A basis of the kernel.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The elements at 0: the column of the representation.
    pub fn start(&self) -> &[u64] {
        &self.start
    }

    /// The rows of the matrix of a digit: each element at `base * n + digit` by all of them at `n`.
    pub fn matrix(&self, digit: u32) -> impl Iterator<Item = Vec<Ratio<i64>>> {
        let size = self.elements.len();
        let rows = self.relations.iter();
        rows.filter_map(move |row| Some(row.get(digit as usize)?.row(size)))
    }

    /// The sequence by the elements: the row of the representation.
    pub fn row(&self) -> Vec<Ratio<i64>> {
        self.value.row(self.elements.len())
    }

    /// What follows for the sections that are no elements, the largest scale last.
    pub fn equations(&self) -> impl Iterator<Item = Equation<'_>> {
        let of_sequence = Equation {
            left: Element::SEQUENCE,
            right: &self.value,
        };
        let of_sequence = (!self.elements.contains(&of_sequence.left)).then_some(of_sequence);
        let sections = self.elements.iter().zip(&self.relations);
        let sections = sections.flat_map(|(element, relations)| {
            let each = (0..self.base).zip(relations);
            each.filter_map(|(digit, right)| {
                let left = element.at_digit(self.base, digit)?;
                (!self.elements.contains(&left)).then_some(Equation { left, right })
            })
        });
        of_sequence.into_iter().chain(sections)
    }

    /// The terms of the sequence on which all others depend, with their places, ascending.
    pub fn first_terms(&self) -> Vec<(u64, u64)> {
        let sections = self.elements.iter().zip(&self.start);
        let mut terms: Vec<(u64, u64)> = sections
            .filter_map(|(element, start)| match element {
                Element::Section { residue, .. } => Some((*residue, *start)),
                Element::One | Element::Number => None,
            })
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The term at a place of any size; `None` if the relations make it no natural number.
    pub fn value(&self, n: &BigUint) -> Option<BigUint> {
        let mut vector: Vec<BigInt> = self.start.iter().copied().map(BigInt::from).collect();
        for digit in n.to_radix_be(self.base) {
            vector = self.next(&vector, digit.into())?;
        }
        self.value.of(&vector)?.to_biguint()
    }

    /// The elements at `base * n + digit`, given those at `n`.
    fn next<N: Number>(&self, vector: &[N], digit: usize) -> Option<Vec<N>> {
        let each = self.relations.iter();
        each.map(|relations| relations[digit].of(vector)).collect()
    }

    /// The first place at which it says something else than these terms.
    pub fn differs_from(&self, values: &[u64]) -> Option<usize> {
        let start: Vec<i128> = self.start.iter().copied().map(i128::from).collect();
        let mut vectors: Vec<Vec<i128>> = Vec::new();
        for (n, value) in values.iter().enumerate() {
            let (prefix, digit) = n.div_rem(&(self.base as usize));
            let vector = self.next(vectors.get(prefix).unwrap_or(&start), digit);
            let vector = vector.filter(|vector| self.value.of(vector) == Some((*value).into()));
            match vector {
                None => return Some(n),
                Some(vector) if n <= values.len() / 2 => vectors.push(vector),
                Some(_) => {}
            }
        }
        None
    }
}

/// The integers in which combinations are computed.
trait Number: Integer + CheckedAdd + CheckedMul + From<i64> {}
impl<N: Integer + CheckedAdd + CheckedMul + From<i64>> Number for N {}

impl Combination {
    fn single(element: usize) -> Self {
        Self {
            terms: vec![(element, 1)],
            over: 1,
        }
    }

    /// Its value, given those of the elements; `None` if that is no integer or too large.
    fn of<N: Number>(&self, vector: &[N]) -> Option<N> {
        let mut sum = N::zero();
        for (element, factor) in &self.terms {
            sum = sum.checked_add(&vector[*element].checked_mul(&N::from(*factor))?)?;
        }
        let (quotient, rest) = sum.div_rem(&N::from(self.over));
        rest.is_zero().then_some(quotient)
    }

    /// A factor for each of so many elements.
    fn row(&self, size: usize) -> Vec<Ratio<i64>> {
        let mut row = vec![Ratio::from(0); size];
        for (element, factor) in &self.terms {
            row[*element] = Ratio::new(*factor, self.over);
        }
        row
    }

    fn has(&self, element: usize) -> bool {
        self.terms.iter().any(|(other, _)| *other == element)
    }
}

impl Element {
    /// The sequence itself.
    const SEQUENCE: Self = Self::Section {
        scale: 1,
        residue: 0,
    };

    /// The section that stands at a digit of this one; `None` of what is no section.
    fn at_digit(self, base: u32, digit: u32) -> Option<Self> {
        let Self::Section { scale, residue } = self else {
            return None;
        };
        Some(Self::Section {
            scale: scale.checked_mul(base.into())?,
            residue: residue + scale * u64::from(digit),
        })
    }

    /// Its first terms as residues.
    fn terms(self, values: &[u64], count: usize) -> Vec<u64> {
        match self {
            Self::One => vec![1; count],
            Self::Number => (0..count as u64).collect(),
            Self::Section { scale, residue } => {
                let [scale, residue] = [scale, residue].map(small);
                let terms = values[residue..].iter().step_by(scale).take(count);
                terms.map(|value| value % PRIME).collect()
            }
        }
    }
}

fn small(n: u64) -> usize {
    usize::try_from(n).expect("tables are no larger")
}

/// A basis of the kernel while it is looked for.
struct Kernel<'v> {
    values: &'v [u64],
    base: u32,
    elements: Vec<Element>,
    relations: Vec<Vec<Combination>>,
    value: Combination,
}

impl<'v> Kernel<'v> {
    /// Takes sections of sections until all are combinations of those before.
    fn closed(values: &'v [u64], base: u32, meter: &mut Meter) -> Result<Self, Unrepresented> {
        let mut kernel = Self {
            values,
            base,
            elements: vec![Element::One, Element::Number],
            relations: Vec::new(),
            value: Combination::single(0),
        };
        for element in 0..kernel.elements.len() {
            let of_digit = |digit: u32| match element {
                0 => Combination::single(0),
                _ => Combination {
                    terms: [(0, digit.into()), (1, base.into())]
                        .into_iter()
                        .filter(|(_, factor)| *factor != 0)
                        .collect(),
                    over: 1,
                },
            };
            kernel.relations.push((0..base).map(of_digit).collect());
        }
        kernel.value = kernel.place(
            &mut kernel.span(values.len(), meter)?,
            Element::SEQUENCE,
            meter,
        )?;
        let mut open = 2..kernel.elements.len();
        let mut length = values.len();
        while !open.is_empty() {
            // All sections of this scale have so many terms.
            length /= base as usize;
            let mut span = kernel.span(length, meter)?;
            for at in open.clone() {
                let mut relations = Vec::with_capacity(base as usize);
                for digit in 0..base {
                    let section = kernel.elements[at].at_digit(base, digit);
                    let section = section.ok_or(Unrepresented::TooFew)?;
                    relations.push(kernel.place(&mut span, section, meter)?);
                }
                kernel.relations.push(relations);
            }
            open = open.end..kernel.elements.len();
        }
        Ok(kernel)
    }

    /// What the elements span in their first terms.
    fn span(&self, length: usize, meter: &mut Meter) -> Result<Span, Unrepresented> {
        let mut span = Span {
            length,
            rows: Vec::new(),
        };
        for element in &self.elements {
            let terms = element.terms(self.values, length);
            if length < self.elements.len() || span.add(terms, meter)?.is_some() {
                // So few terms do not even tell the elements apart.
                return Err(Unrepresented::TooFew);
            }
        }
        Ok(span)
    }

    /// A section by the elements: it is a combination of them, or becomes one more.
    fn place(
        &mut self,
        span: &mut Span,
        section: Element,
        meter: &mut Meter,
    ) -> Result<Combination, Unrepresented> {
        if self.changes(section, span.length) < self.elements.len() + MARGIN {
            return Err(Unrepresented::TooFew);
        }
        match span.add(section.terms(self.values, span.length), meter)? {
            Some(factors) => combination(&factors).ok_or(Unrepresented::TooLarge),
            None if self.elements.len() == Representation::MOST_ELEMENTS => {
                Err(Unrepresented::TooLarge)
            }
            None => {
                self.elements.push(section);
                Ok(Combination::single(self.elements.len() - 1))
            }
        }
    }

    /// At how many of so many places this section or another one is not what it was before.
    ///
    /// Only these tell something: where values stay as they are for long, what holds at one place holds at the next ones.
    fn changes(&self, section: Element, length: usize) -> usize {
        let sections: Vec<(usize, usize)> = self
            .elements
            .iter()
            .chain([&section])
            .filter_map(|element| match element {
                Element::One | Element::Number => None,
                Element::Section { scale, residue } => Some((small(*scale), small(*residue))),
            })
            .collect();
        let is_other = |n: &usize| {
            let mut each = sections.iter();
            each.any(|(scale, residue)| {
                let at = scale * n + residue;
                self.values[at] != self.values[at - scale]
            })
        };
        length.min(1) + (1..length).filter(is_other).count()
    }

    /// Leaves out the constant and the number where no section needs them: then the kernel does not span them.
    ///
    /// If no relation of a section has them, the sections alone span the kernel. If one has `h = a + b n`, then `h` is a sum of multiples
    /// of sections. So are `h(kn) - k h(n) = a (1-k)` and, where `a = 0`, `h(kn+1) - k h(n) = b`: hence 1, and `n` if `b` is not 0.
    fn represented(self) -> Representation {
        let is_needed = |element: usize| {
            let sections = self.relations[2..].iter().flatten();
            sections.chain([&self.value]).any(|of| of.has(element))
        };
        let number = is_needed(1);
        let mut is_kept = vec![true; self.elements.len()];
        (is_kept[0], is_kept[1]) = (number || is_needed(0), number);
        let mut places = Vec::with_capacity(is_kept.len());
        let mut kept = 0;
        for is_kept in &is_kept {
            places.push(kept);
            kept += usize::from(*is_kept);
        }
        let renamed = |combination: &Combination| Combination {
            terms: combination
                .terms
                .iter()
                .map(|(element, factor)| (places[*element], *factor))
                .collect(),
            over: combination.over,
        };
        let relations = self.relations.iter().zip(&is_kept);
        let relations = relations
            .filter(|(_, is_kept)| **is_kept)
            .map(|(each, _)| each.iter().map(renamed).collect())
            .collect();
        let elements = self.elements.iter().zip(&is_kept);
        let elements: Vec<Element> = elements
            .filter(|(_, is_kept)| **is_kept)
            .map(|(element, _)| *element)
            .collect();
        let start = elements.iter().map(|element| match element {
            Element::One => 1,
            Element::Number => 0,
            Element::Section { residue, .. } => self.values[small(*residue)],
        });
        Representation {
            base: self.base,
            start: start.collect(),
            value: renamed(&self.value),
            relations,
            elements,
        }
    }
}

/// Combinations are looked for modulo this prime, which is exact: what is independent modulo a prime is so over the
/// rationals, and the factors of what depends are held against the terms themselves.
const PRIME: u64 = (1 << 61) - 1;

#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are meant, and the high ones are few"
)]
fn product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// `a - b * c`
fn less(a: u64, b: u64, c: u64) -> u64 {
    let taken = product(b, c);
    if a >= taken {
        a - taken
    } else {
        a + PRIME - taken
    }
}

/// By Fermat's little theorem.
fn inverse(a: u64) -> u64 {
    let (mut power, mut square, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    power
}

/// What vectors of a length span, in echelon form.
struct Span {
    length: usize,
    rows: Vec<Row>,
}

struct Row {
    /// The place of its first entry that is not 0; that is 1.
    pivot: usize,
    entries: Vec<u64>,
    /// By which factors of the vectors that were added it is made.
    made_of: Vec<u64>,
}

impl Span {
    /// The factors with which a vector is made of those that were added; `None` if it is not, and then it is added.
    fn add(
        &mut self,
        mut entries: Vec<u64>,
        meter: &mut Meter,
    ) -> Result<Option<Vec<u64>>, Unrepresented> {
        let cost = (self.rows.len() + 1) * self.length / 16;
        meter.spend(cost as u64).map_err(Unrepresented::Limit)?;
        let mut made_of = vec![0; self.rows.len() + 1];
        for row in &self.rows {
            let factor = entries[row.pivot];
            if factor == 0 {
                continue;
            }
            for (entry, other) in entries.iter_mut().zip(&row.entries) {
                *entry = less(*entry, factor, *other);
            }
            for (entry, other) in made_of.iter_mut().zip(&row.made_of) {
                *entry = less(*entry, factor, *other);
            }
        }
        let Some(pivot) = entries.iter().position(|entry| *entry != 0) else {
            made_of.pop();
            let negated = |factor| less(0, 1, factor);
            return Ok(Some(made_of.into_iter().map(negated).collect()));
        };
        let scale = inverse(entries[pivot]);
        if let Some(last) = made_of.last_mut() {
            *last = 1;
        }
        for entry in entries.iter_mut().chain(&mut made_of) {
            *entry = product(*entry, scale);
        }
        self.rows.push(Row {
            pivot,
            entries,
            made_of,
        });
        Ok(None)
    }
}

/// Factors that are known modulo the prime, as small fractions.
fn combination(factors: &[u64]) -> Option<Combination> {
    let fractions: Vec<(i64, i64)> = factors
        .iter()
        .map(|n| fraction(*n))
        .collect::<Option<_>>()?;
    let over = fractions.iter().try_fold(1i64, |over, (_, under)| {
        Some(over.lcm(under)).filter(|all| *all <= MOST_FACTOR)
    })?;
    let terms = fractions.iter().enumerate();
    let terms = terms.map(|(element, (above, under))| (element, above * (over / under)));
    Some(Combination {
        terms: terms.filter(|(_, factor)| *factor != 0).collect(),
        over,
    })
}

/// The fraction with small numerator and denominator that a number is modulo the prime, by Euclid's algorithm (Wang 1981); there
/// is at most one.
fn fraction(n: u64) -> Option<(i64, i64)> {
    let (mut before, mut above) = (PRIME.cast_signed(), n.cast_signed());
    let (mut under_before, mut under) = (0i64, 1i64);
    while above > MOST_FACTOR {
        let quotient = before / above;
        (before, above) = (above, before - quotient * above);
        (under_before, under) = (under, under_before - quotient * under);
    }
    let (above, under) = if under < 0 {
        (-above, -under)
    } else {
        (above, under)
    };
    let is_small = under <= MOST_FACTOR && above.gcd(&under) == 1;
    is_small.then_some((above, under))
}

#[cfg(test)]
mod tests {
    use grundy_rules::Budget;

    use super::*;

    fn terms(of: impl Fn(u64) -> u64, count: u64) -> Vec<u64> {
        (0..count).map(of).collect()
    }

    fn seen(values: &[u64], base: u32) -> Result<Representation, Unrepresented> {
        Representation::of(values, base, &mut Meter::new(Budget::default()))
    }

    fn halving(n: u64) -> u64 {
        if n.is_multiple_of(2) {
            n / 2
        } else {
            halving(n / 2)
        }
    }

    fn stern(n: u64) -> u64 {
        match n {
            0 | 1 => n,
            n if n % 2 == 0 => stern(n / 2),
            n => stern(n / 2) + stern(n / 2 + 1),
        }
    }

    fn digits(n: u64, base: u64) -> u64 {
        if n == 0 {
            0
        } else {
            n % base + digits(n / base, base)
        }
    }

    /// Seen in few terms, true of more, and no smaller one is.
    #[test]
    fn known_sequences() {
        type Sequence<'s> = (&'s str, &'s dyn Fn(u64) -> u64, u32, usize);
        let known: [Sequence; 9] = [
            ("ruler", &|n| (n + 1).trailing_zeros().into(), 2, 2),
            ("ones in binary", &|n| n.count_ones().into(), 2, 2),
            ("digit sum in base 3", &|n| digits(n, 3), 3, 2),
            ("Stern's diatomic sequence", &stern, 2, 2),
            ("n xor 2n", &|n| n ^ (2 * n), 2, 3),
            ("taking at most half", &halving, 2, 3),
            ("n / 3 in base 3", &|n| n / 3, 3, 3),
            ("the identity", &|n| n, 2, 2),
            ("squares", &|n| n * n, 2, 3),
        ];
        for (name, of, base, dimension) in known {
            let found = seen(&terms(of, 512), base).unwrap_or_else(|why| panic!("{name}: {why:?}"));
            assert_eq!(found.elements().len(), dimension, "{name}: {found:?}");
            assert_eq!(found.differs_from(&terms(of, 20_000)), None, "{name}");
            for n in [0, 1, 511, 512, 123_456_789] {
                assert_eq!(found.value(&n.into()), Some(of(n).into()), "{name}: {n}");
            }
        }
        let halves = seen(&terms(halving, 512), 2).expect("it is regular");
        let large = BigUint::from(2u8).pow(3000) * 3u8;
        assert_eq!(halves.value(&large), Some(&large / 2u8));
    }

    /// Half of the sum is an integer wherever it is asked for.
    #[test]
    fn factors_may_be_fractions() {
        let triangular = |n| n * (n + 1) / 2;
        let found = seen(&terms(triangular, 256), 3).expect("it is regular");
        assert_eq!(found.differs_from(&terms(triangular, 2000)), None);
        // By the third of a square, which is no integer where 3 does not divide it.
        let thirds = |n: u64| (n * n).div_euclid(3);
        let found = seen(&terms(thirds, 512), 2).expect("it is regular");
        assert_eq!(found.differs_from(&terms(thirds, 2000)), None);
    }

    #[test]
    fn other_sequences_have_none() {
        let is_square = |n: u64| u64::from(n.isqrt().pow(2) == n);
        // Steele's generator, so that nothing repeats.
        let noise = |n: u64| {
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed >> 40) % 8
        };
        let mut grundy: Vec<u64> = Vec::new();
        for n in 0..2048 {
            let options: Vec<u64> = (1..n)
                .take_while(|a| 2 * a < n)
                .map(|a| grundy[a] ^ grundy[n - a])
                .collect();
            grundy.extend((0..2048).find(|value| !options.contains(value)));
        }
        let root = terms(u64::isqrt, 2048);
        // It is regular, but seldom changes.
        let logarithm = terms(|n| (n + 1).ilog2().into(), 2048);
        let sequences = [
            terms(is_square, 2048),
            terms(noise, 2048),
            grundy,
            root,
            logarithm,
        ];
        for values in sequences {
            let mut meter = Meter::new(Budget::default());
            assert_eq!(representation(&values, &mut meter), None);
        }
    }

    /// One term that is another one, in either half, is enough.
    #[test]
    fn one_other_term_hides_it() {
        for at in [200, 255, 256, 300, 511] {
            let mut values = terms(|n| n.count_ones().into(), 512);
            values[at] += 1;
            let refused = seen(&values, 2);
            if at < 256 {
                assert!(refused.is_err(), "{at}: {refused:?}");
            } else {
                assert_eq!(refused, Err(Unrepresented::Refuted(at)));
            }
        }
    }

    /// The first half decides sections of scale 2 with 3 elements: these have a quarter of all terms, and 3 + 16 are needed.
    #[test]
    fn as_many_terms_as_unknowns_and_some_more() {
        let squares = |count| terms(|n| n * n, count);
        assert_eq!(seen(&squares(4 * 19 - 1), 2), Err(Unrepresented::TooFew));
        assert!(seen(&squares(4 * 19), 2).is_ok());
        for few in 0..20 {
            assert_eq!(seen(&squares(few), 2), Err(Unrepresented::TooFew));
        }
    }

    #[test]
    fn limits() {
        let periodic = |p: u64| terms(|n| u64::from(n % p == 0), 1 << 14);
        assert!(seen(&periodic(29), 2).is_ok());
        assert_eq!(seen(&periodic(37), 2), Err(Unrepresented::TooLarge));
        let mut meter = Meter::new(Budget {
            steps: 100,
            bytes: 1 << 20,
        });
        let stopped = Representation::of(&terms(stern, 512), 2, &mut meter);
        assert_eq!(stopped, Err(Unrepresented::Limit(Limit::Steps)));
    }

    #[test]
    fn fractions_are_found_again() {
        for (above, under) in [
            (0, 1),
            (1, 1),
            (-1, 1),
            (7, 3),
            (-65_535, 65_536),
            (1, 65_536),
        ] {
            let n = i128::from(above).rem_euclid(i128::from(PRIME));
            let n = product(
                u64::try_from(n).expect("below the prime"),
                inverse(u64::try_from(under).expect("positive")),
            );
            assert_eq!(fraction(n), Some((above, under)));
        }
        assert_eq!(fraction(inverse(65_537)), None);
    }
}
