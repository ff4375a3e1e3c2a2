//! Theorems that give Grundy values: sums in normal play, and in misère play where it is tame.
//!
//! **Misère sums of takes** (Ferguson, *On sums of graph games with last player losing*, 1974). Let
//! each move of a heap take a number of counters from a set S of positive numbers, and let g be the
//! value in normal play. In misère play a sum is lost iff the values are all 0 or 1 and their
//! nim-sum is 1, or some value is above 1 and their nim-sum is 0.
//!
//! *Proof.* Let s be the least member of S. First, g(n) = 1 iff g(n-s) = 0, by induction on n: if
//! g(n-s) = 0 then g(n) is not 0; were it above 1, some option n-t would have value 1, so g(n-t-s) = 0,
//! but n-s-t is an option of n-s. If g(n) = 1 and g(n-s) were not 0, some n-s-t would have value
//! 0, so g(n-t) = 1, but n-t is an option of n. Second, a heap of value 0 that has a move has one
//! to a heap of value 1: n-s has some value v > 0; if v > 1, some n-s-t has value 0, so n-t has
//! value 1. Now call the sums above lost. A sum without moves has values 0 and is not among them.
//! If all values are 0 or 1, a move keeps them so only by changing the nim-sum, by the values of
//! options; one that brings a value above 1 leaves a nim-sum that is not 0. A sum with nim-sum 0, all values at most 1
//! and some move has a move from 1 to 0, or, if all values are 0, one from 0 to 1. If exactly one
//! value is above 1, it can be made 0 and 1, and one of the two leaves nim-sum 1. Two or more values
//! above 1 are played as in normal play, and leave at least one above 1. ∎

use grundy_rules::moves::Move;
use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::answer::family::{Family as Options, Piece};
use crate::answer::few::{Few, options_to};
use crate::answer::strand::Strand;
use crate::answer::winning::moves_with;
use crate::answer::{Knowledge, MoveSet, Reason, as_move};
use crate::count::bounded::{self, Order};
use crate::outcome::{Evidence, Outcome};

/// The values of the components of some games.
pub(super) trait Values {
    /// The value of a component.
    fn value(&self, component: &Component) -> Option<BigUint>;
    /// How the value of a component follows; `None` where the statement says it.
    fn reason(&self, _component: &Component) -> Option<Reason> {
        None
    }
    /// Where the components of a value lie.
    fn places(&self, component: &Component, value: &BigUint) -> Option<Places>;
    /// Whether the value of a heap is its size.
    fn are_sizes(&self) -> bool {
        false
    }
}

/// The heaps of some value from the first number to the second.
pub(super) type HeapsBetween = dyn Fn(&BigInt, &BigInt) -> Option<Vec<Progression>>;

/// Options of a component by value.
pub(super) enum Places {
    /// All heaps of the value from `low` to `high`, as progressions.
    Heaps(Box<HeapsBetween>),
    /// All options of the value, as they are written.
    These(Vec<Component>),
    /// All options of the value, which are heaps in steps.
    Steps(Option<Progression>),
}

/// The heaps from `low` to `high` that differ from `low` by a multiple of `step`.
pub(super) struct Progression {
    pub low: BigInt,
    pub high: BigInt,
    pub step: BigInt,
}

impl Progression {
    pub(super) fn one(heap: BigInt) -> Self {
        Self {
            low: heap.clone(),
            high: heap,
            step: BigInt::one(),
        }
    }
}

impl Progression {
    /// Those from one number to another.
    fn between(&self, low: &BigInt, high: &BigInt) -> Option<Progression> {
        let low = low.max(&self.low);
        let low = low + (&self.low - low).mod_floor(&self.step);
        let high = high.min(&self.high).clone();
        (low <= high).then(|| Progression {
            low,
            high,
            step: self.step.clone(),
        })
    }
}

/// Whether each result comes from one alternative of one rule.
fn is_single(ruleset: &Ruleset) -> bool {
    matches!(ruleset.moves.as_slice(), [rule] if rule.alternatives.len() == 1)
}

/// Options that are heaps in steps, of rules that lead to each heap in one way.
struct InSteps<'k> {
    ruleset: &'k Ruleset,
    component: Component,
    heaps: Progression,
    /// Whether larger choices leave smaller heaps.
    descending: bool,
}

impl<'k> InSteps<'k> {
    /// `None` where the rules do not lead to one of the ends in one way.
    fn new(
        ruleset: &'k Ruleset,
        component: &Component,
        heaps: Progression,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        let mut moves = Self {
            ruleset,
            component: component.clone(),
            heaps,
            descending: false,
        };
        let count = moves.last();
        let ends = [BigUint::zero(), count].map(|nth| moves.options(&nth, meter));
        let [first, last] = ends;
        let (first, last) = (first?, last?);
        let ([first], [last]) = (first.as_slice(), last.as_slice()) else {
            return Ok(None);
        };
        moves.descending = first.choices > last.choices;
        Ok(Some(moves))
    }

    /// The index of the largest heap.
    fn last(&self) -> BigUint {
        let span = (&self.heaps.high - &self.heaps.low) / &self.heaps.step;
        span.to_biguint().unwrap_or_default()
    }

    /// The options that are the heap of this index.
    fn options(&self, nth: &BigUint, meter: &mut Meter) -> Result<Vec<RuleOption>, Limit> {
        let heap = &self.heaps.low + &self.heaps.step * BigInt::from(nth.clone());
        let heap = heap.to_biguint().unwrap_or_default();
        options_to(
            self.ruleset,
            &self.component,
            &[Component::of_numbers([heap])],
            meter,
        )
    }

    fn option(&self, nth: &BigUint) -> RuleOption {
        let found = self.options(nth, &mut Meter::new(Budget::default()));
        let found = found.expect("one option costs little").pop();
        found.expect("every heap in steps between two options is one")
    }
}

impl MoveSet<RuleOption> for InSteps<'_> {
    fn count(&self) -> Option<BigUint> {
        Some(self.last() + 1u8)
    }

    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        let last = self.last();
        let mut next = Some(BigUint::zero());
        Box::new(std::iter::from_fn(move || {
            let nth = next.take()?;
            let place = if self.descending {
                &last - &nth
            } else {
                nth.clone()
            };
            next = (nth < last).then(|| nth + 1u8);
            Some(self.option(&place))
        }))
    }

    fn least(&self) -> Option<RuleOption> {
        Some(self.option(&BigUint::zero()))
    }
}

/// A game whose values a theorem gives, in either play; in misère play its moves are takes.
pub(super) struct Valued<'g, V> {
    pub ruleset: &'g Ruleset,
    pub values: V,
    pub citation: &'static str,
}

/// Ferguson's theorem, for misère play.
const FERGUSON: &str = "Ferguson 1974, On sums of graph games with last player losing";

impl<V: Values> Valued<'_, V> {
    fn moves_of(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        match self.values.places(component, target) {
            None => Ok(None),
            Some(Places::These(results)) => {
                let all = options_to(self.ruleset, component, &results, meter)?;
                Ok(Some(Box::new(Few::options(all))))
            }
            Some(Places::Steps(None)) => Ok(Some(Box::new(Few::options(Vec::new())))),
            Some(Places::Steps(Some(heaps))) if is_single(self.ruleset) => {
                let moves = InSteps::new(self.ruleset, component, heaps, meter)?;
                Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
            }
            Some(Places::Steps(Some(heaps))) => {
                let Some(n) = component.as_heap() else {
                    return Ok(None);
                };
                let between = move |low: &BigInt, high: &BigInt| {
                    Some(heaps.between(low, high).into_iter().collect())
                };
                let moves = moves_with(self.ruleset, n, meter, &|options, _| {
                    Ok(strands(options, &between))
                })?;
                Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
            }
            Some(Places::Heaps(heaps)) => {
                let Some(n) = component.as_heap() else {
                    return Ok(None);
                };
                let moves = moves_with(self.ruleset, n, meter, &|options, _| {
                    Ok(strands(options, &heaps))
                })?;
                Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
            }
        }
    }

    fn all_values(&self, position: &Position) -> Option<Vec<BigUint>> {
        position
            .0
            .iter()
            .map(|component| self.values.value(component))
            .collect()
    }
}

/// The choices that leave one of the heaps; `None` for options that are not one heap each.
fn strands(options: &Options, heaps: &HeapsBetween) -> Option<Vec<Strand>> {
    let [part] = options.parts.as_slice() else {
        return None;
    };
    let is_wanted = |heap: &BigInt| Some(!heaps(heap, heap)?.is_empty());
    let mut strands = Vec::new();
    for piece in &options.pieces {
        match piece {
            Piece::Points(points) => {
                let mut wanted = Vec::new();
                for x in points {
                    if is_wanted(&part.at(x))? {
                        wanted.push(x.clone());
                    }
                }
                strands.push(Strand::Points(wanted));
            }
            Piece::Range { low, high, .. } if low > high => {}
            Piece::Range {
                low,
                high,
                modulus,
                residues,
            } => {
                if !part.slope.magnitude().is_one() {
                    return None;
                }
                let (a, b) = (part.at(low), part.at(high));
                let (least, most) = if a <= b { (a, b) } else { (b, a) };
                for heaps in heaps(&least, &most)? {
                    let ends =
                        [&heaps.low, &heaps.high].map(|h| (h - &part.constant) * &part.slope);
                    let [from, to] = ends;
                    let anchor = from.clone();
                    let (from, to) = if from <= to { (from, to) } else { (to, from) };
                    let (from, to) = (from.max(low.clone()), to.min(high.clone()));
                    let both = heaps.step.lcm(&BigInt::from(*modulus));
                    let both = both.to_u64().filter(|m| *m <= MOST_MODULUS);
                    // Where less than one lap is left, the step decides nothing.
                    let Some(both) = both else {
                        let first = &from + (&anchor - &from).mod_floor(&heaps.step);
                        if *modulus != 1 || &first + &heaps.step <= to {
                            return None;
                        }
                        strands.push(Strand::Points(
                            (first <= to).then_some(first).into_iter().collect(),
                        ));
                        continue;
                    };
                    let modulus = BigInt::from(*modulus);
                    let is_in = |d: &u64| {
                        let x = &from + *d;
                        let residue = x.mod_floor(&modulus).to_u64().expect("a residue is small");
                        (&x - &anchor).is_multiple_of(&heaps.step)
                            && residues.binary_search(&residue).is_ok()
                    };
                    strands.push(Strand::Progressions {
                        residues: (0..both).filter(is_in).collect(),
                        low: from,
                        high: to,
                        modulus: both,
                    });
                }
            }
        }
    }
    Some(strands)
}

/// The largest modulus of a set of choices.
const MOST_MODULUS: u64 = 1 << 16;

impl<V: Values> Knowledge for Valued<'_, V> {
    fn evidence(&self) -> Evidence {
        let citation = match self.ruleset.play {
            Play::Normal => self.citation.to_owned(),
            Play::Misere => format!("{}; {FERGUSON}", self.citation),
        };
        Evidence::Published { citation }
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        self.values.reason(component)
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        _: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        let values = self.all_values(position);
        let misere = values.filter(|_| self.ruleset.play == Play::Misere);
        Ok(misere.map(|values| Reason::Misere { values }))
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        match self.ruleset.play {
            Play::Normal => self.values.value(component),
            Play::Misere => None,
        }
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        match self.ruleset.play {
            Play::Normal => self.moves_of(component, target, meter),
            Play::Misere => Ok(None),
        }
    }

    fn sums_in_box(
        &self,
        bounds: &[BigUint],
        value: &BigUint,
        order: Order,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        if !self.values.are_sizes() {
            return Ok(None);
        }
        let count = match self.ruleset.play {
            Play::Normal => bounded::with_nim_sum(bounds, value, order, meter)?,
            Play::Misere if value.is_zero() => {
                bounded::lost(bounds, 1, Play::Misere, order, meter)?
            }
            Play::Misere => return Ok(None),
        };
        Ok(Some(count))
    }

    fn outcome(&self, position: &Position, _: &mut Meter) -> Result<Option<Outcome>, Limit> {
        if self.ruleset.play == Play::Normal {
            return Ok(None);
        }
        Ok(self.all_values(position).map(|values| {
            let total = values
                .iter()
                .fold(BigUint::zero(), |sum, value| sum ^ value);
            let is_lost = if values.iter().all(|value| value.bits() <= 1) {
                total.is_one()
            } else {
                total.is_zero()
            };
            if is_lost { Outcome::P } else { Outcome::N }
        }))
    }

    /// A move wins iff it gives its component one certain value: with all others at most 1, the
    /// value at most 1 that makes the nim-sum 1; otherwise the nim-sum of the others.
    fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        if self.ruleset.play == Play::Normal {
            return Ok(None);
        }
        let Some(values) = self.all_values(position) else {
            return Ok(None);
        };
        let total = values
            .iter()
            .fold(BigUint::zero(), |sum, value| sum ^ value);
        let large = values.iter().filter(|value| value.bits() > 1).count();
        let mut components = Vec::with_capacity(values.len());
        for (component, value) in position.0.iter().zip(&values) {
            let others = large - usize::from(value.bits() > 1);
            let mut wanted = &total ^ value;
            if others == 0 {
                wanted ^= BigUint::one();
            }
            meter.spend(1)?;
            match self.moves_of(component, &wanted, meter)? {
                Some(moves) => components.push(moves),
                None => return Ok(None),
            }
        }
        Ok(Some(Box::new(SumMoves {
            ruleset: self.ruleset,
            position: position.clone(),
            components,
        })))
    }
}

/// Winning options of each component of a sum.
struct SumMoves<'k> {
    ruleset: &'k Ruleset,
    position: Position,
    components: Vec<Box<dyn MoveSet<RuleOption> + 'k>>,
}

impl SumMoves<'_> {
    fn as_move(&self, index: usize, option: RuleOption) -> Move {
        as_move(self.ruleset, index, &self.position.0[index], option)
    }
}

impl MoveSet<Move> for SumMoves<'_> {
    fn count(&self) -> Option<BigUint> {
        self.components.iter().map(|moves| moves.count()).sum()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        let components = self.components.iter().enumerate();
        Box::new(components.flat_map(move |(index, moves)| {
            moves.iter().map(move |option| self.as_move(index, option))
        }))
    }

    /// Takes leave one component for one, so the first place that is lowered decides, and there the least.
    fn least(&self) -> Option<Move> {
        let components = self.components.iter().enumerate();
        let mut least = components.filter_map(|(index, moves)| Some((index, moves.least()?)));
        let (index, option) = least.next()?;
        Some(self.as_move(index, option))
    }
}
