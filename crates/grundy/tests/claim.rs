//! Claims are refuted by a least counterexample, with both values.

use grundy::claim::{Actual, ClaimFault, Claimed, Counterexample, Extent, Verdict, examine};
use grundy::oracle::NoValues;
use grundy::{Nimber, Outcome, Undecided};
use grundy_rules::{Budget, Component, Limit, Meter, Position, parse};

fn examined(
    rules: &str,
    claim: &str,
    upto: &[u64],
    components: usize,
) -> Result<Verdict, ClaimFault> {
    let ruleset = parse(&format!("{rules}\nclaim {claim}\n")).expect("the rules are well written");
    let extent = Extent {
        upto: upto.to_vec(),
        components,
    };
    let mut meter = Meter::new(Budget::default());
    examine(&ruleset, &ruleset.claims[0], &extent, &mut meter)
}

fn position(components: &[&[u64]]) -> Position {
    let components = components.iter().copied();
    Position(
        components
            .map(|numbers| Component::of_numbers(numbers.to_vec()))
            .collect(),
    )
}

fn refuted(position: Position, claimed: Claimed, actual: Actual) -> Verdict {
    Verdict::Refuted(Box::new(Counterexample {
        position,
        claimed,
        actual,
    }))
}

const LASKER: &str = "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n";
const WYTHOFF: &str = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
const NIM: &str = "[n] -> [n-k] where k >= 1";

fn value(n: u64) -> Actual {
    Actual::Value(Nimber::from(n))
}

#[test]
fn a_true_claim_agrees_as_far_as_it_was_examined() {
    let law = "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n";
    let verdict = examined(LASKER, law, &[50], 1);
    assert_eq!(verdict, Ok(Verdict::Agrees { positions: 51 }));

    // Values of Wythoff's game vanish where x and y are floor(k phi) and floor(k phi^2).
    let beatty = "lost [x, y] iff min(x, y) = (abs(x-y) + isqrt(5*(x-y)^2)) / 2";
    let verdict = examined(WYTHOFF, beatty, &[30, 20], 1);
    assert_eq!(verdict, Ok(Verdict::Agrees { positions: 31 * 21 }));
}

#[test]
fn the_first_heap_with_another_value_refutes() {
    assert_eq!(
        examined(LASKER, "grundy [n] = n", &[50], 1),
        Ok(refuted(
            position(&[&[3]]),
            Claimed::Value(3u8.into()),
            value(4)
        ))
    );
}

#[test]
fn a_formula_without_a_natural_value_refutes() {
    let at = |n: u64| position(&[&[n]]);
    assert_eq!(
        examined(NIM, "grundy [n] = n - 2 if n < 2; n", &[9], 1),
        Ok(refuted(at(0), Claimed::Negative((-2).into()), value(0)))
    );
    assert_eq!(
        examined(
            NIM,
            "grundy [n] = n * n / n if n != 0 or 1 / n = 0; n / n",
            &[9],
            1
        ),
        Ok(refuted(at(0), Claimed::Undefined, value(0)))
    );
    assert_eq!(
        examined(NIM, "grundy [n] = n if n < 5", &[9], 1),
        Ok(refuted(at(5), Claimed::NoPiece, value(5)))
    );
    assert_eq!(
        examined(NIM, "lost sum with [n] = 3 - n if n < 3; 2 - n", &[9], 2),
        Ok(refuted(
            at(3),
            Claimed::Negative((-1).into()),
            Actual::Outcome(Outcome::N)
        ))
    );
}

#[test]
fn counterexamples_are_least_in_the_sum_of_their_numbers() {
    assert_eq!(
        examined(WYTHOFF, "lost [x, y] iff x = y", &[9, 9], 1),
        Ok(refuted(
            position(&[&[1, 1]]),
            Claimed::Lost,
            Actual::Outcome(Outcome::N)
        ))
    );
    assert_eq!(
        examined(
            WYTHOFF,
            "lost [x, y] iff x = 0 and y = 0 or x = 1 and y = 2",
            &[9, 9],
            1
        ),
        Ok(refuted(
            position(&[&[2, 1]]),
            Claimed::NotLost,
            Actual::Outcome(Outcome::P)
        ))
    );
}

#[test]
fn claims_about_sums_hold_in_the_play_of_the_game() {
    let agrees = |rules: &str, claim: &str| match examined(rules, claim, &[6], 3) {
        Ok(Verdict::Agrees { positions }) => positions,
        other => panic!("{other:?}"),
    };
    // All multisets of up to 3 of the heaps 0 to 6.
    assert_eq!(agrees(NIM, "lost sum with [n] = n"), 1 + 7 + 28 + 84);

    // The empty sum is won in misère play, and so the claim is false for it.
    let misere = &format!("{NIM}\nplay misere");
    assert_eq!(
        examined(misere, "lost sum with [n] = n", &[6], 3),
        Ok(refuted(
            position(&[]),
            Claimed::NimSum(0u8.into()),
            Actual::Outcome(Outcome::N)
        ))
    );
    // Bouton 1901: while no heap exceeds 1 their number counts, and then the nim-sum.
    let sum = "row a, unordered\n[x, r..] -> [x-k, r..] where k >= 1\nplay misere";
    let bouton = "lost [x, y, z] iff x + y + z = 1 or x + y + z = 3 and x = 1 or z > 1 and x xor y xor z = 0";
    assert_eq!(
        examined(sum, bouton, &[5, 5, 5], 1),
        Ok(Verdict::Agrees { positions: 56 })
    );
}

#[test]
fn claims_speak_of_positions_as_they_are_given() {
    let fibonacci = "start [n] as [n, max(n-1, 0)]\n[n, q] -> [n-k, 2*k] where 1 <= k <= q";
    assert_eq!(
        examined(fibonacci, "lost [n] iff n = 0 or n in fibonacci", &[40], 1),
        Ok(Verdict::Agrees { positions: 41 })
    );
    // Rows that break the order are passed over: 3 of the 9 pairs are increasing.
    let row = "row p, increasing\np[i] -= k where k >= 1";
    assert_eq!(
        examined(row, "lost [x, y] iff y = x + 1", &[2, 2], 1),
        Ok(Verdict::Agrees { positions: 3 })
    );
    // Rows of any length: the numbers of 0 to 3 heaps.
    let nim = "row a\na[i] -= k where k >= 1";
    assert_eq!(
        examined(nim, "grundy [r..] = xor(r)", &[3, 3, 3], 1),
        Ok(Verdict::Agrees {
            positions: 1 + 4 + 16 + 64
        })
    );
}

#[test]
fn every_engine_gives_the_same_counterexample() {
    let at = |n: u64| position(&[&[n]]);
    // A code, a table of one coordinate, tables of two, and search: rows are none of these.
    let wrong_from_300 = "grundy [n] = n if n < 300; n + 1";
    for rules in [NIM, "[n] -> [k] where k < n, gcd(k, n) <= n"] {
        assert_eq!(
            examined(rules, wrong_from_300, &[1000], 1),
            Ok(refuted(at(300), Claimed::Value(301u16.into()), value(300))),
            "{rules}"
        );
    }
    let euclid = "[x, y] -> [x-k*y, y] where k >= 1, y >= 1\n\
                  [x, y] -> [x, y-k*x] where k >= 1, x >= 1";
    assert_eq!(
        examined(euclid, "lost [x, y] iff x * y = 0", &[90, 90], 1),
        Ok(refuted(
            position(&[&[2, 3]]),
            Claimed::NotLost,
            Actual::Outcome(Outcome::P)
        ))
    );
    let row = "row a\na[i] -= k where i >= 1, k >= 1";
    assert_eq!(
        examined(row, "grundy [x, y] = x xor y if x < 5; x", &[9, 9], 1),
        Ok(refuted(
            position(&[&[5, 1]]),
            Claimed::Value(5u8.into()),
            value(4)
        ))
    );
}

#[test]
fn what_cannot_be_examined_is_said() {
    assert_eq!(
        examined(&format!("{NIM}\nplay misere"), "grundy [n] = n", &[9], 1),
        Err(ClaimFault::NoValues(NoValues::Misere))
    );
    assert_eq!(
        examined(NIM, "grundy [n] = n", &[9, 9], 1),
        Err(ClaimFault::Extent {
            coordinates: 1,
            found: 2
        })
    );
    let pass = "[n] -> [n]";
    assert_eq!(
        examined(pass, "grundy [n] = n", &[9], 1),
        Ok(Verdict::Undecided {
            reason: Undecided::Cycle(vec![position(&[&[0]])]),
            positions: 0
        })
    );
    let ruleset = parse(&format!("{NIM}\nclaim grundy [n] = n")).expect("well written");
    let extent = Extent {
        upto: vec![u64::MAX],
        components: 1,
    };
    let mut meter = Meter::new(Budget {
        steps: 10_000,
        bytes: 1 << 20,
    });
    match examine(&ruleset, &ruleset.claims[0], &extent, &mut meter) {
        Ok(Verdict::Undecided { reason, positions }) => {
            assert_eq!(reason, Undecided::Limit(Limit::Steps));
            assert!((100..10_000).contains(&positions), "{positions}");
        }
        other => panic!("{other:?}"),
    }
}
