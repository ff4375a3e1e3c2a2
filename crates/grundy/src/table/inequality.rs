//! A rule as inequalities between polynomials: what bounds its choices and orders its results.

use grundy_rules::ruleset::Comparison;
use num_integer::Integer;

use super::interval::{self, FAR, Interval, is_total};
use super::lower::Rule;
use super::poly::{Atoms, Poly};
use super::term::{Members, Slot, Term, Test};

/// A rule with what its conditions say as inequalities.
#[derive(Clone, Debug)]
pub(super) struct Reasoned {
    pub(super) rule: Rule,
    pub(super) arity: usize,
    pub(super) atoms: Atoms,
    pub(super) conditions: Vec<Condition>,
    /// The components of the result.
    pub(super) parts: Vec<Vec<Poly>>,
    /// Which coordinates of the parts may be larger than the same ones of the cell.
    pub(super) may_grow: Vec<Vec<bool>>,
    /// Where the slots lie, whatever the box.
    pub(super) ranges: Vec<Interval>,
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) test: Test,
    /// Each of these is at least 0 if the test holds, as it stands in the rule.
    pub(super) stated: Vec<Poly>,
    /// Each of these is at least 0 if the test holds, with choices in the open.
    pub(super) inequalities: Vec<Poly>,
    /// Whether the test holds if all of these are.
    pub(super) exact: bool,
}

impl Reasoned {
    pub(super) fn new(rule: Rule, arity: usize) -> Self {
        let slots = rule.names.len();
        let mut ranges = vec![Interval::ALL; slots];
        ranges[..arity].fill(Interval::NATURALS);
        for &choice in &rule.choices {
            ranges[choice] = Interval::NATURALS;
        }
        let mut this = Self {
            rule,
            arity,
            atoms: Atoms::new(slots),
            conditions: Vec::new(),
            parts: Vec::new(),
            may_grow: Vec::new(),
            ranges,
        };
        while this.eliminate_equality() {}
        let tests = std::mem::take(&mut this.rule.tests);
        this.conditions = tests.into_iter().map(|test| this.condition(test)).collect();
        this.parts = this
            .rule
            .parts
            .iter()
            .map(|part| part.iter().map(|term| this.atoms.poly(term)).collect())
            .collect();
        let mut ranges = this.ranges.clone();
        this.propagate(&mut ranges);
        this.ranges = ranges;
        this.bound_divisors();
        let mut ranges = this.ranges.clone();
        this.propagate(&mut ranges);
        this.ranges = ranges;
        this
    }

    /// Whether the options stand at the same distances from every cell, as far as there are cells: the result is
    /// the cell less what the choices say, and of the cell it is only asked that the result be none of negative numbers.
    pub(super) fn is_translation(&self) -> bool {
        let [part] = self.parts.as_slice() else {
            return false;
        };
        let of_choices = |poly: &Poly| (0..self.arity).all(|place| !self.atoms.reads(poly, place));
        let moved = part.iter().enumerate().all(|(place, coordinate)| {
            let moved = coordinate.subtract(&Poly::atom(place));
            moved.is_some_and(|moved| of_choices(&moved))
        });
        moved
            && self.may_grow.iter().flatten().all(|grows| !grows)
            && self.conditions.iter().all(|condition| {
                let mut reads_cell = false;
                let mut visit = |slot| reads_cell |= slot < self.arity;
                condition.test.slots(&mut visit);
                let mut stated = condition.stated.iter();
                let plain = |poly: &Poly| part.contains(poly) || of_choices(poly);
                !reads_cell || condition.exact && stated.all(plain)
            })
    }

    /// All inequalities.
    pub(super) fn inequalities(&self) -> impl Iterator<Item = &Poly> {
        self.conditions
            .iter()
            .flat_map(|condition| &condition.inequalities)
    }

    /// Whether the rule can be used nowhere in these ranges.
    pub(super) fn is_dead(&self, ranges: &[Interval]) -> bool {
        let choices = self.rule.choices.iter().copied();
        (0..self.arity)
            .chain(choices)
            .any(|slot| ranges[slot].is_empty())
    }

    fn reads_choice(&self, term: &Term) -> bool {
        self.rule.choices.iter().any(|&choice| term.reads(choice))
    }

    /// Solves one equality for a choice and puts the solution in its place.
    fn eliminate_equality(&mut self) -> bool {
        for (place, test) in self.rule.tests.iter().enumerate() {
            let Test::Compare(Comparison::Equal, left, right) = test else {
                continue;
            };
            if !is_total(left, &self.ranges) || !is_total(right, &self.ranges) {
                continue;
            }
            let (left, right) = (self.atoms.poly(left), self.atoms.poly(right));
            let Some(difference) = left.subtract(&right) else {
                continue;
            };
            for (index, &choice) in self.rule.choices.iter().enumerate().rev() {
                let Some((coefficient, rest)) = self.atoms.split(&difference, choice) else {
                    continue;
                };
                let Some(sign @ (1 | -1)) = coefficient.as_constant() else {
                    continue;
                };
                let Some(value) = rest.scale(-sign).and_then(|value| self.atoms.term(&value))
                else {
                    continue;
                };
                self.rule.tests[place] =
                    Test::Compare(Comparison::GreaterEqual, value.clone(), Term::Number(0));
                self.substitute(choice, &value);
                self.rule.choices.remove(index);
                return true;
            }
        }
        false
    }

    fn substitute(&mut self, choice: Slot, value: &Term) {
        for test in &mut self.rule.tests {
            *test = test.with(choice, value);
        }
        for term in self.rule.parts.iter_mut().flatten() {
            *term = term.with(choice, value);
        }
    }

    fn condition(&mut self, test: Test) -> Condition {
        let (stated, mut exact) = self.stated(&test);
        let mut inequalities = Vec::new();
        let choices = self.rule.choices.clone();
        let hidden = |term: &Term| choices.iter().any(|&choice| term.reads(choice));
        for poly in &stated {
            let (unfolded, same) = self.atoms.unfold(poly, &hidden);
            exact &= same;
            inequalities.extend(unfolded);
        }
        Condition {
            test,
            stated,
            inequalities,
            exact,
        }
    }

    /// What a test says as inequalities, and whether that is all it says.
    fn stated(&mut self, test: &Test) -> (Vec<Poly>, bool) {
        match test {
            Test::Compare(comparison, left, right) => {
                let exact = is_total(left, &self.ranges) && is_total(right, &self.ranges);
                let (left, right) = (self.atoms.poly(left), self.atoms.poly(right));
                let not_less = |a: &Poly, b: &Poly, by: i128| {
                    a.subtract(b).and_then(|p| p.subtract(&Poly::constant(by)))
                };
                let polys = match comparison {
                    Comparison::Less => vec![not_less(&right, &left, 1)],
                    Comparison::LessEqual => vec![not_less(&right, &left, 0)],
                    Comparison::Equal => {
                        vec![not_less(&left, &right, 0), not_less(&right, &left, 0)]
                    }
                    Comparison::GreaterEqual => vec![not_less(&left, &right, 0)],
                    Comparison::Greater => vec![not_less(&left, &right, 1)],
                    Comparison::NotEqual => return (Vec::new(), false),
                };
                let count = polys.len();
                let polys: Vec<_> = polys.into_iter().flatten().collect();
                let exact = exact && polys.len() == count;
                (polys, exact)
            }
            Test::Divides(divisor, _) => {
                let divisor = self.atoms.poly(divisor);
                let polys = divisor.subtract(&Poly::constant(1)).into_iter().collect();
                (polys, false)
            }
            Test::Member {
                negated: false,
                item,
                set,
            } => (self.within(item, set), false),
            Test::Related {
                negated: false,
                items,
                relation,
            } => {
                let columns = items.iter().enumerate().flat_map(|(place, item)| {
                    let numbers = relation
                        .iter()
                        .filter_map(|tuple| tuple.get(place).copied());
                    self.within(item, &Members::Fixed(numbers.collect()))
                });
                (columns.collect(), false)
            }
            Test::Any(tests) => (self.hull(tests), false),
            _ => (Vec::new(), false),
        }
    }

    /// What bounds a slot whichever of these tests holds.
    fn hull(&mut self, tests: &[Test]) -> Vec<Poly> {
        let mut hull: Option<Vec<Interval>> = None;
        for test in tests {
            let mut ranges = self.ranges.clone();
            let conjuncts = match test {
                Test::All(tests) => tests.as_slice(),
                test => std::slice::from_ref(test),
            };
            for test in conjuncts {
                for poly in self.stated(test).0 {
                    self.narrow(&poly, &mut ranges);
                }
            }
            hull = Some(match hull {
                None => ranges,
                Some(hull) => hull.iter().zip(ranges).map(|(a, b)| a.hull(b)).collect(),
            });
        }
        let mut polys = Vec::new();
        for (slot, (new, old)) in hull.iter().flatten().zip(&self.ranges).enumerate() {
            let this = Poly::atom(slot);
            if new.lo > old.lo {
                polys.extend(this.subtract(&Poly::constant(new.lo)));
            }
            if new.hi < old.hi {
                polys.extend(Poly::constant(new.hi).subtract(&this));
            }
        }
        polys
    }

    /// What `item in set` says as inequalities.
    fn within(&mut self, item: &Term, set: &Members) -> Vec<Poly> {
        let hull = interval::of_members(set, &self.ranges);
        let item = self.atoms.poly(item);
        let mut polys = Vec::new();
        if hull.is_empty() {
            polys.push(Poly::constant(-1));
            return polys;
        }
        if hull.lo > -FAR {
            polys.extend(item.subtract(&Poly::constant(hull.lo)));
        }
        if hull.hi < FAR {
            polys.extend(Poly::constant(hull.hi).subtract(&item));
        } else if let Members::List(terms) = set {
            let largest = Term::Call(grundy_rules::ruleset::Function::Max, terms.clone());
            if !self.reads_choice(&largest) {
                polys.extend(self.atoms.poly(&largest).subtract(&item));
            }
        }
        polys
    }

    /// A divisor of a number that is at least 1 is at most that number.
    fn bound_divisors(&mut self) {
        for condition in &mut self.conditions {
            if let Test::Divides(divisor, number) = &condition.test {
                let (divisor, number) = (self.atoms.poly(divisor), self.atoms.poly(number));
                if self.atoms.range(&number, &self.ranges).lo >= 1 {
                    condition.inequalities.extend(number.subtract(&divisor));
                }
            }
        }
    }

    /// Where the slots lie on a box with these largest coordinates.
    pub(super) fn ranges_on(&self, extents: &[u64]) -> Vec<Interval> {
        let mut ranges = self.ranges.clone();
        for (range, &extent) in ranges.iter_mut().zip(extents) {
            range.hi = range.hi.min(extent.into());
        }
        self.propagate(&mut ranges);
        ranges
    }

    /// Narrows the ranges of coordinates and choices by the inequalities.
    pub(super) fn propagate(&self, ranges: &mut [Interval]) {
        // Each round can carry a bound one inequality further.
        for _ in 0..16 {
            let before = ranges.to_vec();
            for poly in self.inequalities() {
                self.narrow(poly, ranges);
                if self.is_dead(ranges) {
                    return;
                }
            }
            if before == ranges {
                return;
            }
        }
    }

    fn narrow(&self, poly: &Poly, ranges: &mut [Interval]) {
        if let Some(constant) = poly.as_constant() {
            if constant < 0 {
                ranges[0] = Interval::new(0, -1);
            }
            return;
        }
        let choices = self.rule.choices.iter().copied();
        for slot in (0..self.arity).chain(choices) {
            let Some((coefficient, rest)) = poly.split(slot) else {
                continue;
            };
            if coefficient.is_zero() {
                continue;
            }
            let factor = self.atoms.range(&coefficient, ranges);
            // slot * factor >= -rest >= least
            let least = -self.atoms.range(&rest, ranges).hi;
            if least <= -FAR {
                continue;
            }
            let range = &mut ranges[slot];
            if factor.lo > 0 {
                let divisor = if least > 0 { factor.hi } else { factor.lo };
                range.lo = range.lo.max(Integer::div_ceil(&least, &divisor));
            } else if factor.hi < 0 {
                let (least, divisor) = (-least, -factor.hi);
                let divisor = if least > 0 { divisor } else { -factor.lo };
                range.hi = range.hi.min(Integer::div_floor(&least, &divisor));
            }
        }
    }
}
