//! Games played through a pipe.

mod common;

use std::io::Write;
use std::process::Stdio;

use common::User;

/// What the program says in a game in which these lines are written, and its exit status.
fn game(arguments: &[&str], lines: &[u8]) -> (String, i32) {
    let user = User::new();
    let mut child = user
        .command(&[&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it was asked for");
    // A program that refuses its arguments need not read its input.
    let _ = input.write_all(lines);
    drop(input);
    common::finished(&child.wait_with_output().expect("the program ends"))
}

#[test]
fn a_game_is_played_to_its_end() {
    let moves = "heap 3 leaving 1\nundo\nhint\n0 4 7\n1\nquit\nhint\n";
    let (said, status) = game(&["nim", "3", "4", "7"], moves.as_bytes());
    assert_eq!(status, 0);
    assert!(said.contains("You: heap 3 (7): take, leaving 1"), "{said}");
    assert!(
        said.contains("grundy: heap 2 (4): take, leaving 2"),
        "{said}"
    );
    assert!(said.contains("taken back"), "{said}");
    // 3 xor 4 xor 7 = 0: there is nothing to win, and it is said how that is known.
    assert!(said.contains("You are lost"), "{said}");
    assert!(said.contains("certificate sha256:"), "{said}");
    assert!(said.contains("nim 0 4 4"), "{said}");
    assert_eq!(said.matches("You are lost").count(), 1, "{said}");
}

#[test]
fn the_end_of_the_input_ends_it() {
    for lines in [
        &b""[..],
        b"moves",
        b"\n\n",
        b"heap 1 leaving",
        b"\xff\xfe\n",
    ] {
        let (said, status) = game(&["kayles", "9", "--second"], lines);
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("grundy: heap 1 (9)"), "{said}");
    }
}

#[test]
fn a_lost_game_is_lost_in_honesty() {
    // 21 = 5 * 4 + 1: taking 1 wins in normal play, and taking 4 leaves the program a lost heap always.
    let (said, status) = game(
        &["subtract:1,2,3,4", "21"],
        b"20\nhint\n#1\n99\n1 2\n= 15\n10\n5\n0\nundo\nundo\nundo\n",
    );
    assert_eq!(status, 0);
    assert!(said.contains("grundy is lost here"), "{said}");
    assert!(said.contains("no single move leads there"), "{said}");
    assert!(said.contains("moves there are, for example"), "{said}");
    assert!(said.contains("no moves are listed"), "{said}");
    assert!(said.contains("No move is left: you win."), "{said}");
    assert_eq!(said.matches("taken back").count(), 3, "{said}");
}

#[test]
fn misere_play_ends_the_other_way() {
    let (said, _) = game(&["nim", "1", "--misere"], b"0\n");
    assert!(said.contains("grundy wins."), "{said}");
    let (said, _) = game(&["nim", "1", "--second"], b"");
    assert!(said.contains("No move is left: grundy wins."), "{said}");
    let (said, _) = game(&["nim", "0"], b"hint\n5\n");
    assert!(said.contains("No move is left: grundy wins."), "{said}");
}

#[test]
fn sums_of_different_games_are_played() {
    let (said, status) = game(
        &["bash(3):21 + nim:5,7 + *4"],
        b"moves\nbash(3):20 + nim:5,7 + *4\nheap 4 leaving 1\nheap 9 leaving 1\nkayles:3\n",
    );
    assert_eq!(status, 0);
    // 1 xor 5 xor 7 xor 4 = 7; with 20 in place of 21 it is 6.
    assert!(
        said.contains("You: heap 1 (21): take, leaving 20"),
        "{said}"
    );
    assert!(said.contains("  this wins"), "{said}");
    assert!(said.contains("they are 1 to 4"), "{said}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert_eq!(game(&["nim", "-"], b"").1, 2);
    assert_eq!(game(&["nim"], b"").1, 2);
    // Chance and a draw have no common measure.
    let drawn = "chance d in 1..2; [n] -> [n-d]; ends draw [1]";
    assert_eq!(game(&[drawn, "3"], b"").1, 3);
}

/// What is said on a graph of this name and content.
fn on_graph(name: &str, content: &str, arguments: &[&str], lines: &str) -> (String, i32) {
    let user = User::new();
    std::fs::write(user.home().join(name), content).expect("a new folder can be written to");
    let mut child = user
        .command(&[&["play", name], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it was asked for");
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    common::finished(&child.wait_with_output().expect("the program ends"))
}

#[test]
fn tokens_on_graphs_are_played_with() {
    let dag = "a b\na c\nb c\nc d\n";
    let lines = "moves\nhint\n#1\nundo\na -> c\nx\nc -> d\nmoves\n#1\nhint\nquit\nhint\n";
    let (said, status) = on_graph("dag.edges", dag, &["a", "c"], lines);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("#3  token 2: c → d"), "{said}");
    assert!(
        said.contains("You can win within 3 moves:\n  token 1: a → c\n"),
        "{said}"
    );
    assert!(
        said.contains("grundy: token 1: b → c\n  this wins within 3 moves"),
        "{said}"
    );
    assert!(said.contains("taken back.\na + c\n"), "{said}");
    assert!(said.contains("this is no move"), "{said}");
    assert!(said.contains("No move is left: you win."), "{said}");
    // In misère play the same sum is lost with the same moves.
    let (said, _) = on_graph(
        "dag.edges",
        dag,
        &["a", "c", "--misere", "--second"],
        "c -> d\n",
    );
    assert!(said.contains("grundy: token 1: a → b"), "{said}");
    let loops = "a a\na c\nd c\nb d\nb a\n";
    let (said, _) = on_graph("loops.edges", loops, &["a", "d"], "hint\nd -> c\na -> c\n");
    assert!(
        said.contains("this keeps the draw:\n  token 1: a → a"),
        "{said}"
    );
    assert!(said.contains("grundy: token 1: a → c"), "{said}");
    assert_eq!(on_graph("dag.edges", dag, &[], "").1, 2);
    assert_eq!(on_graph("dag.edges", dag, &["x"], "").1, 2);
}

#[test]
fn sides_and_chance_are_played_on_graphs() {
    let unfair = "from,to,player\na,b,left\na,c,right\nb,d,\nc,d,right\n";
    let (said, status) = on_graph("unfair.csv", unfair, &["a"], "hint\na -> c\na -> b\n");
    assert_eq!(status, 0);
    assert!(
        said.contains("You are Left, and grundy is Right."),
        "{said}"
    );
    assert!(said.contains("You are lost"), "{said}");
    // Left cannot use Right's edge.
    assert!(said.contains("this is no move"), "{said}");
    assert!(
        said.contains("grundy: b → d\n  this wins, at once"),
        "{said}"
    );
    let (said, _) = on_graph(
        "unfair.csv",
        unfair,
        &["a", "--right", "--second"],
        "hint\nb -> d\n",
    );
    assert!(said.contains("grundy: a → b"), "{said}");
    assert!(said.contains("No move is left: you win."), "{said}");
    // Outcomes of unfair parts do not decide a sum, so that nobody can be helped to play it.
    assert_eq!(on_graph("unfair.csv", unfair, &["a", "a"], "").1, 3);

    let coin = "from,to,probability\na,coin,\ncoin,d,1/4\ncoin,e,3/4\ne,f,\n";
    let mut seen = [false; 2];
    for seed in 0..20 {
        let seed = seed.to_string();
        let (said, _) = on_graph(
            "coin.csv",
            coin,
            &["a", "--seed", &seed],
            "hint\na -> coin\n",
        );
        assert!(said.contains("win with probability 1/4"), "{said}");
        let (to_d, to_e) = (
            "chance: coin → d\nd\nNo move is left: you win.",
            "chance: coin → e\n",
        );
        assert!(said.contains(to_d) || said.contains(to_e), "{said}");
        seen[usize::from(said.contains(to_d))] = true;
        let again = on_graph(
            "coin.csv",
            coin,
            &["a", "--seed", &seed],
            "hint\na -> coin\n",
        );
        assert_eq!(again.0, said);
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn rules_with_players_and_chance_are_played_on_the_graph_of_their_positions() {
    let unfair = "left: [n] -> [n-1]; right: [n] -> [n-2]";
    let (said, status) = game(&[unfair, "4"], b"hint\n2\nrules\n3\n1\n0\n");
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("You are Left, and grundy is Right."),
        "{said}"
    );
    assert!(
        said.contains("You can win within 3 moves:\n  4 → 3\n"),
        "{said}"
    );
    assert!(said.contains("left: move1: [n] -> [n - 1]"), "{said}");
    assert!(said.contains("No move is left: you win."), "{said}");
    let dice = "chance d in 1..3; [n] -> [n-k] where 1 <= k <= d";
    let arguments = [dice, "3", "--seed", "5", "--second"];
    let (said, status) = game(&arguments, b"");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("chance: 3 → 3 with d = "), "{said}");
    assert!(said.contains("grundy: 3 with d = "), "{said}");
    let (said, status) = common::finished(
        &User::new()
            .command(&["explain", dice, "2"])
            .output()
            .unwrap(),
    );
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("chance: 2 → 2 with d = 3 with probability 1/3"),
        "{said}"
    );
    let explained = User::new()
        .command(&["explain", unfair, "4"])
        .output()
        .unwrap();
    let (said, _) = common::finished(&explained);
    assert!(said.contains("4 → 3 wins after 2 more moves"), "{said}");
}
