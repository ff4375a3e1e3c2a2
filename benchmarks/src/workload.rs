//! The named workloads.

use std::fs;
use std::path::Path;

use crate::{cpp, random};

/// A game to tabulate, and the C++ program that does the same.
pub struct Workload {
    /// Its name in the report.
    pub name: String,
    /// Its rules.
    pub rules: String,
    /// The largest value of each coordinate.
    pub limits: Vec<u32>,
    /// The program written for it.
    pub rival: cpp::Program,
}

/// How large the tables are.
#[derive(Clone, Copy)]
pub enum Size {
    /// Large enough to measure.
    Full,
    /// Done in no time.
    Small,
}

/// The classics that the engine must keep up with.
pub fn named(folder: &Path, size: Size) -> Result<Vec<Workload>, String> {
    NAMED
        .iter()
        .map(|game| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("cpp")
                .join(format!("{}.cpp", game.program));
            let limits = match size {
                Size::Full => game.limits,
                Size::Small => &[30, 40][..game.limits.len()],
            };
            Ok(Workload {
                name: game.name.to_owned(),
                rules: game.rules.to_owned(),
                rival: cpp::compile(&source, folder)?.with(limits),
                limits: limits.to_vec(),
            })
        })
        .collect()
}

/// The first `count` random games of a seed.
pub fn random(folder: &Path, seed: u64, count: usize, size: Size) -> Result<Vec<Workload>, String> {
    let steps = match size {
        Size::Full => 100_000_000,
        Size::Small => 10_000,
    };
    let games = random::games(seed, count, steps);
    let source = folder.join("random.cpp");
    fs::write(&source, random::program(&games))
        .map_err(|error| format!("cannot write {}: {error}", source.display()))?;
    let program = cpp::compile(&source, folder)?;
    let workloads = (0..).zip(games).map(|(index, game)| Workload {
        name: format!("random {}", index + 1),
        rules: game.rules,
        rival: program.with(&[index, game.limit]),
        limits: vec![game.limit],
    });
    Ok(workloads.collect())
}

struct Named {
    name: &'static str,
    /// The file in `cpp/`.
    program: &'static str,
    rules: &'static str,
    limits: &'static [u32],
}

const NAMED: &[Named] = &[
    Named {
        name: "Lasker's Nim",
        program: "lasker",
        rules: "take: [n] -> [n-k] where k >= 1\n\
                split: [n] -> [a] + [n-a] where 1 <= a < n\n",
        limits: &[20_000],
    },
    Named {
        name: "take 1, 3 or 4",
        program: "subtraction",
        rules: "take: [n] -> [n-k] where k in {1, 3, 4}\n",
        limits: &[50_000_000],
    },
    Named {
        name: "Wythoff",
        program: "wythoff",
        rules: "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1\n",
        limits: &[511, 511],
    },
    Named {
        name: "half",
        program: "half",
        rules: "take: [n] -> [n-k] where 1 <= k <= n/2\n",
        limits: &[30_000],
    },
    Named {
        name: "Fibonacci Nim",
        program: "fibonacci-nim",
        rules: FIBONACCI_NIM,
        limits: &[1000, 1000],
    },
    Named {
        name: "Fibonacci Nim, incremental C++",
        program: "fibonacci-nim-incremental",
        rules: FIBONACCI_NIM,
        limits: &[1000, 1000],
    },
];

const FIBONACCI_NIM: &str = "start [n] as [n, max(n-1, 0)]\n\
                             take: [n, q] -> [n-k, 2*k] where 1 <= k <= q\n";
