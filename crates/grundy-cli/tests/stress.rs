//! Programs with the faults that people make are caught, with the smallest input that shows the fault.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::User;
use serde_json::Value;

/// The wrong programs, compiled once: its argument says which it is.
fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong/programs.cpp");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong-programs");
        let status = Command::new("g++")
            .args(["-O1", "-std=c++17", "-o"])
            .args([&program, &source])
            .status()
            .expect("g++ can be started");
        assert!(status.success());
        program
    })
}

/// What is found out about a program of this name.
fn stress(problem: &str, name: &str, more: &[&str]) -> (Value, i32) {
    let program = programs().to_str().expect("its path is text");
    let mut arguments = vec!["stress", problem, "--json", "--no-cache"];
    arguments.extend(more);
    arguments.extend(["--", program, name]);
    User::new().json(&arguments)
}

/// The program has this fault, and this is the smallest input that shows it.
fn is_caught(problem: &str, name: &str, verdict: &str, input: &str, expected: &str, got: &str) {
    let (found, status) = stress(problem, name, &[]);
    assert_eq!(status, 1, "{name}: {found}");
    let told = ["verdict", "input", "expected", "got"].map(|key| found[key].as_str());
    let wanted = [verdict, input, expected, got].map(Some);
    assert_eq!(told, wanted, "{name}: {found}");
    let why = found["why"].as_array().expect("a list of lines");
    assert!(!why.is_empty(), "{name}: {found}");
}

#[test]
fn marks_that_calls_share() {
    let input = "1\n1\n2\n1 3\n";
    is_caught(
        "acwing893",
        "shared marks",
        "wrong answer",
        input,
        "No\n",
        "Yes\n",
    );
}

#[test]
fn the_golden_ratio_in_floating_point() {
    let (found, status) = stress("51nod1185", "floating Wythoff", &[]);
    assert_eq!(
        (found["verdict"].as_str(), status),
        (Some("wrong answer"), 1),
        "{found}"
    );
    let input = found["input"].as_str().expect("a text");
    let numbers: Vec<u64> = input
        .split_whitespace()
        .map(|n| n.parse().expect("a number"))
        .collect();
    assert_eq!((numbers.len(), numbers[0]), (3, 1), "one pair: {input}");
    assert!(
        numbers[1].min(numbers[2]) > 1 << 40,
        "small pairs are right: {input}"
    );
}

#[test]
fn a_position_without_stones() {
    is_caught(
        "p2252",
        "missing zero",
        "wrong answer",
        "0 0\n",
        "0\n",
        "1\n",
    );
}

#[test]
fn a_period_that_begins_later() {
    let input = "1\n1\n34\n";
    is_caught(
        "hdu4664",
        "early period",
        "wrong answer",
        input,
        "Carol\n",
        "Dave\n",
    );
}

#[test]
fn the_other_convention() {
    is_caught(
        "acwing891",
        "misere rule",
        "wrong answer",
        "1\n1\n",
        "Yes\n",
        "No\n",
    );
}

#[test]
fn marks_that_are_too_few() {
    let input = "3\n1 2 3\n";
    is_caught(
        "acwing894",
        "few marks",
        "wrong answer",
        input,
        "Yes\n",
        "No\n",
    );
}

#[test]
fn calls_that_are_too_deep() {
    let (found, status) = stress("so_digit", "deep recursion", &[]);
    assert_eq!(
        (found["verdict"].as_str(), status),
        (Some("crash"), 1),
        "{found}"
    );
    let input = found["input"]
        .as_str()
        .map(str::trim)
        .map(str::parse::<u64>);
    assert!(matches!(input, Some(Ok(10_000..1_000_000))), "{found}");
}

#[test]
fn words_of_another_problem() {
    let input = "1\n1\n1\n";
    is_caught(
        "cses1730",
        "wrong words",
        "presentation",
        input,
        "first\n",
        "First\n",
    );
}

#[test]
fn heaps_that_are_counted_from_zero() {
    is_caught(
        "p1247",
        "from zero",
        "wrong answer",
        "1\n1\n",
        "1 1\n0\n",
        "1 0\n0\n",
    );
}

#[test]
fn a_set_that_is_not_in_order() {
    let input = "2\n3 2\n1\n2\n";
    is_caught(
        "acwing893",
        "unsorted set",
        "wrong answer",
        input,
        "Yes\n",
        "No\n",
    );
}

#[test]
fn a_program_that_does_not_end() {
    let (found, status) = stress("acwing891", "endless", &["--program-time", "500ms"]);
    assert_eq!(
        (found["verdict"].as_str(), status),
        (Some("time-out"), 1),
        "{found}"
    );
    let input = found["input"].as_str();
    assert_eq!(input, Some("1\n3\n"), "{found}");
}

#[test]
fn a_table_that_memory_does_not_hold() {
    let (found, status) = stress("acwing891", "long table", &["--program-memory", "64M"]);
    assert_eq!(
        (found["verdict"].as_str(), status),
        (Some("memory"), 1),
        "{found}"
    );
}

#[test]
fn a_right_program_passes_and_a_seed_says_which_inputs_there_are() {
    let (passed, status) = stress("acwing891", "right", &["--tests", "100"]);
    assert_eq!(
        (passed["verdict"].as_str(), status),
        (Some("passed"), 0),
        "{passed}"
    );
    let inputs = passed["inputs"].as_u64();
    assert!(inputs.is_some_and(|inputs| inputs > 50), "{passed}");
}

#[test]
fn what_cannot_be_started_or_is_unknown_is_said() {
    let (_, status) = User::new().run(&["stress", "acwing891", "--", "./no-such-program"]);
    assert_eq!(status, 2);
    let (_, status) = User::new().run(&["stress", "no-such-problem", "--", "true"]);
    assert_eq!(status, 2);
}

#[test]
fn programs_about_games_are_asked_in_the_plain_way() {
    let user = User::new();
    let program = user.home().join("mine.py");
    // Nim, by a program that takes the values for those of Kayles.
    let text = "import sys\nn, *heaps = map(int, sys.stdin.read().split())\n\
                total = 0\nfor heap in heaps: total ^= heap\nprint(total)\n";
    fs::write(&program, text).expect("the folder can be written");
    let program = program.to_str().expect("its path is text");
    let asked = |game| {
        let arguments = [
            "stress", game, "--value", "--json", "--tests", "60", "--", "python3", program,
        ];
        user.json(&arguments)
    };
    let (found, status) = asked("kayles");
    assert_eq!(
        (found["input"].as_str(), status),
        (Some("1\n4\n"), 1),
        "{found}"
    );
    assert_eq!(found["expected"].as_str(), Some("1\n"));
    let (passed, status) = asked("nim");
    assert_eq!(
        (passed["verdict"].as_str(), status),
        (Some("passed"), 0),
        "{passed}"
    );
}

#[test]
fn cases_are_those_of_their_seed_and_answered() {
    let user = User::new();
    let write = |folder: &str, seed: &str| {
        let arguments = [
            "cases", "p1247", "--dir", folder, "--tests", "30", "--seed", seed,
        ];
        assert_eq!(user.run(&arguments).1, 0);
        let files = fs::read_dir(user.home().join(folder)).expect("the folder is there");
        let mut files: Vec<_> = files
            .map(|file| file.expect("a file").path())
            .map(|path| {
                (
                    path.file_name().map(ToOwned::to_owned),
                    fs::read_to_string(&path).expect("a text"),
                )
            })
            .collect();
        files.sort();
        files
    };
    let first = write("a", "1");
    assert_eq!(first, write("b", "1"));
    assert_ne!(first, write("c", "2"));
    assert!(first.len() >= 40 && first.len().is_multiple_of(2));
    let (_, again) = user.run(&["cases", "p1247", "--dir", "a"]);
    assert_eq!(again, 2, "files that are there are kept");
    let input = &first[0].1;
    let mut judge = user.command(&["judge", "p1247"]);
    let given = user.home().join("given");
    fs::write(&given, input).expect("the folder can be written");
    judge.stdin(fs::File::open(&given).expect("it was written"));
    let answer = judge.output().expect("the program runs").stdout;
    assert_eq!(String::from_utf8(answer).expect("text"), first[1].1);
}
