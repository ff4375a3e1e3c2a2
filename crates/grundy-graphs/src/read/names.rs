//! The names of vertices, in one piece of memory.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::graph::{Vertex, number};

/// The names of vertices, and back from a name to its vertex.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    found: HashTable<Vertex>,
    /// The vertices whose names are small decimal numbers, counted from 1; 0 for none. Most large
    /// graphs have such names only.
    numbers: Vec<Vertex>,
    hasher: BuildHasherDefault<FxHasher>,
}

impl Names {
    /// These names, one for each vertex; where one stands again, it gets a sign behind it.
    ///
    /// # Panics
    ///
    /// Panics if there are more than vertices can be numbered.
    pub fn of_list(list: impl IntoIterator<Item = String>) -> Self {
        let mut names = Self::default();
        for mut name in list {
            while names.find(&name).is_some() {
                name.push('\'');
            }
            names.add(&name).expect("vertices are numbered in 32 bits");
        }
        names
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a vertex.
    pub fn of(&self, vertex: Vertex) -> &str {
        name(&self.text, &self.ends, vertex)
    }

    /// All names, in the order of their vertices.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..number(self.len())).map(|vertex| self.of(vertex))
    }

    /// The vertex of a name.
    pub fn find(&self, word: &str) -> Option<Vertex> {
        if let Some(number) = small_number(word)
            && let Some(vertex) = self.numbers.get(number).filter(|vertex| **vertex > 0)
        {
            return Some(vertex - 1);
        }
        let hash = self.hasher.hash_one(word);
        let is_it = |vertex: &Vertex| self.of(*vertex) == word;
        self.found.find(hash, is_it).copied()
    }

    /// The vertex of a name, which is a new one if the name is; `None` if there are too many.
    pub(crate) fn add(&mut self, word: &str) -> Option<Vertex> {
        let number = small_number(word);
        if let Some(place) = number.and_then(|number| self.numbers.get(number))
            && *place > 0
        {
            return Some(*place - 1);
        }
        let new = Vertex::try_from(self.len())
            .ok()
            .filter(|new| *new < Vertex::MAX - 1)?;
        let hash = self.hasher.hash_one(word);
        let (text, ends) = (&self.text, &self.ends);
        let is_it = |vertex: &Vertex| name(text, ends, *vertex) == word;
        if let Some(vertex) = self.found.find(hash, is_it) {
            return Some(*vertex);
        }
        self.text.push_str(word);
        self.ends.push(self.text.len());
        match number.filter(|number| *number < 4 * self.len() + 1024) {
            Some(number) => {
                if self.numbers.len() <= number {
                    self.numbers.resize((number + 1).next_power_of_two(), 0);
                }
                self.numbers[number] = new + 1;
            }
            None => {
                let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
                let rehash = |vertex: &Vertex| hasher.hash_one(name(text, ends, *vertex));
                self.found.insert_unique(hash, new, rehash);
            }
        }
        Some(new)
    }

    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        let words =
            8 * self.ends.capacity() + 4 * self.numbers.capacity() + 5 * self.found.capacity();
        (self.text.capacity() + words) as u64
    }
}

fn name<'t>(text: &'t str, ends: &[usize], vertex: Vertex) -> &'t str {
    let vertex = vertex as usize;
    let start = vertex.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[vertex]]
}

/// A number whose only decimal writing this is, if it is small.
fn small_number(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    if bytes.is_empty() || bytes.len() > 9 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes.iter().try_fold(0usize, |number, byte| {
        byte.is_ascii_digit()
            .then(|| 10 * number + usize::from(byte - b'0'))
    })
}
