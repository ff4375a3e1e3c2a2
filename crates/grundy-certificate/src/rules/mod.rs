//! From a ruleset to what may be taken from a heap and what may be left of it.
//!
//! Rules of single heaps say `[n] -> [e1] + … + [em] where guard`. Where all terms are linear
//! in `n` and the mover's choices, such a rule is a linear condition on what is removed in
//! total, `i = n - e1 - … - em`, and the heaps `x1, …, xm` that are left: the choices are
//! expressed by these, or, where the result does not determine them, tried one by one.
//! Everything else is refused: the theorems here do not speak of it.

mod guard;
mod term;

use std::cell::Cell;

use num_integer::Integer;
use num_traits::ToPrimitive;

use grundy_rules::ruleset::{
    Alternative, Compound, MoveRule, ParameterValue, PatternItem, Play, ResultTerm, Role, Ruleset,
    TemplateItem,
};
use num_bigint::BigInt;

use crate::formula::{Formula, Linear, TooLarge};
use crate::refusal::{Clause, Reason};

use term::Case;

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
