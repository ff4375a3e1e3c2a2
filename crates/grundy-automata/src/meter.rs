//! Limits on work: every construction may grow exponentially, so every one is counted.

/// How much a construction may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many states one automaton may have, before it is minimised.
    pub states: usize,
    /// How many transitions one automaton may have, states times letters, and how many members all sets of states
    /// together while one is made deterministic.
    pub transitions: usize,
    /// How many transitions all constructions together may compute.
    pub steps: u64,
}

impl Default for Budget {
    /// Thirty thousand states, some hundred megabytes, and at most some minutes of work.
    fn default() -> Self {
        Self {
            states: 30_000,
            transitions: 1 << 24,
            steps: 1 << 32,
        }
    }
}

/// The limit that stopped a construction. It says nothing about the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// An automaton had more states than this.
    States(usize),
    /// An automaton had more transitions than this.
    Transitions(usize),
    /// The steps of the budget are used up.
    Steps,
    /// The caller asked to stop.
    Cancelled,
}

/// Counts what constructions cost, and stops them at the budget or when the caller asks to.
///
/// The library reads no clock: who limits time cancels.
pub struct Meter<'a> {
    budget: Budget,
    cancel: Option<&'a dyn Fn() -> bool>,
    until_poll: u64,
}

/// How many steps pass between two questions whether to stop: about a millisecond of work.
const POLL: u64 = 1 << 16;

impl<'a> Meter<'a> {
    /// A meter that stops at `budget`.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            cancel: None,
            until_poll: POLL,
        }
    }

    /// A meter that also asks `cancel`, about once in a millisecond, whether to stop.
    pub fn with_cancel(budget: Budget, cancel: &'a dyn Fn() -> bool) -> Self {
        Self {
            cancel: Some(cancel),
            ..Self::new(budget)
        }
    }

    /// What is left of the budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Counts `steps` transitions computed.
    pub fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        self.budget.steps = self.budget.steps.checked_sub(steps).ok_or(Limit::Steps)?;
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

    /// Lets work spend at most so many steps and states; gives what it gave, and the steps it spent.
    ///
    /// Two procedures race by turns of growing caps: who ends first within the same cap wins.
    pub fn capped<T>(
        &mut self,
        states: usize,
        steps: u64,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, u64) {
        let before = self.budget;
        self.budget.states = states.min(before.states);
        self.budget.steps = steps.min(before.steps);
        let cap = self.budget.steps;
        let result = work(self);
        let spent = cap - self.budget.steps;
        self.budget = Budget {
            steps: before.steps - spent,
            ..before
        };
        (result, spent)
    }

    /// Checks that an automaton may have so many states over so many letters.
    pub(crate) fn admit(&self, states: usize, letters: usize) -> Result<(), Limit> {
        if states > self.budget.states {
            Err(Limit::States(self.budget.states))
        } else if states.saturating_mul(letters) > self.budget.transitions {
            Err(Limit::Transitions(self.budget.transitions))
        } else {
            Ok(())
        }
    }
}
