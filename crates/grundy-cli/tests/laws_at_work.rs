//! `count`, `compare` and `claim` say what laws say, in JSON and by their exit status.

mod common;

use common::User;
use serde_json::json;

#[test]
fn counts() {
    let user = User::new();
    let (answer, status) = user.json(&[
        "count",
        "nim",
        "--to",
        "10^18",
        "--heaps",
        "2",
        "--multiset",
        "--json",
    ]);
    assert_eq!(status, 0);
    assert_eq!(answer["count"], "1000000000000000001");
    assert_eq!(answer["evidence"]["kind"], "proved");
    assert_eq!(answer["multiset"], true);
    assert_eq!(answer["heaps"], "2");

    let (answer, status) = user.json(&["count", "bash(3)", "--from=1", "--to=100", "--json"]);
    assert_eq!(status, 0);
    assert_eq!(answer["count"], "25");
    assert_eq!(
        answer["evidence"],
        json!({"kind": "exhaustive", "upto": "100"})
    );

    let (text, status) = user.run(&["count", "bash(3)", "--to", "10^18", "--value", "3"]);
    assert_eq!(status, 0);
    assert!(
        text.starts_with("250000000000000000 heaps are worth 3"),
        "{text}"
    );

    let (answer, status) = user.json(&["count", "0.007", "--to=10^18", "--time=1s", "--json"]);
    assert_eq!(status, 3);
    assert_eq!(answer["count"], json!(null));

    for wrong in [
        ["count", "wythoff", "--to", "9"],
        ["count", "wythoff", "--box", "9,9,9"],
        ["count", "nim", "--to", "-1"],
        ["count", "nim", "--heaps", "0"],
    ] {
        assert_eq!(user.run(&wrong).1, 2, "{wrong:?}");
    }
    // 0,0, 1,2, 3,5, 4,7, 6,10 and their mirror images (Wythoff 1907).
    let (answer, status) = user.json(&["count", "wythoff", "--box=10,10", "--json"]);
    assert_eq!((&answer["count"], status), (&json!("9"), 0));
    assert_eq!(answer["box"], json!(["10", "10"]));

    let misere = ["count", "nim", "--misere", "--to=9", "--value=1"];
    assert_eq!(user.run(&misere).1, 2);
}

#[test]
fn comparisons() {
    let user = User::new();
    let (answer, status) = user.json(&["compare", "subtract:1,2,3", "bash(3)", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("equal"), 0));
    assert_eq!(answer["because"], "options");

    let (answer, status) = user.json(&["compare", "subtract:1", "subtract:1,3", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("equal"), 0));
    assert_eq!(answer["because"], "laws");

    let (answer, status) = user.json(&["compare", "nim", "bash(2000)", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("different"), 0));
    assert_eq!(answer["position"], json!([["2001"]]));
    assert_eq!(answer["actual"], json!(["2001", "0"]));

    let late = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where 1 <= k, k != 977";
    let (answer, status) = user.json(&["compare", "wythoff", late, "--upto=20", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("agrees"), 3));
    assert_eq!(answer["upto"], json!(["20", "20"]));

    // Rows of one heap are alike, and have a law; longer ones are not.
    let nim = "row a; out: a[i] -= k where k >= 1";
    let stairs =
        "row a; down: a[i] -= k, a[i-1] += k where i >= 2, k >= 1; out: a[1] -= k where k >= 1";
    let (answer, status) = user.json(&["compare", nim, stairs, "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("different"), 0));
    assert_eq!(answer["position"], json!([["0", "1"]]));

    assert_eq!(user.run(&["compare", "wythoff", "nim"]).1, 2);
    assert_eq!(user.run(&["compare", "wythoff", late, "--box=9"]).1, 2);
}

#[test]
fn claims() {
    let user = User::new();
    let (answer, status) = user.json(&["claim", "lasker", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("proved"), 0));
    let digest = answer["evidence"]["certificate"].as_str();
    assert!(
        digest.is_some_and(|digest| digest.starts_with("sha256:")),
        "{answer}"
    );
    assert_eq!(answer["upto"], json!(null));

    let far = "grundy [n] = n if n != 10^20; 0";
    let (answer, status) = user.json(&["claim", "nim", far, "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("refuted"), 1));
    let counterexample = json!({
        "position": [["100000000000000000000"]],
        "claimed": "0",
        "actual": "100000000000000000000",
    });
    assert_eq!(answer["counterexample"], counterexample);

    // Two heaps have a law of automata; no search reaches the heaps of which the claim is wrong.
    let two = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
    let far = "lost [x, y] iff x = y and x != 10^12";
    let (answer, status) = user.json(&["claim", two, far, "--upto=20", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("refuted"), 1));
    let counterexample = json!({
        "position": [["1000000000000", "1000000000000"]],
        "claimed": "not lost",
        "actual": "P",
    });
    assert_eq!(answer["counterexample"], counterexample);

    let unknown = "grundy [n] = isqrt(n^2)";
    let (answer, status) = user.json(&["claim", "nim", unknown, "--upto=50", "--json"]);
    assert_eq!((&answer["verdict"], status), (&json!("agrees"), 0));
    assert_eq!(answer["upto"], json!(["50"]));
}

/// A claim about pairs is proved by a certificate of its own, which others can judge.
#[test]
fn certificates_of_claims() {
    let user = User::new();
    let (nim, claim) = (
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1",
        "lost [x, y] iff x = y",
    );
    let certify = ["claim", nim, claim, "--json", "--cert", "nim.json"];
    let (answer, status) = user.json(&certify);
    assert_eq!((&answer["verdict"], status), (&json!("proved"), 0));
    assert_eq!(answer["evidence"]["theorem"], json!("automaton"));

    let (checked, status) = user.json(&["check", "nim.json", "--json"]);
    assert_eq!((&checked["verdict"], status), (&json!("proved"), 0));
    assert_eq!(checked["digest"], answer["evidence"]["certificate"]);
    assert_eq!(checked["law"]["kind"], json!("automaton"));

    for (to, word) in [("mona", "ws1s;"), ("walnut", "eval grundy_obligation_0")] {
        let (text, status) = user.run(&["export", "nim.json", "--to", to]);
        assert_eq!(status, 0);
        assert!(text.contains(word), "{text}");
    }

    // A law of periods is no automaton's.
    assert_eq!(user.run(&["law", "kayles", "--cert", "kayles.json"]).1, 0);
    assert_eq!(user.run(&["export", "kayles.json", "--to", "mona"]).1, 1);
}
