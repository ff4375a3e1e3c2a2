//! Limits on work, so that no graph is too large to ask about.

/// Why a question was given up. It says nothing about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// More memory would be needed than may be held.
    Bytes,
    /// The caller asked to stop.
    Cancelled,
}

/// What one question may hold, and whether it is to go on.
///
/// The library reads no clock: whoever limits time cancels.
pub struct Work<'a> {
    bytes: u64,
    cancel: Option<&'a dyn Fn() -> bool>,
    until_poll: u64,
}

/// How many steps pass between two questions whether to stop.
const POLL: u64 = 1 << 20;

impl<'a> Work<'a> {
    /// Work that may hold so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self {
            bytes,
            cancel: None,
            until_poll: POLL,
        }
    }

    /// Work that also asks, about every million steps, whether to stop.
    pub fn with_cancel(bytes: u64, cancel: &'a dyn Fn() -> bool) -> Self {
        Self {
            cancel: Some(cancel),
            ..Self::new(bytes)
        }
    }

    /// Counts bytes that are held from now on.
    pub fn allocate(&mut self, bytes: u64) -> Result<(), Stop> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Stop::Bytes)?;
        Ok(())
    }

    /// Gives back bytes that are no longer held.
    pub fn release(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Counts entries of a type that are held from now on.
    pub(crate) fn reserve<T>(&mut self, entries: usize) -> Result<(), Stop> {
        self.allocate(size::<T>(entries))
    }

    /// Gives back entries of a type.
    pub(crate) fn give_back<T>(&mut self, entries: usize) {
        self.release(size::<T>(entries));
    }

    /// Counts steps.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        let steps = steps as u64;
        if let Some(left) = self.until_poll.checked_sub(steps) {
            self.until_poll = left;
            return Ok(());
        }
        self.until_poll = POLL;
        match self.cancel {
            Some(cancel) if cancel() => Err(Stop::Cancelled),
            _ => Ok(()),
        }
    }
}

fn size<T>(entries: usize) -> u64 {
    (entries as u64).saturating_mul(size_of::<T>() as u64)
}
