//! Compiles the library crates for WebAssembly.
//!
//! Where the toolchain has the target, it is used. Elsewhere (a toolchain that
//! came without rustup, or a machine that reaches package mirrors only) the
//! compiler of Debian serves: it comes with the matching source of the standard
//! library. It is unpacked into a folder of its own, because installed it would
//! put a second `rustc` on the path.

use std::env::{self, consts::ARCH};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cache, cargo, output, run};

/// The crates that must work in a browser: every library crate but the bindings for Python.
const LIBRARY_CRATES: &[&str] = &[
    "grundy-rules",
    "grundy-automata",
    "grundy-certificate",
    "grundy-diagram",
    "grundy-graphs",
    "grundy-kernels",
    "grundy",
];

const TARGET: &str = "wasm32-unknown-unknown";

/// The packages that hold the compiler and the source of its standard library.
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "rust-web-src"];

/// Compiles every crate in [`LIBRARY_CRATES`] as it would be shipped.
pub fn compile() -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--target", TARGET]);
    for name in LIBRARY_CRATES {
        build.args(["--package", name]);
    }
    if !has_target()? {
        // A target folder of its own: cargo would rebuild everything at each change of compiler.
        let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        build
            .args(["-Z", "build-std=std,panic_abort", "--target-dir"])
            .arg(Path::new(&target).join("wasm"))
            .env("RUSTC", debian_rustc()?)
            // Lets a stable cargo and compiler build the standard library.
            .env("RUSTC_BOOTSTRAP", "1");
    }
    run(&mut build)
}

/// Whether the compiler on the path can compile for the target.
fn has_target() -> Result<bool, String> {
    let libraries =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    Ok(Path::new(&libraries).exists())
}

/// The path of Debian's compiler, fetched at the first call.
///
/// No version is pinned: the archive keeps only the newest, and compiler and
/// source always match. Remove the folder to fetch them anew.
fn debian_rustc() -> Result<PathBuf, String> {
    let folder = cache("grundy-wasm")?;
    let rustc = folder.join("rustc");
    if rustc.exists() {
        return Ok(rustc);
    }
    let packages = folder.join("packages");
    let tree = folder.join("tree");
    // What an interrupted call left behind.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed("remove", &folder, &error))?;
    }
    for path in [&packages.join("partial"), &tree] {
        fs::create_dir_all(path).map_err(|error| failed("create", path, &error))?;
    }

    run(as_root()?.args(["apt-get", "update", "-qq"]))?;
    let mut archives = OsString::from("Dir::Cache::archives=");
    archives.push(&packages);
    run(as_root()?
        .args(["apt-get", "install", "-qq", "--yes", "--download-only"])
        .args(["--no-install-recommends", "--option"])
        .arg(archives)
        .args(DEBIAN_PACKAGES))?;
    let files = fs::read_dir(&packages).map_err(|error| failed("read", &packages, &error))?;
    for file in files {
        let path = file
            .map_err(|error| failed("read", &packages, &error))?
            .path();
        if path.extension() == Some(OsStr::new("deb")) {
            run(Command::new("dpkg-deb")
                .arg("--extract")
                .args([&path, &tree]))?;
        }
    }
    fs::remove_dir_all(&packages).map_err(|error| failed("remove", &packages, &error))?;

    // Written last, and renamed into place: that it exists says that all the rest does.
    let script = format!(
        "#!/bin/sh\n\
         tree=$(dirname \"$0\")/tree\n\
         export LD_LIBRARY_PATH=\"$tree/usr/lib/{ARCH}-linux-gnu:$tree/lib/{ARCH}-linux-gnu\"\n\
         exec \"$tree/usr/bin/rustc\" \"$@\"\n"
    );
    let draft = folder.join("rustc.draft");
    fs::write(&draft, script)
        .and_then(|()| fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)))
        .and_then(|()| fs::rename(&draft, &rustc))
        .map_err(|error| failed("write", &rustc, &error))?;
    Ok(rustc)
}

/// A command that runs its arguments as root, which the package manager asks for.
fn as_root() -> Result<Command, String> {
    Ok(if output(Command::new("id").arg("-u"))? == "0" {
        Command::new("env")
    } else {
        Command::new("sudo")
    })
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}
