//! Takes between two bounds that grow with the heap.

use std::fmt;

use grundy_rules::ruleset::{
    Alternative, BinaryOp, Comparison, Expr, Function, Guard, MoveRule, ParameterValue,
    PatternItem, ResultTerm, Role, Ruleset, Set, TemplateItem, Variable,
};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A bound of what may be taken that grows by 0 or 1 from each heap to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// Whether the integer square root of the fraction is meant, 0 below 0.
    pub root: bool,
    /// The fraction is `(times * n + plus) / over`, rounding down; `times` is at most `over`.
    pub times: BigUint,
    /// Any integer.
    pub plus: BigInt,
    /// At least 1.
    pub over: BigUint,
}

impl Bound {
    fn linear(times: BigUint, plus: BigInt, over: BigUint) -> Self {
        Self {
            root: false,
            times,
            plus,
            over,
        }
    }

    /// The bound for the heap `n`; it may be negative.
    pub fn at(&self, n: &BigUint) -> BigInt {
        let numerator = BigInt::from(n * &self.times) + &self.plus;
        let fraction = numerator.div_floor(&BigInt::from(self.over.clone()));
        if !self.root {
            fraction
        } else if fraction.is_negative() {
            BigInt::zero()
        } else {
            fraction.sqrt()
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let scaled = if self.times.is_zero() {
            None
        } else if self.times.is_one() {
            Some("n".to_owned())
        } else {
            Some(format!("{}*n", self.times))
        };
        let (numerator, is_sum) = match scaled {
            None => (self.plus.to_string(), false),
            Some(scaled) if self.plus.is_zero() => (scaled, false),
            Some(scaled) if self.plus.is_negative() => (format!("{scaled}{}", self.plus), true),
            Some(scaled) => (format!("{scaled}+{}", self.plus), true),
        };
        let fraction = match (self.over.is_one(), is_sum) {
            (true, _) => numerator,
            (false, true) => format!("({numerator})/{}", self.over),
            (false, false) => format!("{numerator}/{}", self.over),
        };
        if self.root {
            write!(f, "isqrt({fraction})")
        } else {
            f.write_str(&fraction)
        }
    }
}

/// `[n] -> [n-k] where 1 <= k <= t(n)`, where `t(n)` is the least of `n` and some bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takes {
    /// The bounds other than the heap itself, ascending, each once.
    pub bounds: Vec<Bound>,
}

impl Takes {
    /// `t(n)`: the most that may be taken from the heap `n`.
    pub fn most(&self, n: &BigUint) -> BigUint {
        let bounds = self.bounds.iter().map(|bound| bound.at(n));
        let least = bounds.fold(BigInt::from(n.clone()), BigInt::min);
        least.to_biguint().unwrap_or_default()
    }

    /// The options of the heap `n`, ascending.
    pub fn options(&self, n: usize) -> Vec<Vec<usize>> {
        let most = self.most(&BigUint::from(n));
        let most = usize::try_from(most).expect("no more than the heap is taken");
        let rest = (n - most)..n;
        rest.map(|part| if part == 0 { Vec::new() } else { vec![part] })
            .collect()
    }

    /// Reads a ruleset of one rule with one choice, which is what is taken or what is left.
    pub(crate) fn of(ruleset: &Ruleset) -> Option<Self> {
        let [rule] = ruleset.moves.as_slice() else {
            return None;
        };
        let reader = BoundReader::of(ruleset, rule)?;
        let conjuncts = match &rule.guard {
            Guard::All(guards) => guards.as_slice(),
            guard => std::slice::from_ref(guard),
        };
        let mut found = Found::default();
        for guard in conjuncts {
            reader.bound(guard, &mut found)?;
        }
        let mut bounds = found.bounds;
        bounds.sort();
        bounds.dedup();
        found.positive.then_some(Self { bounds })
    }
}

/// The most bits of a constant bound.
const MOST_BITS: u64 = 1 << 12;

/// What a guard says of what is taken.
#[derive(Default)]
struct Found {
    /// Whether at least 1 must be taken.
    positive: bool,
    bounds: Vec<Bound>,
}

/// A rule `[n] -> [n-k]`, or `[n] -> [k]`.
struct BoundReader<'r> {
    ruleset: &'r Ruleset,
    rule: &'r MoveRule,
    heap: Variable,
    choice: Variable,
    /// Whether the choice is what is left.
    left: bool,
}

impl<'r> BoundReader<'r> {
    fn of(ruleset: &'r Ruleset, rule: &'r MoveRule) -> Option<Self> {
        let [pattern] = rule.patterns.as_slice() else {
            return None;
        };
        let [PatternItem::Variable(heap)] = pattern.items.as_slice() else {
            return None;
        };
        let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
            return None;
        };
        let [ResultTerm::Component(template)] = terms.as_slice() else {
            return None;
        };
        let [TemplateItem::Expr(size)] = template.items.as_slice() else {
            return None;
        };
        let is_choice = |v: &Variable| rule.scope.names[v.0].role == Role::Choice;
        let (choice, left) = match size {
            Expr::Variable(choice) if is_choice(choice) => (*choice, true),
            Expr::Binary(BinaryOp::Subtract, whole, taken) => match (&**whole, &**taken) {
                (Expr::Variable(n), Expr::Variable(choice)) if n == heap && is_choice(choice) => {
                    (*choice, false)
                }
                _ => return None,
            },
            _ => return None,
        };
        let others = rule.scope.names.iter().enumerate();
        let mut others = others.filter(|(i, _)| *i != heap.0 && *i != choice.0);
        others
            .all(|(_, name)| matches!(name.role, Role::Parameter(_)))
            .then_some(Self {
                ruleset,
                rule,
                heap: *heap,
                choice,
                left,
            })
    }

    /// Reads one conjunct of the guard as a bound of what is taken.
    fn bound(&self, guard: &Guard, found: &mut Found) -> Option<()> {
        let (comparison, left, right) = match guard {
            Guard::Compare(comparison, left, right) => (*comparison, left, right),
            Guard::Member {
                negated: false,
                item,
                set: Set::Range(from, to),
            } => {
                self.compare(Comparison::GreaterEqual, item, from, found)?;
                return self.compare(Comparison::LessEqual, item, to, found);
            }
            _ => return None,
        };
        if self.speaks_of_choice(left) {
            self.compare(comparison, left, right, found)
        } else {
            let flipped = match comparison {
                Comparison::Less => Comparison::Greater,
                Comparison::LessEqual => Comparison::GreaterEqual,
                Comparison::GreaterEqual => Comparison::LessEqual,
                Comparison::Greater => Comparison::Less,
                same => same,
            };
            self.compare(flipped, right, left, found)
        }
    }

    fn speaks_of_choice(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Variable(variable) => *variable == self.choice,
            Expr::Binary(_, left, right) => {
                self.speaks_of_choice(left) || self.speaks_of_choice(right)
            }
            _ => false,
        }
    }

    /// Reads `item comparison limit`, where the item is the choice, a multiple or its square.
    fn compare(
        &self,
        comparison: Comparison,
        item: &Expr,
        limit: &Expr,
        found: &mut Found,
    ) -> Option<()> {
        let one = BigInt::one();
        match (comparison, self.left) {
            // k >= 1, k > 0, and what says no more.
            (Comparison::GreaterEqual, false) => {
                self.is_choice(item)?;
                let least = self.number(limit)?;
                found.positive |= least == one;
                (least <= one).then_some(())
            }
            (Comparison::Greater, false) => {
                self.is_choice(item)?;
                let below = self.number(limit)?;
                found.positive |= below.is_zero();
                (below <= BigInt::zero()).then_some(())
            }
            (Comparison::LessEqual, false) => self.at_most(item, limit, &BigInt::zero(), found),
            (Comparison::Less, false) => self.at_most(item, limit, &one, found),
            // What is left is below the heap.
            (Comparison::Less, true) => {
                self.is_choice(item)?;
                let heap = matches!(limit, Expr::Variable(v) if *v == self.heap);
                found.positive |= heap;
                heap.then_some(())
            }
            // What is left is at least f: at most n - f is taken.
            (Comparison::GreaterEqual, true) => {
                self.is_choice(item)?;
                found.bounds.push(rest(&self.linear(limit)?));
                Some(())
            }
            (Comparison::Greater, true) => {
                self.is_choice(item)?;
                found
                    .bounds
                    .push(shifted(rest(&self.linear(limit)?), &-one));
                Some(())
            }
            _ => None,
        }
    }

    fn is_choice(&self, expr: &Expr) -> Option<()> {
        matches!(expr, Expr::Variable(v) if *v == self.choice).then_some(())
    }

    /// Reads `item <= limit - less` as bounds of the choice.
    fn at_most(&self, item: &Expr, limit: &Expr, less: &BigInt, found: &mut Found) -> Option<()> {
        if let Expr::Call(Function::Min, arguments) = limit {
            return arguments
                .iter()
                .try_for_each(|limit| self.at_most(item, limit, less, found));
        }
        if let (true, Expr::Call(Function::Isqrt, arguments)) = (less.is_zero(), limit) {
            self.is_choice(item)?;
            let of = self.linear(arguments.first()?)?;
            found.bounds.push(Bound { root: true, ..of });
            return Some(());
        }
        // Where a multiple of the choice is bounded, the limit itself may grow faster.
        let limit = shifted(self.fraction(limit)?, &-less);
        let bound = match item {
            Expr::Binary(BinaryOp::Multiply, left, right) if left == right => {
                self.is_choice(left)?;
                Bound {
                    root: true,
                    ..limit
                }
            }
            Expr::Binary(BinaryOp::Power, base, exponent) => {
                self.is_choice(base)?;
                (self.number(exponent)? == BigInt::from(2)).then_some(Bound {
                    root: true,
                    ..limit
                })?
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => {
                let (factor, other) = match (self.number(left), self.number(right)) {
                    (Some(factor), _) => (factor, right),
                    (_, Some(factor)) => (factor, left),
                    _ => return None,
                };
                self.is_choice(other)?;
                let factor = factor.to_biguint().filter(|factor| !factor.is_zero())?;
                Bound {
                    over: limit.over * factor,
                    ..limit
                }
            }
            item => {
                self.is_choice(item)?;
                limit
            }
        };
        let is_slow = bound.times <= bound.over;
        is_slow.then(|| found.bounds.push(bound))
    }

    /// The number that an expression is, if it is one.
    fn number(&self, expr: &Expr) -> Option<BigInt> {
        match expr {
            Expr::Number(n) => Some(n.clone()),
            Expr::Variable(v) => match self.rule.scope.names[v.0].role {
                Role::Parameter(index) => match &self.ruleset.parameters[index].value {
                    ParameterValue::Number(n) => Some(n.clone()),
                    _ => None,
                },
                _ => None,
            },
            Expr::Binary(BinaryOp::Power, base, exponent) => {
                let exponent = u32::try_from(self.number(exponent)?).ok()?;
                let base = self.number(base)?;
                let bits = base.bits().checked_mul(u64::from(exponent))?;
                (bits <= MOST_BITS).then(|| base.pow(exponent))
            }
            _ => None,
        }
    }

    /// An expression of the heap alone as `(times * n + plus) / over`, with `times` at most `over`.
    fn linear(&self, expr: &Expr) -> Option<Bound> {
        let bound = self.fraction(expr)?;
        (bound.times <= bound.over).then_some(bound)
    }

    /// The same without the bound of `times`.
    fn fraction(&self, expr: &Expr) -> Option<Bound> {
        if let Some(n) = self.number(expr) {
            return Some(Bound::linear(BigUint::zero(), n, BigUint::one()));
        }
        match expr {
            Expr::Variable(v) => (*v == self.heap)
                .then(|| Bound::linear(BigUint::one(), BigInt::zero(), BigUint::one())),
            Expr::Binary(BinaryOp::Add, left, right) => {
                let (f, k) = self.with_number(left, right)?;
                Some(shifted(f, &k))
            }
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                let whole = self.fraction(left)?;
                if let Some(k) = self.number(right) {
                    return Some(shifted(whole, &-k));
                }
                // n - f; f never grows faster than n.
                let is_heap = matches!(&**left, Expr::Variable(v) if *v == self.heap);
                let f = self.linear(right)?;
                is_heap.then(|| rest(&f))
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => {
                let (f, k) = self.with_number(left, right)?;
                let k = k.to_biguint()?;
                f.over.is_one().then(|| {
                    let plus = f.plus * BigInt::from(k.clone());
                    Bound::linear(f.times * k, plus, f.over)
                })
            }
            Expr::Binary(BinaryOp::Divide, left, right) => {
                // Rounding down twice is rounding down once by the product.
                let f = self.fraction(left)?;
                let k = self.number(right)?.to_biguint().filter(|k| !k.is_zero())?;
                Some(Bound {
                    over: f.over * k,
                    ..f
                })
            }
            _ => None,
        }
    }

    fn with_number(&self, left: &Expr, right: &Expr) -> Option<(Bound, BigInt)> {
        match (self.number(left), self.number(right)) {
            (_, Some(k)) => Some((self.fraction(left)?, k)),
            (Some(k), _) => Some((self.fraction(right)?, k)),
            _ => None,
        }
    }
}

/// `f + k` for an integer `k`.
fn shifted(f: Bound, k: &BigInt) -> Bound {
    Bound {
        plus: f.plus + k * BigInt::from(f.over.clone()),
        ..f
    }
}

/// `n - f`: rounding down becomes rounding up, which is rounding down a little later.
fn rest(f: &Bound) -> Bound {
    let plus = BigInt::from(f.over.clone()) - 1 - &f.plus;
    Bound::linear(&f.over - &f.times, plus, f.over.clone())
}
