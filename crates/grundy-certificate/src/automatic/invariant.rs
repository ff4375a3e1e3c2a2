//! What shows that an implication holds for all numbers, and how it is verified: by looking at each entry once.
//!
//! A pair `(l, S)` says: after some digits of the tracks that both sides read, the left machine is in state `l`, and each
//! state of `S` is one that the right machines can be in, for some digits of their further tracks. Let the start be
//! such a pair, and let there be for each pair and each letter, unless the left machine can then accept nothing any more,
//! a pair `(l', S')` of the left successor and of successors of members of `S`. Let `S` hold an accepting state wherever `l`
//! accepts. Then by induction on words whatever the left machine accepts, some right one does with further numbers.
//! With no right machine that says that nothing is accepted.
//!
//! **Numbers may be longer than the others.** Further numbers may need more digits than those that both sides speak of, which
//! then have zeros there. Most significant digit first, these zeros come before everything: the start may have any states that
//! the right machines reach by letters in which both sides' tracks are zero. Least significant first they come after
//! everything: a state accepts too if it leads to an accepting one by such letters. The `zeros` of an invariant
//! say how.

use std::collections::{BTreeMap, HashMap};

use grundy_rules::Meter;

use super::machine::{Language, Machine, State, letters};
use super::numeration::Order;
use super::obligations::Obligation;
use crate::refusal::{Falsehood, Stop};

/// What shows that an implication holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// States of the left machine.
    pub left: Vec<State>,
    /// States of the right machines, with the number of the machine.
    pub right: Vec<(usize, State)>,
    /// A left state, and right ones, ascending. The first pair is the start.
    pub pairs: Vec<(usize, Vec<usize>)>,
    /// How zeros lead to right states, most significant digit first, or from them to acceptance.
    pub zeros: Vec<Zero>,
}

/// A right state that is met at one end of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zero {
    /// The right state.
    pub state: usize,
    /// The earlier entry of the list from which it comes, or to which it leads, and by which digits of the further tracks;
    /// `None` for the start of its machine, or where it accepts.
    pub by: Option<(usize, usize)>,
}

/// The digits of a letter.
pub(crate) fn digits(letter: usize, radix: u32, tracks: usize) -> Vec<u32> {
    let mut rest = letter;
    let mut digits = vec![0; tracks];
    for digit in digits.iter_mut().rev() {
        *digit = u32::try_from(rest % radix as usize).expect("less than the radix");
        rest /= radix as usize;
    }
    digits
}

/// Verifies that an invariant shows an implication. `number` is its place among the obligations.
pub(crate) fn verify(
    number: usize,
    obligation: &Obligation,
    invariant: &Invariant,
    language: &Language,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let wrong = || Stop::from(Falsehood::Invariant { obligation: number });
    let Some(start) = obligation.left.start(language) else {
        return Ok(());
    };
    let check = Check::new(obligation, invariant, language).ok_or_else(wrong)?;
    let (first, members) = invariant.pairs.first().ok_or_else(wrong)?;
    if invariant.left[*first] != start {
        return Err(wrong());
    }
    let msd = language.order == Order::MostSignificantFirst;
    let at_zeros = check.zeros(meter)?.ok_or_else(wrong)?;
    let begins = |member: &usize| {
        if msd {
            at_zeros[*member]
        } else {
            check.starts(*member)
        }
    };
    if !members.iter().all(begins) {
        return Err(wrong());
    }
    let mut of_left: BTreeMap<usize, Vec<&[usize]>> = BTreeMap::new();
    for (left, members) in &invariant.pairs {
        of_left.entry(*left).or_default().push(members);
        if obligation.left.accepts(&invariant.left[*left], language) {
            let ends = |member: &usize| {
                if msd {
                    check.accepts(*member)
                } else {
                    at_zeros[*member]
                }
            };
            if !members.iter().any(ends) {
                return Err(wrong());
            }
        }
    }
    check.closed(&of_left, meter)?.ok_or_else(wrong)
}

struct Check<'c> {
    obligation: &'c Obligation,
    invariant: &'c Invariant,
    language: &'c Language,
    radix: u32,
    left: HashMap<&'c [i64], usize>,
    right: HashMap<(usize, &'c [i64]), usize>,
}

impl<'c> Check<'c> {
    /// `None` where the invariant speaks of states that cannot be.
    fn new(
        obligation: &'c Obligation,
        invariant: &'c Invariant,
        language: &'c Language,
    ) -> Option<Self> {
        let Invariant {
            left,
            right,
            pairs,
            zeros,
        } = invariant;
        let fits = left
            .iter()
            .all(|state| obligation.left.admits(state, language))
            && right.iter().all(|(at, state)| {
                let machine = obligation.right.get(*at);
                machine.is_some_and(|(machine, _)| machine.admits(state, language))
            })
            && pairs.iter().all(|(at, members)| {
                *at < left.len() && members.iter().all(|member| *member < right.len())
            })
            && zeros.iter().all(|zero| zero.state < right.len());
        fits.then(|| Self {
            obligation,
            invariant,
            language,
            radix: language.numeration.radix(),
            left: left.iter().map(AsRef::as_ref).zip(0..).collect(),
            right: right
                .iter()
                .map(|(at, state)| (*at, state.as_ref()))
                .zip(0..)
                .collect(),
        })
    }

    fn machine(&self, member: usize) -> (&'c Machine, usize, &'c State) {
        let (at, state) = &self.invariant.right[member];
        let (machine, further) = &self.obligation.right[*at];
        (machine, *further, state)
    }

    fn starts(&self, member: usize) -> bool {
        let (machine, _, state) = self.machine(member);
        machine.start(self.language).as_ref() == Some(state)
    }

    fn accepts(&self, member: usize) -> bool {
        let (machine, _, state) = self.machine(member);
        machine.accepts(state, self.language)
    }

    /// For which right states the zeros say how they are met; `None` where what they say is false.
    fn zeros(&self, meter: &mut Meter) -> Result<Option<Vec<bool>>, Stop> {
        let msd = self.language.order == Order::MostSignificantFirst;
        let mut known = vec![false; self.invariant.right.len()];
        for (place, zero) in self.invariant.zeros.iter().enumerate() {
            meter.spend(1)?;
            let good = match zero.by {
                None if msd => self.starts(zero.state),
                None => self.accepts(zero.state),
                Some((other, letter)) => {
                    if other >= place {
                        return Ok(None);
                    }
                    let other = self.invariant.zeros[other].state;
                    let (from, to) = if msd {
                        (other, zero.state)
                    } else {
                        (zero.state, other)
                    };
                    let (machine, further, state) = self.machine(from);
                    let letters = letters(self.radix, further);
                    if letters.is_none_or(|letters| letter >= letters) {
                        return Ok(None);
                    }
                    let mut word = vec![0; self.obligation.tracks];
                    word.extend(digits(letter, self.radix, further));
                    let next = machine.step(state, &word, self.language);
                    let target = &self.invariant.right[to];
                    self.invariant.right[from].0 == target.0 && next.as_ref() == Some(&target.1)
                }
            };
            if !good {
                return Ok(None);
            }
            known[zero.state] = true;
        }
        Ok(Some(known))
    }

    /// Whether there is a pair for each pair and letter; `None` if not.
    fn closed(
        &self,
        of_left: &BTreeMap<usize, Vec<&[usize]>>,
        meter: &mut Meter,
    ) -> Result<Option<()>, Stop> {
        let tracks = self.obligation.tracks;
        let Some(count) = letters(self.radix, tracks) else {
            return Ok(None);
        };
        let words: Vec<Vec<u32>> = (0..count)
            .map(|letter| digits(letter, self.radix, tracks))
            .collect();
        // The successors of each right state, by what its machine reads of a letter.
        let mut after: HashMap<(usize, Vec<u32>), Vec<usize>> = HashMap::new();
        let mut reached = vec![usize::MAX; self.invariant.right.len()];
        let mut stamp = 0;
        for (left, pairs) in of_left {
            let state = &self.invariant.left[*left];
            for word in &words {
                meter.spend(1)?;
                let Some(next) = self.obligation.left.step(state, word, self.language) else {
                    continue;
                };
                let targets = self.left.get(next.as_ref()).and_then(|at| of_left.get(at));
                let Some(targets) = targets else {
                    return Ok(None);
                };
                for members in pairs {
                    stamp += 1;
                    for member in *members {
                        for next in self.successors(*member, word, &mut after, meter)? {
                            reached[*next] = stamp;
                        }
                    }
                    let mut cost = 0;
                    let covered = targets.iter().any(|target| {
                        target.iter().all(|member| {
                            cost += 1;
                            reached[*member] == stamp
                        })
                    });
                    meter.spend(cost / 8)?;
                    if !covered {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(()))
    }

    /// The listed successors of a right state, whatever the further digits are.
    fn successors<'a>(
        &self,
        member: usize,
        word: &[u32],
        after: &'a mut HashMap<(usize, Vec<u32>), Vec<usize>>,
        meter: &mut Meter,
    ) -> Result<&'a [usize], Stop> {
        let (machine, further, state) = self.machine(member);
        let seen = machine.reads().iter().filter(|track| **track < word.len());
        let seen: Vec<u32> = seen.map(|track| word[*track]).collect();
        let key = (member, seen);
        if !after.contains_key(&key) {
            let Some(count) = letters(self.radix, further) else {
                return Ok(&[]);
            };
            let mut found = Vec::new();
            for letter in 0..count {
                meter.spend(1)?;
                let all = [word, digits(letter, self.radix, further).as_slice()].concat();
                if let Some(next) = machine.step(state, &all, self.language) {
                    let at = self.invariant.right[member].0;
                    found.extend(self.right.get(&(at, next.as_ref())).copied());
                }
            }
            found.sort_unstable();
            found.dedup();
            meter.allocate(64 + 8 * found.len() as u64)?;
            after.insert(key.clone(), found);
        }
        Ok(&after[&key])
    }
}

impl Invariant {
    /// All that it says as one list of naturals.
    pub(crate) fn to_numbers(&self) -> Vec<u64> {
        let mut all = vec![
            self.left.len() as u64,
            self.right.len() as u64,
            self.pairs.len() as u64,
            self.zeros.len() as u64,
        ];
        // Column by column, as a column holds numbers of one kind.
        let columns = |all: &mut Vec<u64>, states: &[&State]| {
            let width = states.iter().map(|state| state.len()).max().unwrap_or(0);
            for column in 0..width {
                all.extend(
                    states
                        .iter()
                        .filter_map(|state| state.get(column).map(|n| zigzag(*n))),
                );
            }
        };
        columns(&mut all, &self.left.iter().collect::<Vec<_>>());
        let right: Vec<&State> = self.right.iter().map(|(_, state)| state).collect();
        all.extend(self.right.iter().map(|(machine, _)| *machine as u64));
        columns(&mut all, &right);
        all.extend(self.pairs.iter().map(|(left, _)| *left as u64));
        all.extend(self.pairs.iter().map(|(_, members)| members.len() as u64));
        for (_, members) in &self.pairs {
            let mut before = 0;
            for member in members {
                all.push((*member - before) as u64);
                before = *member;
            }
        }
        for zero in &self.zeros {
            all.push(zero.state as u64);
            match zero.by {
                None => all.push(0),
                Some((other, letter)) => all.extend([other as u64 + 1, letter as u64]),
            }
        }
        all
    }

    /// What numbers say about these machines; `None` if they say nothing.
    pub(crate) fn from_numbers(numbers: &[u64], obligation: &Obligation) -> Option<Self> {
        let mut rest = numbers.iter().copied();
        let most = numbers.len();
        let mut count = || {
            let count = usize::try_from(rest.next()?).ok()?;
            (count <= most).then_some(count)
        };
        let (left, right, pairs, zeros) = (count()?, count()?, count()?, count()?);
        let width = obligation.left.width();
        let mut next = || rest.next();
        let columns = |widths: &[usize], next: &mut dyn FnMut() -> Option<u64>| {
            let mut states: Vec<Vec<i64>> = vec![Vec::new(); widths.len()];
            let widest = widths.iter().copied().max().unwrap_or(0);
            for column in 0..widest {
                for (state, width) in states.iter_mut().zip(widths) {
                    if column < *width {
                        state.push(unzigzag(next()?));
                    }
                }
            }
            Some(
                states
                    .into_iter()
                    .map(Vec::into_boxed_slice)
                    .collect::<Vec<State>>(),
            )
        };
        let left = columns(&vec![width; left], &mut next)?;
        let mut machines = Vec::with_capacity(right);
        for _ in 0..right {
            machines.push(usize::try_from(next()?).ok()?);
        }
        let widths: Option<Vec<usize>> = machines
            .iter()
            .map(|at| Some(obligation.right.get(*at)?.0.width()))
            .collect();
        let states = columns(&widths?, &mut next)?;
        let mut lefts = Vec::with_capacity(pairs);
        let mut lengths = Vec::with_capacity(pairs);
        for list in [&mut lefts, &mut lengths] {
            for _ in 0..pairs {
                list.push(usize::try_from(next()?).ok()?);
            }
        }
        let mut all = Vec::with_capacity(pairs);
        for (left, length) in lefts.into_iter().zip(lengths) {
            let mut members: Vec<usize> = Vec::new();
            let mut before = 0usize;
            for _ in 0..length {
                before = before.checked_add(usize::try_from(next()?).ok()?)?;
                members.push(before);
            }
            all.push((left, members));
        }
        let mut listed = Vec::with_capacity(zeros);
        for _ in 0..zeros {
            let state = usize::try_from(next()?).ok()?;
            let by = match usize::try_from(next()?).ok()? {
                0 => None,
                other => Some((other - 1, usize::try_from(next()?).ok()?)),
            };
            listed.push(Zero { state, by });
        }
        next().is_none().then_some(Self {
            left,
            right: machines.into_iter().zip(states).collect(),
            pairs: all,
            zeros: listed,
        })
    }
}

fn zigzag(n: i64) -> u64 {
    (n.cast_unsigned() << 1) ^ (n >> 63).cast_unsigned()
}

fn unzigzag(n: u64) -> i64 {
    (n >> 1).cast_signed() ^ -((n & 1).cast_signed())
}
