use grundy_automata::{
    Atom, Comparison, DigitOrder, Encoding, Error, Formula, NumerationSystem, Relation, Solver,
    Variable,
};
use proptest::prelude::*;

use crate::{agrees, base, encodings, is_large, meter, numbers};

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessEqual,
    Comparison::Greater,
    Comparison::GreaterEqual,
];

/// The digit of a small number at a place counted from the least significant.
fn digits(encoding: &Encoding, n: u64) -> Vec<u32> {
    let mut digits = encoding.system.digits(&n.into());
    digits.reverse();
    digits
}

#[test]
fn order() {
    for encoding in encodings() {
        for comparison in COMPARISONS {
            let relation = Relation::order(&encoding, comparison, &mut meter()).expect("small");
            agrees(&relation, 70, |t| comparison.holds(t[0].cmp(&t[1])));
            // The same by arithmetic.
            let linear = Relation::linear(&encoding, &[1, -1], 0, comparison, &mut meter());
            assert_eq!(linear, Ok(relation), "{encoding}");
        }
    }
}

#[test]
fn addition() {
    for encoding in encodings() {
        let relation = Relation::addition(&encoding, &mut meter()).expect("small");
        agrees(&relation, 30, |t| t[0] + t[1] == t[2]);
    }
}

/// Addition is what it is defined to be, for all numbers: `x + 0 = x` and `x + (y + 1) = (x + y) + 1`, where the
/// successor is the next number in the order of words, which knows nothing of arithmetic. By induction on `y`
/// only one relation satisfies both and is a function.
#[test]
fn addition_satisfies_its_induction() {
    let [x, y, z, u, v, w] = [0, 1, 2, 3, 4, 5].map(Variable);
    for encoding in encodings() {
        let mut meter = meter();
        let mut solver = Solver::new(encoding.clone());
        let add = Relation::addition(&encoding, &mut meter).expect("small");
        let less = Relation::order(&encoding, Comparison::Less, &mut meter).expect("small");
        let zero = Relation::number(&encoding, &0u32.into(), &mut meter).expect("small");
        solver.define("add", add).expect("same encoding");
        solver.define("less", less).expect("same encoding");
        solver.define("zero", zero).expect("same encoding");
        let add = |x, y, z| Formula::named("add", [x, y, z]);
        let less = |x, y| Formula::named("less", [x, y]);
        let between = Formula::exists([w], less(x, w).and(less(w, y)));
        let next = solver
            .relation(&less(x, y).and(between.negated()), &[x, y], &mut meter)
            .expect("small");
        agrees(&next, 30, |t| t[0] + 1 == t[1]);
        solver.define("next", next).expect("same encoding");
        let next = |x, y| Formula::named("next", [x, y]);

        let zero = Formula::named("zero", [y]);
        let same = |x, y| Formula::equal(x, y);
        let steps = next(y, u).and(next(z, v));
        let laws = [
            zero.clone().and(add(x, y, z)).implies(same(x, z)),
            zero.clone().and(same(x, z)).implies(add(x, y, z)),
            steps.clone().and(add(x, y, z)).implies(add(x, u, v)),
            steps.and(add(x, u, v)).implies(add(x, y, z)),
            Formula::exists([z], add(x, y, z)),
            add(x, y, z).and(add(x, y, u)).implies(same(z, u)),
            // Every number is reached by such steps, and only zero is not after another.
            zero.or(Formula::exists([u], next(u, y))),
        ];
        for (number, law) in laws.into_iter().enumerate() {
            let always = Formula::forall([x, y, z, u, v], law);
            assert_eq!(
                solver.decide(&always, &mut meter),
                Ok(true),
                "law {number}, {encoding}"
            );
        }
    }
}

#[test]
fn multiples() {
    for encoding in encodings() {
        for factor in [0, 1, 2, 3, 5, 10] {
            let relation = Relation::multiple(&encoding, factor, &mut meter()).expect("small");
            agrees(&relation, 60, |t| t[0] * u64::from(factor) == t[1]);
        }
    }
}

#[test]
fn congruences() {
    for encoding in encodings() {
        for modulus in 1..if is_large(&encoding) { 4 } else { 9 } {
            for remainder in [0, 1, i64::from(modulus) - 1, -5] {
                let relation =
                    Relation::congruence(&encoding, &[1], remainder, modulus, &mut meter())
                        .expect("small");
                agrees(&relation, 200, |t| {
                    (i64::try_from(t[0]).expect("small") - remainder) % i64::from(modulus) == 0
                });
            }
        }
        let two = Relation::congruence(&encoding, &[2, -4], 1, 3, &mut meter()).expect("small");
        agrees(&two, 40, |t| (2 * t[0] + 2 * t[1]) % 3 == 1);
    }
    let encoding = &encodings()[0];
    assert_eq!(
        Relation::congruence(encoding, &[1], 0, 0, &mut meter()),
        Err(Error::Modulus)
    );
}

/// Every small linear relation of two numbers, every comparison.
#[test]
fn linear_relations() {
    for encoding in encodings() {
        for coefficients in [[1, 1], [2, -1], [-3, 2], [-1, -2], [0, 3], [0, 0]] {
            for constant in [-7, 0, 1] {
                for comparison in COMPARISONS {
                    let relation = Relation::linear(
                        &encoding,
                        &coefficients,
                        constant,
                        comparison,
                        &mut meter(),
                    )
                    .expect("small");
                    agrees(&relation, 16, |t| {
                        let [x, y] = [t[0], t[1]].map(|n| i64::try_from(n).expect("small"));
                        comparison
                            .holds((coefficients[0] * x + coefficients[1] * y + constant).cmp(&0))
                    });
                }
            }
        }
    }
}

#[test]
fn powers() {
    for encoding in encodings() {
        let relation = Atom::PlaceValue
            .relation(&encoding, &mut meter())
            .expect("one digit");
        agrees(&relation, 600, |t| {
            let digits = digits(&encoding, t[0]);
            digits.iter().sum::<u32>() == 1
        });
        let Some(k) = encoding.system.as_base() else {
            assert_eq!(
                Atom::PowerOf(2).relation(&encoding, &mut meter()),
                Err(Error::Atom)
            );
            continue;
        };
        let mut found = 0;
        for power in 2..=64u32 {
            let Ok(relation) = Atom::PowerOf(power).relation(&encoding, &mut meter()) else {
                continue;
            };
            found += 1;
            let is_power = |n: u64| {
                (0..40)
                    .map_while(|e| u64::from(power).checked_pow(e))
                    .any(|p| p == n)
            };
            agrees(&relation, 5000, |t| is_power(t[0]));
        }
        // The powers of 2 up to 64, and so on.
        let expected = match k {
            2 | 4 | 8 => 6,
            3 => 3,
            6 => 2,
            _ => 1,
        };
        assert_eq!(found, expected, "base {k}");
    }
}

#[test]
fn digitwise_operations() {
    for encoding in encodings() {
        type Operation = fn(u64, u64) -> u64;
        let operations: [(Atom, Operation); 3] = [
            (Atom::Xor, |x, y| x ^ y),
            (Atom::And, |x, y| x & y),
            (Atom::Or, |x, y| x | y),
        ];
        for (atom, operation) in operations {
            let relation = atom.relation(&encoding, &mut meter());
            if encoding.system.as_base().is_some_and(u32::is_power_of_two) {
                agrees(&relation.expect("a bitwise base"), 34, |t| {
                    operation(t[0], t[1]) == t[2]
                });
            } else {
                assert_eq!(relation, Err(Error::Atom), "{encoding}");
            }
        }
    }
}

#[test]
fn digit_predicates() {
    for encoding in encodings() {
        for digit in 0..encoding.system.radix().min(4) {
            let relation = Atom::DigitAt(digit)
                .relation(&encoding, &mut meter())
                .expect("small");
            agrees(&relation, 70, |t| {
                let (x, p) = (digits(&encoding, t[0]), digits(&encoding, t[1]));
                p.iter().sum::<u32>() == 1 && x.get(p.len() - 1).copied().unwrap_or(0) == digit
            });
        }
        for modulus in 1..4 {
            for remainder in 0..modulus {
                let zeros = Atom::TrailingZeros { remainder, modulus };
                let relation = zeros.relation(&encoding, &mut meter()).expect("small");
                agrees(&relation, 300, |t| {
                    let digits = digits(&encoding, t[0]);
                    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
                    t[0] > 0 && u32::try_from(zeros).expect("small") % modulus == remainder
                });
                let sum = Atom::DigitSum { remainder, modulus };
                let relation = sum.relation(&encoding, &mut meter()).expect("small");
                agrees(&relation, 300, |t| {
                    digits(&encoding, t[0]).iter().sum::<u32>() % modulus == remainder
                });
            }
        }
        let relation = Atom::Shifted
            .relation(&encoding, &mut meter())
            .expect("small");
        agrees(&relation, 90, |t| {
            let shifted = [encoding.system.digits(&t[0].into()), vec![0]].concat();
            encoding.system.is_canonical(&shifted)
                && encoding.system.number(&shifted) == t[1].into()
        });
    }
    for atom in [
        Atom::TrailingZeros {
            remainder: 0,
            modulus: 0,
        },
        Atom::DigitSum {
            remainder: 0,
            modulus: 0,
        },
    ] {
        let encoding = Encoding::new(base(2), DigitOrder::Lsd);
        assert_eq!(atom.relation(&encoding, &mut meter()), Err(Error::Modulus));
    }
}

/// What one end proves, the other end proves: reversal turns one relation into the other.
#[test]
fn both_ends_say_the_same() {
    let mut meter = meter();
    for encoding in encodings() {
        let other = Encoding::new(encoding.system.clone(), encoding.order.reversed());
        let here = Relation::addition(&encoding, &mut meter).expect("small");
        let there = Relation::addition(&other, &mut meter).expect("small");
        assert_eq!(here.reversed(&mut meter), Ok(there), "{encoding}");
    }
}

#[test]
fn a_function_is_evaluated_at_a_large_number() {
    let mut meter = meter();
    let large = num_bigint::BigUint::from(10u32).pow(50);
    for encoding in encodings() {
        let triple = Relation::multiple(&encoding, 3, &mut meter).expect("small");
        let value = triple.restrict(0, &large, &mut meter).expect("one word");
        assert_eq!(value.witness(), Some(vec![&large * 3u32]), "{encoding}");
        assert_eq!(
            value.count_below(&[&large * 4u32], &mut meter),
            Ok(1u32.into())
        );
        // No number times three is this one.
        let third = triple.restrict(1, &large, &mut meter).expect("no word");
        assert_eq!(third.witness(), None, "{encoding}");
        assert_eq!(triple.restrict(2, &large, &mut meter), Err(Error::Tracks));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Sums of three multiples, at random numbers of any size.
    #[test]
    fn random_linear_relations(
        which in 0..28usize,
        coefficients in prop::array::uniform3(-4..5i64),
        constant in -20..20i64,
        comparison in 0..6usize,
        tuples in prop::collection::vec(prop::array::uniform3(0..1_000_000u64), 20),
    ) {
        let all = encodings();
        let encoding = &all[which % all.len()];
        // Ten digits on three tracks, or large quotients, are slow here and no other case.
        prop_assume!(encoding.system.radix() <= 4);
        let comparison = COMPARISONS[comparison];
        let relation = Relation::linear(encoding, &coefficients, constant, comparison, &mut meter()).expect("small");
        for mut tuple in tuples {
            for _ in 0..2 {
                let [x, y, z] = tuple.map(|n| i64::try_from(n).expect("small"));
                let sum = coefficients[0] * x + coefficients[1] * y + coefficients[2] * z + constant;
                prop_assert_eq!(relation.contains(&numbers(&tuple)), comparison.holds(sum.cmp(&0)), "{:?} {}", tuple, encoding);
                // Random numbers are seldom equal: move the last one to where the sum is zero, if it can be.
                if coefficients[2] != 0 {
                    let rest = coefficients[0] * x + coefficients[1] * y + constant;
                    if let Ok(z) = u64::try_from(-rest / coefficients[2]) {
                        tuple[2] = z;
                    }
                }
            }
        }
    }
}

#[test]
fn the_systems_for_wythoff_include_zeckendorf() {
    assert_eq!(
        NumerationSystem::wythoff(1),
        Ok(NumerationSystem::zeckendorf())
    );
}
