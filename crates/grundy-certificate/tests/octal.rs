//! Octal games whose period is known: the law is certified, and nothing less.

mod common;

use std::time::Instant;

use common::{certificate, check_certificate};
use grundy_certificate::{Falsehood, Periodic, Proof, Refusal, check};
use grundy_rules::{Budget, Meter};

/// Code, preperiod and period, from the list of T. Czajka (octal-games, `TrivialGames.md`).
const KNOWN: [(&str, usize, usize); 82] = [
    ("4.", 1, 2),
    ("0.1", 2, 1),
    ("0.4", 54, 34),
    ("0.02", 1, 4),
    ("0.11", 3, 1),
    ("0.12", 1, 4),
    ("0.15", 1, 10),
    ("0.17", 33, 34),
    ("0.22", 1, 3),
    ("0.26", 1, 4),
    ("0.31", 3, 2),
    ("0.32", 1, 3),
    ("0.34", 7, 8),
    ("0.35", 1, 6),
    ("0.44", 143, 24),
    ("0.51", 1, 1),
    ("0.52", 4, 4),
    ("0.53", 11, 9),
    ("0.54", 3, 7),
    ("0.57", 1, 4),
    ("0.71", 3, 2),
    ("0.72", 1, 4),
    ("0.75", 1, 2),
    ("0.77", 71, 12),
    ("4.3", 2, 2),
    ("0.002", 1, 6),
    ("0.017", 15, 60),
    ("0.022", 1, 5),
    ("0.044", 214, 36),
    ("0.045", 189, 32),
    ("0.051", 48, 48),
    ("0.055", 259, 148),
    ("0.101", 4, 1),
    ("0.102", 1, 6),
    ("0.111", 4, 1),
    ("0.112", 1, 6),
    ("0.115", 1, 14),
    ("0.116", 139, 96),
    ("0.121", 4, 4),
    ("0.122", 1, 5),
    ("0.123", 5, 5),
    ("0.124", 122, 62),
    ("0.131", 4, 4),
    ("0.132", 1, 5),
    ("0.134", 60, 62),
    ("0.141", 14, 11),
    ("0.144", 4, 10),
    ("0.145", 3, 9),
    ("0.147", 3, 8),
    ("0.152", 2, 48),
    ("0.153", 16, 14),
    ("0.154", 4, 11),
    ("0.157", 1, 6),
    ("0.171", 12, 11),
    ("0.173", 21, 40),
    ("0.176", 24, 8),
    ("0.226", 21, 5),
    ("0.312", 5, 2),
    ("0.316", 4, 12),
    ("0.331", 4, 3),
    ("0.332", 1, 4),
    ("0.351", 1, 8),
    ("0.353", 4, 2),
    ("0.373", 2, 28),
    ("0.375", 37, 18),
    ("0.512", 3, 6),
    ("0.524", 1, 52),
    ("0.532", 7, 5),
    ("0.536", 1, 5),
    ("0.772", 8, 4),
    ("4.12", 6, 7),
    ("4.72", 1, 3),
    ("4.005", 31, 79),
    ("4.024", 2, 60),
    ("4.102", 8, 10),
    ("4.122", 6, 7),
    ("4.304", 25, 21),
    ("4.323", 4, 4),
    ("4.444", 143, 24),
    ("4.722", 4, 4),
    ("4.726", 5, 16),
    ("4.766", 19, 20),
];

/// The values of an octal game by the recurrence; values with an even number of bits in common
/// with the mask are rare. Right for any mask.
fn octal_values(code: &str, count: usize, mask: u64) -> Vec<u64> {
    const MOST: usize = 512;
    let (whole, rest) = code.split_once('.').expect("a code has a point");
    let digits = whole.chars().chain(rest.chars());
    let digits: Vec<u32> = digits.map(|c| c.to_digit(8).expect("octal")).collect();
    let rare = |v: usize| (v as u64 & mask).count_ones().is_multiple_of(2);
    let mut values: Vec<usize> = Vec::new();
    let mut rares: Vec<usize> = Vec::new();
    for n in 0..count {
        let mut seen = [false; MOST];
        let mut splits = Vec::new();
        for (k, digit) in (0..).zip(&digits).take_while(|(k, _)| *k <= n) {
            let rest = n - k;
            seen[0] |= rest == 0 && digit & 1 == 1;
            if rest > 0 && digit & 2 == 2 {
                seen[values[rest]] = true;
            }
            if digit & 4 == 4 {
                splits.push(rest);
                for &a in rares.iter().take_while(|a| **a < rest) {
                    seen[values[a] ^ values[rest - a]] = true;
                }
            }
        }
        // Common values are all seen now; a missing rare one may still be an option's.
        let mut value = (0..MOST).find(|v| !seen[*v]).expect("few values");
        let mut pairs = splits
            .iter()
            .flat_map(|rest| (1..=rest / 2).map(move |a| (a, rest - a)));
        while rare(value) {
            let Some((a, b)) = pairs.next() else { break };
            seen[values[a] ^ values[b]] = true;
            while seen[value] {
                value += 1;
            }
        }
        if rare(value) && n > 0 {
            rares.push(n);
        }
        values.push(value);
    }
    values.into_iter().map(|value| value as u64).collect()
}

fn law(code: &str, preperiod: usize, period: usize, mask: u64) -> Periodic {
    Periodic {
        preperiod: preperiod as u64,
        period: period as u64,
        saltus: 0,
        values: octal_values(code, preperiod + period, mask),
    }
}

#[test]
fn known_periods_are_proved_and_no_others() {
    for (code, preperiod, period) in KNOWN {
        let rules = format!("rules {code}");
        let refusal = |law: &Periodic| {
            let proof = Proof::Shift { mask: 0 };
            check_certificate(&certificate(&rules, law, proof)).map_err(|refusal| match refusal {
                Refusal::False(falsehood) => falsehood,
                other => panic!("{code}: {other:?}"),
            })
        };
        let known = law(code, preperiod, period, 0);
        let theorem = refusal(&known).unwrap_or_else(|why| panic!("{code}: {why:?}"));
        assert_eq!(theorem.name(), "shift lemma");
        let late = law(code, preperiod + 1, period, 0);
        assert_eq!(refusal(&late), Err(Falsehood::PreperiodNotLeast), "{code}");
        for factor in [2, 3] {
            let multiple = law(code, preperiod, factor * period, 0);
            let smaller = period as u64;
            assert_eq!(
                refusal(&multiple),
                Err(Falsehood::PeriodNotLeast { smaller })
            );
        }
        if preperiod > 0 {
            let early = law(code, preperiod - 1, period, 0);
            let heap = (preperiod - 1 + period) as u64;
            let why = refusal(&early).expect_err("too early");
            assert!(
                matches!(why, Falsehood::Value { heap: h, .. } if h == heap),
                "{code}"
            );
        }
    }
}

/// Half a million heaps: the certificate is small and its check quick.
#[test]
fn a_long_window_is_checked_by_a_sparse_space() {
    let law = law("0.16", 105_351, 149_459, 0x1e);
    let certificate = certificate("rules 0.16", &law, Proof::Shift { mask: 0x1e });
    let text = certificate.to_text();
    assert!(text.len() < 100_000, "{} bytes", text.len());
    let start = Instant::now();
    let theorem = check(&text, &mut Meter::new(Budget::default()));
    assert!(
        theorem.is_ok(),
        "a theorem of Gangolli and Plambeck: {theorem:?}"
    );
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 5.0, "{seconds} s");
}

/// Code 0.4 with n0 = 0 and p = 1 passes every window that forgets that parts are not empty.
#[test]
fn a_preperiod_of_zero_is_no_exception() {
    let law = Periodic {
        preperiod: 0,
        period: 1,
        saltus: 0,
        values: vec![0],
    };
    let certificate = certificate("rules 0.4", &law, Proof::Shift { mask: 0 });
    let falsehood = Falsehood::Value {
        heap: 3,
        claimed: 0,
        actual: 1,
    };
    assert_eq!(
        check_certificate(&certificate),
        Err(Refusal::False(falsehood))
    );
}

/// For some codes a false period passes the whole window but its last heap: there, checking
/// one value less would have proved it.
#[test]
fn the_window_is_tight() {
    let mut tight = 0;
    for code in (1..512).map(|digits| format!("0.{digits:03o}")) {
        let last_digit = code.trim_end_matches('0');
        if !last_digit.ends_with(['4', '5', '6', '7']) {
            continue;
        }
        let values = octal_values(&code, 100, 0);
        for (preperiod, period) in (1..8).flat_map(|n0| (1..8).map(move |p| (n0, p))) {
            let k = last_digit.len() - 2;
            let window = 2 * preperiod + period + k - 1;
            let differs = |n: &usize| values[n + period] != values[*n];
            if (preperiod..90).find(differs) != Some(window - 1) {
                continue;
            }
            tight += 1;
            let law = law(&code, preperiod, period, 0);
            let certificate = certificate(&format!("rules {code}"), &law, Proof::Shift { mask: 3 });
            let falsehood = Falsehood::Value {
                heap: (window - 1 + period) as u64,
                claimed: values[window - 1],
                actual: values[window - 1 + period],
            };
            let refusal = check_certificate(&certificate);
            assert_eq!(
                refusal,
                Err(Refusal::False(falsehood)),
                "{code} {preperiod} {period}"
            );
        }
    }
    assert!(tight > 3, "{tight}");
}
