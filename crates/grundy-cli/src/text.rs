//! What this program says of its own: of files, of work that is kept, and of pictures.
//!
//! Everything about games is said by `grundy::text`.

use std::io;
use std::path::Path;

use grundy::law::Periodicity;
use grundy::tabulate::{Glance, Tabulation};
use grundy::text::error;
use grundy_problems::emit::NoEmit;
use grundy_problems::protocol::NoProtocol;
use grundy_problems::stress::{Difference, Origin};
use grundy_rules::Ruleset;
use grundy_rules::ruleset::Play;

use crate::checkpoint::CheckpointFault;
use crate::command::stress::{Fault, Tally};
use crate::program::{End, Program};
use crate::sheet::{LineFault, SheetFault};

/// An existing file would be lost.
pub fn exists(path: &Path) -> String {
    error(&format!(
        "{} is there already: --force writes over it",
        path.display()
    ))
}

/// A folder stands where a file should be written.
pub fn is_folder(path: &Path) -> String {
    error(&format!("{} is a folder", path.display()))
}

/// A file cannot be written.
pub fn cannot_write(path: &Path, why: &io::Error) -> String {
    error(&format!("{} cannot be written: {why}", path.display()))
}

/// A picture of bytes would spoil a terminal.
pub const NOT_TO_A_TERMINAL: &str = "Parquet is not for a terminal: name a file with -o FILE";

/// Other formats have one layout, in decimal.
pub const STYLE_OF_TEXT: &str = "--columns and --base are for --format text";

/// A b-file ends before its table does.
pub fn bfile_ends(place: u64) -> String {
    format!("The b-file ends before heap {place}, which has no value: its lines must have no gap.")
}

/// How work of known length shows how far it is, on one line of any terminal; a template of
/// `indicatif`, where `rate` is ours.
pub const PROGRESS: &str = "{bar:20} {human_pos} of {human_len}, {rate}/s, {eta} left{wide_msg}";

/// What the values show so far.
pub fn glance(glance: &Glance) -> String {
    let rares = glance.rares.map(|rares| format!(", {rares} rare"));
    let law = glance.law.map_or_else(
        || ", no period yet".to_owned(),
        |law| format!(", period {} from {} so far", law.period, law.preperiod),
    );
    format!(
        "; largest {}{}{law}",
        glance.largest,
        rares.unwrap_or_default()
    )
}

/// What can be gone on with only where there is a file.
pub const RESUME_NEEDS_A_FILE: &str = "--resume needs a regular file: -o FILE";

/// Work goes on where an earlier run ended.
pub fn resumed(done: u64, total: u64) -> String {
    format!("resumed at {done} of {total}")
}

/// There is nothing left to do.
pub fn finished(file: &Path) -> String {
    format!("{} is finished", file.display())
}

/// What was found is not lost.
pub fn kept(checkpoint: &Path) -> String {
    let path = checkpoint.display();
    format!("what is done is kept in {path}: the same command goes on from there")
}

/// A file that is there is not the one that work was begun for.
pub fn other_file(file: &Path) -> String {
    error(&format!(
        "{} is there already, and is not this table: --force instead of --resume writes over it",
        file.display()
    ))
}

/// A run without --resume would forget what an earlier one has kept.
pub fn has_checkpoint(checkpoint: &Path) -> String {
    error(&format!(
        "{} keeps work that was begun: --resume goes on with it, --force begins anew",
        checkpoint.display()
    ))
}

/// Why work cannot be gone on with.
pub fn checkpoint_fault(fault: &CheckpointFault) -> String {
    error(&match fault {
        CheckpointFault::Io(path, why) => format!(
            "{}: {why}; what was kept before is still there",
            path.display()
        ),
        CheckpointFault::Damaged(path) => format!(
            "{} is damaged: remove it to begin anew, or bring back a copy",
            path.display()
        ),
        CheckpointFault::Version(path, version) => format!(
            "{} was written by another version of the program (format {version}): finish it with that one, \
             or remove it",
            path.display()
        ),
        CheckpointFault::Other(path, question) => {
            let bounds: Vec<String> = question.bounds.iter().map(ToString::to_string).collect();
            format!(
                "{} is of another table: `{}` with rules {}, up to {}, as {}",
                path.display(),
                question.game,
                question.digest.chars().take(15).collect::<String>(),
                bounds.join(","),
                question.format,
            )
        }
        CheckpointFault::Way(path) => format!(
            "{} was begun with another --memory: go on with that one",
            path.display()
        ),
        CheckpointFault::Busy(path) => {
            format!("another process is at work on {}", path.display())
        }
    })
}

/// Why a file is no table.
pub fn sheet_fault(path: &Path, fault: &SheetFault) -> String {
    let path = path.display();
    error(&match fault {
        SheetFault::Io(why) => format!("{path} cannot be read: {why}"),
        SheetFault::NotText(line) => format!("{path}:{line}: not UTF-8"),
        SheetFault::Line(line, fault) => format!("{path}:{line}: {}", line_fault(fault)),
        SheetFault::Empty => format!("{path} holds no table: it is empty"),
        SheetFault::LostOnly => {
            format!("{path} lists lost positions and no values: write it without --lost")
        }
        SheetFault::TooLarge => {
            format!("the table in {path} needs more than --memory allows")
        }
        SheetFault::Json(why) => format!("{path} is not the JSON of a table: {why}"),
        SheetFault::Box => format!("{path} is damaged: its entries do not fill its box"),
        SheetFault::Parquet(why) => format!("{path} is a damaged Parquet file: {why}"),
        SheetFault::Elsewhere => {
            format!("{path} is a Parquet file, but not of a table that grundy wrote")
        }
        SheetFault::Version(version) => {
            format!(
                "{path} is of version {version} of the format, which this program does not know"
            )
        }
        SheetFault::Checksum => {
            format!("{path} is damaged: its entries are not those that were written")
        }
        SheetFault::Unknown => format!(
            "{path} is no table: known are text, CSV, JSON, JSON lines, b-files and Parquet"
        ),
        SheetFault::NotASequence => {
            format!("{path} is a table of several coordinates, and a law is one of a sequence")
        }
        SheetFault::NoValue(heap) => format!("{path} has no value for heap {heap}"),
    })
}

fn line_fault(fault: &LineFault) -> String {
    match fault {
        LineFault::Number(word) => format!("`{word}` is no natural number below 2^64"),
        LineFault::Entry(word) => format!("`{word}` is neither a value nor an outcome"),
        LineFault::Header => {
            "the line does not name its columns as the first one should".to_owned()
        }
        LineFault::Base => {
            "only tables in base 10 are read back: write this one again without --base".to_owned()
        }
        LineFault::Columns(count) => format!("there should be {count} columns"),
        LineFault::Order => "this place does not come after the one before".to_owned(),
        LineFault::Object => "this is no JSON object".to_owned(),
        LineFault::Gap => "the index does not follow the one before".to_owned(),
        LineFault::Length => "the row is not as long as it should be".to_owned(),
    }
}

/// What a picture's file must be called.
pub const PICTURE_ENDING: &str = "a picture is written to -o FILE.svg or -o FILE.png";
/// Boxes of more coordinates have no picture.
pub const PICTURE_OF_THREE: &str = "a picture shows one, two or three coordinates";
/// No law is seen whose residues could be drawn.
pub const NO_LAW_TO_DRAW: &str =
    "these values show no period that fits a picture: take a larger --upto, or leave --law out";
/// An SVG could not be turned into pixels.
pub const NO_PIXELS: &str = "the picture could not be rendered";
/// What the colours of a heat map are.
pub const VALUE: &str = "value";

/// A picture would have more cells than pixels.
pub fn too_many_cells(most: u64) -> String {
    format!("a picture has at most {most} cells on a side")
}

/// A picture would have too many slices.
pub fn too_many_slices(most: u64) -> String {
    format!("a picture has at most {most} slices: make the first number of --box smaller")
}

/// What a picture shows.
pub fn caption(game: &Ruleset, table: &Tabulation) -> String {
    let what = if table.values.is_ok() {
        "Grundy values"
    } else {
        "outcomes"
    };
    let play = match game.play {
        Play::Normal => "",
        Play::Misere => " in misère play",
    };
    let bounds: Vec<String> = table.area.bounds.iter().map(ToString::to_string).collect();
    match bounds.as_slice() {
        [bound] => format!("{what} of heaps 0 to {bound}{play}"),
        _ => format!("{what} up to {}{play}", bounds.join(" × ")),
    }
}

/// What a picture of residues shows.
pub fn residues_caption(law: &Periodicity, heaps: u64) -> String {
    let growth = match law.saltus {
        0 => String::new(),
        saltus => format!(", saltus {saltus}"),
    };
    format!(
        "period {}{growth} from heap {} on, as seen in {heaps} values; each row is one period",
        law.period, law.preperiod
    )
}

/// The axes of a picture of residues.
pub fn residue_axes(law: &Periodicity) -> (String, String) {
    let period = law.period;
    (format!("heap mod {period}"), format!("heap div {period}"))
}

/// What the colours of a picture of residues are.
pub fn residue_scale(law: &Periodicity) -> &'static str {
    match law.saltus {
        0 => VALUE,
        _ => "value − growth",
    }
}

/// The axes of a heat map: across, and up.
pub fn grid_axes(heaps: bool) -> (String, String) {
    let name = if heaps { "heap" } else { "coordinate" };
    (format!("second {name}"), format!("first {name}"))
}

/// What a slice is of.
pub fn slice_heading(heaps: bool, number: u64) -> String {
    format!(
        "first {} {number}",
        if heaps { "heap" } else { "coordinate" }
    )
}

/// There is neither a problem nor a game of this name.
pub fn neither_problem_nor_game(name: &str) -> String {
    error(&format!(
        "there is neither a problem nor a game `{name}`; the path of a problem ends with `.problem`"
    ))
}

/// A game cannot be asked about in the plain way.
pub fn no_protocol(game: &Ruleset, why: NoProtocol) -> String {
    let why = grundy_problems::text::no_protocol(why);
    error(&format!("`{}` has no plain protocol: {why}", game.name))
}

/// A program cannot be started.
pub fn not_started(words: &[String], why: &str) -> String {
    let program = words.first().map_or("", String::as_str);
    error(&format!("`{program}` cannot be started: {}", why.trim()))
}

/// What is wrong with a program, in a word.
pub fn fault_word(fault: Fault) -> &'static str {
    match fault {
        Fault::Output(Difference::Answer) => "wrong answer",
        Fault::Output(Difference::Spacing | Difference::Case) => "presentation",
        Fault::End(End::TimedOut) => "time-out",
        Fault::End(End::OutOfMemory) => "memory",
        Fault::End(End::Flooded) => "output without end",
        Fault::End(End::Well | End::Stopped | End::Status(_) | End::Signal(_)) => "crash",
    }
}

/// What is wrong with a program.
pub fn fault(fault: Fault, program: &Program) -> String {
    match fault {
        Fault::Output(difference) => grundy_problems::text::difference(difference).to_owned(),
        Fault::End(End::TimedOut) => format!("time-out: more than {:?}", program.time),
        Fault::End(End::OutOfMemory) => {
            format!("memory: more than {} MiB", program.memory >> 20)
        }
        Fault::End(End::Flooded) => "output without end".to_owned(),
        Fault::End(End::Signal(signal)) => match signal {
            6 => "crash: it gave up (signal 6)".to_owned(),
            8 => "crash: a division by zero (signal 8)".to_owned(),
            11 => {
                "crash: memory that is not its own, or a stack that is full (signal 11)".to_owned()
            }
            signal => format!("crash: signal {signal}"),
        },
        Fault::End(End::Status(status)) => format!("crash: exit status {status}"),
        Fault::End(End::Well | End::Stopped) => "passed".to_owned(),
    }
}

/// When a fault was found.
pub fn found_at(inputs: u64, origin: Origin) -> String {
    format!(
        "at input {inputs}: {}; below is the smallest input with this fault that was found",
        grundy_problems::text::origin(origin)
    )
}

/// The heading of an input.
pub const INPUT: &str = "input";
/// The heading of what is to be printed where it is not known.
pub const EXPECTED_UNKNOWN: &str = "expected: not known in time";
/// The heading of what was printed.
pub const GOT: &str = "got";
/// The heading of what was printed on standard error.
pub const COMPLAINT: &str = "its standard error";
/// The heading of an explanation.
pub const WHY: &str = "why";

/// The heading of what is to be printed.
pub fn expected(searched: bool) -> &'static str {
    if searched {
        "expected (by exhaustive search)"
    } else {
        "expected (by a law, a theorem or a table)"
    }
}

/// The lines of a text; of a long one those at its beginning.
pub fn shortened(text: &str) -> Vec<String> {
    const MOST_LINES: usize = 60;
    const MOST_LETTERS: usize = 400;
    let all = text.trim_end().lines();
    let count = all.clone().count();
    let cut = |line: &str| match line.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}… ({} letters)", &line[..end], line.chars().count()),
        None => line.to_owned(),
    };
    let mut lines: Vec<String> = all.take(MOST_LINES).map(cut).collect();
    if count > MOST_LINES {
        lines.push(format!("… ({count} lines)"));
    }
    lines
}

/// A program has no fault that was found.
pub fn passed(tally: &Tally) -> String {
    let unknown = match tally.unknown {
        0 => String::new(),
        unknown => format!("; of {unknown} the answer was not found in time, and it ended well"),
    };
    format!("passed: {} inputs{unknown}", tally.inputs)
}

/// Test data was written.
pub fn cases(written: usize, left_out: usize, folder: &Path) -> String {
    let left_out = match left_out {
        0 => String::new(),
        left_out => format!("; {left_out} inputs without an answer in time were left out"),
    };
    format!(
        "{written} inputs with their outputs in {}{left_out}",
        folder.display()
    )
}

/// There is no program that answers a problem.
pub fn no_program(problem: &str, why: &NoEmit) -> String {
    error(&format!(
        "no program for `{problem}`: {}",
        grundy_problems::text::no_emit(why)
    ))
}
