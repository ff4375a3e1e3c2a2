//! The compiled engine agrees with the oracle, cell by cell.

use grundy::oracle::Oracle;
use grundy::table::{Plan, Quantity, Table, TableError, Unfit};
use grundy::{Outcome, Undecided, catalogue};
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Component, Meter, Position, Ruleset, parse};

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn read(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn table(ruleset: &Ruleset, bounds: &[u64], quantity: Quantity) -> Result<Table, TableError> {
    Plan::new(ruleset)?.tabulate(bounds, quantity, &mut meter(), &mut |_| {})
}

/// Compares the cells within the bounds with the oracle, as far as three million steps of the
/// oracle go.
fn compare(ruleset: &Ruleset, bounds: &[u64], table: &Table) {
    let mut oracle = Oracle::new(ruleset);
    let mut meter = Meter::new(Budget {
        steps: 3_000_000,
        ..Budget::default()
    });
    let mut cells = 0;
    for (cell, value) in table.iter() {
        let component = Component::of_numbers(cell.clone());
        let expected = match table.quantity() {
            Quantity::Grundy => oracle.grundy_value(&component, &mut meter),
            Quantity::MisereOutcome => oracle
                .outcome(&Position(vec![component]), &mut meter)
                .map(|outcome| u64::from(outcome == Outcome::N)),
        };
        match expected {
            Ok(expected) => assert_eq!(value, expected, "{} {cell:?}", ruleset.name),
            Err(Undecided::Limit(_)) if cells >= 15 => return,
            Err(undecided) => panic!("{} {cell:?}: {undecided:?}", ruleset.name),
        }
        cells += 1;
    }
    assert_eq!(cells, bounds.iter().map(|bound| bound + 1).product::<u64>());
}

/// Tabulates Grundy values of rules that must fit, and compares.
fn agrees(text: &str, bounds: &[u64]) {
    let ruleset = read(text);
    let table =
        table(&ruleset, bounds, Quantity::Grundy).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    compare(&ruleset, bounds, &table);
}

/// Games of the catalogue that must be tabulated, so that none falls back to search unnoticed.
const MUST_FIT: [&str; 12] = [
    "lasker",
    "kayles",
    "wythoff",
    "half",
    "fibonacci-nim",
    "euclid",
    "three-way",
    "white-knight",
    "coin-ring",
    "e-and-d",
    "mock-turtles",
    "s-nim",
];

#[test]
fn catalogue_games_agree_with_the_oracle() {
    for game in catalogue::GAMES {
        let mut ruleset = read(game.text);
        let plan = match Plan::new(&ruleset) {
            Ok(plan) => plan,
            Err(unfit) => {
                assert!(!MUST_FIT.contains(&game.name), "{}: {unfit:?}", game.name);
                continue;
            }
        };
        let bounds: Vec<u64> = match plan.arity() {
            1 => vec![30],
            2 => vec![8, 7],
            3 => vec![4, 3, 3],
            arity => vec![2; arity],
        };
        for (quantity, play) in [
            (Quantity::Grundy, Play::Normal),
            (Quantity::MisereOutcome, Play::Misere),
        ] {
            ruleset.play = play;
            match plan.tabulate(&bounds, quantity, &mut meter(), &mut |_| {}) {
                Ok(table) => compare(&ruleset, &bounds, &table),
                Err(TableError::Unfit(Unfit::MisereSum { .. })) => {}
                Err(error) => panic!("{}: {error:?}", game.name),
            }
        }
    }
}

#[test]
fn all_subtraction_sets_up_to_8_agree() {
    for members in 1u32..1 << 8 {
        let set: Vec<String> = (1..=8)
            .filter(|k| members >> (k - 1) & 1 == 1)
            .map(|k| k.to_string())
            .collect();
        agrees(&format!("rules {{{}}}", set.join(",")), &[30]);
    }
}

#[test]
fn all_octal_codes_of_two_digits_agree() {
    for code in 0..8 * 8 {
        // The code 0.00 has no moves and is refused.
        if code > 0 {
            agrees(&format!("rules 0.{}{}", code / 8, code % 8), &[30]);
        }
        agrees(&format!("rules 4.{}{}", code / 8, code % 8), &[20]);
    }
}

#[test]
fn rules_of_every_kind_agree() {
    for rules in [
        "[n] -> [n-k] where k >= 1, k != 4, k != n - 1",
        "[n] -> [n-k] where k >= 1, k mod 3 = n mod 2",
        "[n] -> [n-k] where k >= 1, k xor n > k",
        "[n] -> [n-k] where 1 <= k, k * k <= n",
        "[n] -> [n-k] where 1 <= k, 2 ^ k <= n",
        "[n] -> [n-k] where k in {1, n - 1, n / 2}, k >= 1",
        "[n] -> [n-k] where k in digits of n base 3, k >= 1",
        "[n] -> [n-k] where k in all but {2, 5}",
        "[n] -> [n-k] where k in primes or k = 1",
        "[n] -> [n-k] where k >= 1, not (k in squares and k > 4)",
        "[n] -> [n-k] where k >= 1, n / (k - 3) > 2",
        "[n] -> [n-k] where k >= 1, n mod (k - 3) != 1",
        "[n] -> [n-k] where k >= 1, not n mod (k - 3) = 1",
        "[n] -> [n/d] where d | n, 2 <= d <= n",
        "[n] -> [n/2] | [n/3] where n >= 1",
        "[n] -> [n-k] where k >= 1, k = 3*j + 1",
        "[n] -> [n-k] where k >= 1, n = k * j",
        "[n] -> [n-k] where k >= 1, some i in 2..k: i*i = k",
        "[n] -> [n-k] where k >= 1, every i in 1..3: gcd(i, k) = 1",
        "[n] -> [a] + [n-a] where 1 <= a < n, a != n - a",
        "[n] -> [a] + [b] where a + b = n, a >= 1, b >= 1, a band b = 0",
        "[n] -> [a] + [b] + [n-a-b] where 1 <= a, a < b, b < n - a - b",
        "[n] -> [a] + [b] + [c] where a + b + c + 1 = n, a mod 2 = b mod 2",
        "[n] -> [a] + [a] + [n-2*a] where a >= 1, 2*a <= n",
        "[n] -> [a] + [a*a] where a >= 1, a + a*a <= n, a*a < n, a < n",
        "[n] -> [min(a, n-a)] where 1 <= a < n",
        "[n] -> [max(n-k, 0)] where 1 <= k <= 3, n >= 1",
        "[n] -> 2 of [n-k] where 1 <= k <= 3",
        "[n] -> 3 of [n-k] where 1 <= k <= 3",
        "[n] -> nothing where n mod 3 = 1; [n] -> [n-k] where 1 <= k <= 2",
        "[n] -> [n shr 1] | [n - popcount(n)] where n >= 1",
        "[n] -> [isqrt(n)] | [n - 1] where n >= 2",
        "[x, x] -> [x-k, x-k] where k >= 1; [x, y] -> [y-1, x] where y >= 1, y > x",
        "[x, y] -> [x-k, y+k] where 1 <= k",
        "[x, y] -> [x-2, y+1] | [x+1, y-2] | [x-1, y-1]",
        "[x, y] -> [x-k, y-l] where k >= 0, l >= 0, k + l >= 1, k + l <= 3",
        "[x, y] -> [x - k*y, y] | [x, y - k*x] where k >= 1, x >= 1, y >= 1",
        "[x, y] -> [k, y] + [x-k-1, y] where 0 <= k < x; [x, y] -> [x, y-1]",
        "unordered; [x, y] -> [a, x-a] where 1 <= a < x",
        "unordered; [x, y, z] -> [x-k, y, z] where 1 <= k <= y + 1",
        "start [n] as [n, n/2]; [n, q] -> [n-k] where 1 <= k <= q",
        "[x, y, z] -> [x-1, y, z] | [x, y-1, z+1] where x + y >= 1",
    ] {
        let arity =
            Plan::new(&read(rules)).map_or_else(|e| panic!("{rules}: {e:?}"), |p| p.arity());
        let bounds: &[u64] = match arity {
            1 => &[40],
            2 => &[9, 8],
            _ => &[4, 3, 4],
        };
        agrees(rules, bounds);
    }
}
