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
    assert_eq!(game(&["left: [n] -> [n-1]", "3"], b"").1, 3);
}
