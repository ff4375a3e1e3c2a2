//! How much can be proved about what the conditions of rules say.

use std::collections::BTreeSet;

use grundy_rules::eval::Env;
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Expr, Function, Guard, MoveRule, PatternItem, ResultTerm, Role, Scope,
    Set, Template, TemplateItem,
};
use grundy_rules::{Budget, Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::One;

/// By which automata a rule's condition and results can be written, so that laws can be proved
/// of all numbers: sums and comparisons are automatic in every base, the powers of p only in
/// bases that are powers of a common root (Büchi 1960, Cobham 1969).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Automata in any numeration system.
    AnyBase,
    /// Automata in the bases that are powers of this number.
    Base(BigUint),
    /// Automata over the Fibonacci numeration system (Zeckendorf).
    Fibonacci,
    /// No automata: tables and theorems about this very game.
    Tables(BTreeSet<Beyond>),
}

/// What keeps a rule from being written by automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beyond {
    /// Rows and lists have no fixed number of coordinates.
    Lists,
    /// A product of two unknown numbers.
    Product,
    /// A quotient or remainder by an unknown number.
    Quotient,
    /// A power with an unknown base or exponent, or a shift by an unknown number.
    Power,
    /// `d | n` with an unknown divisor.
    Divisor,
    /// `gcd`
    Gcd,
    /// `isqrt`
    Root,
    /// `omega`
    Omega,
    /// `popcount`
    Popcount,
    /// `primes`, `prime powers`
    Primes,
    /// `squares`
    Squares,
    /// `digits of`
    Digits,
    /// `some …:`, `every …:`
    Quantifier,
    /// `k of [e]` with an unknown number, or a series of unknown length.
    ManyParts,
    /// A move inside a move, `t -> u`.
    NestedMove,
    /// Numbers in systems that have no common base.
    TwoBases,
}

/// How much can be proved of a rule.
pub fn reach(ruleset: &Ruleset, rule: &MoveRule) -> Reach {
    let mut survey = Survey {
        ruleset,
        scope: &rule.scope,
        beyond: BTreeSet::new(),
        bases: Vec::new(),
        fibonacci: false,
    };
    let lists = ruleset.row.is_some()
        || rule
            .patterns
            .iter()
            .flat_map(|pattern| &pattern.items)
            .any(|item| matches!(item, PatternItem::Rest(_) | PatternItem::List(_)));
    if lists {
        survey.beyond.insert(Beyond::Lists);
    }
    survey.guard(&rule.guard);
    for alternative in &rule.alternatives {
        survey.alternative(alternative);
    }
    survey.verdict()
}

struct Survey<'r> {
    ruleset: &'r Ruleset,
    scope: &'r Scope,
    beyond: BTreeSet<Beyond>,
    /// The roots of the bases that words are read in.
    bases: Vec<BigUint>,
    fibonacci: bool,
}

impl Survey<'_> {
    fn verdict(mut self) -> Reach {
        let two_bases = self.bases.windows(2).any(|pair| pair[0] != pair[1]);
        if two_bases || self.fibonacci && !self.bases.is_empty() {
            self.beyond.insert(Beyond::TwoBases);
        }
        if !self.beyond.is_empty() {
            Reach::Tables(self.beyond)
        } else if self.fibonacci {
            Reach::Fibonacci
        } else {
            self.bases.pop().map_or(Reach::AnyBase, Reach::Base)
        }
    }

    /// Whether an expression is the same number in every position.
    fn is_constant(&self, expr: &Expr) -> bool {
        let mut fixed = !matches!(expr, Expr::End(_));
        expr.for_each_variable(&mut |variable| {
            fixed = fixed && matches!(self.scope.names[variable.0].role, Role::Parameter(_));
        });
        fixed
    }

    fn expr(&mut self, expr: &Expr) {
        if self.is_constant(expr) {
            return;
        }
        match expr {
            Expr::Number(_) | Expr::Variable(_) => {}
            Expr::Negate(e) => self.expr(e),
            Expr::Index(list, place) => {
                if !matches!(self.scope.names[list.0].role, Role::Parameter(_)) {
                    self.beyond.insert(Beyond::Lists);
                }
                self.expr(place);
            }
            Expr::End(_) => {
                self.beyond.insert(Beyond::Lists);
            }
            Expr::Aggregate(_, set) => {
                self.beyond.insert(match set {
                    Set::Digits { .. } => Beyond::Digits,
                    _ => Beyond::Lists,
                });
                self.set(set);
            }
            Expr::Call(function, arguments) => {
                match function {
                    Function::Min | Function::Max | Function::Abs => {}
                    Function::Gcd => {
                        self.beyond.insert(Beyond::Gcd);
                    }
                    Function::Isqrt => {
                        self.beyond.insert(Beyond::Root);
                    }
                    Function::Omega => {
                        self.beyond.insert(Beyond::Omega);
                    }
                    Function::Popcount => {
                        self.beyond.insert(Beyond::Popcount);
                    }
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            Expr::Binary(op, left, right) => {
                self.binary(*op, left, right);
                self.expr(left);
                self.expr(right);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let (fixed_left, fixed_right) = (self.is_constant(left), self.is_constant(right));
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {}
            BinaryOp::Multiply if fixed_left || fixed_right => {}
            BinaryOp::Multiply => {
                self.beyond.insert(Beyond::Product);
            }
            BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftLeft | BinaryOp::ShiftRight
                if fixed_right => {}
            BinaryOp::Divide | BinaryOp::Modulo => {
                self.beyond.insert(Beyond::Quotient);
            }
            BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                self.beyond.insert(Beyond::Power);
            }
            BinaryOp::Xor | BinaryOp::BitAnd | BinaryOp::BitOr => self.base(&BigUint::from(2u8)),
        }
    }

    fn base(&mut self, base: &BigUint) {
        if *base >= BigUint::from(2u8) {
            self.bases.push(root(base));
        }
    }

    fn set(&mut self, set: &Set) {
        match set {
            Set::List(members) => members.iter().for_each(|member| self.expr(member)),
            Set::Range(from, to) => {
                self.expr(from);
                self.expr(to);
            }
            Set::Named(variable) => {
                if !matches!(self.scope.names[variable.0].role, Role::Parameter(_)) {
                    self.beyond.insert(Beyond::Lists);
                }
            }
            Set::Primes | Set::PrimePowers => {
                self.beyond.insert(Beyond::Primes);
            }
            Set::Squares => {
                self.beyond.insert(Beyond::Squares);
            }
            Set::Fibonacci => self.fibonacci = true,
            Set::Powers(p) if self.is_constant(p) => {
                let env = Env::new(self.ruleset, self.scope, &[]);
                let mut meter = Meter::new(Budget::default());
                match env.number(p, &mut meter) {
                    Ok(p) => self.base(&p.and_then(|p| p.to_biguint()).unwrap_or_default()),
                    Err(_) => {
                        self.beyond.insert(Beyond::Power);
                    }
                }
            }
            Set::Powers(_) => {
                self.beyond.insert(Beyond::Power);
            }
            Set::AllBut(excluded) => self.set(excluded),
            Set::Digits { of, base } => {
                self.beyond.insert(Beyond::Digits);
                self.expr(of);
                if let Some(base) = base {
                    self.expr(base);
                }
            }
        }
    }

    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::All(guards) | Guard::Any(guards) => {
                guards.iter().for_each(|guard| self.guard(guard));
            }
            Guard::Not(guard) => self.guard(guard),
            Guard::Compare(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Guard::Divides(divisor, n) => {
                if !self.is_constant(divisor) {
                    self.beyond.insert(Beyond::Divisor);
                }
                self.expr(divisor);
                self.expr(n);
            }
            Guard::Member { item, set, .. } => {
                self.expr(item);
                self.set(set);
            }
            Guard::Related { items, .. } => items.iter().for_each(|item| self.expr(item)),
            Guard::Quantified { over, body, .. } => {
                self.beyond.insert(Beyond::Quantifier);
                self.set(over);
                self.guard(body);
            }
            Guard::Option { .. } => {
                self.beyond.insert(Beyond::NestedMove);
            }
        }
    }

    fn alternative(&mut self, alternative: &Alternative) {
        let Alternative::Sum(terms) = alternative else {
            self.beyond.insert(Beyond::Lists);
            return;
        };
        for term in terms {
            match term {
                ResultTerm::Component(template) => self.template(template),
                ResultTerm::Copies { count, template } => {
                    if !self.is_constant(count) {
                        self.beyond.insert(Beyond::ManyParts);
                    }
                    self.expr(count);
                    self.template(template);
                }
                ResultTerm::Series { template, ranges } => {
                    for range in ranges {
                        if !(self.is_constant(&range.from) && self.is_constant(&range.to)) {
                            self.beyond.insert(Beyond::ManyParts);
                        }
                        self.expr(&range.from);
                        self.expr(&range.to);
                    }
                    self.template(template);
                }
            }
        }
    }

    fn template(&mut self, template: &Template) {
        for item in &template.items {
            match item {
                TemplateItem::Expr(expr) => self.expr(expr),
                TemplateItem::Splice(_) => {
                    self.beyond.insert(Beyond::Lists);
                }
                TemplateItem::List(template) => {
                    self.beyond.insert(Beyond::Lists);
                    self.template(template);
                }
            }
        }
    }
}

/// The least number of which `base` is a power; for bases of at least 2. Bases of more than
/// a thousand binary digits stand for themselves.
fn root(base: &BigUint) -> BigUint {
    let bits = u32::try_from(base.bits()).ok().filter(|bits| *bits <= 1000);
    let bits = bits.unwrap_or(0);
    let power = (2..=bits).rev().find_map(|exponent| {
        let root = base.nth_root(exponent);
        (!root.is_one() && root.pow(exponent) == *base).then_some(root)
    });
    power.unwrap_or_else(|| base.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rule: &str) -> Reach {
        let ruleset = grundy_rules::parse(rule).expect("the rule is well written");
        reach(&ruleset, &ruleset.moves[0])
    }

    #[test]
    fn each_construct_has_its_reach() {
        let base = |n: u8| Reach::Base(n.into());
        let tables = |beyond: &[Beyond]| Reach::Tables(beyond.iter().copied().collect());
        for (rule, reach) in [
            (
                "[n] -> [n-k] where 1 <= k <= n/2, k mod 3 = 1",
                Reach::AnyBase,
            ),
            ("[n] -> [n-k] where k in {1,4} or 3 | k", Reach::AnyBase),
            (
                "[x, y] -> [min(x, y), 2*k] where k < abs(x-y)",
                Reach::AnyBase,
            ),
            ("[n] -> [n-k] where k in powers of 3", base(3)),
            (
                "[n] -> [n-k] where k in powers of 4 or k xor n = 1",
                base(2),
            ),
            ("[n] -> [n-k] where k in fibonacci", Reach::Fibonacci),
            (
                "[n] -> [n-k] where k in powers of 2 or k in powers of 3",
                tables(&[Beyond::TwoBases]),
            ),
            (
                "[n] -> [n-k] where k in powers of 2 or k in fibonacci",
                tables(&[Beyond::TwoBases]),
            ),
            (
                "[x, y] -> [x-k*y, y] where k >= 1, y >= 1",
                tables(&[Beyond::Product]),
            ),
            ("[n] -> [n-d] where d | n", tables(&[Beyond::Divisor])),
            (
                "[n] -> [n-k] where gcd(k, n) = 1, k >= 1",
                tables(&[Beyond::Gcd]),
            ),
            (
                "[n] -> [n-k] where k in primes or k in squares",
                tables(&[Beyond::Primes, Beyond::Squares]),
            ),
            (
                "[n] -> [n-k] where k in digits of n, k >= 1",
                tables(&[Beyond::Digits]),
            ),
            (
                "[n] -> [n-k] where some i in 1..k: i = n",
                tables(&[Beyond::Quantifier]),
            ),
            (
                "[n] -> k of [n/k] where 2 <= k <= n",
                tables(&[Beyond::Quotient, Beyond::ManyParts]),
            ),
            (
                "row a; a[i] -= k where i >= 1, k >= 1",
                tables(&[Beyond::Lists]),
            ),
        ] {
            assert_eq!(of(rule), reach, "{rule}");
        }
    }

    #[test]
    fn a_base_is_told_by_its_root() {
        for (base, expected) in [(2u32, 2u32), (8, 2), (12, 12), (36, 6), (81, 3)] {
            assert_eq!(root(&base.into()), expected.into());
        }
    }
}
