//! Theorems that others proved by hand or by machine.

use grundy_automata::{
    Atom, DigitOrder, Encoding, Formula, NumerationSystem, Relation, Solver, Term, Variable,
};

use crate::{agrees, base, meter};

const ORDERS: [DigitOrder; 2] = [DigitOrder::Msd, DigitOrder::Lsd];

/// Whether the automatic sequence `word` is the same on `i..i+length` and `j..j+length`.
fn same_factor(
    word: &str,
    i: Variable,
    j: Term,
    length: impl Into<Term>,
    k: Variable,
    fresh: [Variable; 2],
) -> Formula {
    let [p, q] = fresh;
    let at = |v| Formula::named(word, [v]);
    let inside = Formula::less(k, length);
    let equal = Formula::exists(
        [p, q],
        Formula::equal(p, i + k)
            .and(Formula::equal(q, j + k))
            .and(at(p).iff(at(q))),
    );
    Formula::forall([k], inside.implies(equal))
}

/// Thue (1912): the Thue–Morse word has no overlap, and the squares in it have length 2^k or 3·2^k.
#[test]
fn thue_morse() {
    let [i, n, k, p, q, half] = [0, 1, 2, 3, 4, 5].map(Variable);
    for order in ORDERS {
        let encoding = Encoding::new(base(2), order);
        let mut meter = meter();
        let mut solver = Solver::new(encoding.clone());
        let word = Atom::DigitSum {
            remainder: 1,
            modulus: 2,
        }
        .relation(&encoding, &mut meter)
        .expect("small");
        solver.define("t", word).expect("same encoding");
        let positive = Formula::less(0, n);
        let overlap = positive
            .clone()
            .and(same_factor("t", i, i + n, n + 1, k, [p, q]));
        let overlap = Formula::exists([i, n], overlap);
        assert_eq!(solver.decide(&overlap, &mut meter), Ok(false), "{order}");
        let square = positive.and(same_factor("t", i, i + n, n, k, [p, q]));
        let orders = solver
            .relation(&Formula::exists([i], square), &[n], &mut meter)
            .expect("small");
        agrees(&orders, 200, |t| {
            t[0].is_power_of_two() || (t[0] % 3 == 0 && (t[0] / 3).is_power_of_two())
        });
        let power = |v| Formula::atom(Atom::PlaceValue, [v]);
        let formula = power(n).or(Formula::exists(
            [half],
            power(half).and(Formula::equal(n, half + half + half)),
        ));
        assert_eq!(
            solver.relation(&formula, &[n], &mut meter),
            Ok(orders),
            "{order}"
        );
    }
}

/// The Fibonacci word has cubes and no fourth powers (Karhumäki 1983).
#[test]
fn fibonacci_word() {
    let [i, n, k, p, q] = [0, 1, 2, 3, 4].map(Variable);
    for order in ORDERS {
        let encoding = Encoding::new(NumerationSystem::zeckendorf(), order);
        let mut meter = meter();
        let mut solver = Solver::new(encoding.clone());
        // Letter n is 1 where the last digit of n is.
        let one = Variable(9);
        let last = Formula::exists(
            [one],
            Formula::equal(one, 1).and(Formula::atom(Atom::DigitAt(1), [n, one])),
        );
        let word = solver.relation(&last, &[n], &mut meter).expect("small");
        solver.define("f", word).expect("same encoding");
        for (power, exists) in [(3, true), (4, false)] {
            let length = Term::from(n).times(power - 1);
            let repeat = Formula::less(0, n).and(same_factor("f", i, i + n, length, k, [p, q]));
            let sentence = Formula::exists([i, n], repeat);
            assert_eq!(
                solver.decide(&sentence, &mut meter),
                Ok(exists),
                "{power} {order}"
            );
        }
    }
}

/// Fraenkel (1982): in the system of the r-Wythoff game the lost positions are the pairs `(a, b)` where `a` ends in an
/// even number of zeros and `b` is `a` one place higher. That is: they are the pairs with `b = a + r·n`, one
/// for each `n`, whose numbers are all different and take every positive number.
#[test]
fn wythoff_pairs() {
    let [a, b, c, d, n, m] = [0, 1, 2, 3, 4, 5].map(Variable);
    for r in 1..=4u32 {
        for order in ORDERS {
            let encoding = Encoding::new(NumerationSystem::wythoff(r).expect("a step"), order);
            let mut meter = meter();
            let mut solver = Solver::new(encoding);
            let lower = |a| {
                Formula::atom(
                    Atom::TrailingZeros {
                        remainder: 0,
                        modulus: 2,
                    },
                    [a],
                )
            };
            let pair = |a, b| lower(a).and(Formula::atom(Atom::Shifted, [a, b]));
            let nth = |a, b, n| pair(a, b).and(Formula::equal(b, a + Term::from(n).times(r)));
            let relation = solver
                .relation(&pair(a, b), &[a, b], &mut meter)
                .expect("small");
            let lost = lost_pairs(u64::from(r), 60);
            agrees(&relation, 60, |t| lost.contains(&(t[0], t[1])) && t[0] > 0);

            let positive = |v| Formula::less(0, v);
            let laws = [
                // One pair for each n.
                positive(n).implies(Formula::exists([a, b], nth(a, b, n))),
                nth(a, b, n).and(nth(c, d, n)).implies(Formula::equal(a, c)),
                pair(a, b).implies(Formula::exists([n], nth(a, b, n).and(positive(n)))),
                // Ascending, every positive number in one pair and in one half of it.
                nth(a, b, n)
                    .and(nth(c, d, m))
                    .and(Formula::less(n, m))
                    .implies(Formula::less(a, c)),
                positive(c).implies(Formula::exists(
                    [a, b],
                    pair(a, b).and(Formula::equal(a, c).or(Formula::equal(b, c))),
                )),
                pair(a, b)
                    .and(pair(c, d))
                    .implies(Formula::equal(a, d).negated()),
            ];
            for (number, law) in laws.iter().enumerate() {
                let always = Formula::forall([a, b, c, d, n, m], law.clone());
                let found = solver.decide(&always, &mut meter);
                assert_eq!(found, Ok(true), "law {number}, r = {r}, {order}");
            }
        }
    }
}

/// The lost pairs of the r-Wythoff game by their definition: `a` is the least number not yet used, `b = a + r·n`.
fn lost_pairs(r: u64, bound: u64) -> Vec<(u64, u64)> {
    let mut pairs: Vec<(u64, u64)> = Vec::new();
    for n in 0.. {
        let used = |x: &u64| pairs.iter().any(|&(a, b)| a == *x || b == *x);
        let a = (0..10 * bound).find(|x| !used(x)).expect("few are used");
        if a >= bound {
            break;
        }
        pairs.push((a, a + r * n));
    }
    pairs
}

/// The lower Wythoff numbers ⌊nφ⌋, read by three states beside the dead one, least significant digit first.
#[test]
fn lower_wythoff_sequence() {
    let encoding = Encoding::new(NumerationSystem::zeckendorf(), DigitOrder::Lsd);
    let even = Atom::TrailingZeros {
        remainder: 0,
        modulus: 2,
    };
    let lower = even.relation(&encoding, &mut meter()).expect("small");
    // ⌊nφ⌋ = (n + isqrt(5n²)) / 2.
    let values: Vec<u64> = (1..=70u64)
        .map(|n| n.midpoint((5 * n * n).isqrt()))
        .collect();
    agrees(&lower, 113, |t| values.contains(&t[0]));
    let mut list = lower.tuples();
    for value in values {
        assert_eq!(list.next(&mut meter()), Ok(Some(vec![value.into()])));
    }
}

/// Bouton (1901): nim-sums of distinct numbers differ, so from a position of nim-sum 0 no move keeps it, and into it
/// there is one from every other position.
#[test]
fn bouton() {
    let [x, y, z, s, t] = [0, 1, 2, 3, 4].map(Variable);
    for order in ORDERS {
        for base_of_two in [2, 4] {
            let encoding = Encoding::new(base(base_of_two), order);
            let mut meter = meter();
            let mut solver = Solver::new(encoding.clone());
            let xor = Atom::Xor.relation(&encoding, &mut meter).expect("small");
            solver.define("lost", xor).expect("same encoding");
            let lost = |x, y, z| Formula::named("lost", [x, y, z]);
            let stuck = lost(x, y, z)
                .and(Formula::less(t, z))
                .implies(lost(x, y, t).negated());
            assert_eq!(
                solver.counterexample(&stuck, &[x, y, z, t], &mut meter),
                Ok(None)
            );
            let moves = |changed: Formula| Formula::exists([s], changed);
            let way = moves(Formula::less(s, x).and(lost(s, y, z)))
                .or(moves(Formula::less(s, y).and(lost(x, s, z))))
                .or(moves(Formula::less(s, z).and(lost(x, y, s))));
            let won = lost(x, y, z).or(way);
            assert_eq!(
                solver.counterexample(&won, &[x, y, z], &mut meter),
                Ok(None)
            );
            // Without the third heap's moves it is false, and here is a place.
            let fewer = lost(x, y, z)
                .or(moves(Formula::less(s, x).and(lost(s, y, z))))
                .or(moves(Formula::less(s, y).and(lost(x, s, z))));
            let place = solver
                .counterexample(&fewer, &[x, y, z], &mut meter)
                .expect("small")
                .expect("false");
            assert_eq!(place, crate::numbers(&[0, 0, 1]));
        }
    }
}

/// In the sum of two numbers a digit depends on lower ones only, so addition least significant first is small: two
/// states for the carry, and a dead one.
#[test]
fn carries() {
    for k in [2, 3, 10] {
        let encoding = Encoding::new(base(k), DigitOrder::Lsd);
        let addition = Relation::addition(&encoding, &mut meter()).expect("small");
        assert_eq!(addition.automaton().states(), 3);
    }
}
