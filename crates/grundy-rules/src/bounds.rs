//! Which values a choice can have: interval reasoning over the guard's top-level
//! conjuncts and over the results, none of whose coordinates may be negative.
//!
//! The reasoning narrows intervals through the syntax tree, in both directions
//! (Benhamou, Goualard, Granvilliers and Puget 1999, "HC4"). It never loses a value
//! that satisfies the guard, and it may keep some that do not: enumeration
//! evaluates the guard again.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::eval::{Env, Value, item_number};
use crate::interval::{End, Interval};
use crate::position::Item;
use crate::ruleset::{
    Aggregate, Alternative, BinaryOp, Change, Comparison, Expr, Function, Guard, MoveRule,
    ParameterValue, Place, ResultTerm, Role, RowEnd, Ruleset, Scope, Set, Template, TemplateItem,
    Update, Variable,
};

/// The choices of a rule that no finite bound can be found for, in text order.
///
/// A rule with such a choice is refused: its options could not be listed.
pub fn unbounded_choices(rule: &MoveRule, ruleset: &Ruleset) -> Vec<Variable> {
    let mut unbounded = Vec::new();
    for alternative in &rule.alternatives {
        let mut reasoning = Reasoning::before_play(ruleset, &rule.scope);
        reasoning.narrow_all(&rule.guard, Some(alternative));
        for (index, name) in rule.scope.names.iter().enumerate() {
            let variable = Variable(index);
            let is_choice = matches!(name.role, Role::Choice | Role::Existential);
            let nested = option_source(&rule.guard, variable).is_some();
            if is_choice && !nested && !reasoning.intervals[index].is_finite() {
                unbounded.push(variable);
            }
        }
    }
    unbounded.sort_unstable();
    unbounded.dedup();
    unbounded
}

/// The variable `t` of a top-level condition `t -> variable`.
pub(crate) fn option_source(guard: &Guard, variable: Variable) -> Option<Variable> {
    conjuncts(guard).iter().find_map(|conjunct| match conjunct {
        Guard::Option { from, to } if *to == variable => Some(*from),
        _ => None,
    })
}

/// The top-level conjuncts of a guard.
pub(crate) fn conjuncts(guard: &Guard) -> &[Guard] {
    match guard {
        Guard::All(guards) => guards,
        single => std::slice::from_ref(single),
    }
}

/// Where the variables of a line can lie.
pub(crate) struct Reasoning<'a> {
    ruleset: &'a Ruleset,
    scope: &'a Scope,
    /// Indexed by [`Variable`]; all integers for what is no number.
    pub intervals: Vec<Interval>,
    /// The lengths of lists, indexed by [`Variable`].
    lengths: Vec<Interval>,
    row_length: Interval,
    row_numbers: Interval,
    /// Each place of the row if the row is known.
    row: Option<&'a [Item]>,
    changed: bool,
}

impl<'a> Reasoning<'a> {
    /// For all positions at once: coordinates are naturals of unknown size.
    fn before_play(ruleset: &'a Ruleset, scope: &'a Scope) -> Self {
        let intervals = scope.names.iter().map(|name| match name.role {
            Role::Coordinate | Role::Chance(_) => Interval::some_natural(),
            Role::Choice | Role::Existential => Interval::naturals(),
            Role::Bound => Interval::new(End::MinusHuge, End::Huge),
            Role::Parameter(index) => parameter_interval(&ruleset.parameters[index].value),
            Role::Rest | Role::Row => Interval::all(),
        });
        Self {
            ruleset,
            scope,
            intervals: intervals.collect(),
            lengths: vec![Interval::some_natural(); scope.names.len()],
            row_length: Interval::some_natural(),
            row_numbers: Interval::some_natural(),
            row: None,
            changed: false,
        }
    }

    /// For one position: what `env` binds is known.
    pub fn in_position(env: &Env<'a>) -> Self {
        let mut reasoning = Self::before_play(env.ruleset, env.scope);
        for (index, value) in env.values.iter().enumerate() {
            match value {
                Some(Value::Number(n)) => reasoning.intervals[index] = Interval::point(n.clone()),
                Some(Value::List(items)) => {
                    if matches!(reasoning.scope.names[index].role, Role::Rest | Role::Row) {
                        reasoning.intervals[index] = hull_of_items(items);
                    } else {
                        reasoning.intervals[index] = Interval::all();
                    }
                    reasoning.lengths[index] = Interval::point(BigInt::from(items.len()));
                }
                None => {}
            }
        }
        reasoning.row_length = Interval::point(BigInt::from(env.row.len()));
        reasoning.row_numbers = hull_of_items(env.row);
        reasoning.row = Some(env.row);
        reasoning
    }

    /// Narrows by a guard and by what must not be negative in an alternative, until nothing
    /// changes or each variable had its turn.
    pub fn narrow_all(&mut self, guard: &Guard, alternative: Option<&Alternative>) {
        for _ in 0..2 * self.intervals.len() + 2 {
            self.changed = false;
            for conjunct in conjuncts(guard) {
                self.narrow_guard(conjunct);
            }
            if let Some(alternative) = alternative {
                self.narrow_alternative(alternative);
            }
            if !self.changed {
                break;
            }
        }
    }

    /// Whether some number has no value left: then the guard cannot hold.
    pub fn is_contradictory(&self) -> bool {
        let is_number = |role| matches!(role, Role::Coordinate | Role::Choice | Role::Existential);
        let names = self.scope.names.iter().zip(&self.intervals);
        names
            .into_iter()
            .any(|(name, interval)| is_number(name.role) && interval.is_empty())
    }

    fn narrow_guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Compare(comparison, left, right) => {
                self.narrow_compare(*comparison, left, right);
            }
            Guard::Divides(divisor, _) => self.narrow(divisor, &Interval::at_least(BigInt::one())),
            Guard::Member {
                negated: false,
                item,
                set,
            } => {
                let hull = self.hull(set);
                self.narrow(item, &hull);
                if let Set::Range(from, to) = set {
                    let inside = self.interval(item);
                    self.narrow(from, &Interval::new(End::MinusInfinity, inside.high));
                    self.narrow(to, &Interval::new(inside.low, End::Infinity));
                }
            }
            Guard::Related {
                negated: false,
                items,
                relation,
            } => {
                if let Some(ParameterValue::Relation(tuples)) = self.parameter(*relation) {
                    for (index, item) in items.iter().enumerate() {
                        let column = hull_of_numbers(tuples.iter().filter_map(|t| t.get(index)));
                        self.narrow(item, &column);
                    }
                }
            }
            Guard::All(guards) => guards.iter().for_each(|guard| self.narrow_guard(guard)),
            _ => {}
        }
    }

    fn narrow_compare(&mut self, comparison: Comparison, left: &Expr, right: &Expr) {
        let one = Interval::point(BigInt::one());
        let (l, r) = (self.interval(left), self.interval(right));
        let up_to = |bound: &Interval| Interval::new(End::MinusInfinity, bound.high.clone());
        let from = |bound: &Interval| Interval::new(bound.low.clone(), End::Infinity);
        match comparison {
            Comparison::Less => {
                self.narrow(left, &up_to(&r.subtract(&one)));
                self.narrow(right, &from(&l.add(&one)));
            }
            Comparison::LessEqual => {
                self.narrow(left, &up_to(&r));
                self.narrow(right, &from(&l));
            }
            Comparison::Equal => {
                self.narrow(left, &r);
                self.narrow(right, &l);
            }
            Comparison::NotEqual => {}
            Comparison::GreaterEqual => self.narrow_compare(Comparison::LessEqual, right, left),
            Comparison::Greater => self.narrow_compare(Comparison::Less, right, left),
        }
    }

    fn narrow_alternative(&mut self, alternative: &Alternative) {
        match alternative {
            Alternative::Sum(terms) => {
                for term in terms {
                    match term {
                        ResultTerm::Component(template) => self.narrow_template(template),
                        ResultTerm::Copies { count, template } => {
                            self.narrow(count, &Interval::naturals());
                            if self.interval(count).is_at_least(1) {
                                self.narrow_template(template);
                            }
                        }
                        // Its range may be empty, so its coordinates say nothing.
                        ResultTerm::Series { .. } => {}
                    }
                }
            }
            Alternative::Updates(updates) => {
                updates.iter().for_each(|update| self.narrow_update(update));
            }
        }
    }

    fn narrow_template(&mut self, template: &Template) {
        for item in &template.items {
            match item {
                // A bare variable may hold a list.
                TemplateItem::Expr(Expr::Variable(v)) if self.role(*v) == Role::Coordinate => {}
                TemplateItem::Expr(expr) => self.narrow(expr, &Interval::naturals()),
                TemplateItem::Splice(_) => {}
                TemplateItem::List(template) => self.narrow_template(template),
            }
        }
    }

    fn narrow_update(&mut self, update: &Update) {
        let (numbers, change) = match update {
            Update::Place { place, change } => (self.place_numbers(place), change),
            Update::Remove(place) => {
                self.place_numbers(place);
                return;
            }
            Update::Every(change) => {
                let least = self
                    .row
                    .and_then(|row| row.iter().filter_map(item_number).min());
                (
                    least.map_or_else(|| self.row_numbers.clone(), Interval::point),
                    change,
                )
            }
            Update::Some { change, .. } => (self.row_numbers.clone(), change),
        };
        match change {
            Change::Decrease(by) => {
                self.narrow(by, &Interval::new(End::MinusInfinity, numbers.high));
            }
            Change::Increase(by) => {
                self.narrow(by, &Interval::new(numbers.negate().low, End::Infinity));
            }
            Change::Set(to) => self.narrow(to, &Interval::naturals()),
        }
    }

    /// Narrows the place itself, and says where the number in it lies.
    fn place_numbers(&mut self, place: &Place) -> Interval {
        match place {
            Place::Index(index) => self.indexed(index, true),
            Place::First | Place::Last => {
                let item = self.row.and_then(|row| match place {
                    Place::First => row.first(),
                    _ => row.last(),
                });
                item.and_then(item_number)
                    .map_or_else(|| self.row_numbers.clone(), Interval::point)
            }
        }
    }

    /// Where the number at a place of the row lies; narrows the place if it `must` be one.
    fn indexed(&mut self, index: &Expr, must: bool) -> Interval {
        let ring = self.ruleset.row.as_ref().is_some_and(|row| row.ring);
        if must && (!ring || matches!(index, Expr::Variable(_))) {
            let places = Interval::new(End::Finite(BigInt::one()), self.row_length.high.clone());
            self.narrow(index, &places);
        }
        let at = self.interval(index);
        match (self.row, at.low.number(), at.high.number()) {
            (Some(row), Some(low), Some(high)) if low == high && !ring => {
                let item = (low - 1u8).to_usize().and_then(|i| row.get(i));
                item.and_then(item_number)
                    .map_or_else(|| self.row_numbers.clone(), Interval::point)
            }
            _ => self.row_numbers.clone(),
        }
    }

    fn role(&self, variable: Variable) -> Role {
        self.scope.names[variable.0].role
    }

    fn parameter(&self, variable: Variable) -> Option<&'a ParameterValue> {
        match self.role(variable) {
            Role::Parameter(index) => Some(&self.ruleset.parameters[index].value),
            _ => None,
        }
    }

    /// Where the members of a set lie.
    fn hull(&self, set: &Set) -> Interval {
        match set {
            Set::List(members) => members
                .iter()
                .map(|member| self.interval(member))
                .reduce(|hull, member| hull.hull(&member))
                .unwrap_or_else(empty),
            Set::Range(from, to) => Interval::new(self.interval(from).low, self.interval(to).high),
            Set::Named(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                    hull_of_numbers(numbers)
                }
                Some(_) => Interval::all(),
                None if self.row.is_some() => self.intervals[variable.0].clone(),
                None => Interval::some_natural(),
            },
            Set::Primes | Set::PrimePowers => Interval::at_least(BigInt::from(2)),
            Set::Squares | Set::Fibonacci | Set::AllBut(_) => Interval::at_least(BigInt::one()),
            Set::Powers(_) => Interval::naturals(),
            Set::Digits { base, .. } => {
                let base = base.as_ref().map_or_else(
                    || Interval::point(BigInt::from(10)),
                    |base| self.interval(base),
                );
                let high = base.subtract(&Interval::point(BigInt::one())).high;
                Interval::new(End::Finite(BigInt::zero()), high)
            }
        }
    }

    /// Where the value of an expression lies, if it has one.
    pub fn interval(&self, expr: &Expr) -> Interval {
        match expr {
            Expr::Number(n) => Interval::point(n.clone()),
            Expr::Variable(variable) => self.intervals[variable.0].clone(),
            Expr::Index(list, place) => match self.parameter(*list) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => self
                    .known_place(place)
                    .and_then(|i| numbers.get(i))
                    .map_or_else(|| hull_of_numbers(numbers), |n| Interval::point(n.clone())),
                _ if self.role(*list) == Role::Row => {
                    let items = self.row.zip(self.known_place(place));
                    items
                        .and_then(|(row, i)| item_number(row.get(i)?))
                        .map_or_else(|| self.row_numbers.clone(), Interval::point)
                }
                _ if self.row.is_some() => self.intervals[list.0].clone(),
                _ => Interval::some_natural(),
            },
            Expr::End(end) => {
                let item = self.row.and_then(|row| match end {
                    RowEnd::First => row.first(),
                    RowEnd::Last => row.last(),
                });
                item.and_then(item_number)
                    .map_or_else(|| self.row_numbers.clone(), Interval::point)
            }
            Expr::Negate(e) => self.interval(e).negate(),
            Expr::Binary(op, left, right) => {
                forward(*op, &self.interval(left), &self.interval(right))
            }
            Expr::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|a| self.interval(a)).collect();
                call_interval(*function, &arguments)
            }
            Expr::Aggregate(aggregate, set) => self.aggregate(*aggregate, set),
        }
    }

    fn aggregate(&self, aggregate: Aggregate, set: &Set) -> Interval {
        let hull = self.hull(set);
        let length = match set {
            Set::Named(variable) if self.parameter(*variable).is_none() => {
                if self.role(*variable) == Role::Row {
                    self.row_length.clone()
                } else {
                    self.lengths[variable.0].clone()
                }
            }
            Set::Named(variable) => match self.parameter(*variable) {
                Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                    Interval::between(0, numbers.len())
                }
                _ => Interval::all(),
            },
            Set::List(members) => Interval::between(0, members.len()),
            Set::Range(from, to) => {
                let most = self.interval(to).subtract(&self.interval(from));
                let most = most.add(&Interval::point(BigInt::one()));
                // A range from 5 to 2 is empty, and has no negative length.
                Interval::point(BigInt::zero())
                    .hull(&most)
                    .intersect(&Interval::naturals())
            }
            _ => Interval::some_natural(),
        };
        let zero = Interval::point(BigInt::zero());
        match aggregate {
            Aggregate::Length => length,
            Aggregate::Sum => length.multiply(&hull).hull(&zero),
            Aggregate::Min | Aggregate::Max => hull,
            Aggregate::Gcd => hull.abs().hull(&zero),
            Aggregate::Xor => hull.bits_hull(&zero),
        }
    }

    /// Narrows the variables of an expression so that its value can lie in `target`.
    fn narrow(&mut self, expr: &Expr, target: &Interval) {
        match expr {
            Expr::Variable(variable) => {
                let old = &self.intervals[variable.0];
                let new = old.intersect(target);
                if new != *old {
                    self.intervals[variable.0] = new;
                    self.changed = true;
                }
            }
            Expr::Index(list, place) if self.role(*list) == Role::Row => {
                self.indexed(place, true);
            }
            Expr::Negate(e) => self.narrow(e, &target.negate()),
            Expr::Binary(op, left, right) => self.narrow_binary(*op, left, right, target),
            Expr::Call(function, arguments) => self.narrow_call(*function, arguments, target),
            Expr::Number(_) | Expr::Index(..) | Expr::End(_) | Expr::Aggregate(..) => {}
        }
    }

    /// The index, from 0, of a place that can be one only.
    fn known_place(&self, place: &Expr) -> Option<usize> {
        let at = self.interval(place);
        let known = at
            .low
            .number()
            .filter(|low| at.high.number() == Some(*low))?;
        (known - 1u8).to_usize()
    }

    fn narrow_binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, target: &Interval) {
        let (l, r) = (self.interval(left), self.interval(right));
        let one = Interval::point(BigInt::one());
        match op {
            BinaryOp::Add => {
                self.narrow(left, &target.subtract(&r));
                self.narrow(right, &target.subtract(&l));
            }
            BinaryOp::Subtract => {
                self.narrow(left, &target.add(&r));
                self.narrow(right, &l.subtract(target));
            }
            BinaryOp::Multiply if left == right => {
                let root = target.isqrt();
                self.narrow(left, &root.hull(&root.negate()));
            }
            BinaryOp::Multiply => {
                self.narrow(left, &target.divide_exactly(&r));
                self.narrow(right, &target.divide_exactly(&l));
            }
            BinaryOp::Divide if r.is_at_least(1) => {
                // q = floor(x / d) means q * d <= x < (q + 1) * d.
                let low = target.multiply(&r).low;
                let high = target.add(&one).multiply(&r).subtract(&one).high;
                self.narrow(left, &Interval::new(low, high));
            }
            BinaryOp::Power => {
                if let Some(base) = l.low.number().filter(|b| **b > BigInt::one()) {
                    self.narrow(right, &target.logarithm(base));
                }
                let exponent = r.low.number().and_then(ToPrimitive::to_u32);
                if let Some(exponent) = exponent.filter(|e| *e >= 1 && l.is_at_least(0)) {
                    self.narrow(left, &target.root(exponent));
                }
            }
            BinaryOp::ShiftLeft if l.is_at_least(1) && r.is_at_least(0) => {
                self.narrow(
                    left,
                    &Interval::new(End::MinusInfinity, target.high.clone()),
                );
                self.narrow(right, &target.logarithm(&BigInt::from(2)));
            }
            BinaryOp::ShiftLeft => {
                self.narrow(
                    left,
                    &Interval::new(End::MinusInfinity, target.high.clone()),
                );
            }
            BinaryOp::ShiftRight if r.is_at_least(0) => {
                let factor = Interval::point(BigInt::from(2)).power(&r);
                let high = target.add(&one).multiply(&factor).subtract(&one).high;
                self.narrow(left, &Interval::new(End::MinusInfinity, high));
            }
            BinaryOp::BitOr => {
                let below = Interval::new(End::Finite(BigInt::zero()), target.high.clone());
                self.narrow(left, &below);
                self.narrow(right, &below);
            }
            BinaryOp::Xor => {
                self.narrow(left, &target.bits_hull(&r));
                self.narrow(right, &target.bits_hull(&l));
            }
            BinaryOp::BitAnd | BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftRight => {}
        }
    }

    fn narrow_call(&mut self, function: Function, arguments: &[Expr], target: &Interval) {
        let below = Interval::new(End::MinusInfinity, target.high.clone());
        let above = Interval::new(target.low.clone(), End::Infinity);
        match function {
            Function::Min => {
                arguments
                    .iter()
                    .for_each(|argument| self.narrow(argument, &above));
                // If all others are too large, the one left is the least.
                let too_large = |reasoning: &Self, argument: &Expr| {
                    reasoning.interval(argument).low > target.high
                };
                let small: Vec<_> = arguments.iter().filter(|a| !too_large(self, a)).collect();
                if let [only] = small.as_slice() {
                    self.narrow(only, &below);
                }
            }
            Function::Max => arguments
                .iter()
                .for_each(|argument| self.narrow(argument, &below)),
            Function::Abs => {
                let high = Interval::new(End::MinusInfinity, target.high.clone());
                self.narrow(&arguments[0], &Interval::new(high.negate().low, high.high));
            }
            Function::Isqrt => {
                // r = isqrt(x) means x < (r + 1)².
                let next = target.add(&Interval::point(BigInt::one()));
                let high = Interval::new(End::Finite(BigInt::zero()), next.high);
                let high = high
                    .multiply(&high)
                    .subtract(&Interval::point(BigInt::one()))
                    .high;
                self.narrow(
                    &arguments[0],
                    &Interval::new(End::Finite(BigInt::zero()), high),
                );
            }
            Function::Gcd | Function::Omega | Function::Popcount => {}
        }
    }
}

fn empty() -> Interval {
    Interval::between(0, -1)
}

fn hull_of_numbers<'n>(numbers: impl IntoIterator<Item = &'n BigInt>) -> Interval {
    let hull = numbers.into_iter().map(|n| Interval::point(n.clone()));
    hull.reduce(|hull, point| hull.hull(&point))
        .unwrap_or_else(empty)
}

/// Where the numbers of a list lie; nested lists say nothing.
fn hull_of_items(items: &[Item]) -> Interval {
    let points = items.iter().filter_map(item_number).map(Interval::point);
    points
        .reduce(|hull, point| hull.hull(&point))
        .unwrap_or_else(empty)
}

fn parameter_interval(value: &ParameterValue) -> Interval {
    match value {
        ParameterValue::Number(n) => Interval::point(n.clone()),
        _ => Interval::all(),
    }
}

/// Where `left op right` lies.
fn forward(op: BinaryOp, left: &Interval, right: &Interval) -> Interval {
    let zero = Interval::point(BigInt::zero());
    match op {
        BinaryOp::Add => left.add(right),
        BinaryOp::Subtract => left.subtract(right),
        BinaryOp::Multiply => left.multiply(right),
        BinaryOp::Divide => left.divide(right),
        BinaryOp::Modulo => {
            let below = right.subtract(&Interval::point(BigInt::one()));
            let high = if left.is_at_least(0) {
                std::cmp::min(below.high, left.high.clone())
            } else {
                below.high
            };
            Interval::new(End::Finite(BigInt::zero()), high)
        }
        BinaryOp::Power => left.power(right),
        BinaryOp::Xor | BinaryOp::BitOr => left.bits_hull(right),
        BinaryOp::BitAnd => {
            let high = std::cmp::min(left.high.clone(), right.high.clone());
            Interval::new(End::Finite(BigInt::zero()), high)
        }
        BinaryOp::ShiftLeft => {
            let factor = Interval::point(BigInt::from(2)).power(right);
            left.multiply(&factor).hull(&zero)
        }
        BinaryOp::ShiftRight => Interval::new(End::Finite(BigInt::zero()), left.high.clone()),
    }
}

/// Where a function of numbers in these intervals lies.
fn call_interval(function: Function, arguments: &[Interval]) -> Interval {
    let fold = |pick: fn(&Interval, &Interval) -> Interval| {
        arguments
            .iter()
            .skip(1)
            .fold(arguments[0].clone(), |acc, next| pick(&acc, next))
    };
    match function {
        Function::Min => fold(|a, b| {
            Interval::new(
                std::cmp::min(&a.low, &b.low).clone(),
                std::cmp::min(&a.high, &b.high).clone(),
            )
        }),
        Function::Max => fold(|a, b| {
            Interval::new(
                std::cmp::max(&a.low, &b.low).clone(),
                std::cmp::max(&a.high, &b.high).clone(),
            )
        }),
        Function::Gcd => {
            let zero = Interval::point(BigInt::zero());
            arguments
                .iter()
                .fold(zero, |hull, argument| hull.hull(&argument.abs()))
        }
        Function::Abs => arguments[0].abs(),
        Function::Isqrt => arguments[0].isqrt(),
        Function::Omega | Function::Popcount => {
            Interval::new(End::Finite(BigInt::zero()), arguments[0].abs().high)
        }
    }
}
