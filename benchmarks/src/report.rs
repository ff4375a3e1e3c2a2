//! Writes down what was measured, with the machine and the day.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cpp;

/// The times of one workload, in processor seconds.
pub struct Measurement {
    /// The workload's name.
    pub name: String,
    /// Its rules.
    pub rules: String,
    /// The largest value of each coordinate.
    pub limits: Vec<u32>,
    /// The median of grundy.
    pub ours: f64,
    /// The median of the C++ program.
    pub theirs: f64,
}

impl Measurement {
    /// How many times as long grundy takes.
    pub fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }
}

/// The middle of an odd number of measurements; the upper middle of an even one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The report of a whole run.
pub fn render(
    named: &[Measurement],
    random: &[Measurement],
    repeats: usize,
) -> Result<String, String> {
    let mut text = format!(
        "# Filling tables: the compiled engine beside C++\n\n\
         {day}, {cpu}; {rust}; {cpp}. Processor seconds, median of {repeats} runs of each side in turn.\n\
         The ratio is the time of grundy over that of the C++ program; the checksums agreed.\n\n\
         | game | up to | grundy | C++ | ratio |\n| --- | --- | ---: | ---: | ---: |\n",
        day = first_line("date", "+%F")?,
        cpu = processor()?,
        rust = first_line("rustc", "--version")?,
        cpp = cpp::version()?,
    );
    for measurement in named.iter().chain(random) {
        row(&mut text, measurement);
    }
    let ratios = random.iter().map(Measurement::ratio).collect();
    write!(
        text,
        "\nThe median ratio of the random games is {:.2}. Their rules:\n\n```text\n",
        median(ratios)
    )
    .expect("a string takes all that is written to it");
    for measurement in random {
        write!(text, "# {}\n{}", measurement.name, measurement.rules)
            .expect("a string takes all that is written to it");
    }
    Ok(text + "```\n")
}

fn row(text: &mut String, measurement: &Measurement) {
    let limits: Vec<String> = measurement.limits.iter().map(u32::to_string).collect();
    writeln!(
        text,
        "| {} | {} | {:.4} | {:.4} | {:.2} |",
        measurement.name,
        limits.join(", "),
        measurement.ours,
        measurement.theirs,
        measurement.ratio()
    )
    .expect("a string takes all that is written to it");
}

/// Prints the report and writes it to `benchmarks/results`, under the day and the processor.
pub fn save(report: &str, kind: &str) -> Result<(), String> {
    let cpu: String = processor()?
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
        .to_lowercase();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let path = folder.join(format!("{}-{cpu}-{kind}.md", first_line("date", "+%F")?));
    print!("{report}");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, report))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The name of the processor.
pub fn processor() -> Result<String, String> {
    let path = "/proc/cpuinfo";
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    text.lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map(|(_, name)| name.trim().to_owned())
        .ok_or_else(|| format!("{path} names no processor"))
}

/// The first line that a program prints.
pub fn first_line(program: &str, argument: &str) -> Result<String, String> {
    let output = Command::new(program)
        .arg(argument)
        .output()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
