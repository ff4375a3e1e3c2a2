//! The moves of a game of single heaps, class by class.
//!
//! A class (i, j) is the moves that remove `i` in total and leave exactly `j` non-empty heaps
//! `x1, …, xj`. Rules say for each class which heaps may be left; here that is brought into
//! the form that theorems speak of: *from some size on, each heap left matters only by its residue*.
//! Where the heaps are related to each other (unequal, say), there is no such form, and the
//! ruleset is refused.
//!
//! # Why a finite look decides this
//!
//! A condition is made of atoms: comparisons of one heap, or of the difference of two heaps,
//! or of a sum of heaps with factors of one sign, with constants below `G`; and congruences
//! modulo `M`. Sort the heaps. If one of the gaps between neighbours, or between 0 and the
//! smallest, is larger than `G + M`, subtract `M` from all heaps above the gap: differences
//! across the gap and heaps above it stay larger than `G`, all other differences stay what
//! they are, and so do all residues. So no atom changes its truth, and every statement made
//! of such atoms that fails somewhere fails at heaps whose gaps are at most `G + M`.
//!
//! So it is decided whether rules written at length are those of an octal code: whether, in each
//! class, all heaps may be left or none, the order of the parts not counting. And it is decided
//! whether adding a number to a part above some size ever makes a difference; this statement
//! shifts the constants by that number, hence the larger gaps that are looked at below.
//!
//! What is removed is treated one number after the other, up to a number beyond which the
//! conditions see only its residue; beyond, the classes repeat.

use num_integer::Integer;

use grundy_rules::{Limit, Meter};

use crate::formula::{Formula, Linear, TooLarge};
use crate::refusal::{Reason, Stop};
use crate::rules::Leaving;

/// The largest common modulus of all congruences.
const MOST_MODULUS: i128 = 1 << 12;

/// The largest number whose removal has a rule of its own.
const MOST_REMOVED: i128 = 1 << 24;

/// The largest table of residues.
const MOST_TABLE: usize = 1 << 22;

/// How many points are looked at for one class.
const MOST_POINTS: usize = 1 << 20;

/// The moves that remove one number in total and leave one number of non-empty heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// How much is removed in total.
    pub removed: u64,
    /// How many non-empty heaps are left.
    pub parts: usize,
    /// Heaps above this matter only by their residue.
    pub floor: u64,
    /// The modulus of these residues.
    pub modulus: u64,
    /// Heaps moved from up to this one, if any, have a condition of their own.
    pub exceptional: Option<u64>,
    /// Whether heaps of the sizes 1 to `floor + modulus` may be left, the first part's size
    /// changing fastest. Larger sizes count as the one of the same residue among these.
    table: Vec<bool>,
    /// The condition for heaps moved from up to `exceptional`.
    exact: Vec<Formula>,
}

/// The moves of a game of single heaps.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The classes that remove `tail_after + tail_period` at most, ascending.
    pub classes: Vec<Class>,
    /// Beyond this number, classes repeat.
    pub tail_after: u64,
    /// With this period: the class that removes `i` and the one that removes `i + tail_period`
    /// are alike for all `i > tail_after`.
    pub tail_period: u64,
}

impl Class {
    /// Whether the move to these non-empty heaps is allowed.
    pub fn allows(&self, parts: &[u64]) -> bool {
        if let Some(exceptional) = self.exceptional
            && self.removed + parts.iter().sum::<u64>() <= exceptional
        {
            let point: Vec<i128> = parts.iter().map(|x| i128::from(*x)).collect();
            return holds_in_some_order(&self.exact, &point, &mut 0);
        }
        let width = self.floor + self.modulus;
        let mut place = 0;
        for &part in parts.iter().rev() {
            let size = if part > width {
                self.floor + 1 + (part - self.floor - 1) % self.modulus
            } else {
                part
            };
            place = place * width + (size - 1);
        }
        self.table[usize::try_from(place).expect("the table is small")]
    }

    /// Calls `visit` with the non-empty heaps, ascending, of each option of a heap in this class.
    /// The heap is not less than what is removed.
    pub fn for_each_option<F: FnMut(&[u64])>(
        &self,
        heap: u64,
        meter: &mut Meter,
        visit: &mut F,
    ) -> Result<(), Limit> {
        let sum = heap - self.removed;
        let full = self.is_full();
        match self.parts {
            0 => {
                if sum == 0 {
                    visit(&[]);
                }
            }
            1 => {
                meter.spend(1)?;
                if sum > 0 && self.allows(&[sum]) {
                    visit(&[sum]);
                }
            }
            2 => {
                meter.spend(1 + sum / if full { 16 } else { 2 })?;
                for first in 1..=sum / 2 {
                    let parts = [first, sum - first];
                    if full || self.allows(&parts) {
                        visit(&parts);
                    }
                }
            }
            count => {
                let mut parts = vec![0; count];
                for_each_sorted_sum(count, i128::from(sum), &mut |point| {
                    meter.spend(1)?;
                    for (part, x) in parts.iter_mut().zip(point) {
                        *part = u64::try_from(*x).expect("positive and at most the heap");
                    }
                    if self.allows(&parts) {
                        visit(&parts);
                    }
                    Ok::<(), Limit>(())
                })?;
            }
        }
        Ok(())
    }

    /// Whether the same heaps are left as in another class, whatever the heap moved from.
    fn leaves_alike(&self, other: &Self) -> bool {
        let regular = self.exceptional.is_none() && other.exceptional.is_none();
        regular
            && (self.parts, self.floor, self.modulus) == (other.parts, other.floor, other.modulus)
            && self.table == other.table
    }

    /// Whether all non-empty heaps may be left that there are.
    pub fn is_full(&self) -> bool {
        self.exceptional.is_none() && self.floor == 0 && self.modulus == 1 && self.table[0]
    }
}

impl Moves {
    /// Brings the moves of a game into classes.
    pub fn new(leavings: &[Leaving], labels: &[String], meter: &mut Meter) -> Result<Self, Stop> {
        let mut by_parts: Vec<Vec<Condition>> = Vec::new();
        for leaving in leavings {
            for empty in 0..1usize << leaving.parts {
                let condition = Condition::new(leaving, empty)?;
                let parts = condition.parts;
                if by_parts.len() <= parts {
                    by_parts.resize_with(parts + 1, Vec::new);
                }
                if condition.formula != Formula::Constant(false) {
                    by_parts[parts].push(condition);
                }
            }
        }
        let mut after = 0;
        let mut period = 1;
        for condition in by_parts.iter_mut().flatten() {
            condition.find_tail(labels, meter)?;
            after = after.max(condition.after);
            period = period.lcm(&condition.modulus);
            if period > MOST_MODULUS || after > MOST_REMOVED {
                return Err(Reason::TooLarge.into());
            }
        }
        let mut classes = Vec::new();
        for removed in 0..=after + period {
            for (parts, conditions) in by_parts.iter().enumerate() {
                let mut formulas = Vec::new();
                for condition in conditions {
                    if condition.may_remove(removed, meter)? {
                        formulas.push(condition.removing(removed)?);
                    }
                }
                if formulas.is_empty() {
                    continue;
                }
                let removed = u64::try_from(removed).expect("0 or more");
                let Some(class) = Class::new(removed, parts, &formulas, meter)? else {
                    continue;
                };
                if removed == 0 && parts == 0 {
                    return Err(Reason::ZeroMoves.into());
                }
                if removed == 0 && parts == 1 {
                    return Err(Reason::NotSmaller.into());
                }
                if i128::from(removed) > after && class.exceptional.is_some() {
                    return Err(Reason::TooLarge.into());
                }
                classes.push(class);
            }
        }
        let mut moves = Self {
            classes,
            tail_after: u64::try_from(after).expect("0 or more"),
            tail_period: u64::try_from(period).expect("positive"),
        };
        moves.shorten();
        Ok(moves)
    }

    /// Lets the classes repeat with the least period, and from as early on as they do.
    fn shorten(&mut self) {
        let (after, period) = (self.tail_after, self.tail_period);
        let repeats = |period: &u64| {
            (after + 1..=after + self.tail_period - period)
                .all(|removed| self.are_alike(removed, removed + period))
        };
        let divisors = (1..=period).filter(|divisor| period.is_multiple_of(*divisor));
        let least = divisors.into_iter().find(repeats);
        self.tail_period = least.expect("the period itself is one");
        while self.tail_after > 0
            && self.are_alike(self.tail_after, self.tail_after + self.tail_period)
        {
            self.tail_after -= 1;
        }
        let most = self.tail_after + self.tail_period;
        self.classes.retain(|class| class.removed <= most);
    }

    /// Whether the moves that remove the one and the other number leave the same heaps.
    fn are_alike(&self, removed: u64, other: u64) -> bool {
        let of = |number: u64| {
            let from = self.classes.partition_point(|class| class.removed < number);
            let to = self
                .classes
                .partition_point(|class| class.removed <= number);
            &self.classes[from..to]
        };
        let (classes, others) = (of(removed), of(other));
        classes.len() == others.len()
            && classes
                .iter()
                .zip(others)
                .all(|(class, other)| class.leaves_alike(other))
    }

    /// The classes whose likes repeat for ever.
    pub fn tail(&self) -> &[Class] {
        let from = self
            .classes
            .partition_point(|class| class.removed <= self.tail_after);
        &self.classes[from..]
    }

    /// The numbers that may be taken, ascending, if moves take one of finitely many numbers and
    /// leave the rest as one heap, empty or not.
    pub fn subtraction_set(&self) -> Option<Vec<u64>> {
        let finite = self.tail().is_empty() && self.splits()?.is_empty();
        self.takes().filter(|_| finite)
    }

    /// The numbers that may not be taken, ascending, if moves take any other positive number and
    /// leave the rest as one heap, empty or not.
    pub fn all_but_set(&self) -> Option<Vec<u64>> {
        let whole = self.splits()?.is_empty();
        self.kept().filter(|_| whole)
    }

    /// The numbers that may not be taken, and those that may be removed before splitting in two,
    /// ascending, if moves take any other positive number or split so, and any split is allowed.
    pub fn take_or_split_sets(&self) -> Option<(Vec<u64>, Vec<u64>)> {
        self.kept().zip(self.splits())
    }

    /// The numbers that may be removed so that nothing or one heap is left, as far as they are
    /// listed, ascending; `None` if that depends on what is left.
    fn takes(&self) -> Option<Vec<u64>> {
        let few: Vec<&Class> = self
            .classes
            .iter()
            .filter(|class| class.parts < 2)
            .collect();
        let mut takes = Vec::new();
        for pair in few.chunks(2) {
            let [nothing, rest] = pair else { return None };
            if nothing.removed != rest.removed
                || (nothing.parts, rest.parts) != (0, 1)
                || !rest.is_full()
            {
                return None;
            }
            takes.push(rest.removed);
        }
        Some(takes)
    }

    /// The positive numbers that may not be so removed, ascending, if they are finitely many.
    fn kept(&self) -> Option<Vec<u64>> {
        let takes = self.takes()?;
        let listed = self.tail_after + self.tail_period;
        let kept: Vec<u64> = (1..=listed)
            .filter(|number| takes.binary_search(number).is_err())
            .collect();
        let all_beyond = kept.last().is_none_or(|last| *last <= self.tail_after);
        all_beyond.then_some(kept)
    }

    /// The numbers that may be removed so that two non-empty heaps are left, ascending, if they
    /// are finitely many, any two heaps may be left, and never more.
    fn splits(&self) -> Option<Vec<u64>> {
        let many = || self.classes.iter().filter(|class| class.parts >= 2);
        let all = many()
            .all(|class| class.parts == 2 && class.is_full() && class.removed <= self.tail_after);
        all.then(|| many().map(|class| class.removed).collect())
    }

    /// The classes that remove `most` at most, ascending.
    pub fn up_to(&self, most: u64, meter: &mut Meter) -> Result<Vec<Class>, Limit> {
        let listed = self.classes.partition_point(|class| class.removed <= most);
        let mut classes = self.classes[..listed].to_vec();
        let size = |class: &Class| (size_of::<Class>() + class.table.len()) as u64;
        let mut shift = self.tail_period;
        while !self.tail().is_empty() && self.tail_after + shift < most {
            for class in self.tail() {
                let removed = class.removed + shift;
                if removed <= most {
                    meter.allocate(size(class))?;
                    classes.push(Class {
                        removed,
                        ..class.clone()
                    });
                }
            }
            shift += self.tail_period;
        }
        Ok(classes)
    }
}

/// What one alternative allows to leave when certain parts are empty.
struct Condition {
    rule: usize,
    /// How many non-empty parts there are.
    parts: usize,
    /// Of what is removed, variable 0, and the non-empty parts.
    formula: Formula,
    /// Beyond this number, only the residue of what is removed matters.
    after: i128,
    /// The common modulus of the congruences.
    modulus: i128,
}

impl Condition {
    /// The condition of an alternative whose parts in the bit set `empty` are 0.
    fn new(leaving: &Leaving, empty: usize) -> Result<Self, Reason> {
        let width = 1 + leaving.parts;
        let zero = Linear::constant(0, width)?;
        let mut formula = leaving.allowed.clone();
        let mut kept = vec![0];
        for part in 0..leaving.parts {
            if empty >> part & 1 == 1 {
                formula = formula.substitute(1 + part, &zero, 1)?;
            } else {
                kept.push(1 + part);
            }
        }
        let formula = formula.map(&mut |atom| -> Result<Formula, Reason> {
            let narrow = |linear: &Linear| Linear {
                coefficients: kept.iter().map(|v| linear.coefficients[*v]).collect(),
                constant: linear.constant,
            };
            Ok(match atom {
                Formula::AtMostZero(linear) => Formula::AtMostZero(narrow(linear)),
                Formula::Multiple(modulus, linear) => Formula::Multiple(*modulus, narrow(linear)),
                Formula::Member(linear, set) => Formula::Member(narrow(linear), set.clone()),
                Formula::SquareAtMost(factor, root, linear) => {
                    Formula::SquareAtMost(*factor, narrow(root), narrow(linear))
                }
                compound => compound.clone(),
            })
        })?;
        let formula = with_fixed_parts(formula)?;
        let bounds = bounds_on_removed(&formula)?;
        Ok(Self {
            rule: leaving.rule,
            parts: kept.len() - 1,
            formula: Formula::all(bounds.into_iter().chain([formula])),
            after: 0,
            modulus: 1,
        })
    }

    /// Whether removing this number is not ruled out as long as the parts are unknown.
    fn may_remove(&self, removed: i128, meter: &mut Meter) -> Result<bool, Stop> {
        let mut steps = 0;
        let known = self.formula.decided(removed, &mut steps);
        meter.spend(steps)?;
        Ok(known != Some(false))
    }

    /// The condition on the parts when this number is removed.
    fn removing(&self, removed: i128) -> Result<Formula, Reason> {
        let width = 1 + self.parts;
        Ok(self
            .formula
            .substitute(0, &Linear::constant(removed, width)?, 1)?)
    }

    /// Finds from where on what is removed matters only by its residue, and verifies that
    /// nothing is ever added to a heap.
    fn find_tail(&mut self, labels: &[String], meter: &mut Meter) -> Result<(), Stop> {
        let rule = || labels[self.rule].clone();
        let (mut after, mut mixed_after, mut modulus) = (0, 0, 1i128);
        let (mut related, mut square) = (false, false);
        self.formula.for_each_atom(&mut |atom, linear| match atom {
            Formula::Multiple(m, _) => modulus = modulus.lcm(m).min(MOST_MODULUS + 1),
            Formula::SquareAtMost(..) => square = true,
            _ => {
                let reach = reach(atom, linear);
                match linear.coefficients.split_first() {
                    Some((0, _)) | None => {}
                    Some((_, parts)) if parts.iter().all(|c| *c == 0) => after = after.max(reach),
                    _ if is_one_sided(linear) => mixed_after = mixed_after.max(reach),
                    _ => related = true,
                }
            }
        });
        if square {
            return Err(Reason::NotLinear { rule: rule() }.into());
        }
        if modulus > MOST_MODULUS || after > MOST_REMOVED {
            return Err(Reason::TooLarge.into());
        }
        // With the parts unknown, the formula must be false wherever a heap would grow. What is
        // removed occurs below `-after` only by its residue, or together with parts.
        for removed in -after - modulus..0 {
            if self.may_remove(removed, meter)? {
                return Err(Reason::RemovedToLeft { rule: rule() }.into());
            }
        }
        let mut open = false;
        for removed in after + 1..=after + modulus {
            open |= self.may_remove(removed, meter)?;
        }
        if open {
            if related {
                return Err(Reason::RemovedToLeft { rule: rule() }.into());
            }
            after = after.max(mixed_after);
        }
        self.after = after;
        self.modulus = if open { modulus } else { 1 };
        Ok(())
    }
}

/// The same condition with the size of a part put in wherever it stands, if the condition says
/// that there is only one.
fn with_fixed_parts(formula: Formula) -> Result<Formula, TooLarge> {
    let Formula::All(mut members) = formula else {
        return Ok(formula);
    };
    for fixing in 0..members.len() {
        let Formula::Member(linear, set) = &members[fixing] else {
            continue;
        };
        let mut factors = linear.coefficients.iter().enumerate();
        let first = factors.find(|(_, factor)| **factor != 0);
        let (part, factor) = first.expect("a constant is no atom");
        let alone = factors.all(|(_, factor)| *factor == 0);
        if part == 0 || !alone || factor.abs() != 1 || set.len() != 1 {
            continue;
        }
        let size = (set[0] - linear.constant) * factor;
        let size = Linear::constant(size, linear.coefficients.len())?;
        for (other, member) in members.iter_mut().enumerate() {
            if other != fixing {
                *member = member.substitute(part, &size, 1)?;
            }
        }
    }
    Ok(Formula::all(members))
}

/// What a condition says of what is removed, whatever the parts are, each 1 at least: in
/// `c * i + d1 * x1 + … <= 0` with no `d` negative, each `x` may be replaced by 1.
fn bounds_on_removed(formula: &Formula) -> Result<Vec<Formula>, TooLarge> {
    let conjuncts = match formula {
        Formula::All(members) => members.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut bounds = Vec::new();
    for conjunct in conjuncts {
        let at_most_zero = match conjunct {
            Formula::AtMostZero(linear) => vec![linear.clone()],
            Formula::Member(linear, set) => {
                let (least, most) = (set[0], set[set.len() - 1]);
                vec![linear.scaled(1, -most)?, linear.scaled(-1, least)?]
            }
            _ => continue,
        };
        for mut linear in at_most_zero {
            let parts = &mut linear.coefficients[1..];
            if parts.iter().all(|factor| *factor >= 0) {
                let least: i128 = parts.iter().sum();
                parts.fill(0);
                bounds.push(Formula::at_most_zero(linear.scaled(1, least)?));
            }
        }
    }
    Ok(bounds)
}

/// Whether all factors have one sign.
fn is_one_sided(linear: &Linear) -> bool {
    let signs = || linear.coefficients.iter().map(|c| c.signum());
    signs().all(|s| s >= 0) || signs().all(|s| s <= 0)
}

/// A number below which all constants lie that an atom compares the primitive form of its
/// linear form with.
fn reach(atom: &Formula, linear: &Linear) -> i128 {
    let content = linear.content().max(1);
    let compared = match atom {
        Formula::Member(_, set) => {
            let ends = [set.first(), set.last()].into_iter().flatten();
            ends.map(|n| (n - linear.constant).abs()).max().unwrap_or(0)
        }
        _ => linear.constant.abs(),
    };
    compared / content + 2
}

/// Whether a point satisfies one of the formulas when its coordinates are put in some order.
fn holds_in_some_order(formulas: &[Formula], point: &[i128], steps: &mut u64) -> bool {
    let mut point = point.to_vec();
    holds_permuted(formulas, &mut point, 0, steps)
}

fn holds_permuted(formulas: &[Formula], point: &mut [i128], from: usize, steps: &mut u64) -> bool {
    if from + 1 >= point.len() {
        return formulas.iter().any(|formula| formula.holds(point, steps));
    }
    for other in from..point.len() {
        point.swap(from, other);
        let holds = holds_permuted(formulas, point, from + 1, steps);
        point.swap(from, other);
        if holds {
            return true;
        }
    }
    false
}

impl Class {
    /// The class with these conditions on the parts; variable 0 no longer occurs. `None` if it
    /// allows nothing.
    fn new(
        removed: u64,
        parts: usize,
        formulas: &[Formula],
        meter: &mut Meter,
    ) -> Result<Option<Self>, Stop> {
        let relation = || Reason::Relation { removed, parts };
        let formulas: Vec<Formula> = formulas.iter().map(without_removed).collect();
        if parts == 0 {
            let class = Self {
                removed,
                parts,
                floor: 0,
                modulus: 1,
                exceptional: None,
                table: vec![true],
                exact: Vec::new(),
            };
            let mut steps = 0;
            let allowed = formulas
                .iter()
                .any(|formula| formula.holds(&[], &mut steps));
            return Ok(allowed.then_some(class));
        }
        let (mut reach_of_parts, mut reach_of_heap, mut modulus) = (1, 0, 1i128);
        let mut related = false;
        for formula in &formulas {
            formula.for_each_atom(&mut |atom, linear| match atom {
                Formula::Multiple(m, _) => modulus = modulus.lcm(m).min(MOST_MODULUS + 1),
                _ if is_of_heap(linear) => reach_of_heap = reach_of_heap.max(reach(atom, linear)),
                _ if is_one_sided(linear) || is_difference(linear) => {
                    reach_of_parts = reach_of_parts.max(reach(atom, linear));
                }
                _ => related = true,
            });
        }
        if related {
            return Err(relation().into());
        }
        if modulus > MOST_MODULUS || reach_of_parts.max(reach_of_heap) > MOST_REMOVED {
            return Err(Reason::TooLarge.into());
        }
        let large: Vec<Formula> = formulas.iter().map(for_large_heaps).collect();
        let points = points_with_gaps(parts, reach_of_parts + 2 * modulus, meter)?;
        let mut found = None;
        for period in (1..=modulus).filter(|period| modulus % period == 0) {
            if let Some(floor) = floor_for(&large, &points, period, reach_of_parts, meter)? {
                found = Some((floor, period));
                break;
            }
        }
        let (floor, period) = found.ok_or_else(relation)?;
        let width = floor + period;
        let places = usize::try_from(width)
            .ok()
            .and_then(|width| width.checked_pow(u32::try_from(parts).expect("few")))
            .filter(|places| *places <= MOST_TABLE)
            .ok_or(Reason::TooLarge)?;
        let mut table = Vec::with_capacity(places);
        let mut steps = 0;
        for place in 0..places as i128 {
            let mut point = Vec::with_capacity(parts);
            let mut rest = place;
            for _ in 0..parts {
                point.push(1 + rest % width);
                rest /= width;
            }
            table.push(holds_in_some_order(&large, &point, &mut steps));
            meter.spend(std::mem::take(&mut steps))?;
        }
        let mut exceptional = None;
        if reach_of_heap > 0 {
            for sum in 1..=reach_of_heap {
                for_each_sorted_sum(parts, sum, &mut |point| {
                    let here = holds_in_some_order(&formulas, point, &mut steps);
                    if here != holds_in_some_order(&large, point, &mut steps) {
                        exceptional = Some(sum);
                    }
                    meter.spend(std::mem::take(&mut steps))
                })?;
            }
        }
        let class = Self {
            removed,
            parts,
            floor: u64::try_from(floor).expect("0 or more"),
            modulus: u64::try_from(period).expect("positive"),
            exceptional: exceptional.map(|sum| removed + u64::try_from(sum).expect("positive")),
            table,
            exact: if exceptional.is_some() {
                formulas
            } else {
                Vec::new()
            },
        };
        let allows_something = class.exceptional.is_some() || class.table.iter().any(|t| *t);
        Ok(allows_something.then_some(class))
    }
}

/// A condition on the parts alone.
fn without_removed(formula: &Formula) -> Formula {
    let narrow = |linear: &Linear| Linear {
        coefficients: linear.coefficients[1..].to_vec(),
        constant: linear.constant,
    };
    formula
        .map(&mut |atom| -> Result<Formula, std::convert::Infallible> {
            Ok(match atom {
                Formula::AtMostZero(linear) => Formula::AtMostZero(narrow(linear)),
                Formula::Multiple(modulus, linear) => Formula::Multiple(*modulus, narrow(linear)),
                Formula::Member(linear, set) => Formula::Member(narrow(linear), set.clone()),
                Formula::SquareAtMost(factor, root, linear) => {
                    Formula::SquareAtMost(*factor, narrow(root), narrow(linear))
                }
                compound => compound.clone(),
            })
        })
        .unwrap_or_else(|never| match never {})
}

/// Whether a linear form of two parts or more depends on their sum alone, hence on the heap
/// moved from.
fn is_of_heap(linear: &Linear) -> bool {
    let first = linear.coefficients[0];
    linear.coefficients.len() > 1 && first != 0 && linear.coefficients.iter().all(|c| *c == first)
}

/// Whether it is a multiple of the difference of two parts.
fn is_difference(linear: &Linear) -> bool {
    let nonzero: Vec<i128> = linear
        .coefficients
        .iter()
        .copied()
        .filter(|c| *c != 0)
        .collect();
    matches!(nonzero.as_slice(), [a, b] if a + b == 0)
}

/// The condition as it is for all heaps moved from that are large enough.
fn for_large_heaps(formula: &Formula) -> Formula {
    formula
        .map(&mut |atom| -> Result<Formula, std::convert::Infallible> {
            Ok(match atom {
                Formula::AtMostZero(linear) if is_of_heap(linear) => {
                    Formula::Constant(linear.coefficients[0] < 0)
                }
                Formula::Member(linear, _) if is_of_heap(linear) => Formula::Constant(false),
                other => other.clone(),
            })
        })
        .unwrap_or_else(|never| match never {})
}

/// All ascending points of positive coordinates whose gaps are at most `gap`.
fn points_with_gaps(parts: usize, gap: i128, meter: &mut Meter) -> Result<Vec<Vec<i128>>, Stop> {
    let mut points: Vec<Vec<i128>> = vec![Vec::new()];
    for _ in 0..parts {
        let mut longer = Vec::new();
        for point in &points {
            let (least, last) = match point.last() {
                Some(last) => (0, *last),
                None => (1, 0),
            };
            meter.spend(u64::try_from(gap).expect("0 or more"))?;
            for step in least..=gap {
                let mut point = point.clone();
                point.push(last + step);
                longer.push(point);
            }
        }
        points = longer;
        if points.len() > MOST_POINTS {
            return Err(Reason::TooLarge.into());
        }
    }
    Ok(points)
}

/// The least number above which a part matters only by its residue modulo `period`, if it is
/// at most `most`: the largest part to which adding `period` makes a difference.
fn floor_for(
    formulas: &[Formula],
    points: &[Vec<i128>],
    period: i128,
    most: i128,
    meter: &mut Meter,
) -> Result<Option<i128>, Stop> {
    let mut floor = 0;
    let mut steps = 0;
    for point in points {
        let here = holds_in_some_order(formulas, point, &mut steps);
        for part in 0..point.len() {
            if point[part] <= floor {
                continue;
            }
            let mut shifted = point.clone();
            shifted[part] += period;
            if here != holds_in_some_order(formulas, &shifted, &mut steps) {
                floor = point[part];
                if floor > most {
                    return Ok(None);
                }
            }
        }
        meter.spend(std::mem::take(&mut steps))?;
    }
    Ok(Some(floor))
}

/// Calls `visit` for all ascending points of positive coordinates with this sum.
pub fn for_each_sorted_sum<E>(
    parts: usize,
    sum: i128,
    visit: &mut dyn FnMut(&[i128]) -> Result<(), E>,
) -> Result<(), E> {
    fn extend<E>(
        point: &mut Vec<i128>,
        parts: usize,
        rest: i128,
        visit: &mut dyn FnMut(&[i128]) -> Result<(), E>,
    ) -> Result<(), E> {
        let least = point.last().copied().unwrap_or(1);
        let left = (parts - point.len()) as i128;
        if left == 1 {
            if rest < least {
                return Ok(());
            }
            point.push(rest);
            visit(point)?;
            point.pop();
            return Ok(());
        }
        let mut next = least;
        while next * left <= rest {
            point.push(next);
            extend(point, parts, rest - next, visit)?;
            point.pop();
            next += 1;
        }
        Ok(())
    }
    extend(&mut Vec::with_capacity(parts), parts, sum, visit)
}

#[cfg(test)]
pub(crate) mod tests;
