//! Emitted programs are compiled, and answer samples, small inputs and random ones as they must.
//!
//! All programs of a language are one program, each in a name space of its own, so that a language costs one
//! compilation and one process.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy::answer::learn::NoShelf;
use grundy_problems::catalogue::{PROBLEMS, Sample};
use grundy_problems::draw::{Size, draw};
use grundy_problems::emit::{Grounds, Language, NoEmit, emit};
use grundy_problems::engine::Knowing;
use grundy_problems::games::Library;
use grundy_problems::stress::{Oracle, Small, compare};
use grundy_problems::{Judge, parse};
use grundy_rules::{Budget, Meter};

/// So many small inputs of each problem, in order.
const SMALL: usize = 40;
/// So many random ones.
const RANDOM: usize = 200;
/// So many problems have programs at least.
const PROGRAMS: usize = 125;
/// What an answer or a program may cost.
const BUDGET: Budget = Budget {
    steps: 2_000_000,
    bytes: 1 << 26,
};

/// Problems beside those of the catalogue, whose programs stand on automata.
const BY_AUTOMATA: [(&str, &str); 4] = [
    (
        "three_sizes",
        "problem three_sizes \"A small part\"\n\
         game g = { [n] -> [a] + [n-1-a] where 1 <= a < n-1-a, a <= 3 }\n\
         read n in 0..10^12\n\
         print if won(g at n) then \"first\" else \"second\"\n",
    ),
    (
        "odd_rook",
        "problem odd_rook \"A rook\"\n\
         game g = { [x, y] -> [x-k, y] | [x, y-k] where k >= 1, k mod 2 = 1 }\n\
         read x in 0..10^12, y in 0..10^12\n\
         print if won(g at (x, y)) then \"first\" else \"second\"\n",
    ),
    (
        "sum_of_three_sizes",
        "problem sum_of_three_sizes \"Sums\"\n\
         game g = { [n] -> [a] + [n-1-a] where 1 <= a < n-1-a, a <= 3 }\n\
         read n in 1..4\n\
         read heaps: n of 0..10^12\n\
         print value(g at heaps)\n",
    ),
    (
        "near_wythoff",
        "problem near_wythoff \"Numbers that differ by less than 2\"\n\
         game g = { [x, y] -> [x-k, y] | [x, y-k] where k >= 1; [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < 2 }\n\
         read x in 0..10^12, y in 0..10^12\n\
         print if won(g at (x, y)) then \"first\" else \"second\"\n",
    ),
];

/// All problems: their names, texts and samples.
fn problems() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let samples = |samples: &'static [Sample]| samples.iter().map(|sample| sample.input).collect();
    let known = PROBLEMS.iter();
    let known = known.map(move |entry| (entry.name, entry.text, samples(entry.samples)));
    let found = BY_AUTOMATA.into_iter().chain(BY_RECURSION);
    known.chain(found.map(|(name, text)| (name, text, Vec::new())))
}

/// Games whose values are digit recursions, by residues and by automata that read heaps from either end.
const BY_RECURSION: [(&str, &str); 3] = [
    (
        "even_half",
        "problem even_half \"An even number up to half\"\n\
         game g = { [n] -> [n-k] where 2 <= k <= n/2, k mod 2 = 0 }\n\
         read n in 0..10^18\n\
         print value(g at n)\n",
    ),
    (
        "half_or_near_halves",
        "problem half_or_near_halves \"Up to half, or parts that differ by 1\"\n\
         game g = {\n\
           [n] -> [n-k] where k >= 1, 2*k <= n\n\
           [n] -> [a] + [n-a] where a >= 1, n-a = a+1\n\
         }\n\
         read n in 0..10^18\n\
         print value(g at n)\n",
    ),
    (
        "sum_of_three_fifths",
        "problem sum_of_three_fifths \"Sums\"\n\
         game g = { [n] -> [n-k] where k >= 1, 5*k <= 3*n }\n\
         read n in 1..4\n\
         read heaps: n of 0..10^18\n\
         print value(g at heaps)\n",
    ),
];

/// An input of a problem, and what is to be printed.
struct Case {
    problem: &'static str,
    input: String,
    expected: String,
}

/// The inputs of all problems: samples and small ones with their answers by exhaustive search, and random ones
/// with those of `judge`.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let all: Vec<_> = problems().collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut cases = Vec::new();
            while let Some((name, text, samples)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                cases_of(name, text, samples, &mut cases);
            }
            cases
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(work);
            let mut cases = work();
            cases.extend(other.join().expect("it makes cases"));
            cases
        })
    })
}

fn cases_of(name: &'static str, text: &str, samples: &[&str], cases: &mut Vec<Case>) {
    let problem = parse(text).expect("the catalogue is read");
    let library = Library::default();
    let mut oracle = Oracle::new(&library, &NoShelf);
    let samples = samples.iter().map(|input| (*input).to_owned());
    let small = Small::new(&problem).take(SMALL).map(|small| small.text);
    let mut add = |input: String, output| {
        cases.push(Case {
            problem: name,
            input,
            expected: output,
        });
    };
    // Where an answer takes long the input is left out.
    for input in samples.chain(small) {
        if let Ok(answer) = oracle.answer(&problem, &input, &mut Meter::new(BUDGET)) {
            add(input, answer.output);
        }
    }
    let mut judge = Judge::new(&library, Knowing::new(&library, &NoShelf));
    let mut answered = 0;
    for seed in 0..10 * RANDOM as u64 {
        let size = u32::try_from(seed / 10).expect("small");
        let size = match seed % 10 {
            // A few at the limits, where tables take Python seconds.
            0 if seed % 50 == 0 => Size::Edges,
            1 => Size::Magnitudes,
            2 | 3 => Size::Rounds(1 + size),
            _ => Size::Upto(1 + size),
        };
        let mut meter = Meter::new(BUDGET);
        let Ok(input) = draw(&problem, seed, size, &mut meter) else {
            continue;
        };
        if let Ok(run) = judge.run(&problem, input.as_bytes(), &mut meter) {
            add(input, run.output);
            answered += 1;
        }
        if answered == RANDOM {
            return;
        }
    }
    panic!("{name}: {answered} random inputs have answers");
}

/// The programs of a language, by the names of their problems.
fn programs(language: Language) -> BTreeMap<&'static str, String> {
    let grounds = Grounds {
        shelf: &NoShelf,
        accept_conjecture: false,
    };
    let programs = problems().filter_map(|(name, text, _)| {
        let problem = parse(text).expect("the catalogue is read");
        let text = emit(
            &problem,
            language,
            &grounds,
            &mut Meter::new(Budget::default()),
        )
        .ok()?;
        // Behind the title stands on what the program stands.
        let is_said = match language {
            Language::Cpp => text
                .lines()
                .nth(1)
                .is_some_and(|line| line.starts_with("// ")),
            Language::Rust => text
                .lines()
                .nth(1)
                .is_some_and(|line| line.starts_with("//! ")),
            Language::Python => text.lines().nth(2).is_some_and(|line| line != "\"\"\""),
        };
        assert!(is_said, "{name} says on what it stands: {text}");
        Some((name, text))
    });
    programs.collect()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A name that no number begins.
fn module(problem: &str) -> String {
    format!("p_{problem}")
}

/// Runs what answers all cases: it reads the name of a problem, the length of an input and the input, again
/// and again, and writes the length of each output and the output.
fn answers(command: &mut Command, asked: &[&Case]) -> Vec<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut stdin = child.stdin.take().expect("it was asked for");
    let mut text = String::new();
    for case in asked {
        let length = case.input.len();
        write!(text, "{} {length}\n{}", case.problem, case.input).expect("a text takes it");
    }
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let written = writer.join().expect("the thread ends");
    assert!(
        output.status.success() && written.is_ok(),
        "{}",
        output.status
    );
    let mut rest = output.stdout.as_slice();
    let mut all = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let length: usize = std::str::from_utf8(&rest[..end])
            .ok()
            .and_then(|length| length.parse().ok())
            .expect("a length");
        let output = &rest[end + 1..end + 1 + length];
        all.push(String::from_utf8(output.to_vec()).expect("text"));
        rest = &rest[end + 1 + length..];
    }
    all
}

/// All programs of a language answer as they must.
fn are_right(language: Language, command: &mut Command) {
    let known = programs(language);
    assert!(known.len() >= PROGRAMS, "{} programs", known.len());
    let asked: Vec<&Case> = cases()
        .iter()
        .filter(|case| known.contains_key(case.problem))
        .collect();
    let answers = answers(command, &asked);
    assert_eq!(answers.len(), asked.len());
    let mut faults = String::new();
    let mut shown: Vec<&str> = Vec::new();
    for (case, answer) in asked.iter().zip(&answers) {
        if compare(&case.expected, answer).is_some() && !shown.contains(&case.problem) {
            shown.push(case.problem);
            writeln!(
                faults,
                "{}: {:?} answers {:?}, not {:?}",
                case.problem, case.input, answer, case.expected
            )
            .expect("a text takes it");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

fn compiled(command: &mut Command) {
    let status = command.status().expect("the compiler can be started");
    assert!(status.success(), "{command:?}");
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, text).expect("the folder of the tests can be written");
    path
}

#[test]
fn cpp_programs_are_right() {
    let mut headers =
        std::collections::BTreeSet::from(["#include <functional>", "#include <sstream>"]);
    let mut bodies = String::new();
    let mut table = String::new();
    let known = programs(Language::Cpp);
    for (name, text) in &known {
        let module = module(name);
        writeln!(bodies, "namespace {module} {{").expect("a text takes it");
        for line in text.lines() {
            match line {
                include if include.starts_with("#include") => {
                    headers.insert(include);
                }
                "int main() {" => bodies.push_str("void run() {\n"),
                line => {
                    bodies.push_str(line);
                    bodies.push('\n');
                }
            }
        }
        bodies.push_str("}\n");
        writeln!(table, "    {{\"{name}\", {module}::run}},").expect("a text takes it");
    }
    let headers: Vec<&str> = headers.into_iter().collect();
    let headers = headers.join("\n");
    let text = format!(
        "{headers}\n{bodies}\n\
         int main() {{\n\
         const std::map<std::string, std::function<void()>> programs = {{\n{table}}};\n\
         std::ios::sync_with_stdio(false);\n\
         std::istreambuf_iterator<char> begin(std::cin), end;\n\
         std::istringstream all(std::string(begin, end));\n\
         std::string name, output;\n\
         for (size_t length; all >> name >> length;) {{\n\
         all.get();\n\
         std::string input(length, ' ');\n\
         all.read(&input[0], length);\n\
         std::istringstream given(input);\n\
         std::ostringstream printed;\n\
         std::cin.clear();\n\
         auto in = std::cin.rdbuf(given.rdbuf());\n\
         auto out = std::cout.rdbuf(printed.rdbuf());\n\
         programs.at(name)();\n\
         std::cin.rdbuf(in);\n\
         std::cout.rdbuf(out);\n\
         output += std::to_string(printed.str().size()) + '\\n' + printed.str();\n\
         }}\n\
         std::cout << output;\n}}\n"
    );
    let source = written("emitted.cpp", &text);
    let program = folder().join("emitted-cpp");
    compiled(
        Command::new("g++")
            .args(["-std=c++17", "-O1", "-Wall", "-Werror", "-o"])
            .args([&program, &source]),
    );
    are_right(Language::Cpp, &mut Command::new(program));
}

#[test]
fn rust_programs_are_right() {
    let mut bodies = String::new();
    let mut table = String::new();
    for (name, text) in &programs(Language::Rust) {
        let module = module(name);
        let text = text.replace("\nfn solve(", "\npub fn solve(");
        let text = text.split("\nfn main() {").next().expect("a text");
        let text = text.replace("use std::io::Read as _;\n", "");
        writeln!(bodies, "mod {module} {{\n{text}}}").expect("a text takes it");
        writeln!(table, "        \"{name}\" => {module}::solve(input),").expect("a text takes it");
    }
    let text = format!(
        "#![deny(warnings)]\n{bodies}\n\
         fn main() {{\n    let all = std::io::read_to_string(std::io::stdin()).unwrap();\n    let mut rest = all.as_str();\n    \
         while let Some((head, behind)) = rest.split_once('\\n') {{\n        \
         let (name, length) = head.split_once(' ').unwrap();\n        \
         let (input, behind) = behind.split_at(length.parse().unwrap());\n        \
         let output = match name {{\n{table}        _ => panic!(\"{{name}}\"),\n        }};\n        \
         print!(\"{{}}\\n{{output}}\", output.len());\n        rest = behind;\n    }}\n}}\n"
    );
    let source = written("emitted.rs", &text);
    let program = folder().join("emitted-rust");
    compiled(
        Command::new("rustc")
            .args(["--edition", "2021", "-C", "opt-level=1", "-o"])
            .args([&program, &source]),
    );
    are_right(Language::Rust, &mut Command::new(program));
}

#[test]
fn python_programs_are_right() {
    let programs = programs(Language::Python);
    let scripts: PathBuf = folder().join("emitted-python");
    fs::create_dir_all(&scripts).expect("the folder of the tests can be written");
    for (name, text) in &programs {
        fs::write(scripts.join(format!("{name}.py")), text).expect("the folder can be written");
    }
    let driver = "\
import io, os, sys
folder, given, out = sys.argv[1], sys.stdin, sys.stdout
programs = {}
rest = given.read()
at = 0
while at < len(rest):
    end = rest.index('\\n', at)
    name, length = rest[at:end].split()
    at = end + 1 + int(length)
    if name not in programs:
        with open(os.path.join(folder, name + '.py')) as file:
            programs[name] = compile(file.read(), name, 'exec')
    sys.stdin, sys.stdout = io.StringIO(rest[end + 1:at]), io.StringIO()
    exec(programs[name], {'__name__': '__main__'})
    out.write(f'{len(sys.stdout.getvalue())}\\n{sys.stdout.getvalue()}')
";
    let driver = written("emitted.py", driver);
    let mut command = Command::new("python3");
    command.args([driver.as_path(), Path::new(&scripts)]);
    are_right(Language::Python, &mut command);
}

/// A pattern that nothing proves makes a program only if it is accepted, and the program says so.
#[test]
fn conjectures_are_refused_or_said() {
    let problem = "problem divisors \"Taking a divisor\"\n\
                   game g = { [n] -> [n-k] where k in {1,2,3}, n mod k = 0 }\n\
                   read n in 0..10^12\n\
                   print value(g at n)\n";
    let problem = parse(problem).expect("it is well formed");
    let emitted = |accept_conjecture| {
        let grounds = Grounds {
            shelf: &NoShelf,
            accept_conjecture,
        };
        emit(
            &problem,
            Language::Python,
            &grounds,
            &mut Meter::new(Budget::default()),
        )
    };
    assert!(matches!(emitted(false), Err(NoEmit::Game { .. })));
    let program = emitted(true).expect("a program on a conjecture");
    assert!(program.contains("THIS IS A CONJECTURE"), "{program}");
}

#[test]
fn recursions_make_programs() {
    for (name, text) in BY_RECURSION {
        let problem = parse(text).expect("it is well formed");
        let grounds = Grounds {
            shelf: &NoShelf,
            accept_conjecture: false,
        };
        for language in [Language::Cpp, Language::Rust, Language::Python] {
            let mut meter = Meter::new(Budget::default());
            let program = emit(&problem, language, &grounds, &mut meter);
            let program = program.unwrap_or_else(|why| panic!("{name}: {why:?}"));
            assert!(program.contains("heap = "), "{program}");
        }
    }
}

#[test]
fn automata_make_programs() {
    for (_, text) in BY_AUTOMATA {
        let problem = parse(text).expect("it is well formed");
        let grounds = Grounds {
            shelf: &NoShelf,
            accept_conjecture: false,
        };
        for language in [Language::Cpp, Language::Rust, Language::Python] {
            let mut meter = Meter::new(Budget::default());
            let program = emit(&problem, language, &grounds, &mut meter).expect("a program");
            assert!(program.contains("next_state"), "{program}");
        }
    }
}
