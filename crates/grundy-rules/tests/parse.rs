//! What texts mean.

use grundy_rules::ruleset::{ExpectationKind, ParameterValue, ShortForm};
use grundy_rules::{Diagnostic, Ruleset, parse, parse_position};

/// Games that use each part of the language, with the header and the first rule on one line.
const EXAMPLES: &[&str] = &[
    "game bash(m = 3)              take: [n] -> [n-k]                 where 1 <= k <= m",
    "game s-nim(S = {2,5})         take: [n] -> [n-k]                 where k in S",
    "game powers                   take: [n] -> [n-k]                 where k in powers of 2",
    "game half                     take: [n] -> [n-k]                 where 1 <= k <= n/2",
    "game divisors                 move: [n] -> [d]                   where d | n, d < n",
    "game coprime                  take: [n] -> [n-k]                 where k >= 1, gcd(k, n) = 1",
    "game three-way                take: [n] -> [n-k]                 where k >= 1
                                   split: [n] -> [a] + [b] + [n-a-b]  where a >= 1, b >= 1, a+b < n",
    "game take-or-split(k = 3)     take: [n] -> [n-j]                 where 1 <= j <= k
                                   split: [n] -> [a] + [n-a]          where 1 <= a < n",
    "game strip(m = 2)             cut:  [n] -> [a] + [n-m-a]         where a >= 0",
    "game grundys-game             split: [n] -> [a] + [n-a]          where 1 <= a < n-a",
    "game kayles                   rules 0.77",
    "game wythoff                  [x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k]   where k >= 1",
    "game e-and-d                  unordered
                                   [x, y] -> [a, x-a]                 where 1 <= a < x",
    "game fibonacci-nim            start [n] as [n, max(n-1, 0)]
                                   take: [n, q] -> [n-k, 2*k]         where 1 <= k <= q",
    "game euclid                   [x, y] -> [x-k*y, y]               where k >= 1, y >= 1
                                   [x, y] -> [x, y-k*x]               where k >= 1, x >= 1",
    "game beans                    [i] -> [j] + [k]                   where j < i, k <= j",
    "game mock-turtles             [i] -> nothing
                                   [i] -> [j]                         where j < i
                                   [i] -> [j] + [k]                   where k < j, j < i",
    "game ruler                    [i] -> [j] for j in i-k..i-1       where 0 <= k <= i",
    "game staircase                row a
                                   down: a[i] -= k, a[i-1] += k       where i >= 2, k >= 1
                                   out:  a[1] -= k                    where k >= 1",
    "game pebbles                  row a, nondecreasing
                                   take: a[i] -= k                    where k >= 1",
    "game georgia-bob              row p, increasing
                                   slide: p[i] -= k                   where k >= 1",
    "game ends                     row a, empty ends vanish
                                   front: first -= k                  where k >= 1
                                   back:  last -= k                   where k >= 1",
    "game sequential-nim           row a
                                   [x, r..] -> [x-k, r..]             where 1 <= k < x
                                   [x, r..] -> [r..]                  where x >= 1",
    "game coin-ring(k = 2)         start [n] as [n, 1]
                                   ring: [n, 1] -> [n-j, 0]           where 1 <= j <= k
                                   line: [n, 0] -> [a, 0] + [n-j-a, 0]  where 1 <= j <= k, a >= 0",
    "game merge-or-take            take:  [n] -> [n-1]
                                   merge: [x] + [y] -> [x+y]          where x >= 1, y >= 1",
    "game same-from-some           row a, unordered
                                   some a -= k                        where k >= 1",
    "game moore(d = 2)             compound selective up to d
                                   take: [n] -> [n-k]                 where k >= 1",
    "game flip-two                 row a over \"-+\"
                                   [l.., \"++\", r..] -> [l.., \"--\", r..]",
    "game tokens(E = {(1,2),(1,3),(2,3)})   go: [v] -> [w]            where (v, w) in E",
    "game trees                    row t
                                   cut:    [l.., c, r..] -> [l.., r..]
                                   inside: [l.., c, r..] -> [l.., d, r..]   where c -> d",
];

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults: Vec<Diagnostic>| panic!("{text}\n{faults:#?}"))
}

#[test]
fn the_examples_of_the_language_are_understood() {
    for text in EXAMPLES {
        let ruleset = rules(text);
        let lines = text
            .lines()
            .filter(|line| line.contains("->") || line.contains("-="));
        assert!(ruleset.moves.len() >= lines.count(), "{text}");
    }
}

#[test]
fn a_file_states_its_tests() {
    let text = "game lasker \"Lasker's Nim\"
take:  [n] -> [n-k]        where k >= 1
split: [n] -> [a] + [n-a]  where 1 <= a < n
expect grundy 0 1 2 4 3 5 6 8 7 9 10 12 11 13 14 16 15   # Siegel, Combinatorial Game Theory
expect lost 1 2 4 + nothing
expect won 10^18
expect value 7 + 3 = 12
expect moves 3 4 7 = 3
expect moves 3 4 = [5]; 3 3; 2^3-1 1e2
expect law period 12 saltus 3 from 71
expect no law below 1000
claim grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n
claim lost sum with [n] = n
";
    let ruleset = rules(text);
    assert_eq!(ruleset.title.as_deref(), Some("Lasker's Nim"));
    let expectations = &ruleset.expectations;
    assert_eq!(
        expectations[0].source.as_deref(),
        Some("Siegel, Combinatorial Game Theory")
    );
    assert_eq!(expectations.len(), 8);
    assert!(
        matches!(&expectations[5].kind, ExpectationKind::MoveResults(_, results) if results.len() == 3)
    );
    assert_eq!(ruleset.claims.len(), 2);
}

#[test]
fn rules_fit_in_a_line() {
    let ruleset = rules("m = 3; play misere; [n] -> [n-k] where 1 <= k <= m; row a; a[i] -= 1");
    assert_eq!(ruleset.name, "inline");
    assert_eq!(ruleset.moves.len(), 2);
    assert_eq!(ruleset.moves[1].label, "move2");
    assert_eq!(
        ruleset.parameters[0].value,
        ParameterValue::Number(3.into())
    );
}

#[test]
fn short_forms_are_expanded() {
    let kayles = rules("rules 0.77");
    let labels: Vec<&str> = kayles
        .moves
        .iter()
        .map(|rule| rule.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["take-1", "take-1", "take-1", "take-2", "take-2", "take-2"]
    );
    assert!(matches!(kayles.short_form, Some(ShortForm::Code(_))));
    for form in [
        "4.333",
        ".77",
        "4.",
        "0.(3)",
        "4.(3)",
        "0.1(07)",
        "take-and-break 0.3F",
        "take-and-break 8.",
        "{1,3,4}",
        "all but {2,5}",
        "all-but:2,5",
        "subtract:1,3,4",
        "all but {}",
    ] {
        rules(&format!("rules {form}"));
    }
}

#[test]
fn positions_are_read() {
    let nim = rules("[n] -> [n-k] where k >= 1");
    let read = |text: &str| parse_position(text, &nim).map(|position| position.0.len());
    assert_eq!(read("3 4 7"), Ok(3));
    assert_eq!(read("3 + 4 7"), Ok(3));
    assert_eq!(read("[3]+[4]"), Ok(2));
    assert_eq!(read("nothing"), Ok(0));
    assert!(read("4+7").is_err());
    assert!(read("").is_err());
    assert!(read("-3").is_err());
    assert!(read("x").is_err());
    assert!(read("2^99999999999").is_err());
    let coins = rules("row a over \"-+\"; [l.., \"++\", r..] -> [l.., \"--\", r..]");
    assert_eq!(
        parse_position("+-+ - 1,0", &coins).map(|p| p.0.len()),
        Ok(3)
    );
}
