//! One rule on one box, as a loop nest over the mover's choices.

use std::sync::Arc;

use num_integer::Integer;

use super::Unfit;
use super::form::Form;
use super::inequality::{Condition, Reasoned};
use super::interval::{self, Interval};
use super::poly::Poly;
use super::term::{Elements, Members, Slot, Term, Test};

/// The loop nest that lists the options of one rule.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// The cells that the rule can be used in lie between these coordinates.
    pub(super) cells: Vec<(i64, i64)>,
    /// What else must hold of the cell alone.
    pub(super) tests: Vec<Test>,
    /// The choices, the outermost first.
    pub(super) levels: Vec<Level>,
    /// The parts of the result that do not cancel.
    pub(super) parts: Vec<Part>,
    /// How many components the result has.
    pub(super) components: usize,
}

/// The loop over one choice.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) slot: Slot,
    /// Its values whatever the cell.
    pub(super) range: (i64, i64),
    pub(super) bounds: Vec<Bound>,
    pub(super) source: Source,
    /// What else must hold once it is chosen.
    pub(super) tests: Vec<Test>,
}

/// Which values a choice runs through, between its bounds.
#[derive(Clone, Debug)]
pub(super) enum Source {
    All,
    /// These, ascending.
    Listed(Arc<[i64]>),
    /// The elements of a finite set that depends on the cell.
    Set(Members),
}

/// `factor * choice + rest >= 0`
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) factor: Form,
    pub(super) rest: Form,
}

/// The table index of one part of a result.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// `base + step * innermost choice`
    Run { base: Form, step: Form },
    /// Anything else.
    Gather(Term),
}

/// The extents of a closed box, and how its cells are laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The largest value of each coordinate.
    pub(super) extents: Vec<u64>,
    /// How far apart neighbours are; the last coordinate varies fastest.
    pub(super) strides: Vec<i64>,
    pub(super) cells: usize,
}

impl Layout {
    /// `None` if there are more cells than can be addressed.
    pub(super) fn new(extents: Vec<u64>) -> Option<Self> {
        let mut strides = vec![0; extents.len()];
        let mut cells = 1i64;
        for (stride, &extent) in strides.iter_mut().zip(&extents).rev() {
            *stride = cells;
            cells = i64::try_from(extent)
                .ok()
                .and_then(|extent| cells.checked_mul(extent.checked_add(1)?))
                .filter(|&cells| cells < 1 << 48)?;
        }
        Some(Self {
            extents,
            strides,
            cells: usize::try_from(cells).ok()?,
        })
    }
}

/// A list of choices longer than this is not written down.
const LONG: i128 = 1 << 24;

/// The loop nests of a rule on a box; none if it can be used nowhere there.
pub(super) fn kernels(
    reasoned: &Reasoned,
    layout: &Layout,
    grundy: bool,
) -> Result<Vec<Kernel>, Unfit> {
    let mut ranges = reasoned.ranges_on(&layout.extents);
    if reasoned.is_dead(&ranges) {
        return Ok(Vec::new());
    }
    for &choice in &reasoned.rule.choices {
        if !ranges[choice].fits() {
            return Err(Unfit::Unbounded {
                rule: reasoned.rule.number,
                choice: reasoned.rule.names[choice].clone(),
            });
        }
    }
    let overflow = Unfit::MayOverflow {
        rule: reasoned.rule.number,
    };
    let mut builder = Builder {
        reasoned,
        ranges: &mut ranges,
        tests: Vec::new(),
        levels: Vec::new(),
    };
    builder.kernel(layout, grundy).ok_or(overflow)
}

/// The exact ends of a range that fits.
fn ends(range: Interval) -> (i64, i64) {
    let end = |n| i64::try_from(n).expect("the range was found to fit");
    (end(range.lo), end(range.hi))
}

struct Builder<'a> {
    reasoned: &'a Reasoned,
    ranges: &'a mut Vec<Interval>,
    tests: Vec<Test>,
    levels: Vec<Level>,
}

impl Builder<'_> {
    fn kernel(&mut self, layout: &Layout, grundy: bool) -> Option<Vec<Kernel>> {
        let reasoned = self.reasoned;
        self.levels = reasoned
            .rule
            .choices
            .iter()
            .map(|&slot| Level {
                slot,
                range: ends(self.ranges[slot]),
                bounds: Vec::new(),
                source: Source::All,
                tests: Vec::new(),
            })
            .collect();
        // The innermost loop is the cheap one: it takes the choice with the most values.
        self.levels
            .sort_by_key(|level| level.range.1 - level.range.0);
        for condition in &reasoned.conditions {
            self.place(condition)?;
        }
        let parts = self.parts(layout, grundy)?;
        let cells = (0..reasoned.arity).map(|slot| ends(self.ranges[slot]));
        let mut kernel = Kernel {
            cells: cells.collect(),
            tests: std::mem::take(&mut self.tests),
            levels: std::mem::take(&mut self.levels),
            parts,
            components: reasoned.parts.len(),
        };
        for level in &mut kernel.levels {
            level.list_choices(reasoned.arity);
        }
        Some(kernel.split_lists())
    }

    /// Puts a condition where it is cheapest: into ranges, bounds or tests.
    fn place(&mut self, condition: &Condition) -> Option<()> {
        let atoms = &self.reasoned.atoms;
        let always = condition
            .inequalities
            .iter()
            .all(|poly| atoms.range(poly, self.ranges).lo >= 0);
        if condition.exact && always {
            return Some(());
        }
        let mut consumed = condition.exact;
        for poly in &condition.inequalities {
            consumed &= self.bound(poly)?;
        }
        if consumed {
            return Some(());
        }
        if !interval::test_fits(&condition.test, self.ranges) {
            return None;
        }
        let mut depth = None;
        condition.test.slots(&mut |slot| {
            depth = depth.max(self.levels.iter().position(|level| level.slot == slot));
        });
        let test = condition.test.clone();
        match depth {
            None => self.tests.push(test),
            Some(depth) => self.levels[depth].tests.push(test),
        }
        Some(())
    }

    /// Bounds the choices in `poly >= 0`, each by the cell and the choices outside it. Says
    /// whether that is all that `poly >= 0` says.
    fn bound(&mut self, poly: &Poly) -> Option<bool> {
        let atoms = &self.reasoned.atoms;
        let mut exact = false;
        for depth in (0..self.levels.len()).rev() {
            let slot = self.levels[depth].slot;
            if !atoms.reads(poly, slot) {
                continue;
            }
            let inner: Vec<Slot> = self.levels[depth + 1..].iter().map(|l| l.slot).collect();
            let is_last = !inner.iter().any(|&slot| atoms.reads(poly, slot));
            let Some(relaxed) = self.relax(poly, &inner) else {
                continue;
            };
            let Some((factor, rest)) = atoms.split(&relaxed, slot) else {
                continue;
            };
            exact |= is_last;
            if is_last || atoms.range(&relaxed, self.ranges).lo < 0 {
                let bound = Bound {
                    factor: Form::new(atoms, &factor, self.ranges)?,
                    rest: Form::new(atoms, &rest, self.ranges)?,
                };
                if !bound.is_static() {
                    self.levels[depth].bounds.push(bound);
                }
            }
        }
        // An inequality of one coordinate is in the ranges already.
        let of_cell = poly
            .terms()
            .filter(|(product, _)| !product.is_empty())
            .count()
            == 1
            && (0..self.reasoned.arity).any(|slot| {
                poly.split(slot)
                    .is_some_and(|(factor, _)| matches!(factor.as_constant(), Some(1 | -1)))
            });
        Some(exact || of_cell)
    }

    /// A polynomial that is at least 0 where `poly` is, without the choices `inner`.
    fn relax(&self, poly: &Poly, inner: &[Slot]) -> Option<Poly> {
        let atoms = &self.reasoned.atoms;
        let mut relaxed = Poly::default();
        for (product, coefficient) in poly.terms() {
            let hides = |atom| inner.iter().any(|&slot| atoms.atom_reads(atom, slot));
            let mut factor = Poly::constant(coefficient);
            let mut replaced = 0;
            for &atom in product {
                let range = atoms.atom_range(atom, self.ranges);
                let next = if hides(atom) {
                    replaced += 1;
                    Poly::constant(if coefficient > 0 { range.hi } else { range.lo })
                } else {
                    Poly::atom(atom)
                };
                factor = factor.multiply(&next)?;
            }
            // A replaced factor stands among others: those must not be negative.
            let natural = |&atom: &usize| atoms.atom_range(atom, self.ranges).lo >= 0;
            if replaced > 0 && product.len() > 1 && !product.iter().all(natural) {
                return None;
            }
            relaxed = relaxed.add(&factor)?;
        }
        Some(relaxed)
    }

    /// The parts with equal pairs cancelled, as the nim-sum cancels them.
    fn parts(&self, layout: &Layout, grundy: bool) -> Option<Vec<Part>> {
        let reasoned = self.reasoned;
        let mut kept: Vec<&Vec<Poly>> = Vec::new();
        for part in &reasoned.parts {
            match kept.iter().position(|other| *other == part) {
                Some(place) if grundy => {
                    kept.remove(place);
                }
                _ => kept.push(part),
            }
        }
        kept.into_iter()
            .map(|part| self.part(part, layout))
            .collect()
    }

    fn part(&self, part: &[Poly], layout: &Layout) -> Option<Part> {
        let atoms = &self.reasoned.atoms;
        let mut index = Poly::default();
        for (coordinate, &stride) in part.iter().zip(&layout.strides) {
            index = index.add_scaled(coordinate, stride.into())?;
        }
        let form = |poly: &Poly| Form::new(atoms, poly, self.ranges);
        let Some(innermost) = self.levels.last() else {
            return Some(Part::Run {
                base: form(&index)?,
                step: Form::default(),
            });
        };
        if let Some((step, base)) = atoms.split(&index, innermost.slot) {
            return Some(Part::Run {
                base: form(&base)?,
                step: form(&step)?,
            });
        }
        let term = atoms.term(&index)?;
        interval::term_fits(&term, self.ranges).then_some(Part::Gather(term))
    }
}

impl Bound {
    /// Whether it says no more than the choice's range does.
    fn is_static(&self) -> bool {
        self.rest.as_constant().is_some()
            && matches!(self.factor.as_constant(), Some(factor) if factor != 0)
    }

    /// Narrows `lo..=hi` to the values that satisfy the bound; false if there is none.
    #[inline]
    fn narrow(&self, env: &[i64], lo: &mut i64, hi: &mut i64) -> bool {
        let (Some(factor), Some(rest)) = (self.factor.eval(env), self.rest.eval(env)) else {
            return false;
        };
        match factor {
            0 => return rest >= 0,
            1 => *lo = (*lo).max(-rest),
            -1 => *hi = (*hi).min(rest),
            2.. => *lo = (*lo).max(Integer::div_ceil(&-rest, &factor)),
            _ => *hi = (*hi).min(Integer::div_floor(&rest, &-factor)),
        }
        *lo <= *hi
    }
}

impl Level {
    /// Between which values the choice runs; `None` if there are none.
    #[inline]
    pub(super) fn ends(&self, env: &[i64]) -> Option<(i64, i64)> {
        let (mut lo, mut hi) = self.range;
        self.bounds
            .iter()
            .all(|bound| bound.narrow(env, &mut lo, &mut hi))
            .then_some((lo, hi))
    }

    /// Turns tests of the choice alone into a list, and membership in a set of the cell into
    /// that set.
    fn list_choices(&mut self, arity: usize) {
        let (lo, hi) = self.range;
        if i128::from(hi) - i128::from(lo) >= LONG {
            return;
        }
        let slot = self.slot;
        let (mut alone, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.tests)
            .into_iter()
            .partition(|test| {
                let mut alone = true;
                test.slots(&mut |s| alone &= s == slot);
                alone
            });
        self.tests = others;
        if !alone.is_empty() {
            let mut slots = slot + 1;
            for test in &alone {
                test.slots_bound(&mut |s| slots = slots.max(s + 1));
            }
            let mut env = vec![0; slots];
            let mut listed: Vec<i64> = match take_literal(&mut alone, slot) {
                Some(members) => members
                    .into_iter()
                    .filter(|n| (lo..=hi).contains(n))
                    .collect(),
                None => (lo..=hi).collect(),
            };
            listed.retain(|&n| {
                env[slot] = n;
                alone.iter().all(|test| test.holds(&mut env))
            });
            self.source = Source::Listed(listed.into());
            return;
        }
        let of_cell = |test: &Test| {
            let Test::Member {
                negated: false,
                item: Term::Slot(item),
                set: set @ (Members::List(_) | Members::Digits { .. }),
            } = test
            else {
                return false;
            };
            let mut outside = true;
            set.slots(&mut |s| outside &= s < arity);
            *item == slot && outside
        };
        if let Some(place) = self.tests.iter().position(of_cell)
            && let Test::Member { set, .. } = self.tests.remove(place)
        {
            self.source = Source::Set(set);
        }
    }
}

/// Removes a test `slot in {numbers}` and returns the numbers, ascending.
fn take_literal(tests: &mut Vec<Test>, slot: Slot) -> Option<Vec<i64>> {
    let literal = |test: &Test| match test {
        Test::Member {
            negated: false,
            item: Term::Slot(item),
            set: set @ (Members::List(_) | Members::Fixed(_)),
        } if *item == slot => match set.elements(&[]) {
            Some(Elements::List(numbers)) => Some(numbers),
            _ => None,
        },
        _ => None,
    };
    let is_constant = |test: &Test| {
        let mut inside = 0;
        if let Test::Member { set, .. } = test {
            set.slots(&mut |_| inside += 1);
        }
        inside == 0
    };
    let place = tests
        .iter()
        .position(|test| is_constant(test) && literal(test).is_some())?;
    let mut numbers = literal(&tests.remove(place))?;
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

impl Kernel {
    /// Whether the rule can be used in this cell, as far as the cell alone decides.
    #[inline]
    pub(super) fn applies(&self, env: &mut [i64]) -> bool {
        self.cells
            .iter()
            .zip(env.iter())
            .all(|(&(lo, hi), &coordinate)| lo <= coordinate && coordinate <= hi)
            && self.tests.iter().all(|test| test.holds(env))
    }

    /// Whether the options in each cell are one run of cells.
    pub(super) fn is_run(&self) -> bool {
        let [level] = self.levels.as_slice() else {
            return false;
        };
        matches!(self.parts.as_slice(), [Part::Run { .. }])
            && matches!(level.source, Source::All)
            && level.tests.is_empty()
    }

    /// Whether some part is not a run of cells.
    pub(super) fn gathers(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Gather(_)))
    }

    /// Replaces the innermost list by a few ranges where it consists of them.
    fn split_lists(self) -> Vec<Self> {
        let Some(innermost) = self.levels.last() else {
            return vec![self];
        };
        let Source::Listed(list) = &innermost.source else {
            return vec![self];
        };
        let ranges: Vec<(i64, i64)> = list
            .chunk_by(|a, b| a + 1 == *b)
            .map(|run| (run[0], run[run.len() - 1]))
            .collect();
        if list.is_empty() {
            return Vec::new();
        }
        if ranges.len() > 4 || ranges.len() * 16 > list.len() {
            return vec![self];
        }
        ranges
            .into_iter()
            .map(|range| {
                let mut kernel = self.clone();
                let innermost = kernel.levels.last_mut().expect("it was there above");
                innermost.range = range;
                innermost.source = Source::All;
                kernel
            })
            .collect()
    }
}
