//! Take-away games: what was taken last bounds what may be taken next.

use grundy_rules::eval::{Env, Value};
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Expr, Function, MoveRule, ParameterValue, PatternItem, Play, ResultTerm,
    Role, Ruleset, TemplateItem, Variable,
};
use grundy_rules::{Budget, Component, Limit, Meter};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::pair::{Alone, Lost, numbers};
use super::{Components, Family, Game, Sample};
use crate::answer::{Knowledge, Reason};
use crate::shape::{KnownRules, Recognition};

/// Schwenk's theorem, and with f(k) = 2*k Whinihan's.
///
/// Let f be nondecreasing. Let H(1) = 1 and H(i+1) = H(i) + H(j) with the least j for which f(H(j)) >= H(i);
/// the sequence ends at the first H(i) that no j serves. For f(k) = 2*k these are the Fibonacci numbers,
/// for f(k) = c they end at c+1. Call a sum of terms H(i) *spread* if f of a term is below the next larger
/// one; only the last H can then stand in it several times.
///
/// *Each n is one spread sum.* With H(i) the largest up to n, n - H(i) is below H(j), so f of its terms
/// is below H(i); or H(i) is the last, and f of every term is below it. Conversely a spread sum with largest term H(i) is
/// below H(i+1) by induction, so its terms are found in this way.
///
/// *If 1 <= k < H(i), the smallest term of H(i) - k is at most f(k).* By induction with H(i) = H(i-1) +
/// H(j): if k < H(j), it is that of H(j) - k, to whose terms H(i-1) may be added; if k = H(j), it is
/// H(i-1), which is at most f(H(j)); if k > H(j), it is that of H(i-1) - (k - H(j)), at most f(k - H(j)).
///
/// So from n with smallest term above q every take k leaves a smallest term that f(k) reaches, and from any other n > 0
/// taking the smallest term does not. If k is taken and n - k is lost, the terms of both together are
/// spread: winning takes are sums of some of the smallest terms of n.
pub(super) const NORMAL: Family = Family {
    name: "Fibonacci Nim and other take-away games: at most f(k) after a take of k",
    statement: "for nondecreasing f, n with at most q to take is lost iff n = 0 or q is below the smallest \
                term of n",
    citation: "Whinihan 1963, Fibonacci Nim; Schwenk 1970, Take-away games",
    samples: &[
        Sample {
            rules: "start [n] as [n, max(n-1, 0)]; [n, q] -> [n-k, 2*k] where 1 <= k <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, 3*k] where 1 <= k <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [m, n-m] where m < n, n-m <= q",
            components: Components::Box(&[69, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, k+2] where 1 <= k <= q",
            components: Components::Box(&[49, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, (3*k+1)/2] where 1 <= k <= q",
            components: Components::Box(&[49, 50]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, k/2] where 1 <= k <= q",
            components: Components::Box(&[39, 40]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, min(k^2, 7)] where 1 <= k <= q",
            components: Components::Box(&[39, 40]),
            up_to: 1,
        },
        Sample {
            rules: "[n, q] -> [n-k, 4] where 1 <= k <= q",
            components: Components::Box(&[39, 40]),
            up_to: 1,
        },
    ],
    recognise: |game| recognise(game, Play::Normal, NORMAL.citation),
};

/// The last counter loses, so the game is the one without it, but for takes that are not allowed at all.
pub(super) const MISERE: Family = Family {
    name: "take-away games, misère",
    statement: "where f(1) >= 1, n >= 1 with at most q >= 1 to take is lost iff n-1 is in normal play",
    citation: NORMAL.citation,
    samples: &[
        Sample {
            rules: "start [n] as [n, max(n-1, 0)]; play misere; \
                    [n, q] -> [n-k, 2*k] where 1 <= k <= q",
            components: Components::Box(&[99, 55]),
            up_to: 1,
        },
        Sample {
            rules: "play misere; [n, q] -> [n-k, 4*k] where 1 <= k <= q",
            components: Components::Box(&[99, 50]),
            up_to: 1,
        },
        Sample {
            rules: "play misere; [n, q] -> [n-k, isqrt(k)+2] where 1 <= k <= q",
            components: Components::Box(&[39, 40]),
            up_to: 1,
        },
    ],
    recognise: |game| recognise(game, Play::Misere, MISERE.citation),
};

fn recognise<'g>(
    game: &Game<'g, '_>,
    play: Play,
    citation: &'static str,
) -> Option<Box<dyn Knowledge + 'g>> {
    if game.written.play() != play {
        return None;
    }
    let bound = linear(game).or_else(|| general(game))?;
    let take_away = TakeAway {
        bound,
        misere: play == Play::Misere,
    };
    // A player who cannot move without having taken the last counter would win.
    let mut meter = Meter::new(Budget::default());
    let after_one = take_away.bound.after(&BigUint::one(), &mut meter).ok()?;
    if take_away.misere && after_one.is_zero() {
        return None;
    }
    Some(Box::new(Alone {
        ruleset: game.ruleset(),
        lost: take_away,
        citation,
    }))
}

static TIMES: KnownRules =
    KnownRules::new("game known(r = 2); [n, q] -> [n-k, r*k] where 1 <= k <= q");

/// The bound r*k, however the rule is written.
fn linear<'g>(game: &Game<'g, '_>) -> Option<NextBound<'g>> {
    let r = game.written.with_number(&TIMES).filter(|r| !r.is_zero())?;
    Some(NextBound::Times(r))
}

/// Any nondecreasing bound that the rule writes as an expression of its only choice, the take.
fn general<'g>(game: &Game<'g, '_>) -> Option<NextBound<'g>> {
    static DOUBLE: KnownRules = KnownRules::new("[n, q] -> [n-k, 2*k] where 1 <= k <= q");
    let ruleset = game.ruleset();
    let [rule] = ruleset.moves.as_slice() else {
        return None;
    };
    let choice = rule.scope.names.iter().position(|n| n.role == Role::Choice);
    let take = Variable(choice?);
    let bound = second_coordinate(rule)?;
    if !is_nondecreasing(ruleset, rule, bound, take) {
        return None;
    }
    // The rule is that of a factor of 2 but for the bound.
    let mut replaced = ruleset.clone();
    let doubled = Expr::Binary(
        BinaryOp::Multiply,
        Box::new(Expr::Number(2.into())),
        Box::new(Expr::Variable(take)),
    );
    if let Alternative::Sum(terms) = &mut replaced.moves[0].alternatives[0]
        && let ResultTerm::Component(template) = &mut terms[0]
    {
        template.items[1] = TemplateItem::Expr(doubled);
    }
    let is_two = Recognition::of(&replaced).is(&DOUBLE);
    is_two.then_some(NextBound::Written {
        ruleset,
        rule,
        bound,
        take,
    })
}

/// The second number of the only result, one component of two numbers, the first of which is a
/// number less a variable.
fn second_coordinate(rule: &MoveRule) -> Option<&Expr> {
    let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
        return None;
    };
    let [ResultTerm::Component(template)] = terms.as_slice() else {
        return None;
    };
    match template.items.as_slice() {
        [
            TemplateItem::Expr(Expr::Binary(BinaryOp::Subtract, _, take)),
            TemplateItem::Expr(bound),
        ] if matches!(**take, Expr::Variable(_)) => Some(bound),
        _ => None,
    }
}

/// Whether an expression is a natural number for each positive `take`, does not fall as it grows, and depends on nothing else:
/// by its form.
fn is_nondecreasing(ruleset: &Ruleset, rule: &MoveRule, expr: &Expr, take: Variable) -> bool {
    let constant = |expr: &Expr| constant(ruleset, rule, expr);
    let also = |expr: &Expr| is_nondecreasing(ruleset, rule, expr, take);
    match expr {
        Expr::Variable(variable) if *variable == take => true,
        Expr::Number(_) | Expr::Variable(_) => constant(expr).is_some_and(|n| !n.is_negative()),
        Expr::Binary(BinaryOp::Add | BinaryOp::Multiply, left, right) => also(left) && also(right),
        // From a take of 1 on.
        Expr::Binary(BinaryOp::Subtract, left, right) => match (&**left, constant(right)) {
            (Expr::Variable(variable), Some(n)) => *variable == take && n <= BigInt::one(),
            (Expr::Binary(BinaryOp::Multiply, factor, variable), Some(n)) => {
                matches!(**variable, Expr::Variable(v) if v == take)
                    && constant(factor).is_some_and(|factor| !factor.is_negative() && n <= factor)
            }
            _ => false,
        },
        Expr::Binary(BinaryOp::Divide, left, right) => {
            also(left) && constant(right).is_some_and(|n| n.is_positive())
        }
        Expr::Binary(BinaryOp::Power, left, right) => {
            also(left) && constant(right).is_some_and(|n| n.is_positive() && n.bits() <= 4)
        }
        Expr::Call(Function::Min | Function::Max | Function::Isqrt, arguments) => {
            arguments.iter().all(also)
        }
        _ => false,
    }
}

/// The number that a number or a parameter is.
fn constant(ruleset: &Ruleset, rule: &MoveRule, expr: &Expr) -> Option<BigInt> {
    match expr {
        Expr::Number(n) => Some(n.clone()),
        Expr::Variable(variable) => match rule.scope.names[variable.0].role {
            Role::Parameter(index) => match &ruleset.parameters[index].value {
                ParameterValue::Number(n) => Some(n.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The bound of the next take, as a nondecreasing function of the last one.
enum NextBound<'g> {
    /// So many times the last take.
    Times(BigUint),
    /// An expression of the rule's text.
    Written {
        ruleset: &'g Ruleset,
        rule: &'g MoveRule,
        bound: &'g Expr,
        take: Variable,
    },
}

impl NextBound<'_> {
    fn after(&self, taken: &BigUint, meter: &mut Meter) -> Result<BigUint, Limit> {
        match self {
            Self::Times(r) => Ok(r * taken),
            Self::Written {
                ruleset,
                rule,
                bound,
                take,
            } => {
                let mut env = Env::new(ruleset, &rule.scope, &[]);
                env.values[take.0] = Some(Value::Number(taken.clone().into()));
                let most = env.number(bound, meter)?.and_then(|n| n.to_biguint());
                Ok(most.expect("the form of the bound makes it a natural number"))
            }
        }
    }
}

struct TakeAway<'g> {
    bound: NextBound<'g>,
    misere: bool,
}

/// The most numbers H(i) that are computed, and the most terms that are listed.
const MOST_TERMS: usize = 1 << 16;

/// The numbers H(i), as far as they are needed.
struct Sequence {
    numbers: Vec<BigUint>,
    /// For each but the last, the index j of H(i+1) = H(i) + H(j).
    steps: Vec<usize>,
}

impl TakeAway<'_> {
    /// The numbers H(i) up to the first above `n`, or all if there is none; `None` if there are too
    /// many.
    fn sequence(&self, n: &BigUint, meter: &mut Meter) -> Result<Option<Sequence>, Limit> {
        let mut numbers = vec![BigUint::one()];
        let (mut steps, mut low) = (Vec::new(), 0);
        let mut reach = self.bound.after(&numbers[0], meter)?;
        while let Some(last) = numbers.last().filter(|last| *last <= n) {
            if numbers.len() > MOST_TERMS {
                return Ok(None);
            }
            meter.spend(1)?;
            while low < numbers.len() && reach < *last {
                low += 1;
                if let Some(next) = numbers.get(low) {
                    reach = self.bound.after(next, meter)?;
                }
            }
            let Some(more) = numbers.get(low) else {
                break;
            };
            let next = last + more;
            numbers.push(next);
            steps.push(low);
        }
        Ok(Some(Sequence { numbers, steps }))
    }

    /// The terms of `n`, the smallest first; `None` if they are too many.
    fn terms(&self, n: &BigUint, meter: &mut Meter) -> Result<Option<Vec<BigUint>>, Limit> {
        let Some(sequence) = self.sequence(n, meter)? else {
            return Ok(None);
        };
        let mut rest = n.clone();
        let mut terms: Vec<BigUint> = Vec::new();
        for h in sequence.numbers.into_iter().rev() {
            let (times, left) = rest.div_rem(&h);
            let Some(times) = times.to_usize().filter(|t| terms.len() + t <= MOST_TERMS) else {
                return Ok(None);
            };
            terms.extend(std::iter::repeat_n(h, times));
            rest = left;
        }
        terms.reverse();
        Ok(Some(terms))
    }

    /// The smallest term of `n`; `None` if there are too many numbers H(i) up to `n`.
    fn smallest(&self, n: &BigUint, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        let Some(sequence) = self.sequence(n, meter)? else {
            return Ok(None);
        };
        let mut rest = n.clone();
        let mut smallest = BigUint::zero();
        for h in sequence.numbers.into_iter().rev() {
            if h <= rest {
                rest %= &h;
                smallest = h;
            }
        }
        Ok(Some(smallest))
    }

    /// The takes that leave a lost position in normal play, `q` or less.
    fn takes(
        &self,
        n: &BigUint,
        q: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Vec<BigUint>>, Limit> {
        let Some(terms) = self.terms(n, meter)? else {
            return Ok(None);
        };
        let mut taken = BigUint::zero();
        let mut takes = Vec::new();
        for (index, term) in terms.iter().enumerate() {
            taken += term;
            if taken > *q {
                break;
            }
            let is_lost = match terms.get(index + 1) {
                Some(next) => self.bound.after(&taken, meter)? < *next,
                None => true,
            };
            if is_lost {
                takes.push(taken.clone());
            }
        }
        Ok(Some(takes))
    }

    /// The position of normal play with the same outcome, where some move is allowed.
    fn normal(&self, n: &BigUint, q: &BigUint) -> Option<(BigUint, BigUint)> {
        let allowed = !n.is_zero() && !q.is_zero();
        allowed.then(|| (n - u8::from(self.misere), q.clone()))
    }
}

fn two(component: &Component) -> Option<(&BigUint, &BigUint)> {
    match numbers(component)?.as_slice() {
        [n, q] => Some((n, q)),
        _ => None,
    }
}

impl TakeAway<'_> {
    /// How many `n` below `end` are lost in normal play with at most `q` to take.
    ///
    /// These are the `n` whose terms are all at least H(j), the first above `q`. Let F(t) be their
    /// number below H(t): it is 1 up to t = j, and F(t+1) = F(t) + F(s) for H(t+1) = H(t) + H(s).
    fn lost_below(
        &self,
        end: &BigUint,
        q: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        let Some(Sequence { numbers, steps }) = self.sequence(end, meter)? else {
            return Ok(None);
        };
        let first = numbers.partition_point(|h| h <= q);
        let mut below = vec![BigUint::one()];
        for (t, step) in steps.iter().enumerate() {
            let mut next = below[t].clone();
            if t >= first {
                next += &below[*step];
            }
            below.push(next);
        }
        let (mut rest, mut count) = (end.clone(), BigUint::zero());
        for (t, h) in numbers.iter().enumerate().rev() {
            if *h >= rest {
                continue;
            }
            // Only the last number can be a term several times.
            let times = (&rest - 1u8) / h;
            rest -= &times * h;
            count += &below[t];
            if t < first {
                return Ok(Some(count));
            }
            count += &below[t] * (times - 1u8);
        }
        Ok(Some(count + u8::from(!rest.is_zero())))
    }

    /// How many `n` below `end` are lost when at most n-1 may be taken: 0 and the terms themselves.
    fn terms_below(&self, end: &BigUint, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        let Some(Sequence { numbers, .. }) = self.sequence(end, meter)? else {
            return Ok(None);
        };
        let below = numbers.iter().filter(|h| *h < end).count();
        Ok(Some(BigUint::from(below) + u8::from(!end.is_zero())))
    }
}

/// What may be taken first from a heap that is given as one number.
enum FirstBound {
    /// All but one counter.
    AllButOne,
    /// At most so many.
    Most(BigUint),
}

impl FirstBound {
    fn of(ruleset: &Ruleset, meter: &mut Meter) -> Result<Option<Self>, Limit> {
        static KNOWN: KnownRules =
            KnownRules::new("start [n] as [n, max(n-1, 0)]; [n, q] -> [n-1, q]");
        let [start] = ruleset.starts.as_slice() else {
            return Ok(None);
        };
        if KNOWN.ruleset().starts[0].template == start.template {
            return Ok(Some(Self::AllButOne));
        }
        let ([PatternItem::Variable(n)], [TemplateItem::Expr(same), TemplateItem::Expr(most)]) = (
            start.pattern.items.as_slice(),
            start.template.items.as_slice(),
        ) else {
            return Ok(None);
        };
        if *same != Expr::Variable(*n) {
            return Ok(None);
        }
        // Where the heap is not bound, only an expression without it has a value.
        let env = Env::new(ruleset, &start.scope, &[]);
        let most = env.number(most, meter)?;
        Ok(most.and_then(|most| most.to_biguint()).map(Self::Most))
    }
}

impl Lost for TakeAway<'_> {
    fn is_lost(&self, component: &Component, meter: &mut Meter) -> Result<Option<bool>, Limit> {
        let Some((n, q)) = two(component) else {
            return Ok(None);
        };
        let Some((n, q)) = self.normal(n, q) else {
            return Ok(Some(!self.misere));
        };
        let smallest = self.smallest(&n, meter)?;
        Ok(smallest.map(|smallest| n.is_zero() || q < smallest))
    }

    fn reason(&self, component: &Component, meter: &mut Meter) -> Result<Option<Reason>, Limit> {
        let Some((n, q)) = two(component) else {
            return Ok(None);
        };
        let Some((number, most)) = self.normal(n, q) else {
            return Ok(Some(Reason::NoMove));
        };
        let terms = self.terms(&number, meter)?;
        Ok(terms.map(|mut terms| {
            terms.reverse();
            Reason::Terms {
                number,
                misere: self.misere,
                most,
                terms,
                times: match &self.bound {
                    NextBound::Times(r) => Some(r.clone()),
                    NextBound::Written { .. } => None,
                },
            }
        }))
    }

    fn lost_options(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Component>>, Limit> {
        let Some((n, q)) = two(component) else {
            return Ok(None);
        };
        let Some((n, q)) = self.normal(n, q) else {
            return Ok(Some(Vec::new()));
        };
        let Some(takes) = self.takes(&n, &q, meter)? else {
            return Ok(None);
        };
        let over = u8::from(self.misere);
        let options = takes.iter().map(|k| {
            Ok(Component::of_numbers([
                &n + over - k,
                self.bound.after(k, meter)?,
            ]))
        });
        Ok(Some(options.collect::<Result<_, Limit>>()?))
    }

    fn lost_below(
        &self,
        ruleset: &Ruleset,
        end: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Limit> {
        let over = u8::from(self.misere);
        if *end <= BigUint::from(over) {
            // In misère play a player who has no counter to take wins.
            return Ok(Some(BigUint::zero()));
        }
        let end = end - over;
        match FirstBound::of(ruleset, meter)? {
            None => Ok(None),
            Some(FirstBound::Most(q)) if q.is_zero() => Ok(None),
            Some(FirstBound::Most(q)) => TakeAway::lost_below(self, &end, &q, meter),
            Some(FirstBound::AllButOne) if self.misere => Ok(None),
            Some(FirstBound::AllButOne) => self.terms_below(&end, meter),
        }
    }
}
