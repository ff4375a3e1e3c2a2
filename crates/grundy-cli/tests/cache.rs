//! The cache of proved laws: it may be lost, damaged, forged or shared, and answers stay right.

mod common;

use std::fs;
use std::process::Stdio;

use common::{User, finished};
use grundy_certificate::{Certificate, Law};

const QUESTION: [&str; 5] = ["solve", "bash(3)", "10^18", "--moves=none", "--json"];

/// That 10^18 is lost in Bash's game with 3, by a proved law.
fn is_right(text: &str) {
    let answer: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(answer["outcome"], "P", "{text}");
    assert_eq!(answer["grundy"], "0", "{text}");
    assert_eq!(answer["evidence"]["kind"], "proved", "{text}");
}

fn ask(user: &User) {
    let (text, status) = user.run(&QUESTION);
    assert_eq!(status, 0);
    is_right(&text);
}

/// The one file of the cache.
fn entry(user: &User) -> std::path::PathBuf {
    let mut files = fs::read_dir(user.cache()).expect("the folder was made");
    let file = files
        .next()
        .expect("a law was kept")
        .expect("it is readable");
    assert!(files.next().is_none(), "one law, one file");
    file.path()
}

#[test]
fn a_proved_law_is_kept_as_a_certificate_that_anyone_can_check() {
    let user = User::new();
    ask(&user);
    let entry = entry(&user);
    let (_, status) = user.run(&["check", entry.to_str().expect("the path is text")]);
    assert_eq!(status, 0);
    let kept = fs::read(&entry).expect("it is readable");
    ask(&user);
    assert_eq!(fs::read(&entry).expect("it is readable"), kept);
}

#[test]
fn bad_entries_cost_time_and_nothing_else() {
    let user = User::new();
    ask(&user);
    let path = entry(&user);
    let good = fs::read_to_string(&path).expect("it is text");
    let certificate = Certificate::from_text(&good).expect("it is well formed");
    let mut forged = certificate.clone();
    let Law::Periodic(law) = &mut forged.law else {
        panic!("the law is periodic")
    };
    law.values[0] = 1;
    let mut of_other = certificate.clone();
    of_other.ruleset = certificate.ruleset.replace('3', "4");
    let bad = [
        Vec::new(),
        b"\xff\xfe\x00".to_vec(),
        good.as_bytes()[..good.len() / 2].to_vec(),
        good.as_bytes()[1..].to_vec(),
        forged.to_text().into_bytes(),
        of_other.to_text().into_bytes(),
    ];
    for bytes in bad {
        fs::write(&path, bytes).expect("it is writable");
        ask(&user);
        assert_eq!(fs::read_to_string(&path).expect("it is text"), good);
    }
}

#[test]
fn a_law_of_other_rules_under_this_key_is_not_used() {
    let user = User::new();
    ask(&user);
    let path = entry(&user);
    let other = User::new();
    other.run(&["solve", "bash(4)", "10^18", "--moves=none"]);
    fs::copy(entry(&other), &path).expect("it is writable");
    ask(&user);
}

#[test]
fn without_a_cache_nothing_is_read_or_written() {
    let user = User::new();
    let (text, status) = user.run(&[&QUESTION[..], &["--no-cache"]].concat());
    assert_eq!(status, 0);
    is_right(&text);
    let files = fs::read_dir(user.home()).expect("the folder is there");
    assert_eq!(files.count(), 0);
}

#[test]
fn a_folder_that_cannot_be_made_is_no_error() {
    let user = User::new();
    fs::write(user.home().join("cache"), "a file").expect("it is writable");
    ask(&user);
}

#[test]
fn several_processes_at_once_are_all_right() {
    let user = User::new();
    let spawn = || {
        let mut command = user.command(&QUESTION);
        command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs")
    };
    let running: Vec<_> = (0..8).map(|_| spawn()).collect();
    for process in running {
        let output = process.wait_with_output().expect("the program ends");
        let (text, status) = finished(&output);
        assert_eq!(status, 0);
        is_right(&text);
    }
    ask(&user);
    let certificate = fs::read_to_string(entry(&user)).expect("it is text");
    assert!(Certificate::from_text(&certificate).is_ok());
}
