//! Looking for a finite monoid that decides the misère sums of a game.
//!
//! What is found here is a guess; the checker proves it, or refuses it. Following Plambeck and Siegel
//! (*Misère quotients for impartial games*, 2008), heaps are taken one after the other. A heap is
//! *essential* if no product of elements of smaller ones can stand for it. The essential heaps
//! generate the quotient:
//!
//! 1. Sums of essential heaps are vectors of exponents. Guess that beyond some exponent of each only its
//!    parity matters; then there are finitely many. The outcome of each follows from those of its
//!    options, where the options of an essential heap are words in smaller ones.
//! 2. Two vectors are the same element if no third one, added to both, makes a difference of outcomes: the
//!    coarsest congruence that keeps lost and won sums apart, found as one minimises an automaton.
//! 3. A heap that is not essential has the element that, added to any vector, gives the same outcome as the
//!    heap itself. These outcomes depend only on the elements of the options of the heap. If there is no such
//!    element among the products of smaller heaps, the heap is essential, and all begins anew.
//!
//! A heap whose outcomes beside essential ones are those of an element may still differ where it stands several
//! times. So the condition that the checker verifies is tried here too; a sum that refutes it makes a heap in
//! it essential.
//!
//! When the elements of heaps show a period over the window that a proof asks for, a certificate is written.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use grundy_certificate::{Law, Misere, Monoid, Periodic, Quotient, Refusal};
use grundy_rules::{Limit, Meter, Ruleset};

use super::options::HeapOptions;
use super::tame::window;
use crate::law::{Checked, shown};
use crate::outcome::Undecided;
use crate::proof::{self, Method, Proved};
use crate::shape::Shape;

/// The most vectors of exponents.
const MOST_VECTORS: usize = 1 << 21;
/// The most elements.
const MOST_ELEMENTS: usize = 1 << 11;
/// The most essential heaps.
const MOST_GENERATORS: usize = 20;
/// How far beyond the exponents that matter one looks at first, and at most.
const SLACK: std::ops::RangeInclusive<u32> = 2..=6;
/// How many heaps are looked at first.
const FIRST: u64 = 32;

/// Looks for a quotient and proves it, looking at no heap above `most`.
///
/// `None` if none was found that is small enough, or none was proved; what decides small heaps is `checked`.
pub fn search(
    ruleset: &Ruleset,
    shape: &Shape,
    most: u64,
    checked: &mut Option<Checked>,
    meter: &mut Meter,
) -> Result<Option<Proved>, Undecided> {
    let Ok(method) = Method::of_form(&shape.form) else {
        return Ok(None);
    };
    for slack in SLACK {
        let mut search = Search {
            options: HeapOptions::new(ruleset, shape),
            generators: Vec::new(),
            slack,
        };
        match search.run(ruleset, &method, most, checked, meter)? {
            Found::Proved(proved) => return Ok(Some(*proved)),
            Found::Refused => {}
            Found::Nothing => break,
        }
    }
    Ok(None)
}

enum Found {
    Proved(Box<Proved>),
    /// The checker refused a guess: exponents may matter that were thought not to.
    Refused,
    Nothing,
}

/// An essential heap.
#[derive(Clone, Debug)]
struct Generator {
    heap: usize,
    /// Exponents above this count by their parity.
    most: u32,
    /// Its options, as exponents of the generators before it.
    options: Vec<Vec<u32>>,
}

struct Search<'g> {
    options: HeapOptions<'g>,
    /// Ascending by heap.
    generators: Vec<Generator>,
    slack: u32,
}

/// What a look at further heaps ended with.
enum Look {
    Done,
    /// This heap is essential, and has options with these elements.
    Essential(usize, BTreeSet<usize>),
    /// The options of this generator are other ones than was thought.
    Options(usize, BTreeSet<usize>),
    /// A move does not make a heap smaller.
    NotSmaller,
}

impl Search<'_> {
    fn run(
        &mut self,
        ruleset: &Ruleset,
        method: &Method,
        most: u64,
        checked: &mut Option<Checked>,
        meter: &mut Meter,
    ) -> Result<Found, Undecided> {
        let mut length = FIRST.min(most);
        let mut repairs = 0;
        loop {
            if self.generators.len() > MOST_GENERATORS {
                return Ok(Found::Nothing);
            }
            let Some(mut guess) = self.guess(meter)? else {
                return Ok(Found::Nothing);
            };
            loop {
                let count = usize::try_from(length).map_err(|_| Limit::Bytes)?;
                match self.look(&mut guess, count, meter)? {
                    Look::NotSmaller => return Ok(Found::Nothing),
                    Look::Essential(heap, options) => {
                        self.insert(heap, &options, &guess);
                        break;
                    }
                    Look::Options(generator, options) => {
                        repairs += 1;
                        if repairs > 8 * MOST_GENERATORS {
                            return Ok(Found::Refused);
                        }
                        let words = options.iter().map(|x| guess.words[*x].clone());
                        self.generators[generator].options = words.collect();
                        break;
                    }
                    Look::Done => {
                        if let Some(heaps) = guess.refuted_by(meter)? {
                            let place = |heap: &usize| self.place(*heap);
                            let heap = heaps.into_iter().filter(|heap| place(heap).is_err()).max();
                            let Some(heap) = heap else {
                                return Ok(Found::Refused);
                            };
                            let options = guess.options_of[heap].clone();
                            self.insert(heap, &options, &guess);
                            break;
                        }
                        if checked.is_none_or(|checked| checked.below < length)
                            && guess.loses_no_win(meter)?
                        {
                            *checked = Some(Checked {
                                below: length,
                                order: guess.words.len(),
                                lost: guess.lost.iter().filter(|lost| **lost).count(),
                            });
                        }
                    }
                }
                let needed = shown(&guess.elements)
                    .and_then(|law| Some((law, method.values_needed(law)?)))
                    .filter(|(law, needed)| law.saltus == 0 && *needed <= most);
                match needed {
                    Some((law, needed)) if needed <= length => {
                        let length = usize::try_from(law.preperiod + law.period);
                        let law = Periodic {
                            preperiod: law.preperiod,
                            period: law.period,
                            saltus: 0,
                            values: guess.elements[..length.expect("in memory")].to_vec(),
                        };
                        let law = Law::Misere(Misere {
                            labels: law,
                            monoid: Monoid::Quotient(guess.quotient()),
                        });
                        return match proof::certify(ruleset, law, window(method), meter) {
                            Ok(proved) => Ok(Found::Proved(Box::new(proved))),
                            Err(Refusal::Undecided(limit)) => Err(limit.into()),
                            Err(_) => Ok(Found::Refused),
                        };
                    }
                    Some((_, needed)) => length = needed,
                    None if length >= most => return Ok(Found::Nothing),
                    None => length = (length + length / 2).min(most),
                }
            }
        }
    }

    /// The place of a heap among the generators, or where it would be.
    fn place(&self, heap: usize) -> Result<usize, usize> {
        self.generators
            .binary_search_by_key(&heap, |other| other.heap)
    }

    /// Adds an essential heap with options of these elements.
    fn insert(&mut self, heap: usize, options: &BTreeSet<usize>, guess: &Guess) {
        let (Ok(place) | Err(place)) = self.place(heap);
        for later in &mut self.generators[place..] {
            for word in &mut later.options {
                word.insert(place, 0);
            }
        }
        let words = options.iter().map(|x| guess.words[*x][..place].to_vec());
        self.generators.insert(
            place,
            Generator {
                heap,
                most: 1,
                options: words.collect(),
            },
        );
    }

    /// The quotient of the sums of the generators, with exponents no larger than matter.
    fn guess(&mut self, meter: &mut Meter) -> Result<Option<Guess>, Limit> {
        for generator in &mut self.generators {
            generator.most += self.slack;
        }
        loop {
            let Some(guess) = Guess::new(&self.generators, meter)? else {
                return Ok(None);
            };
            let mut settled = true;
            for (place, generator) in self.generators.iter_mut().enumerate() {
                let least = guess.settles(place);
                if least + 2 > generator.most {
                    // Nothing was seen beyond: look further.
                    settled = false;
                    generator.most += 2;
                }
            }
            if settled {
                for (place, generator) in self.generators.iter_mut().enumerate() {
                    generator.most = guess.settles(place) + 1;
                }
                return Guess::new(&self.generators, meter);
            }
        }
    }

    /// Finds the elements of heaps until there are `count`.
    fn look(&self, guess: &mut Guess, count: usize, meter: &mut Meter) -> Result<Look, Limit> {
        while guess.elements.len() < count {
            let heap = guess.elements.len();
            let mut options = BTreeSet::new();
            let visited = self.options.visit(heap, meter, &mut |parts| {
                let parts = parts.iter().map(|part| guess.element(*part));
                options.insert(parts.fold(0, |x, y| guess.product(x, y)));
            })?;
            if visited.is_none() {
                return Ok(Look::NotSmaller);
            }
            let place = self.place(heap);
            let element = if let Ok(place) = place {
                let thought = self.generators[place]
                    .options
                    .iter()
                    .map(|word| guess.of_word(word));
                if thought.collect::<BTreeSet<usize>>() != options {
                    return Ok(Look::Options(place, options));
                }
                Some(guess.of_generator(place))
            } else {
                let element = guess.like(&options, meter)?;
                // The element must be a product of elements of smaller heaps.
                let (Ok(place) | Err(place)) = place;
                element.filter(|x| guess.words[*x][place..].iter().all(|power| *power == 0))
            };
            match element {
                Some(element) => {
                    guess.elements.push(element as u64);
                    guess.options_of.push(options);
                }
                None => return Ok(Look::Essential(heap, options)),
            }
        }
        Ok(Look::Done)
    }
}

/// A quotient of the sums of some heaps, right or wrong.
struct Guess {
    /// For each generator the largest exponent.
    most: Vec<u32>,
    /// By how much the number of a vector grows with each exponent. A vector is less than another one
    /// if it is so at the last exponent where they differ.
    strides: Vec<usize>,
    /// The options of all vectors, one after the other, and where those of each begin.
    options: Vec<u32>,
    starts: Vec<usize>,
    /// The element of each vector.
    classes: Vec<u32>,
    /// The least vector of each element, as exponents.
    words: Vec<Vec<u32>>,
    products: Vec<u32>,
    lost: Vec<bool>,
    /// The elements by which elements they are lost together with.
    by_losses: HashMap<Vec<bool>, usize>,
    /// The elements found for sets of options.
    found: HashMap<BTreeSet<usize>, Option<usize>>,
    /// The element of each heap.
    elements: Vec<u64>,
    /// The elements of its options.
    options_of: Vec<BTreeSet<usize>>,
}

/// A sum as far as it matters in larger ones: its element, whether it has no move, and for each
/// element whether together they are won, but by no move in this sum.
type Gap = (usize, bool, Vec<bool>);

impl Guess {
    fn new(generators: &[Generator], meter: &mut Meter) -> Result<Option<Self>, Limit> {
        let most: Vec<u32> = generators.iter().map(|g| g.most).collect();
        let mut strides = Vec::new();
        let mut count = 1usize;
        for most in &most {
            strides.push(count);
            count = count.saturating_mul(*most as usize + 1);
        }
        if count > MOST_VECTORS {
            return Ok(None);
        }
        let mut guess = Self {
            most,
            strides,
            options: Vec::new(),
            starts: vec![0],
            classes: Vec::new(),
            words: Vec::new(),
            products: Vec::new(),
            lost: Vec::new(),
            by_losses: HashMap::new(),
            found: HashMap::new(),
            elements: Vec::new(),
            options_of: Vec::new(),
        };
        guess.list_options(generators, count, meter)?;
        let outcomes = guess.outcomes(None, meter)?;
        guess.identify(&outcomes, meter)?;
        if !guess.multiply(&outcomes, meter)? {
            return Ok(None);
        }
        Ok(Some(guess))
    }

    fn exponents(&self, vector: usize) -> Vec<u32> {
        let pairs = self.strides.iter().zip(&self.most);
        pairs
            .map(|(stride, most)| {
                let exponent = vector / stride % (*most as usize + 1);
                u32::try_from(exponent).expect("no more than the most")
            })
            .collect()
    }

    fn vector(&self, exponents: impl IntoIterator<Item = u32>) -> usize {
        let places = exponents.into_iter().zip(&self.most).zip(&self.strides);
        places
            .map(|((exponent, most), stride)| {
                let over = exponent.saturating_sub(*most);
                // Beyond the most, in steps of two.
                (exponent - over.next_multiple_of(2)) as usize * stride
            })
            .sum()
    }

    fn list_options(
        &mut self,
        generators: &[Generator],
        count: usize,
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        for vector in 0..count {
            let exponents = self.exponents(vector);
            for (place, generator) in generators.iter().enumerate() {
                if exponents[place] == 0 {
                    continue;
                }
                meter.spend(generator.options.len() as u64 * 4)?;
                meter.allocate(generator.options.len() as u64 * 4)?;
                for word in &generator.options {
                    let left = exponents.iter().enumerate().map(|(at, exponent)| {
                        let more = word.get(at).copied().unwrap_or(0);
                        exponent + more - u32::from(at == place)
                    });
                    let option = self.vector(left);
                    self.options
                        .push(u32::try_from(option).expect("few vectors"));
                }
            }
            let start = self.starts[vector];
            self.options[start..].sort_unstable();
            self.starts.push(self.options.len());
        }
        meter.allocate(64 * count as u64)
    }

    /// The outcomes of all vectors, alone or together with a heap: whether they are lost. `wins` tells for each
    /// element whether a move in the heap wins beside it, and whether it has a move at all.
    fn outcomes(
        &self,
        wins: Option<(&[bool], bool)>,
        meter: &mut Meter,
    ) -> Result<Vec<bool>, Limit> {
        let count = self.starts.len() - 1;
        let mut lost = vec![false; count];
        meter.spend((count + self.options.len()) as u64 / 2)?;
        for vector in 0..count {
            let options = &self.options[self.starts[vector]..self.starts[vector + 1]];
            let moves = !options.is_empty() || wins.is_some_and(|(_, moves)| moves);
            let in_heap = wins.is_some_and(|(wins, _)| wins[self.classes[vector] as usize]);
            let in_vector = || options.iter().any(|option| lost[*option as usize]);
            lost[vector] = moves && !in_heap && !in_vector();
        }
        Ok(lost)
    }

    /// The number of the vector with one more of a generator.
    fn next(&self, vector: usize, place: usize) -> usize {
        let (stride, most) = (self.strides[place], self.most[place] as usize);
        if vector / stride % (most + 1) == most {
            vector - stride
        } else {
            vector + stride
        }
    }

    /// The coarsest congruence that keeps outcomes apart.
    fn identify(&mut self, lost: &[bool], meter: &mut Meter) -> Result<(), Limit> {
        let count = lost.len();
        let mut classes: Vec<u32> = lost.iter().map(|lost| u32::from(*lost)).collect();
        let mut order = 0;
        loop {
            meter.spend((count * (1 + self.most.len())) as u64)?;
            let mut names: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut refined = Vec::with_capacity(count);
            for vector in 0..count {
                let mut key = vec![classes[vector]];
                key.extend((0..self.most.len()).map(|place| classes[self.next(vector, place)]));
                let name = u32::try_from(names.len()).expect("few vectors");
                refined.push(*names.entry(key).or_insert(name));
            }
            let refined_order = names.len();
            classes = refined;
            if refined_order == order {
                break;
            }
            order = refined_order;
        }
        self.classes = classes;
        Ok(())
    }

    /// Fills the table of products; `false` if there are too many elements.
    fn multiply(&mut self, lost: &[bool], meter: &mut Meter) -> Result<bool, Limit> {
        for (vector, class) in self.classes.iter().enumerate() {
            // Classes are named in the order of their least vectors.
            if *class as usize == self.words.len() {
                self.words.push(self.exponents(vector));
                self.lost.push(lost[vector]);
            }
        }
        let order = self.words.len();
        if order > MOST_ELEMENTS {
            return Ok(false);
        }
        meter.spend((order * order * (1 + self.most.len())) as u64)?;
        meter.allocate((order * order * 8) as u64)?;
        let mut products = Vec::with_capacity(order * order);
        for x in &self.words {
            for y in &self.words {
                let vector = self.vector(x.iter().zip(y).map(|(a, b)| a + b));
                products.push(self.classes[vector]);
            }
        }
        self.products = products;
        for x in 0..order {
            let losses = (0..order).map(|y| self.lost[self.product(x, y)]).collect();
            self.by_losses.insert(losses, x);
        }
        Ok(true)
    }

    fn product(&self, x: usize, y: usize) -> usize {
        self.products[x * self.words.len() + y] as usize
    }

    /// The element of a heap that was looked at.
    fn element(&self, heap: usize) -> usize {
        usize::try_from(self.elements[heap]).expect("elements are numbered in memory")
    }

    fn of_word(&self, word: &[u32]) -> usize {
        self.classes[self.vector(word.iter().copied())] as usize
    }

    fn of_generator(&self, place: usize) -> usize {
        self.classes[self.strides[place]] as usize
    }

    /// The least exponent of a generator from which on only the parity matters.
    fn settles(&self, place: usize) -> u32 {
        let element = |exponent: u32| {
            let vector = exponent as usize * self.strides[place];
            self.classes[vector]
        };
        let most = self.most[place];
        let least = (0..most.saturating_sub(1)).find(|e| element(*e) == element(e + 2));
        least.unwrap_or(most)
    }

    /// The element that stands for a heap with options of these elements, if one does.
    fn like(
        &mut self,
        options: &BTreeSet<usize>,
        meter: &mut Meter,
    ) -> Result<Option<usize>, Limit> {
        if let Some(found) = self.found.get(options) {
            return Ok(*found);
        }
        let order = self.words.len();
        meter.spend((order * options.len()) as u64)?;
        let wins = self.wins(options);
        let outcomes = self.outcomes(Some((&wins, !options.is_empty())), meter)?;
        let mut losses: Vec<Option<bool>> = vec![None; order];
        let mut agrees = true;
        for (class, lost) in self.classes.iter().zip(&outcomes) {
            agrees &= *losses[*class as usize].get_or_insert(*lost) == *lost;
        }
        let losses: Option<Vec<bool>> = losses.into_iter().collect();
        let found = losses.filter(|_| agrees);
        let found = found.and_then(|losses| self.by_losses.get(&losses).copied());
        meter.allocate(64 + 16 * options.len() as u64)?;
        self.found.insert(options.clone(), found);
        Ok(found)
    }

    /// For each element whether some option of these elements is lost beside it.
    fn wins(&self, options: &BTreeSet<usize>) -> Vec<bool> {
        (0..self.words.len())
            .map(|y| options.iter().any(|x| self.lost[self.product(*x, y)]))
            .collect()
    }

    /// Heaps whose sum has another outcome than their elements say, if those looked at are not yet
    /// decided rightly; see the theorem in `grundy_certificate::misere::quotient`.
    fn refuted_by(&self, meter: &mut Meter) -> Result<Option<Vec<usize>>, Limit> {
        let order = self.words.len();
        let gap = |x: usize, options: &BTreeSet<usize>| -> Gap {
            let wins = (0..).zip(self.wins(options));
            let gap = wins.map(|(z, wins)| !wins && !self.lost[self.product(x, z)]);
            (x, options.is_empty(), gap.collect())
        };
        let mut parts: BTreeMap<Gap, usize> = BTreeMap::new();
        for (heap, options) in self.options_of.iter().enumerate() {
            meter.spend((order * options.len()) as u64)?;
            parts
                .entry(gap(self.element(heap), options))
                .or_insert(heap);
        }
        let empty = gap(0, &BTreeSet::new());
        let mut known: BTreeMap<Gap, Option<(Gap, usize)>> =
            BTreeMap::from([(empty.clone(), None)]);
        let mut open = vec![empty];
        while let Some(sum) = open.pop() {
            let (x, ends, gap) = &sum;
            if gap[0] != *ends {
                let mut heaps = Vec::new();
                let mut at = &sum;
                while let Some((smaller, heap)) = &known[at] {
                    heaps.push(*heap);
                    at = smaller;
                }
                return Ok(Some(heaps));
            }
            meter.spend((parts.len() * order) as u64)?;
            for ((y, part_ends, part_gap), heap) in &parts {
                let larger =
                    (0..order).map(|z| gap[self.product(z, *y)] && part_gap[self.product(z, *x)]);
                let larger: Gap = (self.product(*x, *y), *ends && *part_ends, larger.collect());
                let is_done = !larger.1 && !larger.2.contains(&true);
                if !is_done && !known.contains_key(&larger) {
                    meter.allocate(2 * order as u64 + 64)?;
                    known.insert(larger.clone(), Some((sum.clone(), *heap)));
                    open.push(larger);
                }
            }
        }
        Ok(None)
    }

    /// Whether no move in a heap that was looked at leads from a lost sum to a lost one: the other half of
    /// what decides all sums of these heaps.
    fn loses_no_win(&self, meter: &mut Meter) -> Result<bool, Limit> {
        let heaps: BTreeSet<_> = self.elements.iter().zip(&self.options_of).collect();
        for (element, options) in heaps {
            meter.spend((self.words.len() * options.len()) as u64)?;
            let element = usize::try_from(*element).expect("elements are numbered in memory");
            let mut wins = (0..).zip(self.wins(options));
            if wins.any(|(z, wins)| wins && self.lost[self.product(element, z)]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The quotient, for a certificate.
    fn quotient(&self) -> Quotient {
        let order = self.words.len();
        let triangle = (0..order).flat_map(|x| (0..=x).map(move |y| (x, y)));
        let lost = (0u64..).zip(&self.lost).filter(|(_, lost)| **lost);
        Quotient {
            order: order as u64,
            products: triangle.map(|(x, y)| self.product(x, y) as u64).collect(),
            lost: lost.map(|(x, _)| x).collect(),
        }
    }
}
