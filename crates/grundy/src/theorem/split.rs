//! Splits in three.

use grundy_rules::Component;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::formula::Formula;
use super::{Components, Family, Game, Sample};
use crate::answer::Knowledge;
use crate::shape::{Code, Shape};

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
    recognise: |game| by_code(game, SPLIT_RULES, SPLIT.citation, half),
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
    recognise: |game| by_code(game, TAKE_OR_SPLIT_RULES, TAKE_OR_SPLIT.citation, swapped),
};

/// What is known about rules that have the code of a text.
fn by_code<'g>(
    game: &Game<'g, '_>,
    rules: &str,
    citation: &'static str,
    value: fn(&Component) -> Option<BigUint>,
) -> Option<Box<dyn Knowledge + 'g>> {
    let code = game.shape.code().filter(|code| code.most_parts() == 3)?;
    let known = grundy_rules::parse(rules).expect("the rules of a known game are right");
    let same =
        game.shape.play == known.play && Shape::of(&known).code().is_some_and(|c: &Code| c == code);
    same.then(|| {
        Box::new(Formula {
            ruleset: game.ruleset(),
            citation,
            value,
            reason: |_| None,
            moves: None,
        }) as Box<dyn Knowledge>
    })
}

fn half(component: &Component) -> Option<BigUint> {
    let n = component.as_heap()?;
    Some(if n.is_zero() {
        n.clone()
    } else {
        (n - 1u8) / 2u8
    })
}

fn swapped(component: &Component) -> Option<BigUint> {
    let n = component.as_heap()?;
    let last = n.mod_floor(&8u8.into()).to_u8().expect("it is below 8");
    Some(match last {
        7 => n + 1u8,
        0 if !n.is_zero() => n - 1u8,
        _ => n.clone(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
