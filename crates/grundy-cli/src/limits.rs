//! Limits on time and memory, the clock behind them, and signs of life on long work.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{IsTerminal, stderr};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grundy::text::{self, Reached};
use grundy_rules::{Budget, Limit};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use crate::args::LimitOptions;
use crate::text::PROGRESS;

/// Whether the user has asked to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the program waits for the user, so that an interrupt has no work to stop.
static WAITING: AtomicBool = AtomicBool::new(false);

/// How long work goes on before there is a sign of life.
const PATIENCE: Duration = Duration::from_secs(1);

/// At the first interrupt, work stops at its next step and what is known is told; at the second
/// one the program ends at once.
pub fn end_cleanly_when_interrupted() {
    // Without a handler an interrupt ends the program: no reason to refuse work.
    let _ = ctrlc::set_handler(|| {
        if WAITING.load(Ordering::Relaxed) || INTERRUPTED.swap(true, Ordering::Relaxed) {
            exit(130);
        }
    });
}

/// Whether the user has asked to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Waits for the user; what was interrupted before is forgotten.
pub fn while_waiting<T>(wait: impl FnOnce() -> T) -> T {
    INTERRUPTED.store(false, Ordering::Relaxed);
    WAITING.store(true, Ordering::Relaxed);
    let answer = wait();
    WAITING.store(false, Ordering::Relaxed);
    answer
}

/// The clock of one question.
pub struct Clock {
    start: Cell<Instant>,
    time: Option<Duration>,
    bytes: u64,
    bar: RefCell<Option<ProgressBar>>,
    length: Cell<Option<u64>>,
}

impl Clock {
    /// A clock that starts now.
    pub fn start(limits: &LimitOptions, default_time: Option<Duration>) -> Self {
        Self {
            start: Cell::new(Instant::now()),
            time: limits.time.or(default_time),
            bytes: limits.memory,
            bar: RefCell::new(None),
            length: Cell::new(None),
        }
    }

    /// What may be spent: bytes as the user says, and steps without end, since time rules.
    pub fn budget(&self) -> Budget {
        Budget {
            steps: u64::MAX,
            bytes: self.bytes,
        }
    }

    /// Gives the next question the whole time again.
    pub fn restart(&self) {
        self.start.set(Instant::now());
    }

    /// Whether to stop; shows that work goes on.
    pub fn expired(&self) -> bool {
        self.show(ProgressBar::tick);
        let elapsed = self.start.get().elapsed();
        INTERRUPTED.load(Ordering::Relaxed) || self.time.is_some_and(|time| elapsed >= time)
    }

    /// Whether to stop, where several clocks run and none of them shows anything.
    pub fn is_over(&self) -> bool {
        interrupted() || self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// How long this question has been worked on.
    pub fn elapsed(&self) -> Duration {
        self.start.get().elapsed()
    }

    /// Whether half of the time is gone; work that may turn out to be in vain stops then.
    pub fn past_half(&self) -> bool {
        let half = self.time.map(|time| time / 2);
        self.expired() || half.is_some_and(|half| self.start.get().elapsed() >= half)
    }

    /// Shows how many of many questions are done.
    pub fn done_since(&self, start: Instant, part: u64, all: u64) {
        self.start.set(start);
        self.done(part, all);
    }

    /// Shows how much of the work is done.
    pub fn done(&self, part: u64, all: u64) {
        self.length.set(Some(all));
        self.show(|bar| {
            if bar.position() == 0 {
                // What is done at the first look may come from an earlier run, and tells no rate.
                bar.set_position(part);
                bar.reset_eta();
            }
            bar.set_position(part);
        });
    }

    /// Shows what `say` says, if anybody sees it.
    pub fn say(&self, say: impl Fn() -> Option<String>) {
        self.show(|bar| bar.set_message(say().unwrap_or_default()));
    }

    /// Takes the signs of life away.
    pub fn hide(&self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// What this limit is to the user.
    pub fn reached(&self, limit: Limit) -> Reached {
        match limit {
            Limit::Bytes => Reached::Bytes(self.bytes),
            Limit::Steps => Reached::Size,
            Limit::Cancelled if INTERRUPTED.load(Ordering::Relaxed) => Reached::Interrupt,
            Limit::Cancelled => Reached::Time(self.time.unwrap_or_default()),
        }
    }

    /// Shows something on the bar, if work is long and somebody looks.
    fn show(&self, change: impl Fn(&ProgressBar)) {
        if self.start.get().elapsed() < PATIENCE || !stderr().is_terminal() {
            return;
        }
        let mut bar = self.bar.borrow_mut();
        change(bar.get_or_insert_with(|| match self.length.get() {
            Some(length) => ProgressBar::new(length).with_style(style(PROGRESS)),
            None => ProgressBar::new_spinner().with_style(style(text::PROGRESS)),
        }));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the templates of progress are well formed")
        .with_key(
            "rate",
            |state: &ProgressState, text: &mut dyn fmt::Write| {
                // A fraction of a heap says nothing.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let rate = HumanCount(state.per_sec().round() as u64);
                // Nothing can be done about a line that cannot be written.
                let _ = write!(text, "{rate}");
            },
        )
}
