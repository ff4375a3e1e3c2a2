//! Tables in files: what is written comes back, and what is damaged is refused.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::User;

const FORMATS: [&str; 6] = ["text", "csv", "json", "jsonl", "bfile", "parquet"];

/// Tables of every kind: of heaps, of tuples with places that are no positions, of sums, in misère
/// play, and with places from which play need not end.
const TABLES: &[&[&str]] = &[
    &["kayles", "--upto", "123"],
    &["kayles", "--upto", "3"],
    &["nim", "--upto", "300"],
    &["nim", "--upto", "70000"],
    &["wythoff", "--box", "12,5"],
    &["wythoff", "--box", "9,9"],
    &["nim", "--box", "2,3,4"],
    &["nim", "--box", "3,4", "--misere"],
    &["subtract:1,2", "--upto", "30", "--misere"],
    &[
        "game pairs\nunordered\ntake: [x,y] -> [x-k,y] where k >= 1",
        "--box",
        "4,6",
    ],
    &[
        "[n] -> [n-1] where n < 5; [5] -> [6]; [6] -> [5]",
        "--upto",
        "12",
    ],
];

fn ending(format: &str) -> &str {
    match format {
        "text" | "bfile" => "txt",
        format => format,
    }
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

/// Writes a table; the file's path.
fn write(user: &User, table: &[&str], format: &str) -> PathBuf {
    let path = user.home().join("table").with_extension(ending(format));
    let output = ["--format", format, "--force", "-o", text_of(&path)];
    let (_, status) = user.run(&[&["table"], table, &output].concat());
    assert!([0, 3].contains(&status), "{table:?} {format}");
    path
}

#[test]
fn every_format_is_read_back() {
    let user = User::new();
    for table in TABLES {
        let csv = fs::read_to_string(write(&user, table, "csv")).unwrap();
        for format in FORMATS {
            // A b-file holds one sequence of values without a gap.
            let is_bfile = format == "bfile";
            if is_bfile && (csv.starts_with("n1") || csv.contains('?') || csv.contains("outcome")) {
                continue;
            }
            let path = write(&user, table, format);
            let (again, status) = user.run(&["table", "--from", text_of(&path), "--format", "csv"]);
            assert_eq!(status, 0, "{table:?} {format}");
            assert_eq!(again, csv, "{table:?} {format}");
        }
    }
}

#[test]
fn formats_that_say_all_keep_all() {
    let user = User::new();
    for table in TABLES {
        for (first, second) in [("json", "parquet"), ("parquet", "json")] {
            let path = write(&user, table, first);
            let written = fs::read(&path).unwrap();
            let between = user.home().join("between").with_extension(second);
            let there = [
                "table",
                "--from",
                text_of(&path),
                "--force",
                "-o",
                text_of(&between),
            ];
            assert_eq!(user.run(&there).1, 0, "{table:?}");
            let back = user.home().join("back").with_extension(first);
            let back_again = [
                "table",
                "--from",
                text_of(&between),
                "--force",
                "-o",
                text_of(&back),
            ];
            assert_eq!(user.run(&back_again).1, 0, "{table:?}");
            assert_eq!(fs::read(&back).unwrap(), written, "{table:?} {first}");
        }
    }
}

#[test]
fn a_law_is_guessed_from_any_format() {
    let user = User::new();
    for format in FORMATS {
        let path = write(&user, &["kayles", "--upto", "400"], format);
        let (found, status) = user.json(&["law", "--values", text_of(&path), "--json"]);
        assert_eq!(status, 3, "a guess is no proof");
        assert_eq!(found["law"]["period"], "12", "{format}");
        assert_eq!(found["law"]["preperiod"], "71", "{format}");
    }
    let path = write(&user, &["wythoff", "--box", "4,4"], "csv");
    assert_eq!(user.run(&["law", "--values", text_of(&path)]).1, 2);
}

#[test]
fn bfiles_are_as_the_oeis_has_them() {
    let user = User::new();
    let path = write(&user, &["kayles", "--upto", "11"], "bfile");
    // A002186: an index, one space, the term; the offset is that of the first term.
    let expected = "0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n6 3\n7 2\n8 1\n9 4\n10 2\n11 6\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    let copy = user.home().join("b002186.txt");
    let comment = format!("# Table of n, a(n) for n = 0..11\n\n{expected}");
    fs::write(&copy, comment).unwrap();
    let (again, status) = user.run(&["table", "--from", text_of(&copy), "--format", "bfile"]);
    assert_eq!((again.as_str(), status), (expected, 0));
    for wrong in ["0 0\n1 1\n3 3\n", "0 0\n1 -1\n", "0 0\n1 1 1\n", "0 0\n1\n"] {
        fs::write(&copy, wrong).unwrap();
        assert_eq!(
            user.run(&["table", "--from", text_of(&copy)]).1,
            2,
            "{wrong:?}"
        );
    }
}

#[test]
fn damage_is_noticed() {
    let user = User::new();
    let path = write(&user, &["kayles", "--upto", "2000"], "parquet");
    let whole = fs::read(&path).unwrap();
    let damaged = user.home().join("damaged.parquet");
    let (csv, _) = user.run(&["table", "--from", text_of(&path), "--format", "csv"]);
    let mut refused = 0;
    for place in (0..whole.len()).step_by(whole.len() / 150 + 1) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x55;
        fs::write(&damaged, &bytes).unwrap();
        let (again, status) = user.run(&["table", "--from", text_of(&damaged), "--format", "csv"]);
        match status {
            // What other tools read, such as who wrote the file, may change without a word.
            0 => assert_eq!(again, csv, "byte {place}"),
            status => assert_eq!(status, 2, "byte {place}"),
        }
        refused += i32::from(status == 2);
        fs::write(&damaged, &whole[..place]).unwrap();
        let (_, status) = user.run(&["table", "--from", text_of(&damaged)]);
        assert_eq!(status, 2, "the first {place} bytes");
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let user = User::new();
    let path = user.home().join("other");
    let wrong: &[&[u8]] = &[
        b"",
        b"hello\n",
        b"n,grundy\n",
        b"n,grundy\n3,1\n2,1\n",
        b"n,grundy\n0,x\n",
        b"n,grundy\n0,1,2\n",
        b"n,grundy\n99999999999999,1\n",
        b"n1,n2,grundy\n0,99999999999999,1\n5,5,1\n",
        b"n\n0\n2\n",
        b"{\"box\":[\"3\"],\"grundy\":[\"0\",\"1\",\"2\",\"3\",\"4\"]}",
        b"{\"box\":[\"18446744073709551615\",\"3\"],\"grundy\":[\"0\"]}",
        b"{\"box\":[\"3\"],\"lost\":[]}",
        b"{\"n\":0,\"grundy\":-1}\n",
        b"{\"n\":0,\"grundy\":1}\n[]\n",
        b" 0 | 0 1 2\n99 | 1\n",
        b"n,grundy\n0,\xff\n",
        b"PAR1",
    ];
    for content in wrong {
        fs::write(&path, content).unwrap();
        let output = user
            .command(&["table", "--from", text_of(&path)])
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{:?}",
            String::from_utf8_lossy(content)
        );
        assert!(message.starts_with("error: "), "{message}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(user.run(&["table", "--from", "no-such-file"]).1, 2);
    assert_eq!(
        user.run(&["table", "kayles", "--from", text_of(&path)]).1,
        2
    );
}

#[test]
fn no_file_is_lost() {
    let user = User::new();
    let path = user.home().join("notes.csv");
    fs::write(&path, "mine").unwrap();
    let table = ["table", "kayles", "--upto", "9", "-o", text_of(&path)];
    let output = user.command(&table).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(user.run(&[&table[..], &["--force"]].concat()).1, 0);
    // The ending of the name tells the format.
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("n,grundy\n0,0\n")
    );
    let folder = text_of(user.home());
    assert_eq!(user.run(&["table", "kayles", "-o", folder]).1, 2);
    assert_eq!(user.run(&["table", "kayles", "-o", "no/such/folder"]).1, 2);
}
