//! What people read when their rules are wrong.

use std::fmt::Write as _;

use grundy::text::render;
use grundy_rules::{Diagnostic, Ruleset, parse, parse_bytes, parse_position};

/// Rules with something wrong; `;` stands for a line's end.
const WRONG: &[&str] = &[
    // The text.
    "",
    "# only a comment",
    "game empty",
    "play misere",
    "play miser",
    "paly misere",
    "expct lost 3",
    "exit",
    "3 -> 2",
    "[n] - > [n-1]",
    "[n] → [n-1]",
    "[n] => [n-1]",
    "[n] -> [n-k] where 1 ≤ k",
    "[n] -> [n-k] where k == 1",
    "[n] -> [n-k] where k >= 1 && k <= 3",
    "[n] -> [n-k] where n % 3 = k",
    "row a over \".X",
    // Grammar.
    "[n]",
    "[n] ->",
    "[n] -> [n-]",
    "[n] -> [n-1",
    "[n] -> n-1]",
    "[n] -> [n-1)",
    "[n] -> n-1",
    "[n] -> [n-k] where",
    "[n] -> [n-k] where k >= 1,",
    "[n] -> [n-k] where 1 <= k <= 3 4",
    "[n] -> [n-k] where 2k <= n, k >= 1",
    "[n] -> [n-k] where k >= 1 where k <= 2",
    "[n] -> [n-k] if k >= 1",
    "take [n] -> [n-1]",
    "take-one [n] -> [n-1]",
    "[n] -> [n-k] wher k >= 1",
    "take: take: [n] -> [n-1]",
    "left: right: [n] -> [n-1]",
    "[n] -> [n-k] where k not 3",
    "[n] -> [in] where n >= 1",
    "[n, ] -> [n]",
    "game bash(m 3); [n] -> [n-1]",
    "game bash(m = ); [n] -> [n-1]",
    "game bash(m = {1,(2,3)}); [n] -> [n-1]",
    "game bash(m = n+1); [n] -> [n-1]",
    "game bash(m = 3, m = 4); [n] -> [n-1]",
    "game tokens(E = {(1,2),(1,2,3)}); [v] -> [w] where (v, w) in E",
    "game one; game two; [n] -> [n-1]",
    "row a, incresing; a[i] -= k where k >= 1",
    "row a, increasing, nonincreasing; a[i] -= k where k >= 1",
    "row a over \"..\"; a[i] -= k where k >= 1",
    "row a over \".#\"; a[i] -= k where k >= 1",
    "row a ring; a[i] -= 1",
    "row a; row b; a[i] -= 1",
    "compound selectiv; [n] -> [n-1]",
    "ends lots [0]; [n] -> [n-1]",
    "chance d 1..6; [n] -> [n-d]",
    "chance d in primes; [n] -> [n-d]",
    "draw; [n] -> [n-1]",
    // Short forms.
    "rules 0.97",
    "rules 0.3G",
    "rules 0.7f",
    "rules take-and-break 0.3Z",
    "rules 3.7",
    "rules 77",
    "rules 0.00",
    "rules 44.7",
    "rules 0.(3",
    "rules {1,3,x}",
    "rules {0,1}",
    "rules {1,,3}",
    "rules {}",
    "rules kayles",
    "rules 0.77; [n] -> [n-1]",
    // Meaning.
    "[n] -> [n+k] where k >= 1",
    "[n] -> [d] where d | n",
    "[x, y] -> [x-k, y] | [x, y-1] where k >= 1",
    "[n] -> nothing | [n-k] where k >= 1",
    "[n+1] -> [n]",
    "[-1] -> [1]",
    "game bash(m = 3); [m] -> [m-1]",
    "[l.., r..] -> [l..]",
    "[r, r..] -> [r..]",
    "[r.., x] -> [r]",
    "[x] -> [x..]",
    "a[i] -= k where k >= 1",
    "row a; b[i] -= k where k >= 1",
    "first -= 1",
    "[l.., \"++\"] -> [l..]",
    "row a over \"-+\"; [l.., \"+x\"] -> [l..]",
    "game s-nim(S = {2,5}); [n] -> [n-S]",
    "game s-nim(S = {2,5}); [n] -> [n-k] where k = S",
    "game s-nim(S = {2,5}); [n] -> [n-k] where k in s",
    "game s-nim(Take = {2,5}); [n] -> [n-k] where k in take",
    "[n] -> [n-k] where k in 3",
    "[n] -> [n-k] where k in pimes",
    "[n] -> [n-k] where k in n",
    "[n] -> [n-k] where k",
    "[n] -> [n-k] where (k >= 1) < n",
    "[n] -> [n-k] where min() <= k <= n",
    "[n] -> [n-k] where gcd(n) = k",
    "[n] -> [n-k] where abs(n, 1) = k",
    "[n] -> [n-k] where ggcd(n, k) = 1, 1 <= k <= n",
    "[n] -> [n-k] where n(3) = k",
    "[n] -> [n-k] where n[1] = k",
    "[n] -> [n-k] where sum(primes) = k",
    "[n] -> [n-k] where some i in squares: i = k",
    "[n] -> [n-k] where some n in 1..3: n = k",
    "[n] -> [n-k] where some i in 1..3: i = k, i < 2",
    "game tokens(E = {(1,2),(1,3)}); [v] -> [w] where (v, w, v) in E",
    "game tokens(E = {(1,2),(1,3)}); [v] -> [w] where v in E",
    "game tokens(E = {(1,2),(1,3)}); [v] -> [w] where (v, w) in F",
    "[t] -> [u] where t+1 -> u",
    "start [n] as [n, q]; [n, q] -> [n-1, q]",
    // Tests and claims.
    "[n] -> [n-1]; expect",
    "[n] -> [n-1]; expect losst 3",
    "[n] -> [n-1]; expect grundy",
    "[n] -> [n-1]; expect grundy 0 1 -1",
    "[n] -> [n-1]; expect grundy 0,1,x",
    "[n] -> [n-1]; expect value 3",
    "[n] -> [n-1]; expect value 3 = x",
    "[n] -> [n-1]; expect lost",
    "[n] -> [n-1]; expect lost 3,4",
    "[n] -> [n-1]; expect lost -3",
    "[n] -> [n-1]; expect lost [3",
    "[n] -> [n-1]; expect law period 0 from 3",
    "[n] -> [n-1]; expect law periode 2 from 3",
    "[n] -> [n-1]; expect no law under 7",
    "[n] -> [n-1]; claim [n] = n",
    "[n] -> [n-1]; claim grundy [n] = m",
    "[n] -> [n-1]; claim grundy [n] = n;3 if n = 4",
    "[n] -> [n-1]; claim grundy [n] = n if;3",
    "[n] -> [n-1]; claim lost [n] = 3",
    "[n] -> [n-1]; claim lost [n] iff n",
    "[n] -> [n-1]; claim lost [x, y] iff x = y",
    "chance d in 1..6; [d] -> [d-1]",
    "pebbles a, nondecreasing",
    "row a, nondecreasing; a[i] -= k where k >= 1; expect lost 3,2",
    // Several at once, each shown.
    "game four; play nomal; [n] -> [d] where d | n; [n] -> [n-k] where k in 3; [n] -> [n-j] where k >= 1 )",
];

fn report(out: &mut String, source: &str, faults: &[Diagnostic]) {
    for fault in faults {
        out.push_str(&render(fault, "wrong.game", source, false));
    }
    out.push('\n');
}

#[test]
fn wrong_rules_are_explained() {
    let mut out = String::new();
    for text in WRONG {
        let text = text.replace("; ", "\n");
        let Err(faults) = parse(&text) else {
            panic!("nothing is wrong with\n{text}");
        };
        report(&mut out, &text, &faults);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn wrong_positions_are_explained() {
    let heaps = parse("[n] -> [n-k] where k >= 1").expect("nim");
    let coins =
        parse("row a over \"-+\"\n[l.., \"++\", r..] -> [l.., \"--\", r..]").expect("coins");
    let cases: &[(&Ruleset, &str)] = &[
        (&heaps, ""),
        (&heaps, "-3"),
        (&heaps, "3 x 4"),
        (&heaps, "3,"),
        (&heaps, "3,,4"),
        (&heaps, "3.5"),
        (&heaps, "1-2"),
        (&heaps, "3+4"),
        (&heaps, "3 +"),
        (&heaps, "[3"),
        (&heaps, "[3]]"),
        (&heaps, "[3 4]"),
        (&heaps, "2^2^2"),
        (&heaps, "2^99999999999999999999"),
        (&heaps, "1e99999999"),
        (&heaps, "\"3\""),
        (&coins, "+-x"),
        (&coins, "\"+-x\""),
    ];
    let mut out = String::new();
    for (ruleset, text) in cases {
        let fault = parse_position(text, ruleset).expect_err(text);
        report(&mut out, text, &[fault]);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn wrong_values_of_parameters_are_explained() {
    let text =
        "game all(m = 3, S = {2,5}, L = (31,28), E = {(1,2)})\n[n] -> [n-k] where 1 <= k <= m*n";
    let game = parse(text).expect("rules");
    let mut out = String::new();
    for (name, value) in [
        ("M", "3"),
        ("m", ""),
        ("m", "{1}"),
        ("m", "1 2"),
        ("S", "x"),
        ("S", "(1,2)"),
        ("L", "{1,2}"),
        ("E", "1 2 3"),
        ("E", "1 2\n3"),
        ("E", "{1,2}"),
    ] {
        let fault = game.with_parameter(name, value).expect_err(value);
        writeln!(out, "{name}={value}").expect("a string takes all text");
        report(&mut out, value, &[fault]);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_is_no_text_is_refused() {
    let faults = parse_bytes(b"[n] -> [n-\xff]").expect_err("no UTF-8");
    let long = "#".repeat(grundy_rules::TEXT_LIMIT + 1);
    let mut out = String::new();
    report(&mut out, "", &faults);
    report(&mut out, &long, &parse(&long).expect_err("too long"));
    insta::assert_snapshot!(out);
}
