//! Tables of one-heap games by kernels, beside contest code in C++, `ogsolve`, and published periods.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use grundy::law::{Level, Periodicity, Sequence};
use grundy::shape::Shape;
use grundy_rules::{Budget, Meter, parse};

use crate::ours::tabulate;
use crate::report::{first_line, processor};
use crate::workload::Workload;
use crate::{Run, checksum, cpp, folder, seconds};

/// How often each side runs. The best run counts: other work on the machine only adds.
const REPEATS: usize = 3;

/// A game beside a C++ program.
struct Beside {
    name: &'static str,
    rules: &'static str,
    upto: u32,
    program: &'static str,
    /// What the program is told besides the limit.
    arguments: &'static [u32],
}

const GRUNDY: &str = "[n] -> [a] + [n-a] where 1 <= a < n-a";
const CONGRUENT: &str = "[n] -> nothing where n = 1; [n] -> [n-2] where n > 2; \
                         [n] -> [a] + [n-2-a] where 1 <= a < n-2, (n-2-2*a) mod 3 = 0";
const SOME_EVEN: &str = "[n] -> [n-1] where n > 1; \
                         [n] -> [a] + [b] where a >= 1, b >= 1, a+b = n-1, a mod 2 = 0 or b mod 2 = 0";
const BOTH_EVEN: &str = "[n] -> nothing where n = 1; [n] -> [n-2] where n > 2; \
                         [n] -> [a] + [b] where a >= 1, b >= 1, a+b = n-2, a mod 2 = 0, b mod 2 = 0";
const APART: &str = "[n] -> [a] + [b] where a >= 1, b >= 1, a+b = n, abs(a-b) >= 3";
const LASKER: &str = "[n] -> [n-k] where k >= 1; [n] -> [a] + [n-a] where 1 <= a < n";
const BESIDE: &[Beside] = &[
    beside("Grundy's game", GRUNDY, 100_000, "splits", &[1, 4]),
    beside("Grundy's game", GRUNDY, 300_000, "splits", &[1, 4]),
    beside("0.007", "rules 0.007", 100_000, "splits", &[0, 0, 0, 0, 7]),
    beside("0.06", "rules 0.06", 100_000, "splits", &[0, 0, 0, 6]),
    beside("0.104", "rules 0.104", 100_000, "splits", &[0, 0, 1, 0, 4]),
    beside(
        "0.16, a = b mod 3",
        CONGRUENT,
        40_000,
        "conditions",
        &[3, 0, 1, 6],
    ),
    beside(
        "0.6, a or b even",
        SOME_EVEN,
        40_000,
        "conditions",
        &[2, 0, 6],
    ),
    beside(
        "0.16, a and b even",
        BOTH_EVEN,
        40_000,
        "conditions",
        &[1, 0, 1, 6],
    ),
    beside("4., parts 3 apart", APART, 40_000, "conditions", &[0, 4]),
    beside("Lasker's Nim", LASKER, 100_000, "lasker", &[]),
    beside(
        "0.BC",
        "rules take-and-break 0.BC",
        3000,
        "three",
        &[0, 11, 12],
    ),
    beside("8.", "rules take-and-break 8.", 4000, "three", &[8]),
    beside("10 takes", TEN_TAKES, 20_000_000, "takes", TEN),
    beside("100 takes", HUNDRED_TAKES, 5_000_000, "takes", HUNDRED),
];

const TEN: &[u32] = &[3, 71, 150, 238, 377, 455, 611, 720, 893, 977];
const TEN_TAKES: &str = "rules {3,71,150,238,377,455,611,720,893,977}";
/// The numbers `20 + 40 i + i^2 mod 37`.
const HUNDRED: &[u32] = &{
    let mut takes = [0; 100];
    let mut i = 0;
    while i < 100 {
        takes[i as usize] = 20 + 40 * i + i * i % 37;
        i += 1;
    }
    takes
};
/// Filled in from [`HUNDRED`].
const HUNDRED_TAKES: &str = "";

const fn beside(
    name: &'static str,
    rules: &'static str,
    upto: u32,
    program: &'static str,
    arguments: &'static [u32],
) -> Beside {
    Beside {
        name,
        rules,
        upto,
        program,
        arguments,
    }
}

/// A game of tuples on a box beside a C++ program.
struct Boxed {
    name: &'static str,
    rules: &'static str,
    bounds: &'static [u32],
    program: &'static str,
    /// What the program is told besides the bounds.
    arguments: &'static [u32],
}

const BOXES: &[Boxed] = &[
    Boxed {
        name: "Wythoff",
        rules: "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
        bounds: &[511, 511],
        program: "wythoff",
        arguments: &[],
    },
    Boxed {
        name: "Wythoff",
        rules: "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
        bounds: &[1200, 1200],
        program: "wythoff",
        arguments: &[],
    },
    Boxed {
        name: "k, or k and 2k",
        rules: "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-2*k] | [x-2*k, y-k] where k >= 1",
        bounds: &[511, 511],
        program: "lines",
        arguments: &[0, 1, 1, 0, 1, 2, 2, 1],
    },
    Boxed {
        name: "Nim, 3 heaps",
        rules: "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1",
        bounds: &[120, 120, 120],
        program: "nim",
        arguments: &[],
    },
];

/// Codes for `ogsolve -m rc`.
const OGSOLVE: &[&str] = &["0.6", "0.376", "0.16", "0.354", "0.356", "0.457", "0.477"];
const OGSOLVE_UPTO: u32 = 300_000;
/// For all codes of up to three digits.
const ALL_UPTO: u32 = 5000;
const ALL_REPEATS: usize = 8;

/// What every level of instructions is measured by.
const LEVELS: [(&str, &str); 3] = [
    ("Grundy's game", GRUNDY),
    ("0.6", "rules 0.6"),
    ("0.16", "rules 0.16"),
];
const LEVELS_UPTO: u32 = 300_000;

/// What several threads are measured by, and how far.
const THREADED: [(&str, &str, usize); 2] = [
    ("Grundy's game", GRUNDY, 4_000_000),
    ("0.6", "rules 0.6", 300_000),
];

/// Codes and their published preperiods and periods.
const PERIODS: &[(&str, u64, u64)] = &[
    ("0.07", 53, 34),
    ("0.137", 52, 34),
    ("0.17", 33, 34),
    ("0.4", 54, 34),
    ("0.77", 71, 12),
    ("4.3", 2, 2),
    ("0.017", 15, 60),
    ("0.044", 214, 36),
    ("0.055", 259, 148),
    ("0.116", 139, 96),
    ("0.124", 122, 62),
    ("4.005", 31, 79),
    ("0.45", 498, 20),
    ("0.156", 3479, 349),
    ("0.644", 3256, 442),
    ("0.165", 5181, 1550),
    ("0.356", 7315, 142),
    ("0.16", 105_351, 149_459),
    ("0.56", 326_640, 144),
    ("0.376", 2_268_248, 4),
    ("0.354", 10_061_916, 1180),
];
/// Those that take minutes.
const LONG_PERIODS: &[(&str, u64, u64)] = &[
    ("0.454", 160_949_019, 60_620_715),
    ("0.054", 193_235_616, 10_015_179),
];

/// Measures all but the long periods.
pub fn measure() -> Result<String, String> {
    let mut text = format!(
        "# Tables of one-heap games\n\n{day}, {cpu}; {rust}; {cpp}. Processor seconds, the best of {REPEATS} runs of \
         each side in turn.\nReading the rules counts; the checksums agreed.\n\n\
         | game | up to | grundy | C++ | times as fast |\n| --- | --- | ---: | ---: | ---: |\n",
        day = first_line("date", "+%F")?,
        cpu = processor()?,
        rust = first_line("rustc", "--version")?,
        cpp = cpp::version()?,
    );
    for game in BESIDE {
        let line = beside_cpp(game)?;
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    text += "\nBoxes:\n\n| game | up to | grundy | C++ | times as fast |\n| --- | --- | ---: | ---: | ---: |\n";
    for game in BOXES {
        let line = boxed_beside_cpp(game)?;
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    text += "\n`ogsolve -m rc` of crates.io, as a program of its own; its checksum agreed.\n\n\
             | code | up to | grundy | ogsolve | times as fast |\n| --- | --- | ---: | ---: | ---: |\n";
    for code in OGSOLVE {
        let line = beside_ogsolve(code)?;
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    text += "\nAlone:\n\n| game | up to | grundy |\n| --- | --- | ---: |\n";
    let run = table(GRUNDY, 1 << 20, Timed::All)?;
    writeln!(text, "| Grundy's game | 2^20 | {:.3} |", run.0.seconds).expect("a string");
    let run = table("rules all but {1,4,9}", 10_000_000, Timed::All)?;
    writeln!(text, "| all but 1, 4, 9 | 10^7 | {:.3} |", run.0.seconds).expect("a string");
    text += &levels()?;
    text += &threads()?;
    text += &periods(PERIODS)?;
    Ok(text)
}

/// Proves the periods that take minutes, and counts the rare heaps of Grundy's game.
pub fn long() -> Result<String, String> {
    Ok(periods(LONG_PERIODS)? + &rares()?)
}

/// How far the rare heaps of Grundy's game are counted.
const RARES_UPTO: usize = 100_000_000;
/// How many Flammenkamp found, heap 0 among them.
const RARES: u64 = 1287;

fn rares() -> Result<String, String> {
    let start = seconds();
    let ruleset = parse(GRUNDY).map_err(|faults| format!("{faults:?}"))?;
    let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
    extend(&mut sequence, RARES_UPTO + 1)?;
    let rares = sequence.rares().map_or(0, |rares| rares + 1);
    if rares != RARES {
        return Err(format!("{rares} rare heaps in place of {RARES}"));
    }
    Ok(format!(
        "\nGrundy's game to heap {RARES_UPTO} has {RARES} rare heaps, heap 0 among them, as Flammenkamp \
         found: {:.1} s.\n",
        seconds() - start
    ))
}

fn periods(list: &[(&str, u64, u64)]) -> Result<String, String> {
    let mut text = "\nFrom the rules to a period that the values prove by the theorem of Guy and Smith; each is the \
                    published one.\n\n| code | preperiod | period | seconds |\n| --- | ---: | ---: | ---: |\n"
        .to_owned();
    for (code, preperiod, period) in list {
        let start = seconds();
        let ruleset = parse(&format!("rules {code}")).map_err(|faults| format!("{faults:?}"))?;
        let mut sequence = Sequence::new(&ruleset, &Shape::of(&ruleset));
        let mut length = 256;
        while sequence.law().is_none() {
            length *= 2;
            extend(&mut sequence, length)?;
        }
        let law = Periodicity {
            preperiod: *preperiod,
            period: *period,
            saltus: 0,
        };
        if sequence.law() != Some(law) {
            return Err(format!("{code}: {:?} in place of {law:?}", sequence.law()));
        }
        let line = format!(
            "| {code} | {preperiod} | {period} | {:.3} |",
            seconds() - start
        );
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

/// Appends values until there are so many.
pub fn extend(sequence: &mut Sequence, length: usize) -> Result<(), String> {
    let mut meter = Meter::new(Budget {
        steps: u64::MAX,
        bytes: 1 << 33,
    });
    sequence
        .extend_to(length, &mut meter)
        .map_err(|reason| format!("{reason:?}"))
}

/// The values of the heaps up to a limit.
fn table(rules: &str, upto: u32, timed: Timed) -> Result<(Run, Vec<u64>), String> {
    let mut start = seconds();
    let ruleset = parse(rules).map_err(|faults| format!("{rules}: {faults:?}"))?;
    let shape = Shape::of(&ruleset);
    if let Timed::Calculation = timed {
        start = seconds();
    }
    let mut sequence = Sequence::new(&ruleset, &shape);
    extend(&mut sequence, upto as usize + 1)?;
    let seconds = seconds() - start;
    let values = sequence.values().first(usize::MAX);
    let checksum = checksum(values.iter().copied());
    Ok((Run { checksum, seconds }, values))
}

fn beside_cpp(game: &Beside) -> Result<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cpp")
        .join(format!("{}.cpp", game.program));
    let arguments: Vec<u32> = [&[game.upto], game.arguments].concat();
    let program = cpp::compile(&source, &folder()?)?.with(&arguments);
    let rules = if game.rules == HUNDRED_TAKES {
        let takes: Vec<String> = HUNDRED.iter().map(u32::to_string).collect();
        format!("rules {{{}}}", takes.join(","))
    } else {
        game.rules.to_owned()
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let (run, _) = table(&rules, game.upto, Timed::All)?;
        let other = program.run()?;
        if run.checksum != other.checksum {
            return Err(format!("{} differs from its C++ program", game.name));
        }
        ours.push(run.seconds);
        theirs.push(other.seconds);
    }
    Ok(row(game.name, &game.upto.to_string(), ours, theirs))
}

fn boxed_beside_cpp(game: &Boxed) -> Result<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cpp")
        .join(format!("{}.cpp", game.program));
    let arguments: Vec<u32> = [game.bounds, game.arguments].concat();
    let workload = Workload {
        name: game.name.to_owned(),
        rules: game.rules.to_owned(),
        limits: game.bounds.to_vec(),
        rival: cpp::compile(&source, &folder()?)?.with(&arguments),
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let (run, other) = (tabulate(&workload)?, workload.rival.run()?);
        if run.checksum != other.checksum {
            return Err(format!("{} differs from its C++ program", game.name));
        }
        ours.push(run.seconds);
        theirs.push(other.seconds);
    }
    let bounds: Vec<String> = game.bounds.iter().map(u32::to_string).collect();
    Ok(row(game.name, &bounds.join(", "), ours, theirs))
}

fn beside_ogsolve(code: &str) -> Result<String, String> {
    let (ours, theirs) = both(code, OGSOLVE_UPTO, REPEATS, Timed::All)?;
    Ok(row(code, &OGSOLVE_UPTO.to_string(), ours, theirs))
}

/// Which time counts.
#[derive(Clone, Copy)]
enum Timed {
    /// All of it; for `ogsolve` what the shell says that the processor worked, in milliseconds.
    All,
    /// The calculation alone, without reading the code; for `ogsolve` what it says of it.
    Calculation,
}

/// The seconds that both sides take for a code, run by run.
fn both(
    code: &str,
    upto: u32,
    repeats: usize,
    timed: Timed,
) -> Result<(Vec<f64>, Vec<f64>), String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let (run, values) = table(&format!("rules {code}"), upto, timed)?;
        let (sum, seconds) = ogsolve(code, upto, timed)?;
        if sum != fletcher(&values) {
            return Err(format!(
                "ogsolve has another checksum for {code}: {sum:08X}"
            ));
        }
        ours.push(run.seconds);
        theirs.push(seconds);
    }
    Ok((ours, theirs))
}

/// Measures every code of up to three digits beside `ogsolve`.
pub fn all_codes() -> Result<String, String> {
    let mut text = format!(
        "# Every code of up to three digits beside ogsolve\n\n{day}, {cpu}; {rust}. Processor seconds of the \
         calculation alone up to heap {ALL_UPTO}, without reading the code,\nthe best of {ALL_REPEATS} runs of each side in \
         turn; for `ogsolve -m rc` what it says of it. The checksums agreed.\n\n",
        day = first_line("date", "+%F")?,
        cpu = processor()?,
        rust = first_line("rustc", "--version")?,
    );
    let (mut count, mut sums, mut slower) = (0, [0.0, 0.0], Vec::new());
    for number in 1..512 {
        let digits = format!("{number:03o}");
        let code = format!("0.{}", digits.trim_end_matches('0'));
        let (ours, theirs) = both(&code, ALL_UPTO, ALL_REPEATS, Timed::Calculation)?;
        let (ours, theirs) = (best(ours), best(theirs));
        count += 1;
        sums = [sums[0] + ours, sums[1] + theirs];
        if ours > theirs {
            slower.push(format!("| {code} | {ours:.5} | {theirs:.5} |\n"));
        }
    }
    let [ours, theirs] = sums;
    let slow = slower.len();
    writeln!(
        text,
        "{count} codes: {ours:.2} s, and {theirs:.2} s by ogsolve. Slower here: {slow}."
    )
    .expect("a string");
    if slow > 0 {
        text += "\n| code | grundy | ogsolve |\n| --- | ---: | ---: |\n";
        text += &slower.concat();
    }
    Ok(text)
}

fn best(times: Vec<f64>) -> f64 {
    times.into_iter().fold(f64::INFINITY, f64::min)
}

/// How long a table takes with the instructions of each level of this processor.
fn levels() -> Result<String, String> {
    let mut text = format!(
        "\nWith the instructions of each level, up to {LEVELS_UPTO}:\n\n| level | {} |\n| --- |{}\n",
        LEVELS.map(|(name, _)| name).join(" | "),
        " ---: |".repeat(LEVELS.len())
    );
    for level in Level::all() {
        let mut line = format!("| `{level:?}` |");
        for (_, rules) in LEVELS {
            let ruleset = parse(rules).map_err(|faults| format!("{rules}: {faults:?}"))?;
            let shape = Shape::of(&ruleset);
            let mut times = Vec::new();
            for _ in 0..REPEATS {
                let start = seconds();
                let mut sequence = Sequence::with_level(&ruleset, &shape, level);
                extend(&mut sequence, LEVELS_UPTO as usize + 1)?;
                times.push(seconds() - start);
            }
            write!(line, " {:.4} |", best(times)).expect("a string");
        }
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

/// How long tables take on several threads, by the clock on the wall.
fn threads() -> Result<String, String> {
    let mut text = "\nSeconds that passed, on so many threads; the values agreed:\n\n\
                    | game | up to | 1 | 2 | times as fast |\n| --- | --- | ---: | ---: | ---: |\n"
        .to_owned();
    for (name, rules, upto) in THREADED {
        let ruleset = parse(rules).map_err(|faults| format!("{rules}: {faults:?}"))?;
        let shape = Shape::of(&ruleset);
        let mut times = [Vec::new(), Vec::new()];
        let mut known = None;
        for turn in 0..2 * REPEATS {
            let threads = 1 + turn % 2;
            let start = Instant::now();
            let mut sequence = Sequence::new(&ruleset, &shape).with_threads(threads);
            extend(&mut sequence, upto + 1)?;
            times[threads - 1].push(start.elapsed().as_secs_f64());
            let values = sequence.values().first(upto + 1);
            if *known.get_or_insert_with(|| values.clone()) != values {
                return Err(format!("{name}: {threads} threads find other values"));
            }
        }
        let [one, two] = times.map(best);
        let line = format!(
            "| {name} | {upto} | {one:.4} | {two:.4} | {:.2} |",
            one / two
        );
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

/// The checksum that `ogsolve` prints, and the processor seconds that it took.
fn ogsolve(code: &str, upto: u32, timed: Timed) -> Result<(u32, f64), String> {
    // The shell's own clock counts what the program and nothing else took.
    let script = "TIMEFORMAT='user %U'; time ogsolve -m rc -n \"$1\" \"$0\"";
    let output = Command::new("bash")
        .args(["-c", script, code, &upto.to_string()])
        .output()
        .map_err(|error| format!("cannot start bash: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let after = |word: &str| {
        let rest = &text[text.find(word)? + word.len()..];
        rest.split_whitespace().next()
    };
    let sum = after("checksum:").and_then(|sum| u32::from_str_radix(sum, 16).ok());
    let seconds = match timed {
        Timed::All => after("user").and_then(|seconds| seconds.parse().ok()),
        Timed::Calculation => after("calculation time:").and_then(duration),
    };
    sum.zip(seconds)
        .ok_or_else(|| format!("ogsolve is not on the path, or says something new:\n{text}"))
}

/// The seconds of a time like `1.5ms`.
fn duration(text: &str) -> Option<f64> {
    let number = text.trim_end_matches(|unit: char| !unit.is_ascii_digit());
    let unit = match &text[number.len()..] {
        "s" => 1.0,
        "ms" => 1e-3,
        "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit)
}

/// The checksum of `ogsolve`.
fn fletcher(values: &[u64]) -> u32 {
    let (mut first, mut second) = (0u16, 0u16);
    for value in values {
        let low = u16::try_from(value % (1 << 16)).expect("a remainder");
        first = first.wrapping_add(low);
        second = second.wrapping_add(first);
    }
    u32::from(second) << 16 | u32::from(first)
}

fn row(name: &str, upto: &str, ours: Vec<f64>, theirs: Vec<f64>) -> String {
    let (ours, theirs) = (best(ours), best(theirs));
    format!(
        "| {name} | {upto} | {ours:.4} | {theirs:.4} | {:.1} |",
        theirs / ours
    )
}
