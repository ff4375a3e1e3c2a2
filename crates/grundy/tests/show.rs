//! Rules are said back with what usually goes wrong.

use grundy::show::{Ends, facts};
use grundy::text::{Shown, shown};
use grundy_rules::{Budget, Meter, parse};

fn said(rules: &str) -> Shown {
    let ruleset = parse(rules).unwrap_or_else(|faults| panic!("{rules}: {faults:?}"));
    let mut meter = Meter::new(Budget::default());
    shown(&ruleset, &facts(&ruleset, &mut meter))
}

#[track_caller]
fn rules_are(rules: &str, expected: &[&str]) {
    assert_eq!(said(rules).rules, expected, "{rules}");
}

/// Whether some fact says this.
#[track_caller]
fn says(rules: &str, sentence: &str) {
    let facts = said(rules).facts;
    let is_said = facts.iter().any(|fact| fact.contains(sentence));
    assert!(is_said, "{rules} does not say {sentence:?}: {facts:#?}");
}

#[test]
fn each_rule_is_a_sentence_with_its_binder() {
    rules_are(
        "take: [n] -> [n-k] where k >= 1; split: [n] -> [a] + [n-a] where 1 <= a < n",
        &[
            "take: from a heap of n take k, for every k with 1 <= k <= n.",
            "split: a heap of n becomes heaps of a and n - a, for every a with 1 <= a < n.",
        ],
    );
    rules_are(
        "[i] -> [j] + [k] where j < i, k <= j",
        &["move1: a heap of i becomes heaps of j and k, for every j and k with 0 <= k <= j < i."],
    );
    rules_are(
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1",
        &[
            "move1: [x, y] becomes [x - k, y], for every k with 1 <= k <= x.",
            "move1: [x, y] becomes [x, y - k], for every k with 1 <= k <= y.",
        ],
    );
    rules_are(
        "[n] -> nothing where n >= 2, p | n, 1 < p < n",
        &["move1: if n >= 2, a heap of n is removed, provided that for some p: p | n, 1 < p < n."],
    );
    rules_are(
        "merge: [x] + [y] -> [x+y] where x >= 1, y >= 1",
        &[
            "merge: if x >= 1, y >= 1, [x] and [y] together becomes [x + y]."
                .replace("becomes", "become")
                .as_str(),
        ],
    );
    rules_are(
        "row a; a[i] -= k, a[i-1] += k where i >= 2, k >= 1",
        &["move1: take k from a[i] and add k to a[i - 1], for every i and k with 2 <= i, 1 <= k."],
    );
}

#[test]
fn it_says_whether_there_is_a_move() {
    says(
        "[n] -> [n-5]",
        "Of the heaps 0 to 20 these have no move: 0  1  2  3  4. The first move is from 5.",
    );
    says("[n] -> [n-k] where k >= 1", "only 0 has no move");
    says("[n] -> [n-99]", "Of the heaps 0 to 20 none has a move.");
    says("[n] -> nothing", "each has a move, even 0");
}

#[test]
fn it_says_what_becomes_of_parts() {
    let split = "[n] -> [a] + [n-a] where 1 <= a < n";
    says(
        split,
        "A move can leave several components, as from 2 to 1 + 1. They are played on apart and never join.",
    );
    says(split, "No part was empty");
    says(
        "[n] -> [a] + [n-1-a]",
        "Parts may be empty, as from 1 to 0 + 0.",
    );
    says("[n] -> [n-1]", "A component stays one component.");
    says(
        "[n] -> nothing where n = 3",
        "A move can leave no component at all, as from 3 to nothing.",
    );
    says(
        "[n] -> [n-1]",
        "0 is a component of its own, not nothing; it has no move.",
    );
}

#[test]
fn it_says_what_numbers_mean() {
    says(
        "[x, y] -> [x-1, y]",
        "the order of its numbers counts: 3,5 and 5,3 are different",
    );
    says("unordered; [x, y] -> [x-1, y]", "3,5 and 5,3 are the same");
    let fibonacci = "start [n] as [n, max(n-1, 0)]; [n, q] -> [n-k, 2*k] where 1 <= k <= q";
    says(
        fibonacci,
        "A component given as [n] means [n, max(n - 1, 0)].",
    );
    says(
        fibonacci,
        "Number 2 of a component restricts the moves from it; where it is not given",
    );
    let other = "[n, l] -> [n-k, k] where k >= 1, k != l";
    says(
        other,
        "Number 2 of a component restricts the moves from it; it has no starting value",
    );
    // A second heap that shrinks is no memory.
    let bombs = "[x, y] -> [a, y] + [x, b] where a < x, b < y";
    assert!(
        !said(bombs)
            .facts
            .iter()
            .any(|fact| fact.contains("restricts"))
    );
}

#[test]
fn it_says_who_wins_and_whether_play_ends() {
    says(
        "[n] -> [n-1]",
        "The player who cannot move loses: normal play.",
    );
    says(
        "[n] -> [n-1]; play misere",
        "The player who cannot move wins: misère play.",
    );
    says(
        "[n] -> [n-1]; compound conjunctive",
        "in every component at once",
    );
    says(
        "[n] -> [n-1]; ends lost [1]",
        "As soon as a component is [1], play stops and the player to move has lost.",
    );
    says(
        "[n] -> [n-1]",
        "Every play ends: what a move makes of a component always has a smaller sum of numbers.",
    );
    says("[n] -> [n/2]", "a move from 0 changes nothing");
    says(
        "[x, y] -> [y, x] where x != y",
        "A play can go on for ever: 0,1 to 1,0 and back again.",
    );
    let syracuse = "[n] -> [n/2] where n mod 2 = 0, n > 1; [n] -> [3*n+1] where n mod 2 = 1, n > 1";
    says(syracuse, "That every play ends was not shown");
}

#[test]
fn what_can_be_proved_is_said_for_each_rule() {
    let reach = said(
        "a: [n] -> [n-1]; b: [n] -> [n-k] where k in powers of 2; c: [n] -> [d] where d | n, d < n",
    )
    .reach;
    assert_eq!(
        reach,
        [
            "a: linear, so laws can be proved by automata in any base.",
            "b: words in base 2, so laws can be proved by automata in that base only.",
            "c: divisibility by an unknown number: only tables, and theorems about this very game.",
        ]
    );
}

#[test]
fn no_game_that_is_shown_to_end_has_a_cycle() {
    // Rules with a few small numbers in them: a third of them lead back.
    let mut ended = 0;
    for code in 0..2187u32 {
        let digit = |place: u32| code / 3u32.pow(place) % 3;
        let (a, b, c, d) = (digit(0), digit(1), digit(2), digit(3));
        let guard = ["x >= 1", "x > y", "x + y >= 2"][digit(4) as usize];
        let shapes = [
            "[x+{b}-{a}, y+{c}-{d}]",
            "[y+{b}-{a}, x-{d}]",
            "[x/2+{b}-{a}, y-{d}]",
        ];
        let result = shapes[digit(5) as usize]
            .replace("{a}", &a.to_string())
            .replace("{b}", &b.to_string())
            .replace("{c}", &c.to_string())
            .replace("{d}", &d.to_string());
        let second = [
            "",
            "; [x, y] -> [x-1, 3] where y < 2",
            "; [x, y] -> [0, y-1]",
        ][digit(6) as usize];
        let rules = format!("[x, y] -> {result} where {guard}, x < 9, y < 9{second}");
        let ruleset = parse(&rules).expect("the rules are well written");
        let mut meter = Meter::new(Budget::default());
        let Ends::Always(measures) = facts(&ruleset, &mut meter).ends else {
            continue;
        };
        ended += 1;
        let mut oracle = grundy::oracle::Oracle::new(&ruleset);
        for x in 0..6u32 {
            for y in 0..6u32 {
                let component = grundy_rules::Component::of_numbers([x, y]);
                let value = oracle.grundy_value(&component, &mut meter);
                assert!(value.is_ok(), "{rules} {measures:?} {x},{y}: {value:?}");
            }
        }
    }
    assert!(ended > 500, "{ended} games were shown to end");
}
