//! The program as a user meets it: what it prints, and how it ends.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How a run of the program ended.
struct Run {
    status: i32,
    out: String,
    err: String,
}

/// Bad input must be answered long before this, even on a busy machine.
const SOON: Duration = Duration::from_secs(30);

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_grundy"));
    // Laws kept from other runs would hide how an answer is found.
    program.env("XDG_CACHE_HOME", folder()).env("NO_COLOR", "1");
    program
}

fn grundy(arguments: &[&str]) -> Run {
    grundy_with(arguments, b"")
}

fn grundy_with(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was asked for");
    // A program that refuses its arguments need not read its input.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        status: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).expect("output is text"),
        err: String::from_utf8(output.stderr).expect("output is text"),
    }
}

fn answer(arguments: &[&str]) -> Value {
    let run = grundy(arguments);
    assert_eq!(run.status, 0, "{}", run.err);
    serde_json::from_str(&run.out).expect("--json prints JSON")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A file with this content, and its path.
fn file(name: &str, content: &[u8]) -> String {
    let path = folder().join(name);
    fs::write(&path, content).expect("the folder of the tests can be written");
    path.to_str().expect("its path is text").to_owned()
}

#[test]
fn solve_says_all_in_json() {
    let mut found = answer(&["solve", "lasker", "3", "4", "7", "--json"]);
    for evidence in ["evidence", "grundy_evidence"] {
        let evidence = found.as_object_mut().unwrap().remove(evidence).unwrap();
        assert_eq!(evidence["kind"], "proved");
        let digest = evidence["certificate"].as_str().unwrap();
        assert!(digest.starts_with("sha256:"));
    }
    let split = |a: &str, b: &str| {
        json!({"label": "split", "choices": {"a": a}, "ways": "2",
               "changes": [{"component": 2, "from": ["7"], "to": [[a], [b]]}]})
    };
    let expected = json!({
        "game": "lasker", "position": [["3"], ["4"], ["7"]], "play": "normal", "outcome": "N",
        "grundy": "15", "move_count": "3",
        "moves": [split("1", "6"), split("2", "5"), split("3", "4")],
    });
    assert_eq!(found, expected);
}

#[test]
fn every_form_of_argument_is_understood() {
    let path = file(
        "three.game",
        b"game three(m = 3)\ntake: [n] -> [n-k] where 1 <= k <= m\n",
    );
    let with_value = format!("{path}:m=2");
    let value = |arguments: &[&str]| {
        let arguments = [&["solve", "--json", "--moves", "none"], arguments].concat();
        let answer = answer(&arguments);
        answer["grundy"].as_str().map(ToOwned::to_owned)
    };
    // By hand: n mod (m + 1) for taking up to m; Kayles from its published table.
    let cases: &[(&[&str], &str)] = &[
        (&["bash(5)", "21"], "3"),
        (&["bash:m=5", "21"], "3"),
        (&["s-nim({1,2})", "10^18"], "1"),
        (&["s-nim:S=1,2", "10^18"], "1"),
        (&[&path, "7"], "3"),
        (&[&with_value, "7"], "1"),
        (&["0.77", "8"], "1"),
        (&[".77", "8"], "1"),
        (&["{1,2,3}", "7"], "3"),
        (&["subtract:1,2,3", "7"], "3"),
        (&["[n] -> [n-k] where 1 <= k <= 3", "21"], "1"),
        (&["wythoff", "3,5"], "0"),
        (&["wythoff", "3,5", "0,9"], "9"),
        (&["bash(3):21 + nim:5,7 + *3"], "0"),
        (&["bash:m=3:21", "+", "nim:5,7", "+", "*4"], "7"),
        (&["wythoff:[3,5],[0,9] + *8"], "1"),
        (&["nim", "nothing"], "0"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(
            value(arguments).as_deref(),
            Some(*expected),
            "{arguments:?}"
        );
    }
}

#[test]
fn bad_input_is_refused_soon() {
    let mut deep = b"[n] -> [n-1] where ".to_vec();
    deep.resize(deep.len() + 100_000, b'(');
    let mut long = b"game long\ntake: [n] -> [n-k] where k >= 1\n".to_vec();
    long.resize(10 << 20, b'#');
    long.extend(b"\nwrong\n");
    let files = [
        file("empty.game", b""),
        file("octal.game", b"game octal\nrules 0.97\n"),
        file("unbounded.game", b"game u\n[n] -> [k] where k >= 1\n"),
        file(
            "alternative.game",
            b"game a\n[n] -> [n-k] | [n-1] where 1 <= k <= n\n",
        ),
        file(
            "name.game",
            b"game n\n[n] -> [n-k] where 1 <= k <= popcout(n)\n",
        ),
        file(
            "arity.game",
            b"game f\n[n] -> [n-k] where 1 <= k, gcd(k) = 1\n",
        ),
        file("utf8.game", b"game \xff\n"),
        file("deep.game", &deep),
        file("long.game", &long),
    ];
    let mut cases: Vec<Vec<&str>> = files.iter().map(|file| vec![file.as_str(), "5"]).collect();
    cases.extend([
        vec!["4", "5", "7"],
        vec!["kaylse", "5"],
        vec!["0.97", "5"],
        vec!["bash(1,2)", "5"],
        vec!["bash(5", "5"],
        vec!["bash:m={1,2}", "5"],
        vec!["bash:q=1", "5"],
        vec!["no-such-file.game", "5"],
        vec!["nim"],
        vec!["nim", "-3"],
        vec!["nim", "3.5"],
        vec!["nim", "three"],
        vec!["nim", "1e999999999999"],
        vec!["nim", "2^2^2^2^2^2"],
        vec!["nim", "@no-such-file"],
        vec!["wythoff", "3", "4"],
        vec!["wythoff:3,5"],
        vec!["pebbles", "5,3"],
        vec!["moore:3 + nim:4"],
        vec!["nim", "3", "--time", "soon"],
        vec!["nim", "3", "--moves", "best"],
    ]);
    for case in cases {
        let start = Instant::now();
        let run = grundy(&[&["solve"], case.as_slice()].concat());
        assert_eq!(run.status, 2, "{case:?}: {}{}", run.out, run.err);
        assert!(run.out.is_empty(), "{case:?}: {}", run.out);
        assert!(run.err.contains("error"), "{case:?}: {}", run.err);
        assert!(start.elapsed() < SOON, "{case:?}");
    }
}

#[test]
fn an_unquoted_set_is_refused_with_a_hint() {
    let run = grundy(&["solve", "4", "5", "7"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("quotation marks"), "{}", run.err);
}

#[test]
fn play_without_end_is_a_draw() {
    let found = answer(&["solve", "[n] -> [a] where a < 3, a != n", "1", "--json"]);
    assert_eq!(found["outcome"], "D");
    assert_eq!(found["solver"], "retrograde");
    assert_eq!(found["loopy"], json!([]));
    assert_eq!(found["move_count"], "2");
    let run = grundy(&["solve", "[n] -> [a] where a < 3, a != n", "1"]);
    assert!(
        run.out.contains("a play that never ends is a draw"),
        "{}",
        run.out
    );
}

#[test]
fn limits_end_a_question() {
    // No law is known for these rules, and the heap is far beyond any table.
    let rules = "[n] -> [n-k] where 1 <= k, gcd(k, n) > 1; [n] -> [n-1]";
    for limit in [["--time", "1s"], ["--memory", "1M"]] {
        let start = Instant::now();
        let arguments = [&["solve", rules, "10^9", "--moves", "none"][..], &limit].concat();
        let run = grundy(&arguments);
        assert_eq!(run.status, 3, "{limit:?}: {}{}", run.out, run.err);
        assert!(run.err.starts_with("undecided"), "{}", run.err);
        assert!(start.elapsed() < SOON);
    }
}

#[test]
fn moves_are_counted_beyond_the_limit() {
    // The nim-sum is 1, the lowest bit of each heap: each can be made less by it.
    let arguments = ["solve", "nim", "3", "5", "7", "--limit", "1"];
    let answer = answer(&[&arguments[..], &["--json"]].concat());
    assert_eq!(answer["move_count"], "3");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    let run = grundy(&arguments);
    assert!(run.out.contains("3 winning moves"), "{}", run.out);
    assert!(run.out.contains("and 2 more"), "{}", run.out);
}

#[test]
fn a_batch_answers_each_line() {
    let arguments = ["solve", "kayles", "--batch", "--moves", "count"];
    let run = grundy_with(&arguments, b"0\n3 # three pins in a row\n\n5 5\n");
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.out, "P\t0\t0\nN\t3\t1\nP\t0\t0\n");
    let run = grundy_with(&arguments, b"3\nx\n");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("-:2:1"), "{}", run.err);
}

#[test]
fn positions_come_from_files_too() {
    let path = file("heaps.txt", b"1 2 # two heaps\n3\n");
    let run = grundy(&["solve", "nim", &format!("@{path}"), "--moves", "none"]);
    assert!(run.out.contains("loses (P)"), "{}{}", run.out, run.err);
    let run = grundy_with(&["solve", "nim", "-", "--moves", "none"], b"1\n2\n");
    assert!(run.out.contains("Grundy value 3"), "{}{}", run.out, run.err);
}

#[test]
fn tables_come_in_every_format() {
    // OEIS A002186.
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6];
    let table = |format: &str| {
        let run = grundy(&["table", "kayles", "--upto", "11", "--format", format]);
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
    };
    let lines = |separator: &str| -> String {
        let lines = kayles.iter().enumerate();
        let line = |(n, value)| format!("{n}{separator}{value}\n");
        lines.map(line).collect()
    };
    assert_eq!(table("bfile"), lines(" "));
    assert_eq!(table("csv"), format!("n,grundy\n{}", lines(",")));
    let json: Value = serde_json::from_str(&table("json")).unwrap();
    let values: Vec<String> = kayles.iter().map(ToString::to_string).collect();
    assert_eq!(json["grundy"], json!(values));
    assert_eq!(table("text"), " 0 | 0 1 2 3 1 4 3 2 1 4\n10 | 2 6\n");
}

#[test]
fn tables_come_in_other_bases() {
    let table = |arguments: &[&str]| {
        let run = grundy(&[&["table"], arguments].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
    };
    // A row holds the heaps that differ in the last digits only.
    assert_eq!(
        table(&["subtract:1,2,3", "--upto", "9", "--base", "2"]),
        "[in base 2]\n   0 |  0  1 10 11  0  1 10 11\n1000 |  0  1\n"
    );
    assert_eq!(
        table(&["subtract:1,2,3", "--upto", "9", "--base", "3"]),
        "[in base 3]\n  0 |  0  1  2 10  0  1  2 10  0\n100 |  1\n"
    );
    // In Wythoff's game one coordinate ends with an even number of zeros, and the other is the
    // same with one more (Fraenkel 1982).
    assert_eq!(
        table(&["wythoff", "--box", "5,5", "--lost", "--base", "zeckendorf"]),
        "[in base Zeckendorf]\n0,0\n1,10\n10,1\n100,1000\n1000,100\n"
    );
    // What is not in base ten is not taken for it.
    let binary = table(&["kayles", "--upto", "9", "--base", "2"]);
    let run = grundy(&["table", "--from", &file("binary.txt", binary.as_bytes())]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("base 10"), "{}", run.err);
}

#[test]
fn boxes_have_any_dimension() {
    // Wythoff 1907.
    let run = grundy(&["table", "wythoff", "--box", "10,10", "--lost"]);
    assert_eq!(run.out, "0,0\n1,2\n2,1\n3,5\n4,7\n5,3\n6,10\n7,4\n10,6\n");
    // Misère Nim with heaps of at most 1 is lost iff the number of these is odd.
    let misere = answer(&["table", "nim", "--box", "1,1,1", "--misere", "--json"]);
    let expected = json!(["N", "P", "P", "N", "P", "N", "N", "P"]);
    assert_eq!(misere["outcomes"], expected);
    assert_eq!(misere["of"], "heaps");
}

#[test]
fn a_table_keeps_what_is_decided() {
    // From heap 5 one can go round; below that every play ends.
    let rules = "[n] -> [n-1] where n < 5; [5] -> [6]; [6] -> [5]";
    let run = grundy(&["table", rules, "--upto", "7", "--format", "csv"]);
    assert_eq!(run.status, 3, "{}", run.err);
    assert_eq!(
        run.out,
        "n,grundy\n0,0\n1,1\n2,0\n3,1\n4,0\n5,?\n6,?\n7,0\n"
    );
    assert!(run.err.contains('→'), "{}", run.err);
}

#[test]
fn files_are_tested() {
    let right = file(
        "right.game",
        b"game right\nrules 0.77\nexpect grundy 0 1 2 3 1\n",
    );
    let wrong = file(
        "wrong.game",
        b"game wrong\nrules 0.77\n\nexpect grundy 0 1 2 4 1\n",
    );
    assert_eq!(grundy(&["test", &right]).status, 0);
    let run = grundy(&["test", &right, &wrong]);
    assert_eq!(run.status, 1);
    let place = "wrong.game:4: the value of 3 is 3, not 4";
    assert!(run.out.contains(place), "{}", run.out);
    assert_eq!(grundy(&["test", &wrong, "no-such.game"]).status, 2);
}

#[test]
fn claims_are_held_against_the_table() {
    let right = ["claim", "subtract:1,2,3", "[n] = n mod 4"];
    assert_eq!(grundy(&right).status, 0);
    let run = grundy(&["claim", "subtract:1,2,3", "[n] = n mod 5", "--json"]);
    assert_eq!(run.status, 1);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["verdict"], "refuted");
    let counterexample = json!({"position": [["4"]], "claimed": "4", "actual": "0"});
    assert_eq!(found["counterexample"], counterexample);
    assert_eq!(grundy(&["claim", "subtract:1,2,3", "[n] = q"]).status, 2);
    // Within the table it agrees.
    let nim = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
    let run = grundy(&["claim", nim, "lost [x, y] iff x = y and x != 60", "--json"]);
    assert_eq!(run.status, 1);
    let counterexample = json!({"position": [["60", "60"]], "claimed": "not lost", "actual": "P"});
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["counterexample"], counterexample);
    let wrong = ["claim", "wythoff", "lost [x, y] iff x = y"];
    assert_eq!(grundy(&wrong).status, 1);
}

#[test]
fn laws_are_proved_and_certificates_checked() {
    let path = folder().join("kayles.json");
    let path = path.to_str().unwrap();
    let found = answer(&["law", "kayles", "--cert", path, "--json"]);
    assert_eq!(
        found["law"],
        json!({"kind": "periodic", "preperiod": "71", "period": "12", "saltus": "0"})
    );
    assert_eq!(found["evidence"]["kind"], "proved");
    let checked = answer(&["check", path, "--json"]);
    assert_eq!(checked["verdict"], "proved");
    assert_eq!(checked["law"], found["law"]);
    assert_eq!(checked["digest"], found["evidence"]["certificate"]);
    // A changed certificate is damaged; one for other rules, sealed again, is false.
    let text = fs::read_to_string(path).unwrap();
    let damaged = file("damaged.json", text.replace("0.77", "0.76").as_bytes());
    let run = grundy(&["check", &damaged]);
    assert_eq!(run.status, 2, "{}", run.out);
    let digest = run
        .err
        .split("sha256:")
        .nth(1)
        .expect("it names the digest");
    let digest: String = digest.chars().take_while(char::is_ascii_hexdigit).collect();
    let (before, after) = text.split_once("sha256:").unwrap();
    let sealed = format!("{before}sha256:{digest}{}", &after[64..]).replace("0.77", "0.76");
    let run = grundy(&["check", &file("false.json", sealed.as_bytes())]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.contains("by the rules"), "{}", run.out);
    assert_eq!(grundy(&["check", &file("empty.json", b"")]).status, 2);
}

#[test]
fn laws_of_automata_are_proved_and_drawn() {
    let certificate = folder().join("wythoff.json");
    let drawing = folder().join("wythoff.dot");
    let picture = folder().join("wythoff.svg");
    let [certificate, drawing, picture] =
        [&certificate, &drawing, &picture].map(|path| path.to_str().unwrap());
    let found = answer(&[
        "law",
        "wythoff",
        "--cert",
        certificate,
        "--dot",
        drawing,
        "--svg",
        picture,
        "--json",
    ]);
    assert_eq!(
        found["law"],
        json!({"kind": "automaton", "numeration": "Zeckendorf", "order": "msd", "tracks": "(x, y)", "states": 8})
    );
    assert_eq!(found["evidence"]["kind"], "proved");
    let checked = answer(&["check", certificate, "--json"]);
    assert_eq!(checked["digest"], found["evidence"]["certificate"]);
    assert!(fs::read_to_string(drawing).unwrap().contains("digraph"));
    // One circle for each of the eight states, seven of which are shown, and a ring in the accepting ones.
    let picture = fs::read_to_string(picture).unwrap();
    assert!(picture.matches("<circle").count() > 8, "{picture}");
    let missing = folder().join("missing.svg");
    let run = grundy(&["law", "0.77", "--svg", missing.to_str().unwrap()]);
    assert_eq!((run.status, missing.exists()), (0, false), "{}", run.err);
    assert!(
        run.err.contains("missing.svg is not written"),
        "{}",
        run.err
    );
    let run = grundy(&["law", "powers"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for said in [
        "7 states",
        "g(n+3) = g(n) for all n ≥ 0",
        "0 1 2 0 1 2",
        "proved",
        "published",
    ] {
        assert!(run.out.contains(said), "{said} is not in {}", run.out);
    }
    let run = grundy(&["law", "nim", "--misere"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("proved"), "{}", run.out);
    // What was tried is told where nothing was found.
    let run = grundy(&["law", "grundys-game", "--upto", "300"]);
    assert_eq!(run.status, 3);
    assert!(run.err.contains("none found"), "{}", run.err);
}

/// A position of a thousand digits, by a law that is proved on the way.
#[test]
fn automata_answer_at_any_size() {
    let found = answer(&[
        "solve",
        "nim-2-pass",
        "10^1000,10^1000,1",
        "--no-cache",
        "--json",
    ]);
    assert_eq!(found["evidence"]["kind"], "proved");
    assert_eq!(found["outcome"], "N");
    // One less in either heap, or the pass.
    assert_eq!(found["move_count"], "3");
    let found = answer(&[
        "count",
        "take: [n] -> [n-k] where k >= 1, k mod 2 = 1; split: [n] -> [a] + [n-a] where 2*a = n, a >= 1",
        "--to",
        "10^18",
        "--no-cache",
        "--json",
    ]);
    assert_eq!(found["evidence"]["kind"], "proved");
}

#[test]
fn sweeps_go_on_where_they_were_stopped() {
    let family = "choose take\n  none:\n  all: [n] -> [n-k] where k >= 1\n  halves: [n] -> [n-k] where k in powers of 2\n\
                  choose split\n  none:\n  equal: [n] -> [a] + [n-a] where 2*a = n, a >= 1\n  unequal: [n] -> [a] + [n-a] where 1 <= a < n-a\n";
    let family = file("few.sweep", family.as_bytes());
    let atlas = folder().join("atlas");
    // What another build has kept may say the same in other words.
    let _ = fs::remove_dir_all(&atlas);
    let atlas = atlas.to_str().unwrap();
    let sweep = || {
        grundy(&[
            "sweep", &family, "-o", atlas, "--hold", "300", "--time", "60s",
        ])
    };
    let run = sweep();
    assert_eq!(run.status, 0, "{}", run.err);
    let table = fs::read_to_string(format!("{atlas}/table.tsv")).unwrap();
    assert_eq!(table.lines().count(), 9, "{table}");
    assert!(
        table.contains("finite check") && table.contains("automaton"),
        "{table}"
    );
    assert!(table.contains("none found"), "{table}");
    let certificate = format!("{atlas}/00004.json");
    assert_eq!(grundy(&["check", &certificate]).status, 0);
    // A table that was cut off in the middle of a line goes on.
    fs::write(format!("{atlas}/table.tsv"), &table[..table.len() / 2]).unwrap();
    assert_eq!(sweep().status, 0);
    let rows = |table: &str| {
        let rows = table
            .lines()
            .map(|line| line.rsplit_once('\t').unwrap().0.to_owned());
        rows.collect::<Vec<_>>()
    };
    let again = fs::read_to_string(format!("{atlas}/table.tsv")).unwrap();
    assert_eq!(rows(&again), rows(&table));
    let wrong = file("wrong.sweep", b"choose take\n  bad: [n] ->\n");
    assert_eq!(grundy(&["sweep", &wrong]).status, 2);
}

/// Values that halve, but beside powers of two: found, proved, checked, and known at any size.
#[test]
fn digit_recursions_are_proved() {
    let game = "[n] -> [n-k] where 1 <= k, 2*k <= n; [n] -> [a] + [a+1] where 2*a + 1 = n, a >= 1";
    let certificate = folder().join("halving.json");
    let certificate = certificate.to_str().unwrap();
    let found = answer(&["law", game, "--cert", certificate, "--json"]);
    assert_eq!(found["law"]["kind"], "digit-recursion");
    assert_eq!(found["evidence"]["kind"], "proved");
    let statement = found["statement"].as_str().unwrap();
    assert!(statement.contains("g(n) = n/2"), "{statement}");
    assert_eq!(grundy(&["check", certificate]).status, 0);
    let exported = grundy(&["export", certificate, "--to", "walnut"]);
    assert!(exported.out.contains("eval grundy_obligation_0"));
    let found = answer(&["solve", game, "2^3000-2", "--no-cache", "--json"]);
    assert_eq!(found["grundy"], "1");
    assert_eq!(found["grundy_evidence"]["kind"], "proved");
}

#[test]
fn a_conjecture_is_no_answer() {
    // Values that repeat, of rules that no theorem and no automaton reads.
    let run = grundy(&[
        "law",
        "[n] -> [n-k] where k in {1,2}, gcd(k, n) >= 1",
        "--json",
    ]);
    assert_eq!(run.status, 3, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["evidence"]["kind"], "conjecture");
    // Values that halve, of rules that no theorem reads.
    let run = grundy(&[
        "law",
        "[n] -> [n-k] where 1 <= k, 2*k <= n; [n] -> [1] + [n-1] where n >= 2, gcd(n, 6) >= 1",
        "--json",
    ]);
    assert_eq!(run.status, 3, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["law"]["kind"], "digit-recursion", "{found}");
    let run = grundy(&["law", "grundys-game", "--upto", "300", "--json"]);
    assert_eq!(run.status, 3);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&found["law"], &found["evidence"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(found["searched_upto"], "300");
    assert_eq!(grundy(&["law", "divisors", "--upto", "300"]).status, 3);
    assert_eq!(grundy(&["law"]).status, 2);
    // A bare list of values: a guess, and the games it may come from.
    let values = file("values.txt", b"0, 1, 2, 3 # heaps 0 to 3\n0 1 2 3\n");
    let run = grundy(&["law", "--values", &values, "--json"]);
    assert_eq!(run.status, 3, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["law"]["period"], "4");
    let same = found["same_values"].as_array().unwrap();
    assert!(same.contains(&json!("bash")), "{same:?}");
    assert!(!same.contains(&json!("nim")), "{same:?}");
    let wrong = file("wrong.txt", b"0 1 x\n");
    assert_eq!(grundy(&["law", "--values", &wrong]).status, 2);
}

#[test]
fn a_reader_that_stops_is_no_error() {
    let mut child = program()
        .args(["table", "subtract:1,2", "--upto", "200000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.is_empty(), "{err}");
}

#[test]
fn misere_play_has_laws_of_its_own() {
    let path = file("tame.json", b"");
    let run = grundy(&["law", "0.52", "--misere", "--cert", &path]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("tame"), "{}", run.out);
    assert_eq!(grundy(&["check", &path]).status, 0);
    let found = answer(&["misere", "kayles", "--upto", "5", "--json"]);
    assert_eq!(found["law"]["kind"], "quotient");
    assert_eq!(
        (&found["law"]["order"], &found["law"]["lost"]),
        (&"40".into(), &"9".into())
    );
    assert_eq!(found["heaps"][5]["genus"], "4^146");
    assert_eq!(found["heaps"][5]["tame"], false);
    assert_eq!(found["wild_from"], "5");
    let found = answer(&["law", "kayles", "--misere", "--json"]);
    assert_eq!(found["wild_from"], "5");
    let found = answer(&["info", "0.52", "--upto", "100", "--json"]);
    assert_eq!(found["misere"]["law"]["kind"], "tame");
    let run = grundy(&["info", "kayles", "--upto", "200"]);
    let said =
        "in misère play: wild from heap 5, and decided for ever, by a quotient of 40 elements";
    assert!(run.out.contains(said), "{}", run.out);
    // So few heaps prove no quotient, but one decides their sums.
    let run = grundy(&["law", "kayles", "--misere", "--upto", "63"]);
    assert_eq!(run.status, 3);
    let said = "one of 40 elements, 9 of them lost, is checked to heap 63";
    assert!(run.err.contains(said), "{}", run.err);
    let large = answer(&[
        "solve",
        "0.52",
        "3",
        "10^30",
        "--misere",
        "--json",
        "--no-cache",
    ]);
    assert_eq!(large["evidence"]["kind"], "proved");
    let several = answer(&["solve", "nim:5,7 + *3", "--misere", "--json", "--no-cache"]);
    assert_eq!(several["evidence"]["kind"], "several");
    assert_eq!(several["move_count"], "3");
    for (game, why) in [
        ("moore", "not played one at a time"),
        ("treblecross", "stops the whole sum"),
        ("wythoff", "not heaps of one number"),
    ] {
        let run = grundy(&["misere", game]);
        assert_eq!(run.status, 2, "{game}: {}", run.err);
        assert!(run.err.contains(why), "{game}: {}", run.err);
    }
}

#[test]
fn people_read_this() {
    let shown = |arguments: &[&str]| grundy(arguments).out;
    let cases: &[(&str, &[&str])] = &[
        ("solve", &["solve", "grundys-game", "9", "5", "--misere"]),
        (
            "solve-compound",
            &["solve", "moore", "2", "3", "--limit", "3"],
        ),
        ("solve-row", &["solve", "staircase", "1,2,3"]),
        ("table-grid", &["table", "wythoff", "--box", "4,12"]),
        ("table-slices", &["table", "nim", "--box", "1,2,3"]),
        ("games", &["games", "wythoff"]),
        ("help", &["--help"]),
        ("help-solve", &["solve", "--help"]),
        (
            "explain-won",
            &["explain", "nim", "5", "7", "12", "--no-cache"],
        ),
        ("explain-lost", &["explain", "wythoff", "3,5", "--no-cache"]),
        (
            "explain-move",
            &["explain", "grundys-game", "9", "--misere", "--move", "2 7"],
        ),
        (
            "explain-markdown",
            &["explain", "moore", "3", "4", "5", "--format", "markdown"],
        ),
        (
            "explain-latex",
            &["explain", "fibonacci-nim", "18,4", "--format", "latex"],
        ),
        ("help-explain", &["explain", "--help"]),
        ("help-play", &["play", "--help"]),
        ("help-table", &["table", "--help"]),
        ("help-test", &["test", "--help"]),
        ("help-show", &["show", "--help"]),
        ("help-claim", &["claim", "--help"]),
        ("help-games", &["games", "--help"]),
    ];
    for (name, arguments) in cases {
        insta::assert_snapshot!(*name, shown(arguments));
    }
}

#[test]
fn the_first_move_can_be_bound_to_a_component() {
    // Luogu P5675: 3 xor 4 xor 5 = 2, and the heap of 3 alone can lose it.
    for (component, outcome, count) in [("1", "N", "1"), ("2", "P", "0"), ("3", "P", "0")] {
        let asked = ["solve", "nim", "3", "4", "5", "--in", component, "--json"];
        let found = answer(&asked);
        assert_eq!(found["outcome"], outcome);
        assert_eq!(found["move_count"], count);
        assert_eq!(
            found["first_move_in"],
            component.parse::<usize>().unwrap() - 1
        );
        assert_eq!(found["grundy"], Value::Null);
    }
    let run = grundy(&["solve", "nim", "3", "4", "5", "--in", "1"]);
    assert!(
        run.out
            .starts_with("nim 3 4 5; the first move in heap 1 (3)\n"),
        "{}",
        run.out
    );
    for component in ["0", "4"] {
        let run = grundy(&["solve", "nim", "3", "4", "5", "--in", component]);
        assert_eq!((run.status, run.out.as_str()), (2, ""));
        assert!(run.err.contains("has 3 components"), "{}", run.err);
    }
    // A move that nobody can make is no first move, also where the player without a move wins.
    for asked in [
        ["solve", "nim", "0", "5", "--in", "1"].as_slice(),
        &["solve", "nim", "0", "5", "--in", "1", "--misere"],
    ] {
        let run = grundy(asked);
        assert_eq!((run.status, run.out.as_str()), (2, ""));
        assert!(run.err.contains("has no move"), "{}", run.err);
    }
    let unfair = "left: [n] -> [n-1]; right: [n] -> [n-2]";
    let run = grundy(&["solve", unfair, "5", "--in", "1"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("--in"), "{}", run.err);
    // With several games in one sum, and in a line each.
    for (component, outcome) in [("1", "N"), ("2", "P"), ("3", "N")] {
        let sum = ["solve", "bash(3):21 + nim:5,7", "--in", component, "--json"];
        assert_eq!(answer(&sum)["outcome"], outcome);
    }
    let lines = grundy_with(&["solve", "nim", "--batch", "--in", "2"], b"3 4 5\n1 2\n");
    assert_eq!(
        (lines.status, lines.out.as_str()),
        (0, "P\t-\t0\nN\t-\t1\theap 2 (2): take, leaving 1\n")
    );
}

#[test]
fn programs_about_games_stand_on_the_law() {
    for (game, told) in [
        ("kayles", "repeat every 12 heaps (shift lemma; certificate"),
        ("subtract:1,3,4", "repeat every 7 heaps"),
        // The window of this proof is long.
        ("0.156", "repeat every 349 heaps"),
        ("grundys-game", "a table by the rules themselves"),
    ] {
        let run = grundy(&["emit", game, "--lang", "python"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let program = run.out.replace('\n', " ");
        assert!(program.contains(told), "{game}: {program}");
    }
}

#[test]
fn explain_tells_why_in_json() {
    let found = answer(&["explain", "nim", "5", "7", "12", "--json", "--no-cache"]);
    assert_eq!(found["outcome"], "N");
    assert_eq!(found["nim_sum"], "14");
    assert_eq!(found["move_count"], "1");
    assert_eq!(found["move"]["changes"][0]["to"], json!([["2"]]));
    assert_eq!(found["move"]["verdict"], "wins");
    assert_eq!(found["move"]["after"]["nim_sum"], "0");
    assert_eq!(found["move"]["replies"]["move_count"], "14");
    let lost = answer(&["explain", "nim", "7", "8", "15", "--json", "--limit", "3"]);
    assert_eq!(
        (&lost["outcome"], &lost["nim_sum"]),
        (&json!("P"), &json!("0"))
    );
    assert_eq!(lost["replies"]["move_count"], "30");
    assert_eq!(lost["replies"]["moves"].as_array().map(Vec::len), Some(3));
    let chosen = [
        "explain", "nim", "5", "7", "12", "--move", "5 7 3", "--json",
    ];
    let chosen = answer(&chosen);
    assert_eq!(chosen["move"]["verdict"], "loses");
    assert_eq!(chosen["move"]["after_punishment"]["nim_sum"], "0");
}

#[test]
fn explain_refuses_what_is_no_legal_move() {
    let run = grundy(&["explain", "nim", "5", "7", "12", "--move", "5 7 20"]);
    assert_eq!(run.status, 2);
    assert!(run.out.is_empty());
    assert!(
        run.err.contains("heap 3 (12): take, leaving 11"),
        "{}",
        run.err
    );
    assert_eq!(grundy(&["explain", "nim", "5", "--move", "no"]).status, 2);
}

#[test]
fn explain_is_short_for_many_heaps() {
    let heaps: Vec<String> = (1..=20_000).map(|n| n.to_string()).collect();
    let run = grundy_with(&["explain", "nim", "-"], heaps.join("\n").as_bytes());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.lines().count() < 100, "{}", run.out);
    // The nim-sum of 1 to n is n where 4 divides n.
    assert!(run.out.contains("Grundy value 20000"), "{}", run.out);
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = grundy(&["completions", shell]);
        assert_eq!(run.status, 0);
        assert!(run.out.contains("misere"), "{shell}");
    }
    let page = grundy(&["man"]).out;
    assert!(page.contains(".TH grundy"));
    assert!(page.contains("Lasker"));
}

#[test]
fn a_pattern_without_proof_answers_only_where_it_is_asked_for() {
    let game = "[n] -> [n-k] where k in {1,2}, gcd(k, n) >= 1";
    let large = ["solve", game, "10^20", "--moves", "none", "--json"];
    let run = grundy(&large);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    let mut accepting = large.to_vec();
    accepting.push("--accept-conjecture");
    let found = answer(&accepting);
    assert_eq!(found["evidence"]["kind"], "conjecture");
    assert!(found["evidence"]["upto"].is_string());
    // What the law says of a heap within the table is what the table says.
    let small = answer(&["solve", game, "50", "--moves", "none", "--json"]);
    let seen = [
        "solve",
        game,
        "50",
        "--moves",
        "none",
        "--json",
        "--accept-conjecture",
    ];
    assert_eq!(small["grundy"], answer(&seen)["grundy"]);
    assert_eq!(small["evidence"]["kind"], "exhaustive");
}

#[test]
fn heaps_that_grow_for_ever_are_undecided() {
    for game in ["[n] -> [n+1]", "[n] -> [2*n] where n >= 1"] {
        let run = grundy(&["solve", game, "3", "--time", "2", "--memory", "64M"]);
        assert_eq!(run.status, 3, "{game}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_table_larger_than_the_memory_is_refused_before_it_starts() {
    let start = Instant::now();
    for area in [
        &["wythoff", "--box", "4000000000,4000000000"][..],
        &["ends", "--box", "9999,9999,9999"],
    ] {
        let run = grundy(&[&["table"], area].concat());
        assert_eq!(run.status, 3, "{area:?}: {}", run.err);
    }
    assert!(start.elapsed() < SOON);
}
