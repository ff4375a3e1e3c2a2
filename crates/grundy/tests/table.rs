//! The compiled engine agrees with the oracle, cell by cell.

use grundy::oracle::Oracle;
use grundy::table::{Plan, Quantity, Table, TableError, Unfit};
use grundy::{Outcome, Undecided, catalogue};
use grundy_rules::ruleset::Play;
use grundy_rules::{Budget, Component, Meter, Position, Ruleset, parse};
use proptest::prelude::*;

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
fn compare(ruleset: &Ruleset, bounds: &[u64], table: &Table) -> Result<(), String> {
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
            Ok(expected) if expected == value => {}
            Ok(expected) => {
                let name = &ruleset.name;
                return Err(format!("{name} {cell:?}: {value} instead of {expected}"));
            }
            Err(Undecided::Limit(_)) if cells >= 15 => return Ok(()),
            Err(undecided) => return Err(format!("{cell:?}: {undecided:?}")),
        }
        cells += 1;
    }
    assert_eq!(cells, bounds.iter().map(|bound| bound + 1).product::<u64>());
    Ok(())
}

/// Tabulates Grundy values of rules that must fit, and compares.
fn agrees(text: &str, bounds: &[u64]) {
    let ruleset = read(text);
    let table =
        table(&ruleset, bounds, Quantity::Grundy).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    compare(&ruleset, bounds, &table).unwrap_or_else(|e| panic!("{text}: {e}"));
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
                Ok(table) => compare(&ruleset, &bounds, &table).unwrap(),
                Err(TableError::Unfit(Unfit::MisereSum { .. })) => {}
                // A move that makes a number larger leads out of every box.
                Err(TableError::Unfit(Unfit::NotClosed)) => {
                    assert!(!MUST_FIT.contains(&game.name), "{}", game.name);
                }
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

/// An integer expression over these variables.
fn expression(variables: &'static [&'static str]) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(variables).prop_map(str::to_owned),
        1 => (0..6u32).prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let word = prop::sample::select(
            &["+", "-", "*", "/", "mod", "xor", "band", "bor", "shr", "+", "-"][..],
        );
        let call = prop::sample::select(&["min", "max", "gcd"][..]);
        let unary = prop::sample::select(&["abs", "isqrt", "popcount", "omega", "-"][..]);
        prop_oneof![
            6 => (inner.clone(), word, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            1 => (call, inner.clone(), inner.clone()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
            1 => (unary, inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            1 => (inner.clone(), 0..3u32).prop_map(|(a, e)| format!("({a} ^ {e})")),
            1 => (inner, 0..4u32).prop_map(|(a, by)| format!("({a} shl {by})")),
        ]
    })
}

/// A condition on these variables.
fn condition(variables: &'static [&'static str]) -> impl Strategy<Value = String> {
    let e = || expression(variables);
    let comparison = prop::sample::select(&["<", "<=", "=", "!=", ">=", ">"][..]);
    let set = prop_oneof![
        Just("squares".to_owned()),
        Just("primes".to_owned()),
        Just("prime powers".to_owned()),
        Just("fibonacci".to_owned()),
        Just("powers of 2".to_owned()),
        Just("all but {2, 3}".to_owned()),
        e().prop_map(|e| format!("digits of {e} base 3")),
        (e(), e()).prop_map(|(a, b)| format!("{{1, {a}, {b}}}")),
        (e(), e()).prop_map(|(a, b)| format!("{a}..{b}")),
    ];
    let leaf = prop_oneof![
        6 => (e(), comparison, e()).prop_map(|(a, c, b)| format!("{a} {c} {b}")),
        1 => (e(), e()).prop_map(|(a, b)| format!("{a} | {b}")),
        2 => (e(), any::<bool>(), set).prop_map(|(a, not, set)| {
            format!("{a} {}in {set}", if not { "not " } else { "" })
        }),
        1 => (e(), e(), any::<bool>()).prop_map(|(a, b, some)| {
            let quantifier = if some { "some" } else { "every" };
            format!("({quantifier} i in 0..min({a}, 9): i * i != {b})")
        }),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("not ({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}, {b})")),
        ]
    })
}

/// A rule in which every option comes before its cell, whatever its random parts say.
fn rule() -> impl Strategy<Value = (&'static [u64], String)> {
    const HEAP: &[u64] = &[16];
    const PAIR: &[u64] = &[5, 5];
    const TRIPLE: &[u64] = &[2, 3, 2];
    macro_rules! rules {
        ($($bounds:ident [$($variable:literal),+] $text:literal;)+) => {
            prop_oneof![$((
                expression(&[$($variable),+]),
                condition(&[$($variable),+]),
                condition(&[$($variable),+]),
            ).prop_map(|(e, g, h)| {
                let text = $text.replace("E", &e).replace("G", &g).replace("H", &h);
                ($bounds, text)
            })),+]
        };
    }
    rules! {
        HEAP ["n", "k"] "[n] -> [n-k] where k >= 1, G, H";
        HEAP ["n", "k"] "[n] -> [n-k] where k >= 1, G; [n] -> [n/2] where n >= 1";
        HEAP ["n", "k"] "[n] -> [n-k] where k >= 1, k <= E, G";
        HEAP ["n", "k"] "[n] -> [(E) mod n] where k <= n, n >= 1, G";
        HEAP ["n", "k", "j"] "[n] -> [n-k] where k >= 1, j <= n, G, H";
        HEAP ["n", "k", "j"] "[n] -> [n-k] where k >= 1, k = 2*j + 1, G";
        HEAP ["n", "a"] "[n] -> [a] + [n-a] where 1 <= a < n, G, H";
        HEAP ["n", "a"] "[n] -> [a] + [n-a] where 1 <= a < n, G; [n] -> [n-k] where k >= 1, k in {1, 3}";
        HEAP ["n", "a"] "[n] -> [a] + [(E) mod n] where a < n, G";
        HEAP ["n", "a", "b"] "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n, G, H";
        HEAP ["n", "a", "b"] "[n] -> [a] + [b] where a + b + 1 = n, G";
        HEAP ["n", "a", "b"] "[n] -> [a] + [b] + [c] where a + b + c = n, a < n, b < n, c < n, G";
        PAIR ["x", "y", "k"] "[x, y] -> [x-k, y] where k >= 1, G; [x, y] -> [x, y-1]";
        PAIR ["x", "y", "k"] "[x, y] -> [k, (E) mod (y+1)] where k < x, G, H";
        PAIR ["x", "y", "k"] "[x, y] -> [x-k, y-l] where k+l >= 1, G";
        PAIR ["x", "k"] "[x, x] -> [x-k, k] where k >= 1, G; [x, y] -> [x, y-1]";
        PAIR ["x", "y", "k"] "[x, y] -> [x-k, y+k] + [k-1, 1] where k >= 1, G";
        PAIR ["x", "y", "k"] "unordered; [x, y] -> [x-k, y] where k >= 1, G";
        TRIPLE ["x", "y", "z", "k"] "[x, y, z] -> [x-k, (E) mod (x+1), z] where k >= 1, G";
        TRIPLE ["x", "z"] "[x, 1, z] -> [x-1, z, z] where G; [x, y, z] -> [x, y-1, z-1]";
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]


    #[test]
    fn random_rules_agree((bounds, text) in rule()) {
        // Some random conditions are refused, such as `x in 3`.
        let Ok(ruleset) = parse(&text) else { return Ok(()) };
        match table(&ruleset, bounds, Quantity::Grundy) {
            Ok(table) => compare(&ruleset, bounds, &table).map_err(TestCaseError::fail)?,
            // Contradictory conditions can hide what bounds a rule that cannot be used.
            Err(TableError::Unfit(unfit)) => {
                return Err(TestCaseError::reject(format!("{unfit:?}")));
            }
            Err(error) => prop_assert!(false, "{text}: {error:?}"),
        }
        if !text.contains("] + [") {
            let mut ruleset = ruleset;
            ruleset.play = Play::Misere;
            let table = table(&ruleset, bounds, Quantity::MisereOutcome).unwrap();
            compare(&ruleset, bounds, &table).map_err(TestCaseError::fail)?;
        }
    }
}
