//! `grundy law`: find the law of a game and prove it.
//!
//! Finite checks come first, then automata; published theorems are told beside them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anstyle::AnsiColor;
use grundy::argument::{self, text_of};
use grundy::discover::{Effort, Finding, Found, Reading, Recurrence, Representation, Seen, find};
use grundy::law::{LawReport, Periodicity, guess, same_values};
use grundy::misere::wild_from;
use grundy::proof::Proved;
use grundy::text;
use grundy::theorem::recognised;
use grundy_automata::DigitOrder;
use grundy_certificate::automatic::Order;
use grundy_certificate::{Law, Monoid};
use grundy_rules::{Meter, Ruleset};
use serde::Serialize;

use crate::args::LawOptions;
use crate::input;
use crate::limits::Clock;
use crate::output;
use crate::sheet;
use crate::status::{Failure, Status};

/// How long a search may take unless the user says so.
const DEFAULT_TIME: Duration = Duration::from_secs(40);

/// Carries out the command.
pub fn run(options: &LawOptions) -> Result<Status, Failure> {
    match (&options.values, &options.game) {
        (Some(path), _) => of_values(path, options),
        (None, Some(game)) => of_game(game, options),
        (None, None) => unreachable!("the arguments require one of the two"),
    }
}

fn of_game(game: &str, options: &LawOptions) -> Result<Status, Failure> {
    let game = options.play.apply(argument::game(game, &input::read)?);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let effort = Effort::default();
    let finding = find(&game, options.upto, &effort, &mut meter);
    let mut automata = effort.meter(&meter);
    let readings: Vec<(&Found, Reading)> = finding
        .found()
        .map(|found| (found, Reading::of(&game, found, &mut automata)))
        .collect();
    let checks = finding.checks.as_ref();
    let wild = checks.and_then(|report| wild_from(&game, report, &mut meter));
    clock.hide();
    if let (Some(path), Some(proved)) = (&options.cert, finding.proved()) {
        write(path, &proved.certificate)?;
    }
    draw(options, readings.first().map(|(found, _)| *found))?;
    let mut out = output::open();
    if options.json {
        let name = Some(argument::name(&game));
        LawJson::new(name, finding.checks.as_ref(), &[])
            .with_wild(wild)
            .with_automata(&game, &readings)
            .with_recursion(finding.seen())
            .write(&mut out)?;
    } else {
        say(&game, &finding, &readings, &clock, &mut out)?;
    }
    out.flush()?;
    Ok(if finding.proved().is_some() {
        Status::Answered
    } else {
        Status::Undecided
    })
}

/// Tells a person what was found: laws on the standard output, all else beside it.
fn say(
    game: &Ruleset,
    finding: &Finding,
    readings: &[(&Found, Reading)],
    clock: &Clock,
    out: &mut dyn Write,
) -> io::Result<()> {
    let reached = |limit| clock.reached(limit);
    for (found, reading) in readings {
        let colour = match found.proof {
            Ok(_) => AnsiColor::Green,
            Err(_) => AnsiColor::Yellow,
        };
        let style = colour.on_default();
        writeln!(out, "{style}{}{style:#}", text::regular_law(found))?;
        for line in text::reading(reading) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", text::derived(game, found))?;
    }
    if let Some((seen, upto)) = finding.seen() {
        let style = AnsiColor::Yellow.on_default();
        let [said, values] = text::recursion_seen(seen, upto);
        writeln!(out, "{style}{said}{style:#}")?;
        writeln!(out, "{values}")?;
    }
    let valued = readings.iter().any(|(found, _)| found.says.has_value());
    match &finding.checks {
        Some(LawReport::Proved(proved)) => say_theorem(proved, out)?,
        Some(LawReport::Conjecture { law, upto, why }) if !valued => {
            say_conjecture(Some(game), *law, *upto, why, out)?;
        }
        Some(LawReport::Nothing { below, stopped }) if readings.is_empty() => {
            anstream::eprintln!("{}", text::no_law(game, *below, stopped, &reached));
        }
        Some(LawReport::Unlabelled {
            wild,
            below,
            checked,
            stopped,
        }) if readings.is_empty() => {
            let told = text::unlabelled(game, *wild, *below, *checked, stopped, &reached);
            anstream::eprintln!("{told}");
        }
        Some(LawReport::NoSequence(why)) if readings.is_empty() => {
            anstream::eprintln!("{}", text::no_sequence(game, why, &reached));
        }
        _ => {}
    }
    for (family, _) in recognised(game) {
        writeln!(out, "{}", text::published_beside(family))?;
    }
    if readings.is_empty() {
        for (scope, report) in &finding.automata {
            for line in text::no_regular_law(game, *scope, report) {
                anstream::eprintln!("{line}");
            }
        }
        if let Some(Recurrence { upto, seen: None }) = finding.recurrence {
            anstream::eprintln!("{}", text::no_recursion(upto));
        }
    }
    Ok(())
}

fn of_values(path: &Path, options: &LawOptions) -> Result<Status, Failure> {
    let values = read_values(path, options.limits.memory / 8)?;
    let report = guess(&values);
    let clock = Clock::start(&options.limits, Some(DEFAULT_TIME));
    let cancel = || clock.expired();
    let mut meter = Meter::with_cancel(clock.budget(), &cancel);
    let games = same_values(&values, &mut meter);
    clock.hide();
    let mut out = output::open();
    if options.json {
        LawJson::new(None, Some(&report), &games).write(&mut out)?;
    } else {
        if let LawReport::Conjecture { law, upto, why } = &report {
            say_conjecture(None, *law, *upto, why, &mut out)?;
        } else {
            anstream::eprintln!("{}", text::no_law_in_list(values.len()));
        }
        if !games.is_empty() {
            writeln!(out, "{}", text::same_values(&games))?;
        }
    }
    out.flush()?;
    Ok(status(&report))
}

/// A conjecture is no answer.
fn status(report: &LawReport) -> Status {
    match report {
        LawReport::Proved(_) => Status::Answered,
        _ => Status::Undecided,
    }
}

/// Writes the certificate of a proof to a file.
pub fn write_certificate(path: &Path, proved: &Proved) -> Result<(), Failure> {
    write(path, &proved.certificate)
}

/// Draws the automaton of a law to the files that are asked for.
fn draw(options: &LawOptions, found: Option<&Found>) -> Result<(), Failure> {
    let Some(found) = found else {
        for path in options.dot.iter().chain(&options.svg) {
            anstream::eprintln!("{}", text::nothing_drawn(&path.display().to_string()));
        }
        return Ok(());
    };
    let automaton = found.relation.automaton();
    if let Some(path) = &options.dot {
        let law = text::regular_law(found);
        write(path, &format!("// {law}\n{}", automaton.dot()))?;
    }
    if let Some(path) = &options.svg {
        write(path, &automaton.svg())?;
    }
    Ok(())
}

fn write(path: &Path, content: &str) -> Result<(), Failure> {
    fs::write(path, content)
        .map_err(|error| Failure::Input(text::error(&format!("{}: {error}", path.display()))))
}

/// The values in a table of any format, or in a bare list: numbers separated by white space or
/// commas, where `#` begins a comment.
fn read_values(path: &Path, most: u64) -> Result<Vec<u64>, Failure> {
    let table = sheet::values(path, most);
    let table = table.map_err(|fault| Failure::Input(crate::text::sheet_fault(path, &fault)))?;
    if let Some(values) = table {
        return Ok(values);
    }
    let path = path.to_string_lossy();
    let bytes = fs::read(&*path).map_err(|error| input::unreadable(&path, &error))?;
    let content = text_of(bytes, &path)?;
    let mut values = Vec::new();
    for (number, line) in (1..).zip(content.lines()) {
        let line = input::without_comment(line);
        let words = line.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            let value = word
                .parse()
                .map_err(|_| Failure::Input(text::error(&text::not_a_value(number, word))))?;
            values.push(value);
        }
    }
    if values.is_empty() {
        return Err(Failure::Input(text::error(text::NO_VALUES_IN_LIST)));
    }
    Ok(values)
}

fn say_theorem(proved: &Proved, out: &mut dyn Write) -> io::Result<()> {
    let style = AnsiColor::Green.on_default();
    for (place, line) in text::theorem(&proved.theorem).iter().enumerate() {
        if place == 0 {
            writeln!(out, "{style}{line}{style:#}")?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn say_conjecture(
    game: Option<&Ruleset>,
    law: Periodicity,
    upto: u64,
    why: &grundy::law::NoProof,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = AnsiColor::Yellow.on_default();
    let message = text::conjecture(game, law, upto, why);
    writeln!(out, "{style}{message}{style:#}")
}

/// A law and how it is known.
#[derive(Serialize)]
pub struct LawJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    law: Option<LawData>,
    statement: Option<String>,
    evidence: Option<EvidenceJson>,
    /// Why a law that is shown is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_proved: Option<String>,
    /// The largest heap looked at where no law was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_upto: Option<String>,
    /// In misère play, the first heap that is not tame.
    #[serde(skip_serializing_if = "Option::is_none")]
    wild_from: Option<String>,
    /// In misère play, a quotient that decides the sums of small heaps and is not proved of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<CheckedJson>,
    /// What values show beside a law of outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<SeenJson>,
    /// Games of the catalogue with the same values.
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    same_values: &'a [&'static str],
}

#[derive(Serialize)]
struct SeenJson {
    law: LawData,
    statement: String,
    evidence: EvidenceJson,
}

#[derive(Serialize)]
struct CheckedJson {
    /// It decides all sums of heaps up to this one.
    upto: String,
    order: String,
    lost: String,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EvidenceJson {
    Proved {
        theorem: String,
        citation: String,
        certificate: String,
    },
    Conjecture {
        upto: String,
    },
}

impl EvidenceJson {
    fn proved(proved: &Proved) -> Self {
        let theorem = &proved.theorem;
        Self::Proved {
            theorem: theorem.name().to_owned(),
            citation: theorem.citation().to_owned(),
            certificate: theorem.digest().to_owned(),
        }
    }
}

/// A law as data.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LawData {
    /// `g(n+period) = g(n)+saltus` for all `n >= preperiod`.
    Periodic {
        /// From where on.
        preperiod: String,
        /// The distance.
        period: String,
        /// The growth.
        saltus: String,
    },
    /// In misère play: the labels of tame heaps repeat, but for the growth of their indices.
    Tame {
        /// From where on.
        preperiod: String,
        /// The distance.
        period: String,
        /// The growth of indices.
        saltus: String,
    },
    /// In misère play: elements of a finite quotient repeat.
    Quotient {
        /// From where on.
        preperiod: String,
        /// The distance.
        period: String,
        /// How many elements there are.
        order: String,
        /// How many of them are those of lost sums.
        lost: String,
    },
    /// A relation that an automaton decides.
    Automaton {
        /// How numbers are written.
        numeration: String,
        /// Which digit is read first, `msd` or `lsd`.
        order: &'static str,
        /// What the tracks are.
        tracks: String,
        /// How many states it has.
        states: usize,
    },
    /// A recursion that shortens the number by a factor.
    DigitRecursion {
        /// The recursion.
        recursion: String,
    },
    /// Sections of the values are sums of multiples of others.
    LinearRepresentation {
        /// In which base.
        base: u32,
        /// The elements: `1`, `n` or `g(4n+1)`.
        elements: Vec<String>,
        /// The elements at 0.
        start: Vec<String>,
        /// For each digit `d`, the rows of a matrix: each element at `base * n + d` by all of them at `n`.
        matrices: Vec<Vec<Vec<String>>>,
        /// The value itself by the elements.
        value: Vec<String>,
    },
}

impl LawData {
    /// The data of a law that an automaton decides.
    pub fn regular(found: &Found) -> Self {
        let encoding = found.relation.encoding();
        Self::Automaton {
            numeration: encoding.system.to_string(),
            order: match encoding.order {
                DigitOrder::Msd => "msd",
                DigitOrder::Lsd => "lsd",
            },
            tracks: text::tracks(found),
            states: found.relation.automaton().states(),
        }
    }

    /// The data of relations between sections.
    fn sections(said: &Representation) -> Self {
        let matrix = |digit| {
            let rows = said.matrix(digit);
            let words = rows.map(|row| row.iter().map(ToString::to_string).collect());
            words.collect()
        };
        Self::LinearRepresentation {
            base: said.base(),
            elements: said.elements().iter().map(text::section).collect(),
            start: said.start().iter().map(ToString::to_string).collect(),
            matrices: (0..said.base()).map(matrix).collect(),
            value: said.row().iter().map(ToString::to_string).collect(),
        }
    }

    /// The data of a law.
    pub fn new(law: &Law) -> Self {
        match law {
            Law::Periodic(law) => Self::Periodic {
                preperiod: law.preperiod.to_string(),
                period: law.period.to_string(),
                saltus: law.saltus.to_string(),
            },
            Law::Automaton(law) => Self::Automaton {
                numeration: text::numeration(law),
                order: match law.order {
                    Order::MostSignificantFirst => "msd",
                    Order::LeastSignificantFirst => "lsd",
                },
                tracks: text::tracks_of(law),
                states: law.automaton.accepting.len(),
            },
            Law::Misere(law) => {
                let labels = &law.labels;
                let (preperiod, period) = (labels.preperiod, labels.period);
                let [preperiod, period] = [preperiod, period].map(|n| n.to_string());
                match &law.monoid {
                    Monoid::Tame => Self::Tame {
                        preperiod,
                        period,
                        saltus: (labels.saltus / 2).to_string(),
                    },
                    Monoid::Quotient(quotient) => Self::Quotient {
                        preperiod,
                        period,
                        order: quotient.order.to_string(),
                        lost: quotient.lost.len().to_string(),
                    },
                }
            }
            law => Self::DigitRecursion {
                recursion: text::law(law),
            },
        }
    }
}

impl<'a> LawJson<'a> {
    /// The report of a search.
    pub fn new(
        game: Option<String>,
        report: Option<&LawReport>,
        same_values: &'a [&'static str],
    ) -> Self {
        let mut json = Self {
            game,
            law: None,
            statement: None,
            evidence: None,
            not_proved: None,
            searched_upto: None,
            wild_from: None,
            checked: None,
            values: None,
            same_values,
        };
        let Some(report) = report else {
            return json;
        };
        match report {
            LawReport::Proved(proved) => {
                let theorem = &proved.theorem;
                json.law = Some(LawData::new(theorem.law()));
                json.statement = Some(text::law(theorem.law()));
                json.evidence = Some(EvidenceJson::proved(proved));
            }
            LawReport::Conjecture { law, upto, why } => {
                json.law = Some(LawData::Periodic {
                    preperiod: law.preperiod.to_string(),
                    period: law.period.to_string(),
                    saltus: law.saltus.to_string(),
                });
                json.statement = Some(text::periodicity(*law));
                json.evidence = Some(EvidenceJson::Conjecture {
                    upto: upto.to_string(),
                });
                json.not_proved = Some(text::no_proof(None, why));
            }
            LawReport::Nothing { below, .. } => {
                json.searched_upto = below.checked_sub(1).map(|upto| upto.to_string());
            }
            LawReport::Unlabelled { below, checked, .. } => {
                json.searched_upto = below.checked_sub(1).map(|upto| upto.to_string());
                json.checked = checked.map(|checked| CheckedJson {
                    upto: (checked.below - 1).to_string(),
                    order: checked.order.to_string(),
                    lost: checked.lost.to_string(),
                });
            }
            LawReport::NoSequence(_) => {}
        }
        json
    }

    /// Adds the first wild heap of a game in misère play.
    pub fn with_wild(mut self, heap: Option<u64>) -> Self {
        self.wild_from = heap.map(|heap| heap.to_string());
        self
    }

    /// Adds the laws that automata derive; where no other is proved or seen, the first is the law.
    fn with_automata(mut self, game: &Ruleset, readings: &[(&Found, Reading)]) -> Self {
        let proved = matches!(self.evidence, Some(EvidenceJson::Proved { .. }));
        let first = readings.first().filter(|_| !proved);
        if let Some((found, _)) = first {
            self.law = Some(LawData::regular(found));
            self.statement = Some(text::regular_law(found));
            let upto = found.sides.iter().max().map_or(0, |side| side - 1);
            (self.evidence, self.not_proved) = match &found.proof {
                Ok(proved) => (Some(EvidenceJson::proved(proved)), None),
                Err(_) => {
                    let upto = upto.to_string();
                    let why = text::derived(game, found);
                    (Some(EvidenceJson::Conjecture { upto }), Some(why))
                }
            };
            self.searched_upto = None;
        }
        self
    }

    /// Adds a digit recursion that values show: as the law, or beside one of outcomes.
    fn with_recursion(mut self, recursion: Option<(&Seen, u64)>) -> Self {
        let Some((seen, upto)) = recursion else {
            return self;
        };
        let law = match seen {
            Seen::Law(law) => LawData::new(law),
            Seen::Sections(sections) => LawData::sections(sections),
        };
        let statement = text::recursion(seen);
        let evidence = EvidenceJson::Conjecture {
            upto: upto.to_string(),
        };
        if self.law.is_none() {
            self.law = Some(law);
            self.statement = Some(statement);
            self.evidence = Some(evidence);
            self.searched_upto = None;
        } else {
            self.values = Some(SeenJson {
                law,
                statement,
                evidence,
            });
        }
        self
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}
