//! What people read when their problem file is wrong.

use std::fmt::Write as _;

use grundy_problems::text::render;
use grundy_problems::{Diagnostic, parse, parse_bytes};

/// Statements with something wrong, behind the head of a file and `read n in 1..9, a: n of 1..9`.
const WRONG: &[&str] = &[
    // Characters and brackets.
    "print n; n",
    "print n == 1",
    "n += 1",
    "print n % 2 = 0 && won(nim at a)",
    "print “n”",
    "print \"n",
    "print \"n\\\"",
    "print \"\\t\"",
    "print (n",
    "print (n\nprint [a\nread k in 1..9",
    "print n)",
    "print [n, (a])",
    "}",
    "repeat n {\n  print n",
    "game g = { take: [n] -> [n-1]",
    // Statements.
    "printt n",
    "output n",
    "x = 3",
    "let x == 3",
    "let 3 = n",
    "let if = n",
    "let x = ",
    "let x = n n",
    "read k",
    "read k 1..9",
    "read k in 1",
    "read k in {1, 2",
    "read k: wrd",
    "read k: numbers",
    "read k: lines of 1..9",
    "read k: n of",
    "read k: n 1..9",
    "read k: word over ab",
    "read k: word up 3",
    "read k: (1..9, 2..3)",
    "read k: \"YES\" | no",
    "read in 1..9",
    "repeat n",
    "repeat n as {\n}",
    "repeat until done {\n}",
    "repeat n times {\n}",
    "if n = 1 print n",
    "if n = 1 then {\n  print n\n}",
    "else {\n  print n\n}",
    "if n = 1 {\n} else print n",
    "for n in a {\n}\nfor k of a {\n}",
    "for k in a where k = 1 {\n}",
    "stop",
    "stop n = 1",
    "repeat {\n  stop when n = 1\n}",
    "problem other",
    "source \"late\"",
    "plainly {\n  print 1\n}\nprint 2",
    "while n {\n  print 2k\n}",
    "print 2n",
    "game = nim",
    "game g nim",
    "game g = [n] -> [n-1]",
    "game g = misere",
    "game g = bash with 3",
    "game g = bash m = 3",
    // Expressions.
    "print n +",
    "print if n = 1 then 2",
    "print if n = 1 2 else 3",
    "print [k for k n]",
    "print [k for k in a if k by]",
    "print least k in 1..",
    "print a[1",
    "print a.1",
    "print nim(a)",
    "print won(nim a)",
    "print won(bash with m = 3 at a)",
    "print won((bash with m = 3))",
    "print won({n} at a)",
    "print [k for k in 1..]",
    "print n not 3",
    // Names.
    "print m",
    "print aa, b",
    "let n = 1",
    "repeat n as i {\n  let i = 1\n}\nprint i",
    "read p: (x in 1..9, x in 1..9)\nprint x",
    "print nim",
    "print won(a at n)",
    "print won(nimm at a)",
    "print won(s_nim at a)",
    "print won(g at a)\ngame g = nim",
    "print won((bash with k = 3) at a)",
    "print won((bash with m = 3, m = 4) at a)",
    "game g = { take: [n] -> [n-k] where k in S } with S = a",
    "game g = { take: [n] -> [n-1] } with s = a",
    "print wins(nim at a)",
    "print length()",
    "print zip(a), min()",
    "print first(winning(nim at a)).form",
    "print first(winning(nim at a)).k, first(winning(nim at a)).j",
    // Kinds.
    "print nim at a",
    "print won(a)",
    "print won(nim at a - 1)",
    "print won(nim at a + 1)",
    "print won(nim at won(nim at a))",
    "print \"n\" + 1",
    "print \"n = \" ++ n",
    "print n ++ 1",
    "if n {\n  print n\n}",
    "print n and 1 = 1, not n",
    "print a + 1, a < 1 or a",
    "print sum(n), isqrt(a), letters(n)",
    "for k in n {\n}",
    "for c in \"text\" {\n}",
    "print n[1], a[a], a.from",
    "print won((bash with m = a) at n)",
    "game g = { S = {1}; [n] -> [n-k] where k in S } with S = 3",
    "let k = if n = 1 then 1 else \"1\"\nlet s = if n = 1 then \"a\" else \"b\"\nprint k + 1, s + 1",
    "repeat \"t\" {\n}",
    "read w: word\nread k in 1..w",
    "require n",
    "print 3 in n, n in 1..",
    // Rules in their place.
    "game g = {\n  take: [n] -> [n-k] where k >= 1\n  split: [n] -> [a] + [n-b]\n}",
    "game g = { take: [n] -> n-1; m = }",
    "game g = { }",
];

/// Whole files with something wrong.
const FILES: &[&str] = &[
    "",
    "# nothing",
    "read n in 1..9\nprint n",
    "problem",
    "problem \"no name\"",
    "problem one \"One\" two",
    "source \"first\"\nproblem one",
    "problem one\nproblem two\nsource \"a\"\nsource \"b\"\nseparators 1",
];

fn shown(text: &str, faults: &[Diagnostic]) -> String {
    let mut all = String::new();
    for fault in faults {
        all += &render(fault, "p.problem", text, false);
    }
    all
}

#[test]
fn diagnostics_are_shown_under_the_line_they_concern() {
    let mut all = String::new();
    let with_head =
        |wrong: &&str| format!("problem p \"P\"\nread n in 1..9, a: n of 1..9\n{wrong}\n");
    let texts = WRONG.iter().map(with_head);
    for text in texts.chain(FILES.iter().map(ToString::to_string)) {
        let faults = parse(&text).expect_err(&text);
        writeln!(all, "{}", shown(&text, &faults)).expect("a string takes every text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    let faults = parse_bytes(b"problem p\nprint \"\xff\"").expect_err("no UTF-8");
    insta::assert_snapshot!(shown("", &faults));
}

#[test]
fn faults_of_rules_stand_in_the_problem_file() {
    let text = "problem p\ngame g = { take: [n] -> [n-k] where k in Q }\n";
    let faults = parse(text).expect_err("`Q` means nothing");
    assert_eq!(faults.len(), 1);
    let span = faults[0].span;
    assert_eq!(&text[span.start..span.end], "Q");
}
