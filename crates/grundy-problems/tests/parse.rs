//! What statements, readings and expressions are read as.

use grundy_problems::parse;

#[test]
fn the_examples_are_read() {
    for name in ["hdu3032", "p1247", "poj2960"] {
        let path = format!(
            "{}/../../problems/{name}.problem",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).expect("the file is there");
        let problem = parse(&text);
        assert!(problem.is_ok(), "{name}: {problem:#?}");
        assert_eq!(problem.expect("it was read").name, name);
    }
}

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
