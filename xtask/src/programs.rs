//! The tables of emitted programs, and of wrong programs that are caught.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::{cargo, root, run};

/// The languages, as `grundy emit --lang` names them.
const LANGUAGES: [&str; 3] = ["cpp", "rust", "python"];
const WRITE: &str = "a string takes every text";

/// Writes the tables into the documentation.
pub fn tables() -> Result<(), String> {
    run(cargo().args(["build", "-p", "grundy-cli"]))?;
    let grundy = root().join("target/debug/grundy");
    let mut page = String::from(
        "# Programs that were emitted, and programs that were caught\n\n\
         Written by `cargo xtask programs`.\n\n## Emitted\n\n\
         The tests compile these programs, and hold what they answer to samples and small inputs in order against\n\
         exhaustive search, and to 200 random inputs each against `judge`.\n\n",
    );
    emitted(&grundy, &mut page)?;
    caught(&grundy, &mut page)?;
    let path = root().join("docs").join("programs-table.md");
    fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// One line for each problem: on what its program stands, or why there is none.
fn emitted(grundy: &Path, page: &mut String) -> Result<(), String> {
    let folder = root().join("problems");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            Some(
                entry
                    .ok()?
                    .file_name()
                    .to_str()?
                    .strip_suffix(".problem")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    let (mut lines, mut whole) = (String::new(), 0);
    for name in &names {
        let mut stands = String::new();
        let mut why = String::new();
        for language in LANGUAGES {
            let output = Command::new(grundy)
                .args(["emit", name, "--lang", language])
                .output()
                .map_err(|error| format!("cannot start {}: {error}", grundy.display()))?;
            if output.status.success() {
                let text = String::from_utf8_lossy(&output.stdout);
                let comment = text
                    .lines()
                    .skip(1)
                    .take_while(|line| line.starts_with("//"));
                let comment: Vec<&str> = comment
                    .map(|line| line.trim_start_matches('/').trim())
                    .collect();
                if language == "cpp" {
                    stands = comment.join(" ");
                }
            } else {
                let said = String::from_utf8_lossy(&output.stderr);
                let said = said.lines().last().unwrap_or_default().to_owned();
                why = said
                    .split_once("`: ")
                    .map_or(said.clone(), |(_, why)| why.to_owned());
            }
        }
        whole += usize::from(why.is_empty());
        let languages = if why.is_empty() {
            LANGUAGES.join(", ")
        } else {
            "none".to_owned()
        };
        let ground = if why.is_empty() { stands } else { why };
        writeln!(
            lines,
            "| {name} | {languages} | {} |",
            ground.replace('|', "\\|")
        )
        .expect(WRITE);
    }
    write!(
        page,
        "{whole} of {} problems.\n\n| problem | languages | stands on, or why there is none |\n|---|---|---|\n{lines}\n",
        names.len()
    )
    .expect(WRITE);
    Ok(())
}

/// The wrong programs of the tests: their names, and their problems.
const WRONG: [(&str, &str); 10] = [
    ("shared marks", "acwing893"),
    ("floating Wythoff", "51nod1185"),
    ("missing zero", "p2252"),
    ("early period", "hdu4664"),
    ("misere rule", "acwing891"),
    ("few marks", "acwing894"),
    ("deep recursion", "so_digit"),
    ("wrong words", "cses1730"),
    ("from zero", "p1247"),
    ("unsorted set", "acwing893"),
];

/// One line for each wrong program: what was found, and how soon.
fn caught(grundy: &Path, page: &mut String) -> Result<(), String> {
    let source = root().join("crates/grundy-cli/tests/wrong/programs.cpp");
    let program = root().join("target/wrong-programs");
    run(Command::new("g++")
        .args(["-O1", "-std=c++17", "-o"])
        .args([&program, &source]))?;
    page.push_str(
        "## Caught\n\nThe programs of `crates/grundy-cli/tests/wrong/programs.cpp`, each with a fault that people make. The seconds\n\
         are those of the whole run of a build for development, with making the input small and explaining it.\n\n\
         | fault | problem | verdict | smallest input | seconds |\n|---|---|---|---|--:|\n",
    );
    for (name, problem) in WRONG {
        let start = Instant::now();
        let output = Command::new(grundy)
            .args(["stress", problem, "--no-cache", "--"])
            .arg(&program)
            .arg(name)
            .output()
            .map_err(|error| format!("cannot start {}: {error}", grundy.display()))?;
        let seconds = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        if output.status.code() != Some(1) {
            return Err(format!("{name} is not caught: {text}"));
        }
        let verdict = text.lines().next().unwrap_or_default();
        let input = text.lines().skip_while(|line| *line != "input").skip(1);
        let input: Vec<&str> = input
            .take_while(|line| !line.is_empty())
            .map(str::trim)
            .collect();
        writeln!(
            page,
            "| {name} | {problem} | {verdict} | `{}` | {seconds:.2} |",
            input.join(" / ")
        )
        .expect(WRITE);
    }
    Ok(())
}
