//! Other threads that join parts of a group while the first one joins some too.
//!
//! They meet once for each group, some microseconds apart, so that waiting is looking again and again. Nothing is shared while it
//! changes: codes and parts are lent to the other threads and given back.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::block::{GROUP, Part, join};
use crate::level::Level;

/// So often a thread looks for another one before it lets others have its core in between.
const EAGER: u32 = 1 << 10;
/// So often a thread looks for work before it sleeps.
const PATIENCE: u32 = 1 << 14;

/// What is joined.
#[derive(Debug)]
pub(super) struct Task {
    pub level: Level,
    pub codes: Vec<u16>,
    pub parts: Vec<Part>,
    /// How many words a set has.
    pub words: usize,
}

/// The other threads.
#[derive(Debug)]
pub(super) struct Crew(Vec<Other>);

#[derive(Debug)]
struct Other {
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
}

/// Where a thread finds what it is to do, and leaves what it has done.
#[derive(Debug, Default)]
struct Desk {
    /// How many tasks were given, and how many of them are done.
    given: AtomicU64,
    done: AtomicU64,
    is_over: AtomicBool,
    task: Mutex<Option<(Arc<Task>, Range<usize>)>>,
    sets: Mutex<Vec<[u64; GROUP]>>,
}

impl Crew {
    /// Starts so many threads; `None` where there can be none.
    pub fn start(threads: usize) -> Option<Self> {
        let start = |_| {
            let desk = Arc::new(Desk::default());
            let theirs = Arc::clone(&desk);
            let thread = thread::Builder::new().spawn(move || theirs.work()).ok()?;
            Some(Other { desk, thread })
        };
        let others: Vec<Other> = (0..threads).map_while(start).collect();
        (!others.is_empty()).then_some(Self(others))
    }

    /// How many threads there are besides the first.
    pub fn others(&self) -> usize {
        self.0.len()
    }

    /// Has a range of the parts joined by the other threads while `own` does the rest, and adds what they make to the sets.
    ///
    /// # Panics
    ///
    /// If another thread has.
    pub fn share(
        &self,
        task: Task,
        parts: Range<usize>,
        sets: &mut [[u64; GROUP]],
        own: impl FnOnce(&Task, &mut [[u64; GROUP]]),
    ) -> Task {
        let task = Arc::new(task);
        let each = parts.len().div_ceil(self.0.len());
        for (at, other) in self.0.iter().enumerate() {
            let first = (parts.start + at * each).min(parts.end);
            let range = first..(first + each).min(parts.end);
            *lock(&other.desk.task) = Some((Arc::clone(&task), range));
            other.desk.given.fetch_add(1, Ordering::Release);
            other.thread.thread().unpark();
        }
        own(&task, sets);
        for other in &self.0 {
            for (set, joined) in sets.iter_mut().zip(&*other.wait()) {
                for (word, joined) in set.iter_mut().zip(joined) {
                    *word |= joined;
                }
            }
        }
        Arc::into_inner(task).expect("the other threads have given it back")
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for other in &self.0 {
            other.desk.is_over.store(true, Ordering::Release);
            other.thread.thread().unpark();
        }
        for other in self.0.drain(..) {
            // Who waits for a thread that has failed has failed with it.
            let _ = other.thread.join();
        }
    }
}

impl Other {
    /// Waits until all is done that was given.
    fn wait(&self) -> MutexGuard<'_, Vec<[u64; GROUP]>> {
        let given = self.desk.given.load(Ordering::Relaxed);
        let mut looks = 0;
        while self.desk.done.load(Ordering::Acquire) < given {
            looks = rest(looks);
            assert!(
                looks < EAGER || !self.thread.is_finished(),
                "another thread has failed"
            );
        }
        lock(&self.desk.sets)
    }
}

impl Desk {
    /// Does what is given until all is over.
    fn work(&self) {
        let (mut done, mut looks) = (0, 0);
        while !self.is_over.load(Ordering::Acquire) {
            if self.given.load(Ordering::Acquire) == done {
                looks = rest(looks);
                if looks == PATIENCE {
                    thread::park();
                    looks = 0;
                }
                continue;
            }
            looks = 0;
            if let Some((task, parts)) = lock(&self.task).take() {
                let mut sets = lock(&self.sets);
                sets.clear();
                sets.resize(task.words, [0; GROUP]);
                join(task.level, &task.codes, &task.parts[parts], &mut sets);
            }
            done += 1;
            self.done.store(done, Ordering::Release);
        }
    }
}

/// Waits a little, longer if it has been looked often; counts the looks.
fn rest(looks: u32) -> u32 {
    if looks < EAGER {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
    looks.saturating_add(1)
}

/// What a thread leaves that has failed is not used: who waits for it fails too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
