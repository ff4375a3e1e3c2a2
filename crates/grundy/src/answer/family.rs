//! The options of one heap of any size as families of numbers: too many to list, but
//! described by bounds, residues and affine parts.

use std::collections::BTreeSet;

use grundy_rules::eval::{Env, Value};
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Comparison, Expr, Guard, MoveRule, ParameterValue, PatternItem,
    ResultTerm, Role, Set, Template, TemplateItem, Variable,
};
use grundy_rules::{Limit, Meter, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The options that one alternative of a rule gives a heap while one choice runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the alternative among those of the rule.
    pub alternative: usize,
    /// The choices by name, in text order; the running one has no value.
    pub choices: Vec<(String, Option<BigInt>)>,
    /// The heaps left, as functions of the running choice.
    pub parts: Vec<Affine>,
    /// The values of the running choice, ascending and disjoint. A family without a running
    /// choice has the one value 0.
    pub pieces: Vec<Piece>,
}

/// `constant + slope * x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// The value at x = 0.
    pub constant: BigInt,
    /// The growth with x.
    pub slope: BigInt,
}

impl Affine {
    fn constant(constant: BigInt) -> Self {
        Self {
            constant,
            slope: BigInt::zero(),
        }
    }

    /// The value at `x`.
    pub fn at(&self, x: &BigInt) -> BigInt {
        &self.constant + &self.slope * x
    }
}

/// Some values of a running choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// These, ascending.
    Points(Vec<BigInt>),
    /// The numbers from `low` to `high` that leave one of `residues` modulo `modulus`.
    Range {
        /// The least.
        low: BigInt,
        /// The largest.
        high: BigInt,
        /// At least 1.
        modulus: u64,
        /// Ascending, below `modulus`.
        residues: Vec<u64>,
    },
}

/// The largest modulus, and the largest number of values of all other choices, dealt with.
const MOST: u64 = 1 << 20;

/// The options of the heap `n`, as families in the order: rule, alternative, choices that do not
/// run ascending; `None` where a rule is outside what families describe.
pub fn families(
    ruleset: &Ruleset,
    n: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Vec<Family>>, Limit> {
    let mut all = Vec::new();
    if !ruleset.starts.is_empty() || ruleset.row.is_some() {
        return Ok(None);
    }
    for (index, rule) in ruleset.moves.iter().enumerate() {
        let [pattern] = rule.patterns.as_slice() else {
            return Ok(None);
        };
        let mut env = Env::new(ruleset, &rule.scope, &[]);
        match pattern.items.as_slice() {
            [PatternItem::Variable(variable)] => {
                env.values[variable.0] = Some(Value::Number(n.clone().into()));
            }
            [PatternItem::Number(wanted)] if wanted == n => {}
            [PatternItem::Number(_)] => continue,
            _ => return Ok(None),
        }
        for (place, alternative) in rule.alternatives.iter().enumerate() {
            let Alternative::Sum(terms) = alternative else {
                return Ok(None);
            };
            let Some(parts) = part_expressions(terms) else {
                return Ok(None);
            };
            let mut builder = Builder {
                rule,
                place: (index, place),
                parts: &parts,
                meter,
                all: &mut all,
            };
            if builder.add(&mut env)?.is_none() {
                return Ok(None);
            }
        }
    }
    Ok(Some(all))
}

/// The heaps of a result that is a sum of heaps.
fn part_expressions(terms: &[ResultTerm]) -> Option<Vec<&Expr>> {
    let heap = |template: &Template| template.items.len() == 1;
    let mut parts = Vec::new();
    for term in terms {
        match term {
            ResultTerm::Component(template) if heap(template) => match &template.items[0] {
                TemplateItem::Expr(expr) => parts.push(expr),
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(parts)
}

struct Builder<'b, 'm> {
    rule: &'b MoveRule,
    /// The indices of the rule and the alternative.
    place: (usize, usize),
    parts: &'b [&'b Expr],
    meter: &'b mut Meter<'m>,
    all: &'b mut Vec<Family>,
}

impl Builder<'_, '_> {
    /// Adds the families for what `env` binds; `None` where they cannot be described.
    fn add(&mut self, env: &mut Env) -> Result<Option<()>, Limit> {
        let open = self.open(env);
        if open
            .iter()
            .any(|v| self.rule.scope.names[v.0].role == Role::Existential)
        {
            return Ok(None);
        }
        match open.as_slice() {
            [] => self.add_single(env),
            [running] => self.add_running(env, *running),
            several => {
                // All but one choice must be few; the first that is takes its values in turn.
                for choice in several {
                    let Some(values) = self.few_values(env, *choice)? else {
                        continue;
                    };
                    for value in values {
                        env.values[choice.0] = Some(Value::Number(value));
                        let added = self.add(env)?;
                        env.values[choice.0] = None;
                        if added.is_none() {
                            return Ok(None);
                        }
                    }
                    return Ok(Some(()));
                }
                Ok(None)
            }
        }
    }

    fn open(&self, env: &Env) -> Vec<Variable> {
        let names = self.rule.scope.names.iter().enumerate();
        let choices =
            names.filter(|(_, name)| matches!(name.role, Role::Choice | Role::Existential));
        choices
            .map(|(i, _)| Variable(i))
            .filter(|v| env.values[v.0].is_none())
            .collect()
    }

    /// The values of a choice, if the conditions on it alone leave few.
    fn few_values(
        &mut self,
        env: &mut Env,
        choice: Variable,
    ) -> Result<Option<Vec<BigInt>>, Limit> {
        let mut domain = Domain::naturals();
        for conjunct in conjuncts(&self.rule.guard) {
            let alone = is_about(conjunct, |v| {
                v == choice || env.values[v.0].is_some() || env.parameter(v).is_some()
            });
            if alone && mentions(conjunct, choice) {
                domain.restrict(env, choice, conjunct, self.meter)?;
            }
        }
        Ok(domain.few())
    }

    /// A result without a running choice.
    fn add_single(&mut self, env: &mut Env) -> Result<Option<()>, Limit> {
        if !env.holds(&self.rule.guard, self.meter)? {
            return Ok(Some(()));
        }
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in self.parts {
            match env.number(part, self.meter)? {
                Some(n) if !n.is_negative() => parts.push(Affine::constant(n)),
                _ => return Ok(Some(())),
            }
        }
        let pieces = vec![Piece::Points(vec![BigInt::zero()])];
        let choices = self.choices(env);
        self.all.push(Family {
            rule: self.place.0,
            alternative: self.place.1,
            choices,
            parts,
            pieces,
        });
        Ok(Some(()))
    }

    fn choices(&self, env: &Env) -> Vec<(String, Option<BigInt>)> {
        let names = self.rule.scope.names.iter().zip(&env.values);
        names
            .filter(|(name, _)| name.role == Role::Choice)
            .map(|(name, value)| match value {
                Some(Value::Number(n)) => (name.name.clone(), Some(n.clone())),
                _ => (name.name.clone(), None),
            })
            .collect()
    }

    fn add_running(&mut self, env: &mut Env, running: Variable) -> Result<Option<()>, Limit> {
        let mut domain = Domain::naturals();
        for conjunct in conjuncts(&self.rule.guard) {
            let supported = if mentions(conjunct, running) {
                domain.restrict(env, running, conjunct, self.meter)?
            } else {
                if !env.holds(conjunct, self.meter)? {
                    return Ok(Some(()));
                }
                true
            };
            if !supported {
                return Ok(None);
            }
        }
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in self.parts {
            let Some(affine) = affine(env, running, part, self.meter)? else {
                return Ok(None);
            };
            domain.at_least_zero(&affine);
            parts.push(affine);
        }
        let Some(pieces) = domain.pieces() else {
            return Ok(None);
        };
        let choices = self.choices(env);
        self.all.push(Family {
            rule: self.place.0,
            alternative: self.place.1,
            choices,
            parts,
            pieces,
        });
        Ok(Some(()))
    }
}

fn conjuncts(guard: &Guard) -> &[Guard] {
    match guard {
        Guard::All(guards) => guards,
        single => std::slice::from_ref(single),
    }
}

fn mentions(guard: &Guard, variable: Variable) -> bool {
    !is_about(guard, |v| v != variable)
}

/// Whether all variables of a condition satisfy `test`.
fn is_about(guard: &Guard, test: impl Fn(Variable) -> bool) -> bool {
    let mut all = true;
    guard.for_each_variable(&mut |v| all = all && test(v));
    all
}

/// An expression as a function of the running choice, everything else being bound.
fn affine(
    env: &Env,
    running: Variable,
    expr: &Expr,
    meter: &mut Meter,
) -> Result<Option<Affine>, Limit> {
    let mut free = true;
    expr.for_each_variable(&mut |v| free = free && v != running);
    if free {
        return Ok(env.number(expr, meter)?.map(Affine::constant));
    }
    Ok(match expr {
        Expr::Variable(_) => Some(Affine {
            constant: BigInt::zero(),
            slope: BigInt::one(),
        }),
        Expr::Negate(inner) => affine(env, running, inner, meter)?.map(|a| Affine {
            constant: -a.constant,
            slope: -a.slope,
        }),
        Expr::Binary(op, left, right) => {
            let (Some(l), Some(r)) = (
                affine(env, running, left, meter)?,
                affine(env, running, right, meter)?,
            ) else {
                return Ok(None);
            };
            match op {
                BinaryOp::Add => Some(Affine {
                    constant: l.constant + r.constant,
                    slope: l.slope + r.slope,
                }),
                BinaryOp::Subtract => Some(Affine {
                    constant: l.constant - r.constant,
                    slope: l.slope - r.slope,
                }),
                BinaryOp::Multiply if l.slope.is_zero() => Some(Affine {
                    constant: &l.constant * r.constant,
                    slope: l.constant * r.slope,
                }),
                BinaryOp::Multiply if r.slope.is_zero() => Some(Affine {
                    constant: &r.constant * l.constant,
                    slope: r.constant * l.slope,
                }),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The values that are left to a running choice.
struct Domain {
    low: BigInt,
    high: Option<BigInt>,
    modulus: u64,
    residues: Vec<u64>,
    excluded: BTreeSet<BigInt>,
    only: Option<BTreeSet<BigInt>>,
}

impl Domain {
    fn naturals() -> Self {
        Self {
            low: BigInt::zero(),
            high: None,
            modulus: 1,
            residues: vec![0],
            excluded: BTreeSet::new(),
            only: None,
        }
    }

    fn at_most(&mut self, bound: BigInt) {
        self.high = Some(
            self.high
                .take()
                .map_or(bound.clone(), |high| high.min(bound)),
        );
    }

    fn empty(&mut self) {
        self.only = Some(BTreeSet::new());
    }

    /// Keeps the x for which an affine function of x is at least 0.
    fn at_least_zero(&mut self, affine: &Affine) {
        let slope = &affine.slope;
        if slope.is_positive() {
            self.low = (-&affine.constant).div_ceil(slope).max(self.low.clone());
        } else if slope.is_negative() {
            self.at_most(affine.constant.div_floor(&-slope));
        } else if affine.constant.is_negative() {
            self.empty();
        }
    }

    /// Keeps the x for which `(constant + slope x) mod modulus` is in `wanted`; false if the
    /// modulus is out of reach.
    fn congruent(
        &mut self,
        affine: &Affine,
        modulus: &BigInt,
        wanted: impl Fn(u64) -> bool,
    ) -> bool {
        let Some(m) = modulus.to_u64().filter(|m| (1..=MOST).contains(m)) else {
            return false;
        };
        let common = self.modulus.lcm(&m);
        if common > MOST {
            return false;
        }
        let old = std::mem::take(&mut self.residues);
        self.residues = (0..common)
            .filter(|x| old.binary_search(&(x % self.modulus)).is_ok())
            .filter(|x| {
                let value = affine.at(&BigInt::from(*x)).mod_floor(modulus);
                wanted(value.to_u64().expect("a residue is below its modulus"))
            })
            .collect();
        self.modulus = common;
        true
    }

    fn keep_only(&mut self, values: BTreeSet<BigInt>) {
        self.only = Some(match self.only.take() {
            None => values,
            Some(only) => only.intersection(&values).cloned().collect(),
        });
    }

    /// Restricts by a condition on the running choice; false if that cannot be described.
    fn restrict(
        &mut self,
        env: &Env,
        running: Variable,
        guard: &Guard,
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        Ok(match guard {
            Guard::Compare(comparison, left, right) => {
                if let Some(done) = self.restrict_modulo(env, running, guard, meter)? {
                    return Ok(done);
                }
                let (Some(l), Some(r)) = (
                    affine(env, running, left, meter)?,
                    affine(env, running, right, meter)?,
                ) else {
                    return Ok(false);
                };
                let difference = |greater: &Affine, less: &Affine, least: i32| Affine {
                    constant: &greater.constant - &less.constant - least,
                    slope: &greater.slope - &less.slope,
                };
                match comparison {
                    Comparison::Less => self.at_least_zero(&difference(&r, &l, 1)),
                    Comparison::LessEqual => self.at_least_zero(&difference(&r, &l, 0)),
                    Comparison::Greater => self.at_least_zero(&difference(&l, &r, 1)),
                    Comparison::GreaterEqual => self.at_least_zero(&difference(&l, &r, 0)),
                    Comparison::Equal => {
                        self.at_least_zero(&difference(&l, &r, 0));
                        self.at_least_zero(&difference(&r, &l, 0));
                    }
                    Comparison::NotEqual => {
                        let zero = difference(&l, &r, 0);
                        if zero.slope.is_zero() {
                            if zero.constant.is_zero() {
                                self.empty();
                            }
                        } else if (-&zero.constant).is_multiple_of(&zero.slope) {
                            self.excluded.insert(-zero.constant / zero.slope);
                        }
                    }
                }
                true
            }
            Guard::Divides(divisor, n) => {
                match (
                    affine(env, running, divisor, meter)?,
                    affine(env, running, n, meter)?,
                ) {
                    (Some(divisor), Some(n)) if divisor.slope.is_zero() => {
                        self.congruent(&n, &divisor.constant, |residue| residue == 0)
                    }
                    _ => false,
                }
            }
            Guard::Member {
                negated,
                item: Expr::Variable(v),
                set,
            } if *v == running => self.restrict_member(env, *negated, set, meter)?,
            Guard::All(guards) => {
                for guard in guards {
                    if !self.restrict(env, running, guard, meter)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        })
    }

    /// A comparison of `e mod m` with a number; `None` if the condition has another form.
    fn restrict_modulo(
        &mut self,
        env: &Env,
        running: Variable,
        guard: &Guard,
        meter: &mut Meter,
    ) -> Result<Option<bool>, Limit> {
        let Guard::Compare(comparison, left, right) = guard else {
            return Ok(None);
        };
        let Expr::Binary(BinaryOp::Modulo, inner, modulus) = left else {
            return Ok(None);
        };
        let (Some(inner), Some(modulus), Some(right)) = (
            affine(env, running, inner, meter)?,
            affine(env, running, modulus, meter)?,
            affine(env, running, right, meter)?,
        ) else {
            return Ok(None);
        };
        if !modulus.slope.is_zero() || !right.slope.is_zero() {
            return Ok(None);
        }
        let holds = |residue: u64| {
            let residue = BigInt::from(residue);
            match comparison {
                Comparison::Less => residue < right.constant,
                Comparison::LessEqual => residue <= right.constant,
                Comparison::Equal => residue == right.constant,
                Comparison::NotEqual => residue != right.constant,
                Comparison::GreaterEqual => residue >= right.constant,
                Comparison::Greater => residue > right.constant,
            }
        };
        Ok(Some(self.congruent(&inner, &modulus.constant, holds)))
    }

    fn restrict_member(
        &mut self,
        env: &Env,
        negated: bool,
        set: &Set,
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        let listed = |set: &Set, meter: &mut Meter| -> Result<Option<BTreeSet<BigInt>>, Limit> {
            Ok(match set {
                Set::Named(v) => match env.parameter(*v) {
                    Some(ParameterValue::Set(numbers) | ParameterValue::List(numbers)) => {
                        Some(numbers.iter().cloned().collect())
                    }
                    _ => None,
                },
                Set::List(members) => {
                    let mut values = BTreeSet::new();
                    for member in members {
                        match env.number(member, meter)? {
                            Some(n) => values.insert(n),
                            None => return Ok(None),
                        };
                    }
                    Some(values)
                }
                _ => None,
            })
        };
        Ok(match (set, negated) {
            (Set::Range(from, to), false) => {
                let (Some(from), Some(to)) = (env.number(from, meter)?, env.number(to, meter)?)
                else {
                    return Ok(false);
                };
                self.low = from.max(self.low.clone());
                self.at_most(to);
                true
            }
            (Set::AllBut(inner), false) => match listed(inner, meter)? {
                Some(values) => {
                    self.low = BigInt::one().max(self.low.clone());
                    self.excluded.extend(values);
                    true
                }
                None => false,
            },
            (set, negated) => match listed(set, meter)? {
                Some(values) if negated => {
                    self.excluded.extend(values);
                    true
                }
                Some(values) => {
                    self.keep_only(values);
                    true
                }
                None => false,
            },
        })
    }

    fn contains(&self, x: &BigInt) -> bool {
        let residue = x.mod_floor(&BigInt::from(self.modulus));
        let residue = residue.to_u64().expect("a residue is below its modulus");
        *x >= self.low
            && self.high.as_ref().is_none_or(|high| x <= high)
            && !self.excluded.contains(x)
            && self.residues.binary_search(&residue).is_ok()
    }

    /// All values, if there are few.
    fn few(&self) -> Option<Vec<BigInt>> {
        if let Some(only) = &self.only {
            return Some(only.iter().filter(|x| self.contains(x)).cloned().collect());
        }
        let high = self.high.as_ref()?;
        if high < &self.low {
            return Some(Vec::new());
        }
        let span = (high - &self.low).to_u64().filter(|span| *span < MOST)?;
        Some(
            (0..=span)
                .map(|d| &self.low + d)
                .filter(|x| self.contains(x))
                .collect(),
        )
    }

    /// The values as pieces; `None` if there is no largest.
    fn pieces(mut self) -> Option<Vec<Piece>> {
        if let Some(only) = &self.only {
            let points = only.iter().filter(|x| self.contains(x)).cloned().collect();
            return Some(vec![Piece::Points(points)]);
        }
        let end = self.high.clone()?;
        let excluded = std::mem::take(&mut self.excluded);
        let mut pieces = Vec::new();
        let mut low = self.low.clone();
        let walls = excluded.into_iter().filter(|x| *x <= end).chain([&end + 1]);
        for wall in walls {
            let high = &wall - 1;
            if low <= high {
                pieces.push(Piece::Range {
                    low: low.clone(),
                    high,
                    modulus: self.modulus,
                    residues: self.residues.clone(),
                });
            }
            low = low.max(wall + 1);
        }
        Some(pieces)
    }
}
