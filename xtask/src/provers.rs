//! Has MONA judge obligations that the checker exports: true laws must be valid, and a damaged one must not.

use std::path::Path;
use std::process::Command;

use crate::{cache, cargo, root, run};

/// Games, and claims about them in base 2 that MONA can decide.
const CLAIMS: &[[&str; 2]] = &[
    ["nim", "grundy [n] = n"],
    [
        "lasker",
        "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n",
    ],
    ["subtract:1,2,3", "grundy [n] = n mod 4"],
    ["powers", "grundy [n] = n mod 3"],
    [
        "[n] -> [a] + [n-a] where 1 <= a < n",
        "grundy [n] = 1 if n > 0 and n mod 2 = 0; 0",
    ],
    [
        "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1",
        "lost [x, y, z] iff x xor y xor z = 0",
    ],
    [
        "play misere; [x, y] -> [x-k, y] | [x, y-k] where k >= 1",
        "lost [x, y] iff x = y and x > 1 or x + y = 1",
    ],
];

/// Certifies, exports and judges each claim.
pub fn check() -> Result<(), String> {
    let folder = cache("grundy-provers")?;
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    run(cargo().args(["build", "--quiet", "--locked", "--package", "grundy-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let program = root().join(target).join("debug").join("grundy");
    let certificate = folder.join("certificate.json");
    for [game, claim] in CLAIMS {
        run(Command::new(&program)
            .args(["claim", game, claim, "--upto", "5", "--no-cache", "--cert"])
            .arg(&certificate))?;
        let exported = said(
            Command::new(&program)
                .arg("export")
                .arg(&certificate)
                .args(["--to", "mona"]),
        )?;
        if !valid(&folder, &exported)? {
            return Err(format!(
                "MONA does not find valid what proves: {game}: {claim}"
            ));
        }
        if valid(&folder, &damaged(&exported)?)? {
            return Err(format!(
                "MONA finds valid what a damaged law says of {game}"
            ));
        }
    }
    println!(
        "MONA agrees about {} laws and as many damaged ones",
        CLAIMS.len()
    );
    Ok(())
}

/// Changes where the automaton of the law goes from its start by a letter of zeros and one 1.
fn damaged(exported: &str) -> Result<String, String> {
    let is_law = |line: &&str| line.starts_with("pred automaton0");
    let law = exported.lines().position(|line| is_law(&line));
    let mut lines: Vec<String> = exported.lines().map(ToOwned::to_owned).collect();
    // The second step of the table is by the letter whose last digit is 1.
    let step = law.and_then(|law| lines.get_mut(law + 2));
    let step = step.ok_or("the export has no automaton of a law")?;
    let (before, after) = step
        .split_once("=>")
        .ok_or("the export has no step where one is looked for")?;
    let changed = if after.contains(" notin S0") {
        after.replacen(" notin S0", " in S0", 1)
    } else {
        after.replacen(" in S0", " notin S0", 1)
    };
    *step = format!("{before}=>{changed}");
    Ok(lines.join("\n"))
}

fn valid(folder: &Path, text: &str) -> Result<bool, String> {
    let file = folder.join("obligations.mona");
    std::fs::write(&file, text)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let said = said(Command::new("mona").arg("-q").arg(&file))?;
    Ok(said.lines().any(|line| line == "Formula is valid"))
}

/// What a command prints.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!(
            "{} ended with {}: {}",
            command.get_program().display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}
