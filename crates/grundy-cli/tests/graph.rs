//! `grundy graph`, as a user meets it.

mod common;

use std::fs;

use common::User;
use serde_json::{Value, json};

/// A user with a file of this name and content.
fn user_with(name: &str, content: &str) -> User {
    let user = User::new();
    fs::write(user.home().join(name), content).unwrap();
    user
}

fn json_of(name: &str, content: &str, arguments: &[&str]) -> Value {
    let user = user_with(name, content);
    let arguments = [&["graph", name, "--json"], arguments].concat();
    let (answer, status) = user.json(&arguments);
    assert_eq!(status, 0, "{answer}");
    answer
}

/// What is said of bad input, with exit status 2 or 3.
fn refused(name: &str, content: &str, arguments: &[&str]) -> (String, i32) {
    let user = user_with(name, content);
    let arguments = [&["graph", name], arguments].concat();
    let output = user.command(&arguments).output().unwrap();
    assert!(output.stdout.is_empty());
    (
        String::from_utf8(output.stderr).unwrap(),
        output.status.code().unwrap(),
    )
}

#[test]
fn values_of_all_vertices() {
    let answer = json_of("game.txt", "a b\na c\nb c\nc d\n", &[]);
    let vertices = json!([
        {"name": "a", "outcome": "N", "grundy": "2", "moves_to_end": "3", "moves": ["b"]},
        {"name": "b", "outcome": "P", "grundy": "0", "moves_to_end": "2", "moves": []},
        {"name": "c", "outcome": "N", "grundy": "1", "moves_to_end": "1", "moves": ["d"]},
        {"name": "d", "outcome": "P", "grundy": "0", "moves_to_end": "0", "moves": []},
    ]);
    assert_eq!(answer["vertices"], vertices);
    assert_eq!(answer["solver"], "acyclic");
}

#[test]
fn loopy_values_and_their_sums() {
    // From a one can stay for ever, or end at c.
    let game = "a a\na c\nd c\nb d\nb a\n";
    let answer = json_of("game.txt", game, &[]);
    let a = json!({"name": "a", "outcome": "N", "grundy": null, "loopy": ["0"], "moves_to_end": "1", "moves": ["c"]});
    assert_eq!(answer["vertices"][0], a);
    // b goes to a, worth no nimber, or to d, worth 1: the first is taken back by going to c.
    assert_eq!(answer["vertices"][3]["grundy"], "0");
    let sum = json_of("game.txt", game, &["--token", "a", "--token", "d"]);
    assert_eq!(sum["outcome"], "D");
    assert_eq!(sum["loopy"], json!(["1"]));
    assert_eq!(sum["move_count"], "1");
    let changes = json!([{"component": 0, "from": ["a"], "to": [["a"]]}]);
    assert_eq!(sum["moves"][0]["changes"], changes);
}

#[test]
fn a_sum_is_answered_as_solve_does() {
    let sum = json_of(
        "nim.csv",
        "3,2\n3,1\n3,0\n2,1\n2,0\n1,0\n",
        &["--token", "3", "--token", "2"],
    );
    assert_eq!(sum["outcome"], "N");
    assert_eq!(sum["grundy"], "1");
    assert_eq!(sum["position"], json!([["3"], ["2"]]));
    assert_eq!(sum["evidence"]["kind"], "exhaustive");
    let to: Vec<&Value> = sum["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["changes"][0]["to"])
        .collect();
    assert_eq!(to, [&json!([["2"]])]);
    assert_eq!(
        json_of("nim.csv", "1,0\n", &["--token", "1", "--misere"])["outcome"],
        "P"
    );
}

#[test]
fn unfair_moves_and_chance() {
    let game = "from,to,player\na,b,left\nc,d,right\n";
    let answer = json_of("game.csv", game, &[]);
    assert_eq!(answer["vertices"][0]["outcome"], "L");
    assert_eq!(answer["vertices"][1]["outcome"], "P");
    assert_eq!(answer["vertices"][2]["outcome"], "R");
    assert_eq!(answer["vertices"][0]["left"]["outcome"], "N");
    assert_eq!(answer["vertices"][0]["right"]["outcome"], "P");
    let (message, status) = refused("game.csv", game, &["--token", "a", "--token", "b"]);
    assert_eq!(status, 3);
    assert!(
        message.contains("the players have different moves"),
        "{message}"
    );

    let game = r"digraph { start -> roll; start -> sure; roll [chance=true]; roll -> {one two three};
        one -> end; sure -> x; }";
    let answer = json_of("dice.dot", game, &["--token", "start"]);
    assert_eq!(answer["win_probability"], "2/3");
    assert_eq!(answer["moves"][0]["changes"][0]["to"], json!([["roll"]]));
    assert_eq!(answer["outcome"], Value::Null);
}

#[test]
fn sums_where_values_do_not_decide() {
    let two = ["--token", "a", "--token", "a"];
    // Two heaps of 2 are lost in normal play and in misère play; two of 1 are won in misère play.
    let nim = "a b\na c\nb c\n";
    let lost = json_of("nim.txt", nim, &[&two[..], &["--misere"]].concat());
    assert_eq!(lost["outcome"], "P");
    assert_eq!(lost["solver"], "tame");
    assert_eq!(lost["grundy"], Value::Null);
    let won = json_of(
        "nim.txt",
        nim,
        &["--token", "b", "--token", "b", "--misere"],
    );
    assert_eq!(won["outcome"], "N");
    assert_eq!(won["move_count"], "2");
    // Whoever has to step on x has lost, whatever the other token could do.
    let ends = r#"{"vertices": ["p", "q", "r", {"name": "x", "end": "won"}, {"name": "y", "end": "lost"}],
        "edges": [["p", "x"], ["q", "r"], ["r", "x"]], "tokens": ["p", "q"]}"#;
    let answer = json_of("ends.json", ends, &[]);
    assert_eq!(answer["solver"], "positions");
    assert_eq!(answer["outcome"], "N");
    let to_r = json!([{"component": 1, "from": ["q"], "to": [["r"]]}]);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    assert_eq!(answer["moves"][0]["changes"], to_r);
    let (message, status) = refused(
        "ends.json",
        ends,
        &["--misere", "--token", "x", "--token", "y"],
    );
    assert_eq!(status, 2);
    assert!(message.contains("`x` and `y` end it at once"), "{message}");
    // Chance is asked for each token: a move to the coin wins if it does not hand the last move on.
    let coin = "from,to,probability\na,coin,\ncoin,d,1/4\ncoin,e,3/4\ne,f,\n";
    let answer = json_of("coin.csv", coin, &two);
    assert_eq!(answer["win_probability"], "3/8");
    let (message, status) = refused("coin.csv", coin, &[&two[..], &["--memory", "1K"]].concat());
    assert_eq!(status, 3, "{message}");
}

#[test]
fn text_explains() {
    let user = user_with("game.txt", "a b\na c\nb c\nc d\n");
    let (text, status) = user.run(&[
        "graph",
        "game.txt",
        "--token",
        "a",
        "--token",
        "c",
        "--explain",
    ]);
    assert_eq!(status, 0);
    assert!(
        text.contains("a is worth 2, the least natural that no option is worth: b (0); c (1)."),
        "{text}"
    );
    assert!(text.contains("The nim-sum of the tokens is 3."), "{text}");
    assert!(text.contains("token 1: a → c wins"), "{text}");
    let asked = [
        "graph",
        "game.txt",
        "--token",
        "a",
        "--explain",
        "--move",
        "c",
    ];
    let (text, status) = user.run(&asked);
    assert_eq!(status, 0);
    assert!(
        text.contains("a → c loses after 1 more move: the answer is c → d"),
        "{text}"
    );
    assert!(!text.contains("a → b"), "{text}");
    let asked = [
        "explain",
        "graph:game.txt",
        "a",
        "c",
        "--move",
        "c -> d",
        "--misere",
    ];
    let (text, status) = user.run(&asked);
    assert_eq!(status, 0);
    assert!(
        text.contains("token 2: c → d loses: the answer is token 1: a → c"),
        "{text}"
    );
    assert_eq!(
        user.run(&["explain", "graph:game.txt", "a", "--move", "d"])
            .1,
        2
    );
    assert_eq!(user.run(&["explain", "graph:game.txt", "a", "--json"]).1, 2);
    assert_eq!(user.run(&["explain", "graph:game.txt"]).1, 2);
    let (text, _) = user.run(&["graph", "game.txt"]);
    assert!(text.starts_with("4 vertices, 4 edges: no cycles"), "{text}");
    let (text, _) = user.run(&["graph", "game.txt", "--token", "b"]);
    assert!(
        text.contains("the other player wins, after 2 moves"),
        "{text}"
    );
}

#[test]
fn pictures_are_drawn_and_the_dot_one_can_be_read_again() {
    let game = r#"{"vertices": ["a", {"name": "b <&> \"c\"", "end": "won"}, {"name": "d", "chance": true}, "e"],
        "edges": [["a", "b <&> \"c\""], ["a", "d"], {"from": "d", "to": "e", "probability": "1/3"},
                  {"from": "d", "to": "a1", "probability": "2/3"}]}"#;
    let game = game.replace("\"e\"]", "\"e\", \"a1\"]");
    let user = user_with("game.json", &game);
    for picture in ["game.svg", "game.dot"] {
        assert_eq!(user.run(&["graph", "game.json", "-o", picture]).1, 0);
    }
    let svg = fs::read_to_string(user.home().join("game.svg")).unwrap();
    assert!(svg.contains("b &lt;&amp;&gt; \"c\"") && svg.ends_with("</svg>\n"));
    let (first, _) = user.json(&["graph", "game.json", "--json"]);
    let (again, _) = user.json(&["graph", "game.dot", "--json"]);
    assert_eq!(first["vertices"], again["vertices"]);
    // A picture that is there is not written over.
    assert_eq!(user.run(&["graph", "game.json", "-o", "game.svg"]).1, 2);
    assert_eq!(user.run(&["graph", "game.json", "-o", "game.png"]).1, 2);
}

#[test]
fn bad_input_is_told_with_its_place() {
    for (name, content, arguments, expected) in [
        ("g.txt", "a b\na b c\n", &[][..], "g.txt:2:5: 3 words"),
        (
            "g.csv",
            "from,to,probability\na,b,1/2\na,c,1/3\n",
            &[],
            "g.csv:2:1: the probabilities at `a` add to 5/6",
        ),
        (
            "g.json",
            "{\"vertices\": [\"a\"],\n\"edges\": [[\"a\",\"b\"]]}",
            &[],
            "g.json:2:11: `b` is not among the vertices",
        ),
        (
            "g.json",
            "{\"edges\": [[\"a\",\"b\"]],\n\"tokens\": [\"c\"]}",
            &[],
            "g.json:2:12: `c` is not among the vertices",
        ),
        ("g.txt", "a b\n", &["--token", "c"], "`c` is no vertex"),
        ("g.txt", "Abc b\n", &["--token", "abc"], "`Abc` is one"),
        (
            "g.dot",
            "graph { a -- b }",
            &[],
            "g.dot:1:1: this graph has no directions",
        ),
    ] {
        let (message, status) = refused(name, content, arguments);
        assert_eq!(status, 2, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let (message, status) = refused("g.dot", "digraph { a -> b -> a; a [chance=true] }", &[]);
    assert_eq!(status, 3);
    assert!(
        message.contains("chance moves and play need not end: "),
        "{message}"
    );
    let long: Vec<String> = (0..100_000).map(|n| format!("{n} {}\n", n + 1)).collect();
    let (_, status) = refused("g.txt", &long.concat(), &["--memory", "1M"]);
    assert_eq!(status, 3);
    let output = User::new()
        .command(&["graph", "nowhere.txt"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_odd_is_told_and_answered() {
    let user = user_with("g.txt", "a b\na b\nb b\n");
    let output = user
        .command(&["graph", "g.txt", "--json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("g.txt:2:1: the edge from `a` to `b` stands again"),
        "{notes}"
    );
    assert!(
        notes.contains("g.txt:3:1: an edge leads from `b` back to itself"),
        "{notes}"
    );
}
