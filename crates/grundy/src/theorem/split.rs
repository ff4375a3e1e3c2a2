//! Splits in three.

use grundy_rules::options::RuleOption;
use grundy_rules::ruleset::{Alternative, Expr, ResultTerm, Role, TemplateItem, Variable};
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::triples::{Class, Classes, Triples};
use super::{Components, Family, Game, Sample};
use crate::answer::few::options_to;
use crate::answer::{Knowledge, MoveSet, Reason};
use crate::outcome::Evidence;
use crate::shape::{Code, KnownRules, Recognition, Shape};

const SPLIT_RULES: &str = "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n";
const TAKE_OR_SPLIT_RULES: &str = "[n] -> [n-k] where k >= 1; \
                                   [n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n";

/// Split a heap into three.
///
/// Let h(n) = floor((n-1)/2). Three parts of n have h(a) + h(b) + h(c) <= h(n) - 1, and a nim-sum is at most a sum; so
/// no split has the value h(n). For each v < h(n), one of the parts 2v+1 and 2v+2, both of value v, leaves an even
/// number of at least 2, which is split into halves.
pub(super) const SPLIT: Family = Family {
    name: "only split, in three",
    statement: "the value of n > 0 is floor((n-1)/2)",
    citation: "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 4, by induction",
    samples: &[
        Sample {
            rules: SPLIT_RULES,
            components: Components::Box(&[120]),
            up_to: 2,
        },
        Sample {
            rules: "[n] -> [a] + [b] + [c] where a >= b, b >= c, c >= 1, a+b+c = n",
            components: Components::Box(&[24]),
            up_to: 3,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules = KnownRules::new(SPLIT_RULES);
        by_code(game, &RULES, SPLIT.citation, Kind::Half)
    },
};

/// Take any number, or split a heap into three.
///
/// Let f be the value as stated. Takes alone reach all values below f(n), but for 8k+7 they do not reach
/// 8k+7, which splitting off 1 and 2 does. The value f(n) is reached by no take, as f is one-to-one, and by no
/// split: f changes a number by what its last octal digit says, so "f(a) xor f(b) xor f(c) = f(a+b+c), a, b, c >= 1"
/// is read from the last digit on by a machine of finitely many states, none of which accepts; a test
/// beside this visits all.
pub(super) const TAKE_OR_SPLIT: Family = Family {
    name: "take any number, or split in three",
    statement: "the value of 8k+7 is 8k+8 and that of 8k+8 is 8k+7; that of any other n is n",
    citation: "A Simple Nim, multi-university contest 2016 (HDU 5795), proved by a finite automaton",
    samples: &[
        Sample {
            rules: TAKE_OR_SPLIT_RULES,
            components: Components::Box(&[120]),
            up_to: 2,
        },
        Sample {
            rules: "[n] -> [m] where m < n; [n] -> [a] + [b] + [c] where a >= b, b >= c, c >= 1, a+b+c = n",
            components: Components::Box(&[24]),
            up_to: 3,
        },
    ],
    recognise: |game| {
        static RULES: KnownRules = KnownRules::new(TAKE_OR_SPLIT_RULES);
        by_code(game, &RULES, TAKE_OR_SPLIT.citation, Kind::Swapped)
    },
};

/// The parts 2u+1 and 2u+2 have the value u.
static HALVES: Classes = Classes {
    lap: 2,
    growth: 1,
    all: &[
        Class {
            rest: 1,
            digit: 0,
            least: 0,
        },
        Class {
            rest: 2,
            digit: 0,
            least: 0,
        },
    ],
};

const fn own(rest: i8, digit: u8) -> Class {
    Class {
        rest,
        digit,
        least: 0,
    }
}

/// The part 8u-1 has the value 8u and 8u+8 has 8u+7; the others have their own.
static SWAPPED: Classes = Classes {
    lap: 8,
    growth: 8,
    all: &[
        Class {
            rest: -1,
            digit: 0,
            least: 1,
        },
        own(1, 1),
        own(2, 2),
        own(3, 3),
        own(4, 4),
        own(5, 5),
        own(6, 6),
        own(8, 7),
    ],
};

/// What is known about rules that have the code of a text.
fn by_code<'g>(
    game: &Game<'g, '_>,
    rules: &KnownRules,
    citation: &'static str,
    kind: Kind,
) -> Option<Box<dyn Knowledge + 'g>> {
    let code = game.shape.code().filter(|code| code.most_parts() == 3)?;
    let known = rules.ruleset();
    let same =
        game.shape.play == known.play && Shape::of(known).code().is_some_and(|c: &Code| c == code);
    same.then(|| {
        let ruleset = game.ruleset();
        Box::new(Splitting {
            ruleset,
            citation,
            kind,
            split: split(ruleset),
        }) as Box<dyn Knowledge>
    })
}

/// The rule of a game that splits in three, if it is written with two parts as bare choices in the order of the text,
/// whatever their order of size, and all others leave one heap: its index and the names of its choices.
fn split(ruleset: &Ruleset) -> Option<(usize, [String; 2])> {
    static RULE: KnownRules = KnownRules::new(SPLIT_RULES);
    let parts = |alternative: &Alternative| match alternative {
        Alternative::Sum(terms) => terms.len(),
        Alternative::Updates(_) => 0,
    };
    let mut rules = ruleset.moves.iter().enumerate();
    let index = rules
        .find(|(_, rule)| rule.alternatives.iter().any(|a| parts(a) == 3))?
        .0;
    let others = ruleset
        .moves
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != index);
    let single = others
        .flat_map(|(_, rule)| &rule.alternatives)
        .all(|a| parts(a) == 1);
    let rule = &ruleset.moves[index];
    let [Alternative::Sum(terms)] = rule.alternatives.as_slice() else {
        return None;
    };
    let choice = |term: &ResultTerm| match term {
        ResultTerm::Component(template) => match template.items.as_slice() {
            [TemplateItem::Expr(Expr::Variable(Variable(choice)))] => Some(*choice),
            _ => None,
        },
        _ => None,
    };
    let (first, second) = (choice(&terms[0])?, choice(&terms[1])?);
    let names = &rule.scope.names;
    let choices = names.iter().filter(|name| name.role == Role::Choice);
    let mut alone = ruleset.clone();
    alone.moves = vec![rule.clone()];
    let is_plain = single && first < second && choices.count() == 2;
    (is_plain && Recognition::of(&alone).is(&RULE))
        .then(|| (index, [first, second].map(|i| names[i].name.clone())))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Only splits.
    Half,
    /// Takes, too.
    Swapped,
}

struct Splitting<'g> {
    ruleset: &'g Ruleset,
    citation: &'static str,
    kind: Kind,
    /// The rule that splits, and the names of its choices.
    split: Option<(usize, [String; 2])>,
}

impl Knowledge for Splitting<'_> {
    fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: self.citation.to_owned(),
        }
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        let n = component.as_heap()?;
        Some(match self.kind {
            Kind::Half => half(n),
            Kind::Swapped => swapped(n),
        })
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let heap = component.as_heap()?.clone();
        Some(match self.kind {
            Kind::Half => Reason::HalfBelow { heap },
            Kind::Swapped => Reason::LastOctalDigit {
                digit: (&heap % 8u8).to_u8().expect("it is below 8"),
                heap,
            },
        })
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        let (Some(n), Some((rule, names))) = (component.as_heap(), &self.split) else {
            return Ok(None);
        };
        let (classes, taken) = match self.kind {
            Kind::Half => (&HALVES, Vec::new()),
            Kind::Swapped => {
                // Swapping twice changes nothing.
                let left = Some(swapped(target)).filter(|left| left < n);
                let left: Vec<Component> = left
                    .into_iter()
                    .map(|n| Component::of_numbers([n]))
                    .collect();
                (&SWAPPED, options_to(self.ruleset, component, &left, meter)?)
            }
        };
        Ok(Some(Box::new(Splits {
            taken,
            rule: *rule,
            names,
            triples: Triples::new(classes, n, target),
        })))
    }
}

/// Takes and splits of one heap.
struct Splits<'k> {
    /// The moves that leave one heap.
    taken: Vec<RuleOption>,
    rule: usize,
    names: &'k [String; 2],
    triples: Triples,
}

impl Splits<'_> {
    fn splits(&self) -> impl Iterator<Item = RuleOption> + '_ {
        self.triples.iter().map(|parts| {
            let ways = match (parts[0] == parts[1], parts[1] == parts[2]) {
                (true, true) => 1,
                (false, false) => 6,
                _ => 3,
            };
            let heap =
                |n: &BigInt| Component::of_numbers([n.to_biguint().expect("parts are naturals")]);
            let choices = self.names.iter().cloned().zip(parts.iter().cloned());
            RuleOption {
                rule: self.rule,
                choices: choices.collect(),
                ways,
                result: parts.iter().map(heap).collect(),
            }
        })
    }
}

impl MoveSet<RuleOption> for Splits<'_> {
    fn count(&self) -> Option<BigUint> {
        Some(self.triples.count() + self.taken.len())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        let before = self.taken.iter().filter(|option| option.rule < self.rule);
        let behind = self.taken.iter().filter(|option| option.rule > self.rule);
        Box::new(before.cloned().chain(self.splits()).chain(behind.cloned()))
    }

    /// The first split has the least part of all, and behind that the least one.
    fn least(&self) -> Option<RuleOption> {
        let all = self.taken.iter().cloned().chain(self.splits().next());
        all.min_by(|a, b| a.result.cmp(&b.result))
    }
}

fn half(n: &BigUint) -> BigUint {
    if n.is_zero() {
        n.clone()
    } else {
        (n - 1u8) / 2u8
    }
}

fn swapped(n: &BigUint) -> BigUint {
    let last = n.mod_floor(&8u8.into()).to_u8().expect("it is below 8");
    match last {
        7 => n + 1u8,
        0 if !n.is_zero() => n - 1u8,
        _ => n.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use num_bigint::{BigInt, BigUint};
    use num_traits::One;

    use super::{Classes, HALVES, SWAPPED, Triples, half, swapped};

    fn value(classes: &Classes, n: u32) -> BigUint {
        let n = BigUint::from(n);
        if classes.lap == 2 {
            half(&n)
        } else {
            swapped(&n)
        }
    }

    #[test]
    fn splits_equal_their_definition() {
        for classes in [&HALVES, &SWAPPED] {
            for n in 0..70u32 {
                let mut by_value: Vec<Vec<[BigInt; 3]>> = vec![Vec::new(); 140];
                for a in 1..=n / 3 {
                    for b in a..=(n - a) / 2 {
                        let parts = [a, b, n - a - b];
                        let nim_sum = parts
                            .map(|part| u32::try_from(value(classes, part)).unwrap())
                            .into_iter()
                            .fold(0, |sum, value| sum ^ value);
                        by_value[nim_sum as usize].push(parts.map(BigInt::from));
                    }
                }
                for (nim_sum, expected) in by_value.iter().enumerate() {
                    let triples = Triples::new(classes, &n.into(), &nim_sum.into());
                    assert_eq!(triples.count(), expected.len().into(), "{n} {nim_sum}");
                    assert!(triples.iter().eq(expected.iter().cloned()), "{n} {nim_sum}");
                }
            }
        }
    }

    #[test]
    fn splits_of_a_large_heap_are_counted_and_begun() {
        let n = BigUint::from(10u8).pow(100);
        for classes in [&HALVES, &SWAPPED] {
            let triples = Triples::new(classes, &n, &BigUint::one());
            assert!(triples.count() > BigUint::from(10u8).pow(40));
            let first: Vec<_> = triples.iter().take(100).collect();
            assert_eq!(first.len(), 100);
            assert!(first.is_sorted());
        }
    }

    /// What is carried into the next octal digit of f(a), f(b), f(c), f(n), and of n = a + b + c; and which of a, b, c have
    /// a digit other than 0.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct State {
        of_values: [i8; 4],
        of_sum: i8,
        positive: [bool; 3],
    }

    #[test]
    fn no_split_has_the_value_of_the_heap() {
        let start = State {
            of_values: [0; 4],
            of_sum: 0,
            positive: [false; 3],
        };
        let mut seen = BTreeSet::new();
        let mut open = vec![(start, true)];
        while let Some((state, is_last_digit)) = open.pop() {
            let is_end =
                state.of_values == [0; 4] && state.of_sum == 0 && state.positive == [true; 3];
            assert!(
                is_last_digit || !is_end,
                "a split has the value of its heap"
            );
            for code in 0..512i16 {
                let digits = [code % 8, code / 8 % 8, code / 64].map(|d| i8::try_from(d).unwrap());
                let sum: i8 = digits.iter().sum::<i8>() + state.of_sum;
                let all = [digits[0], digits[1], digits[2], sum % 8];
                // All four numbers are positive, so a last digit of 0 borrows.
                let step = |i: usize| {
                    let change = match (is_last_digit, all[i]) {
                        (true, 7) => 1,
                        (true, 0) => -1,
                        (true, _) => 0,
                        (false, _) => state.of_values[i],
                    };
                    let digit: i8 = all[i] + change;
                    (digit.rem_euclid(8), digit.div_euclid(8))
                };
                let values = [0, 1, 2, 3].map(step);
                if values[0].0 ^ values[1].0 ^ values[2].0 != values[3].0 {
                    continue;
                }
                let next = State {
                    of_values: values.map(|(_, carry)| carry),
                    of_sum: sum / 8,
                    positive: [0, 1, 2].map(|i| state.positive[i] || digits[i] != 0),
                };
                if seen.insert(next) {
                    open.push((next, false));
                }
            }
        }
        assert!(seen.len() > 10, "the machine was walked");
    }
}
