//! Limits on work, so that no question runs for ever.

/// How much one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many elementary steps: options built, guards evaluated.
    pub steps: u64,
    /// How many bytes of tables and states may be held at a time.
    pub bytes: u64,
}

impl Default for Budget {
    /// A hundred million steps and one gibibyte: some seconds of work.
    fn default() -> Self {
        Self {
            steps: 100_000_000,
            bytes: 1 << 30,
        }
    }
}

/// The limit that stopped a question. It says nothing about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The steps of the budget are used up.
    Steps,
    /// The bytes of the budget are used up.
    Bytes,
    /// The caller asked to stop.
    Cancelled,
}

/// Counts what a question costs, and stops it at its budget or when the caller asks to.
///
/// The library reads no clock: a front end that limits time cancels.
pub struct Meter<'a> {
    steps: u64,
    bytes: u64,
    cancel: Option<&'a dyn Fn() -> bool>,
    until_poll: u64,
}

/// How many steps pass between two questions whether to stop.
const POLL: u64 = 1 << 14;

impl<'a> Meter<'a> {
    /// A meter that stops at `budget`.
    pub fn new(budget: Budget) -> Self {
        Self {
            steps: budget.steps,
            bytes: budget.bytes,
            cancel: None,
            until_poll: POLL,
        }
    }

    /// A meter that also asks `cancel`, about every ten thousand steps, whether to stop.
    pub fn with_cancel(budget: Budget, cancel: &'a dyn Fn() -> bool) -> Self {
        Self {
            cancel: Some(cancel),
            ..Self::new(budget)
        }
    }

    /// What asks whether to stop, so that work which is counted otherwise stops with it.
    pub fn cancel(&self) -> Option<&'a dyn Fn() -> bool> {
        self.cancel
    }

    /// Counts `steps` elementary steps.
    pub fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        self.steps = self.steps.checked_sub(steps).ok_or(Limit::Steps)?;
        if let Some(left) = self.until_poll.checked_sub(steps) {
            self.until_poll = left;
        } else {
            self.until_poll = POLL;
            if self.cancel.is_some_and(|cancel| cancel()) {
                return Err(Limit::Cancelled);
            }
        }
        Ok(())
    }

    /// Lets work spend at most so many steps; gives what it gave, and what it spent.
    pub fn capped<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> (T, u64) {
        let cap = steps.min(self.steps);
        let kept = self.steps - cap;
        self.steps = cap;
        let result = work(self);
        let spent = cap - self.steps;
        self.steps += kept;
        (result, spent)
    }

    /// Counts `bytes` that are held from now on.
    pub fn allocate(&mut self, bytes: u64) -> Result<(), Limit> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Limit::Bytes)?;
        Ok(())
    }

    /// Gives back `bytes` that are no longer held.
    pub fn release(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }
}
