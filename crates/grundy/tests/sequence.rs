//! Fast values against the definition of options.

use grundy::law::Sequence;
use grundy::oracle::Oracle;
use grundy::shape::{Form, Shape};
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn fast(text: &str, count: usize) -> Vec<u64> {
    let ruleset = rules(text);
    let shape = Shape::of(&ruleset);
    let mut sequence = Sequence::new(&ruleset, &shape);
    let mut meter = Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    });
    sequence
        .extend_to(count, &mut meter)
        .unwrap_or_else(|limit| panic!("{text}: {limit:?}"));
    sequence.values().first(usize::MAX)
}

/// The least natural that is the value of no option, heap by heap.
fn by_options(text: &str, count: usize) -> Vec<u64> {
    let ruleset = rules(text);
    let mut oracle = Oracle::new(&ruleset);
    let mut meter = Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    });
    (0..count as u64)
        .map(|n| {
            oracle
                .grundy_value(&Component::of_numbers([n]), &mut meter)
                .expect("small heaps")
        })
        .collect()
}

#[test]
fn values_are_those_of_the_definition() {
    for text in [
        "rules 4.(3)",
        "rules 0.(3)",
        "rules 0.(12)",
        "rules 0.1(7)",
        "rules 4.(37)",
        "rules 0.00(43)",
        "rules all but {1,4}",
        "rules {2,5,7}",
        "rules take-and-break 0.3F",
        "rules take-and-break 8.",
        "rules take-and-break 0.0(9)",
        "rules take-and-break 0.G8",
        "[n] -> [a] + [n-a] where 1 <= a < n-a",
        "[n] -> [n-k] where 1 <= k <= n/2",
        "[n] -> [a] + [n-k-a] where 1 <= k <= 2, n != 17",
        "[n] -> [n-k] where k in squares",
    ] {
        assert_eq!(fast(text, 40), by_options(text, 40), "{text}");
    }
    for digits in 1..512 {
        let text = format!("rules 0.{digits:03o}");
        assert_eq!(fast(&text, 24), by_options(&text, 24), "{text}");
    }
}

/// Where no kernel is for the rules they are compiled; what is asked for bit by bit is the same, and a limit keeps what was found.
#[test]
fn other_rules_are_compiled() {
    for text in [
        "[n] -> [n-k] where k in squares",
        "[n] -> [n-k] where k in primes",
        "[n] -> [n-k] where k >= 1, k < n, n mod k = 0",
        "[n] -> [n-k] where k >= 1, k band n = k",
        "[n] -> [n / k] where 2 <= k <= n",
        "[n] -> [a] + [b] + [n-a-b] where a in squares, b in squares, a+b <= n, a >= 1, b >= 1",
    ] {
        let expected = by_options(text, 400);
        assert_eq!(fast(text, 400), expected, "{text}");
        let ruleset = rules(text);
        let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
        let mut spent = 0;
        for count in 1..=400 {
            while sequence.values().len() < count {
                // So few steps at a time that most end in the middle.
                let mut meter = Meter::new(Budget {
                    steps: 1 << (8 + spent),
                    ..Budget::default()
                });
                spent += u32::from(sequence.extend_to(count, &mut meter).is_err());
            }
        }
        assert_eq!(sequence.values().first(400), expected, "{text}");
        let mut again = Sequence::new(&ruleset, &Shape::of(&ruleset));
        let mut meter = Meter::new(Budget::default());
        again.restore(&expected[..300], 400, &mut meter).unwrap();
        again.extend_to(400, &mut meter).unwrap();
        assert_eq!(again.values().first(400), expected, "{text}");
    }
}

/// Heaps from which play need not end have no values; those below are known.
#[test]
fn play_that_need_not_end_is_told() {
    let ruleset = rules("[n] -> [n-1] where n >= 1\n[n] -> [n+1] where n >= 9");
    let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
    let mut meter = Meter::new(Budget::default());
    assert!(sequence.extend_to(20, &mut meter).is_err());
    assert_eq!(sequence.values().first(20), [0, 1, 0, 1, 0, 1, 0, 1, 0]);
}

#[test]
fn conditions_on_the_parts_are_those_of_the_rules() {
    // Unequal parts, parts that differ by little, parts that differ by much, congruences, small parts.
    for condition in [
        "a < b",
        "a = b",
        "b <= a+2, a <= b+2",
        "a >= b+3",
        "a mod 2 = 0",
        "(a-b) mod 3 = 1",
        "a >= 2, b >= 2",
        "a = 1",
        "a != 4",
        "a = 1 or (a+b) mod 2 = 0",
    ] {
        for code in ["0.06", "0.16", "0.3", "4.0", "0.37", "0.107"] {
            let (mut text, mut separator) = (String::new(), "");
            for (taken, digit) in code.replace('.', "").bytes().map(|b| b - b'0').enumerate() {
                let mut add = |rule: String| {
                    text += separator;
                    text += &rule;
                    separator = "; ";
                };
                if digit & 1 != 0 {
                    add(format!("[n] -> nothing where n = {taken}"));
                }
                if digit & 2 != 0 {
                    add(format!("[n] -> [n-{taken}] where n > {taken}"));
                }
                if digit & 4 != 0 {
                    add(format!(
                        "[n] -> [a] + [b] where a >= 1, b >= 1, a+b = n-{taken}, {condition}"
                    ));
                }
            }
            assert_eq!(fast(&text, 40), by_options(&text, 40), "{text}");
        }
    }
}

/// The values of a code by going through all options, without any sparse space.
fn plain(text: &str, count: usize) -> Vec<u64> {
    let Form::Code(code) = Shape::of(&rules(text)).form else {
        panic!("{text} is a code")
    };
    let mut values: Vec<u64> = Vec::new();
    for n in 0..count {
        let mut seen = vec![false; 4096];
        for taken in 0..=n {
            let (digit, rest) = (code.digit(taken), n - taken);
            if digit & 1 != 0 && rest == 0 {
                seen[0] = true;
            }
            if digit & 2 != 0 && rest > 0 {
                seen[usize::try_from(values[rest]).expect("small")] = true;
            }
            if digit & 4 != 0 {
                for part in 1..rest {
                    seen[usize::try_from(values[part] ^ values[rest - part]).expect("small")] =
                        true;
                }
            }
            if digit & 8 != 0 {
                for small in 1..=rest / 3 {
                    for part in small..=(rest - small) / 2 {
                        let sum = values[small] ^ values[part] ^ values[rest - small - part];
                        seen[usize::try_from(sum).expect("small")] = true;
                    }
                }
            }
        }
        values.push(seen.iter().position(|seen| !seen).expect("few values") as u64);
    }
    values
}

#[test]
fn looking_for_single_sums_changes_nothing() {
    for (code, count) in [
        // Three heaps, of small values and of large ones.
        ("take-and-break 0.8", 500),
        ("take-and-break 8.", 1100),
        ("take-and-break 8.0F", 300),
        ("take-and-break 0.BC", 800),
        ("take-and-break 4.18", 400),
        ("take-and-break 8.(3)", 300),
        ("take-and-break 0.8(2)", 300),
        // Two heaps, and values that grow.
        ("4.(3)", 600),
        ("0.7(3)", 600),
        ("4.47(32)", 600),
        ("0.(3007)", 300),
    ] {
        let text = format!("rules {code}");
        assert_eq!(fast(&text, count), plain(&text, count), "{text}");
    }
}

#[test]
fn the_sparse_space_changes_nothing() {
    // With and without a sparse space; through three choices of the mask.
    for code in [
        "0.16", "0.56", "0.77", "0.07", "0.376", "0.6", "0.104", "0.165", "4.005",
    ] {
        let text = format!("rules {code}");
        assert_eq!(fast(&text, 10_000), plain(&text, 10_000), "{code}");
    }
}

/// Values that grow take more bytes each. A table that would not have room for them is given up
/// before they are computed, not after.
#[test]
fn room_for_wide_values_is_paid_for_before_they_are_made() {
    let ruleset = grundy_rules::parse("[n] -> [n-k] where k >= 1").unwrap();
    let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
    // One byte for each of 10^6 values fits; the four that the largest ones need do not.
    let mut poor = Meter::new(Budget {
        steps: u64::MAX,
        bytes: 2_000_000,
    });
    assert!(sequence.extend_to(1_000_000, &mut poor).is_err());
    assert!(sequence.values().len() < 100_000);
    let mut rich = Meter::new(Budget {
        steps: u64::MAX,
        bytes: 10_000_000,
    });
    assert_eq!(sequence.extend_to(1_000_000, &mut rich), Ok(()));
    assert_eq!(sequence.values().at(999_999), 999_999);
}

/// A table that is larger than the memory it may take is refused before its first value.
#[test]
fn a_table_without_room_is_refused_before_it_starts() {
    for text in [
        "rules 0.6",
        "rules {1,3,4}",
        "rules all but {2}",
        "rules take-and-break 0.BC",
    ] {
        let ruleset = rules(text);
        for count in [usize::MAX >> 20, usize::MAX / 2] {
            let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
            let mut meter = Meter::new(Budget {
                steps: u64::MAX,
                bytes: 1 << 33,
            });
            assert!(sequence.extend_to(count, &mut meter).is_err(), "{text}");
            assert_eq!(sequence.values().len(), 0, "{text}");
        }
    }
}

/// The last values show the period of 0.56 long before the next doubling, at 2^20 values.
#[test]
fn a_late_period_is_proved_as_soon_as_its_window_is_full() {
    let ruleset = rules("rules 0.56");
    let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
    let mut meter = Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    });
    assert_eq!(sequence.extend_to(2 * 326_640, &mut meter), Ok(()));
    assert_eq!(sequence.law(), None);
    assert_eq!(sequence.extend_to(660_000, &mut meter), Ok(()));
    let law = sequence.law().expect("its window is full");
    assert_eq!((law.preperiod, law.period, law.saltus), (326_640, 144, 0));
}
