//! The mover's choices, one after the other, for which a guard holds.

use crate::bounds::{self, Reasoning};
use crate::budget::{Limit, Meter};
use crate::divisor;
use crate::eval::{Env, Value};
use crate::interval::End;
use crate::ruleset::{Alternative, Expr, Guard, MoveRule, Role, Variable};
use num_bigint::BigInt;
use num_traits::Zero;

use super::Direction;

pub(super) type Chosen<'c> = dyn FnMut(&mut Env, &mut Meter) -> Result<(), Limit> + 'c;

/// For which alternative of which rule choices are made, and from which end.
#[derive(Clone, Copy)]
pub(super) struct Order<'r> {
    pub moves: &'r MoveRule,
    pub alternative: &'r Alternative,
    pub direction: Direction,
}

/// Calls `chosen` for every value of the choices with an index from `first` on for which the guard
/// holds. Its recursion is as deep as the rule has choices.
pub(super) fn choose(
    env: &mut Env,
    order: Order,
    first: usize,
    meter: &mut Meter,
    chosen: &mut Chosen,
) -> Result<(), Limit> {
    let (guard, alternative) = (&order.moves.guard, Some(order.alternative));
    if !undecided_or_true(env, guard, meter)? {
        return Ok(());
    }
    let next = (first..env.values.len()).find(|index| env.scope.names[*index].role == Role::Choice);
    let Some(index) = next else {
        return if exists(env, guard, alternative, meter)? {
            chosen(env, meter)
        } else {
            Ok(())
        };
    };
    let variable = (Variable(index), order.direction);
    each_value(
        env,
        guard,
        alternative,
        variable,
        meter,
        &mut |env, meter| {
            choose(env, order, index + 1, meter, chosen)?;
            Ok(false)
        },
    )?;
    Ok(())
}

/// Whether some value of the existential choices satisfies the guard.
pub(super) fn exists(
    env: &mut Env,
    guard: &Guard,
    alternative: Option<&Alternative>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let is_open = |index: &usize| {
        env.scope.names[*index].role == Role::Existential && env.values[*index].is_none()
    };
    let Some(index) = (0..env.values.len()).find(is_open) else {
        return env.holds(guard, meter);
    };
    if !undecided_or_true(env, guard, meter)? {
        return Ok(false);
    }
    each_value(
        env,
        guard,
        alternative,
        (Variable(index), Direction::Ascending),
        meter,
        &mut |env, meter| exists(env, guard, alternative, meter),
    )
}

/// Calls `with` for each value that a choice can have, from that end on, until one call says to
/// stop; tells whether one did.
fn each_value(
    env: &mut Env,
    guard: &Guard,
    alternative: Option<&Alternative>,
    (variable, direction): (Variable, Direction),
    meter: &mut Meter,
    with: &mut dyn FnMut(&mut Env, &mut Meter) -> Result<bool, Limit>,
) -> Result<bool, Limit> {
    let mut stopped = false;
    if let Some(source) = bounds::option_source(guard, variable) {
        for list in env.nested_options(source, meter)? {
            env.values[variable.0] = Some(Value::List(list.0));
            stopped = with(env, meter)?;
            if stopped {
                break;
            }
        }
    } else {
        let mut reasoning = Reasoning::in_position(env);
        reasoning.narrow_all(guard, alternative);
        let interval = reasoning.intervals[variable.0].clone();
        if reasoning.is_contradictory() {
            return Ok(false);
        }
        let (End::Finite(low), End::Finite(high)) = (interval.low, interval.high) else {
            return Err(Limit::Steps);
        };
        let mut candidates = Candidates::new(env, guard, variable, (low, high), direction, meter)?;
        while let Some(next) = candidates.next() {
            meter.spend(1)?;
            env.values[variable.0] = Some(Value::Number(next));
            stopped = with(env, meter)?;
            if stopped {
                break;
            }
        }
    }
    env.values[variable.0] = None;
    Ok(stopped)
}

/// The fewest values of a choice for which its divisibility is used.
const MANY_VALUES: u32 = 1 << 12;

/// The values that a choice can have, from one end on.
enum Candidates {
    /// All numbers from the next one to the last one.
    Range {
        next: BigInt,
        low: BigInt,
        high: BigInt,
        step: i8,
    },
    /// These, the next one last.
    Listed(Vec<BigInt>),
}

impl Candidates {
    /// All values between two, or, where they are many and a condition says that the choice divides a number known
    /// by now, its divisors. The condition is still to be checked with all others.
    pub(super) fn new(
        env: &Env,
        guard: &Guard,
        variable: Variable,
        (low, high): (BigInt, BigInt),
        direction: Direction,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        if &high - &low >= MANY_VALUES.into() {
            for conjunct in bounds::conjuncts(guard) {
                let Guard::Divides(Expr::Variable(divisor), multiple) = conjunct else {
                    continue;
                };
                if *divisor != variable {
                    continue;
                }
                let multiple = env.number(multiple, meter)?;
                let Some(multiple) = multiple.filter(|n| !n.is_zero()) else {
                    continue;
                };
                let factors = divisor::factors(multiple.magnitude(), meter)?;
                let all = divisor::divisors(&factors, meter)?.into_iter();
                let mut all: Vec<_> = all.map(BigInt::from).collect();
                all.retain(|d| low <= *d && *d <= high);
                if matches!(direction, Direction::Ascending) {
                    all.reverse();
                }
                return Ok(Self::Listed(all));
            }
        }
        let (next, step) = match direction {
            Direction::Ascending => (low.clone(), 1),
            Direction::Descending => (high.clone(), -1),
        };
        Ok(Self::Range {
            next,
            low,
            high,
            step,
        })
    }

    pub(super) fn next(&mut self) -> Option<BigInt> {
        match self {
            Self::Listed(all) => all.pop(),
            Self::Range {
                next,
                low,
                high,
                step,
            } => {
                let inside = *low <= *next && *next <= *high;
                inside.then(|| {
                    let value = next.clone();
                    *next += *step;
                    value
                })
            }
        }
    }
}

/// False only if a top-level conjunct whose variables are all bound is false.
fn undecided_or_true(env: &mut Env, guard: &Guard, meter: &mut Meter) -> Result<bool, Limit> {
    for conjunct in bounds::conjuncts(guard) {
        if is_closed(env, conjunct) && !env.holds(conjunct, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no choice that is still open stands in a condition.
fn is_closed(env: &Env, guard: &Guard) -> bool {
    let mut closed = true;
    guard.for_each_variable(&mut |variable| {
        let open = matches!(
            env.scope.names[variable.0].role,
            Role::Choice | Role::Existential
        );
        closed = closed && !(open && env.values[variable.0].is_none());
    });
    closed
}
