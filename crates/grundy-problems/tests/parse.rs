//! What statements, readings and expressions are read as.

use grundy_problems::parse;

/// Every statement, reading and form of expression at least once.
const EVERYTHING: &str = r#"
# A comment.
problem 51nod-1185_b "A title"   # and another
source "Somewhere 1185"
separators ",=[]"

read t in 1..100, skip word, skip 1..9
read k in 1.., b in {1, 2}, x: integer, y: 1..k+1
read w: word, v: word over "XO." up to 2*k, yes: "YES" | "NO"
read a: t of 1..9, row: line of integer, r: 2 of word
read p: (u in 1..9, v in u..9), q: t of (n in 0..9, s: n of 1..9)
read i: increasing t of 1..9, d: distinct k of {1, 2}, c: nonincreasing (t) of 1..(9)
read grid: t of word over ".#"
require x <= y and y in 1..
game g = nim
game s-game = { S = {1}; row a  # a comment with a }
  take: a[i] -= k where k in S, i >= 1 } with S = a
game m = misere g
game h = misere bash with m = k
repeat t as round {
  stop if round = 3
  print "Case #" ++ text(round) ++ ":", won(g at a)
  if w = "YES" { print "one line" } else { stop }
}
repeat until end { read rest: rest of word }
repeat 2
{
  print 2
}
repeat {
  read n in 0..9
  stop if n = 0
  if n = 1 {
    print
  } else if n = 2 {
    write n, "x"
  }
  else {
    for (z, s) in q if z > 1 and length(s) > 0 by (z, -length(s)) {
      print s[1], [e for e in s if e mod 2 = 0 by e, o in 1..e]
    }
    for move in winning(s-game at [[1, 2]]) {
      print move.from, move.to, move.k, move.place, move.ways, move.label, move.after
    }
  }
}
let sums = cumulative(a) ++ sort(reverse(a)) ++ [1, 2] ++ 1..3
let n = -2^2 + 3 * (4 - 1) / 2 mod 5 bor 1 shl 2 xor 3 band 1 shr 1
let found = least n in 1.. where lost((bash with m = n) at a + nim at [n, 2*n])
let largest = greatest n in 1..10^9 where not won(misere nim at n) or n not in [1]
print if found = none then "none" else if largest = endless then "endless" else largest
print [], (1, 2), xor(a), min(1, 2, 3), max(a)
print [
  1,
  2   # entries may stand on several lines
]
plainly {
  read t in 1..9
  print t
}
"#;

#[test]
fn all_forms_are_read() {
    let problem = parse(EVERYTHING);
    assert!(problem.is_ok(), "{problem:#?}");
}

/// These mean the same: `parentheses` says how what is written without them is read.
fn is_read_as(text: &str, parentheses: &str) {
    let body = |line: &str| {
        parse(&format!(
            "problem p\nread n in 1..9, m in 1..9, a: n of 1..9, w: word\n{line}\n"
        ))
    };
    let read = body(text);
    assert!(read.is_ok(), "{text}: {read:?}");
    assert_eq!(read, body(parentheses), "{text}");
}

#[test]
fn operators_bind_as_the_reference_says() {
    for (text, parentheses) in [
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("1 - 2 * 3 mod 4 / 5", "1 - (((2 * 3) mod 4) / 5)"),
        ("2 ^ 3 ^ 4", "2 ^ (3 ^ 4)"),
        ("-2 ^ 2 * 3", "(-(2 ^ 2)) * 3"),
        ("2 ^ -1 * 3", "(2 ^ (-1)) * 3"),
        ("n - -m", "n - (-m)"),
        ("1 + 2 xor 3 shl 4 + 5", "((1 + 2) xor 3) shl (4 + 5)"),
        ("[1..n xor m]", "[1..(n xor m)]"),
        ("a ++ 1..n + 1 ++ a", "(a ++ (1..(n + 1))) ++ a"),
        ("(n in 1..m ++ a)", "(n in ((1..m) ++ a))"),
        (
            "not n = 1 and m = 2 or n = 3",
            "((not (n = 1)) and (m = 2)) or (n = 3)",
        ),
        ("not not n < m", "not (not (n < m))"),
        ("n in a and m not in a", "(n in a) and (m not in a)"),
        (
            "if n = 1 then 2 else if m = 1 then 3 else 4 + 5",
            "if n = 1 then 2 else (if m = 1 then 3 else (4 + 5))",
        ),
        (
            "won(nim at n * 2 + nim at m)",
            "won((nim at (n * 2)) + (nim at m))",
        ),
        ("won(s-nim at n mod 2)", "won(s-nim at (n mod 2))"),
        ("n-m", "n - m"),
        ("n -m", "n - m"),
        ("letters(w)[n][m]", "((letters(w))[n])[m]"),
        ("-a[n] ^ 2", "-((a[n]) ^ 2)"),
        (
            "first(moves(nim at n)).to = n",
            "((first(moves(nim at n))).to) = n",
        ),
        (
            "least k in a ++ a where k = 1 or k = 2",
            "least k in (a ++ a) where ((k = 1) or (k = 2))",
        ),
        (
            "[x for x in a ++ a if x = 1 or x = 2 by -x, y in a]",
            "[x for x in (a ++ a) if ((x = 1) or (x = 2)) by (-x), y in a]",
        ),
        ("1e3 + 10^3", "1000 + 10^3"),
    ] {
        // A list of lists has the entries of the lists; it only must be read.
        is_read_as(
            &format!("let v = {text}"),
            &format!("let v = {parentheses}"),
        );
    }
}

#[test]
fn readings_have_two_forms() {
    for (text, other) in [
        ("read k in 1..9", "read k: 1..9"),
        ("read k in 1..", "read k: (1).."),
        ("read k in {1, n}", "read k: {1, (n)}"),
        ("read k: n + 1 of 1..9", "read k: (n + 1) of 1..9"),
        (
            "read p: (x in 1..9, y in 1..x)",
            "read p: (x: 1..9, y: 1..x)",
        ),
        ("read k: 2 of 3 of 1..9", "read k: (2) of (3) of 1..9"),
        ("read k in 1..9, l in k..9", "read k in 1..9,\n  l in k..9"),
    ] {
        let joined = other.replace(",\n", ",");
        is_read_as(text, &joined);
    }
}

#[test]
fn lines_and_blocks_may_stand_apart() {
    for (text, other) in [
        (
            "if n = 1 { print 1 } else { print 2 }",
            "if n = 1\n{\nprint 1\n}\nelse\n{\nprint 2\n}",
        ),
        (
            "if n = 1 {\n} else if n = 2 {\n}",
            "if n = 1 {\n} else {\nif n = 2 {\n}\n}",
        ),
        ("print max(\n  1, # one\n\n  2\n)", "print max(1, 2)"),
        (
            "print [\n  x\n  for x in a\n  if x = 1\n]",
            "print [x for x in a if x = 1]",
        ),
        ("repeat n { print } print", "repeat n {\nprint\n}\nprint"),
        ("", "# nothing\n\n"),
    ] {
        is_read_as(text, other);
    }
}

#[test]
fn names_last_to_the_end_of_their_block() {
    // An inner block may give a name anew.
    is_read_as(
        "repeat n as i {\n  let m = 1\n  for n in a {\n    let m = n\n  }\n}\nlet i = m",
        "repeat n as i {\n  let m = 1\n  for n in a {\n    let m = n\n  }\n}\nlet i = m",
    );
    // A value may have the name of a game of the catalogue, or of a function.
    is_read_as("let nim = a\nprint nim[1]", "let nim = a\nprint (nim)[1]");
    is_read_as(
        "let sum = sum(a)\nprint sum",
        "let sum = sum(a)\nprint (sum)",
    );
}

#[test]
fn a_tuple_is_as_good_as_a_list() {
    let line = "for x in (n, m) {\n}\nprint max((n, m))";
    is_read_as(line, line);
}

#[test]
fn everything_printed_is_read_as_the_same() {
    let problem = parse(EVERYTHING).expect("a problem without faults");
    let printed = problem.to_text();
    assert_eq!(parse(&printed).as_ref(), Ok(&problem), "{printed}");
}
