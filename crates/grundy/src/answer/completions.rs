//! The tuples of a relation of which some numbers are given: how many there are, and which.
//!
//! The given digits turn the automaton into a network of as many layers as there are digits, of which each is as wide as
//! there are states. Numbers of a thousand digits cost some thousand layers.

use grundy_automata::{DigitOrder, Limit, Meter, Relation, State};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The completions of a tuple that is given in part.
pub(crate) struct Completions<'r> {
    relation: &'r Relation,
    given: Vec<Option<BigUint>>,
    /// The digits of what is given by place, the least significant first.
    digits: Vec<Option<Vec<u32>>>,
    /// The letters of what is not given.
    free: Vec<Vec<u32>>,
    length: usize,
    /// Whether a state can be met with so many places left, the least significant ones.
    ///
    /// Most significant first a state is met on the way from the start; here it is one from which what is left can lead
    /// to acceptance. Least significant first it is one to which what is left can lead.
    alive: Vec<Vec<bool>>,
}

impl<'r> Completions<'r> {
    /// The tuples with these numbers. There must be one place for each track, and only finitely many completions.
    pub(crate) fn new(
        relation: &'r Relation,
        given: Vec<Option<BigUint>>,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let system = &relation.encoding().system;
        let written: Vec<Option<Vec<u32>>> = given
            .iter()
            .map(|number| number.as_ref().map(|number| system.digits(number)))
            .collect();
        let longest = written.iter().flatten().map(Vec::len).max().unwrap_or(0);
        // A longer word has a loop among its most significant letters, and with it there are infinitely many.
        let length = longest + relation.automaton().states();
        let digits = written.into_iter().map(|digits| {
            digits.map(|mut digits| {
                digits.reverse();
                digits.resize(length, 0);
                digits
            })
        });
        let digits: Vec<Option<Vec<u32>>> = digits.collect();
        let radix = system.radix();
        let free = digits.iter().fold(vec![Vec::new()], |all, given| {
            let longer = |word: &Vec<u32>| {
                let digits = if given.is_some() { 0..1 } else { 0..radix };
                let word = word.clone();
                digits.map(move |digit| [word.as_slice(), &[digit]].concat())
            };
            all.iter().flat_map(longer).collect::<Vec<_>>()
        });
        let mut completions = Self {
            relation,
            given,
            digits,
            free,
            length,
            alive: Vec::new(),
        };
        completions.find_alive(meter)?;
        Ok(completions)
    }

    fn order(&self) -> DigitOrder {
        self.relation.encoding().order
    }

    /// The letters at a place, counted from the least significant, where a track may be held to a digit.
    fn letters(&self, place: usize, held: Option<(usize, u32)>) -> impl Iterator<Item = u32> + '_ {
        let radix = self.relation.encoding().system.radix();
        let wanted = move |word: &&Vec<u32>| held.is_none_or(|(track, digit)| word[track] == digit);
        self.free.iter().filter(wanted).map(move |word| {
            let tracks = word.iter().zip(&self.digits);
            tracks.fold(0, |letter, (free, given)| {
                letter * radix + given.as_ref().map_or(*free, |digits| digits[place])
            })
        })
    }

    fn find_alive(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        let automaton = self.relation.automaton();
        let states = automaton.states();
        let first: Vec<bool> = match self.order() {
            DigitOrder::Msd => automaton.accepting().to_vec(),
            DigitOrder::Lsd => (0..states).map(|state| state == 0).collect(),
        };
        self.alive.push(first);
        for place in 0..self.length {
            meter.spend((states * self.free.len()) as u64)?;
            let last = &self.alive[place];
            let mut next = vec![false; states];
            for letter in self.letters(place, None) {
                for state in 0..states {
                    let target = automaton.next(index(state), letter) as usize;
                    match self.order() {
                        DigitOrder::Msd => next[state] |= last[target],
                        DigitOrder::Lsd => next[target] |= last[state],
                    }
                }
            }
            self.alive.push(next);
        }
        Ok(())
    }

    /// The states with which all places are left.
    fn top(&self) -> Vec<State> {
        let automaton = self.relation.automaton();
        let alive = &self.alive[self.length];
        let all = (0..index(automaton.states())).filter(|state| alive[*state as usize]);
        match self.order() {
            DigitOrder::Msd => all.filter(|state| *state == 0).collect(),
            DigitOrder::Lsd => all.filter(|state| automaton.is_accepting(*state)).collect(),
        }
    }

    /// The states after the digit of a track at the highest of the places that are left.
    fn step(&self, states: &[State], left: usize, track: usize, digit: u32) -> Vec<State> {
        let automaton = self.relation.automaton();
        let alive = &self.alive[left - 1];
        let mut after = Vec::new();
        for letter in self.letters(left - 1, Some((track, digit))) {
            match self.order() {
                DigitOrder::Msd => {
                    let next = states.iter().map(|state| automaton.next(*state, letter));
                    after.extend(next.filter(|state| alive[*state as usize]));
                }
                DigitOrder::Lsd => after.extend((0..index(automaton.states())).filter(|state| {
                    alive[*state as usize] && states.contains(&automaton.next(*state, letter))
                })),
            }
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    /// Whether there is one.
    pub(crate) fn exists(&self) -> bool {
        !self.top().is_empty()
    }

    /// How many there are.
    pub(crate) fn count(&self, meter: &mut Meter) -> Result<BigUint, Limit> {
        let automaton = self.relation.automaton();
        let states = automaton.states();
        let is_start = |state: usize| match self.order() {
            DigitOrder::Msd => automaton.is_accepting(index(state)),
            DigitOrder::Lsd => state == 0,
        };
        let one = |holds| {
            if holds {
                BigUint::one()
            } else {
                BigUint::zero()
            }
        };
        let mut ways: Vec<BigUint> = (0..states).map(|state| one(is_start(state))).collect();
        for place in 0..self.length {
            meter.spend((states * self.free.len()) as u64 * (1 + place as u64 / 64))?;
            let mut next = vec![BigUint::zero(); states];
            for letter in self.letters(place, None) {
                for state in 0..states {
                    let target = automaton.next(index(state), letter) as usize;
                    match self.order() {
                        DigitOrder::Msd => next[state] += &ways[target],
                        DigitOrder::Lsd => next[target] += &ways[state],
                    }
                }
            }
            ways = next;
        }
        Ok(self
            .top()
            .into_iter()
            .map(|state| &ways[state as usize])
            .sum())
    }

    /// The numbers of a track, ascending, each once.
    pub(crate) fn numbers(self, track: usize) -> Numbers<'r> {
        Numbers {
            completions: self,
            track,
            path: Vec::new(),
            begun: false,
        }
    }

    /// The numbers of these tracks that are lexicographically least.
    pub(crate) fn least(
        self,
        tracks: &[usize],
        meter: &mut Meter,
    ) -> Result<Option<Vec<BigUint>>, Limit> {
        let (relation, mut given) = (self.relation, self.given.clone());
        let mut least = Vec::with_capacity(tracks.len());
        let mut completions = self;
        for track in tracks {
            let Some(number) = completions.numbers(*track).next() else {
                return Ok(None);
            };
            given[*track] = Some(number.clone());
            least.push(number);
            completions = Self::new(relation, given.clone(), meter)?;
        }
        Ok(completions.exists().then_some(least))
    }
}

/// The numbers of one track, ascending.
pub(crate) struct Numbers<'r> {
    completions: Completions<'r>,
    track: usize,
    /// The digits chosen, from the most significant, with the states before each.
    path: Vec<(Vec<State>, u32)>,
    begun: bool,
}

impl Numbers<'_> {
    /// Goes down from these states by the least digits, of which the first is at least `from`; whether that is
    /// possible.
    fn descend(&mut self, mut states: Vec<State>, mut from: u32) -> bool {
        let radix = self.completions.relation.encoding().system.radix();
        while self.path.len() < self.completions.length {
            let left = self.completions.length - self.path.len();
            let found = (from..radix).find_map(|digit| {
                let after = self.completions.step(&states, left, self.track, digit);
                (!after.is_empty()).then_some((digit, after))
            });
            let Some((digit, after)) = found else {
                return false;
            };
            self.path.push((states, digit));
            states = after;
            from = 0;
        }
        true
    }
}

impl Iterator for Numbers<'_> {
    type Item = BigUint;

    fn next(&mut self) -> Option<BigUint> {
        if self.begun {
            loop {
                let (states, digit) = self.path.pop()?;
                if self.descend(states, digit + 1) {
                    break;
                }
            }
        } else {
            self.begun = true;
            let top = self.completions.top();
            if top.is_empty() || !self.descend(top, 0) {
                return None;
            }
        }
        let digits: Vec<u32> = self.path.iter().map(|(_, digit)| *digit).collect();
        let system = &self.completions.relation.encoding().system;
        Some(system.number(&digits))
    }
}

fn index(state: usize) -> State {
    State::try_from(state).expect("states are numbered in 32 bits")
}
