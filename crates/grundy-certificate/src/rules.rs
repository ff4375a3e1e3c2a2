//! From a ruleset to what may be taken from a heap and what may be left of it.
//!
//! Rules of single heaps say `[n] -> [e1] + … + [em] where guard`. Where all terms are linear
//! in `n` and the mover's choices, such a rule is a linear condition on what is removed in
//! total, `i = n - e1 - … - em`, and the heaps `x1, …, xm` that are left: the choices are
//! expressed by these, or, where the result does not determine them, tried one by one.
//! Everything else is refused: the theorems here do not speak of it.

use std::cell::Cell;

use num_integer::Integer;
use num_traits::ToPrimitive;

use grundy_rules::ruleset::{
    Alternative, BinaryOp, Comparison, Compound, Expr, Function, Guard, MoveRule, ParameterValue,
    PatternItem, Play, Quantifier, ResultTerm, Role, Ruleset, Set, TemplateItem, Variable,
};
use num_bigint::BigInt;

use crate::formula::{Formula, Linear, TooLarge};
use crate::refusal::{Clause, Reason};

/// How many cases a term and how many values a hidden choice may have.
const MOST_CASES: usize = 1 << 10;

/// How many cases, conditions and values reading a ruleset may make in all.
const MOST_WORK: usize = 1 << 22;

/// How many elements a set may have.
const MOST_ELEMENTS: usize = 1 << 20;

/// How many heaps a move may leave.
const MOST_PARTS: usize = 4;

/// What one alternative of a rule allows.
#[derive(Clone, Debug)]
pub struct Leaving {
    /// The index of the rule.
    pub rule: usize,
    /// How many heaps it leaves, empty ones counted.
    pub parts: usize,
    /// The condition on what is removed in total and on the heaps that are left:
    /// variable 0 and variables 1 to `parts`. The heap moved from is their sum.
    pub allowed: Formula,
}

/// What the moves from a heap leave, in a game under this convention.
pub fn leavings(ruleset: &Ruleset, play: Play) -> Result<Vec<Leaving>, Reason> {
    ordinary(ruleset, play)?;
    let work = Cell::new(MOST_WORK);
    let mut leavings = Vec::new();
    for (index, rule) in ruleset.moves.iter().enumerate() {
        for alternative in &rule.alternatives {
            let reading = Reading::new(ruleset, rule, index, &work)?;
            reading.alternative(alternative, &mut leavings)?;
        }
    }
    Ok(leavings)
}

/// Refuses whatever makes a ruleset more than moves of single heaps, alike for both players,
/// one heap at a time, under this convention.
fn ordinary(ruleset: &Ruleset, play: Play) -> Result<(), Reason> {
    if play == Play::Misere && ruleset.play == Play::Normal {
        return Err(Reason::NormalPlay);
    }
    let clauses = [
        (ruleset.play != play, Clause::Misere),
        (ruleset.row.is_some(), Clause::Row),
        (ruleset.unordered, Clause::Unordered),
        (!ruleset.starts.is_empty(), Clause::Start),
        (ruleset.compound != Compound::Disjunctive, Clause::Compound),
        (ruleset.draw_on_repetition, Clause::DrawOnRepetition),
        (!ruleset.chances.is_empty(), Clause::Chance),
        (!ruleset.endings.is_empty(), Clause::Ending),
        (
            ruleset.moves.iter().any(|rule| rule.player.is_some()),
            Clause::Player,
        ),
        (
            ruleset.moves.iter().any(|rule| rule.patterns.len() != 1),
            Clause::Joint,
        ),
    ];
    match clauses.into_iter().find(|(present, _)| *present) {
        Some((_, clause)) => Err(Reason::Clause(clause)),
        None => Ok(()),
    }
}

/// A term in one of several cases.
#[derive(Clone)]
struct Case {
    /// Where the case holds. Exactly one case of a term holds at each point.
    when: Formula,
    /// The value there is this divided by `over`, which divides it.
    value: Linear,
    over: i128,
}

/// `dividend / over`, rounded down; `over` is positive.
struct Quotient {
    dividend: Linear,
    over: i128,
}

/// Reads one rule. The space is the heap, variable 0, and the mover's choices.
struct Reading<'r> {
    ruleset: &'r Ruleset,
    rule: &'r MoveRule,
    index: usize,
    /// How many variables the space has.
    variables: usize,
    /// What the variables of the rule's scope mean, where they are numbers.
    meaning: Vec<Option<Linear>>,
    /// What the pattern says of the heap.
    pattern: Formula,
    /// How much work is left.
    work: &'r Cell<usize>,
}

impl<'r> Reading<'r> {
    fn new(
        ruleset: &'r Ruleset,
        rule: &'r MoveRule,
        index: usize,
        work: &'r Cell<usize>,
    ) -> Result<Self, Reason> {
        let is_choice = |role: Role| matches!(role, Role::Choice | Role::Existential);
        let names = &rule.scope.names;
        let variables = 1 + names.iter().filter(|name| is_choice(name.role)).count();
        let mut reading = Self {
            ruleset,
            rule,
            index,
            variables,
            meaning: vec![None; names.len()],
            pattern: Formula::Constant(true),
            work,
        };
        let mut next = 1;
        for (at, name) in names.iter().enumerate() {
            reading.meaning[at] = match name.role {
                role if is_choice(role) => {
                    next += 1;
                    Some(Linear::variable(next - 1, variables))
                }
                Role::Parameter(parameter) => match &ruleset.parameters[parameter].value {
                    ParameterValue::Number(n) => Some(reading.number(n)?),
                    _ => None,
                },
                _ => None,
            };
        }
        match rule.patterns[0].items.as_slice() {
            [PatternItem::Variable(variable)] => {
                reading.meaning[variable.0] = Some(Linear::variable(0, variables));
            }
            [PatternItem::Number(number)] => {
                let number = reading.number(&BigInt::from(number.clone()))?;
                let heap = Linear::variable(0, variables);
                reading.pattern = Formula::zero(heap.combine(1, &number, -1)?);
            }
            _ => return Err(Reason::Clause(Clause::Tuple)),
        }
        Ok(reading)
    }

    fn spend(&self, work: usize) -> Result<(), Reason> {
        let left = self.work.get().checked_sub(work).ok_or(Reason::TooLarge)?;
        self.work.set(left);
        Ok(())
    }

    /// All ways to choose a case of each term.
    fn product(&self, terms: &[Vec<Case>]) -> Result<Vec<Vec<Case>>, Reason> {
        let ways = terms
            .iter()
            .fold(1, |ways: usize, cases| ways.saturating_mul(cases.len()));
        if ways > MOST_CASES {
            return Err(Reason::TooLarge);
        }
        let size = |cases: &Vec<Case>| cases.iter().map(|case| case.when.size()).sum::<usize>();
        self.spend(ways.saturating_mul(terms.iter().map(size).sum()))?;
        let mut chosen = vec![Vec::new()];
        for cases in terms {
            let longer = |before: &Vec<Case>, case: &Case| {
                before.iter().chain([case]).cloned().collect::<Vec<_>>()
            };
            chosen = chosen
                .iter()
                .flat_map(|before| cases.iter().map(move |case| longer(before, case)))
                .collect();
        }
        Ok(chosen)
    }

    fn unreadable(&self) -> Reason {
        Reason::NotLinear {
            rule: self.rule.label.clone(),
        }
    }

    fn number(&self, n: &BigInt) -> Result<Linear, Reason> {
        let n = n.to_i128().ok_or(TooLarge)?;
        Ok(Linear::constant(n, self.variables)?)
    }

    /// Adds what an alternative allows to leave.
    fn alternative(
        mut self,
        alternative: &Alternative,
        leavings: &mut Vec<Leaving>,
    ) -> Result<(), Reason> {
        let Alternative::Sum(terms) = alternative else {
            return Err(Reason::Clause(Clause::Row));
        };
        let guard = self.guard(&self.rule.guard.clone())?;
        let mut parts: Vec<Vec<Case>> = Vec::new();
        for term in terms {
            let (count, template) = match term {
                ResultTerm::Component(template) => (1, template),
                ResultTerm::Copies { count, template } => {
                    let count = self.constant(count)?;
                    // A negative count makes the move undefined.
                    if count < 0 {
                        return Ok(());
                    }
                    (count, template)
                }
                ResultTerm::Series { .. } => return Err(self.unreadable()),
            };
            let [TemplateItem::Expr(expr)] = template.items.as_slice() else {
                return Err(Reason::Clause(Clause::Tuple));
            };
            let part = self.cases(expr)?;
            for _ in 0..count {
                if parts.len() == MOST_PARTS {
                    return Err(Reason::TooManyParts {
                        rule: self.rule.label.clone(),
                    });
                }
                parts.push(part.clone());
            }
        }
        let condition = Formula::all([guard, self.pattern.clone()]);
        for chosen in self.product(&parts)? {
            let when = chosen.iter().map(|case| case.when.clone());
            let condition = Formula::all(when.chain([condition.clone()]));
            self.spend(condition.size())?;
            leavings.push(self.leaving(&condition, &chosen)?);
        }
        Ok(())
    }

    /// Expresses a condition on the heap and the choices by what is removed and what is left.
    fn leaving(&self, condition: &Formula, parts: &[Case]) -> Result<Leaving, Reason> {
        // The wider space: removed, parts, choices.
        let first_choice = 1 + parts.len();
        let width = first_choice + self.variables - 1;
        let mut heap = Linear::constant(0, width)?;
        heap.coefficients[..first_choice].fill(1);
        let widen = |linear: &Linear| -> Result<Linear, TooLarge> {
            let mut wide = Linear::constant(linear.constant, width)?;
            wide.coefficients[first_choice..].copy_from_slice(&linear.coefficients[1..]);
            wide.combine(1, &heap, linear.coefficients[0])
        };
        let mut formula = condition.map(&mut |atom| -> Result<Formula, TooLarge> {
            Ok(match atom {
                Formula::AtMostZero(linear) => Formula::at_most_zero(widen(linear)?),
                Formula::Multiple(modulus, linear) => Formula::multiple(*modulus, widen(linear)?),
                Formula::Member(linear, set) => Formula::member(widen(linear)?, set),
                Formula::SquareAtMost(factor, root, linear) => {
                    Formula::square_at_most(*factor, widen(root)?, widen(linear)?)
                }
                compound => compound.clone(),
            })
        })?;
        // Neither the heap, nor a part, nor a choice is negative.
        let mut natural = vec![heap.scaled(-1, 0)?];
        for variable in 1..width {
            natural.push(Linear::variable(variable, width).scaled(-1, 0)?);
        }
        formula = Formula::all(
            [formula]
                .into_iter()
                .chain(natural.into_iter().map(Formula::at_most_zero)),
        );
        let (mut equations, conditions) = equations_in(formula)?;
        formula = conditions;
        for (index, part) in parts.iter().enumerate() {
            let left = Linear::variable(1 + index, width);
            equations.push(left.combine(part.over, &widen(&part.value)?, -1)?);
        }
        // Solve for one choice after the other, those with the smallest factor first.
        while let Some((at, choice)) = smallest_factor(&equations, first_choice) {
            let equation = equations.swap_remove(at);
            let factor = equation.coefficients[choice];
            let mut by = equation.scaled(-factor.signum(), 0)?;
            by.coefficients[choice] = 0;
            let over = factor.abs();
            formula = Formula::all([
                formula.substitute(choice, &by, over)?,
                Formula::multiple(over, by.clone()),
            ]);
            for equation in &mut equations {
                let factor = equation.coefficients[choice];
                equation.coefficients[choice] = 0;
                *equation = equation.combine(over, &by, factor)?;
            }
        }
        formula = Formula::all(
            [formula]
                .into_iter()
                .chain(equations.into_iter().map(Formula::zero)),
        );
        for choice in first_choice..width {
            formula = self.try_all(formula, choice)?;
        }
        let allowed = formula.map(&mut |atom| -> Result<Formula, TooLarge> {
            let mut atom = atom.clone();
            match &mut atom {
                Formula::AtMostZero(linear)
                | Formula::Multiple(_, linear)
                | Formula::Member(linear, _) => linear.coefficients.truncate(first_choice),
                Formula::SquareAtMost(_, root, linear) => {
                    root.coefficients.truncate(first_choice);
                    linear.coefficients.truncate(first_choice);
                }
                _ => {}
            }
            Ok(atom)
        })?;
        Ok(Leaving {
            rule: self.index,
            parts: parts.len(),
            allowed,
        })
    }

    /// The condition that some value of a choice satisfies, which the result does not determine.
    fn try_all(&self, formula: Formula, choice: usize) -> Result<Formula, Reason> {
        let mut occurs = false;
        formula.for_each_atom(&mut |_, linear| occurs |= linear.coefficients[choice] != 0);
        if !occurs {
            return Ok(formula);
        }
        let conjuncts = match &formula {
            Formula::All(members) => members.as_slice(),
            single => std::slice::from_ref(single),
        };
        let (mut low, mut high) = (0, None::<i128>);
        for conjunct in conjuncts {
            let (linear, least, most) = match conjunct {
                Formula::AtMostZero(linear) => (linear, None, Some(0)),
                Formula::Member(linear, set) => (linear, set.first().copied(), set.last().copied()),
                _ => continue,
            };
            let others = |(at, c): (usize, &i128)| at == choice || *c == 0;
            if !linear.coefficients.iter().enumerate().all(others) {
                continue;
            }
            let factor = linear.coefficients[choice];
            // least <= factor * choice + constant <= most
            let mut upper = |bound: i128| high = Some(high.map_or(bound, |h: i128| h.min(bound)));
            let (least, most) = (
                least.map(|n| n - linear.constant),
                most.map(|n| n - linear.constant),
            );
            if factor > 0 {
                most.into_iter()
                    .for_each(|n| upper(Integer::div_floor(&n, &factor)));
                least
                    .into_iter()
                    .for_each(|n| low = low.max(Integer::div_ceil(&n, &factor)));
            } else if factor < 0 {
                least
                    .into_iter()
                    .for_each(|n| upper(Integer::div_floor(&n, &factor)));
                most.into_iter()
                    .for_each(|n| low = low.max(Integer::div_ceil(&n, &factor)));
            }
        }
        let high = high.ok_or_else(|| Reason::ChoiceHidden {
            rule: self.rule.label.clone(),
        })?;
        if high - low >= MOST_CASES as i128 {
            return Err(Reason::TooLarge);
        }
        let width = self.space_of(&formula);
        let mut cases = Vec::new();
        for value in low..=high {
            self.spend(formula.size())?;
            cases.push(formula.substitute(choice, &Linear::constant(value, width)?, 1)?);
        }
        Ok(Formula::any(cases))
    }

    /// How many variables the atoms of a formula have; it has at least one.
    fn space_of(&self, formula: &Formula) -> usize {
        let mut width = self.variables;
        formula.for_each_atom(&mut |_, linear| width = linear.coefficients.len());
        width
    }

    /// The value of a term without variables.
    fn constant(&mut self, expr: &Expr) -> Result<i128, Reason> {
        match self.cases(expr)?.as_slice() {
            [
                Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                },
            ] => value.as_constant().ok_or_else(|| self.unreadable()),
            _ => Err(self.unreadable()),
        }
    }

    /// A term as cases of linear terms.
    fn cases(&mut self, expr: &Expr) -> Result<Vec<Case>, Reason> {
        self.spend(1)?;
        let single = |value: Linear| {
            vec![Case {
                when: Formula::Constant(true),
                value,
                over: 1,
            }]
        };
        match expr {
            Expr::Number(n) => Ok(single(self.number(n)?)),
            Expr::Variable(variable) => self.meaning[variable.0]
                .clone()
                .map(single)
                .ok_or_else(|| self.unreadable()),
            Expr::Negate(inner) => {
                let mut cases = self.cases(inner)?;
                for case in &mut cases {
                    case.value = case.value.scaled(-1, 0)?;
                }
                Ok(cases)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::Index(..) | Expr::End(_) | Expr::Aggregate(..) => Err(self.unreadable()),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Vec<Case>, Reason> {
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                let sign = if op == BinaryOp::Add { 1 } else { -1 };
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut cases = Vec::new();
                for pair in self.product(&[left, right])? {
                    cases.push(pair[0].plus(&pair[1], sign)?);
                }
                Ok(cases)
            }
            BinaryOp::Multiply => {
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut cases = Vec::new();
                for pair in self.product(&[left, right])? {
                    let (factor, other) = match (pair[0].as_constant(), pair[1].as_constant()) {
                        (Some(factor), _) => (factor, &pair[1]),
                        (_, Some(factor)) => (factor, &pair[0]),
                        _ => return Err(self.unreadable()),
                    };
                    cases.push(Case {
                        when: Formula::all([pair[0].when.clone(), pair[1].when.clone()]),
                        value: other.value.scaled(factor, 0)?,
                        over: other.over,
                    });
                }
                Ok(cases)
            }
            BinaryOp::Divide | BinaryOp::Modulo => {
                let divisor = self.constant(right)?;
                // Dividing by 0 or less has no value, or rounds otherwise.
                if divisor <= 0 {
                    return Err(self.unreadable());
                }
                let dividend = self.cases(left)?;
                if divisor.saturating_mul(dividend.len() as i128) > MOST_CASES as i128 {
                    return Err(Reason::TooLarge);
                }
                let mut cases = Vec::new();
                for case in dividend {
                    for rest in 0..divisor {
                        // value / over = divisor * quotient + rest
                        let taken = case.value.scaled(1, -rest * case.over)?;
                        let when = Formula::multiple(divisor * case.over, taken.clone());
                        let (value, over) = match op {
                            BinaryOp::Divide => (taken, divisor * case.over),
                            _ => (Linear::constant(rest, self.variables)?, 1),
                        };
                        cases.push(Case {
                            when: Formula::all([case.when.clone(), when]),
                            value,
                            over,
                        });
                    }
                }
                Ok(cases)
            }
            BinaryOp::Power => {
                let (base, exponent) = (self.constant(left)?, self.constant(right)?);
                let exponent = u32::try_from(exponent).map_err(|_| self.unreadable())?;
                let power = base.checked_pow(exponent).ok_or(TooLarge)?;
                let value = Linear::constant(power, self.variables)?;
                Ok(vec![Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                }])
            }
            BinaryOp::Xor
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => Err(self.unreadable()),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Expr]) -> Result<Vec<Case>, Reason> {
        let sign = match function {
            Function::Min => 1,
            Function::Max | Function::Abs => -1,
            _ => return Err(self.unreadable()),
        };
        let mut terms = arguments
            .iter()
            .map(|argument| self.cases(argument))
            .collect::<Result<Vec<_>, _>>()?;
        if function == Function::Abs {
            let mut negative = terms[0].clone();
            for case in &mut negative {
                case.value = case.value.scaled(-1, 0)?;
            }
            terms.push(negative);
        }
        let mut cases = Vec::new();
        for chosen in self.product(&terms)? {
            let all_when = Formula::all(chosen.iter().map(|case| case.when.clone()));
            // The first that is best: below all before it, and at most all behind it.
            for (at, best) in chosen.iter().enumerate() {
                let mut when = vec![all_when.clone()];
                for (other_at, other) in chosen.iter().enumerate() {
                    if other_at != at {
                        let strict = i128::from(other_at < at);
                        when.push(best.at_most(other, sign, strict)?);
                    }
                }
                cases.push(Case {
                    when: Formula::all(when),
                    value: best.value.clone(),
                    over: best.over,
                });
            }
        }
        cases.retain(|case| case.when != Formula::Constant(false));
        if cases.len() > MOST_CASES {
            return Err(Reason::TooLarge);
        }
        Ok(cases)
    }

    fn guard(&mut self, guard: &Guard) -> Result<Formula, Reason> {
        self.spend(1)?;
        match guard {
            Guard::All(guards) => {
                let all = guards.iter().map(|guard| self.guard(guard));
                Ok(Formula::all(all.collect::<Result<Vec<_>, _>>()?))
            }
            Guard::Any(guards) => {
                let any = guards.iter().map(|guard| self.guard(guard));
                Ok(Formula::any(any.collect::<Result<Vec<_>, _>>()?))
            }
            Guard::Not(inner) => Ok(Formula::negate(self.guard(inner)?)),
            Guard::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Guard::Divides(divisor, n) => {
                let divisor = self.constant(divisor)?;
                let n = self.cases(n)?;
                if divisor < 1 {
                    return Ok(Formula::Constant(false));
                }
                any_case(&n, |case| {
                    let modulus = divisor.checked_mul(case.over).ok_or(TooLarge)?;
                    Ok(Formula::multiple(modulus, case.value.clone()))
                })
            }
            Guard::Member {
                negated,
                item,
                set: Set::Range(from, to),
            } => {
                let inside = Formula::all([
                    self.compare(Comparison::LessEqual, from, item)?,
                    self.compare(Comparison::LessEqual, item, to)?,
                ]);
                Ok(if *negated {
                    Formula::negate(inside)
                } else {
                    inside
                })
            }
            Guard::Member { negated, item, set } => {
                let item = self.cases(item)?;
                let inside = self.member(&item, set)?;
                Ok(if *negated {
                    Formula::negate(inside)
                } else {
                    inside
                })
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                let elements = match over {
                    Set::Range(from, to) => {
                        let (from, to) = (self.constant(from)?, self.constant(to)?);
                        if to - from >= MOST_CASES as i128 {
                            return Err(Reason::TooLarge);
                        }
                        (from..=to).collect()
                    }
                    set => self.elements(set)?,
                };
                if elements.len() > MOST_CASES {
                    return Err(Reason::TooLarge);
                }
                let mut bodies = Vec::new();
                for element in elements {
                    let element = Linear::constant(element, self.variables)?;
                    let outer = self.meaning[variable.0].replace(element);
                    let body = self.guard(body);
                    self.meaning[variable.0] = outer;
                    bodies.push(body?);
                }
                Ok(match quantifier {
                    Quantifier::Some => Formula::any(bodies),
                    Quantifier::Every => Formula::all(bodies),
                })
            }
            Guard::Related { .. } | Guard::Option { .. } => Err(self.unreadable()),
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Formula, Reason> {
        let (left, right, strict) = match comparison {
            Comparison::LessEqual => (left, right, 0),
            Comparison::Less => (left, right, 1),
            Comparison::GreaterEqual => (right, left, 0),
            Comparison::Greater => (right, left, 1),
            Comparison::Equal | Comparison::NotEqual => {
                let (left, right) = (self.cases(left)?, self.cases(right)?);
                let mut equal = Vec::new();
                for pair in self.product(&[left, right])? {
                    let difference = pair[0].plus(&pair[1], -1)?;
                    equal.push(Formula::all([
                        difference.when,
                        Formula::zero(difference.value),
                    ]));
                }
                let equal = Formula::any(equal);
                return Ok(if comparison == Comparison::Equal {
                    equal
                } else {
                    Formula::negate(equal)
                });
            }
        };
        if let Some(formula) = self.of_extremum(left, right, strict)? {
            return Ok(formula);
        }
        if let Some(formula) = self.of_square(left, right, strict)? {
            return Ok(formula);
        }
        if let (Some(left), Some(right)) = (self.quotient(left)?, self.quotient(right)?) {
            // floor(d / c) + strict <= e and d + strict <= floor(e / c), without cases.
            if left.over == 1 {
                let least = left.dividend.scaled(right.over, strict * right.over)?;
                return Ok(Formula::at_most_zero(least.combine(
                    1,
                    &right.dividend,
                    -1,
                )?));
            }
            if right.over == 1 {
                let least = left.dividend.scaled(1, 1 + (strict - 1) * left.over)?;
                let excess = least.combine(1, &right.dividend, -left.over)?;
                return Ok(Formula::at_most_zero(excess));
            }
        }
        let (left, right) = (self.cases(left)?, self.cases(right)?);
        let mut any = Vec::new();
        for pair in self.product(&[left, right])? {
            any.push(Formula::all([
                pair[0].when.clone(),
                pair[1].when.clone(),
                pair[0].at_most(&pair[1], 1, strict)?,
            ]));
        }
        Ok(Formula::any(any))
    }

    /// `left + strict <= right` where the right side is a `min` or the left side a `max`.
    fn of_extremum(
        &mut self,
        left: &Expr,
        right: &Expr,
        strict: i128,
    ) -> Result<Option<Formula>, Reason> {
        let comparison = if strict == 1 {
            Comparison::Less
        } else {
            Comparison::LessEqual
        };
        let mut all = Vec::new();
        if let Expr::Call(Function::Min, arguments) = right {
            for argument in arguments {
                all.push(self.compare(comparison, left, argument)?);
            }
        } else if let Expr::Call(Function::Max, arguments) = left {
            for argument in arguments {
                all.push(self.compare(comparison, argument, right)?);
            }
        } else {
            return Ok(None);
        }
        self.spend(all.iter().map(Formula::size).sum())?;
        Ok(Some(Formula::all(all)))
    }

    /// `left + strict <= right` where the left side is the square of a choice, or the right
    /// side an integer square root and the left side a choice.
    fn of_square(
        &mut self,
        left: &Expr,
        right: &Expr,
        strict: i128,
    ) -> Result<Option<Formula>, Reason> {
        let (root, square, strict) = match (squared(left), left, right) {
            (Some(root), _, square) => (root, square, strict),
            (None, Expr::Variable(root), Expr::Call(Function::Isqrt, arguments)) if strict == 0 => {
                (*root, &arguments[0], 0)
            }
            _ => return Ok(None),
        };
        // A choice is never negative: so it is at most the root where its square is at most that.
        let Some(root) = self.meaning[root.0]
            .clone()
            .filter(|_| self.is_choice(root))
        else {
            return Ok(None);
        };
        let Some(Quotient { dividend, over }) = self.quotient(square)? else {
            return Ok(None);
        };
        let square = dividend.scaled(1, -strict * over)?;
        Ok(Some(Formula::square_at_most(over, root, square)))
    }

    /// A term as a quotient of a linear term, rounded down; `None` where it is none.
    fn quotient(&mut self, expr: &Expr) -> Result<Option<Quotient>, Reason> {
        self.spend(1)?;
        Ok(match expr {
            Expr::Binary(BinaryOp::Divide, dividend, divisor) => {
                let divisor = self.constant(divisor)?;
                // Dividing by 0 has no value, and dividing by less rounds otherwise.
                if divisor <= 0 {
                    return Err(self.unreadable());
                }
                // Rounding twice is rounding once, by the product.
                match self.quotient(dividend)? {
                    Some(Quotient { dividend, over }) => {
                        let over = over.checked_mul(divisor).filter(|over| *over < 1 << 62);
                        Some(Quotient {
                            dividend,
                            over: over.ok_or(TooLarge)?,
                        })
                    }
                    None => None,
                }
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let (Some(left), Some(right)) = (self.quotient(left)?, self.quotient(right)?)
                else {
                    return Ok(None);
                };
                let right = match op {
                    BinaryOp::Add => right,
                    // -floor(d / c) = floor((c - 1 - d) / c)
                    _ => Quotient {
                        dividend: right.dividend.scaled(-1, right.over - 1)?,
                        over: right.over,
                    },
                };
                if left.over != 1 && right.over != 1 {
                    return Ok(None);
                }
                Some(Quotient {
                    dividend: left
                        .dividend
                        .combine(right.over, &right.dividend, left.over)?,
                    over: left.over * right.over,
                })
            }
            _ => self
                .linear(expr)?
                .map(|dividend| Quotient { dividend, over: 1 }),
        })
    }

    fn is_choice(&self, variable: Variable) -> bool {
        self.rule.scope.names[variable.0].role == Role::Choice
    }

    /// A term as one linear term without cases; `None` where it is none.
    fn linear(&mut self, expr: &Expr) -> Result<Option<Linear>, Reason> {
        Ok(match self.cases(expr)?.as_slice() {
            [
                Case {
                    when: Formula::Constant(true),
                    value,
                    over: 1,
                },
            ] => Some(value.clone()),
            _ => None,
        })
    }

    /// Whether a term is in a set.
    fn member(&mut self, item: &[Case], set: &Set) -> Result<Formula, Reason> {
        match set {
            Set::Range(from, to) => {
                let (from, to) = (self.cases(from)?, self.cases(to)?);
                let mut any = Vec::new();
                for three in self.product(&[from, item.to_vec(), to])? {
                    let when = three.iter().map(|case| case.when.clone());
                    let within = [
                        three[0].at_most(&three[1], 1, 0)?,
                        three[1].at_most(&three[2], 1, 0)?,
                    ];
                    any.push(Formula::all(when.chain(within)));
                }
                Ok(Formula::any(any))
            }
            Set::AllBut(excluded) => {
                let excluded = self.member(item, excluded)?;
                let positive = any_case(item, |case| {
                    Ok(Formula::at_most_zero(
                        case.value.scaled(-1, 0)?.scaled(1, 1)?,
                    ))
                })?;
                Ok(Formula::all([positive, Formula::negate(excluded)]))
            }
            Set::List(_) | Set::Named(_) => {
                let elements = self.elements(set)?;
                any_case(item, |case| {
                    let scaled: Vec<i128> = elements
                        .iter()
                        .map(|n| n.checked_mul(case.over).ok_or(TooLarge))
                        .collect::<Result<_, _>>()?;
                    Ok(Formula::member(case.value.clone(), &scaled))
                })
            }
            Set::Primes
            | Set::PrimePowers
            | Set::Squares
            | Set::Powers(_)
            | Set::Fibonacci
            | Set::Digits { .. } => Err(self.unreadable()),
        }
    }

    /// The elements of a set of constants, ascending.
    fn elements(&mut self, set: &Set) -> Result<Vec<i128>, Reason> {
        let mut elements = match set {
            Set::List(items) => {
                if items.len() > MOST_ELEMENTS {
                    return Err(Reason::TooLarge);
                }
                items
                    .iter()
                    .map(|item| self.constant(item))
                    .collect::<Result<Vec<_>, _>>()?
            }
            Set::Named(variable) => {
                let Role::Parameter(parameter) = self.rule.scope.names[variable.0].role else {
                    return Err(self.unreadable());
                };
                match &self.ruleset.parameters[parameter].value {
                    ParameterValue::Set(numbers) | ParameterValue::List(numbers)
                        if numbers.len() <= MOST_ELEMENTS =>
                    {
                        numbers
                            .iter()
                            .map(|n| n.to_i128().ok_or(Reason::TooLarge))
                            .collect::<Result<Vec<_>, _>>()?
                    }
                    _ => return Err(self.unreadable()),
                }
            }
            _ => return Err(self.unreadable()),
        };
        if elements.iter().any(|n| n.abs() >= 1 << 62) {
            return Err(Reason::TooLarge);
        }
        elements.sort_unstable();
        elements.dedup();
        Ok(elements)
    }
}

impl Case {
    fn as_constant(&self) -> Option<i128> {
        self.value.as_constant().filter(|_| self.over == 1)
    }

    /// `self + sign * other`, where both cases hold.
    fn plus(&self, other: &Self, sign: i128) -> Result<Self, TooLarge> {
        let over = self.over.lcm(&other.over);
        Ok(Self {
            when: Formula::all([self.when.clone(), other.when.clone()]),
            value: self.value.combine(
                over / self.over,
                &other.value,
                sign * (over / other.over),
            )?,
            over,
        })
    }

    /// `sign * self + strict <= sign * other`
    fn at_most(&self, other: &Self, sign: i128, strict: i128) -> Result<Formula, TooLarge> {
        let difference = self.plus(other, -1)?;
        let excess = difference.value.scaled(sign, strict * difference.over)?;
        Ok(Formula::at_most_zero(excess))
    }
}

/// One of the cases holds, and the formula for it.
fn any_case(
    cases: &[Case],
    mut formula: impl FnMut(&Case) -> Result<Formula, Reason>,
) -> Result<Formula, Reason> {
    let mut any = Vec::with_capacity(cases.len());
    for case in cases {
        any.push(Formula::all([case.when.clone(), formula(case)?]));
    }
    Ok(Formula::any(any))
}

/// The variable `v` of `v * v` or `v ^ 2`.
fn squared(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Variable(left), Expr::Variable(right)) if left == right => Some(*left),
            _ => None,
        },
        Expr::Binary(BinaryOp::Power, base, exponent) => match (&**base, &**exponent) {
            (Expr::Variable(base), Expr::Number(two)) if *two == BigInt::from(2) => Some(*base),
            _ => None,
        },
        _ => None,
    }
}

/// The equations `linear = 0` among the members of a conjunction, and the other members.
fn equations_in(formula: Formula) -> Result<(Vec<Linear>, Formula), TooLarge> {
    let members = match formula {
        Formula::All(members) => members,
        single => vec![single],
    };
    let (mut equations, mut conditions) = (Vec::new(), Vec::new());
    for member in members {
        match &member {
            Formula::Member(linear, set) if set.len() == 1 => {
                equations.push(linear.scaled(1, -set[0])?);
            }
            _ => conditions.push(member),
        }
    }
    Ok((equations, Formula::all(conditions)))
}

/// An equation and a choice in it with the smallest factor of all.
fn smallest_factor(equations: &[Linear], first_choice: usize) -> Option<(usize, usize)> {
    let mut factors: Vec<(i128, usize, usize)> = Vec::new();
    for (at, equation) in equations.iter().enumerate() {
        let choices = equation.coefficients.iter().enumerate().skip(first_choice);
        let nonzero = choices.filter(|(_, factor)| **factor != 0);
        factors.extend(nonzero.map(|(choice, factor)| (factor.abs(), at, choice)));
    }
    factors
        .into_iter()
        .min()
        .map(|(_, at, choice)| (at, choice))
}
