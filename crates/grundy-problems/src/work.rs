//! What carrying out a problem costs.

use grundy_rules::{Limit, Meter};

use crate::graphs::Kept;

/// A meter, and how many bytes the values of a run hold.
pub struct Work<'r, 'm> {
    /// Counts what is spent.
    pub meter: &'r mut Meter<'m>,
    /// The last graph that was asked about.
    pub(crate) graph: Option<Kept>,
    held: u64,
}

impl<'r, 'm> Work<'r, 'm> {
    /// Nothing is held yet.
    pub fn new(meter: &'r mut Meter<'m>) -> Self {
        Self {
            meter,
            graph: None,
            held: 0,
        }
    }

    /// Counts steps.
    pub fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        self.meter.spend(steps)
    }

    /// Counts bytes that are held until [`release`](Self::release).
    pub fn hold(&mut self, bytes: u64) -> Result<(), Limit> {
        self.meter.allocate(bytes)?;
        self.held += bytes;
        Ok(())
    }

    /// How many bytes are held.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Gives back all bytes that are held beyond so many.
    pub fn release(&mut self, beyond: u64) {
        self.meter.release(self.held.saturating_sub(beyond));
        self.held = self.held.min(beyond);
    }
}
