//! Complete deterministic automata: words in, yes or no out.

use rustc_hash::FxHashMap;

use crate::alphabet::{Alphabet, Letter};
use crate::error::Error;
use crate::meter::Meter;

/// A state of an automaton. State 0 is the start.
pub type State = u32;

/// A complete deterministic automaton over the letters of several tracks.
///
/// It knows words, not numbers. [`minimise`](Self::minimise) numbers the states in the order in which they are met,
/// breadth first and letters ascending, so that minimal automata of the same language are equal (`==`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    alphabet: Alphabet,
    /// The successor of state `s` by letter `l` at `s * letters + l`.
    table: Vec<State>,
    accepting: Vec<bool>,
}

impl Automaton {
    /// The automaton with this table: the successors of state 0 by each letter, then those of state 1, ….
    pub fn new(alphabet: Alphabet, table: Vec<State>, accepting: Vec<bool>) -> Result<Self, Error> {
        let states = accepting.len();
        let fits = states > 0
            && u32::try_from(states).is_ok()
            && states.checked_mul(alphabet.letters()) == Some(table.len())
            && table.iter().all(|&target| (target as usize) < states);
        fits.then_some(Self {
            alphabet,
            table,
            accepting,
        })
        .ok_or(Error::Table)
    }

    /// The automaton whose transitions a function gives, from state `0` of `states`.
    pub(crate) fn build(
        alphabet: Alphabet,
        accepting: Vec<bool>,
        next: impl Fn(State, &[u32]) -> State,
    ) -> Self {
        let mut table = Vec::with_capacity(accepting.len() * alphabet.letters());
        for state in 0..accepting.len() {
            for letter in 0..alphabet.letters() {
                let digits = alphabet.digits(index(letter));
                table.push(next(index(state), &digits));
            }
        }
        Self {
            alphabet,
            table,
            accepting,
        }
    }

    /// The automaton that accepts every word, or none.
    pub fn constant(alphabet: Alphabet, accepting: bool) -> Self {
        Self {
            table: vec![0; alphabet.letters()],
            alphabet,
            accepting: vec![accepting],
        }
    }

    /// The letters that it reads.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The state after reading one letter.
    pub fn next(&self, state: State, letter: Letter) -> State {
        self.table[state as usize * self.alphabet.letters() + letter as usize]
    }

    /// The successors of a state, by letter.
    pub fn row(&self, state: State) -> &[State] {
        let letters = self.alphabet.letters();
        &self.table[state as usize * letters..][..letters]
    }

    /// Whether a word that ends in this state is accepted.
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting[state as usize]
    }

    /// Which states accept.
    pub fn accepting(&self) -> &[bool] {
        &self.accepting
    }

    /// All successors, state by state.
    pub fn table(&self) -> &[State] {
        &self.table
    }

    /// Whether a word is accepted. A letter that is not of the alphabet is never accepted.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut state = 0;
        for &letter in word {
            if letter as usize >= self.alphabet.letters() {
                return false;
            }
            state = self.next(state, letter);
        }
        self.is_accepting(state)
    }

    /// The automaton of the words that this one does not accept.
    #[must_use]
    pub fn complement(mut self) -> Self {
        for accepting in &mut self.accepting {
            *accepting = !*accepting;
        }
        self
    }

    /// Whether nothing is accepted. Takes linear time; of a minimal automaton, none.
    pub fn is_empty(&self) -> bool {
        self.shortest().is_none()
    }

    /// Whether everything is accepted.
    pub fn is_universal(&self) -> bool {
        let reached = self.reachable();
        reached.iter().all(|&state| self.is_accepting(state))
    }

    /// The first accepted word in order of length, then of letters; `None` if there is none.
    pub fn shortest(&self) -> Option<Vec<Letter>> {
        self.shortest_to(|state| self.is_accepting(state))
    }

    fn shortest_to(&self, goal: impl Fn(State) -> bool) -> Option<Vec<Letter>> {
        let mut search = Search::new(self.states());
        let mut found = goal(0).then_some(0);
        search.visit(0, None);
        let mut at = 0;
        while found.is_none() && at < search.queue.len() {
            let state = search.queue[at];
            at += 1;
            for (letter, &target) in self.row(state).iter().enumerate() {
                if search.visit(target, Some((state, index(letter)))) && goal(target) {
                    found = Some(target);
                    break;
                }
            }
        }
        found.map(|state| search.word(state))
    }

    /// The states that some word reaches, breadth first.
    pub(crate) fn reachable(&self) -> Vec<State> {
        let mut seen = vec![false; self.states()];
        seen[0] = true;
        let mut queue = vec![0];
        let mut at = 0;
        while at < queue.len() {
            for &target in self.row(queue[at]) {
                if !seen[target as usize] {
                    seen[target as usize] = true;
                    queue.push(target);
                }
            }
            at += 1;
        }
        queue
    }

    /// For each state, `Some` of what every word from there is, where it is plain: a state that only leads to itself.
    pub(crate) fn sinks(&self) -> Vec<Option<bool>> {
        (0..self.states())
            .map(|state| {
                let state = index(state);
                self.row(state)
                    .iter()
                    .all(|&target| target == state)
                    .then(|| self.is_accepting(state))
            })
            .collect()
    }

    /// The words that both accept.
    pub fn intersection(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a && b, meter)
    }

    /// The words that at least one accepts.
    pub fn union(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a || b, meter)
    }

    /// The words that this one accepts and the other does not.
    pub fn difference(&self, other: &Self, meter: &mut Meter) -> Result<Self, Error> {
        self.product(other, |a, b| a && !b, meter)
    }

    /// The words whose two answers `keep` keeps. Both read the same alphabet.
    pub fn product(
        &self,
        other: &Self,
        keep: impl Fn(bool, bool) -> bool,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let tracks: Vec<usize> = (0..self.alphabet.tracks()).collect();
        self.join(&tracks, other, &tracks, &self.alphabet, keep, meter)
    }

    /// The words over `alphabet` whose two answers `keep` keeps, where track `i` of `self` is track `tracks[i]` of
    /// the alphabet, and track `i` of `other` is `other_tracks[i]`.
    ///
    /// Pairs of states whose answer is decided by one of the two, such as a dead state in an intersection, are one
    /// state: the product is as large as what is undecided.
    pub fn join(
        &self,
        tracks: &[usize],
        other: &Self,
        other_tracks: &[usize],
        alphabet: &Alphabet,
        keep: impl Fn(bool, bool) -> bool,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        let (left, right) = (
            self.views(tracks, alphabet)?,
            other.views(other_tracks, alphabet)?,
        );
        // Letters that act alike on both sides act alike: one of each kind is followed, and the others copy it.
        meter.spend((self.table.len() + other.table.len()) as u64)?;
        let (_, left_class) = self.letter_classes();
        let (_, right_class) = other.letter_classes();
        let mut kinds = FxHashMap::default();
        let mut followed = Vec::new();
        let kind_of: Vec<u32> = left
            .iter()
            .zip(&right)
            .map(|(&l, &r)| {
                let kind = (left_class[l as usize], right_class[r as usize]);
                *kinds.entry(kind).or_insert_with(|| {
                    followed.push((l, r));
                    index(followed.len() - 1)
                })
            })
            .collect();
        let (left_sinks, right_sinks) = (self.sinks(), other.sinks());
        // What the product answers from a pair on for ever, as far as the sinks tell.
        let decided = |p: State, q: State| {
            let (a, b) = (left_sinks[p as usize], right_sinks[q as usize]);
            let answers = |a: Option<bool>, b: Option<bool>| {
                let of = |side: Option<bool>| side.map_or([false, true], |side| [side, side]);
                let ([a0, a1], [b0, b1]) = (of(a), of(b));
                [keep(a0, b0), keep(a0, b1), keep(a1, b0), keep(a1, b1)]
            };
            let [first, rest @ ..] = answers(a, b);
            rest.iter().all(|&answer| answer == first).then_some(first)
        };
        let letters = alphabet.letters();
        let mut pairs = Pairs::new(self.states(), other.states());
        let mut table = Vec::new();
        let mut accepting = Vec::new();
        let mut reached = Vec::with_capacity(followed.len());
        pairs.state(decided(0, 0), 0, 0);
        while accepting.len() < pairs.list.len() {
            let at = accepting.len();
            meter.admit(pairs.list.len(), letters)?;
            meter.spend(letters as u64)?;
            match pairs.list[at] {
                Pair::Decided(answer) => {
                    table.resize(table.len() + letters, index(at));
                    accepting.push(answer);
                }
                Pair::Open(p, q) => {
                    let (p_row, q_row) = (self.row(p), other.row(q));
                    reached.clear();
                    for &(l, r) in &followed {
                        let (p, q) = (p_row[l as usize], q_row[r as usize]);
                        // Sinks are few: most pairs need no look at what they decide.
                        let sink =
                            left_sinks[p as usize].is_some() || right_sinks[q as usize].is_some();
                        let answer = if sink { decided(p, q) } else { None };
                        reached.push(pairs.state(answer, p, q));
                    }
                    table.extend(kind_of.iter().map(|&kind| reached[kind as usize]));
                    accepting.push(keep(self.is_accepting(p), other.is_accepting(q)));
                }
            }
        }
        Ok(Self {
            alphabet: alphabet.clone(),
            table,
            accepting,
        })
    }

    /// The automaton that reads its track `i` from track `tracks[i]` of a larger (or other) alphabet.
    ///
    /// A track that is named twice must show the same digit: the diagonal. A track that is not named is free.
    pub fn retrack(
        &self,
        tracks: &[usize],
        alphabet: &Alphabet,
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        self.expanded(alphabet, &self.views(tracks, alphabet)?, meter)
    }

    /// The automaton that reads letter `l` of `alphabet` as its own letter `as_own[l]`.
    pub(crate) fn expanded(
        &self,
        alphabet: &Alphabet,
        as_own: &[Letter],
        meter: &mut Meter,
    ) -> Result<Self, Error> {
        meter.admit(self.states(), as_own.len())?;
        meter.spend((self.states() * as_own.len()) as u64)?;
        let mut table = Vec::with_capacity(self.states() * as_own.len());
        for state in 0..self.states() {
            let row = self.row(index(state));
            table.extend(as_own.iter().map(|&letter| row[letter as usize]));
        }
        Ok(Self {
            alphabet: alphabet.clone(),
            table,
            accepting: self.accepting.clone(),
        })
    }

    /// For each letter of `alphabet` the letter that this automaton sees on its tracks.
    fn views(&self, tracks: &[usize], alphabet: &Alphabet) -> Result<Vec<Letter>, Error> {
        let seen = alphabet.select(tracks)?;
        if seen == self.alphabet {
            Ok(alphabet.views(tracks))
        } else {
            Err(Error::Radix)
        }
    }

    /// Whether both accept the same words; otherwise a shortest word that only one accepts.
    pub fn equivalent(
        &self,
        other: &Self,
        meter: &mut Meter,
    ) -> Result<Result<(), Vec<Letter>>, Error> {
        let difference = self.product(other, |a, b| a != b, meter)?;
        Ok(difference.shortest().map_or(Ok(()), Err))
    }

    /// Whether the other accepts every word that this one accepts; otherwise a shortest word that it does not.
    pub fn included_in(
        &self,
        other: &Self,
        meter: &mut Meter,
    ) -> Result<Result<(), Vec<Letter>>, Error> {
        let difference = self.difference(other, meter)?;
        Ok(difference.shortest().map_or(Ok(()), Err))
    }
}

/// A number of states or letters as one of them. Both are counted in 32 bits, by the limits on alphabets and tables.
pub(crate) fn index(number: usize) -> u32 {
    u32::try_from(number).expect("states and letters are numbered in 32 bits")
}

#[derive(Clone, Copy)]
enum Pair {
    Open(State, State),
    Decided(bool),
}

/// The pairs of states met so far, numbered.
struct Pairs {
    list: Vec<Pair>,
    numbers: Numbers,
    decided: [Option<State>; 2],
}

/// The number of each pair: in a table where that is small.
enum Numbers {
    /// By the first state and then the second of so many.
    Table(Vec<State>, usize),
    Map(FxHashMap<u64, State>),
}

/// How many pairs a table may hold.
const MOST_IN_TABLE: usize = 1 << 16;

/// What stands in a table for a pair that was not met.
const UNMET: State = State::MAX;

impl Pairs {
    /// Of automata with so many states.
    fn new(first: usize, second: usize) -> Self {
        let numbers = match first.checked_mul(second) {
            Some(all @ ..=MOST_IN_TABLE) => Numbers::Table(vec![UNMET; all], second),
            _ => Numbers::Map(FxHashMap::default()),
        };
        Self {
            list: Vec::new(),
            numbers,
            decided: [None; 2],
        }
    }

    fn state(&mut self, decided: Option<bool>, p: State, q: State) -> State {
        let new = index(self.list.len());
        if let Some(answer) = decided {
            let list = &mut self.list;
            return *self.decided[usize::from(answer)].get_or_insert_with(|| {
                list.push(Pair::Decided(answer));
                new
            });
        }
        let number = match &mut self.numbers {
            Numbers::Table(table, second) => &mut table[p as usize * *second + q as usize],
            Numbers::Map(map) => map
                .entry(u64::from(p) << 32 | u64::from(q))
                .or_insert(UNMET),
        };
        if *number == UNMET {
            self.list.push(Pair::Open(p, q));
            *number = new;
        }
        *number
    }
}

/// A breadth-first search that remembers how it came.
struct Search {
    queue: Vec<State>,
    came: Vec<Option<(State, Letter)>>,
    seen: Vec<bool>,
}

impl Search {
    fn new(states: usize) -> Self {
        Self {
            queue: Vec::new(),
            came: vec![None; states],
            seen: vec![false; states],
        }
    }

    fn visit(&mut self, state: State, from: Option<(State, Letter)>) -> bool {
        let new = !self.seen[state as usize];
        if new {
            self.seen[state as usize] = true;
            self.came[state as usize] = from;
            self.queue.push(state);
        }
        new
    }

    fn word(&self, mut state: State) -> Vec<Letter> {
        let mut word = Vec::new();
        while let Some((before, letter)) = self.came[state as usize] {
            word.push(letter);
            state = before;
        }
        word.reverse();
        word
    }
}
