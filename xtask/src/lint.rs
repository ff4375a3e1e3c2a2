//! Runs the linters that do not come with the toolchain.
//!
//! They are installed, in the versions named here, into a folder of their own:
//! a newer dictionary or a newer lint must not turn a green tree red.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cache, cargo, root, run};

/// Checks spelling (typos), the licences and sources of the dependencies
/// (cargo-deny), and that every dependency is used (cargo-shear).
pub fn check() -> Result<(), String> {
    let tools = cache("grundy-tools")?;
    run(&mut linter(&typos(&tools, "1.52.0")?))?;
    run(linter(&cargo_tool(&tools, "cargo-deny", "0.20.2")?)
        .args(["--log-level", "error"])
        .args(["check", "licenses", "bans", "sources"]))?;
    run(&mut linter(&cargo_tool(&tools, "cargo-shear", "1.6.0")?))
}

fn linter(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The path of a linter that cargo builds.
fn cargo_tool(tools: &Path, name: &str, version: &str) -> Result<PathBuf, String> {
    let folder = tools.join(format!("{name}-{version}"));
    let program = folder.join("bin").join(name);
    if !program.exists() {
        // Sooner built than with optimisation, and quick enough for what they do here.
        run(cargo()
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .args([
                "install",
                "--quiet",
                "--debug",
                "--locked",
                "--version",
                version,
            ])
            .arg("--root")
            .arg(&folder)
            .arg(name))?;
    }
    Ok(program)
}

/// The path of typos, which is quicker to fetch from the Python index than to build.
fn typos(tools: &Path, version: &str) -> Result<PathBuf, String> {
    let folder = tools.join(format!("typos-{version}"));
    let bin = folder.join("bin");
    let program = bin.join("typos");
    if !program.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(bin.join("pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .arg(format!("typos=={version}")))?;
    }
    Ok(program)
}
