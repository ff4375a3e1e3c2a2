//! What each clause of the rule language allows, on positions small enough to be done by hand.

use grundy_rules::given::{GivenFault, prepare};
use grundy_rules::moves::{ended, moves};
use grundy_rules::ruleset::{EndingResult, RowOrder};
use grundy_rules::{Budget, Meter, Ruleset, parse, parse_position};

fn read(rules: &str) -> Ruleset {
    parse(rules).unwrap_or_else(|faults| panic!("{rules}: {faults:?}"))
}

/// The moves of a position as `label: result`, with the number of ways behind it if there are
/// several. Inline rules are written with `;`.
fn all_moves(rules: &str, position: &str) -> Vec<String> {
    let ruleset = read(rules);
    let mut meter = Meter::new(Budget::default());
    let given = parse_position(position, &ruleset).expect("the position is well written");
    let position = prepare(&ruleset, &given, &mut meter).expect("the position is one of the game");
    let moves = moves(&ruleset, &position, &mut meter).expect("the budget is large");
    moves
        .iter()
        .map(|next| {
            let result = ruleset.position_text(&next.result(&position));
            let ways = if next.ways == 1 {
                String::new()
            } else {
                format!(" ({} ways)", next.ways)
            };
            format!("{}: {result}{ways}", next.label)
        })
        .collect()
}

#[track_caller]
fn check(rules: &str, position: &str, expected: &[&str]) {
    assert_eq!(
        all_moves(rules, position),
        expected,
        "{rules} at {position}"
    );
}

/// Only the results, in order.
#[track_caller]
fn leads(rules: &str, position: &str, expected: &[&str]) {
    let moves = all_moves(rules, position);
    let results: Vec<&str> = moves
        .iter()
        .map(|text| text.split_once(": ").expect("a label stands before it").1)
        .collect();
    assert_eq!(results, expected, "{rules} at {position}");
}

// Moves.

#[test]
fn rules_are_tried_in_file_order_and_choices_ascending() {
    check(
        "take: [n] -> [n-k] where 1 <= k <= 2; split: [n] -> [a] + [n-a] where 1 <= a < n",
        "3",
        &["take: 2", "take: 1", "split: 1 2 (2 ways)"],
    );
    check("[n] -> [0]; [n] -> [1]", "2", &["move1: 0", "move2: 1"]);
    check("[n] -> [n-1] | [n-2]", "2", &["move1: 1", "move1: 0"]);
}

#[test]
fn equal_results_of_one_label_are_one_move_with_ways() {
    check(
        "[n] -> [a] + [n-a]",
        "3",
        &["move1: 0 3 (2 ways)", "move1: 1 2 (2 ways)"],
    );
    check(
        "[n] -> [n/k] where 2 <= k <= 4",
        "4",
        &["move1: 2", "move1: 1 (2 ways)"],
    );
    check("a: [n] -> [0]; b: [n] -> [0]", "5", &["a: 0", "b: 0"]);
    check("a: [n] -> [0] | [n-5]", "5", &["a: 0 (2 ways)"]);
    // A number that must exist is no way of its own.
    check("[n] -> [0] where d | n, d <= n", "6", &["move1: 0"]);
}

#[test]
fn no_coordinate_of_a_result_is_negative() {
    leads("[n] -> [n-k] where k >= 1", "2", &["1", "0"]);
    leads("[n] -> [n-3]", "2", &[]);
    leads(
        "[x, y] -> [x-k, y+k] | [x, y-k-1]",
        "1,2",
        &["1,2", "0,3", "1,1", "1,0"],
    );
}

#[test]
fn patterns_are_numbers_repeated_variables_and_rests() {
    leads("[x, x] -> [0, x]", "3,3", &["0,3"]);
    leads("[x, x] -> [0, x]", "3,4", &[]);
    leads("[n, 1] -> [n, 0]", "4,1", &["4,0"]);
    leads("[n, 1] -> [n, 0]", "4,2", &[]);
    leads(
        "[l.., x, r..] -> [l.., r..]",
        "7,8,9",
        &["8,9", "7,9", "7,8"],
    );
    leads(
        "[l.., x, m.., x, r..] -> [m..]",
        "1,2,1,1",
        &["2", "2,1", "[]"],
    );
    // Mixed arities: a component that no pattern matches has no move.
    leads("[n] -> [n, 7]; [n, 7, 7] -> [n]", "4", &["4,7"]);
    leads(
        "[n] -> [n, 7]; [n, 7] -> [n, 7, 7] where n >= 9",
        "4,7",
        &[],
    );
}

#[test]
fn results_are_sums_copies_series_and_nothing() {
    leads("[n] -> nothing", "3", &["nothing"]);
    leads(
        "[n] -> k of [n/k] where 1 <= k <= n, k | n",
        "4",
        &["4", "2 2", "1 1 1 1"],
    );
    // No copy of what could not be made.
    leads("[n] -> [n] + k of [0-1] where k <= 1", "2", &["2"]);
    leads(
        "[i] -> [j] for j in i-k..i-1 where 1 <= k <= i",
        "3",
        &["2", "1 2", "0 1 2"],
    );
    leads("[n] -> [v+w] for v in 1..2, w in 0..v", "9", &["1 2 2 3 4"]);
    leads("[n] -> [n] + [v] for v in 5..4", "9", &["9"]);
    leads("[n] -> [v-1] for v in 0..2", "9", &[]);
}

#[test]
fn undefined_terms_make_no_move() {
    leads("[n] -> [6/n]", "0", &[]);
    leads("[n] -> [6 mod n]", "4", &["2"]);
    leads("[n] -> [2^(n-3)]", "2", &[]);
    leads("row a; [r..] -> [a[4]]", "1,2,3", &[]);
    leads("[n] -> [isqrt(n-5)]", "4", &[]);
    leads("[n] -> [(n-5) xor 1]", "4", &[]);
}

#[test]
fn updates_read_the_old_row_and_hit_different_places() {
    let staircase = "row a; down: a[i] -= k, a[i-1] += k where i >= 2, k >= 1";
    leads(staircase, "0,2,1", &["1,1,1", "2,0,1", "0,3,0"]);
    leads("row a; a[1] = a[2], a[2] = a[1]", "3,4", &["4,3"]);
    leads(
        "row a; a[i] -= 1, a[j] -= 1 where i >= 1, j >= 1",
        "2,2",
        &["1,1 (2 ways)"],
    );
    leads("row a; remove a[i] where i >= 1", "4,5", &["5", "4"]);
    leads("row a; remove a[1], a[2] -= 1", "4,5", &["4"]);
    leads("row a; first -= k where k >= 1", "2,9", &["1,9", "0,9"]);
    leads("row a; last = 7", "2,9", &["2,7"]);
    // One place is both first and last, and an empty row has neither.
    leads("row a; first -= 1, last -= 1", "2", &[]);
    leads("row a; first -= 1, last -= 1", "2,2", &["1,1"]);
    leads("row a; first = 1", "[]", &[]);
    leads(
        "row a; a[i] = first + last where i = 2",
        "2,0,5",
        &["2,7,5"],
    );
}

#[test]
fn every_and_some_change_many_places() {
    leads("row a; every a -= k where k >= 1", "2,3", &["1,2", "0,1"]);
    leads("row a; every a -= 1", "0,3", &[]);
    leads("row a; every a -= 1", "[]", &[]);
    leads(
        "row a; some a -= k where k >= 1",
        "1,2",
        &["0,2", "0,1", "1,1", "1,0"],
    );
    leads(
        "row a; some up to 2 a -= 1",
        "1,1,1",
        &["0,1,1", "0,0,1", "0,1,0", "1,0,1", "1,0,0", "1,1,0"],
    );
    leads("row a; some up to 0 a -= 1", "1,1", &[]);
}

#[test]
fn joint_moves_take_several_components() {
    check(
        "take: [n] -> [n-1]; merge: [x] + [y] -> [x+y] where x >= 1, y >= 1",
        "1 2",
        &["take: 0 2", "merge: 3 (2 ways)", "take: 1 1"],
    );
    leads("[x] + [y] -> [x-y] where y >= 1", "3 2", &["1"]);
    leads("[x] + [y] -> [x+y]", "3", &[]);
}

#[test]
fn nested_moves_are_moves_of_the_same_game() {
    let trees = "row t; cut: [l.., c, r..] -> [l.., r..]; \
                 inside: [l.., c, r..] -> [l.., d, r..] where c -> d";
    check(
        trees,
        "[[],[[]]]",
        &["cut: [[[]]]", "cut: [[]]", "inside: [[],[]]"],
    );
    check(
        trees,
        "[[[],[[]]]]",
        &[
            "cut: []",
            "inside: [[[]]]",
            "inside: [[[],[]]]",
            "inside: [[[[]]]]",
        ],
    );
}

#[test]
fn a_move_may_lead_back_to_its_own_position() {
    leads("[n] -> [n-k]", "1", &["1", "0"]);
}

// Guards.

/// The numbers k up to 20 of which a condition holds.
fn holds(condition: &str) -> Vec<u32> {
    let rules = format!("row a; [n, r..] -> [k] where k <= 20, {condition}");
    let moves = all_moves(&rules, "12,5,0,7");
    moves
        .iter()
        .map(|text| {
            text.rsplit(' ')
                .next()
                .expect("a result")
                .parse()
                .expect("a number")
        })
        .collect()
}

#[test]
fn words_bind_as_the_language_says() {
    assert_eq!(holds("k = 1 or k = 2 and k > 1"), [1, 2]);
    assert_eq!(holds("not k > 3 and k > 1"), [2, 3]);
    assert_eq!(holds("not (k > 3 and k > 1)"), [0, 1, 2, 3]);
    // A comma is looser than `or`.
    assert_eq!(holds("k = 1 or k = 2, k > 1"), [2]);
    assert_eq!(holds("k = 2 + 3 * 2^2 - 14 / 3"), [10]);
    assert_eq!(holds("k = 7 xor 2 + 1"), [4]);
    assert_eq!(holds("k = 2^3^1"), [8]);
    assert_eq!(holds("k = 12 / 3 / 2"), [2]);
    assert_eq!(holds("k = 12 - 3 - 2"), [7]);
}

#[test]
fn neighbours_in_a_chain_are_compared() {
    assert_eq!(holds("1 < k | n"), [2, 3, 4, 6, 12]);
    assert_eq!(holds("2 <= k < 5 != k"), [2, 3, 4]);
    assert_eq!(holds("1 < k in {0, 1, 3} "), [3]);
    assert_eq!(holds("3 >= k > 1"), [2, 3]);
}

#[test]
fn division_rounds_down_and_remainders_are_natural() {
    assert_eq!(holds("k = -7 / 2 + 10"), [6]);
    assert_eq!(holds("k = 7 / -2 + 10"), [6]);
    assert_eq!(holds("k = -7 mod 3"), [2]);
    assert_eq!(holds("(k - 10) mod 7 = 3, k < 10"), [6]);
}

#[test]
fn undefined_terms_make_the_smallest_comparison_false() {
    assert_eq!(holds("k = 3 / (k - 3)"), []);
    assert_eq!(holds("k < 4, not 3 / (k - 3) > 0"), [0, 1, 2, 3]);
    assert_eq!(holds("k < 3, 1 / (k - 1) != 5"), [0, 2]);
    assert_eq!(holds("k < 3, 5 mod (k - 1) >= 0"), [2]);
    assert_eq!(holds("k < 3, 2^(k - 1) >= 0"), [1, 2]);
    assert_eq!(holds("a[k] >= 0"), [1, 2, 3, 4]);
    assert_eq!(holds("k < 3, (k - 1) in 0..5/k"), [1, 2]);
    assert_eq!(holds("k < 3, (k - 1) not in 4..5/k"), [1, 2]);
    assert_eq!(holds("k - 2 | 6"), [3, 4, 5, 8]);
    assert_eq!(holds("k < 4, k | 0"), [1, 2, 3]);
}

#[test]
fn bits_and_functions() {
    assert_eq!(
        holds("k = 12 xor 10 or k = 12 band 10 or k = 12 bor 10"),
        [6, 8, 14]
    );
    assert_eq!(holds("k = 3 shl 2 or k = 13 shr 2"), [3, 12]);
    assert_eq!(holds("popcount(k) = 3"), [7, 11, 13, 14, 19]);
    assert_eq!(holds("k = min(n, 9, 11) or k = max(3, 2)"), [3, 9]);
    assert_eq!(holds("gcd(k, n) = 6"), [6, 18]);
    assert_eq!(holds("k = gcd(0, n) or k = gcd(8, -6)"), [2, 12]);
    assert_eq!(holds("abs(k - 5) = 2"), [3, 7]);
    assert_eq!(holds("isqrt(k) = 3"), (9..16).collect::<Vec<_>>());
    assert_eq!(holds("omega(k) = 2"), [6, 10, 12, 14, 15, 18, 20]);
    assert_eq!(holds("omega(k) = 0"), [1]);
}

#[test]
fn sets_hold_what_they_say() {
    assert_eq!(holds("k in {1, n, n+1}"), [1, 12, 13]);
    assert_eq!(holds("k in 3..5"), [3, 4, 5]);
    assert_eq!(holds("k in 5..3"), []);
    assert_eq!(holds("k in primes"), [2, 3, 5, 7, 11, 13, 17, 19]);
    assert_eq!(
        holds("k in prime powers"),
        [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19]
    );
    assert_eq!(holds("k in squares"), [1, 4, 9, 16]);
    assert_eq!(holds("k in powers of 3"), [1, 3, 9]);
    assert_eq!(holds("k in powers of 1"), [1]);
    assert_eq!(holds("k in fibonacci"), [1, 2, 3, 5, 8, 13]);
    assert_eq!(holds("k < 6, k in all but {2, 4}"), [1, 3, 5]);
    assert_eq!(holds("k < 6, k not in all but {2, 4}"), [0, 2, 4]);
    assert_eq!(holds("k in digits of 1220"), [0, 1, 2]);
    assert_eq!(holds("k in digits of 0"), [0]);
    assert_eq!(holds("k in digits of 11 base 3"), [0, 1, 2]);
    assert_eq!(holds("k in digits of -5"), []);
}

#[test]
fn rows_are_measured_as_sets() {
    // The row is 12,5,0,7 and r its rest 5,0,7.
    assert_eq!(holds("k = length(a) or k = length(r)"), [3, 4]);
    assert_eq!(holds("k = sum(r)"), [12]);
    assert_eq!(holds("k = min(a) or k = max(a)"), [0, 12]);
    assert_eq!(holds("k = gcd(r) or k = xor(r)"), [1, 2]);
    assert_eq!(holds("k in r"), [0, 5, 7]);
    assert_eq!(holds("k = length({1, 1, 2})"), [2]);
    assert_eq!(holds("k = length(5..n)"), [8]);
    assert_eq!(holds("k = length(n..5)"), [0]);
    assert_eq!(holds("k = sum(n..5)"), [0]);
    assert_eq!(holds("k = max(digits of 1729)"), [9]);
    assert_eq!(holds("k = min(n..5)"), []);
}

#[test]
fn quantifiers_range_over_finite_sets() {
    assert_eq!(holds("k < 8, some i in 2..3: i * i = k"), [4]);
    assert_eq!(holds("k < 5, every i in 1..k: i < 3"), [0, 1, 2]);
    assert_eq!(
        holds("k < 8, k >= 1, every i in 2..k-1: not i | k"),
        [1, 2, 3, 5, 7]
    );
    assert_eq!(holds("k < 8, some i in r: i = k"), [0, 5, 7]);
    assert_eq!(holds("k < 3, some i in 1/k..2: i = 1"), [1, 2]);
}

#[test]
fn a_choice_that_stands_in_the_guard_alone_must_exist() {
    leads("[n] -> [0] where p * q = n, p >= 2, q >= 2", "6", &["0"]);
    leads("[n] -> [0] where p * q = n, p >= 2, q >= 2", "7", &[]);
    leads(
        "[n] -> [k] where k = p + 1, p in primes, p < n",
        "8",
        &["3", "4", "6", "8"],
    );
}

// Around the moves.

#[test]
fn parameters_are_numbers_sets_lists_and_relations() {
    leads(
        "game g(m = 2); [n] -> [n-k] where 1 <= k <= m",
        "9",
        &["8", "7"],
    );
    leads(
        "game g(S = {4,1}); [n] -> [n-k] where k in S",
        "9",
        &["8", "5"],
    );
    leads("game g(L = (3,1,2)); [n] -> [L[n]]", "3", &["2"]);
    leads("game g(L = (3,1,2)); [n] -> [L[n]]", "0", &[]);
    let tokens = "game g(E = {(1,2),(1,3),(2,3)}); [v] -> [w] where (v, w) in E";
    leads(tokens, "1", &["2", "3"]);
    leads(tokens, "3", &[]);
    leads(
        "game g(E = {(1,2)}); [v] -> [w] where w <= 2, (v, w) not in E",
        "1",
        &["0", "1"],
    );
}

#[test]
fn start_completes_given_components_and_results() {
    let fibonacci = "start [n] as [n, max(n-1, 0)]; [n, q] -> [n-k, 2*k] where 1 <= k <= q";
    leads(fibonacci, "3", &["2,2", "1,4"]);
    leads(fibonacci, "3,1", &["2,2"]);
    leads("start [n] as [n, 1]; [n, q] -> [n-1]", "3,5", &["2,1"]);
    // With a rest it is for given positions, all of them.
    let marked = "start [r..] as [1, r..]; [x, r..] -> [x, x, r..]";
    leads(marked, "7", &["1,1,7"]);
    leads(marked, "[]", &["1,1"]);
}

#[test]
fn rows_keep_their_order() {
    leads(
        "row p, increasing; p[i] -= k where k >= 1",
        "2,4",
        &["1,4", "0,4", "2,3"],
    );
    leads(
        "row p, nondecreasing; p[i] -= k where k >= 1",
        "2,4",
        &["1,4", "0,4", "2,3", "2,2"],
    );
    leads(
        "row p, nonincreasing; p[i] -= k where k >= 1",
        "4,2",
        &["3,2", "2,2", "4,1", "4,0"],
    );
    let ruleset = read("row p, increasing; p[i] -= k where k >= 1");
    let given = parse_position("2,2", &ruleset).expect("well written");
    let mut meter = Meter::new(Budget::default());
    assert_eq!(
        prepare(&ruleset, &given, &mut meter),
        Err(GivenFault::Order {
            component: 0,
            order: RowOrder::Increasing
        })
    );
}

#[test]
fn rings_turn_and_their_places_wrap() {
    // From 1,2,3 every rotation begins a pattern.
    leads("row a, ring; [x, y, r..] -> [x]", "1,2,3", &["1", "2", "3"]);
    leads(
        "row a, ring; a[i] -= 1, a[i+1] += 1 where i >= 1",
        "0,0,2",
        &["0,1,1"],
    );
    leads(
        "row a, ring; a[i] = 9 where a[i-1] = 3, i >= 1",
        "1,2,3",
        &["2,3,9"],
    );
    leads(
        "row a, ring; [0, 0, r..] -> [1, 1, r..]",
        "0,0,0",
        &["0,1,1 (3 ways)"],
    );
}

#[test]
fn what_is_unordered_matches_in_every_order() {
    leads("unordered; [x, y] -> [x-1, y]", "2,5", &["1,5", "2,4"]);
    leads("unordered; [x, y] -> [x-1, y]", "5,2", &["1,5", "2,4"]);
    leads("unordered; [x, y] -> [x-1, y]", "4,4", &["3,4 (2 ways)"]);
    leads(
        "row a, unordered; [x, r..] -> [r..] where x >= 1",
        "0,2,1",
        &["0,2", "0,1"],
    );
}

#[test]
fn empty_places_vanish_as_declared() {
    leads(
        "row a, empties vanish; a[i] -= 1 where i >= 1",
        "1,1,2",
        &["1,2 (2 ways)", "1,1,1"],
    );
    leads(
        "row a, empty ends vanish; a[i] -= 1 where i >= 1",
        "1,0,2",
        &["2", "1,0,1"],
    );
    leads("row a, empty ends vanish; last -= 1", "2,0,1", &["2"]);
    leads("row a, empty ends vanish; first -= 0", "0,0,3,0", &["3"]);
}

#[test]
fn rows_are_written_as_words() {
    let flip = "row a over \"-+\"; [l.., \"++\", r..] -> [l.., \"--\", r..]";
    leads(flip, "+++-", &["--+-", "+---"]);
    leads(flip, "1,1,0", &["---"]);
}

#[test]
fn endings_stop_play() {
    let treblecross = "row a over \".X\"; [l.., \".\", r..] -> [l.., \"X\", r..]; \
                       ends lost [l.., \"XXX\", r..]; ends won [\"X\"] where 1 = 1";
    leads(treblecross, "XXX.", &[]);
    leads(treblecross, "XX.", &["XXX"]);
    let ruleset = read(treblecross);
    let mut meter = Meter::new(Budget::default());
    let mut end = |text: &str| {
        let position = parse_position(text, &ruleset).expect("well written");
        ended(&ruleset, &position, &mut meter).expect("the budget is large")
    };
    assert_eq!(end(".XXX."), Some(EndingResult::Lost));
    assert_eq!(end("X"), Some(EndingResult::Won));
    assert_eq!(end("XX.X"), None);
    // A component that ends so ends the whole sum.
    assert_eq!(end(".. XXX"), Some(EndingResult::Lost));
    leads(treblecross, ".. XXX", &[]);
}

#[test]
fn compounds_say_in_which_components_to_move() {
    let take = "[n] -> [n-k] where 1 <= k <= 2";
    let played = |compound: &str| format!("{take}; compound {compound}");
    leads(take, "1 2", &["0 2", "1 1", "0 1"]);
    leads(&played("conjunctive"), "1 2", &["0 1", "0 0"]);
    leads(&played("conjunctive"), "0 2", &[]);
    leads(
        &played("conjunctive continued"),
        "0 1 2",
        &["0 0 1", "0 0 0"],
    );
    leads(&played("selective"), "1 1", &["0 1", "0 0", "0 1"]);
    leads(&played("selective up to 1"), "1 1", &["0 1", "0 1"]);
    leads(
        &played("selective up to 2"),
        "1 1 1",
        &["0 1 1", "0 0 1", "0 0 1", "0 1 1", "0 0 1", "0 1 1"],
    );
    leads(&played("selective up to 0"), "1 1", &[]);
    leads(&played("selective up to -1"), "1 1", &[]);
}

#[test]
fn short_forms_mean_their_rules() {
    // 0.137: take 1 and leave nothing; 2 and leave nothing or one heap; 3 and leave up to two.
    leads("rules 0.137", "1", &["nothing"]);
    leads("rules 0.137", "2", &["nothing"]);
    leads("rules 0.137", "3", &["1", "nothing"]);
    leads("rules 0.137", "5", &["3", "2", "1 1"]);
    leads("rules {1,3,4}", "3", &["2", "0"]);
    leads("rules all but {2,5}", "4", &["3", "1", "0"]);
    // 4.: split into two heaps.
    leads("rules 4.", "3", &["1 2 (2 ways)"]);
}
