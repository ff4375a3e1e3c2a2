//! Lists the problems and their samples for `grundy_problems::catalogue`, and the laws of emitted programs, so that
//! adding one is adding files.
//!
//! The files live at the root of the repository, where people look for them. The crate reaches
//! them through the link `crates/grundy-problems/problems`, which `cargo package` replaces by what
//! it points to; a checkout without links (Windows) finds the folder itself.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the crate");
    let folder = ["problems", "../../problems"]
        .map(|folder| Path::new(&here).join(folder))
        .into_iter()
        .find(|folder| folder.is_dir())
        .expect("the folder `problems` stands beside the crates");
    let folder = fs::canonicalize(folder).expect("a folder that was found has a full path");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");

    let problems = files(&folder, "problem");
    let inputs = files(&folder.join("samples"), "in");
    let outputs = files(&folder.join("samples"), "out");
    for name in inputs.keys().chain(outputs.keys()) {
        let complete = inputs.contains_key(name) && outputs.contains_key(name);
        assert!(complete, "the sample `{name}` has both `.in` and `.out`");
        let (problem, number) = name.rsplit_once('.').unwrap_or((name, ""));
        let belongs = problems.contains_key(problem) && number.parse::<u32>().is_ok();
        assert!(belongs, "the sample `{name}` is called `PROBLEM.NUMBER`");
    }

    let mut list = String::from("&[\n");
    for (name, path) in &problems {
        let mut samples: Vec<(u32, &str)> = inputs
            .keys()
            .filter_map(|sample| Some((sample.rsplit_once('.')?, sample)))
            .filter(|((problem, _), _)| problem == name)
            .map(|((_, number), sample)| (number.parse().expect("a number"), sample.as_str()))
            .collect();
        samples.sort_unstable();
        write!(
            list,
            "    Entry {{ name: {name:?}, text: include_str!({path:?}), samples: &["
        )
        .expect("a string takes every text");
        for (number, sample) in samples {
            let (input, output) = (&inputs[sample], &outputs[sample]);
            write!(
                list,
                "\n        Sample {{ number: {number}, input: include_str!({input:?}), output: include_str!({output:?}) }},"
            )
            .expect("a string takes every text");
        }
        list.push_str("] },\n");
    }
    list.push_str("]\n");
    let laws = Path::new(&here).join("src/emit/laws");
    println!("cargo::rerun-if-changed={}", laws.display());
    let mut texts = String::from("&[\n");
    for path in files(&laws, "law").values() {
        writeln!(texts, "    include_str!({path:?}),").expect("a string takes every text");
    }
    texts.push_str("]\n");
    let out = env::var("OUT_DIR").expect("cargo sets the folder for generated files");
    fs::write(Path::new(&out).join("laws.rs"), texts).expect("the list can be written");
    fs::write(Path::new(&out).join("problems.rs"), list).expect("the list can be written");
}

/// The files of a folder with this ending, by their names without it; none if there is no folder.
fn files(folder: &Path, ending: &str) -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeMap::new();
    };
    let paths = entries.map(|file| file.expect("the folder can be listed").path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .map(|path| {
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.expect("a file's name is UTF-8").to_owned();
            (
                name,
                path.to_str().expect("a file's path is UTF-8").to_owned(),
            )
        })
        .collect()
}
