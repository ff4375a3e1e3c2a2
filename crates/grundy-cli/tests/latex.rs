//! That LaTeX sets the documents which the program writes; skipped where there is no LaTeX.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::User;

#[test]
fn explanations_are_set() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        eprintln!("skipped: there is no pdflatex");
        return;
    }
    let user = User::new();
    for (index, arguments) in [
        &["nim", "5", "7", "12"][..],
        &["wythoff", "30,50"],
        &["moore", "3", "4", "5"],
        &["fibonacci-nim", "18,4"],
        &["kayles", "9", "--misere", "--move", "8"],
        &["e-and-d", "12,7"],
        &["merge-or-take", "3", "1", "1"],
        &["cram-2", "....", ".."],
        &["silver-dollar", "..o.$"],
    ]
    .into_iter()
    .enumerate()
    {
        let format = ["--format", "latex", "--no-cache"];
        let all: Vec<&str> = ["explain"]
            .iter()
            .chain(arguments)
            .chain(&format)
            .copied()
            .collect();
        let (text, status) = user.run(&all);
        assert_eq!(status, 0, "{arguments:?}");
        let name = format!("explanation{index}.tex");
        fs::write(user.home().join(&name), text).expect("the folder of the test can be written");
        let set = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", &name])
            .current_dir(user.home())
            .stdin(Stdio::null())
            .output()
            .expect("it was there before");
        let log = String::from_utf8_lossy(&set.stdout);
        assert!(set.status.success(), "{arguments:?}\n{log}");
    }
}
