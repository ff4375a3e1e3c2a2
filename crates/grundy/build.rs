//! Lists the catalogue's files for `grundy::catalogue`, so that adding a game is adding a file.
//!
//! The files live at the root of the repository, where people look for them. The crate
//! reaches them through the link `crates/grundy/games`, which `cargo package` replaces by what it
//! points to; a checkout without links (Windows) finds the folder itself.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the crate");
    let folder = ["games", "../../games"]
        .map(|folder| Path::new(&here).join(folder))
        .into_iter()
        .find(|folder| folder.is_dir())
        .expect("the folder `games` stands beside the crates");
    let folder = fs::canonicalize(folder).expect("a folder that was found has a full path");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut games = Vec::new();
    for file in fs::read_dir(&folder).expect("the folder of games can be read") {
        let path = file.expect("the folder of games can be listed").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "game")
        {
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.expect("a game's file has a name in UTF-8").to_owned();
            games.push((name, path));
        }
    }
    games.sort();

    let mut list = String::from("&[\n");
    for (name, path) in games {
        let path = path.to_str().expect("the path of the games is UTF-8");
        writeln!(
            list,
            "    Game {{ name: {name:?}, text: include_str!({path:?}) }},"
        )
        .expect("a string takes every text");
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").expect("cargo sets the folder for generated files");
    fs::write(Path::new(&out).join("games.rs"), list).expect("the list of games can be written");
}
