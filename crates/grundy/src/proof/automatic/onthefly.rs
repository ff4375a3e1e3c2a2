//! The second procedure: whether one machine accepts only what others do, decided while it is read.
//!
//! Nothing is built beforehand and nothing is minimised. A pair holds a state of the left machine and the set of *all* states
//! that the right ones can then be in, so where the left one accepts and no member does, the word that led there is a
//! counterexample. A pair whose set contains another one's with the same left state needs no visit: what it cannot
//! accept, the other one cannot either. This is the antichain method of De Wulf, Doyen, Henzinger and Raskin (2006),
//! *Antichains: a new algorithm for checking universality of finite automata*.
//!
//! Where all pairs are visited they are an invariant that the checker verifies. Most members of most sets are not needed
//! for that. So the sets are made anew from behind: one accepting member where the left machine accepts, and one
//! member from which each needed successor comes.

use std::collections::VecDeque;

use grundy_automata::{Limit, Meter};
use grundy_certificate::automatic::{
    Automaton, Invariant, Language, Machine, Obligation, Order, State, Zero,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What became of an implication.
pub(super) enum Searched {
    /// It holds.
    Holds(Invariant),
    /// The left machine accepts this word, given by the digits of all tracks, and the right ones do not.
    Fails(Vec<Vec<u32>>),
}

/// The letters of so many tracks, by their digits.
pub(super) fn words(radix: u32, tracks: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::with_capacity(tracks)];
    for _ in 0..tracks {
        all = all
            .iter()
            .flat_map(|word| {
                (0..radix).map(move |digit| {
                    let mut longer = Vec::with_capacity(tracks);
                    longer.extend_from_slice(word);
                    longer.push(digit);
                    longer
                })
            })
            .collect();
    }
    all
}

/// The states of some machines that read common tracks, and each its own further ones.
struct Rights<'r> {
    machines: &'r [(Machine, usize)],
    language: &'r Language,
    /// Letters of the further tracks, by machine.
    further: Vec<Vec<Vec<u32>>>,
    /// What each machine sees of a common letter.
    views: Vec<Vec<u32>>,
    states: Vec<(usize, State)>,
    numbers: FxHashMap<(usize, State), u32>,
    next: FxHashMap<(u32, u32), Vec<u32>>,
    /// Whether a state accepts, or leads to acceptance by zeros of the common tracks: then how.
    ends: FxHashMap<u32, End>,
}

/// What zeros of the common tracks can do for a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It accepts.
    Here,
    /// A letter of the further tracks leads to a state that can accept.
    By(usize, u32),
    /// They never lead to acceptance.
    Never,
}

const ZEROS: usize = 0;

/// A state, and from which earlier place of a list and by which letter it comes.
type Origin = (u32, Option<(usize, usize)>);

impl<'r> Rights<'r> {
    fn new(machines: &'r [(Machine, usize)], words: &[Vec<u32>], language: &'r Language) -> Self {
        let radix = language.numeration.radix();
        let view = |(machine, _): &(Machine, usize)| {
            let see = |word: &Vec<u32>| {
                let tracks = machine.reads().iter().take_while(|at| **at < word.len());
                tracks.fold(0, |view, track| view * radix + word[*track])
            };
            words.iter().map(see).collect()
        };
        Self {
            further: machines
                .iter()
                .map(|(_, tracks)| self::words(radix, *tracks))
                .collect(),
            views: machines.iter().map(view).collect(),
            machines,
            language,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            next: FxHashMap::default(),
            ends: FxHashMap::default(),
        }
    }

    fn number(&mut self, machine: usize, state: State) -> u32 {
        let states = &mut self.states;
        *self
            .numbers
            .entry((machine, state))
            .or_insert_with_key(|(machine, state)| {
                states.push((*machine, state.clone()));
                u32::try_from(states.len() - 1).expect("fewer states than memory has bytes")
            })
    }

    fn starts(&mut self) -> Vec<u32> {
        let mut all = Vec::new();
        for at in 0..self.machines.len() {
            if let Some(state) = self.machines[at].0.start(self.language) {
                all.push(self.number(at, state));
            }
        }
        all
    }

    fn accepts(&self, state: u32) -> bool {
        let (machine, state) = &self.states[state as usize];
        self.machines[*machine].0.accepts(state, self.language)
    }

    fn step(&mut self, state: u32, word: &[u32], further: usize) -> Option<u32> {
        let (machine, from) = &self.states[state as usize];
        let machine = *machine;
        let all = [word, self.further[machine][further].as_slice()].concat();
        let next = self.machines[machine].0.step(from, &all, self.language)?;
        Some(self.number(machine, next))
    }

    /// The states to which a letter leads, ascending.
    fn successors(
        &mut self,
        state: u32,
        letter: usize,
        word: &[u32],
        meter: &mut Meter,
    ) -> Result<&[u32], Limit> {
        let machine = self.states[state as usize].0;
        let key = (state, self.views[machine][letter]);
        if !self.next.contains_key(&key) {
            let count = self.further[machine].len();
            meter.spend(4 * count as u64)?;
            let mut found: Vec<u32> = (0..count)
                .filter_map(|further| self.step(state, word, further))
                .collect();
            found.sort_unstable();
            found.dedup();
            self.next.insert(key, found);
        }
        Ok(&self.next[&key])
    }

    /// Whether the words may end here, or be continued by zeros of the common tracks to such an end.
    fn ends(&mut self, state: u32, zeros: &[u32], meter: &mut Meter) -> Result<bool, Limit> {
        if let Some(known) = self.ends.get(&state) {
            return Ok(*known != End::Never);
        }
        // Breadth first, with where each state comes from.
        let mut from: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
        let mut queue = vec![state];
        let mut at = 0;
        while at < queue.len() {
            let here = queue[at];
            at += 1;
            let known = self.ends.get(&here).is_some_and(|end| *end != End::Never);
            if known || self.accepts(here) {
                self.ends.entry(here).or_insert(End::Here);
                let mut later = here;
                while let Some((before, further)) = from.get(&later).copied() {
                    self.ends.insert(before, End::By(further, later));
                    later = before;
                }
                return Ok(true);
            }
            let count = self.further[self.states[here as usize].0].len();
            meter.spend(4 * count as u64)?;
            for further in 0..count {
                if let Some(next) = self.step(here, zeros, further)
                    && next != state
                    && !from.contains_key(&next)
                    && self.ends.get(&next) != Some(&End::Never)
                {
                    from.insert(next, (here, further));
                    queue.push(next);
                }
            }
        }
        for state in queue {
            self.ends.insert(state, End::Never);
        }
        Ok(false)
    }

    /// All states that zeros of the common tracks reach, and by which earlier place of the list and which letter.
    #[allow(clippy::type_complexity)] // a list of states with their origins
    fn after_zeros(
        &mut self,
        zeros: &[u32],
        meter: &mut Meter,
    ) -> Result<Vec<(u32, Option<(usize, usize)>)>, Limit> {
        let mut all: Vec<(u32, Option<(usize, usize)>)> = self
            .starts()
            .into_iter()
            .map(|state| (state, None))
            .collect();
        let mut seen: FxHashSet<u32> = all.iter().map(|(state, _)| *state).collect();
        let mut at = 0;
        while at < all.len() {
            let state = all[at].0;
            let count = self.further[self.states[state as usize].0].len();
            meter.spend(4 * count as u64)?;
            for further in 0..count {
                if let Some(next) = self.step(state, zeros, further)
                    && seen.insert(next)
                {
                    all.push((next, Some((at, further))));
                }
            }
            at += 1;
        }
        Ok(all)
    }
}

/// A left state and a set of right ones.
struct Pair {
    left: u32,
    members: Vec<u32>,
    /// From which pair and by which letter it was first met.
    from: Option<(usize, usize)>,
    /// The pair that makes this one needless.
    replaced: Option<usize>,
    /// By letter: the pair that is met.
    to: Vec<Option<usize>>,
}

struct Search<'s> {
    obligation: &'s Obligation,
    language: &'s Language,
    words: Vec<Vec<u32>>,
    left: Vec<State>,
    numbers: FxHashMap<State, u32>,
    next: Vec<Vec<Option<u32>>>,
    rights: Rights<'s>,
    pairs: Vec<Pair>,
    /// The pairs in use, by left state.
    of_left: Vec<Vec<usize>>,
    msd: bool,
}

/// Decides whether an implication holds.
pub(super) fn search(
    obligation: &Obligation,
    language: &Language,
    meter: &mut Meter,
) -> Result<Searched, Limit> {
    let words = words(language.numeration.radix(), obligation.tracks);
    let mut search = Search {
        obligation,
        language,
        left: Vec::new(),
        numbers: FxHashMap::default(),
        next: Vec::new(),
        rights: Rights::new(&obligation.right, &words, language),
        words,
        pairs: Vec::new(),
        of_left: Vec::new(),
        msd: language.order == Order::MostSignificantFirst,
    };
    let Some(start) = obligation.left.start(language) else {
        return Ok(Searched::Holds(Invariant::default()));
    };
    let start = search.number(start);
    let zeros = search.words[ZEROS].clone();
    let origins = if search.msd {
        search.rights.after_zeros(&zeros, meter)?
    } else {
        let starts = search.rights.starts();
        starts.into_iter().map(|state| (state, None)).collect()
    };
    let mut members: Vec<u32> = origins.iter().map(|(state, _)| *state).collect();
    members.sort_unstable();
    search.add(start, members, None);
    let mut at = 0;
    while at < search.pairs.len() {
        if search.pairs[at].replaced.is_none() && !search.visit(at, meter)? {
            return Ok(Searched::Fails(search.word(at)));
        }
        at += 1;
    }
    let invariant = search.invariant(&origins, meter)?;
    Ok(Searched::Holds(invariant))
}

impl Search<'_> {
    fn number(&mut self, state: State) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = u32::try_from(self.left.len()).expect("fewer states than memory has bytes");
        self.numbers.insert(state.clone(), number);
        self.left.push(state);
        self.next.push(Vec::new());
        self.of_left.push(Vec::new());
        number
    }

    fn add(&mut self, left: u32, members: Vec<u32>, from: Option<(usize, usize)>) -> usize {
        let new = self.pairs.len();
        let of_left = &mut self.of_left[left as usize];
        let pairs = &mut self.pairs;
        of_left.retain(|old| {
            let needless = is_subset(&members, &pairs[*old].members);
            if needless {
                pairs[*old].replaced = Some(new);
            }
            !needless
        });
        of_left.push(new);
        pairs.push(Pair {
            left,
            members,
            from,
            replaced: None,
            to: Vec::new(),
        });
        new
    }

    /// The letters that led to a pair.
    fn word(&self, mut at: usize) -> Vec<Vec<u32>> {
        let mut word = Vec::new();
        while let Some((before, letter)) = self.pairs[at].from {
            word.push(self.words[letter].clone());
            at = before;
        }
        word.reverse();
        word
    }

    fn ends(&mut self, member: u32, meter: &mut Meter) -> Result<bool, Limit> {
        if self.msd {
            Ok(self.rights.accepts(member))
        } else {
            self.rights.ends(member, &self.words[ZEROS], meter)
        }
    }

    /// Looks where a pair leads; false if it is a counterexample.
    fn visit(&mut self, at: usize, meter: &mut Meter) -> Result<bool, Limit> {
        let left = self.pairs[at].left;
        let members = self.pairs[at].members.clone();
        let state = self.left[left as usize].clone();
        if self.obligation.left.accepts(&state, self.language) {
            let mut ends = false;
            for member in &members {
                ends = ends || self.ends(*member, meter)?;
            }
            if !ends {
                return Ok(false);
            }
        }
        if self.next[left as usize].is_empty() {
            meter.spend(self.words.len() as u64)?;
            let mut row = Vec::with_capacity(self.words.len());
            for letter in 0..self.words.len() {
                let word = &self.words[letter];
                let next = self.obligation.left.step(&state, word, self.language);
                row.push(next.map(|next| self.number(next)));
            }
            self.next[left as usize] = row;
        }
        let mut to = Vec::with_capacity(self.words.len());
        for letter in 0..self.words.len() {
            let Some(next) = self.next[left as usize][letter] else {
                to.push(None);
                continue;
            };
            let mut after: Vec<u32> = Vec::new();
            for member in &members {
                let word = &self.words[letter];
                after.extend(self.rights.successors(*member, letter, word, meter)?);
            }
            meter.spend(1 + after.len() as u64 / 4)?;
            after.sort_unstable();
            after.dedup();
            let known = self.of_left[next as usize].iter().copied();
            let mut known = known.filter(|pair| is_subset(&self.pairs[*pair].members, &after));
            to.push(Some(match known.next() {
                Some(known) => known,
                None => {
                    if self.pairs.len() >= meter.budget().states {
                        return Err(Limit::States(meter.budget().states));
                    }
                    self.add(next, after, Some((at, letter)))
                }
            }));
        }
        self.pairs[at].to = to;
        Ok(true)
    }

    fn current(&self, mut at: usize) -> usize {
        while let Some(by) = self.pairs[at].replaced {
            at = by;
        }
        at
    }

    /// By pair: the one in use that serves for it. Of two pairs with the same left state the one that needs less serves
    /// for both; it may itself be served by one more.
    fn serving(&self, needed: &[Vec<u32>]) -> Vec<usize> {
        let mut serves: Vec<usize> = (0..self.pairs.len()).map(|at| self.current(at)).collect();
        for all in &self.of_left {
            let mut all = all.clone();
            all.sort_by_key(|at| needed[*at].len());
            for (place, pair) in all.iter().enumerate() {
                let less = all[..place].iter().copied().find(|less| {
                    serves[*less] == *less && is_subset(&needed[*less], &needed[*pair])
                });
                if let Some(less) = less {
                    serves[*pair] = less;
                }
            }
        }
        serves
    }

    /// The invariant, with the members that are needed.
    fn invariant(&mut self, origins: &[Origin], meter: &mut Meter) -> Result<Invariant, Limit> {
        let mut needed = self.needed(meter)?;
        let serves = self.serving(&needed);
        let serve = |at: usize| serves[serves[at]];
        // What the start leads to, breadth first.
        let mut order = vec![serve(0)];
        let mut met = FxHashSet::from_iter([serve(0)]);
        let mut at = 0;
        while at < order.len() {
            for next in self.pairs[order[at]].to.iter().flatten() {
                let next = serve(*next);
                if met.insert(next) {
                    order.push(next);
                }
            }
            at += 1;
        }
        let mut invariant = Invariant::default();
        let mut lefts: FxHashMap<u32, usize> = FxHashMap::default();
        let mut rights: FxHashMap<u32, usize> = FxHashMap::default();
        let mut right = |state: u32, invariant: &mut Invariant, states: &[(usize, State)]| {
            *rights.entry(state).or_insert_with(|| {
                invariant.right.push(states[state as usize].clone());
                invariant.right.len() - 1
            })
        };
        let states = &self.rights.states;
        let mut accepting = Vec::new();
        for pair in &order {
            let left = self.pairs[*pair].left;
            let left = *lefts.entry(left).or_insert_with(|| {
                invariant.left.push(self.left[left as usize].clone());
                invariant.left.len() - 1
            });
            let state = &invariant.left[left];
            if self.obligation.left.accepts(state, self.language) {
                accepting.push(*pair);
            }
            let mut members: Vec<usize> = needed[*pair]
                .iter()
                .map(|member| right(*member, &mut invariant, states))
                .collect();
            members.sort_unstable();
            invariant.pairs.push((left, members));
        }
        if self.msd {
            let mut wanted = vec![false; origins.len()];
            let start = std::mem::take(&mut needed[serve(0)]);
            for (place, (state, by)) in origins.iter().enumerate().rev() {
                wanted[place] |= start.contains(state);
                if let (true, Some((before, _))) = (wanted[place], by) {
                    wanted[*before] = true;
                }
            }
            let mut listed = vec![0; origins.len()];
            for (place, (state, by)) in origins.iter().enumerate() {
                if wanted[place] {
                    listed[place] = invariant.zeros.len();
                    let state = right(*state, &mut invariant, states);
                    let by = by.map(|(before, further)| (listed[before], further));
                    invariant.zeros.push(Zero { state, by });
                }
            }
        } else {
            let mut listed: FxHashMap<u32, usize> = FxHashMap::default();
            for pair in accepting {
                for member in &needed[pair] {
                    // Down to what accepts, then back.
                    let mut chain = Vec::new();
                    let mut here = *member;
                    while !listed.contains_key(&here) {
                        let end = self.rights.ends.get(&here).copied();
                        let by = match end {
                            Some(End::By(further, next)) => Some((further, next)),
                            Some(End::Here) => None,
                            Some(End::Never) | None => break,
                        };
                        chain.push((here, by));
                        match by {
                            Some((_, next)) => here = next,
                            None => break,
                        }
                    }
                    for (here, by) in chain.into_iter().rev() {
                        let state = right(here, &mut invariant, states);
                        let by = by.map(|(further, next)| (listed[&next], further));
                        listed.insert(here, invariant.zeros.len());
                        invariant.zeros.push(Zero { state, by });
                    }
                }
            }
        }
        Ok(invariant)
    }

    /// For each pair, members that suffice: where the left machine accepts, one that accepts; and one from which each
    /// member comes that is needed after a letter.
    fn needed(&mut self, meter: &mut Meter) -> Result<Vec<Vec<u32>>, Limit> {
        let count = self.pairs.len();
        let mut needed: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
        let mut queue = VecDeque::new();
        for (at, needed) in needed.iter_mut().enumerate() {
            if self.pairs[at].replaced.is_some() {
                continue;
            }
            for letter in 0..self.pairs[at].to.len() {
                if let Some(next) = self.pairs[at].to[letter] {
                    let next = self.current(next);
                    self.pairs[at].to[letter] = Some(next);
                    before[next].push((at, letter));
                }
            }
            let state = &self.left[self.pairs[at].left as usize];
            if self.obligation.left.accepts(state, self.language) {
                for member in self.pairs[at].members.clone() {
                    if self.ends(member, meter)? {
                        needed.push(member);
                        queue.push_back(at);
                        break;
                    }
                }
            }
        }
        let mut waiting = vec![false; count];
        for at in &queue {
            waiting[*at] = true;
        }
        while let Some(at) = queue.pop_front() {
            waiting[at] = false;
            for (from, letter) in before[at].clone() {
                let word = self.words[letter].clone();
                for wanted in needed[at].clone() {
                    let comes = |members: &[u32], rights: &mut Rights, meter: &mut Meter| {
                        for member in members {
                            let after = rights.successors(*member, letter, &word, meter)?;
                            if after.binary_search(&wanted).is_ok() {
                                return Ok::<_, Limit>(Some(*member));
                            }
                        }
                        Ok(None)
                    };
                    meter.spend(1)?;
                    if comes(&needed[from], &mut self.rights, meter)?.is_some() {
                        continue;
                    }
                    let members = self.pairs[from].members.clone();
                    let member = comes(&members, &mut self.rights, meter)?;
                    let member = member.expect("every member comes from one before");
                    let place = needed[from].partition_point(|other| *other < member);
                    needed[from].insert(place, member);
                    if !waiting[from] {
                        waiting[from] = true;
                        queue.push_back(from);
                    }
                }
            }
        }
        Ok(needed)
    }
}

/// Whether one ascending list holds all of another.
fn is_subset(part: &[u32], whole: &[u32]) -> bool {
    if part.len() > whole.len() {
        return false;
    }
    let mut rest = whole.iter();
    part.iter().all(|member| rest.any(|other| other == member))
}

/// The automaton that accepts what one of some machines does, for some further numbers.
pub(super) fn determinised(
    machines: &[(Machine, usize)],
    tracks: usize,
    language: &Language,
    meter: &mut Meter,
) -> Result<Automaton, Limit> {
    let words = words(language.numeration.radix(), tracks);
    let mut rights = Rights::new(machines, &words, language);
    let msd = language.order == Order::MostSignificantFirst;
    let mut start: Vec<u32> = if msd {
        let all = rights.after_zeros(&words[ZEROS], meter)?;
        all.into_iter().map(|(state, _)| state).collect()
    } else {
        rights.starts()
    };
    start.sort_unstable();
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    let (mut table, mut accepting) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < sets.len() {
        let set = sets[at].clone();
        at += 1;
        let mut accepts = false;
        for member in &set {
            accepts = accepts
                || if msd {
                    rights.accepts(*member)
                } else {
                    rights.ends(*member, &words[ZEROS], meter)?
                };
        }
        accepting.push(accepts);
        for (letter, word) in words.iter().enumerate() {
            let mut after = Vec::new();
            for member in &set {
                after.extend(rights.successors(*member, letter, word, meter)?);
            }
            meter.spend(1 + after.len() as u64)?;
            after.sort_unstable();
            after.dedup();
            let fresh = u32::try_from(sets.len()).expect("fewer sets than memory has bytes");
            let number = *numbers.entry(after.clone()).or_insert(fresh);
            if number == fresh {
                if sets.len() >= meter.budget().states {
                    return Err(Limit::States(meter.budget().states));
                }
                sets.push(after);
            }
            table.push(number);
        }
    }
    Ok(Automaton {
        tracks,
        table,
        accepting,
    })
}
