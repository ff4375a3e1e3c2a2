//! Long tables survive: killed at any moment they go on, and end with the same bytes.

#![cfg(unix)]

mod common;

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::User;

/// A table of each way of computing, of some seconds in all, and its format.
const TABLES: &[(&[&str], &str)] = &[
    (&["grundys-game", "--upto", "100000"], "parquet"),
    (&["take-and-break:0.BC", "--upto", "3000"], "csv"),
    (&["wythoff", "--box", "600,600"], "csv"),
    (&["nim", "--box", "60,60,50"], "jsonl"),
];

/// After so many kills a table is left to end.
const MOST_KILLS: usize = 60;
/// In this time every run here ends.
const SOON: Duration = Duration::from_mins(2);

struct Place {
    user: User,
    file: PathBuf,
}

impl Place {
    fn new(ending: &str) -> Self {
        let user = User::new();
        let file = user.home().join("long").with_extension(ending);
        Self { user, file }
    }

    fn command(&self, table: &[&str], more: &[&str]) -> Command {
        let file = self.file.to_str().expect("the path is text");
        self.user
            .command(&[&["table"], table, &["-o", file], more].concat())
    }

    fn run(&self, table: &[&str], more: &[&str]) -> (i32, String) {
        said(
            &self
                .command(table, more)
                .output()
                .expect("the program runs"),
        )
    }

    fn checkpoint(&self) -> PathBuf {
        beside(&self.file, ".checkpoint")
    }

    fn values(&self) -> PathBuf {
        beside(&self.file, ".checkpoint-values")
    }

    /// Runs with --resume, sends a signal as soon as a checkpoint is there; whether it was in time.
    fn interrupted(&self, table: &[&str], signal: &str) -> Option<Output> {
        let mut child = self
            .command(table, &["--resume"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let start = Instant::now();
        while !self.checkpoint().exists() && start.elapsed() < SOON {
            if child.try_wait().expect("it can be waited for").is_some() {
                return None;
            }
            sleep(Duration::from_millis(2));
        }
        send(signal, child.id());
        Some(child.wait_with_output().expect("it ends"))
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn send(signal: &str, process: u32) {
    let kill = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(kill.expect("every Unix has kill").success());
}

fn said(output: &Output) -> (i32, String) {
    let status = output.status.code().expect("it ends by itself");
    (status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// How much was done when a run went on, if it says so.
fn resumed(message: &str) -> Option<u64> {
    let line = message
        .lines()
        .find_map(|line| line.strip_prefix("resumed at "))?;
    line.split(' ').next()?.parse().ok()
}

/// A number below a bound, another one in each run of the tests.
fn random(bound: u64) -> u64 {
    RandomState::new().build_hasher().finish() % bound
}

#[test]
fn killed_at_any_moment_a_table_goes_on() {
    let (mut kills, mut resumptions) = (0, 0);
    for (table, ending) in TABLES {
        let place = Place::new(ending);
        let start = Instant::now();
        let straight = place.run(table, &[]);
        // Kills come so early that one run rarely gets to the end, however fast the machine is.
        let moment = start.elapsed().as_millis().div_ceil(4).max(20);
        assert_eq!(straight.0, 0, "{}", straight.1);
        let expected = fs::read(&place.file).unwrap();
        fs::remove_file(&place.file).unwrap();
        let mut last = 0;
        for round in 0.. {
            let mut child = place
                .command(table, &["--resume"])
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            if round < MOST_KILLS {
                sleep(Duration::from_millis(random(
                    u64::try_from(moment).unwrap(),
                )));
                // It may have ended already.
                let _ = child.kill();
            }
            let output = child.wait_with_output().expect("it ends");
            let message = String::from_utf8_lossy(&output.stderr);
            if let Some(done) = resumed(&message) {
                assert!(done >= last, "{done} after {last}");
                resumptions += u64::from(done > 0);
                last = done;
            }
            match output.status.code() {
                Some(0) => break,
                Some(status) => panic!("{table:?} ended with {status}: {message}"),
                None => kills += 1,
            }
            if place.file.exists() {
                // Killed between its last steps: what is there is whole.
                assert_eq!(fs::read(&place.file).unwrap(), expected);
            }
        }
        assert_eq!(fs::read(&place.file).unwrap(), expected, "{table:?}");
        assert!(!place.checkpoint().exists() && !place.values().exists());
        // There is nothing left to do.
        let (status, message) = place.run(table, &["--resume"]);
        assert_eq!(status, 0, "{message}");
        assert!(message.contains("is finished"), "{message}");
        assert_eq!(fs::read(&place.file).unwrap(), expected);
    }
    assert!(kills >= 10, "{kills} kills");
    assert!(resumptions >= 5, "{resumptions} resumptions");
}

#[test]
fn an_interrupt_leaves_a_checkpoint_that_is_used() {
    let (table, ending) = TABLES[0];
    let place = Place::new(ending);
    let output = place.interrupted(table, "-INT").expect("it takes a while");
    let (status, message) = said(&output);
    assert_eq!(status, 3, "{message}");
    assert!(message.contains("is kept in"), "{message}");
    assert!(!place.file.exists());
    let before = fs::metadata(place.values()).unwrap().len();
    assert!(before > 0);
    // A run that does not go on with it must not destroy it by mistake.
    let (status, message) = place.run(table, &[]);
    assert_eq!(status, 2, "{message}");
    assert!(message.contains("--resume"), "{message}");
    assert_eq!(fs::metadata(place.values()).unwrap().len(), before);
    let (status, message) = place.run(table, &["--resume"]);
    assert_eq!(status, 0, "{message}");
    assert!(resumed(&message).is_some_and(|done| done > 0), "{message}");
}

#[test]
fn checkpoints_are_frequent() {
    // At least every 20th part of the work: one kept before the first kill is of at most that.
    let (table, ending) = TABLES[0];
    let place = Place::new(ending);
    place.interrupted(table, "-KILL").expect("it takes a while");
    let header = fs::read_to_string(place.checkpoint()).unwrap();
    let header: serde_json::Value = serde_json::from_str(&header).unwrap();
    let done = header["done"].as_u64().unwrap();
    assert!(done > 0 && done <= 100_000 / 20 * 2, "{done}");
}

#[test]
fn a_limit_of_time_leaves_a_checkpoint_too() {
    let (table, ending) = TABLES[0];
    let place = Place::new(ending);
    let mut rounds = 0;
    loop {
        let (status, message) = place.run(table, &["--resume", "--time", "400ms"]);
        rounds += 1;
        match status {
            0 => break,
            status => assert_eq!(status, 3, "{message}"),
        }
        assert!(rounds < 300, "{message}");
    }
    let bytes = fs::read(&place.file).unwrap();
    fs::remove_file(&place.file).unwrap();
    assert_eq!(place.run(table, &[]).0, 0);
    assert_eq!(fs::read(&place.file).unwrap(), bytes);
}

#[test]
fn a_wrong_checkpoint_is_refused_and_kept() {
    let (table, ending) = TABLES[0];
    let place = Place::new(ending);
    place.interrupted(table, "-KILL").expect("it takes a while");
    let (header, values) = (place.checkpoint(), place.values());
    let whole = (fs::read(&header).unwrap(), fs::read(&values).unwrap());
    let counted: serde_json::Value = serde_json::from_slice(&whole.0).unwrap();
    let counted = usize::try_from(counted["bytes"].as_u64().unwrap()).unwrap();
    let refused = |what: &str, table: &[&str], more: &[&str]| {
        let before = (fs::read(&header).unwrap(), fs::read(&values).unwrap());
        let (status, message) = place.run(table, &[&["--resume"], more].concat());
        assert_eq!(status, 2, "{what}: {message}");
        assert!(message.starts_with("error: "), "{what}: {message}");
        assert!(message.contains(".checkpoint"), "{what}: {message}");
        assert_eq!(
            (fs::read(&header).unwrap(), fs::read(&values).unwrap()),
            before,
            "{what}"
        );
        assert!(!place.file.exists());
    };
    for cut in [0, 1, whole.0.len() / 2, whole.0.len() - 3] {
        fs::write(&header, &whole.0[..cut]).unwrap();
        refused("a truncated header", table, &[]);
    }
    for byte in (0..whole.0.len() - 2).step_by(7) {
        let mut damaged = whole.0.clone();
        damaged[byte] ^= 1;
        fs::write(&header, &damaged).unwrap();
        refused("a damaged header", table, &[]);
    }
    fs::write(&header, &whole.0).unwrap();
    for cut in [0, 1, counted / 2, counted - 1] {
        fs::write(&values, &whole.1[..cut]).unwrap();
        refused("truncated values", table, &[]);
    }
    for byte in [0, 5, counted / 2, counted - 1] {
        let mut damaged = whole.1.clone();
        damaged[byte] ^= 1;
        fs::write(&values, &damaged).unwrap();
        refused("damaged values", table, &[]);
    }
    fs::write(&values, &whole.1).unwrap();
    refused("other rules", &["kayles", "--upto", "100000"], &[]);
    refused("another size", &["grundys-game", "--upto", "100001"], &[]);
    refused("another format", table, &["--format", "csv"]);
    refused("the lost positions", table, &["--lost"]);
    let text = String::from_utf8(whole.0.clone()).unwrap();
    let later = text.replace("\"grundy_checkpoint\": 1", "\"grundy_checkpoint\": 2");
    assert_ne!(later, text);
    fs::write(&header, later).unwrap();
    refused("another version", table, &[]);
    // What a crash wrote behind the counted bytes does not count.
    fs::write(&header, &whole.0).unwrap();
    fs::write(&values, [&whole.1[..counted], b"torn"].concat()).unwrap();
    let (status, message) = place.run(table, &["--resume"]);
    assert_eq!(status, 0, "{message}");
}

#[test]
fn a_full_disk_loses_nothing() {
    let (table, ending) = TABLES[0];
    let place = Place::new(ending);
    assert_eq!(place.run(table, &[]).0, 0);
    let expected = fs::read(&place.file).unwrap();
    // A quota of 32 kB for each file: the table is larger. Its signal is ignored, so that writing
    // fails as it does on a full disk.
    let limited = |more: &[&str]| {
        let inner = place.command(table, more);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
            .arg(inner.get_program())
            .args(inner.get_args())
            .envs(
                inner
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            );
        said(&shell.output().expect("every Unix has a shell"))
    };
    let (status, message) = limited(&["--force"]);
    assert_eq!(status, 2, "{message}");
    assert!(message.starts_with("error: "), "{message}");
    assert_eq!(
        fs::read(&place.file).unwrap(),
        expected,
        "the old file is as it was"
    );
    fs::remove_file(&place.file).unwrap();
    let (status, message) = limited(&["--resume"]);
    assert_eq!(status, 2, "{message}");
    assert!(message.contains("still there"), "{message}");
    assert!(!place.file.exists());
    let (status, message) = place.run(table, &["--resume"]);
    assert_eq!(status, 0, "{message}");
    assert!(resumed(&message).is_some_and(|done| done > 0), "{message}");
    assert_eq!(fs::read(&place.file).unwrap(), expected);
    if Path::new("/dev/full").exists() {
        let (out, status) = place.user.run(&["table", "kayles", "-o", "/dev/full"]);
        assert_eq!((out.as_str(), status), ("", 2));
    }
    // Nothing else is left.
    let names = fs::read_dir(place.user.home())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let names: Vec<_> = names.filter(|name| *name != "cache").collect();
    assert_eq!(names, [place.file.file_name().unwrap()]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_the_work() {
    let place = Place::new("csv");
    fs::write(place.user.home().join("file"), "").unwrap();
    for path in ["/proc/long.csv", "file/long.csv", "none/long.csv"] {
        for resume in [&[][..], &["--resume"]] {
            let start = Instant::now();
            let slow = ["table", "grundys-game", "--upto", "10^7", "-o", path];
            let output = place
                .user
                .command(&[&slow[..], resume].concat())
                .output()
                .unwrap();
            let (status, message) = said(&output);
            assert_eq!(status, 2, "{path}: {message}");
            assert!(message.contains(path), "{path}: {message}");
            assert!(start.elapsed() < SOON);
        }
    }
    let (status, message) = place.run(&["kayles"], &["--resume", "--force"]);
    assert_eq!(status, 2, "{message}");
    assert_eq!(place.user.run(&["table", "kayles", "--resume"]).1, 2);
}

#[test]
fn a_finished_file_of_something_else_is_not_taken_for_this() {
    let place = Place::new("csv");
    assert_eq!(place.run(&["kayles", "--upto", "90"], &["--resume"]).0, 0);
    let written = fs::read(&place.file).unwrap();
    assert_eq!(place.run(&["kayles", "--upto", "90"], &["--resume"]).0, 0);
    for other in [
        &["nim", "--upto", "90"][..],
        &["kayles", "--upto", "50"],
        &["wythoff", "--box", "5,5"],
    ] {
        let (status, message) = place.run(other, &["--resume"]);
        assert_eq!(status, 2, "{other:?}: {message}");
        assert_eq!(fs::read(&place.file).unwrap(), written);
    }
}
