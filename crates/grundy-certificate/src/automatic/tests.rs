//! What machines read is held against plain arithmetic.

use num_bigint::BigInt;

use super::exponents::{Sure, exclusive_or};
use super::formula::{Atom, Bits, Clause, Formula, Term};
use super::machine::{Language, Machine};
use super::numeration::{Automaton, Numeration, Order};

/// All systems, with the orders in which they are read.
fn languages() -> Vec<Language> {
    let recurrence = |factor, before| Numeration::Recurrence { factor, before };
    let (msd, lsd) = (Order::MostSignificantFirst, Order::LeastSignificantFirst);
    let all = [
        (Numeration::Base(2), msd),
        (Numeration::Base(2), lsd),
        (Numeration::Base(3), msd),
        (Numeration::Base(3), lsd),
        (Numeration::Base(4), msd),
        (Numeration::Base(4), lsd),
        (recurrence(1, 1), msd),
        (recurrence(2, 0), msd),
        (recurrence(2, 1), msd),
        (recurrence(3, 1), msd),
    ];
    all.into_iter()
        .map(|(numeration, order)| Language {
            numeration,
            order,
            automata: Vec::new(),
        })
        .collect()
}

/// What places are worth, up to the first that exceeds a bound.
fn places(numeration: Numeration, bound: u64) -> Vec<u64> {
    let (f, c, e) = match numeration {
        Numeration::Base(k) => (u64::from(k), 0, 0),
        Numeration::Recurrence { factor, before } => (u64::from(factor), 1, u64::from(before)),
    };
    let (mut before, mut here, mut all) = (e, 1, Vec::new());
    while here <= bound {
        all.push(here);
        (before, here) = (here, f * here + c * before);
    }
    all
}

/// The digits of a number, most significant first: as much as fits of each place.
fn written(n: u64, length: usize, places: &[u64]) -> Vec<u32> {
    let mut rest = n;
    let digits = places[..length].iter().rev().map(|place| {
        let digit = rest / place;
        rest %= place;
        u32::try_from(digit).expect("a digit")
    });
    digits.collect()
}

fn accepts(machine: &Machine, numbers: &[u64], padding: usize, language: &Language) -> bool {
    let places = places(language.numeration, 1 << 20);
    let longest = numbers.iter().max().copied().unwrap_or(0);
    let length = places.iter().filter(|place| **place <= longest).count() + padding;
    let words: Vec<Vec<u32>> = numbers
        .iter()
        .map(|n| written(*n, length, &places))
        .collect();
    let Some(mut state) = machine.start(language) else {
        return false;
    };
    for at in 0..length {
        let place = match language.order {
            Order::MostSignificantFirst => at,
            Order::LeastSignificantFirst => length - 1 - at,
        };
        let digits: Vec<u32> = words.iter().map(|word| word[place]).collect();
        assert!(machine.admits(&state, language), "states are admitted");
        match machine.step(&state, &digits, language) {
            Some(next) => state = next,
            None => return false,
        }
    }
    machine.accepts(&state, language)
}

fn machine(formula: Formula, tracks: usize, language: &Language) -> Option<Machine> {
    let clause = Clause {
        bound: Vec::new(),
        body: vec![formula],
    };
    let tracks: Vec<usize> = (0..tracks).collect();
    Machine::new(&clause, &tracks, language).ok()
}

fn term(coefficients: &[i64], constant: i64) -> Term {
    let each = coefficients.iter().enumerate();
    each.fold(Term::number(constant), |sum, (variable, c)| {
        sum.plus(&BigInt::from(*c), &Term::variable(variable))
    })
}

fn holds_where(
    formula: &Formula,
    tracks: usize,
    bound: u64,
    expected: &dyn Fn(&[u64]) -> bool,
) -> usize {
    let mut compared = 0;
    for language in languages() {
        let Some(machine) = machine(formula.clone(), tracks, &language) else {
            continue;
        };
        let count = bound.pow(u32::try_from(tracks).expect("few"));
        for index in 0..count {
            let mut rest = index;
            let numbers: Vec<u64> = (0..tracks)
                .map(|_| {
                    let n = rest % bound;
                    rest /= bound;
                    n
                })
                .collect();
            for padding in [0, 1, 3] {
                let found = accepts(&machine, &numbers, padding, &language);
                assert_eq!(
                    found,
                    expected(&numbers),
                    "{formula:?} of {numbers:?} in {language:?}"
                );
                compared += 1;
            }
        }
    }
    compared
}

fn sum(coefficients: &[i64], constant: i64, numbers: &[u64]) -> i64 {
    let each = coefficients.iter().zip(numbers);
    let each = each.map(|(c, n)| c * i64::try_from(*n).expect("small"));
    constant + each.sum::<i64>()
}

#[test]
fn linear_terms() {
    for coefficients in [
        vec![1],
        vec![-1],
        vec![3],
        vec![1, 1],
        vec![1, -1],
        vec![2, -3],
        vec![-1, -1],
        vec![1, 1, -1],
        vec![1, -2, 1],
        vec![-4, 1, 3],
    ] {
        for constant in [-7, -1, 0, 1, 2, 12] {
            let linear = term(&coefficients, constant);
            let tracks = coefficients.len();
            let bound = if tracks == 3 { 9 } else { 25 };
            let value = |numbers: &[u64]| sum(&coefficients, constant, numbers);
            for denied in [false, true] {
                let or_not = |formula: Formula| if denied { formula.not() } else { formula };
                let zero = or_not(Formula::Atom(Atom::Zero(linear.clone())));
                holds_where(&zero, tracks, bound, &|n| (value(n) == 0) != denied);
                let most = or_not(Formula::Atom(Atom::AtMostZero(linear.clone())));
                holds_where(&most, tracks, bound, &|n| (value(n) <= 0) != denied);
            }
            for modulus in [1, 2, 3, 5, 12] {
                let multiple = Formula::Atom(Atom::Multiple(modulus, linear.clone()));
                holds_where(&multiple, tracks, bound, &|n| {
                    value(n).rem_euclid(i64::from(modulus)) == 0
                });
            }
        }
    }
}

#[test]
fn digits() {
    let xor = Formula::Atom(Atom::Xor(vec![0, 1, 2]));
    let compared = holds_where(&xor, 3, 10, &|n| n[0] ^ n[1] == n[2]);
    assert_eq!(compared, 4 * 3 * 1000, "bases 2 and 4, in both orders");
    let and = Formula::Atom(Atom::Bits(Bits::And, [0, 1, 2]));
    assert!(holds_where(&and, 3, 10, &|n| n[0] & n[1] == n[2]) > 0);
    let or = Formula::Atom(Atom::Bits(Bits::Or, [0, 1, 2]));
    assert!(holds_where(&or, 3, 10, &|n| n[0] | n[1] == n[2]) > 0);
    for power in [2u32, 3, 4, 8, 9, 16, 64] {
        let powers = |n: &[u64]| (0..13).any(|e| u64::from(power).checked_pow(e) == Some(n[0]));
        let formula = Formula::Atom(Atom::PowerOf(power, 0));
        let compared = holds_where(&formula, 1, 5000, &powers);
        let bases = if power % 3 == 0 { 2 } else { 4 };
        assert_eq!(compared, bases * 3 * 5000, "{power}");
    }
    let fibonacci = |n: &[u64]| places(Numeration::ZECKENDORF, n[0]).contains(&n[0]);
    let formula = Formula::Atom(Atom::Fibonacci(0));
    assert_eq!(holds_where(&formula, 1, 300, &fibonacci), 3 * 300);
}

/// What is certain is so, what is so is possible, and both are as exact as they are said to be.
#[test]
fn exclusive_or_of_exponents() {
    let blocks_of = |exponents: [u32; 3]| exponents.map(|exponent| exponent / 2);
    let certain = |[x, y, z]: [u32; 3]| {
        let blocks = blocks_of([x, y, z]);
        x ^ y == z && blocks.contains(&0)
    };
    let possible = |[x, y, z]: [u32; 3]| {
        let [a, b, c] = blocks_of([x, y, z]);
        let differ = a != b && b != c && a != c && a * b * c > 0;
        certain([x, y, z]) || ((x ^ y ^ z) % 2 == 0 && differ)
    };
    let mut systems = 0;
    for language in languages() {
        for sure in [Sure::Certain, Sure::Possible] {
            let Some(machine) = machine(exclusive_or([0, 1, 2], sure), 3, &language) else {
                continue;
            };
            systems += 1;
            for index in 0..11u32.pow(3) {
                let exponents = [index % 11, index / 11 % 11, index / 121];
                let [x, y, z] = exponents;
                assert!(!certain(exponents) || x ^ y == z, "{exponents:?}");
                assert!(x ^ y != z || possible(exponents), "{exponents:?}");
                let expected = match sure {
                    Sure::Certain => certain(exponents),
                    Sure::Possible => possible(exponents),
                };
                let numbers = exponents.map(|exponent| 1 << exponent);
                let found = accepts(&machine, &numbers, 1, &language);
                assert_eq!(found, expected, "{sure:?} {exponents:?} in {language:?}");
                let other = [numbers[0] + 2, numbers[1], numbers[2]];
                let is_power = other[0].is_power_of_two();
                assert!(
                    is_power || !accepts(&machine, &other, 0, &language),
                    "{other:?}"
                );
            }
        }
    }
    assert_eq!(systems, 2 * 4, "bases 2 and 4, in both orders");
}

/// Where a part is decided, the whole still says what it must.
#[test]
fn combinations() {
    let less = |a: i64, b: i64| Formula::Atom(Atom::AtMostZero(term(&[a, b], 1)));
    let even = Formula::Atom(Atom::Multiple(2, term(&[1, 0], 0)));
    let formula = Formula::any([
        Formula::all([less(1, -1), even.clone()]),
        Formula::all([less(-1, 1), even.not()]),
    ]);
    holds_where(&formula, 2, 30, &|n| {
        (n[0] < n[1] && n[0] % 2 == 0) || (n[1] < n[0] && n[0] % 2 == 1)
    });
    holds_where(&formula.clone().not(), 2, 30, &|n| {
        !((n[0] < n[1] && n[0] % 2 == 0) || (n[1] < n[0] && n[0] % 2 == 1))
    });
}

/// Of all words of a length exactly the greedy ones are canonical, and they write the numbers in order.
#[test]
fn canonical_words() {
    for language in languages() {
        let Some(machine) = machine(Formula::all([]), 1, &language) else {
            unreachable!("nothing is asked of the number")
        };
        let radix = language.numeration.radix();
        let places = places(language.numeration, 1 << 20);
        let length = 6;
        let mut found = 0;
        for word in 0..Automaton::letters(radix, length).expect("few") {
            let digits = super::invariant::digits(word, radix, length);
            let mut state = machine.start(&language);
            let mut read: Vec<u32> = digits.clone();
            if language.order == Order::LeastSignificantFirst {
                read.reverse();
            }
            for digit in read {
                state = state.and_then(|state| machine.step(&state, &[digit], &language));
            }
            let canonical = state.is_some_and(|state| machine.accepts(&state, &language));
            let worth = digits.iter().rev().zip(&places);
            let worth: u64 = worth.map(|(digit, place)| u64::from(*digit) * place).sum();
            let greedy = worth < places[length] && written(worth, length, &places) == digits;
            assert_eq!(canonical, greedy, "{digits:?} in {language:?}");
            found += u64::from(canonical);
        }
        assert_eq!(found, places[length], "{language:?}");
    }
}
