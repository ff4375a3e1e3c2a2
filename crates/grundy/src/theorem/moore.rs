//! Moore's Nim: take from one to d heaps.

use std::cell::OnceCell;

use grundy_rules::eval::Env;
use grundy_rules::moves::{ComponentChange, Move};
use grundy_rules::options::options;
use grundy_rules::ruleset::{Alternative, Compound, Play};
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::{Components, Family, Game, Sample};
use crate::answer::few::options_to;
use crate::answer::{Knowledge, MoveSet, Reason};
use crate::count::bounded::{self, Order};
use crate::outcome::{Evidence, Outcome};
use crate::shape::{Code, Shape};

/// Moore's theorem.
pub(super) const MOORE: Family = Family {
    name: "Moore's Nim: take from up to d heaps",
    statement: "lost iff in each binary place the number of heaps with a 1 is divisible by d+1",
    citation: "Moore 1910, A generalization of the game called Nim",
    samples: &[
        Sample {
            rules: "compound selective up to 2; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[7]),
            up_to: 5,
        },
        Sample {
            rules: "compound selective up to 3; [n] -> [m] where m < n",
            components: Components::Box(&[4]),
            up_to: 5,
        },
        Sample {
            rules: "compound selective up to 1; [n] -> [m] where m < n",
            components: Components::Box(&[9]),
            up_to: 3,
        },
        Sample {
            rules: "compound selective; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[4]),
            up_to: 4,
        },
        Sample {
            rules: "compound selective up to 2; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[29]),
            up_to: 3,
        },
        Sample {
            rules: "compound selective up to 2; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[3]),
            up_to: 9,
        },
        Sample {
            rules: "compound selective up to 1; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[20]),
            up_to: 3,
        },
    ],
    recognise: |game| recognise(game, Play::Normal, MOORE.citation),
};

/// The same with the last player losing.
pub(super) const MISERE: Family = Family {
    name: "Moore's Nim, misère",
    statement: "lost iff some heap is above 1 and the position is lost in normal play, or none is and the \
                number of heaps of 1 leaves 1 on division by d+1",
    citation: MOORE.citation,
    samples: &[
        Sample {
            rules: "compound selective up to 2; play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[7]),
            up_to: 5,
        },
        Sample {
            rules: "compound selective up to 3; play misere; [n] -> [m] where m < n",
            components: Components::Box(&[4]),
            up_to: 5,
        },
        Sample {
            rules: "compound selective; play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[4]),
            up_to: 4,
        },
        Sample {
            rules: "compound selective up to 2; play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[29]),
            up_to: 3,
        },
        Sample {
            rules: "compound selective up to 2; play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[3]),
            up_to: 9,
        },
        Sample {
            rules: "compound selective up to 1; play misere; [n] -> [n-k] where k >= 1",
            components: Components::Box(&[22]),
            up_to: 3,
        },
    ],
    recognise: |game| recognise(game, Play::Misere, MISERE.citation),
};

fn recognise<'g>(
    game: &Game<'g, '_>,
    play: Play,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    let ruleset = game.ruleset();
    let Compound::Selective { scope, at_most } = &ruleset.compound else {
        return None;
    };
    if ruleset.play != play {
        return None;
    }
    let most = match at_most {
        None => None,
        Some(bound) => {
            let mut meter = Meter::new(Budget::default());
            let bound = Env::new(ruleset, scope, &[])
                .number(bound, &mut meter)
                .ok()??;
            Some(bound.to_usize().unwrap_or(usize::MAX)).filter(|most| *most >= 1)
        }
    };
    if at_most.is_some() && most.is_none() {
        return None;
    }
    // The options of one heap do not depend on how heaps are played together.
    let alone = Ruleset {
        compound: Compound::Disjunctive,
        ..ruleset.clone()
    };
    let any = Shape::of(&alone).code().and_then(Code::as_all_but)?;
    // One move for each smaller heap.
    let single = match ruleset.moves.as_slice() {
        [rule] => matches!(rule.alternatives.as_slice(), [Alternative::Sum(_)]),
        _ => false,
    };
    if !any.is_empty() || !single {
        return None;
    }
    let first = options(
        &alone,
        &heap(&2u8.into()),
        &mut Meter::new(Budget::default()),
    );
    let ascending = first.ok()?.first()?.result == [heap(&BigUint::zero())];
    Some(Box::new(Moore {
        alone,
        most,
        ascending,
        citation,
    }))
}

fn heap(n: &BigUint) -> Component {
    Component::of_numbers([n.clone()])
}

struct Moore {
    /// The rules for one heap.
    alone: Ruleset,
    /// From how many heaps may be taken, if that is bounded.
    most: Option<usize>,
    /// Whether choices ascend with what is left.
    ascending: bool,
    citation: &'static str,
}

impl Moore {
    fn position(&self, position: &Position) -> Option<Heaps> {
        let heaps: Option<Vec<BigUint>> = position
            .0
            .iter()
            .map(|component| component.as_heap().cloned())
            .collect();
        let heaps = heaps?;
        let most = self
            .most
            .unwrap_or(heaps.len().max(1))
            .min(heaps.len().max(1));
        // With fewer heaps than may be taken from, any larger modulus says the same.
        let modulus = self.most.map_or(most, |bound| bound.min(heaps.len() + 1)) + 1;
        let places = heaps.iter().map(BigUint::bits).max().unwrap_or(0).max(1);
        let mut ones = vec![0; usize::try_from(places).ok()?];
        for n in &heaps {
            for (place, count) in ones.iter_mut().enumerate() {
                *count += usize::from(n.bit(place as u64));
            }
        }
        Some(Heaps {
            large: heaps.iter().filter(|n| n.bits() > 1).count(),
            sizes: heaps,
            ones,
            most,
            modulus,
            misere: self.alone.play == Play::Misere,
        })
    }
}

/// A position in binary.
struct Heaps {
    sizes: Vec<BigUint>,
    /// For each place how many heaps have a 1 there.
    ones: Vec<usize>,
    /// How many heaps are above 1.
    large: usize,
    /// From how many heaps may be taken.
    most: usize,
    modulus: usize,
    misere: bool,
}

impl Heaps {
    fn is_lost(&self) -> bool {
        let odd_one = usize::from(self.misere && self.large == 0);
        self.ones[0] % self.modulus == odd_one
            && self.ones[1..].iter().all(|ones| ones % self.modulus == 0)
    }

    /// What the new numbers of these heaps have to be for the position to be lost.
    ///
    /// With all other heaps at most 1, the new ones cannot be above 1 either: they are fewer than the
    /// modulus. So the misère rule for small heaps applies iff it applies to the others.
    fn task(&self, chosen: &[usize]) -> Task {
        let bit = |index: &usize, place: usize| self.sizes[*index].bit(place as u64);
        let large = chosen.iter().filter(|i| self.sizes[**i].bits() > 1).count();
        let small = self.misere && self.large == large;
        let needed = (0..self.ones.len()).rev().map(|place| {
            let own = chosen.iter().filter(|index| bit(index, place)).count();
            let others = self.ones[place] - own + self.modulus;
            let wanted = usize::from(small && place == 0);
            (self.modulus + wanted - others % self.modulus) % self.modulus
        });
        let rows = (0..self.ones.len()).rev();
        Task {
            needed: needed.collect(),
            old: rows
                .map(|place| chosen.iter().map(|i| bit(i, place)).collect())
                .collect(),
            count: chosen.len(),
        }
    }
}

impl Heaps {
    /// Moore's construction of a winning move, from a position that is won and has a move: which heaps it
    /// lowers, and to what.
    ///
    /// From the highest place on, ones of heaps already lowered are set where they suffice for what
    /// is needed; otherwise surplus ones of other heaps are taken away, which lowers these heaps.
    fn construct(&self) -> (Vec<usize>, Vec<BigUint>) {
        let mut lowered: Vec<(usize, BigUint)> = Vec::new();
        for place in (0..self.ones.len()).rev() {
            let is_kept = |index: &usize| lowered.iter().all(|(i, _)| i != index);
            let ones: Vec<usize> = (0..self.sizes.len())
                .filter(|index| self.sizes[*index].bit(place as u64) && is_kept(index))
                .collect();
            let large = (0..self.sizes.len())
                .any(|index| is_kept(&index) && self.sizes[index].bits() > 1)
                || lowered.iter().any(|(_, n)| n.bits() > 1);
            let wanted = usize::from(self.misere && place == 0 && !large);
            let surplus = (ones.len() + self.modulus - wanted) % self.modulus;
            let missing = (self.modulus - surplus) % self.modulus;
            if missing <= lowered.len() {
                for (_, n) in lowered.iter_mut().take(missing) {
                    n.set_bit(place as u64, true);
                }
            } else {
                for index in ones.into_iter().take(surplus) {
                    let kept = (&self.sizes[index] >> (place + 1)) << (place + 1);
                    lowered.push((index, kept));
                }
            }
        }
        lowered.sort();
        lowered.into_iter().unzip()
    }
}

/// One move that wins, where the others are too many to look for.
struct Constructed(Move);

impl MoveSet<Move> for Constructed {
    fn count(&self) -> Option<BigUint> {
        None
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        Box::new(std::iter::once(self.0.clone()))
    }

    fn least(&self) -> Option<Move> {
        Some(self.0.clone())
    }
}

/// To find numbers below some heaps so that each place has the needed number of ones.
///
/// Places come from the highest to the lowest. A number is *tight* while it equals its heap in all
/// places so far; at the end none may be.
struct Task {
    /// How many ones are needed in each place.
    needed: Vec<usize>,
    /// The bits of the heaps, by place.
    old: Vec<Vec<bool>>,
    count: usize,
}

/// The largest number of heaps whose sets of tight ones are told apart.
const MOST_TOGETHER: usize = 10;

impl Task {
    /// In how many ways the numbers can be completed whose bits in the highest places are given:
    /// all bits of the first numbers, then some of the next.
    fn ways(&self, given: &[bool]) -> BigUint {
        let places = self.needed.len();
        let mut ways = vec![BigUint::zero(); 1 << self.count];
        let all = ways.len() - 1;
        ways[all] = BigUint::one();
        for place in 0..places {
            let mut next = vec![BigUint::zero(); ways.len()];
            for (tight, ways) in ways.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                self.step(place, tight, given, &mut |tight, free, ones| {
                    if let Some(left) = self.needed[place].checked_sub(ones) {
                        next[tight] += ways * binomial(free, left);
                    }
                });
            }
            ways = next;
        }
        ways.swap_remove(0)
    }

    /// Whether `ways` is positive.
    fn is_possible(&self, given: &[bool]) -> bool {
        let mut reached = vec![false; 1 << self.count];
        let all = reached.len() - 1;
        reached[all] = true;
        for place in 0..self.needed.len() {
            let mut next = vec![false; reached.len()];
            for tight in (0..reached.len()).filter(|tight| reached[*tight]) {
                self.step(place, tight, given, &mut |tight, free, ones| {
                    let needed = self.needed[place];
                    next[tight] |= ones <= needed && needed <= ones + free;
                });
            }
            if next.iter().all(|reached| !reached) {
                return false;
            }
            reached = next;
        }
        reached[0]
    }

    /// Calls `with` for each choice of the bits in one place that are given or of tight numbers: with the set of
    /// numbers that stay tight, how many bits are free, and how many of the others are ones.
    fn step(
        &self,
        place: usize,
        tight: usize,
        given: &[bool],
        with: &mut dyn FnMut(usize, usize, usize),
    ) {
        let places = self.needed.len();
        let (mut free, mut ones, mut still, mut open) = (0, 0, tight, Vec::new());
        for index in 0..self.count {
            let (old, is_tight) = (self.old[place][index], tight >> index & 1 == 1);
            match (given.get(index * places + place), is_tight) {
                (Some(bit), false) => ones += usize::from(*bit),
                (None, false) => free += 1,
                (Some(true), true) if !old => return,
                (Some(bit), true) => {
                    ones += usize::from(*bit);
                    if *bit != old {
                        still &= !(1 << index);
                    }
                }
                (None, true) => {
                    if old {
                        open.push(index);
                    }
                }
            }
        }
        for kept in 0..1usize << open.len() {
            let mut still = still;
            for (at, index) in open.iter().enumerate() {
                if kept >> at & 1 == 0 {
                    still &= !(1 << index);
                }
            }
            with(still, free, ones + kept.count_ones() as usize);
        }
    }

    /// Lengthens given bits to the first solution, where `first` is the bit to try first.
    fn complete(&self, given: &mut Vec<bool>, first: bool) {
        while given.len() < self.count * self.needed.len() {
            given.push(first);
            if !self.is_possible(given) {
                given.pop();
                given.push(!first);
            }
        }
    }

    /// The next solution in the order in which the bit `first` comes before the other.
    fn advance(&self, given: &mut Vec<bool>, first: bool) -> bool {
        while let Some(bit) = given.pop() {
            if bit == first {
                given.push(!first);
                if self.is_possible(given) {
                    self.complete(given, first);
                    return true;
                }
                given.pop();
            }
        }
        false
    }

    fn numbers(&self, given: &[bool]) -> Vec<BigUint> {
        let bits = given.chunks(self.needed.len());
        let number = |bits: &[bool]| {
            bits.iter()
                .fold(BigUint::zero(), |n, bit| (n << 1u8) + u8::from(*bit))
        };
        bits.map(number).collect()
    }
}

fn binomial(n: usize, k: usize) -> BigUint {
    if k > n {
        return BigUint::zero();
    }
    (0..k).fold(BigUint::one(), |product, i| product * (n - i) / (i + 1))
}

/// The most sets of heaps that are looked at; beyond, one winning move is constructed.
const MOST_SETS: usize = 1 << 16;

impl Knowledge for Moore {
    fn sums_in_box(
        &self,
        bounds: &[BigUint],
        value: &BigUint,
        order: Order,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        if !value.is_zero() {
            return Ok(None);
        }
        let most = self.most.unwrap_or(usize::MAX);
        bounded::lost(bounds, most, self.alone.play, order, meter).map(Some)
    }

    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: self.citation.to_owned(),
        }
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        Ok(self.position(position).map(|heaps| Reason::Columns {
            small_misere: heaps.misere && heaps.large == 0,
            modulus: heaps.modulus,
            ones: heaps.ones,
            heaps: heaps.sizes,
        }))
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        Ok(self.position(position).map(|heaps| {
            if heaps.is_lost() {
                Outcome::P
            } else {
                Outcome::N
            }
        }))
    }

    fn winning_moves(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        let Some(heaps) = self.position(position) else {
            return Ok(None);
        };
        let movable = heaps.sizes.iter().enumerate().filter(|(_, n)| !n.is_zero());
        let movable: Vec<usize> = movable.map(|(index, _)| index).collect();
        let most = heaps.most.min(movable.len());
        let sets = (1..=most).map_while(|size| {
            let sets = binomial(movable.len(), size);
            (size <= MOST_TOGETHER && sets <= BigUint::from(MOST_SETS)).then_some(sets)
        });
        let sets: Vec<BigUint> = sets.collect();
        let few = sets.len() == most && sets.into_iter().sum::<BigUint>() <= MOST_SETS.into();
        let takes = Takes {
            moore: self,
            heaps,
            movable,
            possible: OnceCell::new(),
        };
        Ok(Some(if few {
            Box::new(takes)
        } else {
            let (chosen, numbers) = takes.heaps.construct();
            Box::new(Constructed(takes.as_move(&chosen, &numbers)))
        }))
    }
}

/// The winning moves of a position.
struct Takes<'m> {
    moore: &'m Moore,
    heaps: Heaps,
    movable: Vec<usize>,
    /// The sets of heaps from which a winning move takes, in lexicographic order.
    possible: OnceCell<Vec<Vec<usize>>>,
}

impl Takes<'_> {
    fn possible(&self) -> &[Vec<usize>] {
        self.possible.get_or_init(|| {
            let mut sets = Vec::new();
            let mut set: Vec<usize> = Vec::new();
            // Places in `movable`; in lexicographic order a set comes before those it begins.
            let mut next = 0;
            loop {
                if next < self.movable.len() && set.len() < self.heaps.most {
                    set.push(next);
                    let chosen: Vec<usize> = set.iter().map(|i| self.movable[*i]).collect();
                    if self.heaps.task(&chosen).is_possible(&[]) {
                        sets.push(chosen);
                    }
                    next += 1;
                } else {
                    match set.pop() {
                        None => break,
                        Some(last) => next = last + 1,
                    }
                }
            }
            sets
        })
    }

    fn as_move(&self, chosen: &[usize], numbers: &[BigUint]) -> Move {
        let alone = &self.moore.alone;
        let mut changes = Vec::with_capacity(chosen.len());
        let mut choices = Vec::new();
        let mut ways = 1u64;
        for (index, n) in chosen.iter().zip(numbers) {
            let (from, to) = (heap(&self.heaps.sizes[*index]), heap(n));
            let found = options_to(
                alone,
                &from,
                std::slice::from_ref(&to),
                &mut Meter::new(Budget::default()),
            );
            let found = found.expect("one option costs little").pop();
            let option = found.expect("every smaller heap is an option");
            ways = ways.saturating_mul(option.ways);
            choices.extend(option.choices.into_iter().map(|(name, value)| {
                if chosen.len() == 1 {
                    (name, value)
                } else {
                    (format!("{name}@{index}"), value)
                }
            }));
            changes.push(ComponentChange {
                component: *index,
                from,
                to: option.result,
            });
        }
        Move {
            label: vec![alone.moves[0].label.as_str(); chosen.len()].join(" + "),
            choices,
            ways,
            changes,
        }
    }
}

impl MoveSet<Move> for Takes<'_> {
    fn count(&self) -> Option<BigUint> {
        let sets = self.possible().iter();
        Some(sets.map(|chosen| self.heaps.task(chosen).ways(&[])).sum())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        let first = !self.moore.ascending;
        Box::new(self.possible().iter().flat_map(move |chosen| {
            let task = self.heaps.task(chosen);
            let mut given = Vec::new();
            task.complete(&mut given, first);
            let mut next = Some(given);
            std::iter::from_fn(move || {
                let given = next.take()?;
                let found = self.as_move(chosen, &task.numbers(&given));
                let mut given = given;
                if task.advance(&mut given, first) {
                    next = Some(given);
                }
                Some(found)
            })
        }))
    }

    fn least(&self) -> Option<Move> {
        let of_set = |chosen: &Vec<usize>| {
            let task = self.heaps.task(chosen);
            let mut given = Vec::new();
            task.complete(&mut given, false);
            let numbers = task.numbers(&given);
            let mut after = self.heaps.sizes.clone();
            for (index, n) in chosen.iter().zip(&numbers) {
                after[*index].clone_from(n);
            }
            (after, chosen.clone(), numbers)
        };
        // The first heap that is lowered decides, so only sets with the least one matter.
        let sets = self.possible();
        let first = sets.first()?.first()?;
        let sets = sets.iter().filter(|chosen| chosen.first() == Some(first));
        let least = sets.map(of_set).min_by(|a, b| a.0.cmp(&b.0))?;
        Some(self.as_move(&least.1, &least.2))
    }
}
