//! `grundy sweep`: the laws of all games of a family, several at a time.
//!
//! Each game is told as soon as it is done, so that a sweep that was stopped goes on behind what it has.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use grundy::argument::text_of;
use grundy::discover::{Effort, Family, Finding, Held, Member, find_proof, first_values, hold};
use grundy::text;
use grundy_rules::Meter;

use crate::args::SweepOptions;
use crate::input;
use crate::limits::{Clock, interrupted};
use crate::output;
use crate::status::{Failure, Status};

/// How long one game may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// How far finite checks look; values without a proof are not followed further.
const UPTO: u64 = 1 << 12;
/// What one table may cost; a larger one would cost more than it finds.
const TABLE_STEPS: u64 = 1 << 24;

/// How many values of the first heaps stand in the table.
const VALUES: u64 = 24;

/// The columns of the table.
const COLUMNS: [&str; 7] = [
    "game", "rules", "values", "kind", "law", "evidence", "seconds",
];

/// Carries out the command.
pub fn run(options: &SweepOptions) -> Result<Status, Failure> {
    let path = options.file.to_string_lossy();
    let content = fs::read(&options.file).map_err(|error| input::unreadable(&path, &error))?;
    let content = text_of(content, &path)?;
    let family = Family::parse(&content).and_then(|family| family.members());
    let members = family
        .map_err(|fault| Failure::Input(text::error(&text::family_fault(&options.file, &fault))))?;
    let folder = options.folder.as_deref();
    let mut rows = match folder {
        Some(folder) => kept(folder, &members)?,
        None => BTreeMap::new(),
    };
    let open: Vec<usize> = (0..members.len())
        .filter(|at| !rows.contains_key(at))
        .collect();
    let keeper = Mutex::new(folder.map(Keeper::open).transpose()?);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = options.threads.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    thread::scope(|scope| {
        for _ in 0..threads.min(open.len()) {
            scope.spawn(|| {
                while let Some(at) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupted() {
                        break;
                    }
                    let game = swept(&members[*at], options);
                    let mut keeper = keeper.lock().expect("no thread panics while it writes");
                    let kept = keeper.as_mut().map_or(Ok(()), |k| k.keep(*at, &game));
                    drop(keeper);
                    let mut done = done.lock().expect("no thread panics while it pushes");
                    done.push((*at, game, kept));
                }
            });
        }
    });
    let mut held = Status::Answered;
    for (at, game, kept) in done.into_inner().expect("all threads have ended") {
        kept?;
        if game.contradicted {
            held = Status::Refuted;
        }
        rows.insert(at, game.row);
    }
    match folder {
        Some(folder) => {
            output::replace(&folder.join(TABLE), |out| write_table(&rows, out))
                .map_err(|error| failed(folder, &error))?;
        }
        None => {
            let mut out = output::open();
            write_table(&rows, &mut *out)?;
            out.flush()?;
        }
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seconds = 0.0;
    for row in rows.values() {
        *kinds.entry(row.kind.as_str()).or_default() += 1;
        seconds += row.seconds.parse::<f64>().unwrap_or(0.0);
    }
    let kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    anstream::eprintln!(
        "{}",
        text::swept(rows.len(), members.len(), &kinds, seconds)
    );
    Ok(if rows.len() < members.len() {
        held.and(Status::Undecided)
    } else {
        held
    })
}

const TABLE: &str = "table.tsv";

/// What is written about one game.
struct Row {
    game: String,
    rules: String,
    values: String,
    kind: String,
    law: String,
    evidence: String,
    seconds: String,
}

impl Row {
    fn cells(&self) -> [&str; 7] {
        [
            &self.game,
            &self.rules,
            &self.values,
            &self.kind,
            &self.law,
            &self.evidence,
            &self.seconds,
        ]
    }

    fn line(&self) -> String {
        let clean = |cell: &str| cell.replace(['\t', '\n'], " ");
        self.cells().map(clean).join("\t")
    }

    fn read(line: &str) -> Option<Self> {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [game, rules, values, kind, law, evidence, seconds] = cells.try_into().ok()?;
        Some(Self {
            game,
            rules,
            values,
            kind,
            law,
            evidence,
            seconds,
        })
    }
}

/// One game, with its certificate if there is one.
struct Game {
    row: Row,
    certificate: Option<String>,
    /// Whether the law is wrong for a position that was looked at.
    contradicted: bool,
}

fn swept(member: &Member, options: &SweepOptions) -> Game {
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.is_over();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let effort = Effort {
        table_steps: TABLE_STEPS,
        ..Effort::default()
    };
    let finding = find_proof(&member.ruleset, Some(UPTO), &effort, &mut meter);
    let seconds = format!("{:.3}", clock.elapsed().as_secs_f64());
    let values = first_values(&member.ruleset, VALUES, &mut meter);
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let [kind, law, evidence] = text::finding(&member.ruleset, &finding);
    let row = Row {
        game: member.names.join(" / "),
        rules: member.text.clone(),
        values: values.join(" "),
        kind,
        law,
        evidence,
        seconds,
    };
    let certificate = finding.proved().map(|proved| proved.certificate.clone());
    let mut game = Game {
        row,
        certificate,
        contradicted: false,
    };
    if let Some(upto) = options.hold {
        held(member, &finding, upto, options, &mut game);
    }
    game
}

/// Holds the law against all positions up to a number, and notes where it is wrong.
fn held(member: &Member, finding: &Finding, upto: u64, options: &SweepOptions, game: &mut Game) {
    let clock = Clock::start(&options.limits, None);
    let cancel = interrupted;
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    match hold(&member.ruleset, finding, upto, &mut meter) {
        Held::Agrees => {}
        Held::NotTabulated => game.row.evidence.push_str(&text::not_held(upto)),
        Held::Contradicted(numbers) => {
            game.contradicted = true;
            game.row.evidence = text::contradicted_at(&numbers);
        }
    }
}

/// Where a sweep keeps what is done.
struct Keeper {
    folder: PathBuf,
    table: File,
}

impl Keeper {
    fn open(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(TABLE);
        let table = File::options().create(true).append(true).open(&path);
        Ok(Self {
            folder: folder.to_owned(),
            table: table.map_err(|error| failed(&path, &error))?,
        })
    }

    /// The certificate first, so that a row stands for all that is known of its game.
    fn keep(&mut self, at: usize, game: &Game) -> Result<(), Failure> {
        let write = || -> io::Result<()> {
            if let Some(certificate) = &game.certificate {
                let path = self.folder.join(format!("{:05}.json", at + 1));
                output::replace(&path, |out| out.write_all(certificate.as_bytes()))?;
            }
            let mut table = &self.table;
            table.write_all(format!("{}\n", game.row.line()).as_bytes())
        };
        write().map_err(|error| failed(&self.folder, &error))
    }
}

/// The rows of an earlier run that are whole and about these games.
fn kept(folder: &Path, members: &[Member]) -> Result<BTreeMap<usize, Row>, Failure> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let content = match fs::read_to_string(folder.join(TABLE)) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(folder, &error)),
    };
    let places: BTreeMap<(String, &str), usize> = (0..)
        .zip(members)
        .map(|(at, member)| ((member.names.join(" / "), member.text.as_str()), at))
        .collect();
    // A line without its end was cut off.
    let whole = content
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let rows = whole.filter_map(|line| Row::read(line.trim_end_matches('\n')));
    Ok(rows
        .filter_map(|row| {
            let at = places.get(&(row.game.clone(), row.rules.as_str()))?;
            Some((*at, row))
        })
        .collect())
}

fn write_table(rows: &BTreeMap<usize, Row>, out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join("\t"))?;
    for row in rows.values() {
        writeln!(out, "{}", row.line())?;
    }
    Ok(())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(text::error(&format!("{}: {error}", path.display())))
}
