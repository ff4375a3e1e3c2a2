//! Laws of games, found and proved, against what others published.

use grundy::law::{LawReport, discover};
use grundy_certificate::{Law, Periodic, check};
use grundy_rules::{Budget, Meter, Ruleset, parse};

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: u64::MAX,
        ..Budget::default()
    })
}

/// The law of a game, after its certificate was checked once more from its text.
fn proved(text: &str) -> Law {
    match discover(&rules(text), None, &mut meter()) {
        LawReport::Proved(proved) => {
            let theorem = check(&proved.certificate, &mut meter()).expect("it was checked before");
            assert_eq!(theorem, proved.theorem, "{text}");
            theorem.law().clone()
        }
        report => panic!("{text}: {report:?}"),
    }
}

fn periodic(text: &str) -> Periodic {
    match proved(text) {
        Law::Periodic(law) => law,
        law => panic!("{text}: {law:?}"),
    }
}

#[test]
fn published_periods_of_octal_games_are_found_and_proved() {
    let table = include_str!("data/octal-periods.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut count = 0;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [code, preperiod, period, before, repeating] = fields[..] else {
            panic!("five columns: {row}")
        };
        let law = periodic(&format!("rules {code}"));
        assert_eq!(law.preperiod.to_string(), preperiod, "{code}");
        assert_eq!(law.period.to_string(), period, "{code}");
        assert_eq!(law.saltus, 0, "{code}");
        let digits = before.chars().chain(repeating.chars());
        let values: Vec<u64> = digits
            .map(|digit| digit.to_digit(36).expect("a digit").into())
            .collect();
        assert_eq!(law.values, values, "{code}");
        count += 1;
    }
    assert_eq!(count, 82);
}
