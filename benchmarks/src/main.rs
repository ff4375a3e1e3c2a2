//! How long grundy takes, beside programs written by hand for the same games.
//!
//! `cargo run --release -p grundy-benchmarks -- exhaustive` measures the
//! compiled engine, `-- tables` the kernels of one-heap games, `-- graphs` values on given graphs, and `-- provers`
//! proofs for all sizes, beside MONA. Both sides fill the same table, and the checksums of the
//! tables are compared before a time is believed.

mod cpp;
mod graphs;
mod ours;
mod plain;
mod provers;
mod random;
mod report;
mod tables;
mod workload;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use rustix::time::{ClockId, clock_gettime};

use ours::tabulate;
use report::{Measurement, median};
use workload::{Size, Workload};

const USAGE: &str = "\
usage: grundy-benchmarks exhaustive [--save | --check]
       grundy-benchmarks tables [--save | --long | --all [--save] | --plain [--save]]
       grundy-benchmarks graphs [--save] [VERTICES]
       grundy-benchmarks provers [--save]

  --save    also write the report to benchmarks/results/
  --long    prove the published periods that take minutes, and count the rare heaps of Grundy's game to 10^8
  --all     every code of up to three digits beside ogsolve
  --plain   every code of up to three digits beside a plain loop
  --check   compare the values of many small tables and measure nothing";

/// The seed of the random games.
const SEED: u64 = 1;

/// How often each side runs.
const REPEATS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["exhaustive"] => measure().map(|report| print!("{report}")),
        ["exhaustive", "--save"] => {
            measure().and_then(|report| report::save(&report, "exhaustive"))
        }
        ["exhaustive", "--check"] => check(),
        ["provers"] => provers::measure().map(|report| print!("{report}")),
        ["provers", "--save"] => {
            provers::measure().and_then(|report| report::save(&report, "provers"))
        }
        ["tables"] => tables::measure().map(|report| print!("{report}")),
        ["tables", "--save"] => {
            tables::measure().and_then(|report| report::save(&report, "tables"))
        }
        ["tables", "--long"] => tables::long().map(|report| print!("{report}")),
        ["tables", "--all"] => tables::all_codes().map(|report| print!("{report}")),
        ["tables", "--all", "--save"] => {
            tables::all_codes().and_then(|report| report::save(&report, "all-codes"))
        }
        ["tables", "--plain"] => plain::measure().map(|report| print!("{report}")),
        ["tables", "--plain", "--save"] => {
            plain::measure().and_then(|report| report::save(&report, "plain-loop"))
        }
        ["graphs"] => graphs::measure(graphs::FULL).map(|report| print!("{report}")),
        ["graphs", "--save"] => {
            graphs::measure(graphs::FULL).and_then(|report| report::save(&report, "graphs"))
        }
        ["graphs", vertices] if vertices.parse::<u32>().is_ok_and(|count| count > 0) => {
            let vertices = vertices.parse().expect("it was tried");
            graphs::measure(vertices).map(|report| print!("{report}"))
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Measures all workloads at their full size.
fn measure() -> Result<String, String> {
    let named = workload::named(&folder()?, Size::Full)?;
    let random = workload::random(&folder()?, SEED, 20, Size::Full)?;
    report::render(&compare_all(&named)?, &compare_all(&random)?, REPEATS)
}

fn compare_all(workloads: &[Workload]) -> Result<Vec<Measurement>, String> {
    workloads.iter().map(compare).collect()
}

/// Runs both sides in turn, so that what else the machine does falls on both.
fn compare(workload: &Workload) -> Result<Measurement, String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        ours.push(tabulate(workload)?);
        theirs.push(workload.rival.run()?);
        agree(workload, ours[ours.len() - 1], theirs[theirs.len() - 1])?;
    }
    let seconds = |runs: &[Run]| median(runs.iter().map(|run| run.seconds).collect());
    let measurement = Measurement {
        name: workload.name.clone(),
        rules: workload.rules.clone(),
        limits: workload.limits.clone(),
        ours: seconds(&ours),
        theirs: seconds(&theirs),
    };
    eprintln!("{}: {:.2}", measurement.name, measurement.ratio());
    Ok(measurement)
}

/// Compares small tables, of many more random games than are measured.
fn check() -> Result<(), String> {
    let mut workloads = workload::named(&folder()?, Size::Small)?;
    workloads.extend(workload::random(&folder()?, SEED, 200, Size::Small)?);
    for workload in &workloads {
        agree(workload, tabulate(workload)?, workload.rival.run()?)?;
    }
    println!("{} tables agree with their C++ programs", workloads.len());
    Ok(())
}

fn agree(workload: &Workload, ours: Run, theirs: Run) -> Result<(), String> {
    if ours.checksum == theirs.checksum {
        return Ok(());
    }
    Err(format!(
        "the values of {} up to {:?} differ from those of its C++ program; its rules are\n{}",
        workload.name, workload.limits, workload.rules
    ))
}

/// What one side did.
#[derive(Clone, Copy)]
struct Run {
    /// Depends on every value of the table and on its place.
    checksum: u64,
    /// Processor seconds for filling the table.
    seconds: f64,
}

/// The same function as in `cpp/bench.hpp`.
fn checksum(values: impl IntoIterator<Item = u64>) -> u64 {
    values
        .into_iter()
        .fold(14_695_981_039_346_656_037, |sum, value| {
            (sum ^ value).wrapping_mul(1_099_511_628_211)
        })
}

/// The processor seconds that this process has used.
fn seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    std::time::Duration::try_from(now)
        .expect("a process has not run for a negative time")
        .as_secs_f64()
}

/// Where the C++ programs are built: beside this program.
fn folder() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
    let folder = program.with_file_name("cpp");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(folder)
}
