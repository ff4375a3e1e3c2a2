//! Coin-turning games, by their coins that show heads.

use grundy_rules::options::{RuleOption, options};
use grundy_rules::ruleset::{Alternative, Comparison, Expr, Guard, ResultTerm, Role, TemplateItem};
use grundy_rules::ruleset::{Play, Variable};
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::formula::valued;
use super::{Components, Family, Sample};
use crate::answer::chosen::{Chosen, Group};
use crate::answer::few::Few;
use crate::answer::strand::Strand;
use crate::answer::{Knowledge, MoveSet, Reason};
use crate::outcome::Evidence;
use crate::shape::KnownRules;

static MOCK_TURTLES_RULES: KnownRules =
    KnownRules::new("[i] -> nothing; [i] -> [j] where j < i; [i] -> [j] + [k] where k < j, j < i");
static BEANS_RULES: KnownRules = KnownRules::new("[i] -> [j] + [k] where j < i, k <= j");

/// Turn one, two or three coins.
pub(super) const MOCK_TURTLES: Family = Family {
    name: "Mock Turtles",
    statement: "the value of the coin i, from 0, is 2*i or 2*i+1, whichever has an odd number of ones in \
                binary",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 14",
    samples: &[Sample {
        rules: "[i] -> nothing; [i] -> [j] where j < i; [i] -> [j] + [k] where k < j, j < i",
        components: Components::Box(&[11]),
        up_to: 6,
    }],
    recognise: |game| {
        let value = |component: &Component| Some(odious(component.as_heap()?));
        let citation = MOCK_TURTLES.citation;
        valued(
            game,
            &MOCK_TURTLES_RULES,
            citation,
            (value, told),
            Some(turtles),
        )
    },
};

/// Put two beans in place of one: the beans i >= 1 are the coins i-1 of Mock Turtles. Two beans in one
/// place are none, and a bean in place 0 is as good as none.
pub(super) const BEANS: Family = Family {
    name: "a bean for two nearer ones",
    statement: "the value of the bean 0 is 0, that of i >= 1 is 2*i-2 or 2*i-1, whichever has an odd number of ones in \
                binary",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 14: Mock Turtles with beans for coins",
    samples: &[Sample {
        rules: "[i] -> [j] + [k] where j < i, k <= j",
        components: Components::Box(&[11]),
        up_to: 6,
    }],
    recognise: |game| {
        valued(
            game,
            &BEANS_RULES,
            BEANS.citation,
            (bean, told_bean),
            Some(bean_moves),
        )
    },
};

fn told(component: &Component) -> Option<Reason> {
    let coin = component.as_heap()?.clone();
    let ones = coin.count_ones();
    Some(Reason::OddOnes { coin, ones })
}

fn told_bean(component: &Component) -> Option<Reason> {
    let place = component.as_heap().filter(|i| !i.is_zero())?;
    let coin = place - 1u8;
    let ones = coin.count_ones();
    Some(Reason::Bean { coin, ones })
}

/// The number 2*i or 2*i+1 with an odd number of ones.
fn odious(i: &BigUint) -> BigUint {
    (i << 1u8) + u8::from(i.count_ones().is_multiple_of(2))
}

fn bean(component: &Component) -> Option<BigUint> {
    let i = component.as_heap()?;
    Some(if i.is_zero() {
        BigUint::zero()
    } else {
        odious(&(i - 1u8))
    })
}

/// The one alternative of each rule that leaves `parts` heaps, all of them bare choices in the order of
/// the text: the index of the rule and the names of its choices.
fn bare_choices(ruleset: &Ruleset, parts: usize) -> Option<(usize, Vec<String>)> {
    ruleset.moves.iter().enumerate().find_map(|(index, rule)| {
        let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
            return None;
        };
        if terms.len() != parts {
            return None;
        }
        let choice = |term: &ResultTerm| match term {
            ResultTerm::Component(template) => match template.items.as_slice() {
                [TemplateItem::Expr(Expr::Variable(Variable(choice)))] => Some(*choice),
                _ => None,
            },
            _ => None,
        };
        let choices = terms.iter().map(choice).collect::<Option<Vec<_>>>()?;
        let is_choice = |choice: &usize| rule.scope.names[*choice].role == Role::Choice;
        let all = rule.scope.names.iter().filter(|n| n.role == Role::Choice);
        let bare = choices.is_sorted() && choices.iter().all(is_choice) && all.count() == parts;
        let names = choices.iter().map(|c| rule.scope.names[*c].name.clone());
        bare.then(|| (index, names.collect()))
    })
}

/// The move that a rule makes of choices that are its results.
fn to_heaps(rule: usize, names: &[String], heaps: &[&BigInt]) -> RuleOption {
    let heap = |n: &BigInt| Component::of_numbers([n.to_biguint().expect("choices are naturals")]);
    let choices = names
        .iter()
        .cloned()
        .zip(heaps.iter().map(|n| (*n).clone()));
    RuleOption {
        rule,
        result: heaps.iter().map(|n| heap(n)).collect(),
        choices: choices.collect(),
        ways: 1,
    }
}

/// The numbers j below `end` for which j xor `mask` is smaller: they have the highest bit of it.
fn larger_of_pairs(mask: &BigUint, end: &BigUint) -> Strand {
    let Some(high) = end.bits().checked_sub(1).map(|_| end - 1u8) else {
        return Strand::Points(Vec::new());
    };
    let fixed = BigUint::one() << (mask.bits() - 1);
    let width = mask.bits().max(high.bits());
    let all = (BigUint::one() << width) - 1u8;
    Strand::Submasks {
        offset: BigInt::zero(),
        step: BigInt::one(),
        low: BigUint::zero(),
        high,
        free: all ^ &fixed,
        fixed,
    }
}

/// The moves of a coin of Mock Turtles: none, one or two coins are left, as the target is 0, has an odd number
/// of ones or an even one; then half of it is the nim-sum of the two.
#[allow(
    clippy::unnecessary_wraps,
    reason = "the moves of other games can reach a limit"
)]
fn turtles<'k>(
    ruleset: &'k Ruleset,
    component: &Component,
    target: &BigUint,
    _: &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit> {
    let Some(i) = component.as_heap() else {
        return Ok(None);
    };
    let half = target >> 1u8;
    let parts = match (target.is_zero(), target.count_ones() % 2) {
        (true, _) => 0,
        (false, 1) => 1,
        _ => 2,
    };
    let Some((rule, names)) = bare_choices(ruleset, parts) else {
        return Ok(None);
    };
    let values = match parts {
        0 => Strand::Points(vec![BigInt::zero()]),
        1 if half < *i => Strand::Points(vec![half.clone().into()]),
        1 => Strand::Points(Vec::new()),
        _ => larger_of_pairs(&half, i),
    };
    let option = move |j: &BigInt| match parts {
        0 => to_heaps(rule, &[], &[]),
        1 => to_heaps(rule, &names, &[j]),
        _ => to_heaps(rule, &names, &[j, &(j ^ BigInt::from(half.clone()))]),
    };
    Ok(Some(Box::new(Chosen::new(vec![Group {
        values,
        option: Box::new(option),
    }]))))
}

/// Where the second bean goes, by where the first one does.
type Second = Box<dyn Fn(&BigInt) -> BigInt>;

/// The moves of a bean i, which are those of the coin i-1.
#[allow(
    clippy::unnecessary_wraps,
    reason = "the moves of other games can reach a limit"
)]
fn bean_moves<'k>(
    ruleset: &'k Ruleset,
    component: &Component,
    target: &BigUint,
    _: &mut Meter,
) -> Result<Option<Box<dyn MoveSet<RuleOption> + 'k>>, Limit> {
    let (Some(i), Some((rule, names))) = (component.as_heap(), bare_choices(ruleset, 2)) else {
        return Ok(None);
    };
    let half = target >> 1u8;
    let below = |end: &BigUint| BigInt::from(end.clone()) - 1;
    let (values, second): (Strand, Second) = if target.is_zero() {
        // Both into one place.
        let values = Strand::Progressions {
            low: BigInt::zero(),
            high: below(i),
            modulus: 1,
            residues: vec![0],
        };
        (values, Box::new(Clone::clone))
    } else if target.count_ones() % 2 == 1 {
        // The other one into place 0.
        let first = half + 1u8;
        let fits = (first < *i).then(|| first.into());
        let values = Strand::Points(fits.into_iter().collect());
        (values, Box::new(|_| BigInt::zero()))
    } else {
        let end = if i.is_zero() { i.clone() } else { i - 1u8 };
        let mut values = larger_of_pairs(&half, &end);
        if let Strand::Submasks { offset, .. } = &mut values {
            *offset += 1;
        }
        let half = BigInt::from(half);
        (values, Box::new(move |j| ((j - 1) ^ &half) + 1))
    };
    Ok(Some(Box::new(Chosen::new(vec![Group {
        values,
        option: Box::new(move |j| to_heaps(rule, &names, &[j, &second(j)])),
    }]))))
}

/// Turn neighbouring coins, any number of them or at most m.
///
/// Let n = i+1, and let 2^c be the largest power of two up to m; without a bound take c above all bits of n. The
/// values of the coins with n = 1, 2, … are the powers of two that divide n, but at most 2^c. The nim-sum of the
/// first a of them has in its places below c the bits of a xor (a >> 1), and in place c the parity of
/// floor(a / 2^c).
///
/// Turning the k coins below n leaves the difference of these sums at a = n-1 and b = n-1-k. With k < 2^v, where
/// 2^v is the value of n, all values below 2^v are reached, as a ends in v ones. The value 2^v is not:
/// let d = a xor b. For v < c its places 0 to v are equal, and so are v+1 to c, and different from them. If the first are
/// 0, then place c of a and b differs, so that the parities do (k < 2^(c+1)), and 2^c stands in the
/// sum. If they are 1, b is a + 1 modulo 2^(c+1), so that k is at least 2^(c+1) - 1. For v = c all places of d below c
/// are equal and the parities differ; if they are 0, so is place c, and the parities are equal after all; if they are
/// 1, k is again 2^(c+1) - 1 modulo 2^(c+1). But k < m < 2^(c+1).
pub(super) const RULER: Family = Family {
    name: "Ruler, and Ruler with at most m coins",
    statement: "the value of the coin i, from 0, is the largest power of 2 that divides i+1, of those up to m",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 14",
    samples: &[
        Sample {
            rules: "[i] -> [j] for j in i-k..i-1 where 0 <= k <= i",
            components: Components::Box(&[11]),
            up_to: 5,
        },
        Sample {
            rules: "[i] -> [j] for j in i-k..i-1 where 0 <= k <= i, k < 5",
            components: Components::Box(&[60]),
            up_to: 2,
        },
        Sample {
            rules: "[i] -> [j] for j in i-k..i-1 where k <= i, k < 4",
            components: Components::Box(&[40]),
            up_to: 2,
        },
        Sample {
            rules: "[i] -> [j] for j in i-k..i-1 where k <= i, k < 3",
            components: Components::Box(&[20]),
            up_to: 3,
        },
        Sample {
            rules: "[i] -> [j] for j in i-k..i-1 where k <= i, k <= 6",
            components: Components::Box(&[60]),
            up_to: 2,
        },
    ],
    recognise: |game| {
        static ANY: KnownRules = KnownRules::new("[i] -> [j] for j in i-k..i-1 where 0 <= k <= i");
        static BOUNDED: KnownRules = KnownRules::new(
            "game known(m = 5); [i] -> [j] for j in i-k..i-1 where 0 <= k <= i, k < m",
        );
        if game.written.play() != Play::Normal {
            return None;
        }
        let most = if game.written.is(&ANY) {
            None
        } else {
            Some(
                game.written
                    .with_number(&BOUNDED)
                    .filter(|m| !m.is_zero())?,
            )
        };
        Some(Box::new(Ruler {
            ruleset: game.ruleset(),
            most,
        }))
    },
};

struct Ruler<'g> {
    ruleset: &'g Ruleset,
    /// How many coins may be turned.
    most: Option<BigUint>,
}

impl Ruler<'_> {
    /// The place of the largest value that coins up to `i` can have.
    fn top(&self, i: &BigUint) -> u64 {
        let places = (i + 1u8).bits();
        match &self.most {
            Some(most) => places.min(most.bits() - 1),
            None => places,
        }
    }

    /// The nim-sum of the values of the first `a` coins.
    fn sum(top: u64, a: &BigUint) -> BigUint {
        let low = (BigUint::one() << top) - 1u8;
        let mut sum = (a ^ (a >> 1u8)) & low;
        sum.set_bit(top, a.bit(top));
        sum
    }
}

impl Knowledge for Ruler<'_> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: RULER.citation.to_owned(),
        }
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let number = component.as_heap()? + 1u8;
        let most = self.most.clone();
        Some(Reason::PowerOfTwo { number, most })
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        let i = component.as_heap()?;
        let zeros = (i + 1u8).trailing_zeros()?;
        Some(BigUint::one() << zeros.min(self.top(i)))
    }

    /// The places of d = a xor b up to the top are those of the wanted sum added up from below, from 0 or
    /// from 1, so there are two numbers k below twice the largest value.
    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        let Some(i) = component.as_heap() else {
            return Ok(None);
        };
        let top = self.top(i);
        let lap = BigUint::one() << (top + 1);
        let wanted = Self::sum(top, i) ^ target;
        let mut found = Vec::new();
        for start in [false, true] {
            let mut b = BigUint::zero();
            let mut bit = start;
            for place in 0..=top {
                b.set_bit(place, bit);
                bit ^= wanted.bit(place);
            }
            let k = ((&lap + (i % &lap)) - b) % &lap;
            let allowed = self.most.as_ref().is_none_or(|most| k < *most);
            if k <= *i && allowed && Self::sum(top, &(i - &k)) == wanted && target < &lap {
                found.push(k);
            }
        }
        found.sort();
        let [rule] = self.ruleset.moves.as_slice() else {
            return Ok(None);
        };
        let names = &rule.scope.names;
        let Some(choice) = names.iter().position(|name| name.role == Role::Choice) else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        for k in found {
            // Each coin that is turned is a component of what is left.
            let coins = k.to_u64().ok_or(Limit::Bytes)?;
            meter.allocate(coins.saturating_mul(64))?;
            let mut only = self.ruleset.clone();
            let guard = std::mem::replace(&mut only.moves[0].guard, Guard::All(Vec::new()));
            let chosen = Expr::Variable(Variable(choice));
            let equal = Guard::Compare(Comparison::Equal, chosen, Expr::Number(k.into()));
            let mut all = match guard {
                Guard::All(guards) => guards,
                guard => vec![guard],
            };
            all.push(equal);
            only.moves[0].guard = Guard::All(all);
            let found = options(&only, component, meter)?;
            if found
                .iter()
                .any(|option| option.result.len() as u64 != coins)
            {
                return Ok(None);
            }
            moves.extend(found);
        }
        Ok(Some(Box::new(Few::options(moves))))
    }
}
