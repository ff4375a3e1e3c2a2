//! Throw one of two heaps away and split the other.

use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::{Alternative, Expr, ResultTerm, Role, TemplateItem};
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::formula::valued;
use super::pair::numbers;
use super::{Components, Family, Sample};
use crate::answer::chosen::{Chosen, Group};
use crate::answer::strand::Strand;
use crate::answer::{MoveSet, Reason};
use crate::shape::KnownRules;

const RULES: &str = "unordered; [x, y] -> [a, x-a] where 1 <= a < x";
static KNOWN: KnownRules = KnownRules::new(RULES);
/// As it is played: both heaps are there.
const PLAYED_RULES: &str = "unordered; [x, y] -> [a, x-a] where 1 <= a < x, y >= 1";
static PLAYED: KnownRules = KnownRules::new(PLAYED_RULES);

/// Throw one of two heaps away and split the other.
pub(super) const DISCARD: Family = Family {
    name: "throw one heap away, split the other (E&D)",
    statement: "the value of x, y is the number of ones at the end of (x-1) bor (y-1) in binary; where a heap of 0 \
                cannot be thrown away, it is 0 beside such a heap",
    citation: "E&D, provincial contest of Shandong 2009 (Luogu P2148), by induction on the last \
               zeros",
    samples: &[
        Sample {
            rules: RULES,
            components: Components::Box(&[40, 40]),
            up_to: 1,
        },
        Sample {
            rules: RULES,
            components: Components::Box(&[15, 15]),
            up_to: 2,
        },
        Sample {
            rules: PLAYED_RULES,
            components: Components::Box(&[40, 40]),
            up_to: 1,
        },
    ],
    recognise: |game| {
        let cited = DISCARD.citation;
        valued(game, &KNOWN, cited, (value, told), Some(moves)).or_else(|| {
            valued(
                game,
                &PLAYED,
                cited,
                (value_of_two, told_of_two),
                Some(moves_of_two),
            )
        })
    },
};

/// 1 less than a heap; a heap of 0 cannot be split either, and stands for one of 1.
fn below(n: &BigUint) -> BigUint {
    if n.is_zero() { n.clone() } else { n - 1u8 }
}

fn told(component: &Component) -> Option<Reason> {
    match numbers(component)?.as_slice() {
        [x, y] => Some(Reason::OnesAtEnd {
            joined: below(x) | below(y),
            below: [below(x), below(y)],
        }),
        _ => None,
    }
}

fn value(component: &Component) -> Option<BigUint> {
    match numbers(component)?.as_slice() {
        [x, y] => Some(BigUint::from((below(x) | below(y)).trailing_ones())),
        _ => None,
    }
}

/// Whether a heap is missing, so that there is no move where none of 0 may be thrown away.
fn is_over(component: &Component) -> bool {
    numbers(component).is_some_and(|heaps| heaps.iter().any(|heap| heap.is_zero()))
}

fn told_of_two(component: &Component) -> Option<Reason> {
    told(component).filter(|_| !is_over(component))
}

fn value_of_two(component: &Component) -> Option<BigUint> {
    let value = value(component)?;
    Some(if is_over(component) {
        BigUint::zero()
    } else {
        value
    })
}

fn moves_of_two<'k>(
    ruleset: &'k Ruleset,
    component: &Component,
    target: &BigUint,
    meter: &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit> {
    if is_over(component) {
        return Ok(Some(Box::new(Chosen::new(Vec::new()))));
    }
    moves(ruleset, component, target, meter)
}

/// The splits of x into two heaps of value t.
///
/// Let the heaps be u+1 and v+1, so that u + v = x-2. In each of the t lowest places u or v has a 1,
/// in the next one neither has. With w the places below t in which both have one, these places make
/// 2^t - 1 + w of the sum, which is below 2^(t+1), and the higher ones are free. So w follows from x, and u
/// has the bits of w, and any others below t or above it.
fn splits(x: &BigUint, target: &BigUint) -> Strand {
    let none = Strand::Points(Vec::new());
    let Some(t) = u64::try_from(target).ok().filter(|t| *t < x.bits()) else {
        return none;
    };
    if *x <= BigUint::one() {
        return none;
    }
    let sum = x - 2u8;
    let ones = (BigUint::one() << t) - 1u8;
    let low = &sum % (BigUint::one() << (t + 1));
    if low < ones || low > &ones * 2u8 {
        return none;
    }
    let fixed = low - &ones;
    let above = (BigUint::one() << sum.bits().max(t + 1)) - (BigUint::one() << (t + 1));
    Strand::Submasks {
        offset: BigInt::one(),
        step: BigInt::one(),
        low: BigUint::zero(),
        // The other half are mirror images.
        high: sum >> 1u8,
        free: (ones ^ &fixed) | above,
        fixed,
    }
}

/// The name of the choice, if the result is written with it as its first number.
fn choice(ruleset: &Ruleset) -> Option<&str> {
    let [rule] = ruleset.moves.as_slice() else {
        return None;
    };
    let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
        return None;
    };
    let [ResultTerm::Component(template)] = terms.as_slice() else {
        return None;
    };
    let [TemplateItem::Expr(Expr::Variable(first)), _] = template.items.as_slice() else {
        return None;
    };
    let name = &rule.scope.names[first.0];
    (name.role == Role::Choice).then_some(name.name.as_str())
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "the moves of other games can reach a limit"
)]
fn moves<'k>(
    ruleset: &'k Ruleset,
    component: &Component,
    target: &BigUint,
    _: &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit> {
    let (Some(name), Some(heaps)) = (choice(ruleset), numbers(component)) else {
        return Ok(None);
    };
    let [first, second] = heaps.as_slice() else {
        return Ok(None);
    };
    // Equal heaps are matched in two orders, with the same results.
    let (split, ways) = if first == second {
        (&heaps[..1], 2)
    } else {
        (&heaps[..], 1)
    };
    let group = |x: &&BigUint| {
        let whole = BigInt::from((*x).clone());
        let option = move |a: &BigInt| {
            let other: BigInt = &whole - a;
            let images = if *a == other { ways } else { 2 * ways };
            let heaps = [a, &other].map(|n| n.to_biguint().expect("heaps are naturals"));
            RuleOption {
                rule: 0,
                result: vec![Component::of_numbers(heaps)],
                choices: vec![(name.to_owned(), a.clone())],
                ways: images,
            }
        };
        Group {
            values: splits(x, target),
            option: Box::new(option),
        }
    };
    let groups = split.iter().map(group).collect();
    Ok(Some(Box::new(Chosen::new(groups))))
}
