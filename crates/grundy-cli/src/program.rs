//! Somebody's program, run on an input within limits on its time and memory.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program with its arguments, and what it may use.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The program and its arguments.
    pub words: &'a [String],
    /// How long it may take.
    pub time: Duration,
    /// How many bytes it may hold.
    pub memory: u64,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// What it printed on standard output.
    pub output: String,
    /// The end of what it printed on standard error.
    pub complaint: String,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, as it should.
    Well,
    /// By itself, with this exit status.
    Status(i32),
    /// By a signal of this number.
    Signal(i32),
    /// It took too long.
    TimedOut,
    /// It would have needed more memory.
    OutOfMemory,
    /// It printed without end.
    Flooded,
    /// The user has stopped it.
    Stopped,
}

/// More bytes of output are taken for output without end.
const MOST_OUTPUT: u64 = 64 << 20;
/// So many bytes of complaints are kept.
const MOST_COMPLAINT: usize = 2000;
/// How often it is asked whether to stop.
const GLANCE: Duration = Duration::from_millis(20);

impl Program<'_> {
    /// Runs it on an input. `stopped` says whether the user wants to stop.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn run(&self, input: &str, stopped: &dyn Fn() -> bool) -> io::Result<Ran> {
        let ran = self.run_within(input, self.memory, stopped)?;
        if !matches!(ran.end, End::Status(_) | End::Signal(_)) {
            return Ok(ran);
        }
        // A program whose allocation is refused ends in a way of its own language; that it is the
        // limit which ends it shows where it goes on with more.
        let speaks_of_memory = OUT_OF_MEMORY
            .iter()
            .any(|words| ran.complaint.contains(words));
        let more = self.memory.saturating_mul(2);
        if speaks_of_memory || self.run_within(input, more, stopped)?.end == End::Well {
            return Ok(Ran {
                end: End::OutOfMemory,
                ..ran
            });
        }
        Ok(ran)
    }

    fn run_within(&self, input: &str, memory: u64, stopped: &dyn Fn() -> bool) -> io::Result<Ran> {
        let mut child = self.command(memory).spawn()?;
        let watch = Watch {
            id: child.id(),
            start: Instant::now(),
            limit: self.time,
        };
        let stdin = child.stdin.take().expect("it was asked for");
        let stdout = child.stdout.take().expect("it was asked for");
        let stderr = child.stderr.take().expect("it was asked for");
        let given = input.as_bytes().to_vec();
        // A program need not read its input to the end.
        thread::spawn(move || { stdin }.write_all(&given));
        let complaint = read(stderr);
        let output = read(stdout);
        let end = loop {
            match output.recv_timeout(GLANCE.min(self.time)) {
                Ok(bytes) => break Ok(bytes),
                Err(RecvTimeoutError::Disconnected) => break Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if watch.is_over() => break Err(End::TimedOut),
                Err(RecvTimeoutError::Timeout) if stopped() => break Err(End::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let (end, bytes) = match end {
            Ok(bytes) if bytes.len() as u64 >= MOST_OUTPUT => {
                kill(&mut child);
                (End::Flooded, bytes)
            }
            Ok(bytes) => match wait(&mut child, &watch)? {
                Some(status) => (end_of(status), bytes),
                None => (End::TimedOut, bytes),
            },
            Err(end) => {
                kill(&mut child);
                (end, output.recv_timeout(GLANCE).unwrap_or_default())
            }
        };
        let complaint = complaint.recv_timeout(GLANCE).unwrap_or_default();
        let from = complaint.len().saturating_sub(MOST_COMPLAINT);
        Ok(Ran {
            end,
            output: String::from_utf8_lossy(&bytes).into_owned(),
            complaint: String::from_utf8_lossy(&complaint[from..]).into_owned(),
        })
    }

    /// The program behind a shell that limits its memory: the limit holds from the first instruction.
    #[cfg(unix)]
    fn command(&self, memory: u64) -> Command {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                "ulimit -v \"$1\"; ulimit -c 0; shift; exec \"$@\"",
                "sh",
            ])
            .arg((memory / 1024).to_string())
            .args(self.words)
            // What it starts itself is ended with it.
            .process_group(0);
        piped(command)
    }

    #[cfg(not(unix))]
    fn command(&self, _: u64) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        piped(command)
    }
}

/// A program that runs, and how long it may.
struct Watch {
    id: u32,
    start: Instant,
    limit: Duration,
}

/// So many times its limit a program may wait, for its input or on a machine that has other work too.
const PATIENCE: u32 = 8;

impl Watch {
    /// Whether it has worked for as long as it may, or waited for much longer.
    fn is_over(&self) -> bool {
        let elapsed = self.start.elapsed();
        elapsed >= self.limit
            && (elapsed >= self.limit.saturating_mul(PATIENCE)
                || worked(self.id).is_none_or(|worked| worked >= self.limit))
    }
}

/// How long a process has had a processor, where the system tells it: in its list of processes (`proc(5)`), behind the
/// name in parentheses, as the twelfth and thirteenth word.
#[cfg(target_os = "linux")]
fn worked(id: u32) -> Option<Duration> {
    let line = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, words) = line.rsplit_once(')')?;
    let ticks = words.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<u64>> = ticks.map(|word| word.parse().ok()).collect();
    let ticks: u64 = ticks.filter(|ticks| ticks.len() == 2)?.iter().sum();
    let each = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(
        ticks.saturating_mul(1000) / each.max(1),
    ))
}

#[cfg(not(target_os = "linux"))]
fn worked(_: u32) -> Option<Duration> {
    None
}

/// What languages say when memory is refused.
const OUT_OF_MEMORY: [&str; 4] = [
    "bad_alloc",
    "MemoryError",
    "memory allocation of",
    "out of memory",
];

fn piped(mut command: Command) -> Command {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Reads to the end on a thread of its own, so that a program can neither block us nor be blocked.
fn read(from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is what there is.
        let _ = from.take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    receive
}

/// Waits for a program that has closed its output, and ends it at its time.
fn wait(child: &mut Child, watch: &Watch) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if watch.is_over() {
            kill(child);
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (2 * pause).min(GLANCE);
    }
}

/// Ends a program and all that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn end_of(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal);
    }
    match status.code() {
        Some(0) => End::Well,
        code => End::Status(code.unwrap_or(-1)),
    }
}
