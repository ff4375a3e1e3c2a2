//! A finite monoid by generators and relations, as the literature prints misère quotients.

use std::collections::BTreeMap;

use grundy_certificate::{Misere, Monoid, Quotient};

/// A product of powers of generators: the exponent of each, the last one positive.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(pub Vec<u32>);

impl Word {
    fn exponent(&self, generator: usize) -> u32 {
        self.0.get(generator).copied().unwrap_or(0)
    }

    fn times(&self, generator: usize) -> Self {
        let mut exponents = self.0.clone();
        if exponents.len() <= generator {
            exponents.resize(generator + 1, 0);
        }
        exponents[generator] += 1;
        Self(exponents)
    }

    fn divides(&self, other: &Self) -> bool {
        (0..self.0.len()).all(|g| self.exponent(g) <= other.exponent(g))
    }
}

/// The quotient of a law by generators and relations.
///
/// The generators are the elements of those heaps, in order, that no product of elements of
/// smaller heaps has, without those that are products of other generators. Of all words for an element the one shown is the least, where words are compared by
/// the exponents of the last generators first; the relations are those of the reduced Gröbner basis in that
/// order, so that a word is one of those shown exactly if no left side divides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The heap of each generator.
    pub generators: Vec<u64>,
    /// The word of each element.
    pub words: Vec<Word>,
    /// Which words are replaced by which.
    pub relations: Vec<(Word, Word)>,
    /// The words of the lost elements, ascending.
    pub lost: Vec<Word>,
    /// How many elements are products of elements of heaps.
    pub order: usize,
}

impl Presentation {
    /// The presentation of the quotient of a law; `None` for tame labels.
    pub fn of(law: &Misere) -> Option<Self> {
        let Monoid::Quotient(quotient) = &law.monoid else {
            return None;
        };
        let mut heaps: Vec<(u64, u64)> = Vec::new();
        let mut builder = Builder::new(quotient);
        for (heap, element) in (0u64..).zip(&law.labels.values) {
            if !builder.words.contains_key(element) {
                builder.add(heaps.len(), *element)?;
                heaps.push((heap, *element));
            }
        }
        for place in (0..heaps.len()).rev() {
            let mut others = heaps.clone();
            let (_, element) = others.remove(place);
            if Builder::with(quotient, &others)?
                .words
                .contains_key(&element)
            {
                heaps = others;
            }
        }
        let builder = Builder::with(quotient, &heaps)?;
        let mut words = vec![Word::default(); usize::try_from(quotient.order).ok()?];
        for (element, word) in &builder.words {
            *words.get_mut(usize::try_from(*element).ok()?)? = word.clone();
        }
        // Elements in `order` ascend as their words do.
        let lost = builder.order.iter();
        let lost = lost.filter(|element| quotient.lost.binary_search(element).is_ok());
        Some(Self {
            generators: heaps.into_iter().map(|(heap, _)| heap).collect(),
            lost: lost.map(|element| builder.words[element].clone()).collect(),
            words,
            relations: builder.relations,
            order: builder.order.len(),
        })
    }
}

struct Builder<'q> {
    quotient: &'q Quotient,
    words: BTreeMap<u64, Word>,
    /// The elements in the order of their words.
    order: Vec<u64>,
    relations: Vec<(Word, Word)>,
}

impl<'q> Builder<'q> {
    fn new(quotient: &'q Quotient) -> Self {
        Self {
            quotient,
            words: BTreeMap::from([(0, Word::default())]),
            order: vec![0],
            relations: Vec::new(),
        }
    }

    /// All products of the elements of these heaps.
    fn with(quotient: &'q Quotient, heaps: &[(u64, u64)]) -> Option<Self> {
        let mut builder = Self::new(quotient);
        for (generator, (_, element)) in heaps.iter().enumerate() {
            builder.add(generator, *element)?;
        }
        Some(builder)
    }

    /// Adds a generator behind all others: all words in which it occurs come after all
    /// in which it does not, by its exponent first.
    fn add(&mut self, generator: usize, element: u64) -> Option<()> {
        let mut last = self.order.clone();
        while !last.is_empty() {
            let mut next = Vec::new();
            for smaller in last {
                let word = self.words[&smaller].times(generator);
                if self.relations.iter().any(|(left, _)| left.divides(&word)) {
                    continue;
                }
                let product = self.quotient.product(smaller, element)?;
                if let Some(known) = self.words.get(&product) {
                    self.relations.push((word, known.clone()));
                } else {
                    self.words.insert(product, word);
                    self.order.push(product);
                    next.push(product);
                }
            }
            last = next;
        }
        Some(())
    }
}
